"""Elo, normalized Elo and superiority from game pairs, against published results, simulations and searches."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gomoku.match.stats import (
    Pentanomial,
    elo_estimate,
    elo_from_score,
    los,
    nelo_estimate,
    score_from_elo,
)

POINTS = np.array([0, 0.5, 1, 1.5, 2])
# Draws, an opening's winner and a small advantage: the two games of a pair depend on each other.
TRUE_SHARES = np.array([0.08, 0.10, 0.52, 0.14, 0.16])


def samples(pairs: int, count: int, seed: int) -> list[Pentanomial]:
    drawn = np.random.default_rng(seed).multinomial(pairs, TRUE_SHARES, size=count)
    return [Pentanomial(*row) for row in drawn.tolist()]


def test_counts() -> None:
    pairs = Pentanomial.from_pair_scores([0, 0.5, 0.5, 1, 1, 1, 1.5, 2, 2])
    assert tuple(pairs) == (1, 2, 3, 1, 2)
    assert (pairs.pairs, pairs.games, pairs.points) == (9, 18, 9.5)
    assert pairs.score == pytest.approx(9.5 / 18)
    assert pairs.flipped() == Pentanomial(2, 1, 3, 2, 1)
    assert pairs.flipped().points == 18 - 9.5
    assert pairs + Pentanomial(one=4) == Pentanomial(1, 2, 7, 1, 2)
    assert str(pairs) == "[1, 2, 3, 1, 2]"
    assert hash(pairs) == hash(Pentanomial(1, 2, 3, 1, 2))
    with pytest.raises(AttributeError):
        pairs.two = 3  # type: ignore[misc]


def test_mean_and_variance_are_those_of_the_list_of_pairs() -> None:
    for pairs in samples(50, 20, seed=1):
        scores = np.repeat(POINTS / 2, tuple(pairs))
        assert pairs.score == pytest.approx(scores.mean())
        assert pairs.variance == pytest.approx(scores.var())
        assert pairs.flipped().variance == pytest.approx(scores.var())
    assert Pentanomial().score == 0.5
    assert Pentanomial().variance == 0


@pytest.mark.parametrize("counts", [(-1, 0, 0, 0, 0), (0, 0, 1.5, 0, 0), (0, 0, 0, 0, "2")])
def test_counts_that_cannot_be(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least 0, not"):
        Pentanomial(*counts)


@pytest.mark.parametrize("value", [-0.5, 0.25, 2.5, math.nan])
def test_points_that_no_pair_brings(value: float) -> None:
    with pytest.raises(ValueError, match=str(value)):
        Pentanomial.from_pair_scores([1, value])


def test_elo_and_score_are_inverse() -> None:
    for elo in (-1200, -400, -5.5, 0, 1e-6, 70, 800):
        score = score_from_elo(elo)
        assert score == pytest.approx(1 / (1 + 10 ** (-elo / 400)))
        assert elo_from_score(score) == pytest.approx(elo, abs=1e-9)
    assert elo_from_score(0) == -math.inf
    assert elo_from_score(1) == math.inf
    assert score_from_elo(1e6) == 1
    assert score_from_elo(-math.inf) == 0
    for score in (-0.01, 1.01, math.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            elo_from_score(score)


def test_eight_draws_and_two_wins() -> None:
    pairs = Pentanomial.from_pair_scores([1.5, 1, 1, 1.5, 1])
    assert pairs.score == 0.6
    assert elo_estimate(pairs).value == pytest.approx(70, abs=0.5)
    both_wins_in_one_pair = Pentanomial.from_pair_scores([2, 1, 1, 1, 1])
    assert elo_estimate(both_wins_in_one_pair).value == elo_estimate(pairs).value
    assert elo_estimate(both_wins_in_one_pair).error > elo_estimate(pairs).error


# Published results of public test servers for chess engines; they print the wider side of the interval.
@pytest.mark.parametrize(
    ("counts", "elo", "error"),
    [
        ((24, 609, 1406, 767, 42), 11.84, 4.83),
        ((84, 290, 500, 369, 113), 17.57, 9.55),
        ((132, 285, 580, 360, 184), 20.20, 9.66),
    ],
)
def test_published_elo(counts: tuple[int, ...], elo: float, error: float) -> None:
    estimate = elo_estimate(Pentanomial(*counts))
    assert estimate.value == pytest.approx(elo, abs=0.006)
    assert estimate.high - estimate.value == pytest.approx(error, abs=0.01)


@pytest.mark.parametrize(
    ("counts", "nelo", "error"),
    [((379, 10170, 21828, 10640, 343), 3.05, 2.31), ((365, 16618, 36229, 16974, 390), 1.96, 1.81)],
)
def test_published_normalized_elo(counts: tuple[int, ...], nelo: float, error: float) -> None:
    estimate = nelo_estimate(Pentanomial(*counts))
    assert estimate.value == pytest.approx(nelo, abs=0.005)
    assert estimate.error == pytest.approx(error, abs=0.005)


def test_intervals_hold_the_truth_19_times_of_20() -> None:
    score = float(TRUE_SHARES @ POINTS) / 2
    deviation = math.sqrt(float(TRUE_SHARES @ (POINTS / 2 - score) ** 2))
    elo = -400 * math.log10(1 / score - 1)
    nelo = (score - 0.5) / (deviation * math.sqrt(2)) * 800 / math.log(10)
    matches = samples(100, 3000, seed=2)
    for true, estimates in (
        (elo, [elo_estimate(pairs) for pairs in matches]),
        (nelo, [nelo_estimate(pairs) for pairs in matches]),
    ):
        assert np.mean([estimate.low <= true <= estimate.high for estimate in estimates]) == pytest.approx(
            0.95, abs=0.015
        )
        assert np.mean([estimate.value for estimate in estimates]) == pytest.approx(true, abs=2)
        assert all(estimate.error == pytest.approx((estimate.high - estimate.low) / 2) for estimate in estimates)


def test_estimates_mirror_the_other_side() -> None:
    for pairs in [*samples(12, 50, seed=3), Pentanomial(two=3), Pentanomial(half=4), Pentanomial(one=5)]:
        for estimate in (elo_estimate, nelo_estimate):
            mine, other = estimate(pairs), estimate(pairs.flipped())
            assert mine.value == pytest.approx(-other.value, abs=1e-9)
            assert mine.low == pytest.approx(-other.high)
            assert mine.error == pytest.approx(other.error)
        assert los(pairs) == pytest.approx(1 - los(pairs.flipped()))


def test_no_pairs_say_nothing() -> None:
    for estimate in (elo_estimate(Pentanomial()), nelo_estimate(Pentanomial())):
        assert estimate == (0, math.inf, -math.inf, math.inf)
    assert los(Pentanomial()) == 0.5


def likeliest_unseen(pairs: int) -> float:
    """Search the share of other results that stays unseen in so many pairs once in 40 times."""
    shares = np.linspace(0, 1, 1_000_001)
    return float(shares[np.argmin(np.abs((1 - shares) ** pairs - 0.025))])


@pytest.mark.parametrize("number", [1, 2, 10, 300])
@pytest.mark.parametrize("kind", [2, 3, 4])
def test_pairs_that_all_ended_alike(number: int, kind: int) -> None:
    pairs = Pentanomial(*(number if i == kind else 0 for i in range(5)))
    unseen = likeliest_unseen(number)
    elo, nelo = elo_estimate(pairs), nelo_estimate(pairs)
    for extreme, elo_end, nelo_end in ((0, elo.low, nelo.low), (2, elo.high, nelo.high)):
        scores, shares = np.array([POINTS[kind], extreme]) / 2, np.array([1 - unseen, unseen])
        mean = float(shares @ scores)
        if mean == 1:
            assert elo_end == math.inf
        else:
            assert elo_end == pytest.approx(-400 * math.log10(1 / mean - 1), rel=1e-3)
        if kind > 2 and extreme == 2:
            assert nelo_end == math.inf
        else:
            deviation = math.sqrt(2 * float(shares @ (scores - mean) ** 2))
            assert nelo_end == pytest.approx((mean - 0.5) / deviation * 800 / math.log(10), rel=1e-3)
    assert elo.value == (math.inf if kind == 4 else pytest.approx(-400 * math.log10(2 / POINTS[kind] - 1), abs=1e-9))
    assert nelo.value == (0 if kind == 2 else math.inf)


def test_more_equal_pairs_narrow_the_interval() -> None:
    errors = [elo_estimate(Pentanomial(one=number)).error for number in (1, 10, 100, 1000, 10**9)]
    assert errors == sorted(errors, reverse=True)
    assert 0 < errors[-1] < 1e-3
    lows = [elo_estimate(Pentanomial(two=number)).low for number in (1, 10, 100)]
    assert lows == sorted(lows)


def test_superiority_is_the_bayesian_posterior() -> None:
    generator = np.random.default_rng(5)
    for pairs in samples(150, 8, seed=6):
        posterior = generator.dirichlet(np.array(tuple(pairs)) + 1e-9, size=40_000) @ (POINTS / 2)
        assert los(pairs) == pytest.approx(float(np.mean(posterior > 0.5)), abs=0.01)


def test_superiority_when_all_pairs_were_won() -> None:
    share = np.linspace(0, 1, 200_001)
    for number in (1, 3, 10):
        posterior = share**number
        assert los(Pentanomial(two=number)) == pytest.approx(
            float(posterior[share > 0.5].sum() / posterior.sum()), abs=1e-3
        )
        assert los(Pentanomial(half=number)) == 1 - los(Pentanomial(two=number))
    assert los(Pentanomial(one=7)) == 0.5
    assert los(Pentanomial(two=10**6)) == 1


@pytest.mark.parametrize(
    ("freedom", "factor"),
    [(1, 12.7062), (2, 4.30265), (4, 2.77645), (10, 2.22814), (60, 2.00030), (120, 1.97993), (500, 1.96472)],
)
def test_few_pairs_have_the_wide_intervals_of_the_printed_tables(freedom: int, factor: float) -> None:
    # Of every pair but one the score is even, so that all is known but the factor.
    pairs = freedom + 1
    counts = Pentanomial(one=pairs - 1, one_and_half=1)
    error = math.sqrt(counts.variance / freedom)
    low = elo_estimate(counts).low
    assert score_from_elo(low) == pytest.approx(max(0.0, counts.score - factor * error), abs=1e-4)
    assert los(counts) > 0.5


def test_a_clean_sweep_is_not_less_convincing_than_almost_one() -> None:
    assert los(Pentanomial(one_and_half=1, two=1)) < 0.9
    assert los(Pentanomial(one_and_half=1, two=2)) < los(Pentanomial(one_and_half=1, two=9))
