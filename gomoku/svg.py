"""Board pictures as SVG text, for notebooks, pages and files.

A picture brings its own background and needs nothing around it: no style sheet, script, font or other picture. It has
no ids, so that any number of pictures share a page without taking each other's colours; soft edges are therefore
layers of flat discs and not gradients. Parts have classes that begin with ``gomoku-``.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gomoku.notation import format_move, parse_move
from gomoku.types import BLACK, WHITE, Move, Outcome

if TYPE_CHECKING:
    from gomoku._core.board import Board, MoveLike

_Texts: TypeAlias = Mapping[Move, str]
_CELL, _RADIUS = 40, 18  # from line to line; of a stone. All lengths are in these units.
_MARGIN, _BARE_MARGIN, _HEADING = 48, 30, 34
_WOOD, _EDGE, _LINE, _LABEL = "#ecd2a2", "#cfae74", "#8a6c42", "#6b5029"
_INK, _PAPER, _ALERT, _GLOW = "#2a2119", "#fffdf8", "#d63a1e", "#f7b267"
_WALL, _WALL_EDGE, _STONES, _RIM = "#776350", "#5d4c39", {BLACK: "#262422", WHITE: "#e6e0d5"}, "#8c8375"
_SHADOW = ((40, 1), (38, 2), (36, 3))  # discs on each other: width, shift to the lower right
_GLOSS = {BLACK: ((26, -2), (21, -3), (16, -4), (11, -5), (7, -6)), WHITE: ((32, -1), (28, -2), (23, -3), (17, -4))}
_GLOSS_OPACITY = {BLACK: ".05", WHITE: ".3"}
_PEN = 'stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round"'
_STARS = {
    15: [Move(3, 3), Move(11, 3), Move(7, 7), Move(3, 11), Move(11, 11)],
    19: [Move(x, y) for y in (3, 9, 15) for x in (3, 9, 15)],
}
_SHAPES = {  # paths that start in the middle of a point
    "circle": "m-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0z",
    "cross": "m-8-8l16 16m-16 0l16-16",
    "square": "m-9-9h18v18h-18z",
    "triangle": "m0-11l10 17h-20z",
}
_HEAT_STEPS = 23  # points of one shade share one element
# Every stop is darker than the one before, so that the scale reads without its hues.
_HEAT_STOPS = ((221, 214, 178), (140, 190, 178), (66, 146, 178), (40, 98, 154), (28, 54, 116))


def board(
    board: Board,
    *,
    size: float | None = None,
    origin: str = "top",
    coordinates: bool = True,
    numbers: bool = False,
    numbers_from: int = 1,
    lastmove: bool = True,
    marks: Mapping[MoveLike, str] | None = None,
    heat: Iterable[Iterable[float | None]] | None = None,
    heat_text: bool = False,
    fouls: bool = True,
    winning_line: bool = True,
    title: str = "",
) -> str:
    """Return a picture of a board as SVG text, always the same for the same arguments; ``<desc>`` tells it in words.

    Args:
        board: the position.
        size: width in CSS pixels, the height follows; left out, the picture is as wide as its place on the page.
        origin: ``"top"`` or ``"bottom"``: where row 1 is, in labels, in words and in text that names a point.
        coordinates: whether columns and rows have labels.
        numbers: whether stones bear their move number.
        numbers_from: the first number to show, such as 4 to leave three opening stones bare.
        lastmove: whether a ring shows the last stone.
        marks: what to draw on points, instead of a number or a foul's cross. The words ``circle``, ``cross``,
            ``square`` and ``triangle`` are shapes; other text is written, best a letter or two. Points are moves
            in any form that a board takes.
        heat: numbers of shape (height, width) to show as shades under the stones: nested sequences or an array. The
            scale begins at 0, or at the least number if that is negative, and ends at the greatest. ``None``, NaN and
            infinite numbers are left out, and so is what rounds to 0 on a scale of 23 steps that begins there.
        heat_text: whether the numbers of the shaded points are written on them.
        fouls: whether red crosses show where black may not play in renju, or the foul that lost the game.
        winning_line: whether the line that won is framed.
        title: a heading, also the accessible name.

    Raises:
        ValueError: ``origin`` is neither of the two, ``size`` or ``numbers_from`` is less than 1, a mark is off the
            board, or ``heat`` has not the board's shape or holds something that is no number.

    Example:
        >>> from gomoku import Board, svg
        >>> picture = svg.board(Board.from_text("h8i9g7", origin="top"), size=400, numbers=True, marks={"j10": "A"})
        >>> picture[:4], picture.count("</text>") - 4 * 15
        ('<svg', 4)
    """
    if size is not None and not 1 <= size < math.inf:
        raise ValueError(f"size must be 1 pixel or more, not {size!r}")
    if numbers_from < 1:
        raise ValueError(f"numbers_from must be 1 or more, not {numbers_from!r}")
    margin, heading = _MARGIN if coordinates else _BARE_MARGIN, _HEADING if title.strip() else 0
    frame = _Frame(board.width, board.height, margin, heading)
    played, outcome = board.move_stack, board.outcome()
    forbidden = _forbidden(board, outcome) if fouls else []
    values = {} if heat is None else _heat_values(heat, board.width, board.height)
    shades = _heat_shades(values)
    labels = {move: _short(values[move]) for move in shades if heat_text and move not in played}
    labels |= {move: str(number) for number, move in enumerate(played, 1) if numbers and number >= numbers_from}
    marked = {_point(point, board, origin): text for point, text in (marks or {}).items()}
    crosses = dict.fromkeys((move for move in forbidden if move not in marked), "cross")
    words = _words(board, origin, outcome, forbidden, values)
    layers = [
        _background(frame, title),
        _coordinates(frame, origin) if coordinates else "",
        _ground(frame, shades, board.walls(), heat_above=heat_text),
        _capsule(frame, outcome.line) if outcome and outcome.line and winning_line else "",
        _stones(frame, board),
        _group("last", f'stroke="{_ALERT}" stroke-width="3"', frame.circles(played[-1:] if lastmove else [], 15)),
        _labels(frame, board, labels | crosses | marked, shades, crosses),
    ]
    return _document(frame, size, title if heading else words[0], words, layers)


def _point(point: MoveLike, board: Board, origin: str) -> Move:
    if isinstance(point, str):
        return parse_move(point, width=board.width, height=board.height, origin=origin)
    board.stone(point)  # refuses what is no point of the board
    return Move(*point) if isinstance(point, tuple) else Move(point % board.width, point // board.width)


def _forbidden(board: Board, outcome: Outcome | None) -> list[Move]:
    """Return black's forbidden points while the game goes on, then the stone that was a foul, if there is one."""
    if outcome is None:
        points = [Move(x, y) for y in range(board.height) for x in range(board.width)]
        return [move for move in points if board.stone(move) is None and board.foul(move)]
    before, stones = board.copy(), list[Move]()
    while outcome.foul and before.is_game_over():
        stones = [before.pop()]
    return stones


