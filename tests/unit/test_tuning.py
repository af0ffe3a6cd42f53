"""Files of games: there and back, torn and damaged ones, interrupted runs, and what statistics say of known games."""

from __future__ import annotations

import argparse
import doctest
import math
import multiprocessing
import os
import pickle
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gomoku.tuning
from gomoku import BLACK, WHITE, Board, Rule, book
from gomoku.match.pair import play_pair
from gomoku.match.player import MatchError
from gomoku.match.result import End, GameResult, PairResult
from gomoku.notation import parse_moves
from gomoku.tuning import command, selfplay
from gomoku.tuning.dataset import UNKNOWN, Dataset, DatasetError, DatasetWriter, Game, Pair, Positions
from gomoku.tuning.format import BLOCK, MOVE, PAIR, PREFIX, block, decode_pair, encode_header, encode_pair
from gomoku.tuning.selfplay import SelfPlay, random_opening
from gomoku.tuning.statistics import summarise

DESCRIPTION = {"rule": "freestyle", "size": 9, "nodes": 50, "date": "2024-01-01", "command": "by hand"}
HEADER_BYTES = len(encode_header(DESCRIPTION))


def result(text: str, winner: Any, end: End, opening: int, scores: str = "", **more: Any) -> GameResult:
    moves = tuple(parse_moves(text, width=9, height=9))
    told = tuple(scores.replace("?", "").split(" ")) if scores else ("",) * (len(moves) - opening)
    return GameResult(
        black="one", white="other", moves=moves, opening_plies=opening, winner=winner, end=end, scores=told, **more
    )


BLACK_WINS = result(
    "e5a1e6b1e7c1e8d1e9", BLACK, End.FIVE, 2, "10 -20 +M5 -M4 +M3 -M2 +M1", depths=(1, 2, 5, 4, 3, 2, 1)
)
WHITE_WINS = result(
    "a1e5b2e6c4e7d1e8a9e9", WHITE, End.FIVE, 3, "? -300 700 -M6 +M5 -M2 +M1", depths=(0, 300, 1, 1, 1, 1, 1)
)
DRAWN = result("e5f6", None, End.DRAW, 0, "0 60", depths=(7, 8))


def pair(number: int, one: GameResult = BLACK_WINS, other: GameResult = WHITE_WINS) -> Pair:
    return Pair.from_result(PairResult(number=number, first="one", second="other", games=(one, other)), 9)


def write(path: Path, *pairs: Pair, **changes: Any) -> Path:
    with DatasetWriter(path, DESCRIPTION | changes) as writer:
        for one in pairs:
            writer.append(one)
    return path


