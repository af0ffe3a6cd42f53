"""Simultaneous perturbation: it finds what is better, and an interrupted run is like any other."""

from __future__ import annotations

import argparse
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gomoku import Rule, book
from gomoku.match.pair import play_pair
from gomoku.match.player import MatchError
from gomoku.match.result import End
from gomoku.params import CONSTANTS, Constant
from gomoku.tuning import command, spsa
from gomoku.tuning.spsa import RATE, Spsa, Tuning

# --- estimates -------------------------------------------------------------------------------------------------------

BEST = {"small": 3, "margin": 120, "offset": -40, "edge": 500}
TABLE = {
    "small": Constant(6, 0, 8, 0.5, ""),
    "margin": Constant(70, 0, 200, 10, ""),
    "offset": Constant(30, -100, 100, 12, ""),
    "edge": Constant(400, 0, 500, 25, ""),
}


def worth(values: dict[str, int]) -> float:
    """What a player's constants cost it, in units of log odds."""
    return -sum((0.2 * (values[name] - best) / TABLE[name].step) ** 2 for name, best in BEST.items())


def played(pairs: int, ahead: int = 1, seed: int = 1) -> Spsa:
    """A tuning by games whose results are drawn by chance."""
    rng = random.Random(f"results {seed}")
    tuned = Spsa(TABLE, pairs, seed=seed, rate=0.03, ahead=ahead)
    sides = []
    for number in range(pairs):
        sides.append(tuned.sides(number))
        if number + 1 >= ahead:
            first, second = sides[tuned.done]
            chance = 1 / (1 + math.exp(worth(second) - worth(first)))
            tuned.finish(2 * sum(rng.random() < chance for _ in range(2)))
    return tuned


@pytest.mark.parametrize("ahead", [1, 5])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_finds_the_best_constants(ahead: int, seed: int) -> None:
    found = played(3_000, ahead, seed).estimates
    for name, best in BEST.items():
        assert abs(found[name] - best) < 2 * TABLE[name].step, name


def test_equal_players_stay_where_they_are() -> None:
    tuned = Spsa(TABLE, 100)
    for number in range(100):
        tuned.sides(number)
        tuned.finish(2)
    assert tuned.values() == {name: constant.default for name, constant in TABLE.items()}


def test_gains_are_those_of_the_method() -> None:
    pairs, table = 200, {"one": Constant(1_000, 0, 2_000, 20, "")}
    tuned = Spsa(table, pairs, rate=0.01)
    # Gains a and c of Spall's paper, their ends c = step and a / c^2 = rate.
    a, c = 0.01 * 20**2 * (0.1 * pairs + pairs) ** 0.602, 20 * pairs**0.101
    for number in range(pairs):
        before = tuned.estimates["one"]
        first, second = tuned.sides(number)
        c_k = c / (number + 1) ** 0.101
        assert first["one"] - second["one"] == pytest.approx(math.copysign(2 * c_k, first["one"] - before), abs=1)
        tuned.finish(3)
        a_k = a / (0.1 * pairs + number + 1) ** 0.602
        assert tuned.estimates["one"] - before == pytest.approx(math.copysign(a_k / c_k, first["one"] - before))
        tuned._estimates[-1]["one"] = 1_000.0  # far from the ends of its range


def test_values_stay_in_their_ranges_and_are_right_on_average() -> None:
    table = {
        "low": Constant(0, 0, 10, 4, ""),
        "high": Constant(10, 0, 10, 4, ""),
        "half": Constant(50, 0, 100, 0.25, ""),
    }
    tuned = Spsa(table, 2_000)
    sums = dict.fromkeys(table, 0)
    ups = 0
    for number in range(2_000):
        for side in (sides := tuned.sides(number)):
            assert all(table[name].low <= value <= table[name].high for name, value in side.items())
            for name, value in side.items():
                sums[name] += value
        ups += sides[0]["half"] > sides[1]["half"]
        tuned.finish(2)
    assert sums["half"] / 4_000 == pytest.approx(50, abs=0.05)
    assert 400 < ups < 700  # two steps apart, which is about half a unit, one way as often as the other


