"""``pbrain-fukumi``: the Gomocup brain on standard input and output.

The main thread owns standard input; a worker thread searches. ``INFO timeout_turn 0``, ``YXSTOP``, ``END`` and the end
of the input therefore work at any time. Every answer is one ``os.write``. Nothing else may reach standard output, and
nothing at all standard error, which managers merge into it or never read.

Imports are kept light: a manager may count the interpreter's start against the first move.

Source: protocol_docs/gomocup.md.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from gomoku._core.evaluate import use_weights
from gomoku.frontends.brain import Brain
from gomoku.frontends.cast import ENGINE
from gomoku.frontends.logfile import log

_READ_BYTES = 1 << 16


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a manager until ``END`` or the end of the input; never returns.

    Args:
        arguments: ``--player NAME`` and ``--seed N`` (see :func:`gomoku.levels.make_player`); those of the process when
            left out. Managers have nobody to tell about a mistake in them, so it becomes the answer to the first move.
            ``--weights FOLDER`` makes the engine play with other weights (see :mod:`gomoku.tuning`); without them it
            ends at once with an ``ERROR``.
    """
    options = _options(sys.argv[1:] if arguments is None else arguments)
    output = _take_streams()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: os._exit(0))
    write = _writer(output)
    try:
        if options.weights:
            _use_folder(options.weights)
    except (OSError, ValueError) as error:
        write(f"ERROR no weights in {options.weights}: {error}\n".encode("ascii", "replace"))
        os._exit(1)
    try:
        serve(_reader(), write, startup_ns=time.process_time_ns(), player=options.player, seed=options.seed)
    except Exception:
        log(traceback.format_exc())
        os._exit(1)
    os._exit(0)  # at once: searches, threads and memory need no farewell


def winlines() -> None:
    """Serve a manager as the classic that counts winning lines."""
    main(["--player", "winlines"])


def chains() -> None:
    """Serve a manager as the classic that weighs chains."""
    main(["--player", "chains"])


def field() -> None:
    """Serve a manager as the classic that feels fields."""
    main(["--player", "field"])


class _Options(NamedTuple):
    """The command line: who plays, the seed of its chance, and a folder of weights."""

    player: str
    seed: int | None
    weights: str


def _options(arguments: Sequence[str]) -> _Options:
    """Read the command line; words that are not known mean nothing."""
    pairs = dict(pairwise(arguments))
    seed = pairs.get("--seed", "")
    return _Options(
        pairs.get("--player", ENGINE),
        int(seed) if seed.isascii() and seed.isdecimal() else None,
        pairs.get("--weights", ""),
    )


def _use_folder(folder: str) -> None:
    """Play with the weights in a folder; rules that have none there keep their own."""
    files = [entry.path for entry in os.scandir(folder) if entry.name.endswith(".bin")]
    if not files:
        raise ValueError("there is no file whose name ends in .bin")
    for path in files:
        with open(path, "rb") as file:
            use_weights(file.read())


def serve(
    read: Callable[[], bytes],
    write: Callable[[bytes], None],
    *,
    startup_ns: int = 0,
    player: str = ENGINE,
    seed: int | None = None,
) -> None:
    """Run a conversation.

    Args:
        read: returns the next bytes of the manager, ``b""`` at their end.
        write: writes whole lines in one piece.
        startup_ns: what the start of the process took, to be counted against the first move.
        player: who plays unless the manager asks for somebody else.
        seed: decides what players leave to chance.
    """
    brain = Brain(write, startup_ns=startup_ns, player=player, seed=seed)
    while not brain.closed:
        data = read()
        now_ns = time.monotonic_ns()
        if data:
            brain.receive(data, now_ns)
        else:
            brain.receive_eof()


def _take_streams() -> int:
    """Keep standard output for protocol lines alone and send everything else that is printed nowhere.

    Done with descriptors, so that libraries in C are covered as well.

    Returns:
        The descriptor to write lines to.
    """
    # A manager may have closed some of 0, 1 and 2: fill the gaps, so that no other file can get their numbers.
    null = os.open(os.devnull, os.O_RDWR)
    while null <= 2:
        null = os.dup(null)
    try:
        output = os.dup(1)
    except OSError:
        os._exit(0)  # no output: nobody can hear an answer
    os.dup2(null, 1)
    os.dup2(null, 2)
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  # exists on Windows only

        for descriptor in (0, output):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return output


def _reader() -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            return os.read(0, _READ_BYTES)
        except OSError:
            return b""  # a closed input is an input at its end

    return read


def _writer(output: int) -> Callable[[bytes], None]:
    def write(data: bytes) -> None:
        try:
            while data:
                data = data[os.write(output, data) :]
        except OSError:
            os._exit(0)  # the manager is gone

    return write


if __name__ == "__main__":
    main()
