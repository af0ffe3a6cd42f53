"""Ratings of several engines from all matches between them.

The model is Bradley and Terry's: engine i scores ``1 / (1 + exp(r_j - r_i))`` against engine j, a draw being half a win
and half a loss. The ratings are the most probable ones (maximum a posteriori) under a weak prior: every engine has also
drawn ``prior_draws`` games against a player of the field's strength, rating 0. It keeps engines without a loss or
without a win finite and makes the optimum unique.

Error bars come from the inverse Hessian. The Hessian takes games for independent and never drawn, so its data part is
scaled by the dispersion: the measured spread of the pair scores around the fitted ones over the spread that such games
would have. With the dispersion d the covariance is ``H^-1 (d H_data + H_prior) H^-1``, less the common shift of all.

Source: R. Bradley and M. Terry, "Rank analysis of incomplete block designs", 1952; D. Hunter, "MM algorithms for
generalized Bradley-Terry models", 2004; P. McCullagh and J. Nelder, "Generalized linear models", 1989 (dispersion).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gomoku.match.stats import ELO_SCALE, Z_95, Pentanomial

Results = Mapping[tuple[str, str], Pentanomial]
"""Pairs between two engines, as the first one sees them; a meeting may be split over both orders of the names."""

_Floats = npt.NDArray[np.float64]

_ELO_PER_UNIT = ELO_SCALE / 2
_LEAST_PRIOR_DRAWS = 0.01
_SMALLEST_STEP = 1e-6
_NEWTON_STEPS = 1_000


class Rating(NamedTuple):
    """One engine's strength.

    Attributes:
        name: the engine.
        elo: logistic Elo; the mean of all engines is 0 unless one of them was chosen for it.
        error: half the width of the 95 % interval of ``elo``, that is of the distance from the zero.
        games: games played.
        score: share of the points, 0 to 1; 0.5 without games.
        group: engines of different groups are not linked by any chain of matches; only the prior relates their
            ratings, so do not compare them. Groups are numbered from 0 in the order of their best engine.
    """

    name: str
    elo: float
    error: float
    games: int
    score: float
    group: int = 0


class LosMatrix(NamedTuple):
    """Who is probably stronger than whom.

    Attributes:
        names: the engines, strongest first.
        los: float64 array of shape (engines, engines): the probability that the engine of the row is stronger than
            the one of the column; 0.5 on the diagonal.
    """

    names: tuple[str, ...]
    los: _Floats


class CrossTable(NamedTuple):
    """Every result against every opponent.

    Attributes:
        names: the engines, highest share of the points first.
        cells: ``cells[i][j]`` holds the pairs of engine i against engine j as i sees them, with their ``points`` and
            ``games``; empty where they never met.
        totals: ``totals[i]`` holds all pairs of engine i.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[Pentanomial, ...], ...]
    totals: tuple[Pentanomial, ...]


class _Fit(NamedTuple):
    """Ratings in units of log odds with mean 0, their covariance, and the linked group of each engine."""

    table: CrossTable
    ratings: _Floats
    covariance: _Floats
    groups: list[int]


