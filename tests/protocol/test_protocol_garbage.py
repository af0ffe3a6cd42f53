"""Any bytes whatever: a brain hears events, a manager hears events or learns that the brain is at fault."""

from __future__ import annotations

import pytest

pytest.importorskip("hypothesis")

from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku.protocol import (
    BoardIs,
    Closed,
    Command,
    Connection,
    End,
    Error,
    Event,
    Ignored,
    Malformed,
    Message,
    RemoteProtocolError,
    Reply,
    Role,
    Start,
    Swap2Board,
    TakeBack,
    Turn,
    Unknown,
    UnknownReply,
)
from gomoku.protocol.grammar import (
    BOARD_WORDS,
    INFO_NUMBERS,
    SWALLOWED_LINES,
    SWALLOWED_LISTS,
    SWALLOWED_PATHS,
    format_command,
)
from gomoku.protocol.replies import format_reply, parse_reply

WORDS = sorted(
    {"START", "RECTSTART", "RESTART", "BEGIN", "TURN", "TAKEBACK", "PLAY", "INFO", "ABOUT", "END", "STOP", "DONE"}
    | {
        "YXSTOP",
        "YXSHOWFORBID",
        "YXNBEST",
        "YXBALANCEONE",
        "YXSWAP2STEP2",
        "FOO",
        "OK",
        "MESSAGE",
        "FORBID",
        "depth",
        "ev",
    }
    | {"SWAP", "SUGGEST", "REALTIME", "name=", "pv", "tm", "|"}
    | set(INFO_NUMBERS)
    | BOARD_WORDS
    | SWALLOWED_LINES
    | SWALLOWED_LISTS
    | SWALLOWED_PATHS
)
PIECES = st.one_of(
    st.sampled_from([word.encode() for word in WORDS]),
    st.sampled_from(
        [b"\n", b"\r\n", b"\r", b" ", b"\t", b",", b"\0", b"\xef\xbb\xbf", b"7,7", b"7,7,1", b"15", b"-1", b";"]
    ),
    st.integers(-1000, 10**20).map(lambda number: str(number).encode()),
    st.binary(max_size=6),
)
STREAMS = st.lists(st.tuples(PIECES, st.sampled_from([b"", b" ", b"\n", b","])), max_size=60).map(
    lambda pairs: b"".join(piece + end for piece, end in pairs)
)


def hear(connection: Connection, data: bytes, cuts: list[int]) -> list[Event]:
    events: list[Event] = []
    start = 0
    for cut in [*sorted(cut % (len(data) + 1) for cut in cuts), len(data)]:
        connection.receive_data(data[start:cut])
        start = cut
        events += collect(connection)
    connection.receive_eof()
    return events + collect(connection)


def collect(connection: Connection) -> list[Event]:
    events: list[Event] = []
    while True:
        try:
            events += connection.events()
        except RemoteProtocolError as error:
            assert connection.role is Role.MANAGER
            events.append(error.event)
        else:
            return events


@settings(max_examples=100, deadline=None)
@given(data=STREAMS, cuts=st.lists(st.integers(0, 1000), max_size=8), started=st.booleans())
def test_brain_hears_commands(data: bytes, cuts: list[int], started: bool) -> None:
    data = b"START 15\n" * started + data
    connection = Connection(Role.BRAIN)
    events = hear(connection, data, cuts)
    assert events == hear(Connection(Role.BRAIN), data, [])
    assert all(isinstance(event, Command) for event in events)
    assert events[-1] == End()
    assert events.count(End()) == 1
    size = None
    for event in events:
        if isinstance(event, Start):
            size = (event.width, event.height)
            assert min(size) >= 5
            assert max(size) <= 22
        elif isinstance(event, (Turn, TakeBack)):
            assert size
            assert event.move.x < size[0]
            assert event.move.y < size[1]
        elif isinstance(event, BoardIs):
            assert len({move for move, _ in event.stones}) == len(event.stones)
        elif isinstance(event, Swap2Board):
            assert len(event.moves) in (0, 3, 5)
        elif isinstance(event, (Unknown, Malformed)):
            line = format_reply(event.reply())
            assert line.isascii()
            assert line.isprintable()


@settings(max_examples=100, deadline=None)
@given(data=STREAMS, cuts=st.lists(st.integers(0, 1000), max_size=8))
def test_manager_hears_replies(data: bytes, cuts: list[int]) -> None:
    events = hear(Connection(Role.MANAGER), data, cuts)
    assert events == hear(Connection(Role.MANAGER), data, [])
    assert all(isinstance(event, Reply) for event in events)
    assert events[-1] == Closed()


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_plain_noise(data: bytes) -> None:
    for role in Role:
        assert hear(Connection(role), data, [7]) == hear(Connection(role), data, [])


@settings(max_examples=100, deadline=None)
@given(STREAMS)
def test_what_was_heard_can_be_said_and_heard_again(data: bytes) -> None:
    for event in hear(Connection(Role.BRAIN), b"START 22\n" + data, []):
        if isinstance(event, (End, Malformed, Unknown)) or not isinstance(event, Command):
            continue
        if isinstance(event, Ignored) and event.word in SWALLOWED_PATHS and not (event.args or event.lines):
            continue  # its path never came, so it cannot be said
        again = Connection(Role.BRAIN)
        again.receive_data(b"START 22\n" + format_command(event).encode("utf-8", "surrogateescape") + b"\n")
        assert list(again.events())[1:] == [event]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_every_text_of_a_reply_stays_on_its_line(text: str) -> None:
    for reply in (Message("x" + text), Error("x" + text), UnknownReply("x" + text)):
        line = format_reply(reply)
        assert line.isascii()
        assert line.isprintable()
        assert type(parse_reply(line)) is type(reply)
