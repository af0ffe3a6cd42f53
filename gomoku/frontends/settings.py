"""What a manager's ``INFO`` lines say, and what follows for the search."""

from __future__ import annotations

import os

from gomoku.info import Limit
from gomoku.params import THREADS, TURN_TIME, hash_bytes_for
from gomoku.protocol.events import InfoSet

_TIME_KEYS = frozenset({"timeout_turn", "timeout_match", "time_left", "time_increment"})


class Settings:
    """The current settings; later lines replace earlier ones, a new game keeps them.

    Example:
        >>> settings = Settings()
        >>> settings.update(InfoSet("timeout_turn", 500))
        True
        >>> settings.limit().time
        0.5
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.folder: str | None = None
        self.player: str | None = None

    def update(self, info: InfoSet) -> bool:
        """Take a line into account; unknown keys and unreadable values change nothing.

        Returns:
            Whether the time limits changed.
        """
        if info.key == "folder" and isinstance(info.value, str):
            self.folder = info.value
        if info.key == "player" and isinstance(info.value, str):
            self.player = info.value
        if info.number is None:
            return False
        self._numbers[info.key] = info.number
        return info.key in _TIME_KEYS

    @property
    def rule_number(self) -> int:
        """The number of ``INFO rule``; freestyle when none was sent."""
        return self._numbers.get("rule", 0)

    @property
    def strength(self) -> int | None:
        """The playing strength asked for, 0 to 100; ``None`` when nobody asked."""
        return self._numbers.get("strength")

    @property
    def show_detail(self) -> int:
        """Which details of a search are asked for, a sum of bits; 0 when nobody asked."""
        return max(0, self._numbers.get("show_detail", 0))

    def limit(self) -> Limit:
        """Return the limits for the next move."""
        turn = self._numbers.get("timeout_turn", TURN_TIME.default)
        match = self._numbers.get("timeout_match", 0)
        left = self._numbers.get("time_left")
        return Limit(
            time=max(0, turn) / 1000,
            match_time=match / 1000 if match > 0 else None,
            time_left=None if left is None else left / 1000,
            increment=max(0, self._numbers.get("time_increment", 0)) / 1000,
            depth=self._positive("max_depth"),
            nodes=self._positive("max_node"),
        )

    def hash_bytes(self) -> int:
        """Return the size of the transposition table that ``hash_size`` (KiB) and ``max_memory`` (bytes) leave."""
        asked = (self._positive("hash_size") or 0) << 10
        return hash_bytes_for(asked, self._positive("max_memory") or 0, self.threads)

    @property
    def pondering(self) -> bool:
        """Whether to think in the other side's time."""
        return self._numbers.get("pondering", 0) > 0

    @property
    def threads(self) -> int:
        """Threads to search with; one unless asked for more, and no more than there are cores."""
        return min(self._positive("thread_num") or THREADS.default, os.cpu_count() or 1)

    def _positive(self, key: str) -> int | None:
        value = self._numbers.get(key, 0)
        return value if value > 0 else None
