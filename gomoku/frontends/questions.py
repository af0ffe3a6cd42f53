"""Between a board and the lines that ask a brain about it, and between a brain's lines and what they tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from gomoku._core.board import Board
from gomoku.frontends.errors import EngineError
from gomoku.info import Info, Limit, PovScore, Score
from gomoku.protocol import events as ev
from gomoku.protocol.event_base import Command, Reply
from gomoku.protocol.state import Owed
from gomoku.types import Move

_NO_LIMIT_MS = 2**31 - 1
"""How managers write a clock that never runs out."""

EXTENSIONS = ("time_increment", "max_depth", "max_node")
"""Limits that not every brain knows."""

_ANSWERS: dict[Owed, tuple[type[Reply], ...]] = {
    Owed.OK: (ev.Ok,),
    Owed.MOVE: (ev.MoveIs,),
    Owed.OPENING: (ev.MoveIs, ev.Swap),
}


class Question:
    """A command that is waiting for its answer.

    Args:
        name: how messages call it.
        debt: the kind of answer that is due.
        on_reply: called with everything else that the brain says meanwhile.

    Attributes:
        answer: becomes the answer.
    """

    def __init__(self, name: str, debt: Owed, on_reply: Callable[[Reply], None] | None) -> None:
        self.name = name
        self.answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._debt = debt
        self._on_reply = on_reply

    def hear(self, reply: Reply, owed: Iterable[Owed]) -> None:
        """Take note of a reply.

        Args:
            reply: what the brain said.
            owed: what it still owes after that.
        """
        if self.answer.done():
            return
        if isinstance(reply, _ANSWERS[self._debt]):
            self.answer.set_result(reply)
        elif isinstance(reply, ev.Error | ev.UnknownReply) and self._debt not in owed:
            word = "ERROR" if isinstance(reply, ev.Error) else "UNKNOWN"
            self.answer.set_exception(EngineError(f"the brain refused {self.name}: {word} {reply.text}"))
        elif self._on_reply:
            try:
                self._on_reply(reply)
            except Exception as error:  # of the user's callback; it ends the question
                self.fail(error)

    def fail(self, error: Exception) -> None:
        """Have the question end with an error."""
        if not self.answer.done():
            self.answer.set_exception(error)


class InfoCollector:
    """Turns a brain's progress lines into Infos.

    Args:
        board: the position that is searched.
        on_info: called with every line.
        multipv: lines of a complete set.
        on_lines: called with every complete set of lines, best first.

    Attributes:
        lines: the last set of lines, best first.
    """

    def __init__(
        self,
        board: Board,
        on_info: Callable[[Info], None] | None = None,
        *,
        multipv: int = 1,
        on_lines: Callable[[list[Info]], None] | None = None,
    ) -> None:
        self.lines: tuple[Info, ...] = ()
        self._board = board.copy()
        self._on_info = on_info
        self._multipv = multipv
        self._on_lines = on_lines
        self._passed_on = True

    def reply(self, reply: Reply) -> None:
        """Take note of something the brain says."""
        if not isinstance(reply, ev.Progress):
            return
        info = self._info(reply)
        if info.multipv == 1 and self.lines and (not info.pv or self._summary(info)):
            # Not a new line but more about the lines: how many nodes, how long.
            nodes, seconds = info.nodes or self.lines[0].nodes, info.time or self.lines[0].time
            self.lines = tuple(line._replace(nodes=nodes, time=seconds) for line in self.lines)
            return
        self.lines = (*self.lines[: info.multipv - 1], info)
        if self._on_info:
            self._on_info(info)
        self._passed_on = False
        if info.multipv >= self._multipv:
            self.pass_on()

    def pass_on(self) -> None:
        """Hand on the last set of lines if that has not been done, complete or not."""
        if self._on_lines and not self._passed_on:
            self._passed_on = True
            self._on_lines(list(self.lines))

    def _summary(self, info: Info) -> bool:
        """Whether a line repeats the best of a set of several, as Rapfi does behind each set."""
        return len(self.lines) > 1 and info.depth == self.lines[0].depth

    def _info(self, progress: ev.Progress) -> Info:
        return Info(
            depth=progress.depth,
            seldepth=progress.seldepth,
            score=PovScore(Score.from_text(progress.score), self._board.turn),
            pv=self._playable(progress.pv),
            nodes=progress.nodes,
            time=progress.time_ms / 1000,
            multipv=progress.rank,
        )

    def _playable(self, moves: tuple[Move, ...]) -> tuple[Move, ...]:
        """The moves up to the first that the board refuses; brains write nonsense at the end of long lines."""
        board = self._board.copy()
        playable = []
        for move in moves:
            if board.is_game_over() or not board.is_legal(move):
                break
            playable.append(board.push(move))
        return tuple(playable)


def limit_settings(limit: Limit, known: Mapping[str, object] = MappingProxyType({})) -> dict[str, int]:
    """Return the ``INFO`` lines that say how long a brain may think.

    Extensions are mentioned only where they are needed, since some brains complain about unknown keys.

    Args:
        limit: the limits.
        known: the settings that the brain has heard; extensions among them are taken back where there is no limit.

    Example:
        >>> limit_settings(Limit(time=1.5, nodes=1000))
        {'timeout_turn': 1500, 'timeout_match': 0, 'max_node': 1000, 'time_left': 2147483647}
    """
    settings = {
        "timeout_turn": _ms(limit.time),
        "timeout_match": 0 if limit.match_time is None else _ms(limit.match_time),
        "time_increment": round(limit.increment * 1000),
        "max_depth": limit.depth or 0,
        "max_node": limit.nodes or 0,
        "time_left": _ms(limit.match_time if limit.time_left is None else limit.time_left),
    }
    for key in EXTENSIONS:
        if not settings[key] and key not in known:
            del settings[key]
    return settings


def _ms(seconds: float | None) -> int:
    return _NO_LIMIT_MS if seconds is None else min(_NO_LIMIT_MS, round(seconds * 1000))


def patience(limit: Limit, grace: float) -> float | None:
    """Return how many seconds a move may take; ``None`` without a time limit.

    Example:
        >>> patience(Limit(time=5.0, match_time=60.0, time_left=2.0), 1.0)
        3.0
    """
    left = limit.match_time if limit.time_left is None else limit.time_left
    bounds = [seconds for seconds in (limit.time, left) if seconds is not None]
    return max(0.0, min(bounds)) + grace if bounds else None


def moves_of(reply: Reply) -> tuple[Move, ...]:
    """Return the points of a reply, none if it is of another kind."""
    return reply.moves if isinstance(reply, ev.MoveIs) else ()


def position_command(board: Board, known: tuple[int, tuple[Move, ...]] | None, *, whole: bool) -> Command:
    """Return the command that shows a brain the position.

    Args:
        board: the position, with the brain to move.
        known: the key of the position that the brain was asked about before, and its answer to it.
        whole: send the position without the question.
    """
    history = board.move_stack
    if not whole:
        if not history and not board.walls():
            return ev.Begin()
        if known and len(history) >= 2:
            before = board.copy()
            last, own = before.pop(), (before.pop(),)
            if (before.key, own) == known:
                return ev.Turn(last)
    owners: dict[int, ev.Who] = {board.turn: 1, board.turn.other: 2}
    stones: list[ev.Stone] = [(move, owners[board.stone(move) or 0]) for move in history]
    walls: list[ev.Stone] = [(move, 3) for move in board.walls()]
    return ev.BoardIs((*stones, *walls), think=not whole)


_DECIDED_ELSEWHERE = frozenset(
    {"rule", "timeout_turn", "timeout_match", "time_left", "time_increment", "max_depth", "max_node"}
)


def check_settings(options: Mapping[str, int | str]) -> None:
    """Check ``INFO`` keys and values that a user sets.

    Raises:
        ValueError: a key or value does not fit on a line, or board and limit decide about the key.

    Example:
        >>> check_settings({"rule": 4})
        Traceback (most recent call last):
        ValueError: 'rule' is no setting of its own: board and limit decide it
    """
    for key, value in options.items():
        if key in _DECIDED_ELSEWHERE:
            raise ValueError(f"{key!r} is no setting of its own: board and limit decide it")
        if not key or not key.isascii() or any(char.isspace() for char in key):
            raise ValueError(f"{key!r} is no setting: a key is one word of ASCII letters")
        if "\n" in str(value) or "\r" in str(value):
            raise ValueError(f"the value {value!r} of the setting {key!r} is not one line")
