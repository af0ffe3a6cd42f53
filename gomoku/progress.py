"""How far long work is: one line on standard error that is drawn over and over, with bar, rate and remaining time.

Floor 0. On anything that is no terminal, whole lines are written instead, fewer and fewer of them.
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import Self, TextIO

_REDRAW_SECONDS = 0.1
_FIRST_LINE_SECONDS = 5.0
_LONGEST_LINE_SECONDS = 300.0
_BAR_CELLS = 20


class Progress:
    """A progress display, to be used in a ``with`` block.

    Args:
        total: units of work.
        unit: what they are called.
        done: units that were finished before, by an earlier run.
        stream: where to draw; standard error when left out.

    Example:
        >>> import sys
        >>> with Progress(4, "pairs", stream=sys.stdout) as progress:
        ...     progress.update(4, "score 0.500")
        4/4 pairs 100% in 0:00 score 0.500
    """

    def __init__(self, total: int, unit: str, *, done: int = 0, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._total = total
        self._unit = unit
        self._before = done
        self._done = done
        self._note = ""
        self._start = time.monotonic()
        self._drawn_at = 0.0
        self._pause = _FIRST_LINE_SECONDS
        self._terminal = self._stream.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        line = self._line()
        if self._terminal:
            self._draw(line)
            self._stream.write("\n")
        else:
            self._stream.write(line + "\n")
        self._stream.flush()

    def update(self, done: int, note: str = "") -> None:
        """Say how many units are finished; cheap enough to be called at any rate.

        Args:
            done: finished units, those of earlier runs included.
            note: what else is worth knowing.
        """
        self._done = done
        self._note = note or self._note
        now = time.monotonic()
        if self._terminal and now - self._drawn_at >= _REDRAW_SECONDS:
            self._drawn_at = now
            self._draw(self._line())
        elif not self._terminal and now - max(self._drawn_at, self._start) >= self._pause:
            self._drawn_at = now
            self._pause = min(2 * self._pause, _LONGEST_LINE_SECONDS)
            self._stream.write(self._line() + "\n")
            self._stream.flush()

    def _line(self) -> str:
        seconds = time.monotonic() - self._start
        fresh = self._done - self._before
        share = self._done / self._total if self._total else 1.0
        words = [f"{self._done}/{self._total} {self._unit} {share:.0%}"]
        if self._terminal:
            words.insert(0, "[" + ("#" * round(share * _BAR_CELLS)).ljust(_BAR_CELLS, ".") + "]")
        if self._done >= self._total:
            words.append(f"in {_clock(seconds)}")
        elif fresh > 0:
            words.append(f"{_rate(fresh / seconds)}, {_clock((self._total - self._done) * seconds / fresh)} left")
        return " ".join(word for word in (*words, self._note) if word)

    def _draw(self, line: str) -> None:
        columns = shutil.get_terminal_size().columns - 1
        self._stream.write("\r" + line[:columns].ljust(columns))
        self._stream.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _rate(per_second: float) -> str:
    return f"{per_second:.1f}/s" if per_second >= 1 else f"{60 * per_second:.1f}/min"
