"""What must hold after any sequence of moves."""

from __future__ import annotations

import random

import pytest

from gomoku import BLACK, Board, Color, Rule
from gomoku._core._probe import PositionProbe

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies
SETTINGS = hypothesis.settings(max_examples=60, deadline=None)


@SETTINGS
@hypothesis.given(
    rule=st.sampled_from(Rule),
    size=st.tuples(st.integers(5, 22), st.integers(5, 22)),
    steps=st.lists(st.integers(0, 10**6), max_size=60),
)
def test_board_push_and_pop_restore_everything(rule: Rule, size: tuple[int, int], steps: list[int]) -> None:
    board = Board(*size, rule=rule)
    trail = []
    for step in steps:
        if step % 4 == 0 and trail:
            board.pop()
            key, text, outcome = trail.pop()
            assert (board.key, str(board), board.outcome()) == (key, text, outcome)
        elif not board.is_game_over():
            moves = list(board.legal_moves)
            if not moves:
                break
            trail.append((board.key, str(board), board.outcome()))
            board.push(moves[step % len(moves)])
        board._check()
    replayed = Board(*size, rule=rule)
    for move in board.move_stack:
        replayed.push(move)
    assert replayed == board
    assert replayed.outcome() == board.outcome()


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(("width", "height"), [(5, 5), (15, 15), (22, 22), (20, 10), (7, 22)])
def test_position_is_right_after_every_push_and_pop(width: int, height: int, rule: Rule) -> None:
    rng = random.Random(f"{width}{height}{rule}")
    walls = rng.sample([(x, y) for x in range(width) for y in range(height)], 3)
    board = Board.from_stones([], [], to_move=BLACK, walls=walls, width=width, height=height, rule=rule)
    probe = PositionProbe(board)
    points = [(x, y) for x in range(width) for y in range(height) if (x, y) not in walls]
    rng.shuffle(points)
    depth = 0
    for point in points[:130]:
        probe.push(*point)
        assert probe.check() == 0
        depth += 1
        if rng.random() < 0.3:
            probe.pop()
            assert probe.check() == 0
            probe.push(*point)
        assert -6000 <= probe.evaluate() <= 6000
    for _ in range(depth):
        probe.pop()
        assert probe.check() == 0


def random_board(rng: random.Random, rule: Rule) -> Board:
    board = Board(15, rule=rule)
    while board.ply < 24:
        board.push_unchecked(
            rng.choice([(x, y) for x in range(4, 12) for y in range(4, 12) if not board.stone((x, y))])
        )
    return board


@pytest.mark.parametrize("rule", Rule)
def test_symmetries_and_colours_keep_the_evaluation(rule: Rule) -> None:
    rng = random.Random(int(rule))
    for _ in range(20):
        board = random_board(rng, rule)
        value = PositionProbe(board).evaluate()
        assert {PositionProbe(board.transform(index)).evaluate() for index in range(8)} == {value}
        if rule is not Rule.RENJU:
            swapped = Board.from_stones(
                board.stones(Color.WHITE), board.stones(BLACK), to_move=board.turn.other, rule=rule
            )
            assert PositionProbe(swapped).evaluate() == value
