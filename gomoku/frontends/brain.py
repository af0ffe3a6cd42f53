"""The brain between conversation and engine: what each command does, without any pipe.

Here are the commands of a game; those of analysis front ends are in ``analyst``, and what both work on in ``session``.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

from gomoku import __version__
from gomoku._core.board import Board
from gomoku.engine import Engine
from gomoku.frontends.analyst import Analyst
from gomoku.frontends.cast import ENGINE
from gomoku.frontends.game import OPPONENT, OWN
from gomoku.frontends.job import Asked, Job
from gomoku.frontends.logfile import log
from gomoku.frontends.session import Session
from gomoku.opening import swap2
from gomoku.protocol import events as ev
from gomoku.protocol.connection import NEED_DATA
from gomoku.protocol.dialects import about
from gomoku.protocol.event_base import Event, Reply


class Brain:
    r"""One conversation with a manager.

    Args:
        write: takes whole lines; called from two threads, one at a time.
        startup_ns: what the start of the process took, counted against the first move.
        player: who plays unless the manager asks for somebody else; see :func:`gomoku.levels.make_player`.
        seed: decides what players leave to chance; drawn anew when left out.
        engine: plays and answers unless somebody else is asked for; the usual one when left out.

    Example:
        >>> import time
        >>> lines = []
        >>> brain = Brain(lines.append)
        >>> brain.receive(b"START 15\nYXSHOWFORBID\nEND\n", time.monotonic_ns())
        >>> b"".join(lines), brain.closed
        (b'OK\nFORBID .\n', True)
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        *,
        startup_ns: int = 0,
        player: str = ENGINE,
        seed: int | None = None,
        engine: Engine | None = None,
    ) -> None:
        self._session = Session(write, startup_ns, player, seed, engine or Engine())
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            ev.Start: self._start,
            ev.Restart: self._restart,
            ev.Begin: self._begin,
            ev.Turn: self._turn,
            ev.BoardIs: self._board_is,
            ev.Swap2Board: self._swap2_board,
            ev.TakeBack: self._take_back,
            ev.Play: self._play,
            ev.InfoSet: self._info,
            ev.About: self._about,
            ev.End: self._end,
            ev.Stop: self._stop,
            ev.Unknown: self._complain,
            ev.Malformed: self._complain,
            **Analyst(self._session).handlers,
        }

    @property
    def closed(self) -> bool:
        """Whether the manager has said goodbye."""
        return self._session.closed

    # --- Input ---

    def receive(self, data: bytes, read_ns: int) -> None:
        """Act on bytes from the manager.

        Args:
            data: any part of its output.
            read_ns: the ``time.monotonic_ns`` at which it was read: clocks start then.
        """
        self._session.read_ns = read_ns
        with self._session.lock:
            self._session.connection.receive_data(data)
        self._handle_events()

    def receive_eof(self) -> None:
        """Act on the end of the manager's output: quit."""
        with self._session.lock:
            self._session.connection.receive_eof()
        self._handle_events()

    def _handle_events(self) -> None:
        session = self._session
        while not session.closed:
            with session.lock:
                event = session.connection.next_event()
            if event is NEED_DATA:
                return
            try:
                self._handlers[type(event)](event)
            except Exception:  # the manager must get an answer, and the log the reason
                log(f"{event!r}\n{traceback.format_exc()}")
                session.say(ev.Error("internal error; see the log file"))

    # --- Commands about the game ---

    def _start(self, event: ev.Start) -> None:
        self._session.abandon()
        self._session.new_game(event.width, event.height)
        self._session.say(ev.Ok())

    def _restart(self, event: ev.Restart) -> None:
        self._session.abandon()
        self._session.new_game(self._session.game.width, self._session.game.height)
        self._session.say(ev.Ok())

    def _begin(self, event: ev.Begin) -> None:
        self._session.abandon()
        self._session.ask_move()

    def _turn(self, event: ev.Turn) -> None:
        self._session.abandon()
        if not self._session.game.is_empty(event.move):
            self._session.say(ev.Error(f"the point {event.move} is occupied"))
            return
        self._session.game.add(event.move, OPPONENT)
        self._session.ask_move()

    def _board_is(self, event: ev.BoardIs) -> None:
        self._session.abandon()
        self._session.game.set_stones(event.stones)
        if event.think:
            self._session.ask_move()

    def _take_back(self, event: ev.TakeBack) -> None:
        self._session.abandon()
        if self._session.game.remove(event.move):
            self._session.say(ev.Ok())
        else:
            self._session.say(ev.Error(f"there is no stone on {event.move} to take back"))

    def _play(self, event: ev.Play) -> None:
        self._session.abandon()
        if self._session.game.is_empty(event.move):
            self._session.game.add(event.move, OWN)
            self._session.say(ev.MoveIs((event.move,)))
        else:
            self._session.say(ev.Error(f"the point {event.move} is occupied"))

    def _swap2_board(self, event: ev.Swap2Board) -> None:
        session = self._session
        session.abandon()

        def think(job: Job) -> Sequence[Reply]:
            board = Board(session.game.width, session.game.height, rule=job.rule)
            for move in event.moves:
                board.push(move)
            choice = swap2(session.judge(job), board, session.rng)
            # If the game goes on with TURN and not with BOARD, black is the brain unless it has just moved as white.
            owners = (OPPONENT, OWN) if len(choice.moves) == 1 else (OWN, OPPONENT)
            with session.lock:
                moves = (*event.moves, *choice.moves)
                session.game.set_stones((move, owners[number % 2]) for number, move in enumerate(moves))
            return (ev.Swap() if choice.swap else ev.MoveIs(choice.moves),)

        session.game.clear()
        session.ask(think, Asked.OPENING)

    # --- Commands about everything else ---

    def _info(self, event: ev.InfoSet) -> None:
        if self._session.settings.update(event):
            self._session.change_limit()

    def _about(self, event: ev.About) -> None:
        self._session.say(about(__version__))

    def _end(self, event: ev.End) -> None:
        with self._session.lock:
            self._session.closed = True
        self._session.stop()

    def _stop(self, event: ev.Stop) -> None:
        self._session.stop()

    def _complain(self, event: ev.Unknown | ev.Malformed) -> None:
        self._session.say(event.reply())
