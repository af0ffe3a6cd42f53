"""What a set of games is like: results, lengths, how well scores foretell results, and how much of it is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gomoku.info import MATE_BAND, MATE_SCORE
from gomoku.tuning.format import UNKNOWN, Game, Pair
from gomoku.types import BLACK, WHITE, Color

POINTS_PER_LOG_ODDS = 200
"""The scale of heuristic scores (see :class:`gomoku.info.Score`)."""

_INNER_BOUNDS = (26, 76, 151, 251, 401, 601, 1001)
"""Where bins of scores begin, on the winning side; the losing side mirrors them, and ±25 are a bin of their own."""

_LOWEST = np.array([-MATE_SCORE, 1 - MATE_BAND, *(1 - b for b in reversed(_INNER_BOUNDS)), *_INNER_BOUNDS, MATE_BAND])
_HIGHEST = np.append(_LOWEST[1:] - 1, MATE_SCORE)

_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


class ScoreBin(NamedTuple):
    """Positions whose scores lie in a range.

    Attributes:
        low: lowest score, for the side to move.
        high: highest score.
        positions: how many.
        mean_score: their mean score.
        mean_points: what the side to move got of these games on average: 1 for a win, 0.5 for a draw.
        expected_points: what the scores say that it should have got, as 200 points are one unit of log odds.
    """

    low: int
    high: int
    positions: int
    mean_score: float
    mean_points: float
    expected_points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What a set of games is like.

    Args:
        pairs: pairs of games.
        black_wins: games won by black.
        white_wins: games won by white.
        draws: games drawn.
        ends: games by how they ended.
        lengths: ``lengths[n]`` games had n stones at the end, those of the opening included; ``int64``.
        positions: positions in which the engine chose a move.
        scored: those of them with a score.
        decided: those with the score of a proven win or loss.
        mean_depth: plies searched on average.
        repeated_games: games that went through the same positions as an earlier one, turned or mirrored ones included.
        repeated_positions: positions that were there before, turned or mirrored ones included.
        calibration: the scored positions by score, from lost to won; empty bins are left out.
    """

    pairs: int
    black_wins: int
    white_wins: int
    draws: int
    ends: dict[str, int]
    lengths: NDArray[np.int64]
    positions: int
    scored: int
    decided: int
    mean_depth: float
    repeated_games: int
    repeated_positions: int
    calibration: tuple[ScoreBin, ...]

    @property
    def games(self) -> int:
        """All games."""
        return self.black_wins + self.white_wins + self.draws

    @property
    def mean_length(self) -> float:
        """Stones at the end of a game on average; 0 without games."""
        return float(np.arange(len(self.lengths)) @ self.lengths) / max(1, self.games)

    def length_quantile(self, share: float) -> int:
        """Return the smallest length that this share of the games does not exceed; 0 without games.

        Args:
            share: 0 for the shortest game, 0.5 for the median, 1 for the longest.
        """
        wanted = max(1, int(np.ceil(share * self.games)))
        return int(np.searchsorted(np.cumsum(self.lengths), wanted)) if self.games else 0

    def __str__(self) -> str:
        """Return a table for people."""
        games, positions = max(1, self.games), max(1, self.positions)
        ends = ", ".join(f"{end} {count}" for end, count in sorted(self.ends.items(), key=lambda item: -item[1]))
        quantiles = ", ".join(f"{share:.0%} {self.length_quantile(share)}" for share in _SHARES)
        lines = [
            f"games      {self.games} in {self.pairs} pairs",
            f"results    black won {self.black_wins / games:.1%}, drawn {self.draws / games:.1%}, "
            f"white won {self.white_wins / games:.1%}",
            f"ends       {ends or 'none'}",
            f"stones     {self.mean_length:.1f} on average; up to {quantiles}",
            f"positions  {self.positions}; {self.decided / positions:.1%} proven won or lost, "
            f"{self.positions - self.scored} without score; mean depth {self.mean_depth:.1f}",
            f"repeated   {self.repeated_games} games ({self.repeated_games / games:.1%}), "
            f"{self.repeated_positions} positions ({self.repeated_positions / positions:.1%})",
            "",
            "           score  positions  mean score  result  expected",
        ]
        lines += [
            f"{row.low:7d} .. {row.high:5d} {row.positions:10d} {row.mean_score:11.0f} {row.mean_points:7.3f} "
            f"{row.expected_points:9.3f}"
            for row in self.calibration
        ]
        return "\n".join(lines)


