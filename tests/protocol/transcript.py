"""Reader of the transcripts in ``protocol_docs/transcripts`` and matcher of a brain's output, without any IO on brains.

The format is described in ``protocol_docs/transcripts/README.md``. A driver of a real process uses it like this::

    session = Session()
    for exchange in parse(path.read_text(encoding="utf-8")).exchanges:
        write(exchange.data(session))
        matcher = Matcher(exchange.expected, session)
        while not matcher.satisfied:
            matcher.feed(read_line())      # raises Mismatch
        # then check that nothing else comes

Only what the brain must print decides; ``*`` lines may be absent, so ``satisfied`` can become true before they came.
The next exchange, or the end, begins after the last line that must come.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

TRANSCRIPTS = Path(__file__).parents[2] / "protocol_docs" / "transcripts"

NEWLINES = {"lf": ("\n",), "crlf": ("\r\n",), "cr": ("\r",), "mixed": ("\n", "\r\n", "\n\n", " \r\n", "\t\n", "\r\r\n")}
"""Line ends by their name in a transcript; the ends of one kind are used in turn."""

_POINT = r"(?:0|[1-9][0-9]?),(?:0|[1-9][0-9]?)"
_ABOUT_FIELD = r'[a-z]+="[^",=]*"'
_KINDS = {
    "move": _POINT,
    "message": r"MESSAGE \S.*",
    "about": rf"(?=.*name=)(?=.*version=)(?=.*author=)(?=.*country=){_ABOUT_FIELD}(?:, {_ABOUT_FIELD})*",
    "forbid": r"FORBID (?:[0-9]{4})*\.",
    "int": r"-?[0-9]+",
    "text": r"\S(?:.*\S)?",
    "progress": r"MESSAGE depth [0-9]+-[0-9]+ ev (?:-?[0-9]+|[+-]M[0-9]+) n [0-9]+ n/ms [0-9]+ tm [0-9]+"
    r"(?: pv(?: [A-Z][0-9]{1,2})+)?",
}
_PLACE = re.compile(r"\{([a-z]+)(?: ([A-Za-z0-9-]+))?\}")


class Mismatch(AssertionError):  # noqa: N818 (an assertion, not an error of the reader)
    """The brain said something that the transcript does not expect."""


class TranscriptError(ValueError):
    """The transcript itself cannot be read."""


@dataclass
class Session:
    """What was said so far: captured points by name, and all points of the current game."""

    points: dict[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def fill(self, text: str) -> str:
        """Replace the places of a command: ``{free}``, ``{free name}`` and ``{name}``."""

        def value(place: re.Match[str]) -> str:
            if place[1] != "free":
                if place[1] not in self.points:
                    raise TranscriptError(f"nothing is called {place[1]!r} yet")
                return self.points[place[1]]
            corner = (f"{x},{y}" for y, x in itertools.product(range(5), repeat=2))
            point = next(point for point in corner if point not in self.used)
            if place[2]:
                self.points[place[2]] = point
            self.used.add(point)
            return point

        filled = _PLACE.sub(value, text)
        if re.match(r"(?i)(rect|re)?start\b", filled):
            self.used.clear()
        elif not re.match(r"(?i)info\b", filled):
            self.used.update(re.findall(_POINT, filled))
        return filled


@dataclass(frozen=True)
class Pattern:
    """One expected line.

    Attributes:
        source: the pattern as the transcript writes it, without ``*``.
        many: whether any number of such lines may come, none included.
        line: its line number in the transcript.
    """

    source: str
    many: bool = False
    line: int = 0

    def matches(self, text: str, session: Session | None = None) -> bool:
        """Return whether one line of output, without its end, fits; captured points go to the session."""
        session = session or Session()
        for alternative in self.source.split(" | "):
            regex, names = _compile(alternative, session)
            match = re.fullmatch(regex, text)
            if match:
                session.points.update({name: match[group] for name, group in names.items()})
                if not text.startswith("MESSAGE"):
                    session.used.update(re.findall(_POINT, text))
                return True
        return False


@dataclass(frozen=True)
class Exchange:
    """Commands and what must come back for them."""

    commands: tuple[str, ...]
    expected: tuple[Pattern, ...]
    newlines: tuple[str, ...] = ("\n",)
    end_of_input: bool = False
    line: int = 0

    def data(self, session: Session) -> bytes:
        """Return the bytes to write, in one piece."""
        ends = itertools.cycle(self.newlines)
        return "".join(session.fill(command) + next(ends) for command in self.commands).encode("utf-8")


@dataclass(frozen=True)
class Transcript:
    """A whole conversation."""

    exchanges: tuple[Exchange, ...]

    @property
    def ends_by_itself(self) -> bool:
        """Whether the brain must have ended after the last exchange."""
        last = self.exchanges[-1]
        return last.end_of_input or last.commands[-1].strip().upper() == "END"


class Matcher:
    """Compares the lines of one exchange, one by one."""

    def __init__(self, expected: tuple[Pattern, ...], session: Session | None = None) -> None:
        self._left = list(expected)
        self._session = session or Session()

    @property
    def satisfied(self) -> bool:
        """Whether every line that must come has come."""
        return all(pattern.many for pattern in self._left)

    def feed(self, text: str) -> None:
        """Take the next line of output.

        Raises:
            Mismatch: the line is not expected here.
        """
        while self._left:
            pattern = self._left[0]
            if pattern.matches(text, self._session):
                if not pattern.many:
                    self._left.pop(0)
                return
            if not pattern.many:
                raise Mismatch(f"line {pattern.line}: expected {pattern.source!r}, got {text!r}")
            self._left.pop(0)
        raise Mismatch(f"expected nothing, got {text!r}")


def parse(source: str) -> Transcript:
    """Read a transcript.

    Raises:
        TranscriptError: a line is none of the four kinds, or has an unknown place or setting.
    """
    exchanges: list[Exchange] = []
    commands: list[str] = []
    expected: list[Pattern] = []
    newlines = NEWLINES["lf"]
    started = 0

    def finish(*, end_of_input: bool = False) -> None:
        if commands or expected or end_of_input:
            exchanges.append(Exchange(tuple(commands), tuple(expected), newlines, end_of_input, started))
        commands.clear()
        expected.clear()

    for number, raw in enumerate(source.splitlines(), 1):
        kind, _, text = raw.strip().partition(" ")
        text = text.strip()
        if kind == "" or kind.startswith("#"):
            continue
        if kind == ">" and text:
            if expected:
                finish()
            started = started if commands else number
            commands.append(text)
        elif kind == "<" and text:
            many = text.endswith("}*")
            pattern = Pattern(text.removesuffix("*") if many else text, many, number)
            _check(pattern)
            expected.append(pattern)
        elif kind == "@" and text.split()[0] == "newline" and text.split()[-1] in NEWLINES:
            finish()
            newlines = NEWLINES[text.split()[-1]]
        elif kind == "@" and text == "end-of-input":
            finish(end_of_input=True)
        else:
            raise TranscriptError(f"line {number}: {raw!r} is no line of a transcript")
    finish()
    if not exchanges:
        raise TranscriptError("the transcript is empty")
    return Transcript(tuple(exchanges))


def _check(pattern: Pattern) -> None:
    for place in _PLACE.finditer(pattern.source):
        counted = place[1] == "moves" and re.fullmatch(r"[1-9](-[1-9])?", place[2] or "")
        if place[1] in _KINDS or counted or place[2] is None:
            continue
        raise TranscriptError(f"line {pattern.line}: unknown place {place[0]!r}")


def _compile(source: str, session: Session) -> tuple[str, dict[str, int]]:
    """Return the regular expression of one alternative and the groups of its names."""
    regex = ""
    names: dict[str, int] = {}
    end = 0
    for place in _PLACE.finditer(source):
        regex += re.escape(source[end : place.start()])
        end = place.end()
        kind, argument = place[1], place[2]
        if kind == "moves":
            low, _, high = (argument or "1").partition("-")
            regex += f"{_POINT}(?: {_POINT}){{{int(low) - 1},{int(high or low) - 1}}}"
        elif kind in _KINDS and argument:
            names[argument] = len(names) + 1
            regex += f"({_KINDS[kind]})"
        elif kind in _KINDS:
            regex += _KINDS[kind]
        else:
            if kind not in session.points:
                raise TranscriptError(f"nothing is called {kind!r} yet")
            regex += re.escape(session.points[kind])
    return regex + re.escape(source[end:]), names
