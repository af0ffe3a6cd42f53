"""Board pictures: sound XML, as many parts as the position has, and words for those who cannot see it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("hypothesis")

from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku import svg
from gomoku._core.board import Board
from gomoku.types import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Color, IllegalMoveError, Move, Rule, Termination

SVG = "{http://www.w3.org/2000/svg}"
SIDES = range(MIN_SIZE, MAX_SIZE + 1)
RED = "#d63a1e"
FIVE = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
DOUBLE_THREE = Board.from_text("h8h9i7i9h10i6i11i12", origin="top", rule=Rule.RENJU)
"""Black may not play g9."""


class Picture:
    """A parsed picture, and its parts by kind."""

    def __init__(self, board: Board, **options: object) -> None:
        self.text = svg.board(board, **options)  # type: ignore[arg-type]
        self.root = ET.fromstring(self.text)

    def parts(self, kind: str, tag: str) -> Iterator[ET.Element]:
        """All elements with this tag in groups of this kind."""
        for group in self.root.iter(f"{SVG}g"):
            if group.get("class") == f"gomoku-{kind}":
                yield from group.iter(f"{SVG}{tag}")

    def count(self, kind: str, tag: str) -> int:
        return len(list(self.parts(kind, tag)))

    def texts(self, kind: str) -> list[str]:
        return [element.text or "" for element in self.parts(kind, "text")]

    def paths(self, kind: str) -> list[str]:
        return [element.attrib["d"] for element in self.parts(kind, "path")]

    def said(self, tag: str) -> str:
        element = self.root.find(f"{SVG}{tag}")
        assert element is not None
        assert element.text is not None
        return element.text

    def crosses(self) -> list[ET.Element]:
        return [path for path in self.parts("shapes", "path") if path.get("stroke") == RED]

    def shades(self) -> dict[tuple[int, int], str]:
        """Colours of heat by point, on boards with coordinates and no title."""
        found = {}
        for path in self.parts("heat", "path"):
            for x, y in re.findall(r"M(\d+) (\d+)v40", path.attrib["d"]):
                found[(int(x) - 48) // 40, (int(y) + 20 - 48) // 40] = path.attrib["stroke"]
        return found


def luminance(color: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


# --- The board ---


@pytest.mark.parametrize("height", SIDES)
def test_every_size_has_its_lines_and_labels(height: int) -> None:
    for width in SIDES:
        picture = Picture(Board(width, height), size=300)
        lines = picture.paths("grid")[0]
        assert (lines.count("H"), lines.count("V")) == (height, width)
        assert picture.count("coordinates", "text") == 2 * (width + height)
        assert picture.root.get("viewBox") == f"0 0 {40 * (width - 1) + 96} {40 * (height - 1) + 96}"


@pytest.mark.parametrize(
    ("width", "height", "stars"), [(15, 15, 5), (19, 19, 9), (20, 20, 0), (15, 19, 0), (19, 15, 0)]
)
def test_star_points(width: int, height: int, stars: int) -> None:
    paths = Picture(Board(width, height)).paths("grid")
    assert sum(path.count("h.1") for path in paths) == stars


def test_labels_count_rows_from_the_origin() -> None:
    top = Picture(Board(20, 10)).texts("coordinates")
    bottom = Picture(Board(20, 10), origin="bottom").texts("coordinates")
    assert top[:20] == bottom[:20] == list("abcdefghijklmnopqrst")
    assert top[40:50] == top[50:] == [str(row) for row in range(1, 11)]
    assert bottom[40:] == [*reversed(top[40:50])] * 2
    assert Picture(Board(20, 10), coordinates=False).count("coordinates", "text") == 0


@pytest.mark.parametrize("coordinates", [True, False])
def test_an_unknown_origin_is_refused(coordinates: bool) -> None:
    with pytest.raises(ValueError, match="origin must be 'top' or 'bottom', not 'left'"):
        svg.board(Board(15), origin="left", coordinates=coordinates)


def test_size_is_the_width_and_keeps_the_proportions() -> None:
    root = Picture(Board(20, 10), size=500).root
    width, height = (float(number) for number in root.attrib["viewBox"].split()[2:])
    assert root.get("width") == "500"
    assert float(root.attrib["height"]) == pytest.approx(500 * height / width, abs=0.06)
    assert "width" not in Picture(Board(15)).root.attrib


@pytest.mark.parametrize("size", [0, -3, 0.5, math.inf, math.nan])
def test_sizes_that_no_picture_has(size: float) -> None:
    with pytest.raises(ValueError, match=f"size must be 1 pixel or more, not {size!r}"):
        svg.board(Board(15), size=size)


def test_pictures_can_share_a_page() -> None:
    picture = Picture(DOUBLE_THREE, heat=np.ones((15, 15)), numbers=True, title="A", marks={"a1": "circle"})
    assert all("id" not in element.attrib for element in picture.root.iter())
    assert not {f"{SVG}style", f"{SVG}defs"} & {element.tag for element in picture.root.iter()}
    assert "url(" not in picture.text


def test_labels_can_be_read() -> None:
    wood = Picture(Board(15)).root.find(f"{SVG}rect")
    assert wood is not None
    groups = list(Picture(Board(15), title="A", marks={"a1": "A"}).root.iter(f"{SVG}g"))
    inks = [ink for group in groups if (ink := group.get("fill")) is not None]
    assert len(inks) == 3
    assert all(contrast(ink, wood.attrib["fill"]) > 4.5 for ink in inks)


# --- Stones ---


def test_stones_stand_where_they_were_played() -> None:
    picture = Picture(Board.from_text("a1c2b1", origin="top"))
    places = {kind: [(c.get("cx"), c.get("cy")) for c in picture.parts(kind, "circle")] for kind in ("black", "white")}
    assert places == {"black": [("48", "48"), ("88", "48")], "white": [("128", "88")]}
    assert picture.paths("gloss")[0].count("h.1") == 2


def test_the_last_stone_has_a_ring() -> None:
    (ring,) = Picture(FIVE).parts("last", "circle")
    assert (ring.get("cx"), ring.get("cy")) == (str(48 + 40 * 11), str(48 + 40 * 7))
    assert Picture(FIVE, lastmove=False).count("last", "circle") == 0
    assert Picture(Board(15)).count("last", "circle") == 0


def test_numbers_are_those_of_the_moves() -> None:
    assert sorted(Picture(FIVE, numbers=True).texts("labels"), key=int) == [str(number) for number in range(1, 10)]
    assert sorted(Picture(FIVE, numbers=True, numbers_from=8).texts("labels")) == ["8", "9"]
    assert Picture(FIVE).texts("labels") == []
    with pytest.raises(ValueError, match="numbers_from must be 1 or more, not 0"):
        svg.board(FIVE, numbers=True, numbers_from=0)


def test_walls() -> None:
    walls = [(0, 0), (19, 9), (5, 5)]
    picture = Picture(Board.from_stones(["k5"], [], walls=walls, width=20, height=10))
    assert [path.count("M") for path in picture.paths("walls")] == [3, 3]
    assert "Walls: a1 f6 t10." in picture.said("desc")
    blocked = Board.from_stones([], [], walls=[(x, y) for x in range(5) for y in range(5)], width=5)
    assert "a draw" in Picture(blocked).said("title")


@pytest.mark.parametrize(("board", "framed"), [(FIVE, 2), (DOUBLE_THREE, 0)])
def test_the_winning_line_is_framed(board: Board, framed: int) -> None:
    assert Picture(board).count("line", "path") == framed
    assert Picture(board, winning_line=False).count("line", "path") == 0


def test_the_frame_goes_from_end_to_end() -> None:
    assert set(Picture(FIVE).paths("line")) == {"M328 328L488 328"}


# --- Marks and fouls ---


def test_marks_are_shapes_or_texts() -> None:
    marks = {"a1": "circle", Move(1, 0): "cross", (2, 0): "square", 3: "triangle", "h8": "A", (4, 4): "?!"}
    picture = Picture(FIVE, marks=marks, numbers=True)
    assert picture.count("shapes", "path") == 4
    assert sorted(picture.texts("labels")) == sorted(
        ["A", "?!", "3", "5", "7", "9", "4", "6", "8"]
    )  # A for 1, shape for 2


def test_the_text_of_marks_counts_rows_as_the_labels_do() -> None:
    from_top = Picture(Board(15), marks={"b3": "A"}, coordinates=False)
    from_bottom = Picture(Board(15), origin="bottom", marks={"b13": "A"}, coordinates=False)
    assert from_top.texts("labels") == from_bottom.texts("labels") == ["A"]
    assert from_top.paths("labels") == from_bottom.paths("labels") == ["M70 110h.1"]


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("p1", "'p1' is not on a board of 15 columns and 15 rows"),
        ("hello", "'hello' is not a point"),
        ((15, 0), "not on a board of 15 x 15"),
        ((0.5, 0), "illegal move"),
        (225, "not on a board of 15 x 15"),
        (None, "illegal move None"),
    ],
)
def test_marks_off_the_board(point: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        svg.board(Board(15), marks={point: "A"})  # type: ignore[dict-item]


def test_lines_are_hidden_behind_texts_on_empty_points_only() -> None:
    picture = Picture(FIVE, marks={"h8": "A", "o15": "B", "o1": "circle"}, numbers=True)
    assert picture.paths("labels") == ["M608 608h.1"]


def test_long_marks_are_smaller() -> None:
    sizes = [
        float(next(Picture(Board(15), marks={"a1": "W" * length}).parts("labels", "text")).attrib["font-size"])
        for length in (1, 3, 6, 12)
    ]
    assert sizes[0] == sizes[1]
    assert sizes[1] > sizes[2] > sizes[3] > 0


def test_marks_differ_from_what_is_below_them() -> None:
    board = Board.from_stones(["a1"], ["b1"], walls=["c1"])
    heat = np.zeros((15, 15))
    heat[0, 3], heat[0, 4] = 1.0, 0.1
    picture = Picture(board, heat=heat, marks={f"{letter}1": letter for letter in "abcde"}, lastmove=False)
    inks = {
        text.text: group.attrib["fill"]
        for group in picture.root.iter(f"{SVG}g")
        if group.get("class") == "gomoku-text"
        for text in group
    }
    below = {"a": "#262422", "b": "#e6e0d5", "c": "#776350", "d": picture.shades()[3, 0], "e": picture.shades()[4, 0]}
    assert all(contrast(inks[letter], color) > 4.5 for letter, color in below.items())


def test_forbidden_points_are_crossed_out() -> None:
    (cross,) = Picture(DOUBLE_THREE).crosses()
    assert cross.attrib["d"].startswith(f"M{48 + 40 * 6} {48 + 40 * 8}m")
    assert "Forbidden for black: g7." in Picture(DOUBLE_THREE, origin="bottom").said("desc")
    assert Picture(DOUBLE_THREE, fouls=False).crosses() == []
    assert "Forbidden" not in Picture(DOUBLE_THREE, fouls=False).said("desc")
    marked = Picture(DOUBLE_THREE, marks={"g9": "F"})
    assert (marked.crosses(), marked.texts("labels")) == ([], ["F"])
    assert [group.get("fill") for group in marked.root.iter(f"{SVG}g") if group.get("class") == "gomoku-text"] != [RED]
    free = Board.from_text(DOUBLE_THREE.text(origin="top"), origin="top")
    assert Picture(free).crosses() == []


def test_the_foul_that_lost_is_crossed_out_even_when_play_went_on() -> None:
    board = DOUBLE_THREE.copy()
    board.push_unchecked("g9")
    for later in ("a1", "b1", "c1"):
        outcome = board.outcome()
        assert outcome is not None
        assert outcome.termination is Termination.FOUL
        picture = Picture(board, numbers=True)
        (cross,) = picture.crosses()
        assert cross.attrib["d"].startswith(f"M{48 + 40 * 6} {48 + 40 * 8}m")
        assert "9" not in picture.texts("labels")
        assert "white wins by a foul of black, double-three" in picture.said("title")
        board.push_unchecked(later)


# --- Heat ---


def test_heat_goes_from_pale_to_dark() -> None:
    heat = [[x + 15 * y for x in range(15)] for y in range(15)]
    picture = Picture(Board(15), heat=heat)
    shades = picture.shades()
    assert len(set(shades.values())) == 23
    lights = [luminance(shades[x, y]) for y in range(15) for x in range(15) if (x, y) in shades]
    assert all(before >= after for before, after in pairwise(lights))
    assert lights[0] > 8 * lights[-1]
    assert len(shades) == len(lights) == 225 - 5  # 0 to 4 of 224 are less than half a step
    assert "Heat from 0 on a1 to 224 on o15." in picture.said("desc")


def test_arrays_and_sequences_are_alike() -> None:
    heat = np.random.default_rng(1).random((9, 12), dtype=np.float32)
    board = Board(12, 9)
    expected = svg.board(board, heat=heat)
    assert svg.board(board, heat=heat.tolist()) == expected
    assert svg.board(board, heat=tuple(tuple(row) for row in heat)) == expected
    assert svg.board(board, heat=list(heat)) == expected
    assert svg.board(board, heat=np.asfortranarray(heat)) == expected


@pytest.mark.parametrize("blank", [math.nan, math.inf, -math.inf, 0.0, -0.0, None])
def test_blank_points(blank: float | None) -> None:
    heat: list[list[float | None]] = [[blank] * 15 for _ in range(15)]
    assert Picture(Board(15), heat=heat, heat_text=True).shades() == {}
    heat[4][3] = 0.5
    picture = Picture(Board(15), heat=heat, heat_text=True)
    assert set(picture.shades()) == {(3, 4)}
    assert picture.texts("labels") == [".50"]


@pytest.mark.parametrize("value", [3, 1e-320, 1e308, -2.5, -1e308, np.float16(0.25)])
def test_constant_heat_is_all_dark(value: float) -> None:
    shades = Picture(Board(5), heat=[[value] * 5] * 5).shades()
    assert len(shades) == 25
    assert set(shades.values()) == {"#1c3674"}


def test_a_scale_with_negative_numbers_begins_at_the_least() -> None:
    heat = np.full((5, 5), np.nan)
    heat[0, :3] = -1.7e308, 0.0, 1.7e308
    picture = Picture(Board(5), heat=heat)
    pale, middle, dark = (luminance(picture.shades()[x, 0]) for x in range(3))
    assert pale > middle > dark
    assert len(picture.shades()) == 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *[(0.071, ".07"), (0.001, "1e-3"), (0.996, "1"), (1.5, "1.5"), (3, "3"), (9.96, "10"), (230.4, "230")],
        *[(12345, "12345"), (99_999.6, "1e5"), (3e12, "3e12"), (1e-20, "1e-20")],
        *[(-0.5, "-.50"), (-7, "-7"), (-0.001, "-1e-3")],
    ],
)
def test_numbers_of_heat_are_short(value: float, text: str) -> None:
    heat = [[None] * 5 for _ in range(5)]
    heat[0][0] = value  # type: ignore[call-overload]
    assert Picture(Board(5), heat=heat, heat_text=True).texts("labels") == [text.replace("-", "\N{MINUS SIGN}")]


@pytest.mark.parametrize("heat_text", [True, False])
def test_heat_lies_on_the_lines_if_it_bears_numbers(heat_text: bool) -> None:
    groups = [group.get("class") for group in Picture(FIVE, heat=np.ones((15, 15)), heat_text=heat_text).root]
    order = ["grid", "heat"] if heat_text else ["heat", "grid"]
    layers = [f"gomoku-{kind}" for kind in [*order, "line", "shadow", "black"]]
    assert [kind for kind in groups if kind in layers] == layers


def test_stones_and_marks_hide_numbers_of_heat() -> None:
    picture = Picture(
        Board.from_text("a1", origin="top", width=5), heat=np.ones((5, 5)), heat_text=True, marks={"b1": "A"}
    )
    assert sorted(picture.texts("labels")) == ["1"] * 23 + ["A"]


@pytest.mark.parametrize(
    ("heat", "found"),
    [
        (np.zeros((15, 20)), "(15, 20)"),
        (np.zeros(200), "(200,)"),
        (np.zeros(()), "()"),
        (np.zeros((10, 20, 1)), "(10, 20, 1)"),
        (np.zeros((0, 20)), "(0, 20)"),
        ([[0] * 10] * 20, "(20, 10)"),
        ([[0] * 20] * 9 + [[0] * 19], "(10, 19 or 20)"),
        ([], "(0, )"),
        ([0] * 200, "no rows"),
        (7, "no rows"),
    ],
)
def test_heat_of_another_shape_names_both(heat: object, found: str) -> None:
    with pytest.raises(ValueError, match=r"shape \(height, width\) = \(10, 20\)") as caught:
        svg.board(Board(20, 10), heat=heat)  # type: ignore[arg-type]
    assert found in str(caught.value)


@pytest.mark.parametrize("wrong", ["much", [1], 1j, 10**400])
def test_heat_that_is_no_number(wrong: object) -> None:
    heat: list[list[object]] = [[0] * 5 for _ in range(5)]
    heat[1][2] = wrong
    with pytest.raises(ValueError, match="heat must hold numbers or None: "):
        svg.board(Board(5), heat=heat)  # type: ignore[arg-type]


# --- Words ---


def test_the_position_in_words() -> None:
    picture = Picture(Board.from_text("h8i9", origin="top"), origin="bottom")
    assert picture.said("title") == "Gomoku board of 15 columns and 15 rows, freestyle: black to move."
    assert picture.said("desc") == (
        f"{picture.said('title')} Black: h8. White: i7. Last stone: i7. The top left corner is a15."
    )
    assert "black wins with h8 i8 j8 k8 l8." in Picture(FIVE).said("title")
    assert picture.root.get("role") == "img"


def test_titles_and_marks_are_escaped() -> None:
    text = "<script>\"&'</script>]]>\x00\x1b\ud800\ufffe\u202e\n five"
    picture = Picture(Board(15), title=text, marks={"a1": text})
    shown = "<script>\"&'</script>]]>" + "\N{REPLACEMENT CHARACTER}" * 5 + " five"
    assert picture.said("title") == shown
    assert picture.texts("title") == picture.texts("labels") == [shown]
    assert picture.text.isprintable()
    picture.text.encode()


def test_titles_make_room_and_fit() -> None:
    bare, short, long = (Picture(Board(15), title=title) for title in (" \n", "Final", "W" * 500))
    height, higher = (int(picture.root.attrib["viewBox"].split()[3]) for picture in (bare, short))
    assert higher == height + 34
    assert bare.texts("title") == []
    size = float(next(long.parts("title", "text")).attrib["font-size"])
    assert 0 < size * 500 < 2 * int(long.root.attrib["viewBox"].split()[2])


# --- Any board ---


@st.composite
def boards(draw: st.DrawFn) -> Board:
    width, height = draw(st.integers(MIN_SIZE, MAX_SIZE)), draw(st.integers(MIN_SIZE, MAX_SIZE))
    points = draw(st.lists(st.integers(0, width * height - 1), max_size=80, unique=True))
    walls = draw(st.integers(0, min(5, len(points))))
    stones = [(point, Color(draw(st.integers(1, 2)))) for point in points[walls:]]
    rule, turn = draw(st.sampled_from(Rule)), draw(st.sampled_from(Color))
    return Board.from_history(stones, to_move=turn, walls=points[:walls], width=width, height=height, rule=rule)


@settings(max_examples=60, deadline=None)
@given(
    boards(),
    st.sampled_from(["top", "bottom"]),
    st.tuples(*[st.booleans()] * 6),
    st.integers(0, 2**32),
    st.text(max_size=20),
)
def test_pictures_of_any_board(board: Board, origin: str, flags: tuple[bool, ...], seed: int, title: str) -> None:
    names = ("coordinates", "numbers", "lastmove", "heat_text", "fouls", "winning_line")
    heat = np.random.default_rng(seed).normal(size=(board.height, board.width)) if seed % 2 else None
    options = {"origin": origin, "heat": heat, "title": title, **dict(zip(names, flags, strict=True))}
    before = board.copy()
    picture = Picture(board, **options)
    assert picture.text == svg.board(board.copy(), **options)  # type: ignore[arg-type]
    assert board == before
    assert picture.count("black", "circle") == len(board.stones(BLACK))
    assert picture.count("white", "circle") == len(board.stones(WHITE))
    assert picture.count("last", "circle") == bool(board.ply and options["lastmove"])
    assert picture.count("coordinates", "text") == 2 * (board.width + board.height) * bool(options["coordinates"])
    drawing = re.sub(r"<(title|desc|text)\b.*?</\1>", "", picture.text)
    assert not re.search(r"\d\.\d\d", drawing), "numbers are rounded"
    outcome = board.outcome()
    won = outcome is not None and bool(outcome.line) and bool(options["winning_line"])
    assert picture.count("line", "path") == 2 * won
    if options["fouls"] and outcome is None:
        empty = [point for point in range(board.width * board.height) if board.stone(point) is None]
        assert len(picture.crosses()) == sum(bool(board.foul(point)) for point in empty)


def test_pictures_stay_small() -> None:
    assert len(svg.board(Board(15))) < 4_500
    full = Board(22)
    for point in range(22 * 22):
        full.push_unchecked(point)
    assert len(svg.board(full, numbers=True)) < 130_000


def test_refusals_are_those_of_the_board() -> None:
    with pytest.raises(IllegalMoveError):
        svg.board(Board(15), marks={(0, 99): "A"})
