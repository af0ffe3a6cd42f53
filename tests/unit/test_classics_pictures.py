"""The page about the classics: its pictures are what the opponents think and play today, its examples run."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

pytest.importorskip("numpy")

from gomoku import BLACK, WHITE, Board, Move
from gomoku.classics import CLASSICS, Chains, Field, WinLines
from gomoku.classics.pictures import BEATEN, COUNTED, FOLDER, POSITION, beaten_game, live_lines, main, pictures
from gomoku.notation import parse_moves

PAGE = FOLDER.with_name("README.md")
REFERENCE = re.compile(r"!\[([^\]]+)\]\(([^)]+)\)")


def test_the_pictures_are_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "folder"
    assert main([str(folder)]) == 0
    assert "12 pictures" in capsys.readouterr().out
    drawn = {path.name: path.read_bytes() for path in folder.iterdir()}
    stored = {path.name: path.read_bytes() for path in FOLDER.iterdir()}
    stale = [name for name in drawn.keys() | stored.keys() if drawn.get(name) != stored.get(name)]
    assert not stale, "run: python -m gomoku.classics.pictures"
    for picture in drawn.values():
        assert ET.fromstring(picture).tag.endswith("svg")


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(SystemExit) as exit_status:
        main([str(blocked)])
    assert exit_status.value.code == 2
    assert "name another folder" in capsys.readouterr().err


def test_the_page_shows_every_picture_once_and_no_other() -> None:
    shown = [path for _, path in REFERENCE.findall(PAGE.read_text(encoding="utf-8"))]
    assert sorted(shown) == sorted(f"pictures/{name}" for name in pictures())


def test_the_page_s_examples_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 20


def test_what_the_page_says_of_the_best_points() -> None:
    """The highest grade in a picture is where its description has it."""
    shown = REFERENCE.findall(PAGE.read_text(encoding="utf-8"))
    best = [(path, *point) for alt, path in shown for point in re.findall(r"the best is (\w+) with (\d+)", alt)]
    assert len(best) == 4
    for path, point, grade in best:
        assert f" to {grade} on {point}." in pictures()[path.removeprefix("pictures/")], path


# --- blind spots -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CLASSICS)
def test_every_opponent_is_beaten_by_its_game(name: str) -> None:
    board = beaten_game(name)
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner is BLACK
    side, stones = BEATEN[name]
    played = board.move_stack
    assert played[::2] == parse_moves(stones, width=side, height=side)
    replay = Board(side)
    for number, move in enumerate(played):
        if number % 2:
            assert CLASSICS[name]().choose(replay) == move, "a fresh opponent answers the same"
        replay.push(move)


def test_winlines_blocks_instead_of_winning() -> None:
    board = beaten_game("winlines")
    for _ in range(2):
        board.pop()
    assert board.turn is WHITE
    assert WinLines().choose(board) == Move(6, 6)
    board.push("f8")
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.winner is WHITE


def test_chains_leaves_the_gap_open() -> None:
    board = beaten_game("chains")
    gap = board.pop()
    answer = board.pop()
    assert answer != gap
    grades = Chains().grades(board)
    assert grades[answer.y, answer.x] > grades[gap.y, gap.x]


Turn = Callable[[int, int], tuple[int, int]]
TURNS: tuple[Turn, ...] = (
    lambda x, y: (x, y),
    lambda x, y: (-y, x),
    lambda x, y: (-x, -y),
    lambda x, y: (y, -x),
)


@pytest.mark.parametrize("side", range(11, 22, 2))
def test_field_loses_on_every_odd_board_whatever_its_lots(side: int) -> None:
    """The game is turned until its first stone, one of eight, lies right of black's first one or to the lower right."""
    middle = side // 2
    plan = [(move.x - 5, move.y - 5) for move in parse_moves(BEATEN["field"][1], width=11, height=11)]
    eight = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    alone = Board(side)
    alone.push((middle, middle))
    assert {Field(seed=seed).choose(alone) for seed in range(99)} <= {(middle + dx, middle + dy) for dx, dy in eight}
    for reply in eight:
        turn = next(turn for turn in TURNS if reply in (turn(1, 0), turn(1, 1)))
        stones = [Move(middle + dx, middle + dy) for dx, dy in (turn(*place) for place in plan)]
        for seed in range(5):
            board = alone.copy()
            board.push((middle + reply[0], middle + reply[1]))
            for stone in stones[1:-1]:
                board.push(stone)
                board.push(Field(seed=seed).choose(board))
            # In the picture the ends of the four are j7, the last stone, and e2.
            dx, dy = turn(-1, -4)
            free = [end for end in (stones[-1], Move(middle + dx, middle + dy)) if board.stone(end) is None]
            assert len(free) == 1, "one end of the open four is blocked"
            board.push(free[0])
            outcome = board.outcome()
            assert outcome is not None
            assert outcome.winner is BLACK


# --- the count -------------------------------------------------------------------------------------------------------


def test_live_lines_explain_the_grade() -> None:
    board = Board.from_text(POSITION, origin="top", width=10)
    for y in range(10):
        for x in range(10):
            for color in (BLACK, WHITE):
                if board.stone((x, y)) is not None:
                    continue
                live, dead = live_lines(board, Move(x, y), color)
                worth = sum(10 ** sum(board.stone(move) is color for move in line) for line in live)
                assert worth == WinLines().grades(board, color)[y, x]
                assert not any(line in live for line in dead)
    live, _ = live_lines(board, COUNTED, BLACK)
    assert all(COUNTED in line and len(line) == 5 for line in live)
    empty = Board(10)
    assert [len(lines) for lines in live_lines(empty, Move(4, 4), WHITE)] == [20, 0]
