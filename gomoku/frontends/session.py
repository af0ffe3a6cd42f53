"""What the commands of a brain work on: the conversation, the game, the players and the worker.

Two threads meet here: the one that reads commands, and the worker that thinks about one question. `lock` guards the
conversation, the game and the running job; it is never held while waiting for the worker.
"""

from __future__ import annotations

import random
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gomoku.engine import Engine, Info, Limit
from gomoku.frontends.cast import Cast
from gomoku.frontends.game import OPPONENT, OWN, Game
from gomoku.frontends.job import Asked, Job, report
from gomoku.frontends.logfile import log
from gomoku.frontends.settings import Settings
from gomoku.opening import Judge, points
from gomoku.protocol import events as ev
from gomoku.protocol.connection import Connection, Role
from gomoku.protocol.dialects import resolve_rule
from gomoku.protocol.event_base import Reply
from gomoku.types import GomokuError, Rule

if TYPE_CHECKING:
    from gomoku.levels import Thinker


class Session:
    """The state of one conversation with a manager, and the thinking for it.

    Args:
        write: takes whole lines; called from both threads, one at a time.
        startup_ns: what the start of the process took, counted against the first move.
        player: who plays unless the manager asks for somebody else.
        seed: decides what players leave to chance; drawn anew when left out.
        engine: plays and answers unless somebody else is asked for.

    Attributes:
        read_ns: the ``time.monotonic_ns`` at which the command was read that is being carried out.
        closed: whether the manager wants to hear nothing any more.
    """

    def __init__(
        self, write: Callable[[bytes], None], startup_ns: int, player: str, seed: int | None, engine: Engine
    ) -> None:
        self.connection = Connection(Role.BRAIN)
        self.engine = engine
        self.game = Game()
        self.settings = Settings()
        self.lock = threading.RLock()
        self.rng = random.Random(seed)
        self.read_ns = 0
        self.closed = False
        self._cast = Cast(self.engine, player, seed)
        self._write = write
        self._startup_ns = startup_ns
        self._job: Job | None = None

    def say(self, *replies: Reply) -> None:
        """Write replies, with no others between them."""
        with self.lock:
            for reply in replies:
                self._write(self.connection.send(reply))

    def rule(self) -> Rule:
        """Return the rule in force.

        Raises:
            ValueError: the manager's number means none.
        """
        choice = resolve_rule(self.settings.rule_number, yixin=self.connection.yixin)
        if choice is None:
            raise ValueError(f"rule {self.settings.rule_number} is not supported; known rules are 0, 1, 4, 8 and 9")
        return choice.rule

    def new_game(self, width: int, height: int) -> None:
        """Begin a game on an empty board."""
        self.game = Game(width, height)
        self.engine.new_game()
        self._cast.player.new_game()

    # --- Questions ---

    def ask_move(self, multipv: int = 1) -> None:
        """Think about the brain's next move, with so many lines of full accuracy."""
        at_once = self.game.is_clear()  # the centre takes no time, and an END right behind must not swallow it
        self.ask(lambda job: self._own_move(job, multipv), Asked.MOVE, at_once=at_once)

    def ask(self, think: Callable[[Job], Sequence[Reply]], asked: Asked, *, at_once: bool = False) -> None:
        """Start the worker on a question that has just been read.

        Args:
            think: does the work and returns the replies.
            asked: what the question asks for.
            at_once: think in this thread.
        """
        try:
            rule = self.rule()
            self._cast.choose(self.settings)
        except (ValueError, GomokuError) as error:
            self.say(ev.Error(str(error)))
            return
        if self.game.is_full():
            self.say(ev.Error("the board is full"))
            return
        job = Job(think, asked, rule, self.read_ns - self._startup_ns)
        self._startup_ns = 0
        self.engine.hash_bytes = self.settings.hash_bytes()
        self.engine.threads = self.settings.threads
        for player in self._thinkers():
            player.arm()
        self._job = job
        if not at_once:
            job.thread = threading.Thread(target=self._work, args=(job,), name="search", daemon=True)
            try:
                job.thread.start()
                return
            except RuntimeError:
                job.thread = None  # the system has no more threads; a deaf search is better than none
        self._work(job)

    def judge(self, job: Job) -> Judge:
        """Return the engine's searches for a question of the opening."""
        return self.engine.judge(self.settings.limit(), start_ns=job.start_ns, armed=True)

    def change_limit(self) -> None:
        """Tell a running search that the limits have changed."""
        if self._job is not None:
            for player in self._thinkers():
                player.set_limit(self.settings.limit())

    def stop(self) -> None:
        """End a running search; its answer is still given."""
        for player in self._thinkers():
            player.stop()

    def abandon(self) -> None:
        """End a running search because something new is asked.

        An analysis front end counts on exactly one coordinate line for every question, so it still gets its move; any
        other manager would take a late move for the answer to its next question.
        """
        with self.lock:  # a worker that answers just now has put its stone on the board by then
            job = self._job
        if job is None or job.thread is None:
            return
        with self.lock:
            owes_points = job.asked is not Asked.WORDS
            if self._job is job and not (owes_points and self.connection.front_end):
                job.silent = True
                if owes_points:
                    self.connection.drop_move()
        self.stop()
        job.thread.join()

    def _work(self, job: Job) -> None:
        """The worker: think, then answer unless nobody waits any more."""
        try:
            replies = job.think(job)
        except Exception as error:
            replies = self._fallback(job, error)
        with self.lock:
            # The next command may arrive as soon as the move is written: be ready before that.
            self._job = None
            if job.silent or self.closed:
                return
            self.say(*report(job.unsaid(), self.settings.show_detail))
            if job.asked in (Asked.MOVE, Asked.STONES) and isinstance(replies[0], ev.MoveIs):
                for number, move in enumerate(replies[0].moves):
                    self.game.add(move, OPPONENT if number % 2 else OWN)
            self.say(*replies)
            if job.asked is not Asked.MOVE or job.thread is None or not self._may_ponder():
                return
            # Whatever is asked next ends this search like any other, and nothing is said.
            job = self._job = Job(lambda _: (), Asked.WORDS, job.rule, time.monotonic_ns())
            job.thread = threading.current_thread()
            job.silent = True
            self.engine.arm()
        self._ponder(job)

    def _may_ponder(self) -> bool:
        return self.settings.pondering and self._cast.player is self.engine and not self.game.is_full()

    def _ponder(self, job: Job) -> None:
        """Search the position in which the other side is to move: what is found stays in the table."""
        try:
            with self.lock:
                board = self.game.side_to_move_board(job.rule)
            if not board.is_game_over():
                self.engine.play(board, Limit(), armed=True)
        except Exception:
            log(traceback.format_exc())
        with self.lock:
            if self._job is job:
                self._job = None

    def _own_move(self, job: Job, multipv: int) -> Sequence[Reply]:
        def on_info(info: Info) -> None:
            lines = job.hear(info, multipv, time.monotonic_ns())
            with self.lock:
                if lines and not (job.silent or self.closed):
                    self.say(*report(lines, self.settings.show_detail))

        board = self.game.board(job.rule)
        limit = self.settings.limit()
        player = self._cast.player if multipv == 1 else self.engine
        result = player.play(board, limit, multipv=multipv, on_info=on_info, start_ns=job.start_ns, armed=True)
        return (ev.MoveIs((result.move,)),)

    def _fallback(self, job: Job, error: Exception) -> Sequence[Reply]:
        """The answer when thinking failed: for a move any legal one, which is better than silence."""
        # An ERROR settles the oldest question. Words are not owed, so it would settle one that has just been read.
        complaint = ev.Message if job.asked is Asked.WORDS else ev.Error
        if job.asked is not Asked.MOVE and isinstance(error, GomokuError):
            return (complaint(str(error)),)
        log("".join(traceback.format_exception(error)))
        if job.asked is not Asked.MOVE:
            return (complaint("internal error; see the log file"),)
        board = self.game.board(job.rule)
        move = next(iter(board.legal_moves), None) or next(m for m in points(board) if self.game.is_empty(m))
        return (ev.MoveIs((move,)),)

    def _thinkers(self) -> tuple[Thinker, ...]:
        """All who may be thinking: the player, and the engine, which answers what no player is asked."""
        return self._cast.player, self.engine
