"""The compiled rules against the slow ones, on random positions."""

from __future__ import annotations

import random

import pytest

from gomoku import BLACK, Board, Color, Rule
from gomoku._core._probe import wins_at
from gomoku.reference import ReferenceBoard, foul, is_five
from support import forbidden_boards

FAST_POINTS = 6_000
SLOW_POINTS = 1_000_000


def random_boards(rng: random.Random, rule: Rule):
    """Yield pairs of equal boards, compiled and slow: stones in clumps, so that long lines are common."""
    while True:
        width, height = rng.choice([(15, 15), (15, 15), (9, 9), (6, 11), (20, 20)])
        points = [(x, y) for y in range(height) for x in range(width)]
        share = rng.uniform(0.1, 0.6)
        bias = rng.uniform(0.3, 0.7)
        stones = {point: (BLACK if rng.random() < bias else Color.WHITE) for point in points if rng.random() < share}
        slow = ReferenceBoard(width, height, rule)
        for (x, y), color in stones.items():
            slow.place(x, y, color)
        fast = Board.from_history(stones.items(), to_move=BLACK, width=width, height=height, rule=rule)
        yield fast, slow


def compare(rule: Rule, points: int) -> None:
    rng = random.Random(int(rule))
    compared = 0
    for fast, slow in random_boards(rng, rule):
        for move in slow.empty_points():
            compared += 1
            expected = foul(slow, move.x, move.y)
            assert fast.foul(move) is expected, f"{fast}\n{move}"
            for color in Color:
                won = wins_at(fast, move.x, move.y, color)
                assert won == is_five(slow, move.x, move.y, color), f"{fast}\n{move} {color}"
        if compared >= points:
            return


@pytest.mark.parametrize("rule", Rule)
def test_random_points(rule: Rule) -> None:
    compare(rule, FAST_POINTS)


@pytest.mark.slow
@pytest.mark.parametrize("rule", Rule)
def test_a_million_random_points(rule: Rule) -> None:
    compare(rule, SLOW_POINTS)


def test_labelled_boards() -> None:
    for labelled in forbidden_boards():
        board = Board.from_stones(labelled.black, labelled.white, to_move=BLACK, width=labelled.size, rule=Rule.RENJU)
        points = [(x, y) for y in range(labelled.size) for x in range(labelled.size) if board.stone((x, y)) is None]
        found = {point: board.foul(point) for point in points if board.foul(point)}
        assert found == dict(labelled.forbidden), board
