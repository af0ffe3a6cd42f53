"""The benchmark: the same positions, nodes, scores and moves every time. Suites: read, solved and reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from gomoku import Color, Rule
from gomoku.bench import (
    BenchLine,
    SuiteError,
    positions,
    read_suite,
    run,
    run_suite,
    suite_names,
    suite_table,
    summarise,
)
from gomoku.cli import main

SHALLOWER = -6


@pytest.fixture(scope="module")
def lines() -> list[BenchLine]:
    return list(run(SHALLOWER))


def essence(line: BenchLine) -> tuple[object, ...]:
    return line.position.text, line.nodes, line.score, line.move


def test_positions_cover_all_rules_and_are_open() -> None:
    shipped = positions()
    assert {position.board.rule for position in shipped} == set(Rule)
    for position in shipped:
        assert position.board.outcome() is None
        assert position.depth > 1
        assert position.board.text(origin="top") == position.text


def test_lines_and_signature_are_repeatable(lines: list[BenchLine]) -> None:
    again = list(run(SHALLOWER))
    assert [essence(line) for line in again] == [essence(line) for line in lines]
    assert summarise(again)[:2] == summarise(lines)[:2]


def test_one_line_for_each_position_with_a_legal_move(lines: list[BenchLine]) -> None:
    assert [line.position.text for line in lines] == [position.text for position in positions()]
    assert all(line.move in line.position.board.legal_moves for line in lines)


def test_the_signature_tells_nodes_scores_and_moves_apart(lines: list[BenchLine]) -> None:
    first = lines[0]
    changed = [
        first._replace(nodes=first.nodes + 1),
        first._replace(score=first.score + "1"),
        first._replace(move="a1" if first.move != "a1" else "b1"),
    ]
    signatures = {summarise([line, *lines[1:]]).signature for line in (first, *changed)}
    assert len(signatures) == 4
    assert summarise([lines[1], first, *lines[2:]]).signature not in signatures
    assert summarise([first._replace(seconds=99.0), *lines[1:]]).signature in signatures


def test_the_summary_adds_up(lines: list[BenchLine]) -> None:
    result = summarise(lines)
    assert result.nodes == sum(line.nodes for line in lines)
    assert result.seconds == pytest.approx(sum(line.seconds for line in lines))
    assert result.nps == pytest.approx(result.nodes / result.seconds, rel=0.01)
    assert 0 <= result.signature < 1 << 32
    assert summarise([]).nps == 0


def test_a_deeper_run_searches_more() -> None:
    assert summarise(list(run(SHALLOWER - 2))).nodes < summarise(list(run(SHALLOWER))).nodes


@pytest.mark.parametrize("name", suite_names())
def test_a_suite_has_many_distinct_open_positions_of_its_rule(name: str) -> None:
    suite = read_suite(name)
    assert len(suite) >= 60
    assert len({position.board.key for position in suite}) == len({position.id for position in suite}) == len(suite)
    assert {position.kind for position in suite} == {"vcf", "vct"}
    for position in suite:
        assert position.board.rule is Rule.from_name(name)
        assert not position.board.is_game_over()


def test_a_suite_is_solved_with_nodes_and_not_without() -> None:
    suite = [position for position in read_suite("standard") if position.kind == "vcf"][:5]
    enough, few = list(run_suite(suite, 50_000)), list(run_suite(suite, 1))
    assert [line.plies > 0 for line in enough] == [True] * 5
    assert [line.plies for line in few] == [0] * 5
    rows = suite_table([*enough, *few]).splitlines()
    assert [row.split()[:2] for row in rows[1:]] == [["vcf", "5/"], ["all", "5/"]]
    assert [row.split()[2] for row in rows[1:]] == ["10", "10"]


def test_a_suite_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    won = '{"rule": 0, "size": 15, "to_move": "black", "black": [[1,1],[2,1],[3,1]], "white": [[9,9],[9,11],[9,13]]}'
    file.write_text(f"{won}\n\n", encoding="utf-8")
    (position,) = read_suite(file)
    assert (position.id, position.kind, position.board.turn) == ("1", "other", Color.BLACK)
    (line,) = run_suite([position], 1000)
    assert line.plies == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "holds no position"),
        ("no json", "line 1"),
        ("[]", "line 1"),
        ('{"rule": 0, "size": 15, "to_move": "black", "black": []}', "'white' is missing"),
        ('{"rule": 0, "size": 15, "to_move": "red", "black": [], "white": []}', "write black or white"),
        ('{"rule": 7, "size": 15, "to_move": "black", "black": [], "white": []}', "line 1"),
        ('{"rule": 0, "size": 1e9, "to_move": "black", "black": [], "white": []}', "line 1"),
        ('{"rule": 0, "size": 15, "to_move": "black", "black": [[15, 0]], "white": []}', "line 1"),
        ('{"rule": 0, "size": 15, "to_move": "black", "black": [3], "white": []}', "line 1"),
        ("[" * 100_000, "line 1"),
    ],
)
def test_a_broken_suite_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "broken.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=reason):
        read_suite(file)


def test_a_suite_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        read_suite("no-such-suite.jsonl")
    with pytest.raises(ValueError, match="above 0"):
        list(run_suite([], 0))


def test_the_command_solves_a_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.jsonl"
    rest = '"rule": 0, "size": 15, "to_move": "black", "white": [[9,9],[9,11]]}'
    won, even = (
        '{"id": "won", "black": [[1,1],[2,1],[3,1]], ' + rest,
        '{"id": "even", "black": [[1,1],[9,1]], ' + rest,
    )
    file.write_text(f"{won}\n{even}\n", encoding="utf-8")
    assert main(["bench", "--suite", str(file), "--nodes", "50"]) == 0
    missed, *table = capsys.readouterr().out.splitlines()
    assert missed == "not solved: even"
    assert table[-1].split()[:4] == ["all", "1/", "2", "50.0"]
    assert main(["bench", "--suite", str(tmp_path / "none")]) == 2
