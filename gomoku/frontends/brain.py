"""The brain between conversation and engine: what each command does, without any pipe.

Two threads meet here: the one that calls :meth:`Brain.receive`, and the worker that searches for one move. `_lock`
guards the conversation, the game and the running job; it is never held while waiting for the worker.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gomoku import __version__
from gomoku._core.board import Board
from gomoku.engine import Engine, Info
from gomoku.frontends.cast import ENGINE, Cast
from gomoku.frontends.game import OPPONENT, OWN, Game
from gomoku.frontends.job import MESSAGE_INTERVAL_NS, Job
from gomoku.frontends.logfile import log
from gomoku.frontends.settings import Settings
from gomoku.protocol import events as ev
from gomoku.protocol.connection import NEED_DATA, Connection, Role
from gomoku.protocol.dialects import about, resolve_rule
from gomoku.protocol.event_base import Event, Reply
from gomoku.types import GomokuError, Move, Rule

if TYPE_CHECKING:
    from gomoku.levels import Thinker


class Brain:
    r"""One conversation with a manager.

    Args:
        write: takes whole lines; called from both threads, one at a time.
        startup_ns: what the start of the process took, counted against the first move.
        player: who plays unless the manager asks for somebody else; see :func:`gomoku.levels.make_player`.
        seed: decides what players leave to chance; drawn anew when left out.

    Example:
        >>> lines = []
        >>> brain = Brain(lines.append)
        >>> brain.receive(b"START 15\nYXSHOWFORBID\nEND\n", time.monotonic_ns())
        >>> b"".join(lines), brain.closed
        (b'OK\nFORBID .\n', True)
    """

    def __init__(
        self, write: Callable[[bytes], None], *, startup_ns: int = 0, player: str = ENGINE, seed: int | None = None
    ) -> None:
        self.closed = False
        self._connection = Connection(Role.BRAIN)
        self._engine = Engine()
        self._cast = Cast(self._engine, player, seed)
        self._game = Game()
        self._settings = Settings()
        self._write = write
        self._startup_ns = startup_ns
        self._read_ns = 0
        self._lock = threading.RLock()
        self._job: Job | None = None
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
            ev.ShowForbid: self._show_forbid,
            ev.ShowInfo: self._show_info,
            ev.NBest: self._nbest,
            ev.HashClear: self._hash_clear,
            ev.Ignored: self._ignored,
            ev.Unknown: self._complain,
            ev.Malformed: self._complain,
        }

    # --- Input ---

    def receive(self, data: bytes, read_ns: int) -> None:
        """Act on bytes from the manager.

        Args:
            data: any part of its output.
            read_ns: the ``time.monotonic_ns`` at which it was read: clocks start then.
        """
        self._read_ns = read_ns
        with self._lock:
            self._connection.receive_data(data)
        self._handle_events()

    def receive_eof(self) -> None:
        """Act on the end of the manager's output: quit."""
        with self._lock:
            self._connection.receive_eof()
        self._handle_events()

    def _handle_events(self) -> None:
        while not self.closed:
            with self._lock:
                event = self._connection.next_event()
            if event is NEED_DATA:
                return
            try:
                self._handlers.get(type(event), self._not_implemented)(event)
            except Exception:  # the manager must get an answer, and the log the reason
                log(f"{event!r}\n{traceback.format_exc()}")
                self._say(ev.Error("internal error; see the log file"))

    def _say(self, reply: Reply) -> None:
        with self._lock:
            self._write(self._connection.send(reply))

    # --- Commands about the game ---

    def _start(self, event: ev.Start) -> None:
        self._abandon_search()
        self._new_game(event.width, event.height)
        self._say(ev.Ok())

    def _restart(self, event: ev.Restart) -> None:
        self._abandon_search()
        self._new_game(self._game.width, self._game.height)
        self._say(ev.Ok())

    def _new_game(self, width: int, height: int) -> None:
        self._game = Game(width, height)
        self._engine.new_game()
        self._cast.player.new_game()

    def _begin(self, event: ev.Begin) -> None:
        self._abandon_search()
        self._think(self._own_move)

    def _turn(self, event: ev.Turn) -> None:
        self._abandon_search()
        if not self._game.is_empty(event.move):
            self._say(ev.Error(f"the point {event.move} is occupied"))
            return
        self._game.add(event.move, OPPONENT)
        self._think(self._own_move)

    def _board_is(self, event: ev.BoardIs) -> None:
        self._abandon_search()
        self._game.set_stones(event.stones)
        if event.think:
            self._think(self._own_move)

    def _take_back(self, event: ev.TakeBack) -> None:
        self._abandon_search()
        if self._game.remove(event.move):
            self._say(ev.Ok())
        else:
            self._say(ev.Error(f"there is no stone on {event.move} to take back"))

    def _play(self, event: ev.Play) -> None:
        self._abandon_search()
        if self._game.is_empty(event.move):
            self._game.add(event.move, OWN)
            self._say(ev.MoveIs((event.move,)))
        else:
            self._say(ev.Error(f"the point {event.move} is occupied"))

    def _swap2_board(self, event: ev.Swap2Board) -> None:
        self._abandon_search()

        def think(job: Job) -> Reply:
            board = Board(self._game.width, self._game.height, rule=self._rule())
            for move in event.moves:
                board.push(move)
            choice = self._engine.swap2(board, self._settings.limit(), armed=True)
            return ev.Swap() if choice.swap else ev.MoveIs(choice.moves)

        self._think(think, keeps_move=False)

    # --- Commands about everything else ---

    def _info(self, event: ev.InfoSet) -> None:
        if self._settings.update(event) and self._job is not None:
            for player in self._searching():
                player.set_limit(self._settings.limit())

    def _about(self, event: ev.About) -> None:
        self._say(about(__version__))

    def _end(self, event: ev.End) -> None:
        with self._lock:
            self.closed = True
        self._stop_searches()

    def _stop(self, event: ev.Stop) -> None:
        self._stop_searches()

    def _show_forbid(self, event: ev.ShowForbid) -> None:
        with self._lock:
            try:
                self._say(ev.Forbid(tuple(self._game.forbidden(self._rule()))))
            except ValueError as error:
                self._say(ev.Error(str(error)))

    def _show_info(self, event: ev.ShowInfo) -> None:
        self._say(ev.Capability("MAX_THREAD_NUM", 1))
        self._say(ev.Capability("MAX_HASH_SIZE", 20))  # of 2**20 KiB

    def _nbest(self, event: ev.NBest) -> None:
        self._abandon_search()

        def think(job: Job) -> Reply:
            return self._own_move(job, multipv=max(1, event.count))

        self._think(think)

    def _hash_clear(self, event: ev.HashClear) -> None:
        self._abandon_search()
        self._engine.new_game()

    def _ignored(self, event: ev.Ignored) -> None:
        """Swallow a command that means nothing here."""

    def _complain(self, event: ev.Unknown | ev.Malformed) -> None:
        self._say(event.reply())

    def _not_implemented(self, event: Event) -> None:
        self._say(ev.UnknownReply(f"command {type(event).__name__}"))

    # --- Thinking ---

    def _rule(self) -> Rule:
        """The rule in force.

        Raises:
            ValueError: the manager's number means none.
        """
        choice = resolve_rule(self._settings.rule_number, yixin=self._connection.yixin)
        if choice is None:
            raise ValueError(f"rule {self._settings.rule_number} is not supported; known rules are 0, 1, 4, 8 and 9")
        return choice.rule

    def _think(self, think: Callable[[Job], Reply], *, keeps_move: bool = True) -> None:
        """Start the worker on a question that has just been read."""
        try:
            self._rule()
            self._cast.choose(self._settings)
        except (ValueError, GomokuError) as error:
            self._say(ev.Error(str(error)))
            return
        if self._game.is_full():
            self._say(ev.Error("the board is full"))
            return
        job = Job(think, self._read_ns - self._startup_ns, keeps_move=keeps_move)
        self._startup_ns = 0
        self._engine.hash_bytes = self._settings.hash_bytes()
        for player in self._searching():
            player.arm()
        self._job = job
        if keeps_move and self._game.is_clear():
            self._work(job)  # the centre takes no time, and an END right behind must not swallow it
            return
        job.thread = threading.Thread(target=self._work, args=(job,), name="search", daemon=True)
        job.thread.start()

    def _work(self, job: Job) -> None:
        """The worker: think, then answer unless nobody waits any more."""
        try:
            reply = job.think(job)
        except Exception:
            log(traceback.format_exc())
            reply = self._fallback()
        with self._lock:
            # The next command may arrive as soon as the move is written: be ready before that.
            self._job = None
            if job.silent or self.closed:
                return
            for info in job.unsaid:
                self._say(self._progress(info))
            if job.keeps_move and isinstance(reply, ev.MoveIs):
                self._game.add(reply.move, OWN)
            self._say(reply)

    def _own_move(self, job: Job, multipv: int = 1) -> Reply:
        def on_info(info: Info) -> None:
            if info.multipv == 1:
                job.unsaid.clear()
            job.unsaid.append(info)
            now_ns = time.monotonic_ns()
            if info.multipv == multipv and now_ns - job.last_message_ns >= MESSAGE_INTERVAL_NS:
                job.last_message_ns = now_ns
                with self._lock:
                    if not (job.silent or self.closed):
                        for line in job.unsaid:
                            self._say(self._progress(line))
                job.unsaid.clear()

        board = self._game.board(self._rule())
        limit = self._settings.limit()
        player = self._cast.player if multipv == 1 else self._engine
        result = player.play(board, limit, multipv=multipv, on_info=on_info, start_ns=job.start_ns, armed=True)
        return ev.MoveIs((result.move,))

    def _progress(self, info: Info) -> Reply:
        return ev.Progress(
            depth=info.depth,
            seldepth=info.seldepth,
            score=str(info.score.relative),
            nodes=info.nodes,
            time_ms=round(info.time * 1000),
            pv=info.pv,
            rank=info.multipv,
        )

    def _fallback(self) -> Reply:
        """Any legal move: better than silence after an internal error."""
        board = self._game.board(self._rule())
        move = next(iter(board.legal_moves), None) or next(
            Move(x, y) for y in range(board.height) for x in range(board.width) if self._game.is_empty(Move(x, y))
        )
        return ev.MoveIs((move,))

    def _abandon_search(self) -> None:
        """End a running search because something new is asked.

        An analysis front end counts on exactly one coordinate line for every question, so it still gets its move; any
        other manager would take a late move for the answer to its next question.
        """
        job = self._job
        if job is None or job.thread is None:
            return
        with self._lock:
            if self._job is job and not self._connection.front_end:
                job.silent = True
                self._connection.drop_move()
        self._stop_searches()
        job.thread.join()

    def _searching(self) -> tuple[Thinker, ...]:
        """All who may be thinking: the player, and the engine, which answers what no player is asked."""
        return self._cast.player, self._engine

    def _stop_searches(self) -> None:
        for player in self._searching():
            player.stop()