def payloads(path: Path) -> dict[int, bytes]:
    return {one.number: encode_pair(one) for one in Dataset(path).pairs()}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Pairs 5 and 2."""
    return write(tmp_path / "games.fkg", pair(5), pair(2, DRAWN, BLACK_WINS))


# --- codec -----------------------------------------------------------------------------------------------------------

ENDS = [
    (None, End.FULL_BOARD),
    (None, End.DRAW),
    (WHITE, End.FORBIDDEN),
    *((winner, end) for winner in (BLACK, WHITE) for end in (End.FIVE, End.ADJUDICATION)),
]


@st.composite
def games(draw: Any, size: int) -> Game:
    points = draw(st.lists(st.integers(0, size * size - 1), max_size=size * size, unique=True))
    record = np.zeros(len(points), MOVE)
    record["point"] = points
    for move in record:
        move["score"] = draw(st.integers(-30_000, 30_000) | st.just(UNKNOWN))
        move["depth"] = draw(st.integers(0, 255))
    winner, end = draw(st.sampled_from(ENDS))
    return Game(size, winner, end, draw(st.integers(0, len(points))), record)


def same(one: Game, other: Game) -> bool:
    fields = ("size", "winner", "end", "opening_plies", "moves")
    return all(getattr(one, name) == getattr(other, name) for name in fields) and bool(
        (one.record == other.record).all()
    )


@given(st.data(), st.sampled_from([5, 15, 22]), st.integers(0, 2**32 - 1))
def test_pairs_there_and_back(data: st.DataObject, size: int, number: int) -> None:
    one, other = data.draw(games(size)), data.draw(games(size))
    payload = encode_pair(Pair(number, (one, other)))
    assert len(payload) == 16 + 5 * (len(one.record) + len(other.record))
    back = decode_pair(payload, size)
    assert back.number == number
    assert same(back.games[0], one)
    assert same(back.games[1], other)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_pair_or_an_error(payload: bytes) -> None:
    try:
        back = decode_pair(payload, 15)
    except DatasetError:
        return
    assert encode_pair(back) == payload


@given(st.data())
def test_a_changed_pair_is_another_one_or_an_error(data: st.DataObject) -> None:
    payload = bytearray(encode_pair(pair(1)))
    place = data.draw(st.integers(0, len(payload) - 1))
    payload[place] ^= data.draw(st.integers(1, 255))
    try:
        back = decode_pair(bytes(payload), 9)
    except DatasetError:
        return
    assert encode_pair(back) == payload


def test_what_a_referee_says_is_what_is_stored(file: Path) -> None:
    first, second = next(Dataset(file).pairs()).games
    assert first.moves == BLACK_WINS.moves
    assert (first.winner, first.end, first.opening_plies) == (BLACK, End.FIVE, 2)
    assert first.record["score"].tolist() == [UNKNOWN] * 2 + [10, -20, 29_995, -29_996, 29_997, -29_998, 29_999]
    assert first.record["depth"].tolist() == [0, 0, 1, 2, 5, 4, 3, 2, 1]
    assert second.searched["score"].tolist() == [UNKNOWN, -300, 700, -29_994, 29_995, -29_998, 29_999]
    assert second.searched["depth"].tolist() == [0, 255, 1, 1, 1, 1, 1]
    assert (second.turns.tolist(), second.results.tolist()) == ([2, 1, 2, 1, 2, 1, 2], [1, -1, 1, -1, 1, -1, 1])


def test_the_bytes_are_as_documented(tmp_path: Path) -> None:
    data = write(tmp_path / "games.fkg", pair(258, DRAWN, DRAWN)).read_bytes()
    assert data[:12] == b"FKMGAMES\x01\0\0\0"
    length = int.from_bytes(data[12:16], "little")
    assert data[24 : 24 + length].startswith(b'{"rule":"freestyle","size":9,')
    payload = data[24 + length + 12 :]
    game = b"\2\0\0\0\0\3"  # two stones, no opening, a draw by agreement
    stones = b"\x28\0\0\0\7" + b"\x32\0\x3c\0\x08"  # e5 0 depth 7, f6 60 depth 8
    assert payload == b"\2\1\0\0" + game * 2 + stones * 2


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (result("e5", BLACK, End.TIMEOUT, 0), "ended with 'timeout' says nothing"),
        (result("e5", BLACK, End.DRAW, 0), "ended with 'draw' was won by black"),
        (result("e5", BLACK, End.FORBIDDEN, 0), "ended with 'forbidden' was won by black"),
        (result("e5", None, End.FIVE, 0), "ended with 'five' was won by nobody"),
        (result("e5e5", None, End.DRAW, 0), "has a stone on another one"),
        (result("e5", None, End.DRAW, 2), "1 stones, 2 of them of the opening"),
        (result("e5", None, End.DRAW, 0, "40000"), "score of 40000 is out of range"),
    ],
)
def test_games_that_make_no_sense(game: GameResult, what: str) -> None:
    with pytest.raises(DatasetError, match=what):
        Game.from_result(game, 9)


def test_games_do_not_leave_their_board(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="off a board of size 5"):
        Game.from_result(result("a6", None, End.DRAW, 0), 5)
    with (
        DatasetWriter(tmp_path / "games.fkg", DESCRIPTION | {"size": 15}) as writer,
        pytest.raises(DatasetError, match="holds games of size 15, not 9"),
    ):
        writer.append(pair(1))


# --- files -----------------------------------------------------------------------------------------------------------


def test_files_there_and_back(file: Path) -> None:
    data = Dataset(file)
    assert (data.rule, data.size, data.descriptions) == (Rule.FREESTYLE, 9, (DESCRIPTION,))
    assert [one.number for one in data.pairs()] == [5, 2]
    assert payloads(file) == {5: encode_pair(pair(5)), 2: encode_pair(pair(2, DRAWN, BLACK_WINS))}
    assert [len(game.record) for game in data.games()] == [9, 10, 2, 9]
    assert data.unfinished_bytes == 0


def test_a_flipped_bit_of_any_byte_is_found(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    for place in range(len(data)):
        broken = bytearray(data)
        broken[place] ^= 1 << place % 8
        target = tmp_path / "broken.fkg"
        target.write_bytes(broken)
        with pytest.raises(DatasetError, match=r"damaged at byte \d+; take|is no file of games|format version"):
            list(Dataset(target).games())
        with pytest.raises(DatasetError):  # a writer must not take damage for an unfinished end and cut it off
            DatasetWriter(target, DESCRIPTION)
        assert target.read_bytes() == broken


def test_torn_tails_are_dropped(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of them take seconds
    data = file.read_bytes()
    first = HEADER_BYTES + BLOCK.itemsize + len(encode_pair(pair(5)))
    for size in range(len(data)):
        torn = tmp_path / "torn.fkg"
        torn.write_bytes(data[:size])
        whole = max([end for end in (0, HEADER_BYTES, first) if end <= size])
        if size < HEADER_BYTES:
            with pytest.raises(DatasetError, match="ends within its header; it holds no games"):
                Dataset(torn)
        else:
            assert [one.number for one in Dataset(torn).pairs()] == [5] * (whole == first)
            assert Dataset(torn).unfinished_bytes == size - whole
        with DatasetWriter(torn, DESCRIPTION) as writer:
            assert writer.pairs == ({5} if whole == first else set())
            assert writer.dropped_bytes == (size - whole if whole else 0)
            if whole < first:
                writer.append(pair(5))
            writer.append(pair(2, DRAWN, BLACK_WINS))
        assert torn.read_bytes() == data


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    for content in (b"x", b"FKMX", b"my thesis, all of it"):
        path.write_bytes(content)
        with pytest.raises(DatasetError, match=r"mine.txt is no file of games"):
            DatasetWriter(path, DESCRIPTION)
        assert path.read_bytes() == content
    future = np.array([(b"FKMGAMES", 2)], PREFIX).tobytes() + b"whatever"
    path.write_bytes(future)
    with pytest.raises(DatasetError, match="format version 2; this program knows version 1 only"):
        Dataset(path)


@pytest.mark.parametrize(
    ("payload", "what"),
    [
        (b"[]", "no JSON object"),
        (b"{", "no JSON: "),
        (b"\xff", "no JSON: "),
        (b"[" * 60_000, "no JSON: "),
        (b'{"size":15}', "the rule None; it must be freestyle,"),
        (b'{"rule":["renju"],"size":15}', r"the rule \['renju'\]"),
        (b'{"rule":"renju","size":1000000}', "the board size 1000000; it must be 5 to 22"),
        (b'{"rule":"renju","size":15.0}', "the board size 15.0"),
    ],
)
def test_a_right_checksum_makes_no_description_right(payload: bytes, what: str, tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    path.write_bytes(encode_header(DESCRIPTION)[: PREFIX.itemsize] + block(payload))
    with pytest.raises(DatasetError, match=what):
        Dataset(path)


def test_a_right_checksum_makes_no_games_right(tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    swapped = bytearray(encode_pair(pair(1)))
    swapped[PAIR.itemsize : PAIR.itemsize + 2] = swapped[PAIR.itemsize + 5 : PAIR.itemsize + 7]
    long = bytes(PAIR.itemsize + 2 * 81 * 5 + 5)
    for payload, what in ((bytes(swapped), f"games.fkg, byte {HEADER_BYTES}: .* on another one"), (long, "damaged")):
        path.write_bytes(encode_header(DESCRIPTION) + block(payload))
        with pytest.raises(DatasetError, match=what):
            list(Dataset(path).games())
    path.write_bytes(encode_header(DESCRIPTION) + 2 * block(encode_pair(pair(1))))
    with pytest.raises(DatasetError, match="has pair 1 twice"):
        DatasetWriter(path, DESCRIPTION)


def test_only_the_same_games_are_continued(file: Path) -> None:
    before = file.read_bytes()
    for change, what in (
        (
            {"nodes": 60},
            r"other settings \(nodes 50, now 60\); repeat its settings to continue it, or name another file",
        ),
        ({"size": 15}, "size 9, now 15"),
        ({"seed": 1}, "seed None, now 1"),
    ):
        with pytest.raises(DatasetError, match=what):
            DatasetWriter(file, DESCRIPTION | change)
    with DatasetWriter(file, DESCRIPTION | {"date": "2025-01-01", "command": ""}) as writer:
        assert writer.description == DESCRIPTION
        assert writer.pairs == {2, 5}
        with pytest.raises(DatasetError, match="has pair 5 already"):
            writer.append(pair(5))
        with pytest.raises(DatasetError, match="cannot have the number -1"):
            writer.append(pair(-1))
        with pytest.raises(DatasetError, match="being written by another program"):
            DatasetWriter(file, DESCRIPTION)
    assert file.read_bytes() == before


def test_descriptions_are_checked_before_a_file_is_made(tmp_path: Path) -> None:
    for description in ({"rule": "renju"}, {"rule": "go", "size": 9}, DESCRIPTION | {"note": "x" * 70_000}):
        with pytest.raises(DatasetError, match=r"must be|too long"):
            DatasetWriter(tmp_path / "games.fkg", description)
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_no_part(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with DatasetWriter(file, DESCRIPTION) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="No space"):
                writer.append(pair(1))
        assert file.read_bytes() == before
        writer.append(pair(1))
    assert [one.number for one in Dataset(file).pairs()] == [5, 2, 1]


# --- arrays ----------------------------------------------------------------------------------------------------------


def test_positions_are_those_of_the_board(file: Path) -> None:
    data = Dataset(file)
    positions = data.positions()
    assert len(positions.turn) == 7 + 7 + 2 + 7
    dtypes = [str(array.dtype) for array in positions]
    assert dtypes == ["int8", "int8", "int16", "int16", "uint8", "uint16", "int8", "int64"]
    row = 0
    for number, game in enumerate(data.games()):
        board = Board(9)
        for ply, move in enumerate(game.moves):
            if ply >= game.opening_plies:
                stones = [[int(board.stone((x, y)) or 0) for x in range(9)] for y in range(9)]
                assert positions.boards[row].tolist() == stones
                assert (positions.turn[row], positions.ply[row]) == (board.turn, board.ply)
                assert positions.move[row] == move.number(9)
                won = 0 if game.winner is None else 1 if game.winner == board.turn else -1
                assert (positions.result[row], positions.game[row]) == (won, number)
                own, others = positions.planes[row]
                assert {(x, y) for y, x in np.argwhere(own)} == set(board.stones(board.turn))
                assert {(x, y) for y, x in np.argwhere(others)} == set(board.stones(board.turn.other))
                row += 1
            board.push(move)
    assert row == len(positions.turn)
    assert positions.score[:3].tolist() == [10, -20, 29_995]
    assert positions.depth[7:9].tolist() == [0, 255]


def test_batches_are_the_positions(file: Path) -> None:
    data = Dataset(file, file)
    whole = data.positions()
    for count, sizes in ((1, [7, 7, 2, 7] * 2), (8, [14, 9, 14, 9]), (1000, [46])):
        parts = [*data.batches(count)]
        assert [len(part.turn) for part in parts] == sizes
        for name in Positions._fields:
            assert (np.concatenate([getattr(part, name) for part in parts]) == getattr(whole, name)).all()


def test_no_games_give_empty_arrays(tmp_path: Path) -> None:
    data = Dataset(write(tmp_path / "games.fkg"))
    positions = data.positions()
    assert positions.boards.shape == (0, 9, 9)
    assert positions.planes.shape == (0, 2, 9, 9)
    assert [array.dtype for array in positions] == [array.dtype for array in Positions.from_game(pair(1).games[0])]
    statistics = data.statistics()
    assert (statistics.games, statistics.positions, statistics.mean_length, statistics.calibration) == (0, 0, 0, ())
    assert "games      0 in 0 pairs" in str(statistics)


def test_files_are_read_together(file: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other.fkg", pair(5, DRAWN, DRAWN), nodes=70)
    data = Dataset(file, other)
    assert [one.number for one in data.pairs()] == [5, 2, 5]
    assert data.statistics().games == 6
    assert [description["nodes"] for description in data.descriptions] == [50, 70]
    renju = write(tmp_path / "renju.fkg", rule="renju")
    with pytest.raises(
        DatasetError, match=r"renju.fkg holds games of renju on size 9, .*freestyle on size 9; read them"
    ):
        Dataset(file, renju)
    with pytest.raises(DatasetError, match="no file"):
        Dataset()
    with pytest.raises(FileNotFoundError):
        Dataset(tmp_path / "nothing.fkg")


# --- statistics ------------------------------------------------------------------------------------------------------


def test_statistics_of_known_games() -> None:
    statistics = summarise([pair(0), pair(1, DRAWN, BLACK_WINS)], 9)
    assert (statistics.pairs, statistics.games) == (2, 4)
    assert (statistics.black_wins, statistics.white_wins, statistics.draws) == (2, 1, 1)
    assert statistics.ends == {"five": 3, "draw": 1}
    assert {int(n): int(statistics.lengths[n]) for n in np.flatnonzero(statistics.lengths)} == {2: 1, 9: 2, 10: 1}
    assert statistics.mean_length == 7.5
    assert [statistics.length_quantile(share) for share in (0, 0.25, 0.26, 0.5, 0.75, 0.76, 1)] == [
        2,
        2,
        9,
        9,
        9,
        10,
        10,
    ]
    assert (statistics.positions, statistics.scored, statistics.decided) == (23, 22, 14)
    assert statistics.mean_depth == (2 * 18 + 260 + 15) / 23
    assert (statistics.repeated_games, statistics.repeated_positions) == (1, 7)


def test_calibration_of_known_games() -> None:
    # Scores 10, -20 and 10, -20 of games that black won, -300 and 700 of one that white won, 0 and 60 of a draw.
    statistics = summarise([pair(0), pair(1, DRAWN, BLACK_WINS)], 9)
    bins = {(row.low, row.high): row for row in statistics.calibration}
    assert {bounds: row.positions for bounds, row in bins.items()} == {
        (-30_000, -29_500): 6,
        (-400, -251): 1,
        (-25, 25): 5,
        (26, 75): 1,
        (601, 1_000): 1,
        (29_500, 30_000): 8,
    }
    level = bins[-25, 25]
    assert level.mean_score == pytest.approx(-4)
    assert level.mean_points == pytest.approx((1 + 0 + 1 + 0 + 0.5) / 5)
    assert level.expected_points == pytest.approx(sum(1 / (1 + math.exp(-s / 200)) for s in (10, 10, -20, -20, 0)) / 5)
    assert (bins[-400, -251].mean_points, bins[601, 1_000].mean_points) == (0, 1)
    assert (bins[-30_000, -29_500].mean_points, bins[29_500, 30_000].mean_points) == (0, 1)
    assert "    -25 ..    25          5          -4   0.500     0.495" in str(statistics)


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [
        ("25", -25, 25),
        ("26", 26, 75),
        ("-25", -25, 25),
        ("-26", -75, -26),
        ("-1001", -29_499, -1_001),
        ("29499", 1_001, 29_499),
        ("+M500", 29_500, 30_000),
        ("-M500", -30_000, -29_500),
        ("30000", 29_500, 30_000),
        ("-30000", -30_000, -29_500),
    ],
)
def test_bounds_of_bins(score: str, low: int, high: int) -> None:
    game = result("e5", None, End.DRAW, 0, score)
    (row,) = summarise([pair(0, game, game)], 9).calibration
    assert (row.low, row.high, row.positions) == (low, high, 2)


@pytest.mark.parametrize("symmetry", range(8))
def test_turned_games_are_repetitions(symmetry: int) -> None:
    board = Board(9)
    for move in BLACK_WINS.moves:
        board.push(move)
    turned = "".join(move.text for move in board.transform(symmetry).move_stack)
    statistics = summarise([pair(0, BLACK_WINS, result(turned, BLACK, End.FIVE, 2))], 9)
    assert (statistics.repeated_games, statistics.repeated_positions) == (1, 7)


def test_the_order_of_moves_makes_another_game_through_the_same_positions() -> None:
    statistics = summarise([pair(0, result("e5a1e6b1", None, End.DRAW, 2), result("e6b1e5a1", None, End.DRAW, 2))], 9)
    assert (statistics.repeated_games, statistics.repeated_positions) == (0, 0)
    statistics = summarise([pair(0, result("e5a1e6b1", None, End.DRAW, 2), result("e6a1e5b1", None, End.DRAW, 2))], 9)
    assert (statistics.repeated_games, statistics.repeated_positions) == (0, 1)


# --- playing ---------------------------------------------------------------------------------------------------------

CHEAP: dict[str, Any] = {"size": 9, "nodes": 30}


class StoppedError(Exception):
    """What a broken run raises."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "games.fkg"
    SelfPlay(**CHEAP).run(path, pairs=6)
    return path


