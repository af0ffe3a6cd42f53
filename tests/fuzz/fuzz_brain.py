"""Fuzzes the whole ``Brain`` in one process, with real searches of a few nodes; run it as a script.

python tests/fuzz/fuzz_brain.py --inputs 10000

Checked for every input: every line is one that a brain may say, no thread fails, nothing reaches the log of internal
errors, the worker ends, a manager that waits gets every answer, and afterwards ``START`` and ``TURN`` get theirs, the
second a legal move.
"""

from __future__ import annotations

import re
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.drive import arguments, drive, instrumented

with instrumented(wanted=__name__ == "__main__" and "--blind" not in sys.argv) as GUIDED:
    from fuzz.tokens import AFTERWARDS, LINE, MOVE, SEEDS, spell
    from gomoku import Board, opening, team
    from gomoku.frontends import session
    from gomoku.frontends.brain import Brain
    from gomoku.frontends.settings import Settings
    from gomoku.info import Limit

_MOST_NODES = 60
_MOST_CANDIDATES = 12
_MOST_HASH_BYTES = 5 << 18
_PATIENCE_SECONDS = 60.0
_ORDINARY_SWITCH_SECONDS = sys.getswitchinterval()
_HASTE_SECONDS = 1e-6

# Bits of an input's first byte.
_LENGTH = 15
_THREADS = 16
_HASTY = 32
_BEGUN = 64
_FINISHED = 128


class Faults:
    """Notes what must not happen: entries in the log, threads that end by an exception.

    Inside its ``with`` block no search has more than a few nodes, no offer is chosen from more than a few arrangements
    of stones, and no table has more than 1.25 MiB, whatever is asked.

    Attributes:
        found: the reports.
        threads: whether searches run in threads of their own, as they do outside tests, or at once.
    """

    def __init__(self) -> None:
        self.found: list[str] = []
        self.threads = True
        self._undo: list[tuple[object, str, object]] = []
        self._switch_seconds = sys.getswitchinterval()

    def __enter__(self) -> Self:
        for name, module in list(sys.modules.items()):
            if name.startswith("gomoku.frontends.") and hasattr(module, "log"):
                self._replace(module, "log", self.found.append)
        wish, wished_bytes = Settings.limit, Settings.hash_bytes

        def limit(settings: Settings) -> Limit:
            asked = wish(settings)
            return asked._replace(nodes=min(asked.nodes or _MOST_NODES, _MOST_NODES), depth=min(asked.depth or 9, 9))

        self._replace(Settings, "limit", limit)
        self._replace(Settings, "hash_bytes", lambda settings: min(wished_bytes(settings), _MOST_HASH_BYTES))
        self._replace(session, "Limit", lambda: Limit(nodes=_MOST_NODES))  # of pondering, which ends at the next word
        self._replace(opening, "_CANDIDATES", _MOST_CANDIDATES)
        self._replace(team, "_ALONE_DEPTH", 2)  # else such short searches would never have helpers
        self._replace(threading, "excepthook", self._note)
        start = threading.Thread.start

        def start_or_run(thread: threading.Thread) -> None:
            if self.threads or thread.name != "search":
                start(thread)
                return
            try:
                thread.run()
            except BaseException:
                self.found.append(traceback.format_exc())

        self._replace(threading.Thread, "start", start_or_run)
        return self

    def __exit__(self, *_: object) -> None:
        for owner, name, value in reversed(self._undo):
            setattr(owner, name, value)
        sys.setswitchinterval(self._switch_seconds)

    def check(self, data: bytes) -> None:
        """Raise if something was found."""
        if self.found:
            report = "\n".join(self.found)
            self.found.clear()
            raise AssertionError(f"{data!r}\n{report}")

    def _note(self, hook: threading.ExceptHookArgs) -> None:
        self.found.append("".join(traceback.format_exception(hook.exc_type, hook.exc_value, hook.exc_traceback)))

    def _replace(self, owner: object, name: str, value: object) -> None:
        self._undo.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)


class Talk:
    """A conversation with a brain in this process; waits for answers, never for time."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._news = threading.Condition()
        self.brain = Brain(self._write, seed=1)

    def _write(self, data: bytes) -> None:
        assert data.endswith(b"\n"), data
        line = data[:-1].decode("ascii")
        assert LINE.fullmatch(line), data
        with self._news:
            self.lines.append(line)
            self._news.notify()

    def say(self, *pieces: bytes) -> None:
        """Hand bytes to the brain."""
        for piece in pieces:
            if self.brain.closed:
                return
            self.brain.receive(piece, time.monotonic_ns())

    def answer(self, wanted: re.Pattern[str]) -> str:
        """Wait for a line of a kind among those not yet looked at."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        with self._news:
            while True:
                while self.lines:
                    line = self.lines.pop(0)
                    if wanted.fullmatch(line):
                        return line
                if not self._news.wait(deadline - time.monotonic()):
                    raise AssertionError(f"no answer like {wanted.pattern} within {_PATIENCE_SECONDS} s")

    def finish_search(self) -> None:
        """Wait for the worker, which has few nodes left."""
        for thread in threading.enumerate():
            if thread.name == "search":
                thread.join(_PATIENCE_SECONDS)
                assert not thread.is_alive(), "the search does not end"

    def check_answers(self) -> None:
        """Raise if a question stays open now that no search runs."""
        owed = self.brain._session.connection.owed
        assert self.brain.closed or not owed, f"unanswered: {owed}"


def check(data: bytes, faults: Faults) -> None:
    """Check one input: its first byte says how the words behind it are handed over."""
    if not data:
        return
    way = data[0]
    sys.setswitchinterval(_HASTE_SECONDS if way & _HASTY else _ORDINARY_SWITCH_SECONDS)
    talk = Talk()
    stream = (b"START 15\nINFO timeout_turn 1000\n" if way & _BEGUN else b"") + spell(data[1:])
    faults.threads = bool(way & _THREADS)
    length = 1 + 4 * (way & _LENGTH)
    for start in range(0, len(stream), length):
        talk.say(stream[start : start + length])
        if not faults.threads:
            talk.check_answers()
    if way & _FINISHED:
        talk.finish_search()
        talk.check_answers()
    if not talk.brain.closed:
        talk.say(AFTERWARDS)
        talk.finish_search()
        talk.lines.clear()
        talk.say(b"START 15\n")
        talk.answer(re.compile("OK"))
        talk.say(b"TURN 7,7\n")
        board = Board(15)
        board.push((7, 7))
        x, y = talk.answer(MOVE).split(",")
        board.push((int(x), int(y)))
        talk.finish_search()
    if not talk.brain.closed:
        talk.brain.receive_eof()
    assert talk.brain.closed
    talk.finish_search()
    faults.check(data)


def main() -> None:
    """Fuzz as the command line says."""
    options = arguments(__doc__, inputs=2_000)
    with Faults() as faults:
        drive(lambda data: check(data, faults), SEEDS, options, guided=GUIDED)


if __name__ == "__main__":
    main()
