"""The fit of the network of the position score.

It corrects the sum of weights by how many points of which kinds there are, which a sum cannot weigh against each
other. The core computes it in integers (``csrc/fk_network.h``); it is fitted with plain gradients in numpy.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from gomoku._core.evaluate import HIDDEN, NETWORK_COUNTS, NETWORK_LIMIT
from gomoku._core.features import CLASSES, SHAPES, code_table
from gomoku.tuning.samples import Samples
from gomoku.tuning.weights import VALUE_UNITS, Network, PointCounts, Weights
from gomoku.types import Rule

Floats = NDArray[np.float64]

_STEPS = 3
"""Having at least one, two, three points of a class counts apart from how many there are."""

_INPUTS = 1 + _STEPS
_FIRST_SHAPE = 3
"""Shapes before a two are those of a stone that stands alone."""

_EPOCHS = 12
_BATCH = 1024
_RATE = 2e-3
_HALF_LIFE = 2.5
_DECAY = 1e-4
_LEAST_SPREADS = (0.05, 0.05, 0.1)
_HEADROOM = 3
_LARGEST = 32_000
_LARGEST_OUT = 65_000


def count_points(samples: Samples, rule: Rule) -> PointCounts:
    """Return how many empty points of which kind the positions have."""
    table = code_table(rule)
    by_code = np.array([classes for _, *classes in table], np.intp)
    shapes = np.array([np.bincount(shapes, minlength=SHAPES) for shapes, *_ in table], np.uint16)
    blocks = [_count_block(block, by_code, shapes) for block in samples.blocks()]
    return PointCounts(*(np.concatenate(counts) for counts in zip(*blocks, strict=True)))


def _count_block(samples: Samples, by_code: NDArray[np.intp], shapes: NDArray[np.uint16]) -> PointCounts:
    lengths = np.diff(samples.starts)
    turn = np.repeat(samples.white, lengths)
    pair = by_code[samples.own, turn] * CLASSES + by_code[samples.other, 1 - turn]
    pair += np.repeat(np.arange(samples.positions), lengths) * CLASSES**2
    pairs = np.bincount(pair, minlength=samples.positions * CLASSES**2).reshape(-1, CLASSES, CLASSES)
    codes = samples.own, samples.other
    of_shapes = [np.add.reduceat(column[side], samples.starts[:-1]) for side in codes for column in shapes.T]
    return PointCounts(
        np.minimum(np.stack([pairs.sum(axis=2), pairs.sum(axis=1)], axis=1), 255).astype(np.uint8),
        np.stack(of_shapes, axis=1).reshape(-1, 2, SHAPES),
        np.minimum(pairs, 255).astype(np.uint8),
    )


class _Layer(NamedTuple):
    """One colour's network in floating point."""

    inputs: Floats  # (2 * (CLASSES - 1) * _INPUTS + 1, HIDDEN)
    bias: Floats
    out: Floats


class _Scaling(NamedTuple):
    """What turns counts into inputs: mean and spread of the numbers of points by class, by shape and by pair."""

    mean: tuple[Floats, ...]
    spread: tuple[Floats, ...]

    @classmethod
    def of(cls, points: PointCounts) -> Self:
        limited = _limited(points)
        spreads = (counts.std(axis=0) + least for counts, least in zip(limited, _LEAST_SPREADS, strict=True))
        return cls(tuple(counts.mean(axis=0) for counts in limited), tuple(spreads))

    def inputs(self, points: PointCounts) -> NDArray[np.float32]:
        """Return the inputs: shape ``(positions, numbers)``; for classes ``_INPUTS`` each, then shapes, then pairs."""
        limited = _limited(points)
        classes, shapes, pairs = (
            ((counts - mean) / spread).astype(np.float32)
            for counts, mean, spread in zip(limited, self.mean, self.spread, strict=True)
        )
        steps = [limited[0] >= step for step in range(1, _STEPS + 1)]
        by_class = np.stack([classes, *steps], axis=-1, dtype=np.float32)
        return np.concatenate([part.reshape(len(pairs), -1) for part in (by_class, shapes, pairs)], axis=1)


