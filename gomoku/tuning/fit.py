"""Weights from games: a logistic fit of the position score, and a softmax fit of the move scores.

Both are linear in the weights. Of most of the 2,380 codes there are few examples, so a code's weight is that of its
point class and its four shapes, which are fitted as well, and a difference that a Gaussian prior keeps small.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

from gomoku._core.features import CLASSES, CODES, COUNTED_CLASSES, COUNTS, FACTS, code_table
from gomoku.tuning.network import correction, fit_network
from gomoku.tuning.samples import Samples, select, targets
from gomoku.tuning.shrunk import Floats, Shrunk
from gomoku.tuning.weights import MOVE_UNITS, VALUE_UNITS, Network, Weights, sides_of
from gomoku.types import Rule

_DECISIVE = {12: 15.0, 13: 30.0}
"""By point class, open four and five: log odds that put such a move before all others."""

_SHAPES = 14
_FACT_BITS = FACTS.bit_length() - 1
_HIGHEST = 16_000


class Settings(NamedTuple):
    """How weights are fitted.

    Attributes:
        later_share: share of what the game said later in the target of the position score; see `targets`.
        spread: standard deviation that is expected of the difference between a code's weight and what class and shapes
            make of it, in log odds, in the position score.
        move_spread: the same in the move scores.
        iterations: steps of the optimiser at most.
        validation: one pair of games in so many is kept for validation.
    """

    later_share: float = 0.9
    spread: float = 0.2
    move_spread: float = 1.0
    iterations: int = 100
    validation: int = 10


class Quality(NamedTuple):
    """How well weights foretell games that they were not fitted on.

    Attributes:
        value_loss: cross entropy of the target and what the position score says, in nats a position.
        move_loss: cross entropy of the move that was played, in nats a position.
        move_hits: share of the positions in which the move that was played has the best score alone.
    """

    value_loss: float
    move_loss: float
    move_hits: float


def structure(rule: Rule, sides: int) -> sparse.csr_array:
    """Return what a code consists of: shape ``(sides * CODES, sides * (classes + shapes))``, how often each occurs."""
    blocks = []
    for side in range(sides):
        rows, columns = [], []
        for code, (shapes, *classes) in enumerate(code_table(rule)):
            if code:  # the code of four dead lines is worth nothing
                rows += [code] * 5
                columns += [classes[side], *(CLASSES + shape for shape in shapes)]
        ones = np.ones(len(rows))
        blocks.append(sparse.coo_array((ones, (rows, columns)), shape=(CODES, CLASSES + _SHAPES)))
    return sparse.csr_array(sparse.block_diag(blocks))


# --- The position score ---


def _value_matrix(samples: Samples, rule: Rule) -> sparse.csr_array:
    """One row a position; columns are own codes, other codes (negative), facts and counts, each by colour."""
    return sparse.csr_array(sparse.vstack([_value_block(block, rule) for block in samples.blocks()]))


def _value_block(samples: Samples, rule: Rule) -> sparse.csr_array:
    sides = sides_of(rule)
    positions = np.repeat(np.arange(samples.positions), np.diff(samples.starts))
    turn = np.repeat(samples.white, np.diff(samples.starts)) if sides == 2 else np.zeros(len(positions), np.int64)
    foe = (1 - turn) if sides == 2 else turn
    own, other = samples.own != 0, samples.other != 0
    side = samples.white if sides == 2 else np.zeros(samples.positions, np.int64)
    counted, counts = _counts(_class_numbers(samples, rule), side)
    facts = np.arange(samples.positions)
    width = sides * CODES
    columns = [
        turn[own] * CODES + samples.own[own],
        width + foe[other] * CODES + samples.other[other],
        2 * width + side * FACTS + samples.facts,
        2 * width + sides * FACTS + counts,
    ]
    rows = [positions[own], positions[other], facts, counted]
    signs = np.concatenate([np.full(len(row), sign, np.float32) for row, sign in zip(rows, (1, -1, 1, 1), strict=True)])
    shape = (samples.positions, 2 * width + sides * (FACTS + 2 * CLASSES * COUNTS))
    matrix = sparse.coo_array((signs, (np.concatenate(rows), np.concatenate(columns))), shape=shape)
    return sparse.csr_array(matrix)  # equal entries are added up


def _class_numbers(samples: Samples, rule: Rule) -> NDArray[np.int64]:
    """How many empty points of each class the side to move and the other side have: ``(positions, 2, CLASSES)``."""
    by_code = np.array([classes for _, *classes in code_table(rule)], np.intp)
    positions = np.repeat(np.arange(samples.positions), np.diff(samples.starts)) * CLASSES
    turn = np.repeat(samples.white, np.diff(samples.starts))
    cells = [positions + by_code[samples.own, turn], positions + by_code[samples.other, 1 - turn]]
    numbers = [np.bincount(cell, minlength=samples.positions * CLASSES).reshape(-1, CLASSES) for cell in cells]
    return np.stack(numbers, axis=1)


def _counts(numbers: NDArray[np.int64], side: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions and the entries of the table of counts that they have, for classes of which there are points."""
    rows, columns = [], []
    for relation in range(2):
        for point_class in COUNTED_CLASSES:
            some = np.flatnonzero(numbers[:, relation, point_class])
            number = np.minimum(numbers[some, relation, point_class], COUNTS - 1)
            rows.append(some)
            columns.append(((side[some] * 2 + relation) * CLASSES + point_class) * COUNTS + number)
    return np.concatenate(rows), np.concatenate(columns)


