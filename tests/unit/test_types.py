"""The vocabulary: names, numbers and texts of rules, colours, moves, fouls and errors."""

from __future__ import annotations

import pytest

from gomoku.types import (
    BLACK,
    EMPTY_POINT,
    WALL,
    WHITE,
    Color,
    Foul,
    GomokuError,
    IllegalMoveError,
    InvalidPositionError,
    Move,
    Outcome,
    Rule,
    Termination,
)


def test_rules_have_the_protocol_numbers() -> None:
    assert {rule.label: int(rule) for rule in Rule} == {
        "freestyle": 0,
        "standard": 1,
        "renju": 4,
        "caro": 8,
        "exact-caro": 9,
    }


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.label)
def test_rule_from_every_name_it_has(rule: Rule) -> None:
    for name in (rule.label, rule.label.upper(), f" {rule.name} ", rule.name.lower(), str(int(rule)), int(rule), rule):
        assert Rule.from_name(name) is rule


@pytest.mark.parametrize("name", ["", "gomoku", "2", 2, -1])
def test_unknown_rule_lists_the_known_ones(name: str | int) -> None:
    with pytest.raises(ValueError, match=r"known rules: freestyle \(0\), .*exact-caro \(9\)"):
        Rule.from_name(name)


def test_board_contents_are_four_different_numbers() -> None:
    assert [EMPTY_POINT, int(BLACK), int(WHITE), WALL] == [0, 1, 2, 3]


def test_colors_oppose_each_other() -> None:
    assert [BLACK.other, WHITE.other] == [WHITE, BLACK]
    assert all(color.other.other is color for color in Color)


@pytest.mark.parametrize(
    ("move", "top", "bottom", "pair"),
    [
        (Move(0, 0), "a1", "a15", "0,0"),
        (Move(7, 7), "h8", "h8", "7,7"),
        (Move(8, 2), "i3", "i13", "8,2"),
        (Move(14, 14), "o15", "o1", "14,14"),
    ],
)
def test_move_texts(move: Move, top: str, bottom: str, pair: str) -> None:
    assert move.text == move.to_text(origin="top", height=15) == top
    assert move.to_text(origin="bottom", height=15) == bottom
    assert str(move) == pair


def test_move_refuses_an_unknown_origin() -> None:
    with pytest.raises(ValueError, match="'middle'"):
        Move(0, 0).to_text(origin="middle", height=15)


def test_move_number_counts_row_by_row() -> None:
    assert [Move(x, y).number(3) for y in range(2) for x in range(3)] == list(range(6))


def test_move_is_a_plain_pair() -> None:
    x, y = Move(3, 4)
    assert (x, y) == Move(3, 4) == (3, 4)
    assert len({Move(3, 4), Move(3, 4)}) == 1


def test_foul_labels_and_order() -> None:
    assert [foul.label for foul in sorted(Foul)] == ["none", "overline", "double-four", "double-three"]
    assert [bool(foul) for foul in sorted(Foul)] == [False, True, True, True]


def test_outcome_defaults() -> None:
    draw = Outcome(None, Termination.FULL_BOARD)
    assert draw == (None, Termination.FULL_BOARD, (), Foul.NONE)


def test_illegal_move_error_keeps_the_move_and_the_reason() -> None:
    error = IllegalMoveError(Move(7, 7), "the point is occupied")
    assert str(error) == "illegal move 7,7: the point is occupied"
    assert (error.move, error.reason) == (Move(7, 7), "the point is occupied")


@pytest.mark.parametrize("kind", [IllegalMoveError, InvalidPositionError])
def test_errors_can_be_caught_as_ours_or_as_value_errors(kind: type[Exception]) -> None:
    assert issubclass(kind, GomokuError)
    assert issubclass(kind, ValueError)
