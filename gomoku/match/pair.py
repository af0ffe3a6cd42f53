"""The unit of work: two games from one opening with colours swapped, fully described by a value that can be sent away.

Playing a pair again gives the same games wherever the players are deterministic, so a pair whose worker was lost is
just played once more.
"""

from __future__ import annotations

import asyncio
import random
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass

from gomoku._core.board import Board
from gomoku.book import Opening
from gomoku.info import Limit
from gomoku.match.player import Player, Terms
from gomoku.match.referee import Seat, play_game
from gomoku.match.result import GameResult, PairResult
from gomoku.types import BLACK, WHITE

_STOP_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTask:
    """A pair to play.

    Args:
        number: its number in the match.
        first: has black in the first game.
        second: has black in the second.
        opening: the stones on the board before the players begin.
        symmetry: the transform of the board under which it is played, 0 to 7 (see ``Board.transform``).
        terms: what holds for both games.
        seed: for players with chance in them.
        node_jitter: by which share, at most, the node limit of a move is varied either way, drawn from the seed; makes
            two games of one opening between equal players differ.
    """

    number: int
    first: Player
    second: Player
    opening: Opening
    symmetry: int = 0
    terms: Terms
    seed: int = 0
    node_jitter: float = 0.0

    def vary(self, seat: int) -> Callable[[Limit], Limit]:
        """Return what changes the limits of one seat's moves: the node limits, by chance that the seed decides."""
        if not self.node_jitter:
            return lambda limit: limit
        rng = random.Random(f"{self.seed}:{self.number}:{seat}")

        def varied(limit: Limit) -> Limit:
            factor = 1 + self.node_jitter * rng.uniform(-1, 1)
            return limit if limit.nodes is None else limit._replace(nodes=max(1, round(limit.nodes * factor)))

        return varied

    def board(self) -> Board:
        """Return the position from which both games begin."""
        return self.opening.board(self.terms.rule).transform(self.symmetry)


class PairStoppedError(Exception):
    """The pair was given up because nobody wants its result any more."""


def play_pair(task: PairTask, stop: threading.Event | None = None) -> PairResult:
    """Play both games of a pair; blocks until they are over, and ends every process it started.

    Args:
        task: the pair.
        stop: set by another thread to give the pair up.

    Raises:
        OSError: a player's program cannot be started on this machine.
        PairStoppedError: ``stop`` was set.
    """
    return asyncio.run(_stoppable(task, stop))


async def _stoppable(task: PairTask, stop: threading.Event | None) -> PairResult:
    games = asyncio.ensure_future(_play_both(task))
    while stop is not None and not games.done():
        await asyncio.wait([games], timeout=_STOP_POLL_SECONDS)
        if stop.is_set():
            games.cancel()  # once: a second time would hit what ends the engines
            break
    try:
        return await games
    except asyncio.CancelledError:
        raise PairStoppedError(f"pair {task.number} was stopped") from None


async def _play_both(task: PairTask) -> PairResult:
    first, second = Seat(task.first, task.vary(1)), Seat(task.second, task.vary(2))
    board = task.board()
    games: list[GameResult] = []
    try:
        for seats in ({BLACK: first, WHITE: second}, {BLACK: second, WHITE: first}):
            games.append(await play_game(seats, board, task.terms))
    finally:
        await asyncio.gather(first.leave(), second.leave())
    return PairResult(
        number=task.number,
        first=task.first.name,
        second=task.second.name,
        games=(games[0], games[1]),
        host=socket.gethostname(),
    )
