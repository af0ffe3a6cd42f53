"""A brain's process: its pipes, its group, its end.

Brains die in many ways. One crashes, one closes its output and lives on, one leaves a child behind that holds the
output open, one never ends at all. Whatever happens, the owner hears of the end exactly once, and afterwards neither a
process of the brain's group nor a descriptor is left.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_ERROR_TAIL_BYTES = 2_000
"""Of standard error, the last so many bytes are kept for the error message."""

_DRAIN_SECONDS = 0.25
"""How long the last output of a dead process, or the exit of one that closed its output, is waited for."""

_WINDOWS_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s])+""")

_CLOSE_SECONDS = 2.0
"""How long a killed process, and then the event loop, may take to let go."""


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    r"""Return the program and its arguments.

    Args:
        command: a command line as a shell would read it (quotes, no other shell syntax), or the words themselves.

    Raises:
        ValueError: there is no program, or a quote is not closed.

    Example:
        >>> split_command("'my brains/pbrain-x' --fast")
        ('my brains/pbrain-x', '--fast')
    """
    if isinstance(command, str):
        words = shlex.split(command) if os.name == "posix" else _split_windows(command)
    else:
        words = list(command)
    if not words or not words[0]:
        raise ValueError(f"the command {command!r} names no program")
    return tuple(words)


def _split_windows(command: str) -> list[str]:
    r"""Split a command line where the backslash is part of paths and quotes may stand anywhere in a word.

    Example:
        >>> _split_windows('name="a b" "C:\\my brains\\pbrain-x.exe" --dir=C:\\data')
        ['name=a b', 'C:\\my brains\\pbrain-x.exe', '--dir=C:\\data']
    """
    words = _WINDOWS_WORD.findall(command)
    if any(word.count(quote) % 2 for word in words for quote in "\"'"):
        raise ValueError("No closing quotation")
    return [re.sub(r"\"([^\"]*)\"|'([^']*)'", r"\1\2", word) for word in words]


class BrainProcess(asyncio.SubprocessProtocol):
    """A brain's process, which :meth:`start` starts.

    Args:
        on_data: called with what the process writes to its standard output.
        on_end: called once when nothing more will come.

    Attributes:
        exit_code: the exit status, negative for a signal; ``None`` while it runs and if it never exited by itself.
    """

    def __init__(self, on_data: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self.exit_code: int | None = None
        self._on_data = on_data
        self._on_end = on_end
        self._transport: Any = None  # asyncio.SubprocessTransport; the stubs lack what pipes need
        self._pid = 0
        self._ended = False
        self._exited = asyncio.Event()
        self._released = asyncio.Event()
        self._errors = bytearray()

    async def start(
        self,
        command: str | Sequence[str],
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the process in a group of its own.

        Args:
            command: see :func:`split_command`.
            cwd: working directory; that of this process when left out.
            env: the whole environment; that of this process when left out.

        Raises:
            OSError: the program cannot be started.
            ValueError: the command names no program.
        """
        words = split_command(command)
        group: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        program = words[0]
        if cwd is not None and os.path.dirname(program):
            program = os.path.join(cwd, program)  # where the system will look for it
        if shutil.which(program, path=None if env is None else env.get("PATH")) is None:
            raise FileNotFoundError(f"there is no program {words[0]!r}, or it may not be run")
        await asyncio.get_running_loop().subprocess_exec(lambda: self, *words, cwd=cwd, env=env, **group)

    @property
    def pid(self) -> int:
        """Process number, and number of its group where the system has groups."""
        return self._pid

    @property
    def ended(self) -> bool:
        """Whether the end was reported: nothing can be written or read any more."""
        return self._ended

    @property
    def error_text(self) -> str:
        """The end of what the process wrote to standard error."""
        return self._errors.decode("utf-8", "replace").strip()

    def write(self, data: bytes) -> None:
        """Write to standard input; without effect after the end."""
        if not self._ended:
            self._transport.get_pipe_transport(0).write(data)

    def kill(self) -> None:
        """End the process and every other process of its group (on Windows: its children) at once."""
        if sys.platform == "win32":
            command = ["taskkill", "/T", "/F", "/PID", str(self._pid)]
            subprocess.run(command, capture_output=True, check=False)
            return
        # The transport's own kill would first ask whether the process has exited, and so take its exit status away
        # from the event loop.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)

    async def close(self, grace: float) -> None:
        """End the process and release everything it holds; also when this is cancelled, and as often as one likes.

        Args:
            grace: seconds to wait for it to exit by itself.
        """
        try:
            await _happens(self._exited, grace)
        finally:
            if not self._exited.is_set():
                self.kill()
        await _happens(self._exited, _CLOSE_SECONDS)
        self._end()
        self._transport.close()
        await _happens(self._released, _CLOSE_SECONDS)

    # --- What asyncio calls ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the pipes."""
        self._transport = transport
        self._pid = self._transport.get_pid()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Hand on output, keep the end of standard error."""
        if fd == 1:
            if not self._ended:
                self._on_data(data)
            return
        self._errors += data
        del self._errors[:-_ERROR_TAIL_BYTES]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take note that the output ended: the process has exited, will do so now, or has closed its output."""
        if fd == 1:
            if self.exit_code is not None:
                self._end()
            else:
                asyncio.get_running_loop().call_later(_DRAIN_SECONDS, self._end)

    def process_exited(self) -> None:
        """End what the process left behind; its last output may still be in the pipe."""
        self.exit_code = self._transport.get_returncode()
        self._exited.set()
        self.kill()  # its children; what they hold open would keep the output from ending
        asyncio.get_running_loop().call_later(_DRAIN_SECONDS, self._end)

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that asyncio has let go of the process and its pipes."""
        self._released.set()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._on_end()


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event; return whether it came in time."""
    if seconds > 0:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()
