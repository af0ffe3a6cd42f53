"""The sequential test against published ratios, a search over all distributions, and simulated matches."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError

import numpy as np
import numpy.typing as npt
import pytest

from gomoku.match.sprt import EloModel, Sprt, expected_pairs, pass_probability
from gomoku.match.stats import Pentanomial, score_from_elo

ADVANTAGES = np.array([-0.5, -0.25, 0, 0.25, 0.5])
NELO = 800 / math.log(10)
MODELS: tuple[EloModel, ...] = ("logistic", "normalized")

Floats = npt.NDArray[np.float64]


def excess(shares: Floats, elo: float, model: EloModel) -> Floats:
    """By how much the Elo of distributions, one a row, exceeds this one, up to a positive factor."""
    mean = shares @ ADVANTAGES
    if model == "logistic":
        result: Floats = mean - (1 / (1 + 10 ** (-elo / 400)) - 0.5)
    else:
        result = mean - math.sqrt(2) * elo / NELO * np.sqrt(np.maximum(shares @ ADVANTAGES**2 - mean**2, 0))
    return result


def onto_elo(shares: Floats, elo: float, model: EloModel) -> Floats:
    """Move distributions straight towards all won or all lost until they have the Elo."""
    corner = np.where(excess(shares, elo, model)[:, None] < 0, np.eye(5)[4], np.eye(5)[0])
    rising = corner[:, 4] == 1
    low, high = np.zeros(len(shares)), np.ones(len(shares))
    for _ in range(36):
        middle = (low + high) / 2
        moved = shares + middle[:, None] * (corner - shares)
        further = (excess(moved, elo, model) < 0) == rising
        low, high = np.where(further, middle, low), np.where(further, high, middle)
    landed: Floats = shares + low[:, None] * (corner - shares)
    return landed


def searched_likelihood(counts: Floats, elo: float, model: EloModel) -> float:
    """Largest log-likelihood of the counts with this Elo: random search with shrinking steps from many starts."""
    generator = np.random.default_rng(7)
    logits = np.log(counts / counts.sum()) + generator.normal(0, 3, size=(400, 5))
    kept, best, size = 10, -math.inf, 1.5
    for _ in range(60):
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = onto_elo(weights / weights.sum(axis=1, keepdims=True), elo, model)
        values = np.log(np.maximum(shares, 1e-300)) @ counts
        order = np.argsort(values)[-kept:]
        best = max(best, float(values[order[-1]]))
        parents = np.log(np.maximum(shares[order], 1e-300))
        children = np.repeat(parents, 15, axis=0)
        logits = np.vstack([parents, children + generator.normal(0, size, size=children.shape)])
        size *= 0.82
    return best


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((3, 9, 20, 12, 6), 0, 30),
        ((3, 9, 20, 12, 6), -80, -20),
        ((3, 9, 20, 12, 6), 100, 300),
        ((2, 0, 180, 3, 1), 0, 50),
        ((0, 4, 48, 0, 0), 0, 100),
        ((0, 0, 0, 0, 8), 0, 100),
    ],
)
def test_the_ratio_is_that_of_the_largest_likelihoods(
    counts: tuple[int, ...], elo0: float, elo1: float, model: EloModel
) -> None:
    cells = np.array([count or 1e-3 for count in counts])
    searched = searched_likelihood(cells, elo1, model) - searched_likelihood(cells, elo0, model)
    assert Sprt(elo0, elo1, model=model).llr(Pentanomial(*counts)) == pytest.approx(searched, rel=2e-3, abs=2e-3)


# Public test servers and match programs for chess, with normalized Elo.
@pytest.mark.parametrize(
    ("counts", "bounds", "llr", "digit"),
    [
        ((379, 10170, 21828, 10640, 343), (0, 2), 2.946, 0.001),
        ((365, 16618, 36229, 16974, 390), (0, 2), 2.250, 0.001),
        ((24, 609, 1406, 767, 42), (0, 3), 2.91, 0.01),
        ((46, 936, 2083, 1043, 63), (0, 5), 2.91, 0.01),
        ((84, 290, 500, 369, 113), (-5, 0), 2.97, 0.01),
        ((77, 1, 0, 0, 0), (-1000, -500), -2.95, 0.01),
        ((72, 10, 0, 0, 0), (-1000, -500), -2.97, 0.01),
    ],
)
def test_published_ratios(counts: tuple[int, ...], bounds: tuple[float, float], llr: float, digit: float) -> None:
    assert Sprt(*bounds, model="normalized").llr(Pentanomial(*counts)) == pytest.approx(llr, abs=digit)


def test_bounds_and_verdict() -> None:
    sprt = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert sprt.bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    verdicts = {sprt.verdict(Pentanomial(100, 200, 2000, 200 + gain, 100)) for gain in (-150, -60, 0, 60, 250)}
    assert verdicts == {"H0", None, "H1"}
    assert sprt.verdict(Pentanomial(100, 200, 2000, 450, 100)) == "H1"
    assert sprt.verdict(Pentanomial(100, 200, 2000, 50, 100)) == "H0"
    assert sprt.verdict(Pentanomial()) is None
    assert sprt.llr(Pentanomial()) == 0
    with pytest.raises(FrozenInstanceError):
        sprt.alpha = 0.2  # type: ignore[misc]


@pytest.mark.parametrize("model", MODELS)
def test_the_other_side_sees_the_opposite(model: EloModel) -> None:
    pairs = Pentanomial(3, 40, 90, 70, 12)
    assert Sprt(-3, 20, model=model).llr(pairs) == pytest.approx(-Sprt(-20, 3, model=model).llr(pairs.flipped()))


@pytest.mark.parametrize("model", MODELS)
def test_ratios_add_up_and_grow_with_the_evidence(model: EloModel) -> None:
    pairs = Pentanomial(5, 60, 140, 80, 15)
    parts = [Sprt(low, low + 10, model=model).llr(pairs) for low in (-20, -10, 0, 10)]
    assert Sprt(-20, 20, model=model).llr(pairs) == pytest.approx(sum(parts))
    assert parts == sorted(parts, reverse=True)
    double = Pentanomial(*(2 * count for count in pairs))
    assert Sprt(0, 10, model=model).llr(double) == pytest.approx(2 * parts[2])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 1e-6), (-1e-3, 0), (0, 5), (-1000, 1000), (900, 1000)])
def test_every_table_gives_a_number(elo0: float, elo1: float, model: EloModel) -> None:
    generator = np.random.default_rng(11)
    sprt = Sprt(elo0, elo1, model=model)
    tables = [[10**6 if i == j else 0 for j in range(5)] for i in range(5)] + [[1, 0, 0, 0, 10**7], [1, 0, 0, 0, 1]]
    tables += generator.integers(0, 10 ** generator.integers(1, 6, size=(8, 5))).tolist()
    assert all(math.isfinite(sprt.llr(Pentanomial(*table))) for table in tables)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0"),
        ({"elo0": 5, "elo1": 0}, "elo0"),
        ({"elo0": 0, "elo1": 1001}, "1001"),
        ({"elo0": math.nan, "elo1": 5}, "nan"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5}, "alpha"),
        ({"elo0": 0, "elo1": 5, "beta": math.nan}, "beta"),
        ({"elo0": 0, "elo1": 5, "model": "bayesian"}, "bayesian"),
    ],
)
def test_tests_that_make_no_sense(arguments: dict[str, float], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Sprt(**arguments)  # type: ignore[arg-type]


def shares_with_elo(elo: float) -> Floats:
    """A field with draws and pairs that depend on each other, tilted to this logistic Elo."""
    base = np.array([0.10, 0.12, 0.56, 0.12, 0.10])
    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        tilted = base * np.exp(middle * ADVANTAGES)
        tilted /= tilted.sum()
        low, high = (middle, high) if tilted @ ADVANTAGES + 0.5 < score_from_elo(elo) else (low, middle)
    result: Floats = tilted
    return result


def variance(shares: Floats) -> float:
    return float(shares @ ADVANTAGES**2 - (shares @ ADVANTAGES) ** 2)


def in_model(shares: Floats, model: EloModel) -> float:
    """Elo of a distribution."""
    mean = float(shares @ ADVANTAGES)
    if model == "logistic":
        return -400 * math.log10(1 / (mean + 0.5) - 1)
    return NELO * mean / math.sqrt(2 * variance(shares))


def simulate(sprt: Sprt, shares: Floats, runs: int, batch: int, seed: int) -> tuple[float, float]:
    """Play matches until the test ends: how often it accepted H1, and the mean number of pairs."""
    generator = np.random.default_rng(seed)
    accepted = pairs = 0
    for _ in range(runs):
        total = Pentanomial()
        while (verdict := sprt.verdict(total)) is None:
            total += Pentanomial(*generator.multinomial(batch, shares).tolist())
        accepted += verdict == "H1"
        pairs += total.pairs
    return accepted / runs, pairs / runs


@pytest.mark.parametrize(("elo", "passing"), [(0, 0.05), (40, 0.9), (20, None)])
def test_simulated_matches_err_as_often_as_allowed(elo: float, passing: float | None) -> None:
    sprt, shares = Sprt(0, 40, alpha=0.05, beta=0.1), shares_with_elo(elo)
    accepted, pairs = simulate(sprt, shares, runs=250, batch=3, seed=12)
    spread = variance(shares)
    assert accepted == pytest.approx(pass_probability(sprt, elo, spread), abs=0.06 if passing is None else 0.03)
    assert 1 < pairs / expected_pairs(sprt, elo, spread) < 1.25  # real walks step over the bounds
    if passing is not None:
        assert accepted == pytest.approx(passing, abs=0.035)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("elo", [0, 30])
def test_many_simulated_matches(model: EloModel, elo: float) -> None:
    shares = shares_with_elo(elo)
    strong = in_model(shares_with_elo(30), model)
    sprt = Sprt(0, strong, model=model)
    accepted, pairs = simulate(sprt, shares, runs=500, batch=15, seed=13)
    assert accepted == pytest.approx(0.95 if elo else 0.05, abs=0.03)
    assert 1 < pairs / expected_pairs(sprt, in_model(shares, model), variance(shares)) < 1.3


def test_the_forecast_is_that_of_a_random_walk() -> None:
    sprt = Sprt(-10, 10, alpha=0.02, beta=0.2)
    lower, upper = sprt.bounds
    for elo in (-14.0, 2.0, 25.0):
        # The log-likelihood ratio of two means of normal pair scores, a straight transcription of its definition.
        low, high, true = (score_from_elo(value) for value in (-10, 10, elo))
        generator = np.random.default_rng(14)
        scores = generator.normal(true, math.sqrt(0.08), size=(500, 6000))
        walk = np.cumsum(((scores - low) ** 2 - (scores - high) ** 2) / (2 * 0.08), axis=1)
        outside = (walk <= lower) | (walk >= upper)
        assert outside.any(axis=1).all()
        ends = outside.argmax(axis=1)
        accepted = np.mean(walk[np.arange(len(walk)), ends] >= upper)
        assert pass_probability(sprt, elo, 0.08) == pytest.approx(accepted, abs=0.04)
        assert expected_pairs(sprt, elo, 0.08) == pytest.approx(float(ends.mean() + 1), rel=0.1)


@pytest.mark.parametrize("model", MODELS)
def test_forecasts_at_and_far_from_the_hypotheses(model: EloModel) -> None:
    sprt = Sprt(0, 5, alpha=0.05, beta=0.1, model=model)
    assert pass_probability(sprt, 0) == pytest.approx(0.05)
    assert pass_probability(sprt, 5) == pytest.approx(0.9)
    assert pass_probability(sprt, 800) == 1
    assert pass_probability(sprt, -800) == pytest.approx(0, abs=1e-12)
    around = [expected_pairs(sprt, 2.5 + step) for step in (-1e-3, -1e-6, -1e-9, 0, 1e-9, 1e-6, 1e-3)]
    assert around == pytest.approx([around[3]] * 7, rel=1e-3)
    assert around[3] > expected_pairs(sprt, 5) > expected_pairs(sprt, 50) > 0
    assert (expected_pairs(sprt, 5, 0.05) < expected_pairs(sprt, 5, 0.1)) == (model == "logistic")
    for wrong in (0, -0.1, 0.26, math.nan):
        with pytest.raises(ValueError, match="variance"):
            expected_pairs(sprt, 5, wrong)
