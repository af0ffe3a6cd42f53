"""From lines to commands: joins what spans lines and watches for the dialect.

Nothing a manager writes may leave a brain waiting for a ``DONE`` that never comes. So a line that begins with a
command word ends an open list: the list is reported as malformed and the command is obeyed. Two exceptions concern the
search and not the board, and are obeyed while the list stays open: ``INFO`` (a user's mouse moves over the board
send ``INFO evaluate`` at any moment) and ``STOP``. Other lines inside a list are bad cells.

The reverse case is a list that belongs to an unknown command: one complaint is enough, so its cells are dropped.
"""

from __future__ import annotations

from gomoku.protocol import events as ev
from gomoku.protocol.cells import CellList, find_done
from gomoku.protocol.dialects import is_yixin
from gomoku.protocol.event_base import Command
from gomoku.protocol.grammar import (
    BOARD_WORDS,
    SWALLOWED_LISTS,
    SWALLOWED_PATHS,
    is_command_word,
    lex,
    parse_command,
    read_point,
)
from gomoku.protocol.lines import Line

_LIST_STAYS_OPEN = frozenset({"INFO", "STOP", "YXSTOP"})


class CommandReader:
    """Reads the lines of a manager.

    Attributes:
        yixin: whether a line came that only front ends of Yixin's family send.
        front_end: whether ``YXSHOWINFO`` came.

    Example:
        >>> reader = CommandReader()
        >>> reader.read(Line("yxboard 7,7,1"))
        []
        >>> reader.read(Line("DONE"))
        [BoardIs(stones=((Move(x=7, y=7), 1),), think=False)]
        >>> reader.yixin
        True
    """

    def __init__(self) -> None:
        self.yixin = False
        self.front_end = False
        self._cells: CellList | None = None
        self._path_for: str | None = None
        self._after_unknown = False

    def read(self, line: Line) -> list[Command]:
        """Return the commands that this line completes: none, one, or two when it cuts off a list."""
        if line.overlong:
            return self._overlong(line.text)
        commands: list[Command] = []
        rest: str | None = line.text
        while rest:
            rest = self._step(rest, commands)
        return commands

    def _step(self, text: str, commands: list[Command]) -> str | None:
        """Read one command or one line of a list; return what stands behind it on the line."""
        word, args = lex(text)
        known = is_command_word(word)
        if self._path_for and not known:
            commands.append(ev.Ignored(self._path_for, "", (text,)))
            self._path_for = None
            return None
        if self._cells and not known:
            return self._list_line(self._cells, text, commands)
        if self._after_unknown and not known and (word == "DONE" or word[:1].isdigit()):
            return None  # the list of a command that was refused as unknown
        if known and not (word in _LIST_STAYS_OPEN and (self._cells or self._path_for)):
            self._cut_off(text, commands)
        self.notice(word, args)
        if word in BOARD_WORDS or word in SWALLOWED_LISTS:
            return self._open_list(word, args, commands)
        if word in SWALLOWED_PATHS and not args:
            self._path_for = word
            return None
        command = parse_command(text)
        if word not in _LIST_STAYS_OPEN:
            self._after_unknown = isinstance(command, ev.Unknown) and word[:1].isalpha()
        commands.append(command)
        return None

    def notice(self, word: str, args: str) -> None:
        """Learn from a command line which dialect is spoken."""
        self.yixin = self.yixin or is_yixin(word, args)
        self.front_end = self.front_end or word == "YXSHOWINFO"

    def _open_list(self, word: str, args: str, commands: list[Command]) -> str | None:
        self._after_unknown = False
        if word in SWALLOWED_LISTS and args and not _looks_like_list(word, args):
            self._cells = CellList(word, args)
            return None
        self._cells = CellList(word)
        return self._list_line(self._cells, args, commands)

    def _list_line(self, cells: CellList, text: str, commands: list[Command]) -> str | None:
        rest = cells.feed(text)
        if rest is not None:
            commands.append(cells.result())
            self._cells = None
        return rest

    def _cut_off(self, text: str, commands: list[Command]) -> None:
        if self._path_for:
            commands.append(ev.Ignored(self._path_for))
        if self._cells:
            self._cells.complain(text, "DONE is missing")
            commands.append(self._cells.result())
        self._path_for = self._cells = None

    def _overlong(self, text: str) -> list[Command]:
        if self._path_for:
            word, self._path_for = self._path_for, None
            return [ev.Ignored(word, "", (text,))]
        if self._cells:
            self._cells.complain(text, "the line is too long")
            return []
        return [ev.Unknown(text)]


def _looks_like_list(word: str, args: str) -> bool:
    """Return whether the words behind a swallowed command are its cells and not a label, a number or a filter."""
    if word.startswith("YXEDIT"):
        return False
    return read_point(args.split(maxsplit=1)[0]) is not None or find_done(args) is not None
