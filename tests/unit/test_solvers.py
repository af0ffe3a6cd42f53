"""The solvers: what they prove holds against every defence, and what they deny is not there."""

from __future__ import annotations

import random

import pytest

from gomoku import BLACK, WHITE, Board, Color, Rule
from gomoku.engine import Engine
from gomoku.reference import ReferenceBoard, foul, is_five

SMALL = 4 << 20


def fives(board: Board, color: Color) -> list:
    """Empty points where the colour completes a winning line."""
    return [move for move in points(board) if wins(board, move, color)]


def points(board: Board) -> list:
    return [(x, y) for y in range(board.height) for x in range(board.width) if board.stone((x, y)) is None]


def wins(board: Board, move, color: Color) -> bool:
    trial = Board.from_history(
        [*((m, c) for c in Color for m in board.stones(c)), (move, color)],
        to_move=color.other, width=board.width, height=board.height, rule=board.rule, walls=board.walls(),
    )  # fmt: skip
    outcome = trial.outcome()
    return outcome is not None and outcome.winner is color and move in outcome.line


def check_win(engine: Engine, board: Board, plies: int, *, fours_only: bool) -> None:
    """Play the solver's win against every legal reply; each must lose within the plies that are left."""
    assert plies > 0
    attacker = board.turn
    solution = engine.solve(board, fours_only=fours_only, nodes=200_000)
    assert 0 < solution.plies <= plies, f"{board}\n{solution}"
    board.push(solution.moves[0])
    outcome = board.outcome()
    if outcome is not None:
        assert outcome.winner is attacker
        board.pop()
        return
    threatened = fives(board, attacker)
    for reply in list(board.legal_moves):
        if threatened and reply not in threatened and board.rule < Rule.CARO:
            continue  # does not meet the four: the five comes next
        board.push(reply)
        outcome = board.outcome()
        assert outcome is None or outcome.winner is None, f"the defender wins:\n{board}"
        check_win(engine, board, solution.plies - 2, fours_only=fours_only)
        board.pop()
    board.pop()


HAND_MADE = [
    # Four-three: the four must be answered, then the open three becomes an open four.
    (Rule.FREESTYLE, ["f8", "g8", "h8", "i9", "i10"], ["e8", "a1", "a3", "a5", "c1"], True),
    (Rule.STANDARD, ["f8", "g8", "h8", "i9", "i10"], ["e8", "a1", "a3", "a5", "c1"], True),
    (Rule.RENJU, ["f8", "g8", "h8", "i9", "i10"], ["e8", "a1", "a3", "a5", "c1"], True),
    (Rule.CARO, ["f8", "g8", "h8", "i9", "i10"], ["e8", "a1", "a3", "a5", "c1"], True),
    (Rule.CARO_EXACT, ["f8", "g8", "h8", "i9", "i10"], ["e8", "a1", "a3", "a5", "c1"], True),
    # A double three wins where it is allowed.
    (Rule.FREESTYLE, ["g8", "i8", "h7", "h9"], ["a1", "a3", "a5", "c1"], False),
]


@pytest.mark.parametrize(("rule", "black", "white", "fours_only"), HAND_MADE)
def test_hand_made_wins_hold(rule: Rule, black: list, white: list, fours_only: bool) -> None:
    board = Board.from_stones(black, white, to_move=BLACK, width=11, rule=rule)
    engine = Engine(hash_bytes=SMALL)
    solution = engine.solve(board, fours_only=fours_only)
    assert solution.plies > 0
    check_win(engine, board, solution.plies, fours_only=fours_only)


def test_white_wins_by_a_four_whose_answer_is_forbidden() -> None:
    # Black's only answer to the four at k8 is g8, where two open threes cross.
    board = Board.from_stones(
        ["g9", "g10", "h9", "i10", "f8", "l8"], ["h8", "i8", "j8", "a1", "o15"], to_move=WHITE, rule=Rule.RENJU
    )
    assert board.foul("g8")
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
    assert solution.plies == 3
    board.push(solution.moves[0])
    assert not any(board.is_legal(move) for move in fives(board, WHITE))


