"""The compiled shape tables against the definition, window by window."""

import itertools
import random

import pytest

from gomoku import Color, Rule
from gomoku._core._probe import window_shape
from gomoku.reference import line_shape


def random_window(rng: random.Random) -> str:
    """Eleven symbols with walls only at the ends, dense enough to hold fours and fives."""
    cells = [rng.choices(".XO", weights=(5, 4, 1))[0] for _ in range(11)]
    for end in (range(rng.choice((0, 0, 0, 2, 4))), range(11 - rng.choice((0, 0, 0, 2, 4)), 11)):
        for at in end:
            cells[at] = "#"
    cells[5] = "X"
    return "".join(cells)


@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rule", Rule)
def test_random_windows_have_the_defined_shape(rule: Rule, color: Color) -> None:
    rng = random.Random(f"{rule}{color}")
    for _ in range(1_500):
        window = random_window(rng)
        assert window_shape(rule, color, window) == line_shape(window, rule, color), window


@pytest.mark.slow
@pytest.mark.parametrize("color", Color)
@pytest.mark.parametrize("rule", Rule)
def test_all_windows_have_the_defined_shape(rule: Rule, color: Color) -> None:
    symbols = ".XO#" if rule in (Rule.CARO, Rule.CARO_EXACT) else ".XO"
    for cells in itertools.product(symbols, repeat=10):
        window = "".join((*cells[:5], "X", *cells[5:]))
        assert window_shape(rule, color, window) == line_shape(window, rule, color), window
