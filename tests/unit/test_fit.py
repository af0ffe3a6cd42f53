"""Weights: the numbers that a position consists of, files of weights, and fits that find what is known to be there."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gomoku import Board, Move, Rule
from gomoku._core._probe import SHAPE_NAMES, PositionProbe
from gomoku._core.evaluate import HIDDEN, VIEW, use_weights
from gomoku._core.features import CLASSES, CODES, COUNTED_CLASSES, COUNTS, FACTS, GameReader, code_table
from gomoku.engine import Engine
from gomoku.tuning import command
from gomoku.tuning.dataset import Dataset
from gomoku.tuning.samples import Samples, read_samples
from gomoku.tuning.selfplay import SelfPlay
from gomoku.tuning.weights import SHIPPED, VALUE_UNITS, Network, Weights, WeightsError, sides_of
from support import random_game

SIZE = 11
BY_RULE = pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)


class Read:
    """What a reader writes down of a game from its first stone on."""

    def __init__(self, rule: Rule, stones: list[Move], size: int = SIZE) -> None:
        count = len(stones)
        self.codes = np.zeros((count * size * size, 2), np.uint16)
        self.points = np.zeros(count * size * size, np.uint16)
        self.playable = np.zeros(count * size * size, np.uint8)
        self.ends = np.zeros(count, np.int64)
        self.facts = np.zeros(count, np.uint16)
        self.quiet = np.zeros(count, np.uint8)
        numbers = np.array([move.y * size + move.x for move in stones], np.uint16)
        self.entries = GameReader(rule, size).read(
            numbers, 0, self.codes, self.points, self.playable, self.ends, self.facts, self.quiet
        )

    def position(self, ply: int) -> slice:
        return slice(self.ends[ply - 1] if ply else 0, self.ends[ply])


def game(rule: Rule, seed: int) -> list[Move]:
    return list(random_game(random.Random(seed), rule, (SIZE, SIZE), 40, spread=4).move_stack)


def positions(rule: Rule, seed: int) -> Iterator[tuple[Board, Read, int, tuple[int, int]]]:
    """Every position of a game, what a reader writes down, its ply, and which tables belong to either side."""
    stones = game(rule, seed)
    read = Read(rule, stones)
    board = Board(SIZE, rule=rule)
    for ply, move in enumerate(stones):
        yield board, read, ply, (board.turn - 1, 2 - board.turn) if rule == Rule.RENJU else (0, 0)
        board.push_unchecked(move)


@BY_RULE
def test_codes_are_the_shapes_of_the_points(rule: Rule) -> None:
    table = code_table(rule)
    for board, read, ply, _ in positions(rule, 5):
        probe = PositionProbe(board)
        here = read.position(ply)
        seen = {int(point): codes for point, codes in zip(read.points[here], read.codes[here], strict=True)}
        for y in range(SIZE):
            for x in range(SIZE):
                if board.stone((x, y)) is not None:
                    assert y * SIZE + x not in seen
                    continue
                for color, code in zip((board.turn, board.turn.other), seen.get(y * SIZE + x, (0, 0)), strict=True):
                    names = sorted(SHAPE_NAMES.index(name) for name in probe.shape_names(x, y, color))
                    assert table[code][0] == tuple(names)
                    assert table[code][color] == probe.point_class(x, y, color)
        assert read.entries == read.ends[-1]


def with_drawn_network(weights: Weights, seed: int) -> Weights:
    """The weights with a network drawn by chance, whose output matters."""
    rng = np.random.default_rng(seed)
    arrays = [rng.integers(-900, 900, shape).astype(np.int16) for shape in Network.dimensions(len(weights.own))]
    network = Network(*arrays[:-1], np.full_like(arrays[-1], 12))
    network.rows[:, 0] = 0  # a reader leaves dead points out
    return replace(weights, network=network)


def views_slowly(network: Network, codes: np.ndarray, own: int, other: int) -> np.ndarray:
    """Both views of a position, number by number as csrc/fk_network.h tells."""
    views = np.zeros((1, 2, VIEW), np.int64)
    for mine, foes in codes:
        for place in range(VIEW):
            for view, (a, b) in enumerate((((own, mine), (other, foes)), ((other, foes), (own, mine)))):
                together = int(network.rows[a][0][place]) + int(network.rows[b][1][place])
                views[0, view, place] += max(0, together)
    return views


@pytest.mark.parametrize("drawn", [False, True], ids=["shipped", "drawn"])
@BY_RULE
def test_the_position_score_is_the_sum_of_the_weights_and_the_network(rule: Rule, drawn: bool) -> None:
    """The slow twin of the incremental sums and of the network: numpy over the codes of a position."""
    shipped = (SHIPPED / f"{rule.label}.bin").read_bytes()
    weights = Weights.from_bytes(shipped)
    if drawn:
        weights = with_drawn_network(weights, 3)
    corrected = 0
    use_weights(weights.to_bytes())
    try:
        for board, read, ply, (own, other) in positions(rule, 9):
            codes = read.codes[read.position(ply)]
            score = int(weights.own[own][codes[:, 0]].sum(dtype=int) - weights.other[other][codes[:, 1]].sum(dtype=int))
            score += int(weights.threats[own][read.facts[ply]])
            counts = PositionProbe(board).class_counts()
            for relation, color in enumerate((board.turn, board.turn.other)):
                for number in COUNTED_CLASSES:
                    score += int(weights.counts[own][relation][number][min(COUNTS - 1, counts[color - 1][number])])
            views = views_slowly(weights.network, codes, own, other)
            correction = int(weights.network.correction(views, np.array([score]), own)[0])
            corrected += correction != 0
            assert PositionProbe(board).evaluate() == max(-6000, min(6000, int((score + correction) / 8)))
    finally:
        use_weights(shipped)
    assert corrected or not drawn


@BY_RULE
def test_the_move_scores_are_sums_of_the_weights(rule: Rule) -> None:
    weights = Weights.read(SHIPPED / f"{rule.label}.bin")
    for board, read, ply, (own, other) in positions(rule, 11):
        probe = PositionProbe(board)
        here = read.position(ply)
        for point, (own_code, other_code) in zip(read.points[here], read.codes[here], strict=True):
            score = int(weights.attack[own][own_code]) + int(weights.defend[other][other_code])
            assert probe.move_score(int(point) % SIZE, int(point) // SIZE, board.turn) == score


FOURS, THREES = (9, 10), (6, 7)  # numbers of point classes; 8 double three, 11 four-three, 12 open four, 13 five


@BY_RULE
def test_facts_are_what_the_classes_say(rule: Rule) -> None:
    for board, read, ply, _ in positions(rule, 3):
        counts = PositionProbe(board).class_counts()
        own, other = counts[board.turn - 1], counts[2 - board.turn]
        facts = [
            any(own[number] for number in FOURS),
            own[11] > 0,
            any(own[number] for number in THREES),
            own[8] > 0,
            any(other[number] for number in FOURS),
            other[11] > 0,
            any(other[number] for number in THREES),
            other[8] > 0,
            other[12] > 0,
            other[13] > 0,
            own[8] + own[11] > 1,
        ]
        assert read.facts[ply] == sum(fact << bit for bit, fact in enumerate(facts))
        won = (
            own[13] or own[12] or other[13] or Engine(hash_bytes=1 << 20).solve(board, fours_only=True, nodes=300).plies
        )
        assert read.quiet[ply] == (not won)


def test_candidates_are_near_and_allowed() -> None:
    board = Board(SIZE, rule=Rule.RENJU)
    for text in ("f6", "a1", "g6", "b1", "f7", "c1", "g7", "d1"):
        board.push(text)
    read = Read(Rule.RENJU, [*board.move_stack, Move(0, 10)])
    here = read.position(len(board.move_stack))
    playable = {int(point) for point, tried in zip(read.points[here], read.playable[here], strict=True) if tried}
    near = {y * SIZE + x for x, y in PositionProbe(board).near_points()}
    assert playable == {point for point in near if board.is_legal((point % SIZE, point // SIZE))}


def test_against_an_open_three_the_candidates_are_its_defences() -> None:
    board = Board(SIZE)
    for text in ("a1", "e6", "c1", "f6", "e1", "g6"):
        board.push(text)
    read = Read(Rule.FREESTYLE, [*board.move_stack, Move(0, 10)])
    here = read.position(6)
    playable = {
        Move(int(point) % SIZE, int(point) // SIZE).text for point in read.points[here][read.playable[here] != 0]
    }
    assert playable == {"d6", "h6", "b1", "d1"}  # and own fours


@pytest.mark.parametrize(
    ("stones", "message"),
    [([60, 60], "stone 2 is put on 60"), ([60, 61, 121], "stone 3 is put on 121"), ([60, 65_535], "stone 2")],
)
def test_games_that_cannot_be_are_refused(stones: list[int], message: str) -> None:
    arrays = [np.zeros((900, 2), np.uint16), np.zeros(900, np.uint16), np.zeros(900, np.uint8)]
    with pytest.raises(ValueError, match=message):
        GameReader(0, SIZE).read(
            np.array(stones, np.uint16),
            0,
            *arrays,
            np.zeros(9, np.int64),
            np.zeros(9, np.uint16),
            np.zeros(9, np.uint8),
        )


def test_short_arrays_are_refused() -> None:
    arrays = [np.zeros((9, 2), np.uint16), np.zeros(9, np.uint16), np.zeros(9, np.uint8)]
    with pytest.raises(ValueError, match="too short for 1 positions"):
        GameReader(0, SIZE).read(
            np.array([3], np.uint16), 0, *arrays, np.zeros(9, np.int64), np.zeros(9, np.uint16), np.zeros(9, np.uint8)
        )


# --- Files ---


@BY_RULE
def test_every_rule_has_weights(rule: Rule) -> None:
    data = (SHIPPED / f"{rule.label}.bin").read_bytes()
    weights = Weights.from_bytes(data)
    assert weights.rule == rule
    assert weights.to_bytes() == data
    assert weights.own.any()
    assert weights.attack.any()


@pytest.mark.parametrize(
    "spoil",
    [lambda data: b"", lambda data: data[:-1], lambda data: data + b"x", lambda data: b"X" + data[1:],
     lambda data: data[:9] + b"\3" + data[10:]],
    ids=["empty", "cut off", "too long", "other magic", "three colours"],
)  # fmt: skip
def test_other_bytes_are_no_weights(spoil) -> None:  # type: ignore[no-untyped-def]
    data = spoil((SHIPPED / "renju.bin").read_bytes())
    with pytest.raises(WeightsError, match=r"data (holds no weights|is damaged)"):
        Weights.from_bytes(data)
    with pytest.raises(ValueError, match="no weights of this version"):
        use_weights(data)


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[:-2] + b"\x1f\0", lambda data: data[:-68] + b"\xff\x7f" * 32 + data[-4:],
     lambda data: data[:-2244] + b"\xff\x7f" * 1024 + data[-196:]],
    ids=["shift", "output", "inputs"],
)  # fmt: skip
def test_a_network_that_could_overflow_is_refused(spoil) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="sums of the network could overflow"):
        use_weights(spoil((SHIPPED / "freestyle.bin").read_bytes()))


def test_an_unknown_rule_is_refused() -> None:
    data = bytearray((SHIPPED / "freestyle.bin").read_bytes())
    data[8] = 7
    with pytest.raises(WeightsError, match="is damaged: rule 7"):
        Weights.from_bytes(bytes(data))
    with pytest.raises(ValueError, match="unknown rule number 7"):
        use_weights(bytes(data))


# --- Fits ---


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    path = tmp_path_factory.mktemp("games") / "games.fkg"
    SelfPlay(size=SIZE, nodes=40, seed=3).run(path, pairs=30)
    return Dataset(path)


def test_samples_are_quiet_positions_with_their_moves(games: Dataset) -> None:
    samples = read_samples(games, 10**6)
    assert samples.starts[-1] == len(samples.own) == len(samples.other) == len(samples.playable)
    assert samples.positions == len(samples.chosen) == len(samples.score) > 500
    assert np.all(samples.chosen >= samples.starts[:-1])
    assert np.all(samples.chosen < samples.starts[1:])
    assert samples.pair.max() == 29


@BY_RULE
def test_the_core_computes_what_the_fit_does(rule: Rule, tmp_path: Path) -> None:
    """What a file's integers add to a score is, but for rounding, what the numbers that were fitted add."""
    network = pytest.importorskip("gomoku.tuning.network")
    path = tmp_path / "games.fkg"
    SelfPlay(rule=rule, size=SIZE, nodes=40, seed=5).run(path, pairs=6)
    samples = read_samples(Dataset(path), 10**6)
    rng = np.random.default_rng(4)
    sides = sides_of(rule)
    layers = network._Composition(rule).layers(network._Numbers.drawn(sides, rng))
    layers = layers._replace(out=rng.normal(0, 0.3, (sides, HIDDEN)).astype(np.float32))
    sums = rng.integers(-12_000, 12_000, samples.positions)
    points, logits = network.points_of(samples, rule), network.logits_of(sums)
    corrected = np.empty(samples.positions, np.float32)
    every = np.arange(samples.positions)
    network.descend(*points, logits, np.zeros_like(corrected), every, layers, None, corrected)
    shipped = Weights.read(SHIPPED / f"{rule.label}.bin")
    weights = replace(shipped, network=network.rounded(layers, points, logits))
    added = network.correction(samples, weights, sums) / VALUE_UNITS
    expected = corrected - sums / VALUE_UNITS
    assert np.abs(expected).mean() > 0.1
    assert np.abs(added - expected).max() < 0.02 * np.abs(expected).max()


