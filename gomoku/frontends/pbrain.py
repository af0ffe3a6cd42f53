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
from typing import NamedTuple, NoReturn

from gomoku._core.evaluate import use_weights
from gomoku.engine import Engine
from gomoku.frontends.brain import Brain
from gomoku.frontends.cast import ENGINE
from gomoku.frontends.logfile import log
from gomoku.params import Constants

_READ_BYTES = 1 << 16
_LONGEST_SEED = 18  # digits
_USAGE = """\
usage: pbrain-fukumi [--player NAME] [--seed N] [--weights FOLDER] [--constants FILE]

A Gomoku brain for a manager such as Piskvork: it reads commands of the Gomocup protocol and answers them.
'fukumi --help' is about everything else that comes with it. To try the brain here, start it bare and type

    START 15
    BEGIN
    END
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a manager until ``END`` or the end of the input; returns only after ``--help``.

    Args:
        arguments: ``--player NAME`` and ``--seed N`` (see :func:`gomoku.levels.make_player`); those of the process when
            left out. Managers have nobody to tell about a mistake in them, so it becomes the answer to the first move.
            ``--weights FOLDER`` makes the engine play with other weights and ``--constants FILE`` with other constants
            of the search (see :mod:`gomoku.tuning`); without them it ends at once with an ``ERROR``.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if not {"-h", "--help"}.isdisjoint(arguments):  # a person's; no manager asks
        print(_USAGE, end="")
        return
    options = _options(arguments)
    output = _take_streams()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: os._exit(0))
    write = _writer(output)
    try:
        if options.weights:
            _use_folder(options.weights)
    except (OSError, ValueError) as error:
        _give_up(write, f"no weights in {options.weights}: {error}")
    try:
        engine = Engine(constants=_read_constants(options.constants) if options.constants else None)
    except (OSError, ValueError, RecursionError) as error:
        _give_up(write, f"no constants in {options.constants}: {error}")
    startup_ns = time.process_time_ns()
    try:
        serve(_reader(), write, startup_ns=startup_ns, player=options.player, seed=options.seed, engine=engine)
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
    """The command line: who plays, the seed of its chance, a folder of weights, and a file of constants."""

    player: str
    seed: int | None
    weights: str
    constants: str


def _options(arguments: Sequence[str]) -> _Options:
    """Read the command line; words that are not known mean nothing."""
    pairs = dict(pairwise(arguments))
    seed = pairs.get("--seed", "")
    return _Options(
        pairs.get("--player", ENGINE),
        int(seed) if seed.isascii() and seed.isdecimal() and len(seed) <= _LONGEST_SEED else None,
        pairs.get("--weights", ""),
        pairs.get("--constants", ""),
    )


def _give_up(write: Callable[[bytes], None], why: str) -> NoReturn:
    write(f"ERROR {why}\n".encode("ascii", "replace"))
    os._exit(1)


def _use_folder(folder: str) -> None:
    """Play with the weights in a folder; rules that have none there keep their own."""
    files = [entry.path for entry in os.scandir(folder) if entry.name.endswith(".bin")]
    if not files:
        raise ValueError("there is no file whose name ends in .bin")
    for path in files:
        with open(path, "rb") as file:
            use_weights(file.read())


def _read_constants(path: str) -> Constants:
    """Return the constants in a file, a JSON object whose ``constants`` are one; the engine checks their values."""
    import json  # noqa: PLC0415  # a brain of a tournament has no such file

    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    constants = content.get("constants") if isinstance(content, dict) else None
    if not isinstance(constants, dict):
        raise ValueError('it must hold an object such as {"constants": {"razor_base": 19}}')
    return constants


def serve(
    read: Callable[[], bytes],
    write: Callable[[bytes], None],
    *,
    startup_ns: int = 0,
    player: str = ENGINE,
    seed: int | None = None,
    engine: Engine | None = None,
) -> None:
    """Run a conversation.

    Args:
        read: returns the next bytes of the manager, ``b""`` at their end.
        write: writes whole lines in one piece.
        startup_ns: what the start of the process took, to be counted against the first move.
        player: who plays unless the manager asks for somebody else.
        seed: decides what players leave to chance.
        engine: plays and answers unless somebody else is asked for; the usual one when left out.
    """
    brain = Brain(write, startup_ns=startup_ns, player=player, seed=seed, engine=engine)
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
