"""The Gomocup protocol without input and output.

This package turns bytes into events and events into bytes. It reads no pipe, knows no engine and keeps no clock; the
front ends in ``gomoku.frontends`` do. The same code serves both ends, so a program that drives brains speaks it too.

A brain's main loop, with ``read`` and ``write`` standing for the pipes::

    connection = Connection(Role.BRAIN)
    while True:
        connection.receive_data(read())           # connection.receive_eof() at the end of the input
        for event in connection.events():         # or next_event() until it returns NEED_DATA
            match event:
                case Start(width, height): write(connection.send(Ok()))
                case Turn(move): write(connection.send(MoveIs.at(7, 7)))
                case InfoSet(key, value): ...     # never answered
                case About(): write(connection.send(about("1.0")))
                case Unknown() | Malformed(): write(connection.send(event.reply()))
                case End(): return

What a front end can rely on:

* ``next_event`` of a brain never raises, whatever the manager sends: garbage arrives as ``Unknown`` or ``Malformed``.
  Commands that need a board arrive as ``Malformed`` before the first ``Start``. ``Start`` has sides of 5 to 22.
* Points of ``Turn``, ``Play``, ``TakeBack``, ``BoardIs`` and ``Swap2Board`` lie on the board of the last ``Start``, and
  no point occurs twice in one list. Whether a point is empty, and whose turn it is, only the game knows.
* The input's end yields ``End`` exactly once; nothing follows an ``End``.
* ``send`` returns one or more whole lines that end with a bare LF. It raises ``LocalProtocolError`` for an answer that
  nobody asked for: a coordinate line while no move is owed, a second one for the same question, anything after ``End``.
* ``connection.state`` is ``State.THINKING`` while a move is owed; ``connection.owed`` lists all answers owed.
  When a search is aborted without printing, call ``connection.drop_move()``, so that the next move answers the next
  question. ``Error`` and ``UnknownReply`` answer anything.
* ``connection.yixin`` tells the dialect; use it late, as ``resolve_rule(number, yixin=connection.yixin)`` when a game
  begins or a move is asked for. ``connection.front_end`` is true after ``YXSHOWINFO``.

Thread-safety: none. A front end with a reader and a worker thread holds one lock around ``next_event`` and ``send``.
"""

from gomoku.protocol.connection import (
    NEED_DATA,
    Connection,
    EventOrNeedData,
    LocalProtocolError,
    NeedData,
    ProtocolError,
    RemoteProtocolError,
    Role,
)
from gomoku.protocol.dialects import RuleChoice, about, resolve_rule
from gomoku.protocol.event_base import Command, Event, Reply
from gomoku.protocol.events import (
    About,
    AboutReply,
    Balance,
    Begin,
    BoardIs,
    Capability,
    Closed,
    Debug,
    End,
    Error,
    Forbid,
    HashClear,
    HashUsage,
    Ignored,
    InfoLine,
    InfoSet,
    InfoValue,
    Malformed,
    Message,
    MoveIs,
    NBest,
    Noise,
    Ok,
    Play,
    Progress,
    Realtime,
    Restart,
    SearchDefend,
    ShowForbid,
    ShowInfo,
    Start,
    Stone,
    Stop,
    Suggest,
    Swap,
    Swap2Board,
    Swap2Step,
    TakeBack,
    Turn,
    Unknown,
    UnknownReply,
    Who,
)
from gomoku.protocol.state import Owed, State

__all__ = [
    "NEED_DATA",
    "About",
    "AboutReply",
    "Balance",
    "Begin",
    "BoardIs",
    "Capability",
    "Closed",
    "Command",
    "Connection",
    "Debug",
    "End",
    "Error",
    "Event",
    "EventOrNeedData",
    "Forbid",
    "HashClear",
    "HashUsage",
    "Ignored",
    "InfoLine",
    "InfoSet",
    "InfoValue",
    "LocalProtocolError",
    "Malformed",
    "Message",
    "MoveIs",
    "NBest",
    "NeedData",
    "Noise",
    "Ok",
    "Owed",
    "Play",
    "Progress",
    "ProtocolError",
    "Realtime",
    "RemoteProtocolError",
    "Reply",
    "Restart",
    "Role",
    "RuleChoice",
    "SearchDefend",
    "ShowForbid",
    "ShowInfo",
    "Start",
    "State",
    "Stone",
    "Stop",
    "Suggest",
    "Swap",
    "Swap2Board",
    "Swap2Step",
    "TakeBack",
    "Turn",
    "Unknown",
    "UnknownReply",
    "Who",
    "about",
    "resolve_rule",
]
