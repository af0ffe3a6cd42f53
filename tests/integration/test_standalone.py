"""A built standalone brain, without Python: name its folder in FUKUMI_STANDALONE (protocol_docs/packaging.md)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import brain_process
from brain_process import BrainProcess
from gomoku import Board
from gomoku.info import Limit
from gomoku.levels import make_player, player_names
from gomoku.types import BLACK, WHITE, Rule

FOLDER = os.environ.get("FUKUMI_STANDALONE")
SUFFIX = ".exe" if sys.platform == "win32" else ""
NAME = f"pbrain-fukumi64{SUFFIX}"
GOMOCUP_BYTES = 8_000_000

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FOLDER, reason="FUKUMI_STANDALONE names no built folder")]


@pytest.fixture(autouse=True)
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The built folder; brains of a test are the program in it, have no environment, and log no internal error."""
    assert FOLDER is not None
    folder = Path(FOLDER).resolve()
    for name in os.environ:
        if name.upper() != "SYSTEMROOT":  # without it, Windows starts nothing
            monkeypatch.delenv(name)
    state = tmp_path / "state"
    for name in ("LOCALAPPDATA", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(state))
    use(folder / NAME, monkeypatch)
    yield folder
    assert not state.exists()


def use(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_process, "COMMAND", [str(program)])


def test_contents(built: Path, tmp_path: Path) -> None:
    assert {path.name for path in built.iterdir()} == {NAME, "_internal"}
    names = [path.name.lower() for path in built.rglob("*")]
    assert [name for name in names if name.endswith((".exe", ".com"))] == ([NAME] if SUFFIX else [])
    assert not [name for name in names if any(word in name for word in ("numpy", "asyncio", "ssl", "crypto"))]
    assert {path.parent.name for path in built.rglob("LICENSE*")} == {"fukumi", "python"}
    archive = Path(shutil.make_archive(str(tmp_path / "brain"), "zip", built))
    assert archive.stat().st_size < GOMOCUP_BYTES


@pytest.mark.parametrize("name", player_names())
def test_plays_as_the_package_does(name: str) -> None:
    limit = Limit(nodes=2_000)
    with BrainProcess(arguments=["--player", name, "--seed", "1"]) as brain:
        for rule in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU, Rule.CARO):
            board = Board.from_text("h8h9i8", origin="top", rule=rule)
            brain.send("START 15", f"INFO rule {int(rule)}", "INFO max_node 2000")
            assert brain.line() == "OK"
            brain.send("BOARD", "7,7,2", "7,8,1", "8,7,2", "DONE")
            assert brain.move() == make_player(name, seed=1).play(board, limit).move
        brain.send("END")
        assert brain.wait_exit()[0] == 0
        assert brain.error_output() == b""


@pytest.mark.parametrize("rule", Rule)
def test_whole_game(rule: Rule) -> None:
    board = Board(15, rule=rule)
    with BrainProcess() as black, BrainProcess() as white:
        brains = {BLACK: black, WHITE: white}
        for brain in brains.values():
            brain.send("START 15", f"INFO rule {int(rule)}", "INFO max_node 300")
            assert brain.line() == "OK"
        black.send("BEGIN")
        while True:
            x, y = brains[board.turn].move()
            board.push((x, y))  # which must be legal
            if board.is_game_over():
                break
            brains[board.turn].send(f"TURN {x},{y}")


@pytest.mark.parametrize("name", ["pbrain-fukumi_renju-1564", "pbrain-fukumi_caro_64", "engine"])
def test_may_be_moved_and_renamed(name: str, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "a folder für 五目"
    shutil.copytree(built, folder)
    program = folder / f"{name}{SUFFIX}"
    (folder / NAME).rename(program)
    use(program, monkeypatch)
    with BrainProcess(cwd=tmp_path) as brain:
        brain.send("START 15", "BEGIN")
        assert brain.line() == "OK"
        assert brain.move() == (7, 7)
        brain.send("END")
        assert brain.wait_exit()[0] == 0
