"""The public board: every method as documented, every refusal with its reason and without a trace."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from gomoku import (
    BLACK,
    WHITE,
    Board,
    Color,
    Foul,
    IllegalMoveError,
    InvalidPositionError,
    Move,
    Rule,
    Termination,
)
from gomoku.types import WALL
from support import RenjuCase, WinningCase, renju_cases, winning_cases


@pytest.mark.parametrize("case", winning_cases(), ids=lambda case: case.id)
def test_winning_table(case: WinningCase) -> None:
    mine, theirs = case.mover, case.opponent
    black, white = (mine, theirs) if case.color is BLACK else (theirs, mine)
    board = Board.from_stones(black, white, to_move=case.color, rule=case.rule)
    assert board.outcome() is None
    board.push_unchecked(case.move)
    outcome = board.outcome()
    if case.verdict == "1":
        assert outcome.winner is case.color
        assert case.move in outcome.line
    elif case.verdict == "F":
        assert (outcome.winner, outcome.termination) == (WHITE, Termination.FOUL)
    else:
        assert outcome is None
    board._check()


@pytest.mark.parametrize("case", renju_cases(), ids=lambda case: case.id)
@pytest.mark.parametrize("symmetry", range(8))
def test_renju_table(case: RenjuCase, symmetry: int) -> None:
    stones = Board.from_stones([case.move, *case.black], case.white, to_move=BLACK, rule=Rule.RENJU).transform(symmetry)
    move = stones.move_stack[0]
    board = Board.from_stones(stones.stones(BLACK)[1:], stones.stones(WHITE), to_move=BLACK, rule=Rule.RENJU)
    key = board.key
    assert board.foul(move) is case.foul
    assert board.is_legal(move) is (case.foul is Foul.NONE)
    assert board.key == key
    board._check()
    board.push_unchecked(move)
    outcome = board.outcome()
    if case.foul:
        assert outcome.foul is case.foul
        assert outcome.winner is WHITE
    else:
        assert (outcome is not None) is case.wins


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(("width", "height"), [(5, 5), (15, 15), (22, 22), (6, 9)])
def test_every_five_through_every_gap_wins(width: int, height: int, rule: Rule) -> None:
    for color in Color:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            for y in range(height):
                for x in range(width):
                    line = [Move(x + i * dx, y + i * dy) for i in range(5)]
                    if not (0 <= line[-1].x < width and 0 <= line[-1].y < height):
                        continue
                    gap = (x + y) % 5
                    stones = [*line[:gap], *line[gap + 1 :]]
                    black, white = (stones, []) if color is BLACK else ([], stones)
                    board = Board.from_stones(black, white, to_move=color, width=width, height=height, rule=rule)
                    board.push(line[gap])
                    assert board.outcome().winner is color
                    assert set(board.outcome().line) == set(line)


def refusal(board: Board, move: object) -> str:
    """What push says; checks that nothing has changed."""
    before = (board.key, board.ply, board.turn, str(board))
    with pytest.raises(IllegalMoveError) as caught:
        board.push(move)
    assert (board.key, board.ply, board.turn, str(board)) == before
    board._check()
    assert caught.value.move == move
    return caught.value.reason


@pytest.mark.parametrize(
    ("move", "word"),
    [("h8", "occupied"), ((7, 7), "occupied"), (7 * 15 + 7, "occupied"), ("p1", "not on a board"), ("h0", "not on"),
     ("h16", "not on"), ((15, 0), "not on"), ((-1, 3), "not on"), (225, "not on"), (-1, "not on"), ("", "not a point"),
     ("8h", "not a point"), (None, ""), ((1, 2, 3), ""), (("a", "b"), ""), ((10**30, 0), "")],
)  # fmt: skip
def test_push_refuses_and_names_the_reason(move: object, word: str) -> None:
    board = Board(15)
    board.push("h8")
    assert word in refusal(board, move)


def test_nothing_is_legal_after_the_end() -> None:
    board = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
    assert board.is_game_over()
    assert list(board.legal_moves) == []
    assert not board.legal_moves
    assert refusal(board, "o15") == "the game is over"
    board.push_unchecked("o15")
    assert board.outcome().winner is BLACK
    board.pop()
    board.pop()
    assert board.outcome() is None
    assert len(board.legal_moves) == 225 - 8


def test_moves_as_text_pair_index_and_move() -> None:
    boards = [Board(20, 10) for _ in range(4)]
    played = [board.push(move) for board, move in zip(boards, ("c2", (2, 1), 22, Move(2, 1)), strict=True)]
    assert played == [Move(2, 1)] * 4
    assert len({board.key for board in boards}) == 1


def test_text_round_trip_and_origin() -> None:
    board = Board.from_text("a1 b2,c3", origin="bottom", width=9)
    assert board.move_stack == [Move(0, 8), Move(1, 7), Move(2, 6)]
    assert board.text(origin="bottom") == "a1b2c3"
    assert board.text(origin="top") == "a9b8c7"
    assert Board.from_text(board.text(origin="top"), origin="top", width=9) == board
    with pytest.raises(ValueError, match="origin"):
        board.text(origin="left")


def test_push_text_plays_all_or_nothing() -> None:
    board = Board(15)
    with pytest.raises(IllegalMoveError):
        board.push_text("h8i9h8")
    assert board.ply == 0
    assert board.push_text("h8i9") == [Move(7, 7), Move(8, 8)]


def test_text_of_stones_out_of_turn_is_refused() -> None:
    board = Board.from_stones(["a1", "b1", "c1"], [], to_move=WHITE)
    with pytest.raises(InvalidPositionError):
        board.text(origin="top")


@pytest.mark.parametrize(
    ("black", "white", "options", "word"),
    [
        (["a1"], ["a1"], {}, "twice"),
        (["a1", "b1"], [], {}, "to_move"),
        (["p1"], [], {}, "p1"),
        ([(x, 0) for x in range(5)], [(x, 1) for x in range(5)], {}, "both sides"),
        (["a1"], [], {"walls": ["a1"]}, "twice"),
    ],
)
def test_impossible_set_ups(black: list, white: list, options: dict, word: str) -> None:
    with pytest.raises(InvalidPositionError, match=word):
        Board.from_stones(black, white, **options)


def test_from_history_lets_the_first_five_win() -> None:
    stones = [((x, 0), BLACK) for x in range(5)] + [((x, 1), WHITE) for x in range(5)]
    assert Board.from_history(stones, to_move=BLACK).outcome().winner is BLACK
    assert Board.from_history(stones[::-1], to_move=BLACK).outcome().winner is WHITE


def test_walls_block_both_sides_and_are_no_caro_block() -> None:
    board = Board.from_stones(
        [(3, 7), (4, 7), (5, 7), (6, 7)], [], to_move=BLACK, walls=[(2, 7), (8, 7)], rule=Rule.CARO
    )
    assert board.stone((2, 7)) == WALL
    assert board.walls() == [Move(2, 7), Move(8, 7)]
    assert refusal(board, (2, 7)) == "the point is occupied"
    board.push((7, 7))
    assert board.outcome().winner is BLACK


def test_full_board_is_a_draw_and_a_five_beats_it() -> None:
    draw = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxoo."]
    cells = {(x, y): cell for y, row in enumerate(draw) for x, cell in enumerate(row)}
    black = [point for point, cell in cells.items() if cell == "x"]
    white = [point for point, cell in cells.items() if cell == "o"]
    board = Board.from_stones(black, white, to_move=BLACK, width=5)
    board.push((4, 4))
    assert board.outcome() == (None, Termination.FULL_BOARD, (), Foul.NONE)
    win = Board.from_stones(
        [p for p in black if p[0] != 4] + [(4, y) for y in range(4)],
        [p for p in white if p[0] != 4], to_move=BLACK, width=5,
    )  # fmt: skip
    win.push((4, 4))
    assert win.empty == 0
    assert win.outcome().winner is BLACK


@pytest.mark.parametrize(("width", "height"), [(15, 15), (6, 9)])
def test_symmetries(width: int, height: int) -> None:
    rng = random.Random(1)
    board = Board(width, height, rule=Rule.RENJU)
    for _ in range(12):
        board.push_unchecked(rng.choice(list(board.legal_moves)))
    seen = [board.transform(index) for index in range(8)]
    for index, other in enumerate(seen):
        other._check()
        assert other.turn is board.turn
        same_size = (other.width, other.height) == (board.width, board.height)
        assert same_size == (width == height or index < 4)
        if same_size:
            assert other.canonical_key == board.canonical_key
    assert len({other.key for other in seen}) == 8
    assert board.transform(0) == board
    assert board.transform(3).transform(3) == board
    with pytest.raises(ValueError, match="8"):
        board.transform(8)


def test_keys_tell_rule_size_and_turn_apart() -> None:
    keys = {Board(size, rule=rule).key for size in (15, 20) for rule in Rule}
    assert len(keys) == 10
    assert Board.from_stones([], [], to_move=WHITE).key != Board(15).key


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_are_equal_and_independent(duplicate) -> None:
    board = Board.from_stones(["h8", "h9"], ["i8"], to_move=BLACK, walls=["a1"], rule=Rule.CARO)
    other = duplicate(board)
    assert other == board
    assert (other.key, other.move_stack, other.rule) == (board.key, board.move_stack, board.rule)
    other.push("j8")
    assert other != board
    assert board.stone("j8") is None
    other._check()


@pytest.mark.parametrize(("width", "height"), [(4, 15), (15, 23), (0, 5), (-3, 5), (2**40, 15)])
def test_impossible_sizes(width: int, height: int) -> None:
    with pytest.raises(ValueError, match="5 to 22"):
        Board(width, height)


def test_empty_history() -> None:
    board = Board(15)
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    with pytest.raises(TypeError):
        hash(board)


def test_a_set_up_five_stays_won_until_it_is_popped() -> None:
    board = Board.from_stones([(x, 0) for x in range(5)], [(x, 14) for x in (0, 2, 4, 6, 8)], to_move=BLACK)
    board.pop()
    assert board.outcome().winner is BLACK
    board.pop()
    assert board.outcome() is None


@pytest.mark.parametrize("move", [(1.5, 2), {3, 4}, 2.0, (True, None)])
def test_only_whole_numbers_make_a_point(move: object) -> None:
    refusal(Board(15), move)


def test_numbers_of_numpy_make_a_point() -> None:
    numpy = pytest.importorskip("numpy")
    assert Board(15).push(numpy.int64(16)) == Board(15).push((numpy.int8(1), numpy.int64(1))) == (1, 1)
