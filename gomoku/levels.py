"""Opponents of every strength: the engine, the three classics, and twenty levels between first game and club champion.

Floor 10. Levels 1 to 3 are classics, level 1 with mistakes. From level 4 on the engine plays, held back by the nodes it
may search, the number of root moves it compares, and a choice among those of nearly the same value, drawn by chance.
It never throws a game away on purpose: a proven win is played, a five is blocked.

How strong the levels are is measured by matches (``fukumi levels --calibrate``) and stored in ``data/levels.json``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import NamedTuple, Protocol

from gomoku._core.board import Board
from gomoku.classics import CLASSICS
from gomoku.engine import Engine
from gomoku.info import Info, Limit, PlayResult
from gomoku.types import GomokuError

FULL_ENGINE = "fukumi"
"""Name of the player that is the engine without restraint."""

_MARGIN_TEMPERATURES = 3
"""Moves worse than the best by more than so many temperatures are never chosen."""

_NODE_VARIATION = 0.2
"""Share by which the nodes vary from move to move, so that a won game cannot simply be repeated."""

_LEVEL_HASH_BYTES = 16 << 20


class Thinker(Protocol):
    """What plays a game: the engine, a level of it, or a classic."""

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        on_info: Callable[[Info], None] | None = None,
        start_ns: int | None = None,
        armed: bool = False,
    ) -> PlayResult:
        """Choose a move; see :meth:`gomoku.engine.Engine.play`."""

    def arm(self) -> None:
        """Forget earlier calls of :meth:`stop` and :meth:`set_limit`."""

    def stop(self) -> None:
        """End the running search soon."""

    def set_limit(self, limit: Limit) -> None:
        """Change the time limits of the running search."""

    def new_game(self) -> None:
        """Forget the game before."""


class Level(NamedTuple):
    """What a level is.

    Attributes:
        number: 1 to 20.
        description: for whom it is, in one line.
        seconds: within which it moves on a current machine with one core.
        classic: name of the classic that plays; empty for the engine.
        blunder: share of the classic's moves that are played without thinking.
        nodes: positions that the engine may search.
        breadth: root moves that it compares.
        temperature: of the choice among them, in score points; 0 for always the best.
    """

    number: int
    description: str
    seconds: float
    classic: str = ""
    blunder: float = 0.0
    nodes: int = 0
    breadth: int = 1
    temperature: int = 0


LEVELS = (
    Level(1, "for the first game ever", 0.5, classic="winlines", blunder=0.16),
    Level(2, "feels the influence of every stone, but dreams at times", 0.5, classic="field", blunder=0.095),
    Level(3, "feels the influence of every stone", 0.5, classic="field"),
    Level(4, "knows what fours and threes are", 0.5, nodes=24, breadth=8, temperature=75),
    Level(5, "answers threats, misses plans", 0.5, nodes=50, breadth=7, temperature=60),
    Level(6, "punishes a careless three", 0.5, nodes=105, breadth=6, temperature=47),
    Level(7, "plans a move ahead", 0.5, nodes=210, breadth=6, temperature=35),
    Level(8, "plays a sound game", 0.5, nodes=380, breadth=5, temperature=26),
    Level(9, "sees double threats coming", 0.5, nodes=650, breadth=4, temperature=19),
    Level(10, "for those who win against friends", 0.5, nodes=1_050, breadth=4, temperature=14),
    Level(11, "prepares double threats", 0.5, nodes=1_650, breadth=3, temperature=11),
    Level(12, "a strong casual player", 0.5, nodes=2_700, breadth=2, temperature=8),
    Level(13, "attacks in sequences", 0.5, nodes=4_600, breadth=2, temperature=6),
    Level(14, "finds wins by continuous fours", 0.5, nodes=4_800),
    Level(15, "a beginner at the club", 0.5, nodes=7_500),
    Level(16, "finds wins by continuous threats", 0.5, nodes=11_500),
    Level(17, "a club player", 0.5, nodes=18_000),
    Level(18, "a strong club player", 0.5, nodes=28_000),
    Level(19, "champion of a club", 1.0, nodes=45_000),
    Level(20, "nobody at the club beats it", 1.0, nodes=75_000),
)


class LevelEngine(Engine):
    """The engine held back to a level when it plays; what it analyses it analyses as the whole engine.

    Args:
        level: the level.
        seed: decides the choice among nearly equal moves; drawn anew for every player when left out.

    Example:
        >>> player = LevelEngine(LEVELS[7], seed=1)
        >>> player.play(Board.from_text("h8h9i8i9j8j9k8k9", origin="top"), Limit(time=5.0)).move.text in ("g8", "l8")
        True
    """

    def __init__(self, level: Level, seed: int | None = None) -> None:
        super().__init__(hash_bytes=_LEVEL_HASH_BYTES)
        self.level = level
        self._seed = random.SystemRandom().getrandbits(32) if seed is None else seed

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        on_info: Callable[[Info], None] | None = None,
        start_ns: int | None = None,
        armed: bool = False,
    ) -> PlayResult:
        """Choose a move as the level does; the limit can only make it weaker."""
        # The position takes part in the seed, so that a game does not depend on how many were played before it.
        rng = random.Random(f"{self._seed}:{board.key}")
        nodes = round(self.level.nodes * rng.uniform(1 - _NODE_VARIATION, 1 + _NODE_VARIATION))
        if limit.nodes is not None:
            nodes = min(nodes, limit.nodes)
        result = super().play(
            board,
            limit._replace(nodes=max(1, nodes)),
            multipv=self.level.breadth,
            start_ns=start_ns,
            armed=armed,
        )
        chosen = self._choose(result.lines, rng)
        if on_info:
            on_info(chosen)
        return PlayResult(chosen.pv[0], (chosen,))

    def _choose(self, lines: tuple[Info, ...], rng: random.Random) -> Info:
        """The best line, or by chance one of nearly the same value; what is proven is never left to chance."""
        best = lines[0].score.relative
        temperature = self.level.temperature
        if best.mate is not None or not temperature:
            return lines[0]
        near = [
            (best.points - score.points, line)
            for line in lines
            if (score := line.score.relative).mate is None
            and best.points - score.points <= _MARGIN_TEMPERATURES * temperature
        ]
        return rng.choices([line for _, line in near], [math.exp(-loss / temperature) for loss, _ in near])[0]


def player_names() -> tuple[str, ...]:
    """Return the names that :func:`make_player` knows.

    Example:
        >>> player_names()[:5]
        ('fukumi', 'winlines', 'chains', 'field', 'level-1')
    """
    return (FULL_ENGINE, *CLASSICS, *(f"level-{level.number}" for level in LEVELS))


def make_player(name: str, seed: int | None = None) -> Thinker:
    """Return a player.

    Args:
        name: ``fukumi``, ``winlines``, ``chains``, ``field``, or ``level-1`` to ``level-20``.
        seed: decides what the player leaves to chance; drawn anew when left out.

    Raises:
        GomokuError: there is no such player; the message lists those there are.
    """
    name = name.strip().lower()
    if name == FULL_ENGINE:
        return Engine()
    if name in CLASSICS:
        return CLASSICS[name](seed=seed)
    for level in LEVELS:
        if name == f"level-{level.number}":
            if level.classic:
                return CLASSICS[level.classic](seed=seed, blunder=level.blunder)
            return LevelEngine(level, seed)
    known = f"{FULL_ENGINE}, {', '.join(CLASSICS)}, level-1 to level-{len(LEVELS)}"
    raise GomokuError(f"there is no player {name!r}; there are {known}")


def player_for_strength(strength: int) -> str:
    """Return the player's name for a strength as managers set it.

    Args:
        strength: 0 for the weakest to 100 for the strongest; other values count as the nearer end.

    Example:
        >>> player_for_strength(0), player_for_strength(100)
        ('level-1', 'fukumi')
    """
    if strength >= 100:
        return FULL_ENGINE
    return f"level-{1 + max(0, strength) * len(LEVELS) // 100}"
