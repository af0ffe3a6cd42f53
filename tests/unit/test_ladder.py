"""The ladder of the levels: its measurement, its data and its picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from gomoku import cli
from gomoku.levels import LEVELS
from gomoku.match import Match, MatchError, MatchRecord, Terms, read_log
from gomoku.match.ladder import (
    Ladder,
    Rung,
    is_monotone,
    ladder_chart,
    ladder_from,
    ladder_match,
    level_player,
    measured_ladder,
)
from gomoku.types import Rule


def test_the_shipped_ladder_is_a_ladder() -> None:
    ladder = measured_ladder()
    rungs = [ladder.rung(f"level-{level.number}") for level in LEVELS]
    assert None not in rungs
    assert is_monotone(ladder)
    assert rungs[-1].elo - rungs[0].elo >= 1500  # type: ignore[union-attr]
    assert rungs[0].elo == 0  # type: ignore[union-attr]
    assert min(rung.games for rung in rungs if rung) >= 200  # 100 against each neighbour, fewer neighbours at the ends
    for level, rung in zip(LEVELS, rungs, strict=True):
        assert rung.ms <= 1000 * level.seconds  # type: ignore[union-attr]


def test_levels_play_their_neighbours(tmp_path: Path) -> None:
    log = tmp_path / "levels.jsonl"
    match = ladder_match(1, log, LEVELS[:4])
    match.run()
    match.close()
    record = read_log(log)
    meetings = [(result.first, result.second) for result in record.results]
    assert sorted(meetings) == [
        ("level-1", "level-2"),
        ("level-1", "level-3"),
        ("level-2", "level-3"),
        ("level-2", "level-4"),
        ("level-3", "level-4"),
    ]
    ladder = ladder_from([record])
    assert {rung.name for rung in ladder.rungs} == {f"level-{n}" for n in (1, 2, 3, 4)}
    assert ladder.rung("level-1").elo == 0  # type: ignore[union-attr]
    assert [rung.elo for rung in ladder.rungs] == sorted(rung.elo for rung in ladder.rungs)
    assert [rung.games for rung in ladder.rungs if rung.name in ("level-1", "level-4")] == [4, 4]
    assert not is_monotone(ladder)  # most levels are missing
    # Other levels are another match.
    changed = [LEVELS[0], LEVELS[1], LEVELS[2], LEVELS[3]._replace(nodes=999)]
    with pytest.raises(MatchError, match="other players"):
        ladder_match(1, log, changed)


def test_a_ladder_needs_its_zero(tmp_path: Path) -> None:
    log = tmp_path / "levels.jsonl"
    match = ladder_match(1, log, LEVELS[1:3])
    match.run()
    match.close()
    with pytest.raises(MatchError, match="level-1 has not played"):
        ladder_from([read_log(log)])


def test_other_engines_have_to_fit(tmp_path: Path) -> None:
    def played(name: str, players: list[str], terms: Terms) -> MatchRecord:
        with Match(players, pairs=1, terms=terms, out=tmp_path / name) as match:
            match.run()
        return read_log(tmp_path / name)

    levels = played("a", ["nodes=5 level-1", "nodes=5 level-2"], Terms())
    with pytest.raises(MatchError, match="differ in rule: renju, freestyle"):
        ladder_from([levels, played("b", ["nodes=5 fukumi", "nodes=5 level-2"], Terms(rule=Rule.RENJU))])
    with pytest.raises(MatchError, match="no chain of matches links"):
        ladder_from([levels, played("c", ["name=x nodes=5 fukumi", "name=y nodes=5 fukumi"], Terms())])
    ladder = ladder_from([levels, played("d", ["name=x nodes=5 fukumi", "nodes=5 level-2"], Terms())])
    zero = ladder.rung("level-1")
    assert zero is not None
    assert (zero.elo, zero.error) == (0.0, 0.0)
    assert ladder.rung("x") is not None


def test_json_round_trip_and_bad_files() -> None:
    ladder = Ladder((Rung("level-1", 0.0, 50.0, 10, 3), Rung("<x>", 120.5, 40.0, 12, 9)), {"rule": "freestyle"})
    assert Ladder.from_json(ladder.to_json()) == ladder
    for text in ("", "{}", '{"rungs": [{}], "conditions": {}}', "[]"):
        with pytest.raises(MatchError, match="cannot be read"):
            Ladder.from_json(text)
    root = ET.fromstring(ladder_chart(ladder))
    assert len([element for element in root.iter() if element.tag.endswith("circle")]) == 2


def test_what_a_level_may_do_is_part_of_its_player() -> None:
    assert "info.nodes=24" in level_player(LEVELS[3]).text
    assert level_player(LEVELS[3]).text != level_player(LEVELS[3]._replace(temperature=1)).text


def test_the_command_prints_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["levels"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:21]] == [str(number) for number in range(1, 21)]
    assert lines[-1].startswith("rule freestyle, size 15x15")
