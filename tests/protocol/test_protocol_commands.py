"""Every command of a manager, in every odd spelling that is known from real ones."""

from __future__ import annotations

import pytest

from gomoku.protocol import (
    About,
    Balance,
    Begin,
    BoardIs,
    Connection,
    End,
    Event,
    HashClear,
    HashUsage,
    Ignored,
    InfoSet,
    Malformed,
    NBest,
    Play,
    Restart,
    Role,
    SearchDefend,
    ShowForbid,
    ShowInfo,
    Start,
    Stop,
    Swap2Board,
    Swap2Step,
    TakeBack,
    Turn,
    Unknown,
)
from gomoku.types import Move


def heard(data: bytes, *, started: bool = True) -> list[Event]:
    """Return what a brain hears, after ``START 15`` unless told otherwise."""
    connection = Connection(Role.BRAIN)
    if started:
        connection.receive_data(b"START 15\n")
        assert list(connection.events()) == [Start(15, 15)]
    connection.receive_data(data)
    return list(connection.events())


COMMANDS: list[tuple[str, Event]] = [
    ("START 15", Start(15, 15)),
    ("START 5", Start(5, 5)),
    ("START 22", Start(22, 22)),
    ("START 15 15", Start(15, 15)),
    ("START 19 17", Start(19, 17)),
    ("RECTSTART 20,15", Start(20, 15)),
    ("RECTSTART 20 , 15", Start(20, 15)),
    ("RECTSTART 20 15", Start(20, 15)),
    ("RESTART", Restart()),
    ("BEGIN", Begin()),
    ("TURN 7,8", Turn(Move(7, 8))),
    ("TURN 7 , 8", Turn(Move(7, 8))),
    ("TURN 07,08", Turn(Move(7, 8))),
    ("TAKEBACK 0,14", TakeBack(Move(0, 14))),
    ("PLAY 14,0", Play(Move(14, 0))),
    ("ABOUT", About()),
    ("END", End()),
    ("STOP", Stop()),
    ("YXSTOP", Stop()),
    ("YXSHOWFORBID", ShowForbid()),
    ("YXSHOWINFO", ShowInfo()),
    ("YXNBEST 3", NBest(3)),
    ("YXNBEST 0", NBest(1)),
    ("YXBALANCEONE -20", Balance(1, -20)),
    ("YXBALANCETWO", Balance(2, 0)),
    ("YXSEARCHDEFEND", SearchDefend()),
    ("YXSWAP2STEP1", Swap2Step(1)),
    ("YXSWAP2STEP3", Swap2Step(3)),
    ("YXHASHCLEAR", HashClear()),
    ("YXSHOWHASHUSAGE", HashUsage()),
    ("YXBLOCKRESET", Ignored("YXBLOCKRESET")),
    ("YXFORBID ADD 1 2 0", Ignored("YXFORBID", "ADD 1 2 0")),
    ("RELOADCONFIG X.TOML", Ignored("RELOADCONFIG", "X.TOML")),
]


@pytest.mark.parametrize(("line", "event"), COMMANDS, ids=[line for line, _ in COMMANDS])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b" \t\r\n", b"\0\n", b"\r\r\n\n"])
def test_command(line: str, event: Event, end: bytes) -> None:
    assert heard(line.encode() + end) == [event]


@pytest.mark.parametrize(("line", "event"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_case_and_margins_do_not_matter(line: str, event: Event) -> None:
    if isinstance(event, Ignored):
        event = Ignored(event.word, event.args.lower())
    assert heard(line.lower().encode() + b"\n") == [event]
    assert heard(b"\xef\xbb\xbf\t " + line.lower().replace(" ", " \t ", 1).encode() + b"\n") == [event]


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("INFO timeout_turn 5000", "timeout_turn", 5000),
        ("info TIMEOUT_TURN 0", "timeout_turn", 0),
        ("INFO timeout_match 180000", "timeout_match", 180000),
        ("INFO time_left 2147483647", "time_left", 2147483647),
        ("INFO time_left -500", "time_left", -500),
        ("INFO time_left +5", "time_left", 5),
        ("INFO max_memory 8589934592", "max_memory", 8589934592),
        ("INFO max_memory 99999999999999999999999", "max_memory", 2**63 - 1),
        ("INFO time_left -99999999999999999999999", "time_left", -(2**63 - 1)),
        ("INFO time_left 00000000000000000000000007", "time_left", 7),
        ("INFO max_memory " + "9" * 10000, "max_memory", 2**63 - 1),
        ("INFO game_type 1", "game_type", 1),
        ("INFO rule 9", "rule", 9),
        ("INFO max_node -1", "max_node", -1),
        ("INFO max_depth 225", "max_depth", 225),
        ("INFO thread_num 4", "thread_num", 4),
        ("INFO hash_size 1048576", "hash_size", 1048576),
        ("INFO time_increment 100", "time_increment", 100),
        ("INFO pondering 0", "pondering", 0),
        ("INFO show_detail 3", "show_detail", 3),
        ("INFO caution_factor 1", "caution_factor", 1),
        ("INFO strength 100", "strength", 100),
        ("INFO strength 99.5", "strength", 99),
        ("INFO nbestsym 0", "nbestsym", 0),
        ("INFO timeout_turn 5000 ms", "timeout_turn", 5000),
        ("INFO timeout_turn", "timeout_turn", None),
        ("INFO timeout_turn abc", "timeout_turn", None),
        ("INFO timeout_turn 12x", "timeout_turn", None),
        ("INFO timeout_turn =5", "timeout_turn", None),
        ("INFO rule four", "rule", None),
        ("INFO", "", None),
        ("INFO foo", "foo", None),
        ("INFO foo bar 3 4", "foo", "bar 3 4"),
        ("INFO evaluate 3,4", "evaluate", Move(3, 4)),
        ("INFO evaluate 3,4 5,6", "evaluate", Move(3, 4)),
        ("INFO evaluate nowhere", "evaluate", None),
        ("INFO folder", "folder", None),
        ("INFO folder C:\\Users\\Bob's PC\\AI's/AI folder", "folder", "C:\\Users\\Bob's PC\\AI's/AI folder"),
        ("INFO FOLDER   /home/ann/it's a dir/x  ", "folder", "/home/ann/it's a dir/x"),
        ('INFO folder "quoted" = #1', "folder", '"quoted" = #1'),
        ("INFO folder /home/Zoë/五目", "folder", "/home/Zoë/五目"),
    ],
)
def test_info(line: str, key: str, value: object) -> None:
    for started in (True, False):
        assert heard(line.encode() + b"\n", started=started) == [InfoSet(key, value)]  # type: ignore[arg-type]


