"""Levels: what each may and may not do."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from gomoku import Board
from gomoku.classics import CLASSICS
from gomoku.engine import Engine
from gomoku.info import Limit
from gomoku.levels import LEVELS, Level, LevelEngine, make_player, player_for_strength, player_names
from gomoku.types import GomokuError, Rule
from support import random_game

UNLIMITED = Limit(time=60.0)
ENGINE_LEVELS = [level for level in LEVELS if not level.classic]


def engine(number: int, seed: int = 1) -> LevelEngine:
    return LevelEngine(LEVELS[number - 1], seed)


def test_twenty_levels_of_growing_effort() -> None:
    assert [level.number for level in LEVELS] == list(range(1, 21))
    temperatures = [level.temperature for level in ENGINE_LEVELS]
    assert temperatures == sorted(temperatures, reverse=True)
    assert {bool(level.classic) for level in LEVELS[:3]} == {True}
    assert len({level.description for level in LEVELS}) == 20


@pytest.mark.parametrize("level", ENGINE_LEVELS, ids=lambda level: str(level.number))
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU, Rule.CARO])
def test_every_engine_level_wins_in_one_and_blocks_a_five(level: Level, rule: Rule) -> None:
    rng = random.Random(level.number)
    for seed in range(3):
        player = LevelEngine(level, seed)
        x, y = rng.randrange(1, 9), rng.randrange(15)
        own = Board.from_stones([(x + i, y) for i in range(4)], [(2 * i, (y + 3) % 15) for i in range(4)], rule=rule)
        outcome = _after(own, player)
        assert outcome is not None
        four = Board.from_stones(
            [(x + i, y) for i in range(4)], [(x - 1, y), *((2 * i, (y + 3) % 15) for i in range(2))],
            to_move=own.turn.other, rule=rule,
        )  # fmt: skip
        assert player.play(four, UNLIMITED).move == (x + 4, y)


def _after(board: Board, player: LevelEngine) -> object:
    board.push(player.play(board, UNLIMITED).move)
    return board.outcome()


class Threat(NamedTuple):
    """A position where the side to move can make two threats with one stone, and the same with sides changed."""

    attack: Board
    defence: Board


@pytest.fixture(scope="module")
def threats() -> list[Threat]:
    """Positions of random games with a win by fours in at most five plies, against which something can be done."""
    rng, judge = random.Random(8), Engine(hash_bytes=1 << 22)
    found: list[Threat] = []
    while len(found) < 3:
        board = random_game(rng, Rule.FREESTYLE, (15, 15), 16, spread=3)
        passed = _passed(board)
        if not 1 < judge.solve(board, fours_only=True, nodes=20_000).plies <= 5 or judge.solve(passed).plies:
            continue
        judge.new_game()
        if judge.play(passed, Limit(nodes=60_000)).info.score.relative.mate is None:
            found.append(Threat(board, passed))
    return found


def _passed(board: Board) -> Board:
    stones = [(move, board.stone(move)) for move in board.move_stack]
    return Board.from_history(stones, to_move=board.turn.other)


@pytest.mark.parametrize("level", [level for level in LEVELS if level.number > 8], ids=lambda level: str(level.number))
def test_levels_above_8_see_simple_double_threats(level: Level, threats: list[Threat]) -> None:
    judge = Engine(hash_bytes=1 << 22)
    for attack, defence in threats:
        board, player = attack.copy(), LevelEngine(level, seed=1)
        while not board.is_game_over() and board.ply < 40:
            mover = player if board.turn == attack.turn else judge
            board.push(mover.play(board, Limit(nodes=100_000 if mover is player else 2_000)).move)
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.winner == attack.turn
        held = defence.copy()
        held.push(player.play(defence, UNLIMITED).move)
        assert not 1 <= judge.solve(held, fours_only=True, nodes=20_000).plies <= 5


def test_the_choice_is_seeded_and_varies_among_good_moves() -> None:
    board = Board.from_text("h8i9", origin="top")
    chosen = [engine(6, seed).play(board, UNLIMITED).move for seed in range(12)]
    assert chosen == [engine(6, seed).play(board, UNLIMITED).move for seed in range(12)]
    assert len(set(chosen)) > 1


def test_a_forced_result_is_not_left_to_chance() -> None:
    board = Board.from_text("h8a1i8a3j8a5", origin="top")  # an open three: black wins
    for seed in range(8):
        assert engine(8, seed).play(board, UNLIMITED).info.score.relative.mate is not None


def test_limits_make_it_weaker_only() -> None:
    board = random_game(random.Random(4), Rule.FREESTYLE, (15, 15), 12, spread=3)
    strong = engine(18).play(board, UNLIMITED).info
    hurried = engine(18).play(board, Limit(nodes=100)).info
    assert hurried.nodes <= 200 < strong.nodes <= 1.3 * LEVELS[17].nodes


def test_players_by_name() -> None:
    names = player_names()
    assert len(names) == 24
    for name in names:
        player = make_player(name.upper(), seed=3)
        assert player.play(Board(15), Limit(nodes=10)).move
    assert type(make_player("fukumi")) is Engine
    assert type(make_player("winlines")) is CLASSICS["winlines"]
    for bad in ("", "level-0", "level-21", "chess"):
        with pytest.raises(GomokuError, match="there are fukumi, winlines"):
            make_player(bad)


def test_strength_maps_onto_levels() -> None:
    assert [player_for_strength(s) for s in (-5, 0, 4, 5, 50, 99, 100, 500)] == [
        "level-1", "level-1", "level-1", "level-2", "level-11", "level-20", "fukumi", "fukumi",
    ]  # fmt: skip
