"""Measures what protocol_docs/reliability.md claims; run it as a script.

python tests/bench/reliability.py time       moves, games and stopped processes on a machine with all cores busy
python tests/bench/reliability.py memory     resident memory under a manager's limits, files left behind
python tests/bench/reliability.py fuzz       random input for the protocol and for a whole brain in one process
python tests/bench/reliability.py sessions   random conversations with brain processes

Each prints a table and ends with code 1 if a promise was broken. ``--moves``, ``--inputs`` and ``--count`` make it
longer. Times are measured from before the command is written to after the reply was read.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "integration"))

from fuzz.pipe import Brain, busy_cores
from gomoku import Board, Rule, book
from gomoku.engine import Engine, Limit
from gomoku.params import MIB, hash_bytes_for
from gomoku.timeman import margin_ns

_LONGEST_GAME = 100
_QUICK_SECONDS = 0.02


def board_lines(board: Board) -> list[str]:
    """Return the BOARD command for the side to move."""
    own = board.turn
    cells = [f"{move},{1 if board.stone(move) == own else 2}" for move in board.move_stack]
    return ["BOARD", *cells, "DONE"]


class Played(NamedTuple):
    """A move of a measured game."""

    seconds: float
    quick_by_right: bool
    """A five had to be made or stopped, all other moves lost to threats, or the result of the game was proven."""


def only_move(board: Board) -> bool:
    """Return whether a five can be made at once, by the side to move or by the other."""
    for color in (board.turn, board.turn.other):
        history = [(move, board.stone(move)) for move in board.move_stack]
        position = Board.from_history(history, to_move=color, rule=board.rule)  # type: ignore[arg-type]
        for move in list(position.legal_moves):
            position.push(move)
            won = position.is_game_over()
            position.pop()
            if won:
                return True
    return False


def at_once(board: Board) -> bool:
    """Return whether the engine moves at once without any clock too: every other move loses to threats."""
    return Engine(hash_bytes=16 * MIB).play(board, Limit(nodes=100_000)).info.depth == 1


def game(brains: Sequence[Brain], board: Board, clocks: list[float] | None) -> Iterator[Played]:
    """Let two brains play a game on; `clocks` are told before every move and lose what it takes."""
    told = [False, False]
    while not board.is_game_over() and board.ply < _LONGEST_GAME:
        side = board.ply % 2
        forced = clocks is not None and only_move(board)
        clock = [f"INFO time_left {int(clocks[side] * 1000)}"] if clocks else []
        question = [f"TURN {board.peek()}"] if told[side] else board_lines(board)
        move, seconds = brains[side].ask(*clock, *question)
        told[side] = True
        forced = forced or (clocks is not None and seconds < _QUICK_SECONDS and at_once(board))
        board.push(move)
        if clocks:
            clocks[side] -= seconds
        yield Played(seconds, forced or bool(re.search(rb" ev [+-]M", brains[side].progress)))


def measure_turns(folder: Path, milliseconds: int, moves: int) -> bool:
    """Print how long moves take under a turn limit alone."""
    openings = book.builtin(Rule.FREESTYLE, 15)
    used: list[Played] = []
    settings = (f"INFO timeout_turn {milliseconds}", f"INFO max_memory {350 * MIB}")
    with Brain(folder, *settings) as black, Brain(folder, *settings) as white:
        for number in range(10**9):
            board = openings[number % len(openings)].board(Rule.FREESTYLE)
            for played in game((black, white), board, None):
                used.append(played)
                if len(used) == moves:
                    break
            if len(used) == moves:
                break
            black.start()
            white.start()
    limit = milliseconds / 1000
    full = [played.seconds / limit for played in used if not played.quick_by_right]
    late = sum(played.seconds > limit for played in used)
    print(
        f"turn {milliseconds} ms: {lateness([played.seconds for played in used], limit)}, median share of the limit "
        f"{median(full):.1%} of {len(full)} moves whose result was not proven; load average {os.getloadavg()[0]:.1f}\n"
        f"    a program that only waits: {lateness(wait_busily(milliseconds, 1 + moves // 4), limit)}",
        flush=True,
    )
    return late == 0


def lateness(seconds: Sequence[float], limit: float) -> str:
    """Describe times by how they keep a limit."""
    times = sorted(seconds)
    late = sum(second > limit for second in times)
    return (
        f"{len(times)} answers, late {late} ({late / len(times):.1%}), longest {times[-1] * 1000:.1f} ms, "
        f"99 % within {times[int(len(times) * 0.99)] * 1000:.1f} ms"
    )


def wait_busily(milliseconds: int, count: int) -> list[float]:
    """Time a program that only watches the clock until a move would be due: the delay that is the system's."""
    pause_ns = milliseconds * 1_000_000 - margin_ns(milliseconds * 1_000_000)
    code = (
        f"import os, time\nwhile os.read(0, 9):\n    end = time.monotonic_ns() + {pause_ns}\n"
        "    while time.monotonic_ns() < end: pass\n    os.write(1, b'0,0\\n')"
    )
    seconds = []
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for _ in range(count):
            asked = time.perf_counter()
            program.stdin.write(b"\n")
            program.stdin.flush()
            program.stdout.readline()
            seconds.append(time.perf_counter() - asked)
        program.stdin.close()
    return seconds


