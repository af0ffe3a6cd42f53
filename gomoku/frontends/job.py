"""A move that a brain's worker looks for."""

from __future__ import annotations

import threading
from collections.abc import Callable

from gomoku.engine import Info
from gomoku.protocol.event_base import Reply

MESSAGE_INTERVAL_NS = 200_000_000
"""Progress of finished iterations is told at most this often; the line for the move played always."""

_FIRST_MESSAGE_NS = 100_000_000


class Job:
    """A move that is being looked for.

    Attributes:
        think: does the work and returns the reply; runs in the worker.
        start_ns: when the question was read.
        keeps_move: whether the answer is the brain's next stone; opening moves come back with the next BOARD.
        silent: set when nobody waits for the answer any more.
    """

    def __init__(self, think: Callable[[Job], Reply], start_ns: int, *, keeps_move: bool) -> None:
        self.think = think
        self.start_ns = start_ns
        self.keeps_move = keeps_move
        self.silent = False
        self.thread: threading.Thread | None = None
        self.last_message_ns = start_ns + _FIRST_MESSAGE_NS - MESSAGE_INTERVAL_NS
        self.unsaid: list[Info] = []
