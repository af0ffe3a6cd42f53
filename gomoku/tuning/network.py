"""The fit of the network of the position score.

It corrects the sum of weights by what points are worth for both sides together, and by how views of the whole board go
together, none of which a sum can say. The core computes it in integers (``csrc/fk_network.h``); it is fitted in
floating point by going down its slopes (``gomoku/_core/slopes.pyx``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gomoku._core.evaluate import HIDDEN, NETWORK_LIMIT, VIEW
from gomoku._core.features import CLASSES, CODES, SHAPES, code_table
from gomoku._core.slopes import descend
from gomoku.tuning.samples import Samples
from gomoku.tuning.weights import VALUE_UNITS, Network, Weights, sides_of
from gomoku.types import Rule

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_FIRST_SHAPE = 3
"""Shapes before a two are those of a stone that stands alone. Points with nothing else are left out, so that the size
of an empty board makes no difference."""

_EPOCHS = 6
_BATCH = 1024
_RATE = 0.025
_WARM_UP = 200
_HELD_BACK = 20
_VIEW_SCALE = 1 / 8
_LOGIT_SCALE = 1 / 2
_HEADROOM = 2.5
_LARGEST_VIEW = 60_000
_LARGEST_HIDDEN = 32_000
_LARGEST_SUM = 65_000


class Points(NamedTuple):
    """The points of positions that say anything, as flat arrays like those of :class:`Samples`.

    Attributes:
        own: shape ``(entries,)``, ``uint16``; code for the side to move.
        other: the same for the other side.
        starts: shape ``(positions + 1,)``, ``int64``.
        side: shape ``(positions,)``, ``uint8``; the entry of the network's first axis for the side to move.
    """

    own: NDArray[np.uint16]
    other: NDArray[np.uint16]
    starts: NDArray[np.int64]
    side: NDArray[np.uint8]


def _speaking(rule: Rule) -> NDArray[np.bool_]:
    """Whether a code says anything: shape ``(CODES,)``."""
    return np.array([max(shapes) >= _FIRST_SHAPE for shapes, *_ in code_table(rule)])


def points_of(samples: Samples, rule: Rule) -> Points:
    """Return the points of positions that say anything."""
    speaking = _speaking(rule)
    kept = speaking[samples.own] | speaking[samples.other]
    before = np.concatenate([[0], np.cumsum(kept)])
    side = samples.white if sides_of(rule) == 2 else np.zeros(samples.positions)
    return Points(samples.own[kept], samples.other[kept], before[samples.starts], side.astype(np.uint8))


def correction(samples: Samples, weights: Weights, sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what the network adds to the sums of weights of positions, which are in units of weights."""
    added = np.empty(samples.positions, np.int64)
    first = 0
    for block in samples.blocks():
        own, other, starts, side = points_of(block, weights.rule)
        turn = np.repeat(side, np.diff(starts))
        of_own, of_other = weights.network.rows[turn, own], weights.network.rows[len(weights.own) - 1 - turn, other]
        together = np.maximum(np.stack([of_own[:, 0] + of_other[:, 1], of_other[:, 0] + of_own[:, 1]], axis=1), 0)
        before = np.concatenate([np.zeros((1, 2, VIEW), np.int32), np.cumsum(together, axis=0, dtype=np.int32)])
        views = (before[starts[1:]] - before[starts[:-1]]).astype(np.int64)  # right, even where sums wrap around
        for number in range(len(weights.own)):
            of_side = np.flatnonzero(side == number)
            added[first + of_side] = weights.network.correction(views[of_side], sums[first + of_side], number)
        first += block.positions
    return added


def logits_of(sums: NDArray[np.int64]) -> Singles:
    """Return what is to be corrected and what the network is told of it, for sums in units of weights."""
    told = np.clip(sums, -NETWORK_LIMIT, NETWORK_LIMIT) * _LOGIT_SCALE
    both: Singles = (np.stack([sums, told], axis=1) / VALUE_UNITS).astype(np.float32)
    return both


class _Layers(NamedTuple):
    """The network in floating point; or the slopes of a loss by its numbers."""

    rows: Singles  # (sides, CODES, 2, VIEW)
    inputs: Singles  # (sides, 2 * VIEW + 1, HIDDEN)
    bias: Singles  # (sides, HIDDEN)
    out: Singles  # (sides, HIDDEN)


