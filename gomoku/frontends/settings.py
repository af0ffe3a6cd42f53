"""What a manager's ``INFO`` lines say, and what follows for the search."""

from __future__ import annotations

from gomoku.info import Limit
from gomoku.params import HASH, RESERVED_MEMORY, TURN_TIME
from gomoku.protocol.events import InfoSet

_KIB = 1 << 10
_LARGEST_DEFAULT_HASH = 1 << 30

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

    def update(self, info: InfoSet) -> bool:
        """Take a line into account; unknown keys and unreadable values change nothing.

        Returns:
            Whether the time limits changed.
        """
        if info.key == "folder" and isinstance(info.value, str):
            self.folder = info.value
        if info.number is None:
            return False
        self._numbers[info.key] = info.number
        return info.key in _TIME_KEYS

    @property
    def rule_number(self) -> int:
        """The number of ``INFO rule``; freestyle when none was sent."""
        return self._numbers.get("rule", 0)

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
        """Return the size of the transposition table.

        ``hash_size`` (KiB) is taken at its word as far as ``max_memory`` allows; otherwise three quarters of what the
        memory limit leaves beside interpreter and buffers, 1 GiB at most; 0 and absence mean no limit.
        """
        memory = self._positive("max_memory")
        asked = self._positive("hash_size")
        room = HASH.high if memory is None else max(HASH.low, (memory - RESERVED_MEMORY.default) * 3 // 4)
        if asked is not None:
            return HASH.clamp(min(asked * _KIB, room))
        return HASH.default if memory is None else HASH.clamp(min(room, _LARGEST_DEFAULT_HASH))

    def _positive(self, key: str) -> int | None:
        value = self._numbers.get(key, 0)
        return value if value > 0 else None
