"""Words for analysis: how long to think, what was found, what it is worth.

Floor 0. The shapes and names follow python-chess, so that code for one game reads like code for the other.
"""

from __future__ import annotations

from functools import total_ordering
from typing import NamedTuple

from gomoku.types import Color, Move

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
    """A chosen move and the last thing known about it.

    Attributes:
        move: the point to play.
        info: the best line; its ``pv`` starts with ``move``.
        lines: all lines of a search for several, best first.
    """

    move: Move
    info: Info
    lines: tuple[Info, ...] = ()
