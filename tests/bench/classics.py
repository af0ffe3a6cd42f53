"""How many times faster the compiled classic opponents are than their slow twins; run it as a script.

Both sides answer the same questions about the same positions in one run, alternately, so that only the ratio of the
medians counts. The exit status tells whether every ratio is what it should be at least.

python tests/bench/classics.py
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

from gomoku import Board, Move, Rule
from gomoku.classics import Chains, Field, WinLines
from gomoku.reference import chains, field, winlines

SIDE = 15
POSITIONS = 30
ROUNDS = 5
LEAST_RATIO = 50
"""Compiled loops that are not faster than this than plain Python are not compiled where it matters."""


class Position(NamedTuple):
    """A position as both sides want it."""

    board: Board
    cells: list[list[int]]
    empty: list[Move]


def positions() -> list[Position]:
    """Positions of one random game, two plies apart."""
    rng = random.Random(1)
    board, found = Board(SIDE, rule=Rule.FREESTYLE), []
    for move in rng.sample([Move(x, y) for y in range(3, 12) for x in range(3, 12)], 2 * POSITIONS):
        board.push_unchecked(move)
        if board.ply % 2 == 0:
            cells = [[int(board.stone((x, y)) or 0) for x in range(SIDE)] for y in range(SIDE)]
            empty = [Move(x, y) for y in range(SIDE) for x in range(SIDE) if not cells[y][x]]
            found.append(Position(board.copy(), cells, empty))
    return found


def microseconds(choose: Callable[[Position], Move], asked: list[Position]) -> float:
    """The median time of one move."""
    times = []
    for position in asked:
        start = time.perf_counter_ns()
        choose(position)
        times.append((time.perf_counter_ns() - start) / 1e3)
    return median(times)


def main() -> int:
    """Print one line for each opponent."""
    asked = positions()
    counting, chaining, feeling, chance = WinLines(), Chains(), Field(), random.Random(0)

    def slow_field(position: Position) -> Move:
        *_, own, opposing = position.board.move_stack
        return field.choose(position.cells, position.board.turn, position.empty, own, opposing, chance)

    contests: list[tuple[str, Callable[[Position], Move], Callable[[Position], Move]]] = [
        ("winlines", lambda p: counting.choose(p.board), lambda p: winlines.choose(p.cells, p.board.turn, p.empty)),
        ("chains", lambda p: chaining.choose(p.board), lambda p: chains.choose(p.cells, p.board.turn, p.empty)),
        ("field", lambda p: feeling.choose(p.board), slow_field),
    ]
    worst = float("inf")
    for name, fast, slow in contests:
        pairs = [(microseconds(fast, asked), microseconds(slow, asked)) for _ in range(ROUNDS)]
        compiled, reference = (median(side) for side in zip(*pairs, strict=True))
        worst = min(worst, reference / compiled)
        print(f"{name:10s} compiled {compiled:7.1f} us   reference {reference:9.1f} us   {reference / compiled:6.0f} x")
    return 0 if worst >= LEAST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
