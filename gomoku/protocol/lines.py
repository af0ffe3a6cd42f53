"""From a stream of bytes to clean lines of text.

Managers end lines with LF, CRLF, CR or a mixture, even within one command; some send a byte order mark, tabs, trailing
blanks or NUL bytes. Blank lines mean nothing. A line that never ends must not fill the memory.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LINE_BYTES = 16 * 1024
"""Longer lines are cut and marked. The longest sensible one, a full board of 22x22 on one line, has 4 KiB."""

_KEPT_BYTES = 60
_BREAK = re.compile(rb"[\r\n]")
_MARGIN = " \t\v\f\0\ufeff"


class Line(NamedTuple):
    """One line without its end and without blanks around it.

    Attributes:
        text: UTF-8 decoded; other bytes are kept as lone surrogates, so that a path survives.
        overlong: true if the line was longer than :data:`MAX_LINE_BYTES` and ``text`` is only its beginning.
    """

    text: str
    overlong: bool = False


class LineBuffer:
    r"""Collects bytes and hands out lines.

    Complexity: linear in the bytes received, however they are cut into pieces.

    Example:
        >>> buffer = LineBuffer()
        >>> buffer.feed(b"START 15\r\n\r\nBEG")
        >>> buffer.next_line()
        Line(text='START 15', overlong=False)
        >>> buffer.next_line() is None
        True
        >>> buffer.close()
        >>> buffer.next_line()
        Line(text='BEG', overlong=False)
    """

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._searched = 0
        self._beginning: bytes | None = None
        self._closed = False

    def feed(self, data: bytes) -> None:
        """Append bytes as they were read; whatever follows :meth:`close` is dropped."""
        if not self._closed:
            self._bytes += data

    def close(self) -> None:
        """Say that nothing follows, which ends the last line."""
        if not self._closed:
            self._bytes += b"\n"
            self._closed = True

    def next_line(self) -> Line | None:
        """Return the next line that is not blank, or ``None`` if none is complete."""
        while True:
            found = _BREAK.search(self._bytes, self._searched)
            if not found:
                self._skim()
                return None
            raw = bytes(self._bytes[: found.start()])
            del self._bytes[: found.end()]
            self._searched = 0
            beginning, self._beginning = self._beginning, None
            if beginning is not None or len(raw) > MAX_LINE_BYTES:
                return Line(_decode((beginning or raw)[:_KEPT_BYTES]) + "...", overlong=True)
            text = _decode(raw)
            if text:
                return Line(text)

    def _skim(self) -> None:
        """Throw away what an endless line has sent so far, except its beginning."""
        self._searched = len(self._bytes)
        if self._searched > MAX_LINE_BYTES:
            if self._beginning is None:
                self._beginning = bytes(self._bytes[:_KEPT_BYTES])
            self._bytes.clear()
            self._searched = 0
        elif self._beginning is not None:
            self._bytes.clear()
            self._searched = 0


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape").strip(_MARGIN)
