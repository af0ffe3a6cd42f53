"""A match from its description to its result, on threads of this machine or on any executor."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Self

from gomoku import __version__
from gomoku.book import Opening, builtin, digest, read
from gomoku.match.log import MatchLog
from gomoku.match.pair import PairTask, play_pair
from gomoku.match.player import MatchError, Player, Terms, with_unique_names
from gomoku.match.result import PairResult
from gomoku.match.schedule import Schedule
from gomoku.match.sprt import Sprt
from gomoku.match.stats import Pentanomial, elo_estimate, los

_WAKE_SECONDS = 0.25
"""So often the progress is shown while no pair ends."""


class MatchResult(NamedTuple):
    """What a match of two players says about the first; with more players, see the ratings.

    Attributes:
        pentanomial: the pairs by points of the first player.
        wins: games won by the first player.
        draws: games drawn.
        losses: games lost.
        forfeits: games of the whole match that ended for a reason outside the game.
        llr: log likelihood ratio of the sequential test; ``None`` without a test.
        verdict: ``"H0"`` or ``"H1"``; ``None`` if the test has not decided, or may not.
        complete: whether all pairs were played, or as many as the test needed.
        trustworthy: whether forfeits are so few that the result says something about strength.
    """

    pentanomial: Pentanomial
    wins: int
    draws: int
    losses: int
    forfeits: int
    llr: float | None
    verdict: str | None
    complete: bool
    trustworthy: bool

    @property
    def elo(self) -> float:
        """Logistic Elo difference."""
        return elo_estimate(self.pentanomial).value

    @property
    def elo_error(self) -> float:
        """Half the width of its 95 % interval."""
        return elo_estimate(self.pentanomial).error

    @property
    def los(self) -> float:
        """Likelihood that the first player is the stronger one."""
        return los(self.pentanomial)

    def __str__(self) -> str:
        """The last line of ``fukumi match``."""
        llr = "" if self.llr is None else f" llr={self.llr:.2f}"
        return (
            f"result: W={self.wins} D={self.draws} L={self.losses} score={self.pentanomial.score:.3f} "
            f"elo={self.elo:.1f}+-{self.elo_error:.1f} los={self.los:.3f}{llr} forfeits={self.forfeits}"
        )


class Match:
    """A match: two players with an optional sequential test, or more players in a round robin or gauntlet.

    Args:
        players: two or more, as :class:`Player` or as the command line writes them.
        terms: rule, board and what else holds for every game.
        openings: the openings, the file that holds them, or ``None`` for the package's own.
        pairs: pairs for every two players that meet, at most.
        gauntlet: whether only the first player meets the others.
        reach: players meet only if so many places or fewer are between them in the order given; ``None`` for all.
        sprt: a sequential test that ends the match of two players.
        seed: decides the order of the openings.
        node_jitter: see :class:`PairTask`.
        out: the log; with one, an interrupted match goes on where it was.

    Raises:
        MatchError: such a match cannot be played.
        OSError: a file cannot be read.

    Example:
        >>> match = Match(["name=a nodes=300 fukumi", "name=b nodes=300 fukumi"], pairs=1)
        >>> result = match.run()
        >>> result.complete, result.forfeits, result.pentanomial.pairs
        (True, 0, 1)
    """

    def __init__(
        self,
        players: Sequence[Player | str],
        *,
        terms: Terms | None = None,
        openings: Sequence[Opening] | str | os.PathLike[str] | None = None,
        pairs: int = 100,
        gauntlet: bool = False,
        reach: int | None = None,
        sprt: Sprt | None = None,
        seed: int = 0,
        node_jitter: float = 0.0,
        out: str | os.PathLike[str] | None = None,
    ) -> None:
        terms = terms or Terms()
        named = with_unique_names([Player.parse(p) if isinstance(p, str) else p for p in players])
        opened = _openings(openings, terms)
        self.terms = terms
        self.schedule = Schedule(
            named,
            opened,
            terms,
            rounds=pairs,
            gauntlet=gauntlet,
            reach=reach,
            sprt=sprt,
            seed=seed,
            node_jitter=node_jitter,
        )
        self.settings: dict[str, Any] = {
            "version": __version__,
            "players": {player.name: player.text for player in named},
            "terms": terms.to_dict(),
            "openings": digest(opened),
            "rounds": pairs,
            "gauntlet": gauntlet,
            "reach": reach,
            "sprt": None if sprt is None else [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model],
            "seed": seed,
            "node_jitter": node_jitter,
        }
        self._log: MatchLog | None = None
        if out is not None:
            self._log = MatchLog(out, self.settings)
            try:
                for result in self._log.results:
                    self.schedule.finish(result)
            except MatchError:
                self._log.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        executor: Executor | None = None,
        *,
        concurrency: int | Callable[[], int] = 1,
        on_progress: Callable[[PairResult | None], None] | None = None,
    ) -> MatchResult:
        """Play what is left of the match.

        An exception, Ctrl-C included, ends all games in progress; pairs that had ended are in the log.

        Args:
            executor: where pairs are played; threads of this process when left out. The engines of the pairs are
                processes of the machine that plays them.
            concurrency: pairs to have played or waiting at the same time; asked again after every pair. With an
                executor give it somewhat more than its workers can take, so that none waits for work.
            on_progress: called with every pair that ends, and a few times a second with ``None``.

        Raises:
            MatchError: a pair failed again and again.
        """
        width = concurrency if callable(concurrency) else lambda: concurrency
        stop = threading.Event()
        if executor is None:
            with ThreadPoolExecutor(max(1, width()), thread_name_prefix="pair") as pool:
                self._play(lambda task: pool.submit(play_pair, task, stop), width, stop, on_progress)
        else:
            self._play(lambda task: executor.submit(play_pair, task), width, stop, on_progress)
        return self.result()

    def result(self) -> MatchResult:
        """Return the result so far."""
        schedule = self.schedule
        first = schedule.players[0].name
        wins, draws, losses = schedule.games
        pentanomial = sum((table for (name, _), table in schedule.tables.items() if name == first), Pentanomial())
        return MatchResult(
            pentanomial=pentanomial,
            wins=wins,
            draws=draws,
            losses=losses,
            forfeits=schedule.forfeits,
            llr=None if schedule.sprt is None else schedule.sprt.llr(pentanomial),
            verdict=schedule.verdict,
            complete=schedule.over,
            trustworthy=schedule.trustworthy,
        )

    def close(self) -> None:
        """Close the log."""
        if self._log is not None:
            self._log.close()

    def _play(
        self,
        submit: Callable[[PairTask], Future[PairResult]],
        width: Callable[[], int],
        stop: threading.Event,
        on_progress: Callable[[PairResult | None], None] | None,
    ) -> None:
        ended: queue.SimpleQueue[Future[PairResult]] = queue.SimpleQueue()
        flying: dict[Future[PairResult], int] = {}
        try:
            while not self.schedule.over:
                while len(flying) < max(1, width()) and (task := self.schedule.next_task()):
                    future = submit(task)
                    flying[future] = task.number
                    future.add_done_callback(ended.put)
                try:
                    future = ended.get(timeout=_WAKE_SECONDS)
                except queue.Empty:
                    result = None
                else:
                    result = self._take(future, flying.pop(future))
                if on_progress:
                    on_progress(result)
        finally:
            stop.set()
            for future in flying:
                future.cancel()

    def _take(self, future: Future[PairResult], number: int) -> PairResult | None:
        """Note the result of a pair, or have it played again."""
        try:
            result = future.result()
        except (Exception, CancelledError) as error:
            if self.schedule.give_back(number):
                return None
            raise MatchError(f"pair {number} failed again and again: {error}") from error
        if self.schedule.finish(result) and self._log is not None:
            self._log.append(result)
        return result


def _openings(openings: Sequence[Opening] | str | os.PathLike[str] | None, terms: Terms) -> Sequence[Opening]:
    if openings is None:
        if terms.width != terms.height:
            raise MatchError(f"there are no openings for {terms.width}x{terms.height} boards; name a file of them")
        return builtin(terms.rule, terms.width)
    if isinstance(openings, str | os.PathLike):
        return read(Path(openings), terms.width, terms.height)
    return openings
