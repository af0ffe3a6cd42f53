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
from gomoku.reference import foul, winning_line
from gomoku.types import WALL
from support import RenjuCase, WinningCase, all_fives, random_game, renju_cases, slow_twin, winning_cases


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


def with_five_but_one(line: tuple[Move, ...], gap: Move, color: Color, **options) -> Board:
    """A board that holds a line of five without one stone, its colour to move."""
    stones = [move for move in line if move != gap]
    black, white = (stones, []) if color is BLACK else ([], stones)
    return Board.from_stones(black, white, to_move=color, **options)


def check_five(board: Board, gap: Move, line: tuple[Move, ...]) -> None:
    """Filling the gap wins at once with this very line, and taking the stone back undoes it."""
    color, key = board.turn, board.key
    assert board.outcome() is None
    board.push(gap)
    assert board.outcome() == (color, Termination.FIVE, line, Foul.NONE)
    assert board.is_game_over()
    board.pop()
    assert (board.outcome(), board.key) == (None, key)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(("width", "height"), [(5, 5), (15, 15), (6, 9)])
def test_every_five_through_every_gap_wins(width: int, height: int, rule: Rule) -> None:
    for line in all_fives(width, height):
        for number, gap in enumerate(line):
            color = Color(number % 2 + 1)
            check_five(with_five_but_one(line, gap, color, width=width, height=height, rule=rule), gap, line)


@pytest.mark.parametrize("width", range(5, 23))
def test_every_five_wins_on_boards_of_every_size(width: int) -> None:
    height, rule = 27 - width, list(Rule)[width % 5]
    for number, line in enumerate(all_fives(width, height)):
        gap, color = line[number % 5], Color(number % 2 + 1)
        check_five(with_five_but_one(line, gap, color, width=width, height=height, rule=rule), gap, line)


def test_the_line_of_a_longer_row_is_all_of_it() -> None:
    row = [Move(x, 3) for x in range(2, 9)]
    board = with_five_but_one(tuple(row), row[3], WHITE, rule=Rule.RENJU)
    board.push(row[3])
    assert board.outcome().line == tuple(row)


# --- refusals --------------------------------------------------------------------------------------------------------


def everything(board: Board) -> tuple[object, ...]:
    """All that a board tells about itself."""
    return (
        *(board.width, board.height, board.rule, board.turn, board.ply, board.empty, board.key, board.canonical_key),
        *(board.move_stack, board.stones(BLACK), board.stones(WHITE), board.walls(), list(board.legal_moves)),
        *(board.is_game_over(), board.outcome(), str(board), repr(board)),
    )


def refusal(board: Board, move: object, method: str = "push") -> str:
    """What a method says about a point it does not take; checks that nothing has changed."""
    before = everything(board)
    with pytest.raises(IllegalMoveError) as caught:
        getattr(board, method)(move)
    assert everything(board) == before
    board._check()
    assert caught.value.move is move
    assert str(caught.value) == f"illegal move {move}: {caught.value.reason}"
    return caught.value.reason


@pytest.mark.parametrize("method", ["push", "push_unchecked", "foul", "stone"])
@pytest.mark.parametrize(
    ("move", "word"),
    [("p1", "not on a board of 15 columns"), ("h0", "not on"), ("h16", "not on"), ("15,0", "not on"),
     ((15, 0), "not on a board of 15 x 12"), ((0, 12), "not on"), ((-1, 3), "not on"), (180, "not on"), (-1, "not on"),
     ((10**30, 0), ""), ("", "not a point"), ("8h", "not a point"), (None, ""), ((), ""), ((1,), ""), ((1, 2, 3), ""),
     (("a", "b"), ""), ((1.5, 2), ""), ((True, None), ""), (2.0, ""), ({3, 4}, ""), (b"h8", "")],
)  # fmt: skip
def test_what_is_no_point_of_the_board_is_refused_and_named(move: object, word: str, method: str) -> None:
    board = Board(15, 12)
    board.push("h8")
    assert word in refusal(board, move, method)
    assert not board.is_legal(move)
    assert move not in board.legal_moves


