"""Balanced stones and the choices of swap2, with made-up opinions and with the engine's."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator

import pytest

from gomoku import BLACK, WHITE, Board, Foul, GomokuError, Move, Rule
from gomoku.engine import Engine
from gomoku.info import Info, Limit, PovScore, Score
from gomoku.opening import Balanced, Judge, balance, swap2

Opinion = Callable[[Board], list[int]]
NO_LIMIT = Limit()


def never() -> bool:
    return False


def judge(opinion: Opinion, limit: Limit = NO_LIMIT, is_over: Callable[[], bool] = never) -> Judge:
    """A judge whose searches yield these values for the side to move, one an iteration, the last one over and over."""

    def search(board: Board, share: Limit) -> Iterator[list[Info]]:
        values = opinion(board)
        best = next(iter(board.legal_moves))
        for depth in range(1, (share.depth or 20) + 1):
            score = PovScore(Score(values[min(depth, len(values)) - 1]), board.turn)
            yield [Info(depth, depth, score, (best,), nodes=10 * depth, time=0.0)]

    return Judge(search, is_over, limit)


def pushed(board: Board, moves: tuple[Move, ...]) -> Board:
    """The position after legal moves."""
    board = board.copy()
    for move in moves:
        board.push(move)
    return board


def balanced(board: Board, stones: int) -> Balanced:
    """What the engine finds in a short time."""
    return balance(Engine(hash_bytes=1 << 20).judge(Limit(nodes=1_500)), board, stones)


def x_of_last(board: Board) -> list[int]:
    """For the side to move a stone is the better the further left the last stone stands."""
    return [100 - 10 * board.peek().x]


@pytest.mark.parametrize(("bias", "column"), [(0, 10), (-60, 4), (30, 13), (-(10**12), 0), (10**12, 14)])
def test_one_stone_reaches_the_wanted_value_for_the_side_that_puts_it(bias: int, column: int) -> None:
    board = Board.from_text("h8i9", origin="top")
    (move,) = balance(judge(x_of_last), board, 1, bias).moves
    assert move.x == column


@pytest.mark.parametrize(("bias", "column"), [(0, 10), (60, 4), (-30, 13)])
def test_two_stones_reach_the_wanted_value_for_the_side_that_puts_the_first(bias: int, column: int) -> None:
    board = Board.from_text("h8i9", origin="top")
    moves = balance(judge(x_of_last), board, 2, bias).moves
    assert moves[1].x == column
    assert pushed(board, moves).ply == 4


def test_a_value_that_the_last_iterations_agree_on_is_preferred() -> None:
    def opinion(board: Board) -> list[int]:
        steady = board.peek().x % 2 == 0
        return [0] if steady else [0, *[0, 400] * 10]

    (move,) = balance(judge(opinion), Board.from_text("h8i9", origin="top"), 1).moves
    assert move.x % 2 == 0


def test_deeper_searches_correct_the_first_impression() -> None:
    even = [Move(x, 3) for x in range(4)]

    def opinion(board: Board) -> list[int]:
        flattered = board.peek().y == 5
        return [0, 0, 300] if flattered else [1] if board.peek() in even else [200]

    assert balance(judge(opinion), Board.from_text("h8i9", origin="top"), 1).moves[0] in even


def test_the_nodes_are_shared_by_all_searches() -> None:
    searched = []

    def opinion(board: Board) -> list[int]:
        searched.append(board)
        return [0]

    limited = judge(opinion, Limit(nodes=100))
    balance(limited, Board.from_text("h8i9", origin="top"), 1)
    assert len(searched) == 10
    assert limited.over


def test_a_search_never_gets_more_nodes_than_are_left() -> None:
    shares = []

    def search(board: Board, share: Limit) -> Iterator[list[Info]]:
        shares.append(share.nodes)
        yield [Info(1, 1, PovScore(Score(0), board.turn), (next(iter(board.legal_moves)),), 700, 0.0)]

    limited = Judge(search, never, Limit(nodes=1_200))
    for _ in range(3):
        limited.look(Board(), 1)
    assert shares == [1_000, 500, 1]


def test_an_end_before_the_first_value_still_gives_stones() -> None:
    board = Board.from_text("h8i9", origin="top")
    found = balance(judge(lambda _: [0], is_over=lambda: True), board, 2)
    assert found.depth == 0
    pushed(board, found.moves)


def test_depth_is_never_more_than_asked_for() -> None:
    depths = set()

    def search(board: Board, share: Limit) -> Iterator[list[Info]]:
        depths.add(share.depth)
        yield [Info(1, 1, PovScore(Score(0), board.turn), (next(iter(board.legal_moves)),), 1, 0.0)]

    balance(Judge(search, never, Limit(depth=3)), Board(), 2)
    assert depths == {1, 2, 3}


def test_stones_that_end_the_game_are_worth_a_win() -> None:
    board = Board.from_text("h8a1i8a3j8a5k8a7", origin="top")
    (move,) = balance(judge(lambda _: [0]), board, 1, 30_000).moves
    assert move.text in ("g8", "l8")


def test_a_finished_game_and_walls_are_no_obstacle() -> None:
    over = Board.from_text("h8a1i8a3j8a5k8a7l8", origin="top")
    moves = balanced(over, 2).moves
    assert all(over.stone(move) is None for move in moves)
    walled = Board.from_stones(["a1"], ["b2"], walls=[(x, y) for x in range(5) for y in range(2, 5)], width=5)
    (move,) = balanced(walled, 1).moves
    assert walled.stone(move) is None


def test_too_few_points() -> None:
    cells = [(x, y) for y in range(5) for x in range(5)]
    full = Board.from_history(
        [(cell, BLACK if sum(cell) % 2 else WHITE) for cell in cells[:-1]], to_move=BLACK, width=5
    )
    assert balanced(full, 1).moves == (Move(4, 4),)
    with pytest.raises(GomokuError, match="no way to put 2 more stones"):
        balanced(full, 2)


def test_black_never_balances_on_a_forbidden_point() -> None:
    board = Board.from_text("f8a1g8a15h9o1h10o15", origin="top", rule=Rule.RENJU)
    assert board.foul("h8") == Foul.DOUBLE_THREE

    def longing(position: Board) -> list[int]:
        return [0] if position.stone("h8") is not None else [500]

    assert balance(judge(longing), board, 1).moves != (Move(7, 7),)
    moves = balance(judge(longing), pushed(board, (Move(0, 5),)), 2).moves
    assert moves[0] == Move(7, 7) or Move(7, 7) not in moves  # white may


@pytest.mark.parametrize("rule", [Rule.STANDARD, Rule.RENJU, Rule.CARO])
@pytest.mark.parametrize("size", [(5, 5), (6, 6), (7, 22), (15, 15), (22, 22)])
def test_every_answer_is_legal(size: tuple[int, int], rule: Rule) -> None:
    engine = Engine(hash_bytes=1 << 20)
    board = Board(*size, rule=rule)
    offer = engine.swap2(board, Limit(nodes=1_500))
    assert len(offer.moves) == 3
    three = pushed(board, offer.moves)
    answer = engine.swap2(three, Limit(nodes=1_500))
    assert answer.swap != bool(answer.moves)
    five = pushed(three, balanced(three, 2).moves)
    last = engine.swap2(five, Limit(nodes=1_500))
    assert len(last.moves) == (0 if last.swap else 1)
    for position, choice in ((three, answer), (five, last)):
        pushed(position, choice.moves)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(5, 23))
def test_offers_on_all_sizes(size: int) -> None:
    engine = Engine(hash_bytes=1 << 20)
    for rule in Rule:
        board = Board(size, rule=rule)
        for limit in (Limit(time=0.0), Limit(time=0.2), Limit(nodes=5_000)):
            pushed(board, engine.swap2(board, limit).moves)


def test_offers_stand_near_the_middle_and_differ() -> None:
    offers = {swap2(judge(lambda _: [0]), Board(), random.Random(seed)).moves for seed in range(8)}
    assert len(offers) == 8
    assert all(3 <= move.x <= 11 and 3 <= move.y <= 11 for offer in offers for move in offer)


THREE = Board.from_text("h8i9j7", origin="top")


def by_ply(three: list[int], five: list[int]) -> Judge:
    return judge(lambda board: three if board.ply == 3 else five)


def test_three_stones_the_better_colour_is_taken() -> None:
    assert swap2(by_ply([-50], [0]), THREE).swap
    assert len(swap2(by_ply([50], [0]), THREE).moves) == 1


def test_three_stones_an_unclear_value_is_answered_with_a_clear_one() -> None:
    unclear = [*[0] * 9, -200, 300, 100]
    assert len(swap2(by_ply(unclear, [10]), THREE).moves) == 2
    assert len(swap2(by_ply(unclear, [250]), THREE).moves) == 1
    unclear[-1] = -100
    assert swap2(by_ply(unclear, [250]), THREE).swap


def test_three_stones_a_counter_offer_must_be_known_as_well_as_the_offer() -> None:
    unclear = [*[0] * 9, -200, 300, 100]
    # The limit ends the search for two stones before it gets deep.
    limit = Limit(nodes=10 * 12 + 10 * 60)
    hasty = judge(lambda board: unclear if board.ply == 3 else [10], limit)
    assert len(swap2(hasty, THREE).moves) == 1


def test_five_stones() -> None:
    five = pushed(THREE, (Move(0, 0), Move(1, 1)))
    assert swap2(by_ply([0], [-1]), five).swap
    assert len(swap2(by_ply([0], [1]), five).moves) == 1


@pytest.mark.parametrize("stones", ["h8", "h8i9", "h8i9j7a1", "h8i9j7a1b1c1"])
def test_other_numbers_of_stones(stones: str) -> None:
    with pytest.raises(ValueError, match="swap2 asks with 0, 3 or 5 stones"):
        Engine(hash_bytes=1 << 20).swap2(Board.from_text(stones, origin="top"), Limit(nodes=1))


@pytest.mark.parametrize(("stones", "takes_black"), [("h8a1i8", True), ("a1h8o15", False)])
def test_the_engine_sees_who_is_better_off(stones: str, takes_black: bool) -> None:
    board = Board.from_text(stones, origin="top")
    assert Engine(hash_bytes=1 << 20).swap2(board, Limit(nodes=20_000)).swap is takes_black


@pytest.mark.parametrize("stones", ["", "h8i9j7", "h8i9j7f9j9"])
def test_stop_ends_a_question_of_the_opening(stones: str) -> None:
    engine = Engine(hash_bytes=1 << 20)
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    choice = engine.swap2(Board.from_text(stones, origin="top"), Limit(time=3600.0))
    timer.join()
    assert choice.swap != bool(choice.moves)


def test_a_new_limit_ends_a_balance_search() -> None:
    engine = Engine(hash_bytes=1 << 20)
    timer = threading.Timer(0.2, engine.set_limit, [Limit(time=0.0)])
    timer.start()
    assert len(balance(engine.judge(Limit(time=3600.0)), Board(), 2).moves) == 2
    timer.join()


def test_hash_usage() -> None:
    engine = Engine(hash_bytes=1 << 20)
    assert engine.hash_permille == 0
    engine.play(Board.from_text("h8i9j7", origin="top"), Limit(nodes=50_000))
    assert 0 < engine.hash_permille <= 1000
    engine.new_game()
    assert engine.hash_permille == 0
