"""Results without search: every one of them is played out against all replies."""

from __future__ import annotations

import random

import pytest

from gomoku import Board, Move, Rule
from gomoku._core._probe import PositionProbe
from support import random_game

FIVE, OPEN_FOUR, FOUR_THREE, DOUBLE_THREE = 13, 12, 11, 8
"""Numbers of point classes."""


@pytest.mark.parametrize("games", [2, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_verdicts_of_random_games_hold(rule: Rule, games: int) -> None:
    rng = random.Random(f"verdict {rule.label}")
    left = {1: games, 3: games, 5: games, -2: games}
    if rule in (Rule.CARO, Rule.CARO_EXACT):
        left = {1: games, 3: games}  # neither a four-three nor two fives decide where an end can be blocked
    while any(left.values()):
        board = random_game(rng, rule, (9, 9), rng.randint(8, 24), spread=3)
        plies = PositionProbe(board).verdict()
        assert plies in {0, *left}, f"{board!s}\n{rule.label}"
        if plies and left[plies]:
            left[plies] -= 1
            check(board, plies)


def wins(board: Board, plies: int) -> bool:
    """Whether a threat wins within so many plies against every reply, down to a five by the board's own judgement."""
    probe = PositionProbe(board)
    classes = {1: (FIVE,), 3: (OPEN_FOUR,), 5: (FOUR_THREE, DOUBLE_THREE)}[plies]
    for move in probe.near_points():
        if probe.point_class(*move, board.turn) not in classes:
            continue
        board.push(move)  # refuses what is forbidden
        won = board.is_game_over() if plies == 1 else all(loses(board, reply, plies - 2) for reply in board.legal_moves)
        board.pop()
        if won:
            return True
    return False


def loses(board: Board, reply: Move, plies: int) -> bool:
    """Whether the other side wins after a reply within so many plies."""
    board = board.copy()
    board.push(reply)
    return not board.is_game_over() and any(wins(board, fewer) for fewer in range(1, plies + 1, 2))


def check(board: Board, plies: int) -> None:
    if plies > 0:
        assert wins(board, plies), f"{board!s}\n{board.rule.label}: no win in {plies}"
        return
    for move in list(board.legal_moves):
        board.push(move)
        assert PositionProbe(board).verdict() == 1, f"{board!s}\n{board.rule.label}: {move.text} holds"
        board.pop()
