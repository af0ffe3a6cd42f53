r"""Game records in the two formats that Gomoku programs exchange: Piskvork's ``.psq`` and SGF.

====== ================================ ==========================================================
format points in the file               what is lost
====== ================================ ==========================================================
psq    ``x,y`` from 1, top left         rule, comments, date, round, the word for some ends
sgf    two letters from a, top left     nothing but line breaks in names and times that are all 0
====== ================================ ==========================================================

In a :class:`Game` points are :class:`~gomoku.types.Move`, counted from 0 at the top left. SGF files with points such as
``h8`` are read with row 1 at the bottom, as in renju diagrams, unless :func:`sgf.loads` is told otherwise. Readers keep
what they can and say in ``Game.errors`` what they could not; they raise ``ValueError`` for what is no record at all.

Example:
    >>> from gomoku.types import Move, Rule
    >>> game = Game(width=15, height=15, rule=Rule.FREESTYLE, moves=(Move(7, 7), Move(8, 6)), times_ms=(12, 480))
    >>> psq.dumps(game)
    b'Piskvorky 15x15, 11:11, 0\r\n8,8,12\r\n9,7,480\r\n-1\r\n'
    >>> psq.loads(psq.dumps(game), rule=Rule.FREESTYLE) == sgf.loads(sgf.dumps(game))[0] == game
    True
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from gomoku.records import psq, sgf
from gomoku.records.game import Game
from gomoku.types import Rule

__all__ = ["Game", "psq", "read", "sgf", "write"]

_PSQ_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*Piskvorky\s", re.IGNORECASE)
_SGF_HEAD = re.compile(rb"\(\s*;")


def read(path: str | os.PathLike[str], *, rule: Rule | None = None, encoding: str | None = None) -> list[Game]:
    r"""Read all games of a file, whose format is told by its content, then by its suffix.

    Args:
        path: the file.
        rule: the rule of games whose file does not tell it; psq files never do.
        encoding: that of names and comments; by default what an SGF file says, else UTF-8.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is neither psq nor SGF, its board is not supported, or there is no such encoding.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     name = Path(folder, "game.txt")
        ...     _ = name.write_text("(;GM[4]SZ[15];B[hh])")
        ...     [game] = read(name, rule=Rule.RENJU)
        >>> game.rule, game.moves
        (<Rule.RENJU: 4>, (Move(x=7, y=7),))
    """
    data = Path(path).read_bytes()
    suffix = Path(path).suffix.lower()
    if _PSQ_HEAD.match(data):
        suffix = ".psq"
    elif _SGF_HEAD.search(data):
        suffix = ".sgf"
    if suffix == ".psq":
        return [psq.loads(data, rule=rule, encoding=encoding or "utf-8")]
    if suffix == ".sgf":
        games = sgf.loads(data, encoding=encoding)
        return [replace(game, rule=rule) if game.rule is None else game for game in games]
    raise ValueError(f"{os.fspath(path)!r} is neither a psq nor an SGF file")


def write(game: Game, path: str | os.PathLike[str]) -> None:
    """Write a game in the format of the file's suffix, replacing the file.

    Raises:
        OSError: the file cannot be written.
        ValueError: the suffix is neither ``.psq`` nor ``.sgf``.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     write(Game(width=15, height=15), Path(folder, "empty.sgf"))
        ...     read(Path(folder, "empty.sgf")) == [Game(width=15, height=15)]
        True
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".psq":
        data = psq.dumps(game)
    elif suffix == ".sgf":
        data = sgf.dumps(game).encode(errors="replace")
    else:
        raise ValueError(f"no format for the suffix {suffix!r} of {os.fspath(path)!r}; use .psq or .sgf")
    Path(path).write_bytes(data)
