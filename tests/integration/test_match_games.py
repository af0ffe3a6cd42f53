"""Games with real processes: every way a brain can fail has its name and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from brain_process import COMMAND
from gomoku.book import Opening
from gomoku.info import Limit
from gomoku.match import End, PairTask, Player, Terms, play_pair
from gomoku.match.result import PairResult
from gomoku.types import Move, Rule

STRANGE = Path(__file__).with_name("strange_brain.py")
EMPTY = Opening((), 15, 15)
QUICK = Limit(time=0.2)


def strange(way: str, *, name: str | None = None, limit: Limit = QUICK) -> Player:
    return Player(name=name or way, command=(sys.executable, "-u", str(STRANGE), way), limit=limit)


def play(first: Player, second: Player, opening: Opening = EMPTY, **terms: object) -> PairResult:
    conditions = Terms(**{"tolerance": 0.2, "patience": 1.0, "draw_after": 40, **terms})  # type: ignore[arg-type]
    return play_pair(PairTask(number=0, first=first, second=second, opening=opening, terms=conditions))


def children() -> list[int]:
    """Processes that this one started, directly or not, and that are still there."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(STRANGE).encode() in command or b"import time; time.sleep(60)" in command:
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize(
    ("way", "end", "detail"),
    [
        ("Crash", End.CRASH, "exited with status 3: assertion failed: board.c:17"),
        ("Killed", End.CRASH, "exited with status -9"),
        ("Silence", End.TIMEOUT, "no move within 0.2 s"),
        ("Flood", End.TIMEOUT, "no move within 0.2 s"),
        ("EndlessLine", End.TIMEOUT, "no move"),
        ("HalfMove", End.TIMEOUT, "no move"),
        ("Nonsense", End.TIMEOUT, "no move"),
        ("Unflushed", End.TIMEOUT, "no move"),
        ("Occupied", End.ILLEGAL, "is occupied"),
        ("OffBoard", End.ILLEGAL, "99,99 is not on the board"),
        ("Refuses", End.ILLEGAL, "I do not like this position"),
        ("Disconnect", End.DISCONNECT, "closed its output"),
        ("Fork", End.CRASH, "exited with status 0"),
        ("NoStart", End.START, "no answer to START within 1 s"),
        ("CrashAtStart", End.START, "exited with status 1"),
        ("RefusesStart", End.START, "refused START: ERROR unsupported size"),
        ("OtherProtocol", End.START, "refused START: UNKNOWN command"),
    ],
)
def test_a_misbehaving_brain_loses_both_games_by_name(way: str, end: End, detail: str) -> None:
    opening = Opening((Move(7, 7),), 15, 15) if way == "Occupied" else EMPTY
    result = play(strange(way), strange("Brain"), opening)
    for game in result.games:
        assert game.end is end, game
        assert game.points(way) == 0
        assert f"{way}: " in game.detail
        assert detail in game.detail, game.detail
    assert result.points == 0
    assert result.forfeits == 2
    assert children() == []


@pytest.mark.parametrize("way", ["FloodThenMove", "SlowStart", "Immortal", "TwoAnswers", "Complains", "Suggests"])
def test_a_strange_but_harmless_brain_plays_on(way: str) -> None:
    limit = Limit(time=5.0, nodes=100) if way == "Complains" else Limit(time=5.0)
    result = play(strange(way, limit=limit), strange("Brain"), draw_after=9)
    assert [game.end for game in result.games] == [End.DRAW, End.DRAW], result.games
    assert result.points == 1
    assert children() == []


def test_a_forbidden_move_loses_without_being_a_forfeit() -> None:
    opening = Opening.from_text("g8a15i8c15h7e15h9g15", 15, 15)
    player = Player(name="fouler", command=(sys.executable, "-u", str(STRANGE), "Fouler"), limit=QUICK)
    result = play(player, strange("Brain"), opening, rule=Rule.RENJU)
    assert result.games[0].end is End.FORBIDDEN
    assert result.games[0].detail == "double-three"
    assert result.games[0].points("fouler") == 0
    assert not result.games[0].end.forfeit


def test_draws_by_agreement_and_by_a_full_board() -> None:
    players = strange("Brain", name="a"), strange("Brain", name="b")
    opening = Opening((Move(0, 0), Move(1, 1)), 15, 15)
    assert [game.end for game in play(*players, opening, draw_after=4).games] == [End.DRAW, End.DRAW]
    small = Opening((), 5, 5)
    games = play(*players, small, width=5, height=5, draw_after=None).games
    assert {game.end for game in games} <= {End.FIVE, End.FULL_BOARD}


def test_a_match_clock_runs_out() -> None:
    player = Player(name="slow", command=tuple(COMMAND), limit=Limit(nodes=10**9))
    clocked = strange("Silence", limit=Limit(match_time=0.3))
    result = play(clocked, player, tolerance=0.1)
    assert result.games[0].end is End.TIMEOUT
    assert "0.3 s" in result.games[0].detail


@pytest.mark.parametrize("rounds", [1, pytest.param(50, marks=pytest.mark.slow)])
def test_nothing_leaks_over_many_games(rounds: int) -> None:
    def one_round() -> None:
        for way in ("Brain", "Crash", "Fork", "Disconnect", "CrashAtStart")[: 3 if rounds == 1 else 5]:
            play(strange(way, name="one"), strange("Brain", name="two"), draw_after=9, patience=1.0, tolerance=0.1)
        time.sleep(0.1)
        assert children() == []

    one_round()  # opens what stays open for good
    descriptors, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    for _ in range(rounds):
        one_round()
        assert len(os.listdir("/proc/self/fd")) == descriptors
        assert threading.active_count() == threads
