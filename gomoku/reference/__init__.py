"""The slow, clear twin of the compiled rules: pure Python written from the rules' text, sharing no table with it.

Tests compare the two; programs should use the compiled board.
"""

from __future__ import annotations

from gomoku.reference.line import SHAPES, line_shape
from gomoku.reference.rules import (
    DIRECTIONS,
    ReferenceBoard,
    five_points,
    foul,
    is_five,
    is_three,
    run_through,
    winning_line,
)

__all__ = [
    "DIRECTIONS",
    "SHAPES",
    "ReferenceBoard",
    "five_points",
    "foul",
    "is_five",
    "is_three",
    "line_shape",
    "run_through",
    "winning_line",
]
