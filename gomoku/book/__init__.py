"""Openings for engine matches: reading, writing, making them, and the sets that come with the package.

Example:
    >>> from gomoku import Rule, book
    >>> book.builtin(Rule.FREESTYLE, 15)[0].board(Rule.FREESTYLE).is_game_over()
    False
"""

from gomoku.book.openings import (
    Opening,
    OpeningError,
    builtin,
    builtin_sets,
    detect_format,
    digest,
    read,
    unique,
    write,
)

__all__ = [
    "Opening",
    "OpeningError",
    "builtin",
    "builtin_sets",
    "detect_format",
    "digest",
    "read",
    "unique",
    "write",
]
