"""The vocabulary of the game: rules, colours, moves, fouls, outcomes and errors.

Floor 0 of the house: imports nothing of the package and is imported by everything else.
Points are ``x, y`` with ``(0, 0)`` in the top left corner, ``x`` growing right and ``y`` growing down,
as in the Gomocup protocol.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

MIN_SIZE = 5
"""Smallest board side, in points."""

MAX_SIZE = 22
"""Largest board side, in points."""


class Rule(IntEnum):
    """What wins and what is forbidden; the values are the protocol's ``INFO rule`` numbers.

    Example:
        >>> Rule(4)
        <Rule.RENJU: 4>
        >>> Rule.from_name("exact-caro") is Rule.CARO_EXACT
        True

    Source: protocol_docs/gomocup.md, section "Rules".
    """

    FREESTYLE = 0
    """Five or more in a row win."""
    STANDARD = 1
    """Exactly five win; six or more neither win nor lose."""
    RENJU = 4
    """Black wins with exactly five and may not make an overline, a double-four or a double-three."""
    CARO = 8
    """Five win unless an opposing stone stands directly at both ends; six or more always win."""
    CARO_EXACT = 9
    """Exactly five win unless an opposing stone stands directly at both ends."""

    @property
    def label(self) -> str:
        """The rule's name in lower case with hyphens, as command lines and files write it."""
        return _RULE_LABELS[self]

    @classmethod
    def from_name(cls, name: str | int) -> Rule:
        """Return the rule with this label, enum name or protocol number.

        Args:
            name: ``"renju"``, ``"RENJU"``, ``"4"`` or ``4``.

        Raises:
            ValueError: no such rule; the message lists the known ones.
        """
        text = str(int(name)) if isinstance(name, int) else name.strip().lower().replace("_", "-")
        for rule in cls:
            if text in (rule.label, rule.name.lower().replace("_", "-"), str(int(rule))):
                return rule
        known = ", ".join(f"{rule.label} ({int(rule)})" for rule in cls)
        raise ValueError(f"unknown rule {name!r}; known rules: {known}")


_RULE_LABELS = {
    Rule.FREESTYLE: "freestyle",
    Rule.STANDARD: "standard",
    Rule.RENJU: "renju",
    Rule.CARO: "caro",
    Rule.CARO_EXACT: "exact-caro",
}


class Color(IntEnum):
    """A side. Boards store the same numbers: 0 is an empty point, 3 a wall.

    Example:
        >>> Color.BLACK.other
        <Color.WHITE: 2>
    """

    BLACK = 1
    WHITE = 2

    @property
    def other(self) -> Color:
        """The opposing side."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK


BLACK = Color.BLACK
WHITE = Color.WHITE

EMPTY_POINT = 0
"""What a board stores for a point without a stone."""

WALL = 3
"""What a board stores for a point that is blocked for both sides (kind 3 of the continuous game)."""


class Move(NamedTuple):
    """A point of the board.

    Attributes:
        x: column, 0 at the left.
        y: row, 0 at the top.

    Example:
        >>> Move(7, 7).text
        'h8'
        >>> Move(7, 0).to_text(origin="bottom", height=15)
        'h15'
        >>> str(Move(7, 8))
        '7,8'
    """

    x: int
    y: int

    @property
    def text(self) -> str:
        """Letter and number with row 1 at the top, such as ``h8``."""
        return f"{chr(97 + self.x)}{self.y + 1}"

    def to_text(self, *, origin: str, height: int) -> str:
        """Return letter and number, counting rows from ``origin``.

        Args:
            origin: ``"top"`` (Gomocup, Rapfi, c-gomoku-cli) or ``"bottom"`` (renju diagrams, Yixin-Board).
            height: rows of the board; needed to count from the bottom.

        Raises:
            ValueError: ``origin`` is neither of the two.
        """
        if origin == "top":
            return self.text
        if origin == "bottom":
            return f"{chr(97 + self.x)}{height - self.y}"
        raise ValueError(f"origin must be 'top' or 'bottom', not {origin!r}")

    def number(self, width: int) -> int:
        """Return ``y * width + x``, the point's number on a board of this width."""
        return self.y * width + self.x

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


class Foul(IntEnum):
    """Why a point is forbidden for black in renju, in the order in which the rule tests them."""

    NONE = 0
    OVERLINE = 1
    DOUBLE_FOUR = 2
    DOUBLE_THREE = 3

    @property
    def label(self) -> str:
        """The kind in lower case with a hyphen, such as ``double-three``."""
        return self.name.lower().replace("_", "-")


class Termination(Enum):
    """How a game ended on the board."""

    FIVE = "five"
    """A winning line was completed."""
    FOUL = "foul"
    """Black played a forbidden point in renju and lost by it."""
    FULL_BOARD = "full board"
    """No empty point is left: a draw."""


class Outcome(NamedTuple):
    """The result of a finished game.

    Attributes:
        winner: the winning side, or ``None`` for a draw.
        termination: why the game is over.
        line: the stones of the winning line from one end to the other; empty without one.
        foul: the kind of foul when black lost by it, else ``Foul.NONE``.
    """

    winner: Color | None
    termination: Termination
    line: tuple[Move, ...] = ()
    foul: Foul = Foul.NONE


class GomokuError(Exception):
    """Base of all errors this package raises for its own reasons."""


class IllegalMoveError(GomokuError, ValueError):
    """A move that the board refuses; the board is unchanged.

    Attributes:
        move: the point as it was given.
        reason: one clause that says what is wrong with it.
    """

    def __init__(self, move: object, reason: str) -> None:
        super().__init__(f"illegal move {move}: {reason}")
        self.move = move
        self.reason = reason


class InvalidPositionError(GomokuError, ValueError):
    """A set of stones that no board can hold, such as two stones on one point."""
