"""How a match report looks: figures and tables in a terminal and a browser, charts as inline SVG, the page around them.

One file is all a page needs: no script, no font and no picture from elsewhere. Colours follow the reader's choice of a
light or dark screen. Texts come from a log that anybody may have written, so all of them pass :func:`printable` or
:func:`escaped`.
"""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gomoku.match.stats import Estimate

_WIDTH = 640
_LONGEST_LABEL = 20
_NARROW_TABLE = 6

_STYLE = """
:root { color-scheme: light dark; --page: #f6f5f1; --card: #fffefb; --ink: #1d1c1a; --quiet: #5f5d57; --rule: #e3e1d9;
  --axis: #a5a299; --data: #1f6fc4; --band: #1f6fc426; --hover: #1d1c1a14; --alarm: #a3261b; --alarm-page: #fdecea; }
@media (prefers-color-scheme: dark) {
  :root { --page: #161615; --card: #1f1f1d; --ink: #f1f0ec; --quiet: #b3b1aa; --rule: #363531; --axis: #74726b;
    --data: #5aa2ee; --band: #5aa2ee30; --hover: #f1f0ec1c; --alarm: #ffb4a8; --alarm-page: #43201c; } }
* { box-sizing: border-box; } :focus-visible { outline: 2px solid var(--data); outline-offset: 2px; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(.75rem, 3vw, 2rem) 3rem; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: .5rem 0; }
p { margin: .4rem 0; } .quiet, dt, .note, span { color: var(--quiet); }
.warning { background: var(--alarm-page); color: var(--alarm); border-left: 4px solid; padding: .7rem 1rem;
  margin: 1rem 0; font-weight: 600; }
dl { display: grid; grid: auto-flow / repeat(auto-fill, minmax(min(50% - .4rem, 13rem), 1fr)); gap: .75rem; }
dl div, .table, figure { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; }
dl div { padding: .7rem .9rem; } dt, .note, span { font-size: .875rem; } dd { margin: 0; }
dl { margin: 1rem 0; } .value { font-size: 1.2rem; font-weight: 600; line-height: 1.35; }
.cards { display: grid; grid: auto-flow dense / repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: .75rem; }
.wide { grid-column: 1 / -1; } figure { margin: 0; padding: .8rem .9rem; overflow-x: auto; }
figcaption, caption { text-align: left; font-weight: 600; } span { display: block; font-weight: 400; }
figure > svg { display: block; width: 100%; min-width: 26rem; max-width: 44rem; height: auto; margin: .4rem auto 0; }
svg text { fill: var(--quiet); font: 14px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
svg .strong { fill: var(--ink); } svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
.grid { stroke: var(--rule); } .axis { stroke: var(--axis); } .level { stroke: var(--axis); stroke-dasharray: 5 4; }
.line { fill: none; stroke: var(--data); stroke-width: 2; stroke-linejoin: round; }
.area { fill: var(--band); } .mark { fill: var(--data); } .hit { fill: transparent; } .hit:hover { fill: var(--hover); }
.table { overflow-x: auto; } caption { padding: .7rem .9rem .3rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9375rem; }
th, td { padding: .3rem .55rem; vertical-align: top; font-weight: 400; text-align: left; white-space: nowrap; }
thead th { color: var(--quiet); font-size: .8125rem; border-bottom: 1px solid var(--axis); white-space: normal; }
tr > * { overflow-wrap: break-word; } tr > :first-child { padding-left: .9rem; }
tr > :last-child { padding-right: .9rem; }
tbody tr + tr > * { border-top: 1px solid var(--rule); } tbody tr:hover > * { background: var(--hover); }
th.r, td.r { text-align: right; } td.l:last-child { white-space: normal; min-width: 18rem;
  overflow-wrap: anywhere; }
"""


def printable(text: object) -> str:
    """Return a text with everything replaced that terminals and browsers would obey instead of showing it.

    Example:
        >>> printable("red" + chr(27) + "[31m")
        'red�[31m'
    """
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in str(text))


