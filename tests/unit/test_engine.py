"""The engine: right moves, legal moves, repeatable moves, and an end when it is told."""

from __future__ import annotations

import itertools
import random
import threading
import time

import pytest

from gomoku import BLACK, WHITE, Board, Color, GomokuError, Rule
from gomoku.bench import run, summarise
from gomoku.engine import Engine, Limit
from gomoku.info import PovScore, Score
from gomoku.timeman import budget

SMALL = 4 << 20

# The public compliance positions: engine to move, accepted answers.
COMPLIANCE = [
    *((rule, "h8h9i8i9j8j9k8k9", {"g8", "l8"}) for rule in Rule),
    (Rule.STANDARD, "h8h9i8h10g8h11j13h12g14h14i15", {"f8", "j8"}),
    (Rule.CARO, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
]
LIMITS = [Limit(nodes=1), Limit(time=0.2), pytest.param(Limit(time=5.0), marks=pytest.mark.slow)]


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("rule", "text", "answers"), COMPLIANCE)
def test_compliance(rule: Rule, text: str, answers: set[str], limit: Limit) -> None:
    board = Board.from_text(text, origin="top", rule=rule)
    assert Engine(hash_bytes=SMALL).play(board, limit).move.text in answers


@pytest.mark.parametrize("limit", LIMITS)
def test_compliance_renju(limit: Limit) -> None:
    board = Board.from_text("h8h9i7i9h10i6i11i12", origin="top", rule=Rule.RENJU)
    move = Engine(hash_bytes=SMALL).play(board, limit).move
    assert move.text != "g9"
    assert board.is_legal(move)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("opening", ["b2e2e3", "b14e14e13"])
def test_plays_itself_without_fault(rule: Rule, opening: str) -> None:
    board = Board.from_text(opening, origin="top", rule=rule)
    engine = Engine(hash_bytes=SMALL)
    while not board.is_game_over() and board.ply < 80:
        board.push(engine.play(board, Limit(nodes=1500)).move)
    board._check()


@pytest.mark.parametrize("rule", Rule)
def test_moves_are_legal_on_random_boards(rule: Rule) -> None:
    rng = random.Random(int(rule))
    engine = Engine(hash_bytes=SMALL)
    for _ in range(60):
        width, height = rng.randint(5, 22), rng.randint(5, 22)
        board = Board(width, height, rule=rule)
        for _ in range(rng.randint(0, width * height * 2 // 3)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
            if board.is_game_over():
                board.pop()
                break
        if board.legal_moves:
            move = engine.play(board, Limit(nodes=rng.choice((1, 50, 500)))).move
            assert board.is_legal(move), f"{board}\n{move}"


def test_black_with_forbidden_points_only_still_moves() -> None:
    """The only empty points that are not walls complete an overline, so black has no legal move."""
    row = [(0, 4), (1, 4), (2, 4), (4, 4), (5, 4)]
    walls = [(x, y) for x in range(9) for y in range(9) if (x, y) not in {*row, (3, 4)}]
    board = Board.from_stones(row, [], to_move=BLACK, walls=walls, width=9, rule=Rule.RENJU)
    assert list(board.legal_moves) == []
    assert Engine(hash_bytes=SMALL).play(board, Limit(nodes=100)).move == (3, 4)


def test_last_point_and_full_board() -> None:
    rows = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxoo."]
    cells = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row)}
    board = Board.from_stones(
        [p for p, c in cells.items() if c == "x"], [p for p, c in cells.items() if c == "o"], to_move=BLACK, width=5
    )
    engine = Engine(hash_bytes=SMALL)
    move = engine.play(board, Limit(nodes=100)).move
    assert move == (4, 4)
    board.push(move)
    with pytest.raises(GomokuError, match="full"):
        engine.play(board, Limit(nodes=100))


@pytest.mark.parametrize("limit", [Limit(nodes=20_000), Limit(depth=7)])
@pytest.mark.parametrize("rule", Rule)
def test_nodes_and_depth_are_repeatable(rule: Rule, limit: Limit) -> None:
    board = Board.from_text("h8i9g7j10h10", origin="top", rule=rule)
    engine = Engine(hash_bytes=SMALL)
    results = []
    for _ in range(2):
        result = engine.play(board, limit)
        results.append((result.info.pv, result.info.nodes, str(result.info.score.relative), result.info.depth))
        engine.new_game()
    assert results[0] == results[1]


def test_multipv_gives_distinct_moves_in_order() -> None:
    board = Board.from_text("h8i9g7j10h10", origin="top")
    lines = Engine(hash_bytes=SMALL).analyse(board, Limit(depth=5), multipv=4)
    assert [info.multipv for info in lines] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in lines}) == 4
    scores = [info.score.relative for info in lines]
    assert scores == sorted(scores, reverse=True)


def test_stop_and_set_limit_end_a_search() -> None:
    board = Board.from_text("h8i9g7j10h10", origin="top")
    for end in (Engine.stop, lambda engine: engine.set_limit(Limit(time=0.0))):
        engine = Engine(hash_bytes=SMALL)
        timer = threading.Timer(0.2, end, [engine])
        timer.start()
        start = time.monotonic()
        move = engine.play(board, Limit(time=60.0)).move
        timer.join()
        assert time.monotonic() - start < 1.0
        assert board.is_legal(move)


def test_analysis_can_be_left_and_started_again() -> None:
    board = Board.from_text("h8i9g7", origin="top")
    engine = Engine(hash_bytes=SMALL)
    for lines in engine.analysis(board):
        if lines[0].depth == 3:
            break
    assert engine.play(board, Limit(nodes=1000)).move in board.legal_moves


