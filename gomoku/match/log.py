"""The match log: one JSON object a line, the match first, then every pair as it ends.

A log is all that is needed to go on with a match after a crash, and to report on it. A line that was being written when
the power went is dropped; everything before it stays. A second process cannot write to the same log.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from gomoku.filelock import lock_file
from gomoku.match.player import MatchError
from gomoku.match.result import PairResult

FORMAT = "fukumi match 1"

_HEAD = json.dumps({"format": FORMAT}, separators=(",", ":")).encode()[:-1]
"""How every log begins."""

_MAY_CHANGE = frozenset({"rounds", "version"})
"""Settings in which a continued match may differ from its beginning."""


class MatchRecord(NamedTuple):
    """What a log says.

    Attributes:
        settings: the match as it was described: players, terms, openings and the rest.
        results: the pairs in the order in which they ended.
    """

    settings: dict[str, Any]
    results: list[PairResult]


def read_log(path: str | os.PathLike[str]) -> MatchRecord:
    """Read a log, also one that is being written.

    Raises:
        MatchError: the file is no match log, or a line of it is damaged.
        OSError: the file cannot be read.
    """
    return _parse(Path(path).read_bytes(), os.fspath(path))[0]


class MatchLog:
    """A log to append to.

    Args:
        path: the file; made if it does not exist, continued if it holds the same match.
        settings: the match; plain values.

    Raises:
        MatchError: the file holds another match or is damaged or in use; the message says what to do.
        OSError: the file cannot be opened.

    Attributes:
        results: the pairs that the file had.
    """

    def __init__(self, path: str | os.PathLike[str], settings: Mapping[str, Any]) -> None:
        self._height = int(settings["terms"]["height"])
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115  # open until close()
        try:
            self.results = self._continue(os.fspath(path), settings)
        except BaseException:
            self._file.close()
            raise

    def _continue(self, name: str, settings: Mapping[str, Any]) -> list[PairResult]:
        if not lock_file(self._file):
            raise MatchError(f"{name} is being written by another match; wait for its end or name another file")
        self._file.seek(0)
        data = self._file.read()
        if b"\n" not in data:
            if not _HEAD.startswith(data[: len(_HEAD)]):
                raise MatchError(f"{name} is no match log; name another file")
            self._file.truncate(0)
            self._write({"format": FORMAT, **settings})
            return []
        record, whole = _parse(data, name)
        for key, value in settings.items():
            if key not in _MAY_CHANGE and record.settings.get(key) != json.loads(json.dumps(value)):
                raise MatchError(
                    f"{name} holds a match with other {key} ({_short(record.settings.get(key))}, now {_short(value)}); "
                    "repeat its settings to continue it, or name another file"
                )
        self._file.truncate(whole)
        return record.results

    def append(self, result: PairResult) -> None:
        """Write down a pair; it is on the disk when this returns."""
        self._write(result.to_dict(self._height))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, values: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(values, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def _parse(data: bytes, name: str) -> tuple[MatchRecord, int]:
    """Return what a log says, and the length of its whole lines."""
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    number = 1
    try:
        settings = json.loads(lines[0]) if lines else {}
        if not isinstance(settings, dict) or settings.pop("format", None) != FORMAT:
            raise MatchError(f"{name} is no match log")
        width, height = int(settings["terms"]["width"]), int(settings["terms"]["height"])
        results = []
        for line in lines[1:]:
            number += 1
            results.append(PairResult.from_dict(json.loads(line), width, height))
    except MatchError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise MatchError(f"{name}, line {number}, is damaged ({type(error).__name__}: {error})") from None
    return MatchRecord(settings, results), whole


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 100 else text[:97] + "..."