def _words(board: Board, origin: str, outcome: Outcome | None, fouls: list[Move], heat: dict[Move, float]) -> list[str]:
    """Return the position in sentences, the most important one first."""

    def listed(moves: Iterable[Move]) -> str:
        return " ".join(format_move(move, height=board.height, origin=origin) for move in moves)

    if outcome is None:
        state = f"{board.turn.name.lower()} to move"
    elif outcome.winner is None:
        state = "a draw"
    else:
        cause = f"by a foul of black, {outcome.foul.label}" if outcome.foul else f"with {listed(outcome.line)}"
        state = f"{outcome.winner.name.lower()} wins {cause}"
    names = ("Black", "White", "Last stone", "Walls", "Forbidden for black")
    points = (board.stones(BLACK), board.stones(WHITE), board.move_stack[-1:], board.walls(), fouls)
    words = [f"Gomoku board of {board.width} columns and {board.height} rows, {board.rule.label}: {state}."]
    words += [f"{name}: {listed(moves)}." for name, moves in zip(names, points, strict=True) if moves]
    if heat:
        ends = (min(heat, key=heat.__getitem__), max(heat, key=heat.__getitem__))
        words.append("Heat from " + " to ".join(f"{_short(heat[move])} on {listed([move])}" for move in ends) + ".")
    return [*words, f"The top left corner is {listed([Move(0, 0)])}."]


