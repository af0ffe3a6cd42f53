"""The benchmark: the same positions, nodes, scores and moves every time."""

from __future__ import annotations

import pytest

from gomoku import Rule
from gomoku.bench import BenchLine, positions, run, summarise

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
