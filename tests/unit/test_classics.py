"""The classic opponents: what they see, what they play, and that they behave like an engine."""

from __future__ import annotations

import inspect
import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain

import pytest

from gomoku import BLACK, WHITE, Board, Color, Foul, GomokuError, Move, Rule
from gomoku.classics import CLASSICS, Chains, Classic, Field, WinLines
from gomoku.classics._winlines import LineCounts
from gomoku.classics.players import positional_matrix
from gomoku.engine import Engine
from gomoku.info import Info, Limit, Score
from support import all_fives, forbidden_boards, random_game

BY_PLAYER = pytest.mark.parametrize("player", CLASSICS.values(), ids=CLASSICS)
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
VALUES = (1, 10, 100, 1_000, 10_000)


def text_board(text: str, side: int = 15, rule: Rule = Rule.FREESTYLE) -> Board:
    return Board.from_text(text, origin="top", width=side, rule=rule)


def full_board() -> Board:
    """No row of one colour is longer than two."""
    points = [Move(x, y) for y in range(6) for x in range(5)]
    sides = [[p for p in points if (p.x + 2 * p.y) % 4 // 2 == side] for side in (0, 1)]
    return Board.from_stones(*sides, to_move=BLACK, width=5, height=6)


# --- who they are ----------------------------------------------------------------------------------------------------


def test_the_cast() -> None:
    assert {"winlines": WinLines, "chains": Chains, "field": Field} == CLASSICS
    for name, player in CLASSICS.items():
        assert player().name == name
        assert player.title
        assert "\n" not in player.description
        assert 20 < len(player.description) < 100


@pytest.mark.parametrize("method", ["play", "analyse", "analysis", "new_game", "stop", "set_limit", "arm", "configure"])
def test_they_have_the_methods_of_the_engine(method: str) -> None:
    engine = list(inspect.signature(getattr(Engine, method)).parameters.values())
    classic = list(inspect.signature(getattr(Classic, method)).parameters.values())
    assert [(p.name, p.kind, p.default) for p in classic] == [(p.name, p.kind, p.default) for p in engine]


def test_numpy_waits_until_it_is_needed() -> None:
    code = "import sys, gomoku.classics as c, gomoku; c.Field().choose(gomoku.Board(9)); print('numpy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-P", "-c", code], text=True).strip() == "False"


# --- what they see ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(10, 10), (5, 5), (5, 22), (22, 22), (13, 9)])
def test_numbers_of_winning_lines(size: tuple[int, int]) -> None:
    lines = LineCounts(VALUES)
    lines.synchronise(Board(*size))
    width, height = size
    formula = (width - 4) * height + width * (height - 4) + 2 * (width - 4) * (height - 4)
    assert lines.live_lines(BLACK) == lines.live_lines(WHITE) == formula == len(list(all_fives(*size)))
    grades = WinLines(values=(1, 0, 0, 0, 0)).grades(Board(*size))
    assert grades.sum() == 5 * formula


def test_winlines_counts() -> None:
    board = Board.from_stones(["c1", "d1"], ["a5"], width=5, to_move=WHITE)
    player = WinLines()
    # a1 lies in the row with two black stones, in the column with a white one, and in an empty diagonal.
    assert player.grades(board, BLACK)[0].tolist() == [100 + 0 + 1, 100 + 1, 0, 0, 100 + 1 + 0]
    assert player.grades(board, WHITE)[0].tolist() == [0 + 10 + 1, 1, 0, 0, 0 + 1 + 10]
    assert player.grades(board).tolist() == player.grades(board, WHITE).tolist()


def test_winlines_attacks_only_if_that_is_worth_more() -> None:
    player = WinLines()
    assert player.choose(Board(10)) == Move(4, 4)
    equal = Board.from_stones(["a1", "b1", "c1"], ["a10", "b10", "c10"], width=10, to_move=BLACK)
    assert player.choose(equal).text == "e10", "equal threats: it defends"
    better = Board.from_stones(["a1", "b1", "c1", "d1"], ["a10", "b10", "c10"], width=10, to_move=BLACK)
    assert player.choose(better).text == "e1"


