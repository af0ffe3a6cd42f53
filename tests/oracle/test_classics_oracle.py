"""The compiled classic opponents against their slow twins, on random positions of every rule and shape of board."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from classics_boards import ClassicsCase, ScriptedRandom, classics_cases
from gomoku import BLACK, Board, Color, Move, Rule
from gomoku.classics import Chains, Field, WinLines
from gomoku.classics._field import Potentials
from gomoku.classics._winlines import LineCounts
from gomoku.classics.players import positional_matrix
from gomoku.reference import chains, field, winlines
from gomoku.types import WALL

SIZES = ((15, 15), (10, 10), (19, 19), (5, 5), (6, 11), (22, 5), (13, 8), (22, 22))
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)


def random_board(rng: random.Random, rule: Rule) -> Board:
    """Stones and a few walls anywhere, from none to nearly full, played in any order of colours."""
    width, height = rng.choice(SIZES)
    share, bias, walls = rng.uniform(0.0, 0.9), rng.uniform(0.3, 0.7), rng.choice((0, 0, 0.05, 0.3))
    stones, blocked = [], []
    points = [Move(x, y) for y in range(height) for x in range(width)]
    for move in rng.sample(points, len(points) - 1):  # at least one stays empty
        if rng.random() < share:
            stones.append((move, BLACK if rng.random() < bias else Color.WHITE))
        elif rng.random() < walls:
            blocked.append(move)
    turn = rng.choice((BLACK, Color.WHITE))
    return Board.from_history(stones, to_move=turn, walls=blocked, width=width, height=height, rule=rule)


def cells_of(board: Board) -> list[list[int]]:
    return [[int(board.stone((x, y)) or 0) for x in range(board.width)] for y in range(board.height)]


def allowed(board: Board) -> list[Move]:
    empty = [Move(x, y) for y in range(board.height) for x in range(board.width) if board.stone((x, y)) is None]
    return [move for move in empty if board.turn is not BLACK or not board.foul(move)]


def last_stone(board: Board, color: Color) -> Move | None:
    return next((move for move in reversed(board.move_stack) if board.stone(move) is color), None)


def compare_winlines(rule: Rule, positions: int) -> None:
    rng = random.Random(f"winlines {rule.label}")
    own_values = (0, 3, 3, 50, 7)
    players = [WinLines(), WinLines(values=own_values)]
    seen = set()
    for _ in range(positions):
        board = random_board(rng, rule)
        cells = cells_of(board)
        for player, values in zip(players, (winlines.VALUES, own_values), strict=True):
            for color in Color:
                assert player.grades(board, color).tolist() == winlines.grades(cells, color, values), board
            assert player.choose(board) == winlines.choose(cells, board.turn, allowed(board), values), board
        player = players[0]
        won = [color for color in Color if player.is_won(board, color)]
        assert winlines.winner(cells) in (won or [None])
        assert player.is_drawn(board) is winlines.is_drawn(cells)
        seen.add((bool(won), player.is_drawn(board)))
    assert seen >= {(False, False), (True, False)}


def compare_chains(rule: Rule, positions: int) -> None:
    rng = random.Random(f"chains {rule.label}")
    numbers = {"base": 3, "own": 5, "opposing": 7}
    for _ in range(positions):
        board = random_board(rng, rule)
        cells = cells_of(board)
        for player, given in ((Chains(), {}), (Chains(**numbers), numbers)):
            for color in Color:
                assert player.grades(board, color).tolist() == chains.grades(cells, color, **given), board
            assert player.choose(board) == chains.choose(cells, board.turn, allowed(board), **given), board


def compare_field(rule: Rule, positions: int) -> None:
    rng = random.Random(f"field {rule.label}")
    player, chance = Field(seed=7), random.Random(7)
    completing = 0
    for _ in range(positions):
        board = random_board(rng, rule)
        cells = cells_of(board)
        for color in Color:
            assert player.grades(board, color).tolist() == field.values(cells), board
        last = last_stone(board, board.turn), last_stone(board, board.turn.other)
        completing += any(stone and field.completing_points(cells, stone) for stone in last)
        # One stream of numbers for all positions: a number too many or too few shows in the ones that follow.
        assert player.choose(board) == field.choose(cells, board.turn, allowed(board), *last, chance), board
    assert 0 < completing < positions


COMPARISONS = pytest.mark.parametrize("compare", [compare_winlines, compare_chains, compare_field])


@BY_RULE
@COMPARISONS
def test_random_positions(compare: Callable[[Rule, int], None], rule: Rule) -> None:
    compare(rule, 8)


@pytest.mark.slow
@BY_RULE
@COMPARISONS
def test_thousands_of_random_positions(compare: Callable[[Rule, int], None], rule: Rule) -> None:
    compare(rule, 400)


@pytest.mark.slow
@BY_RULE
def test_games_against_each_other(rule: Rule) -> None:
    """Along games the players keep what they know of the position before; the twins begin anew each time."""
    rng = random.Random(int(rule))
    for number in range(2):
        board = Board(9 + 3 * number, 15 - 2 * number, rule=rule)
        counting, chaining, feeling, chance = WinLines(), Chains(), Field(seed=1), random.Random(1)
        while not board.is_game_over() and board.ply < 60:
            cells, points = cells_of(board), allowed(board)
            if not points:
                break
            last = last_stone(board, board.turn), last_stone(board, board.turn.other)
            moves = [
                (counting.choose(board), winlines.choose(cells, board.turn, points)),
                (chaining.choose(board), chains.choose(cells, board.turn, points)),
                (feeling.choose(board), field.choose(cells, board.turn, points, *last, chance)),
            ]
            for fast, slow in moves:
                assert fast == slow, board
            board.push(rng.choice(moves)[0])


# --- boards worked out by hand ---------------------------------------------------------------------------------------


def board_of(case: ClassicsCase) -> Board:
    """The case's board, with the stones it names as the last ones of their sides."""
    height, width = len(case.cells), len(case.cells[0])
    held = {Move(x, y): content for y, row in enumerate(case.cells) for x, content in enumerate(row) if content}
    last = [case.options.get(key) for key in ("last_opposing", "last_own")]
    stones = [move for move, content in held.items() if content != WALL and move not in last]
    stones += [move for move in last if move is not None]
    walls = [move for move, content in held.items() if content == WALL]
    played = [(move, Color(held[move])) for move in stones]
    return Board.from_history(played, to_move=case.color or BLACK, walls=walls, width=width, height=height)


