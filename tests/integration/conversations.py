"""Conversations with a brain: those of ``conversations.txt``, and more of them made from lists of odd input.

``protocol_docs/conformance.md`` says what each of them shows; ``test_conversations.py`` holds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_suffix(".txt")
_HEADING = re.compile(r"^== (\w+)( \(waits\))?$", re.MULTILINE)


class Conversation(NamedTuple):
    """A conversation and what it demands.

    Attributes:
        name: begins with the rows of the conformance table that it shows.
        text: a transcript.
        waits: whether the manager has to wait for answers; if not, everything may be written in one burst.
    """

    name: str
    text: str
    waits: bool = False


START = "> START 15\n< OK\n"
QUICK = START + "> INFO timeout_turn 50\n"
ENDLESS = START + "> INFO timeout_turn 3600000\n"
HELLO = "> yxshowinfo\n< MESSAGE INFO MAX_THREAD_NUM {int}\n< MESSAGE INFO MAX_HASH_SIZE {int}\n"
CENTRE = "< {message}*\n< 7,7\n"
MOVE = "< {message}*\n< {move}\n"
QUIET = "> BOARD 7,7,2 8,8,1 7,8,2 DONE\n"

SETTINGS = (
    "timeout_turn 5000", "timeout_match 180000", "time_left 180000", "time_left 2147483647", "time_left -5",
    "max_memory 367001600", "max_memory 8589934592", "game_type 0", "game_type 1", "game_type 2", "game_type 3",
    "rule 0", "evaluate 5,5", "folder C:\\data", "max_depth 225", "max_node -1", "thread_num 8", "hash_size 65536",
    "caution_factor 3", "pondering 1", "time_increment 0", "show_detail 0", "checkmate 0", "strength 100",
)  # fmt: skip
ODD_SETTINGS = (
    "", "rule", "foo", "foo bar 3 4", "foo START 20", "timeout_turn", "timeout_turn abc", "timeout_match x 5",
    "time_left 99999999999999999999999999", "max_memory", "max_memory -1", "evaluate", "evaluate nowhere",
    "evaluate 99,99", "game_type maybe", "thread_num four", "folder", "=", "anykey value",
)  # fmt: skip
FOLDERS = ("C:\\Bob's PC\\AI's/AI folder", "/home/ann/it's a dir/x", '"C:\\with quotes"', "/home/Zoë/五目", "", "END")
BAD_SIZES = ("", "0", "3", "4", "23", "100", "999", "-1", "abc", "15x15", "15 4", "99999999999999999999")
BAD_POINTS = ("", "7", "7;7", "a,b", "h8", "99,99", "-1,3", "3,-1", "15,0", "0,15", "7,7,1", "7 7", "3,3")
BAD_CELLS = ("7,7,1 nonsense", "7,7,4", "7,7", "7,7,1 7,7,2", "15,15,1", "-3,4,1", "7,7,1 ,", "7;7;1")
NO_BOARD_YET = ("RESTART", "BEGIN", "TURN 7,7", "TAKEBACK 7,7", "PLAY 7,7", "BOARD 7,7,1 DONE", "YXNBEST 2")
GARBAGE = ("x" * 10_000, "TURN " + "7" * 20_000, "五目 ÿ", "\0TURN\0 7", "\x01\x7f", "name=x")
MEMORY = (8589934592, 0, 83886080, 1, 367001600)
NO_TIME = ("timeout_turn 0", "timeout_turn 1", "timeout_turn 5", "time_left 0", "time_left 1", "time_left -500")

BOARDS_OF_NO_GAME = (
    "7,7,1 8,8,1 7,8,2",
    "7,7,1 8,8,2 7,8,2 8,6,2 6,6,2",
    "7,7,1 8,8,1 6,7,1",
    "7,7,2 8,8,2 6,7,2",
    "7,7,3 8,8,3 6,7,3",
    "7,7,1 -1,-1,2 8,8,1 -1,-1,2",
    "3,7,1 4,7,1 5,7,1 6,7,1 7,7,1 3,8,2 4,8,2 5,8,2 6,8,2 7,8,2",
)
"""Counts that no game has, stones of one side alone, stones of nobody, passes, two fives."""

EVERY_COMMAND = f"""
> about
< {{about}}
> start 15
< OK
> info timeout_turn 50
> play 3,3
< 3,3
> takeback 3,3
< OK
> restart
< OK
> rectstart 20,15
< OK
> yxshowforbid
< FORBID .
> yxhashclear
> yxboard 1,1,2 done
> yxstop
> stop
> foobar
< UNKNOWN {{text}}
> swap2board 1,1 done
< ERROR {{text}}
> restart
< OK
> begin
< {{message}}*
< 10,7
> turn 7,7
{MOVE}"""

INTERRUPTIONS = {
    "start": ("> START 15\n", "< OK\n"),
    "restart": ("> RESTART\n", "< OK\n"),
    "begin": ("> BEGIN\n> YXSTOP\n", MOVE),
    "turn": ("> TURN 0,0\n> YXSTOP\n", MOVE),
    "board": ("> BOARD\n> 3,7,1 4,7,1 5,7,1 6,7,1 3,8,2 4,8,2 5,8,2 6,8,2\n> DONE\n", "< {message}*\n< 2,7 | 7,7\n"),
    "takeback": ("> TAKEBACK 7,7\n", "< OK\n"),
    "yxboard": ("> YXBOARD 7,7,2 DONE\n> YXSHOWFORBID\n", "< FORBID .\n"),
    "yxnbest": ("> YXNBEST 5\n> STOP\n", MOVE),
    "undo": (
        "> start 15 15\n> yxboard\n> 7,7,2\n> done\n> yxshowforbid\n> yxquerydatabaseall\n> 7,7\n> done\n",
        "< OK\n< FORBID .\n",
    ),
}
"""What a manager may say while it owes the brain patience, and what is answered to it."""


def _lines(kind: str, texts: Iterable[str]) -> str:
    return "".join(f"{kind} {text}\n" for text in texts)


def _errors(count: int) -> str:
    return "< ERROR {text}\n" * count


def _capitals(text: str) -> str:
    return "\n".join(line.upper() if line[:1] == ">" else line for line in text.splitlines())


def _full_board(size: int) -> list[str]:
    """Cells of a full board without a long row of one side."""
    return [f"{x},{y},{1 + (x + 2 * y) % 4 // 2}" for y in range(size) for x in range(size)]


def _written() -> Iterator[Conversation]:
    pieces = _HEADING.split(_FILE.read_text(encoding="utf-8"))[1:]
    for name, waits, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True):
        yield Conversation(name, text, waits=waits is not None)


def _about_input() -> Iterator[Conversation]:
    yield Conversation("t3_t4_every_command_in_small_letters", EVERY_COMMAND)
    yield Conversation("t3_t4_every_command_in_capitals", _capitals(EVERY_COMMAND))
    margins = "> \ufeffSTART 15\n< OK\n> \ufeff\0INFO\ttimeout_turn\t 50\0\n> TURN\t 7 , 7\0\n"
    yield Conversation("b20_t3_margins", margins + MOVE)
    yield Conversation("b1_i1_i14_i15_settings", START + _lines("> INFO", SETTINGS) + "> BEGIN\n" + CENTRE + "> END\n")
    yield Conversation("b8_i2_settings_without_sense", START + _lines("> INFO", ODD_SETTINGS) + "> BEGIN\n" + CENTRE)
    yield Conversation("b9_i12_folders", QUICK + _lines("> INFO folder", FOLDERS) + "> TURN 7,7\n" + MOVE)
    unknown = "< UNKNOWN {text}\n" * len(GARBAGE)
    yield Conversation("b31_t11_garbage", START + _lines(">", GARBAGE) + unknown + "> BEGIN\n" + CENTRE)
    yield Conversation("b13_s4_sizes", _lines("> START", BAD_SIZES) + _errors(len(BAD_SIZES)) + START)
    sizes = "".join(f"> START {size}\n< OK\n> START {size} {size}\n< OK\n" for size in range(5, 23))
    yield Conversation("s2_s3_every_size", sizes)
    yield Conversation("s8_commands_before_start", _lines(">", NO_BOARD_YET) + _errors(len(NO_BOARD_YET)) + START)
    centres = "".join(
        f"> START {size}\n< OK\n> BEGIN\n< {{message}}*\n< {size // 2},{size // 2}\n" for size in range(5, 23)
    )
    yield Conversation("m1_begin_on_every_size", centres + "> RECTSTART 20,15\n< OK\n> BEGIN\n< {message}*\n< 10,7\n")
    faulty = START + "> PLAY 3,3\n< 3,3\n" + _lines("> TURN", BAD_POINTS) + _errors(len(BAD_POINTS))
    faulty += "> TAKEBACK\n> TAKEBACK 4,4\n> TAKEBACK 3;3\n> PLAY 3,3\n" + _errors(4)
    yield Conversation("b30_m13_m15_points_with_a_fault", faulty + "> TAKEBACK 3,3\n< OK\n> BEGIN\n" + CENTRE)
    faulty = "".join(f"> BOARD\n> {text}\n> DONE\n> ABOUT\n< ERROR {{text}}\n< {{about}}\n" for text in BAD_CELLS)
    yield Conversation("b30_m10_lists_with_a_fault", START + faulty)
    cells = _full_board(20)
    full = "> START 20\n< OK\n> BOARD\n" + _lines(">", cells) + "> DONE\n< ERROR {text}\n"
    one_left = "> INFO timeout_turn 50\n> BOARD\n" + _lines(">", cells[:-1]) + "> DONE\n< {message}*\n< 19,19\n"
    yield Conversation("b31_four_hundred_stones", full + one_left)
    cells = _full_board(5)
    full = "> START 5\n< OK\n> BOARD\n" + _lines(">", cells) + "> DONE\n< ERROR {text}\n"
    one_left = "> INFO timeout_turn 50\n> BOARD\n" + _lines(">", cells[:10] + cells[11:]) + "> DONE\n"
    yield Conversation("b38_m17_the_last_point", full + one_left + "< {message}*\n< 0,2\n")


def _about_thinking() -> Iterator[Conversation]:
    odd = "".join(f"> BOARD {cells} DONE\n{MOVE}" for cells in BOARDS_OF_NO_GAME)
    yield Conversation("b37_m16_boards_of_no_game", QUICK + odd, waits=True)
    yield Conversation("b37_boards_of_no_game_in_renju", QUICK + "> INFO rule 4\n" + odd, waits=True)
    clocks = "> INFO timeout_turn 3600000\n> INFO time_left 2147483647\n"
    hurried = "".join(f"{clocks}> INFO {setting}\n{QUIET}{MOVE}" for setting in NO_TIME)
    yield Conversation("b12_i3_i6_no_time_to_think", START + hurried, waits=True)
    limits = "".join(f"> INFO max_memory {limit}\n{QUIET}{MOVE}" for limit in MEMORY)
    yield Conversation("b43_i9_limits_of_memory", QUICK + limits, waits=True)
    for name, (said, answer) in INTERRUPTIONS.items():
        idle = "> YXSTOP\n"
        at_once = f"{QUIET}{said}< {{message}}*\n{answer}{idle}"
        later = f"{QUIET}< {{message}}\n{said}< {{message}}*\n{answer}{idle}"
        yield Conversation(f"b29_{name}_while_thinking", ENDLESS + at_once)
        yield Conversation(f"b29_{name}_after_a_while", ENDLESS + later, waits=True)
        at_once = f"{QUIET}{said}{MOVE}{answer}{idle}"
        later = f"{QUIET}< {{message}}\n{said}{MOVE}{answer}{idle}"
        yield Conversation(f"b29_{name}_of_a_front_end_while_thinking", HELLO + ENDLESS + at_once)
        yield Conversation(f"b29_{name}_of_a_front_end_after_a_while", HELLO + ENDLESS + later, waits=True)


CONVERSATIONS: tuple[Conversation, ...] = (*_written(), *_about_input(), *_about_thinking())