def _fact_structure(sides: int) -> sparse.csr_array:
    """A constant and one part for each fact."""
    bits = np.arange(FACTS)[:, None] >> np.arange(_FACT_BITS) & 1
    return sparse.csr_array(sparse.block_diag([np.hstack([np.ones((FACTS, 1)), bits])] * sides))


def _value_parts(rule: Rule) -> sparse.csr_array:
    sides = sides_of(rule)
    codes = structure(rule, sides)
    # Having so many points of a class, and not one fewer: neighbouring numbers are worth about the same.
    steps = np.tril(np.ones((COUNTS, COUNTS)))[:, 1:]
    counts = sparse.block_diag([steps] * (sides * 2 * CLASSES))
    return sparse.csr_array(sparse.block_diag([codes, codes, _fact_structure(sides), counts]))


def _flat(*tables: NDArray[np.int16], units: int) -> Floats:
    """Weights of a file, one table after the other, in log odds."""
    return np.concatenate([table.ravel() for table in tables]) / units


def _spreads(spread: float, start: Weights | None) -> tuple[float, float]:
    """Standard deviations of differences and parts."""
    # Without a start nothing is known of the parts; with one the weights are known about as well as games tell.
    return (spread, 10 * spread) if start is None else (spread / 4, spread / 4)


