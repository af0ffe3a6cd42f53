"""The vocabulary of a conversation between manager and brain: one frozen type per thing that can be said.

Commands travel from the manager to the brain, replies back. Every event can be parsed and written by both sides, so
one vocabulary serves a brain's front end and a program that drives brains. Fields hold plain values; coordinates are
:class:`gomoku.types.Move`, ``x`` right and ``y`` down from the top left corner.

Source: protocol_docs/gomocup.md, section "Commands"; protocol_docs/yixin.md for the commands that begin with ``YX``.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from gomoku.protocol.event_base import Command, Reply
from gomoku.types import Move

Who: TypeAlias = Literal[1, 2, 3]
"""Owner of a stone as the brain sees it: 1 the brain itself, 2 its opponent, 3 nobody (a wall)."""

Stone: TypeAlias = tuple[Move, Who]
"""A point and the owner of the stone on it."""

InfoValue: TypeAlias = int | str | Move | None
"""A number, a path, a point, or ``None`` for a value that must be ignored."""


# --- commands: a game -------------------------------------------------------------------------------------------------


class Start(Command):
    """``START``, ``RECTSTART``: a new game on an empty board. Answer: Ok."""

    width: int
    height: int


class Restart(Command):
    """``RESTART``: a new game on a board of the same size. Answer: Ok."""


class Begin(Command):
    """``BEGIN``: the brain opens the game. Answer: MoveIs."""


class Turn(Command):
    """``TURN``: the opponent has played. Answer: MoveIs."""

    move: Move


class BoardIs(Command):
    """``BOARD`` or ``YXBOARD``: the whole position, in the order of play if the manager keeps it.

    Attributes:
        stones: points with their owners; no point occurs twice.
        think: true for ``BOARD`` (answer: MoveIs), false for ``YXBOARD`` (no answer).
    """

    stones: tuple[Stone, ...]
    think: bool = True


class Swap2Board(Command):
    """``SWAP2BOARD``: 0, 3 or 5 stones in the order black, white, ... Answer: MoveIs (1 to 3 points) or Swap."""

    moves: tuple[Move, ...]


class TakeBack(Command):
    """``TAKEBACK``: remove this stone, whichever it was. Answer: Ok."""

    move: Move


class Play(Command):
    """``PLAY``: the brain's own stone goes here, after a suggestion. Answer: MoveIs with the same point."""

    move: Move


class InfoSet(Command):
    """``INFO``: a setting; never answered.

    Attributes:
        key: the key in lower case; empty for a bare ``INFO``.
        value: a number or a point for the keys that have one, else the rest of the line; ``None`` when there is no
            value or a number or point cannot be read: ignore the setting then.

    Example:
        >>> InfoSet("timeout_turn", 5000).number
        5000
        >>> InfoSet("timeout_turn").number is None
        True
    """

    key: str
    value: InfoValue = None

    @property
    def number(self) -> int | None:
        """The value if it is a number."""
        return self.value if isinstance(self.value, int) else None


class About(Command):
    """``ABOUT``: who are you? Legal before Start. Answer: AboutReply."""


class End(Command):
    """``END`` or the end of the input: quit at once, also mid-search. No answer."""


# --- commands: analysis front ends ------------------------------------------------------------------------------------


class Stop(Command):
    """``YXSTOP``, ``STOP``: end the search and answer with the best move so far; silence when idle."""


class ShowForbid(Command):
    """``YXSHOWFORBID``: which points are forbidden in the current position? Answer: Forbid."""


class ShowInfo(Command):
    """``YXSHOWINFO``: an analysis front end says hello. Answers: Capability, twice."""


class NBest(Command):
    """``YXNBEST``: search the best lines from the current position. Answer: MoveIs."""

    count: int


class Balance(Command):
    """``YXBALANCEONE``, ``YXBALANCETWO``: find stones that bring the value close to a bias. Answer: MoveIs.

    Attributes:
        count: 1 or 2 stones to place, of both sides in turn.
        bias: the wanted value from the view of the side to move now.
    """

    count: int
    bias: int = 0


class SearchDefend(Command):
    """``YXSEARCHDEFEND``: value every defence of the current position. Answer: MoveIs."""


class Swap2Step(Command):
    """``YXSWAP2STEP1`` to ``3``: swap2 as Yixin's front end asks for it. Answers: Messages ``SWAP2 ...``."""

    step: int


