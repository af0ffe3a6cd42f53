"""Results without search: the solver proves every one of them."""

from __future__ import annotations

import random

import pytest

from gomoku import Board, Rule
from gomoku._core._probe import PositionProbe
from gomoku.engine import Engine
from support import random_game

SMALL = 4 << 20


@pytest.mark.parametrize("games", [12, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_verdicts_of_random_games_hold(rule: Rule, games: int) -> None:
    rng = random.Random(f"verdict {rule.label}")
    engine = Engine(hash_bytes=SMALL)
    left = {1: games, 3: games, 5: games, -2: games}
    if rule in (Rule.CARO, Rule.CARO_EXACT):
        left = {1: games, 3: games}  # neither a four-three nor two fives decide where an end can be blocked
    while any(left.values()):
        board = random_game(rng, rule, (9, 9), rng.randint(8, 24), spread=3)
        plies = PositionProbe(board).verdict()
        assert plies in {0, *left}, f"{board!s}\n{rule.label}"
        if plies and left[plies]:
            left[plies] -= 1
            check(engine, board, plies)


def check(engine: Engine, board: Board, plies: int) -> None:
    if plies > 0:
        assert 0 < engine.solve(board).plies <= plies, f"{board!s}\n{board.rule.label}: no win in {plies}"
        return
    for move in list(board.legal_moves):
        board.push(move)
        assert PositionProbe(board).verdict() == 1, f"{board!s}\n{board.rule.label}: {move.text} holds"
        board.pop()
