"""Readers for the position tables in ``tests/positions``, and positions for the tests of every board.

The text formats are described at the top of ``winning.txt`` and ``renju.txt``. ``renju_forbidden.jsonl`` holds one
board a line with all points that are forbidden for black and the kind of foul.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gomoku import Board
from gomoku.reference import DIRECTIONS, ReferenceBoard
from gomoku.types import BLACK, MAX_SIZE, WALL, WHITE, Color, Foul, Move, Rule

POSITIONS = Path(__file__).parent / "positions"

TABLE_SIZE = 15
"""Side of the boards that the text tables speak of."""

VERDICT_COLUMNS: tuple[tuple[Rule, Color | None], ...] = (
    (Rule.FREESTYLE, None),
    (Rule.STANDARD, None),
    (Rule.RENJU, BLACK),
    (Rule.RENJU, WHITE),
    (Rule.CARO, None),
    (Rule.CARO_EXACT, None),
)
"""What the verdicts of ``winning.txt`` are for, in their order; ``None`` means either colour."""

_FOULS = {"6": Foul.OVERLINE, "44": Foul.DOUBLE_FOUR, "33": Foul.DOUBLE_THREE, "ok": Foul.NONE, "wins": Foul.NONE}


class WinningCase(NamedTuple):
    """One verdict of ``winning.txt``: a move of ``color`` under ``rule``; ``verdict`` is ``1``, ``0`` or ``F``."""

    id: str
    rule: Rule
    color: Color
    mover: tuple[Move, ...]
    opponent: tuple[Move, ...]
    move: Move
    verdict: str


class RenjuCase(NamedTuple):
    """One line of ``renju.txt``: a move of black, the foul it is, and whether it wins."""

    id: str
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    move: Move
    foul: Foul
    wins: bool


class ForbiddenBoard(NamedTuple):
    """One line of ``renju_forbidden.jsonl``: stones and every forbidden point with its kind."""

    size: int
    black: tuple[Move, ...]
    white: tuple[Move, ...]
    forbidden: dict[Move, Foul]


def winning_cases() -> list[WinningCase]:
    """All verdicts of ``winning.txt``, one case for each rule and colour; ids such as ``W3-caro-white``."""
    cases = []
    for name, mover, opponent, move, verdicts, _note in _fields("winning.txt"):
        for (rule, only), verdict in zip(VERDICT_COLUMNS, verdicts.split(), strict=True):
            if verdict not in ("1", "0", "F"):
                raise ValueError(f"{name}: {verdict!r} is no verdict")
            for color in (BLACK, WHITE) if only is None else (only,):
                case_id = f"{name}-{rule.label}-{color.name.lower()}"
                cases.append(
                    WinningCase(case_id, rule, color, _points(mover), _points(opponent), _point(move), verdict)
                )
    return cases


def renju_cases() -> list[RenjuCase]:
    """All lines of ``renju.txt``."""
    return [
        RenjuCase(name, _points(black), _points(white), _point(move), _FOULS[verdict], verdict == "wins")
        for name, black, white, move, verdict, _note in _fields("renju.txt")
    ]


def forbidden_boards(limit: int | None = None) -> list[ForbiddenBoard]:
    """The boards of ``renju_forbidden.jsonl``, or about ``limit`` of them spread evenly over the file."""
    lines = (POSITIONS / "renju_forbidden.jsonl").read_text(encoding="utf-8").splitlines()
    if limit is not None:
        lines = lines[:: max(len(lines) // limit, 1)]
    fouls = {kind.label: kind for kind in Foul}
    boards = []
    for record in map(json.loads, lines):
        black, white = (tuple(Move(x, y) for x, y in record[side]) for side in ("black", "white"))
        forbidden = {Move(x, y): fouls[kind] for x, y, kind in record["forbidden"]}
        boards.append(ForbiddenBoard(record["size"], black, white, forbidden))
    return boards


def all_fives(width: int, height: int) -> Iterator[tuple[Move, ...]]:
    """Every five points in line that fit on the board."""
    for dx, dy in DIRECTIONS:
        for y in range(height):
            for x in range(width):
                if 0 <= x + 4 * dx < width and 0 <= y + 4 * dy < height:
                    yield tuple(Move(x + step * dx, y + step * dy) for step in range(5))


def slow_twin(board: Board) -> ReferenceBoard:
    """The same stones and walls on a reference board."""
    slow = ReferenceBoard(board.width, board.height, board.rule)
    for content, points in ((BLACK, board.stones(BLACK)), (WHITE, board.stones(WHITE)), (WALL, board.walls())):
        for move in points:
            slow.place(*move, content)
    return slow


def random_game(
    rng: random.Random, rule: Rule, size: tuple[int, int], plies: int, *, spread: int = MAX_SIZE, walls: int = 0
) -> Board:
    """A position from a game of random legal moves that is not over.

    Args:
        rng: the source of chance.
        rule: the rule.
        size: columns and rows.
        plies: stones to play; a game that ends before is begun anew, so leave room for it.
        spread: the furthest a stone may stand from the middle, in columns or rows.
        walls: points blocked for both sides, anywhere.
    """
    points = [Move(x, y) for y in range(size[1]) for x in range(size[0])]
    near = [p for p in points if abs(p.x - size[0] // 2) <= spread and abs(p.y - size[1] // 2) <= spread]
    while True:
        blocked = rng.sample(points, walls)
        board = Board.from_stones([], [], walls=blocked, width=size[0], height=size[1], rule=rule)
        for move in rng.sample(near, len(near)):
            if board.ply == plies or board.is_game_over():
                break
            if board.is_legal(move):
                board.push(move)
        if board.ply == plies and not board.is_game_over():
            return board


def _fields(name: str) -> list[list[str]]:
    lines = (POSITIONS / name).read_text(encoding="utf-8").splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines if line.strip() and line[0] != "#"]
    for row in rows:
        if len(row) != 6:
            raise ValueError(f"{name}: {' | '.join(row)!r} has {len(row)} fields instead of 6")
    return rows


def _points(text: str) -> tuple[Move, ...]:
    return () if text == "-" else tuple(_point(word) for word in text.split())


def _point(text: str) -> Move:
    x, y = text.split(",")
    return Move(int(x), int(y))
