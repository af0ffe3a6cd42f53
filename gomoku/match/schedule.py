"""Which pair is played next, what the results amount to, and when enough is known.

A match without any clock, process or file, so that the same code runs it on one machine, on a cluster and in a
simulation.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence

from gomoku.book import Opening
from gomoku.match.pair import PairTask
from gomoku.match.player import MatchError, Player, Terms
from gomoku.match.result import PairResult
from gomoku.match.sprt import Sprt, Verdict
from gomoku.match.stats import Pentanomial

SYMMETRIES = 8
MAX_ATTEMPTS = 3
"""So often a pair is given to workers before its failure is the match's."""

FORFEITS_ALLOWED = 0.01
"""With a larger share of forfeits the games measure something other than strength."""


class Schedule:
    """The pairs of a match in a fixed order.

    Round after round, every two players that meet play one pair from the round's opening. The openings are shuffled by
    the seed; when all have been played, they come again under another symmetry of the board.

    Args:
        players: two or more, with different names.
        openings: one or more.
        terms: what holds for all games.
        rounds: pairs for every two players that meet.
        gauntlet: whether only the first player meets the others.
        reach: players meet only if so many places or fewer are between them in the order given; ``None`` for all.
        sprt: ends a match of two players as soon as it has decided.
        seed: decides the order of the openings, and chance within pairs.
        node_jitter: see :class:`PairTask`.

    Raises:
        MatchError: such a match cannot be played.
    """

    def __init__(
        self,
        players: Sequence[Player],
        openings: Sequence[Opening],
        terms: Terms,
        *,
        rounds: int,
        gauntlet: bool = False,
        reach: int | None = None,
        sprt: Sprt | None = None,
        seed: int = 0,
        node_jitter: float = 0.0,
    ) -> None:
        _check(players, openings, terms, rounds, sprt)
        self.players = tuple(players)
        self.sprt = sprt
        self._openings = random.Random(seed).sample(list(openings), len(openings))
        self._terms = terms
        self._seed = seed
        self._node_jitter = node_jitter
        self._meetings = [(players[a], players[b]) for a, b in meetings(len(players), gauntlet=gauntlet, reach=reach)]
        self._total = rounds * len(self._meetings)
        self._next = 0
        self._again: list[int] = []
        self._attempts: dict[int, int] = {}
        self._results: dict[int, PairResult] = {}
        self._tables = {(first.name, second.name): Pentanomial() for first, second in self._meetings}
        self._forfeits = 0
        self._games = {1.0: 0, 0.5: 0, 0.0: 0}
        self._verdict: Verdict | None = None

    @property
    def total(self) -> int:
        """Pairs of the whole match if no test ends it."""
        return self._total

    @property
    def done(self) -> int:
        """Pairs played."""
        return len(self._results)

    @property
    def results(self) -> Iterable[PairResult]:
        """The pairs played, in the order in which they came."""
        return self._results.values()

    @property
    def tables(self) -> dict[tuple[str, str], Pentanomial]:
        """For every two players that meet, the pairs by points of the first."""
        return dict(self._tables)

    @property
    def forfeits(self) -> int:
        """Games that ended for a reason outside the game."""
        return self._forfeits

    @property
    def games(self) -> tuple[int, int, int]:
        """Games won, drawn and lost by the first player."""
        return self._games[1.0], self._games[0.5], self._games[0.0]

    @property
    def trustworthy(self) -> bool:
        """Whether so few games were forfeited that the others say something."""
        return self.forfeits <= FORFEITS_ALLOWED * 2 * max(1, self.done)

    @property
    def verdict(self) -> Verdict | None:
        """``"H0"`` or ``"H1"`` once the test has decided and may be trusted."""
        return self._verdict

    @property
    def table(self) -> Pentanomial:
        """The pairs of the first two players."""
        return self._tables[(self.players[0].name, self.players[1].name)]

    @property
    def over(self) -> bool:
        """Whether no further pair is wanted."""
        return self.done == self._total or self.verdict is not None

    def next_task(self) -> PairTask | None:
        """Return the next pair to play; ``None`` if all have been given out or none is wanted."""
        if self.over:
            return None
        while self._next in self._results:
            self._next += 1
        if self._again:
            number = self._again.pop(0)
        elif self._next < self._total:
            number = self._next
            self._next += 1
        else:
            return None
        self._attempts[number] = self._attempts.get(number, 0) + 1
        return self.task(number)

    def task(self, number: int) -> PairTask:
        """Return the pair with this number, from 0."""
        turn, meeting = divmod(number, len(self._meetings))
        lap, opening = divmod(turn, len(self._openings))
        first, second = self._meetings[meeting]
        square = self._terms.width == self._terms.height
        return PairTask(
            number=number,
            first=first,
            second=second,
            opening=self._openings[opening],
            symmetry=lap % SYMMETRIES if square else 0,
            terms=self._terms,
            seed=self._seed,
            node_jitter=self._node_jitter,
        )

    def finish(self, result: PairResult) -> bool:
        """Take a result.

        Returns:
            False for a pair that has a result already; the first one counts.

        Raises:
            MatchError: the result is not of this match.
        """
        if not 0 <= result.number < self._total:
            raise MatchError(
                f"pair {result.number} is not one of the match's {self._total} (counted from 0); "
                "ask for at least as many pairs as the log holds"
            )
        task = self.task(result.number)
        if (result.first, result.second) != (task.first.name, task.second.name):
            raise MatchError(
                f"pair {result.number} is of {task.first.name!r} and {task.second.name!r}, "
                f"not of {result.first!r} and {result.second!r}; name the engines in the order of the log"
            )
        for game, (black, white) in zip(result.games, ((0, 1), (1, 0)), strict=True):
            names = (result.first, result.second)
            if (game.black, game.white) != (names[black], names[white]):
                raise MatchError(
                    f"a game of pair {result.number} is of {game.black!r} and {game.white!r}, not of {names}"
                )
        if result.number in self._results:
            return False
        self._results[result.number] = result
        self._count(result)
        if self.sprt is not None:
            self._verdict = self.sprt.verdict(self.table) if self.trustworthy else None
        return True

    def _count(self, result: PairResult) -> None:
        self._forfeits += result.forfeits
        self._tables[(result.first, result.second)] += Pentanomial.from_pair_scores([result.points])
        name = self.players[0].name
        if name in (result.first, result.second):
            for game in result.games:
                self._games[game.points(name)] += 1

    def give_back(self, number: int) -> bool:
        """Have a pair played again because its worker failed.

        Returns:
            False if it has failed too often.
        """
        if number not in self._results and self._attempts.get(number, 0) < MAX_ATTEMPTS:
            self._again.append(number)
            return True
        return number in self._results


