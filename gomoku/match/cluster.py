"""Matches on many machines: pairs are played by the workers of a dask scheduler.

The workers need this package (the same version) and the engines; an engine's command may name environment variables,
such as ``$BRAINS/pbrain-x``, which each worker fills in for its machine. A pair whose worker is lost is played again by
another.

Start them with dask's own commands, one worker process a machine and one thread for each pair at a time::

    dask scheduler --host HOST
    dask worker tcp://HOST:8786 --nworkers 1 --nthreads 8

Dask trusts everybody who can reach its ports with the whole machine: keep them inside a private network, or set up its
TLS.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import NamedTuple

from gomoku.match.player import MatchError

CONNECT_SECONDS = 10.0
_ASK_SECONDS = 1.0
QUEUED_SHARE = 1.5
"""Pairs given out for every pair that workers can play at once, so that none waits for the coordinator."""


class Cluster(NamedTuple):
    """The workers of a scheduler.

    Attributes:
        executor: plays pairs.
        width: returns how many to give out at a time; changes as workers come and go.
    """

    executor: Executor
    width: Callable[[], int]


@contextlib.contextmanager
def connect(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler.

    Args:
        address: such as ``tcp://host:8786``.

    Raises:
        MatchError: dask is not installed, or nobody answers at the address.
    """
    try:
        from distributed import Client  # noqa: PLC0415  # an optional package
    except ImportError:
        raise MatchError("--cluster needs dask.distributed; install it with: pip install 'fukumi[cluster]'") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise MatchError(f"no dask scheduler at {address!r}: {error}") from None

    asked_at, threads = 0.0, 0

    def width() -> int:
        nonlocal asked_at, threads
        now = time.monotonic()
        if now - asked_at > _ASK_SECONDS:  # it is a question to the scheduler
            asked_at, threads = now, sum(client.nthreads().values())
        return max(1, round(threads * QUEUED_SHARE))

    with client:
        yield Cluster(client.get_executor(), width)
