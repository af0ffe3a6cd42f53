"""The slow classic opponents against boards worked out by hand, and against other wordings of their rules."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable

import pytest

from classics_boards import (
    LINE_WAYS,
    ClassicsCase,
    Grid,
    ScriptedRandom,
    at,
    classics_cases,
    mirror,
    points_holding,
    random_grids,
    swap_colors,
    transpose,
)
from gomoku.reference import ReferenceBoard, chains, field, winlines, winning_line
from gomoku.types import BLACK, EMPTY_POINT, WALL, WHITE, Color, IllegalMoveError, InvalidPositionError, Move, Rule

EMPTY = [[EMPTY_POINT] * 10 for _ in range(10)]
FULL = [[1 + (x // 2 + y) % 2 for x in range(5)] for y in range(5)]


# --- the boards worked out by hand -----------------------------------------------------------------------------------

ALL_CASES = [case for player in ("winlines", "chains", "field") for case in classics_cases(player)]


def ask_winlines(case: ClassicsCase) -> object:
    match case.question:
        case "lines":
            return len(winlines.lines(len(case.cells[0]), len(case.cells)))
        case "grade":
            return winlines.grades(case.cells, case.color, **case.options)[case.point.y][case.point.x]
        case "choose":
            return winlines.choose(case.cells, case.color, case.allowed, **case.options)
        case "winner":
            return winlines.winner(case.cells)
        case "drawn":
            return winlines.is_drawn(case.cells)
    raise ValueError(case.question)


def ask_chains(case: ClassicsCase) -> object:
    match case.question:
        case "matrix":
            return chains.matrix(len(case.cells[0]), len(case.cells))[case.point.y][case.point.x]
        case "grade":
            return chains.grades(case.cells, case.color, **case.options)[case.point.y][case.point.x]
        case "choose":
            return chains.choose(case.cells, case.color, case.allowed, **case.options)
    raise ValueError(case.question)


def ask_field(case: ClassicsCase) -> object:
    match case.question:
        case "potentials":
            return tuple(matrix[case.point.y][case.point.x] for matrix in field.potentials(case.cells))
        case "value":
            return field.values(case.cells)[case.point.y][case.point.x]
        case "completing":
            return tuple(field.completing_points(case.cells, case.point))
        case "choose":
            rng = ScriptedRandom(case.draws)
            move = field.choose(case.cells, case.color, case.allowed, rng=rng, **case.options)
            assert not rng.left
            return move
    raise ValueError(case.question)


ASK = {"winlines": ask_winlines, "chains": ask_chains, "field": ask_field}


@pytest.mark.parametrize("case", ALL_CASES, ids=lambda case: case.id)
def test_boards_worked_out_by_hand(case: ClassicsCase) -> None:
    before = [list(row) for row in case.cells]
    assert ASK[case.player](case) == case.expected
    assert [list(row) for row in case.cells] == before


def test_the_table_of_boards_is_complete() -> None:
    assert len({case.id for case in ALL_CASES}) == len(ALL_CASES)
    for player, ask in ASK.items():
        cases = classics_cases(player)
        assert len({case.cells for case in cases}) >= 6, player
        assert any(case.color is WHITE for case in cases), ask
        assert all(5 <= len(case.cells) <= 22 and len({len(row) for row in case.cells}) == 1 for case in cases)


# --- counting winning lines ------------------------------------------------------------------------------------------


def test_the_formula_counts_the_lines_of_every_board() -> None:
    for width, height in itertools.product(range(5, 23), repeat=2):
        found = winlines.lines(width, height)
        assert len(found) == winlines.line_count(width, height) == winlines.line_count(height, width)
        assert len(set(map(frozenset, found))) == len(found)
    assert winlines.line_count(10, 10) == 192 == 60 + 60 + 36 + 36


def test_lines_are_five_points_in_a_direction() -> None:
    for line in winlines.lines(9, 6):
        steps = {(after.x - before.x, after.y - before.y) for before, after in itertools.pairwise(line)}
        assert len(line) == 5
        assert len(steps) == 1
        assert steps <= set(LINE_WAYS)
        assert all(0 <= x < 9 and 0 <= y < 6 for x, y in line)


@pytest.mark.parametrize("color", Color, ids=lambda color: color.name.lower())
def test_grades_are_what_stones_put_and_taken_back_leave(color: Color) -> None:
    """As the rule tells it: a stone raises its side's count in its lines and kills them for the other side."""
    rng = random.Random(int(color))
    for width, height in ((5, 5), (7, 5), (6, 9), (10, 10)):
        lines = winlines.lines(width, height)
        through = {move: [n for n, line in enumerate(lines) if move in line] for line in lines for move in line}
        counts = [[0, 0, 0, 0] for _ in lines]  # by what stands there
        cells = [[EMPTY_POINT] * width for _ in range(height)]
        for _ in range(40):
            x, y = move = Move(rng.randrange(width), rng.randrange(height))
            content, step = cells[y][x], -1
            if content == EMPTY_POINT:
                content, step = rng.choices((int(color), int(color.other), WALL), (10, 5, 1))[0], 1
            cells[y][x] = content if step > 0 else EMPTY_POINT
            for number in through.get(move, []):
                counts[number][content] += step
            expected = [[0] * width for _ in range(height)]
            for empty in points_holding(cells, EMPTY_POINT):
                alive = [counts[n] for n in through.get(empty, []) if counts[n][color.other] == counts[n][WALL] == 0]
                expected[empty.y][empty.x] = sum((1, 10, 100, 1000, 10_000)[count[color]] for count in alive)
            assert winlines.grades(cells, color) == expected


