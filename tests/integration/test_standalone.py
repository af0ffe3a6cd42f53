"""A built standalone brain, without Python: name its folder in FUKUMI_STANDALONE (protocol_docs/packaging.md).

With FUKUMI_C_GOMOKU_CLI as well it plays where there is nothing else: in a root folder of its own.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import brain_process
from brain_process import BrainProcess
from gomoku import Board
from gomoku.info import Limit
from gomoku.levels import make_player, player_names
from gomoku.types import BLACK, WHITE, Rule
from managers.c_gomoku_cli import read_games

FOLDER = os.environ.get("FUKUMI_STANDALONE")
RUNNER = os.environ.get("FUKUMI_C_GOMOKU_CLI")
SUFFIX = ".exe" if sys.platform == "win32" else ""
NAME = f"pbrain-fukumi64{SUFFIX}"
GOMOCUP_BYTES = 8_000_000
RECIPE = Path(__file__).resolve().parents[2] / ".github" / "standalone"
C_LIBRARY = re.compile(r"(ld-linux[-\w]*|lib(c|m|dl|pthread|rt|util))\.so")

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
    with zipfile.ZipFile(built / "_internal" / "base_library.zip") as library:
        assert not [name for name in library.namelist() if name.startswith("encodings/cp")]
    archive = Path(shutil.make_archive(str(tmp_path / "brain"), "zip", built))
    assert archive.stat().st_size < GOMOCUP_BYTES


def test_answers_every_question() -> None:
    *questions, farewell = runpy.run_path(str(RECIPE / "loaded.py"))["QUESTIONS"]
    with BrainProcess() as brain:
        for question in questions:
            brain.send(question)
            assert "internal" not in brain.answer()
        brain.send(farewell)
        assert brain.wait_exit()[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a running process")
def test_failure_is_survived_and_logged(tmp_path: Path) -> None:
    import resource

    with BrainProcess(state=tmp_path) as brain:
        brain.send("START 15")
        assert brain.line() == "OK"
        status = Path("/proc", str(brain.process.pid), "status").read_text(encoding="ascii")
        in_use = int(re.search(r"VmSize:\s+(\d+) kB", status)[1]) * 1024
        resource.prlimit(brain.process.pid, resource.RLIMIT_AS, (in_use, in_use))
        brain.send("BEGIN")
        brain.move()
    assert "MemoryError" in (tmp_path / "fukumi" / "pbrain.log").read_text(encoding="utf-8")


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


def libraries(program: Path) -> list[Path]:
    """The shared libraries a program loads, as its system finds them; none if it is linked statically."""
    listing = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", listing)]


@pytest.fixture(scope="module")
def bare_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root folder with the brain, c-gomoku-cli, the C library and zlib; no Python, no shell, no environment."""
    if RUNNER is None:
        pytest.skip("FUKUMI_C_GOMOKU_CLI names no c-gomoku-cli; protocol_docs/managers.md says where to get it")
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of a Linux system may start programs in another root folder")
    assert FOLDER is not None
    root = tmp_path_factory.mktemp("root")
    brain = shutil.copytree(FOLDER, root / "brain")
    runner = Path(shutil.copy(RUNNER, root / "c-gomoku-cli"))
    needed = {path for program in (brain / NAME, *brain.rglob("*.so*")) for path in libraries(program)}
    outside = {path for path in needed if not path.is_relative_to(brain)}
    assert {path.name for path in outside if not C_LIBRARY.match(path.name)} == {"libz.so.1"}
    for path in outside | set(libraries(runner)):
        copy = root / path.relative_to("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (root / "dev").mkdir()
    try:
        os.mknod(root / "dev" / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError as error:
        pytest.skip(f"this root may not make devices: {error}")
    return root


@pytest.mark.parametrize("size", [15, 20])
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU])
def test_games_where_there_is_nothing_else(rule: Rule, size: int, bare_root: Path) -> None:
    record = bare_root / "games.sgf"
    record.unlink(missing_ok=True)
    sides = [word for name in ("first", "second") for word in ("-engine", f"name={name}", f"cmd=/brain/{NAME}")]
    command = ["/c-gomoku-cli", "-each", "tc=0/0.1", *sides, "-rule", str(int(rule)), "-boardsize", str(size)]
    command += ["-games", "4", "-repeat", "-fatalerror", "-sgf", "/games.sgf"]
    enter = partial(os.chroot, bare_root)
    done = subprocess.run(command, cwd="/", preexec_fn=enter, capture_output=True, text=True, timeout=900, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    games = read_games(record.read_text(encoding="ascii"))
    assert len(games) == 4
    assert [game for game in games if not game.proper] == []
