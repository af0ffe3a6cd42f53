"""The real brain over real pipes. Numbers in test names are those of the conformance table in protocol_docs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from brain_process import COMMAND, BrainProcess
from gomoku import Board, Rule
from transcript import TRANSCRIPTS, Matcher, Session, parse

POSIX = sys.platform != "win32"
posix_only = pytest.mark.skipif(not POSIX, reason="needs POSIX signals")

HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")

REPLY = re.compile(r"OK|MESSAGE \S.*|FORBID ([0-9]{4})*\.|ERROR \S.*|UNKNOWN \S.*|SWAP|[0-9]+,[0-9]+( [0-9]+,[0-9]+)*")


@pytest.fixture
def brain(tmp_path: Path):
    with BrainProcess(state=tmp_path) as process:
        yield process


def start(brain: BrainProcess, size: int = 15, *settings: str) -> None:
    brain.send(f"START {size}", *settings)
    assert brain.line() == "OK"


@pytest.mark.parametrize("path", sorted(TRANSCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_x4_brain_speaks_as_the_transcripts_say(path: Path, brain: BrainProcess) -> None:
    session = Session()
    transcript = parse(path.read_text(encoding="utf-8"))
    for exchange in transcript.exchanges:
        brain.write(exchange.data(session))
        if exchange.end_of_input:
            brain.process.stdin.close()
        matcher = Matcher(exchange.expected, session)
        while not matcher.satisfied:
            matcher.feed(brain.line())
    if transcript.ends_by_itself:
        code, _ = brain.wait_exit()
        assert code == 0
        assert brain.error_output() == b""


def test_t1_silence_before_the_first_command(brain: BrainProcess) -> None:
    assert brain.silent(1.0)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"  \t\n", b"\r\n\r\n\n"])
def test_t3_line_ends_and_blanks(end: bytes, brain: BrainProcess) -> None:
    brain.write(end.join([b"start 15", b"Info TIMEOUT_TURN 50", b"turn 7,7", b""]))
    assert brain.line() == "OK"
    assert brain.move() != (7, 7)


@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.parametrize("how", ["END", "eof"])
def test_t6_e1_ends_at_once(how: str, thinking: bool, brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 30000")
    if thinking:
        brain.send("TURN 7,7")
        time.sleep(0.4)
    if how == "END":
        brain.send("END")
    else:
        brain.process.stdin.close()
    code, seconds = brain.wait_exit()
    assert code == 0
    assert seconds < 0.5
    assert brain.error_output() == b""


@posix_only
@pytest.mark.parametrize("thinking", [False, True])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_e2_signals_end_it_silently(name: str, thinking: bool, brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 30000")
    if thinking:
        brain.send("TURN 7,7")
        time.sleep(0.3)
    brain.process.send_signal(getattr(signal, name))
    code, _ = brain.wait_exit()
    assert code == 0
    assert brain.error_output() == b""


def test_e2_closed_output_ends_it_silently() -> None:
    reading, writing = os.pipe()
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        os.close(reading)
        out, err = process.communicate(b"START 15\nABOUT\nINFO timeout_turn 30\nTURN 7,7\n", timeout=10)
    assert process.returncode == 0
    assert not out
    assert err == b""


@posix_only
def test_t7_closed_standard_error(tmp_path: Path) -> None:
    with BrainProcess(state=tmp_path, stderr=None, preexec_fn=lambda: os.close(2)) as brain:
        start(brain, 15, "INFO timeout_turn 50")
        brain.send("BEGIN")
        assert brain.move() == (7, 7)


def test_t8_starts_in_a_strange_folder(tmp_path: Path) -> None:
    folder = tmp_path / "it's a dir"
    folder.mkdir()
    with BrainProcess(cwd=folder, state=tmp_path) as brain:
        start(brain, 15, f"INFO folder {folder}", "INFO timeout_turn 50")
        brain.send("BEGIN")
        assert brain.move() == (7, 7)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("setting", ["timeout_turn 0", "timeout_turn 1", "time_left 0", "time_left -500"])
def test_i3_i6_no_time_left_means_at_once(setting: str, brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 30000", f"INFO {setting}")
    brain.send("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
    asked = time.monotonic()
    brain.move()
    assert time.monotonic() - asked < 0.5


@pytest.mark.parametrize("command", ["INFO timeout_turn 0", "YXSTOP", "STOP"])
def test_i4_y3_b40_move_now(command: str, brain: BrainProcess) -> None:
    start(brain, 20, "INFO timeout_turn 60000")
    brain.send("BOARD", "9,9,2", "10,10,1", "9,10,2", "10,8,1", "9,8,2", "DONE")
    time.sleep(0.4)
    brain.send(command)
    asked = time.monotonic()
    brain.move()
    assert time.monotonic() - asked < 0.4
    brain.send("YXSTOP")
    assert brain.silent()


@pytest.mark.parametrize("command", ["INFO timeout_turn 0", "YXSTOP"])
def test_move_now_in_the_same_burst_as_the_question(command: str, brain: BrainProcess) -> None:
    start(brain, 20, "INFO timeout_turn 60000")
    for _ in range(5):
        brain.send("BOARD", "9,9,2", "10,10,1", "9,10,2", "10,8,1", "9,8,2", "DONE", command)
        asked = time.monotonic()
        brain.move()
        assert time.monotonic() - asked < 0.5
        brain.send("INFO timeout_turn 60000")
    assert brain.silent()


@pytest.mark.parametrize("milliseconds", [100, 500, 1000])
def test_i7_never_later_than_the_turn_time(milliseconds: int, brain: BrainProcess) -> None:
    start(brain, 15, f"INFO timeout_turn {milliseconds}")
    brain.send("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
    asked = time.monotonic()
    brain.move()
    # The slack is the manager's tolerance, for a loaded machine.
    assert time.monotonic() - asked < milliseconds / 1000 + 0.1


def test_i1_i2_info_is_never_answered(brain: BrainProcess) -> None:
    start(brain)
    for line in (
        "INFO",
        "INFO rule",
        "INFO timeout_turn abc",
        "INFO foo bar 3 4",
        "INFO max_memory 384829069721600",
        "INFO max_memory 99999999999999999999999999",
        "INFO evaluate 5,5",
        "INFO folder C:\\Users\\Bob's PC\\AI's/AI folder",
        "INFO time_left 2147483647",
        "INFO max_node -1",
        "INFO thread_num 4",
    ):
        brain.send(line)
    assert brain.silent()
    brain.send("INFO max_memory 83886080", "INFO timeout_turn 50", "BEGIN")
    assert brain.move() == (7, 7)


@pytest.mark.parametrize("rule", [12, 16, 99, -3])
def test_i11_unsupported_rule_is_an_error_at_the_next_command(rule: int, brain: BrainProcess) -> None:
    start(brain, 15, f"INFO rule {rule}", "INFO timeout_turn 50")
    brain.send("BEGIN")
    assert brain.answer().startswith("ERROR ")
    brain.send("INFO rule 0", "BEGIN")
    assert brain.move() == (7, 7)


@posix_only
def test_e3_stopped_between_moves(brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 400")
    brain.send("TURN 7,7")
    brain.move()
    brain.process.send_signal(signal.SIGSTOP)
    time.sleep(1.0)
    brain.process.send_signal(signal.SIGCONT)
    brain.send("TURN 0,0")
    asked = time.monotonic()
    brain.move()
    assert 0.2 < time.monotonic() - asked < 0.6


def test_n1_new_question_mid_search_outside_a_front_end(brain: BrainProcess) -> None:
    start(brain, 15, "INFO timeout_turn 60000")
    brain.send("TURN 7,7")
    time.sleep(0.3)
    brain.send("START 15")
    assert brain.answer() == "OK"
    brain.send("INFO timeout_turn 50", "BEGIN")
    assert brain.move() == (7, 7)
    assert brain.silent()


def test_y13_undo_mid_search_in_a_front_end(brain: BrainProcess) -> None:
    brain.send("yxshowinfo", "INFO rule 2", "INFO timeout_turn 60000", "start 15 15", "board", "7,7,2", "done")
    threads = max(2, os.cpu_count() or 1)
    assert [brain.line(), brain.line()] == [f"MESSAGE INFO MAX_THREAD_NUM {threads}", "MESSAGE INFO MAX_HASH_SIZE 20"]
    assert brain.answer() == "OK"
    time.sleep(0.3)
    brain.send("start 15 15", "yxboard", "7,7,2", "done", "yxshowforbid", "yxquerydatabaseall", "done", "yxstop")
    assert re.fullmatch(r"\d+,\d+", brain.answer())
    assert brain.answer() == "OK"
    assert brain.answer() == "FORBID ."
    assert brain.silent()


def test_s9_b32_b34_games_of_different_kinds_in_one_process(brain: BrainProcess) -> None:
    for size, rule in ((15, 4), (20, 0), (15, 1), (15, 8), (15, 9), (5, 0), (22, 4)):
        start(brain, size, f"INFO rule {rule}", "INFO timeout_turn 20")
        board = Board(size, rule=Rule(rule))
        brain.send("BEGIN")
        board.push(brain.move())
        for _ in range(6):
            if board.is_game_over():
                break
            reply = next(move for move in board.legal_moves)
            board.push(reply)
            if board.is_game_over():
                break
            brain.send(f"TURN {reply}")
            board.push(brain.move())


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
def test_b26_whole_game_against_itself_is_legal(rule: int, tmp_path: Path) -> None:
    board = Board(15, rule=Rule(rule))
    with BrainProcess(state=tmp_path) as black, BrainProcess(state=tmp_path) as white:
        for brain in (black, white):
            start(brain, 15, f"INFO rule {rule}", "INFO max_node 300")
        black.send("BEGIN")
        brains = [black, white]
        while not board.is_game_over() and board.ply < 120:
            lines = []
            brain = brains[board.ply % 2]
            while not lines or not re.fullmatch(r"\d+,\d+", lines[-1]):
                lines.append(brain.line())
            assert all(REPLY.fullmatch(line) for line in lines)
            x, y = (int(part) for part in lines[-1].split(","))
            # The last progress line is about the move that is played.
            assert lines[-2].split(" pv ")[1].split()[0].lower() == f"{chr(97 + x)}{y + 1}"
            board.push((x, y))
            if not board.is_game_over():
                brains[board.ply % 2].send(f"TURN {x},{y}")
        for brain in brains:
            brain.send("END")
            assert brain.wait_exit()[0] == 0
            assert brain.error_output() == b""


def test_i10_r4_renju_black_never_plays_a_foul(brain: BrainProcess) -> None:
    start(brain, 15, "INFO rule 4", "INFO timeout_turn 100")
    brain.send("BOARD", "7,7,1", "7,8,2", "8,6,1", "8,8,2", "7,9,1", "8,5,2", "8,10,1", "8,11,2", "DONE")
    assert brain.move() != (6, 8)


def test_m7_m16_m17_odd_boards(brain: BrainProcess) -> None:
    start(brain, 5, "INFO timeout_turn 50")
    cells = [f"{x},{y},{1 + (x + y) % 2}" for y in range(5) for x in range(5)]
    brain.send("BOARD", *cells[:-1], "DONE")
    assert brain.move() == (4, 4)
    brain.send("BOARD", *cells, "DONE")
    assert brain.answer().startswith("ERROR ")
    brain.send("BOARD", *(f"{x},0,1" for x in range(5)), *(f"{x},1,2" for x in range(5)), "4,4,3", "DONE")
    assert brain.move()[1] > 1
    brain.send("BOARD", "0,0,1", "2,2,1", "4,4,1", "DONE")
    brain.move()


def test_b39_internal_error_still_gives_a_move_and_is_logged(tmp_path: Path) -> None:
    code = (
        "import gomoku.engine as e, gomoku.frontends.pbrain as p\n"
        "def play(*a, **k): raise RuntimeError('made for a test')\n"
        "e.Engine.play = play\np.main()\n"
    )
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
    )  # fmt: skip
    with process:
        process.stdin.write(b"START 15\nTURN 7,7\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"OK\n"
        assert re.fullmatch(rb"\d+,\d+\n", process.stdout.readline())
        out, err = process.communicate(b"END\n", timeout=5)
    assert (out, err) == (b"", b"")
    assert "made for a test" in (tmp_path / "fukumi" / "pbrain.log").read_text(encoding="utf-8")


def resident(brain: BrainProcess) -> int:
    status = Path(f"/proc/{brain.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads memory from /proc")
@pytest.mark.parametrize("mebibytes", [80, 350])
def test_i9_b43_memory_stays_below_the_limit(mebibytes: int, brain: BrainProcess) -> None:
    start(brain, 15, f"INFO max_memory {mebibytes << 20}", "INFO timeout_turn 1500")
    assert resident(brain) < 60 << 20
    brain.send("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
    brain.move()
    assert resident(brain) < mebibytes << 20


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads memory from /proc")
@pytest.mark.skipif(HUGE_PAGES.exists() and "[always]" in HUGE_PAGES.read_text(), reason="all pages are huge")
def test_i9_a_short_search_takes_little_of_a_large_table(brain: BrainProcess) -> None:
    start(brain, 15, f"INFO max_memory {350 << 20}", "INFO max_node 500")
    brain.send("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")
    brain.move()
    assert resident(brain) < 60 << 20