def test_the_slopes_of_the_network_are_those_of_its_loss(games: Dataset) -> None:
    network = pytest.importorskip("gomoku.tuning.network")
    samples = read_samples(games, 200)
    rng = np.random.default_rng(6)
    composition = network._Composition(Rule.RENJU)  # as if of renju, where colours differ
    numbers = network._Numbers.drawn(2, rng)
    numbers = numbers._replace(out=rng.normal(0, 0.3, (2, HIDDEN)).astype(np.float32))
    points = network.points_of(samples, Rule.RENJU)
    logits = network.logits_of(rng.integers(-5_000, 5_000, samples.positions))
    target = rng.random(samples.positions).astype(np.float32)
    every, corrected = np.arange(samples.positions), np.empty(samples.positions, np.float32)

    def loss(numbers: Any, slopes: Any = None) -> float:
        layers = composition.layers(numbers)
        summed: float = network.descend(*points, logits, target, every, layers, slopes, corrected)
        return summed / samples.positions

    of_layers = type(composition.layers(numbers))(*map(np.zeros_like, composition.layers(numbers)))
    loss(numbers, of_layers)
    for place, slope in enumerate(composition.slopes(of_layers, samples.positions)):
        for _ in range(3):
            step = (slope * rng.uniform(0, 2, slope.shape)).astype(np.float32)  # uphill, so that there is much to see
            step *= np.float32(0.02 / np.linalg.norm(step))
            ends = [
                loss(numbers._replace(**{numbers._fields[place]: numbers[place] + sign * step})) for sign in (1, -1)
            ]
            assert ends[0] - ends[1] == pytest.approx(2 * float((slope * step).sum()), rel=0.02)


