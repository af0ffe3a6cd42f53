"""Three classic opponents that look at the board once and move, each in its own way.

They never search, take microseconds for a move, and lose to whoever looks ahead: good company for a first game, steps
of a ladder, and a yardstick. All have the methods of :class:`gomoku.engine.Engine`.

Example:
    >>> from gomoku import Board
    >>> board = Board.from_text("h8i9g7", origin="top")
    >>> [opponent().choose(board).text for opponent in CLASSICS.values()]
    ['e5', 'f6', 'g9']
"""

from gomoku.classics.opponent import Classic
from gomoku.classics.players import Chains, Field, WinLines

CLASSICS: dict[str, type[Classic]] = {player.name: player for player in (WinLines, Chains, Field)}
"""The opponents by name."""

__all__ = ["CLASSICS", "Chains", "Classic", "Field", "WinLines"]
