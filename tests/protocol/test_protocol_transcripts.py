"""The transcripts against the stub brain, and the tests of their reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from stub_brain import StubBrain
from transcript import TRANSCRIPTS, Matcher, Mismatch, Pattern, Session, TranscriptError, parse

FILES = sorted(TRANSCRIPTS.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("cut", [None, 1])
def test_stub_brain_speaks_as_written(path: Path, cut: int | None) -> None:
    brain = StubBrain()
    session = Session()
    transcript = parse(path.read_text(encoding="utf-8"))
    for exchange in transcript.exchanges:
        data = exchange.data(session)
        pieces = [data] if cut is None else [data[at : at + cut] for at in range(0, len(data), cut)]
        answers = [answer for piece in pieces for answer in brain.feed(piece)]
        if exchange.end_of_input:
            answers += brain.close()
        matcher = Matcher(exchange.expected, session)
        for answer in answers:
            assert answer.endswith(b"\n")
            matcher.feed(answer.decode("ascii").removesuffix("\n"))
        assert matcher.satisfied, f"line {exchange.line}: got only {answers}"
    assert brain.ended is transcript.ends_by_itself


def test_every_manager_has_a_transcript() -> None:
    names = {path.stem for path in FILES}
    assert names >= {"piskvork", "c-gomoku-cli", "gomocup-judge", "qpiskvork", "yixin-board", "swap2", "errors"}


@pytest.mark.parametrize(
    ("pattern", "line", "fits"),
    [
        ("OK", "OK", True),
        ("OK", "OK ", False),
        ("OK", "OK\r", False),
        ("{move}", "7,14", True),
        ("{move}", "7, 14", False),
        ("{move}", "07,14", False),
        ("{move}", "7,14 8,8", False),
        ("{move}", "-1,3", False),
        ("{moves 2}", "7,7 8,8", True),
        ("{moves 2}", "7,7  8,8", False),
        ("{moves 1-3}", "7,7 8,8 9,9", True),
        ("{moves 1-3}", "7,7 8,8 9,9 1,1", False),
        ("SWAP | {move} | {moves 2}", "SWAP", True),
        ("SWAP | {move} | {moves 2}", "7,7 8,8", True),
        ("SWAP | {move} | {moves 2}", "OK", False),
        ("{about}", 'name="F", version="1", author="A B", country="C"', True),
        ("{about}", 'name="F", version="1", author="A", country="C", www="w"', True),
        ("{about}", 'name="F", version="1"', False),
        ("{about}", 'name="F, G", version="1", author="A", country="C"', False),
        ("{about}", 'name=F, version="1", author="A", country="C"', False),
        ("{message}", "MESSAGE hello", True),
        ("{message}", "MESSAGE", False),
        ("{message}", "MESSAGE ", False),
        ("{progress}", "MESSAGE depth 9-15 ev 120 n 48211 n/ms 310 tm 155 pv H8 I9", True),
        ("{progress}", "MESSAGE depth 9-15 ev +M7 n 1 n/ms 1 tm 0", True),
        ("{progress}", "MESSAGE depth 9 ev 120", False),
        ("{forbid}", "FORBID .", True),
        ("{forbid}", "FORBID 07070812.", True),
        ("{forbid}", "FORBID 070708.", False),
        ("ERROR {text}", "ERROR no", True),
        ("ERROR {text}", "ERROR", False),
        ("MESSAGE INFO MAX_THREAD_NUM {int}", "MESSAGE INFO MAX_THREAD_NUM 8", True),
        ("a+b", "aab", False),
    ],
)
def test_pattern(pattern: str, line: str, fits: bool) -> None:
    assert Pattern(pattern).matches(line) is fits


def test_matcher_takes_optional_lines_then_the_move() -> None:
    expected = parse("> BEGIN\n< {message}*\n< {move a}\n< {message}*").exchanges[0].expected
    session = Session()
    matcher = Matcher(expected, session)
    assert not matcher.satisfied
    matcher.feed("MESSAGE one")
    matcher.feed("MESSAGE two")
    matcher.feed("7,7")
    assert matcher.satisfied
    matcher.feed("MESSAGE three")
    with pytest.raises(Mismatch, match="expected nothing"):
        matcher.feed("8,8")
    assert session.points == {"a": "7,7"}


def test_mismatch_names_the_line() -> None:
    expected = parse("> START 15\n< OK").exchanges[0].expected
    with pytest.raises(Mismatch, match="line 2: expected 'OK', got 'OK - ready'"):
        Matcher(expected).feed("OK - ready")


def test_silence_is_an_exchange_without_expectations() -> None:
    matcher = Matcher(parse("> INFO rule 4").exchanges[0].expected)
    assert matcher.satisfied
    with pytest.raises(Mismatch):
        matcher.feed("")


def test_commands_are_grouped_up_to_the_answer() -> None:
    transcript = parse("# remark\n> START 15\n> BEGIN\n\n< OK\n< {move}\n> END\n")
    assert [exchange.commands for exchange in transcript.exchanges] == [("START 15", "BEGIN"), ("END",)]
    assert [exchange.line for exchange in transcript.exchanges] == [2, 7]
    assert transcript.ends_by_itself


def test_places_of_commands() -> None:
    session = Session()
    assert session.fill("TURN {free}") == "TURN 0,0"
    assert session.fill("TURN {free mine}") == "TURN 1,0"
    assert session.fill("TAKEBACK {mine}") == "TAKEBACK 1,0"
    assert Pattern("{move theirs}").matches("2,0", session)
    assert session.fill("BOARD {theirs},1 {free},2") == "BOARD 2,0,1 3,0,2"
    session.fill("START 15")
    assert session.fill("{free}") == "0,0"
    assert Pattern("{theirs}").matches("2,0", session)
    with pytest.raises(TranscriptError, match="nobody"):
        session.fill("{nobody}")


def test_line_ends() -> None:
    exchanges = parse("@ newline crlf\n> A\n> B\n@ newline mixed\n> C\n> D").exchanges
    assert exchanges[0].data(Session()) == b"A\r\nB\r\n"
    assert exchanges[1].data(Session()) == b"C\nD\r\n"


@pytest.mark.parametrize("source", ["", "START 15", "@ newline unix", "> A\n< {what now}", "<", "> A\n< {moves many}"])
def test_bad_transcripts(source: str) -> None:
    with pytest.raises(TranscriptError):
        parse(source)
