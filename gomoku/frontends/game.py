"""The game as a manager tells it: own stones, the opponent's, walls; colours follow from the counts."""

from __future__ import annotations

from collections.abc import Iterable

from gomoku._core.board import Board
from gomoku.protocol.events import Stone, Who
from gomoku.types import BLACK, WHITE, Color, Foul, Move, Rule

OWN: Who = 1
OPPONENT: Who = 2


class Game:
    """Stones in the order they came, each with its owner.

    Args:
        width: columns.
        height: rows.

    Example:
        >>> game = Game(15, 15)
        >>> game.add(Move(7, 7), OPPONENT)
        >>> game.color().name
        'WHITE'
    """

    def __init__(self, width: int = 15, height: int = 15) -> None:
        self.width = width
        self.height = height
        self._stones: dict[Move, Who] = {}

    def clear(self) -> None:
        """Take all stones off."""
        self._stones.clear()

    def set_stones(self, stones: Iterable[Stone]) -> None:
        """Replace the position."""
        self._stones = dict(stones)

    def is_empty(self, move: Move) -> bool:
        """Return whether nothing stands on a point of the board."""
        return move not in self._stones

    def is_clear(self) -> bool:
        """Return whether the board has no stone."""
        return not self._stones

    @property
    def ply(self) -> int:
        """Stones of both players; walls are nobody's."""
        return sum(who in (OWN, OPPONENT) for who in self._stones.values())

    def is_full(self) -> bool:
        """Return whether no point is left."""
        return len(self._stones) >= self.width * self.height

    def add(self, move: Move, who: Who) -> None:
        """Put a stone on an empty point."""
        self._stones[move] = who

    def remove(self, move: Move) -> bool:
        """Take a stone off; false if none was there."""
        return self._stones.pop(move, None) is not None

    def color(self) -> Color:
        """Return the colour that moves next and that the own stones have.

        Equal counts: the brain is black; one opposing stone more: white. Counts that no game has (passes, handicaps)
        leave it to the parity of all stones.
        """
        own = sum(who == OWN for who in self._stones.values())
        opponent = sum(who == OPPONENT for who in self._stones.values())
        if opponent - own in (0, 1):
            return BLACK if own == opponent else WHITE
        return BLACK if (own + opponent) % 2 == 0 else WHITE

    def board(self, rule: Rule) -> Board:
        """Return the position with the brain to move."""
        color = self.color()
        return self._board(rule, {OWN: color, OPPONENT: color.other}, color)

    def side_to_move_board(self, rule: Rule) -> Board:
        """Return the position with colours by the order of play, for questions that are not about the brain's move."""
        players = [who for who in self._stones.values() if who in (OWN, OPPONENT)]
        black = players[0] if players else OWN
        colors = {who: BLACK if who == black else WHITE for who in (OWN, OPPONENT)}
        return self._board(rule, colors, BLACK if len(players) % 2 == 0 else WHITE)

    def _board(self, rule: Rule, colors: dict[Who, Color], to_move: Color) -> Board:
        """The position with each owner's stones in a colour; nobody's stones are walls."""
        return Board.from_history(
            [(move, colors[who]) for move, who in self._stones.items() if who in colors],
            to_move=to_move,
            walls=[move for move, who in self._stones.items() if who not in colors],
            width=self.width,
            height=self.height,
            rule=rule,
        )

    def forbidden(self, rule: Rule) -> list[Move]:
        """Return black's forbidden points, row by row."""
        board = self.side_to_move_board(rule)
        points = [Move(x, y) for y in range(self.height) for x in range(self.width)]
        return [move for move in points if self.is_empty(move) and board.foul(move) != Foul.NONE]