def test_games_are_played_by_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    games = SelfPlay(rule=Rule.RENJU, **CHEAP)
    games.run(path, pairs=3)
    for one in Dataset(path).pairs():
        opening = random_opening(Rule.RENJU, 9, 1, one.number)
        for game in one.games:
            board = Board(9, rule=Rule.RENJU)
            for move in game.moves:
                board.push_unchecked(move)
            outcome = board.outcome()
            assert outcome is not None
            assert outcome.winner == game.winner
            assert game.moves[: game.opening_plies] == opening.moves
            assert (game.searched["score"] != UNKNOWN).all()
            assert (game.searched["depth"] > 0).any()


@pytest.mark.parametrize("interrupted_by", [StoppedError, KeyboardInterrupt])
def test_an_interrupted_run_gives_the_same_games(
    interrupted_by: type[BaseException], played: Path, tmp_path: Path
) -> None:
    path = tmp_path / "games.fkg"
    calls: list[tuple[int, bool]] = []

    def interrupt(done: int, one: Pair | None) -> None:
        calls.append((done, one is None))
        if done == 2:
            raise interrupted_by

    with pytest.raises(interrupted_by):
        SelfPlay(**CHEAP).run(path, pairs=6, concurrency=3, on_progress=interrupt)
    assert calls[0] == (0, True)
    assert len(payloads(path)) == 2
    with path.open("ab") as torn:
        torn.write(b"\x10\0\0")
    SelfPlay(**CHEAP).run(path, pairs=4)
    SelfPlay(**CHEAP).run(path, pairs=6, concurrency=2)
    assert payloads(path) == payloads(played)
    assert set(payloads(path)) == set(range(6))