def test_folder_keeps_bytes_that_are_not_utf8() -> None:
    (event,) = heard(b"INFO folder /home/Zo\xeb\n")
    assert isinstance(event, InfoSet)
    assert isinstance(event.value, str)
    assert event.value.encode("utf-8", "surrogateescape") == b"/home/Zo\xeb"


def test_info_number() -> None:
    assert InfoSet("rule", 4).number == 4
    assert InfoSet("folder", "4").number is None


@pytest.mark.parametrize(
    "line",
    [
        *("START", "START abc", "START 0", "START -1", "START 3", "START 4", "START 23", "START 100", "START 15x15"),
        *("START 15 4", "START 15 15 15", "START 15.5", "START 99999999999999999999", "START \u0661\u0665"),
        *("RECTSTART", "RECTSTART 20", "RECTSTART 20,4", "RECTSTART 23,15", "RECTSTART a,b"),
        *("TURN", "TURN 7", "TURN 7;7", "TURN a,b", "TURN h8", "TURN -1,3", "TURN 3,-1", "TURN 7,7,1", "TURN 7,7 8,8"),
        *("TURN 7 7", "TURN 7.0,7", "TURN 99999999999999999999,1", "TURN \u0667,\u0667"),
        *("TURN 15,0", "TURN 0,15", "TURN 99,99", "PLAY 15,15", "TAKEBACK 15,3"),
        *("TAKEBACK", "TAKEBACK here", "PLAY", "PLAY 3", "YXNBEST", "YXNBEST many"),
    ],
)
def test_malformed(line: str) -> None:
    (event,) = heard(line.encode() + b"\n")
    assert isinstance(event, Malformed)
    assert event.text == line
    assert event.reply().text == event.message


def test_range_is_checked_by_axis() -> None:
    assert heard(b"RECTSTART 20,15\nTURN 19,14\n")[1] == Turn(Move(19, 14))
    assert isinstance(heard(b"RECTSTART 20,15\nTURN 14,19\n")[1], Malformed)


def test_size_complaint_lets_piskvork_offer_twenty() -> None:
    (event,) = heard(b"START 30\n")
    assert isinstance(event, Malformed)
    assert "20" in event.message


@pytest.mark.parametrize(
    "line", ["FOOBAR", "7,7", "DONE", "TURNIP 7,7", "START15", "\u0131NFO rule 4", "=", "\x01", "yxwhat"]
)
def test_unknown(line: str) -> None:
    (event,) = heard(line.encode() + b"\n")
    assert event == Unknown(line)
    assert isinstance(event, Unknown)
    assert event.reply().text == f"command {line}"


@pytest.mark.parametrize(
    "line",
    [
        *("RESTART", "BEGIN", "TURN 7,7", "TURN 99,99", "TAKEBACK 7,7", "PLAY 7,7", "BOARD DONE", "BOARD\n7,7,1\nDONE"),
        *("YXBOARD DONE", "SWAP2BOARD DONE", "YXNBEST 2", "YXBALANCEONE 0", "YXSHOWFORBID", "YXSWAP2STEP1"),
        "YXSEARCHDEFEND",
    ],
)
def test_needs_start(line: str) -> None:
    (event,) = heard(line.encode() + b"\n", started=False)
    assert isinstance(event, Malformed)
    assert "START" in event.message


def test_failed_start_leaves_no_board() -> None:
    events = heard(b"START 4\nBEGIN\n", started=False)
    assert [type(event) for event in events] == [Malformed, Malformed]


@pytest.mark.parametrize("line", ["ABOUT", "INFO rule 4", "END", "YXSHOWINFO", "YXHASHCLEAR", "YXSTOP", "YXBLOCKRESET"])
def test_legal_before_start(line: str) -> None:
    assert not isinstance(heard(line.encode() + b"\n", started=False)[0], Malformed)


def test_board_and_yxboard_differ_in_thinking() -> None:
    assert heard(b"BOARD\nDONE\n") == [BoardIs((), think=True)]
    assert heard(b"YXBOARD\nDONE\n") == [BoardIs((), think=False)]


def test_swap2board() -> None:
    points = (Move(7, 7), Move(8, 7), Move(9, 9))
    assert heard(b"SWAP2BOARD\nDONE\n") == [Swap2Board(())]
    assert heard(b"SWAP2BOARD\n7,7\n8,7\n9,9\nDONE\n") == [Swap2Board(points)]
    assert heard(b"swap2board 7,7 8,7 9,9 done\n") == [Swap2Board(points)]
    assert heard(b"SWAP2BOARD\n7,7,1\n8,7,2\n9,9,1\nDONE\n") == [Swap2Board(points)]
    for count in (1, 2, 4, 6):
        cells = "".join(f"{x},3\n" for x in range(count))
        assert isinstance(heard(f"SWAP2BOARD\n{cells}DONE\n".encode())[0], Malformed)
