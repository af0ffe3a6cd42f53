"""Drive any Gomocup brain from an event loop: class ``AsyncEngine``.

The protocol has no request numbers and brains are not all careful, so the client keeps to what every brain survives:
one question at a time, no command while a move is owed, whole positions wherever the board is not the one that the
brain knows. Lines that answer nothing are logged (logger ``gomoku.client``) and forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Self

from gomoku._core.board import Board
from gomoku.frontends.analysis import AsyncAnalysis
from gomoku.frontends.errors import EngineTerminatedError, EngineTimeoutError
from gomoku.frontends.process import BrainProcess
from gomoku.frontends.questions import (
    EXTENSIONS,
    InfoCollector,
    Question,
    check_settings,
    limit_settings,
    moves_of,
    patience,
    position_command,
)
from gomoku.info import Info, Limit, PlayResult, Swap2Choice
from gomoku.protocol import events as ev
from gomoku.protocol.connection import NEED_DATA, Connection, RemoteProtocolError, Role
from gomoku.protocol.event_base import Command, Reply
from gomoku.protocol.state import Owed, State
from gomoku.types import Move

_log = logging.getLogger("gomoku.client")

InfoCallback = Callable[[Info], None]


class AsyncEngine:
    """A brain in a process of its own.

    Use :meth:`popen` to make one and ``async with`` (or :meth:`close`) to end it. The methods are those of the engine
    in the process, :class:`gomoku.engine.Engine`, as coroutines. A call waits for an earlier one to end; one that is
    cancelled stops the brain, and the next call first waits for the move that nobody wants any more.

    Args:
        timeout: seconds to wait for an answer that takes no thinking, and beyond the time limit for a move.

    Attributes:
        about: what the brain says of itself; ``None`` until it has, at the latest with the first move.

    Example:
        >>> import sys
        >>> from gomoku import Board
        >>> async def main() -> str:
        ...     async with await AsyncEngine.popen([sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]) as engine:
        ...         board = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
        ...         result = await engine.play(board, Limit(nodes=100))
        ...         return f"{engine.about.name} {result.info.score.relative}"
        >>> asyncio.run(main())
        'Fukumi +M1'
    """

    def __init__(self, *, timeout: float = 10.0) -> None:
        self.about: ev.AboutReply | None = None
        self.timeout = timeout
        self._process = BrainProcess(self._receive, self._receive_end)
        self._connection = Connection(Role.MANAGER)
        self._question: Question | None = None
        self._turn = asyncio.Lock()
        self._settings: dict[str, int | str] = {}
        self._sent: dict[str, int | str] = {}
        self._known: tuple[int, tuple[Move, ...]] | None = None
        self._new_game, self._fresh = True, False
        self._complaint = ""
        self._stop_wanted = False
        self._analysis: AsyncAnalysis | None = None

    @classmethod
    async def popen(
        cls,
        command: str | Sequence[str],
        *,
        timeout: float = 10.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> Self:
        """Start a brain.

        Args:
            command: the program and its arguments, as a command line or as words.
            timeout: see the class.
            cwd: working directory of the brain.
            env: its whole environment.

        Raises:
            OSError: the program cannot be started.
            ValueError: the command names no program.
        """
        engine = cls(timeout=timeout)
        await engine._process.start(command, cwd=cwd, env=env)
        engine._say(ev.About())
        return engine

    @property
    def pid(self) -> int:
        """Process number of the brain."""
        return self._process.pid

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self, grace: float = 0.5) -> None:
        """Say END, and kill the brain and its children if it is still there after ``grace`` seconds."""
        if not self._is_over():
            self._say(ev.End())
        await self._process.close(grace)

    # --- What an engine does ---

    def configure(self, options: Mapping[str, int | str]) -> None:
        """Set ``INFO`` keys, such as ``{"max_memory": 350 << 20, "thread_num": 2}``, from the next question on.

        Raises:
            ValueError: see :func:`check_settings`.
        """
        check_settings(options)
        self._settings.update(options)

    def new_game(self) -> None:
        """Begin the next question with START, so that the brain forgets the game before."""
        self._new_game = True

    async def ready(self, board: Board) -> None:
        """Begin a new game on a board of this size now; :meth:`play` does so by itself, but on the clock.

        Raises:
            EngineError: the brain refuses, does not answer, or is gone.
        """
        self.new_game()
        async with self._asking():
            await self._started(board)

    async def play(
        self, board: Board, limit: Limit, *, multipv: int = 1, on_info: InfoCallback | None = None
    ) -> PlayResult:
        """Let the brain choose a move for the side to move.

        Args:
            board: the position; it is the brain's turn.
            limit: how long to think. Brains know ``depth`` and ``nodes`` only if they have these extensions.
            multipv: lines to search with full accuracy; more than one needs the extension ``YXNBEST``.
            on_info: called with every line as it comes.

        Returns:
            The move as the brain gave it, legal or not, and what it said about it.

        Raises:
            EngineTimeoutError: no move within the time limit and :attr:`timeout`; the brain must be closed.
                Without a time limit a move is waited for without end.
            EngineTerminatedError: the brain is gone.
            EngineError: it refused.
        """
        board = board.copy()  # the caller may play on while the brain thinks
        self._end_analysis()
        collector = InfoCollector(board, on_info)
        reply = await self._think(board, limit, multipv, collector.reply)
        assert isinstance(reply, ev.MoveIs)
        return PlayResult(reply.move, collector.lines)

    async def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the last lines of a search, best first; empty if the brain says nothing but its move."""
        return list((await self.play(board, limit, multipv=multipv)).lines)

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int = 1) -> AsyncAnalysis:
        """Return the lines as they come: ``async with`` and ``async for``; another question ends the analysis."""
        board = board.copy()
        self._end_analysis()
        think = partial(self._think, board, limit or Limit(), multipv)
        self._analysis = AsyncAnalysis(think, self.stop, board, multipv, self.timeout)
        return self._analysis

    async def swap2(self, board: Board, limit: Limit) -> Swap2Choice:
        """Let the brain answer in the swap2 opening, for a board with 0, 3 or 5 stones.

        Raises:
            EngineError: the brain does not know swap2, or as for :meth:`play`.

        Source: protocol_docs/swap2.md.
        """
        board = board.copy()
        self._end_analysis()
        async with self._asking():
            await self._started(board)
            self._set(limit_settings(limit, self._sent))
            command = ev.Swap2Board(tuple(board.move_stack))
            self._known, self._fresh = None, False
            reply = await self._ask(command, Owed.OPENING, patience(limit, self.timeout))
        return Swap2Choice(swap=True) if isinstance(reply, ev.Swap) else Swap2Choice(moves_of(reply))

    def stop(self) -> None:
        """Ask the brain to move now; the running call then returns (if the brain knows ``YXSTOP``)."""
        if self._owed_move() and not self._is_over():
            self._say(ev.Stop())
        self._stop_wanted = self._turn.locked()  # by a call that has not asked yet

    # --- Questions and answers ---

    async def _think(
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        on_reply: Callable[[Reply], None],
        on_asked: Callable[[], None] = lambda: None,
    ) -> Reply:
        async with self._asking():
            await self._started(board)
            self._set(limit_settings(limit, self._sent))
            command = position_command(board, self._known, whole=multipv > 1)
            self._known, self._fresh = None, False
            if multipv > 1:
                self._say(command)
                command = ev.NBest(multipv)
            reply = await self._ask(command, Owed.MOVE, patience(limit, self.timeout), on_reply, on_asked)
            self._known = (board.key, moves_of(reply)[:1])
            return reply

    async def _started(self, board: Board) -> None:
        """Send START unless the brain has such a board, and the settings that it lacks."""
        begin = not board.move_stack and not self._fresh  # BEGIN is for a board that the brain knows to be empty
        if begin or self._new_game or self._connection.size != (board.width, board.height):
            self._known = None
            await self._ask(ev.Start(board.width, board.height), Owed.OK, self.timeout)
            self._new_game, self._fresh = False, True
            # Brains keep settings over START, or not: send all again, and remember which extensions may still hold.
            self._sent = dict.fromkeys(self._sent.keys() & EXTENSIONS, -1)
        self._set({"rule": int(board.rule), **self._settings})

    @contextlib.asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """Be the only one who asks; wait first for the move of a call that was cancelled."""
        async with self._turn:
            if self._is_over():
                raise self._terminated()
            try:
                debt = self._owed_move()
                if debt:
                    await self._answer(Question("the question of a cancelled call", debt, None), self.timeout)
                yield
            finally:
                self._stop_wanted = False

    def _owed_move(self) -> Owed | None:
        """The kind of move that the brain owes."""
        return next((debt for debt in self._connection.owed if debt in (Owed.MOVE, Owed.OPENING)), None)

    def _is_over(self) -> bool:
        return self._process.ended or self._connection.state is State.CLOSED

    def _end_analysis(self) -> None:
        if self._analysis is not None:
            self._analysis.stop()
            self._analysis = None

    async def _ask(
        self,
        command: Command,
        debt: Owed,
        seconds: float | None,
        on_reply: Callable[[Reply], None] | None = None,
        on_asked: Callable[[], None] = lambda: None,
    ) -> Reply:
        self._say(command)
        on_asked()
        if self._stop_wanted and self._owed_move():
            self.stop()
        return await self._answer(Question(type(command).__name__.upper(), debt, on_reply), seconds)

    async def _answer(self, question: Question, seconds: float | None) -> Reply:
        """Wait for the answer to the question that was just asked."""
        self._question = question
        if self._process.ended:
            question.fail(self._terminated())
        try:
            async with asyncio.timeout(seconds):
                return await question.answer
        except TimeoutError:
            raise EngineTimeoutError(question.name, seconds or 0.0, self._complaint) from None
        except asyncio.CancelledError:
            self.stop()
            raise
        finally:
            self._question = None

    def _set(self, settings: Mapping[str, int | str]) -> None:
        """Send the settings that differ from what the brain knows."""
        for key, value in settings.items():
            if self._sent.get(key) != value or key == "time_left":
                self._say(ev.InfoSet(key, value))
                self._sent[key] = value

    def _say(self, command: Command) -> None:
        data = self._connection.send(command)
        _log.debug("%d < %r", self._process.pid, data)
        self._process.write(data)

    # --- What the process says ---

    def _receive(self, data: bytes) -> None:
        self._connection.receive_data(data)
        while True:
            try:
                event = self._connection.next_event()
            except RemoteProtocolError as error:
                _log.debug("%d > %r: %s", self._process.pid, error.event, error)
                continue
            if event is NEED_DATA:
                return
            _log.debug("%d > %r", self._process.pid, event)
            if isinstance(event, Reply):
                self._hear(event)

    def _hear(self, reply: Reply) -> None:
        if isinstance(reply, ev.AboutReply):
            self.about = reply
        if isinstance(reply, ev.Suggest) and Owed.MOVE not in self._connection.owed:
            self._say(ev.Play(reply.move))  # the only answer that there is
            return
        if isinstance(reply, ev.Error | ev.UnknownReply):
            self._complaint = reply.text
        if self._question:
            self._question.hear(reply, self._connection.owed)

    def _receive_end(self) -> None:
        if self._question:
            self._question.fail(self._terminated())

    def _terminated(self) -> EngineTerminatedError:
        return EngineTerminatedError(self._process.exit_code, self._process.error_text)