def test_a_pair_depends_on_the_results_before_it_alone() -> None:
    def begun(results: list[int], ahead: int, seed: int = 1) -> list[Any]:
        tuned = Spsa(TABLE, 50, seed=seed, rate=1.0, ahead=ahead)
        for half_points in results:
            tuned.finish(half_points)
        return [tuned.sides(tuned.done + more) for more in range(ahead)]

    assert begun([4, 0, 3], 1) == begun([4, 0, 3], 1) != begun([4, 0, 4], 1)
    assert begun([4, 0, 3], 1, seed=2) != begun([4, 0, 3], 1)
    # The same pair, begun when more or less of the others is known.
    assert begun([4, 0, 3], 3)[2] == begun([4, 0, 3, 1], 3)[1] == begun([4, 0, 3, 1, 1], 3)[0]
    assert begun([4, 0, 3], 3)[1] != begun([4, 0, 3], 1)[0]


# --- games -----------------------------------------------------------------------------------------------------------

SMALL = book.read("0,0, 1,2\n0,0, 1,3\n0,0, 2,2", 9, 9)


def tuning(**changes: Any) -> Tuning:
    return Tuning(**{"openings": SMALL, "size": 9, "nodes": 40, "pairs": 6, "rate": 0.5} | changes)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "tuned.json"
    tuning(concurrency=2).run(path)
    return path


def test_the_players_of_a_pair_have_their_constants() -> None:
    tuned = tuning()
    task = tuned.task(0)
    sides = tuned.spsa.sides(0)
    assert sides[0] != sides[1]
    for player, constants in zip((task.first, task.second), sides, strict=True):
        assert player.engine is not None
        assert player.engine()._ready_team().leader.constants == constants  # type: ignore[attr-defined]
    assert task.node_jitter == 0
    only = tuning(only=["razor_base"]).task(0).first.engine
    constants = only()._ready_team().leader.constants  # type: ignore
    assert constants.pop("razor_base") != 19
    assert constants == {name: each.default for name, each in CONSTANTS.items() if name != "razor_base"}


def test_openings_come_in_all_symmetries() -> None:
    tuned = tuning(pairs=24, concurrency=24)
    tasks = [tuned.task(number) for number in range(24)]
    assert len({(task.opening, task.symmetry) for task in tasks}) == 24


class StoppedError(Exception):
    """What a broken run raises."""


@pytest.mark.parametrize("stop", [StoppedError, KeyboardInterrupt])
@pytest.mark.parametrize("after", [1, 5])
def test_an_interrupted_run_gives_the_same_file(
    whole: Path, tmp_path: Path, stop: type[BaseException], after: int
) -> None:
    path = tmp_path / "tuned.json"
    calls: list[int] = []

    def interrupt(done: int) -> None:
        calls.append(done)
        if done == after:
            raise stop

    with pytest.raises(stop):
        tuning(concurrency=2).run(path, on_progress=interrupt)
    assert calls[0] == 0
    assert json.loads(path.read_text())["results"] == json.loads(whole.read_text())["results"][:after]
    tuning(concurrency=2).run(path)
    assert path.read_text() == whole.read_text()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_says_what_was_played(whole: Path) -> None:
    state = json.loads(whole.read_text())
    tuned = tuning(concurrency=2)
    results = []
    for number in range(6):
        tuned.spsa.sides(number)
        results.append(round(2 * play_pair(tuned.task(number)).points))
        if number:  # two at the same time
            tuned.spsa.finish(results[number - 1])
    tuned.spsa.finish(results[-1])
    assert state["results"] == "".join(map(str, results))
    assert state["constants"] == tuned.spsa.values()
    assert set(results) != {2}