@pytest.mark.parametrize("method", ["push", "push_unchecked", "foul"])
@pytest.mark.parametrize("move", ["h8", "H8", " h8 ", "7,7", (7, 7), [7, 7], 7 * 15 + 7, Move(7, 7), "a1"])
def test_a_stone_or_a_wall_is_in_the_way(move: object, method: str) -> None:
    board = Board.from_stones(["h8"], [], walls=["a1"])
    assert refusal(board, move, method) == "the point is occupied"
    assert not board.is_legal(move)


def test_nothing_is_legal_after_the_end() -> None:
    board = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
    assert board.is_game_over()
    assert list(board.legal_moves) == []
    assert not board.legal_moves
    assert refusal(board, "o15") == "the game is over"
    won = board.outcome()
    board.push_unchecked("o15")
    assert board.outcome() == won
    board.pop()
    assert board.outcome() == won
    board.pop()
    assert board.outcome() is None
    assert len(board.legal_moves) == 225 - 8


@pytest.mark.parametrize(("width", "height"), [(4, 15), (15, 23), (0, 5), (-3, 5), (2**40, 15)])
def test_impossible_sizes(width: int, height: int) -> None:
    impossible = height if 5 <= width <= 22 else width
    with pytest.raises(ValueError, match=rf"board side of {impossible} .* 5 to 22"):
        Board(width, height)


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="7"):
        Board(15, rule=7)


def test_empty_history() -> None:
    board = Board(15)
    before = everything(board)
    with pytest.raises(IndexError, match="empty"):
        board.pop()
    with pytest.raises(IndexError, match="empty"):
        board.peek()
    assert everything(board) == before


# --- fouls -----------------------------------------------------------------------------------------------------------

DOUBLE_THREE = "h8h9i7i9h10i6i11i12"  # then g9


def test_a_forbidden_point_is_refused_or_ends_the_game() -> None:
    board = Board.from_text(DOUBLE_THREE, origin="top", rule=Rule.RENJU)
    assert refusal(board, "g9") == "the point is forbidden for black (double-three)"
    assert Move(6, 8) not in list(board.legal_moves)
    before = everything(board)
    assert board.push_unchecked("g9") == (6, 8)
    lost = (WHITE, Termination.FOUL, (), Foul.DOUBLE_THREE)
    assert board.outcome() == lost
    assert board.is_game_over()
    assert list(board.legal_moves) == []
    assert refusal(board, "a1") == "the game is over"
    board.push_unchecked("a1")
    assert board.outcome() == lost
    board.pop()
    board.pop()
    assert everything(board) == before


def test_white_may_play_where_black_may_not() -> None:
    board = Board.from_text(DOUBLE_THREE + "a1", origin="top", rule=Rule.RENJU)
    assert board.foul("g9") is Foul.DOUBLE_THREE
    assert board.is_legal("g9")
    board.push("g9")
    assert board.outcome() is None


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.RENJU])
def test_other_rules_know_no_fouls(rule: Rule) -> None:
    board = Board.from_text(DOUBLE_THREE, origin="top", rule=rule)
    assert board.foul("g9") is Foul.NONE
    board.push("g9")
    assert board.outcome() is None


# --- moves and texts -------------------------------------------------------------------------------------------------


def test_moves_as_text_pair_index_and_move() -> None:
    forms = ("c2", "C2", " 2,1", (2, 1), [2, 1], 22, Move(2, 1))
    boards = [Board(20, 10) for _ in forms]
    played = [board.push(move) for board, move in zip(boards, forms, strict=True)]
    assert played == [Move(2, 1)] * len(forms)
    assert len({board.key for board in boards}) == 1
    assert all(form in Board(20, 10).legal_moves for form in forms)


def test_numbers_of_numpy_make_a_point() -> None:
    numpy = pytest.importorskip("numpy")
    assert Board(15).push(numpy.int64(16)) == Board(15).push((numpy.int8(1), numpy.int64(1))) == (1, 1)