def _limited(points: PointCounts) -> list[NDArray[Any]]:
    """The counts as the network sees them.

    Nothing that an empty board is full of, so that its size makes no difference, and no more points of a class than the
    network tells apart.
    """
    pairs = points.pairs.reshape(-1, CLASSES**2)[:, 1:]
    return [np.minimum(points.classes[:, :, 1:], NETWORK_COUNTS - 1), points.shapes[:, :, _FIRST_SHAPE:], pairs]


def _by_colour(samples: Samples, sides: int) -> list[NDArray[np.bool_]]:
    """The positions for which each entry of the first axis of weights stands."""
    return [samples.white == side for side in range(2)] if sides == 2 else [np.ones(samples.positions, bool)]


def correction(samples: Samples, weights: Weights, sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what the network adds to the sums of weights of positions, which are in units of weights."""
    points = count_points(samples, weights.rule)
    added = np.zeros(samples.positions, np.int64)
    for side, of_side in enumerate(_by_colour(samples, len(weights.own))):
        added[of_side] = weights.network.correction(points.of(of_side), sums[of_side], side)
    return added


def fit_network(samples: Samples, rule: Rule, sums: NDArray[np.int64], target: Floats, seed: int = 1) -> Network:
    """Fit the network, in renju one for each colour.

    Args:
        samples: the positions.
        rule: their rule.
        sums: shape ``(positions,)``; the sums of weights that it is to correct, in units of weights.
        target: shape ``(positions,)``; expected points of the side to move, 0 to 1.
        seed: decides the order of the positions and the first weights.
    """
    points = count_points(samples, rule)
    networks = [
        _fit_side(points.of(of_side), sums[of_side], target[of_side], np.random.default_rng(seed))
        for of_side in _by_colour(samples, 2 if rule == Rule.RENJU else 1)
    ]
    return Network(*(np.concatenate(arrays) for arrays in zip(*networks, strict=True)))


def _fit_side(points: PointCounts, sums: NDArray[np.int64], target: Floats, rng: np.random.Generator) -> Network:
    scaling = _Scaling.of(points)
    clipped = (np.clip(sums, -NETWORK_LIMIT, NETWORK_LIMIT)[:, None] / (2 * VALUE_UNITS)).astype(np.float32)
    inputs = np.concatenate([scaling.inputs(points), clipped], axis=1)
    layer = _descend(inputs, sums / VALUE_UNITS, target, rng)
    largest = float(np.abs(inputs @ layer.inputs.astype(np.float32) + layer.bias).max())
    return _rounded(layer, scaling, largest)


class _Descent:
    """Weights that go down a slope, by its running mean over that of its size (Adam).

    Source: Kingma, Ba, "Adam: a method for stochastic optimization", 2015.
    """

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        self._mean = np.zeros_like(weights)
        self._square = np.zeros_like(weights)
        self._steps = 0

    def step(self, slope: Floats, rate: float) -> None:
        slope = slope + _DECAY * self.weights
        self._steps += 1
        self._mean += 0.1 * (slope - self._mean)
        self._square += 0.001 * (slope**2 - self._square)
        size = np.sqrt(self._square / (1 - 0.999**self._steps)) + 1e-8
        self.weights -= rate * self._mean / (1 - 0.9**self._steps) / size


def _descend(inputs: NDArray[np.float32], logits: Floats, target: Floats, rng: np.random.Generator) -> _Layer:
    """The layer that makes the cross entropy of target and corrected logits small."""
    parts = [
        _Descent(rng.normal(0, (2 * CLASSES) ** -0.5, (inputs.shape[1], HIDDEN))),
        _Descent(np.zeros(HIDDEN)),
        _Descent(np.zeros(HIDDEN)),
    ]
    for epoch in range(_EPOCHS):
        rate = _RATE * 0.5 ** (epoch / _HALF_LIFE)
        order = rng.permutation(len(target))
        for first in range(0, len(target), _BATCH):
            chosen = order[first : first + _BATCH]
            layer = _Layer(*(part.weights for part in parts))
            slopes = _slopes(inputs[chosen].astype(float), logits[chosen], target[chosen], layer)
            for part, slope in zip(parts, slopes, strict=True):
                part.step(slope, rate)
    return _Layer(*(part.weights for part in parts))


def _slopes(inputs: Floats, logits: Floats, target: Floats, layer: _Layer) -> list[Floats]:
    """The slopes of the mean cross entropy by the layer's weights."""
    hidden = np.maximum(0, inputs @ layer.inputs + layer.bias)
    error = (expit(logits + hidden @ layer.out) - target) / len(target)
    back = np.outer(error, layer.out) * (hidden > 0)
    return [inputs.T @ back, back.sum(axis=0), hidden.T @ error]


def _rounded(layer: _Layer, scaling: _Scaling, largest: float) -> Network:
    """The layer in integers.

    Args:
        layer: of numbers as large as they come.
        scaling: of its inputs.
        largest: hidden number in the positions of the fit.
    """
    sizes = [size * mean.size for size, mean in zip((_INPUTS, 1, 1), scaling.mean, strict=True)]
    by_class, of_shapes, of_pairs, slope = np.split(layer.inputs, np.cumsum(sizes))
    by_class = by_class.reshape(2, CLASSES - 1, _INPUTS, HIDDEN)
    count = np.arange(NETWORK_COUNTS)
    linear = (count[:, None, None] - scaling.mean[0]) / scaling.spread[0]  # (counts, 2, classes - 1)
    steps = count[:, None] >= np.arange(1, _STEPS + 1)
    tables = np.einsum("nrc,rch->rcnh", linear, by_class[:, :, 0])
    tables += np.einsum("ns,rcsh->rcnh", steps, by_class[:, :, 1:])
    bias = layer.bias + tables[:, :, 0].sum(axis=(0, 1))  # a class without points costs nothing to add
    tables -= tables[:, :, :1]
    of_shapes = of_shapes.reshape(2, SHAPES - _FIRST_SHAPE, HIDDEN) / scaling.spread[1][:, :, None]
    of_pairs = of_pairs / scaling.spread[2][:, None]
    bias = bias - np.tensordot(scaling.mean[1], of_shapes, 2) - np.tensordot(scaling.mean[2], of_pairs, 1)
    counts = np.pad(tables, ((0, 0), (1, 0), (0, 0), (0, 0)))
    of_shapes = np.pad(of_shapes, ((0, 0), (_FIRST_SHAPE, 0), (0, 0)))
    of_pairs = np.pad(of_pairs, ((1, 0), (0, 0))).reshape(CLASSES, CLASSES, HIDDEN)
    # The hidden numbers may become _HEADROOM times as large as in the fit before they wrap around.
    single = max(float(np.abs(numbers).max()) for numbers in (counts, of_shapes, of_pairs))
    fineness = _LARGEST / max(_HEADROOM * largest, single)
    outs = layer.out * VALUE_UNITS / fineness
    shift = int(min(15, np.floor(np.log2(_LARGEST_OUT / max(np.abs(outs).sum(), 1e-9)))))
    # The core shifts four times the score, times this, down by 16 bits.
    slopes = slope[0] * fineness * 65536 / (8 * VALUE_UNITS)
    arrays = [counts * fineness, of_shapes * fineness, of_pairs * fineness, bias * fineness, slopes, outs * 2.0**shift]
    # The bias may have wrapped around: it takes away what the empty board gives.
    rounded = [np.rint(array).astype(np.int64).astype(np.int16) for array in (*arrays, np.array([shift]))]
    return Network(*(array[None] for array in rounded))
