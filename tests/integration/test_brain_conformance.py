"""What the conformance table demands of a real brain and no fixed conversation can show: games, clocks, signals, pipes.

Test names begin with the rows of protocol_docs/conformance.md.
"""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from brain_process import COMMAND, BrainProcess
from gomoku import BLACK, WHITE, Board, Color, Rule
from gomoku.book import builtin
from gomoku.reference import is_five
from support import WinningCase, forbidden_boards, random_game, renju_cases, slow_twin, winning_cases

pytestmark = pytest.mark.slow
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and sockets of POSIX")

Point = tuple[int, int]
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
QUIET = ("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
ENDLESS = "INFO timeout_turn 3600000"
JUDGE = (
    "START 20", "INFO timeout_turn 300", "INFO timeout_match 180000", "INFO max_memory 367001600", "INFO game_type 1",
    "INFO rule 0", "INFO folder /judge/folder_1",
)  # fmt: skip


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[BrainProcess]:
    with BrainProcess(state=tmp_path) as process:
        yield process


def start(brain: BrainProcess, size: int = 15, *settings: str) -> None:
    brain.send(f"START {size}", *settings)
    assert brain.line() == "OK"


def lines_before_mark(brain: BrainProcess) -> list[str]:
    """What the brain has said so far."""
    brain.send("MARK")
    lines = [brain.line()]
    while lines[-1] != "UNKNOWN command MARK":
        lines.append(brain.line())
    return lines[:-1]


def position(board: Board, own: Color) -> list[str]:
    """The lines of a position as a manager tells it to the brain that has a colour."""
    stones = [(move, board.stone(move)) for move in board.move_stack]
    return ["BOARD", *(f"{move},{1 if color is own else 2}" for move, color in stones), "DONE"]


def points(line: str) -> list[Point]:
    assert re.fullmatch(r"\d+,\d+( \d+,\d+)*", line), line
    return [(int(x), int(y)) for x, y in (word.split(",") for word in line.split(" "))]


# --- Processes and pipes ---


@posix_only
def test_t2_b21_every_answer_is_one_write(tmp_path: Path) -> None:
    # A datagram socket keeps the borders between writes.
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.settimeout(20)
    commands = ("START 15", "ABOUT", "yxshowinfo", "FOO", "TURN 99,99", "yxshowforbid", "INFO timeout_turn 400", *QUIET)
    with ours, subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=theirs, cwd=tmp_path) as process:
        theirs.close()
        process.stdin.write("".join(line + "\n" for line in commands).encode())
        process.stdin.flush()
        writes = [ours.recv(1 << 16)]
        while not re.fullmatch(rb"\d+,\d+\n", writes[-1]):
            writes.append(ours.recv(1 << 16))
        process.stdin.write(b"END\n")
        process.stdin.flush()
        assert process.wait(5) == 0
    assert len(writes) > 7
    assert [data for data in writes if not re.fullmatch(rb"[ -~]+\n", data)] == []


def test_b23_written_before_the_process_exists(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, "".join(line + "\r\n" for line in (*JUDGE, "BOARD", "9,9,2", "DONE")).encode())
    with (
        subprocess.Popen(COMMAND, stdin=reading, stdout=subprocess.PIPE, cwd=tmp_path) as process,
        os.fdopen(writing, "wb"),
    ):
        os.close(reading)
        assert process.stdout.readline() == b"OK\n"
        while (line := process.stdout.readline()).startswith(b"MESSAGE "):
            pass
        assert re.fullmatch(rb"\d+,\d+\n", line)


@posix_only
@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.06, 0.1])
def test_b23_b24_stopped_before_it_has_answered(seconds: float, brain: BrainProcess) -> None:
    brain.send(*JUDGE)
    time.sleep(seconds)
    brain.process.send_signal(signal.SIGSTOP)
    time.sleep(1.0)
    brain.process.send_signal(signal.SIGCONT)
    brain.send("INFO time_left 180000", "BOARD", "9,9,2", "10,10,1", "11,9,2", "DONE")
    assert brain.line() == "OK"
    brain.move()
    assert lines_before_mark(brain) == []


def test_s11_ready_before_any_manager_gives_up(brain: BrainProcess) -> None:
    brain.send("ABOUT", "START 15")
    assert brain.line(timeout=3.0).startswith("name=")
    assert brain.line(timeout=3.0) == "OK"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="/proc is a folder in which nobody can write")
def test_t8_i12_a_folder_without_leave_to_write(tmp_path: Path) -> None:
    with BrainProcess(cwd=Path("/proc"), state=tmp_path) as brain:
        start(brain, 15, "INFO folder /proc", "INFO timeout_turn 50")
        brain.send(*QUIET)
        brain.move()