def test_winner_is_the_side_with_a_freestyle_five() -> None:
    won = 0
    for cells in random_grids(1, 150):
        board = ReferenceBoard(len(cells[0]), len(cells), Rule.FREESTYLE)
        board.rows = cells
        winners = {Color(board.at(*move)) for move in points_holding(cells, BLACK, WHITE) if winning_line(board, *move)}
        assert winlines.winner(cells) in (winners or {None})
        won += bool(winners)
    assert 5 < won < 145


def test_a_position_is_drawn_when_filling_it_with_either_colour_wins_nothing() -> None:
    drawn = 0
    for cells in random_grids(2, 200, (0.7, 1.0)):
        filled = [
            [[int(color) if content == EMPTY_POINT else content for content in row] for row in cells] for color in Color
        ]
        expected = all(winlines.winner(grid) is None for grid in filled)
        assert winlines.is_drawn(cells) is expected
        drawn += expected
    assert 5 < drawn < 195


def test_winlines_attacks_only_with_more_than_the_opponent_has() -> None:
    attacks = 0
    for cells in random_grids(3, 60):
        empty = points_holding(cells, EMPTY_POINT)
        allowed = empty[::2]
        own, opposing = winlines.grades(cells, BLACK), winlines.grades(cells, WHITE)
        best_own = max(own[y][x] for x, y in allowed)
        best_opposing = max(opposing[y][x] for x, y in allowed)
        kept, best = (own, best_own) if best_own > best_opposing else (opposing, best_opposing)
        attacks += best_own > best_opposing
        expected = next(move for move in allowed if kept[move.y][move.x] == best)
        assert winlines.choose(cells, BLACK, allowed[::-1]) == expected
    assert 5 < attacks < 55


# --- chains ----------------------------------------------------------------------------------------------------------


