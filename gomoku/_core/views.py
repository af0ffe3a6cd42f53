"""Views of a board that follow it. Floor 1: knows of the board only what it is handed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gomoku.types import Move

if TYPE_CHECKING:
    from gomoku._core.board import Board, MoveLike


class LegalMoves:
    """The legal moves of a board, as a set-like view.

    Example:
        >>> from gomoku import Board
        >>> board = Board(15)
        >>> len(board.legal_moves), "h8" in board.legal_moves
        (225, True)
    """

    def __init__(self, board: Board) -> None:
        self._board = board

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __contains__(self, move: MoveLike) -> bool:
        return self._board.is_legal(move)

    def __iter__(self) -> Iterator[Move]:
        board = self._board
        if board.is_game_over():
            return
        for y in range(board.height):
            for x in range(board.width):
                if board.is_legal((x, y)):
                    yield Move(x, y)

    def __repr__(self) -> str:
        return f"<LegalMoves: {len(self)} of {self._board.width}x{self._board.height}>"
