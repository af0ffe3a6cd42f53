"""The connection: cutting of the byte stream, state, answers owed, and whose fault an error is."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gomoku.protocol import (
    NEED_DATA,
    About,
    AboutReply,
    Balance,
    Begin,
    BoardIs,
    Capability,
    Closed,
    Connection,
    Debug,
    End,
    Error,
    Event,
    Forbid,
    Ignored,
    InfoSet,
    LocalProtocolError,
    Malformed,
    Message,
    MoveIs,
    NBest,
    Noise,
    Ok,
    Owed,
    Play,
    Progress,
    RemoteProtocolError,
    Reply,
    Restart,
    Role,
    ShowForbid,
    ShowInfo,
    Start,
    State,
    Stop,
    Suggest,
    Swap,
    Swap2Board,
    TakeBack,
    Turn,
    Unknown,
    UnknownReply,
    about,
)
from gomoku.protocol.lines import MAX_LINE_BYTES
from gomoku.types import Move

SESSION = (
    "\ufeffSTART 15\r\nINFO timeout_turn 5000\nINFO folder /home/Zoë/a b\r\n\r\n BEGIN \nTURN 3,3\rBOARD\n7,7,1\nx\n"
    "DONE\nyxboard 7,7,1 8,8,2 done\nyxhashdump\n/a/b\nFOO\0BAR\n"
    + "y" * 30000
    + "\nBOARD\n1,1,1\nRESTART\nTURN 99,99\nEN"
).encode()


def brain(data: bytes = b"") -> Connection:
    connection = Connection(Role.BRAIN)
    connection.receive_data(data)
    return connection


def manager(*commands: Event) -> Connection:
    connection = Connection(Role.MANAGER)
    for command in commands:
        connection.send(command)
    return connection


@pytest.mark.parametrize("step", [1, 2, 3, 7, 100, 4096])
def test_pieces_make_no_difference(step: int) -> None:
    whole = brain(SESSION)
    whole.receive_eof()
    expected = list(whole.events())
    pieces = brain()
    events: list[Event] = []
    for at in range(0, len(SESSION), step):
        pieces.receive_data(SESSION[at : at + step])
        events += pieces.events()
    pieces.receive_eof()
    events += pieces.events()
    assert events == expected
    assert " ".join(type(event).__name__ for event in expected) == (
        "Start InfoSet InfoSet Begin Turn Malformed BoardIs Ignored Unknown Unknown Malformed Restart Malformed "
        "Unknown End"
    )
    assert pieces.owed == whole.owed


def test_need_data() -> None:
    connection = brain(b"STAR")
    assert connection.next_event() is NEED_DATA
    connection.receive_data(b"T 15")
    assert connection.next_event() is NEED_DATA
    connection.receive_data(b"\n")
    assert connection.next_event() == Start(15, 15)
    assert connection.next_event() is NEED_DATA
    connection.receive_data(b"")
    assert connection.next_event() is NEED_DATA


@pytest.mark.parametrize("size", [MAX_LINE_BYTES - 4, MAX_LINE_BYTES, MAX_LINE_BYTES + 1, 200_000])
@pytest.mark.parametrize("step", [1000, 10**9])
def test_endless_lines_are_cut_and_forgotten(size: int, step: int) -> None:
    connection = brain()
    data = b"FOO " + b"x" * (size - 4) + b"\nABOUT\n"
    events: list[Event] = []
    for at in range(0, len(data), step):
        connection.receive_data(data[at : at + step])
        events += connection.events()
    unknown, second = events
    assert isinstance(unknown, Unknown)
    assert (len(unknown.text) < 100) is (size > MAX_LINE_BYTES)
    assert len(connection.send(unknown.reply())) < 150
    assert second == About()


def test_end_of_input() -> None:
    connection = brain(b"ABOUT\nABOUT")
    connection.receive_eof()
    assert list(connection.events()) == [About(), About(), End()]
    assert connection.next_event() is NEED_DATA
    assert connection.state is State.CLOSED


def test_nothing_follows_end() -> None:
    connection = brain(b"END\nSTART 15\n")
    assert list(connection.events()) == [End()]
    connection.receive_data(b"BEGIN\n")
    connection.receive_eof()
    connection.receive_eof()
    connection.receive_data(b"BEGIN\n")
    assert connection.next_event() is NEED_DATA
    for reply in (MoveIs.at(7, 7), Message("late"), Error("late")):
        with pytest.raises(LocalProtocolError, match="over"):
            connection.send(reply)


def test_state_of_a_brain() -> None:
    connection = brain(b"START 15\n")
    assert connection.state is State.NO_BOARD
    assert connection.size is None
    connection.next_event()
    assert connection.state is State.IDLE
    assert connection.size == (15, 15)
    assert connection.owed == (Owed.OK,)
    connection.send(Ok())
    connection.receive_data(b"TURN 7,7\nINFO timeout_turn 0\n")
    connection.next_event()
    assert connection.state is State.THINKING
    assert connection.next_event() == InfoSet("timeout_turn", 0)
    assert connection.send(Message("hello")) == b"MESSAGE hello\n"
    assert connection.send(MoveIs.at(8, 8)) == b"8,8\n"
    assert connection.state is State.IDLE
    connection.receive_data(b"END\n")
    connection.next_event()
    assert connection.state is State.CLOSED


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("START 20", Ok()),
        ("RESTART", Ok()),
        ("TAKEBACK 7,7", Ok()),
        ("BEGIN", MoveIs.at(7, 7)),
        ("TURN 7,7", MoveIs.at(7, 8)),
        ("BOARD DONE", MoveIs.at(7, 7)),
        ("PLAY 3,3", MoveIs.at(3, 3)),
        ("YXNBEST 2", MoveIs.at(7, 7)),
        ("YXSEARCHDEFEND", MoveIs.at(7, 7)),
        ("YXBALANCETWO 0", MoveIs((Move(7, 7), Move(8, 8)))),
        ("SWAP2BOARD DONE", MoveIs((Move(7, 7), Move(8, 7), Move(9, 9)))),
        ("SWAP2BOARD 7,7 8,7 9,9 DONE", Swap()),
        ("ABOUT", about("1")),
        ("YXSHOWFORBID", Forbid()),
        ("FOO", UnknownReply("FOO")),
        ("TURN", Error("no")),
        ("BEGIN", Error("no")),
        ("SWAP2BOARD DONE", UnknownReply("swap2")),
    ],
)
def test_each_question_has_one_answer(command: str, reply: Reply) -> None:
    connection = brain(f"START 15\n{command}\n".encode())
    assert len(list(connection.events())) == 2
    connection.send(Ok())
    assert len(connection.owed) == 1
    connection.send(reply)
    assert connection.owed == ()
    if not isinstance(reply, (Error, UnknownReply)):
        with pytest.raises(LocalProtocolError, match="nobody asked"):
            connection.send(reply)


@pytest.mark.parametrize(
    "command", ["INFO rule 4", "YXBOARD DONE", "YXSTOP", "YXSHOWINFO", "YXHASHCLEAR", "YXBLOCK DONE", "YXSWAP2STEP1"]
)
def test_no_answer_is_owed(command: str) -> None:
    connection = brain(f"START 15\n{command}\n".encode())
    assert len(list(connection.events())) == 2
    assert connection.owed == (Owed.OK,)


def test_burst_is_answered_in_order() -> None:
    connection = brain(b"START 20\nINFO rule 0\nABOUT\nBOARD\nDONE\n")
    assert len(list(connection.events())) == 4
    assert connection.owed == (Owed.OK, Owed.ABOUT, Owed.MOVE)
    for reply in (Ok(), about("1"), MoveIs.at(9, 9)):
        connection.send(reply)
    assert connection.owed == ()


def test_complaints_while_a_move_is_owed() -> None:
    connection = brain(b"START 15\nBEGIN\nFOO\nTURN x\n")
    assert len(list(connection.events())) == 4
    connection.send(Ok())
    connection.send(UnknownReply("FOO"))
    connection.send(Error("TURN"))
    assert connection.state is State.THINKING
    connection.send(MoveIs.at(7, 7))
    assert connection.owed == ()


def test_aborted_search() -> None:
    connection = brain(b"START 15\nBEGIN\nSTART 20\nBEGIN\n")
    assert len(list(connection.events())) == 4
    connection.send(Ok())
    assert connection.drop_move()
    connection.send(Ok())
    connection.send(MoveIs.at(9, 9))
    assert connection.owed == ()
    assert not connection.drop_move()


def test_undo_of_an_analysis_front_end() -> None:
    connection = brain(b"yxshowinfo\nstart 15 15\nboard\ndone\n")
    list(connection.events())
    connection.send(Ok())
    connection.receive_data(b"start 15 15\nyxboard\ndone\nyxshowforbid\nyxquerydatabaseall\ndone\nyxstop\n")
    names = " ".join(type(event).__name__ for event in connection.events())
    assert names == "Start BoardIs ShowForbid Ignored Stop"
    assert connection.front_end
    for reply in (MoveIs.at(7, 7), Ok(), Forbid()):
        connection.send(reply)
    assert connection.owed == ()
    assert connection.state is State.IDLE


@pytest.mark.parametrize(
    "event", [Noise("x"), Closed(), Message(""), Message(" \n"), MoveIs(()), AboutReply(" "), Begin()]
)
def test_what_a_brain_cannot_say(event: Event) -> None:
    connection = brain(b"START 15\nBEGIN\nABOUT\n")
    list(connection.events())
    owed = connection.owed
    with pytest.raises(LocalProtocolError):
        connection.send(event)
    assert connection.owed == owed


def test_error_messages_name_the_fault() -> None:
    with pytest.raises(LocalProtocolError, match="a brain does not say Begin"):
        brain().send(Begin())
    with pytest.raises(LocalProtocolError, match="a manager does not say Ok"):
        manager().send(Ok())
    with pytest.raises(LocalProtocolError, match="nobody asked for OK"):
        brain().send(Ok())


# --- managers


def test_manager_plays_a_game() -> None:
    connection = Connection(Role.MANAGER)
    assert connection.send(About()) == b"ABOUT\n"
    connection.receive_data(b'name="X", version="1", author="Y", country="Z"\r\n')
    assert connection.next_event() == AboutReply("X", "1", "Y", "Z")
    assert connection.send(Start(15, 15)) == b"START 15\n"
    connection.receive_data(b"OK\r\n")
    assert connection.next_event() == Ok()
    assert connection.send(InfoSet("timeout_turn", 5000)) == b"INFO timeout_turn 5000\n"
    assert connection.send(Turn(Move(7, 7))) == b"TURN 7,7\n"
    assert connection.state is State.THINKING
    connection.receive_data(b"MESSAGE depth 3-5 ev 10 n 100 n/ms 10 tm 10 pv H8\nwhat\n8,8\n")
    assert list(connection.events()) == [Progress(3, 5, "10", 100, 10, (Move(7, 7),)), Noise("what"), MoveIs.at(8, 8)]
    assert connection.state is State.IDLE
    assert connection.send(End()) == b"END\n"
    assert connection.state is State.CLOSED
    connection.receive_eof()
    assert list(connection.events()) == [Closed()]
    assert connection.next_event() is NEED_DATA
    with pytest.raises(LocalProtocolError, match="over"):
        connection.send(About())


@pytest.mark.parametrize(
    "command", [Begin(), Turn(Move(1, 1)), BoardIs(()), BoardIs((), think=False), Start(15, 15), Restart(), NBest(2)]
)
def test_manager_waits_for_the_move(command: Event) -> None:
    connection = manager(Start(15, 15), Begin())
    with pytest.raises(LocalProtocolError, match="still owed"):
        connection.send(command)
    for allowed in (InfoSet("timeout_turn", 0), Stop(), ShowForbid(), Unknown("PONDER")):
        connection.send(allowed)
    connection.receive_data(b"7,7\n")
    list(connection.events())
    connection.send(command)


@pytest.mark.parametrize(
    "command",
    [
        Begin(),
        Turn(Move(1, 1)),
        TakeBack(Move(1, 1)),
        Play(Move(1, 1)),
        BoardIs(()),
        Swap2Board(()),
        Balance(1),
        Restart(),
    ],
)
def test_manager_starts_first(command: Event) -> None:
    with pytest.raises(LocalProtocolError, match="START"):
        manager().send(command)


@pytest.mark.parametrize(
    "command", [Malformed("x", "y"), Unknown(""), Unknown("A\nB"), InfoSet("folder", "a\nb"), Ignored("YXHASHDUMP")]
)
def test_what_a_manager_cannot_say(command: Event) -> None:
    with pytest.raises(LocalProtocolError):
        manager().send(command)


@pytest.mark.parametrize("line", [b"OK\n", b"7,7\n", b"SWAP\n", b"FORBID .\n", b'name="X"\n', b"SUGGEST 1,1\n"])
def test_answers_that_nobody_asked_for(line: bytes) -> None:
    connection = manager(Start(15, 15))
    connection.receive_data(b"OK\n" + line + b"MESSAGE alive\n")
    assert connection.next_event() == Ok()
    with pytest.raises(RemoteProtocolError, match="nobody asked") as caught:
        connection.next_event()
    assert isinstance(caught.value.event, Reply)
    assert connection.next_event() == Message("alive")


def test_suggestion_is_confirmed() -> None:
    connection = manager(Start(15, 15), Begin())
    connection.receive_data(b"OK\nSUGGEST 7,7\n")
    assert list(connection.events()) == [Ok(), Suggest(Move(7, 7))]
    assert connection.send(Play(Move(7, 7))) == b"PLAY 7,7\n"
    connection.receive_data(b"7,7\n")
    assert list(connection.events()) == [MoveIs.at(7, 7)]


def test_a_brain_may_ignore_an_extension() -> None:
    for answer in (b"", b"UNKNOWN command\n", b"ERROR Unknown command\n"):
        connection = manager(Start(15, 15), Unknown("LOADMODEL x"), Begin())
        connection.receive_data(b"OK\n" + answer + b"7,7\n")
        assert list(connection.events())[-1] == MoveIs.at(7, 7)
        assert connection.owed == ()


def test_manager_announces_itself() -> None:
    connection = manager(ShowInfo())
    assert connection.front_end
    assert connection.yixin
    connection.receive_data(b"MESSAGE INFO MAX_THREAD_NUM 8\nDEBUG x\n")
    assert list(connection.events()) == [Capability("MAX_THREAD_NUM", 8), Debug("x")]


def test_endless_line_of_a_brain() -> None:
    connection = manager(Start(15, 15))
    connection.receive_data(b"z" * 100_000 + b"\nOK\n")
    noise, ok = connection.events()
    assert isinstance(noise, Noise)
    assert ok == Ok()


# --- dialect and weight


@pytest.mark.parametrize(
    ("data", "yixin"),
    [
        (b"START 15\nINFO rule 2\nBEGIN\n", False),
        (b"RECTSTART 20,15\n", False),
        (b"START 15 15\n", True),
        (b"start 15 15\n", True),
        (b"info SHOW_DETAIL 1\n", True),
        (b"yxwhatever\n", True),
        (b"START 15\nYXBOARD 7,7,1 DONE\n", True),
        (b"START 15\nBOARD\n1,1,1\nINFO show_detail 0\nDONE\n", True),
        (b"START a b\n", False),
    ],
)
def test_dialect(data: bytes, yixin: bool) -> None:
    connection = brain(data)
    list(connection.events())
    assert connection.yixin is yixin
    assert connection.role is Role.BRAIN


def test_imports_are_light() -> None:
    code = (
        "import sys, gomoku.types; before = set(sys.modules); import gomoku.protocol; "
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"dataclasses", "asyncio", "threading", "logging", "inspect", "pathlib"} & set(loaded)
    assert all(name in {"gomoku.notation"} or name.startswith("gomoku.protocol") for name in loaded if "gomoku" in name)


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(
    "line",
    [
        *(b"a" * 16_000, b"a " * 8_000, b"7" + b" " * 16_000, b"7,7 " * 4_000, b"START " + b"1 " * 8_000),
        *(
            b"BOARD DONE " * 1_400,
            b'a="' * 5_000,
            b"a=" * 8_000,
            b"FORBID " + b"1" * 15_999,
            b"MESSAGE " + b"ev 1 " * 3_000,
        ),
    ],
    ids=lambda line: line[:12] if isinstance(line, bytes) else str(line),
)
def test_long_lines_of_all_kinds(role: Role, line: bytes) -> None:
    connection = Connection(role)
    connection.receive_data(b"BOARD\n" * (line[:1] == b"7") + line + b"x\n")
    assert list(connection.events()) or line[:1] == b"7"
