"""The three opponents: what each looks for, and the parameters of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from gomoku._core.board import Board
from gomoku.classics._chains import UNIT, ChainGrades
from gomoku.classics._field import Potentials
from gomoku.classics._winlines import LineCounts
from gomoku.classics.opponent import Classic
from gomoku.types import EMPTY_POINT, WALL, Color, Move

Matrix = Sequence[Sequence[int]]
"""Integers by row and column: ``matrix[y][x]``."""

Renewal = Callable[[Matrix, list[list[int]], Move], Matrix]
"""From a matrix, the cells of the board (``cells[y][x]``; 0 empty, 1 black, 2 white, 3 wall) and the opposing move just
made there to the matrix that holds from then on."""

_LARGEST_VALUE = 10**12
_LARGEST_FACTOR = 10_000


class WinLines(Classic):
    """Counts the lines of five that are still open.

    A line without an opposing stone is worth the more the more own stones it holds. Of the best point for itself and
    the best point for the other side it plays the one that is worth more; its own has to be strictly better.

    Args:
        values: what a line adds to the grade of its empty points with 0, 1, 2, 3 and 4 own stones in it, each 0 to
            10**12.
        blunder: see :class:`gomoku.classics.Classic`.
        seed: see there.

    Raises:
        ValueError: other than five values, one out of range, or ``blunder`` is no probability.

    Example:
        >>> WinLines().choose(Board.from_text("h8i9", origin="top")).text
        'j9'
    """

    name = "winlines"
    title = "Winning lines"
    description = "Counts the lines of five that are still open, then builds its best one or blocks yours."

    def __init__(
        self,
        *,
        values: Sequence[int] = (1, 10, 100, 1_000, 10_000),
        blunder: float = 0.0,
        seed: int | None = 0,
    ) -> None:
        self.values = tuple(values)
        for value in self.values:
            if not 0 <= value <= _LARGEST_VALUE:
                raise ValueError(f"a line's value of {value} is out of range; it must be 0 to {_LARGEST_VALUE}")
        self._grader: LineCounts = LineCounts(self.values)
        super().__init__(blunder=blunder, seed=seed)

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make another opponent like this one."""
        return {"values": self.values, **super().parameters}

    def is_won(self, board: Board, color: Color) -> bool:
        """Return whether any line holds five stones of a side, whatever the rule says of longer rows."""
        self._grader.synchronise(board)
        return self._grader.full_lines(Color(color)) > 0

    def is_drawn(self, board: Board) -> bool:
        """Return whether nobody has won and nobody can: the board is full, or no line is open to either side.

        Example:
            >>> WinLines().is_drawn(Board(5))
            False
        """
        self._grader.synchronise(board)
        # A full line is live as well, and on a full board no other line is.
        return not any(self._grader.live_lines(color) for color in Color)


