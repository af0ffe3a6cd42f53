"""The solvers: what they prove holds against every defence, and what they deny is not there."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from gomoku import BLACK, WHITE, Board, Color, Foul, Move, Rule
from gomoku._core._probe import PositionProbe
from gomoku._core.search import Searcher
from gomoku.bench import read_suite, suite_names
from gomoku.engine import Engine, Solution
from gomoku.reference import DIRECTIONS, ReferenceBoard, five_points, foul, is_five, winning_line
from support import random_game, slow_twin

SMALL = 4 << 20
FORBIDDEN_CLASS = 1
FAR = ["a1", "c1", "e1", "a3", "a5", "k1"]  # stones that do nothing in the corner of the board


def vcf_within(board: Board, plies: int) -> tuple[int, list[Move], bool]:
    """Plies and line of a win by fours within a limit, and whether the search was finished."""
    searcher = Searcher(SMALL)
    searcher.set_position(board)
    searcher.start()
    return searcher.solve(True, plies, 10_000_000)


def fives(slow: ReferenceBoard, color: Color) -> list[Move]:
    """Empty points where the colour completes a winning line."""
    return [move for move in slow.empty_points() if is_five(slow, *move, color)]


def fives_with(slow: ReferenceBoard, move: Move, color: Color) -> list[Move]:
    """Empty points where the colour completes a winning line that contains ``move``."""
    return [point for way in DIRECTIONS for point in five_points(slow, *move, color, *way)]


def stands(slow: ReferenceBoard, five: Move, reply: Move, color: Color) -> bool:
    """Whether a five is still to be had after a reply of the other side, whose stone is on the board."""
    dx, dy = abs(five.x - reply.x), abs(five.y - reply.y)
    if max(dx, dy) > 5 or (dx and dy and dx != dy):
        return True  # on no line of the five, nor next to its ends
    return five != reply and is_five(slow, *five, color)


# --- a proof is tried against every defence --------------------------------------------------------------------------


class Opponent:
    """Tries every legal reply to what a solver proposes; the fives are judged by the reference rules.

    Attributes:
        solutions: the answers of the solver by position, so that none is tried twice.
    """

    def __init__(self, board: Board, *, fours_only: bool) -> None:
        self.searcher = Searcher(SMALL)
        self.fours_only = fours_only
        self.board = board.copy()
        self.slow = slow_twin(board)
        self.solutions: dict[int, Solution] = {}

    def challenge(self, plies: int) -> None:
        """The side to move wins within so many plies whatever the other side plays."""
        board, slow, attacker = self.board, self.slow, self.board.turn
        if self.is_known(plies):
            return
        solution = self.solve(plies)
        assert 0 < solution.plies <= plies, f"{board!s}\nwon in {plies} before this move, now {solution}"
        assert solution.plies % 2 == 1
        self.solutions[board.key] = solution
        board.push(solution.moves[0])
        slow.place(*solution.moves[0], attacker)
        if solution.plies == 1:
            assert winning_line(slow, *solution.moves[0])
            assert board.outcome().winner is attacker
        else:
            self.reply_everywhere(attacker, solution)
        slow.remove(*solution.moves[0])
        board.pop()

    def solve(self, plies: int) -> Solution:
        """A win within so many plies; the first one found may be longer than another that was promised."""
        self.searcher.set_position(self.board)
        self.searcher.start()
        for fours_only in (self.fours_only, True):
            found, moves, finished = self.searcher.solve(fours_only, plies, 2_000_000)
            if found:
                return Solution(found, tuple(moves), False, 0)
        return Solution(0, (), finished, 0)

    def is_known(self, plies: int) -> bool:
        known = self.solutions.get(self.board.key)
        return known is not None and known.plies <= plies

    def reply_everywhere(self, attacker: Color, solution: Solution) -> None:
        board, slow = self.board, self.slow
        threatened = fives_with(slow, solution.moves[0], attacker)
        assert not fives(slow, attacker.other), f"{board!s}\nthe other side has a five"
        if self.fours_only:
            assert threatened, f"{board!s}\nthe last stone made no four"
        for reply in list(board.legal_moves):
            slow.place(*reply, attacker.other)
            if not any(stands(slow, five, reply, attacker) for five in threatened):
                board.push(reply)
                self.challenge(solution.plies - 2)
                board.pop()
            slow.remove(*reply)


def check_line(board: Board, solution: Solution) -> None:
    """The line is legal, as long as the solver says, and ends in a five of the side that began."""
    replay = board.copy()
    for move in solution.moves:
        replay.push(move)
    assert len(solution.moves) == solution.plies, f"{board!s}\n{solution}"
    assert replay.outcome().winner is board.turn


FOUR_THREE = (["f8", "g8", "h8", "i9", "i10"], ["e8", *FAR[:4]])
CROSS = (["d5", "f5", "e4", "e6"], ["a1", "i1", "a9", "i9"])
# Black's four at i8 is answered by white's own at j8, which black's at j9 answers, and that goes on with the column.
COUNTER_FOUR = (
    ["f8", "g8", "h8", "i9", "i10", "j4", "h11", "g12"],
    ["e8", "j5", "j6", "j7", "f13", *FAR[:3]],
)


class Position(NamedTuple):
    """A hand-made position that the side to move wins."""

    name: str
    rule: Rule
    width: int
    black: list[str]
    white: list[str]
    turn: Color
    fours_only: bool


def positions() -> list[Position]:
    found = []
    for rule in Rule:
        found += [
            Position("four-three", rule, 13, *FOUR_THREE, BLACK, True),
            Position("four-three-white", rule, 13, *FOUR_THREE[::-1], WHITE, True),
            Position("counter-four", rule, 13, *COUNTER_FOUR, BLACK, True),
            Position("double-three-white", rule, 9, *CROSS[::-1], WHITE, False),
        ]
        if rule is not Rule.RENJU:
            found.append(Position("double-three", rule, 9, *CROSS, BLACK, False))
    found.append(Position("six", Rule.RENJU, 13, FAR[:5], ["d8", "e8", "f8", "h8", "i8"], WHITE, True))
    return found


@pytest.mark.parametrize("position", positions(), ids=lambda position: f"{position.name}-{position.rule.label}")
def test_hand_made_wins_hold(position: Position) -> None:
    board = Board.from_stones(
        position.black, position.white, to_move=position.turn, width=position.width, rule=position.rule
    )
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=position.fours_only)
    check_line(board, solution)
    Opponent(board, fours_only=position.fours_only).challenge(solution.plies)


def test_a_counter_four_that_is_not_met_by_a_four_refutes() -> None:
    """As above without the diagonal: black must spend j9 on white's four, and the column is gone."""
    black, white = ["f8", "g8", "h8", "i9", "i10", "j4"], ["e8", "j5", "j6", "j7", *FAR[:2]]
    board = Board.from_stones(black, white, to_move=BLACK, width=13)
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
    assert solution[:3] == (0, (), True)


