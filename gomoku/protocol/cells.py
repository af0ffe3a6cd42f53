"""Lists of cells between ``BOARD`` and ``DONE``.

A list may stand on one line or on many, with any blanks between its cells. A cell that cannot be read is remembered
and complained about once, after ``DONE``, since the manager says nothing else before that and expects one answer.
"""

from __future__ import annotations

import re

from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Command
from gomoku.protocol.grammar import BOARD_WORDS
from gomoku.types import MAX_SIZE, Move

MAX_CELLS = MAX_SIZE * MAX_SIZE
"""What stands behind so many cells or lines is not stored; a list of stones that is longer is malformed."""

_CELL = re.compile(r"(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})(?:\s*,\s*(-?[0-9]{1,9}))?(?=\s|$)")
_BLANK = re.compile(r"\s")
_DONE = re.compile(r"DONE(?=\s|$)", re.IGNORECASE)
_ANY_DONE = re.compile(r"(?:^|\s)DONE(?=\s|$)", re.IGNORECASE)
_PASS = (-1, -1)
_WHOS: dict[str | None, ev.Who] = {"1": 1, "2": 2, "3": 3}


def find_done(text: str) -> re.Match[str] | None:
    """Return where the word ``DONE`` stands in a line, in any case."""
    return _ANY_DONE.search(text)


class CellList:
    """Collects one list.

    Attributes:
        word: the command word in capitals.
        args: what stood behind it, for commands whose list is swallowed.

    Example:
        >>> cells = CellList("BOARD")
        >>> cells.feed("7,7,1  8,8,2") is None
        True
        >>> cells.feed("done")
        ''
        >>> cells.result()
        BoardIs(stones=((Move(x=7, y=7), 1), (Move(x=8, y=8), 2)), think=True)
    """

    def __init__(self, word: str, args: str = "") -> None:
        self.word = word
        self.args = args
        self._stones: list[ev.Stone] = []
        self._lines: list[str] = []
        self._seen: set[Move] = set()
        self._complaint: tuple[str, str] | None = None

    @property
    def swallowed(self) -> bool:
        """Whether nobody looks at the cells."""
        return self.word not in BOARD_WORDS

    def feed(self, text: str) -> str | None:
        """Read one line, or what stands behind the command word on its own line.

        Returns:
            ``None`` if the list goes on, else what stands behind ``DONE``.
        """
        if self.swallowed:
            done = find_done(text)
            line = (text[: done.start()] if done else text).strip()
            if line and len(self._lines) < MAX_CELLS:
                self._lines.append(line)
            return text[done.end() :].strip() if done else None
        start = 0
        while start < len(text):
            if text[start].isspace():
                start += 1
                continue
            done = _DONE.match(text, start)
            if done:
                return text[done.end() :].strip()
            cell = _CELL.match(text, start)
            if not cell:
                self.complain(text, "a cell cannot be read")
                blank = _BLANK.search(text, start)
                start = blank.start() if blank else len(text)
                continue
            start = cell.end()
            self._add(cell)
        return None

    def complain(self, text: str, message: str) -> None:
        """Remember that something is wrong; the first complaint counts."""
        if self._complaint is None:
            self._complaint = (text, f"{self.word}: {message}")

    def result(self) -> Command:
        """Return the command once the list has ended."""
        if self.swallowed:
            return ev.Ignored(self.word, self.args, tuple(self._lines))
        if self.word == "SWAP2BOARD" and len(self._stones) not in (0, 3, 5):
            self.complain(self.word, f"0, 3 or 5 stones are expected, not {len(self._stones)}")
        if self._complaint is not None:
            return ev.Malformed(*self._complaint)
        if self.word == "SWAP2BOARD":
            return ev.Swap2Board(tuple(move for move, _ in self._stones))
        return ev.BoardIs(tuple(self._stones), think=self.word == "BOARD")

    def _add(self, cell: re.Match[str]) -> None:
        move = Move(int(cell[1]), int(cell[2]))
        who = _WHOS.get(cell[3])
        if self.word == "SWAP2BOARD":
            who = 1  # the field is not part of this command; some managers write it anyway
        if who is None:
            self.complain(cell[0], "a cell needs x,y and the owner 1, 2 or 3")
        elif move == _PASS:
            return  # a pass puts no stone on the board
        elif move.x < 0 or move.y < 0:
            self.complain(cell[0], f"{cell[0]} is not on the board")
        elif move in self._seen:
            self.complain(cell[0], f"the point {move} occurs twice")
        elif len(self._stones) == MAX_CELLS:
            self.complain(cell[0], "too many stones")
        else:
            self._seen.add(move)
            self._stones.append((move, who))
