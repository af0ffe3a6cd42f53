"""The benchmark: fixed positions to fixed depths on one thread; and suites of positions that the side to move wins.

Floor 8. The benchmark's node counts and scores depend on the code alone, so their signature tells whether a change
changed what the search does, on any machine and compiler; the speed tells how fast it does it on this one.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from gomoku._core.board import Board
from gomoku.engine import Engine, Limit
from gomoku.types import Color, GomokuError, Rule

_HASH_BYTES = 16 << 20
_SUITE_HASH_BYTES = 64 << 20
_SUITES = files("gomoku") / "data" / "suites"
_FNV_OFFSET = 0x811C9DC5
_FNV_PRIME = 0x01000193


class BenchPosition(NamedTuple):
    """A position of the benchmark.

    Attributes:
        board: the position.
        depth: plies to search.
        text: its moves, row 1 at the top.
    """

    board: Board
    depth: int
    text: str


class BenchLine(NamedTuple):
    """What one position gave.

    Attributes:
        position: the position.
        nodes: positions searched.
        score: value for the side to move as text.
        move: best move as text.
        seconds: time taken.
    """

    position: BenchPosition
    nodes: int
    score: str
    move: str
    seconds: float


class BenchResult(NamedTuple):
    """Sums over all positions.

    Attributes:
        nodes: positions searched.
        signature: 32-bit hash of nodes, scores and moves.
        seconds: time taken.
    """

    nodes: int
    signature: int
    seconds: float

    @property
    def nps(self) -> int:
        """Positions searched per second."""
        return round(self.nodes / self.seconds) if self.seconds else 0


def positions() -> list[BenchPosition]:
    """Return the positions shipped with the package.

    Example:
        >>> {position.board.rule.label for position in positions()} >= {"freestyle", "standard", "renju", "caro"}
        True
    """
    result = []
    for line in (files("gomoku") / "data" / "bench.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rule, size, depth, text = line.split()
            board = Board.from_text(text, origin="top", width=int(size), rule=Rule.from_name(rule))
            result.append(BenchPosition(board, int(depth), text))
    return result


def run(depth_change: int = 0) -> Iterator[BenchLine]:
    """Search every position with an engine that has forgotten the others.

    Args:
        depth_change: plies to add to every depth (negative for a quicker run).
    """
    engine = Engine(hash_bytes=_HASH_BYTES)
    for position in positions():
        engine.new_game()
        start = time.perf_counter()
        lines = engine.analyse(position.board, Limit(depth=max(1, position.depth + depth_change)))
        seconds = time.perf_counter() - start
        best = lines[0]
        yield BenchLine(position, best.nodes, str(best.score.relative), best.pv[0].text, seconds)


def summarise(lines: list[BenchLine]) -> BenchResult:
    """Add up the lines of a run."""
    signature = _FNV_OFFSET
    for line in lines:
        for byte in f"{line.nodes} {line.score} {line.move};".encode():
            signature = (signature ^ byte) * _FNV_PRIME & 0xFFFFFFFF
    return BenchResult(sum(line.nodes for line in lines), signature, sum(line.seconds for line in lines))


class SuiteError(GomokuError, ValueError):
    """A suite that cannot be read."""


class SuitePosition(NamedTuple):
    """A position that the side to move wins.

    Attributes:
        id: its name.
        kind: what wins: ``vcf``, continuous fours; ``vct``, continuous threats; other suites have other kinds.
        board: the position.
    """

    id: str
    kind: str
    board: Board


class SuiteLine(NamedTuple):
    """What a search made of one position.

    Attributes:
        position: the position.
        plies: length of the win it found, 0 for none.
        nodes: positions searched.
        seconds: time taken.
    """

    position: SuitePosition
    plies: int
    nodes: int
    seconds: float


def suite_names() -> list[str]:
    """Return the names of the suites that come with the package.

    Example:
        >>> suite_names()
        ['freestyle', 'renju', 'standard']
    """
    return sorted(item.name.removesuffix(".jsonl") for item in _SUITES.iterdir() if item.name.endswith(".jsonl"))


def read_suite(source: str | os.PathLike[str]) -> list[SuitePosition]:
    """Read a suite.

    Args:
        source: the name of one that comes with the package, else a file with a JSON object a line: ``rule`` (number),
            ``size``, ``to_move`` (``black`` or ``white``), ``black`` and ``white`` (lists of ``[x, y]`` from 0), and if
            wanted ``id`` and ``kind``.

    Raises:
        SuiteError: a line is no such object, or there is none.
        OSError: the file cannot be read.

    Example:
        >>> {position.kind for position in read_suite("renju")} == {"vcf", "vct"}
        True
    """
    if source in suite_names():
        text = (_SUITES / f"{source}.jsonl").read_text(encoding="utf-8")
    else:
        with open(source, encoding="utf-8", errors="replace") as file:
            text = file.read()
    suite = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                suite.append(_suite_position(json.loads(line), number))
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
                reason = f"{error} is missing" if isinstance(error, KeyError) else error
                raise SuiteError(f"{os.fspath(source)}, line {number}: {reason}") from error
    if not suite:
        raise SuiteError(f"{os.fspath(source)} holds no position; a suite has a JSON object a line")
    return suite


def _suite_position(fields: dict[str, Any], number: int) -> SuitePosition:
    turns = {color.name.lower(): color for color in Color}
    if fields["to_move"] not in turns:
        raise ValueError(f"to_move is {fields['to_move']!r}; write black or white")
    board = Board.from_stones(
        [(x, y) for x, y in fields["black"]],
        [(x, y) for x, y in fields["white"]],
        to_move=turns[fields["to_move"]],
        width=fields["size"],
        rule=Rule(fields["rule"]),
    )
    return SuitePosition(str(fields.get("id", number)), str(fields.get("kind", "other")), board)


def run_suite(suite: Iterable[SuitePosition], nodes: int) -> Iterator[SuiteLine]:
    """Search every position on its own; one whose search finds a win for the side to move is solved.

    Args:
        suite: the positions.
        nodes: positions to search for each.

    Raises:
        ValueError: ``nodes`` is not positive.

    Example:
        >>> suite = read_suite("freestyle")
        >>> [line.plies > 0 for line in run_suite(suite[:2], 100_000)]
        [True, True]
    """
    if nodes < 1:
        raise ValueError(f"cannot search {nodes} nodes; give a number above 0")
    engine = Engine(hash_bytes=_SUITE_HASH_BYTES)
    for position in suite:
        engine.new_game()
        start = time.perf_counter()
        best = engine.analyse(position.board, Limit(nodes=nodes))[0]
        mate = best.score.relative.mate
        yield SuiteLine(position, max(0, mate or 0), best.nodes, time.perf_counter() - start)


def suite_table(lines: Iterable[SuiteLine]) -> str:
    """Return solved positions, nodes and time for every kind, one a row."""
    kinds: dict[str, list[SuiteLine]] = {}
    for line in lines:
        kinds.setdefault(line.position.kind, []).append(line)
        kinds.setdefault("all", []).append(line)
    kinds["all"] = kinds.pop("all", [])  # the last row
    rows = [f"{'kind':12s} {'solved':>11s} {'%':>6s} {'median nodes':>13s} {'nodes':>11s} {'seconds':>8s}"]
    for kind, some in kinds.items():
        solved = sorted(line.nodes for line in some if line.plies)
        median = solved[len(solved) // 2] if solved else 0
        rows.append(
            f"{kind:12s} {len(solved):5d}/{len(some):5d} {100 * len(solved) / max(1, len(some)):6.1f} {median:13d} "
            f"{sum(line.nodes for line in some):11d} {sum(line.seconds for line in some):8.1f}"
        )
    return "\n".join(rows)
