"""Words for analysis: how long to think, what was found, what it is worth.

Floor 0. The shapes and names follow python-chess, so that code for one game reads like code for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import total_ordering
from typing import NamedTuple, Self

from gomoku.types import Color, GomokuError, Move

MATE_SCORE = 30_000
"""Integer score of a win on the spot; a win in n plies scores ``MATE_SCORE - n``."""

MATE_BAND = MATE_SCORE - 500
"""Scores at or beyond this are proven wins (negative: losses); heuristic scores stay inside."""


class Limit(NamedTuple):
    """How long a search may run; ``None`` means no limit of that kind.

    Attributes:
        time: seconds for this move.
        match_time: seconds for the whole game.
        time_left: seconds left of the match time; may be negative when it is overdrawn.
        increment: seconds added to the clock after each move.
        depth: plies of nominal search depth.
        nodes: positions to search.

    Example:
        >>> Limit(nodes=10_000).time is None
        True
    """

    time: float | None = None
    match_time: float | None = None
    time_left: float | None = None
    increment: float = 0.0
    depth: int | None = None
    nodes: int | None = None


@total_ordering
class Score:
    """A value from one side's view, ordered from lost to won. Immutable by convention.

    Exactly one meaning holds: ``mate`` is ``None`` and ``points`` is a heuristic score, or ``mate`` counts the plies
    to the end (positive: this side wins; negative: it loses).

    Args:
        points: heuristic score; 200 are one unit of log odds.
        mate: plies to the end of a proven game.

    Example:
        >>> Score.from_int(29_993)
        Score('+M7')
        >>> Score.from_int(120) < Score.from_int(29_993)
        True
        >>> -Score.from_int(29_993)
        Score('-M7')
    """

    __slots__ = ("mate", "points")

    def __init__(self, points: int = 0, mate: int | None = None) -> None:
        self.points = points
        self.mate = mate

    @classmethod
    def from_int(cls, value: int) -> Score:
        """Return the score for a search value (see ``MATE_SCORE``)."""
        if value >= MATE_BAND:
            return cls(mate=MATE_SCORE - value)
        if value <= -MATE_BAND:
            return cls(mate=-(MATE_SCORE + value))
        return cls(points=value)

    def to_int(self) -> int:
        """Return the search value; the inverse of :meth:`from_int`."""
        if self.mate is None:
            return self.points
        return MATE_SCORE - self.mate if self.mate > 0 else -MATE_SCORE - self.mate

    @classmethod
    def from_text(cls, text: str) -> Score:
        """Return the score of a progress line; the inverse of ``str``.

        Args:
            text: ``120``, ``-3.5`` (rounded) or ``+M7``; the engine that wrote it may count in other units than ours.

        Raises:
            ValueError: the text is no score.

        Example:
            >>> Score.from_text("-M6"), Score.from_text("120")
            (Score('-M6'), Score('120'))
        """
        sign, _, plies = text.upper().partition("M")
        if plies:
            return cls(mate=-int(plies) if sign == "-" else max(1, int(plies)))
        points = float(text)
        if abs(points) == float("inf"):
            raise ValueError(f"{text!r} is no score")
        return cls(points=round(points))

    def __neg__(self) -> Score:
        return Score(points=-self.points, mate=None if self.mate is None else -self.mate)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.to_int() == other.to_int()

    def __lt__(self, other: Score) -> bool:
        return self.to_int() < other.to_int()

    def __hash__(self) -> int:
        return hash(self.to_int())

    def __str__(self) -> str:
        """Return ``120``, ``+M7`` or ``-M6``, the form of the progress lines."""
        if self.mate is None:
            return str(self.points)
        return f"+M{self.mate}" if self.mate > 0 else f"-M{-self.mate}"

    def __repr__(self) -> str:
        return f"Score({str(self)!r})"


class PovScore(NamedTuple):
    """A score together with the side it belongs to.

    Example:
        >>> PovScore(Score(points=50), Color.WHITE).black()
        Score('-50')
    """

    relative: Score
    turn: Color

    def pov(self, color: Color) -> Score:
        """Return the score from this side's view."""
        return self.relative if color == self.turn else -self.relative

    def black(self) -> Score:
        """Return the score from black's view."""
        return self.pov(Color.BLACK)

    def white(self) -> Score:
        """Return the score from white's view."""
        return self.pov(Color.WHITE)


class Info(NamedTuple):
    """What one finished iteration of the search knows.

    Attributes:
        depth: nominal depth in plies.
        seldepth: deepest ply reached.
        score: value for the side to move.
        pv: principal variation, the expected moves from the root on.
        nodes: positions searched since the search began.
        time: seconds since the search began.
        multipv: rank of this line among the root moves, 1 for the best.
    """

    depth: int
    seldepth: int
    score: PovScore
    pv: tuple[Move, ...]
    nodes: int
    time: float
    multipv: int = 1

    @property
    def nps(self) -> float:
        """Positions searched per second."""
        return self.nodes / self.time if self.time > 0 else 0.0


class PlayResult(NamedTuple):
    """A chosen move and what is known about it.

    Attributes:
        move: the point to play.
        lines: the last lines known, best first; empty if a brain played without a word.
    """

    move: Move
    lines: tuple[Info, ...] = ()

    @property
    def info(self) -> Info:
        """The best line; its ``pv`` starts with ``move`` as far as the engine says so.

        Raises:
            GomokuError: nothing is known; look at ``lines`` first.
        """
        if not self.lines:
            raise GomokuError(f"the engine said nothing about its move {self.move.text}; test 'lines' first")
        return self.lines[0]


class Swap2Choice(NamedTuple):
    """An answer in the swap2 opening.

    Attributes:
        moves: the stones to put: three that are offered, or one or two more.
        swap: whether the other colour is taken instead; there are no moves then.
    """

    moves: tuple[Move, ...] = ()
    swap: bool = False


class Solution(NamedTuple):
    """What a solver found.

    Attributes:
        plies: length of the win in plies, 0 if none was found.
        moves: the winning line against the longest defence.
        exhausted: whether none within the solver's depth exists, as opposed to none found in time.
        nodes: positions searched.
    """

    plies: int
    moves: tuple[Move, ...]
    exhausted: bool
    nodes: int


class Analysis:
    """A running analysis: iterate over it for the best lines after every iteration of the search.

    Leaving a ``with`` block, or the loop after :meth:`stop`, ends the search.

    Example:
        >>> from gomoku import Board
        >>> from gomoku.engine import Engine
        >>> with Engine(hash_bytes=1 << 20).analysis(Board(15)) as analysis:
        ...     for lines in analysis:
        ...         if lines[0].depth == 3:
        ...             break
        >>> lines[0].depth
        3
    """

    def __init__(self, updates: Generator[list[Info], None, None], stop: Callable[[], None]) -> None:
        self._updates = updates
        self._stop = stop

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> list[Info]:
        return next(self._updates)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._updates.close()

    def stop(self) -> None:
        """End the search; what it knows by then is still yielded."""
        self._stop()
