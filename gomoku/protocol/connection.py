"""One end of a conversation, without any input or output of its own.

Bytes in, events out; events in, bytes out. Feed what a pipe delivered with :meth:`Connection.receive_data`, take
events with :meth:`Connection.next_event` until it says :data:`NEED_DATA`, and write what :meth:`Connection.send`
returns in one piece.

Source: the shape follows h11, the sans-IO HTTP library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum
from typing import Final, Literal, TypeAlias

from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Command, Event, Reply
from gomoku.protocol.grammar import format_command, lex
from gomoku.protocol.lines import LineBuffer
from gomoku.protocol.reader import CommandReader
from gomoku.protocol.replies import format_reply, parse_reply
from gomoku.protocol.state import Conversation, Owed, RefusedError, State
from gomoku.types import GomokuError, Move


class Role(Enum):
    """Which end of the conversation a connection is."""

    BRAIN = "brain"
    MANAGER = "manager"


class NeedData(Enum):
    """The type of :data:`NEED_DATA`."""

    NEED_DATA = "need data"


NEED_DATA: Final[Literal[NeedData.NEED_DATA]] = NeedData.NEED_DATA
"""What :meth:`Connection.next_event` returns when no event is complete."""

EventOrNeedData: TypeAlias = Event | Literal[NeedData.NEED_DATA]


class ProtocolError(GomokuError):
    """Base of the two protocol errors; the type tells whose fault it is."""


class LocalProtocolError(ProtocolError):
    """This side tried to say something that it may not say now; nothing was said."""


class RemoteProtocolError(ProtocolError):
    """The brain said something that nobody asked for. The connection remains usable.

    Attributes:
        event: what it said.
    """

    def __init__(self, message: str, event: Event) -> None:
        super().__init__(message)
        self.event = event


class Connection:
    r"""One end of a conversation between a manager and a brain.

    Thread-safety: none; callers with several threads hold one lock around ``next_event``, ``send`` and ``drop_move``.

    Example:
        >>> brain = Connection(Role.BRAIN)
        >>> brain.receive_data(b"START 15\r\nTURN 7,7\r\n")
        >>> brain.next_event()
        Start(width=15, height=15)
        >>> brain.send(ev.Ok())
        b'OK\n'
        >>> list(brain.events())
        [Turn(move=Move(x=7, y=7))]
        >>> brain.state
        <State.THINKING: 'thinking'>
        >>> brain.send(ev.MoveIs.at(8, 8))
        b'8,8\n'
        >>> brain.send(ev.MoveIs.at(9, 9))
        Traceback (most recent call last):
        gomoku.protocol.connection.LocalProtocolError: nobody asked for a move or opening moves or SWAP
    """

    def __init__(self, role: Role) -> None:
        self._role = role
        self._lines = LineBuffer()
        self._reader = CommandReader()
        self._conversation = Conversation()
        self._queue: deque[Command] = deque()
        self._at_end = False
        self._closed_heard = False

    @property
    def role(self) -> Role:
        """Which end this is."""
        return self._role

    @property
    def state(self) -> State:
        """Where the conversation stands."""
        return self._conversation.state

    @property
    def owed(self) -> tuple[Owed, ...]:
        """The answers the brain owes, oldest question first."""
        return tuple(self._conversation.owed)

    @property
    def size(self) -> tuple[int, int] | None:
        """Width and height of the board; ``None`` before the first Start."""
        return self._conversation.size

    @property
    def yixin(self) -> bool:
        """Whether the manager speaks Yixin's dialect."""
        return self._reader.yixin

    @property
    def front_end(self) -> bool:
        """Whether the manager has introduced itself as an analysis front end (``YXSHOWINFO``)."""
        return self._reader.front_end

    def receive_data(self, data: bytes) -> None:
        """Take bytes from the other side, cut anywhere."""
        self._lines.feed(data)

    def receive_eof(self) -> None:
        """Take note that the other side's pipe has ended; End or Closed follows the events still waiting."""
        self._lines.close()
        self._at_end = True

    def next_event(self) -> EventOrNeedData:
        """Return the next event of the other side, or :data:`NEED_DATA`.

        Raises:
            RemoteProtocolError: only in a manager: the brain's reply answers nothing.
        """
        return self._next_command() if self._role is Role.BRAIN else self._next_reply()

    def events(self) -> Iterator[Event]:
        """Iterate over the events that are complete."""
        while (event := self.next_event()) is not NEED_DATA:
            yield event

    def send(self, event: Event) -> bytes:
        """Return the bytes that say this.

        Raises:
            LocalProtocolError: it may not be said, by this side or now.
        """
        try:
            if self._role is Role.BRAIN and isinstance(event, Reply):
                text = format_reply(event)
                if self._conversation.closed:
                    raise RefusedError("the conversation is over")
                self._conversation.reply(event)
            elif self._role is Role.MANAGER and isinstance(event, Command):
                text = format_command(event)
                self._conversation.command(event, patient=True)
                self._reader.notice(*lex(text))
            else:
                raise RefusedError(f"a {self._role.value} does not say {type(event).__name__}")
        except (RefusedError, ValueError) as error:
            raise LocalProtocolError(str(error)) from None
        return text.encode("utf-8", "surrogateescape") + b"\n"

    def drop_move(self) -> bool:
        """Forget the oldest move that is owed, because its search ended without an answer.

        Returns:
            False if no move was owed.
        """
        return self._conversation.drop_move()

    def _next_command(self) -> EventOrNeedData:
        conversation = self._conversation
        while not self._queue:
            if conversation.closed:
                return NEED_DATA
            line = self._lines.next_line()
            if line is not None:
                self._queue.extend(self._reader.read(line))
            elif self._at_end:
                self._queue.append(ev.End())
            else:
                return NEED_DATA
        command = self._queue.popleft()
        stray = _off_board(command, conversation.size)
        if stray is not None:
            command = ev.Malformed(_first_line(command), stray)
        try:
            conversation.command(command)
        except RefusedError as refusal:
            command = ev.Malformed(_first_line(command), str(refusal))
            conversation.command(command)
        if conversation.closed:
            self._queue.clear()
        return command

    def _next_reply(self) -> EventOrNeedData:
        if self._closed_heard:
            return NEED_DATA
        line = self._lines.next_line()
        reply: Reply
        if line is not None:
            reply = ev.Noise(line.text) if line.overlong else parse_reply(line.text)
        elif self._at_end:
            reply = ev.Closed()
            self._closed_heard = True
        else:
            return NEED_DATA
        try:
            self._conversation.reply(reply)
        except RefusedError as refusal:
            raise RemoteProtocolError(str(refusal), reply) from None
        return reply


def _off_board(command: Command, size: tuple[int, int] | None) -> str | None:
    """Return a complaint if a command names a point outside the board."""
    moves: tuple[Move, ...] = ()
    match command:
        case ev.Turn(move) | ev.TakeBack(move) | ev.Play(move):
            moves = (move,)
        case ev.BoardIs(stones, _):
            moves = tuple(move for move, _ in stones)
        case ev.Swap2Board(points):
            moves = points
    if size is None:
        return None
    width, height = size
    for move in moves:
        if not (move.x < width and move.y < height):
            return f"the point {move} is outside the {width}x{height} board"
    return None


def _first_line(command: Command) -> str:
    return format_command(command).partition("\n")[0]