def test_e1_i12_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with BrainProcess(cwd=tmp_path, state=tmp_path) as brain:
        start(brain, 15, f"INFO folder {tmp_path}", ENDLESS)
        brain.send(*QUIET)
        assert brain.line().startswith("MESSAGE ")
        brain.send("END")
        assert brain.wait_exit()[0] == 0
    assert list(tmp_path.iterdir()) == []


# --- Questions, clocks and stops ---


def test_m4_nothing_is_said_before_done(brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 50")
    for line in QUIET[:-1]:
        brain.send(line)
        assert brain.silent()
    brain.send("DONE")
    brain.move()


def test_i5_limits_that_change_while_it_thinks(brain: BrainProcess) -> None:
    start(brain, 15, ENDLESS)
    brain.send(*QUIET)
    assert brain.line().startswith("MESSAGE ")
    brain.send("INFO timeout_turn 50")
    brain.move()
    brain.send("INFO timeout_turn 1500", *QUIET, ENDLESS)
    time.sleep(2.0)
    assert all(line.startswith("MESSAGE ") for line in lines_before_mark(brain))
    brain.send("YXSTOP")
    brain.move()


def test_i2_i15_zero_is_no_limit_of_nodes_or_depth(brain: BrainProcess) -> None:
    start(brain, 15, "INFO max_node 0", "INFO max_depth 0", ENDLESS)
    brain.send(*QUIET)
    time.sleep(0.7)
    assert all(line.startswith("MESSAGE ") for line in lines_before_mark(brain))
    brain.send("YXSTOP")
    brain.move()


def test_i7_a_longer_limit(brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 5000")
    brain.send(*QUIET)
    asked = time.monotonic()
    brain.move()
    # The slack is the manager's tolerance, for a loaded machine.
    assert time.monotonic() - asked < 5.1


def test_b42_i6_without_any_limit_a_move_comes(brain: BrainProcess) -> None:
    start(brain)
    brain.send(*QUIET)
    brain.move()


def test_i8_a_game_on_match_clocks(tmp_path: Path) -> None:
    board, left = Board(15), {BLACK: 4.0, WHITE: 4.0}
    for move in builtin(Rule.FREESTYLE, 15)[0].moves:
        board.push(move)
    with BrainProcess(state=tmp_path) as black, BrainProcess(state=tmp_path) as white:
        brains = {BLACK: black, WHITE: white}
        for brain in brains.values():
            start(brain, 15, "INFO timeout_turn 1000", "INFO timeout_match 4000")
        while not board.is_game_over():
            side = board.turn
            brains[side].send(f"INFO time_left {left[side] * 1000:.0f}", *position(board, side))
            asked = time.monotonic()
            board.push(brains[side].move())
            left[side] -= time.monotonic() - asked
            assert left[side] > 0
        assert board.ply > 15


@pytest.mark.parametrize("front_end", [False, True])
def test_b28_b40_stopped_at_any_moment(front_end: bool, brain: BrainProcess) -> None:
    rng = random.Random(11)
    if front_end:
        brain.send("yxshowinfo")
        assert [brain.line()[:12], brain.line()[:12]] == ["MESSAGE INFO"] * 2
    start(brain)
    for number in range(60):
        rule = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)[number % 3]
        board = random_game(rng, rule, (15, 15), rng.randint(8, 30), spread=3)
        brain.send(f"INFO rule {int(rule)}", ENDLESS, *position(board, board.turn))
        time.sleep(rng.choice((0.0, rng.random() * 0.01, rng.random() * 0.2)))
        brain.send(rng.choice(("YXSTOP", "STOP", "INFO timeout_turn 0")))
        x, y = brain.move(timeout=5.0)
        brain.send("YXSTOP")
        assert board.is_legal((x, y))
    assert lines_before_mark(brain) == []


# --- Games and rules ---


@BY_RULE
def test_b26_r4_i10_games_on_every_size_are_legal(rule: Rule, brain: BrainProcess) -> None:
    rng = random.Random(int(rule))
    for size in range(5, 23):
        start(brain, size, f"INFO rule {int(rule)}", "INFO max_node 200")
        board, ours = Board(size, rule=rule), rng.choice((BLACK, WHITE))
        if ours is BLACK:
            brain.send("BEGIN")
            board.push(brain.move())
        while not board.is_game_over() and board.ply < 60:
            board.push(rng.choice(list(board.legal_moves)))
            if not board.is_game_over():
                brain.send(f"TURN {board.move_stack[-1]}")
                board.push(brain.move())


def fill_up(case: WinningCase) -> Board:
    """The position of a case with far stones added, so that the counts are those of a game."""
    stones = {case.color: list(case.mover), case.color.other: list(case.opponent)}
    far = [(x, y) for y in (0, 12, 14) for x in range(0, 15, 3)]
    far = [point for point in far if point not in {*case.mover, *case.opponent, case.move}]
    lead = 0 if case.color is BLACK else 1
    while (surplus := len(stones[BLACK]) - len(stones[WHITE]) - lead) != 0:
        stones[WHITE if surplus > 0 else BLACK].append(far.pop())
    return Board.from_stones(stones[BLACK], stones[WHITE], to_move=case.color, rule=case.rule)


def test_r1_r6_b34_the_table_of_winning_moves(brain: BrainProcess) -> None:
    """The brain makes a winning five wherever there is one and knows of none elsewhere; the rule changes every time."""
    start(brain, 15, ENDLESS, "INFO max_node 300")
    for case in sorted(winning_cases(), key=lambda case: (case.id.partition("-")[0], (int(case.rule) - 4) % 10)):
        board = fill_up(case)
        slow = slow_twin(board)
        winning = {move for move in slow.empty_points() if is_five(slow, *move, case.color)}
        assert (case.move in winning) is (case.verdict == "1"), case.id
        brain.send(f"INFO rule {int(case.rule)}", *position(board, case.color))
        told = [brain.line()]
        while told[-1].startswith("MESSAGE "):
            told.append(brain.line())
        (move,) = points(told[-1])
        assert (move in winning) is bool(winning), case.id
        assert (" ev +M1 " in told[-2]) is bool(winning), case.id
        assert board.is_legal(move), case.id


def forbidden(brain: BrainProcess, black: Iterable[Point], white: Iterable[Point]) -> set[Point]:
    cells = [*(f"{x},{y},1" for x, y in black), *(f"{x},{y},2" for x, y in white)]
    brain.send("YXBOARD", *cells, "DONE", "YXSHOWFORBID")
    digits = brain.line().removeprefix("FORBID ").removesuffix(".")
    return {(int(digits[at : at + 2]), int(digits[at + 2 : at + 4])) for at in range(0, len(digits), 4)}


def test_r2_b35_the_table_of_forbidden_points(brain: BrainProcess) -> None:
    start(brain, 15, "INFO rule 4")
    for case in renju_cases():
        assert (case.move in forbidden(brain, case.black, case.white)) is bool(case.foul), case.id
    for board in forbidden_boards(100):
        start(brain, board.size)
        assert forbidden(brain, board.black, board.white) == set(board.forbidden)


@pytest.mark.parametrize("others", [0, 1])
def test_b25_only_forbidden_points_are_left(others: int, brain: BrainProcess) -> None:
    black = [(x, y) for y in (4, 6)[: others + 1] for x in (0, 1, 2, 4, 5)]
    white = [(x, y) for y in (0, 8) for x in range(0, 9, 2)][: len(black)]
    empty = {(3, 4), (3, 6)} if others else {(3, 4)}
    used = [(x, y) for x in range(9) for y in range(9) if (x, y) not in {*black, *white, *empty}]
    start(brain, 9, "INFO rule 4", "INFO timeout_turn 100")
    owners = ((black, 1), (white, 2), (used, 3))
    brain.send("BOARD", *(f"{x},{y},{who}" for stones, who in owners for x, y in stones), "DONE")
    assert brain.move() in empty


def test_b6_o1_o2_two_brains_agree_on_an_opening_and_play(tmp_path: Path) -> None:
    with BrainProcess(state=tmp_path) as first, BrainProcess(state=tmp_path) as second:
        for brain in (first, second):
            start(brain, 15, "INFO rule 1", "INFO timeout_turn 200")
        stones: list[Point] = []
        answer = ""
        asked, other = first, second
        while answer != "SWAP" and len(stones) not in (4, 6):
            asked.send("SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE")
            answer = asked.answer()
            stones += points(answer) if answer != "SWAP" else []
            asked, other = other, asked
        # Whoever answered last took black, or played as white.
        colours = {BLACK: other, WHITE: asked} if answer == "SWAP" else {BLACK: asked, WHITE: other}
        board = Board(15, rule=Rule.STANDARD)
        for point in stones:
            board.push(point)
        for ply in range(14):
            brain, own = colours[board.turn], board.turn
            brain.send(*(position(board, own) if ply < 2 else [f"TURN {board.move_stack[-1]}"]))
            board.push(brain.move())
            if board.is_game_over():
                break


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.RENJU], ids=lambda rule: rule.label)
def test_b2_t7_a_game_whose_errors_nobody_reads(rule: Rule, brain: BrainProcess) -> None:
    start(brain, 15, f"INFO rule {int(rule)}", "INFO max_node 300")
    board = Board(15, rule=rule)
    for move in builtin(rule, 15)[0].moves:
        board.push(move)
    while not board.is_game_over() and board.ply < 80:
        brain.send(*position(board, board.turn))
        board.push(brain.move())
    brain.send("END")
    assert brain.wait_exit()[0] == 0
    assert brain.error_output() == b""