def test_text_round_trip_and_origin() -> None:
    board = Board.from_text("a1 b2,c3", origin="bottom", width=9)
    assert board.move_stack == [Move(0, 8), Move(1, 7), Move(2, 6)]
    assert board.text(origin="bottom") == "a1b2c3"
    assert board.text(origin="top") == "a9b8c7"
    assert Board.from_text(board.text(origin="top"), origin="top", width=9) == board
    for origin in ("left", "", None):
        with pytest.raises(ValueError, match=f"{origin!r}"):
            board.text(origin=origin)
        with pytest.raises(ValueError, match=f"{origin!r}"):
            Board.from_text("a1", origin=origin)


@pytest.mark.parametrize(
    ("text", "rule", "word"),
    [
        ("h8h8", Rule.FREESTYLE, "occupied"),
        ("h8p1", Rule.FREESTYLE, "p1"),
        ("h8?", Rule.FREESTYLE, "character 3"),
        (DOUBLE_THREE + "g9", Rule.RENJU, "double-three"),
        ("h8a1i8a2j8a3k8a4l8a5", Rule.CARO, "over"),
    ],
)
def test_illegal_move_texts(text: str, rule: Rule, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Board.from_text(text, origin="top", rule=rule)
    board = Board(15, rule=rule)
    board.push("o15")
    before = everything(board)
    with pytest.raises(ValueError):  # noqa: PT011 -- what it says is tested above; here only that all is taken back
        board.push_text("o14" + text)
    assert everything(board) == before
    board._check()


def test_push_text_returns_the_moves() -> None:
    board = Board(15)
    assert board.push_text("h8 i9") == [Move(7, 7), Move(8, 8)]
    assert board.push_text("a1", origin="bottom") == [Move(0, 14)]
    assert board.push_text("") == []
    assert board.text(origin="top") == "h8i9a15"


@pytest.mark.parametrize(
    "board",
    [
        Board.from_stones(["a1", "b1", "c1"], [], to_move=WHITE),
        Board.from_history([("a1", WHITE)], to_move=BLACK),
        Board.from_stones(["a1"], ["b1"], walls=["c1"]),
    ],
)
def test_text_cannot_tell_stones_out_of_turn_or_walls(board: Board) -> None:
    with pytest.raises(InvalidPositionError, match="stones"):
        board.text(origin="top")


def test_the_diagram() -> None:
    board = Board.from_stones(["a1", "e5"], ["b1"], to_move=WHITE, walls=["c3"], width=5)
    rows = ["    a b c d e", "  1 X O . . .", "  2 . . . . .", "  3 . . # . .", "  4 . . . . .", "  5 . . . .(X)"]
    assert str(board) == "\n".join(rows)
    board.pop()
    assert str(board).splitlines()[1] == "  1 X(O). . ."
    assert repr(board) == "<Board 5x5 freestyle, 2 stones, black to move>"


def test_legal_moves_follow_the_board() -> None:
    board = Board(5, 7, rule=Rule.RENJU)
    moves = board.legal_moves
    assert (len(moves), bool(moves), repr(moves)) == (35, True, "<LegalMoves: 35 of 5x7>")
    board.push("c3")
    assert len(moves) == 34
    assert "c3" not in moves
    assert {(2, 3), "c4", 17} <= {move for move in ((2, 3), "c4", 17) if move in moves}
    assert list(moves) == sorted(moves, key=lambda move: (move.y, move.x))
    assert all(isinstance(move, Move) for move in moves)


# --- set-up positions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("black", "white", "options", "word"),
    [
        (["a1"], ["a1"], {}, "a1 is used twice"),
        (["a1", "b1"], [], {}, "2 black and 0 white .* to_move"),
        ([], ["a1"], {}, "0 black and 1 white .* to_move"),
        (["p1"], [], {}, "p1"),
        ([(x, 0) for x in range(5)], [(x, 1) for x in range(5)], {}, "both sides"),
        (["a1"], [], {"walls": ["a1"]}, "a1 is used twice"),
        ([], [], {"walls": ["a1", "a1"]}, "a1 is used twice"),
        ([], [], {"walls": [(15, 15)]}, "15, 15"),
    ],
)
def test_impossible_set_ups(black: list, white: list, options: dict, word: str) -> None:
    with pytest.raises(InvalidPositionError, match=word):
        Board.from_stones(black, white, **options)