def measure_games(folder: Path, games: int, match_ms: int, turn_ms: int) -> bool:
    """Print what whole games leave of a match clock, and how many moves came too soon."""
    openings = book.builtin(Rule.FREESTYLE, 15)
    left: list[float] = []
    moves: list[Played] = []
    settings = (f"INFO timeout_match {match_ms}", f"INFO timeout_turn {turn_ms}", f"INFO max_memory {350 * MIB}")
    for number in range(games):
        clocks = [match_ms / 1000] * 2
        with Brain(folder, *settings) as black, Brain(folder, *settings) as white:
            moves += game((black, white), openings[number % len(openings)].board(Rule.FREESTYLE), clocks)
        left += clocks
    instant = [played for played in moves if played.seconds < _QUICK_SECONDS]
    mistakes = sum(not played.quick_by_right for played in instant)
    latest = max(played.seconds for played in moves)
    print(
        f"match {match_ms} ms, turn {turn_ms} ms: games {games}, moves {len(moves)}, "
        f"least time left {min(left):.2f} s, median left {median(left):.2f} s, "
        f"longest move {latest * 1000:.0f} ms, instant moves {len(instant)}, "
        f"of them without a reason {mistakes}",
        flush=True,
    )
    return min(left) > 0 and latest <= turn_ms / 1000 and not mistakes


def measure_stops(folder: Path, count: int) -> bool:
    """Print what stopping the process between moves and during a search does to the next answer."""
    limit, pause, jump = 0.4, 0.7, 0.15
    between: list[float] = []
    during: list[float] = []
    openings = book.builtin(Rule.FREESTYLE, 15)
    with Brain(folder, f"INFO timeout_turn {int(limit * 1000)}") as brain:
        for number in range(count):
            brain.process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            brain.process.send_signal(signal.SIGCONT)
            question = board_lines(openings[number % len(openings)].board(Rule.FREESTYLE))
            _, seconds = brain.ask(*question)
            between.append(seconds)
            brain.write(*question)
            time.sleep(jump)
            brain.process.send_signal(signal.SIGSTOP)
            time.sleep(pause)
            brain.process.send_signal(signal.SIGCONT)
            resumed = time.perf_counter()
            brain.move()
            during.append(time.perf_counter() - resumed)
    print(
        f"stopped {pause} s, turn {limit} s, {count} times each: between moves, next move {min(between) * 1000:.0f} to "
        f"{max(between) * 1000:.0f} ms; during a search, reply after going on {max(during) * 1000:.0f} ms at most",
        flush=True,
    )
    return max(between) <= limit and min(between) > limit / 2 and max(during) < limit


def run_time(options: argparse.Namespace) -> bool:
    """All measurements of time."""
    cores = os.cpu_count() or 1
    load = cores if options.load is None else options.load
    print(f"{cores} cores, {load} busy loops beside the brains", flush=True)
    fine = []
    with tempfile.TemporaryDirectory() as name, busy_cores(load):
        for milliseconds in options.limits:
            fine.append(measure_turns(Path(name), milliseconds, options.moves))
        if options.games:
            fine.append(measure_games(Path(name), options.games, match_ms=20_000, turn_ms=2_000))
        if options.stops:
            fine.append(measure_stops(Path(name), options.stops))
    return all(fine)


def memory_of(process: int) -> tuple[int, int]:
    """Return resident and unshared bytes of a process and all below it."""
    resident = unshared = 0
    pending = [process]
    while pending:
        current = pending.pop()
        with contextlib.suppress(OSError):  # it has just ended
            text = Path(f"/proc/{current}/smaps_rollup").read_text(encoding="ascii")
            sizes = {key: int(size) << 10 for key, size in re.findall(r"(\w+):\s+(\d+) kB", text)}
            resident += sizes["Rss"]
            unshared += sizes["Private_Clean"] + sizes["Private_Dirty"]
            for task in Path(f"/proc/{current}/task").iterdir():
                pending += [int(child) for child in (task / "children").read_text(encoding="ascii").split()]
    return resident, unshared


