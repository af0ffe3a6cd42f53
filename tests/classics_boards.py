"""Reader for ``tests/positions/classics.txt``, what the classic opponents make of boards; random boards for them.

The format is described at the top of the file. A case asks one question about one board, so that the same file
can be put to every implementation.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from gomoku.types import BLACK, EMPTY_POINT, WALL, WHITE, Color, Move

CLASSICS = Path(__file__).parent / "positions" / "classics.txt"

Cells = tuple[tuple[int, ...], ...]
Grid = list[list[int]]

LINE_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Row, column, falling and rising diagonal."""

SIZES = ((5, 5), (7, 5), (6, 9), (10, 10), (11, 7))
"""Columns and rows of the random boards, in turn."""

_CONTENTS = {".": EMPTY_POINT, "X": int(BLACK), "O": int(WHITE), "#": WALL}
_COLORS = {"black": BLACK, "white": WHITE}
_ROW = re.compile(r"\s*(\d+)((?: +[.XO#])+)")


class ClassicsCase(NamedTuple):
    """One question about one board.

    Attributes:
        id: the player, the board's name and the question, unique in the file.
        player: ``"winlines"``, ``"chains"`` or ``"field"``.
        cells: the board, ``cells[y][x]``.
        question: the first word of the question, such as ``"grade"``.
        color: the side the question is about, if it is about one.
        point: the point the question is about, if it is about one.
        allowed: the points that may be chosen, row by row; empty for other questions than ``"choose"``.
        options: named arguments as the file gives them: values, base, own, opposing, last_own, last_opposing.
        draws: the random numbers that ``choose`` of the field player draws, all of them and in this order.
        expected: the answer: an int; a tuple of ints; a Move; a tuple of Moves; a bool; a Color or None for the winner.
    """

    id: str
    player: str
    cells: Cells
    question: str
    color: Color | None
    point: Move | None
    allowed: tuple[Move, ...]
    options: dict[str, Any]
    draws: tuple[float, ...]
    expected: object


class ScriptedRandom(random.Random):
    """A source of chance that yields given numbers and no more.

    Attributes:
        left: the numbers that have not been drawn yet.
    """

    def __init__(self, draws: tuple[float, ...]) -> None:
        super().__init__()
        self.left = list(draws)

    def random(self) -> float:
        if not self.left:
            raise AssertionError("one random number too many was drawn")
        return self.left.pop(0)


def classics_cases(player: str) -> list[ClassicsCase]:
    """All cases of one player, in the order of the file."""
    return [case for case in _read(CLASSICS.read_text(encoding="utf-8")) if case.player == player]


def random_grid(rng: random.Random, width: int, height: int, density: float) -> Grid:
    """Stones of both colours and a few walls, anywhere."""
    contents = (EMPTY_POINT, BLACK, WHITE, WALL)
    weights = (1 - density, density * 0.47, density * 0.47, density * 0.06)
    return [[int(content) for content in rng.choices(contents, weights, k=width)] for _ in range(height)]


def random_grids(seed: int, number: int, density: tuple[float, float] = (0.05, 0.8)) -> list[Grid]:
    """Boards of several sizes, each with a share of stones and walls drawn from a range."""
    rng = random.Random(seed)
    return [random_grid(rng, *SIZES[index % len(SIZES)], rng.uniform(*density)) for index in range(number)]


def points_holding(cells: Grid, *contents: int) -> list[Move]:
    """The points that hold one of these, row by row."""
    return [Move(x, y) for y, row in enumerate(cells) for x, content in enumerate(row) if content in contents]


def at(cells: Grid, x: int, y: int) -> int:
    """What stands at a point; everything outside the board is a wall."""
    return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells[0]) else WALL


def swap_colors(cells: Grid) -> Grid:
    swapped: dict[int, int] = {BLACK: int(WHITE), WHITE: int(BLACK)}
    return [[swapped.get(content, content) for content in row] for row in cells]


def mirror(grid: Grid) -> Grid:
    return [row[::-1] for row in grid]


def transpose(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def _read(text: str) -> list[ClassicsCase]:
    cases: list[ClassicsCase] = []
    player, name = "", ""
    rows: list[tuple[int, ...]] = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("board "):
            _, player, name = line.split(maxsplit=2)
            rows = []
        elif row := _ROW.fullmatch(line.rstrip()):
            if int(row[1]) != len(rows):
                raise ValueError(f"{name}: row {row[1]} stands where row {len(rows)} belongs")
            rows.append(tuple(_CONTENTS[symbol] for symbol in row[2].split()))
        else:
            cases.append(_case(player, name, tuple(rows), line.strip()))
    return cases


def _case(player: str, name: str, cells: Cells, line: str) -> ClassicsCase:
    asked, arrow, answer = line.partition("->")
    question, *words = asked.split()
    if not arrow or (player, question) not in _ANSWERS:
        raise ValueError(f"{name}: {line!r} is no question for {player!r}")
    color = _COLORS[words.pop(0)] if words and words[0] in _COLORS else None
    point = _point(words.pop(0)) if words and "=" not in words[0] else None
    pairs = [word.partition("=") for word in words]
    options = {key: _OPTIONS[key](value) for key, _, value in pairs}
    only, excepted, draws = options.pop("only", None), options.pop("except", ()), options.pop("draws", ())
    allowed: tuple[Move, ...] = ()
    if question == "choose":
        empty = [Move(x, y) for y, row in enumerate(cells) for x, content in enumerate(row) if content == EMPTY_POINT]
        allowed = tuple(move for move in empty if move not in excepted) if only is None else only
        if player == "field":
            options = {"last_own": None, "last_opposing": None} | options
    expected = _ANSWERS[player, question](answer.strip())
    identity = f"{player}: {name}: {asked.strip()}"
    return ClassicsCase(identity, player, cells, question, color, point, allowed, options, draws, expected)


def _point(text: str) -> Move:
    x, y = text.split(",")
    return Move(int(x), int(y))


def _points(text: str) -> tuple[Move, ...]:
    return () if text == "none" else tuple(_point(word) for word in re.split(r"[ ;]+", text))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in re.split(r"[ ,]+", text))


def _floats(text: str) -> tuple[float, ...]:
    return tuple(float(word) for word in text.split(","))


def _winner(text: str) -> Color | None:
    return None if text == "none" else _COLORS[text]


def _yes(text: str) -> bool:
    return {"yes": True, "no": False}[text]


_OPTIONS: dict[str, Callable[[str], Any]] = {
    "only": _points,
    "except": _points,
    "values": _numbers,
    "base": int,
    "own": int,
    "opposing": int,
    "last_own": _point,
    "last_opposing": _point,
    "draws": _floats,
}

_ANSWERS: dict[tuple[str, str], Callable[[str], object]] = {
    ("winlines", "lines"): int,
    ("winlines", "grade"): int,
    ("winlines", "choose"): _point,
    ("winlines", "winner"): _winner,
    ("winlines", "drawn"): _yes,
    ("chains", "matrix"): int,
    ("chains", "grade"): int,
    ("chains", "choose"): _point,
    ("field", "potentials"): _numbers,
    ("field", "value"): int,
    ("field", "completing"): _points,
    ("field", "choose"): _point,
}
