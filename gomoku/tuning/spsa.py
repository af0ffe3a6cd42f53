"""The constants of the search tuned by games, all at once: simultaneous perturbation (SPSA).

For a pair of games each constant is moved up or down by chance; one player has all of them moved so, its opponent the
opposite way. The result moves every constant a little towards the winner's. One pair says next to nothing, thousands
of them find the way uphill for thirty constants as fast as for one.

Source: J. C. Spall, Implementation of the simultaneous perturbation algorithm for stochastic optimization, IEEE
Transactions on Aerospace and Electronic Systems 34 (1998), for the gain sequences; that they are given by their ends,
and for each constant apart, is the custom of chess engines.
"""

from __future__ import annotations

import json
import math
import os
import random
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gomoku import __version__
from gomoku.book import Opening, digest
from gomoku.info import Limit
from gomoku.match.pair import PairTask, play_pair
from gomoku.match.player import MatchError, Player, Terms
from gomoku.match.result import PairResult
from gomoku.match.schedule import Schedule
from gomoku.params import CONSTANTS, Constant
from gomoku.tuning.selfplay import PATIENCE_SECONDS, WAKE_SECONDS, engine_signature, make_engine
from gomoku.types import Rule

RATE = 0.02
"""By how many of its steps the last pair moves a constant for each game that it was won by, unless asked otherwise."""

_ALPHA = 0.602
_GAMMA = 0.101
_STABILITY = 0.1
"""The first results count less: as if so large a share of the pairs had been played before."""

_SAVE_PAIRS = 4

ProgressCallback = Callable[[int], None]
"""Called with the number of pairs that have been played, after every pair and a few times a second."""


class Spsa:
    """What is played and what results do to it; knows no games.

    Args:
        constants: what to tune, by name.
        pairs: how many there will be; the gain sequences end with them.
        seed: decides all chance.
        rate: see :data:`RATE`.
        ahead: pairs that may be played at the same time: each knows the results before it but for the last
            ``ahead - 1``.

    Attributes:
        results: half points of the first player in the pairs that are finished, in order.

    Example:
        >>> spsa = Spsa({"width": Constant(10, 0, 20, 1.0, "what the first player is better with more of")}, pairs=100)
        >>> for number in range(100):
        ...     first, second = spsa.sides(number)
        ...     spsa.finish(4 if first["width"] > second["width"] else 0)
        >>> spsa.values()
        {'width': 16}
    """

    def __init__(
        self, constants: Mapping[str, Constant], pairs: int, *, seed: int = 1, rate: float = RATE, ahead: int = 1
    ) -> None:
        self.results: list[int] = []
        self._constants = constants
        self._pairs = pairs
        self._seed = seed
        self._rate = rate
        self._ahead = ahead
        self._estimates = deque([{name: float(each.default) for name, each in constants.items()}], maxlen=ahead)

    @property
    def done(self) -> int:
        """Pairs that are finished."""
        return len(self.results)

    @property
    def estimates(self) -> dict[str, float]:
        """What the results say until now."""
        return dict(self._estimates[-1])

    def values(self) -> dict[str, int]:
        """Return the estimates as values to play with."""
        return {name: round(value) for name, value in self._estimates[-1].items()}

    def sides(self, number: int) -> tuple[dict[str, int], dict[str, int]]:
        """Return the constants of both players of a pair.

        Args:
            number: one of the next pairs, from :attr:`done` on, as many as may be played at the same time.
        """
        known = max(0, number - self._ahead + 1)  # not what happens to be known, so that the games do not depend on it
        estimates = self._estimates[known - self.done - 1]
        width = self._width(number)
        sides: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for name, direction, fraction in self._chance(number):
            constant = self._constants[name]
            for side, sign in zip(sides, (direction, -direction), strict=True):
                value = _clamped(constant, estimates[name] + sign * width * constant.step)
                # By chance up or down to a whole number, on average to the value itself.
                side[name] = math.floor(value + fraction)
        return sides

    def finish(self, half_points: int) -> None:
        """Take the result of the next pair.

        Args:
            half_points: 0 to 4, of the first player.
        """
        number = self.done
        stability = _STABILITY * self._pairs
        decline = math.pow((stability + self._pairs) / (stability + number + 1), _ALPHA)
        move = self._rate * decline / self._width(number) * (half_points - 2)
        estimates = self.estimates
        for name, direction, _ in self._chance(number):
            constant = self._constants[name]
            estimates[name] = _clamped(constant, estimates[name] + move * direction * constant.step)
        self._estimates.append(estimates)
        self.results.append(half_points)

    def _width(self, number: int) -> float:
        """How far a pair moves the constants either way, in steps; 1 for the last."""
        return math.pow(self._pairs / (number + 1), _GAMMA)

    def _chance(self, number: int) -> list[tuple[str, int, float]]:
        """For every constant the direction in which the first player has it moved, and a fraction to round with."""
        rng = random.Random(f"{self._seed}:{number}")
        return [(name, rng.choice((-1, 1)), rng.random()) for name in self._constants]


