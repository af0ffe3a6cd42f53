"""Simulated matches: pairs are conserved, seeds repeat, simple cases come out as computed by hand."""

from __future__ import annotations

import math
import random

import pytest

from gomoku.match.player import MatchError
from gomoku.match.simulate import Farm, Games, Outcome, Simulation, main, new_schedule
from gomoku.match.sprt import Sprt

EVEN = Games(0, draws=0.1, opening_elo=200)
STEADY = {"spread": 0.0, "draw_length": 1.0, "straggler_share": 0.0, "worker_mtbf": math.inf}
IDEAL = {**STEADY, "latency": 0.0, "submit": 0.0, "take": 0.0}


def play(farm: Farm, pairs: int, *, games: Games = EVEN, sprt: Sprt | None = None, seed: int = 1) -> Outcome:
    return Simulation(lambda: new_schedule(pairs, sprt), farm, games, seed).run()


class TestGames:
    @pytest.mark.parametrize("elo", [-40, 0, 7, 300])
    @pytest.mark.parametrize(("draws", "opening_elo"), [(0, 0), (0.3, 0), (0, 300), (0.5, 200), (1, 50)])
    def test_pairs_show_the_elo_and_the_variance_they_are_made_for(
        self, elo: float, draws: float, opening_elo: float
    ) -> None:
        games, rng, count = Games(elo, draws, opening_elo), random.Random(5), 4000
        scores = [sum(game.points("new") for game in games.draw(rng)) / 2 for _ in range(count)]
        mean = sum(scores) / count
        assert mean == pytest.approx(1 / (1 + 10 ** (-elo / 400)), abs=4 * math.sqrt(games.pair_variance / count))
        variance = sum((score - mean) ** 2 for score in scores) / count
        assert variance == pytest.approx(games.pair_variance, rel=0.15, abs=0.002)

    def test_independent_games(self) -> None:
        assert Games(0, draws=0, opening_elo=0).pair_variance == pytest.approx(0.125)
        assert Games(0, draws=0.2, opening_elo=0).pair_variance == pytest.approx(0.1)

    def test_unbalanced_openings_make_the_games_of_a_pair_cancel(self) -> None:
        variances = [Games(0, draws=0.1, opening_elo=elo).pair_variance for elo in (0, 100, 300, 600)]
        assert variances == sorted(variances, reverse=True)

    @pytest.mark.parametrize("draws", [-0.1, 1.5, math.nan])
    def test_no_share(self, draws: float) -> None:
        with pytest.raises(ValueError, match="draws must be a share"):
            Games(0, draws=draws, opening_elo=0)


class TestByHand:
    @pytest.mark.parametrize(("cores", "pairs"), [(1, 3), (4, 10), (7, 7), (8, 100), (100, 3)])
    def test_waves_of_equal_pairs(self, cores: int, pairs: int) -> None:
        outcome = play(Farm(cores=cores, worker_cores=3, pair_seconds=10, **IDEAL), pairs)
        assert outcome.seconds == pytest.approx(10 * math.ceil(pairs / cores))
        assert outcome.core_seconds == outcome.useful_core_seconds == pytest.approx(10 * pairs)
        assert outcome.given_out == outcome.table.pairs == pairs

    @pytest.mark.parametrize("pairs", [3, 4, 5, 6])
    def test_messages_cost_their_latency_once_while_pairs_wait_for_cores(self, pairs: int) -> None:
        farm = Farm(cores=4, pair_seconds=10, **{**IDEAL, "latency": 0.5})
        assert play(farm, pairs).seconds == pytest.approx(math.ceil(pairs / 4) * 10 + 2 * 0.5)

    def test_one_pair_at_a_time(self) -> None:
        farm = Farm(cores=1, pair_seconds=10, **{**IDEAL, "submit": 1.0, "take": 2.0})
        outcome = play(farm, 1)
        assert outcome.seconds == pytest.approx(1 + 10 + 2)
        assert outcome.coordinator_seconds == pytest.approx(1 + 2)

    def test_a_coordinator_that_cannot_follow_sets_the_pace(self) -> None:
        farm = Farm(cores=1000, pair_seconds=1, **{**IDEAL, "submit": 0.01, "take": 0.03})
        outcome = play(farm, 5000)
        assert outcome.seconds == pytest.approx(5000 * 0.04, rel=0.01)
        assert outcome.coordinator_seconds == pytest.approx(5000 * 0.04)

    def test_stragglers(self) -> None:
        farm = Farm(cores=1, pair_seconds=10, **{**IDEAL, "straggler_share": 1.0}, straggler_factor=3)
        assert play(farm, 4).seconds == pytest.approx(120)

    def test_drawn_games_last_longer(self) -> None:
        farm = Farm(cores=1, pair_seconds=10, **{**IDEAL, "draw_length": 5.0})
        assert play(farm, 4, games=Games(0, draws=1, opening_elo=0)).seconds == pytest.approx(4 * 50)

    def test_durations_have_the_mean_and_the_spread_asked_for(self) -> None:
        farm, rng = Farm(pair_seconds=10, spread=0.5, straggler_share=0.0), random.Random(3)
        seconds = [farm.duration(rng, 0) for _ in range(20_000)]
        mean = sum(seconds) / len(seconds)
        assert mean == pytest.approx(10, rel=0.02)
        assert math.sqrt(sum((s - mean) ** 2 for s in seconds) / len(seconds)) == pytest.approx(5, rel=0.05)