def fit_value(
    matrix: sparse.csr_array, target: Floats, rule: Rule, settings: Settings, start: Weights | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """Fit the sum of weights of the position score, or its differences from that of the weights to start from.

    Args:
        matrix: shape ``(positions, weights)``; how often each weight counts.
        target: shape ``(positions,)``; see `targets`.
        rule: the rule.
        settings: how.
        start: as for :func:`fit`.

    Returns:
        The weights ``own``, ``other``, ``threats`` and ``counts`` in log odds, with the shapes of :class:`Weights`.
    """
    sides = sides_of(rule)
    transposed = sparse.csr_array(matrix.T)
    parts = _value_parts(rule)
    squares = [np.asarray((m.multiply(m)).sum(axis=0)).ravel() for m in (matrix, sparse.csr_array(matrix @ parts))]
    # A chance between 0.1 and 0.9 has about this variance.
    curvature = np.concatenate(squares) * 0.15 / len(target)
    expected = 0.0 if start is None else _flat(start.own, start.other, start.threats, start.counts, units=VALUE_UNITS)
    spreads = _spreads(settings.spread, start)
    shrunk = Shrunk(parts, spreads, len(target), curvature, expected)

    def loss(numbers: Floats) -> tuple[float, Floats]:
        logits = matrix @ shrunk.weights(numbers)
        value = float(np.mean(np.logaddexp(0, logits) - target * logits))
        gradient = transposed @ ((expit(logits) - target) / len(target))
        return shrunk.loss(numbers, value, gradient)

    weights = shrunk.minimum(loss, settings.iterations)
    own, other, threats, counts = np.split(weights, np.cumsum([sides * CODES, sides * CODES, sides * FACTS]))
    return (
        own.reshape(sides, CODES),
        other.reshape(sides, CODES),
        threats.reshape(sides, FACTS),
        counts.reshape(sides, 2, CLASSES, COUNTS),
    )


# --- The move scores ---


class _Choices:
    """Positions in which the search would have tried the move that was played, as flat arrays over all it tries."""

    def __init__(self, samples: Samples, sides: int) -> None:
        lengths = np.diff(samples.starts)
        played = np.zeros(len(samples.own), bool)
        played[samples.chosen] = True
        good = samples.playable[samples.chosen]
        entries = np.repeat(good, lengths) & samples.playable
        lengths = np.add.reduceat(samples.playable.astype(np.int64), samples.starts[:-1])[good]
        self.starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.lengths = lengths
        self.count = len(lengths)
        self.chosen = np.flatnonzero(played[entries])
        turn = np.repeat(samples.white[good], lengths) if sides == 2 else 0
        self.own = samples.own[entries].astype(np.intp) + turn * CODES
        self.other = samples.other[entries].astype(np.intp) + ((1 - turn) * CODES if sides == 2 else 0)

    def logits(self, attack: Floats, defend: Floats) -> Floats:
        """The move scores in log odds; `attack` and `defend` flat over sides and codes."""
        summed: Floats = attack[self.own] + defend[self.other]
        return summed

    def chances(self, logits: Floats) -> tuple[Floats, Floats]:
        """The chance of each candidate, and its logarithm for the one that was played."""
        highest = np.maximum.reduceat(logits, self.starts)
        raised = np.exp(logits - np.repeat(highest, self.lengths))
        sums = np.add.reduceat(raised, self.starts)
        return raised / np.repeat(sums, self.lengths), logits[self.chosen] - highest - np.log(sums)


def _decisive(rule: Rule, side: int) -> Floats:
    """Move scores of codes that win at once: quiet positions have none, so nothing can be learned of them."""
    return np.array([_DECISIVE.get(classes[side], 0.0) for _, *classes in code_table(rule)])


def fit_moves(samples: Samples, rule: Rule, settings: Settings, start: Weights | None = None) -> tuple[Floats, Floats]:
    """Fit the move scores so that the moves that were played are likely, or their differences.

    Returns:
        The weights ``attack`` and ``defend`` in log odds, with the shapes of :class:`Weights`.
    """
    sides = sides_of(rule)
    choices = _Choices(samples, sides)
    width = sides * CODES
    codes = structure(rule, sides)
    parts = sparse.csr_array(sparse.block_diag([codes, codes]))
    if start is None:
        expected = np.concatenate([_decisive(rule, side) for side in range(sides)] * 2)
    else:
        expected = _flat(start.attack, start.defend, units=MOVE_UNITS)
    # As if every candidate were as likely as the others.
    chances = np.repeat(1 / choices.lengths, choices.lengths) / choices.count
    seen = np.concatenate([np.bincount(index, chances, minlength=width) for index in (choices.own, choices.other)])
    spreads = _spreads(settings.move_spread, start)
    shrunk = Shrunk(parts, spreads, choices.count, np.append(seen, parts.T @ seen), expected)

    def loss(numbers: Floats) -> tuple[float, Floats]:
        weights = shrunk.weights(numbers)
        chances, played = choices.chances(choices.logits(weights[:width], weights[width:]))
        chances[choices.chosen] -= 1
        gradient = np.concatenate(
            [np.bincount(index, chances, minlength=width) for index in (choices.own, choices.other)]
        )
        return shrunk.loss(numbers, -float(np.mean(played)), gradient / choices.count)

    weights = shrunk.minimum(loss, settings.iterations)
    return weights[:width].reshape(sides, CODES), weights[width:].reshape(sides, CODES)


# --- All of it ---


def fit(samples: Samples, rule: Rule, settings: Settings, start: Weights | None = None) -> Weights:
    """Fit all weights of a rule.

    Args:
        samples: the positions to fit on.
        rule: their rule.
        settings: how.
        start: weights to start from: what the positions say little about stays near them, so that what earlier games
            taught is kept. Without them weights of rare codes are near those of their class and shapes.
    """
    matrix = _value_matrix(samples, rule)
    target = targets(samples, settings.later_share)
    own, other, threats, counts = fit_value(matrix, target, rule, settings, start)
    attack, defend = fit_moves(samples, rule, settings, start)

    def rounded(weights: Floats, units: int) -> NDArray[np.int16]:
        return np.clip(np.rint(weights * units), -_HIGHEST, _HIGHEST).astype(np.int16)

    weights = Weights(
        rule,
        rounded(own, VALUE_UNITS),
        rounded(other, VALUE_UNITS),
        rounded(attack, MOVE_UNITS),
        rounded(defend, MOVE_UNITS),
        rounded(threats, VALUE_UNITS),
        rounded(counts, VALUE_UNITS),
        Network.nothing(sides_of(rule)),
    )
    return replace(weights, network=fit_network(samples, rule, _sums(matrix, weights), target))


def _sums(matrix: sparse.csr_array, weights: Weights) -> NDArray[np.int64]:
    """What the position scores are without the network, in units of weights."""
    sums: Floats = matrix @ _flat(weights.own, weights.other, weights.threats, weights.counts, units=1)
    return np.rint(sums).astype(np.int64)


def split(samples: Samples, settings: Settings) -> tuple[Samples, Samples]:
    """Return training and validation data; games of a pair stay together."""
    held_back = samples.pair % settings.validation == 0
    return select(samples, ~held_back), select(samples, held_back)


def quality(weights: Weights, samples: Samples, settings: Settings) -> Quality:
    """Say how well weights foretell games."""
    sides = len(weights.own)
    sums = _sums(_value_matrix(samples, weights.rule), weights)
    logits = (sums + correction(samples, weights, sums)) / VALUE_UNITS
    target = targets(samples, settings.later_share)
    choices = _Choices(samples, sides)
    scores = choices.logits(weights.attack.ravel() / MOVE_UNITS, weights.defend.ravel() / MOVE_UNITS)
    _, played = choices.chances(scores)
    as_good = scores >= np.repeat(scores[choices.chosen], choices.lengths)
    return Quality(
        float(np.mean(np.logaddexp(0, logits) - target * logits)),
        -float(np.mean(played)),
        float(np.mean(np.add.reduceat(as_good, choices.starts, dtype=np.int64) == 1)),
    )