def test_targets_mix_scores_and_the_result_along_a_game(games: Dataset) -> None:
    fit = pytest.importorskip("gomoku.tuning.fit")
    samples = read_samples(games, 10**6)
    target = fit.targets(samples, 0.9)
    assert fit.targets(samples, 1.0) == pytest.approx(samples.points)
    assert fit.targets(samples, 0.0) == pytest.approx(1 / (1 + np.exp(-samples.score / 200)))
    for position in range(0, samples.positions, 11):
        later = [other for other in range(position, samples.positions) if samples.game[other] == samples.game[position]]
        expected, share = 0.0, 1.0
        for other in later:
            chance = 1 / (1 + np.exp(-float(samples.score[other]) / 200))
            if samples.white[other] != samples.white[position]:
                chance = 1 - chance
            expected += share * 0.1 * chance
            share *= 0.9
        expected += share * float(samples.points[position])
        assert target[position] == pytest.approx(expected)


def test_reading_stops_at_the_limit(games: Dataset) -> None:
    told: list[int] = []
    samples = read_samples(games, 50, told.append)
    assert 50 <= samples.positions < 50 + SIZE * SIZE
    assert told[-1] == 50


def synthetic(samples: Samples, rng: np.random.Generator) -> tuple[Samples, float]:
    """The same positions with results by chance from known weights, each its own, and the entropy of that chance."""
    shapes = np.array([shapes for shapes, *_ in code_table(Rule.FREESTYLE)])
    weights = rng.normal(0, 0.15, len(SHAPE_NAMES))[shapes].sum(axis=1)
    weights[0] = 0
    sums = np.add.reduceat(weights[samples.own] - weights[samples.other], samples.starts[:-1])
    chances = 1 / (1 + np.exp(-sums))
    entropy = float(-np.mean(chances * np.log(chances) + (1 - chances) * np.log(1 - chances)))
    points = (rng.random(len(sums)) < chances).astype(np.float32)
    return samples._replace(points=points, game=2 * np.arange(len(sums))), entropy  # each as if of its own game