def rate(results: Results, prior_draws: float = 1.0, *, zero: str | None = None) -> list[Rating]:
    """Rate engines from their matches.

    Args:
        results: pairs between two engines, as the first one sees them.
        zero: the engine whose rating is 0; errors are then those of the distance from it. Without one the mean of all
            engines is 0, and errors are those of the distance from the mean.
        prior_draws: drawn games of every engine against the field, the weight of the prior; at
            least 0.01.

    Returns:
        The engines, strongest first.

    Raises:
        ValueError: an engine plays itself, ``prior_draws`` is too small, or ``zero`` has not played.

    Example:
        >>> results = {("b", "a"): Pentanomial(2, 8, 20, 14, 6), ("c", "a"): Pentanomial(two=10)}
        >>> for rating in rate(results):
        ...     print(f"{rating.name} {rating.elo:+.0f} +- {rating.error:.0f}, {rating.score:.0%} of {rating.games}")
        c +423 +- 247, 100% of 20
        b -186 +- 128, 57% of 100
        a -237 +- 124, 36% of 120
    """
    fit = _fit(results, prior_draws)
    variances, origin = np.diag(fit.covariance), 0.0
    if zero is not None:
        if zero not in fit.table.names:
            raise ValueError(f"{zero!r} has not played; those who have: {', '.join(fit.table.names)}")
        at = fit.table.names.index(zero)
        variances = variances + fit.covariance[at, at] - 2 * fit.covariance[at]
        origin = float(fit.ratings[at])
    errors = Z_95 * np.sqrt(np.maximum(variances, 0.0))
    numbers: dict[int, int] = {}
    rated = []
    for i in _by_rating(fit):
        pairs = fit.table.totals[i]
        rated.append(
            Rating(
                name=fit.table.names[i],
                elo=(float(fit.ratings[i]) - origin) * _ELO_PER_UNIT,
                error=float(errors[i]) * _ELO_PER_UNIT,
                games=pairs.games,
                score=pairs.score,
                group=numbers.setdefault(fit.groups[i], len(numbers)),
            )
        )
    return rated


def los_matrix(results: Results, prior_draws: float = 1.0) -> LosMatrix:
    """Return the likelihood of superiority of every engine over every other.

    Normal approximation from the covariance of the ratings, so engines that never met are compared through others.

    Args:
        results: as for :func:`rate`.
        prior_draws: as for :func:`rate`.

    Raises:
        ValueError: as for :func:`rate`.

    Example:
        >>> names, los = los_matrix({("b", "a"): Pentanomial(2, 8, 20, 14, 6), ("c", "a"): Pentanomial(two=10)})
        >>> names, los.round(3).tolist()[1]
        (('c', 'b', 'a'), [0.001, 0.5, 0.977])
    """
    fit = _fit(results, prior_draws)
    order = _by_rating(fit)
    ratings, covariance = fit.ratings[order], fit.covariance[np.ix_(order, order)]
    los = np.full((len(order), len(order)), 0.5)
    for i in range(len(order)):
        for j in range(i):
            deviation = math.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
            los[i, j] = NormalDist().cdf((ratings[i] - ratings[j]) / deviation)
            los[j, i] = 1 - los[i, j]
    return LosMatrix(tuple(fit.table.names[i] for i in order), los)


def cross_table(results: Results) -> CrossTable:
    """Arrange results as a table of everybody against everybody.

    Args:
        results: pairs between two engines, as the first one sees them.

    Raises:
        ValueError: an engine plays itself.

    Example:
        >>> table = cross_table({("a", "b"): Pentanomial(one=1, two=1), ("c", "a"): Pentanomial(half=1)})
        >>> table.names
        ('a', 'b', 'c')
        >>> [cell.points for cell in table.cells[0]], table.totals[0].points, table.totals[0].games
        ([0.0, 3.0, 1.5], 4.5, 6)
    """
    cells: dict[tuple[str, str], Pentanomial] = {}
    for (first, second), pairs in results.items():
        if first == second:
            raise ValueError(f"{first!r} cannot play against itself; give its versions different names")
        cells[first, second] = cells.get((first, second), Pentanomial()) + pairs
        cells[second, first] = cells.get((second, first), Pentanomial()) + pairs.flipped()
    totals = {name: Pentanomial() for name, _ in cells}
    for (name, _), pairs in cells.items():
        totals[name] += pairs
    names = sorted(totals, key=lambda name: (-totals[name].score, name))
    return CrossTable(
        names=tuple(names),
        cells=tuple(tuple(cells.get((row, column), Pentanomial()) for column in names) for row in names),
        totals=tuple(totals[name] for name in names),
    )


def _by_rating(fit: _Fit) -> list[int]:
    return sorted(range(len(fit.ratings)), key=lambda i: (-fit.ratings[i], fit.table.names[i]))