class _Numbers(NamedTuple):
    """What is fitted. Most codes are rare, so the row of a code is that of its class and shapes, and a difference."""

    differences: Singles  # (sides, CODES, 2, VIEW)
    parts: Singles  # (sides, CLASSES + SHAPES, 2, VIEW)
    inputs: Singles
    bias: Singles
    out: Singles

    @classmethod
    def drawn(cls, sides: int, rng: np.random.Generator) -> _Numbers:
        """Return numbers to begin with, which correct nothing."""
        return cls(
            np.zeros((sides, CODES, 2, VIEW), np.float32),
            rng.normal(0, 0.2, (sides, CLASSES + SHAPES, 2, VIEW)).astype(np.float32),
            rng.normal(0, (2 * VIEW) ** -0.5, (sides, 2 * VIEW + 1, HIDDEN)).astype(np.float32),
            np.zeros((sides, HIDDEN), np.float32),
            np.zeros((sides, HIDDEN), np.float32),
        )


_DECAYS = (1, 0.01, 0.01, 0, 0.01)
"""How fast numbers shrink, times the rate."""


class _Composition:
    """How rows are put together from parts and differences."""

    def __init__(self, rule: Rule) -> None:
        self._counts = np.zeros((sides_of(rule), CODES, CLASSES + SHAPES), np.float32)
        for code, (shapes, *classes) in enumerate(code_table(rule)):
            for side, counts in enumerate(self._counts):
                counts[code, classes[side]] = 1
                counts[code, CLASSES:] = np.bincount([s for s in shapes if s >= _FIRST_SHAPE], minlength=SHAPES)
        self._speaking = _speaking(rule).astype(np.float32)[:, None, None]
        self._counts *= self._speaking[:, :, 0]

    def layers(self, numbers: _Numbers) -> _Layers:
        of_parts = self._counts @ numbers.parts.reshape(len(self._counts), -1, 2 * VIEW)
        rows = numbers.differences * self._speaking + of_parts.reshape(numbers.differences.shape)
        return _Layers(rows, *numbers[2:])

    def slopes(self, slopes: _Layers, count: int) -> _Numbers:
        """The slopes of the mean loss of `count` positions by the numbers, from those of the sum by the layers."""
        rows, *others = (slope / np.float32(count) for slope in slopes)
        of_parts = self._counts.swapaxes(1, 2) @ rows.reshape(len(rows), CODES, 2 * VIEW)
        return _Numbers(rows * self._speaking, of_parts.reshape(len(rows), -1, 2, VIEW), *others)


class _Descent:
    """Numbers that go down slopes, by their running means over those of their sizes, and shrink (AdamW).

    Source: Loshchilov, Hutter, "Decoupled weight decay regularization", 2019.
    """

    def __init__(self, numbers: _Numbers) -> None:
        self.numbers = numbers
        self._means = [np.zeros_like(array) for array in numbers]
        self._squares = [np.zeros_like(array) for array in numbers]
        self._steps = 0

    def step(self, slopes: _Numbers, rate: float) -> None:
        self._steps += 1
        of_mean, of_square = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for number, slope in enumerate(slopes):
            mean, square, array = self._means[number], self._squares[number], self.numbers[number]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            array -= rate * (mean / of_mean / (np.sqrt(square / of_square) + 1e-8) + _DECAYS[number] * array)


