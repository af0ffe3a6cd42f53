"""The bytes of a data file: games as numpy records in checksummed blocks.

A file is a prefix, a block that holds the description as JSON, and one block for every pair of games. ``README.md`` of
this folder has the layout byte by byte. Nothing read here is believed: not a length before its checksum is right, and
not a number because its checksum is right.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gomoku.info import MATE_SCORE, Score
from gomoku.match.result import End, GameResult, PairResult
from gomoku.types import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Color, GomokuError, Move, Rule

MAGIC = b"FKMGAMES"
VERSION = 1

UNKNOWN = -32768
"""Stored for the score of a move about which the engine said nothing, such as those of the opening."""

DEEPEST = 255
"""Stored for this depth and all beyond."""

PREFIX = np.dtype([("magic", "S8"), ("version", "<u4")])
BLOCK = np.dtype([("length", "<u4"), ("payload_crc", "<u4"), ("crc", "<u4")])
GAME = np.dtype([("plies", "<u2"), ("opening_plies", "<u2"), ("result", "i1"), ("end", "u1")])
PAIR = np.dtype([("number", "<u4"), ("games", GAME, (2,))])
MOVE = np.dtype([("point", "<u2"), ("score", "<i2"), ("depth", "u1")])

LARGEST_DESCRIPTION = 1 << 16
MAX_PAIRS = 1 << 32

_CHECKED_BYTES = 8
"""The fields of a block's head before its own checksum."""

_ENDS = (End.FIVE, End.FORBIDDEN, End.FULL_BOARD, End.DRAW, End.ADJUDICATION)
"""Their places are the numbers in the file. Forfeits have none: they say nothing about the positions."""

_RESULTS: tuple[Color | None, ...] = (None, BLACK, WHITE)
"""By the stored result: 0 for a draw, 1 for black, -1 for white."""


