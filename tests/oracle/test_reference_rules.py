"""The slow reference rules against the position tables, and against themselves where two texts say the same."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from gomoku.reference import (
    SHAPES,
    ReferenceBoard,
    five_points,
    foul,
    is_five,
    is_three,
    line_shape,
    winning_line,
)
from gomoku.types import BLACK, WALL, WHITE, Color, Foul, Move, Rule
from support import (
    TABLE_SIZE,
    ForbiddenBoard,
    RenjuCase,
    WinningCase,
    all_fives,
    forbidden_boards,
    renju_cases,
    winning_cases,
)


def make_board(width: int, height: int, rule: Rule, black: Iterable[Move], white: Iterable[Move]) -> ReferenceBoard:
    board = ReferenceBoard(width, height, rule)
    for color, stones in ((BLACK, black), (WHITE, white)):
        for x, y in stones:
            board.place(x, y, color)
    return board


def row_board(window: str, rule: Rule, color: Color) -> ReferenceBoard:
    """A board of one row that holds a window of the line classifier; the centre stays empty."""
    board = ReferenceBoard(len(window), 1, rule)
    contents = {"X": int(color), "O": int(color.other), "#": WALL}
    for x, symbol in enumerate(window):
        if symbol in contents and x != len(window) // 2:
            board.place(x, 0, contents[symbol])
    return board


def check_forbidden(position: ForbiddenBoard) -> None:
    """The board's empty points are forbidden exactly where the file says so, each with its kind."""
    board = make_board(position.size, position.size, Rule.RENJU, position.black, position.white)
    found = {point: kind for point in board.empty_points() if (kind := foul(board, *point)) is not Foul.NONE}
    assert found == position.forbidden


# --- the tables ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", winning_cases(), ids=lambda case: case.id)
def test_winning_table(case: WinningCase) -> None:
    black, white = (case.mover, case.opponent) if case.color is BLACK else (case.opponent, case.mover)
    board = make_board(TABLE_SIZE, TABLE_SIZE, case.rule, black, white)
    assert is_five(board, *case.move, case.color) is (case.verdict == "1")
    if case.color is BLACK:
        assert (foul(board, *case.move) is not Foul.NONE) is (case.verdict == "F")
    board.place(*case.move, case.color)
    line = winning_line(board, *case.move)
    assert (line is not None) is (case.verdict == "1")
    if line is not None:
        assert case.move in line
        assert set(line) <= {*case.mover, case.move}


@pytest.mark.parametrize("case", renju_cases(), ids=lambda case: case.id)
def test_renju_table(case: RenjuCase) -> None:
    board = make_board(TABLE_SIZE, TABLE_SIZE, Rule.RENJU, case.black, case.white)
    before = [row[:] for row in board.rows]
    assert foul(board, *case.move) is case.foul
    assert is_five(board, *case.move, BLACK) is case.wins
    assert board.rows == before


def test_tables_are_complete() -> None:
    winning_ids = {case.id.partition("-")[0] for case in winning_cases()}
    assert winning_ids >= {f"W{number}" for number in range(1, 11)}
    assert {case.id for case in renju_cases()} >= {f"R{number}" for number in range(1, 24)}
    assert len(forbidden_boards()) == 1000


def test_forbidden_points_of_some_random_boards() -> None:
    for position in forbidden_boards(limit=40):
        check_forbidden(position)


@pytest.mark.slow
def test_forbidden_points_of_all_random_boards() -> None:
    for position in forbidden_boards():
        check_forbidden(position)


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.RENJU], ids=lambda rule: rule.label)
def test_only_renju_forbids_anything(rule: Rule) -> None:
    for case in renju_cases():
        assert foul(make_board(TABLE_SIZE, TABLE_SIZE, rule, case.black, case.white), *case.move) is Foul.NONE


def mirrored(point: Move) -> Move:
    return Move(TABLE_SIZE - 1 - point.x, point.y)


def transposed(point: Move) -> Move:
    return Move(point.y, point.x)


def quarter_turned(point: Move) -> Move:
    return mirrored(transposed(point))


def test_fouls_do_not_depend_on_the_orientation() -> None:
    for case in renju_cases():
        for turn in (mirrored, transposed, quarter_turned):
            board = make_board(TABLE_SIZE, TABLE_SIZE, Rule.RENJU, map(turn, case.black), map(turn, case.white))
            assert foul(board, *turn(case.move)) is case.foul, case.id