def fit_network(
    samples: Samples,
    rule: Rule,
    sums: NDArray[np.int64],
    target: Floats,
    *,
    seed: int = 1,
) -> Network:
    """Fit the network.

    Every twentieth pair of games tells how much of it to trust: all, some, or, where there are few games, nothing.

    Args:
        samples: the positions.
        rule: their rule.
        sums: shape ``(positions,)``; the sums of weights that it is to correct, in units of weights.
        target: shape ``(positions,)``; expected points of the side to move, 0 to 1.
        seed: decides the order of the positions and the first numbers.
    """
    points = points_of(samples, rule)
    logits, aims = logits_of(sums), target.astype(np.float32)
    rng = np.random.default_rng(seed)
    composition = _Composition(rule)
    descent = _Descent(_Numbers.drawn(sides_of(rule), rng))
    held_back = samples.pair % _HELD_BACK == _HELD_BACK - 1
    fitted, judges = np.flatnonzero(~held_back), np.flatnonzero(held_back)
    batch = min(_BATCH, len(fitted))
    steps = _EPOCHS * (len(fitted) // batch)
    corrected = np.empty(batch, np.float32)
    for step in range(steps):
        place = step * batch % (len(fitted) // batch * batch)
        if place == 0:
            order = rng.permutation(fitted)
        layers = composition.layers(descent.numbers)
        slopes = _Layers(*map(np.zeros_like, layers))
        descend(*points, logits, aims, order[place : place + batch], _scaled(layers), slopes, corrected)
        rate = _RATE * min(1, (step + 1) / _WARM_UP) * (1 + np.cos(np.pi * step / steps)) / 2
        descent.step(composition.slopes(_scaled(slopes), batch), rate)
    layers = _scaled(composition.layers(descent.numbers))
    by_trust = [layers._replace(out=layers.out * np.float32(share)) for share in (1, 0.75, 0.5, 0.25, 0)]
    corrected = np.empty(len(judges), np.float32)
    losses = [descend(*points, logits, aims, judges, layers, None, corrected) for layers in by_trust]
    return rounded(by_trust[int(np.argmin(losses))], points, logits)


def _scaled(layers: _Layers) -> _Layers:
    """The layers, or their slopes, with the scale of views taken into the numbers by them."""
    inputs = layers.inputs.copy()
    inputs[:, : 2 * VIEW] *= np.float32(_VIEW_SCALE)
    return layers._replace(inputs=inputs)


def _largest(layers: _Layers, points: Points, logits: Singles) -> tuple[float, list[float]]:
    """The largest number of a view in positions, and the largest hidden number by side."""
    view, hidden = 0.0, [0.0] * len(layers.bias)
    foe = len(layers.bias) - 1
    for position in range(0, len(points.side), max(1, len(points.side) // 20_000)):
        entries = slice(points.starts[position], points.starts[position + 1])
        side = int(points.side[position])
        own, other = layers.rows[side, points.own[entries]], layers.rows[foe - side, points.other[entries]]
        together = np.stack([own[:, 0] + other[:, 1], other[:, 0] + own[:, 1]], axis=1)
        views = np.append(np.maximum(together, 0).sum(axis=0), logits[position, 1])
        view = max(view, float(views[:-1].max()))
        hidden[side] = max(hidden[side], float(np.abs(views @ layers.inputs[side] + layers.bias[side]).max()))
    return view, hidden


def rounded(layers: _Layers, points: Points, logits: Singles) -> Network:
    """Return the layers in integers, whose views and hidden numbers may become larger than those of the positions."""
    view, hidden = _largest(layers, points, logits)
    fineness = min(_LARGEST_VIEW / (_HEADROOM * view), _LARGEST_HIDDEN / 2 / float(np.abs(layers.rows).max()))
    sides = [
        _rounded_side(layers.inputs[side], layers.bias[side], layers.out[side], fineness, most)
        for side, most in enumerate(hidden)
    ]
    arrays = (np.rint(np.stack(numbers)).astype(np.int16) for numbers in zip(*sides, strict=True))
    return Network(np.rint(layers.rows * fineness).astype(np.int16), *arrays)


def _rounded_side(inputs: Singles, bias: Singles, out: Singles, fineness: float, largest: float) -> list[Floats]:
    """What follows the views for a side to move, in numbers to be rounded; `largest` of the hidden ones."""
    of_views = inputs[: 2 * VIEW].astype(float) * 2 / fineness  # the core halves the numbers of views
    room = min(_LARGEST_SUM / np.abs(of_views).sum(axis=0).max(), _LARGEST_HIDDEN / np.abs(of_views).max())
    input_bits = int(np.log2(room) // 1)
    hidden_bits = min(input_bits, int(np.log2(_LARGEST_HIDDEN / (_HEADROOM * largest)) // 1))
    outs = out.astype(float) * VALUE_UNITS / 2**hidden_bits
    out_bits = int(min(15, np.log2(_LARGEST_SUM / max(np.abs(outs).sum(), 1e-9)) // 1))
    # The core shifts four times the score, times this, down by 16 bits.
    slope = inputs[2 * VIEW].astype(float) * _LOGIT_SCALE / VALUE_UNITS * 2**hidden_bits * 65536 / 4
    return [
        (of_views * 2.0**input_bits).reshape(VIEW, 2, HIDDEN).swapaxes(1, 2),
        np.clip(bias.astype(float) * 2**hidden_bits, -_LARGEST_HIDDEN, _LARGEST_HIDDEN),
        np.clip(slope, -_LARGEST_HIDDEN, _LARGEST_HIDDEN),
        outs * 2.0**out_bits,
        np.array([input_bits - hidden_bits, out_bits], float),
    ]