def test_a_history_may_not_use_a_point_twice_nor_a_third_colour() -> None:
    with pytest.raises(InvalidPositionError, match="a1 is used twice"):
        Board.from_history([("a1", BLACK), ("a1", WHITE)], to_move=BLACK)
    for color in (0, 3):
        with pytest.raises(ValueError, match=str(color)):
            Board.from_history([("a1", color)], to_move=BLACK)
        with pytest.raises(ValueError, match=str(color)):
            Board.from_stones([], [], to_move=color)


def test_set_up_stones_are_taken_back_in_turn() -> None:
    board = Board.from_stones(["a1", "b1", "c1"], ["a2"], to_move=BLACK, width=9, height=6)
    assert (board.turn, board.ply, board.empty) == (BLACK, 4, 50)
    assert (board.stone("a1"), board.stone("a2"), board.stone("a3")) == (BLACK, WHITE, None)
    seen = []
    while board.ply:
        assert board.peek() == board.move_stack[-1]
        move = board.pop()
        seen.append((move.text, board.turn))
        board._check()
    assert seen == [("c1", BLACK), ("b1", BLACK), ("a2", WHITE), ("a1", BLACK)]
    assert board == Board(9, 6)
    assert board.key == Board(9, 6).key


def test_a_history_keeps_its_order_and_colours() -> None:
    stones = [("a1", WHITE), ("b1", WHITE), ("c1", BLACK)]
    board = Board.from_history(stones, to_move=WHITE, walls=["e5"])
    assert [(board.stone(move), move) for _, move in zip(stones, board.move_stack, strict=True)] == [
        (color, Board(15).push(move)) for move, color in stones
    ]
    assert (board.turn, board.stone("e5")) == (WHITE, WALL)
    board._check()


def test_from_history_lets_the_first_five_win() -> None:
    stones = [((x, 0), BLACK) for x in range(5)] + [((x, 1), WHITE) for x in range(5)]
    assert Board.from_history(stones, to_move=BLACK).outcome().winner is BLACK
    assert Board.from_history(stones[::-1], to_move=BLACK).outcome().winner is WHITE


def test_a_set_up_five_stays_won_until_it_is_popped() -> None:
    board = Board.from_stones([(x, 0) for x in range(5)], [(x, 14) for x in (0, 2, 4, 6, 8)], to_move=BLACK)
    board.pop()
    assert board.outcome().winner is BLACK
    board.pop()
    assert board.outcome() is None


SPOILED = [
    pytest.param(Rule.STANDARD, [(x, 0) for x in range(6)], [(x, 14) for x in range(0, 12, 2)], id="six"),
    pytest.param(Rule.CARO, ["f8", "g8", "h8", "i8", "j8"], ["e8", "a1", "c1", "e1", "k8"], id="blocked twice"),
]


@pytest.mark.parametrize(("rule", "black", "white"), SPOILED)
def test_the_order_of_a_set_up_does_not_matter(rule: Rule, black: list, white: list) -> None:
    for stones in (black, black[::-1]), (white, white[::-1]):
        board = Board.from_stones(black, white, to_move=BLACK, rule=rule)
        assert board.outcome() is None, stones
        assert board.legal_moves


def test_a_five_that_later_stones_spoil_has_won() -> None:
    history = [((x, 0), BLACK) for x in range(6)]
    five = tuple(Move(x, 0) for x in range(5))
    board = Board.from_history(history, to_move=WHITE, rule=Rule.STANDARD)
    assert board.outcome() == (BLACK, Termination.FIVE, five, Foul.NONE)
    board = Board.from_stones(five[:4], [], to_move=BLACK, rule=Rule.STANDARD)
    for move in ("e1", "o15", "f1"):
        board.push_unchecked(move)
        assert board.outcome() == (BLACK, Termination.FIVE, five, Foul.NONE)


def test_walls_block_both_sides_and_are_no_caro_block() -> None:
    board = Board.from_stones(
        [(3, 7), (4, 7), (5, 7), (6, 7)], [], to_move=BLACK, walls=[(2, 7), (8, 7)], rule=Rule.CARO
    )
    assert board.stone((2, 7)) == WALL
    assert board.walls() == [Move(2, 7), Move(8, 7)]
    assert board.empty == 225 - 6
    board.push((7, 7))
    assert board.outcome().winner is BLACK


