"""The compiled rules and line shapes against the slow ones, on random positions."""

from __future__ import annotations

import random

import pytest

from gomoku import BLACK, WHITE, Board, Color, Foul, Move, Rule
from gomoku._core._probe import PositionProbe, wins_at
from gomoku.reference import DIRECTIONS, ReferenceBoard, foul, is_five, line_shape, winning_line
from gomoku.types import WALL
from support import forbidden_boards, slow_twin

SIZES = ((15, 15), (15, 15), (9, 9), (6, 11), (5, 22), (20, 20))


def random_board(rng: random.Random, rule: Rule) -> Board:
    """Stones and a few walls anywhere, from thin to dense, so that long rows of one colour are common."""
    width, height = rng.choice(SIZES)
    share, bias, walls = rng.uniform(0.1, 0.6), rng.uniform(0.3, 0.7), rng.choice((0, 0, 0.03))
    contents = {}
    for move in (Move(x, y) for y in range(height) for x in range(width)):
        if rng.random() < share:
            contents[move] = BLACK if rng.random() < bias else WHITE
        elif rng.random() < walls:
            contents[move] = WALL
    stones = [(move, content) for move, content in contents.items() if content != WALL]
    blocked = [move for move, content in contents.items() if content == WALL]
    return Board.from_history(stones, to_move=BLACK, walls=blocked, width=width, height=height, rule=rule)


def compare(rule: Rule, points: int) -> None:
    """Fouls and wins of both colours on every empty point of random boards, until so many points are compared."""
    rng = random.Random(int(rule))
    compared = fouls = wins = 0
    while compared < points:
        fast = random_board(rng, rule)
        slow = slow_twin(fast)
        for move in slow.empty_points():
            compared += 1
            kind = foul(slow, *move)
            fouls += kind is not Foul.NONE
            assert fast.foul(move) is kind, f"{fast}\n{move.text}"
            for color in Color:
                won = is_five(slow, *move, color)
                wins += won
                assert wins_at(fast, *move, color) is won, f"{fast}\n{move.text} {color.name}"
    assert wins > points // 500
    assert (fouls > points // 500) is (rule is Rule.RENJU)


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_random_points(rule: Rule) -> None:
    compare(rule, 6_000)


@pytest.mark.slow
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_a_million_random_points(rule: Rule) -> None:
    compare(rule, 1_000_000)


def test_labelled_boards() -> None:
    for labelled in forbidden_boards():
        board = Board.from_stones(labelled.black, labelled.white, to_move=BLACK, width=labelled.size, rule=Rule.RENJU)
        points = [Move(x, y) for y in range(labelled.size) for x in range(labelled.size)]
        found = {move: kind for move in points if board.stone(move) is None and (kind := board.foul(move))}
        assert found == labelled.forbidden, str(board)


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_winning_lines(rule: Rule) -> None:
    """The stones that a finished game names are those that the slow rules name."""
    rng = random.Random(int(rule))
    checked = 0
    while checked < 60:
        board = random_board(rng, rule)
        slow = slow_twin(board)
        for move in () if board.is_game_over() else slow.empty_points():
            board.push_unchecked(move)
            if board.outcome() and board.outcome().line:
                slow.place(*move, BLACK)
                assert board.outcome().line == winning_line(slow, *move)
                slow.remove(*move)
                checked += 1
            board.pop()


def window(slow: ReferenceBoard, move: Move, color: Color, dx: int, dy: int) -> str:
    """The eleven points around an empty one as the line classifier writes them, its own stone in the centre."""
    symbols = {0: ".", int(color): "X", int(color.other): "O", WALL: "#"}
    cells = [symbols[slow.at(move.x + step * dx, move.y + step * dy)] for step in range(-5, 6)]
    return "".join([*cells[:5], "X", *cells[6:]])


def check_shapes(probe: PositionProbe, slow: ReferenceBoard, move: Move) -> None:
    for color in Color:
        shapes = tuple(line_shape(window(slow, move, color, *way), slow.rule, color) for way in DIRECTIONS)
        assert probe.shape_names(*move, color) == shapes, f"{move.text} {color.name}"


@pytest.mark.parametrize("boards", [30, pytest.param(2_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_shapes_of_random_points(rule: Rule, boards: int) -> None:
    rng = random.Random(int(rule))
    for _ in range(boards):
        board = random_board(rng, rule)
        slow = slow_twin(board)
        probe = PositionProbe(board)
        for move in rng.sample(slow.empty_points(), 12):
            check_shapes(probe, slow, move)


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_shapes_along_random_games(rule: Rule) -> None:
    """Shapes that grew stone by stone, and those left after taking the stones back."""
    rng = random.Random(int(rule) + 50)
    board = Board(11, 9, rule=rule)
    slow, probe = slow_twin(board), PositionProbe(board)
    points = slow.empty_points()
    played = rng.sample(points, 60)
    for number, move in enumerate(played):
        probe.push(*move)
        slow.place(*move, number % 2 + 1)
        check_shapes(probe, slow, rng.choice(slow.empty_points()))
    for move in reversed(played):
        probe.pop()
        slow.remove(*move)
        check_shapes(probe, slow, rng.choice(slow.empty_points()))


def test_every_foul_is_marked_in_the_position_and_every_mark_but_double_threes_is_a_foul() -> None:
    forbidden_class = 1
    doubted = 0
    for labelled in forbidden_boards(limit=150):
        board = Board.from_stones(labelled.black, labelled.white, to_move=BLACK, width=labelled.size, rule=Rule.RENJU)
        probe = PositionProbe(board)
        for move in slow_twin(board).empty_points():
            marked = probe.point_class(*move, BLACK) == forbidden_class
            assert marked or move not in labelled.forbidden
            if marked and move not in labelled.forbidden:
                doubted += 1
                threes = [name for name in probe.shape_names(*move, BLACK) if name.startswith("OPEN_THREE")]
                assert len(threes) >= 2, f"{board!s}\n{move.text}"
    assert doubted
