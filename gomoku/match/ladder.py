"""How strong the levels are: the match that measures them, the table it leaves behind, and its picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import partial
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from gomoku.levels import LEVELS, Level, make_player
from gomoku.match.charts import escaped
from gomoku.match.log import MatchRecord
from gomoku.match.match import Match
from gomoku.match.player import MatchError, Player, Terms
from gomoku.match.ratings import rate
from gomoku.match.stats import Pentanomial

REACH = 2
"""A level plays those so many steps above and below."""

DATA = "levels.json"

_LEFT, _TOP, _STEP, _WIDTH, _RIGHT = 170, 40, 24, 460, 70


class Rung(NamedTuple):
    """What was measured of a level, or of another engine placed among them.

    Attributes:
        name: ``level-7``, or the name of the engine.
        elo: Elo above level 1.
        error: half the width of its 95 % interval.
        games: games it played.
        ms: the longest of a hundred moves but one, in milliseconds, on the machine that measured.
    """

    name: str
    elo: float
    error: float
    games: int
    ms: int


class Ladder(NamedTuple):
    """The measured strength of all levels.

    Attributes:
        rungs: weakest first.
        conditions: rule, size, pairs for every two levels that met, the version that played, and the date.
    """

    rungs: tuple[Rung, ...]
    conditions: dict[str, Any]

    def rung(self, name: str) -> Rung | None:
        """Return what is known of a player."""
        return next((rung for rung in self.rungs if rung.name == name), None)

    def to_json(self) -> str:
        """Return the ladder as text; the inverse of :meth:`from_json`."""
        return json.dumps({"conditions": self.conditions, "rungs": [rung._asdict() for rung in self.rungs]}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Ladder:
        """Read what :meth:`to_json` wrote.

        Raises:
            MatchError: the text is no ladder.
        """
        try:
            values = json.loads(text)
            return cls(tuple(Rung(**rung) for rung in values["rungs"]), dict(values["conditions"]))
        except (ValueError, KeyError, TypeError) as error:
            raise MatchError(f"the ladder cannot be read: {type(error).__name__}: {error}") from None


def measured_ladder() -> Ladder:
    """Return the ladder that comes with the package.

    Example:
        >>> ladder = measured_ladder()
        >>> ladder.rung("level-20").elo - ladder.rung("level-1").elo > 1500
        True
    """
    return Ladder.from_json((files("gomoku") / "data" / DATA).read_text(encoding="utf-8"))


def level_player(level: Level) -> Player:
    """Return a level as a player of a match, thinking in the process that plays the game."""
    name = f"level-{level.number}"
    # What the level may do is part of the player's description, so that a log of other levels is not continued.
    told = {
        key: str(value) for key, value in level._asdict().items() if key not in ("number", "description", "seconds")
    }
    return Player(name=name, command=(name,), settings=told, engine=partial(make_player, name, 0))


def ladder_match(pairs: int, out: str | Path, levels: Iterable[Level] = LEVELS) -> Match:
    """Return the match that measures the levels: each against those up to two steps away.

    Args:
        pairs: pairs for every two levels that meet.
        out: the log, from which an interrupted match goes on.
        levels: the levels; all of them when left out.
    """
    terms = Terms(patience=3600.0)
    return Match([level_player(level) for level in levels], terms=terms, pairs=pairs, reach=REACH, out=out)


def ladder_from(records: Iterable[MatchRecord]) -> Ladder:
    """Return the ladder that matches amount to.

    Args:
        records: the match of the levels, and matches of other engines against some of them.

    Raises:
        MatchError: level 1 has not played, an engine is not linked to it by any match, or the matches were played under
            different rules or on different boards.
    """
    tables: dict[tuple[str, str], Pentanomial] = {}
    times: dict[str, list[int]] = {}
    settings: Mapping[str, Any] = {}
    for record in records:
        settings = settings or record.settings
        for key in ("rule", "width", "height"):
            if record.settings["terms"][key] != settings["terms"][key]:
                raise MatchError(
                    f"the matches differ in {key}: {record.settings['terms'][key]}, {settings['terms'][key]}"
                )
        for result in record.results:
            meeting = (result.first, result.second)
            tables[meeting] = tables.get(meeting, Pentanomial()) + Pentanomial.from_pair_scores([result.points])
            for game in result.games:
                for index, ms in enumerate(game.times_ms):
                    black = (game.opening_plies + index) % 2 == 0
                    times.setdefault(game.black if black else game.white, []).append(ms)
    if not any("level-1" in meeting for meeting in tables):
        raise MatchError("level-1 has not played, so there is no zero for the ladder")
    ratings = rate(tables, zero="level-1")
    lonely = [rating.name for rating in ratings if rating.group]
    if lonely:
        raise MatchError(f"no chain of matches links {lonely[0]!r} to the levels")
    rungs = [
        Rung(
            name=rating.name,
            elo=round(rating.elo, 1),
            error=round(rating.error, 1),
            games=rating.games,
            ms=_slow(times.get(rating.name, [0])),
        )
        for rating in ratings
    ]
    terms = settings["terms"]
    conditions = {
        "rule": terms["rule"],
        "size": f"{terms['width']}x{terms['height']}",
        "pairs": settings["rounds"],
        "version": settings["version"],
        "date": date.today().isoformat(),
    }
    return Ladder(tuple(sorted(rungs, key=lambda rung: rung.elo)), conditions)


def _slow(times_ms: list[int]) -> int:
    """A time that 99 of 100 moves do not exceed."""
    return sorted(times_ms)[int(len(times_ms) * 0.99)]


def is_monotone(ladder: Ladder) -> bool:
    """Return whether every level is stronger than the one before."""
    rungs = [ladder.rung(f"level-{level.number}") for level in LEVELS]
    elos = [rung.elo for rung in rungs if rung is not None]
    return len(elos) == len(LEVELS) and all(low < high for low, high in pairwise(elos))


def ladder_chart(ladder: Ladder) -> str:
    """Return the ladder as an SVG picture: every player's Elo with its 95 % interval, weakest at the bottom."""
    low = min(rung.elo - rung.error for rung in ladder.rungs)
    high = max(rung.elo + rung.error for rung in ladder.rungs)
    scale = _WIDTH / (high - low)
    height = _TOP + _STEP * len(ladder.rungs) + 30
    width = _LEFT + _WIDTH + _RIGHT

    def x(elo: float) -> float:
        return round(_LEFT + (elo - low) * scale, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12" role="img">',
        f"<title>Elo of the levels above level 1</title><desc>{escaped(_in_words(ladder))}</desc>",
        f'<rect width="{width}" height="{height}" fill="#fffefa"/>',
        f'<text x="{_LEFT}" y="22" font-size="14" font-weight="bold" fill="#222">Elo above level 1</text>',
    ]
    bottom = _TOP + _STEP * len(ladder.rungs)
    for tick in range(int(low // 250) * 250, int(high) + 1, 250):
        if tick >= low:
            parts.append(f'<path d="M{x(tick)} {_TOP}V{bottom}" stroke="#ddd"/>')
            parts.append(f'<text x="{x(tick)}" y="{bottom + 18}" text-anchor="middle" fill="#555">{tick}</text>')
    for row, rung in enumerate(reversed(ladder.rungs)):
        y = _TOP + _STEP * row + _STEP / 2
        color = "#1f6fc5" if rung.name.startswith("level-") else "#b4541a"
        parts.append(f'<text x="{_LEFT - 10}" y="{y + 4}" text-anchor="end" fill="#222">{escaped(rung.name)}</text>')
        ends = f"M{x(rung.elo - rung.error)} {y}H{x(rung.elo + rung.error)}"
        parts.append(f'<path d="{ends}" stroke="{color}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x(rung.elo)}" cy="{y}" r="4" fill="{color}"/>')
        label = x(rung.elo + rung.error) + 8
        parts.append(f'<text x="{label}" y="{y + 4}" fill="#555">{rung.elo:.0f}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _in_words(ladder: Ladder) -> str:
    return "; ".join(f"{rung.name} {rung.elo:.0f}, error {rung.error:.0f}" for rung in ladder.rungs)
