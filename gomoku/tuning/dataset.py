"""Files of games: writing them block by block, and reading them as games, as arrays and as statistics.

The format is described in ``README.md`` of this folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gomoku.filelock import lock_file
from gomoku.match.result import End
from gomoku.tuning.format import (
    MOVE,
    UNKNOWN,
    DatasetError,
    Game,
    Pair,
    block,
    decode_pair,
    encode_header,
    encode_pair,
    largest_pair,
    read_block,
    read_header,
    rule_and_size,
)
from gomoku.tuning.statistics import Statistics, summarise

__all__ = ["UNKNOWN", "Dataset", "DatasetError", "DatasetWriter", "Game", "Pair", "Positions", "Statistics"]

_MAY_DIFFER = frozenset({"date", "command"})
"""Entries of the description that say nothing about the games."""


class DatasetWriter:
    """A file of games to append to; one writer at a time.

    A file that exists is verified from end to end and continued. A block that was being written when the power went is
    cut off; what comes before it stays.

    Args:
        path: the file.
        description: what the games are, as plain values for JSON; ``rule`` (a label such as ``"renju"``) and ``size``
            (side of the board) are needed, the rest is free. A file that exists has to have the same one, ``date``
            and ``command`` aside.

    Attributes:
        description: what the file says.
        pairs: numbers of the pairs in the file.
        dropped_bytes: what was cut off the end.

    Raises:
        DatasetError: the file is damaged, in use, or holds games of another description, or the description lacks
            something; the message has the remedy.
        OSError: the file cannot be opened.

    Example:
        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "games.fkg")
        >>> with DatasetWriter(path, {"rule": "renju", "size": 15}) as writer:
        ...     len(writer.pairs)
        0
        >>> DatasetWriter(path, {"rule": "renju", "size": 20})  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        gomoku.tuning.format.DatasetError: ...games.fkg holds games of other settings (size 15, now 20); ...
    """

    def __init__(self, path: str | os.PathLike[str], description: Mapping[str, Any]) -> None:
        asked: dict[str, Any] = json.loads(json.dumps(description))
        header = encode_header(asked)
        self._name = os.fspath(path)
        self.pairs: set[int] = set()
        self.dropped_bytes = 0
        # Without a buffer nothing of a block is left to be written after a failure.
        self._file = open(path, "a+b", buffering=0)  # noqa: SIM115  # open until close()
        try:
            if not lock_file(self._file):
                raise DatasetError(
                    f"{self._name} is being written by another program; wait for its end or name another file"
                )
            self.description = self._continue(asked, header)
        except BaseException:
            self._file.close()
            raise

    def _continue(self, description: dict[str, Any], header: bytes) -> dict[str, Any]:
        with open(self._name, "rb") as file:
            stored = read_header(file, self._name)
            if stored is None:
                self._end = 0
                self._file.truncate(0)
                self._write(header)
                return description
            _compare(stored, description, self._name)
            self._end = file.tell()
            for pair in _read_pairs(file, self._name, rule_and_size(stored, self._name)[1]):
                if pair.number in self.pairs:
                    raise DatasetError(f"{self._name} has pair {pair.number} twice; it was not written by this program")
                self.pairs.add(pair.number)
                self._end = file.tell()
            self.dropped_bytes = file.seek(0, os.SEEK_END) - self._end
        self._file.truncate(self._end)
        return stored

    def append(self, pair: Pair) -> None:
        """Write down a pair; it is on the disk when this returns, and no part of it is in the file when this fails.

        Raises:
            DatasetError: the file has a pair of this number, or games for another size of board.
            OSError: it cannot be written, for want of space perhaps.
        """
        if pair.number in self.pairs:
            raise DatasetError(f"{self._name} has pair {pair.number} already")
        for game in pair.games:
            if game.size != self.description["size"]:
                raise DatasetError(f"{self._name} holds games of size {self.description['size']}, not {game.size}")
        self._write(block(encode_pair(pair)))
        self.pairs.add(pair.number)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except BaseException:
            self._file.truncate(self._end)
            raise
        self._end += len(data)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Positions(NamedTuple):
    """Positions in which the engine chose a move, as arrays with one entry for each.

    Attributes:
        boards: shape ``(n, size, size)``, ``int8``; ``boards[i, y, x]`` is 0 for an empty point, 1 for a black stone,
            2 for a white one.
        turn: ``int8``, the side to move, 1 for black, 2 for white.
        ply: ``int16``, stones on the board.
        score: ``int16``, the engine's score for the side to move; 200 points are one unit of log odds, a win in n
            plies is ``30000 - n``, a loss ``n - 30000``; ``UNKNOWN`` (-32768) if it said nothing.
        depth: ``uint8``, plies it had searched, 0 if it said nothing.
        move: ``uint16``, the point it chose, ``y * size + x``.
        result: ``int8``, how the game ended for the side to move: 1 won, 0 drawn, -1 lost.
        game: ``int64``, number of the game among all games read; games ``2k`` and ``2k + 1`` are a pair. Positions of
            a pair resemble each other, so training and validation data are best split by ``game // 2``.
    """

    boards: NDArray[np.int8]
    turn: NDArray[np.int8]
    ply: NDArray[np.int16]
    score: NDArray[np.int16]
    depth: NDArray[np.uint8]
    move: NDArray[np.uint16]
    result: NDArray[np.int8]
    game: NDArray[np.int64]

    @property
    def planes(self) -> NDArray[np.bool_]:
        """Shape ``(n, 2, size, size)``: where the side to move has stones, and where the other side has."""
        turn = self.turn[:, None, None]
        return np.stack([self.boards == turn, self.boards == 3 - turn], axis=1)

    @classmethod
    def from_game(cls, game: Game, number: int = 0) -> Positions:
        """Return the positions of one game in their order.

        Args:
            game: the game.
            number: its entry in ``game``.

        Example:
            >>> record = np.array([(40, UNKNOWN, 0), (41, 25, 3), (31, -30, 4)], MOVE)
            >>> positions = Positions.from_game(Game(9, None, End.DRAW, 1, record))
            >>> positions.boards.shape, positions.boards[1, 4].tolist(), positions.score.tolist()
            ((2, 9, 9), [0, 0, 0, 0, 1, 2, 0, 0, 0], [25, -30])
        """
        plies = np.arange(len(game.record), dtype=np.int16)
        ply = plies[game.opening_plies :]
        points = game.record["point"]
        placed_at = np.full(game.size * game.size, len(plies), np.int16)
        placed_at[points] = plies
        stones = np.zeros(game.size * game.size, np.int8)
        stones[points] = 1 + plies % 2
        boards = np.where(placed_at < ply[:, None], stones, np.int8(0))
        return cls(
            boards=boards.reshape(-1, game.size, game.size),
            turn=game.turns,
            ply=ply,
            score=game.searched["score"].astype(np.int16),
            depth=game.searched["depth"].copy(),
            move=game.searched["point"].astype(np.uint16),
            result=game.results,
            game=np.full(len(ply), number, np.int64),
        )


class Dataset:
    """Files of games of one rule and board size, read together.

    The games are read anew each time they are asked for and never held all at once. A block at the end of a file that
    is still being written is left out.

    Args:
        paths: one file or more.

    Attributes:
        paths: the files.
        descriptions: what each file says about its games.
        rule: their rule.
        size: side of their boards, in points.

    Raises:
        DatasetError: a file is none of games, is damaged, or is of another rule or size than the first. Damage of
            games shows when they are read.
        OSError: a file cannot be read.
    """

    def __init__(self, *paths: str | os.PathLike[str]) -> None:
        if not paths:
            raise DatasetError("no file of games is named")
        self.paths = tuple(os.fspath(path) for path in paths)
        self.descriptions = tuple(_description(path) for path in self.paths)
        self.rule, self.size = rule_and_size(self.descriptions[0], self.paths[0])
        for path, description in zip(self.paths, self.descriptions, strict=True):
            rule, size = rule_and_size(description, path)
            if (rule, size) != (self.rule, self.size):
                raise DatasetError(
                    f"{path} holds games of {rule.label} on size {size}, {self.paths[0]} of {self.rule.label} "
                    f"on size {self.size}; read them apart"
                )

    def pairs(self) -> Iterator[Pair]:
        """Yield the pairs, file after file, in the order in which they ended.

        Raises:
            DatasetError: a block is damaged.
            OSError: a file cannot be read.
        """
        for path in self.paths:
            with open(path, "rb") as file:
                read_header(file, path)
                yield from _read_pairs(file, path, self.size)

    def games(self) -> Iterator[Game]:
        """Yield the games, those of a pair one after the other."""
        for pair in self.pairs():
            yield from pair.games

    def batches(self, count: int = 1 << 16) -> Iterator[Positions]:
        """Yield all positions in batches of whole games.

        Args:
            count: positions of a batch; it has as many or up to a game more, the last one fewer.
        """
        parts: list[Positions] = []
        positions = 0
        for number, game in enumerate(self.games()):
            parts.append(Positions.from_game(game, number))
            positions += len(parts[-1].turn)
            if positions >= count:
                yield _joined(parts)
                parts, positions = [], 0
        if positions:
            yield _joined(parts)

    def positions(self) -> Positions:
        """Return all positions at once; takes about ``size * size`` bytes for each, so see :meth:`batches`."""
        nothing = Game(self.size, None, End.DRAW, 0, np.zeros(0, MOVE))
        return _joined([Positions.from_game(nothing), *self.batches()])

    def statistics(self) -> Statistics:
        """Count and average; see :class:`Statistics`. Takes some 50 bytes of memory for each position."""
        return summarise(self.pairs(), self.size)

    @property
    def unfinished_bytes(self) -> int:
        """Bytes after the last whole block of the files: of a pair that is being written, or of a torn copy."""
        unfinished = 0
        for path in self.paths:
            with open(path, "rb") as file:
                read_header(file, path)
                end = file.tell()
                while read_block(file, path, largest_pair(self.size)) is not None:
                    end = file.tell()
                unfinished += file.seek(0, os.SEEK_END) - end
        return unfinished


def _read_pairs(file: BinaryIO, name: str, size: int) -> Iterator[Pair]:
    start = file.tell()
    while (payload := read_block(file, name, largest_pair(size))) is not None:
        try:
            pair = decode_pair(payload, size)
        except DatasetError as error:
            raise DatasetError(f"{name}, byte {start}: {error}") from None
        yield pair
        start = file.tell()


def _description(path: str) -> dict[str, Any]:
    with open(path, "rb") as file:
        description = read_header(file, path)
    if description is None:
        raise DatasetError(f"{path} ends within its header; it holds no games")
    return description


def _compare(stored: Mapping[str, Any], asked: Mapping[str, Any], name: str) -> None:
    for key in sorted((stored.keys() | asked.keys()) - _MAY_DIFFER):
        if stored.get(key) != asked.get(key):
            raise DatasetError(
                f"{name} holds games of other settings ({key} {stored.get(key)}, now {asked.get(key)}); repeat its "
                "settings to continue it, or name another file; several files can be read together"
            )


def _joined(parts: list[Positions]) -> Positions:
    return Positions(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