@pytest.mark.parametrize(
    ("black", "kind"),
    [
        (["g9", "g10", "h9", "i10"], Foul.DOUBLE_THREE),
        (["g5", "g6", "g7", "h9", "i10", "j11"], Foul.DOUBLE_FOUR),
        (["g5", "g6", "g7", "g9", "g10"], Foul.OVERLINE),
    ],
)
def test_white_wins_by_a_four_that_black_may_not_answer(black: list[str], kind: Foul) -> None:
    black, white = [*black, "f8", "l8"], ["h8", "i8", "j8", "g4", "a1"]
    board = Board.from_stones(black, white, to_move=WHITE, rule=Rule.RENJU)
    assert board.foul("g8") is kind
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
    assert solution.plies == 3
    assert solution.moves[0].text == "k8"
    check_line(board, solution)
    Opponent(board, fours_only=True).challenge(3)
    assert vcf_within(board, 3)[0] == 3
    # In a rule without fouls black just answers.
    free = Board.from_stones(black, white, to_move=WHITE, rule=Rule.STANDARD)
    assert Engine(hash_bytes=SMALL).solve(free, fours_only=True).plies != 3


@pytest.mark.parametrize(
    ("black", "white", "move"),
    [
        (["g7", "i8", "d6", "e8", "g9", "g8", "e9", "d7"], ["g6", "f9"], "f8"),
        (["d3", "d5", "c7", "f4", "d7", "e7", "e6", "c5"], ["f7"], "d6"),
    ],
)
def test_black_wins_on_a_point_that_only_seems_forbidden(black: list[str], white: list[str], move: str) -> None:
    board = Board.from_stones(black, white, to_move=BLACK, width=11, rule=Rule.RENJU)
    point = Move(ord(move[0]) - 97, int(move[1:]) - 1)
    assert PositionProbe(board).point_class(*point, BLACK) == FORBIDDEN_CLASS
    assert board.foul(move) is Foul.NONE
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
    assert solution.moves[0] == point
    check_line(board, solution)
    Opponent(board, fours_only=True).challenge(solution.plies)


