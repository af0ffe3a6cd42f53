"""Thinking in the other side's time: it goes on until it is disturbed, and nobody hears of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest

from gomoku.frontends.brain import Brain

PATIENCE_SECONDS = 30.0


class Talk:
    """A brain in this process and what it has said."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.brain = Brain(lambda data: self.lines.extend(data.decode().splitlines()))

    def say(self, *lines: str) -> None:
        self.brain.receive("".join(f"{line}\n" for line in lines).encode(), time.monotonic_ns())

    @property
    def moves(self) -> list[str]:
        return [line for line in self.lines if re.fullmatch(r"\d+,\d+", line)]

    @property
    def nodes(self) -> int:
        team = self.brain._session.engine._team
        return 0 if team is None else team.nodes

    @property
    def ponders(self) -> bool:
        job = self.brain._session._job
        return job is not None and job.silent


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.say("RESTART", "END")


def test_it_goes_on_in_silence_until_the_next_command(talk: Talk) -> None:
    talk.say("START 15", "INFO pondering 1", "INFO max_node 500", "TURN 7,7")
    wait_for(lambda: len(talk.moves) == 1 and talk.ponders)
    before = talk.nodes
    wait_for(lambda: talk.nodes > before + 20_000)
    said = list(talk.lines)
    free = next(f"{x},{x + 2}" for x in range(12) if f"{x},{x + 2}" not in talk.moves)
    talk.say(f"TURN {free}")
    wait_for(lambda: len(talk.moves) == 2 and talk.ponders)
    assert [line for line in talk.lines[len(said) :] if not line.startswith("MESSAGE")] == [talk.moves[1]]
    talk.say("RESTART")
    assert talk.lines[-1] == "OK"
    assert not talk.ponders


@pytest.mark.parametrize("settings", [("INFO pondering 0",), (), ("INFO pondering 1", "INFO player winlines")])
def test_without_leave_or_with_other_players_nobody_ponders(talk: Talk, settings: tuple[str, ...]) -> None:
    talk.say("START 15", *settings, "INFO max_node 500", "TURN 7,7")
    wait_for(lambda: len(talk.moves) == 1)
    wait_for(lambda: talk.brain._session._job is None)


def test_clocks_and_stops_while_pondering(talk: Talk) -> None:
    talk.say("START 15", "INFO pondering 1", "INFO max_node 500", "TURN 7,7")
    wait_for(lambda: talk.ponders)
    talk.say("INFO time_left 5000", "INFO timeout_turn 100", "ABOUT", "YXSTOP")
    wait_for(lambda: not talk.ponders)
    talk.say("TURN 0,0")
    wait_for(lambda: len(talk.moves) == 2)


def test_a_finished_game_is_not_pondered(talk: Talk) -> None:
    talk.say("INFO pondering 1", "INFO max_node 500", "START 15")
    talk.say("BOARD", *(f"{x},7,1" for x in range(4)), *(f"{x},9,2" for x in range(4)), "DONE")
    wait_for(lambda: talk.moves == ["4,7"])
    wait_for(lambda: not talk.ponders)