def test_winlines_knows_the_end() -> None:
    player = WinLines()
    board = text_board("h8a1i8a2j8a3k8a4l8")
    assert player.is_won(board, BLACK)
    assert not player.is_won(board, WHITE)
    assert not player.is_drawn(board)
    assert player.is_drawn(full_board())
    board.pop()
    assert not player.is_won(board, BLACK)
    # Long before the board is full: walls cut every line but one, then a stone of each side does.
    walls = [Move(x, 2) for x in range(5)] + [Move(2, y) for y in (1, 3, 4)]
    one_line = {"walls": walls, "width": 5, "to_move": BLACK}
    assert not player.is_drawn(Board.from_stones([], [], **one_line))
    assert not player.is_drawn(Board.from_stones([(0, 0)], [], **one_line))
    assert not player.is_drawn(Board.from_stones([], [(0, 0), (4, 0)], **one_line))
    assert player.is_drawn(Board.from_stones([(0, 0)], [(4, 0)], **one_line))


def test_chains_count_what_directly_adjoins() -> None:
    grades = Chains().grades(text_board("e5a1f5a2g5"), BLACK)
    matrix = positional_matrix(15, 15)
    assert grades[4, 3] == 64 * 2 * 999 + matrix[4][3]
    assert grades[4, 7] == 64 * 2 * 999 + matrix[4][7]
    assert grades[4, 2] == matrix[4][2], "with a gap between it does not adjoin"
    assert grades[3, 4] == 64 * 2 * (9 + 9) + matrix[3][4], "one stone below and one diagonally"
    assert grades[2, 0] == 64 * 99 + matrix[2][0], "two opposing stones"
    assert grades[4, 4] == 0, "no grade on a stone"


def test_stones_beyond_the_twelfth_add_nothing() -> None:
    def end_of_row(stones: int) -> int:
        board = Board.from_stones([(x, 0) for x in range(stones)], [], width=22, to_move=WHITE)
        matrix = positional_matrix(22, 22)
        return int(Chains().grades(board, BLACK)[0, stones]) - matrix[0][stones]

    assert end_of_row(11) == 128 * (10**11 - 1)
    assert end_of_row(12) == end_of_row(13) == end_of_row(21) == 128 * (10**12 - 1)


@pytest.mark.parametrize(("width", "height", "highest"), [(10, 10, 10), (5, 5, 6), (22, 22, 22), (22, 5, 14)])
def test_positional_matrix(width: int, height: int, highest: int) -> None:
    matrix = positional_matrix(width, height)
    assert matrix[0][0] == matrix[-1][-1] == 2
    assert max(map(max, matrix)) == highest
    assert Chains().grades(Board(width, height)).tolist() == matrix


def test_field_values() -> None:
    board = Board.from_history([((4, 0), BLACK), ((5, 0), BLACK), ((7, 0), WHITE)], to_move=BLACK, width=10)
    values = Field().grades(board)[0].tolist()
    # Potentials 1, 3, 5, 6, -, -, 7 - 4, -, 2 + 1 - 4, 1 - 3, -2 in the row; other directions are empty here.
    assert values == [1, 3 + 0, (2 + 3) * 2, (3 + 4 - 1) * 2, 0, 0, 4 + 3 - 4, 0, 4 - 1 - 2, 3 - 1]
    many = Board.from_history([((x, 0), BLACK) for x in (0, 1, 2)], to_move=BLACK, width=10)
    assert Field().grades(many)[0, 3] == 4 * (4 + 3 + 2), "twice doubled from 18 on"
    assert Field().grades(many)[0, 4] == 2 * (3 + 2 + 1), "doubled once"


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("h8a1i8a2j8a3k8", "g8"),  # stop the open four: the first of its ends
        ("h8a1i8a2j8a3k8a4", "g8"),  # complete one's own before
        ("h8h1i8h2j8h3l8", "k8"),  # through the gap
        ("h8g8i8a2j8a3k8", "l8"),  # one end is closed
        ("h8a1h9a2h10a3h11b1", "h7"),
        ("h8b7i9a2j10a3k11", "g7"),
        ("h8b7i7a2j6a3k5", "l4"),
    ],
)
def test_field_completes_and_stops_fives(text: str, move: str) -> None:
    assert Field().choose(text_board(text)).text == move


