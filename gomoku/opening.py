"""Choices of the swap2 opening: which stones to put, which colour to take.

Floor 8, below the engine, which brings the judgement. The side that is better off is judged by short searches: a
player who is offered a choice takes the better half, so the player who makes the offer looks for values near zero.

Source: protocol_docs/swap2.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gomoku._core.board import Board
from gomoku.info import Info, Limit
from gomoku.types import Move

Judge = Callable[[Board, Limit], Info]
"""Searches a position and returns its best line."""

_OFFERS = 12
"""Openings to compare when three stones are to be offered."""


def offer_three(judge: Judge, board: Board, limit: Limit) -> list[Move]:
    """Return three stones (black, white, black) whose value is the nearest to even among a random choice.

    Args:
        judge: searches the candidates.
        board: an empty board; unchanged.
        limit: for all searches together; match clocks are not looked at.
    """
    rng = random.Random()
    slice_limit = _part(limit, _OFFERS)

    def imbalance(stones: list[Move]) -> int:
        offered = board.copy()
        for move in stones:
            offered.push_unchecked(move)
        return abs(judge(offered, slice_limit).score.relative.to_int())

    return min((_random_three(rng, board) for _ in range(_OFFERS)), key=imbalance)


def choose(judge: Judge, board: Board, limit: Limit) -> Move | None:
    """Return white's next stone, or ``None`` to take black instead.

    Args:
        judge: searches the position.
        board: the three or five stones of the opening; white is to move.
        limit: for the search.
    """
    info = judge(board, limit)
    return info.pv[0] if info.score.relative.to_int() >= 0 else None


def _random_three(rng: random.Random, board: Board) -> list[Move]:
    """Three stones within a box of seven points near the middle of the board."""
    left, top = (max(0, side // 2 - 3 + rng.randint(-1, 1)) for side in (board.width, board.height))
    right, bottom = min(board.width, left + 7), min(board.height, top + 7)
    return rng.sample([Move(x, y) for y in range(top, bottom) for x in range(left, right)], 3)


def _part(limit: Limit, parts: int) -> Limit:
    time = None if limit.time is None else limit.time / parts
    nodes = None if limit.nodes is None else max(1, limit.nodes // parts)
    return Limit(time=time, nodes=nodes, depth=limit.depth)
