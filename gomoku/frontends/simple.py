"""Drive any Gomocup brain without an event loop: class ``SimpleEngine``."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any, Self, TypeVar

from gomoku._core.board import Board
from gomoku.frontends.analysis import AsyncAnalysis
from gomoku.frontends.client import AsyncEngine, InfoCallback
from gomoku.info import Analysis, Info, Limit, PlayResult, Swap2Choice
from gomoku.protocol.events import AboutReply

_T = TypeVar("_T")


class SimpleEngine:
    """A brain in a process of its own, for programs without an event loop.

    Has the methods of the engine in the process, :class:`gomoku.engine.Engine`. Use :meth:`popen` to make one and
    ``with`` (or :meth:`close`) to end it.

    Thread-safety: methods may be called from any thread; questions are asked one after the other.

    Example:
        >>> import sys
        >>> with SimpleEngine.popen([sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]) as engine:
        ...     board = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
        ...     engine.play(board, Limit(time=0.5)).move.text in ("g8", "l8")
        True
    """

    def __init__(self, engine: AsyncEngine, loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
        self._engine = engine
        self._loop = loop
        self._thread = thread
        self._closed = False
        self._lock = threading.Lock()

    @classmethod
    def popen(
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
            timeout: seconds to wait for an answer that takes no thinking, and beyond the time limit for a move.
            cwd: working directory of the brain.
            env: its whole environment.

        Raises:
            OSError: the program cannot be started.
            ValueError: the command names no program.
        """
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=loop.run_forever, name="brain", daemon=True)
        thread.start()
        try:
            engine = asyncio.run_coroutine_threadsafe(
                AsyncEngine.popen(command, timeout=timeout, cwd=cwd, env=env), loop
            ).result()
        except BaseException:
            _end_loop(loop, thread)
            raise
        return cls(engine, loop, thread)

    @property
    def about(self) -> AboutReply | None:
        """What the brain says of itself; ``None`` until it has, at the latest with the first move."""
        return self._engine.about

    @property
    def pid(self) -> int:
        """Process number of the brain."""
        return self._engine.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self, grace: float = 0.5) -> None:
        """Say END, and kill the brain and its children if it is still there after ``grace`` seconds."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            self._run(self._engine.close(grace))
        finally:  # after Ctrl-C too: the brain must not outlive its owner
            self._run(self._engine.close(0))
            _end_loop(self._loop, self._thread)

    def configure(self, options: Mapping[str, int | str]) -> None:
        """Set ``INFO`` keys, from the next question on; see :meth:`AsyncEngine.configure`."""
        self._engine.configure(options)

    def new_game(self) -> None:
        """Begin the next question with START, so that the brain forgets the game before."""
        self._engine.new_game()

    def ready(self, board: Board) -> None:
        """Begin a new game on a board of this size now, before a clock runs; see :meth:`AsyncEngine.ready`."""
        self._wait(self._engine.ready(board))

    def play(self, board: Board, limit: Limit, *, multipv: int = 1, on_info: InfoCallback | None = None) -> PlayResult:
        """Let the brain choose a move for the side to move; see :meth:`AsyncEngine.play`.

        ``on_info`` is called from another thread.
        """
        return self._wait(self._engine.play(board, limit, multipv=multipv, on_info=on_info))

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the last lines of a search, best first; empty if the brain says nothing but its move."""
        return self._wait(self._engine.analyse(board, limit, multipv=multipv))

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Return the lines as they come, until the limit or a stop; another question ends the analysis.

        Example:
            >>> import sys
            >>> with SimpleEngine.popen([sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]) as engine:
            ...     with engine.analysis(Board.from_text("h8i9", origin="top"), multipv=2) as analysis:
            ...         for lines in analysis:
            ...             if len(lines) == 2 and lines[0].depth >= 3:
            ...                 break
        """
        running = self._wait(self._begin(board, limit, multipv))

        def updates() -> Generator[list[Info], None, None]:
            try:
                while True:
                    try:
                        yield self._wait(running.__anext__())
                    except StopAsyncIteration:
                        return
            finally:
                if not self._closed:
                    self._call(running.stop)
                    self._wait(running.wait())

        return Analysis(updates(), lambda: self._call(running.stop))

    def swap2(self, board: Board, limit: Limit) -> Swap2Choice:
        """Let the brain answer in the swap2 opening; see :meth:`AsyncEngine.swap2`."""
        return self._wait(self._engine.swap2(board, limit))

    def stop(self) -> None:
        """Ask the brain to move now; the running call then returns (if the brain knows ``YXSTOP``)."""
        self._call(self._engine.stop)

    async def _begin(self, board: Board, limit: Limit | None, multipv: int) -> AsyncAnalysis:
        return self._engine.analysis(board, limit, multipv=multipv)

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        with self._lock:
            if self._closed:
                work.close()
                raise ValueError("the engine is closed")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException as error:
            future.cancel()  # after Ctrl-C nobody wants the answer
            if self._closed and isinstance(error, CancelledError):
                raise ValueError("the engine was closed before it answered") from None
            raise

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _call(self, function: Callable[[], None]) -> None:
        """Have the loop call something, after what it was told before has begun."""
        with self._lock:
            if not self._closed:
                self._loop.call_soon_threadsafe(self._loop.call_soon, function)


def _end_loop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    async def cancel_all() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(cancel_all(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
