"""One game: whose turn it is, the clocks, and who has won or lost by what.

The referee trusts no player. It keeps the board itself, measures time itself, and knows every way in which a brain can
fail by name (:class:`gomoku.match.result.End`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from gomoku._core.board import Board
from gomoku.frontends.client import AsyncEngine
from gomoku.frontends.errors import EngineError, EngineTerminatedError, EngineTimeoutError
from gomoku.info import MATE_BAND, Limit, PlayResult
from gomoku.levels import Thinker
from gomoku.match.player import Player, Terms
from gomoku.match.result import End, GameResult
from gomoku.types import BLACK, WHITE, Color, Termination


class Opponent(Protocol):
    """What the referee needs of an engine; ``AsyncEngine`` has it."""

    async def ready(self, board: Board) -> None:
        """Begin a new game on a board of this size."""

    async def play(self, board: Board, limit: Limit) -> PlayResult:
        """Choose a move."""

    async def close(self) -> None:
        """End."""


class LocalOpponent:
    """An engine in this process, which thinks in a thread of its own."""

    def __init__(self, engine: Thinker) -> None:
        self._engine = engine

    async def ready(self, board: Board) -> None:
        """Forget the game before."""
        self._engine.new_game()

    async def play(self, board: Board, limit: Limit) -> PlayResult:
        """Choose a move; a cancelled search is stopped and waited for."""
        search = asyncio.ensure_future(asyncio.to_thread(self._engine.play, board.copy(), limit))
        try:
            return await asyncio.shield(search)
        except asyncio.CancelledError:
            self._engine.stop()
            await search
            raise

    async def close(self) -> None:
        """Nothing is left to end."""


async def open_player(player: Player, patience: float) -> Opponent:
    """Return an engine for a player.

    Args:
        player: who is to play.
        patience: seconds to wait for the answer to a command that takes no thinking.

    Raises:
        OSError: its program cannot be started.
    """
    if player.engine is not None:
        return LocalOpponent(player.engine())
    engine = await AsyncEngine.popen(player.words, timeout=patience)
    try:
        engine.configure(player.settings)
    except ValueError:
        await engine.close()
        raise
    return engine


class Seat:
    """A player at the board, with the engine that plays for it; reopened after a forfeit.

    Args:
        player: who sits here.
        vary: changes the limit of every move.
    """

    def __init__(self, player: Player, vary: Callable[[Limit], Limit] = lambda limit: limit) -> None:
        self.player = player
        self.engine: Opponent | None = None
        self.left: float | None = None
        self._vary = vary

    async def sit(self, board: Board, patience: float) -> str:
        """Get ready for a game.

        Returns:
            What is wrong, empty if nothing is.

        Raises:
            OSError: the program cannot be started at all.
        """
        self.left = self.player.limit.match_time
        try:
            if self.engine is None:
                self.engine = await open_player(self.player, patience)
            await asyncio.sleep(self.player.pause_ms / 1000)
            await self.engine.ready(board)
        except EngineError as error:
            return str(error)
        return ""

    async def leave(self) -> None:
        """End the engine."""
        if self.engine is not None:
            await self.engine.close()
            self.engine = None

    def allowed(self, patience: float) -> float:
        """Return the seconds that the next move may take; below zero when the match clock is overdrawn."""
        bounds = [seconds for seconds in (self.player.limit.time, self.left) if seconds is not None]
        return min(bounds) if bounds else patience

    def limit(self) -> Limit:
        """Return the limit for the next move."""
        return self._vary(self.player.limit)._replace(time_left=self.left)

    def spend(self, seconds: float) -> None:
        """Take time off the match clock."""
        if self.left is not None:
            self.left += self.player.limit.increment - seconds


class _Game:
    """A game in progress: the board and what has been noted about the moves."""

    def __init__(self, seats: dict[Color, Seat], board: Board, terms: Terms) -> None:
        self.seats = seats
        self.board = board
        self.terms = terms
        self.opening_plies = board.ply
        self.times_ms: list[int] = []
        self.scores: list[str] = []
        self.depths: list[int] = []
        self._agreed: tuple[Color | None, int] = (None, 0)

    def result(self, winner: Color | None, end: End, detail: str = "") -> GameResult:
        return GameResult(
            black=self.seats[BLACK].player.name,
            white=self.seats[WHITE].player.name,
            moves=tuple(self.board.move_stack),
            opening_plies=self.opening_plies,
            winner=winner,
            end=end,
            detail=detail,
            times_ms=tuple(self.times_ms),
            scores=tuple(self.scores),
            depths=tuple(self.depths),
        )

    def forfeit(self, loser: Color, end: End, detail: str) -> GameResult:
        return self.result(loser.other, end, f"{self.seats[loser].player.name}: {detail}")

    def note(self, result: PlayResult, seconds: float) -> None:
        """Write down what a move took and what the player said about it."""
        self.times_ms.append(round(seconds * 1000))
        best = result.lines[0] if result.lines else None
        self.scores.append(str(best.score.relative) if best else "")
        self.depths.append(best.depth if best else 0)
        self._agree(best.score.black().to_int() if best else 0)

    def _agree(self, black_score: int) -> None:
        """Count the plies over which both sides have seen the same winner."""
        if self.terms.win_score is None:
            return
        bound = min(self.terms.win_score, MATE_BAND)
        sees = BLACK if black_score >= bound else WHITE if black_score <= -bound else None
        winner, plies = self._agreed
        self._agreed = (sees, plies + 1 if sees == winner else 1)

    def ended(self) -> GameResult | None:
        """Return the result if the last stone has ended the game."""
        outcome = self.board.outcome()
        if outcome is not None:
            end = {
                Termination.FIVE: End.FIVE,
                Termination.FOUL: End.FORBIDDEN,
                Termination.FULL_BOARD: End.FULL_BOARD,
            }[outcome.termination]
            return self.result(outcome.winner, end, outcome.foul.label if end is End.FORBIDDEN else "")
        if self.terms.draw_after is not None and self.board.ply >= self.terms.draw_after:
            return self.result(None, End.DRAW, f"{self.board.ply} plies")
        winner, plies = self._agreed
        if winner is not None and plies >= self.terms.win_plies:
            return self.result(winner, End.ADJUDICATION, f"both sides agree for {plies} plies")
        return None


async def play_game(seats: dict[Color, Seat], board: Board, terms: Terms) -> GameResult:
    """Play one game to its end.

    A side that forfeits has left its seat afterwards.

    Args:
        seats: the players by colour.
        board: the position after the opening; unchanged.
        terms: what holds for the game.

    Raises:
        OSError: a program cannot be started.
    """
    game = _Game(seats, board.copy(), terms)
    for color, seat in seats.items():
        trouble = await seat.sit(board, terms.patience)
        if trouble:
            await seat.leave()
            return game.forfeit(color, End.START, trouble)
    while True:
        result = await _one_move(game, terms) or game.ended()
        if result is not None:
            if result.end.forfeit and result.winner is not None:
                await seats[result.winner.other].leave()
            return result


async def _one_move(game: _Game, terms: Terms) -> GameResult | None:
    """Have the side to move play; return the result if it forfeits the game."""
    turn = game.board.turn
    seat = game.seats[turn]
    assert seat.engine is not None
    await asyncio.sleep(seat.player.pause_ms / 1000)
    clock = asyncio.get_running_loop().time
    allowed = seat.allowed(terms.patience)
    start = clock()
    try:
        async with asyncio.timeout(allowed + terms.tolerance):
            reply = await seat.engine.play(game.board, seat.limit())
    except (TimeoutError, EngineTimeoutError):
        seconds = max(0.0, allowed)
        return game.forfeit(turn, End.TIMEOUT, f"no move within {seconds:g} s and {terms.tolerance:g} s of tolerance")
    except EngineTerminatedError as error:
        return game.forfeit(turn, End.DISCONNECT if error.exit_code is None else End.CRASH, str(error))
    except EngineError as error:
        return game.forfeit(turn, End.ILLEGAL, str(error))
    seconds = clock() - start
    if seconds > allowed + terms.tolerance:
        return game.forfeit(turn, End.TIMEOUT, f"{seconds:.3f} s for a move, {allowed:g} s allowed")
    seat.spend(seconds)
    move, board = reply.move, game.board
    if not (0 <= move.x < board.width and 0 <= move.y < board.height):
        return game.forfeit(turn, End.ILLEGAL, f"{move} is not on the board")
    if board.stone(move) is not None:
        return game.forfeit(turn, End.ILLEGAL, f"{move} is occupied")
    game.note(reply, seconds)
    board.push_unchecked(move)
    return None
