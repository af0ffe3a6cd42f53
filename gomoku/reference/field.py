"""Influence fields: the slow twin of a classic opponent that completes fours and else plays where influence is strong.

Every stone radiates up to four steps along its row, its column and its two diagonals: 5 less the distance, positive
for black and negative for white. The four directions keep *potentials* of their own that are never mixed. Nothing
stops influence, neither stones nor walls. A point's *value* grows with the strength of its potentials, no matter
whose they are, so it is the same for both sides.

Boards are ``cells[y][x]``: 0 empty, 1 black, 2 white, 3 wall. Everything is counted anew from the board each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from gomoku.reference.cells import Cells, check_board, choices, content_at
from gomoku.types import BLACK, EMPTY_POINT, WHITE, Color, Move

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Row, column, diagonal and antidiagonal as ``(dx, dy)``, in the order of the potentials."""

REACH = 4
"""Steps that influence reaches."""

REPLACING = 0.6
"""Probability that an equal value met later replaces the best one so far."""


def potentials(cells: Cells) -> list[list[list[int]]]:
    """The potentials of every empty point by direction; 0 on all other points.

    Args:
        cells: the board.

    Returns:
        Four matrices ``[y][x]``, one for each of :data:`DIRECTIONS`; black counts positive, white negative.

    Raises:
        InvalidPositionError: ``cells`` is no board.

    Example:
        >>> board = [[0, 1, 0, 0, 2]] + [[0] * 5 for _ in range(4)]
        >>> row, column, diagonal, antidiagonal = potentials(board)
        >>> row[0], antidiagonal[1]
        ([3, 0, 1, -1, 0], [4, 0, 0, -4, 0])
    """
    width, height = check_board(cells)
    return [
        [[_potential(cells, Move(x, y), dx, dy) for x in range(width)] for y in range(height)] for dx, dy in DIRECTIONS
    ]


def values(cells: Cells) -> list[list[int]]:
    """The value of every empty point, the same for both sides; 0 on all other points.

    Each direction adds the size of its potential, doubled from 5 on, and doubled again if that makes 18 or more.

    Args:
        cells: the board.

    Returns:
        ``values[y][x]``, of the same shape as the board.

    Raises:
        InvalidPositionError: ``cells`` is no board.

    Example:
        >>> board = [[1, 1, 1, 0, 0]] + [[0] * 5 for _ in range(4)]
        >>> values(board)[0]
        [0, 0, 0, 36, 12]
    """
    width, height = check_board(cells)
    by_direction = potentials(cells)
    return [
        [sum(_strength(potential[y][x]) for potential in by_direction) for x in range(width)] for y in range(height)
    ]


def completing_points(cells: Cells, stone: Move) -> list[Move]:
    """The empty points next to the runs through a stone where one more stone of its side makes at least five.

    On each line through the stone, the first point on either side that is not of its colour is examined. It counts
    if it is empty and the run through the stone, together with the run directly beyond the point, has four stones
    or more. So a four is found from any of its stones through its gap, but not through two gaps.

    Args:
        cells: the board.
        stone: a point that holds a black or white stone.

    Returns:
        The points row by row from the top left.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        ValueError: no stone stands at the point.

    Example:
        >>> board = [[0, 1, 1, 0, 1, 1]] + [[0] * 6 for _ in range(4)]
        >>> completing_points(board, Move(1, 0))
        [Move(x=3, y=0)]
    """
    check_board(cells)
    side = content_at(cells, *stone)
    if side not in (BLACK, WHITE):
        raise ValueError(f"no stone stands at {stone.x},{stone.y}; name the last move of a side")
    found = []
    for dx, dy in (*DIRECTIONS, *((-dx, -dy) for dx, dy in DIRECTIONS)):
        behind = _run_beyond(cells, stone, -dx, -dy, side)
        ahead = _run_beyond(cells, stone, dx, dy, side)
        point = Move(stone.x + (ahead + 1) * dx, stone.y + (ahead + 1) * dy)
        beyond = _run_beyond(cells, point, dx, dy, side)
        if content_at(cells, *point) == EMPTY_POINT and behind + 1 + ahead + beyond >= 4:
            found.append(point)
    return sorted(found, key=lambda point: (point.y, point.x))


def choose(  # noqa: PLR0917 -- the interface all classic opponents share, then what only this one asks for
    cells: Cells,
    color: Color,
    allowed: Iterable[Move],
    last_own: Move | None,
    last_opposing: Move | None,
    rng: random.Random,
) -> Move:
    """The move of a side: complete an own four, else stop one of the opponent's, else play the highest value.

    Only fours through the last stones are seen. Values are compared row by row from the top left; each value equal
    to the best one so far draws a number and replaces the best if that is below :data:`REPLACING`. On a board
    without stones the centre, column ``width // 2`` and row ``height // 2``, is played without a draw, if allowed.

    Args:
        cells: the board.
        color: the side to move.
        allowed: the empty points it may play, in any order; when there are none, every empty point is considered.
        last_own: the last stone of ``color``, if it has one.
        last_opposing: the last stone of the opponent, if he has one.
        rng: the source of chance.

    Raises:
        InvalidPositionError: ``cells`` is no board.
        IllegalMoveError: a point of ``allowed`` is not an empty point of the board.
        ValueError: no point is empty, ``color`` is no side, or a last stone is not of its side.

    Example:
        >>> board = [[0, 1, 1, 1, 1, 0]] + [[0] * 6 for _ in range(4)]
        >>> choose(board, Color.WHITE, [], None, Move(1, 0), random.Random(1))
        Move(x=0, y=0)
    """
    width, height = check_board(cells)
    color = Color(color)
    points = choices(cells, allowed)
    for last, side in ((last_own, color), (last_opposing, color.other)):
        if last is None:
            continue
        if content_at(cells, *last) != side:
            raise ValueError(
                f"no {side.name.lower()} stone stands at {last[0]},{last[1]}; name the last stone of that side"
            )
        for point in completing_points(cells, last):
            if point in points:
                return point
    centre = Move(width // 2, height // 2)
    if centre in points and not any(content in (BLACK, WHITE) for row in cells for content in row):
        return centre
    return _highest(points, values(cells), rng)


def _highest(points: list[Move], value: list[list[int]], rng: random.Random) -> Move:
    best = points[0]
    for point in points[1:]:
        new, old = value[point.y][point.x], value[best.y][best.x]
        if new > old or (new == old and rng.random() < REPLACING):
            best = point
    return best


def _potential(cells: Cells, point: Move, dx: int, dy: int) -> int:
    if content_at(cells, *point) != EMPTY_POINT:
        return 0
    total = 0
    for distance in range(1, REACH + 1):
        for way in (-distance, distance):
            content = content_at(cells, point.x + way * dx, point.y + way * dy)
            if content == BLACK:
                total += REACH + 1 - distance
            elif content == WHITE:
                total -= REACH + 1 - distance
    return total


def _strength(potential: int) -> int:
    strength = abs(potential)
    if strength >= 5:
        strength *= 2
    if strength >= 18:
        strength *= 2
    return strength


def _run_beyond(cells: Cells, point: Move, dx: int, dy: int, side: int) -> int:
    """How many stones of a side follow directly after a point in one direction."""
    length = 0
    while content_at(cells, point.x + (length + 1) * dx, point.y + (length + 1) * dy) == side:
        length += 1
    return length
