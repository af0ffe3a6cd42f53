"""Lists of cells, path lines, and what happens when they are cut off or belong to nobody."""

from __future__ import annotations

import pytest

from gomoku.protocol import (
    About,
    Begin,
    BoardIs,
    Connection,
    End,
    Event,
    Ignored,
    InfoSet,
    Malformed,
    NBest,
    Role,
    Start,
    Stop,
    Swap2Board,
    Turn,
    Unknown,
)
from gomoku.types import Move
from test_protocol_commands import heard

TWO = BoardIs(((Move(7, 7), 1), (Move(8, 8), 2)))
TWO_SET = BoardIs(TWO.stones, think=False)


@pytest.mark.parametrize(
    "data",
    [
        b"BOARD\n7,7,1\n8,8,2\nDONE\n",
        b"board\r\n7,7,1\r\n8,8,2\r\ndone\r\n",
        b"BOARD\n7,7,1\n8,8,2\nDONE\r\n",
        b"Board\n 7,7,1 \n\n\t8,8,2\nDone \n",
        b"BOARD\n7, 7, 1\n8 ,8 ,2\nDONE\n",
        b"BOARD\n7,7,1 8,8,2\nDONE\n",
        b"BOARD 7,7,1 8,8,2 DONE\n",
        b"board 7,7,1\t8,8,2 done\n",
        b"BOARD 7,7,1\n8,8,2 DONE\n",
        b"BOARD\n7,7,1\n-1,-1,2\n8,8,2\nDONE\n",
    ],
)
def test_spellings(data: bytes) -> None:
    assert heard(data) == [TWO]
    assert heard(data.replace(b"B", b"YXB").replace(b"b", b"yxb")) == [TWO_SET]


def test_order_owners_and_walls_are_kept() -> None:
    (event,) = heard(b"BOARD\n3,3,3\n1,2,2\n0,0,1\n14,14,2\nDONE\n")
    assert event == BoardIs(((Move(3, 3), 3), (Move(1, 2), 2), (Move(0, 0), 1), (Move(14, 14), 2)))


@pytest.mark.parametrize("separator", ["\n", " "])
def test_full_board(separator: str) -> None:
    cells = separator.join(f"{x},{y},{1 + (x + y) % 2}" for y in range(22) for x in range(22))
    _, event = heard(f"START 22\nBOARD{separator}{cells}{separator}DONE\n".encode())
    assert isinstance(event, BoardIs)
    assert len(event.stones) == 484


def test_nothing_before_done() -> None:
    assert heard(b"BOARD\n7,7,1\n8,8,2\n") == []
    assert heard(b"BOARD\n7,7,1\n8,8,2\nDON") == []


@pytest.mark.parametrize(
    "bad",
    [
        *("nonsense", "7,7", "7", "7,7,", "7,7,0", "7,7,4", "7,7,-1", "7,7,x", "x,7,1", "7;7;1", "7 7 1", "7,7,1,1"),
        *("-1,3,1", "15,0,1", "0,15,1", "99,99,1", "8,8,1\n8,8,2", "99999999999999999999,1,1", "h8", "DONE?"),
        "x" * 20000,
    ],
)
def test_bad_cell_gives_one_complaint_after_done(bad: str) -> None:
    for cells in (f"{bad}\n1,1,1\n2,2,2\n", f"1,1,1\n{bad}\n2,2,2\n", f"1,1,1\n{bad}\n{bad}\n"):
        assert heard(f"BOARD\n{cells}".encode()) == []
        first, second = heard(f"BOARD\n{cells}DONE\nTURN 3,3\n".encode())
        assert isinstance(first, Malformed)
        assert second == Turn(Move(3, 3))


def test_complaint_quotes_the_first_bad_line() -> None:
    (event,) = heard(b"BOARD\n1,1,1\noops\nworse\nDONE\n")
    assert isinstance(event, Malformed)
    assert event.text == "oops"
    assert event.message.startswith("BOARD: ")


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("END", End()),
        ("START 20", Start(20, 20)),
        ("ABOUT", About()),
        ("BEGIN", Begin()),
        ("TURN 3,3", Turn(Move(3, 3))),
        ("YXNBEST 2", NBest(2)),
        ("YXBLOCKRESET", Ignored("YXBLOCKRESET")),
        ("yxwhat", Unknown("yxwhat")),
    ],
)
def test_command_cuts_off_a_list(line: str, event: Event) -> None:
    first, second = heard(f"BOARD\n7,7,1\n{line}\n".encode())
    assert isinstance(first, Malformed)
    assert "DONE" in first.message
    assert second == event


