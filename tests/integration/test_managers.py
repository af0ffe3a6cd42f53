"""Real manager programs play with the installed brain. protocol_docs/managers.md says how to get and name them.

The programs are no part of this repository, so each test that needs one is skipped, with a reason, unless an
environment variable names it. What the managers send is also replayed without them: the transcripts, in
test_brain_process.py.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from gomoku import Board, Color, Rule
from managers import c_gomoku_cli, judge, qpiskvork, yixin_board
from managers.programs import brain, external

pytestmark = pytest.mark.slow

STRANGE = Path(__file__).with_name("strange_brain.py")


@pytest.fixture
def runner() -> Path:
    return external("FUKUMI_C_GOMOKU_CLI", "the program c-gomoku-cli")


@pytest.fixture
def checkout() -> Path:
    path = external("FUKUMI_GOMOCUP_JUDGE", "a checkout of GomocupJudge")
    if importlib.util.find_spec("psutil") is None:
        pytest.skip("GomocupJudge needs psutil; install it with pip")
    return path


@pytest.fixture
def opponent() -> Path:
    return external("FUKUMI_OPPONENT", "another Gomocup brain that plays all rules on 15x15 and 20x20 boards")


def misbehaving(way: str, folder: Path) -> Path:
    """Return a program that fails in one of the ways of strange_brain.py."""
    script = folder / "pbrain-strange"
    script.write_text(f"#!/bin/sh\nexec {shlex.join([sys.executable, '-u', str(STRANGE), way])}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def winner_by_our_rules(points: Iterable[tuple[int, int]], size: int, rule: Rule) -> Color | None:
    """Return who has won after these moves, none of which may come after the end of the game."""
    board = Board(size, rule=rule)
    for point in points:
        board.push(point)
    outcome = board.outcome()
    return outcome.winner if outcome else None


@pytest.mark.parametrize("size", [15, 20])
@pytest.mark.parametrize("rule", [0, 1, 4])
def test_x1_c_gomoku_cli_sees_no_forfeit(rule: int, size: int, runner: Path, tmp_path: Path) -> None:
    games = c_gomoku_cli.play(runner, [brain(), brain()], tmp_path, rule=rule, size=size, games=4)
    assert len(games) == 4
    assert [game for game in games if not game.proper] == []
    for game in games:
        points = [(ord(x) - ord("a"), ord(y) - ord("a")) for x, y in game.points]
        winner = winner_by_our_rules(points, size, Rule(rule))
        assert game.end.startswith(f"{winner.name.title()} win" if winner else "Draw")


@pytest.mark.parametrize("size", [5, 9, 22])
def test_x1_c_gomoku_cli_other_sizes(size: int, runner: Path, tmp_path: Path) -> None:
    games = c_gomoku_cli.play(runner, [brain(), brain()], tmp_path, size=size)
    assert [game for game in games if not game.proper] == []


@pytest.mark.parametrize(
    ("clock", "options"),
    [
        pytest.param("2/0.2", (), id="match clock"),
        pytest.param("1/0.2+0.02", (), id="increment"),
        pytest.param("0/0.1", ("-sendbyboard",), id="whole position before every move"),
        pytest.param("0/0.1", ("-openings", "file=OPENINGS", "type=offset"), id="opening"),
    ],
)
def test_x1_c_gomoku_cli_options(clock: str, options: tuple[str, ...], runner: Path, tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("0,0, 1,1, -1,-2\n-6,-6, 6,6, 5,6, -5,-6\n", encoding="ascii")
    options = tuple(word.replace("OPENINGS", str(openings)) for word in options)
    games = c_gomoku_cli.play(runner, [brain(), brain()], tmp_path, games=4, clock=clock, options=options)
    assert [game for game in games if not game.proper] == []
    if "-openings" in options:
        assert [game.points[:3] for game in games[:2]] == [("hh", "ii", "gf")] * 2
        assert [game.points[:4] for game in games[2:]] == [("bb", "nn", "mn", "cb")] * 2


@pytest.mark.parametrize("name", ["pbrain-winlines", "pbrain-chains", "pbrain-field"])
def test_x1_c_gomoku_cli_classic_opponents(name: str, runner: Path, tmp_path: Path) -> None:
    games = c_gomoku_cli.play(runner, [brain(), brain(name)], tmp_path)
    assert [game for game in games if not game.proper] == []


@pytest.mark.parametrize("rule", [0, 1, 4])
def test_x1_c_gomoku_cli_another_brain(rule: int, runner: Path, opponent: Path, tmp_path: Path) -> None:
    games = c_gomoku_cli.play(runner, [brain(), opponent], tmp_path, rule=rule, clock="0/0.5")
    lost = {"first": "Black win by", "second": "White win by"}
    for game in games:
        we_forfeited = game.end.startswith(lost["second" if game.black == "first" else "first"])
        # Other brains do play moves that are forbidden for black.
        we_fouled = "forbidden" in game.end and game.black == "first"
        assert game.proper or not (we_forfeited or we_fouled), game


def test_c_gomoku_cli_names_a_failure(runner: Path, tmp_path: Path) -> None:
    games = c_gomoku_cli.play(runner, [brain(), misbehaving("OffBoard", tmp_path)], tmp_path)
    assert [game.end for game in games] == ["Black win by opponent illegal move", "White win by opponent illegal move"]
    assert not any(game.proper for game in games)


@pytest.mark.parametrize(("way", "end"), [("OffBoard", "crash"), ("Crash", "timeout"), ("Occupied", "illegal move")])
@pytest.mark.parametrize("ours", [1, 2])
def test_judge_names_a_failure(ours: int, way: str, end: str, checkout: Path, tmp_path: Path) -> None:
    strange = misbehaving(way, tmp_path)
    pair = (brain(), strange) if ours == 1 else (strange, brain())
    verdict = judge.play(checkout, judge.LEAGUES["fastgame"], *pair, tmp_path)
    assert verdict.end == end
    # Whoever moves first after an opening of three stones is white.
    assert verdict.winner == 3 - ours


@pytest.mark.parametrize("name", judge.LEAGUES)
def test_x2_judge_sees_no_failure(name: str, checkout: Path, tmp_path: Path) -> None:
    league = judge.LEAGUES[name]
    for opening in ("h8i9g7", "n14k14k13m12"):
        verdict = judge.play(checkout, league, brain(), brain(), tmp_path, opening=opening)
        assert verdict.end == "five or draw", verdict
        points = [(x, y) for x, y, *_ in verdict.opening + verdict.moves]
        winner = winner_by_our_rules(points, league.size, Rule(league.rule))
        assert verdict.winner == {None: 0, Color.BLACK: 1, Color.WHITE: 2}[winner]
        assert max(verdict.memory) < 350 * judge.MEBIBYTE


@pytest.mark.parametrize("name", judge.LEAGUES)
def test_x2_judge_another_brain(name: str, checkout: Path, opponent: Path, tmp_path: Path) -> None:
    opening = "h8i9g7"
    for ours in (1, 2):
        pair = (brain(), opponent) if ours == 1 else (opponent, brain())
        verdict = judge.play(checkout, judge.LEAGUES[name], *pair, tmp_path, opening=opening)
        # Whoever moves first after an opening of three stones is white.
        our_colour = 3 - ours
        assert verdict.end == "five or draw" or verdict.winner == our_colour, verdict


def test_x2_judge_swap2(checkout: Path, tmp_path: Path) -> None:
    verdict = judge.play(
        checkout, judge.LEAGUES["standard"], brain(), brain(), tmp_path, opening="", special_rule="swap2"
    )
    assert verdict.end == "five or draw", verdict
    assert len(verdict.opening) >= 3
    assert "(1) (2) (3)" in verdict.messages


@pytest.mark.parametrize("name", judge.LEAGUES)
def test_x3_judge_entry_positions(name: str, checkout: Path, tmp_path: Path) -> None:
    league = judge.LEAGUES[name]
    for position, question in league.checks:
        passed, detail = judge.check(checkout, league, brain(), tmp_path, position=position, question=question)
        assert passed, detail


@pytest.mark.parametrize(
    ("keys", "rule", "size"),
    [("", Rule.FREESTYLE, 20), ("s", Rule.STANDARD, 15), ("c", Rule.CARO, 15), ("sw", Rule.STANDARD, 15)],
    ids=["freestyle", "standard", "caro", "swap2"],
)
def test_qpiskvork_plays_a_game(keys: str, rule: Rule, size: int, tmp_path: Path) -> None:
    program = external("FUKUMI_QPISKVORK", "the program qpiskvork")
    log = qpiskvork.play(program, brain(), tmp_path, size=size, keys=keys)
    assert "\nERROR" not in log
    assert "\nUNKNOWN" not in log
    assert ("\nSWAP2BOARD" in log) == ("w" in keys)
    assert "\np1 name:" in log
    board = Board(size, rule=rule)
    points = qpiskvork.answered_points(log)
    while not board.is_game_over():
        board.push(points[board.ply])
    # The manager shows the loser the last move before it ends the game; the answer may still be logged.
    assert len(points) - board.ply <= 1


def free_point(taken: Iterable[str]) -> tuple[int, int]:
    """Return a sensible point for black: a search that soon proved a win would end by itself."""
    return next((row, column) for row, column in ((9, 9), (5, 9), (9, 5), (5, 5)) if f"{row},{column}" not in taken)


def test_yixin_board_stops_and_undoes_searches(tmp_path: Path) -> None:
    folder = external("FUKUMI_YIXIN_BOARD", "the folder of Yixin-Board with the program Yixin")
    with yixin_board.opened(folder, brain(), tmp_path, rule=2) as board:
        assert board.answers() == ["OK", "OK", "FORBID ."]

        board.play(row=7, column=7)
        assert board.commands()[-3:] == ["board", "7,7,2", "done"]
        first, forbidden = board.stop()
        assert forbidden == "FORBID ."

        row, column = free_point([first])
        blacks = f"{row},{column}"
        board.play(row=row, column=column)
        assert board.commands()[-1] == f"turn {blacks}"
        second, _ = board.stop()

        # The interrupted search owes its move, which the program throws away, before the new position is confirmed.
        row, column = free_point([first, second, blacks])
        board.play(row=row, column=column)
        late, ok, forbidden = board.undo()
        assert re.fullmatch(r"[0-9]+,[0-9]+", late)
        assert (ok, forbidden) == ("OK", "FORBID .")
        position = "\n".join(
            ["yxboard", "7,7,1", f"{first},2", f"{blacks},1", f"{second},2", "done", "yxshowforbid", "yxstop"]
        )
        assert "\n".join(board.commands()).endswith(position)


def test_yixin_board_opens_its_settings(tmp_path: Path) -> None:
    folder = external("FUKUMI_YIXIN_BOARD", "the folder of Yixin-Board with the program Yixin")
    with yixin_board.opened(folder, brain(), tmp_path, rule=0) as board:
        # With a maximum of one thread the program ends here, for want of a range for its slider.
        board.open_settings()
