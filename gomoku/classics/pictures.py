"""Draws the pictures of the page about the classics: ``python -m gomoku.classics.pictures [FOLDER]``.

The opponents are asked anew for every picture, so that pictures show what they think and play and not what somebody
once wrote down. The same package always draws the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gomoku import svg
from gomoku._core.board import Board
from gomoku.classics import CLASSICS, Chains, Field, WinLines
from gomoku.classics._chains import UNIT
from gomoku.types import BLACK, WHITE, Color, Move

POSITION = "e5d5c5e4e6f5"
"""The position on 10x10 that all three are asked about; black is to move."""

COUNTED = Move(4, 6)
"""The point of it whose lines are counted: black's best for winlines."""

BEATEN = {
    "winlines": (10, "e5 g3 g4 g5 g6 g2"),
    "chains": (10, "e5 c5 a5 b5 d5"),
    "field": (11, "f6 f5 h5 g4 f3 i6 j7"),
}
"""By name of the opponent: a board's side, and black's stones of a game that beats it there."""

FOLDER = Path(__file__).with_name("pictures")
"""Where the page looks for its pictures."""

_CELL_PIXELS = 34
_CHAINS = (1, 2, 3)


def beaten_game(name: str) -> Board:
    """Play the game that beats an opponent, which answers for itself.

    Args:
        name: ``winlines``, ``chains`` or ``field``.

    Example:
        >>> beaten_game("chains").outcome().winner.name
        'BLACK'
    """
    side, stones = BEATEN[name]
    board, opponent = Board(side), CLASSICS[name]()
    for stone in stones.split():
        board.push(stone)
        if not board.is_game_over():
            board.push(opponent.choose(board))
    return board


def live_lines(board: Board, point: Move, color: Color) -> tuple[list[list[Move]], list[list[Move]]]:
    """Return the lines of five through a point that are live for a side, and those that are dead.

    Example:
        >>> board = Board.from_text(POSITION, origin="top", width=10)
        >>> [len(lines) for lines in live_lines(board, COUNTED, BLACK)]
        [15, 2]
    """
    live: list[list[Move]] = []
    dead: list[list[Move]] = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for first in range(-4, 1):
            line = [Move(point.x + step * dx, point.y + step * dy) for step in range(first, first + 5)]
            if all(0 <= x < board.width and 0 <= y < board.height for x, y in line):
                is_live = all(board.stone(move) in (None, color) for move in line)
                (live if is_live else dead).append(line)
    return live, dead


def pictures() -> dict[str, str]:
    """Return all pictures as SVG text by file name.

    Example:
        >>> len(pictures()), min(pictures())
        (12, 'chains-beaten.svg')
    """
    board = Board.from_text(POSITION, origin="top", width=10)
    lines, chains, field = WinLines(), Chains(), Field()
    drawn = {
        "winlines-own": _heat(board, lines.grades(board, BLACK), "winlines: what black would gain"),
        "winlines-opposing": _heat(board, lines.grades(board, WHITE), "winlines: what white would gain"),
        "winlines-lines": _lines(board),
        "chains-heat": _heat(board, chains.grades(board) // UNIT, "chains: the chains at each point"),
        "chains-matrix": _heat(Board(10), chains.grades(Board(10)), "chains: an empty board"),
        "chains-values": _chain_values(),
        "field-heat": _heat(board, field.grades(board), "field: the pull at each point"),
        "field-stone": _field_stone(),
        "field-doubling": _field_rows(),
    }
    for name, opponent in CLASSICS.items():
        title = f"{opponent.name} has white and loses"
        drawn[f"{name}-beaten"] = _picture(beaten_game(name), numbers=True, title=title)
    return {f"{name}.svg": picture for name, picture in drawn.items()}


def write_pictures(folder: Path) -> list[Path]:
    """Draw all pictures into a folder, which is made if it is missing.

    Returns:
        The files written.

    Raises:
        OSError: the folder cannot be made or written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, picture in pictures().items():
        paths.append(folder / name)
        paths[-1].write_bytes(f"{picture}\n".encode())
    return paths


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures and say where they are.

    Args:
        arguments: the words after the program's name; those of the process when left out.

    Returns:
        0.
    """
    parser = argparse.ArgumentParser(prog="python -m gomoku.classics.pictures", description="Draw the classics.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help="where to (default: where the page is)")
    folder: Path = parser.parse_args(arguments).folder
    try:
        paths = write_pictures(folder)
    except OSError as error:
        parser.error(f"cannot write pictures: {error}; name another folder")
    print(f"{len(paths)} pictures in {folder}")
    return 0


def _picture(board: Board, **options: Any) -> str:
    return svg.board(board, size=round(_CELL_PIXELS * (board.width + 1.4)), **options)


def _heat(board: Board, grades: Any, title: str) -> str:
    return _picture(board, heat=grades, heat_text=True, lastmove=False, title=title)


def _lines(board: Board) -> str:
    """Return how many of black's live lines through a point hold each other point; crosses are in dead ones only."""
    live, dead = live_lines(board, COUNTED, BLACK)
    counts = [[sum(Move(x, y) in line for line in live) for x in range(board.width)] for y in range(board.height)]
    crossed = [move for line in dead for move in line if not counts[move.y][move.x] and board.stone(move) is None]
    title = f"winlines: black's live lines through {COUNTED.text}"
    marks: dict[Any, str] = dict.fromkeys(crossed, "cross")
    return _picture(board, heat=counts, heat_text=True, marks=marks, lastmove=False, title=title)


def _chain_values() -> str:
    """Return chains of both sides with the value of the point at the end of each."""
    width, height = 12, 2 * len(_CHAINS) + 1
    black = [(1 + x, 2 * row - 1) for row, length in enumerate(_CHAINS, 1) for x in range(length)]
    white = [(width - 2 - x, y) for x, y in ((x - 1, y) for x, y in black)]
    board = Board.from_stones(black, white, to_move=BLACK, width=width, height=height)
    values = Chains().grades(board, BLACK) // UNIT
    ends = [Move(x, 2 * row - 1) for row, length in enumerate(_CHAINS, 1) for x in (1 + length, width - 2 - length)]
    marks: dict[Any, str] = {end: str(values[end.y, end.x]) for end in ends}
    return _picture(board, marks=marks, lastmove=False, title="chains: what the end of a chain is worth to black")


def _field_stone() -> str:
    board = Board.from_stones(["e5"], [], to_move=WHITE, width=9)
    return _heat(board, Field().grades(board), "field: one stone")


def _field_rows() -> str:
    """Return one, two and three stones, too far apart to act on each other's rows; other rows are left blank."""
    rows = {1: "g2", 6: "f7 g7", 11: "f12 g12 h12"}
    board = Board.from_stones(" ".join(rows.values()).split(), [], to_move=WHITE, width=13)
    grades = [row if y in rows else [None] * board.width for y, row in enumerate(Field().grades(board).tolist())]
    return _heat(board, grades, "field: one, two and three stones in a row")


if __name__ == "__main__":
    raise SystemExit(main())
