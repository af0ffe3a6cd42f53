"""The engine: right moves, legal moves, repeatable moves, and an end when it is told."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable

import pytest

from gomoku import BLACK, WHITE, Board, Color, Foul, GomokuError, Move, Rule
from gomoku.engine import Engine, Info, Limit
from gomoku.info import MATE_BAND, MATE_SCORE, PovScore, Score
from gomoku.params import HASH
from gomoku.reference import foul, is_five, winning_line
from gomoku.timeman import UNLIMITED_SECONDS, Stability, budget, margin_ns
from support import random_game, slow_twin

SMALL = 4 << 20
QUIET = "h8i9g7j10h10"
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)


def almost_full(rule: Rule, width: int, height: int, left: int, seed: int = 0) -> Board:
    """A board with so many points left, in which no row of one colour is longer than two."""
    points = [Move(x, y) for y in range(height) for x in range(width)]
    empty = random.Random(seed).sample(points, left)
    sides = [[p for p in points if (p.x + 2 * p.y) % 4 // 2 == side and p not in empty] for side in (0, 1)]
    return Board.from_stones(*sides, to_move=Color(seed % 2 + 1), width=width, height=height, rule=rule)


# --- the right move --------------------------------------------------------------------------------------------------

# The public compliance positions: engine to move, accepted answers.
COMPLIANCE = [
    *((rule, "h8h9i8i9j8j9k8k9", {"g8", "l8"}) for rule in Rule),
    (Rule.STANDARD, "h8h9i8h10g8h11j13h12g14h14i15", {"f8", "j8"}),
    (Rule.CARO, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
]
LIMITS = [Limit(nodes=1), Limit(time=0.2), pytest.param(Limit(time=5.0), marks=pytest.mark.slow)]
BY_LIMIT = pytest.mark.parametrize("limit", LIMITS, ids=["1 node", "0.2 s", "5 s"])


@BY_LIMIT
@pytest.mark.parametrize(("rule", "text", "answers"), COMPLIANCE)
def test_compliance(rule: Rule, text: str, answers: set[str], limit: Limit) -> None:
    board = Board.from_text(text, origin="top", rule=rule)
    assert Engine(hash_bytes=SMALL).play(board, limit).move.text in answers


@BY_LIMIT
def test_compliance_renju(limit: Limit) -> None:
    board = Board.from_text("h8h9i7i9h10i6i11i12", origin="top", rule=Rule.RENJU)
    move = Engine(hash_bytes=SMALL).play(board, limit).move
    assert move.text != "g9"
    assert board.is_legal(move)


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(nodes=300), Limit(depth=2)])
@BY_RULE
def test_takes_a_five_and_blocks_one(rule: Rule, limit: Limit) -> None:
    """In random positions, lost ones among them, and with every number of lines."""
    rng = random.Random(int(rule))
    taken = blocked = 0
    while min(taken, blocked) < 5:
        board = random_game(rng, rule, (11, 11), rng.randint(10, 30), spread=3)
        slow = slow_twin(board)
        own, other = ({m for m in slow.empty_points() if is_five(slow, *m, c)} for c in (board.turn, board.turn.other))
        if not own and not other:
            continue
        result = Engine(hash_bytes=1 << 20).play(board, limit, multipv=rng.choice((1, 3)))
        if own:
            assert result.move in own
            assert (result.info.score.relative, len(result.info.pv)) == (Score(mate=1), 1)
            taken += 1
            continue
        slow.place(*result.move, board.turn)
        stopped = {five for five in other if five != result.move and is_five(slow, *five, board.turn.other)}
        assert stopped < other or all(board.foul(five) for five in other), f"{board!s}\n{result.move.text}"
        blocked += 1


@pytest.mark.parametrize("opening", ["b2e2e3", "b14e14e13"])
@BY_RULE
def test_plays_itself_without_fault(rule: Rule, opening: str) -> None:
    """The slow rules watch both sides."""
    board = Board.from_text(opening, origin="top", rule=rule)
    slow = slow_twin(board)
    engine = Engine(hash_bytes=SMALL)
    while not board.is_game_over() and board.ply < 80:
        move, color = engine.play(board, Limit(nodes=1500)).move, board.turn
        assert color is WHITE or foul(slow, *move) is Foul.NONE, f"{board!s}\n{move.text}"
        slow.place(*move, color)
        board.push(move)
        assert (board.outcome() is not None) is (winning_line(slow, *move) is not None)
    board._check()


# --- legal moves, whatever the board ---------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(nodes=300), Limit(depth=1), Limit(time=0.0)])
@BY_RULE
def test_moves_are_legal_on_random_boards(rule: Rule, limit: Limit) -> None:
    rng = random.Random(f"{rule.label} {limit}")
    engine = Engine(hash_bytes=1 << 20)
    for _ in range(12):
        size = rng.randint(5, 22), rng.randint(5, 22)
        board = random_game(rng, rule, size, rng.randint(0, size[0] * size[1] // 3), walls=rng.randint(0, 4))
        before = board.copy()
        move = engine.play(board, limit).move
        assert board.is_legal(move), f"{board!s}\n{move.text}"
        assert (board, board.move_stack) == (before, before.move_stack)


@pytest.mark.parametrize("left", [1, 2, 3, 5])
@BY_RULE
def test_moves_are_legal_on_almost_full_boards(rule: Rule, left: int) -> None:
    engine = Engine(hash_bytes=1 << 20)
    for number, size in enumerate(((5, 5), (15, 15), (22, 22), (5, 22), (20, 7))):
        board = almost_full(rule, *size, left, seed=number)
        move = engine.play(board, Limit(nodes=200)).move
        assert board.stone(move) is None
        assert board.is_legal(move) or not board.legal_moves


@BY_RULE
def test_the_last_point_and_the_full_board(rule: Rule) -> None:
    board = almost_full(rule, 7, 6, 1)
    engine = Engine(hash_bytes=SMALL)
    result = engine.play(board, Limit(nodes=100))
    assert list(board.legal_moves) == [result.move]
    assert result.info.score.relative == Score(0)
    board.push(result.move)
    assert board.outcome().winner is None
    for search in (
        lambda: engine.play(board, Limit(nodes=100)),
        lambda: engine.analyse(board, Limit(nodes=100)),
        lambda: next(engine.analysis(board)),
    ):
        with pytest.raises(GomokuError, match="full"):
            search()
    assert engine.solve(board)[:3] == (0, (), True)
    board.pop()
    assert engine.play(board, Limit(nodes=100)).move == result.move


@pytest.mark.parametrize("others", [0, 1])
def test_black_with_forbidden_points_only_still_moves(others: int) -> None:
    """What is empty completes an overline, so black has no legal move; it moves all the same."""
    row = [(0, 4), (1, 4), (2, 4), (4, 4), (5, 4)]
    rows = [row, [(x, 6) for x, _ in row]][: others + 1]
    empty = {(3, 4), (3, 6)} if others else {(3, 4)}
    black = list(itertools.chain(*rows))
    walls = [(x, y) for x in range(9) for y in range(9) if (x, y) not in {*black, *empty}]
    board = Board.from_stones(black, [], to_move=BLACK, walls=walls, width=9, rule=Rule.RENJU)
    assert list(board.legal_moves) == []
    engine = Engine(hash_bytes=SMALL)
    for multipv in (1, 3):
        assert engine.play(board, Limit(nodes=100), multipv=multipv).move in empty
        assert engine.analyse(board, Limit(depth=3), multipv=multipv)[0].pv[0] in empty


@BY_RULE
def test_opens_on_boards_of_every_size(rule: Rule) -> None:
    engine = Engine(hash_bytes=1 << 20)
    for side in range(5, 23):
        board = Board(side, 27 - side, rule=rule)
        assert engine.play(board, Limit(nodes=20)).move in board.legal_moves


def test_a_finished_game_is_played_on() -> None:
    board = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
    assert board.stone(Engine(hash_bytes=SMALL).play(board, Limit(nodes=100)).move) is None


# --- repeatable ------------------------------------------------------------------------------------------------------


def essence(info: Info) -> tuple[object, ...]:
    return info.pv, info.nodes, str(info.score.relative), info.depth, info.seldepth, info.multipv


@pytest.mark.parametrize("multipv", [1, 3])
@pytest.mark.parametrize("limit", [Limit(nodes=20_000), Limit(depth=7)], ids=["nodes", "depth"])
@BY_RULE
def test_nodes_and_depth_are_repeatable(rule: Rule, limit: Limit, multipv: int) -> None:
    board = Board.from_text(QUIET, origin="top", rule=rule)
    kept = Engine(hash_bytes=SMALL)
    results = []
    for engine in (kept, kept, Engine(hash_bytes=SMALL)):
        lines: list[Info] = []
        result = engine.play(board, limit, multipv=multipv, on_info=lines.append)
        assert result.lines == tuple(lines[-len(result.lines) :])
        results.append([result.move, *map(essence, lines)])
        # Anything in between, another rule and size among it, is forgotten with the game.
        engine.play(Board.from_text("b2c3", origin="top", width=9, rule=Rule.RENJU), Limit(nodes=2000))
        engine.new_game()
    assert results[0] == results[1] == results[2]


def test_a_new_game_keeps_the_memory_of_the_table() -> None:
    board = Board.from_text(QUIET, origin="top")
    engine = Engine(hash_bytes=SMALL, threads=2)
    engine.play(board, Limit(depth=9))
    table = engine._team.leader.table  # type: ignore[union-attr]
    assert engine.hash_permille > 0
    engine.new_game()
    assert engine.hash_permille == 0
    engine.threads = 1
    assert essence(engine.play(board, Limit(nodes=5_000)).info) == essence(
        Engine(hash_bytes=SMALL).play(board, Limit(nodes=5_000)).info
    )
    assert engine._team.leader.table is table  # type: ignore[union-attr]


@pytest.mark.parametrize("limit", [1, 50, 500, 5_000, 30_000])
def test_the_node_limit_is_kept(limit: int) -> None:
    """The last leaf may look at a few hundred nodes more."""
    result = Engine(hash_bytes=SMALL).play(Board.from_text(QUIET, origin="top"), Limit(nodes=limit))
    assert result.info.nodes <= limit + 500
    assert limit < 5_000 or result.info.depth > 2


def test_analysis_deepens_by_one_and_grows() -> None:
    board = Board.from_text(QUIET, origin="top")
    iterations = list(Engine(hash_bytes=SMALL).analysis(board, Limit(depth=6)))
    assert [lines[0].depth for lines in iterations] == [1, 2, 3, 4, 5, 6]
    best = [lines[0] for lines in iterations]
    for earlier, later in itertools.pairwise(best):
        assert earlier.nodes < later.nodes
        assert earlier.time <= later.time
    assert all(info.seldepth >= info.depth and info.score.turn is WHITE for info in best)
    assert best[-1].nps == pytest.approx(best[-1].nodes / best[-1].time)


def test_analysis_can_be_left_and_started_again() -> None:
    board = Board.from_text("h8i9g7", origin="top")
    engine = Engine(hash_bytes=SMALL)
    for lines in engine.analysis(board):
        if lines[0].depth == 3:
            break
    assert engine.play(board, Limit(nodes=1000)).move in board.legal_moves


@pytest.mark.parametrize("wanted", [0, 1, HASH.low, 1 << 50])
def test_the_table_stays_in_its_range(wanted: int) -> None:
    engine = Engine(hash_bytes=wanted)
    assert engine.hash_bytes == HASH.clamp(wanted)
    engine.hash_bytes = 2 << 20
    board = Board.from_text(QUIET, origin="top")
    assert engine.play(board, Limit(nodes=500)).move in board.legal_moves
    engine.hash_bytes = wanted
    assert engine.hash_bytes == HASH.clamp(wanted)


# --- several lines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [Limit(depth=5), Limit(nodes=300), Limit(nodes=10_000)])
@BY_RULE
def test_several_lines_have_distinct_moves_in_order(rule: Rule, limit: Limit) -> None:
    rng = random.Random(int(rule))
    for _ in range(6):
        board = random_game(rng, rule, (9, 9), rng.randint(2, 14))
        lines = Engine(hash_bytes=1 << 20).analyse(board, limit, multipv=4)
        assert 1 <= len(lines) <= 4
        assert [info.multipv for info in lines] == list(range(1, len(lines) + 1))
        assert len({info.pv[0] for info in lines}) == len(lines)
        values = [info.score.relative.to_int() for info in lines]
        assert all(abs(value) <= MATE_SCORE for value in values)
        if limit.depth:
            assert values == sorted(values, reverse=True)


def test_four_lines_of_a_quiet_position() -> None:
    lines = Engine(hash_bytes=SMALL).analyse(Board.from_text(QUIET, origin="top"), Limit(depth=5), multipv=4)
    assert [info.multipv for info in lines] == [1, 2, 3, 4]


def test_more_lines_than_moves() -> None:
    board = almost_full(Rule.FREESTYLE, 6, 6, 3)
    lines = Engine(hash_bytes=SMALL).analyse(board, Limit(depth=2), multipv=10)
    assert {info.pv[0] for info in lines} == set(board.legal_moves)


# --- proven results --------------------------------------------------------------------------------------------------


def check_mate(board: Board, info: Info) -> bool:
    """A proven result belongs to the right side, and its line is legal; returns whether the line goes to the five.

    A line may be cut short, and it may hold a weaker defence that loses before its time.
    """
    plies = info.score.relative.mate
    winner = board.turn if plies > 0 else board.turn.other
    assert abs(plies) % 2 == (plies > 0)
    assert 1 <= len(info.pv) <= abs(plies) <= board.empty
    replay = board.copy()
    for move in info.pv:
        replay.push(move)  # raises where a line goes on after its end
    outcome = replay.outcome()
    assert outcome is not None or len(info.pv) < abs(plies), f"{board!s}\n{info}"
    assert outcome is None or outcome.winner is winner, f"{board!s}\n{info}"
    return outcome is not None


@BY_RULE
def test_mates_of_random_positions(rule: Rule) -> None:
    rng = random.Random(int(rule))
    whole = mates = 0
    for number in range(60):
        board = random_game(rng, rule, rng.choice(((9, 9), (11, 11), (15, 15))), rng.randint(6, 26), spread=4)
        lines: list[Info] = []
        limit = (Limit(nodes=300), Limit(nodes=3000), Limit(depth=4))[number % 3]
        Engine(hash_bytes=1 << 20).play(board, limit, multipv=1 + number % 2, on_info=lines.append)
        for info in lines:
            if info.score.relative.mate is None:
                assert abs(info.score.relative.points) <= 6000
            else:
                mates += 1
                whole += check_mate(board, info)
    assert mates > 10
    assert whole * 2 > mates


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("h8h9i8i9j8j9k8k9", 1),
        ("h8a1i9a3j10a5", 3),
        ("h8g10j7g8g9i9f6i6", None),
        ("h8e8g8a1f8a3i9a5i10c1", 5),  # a four and a three
    ],
)
def test_a_mate_comes_with_its_whole_line(text: str, plies: int | None) -> None:
    board = Board.from_text(text, origin="top")
    info = Engine(hash_bytes=SMALL).play(board, Limit(nodes=200_000)).info
    assert info.score.relative.mate is not None
    assert info.score.relative.mate > 0
    assert plies in (None, info.score.relative.mate)
    assert len(info.pv) == info.score.relative.mate
    assert check_mate(board, info)


@pytest.mark.parametrize(
    ("text", "plies"),
    [("h5f4f3g4e4b7c8e6d3e5b2g5b5f6d4c5f8", 3), ("g5d6h6g4e3f6h8b3b6b8g6h4f5b5g3e7f7g8c8d4c6", 5)],
)
def test_a_four_that_black_may_not_answer_comes_with_its_whole_line(text: str, plies: int) -> None:
    board = Board.from_text(text, origin="top", width=9, rule=Rule.RENJU)
    info = Engine(hash_bytes=SMALL).play(board, Limit(nodes=30_000)).info
    assert info.score.relative.mate == len(info.pv) == plies
    assert check_mate(board, info)


def test_the_line_of_the_search_keeps_black_from_fouls() -> None:
    board = Board.from_text("f7b7g10d5d7d9c2g5e6j10d10h9c4i6e3", origin="top", width=11, rule=Rule.RENJU)
    info = Engine(hash_bytes=SMALL).analyse(board, Limit(nodes=1_000_000))[0]
    assert info.score.relative.mate == 9
    assert check_mate(board, info)


@BY_RULE
def test_a_won_game_is_won_in_time(rule: Rule) -> None:
    """From a proven win on the engine wins against its own defence, soon if not by the shortest way.

    It prefers a win by fours to a shorter one by threats.
    """
    rng = random.Random(int(rule) + 7)
    won = 0
    while won < 6:
        board = random_game(rng, rule, (11, 11), rng.randint(8, 20), spread=3)
        engine = Engine(hash_bytes=SMALL)
        plies = engine.play(board, Limit(nodes=5000)).info.score.relative.mate
        if plies is None or plies < 3:
            continue
        attacker = board.turn
        for _ in range(plies + 10):
            board.push(engine.play(board, Limit(nodes=20_000)).move)
            if board.is_game_over():
                break
        assert board.outcome().winner is attacker
        won += 1


def test_a_lost_position_still_blocks_the_five() -> None:
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["g8", "a1", "c1"], to_move=WHITE)
    assert Engine(hash_bytes=SMALL).play(board, Limit(nodes=1000)).move.text == "l8"
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["a1", "c1", "e1"], to_move=WHITE)
    result = Engine(hash_bytes=SMALL).play(board, Limit(nodes=1000))
    assert result.move.text in ("g8", "l8")
    assert result.info.score.relative == Score(mate=-2)


# --- told to end -----------------------------------------------------------------------------------------------------


def search_until(engine: Engine, end: Callable[[], None], after: float) -> float:
    """Search for a minute and call ``end`` from another thread; returns the seconds that passed between the two."""
    ended = []

    def call() -> None:
        ended.append(time.monotonic())
        end()

    board = Board.from_text(QUIET, origin="top")
    engine.arm()
    timer = threading.Timer(after, call)
    timer.start()
    try:
        move = engine.play(board, Limit(time=60.0), armed=True).move
    finally:
        timer.join()
    assert board.is_legal(move)
    return time.monotonic() - ended[0]


def test_stop_and_set_limit_end_a_search() -> None:
    engine = Engine(hash_bytes=SMALL)
    for after in (0.0, 0.01, 0.3):
        assert search_until(engine, engine.stop, after) < 0.5
        assert search_until(engine, lambda: engine.set_limit(Limit(time=0.0)), after) < 0.5


def test_a_later_limit_lets_the_search_go_on() -> None:
    board = Board.from_text(QUIET, origin="top")
    engine = Engine(hash_bytes=SMALL)
    timer = threading.Timer(0.9, engine.stop)
    timer.start()
    start = time.monotonic()
    engine.play(board, Limit(time=0.4), on_info=lambda _: engine.set_limit(Limit(time=60.0)))
    assert time.monotonic() - start >= 0.8
    timer.join()


def test_a_search_that_is_stopped_before_it_begins_still_moves() -> None:
    board = Board.from_text(QUIET, origin="top")
    engine = Engine(hash_bytes=SMALL)
    for stop in (engine.stop, lambda: engine.set_limit(Limit(time=0.0))):
        engine.arm()
        stop()
        start = time.monotonic()
        assert board.is_legal(engine.play(board, Limit(time=60.0), armed=True).move)
        assert time.monotonic() - start < 1.0
    # An unarmed search does not hear what was said before it.
    engine.stop()
    assert engine.play(board, Limit(depth=4)).info.depth == 4


def test_a_second_thread_is_refused_while_a_search_runs() -> None:
    board = Board.from_text(QUIET, origin="top")
    engine = Engine(hash_bytes=SMALL)
    moves: list[Move] = []
    thread = threading.Thread(target=lambda: moves.append(engine.play(board, Limit(time=60.0)).move))
    thread.start()
    try:
        time.sleep(0.1)
        with pytest.raises(RuntimeError, match="busy"):
            engine.solve(board)
    finally:
        engine.stop()
        thread.join()
    assert board.is_legal(moves[0])


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=1e10, nodes=50),
        Limit(nodes=10**30, depth=2),
        Limit(time=float("inf"), depth=2),
        Limit(time_left=float("inf"), depth=2),
        Limit(depth=10**9, nodes=500),
        Limit(nodes=0),
        Limit(nodes=-5),
        Limit(depth=-1),
        Limit(depth=0, nodes=500),
        Limit(time=-1.0),
    ],
)
def test_odd_limits(limit: Limit) -> None:
    engine = Engine(hash_bytes=SMALL)
    board = Board.from_text("h8i9", origin="top")
    for _ in range(2):
        result = engine.play(board, limit)
        assert board.is_legal(result.move)
        assert limit.depth is None or limit.depth > 100 or result.info.depth == max(1, limit.depth)


# --- scores ----------------------------------------------------------------------------------------------------------


def test_scores_order_and_flip() -> None:
    ordered = [Score(mate=-2), Score(mate=-6), Score(-300), Score(0), Score(40), Score(mate=7), Score(mate=1)]
    assert all(low < high for low, high in itertools.pairwise(ordered))
    assert [-score for score in ordered] == sorted((-score for score in ordered), reverse=True)
    assert all(Score.from_int(score.to_int()) == score for score in ordered)
    assert [str(score) for score in ordered] == ["-M2", "-M6", "-300", "0", "40", "+M7", "+M1"]
    assert len({*ordered, *map(Score.from_int, (0, 40))}) == len(ordered)


def test_the_bands_of_scores_do_not_touch() -> None:
    assert Score.from_int(MATE_BAND) == Score(mate=500)
    assert Score.from_int(MATE_BAND - 1) == Score(MATE_BAND - 1)
    assert Score.from_int(-MATE_BAND) == Score(mate=-500)


def test_scores_belong_to_a_side() -> None:
    score = PovScore(Score(mate=7), WHITE)
    assert (score.white(), score.black()) == (Score(mate=7), Score(mate=-7))
    assert score.pov(BLACK) == score.black()


# --- the time budget -------------------------------------------------------------------------------------------------

AT_ONCE_NS = 10_000_000


TURNS = (None, -1.0, 0.0, 0.001, 0.005, 0.05, 0.3, 1.0, 30.0, 2147483.647, 1e300)
LEFT = (None, -1e9, -5.0, 0.0, 0.001, 0.2, 10.0, 180.0, 2147483.647, float("inf"))
INCREMENTS = (0.0, 0.1, 5.0, -5.0, 1e9)


@pytest.mark.parametrize("turn", TURNS)
def test_the_budget_stays_inside_the_clocks(turn: float | None) -> None:
    """A clock that is set but has run out leaves ten milliseconds, one of 23 days or more is none."""
    for left, increment, empty in itertools.product(LEFT, INCREMENTS, (1, 50, 225, 484)):
        limit = Limit(time=turn, time_left=left, increment=increment)
        clocks = [clock for clock in (turn, left) if clock is not None and clock < UNLIMITED_SECONDS]
        if not clocks:
            assert budget(limit, empty) == (None, None)
            continue
        optimum, maximum = budget(limit, empty)
        assert 0 <= optimum <= maximum, limit
        assert 0 < maximum <= min(clock * 1e9 if clock > 0 else AT_ONCE_NS for clock in clocks), limit


def test_a_turn_uses_nearly_all_of_its_time() -> None:
    for turn in (0.1, 1.0, 30.0):
        assert budget(Limit(time=turn), 225).maximum_ns == turn * 1e9 - margin_ns(int(turn * 1e9))
        assert budget(Limit(time=turn, time_left=1e5), 225).maximum_ns == budget(Limit(time=turn), 225).maximum_ns


def test_the_match_time_counts_where_the_time_left_is_not_told() -> None:
    assert budget(Limit(match_time=100), 225) == budget(Limit(time_left=100), 225)
    assert budget(Limit(match_time=100, time_left=10), 225) == budget(Limit(time_left=10), 225)
    assert budget(Limit(match_time=100), 225).optimum_ns > budget(Limit(match_time=10), 225).optimum_ns


def test_an_increment_allows_more() -> None:
    plain, more = (budget(Limit(time_left=20, increment=seconds), 225) for seconds in (0, 1))
    assert plain.optimum_ns < more.optimum_ns
    assert plain.maximum_ns < more.maximum_ns


@pytest.mark.parametrize("increment", [0.0, 0.5])
@pytest.mark.parametrize(("which", "moves"), [("optimum_ns", 110), ("maximum_ns", 40)])
def test_a_whole_game_fits_its_clock(which: str, moves: int, increment: float) -> None:
    left = 60.0
    for number in range(moves):
        limit = Limit(time=30.0, time_left=left, increment=increment)
        left -= getattr(budget(limit, 225 - 2 * number), which) / 1e9
        assert left > 0.02
        left += increment


def line(move: Move, score: Score) -> Info:
    return Info(9, 12, PovScore(score, BLACK), (move,), 1_000, 0.1)


def test_a_search_that_changes_its_mind_may_take_longer() -> None:
    calm, torn, falling, rising = (Stability() for _ in range(4))
    for number in range(10):
        calm.update(line(Move(7, 7), Score(40)))
        torn.update(line(Move(7, number % 2), Score(40)))
        falling.update(line(Move(7, 7), Score(40 - 60 * number)))
        rising.update(line(Move(7, 7), Score(40 + 60 * number)))
    assert 0 < calm.share < torn.share <= 1.5
    assert calm.share < falling.share <= 1.5
    assert rising.share == calm.share
    falling.update(line(Move(7, 7), Score(mate=-4)))
    assert falling.share <= 1.5


def test_a_first_iteration_changes_nothing() -> None:
    stability = Stability()
    before = stability.share
    stability.update(line(Move(7, 7), Score(mate=-30)))
    assert stability.share < before


# --- threads -------------------------------------------------------------------------------------------------------


MIDDLE_GAME = "h8i9g7j10h10g9i7f8h6h9"


def test_threads_search_together_and_count_all_nodes() -> None:
    board = Board.from_text(MIDDLE_GAME, origin="top")
    alone = Engine(hash_bytes=SMALL).play(board, Limit(depth=9))
    engine = Engine(hash_bytes=SMALL, threads=3)
    together = engine.play(board, Limit(depth=9))
    assert together.info.depth == alone.info.depth == 9
    assert together.move in board.legal_moves
    assert together.info.nodes > engine._team.leader.nodes  # type: ignore[union-attr]


def test_threads_end_with_the_leader() -> None:
    running = threading.active_count()
    engine = Engine(hash_bytes=SMALL, threads=4)
    board = Board.from_text(MIDDLE_GAME, origin="top")
    analysis = engine.analysis(board)
    for lines in analysis:
        assert threading.active_count() == running
        if lines[0].depth >= 8:
            analysis.stop()
    assert threading.active_count() == running


def test_without_more_threads_the_leader_searches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    board = Board.from_text(MIDDLE_GAME, origin="top")
    alone = Engine(hash_bytes=SMALL).play(board, Limit(depth=8))
    monkeypatch.setattr(threading.Thread, "start", refuse)
    result = Engine(hash_bytes=SMALL, threads=3).play(board, Limit(depth=8))
    assert (result.move, result.info.nodes) == (alone.move, alone.info.nodes)


def test_a_stop_ends_all_threads() -> None:
    engine = Engine(hash_bytes=SMALL, threads=3)
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    result = engine.play(Board.from_text(MIDDLE_GAME, origin="top"), Limit())
    timer.join()
    assert result.info.depth >= 1


def test_a_node_limit_holds_for_all_threads_together() -> None:
    engine = Engine(hash_bytes=SMALL, threads=2)
    result = engine.play(Board.from_text(MIDDLE_GAME, origin="top"), Limit(nodes=60_000))
    assert result.info.nodes <= 120_000  # a helper stops with its leader, not by count


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_find_the_same_proof(threads: int) -> None:
    board = Board.from_text("h8a1i9a3j10a5", origin="top")
    result = Engine(hash_bytes=SMALL, threads=threads).play(board, Limit(nodes=50_000))
    assert str(result.info.score.relative) == "+M3"


def test_threads_can_be_changed_between_searches() -> None:
    engine = Engine(hash_bytes=SMALL)
    board = Board.from_text(MIDDLE_GAME, origin="top")
    first = engine.play(board, Limit(depth=7))
    engine.configure({"thread_num": 3})
    assert engine.threads == 3
    engine.play(board, Limit(depth=7))
    engine.threads = 1
    engine.new_game()
    again = engine.play(board, Limit(depth=7))
    assert (again.move, again.info.nodes) == (first.move, first.info.nodes)