def _fit(results: Results, prior_draws: float) -> _Fit:
    if not _LEAST_PRIOR_DRAWS <= prior_draws < math.inf:
        raise ValueError(f"prior_draws must be at least {_LEAST_PRIOR_DRAWS} and finite, not {prior_draws!r}")
    table = cross_table(results)
    count = len(table.names)
    games = np.array([[cell.games for cell in row] for row in table.cells], dtype=np.float64).reshape(count, count)
    points = np.array([pairs.points for pairs in table.totals], dtype=np.float64)
    ratings = _most_probable(games, points, prior_draws)
    data, prior = _curvature(ratings, games, prior_draws)
    inverse = np.linalg.inv(data + prior)
    centring = np.eye(count) - 1 / max(count, 1)
    spread = inverse @ (_dispersion(table, ratings) * data + prior) @ inverse
    return _Fit(table, centring @ ratings, centring @ spread @ centring.T, _groups(games > 0))


def _expected(ratings: _Floats) -> _Floats:
    """Expected score of the row against the column."""
    scores: _Floats = (1 + np.tanh((ratings[:, None] - ratings[None, :]) / 2)) / 2
    return scores


def _curvature(ratings: _Floats, games: _Floats, prior_draws: float) -> tuple[_Floats, _Floats]:
    """Negative second derivatives of the log-likelihood and of the log-prior, each (engines, engines)."""
    expected = _expected(ratings)
    links = games * expected * (1 - expected)
    field = _expected(np.append(ratings, 0.0))[:-1, -1]
    return np.diag(links.sum(axis=1)) - links, np.diag(prior_draws * field * (1 - field))


def _most_probable(games: _Floats, points: _Floats, prior_draws: float) -> _Floats:
    """Climb the posterior by damped Newton steps.

    Along a step that changes rating differences by at most d, the curvature changes by a factor of at most exp(d), so
    the share log(1 + d) / d of it always climbs. The error left is about the square of the last step.

    Source: T. Sun and Q. Tran-Dinh, "Generalized self-concordant functions", 2019.
    """
    ratings = np.zeros(len(points))
    for _ in range(_NEWTON_STEPS):
        field = _expected(np.append(ratings, 0.0))[:-1, -1]
        slope = points - (games * _expected(ratings)).sum(axis=1) + prior_draws * (0.5 - field)
        data, prior = _curvature(ratings, games, prior_draws)
        step = np.linalg.solve(data + prior, slope)
        change = float(step.max(initial=0.0) - step.min(initial=0.0))
        if change < _SMALLEST_STEP:
            return ratings + step
        ratings = ratings + step * math.log1p(change) / change
    raise ArithmeticError(f"the ratings did not settle in {_NEWTON_STEPS} steps")


def _dispersion(table: CrossTable, ratings: _Floats) -> float:
    """Measured spread of the pair scores around the fitted ones over that of independent games without draws.

    One even pair is counted in with the spread of such games: a few pairs that happen to end alike are no certainty.
    """
    expected = _expected(ratings)
    measured = independent = 0.125
    for i, row in enumerate(table.cells):
        for j, cell in enumerate(row[:i]):
            measured += cell.pairs * (cell.variance + (cell.score - expected[i, j]) ** 2)
            independent += cell.pairs * expected[i, j] * (1 - expected[i, j]) / 2
    return float(measured / independent)


def _groups(linked: npt.NDArray[np.bool_]) -> list[int]:
    """Number the connected components of the graph of matches."""
    groups = [-1] * len(linked)
    for start in range(len(linked)):
        if groups[start] >= 0:
            continue
        groups[start] = start
        reached = [start]
        while reached:
            for neighbour in np.flatnonzero(linked[reached.pop()]):
                if groups[neighbour] < 0:
                    groups[neighbour] = start
                    reached.append(int(neighbour))
    return groups
