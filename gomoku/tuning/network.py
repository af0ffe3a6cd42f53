"""The fit of the network of the position score.

It corrects the sum of weights by how many points of each class the sides have, which a sum cannot weigh against each
other. The core computes it in integers (``csrc/fk_network.h``); it is fitted with plain gradients in numpy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from gomoku._core.evaluate import HIDDEN, NETWORK_COUNTS, NETWORK_LIMIT
from gomoku._core.features import CLASSES, code_table
from gomoku.tuning.samples import Samples
from gomoku.tuning.weights import VALUE_UNITS, Network, Weights
from gomoku.types import Rule

Floats = NDArray[np.float64]

_STEPS = 3
"""Having at least one, two, three points of a class counts apart from how many there are."""

_INPUTS = 1 + _STEPS
_EPOCHS = 12
_BATCH = 512
_RATE = 2e-3
_HALF_LIFE = 2.5
_DECAY = 1e-4
_LARGEST = 32_000
_LARGEST_OUT = 65_000


def class_numbers(samples: Samples, rule: Rule) -> NDArray[np.uint8]:
    """Return how many points of each class the sides have, 255 for more: shape ``(positions, 2, CLASSES)``."""
    classes = np.array([classes for _, *classes in code_table(rule)])
    lengths = np.diff(samples.starts)
    positions = np.repeat(np.arange(samples.positions), lengths)
    turn = np.repeat(samples.white, lengths)
    numbers = [
        np.bincount(positions * CLASSES + of_points, minlength=samples.positions * CLASSES).reshape(-1, CLASSES)
        for of_points in (classes[samples.own, turn], classes[samples.other, 1 - turn])
    ]
    return np.minimum(np.stack(numbers, axis=1), 255).astype(np.uint8)


class _Layer(NamedTuple):
    """One colour's network in floating point."""

    inputs: Floats  # (2 * (CLASSES - 1) * _INPUTS + 1, HIDDEN)
    bias: Floats
    out: Floats


class _Scaling(NamedTuple):
    """What turns numbers of points into inputs: mean and spread of each, shape ``(2, CLASSES - 1)``."""

    mean: Floats
    spread: Floats

    def inputs(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the inputs of numbers of points: shape ``(positions, 2 * (CLASSES - 1) * _INPUTS)``."""
        counts = np.minimum(numbers[:, :, 1:], NETWORK_COUNTS - 1).astype(np.float32)
        steps = [counts >= step for step in range(1, _STEPS + 1)]
        stacked = np.stack([(counts - self.mean) / self.spread, *steps], axis=-1)
        return stacked.reshape(len(numbers), -1).astype(np.float32)


def _by_colour(samples: Samples, sides: int) -> list[NDArray[np.bool_]]:
    """The positions for which each entry of the first axis of weights stands."""
    return [samples.white == side for side in range(2)] if sides == 2 else [np.ones(samples.positions, bool)]


def correction(samples: Samples, weights: Weights, sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what the network adds to the sums of weights of positions, which are in units of weights."""
    numbers = class_numbers(samples, weights.rule)
    added = np.zeros(samples.positions, np.int64)
    for side, of_side in enumerate(_by_colour(samples, len(weights.own))):
        added[of_side] = weights.network.correction(numbers[of_side], sums[of_side], side)
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
    numbers = class_numbers(samples, rule)
    networks = [
        _fit_side(numbers[of_side], sums[of_side], target[of_side], np.random.default_rng(seed))
        for of_side in _by_colour(samples, 2 if rule == Rule.RENJU else 1)
    ]
    return Network(*(np.concatenate(arrays) for arrays in zip(*networks, strict=True)))


def _fit_side(numbers: NDArray[np.uint8], sums: NDArray[np.int64], target: Floats, rng: np.random.Generator) -> Network:
    counts = np.minimum(numbers[:, :, 1:], NETWORK_COUNTS - 1)
    scaling = _Scaling(counts.mean(axis=0), counts.std(axis=0) + 0.05)
    clipped = np.clip(sums, -NETWORK_LIMIT, NETWORK_LIMIT)[:, None] / (2 * VALUE_UNITS)
    inputs = np.concatenate([scaling.inputs(numbers), clipped.astype(np.float32)], axis=1)
    return _rounded(_descend(inputs, sums / VALUE_UNITS, target, rng), scaling)


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


def _rounded(layer: _Layer, scaling: _Scaling) -> Network:
    """The layer in integers, as fine as they allow without overflow."""
    by_input = layer.inputs[:-1].reshape(2, CLASSES - 1, _INPUTS, HIDDEN)
    slope = layer.inputs[-1]
    count = np.arange(NETWORK_COUNTS)
    linear = (count[:, None, None] - scaling.mean) / scaling.spread  # (counts, 2, classes - 1)
    steps = count[:, None] >= np.arange(1, _STEPS + 1)
    tables = np.einsum("nrc,rch->rcnh", linear, by_input[:, :, 0])
    tables += np.einsum("ns,rcsh->rcnh", steps, by_input[:, :, 1:])
    bias = layer.bias + tables[:, :, 0].sum(axis=(0, 1))  # a class without points costs nothing to add
    tables -= tables[:, :, :1]
    bound = (
        np.abs(bias) + np.abs(tables).max(axis=2).sum(axis=(0, 1)) + np.abs(slope) * NETWORK_LIMIT / (2 * VALUE_UNITS)
    )
    fineness = _LARGEST / bound.max()
    outs = layer.out * VALUE_UNITS / fineness
    shift = int(min(15, np.floor(np.log2(_LARGEST_OUT / max(np.abs(outs).sum(), 1e-9)))))
    counts = np.zeros((1, 2, CLASSES, NETWORK_COUNTS, HIDDEN))
    counts[0, :, 1:] = tables * fineness
    # The core shifts four times the score, times this, down by 16 bits.
    slopes = slope * fineness * 65536 / (8 * VALUE_UNITS)
    arrays = [counts, bias[None] * fineness, slopes[None], outs[None] * 2.0**shift, np.array([[shift]])]
    return Network(*(np.clip(np.rint(array), -32767, 32767).astype(np.int16) for array in arrays))
