"""What is installed is what was meant to be."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import entry_points, version

import gomoku


def test_version_is_the_distribution_s() -> None:
    assert version("fukumi") == gomoku.__version__


def test_console_scripts_exist_and_have_names_that_managers_accept() -> None:
    names = {
        script.name: script for script in entry_points(group="console_scripts") if script.value.startswith("gomoku")
    }
    assert names.keys() == {"fukumi", "pbrain-fukumi", "pbrain-winlines", "pbrain-chains", "pbrain-field"}
    assert all(callable(script.load()) for script in names.values())


def test_command_line() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "gomoku", *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True)

    solved = run("solve", "h8a1i9a3j10a5", "--vcf")
    assert (solved.returncode, solved.stderr) == (0, "")
    assert "black wins in 3 plies: g7 f6 k11" in solved.stdout
    analysed = run("analyse", "h8i9", "--depth", "3", "--lines", "2", "--rule", "renju", "--size", "15x13")
    assert analysed.returncode == 0
    assert "depth  3" in analysed.stdout
    wrong = run("analyse", "h8h8")
    assert wrong.returncode == 2
    assert "illegal move" in wrong.stderr
    benched = run("bench", "--shallower", "7")
    assert re.search(r"^bench: nodes=\d+ signature=[0-9a-f]{8} nps=\d+$", benched.stdout.strip().splitlines()[-1])