def test_field_sees_only_fours_of_the_last_stones() -> None:
    board = text_board("h8a1i8c3j8e5k8l12o15c5")
    end, move, grades = Move(6, 7), Field().choose(board), Field().grades(board)
    assert move != end
    assert grades[move.y, move.x] == grades.max() == grades[end.y, end.x] + 1
    assert Field().choose(text_board("h8a1i8c3j8e5o15c5k8l8")) == end


def test_field_begins_in_the_centre() -> None:
    assert Field().choose(Board(19)) == Move(9, 9)
    assert Field().choose(Board(8, 13)) == Move(4, 6)
    walled = Board.from_stones([], [], walls=[(4, 4)], width=9)
    assert walled.is_legal(Field().choose(walled))


def test_field_leaves_equal_points_to_chance() -> None:
    board = Board.from_stones([], ["h8"], to_move=BLACK)
    moves = {seed: Field(seed=seed).choose(board) for seed in range(40)}
    assert set(moves.values()) <= {Move(7 + dx, 7 + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    assert len(set(moves.values())) > 1
    assert moves == {seed: Field(seed=seed).choose(board) for seed in range(40)}
    player = Field(seed=5)
    game = [player.choose(board) for _ in range(20)]
    player.new_game()
    assert [player.choose(board) for _ in range(20)] == game
    assert len(set(game)) > 1
    assert len({Field(seed=None).choose(board) for _ in range(200)}) > 1


# --- lines are kept, not counted again -------------------------------------------------------------------------------


def test_lines_are_right_after_every_push_and_pop() -> None:
    rng = random.Random(3)
    for width, height, walls in ((10, 10, 0), (5, 5, 2), (22, 22, 9), (7, 13, 5)):
        lines, player = LineCounts(VALUES), WinLines()
        board = random_game(rng, Rule.FREESTYLE, (width, height), 0, walls=walls)
        lines.synchronise(board)
        free = [Move(x, y) for y in range(height) for x in range(width) if board.stone((x, y)) is None]
        rng.shuffle(free)
        stack = []
        for _ in range(120):
            if not free or (stack and rng.random() < 0.3):
                move, _color = stack.pop()
                free.insert(rng.randrange(len(free) + 1), move)
                assert lines.pop() == move
            else:
                stack.append((free.pop(), rng.choice(list(Color))))
                lines.push(*stack[-1][0], stack[-1][1])
            lines._check()
            set_up = Board.from_history(stack, to_move=BLACK, walls=board.walls(), width=width, height=height)
            full = {color: bool(lines.full_lines(color)) for color in Color}
            assert full == {color: player.is_won(set_up, color) for color in Color}
        while stack:
            assert lines.pop() == stack.pop()[0]
        lines._check()
        fresh = LineCounts(VALUES)
        fresh.synchronise(board)
        assert lines.live_lines(BLACK) == fresh.live_lines(BLACK)


def test_lines_follow_any_board() -> None:
    rng = random.Random(4)
    lines = LineCounts(VALUES)
    board = Board(9)
    for step in range(300):
        if step % 40 == 0:  # another board: other sizes, other walls, another order of the same stones
            board = random_game(
                rng, Rule.FREESTYLE, (rng.randint(5, 22), rng.randint(5, 22)), rng.randint(0, 8), walls=2
            )
        elif step % 40 == 20:
            stones = [(move, board.stone(move)) for move in board.move_stack]
            rng.shuffle(stones)
            size = {"width": board.width, "height": board.height}
            board = Board.from_history(stones, to_move=board.turn, walls=board.walls(), **size)
        elif board.ply and rng.random() < 0.4:
            for _ in range(rng.randint(1, board.ply)):
                board.pop()
        elif not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        lines.synchronise(board)
        lines._check()
        fresh = LineCounts(VALUES)
        fresh.synchronise(board)
        for color in Color:
            assert lines.live_lines(color) == fresh.live_lines(color)
            assert lines.grades(board, color) == fresh.grades(board, color)


def test_lines_refuse_what_is_no_stone() -> None:
    lines = LineCounts(VALUES)
    with pytest.raises(ValueError, match="0,0"):
        lines.push(0, 0, BLACK)
    lines.synchronise(Board.from_stones(["a1"], [], walls=["b1"], width=5, to_move=WHITE))
    for x, y, color in ((0, 0, 1), (1, 0, 1), (5, 0, 1), (-1, 0, 1), (2, 22, 1), (2, 0, 3), (2, 0, 0)):
        with pytest.raises(ValueError, match=r"impossible|no stone"):
            lines.push(x, y, color)
    assert lines.pop() == Move(0, 0)
    with pytest.raises(IndexError):
        lines.pop()
    lines._check()


# --- moves -----------------------------------------------------------------------------------------------------------


@BY_PLAYER
@BY_RULE
def test_whole_games_on_every_size_are_legal(player: type[Classic], rule: Rule) -> None:
    rng = random.Random(int(rule))
    for side in range(5, 23):
        opponent = player(blunder=rng.choice((0.0, 0.5)))
        board = random_game(rng, rule, (side, 27 - side), 0, walls=side // 4)
        while not board.is_game_over() and board.ply < 60:
            legal = bool(board.legal_moves)
            move = opponent.choose(board)
            if not legal:
                assert board.stone(move) is None
                break
            board.push(move)
            if not board.is_game_over() and board.ply % 3 == 0:
                board.push(rng.choice(list(board.legal_moves)))


@BY_PLAYER
def test_black_s_forbidden_points_are_never_played(player: type[Classic]) -> None:
    opponents = (player(), player().softened(0.5, seed=1))
    tempted = 0
    for labelled in forbidden_boards(300):
        size, sides = labelled.size, (labelled.black, labelled.white)
        board = Board.from_stones(*sides, width=size, rule=Rule.RENJU, to_move=BLACK)
        free = Board.from_stones(*sides, width=size, rule=Rule.FREESTYLE, to_move=BLACK)
        tempted += opponents[0].choose(free) in labelled.forbidden
        for opponent in opponents:
            assert opponent.choose(board) not in labelled.forbidden
    assert tempted


@BY_PLAYER
def test_where_all_is_forbidden_it_plays_all_the_same(player: type[Classic]) -> None:
    """Black would make seven; everything else is wall."""
    row = [Move(x, 2) for x in range(7)]
    walls = [Move(x, y) for y in range(5) for x in range(7) if y != 2]
    gap = row.pop(3)
    board = Board.from_stones(row, [], walls=walls, width=7, height=5, rule=Rule.RENJU, to_move=BLACK)
    assert board.foul(gap) is Foul.OVERLINE
    assert player().choose(board) == player(blunder=1.0).choose(board) == gap


@BY_PLAYER
def test_a_full_board_has_no_move(player: type[Classic]) -> None:
    board, opponent = full_board(), player()
    assert not opponent.grades(board).any()
    for ask in (
        lambda: opponent.choose(board),
        lambda: opponent.play(board, Limit()),
        lambda: opponent.analyse(board, Limit()),
        lambda: next(opponent.analysis(board)),
    ):
        with pytest.raises(GomokuError, match="full"):
            ask()


@BY_PLAYER
def test_a_finished_game_is_played_on(player: type[Classic]) -> None:
    board = text_board("h8a1i8a2j8a3k8a4l8")
    assert board.stone(player().choose(board)) is None


@pytest.mark.parametrize(("player", "side"), [(WinLines, 10), (Chains, 10), (Field, 19)])
def test_a_hundred_games_against_chance_are_not_lost(player: type[Classic], side: int) -> None:
    rng = random.Random(0)
    results = []
    for number in range(100):
        opponent, color = player(seed=number), Color(number % 2 + 1)
        board = Board(side)
        while not board.is_game_over():
            if board.turn is color:
                board.push(opponent.choose(board))
            else:
                board.push(rng.choice([(x, y) for y in range(side) for x in range(side) if not board.stone((x, y))]))
        results.append(board.outcome().winner is color)
    assert all(results)


# --- mistakes --------------------------------------------------------------------------------------------------------


@BY_PLAYER
def test_blunders_are_other_points_near_a_stone(player: type[Classic]) -> None:
    board = text_board("h8i9")
    best = {player(seed=seed).choose(board) for seed in range(30)}
    blunders = {player().softened(1.0, seed).choose(board) for seed in range(200)}
    near = {
        Move(x, y)
        for y in range(15)
        for x in range(15)
        if board.stone((x, y)) is None and any(max(abs(x - s.x), abs(y - s.y)) <= 2 for s in board.move_stack)
    }
    assert blunders <= near
    assert len(blunders) > len(near) // 2
    assert best <= near
    if player is not Field:  # whose best points change with its chance
        assert not blunders & best


@BY_PLAYER
def test_blunders_come_as_often_as_asked_for(player: type[Classic]) -> None:
    board = text_board("h8a1h9a2h10a3h11c5")  # everybody completes the five
    opponent = player().softened(0.3, seed=2)
    wrong = sum(opponent.choose(board) not in (Move(7, 6), Move(7, 11)) for _ in range(2_000))
    assert 500 < wrong < 700
    assert {player(seed=seed).choose(board) for seed in range(20)} <= {Move(7, 6), Move(7, 11)}
    opponent.new_game()
    assert [opponent.choose(board) for _ in range(50)] == [
        again.choose(board) for again in [player(blunder=0.3, seed=2)] for _ in range(50)
    ]


@BY_PLAYER
def test_without_another_point_near_a_stone_there_is_no_blunder(player: type[Classic]) -> None:
    assert player(blunder=1.0).choose(Board(9)) == player().choose(Board(9))


def test_softened_keeps_the_parameters() -> None:
    assert WinLines(values=(0, 1, 2, 3, 4)).softened(0.2).parameters == {
        "values": (0, 1, 2, 3, 4),
        "blunder": 0.2,
        "seed": 0,
    }
    soft = Chains(base=2, own=3, opposing=4).softened(0.5, seed=9)
    assert (soft.base, soft.own, soft.opposing, soft.renew, soft.blunder, soft.seed) == (2, 3, 4, None, 0.5, 9)
    assert Field(seed=3).softened(0.1, seed=4).parameters == {"blunder": 0.1, "seed": 4}


@pytest.mark.parametrize(
    ("player", "bad", "named"),
    [
        (WinLines, {"values": (1, 2, 3)}, "3 values"),
        (WinLines, {"values": (1,) * 6}, "6 values"),
        (WinLines, {"values": (-1, 1, 1, 1, 1)}, "-1"),
        (WinLines, {"values": (1, 1, 1, 1, 10**13)}, "10000000000000"),
        (Chains, {"base": 1}, "base of 1"),
        (Chains, {"base": 11}, "base of 11"),
        (Chains, {"own": 0}, "own=0"),
        (Chains, {"opposing": 10**9}, "opposing=1000000000"),
        (Field, {"blunder": 1.5}, "1.5"),
        (WinLines, {"blunder": -0.1}, "-0.1"),
        (Chains, {"blunder": float("nan")}, "nan"),
    ],
)
def test_impossible_parameters(player: type[Classic], bad: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        player(**bad)


def test_the_largest_parameters_do_not_overflow() -> None:
    row = [(x, 10) for x in range(22) if x != 11]
    board = Board.from_stones(row, [], width=22, to_move=WHITE)
    chains = Chains(own=10_000, opposing=10_000)
    for color in Color:
        assert chains.grades(board, color)[10, 11] == 64 * 10_000 * (10**10 - 1 + 10**11 - 1) + 22
    lines = WinLines(values=(0, 0, 0, 0, 10**12))
    assert lines.grades(board, BLACK)[10, 11] == 5 * 10**12


# --- an exchangeable matrix ------------------------------------------------------------------------------------------


def test_the_matrix_is_renewed_after_every_opposing_move() -> None:
    calls = []

    def renew(matrix: Sequence[Sequence[int]], cells: list[list[int]], move: Move) -> list[list[int]]:
        calls.append((move, sum(map(bool, chain.from_iterable(cells)))))
        assert cells[move.y][move.x] == WHITE
        return [[value + 1 for value in row] for row in matrix]

    player, board = Chains(renew=renew), text_board("h8i9")
    corner = positional_matrix(15, 15)[14][14]
    assert player.grades(board)[14, 14] == corner + 1
    assert player.grades(board)[14, 14] == corner + 1, "asked again, nothing happened in between"
    board.push_text("g7j11")
    assert player.grades(board)[14, 14] == corner + 2
    assert [(move.text, stones) for move, stones in calls] == [("i9", 2), ("j11", 4)]
    board.pop()
    board.pop()
    assert player.grades(board, BLACK)[14, 14] == corner + 1, "taken back"
    player.new_game()
    assert player.grades(Board(15))[14, 14] == corner
    assert player.grades(Board(9))[8, 8] == 2


def test_a_matrix_decides_between_equal_points() -> None:
    def corner(matrix: Sequence[Sequence[int]], cells: list[list[int]], move: Move) -> list[list[int]]:
        return [[10**6 * (x == y == 0) for x in range(len(matrix[0]))] for y in range(len(matrix))]

    board = text_board("h8")
    assert Chains(renew=corner).choose(board) == Move(0, 0)
    assert Chains().choose(board) != Move(0, 0)


@pytest.mark.parametrize("bad", [[[1, 2], [3, 4]], [[0] * 15] * 14, [[0] * 14] * 15, [[10**13] * 15] * 15])
def test_a_matrix_must_fit(bad: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="matrix"):
        Chains(renew=lambda matrix, cells, move: bad).choose(text_board("h8"))


# --- an engine's manners ---------------------------------------------------------------------------------------------


@BY_PLAYER
def test_play_tells_what_it_chose(player: type[Classic]) -> None:
    board, told = text_board("h8i9g7"), []
    with player() as opponent:
        result = opponent.play(board, Limit(time=0.0), on_info=told.append, start_ns=0, armed=True)
    assert result.move == player().choose(board)
    assert tuple(told) == result.lines
    info = result.info
    assert isinstance(info, Info)
    assert (info.depth, info.pv, info.nodes, info.multipv) == (1, (result.move,), 222, 1)
    assert info.score.turn is WHITE
    assert 0 < info.score.relative.points <= 6_000
    assert info.time > 0


@BY_PLAYER
def test_scores_stay_within_the_heuristic_band(player: type[Classic]) -> None:
    board = text_board("h8a1h9a2h10a3h11c5")
    score = player().play(board, Limit()).info.score.relative
    assert score.mate is None
    assert score <= Score(6_000)
    if player is not Field:
        assert score == Score(6_000)


def test_the_score_is_the_grade_that_decided() -> None:
    board = text_board("h8a1h9a2h10c5")
    opponent = WinLines()
    result = opponent.play(board, Limit())
    assert result.info.score.relative.points == opponent.grades(board, BLACK)[result.move.y, result.move.x]
    board.push("o15")
    result = opponent.play(board, Limit())
    grades = [int(opponent.grades(board, color)[result.move.y, result.move.x]) for color in Color]
    assert result.info.score.relative.points == max(grades)
    assert Chains().play(board, Limit()).info.score.relative.points == 999


@BY_PLAYER
def test_several_lines(player: type[Classic]) -> None:
    board = text_board("h8i9g7")
    lines = player().analyse(board, Limit(), multipv=5)
    assert [info.multipv for info in lines] == [1, 2, 3, 4, 5]
    assert len({info.pv for info in lines}) == 5
    points = [info.score.relative for info in lines[1:]]
    assert points == sorted(points, reverse=True)
    assert lines[0].pv == player().analyse(board, Limit())[0].pv
    every = player().analyse(Board(5), Limit(), multipv=484)
    assert len(every) == 25


@BY_PLAYER
def test_an_analysis_has_one_answer(player: type[Classic]) -> None:
    board = text_board("h8i9")
    opponent = player()
    with opponent.analysis(board, multipv=2) as analysis:
        found = list(analysis)
    assert [len(lines) for lines in found] == [2]
    assert found[0][0].pv[0] == player().choose(board)


@BY_PLAYER
def test_settings_of_an_engine_are_accepted(player: type[Classic]) -> None:
    opponent, board = player(), text_board("h8i9")
    opponent.configure({"hash_size": 1024, "max_memory": 350 << 20})
    with pytest.raises(ValueError, match="'threads'"):
        opponent.configure({"threads": 4})
    opponent.arm()
    opponent.stop()
    opponent.set_limit(Limit(time=1.0))
    opponent.close()
    assert board.is_legal(opponent.choose(board))
