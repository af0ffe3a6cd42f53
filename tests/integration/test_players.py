"""All players as processes: by option, by INFO, and by a console script of their own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from brain_process import COMMAND, BrainProcess
from gomoku import Board
from gomoku.engine import Engine
from gomoku.frontends import pbrain
from gomoku.info import Limit
from gomoku.levels import make_player

OPEN = ["BOARD", "7,7,2", "7,8,1", "8,7,2", "DONE"]
POSITION = Board.from_text("h8h9i8", origin="top")


def move_of(name: str) -> tuple[int, int]:
    return make_player(name, seed=1).play(POSITION, Limit(time=5.0)).move


@pytest.mark.parametrize("name", ["winlines", "chains", "field", "level-2", "level-8"])
def test_player_by_option_and_by_info(name: str) -> None:
    with BrainProcess(arguments=["--player", name, "--seed", "1"]) as brain:
        brain.send("START 15", *OPEN)
        assert brain.line() == "OK"
        assert brain.move() == move_of(name)
        brain.send("INFO player fukumi", "INFO max_node 500", *OPEN)
        brain.move()
    with BrainProcess(arguments=["--seed", "1"]) as brain:
        brain.send("START 15", f"INFO player {name}", *OPEN)
        assert brain.line() == "OK"
        assert brain.move() == move_of(name)


def test_strength() -> None:
    with BrainProcess(arguments=["--seed", "1"]) as brain:
        brain.send("START 15", "INFO strength 8", *OPEN)
        assert brain.line() == "OK"
        assert brain.move() == move_of("level-2")
        brain.send("INFO strength 100", "INFO max_node 3000", "RESTART", *OPEN)
        assert brain.line() == "OK"
        assert brain.line().startswith("MESSAGE depth")
        brain.move()


def test_unknown_player_is_an_error_at_the_move_and_not_the_end() -> None:
    with BrainProcess(arguments=["--player", "chess"]) as brain:
        brain.send("START 15", "BEGIN")
        assert brain.line() == "OK"
        assert brain.line().startswith("ERROR there is no player 'chess'; there are fukumi, winlines")
        brain.send("INFO player chains", "BEGIN")
        brain.move()


def test_constants_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "constants.json"
    file.write_text('{"constants": {"razor_base": 150}, "results": "..."}')
    nodes = {}
    for words in ([], ["--constants", str(file)]):
        with BrainProcess(arguments=words) as brain:
            brain.send("START 15", "INFO max_depth 7", *OPEN)
            while (line := brain.line())[:1] not in "0123456789":
                if match := re.search(r"^MESSAGE depth 7-.* n (\d+) ", line):
                    nodes[len(words)] = int(match[1])
    limit = Limit(time=5.0, depth=7)
    expected = [Engine(constants=changed).play(POSITION, limit).info.nodes for changed in ({}, {"razor_base": 150})]
    assert [nodes[0], nodes[2]] == expected
    assert nodes[0] != nodes[2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file"),
        ("{", "Expecting property name"),
        ("[" * 100_000, "decoding a JSON array"),
        ("[]", "it must hold an object such as"),
        ('{"razor_base": 3}', "it must hold an object such as"),
        ('{"constants": [3]}', "it must hold an object such as"),
        ('{"constants": {"razor": 3}}', "there is no constant 'razor'; there are razor_depth, "),
        ('{"constants": {"razor_base": 1000}}', "razor_base is 1000; it must be a whole number from -100 to 300"),
    ],
)
def test_constants_that_make_no_sense_are_an_error_at_once(tmp_path: Path, content: str | None, message: str) -> None:
    file = tmp_path / "constants.json"
    if content is not None:
        file.write_text(content)
    with BrainProcess(arguments=["--constants", str(file)]) as brain:
        line = brain.line()
        assert line.startswith(f"ERROR no constants in {file}: ")
        assert message in line
        assert brain.wait_exit()[0] == 1


@pytest.mark.parametrize("name", ["winlines", "chains", "field"])
def test_whole_games_through_the_scripts(name: str) -> None:
    assert callable(getattr(pbrain, name))
    code = f"from gomoku.frontends import pbrain; pbrain.{name}()"
    engines = [f"name=script '{sys.executable}' -P -c '{code}'", "level-1"]
    command = [sys.executable, "-P", "-m", "gomoku", "match", *engines, "--pairs", "1", "--tc", "5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("forfeits=0")


def test_help_is_for_people() -> None:
    """Somebody who types the name of the brain to see what it is gets an answer, not a program that waits."""
    done = subprocess.run([*COMMAND, "--help"], input="", capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.startswith("usage: pbrain-fukumi")
    assert not done.stderr


def test_a_seed_of_too_many_digits_means_nothing() -> None:
    with BrainProcess(arguments=["--player", "chains", "--seed", "9" * 5000]) as brain:
        brain.send("START 15", *OPEN)
        assert brain.line() == "OK"
        brain.move()