class HashClear(Command):
    """``YXHASHCLEAR``: forget what earlier searches found. No answer."""


class HashUsage(Command):
    """``YXSHOWHASHUSAGE``: how full is the transposition table? Answer: Message."""


class Ignored(Command):
    """A known command without meaning here, swallowed whole with its list or path line. No answer.

    Attributes:
        word: the command word in capitals.
        args: the rest of its line.
        lines: the cells of its list, or its path line.
    """

    word: str
    args: str = ""
    lines: tuple[str, ...] = ()


class Unknown(Command):
    """A line that is no command. Answer: UnknownReply. A manager may send one to say something this package lacks."""

    text: str

    def reply(self) -> UnknownReply:
        """Return the answer that is due."""
        return UnknownReply(f"command {self.text}")


class Malformed(Command):
    """A command that cannot be carried out as written, or not now. Answer: Error. Only ever received.

    Attributes:
        text: the line, or the first bad line of a list.
        message: what is wrong with it, in words for the manager's user.
    """

    text: str
    message: str

    def reply(self) -> Error:
        """Return the answer that is due."""
        return Error(self.message)


# --- replies ----------------------------------------------------------------------------------------------------------


class Ok(Reply):
    """``OK``: done."""


class MoveIs(Reply):
    """A line of coordinates: one point, or up to three in an opening.

    Example:
        >>> MoveIs.at(7, 8).move
        Move(x=7, y=8)
    """

    moves: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """The first point."""
        return self.moves[0]

    @classmethod
    def at(cls, x: int, y: int) -> MoveIs:
        """Return the answer with this one point."""
        return cls((Move(x, y),))


class Swap(Reply):
    """``SWAP``: the brain takes the other colour."""


class Message(Reply):
    """``MESSAGE``: text for the user."""

    text: str


class Debug(Reply):
    """``DEBUG`` or ``DETAIL``: text for the author. Some referees choke on it, so Fukumi never sends it."""

    text: str


class Error(Reply):
    """``ERROR``: the command could not be carried out."""

    text: str


class UnknownReply(Reply):
    """``UNKNOWN``: the command is not implemented."""

    text: str


class AboutReply(Reply):
    """The answer to ``ABOUT``: ``name="...", version="...", ...``. Empty fields are not written."""

    name: str
    version: str = ""
    author: str = ""
    country: str = ""
    www: str = ""
    email: str = ""


class Forbid(Reply):
    """``FORBID 07070812.``: the points that are forbidden for black."""

    moves: tuple[Move, ...] = ()


class Progress(Reply):
    """A progress line, ``MESSAGE depth 9-15 ev 120 n 48211 n/ms 310 tm 155 pv H8 I9``.

    Attributes:
        depth: nominal depth in plies.
        seldepth: deepest ply.
        score: the value for the side to move as text: ``120``, ``+M7`` (wins in 7 plies), ``-M6`` (loses in 6).
        nodes: positions searched.
        time_ms: milliseconds since the search began.
        pv: the expected moves.
        rank: 1 for the best line; other ranks are written as ``multipv 2``.
    """

    depth: int
    seldepth: int
    score: str
    nodes: int = 0
    time_ms: int = 0
    pv: tuple[Move, ...] = ()
    rank: int = 1


class Capability(Reply):
    """``MESSAGE INFO MAX_THREAD_NUM 8``: a limit announced to an analysis front end."""

    name: str
    value: int


class Realtime(Reply):
    """``MESSAGE REALTIME BEST 7,7``: what the search is doing, for the picture of an analysis front end.

    Attributes:
        kind: ``BEST``, ``POS``, ``DONE``, ``LOST`` (or ``LOSE``), ``VAL``, ``PV`` or ``REFRESH``.
        move: the point, for the kinds that have one.
        text: the rest, for the kinds that have text.
    """

    kind: str
    move: Move | None = None
    text: str = ""


class InfoLine(Reply):
    """``INFO DEPTH 9``: search details for web front ends; only sent when ``show_detail`` asks for them."""

    key: str
    text: str = ""


class Suggest(Reply):
    """``SUGGEST``: a proposed move, to be confirmed with Play. Fukumi never sends it."""

    move: Move


class Noise(Reply):
    """A line of the brain that means nothing. Only ever received."""

    text: str


class Closed(Reply):
    """The brain's output has ended. Only ever received."""
