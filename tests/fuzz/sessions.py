"""Random conversations with real brain processes over real pipes.

Every session mixes games, interruptions and garbage, with one kind of line end and one way of cutting the bytes into
writes. Checked: every line is one that a brain may say, standard error and the log stay empty, afterwards ``START`` and
``TURN`` get their answers, the second a legal move, and ``END`` or the end of the input ends the process with code 0.
"""

from __future__ import annotations

import queue
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from brain_process import BrainProcess
from fuzz.drive import mutate
from fuzz.tokens import AFTERWARDS, END_BYTE, LINE, MOVE, SEEDS, spell
from gomoku import Board

_PATIENCE_SECONDS = 20.0
_LONGEST_SECONDS = 60.0
_LONG_LINE = 24_000
_WAYS = ("burst", "line by line", "byte by byte", "random pieces")
_ENDS = (b"\n", b"\r\n", b"\r", b"\n\r\n", b" \t\r\n")


class SessionError(AssertionError):
    """A brain did what no brain may do."""


def _stones(rng: random.Random, size: int) -> str:
    points = rng.sample([(x, y) for x in range(size) for y in range(size)], rng.randint(0, 24))
    return "\n".join(f"{x},{y},{1 + number % 2}" for number, (x, y) in enumerate(points))


def _item(rng: random.Random, size: int) -> bytes:
    """A command or a few, most of them sensible, some while the brain thinks, some nonsense."""
    point = f"{rng.randrange(size)},{rng.randrange(size)}"
    sensible = (
        f"TURN {point}",
        f"TAKEBACK {point}",
        f"PLAY {point}",
        "BEGIN",
        "RESTART",
        "ABOUT",
        f"BOARD\n{_stones(rng, size)}\nDONE",
        f"YXBOARD\n{_stones(rng, size)}\nDONE\nYXNBEST {rng.randint(1, 9)}",
        f"BOARD\n{_stones(rng, size)}\nDONE\nYXSTOP",
        "SWAP2BOARD\nDONE",
        "YXSHOWFORBID",
        "YXSHOWINFO",
        f"INFO rule {rng.choice([0, 1, 2, 4, 8, 9])}",
        f"INFO timeout_turn {rng.choice([0, 1, 5, 20, 50])}",
        f"INFO time_left {rng.choice([-5, 0, 100, 2147483647])}",
        f"INFO max_memory {rng.choice([0, 1, 64 << 20, 350 << 20])}",
        f"INFO player {rng.choice(['level-2', 'level-6', 'winlines', 'nobody', 'fukumi'])}",
        f"INFO max_node {rng.choice([-1, 0, 100, 2**63 - 1])}",
        f"INFO timeout_turn {10 ** rng.randint(3, 40)}\nTURN {point}\nINFO timeout_turn 0",
    )
    noise = (
        b"7" * _LONG_LINE,
        b"BOARD " + b"1,1,1 " * (_LONG_LINE // 6) + b"\nDONE",
        b"TURN 7,7\0\0\0",
        b"\0",
        b"\xff\xfe" + rng.randbytes(rng.randint(1, 80)).replace(b"\n", b"?"),
        b"INFO folder /\xc3\x28/\xf0\x9f",
        f"INFO {rng.choice(['timeout_turn', 'time_left', 'rule', 'x'])} {rng.randint(-(2**70), 2**70)}".encode(),
        f"TURN {rng.randint(0, 2**70)},{rng.randint(-(2**70), 2**70)}".encode(),
        spell(bytes(code for code in mutate(rng, SEEDS)[1:] if code != END_BYTE)),
    )
    return rng.choice(sensible).encode() if rng.random() < 0.75 else rng.choice(noise)


def conversation(rng: random.Random) -> list[bytes]:
    """Return what a session says, in the pieces in which it is written."""
    size = rng.choice([5, 9, 15, 20, 22])
    lines = [f"START {size}".encode(), b"INFO timeout_turn 20"] if rng.random() < 0.9 else []
    lines += [_item(rng, size) for _ in range(rng.randint(3, 25))]
    end = rng.choice(_ENDS)
    pieces = [line.replace(b"\n", end) + end for line in lines]
    way = rng.choice(_WAYS)
    data = b"".join(pieces)
    if way == "line by line":
        return pieces
    if way == "burst":
        return [data]
    longest = 1 if way == "byte by byte" else 400
    return list(_cut(rng, data[: 6_000 if longest == 1 else None], longest))


def _cut(rng: random.Random, data: bytes, longest: int) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        length = rng.randint(1, longest)
        yield data[start : start + length]
        start += length


def run_session(seed: int, state: Path) -> int:
    """Hold one conversation; returns the number of lines the brain wrote.

    Args:
        seed: decides everything.
        state: an empty folder for the brain's log.

    Raises:
        SessionError: the brain failed.
    """
    rng = random.Random(seed)
    mark = f"MARK{seed}"
    with BrainProcess(state=state) as brain:
        watchdog = threading.Timer(_LONGEST_SECONDS, brain.process.kill)
        watchdog.start()
        try:
            for piece in conversation(rng):
                brain.write(piece)
                if rng.random() < (0.1 if len(piece) > 1 else 0.002):
                    time.sleep(rng.random() * 0.02)
            brain.write(AFTERWARDS + f"START 15\n{mark}\nTURN 7,7\n".encode())
            lines = _read_until(brain, lambda line: line == f"UNKNOWN command {mark}")
            if "OK" not in lines:
                raise SessionError(f"no OK before {mark}")
            answer = _read_until(brain, lambda line: bool(MOVE.fullmatch(line)))
            board = Board(15)
            board.push((7, 7))
            x, y = answer[-1].split(",")
            board.push((int(x), int(y)))
            _leave(brain, rng)
            return len(lines) + len(answer)
        except (OSError, queue.Empty) as error:
            raise SessionError(f"{type(error).__name__}: the brain does not answer or is gone") from error
        finally:
            watchdog.cancel()
            log = state / "fukumi" / "pbrain.log"
            if log.exists():
                raise SessionError(f"logged: {log.read_text(encoding='utf-8')}")


def _read_until(brain: BrainProcess, wanted: Callable[[str], bool]) -> list[str]:
    lines: list[str] = []
    while not lines or not wanted(lines[-1]):
        lines.append(brain.line(_PATIENCE_SECONDS))
        if not LINE.fullmatch(lines[-1]):
            raise SessionError(f"no line of a brain: {lines[-1]!r}")
    return lines


def _leave(brain: BrainProcess, rng: random.Random) -> None:
    if rng.random() < 0.5:
        brain.send("END")
    else:
        assert brain.process.stdin is not None
        brain.process.stdin.close()
    code, _ = brain.wait_exit()
    errors = brain.error_output()
    if code or errors:
        raise SessionError(f"exit code {code}, standard error {errors!r}")


def run_sessions(count: int, seed: int) -> Counter[str]:
    """Hold many conversations; returns how many ended in which way (``"fine"`` or the fault)."""
    results: Counter[str] = Counter()
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as state:
            try:
                run_session(number, Path(state))
            except AssertionError as fault:
                print(f"session {number}: {fault}", file=sys.stderr)
                results[str(fault).strip().splitlines()[-1][:100]] += 1
            else:
                results["fine"] += 1
    return results
