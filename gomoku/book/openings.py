"""Openings for engine matches: a few stones on the board before the engines begin, and the text files that hold them.

Floor 9. The field has two formats, both with one opening a line, black first:

- ``offset``, of Piskvork and Gomocup: ``8,-3, 6,-4, 9,-6``, pairs of x and y counted from the centre point, which is
  half the size rounded down; x grows to the right, y grows down.
- ``pos``, of c-gomoku-cli: ``h8i9g7``, letter and number, row 1 at the top.

The reader also takes ``#`` comments and blank lines, which are ours: other programs want them removed.

Source: protocol_docs/gomocup.md, section "Coordinates", for the points; README.md of this folder for the files.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from gomoku._core.board import Board
from gomoku.notation import format_moves, parse_moves
from gomoku.types import MAX_SIZE, MIN_SIZE, Color, GomokuError, Move, Rule

Format = Literal["offset", "pos"]

FORMATS: tuple[Format, ...] = ("offset", "pos")
"""The known formats of opening files."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,3}")


class OpeningError(GomokuError, ValueError):
    """Stones that are no opening, a line that cannot be read, or a set that does not exist."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The first moves of a game, on a board of a stated size; the rule is not part of it.

    Args:
        moves: the points in the order of play, black first.
        width: columns of the board.
        height: rows of the board.

    Raises:
        OpeningError: a point is off the board or used twice, or there is no such board.

    Example:
        >>> opening = Opening.from_text("1,-2, 0,0, -7,7", 15, 15)
        >>> opening.text("pos"), opening.turn.name
        ('i6h8a15', 'WHITE')
    """

    moves: tuple[Move, ...]
    width: int
    height: int

    def __post_init__(self) -> None:
        for side in (self.width, self.height):
            if not MIN_SIZE <= side <= MAX_SIZE:
                raise OpeningError(f"a board side of {side} is out of range; it must be {MIN_SIZE} to {MAX_SIZE}")
        for number, move in enumerate(self.moves):
            if not (0 <= move.x < self.width and 0 <= move.y < self.height):
                raise OpeningError(
                    f"stone {number + 1} at {move} is off a board of {self.width} columns and {self.height} rows"
                )
        if len(set(self.moves)) != len(self.moves):
            twice = next(move for number, move in enumerate(self.moves) if move in self.moves[:number])
            raise OpeningError(f"point {twice.text} is used twice")

    @classmethod
    def from_text(cls, text: str, width: int, height: int, format: Format | None = None) -> Opening:
        """Read one opening.

        Args:
            text: the opening without comment.
            width: columns of the board.
            height: rows of the board.
            format: ``"offset"`` or ``"pos"``; told by the text when left out.

        Raises:
            OpeningError: the text is no opening on this board; the message quotes what is wrong.
        """
        moves = _parse_pos if _checked_format(format or detect_format(text)) == "pos" else _parse_offset
        return cls(tuple(moves(text, width, height)), width, height)

    @property
    def turn(self) -> Color:
        """The side to move after the opening."""
        return Color.WHITE if len(self.moves) % 2 else Color.BLACK

    @property
    def stones(self) -> tuple[tuple[Move, Color], ...]:
        """The points with their colours, in the order of play.

        Example:
            >>> [color.name for _, color in Opening.from_text("h8i9g7", 15, 15).stones]
            ['BLACK', 'WHITE', 'BLACK']
        """
        return tuple((move, Color.WHITE if number % 2 else Color.BLACK) for number, move in enumerate(self.moves))

    @property
    def canonical_key(self) -> int:
        """64-bit key that is the same for openings that lead to equal positions under a symmetry of the board.

        The order of the moves does not count, nor does the rule.

        Example:
            >>> one, other = (Opening.from_text(text, 15, 15) for text in ("h8i9g10", "i10g9h8"))
            >>> one.canonical_key == other.canonical_key
            True
        """
        return self._set_up(self.turn, Rule.FREESTYLE).canonical_key

    def board(self, rule: Rule) -> Board:
        """Return a board with the opening played.

        Raises:
            IllegalMoveError: a move is forbidden under the rule, or the game is over before the last one.
        """
        board = Board(self.width, self.height, rule=rule)
        for move in self.moves:
            board.push(move)
        return board

    def passed(self, rule: Rule) -> Board:
        """Return a board with the opening on it and the other side to move, as if the side to move had passed.

        Example:
            >>> Opening.from_text("h8i9", 15, 15).passed(Rule.RENJU).turn.name
            'WHITE'
        """
        return self._set_up(self.turn.other, rule)

    def _set_up(self, turn: Color, rule: Rule) -> Board:
        return Board.from_history(self.stones, to_move=turn, width=self.width, height=self.height, rule=rule)

    def text(self, format: Format = "offset") -> str:
        """Return the opening as one line without line end; the inverse of :meth:`from_text`.

        Raises:
            OpeningError: there is no such format.
        """
        if _checked_format(format) == "pos":
            return format_moves(list(self.moves), height=self.height)
        return ", ".join(f"{move.x - self.width // 2},{move.y - self.height // 2}" for move in self.moves)


def detect_format(text: str) -> Format:
    """Return the format of a text that holds openings and no comments: only ``pos`` has letters.

    Example:
        >>> detect_format("8,-3, 6,-4"), detect_format("h8i9")
        ('offset', 'pos')
    """
    return "pos" if any(character.isalpha() for character in text) else "offset"