def test_complete_files_are_left_as_they_are(whole: Path) -> None:
    before = whole.stat().st_mtime_ns
    done: list[int] = []
    tuned = tuning(concurrency=2)
    tuned.run(whole, on_progress=done.append)
    assert done == [6]
    assert whole.stat().st_mtime_ns == before
    assert tuned.spsa.values() == json.loads(whole.read_text())["constants"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": 41}, "nodes 40, now 41"),
        ({"pairs": 7}, "pairs 6, now 7"),
        ({"seed": 2}, "seed 1, now 2"),
        ({"rate": 0.4}, r"rate 0\.5, now 0\.4"),
        ({"concurrency": 1}, "concurrency 2, now 1"),
        ({"rule": Rule.STANDARD}, "rule freestyle, now standard"),
        ({"openings": SMALL[:2]}, "openings 3, sha256 .*, now 2, sha256"),
        ({"only": ["razor_base"]}, "aspiration_base 40, 5 to 400, step 6, now None"),
    ],
)
def test_other_settings_are_refused(whole: Path, changes: dict[str, Any], message: str) -> None:
    before = whole.read_bytes()
    with pytest.raises(MatchError, match=f"tuned.json is of other settings .{message}"):
        tuning(**{"concurrency": 2} | changes).run(whole)
    assert whole.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no tuning to continue"),
        ("[]", "holds no tuning to continue"),
        ('{"constants": {}}', "holds no tuning to continue"),
        ('{"settings": 3, "results": ""}', "holds no tuning to continue"),
        ('{"settings": {}, "results": "x"}', "holds no tuning to continue"),
        ('{"settings": {}, "results": "2"}', "is of other settings"),
        ("0123454", "is damaged"),
        ("5", "is damaged"),
    ],
)
def test_other_files_are_refused(whole: Path, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "other.json"
    if content.isdigit():
        content = json.dumps(json.loads(whole.read_text()) | {"results": content})
    path.write_text(content)
    with pytest.raises(MatchError, match=message):
        tuning(concurrency=2).run(path)
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pairs": 0}, "pairs 0 is less than 1"),
        ({"nodes": 0}, "nodes 0 is less than 1"),
        ({"concurrency": 0}, "concurrency 0 is less than 1"),
        ({"rate": 0.0}, r"a rate of 0\.0 makes no sense"),
        ({"rate": float("nan")}, "a rate of nan"),
        ({"only": ["razor_base", "razor"]}, "there is no constant 'razor'; there are razor_depth, "),
        ({"only": []}, "nothing to tune"),
        ({"openings": []}, "no openings"),
        ({"size": 10}, "for a board of 9x9, the match is played on 10x10"),
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tuning(**changes)


def test_forfeits_are_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(task: Any, _: Any) -> Any:
        result = play_pair(task)
        games = (result.games[0], replace(result.games[1], end=End.CRASH, detail="out of memory"))
        return replace(result, games=games)

    monkeypatch.setattr(spsa, "play_pair", crash)
    with pytest.raises(MatchError, match=r"a game of pair 0 was forfeited \(crash\): out of memory"):
        tuning().run(tmp_path / "tuned.json")
    assert not list(tmp_path.iterdir())


# --- the command -----------------------------------------------------------------------------------------------------


def tune(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tuned.json"
    words = ["spsa", "--pairs", "2", "--nodes", "20", "--only", "killer_score, razor_base", "--out", str(path)]
    assert tune(*words) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("2/2 pairs 100% in ")
    state = json.loads(path.read_text())
    assert state["settings"]["rate"] == RATE
    assert [line.split() for line in captured.out.splitlines()[:-1]] == [
        ["name", "default", "tuned"],
        ["razor_base", "19", str(state["constants"]["razor_base"])],
        ["killer_score", "60", str(state["constants"]["killer_score"])],
    ]
    assert tune(*words) == 0
    assert capsys.readouterr().out == captured.out
    with pytest.raises(ValueError, match="there is no set of openings for freestyle on size 9"):
        tune("spsa", "--size", "9", "--out", str(path))
