"""Who plays in a match, and under which conditions: plain values that travel to any machine."""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from gomoku.frontends.process import split_command
from gomoku.frontends.questions import check_settings
from gomoku.info import Limit
from gomoku.levels import Thinker, player_names
from gomoku.types import GomokuError, Rule

OWN_BRAIN = "fukumi"
"""The command that stands for this package's own brain, run by the interpreter that runs the match. The names of the
package's other players (see :func:`gomoku.levels.make_player`) are commands of the same kind."""

_UNLIMITED = Limit()
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


class MatchError(GomokuError, ValueError):
    """A match that cannot be played as described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """An engine, what it may use, and what it is called.

    Args:
        name: how tables call it; unique within a match.
        command: program and arguments of a Gomocup brain; ``("fukumi",)`` is this package's own, ``("level-7",)`` or
            ``("winlines",)`` one of its other players.
        limit: how long it may think.
        settings: more ``INFO`` keys and values, such as ``{"max_memory": 350 << 20}``.
        pause_ms: milliseconds to wait before the player is asked, which its clock does not count. Some programs lose a
            command that follows their move within a few of them.
        engine: makes an engine in the process instead of starting the command, which then only says what it is. To be
            used with an executor that moves work to other processes it has to be picklable.

    Example:
        >>> Player.parse("nodes=2000 name=old fukumi").limit.nodes
        2000
        >>> Player.parse("tc=1/60+0.5 memory=350m info.caution=3 'my brains/pbrain-x' --book").text
        "tc=1/60+0.5 max_memory=367001600 info.caution=3 'my brains/pbrain-x' --book"
    """

    name: str
    command: tuple[str, ...] = (OWN_BRAIN,)
    limit: Limit = _UNLIMITED
    settings: Mapping[str, int | str] = field(default_factory=dict)
    pause_ms: int = 0
    engine: Callable[[], Thinker] | None = None

    @classmethod
    def parse(cls, text: str, limit: Limit | None = None) -> Self:
        """Read a player as the command line writes it: settings, then the command.

        Args:
            text: words such as ``name=old nodes=2000 pbrain-x --option``. Settings are ``name``, ``tc`` (see
                :func:`parse_tc`), ``nodes``, ``depth``, ``memory`` (bytes; ``k``, ``m``, ``g`` for KiB, MiB, GiB),
                ``hash`` (the same), ``threads``, ``pause`` (milliseconds), and ``info.KEY`` for any other ``INFO`` key
                of the brain.
            limit: the limits where the text has none.

        Raises:
            MatchError: an unknown setting, a bad value, or no command.
        """
        limit = limit or Limit()
        name = ""
        settings: dict[str, int | str] = {}
        pause_ms = 0
        try:
            words = list(split_command(text))
            while words and "=" in words[0] and not words[0].startswith(("/", ".", "\\")):
                key, _, value = words.pop(0).partition("=")
                if key == "name":
                    name = value
                elif key in ("tc", "nodes", "depth"):
                    limit = _limited(limit, key, value)
                elif key in ("memory", "max_memory"):
                    settings["max_memory"] = parse_bytes(value)
                elif key == "hash":
                    settings["hash_size"] = max(1, parse_bytes(value) >> 10)
                elif key == "threads":
                    settings["thread_num"] = parse_positive("threads", value)
                elif key == "pause":
                    pause_ms = parse_positive("pause", value)
                elif key.startswith("info."):
                    settings[key.removeprefix("info.")] = value
                else:
                    raise MatchError(
                        f"unknown setting {key!r}; known: "
                        "name, tc, nodes, depth, memory, hash, threads, pause, info.KEY"
                    )
            check_settings(settings)
            command = split_command(words)
        except ValueError as error:
            raise MatchError(f"player {text!r}: {error}") from None
        return cls(name=name or _name_of(command), command=command, limit=limit, settings=settings, pause_ms=pause_ms)

    @property
    def text(self) -> str:
        """The player without its name as the command line writes it; the same text means the same player."""
        words = []
        if self.limit.time is not None or self.limit.match_time is not None:
            words.append(f"tc={format_tc(self.limit)}")
        words += [f"{key}={getattr(self.limit, key)}" for key in ("nodes", "depth") if getattr(self.limit, key)]
        own = {"max_memory": "max_memory", "thread_num": "threads"}
        words += [f"{own.get(key, f'info.{key}')}={value}" for key, value in self.settings.items()]
        words += [f"pause={self.pause_ms}"] if self.pause_ms else []
        return shlex.join([*words, *self.command])

    @property
    def words(self) -> tuple[str, ...]:
        """Program and arguments to run on this machine, with its environment variables filled in."""
        if self.command[0] in player_names():
            brain = (sys.executable, "-P", "-m", "gomoku.frontends.pbrain")
            return (*brain, "--player", *self.command)
        return tuple(map(os.path.expandvars, self.command))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What holds for every game of a match.

    Args:
        rule: the rule.
        width: columns of the board.
        height: rows of the board.
        tolerance: seconds over its time limit for which a move is still accepted; what managers, pipes and a busy
            machine may cost. The clock runs on meanwhile.
        patience: seconds to wait for the answer to START, and for a move of a player without a time limit.
        draw_after: plies after which the game is a draw; ``None`` for a full board only.
        win_score: heuristic score from which on a win is adjudicated; ``None`` for never.
        win_plies: over so many plies in a row both sides must agree about that.
    """

    rule: Rule = Rule.FREESTYLE
    width: int = 15
    height: int = 15
    tolerance: float = 0.2
    patience: float = 60.0
    draw_after: int | None = None
    win_score: int | None = None
    win_plies: int = 6

    def __post_init__(self) -> None:
        if not 0 <= self.tolerance < math.inf:
            raise MatchError(f"a tolerance of {self.tolerance} s makes no sense; give 0 or more seconds")
        if not 0 < self.patience < math.inf:
            raise MatchError(f"a patience of {self.patience} s makes no sense; give more than 0 seconds")
        for name in ("draw_after", "win_score", "win_plies"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise MatchError(f"{name.replace('_', '-')} {value} is less than 1")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for a file; the inverse of :meth:`from_dict`."""
        return {**asdict(self), "rule": self.rule.label}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote.

        Raises:
            ValueError: no such rule.
            TypeError: an unknown field.
        """
        return cls(**{**values, "rule": Rule.from_name(values["rule"])})


def parse_tc(text: str) -> Limit:
    """Read a time control, ``turn[/match[+increment]]`` in seconds; a turn of 0 means a match clock alone.

    Raises:
        MatchError: the text is none.

    Example:
        >>> parse_tc("5/180+1")._asdict()["increment"], parse_tc("0.5").time, parse_tc("0/60").time is None
        (1.0, 0.5, True)
    """
    turn, slash, rest = text.partition("/")
    match, _, increment = rest.partition("+")
    try:
        numbers = [float(turn), float(match) if slash else 0.0, float(increment or 0)]
    except ValueError:
        numbers = [-1.0]
    if not all(0 <= number < math.inf for number in numbers) or not max(numbers[:2]) > 0:
        raise MatchError(f"{text!r} is no time control; write seconds as TURN, TURN/MATCH or TURN/MATCH+INCREMENT")
    return Limit(time=numbers[0] or None, match_time=numbers[1] or None, increment=numbers[2])


def format_tc(limit: Limit) -> str:
    """Write a time control; the inverse of :func:`parse_tc`."""
    match = f"/{limit.match_time:g}" if limit.match_time else ""
    return f"{limit.time or 0:g}{match}" + (f"+{limit.increment:g}" if limit.increment else "")


def parse_bytes(text: str) -> int:
    """Read a number of bytes, ``350m`` or ``1048576``.

    Raises:
        MatchError: the text is none.
    """
    unit = _UNITS.get(text[-1:].lower(), 1)
    digits = text[:-1] if unit > 1 else text
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 15:
        raise MatchError(f"{text!r} is no number of bytes such as 350m or 1048576")
    return int(digits) * unit


def parse_positive(name: str, text: str) -> int:
    """Read a whole number of at least 1.

    Raises:
        MatchError: the text is none; the message names what it is for.
    """
    if not (text.isascii() and text.isdecimal() and len(text) <= 15 and int(text)):
        raise MatchError(f"{name} {text!r} is no positive number")
    return int(text)


def _limited(limit: Limit, key: str, value: str) -> Limit:
    if key == "tc":
        clock = parse_tc(value)
        return limit._replace(time=clock.time, match_time=clock.match_time, increment=clock.increment)
    return limit._replace(**{key: parse_positive(key, value)})


def _name_of(command: tuple[str, ...]) -> str:
    """A short name for a command: the program without folders, prefix and suffix."""
    program = command[0].replace("\\", "/").rpartition("/")[2]
    return program.removeprefix("pbrain-").removesuffix(".exe")


def with_unique_names(players: list[Player]) -> list[Player]:
    """Return the players, those of equal names numbered."""
    names = [player.name for player in players]
    seen: dict[str, int] = {}
    renamed = []
    for player in players:
        seen[player.name] = seen.get(player.name, 0) + 1
        number = seen[player.name]
        renamed.append(replace(player, name=f"{player.name}-{number}") if names.count(player.name) > 1 else player)
    return renamed
