"""A brain process spoken to without any thread, so that nothing but the pipe is measured."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

_COMMAND = [sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]
_MOVE = re.compile(rb"([0-9]+),([0-9]+)\n")


class Brain:
    """``pbrain-fukumi`` with a game begun; killed at the end of a ``with`` block.

    Args:
        folder: its working folder, with those for its log and temporary files.
        settings: ``INFO`` lines to send behind ``START``.
    """

    def __init__(self, folder: Path, *settings: str) -> None:
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "TMPDIR": str(folder)}
        self.process = subprocess.Popen(
            _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder, env=environment
        )
        self.progress = b""
        self.start(*settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def start(self, *settings: str) -> None:
        """Begin a game."""
        self.write("START 15", *settings)
        assert self.process.stdout is not None
        while (line := self.process.stdout.readline()) != b"OK\n":
            assert line.startswith(b"MESSAGE "), line

    def write(self, *lines: str) -> None:
        """Write lines in one piece."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def ask(self, *lines: str) -> tuple[tuple[int, int], float]:
        """Write a question; return the move and the seconds it took."""
        asked = time.perf_counter()
        self.write(*lines)
        move = self.move()
        return move, time.perf_counter() - asked

    def move(self) -> tuple[int, int]:
        """Return the next move; `progress` is the last line before it."""
        assert self.process.stdout is not None
        self.progress = b""
        while not (found := _MOVE.fullmatch(line := self.process.stdout.readline())):
            assert line.startswith(b"MESSAGE "), line
            self.progress = line
        return int(found[1]), int(found[2])


@contextlib.contextmanager
def busy_cores(count: int) -> Iterator[None]:
    """Keep processors busy with one endless loop each."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