def _heat_values(heat: Iterable[Iterable[float | None]], width: int, height: int) -> dict[Move, float]:
    """Return the finite numbers of a heat map by point."""
    shape = getattr(heat, "shape", None)
    wanted = f"it must have the board's shape (height, width) = ({height}, {width})"
    try:
        rows = [list(row) for row in (heat.tolist() if hasattr(heat, "tolist") else heat)]
    except TypeError:
        raise ValueError(f"heat has {'no rows' if shape is None else f'shape {tuple(shape)}'}; {wanted}") from None
    columns = sorted({len(row) for row in rows})
    if len(rows) != height or columns != [width] or len(shape or "yx") != 2:
        found = f"({len(rows)}, {' or '.join(map(str, columns))})" if shape is None else f"{tuple(shape)}"
        raise ValueError(f"heat has shape {found}; {wanted}")
    points = [(Move(x, y), value) for y, row in enumerate(rows) for x, value in enumerate(row)]
    try:
        values = {move: math.nan if value is None else float(value) for move, value in points}
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"heat must hold numbers or None: {error}") from None
    return {move: value for move, value in values.items() if math.isfinite(value)}


def _heat_shades(values: Mapping[Move, float]) -> dict[Move, str]:
    """Return the colours of the points that have one, from pale to dark."""
    low, high = min(0.0, min(values.values(), default=0.0)), max(values.values(), default=0.0)
    if low == high == 0:
        return {}
    unit = max(abs(low), abs(high))  # divides before subtracting: the span of two floats can be too large for a float
    span = high / unit - low / unit
    steps = {move: (value / unit - low / unit) / span if span else 1.0 for move, value in values.items()}
    drawn = sorted((round(share * _HEAT_STEPS), move) for move, share in steps.items())
    return {move: _shade(step / _HEAT_STEPS) for step, move in drawn if step or low < 0}


def _shade(share: float) -> str:
    """Return the colour at 0 to 1 of the scale."""
    place = share * (len(_HEAT_STOPS) - 1)
    first = min(int(place), len(_HEAT_STOPS) - 2)
    channels = zip(_HEAT_STOPS[first], _HEAT_STOPS[first + 1], strict=True)
    return "#" + "".join(f"{round(pale + (dark - pale) * (place - first)):02x}" for pale, dark in channels)


def _short(value: float) -> str:
    """Return a number in about three characters, such as .07, 1.5, 230 or 3e9."""
    amount = abs(value)
    if amount and not 0.005 <= amount < 99_999.5:
        text = f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    elif 0 < amount < 0.995:
        text = f"{value:.2f}".replace("0.", ".", 1)
    else:
        text = f"{abs(value) and value:.{1 if amount < 9.95 else 0}f}".removesuffix(".0")
    return text.replace("-", "\N{MINUS SIGN}")