def search_and_watch(brain: Brain, seconds: float) -> tuple[int, int]:
    """Let it search; return the largest resident and unshared bytes seen."""
    board = book.builtin(Rule.FREESTYLE, 15)[0].board(Rule.FREESTYLE)
    brain.write(f"INFO timeout_turn {int(seconds * 1000)}", *board_lines(board))
    end = time.monotonic() + seconds - 0.2
    time.sleep(min(0.3, seconds / 2))  # a new limit takes effect when the search begins
    largest = memory_of(brain.process.pid)
    while time.monotonic() < end:
        now = memory_of(brain.process.pid)
        largest = max(largest[0], now[0]), max(largest[1], now[1])
        time.sleep(0.05)
    brain.move()
    return largest


def run_memory(options: argparse.Namespace) -> bool:
    """Resident memory under limits, when the limit changes, and files left behind."""
    fine = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Brain(folder) as brain:
            idle, _ = memory_of(brain.process.pid)
            print(f"after START: resident {idle / MIB:.1f} MiB")
            for mebibytes in (64, 80, 350, 4096, 64):
                brain.write(f"INFO max_memory {mebibytes * MIB}")
                resident, unshared = search_and_watch(brain, options.seconds)
                table = hash_bytes_for(0, mebibytes * MIB)
                print(
                    f"limit {mebibytes:5d} MiB: table {table / MIB:6.1f} MiB, after {options.seconds:g} s of search "
                    f"resident {resident / MIB:6.1f} MiB, unshared {unshared / MIB:6.1f} MiB, "
                    f"with a full table at most {(idle + 12 * MIB + table) / MIB:6.1f} MiB",
                    flush=True,
                )
                fine &= max(resident, idle + 12 * MIB + table) < mebibytes * MIB
            mine = folder / "data"
            mine.mkdir()
            brain.start(f"INFO folder {mine}", "INFO timeout_turn 100")
            brain.ask("TURN 7,7")
            brain.ask("TURN 0,0")
            brain.write("END")
            brain.process.wait(5)
        left = [path for path in folder.rglob("*") if path != mine]
        print(f"files left in the working, temporary, state and data folders after END: {len(left)}")
    return fine and not left


def run_fuzz(options: argparse.Namespace) -> bool:
    """Random input for both fuzz targets, each in a process of its own."""
    targets = Path(__file__).parents[1] / "fuzz"
    extra = ["--corpus", options.corpus] if options.corpus else []
    codes = []
    for name, inputs in (("fuzz_connection.py", options.inputs), ("fuzz_brain.py", options.inputs // 10)):
        print(f"{name}: ", end="", flush=True)
        command = [sys.executable, str(targets / name), "--blind", "--inputs", str(inputs), "--seed", str(options.seed)]
        codes.append(subprocess.run([*command, *extra], check=False).returncode)
    return not any(codes)


def run_many_sessions(options: argparse.Namespace) -> bool:
    """Random conversations with processes."""
    from fuzz.sessions import run_sessions

    results = run_sessions(options.count, options.seed)
    for result, count in results.most_common():
        print(f"{count:6d}  {result}")
    return set(results) == {"fine"}


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("time", "memory", "fuzz", "sessions"))
    parser.add_argument("--moves", type=int, default=100, help="moves for each turn limit (time)")
    parser.add_argument("--limits", type=int, nargs="+", default=[50, 100, 500], help="turn limits in ms (time)")
    parser.add_argument("--games", type=int, default=1, help="games with a match clock (time)")
    parser.add_argument("--stops", type=int, default=5, help="how often to stop the process (time)")
    parser.add_argument("--load", type=int, help="busy loops; one for each core when left out (time)")
    parser.add_argument("--seconds", type=float, default=3.0, help="length of each search (memory)")
    parser.add_argument("--inputs", type=int, default=20_000, help="for the protocol; a tenth for the brain (fuzz)")
    parser.add_argument("--corpus", help="folder of more inputs to begin with (fuzz)")
    parser.add_argument("--count", type=int, default=30, help="conversations (sessions)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (fuzz, sessions)")
    options = parser.parse_args()
    run = {"time": run_time, "memory": run_memory, "fuzz": run_fuzz, "sessions": run_many_sessions}[options.what]
    sys.exit(0 if run(options) else 1)


if __name__ == "__main__":
    main()
