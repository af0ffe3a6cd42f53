"""A brain that misbehaves in the way its argument names; every way is a small function.

Run as ``python strange_brain.py WAY``. Without a fault the brain plays the first empty point, row by row, which is
legal in every rule without forbidden points.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


class Brain:
    """Plays by the book; the ways of failing override what they need."""

    def __init__(self) -> None:
        self.size = 15
        self.taken: set[tuple[int, int]] = set()
        self.moves = 0
        self.input: Iterable[str] = sys.stdin

    def run(self) -> None:
        for line in self.input:
            word, _, rest = line.strip().partition(" ")
            getattr(self, f"on_{word.lower()}", self.on_other)(rest)

    def on_start(self, rest: str) -> None:
        self.size = int(rest)
        self.taken.clear()
        say("OK")

    def on_begin(self, rest: str) -> None:
        self.answer()

    def on_turn(self, rest: str) -> None:
        x, y = rest.split(",")
        self.taken.add((int(x), int(y)))
        self.answer()

    def on_board(self, rest: str) -> None:
        self.taken.clear()
        for line in self.input:
            if line.strip() == "DONE":
                break
            x, y, _ = line.split(",")
            self.taken.add((int(x), int(y)))
        self.answer()

    def on_about(self, rest: str) -> None:
        say('name="Strange", version="1"')

    def on_end(self, rest: str) -> None:
        sys.exit(0)

    def on_other(self, rest: str) -> None:
        pass

    def choose(self) -> tuple[int, int]:
        return next((x, y) for y in range(self.size) for x in range(self.size) if (x, y) not in self.taken)

    def answer(self) -> None:
        self.moves += 1
        move = self.choose()
        self.taken.add(move)
        say(f"{move[0]},{move[1]}")


class Crash(Brain):
    """Dies at its second move, with a word on standard error."""

    def answer(self) -> None:
        if self.moves == 1:
            sys.stderr.write("assertion failed: board.c:17\n")
            sys.stderr.flush()
            os._exit(3)
        super().answer()


class Killed(Brain):
    """Is ended by a signal instead of moving."""

    def answer(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Silence(Brain):
    """Never moves."""

    def answer(self) -> None:
        pass


class Flood(Brain):
    """Talks without end instead of moving."""

    def answer(self) -> None:
        while True:
            say("MESSAGE depth 1-1 ev 0 n 1 n/ms 1 tm 1 pv H8\n" * 500)


class FloodThenMove(Brain):
    """Says ten megabytes, some of them nonsense, before its first move, and then plays on."""

    def answer(self) -> None:
        if self.moves == 0:
            say("MESSAGE " + "x" * 990 + "\n" + "? 7;7\n", end="")
            for _ in range(10_000):
                say("MESSAGE " + "y" * 990)
        super().answer()


class EndlessLine(Brain):
    """Writes one line that never ends."""

    def answer(self) -> None:
        while True:
            say("MESSAGE " * 1000, end="")


class HalfMove(Brain):
    """Writes a move without the end of the line, and waits."""

    def answer(self) -> None:
        say("3,3", end="")


class Unflushed(Brain):
    """Forgets to flush."""

    pipe = io.BufferedWriter(io.FileIO(1, "w", closefd=False))

    def answer(self) -> None:
        self.pipe.write(b"3,3\n")


class Occupied(Brain):
    """Plays on a stone."""

    def choose(self) -> tuple[int, int]:
        return next(iter(self.taken), (0, 0))


class OffBoard(Brain):
    """Plays beside the board."""

    def choose(self) -> tuple[int, int]:
        return 99, 99


class Nonsense(Brain):
    """Answers with something that is no move."""

    def answer(self) -> None:
        say("bestmove e2e4")


class Refuses(Brain):
    """Answers with an error."""

    def answer(self) -> None:
        say("ERROR I do not like this position")


class Disconnect(Brain):
    """Closes its output and lives on."""

    def answer(self) -> None:
        os.close(1)
        time.sleep(60)


class Fork(Brain):
    """Leaves a child that keeps the output open, and ends."""

    def answer(self) -> None:
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        os._exit(0)


class NoStart(Brain):
    """Never says OK."""

    def on_start(self, rest: str) -> None:
        pass


class CrashAtStart(Brain):
    """Dies at START."""

    def on_start(self, rest: str) -> None:
        os._exit(1)


class RefusesStart(Brain):
    """Does not play on this board."""

    def on_start(self, rest: str) -> None:
        say("ERROR unsupported size")


class OtherProtocol(Brain):
    """Speaks a chess engine's protocol."""

    def run(self) -> None:
        say("id name Other\nuciok")
        for _ in sys.stdin:
            say("Unknown command")


class SlowStart(Brain):
    """Takes its time to load, which is no fault."""

    def run(self) -> None:
        time.sleep(0.5)
        super().run()


class Immortal(Brain):
    """Ignores END, the end of its input, and every signal that can be ignored."""

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        super().run()
        while True:
            time.sleep(1)

    def on_end(self, rest: str) -> None:
        pass


class TwoAnswers(Brain):
    """Says more than was asked."""

    def answer(self) -> None:
        x, y = self.choose()
        self.taken.add((x, y))
        say(f"{x},{y}\n0,0\n1,1")


class Complains(Brain):
    """Complains about every INFO line, and talks on standard error."""

    def on_info(self, rest: str) -> None:
        sys.stderr.write("what? " * 2_000)
        if rest.split(maxsplit=1)[0] not in ("timeout_turn", "timeout_match", "time_left", "rule", "max_memory"):
            say(f"MESSAGE Unknown Info Parameter {rest}\nERROR Unknown command: {rest.rsplit(maxsplit=1)[-1]}")


class Fouler(Brain):
    """Plays the centre first, whatever stands around it."""

    def choose(self) -> tuple[int, int]:
        return (7, 7) if (7, 7) not in self.taken else super().choose()


class Recorder(Brain):
    """Writes what it is told to the file named by the environment; searches until it is stopped when told to."""

    def run(self) -> None:
        self.input = self.recorded()
        super().run()

    def recorded(self) -> Iterator[str]:
        with open(os.environ["RECORD"], "a", encoding="ascii", buffering=1) as record:
            for line in sys.stdin:
                record.write(line)
                yield line

    waits = False

    def on_info(self, rest: str) -> None:
        if rest == "timeout_turn 2147483647":
            self.waits = True
        elif rest.startswith("timeout_turn"):
            self.waits = False

    def answer(self) -> None:
        say("MESSAGE depth 1-2 ev 17 n 30 n/ms 3 tm 10 pv H8 I9 H8 A1")
        if not self.waits:
            super().answer()

    def on_yxstop(self, rest: str) -> None:
        super().answer()


class Suggests(Brain):
    """Proposes its move and waits for PLAY."""

    def answer(self) -> None:
        move = self.choose()
        say(f"SUGGEST {move[0]},{move[1]}")

    def on_play(self, rest: str) -> None:
        x, y = rest.split(",")
        self.taken.add((int(x), int(y)))
        say(rest)


WAYS: dict[str, Callable[[], Brain]] = {brain.__name__: brain for brain in (Brain, *Brain.__subclasses__())}

if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        WAYS[sys.argv[1]]().run()
