"""Gomoku: board, rules, search, solvers and the Gomocup protocol.

Example:
    >>> import gomoku
    >>> board = gomoku.Board(15, rule=gomoku.Rule.STANDARD)
    >>> board.push("h8")
    Move(x=7, y=7)
    >>> len(board.legal_moves)
    224
"""

from gomoku._core.board import Board
from gomoku.notation import parse_move
from gomoku.types import (
    BLACK,
    WHITE,
    Color,
    Foul,
    GomokuError,
    IllegalMoveError,
    InvalidPositionError,
    Move,
    Outcome,
    Rule,
    Termination,
)

__all__ = [
    "BLACK",
    "WHITE",
    "Board",
    "Color",
    "Foul",
    "GomokuError",
    "IllegalMoveError",
    "InvalidPositionError",
    "Move",
    "Outcome",
    "Rule",
    "Termination",
    "parse_move",
]

__version__ = "0.1.0"
