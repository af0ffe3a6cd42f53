"""From a brain's lines to Infos, and from boards and limits to lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku import Board
from gomoku.frontends.process import split_command
from gomoku.frontends.questions import InfoCollector, limit_settings, position_command
from gomoku.info import Limit, Score
from gomoku.protocol import Connection, Role
from gomoku.protocol import events as ev
from gomoku.protocol.replies import parse_reply


def heard(*lines: str, multipv: int = 1) -> tuple[InfoCollector, list[list[str]]]:
    sets: list[list[str]] = []
    collector = InfoCollector(
        Board(), multipv=multipv, on_lines=lambda lines: sets.append([str(line.score.relative) for line in lines])
    )
    for line in lines:
        collector.reply(parse_reply(line))
    return collector, sets


def test_one_line_after_the_other() -> None:
    collector, sets = heard(
        "MESSAGE depth 1-2 ev 5 n 10 n/ms 1 tm 1 pv H8",
        "MESSAGE depth 2-3 ev -M4 n 20 n/ms 1 tm 2 pv H8 I9",
        "MESSAGE something else",
    )
    assert sets == [["5"], ["-M4"]]
    assert [(line.depth, line.seldepth, line.nodes, line.time) for line in collector.lines] == [(2, 3, 20, 0.002)]
    assert collector.lines[0].score.white() == Score(mate=4)


def test_sets_of_lines_as_fukumi_writes_them() -> None:
    collector, sets = heard(
        "MESSAGE depth 2-3 ev 9 n 20 n/ms 1 tm 2 pv H8 I9",
        "MESSAGE depth 2-3 multipv 2 ev 4 n 20 n/ms 1 tm 2 pv G8 I9",
        "MESSAGE depth 3-3 ev 8 n 30 n/ms 1 tm 3 pv H8 I9",
        "MESSAGE depth 3-3 multipv 2 ev 3 n 30 n/ms 1 tm 3 pv G8 I9",
        multipv=2,
    )
    assert sets == [["9", "4"], ["8", "3"]]
    assert [line.multipv for line in collector.lines] == [1, 2]


def test_sets_of_lines_as_rapfi_writes_them() -> None:
    collector, sets = heard(
        "MESSAGE (1) -82 | 2-3 | I7 I8",
        "MESSAGE (2) -90 | 2-3 | L8 I7",
        "MESSAGE Depth 2-3 | Eval -82 | Time 2ms | I7 I8",
        "MESSAGE (1) -90 | 3-4 | L8 I7",
        "MESSAGE (2) -103 | 3-4 | L10 I7",
        "MESSAGE Speed 345K | Depth 3-4 | Eval -90 | Node 20000 | Time 58ms",
        multipv=2,
    )
    assert sets == [["-82", "-90"], ["-90", "-103"]]
    assert [(str(line.score.relative), line.nodes, line.time) for line in collector.lines] == [
        ("-90", 20000, 0.058),
        ("-103", 20000, 0.058),
    ]


def test_a_last_line_without_moves_adds_what_it_knows() -> None:
    collector, _ = heard("MESSAGE depth 4-5 ev 7 pv H8 I9", "MESSAGE depth 4-5 ev 7 n 99 tm 12")
    assert [move.text for move in collector.lines[0].pv] == ["h8", "i9"]
    assert collector.lines[0].nodes == 99


@given(
    st.lists(
        st.binary(max_size=60) | st.from_regex(rb"MESSAGE depth [0-9M+. -]{1,30} ev [0-9M+.-]{1,9}", fullmatch=True)
    )
)
def test_no_line_of_a_brain_is_an_exception(lines: list[bytes]) -> None:
    connection = Connection(Role.MANAGER)
    connection.send(ev.Start(15, 15))
    collector = InfoCollector(Board())
    connection.receive_data(b"OK\n" + b"\n".join(line.replace(b",", b";") for line in lines) + b"\n")
    for event in connection.events():
        collector.reply(event)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(), {"timeout_turn": 2147483647, "timeout_match": 0, "time_left": 2147483647}),
        (Limit(time=0.5), {"timeout_turn": 500, "timeout_match": 0, "time_left": 2147483647}),
        (Limit(time=9e9), {"timeout_turn": 2147483647, "timeout_match": 0, "time_left": 2147483647}),
        (
            Limit(match_time=60, time_left=-0.2, increment=0.25),
            {"timeout_turn": 2147483647, "timeout_match": 60000, "time_increment": 250, "time_left": -200},
        ),
        (
            Limit(time=1, nodes=7, depth=3),
            {"timeout_turn": 1000, "timeout_match": 0, "max_depth": 3, "max_node": 7, "time_left": 2147483647},
        ),
    ],
)
def test_limits_become_settings(limit: Limit, expected: dict[str, int]) -> None:
    assert limit_settings(limit) == expected


def test_extensions_are_taken_back() -> None:
    known = {"max_node": 7, "max_depth": 0}
    assert limit_settings(Limit(time=1), known)["max_node"] == 0
    assert "time_increment" not in limit_settings(Limit(time=1), known)


def test_the_brain_has_the_side_to_move() -> None:
    board = Board.from_text("h8i9g7", origin="top")
    command = position_command(board, None, whole=False)
    assert isinstance(command, ev.BoardIs)
    assert [who for _, who in command.stones] == [2, 1, 2]


@pytest.mark.parametrize("text", ["120", "-3", "+M7", "-M6", "0"])
def test_scores_round_trip(text: str) -> None:
    assert str(Score.from_text(text)) == text


@pytest.mark.parametrize("text", ["", "M", "x", "inf", "nan", "+M7.5"])
def test_what_is_no_score(text: str) -> None:
    with pytest.raises(ValueError, match=r"score|float|int|NaN"):
        Score.from_text(text)


def test_commands() -> None:
    assert split_command(["a b", "c"]) == ("a b", "c")
    for bad in ("", [], "'open", [""]):
        with pytest.raises(ValueError, match=r"program|quot"):
            split_command(bad)