# --- winning lines everywhere ----------------------------------------------------------------------------------------


# Long and narrow: every edge and both longest sides, with a seventh of the lines of the largest board.
@pytest.mark.parametrize(
    ("width", "height"), [(5, 5), (6, 9), (22, 6), (6, 22), pytest.param(22, 22, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_filling_any_gap_of_any_five_wins(width: int, height: int, rule: Rule) -> None:
    for line in all_fives(width, height):
        board = make_board(width, height, rule, line, ())
        dx, dy = line[1].x - line[0].x, line[1].y - line[0].y
        for gap in line:
            assert winning_line(board, *gap) == line
            board.remove(*gap)
            assert winning_line(board, *(line[0] if gap != line[0] else line[1])) is None
            assert is_five(board, *gap, BLACK)
            assert not is_five(board, *gap, WHITE)
            other = line[2] if gap != line[2] else line[3]
            assert gap in five_points(board, *other, BLACK, dx, dy)
            board.place(*gap, BLACK)


@pytest.mark.parametrize("rule", [Rule.CARO, Rule.CARO_EXACT], ids=lambda rule: rule.label)
def test_walls_and_edges_are_no_block_in_caro(rule: Rule) -> None:
    for left, right, wins in ((WALL, WALL, True), (WALL, WHITE, True), (WHITE, WHITE, False), (BLACK, WHITE, None)):
        board = make_board(15, 1, rule, [Move(x, 0) for x in (3, 4, 6, 7)], ())
        board.place(2, 0, left)
        board.place(8, 0, right)
        assert is_five(board, 5, 0, BLACK) is (rule is Rule.CARO if wins is None else wins)
    edges = make_board(5, 5, rule, [Move(x, 0) for x in range(4)], ())
    assert is_five(edges, 4, 0, BLACK)


def test_five_points_and_threes_of_known_lines() -> None:
    renju = make_board(15, 15, Rule.RENJU, [Move(x, 7) for x in (3, 5, 7, 9)], [])
    assert five_points(renju, 6, 7, BLACK, 1, 0) == [Move(4, 7), Move(8, 7)]
    assert five_points(renju, 6, 7, BLACK, 0, 1) == []
    assert five_points(renju, 6, 7, WHITE, 1, 0) == []
    row = make_board(15, 15, Rule.RENJU, [Move(x, 7) for x in (6, 7, 8)], [])
    assert is_three(row, 7, 7, 1, 0)
    assert not is_three(row, 7, 7, 0, 1)
    assert five_points(row, 9, 7, BLACK, 1, 0) == [Move(5, 7), Move(10, 7)]
    row.place(9, 7, BLACK)
    assert not is_three(row, 7, 7, 1, 0)
    row.place(10, 7, BLACK)
    assert five_points(row, 7, 7, BLACK, 1, 0) == []


def test_the_board_refuses_nonsense() -> None:
    board = make_board(15, 15, Rule.RENJU, [Move(7, 7)], [])
    for x, y in ((7, 7), (15, 0), (0, -1)):
        with pytest.raises(ValueError, match="not an empty point"):
            board.place(x, y, WHITE)
    for content in (0, 4):
        with pytest.raises(ValueError, match="cannot place"):
            board.place(0, 0, content)
    for x, y in ((0, 0), (-1, 7), (7, 15)):
        with pytest.raises(ValueError, match="nothing to remove"):
            board.remove(x, y)
        with pytest.raises(ValueError, match="no stone"):
            winning_line(board, x, y)
    with pytest.raises(ValueError, match="not an empty point"):
        foul(board, 7, 7)
    with pytest.raises(ValueError, match="not an empty point"):
        five_points(board, 7, 7, WHITE, 1, 0)
    with pytest.raises(ValueError, match="at least one column"):
        ReferenceBoard(0, 5, Rule.RENJU)


# --- the line classifier ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("window", "rule", "color", "shape"),
    [
        (".....X.....", Rule.FREESTYLE, BLACK, "OPEN_ONE"),
        ("OOOOOXOOOOO", Rule.FREESTYLE, BLACK, "DEAD"),
        ("O....X....O", Rule.STANDARD, BLACK, "OPEN_ONE"),
        ("OOOOOX....O", Rule.STANDARD, BLACK, "ONE"),
        ("OOOOOX...OO", Rule.STANDARD, BLACK, "DEAD"),
        ("....XX.....", Rule.STANDARD, BLACK, "OPEN_TWO_3"),
        ("OOOOXX....O", Rule.STANDARD, BLACK, "TWO"),
        ("....XXX....", Rule.RENJU, BLACK, "OPEN_THREE_2"),
        (".#.XXX..#..", Rule.RENJU, BLACK, "OPEN_THREE_1"),
        ("...OXXX....", Rule.RENJU, BLACK, "THREE"),
        (".X.XXX.X...", Rule.RENJU, BLACK, "FORBIDDEN"),
        (".X.XXX.X...", Rule.RENJU, WHITE, "OPEN_FOUR"),
        (".X.XXX.X...", Rule.FREESTYLE, BLACK, "OPEN_FOUR"),
        ("...XXXX....", Rule.RENJU, BLACK, "OPEN_FOUR"),
        (".X.XXXX....", Rule.RENJU, BLACK, "FOUR"),
        (".X.XXXX....", Rule.RENJU, WHITE, "OPEN_FOUR"),
        ("XXXXXX.....", Rule.RENJU, BLACK, "FORBIDDEN"),
        ("XXXXXX.....", Rule.RENJU, WHITE, "FIVE"),
        ("XXXXXX.....", Rule.FREESTYLE, BLACK, "FIVE"),
        ("XXXXXX.....", Rule.STANDARD, BLACK, "DEAD"),
        ("XXXXXX.....", Rule.CARO, BLACK, "FIVE"),
        ("XXXXXX.....", Rule.CARO_EXACT, BLACK, "DEAD"),
        ("OXXXXXO....", Rule.CARO, BLACK, "DEAD"),
        ("OXXXXXO....", Rule.STANDARD, BLACK, "FIVE"),
        ("#XXXXXO....", Rule.CARO_EXACT, BLACK, "FIVE"),
    ],
)
def test_line_shape_of_known_windows(window: str, rule: Rule, color: Color, shape: str) -> None:
    assert line_shape(window, rule, color) == shape
    assert line_shape(window[::-1], rule, color) == shape


@pytest.mark.parametrize("color", Color, ids=lambda color: color.name.lower())
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_line_shape_agrees_with_the_board(rule: Rule, color: Color) -> None:
    """On a board of one row, fives, fours, straight fours, fouls and threes are what the classifier calls them."""
    rng = random.Random(f"{rule.label} {color.name}")
    for _ in range(500):
        symbols = rng.choices("X.O#", weights=(10, 10, 1, 1), k=11)
        window = "".join([*symbols[:5], "X", *symbols[6:]])
        board = row_board(window, rule, color)
        shape = line_shape(window, rule, color)
        assert shape in SHAPES
        assert (shape == "FIVE") is is_five(board, 5, 0, color), window
        points = len(five_points(board, 5, 0, color, 1, 0))
        if shape == "FORBIDDEN":
            assert foul(board, 5, 0) is (Foul.DOUBLE_FOUR if points else Foul.OVERLINE), window
        else:
            caro_four = shape == "FOUR" and rule in (Rule.CARO, Rule.CARO_EXACT)  # one stone may stop two fives
            assert points in ((1, 2) if caro_four else ({"OPEN_FOUR": 2, "FOUR": 1}.get(shape, 0),)), window
            assert foul(board, 5, 0) is Foul.NONE or color is WHITE, window
        if rule is Rule.RENJU and color is BLACK:
            board.place(5, 0, BLACK)
            assert is_three(board, 5, 0, 1, 0) is (shape in ("OPEN_THREE_1", "OPEN_THREE_2")), window


def test_freestyle_sees_four_points_to_each_side() -> None:
    rng = random.Random(9)
    for _ in range(300):
        middle = "".join(rng.choices("X.O#", k=9))
        inner = middle[:4] + "X" + middle[5:]
        shapes = {line_shape(a + inner + b, Rule.FREESTYLE, BLACK) for a in "X.O#" for b in "X.O#"}
        assert len(shapes) == 1
        assert line_shape("." + inner + ".", Rule.RENJU, WHITE) in shapes


@pytest.mark.parametrize("window", ["X", "." * 12, "....aX.....", ".....O.....", ".....#....."])
def test_line_shape_refuses_what_is_no_window(window: str) -> None:
    with pytest.raises(ValueError, match="no window"):
        line_shape(window, Rule.STANDARD, BLACK)
