"""What came of a game and of a pair of games, as values and as the lines of a match log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from gomoku.notation import format_moves, parse_moves
from gomoku.types import Color, Move


class End(Enum):
    """How a game of a match ended."""

    FIVE = "five"
    """A winning line."""
    FORBIDDEN = "forbidden"
    """Black played a forbidden point in renju and lost."""
    FULL_BOARD = "full board"
    """No empty point is left: a draw."""
    DRAW = "draw"
    """The agreed number of plies was reached."""
    ADJUDICATION = "adjudication"
    """Both sides agreed about the winner for long enough."""
    ILLEGAL = "illegal"
    """Forfeit: the move was off the board or on a stone, or the brain refused to move."""
    TIMEOUT = "timeout"
    """Forfeit: no move within the time limit and the tolerance."""
    CRASH = "crash"
    """Forfeit: the process ended."""
    DISCONNECT = "disconnect"
    """Forfeit: the brain closed its output and lived on."""
    START = "no start"
    """Forfeit: the brain did not say OK to START."""

    @property
    def forfeit(self) -> bool:
        """Whether a side lost for a reason outside the game."""
        return self in _FORFEITS


_FORFEITS = frozenset({End.ILLEGAL, End.TIMEOUT, End.CRASH, End.DISCONNECT, End.START})


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A finished game.

    Args:
        black: name of the player with the black stones.
        white: name of the other.
        moves: all stones, those of the opening first.
        opening_plies: stones of the opening.
        winner: the winning side, ``None`` for a draw.
        end: how it ended.
        detail: what there is to say about a forfeit, for the user.
        times_ms: milliseconds for each move after the opening, as the referee measured them.
        scores: for each of them the player's own score, as progress lines write it; empty if it said nothing.
        depths: for each of them the depth it said it had reached, 0 if it said nothing.
    """

    black: str
    white: str
    moves: tuple[Move, ...]
    opening_plies: int
    winner: Color | None
    end: End
    detail: str = ""
    times_ms: tuple[int, ...] = ()
    scores: tuple[str, ...] = ()
    depths: tuple[int, ...] = ()

    def points(self, name: str) -> float:
        """Return a player's points: 1 for a win, 0.5 for a draw."""
        if self.winner is None:
            return 0.5
        return float(name == (self.black if self.winner is Color.BLACK else self.white))

    def to_dict(self, height: int) -> dict[str, Any]:
        """Return plain values for a file; the inverse of :meth:`from_dict`.

        Args:
            height: rows of the board, to write points.
        """
        return {
            "black": self.black,
            "white": self.white,
            "winner": None if self.winner is None else self.winner.name.lower(),
            "end": self.end.value,
            "detail": self.detail,
            "opening_plies": self.opening_plies,
            "moves": format_moves(list(self.moves), height=height),
            "times_ms": list(self.times_ms),
            "scores": list(self.scores),
            "depths": list(self.depths),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], width: int, height: int) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            ValueError: a value makes no sense.
            KeyError: one is missing.
        """
        winner = values["winner"]
        return cls(
            black=str(values["black"]),
            white=str(values["white"]),
            winner=None if winner is None else {"black": Color.BLACK, "white": Color.WHITE}[winner],
            end=End(values["end"]),
            detail=str(values["detail"]),
            opening_plies=int(values["opening_plies"]),
            moves=tuple(parse_moves(values["moves"], width=width, height=height)),
            times_ms=tuple(map(int, values["times_ms"])),
            scores=tuple(map(str, values["scores"])),
            depths=tuple(map(int, values["depths"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult:
    """Two games from one opening, with colours swapped.

    Args:
        number: the number of the pair in its match.
        first: the player whose points count; it has black in the first game.
        second: the other.
        games: both games.
        host: the machine that played them.
    """

    number: int
    first: str
    second: str
    games: tuple[GameResult, GameResult]
    host: str = ""

    @property
    def points(self) -> float:
        """The first player's points out of 2."""
        return sum(game.points(self.first) for game in self.games)

    @property
    def forfeits(self) -> int:
        """How many of the games ended for a reason outside the game."""
        return sum(game.end.forfeit for game in self.games)

    def to_dict(self, height: int) -> dict[str, Any]:
        """Return plain values for a file; the inverse of :meth:`from_dict`."""
        return {
            "pair": self.number,
            "first": self.first,
            "second": self.second,
            "points": self.points,
            "host": self.host,
            "games": [game.to_dict(height) for game in self.games],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], width: int, height: int) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            ValueError: a value makes no sense.
            KeyError: one is missing.
        """
        one, two = (GameResult.from_dict(game, width, height) for game in values["games"])
        return cls(
            number=int(values["pair"]),
            first=str(values["first"]),
            second=str(values["second"]),
            games=(one, two),
            host=str(values["host"]),
        )
