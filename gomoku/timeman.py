"""From what a clock allows to when a search should and must end.

Floor 8. All times are nanoseconds of ``time.monotonic_ns``; the clock starts when the command is read, not when the
search begins.
"""

from __future__ import annotations

from typing import NamedTuple

from gomoku.info import Info, Limit
from gomoku.types import Move

_MS = 1_000_000
_SECOND = 1_000 * _MS
_AT_ONCE = 10 * _MS

UNLIMITED_SECONDS = 2_000_000.0
"""Clocks beyond this (23 days; managers write 2147483647 ms) are no limit."""

_RESERVE = 300 * _MS
"""Kept back of a match clock: at its end every move costs what waking up costs, however short the search."""

_STABLE, _CHANGE, _FADING = 0.6, 0.15, 0.5
"""Share of the optimum while nothing changes; what a change of the best move adds, and what is left of that an
iteration later."""

_FALL = 200.0
"""A score that falls by so many points doubles the share."""

_MOST = 1.5
"""And never more than this share."""

_NODES_PER_SECOND = 400_000
"""Careful guess of the search speed, to turn a time budget into the solvers' node budgets."""

_SOLVER_SHARE = 12
"""Each solver call before the search gets one part in so many of the nodes."""

_SOLVER_NODES = 400_000
"""And never more than this."""


class Budget(NamedTuple):
    """When to end a search.

    Attributes:
        optimum_ns: how long a search of average difficulty should take; ``None`` without a clock.
        maximum_ns: after this long the search must have ended; ``None`` without a clock.
    """

    optimum_ns: int | None
    maximum_ns: int | None

    def deadline_ns(self, start_ns: int) -> int | None:
        """Return when the search must have ended, for a clock that began to run at ``start_ns``."""
        return None if self.maximum_ns is None else start_ns + self.maximum_ns


class Stability:
    """How settled a search is, and with that what share of its optimum it should take.

    A best move that changes wants more time, and so does a score that falls: the search has just seen a danger and
    looks for a way around it. Where iteration after iteration says the same, another one will hardly say otherwise.

    Example:
        >>> from gomoku import BLACK, Move
        >>> from gomoku.info import PovScore, Score
        >>> stability = Stability()
        >>> for move, points in ((Move(7, 7), 50),) * 9 + ((Move(7, 8), -100),):
        ...     before = stability.share
        ...     stability.update(Info(9, 12, PovScore(Score(points), BLACK), (move,), 1000, 0.1))
        >>> stability.share > 2 * before
        True
    """

    def __init__(self) -> None:
        self._best: Move | None = None
        self._score = 0.0
        self._changes = 1.0
        self._fall = 0.0

    def update(self, line: Info) -> None:
        """Take note of the best line of a finished iteration."""
        score = line.score.relative.to_int()
        changed = self._best is not None and line.pv[0] != self._best
        self._changes = self._changes * _FADING + changed
        self._fall = 0.0 if self._best is None else max(0.0, self._score - score)
        # Odd and even depths differ, so the score to compare with is a mean of the last ones.
        self._score = score if self._best is None else (self._score + score) / 2
        self._best = line.pv[0]

    @property
    def share(self) -> float:
        """Share of the optimum after which no new iteration should begin."""
        return min(_MOST, (_STABLE + _CHANGE * self._changes) * (1 + min(1.0, self._fall / _FALL)))


def margin_ns(available_ns: int) -> int:
    """Return what is kept back of a limit for waking threads, writing the move and the manager's own delays.

    Example:
        >>> margin_ns(300_000_000) // 1_000_000, margin_ns(5_000_000_000) // 1_000_000
        (27, 60)
    """
    return min(60 * _MS, 15 * _MS + available_ns // 25)


def budget(limit: Limit, empty_points: int) -> Budget:
    """Return how long to think.

    A move that must be answered at once (a turn time of 0, an overdrawn clock) gets 10 ms. With a turn time alone the
    whole of it is used. Of a match clock a move gets a fifteenth of what is left, or more when the board is filling, at
    most a seventh: the first moves decide most games, and most games are decided before the clock matters.

    Args:
        limit: the limits; ``depth`` and ``nodes`` are not looked at.
        empty_points: empty points of the board, to guess how long the game may last.

    Example:
        >>> budget(Limit(), 225)
        Budget(optimum_ns=None, maximum_ns=None)
        >>> budget(Limit(time=1.0), 225).maximum_ns
        945000000
        >>> budget(Limit(time=30.0, time_left=180.0), 200).optimum_ns // 10**9
        11
        >>> budget(Limit(time=5.0, time_left=-1.0), 200).maximum_ns
        10000000
    """
    turn = None
    if limit.time is not None and limit.time < UNLIMITED_SECONDS:
        turn = int(limit.time * _SECOND) if limit.time > 0 else _AT_ONCE
    seconds_left = limit.match_time if limit.time_left is None else limit.time_left
    if seconds_left is None or seconds_left >= UNLIMITED_SECONDS:
        if turn is None:
            return Budget(None, None)
        usable = max(turn - margin_ns(turn), min(turn, _AT_ONCE))
        return Budget(usable, usable)
    left = int(max(0.0, seconds_left) * _SECOND)
    usable_left = max(left - margin_ns(left), 0)
    usable_left = max(usable_left - _RESERVE, usable_left // 4)
    increment = max(0.0, limit.increment)
    moves_to_go = max(10, min(15, empty_points // 7))
    share = usable_left // moves_to_go + int(increment * 0.8 * _SECOND)
    maximum = min(usable_left // 7 + int(increment * 0.5 * _SECOND), usable_left)
    least = min(_AT_ONCE, left // 20) if left else _AT_ONCE
    if turn is not None:
        maximum = min(maximum, turn - margin_ns(turn))
        least = min(least, turn)
    maximum = max(maximum, least)
    return Budget(min(share, maximum), maximum)


def solver_nodes(limit: Limit, time: Budget) -> int:
    """Return the nodes that each solver may spend before the search.

    If nodes are limited they depend on that alone, so that the search can be repeated.

    Args:
        limit: the limits of the search.
        time: what follows from them for the clock.

    Example:
        >>> solver_nodes(Limit(nodes=12_000), Budget(None, None))
        1000
    """
    nodes = _SOLVER_NODES
    if limit.nodes is not None:
        nodes = limit.nodes // _SOLVER_SHARE
    elif time.optimum_ns is not None:
        nodes = time.optimum_ns * _NODES_PER_SECOND // _SECOND // _SOLVER_SHARE
    elif limit.depth is not None:
        nodes = 2_000 * limit.depth
    return max(1, min(nodes, _SOLVER_NODES))
