"""Runs a fuzz target: with atheris, guided by coverage, where it is installed; else by mutating the seeds at random."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Check = Callable[[bytes], None]

_LONGEST_INPUT = 128
_PATIENCE_SECONDS = 300
_INPUTS_WATCHED = 100


@contextlib.contextmanager
def instrumented(*, wanted: bool) -> Iterator[bool]:
    """Let atheris watch the branches of everything imported inside the block; yields whether it does."""
    try:
        import atheris
    except ImportError:
        wanted = False
    if not wanted:
        yield False
        return
    with atheris.instrument_imports(include=["gomoku"]):
        yield True


def drive(check: Check, seeds: Sequence[bytes], options: argparse.Namespace, *, guided: bool) -> None:
    """Feed a target until it fails or has had enough.

    Args:
        check: raises for an input that shows a fault; the input is then printed.
        seeds: inputs to begin with.
        options: as :func:`arguments` has read them.
        guided: whether the modules under test were imported under :func:`instrumented`, by atheris.
    """
    if guided:
        _drive_atheris(check, seeds, options)
    else:
        found = [path.read_bytes() for path in sorted(options.corpus.iterdir())] if options.corpus else []
        _drive_blindly(check, [*seeds, *filter(None, found)], options)


def _drive_atheris(check: Check, seeds: Sequence[bytes], options: argparse.Namespace) -> None:
    import atheris

    with tempfile.TemporaryDirectory() as own:
        folder = options.corpus or Path(own)
        folder.mkdir(exist_ok=True)
        for number, data in enumerate(seeds):
            (folder / f"seed-{number}").write_bytes(data)
        flags = [
            f"-runs={options.inputs}", f"-seed={options.seed}", f"-max_len={_LONGEST_INPUT}",
            f"-timeout={_PATIENCE_SECONDS}", "-print_final_stats=1", f"-artifact_prefix={tempfile.gettempdir()}/",
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *flags, str(folder)], check)
        atheris.Fuzz()  # ends the process


def _drive_blindly(check: Check, seeds: Sequence[bytes], options: argparse.Namespace) -> None:
    rng = random.Random(options.seed)
    start = time.monotonic()
    with open(options.last or os.devnull, "wb", buffering=0) as note:
        for number in range(options.inputs):
            data = mutate(rng, seeds)
            note.seek(0)
            note.write(repr(data).ljust(_LONGEST_INPUT * 4 + 3).encode())
            if number % _INPUTS_WATCHED == 0:
                # A thread of Python's own would never get its turn if the core hung with the interpreter's lock.
                faulthandler.dump_traceback_later(_PATIENCE_SECONDS, exit=True)
            try:
                check(data)
            except BaseException:
                print(f"failing input: {data!r}", file=sys.stderr)
                raise
    faulthandler.cancel_dump_traceback_later()
    seconds = time.monotonic() - start
    print(f"{options.inputs} inputs in {seconds:.0f} s, {options.inputs / seconds:.0f} a second, no fault")


def mutate(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a new input: parts of seeds, then bytes put in, changed and taken out.

    The first byte of a seed says how the others are fed, so an input has one, and the parts come without theirs.

    Example:
        >>> mutate(random.Random(1), [b"ab"]) == mutate(random.Random(1), [b"ab"])
        True
    """
    data = bytearray([rng.choice(seeds)[0] if rng.random() < 0.2 else rng.randrange(256)])
    for _ in range(rng.randint(1, 8)):
        part = rng.choice(seeds)
        # Whole parts are whole lines, which reach deeper than torn ones.
        data += part[1:] if rng.random() < 0.7 else part[1 : rng.randint(1, len(part))]
    for _ in range(rng.choice((0, 1, 2, 4, 8))):
        place = rng.randrange(len(data) + 1)
        action = rng.random()
        if action < 0.3:
            data.insert(place, rng.randrange(256))
        elif place < len(data):
            if action < 0.6:  # most neighbours are of one kind: points, numbers, commands
                data[place] = (data[place] + rng.randint(-9, 9)) % 256
            elif action < 0.8:
                data[place] = rng.randrange(256)
            else:
                del data[place]
    return bytes(data[:_LONGEST_INPUT])


def arguments(description: str | None, *, inputs: int) -> argparse.Namespace:
    """Read the command line that all targets have.

    Args:
        description: the target's own text.
        inputs: how many to try unless the command line says otherwise.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=inputs, help="how many to try")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--corpus", type=Path, help="folder of inputs to begin with; atheris adds to it")
    parser.add_argument("--last", type=Path, help="file that holds the input being tried (without atheris)")
    parser.add_argument("--blind", action="store_true", help="do not use atheris: many more inputs a second")
    return parser.parse_args()
