"""What a match costs on many machines: the real schedule, driven by simulated workers on a virtual clock.

What decides about pairs and verdicts is the code that runs matches, called as ``Match`` calls it. Time, failures and
results are drawn by chance, so hours pass in seconds and a seed repeats them. As a command it prints what tests cost::

    python -m gomoku.match.simulate --cores 1000 --sprt 0,5 --tc 1 --runs 200
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import math
import random
import sys
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from gomoku.book import builtin
from gomoku.match.cluster import QUEUED_SHARE
from gomoku.match.player import MatchError, Player, Terms, parse_tc
from gomoku.match.result import End, GameResult, PairResult
from gomoku.match.schedule import Schedule
from gomoku.match.sprt import Sprt
from gomoku.match.stats import Pentanomial, score_from_elo
from gomoku.types import BLACK, WHITE, Rule

_NAMES = ("new", "old")
_NO_TICKET = 0
_WIRE_BYTES = 16_500
"""Of a pair on all connections of dask together; README.md tells how it was measured."""


def _setting(default: float, text: str, least: float = 0) -> Any:
    return field(default=default, metadata={"help": text, "least": least})


@dataclass(frozen=True, slots=True, kw_only=True)
class Farm:
    """The machines of a match and what goes wrong on them, in seconds; each field has a ``help`` in its metadata.

    Raises:
        ValueError: a number is out of range.
    """

    cores: int = _setting(1000, "pairs played at once", least=1)
    worker_cores: int = _setting(8, "cores of one worker; they are lost together", least=1)
    pair_seconds: float = _setting(35.0, "mean time of a pair of decided games (instead of --tc)", least=1e-3)
    spread: float = _setting(0.5, "its standard deviation as a share of the mean; lognormal")
    draw_length: float = _setting(6.2, "length of a drawn game over that of a decided one", least=1e-3)
    straggler_share: float = _setting(0.01, "share of pairs that a machine slows down")
    straggler_factor: float = _setting(3.0, "by so much")
    latency: float = _setting(0.005, "of a message between coordinator and worker")
    submit: float = _setting(0.0015, "of the coordinator's time, to give out a pair")
    take: float = _setting(0.0055, "of the coordinator's time, to take a result and write it down")
    worker_mtbf: float = _setting(720_000.0, "mean time between failures of a worker", least=1)
    worker_restart: float = _setting(120.0, "until a failed worker is back")
    detection: float = _setting(300.0, "until the loss of a worker is noticed")
    coordinator_mtbf: float = _setting(math.inf, "mean time between failures of the coordinator", least=1)
    coordinator_restart: float = _setting(60.0, "until the match goes on after one")

    def __post_init__(self) -> None:
        for entry in fields(self):
            if not getattr(self, entry.name) >= entry.metadata["least"]:
                value = getattr(self, entry.name)
                raise ValueError(f"{entry.name} must be at least {entry.metadata['least']:g}, not {value!r}")

    def duration(self, rng: random.Random, drawn: int) -> float:
        """Return the seconds of a pair with so many drawn games, by chance; a full board has no spread."""
        variance = math.log1p(self.spread**2)
        share = rng.lognormvariate(-variance / 2, math.sqrt(variance)) * (2 - drawn) + self.draw_length * drawn
        return self.pair_seconds / 2 * share * (self.straggler_factor if rng.random() < self.straggler_share else 1)


class Games:
    """Makes up the results of pairs.

    Each opening favours black or white by the same strength, so whoever has the better side of one game has the worse
    one of the other: this is what makes the results of a pair depend on each other.

    Args:
        elo: logistic Elo of the first player, as its score in pairs shows it.
        draws: share of drawn games between even chances, 0 to 1.
        opening_elo: Elo that an opening adds to the side it favours.

    Example:
        >>> round(Games(0, draws=0, opening_elo=0).pair_variance, 3), round(Games(5, 0.05, 300).pair_variance, 3)
        (0.125, 0.062)
    """

    def __init__(self, elo: float, draws: float, opening_elo: float) -> None:
        if not 0 <= draws <= 1:
            raise ValueError(f"draws must be a share from 0 to 1, not {draws!r}")
        score, k = score_from_elo(elo), 10 ** (opening_elo / 400)
        b = (1 + k * k) * (1 - 2 * score)  # the odds x solve 2 * score = xk / (1 + xk) + x / (x + k)
        x = (math.sqrt(b * b + 16 * k * k * score * (1 - score)) - b) / (4 * k * (1 - score))
        chances = []
        for one in (x * k / (1 + x * k), x / (x + k)):
            drawn = draws * 2 * min(one, 1 - one)
            chances.append((one - drawn / 2, drawn, 1 - one - drawn / 2))
        points = list(itertools.product((1.0, 0.5, 0.0), repeat=2))
        weights = [p * q for p, q in itertools.product(*chances)]
        self._pairs = [(_game(*_NAMES, p), _game(*_NAMES[::-1], 1 - q)) for p, q in points]
        self._cumulated = list(itertools.accumulate(weights))
        self.pair_variance = sum(w * ((p + q) / 2 - score) ** 2 for w, (p, q) in zip(weights, points, strict=True))

    def draw(self, rng: random.Random) -> tuple[GameResult, GameResult]:
        """Return the games of a pair, by chance."""
        return rng.choices(self._pairs, cum_weights=self._cumulated)[0]


def _game(black: str, white: str, black_points: float) -> GameResult:
    winner, end = {1.0: (BLACK, End.FIVE), 0.5: (None, End.FULL_BOARD), 0.0: (WHITE, End.FIVE)}[black_points]
    return GameResult(black=black, white=white, moves=(), opening_plies=0, winner=winner, end=end)


class Outcome(NamedTuple):
    """What a simulated match came to.

    Of the pairs ``given_out`` some count (``table``), some were ``lost`` with a worker or the coordinator, some were
    ``cancelled`` at the verdict. Cores played for ``core_seconds``; that includes useless pairs, the cancelled ones to
    their end. Pairs that count took ``useful_core_seconds``. The coordinator was busy for ``coordinator_seconds`` of
    the ``seconds`` from the start to the verdict.
    """

    verdict: str | None
    table: Pentanomial
    given_out: int
    lost: int
    cancelled: int
    seconds: float
    core_seconds: float
    useful_core_seconds: float
    coordinator_seconds: float


class _Run(NamedTuple):
    worker: int
    start: float
    end: float
    games: tuple[GameResult, GameResult]


class Simulation:
    """One match on a farm.

    Args:
        new_schedule: describes the match; called again when the coordinator has failed.
        farm: the machines.
        games: makes up results.
        seed: decides all that chance does.

    Example:
        >>> farm = Farm(cores=4, pair_seconds=10, spread=0, straggler_share=0, latency=0, submit=0, take=0)
        >>> match = Simulation(lambda: new_schedule(10), farm, Games(0, draws=0, opening_elo=0), seed=1).run()
        >>> match.table.pairs, match.seconds, match.useful_core_seconds
        (10, 30.0, 100.0)
    """

    def __init__(self, new_schedule: Callable[[], Schedule], farm: Farm, games: Games, seed: int) -> None:
        self._new_schedule, self._schedule = new_schedule, new_schedule()
        self._farm, self._games, self._rng = farm, games, random.Random(seed)
        self._now, self._order, self._cores = 0.0, itertools.count(), farm.cores
        self._events: list[tuple[float, int, Callable[[int], None], int]] = []
        self._sizes = [min(farm.worker_cores, farm.cores - n) for n in range(0, farm.cores, farm.worker_cores)]
        self._free = deque(worker for worker, size in enumerate(self._sizes) for _ in range(size))
        self._flying: dict[int, int] = {}  # pair numbers by ticket, as are the next four
        self._waiting, self._inbox = deque[int](), deque[int]()
        self._running, self._played = dict[int, _Run](), dict[int, _Run]()
        self._busy, self._life = True, 0
        self._given_out = self._lost = 0
        self._core_seconds = self._useful = self._coordinator = 0.0

    def run(self) -> Outcome:
        """Play the match to its end.

        Raises:
            MatchError: a pair was lost so often that a real match would give up.
        """
        for worker in range(len(self._sizes)):
            self._after(self._farm.worker_mtbf * self._rng.expovariate(1), self._worker_fails, worker)
        self._coordinator_starts(0)
        while not self._schedule.over:
            self._now, _, act, what = heapq.heappop(self._events)
            act(what)
        played = self._core_seconds + sum(run.end - run.start for run in self._running.values())
        counts = self._given_out, self._lost, len(self._flying)
        times = self._now, played, self._useful, self._coordinator
        return Outcome(self._schedule.verdict, self._schedule.table, *counts, *times)

    def _after(self, seconds: float, act: Callable[[int], None], what: int) -> None:
        heapq.heappush(self._events, (self._now + seconds, next(self._order), act, what))

    def _coordinator_starts(self, life: int) -> None:
        self._after(self._farm.coordinator_mtbf * self._rng.expovariate(1), self._coordinator_fails, life)
        self._next_step(life)

    def _coordinator_fails(self, life: int) -> None:
        """All that is under way is lost; what has been taken is in the log."""
        self._lost += len(self._flying)
        for collection in (self._flying, self._waiting, self._played, self._inbox):
            collection.clear()
        before, self._schedule = self._schedule, self._new_schedule()
        for result in before.results:
            self._schedule.finish(result)
        self._busy, self._life = True, life + 1
        self._after(self._farm.coordinator_restart, self._coordinator_starts, self._life)

    def _next_step(self, life: int) -> None:
        """The loop of a match: give out pairs while too few are under way, then take a result."""
        if life != self._life:
            return
        sent, width = 0, max(1, round(self._cores * QUEUED_SHARE))
        while len(self._flying) < width and (task := self._schedule.next_task()):
            sent += 1
            self._given_out += 1
            self._flying[self._given_out] = task.number
            self._after(sent * self._farm.submit + self._farm.latency, self._arrive, self._given_out)
        self._busy = bool(sent or self._inbox)
        seconds = sent * self._farm.submit if sent else self._farm.take
        self._coordinator += seconds * self._busy
        if sent:
            self._after(seconds, self._next_step, life)
        elif self._inbox:
            self._after(seconds, self._take, self._inbox.popleft())

    def _take(self, ticket: int) -> None:
        if ticket not in self._flying:
            return  # the coordinator failed meanwhile
        number, run = self._flying.pop(ticket), self._played.pop(ticket, None)
        if run is not None:
            self._useful += run.end - run.start
            self._schedule.finish(PairResult(number=number, first=_NAMES[0], second=_NAMES[1], games=run.games))
        else:
            self._lost += 1
            if not self._schedule.give_back(number):
                raise MatchError(f"pair {number} was lost again and again; workers must fail less often")
        self._next_step(self._life)

    def _arrive(self, ticket: int) -> None:
        if ticket in self._flying:
            self._waiting.append(ticket)
        while self._free and self._waiting:
            started, games = self._waiting.popleft(), self._games.draw(self._rng)
            seconds = self._farm.duration(self._rng, sum(game.winner is None for game in games))
            self._running[started] = _Run(self._free.popleft(), self._now, self._now + seconds, games)
            self._after(seconds, self._end, started)

    def _end(self, ticket: int) -> None:
        run = self._running.pop(ticket, None)
        if run is None:
            return  # its worker failed
        self._core_seconds += run.end - run.start
        self._free.append(run.worker)
        if ticket in self._flying:
            self._played[ticket] = run
            self._after(self._farm.latency, self._receive, ticket)
        self._arrive(_NO_TICKET)

    def _receive(self, ticket: int) -> None:
        if ticket in self._flying:
            self._inbox.append(ticket)
        if not self._busy:
            self._next_step(self._life)

    def _worker_fails(self, worker: int) -> None:
        self._cores -= self._sizes[worker]
        self._free = deque(core for core in self._free if core != worker)
        for ticket in [ticket for ticket, run in self._running.items() if run.worker == worker]:
            self._core_seconds += self._now - self._running.pop(ticket).start
            self._after(self._farm.detection, self._receive, ticket)
        self._after(self._farm.worker_restart, self._worker_returns, worker)

    def _worker_returns(self, worker: int) -> None:
        self._cores += self._sizes[worker]
        self._free.extend([worker] * self._sizes[worker])
        self._after(self._farm.worker_mtbf * self._rng.expovariate(1), self._worker_fails, worker)
        self._arrive(_NO_TICKET)
        self._receive(_NO_TICKET)


def new_schedule(pairs: int, sprt: Sprt | None = None) -> Schedule:
    """Return the schedule of a match of two players with so many pairs at most."""
    players = [Player(name=name) for name in _NAMES]
    return Schedule(players, builtin(Rule.FREESTYLE, 15), Terms(), rounds=pairs, sprt=sprt)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what matches cost; ``--help`` describes the command line."""
    parser = argparse.ArgumentParser(prog="python -m gomoku.match.simulate")
    add = parser.add_argument
    add("--sprt", metavar="ELO0,ELO1", help="bounds of the test (default: all pairs are played)")
    add("--elo", type=float, nargs="+", help="true Elo (default: both bounds and the middle)")
    add("--pairs", default=1_000_000, type=int, help="pairs at most (1000000)")
    add("--runs", default=100, type=int, help="matches to simulate for each Elo (100)")
    add("--seed", default=0, type=int, help="decides all that chance does (0)")
    add("--draws", default=0.14, type=float, help="share of drawn games between even chances (0.14)")
    add("--opening-elo", default=320.0, type=float, help="Elo that an opening adds to one side (320)")
    add("--tc", default="1", help="TURN[/MATCH[+INC]] in seconds (1)")
    add("--used", default=0.5, type=float, help="share of TURN that is used on average (0.5)")
    add("--plies", default=35, type=int, help="moves of a decided game after the opening (35)")
    for entry in fields(Farm):
        text = f"{entry.metadata['help']} ({entry.default:g})"
        add("--" + entry.name.replace("_", "-"), type=type(entry.default), default=argparse.SUPPRESS, help=text)
    options = parser.parse_args(arguments)
    try:
        limit = parse_tc(options.tc)
        turn = math.inf if limit.time is None else limit.time * options.used
        whole = math.inf if limit.match_time is None else limit.match_time / (options.plies / 2) + limit.increment
        told = {name: value for name, value in vars(options).items() if name in Farm.__slots__}
        farm = Farm(**{"pair_seconds": 2 * options.plies * min(turn, whole), **told})  # both think in turn on a core
        bounds = (options.sprt or "0,0").split(",")
        if len(bounds) != 2:
            raise MatchError(f"--sprt {options.sprt!r} is not two numbers such as 0,10")
        elo0, elo1 = map(float, bounds)
        sprt = Sprt(elo0, elo1) if options.sprt else None
        print(
            f"{farm.cores} cores, {farm.pair_seconds:g} s for a pair of decided games; mean and 10, 50, 90 % of matches"
        )
        print(f"{'Elo':>5} {'H1':>5} {'pairs':^31} {'core hours':^31} {'minutes':^31}   lost  cores  coord. kB/s")
        for elo in options.elo or sorted({elo0, (elo0 + elo1) / 2, elo1}):
            games = Games(elo, options.draws, options.opening_elo)
            seeds = range(options.seed, options.seed + options.runs)
            matches = [Simulation(lambda: new_schedule(options.pairs, sprt), farm, games, seed).run() for seed in seeds]
            print(f"{elo:5g} {_row(matches, farm.cores)}", flush=True)
    except ValueError as error:
        parser.error(str(error))
    return 0


def _row(matches: Sequence[Outcome], cores: int) -> str:
    def spread(values: Sequence[float], form: str) -> str:
        ordered = sorted(values)
        quantiles = [ordered[int(share * (len(ordered) - 1))] for share in (0.1, 0.5, 0.9)]
        return " ".join(format(value, form) for value in (sum(values) / len(values), *quantiles))

    given_out, _, _, seconds, played, useful, coordinator = map(sum, list(zip(*matches, strict=True))[2:])
    pairs = spread([match.table.pairs for match in matches], "7.0f")
    hours = spread([match.core_seconds / 3600 for match in matches], "7.1f")
    minutes = spread([match.seconds / 60 for match in matches], "7.1f")
    shares = f"{1 - useful / played:6.1%} {useful / seconds / cores:6.1%} {coordinator / seconds:6.1%}"
    accepted = sum(match.verdict == "H1" for match in matches) / len(matches)
    return f"{accepted:5.3f} {pairs} {hours} {minutes} {shares} {given_out * _WIRE_BYTES / seconds / 1e3:5.0f}"


if __name__ == "__main__":
    sys.exit(main())
