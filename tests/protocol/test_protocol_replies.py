"""What brains write: our own strict form, and what other programs are known to print."""

from __future__ import annotations

import re

import pytest

from gomoku.protocol import (
    AboutReply,
    Capability,
    Debug,
    Error,
    Event,
    Forbid,
    InfoLine,
    Message,
    MoveIs,
    Noise,
    Ok,
    Progress,
    Realtime,
    Reply,
    RuleChoice,
    Suggest,
    Swap,
    UnknownReply,
    about,
    resolve_rule,
)
from gomoku.protocol.replies import format_reply, parse_reply
from gomoku.types import Move, Rule

H8_I9 = (Move(7, 7), Move(8, 8))


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (Ok(), "OK"),
        (Swap(), "SWAP"),
        (MoveIs.at(0, 14), "0,14"),
        (MoveIs(H8_I9), "7,7 8,8"),
        (MoveIs((*H8_I9, Move(0, 0))), "7,7 8,8 0,0"),
        (Message("hello"), "MESSAGE hello"),
        (Error("no board"), "ERROR no board"),
        (UnknownReply("command FOO"), "UNKNOWN command FOO"),
        (Debug("x"), "DEBUG x"),
        (Suggest(Move(1, 2)), "SUGGEST 1,2"),
        (Forbid(), "FORBID ."),
        (Forbid((Move(7, 7), Move(8, 12))), "FORBID 07070812."),
        (Capability("MAX_THREAD_NUM", 8), "MESSAGE INFO MAX_THREAD_NUM 8"),
        (Realtime("BEST", Move(7, 6)), "MESSAGE REALTIME BEST 7,6"),
        (Realtime("VAL", text="120"), "MESSAGE REALTIME VAL 120"),
        (Realtime("REFRESH"), "MESSAGE REALTIME REFRESH"),
        (InfoLine("DEPTH", "9"), "INFO DEPTH 9"),
        (AboutReply("A", "1", "B", "C"), 'name="A", version="1", author="B", country="C"'),
        (AboutReply("A", www="w", email="e"), 'name="A", www="w", email="e"'),
        (Progress(9, 15, "120", 48211, 155, H8_I9), "MESSAGE depth 9-15 ev 120 n 48211 n/ms 311 tm 155 pv H8 I9"),
        (Progress(9, 9, "+M7"), "MESSAGE depth 9-9 ev +M7 n 0 n/ms 0 tm 0"),
        (Progress(9, 9, "-M6", 5, 0, H8_I9, 2), "MESSAGE depth 9-9 multipv 2 ev -M6 n 5 n/ms 5 tm 0 pv H8 I9"),
        (Progress(1, 1, "-3", 1, 1, (Move(21, 21),)), "MESSAGE depth 1-1 ev -3 n 1 n/ms 1 tm 1 pv V22"),
    ],
)
def test_written_and_read(reply: Reply, line: str) -> None:
    assert format_reply(reply) == line
    assert parse_reply(line) == reply


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        (Message("two\nlines\r\nand\ttabs"), "MESSAGE two lines  and tabs"),
        (Message("Zoë\0"), "MESSAGE Zo??"),
        (Message('name="x"'), 'MESSAGE name:"x"'),
        (Error("Name = x"), "ERROR Name : x"),
        (Message("a = b"), "MESSAGE a = b"),
        (UnknownReply("x" * 500), "UNKNOWN " + "x" * 117 + "..."),
        (UnknownReply("caf\udce9"), "UNKNOWN caf?"),
        (AboutReply('A, "B" = C\n', "1"), 'name="A B C", version="1"'),
    ],
)
def test_texts_are_made_safe(reply: Reply, line: str) -> None:
    assert format_reply(reply) == line