def read(source: str | os.PathLike[str], width: int, height: int, format: Format | None = None) -> list[Opening]:
    r"""Read a set of openings.

    Any line ends will do, ``#`` begins a comment, blank lines are skipped.

    Args:
        source: the text itself (``str``), or the file that holds it (``pathlib.Path`` or another path object).
        width: columns of the board.
        height: rows of the board.
        format: ``"offset"`` or ``"pos"``; told by the first opening when left out, and then the same for all.

    Raises:
        OpeningError: a line is no opening on this board; the message begins with file and line number.
        OSError: the file cannot be read.

    Example:
        >>> [opening.text("pos") for opening in read("# two\n0,0, 1,1\n\n0,0, 1,0, 2,0", 15, 15)]
        ['h8i9', 'h8i8j8']
    """
    name = "text" if isinstance(source, str) else os.fspath(source)
    # Openings are ASCII, so bytes of other encodings matter in comments only, where they do no harm.
    text = source if isinstance(source, str) else Path(source).read_text(encoding="utf-8-sig", errors="replace")
    openings = []
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        content = line.partition("#")[0].strip()
        if content:
            format = format or detect_format(content)
            try:
                openings.append(Opening.from_text(content, width, height, format))
            except OpeningError as error:
                raise OpeningError(f"{name}, line {number}: {error}") from None
    return openings


def write(openings: Iterable[Opening], path: str | os.PathLike[str], format: Format = "offset") -> None:
    """Write a set of openings, one a line and nothing else, as every program of the field reads it.

    Args:
        openings: the set.
        path: the file; replaced if it exists.
        format: ``"offset"`` or ``"pos"``.

    Raises:
        OpeningError: an opening is empty, or there is no such format.
        OSError: the file cannot be written.
    """
    lines = [opening.text(format) + "\n" for opening in openings]
    if "\n" in lines:
        raise OpeningError(f"opening {lines.index(chr(10)) + 1} has no stones; a line cannot say that")
    Path(path).write_text("".join(lines), encoding="ascii", newline="\n")


def unique(openings: Iterable[Opening]) -> list[Opening]:
    r"""Return the openings in their order, without those whose position came before, turned or mirrored.

    Example:
        >>> [opening.text("pos") for opening in unique(read("h8i9\nh8g9\nh8h9", 15, 15))]
        ['h8i9', 'h8h9']
    """
    first: dict[tuple[int, int, int], Opening] = {}
    for opening in openings:
        first.setdefault((opening.width, opening.height, opening.canonical_key), opening)
    return list(first.values())


def digest(openings: Iterable[Opening]) -> str:
    r"""Return sixteen hexadecimal digits that tell sets of openings, and orders of one set, apart.

    Example:
        >>> one, other = read("h8i9\nh8h9", 15, 15)
        >>> digest([one, other]) == digest([other, one])
        False
    """
    return hashlib.sha256("\n".join(opening.text() for opening in openings).encode()).hexdigest()[:16]


def builtin_sets() -> list[tuple[Rule, int]]:
    """Return rule and board size of every set that comes with the package."""
    names = (entry.name for entry in (files("gomoku") / "data" / "openings").iterdir())
    stems = [name.removesuffix(".txt").rpartition("_") for name in names if name.endswith(".txt")]
    return sorted((Rule.from_name(label), int(size)) for label, _, size in stems)


def builtin(rule: Rule, size: int) -> list[Opening]:
    """Return the set of balanced openings that comes with the package.

    Args:
        rule: the rule under which they are balanced.
        size: side of the square board, in points.

    Raises:
        OpeningError: there is no such set; the message names those that exist.

    Example:
        >>> openings = builtin(Rule.RENJU, 15)
        >>> len(openings) >= 200, openings[0].board(Rule.RENJU).outcome()
        (True, None)
    """
    sets = builtin_sets()
    if (rule, size) not in sets:
        known = ", ".join(f"{known_rule.label} {known_size}" for known_rule, known_size in sets)
        raise OpeningError(f"there is no set of openings for {Rule(rule).label} on size {size}; there are: {known}")
    resource = files("gomoku") / "data" / "openings" / f"{Rule(rule).label}_{size}.txt"
    return read(resource.read_text(encoding="utf-8"), size, size, "offset")


def _checked_format(format: Format) -> Format:
    if format not in FORMATS:
        raise OpeningError(f"unknown format {format!r} of openings; known formats: {', '.join(FORMATS)}")
    return format


def _parse_pos(text: str, width: int, height: int) -> list[Move]:
    try:
        return parse_moves(text, width=width, height=height)
    except ValueError as error:
        raise OpeningError(str(error)) from None


def _parse_offset(text: str, width: int, height: int) -> list[Move]:
    words = re.split(r"\s*,\s*|\s+", text.strip().removesuffix(",").rstrip())
    for word in words:
        if not _NUMBER.fullmatch(word):
            raise OpeningError(f"{word!r} is not an offset; write pairs of numbers such as '8,-3, 6,-4'")
    if len(words) % 2:
        raise OpeningError(f"{len(words)} numbers are not pairs of x and y")
    numbers = [int(word) for word in words]
    moves = []
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        move = Move(width // 2 + x, height // 2 + y)
        if not (0 <= move.x < width and 0 <= move.y < height):
            raise OpeningError(f"offset {x},{y} is off a board of {width} columns and {height} rows")
        moves.append(move)
    return moves