def test_black_may_not_win_by_a_double_four_in_renju() -> None:
    black, white = ["f8", "g8", "h8", "i9", "i10", "i11"], ["e8", "i12", *FAR[:4]]
    first = {}
    for rule in (Rule.FREESTYLE, Rule.RENJU):
        board = Board.from_stones(black, white, to_move=BLACK, rule=rule)
        first[rule] = Engine(hash_bytes=SMALL).solve(board, fours_only=True).moves[:1]
    assert first[Rule.FREESTYLE] == (Move(8, 7),)
    assert first[Rule.RENJU] != (Move(8, 7),)


@pytest.mark.parametrize(
    ("black", "white", "plies"),
    [
        # A five between two white stones: none in caro.
        (["f8", "g8", "h8", "i8"], ["e8", "k8", "a1", "a3"], (1, 1, 1, 0, 0)),
        # Six is none in standard, none for black in renju, and in caro only where it need not be exact.
        (["d8", "e8", "f8", "h8", "i8"], ["c8", "j8", "a1", "a3", "a5"], (1, 0, 0, 1, 0)),
        # An open four with white two points away on both sides is open only where both its fives count.
        (["f8", "g8", "h8"], ["d8", "k8", "a1"], (3, 3, 3, 0, 0)),
    ],
)
def test_what_wins_by_fours_depends_on_the_rule(black: list[str], white: list[str], plies: tuple[int, ...]) -> None:
    for rule, expected in zip(Rule, plies, strict=True):
        board = Board.from_stones(black, white, to_move=BLACK, rule=rule)
        assert Engine(hash_bytes=SMALL).solve(board, fours_only=True).plies == expected, rule.label
        assert bool(brute_force(slow_twin(board), BLACK, 3)) is (expected > 0), rule.label


