"""What must hold after any sequence of moves, and however the board is turned."""

from __future__ import annotations

import random

import pytest

from gomoku import BLACK, WHITE, Board, Color, Move, Rule
from gomoku._core._probe import PositionProbe
from support import random_game

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

HIGHEST_VALUE = 6000
SIDES = st.integers(5, 22)
STEPS = st.lists(st.integers(0, 10**6), max_size=80)
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)


def snapshot(board: Board) -> tuple[object, ...]:
    return board.key, board.turn, board.empty, str(board), board.outcome(), tuple(board.move_stack)


@hypothesis.settings(max_examples=80, deadline=None)
@hypothesis.given(rule=st.sampled_from(Rule), width=SIDES, height=SIDES, steps=STEPS, checked=st.booleans())
def test_push_and_pop_restore_the_board(rule: Rule, width: int, height: int, steps: list[int], checked: bool) -> None:
    """Every fourth step or so takes a stone back; unchecked walks also run into fouls and past the end of the game."""
    board = Board(width, height, rule=rule)
    trail = []
    for step in steps:
        if step % 4 == 0 and trail:
            board.pop()
            assert snapshot(board) == trail.pop()
        else:
            free = [Move(x, y) for y in range(height) for x in range(width) if board.stone((x, y)) is None]
            moves = list(board.legal_moves) if checked else free
            if not moves:
                break
            trail.append(snapshot(board))
            (board.push if checked else board.push_unchecked)(moves[step % len(moves)])
        board._check()
    replayed = Board(width, height, rule=rule)
    for move in board.move_stack:
        replayed.push_unchecked(move)
    assert snapshot(replayed) == snapshot(board)
    while trail:
        board.pop()
        assert snapshot(board) == trail.pop()
    assert snapshot(board) == snapshot(Board(width, height, rule=rule))


def walk(rng: random.Random, board: Board, steps: int) -> None:
    """Push and pop at random from a board to its last point, or for so many steps; checks all after each of them."""
    probe = PositionProbe(board)
    assert probe.check() == 0
    start = probe.evaluate()
    free = [Move(x, y) for y in range(board.height) for x in range(board.width) if board.stone((x, y)) is None]
    rng.shuffle(free)
    trail = []
    for _ in range(steps):
        if not free or (trail and rng.random() < 0.3):
            move, value = trail.pop()
            free.insert(rng.randrange(len(free) + 1), move)
            probe.pop()
            assert probe.evaluate() == value
        else:
            trail.append((free.pop(), probe.evaluate()))
            probe.push(*trail[-1][0])
        assert probe.check() == 0
        assert -HIGHEST_VALUE <= probe.evaluate() <= HIGHEST_VALUE
    for move, value in reversed(trail):
        probe.pop()
        assert probe.check() == 0, f"after taking back {move.text}"
        assert probe.evaluate() == value
    assert probe.evaluate() == start


@BY_RULE
@pytest.mark.parametrize("side", range(5, 23))
def test_the_position_is_right_after_every_push_and_pop(side: int, rule: Rule) -> None:
    """Square and oblong boards of all sizes, from the empty board with walls and from the middle of a game."""
    rng = random.Random(f"{side} {rule.label}")
    walk(rng, random_game(rng, rule, (side, side), 0, walls=side // 4), 100)
    walk(rng, random_game(rng, rule, (side, 27 - side), rng.randint(1, 15)), 100)


@BY_RULE
def test_the_position_is_right_to_the_last_point(rule: Rule) -> None:
    rng = random.Random(int(rule))
    for width, height in ((22, 22), (6, 5)):
        probe = PositionProbe(Board(width, height, rule=rule))
        points = [(x, y) for y in range(height) for x in range(width)]
        rng.shuffle(points)
        for x, y in points:
            probe.push(x, y)
            assert probe.check() == 0
        assert probe.near_points() == []
        for _ in points:
            probe.pop()
            assert probe.check() == 0


@pytest.mark.slow
@BY_RULE
def test_the_position_is_right_on_long_walks(rule: Rule) -> None:
    rng = random.Random(int(rule) + 1)
    for _ in range(200):
        size = rng.randint(5, 22), rng.randint(5, 22)
        walk(rng, random_game(rng, rule, size, rng.randint(0, 15), walls=rng.randint(0, 5)), 600)


def classes(board: Board, symmetry: int = 0, *, swap: bool = False) -> dict[tuple[Move, Color], int]:
    """The class of every empty point for both colours, by where a symmetry sends the point.

    Args:
        board: the position, which is looked at through the symmetry.
        symmetry: the index that :meth:`Board.transform` takes.
        swap: whether to exchange the colours.
    """
    probe = PositionProbe(board.transform(symmetry))
    places = Board(board.width, board.height)
    found = {}
    for y in range(board.height):
        for x in range(board.width):
            if board.stone((x, y)) is None:
                places.push_unchecked((x, y))
                seen = places.transform(symmetry).peek()
                places.pop()
                for color in Color:
                    found[Move(x, y), color.other if swap else color] = probe.point_class(*seen, color)
    return found


@BY_RULE
@pytest.mark.parametrize("size", [(15, 15), (9, 13)])
def test_symmetries_keep_values_and_classes(rule: Rule, size: tuple[int, int]) -> None:
    rng = random.Random(int(rule))
    for _ in range(6):
        board = random_game(rng, rule, size, rng.randint(10, 40), spread=4, walls=2)
        expected = classes(board)
        assert len(set(expected.values())) > 4
        for index in range(8):
            assert PositionProbe(board.transform(index)).evaluate() == PositionProbe(board).evaluate()
            assert classes(board, index) == expected


@BY_RULE
def test_colours_may_be_exchanged_except_in_renju(rule: Rule) -> None:
    rng = random.Random(int(rule))
    same = 0
    for _ in range(12):
        board = random_game(rng, rule, (15, 15), rng.randint(10, 40), spread=4, walls=2)
        stones = [(move, WHITE if board.stone(move) is BLACK else BLACK) for move in board.move_stack]
        swapped = Board.from_history(stones, to_move=board.turn.other, walls=board.walls(), rule=rule)
        same += PositionProbe(swapped).evaluate() == PositionProbe(board).evaluate() and classes(
            swapped, swap=True
        ) == classes(board)
    assert same == 12 if rule is not Rule.RENJU else same < 12


@hypothesis.settings(max_examples=60, deadline=None)
@hypothesis.given(rule=st.sampled_from(Rule), width=SIDES, height=SIDES, seed=st.integers(0, 10**6))
def test_the_evaluation_is_never_near_a_proven_result(rule: Rule, width: int, height: int, seed: int) -> None:
    """Also where rows of one colour fill most of the board, which no game would bring about."""
    rng = random.Random(seed)
    share, bias = rng.random(), rng.random()
    stones = [
        (Move(x, y), BLACK if rng.random() < bias else WHITE)
        for y in range(height)
        for x in range(width)
        if rng.random() < share
    ]
    for turn in Color:
        board = Board.from_history(stones, to_move=turn, width=width, height=height, rule=rule)
        assert -HIGHEST_VALUE <= PositionProbe(board).evaluate() <= HIGHEST_VALUE
