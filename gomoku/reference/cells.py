"""What the slow twins of the classics share: boards as rows of numbers, and what may be done with them.

``cells[y][x]`` is 0 for an empty point, 1 for black, 2 for white, 3 for a wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gomoku.types import (
    BLACK,
    EMPTY_POINT,
    MAX_SIZE,
    MIN_SIZE,
    WALL,
    WHITE,
    IllegalMoveError,
    InvalidPositionError,
    Move,
)

Cells: TypeAlias = Sequence[Sequence[int]]


def check_board(cells: Cells) -> tuple[int, int]:
    """Return columns and rows of a board.

    Raises:
        InvalidPositionError: it is none.
    """
    height = len(cells)
    width = len(cells[0]) if height else 0
    check_size(width, height)
    for y, row in enumerate(cells):
        if len(row) != width:
            raise InvalidPositionError(f"row {y} has {len(row)} points instead of {width}; make all rows equally long")
        for x, content in enumerate(row):
            if content not in (EMPTY_POINT, BLACK, WHITE, WALL):
                raise InvalidPositionError(f"{x},{y} holds {content!r}; use 0 (empty), 1 (black), 2 (white), 3 (wall)")
    return width, height


def check_size(width: int, height: int) -> None:
    """Raise InvalidPositionError for sides that no board has."""
    if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
        raise InvalidPositionError(f"a board has {MIN_SIZE} to {MAX_SIZE} columns and rows, not {width} and {height}")


def content_at(cells: Cells, x: int, y: int) -> int:
    """Return what stands at a point; everything outside the board is a wall."""
    return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells[y]) else WALL


def empty_points(cells: Cells) -> list[Move]:
    """Return the empty points row by row."""
    return [Move(x, y) for y, row in enumerate(cells) for x, content in enumerate(row) if content == EMPTY_POINT]


def choices(cells: Cells, allowed: Iterable[Move]) -> list[Move]:
    """Return the allowed points row by row, or all empty ones if there are none.

    Raises:
        InvalidPositionError: the cells are no board.
        ValueError: the board is full.
        IllegalMoveError: an allowed point is not empty.
    """
    check_board(cells)
    empty = empty_points(cells)
    if not empty:
        raise ValueError("there is no move on a board without an empty point; test that before asking")
    wanted = {Move(*move) for move in allowed}
    for move in sorted(wanted.difference(empty)):
        raise IllegalMoveError(move, "not an empty point of this board, so it cannot be allowed")
    return [point for point in empty if point in wanted] or empty
