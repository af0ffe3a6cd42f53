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

MULTIPV = Param(1, 1, 484, "lines")
"""Lines to report."""