# --- the end of the board --------------------------------------------------------------------------------------------


def test_full_board_is_a_draw_and_a_five_beats_it() -> None:
    draw = ["xxoox", "ooxxo", "xxoox", "ooxxo", "xxoo."]
    cells = {(x, y): cell for y, row in enumerate(draw) for x, cell in enumerate(row)}
    black = [point for point, cell in cells.items() if cell == "x"]
    white = [point for point, cell in cells.items() if cell == "o"]
    board = Board.from_stones(black, white, to_move=BLACK, width=5)
    assert list(board.legal_moves) == [(4, 4)]
    board.push((4, 4))
    assert board.outcome() == (None, Termination.FULL_BOARD, (), Foul.NONE)
    assert board.is_game_over()
    assert not board.legal_moves
    win = Board.from_stones(
        [p for p in black if p[0] != 4] + [(4, y) for y in range(4)],
        [p for p in white if p[0] != 4], to_move=BLACK, width=5,
    )  # fmt: skip
    win.push((4, 4))
    assert win.empty == 0
    assert win.outcome().winner is BLACK


def test_walls_fill_the_board_too() -> None:
    walls = [(x, y) for x in range(5) for y in range(5) if (x, y) != (2, 2)]
    board = Board.from_stones([], [], walls=walls, width=5)
    assert (board.empty, board.outcome()) == (1, None)
    board.push("c3")
    assert board.outcome() == (None, Termination.FULL_BOARD, (), Foul.NONE)


