"""Measure how long a brain takes from its start to its ``OK``: ``python ready.py PROGRAM [ROOT]``.

With a root folder, which only root may give, PROGRAM is a path in it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

STARTS = 20


def ready_ms(program: str) -> float:
    """Start a brain once.

    Returns:
        Milliseconds until ``OK`` came.

    Raises:
        SystemExit: something else came.
    """
    begin = time.perf_counter()
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as brain:
        assert brain.stdin is not None
        assert brain.stdout is not None
        brain.stdin.write(b"START 15\n")
        brain.stdin.flush()
        answer = brain.stdout.readline()
        milliseconds = (time.perf_counter() - begin) * 1000
        brain.communicate(b"END\n", timeout=10)
    if answer != b"OK\n":
        raise SystemExit(f"{program} answered {answer!r} to START 15")
    return milliseconds


def main(program: str, root: str | None = None) -> None:
    """Print the median of some starts, and the shortest and the longest."""
    if root is not None:
        os.chroot(root)
        os.chdir("/")
    times = sorted(ready_ms(program) for _ in range(STARTS))
    print(f"{STARTS} starts: median {statistics.median(times):.0f} ms, {times[0]:.0f} to {times[-1]:.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