def test_list_cuts_off_a_list() -> None:
    first, second = heard(b"BOARD\n7,7,1\nBOARD\n7,7,1\n8,8,2\nDONE\n")
    assert isinstance(first, Malformed)
    assert second == TWO


@pytest.mark.parametrize(
    ("line", "event"),
    [("INFO evaluate 3,4", InfoSet("evaluate", Move(3, 4))), ("YXSTOP", Stop()), ("stop", Stop())],
)
def test_what_concerns_the_search_leaves_a_list_open(line: str, event: Event) -> None:
    assert heard(f"BOARD\n7,7,1\n{line}\n8,8,2\nDONE\n".encode()) == [event, TWO]
    assert heard(f"yxhashdump\n{line}\n/a/path\n".encode()) == [event, Ignored("YXHASHDUMP", "", ("/a/path",))]


def test_command_behind_done_on_the_same_line() -> None:
    assert heard(b"YXBOARD 7,7,1 8,8,2 DONE YXNBEST 2\n") == [TWO_SET, NBest(2)]
    assert heard(b"SWAP2BOARD DONE BOARD DONE\n") == [Swap2Board(()), BoardIs(())]


def test_end_of_input_within_a_list() -> None:
    connection = Connection(Role.BRAIN)
    connection.receive_data(b"START 15\nBOARD\n7,7,1\n8,8")
    connection.receive_eof()
    assert list(connection.events()) == [Start(15, 15), End()]


@pytest.mark.parametrize(
    "word", ["yxblock", "YXBLOCKPATHUNDO", "yxquerydatabaseall", "YXDELETEDATABASEONE", "yxsoosorvstep2"]
)
def test_swallowed_list(word: str) -> None:
    expected = Ignored(word.upper(), "", ("7,7", "8,8"))
    assert heard(f"{word}\n7,7\n8,8\ndone\nbegin\n".encode()) == [expected, Begin()]
    assert heard(f"{word}\ndone\n".encode()) == [Ignored(word.upper())]
    assert heard(f"{word} 7,7 8,8 done\n".encode()) == [Ignored(word.upper(), "", ("7,7 8,8",))]
    assert heard(f"{word} done\n".encode()) == [Ignored(word.upper())]
    assert heard(f"{word}\n7,7\nEND\n".encode()) == [Ignored(word.upper(), "", ("7,7",)), End()]


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("yxdeletedatabaseall nonwl", "nonwl"),
        ("yxedittvddatabase 2 -1 100 0", "2 -1 100 0"),
        ("yxeditlabeldatabase 7,7 all done here", "7,7 all done here"),
        ('yxedittextdatabase "done"', '"done"'),
        ("yxsoosorvstep4 3", "3"),
    ],
)
def test_swallowed_list_with_arguments(line: str, args: str) -> None:
    word = line.partition(" ")[0].upper()
    assert heard(f"{line}\n7,7\ndone\n".encode()) == [Ignored(word, args, ("7,7",))]


def test_swallowed_lists_are_bounded() -> None:
    (event,) = heard(b"yxblock\n" + b"7,7\n" * 5000 + b"done\n")
    assert isinstance(event, Ignored)
    assert len(event.lines) == 484
    (event,) = heard(b"BOARD\n" + b"7,7,1\n" * 5000 + b"DONE\n")
    assert isinstance(event, Malformed)


@pytest.mark.parametrize(
    "path", ["/home/ann/hash.bin", "C:\\it's a dir\\begin.db", "done", "yx/file", "7,7", "x" * 20000]
)
def test_path_line(path: str) -> None:
    first, second = heard(f"yxhashdump\n{path}\nbegin\n".encode())
    assert isinstance(first, Ignored)
    assert first.lines[0][:50] == path[:50]
    assert second == Begin()


def test_path_on_the_same_line() -> None:
    assert heard(b"yxhashload /tmp/x\nbegin\n") == [Ignored("YXHASHLOAD", "/tmp/x"), Begin()]


def test_missing_path_does_not_eat_a_command() -> None:
    assert heard(b"yxsetdatabase\n\nEND\n") == [Ignored("YXSETDATABASE"), End()]


def test_list_of_an_unknown_command_is_answered_once() -> None:
    assert heard(b"PROBOARD\n7,7,1\n8,8,2\nDONE\nBEGIN\n") == [Unknown("PROBOARD"), Begin()]
    assert heard(b"yxwhat\n7,7\ndone\n7,7\n") == [Unknown("yxwhat")]
    assert heard(b"BEGIN\n7,7\n") == [Begin(), Unknown("7,7")]
