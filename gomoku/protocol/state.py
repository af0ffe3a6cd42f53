"""What may be said when, and who owes whom an answer: all conversational state lives here.

The tables and the class do not know which side they serve; both ends of a conversation run the same code and so
agree about its state. A conversation has a board size or none yet, a list of answers owed in the order of the
questions, and may be over. "Thinking" is not stored: it means that a move is owed.

Source: protocol_docs/gomocup.md, sections "Commands" and "Timing".
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Command, Reply


class State(Enum):
    """Where a conversation stands."""

    NO_BOARD = "no board"
    """No game was started: only About, InfoSet, End and front end settings make sense."""
    IDLE = "idle"
    """There is a board and no move is owed."""
    THINKING = "thinking"
    """The brain owes a move."""
    CLOSED = "closed"
    """End was said, or a pipe was closed."""


class Owed(Enum):
    """Kinds of answers a brain can owe."""

    OK = "OK"
    MOVE = "a move"
    OPENING = "opening moves or SWAP"
    ABOUT = "the answer to ABOUT"
    FORBID = "FORBID"
    UNKNOWN = "UNKNOWN"
    ERROR = "ERROR"


class Rule(NamedTuple):
    """One row of the command table.

    Attributes:
        owes: the answer the brain owes for the command.
        needs_board: false if the command is legal before Start.
        mid_search: true if a manager may say it while it waits for a move.
    """

    owes: Owed | None
    needs_board: bool = True
    mid_search: bool = False


COMMANDS: Mapping[type[Command], Rule] = {
    ev.Start: Rule(Owed.OK, needs_board=False),
    ev.Restart: Rule(Owed.OK),
    ev.Begin: Rule(Owed.MOVE),
    ev.Turn: Rule(Owed.MOVE),
    ev.BoardIs: Rule(Owed.MOVE),
    ev.Swap2Board: Rule(Owed.OPENING),
    ev.TakeBack: Rule(Owed.OK),
    ev.Play: Rule(Owed.MOVE),
    ev.InfoSet: Rule(None, needs_board=False, mid_search=True),
    ev.About: Rule(Owed.ABOUT, needs_board=False, mid_search=True),
    ev.End: Rule(None, needs_board=False, mid_search=True),
    ev.Stop: Rule(None, needs_board=False, mid_search=True),
    ev.ShowForbid: Rule(Owed.FORBID, mid_search=True),
    ev.ShowInfo: Rule(None, needs_board=False, mid_search=True),
    ev.NBest: Rule(Owed.MOVE),
    ev.Balance: Rule(Owed.MOVE),
    ev.SearchDefend: Rule(Owed.MOVE),
    ev.Swap2Step: Rule(None),
    ev.HashClear: Rule(None, needs_board=False),
    ev.HashUsage: Rule(None, needs_board=False, mid_search=True),
    ev.Ignored: Rule(None, needs_board=False, mid_search=True),
    ev.Unknown: Rule(Owed.UNKNOWN, needs_board=False, mid_search=True),
    ev.Malformed: Rule(Owed.ERROR, needs_board=False, mid_search=True),
}

REPLIES: Mapping[type[Reply], frozenset[Owed]] = {
    ev.Ok: frozenset({Owed.OK}),
    ev.MoveIs: frozenset({Owed.MOVE, Owed.OPENING}),
    ev.Suggest: frozenset({Owed.MOVE}),
    ev.Swap: frozenset({Owed.OPENING}),
    ev.AboutReply: frozenset({Owed.ABOUT}),
    ev.Forbid: frozenset({Owed.FORBID}),
}
"""Which debts a reply settles. Error and UnknownReply settle any; replies that stand nowhere are free speech."""

OFFICIAL_SETTINGS = frozenset(
    {"timeout_turn", "timeout_match", "max_memory", "time_left", "game_type", "rule", "evaluate", "folder"}
)
"""``INFO`` keys of the official protocol, about which no brain should complain."""

_COMPLAINTS: Mapping[type[Reply], Owed] = {ev.Error: Owed.ERROR, ev.UnknownReply: Owed.UNKNOWN}
_MOVES = frozenset({Owed.MOVE, Owed.OPENING})


class RefusedError(Exception):
    """Something was said that the state does not allow; the state is unchanged."""


class Conversation:
    """The state of one conversation.

    Attributes:
        size: width and height of the board, ``None`` before the first Start.
        owed: answers the brain owes, oldest question first.
        closed: true after End or Closed.
    """

    def __init__(self) -> None:
        self.size: tuple[int, int] | None = None
        self.owed: list[Owed] = []
        self.closed = False
        self._extensions_sent = 0

    @property
    def state(self) -> State:
        """The state in one word."""
        if self.closed:
            return State.CLOSED
        if any(debt in _MOVES for debt in self.owed):
            return State.THINKING
        return State.NO_BOARD if self.size is None else State.IDLE

    def command(self, command: Command, *, patient: bool = False) -> None:
        """Take note of a command.

        Args:
            command: what the manager says.
            patient: refuse also what a manager should not say before it has the move it waits for. Managers that talk
                on exist, so a brain listens without this.

        Raises:
            RefusedError: the command makes no sense now.
        """
        rule = COMMANDS[type(command)]
        if self.closed:
            raise RefusedError("the conversation is over")
        if rule.needs_board and self.size is None:
            raise RefusedError("no game: send START first")
        if patient and not rule.mid_search and self.state is State.THINKING:
            raise RefusedError("a move is still owed: send Stop and wait for it")
        if isinstance(command, ev.Start):
            self.size = (command.width, command.height)
        if isinstance(command, ev.End):
            self.closed = True
        if patient and isinstance(command, ev.InfoSet) and command.key not in OFFICIAL_SETTINGS:
            self._extensions_sent += 1
        if rule.owes and not (isinstance(command, ev.BoardIs) and not command.think):
            self.owed.append(rule.owes)

    def reply(self, reply: Reply) -> None:
        """Take note of a reply.

        Brains answer in the order of the questions, so a reply also writes off the older complaints (``UNKNOWN``,
        ``ERROR``) that never came: a manager cannot know which of its extensions a brain complains about. Some complain
        about settings too, which need no answer: such a complaint settles nothing.

        Raises:
            RefusedError: nobody asked for this.
        """
        if isinstance(reply, ev.Closed):
            self.closed = True
            return
        complaint = _COMPLAINTS.get(type(reply))
        if complaint:
            if complaint in self.owed:
                self.owed.remove(complaint)
            elif self._extensions_sent:
                self._extensions_sent -= 1
            elif self.owed:
                del self.owed[0]
            return
        settles = REPLIES.get(type(reply))
        if settles is None:
            return
        for position, debt in enumerate(self.owed):
            if debt in settles:
                earlier = [older for older in self.owed[:position] if older not in _COMPLAINTS.values()]
                self.owed[: position + 1] = earlier
                self._extensions_sent = 0
                return
        raise RefusedError(f"nobody asked for {' or '.join(sorted(debt.value for debt in settles))}")

    def drop_move(self) -> bool:
        """Forget the oldest move that is owed; false if none was."""
        for position, debt in enumerate(self.owed):
            if debt in _MOVES:
                del self.owed[position]
                return True
        return False