def test_complete_files_are_left_as_they_are(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    shutil.copy(played, path)
    done: list[int] = []
    SelfPlay(**CHEAP).run(path, pairs=5, on_progress=lambda count, _: done.append(count))
    assert done == [6]
    assert path.read_bytes() == played.read_bytes()
    with pytest.raises(DatasetError, match="seed 1, now 2"):
        SelfPlay(seed=2, **CHEAP).run(path, pairs=7)


def test_seeds_and_pairs_differ(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    SelfPlay(seed=2, **CHEAP).run(path, pairs=6)
    openings = [
        one.games[0].moves[: one.games[0].opening_plies] for file in (path, played) for one in Dataset(file).pairs()
    ]
    assert len(set(openings)) == 12


class Flaky(Executor):
    """Loses each pair a few times, as a cluster does."""

    def __init__(self, failures: int, pool: ThreadPoolExecutor) -> None:
        self.left: dict[int, int] = {}
        self.failures = failures
        self.pool = pool

    def submit(self, function: Any, /, task: Any) -> Future[Any]:  # type: ignore[override]
        left = self.left.setdefault(task.number, self.failures)
        self.left[task.number] -= 1
        if left > 0:
            future: Future[Any] = Future()
            future.set_exception(ConnectionError("the worker is gone"))
            return future
        return self.pool.submit(function, task)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_lost_pairs_are_played_again(pool: ThreadPoolExecutor, played: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    SelfPlay(**CHEAP).run(path, 6, Flaky(2, pool), concurrency=4)
    assert payloads(path) == payloads(played)
    with pytest.raises(MatchError, match="pair 6 failed again and again: the worker is gone"):
        SelfPlay(**CHEAP).run(path, 7, Flaky(3, pool))


def test_pairs_travel_to_other_processes(played: Path) -> None:
    task = pickle.loads(pickle.dumps(SelfPlay(**CHEAP).task(3)))
    assert encode_pair(Pair.from_result(play_pair(task), 9)) == payloads(played)[3]


@pytest.mark.slow
def test_a_pool_of_processes_gives_the_same_games(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        SelfPlay(**CHEAP).run(path, 6, processes, concurrency=4)
    assert payloads(path) == payloads(played)


def test_given_openings_come_in_all_symmetries() -> None:
    openings = book.read("0,0, 1,2\n0,0, 1,3", 9, 9)
    games = SelfPlay(openings=openings, **CHEAP)
    tasks = [games.task(number) for number in range(16)]
    assert {task.opening for task in tasks[:2]} == set(openings)
    assert [task.symmetry for task in tasks] == [lap for lap in range(8) for _ in range(2)]
    assert games.description()["openings"].startswith("2, sha256 ")
    assert SelfPlay(openings=openings[::-1], **CHEAP).description() != games.description()
    assert SelfPlay(**CHEAP).description()["openings"] == "random"


def test_the_seed_decides_the_order_of_openings_and_the_nodes() -> None:
    openings = book.builtin(Rule.FREESTYLE, 15)
    one, same, other = (SelfPlay(openings=openings, seed=seed).task(0) for seed in (1, 1, 2))
    assert one == same
    assert one.opening != other.opening
    limits = [[task.vary(1)(task.first.limit).nodes for _ in range(5)] for task in (one, same, other)]
    assert limits[0] == limits[1] != limits[2]


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", [5, 15, 22])
def test_random_openings(rule: Rule, size: int) -> None:
    found = [random_opening(rule, size, 3, number) for number in range(60)]
    assert found == [random_opening(rule, size, 3, number) for number in range(60)]
    assert {len(opening.moves) for opening in found} == {3, 4, 5, 6, 7}
    assert not any(opening.board(rule).is_game_over() for opening in found)
    assert len(book.unique(found)) > 40


def test_candidates_that_break_the_rule_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = book.Opening.from_text("h8", 15, 15)
    tried: list[int] = []

    def draw(_: Any, number: int) -> book.Opening | None:
        tried.append(number)
        return wanted if len(tried) == 3 else None

    monkeypatch.setattr(selfplay, "draw", draw)
    assert random_opening(Rule.RENJU, 15, 1, 9) is wanted
    assert tried == [9, 9 + 2**32, 9 + 2**33]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"nodes": 0}, "0 nodes cannot be searched"),
        ({"jitter": 0.0}, "jitter of 0.0 makes no sense; it must be more than 0"),
        ({"jitter": 1.0}, "jitter of 1.0"),
        ({"jitter": float("nan")}, "jitter of nan"),
        ({"size": 23}, "side of 23 is out of range"),
        ({"openings": []}, "no openings"),
        ({"openings": book.read("0,0", 15, 15)}, "for a board of 15x15, the match is played on 9x9"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        SelfPlay(**CHEAP | settings)


def test_runs_that_make_no_sense(tmp_path: Path) -> None:
    path = tmp_path / "games.fkg"
    with pytest.raises(MatchError, match="0 pairs cannot be played"):
        SelfPlay(**CHEAP).run(path, 0)
    with pytest.raises(MatchError, match="concurrency of 0"):
        SelfPlay(**CHEAP).run(path, 1, concurrency=0)
    assert not path.exists()


# --- the command -----------------------------------------------------------------------------------------------------


def tune(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], played: Path) -> None:
    path = tmp_path / "games.fkg"
    words = ["selfplay", "--size", "9", "--nodes", "30", "--openings", "random", "--out", str(path)]
    assert tune(*words, "--pairs", "2") == 0
    assert tune(*words, "--pairs", "6", "--concurrency", "2") == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert [line.partition(" in ")[0] for line in captured.err.splitlines()] == ["2/2 pairs 100%", "6/6 pairs 100%"]
    assert payloads(path) == payloads(played)
    assert Dataset(path).descriptions[0]["command"] == (
        "fukumi tune selfplay --rule freestyle --size 9 --pairs 2 --nodes 30 --jitter 0.5 --openings random "
        "--seed 1 --concurrency 1 --out games.fkg"
    )
    with path.open("ab") as torn:
        torn.write(b"\x10\0\0")
    assert tune("stats", str(path), str(played)) == 0
    printed = capsys.readouterr().out
    assert f"{path}: rule freestyle, size 9, nodes 30, jitter 0.5, openings random, seed 1, " in printed
    assert "games      24 in 12 pairs\n" in printed
    assert "3 bytes at the end are of pairs that are not finished" in printed


def test_command_takes_openings_of_files_and_of_the_package(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("0,0, 1,1\n")
    path = tmp_path / "games.fkg"
    assert (
        tune(
            "selfplay", "--size", "9", "--nodes", "30", "--pairs", "1", "--openings", str(openings), "--out", str(path)
        )
        == 0
    )
    assert [game.moves[:2] for game in Dataset(path).games()] == [((4, 4), (5, 5))] * 2
    assert " --openings openings.txt " in Dataset(path).descriptions[0]["command"]
    path.unlink()
    assert tune("selfplay", "--nodes", "30", "--pairs", "1", "--out", str(path)) == 0
    known = book.builtin(Rule.FREESTYLE, 15)
    assert all(any(game.moves[: len(o.moves)] == o.moves for o in known) for game in Dataset(path).games())
    with pytest.raises(ValueError, match="unknown rule 'chess'"):
        tune("selfplay", "--rule", "chess", "--out", str(path))


def test_the_readme_is_right() -> None:
    tested = doctest.testfile(str(Path(gomoku.tuning.__file__).with_name("README.md")), module_relative=False)
    assert tested.failed == 0
    assert tested.attempted > 20
