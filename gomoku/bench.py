"""The benchmark: fixed positions to fixed depths on one thread.

Floor 8. The node counts and scores depend on the code alone, so their signature tells whether a change changed what
the search does, on any machine and compiler; the speed tells how fast it does it on this one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from gomoku._core.board import Board
from gomoku.engine import Engine, Limit
from gomoku.types import Rule

_HASH_BYTES = 16 << 20
_FNV_OFFSET = 0x811C9DC5
_FNV_PRIME = 0x01000193


class BenchPosition(NamedTuple):
    """A position of the benchmark.

    Attributes:
        board: the position.
        depth: plies to search.
        text: its moves, row 1 at the top.
    """

    board: Board
    depth: int
    text: str


class BenchLine(NamedTuple):
    """What one position gave.

    Attributes:
        position: the position.
        nodes: positions searched.
        score: value for the side to move as text.
        move: best move as text.
        seconds: time taken.
    """

    position: BenchPosition
    nodes: int
    score: str
    move: str
    seconds: float


class BenchResult(NamedTuple):
    """Sums over all positions.

    Attributes:
        nodes: positions searched.
        signature: 32-bit hash of nodes, scores and moves.
        seconds: time taken.
    """

    nodes: int
    signature: int
    seconds: float

    @property
    def nps(self) -> int:
        """Positions searched per second."""
        return round(self.nodes / self.seconds) if self.seconds else 0


def positions() -> list[BenchPosition]:
    """Return the positions shipped with the package.

    Example:
        >>> {position.board.rule.label for position in positions()} >= {"freestyle", "standard", "renju", "caro"}
        True
    """
    result = []
    for line in (files("gomoku") / "data" / "bench.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rule, size, depth, text = line.split()
            board = Board.from_text(text, origin="top", width=int(size), rule=Rule.from_name(rule))
            result.append(BenchPosition(board, int(depth), text))
    return result


def run(depth_change: int = 0) -> Iterator[BenchLine]:
    """Search every position with a fresh engine.

    Args:
        depth_change: plies to add to every depth (negative for a quicker run).
    """
    for position in positions():
        engine = Engine(hash_bytes=_HASH_BYTES)
        start = time.perf_counter()
        lines = engine.analyse(position.board, Limit(depth=max(1, position.depth + depth_change)))
        seconds = time.perf_counter() - start
        best = lines[0]
        yield BenchLine(position, best.nodes, str(best.score.relative), best.pv[0].text, seconds)


def summarise(lines: list[BenchLine]) -> BenchResult:
    """Add up the lines of a run."""
    signature = _FNV_OFFSET
    for line in lines:
        for byte in f"{line.nodes} {line.score} {line.move};".encode():
            signature = (signature ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return BenchResult(sum(line.nodes for line in lines), signature, sum(line.seconds for line in lines))