class DatasetError(GomokuError, ValueError):
    """A file of games that cannot be read or continued, or games that it cannot hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A finished game.

    Args:
        size: side of the board, in points.
        winner: the winning side, ``None`` for a draw.
        end: how it ended, not by a forfeit.
        opening_plies: stones that were on the board before the engine began.
        record: shape ``(plies,)``, dtype ``MOVE``, one for each stone from the first on: ``point`` is
            ``y * size + x``; ``score`` the engine's score for the side to move before it moved, as
            :meth:`gomoku.info.Score.to_int` has it, or ``UNKNOWN``; ``depth`` the plies it had searched, 0 if nothing
            is known.

    Raises:
        DatasetError: there is no such game.

    Example:
        >>> record = np.array([(40, UNKNOWN, 0), (41, 25, 3), (31, -30, 4)], MOVE)
        >>> game = Game(9, WHITE, End.ADJUDICATION, 1, record)
        >>> [move.text for move in game.moves], game.turns.tolist(), game.results.tolist()
        (['e5', 'f5', 'e4'], [2, 1], [1, -1])
    """

    size: int
    winner: Color | None
    end: End
    opening_plies: int
    record: NDArray[np.void]

    def __post_init__(self) -> None:
        trouble = self._trouble()
        if trouble:
            raise DatasetError(f"a game {trouble}")

    @classmethod
    def from_result(cls, result: GameResult, size: int) -> Game:
        """Return a game as the referee describes it.

        Raises:
            DatasetError: it ended with a forfeit or does not fit on the board.
            ValueError: a score is none.
        """
        record = np.zeros(len(result.moves), MOVE)
        record["score"] = UNKNOWN
        if any(not 0 <= coordinate < size for move in result.moves for coordinate in move):
            raise DatasetError(f"a game has stones off a board of size {size}")
        record["point"] = [move.number(size) for move in result.moves]
        searched = record[result.opening_plies :]
        for number, text in enumerate(result.scores[: len(searched)]):
            if text:
                score = Score.from_text(text).to_int()
                if abs(score) > MATE_SCORE:
                    raise DatasetError(f"a score of {text} is out of range; it must be -{MATE_SCORE} to {MATE_SCORE}")
                searched["score"][number] = score
        for number, depth in enumerate(result.depths[: len(searched)]):
            searched["depth"][number] = min(max(depth, 0), DEEPEST)
        return cls(size, result.winner, result.end, result.opening_plies, record)

    @property
    def moves(self) -> tuple[Move, ...]:
        """All stones, those of the opening first."""
        return tuple(Move(point % self.size, point // self.size) for point in self.record["point"].tolist())

    @property
    def searched(self) -> NDArray[np.void]:
        """The part of the record that the engine played; dtype ``MOVE``."""
        return self.record[self.opening_plies :]

    @property
    def turns(self) -> NDArray[np.int8]:
        """The side that played each of the searched moves, as :class:`Color` numbers."""
        return (1 + np.arange(self.opening_plies, len(self.record)) % 2).astype(np.int8)

    @property
    def results(self) -> NDArray[np.int8]:
        """The game's result for the side that played each of the searched moves: 1 won, 0 drawn, -1 lost."""
        if self.winner is None:
            return np.zeros(len(self.searched), np.int8)
        return np.where(self.turns == self.winner, 1, -1).astype(np.int8)

    def _trouble(self) -> str:
        """Say what is wrong with the game, nothing if nothing is."""
        area, plies = self.size * self.size, len(self.record)
        points, scores = self.record["point"], self.record["score"]
        if self.end not in _ENDS:
            return f"that ended with {self.end.value!r} says nothing about its positions; leave it out"
        drawn = self.end in (End.FULL_BOARD, End.DRAW)
        if drawn != (self.winner is None) or (self.end is End.FORBIDDEN and self.winner is not WHITE):
            winner = "nobody" if self.winner is None else self.winner.name.lower()
            return f"that ended with {self.end.value!r} was won by {winner}"
        if not 0 <= self.opening_plies <= plies <= area:
            return f"of {plies} stones, {self.opening_plies} of them of the opening, does not fit on {area} points"
        if plies and (points.max() >= area or len(np.unique(points)) != plies):
            return f"has a stone on another one or off a board of size {self.size}"
        if np.any((np.abs(scores.astype(np.int32)) > MATE_SCORE) & (scores != UNKNOWN)):
            return f"has a score beyond {MATE_SCORE}"
        return ""


class Pair(NamedTuple):
    """Two games from one opening.

    Attributes:
        number: its number in the run that played it.
        games: both games.
    """

    number: int
    games: tuple[Game, Game]

    @classmethod
    def from_result(cls, result: PairResult, size: int) -> Pair:
        """Return a pair as :func:`gomoku.match.pair.play_pair` describes it.

        Raises:
            DatasetError: a game of it ended with a forfeit or does not fit on the board.
            ValueError: a score is none.
        """
        one, two = (Game.from_result(game, size) for game in result.games)
        return cls(result.number, (one, two))


def encode_pair(pair: Pair) -> bytes:
    """Return the payload of a pair's block; the inverse of :func:`decode_pair`.

    Raises:
        DatasetError: its number is out of range.

    Example:
        >>> game = Game(9, None, End.DRAW, 0, np.array([(40, 0, 1)], MOVE))
        >>> len(encode_pair(Pair(7, (game, game)))), decode_pair(encode_pair(Pair(7, (game, game))), 9).number
        (26, 7)
    """
    if not 0 <= pair.number < MAX_PAIRS:
        raise DatasetError(f"a pair cannot have the number {pair.number}; it must be 0 to {MAX_PAIRS - 1}")
    head = np.zeros(1, PAIR)
    head["number"] = pair.number
    for field, game in zip(head["games"][0], pair.games, strict=True):
        field["plies"] = len(game.record)
        field["opening_plies"] = game.opening_plies
        field["result"] = {None: 0, BLACK: 1, WHITE: -1}[game.winner]
        field["end"] = _ENDS.index(game.end)
    return b"".join((head.tobytes(), *(game.record.tobytes() for game in pair.games)))


def decode_pair(payload: bytes, size: int) -> Pair:
    """Read the payload of a pair's block.

    Raises:
        DatasetError: the bytes are no pair of games on a board of this size.
    """
    if len(payload) < PAIR.itemsize or (len(payload) - PAIR.itemsize) % MOVE.itemsize:
        raise DatasetError(f"{len(payload)} bytes are no pair of games")
    head = np.frombuffer(payload, PAIR, 1)[0]
    record = np.frombuffer(payload, MOVE, offset=PAIR.itemsize)
    first = int(head["games"][0]["plies"])
    if first + int(head["games"][1]["plies"]) != len(record):
        raise DatasetError(f"a pair has {len(record)} moves, but its games have another number")
    one, two = (
        _game(field, part, size) for field, part in zip(head["games"], (record[:first], record[first:]), strict=True)
    )
    return Pair(int(head["number"]), (one, two))


def _game(field: np.void, record: NDArray[np.void], size: int) -> Game:
    result, end = int(field["result"]), int(field["end"])
    if not -1 <= result <= 1 or end >= len(_ENDS):
        raise DatasetError(f"a game has the result {result} and the end {end}, which have no meaning")
    return Game(size, _RESULTS[result], _ENDS[end], int(field["opening_plies"]), record)


def largest_pair(size: int) -> int:
    """Return the most bytes that a pair of games on a board of this size can take."""
    return PAIR.itemsize + 2 * size * size * MOVE.itemsize


# --- Blocks and the description ---


def block(payload: bytes) -> bytes:
    """Return a payload with the head that guards it."""
    head = np.zeros(1, BLOCK)
    head["length"] = len(payload)
    head["payload_crc"] = zlib.crc32(payload)
    head["crc"] = zlib.crc32(head.tobytes()[:_CHECKED_BYTES])
    return head.tobytes() + payload


def read_block(file: BinaryIO, name: str, largest: int) -> bytes | None:
    """Read the payload of the next block.

    Args:
        file: stands at the beginning of a block.
        name: what to call the file in messages.
        largest: the most bytes that the payload may have.

    Returns:
        ``None`` where the file ends, be it within the block.

    Raises:
        DatasetError: the block is damaged.
    """
    start = file.tell()
    head = file.read(BLOCK.itemsize)
    if len(head) < BLOCK.itemsize:
        return None
    length, payload_crc, crc = (int(value) for value in np.frombuffer(head, BLOCK)[0])
    # With a checksum of its own the length of a damaged block never passes for the end of an unfinished file.
    if zlib.crc32(head[:_CHECKED_BYTES]) == crc and length <= largest:
        payload = file.read(length)
        if len(payload) < length:
            return None
        if zlib.crc32(payload) == payload_crc:
            return payload
    raise DatasetError(
        f"{name} is damaged at byte {start}; take a good copy of it, or cut it to its first {start} bytes "
        "to keep what comes before"
    )


def encode_header(description: Mapping[str, Any]) -> bytes:
    """Return how a file with this description begins; the inverse of :func:`read_header`.

    Raises:
        DatasetError: the description is too long, or lacks a rule or a size.
    """
    payload = json.dumps(description, separators=(",", ":")).encode()
    if len(payload) > LARGEST_DESCRIPTION:
        raise DatasetError(f"a description of {len(payload)} bytes is too long; {LARGEST_DESCRIPTION} are allowed")
    rule_and_size(description, "the description")
    return np.array([(MAGIC, VERSION)], PREFIX).tobytes() + block(payload)


def read_header(file: BinaryIO, name: str) -> dict[str, Any] | None:
    """Read the beginning of a file.

    Returns:
        The description; ``None`` if the file ends within its header.

    Raises:
        DatasetError: the file is of another kind or version, or is damaged.
    """
    expected = np.array([(MAGIC, VERSION)], PREFIX).tobytes()
    prefix = file.read(PREFIX.itemsize)
    if not prefix.startswith(MAGIC[: len(prefix)]):
        raise DatasetError(f"{name} is no file of games")
    if not expected.startswith(prefix):
        version = int.from_bytes(prefix[len(MAGIC) :], "little")
        raise DatasetError(f"{name} has format version {version}; this program knows version {VERSION} only")
    payload = read_block(file, name, LARGEST_DESCRIPTION) if prefix == expected else None
    if payload is None:
        return None
    try:
        description = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"the description of {name} is no JSON: {error}") from None
    if not isinstance(description, dict):
        raise DatasetError(f"the description of {name} is no JSON object")
    rule_and_size(description, f"the description of {name}")
    return description


def rule_and_size(description: Mapping[str, Any], name: str) -> tuple[Rule, int]:
    """Return the two values of a description without which the games cannot be read.

    Raises:
        DatasetError: one is missing or makes no sense.
    """
    rule, size = description.get("rule"), description.get("size")
    if not isinstance(rule, str) or rule not in {known.label for known in Rule}:
        raise DatasetError(f"{name} has the rule {rule!r}; it must be {', '.join(known.label for known in Rule)}")
    if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise DatasetError(f"{name} has the board size {size!r}; it must be {MIN_SIZE} to {MAX_SIZE}")
    return Rule.from_name(rule), size