class Fitted(NamedTuple):
    """A fit on results by chance: all samples, how they were split, the entropy of the chance, settings and weights."""

    samples: Samples
    training: Samples
    validation: Samples
    entropy: float
    settings: Any
    weights: Weights


@pytest.fixture(scope="module")
def fitted(games: Dataset) -> Fitted:
    fit = pytest.importorskip("gomoku.tuning.fit")
    samples, entropy = synthetic(read_samples(games, 10**6), np.random.default_rng(1))
    settings = fit.Settings(later_share=1.0, iterations=60)
    training, validation = fit.split(samples, settings)
    weights = fit.fit(training, Rule.FREESTYLE, settings)
    return Fitted(samples, training, validation, entropy, settings, weights)


def test_a_fit_finds_the_weights_that_made_the_results(fitted: Fitted) -> None:
    fit = pytest.importorskip("gomoku.tuning.fit")
    samples, training, validation, entropy, settings, weights = fitted
    assert not set(training.pair) & set(validation.pair)
    assert training.positions + validation.positions == samples.positions
    found = fit.quality(weights, validation, settings)
    nothing = np.zeros((1, CODES), np.int16)
    facts, counts = np.zeros((1, FACTS), np.int16), np.zeros((1, 2, CLASSES, COUNTS), np.int16)
    zero = Weights(Rule.FREESTYLE, nothing, nothing, nothing, nothing, facts, counts, Network.nothing(1))
    ignorant = fit.quality(zero, validation, settings)
    assert ignorant.value_loss == pytest.approx(np.log(2), abs=1e-3)
    assert found.value_loss < (ignorant.value_loss + entropy) / 2
    assert found.move_loss < ignorant.move_loss - 0.5
    assert found.move_hits > ignorant.move_hits