@pytest.mark.parametrize(
    ("text", "plies"),
    [("h8h9i8i9j8j9k8k9", 1), ("h8a1i9a3j10a5", 3), ("h8g10j7g8g9i9f6i6", None)],
)
def test_a_mate_comes_with_its_whole_line(text: str, plies: int | None) -> None:
    board = Board.from_text(text, origin="top")
    info = Engine(hash_bytes=SMALL).play(board, Limit(nodes=200_000)).info
    assert info.score.relative.mate is not None
    assert info.score.relative.mate > 0
    assert plies in (None, info.score.relative.mate)
    assert len(info.pv) == info.score.relative.mate
    for move in info.pv:
        board.push(move)
    assert board.outcome().winner is BLACK


def test_a_lost_position_still_blocks_the_five() -> None:
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["g8", "a1", "c1"], to_move=WHITE)
    assert Engine(hash_bytes=SMALL).play(board, Limit(nodes=1000)).move.text == "l8"
    board = Board.from_stones(["h8", "i8", "j8", "k8"], ["a1", "c1", "e1"], to_move=WHITE)
    result = Engine(hash_bytes=SMALL).play(board, Limit(nodes=1000))
    assert result.move.text in ("g8", "l8")
    assert result.info.score.relative == Score(mate=-2)


def test_scores_order_and_flip() -> None:
    ordered = [Score(mate=-2), Score(mate=-6), Score(-300), Score(0), Score(40), Score(mate=7), Score(mate=1)]
    assert all(low < high for low, high in itertools.pairwise(ordered))
    assert [-score for score in ordered] == sorted((-score for score in ordered), reverse=True)
    assert all(Score.from_int(score.to_int()) == score for score in ordered)
    assert PovScore(Score(mate=7), Color.WHITE).black() == Score(mate=-7)


@pytest.mark.parametrize("turn", [0.0, 0.05, 0.3, 1.0, 30.0])
@pytest.mark.parametrize("left", [None, -5.0, 0.0, 0.2, 10.0, 180.0, 2147483.647])
def test_budget_stays_inside_the_clocks(turn: float, left: float | None) -> None:
    for empty in (1, 50, 225, 484):
        optimum, maximum = budget(Limit(time=turn, time_left=left), empty)
        assert 0 <= optimum <= maximum
        assert maximum <= max(turn * 1e9, 10e6)
        if left is not None:
            assert maximum <= max(left * 1e9, 10e6)


@pytest.mark.parametrize(("which", "moves"), [("optimum_ns", 110), ("maximum_ns", 40)])
def test_a_whole_game_fits_its_clock(which: str, moves: int) -> None:
    left = 60.0
    for number in range(moves):
        left -= getattr(budget(Limit(time=30.0, time_left=left), 225 - 2 * number), which) / 1e9
        assert left > 0.02


def test_bench_is_repeatable() -> None:
    first, second = (summarise(list(run(-5))) for _ in range(2))
    assert first[:2] == second[:2]
    assert first.nodes > 1000


@pytest.mark.parametrize(
    "limit", [Limit(time=1e10, nodes=50), Limit(nodes=10**30, depth=2), Limit(time=float("inf"), depth=2)]
)
def test_huge_limits_are_no_limits(limit: Limit) -> None:
    engine = Engine(hash_bytes=SMALL)
    board = Board.from_text("h8i9", origin="top")
    for _ in range(2):
        assert board.is_legal(engine.play(board, limit).move)


def test_budget_of_short_turns_and_odd_increments() -> None:
    assert budget(Limit(time=0.005, time_left=100), 200).maximum_ns == 5_000_000
    assert (
        budget(Limit(time=0.0), 200).maximum_ns == budget(Limit(time=0.0, time_left=100), 200).maximum_ns == 10_000_000
    )
    assert budget(Limit(time=1, time_left=10, increment=-5), 200).optimum_ns > 0


def test_unfinished_lines_have_no_scores_of_their_own() -> None:
    board = Board.from_text("h3h2c7f7e7c8", origin="top", width=9, rule=Rule.RENJU)
    lines = Engine(hash_bytes=SMALL).analyse(board, Limit(nodes=300), multipv=3)
    assert all(abs(info.score.relative.to_int()) <= 30_000 for info in lines)


def test_several_lines_do_not_search_behind_a_five() -> None:
    text = "b3f7g7f3h4c3e7e4b7g6f8c5e2d3b6f4b5f5c7e3c6d2h7"
    board = Board.from_text(text, origin="top", width=9, rule=Rule.CARO)
    info = Engine(hash_bytes=SMALL).play(board, Limit(nodes=3000), multipv=3).info
    assert (str(info.score.relative), len(info.pv)) == ("+M1", 1)


@pytest.mark.parametrize(
    ("text", "plies"),
    [("h5f4f3g4e4b7c8e6d3e5b2g5b5f6d4c5f8", 3), ("g5d6h6g4e3f6h8b3b6b8g6h4f5b5g3e7f7g8c8d4c6", 5)],
)
def test_a_four_that_black_may_not_answer_comes_with_its_whole_line(text: str, plies: int) -> None:
    board = Board.from_text(text, origin="top", width=9, rule=Rule.RENJU)
    info = Engine(hash_bytes=SMALL).play(board, Limit(nodes=30_000)).info
    assert info.score.relative.mate == len(info.pv) == plies
    for move in info.pv:
        board.push(move)
    assert board.outcome().winner is WHITE
