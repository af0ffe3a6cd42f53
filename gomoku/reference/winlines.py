"""Counting winning lines: the slow twin of a classic opponent that grades points by the lines still open through them.

A *line* is five consecutive points in a row, a column or a diagonal. It is *alive* for a side as long as it holds
neither a wall nor an opposing stone. An empty point's *grade* for a side adds up one value for each of that side's
live lines through it, the more the more of the side's stones the line already holds.

Boards are ``cells[y][x]``: 0 empty, 1 black, 2 white, 3 wall. Everything is counted anew from the board each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gomoku.reference.cells import Cells, check_board, check_size, choices
from gomoku.types import EMPTY_POINT, WALL, Color, Move

Line: TypeAlias = tuple[Move, ...]

LENGTH = 5
"""Points of a winning line."""

VALUES = (1, 10, 100, 1000, 10_000)
"""What a live line with 0, 1, 2, 3 and 4 own stones adds to the grade of its empty points."""

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Row, column, falling diagonal, rising diagonal as ``(dx, dy)``."""


def line_count(width: int, height: int) -> int:
    """The number of winning lines of a board, by formula: rows, columns, and the two families of diagonals.

    Args:
        width: columns, 5 to 22.
        height: rows, 5 to 22.

    Raises:
        InvalidPositionError: a side is out of range.

    Example:
        >>> line_count(10, 10)
        192
    """
    check_size(width, height)
    across, down = width - LENGTH + 1, height - LENGTH + 1
    return across * height + width * down + 2 * across * down


def lines(width: int, height: int) -> list[Line]:
    """All winning lines of a board, each from its left end (a column: its top end) to the other.

    They are ordered by their first point, row by row, and then by :data:`DIRECTIONS`.

    Args:
        width: columns, 5 to 22.
        height: rows, 5 to 22.

    Raises:
        InvalidPositionError: a side is out of range.

    Example:
        >>> len(lines(10, 10)) == line_count(10, 10)
        True
        >>> [str(move) for move in lines(5, 5)[0]]
        ['0,0', '1,0', '2,0', '3,0', '4,0']
    """
    check_size(width, height)
    found = []
    for y in range(height):
        for x in range(width):
            for dx, dy in DIRECTIONS:
                line = tuple(Move(x + step * dx, y + step * dy) for step in range(LENGTH))
                if 0 <= line[-1].x < width and 0 <= line[-1].y < height:
                    found.append(line)
    return found


def grades(cells: Cells, color: Color, values: Sequence[int] = VALUES) -> list[list[int]]:
    """The grade of every empty point for one side; 0 on all other points.

    Args:
        cells: the board.
        color: the side.
        values: what a live line with 0, 1, 2, 3 and 4 stones of the side adds.

    Returns:
        ``grades[y][x]``, of the same shape as the board.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        ValueError: ``color`` is no side, or there are not five values.

    Example:
        >>> empty = [[0] * 10 for _ in range(10)]
        >>> grades(empty, Color.BLACK)[0][:5]
        [3, 4, 5, 6, 8]
    """
    width, height = check_board(cells)
    color = Color(color)
    if len(values) != LENGTH:
        raise ValueError(f"values are needed for 0 to 4 stones of a line, five in all, not {list(values)}")
    grade = [[0] * width for _ in range(height)]
    for line in lines(width, height):
        if _is_alive(cells, line, color):
            for x, y in line:
                if cells[y][x] == EMPTY_POINT:
                    grade[y][x] += values[_count(cells, line, color)]
    return grade


def choose(cells: Cells, color: Color, allowed: Iterable[Move], values: Sequence[int] = VALUES) -> Move:
    """The move of a side: its own best point, unless the opponent's best point is worth as much or more.

    Args:
        cells: the board.
        color: the side to move.
        allowed: the empty points it may play, in any order; when there are none, every empty point is considered.
        values: as in :func:`grades`.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        IllegalMoveError: a point of ``allowed`` is not an empty point of the board.
        ValueError: no point is empty, or as in :func:`grades`.

    Example:
        >>> empty = [[0] * 10 for _ in range(10)]
        >>> choose(empty, Color.BLACK, [])
        Move(x=4, y=4)
    """
    color = Color(color)
    points = choices(cells, allowed)
    own = grades(cells, color, values)
    opposing = grades(cells, color.other, values)
    attack = max(points, key=lambda point: own[point.y][point.x])  # the first of several equal ones
    defence = max(points, key=lambda point: opposing[point.y][point.x])
    return attack if own[attack.y][attack.x] > opposing[defence.y][defence.x] else defence


def winner(cells: Cells) -> Color | None:
    """The side that holds all five points of a line, the first such line deciding; ``None`` if no side does.

    Args:
        cells: the board.

    Raises:
        InvalidPositionError: ``cells`` is no board.

    Example:
        >>> board = [[2] * 5] + [[0] * 5 for _ in range(4)]
        >>> winner(board)
        <Color.WHITE: 2>
    """
    for line in lines(*check_board(cells)):
        for color in Color:
            if _count(cells, line, color) == LENGTH:
                return color
    return None


def is_drawn(cells: Cells) -> bool:
    """Whether no side can win any more: the board is full without a win, or no line is alive for either side.

    Args:
        cells: the board.

    Raises:
        InvalidPositionError: ``cells`` is no board.

    Example:
        >>> is_drawn([[0] * 5 for _ in range(5)]), is_drawn([[3] * 5 for _ in range(5)])
        (False, True)
    """
    # One question suffices: a won line is alive, and on a full board no other line is.
    return not any(_is_alive(cells, line, color) for line in lines(*check_board(cells)) for color in Color)


def _is_alive(cells: Cells, line: Line, color: Color) -> bool:
    return _count(cells, line, color.other) == 0 and _count(cells, line, WALL) == 0


def _count(cells: Cells, line: Line, content: int) -> int:
    return sum(cells[y][x] == content for x, y in line)
