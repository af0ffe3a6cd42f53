"""Matches under c-gomoku-cli: the command line and what its game records say."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROPER_ENDS = re.compile(r"(Black|White) win by five connection|Draw by fullfilled board|Draw by adjudication")
"""Ends of a game that nobody forfeited, in the runner's words."""


@dataclass(frozen=True)
class Game:
    """One game of the runner's SGF file.

    Attributes:
        black: name of the side that plays black.
        white: name of the other side.
        end: how the game ended, in the runner's words.
        points: the moves, opening included, as SGF points.
    """

    black: str
    white: str
    end: str
    points: tuple[str, ...]

    @property
    def proper(self) -> bool:
        """Whether the game ended on the board, not by a forfeit."""
        return PROPER_ENDS.fullmatch(self.end) is not None


def read_games(source: str) -> list[Game]:
    """Return the games of an SGF file as the runner writes it: a header line a game, then moves."""
    games = []
    for text in source.split("(;FF[4]")[1:]:
        tags = dict(re.findall(r"([A-Z]{2})\[([^\]]*)\]", text))
        points = tuple(re.findall(r";[BW]\[([a-z]{2})\]", text))
        games.append(Game(tags["PB"], tags["PW"], tags["TE"], points))
    return games


def play(
    runner: Path,
    brains: Sequence[Path],
    folder: Path,
    *,
    rule: int = 0,
    size: int = 15,
    games: int = 2,
    clock: str = "0/0.1",
    options: Sequence[str] = (),
) -> list[Game]:
    """Play a match of two brains and return its games.

    Args:
        runner: the program.
        brains: the two brains; they are called first and second.
        folder: a folder for the record.
        rule: 0, 1 or 4.
        size: rows and columns.
        games: number of games; every opening is played twice, with colours swapped.
        clock: seconds, ``match/turn+increment``; a match of 0 has no limit.
        options: further words of the command line.
    """
    record = folder / "games.sgf"
    record.unlink(missing_ok=True)  # the runner appends
    engines = [
        word
        for name, path in zip(("first", "second"), brains, strict=True)
        for word in ("-engine", f"name={name}", f"cmd={path}")
    ]
    command = [str(runner), "-each", f"tc={clock}", *engines, "-rule", str(rule), "-boardsize", str(size)]
    command += ["-games", str(games), "-repeat", "-fatalerror", "-sgf", str(record), *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == "", done.stderr
    return read_games(record.read_text(encoding="ascii"))
