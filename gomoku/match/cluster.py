"""Matches on many machines: pairs are played by the workers of a dask scheduler.

The workers need this package (the same version) and the engines; an engine's command may name environment variables,
such as ``$BRAINS/pbrain-x``, which each worker fills in for its machine. A pair whose worker is lost is played again by
another.

Start them with dask's own commands, with one thread for each pair that a machine may play at a time (56 here)::

    dask scheduler --host HOST
    dask worker tcp://HOST:8786 --nworkers 7 --nthreads 8

Dask trusts everybody who can reach its ports with the whole machine: keep them inside a private network, or set up its
TLS.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import NamedTuple

from gomoku.match.player import MatchError

_ADDRESS = re.compile(r"(?:tcp|tls|ucx|ws|wss)://[^\s/]+:[0-9]+/?")

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
        MatchError: the address is none, dask is not installed, or nobody answers.
    """
    if not _ADDRESS.fullmatch(address):
        raise MatchError(f"{address!r} is no address of a scheduler; write it as tcp://HOST:PORT")
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

    with client, _explained(address):
        # Not "pure": dask would answer a pair that is played again with the error of its first try.
        yield Cluster(client.get_executor(pure=False), width)


@contextlib.contextmanager
def _explained(address: str) -> Iterator[None]:
    """Say in the user's words that the scheduler is gone."""
    from distributed.comm import CommClosedError  # noqa: PLC0415  # an optional package

    try:
        yield
    except CommClosedError as error:
        raise MatchError(f"lost the scheduler at {address} ({error}); pairs in the log are kept") from None
