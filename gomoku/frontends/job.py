"""A question that a brain's worker thinks about, and what is said meanwhile."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from enum import Enum

from gomoku.engine import Info
from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Reply
from gomoku.types import Move, Rule

MESSAGE_INTERVAL_NS = 200_000_000
"""Progress of finished iterations is told at most this often; the lines for the move played always."""

REALTIME = 1
"""Bit of ``INFO show_detail``: pictures for an analysis front end (``MESSAGE REALTIME``)."""

DETAILS = 2
"""Bit of ``INFO show_detail``: numbers for a web front end (``INFO``)."""

_FIRST_MESSAGE_NS = 100_000_000
_POINTS_PER_LOG_ODDS = 200


class Asked(Enum):
    """What a question asks for."""

    MOVE = "the brain's next move"
    STONES = "stones of both sides that are put on the board"
    OPENING = "opening stones or a colour; what becomes of them comes with the next BOARD"
    WORDS = "messages; no line of points is owed"


class Job:
    """A question that is being thought about.

    Args:
        think: does the work and returns the replies; runs in the worker.
        asked: what the question asks for.
        rule: the rule in force when it was asked.
        start_ns: when it was read.

    Attributes:
        silent: set when nobody waits for the answer any more.
    """

    def __init__(self, think: Callable[[Job], Sequence[Reply]], asked: Asked, rule: Rule, start_ns: int) -> None:
        self.think = think
        self.asked = asked
        self.rule = rule
        self.start_ns = start_ns
        self.silent = False
        self.thread: threading.Thread | None = None
        self._said_ns = start_ns + _FIRST_MESSAGE_NS - MESSAGE_INTERVAL_NS
        self._lines: list[Info] = []
        self._told = False
        self._width: int | None = None

    def hear(self, info: Info, multipv: int, now_ns: int) -> list[Info]:
        """Take note of a line of the search.

        Args:
            info: the line; the best of an iteration comes first.
            multipv: lines that were asked for; a position may have fewer.
            now_ns: the time.

        Returns:
            The lines of a whole iteration if it is time to tell them, else none.
        """
        if info.multipv == 1 and self._lines:
            self._width = len(self._lines)
            self._lines = []
        self._lines.append(info)
        complete = len(self._lines) >= (self._width or multipv)
        self._told = complete and now_ns - self._said_ns >= MESSAGE_INTERVAL_NS
        if not self._told:
            return []
        self._said_ns = now_ns
        return self._lines

    def unsaid(self) -> list[Info]:
        """Return the lines of the last iteration if they were not told yet."""
        return [] if self._told else self._lines


def report(lines: Sequence[Info], detail: int) -> list[Reply]:
    """Return what is said about the lines of one iteration.

    Args:
        lines: the lines, best first.
        detail: the number of ``INFO show_detail``.

    Source: protocol_docs/yixin.md, section "What analysis front ends read".
    """
    replies: list[Reply] = []
    for number, info in enumerate(lines):
        replies.append(_progress(info))
        if detail & DETAILS:
            replies += _details(info, number, len(lines))
    if lines and detail & REALTIME:
        replies += _realtime(lines)
    return replies


def _progress(info: Info) -> Reply:
    return ev.Progress(
        depth=info.depth,
        seldepth=info.seldepth,
        score=str(info.score.relative),
        nodes=info.nodes,
        time_ms=round(info.time * 1000),
        pv=info.pv,
        rank=info.multipv,
    )


def _details(info: Info, number: int, count: int) -> list[Reply]:
    values = {
        "PV": number,
        "NUMPV": count,
        "DEPTH": info.depth,
        "SELDEPTH": info.seldepth,
        "NODES": info.nodes,
        "TOTALNODES": info.nodes,
        "TOTALTIME": round(info.time * 1000),
        "SPEED": round(info.nps),
        "EVAL": info.score.relative,
        "WINRATE": f"{_win_rate(info):.4f}",
        "BESTLINE": _points(info.pv),
    }
    return [*(ev.InfoLine(key, str(value)) for key, value in values.items()), ev.InfoLine("PV", "DONE")]


def _win_rate(info: Info) -> float:
    score = info.score.relative
    if score.mate is not None:
        return 1.0 if score.mate > 0 else 0.0
    return 1 / (1 + math.exp(-score.points / _POINTS_PER_LOG_ODDS))


def _realtime(lines: Sequence[Info]) -> list[Reply]:
    best = lines[0]
    lost = [info.pv[0] for info in lines if (info.score.relative.mate or 0) < 0]
    return [
        ev.Realtime("REFRESH"),
        ev.Realtime("BEST", best.pv[0]),
        ev.Realtime("VAL", text=str(best.score.relative.to_int())),
        ev.Realtime("PV", text=_points(best.pv)),
        *(ev.Realtime("LOST", move) for move in lost),
    ]


def _points(moves: Sequence[Move]) -> str:
    return " ".join(map(str, moves))
