"""Analysis front ends and swap2, over real pipes. Test names begin with the rows of the conformance table."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from brain_process import BrainProcess
from gomoku import BLACK, Board, Move, Rule
from gomoku.frontends.brain import Brain
from gomoku.frontends.job import Asked, Job
from gomoku.info import Info, PovScore, Score
from gomoku.protocol.state import COMMANDS
from transcript import TRANSCRIPTS, Matcher, Session, parse

POINT = r"[0-9]{1,2},[0-9]{1,2}"
COORDINATES = re.compile(rf"{POINT}( {POINT}){{0,2}}")
ALLOWED = re.compile(rf"OK|MESSAGE .+|DETAIL .+|FORBID .*\.|ERROR .*|UNKNOWN .*|SWAP|{COORDINATES.pattern}")
INFO_LINE = re.compile(
    r"INFO (?:(?:PV|NUMPV|DEPTH|SELDEPTH|NODES|TOTALNODES|TOTALTIME|SPEED) [0-9]+|PV DONE|EVAL [+-]?M?[0-9]+"
    rf"|WINRATE [01]\.[0-9]+|BESTLINE {POINT}(?: {POINT})*)"
)
REALTIME = re.compile(rf"MESSAGE REALTIME (?:REFRESH|(?:BEST|LOST) {POINT}|VAL -?[0-9]+|PV {POINT}(?: {POINT})*)")
THREE = ("7,7,2", "8,8,1", "7,8,2")
TWO = ("7,7,1", "8,8,2")


@pytest.fixture
def brain(tmp_path: Path):
    with BrainProcess(state=tmp_path) as process:
        yield process


def start(brain: BrainProcess, *settings: str, size: int = 15) -> None:
    brain.send(f"start {size} {size}", *settings)
    assert brain.line() == "OK"


def position(*cells: str) -> tuple[str, ...]:
    return ("yxboard", *cells, "done")


def lines_until(brain: BrainProcess, end: str) -> list[str]:
    """Lines of output up to and including the one that matches."""
    lines = [brain.line()]
    while not re.fullmatch(end, lines[-1]):
        lines.append(brain.line())
    return lines


def answer_and_nothing_else(brain: BrainProcess) -> str:
    """The one line that is no MESSAGE."""
    answer = brain.answer()
    assert brain.silent()
    return answer


def points(line: str) -> list[tuple[int, int]]:
    assert COORDINATES.fullmatch(line), line
    return [(int(x), int(y)) for x, y in (cell.split(",") for cell in line.split(" "))]


# --- Whole sessions ---


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", ["yixin-session", "yixin-board", "yixin-analysis", "yixin-extras"])
def test_y12_no_stray_lines_in_whole_sessions(name: str, end: bytes, brain: BrainProcess) -> None:
    session = Session()
    lines: list[str] = []
    for exchange in parse((TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8")).exchanges:
        brain.write(exchange.data(session).replace(b"\r\n", b"\n").replace(b"\n", end))
        matcher = Matcher(exchange.expected, session)
        while not matcher.satisfied:
            lines.append(brain.line())
            matcher.feed(lines[-1])
    assert brain.wait_exit()[0] == 0
    assert len(lines) > 10
    assert [line for line in lines if not ALLOWED.fullmatch(line)] == []
    assert brain.error_output() == b""


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_y12_y3_thinking_is_stopped_by_hand(end: bytes, brain: BrainProcess) -> None:
    def send(*lines: str) -> None:
        brain.write(b"".join(line.encode() + end for line in lines))

    send("info show_detail 1", "yxshowinfo", "START 15 15", "INFO timeout_turn 2000000", "INFO rule 2")
    lines = lines_until(brain, "OK")
    send("start 15 15", "board", "7,7,2", "6,8,1", "8,8,2", "done")
    time.sleep(0.5)
    send("yxstop")
    lines += lines_until(brain, POINT)
    send("turn 0,14")
    time.sleep(0.5)
    send("yxstop")
    lines += lines_until(brain, POINT)
    send("yxstop", "yxstop")
    assert brain.silent()
    assert [line for line in lines if not ALLOWED.fullmatch(line)] == []
    assert any(REALTIME.fullmatch(line) for line in lines)


def test_y12_web_front_end(brain: BrainProcess) -> None:
    brain.send(
        "INFO HASH_SIZE 65536", "INFO RULE 1", "INFO THREAD_NUM 1", "INFO CAUTION_FACTOR 3", "INFO STRENGTH 100",
        "INFO TIMEOUT_TURN 400", "INFO TIMEOUT_MATCH 0", "INFO MAX_DEPTH 99", "INFO MAX_NODE 0", "INFO SHOW_DETAIL 3",
        "INFO PONDERING 0", "INFO SWAPABLE 1", "RELOADCONFIG config.toml", "START 15", "INFO TIME_LEFT 2147483647",
        "YXBOARD 7,7,1 8,8,2 DONE", "YXNBEST 2",
    )  # fmt: skip
    lines = lines_until(brain, POINT)
    assert [line for line in lines if not (ALLOWED.fullmatch(line) or INFO_LINE.fullmatch(line))] == []
    brain.send("YXBALANCETWO 0")
    assert len(points(answer_and_nothing_else(brain))) == 2


# --- Positions and questions ---


def test_y1_a_position_is_taken_in_silence(brain: BrainProcess) -> None:
    start(brain, *position(*THREE))
    assert brain.silent()


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_y2_so_many_lines_then_one_move(count: int, brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 500", *position(*TWO), f"yxnbest {count}")
    lines = lines_until(brain, POINT)
    told = [line for line in lines if line.startswith("MESSAGE depth")]
    assert len(told) >= count
    last = told[-count:]
    ranks = [int(match[1]) if (match := re.search(r"multipv (\d+)", line)) else 1 for line in last]
    assert ranks == list(range(1, count + 1))
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == count
    assert brain.silent()


def test_y2_more_lines_than_there_are_moves(brain: BrainProcess) -> None:
    # Black's four leaves white one move.
    start(brain, "info timeout_turn 300", "info rule 0")
    brain.send(*position("7,7,2", "6,7,1", "8,7,2", "0,2,1", "9,7,2", "0,4,1", "10,7,2"), "yxnbest 50")
    lines = lines_until(brain, POINT)
    assert lines[-1] == "11,7"
    assert not any("multipv" in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["yxnbest 1", "yxnbest 4", "yxbalanceone 0", "yxbalancetwo 0", "yxsearchdefend"])
def test_y3_stop_gives_one_answer_and_idle_none(question: str, brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 3600000", *position(*THREE), question)
    time.sleep(0.4)
    brain.send("yxstop")
    assert len(points(answer_and_nothing_else(brain))) == (2 if "two" in question else 1)
    brain.send("yxstop", "STOP")
    assert brain.silent()


@pytest.mark.slow
@pytest.mark.parametrize("question", ["yxbalanceone 0", "yxbalancetwo 0", "yxsearchdefend", "SWAP2BOARD\nDONE"])
def test_e1_end_within_a_question(question: str, brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 3600000", *position(*THREE), question)
    time.sleep(0.4)
    brain.send("end")
    assert brain.wait_exit()[0] == 0
    assert brain.error_output() == b""


def test_y4_forbidden_points(brain: BrainProcess) -> None:
    cross = ("5,7,1", "0,0,2", "6,7,1", "0,14,2", "7,8,1", "14,0,2", "7,9,1", "14,14,2")
    start(brain, "info rule 2", "info timeout_turn 100", *position(*cross), "yxshowforbid")
    assert brain.line() == "FORBID 0707."
    for rule in (0, 1):
        brain.send(f"info rule {rule}", "yxshowforbid")
        assert brain.line() == "FORBID ."
    # The brain's own move counts: as white it closes the open three that made the point forbidden, or not.
    brain.send("info rule 2", "board", *(f"{cell[:-1]}{3 - int(cell[-1])}" for cell in cross[:-1]), "done")
    move = brain.move()
    brain.send("yxshowforbid")
    board = Board.from_text("f8a1g8a15h9o1h10", origin="top", rule=Rule.RENJU)
    board.push(move)
    expected = [(x, y) for y in range(15) for x in range(15) if board.stone((x, y)) is None and board.foul((x, y))]
    assert brain.line() == "FORBID " + "".join(f"{x:02}{y:02}" for x, y in expected) + "."


def test_y5_hash(brain: BrainProcess) -> None:
    def usage() -> float:
        brain.send("yxshowhashusage")
        line = brain.line()
        found = re.fullmatch(r"MESSAGE transposition table (\d+\.\d)% full", line)
        assert found, line
        return float(found[1])

    start(brain, "info hash_size 1024", "info timeout_turn 500")
    assert usage() == 0.0
    brain.send(*position(*THREE), "yxnbest 1")
    brain.move()
    assert usage() > 0.0
    brain.send("yxhashclear")
    assert usage() == 0.0
    assert brain.silent()


def test_y5_hash_usage_while_thinking(brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 60000", *position(*THREE), "yxnbest 1")
    time.sleep(0.3)
    brain.send("yxshowhashusage")
    assert lines_until(brain, r"MESSAGE transposition.*")
    brain.send("yxstop")
    assert len(points(answer_and_nothing_else(brain))) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("yxhashdump", "/home/ann/some dir/hash.bin"),
        ("yxhashload", "START 15"[::-1]),
        ("yxsetdatabase", "C:\\Ann's files\\a.db"),
        ("yxquerydatabaseall", "7,7", "done"),
        ("yxquerydatabaseone", "done"),
        ("yxdeletedatabaseall wl", "7,7", "8,8", "done"),
        ("yxeditlabeldatabase 7,7 some text", "7,7", "done"),
        ("yxblock", "7,6", "done"),
        ("yxblockundo", "7,6", "done"),
        ("yxblockpath", "7,7", "8,8", "done"),
        ("yxblockreset",),
        ("yxblockpathreset",),
        ("yxdraw",),
        ("yxresign",),
    ],
    ids=lambda command: command[0].split()[0],
)
def test_y6_y7_y8_swallowed_commands(command: tuple[str, ...], brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 30", *position(*THREE), *command)
    assert brain.silent()
    brain.send("yxshowforbid", "yxnbest 1")
    assert brain.line() == "FORBID ."
    assert len(points(answer_and_nothing_else(brain))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("bias", ["", " 0", " 150", " -150", " 99999999999", " nonsense"])
def test_y9_balance(bias: str, brain: BrainProcess) -> None:
    taken = {(7, 7), (8, 8), (7, 8)}
    start(brain, "info timeout_turn 200")
    for command, count in (("yxbalanceone", 1), ("yxbalancetwo", 2)):
        brain.send(*position(*THREE), f"{command}{bias}")
        found = points(answer_and_nothing_else(brain))
        assert len(set(found) - taken) == count


def test_y9_balanced_stones_stand_on_the_board(brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 100", *position(*THREE), "yxbalancetwo 0")
    first, second = points(brain.answer())
    for x, y in (first, second):
        brain.send(f"turn {x},{y}")
        assert brain.answer() == f"ERROR the point {x},{y} is occupied"
        brain.send(f"takeback {x},{y}")
        assert brain.answer() == "OK"


def test_y9_balance_that_is_impossible(brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 100", size=5)
    cells = [f"{x},{y},{1 + (x + y) % 2}" for y in range(5) for x in range(5)]
    brain.send(*position(*cells[:-1]), "yxbalancetwo 0")
    assert brain.answer() == "ERROR there is no way to put 2 more stones on the board"
    brain.send(*position(*cells[:-1]), "yxbalanceone 0")
    assert brain.answer() == "4,4"
    brain.send("yxbalanceone 0")
    assert answer_and_nothing_else(brain) == "ERROR the board is full"


def test_search_defend_values_every_defence(brain: BrainProcess) -> None:
    # White's open three on the first row has three defences and more that counter it.
    start(brain, "info timeout_turn 500", "info show_detail 1")
    brain.send(*position("2,2,1", "6,7,2", "12,12,1", "7,7,2", "2,12,1", "8,7,2"), "yxsearchdefend")
    lines = lines_until(brain, POINT)
    valued = {line.split(" pv ")[1].split()[0] for line in lines if line.startswith("MESSAGE depth")}
    assert valued >= {"F8", "J8"}
    assert lines[-1] in {"4,7", "5,7", "9,7", "10,7"}
    assert brain.silent()


def test_y10_hello(brain: BrainProcess) -> None:
    brain.send("yxshowinfo")
    threads = max(2, os.cpu_count() or 1)
    assert [brain.line(), brain.line()] == [f"MESSAGE INFO MAX_THREAD_NUM {threads}", "MESSAGE INFO MAX_HASH_SIZE 20"]
    assert brain.silent()


# --- Details of a search ---


def details(brain: BrainProcess, question: Iterable[str], *settings: str) -> list[str]:
    start(brain, "info timeout_turn 600", *settings, *question)
    return lines_until(brain, POINT)


def line_of(depth: int, rank: int) -> Info:
    score = PovScore(Score(points=10 - rank), BLACK)
    return Info(depth, depth, score, (Move(rank, depth),), nodes=100, time=0.1, multipv=rank)


def test_lines_are_told_by_whole_iterations_and_not_too_often() -> None:
    job = Job(lambda _: (), Asked.MOVE, Rule.FREESTYLE, start_ns=0)
    later = iter(range(0, 10**10, 60_000_000))
    told = [job.hear(line_of(depth, rank), 3, next(later)) for depth in (1, 2, 3) for rank in (1, 2, 3)]
    assert [[info.depth for info in lines] for lines in told] == [[], [], [1] * 3, [], [], [], [], [], [3] * 3]
    assert [info.multipv for info in told[-1]] == [1, 2, 3]
    assert job.unsaid() == []
    assert job.hear(line_of(4, 1), 3, 0) == []
    assert job.unsaid() == [line_of(4, 1)]


def test_a_position_may_have_fewer_moves_than_lines_asked_for() -> None:
    job = Job(lambda _: (), Asked.MOVE, Rule.FREESTYLE, start_ns=0)
    told = [job.hear(line_of(depth, rank), 50, 10**9 * depth) for depth in (1, 2, 3) for rank in (1, 2)]
    # How many there are is known after the first iteration.
    assert [len(lines) for lines in told] == [0, 0, 0, 2, 0, 2]


@pytest.mark.parametrize("number", [0, 3, *(pytest.param(n, marks=pytest.mark.slow) for n in (None, 1, 2))])
def test_y11_details_are_told_when_asked_for(number: int | None, brain: BrainProcess) -> None:
    settings = () if number is None else (f"info show_detail {number}",)
    lines = details(brain, (*position(*THREE), "yxnbest 2"), *settings)
    realtime = [line for line in lines if line.startswith("MESSAGE REALTIME")]
    info = [line for line in lines if line.startswith("INFO")]
    assert bool(realtime) is bool((number or 0) & 1)
    assert bool(info) is bool((number or 0) & 2)
    assert all(REALTIME.fullmatch(line) for line in realtime)
    assert all(INFO_LINE.fullmatch(line) for line in info)
    brain.send("info show_detail 0", *position(*THREE), "yxnbest 2")
    assert all(re.fullmatch(rf"MESSAGE depth .*|{POINT}", line) for line in lines_until(brain, POINT))


def test_y11_realtime_as_the_front_end_reads_it(brain: BrainProcess) -> None:
    lines = details(brain, ("board", "7,7,2", "8,8,1", "3,2,2", "done"), "info show_detail 1")
    kinds = [line.split()[2] for line in lines if REALTIME.fullmatch(line)]
    assert kinds[-4:] == ["REFRESH", "BEST", "VAL", "PV"]
    texts = [line.split(" ", 3)[3] for line in lines if re.match(r"MESSAGE REALTIME (BEST|VAL|PV) ", line)]
    best, value, pv = texts[-3:]
    assert best == lines[-1]
    assert pv.split()[0] == best
    assert -6000 <= int(value) <= 6000


def test_y11_lost_points(brain: BrainProcess) -> None:
    # White cannot stop black's open four.
    cells = ("7,7,2", "0,0,1", "8,7,2", "0,2,1", "9,7,2", "0,4,1", "10,7,2")
    lines = details(brain, (*position(*cells), "yxsearchdefend"), "info show_detail 3", "info rule 0")
    assert lines[-1] in ("6,7", "11,7")
    assert f"MESSAGE REALTIME LOST {lines[-1]}" in lines
    assert "INFO WINRATE 0.0000" in lines
    assert any(re.fullmatch(r"INFO EVAL -M\d+", line) for line in lines)


def test_y11_blocks_as_the_web_front_end_reads_them(brain: BrainProcess) -> None:
    lines = details(brain, (*position(*THREE), "yxnbest 2"), "info show_detail 2")
    info = [line.split(" ", 2)[1:] for line in lines if line.startswith("INFO")]
    keys = [key for key, _ in info]
    block = ["PV", "NUMPV", "DEPTH", "SELDEPTH", "NODES", "TOTALNODES", "TOTALTIME", "SPEED", "EVAL", "WINRATE"]
    block += ["BESTLINE", "PV"]
    assert keys == block * (len(keys) // len(block))
    blocks = [dict(info[at + 1 : at + 11]) | {"PV": info[at][1]} for at in range(0, len(info), len(block))]
    first, second = blocks[-2:]
    assert (first["PV"], second["PV"]) == ("0", "1")
    assert first["NUMPV"] == "2"
    assert first["BESTLINE"].split()[0] == lines[-1]
    assert int(first["EVAL"]) >= int(second["EVAL"])
    assert (float(first["WINRATE"]) >= 0.5) is (int(first["EVAL"]) >= 0)


def test_y11_no_details_for_other_managers(brain: BrainProcess) -> None:
    brain.send("START 15", "INFO timeout_turn 400", "BOARD", "7,7,2", "8,8,1", "3,2,2", "DONE")
    lines = lines_until(brain, POINT)[1:]
    assert all(re.fullmatch(rf"MESSAGE depth .*|{POINT}", line) for line in lines)


# --- Commands during a search ---


@pytest.mark.slow
@pytest.mark.parametrize("question", ["yxnbest 2", "yxbalanceone 0", "yxbalancetwo 0", "yxsearchdefend"])
def test_y13_undo_while_thinking(question: str, brain: BrainProcess) -> None:
    brain.send("yxshowinfo", "info rule 2", "info timeout_turn 60000", "start 15 15", *position(*THREE), question)
    assert lines_until(brain, "OK")
    time.sleep(0.3)
    brain.send("start 15 15", *position("7,7,2"), "yxshowforbid", "yxquerydatabaseall", "7,7", "done", "yxstop")
    assert COORDINATES.fullmatch(brain.answer())
    assert brain.answer() == "OK"
    assert brain.answer() == "FORBID ."
    assert brain.silent()
    brain.send("info timeout_turn 50", "board", "7,7,2", "done")
    assert len(points(answer_and_nothing_else(brain))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("hello", [(), ("yxshowinfo",)])
def test_y13_a_swap2_step_that_is_abandoned_says_nothing(hello: tuple[str, ...], brain: BrainProcess) -> None:
    brain.send(*hello, "start 15 15", "info timeout_turn 60000", "yxswap2step1")
    lines_until(brain, "OK")
    time.sleep(0.3)
    brain.send("start 15 15", "info timeout_turn 50", "board", "7,7,2", "done")
    assert brain.line() == "OK"
    assert len(points(answer_and_nothing_else(brain))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("text", ["foo", "YXFOO 1", "TARAGUCHISTEP1"])
def test_t10_unknown_commands_while_thinking(text: str, brain: BrainProcess) -> None:
    start(brain, "info timeout_turn 700", *position(*THREE), "yxnbest 1")
    time.sleep(0.2)
    brain.send(text)
    others = [line for line in lines_until(brain, POINT) if not line.startswith("MESSAGE ")]
    assert others[0] == f"UNKNOWN command {text}"
    assert len(others) == 2
    assert brain.silent()


# --- Openings ---


OPENINGS = [
    ((), r"\S+ \S+ \S+"),
    (("7,7", "8,7", "9,9"), r"SWAP|\S+( \S+)?"),
    (("7,7", "8,7", "9,9", "8,8", "8,6"), r"SWAP|\S+"),
]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(("stones", "form"), OPENINGS, ids=["0", "3", "5"])
def test_o1_swap2board(stones: tuple[str, ...], form: str, end: str, brain: BrainProcess) -> None:
    lines = ["START 15", "INFO rule 1", "INFO timeout_turn 300", "SWAP2BOARD", *stones, "DONE"]
    brain.write("".join(line + end for line in lines).encode())
    assert brain.line() == "OK"
    answer = answer_and_nothing_else(brain)
    assert re.fullmatch(form, answer)
    if answer != "SWAP":
        new = points(answer)
        assert len({*new, *(point for stone in stones for point in points(stone))}) == len(new) + len(stones)


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["YXSTOP", "STOP", "INFO timeout_turn 0"])
@pytest.mark.parametrize(("stones", "form"), OPENINGS, ids=["0", "3", "5"])
def test_o1_swap2board_stopped_by_hand(stones: tuple[str, ...], form: str, stop: str, brain: BrainProcess) -> None:
    brain.send("START 15", "INFO timeout_turn 3600000", "SWAP2BOARD", *stones, "DONE", stop)
    assert brain.line() == "OK"
    assert re.fullmatch(form, answer_and_nothing_else(brain))


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 6, 7, 19, 22])
def test_o1_swap2board_on_all_sizes(size: int, brain: BrainProcess) -> None:
    for rule in (0, 1, 4, 8, 9):
        brain.send(f"START {size}", f"INFO rule {rule}", "INFO timeout_turn 60", "SWAP2BOARD", "DONE")
        assert brain.line() == "OK"
        offer = points(brain.answer())
        board = Board(size, rule=Rule(rule))
        for move in offer:
            board.push(move)
        brain.send("SWAP2BOARD", *(f"{x},{y}" for x, y in offer), "DONE")
        answer = brain.answer()
        for move in points(answer) if answer != "SWAP" else ():
            board.push(move)


def test_o2_the_game_after_swap2(brain: BrainProcess) -> None:
    opening = ("7,7", "8,7", "9,9", "8,8", "8,6")
    # The only point that makes six: white wins with it, black may not play it.
    six = [(x, 3) for x in (2, 3, 4, 6, 7)]
    others = [(2, 10), (5, 12), (8, 10), (11, 12), (13, 9)]
    for own_is_black in (True, False):
        brain.send("START 15", "INFO rule 4", "INFO timeout_turn 100", "SWAP2BOARD", *opening, "DONE")
        assert brain.line() == "OK"
        assert re.fullmatch(rf"SWAP|{POINT}", brain.answer())
        black, white = (six, others) if own_is_black else (others, six)
        stones = [stone for pair in zip(black, white, strict=True) for stone in pair]
        if not own_is_black:
            stones.append((0, 14))
        own = [number % 2 == (0 if own_is_black else 1) for number in range(len(stones))]
        brain.send("BOARD", *(f"{x},{y},{1 if mine else 2}" for (x, y), mine in zip(stones, own, strict=True)), "DONE")
        assert (brain.move() == (5, 3)) is not own_is_black


def test_o2_turn_instead_of_board_after_swap2(brain: BrainProcess) -> None:
    start(brain, "INFO timeout_turn 100", "SWAP2BOARD", "7,7", "8,7", "0,9", "8,8", "8,6", "DONE")
    taken = {(7, 7), (8, 7), (0, 9), (8, 8), (8, 6), (0, 0)}
    answer = brain.answer()
    taken.update(points(answer) if answer != "SWAP" else ())
    brain.send("TURN 7,7")
    assert brain.answer() == "ERROR the point 7,7 is occupied"
    brain.send("TURN 0,0")
    assert brain.move() not in taken


def test_o3_swap2_of_the_front_end(brain: BrainProcess) -> None:
    start(brain, "info rule 1", "info timeout_turn 200", "yxswap2step1")
    offer = [re.fullmatch(rf"MESSAGE SWAP2 MOVE{number} (\d+) (\d+)", brain.line()) for number in (1, 2, 3)]
    assert len({match.groups() for match in offer if match}) == 3
    cells = [f"{match[1]},{match[2]},{2 - number % 2}" for number, match in enumerate(offer)]
    brain.send("start 15 15", *position(*cells), "yxswap2step2")
    assert brain.line() == "OK"
    answer = brain.line()
    assert re.fullmatch(r"MESSAGE SWAP2 (SWAP1 (YES|NO)|MOVE4 \d+ \d+)", answer)
    if "MOVE4" in answer:
        assert re.fullmatch(r"MESSAGE SWAP2 MOVE5 \d+ \d+", brain.line())
    assert brain.silent()
    brain.send("start 15 15", *position("7,7,1", "8,7,2", "9,9,1", "8,8,2", "8,6,1"), "yxswap2step3")
    assert brain.line() == "OK"
    assert re.fullmatch(r"MESSAGE SWAP2 SWAP2 (YES|NO)", brain.line())
    assert brain.silent()


@pytest.mark.parametrize(
    ("cells", "takes_black"), [(("7,7,2", "0,0,1", "8,7,2"), True), (("0,0,2", "7,7,1", "14,14,2"), False)]
)
def test_o3_the_better_colour_is_taken(cells: tuple[str, ...], takes_black: bool, brain: BrainProcess) -> None:
    start(brain, "info rule 1", "info timeout_turn 500", *position(*cells), "yxswap2step2")
    assert brain.line() == f"MESSAGE SWAP2 SWAP1 {'YES' if takes_black else 'NO'}"


def test_o3_a_step_that_does_not_fit_the_board(brain: BrainProcess) -> None:
    start(brain, *position(*TWO), "yxswap2step2")
    assert brain.line() == "ERROR YXSWAP2STEP2 needs a board with 3 stones, not 2"


def test_o4_other_openings(brain: BrainProcess) -> None:
    start(brain, "yxsoosorvstep1")
    assert re.fullmatch(r"MESSAGE (?!SOOSORV).+", brain.line())
    for command in ("TARAGUCHISTEP1", "PROBOARD", "SWAPBOARD"):
        brain.send(command, "7,7", "8,8", "DONE")
        assert brain.line() == f"UNKNOWN command {command}"
    assert brain.silent()


# --- INFO ---


CROSS = (
    # White threatens five at 7,7, where two open threes of black cross.
    "5,7,1", "8,6,2", "6,7,1", "9,5,2", "7,8,1", "10,4,2", "7,9,1", "11,3,2", "12,2,1", "0,14,2",
)  # fmt: skip


@pytest.mark.parametrize("yixin", [False, True])
@pytest.mark.parametrize("rule", [2, 3, 5, 6, 10, 11])
def test_i11_rule_numbers_of_both_dialects(rule: int, yixin: bool, brain: BrainProcess) -> None:
    renju = rule == 2 if yixin else rule in (5, 6)
    brain.send(f"INFO rule {rule}", "START 15 15" if yixin else "START 15", "INFO timeout_turn 100")
    brain.send("BOARD", *CROSS, "DONE")
    assert brain.answer() == "OK"
    assert (brain.move() == (7, 7)) is not renju


@pytest.mark.slow
@pytest.mark.parametrize("rule", [12, 13, 64])
@pytest.mark.parametrize("question", ["BEGIN", "yxnbest 2", "yxbalanceone 0", "SWAP2BOARD\nDONE", "yxswap2step1"])
def test_i11_a_rule_without_meaning_is_an_error_at_the_next_question(
    rule: int, question: str, brain: BrainProcess
) -> None:
    start(brain, f"INFO rule {rule}", question)
    assert answer_and_nothing_else(brain).startswith(f"ERROR rule {rule} is not supported")


def test_i15_settings_of_front_ends_are_taken_in_silence(brain: BrainProcess) -> None:
    start(
        brain, "INFO max_depth 225", "INFO max_node -1", "INFO thread_num 8", "INFO thread_split_depth 8",
        "INFO hash_size 65536", "INFO caution_factor 3", "INFO pondering 1", "INFO time_increment 0",
        "INFO show_detail 0", "INFO checkmate 0", "INFO vcthread 2", "INFO strength 100", "INFO usedatabase 1",
        "INFO nbestsym 1", "INFO start_depth 4", "INFO swapable 1", "INFO max_moves 200",
    )  # fmt: skip
    assert brain.silent()
    brain.send("INFO timeout_turn 50", *position(*THREE), "yxnbest 1")
    assert len(points(answer_and_nothing_else(brain))) == 1


def test_i15_depth_and_nodes_are_honoured(brain: BrainProcess) -> None:
    def last_line() -> tuple[int, int]:
        told = lines_until(brain, POINT)[-2]
        found = re.match(r"MESSAGE depth (\d+)-\d+ (?:multipv \d+ )?ev \S+ n (\d+) ", told)
        assert found, told
        return int(found[1]), int(found[2])

    start(brain, "INFO timeout_turn 60000", "INFO max_depth 3", *position(*THREE), "yxnbest 1")
    assert last_line()[0] == 3
    brain.send("INFO max_depth 0", "INFO max_node 2000", *position(*THREE), "yxnbest 1")
    assert last_line()[1] < 4000
    for question in ("yxbalancetwo 0", "yxbalanceone 0"):
        brain.send(*position(*THREE), question)
        assert points(brain.answer())


def test_every_command_of_the_protocol_has_a_handler() -> None:
    assert Brain(lambda _: None)._handlers.keys() == COMMANDS.keys()


def test_the_seed_decides_about_openings(tmp_path: Path) -> None:
    answers = set()
    for seed in (7, 7, 8):
        with BrainProcess(state=tmp_path, arguments=["--seed", str(seed)]) as brain:
            start(brain, "INFO timeout_turn 60000", "INFO max_node 10000", "SWAP2BOARD", "DONE")
            answers.add(brain.answer())
    assert len(answers) == 2


def test_i11_the_rule_of_a_question_is_the_one_at_its_time(brain: BrainProcess) -> None:
    start(brain, "INFO rule 1", "INFO timeout_turn 60000", *position(*THREE), "yxnbest 1")
    time.sleep(0.3)
    brain.send("INFO rule 64", "yxshowforbid", "yxstop")
    answers = [line for line in lines_until(brain, POINT) if not line.startswith("MESSAGE ")]
    assert answers[0] == "FORBID ."
    assert len(answers) == 2
    brain.send("yxnbest 1")
    assert answer_and_nothing_else(brain).startswith("ERROR rule 64 is not supported")
