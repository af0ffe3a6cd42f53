"""A running analysis by a brain in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Self

from gomoku._core.board import Board
from gomoku.frontends.errors import EngineTimeoutError
from gomoku.frontends.questions import InfoCollector
from gomoku.info import Info
from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Reply
from gomoku.types import Move


class AsyncAnalysis:
    """A running analysis: ``async for`` yields the best lines as the brain reports them.

    Leaving an ``async with`` block stops the brain and waits for its move.

    Args:
        think: asks the brain, with what is called with its lines and what once it has been asked.
        stop: asks it to move.
        board: the position.
        multipv: lines of a complete set.
        timeout: seconds to wait for the end after a stop.
    """

    def __init__(
        self,
        think: Callable[[Callable[[Reply], None], Callable[[], None]], Coroutine[None, None, Reply]],
        stop: Callable[[], None],
        board: Board,
        multipv: int,
        timeout: float,
    ) -> None:
        self._stop_brain = stop
        self._timeout = timeout
        self._updates: asyncio.Queue[list[Info] | None] = asyncio.Queue()
        self._stopped = False
        collector = InfoCollector(board, None, multipv=multipv, on_lines=self._updates.put_nowait)
        self._search = asyncio.ensure_future(think(collector.reply, self._pass_stop_on))

        def end(_: object) -> None:
            collector.pass_on()
            self._updates.put_nowait(None)

        self._search.add_done_callback(end)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> list[Info]:
        lines = await self._updates.get()
        if lines is None:
            self._updates.put_nowait(None)  # for whoever asks again
            await self._search  # which may have failed
            raise StopAsyncIteration
        return lines

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()
        await self.wait()

    def stop(self) -> None:
        """Ask the brain to end the search; lines that come until then are still yielded."""
        self._stopped = True
        self._pass_stop_on()

    async def wait(self) -> Move:
        """Wait for the end of the search and return the brain's move.

        Raises:
            EngineTimeoutError: the brain was asked to stop and did not within the engine's timeout.
            EngineError: as for :meth:`AsyncEngine.play`.
        """
        seconds = self._timeout if self._stopped else None
        try:
            async with asyncio.timeout(seconds):
                reply = await self._search
        except TimeoutError:
            raise EngineTimeoutError("YXSTOP", self._timeout) from None
        assert isinstance(reply, ev.MoveIs)
        return reply.move

    def _pass_stop_on(self) -> None:
        """Stop the brain as soon as it has been asked something."""
        if self._stopped:
            self._stop_brain()