class _Frame(NamedTuple):
    """Where the points lie in the picture."""

    columns: int
    rows: int
    margin: int
    heading: int

    @property
    def size(self) -> tuple[int, int]:
        width, height = ((points - 1) * _CELL + 2 * self.margin for points in self[:2])
        return width, height + self.heading

    def at(self, x: float, y: float) -> tuple[str, str]:
        return _n(self.margin + x * _CELL), _n(self.heading + self.margin + y * _CELL)

    def dots(self, moves: Iterable[Move], width: float, paint: str, shift: float = 0) -> str:
        """Return one path with a disc on every point: hardly any line, but round ends."""
        starts = (self.at(x + shift / _CELL, y + shift / _CELL) for x, y in moves)
        steps = "".join(f"M{x} {y}h.1" for x, y in starts)
        return f'<path d="{steps}" stroke-width="{width}" stroke-linecap="round" {paint}/>' if steps else ""

    def squares(self, moves: Iterable[Move], width: int, paint: str) -> str:
        """Return one path with a square on every point: lines as long as they are wide."""
        steps = "".join(f"M{x} {y}v{width}" for x, y in (self.at(x, y - width / 2 / _CELL) for x, y in moves))
        return f'<path d="{steps}" stroke-width="{width}" {paint}/>' if steps else ""

    def circles(self, moves: Iterable[Move], radius: int) -> list[str]:
        return [f'<circle cx="{x}" cy="{y}" r="{radius}"/>' for x, y in (self.at(*move) for move in moves)]

    def text(self, x: float, y: float, text: str, size: float, room: float = 52) -> str:
        """Return text around a point, smaller where it would be wider than its room."""
        size = min(size, room / max(1, len(text)))
        left, base = self.at(x, y + 0.36 * size / _CELL)
        return f'<text x="{left}" y="{base}" font-size="{_n(size)}">{_escaped(text)}</text>'


def _background(frame: _Frame, title: str) -> str:
    width, height = frame.size
    box = f'width="{width - 2}" height="{height - 2}" rx="10" fill="{_WOOD}" stroke="{_EDGE}" stroke-width="2"'
    place = (frame.columns - 1) / 2, -(frame.margin + 8) / _CELL
    text = frame.text(*place, title, 20, room=1.7 * width) if frame.heading else ""
    return f'<rect x="1" y="1" {box}/>' + _group("title", f'fill="{_INK}" font-weight="600"', [text])


def _coordinates(frame: _Frame, origin: str) -> str:
    columns = [(x, Move(x, 0).text[0]) for x in range(frame.columns)]
    rows = [(y, format_move(Move(0, y), height=frame.rows, origin=origin)[1:]) for y in range(frame.rows)]
    texts = [frame.text(x, y, name, 14) for y in (-0.78, frame.rows - 0.22) for x, name in columns]
    texts += [frame.text(x, y, name, 14) for x in (-0.78, frame.columns - 0.22) for y, name in rows]
    return _group("coordinates", f'fill="{_LABEL}"', texts)


def _ground(frame: _Frame, shades: _Texts, walls: Sequence[Move], *, heat_above: bool) -> str:
    """Return heat, lines and walls; heat above the lines leaves none behind numbers."""
    heat = [frame.squares(moves, _CELL, f'stroke="{shade}"') for shade, moves in _by_paint(shades)]
    (left, top), (right, bottom) = frame.at(0, 0), frame.at(frame.columns - 1, frame.rows - 1)
    lines = "".join(f"M{left} {frame.at(0, y)[1]}H{right}" for y in range(frame.rows))
    lines += "".join(f"M{frame.at(x, 0)[0]} {top}V{bottom}" for x in range(frame.columns))
    border = f'<path d="M{left} {top}H{right}V{bottom}H{left}z" stroke-width="2.4"/>'
    stars = frame.dots(_STARS.get(frame.columns, []) if frame.columns == frame.rows else [], 9, "")
    grid = _group("grid", f'stroke="{_LINE}"', [f'<path d="{lines}" stroke-width="1.2"/>', border, stars])
    blocks = [frame.squares(walls, width, f'stroke="{paint}"') for width, paint in ((38, _WALL_EDGE), (32, _WALL))]
    layers = [_group("heat", "", heat), grid]
    return "".join(reversed(layers) if heat_above else layers) + _group("walls", "", blocks)


def _capsule(frame: _Frame, line: Sequence[Move]) -> str:
    path = "M{} {}L{} {}".format(*frame.at(*line[0]), *frame.at(*line[-1]))
    strokes = (f'stroke-width="45" stroke="{_ALERT}"', f'stroke-width="40" stroke="{_GLOW}"')
    return _group("line", 'stroke-linecap="round"', [f'<path d="{path}" {stroke}/>' for stroke in strokes])