@pytest.mark.parametrize(("fours_only", "shortest", "longest"), [(True, 3, 21), (False, 5, 9)], ids=["vcf", "vct"])
@pytest.mark.parametrize("games", [2, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_wins_of_random_games_hold(rule: Rule, games: int, fours_only: bool, shortest: int, longest: int) -> None:
    rng = random.Random(f"{rule.label} {fours_only}")
    engine = Engine(hash_bytes=SMALL)
    checked = 0
    while checked < games:
        size = rng.choice((7, 8, 9))
        board = random_game(rng, rule, (size, size), rng.randint(8, 20), spread=3)
        solution = engine.solve(board, fours_only=fours_only, nodes=20_000)
        if shortest <= solution.plies <= longest:
            check_line(board, solution)
            Opponent(board, fours_only=fours_only).challenge(solution.plies)
            checked += 1


@pytest.mark.parametrize("name", suite_names())
@pytest.mark.parametrize(
    ("kind", "count"),
    [("vcf", 2), pytest.param("vcf", 25, marks=pytest.mark.slow), pytest.param("vct", 2, marks=pytest.mark.slow)],
)
def test_wins_of_the_suites_hold(name: str, kind: str, count: int) -> None:
    for position in [position for position in read_suite(name) if position.kind == kind][:count]:
        solution = Engine(hash_bytes=SMALL).solve(position.board, fours_only=kind == "vcf", nodes=100_000)
        check_line(position.board, solution)
        Opponent(position.board, fours_only=kind == "vcf").challenge(solution.plies)


QUIET = [
    (Rule.FREESTYLE, ["d2", "e3", "f3", "d5", "e7"], ["f6", "g7", "h7", "f8", "h8"], BLACK),
    (Rule.RENJU, ["f4", "h3", "h6", "g8", "d8", "h8"], ["b6", "c6", "e4", "e5", "d4"], WHITE),
]


@pytest.mark.parametrize(("rule", "black", "white", "turn"), QUIET, ids=["freestyle", "renju"])
def test_a_quiet_move_that_prepares_a_win_by_fours_is_a_threat(
    rule: Rule, black: list[str], white: list[str], turn: Color
) -> None:
    board = Board.from_stones(black, white, to_move=turn, width=9, rule=rule)
    assert Engine(hash_bytes=SMALL).solve(board, fours_only=True).exhausted
    solution = Engine(hash_bytes=SMALL).solve(board)
    slow = slow_twin(board)
    slow.place(*solution.moves[0], turn)
    assert not fives(slow, turn)
    check_line(board, solution)
    Opponent(board, fours_only=False).challenge(solution.plies)


# --- a search for fours against one without any table ----------------------------------------------------------------


def brute_force(slow: ReferenceBoard, color: Color, plies: int) -> int:
    """Length of the shortest win by continuous fours within so many plies, 0 without one; the colour is to move."""
    if fives(slow, color):
        return 1
    danger = fives(slow, color.other)
    best = 0
    for move in slow.empty_points() if plies >= 3 else ():
        threatened = fives_with(slow, move, color)
        if not threatened or (color is BLACK and foul(slow, *move)):
            continue
        slow.place(*move, color)
        if not any(stands(slow, five, move, color.other) for five in danger):
            length = slowest_loss(slow, color, threatened, (best or plies + 1) - 1)
            best = length or best
        slow.remove(*move)
    return best


def slowest_loss(slow: ReferenceBoard, attacker: Color, threatened: list[Move], plies: int) -> int:
    """Length of a win whose first four stands, against every legal reply, or 0 if it takes more than ``plies``."""
    longest = 3
    for reply in slow.empty_points():
        slow.place(*reply, attacker.other)
        holds = not any(stands(slow, five, reply, attacker) for five in threatened)
        slow.remove(*reply)
        if not holds or (attacker is WHITE and foul(slow, *reply)):
            continue
        slow.place(*reply, attacker.other)
        rest = brute_force(slow, attacker, plies - 2)
        slow.remove(*reply)
        if not rest:
            return 0
        longest = max(longest, rest + 2)
    return longest if longest <= plies else 0


@pytest.mark.parametrize("games", [20, pytest.param(600, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_vcf_agrees_with_brute_force(rule: Rule, games: int) -> None:
    rng = random.Random(int(rule) + 100)
    lengths = set()
    for _ in range(games):
        width, height = rng.choice(((7, 7), (8, 7), (9, 9)))
        board = random_game(rng, rule, (width, height), rng.randint(8, width * height * 6 // 10))
        limit = rng.choice((3, 5, 7, 7))
        expected = brute_force(slow_twin(board), board.turn, limit)
        plies, line, finished = vcf_within(board, limit)
        assert (plies, len(line), finished) == (expected, expected, True), f"{board!s}"
        solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True)
        assert not (solution.exhausted and expected), f"{board!s}\n{solution}"
        lengths.add(expected)
    assert lengths >= {0, 1, 3}
    assert games < 100 or lengths >= {5, 7}


def test_a_solver_that_ran_out_of_nodes_proves_nothing() -> None:
    board = Board.from_stones(*COUNTER_FOUR, to_move=BLACK, width=13)
    solution = Engine(hash_bytes=SMALL).solve(board, fours_only=True, nodes=2)
    assert (solution.plies, solution.exhausted) == (0, False)
    assert Engine(hash_bytes=SMALL).solve(Board(15)).exhausted


def test_the_search_for_threats_ends_below_its_deepest_ply(tmp_path: Path) -> None:
    """It asked for ever for what lies there, and no limit could end that: hence a process of its own."""
    code = f"""
from gomoku import Board
from gomoku._core._probe import PositionProbe
probe = PositionProbe(Board.from_stones(*{CROSS!r}, width=9))
print([probe.threats_from_ply(ply, 1_000) for ply in (0, 119)])
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    (plies, _), (none, nodes) = ast.literal_eval(done.stdout)
    assert plies > 0
    assert none == 0
    assert nodes < 1_000


@pytest.mark.parametrize("nodes", [-1, 0, 1, 10**30])
def test_odd_numbers_of_nodes(nodes: int) -> None:
    board = Board.from_stones(*FOUR_THREE, to_move=BLACK, width=13)
    solution = Engine(hash_bytes=SMALL).solve(board, nodes=nodes)
    assert (solution.plies > 0) is (nodes > 1)


def test_solving_leaves_the_board_alone() -> None:
    board = Board.from_stones(*FOUR_THREE, to_move=BLACK, width=13)
    before = board.copy()
    Engine(hash_bytes=SMALL).solve(board)
    assert board == before
    assert board.move_stack == before.move_stack
    board._check()
