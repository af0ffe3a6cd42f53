"""What a brain says: text to event and back.

Writing is strict, since referees are: ``OK`` is two letters, a move is two integers and one comma, every reply is one
line of printable ASCII. Reading is generous, since brains are not all like that.

Source: protocol_docs/gomocup.md, section "Commands"; protocol_docs/extensions.md for the progress lines.
"""

from __future__ import annotations

import re

from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Reply
from gomoku.protocol.grammar import lex, read_point
from gomoku.types import Move

MAX_COMPLAINT_CHARS = 120
"""Longer texts of ERROR and UNKNOWN, which quote what the manager wrote, are cut."""

_POINTS = re.compile(r"[0-9]{1,9}\s*,\s*[0-9]{1,9}(?:\s+[0-9]{1,9}\s*,\s*[0-9]{1,9})*")
_POINT = re.compile(r"([0-9]{1,9})\s*,\s*([0-9]{1,9})")
_FORBID_DIGITS = re.compile(r"((?:[0-9]{4})*)\s*\.?")
_ABOUT_FIELD = re.compile(r"""\b(\w{1,20})\s*=\s*(?:"([^"]*)"|([^",]*))""")
_ABOUT_KEYS = ("name", "version", "author", "country", "www", "email")
_LETTER_POINT = re.compile(r"([A-Za-z])([1-9][0-9]?)")
_DEPTH = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_SCORE = re.compile(r"[+-]?(?:M[0-9]{1,4}|[0-9]{1,9}(?:\.[0-9]{1,9})?)", re.IGNORECASE)
_COUNT = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)([KMG]?)", re.IGNORECASE)
_TIME = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(ms|s?)", re.IGNORECASE)
_RANKED = re.compile(r"\(([0-9]{1,3})\)\s+(\S+)\s*\|\s*([0-9]{1,9}(?:-[0-9]{1,9})?)\s*\|\s*(.*)")
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}
_UNPRINTABLE = re.compile(r"[^ -~]")

_KEYWORDS = {
    "depth": "depth",
    "dep": "depth",
    "ev": "score",
    "eval": "score",
    "value": "score",
    "n": "nodes",
    "node": "nodes",
    "nodes": "nodes",
    "nd": "nodes",
    "tm": "time",
    "time": "time",
    "n/ms": "speed",
    "n/s": "speed",
    "speed": "speed",
    "sp": "speed",
    "multipv": "rank",
}


def parse_reply(text: str) -> Reply:
    """Read a line of a brain.

    Returns:
        The reply; Noise for a line that means nothing.

    Example:
        >>> parse_reply("7,8").move
        Move(x=7, y=8)
        >>> parse_reply("OK ready")
        Noise(text='OK ready')
        >>> parse_reply("FORBID 07070812.").moves
        (Move(x=7, y=7), Move(x=8, y=12))
    """
    if _POINTS.fullmatch(text):
        return ev.MoveIs(_points(text))
    word, rest = lex(text)
    reply: Reply | None = None
    match word:
        case "OK" if not rest:
            reply = ev.Ok()
        case "SWAP":
            reply = ev.Swap()
        case "MESSAGE":
            reply = _message(rest)
        case "DEBUG" | "DETAIL":
            reply = ev.Debug(rest)
        case "ERROR":
            reply = ev.Error(rest)
        case "UNKNOWN":
            reply = ev.UnknownReply(rest)
        case "INFO" if rest:
            key, value = lex(rest)
            reply = ev.InfoLine(key, value)
        case "FORBID":
            reply = _forbid(rest)
        case "SUGGEST":
            move = read_point(rest)
            reply = ev.Suggest(move) if move else None
        case _:
            reply = _about(text)
    return reply or ev.Noise(text)


def format_reply(reply: Reply) -> str:
    """Write a reply as one line without its end; the inverse of :func:`parse_reply`.

    Texts are made safe: line breaks become blanks, other characters that are not printable ASCII question marks.
    A text with both ``name`` and ``=`` would be taken for the answer to ABOUT by a widespread manager; its equals
    signs become colons.

    Raises:
        ValueError: the event cannot be said, such as Noise or an empty Message.

    Example:
        >>> format_reply(ev.Forbid((Move(7, 7), Move(8, 12))))
        'FORBID 07070812.'
        >>> format_reply(ev.Progress(9, 15, "120", 48211, 155, (Move(7, 7), Move(8, 8))))
        'MESSAGE depth 9-15 ev 120 n 48211 n/ms 311 tm 155 pv H8 I9'
    """
    match reply:
        case ev.Ok():
            return "OK"
        case ev.Swap():
            return "SWAP"
        case ev.MoveIs(moves) if moves:
            return " ".join(map(str, moves))
        case ev.Suggest(move):
            return f"SUGGEST {move}"
        case ev.Message(text):
            return _tagged("MESSAGE", text)
        case ev.Debug(text):
            return _tagged("DEBUG", text)
        case ev.Error(text):
            return _tagged("ERROR", _shortened(text))
        case ev.UnknownReply(text):
            return _tagged("UNKNOWN", _shortened(text))
        case ev.AboutReply(name) if name.strip():
            return ", ".join(
                f'{key}="{_about_value(value)}"' for key in _ABOUT_KEYS if (value := str(getattr(reply, key)))
            )
        case ev.Forbid(moves):
            return f"FORBID {''.join(f'{move.x:02}{move.y:02}' for move in moves)}."
        case ev.Progress():
            return _tagged("MESSAGE", _format_progress(reply))
        case ev.Capability(name, value):
            return _tagged("MESSAGE", f"INFO {name} {value}")
        case ev.Realtime(kind, move, text):
            return _tagged("MESSAGE", f"REALTIME {kind} {move or text}")
        case ev.InfoLine(key, text):
            return _tagged("INFO", f"{key} {text}")
    raise ValueError(f"{reply!r} cannot be said")


