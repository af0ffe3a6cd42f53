"""Adjoining chains: the slow twin of a classic opponent with a priority matrix and exponential coefficients.

A *chain* of an empty point is the stones of one colour that adjoin it, one after the other, in one of the eight
directions. Each further stone of a chain is worth ``base`` times the one before. The *matrix* prefers the middle of
the board and only decides between points with equal chains.

Boards are ``cells[y][x]``: 0 empty, 1 black, 2 white, 3 wall. Everything is counted anew from the board each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gomoku.reference.cells import Cells, check_board, check_size, choices, content_at, empty_points
from gomoku.types import BLACK, WHITE, Color, Move

Matrix: TypeAlias = Sequence[Sequence[int]]

DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""The eight directions as ``(dx, dy)``."""

LONGEST = 12
"""Stones of a chain that count; further ones add nothing."""

MATRIX_STEPS = 64
"""What one unit of chains is worth in units of the matrix; more than the highest entry of :func:`matrix`, 22."""


def matrix(width: int, height: int) -> list[list[int]]:
    """The positional matrix of a board: the distance from the nearest side edge plus that from top or bottom.

    Distances count from 1 at the edge, so a corner has 2.

    Args:
        width: columns, 5 to 22.
        height: rows, 5 to 22.

    Returns:
        ``matrix[y][x]``.

    Raises:
        InvalidPositionError: a side is out of range.

    Example:
        >>> matrix(6, 5)[2]
        [4, 5, 6, 6, 5, 4]
        >>> max(map(max, matrix(10, 10)))
        10
    """
    check_size(width, height)
    return [[column + row for column in _coefficients(width)] for row in _coefficients(height)]


_default_matrix = matrix  # below, a parameter hides the function's name


def grades(
    cells: Cells, color: Color, *, matrix: Matrix | None = None, base: int = 10, own: int = 2, opposing: int = 1
) -> list[list[int]]:
    """The grade of every empty point for one side; 0 on all other points.

    Args:
        cells: the board.
        color: the side.
        matrix: an entry for every point, ``matrix[y][x]``; by default that of :func:`matrix`.
        base: how many times as much a chain is worth with each further stone, 2 to 10.
        own: factor of the side's own chains, at least 1.
        opposing: factor of the opponent's chains, at least 1.

    Returns:
        ``grades[y][x]``, of the same shape as the board: 64 times the chains' worth plus the matrix's entry.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        ValueError: ``color`` is no side, a number is out of range, or the matrix does not fit the board.

    Example:
        >>> board = [[0, 0, 1, 1, 0]] + [[0] * 5 for _ in range(4)]
        >>> grades(board, Color.BLACK)[0] == [2, 198 * 64 + 3, 0, 0, 198 * 64 + 2]
        True
    """
    width, height = check_board(cells)
    color = Color(color)
    _check_numbers(base, own, opposing)
    entries = _default_matrix(width, height) if matrix is None else matrix
    if [len(row) for row in entries] != [width] * height:
        raise ValueError(
            f"the matrix has {[len(row) for row in entries]} entries by row; give {height} rows of {width}"
        )
    grade = [[0] * width for _ in range(height)]
    for point in empty_points(cells):
        total = 0
        for dx, dy in DIRECTIONS:
            side, length = _chain(cells, point, dx, dy)
            total += (own if side == color else opposing) * _worth(length, base)
        grade[point.y][point.x] = total * MATRIX_STEPS + entries[point.y][point.x]
    return grade


def choose(
    cells: Cells,
    color: Color,
    allowed: Iterable[Move],
    *,
    matrix: Matrix | None = None,
    base: int = 10,
    own: int = 2,
    opposing: int = 1,
) -> Move:
    """The move of a side: the point with the highest grade, the first in rows from the top left if several have it.

    Args:
        cells: the board.
        color: the side to move.
        allowed: the empty points it may play, in any order; when there are none, every empty point is considered.
        matrix: as in :func:`grades`.
        base: as in :func:`grades`.
        own: as in :func:`grades`.
        opposing: as in :func:`grades`.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        IllegalMoveError: a point of ``allowed`` is not an empty point of the board.
        ValueError: no point is empty, or as in :func:`grades`.

    Example:
        >>> empty = [[0] * 10 for _ in range(10)]
        >>> choose(empty, Color.BLACK, [])
        Move(x=4, y=4)
    """
    grade = grades(cells, color, matrix=matrix, base=base, own=own, opposing=opposing)
    return max(choices(cells, allowed), key=lambda point: grade[point.y][point.x])  # the first of several equal ones


def _coefficients(length: int) -> list[int]:
    return [min(index, length - 1 - index) + 1 for index in range(length)]


def _chain(cells: Cells, point: Move, dx: int, dy: int) -> tuple[int, int]:
    """What adjoins a point in one direction, and how many stones of that colour in a row, 0 if it is no stone."""
    side = content_at(cells, point.x + dx, point.y + dy)
    length = 0
    if side in (BLACK, WHITE):
        while content_at(cells, point.x + (length + 1) * dx, point.y + (length + 1) * dy) == side:
            length += 1
    return side, length


def _worth(length: int, base: int) -> int:
    """The worth of a chain without its side's factor: 9, then 90 more, then 900 more for base 10."""
    return sum(base**number - base ** (number - 1) for number in range(1, min(length, LONGEST) + 1))


def _check_numbers(base: int, own: int, opposing: int) -> None:
    if not 2 <= base <= 10:
        raise ValueError(f"base must be 2 to 10, not {base}")
    if own < 1 or opposing < 1:
        raise ValueError(f"the factors own and opposing must be at least 1, not {own} and {opposing}")