class Chains(Classic):
    """Follows the chains of stones that touch a point; every stone more makes a chain ten times as good.

    A positional matrix that grows from the edge to the middle decides between points of equal chains.

    Args:
        base: what a stone more multiplies a chain's share by, 2 to 10.
        own: factor of its own chains, 1 to 10000.
        opposing: factor of the other side's chains, 1 to 10000.
        renew: gives another matrix after every opposing move; ``None`` keeps it as it is.
        blunder: see :class:`gomoku.classics.Classic`.
        seed: see there.

    Raises:
        ValueError: a parameter is out of range; later, a renewed matrix does not fit the board.

    Example:
        >>> Chains().choose(Board.from_text("h8i9", origin="top")).text
        'i8'
        >>> def flat(matrix: Matrix, cells: list[list[int]], move: Move) -> Matrix:
        ...     return [[0] * len(row) for row in matrix]
        >>> int(Chains(renew=flat).grades(Board.from_text("h8", origin="top"))[0, 0])
        0
    """

    name = "chains"
    title = "Chains"
    description = "Follows the rows of stones next to a point: each stone more counts ten times as much."
    _unit = UNIT

    def __init__(
        self,
        *,
        base: int = 10,
        own: int = 2,
        opposing: int = 1,
        renew: Renewal | None = None,
        blunder: float = 0.0,
        seed: int | None = 0,
    ) -> None:
        if not 2 <= base <= 10:
            raise ValueError(f"a base of {base} is out of range; it must be 2 to 10")
        for side, factor in (("own", own), ("opposing", opposing)):
            if not 1 <= factor <= _LARGEST_FACTOR:
                raise ValueError(f"a factor {side}={factor} is out of range; it must be 1 to {_LARGEST_FACTOR}")
        self.base = base
        self.own = own
        self.opposing = opposing
        self.renew = renew
        self._grader: ChainGrades = ChainGrades(base, own, opposing)
        super().__init__(blunder=blunder, seed=seed)

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make another opponent like this one."""
        own = {"base": self.base, "own": self.own, "opposing": self.opposing, "renew": self.renew}
        return {**own, **super().parameters}

    def new_game(self) -> None:
        """Begin with the first matrix and its chance anew."""
        super().new_game()
        self._matrix: Matrix = ()
        self._matrix_of: object = None
        self._renewed_after: list[tuple[Move, int]] = []

    def _prepare(self, board: Board, color: Color) -> None:
        """Bring the matrix to where the opposing moves have taken it by now."""
        width, height = board.width, board.height
        known = (width, height) if self.renew is None else (width, height, color, board.walls())
        played = [] if self.renew is None else [(move, int(board.stone(move) or 0)) for move in board.move_stack]
        if known == self._matrix_of and played == self._renewed_after:
            return
        begun = known != self._matrix_of or played[: len(self._renewed_after)] != self._renewed_after
        matrix = positional_matrix(width, height) if begun else self._matrix
        for ply in range(0 if begun else len(self._renewed_after), len(played)):
            move, stone = played[ply]
            if self.renew is not None and stone != color:
                matrix = self.renew(matrix, _cells(board, played[: ply + 1]), move)
        self._grader.set_matrix(matrix, width, height)
        # Only now: a renewal that raises must not count, or the next try would renew twice.
        self._matrix, self._matrix_of, self._renewed_after = matrix, known, played


class Field(Classic):
    """Lets every stone shed influence along its four lines, and completes or stops fives.

    A point is worth more where the stones of one line add up. Among equal points chance decides.

    Args:
        seed: where its chance begins; see :class:`gomoku.classics.Classic`.
        blunder: see there.

    Raises:
        ValueError: ``blunder`` is no probability.

    Example:
        >>> Field().choose(Board(19)).text
        'j10'
        >>> Field().choose(Board.from_text("h8a1i8a2j8", origin="top")).text
        'g8'
    """

    name = "field"
    title = "Influence fields"
    description = "Feels how strongly the stones of each row pull at a point, but first completes or stops a five."

    def __init__(self, *, seed: int | None = 0, blunder: float = 0.0) -> None:
        self._ties = random.Random()
        self._grader: Potentials = Potentials(self._ties.random)
        super().__init__(blunder=blunder, seed=seed)

    def new_game(self) -> None:
        """Begin its chance anew, so that the next game is as repeatable as the first."""
        super().new_game()
        self._ties.seed(self.seed)


def positional_matrix(width: int, height: int) -> list[list[int]]:
    """Return the matrix that chains begins with: 1 at an edge and one more with each step to the middle, both ways.

    Example:
        >>> positional_matrix(5, 5)[0], max(max(row) for row in positional_matrix(10, 10))
        ([2, 3, 4, 3, 2], 10)
    """
    columns, rows = ([min(place, size - 1 - place) + 1 for place in range(size)] for size in (width, height))
    return [[column + row for column in columns] for row in rows]


def _cells(board: Board, played: list[tuple[Move, int]]) -> list[list[int]]:
    """The board's cells when only these stones had been played."""
    cells = [[EMPTY_POINT] * board.width for _ in range(board.height)]
    for wall in board.walls():
        cells[wall.y][wall.x] = WALL
    for move, stone in played:
        cells[move.y][move.x] = stone
    return cells