def summarise(pairs: Iterable[Pair], size: int) -> Statistics:
    """Count and average over games.

    Args:
        pairs: the games; gone through once.
        size: side of their boards, in points.

    Example:
        >>> summarise([], 15).length_quantile(0.5)
        0
    """
    tally = _Tally(size)
    for pair in pairs:
        tally.pairs += 1
        for game in pair.games:
            tally.add(game)
    return tally.statistics()


class _Tally:
    """Sums over games."""

    def __init__(self, size: int) -> None:
        self.pairs = 0
        self.winners: Counter[Color | None] = Counter()
        self.ends: Counter[str] = Counter()
        self.lengths = np.zeros(size * size + 1, np.int64)
        self.depths = 0
        self.bins = np.zeros((4, len(_LOWEST)))
        self.games_seen: set[int] = set()
        self.position_keys: list[NDArray[np.uint64]] = []
        self._key_tables = _key_tables(size)

    def add(self, game: Game) -> None:
        self.winners[game.winner] += 1
        self.ends[game.end.value] += 1
        self.lengths[len(game.record)] += 1
        self.depths += int(game.searched["depth"].sum())
        keys = self._keys(game)
        self.games_seen.add(hash(keys.tobytes()))
        self.position_keys.append(keys[game.opening_plies : -1])
        known = game.searched["score"] != UNKNOWN
        scores = game.searched["score"][known].astype(np.float64)
        points = (1 + game.results[known]) / 2
        expected = 1 / (1 + np.exp(-scores / POINTS_PER_LOG_ODDS))
        bins = np.searchsorted(_LOWEST, scores, side="right") - 1
        for row, weights in enumerate((np.ones_like(scores), scores, points, expected)):
            self.bins[row] += np.bincount(bins, weights, len(_LOWEST))

    def _keys(self, game: Game) -> NDArray[np.uint64]:
        """The position before every stone and after the last as a number, the same for all its symmetries."""
        sides = np.arange(len(game.record)) % 2
        stones = self._key_tables[:, sides, game.record["point"]]
        keys = np.bitwise_xor.accumulate(stones, axis=1).min(axis=0)
        return np.concatenate([np.zeros(1, np.uint64), keys])

    def statistics(self) -> Statistics:
        keys = np.concatenate([np.zeros(0, np.uint64), *self.position_keys])
        games = self.winners.total()
        counts = self.bins[0].astype(np.int64)
        rows = zip(_LOWEST.tolist(), _HIGHEST.tolist(), counts.tolist(), self.bins[1:].T.tolist(), strict=True)
        return Statistics(
            pairs=self.pairs,
            black_wins=self.winners[BLACK],
            white_wins=self.winners[WHITE],
            draws=self.winners[None],
            ends=dict(self.ends),
            lengths=self.lengths,
            positions=len(keys),
            scored=int(counts.sum()),
            decided=int(counts[0] + counts[-1]),
            mean_depth=self.depths / max(1, len(keys)),
            repeated_games=games - len(self.games_seen),
            repeated_positions=len(keys) - len(np.unique(keys)),
            calibration=tuple(
                ScoreBin(low, high, count, *(value / count for value in sums))
                for low, high, count, sums in rows
                if count
            ),
        )


def _key_tables(size: int) -> NDArray[np.uint64]:
    """Random numbers to hash positions with: shape ``(8 symmetries, 2 colours, points)``."""
    table = np.random.default_rng(0).integers(0, 2**64, (2, size, size), np.uint64)
    turned = [np.rot90(table, quarter, (1, 2)) for quarter in range(4)]
    return np.stack([*turned, *(np.flip(view, 1) for view in turned)]).reshape(8, 2, size * size)