def test_long_messages_are_not_cut() -> None:
    assert len(format_reply(Message("x" * 3000))) == 3008


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("ok", Ok()),
        ("OK - ready", Noise("OK - ready")),
        ("swap", Swap()),
        ("7, 7", MoveIs.at(7, 7)),
        ("7 ,7", MoveIs.at(7, 7)),
        ("7,7  8,8", MoveIs(H8_I9)),
        ("7,7 rest", Noise("7,7 rest")),
        ("-1,3", Noise("-1,3")),
        ("7,7,1", Noise("7,7,1")),
        ("99,99", MoveIs.at(99, 99)),
        ("MESSAGE", Message("")),
        ("message hi", Message("hi")),
        ("DETAIL x", Debug("x")),
        ("ERROR", Error("")),
        ("UNKNOWN", UnknownReply("")),
        ("FORBID 0707", Forbid((Move(7, 7),))),
        ("FORBID 7,7 8,8", Forbid(H8_I9)),
        ("FORBID 070", Noise("FORBID 070")),
        ("SUGGEST", Noise("SUGGEST")),
        ("MESSAGE INFO MAX_HASH_SIZE big", Message("INFO MAX_HASH_SIZE big")),
        ("MESSAGE REALTIME", Message("REALTIME")),
        ("INFO", Noise("INFO")),
        ("INFO BESTLINE 7,7 8,8", InfoLine("BESTLINE", "7,7 8,8")),
        ("name=Bare, version=2", AboutReply("Bare", "2")),
        ('Name="X",Version="1",extra="y"', AboutReply("X", "1")),
        ('version="1"', Noise('version="1"')),
        ("id name Stockfish", Noise("id name Stockfish")),
        ("ready", Noise("ready")),
    ],
)
def test_other_programs(line: str, reply: Event) -> None:
    assert parse_reply(line) == reply


@pytest.mark.parametrize(
    ("line", "progress"),
    [
        (
            "depth 14-33 ev 357 n 1.2M n/ms 900 tm 470 pv H8 G7",
            Progress(14, 33, "357", 1_200_000, 470, (Move(7, 7), Move(6, 6))),
        ),
        ("Depth 14-33 | Eval 357 | Time 470ms | H8 G7", Progress(14, 33, "357", 0, 470, (Move(7, 7), Move(6, 6)))),
        ("(2) -97 | 11-21 | J8 H6", Progress(11, 21, "-97", pv=(Move(9, 7), Move(7, 5)), rank=2)),
        ("Speed 900K | Depth 14-33 | Eval -357 | Node 48K | Time 1.5s", Progress(14, 33, "-357", 48_000, 1500)),
        ("  depth   5  ev  +M7 ", Progress(5, 5, "+M7")),
        ("dep 5 sc 1", None),
        ("depth five ev 1", None),
        ("depth 5", None),
        ("depth", None),
        ("the depth 5 ev 3 of the sea", None),
        ("depth 5 ev", None),
        ("depth 5 ev 3 n lots tm soon pv", Progress(5, 5, "3")),
    ],
)
def test_progress_lines(line: str, progress: Progress | None) -> None:
    assert parse_reply(f"MESSAGE {line}") == (progress or Message(line.strip()))


def test_about_is_what_every_manager_can_read() -> None:
    line = format_reply(about("1.2.3"))
    assert re.fullmatch(r'(\w+="[^",=]*")(, \w+="[^",=]*")*', line)
    assert line.startswith('name="Fukumi", version="1.2.3", author="The Fukumi developers", country="')
    assert parse_reply(line) == about("1.2.3")


@pytest.mark.parametrize(
    ("value", "official", "yixin"),
    [
        (0, (Rule.FREESTYLE, False), (Rule.FREESTYLE, False)),
        (1, (Rule.STANDARD, False), (Rule.STANDARD, False)),
        (2, (Rule.FREESTYLE, True), (Rule.RENJU, False)),
        (3, (Rule.STANDARD, True), (Rule.STANDARD, True)),
        (4, (Rule.RENJU, False), (Rule.RENJU, False)),
        (5, (Rule.RENJU, False), (Rule.FREESTYLE, False)),
        (6, (Rule.RENJU, True), (Rule.FREESTYLE, False)),
        (8, (Rule.CARO, False), (Rule.CARO, False)),
        (9, (Rule.CARO_EXACT, False), (Rule.CARO_EXACT, False)),
        (10, (Rule.CARO, True), (Rule.CARO, True)),
        (11, (Rule.CARO_EXACT, True), (Rule.CARO_EXACT, True)),
        (12, None, None),
        (16, None, None),
        (-1, None, None),
        (2**63 - 1, None, None),
    ],
)
def test_rule_numbers(value: int, official: tuple[Rule, bool] | None, yixin: tuple[Rule, bool] | None) -> None:
    assert resolve_rule(value, yixin=False) == (official and RuleChoice(*official))
    assert resolve_rule(value, yixin=True) == (yixin and RuleChoice(*yixin))