def test_the_largest_board_can_be_filled() -> None:
    """Rows of two and two, shifted by two from row to row, hold no line of three."""
    board = Board(22)
    points = [Move(x, y) for y in range(22) for x in range(22)]
    sides = [[move for move in points if (move.x + 2 * move.y) % 4 // 2 == side] for side in (0, 1)]
    for black, white in zip(*sides, strict=True):
        board.push(black)
        board.push(white)
    assert (board.ply, board.empty) == (484, 0)
    assert board.outcome().termination is Termination.FULL_BOARD
    board._check()
    while board.ply:
        board.pop()
    assert board == Board(22)
    board._check()


@pytest.mark.parametrize("rule", Rule)
def test_random_games_end_when_the_slow_rules_say_so(rule: Rule) -> None:
    rng = random.Random(int(rule))
    for size in ((7, 7), (9, 6), (12, 12)):
        board = random_game(rng, rule, size, 6, walls=2)
        slow = slow_twin(board)
        points = slow.empty_points()
        for move in rng.sample(points, len(points)):
            color, kind = board.turn, foul(slow, *move) if board.turn is BLACK else Foul.NONE
            assert board.is_legal(move) is (kind is Foul.NONE)
            board.push_unchecked(move)
            slow.place(*move, color)
            line = winning_line(slow, *move)
            if line or kind or not slow.empty_points():
                ends = (
                    (color, Termination.FIVE, line, Foul.NONE)
                    if line
                    else (WHITE, Termination.FOUL, (), kind)
                    if kind
                    else (None, Termination.FULL_BOARD, (), Foul.NONE)
                )
                assert board.outcome() == ends
                break
            assert board.outcome() is None


# --- symmetries, keys and copies -------------------------------------------------------------------------------------


def image(move: Move, index: int, width: int, height: int) -> Move:
    """Where a symmetry sends a point, as Board.transform documents it."""
    x = width - 1 - move.x if index & 1 else move.x
    y = height - 1 - move.y if index & 2 else move.y
    return Move(y, x) if index & 4 else Move(x, y)


@pytest.mark.parametrize("index", range(8))
@pytest.mark.parametrize(("width", "height"), [(15, 15), (6, 9)])
def test_transform_moves_every_stone_and_wall(width: int, height: int, index: int) -> None:
    board = random_game(random.Random(index), Rule.RENJU, (width, height), 12, walls=3)
    other = board.transform(index)
    other._check()
    assert (other.width, other.height) == ((height, width) if index & 4 else (width, height))
    assert (other.turn, other.rule, other.ply, other.empty) == (board.turn, board.rule, board.ply, board.empty)
    assert other.move_stack == [image(move, index, width, height) for move in board.move_stack]
    assert set(other.walls()) == {image(move, index, width, height) for move in board.walls()}
    back = {5: 6, 6: 5}.get(index, index)
    assert other.transform(back) == board
    assert other.transform(back).move_stack == board.move_stack
    assert other.key != board.key or index == 0
    while board.ply:
        assert other.pop() == image(board.pop(), index, width, height)
        assert (other.turn, other.outcome()) == (board.turn, board.outcome())


def test_there_are_eight_symmetries() -> None:
    board = Board(15)
    for index in (-1, 8, 100):
        with pytest.raises(ValueError, match=str(index)):
            board.transform(index)


@pytest.mark.parametrize(("width", "height"), [(15, 15), (6, 9), (22, 5)])
@pytest.mark.parametrize("rule", Rule)
def test_canonical_key_is_that_of_all_images_and_of_nothing_else(rule: Rule, width: int, height: int) -> None:
    rng = random.Random(int(rule))
    boards = [random_game(rng, rule, (width, height), plies, walls=plies % 3) for plies in range(6)]
    for board in boards:
        images = [board.transform(index) for index in range(8 if width == height else 4)]
        assert {other.canonical_key for other in images} == {board.canonical_key}
    assert len({board.canonical_key for board in boards}) == len(boards)


def test_an_ended_game_looks_the_same_from_all_sides() -> None:
    won = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
    lost = Board.from_text(DOUBLE_THREE, origin="top", rule=Rule.RENJU)
    lost.push_unchecked("g9")
    for index in range(8):
        outcome = won.transform(index).outcome()
        assert set(outcome.line) == {image(move, index, 15, 15) for move in won.outcome().line}
        assert outcome[:2] == won.outcome()[:2]
        assert lost.transform(index).outcome() == lost.outcome()


def test_keys_tell_apart_what_differs() -> None:
    boards = [Board(size, rule=rule) for size in (15, 20) for rule in Rule]
    boards += [Board(15, 20), Board(20, 15), Board.from_stones([], [], to_move=WHITE)]
    boards += [Board.from_stones([], [], walls=["a1"]), Board.from_stones(["a1"], []), Board.from_stones(["a2"], [])]
    boards += [Board.from_stones([], ["a1"], to_move=BLACK), Board.from_stones(["a1"], [], to_move=BLACK)]
    assert len({board.key for board in boards}) == len(boards)
    for number, board in enumerate(boards):
        assert [board == other for other in boards].index(True) == number


def test_keys_do_not_tell_apart_how_a_position_came_about() -> None:
    board = Board.from_text("h8a1i9", origin="top")
    other = Board.from_text("i9a1h8", origin="top")
    set_up = Board.from_stones(["h8", "i9"], ["a1"])
    assert board == other == set_up
    assert board.key == other.key == set_up.key


def test_boards_are_compared_by_value_and_not_hashed() -> None:
    board = Board(15)
    assert board != 15
    assert not board == "h8"  # noqa: SIM201 -- the other operator is asked above
    with pytest.raises(TypeError):
        hash(board)


ENDED = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
FOULED = Board.from_text(DOUBLE_THREE, origin="top", rule=Rule.RENJU)
FOULED.push_unchecked("g9")
SET_UP = Board.from_stones(["h8", "h9"], ["i8"], to_move=BLACK, walls=["a1"], width=12, height=15, rule=Rule.CARO)


@pytest.mark.parametrize("board", [ENDED, FOULED, SET_UP], ids=["ended", "fouled", "set-up"])
@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
def test_copies_are_equal_and_independent(duplicate, board: Board) -> None:
    before = everything(board)
    other = duplicate(board)
    assert everything(other) == before
    other.push_unchecked("j12")
    assert other != board
    assert everything(board) == before
    other._check()
    other.pop()
    again = board.copy()
    while again.ply:
        assert other.pop() == again.pop()
        assert everything(other) == everything(again)
