"""Every setting a user can turn: name, default, range, unit.

Floor 0. Constants of evaluation and search that only a match can judge stand beside their use in the core, each with
a word on where its value comes from.
"""

from __future__ import annotations

from typing import NamedTuple


class Param(NamedTuple):
    """A setting.

    Attributes:
        default: value when nobody says otherwise.
        low: smallest meaningful value.
        high: largest meaningful value.
        unit: unit of all three.
    """

    default: int
    low: int
    high: int
    unit: str

    def clamp(self, value: int) -> int:
        """Return the value, or the end of the range it lies beyond."""
        return max(self.low, min(self.high, value))


MIB = 1 << 20

HASH = Param(64 * MIB, MIB, 64 << 30, "bytes")
"""Transposition table of an engine."""

RESERVED_MEMORY = Param(44 * MIB, 0, 1 << 40, "bytes")
"""What interpreter, tables and buffers take of a manager's ``max_memory`` (measured: 22 MiB resident, and slack)."""

TURN_TIME = Param(5_000, 0, 1 << 31, "ms")
"""Time for a move when a manager sends none."""

SEARCH_DEPTH = Param(100, 1, 150, "plies")
"""Deepest iteration."""

THREADS = Param(1, 1, 256, "threads")
"""Threads of a search."""

MULTIPV = Param(1, 1, 484, "lines")
"""Lines to report."""


THREAD_MEMORY = 1 * MIB
"""What every thread beyond the first takes of it: a board with its way back, histories, lines (measured: 0.9 MiB)."""


def hash_bytes_for(asked: int, memory: int, threads: int = 1) -> int:
    """Return the size of the transposition table.

    Args:
        asked: bytes wanted for the table, 0 for no wish; taken at its word as far as ``memory`` allows.
        memory: bytes that the whole process may use, 0 for no limit. Without a wish the table gets three quarters of
            what interpreter and buffers leave of it, 1 GiB at most.
        threads: threads that search.

    Example:
        >>> hash_bytes_for(0, 0) // MIB, hash_bytes_for(8 * MIB, 0) // MIB, hash_bytes_for(0, 350 * MIB) // MIB
        (64, 8, 229)
    """
    left = memory - RESERVED_MEMORY.default - (threads - 1) * THREAD_MEMORY
    room = max(HASH.low, left * 3 // 4) if memory else HASH.high
    if asked:
        return HASH.clamp(min(asked, room))
    return HASH.clamp(min(room, _LARGEST_UNASKED_HASH)) if memory else HASH.default


_LARGEST_UNASKED_HASH = 1 << 30
