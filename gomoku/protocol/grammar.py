"""Commands that fit on one line: text to event and back.

Words, keys and ``DONE`` may be written in any case. Coordinates are two integers and a comma, with blanks allowed
around it. Lists of cells are read by ``cells.py``, since they span lines; every command is written here.

Source: protocol_docs/gomocup.md, sections "Commands" and "INFO keys"; protocol_docs/yixin.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Command
from gomoku.types import MAX_SIZE, MIN_SIZE, Move


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BOARD_WORDS = frozenset({"BOARD", "YXBOARD", "SWAP2BOARD"})
"""Commands followed by a list of stones and ``DONE``."""

SWALLOWED_LISTS = _words(
    "YXBLOCK YXBLOCKUNDO YXBLOCKPATH YXBLOCKPATHUNDO "
    "YXQUERYDATABASEALL YXQUERYDATABASEONE YXQUERYDATABASETEXT YXQUERYDATABASEALLT "
    "YXSETBESTMOVEDATABASE YXCLEARBESTMOVEDATABASE YXDELETEDATABASEONE YXDELETEDATABASEALL "
    "YXEDITLABELDATABASE YXEDITTVDDATABASE YXEDITTEXTDATABASE "
    "YXSOOSORVSTEP2 YXSOOSORVSTEP3 YXSOOSORVSTEP4 YXSOOSORVSTEP5 YXSOOSORVSTEP6"
)
"""Commands without meaning here that are followed by a list of cells and ``DONE``."""

SWALLOWED_PATHS = _words(
    "YXHASHDUMP YXHASHLOAD YXSETDATABASE YXDBTOPOS YXDBTOTXT YXDBTOTXTALL YXTXTTODB YXLIBTODB YXDBTOLIB "
    "YXDBSPLIT YXDBMERGE"
)
"""Commands without meaning here that are followed by a line with a path, unless it stands on their own line."""

SWALLOWED_LINES = _words(
    "YXBLOCKRESET YXBLOCKPATHRESET YXSAVEDATABASE YXDBCHECK YXDBFIX YXDRAW YXRESIGN YXPRINTFEATURE YXFORBID "
    "YXSOOSORVSTEP1 RELOADCONFIG"
)
"""Commands without meaning here that are complete."""

INFO_NUMBERS = _words(
    "timeout_turn timeout_match time_left time_increment max_memory game_type rule max_depth max_node thread_num "
    "thread_split_depth hash_size caution_factor pondering vcthread checkmate nbestsym start_depth show_detail "
    "usedatabase strength swapable max_moves"
)
"""Keys of ``INFO`` whose value is a number."""

_POINT = re.compile(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})")
_NUMBER = re.compile(r"([+-]?)([0-9]+)(\.[0-9]*)?(?!\S)")
_NUMBERS = re.compile(r"[+-]?[0-9]{1,9}(?:(?:\s*,\s*|\s+)[+-]?[0-9]{1,9})*")
_MAX_INT = 2**63 - 1


def lex(text: str) -> tuple[str, str]:
    r"""Split a line into its command word in capitals and the rest.

    Example:
        >>> lex("info Folder C:\\a b")
        ('INFO', 'Folder C:\\a b')
        >>> lex("")
        ('', '')
    """
    parts = text.split(None, 1)
    word = parts[0] if parts else ""
    return (word.upper() if word.isascii() else word), parts[1].strip() if len(parts) > 1 else ""


def read_point(text: str) -> Move | None:
    """Return the point a text consists of, ``None`` if it is none.

    Example:
        >>> read_point("7 , 8")
        Move(x=7, y=8)
        >>> read_point("7;8") is None
        True
    """
    match = _POINT.fullmatch(text)
    return Move(int(match[1]), int(match[2])) if match else None


def read_number(text: str) -> int | None:
    """Return the number a text begins with, limited to 64 bits; ``None`` if there is none.

    Example:
        >>> read_number("2147483647"), read_number("-1"), read_number("9" * 30), read_number("12x")
        (2147483647, -1, 9223372036854775807, None)
    """
    match = _NUMBER.match(text)
    if not match:
        return None
    digits = match[2].lstrip("0") or "0"
    value = _MAX_INT if len(digits) > 19 else min(int(digits), _MAX_INT)
    return -value if match[1] == "-" else value


def parse_command(text: str) -> Command:
    """Read a command that fits on one line.

    Returns:
        The command; Malformed if its arguments make no sense, Unknown for anything else.

    Example:
        >>> parse_command("turn 7, 8")
        Turn(move=Move(x=7, y=8))
        >>> parse_command("TURN 7;8").message
        'TURN needs a point such as 7,7'
    """
    word, args = lex(text)
    reader = _READERS.get(word)
    if reader:
        return reader(text, args)
    if word in SWALLOWED_LINES or word in SWALLOWED_PATHS:
        return ev.Ignored(word, args)
    return ev.Unknown(text)


def is_command_word(word: str) -> bool:
    """Return whether a word in capitals begins a command, known or of the Yixin family."""
    return word in _READERS or word in BOARD_WORDS or word in SWALLOWED_LINES or (word[:2] == "YX" and word.isalnum())


def format_command(command: Command) -> str:
    r"""Write a command as one or more lines without the last line end; the inverse of reading.

    Raises:
        ValueError: the event cannot be said, such as Malformed, or one of its texts spans lines.

    Example:
        >>> format_command(ev.Start(20, 15))
        'RECTSTART 20,15'
        >>> format_command(ev.BoardIs(((Move(7, 7), 2),), think=False))
        'YXBOARD\n7,7,2\nDONE'
    """
    match command:
        case ev.Start(width, height):
            return f"START {width}" if width == height else f"RECTSTART {width},{height}"
        case ev.BoardIs(stones, think):
            cells = [f"{move},{who}" for move, who in stones]
            return "\n".join(["BOARD" if think else "YXBOARD", *cells, "DONE"])
        case ev.Swap2Board(moves):
            return "\n".join(["SWAP2BOARD", *map(str, moves), "DONE"])
        case ev.Turn(move) | ev.TakeBack(move) | ev.Play(move):
            return f"{_WORDS[type(command)]} {move}"
        case ev.InfoSet(key, value):
            return _one_line(f"INFO {key} {'' if value is None else value}")
        case ev.NBest(count):
            return f"YXNBEST {count}"
        case ev.Balance(count, bias):
            return f"YXBALANCE{'ONE' if count == 1 else 'TWO'} {bias}"
        case ev.Swap2Step(step):
            return f"YXSWAP2STEP{step}"
        case ev.Ignored(word, args, lines) if args or lines or word not in SWALLOWED_PATHS:
            last = ["DONE"] if word in SWALLOWED_LISTS else []
            return "\n".join(map(_one_line, [f"{word} {args}", *lines, *last]))
        case ev.Unknown(text):
            return _one_line(text)
    if type(command) not in _WORDS:
        raise ValueError(f"{type(command).__name__} cannot be said")
    return _WORDS[type(command)]


def _one_line(text: str) -> str:
    text = text.strip()
    if not text or "\n" in text or "\r" in text:
        raise ValueError(f"{text!r} is not one line")
    return text


def _start(text: str, args: str) -> Command:
    numbers = [int(part) for part in re.split(r"[\s,]+", args)] if _NUMBERS.fullmatch(args) else []
    if len(numbers) not in (1, 2):
        return ev.Malformed(text, "START needs the size of the board, such as START 15")
    return _sized(text, numbers[0], numbers[-1])


def _rectstart(text: str, args: str) -> Command:
    numbers = [int(part) for part in re.split(r"[\s,]+", args)] if _NUMBERS.fullmatch(args) else []
    if len(numbers) != 2:
        return ev.Malformed(text, "RECTSTART needs width and height, such as RECTSTART 20,15")
    return _sized(text, *numbers)


def _sized(text: str, width: int, height: int) -> Command:
    if MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE:
        return ev.Start(width, height)
    # Piskvork looks for "20" in this text and then offers its user a board of that size.
    return ev.Malformed(text, f"unsupported board size: sides of {MIN_SIZE} to {MAX_SIZE} are possible, such as 20")


def _with_point(make: Callable[[Move], Command]) -> Callable[[str, str], Command]:
    def read(text: str, args: str) -> Command:
        move = read_point(args)
        return make(move) if move else ev.Malformed(text, f"{lex(text)[0]} needs a point such as 7,7")

    return read


def _bare(command: Command) -> Callable[[str, str], Command]:
    return lambda _text, _args: command


def _info(_text: str, args: str) -> Command:
    word, value = lex(args)
    key = word.lower()
    if key in INFO_NUMBERS:
        return ev.InfoSet(key, read_number(value))
    if key == "evaluate":
        first = _POINT.match(value)
        return ev.InfoSet(key, Move(int(first[1]), int(first[2])) if first else None)
    return ev.InfoSet(key, value or None)


def _nbest(text: str, args: str) -> Command:
    count = read_number(args)
    return ev.Malformed(text, "YXNBEST needs a number") if count is None else ev.NBest(max(1, count))


def _balance(stones: int) -> Callable[[str, str], Command]:
    return lambda _text, args: ev.Balance(stones, read_number(args) or 0)


_WORDS: Mapping[type[Command], str] = {
    ev.Restart: "RESTART",
    ev.Begin: "BEGIN",
    ev.Turn: "TURN",
    ev.TakeBack: "TAKEBACK",
    ev.Play: "PLAY",
    ev.About: "ABOUT",
    ev.End: "END",
    ev.Stop: "YXSTOP",
    ev.ShowForbid: "YXSHOWFORBID",
    ev.ShowInfo: "YXSHOWINFO",
    ev.SearchDefend: "YXSEARCHDEFEND",
    ev.HashClear: "YXHASHCLEAR",
    ev.HashUsage: "YXSHOWHASHUSAGE",
}

_READERS: Mapping[str, Callable[[str, str], Command]] = {
    "START": _start,
    "RECTSTART": _rectstart,
    "RESTART": _bare(ev.Restart()),
    "BEGIN": _bare(ev.Begin()),
    "TURN": _with_point(ev.Turn),
    "TAKEBACK": _with_point(ev.TakeBack),
    "PLAY": _with_point(ev.Play),
    "INFO": _info,
    "ABOUT": _bare(ev.About()),
    "END": _bare(ev.End()),
    "STOP": _bare(ev.Stop()),
    "YXSTOP": _bare(ev.Stop()),
    "YXSHOWFORBID": _bare(ev.ShowForbid()),
    "YXSHOWINFO": _bare(ev.ShowInfo()),
    "YXNBEST": _nbest,
    "YXBALANCEONE": _balance(1),
    "YXBALANCETWO": _balance(2),
    "YXSEARCHDEFEND": _bare(ev.SearchDefend()),
    "YXSWAP2STEP1": _bare(ev.Swap2Step(1)),
    "YXSWAP2STEP2": _bare(ev.Swap2Step(2)),
    "YXSWAP2STEP3": _bare(ev.Swap2Step(3)),
    "YXHASHCLEAR": _bare(ev.HashClear()),
    "YXSHOWHASHUSAGE": _bare(ev.HashUsage()),
}
