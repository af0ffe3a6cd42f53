"""Games under the referee of the Gomocup tournament, GomocupJudge, each in a Python process of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("judge_driver.py")

ENDS = {0: "five or draw", 1: "foul", 2: "timeout", 3: "illegal move", 4: "crash"}
"""How a game ended, by the referee's numbers."""

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class League:
    """One league of the tournament.

    Attributes:
        rule: value of ``INFO rule``.
        size: rows and columns.
        turn_ms: limit of a move.
        match_ms: limit of a side's game. The tournament's proportions, much shorter.
        checks: positions of the entry test that fit the rule, with the judge's name of the question.
    """

    rule: int
    size: int
    turn_ms: int
    match_ms: int
    checks: tuple[tuple[str, str], ...]


FIVE = ("h8h9i8i9j8j9k8k9", "all")
LEAGUES = {
    "freestyle-20": League(0, 20, 300, 9_000, (FIVE,)),
    "freestyle-15": League(0, 15, 300, 9_000, (FIVE,)),
    "fastgame": League(0, 20, 100, 2_000, (FIVE,)),
    "standard": League(1, 15, 300, 9_000, (FIVE, ("h8h9i8h10g8h11j13h12g14h14i15", "standard_specific"))),
    "renju": League(4, 15, 300, 9_000, (FIVE, ("h8h9i7i9h10i6i11i12", "renju_specific"))),
    "caro": League(8, 15, 300, 9_000, (FIVE, ("h8f8g8f9i8f7j8l8", "caro_specific"))),
    "exact caro": League(9, 15, 300, 9_000, (FIVE,)),
}


@dataclass(frozen=True)
class Verdict:
    """What the referee says of a game.

    Attributes:
        winner: colour that won, 1 for black and 2 for white; 0 for a draw.
        end: a word of ENDS.
        moves: x, y and the milliseconds its side has used so far, of every move after the opening; a swap2 game has
            its opening here too.
        opening: the stones of the opening, those of swap2 included.
        memory: peak bytes of the two brains, the process trees' unique set sizes.
        messages: all the brains' messages.
    """

    winner: int
    end: str
    moves: list[list[int]]
    opening: list[list[int]]
    memory: list[int]
    messages: str


def run(checkout: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Let the judge answer one request of ``judge_driver``."""
    done = subprocess.run(
        [sys.executable, "-B", str(DRIVER), str(checkout)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def play(
    checkout: Path,
    league: League,
    first: Path,
    second: Path,
    folder: Path,
    *,
    opening: str = "h8i9g7",
    special_rule: str = "",
) -> Verdict:
    """Play one game; the first brain moves first after the opening.

    Args:
        checkout: a checkout of GomocupJudge.
        league: rule, size and limits.
        first: a brain's program.
        second: the other one's.
        folder: where each brain gets a persistent folder, with a blank and an apostrophe in its name.
        opening: stones as the judge writes them, a letter for the column and a number from 1 for the row.
        special_rule: ``swap2`` or nothing.
    """
    folders = [folder / f"player {number}'s" for number in (1, 2)]
    for path in folders:
        path.mkdir(exist_ok=True)
    answer = run(
        checkout,
        {
            "kind": "play",
            "board_size": league.size,
            "rule": league.rule,
            "opening": opening,
            "commands": [shlex.quote(str(path)) for path in (first, second)],
            "folders": [str(path) for path in folders],
            "timeout_turn": league.turn_ms,
            "timeout_match": league.match_ms,
            "max_memory": 350 * MEBIBYTE,
            "special_rule": special_rule,
        },
    )
    answer["end"] = ENDS[answer["end"]]
    return Verdict(**answer)


def check(
    checkout: Path, league: League, command: Path, folder: Path, *, position: str, question: str
) -> tuple[bool, str]:
    """Ask one position of the tournament's entry test; returns whether it was passed and the judge's remark."""
    answer = run(
        checkout,
        {
            "kind": "ask",
            "command": str(command),
            "rule": league.rule,
            "board_size": league.size,
            "timeout_turn": league.turn_ms,
            "timeout_match": league.match_ms,
            "folder": str(folder),
            "position": position,
            "check": question,
        },
    )
    return answer["passed"], answer["detail"]