def test_black_may_not_win_by_a_double_four_in_renju() -> None:
    black, white = ["f8", "g8", "h8", "i9", "i10", "i11"], ["e8", "i12", "a1", "a3", "a5", "o1"]
    wins_of = {
        rule: Engine(hash_bytes=SMALL)
        .solve(Board.from_stones(black, white, to_move=BLACK, rule=rule), fours_only=True)
        .moves[:1]
        for rule in (Rule.FREESTYLE, Rule.RENJU)
    }
    assert [move.text for move in wins_of[Rule.FREESTYLE]] == ["i8"]
    assert [move.text for move in wins_of[Rule.RENJU]] != ["i8"]


def test_a_five_blocked_twice_is_no_win_in_caro() -> None:
    stones = {"black": ["f8", "g8", "h8", "i8"], "white": ["e8", "k8", "a1", "a3"]}
    solved = {
        rule: Engine(hash_bytes=SMALL).solve(Board.from_stones(**stones, to_move=BLACK, rule=rule)).plies
        for rule in Rule
    }
    assert solved == {
        Rule.FREESTYLE: 1, Rule.STANDARD: 1, Rule.RENJU: 1, Rule.CARO: 0, Rule.CARO_EXACT: 0,
    }  # fmt: skip


def random_board(rng: random.Random, rule: Rule, size: int, stones: int) -> Board:
    """A position from a random game without a five on the board or one to be had."""
    while True:
        board = Board(size, rule=rule)
        box = [(x, y) for x in range(size) for y in range(size) if abs(2 * x - size) < 8 and abs(2 * y - size) < 8]
        while board.ply < stones and not board.is_game_over():
            moves = [move for move in box if board.is_legal(move)]
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.ply == stones and not board.is_game_over():
            return board


@pytest.mark.parametrize("fours_only", [True, False], ids=["vcf", "vct"])
@pytest.mark.parametrize("rule", Rule)
def test_random_wins_hold(rule: Rule, fours_only: bool) -> None:
    rng = random.Random(f"{rule}{fours_only}")
    engine = Engine(hash_bytes=SMALL)
    checked = 0
    while checked < (12 if fours_only else 5):
        board = random_board(rng, rule, 9, rng.randint(8, 16))
        solution = engine.solve(board, fours_only=fours_only, nodes=20_000)
        if 3 <= solution.plies <= (9 if fours_only else 7):
            checked += 1
            check_win(engine, board, solution.plies, fours_only=fours_only)


def brute_force_vcf(board: ReferenceBoard, color: Color, plies: int) -> bool:
    """Whether the colour, to move, wins by fours within so many plies: straight from the rules, every four tried."""

    def winning(side: Color) -> list:
        return [move for move in board.empty_points() if is_five(board, move.x, move.y, side)]

    if winning(color):
        return True
    if plies < 3:
        return False
    own_danger = winning(color.other)
    for move in own_danger or board.empty_points():
        if color is BLACK and foul(board, move.x, move.y):
            continue
        board.place(move.x, move.y, color)
        try:
            if winning(color.other) or not winning(color):
                continue
            if all(brute_force_reply(board, color, reply, plies) for reply in stoppers(board, color)):
                return True
        finally:
            board.remove(move.x, move.y)
    return False


def stoppers(board: ReferenceBoard, color: Color) -> list:
    """The other side's legal moves after which the colour has no winning point."""
    found = []
    for move in board.empty_points():
        if color is WHITE and foul(board, move.x, move.y):
            continue
        board.place(move.x, move.y, color.other)
        if not any(is_five(board, point.x, point.y, color) for point in board.empty_points()):
            found.append(move)
        board.remove(move.x, move.y)
    return found


def brute_force_reply(board: ReferenceBoard, color: Color, reply, plies: int) -> bool:
    board.place(reply.x, reply.y, color.other)
    won = brute_force_vcf(board, color, plies - 2)
    board.remove(reply.x, reply.y)
    return won


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("games", [12, pytest.param(150, marks=pytest.mark.slow)])
def test_vcf_agrees_with_brute_force(rule: Rule, games: int) -> None:
    rng = random.Random(int(rule) + 100)
    found = 0
    for _ in range(games):
        board = random_board(rng, rule, 7, rng.randint(14, 24))
        slow = ReferenceBoard(7, 7, rule)
        for color in Color:
            for move in board.stones(color):
                slow.place(move.x, move.y, color)
        solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
        expected = brute_force_vcf(slow, board.turn, 5)
        assert (0 < solution.plies <= 5) == expected, f"{board}\n{solution}"
        found += expected
    assert found or games < 100
