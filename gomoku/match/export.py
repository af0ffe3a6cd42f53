"""Games of a match as records that other programs read."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gomoku.match.result import GameResult, PairResult
from gomoku.records import Game, psq, sgf
from gomoku.types import Rule

_NAME = 60
"""Characters of a player's name that a file name has."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


def game_record(result: GameResult, terms: Mapping[str, Any], round_name: str = "") -> Game:
    """Return a game of a match as a record.

    Args:
        result: the game.
        terms: what a match log says about the games: ``rule``, ``width`` and ``height``.
        round_name: pair and game, for the record's header.
    """
    opening = result.opening_plies
    said = zip(result.scores, result.depths, strict=True)
    comments = [f"{score} depth {depth}" if score else "" for score, depth in said]
    played = len(result.moves) - opening
    return Game(
        width=terms["width"],
        height=terms["height"],
        rule=Rule.from_name(terms["rule"]),
        moves=result.moves,
        opening_plies=opening,
        times_ms=(0,) * opening + result.times_ms[:played],
        comments=("",) * opening + tuple(comments[:played]),
        black=result.black,
        white=result.white,
        winner=result.winner,
        finished=True,
        termination=result.end.value,
        round=round_name,
    )


class GameFolder:
    """Writes every game of a match to a file of its own.

    Args:
        path: the folder; made if it does not exist.
        suffix: ``"psq"`` or ``"sgf"``.
        terms: see :func:`game_record`.
    """

    def __init__(self, path: str | os.PathLike[str], suffix: str, terms: Mapping[str, Any]) -> None:
        self._path = Path(path)
        self._path.mkdir(parents=True, exist_ok=True)
        self._suffix = suffix
        self._terms = terms

    def write(self, pair: PairResult) -> None:
        """Write both games of a pair, over what an earlier match left there; names begin with pair and game."""
        for number, result in enumerate(pair.games, start=1):
            record = game_record(result, self._terms, f"{pair.number + 1}.{number}")
            data = psq.dumps(record) if self._suffix == "psq" else sgf.dumps(record).encode(errors="replace")
            names = "-".join(_UNSAFE.sub("_", name)[:_NAME] for name in (result.black, result.white))
            path = self._path / f"{pair.number + 1:06}-{number}-{names}.{self._suffix}"
            if not path.exists() or path.read_bytes() != data:
                unfinished = path.with_suffix(".tmp")
                unfinished.write_bytes(data)
                unfinished.replace(path)