class TestFailures:
    @pytest.mark.parametrize("seed", range(5))
    @pytest.mark.parametrize("coordinator_mtbf", [math.inf, 50])
    @pytest.mark.parametrize("sprt", [None, Sprt(0, 80)])
    def test_pairs_are_conserved(self, seed: int, coordinator_mtbf: float, sprt: Sprt | None) -> None:
        schedules = []

        def schedule() -> object:
            schedules.append(new_schedule(400, sprt))
            return schedules[-1]

        farm = Farm(
            cores=20, worker_cores=4, pair_seconds=10, worker_mtbf=500, detection=5, coordinator_mtbf=coordinator_mtbf
        )
        outcome = Simulation(schedule, farm, EVEN, seed).run()  # type: ignore[arg-type]
        numbers = [result.number for result in schedules[-1].results]
        assert outcome.given_out == outcome.table.pairs + outcome.lost + outcome.cancelled
        assert len(set(numbers)) == len(numbers) == outcome.table.pairs
        assert outcome.useful_core_seconds <= outcome.core_seconds * (1 + 1e-9)
        if sprt is None:
            assert outcome.lost > 0
            assert (len(schedules) > 1) == (coordinator_mtbf < math.inf)
            assert sorted(numbers) == list(range(400))
            assert outcome.cancelled == 0
        else:
            assert outcome.verdict in ("H0", "H1")

    def test_lost_pairs_cost_the_time_they_had_taken(self) -> None:
        calm = play(Farm(cores=20, worker_cores=4, pair_seconds=10, worker_mtbf=math.inf), 400)
        flaky = play(Farm(cores=20, worker_cores=4, pair_seconds=10, worker_mtbf=1000, detection=1), 400)
        assert calm.lost == 0
        assert calm.core_seconds == pytest.approx(calm.useful_core_seconds)
        assert flaky.lost > 0
        assert flaky.core_seconds > flaky.useful_core_seconds
        assert flaky.seconds > calm.seconds

    def test_pairs_that_are_lost_again_and_again_end_the_match(self) -> None:
        with pytest.raises(MatchError, match="lost again and again"):
            play(Farm(cores=8, pair_seconds=1000, worker_mtbf=100, detection=1), 50)


class TestSequentialTests:
    def test_a_seed_repeats_a_match(self) -> None:
        farm = Farm(cores=30, pair_seconds=10, worker_mtbf=500)
        outcomes = [play(farm, 500, sprt=Sprt(0, 40), seed=seed) for seed in (3, 3, 4)]
        assert outcomes[0] == outcomes[1]
        assert outcomes[0] != outcomes[2]

    def test_what_flies_at_the_verdict_is_cancelled(self) -> None:
        outcome = play(Farm(cores=40, pair_seconds=10, **IDEAL), 10_000, sprt=Sprt(0, 60))
        assert outcome.verdict is not None
        assert outcome.cancelled == 60 - 1  # 1.5 pairs for a core, less the one that decided
        assert outcome.core_seconds - outcome.useful_core_seconds == pytest.approx(10 * 59)  # all 40 had just ended

    @pytest.mark.parametrize("cores", [64, pytest.param(1, marks=pytest.mark.slow)])
    def test_error_rates_do_not_depend_on_the_machines(self, cores: int) -> None:
        # Bounds this far apart are reached after few pairs, which the number of matches is paid with.
        farm, sprt, runs = Farm(cores=cores), Sprt(0, 150, alpha=0.1, beta=0.1), 150
        for elo, wrong in ((0, "H1"), (150, "H0")):
            games = Games(elo, draws=0.1, opening_elo=200)
            verdicts = [play(farm, 10_000, games=games, sprt=sprt, seed=seed).verdict for seed in range(runs)]
            assert set(verdicts) == {"H0", "H1"}
            assert 0.03 <= verdicts.count(wrong) / runs <= 0.17  # 0.1 and 2.9 standard deviations either way


class TestCommand:
    def test_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ["--cores", "16", "--sprt", "0,60", "--runs", "5", "--tc", "0.5/60"]
        assert main(arguments) == 0
        output = capsys.readouterr().out
        lines = output.splitlines()
        assert lines[0].startswith("16 cores, 17.5 s for a pair")
        assert [line.split()[0] for line in lines[2:]] == ["0", "30", "60"]
        assert {len(line.split()) for line in lines[2:]} == {18}
        main(arguments)
        assert capsys.readouterr().out == output

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--cores", "0"], "cores must be at least 1, not 0"),
            (["--latency", "nan"], "latency must be at least 0, not nan"),
            (["--sprt", "5,0"], "elo0 must be below elo1"),
            (["--sprt", "5"], "--sprt '5' is not two numbers such as 0,10"),
            (["--tc", "fast"], "'fast' is no time control"),
        ],
    )
    def test_bad_arguments(self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main(arguments)
        assert message in capsys.readouterr().err
