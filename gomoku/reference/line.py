"""The shape of one line through a stone, from its recursive definition.

A window is the line's 11 points at offsets -5 to +5 from the stone, written with the symbols ``X`` (own stone), ``O``
(opposing stone), ``.`` (empty) and ``#`` (wall or outside of the board). The stone itself, in the centre, has just
been placed and is always own.

Every shape that is not yet a five is defined by the shapes that one more own stone makes of it, so the definition is
the program. Fouls are judged inside the window alone; whether a stone is legal on the whole board is not asked here.
"""

from __future__ import annotations

from functools import lru_cache

from gomoku.types import Color, Rule

SHAPES: tuple[str, ...] = (
    "DEAD",
    "ONE",
    "OPEN_ONE",
    "TWO",
    "OPEN_TWO_1",
    "OPEN_TWO_2",
    "OPEN_TWO_3",
    "THREE",
    "OPEN_THREE_1",
    "OPEN_THREE_2",
    "FOUR",
    "OPEN_FOUR",
    "FIVE",
    "FORBIDDEN",
)
"""The names of all shapes, roughly from the weakest to the strongest, the forbidden one last."""

WINDOW_LENGTH = 11
"""Points in a window."""

SYMBOLS = "XO.#"
"""What a point of a window can be."""

_REACH = 4
"""How far from the centre a stone can stand and still share a five with it."""


def line_shape(window: str, rule: Rule, color: Color) -> str:
    """The name of the shape that the centre stone of ``window`` has in its line; one of :data:`SHAPES`.

    * ``FIVE``: the run through the centre wins by the rule.
    * ``FORBIDDEN``: an overline or two fours in the line, for black in renju.
    * ``OPEN_FOUR``, ``FOUR``: two or more points, or one point, make a five.
    * ``OPEN_THREE_2``, ``OPEN_THREE_1``: two or more points, or one point, make an open four.
    * ``THREE``: some point makes a four.
    * ``OPEN_TWO_3``, ``OPEN_TWO_2``, ``OPEN_TWO_1``: four or more, three, or fewer points make an open three.
    * ``TWO``: some point makes a three. ``OPEN_ONE``: some point makes an open two. ``ONE``: some point makes a two.
    * ``DEAD``: anything else, including a run of five or more that does not win.

    Args:
        window: 11 symbols; the one in the centre is taken to be ``X`` and may be written ``.`` as well.
        rule: the rule; in freestyle only the offsets -4 to +4 are looked at.
        color: the side of the ``X`` stones; only renju makes a difference.

    Raises:
        ValueError: the window has another length, another symbol, or something else in its centre.

    Example:
        >>> line_shape("....XXX....", Rule.STANDARD, Color.BLACK)
        'OPEN_THREE_2'
        >>> line_shape(".X.XXX.X...", Rule.RENJU, Color.BLACK)
        'FORBIDDEN'
    """
    centre = WINDOW_LENGTH // 2
    if len(window) != WINDOW_LENGTH or not set(window) <= set(SYMBOLS) or window[centre] not in "X.":
        raise ValueError(f"{window!r} is no window: write {WINDOW_LENGTH} of {SYMBOLS!r} with 'X' in the centre")
    window = _with_stone(window, centre)
    if rule is Rule.FREESTYLE:
        window = window[centre - _REACH : centre + _REACH + 1]
    if rule not in (Rule.CARO, Rule.CARO_EXACT):
        window = window.replace("#", "O")  # only caro asks what kind of thing blocks a line
    return _shape(window, rule, color if rule is Rule.RENJU else Color.BLACK)


@lru_cache(maxsize=1 << 18)
def _shape(window: str, rule: Rule, color: Color) -> str:
    """The definition itself, on a window whose centre is ``X``."""
    black_in_renju = rule is Rule.RENJU and color is Color.BLACK
    first, last = _run(window)
    length = last - first + 1
    if _wins(window, rule, color):
        return "FIVE"
    if black_in_renju and length >= 6:
        return "FORBIDDEN"
    if length >= 5:
        return "DEAD"

    points = _near_points(window)
    next_shapes = [_shape(_with_stone(window, at), rule, color) for at in points]

    five_points = [at for at, shape in zip(points, next_shapes, strict=True) if shape == "FIVE"]
    if len(five_points) >= 2:
        one_straight_four = len(five_points) == 2 and five_points[1] - five_points[0] == 5
        if black_in_renju and not one_straight_four:
            return "FORBIDDEN"
        return "FOUR" if _one_stone_stops(window, rule, color) else "OPEN_FOUR"
    if len(five_points) == 1:
        return "FOUR"
    return _slow_shape(next_shapes)


def _one_stone_stops(window: str, rule: Rule, color: Color) -> bool:
    """Whether one opposing stone leaves no five; only in caro, where it may also spoil a five from its end."""
    if rule not in (Rule.CARO, Rule.CARO_EXACT):
        return False
    for at in range(len(window)):
        if window[at] == ".":
            stopped = window[:at] + "O" + window[at + 1 :]
            if not any(_wins(_with_stone(stopped, five), rule, color) for five in _near_points(stopped)):
                return True
    return False


def _near_points(window: str) -> list[int]:
    """The empty points where a stone could still share a five with the centre."""
    centre = len(window) // 2
    return [at for at in range(centre - _REACH, centre + _REACH + 1) if window[at] == "."]


def _slow_shape(next_shapes: list[str]) -> str:
    """The shape of a line without a five point, from the shapes that one more stone makes of it."""
    open_fours = next_shapes.count("OPEN_FOUR")
    if open_fours:
        return "OPEN_THREE_2" if open_fours >= 2 else "OPEN_THREE_1"
    if "FOUR" in next_shapes:
        return "THREE"
    open_threes = next_shapes.count("OPEN_THREE_1") + next_shapes.count("OPEN_THREE_2")
    if open_threes:
        return f"OPEN_TWO_{min(max(open_threes - 1, 1), 3)}"
    if "THREE" in next_shapes:
        return "TWO"
    if any(shape in ("OPEN_TWO_1", "OPEN_TWO_2", "OPEN_TWO_3") for shape in next_shapes):
        return "OPEN_ONE"
    return "ONE" if "TWO" in next_shapes else "DEAD"


def _wins(window: str, rule: Rule, color: Color) -> bool:
    """Whether the run through the centre wins by the rule; a block in caro is an opposing stone, never a wall."""
    first, last = _run(window)
    length = last - first + 1
    blocked_twice = window[max(first - 1, 0)] == "O" and window[min(last + 1, len(window) - 1)] == "O"
    if rule is Rule.FREESTYLE or (rule is Rule.RENJU and color is Color.WHITE):
        return length >= 5
    if rule is Rule.CARO:
        return length >= 6 or (length == 5 and not blocked_twice)
    if rule is Rule.CARO_EXACT:
        return length == 5 and not blocked_twice
    return length == 5


def _run(window: str) -> tuple[int, int]:
    """The first and the last index of the block of ``X`` through the centre."""
    first = last = len(window) // 2
    while first > 0 and window[first - 1] == "X":
        first -= 1
    while last < len(window) - 1 and window[last + 1] == "X":
        last += 1
    return first, last


def _with_stone(window: str, at: int) -> str:
    """The window with an own stone at this index."""
    return window[:at] + "X" + window[at + 1 :]
