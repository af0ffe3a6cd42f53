"""Every setting a user can turn: name, default, range, unit; and the constants of the search.

Floor 0.
"""

from __future__ import annotations

from collections.abc import Mapping
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


class Constant(NamedTuple):
    """A constant of the search.

    Attributes:
        default: the value to play with.
        low: smallest value that makes sense.
        high: largest value that makes sense.
        step: by how much tuning varies the value up and down at its end: what a match may just feel.
        meaning: what it is, and its unit. A 64th of a ply is a "part".
    """

    default: int
    low: int
    high: int
    step: float
    meaning: str


Constants = Mapping[str, int]
"""Values of constants of the search by name."""

CONSTANTS: Mapping[str, Constant] = {
    "razor_depth": Constant(2, 0, 8, 0.5, "plies of depth up to which a node far below alpha gets its fours only"),
    "razor_base": Constant(19, -100, 300, 10, "how far below: points"),
    "razor_margin": Constant(14, 0, 150, 6, "and points more for each ply of depth"),
    "futility_margin": Constant(
        70, 10, 400, 10, "points above beta, a ply beyond the first, at which a node is let go"
    ),
    "fail_high_margin": Constant(15, 0, 150, 5, "points above beta, a ply, at which a cut node gets a ply less"),
    "late_moves_base": Constant(500, 100, 2000, 75, "moves that are searched at any depth, in hundredths of a move"),
    "late_moves_exponent": Constant(145, 50, 250, 8, "of the depth, whose power is added to them; in hundredths"),
    "late_moves_worsening": Constant(50, 10, 100, 6, "per cent of them where the position does not get better"),
    "reduction_divisor": Constant(170, 80, 500, 12, "of log depth times log move number, in plies; in hundredths"),
    "root_reduction": Constant(64, -64, 192, 12, "parts by which the root's late moves are reduced less"),
    "pv_node_reduction": Constant(64, -64, 192, 12, "parts less in the principal variation"),
    "cut_node_reduction": Constant(115, -64, 320, 16, "parts more where a cutoff is expected, but for killers"),
    "worsening_reduction": Constant(64, -64, 192, 12, "parts more, from a ply upwards, if the position gets no better"),
    "table_pv_reduction": Constant(64, -64, 192, 12, "parts less where the table knows a principal variation"),
    "threat_reduction": Constant(64, -64, 192, 12, "parts less for threats, and for answers to them"),
    "history_reduction": Constant(128, 0, 512, 24, "parts less, or more, for the best or worst history"),
    "score_per_ply": Constant(110, 20, 600, 12, "points of move score below the node's best that cost a ply"),
    "score_reduction_limit": Constant(256, 0, 640, 24, "parts that a low move score may cost"),
    "deeper_margin": Constant(
        50, 0, 1000, 10, "points above the best at which a reduced move is searched again a ply deeper than unreduced"
    ),
    "shallower_margin": Constant(8, -64, 200, 4, "points above the best below which it is a ply less deep"),
    "singular_depth": Constant(
        6, 3, 16, 0.5, "plies of depth from which a table's move is tested for being the only one"
    ),
    "singular_margin": Constant(100, 0, 1000, 40, "points a ply by which all others must be worse; in hundredths"),
    "singular_slack": Constant(3, 0, 8, 0.5, "plies that the table's result may be shallower than the node"),
    "leaf_vcf_plies": Constant(15, 3, 63, 2, "plies of the wins by fours that leaves and inner nodes look for"),
    "leaf_vcf_nodes": Constant(12, 2, 2000, 10, "nodes that such a look may take"),
    "history_bonus": Constant(16, 1, 64, 2, "for a move that cuts off, times the square of the depth"),
    "history_bonus_limit": Constant(1600, 100, 8192, 150, "the largest such bonus; a full history is 8192"),
    "history_score": Constant(128, 0, 1024, 16, "points of move score that a full history adds"),
    "killer_score": Constant(60, 0, 500, 10, "points of move score that a killer gets"),
    "counter_score": Constant(40, 0, 500, 10, "points of move score that the last refutation of the move before gets"),
    "aspiration_base": Constant(40, 5, 400, 6, "points to either side of the last score in the root's first window"),
    "aspiration_divisor": Constant(8, 1, 64, 1, "of the last score, whose share is added to them"),
    "aspiration_growth": Constant(300, 130, 1000, 30, "per cent by which they grow when the score falls outside"),
}
"""The constants of the search by name. The defaults were found by matches, most by hand (``_core/README.md``)."""


def all_constants(changed: Constants | None = None) -> dict[str, int]:
    """Return the constants of the search by name.

    Args:
        changed: those that are not to have their defaults.

    Raises:
        ValueError: there is no such constant, or its value is no whole number in its range.

    Example:
        >>> all_constants({"razor_base": 25})["razor_base"], all_constants()["razor_base"]
        (25, 19)
        >>> all_constants({"razor_depth": 9})
        Traceback (most recent call last):
        ...
        ValueError: razor_depth is 9; it must be a whole number from 0 to 8
    """
    values = {name: constant.default for name, constant in CONSTANTS.items()}
    for name, value in (changed or {}).items():
        if name not in CONSTANTS:
            raise ValueError(f"there is no constant {name!r}; there are {', '.join(CONSTANTS)}")
        low, high = CONSTANTS[name].low, CONSTANTS[name].high
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"{name} is {value!r}; it must be a whole number from {low} to {high}")
        values[name] = value
    return values
