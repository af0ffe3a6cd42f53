"""Several threads on one position: a leader and helpers that fill its table. Floor 8.

Lazy SMP: every thread searches the whole tree with killers and histories of its own, and they meet in the transposition
table only. While the leader runs the solvers or an iteration, a helper deepens from that depth or the next on, so that
it finds what the leader will soon need; what it says is never asked for. With one thread a search can be repeated
exactly.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from gomoku._core.search import Searcher
from gomoku.params import HASH, SEARCH_DEPTH, Constants
from gomoku.types import Move

_ALONE_DEPTH = 6
"""Shallower iterations take less time than starting threads."""

_WIPED_BYTES = 1 << 30
"""Larger tables take longer to wipe than a manager may want to wait; smaller ones are kept from game to game, because
memory is slow when it is first touched."""


class Team:
    """A searcher and its helpers.

    Args:
        hash_bytes: memory for the transposition table; when the system has less, the table gets smaller.
        constants: of the search, those that are not to have their defaults.

    Attributes:
        leader: the searcher that is asked; the clock, limits and stops are its own.
    """

    def __init__(self, hash_bytes: int, constants: Constants) -> None:
        self.leader = _searcher(hash_bytes, constants)
        self._helpers: list[Searcher] = []

    @property
    def nodes(self) -> int:
        """Nodes of all threads since the leader's start."""
        return self.leader.nodes + sum(helper.nodes for helper in self._helpers)

    @property
    def seldepth(self) -> int:
        """Deepest ply of any thread."""
        return max([self.leader.seldepth, *(helper.seldepth for helper in self._helpers)])

    def renewed(self) -> Team | None:
        """Return the team as good as new in the same memory, or ``None`` where new memory is to be had sooner."""
        if self.leader.table.size_bytes > _WIPED_BYTES:
            return None
        self._helpers.clear()
        self.leader.forget()
        return self

    def lines(self, count: int) -> list[tuple[int, list[Move]]]:
        """Return the leader's lines; see :meth:`Searcher.lines`."""
        return self.leader.lines(count)

    def follow(self, threads: int) -> None:
        """Follow the leader to the position for which it has just been started.

        Args:
            threads: threads in all, the leader's included; helpers that stay keep what they have learned.
        """
        del self._helpers[threads - 1 :]
        while len(self._helpers) < threads - 1:
            self._helpers.append(Searcher(leader=self.leader))
        for helper in self._helpers:
            helper.follow()

    def iterate(self, depth: int, lines: int) -> bool:
        """Search an iteration; see :meth:`Searcher.iterate`."""
        if depth < _ALONE_DEPTH:
            return self.leader.iterate(depth, lines)
        with self.helping(depth):
            return self.leader.iterate(depth, lines)

    @contextlib.contextmanager
    def helping(self, depth: int) -> Iterator[None]:
        """Have the helpers search, from an iteration of this depth on, while the leader does whatever it does."""
        threads: list[threading.Thread] = []
        try:
            for number, helper in enumerate(self._helpers, start=1):
                helper.take_over_lines()
                thread = threading.Thread(target=_deepen, args=(helper, depth + number % 2), daemon=True)
                try:
                    thread.start()
                except RuntimeError:
                    break  # the system has no more threads; those that run will do
                threads.append(thread)
            yield
        finally:
            for helper in self._helpers:
                helper.stop()
            for thread in threads:
                thread.join()


def _deepen(helper: Searcher, depth: int) -> None:
    while depth <= SEARCH_DEPTH.high and helper.iterate(depth):
        depth += 1


def _searcher(hash_bytes: int, constants: Constants) -> Searcher:
    while True:
        try:
            return Searcher(hash_bytes, constants=constants)
        except MemoryError:  # a smaller table plays weaker, and none not at all
            if hash_bytes <= HASH.low:
                raise
            hash_bytes = max(HASH.low, hash_bytes // 2)
