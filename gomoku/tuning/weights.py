"""The weights of a rule as numpy arrays, and the bytes of their files.

The core reads the files (``gomoku/_core/evaluate.pyx``); what the numbers mean is told in ``README.md`` of this folder.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gomoku._core.evaluate import HIDDEN, MAGIC, NETWORK_LIMIT, VIEW
from gomoku._core.features import CLASSES, CODES, COUNTS, FACTS
from gomoku.types import GomokuError, Rule

Ints = NDArray[np.int16]

VALUE_UNITS = 1_600
"""Units of the weights of the position score to one unit of log odds: eight times as fine as scores."""

MOVE_UNITS = 64
"""Units of the move scores to one unit of log odds."""

SHIPPED = Path(__file__).parents[1] / "data" / "weights"
"""The folder of the weights that the engine plays with, one file a rule, ``freestyle.bin`` and so on."""


def sides_of(rule: Rule) -> int:
    """Return how many colours have weights of their own: 2 in renju, where they differ, else 1 for both."""
    return 2 if rule == Rule.RENJU else 1


class WeightsError(GomokuError, ValueError):
    """A file that holds no weights."""


class Network(NamedTuple):
    """The network as the engine computes it, all ``int16``; the first axis is as in :class:`Weights`.

    Attributes:
        rows: shape ``(sides, CODES, 2, VIEW)``; what a code gives to the view of its own side, and to the other side's.
        inputs: shape ``(sides, VIEW, HIDDEN, 2)``; by the numbers of both views, that of the side to move first: number
            ``2 * i + j`` has the entries ``[:, i, :, j]``.
        bias: shape ``(sides, HIDDEN)``.
        slope: shape ``(sides, HIDDEN)``; by the sum of weights, times 4 / 65536.
        out: shape ``(sides, HIDDEN)``; by the hidden numbers above 0.
        shifts: shape ``(sides, 2)``; bits by which what the views give is shifted down, and the output.
    """

    rows: Ints
    inputs: Ints
    bias: Ints
    slope: Ints
    out: Ints
    shifts: Ints

    @classmethod
    def dimensions(cls, sides: int) -> list[tuple[int, ...]]:
        """Return the shapes of the arrays."""
        hidden = (sides, HIDDEN)
        return [(sides, CODES, 2, VIEW), (sides, VIEW, HIDDEN, 2), hidden, hidden, hidden, (sides, 2)]

    @classmethod
    def nothing(cls, sides: int) -> Self:
        """Return a network that corrects nothing."""
        return cls(*(np.zeros(shape, np.int16) for shape in cls.dimensions(sides)))

    def correction(self, views: NDArray[np.int64], scores: NDArray[np.int64], side: int) -> NDArray[np.int64]:
        """Return what the network adds to sums of weights.

        Args:
            views: shape ``(positions, 2, VIEW)``; sums over the empty points, that of the side to move first.
            scores: shape ``(positions,)``; the sums, in units of weights.
            side: the entry of the first axis to use.
        """
        numbers = (views.reshape(-1, VIEW, 2) & 0xFFFF) >> 1  # wrap around, as in the core
        hidden = np.tensordot(numbers, self.inputs[side].swapaxes(1, 2).astype(np.int64), 2) >> int(
            self.shifts[side, 0]
        )
        scaled = 4 * np.clip(scores, -NETWORK_LIMIT, NETWORK_LIMIT)
        hidden += self.bias[side] + (self.slope[side].astype(np.int64) * scaled[:, None] >> 16)
        hidden = np.clip(hidden, 0, np.iinfo(np.int16).max)
        summed: NDArray[np.int64] = hidden @ self.out[side].astype(np.int64) >> int(self.shifts[side, 1])
        return summed


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights of a rule. All arrays are ``int16``; see ``VALUE_UNITS`` and ``MOVE_UNITS``.

    The first axis has one entry for a rule that treats both colours alike, and two, black and white, for renju.

    Args:
        rule: the rule.
        own: shape ``(sides, CODES)``; share of the position score of a point with that code for the side to move.
        other: the same of a point with that code for the side that is not to move, to be subtracted.
        attack: move score of a point for the side that makes the code there.
        defend: move score of a point for the side that takes it away from the one that would make the code there.
        threats: shape ``(sides, FACTS)``; share of the position score of the facts about the threats on the board, by
            the side to move.
        counts: shape ``(sides, 2, CLASSES, COUNTS)``; share of the position score of having so many points of a class,
            the last entry standing for more as well; the second axis is the side to move and the other side.
        network: what is added to the sum of all these.

    Example:
        >>> weights = Weights.read(SHIPPED / "freestyle.bin")
        >>> weights.rule.label, weights.own.shape, weights.threats.shape
        ('freestyle', (1, 2380), (1, 2048))
        >>> Weights.from_bytes(weights.to_bytes()).to_bytes() == weights.to_bytes()
        True
    """

    rule: Rule
    own: Ints
    other: Ints
    attack: Ints
    defend: Ints
    threats: Ints
    counts: Ints
    network: Network

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "data") -> Self:
        """Return the weights of a file.

        Args:
            data: what the file holds.
            name: what to call it in an error.

        Raises:
            WeightsError: that is no file of weights.
        """
        lengths = [*[CODES] * 4, FACTS, 2 * CLASSES * COUNTS, *(math.prod(shape) for shape in Network.dimensions(1))]
        size = sum(lengths)
        head = len(MAGIC) + 2
        sides = (len(data) - head) // (2 * size)
        if data[: len(MAGIC)] != MAGIC or sides not in (1, 2) or len(data) != head + 2 * sides * size:
            raise WeightsError(f"{name} holds no weights of this version; make them with 'fukumi tune fit'")
        if data[head - 2] not in tuple(Rule) or data[head - 1] != sides:
            raise WeightsError(f"{name} is damaged: rule {data[head - 2]}, {data[head - 1]} colours")
        numbers = np.frombuffer(data, "<i2", offset=head).astype(np.int16).reshape(sides, size)
        own, other, attack, defend, threats, counts, *layers = np.split(numbers, np.cumsum(lengths)[:-1], axis=1)
        counts = counts.reshape(sides, 2, CLASSES, COUNTS)
        shapes = Network.dimensions(sides)
        network = Network(*(layer.reshape(shape) for layer, shape in zip(layers, shapes, strict=True)))
        return cls(Rule(data[head - 2]), own, other, attack, defend, threats, counts, network)

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Return the weights of a file.

        Raises:
            WeightsError: the file holds no weights.
            OSError: it cannot be read.
        """
        return cls.from_bytes(Path(path).read_bytes(), str(path))

    def to_bytes(self) -> bytes:
        """Return what a file of these weights holds."""
        tables = [self.own, self.other, self.attack, self.defend, self.threats, self.counts, *self.network]
        numbers = np.concatenate([table.reshape(len(self.own), -1) for table in tables], axis=1)
        return MAGIC + bytes([self.rule, len(numbers)]) + numbers.astype("<i2").tobytes()
