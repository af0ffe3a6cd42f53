"""From games to what weights are fitted on: quiet positions as flat arrays of the codes of their points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gomoku._core.features import GameReader
from gomoku.tuning.dataset import Dataset
from gomoku.tuning.format import UNKNOWN, Game
from gomoku.tuning.statistics import POINTS_PER_LOG_ODDS

_BLOCK = 1 << 15


class Samples(NamedTuple):
    """Quiet positions, those whose score the search would ask for, as flat arrays.

    Position ``i`` has the entries ``starts[i]`` to ``starts[i + 1]``, one for each empty point, but for those
    that nobody can use.

    Attributes:
        starts: shape ``(positions + 1,)``, ``int64``.
        own: shape ``(entries,)``, ``uint16``; code of the point for the side to move.
        other: the same for the other side.
        playable: ``bool``; whether the search would try the point.
        chosen: shape ``(positions,)``, ``int64``; the entry that was played.
        facts: ``uint16``; facts about the threats.
        white: ``int64``; 1 if white is to move, else 0.
        score: ``int16``; what the search said, for the side to move.
        points: ``float32``; what the side to move got of the game: 1, 0.5 or 0.
        game: ``int64``; number of the game among all that were read, in their order.
    """

    starts: NDArray[np.int64]
    own: NDArray[np.uint16]
    other: NDArray[np.uint16]
    playable: NDArray[np.bool_]
    chosen: NDArray[np.int64]
    facts: NDArray[np.uint16]
    white: NDArray[np.int64]
    score: NDArray[np.int16]
    points: NDArray[np.float32]
    game: NDArray[np.int64]

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self.facts)

    @property
    def pair(self) -> NDArray[np.int64]:
        """Number of the pair of games: shape ``(positions,)``."""
        return self.game // 2

    def blocks(self) -> Iterator[Samples]:
        """Yield the positions some ten thousand at a time, for what would take much memory for all of them at once."""
        for first in range(0, self.positions, _BLOCK):
            positions = slice(first, first + _BLOCK)
            start, ends = self.starts[first], self.starts[1:][positions]
            entries = slice(start, ends[-1])
            yield Samples(
                starts=np.concatenate([[0], ends - start]),
                own=self.own[entries],
                other=self.other[entries],
                playable=self.playable[entries],
                chosen=self.chosen[positions] - start,
                facts=self.facts[positions],
                white=self.white[positions],
                score=self.score[positions],
                points=self.points[positions],
                game=self.game[positions],
            )


def read_samples(data: Dataset, limit: int, on_progress: Callable[[int], None] | None = None) -> Samples:
    """Return the quiet positions of games.

    Args:
        data: the games.
        limit: positions to read at most; whole games are read until there are as many.
        on_progress: called with the number of positions after each game.
    """
    parts: list[Samples] = []
    positions = 0
    for part in _games(data):
        parts.append(part)
        positions += part.positions
        if on_progress:
            on_progress(min(positions, limit))
        if positions >= limit:
            break
    return _joined(parts)


def _games(data: Dataset) -> Iterator[Samples]:
    reader = GameReader(data.rule, data.size)
    for number, game in enumerate(data.games()):
        yield _samples(reader, game, number)


def _samples(reader: GameReader, game: Game, number: int) -> Samples:
    positions = len(game.record) - game.opening_plies
    capacity = positions * game.size * game.size
    codes = np.empty((capacity, 2), np.uint16)
    points = np.empty(capacity, np.uint16)
    playable = np.empty(capacity, np.uint8)
    ends = np.empty(positions, np.int64)
    facts = np.empty(positions, np.uint16)
    quiet = np.empty(positions, np.uint8)
    stones = game.record["point"].astype(np.uint16)
    count = reader.read(stones, game.opening_plies, codes, points, playable, ends, facts, quiet)
    searched = game.searched
    keep = (quiet != 0) & (searched["score"] != UNKNOWN)
    lengths = np.diff(ends, prepend=0)
    entries = np.repeat(keep, lengths)
    starts = np.concatenate([[0], np.cumsum(lengths[keep])])
    played = np.repeat(searched["point"].astype(np.uint16), lengths)[entries]
    return Samples(
        starts=starts,
        own=codes[:count, 0][entries],
        other=codes[:count, 1][entries],
        playable=playable[:count][entries] != 0,
        chosen=np.flatnonzero(points[:count][entries] == played),
        facts=facts[keep],
        white=(game.turns[keep] - 1).astype(np.int64),
        score=searched["score"][keep].astype(np.int16),
        points=((game.results[keep] + 1) / 2).astype(np.float32),
        game=np.full(int(keep.sum()), number, np.int64),
    )


def _joined(parts: list[Samples]) -> Samples:
    offsets = np.cumsum([0, *(len(part.own) for part in parts)])
    shifted = [
        part._replace(starts=part.starts[:-1] + offset, chosen=part.chosen + offset)
        for part, offset in zip(parts, offsets[:-1], strict=True)
    ]
    joined = Samples(*(np.concatenate(arrays) for arrays in zip(*shifted, strict=True)))
    return joined._replace(starts=np.append(joined.starts, offsets[-1]))


def targets(samples: Samples, later_share: float) -> NDArray[np.float64]:
    """Return what the position score should foretell: the expected points of the side to move, 0 to 1.

    A mixture of the searched score of the position, those of the positions of the game after it, sooner ones more than
    later ones, and the result: less noise than the result, less prejudice than the score.

    Args:
        samples: the positions.
        later_share: share of what comes after the position: 0 for the searched score alone, 1 for the result alone.

    Source: the lambda-return in Sutton, Barto, "Reinforcement learning", 2018, chapter 12.
    """
    searched = 1 / (1 + np.exp(-samples.score.astype(float) / POINTS_PER_LOG_ODDS))
    of_white = samples.white == 1
    last = np.append(samples.game[1:] != samples.game[:-1], True)
    searched = np.where(of_white, searched, 1 - searched)
    target = np.where(of_white, samples.points, 1 - samples.points).astype(float)  # white's, as all from here on
    later = 0.0
    for number in range(samples.positions - 1, -1, -1):
        later = target[number] if last[number] else later
        target[number] = later = later_share * later + (1 - later_share) * searched[number]
    mixed: NDArray[np.float64] = np.where(of_white, target, 1 - target)
    return mixed


def select(samples: Samples, chosen: NDArray[np.bool_]) -> Samples:
    """Return those positions that are chosen by a mask."""
    lengths = np.diff(samples.starts)
    entries = np.repeat(chosen, lengths)
    place = np.cumsum(entries) - 1
    return Samples(
        starts=np.concatenate([[0], np.cumsum(lengths[chosen])]),
        own=samples.own[entries],
        other=samples.other[entries],
        playable=samples.playable[entries],
        chosen=place[samples.chosen[chosen]],
        **{name: getattr(samples, name)[chosen] for name in ("facts", "white", "score", "points", "game")},
    )