def escaped(text: object) -> str:
    """Return a text for HTML and SVG, as content or as a quoted attribute.

    Example:
        >>> escaped('<b title="x">')
        '&lt;b title=&quot;x&quot;&gt;'
    """
    return html.escape(printable(text))


def page(title: str, body: str) -> str:
    """Return a whole page.

    Args:
        title: plain text.
        body: HTML.
    """
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<title>{escaped(title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


class Figure(NamedTuple):
    """A number of a report, as text, with what it is and more about it."""

    label: str
    value: str
    note: str = ""

    def html(self) -> str:
        """Return it for a ``<dl>``."""
        note = f'<dd class="note">{escaped(self.note)}</dd>' if self.note else ""
        return f'<div><dt>{escaped(self.label)}</dt><dd class="value">{escaped(self.value)}</dd>{note}</div>'


class Table(NamedTuple):
    """A table of a report.

    Attributes:
        title: what it shows.
        heads: the columns.
        align: ``l`` or ``r`` for each column; the first ``l`` names its row.
        rows: the cells as text.
        note: how to read it, may be empty.
    """

    title: str
    heads: tuple[str, ...]
    align: str
    rows: Sequence[tuple[str, ...]]
    note: str = ""

    def lines(self) -> list[str]:
        """Return it for a terminal.

        Example:
            >>> Table("Length", ("x", "cm"), "lr", [("a", "5"), ("b", "12")]).lines()
            ['Length', '  x  cm', '  a   5', '  b  12']
        """
        grid = [tuple(map(printable, row)) for row in (self.heads, *self.rows)]
        widths = [max(map(_columns, column)) for column in zip(*grid, strict=True)]
        lines = [f"{self.title} ({self.note})" if self.note else self.title]
        for row in grid:
            gaps = [" " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=True)]
            cells = zip(row, gaps, self.align, strict=True)
            lines.append("".join("  " + (gap + cell if a == "r" else cell + gap) for cell, gap, a in cells).rstrip())
        return lines

    def html(self) -> str:
        """Return it for a browser; it scrolls sideways where it is too broad."""
        title, note = escaped(self.title), f"<span>{escaped(self.note)}</span>" if self.note else ""
        named = self.align.index("l")
        tags = ['th scope="row"' if number == named else "td" for number in range(len(self.align))]
        heads = self._row_html(['th scope="col"'] * len(tags), self.heads)
        rows = "\n".join(self._row_html(tags, row) for row in self.rows)
        kind = "table wide" if len(tags) > _NARROW_TABLE else "table"
        return (
            f'<div class="{kind}" tabindex="0" role="region" aria-label="{title}"><table>'
            f"<caption>{title}{note}</caption>\n<thead>{heads}</thead>\n<tbody>{rows}</tbody></table></div>"
        )

    def _row_html(self, tags: Sequence[str], row: Sequence[str]) -> str:
        cells = zip(tags, self.align, row, strict=True)
        html_cells = (f'<{tag} class="{align}">{escaped(cell)}</{tag[:2]}>' for tag, align, cell in cells)
        return f"<tr>{''.join(html_cells)}</tr>"


def _columns(text: str) -> int:
    """Columns of a terminal that a text takes: ideographs take two, combining marks none."""
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(bool(unicodedata.combining(letter)) for letter in text)


class _Scale(NamedTuple):
    """Maps values from ``low`` to ``high`` to pixels from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; what is far out of the picture, or infinite, lies somewhat outside."""
        span = self.high - self.low
        inside = min(max(value, self.low - span), self.high + span)
        return round(self.start + (inside - self.low) / span * (self.end - self.start), 1)

    def ticks(self, wanted: int, smallest: float = 0.0) -> list[float]:
        """Return round values within, about as many as wanted and no closer than ``smallest``."""
        rough = max((self.high - self.low) / wanted, smallest)
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
        return [number * step for number in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]


def progress_chart(title: str, points: Sequence[tuple[int, Estimate]], levels: Sequence[tuple[float, str]]) -> str:
    """Return a figure of an estimate, with its band, over the pairs played.

    The height is chosen for the later points; a band that is still wide at the beginning is cut off.

    Args:
        title: what is shown.
        points: one or more numbers of pairs, growing, with the estimate after them.
        levels: one or more values to mark by a line, and what they are called.

    Example:
        >>> progress_chart("Elo", [(1, Estimate(2.0, 3.0, -1.0, 5.0))], [(0.0, "")]).count("<figure>")
        1
    """
    left, top, right, bottom, height = 58, 12, 46, 44, 280
    width, depth = _WIDTH - left - right, height - top - bottom
    settled = [end for _, estimate in points[len(points) // 8 :] for end in _ends(estimate)]
    y = _Scale(*_range([*settled, *(level for level, _ in levels)]), depth, 0)
    x = _Scale(0, points[-1][0], 0, width)
    parts = list(_frame(x, y, left, top))
    for level, name in levels:
        parts.append(_line("level", left, top + y.at(level), left + width, top + y.at(level)))
        parts.append(_text("strong", left + width + 6, top + y.at(level) + 4, name))
    upper = [f"{x.at(pairs)},{y.at(estimate.high)}" for pairs, estimate in points]
    lower = [f"{x.at(pairs)},{y.at(estimate.low)}" for pairs, estimate in points]
    middle = [f"{x.at(pairs)},{y.at(estimate.value)}" for pairs, estimate in points]
    parts.append(f'<svg x="{left}" y="{top}" width="{width}" height="{depth}">')
    parts.append(f'<polygon class="area" points="{" ".join(upper + lower[::-1])}" />')
    parts.append(f'<polyline class="line" points="{" ".join(middle)}" />')
    for before, (pairs, estimate) in zip([0, *(pairs for pairs, _ in points)], points, strict=False):
        start, broad = x.at(before), round(x.at(pairs) - x.at(before), 1)
        parts.append(f'<rect class="hit" x="{start}" y="0" width="{broad}" height="{depth}">')
        parts.append(f"<title>{counted(pairs, 'pair')}: {interval(estimate)}</title></rect>")
    parts.append("</svg>")
    pairs, last = points[-1]
    ends = [top + min(max(y.at(end), 0), depth) for end in (last.low, last.high)]
    parts.append(_line("line", left + width, ends[0], left + width, ends[1]))
    if math.isfinite(last.value):
        parts.append(f'<circle class="mark" cx="{left + width}" cy="{top + y.at(last.value)}" r="4" />')
    return _figure(title, f"{interval(last)} after {counted(pairs, 'pair')}", height, parts)


def interval_chart(title: str, note: str, rows: Sequence[tuple[str, Estimate]]) -> str:
    """Return a figure of values with their intervals, one below the other.

    Args:
        title: what is shown.
        note: what there is to say about it.
        rows: one or more names and values.
    """
    left, top, right, bottom, step = 160, 6, 130, 28, 28
    width, depth = _WIDTH - left - right, step * len(rows)
    ends = [end for _, estimate in rows for end in _ends(estimate)]
    x = _Scale(*_range([0.0, *ends]), left, left + width)
    parts = []
    for tick in x.ticks(6):
        parts.append(_line("grid" if tick else "axis", x.at(tick), top, x.at(tick), top + depth))
        parts.append(_text("middle", x.at(tick), top + depth + 18, f"{tick:g}"))
    for number, (name, estimate) in enumerate(rows):
        y = top + step * number + step / 2
        parts.append(f"<g><title>{escaped(f'{name}: {interval(estimate)}')}</title>")
        label = name if len(name) <= _LONGEST_LABEL else name[: _LONGEST_LABEL - 1] + "…"
        parts.append(_text("strong end", left - 10, y + 4.5, label))
        parts.append(_line("line", x.at(estimate.low), y, x.at(estimate.high), y))
        parts.append(f'<circle class="mark" cx="{x.at(estimate.value)}" cy="{y}" r="5" />')
        parts.append(_text("", left + width + 10, y + 4.5, interval(estimate)))
        parts.append(f'<rect class="hit" x="0" y="{y - step / 2}" width="{_WIDTH}" height="{step}" /></g>')
    return _figure(title, note, top + depth + bottom, parts)


def column_chart(title: str, note: str, columns: Sequence[tuple[str, int]]) -> str:
    """Return a figure of counts side by side.

    Args:
        title: what is counted.
        note: what there is to say about it.
        columns: one or more names and counts.
    """
    top, bottom, height, gap = 26, 30, 240, 0.36
    step, most = _WIDTH / len(columns), max(1, *(count for _, count in columns))
    y = _Scale(0, most, height - bottom, top)
    parts = []
    for number, (name, count) in enumerate(columns):
        middle, tip = round(step * (number + 0.5), 1), y.at(count)
        parts.append(
            f'<rect class="mark" x="{round(middle - step * (1 - gap) / 2, 1)}" y="{tip}" '
            f'width="{round(step * (1 - gap), 1)}" height="{round(y.start - tip, 1)}" />'
        )
        parts.append(_text("strong middle", middle, tip - 7, str(count)))
        parts.append(_text("middle", middle, height - 9, name))
    parts.append(_line("axis", 0, y.start, _WIDTH, y.start))
    return _figure(title, note, height, parts)


def interval(estimate: Estimate) -> str:
    """Return a value with its 95 % interval as text.

    Example:
        >>> interval(Estimate(12.34, 5.0, 7.34, 17.34)), interval(Estimate(math.inf, math.inf, 35.0, math.inf))
        ('+12.3 ± 5.0', '+inf, at least +35.0')
    """
    if estimate.error == 0:
        return f"{estimate.value:+.2f}"
    if math.isfinite(estimate.error):
        return f"{estimate.value:+.1f} ± {estimate.error:.1f}"
    if math.isfinite(estimate.low):
        return f"{estimate.value:+.1f}, at least {estimate.low:+.1f}"
    if math.isfinite(estimate.high):
        return f"{estimate.value:+.1f}, at most {estimate.high:+.1f}"
    return "unknown"


def counted(number: int, noun: str) -> str:
    """Return ``1 pair`` or ``2 pairs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _ends(estimate: Estimate) -> list[float]:
    """Those of the value and the ends of its interval that are finite."""
    return [end for end in (estimate.low, estimate.value, estimate.high) if math.isfinite(end)]


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Bounds with some room around all values."""
    margin = (max(values) - min(values)) / 18 or 1.0
    return min(values) - margin, max(values) + margin


def _frame(x: _Scale, y: _Scale, left: float, top: float) -> Iterator[str]:
    """Grid, numbers and the name of the lower axis."""
    width, depth = x.end, y.start
    for tick in y.ticks(5):
        yield _line("grid", left, top + y.at(tick), left + width, top + y.at(tick))
        yield _text("end", left - 8, top + y.at(tick) + 4, f"{tick:g}")
    yield _line("axis", left, top + depth, left + width, top + depth)
    for tick in x.ticks(6, smallest=1):
        yield _text("middle", left + x.at(tick), top + depth + 17, f"{tick:.0f}")
    yield _text("middle", left + width / 2, top + depth + 34, "pairs played")


def _figure(title: str, note: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<figure><figcaption>{escaped(title)}<span>{escaped(note)}</span></figcaption>\n<svg viewBox="0 0 {_WIDTH} '
        f'{height:g}" role="img" aria-label="{escaped(f"{title}: {note}")}">{"".join(parts)}</svg></figure>\n'
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" />'


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{escaped(text)}</text>'
