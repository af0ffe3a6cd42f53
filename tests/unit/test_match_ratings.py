"""Ratings against Hunter's iteration, scans of the posterior and simulated tournaments."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest

from gomoku.match.ratings import cross_table, los_matrix, rate
from gomoku.match.stats import Pentanomial, elo_estimate

UNIT = 400 / math.log(10)
RESULTS = {
    ("a", "b"): Pentanomial(2, 8, 20, 14, 6),
    ("c", "a"): Pentanomial(0, 1, 4, 9, 11),
    ("c", "b"): Pentanomial(1, 0, 5, 3, 6),
    ("b", "a"): Pentanomial(0, 1, 2, 0, 1),
    ("d", "b"): Pentanomial(3, 0, 1, 0, 0),
}


def hunter(results: dict[tuple[str, str], Pentanomial], prior_draws: float) -> dict[str, float]:
    """Elo by the minorise-maximise iteration on playing strengths; the field is a player of strength 1."""
    names = sorted({name for pair in results for name in pair})
    strength = dict.fromkeys(names, 1.0)
    for _ in range(5_000):
        for name in names:
            points, weight = prior_draws / 2, prior_draws / (strength[name] + 1)
            for (first, second), pairs in results.items():
                if name in (first, second):
                    points += pairs.points if name == first else pairs.games - pairs.points
                    weight += pairs.games / (strength[first] + strength[second])
            strength[name] = points / weight
    elos = {name: UNIT * math.log(value) for name, value in strength.items()}
    mean = sum(elos.values()) / len(elos)
    return {name: elo - mean for name, elo in elos.items()}


@pytest.mark.parametrize("prior_draws", [0.5, 1, 7])
def test_ratings_are_those_of_hunters_iteration(prior_draws: float) -> None:
    ratings = rate(RESULTS, prior_draws)
    assert {rating.name: rating.elo for rating in ratings} == pytest.approx(hunter(RESULTS, prior_draws), abs=1e-3)
    assert [rating.elo for rating in ratings] == sorted((rating.elo for rating in ratings), reverse=True)
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-9)


def test_games_and_scores_are_summed_over_both_orders() -> None:
    ratings = {rating.name: rating for rating in rate(RESULTS)}
    assert {name: rating.games for name, rating in ratings.items()} == {"a": 158, "b": 146, "c": 80, "d": 8}
    assert ratings["a"].score == pytest.approx((57 + 10 + 3.5) / 158)
    turned = {(second, first): pairs.flipped() for (first, second), pairs in RESULTS.items()}
    for rating in rate(turned):
        assert rating == pytest.approx(ratings[rating.name])


def test_two_engines_far_from_the_prior_agree_with_their_match() -> None:
    pairs = Pentanomial(80, 200, 500, 300, 120)
    strong, weak = rate({("x", "y"): pairs}, prior_draws=0.01)
    match = elo_estimate(pairs)
    assert (strong.name, weak.name) == ("x", "y")
    assert strong.elo - weak.elo == pytest.approx(match.value, abs=0.01)
    assert strong.error + weak.error == pytest.approx(match.error, rel=0.01)


def test_errors_come_from_the_spread_of_pairs() -> None:
    equal = rate({("x", "y"): Pentanomial(one=200)})[0]
    loose = rate({("x", "y"): Pentanomial(zero=100, two=100)})[0]
    middle = rate({("x", "y"): Pentanomial(zero=50, one=100, two=50)})[0]
    assert 0 < equal.error < middle.error / 3 < loose.error / 3
    assert middle.error * 2**0.5 == pytest.approx(loose.error, rel=0.02)


def test_an_unbeaten_engine_is_at_the_peak_of_the_posterior() -> None:
    first, second = np.meshgrid(np.linspace(-4, 4, 801), np.linspace(-4, 4, 801), indexing="ij")

    def log_share(difference: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return -np.log1p(np.exp(-difference))

    posterior = 24 * log_share(first - second)
    for value in (first, second):
        posterior += (log_share(value) + log_share(-value)) * 2 / 2
    peak = np.unravel_index(np.argmax(posterior), posterior.shape)
    ratings = rate({("x", "y"): Pentanomial(two=12)}, prior_draws=2)
    assert ratings[0].elo - ratings[1].elo == pytest.approx(UNIT * float(first[peak] - second[peak]), abs=3)
    assert ratings[0].name == "x"
    assert math.isfinite(ratings[0].error)
    wins = [rate({("x", "y"): Pentanomial(two=number)})[0].elo for number in (1, 10, 100, 10_000)]
    assert wins == sorted(wins)
    weak_priors = [rate({("x", "y"): Pentanomial(two=10)}, prior)[0].elo for prior in (10, 1, 0.1, 0.01)]
    assert weak_priors == sorted(weak_priors)


def tournament(
    elos: dict[str, float], meetings: list[tuple[str, str]], pairs: int, generator: np.random.Generator
) -> dict[tuple[str, str], Pentanomial]:
    """Pairs whose two games often go to the same colour, so that they vary less than independent ones."""
    results = {}
    for first, second in meetings:
        score = 1 / (1 + 10 ** ((elos[second] - elos[first]) / 400))
        shared = 0.6 * 2 * min(score, 1 - score)
        rest = score - shared / 2
        shares = [1 - shared - rest, 0, shared, 0, rest]
        results[first, second] = Pentanomial(*generator.multinomial(pairs, shares).tolist())
    return results


def test_intervals_and_superiority_of_simulated_tournaments() -> None:
    generator = np.random.default_rng(21)
    elos = {"a": -130.0, "b": -40.0, "c": -10.0, "d": 60.0, "e": 120.0}
    meetings = [meeting for meeting in itertools.combinations(elos, 2) if meeting != ("a", "e")]
    inside, superior = [], []
    for _ in range(400):
        results = tournament(elos, meetings, 40, generator)
        inside += [abs(rating.elo - elos[rating.name]) <= rating.error for rating in rate(results)]
        table = los_matrix(results)
        superior.append(table.los[table.names.index("c"), table.names.index("b")])
    assert np.mean(inside) == pytest.approx(0.95, abs=0.015)
    # Were both equal, the likelihood of superiority would be uniform; a lead of 30 Elo shifts it towards 1.
    assert np.mean(superior) > 0.75


def test_superiority_of_equal_engines_is_uniform() -> None:
    generator = np.random.default_rng(22)
    elos = {"a": -50.0, "b": 25.0, "c": 25.0}
    values = []
    for _ in range(600):
        # b and c never meet: only their results against a tell.
        table = los_matrix(tournament(elos, [("a", "b"), ("c", "a")], 50, generator), prior_draws=0.01)
        values.append(table.los[table.names.index("b"), table.names.index("c")])
    histogram, _ = np.histogram(values, bins=4, range=(0, 1))
    assert histogram.tolist() == pytest.approx([150] * 4, abs=40)


def test_superiority_matrix() -> None:
    names, los = los_matrix(RESULTS)
    assert names == tuple(rating.name for rating in rate(RESULTS))
    assert los.shape == (4, 4)
    assert los + los.T == pytest.approx(np.ones((4, 4)))
    assert np.diag(los).tolist() == [0.5] * 4
    assert (los[np.triu_indices(4, 1)] > 0.5).all()


def test_groups_that_never_met() -> None:
    results = {
        ("a", "b"): Pentanomial(1, 2, 5, 9, 8),
        ("x", "y"): Pentanomial(2, 2, 12, 2, 2),
        ("b", "c"): Pentanomial(0, 2, 5, 2, 3),
        ("d", "x"): Pentanomial(),
    }
    ratings = {rating.name: rating for rating in rate(results)}
    groups = {name: rating.group for name, rating in ratings.items()}
    assert groups["a"] == groups["b"] == groups["c"]
    assert groups["x"] == groups["y"]
    assert {groups["a"], groups["x"], groups["d"]} == {0, 1, 2}
    assert rate(results)[0].group == 0
    assert (ratings["d"].games, ratings["d"].score) == (0, 0.5)
    assert min(rating.error for rating in ratings.values()) > 50
    linked = results | {("y", "b"): Pentanomial(5, 5, 20, 5, 5)}
    errors = {rating.name: rating.error for rating in rate(linked)}
    assert all(errors[name] < ratings[name].error / 1.3 for name in "abcxy")


def test_one_group_has_number_0() -> None:
    assert {rating.group for rating in rate(RESULTS)} == {0}


def test_many_engines_with_extreme_results_settle() -> None:
    generator = np.random.default_rng(23)
    names = [f"engine {number}" for number in range(25)]
    for prior_draws in (0.01, 1, 1000):
        results = {
            meeting: Pentanomial(*(10 ** generator.integers(0, 6, size=5) * generator.integers(0, 2, size=5)).tolist())
            for meeting in itertools.combinations(names, 2)
            if generator.random() < 0.3
        }
        ladder = {(names[i + 1], names[i]): Pentanomial(two=1000) for i in range(24)}
        for table in (results, ladder):
            ratings = rate(table, prior_draws)
            assert all(math.isfinite(rating.elo) and rating.error > 0 for rating in ratings)
        assert [rating.name for rating in rate(ladder, prior_draws)] == names[::-1]


def test_nothing_played() -> None:
    assert rate({}) == []
    assert cross_table({}) == ((), (), ())
    assert los_matrix({}).los.shape == (0, 0)
    idle = rate({("x", "y"): Pentanomial()})
    assert [(rating.name, rating.elo, rating.games) for rating in idle] == [("x", 0, 0), ("y", 0, 0)]
    assert idle[0].error > 300


def test_cross_table() -> None:
    table = cross_table(RESULTS)
    scores = [total.score for total in table.totals]
    assert table.names[0] == "c"
    assert scores == sorted(scores, reverse=True)
    a, b, d = (table.names.index(name) for name in "abd")
    assert table.cells[a][b] == Pentanomial(3, 8, 22, 15, 6)
    for i, row in enumerate(table.cells):
        assert row[i].pairs == 0
        assert sum(cell.points for cell in row) == table.totals[i].points
        for j, cell in enumerate(row):
            assert cell == table.cells[j][i].flipped()
    assert table.cells[a][d].games == 0


def test_equal_scores_are_ordered_by_name() -> None:
    assert cross_table({("y", "x"): Pentanomial(one=2)}).names == ("x", "y")
    assert [rating.name for rating in rate({("y", "x"): Pentanomial(one=2)})] == ["x", "y"]


@pytest.mark.parametrize("prior_draws", [0, -1, 0.001, math.nan, math.inf])
def test_priors_that_bind_nothing(prior_draws: float) -> None:
    with pytest.raises(ValueError, match="prior_draws"):
        rate(RESULTS, prior_draws)


def test_an_engine_does_not_play_itself() -> None:
    for function in (rate, cross_table, los_matrix):
        with pytest.raises(ValueError, match="'a' cannot play against itself"):
            function({("a", "a"): Pentanomial(one=1)})
