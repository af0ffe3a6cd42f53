"""What analysis front ends ask of a brain, beyond the game.

Source: protocol_docs/yixin.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gomoku.frontends.job import Asked, Job
from gomoku.frontends.session import Session
from gomoku.info import Swap2Choice
from gomoku.opening import balance, swap2
from gomoku.params import MULTIPV
from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Event, Reply

_LEAST_THREADS = 2  # Yixin-Board cannot draw a slider from one to one and ends
_MAX_HASH_POWER = 20  # of 2**20 KiB
_SWAP2_STONES = {1: 0, 2: 3, 3: 5}


class Analyst:
    """Carries out the commands of Yixin's family.

    Args:
        session: the conversation that they come from.

    Attributes:
        handlers: what does it, by the kind of command.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.handlers: Mapping[type[Event], Callable[[Any], None]] = {
            ev.ShowInfo: self._show_info,
            ev.ShowForbid: self._show_forbid,
            ev.NBest: self._nbest,
            ev.SearchDefend: self._search_defend,
            ev.Balance: self._balance,
            ev.Swap2Step: self._swap2_step,
            ev.HashClear: self._hash_clear,
            ev.HashUsage: self._hash_usage,
            ev.Ignored: self._ignored,
        }

    def _show_info(self, event: ev.ShowInfo) -> None:
        self._session.say(
            ev.Capability("MAX_THREAD_NUM", max(_LEAST_THREADS, os.cpu_count() or 1)),
            ev.Capability("MAX_HASH_SIZE", _MAX_HASH_POWER),
        )

    def _show_forbid(self, event: ev.ShowForbid) -> None:
        session = self._session
        with session.lock:
            try:
                forbidden = session.game.forbidden(session.rule())
            except ValueError:
                forbidden = []  # the next question for a move is told that there is no such rule
            session.say(ev.Forbid(tuple(forbidden)))

    def _nbest(self, event: ev.NBest) -> None:
        self._session.abandon()
        self._session.ask_move(MULTIPV.clamp(event.count))

    def _search_defend(self, event: ev.SearchDefend) -> None:
        self._session.abandon()
        self._session.ask_move(MULTIPV.high)

    def _balance(self, event: ev.Balance) -> None:
        session = self._session
        session.abandon()

        def think(job: Job) -> Sequence[Reply]:
            board = session.game.board(job.rule)
            found = balance(session.judge(job), board, event.count, event.bias, rng=session.rng)
            return (ev.MoveIs(found.moves),)

        session.ask(think, Asked.STONES)

    def _swap2_step(self, event: ev.Swap2Step) -> None:
        session = self._session
        session.abandon()
        wanted, stones = _SWAP2_STONES[event.step], session.game.ply
        if stones != wanted:
            session.say(ev.Error(f"YXSWAP2STEP{event.step} needs a board with {wanted} stones, not {stones}"))
            return

        def think(job: Job) -> Sequence[Reply]:
            board = session.game.side_to_move_board(job.rule)
            return _swap2_messages(event.step, swap2(session.judge(job), board, session.rng))

        session.ask(think, Asked.WORDS)

    def _hash_clear(self, event: ev.HashClear) -> None:
        self._session.abandon()
        self._session.engine.new_game()

    def _hash_usage(self, event: ev.HashUsage) -> None:
        self._session.say(ev.Message(f"transposition table {self._session.engine.hash_permille / 10:.1f}% full"))

    def _ignored(self, event: ev.Ignored) -> None:
        """Swallow a command that means nothing here."""
        if event.word.startswith("YXSOOSORV"):
            self._session.say(ev.Message("the opening Soosyrv-8 is not supported; swap2 is"))


def _swap2_messages(step: int, choice: Swap2Choice) -> list[Reply]:
    """Return an answer in the words of Yixin's front end."""
    if len(choice.moves) > 1:
        first = 1 if step == 1 else 4
        words = [f"MOVE{number} {move.x} {move.y}" for number, move in enumerate(choice.moves, first)]
    else:
        words = [f"SWAP{step - 1} {'YES' if choice.swap else 'NO'}"]
    return [ev.Message(f"SWAP2 {text}") for text in words]
