"""The engine against itself, for data to tune it on: which pairs there are, and playing them into a file.

A pair is two games from one opening between equal players, whose node limits vary from move to move by chance that the
seed decides, so that the games take different courses. All of it depends on the settings alone: a pair that is played
again, on another machine or in another order, has the same moves.
"""

from __future__ import annotations

import itertools
import os
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

from gomoku import __version__, bench
from gomoku.book import Opening, digest
from gomoku.book.generate import Recipe, draw
from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.match.pair import PairTask, play_pair
from gomoku.match.player import MatchError, Player, Terms
from gomoku.match.result import PairResult
from gomoku.match.schedule import MAX_ATTEMPTS, Schedule
from gomoku.params import Constants
from gomoku.tuning.dataset import DatasetWriter
from gomoku.tuning.format import MAX_PAIRS, Pair
from gomoku.types import Rule

_HASH_BYTES = 8 << 20
"""Holds what a game of some ten thousand nodes a move has searched, and is quick to make anew for every game."""

PATIENCE_SECONDS = 24 * 3600.0
"""For a move: a machine that is busy or asleep must not change the games."""

WAKE_SECONDS = 0.25
"""So often the progress is shown while no pair ends."""

_BENCH_PLIES_OFF = 7
"""Makes the signature a matter of a second; compare with ``fukumi bench --shallower 7``."""

ProgressCallback = Callable[[int, Pair | None], None]
"""Called with the number of pairs in the file and the pair that has ended, and now and then without one."""


def make_engine(constants: Constants | None = None) -> Engine:
    """Return an engine with a small table, as both players of a pair get one.

    Args:
        constants: see :class:`gomoku.engine.Engine`.
    """
    return Engine(hash_bytes=_HASH_BYTES, constants=constants)


@cache
def engine_signature() -> str:
    """Return the signature of a short benchmark, which tells engines apart that play differently."""
    return f"{bench.summarise(list(bench.run(-_BENCH_PLIES_OFF))).signature:08x}"


def random_opening(rule: Rule, size: int, seed: int, number: int) -> Opening:
    """Return the random opening of a pair: 3 to 7 stones near each other, legal, balanced or not.

    Args:
        rule: the rule.
        size: side of the board, in points.
        seed: another one gives other openings.
        number: the number of the pair.

    Example:
        >>> random_opening(Rule.RENJU, 15, 1, 0) == random_opening(Rule.RENJU, 15, 1, 0)
        True
        >>> len({random_opening(Rule.RENJU, 15, 1, number) for number in range(100)})
        100
    """
    recipe = Recipe(rule, size, count=1, seed=seed)
    # Candidates that break the rule are replaced by others that no other pair draws.
    candidates = (draw(recipe, candidate) for candidate in itertools.count(number, MAX_PAIRS))
    return next(opening for opening in candidates if opening is not None)


