"""What a match between two engines says about their strength.

The unit of observation is a pair of games from the same opening with colours swapped. The two games of a pair depend on
each other (an opening may be won for black), so all errors come from the spread of the pair results; counting single
games would overstate them. Scores run from 0 to 1, a draw counts half, everything is seen from the first engine.

Elo is logistic: ``score = 1 / (1 + 10 ** (-elo / 400))``. Normalized Elo measures the same advantage in standard
deviations of a game instead, so that the games needed to show it do not depend on draws and openings.

Source: M. Van den Bergh, "Comments on normalized Elo"; C. Clopper and E. Pearson, "The use of confidence or
fiducial limits", 1934.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

ELO_SCALE = 800 / math.log(10)
"""Elo of a score of ``(1 + tanh 1) / 2``; also normalized Elo of one standard deviation of a game."""

Z_95 = NormalDist().inv_cdf(0.975)
"""Half-width of a 95 % interval, in standard deviations."""

_MANY = 200
"""Degrees of freedom beyond which approximations of Student's distribution are exact enough."""

ADVANTAGES = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Scores of the five kinds of pairs less an even score."""


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """Counts of game pairs by the points they brought out of 2.

    Args:
        zero: pairs lost twice.
        half: pairs with a loss and a draw.
        one: pairs drawn twice or shared.
        one_and_half: pairs with a win and a draw.
        two: pairs won twice.

    Raises:
        ValueError: a count is negative or no integer.

    Example:
        >>> pairs = Pentanomial(0, 0, 3, 2, 0)
        >>> pairs.games, pairs.points, pairs.score
        (10, 6.0, 0.6)
        >>> print(pairs + Pentanomial(two=1))
        [0, 0, 3, 2, 1]
    """

    zero: int = 0
    half: int = 0
    one: int = 0
    one_and_half: int = 0
    two: int = 0

    def __post_init__(self) -> None:
        for count in self:
            if not isinstance(count, int) or count < 0:
                raise ValueError(f"pair counts must be integers of at least 0, not {count!r}")

    @classmethod
    def from_pair_scores(cls, points: Iterable[float]) -> Pentanomial:
        """Count pairs.

        Args:
            points: of each pair, out of 2: 0, 0.5, 1, 1.5 or 2.

        Raises:
            ValueError: a number that no pair can bring.

        Example:
            >>> print(Pentanomial.from_pair_scores([2, 1.5, 1, 1]))
            [0, 0, 2, 1, 1]
        """
        counts = [0] * 5
        for value in points:
            if value not in (0, 0.5, 1, 1.5, 2):
                raise ValueError(f"a pair brings 0, 0.5, 1, 1.5 or 2 points, not {value!r}")
            counts[int(2 * value)] += 1
        return cls(*counts)

    def __iter__(self) -> Iterator[int]:
        return iter((self.zero, self.half, self.one, self.one_and_half, self.two))

    def __add__(self, other: Pentanomial) -> Pentanomial:
        return Pentanomial(*(a + b for a, b in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return str(list(self))

    def flipped(self) -> Pentanomial:
        """Return the same pairs as the other engine sees them."""
        return Pentanomial(*reversed(tuple(self)))

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self)

    @property
    def games(self) -> int:
        """Number of games, two a pair."""
        return 2 * self.pairs

    @property
    def points(self) -> float:
        """Points of the first engine; a draw brings half a point."""
        return sum(number * count for number, count in enumerate(self)) / 2

    @property
    def score(self) -> float:
        """Share of the points, 0 to 1; 0.5 without pairs."""
        return self.points / self.games if self.pairs else 0.5

    @property
    def variance(self) -> float:
        """Variance of the score of one pair (the pair's points over 2); 0 without pairs."""
        if not self.pairs:
            return 0.0
        shift = self.score - 0.5
        squares = sum(count * (a - shift) ** 2 for count, a in zip(self, ADVANTAGES, strict=True))
        return squares / self.pairs


class Estimate(NamedTuple):
    """A measured value with its 95 % interval.

    Attributes:
        value: the estimate.
        error: half the width of the interval; infinite if an end is.
        low: lower end.
        high: upper end.
    """

    value: float
    error: float
    low: float
    high: float


def elo_from_score(score: float) -> float:
    """Return the logistic Elo difference of a score; infinite at 0 and 1.

    Raises:
        ValueError: the score is not within 0 to 1.

    Example:
        >>> round(elo_from_score(0.6), 1)
        70.4
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies between 0 and 1, not {score!r}")
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.atanh(2 * score - 1)


def score_from_elo(elo: float) -> float:
    """Return the expected score of a logistic Elo difference; the inverse of :func:`elo_from_score`.

    Example:
        >>> round(score_from_elo(400), 4)
        0.9091
    """
    return (1 + math.tanh(elo / ELO_SCALE)) / 2


def elo_estimate(pentanomial: Pentanomial) -> Estimate:
    """Return the logistic Elo difference.

    The interval is Student's of the mean pair score, from the measured variance of the pairs: few pairs say little
    about their own variance either. Pairs that all ended alike show no variance; then the interval asks which share of
    other results could have stayed unseen (Clopper and Pearson, the "rule of three"). Its ends are infinite where the
    score interval reaches 0 or 1.

    Example:
        >>> elo = elo_estimate(Pentanomial(24, 609, 1406, 767, 42))
        >>> f"{elo.value:.2f} +- {elo.error:.2f}"
        '11.84 +- 4.83'
        >>> elo_estimate(Pentanomial())
        Estimate(value=0.0, error=inf, low=-inf, high=inf)
    """
    if not pentanomial.pairs:
        return Estimate(0.0, math.inf, -math.inf, math.inf)
    score, variance = pentanomial.score, pentanomial.variance
    if variance > 0:
        reach = _student_95(pentanomial.pairs - 1) * math.sqrt(variance / (pentanomial.pairs - 1))
        low, high = max(0.0, score - reach), min(1.0, score + reach)
    else:
        unseen = _unseen_share(pentanomial.pairs)
        low, high = score * (1 - unseen), score + (1 - score) * unseen
    return _estimate(elo_from_score(score), elo_from_score(low), elo_from_score(high))


def nelo_estimate(pentanomial: Pentanomial) -> Estimate:
    """Return the normalized Elo difference: the advantage over the standard deviation of a game, times 800 / ln 10.

    The standard deviation of a game is that of a pair score times the square root of 2, so that pairs whose two games
    depend on each other count with what they tell. Pairs that all ended alike are treated as in :func:`elo_estimate`.

    Example:
        >>> nelo = nelo_estimate(Pentanomial(379, 10170, 21828, 10640, 343))
        >>> f"{nelo.value:.2f} +- {nelo.error:.2f}"
        '3.05 +- 2.31'
    """
    pairs, score, variance = pentanomial.pairs, pentanomial.score, pentanomial.variance
    if not pairs:
        return Estimate(0.0, math.inf, -math.inf, math.inf)
    if variance > 0:
        value = _nelo(score - 0.5, math.sqrt(variance))
        error = ELO_SCALE * Z_95 / math.sqrt(2 * pairs)
        return Estimate(value, error, value - error, value + error)
    unseen = _unseen_share(pairs)
    spread = math.sqrt(unseen * (1 - unseen))
    low = -math.inf if score < 0.5 else _nelo(score * (1 - unseen) - 0.5, score * spread)
    high = math.inf if score > 0.5 else _nelo(score + (1 - score) * unseen - 0.5, (1 - score) * spread)
    return _estimate(_nelo(score - 0.5, 0.0), low, high)


def los(pentanomial: Pentanomial) -> float:
    """Return the likelihood of superiority: the probability that the first engine is the stronger one.

    Student's distribution with the variance of the pairs. When all pairs ended alike in favour of one side, it is the
    posterior of its share of decided pairs under a uniform prior, ``1 - 2 ** -(pairs + 1)``.

    Example:
        >>> round(los(Pentanomial(379, 10170, 21828, 10640, 343)), 4), los(Pentanomial(two=1)), los(Pentanomial())
        (0.9951, 0.75, 0.5)
    """
    advantage, variance = pentanomial.score - 0.5, pentanomial.variance
    if variance > 0:
        freedom = pentanomial.pairs - 1
        return _student_cdf(advantage / math.sqrt(variance / freedom), freedom)
    if advantage == 0:
        return 0.5
    doubt = 2.0 ** -(pentanomial.pairs + 1)
    return 1 - doubt if advantage > 0 else doubt


def _estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, (high - low) / 2, low, high)


def _nelo(advantage: float, pair_deviation: float) -> float:
    if pair_deviation == 0:
        return math.copysign(math.inf, advantage) if advantage else 0.0
    return ELO_SCALE * advantage / (math.sqrt(2) * pair_deviation)


def _student_cdf(t: float, freedom: int) -> float:
    """Distribution function of Student's t with so many degrees of freedom, at least 1.

    Source: M. Abramowitz and I. Stegun, "Handbook of mathematical functions", 26.7.3, 26.7.4, and 26.7.8 for many.
    """
    if freedom > _MANY:
        return NormalDist().cdf(t * (1 - 1 / (4 * freedom)) / math.sqrt(1 + t * t / (2 * freedom)))
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    term, total = (1.0, 0.0) if freedom % 2 == 0 else (cosine, 0.0)
    for index in range(freedom % 2, freedom - 1, 2):
        total += term
        term *= cosine * cosine * (index + 1) / (index + 2)
    share = math.sin(angle) * total if freedom % 2 == 0 else (angle + math.sin(angle) * total) * 2 / math.pi
    return (1 + share) / 2


def _student_95(freedom: int) -> float:
    """Half the width of the 95 % interval of Student's t."""
    if freedom > _MANY:
        return Z_95 + (Z_95**3 + Z_95) / (4 * freedom)  # the same handbook, 26.7.5
    low, high = Z_95, 13.0  # 12.7 for one degree of freedom
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if _student_cdf(middle, freedom) < 0.975 else (low, middle)
    return high


def _unseen_share(pairs: int) -> float:
    """Largest share of other results that, at 97.5 %, none of so many pairs would have shown."""
    return -math.expm1(math.log(0.025) / pairs)
