"""From what a clock allows to when a search should and must end.

Floor 8. All times are nanoseconds of ``time.monotonic_ns``; the clock starts when the command is read, not when the
search begins.
"""

from __future__ import annotations

from typing import NamedTuple

from gomoku.info import Limit

_MS = 1_000_000
_SECOND = 1_000 * _MS
_AT_ONCE = 10 * _MS

UNLIMITED_SECONDS = 2_000_000.0
"""Clocks beyond this (23 days; managers write 2147483647 ms) are no limit."""


_NODES_PER_SECOND = 400_000
"""Careful guess of the search speed, to turn a time budget into the solvers' node budgets."""

_SOLVER_SHARE = 12
"""Each solver call before the search gets one part in so many of the nodes."""

_SOLVER_NODES = 400_000
"""And never more than this."""


class Budget(NamedTuple):
    """When to end a search.

    Attributes:
        optimum_ns: after this long no new iteration should begin; ``None`` without a clock.
        maximum_ns: after this long the search must have ended; ``None`` without a clock.
    """

    optimum_ns: int | None
    maximum_ns: int | None

    def deadline_ns(self, start_ns: int) -> int | None:
        """Return when the search must have ended, for a clock that began to run at ``start_ns``."""
        return None if self.maximum_ns is None else start_ns + self.maximum_ns


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
    whole of it is used. A match clock is spent in equal shares of the moves that may still come, at most a seventh of
    what is left on one move.

    Args:
        limit: the limits; ``depth`` and ``nodes`` are not looked at.
        empty_points: empty points of the board, to guess how long the game may last.

    Example:
        >>> budget(Limit(), 225)
        Budget(optimum_ns=None, maximum_ns=None)
        >>> budget(Limit(time=1.0), 225).maximum_ns
        945000000
        >>> budget(Limit(time=30.0, time_left=180.0), 200).optimum_ns < 10_000_000_000
        True
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
    increment = max(0.0, limit.increment)
    moves_to_go = max(10, min(30, empty_points // 7))
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
