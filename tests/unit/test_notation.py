"""Points and move lists as text: round trips in both origins, and what is refused."""

from __future__ import annotations

import random

import pytest

from gomoku.notation import format_move, format_moves, parse_move, parse_moves
from gomoku.types import Move


@pytest.mark.parametrize("origin", ["top", "bottom"])
@pytest.mark.parametrize(("width", "height"), [(5, 5), (15, 15), (22, 22), (22, 9)])
def test_every_point_survives_the_round_trip(width: int, height: int, origin: str) -> None:
    moves = [Move(x, y) for y in range(height) for x in range(width)]
    texts = [format_move(move, height=height, origin=origin) for move in moves]
    assert len(set(texts)) == len(moves)
    assert [parse_move(text, width=width, height=height, origin=origin) for text in texts] == moves
    assert [parse_move(str(move), width=width, height=height, origin=origin) for move in moves] == moves


@pytest.mark.parametrize("origin", ["top", "bottom"])
@pytest.mark.parametrize("separator", ["", " ", ",", "; ", "\n"])
def test_move_lists_survive_the_round_trip(origin: str, separator: str) -> None:
    rng = random.Random(1)
    moves = [Move(rng.randrange(20), rng.randrange(20)) for _ in range(100)]
    text = format_moves(moves, height=20, origin=origin)
    assert parse_moves(text, width=20, height=20, origin=origin) == moves
    separated = separator.join(format_move(move, height=20, origin=origin) for move in moves)
    assert parse_moves(separated, width=20, height=20, origin=origin) == moves


@pytest.mark.parametrize(
    ("text", "move"),
    [("h8", Move(7, 7)), (" H8 ", Move(7, 7)), ("i10", Move(8, 9)), ("0,14", Move(0, 14)), (" 3 , 4 ", Move(3, 4))],
)
def test_accepted_spellings(text: str, move: Move) -> None:
    assert parse_move(text, width=15, height=15) == move


def test_the_letter_i_is_not_skipped() -> None:
    assert [format_move(Move(x, 0), height=15) for x in (7, 8, 9)] == ["h1", "i1", "j1"]


def test_pairs_always_count_from_the_top_left() -> None:
    assert parse_move("3,0", width=15, height=15, origin="bottom") == Move(3, 0)
    assert parse_move("d15", width=15, height=15, origin="bottom") == Move(3, 0)


@pytest.mark.parametrize("text", ["", "h", "8h", "hh8", "h8i9", "h-1", "7;7", "7,", "pass"])
def test_what_is_no_point_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a point"):
        parse_move(text, width=15, height=15)


@pytest.mark.parametrize("text", ["p1", "a0", "a16", "15,0", "0,15", "z9"])
@pytest.mark.parametrize("origin", ["top", "bottom"])
def test_what_is_off_the_board_is_refused(text: str, origin: str) -> None:
    with pytest.raises(ValueError, match="is not on a board of 15 columns and 15 rows"):
        parse_move(text, width=15, height=15, origin=origin)


@pytest.mark.parametrize(("text", "message"), [("h8 ?9", "'\\?9' at character 4"), ("h8p1", "'p1' is not on a board")])
def test_a_bad_move_list_names_the_culprit(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_moves(text, width=15, height=15)


@pytest.mark.parametrize("text", ["", " ", ",;\n"])
def test_an_empty_move_list_is_empty(text: str) -> None:
    assert parse_moves(text, width=15, height=15) == []
    assert format_moves([], height=15) == ""


def test_an_unknown_origin_is_refused_before_anything_else() -> None:
    for refused in (
        lambda: parse_move("", width=15, height=15, origin="x"),
        lambda: parse_moves("", width=15, height=15, origin="x"),
    ):
        with pytest.raises(ValueError, match="origin must be"):
            refused()