class SelfPlay:
    """Which games are played.

    Args:
        rule: the rule.
        size: side of the board, in points.
        nodes: positions to search for a move, on average.
        jitter: by which share, at most, the nodes of a move are varied either way; more than 0, or both games of a
            pair would be the same, and less than 1. At 2,000 nodes the games of one pair in four are the same with
            0.2, of one in ten with 0.5.
        openings: openings to begin from, in an order that the seed decides; when all have been played they come again
            under another symmetry of the board. ``None`` for random ones, another for each pair.
        seed: decides all chance; files of different seeds hold different games.

    Raises:
        MatchError: such games cannot be played.

    Example:
        >>> import os, tempfile
        >>> from gomoku.tuning.dataset import Dataset
        >>> path = os.path.join(tempfile.mkdtemp(), "games.fkg")
        >>> SelfPlay(size=9, nodes=50).run(path, pairs=2)
        >>> Dataset(path).statistics().games
        4
    """

    def __init__(
        self,
        *,
        rule: Rule = Rule.FREESTYLE,
        size: int = 15,
        nodes: int = 2_000,
        jitter: float = 0.5,
        openings: Sequence[Opening] | None = None,
        seed: int = 1,
    ) -> None:
        if nodes < 1:
            raise MatchError(f"{nodes} nodes cannot be searched; at least 1 is needed")
        if not 0 < jitter < 1:
            raise MatchError(f"a jitter of {jitter} makes no sense; it must be more than 0 and less than 1")
        self.rule = rule
        self.size = size
        self.nodes = nodes
        self.jitter = jitter
        self.openings = openings
        self.seed = seed
        self._schedule = Schedule(
            [Player(name=name, limit=Limit(nodes=nodes), engine=make_engine) for name in ("one", "other")],
            [Opening((), size, size)] if openings is None else openings,
            Terms(rule=rule, width=size, height=size, patience=PATIENCE_SECONDS),
            rounds=1,
            seed=seed,
            node_jitter=jitter,
        )

    def task(self, number: int) -> PairTask:
        """Return the pair with this number, from 0; there is no last one."""
        task = self._schedule.task(number)
        if self.openings is not None:
            return task
        return replace(task, opening=random_opening(self.rule, self.size, self.seed, number), symmetry=0)

    def description(self) -> dict[str, Any]:
        """Return what the header of a file says about the games, as plain values."""
        openings = "random" if self.openings is None else f"{len(self.openings)}, sha256 {digest(self.openings)}"
        return {
            "rule": self.rule.label,
            "size": self.size,
            "nodes": self.nodes,
            "jitter": self.jitter,
            "openings": openings,
            "seed": self.seed,
            "version": __version__,
            "bench": engine_signature(),
            "date": date.today().isoformat(),
        }

    def run(
        self,
        path: str | os.PathLike[str],
        pairs: int,
        executor: Executor | None = None,
        *,
        concurrency: int = 1,
        command: str = "",
        on_progress: ProgressCallback | None = None,
    ) -> None:
        """Play the pairs that a file lacks.

        Pairs are written as they end, each at once and whole. An exception, Ctrl-C included, ends the games in
        progress; the next run with the same settings plays them again.

        Args:
            path: the file; continued if it exists.
            pairs: pairs that the file is to hold in the end.
            executor: where pairs are played; threads of this process when left out. An executor of other processes
                finishes the pairs that it has begun when the run is interrupted.
            concurrency: pairs to have played or waiting at the same time. With an executor give it somewhat more than
                its workers can take, so that none waits for work.
            command: the command line, for the header of a new file.
            on_progress: called at the start, after every pair and a few times a second.

        Raises:
            MatchError: a number is out of range, or a pair failed again and again.
            DatasetError: the file cannot be continued with these settings.
            OSError: the file cannot be written.
        """
        if not 1 <= pairs <= MAX_PAIRS:
            raise MatchError(f"{pairs} pairs cannot be played; it must be 1 to {MAX_PAIRS}")
        if concurrency < 1:
            raise MatchError(f"a concurrency of {concurrency} makes no sense; it must be at least 1")
        stop = threading.Event()
        with DatasetWriter(path, {**self.description(), "command": command}) as writer:
            if executor is None:
                with ThreadPoolExecutor(concurrency, thread_name_prefix="pair") as pool:
                    run = _Run(self, writer, lambda task: pool.submit(play_pair, task, stop), on_progress)
                    run.play(pairs, concurrency, stop)
            else:
                run = _Run(self, writer, lambda task: executor.submit(play_pair, task), on_progress)
                run.play(pairs, concurrency, stop)


class _Run:
    """Pairs on their way to a file."""

    def __init__(
        self,
        games: SelfPlay,
        writer: DatasetWriter,
        submit: Callable[[PairTask], Future[PairResult]],
        on_progress: ProgressCallback | None,
    ) -> None:
        self._games = games
        self._writer = writer
        self._submit = submit
        self._on_progress = on_progress
        self._ended: queue.SimpleQueue[Future[PairResult]] = queue.SimpleQueue()
        self._flying: dict[Future[PairResult], int] = {}
        self._failures: Counter[int] = Counter()

    def play(self, pairs: int, concurrency: int, stop: threading.Event) -> None:
        missing = (number for number in range(pairs) if number not in self._writer.pairs)
        try:
            self._report(None)
            for number in itertools.islice(missing, concurrency):
                self._begin(number)
            while self._flying:
                try:
                    future = self._ended.get(timeout=WAKE_SECONDS)
                except queue.Empty:
                    self._report(None)
                    continue
                if self._take(future, self._flying.pop(future)) and (number := next(missing, -1)) >= 0:
                    self._begin(number)
        finally:
            stop.set()
            for future in self._flying:
                future.cancel()

    def _begin(self, number: int) -> None:
        future = self._submit(self._games.task(number))
        self._flying[future] = number
        future.add_done_callback(self._ended.put)

    def _take(self, future: Future[PairResult], number: int) -> bool:
        """Write a pair down, or have it played again because its worker failed; return whether it is done."""
        try:
            result = future.result()
        except (Exception, CancelledError) as error:
            self._failures[number] += 1
            if self._failures[number] == MAX_ATTEMPTS:
                raise MatchError(f"pair {number} failed again and again: {error}") from error
            self._begin(number)
            return False
        pair = Pair.from_result(result, self._games.size)
        self._writer.append(pair)
        self._report(pair)
        return True

    def _report(self, pair: Pair | None) -> None:
        if self._on_progress:
            self._on_progress(len(self._writer.pairs), pair)