def _stones(frame: _Frame, board: Board) -> str:
    """Return shadows, stones and the light on them; a layer is one element for all stones."""
    shadow = [frame.dots(board.move_stack, width, "", shift) for width, shift in _SHADOW]
    parts = [_group("shadow", 'stroke="#2b1a05" stroke-opacity=".09"', shadow)]
    for color, fill in _STONES.items():
        stones = board.stones(color)
        rim = f' stroke="{_RIM}"' if color is WHITE else ""
        parts.append(_group(color.name.lower(), f'fill="{fill}"{rim}', frame.circles(stones, _RADIUS)))
        gloss = [frame.dots(stones, width, "", shift) for width, shift in _GLOSS[color]]
        parts.append(_group("gloss", f'stroke="#fff" stroke-opacity="{_GLOSS_OPACITY[color]}"', gloss))
    return "".join(parts)


def _labels(frame: _Frame, board: Board, labels: _Texts, shades: _Texts, fouls: Iterable[Move]) -> str:
    """Return shapes and texts; behind texts on empty points a disc of the ground's colour hides the lines."""
    stones = {move: fill for color, fill in _STONES.items() for move in board.stones(color)}
    grounds = {**dict.fromkeys(labels, _WOOD), **shades, **dict.fromkeys(board.walls(), _WALL), **stones}
    inks = {move: _ink_on(grounds[move]) for move in labels} | dict.fromkeys(fouls, _ALERT)
    texts = {move: inks[move] for move, text in labels.items() if text not in _SHAPES}
    discs = _by_paint({m: grounds[m] for m in texts if m not in stones} | {m: _WOOD for m in fouls if m in shades})
    parts = [frame.dots(moves, 30, f'stroke="{paint}"') for paint, moves in discs]
    for ink, moves in _by_paint(texts):
        parts.append(_group("text", f'fill="{ink}"', [frame.text(*move, labels[move], 16) for move in moves]))
    starts = ((move, "M{} {}".format(*frame.at(*move))) for move in labels if move not in texts)
    shapes = [f'<path d="{at}{_SHAPES[labels[move]]}" stroke="{inks[move]}"/>' for move, at in starts]
    return _group("labels", 'font-weight="600"', parts) + _group("shapes", _PEN, shapes)


def _document(frame: _Frame, size: float | None, title: str, words: Iterable[str], layers: Iterable[str]) -> str:
    width, height = frame.size
    scale = "" if size is None else f' width="{_n(size)}" height="{_n(size * height / width)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{scale} role="img" '
        'class="gomoku-board" fill="none" font-family="Helvetica,Arial,sans-serif" text-anchor="middle">'
        f"<title>{_escaped(title)}</title><desc>{_escaped(' '.join(words))}</desc>{''.join(layers)}</svg>"
    )


def _group(kind: str, paint: str, parts: Iterable[str]) -> str:
    body = "".join(parts)
    return f'<g class="gomoku-{kind}" {paint}>{body}</g>' if body else ""


def _by_paint(paints: _Texts) -> Iterable[tuple[str, list[Move]]]:
    """Return the points of every colour, colours in the order in which they come first."""
    groups: dict[str, list[Move]] = {}
    for move, paint in paints.items():
        groups.setdefault(paint, []).append(move)
    return groups.items()


def _ink_on(ground: str) -> str:
    """Return the colour of text that reads best on another."""
    red, green, blue = (int(ground[i : i + 2], 16) for i in (1, 3, 5))
    return _INK if 0.3 * red + 0.59 * green + 0.11 * blue > 115 else _PAPER


def _escaped(text: str) -> str:
    """Return a text for XML, in one line and without the characters that XML does not have."""
    line = " ".join(text.split())
    return html.escape("".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line))


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