def _tagged(word: str, text: str) -> str:
    text = _UNPRINTABLE.sub("?", " ".join(text.split("\n")).replace("\r", " ").replace("\t", " ")).strip()
    if not text:
        raise ValueError(f"{word} needs a text")
    if "=" in text and "name" in text.lower():
        text = text.replace("=", ":")
    return f"{word} {text}"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_COMPLAINT_CHARS else text[: MAX_COMPLAINT_CHARS - 3] + "..."


def _about_value(text: str) -> str:
    return _UNPRINTABLE.sub("?", re.sub(r'[",=\s]+', " ", text)).strip()


def _points(text: str) -> tuple[Move, ...]:
    return tuple(Move(int(match[1]), int(match[2])) for match in _POINT.finditer(text))


def _forbid(text: str) -> Reply | None:
    """Read four digits per point, or points as ``x,y``, which some brains write."""
    digits = _FORBID_DIGITS.fullmatch(text)
    if digits:
        cells = digits[1]
        return ev.Forbid(tuple(Move(int(cells[i : i + 2]), int(cells[i + 2 : i + 4])) for i in range(0, len(cells), 4)))
    return ev.Forbid(_points(text)) if _POINTS.fullmatch(text) else None


def _about(text: str) -> Reply | None:
    values = {match[1].lower(): (match[2] or match[3] or "").strip() for match in _ABOUT_FIELD.finditer(text)}
    if not values.get("name"):
        return None
    return ev.AboutReply(**{key: values[key] for key in _ABOUT_KEYS if key in values})


def _message(text: str) -> Reply:
    word, rest = lex(text)
    if word == "REALTIME" and rest:
        kind, value = lex(rest)
        move = read_point(value)
        return ev.Realtime(kind, move, "" if move else value)
    if word == "INFO":
        name, value = lex(rest)
        if name and value.isascii() and value.isdecimal() and len(value) < 19:
            return ev.Capability(name, int(value))
    return _progress(text) or ev.Message(text)


def _format_progress(reply: ev.Progress) -> str:
    rank = f" multipv {reply.rank}" if reply.rank > 1 else ""
    pv = "".join(f" {move.text.upper()}" for move in reply.pv)
    speed = reply.nodes // max(1, reply.time_ms)
    return (
        f"depth {reply.depth}-{reply.seldepth}{rank} ev {reply.score} n {reply.nodes} n/ms {speed} tm {reply.time_ms}"
        + (f" pv{pv}" if pv else "")
    )


def _progress(text: str) -> ev.Progress | None:
    """Read a progress line in our form or in Rapfi's.

    Those are ``Depth 9-15 | Eval 120 | Time 155ms | H8 I9``, and ``(2) 120 | 9-15 | H8 I9`` for one of several lines.
    """
    ranked = _RANKED.fullmatch(text)
    if ranked:
        text = f"depth {ranked[3]} multipv {ranked[1]} ev {ranked[2]} pv {ranked[4]}"
    depth = score = None
    nodes = time_ms = 0
    rank = 1
    pv: list[Move] = []
    words = iter(text.replace("|", " ").split())
    for word in words:
        kind = _KEYWORDS.get(word.lower())
        if kind is None:
            point = _LETTER_POINT.fullmatch(word)
            if point:
                pv.append(Move(ord(point[1].lower()) - ord("a"), int(point[2]) - 1))
            elif word.lower() != "pv":
                return None
            continue
        value = next(words, "")
        if kind == "depth":
            depth = _DEPTH.fullmatch(value)
        elif kind == "score":
            score = _SCORE.fullmatch(value)
        elif kind == "nodes":
            nodes = _scaled(_COUNT.fullmatch(value))
        elif kind == "time":
            spent = _TIME.fullmatch(value)
            time_ms = int(float(spent[1]) * (1000 if spent[2].lower() == "s" else 1)) if spent else 0
        elif kind == "rank" and value.isascii() and value.isdecimal():
            rank = int(value[:9])
    if not depth or not score:
        return None
    seldepth = int(depth[2] or depth[1])
    return ev.Progress(int(depth[1]), seldepth, score[0], nodes, time_ms, tuple(pv), rank)


def _scaled(match: re.Match[str] | None) -> int:
    return int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
