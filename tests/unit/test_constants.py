"""The constants of the search: one table, every engine with its own, and all of them in use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gomoku import Board
from gomoku._core.search import Searcher
from gomoku.engine import Engine, Limit
from gomoku.params import CONSTANTS, all_constants

SMALL = 4 << 20
POSITIONS = [("h8i9g7j10h10", 9), ("h8h9i8g8j10", 9), ("h9g8j10f10f6h6", 9)]


def searched(changed: dict[str, int]) -> Iterator[tuple[int, int]]:
    """Nodes and scores of a few searches, each made when it is asked for."""
    for text, depth in POSITIONS:
        (best,) = Engine(hash_bytes=SMALL, constants=changed).analyse(
            Board.from_text(text, origin="top"), Limit(depth=depth)
        )
        yield best.nodes, best.score.relative.to_int()


@pytest.fixture(scope="module")
def usual() -> list[tuple[int, int]]:
    return list(searched({}))


def test_the_table_makes_sense() -> None:
    for name, constant in CONSTANTS.items():
        assert constant.low < constant.default < constant.high, name
        assert 0 < constant.step < constant.high - constant.low, name
        assert constant.meaning, name


def test_the_core_has_the_constants_of_the_table() -> None:
    assert Searcher().constants == all_constants()
    changed = {name: constant.high for name, constant in CONSTANTS.items()}
    leader = Searcher(constants=changed)
    assert leader.constants == changed
    assert Searcher(leader=leader).constants == changed


@pytest.mark.parametrize("name", CONSTANTS)
def test_every_constant_changes_the_search(name: str, usual: list[tuple[int, int]]) -> None:
    """One search that differs is enough, so it stops there."""
    constant = CONSTANTS[name]
    assert any(
        found != expected
        for value in (constant.low, constant.high)
        for found, expected in zip(searched({name: value}), usual, strict=True)
    )


def test_engines_have_constants_of_their_own(usual: list[tuple[int, int]]) -> None:
    board = Board.from_text(POSITIONS[0][0], origin="top")
    limit = Limit(depth=POSITIONS[0][1])
    plain, changed = Engine(hash_bytes=SMALL), Engine(hash_bytes=SMALL, constants={"futility_margin": 300})
    other = changed.analyse(board, limit)[0].nodes
    assert plain.analyse(board, limit)[0].nodes == usual[0][0] != other
    changed.hash_bytes = 2 * SMALL  # makes another searcher
    assert changed.analyse(board, limit)[0].nodes == other


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"razor": 3}, "there is no constant 'razor'; there are razor_depth, razor_base, "),
        ({"razor_base": 301}, "razor_base is 301; it must be a whole number from -100 to 300"),
        ({"razor_base": -101}, "razor_base is -101"),
        ({"razor_base": 19.0}, "razor_base is 19.0; it must be a whole number"),
        ({"razor_base": True}, "razor_base is True"),
        ({"razor_base": None}, "razor_base is None"),
    ],
)
def test_constants_that_make_no_sense(changed: dict[str, int], message: str) -> None:
    for make in (all_constants, lambda changed: Engine(constants=changed), lambda changed: Searcher(constants=changed)):
        with pytest.raises(ValueError, match=message):
            make(changed)
