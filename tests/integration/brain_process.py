"""A real brain process with pipes, for tests."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

COMMAND = [sys.executable, "-P", "-m", "gomoku.frontends.pbrain"]


class BrainProcess:
    """``pbrain-fukumi`` with its input and output in the test's hands; kills it at the end of a ``with`` block."""

    def __init__(
        self,
        *,
        arguments: Sequence[str] = (),
        cwd: Path | None = None,
        state: Path | None = None,
        **options: object,
    ) -> None:
        environment = dict(os.environ)
        if state is not None:
            environment["XDG_STATE_HOME"] = str(state)
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=options.pop("stderr", subprocess.PIPE),
            cwd=cwd,
            env=environment,
            **options,
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self.stray = b""
        threading.Thread(target=self._read_lines, daemon=True).start()

    def _read_lines(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def send(self, *lines: str) -> None:
        """Write lines in one piece."""
        self.write("".join(line + "\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, timeout: float = 20.0) -> str:
        """Return the next line of output without its line end, which must be a bare LF."""
        raw = self._lines.get(timeout=timeout)
        assert raw is not None, "the brain's output has ended"
        assert raw.endswith(b"\n"), raw
        assert b"\r" not in raw, raw
        assert raw.strip(), "an empty line"
        return raw.decode("ascii")[:-1]

    def answer(self, timeout: float = 20.0) -> str:
        """Return the next line that is no MESSAGE."""
        while (line := self.line(timeout)).startswith("MESSAGE "):
            pass
        return line

    def move(self, timeout: float = 20.0) -> tuple[int, int]:
        """Return the next answer, which must be one point."""
        x, y = self.answer(timeout).split(",")
        return int(x), int(y)

    def silent(self, seconds: float = 0.12) -> bool:
        """Return whether nothing is written for a while."""
        try:
            self._lines.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def wait_exit(self, timeout: float = 5.0) -> tuple[int, float]:
        """Wait for the process to end; returns its exit code and the seconds that took."""
        start = time.monotonic()
        code = self.process.wait(timeout)
        return code, time.monotonic() - start

    def error_output(self) -> bytes:
        """Return all that was written to standard error; the process must have ended."""
        assert self.process.stderr is not None
        return self.process.stderr.read()
