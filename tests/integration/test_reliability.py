"""What a brain survives: random input, processes that are stopped, limits that change, and errors of its own."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_process import BrainProcess
from fuzz import fuzz_brain, fuzz_connection
from fuzz.drive import mutate
from fuzz.fuzz_brain import Faults, Talk
from fuzz.sessions import run_session
from fuzz.tokens import MOVE, SEEDS, TOKENS, encode, spell
from gomoku.book import builtin
from gomoku.frontends.session import Session
from gomoku.info import Swap2Choice
from gomoku.types import GomokuError, Rule

POSIX = sys.platform != "win32"
QUIET = [f"{move},{1 + number % 2}" for number, move in enumerate(builtin(Rule.FREESTYLE, 15)[0].moves)]
SLOW_SESSIONS = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 100)]


@pytest.fixture
def faults() -> Iterator[Faults]:
    with Faults() as faults:
        yield faults


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[BrainProcess]:
    with BrainProcess(state=tmp_path) as process:
        yield process


def answers(talk: Talk) -> list[str]:
    """Return what was said since, without progress, once the search has ended."""
    talk.finish_search()
    lines = [line for line in talk.lines if not line.startswith("MESSAGE ")]
    talk.lines.clear()
    return lines


def test_fuzz_words_are_words_of_the_protocol() -> None:
    assert len(set(TOKENS)) == len(TOKENS) < 200
    assert all(spell(encode(text)) == text.replace("\n", " \n").encode() for text in ("START 15\n", "TURN 7,7\nDONE\n"))


@pytest.mark.parametrize("seed", range(3))
def test_t11_random_input_for_the_protocol(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        fuzz_connection.check(mutate(rng, SEEDS))


@pytest.mark.parametrize("seed", range(3))
def test_t11_random_input_for_a_brain(seed: int, faults: Faults) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        fuzz_brain.check(mutate(rng, SEEDS), faults)


def test_a_fault_would_be_noticed(faults: Faults) -> None:
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        faults.check(b"")


@pytest.mark.parametrize("seed", [0, 1, 2, 3, *SLOW_SESSIONS])
def test_t2_t11_random_session(seed: int, tmp_path: Path) -> None:
    assert run_session(seed, tmp_path) > 1


@pytest.mark.skipif(not POSIX, reason="needs POSIX signals")
def test_e3_stopped_during_a_search(brain: BrainProcess) -> None:
    brain.send("START 15", "INFO timeout_turn 400")
    assert brain.line() == "OK"
    for _ in range(2):
        brain.send("BOARD", *QUIET, "DONE")
        time.sleep(0.1)
        brain.process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        brain.process.send_signal(signal.SIGCONT)
        brain.move()
    assert brain.silent()


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads memory from /proc")
def test_i9_b43_a_lower_limit_gives_memory_back(brain: BrainProcess) -> None:
    def resident() -> int:
        status = Path(f"/proc/{brain.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10

    brain.send("START 15", f"INFO max_memory {1 << 30}", "INFO timeout_turn 1500", "BOARD", *QUIET, "DONE")
    assert brain.answer() == "OK"
    brain.move()
    before = resident()
    brain.send(f"INFO max_memory {64 << 20}", "INFO timeout_turn 300", "BOARD", *QUIET, "DONE")
    brain.move()
    assert resident() < min(before, 64 << 20)


def test_y5_a_refusal_does_not_cost_the_running_search_its_move(faults: Faults) -> None:
    talk = Talk()
    talk.say(b"START 15\nBOARD 7,7,1 8,8,2 DONE\nYXSHOWHASHUSAGE\n")
    assert MOVE.fullmatch(answers(talk)[-1])
    faults.check(b"")


def test_y2_more_lines_than_any_board_has(faults: Faults) -> None:
    talk = Talk()
    talk.say(b"START 15\nYXBOARD 7,7,1 8,8,2 DONE\nYXNBEST 99999999999999999999\n")
    assert MOVE.fullmatch(answers(talk)[-1])
    faults.check(b"")


def test_i11_no_forbidden_points_under_an_unknown_rule_while_thinking(
    faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = held_worker(monkeypatch)
    talk = Talk()
    talk.say(b"START 15\nTURN 7,7\nYXSHOWFORBID\nINFO rule 16\nYXSHOWFORBID\nINFO rule 0\n")
    gate.set()
    assert MOVE.fullmatch(answers(talk)[-1])
    faults.check(b"")


def test_i11_rule_changed_right_behind_the_question(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = held_worker(monkeypatch)
    talk = Talk()
    talk.say(b"START 15\nTURN 7,7\nINFO rule 16\n")
    gate.set()
    said = answers(talk)
    assert len(said) == 2
    assert MOVE.fullmatch(said[1]) or said[1].startswith("ERROR ")
    faults.check(b"")


def test_o3_a_late_complaint_does_not_settle_the_next_question(faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, abandon = held_worker(monkeypatch), Session.abandon

    def after_the_worker(session: Session) -> None:
        if session._job is not None:
            gate.set()
            talk.finish_search()
        abandon(session)

    def fail(*_: object) -> Swap2Choice:
        raise GomokuError("made for a test")

    monkeypatch.setattr(Session, "abandon", after_the_worker)
    monkeypatch.setattr("gomoku.frontends.analyst.swap2", fail)
    talk = Talk()
    talk.say(b"START 15\nPLAY 7,7\nYXSWAP2STEP1\nSTART 15\nYXSWAP2STEP1\nSTART 15\n")
    wrong_count = "ERROR YXSWAP2STEP1 needs a board with 0 stones, not 1"
    assert talk.lines == ["OK", "7,7", wrong_count, "OK", "MESSAGE made for a test", "OK"]
    faults.check(b"")


def test_b39_no_thread_for_one_search(monkeypatch: pytest.MonkeyPatch) -> None:
    start, failed = threading.Thread.start, []

    def fail_once(thread: threading.Thread) -> None:
        if thread.name == "search" and not failed:
            failed.append(thread)
            raise RuntimeError("made for a test")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", fail_once)
    with Faults():
        talk = Talk()
        talk.say(b"START 15\nTURN 7,7\n")
        answers(talk)
        talk.say(b"START 15\nTURN 7,7\n")
        said = answers(talk)
    assert failed
    assert said[0] == "OK"
    assert MOVE.fullmatch(said[-1])


@pytest.mark.skipif(not POSIX, reason="limits the address space")
def test_i15_a_table_larger_than_the_memory_there_is(tmp_path: Path) -> None:
    import resource

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    with BrainProcess(state=tmp_path, preexec_fn=small) as brain:
        brain.send("START 15", "INFO timeout_turn 100", f"INFO hash_size {8 << 20}", "TURN 7,7")
        assert brain.answer() == "OK"
        x, y = brain.move()
        assert max(abs(x - 7), abs(y - 7)) <= 2, "not a move of the search"
    assert not (tmp_path / "fukumi" / "pbrain.log").exists()


def held_worker(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Keep the thread that searches from its work until the event is set, as a busy system may do."""
    gate, run = threading.Event(), threading.Thread.run

    def held(thread: threading.Thread) -> None:
        if thread.name == "search":
            gate.wait(10)
        run(thread)

    monkeypatch.setattr(threading.Thread, "run", held)
    return gate