class Tuning:
    """Which games are played to tune what.

    Args:
        rule: the rule.
        size: side of the board, in points.
        pairs: pairs of games.
        nodes: positions to search for a move.
        openings: openings to begin from, in an order that the seed decides; when all have been played they come again
            under another symmetry of the board.
        seed: decides all chance.
        rate: see :data:`RATE`.
        only: names of the constants to tune; all when left out.
        concurrency: pairs to play at the same time, on threads.

    Raises:
        MatchError: such games cannot be played.

    Example:
        >>> import os, tempfile
        >>> from gomoku import book
        >>> tuning = Tuning(openings=book.builtin(Rule.FREESTYLE, 15), nodes=20, pairs=1, only=["killer_score"])
        >>> tuning.run(os.path.join(tempfile.mkdtemp(), "tuned.json"))
        >>> 0 <= tuning.spsa.values()["killer_score"] <= 500
        True
    """

    def __init__(
        self,
        *,
        openings: Sequence[Opening],
        rule: Rule = Rule.FREESTYLE,
        size: int = 15,
        pairs: int = 2_000,
        nodes: int = 20_000,
        seed: int = 1,
        rate: float = RATE,
        only: Sequence[str] | None = None,
        concurrency: int = 1,
    ) -> None:
        for name, value in (("pairs", pairs), ("nodes", nodes), ("concurrency", concurrency)):
            if value < 1:
                raise MatchError(f"{name} {value} is less than 1")
        if not 0 < rate <= 1:
            raise MatchError(f"a rate of {rate} makes no sense; it must be more than 0 and at most 1")
        names = CONSTANTS.keys() if only is None else dict.fromkeys(only)
        if unknown := sorted(names - CONSTANTS.keys()):
            raise MatchError(f"there is no constant {unknown[0]!r}; there are {', '.join(CONSTANTS)}")
        if not names:
            raise MatchError("there is nothing to tune; name at least one constant")
        self._constants = {name: constant for name, constant in CONSTANTS.items() if name in names}
        self._schedule = Schedule(
            [Player(name=name, limit=Limit(nodes=nodes), engine=make_engine) for name in ("one", "other")],
            openings,
            Terms(rule=rule, width=size, height=size, patience=PATIENCE_SECONDS),
            rounds=pairs,
            seed=seed,
        )
        self._pairs = pairs
        self._concurrency = concurrency
        self._settings = {
            "rule": rule.label,
            "size": size,
            "pairs": pairs,
            "nodes": nodes,
            "openings": f"{len(openings)}, sha256 {digest(openings)}",
            "seed": seed,
            "rate": rate,
            "concurrency": concurrency,
        }
        self._new_spsa = partial(Spsa, self._constants, pairs, seed=seed, rate=rate, ahead=concurrency)
        self.spsa = self._new_spsa()

    def description(self) -> dict[str, Any]:
        """Return what a file says about the games, as plain values."""
        constants = {
            name: f"{each.default}, {each.low} to {each.high}, step {each.step}"
            for name, each in self._constants.items()
        }
        return {**self._settings, "version": __version__, "bench": engine_signature(), **constants}

    def task(self, number: int) -> PairTask:
        """Return one of the next pairs; see :meth:`Spsa.sides`."""
        task = self._schedule.task(number)
        first, second = (
            replace(player, engine=partial(make_engine, constants))
            for player, constants in zip((task.first, task.second), self.spsa.sides(number), strict=True)
        )
        return replace(task, first=first, second=second)

    def run(self, path: str | os.PathLike[str], *, on_progress: ProgressCallback | None = None) -> None:
        """Play the pairs that a file lacks, and write down their results and the constants that they lead to.

        The file is replaced after every few pairs and at the end, also at that by an exception such as Ctrl-C; the next
        run with the same settings goes on.

        Args:
            path: the file; continued if it exists.
            on_progress: also called at the start.

        Raises:
            MatchError: the file cannot be continued with these settings, or a game failed.
            OSError: the file cannot be read or written.
        """
        target = Path(path)
        self._resume(target)
        report = on_progress or (lambda _: None)
        report(self.spsa.done)
        saved = self.spsa.done
        stop = threading.Event()
        flying: deque[Future[PairResult]] = deque()
        with ThreadPoolExecutor(self._concurrency, thread_name_prefix="pair") as pool:
            try:
                while self.spsa.done < self._pairs:
                    while len(flying) < min(self._concurrency, self._pairs - self.spsa.done):
                        flying.append(pool.submit(play_pair, self.task(self.spsa.done + len(flying)), stop))
                    while not wait([flying[0]], timeout=WAKE_SECONDS).done:
                        report(self.spsa.done)
                    self.spsa.finish(_half_points(flying.popleft().result()))
                    if self.spsa.done % _SAVE_PAIRS == 0:
                        self._save(target)
                        saved = self.spsa.done
                    report(self.spsa.done)
            finally:
                stop.set()
                for future in flying:
                    future.cancel()
                if saved < self.spsa.done:
                    self._save(target)

    def table(self) -> str:
        """Return the constants before and after, one a row."""
        rows = [f"{'name':22s} {'default':>8s} {'tuned':>8s}"]
        tuned = self.spsa.values()
        rows += [f"{name:22s} {each.default:8d} {tuned[name]:8d}" for name, each in self._constants.items()]
        return "\n".join(rows)

    def _save(self, target: Path) -> None:
        state = {
            "constants": self.spsa.values(),
            "results": "".join(map(str, self.spsa.results)),
            "settings": self.description(),
        }
        part = target.with_name(target.name + ".part")
        part.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
        os.replace(part, target)

    def _resume(self, target: Path) -> None:
        """Take over the results of a file, if there is one: they and the settings say all."""
        self.spsa = self._new_spsa()
        try:
            text = target.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return
        try:
            state = json.loads(text)
            stored, results = dict(state["settings"]), [int(digit) for digit in state["results"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise MatchError(f"{target} holds no tuning to continue; name another file") from None
        asked = self.description()
        for key in sorted(stored.keys() | asked.keys()):
            if stored.get(key) != asked.get(key):
                raise MatchError(
                    f"{target} is of other settings ({key} {stored.get(key)}, now {asked.get(key)}); repeat its "
                    "settings to continue it, or name another file"
                )
        if len(results) > self._pairs or not set(results) <= set(range(5)):
            raise MatchError(f"{target} is damaged: its results are no half points of {self._pairs} pairs")
        for half_points in results:
            self.spsa.finish(half_points)


def _clamped(constant: Constant, value: float) -> float:
    return max(constant.low, min(constant.high, value))


def _half_points(result: PairResult) -> int:
    for game in result.games:
        if game.end.forfeit:
            raise MatchError(f"a game of pair {result.number} was forfeited ({game.end.value}): {game.detail}")
    return round(2 * result.points)
