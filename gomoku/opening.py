"""Choices of the swap2 opening: which stones to put, which colour to take.

Floor 8. The side that is better off is judged by short searches: a player who is offered a choice takes the better
half, so the player who makes the offer looks for values near zero.

Source: protocol_docs/swap2.md.
"""

from __future__ import annotations

import random

from gomoku._core.board import Board
from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.types import Move, Rule

_OFFERS = 12
"""Openings to compare when three stones are to be offered."""


def offer_three(engine: Engine, width: int, height: int, rule: Rule, limit: Limit) -> list[Move]:
    """Return three stones (black, white, black) whose value is the nearest to even among a random choice.

    Args:
        engine: the judge.
        width: columns.
        height: rows.
        rule: the rule.
        limit: for all searches together; its clocks are not looked at.
    """
    rng = random.Random()
    offers = [_random_three(rng, width, height) for _ in range(_OFFERS)]
    slice_limit = _part(limit, _OFFERS)

    def imbalance(stones: list[Move]) -> int:
        return abs(_value(engine, stones, width, height, rule, slice_limit))

    return min(offers, key=imbalance)


def choose(engine: Engine, stones: list[Move], width: int, height: int, rule: Rule, limit: Limit) -> Move | None:
    """Return white's next stone, or ``None`` to take black instead.

    Args:
        engine: the judge.
        stones: three or five stones, black first; white is to move.
        width: columns.
        height: rows.
        rule: the rule.
        limit: for the search.
    """
    result = engine.play(_board(stones, width, height, rule), limit)
    return result.move if result.info.score.relative.to_int() >= 0 else None


def _random_three(rng: random.Random, width: int, height: int) -> list[Move]:
    """Three stones within a box of seven points in the middle third of the board."""
    left, top = (max(0, side // 2 - 3 + rng.randint(-1, 1)) for side in (width, height))
    right, bottom = min(width, left + 7), min(height, top + 7)
    box = [Move(x, y) for y in range(top, bottom) for x in range(left, right)]
    return rng.sample(box, 3)


def _board(stones: list[Move], width: int, height: int, rule: Rule) -> Board:
    board = Board(width, height, rule=rule)
    for move in stones:
        board.push(move)
    return board


def _value(engine: Engine, stones: list[Move], width: int, height: int, rule: Rule, limit: Limit) -> int:
    return engine.analyse(_board(stones, width, height, rule), limit)[0].score.relative.to_int()


def _part(limit: Limit, parts: int) -> Limit:
    time = None if limit.time is None else limit.time / parts
    nodes = None if limit.nodes is None else max(1, limit.nodes // parts)
    return Limit(time=time, nodes=nodes, depth=limit.depth)
