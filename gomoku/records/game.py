"""What all record formats have in common: one game with its moves, players and result."""

from __future__ import annotations

from dataclasses import dataclass

from gomoku.types import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Color, IllegalMoveError, Move, Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A record of one game. It knows no rules: whether the last stone wins is what ``winner`` says.

    Attributes:
        width: columns of the board, 5 to 22.
        height: rows of the board, 5 to 22.
        rule: the rule of the game, ``None`` if nobody said.
        moves: the stones in the order of play; black has the first one, then the sides alternate.
        opening_plies: how many of the first moves were given and not played.
        times_ms: milliseconds used for each move, 0 for opening stones; empty if unknown.
        comments: a text for each move, such as score and depth; empty if there are none.
        black: name of black.
        white: name of white.
        winner: the winning side; ``None`` for a draw and for a game that is not finished.
        finished: whether the game has ended.
        termination: a word for how it ended: ``five``, ``full board``, ``forbidden``, ``illegal``, ``timeout``,
            ``memory``, ``crash``, ``disconnect``, ``start``, ``adjudication`` or another one.
        event: the tournament or match.
        date: ISO date, such as ``2026-11-29``.
        round: round of the event, as text.
        errors: what a reader had to repair or leave out, one clause each.

    Raises:
        ValueError: the fields contradict each other.
        IllegalMoveError: a move is off the board or on an occupied point; it is a ``ValueError`` too.

    Example:
        >>> game = Game(width=15, height=15, rule=Rule.RENJU, moves=(Move(7, 7), Move(8, 8)), black="Ada")
        >>> game.turn, game.finished
        (<Color.BLACK: 1>, False)
    """

    width: int
    height: int
    rule: Rule | None = None
    moves: tuple[Move, ...] = ()
    opening_plies: int = 0
    times_ms: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    black: str = ""
    white: str = ""
    winner: Color | None = None
    finished: bool = False
    termination: str = ""
    event: str = ""
    date: str = ""
    round: str = ""
    errors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, side in (("width", self.width), ("height", self.height)):
            if not MIN_SIZE <= side <= MAX_SIZE:
                raise ValueError(f"{name} {side} is not supported; boards have {MIN_SIZE} to {MAX_SIZE} points a side")
        self._check_moves()
        plies = len(self.moves)
        if not 0 <= self.opening_plies <= plies:
            raise ValueError(f"opening_plies {self.opening_plies} is not within the {plies} moves of the game")
        for name, items in (("times_ms", self.times_ms), ("comments", self.comments)):
            if items and len(items) != plies:
                raise ValueError(f"{name} has {len(items)} items for {plies} moves; give one for each move or none")
        if any(time < 0 for time in self.times_ms):
            raise ValueError(f"times_ms holds {min(self.times_ms)}; times are 0 or more")
        if any(self.times_ms[: self.opening_plies]):
            raise ValueError(f"times_ms gives time to the {self.opening_plies} opening stones; give 0 for each of them")
        if self.winner is not None and not self.finished:
            raise ValueError(f"winner {self.winner.name.lower()} in an unfinished game; say finished=True as well")

    def _check_moves(self) -> None:
        seen: set[Move] = set()
        for ply, move in enumerate(self.moves, start=1):
            if not (0 <= move.x < self.width and 0 <= move.y < self.height):
                raise IllegalMoveError(move, f"move {ply} is off the board of {self.width} by {self.height} points")
            if move in seen:
                raise IllegalMoveError(move, f"move {ply} is on an occupied point")
            seen.add(move)

    @property
    def turn(self) -> Color:
        """The side that would play the next stone."""
        return WHITE if len(self.moves) % 2 else BLACK


def decode_text(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    r"""Decode a file's bytes, whatever they are.

    Returns:
        The text without a byte order mark, and the errors: one if bytes had to be replaced, else none.

    Raises:
        ValueError: there is no such encoding.

    Example:
        >>> decode_text(b"J\xc3\xb6rg", "utf-8")
        ('Jörg', ())
    """
    errors: tuple[str, ...] = ()
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ValueError(f"unknown text encoding {encoding!r}; use one of Python's, such as 'gb18030'") from None
    except UnicodeError:
        text = data.decode(encoding, "replace")
        errors = (f"bytes that are not {encoding} were replaced; another encoding= may read them",)
    return text.removeprefix("\ufeff"), errors