def can_be_asked(case: ClassicsCase) -> bool:
    """Whether a board can say it: it has no points that may not be played but by rule, and every stone was played."""
    if case.question != "choose":
        return True
    board = board_of(case)
    if case.player == "field":
        last = last_stone(board, board.turn), last_stone(board, board.turn.other)
        if last != (case.options["last_own"], case.options["last_opposing"]):
            return False
    return set(case.allowed) in (set(), set(allowed(board)))


CASES = [case for name in ("winlines", "chains", "field") for case in classics_cases(name) if can_be_asked(case)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_boards_worked_out_by_hand(case: ClassicsCase) -> None:
    assert answer(case, board_of(case)) == case.expected


def answer(case: ClassicsCase, board: Board) -> object:
    """What the compiled opponents say to a case's question."""
    chance = ScriptedRandom(case.draws)
    grader = Potentials(chance.random)
    options = {key: value for key, value in case.options.items() if not key.startswith("last")}
    player = {"winlines": WinLines, "chains": Chains, "field": Field}[case.player](**options)
    match case.question:
        case "lines":
            lines = LineCounts(winlines.VALUES)
            lines.synchronise(Board(board.width, board.height))
            return lines.live_lines(BLACK)
        case "winner":
            return next((color for color in Color if player.is_won(board, color)), None)
        case "drawn":
            return player.is_drawn(board)
        case "matrix":
            return positional_matrix(board.width, board.height)[case.point.y][case.point.x]
        case "potentials":
            return grader.potentials(board, case.point) if board.stone(case.point) is None else (0, 0, 0, 0)
        case "completing":
            return tuple(grader.completing(board, case.point))
        case "grade" | "value":
            return int(player.grades(board, case.color)[case.point.y, case.point.x])
        case "choose":
            move = grader.choose(board) if case.player == "field" else player.choose(board)
            assert not chance.left
            return move
    raise ValueError(f"{case.question!r} is no question for a compiled opponent")


def test_most_cases_can_be_asked() -> None:
    for name in ("winlines", "chains", "field"):
        asked = [case for case in CASES if case.player == name]
        assert len(asked) > 0.7 * len(classics_cases(name))
        assert sum(case.question == "choose" for case in asked) >= 10


# --- the random boards themselves ------------------------------------------------------------------------------------


def test_walls_are_among_the_random_positions() -> None:
    rng = random.Random(1)
    boards = [random_board(rng, Rule.FREESTYLE) for _ in range(50)]
    assert sum(WALL in row for board in boards for row in cells_of(board)) > 50
    assert len({(board.width, board.height) for board in boards}) == len(SIZES)