def test_a_fit_on_few_positions_keeps_what_it_starts_from(fitted: Fitted) -> None:
    fit = pytest.importorskip("gomoku.tuning.fit")
    _, training, validation, _, settings, start = fitted
    few = fit.select(training, np.arange(training.positions) < 60)
    kept, anew = (
        fit.quality(fit.fit(few, Rule.FREESTYLE, settings, weights), validation, settings) for weights in (start, None)
    )
    assert kept.value_loss < anew.value_loss
    assert kept.move_loss < anew.move_loss


class Found(NamedTuple):
    x: np.ndarray


def test_the_gradients_are_those_of_the_losses(games: Dataset) -> None:
    """The optimiser is handed functions: their slopes are compared with differences."""
    fit = pytest.importorskip("gomoku.tuning.fit")
    samples = read_samples(games, 300)
    losses = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "gomoku.tuning.shrunk.minimize", lambda loss, start, **_: losses.append((loss, len(start))) or Found(start)
        )
        fit.fit(samples, Rule.FREESTYLE, fit.Settings())
    rng = np.random.default_rng(2)
    assert len(losses) == 2
    for loss, count in losses:
        numbers = rng.normal(0, 0.2, count)
        _, gradient = loss(numbers)
        for _ in range(5):
            step = rng.normal(0, 1e-3, count)
            slope = loss(numbers + step)[0] - loss(numbers - step)[0]
            assert slope == pytest.approx(2 * float(gradient @ step), rel=1e-3, abs=1e-9)


# --- The commands ---


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def test_the_command_writes_weights_and_compares(
    games: Dataset, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    assert run("fit", games.paths[0], "--out", str(tmp_path / "new"), "--positions", "300") == 0
    written = Weights.read(tmp_path / "new" / "freestyle.bin")
    assert written.rule is Rule.FREESTYLE
    out = capsys.readouterr().out
    assert "shipped" in out
    assert "fitted" in out
    again = ["--out", str(tmp_path / "again"), "--positions", "300", "--start", str(tmp_path / "new")]
    assert run("fit", games.paths[0], *again) == 0
    assert (tmp_path / "again" / "freestyle.bin").read_bytes() != written.to_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [(("--later-share", "1.5"), "later-share must be 0 to 1"), (("--positions", "1"), "too few to fit on")],
)
def test_bad_wishes_are_told(games: Dataset, tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    pytest.importorskip("scipy")
    with pytest.raises(ValueError, match=message):
        run("fit", games.paths[0], "--out", str(tmp_path), *words)