def test_the_matrix_grows_from_two_in_the_corners_to_the_middle() -> None:
    for width, height in itertools.product((5, 8, 10, 22), repeat=2):
        matrix = chains.matrix(width, height)
        assert matrix == mirror(matrix) == matrix[::-1]
        assert matrix[0][0] == 2
        assert max(map(max, matrix)) == (width + 1) // 2 + (height + 1) // 2
        for x, y in itertools.product(range((width + 1) // 2), range((height + 1) // 2)):
            assert matrix[y][x] == x + y + 2
    assert max(map(max, chains.matrix(22, 22))) == 22
    assert chains.grades(EMPTY, WHITE) == chains.matrix(10, 10)


@pytest.mark.parametrize("factors", [{}, {"base": 3}, {"own": 5, "opposing": 4}, {"base": 2, "own": 1, "opposing": 7}])
def test_chains_are_the_first_stones_of_a_ray_read_as_text(factors: dict[str, int]) -> None:
    numbers = {"base": 10, "own": 2, "opposing": 1} | factors
    for cells in random_grids(4, 20):
        width, height = len(cells[0]), len(cells)
        grades = chains.grades(cells, WHITE, matrix=[[0] * width for _ in range(height)], **factors)
        for x, y in itertools.product(range(width), range(height)):
            total = 0
            for dx, dy in itertools.product((-1, 0, 1), repeat=2):
                ray = "".join(str(at(cells, x + step * dx, y + step * dy)) for step in range(1, 12))
                if (dx, dy) != (0, 0) and cells[y][x] == EMPTY_POINT:
                    black, white = re.match("1*", ray)[0], re.match("2*", ray)[0]
                    total += numbers["opposing"] * (numbers["base"] ** len(black) - 1)
                    total += numbers["own"] * (numbers["base"] ** len(white) - 1)
            assert grades[y][x] == 64 * total


def test_a_matrix_of_one_s_own_decides_between_equal_chains() -> None:
    matrix = chains.matrix(10, 10)
    matrix[9][3] = 63
    assert chains.choose(EMPTY, BLACK, [], matrix=matrix) == Move(3, 9)
    cells = [row[:] for row in EMPTY]
    cells[0][0] = int(WHITE)
    assert chains.grades(cells, BLACK, matrix=matrix)[9][3] == 63
    assert chains.choose(cells, BLACK, [], matrix=matrix) == Move(1, 1)


def test_chains_longer_than_twelve_add_nothing() -> None:
    cells = [[EMPTY_POINT] * 22 for _ in range(5)]
    worth = []
    for x in range(15):
        worth.append(chains.grades(cells, BLACK, base=2, own=1)[2][x] // 64)
        cells[2][x] = int(BLACK)
    assert worth == [2 ** min(length, 12) - 1 for length in range(15)]


# --- influence fields ------------------------------------------------------------------------------------------------


def test_potentials_are_what_stones_put_one_after_the_other_add_up_to() -> None:
    """As the rule tells it: each stone adds to the points of its lines that are empty when it is put."""
    for cells in random_grids(5, 25):
        width, height = len(cells[0]), len(cells)
        now = [[content if content == WALL else EMPTY_POINT for content in row] for row in cells]
        sums = [[[0] * width for _ in range(height)] for _ in LINE_WAYS]
        stones = points_holding(cells, BLACK, WHITE)
        random.Random(len(stones)).shuffle(stones)
        for stone in stones:
            for matrix, (dx, dy) in zip(sums, LINE_WAYS, strict=True):
                for step in range(-4, 5):
                    x, y = stone.x + step * dx, stone.y + step * dy
                    if at(now, x, y) == EMPTY_POINT:
                        sign = 1 if cells[stone.y][stone.x] == BLACK else -1
                        matrix[y][x] += sign * (5 - abs(step))
            now[stone.y][stone.x] = cells[stone.y][stone.x]
        empty = set(points_holding(cells, EMPTY_POINT))
        expected = [
            [[matrix[y][x] if Move(x, y) in empty else 0 for x in range(width)] for y in range(height)]
            for matrix in sums
        ]
        assert field.potentials(cells) == expected
        strength = (0, 1, 2, 3, 4, 10, 12, 14, 16, *(4 * potential for potential in range(9, 21)))
        assert field.values(cells) == [
            [sum(strength[abs(matrix[y][x])] for matrix in expected) for x in range(width)] for y in range(height)
        ]


def test_completing_points_are_where_a_stone_makes_a_run_of_five_with_the_given_one() -> None:
    found = 0
    for cells in random_grids(6, 60):
        for stone in points_holding(cells, BLACK, WHITE):
            side = cells[stone.y][stone.x]
            expected = []
            for move in points_holding(cells, EMPTY_POINT):
                cells[move.y][move.x] = side
                for dx, dy in LINE_WAYS:
                    run = [move]
                    for way in (-1, 1):
                        step = way
                        while at(cells, move.x + step * dx, move.y + step * dy) == side:
                            run.append(Move(move.x + step * dx, move.y + step * dy))
                            step += way
                    if len(run) >= 5 and stone in run:
                        expected.append(move)
                cells[move.y][move.x] = EMPTY_POINT
            assert field.completing_points(cells, stone) == expected
            found += len(expected)
    assert found > 50


def test_field_plays_one_of_the_highest_values_and_each_of_them_sometimes() -> None:
    cells = [row[:] for row in EMPTY]
    cells[4][4] = int(BLACK)
    highest = {Move(4, 3), Move(5, 4), Move(3, 5)}
    rng = random.Random(7)
    allowed = [*highest, Move(0, 0), Move(2, 4), Move(9, 9)]
    assert {field.choose(cells, WHITE, allowed, None, Move(4, 4), rng) for _ in range(60)} == highest


# --- all three: turned boards, swapped colours -----------------------------------------------------------------------


def all_grades(cells: Grid, color: Color) -> list[Grid]:
    return [winlines.grades(cells, color), chains.grades(cells, color), field.values(cells)]


@pytest.mark.parametrize("turned", [mirror, transpose, lambda grid: grid[::-1]], ids=["mirror", "transpose", "flip"])
def test_turning_the_board_turns_the_grades(turned: Callable[[Grid], Grid]) -> None:
    for cells in random_grids(8, 15):
        for color in Color:
            assert all_grades(turned(cells), color) == [turned(grid) for grid in all_grades(cells, color)]
        assert winlines.is_drawn(turned(cells)) is winlines.is_drawn(cells)


def test_turning_the_board_turns_potentials_and_completing_points() -> None:
    for cells in random_grids(9, 30):
        row, column, diagonal, antidiagonal = field.potentials(cells)
        assert field.potentials(transpose(cells)) == [transpose(grid) for grid in (column, row, diagonal, antidiagonal)]
        assert field.potentials(mirror(cells)) == [mirror(grid) for grid in (row, column, antidiagonal, diagonal)]
        for x, y in points_holding(cells, BLACK, WHITE):
            found = {Move(move.y, move.x) for move in field.completing_points(transpose(cells), Move(y, x))}
            assert found == set(field.completing_points(cells, Move(x, y)))


def test_swapping_the_colours_swaps_the_sides() -> None:
    for cells in random_grids(10, 15):
        swapped = swap_colors(cells)
        for color in Color:
            assert all_grades(swapped, color.other) == all_grades(cells, color)
            assert winlines.choose(swapped, color.other, []) == winlines.choose(cells, color, [])
            assert chains.choose(swapped, color.other, []) == chains.choose(cells, color, [])
        negative = [[[-potential for potential in row] for row in grid] for grid in field.potentials(cells)]
        assert field.potentials(swapped) == negative
        for stone in points_holding(cells, BLACK, WHITE):
            assert field.completing_points(swapped, stone) == field.completing_points(cells, stone)
            own, opposing = (stone, None) if cells[stone.y][stone.x] == BLACK else (None, stone)
            move = field.choose(cells, BLACK, [], own, opposing, random.Random(1))
            assert field.choose(swapped, WHITE, [], own, opposing, random.Random(1)) == move


# --- what is refused -------------------------------------------------------------------------------------------------

CHOOSE: dict[str, Callable[..., Move]] = {
    "winlines": lambda cells, allowed: winlines.choose(cells, BLACK, allowed),
    "chains": lambda cells, allowed: chains.choose(cells, BLACK, allowed),
    "field": lambda cells, allowed: field.choose(cells, BLACK, allowed, None, None, random.Random(1)),
}


@pytest.mark.parametrize("player", CHOOSE)
def test_no_move_on_a_full_board_nor_on_a_point_that_is_taken(player: str) -> None:
    with pytest.raises(ValueError, match="without an empty point"):
        CHOOSE[player](FULL, [])
    cells = [row[:] for row in EMPTY]
    cells[3][2] = WALL
    with pytest.raises(IllegalMoveError, match="2,3: not an empty point"):
        CHOOSE[player](cells, [Move(0, 0), Move(2, 3)])
    with pytest.raises(IllegalMoveError, match="10,3: not an empty point"):
        CHOOSE[player](cells, [Move(10, 3)])


@pytest.mark.parametrize("player", CHOOSE)
@pytest.mark.parametrize(
    ("cells", "word"),
    [
        ([], "5 to 22"),
        ([[0] * 4] * 5, "not 4 and 5"),
        ([[0] * 5] * 23, "not 5 and 23"),
        ([[0] * 5] * 5 + [[0] * 6], "row 5 has 6"),
        ([[0] * 5] * 5 + [[0, 0, 4, 0, 0]], "2,5 holds 4"),
    ],
)
def test_what_is_no_board(player: str, cells: Grid, word: str) -> None:
    with pytest.raises(InvalidPositionError, match=word):
        CHOOSE[player](cells, [])


@pytest.mark.parametrize("counted", [winlines.line_count, winlines.lines, chains.matrix])
def test_sizes_that_no_board_has(counted: Callable[[int, int], object]) -> None:
    for size in ((4, 5), (5, 4), (23, 5), (5, 23)):
        with pytest.raises(InvalidPositionError, match=f"{size[0]} and {size[1]}"):
            counted(*size)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"base": 1}, "base .* 1"),
        ({"base": 11}, "base .* 11"),
        ({"own": 0}, "0 and 1"),
        ({"opposing": 0}, "2 and 0"),
        ({"matrix": [[0] * 10] * 9}, "10 rows of 10"),
        ({"matrix": [[0] * 9] * 10}, "10 rows of 10"),
    ],
)
def test_numbers_that_chains_refuses(options: dict[str, object], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        chains.grades(EMPTY, BLACK, **options)


def test_what_else_is_refused() -> None:
    with pytest.raises(ValueError, match=r"five in all, not \[1, 2\]"):
        winlines.grades(EMPTY, BLACK, (1, 2))
    cells = [row[:] for row in EMPTY]
    cells[3][2] = int(WHITE)
    for stone in (Move(0, 0), Move(-1, 3), Move(10, 10)):
        with pytest.raises(ValueError, match="no stone stands at"):
            field.completing_points(cells, stone)
    with pytest.raises(ValueError, match="no black stone stands at 2,3"):
        field.choose(cells, BLACK, [], Move(2, 3), None, random.Random(1))
    with pytest.raises(ValueError, match="no black stone stands at 0,0"):
        field.choose(cells, WHITE, [], Move(2, 3), Move(0, 0), random.Random(1))
    for color in (0, 3):
        with pytest.raises(ValueError, match=str(color)):
            winlines.grades(EMPTY, color)
        with pytest.raises(ValueError, match=str(color)):
            chains.grades(EMPTY, color)
        with pytest.raises(ValueError, match=str(color)):
            field.choose(EMPTY, color, [], None, None, random.Random(1))
