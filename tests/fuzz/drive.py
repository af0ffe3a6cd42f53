"""Runs a fuzz target: with atheris, guided by coverage, where it is installed; else by mutating the seeds at random."""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Check = Callable[[bytes], None]

_LONGEST_INPUT = 64


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


def drive(
    check: Check, seeds: Sequence[bytes], inputs: int, *, guided: bool, seed: int = 1, corpus: Path | None = None
) -> None:
    """Feed a target until it fails or has had enough.

    Args:
        check: raises for an input that shows a fault; the input is then printed.
        seeds: inputs to begin with.
        inputs: how many to try.
        guided: whether the modules under test were imported under :func:`instrumented`, by atheris.
        seed: of the random numbers.
        corpus: a folder of more inputs to begin with; atheris adds those that reach new branches.
    """
    if guided:
        _drive_atheris(check, seeds, inputs, seed, corpus)
    else:
        found = [path.read_bytes() for path in sorted(corpus.iterdir())] if corpus else []
        _drive_blindly(check, [*seeds, *filter(None, found)], inputs, seed)


def _drive_atheris(check: Check, seeds: Sequence[bytes], inputs: int, seed: int, corpus: Path | None) -> None:
    import atheris

    with tempfile.TemporaryDirectory() as own:
        folder = corpus or Path(own)
        folder.mkdir(exist_ok=True)
        for number, data in enumerate(seeds):
            (folder / f"seed-{number}").write_bytes(data)
        options = [
            f"-runs={inputs}", f"-seed={seed}", f"-max_len={_LONGEST_INPUT}", "-timeout=20", "-print_final_stats=1",
            f"-artifact_prefix={tempfile.gettempdir()}/",
        ]  # fmt: skip
        atheris.Setup([sys.argv[0], *options, str(folder)], check)
        atheris.Fuzz()  # ends the process


def _drive_blindly(check: Check, seeds: Sequence[bytes], inputs: int, seed: int) -> None:
    rng = random.Random(seed)
    start = time.monotonic()
    for _ in range(inputs):
        data = mutate(rng, seeds)
        try:
            check(data)
        except BaseException:
            print(f"failing input: {data!r}", file=sys.stderr)
            raise
    print(f"{inputs} inputs in {time.monotonic() - start:.0f} s, no fault")


def mutate(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return a new input: parts of seeds, with bytes put in, changed and taken out.

    Example:
        >>> mutate(random.Random(1), [b"ab"]) == mutate(random.Random(1), [b"ab"])
        True
    """
    data = bytearray()
    for _ in range(rng.randint(1, 3)):
        part = rng.choice(seeds)
        data += part[: rng.randint(1, len(part))]
    for _ in range(rng.randint(0, 12)):
        place = rng.randrange(len(data) + 1)
        action = rng.random()
        if action < 0.5:
            data.insert(place, rng.randrange(256))
        elif place < len(data):
            if action < 0.8:
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
    parser.add_argument("--blind", action="store_true", help="do not use atheris: many more inputs a second")
    return parser.parse_args()