def meetings(count: int, *, gauntlet: bool, reach: int | None) -> list[tuple[int, int]]:
    """Return who meets whom, by their places from 0; see :class:`Schedule`.

    Example:
        >>> meetings(3, gauntlet=True, reach=None), meetings(3, gauntlet=False, reach=1)
        ([(0, 1), (0, 2)], [(0, 1), (1, 2)])
    """
    return [
        (first, second)
        for first, second in itertools.combinations(range(count), 2)
        if (first == 0 or not gauntlet) and (reach is None or second - first <= reach)
    ]


def _check(
    players: Sequence[Player], openings: Sequence[Opening], terms: Terms, rounds: int, sprt: Sprt | None
) -> None:
    names = [player.name for player in players]
    if len(players) < 2 or len(set(names)) != len(names):
        raise MatchError(f"a match needs two or more players with different names, not {names}")
    if sprt is not None and len(players) != 2:
        raise MatchError(f"a sequential test compares 2 players, not {len(players)}")
    if rounds < 1:
        raise MatchError(f"{rounds} pairs cannot be played; at least 1 is needed")
    if not openings:
        raise MatchError("there are no openings")
    for opening in openings:
        if (opening.width, opening.height) != (terms.width, terms.height):
            raise MatchError(
                f"the opening {opening.text()} is for a board of {opening.width}x{opening.height}, "
                f"the match is played on {terms.width}x{terms.height}"
            )
        try:
            over = opening.board(terms.rule).is_game_over()
        except ValueError as error:
            raise MatchError(
                f"the opening {opening.text()} cannot be played under {terms.rule.label}: {error}"
            ) from None
        if over:
            raise MatchError(f"after the opening {opening.text()} the game is over")
