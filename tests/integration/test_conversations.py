"""Conversations with real brains over every transport that managers use. protocol_docs/conformance.md lists them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from brain_process import BrainProcess
from conversations import CONVERSATIONS, Conversation
from transcript import NEWLINES, TRANSCRIPTS, Exchange, Matcher, Session, Transcript, parse

LINE_ENDS = {"lf": "lf", "crlf": "crlf", "mixed": "mixed", "bytes": "mixed", "burst": "lf"}
"""The transports: three kinds of line ends, single bytes, everything in one burst."""

RECORDED = [
    Conversation(path.stem, path.read_text(encoding="utf-8"), waits=True) for path in sorted(TRANSCRIPTS.glob("*.txt"))
]
POINT = re.compile(r"\b[0-9]+,[0-9]+")


class Brain(BrainProcess):
    """A brain whose last words can be heard."""

    def last_words(self) -> Iterator[str]:
        """The lines that were not read yet, up to the end of the output."""
        return (line.decode("ascii").removesuffix("\n") for line in iter(self._lines.get, None))


def over_every_transport(conversations: Iterable[Conversation]) -> pytest.MarkDecorator:
    """Who has to wait for an answer cannot say everything in one burst."""
    pairs = [
        (talk, way) for talk, way in itertools.product(conversations, LINE_ENDS) if way != "burst" or not talk.waits
    ]
    return pytest.mark.parametrize(
        ("conversation", "transport"), pairs, ids=[f"{talk.name}-{transport}" for talk, transport in pairs]
    )


def in_one_burst(transcript: Transcript) -> Transcript:
    """All that the manager says in one piece, then all that the brain says."""
    commands = tuple(itertools.chain(*(exchange.commands for exchange in transcript.exchanges)))
    expected = tuple(itertools.chain(*(exchange.expected for exchange in transcript.exchanges)))
    return Transcript((Exchange(commands, expected, end_of_input=transcript.exchanges[-1].end_of_input),))


def hold(conversation: Conversation, transport: str, brain: Brain) -> None:
    """Hold a conversation to its end, after which the brain must have nothing more to say."""
    transcript = parse(conversation.text)
    if transport == "burst":
        transcript = in_one_burst(transcript)
    session = Session()
    for exchange in transcript.exchanges:
        data = replace(exchange, newlines=NEWLINES[LINE_ENDS[transport]]).data(session)
        for piece in (data[at : at + 1] for at in range(len(data))) if transport == "bytes" else (data,):
            brain.write(piece)
        if exchange.end_of_input:
            brain.process.stdin.close()
        literal = {text for pattern in exchange.expected for text in pattern.source.split(" | ")}
        taken = set(POINT.findall(data.decode("utf-8"))) - literal
        matcher = Matcher(exchange.expected, session)
        while not matcher.satisfied:
            line = brain.line()
            matcher.feed(line)
            assert line not in taken, "the move is on a point that has a stone"
    if not transcript.ends_by_itself:
        brain.send("MARK", "END")
        assert brain.line() == "UNKNOWN command MARK"
    assert brain.wait_exit()[0] == 0
    for line in brain.last_words():
        matcher.feed(line)
    assert brain.error_output() == b""


def talk(conversation: Conversation, transport: str, folder: Path) -> None:
    with Brain(state=folder) as brain:
        hold(conversation, transport, brain)
    assert list(folder.iterdir()) == [], "an internal error was logged"


@pytest.mark.slow
@over_every_transport(CONVERSATIONS)
def test_conversation(conversation: Conversation, transport: str, tmp_path: Path) -> None:
    talk(conversation, transport, tmp_path)


@pytest.mark.slow
@over_every_transport(RECORDED)
def test_recorded_conversation(conversation: Conversation, transport: str, tmp_path: Path) -> None:
    talk(conversation, transport, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["> START 15\n", "> START 15\n< OK\n> BEGIN\n< 8,8\n", "> TURN 7,7\n< OK\n"])
def test_a_fault_would_be_noticed(text: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        talk(Conversation("fault", text), "burst", tmp_path)


def test_names_are_unique() -> None:
    names = [conversation.name for conversation in CONVERSATIONS]
    assert len(set(names)) == len(names)
