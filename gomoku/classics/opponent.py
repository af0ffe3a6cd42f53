"""What the three opponents have in common: an engine's methods around a compiled grader."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gomoku._core.board import Board
from gomoku.classics._grader import Grader
from gomoku.info import Analysis, Info, Limit, PlayResult, PovScore, Score
from gomoku.types import Color, Move

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

HIGHEST_SCORE = 6_000
"""Heuristic scores stay within it; see :data:`gomoku.info.MATE_BAND`."""


class Classic:
    """An opponent that grades the empty points and plays the best one.

    Args:
        blunder: probability of playing some other point within two steps of a stone instead of the best one.
        seed: where its chance begins; the same seed means the same moves, ``None`` new ones every time.

    Attributes:
        name: what command lines and files call it.
        title: its name for people.
        description: one line for somebody who is new to it.

    Raises:
        ValueError: ``blunder`` is no probability.

    Thread-safety: an opponent belongs to one thread at a time; :meth:`stop` and :meth:`set_limit` may be called from
    others.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    description: ClassVar[str]

    _grader: Grader
    _unit: ClassVar[int] = 1
    """What a grade is divided by to become a score."""

    def __init__(self, *, blunder: float = 0.0, seed: int | None = 0) -> None:
        if not 0 <= blunder <= 1:
            raise ValueError(f"a probability of {blunder} for a blunder is impossible; give 0 to 1")
        self.blunder = blunder
        self.seed = seed
        self.new_game()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make another opponent like this one."""
        return {"blunder": self.blunder, "seed": self.seed}

    def softened(self, share: float, seed: int | None = 0) -> Self:
        """Return an opponent like this one that blunders.

        Args:
            share: probability of a blunder, at each move.
            seed: where its chance begins.

        Raises:
            ValueError: ``share`` is no probability.

        Example:
            >>> from gomoku.classics import Chains
            >>> board = Board.from_text("h8a1h9a2h10a3", origin="top")
            >>> Chains().softened(1.0, seed=3).choose(board) == Chains().choose(board)
            False
        """
        return type(self)(**{**self.parameters, "blunder": share, "seed": seed})

    # --- What it thinks of a position ---

    def grades(self, board: Board, color: Color | None = None) -> NDArray[numpy.int64]:
        """Return what every point is worth to a side.

        Args:
            board: the position.
            color: the side; the one to move when left out.

        Returns:
            Grades of shape ``(height, width)``, int64; 0 where no stone can be put.

        Example:
            >>> from gomoku.classics import WinLines
            >>> grades = WinLines().grades(Board(10))
            >>> grades.shape, int(grades[0, 0]), int(grades[4, 4])
            ((10, 10), 3, 20)
        """
        import numpy as np  # noqa: PLC0415  # a brain must start without it

        side = board.turn if color is None else Color(color)
        self._prepare(board, side)
        packed = self._grader.grades(board, side)
        return np.frombuffer(packed, np.int64).reshape(board.height, board.width)

    def choose(self, board: Board) -> Move:
        """Return the point to play for the side to move, legal whenever a legal one exists.

        A finished game is played on as if it had not ended.

        Raises:
            GomokuError: the board is full.
        """
        self._prepare(board, board.turn)
        move = self._grader.choose(board)
        if self.blunder and self._chance.random() < self.blunder:
            others = [near for near in self._grader.near(board) if near != move]
            return self._chance.choice(others) if others else move
        return move

    def _prepare(self, board: Board, color: Color) -> None:
        """Make the grader ready to look at a position for a side; most are."""

    # --- The methods of an engine ---

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        on_info: Callable[[Info], None] | None = None,
        start_ns: int | None = None,
        armed: bool = False,
    ) -> PlayResult:
        """Choose a move for the side to move, at once.

        Args:
            board: the position; a finished game is played on as if it had not ended.
            limit: taken for granted: a move takes less than a millisecond.
            multipv: lines to return: the move chosen, then the best of the other points by their grades.
            on_info: called with every line, from this thread.
            start_ns: the ``time.monotonic_ns`` at which the clock began to run; now when left out.
            armed: makes no difference here.

        Returns:
            The move and its line, of depth 1. The score is the grade, which rises with hope and danger alike and is no
            forecast; it stays within +-6000. The nodes are the points that were graded.

        Raises:
            GomokuError: the board is full.

        Example:
            >>> from gomoku.classics import Chains
            >>> result = Chains().play(Board.from_text("h8a1h9a2h10a3", origin="top"), Limit())
            >>> result.move.text, str(result.info.score.relative), result.info.nodes
            ('h7', '1998', 219)
        """
        lines = self._lines(board, multipv, start_ns)
        if on_info:
            for info in lines:
                on_info(info)
        return PlayResult(lines[0].pv[0], tuple(lines))

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the move it would play and the best of the other points; see :meth:`play`."""
        return self._lines(board, multipv, None)

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Return its only opinion of a position as a running analysis."""

        def updates() -> Generator[list[Info], None, None]:
            yield self._lines(board, multipv, None)

        return Analysis(updates(), self.stop)

    def new_game(self) -> None:
        """Begin its chance anew, so that the next game is as repeatable as the first."""
        # A stream of its own, so that blunders change no other draws.
        self._chance = random.Random(None if self.seed is None else f"blunders {self.seed}")

    def configure(self, options: Mapping[str, int]) -> None:
        """Accept the memory settings of an engine, of which an opponent without memory keeps none.

        Raises:
            ValueError: another name than ``hash_size`` and ``max_memory``.
        """
        unknown = options.keys() - {"hash_size", "max_memory"}
        if unknown:
            raise ValueError(f"unknown option {min(unknown)!r}; known options: hash_size, max_memory")

    def arm(self) -> None:
        """Get ready to be stopped: nothing to do, a move is made before anybody could."""

    def stop(self) -> None:
        """End the running search: nothing to do, it is over in less than a millisecond."""

    def set_limit(self, limit: Limit) -> None:
        """Change the time limits of the running search: nothing to do, as for :meth:`stop`."""

    def close(self) -> None:
        """Give back what it holds: nothing but itself."""

    def _lines(self, board: Board, multipv: int, start_ns: int | None) -> list[Info]:
        start = time.monotonic_ns() if start_ns is None else start_ns
        move = self.choose(board)
        graded = [(self._grader.worth(board, move), move)]
        if multipv > 1:
            graded += [line for line in self._grader.ranked(board) if line[1] != move][: multipv - 1]
        seconds = (time.monotonic_ns() - start) / 1e9
        return [
            Info(1, 1, PovScore(self._score(worth), board.turn), (point,), self._grader.graded, seconds, rank)
            for rank, (worth, point) in enumerate(graded, start=1)
        ]

    def _score(self, worth: int) -> Score:
        return Score(points=max(-HIGHEST_SCORE, min(HIGHEST_SCORE, worth // self._unit)))
