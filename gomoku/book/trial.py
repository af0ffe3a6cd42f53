"""Whether an opening is even in play: games of the engine with itself. Floor 9."""

from __future__ import annotations

import random

from gomoku.book.openings import Opening
from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.types import Color, Rule

_HASH_BYTES = 4 << 20

_DECIDED = 1_000
"""A side that is so many points ahead has won the game; 200 are one unit of log odds."""


def is_even(opening: Opening, rule: Rule, games: int, nodes: int, seed: str) -> bool:
    """Return whether either side gets a quarter of the points or more when the engine plays both.

    It ends as soon as that is known. A search may see an opening level that one side wins in game after game; such
    openings make the two games of a pair cancel each other, so that a match learns nothing from them.

    Args:
        opening: legal under the rule.
        rule: the rule.
        games: games to play at most; with none every opening is even.
        nodes: positions for a move, on average; chance varies them by up to a half, so that games differ.
        seed: what chance begins with; the same one gives the same games on every machine.

    Example:
        >>> won = Opening.from_text("h8a1h9a2h10a3", 15, 15)
        >>> is_even(won, Rule.FREESTYLE, games=4, nodes=100, seed="1")
        False
    """
    rng = random.Random(seed)
    engine = Engine(hash_bytes=_HASH_BYTES)
    points = dict.fromkeys(Color, 0.0)
    for _ in range(games):
        if min(points.values()) >= games / 4:
            return True
        if max(points.values()) > games * 3 / 4:
            return False
        winner = _play(opening, rule, nodes, rng, engine)
        for color in points:
            points[color] += 0.5 if winner is None else winner is color
    return min(points.values()) >= games / 4


def _play(opening: Opening, rule: Rule, nodes: int, rng: random.Random, engine: Engine) -> Color | None:
    """Return who wins a game, ``None`` for a draw."""
    engine.new_game()
    board = opening.board(rule)
    while True:
        if outcome := board.outcome():
            return outcome.winner
        result = engine.play(board, Limit(nodes=max(1, int(nodes * (0.5 + rng.random())))))
        score = result.info.score.relative
        if score.mate is not None or abs(score.points) >= _DECIDED:
            return board.turn if score.to_int() > 0 else board.turn.other
        board.push_unchecked(result.move)  # where black has forbidden points only, it plays one and loses
