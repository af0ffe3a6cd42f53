"""Sequential tests: play until the pairs say whether an engine is better, and no longer.

The test asks which of two hypotheses, Elo ``elo0`` or ``elo1``, the pairs speak for. Neither fixes how often each of
the five pair results occurs, so each is given its best case: the likelihoods compared are the largest that any
distribution with that Elo reaches (the generalised sequential probability ratio test, GSPRT).

Source: M. Van den Bergh, "The generalized sequential probability ratio test for multinomial distributions" (the secular
equation) and "Comments on normalized Elo"; A. Wald, "Sequential tests of statistical hypotheses", 1945.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gomoku.match.stats import ADVANTAGES, ELO_SCALE, Pentanomial, score_from_elo

EloModel = Literal["logistic", "normalized"]
"""What the bounds of a test mean; see :mod:`gomoku.match.stats`."""

Verdict = Literal["H0", "H1"]
"""The accepted hypothesis: Elo ``elo0`` or ``elo1``."""

MAX_ELO = 1000.0
"""Largest absolute Elo bound of a test."""

INDEPENDENT_PAIR_VARIANCE = 0.125
"""Variance of a pair score when both games are independent, even and never drawn."""

_EMPTY_CELL = 1e-3
"""What an unseen pair result counts, so that no hypothesis is ruled out by its absence; fishtest uses the same."""

_SCAN_STEPS = 16
_BISECTIONS = 26
_NEWTON_STEPS = 100


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of Elo ``elo0`` (H0) against Elo ``elo1`` (H1).

    Args:
        elo0: Elo under H0.
        elo1: Elo under H1.
        alpha: probability of accepting H1 when H0 is true, 0 to 0.5.
        beta: probability of accepting H0 when H1 is true, 0 to 0.5.
        model: whether ``elo0`` and ``elo1`` are logistic or normalized Elo.

    Raises:
        ValueError: an argument is out of range.

    Example:
        >>> test = Sprt(0, 2, model="normalized")
        >>> [round(bound, 3) for bound in test.bounds]
        [-2.944, 2.944]
        >>> pairs = Pentanomial(379, 10170, 21828, 10640, 343)
        >>> round(test.llr(pairs), 2), test.verdict(pairs)
        (2.95, 'H1')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = "logistic"

    def __post_init__(self) -> None:
        if self.model not in get_args(EloModel):
            raise ValueError(f"model must be 'logistic' or 'normalized', not {self.model!r}")
        for name, risk in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < risk < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, not {risk!r}")
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            limits = f"within {-MAX_ELO:.0f} to {MAX_ELO:.0f}"
            raise ValueError(f"elo0 must be below elo1 and both {limits}, not {self.elo0!r} and {self.elo1!r}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at or below which H0 is accepted, at or above which H1 is (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Pentanomial) -> float:
        """Return the generalised log-likelihood ratio of H1 to H0; 0 without pairs.

        Pair results that never occurred count 0.001, as in fishtest.
        """
        if not pentanomial.pairs:
            return 0.0
        counts = [count or _EMPTY_CELL for count in pentanomial]
        total = math.fsum(counts)
        shares = [count / total for count in counts]
        return total * (self._log_likelihood(shares, self.elo1) - self._log_likelihood(shares, self.elo0))

    def verdict(self, pentanomial: Pentanomial) -> Verdict | None:
        """Return the accepted hypothesis, ``None`` while the test has to go on."""
        llr = self.llr(pentanomial)
        lower, upper = self.bounds
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else None

    def _log_likelihood(self, shares: Sequence[float], elo: float) -> float:
        if self.model == "logistic":
            advantage = score_from_elo(elo) - 0.5
            return _tilted(shares, [a - advantage for a in ADVANTAGES])[0]
        return _best_at_deviations(shares, math.sqrt(2) * elo / ELO_SCALE)


def expected_pairs(sprt: Sprt, elo: float, pair_variance: float = INDEPENDENT_PAIR_VARIANCE) -> float:
    """Return how many pairs a test takes on average.

    Wald's approximation: the log-likelihood ratio is a random walk that stops exactly on a bound. Real tests take a
    little longer, as they step over it.

    Args:
        sprt: the test.
        elo: the true difference, in the Elo of the test's model.
        pair_variance: variance of a pair score (``Pentanomial.variance``); normalized Elo does not depend on it.

    Raises:
        ValueError: the variance is not within 0 to 0.25.

    Example:
        >>> test = Sprt(0, 5)
        >>> [round(expected_pairs(test, elo, pair_variance=0.1)) for elo in (0, 2.5, 5)]
        [10238, 16747, 10238]
    """
    drift, variance = _walk(sprt, elo, pair_variance)
    lower, upper = sprt.bounds
    if abs(drift) * (upper - lower) < 1e-6 * variance:
        return -lower * upper / variance
    passing = _passing(2 * drift / variance, lower, upper)
    return (passing * upper + (1 - passing) * lower) / drift


def pass_probability(sprt: Sprt, elo: float, pair_variance: float = INDEPENDENT_PAIR_VARIANCE) -> float:
    """Return the probability that a test accepts H1, by the approximation of :func:`expected_pairs`.

    Example:
        >>> [round(pass_probability(Sprt(0, 5), elo), 3) for elo in (0, 2.5, 5)]
        [0.05, 0.5, 0.95]
    """
    drift, variance = _walk(sprt, elo, pair_variance)
    return _passing(2 * drift / variance, *sprt.bounds)


def _walk(sprt: Sprt, elo: float, pair_variance: float) -> tuple[float, float]:
    """Mean and variance of what one pair adds to the log-likelihood ratio."""
    if not 0 < pair_variance <= 0.25:
        raise ValueError(f"the variance of a pair score lies above 0 and up to 0.25, not {pair_variance!r}")
    if sprt.model == "logistic":
        low, high, true = (score_from_elo(value) / math.sqrt(pair_variance) for value in (sprt.elo0, sprt.elo1, elo))
    else:
        low, high, true = (math.sqrt(2) * value / ELO_SCALE for value in (sprt.elo0, sprt.elo1, elo))
    return (high - low) * (true - (low + high) / 2), (high - low) ** 2


def _passing(tilt: float, lower: float, upper: float) -> float:
    """Probability that a walk with ``tilt = 2 * drift / variance`` leaves at the upper bound."""
    if tilt == 0:
        return -lower / (upper - lower)
    if tilt < 0:
        return 1 - _passing(-tilt, -upper, -lower)
    return math.expm1(tilt * lower) / math.expm1(-tilt * (upper - lower))


def _tilted(shares: Sequence[float], values: Sequence[float]) -> tuple[float, list[float]]:
    """Return the likeliest distribution under which ``values`` have mean 0.

    It is ``share / (1 + multiplier * value)``, where the multiplier solves the secular equation ``sum(share * value /
    (1 + multiplier * value)) = 0``; the left side falls between its poles.

    Args:
        shares: observed shares, all positive.
        values: a number for each share, of both signs.

    Returns:
        Its log-likelihood per pair less that of the shares, and the distribution.
    """
    low, high = -1 / max(values), -1 / min(values)
    multiplier = 0.0
    for _ in range(_NEWTON_STEPS):
        ratios = [value / (1 + multiplier * value) for value in values]
        excess = sum(share * ratio for share, ratio in zip(shares, ratios, strict=True))
        slope = sum(share * ratio * ratio for share, ratio in zip(shares, ratios, strict=True))
        low, high = (multiplier, high) if excess > 0 else (low, multiplier)
        previous, multiplier = multiplier, multiplier + excess / slope
        if not low < multiplier < high:
            multiplier = (low + high) / 2
        if abs(multiplier - previous) <= 1e-12 * abs(previous):
            break
    factors = [1 + multiplier * value for value in values]
    loss = sum(share * math.log(factor) for share, factor in zip(shares, factors, strict=True))
    return -loss, [share / factor for share, factor in zip(shares, factors, strict=True)]


def _best_at_deviations(shares: Sequence[float], t: float) -> float:
    """Return the log-likelihood per pair, less that of the shares, of the likeliest distribution with this t-value.

    The t-value is the mean advantage over the standard deviation. At an optimum with mean advantage m the constraint
    acts like the linear one "the values ``2cma - cm^2 - a^2`` have mean 0" (a the advantage of a pair, c = 1 +
    1/t^2), so only m remains to be found: there the second moment is cm^2. If the shares have a smaller t-value, each
    linear problem is a lower bound of the optimum and several m may be stationary, so a scan comes first; otherwise
    the distributions that qualify form a convex set and the stationary m is unique.
    """
    if t == 0:
        return _tilted(shares, ADVANTAGES)[0]
    if t < 0:
        return _best_at_deviations(shares[::-1], -t)
    c = 1 + 1 / t**2
    mean = sum(share * a for share, a in zip(shares, ADVANTAGES, strict=True))
    square = sum(share * a * a for share, a in zip(shares, ADVANTAGES, strict=True))
    if mean > 0 and c * mean**2 >= square:
        high = mean + math.sqrt(mean**2 - square / c)
        return _stationary(shares, c, square / (c * high), high)
    return max(_stationary(shares, c, low, high) for low, high in _peaks(shares, c))


def _stationary(shares: Sequence[float], c: float, low: float, high: float) -> float:
    """Return the log-likelihood at the stationary mean advantage between two."""
    for _ in range(_BISECTIONS):
        middle = math.sqrt(low * high)
        _, distribution = _at_mean(shares, c, middle)
        moment = sum(share * a * a for share, a in zip(distribution, ADVANTAGES, strict=True))
        low, high = (middle, high) if moment > c * middle**2 else (low, middle)
    return _at_mean(shares, c, math.sqrt(low * high))[0]


def _at_mean(shares: Sequence[float], c: float, mean: float) -> tuple[float, list[float]]:
    """The linear problem of :func:`_best_at_deviations` for one mean advantage."""
    return _tilted(shares, [2 * c * mean * a - c * mean**2 - a * a for a in ADVANTAGES])


def _peaks(shares: Sequence[float], c: float) -> Iterator[tuple[float, float]]:
    """Bracket the local optima among a scan of all mean advantages for which the linear problem is solvable."""
    root = c + math.sqrt(c * c - c)
    for advantage in (0.25, 0.5):
        low, high = advantage / root, advantage * root / c
        means = [low * (high / low) ** (number / _SCAN_STEPS) for number in range(_SCAN_STEPS + 1)]
        inner = [_at_mean(shares, c, mean)[0] for mean in means[1:-1]]
        values = [-math.inf, *inner, -math.inf]
        for number in range(1, _SCAN_STEPS):
            if values[number] >= max(values[number - 1], values[number + 1]):
                yield means[number - 1], means[number + 1]
