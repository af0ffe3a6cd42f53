r"""Piskvork's ``.psq``, the format of Gomocup's archives.

A header, a line ``x,y,milliseconds`` for each move with both coordinates counted from 1 at the top left, the two names,
a result code, and in files of the Gomocup server a result line ``1,League``::

    Piskvorky 15x15, 11:11, 0
    8,8,0
    9,9,412
    pbrain-a
    pbrain-b
    0

What the format leaves to its reader, and what is done here:

* The rule is not stored; the caller gives it.
* The last number of the header says which of the two names had the first stone: black is the second name if it is 1.
* Opening stones have no mark but their time, 0 or more than a day. If all times are 0 they are taken as unknown.
* Piskvork writes no winner. The code tells that the side to move lost (by time 15, memory 16, an invalid move 7, else
  -2) or that the game ended normally (0), as judged by the last stone's line under the rule.
* The number of the result line is 0 for a draw and otherwise counts the match's players, 1 having the first move after
  an even opening and the second after an odd one. The last stone's line decides where it can.

Comments, date and round, and the word for any end without a code of its own, are lost.

Source: the writers of Piskvork and of the Gomocup server, as observed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from gomoku.records.game import Game, decode_text
from gomoku.types import BLACK, WHITE, Color, Move, Rule

_HEADER = re.compile(r"Piskvorky\s+([0-9]{1,4})\s*x\s*([0-9]{1,4})", re.IGNORECASE)
_PLAYERS = re.compile(r"\s*,\s*-?[0-9]+\s*:\s*-?[0-9]+\s*,\s*([01])\s*")
_MOVE = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,19})\s*")
_BROKEN_MOVE = re.compile(r"[0-9]+,[0-9]*(?:,-?)?")
_CODE = re.compile(r"-?[0-9]{1,9}")
_RESULT = re.compile(r"([012]),(.*)")

_LONGEST_TIME_MS = 86_400_000
"""A day. Larger times are those of opening stones, which some writers count from the start of the computer."""

_DRAW_MARGIN = 25
"""Piskvork calls a draw when no more empty points are left."""

_FORFEITS = {15: "timeout", 16: "memory", 7: "illegal"}
_CODES = {"five": 0, "full board": 0} | {word: code for code, word in _FORFEITS.items()}
_OTHER = -2
_UNKNOWN = -1

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class _Moves(NamedTuple):
    """The part of the file between the header and the names."""

    moves: tuple[Move, ...]
    times_ms: tuple[int, ...]
    opening_plies: int
    lines: int


class _Tail(NamedTuple):
    """The part of the file after the moves; ``None`` for what is not there."""

    names: tuple[str, str] = ("", "")
    code: int | None = None
    result: int | None = None
    event: str = ""


class _End(NamedTuple):
    finished: bool
    winner: Color | None = None
    termination: str = ""


def dumps(game: Game) -> bytes:
    r"""Write a game, with CRLF and names in UTF-8.

    A played move has at least 1 ms, since 0 marks an opening stone. The result line is written for finished games only.

    Example:
        >>> dumps(Game(width=15, height=13, moves=(Move(7, 7),), times_ms=(25,), black="a", white="b"))
        b'Piskvorky 15x13, 11:11, 0\r\n8,8,25\r\na\r\nb\r\n-1\r\n'
    """
    lines = [f"Piskvorky {game.width}x{game.height}, 11:11, 0"]
    times = game.times_ms or (0,) * len(game.moves)
    for ply, (move, time) in enumerate(zip(game.moves, times, strict=True)):
        played = game.times_ms and ply >= game.opening_plies
        lines.append(f"{move.x + 1},{move.y + 1},{max(time, 1) if played else 0}")
    names = [_one_line(name) for name in (game.black, game.white)]
    if any(names):
        lines += names
    lines.append(str(_CODES.get(game.termination, _OTHER) if game.finished else _UNKNOWN))
    if game.finished:
        # What a reader will take for the opening: the first moves without time.
        opening_plies = game.opening_plies if game.times_ms and len(game.moves) > game.opening_plies else 0
        result = 0 if game.winner is None else _match_player(game.winner, opening_plies)
        lines.append(f"{result},{_one_line(game.event)}")
    return "".join(line + "\r\n" for line in lines).encode()


def loads(data: bytes, *, rule: Rule | None, encoding: str = "utf-8") -> Game:
    r"""Read a game, also one that is still running, cut off or followed by other lines.

    Args:
        data: the file.
        rule: the rule that was played, which the file does not tell; ``None`` if unknown.
        encoding: that of the names.

    Returns:
        The game. Moves end before the first one that the board cannot hold; ``errors`` tells this and other repairs.

    Raises:
        ValueError: this is no psq file, its board is not supported, or there is no such encoding.

    Example:
        >>> game = loads(b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,8,71\r\na\r\nb\r\n15\r\n", rule=Rule.RENJU)
        >>> game.moves[1].text, game.times_ms, game.winner, game.termination
        ('i8', (0, 71), <Color.WHITE: 2>, 'timeout')
    """
    text, decoding_errors = decode_text(data, encoding)
    errors = list(decoding_errors)
    header, *lines = re.split(r"\r\n|\r|\n", text.lstrip())
    match = _HEADER.match(header)
    if not match:
        raise ValueError(f"{header[:40]!r} is no header of a psq file, such as 'Piskvorky 15x15, 11:11, 0'")
    width, height = int(match[1]), int(match[2])
    Game(width=width, height=height)  # refuses boards of other sizes before anything is made of them
    players = _PLAYERS.fullmatch(header, match.end())
    if not players:
        errors.append(f"the header ends with {header[match.end() :][:20]!r}; black is taken to be the first name")
    moves = _read_moves(lines, width, height, errors)
    tail = _read_tail(lines[moves.lines :], errors)
    end = _judge(moves, tail, rule, width * height, errors)
    names = tail.names[::-1] if players and players[1] == "1" else tail.names
    return Game(
        width=width,
        height=height,
        rule=rule,
        moves=moves.moves,
        opening_plies=moves.opening_plies,
        times_ms=moves.times_ms,
        black=names[0],
        white=names[1],
        winner=end.winner,
        finished=end.finished,
        termination=end.termination,
        event=tail.event,
        errors=tuple(errors),
    )


def _read_moves(lines: Sequence[str], width: int, height: int, errors: list[str]) -> _Moves:
    moves: dict[Move, int] = {}
    read = dropped = 0
    for number, line in enumerate(lines, start=1):
        match = _MOVE.fullmatch(line)
        if not match:
            if line.strip():
                break
            continue
        read = number
        move = Move(int(match[1]) - 1, int(match[2]) - 1)
        if not dropped and 0 <= move.x < width and 0 <= move.y < height and move not in moves:
            moves[move] = int(match[3])
            continue
        if not dropped:
            reason = "is on an occupied point" if move in moves else "is off the board"
            errors.append(f"move {len(moves) + 1}, {line.strip()!r}, {reason}; the moves end before it")
        dropped += 1
    times = [time if 0 <= time <= _LONGEST_TIME_MS else 0 for time in moves.values()]
    opening_plies = next((ply for ply, time in enumerate(times) if time), 0)
    strange = sum(
        time < 0 or (time > _LONGEST_TIME_MS and ply >= opening_plies) for ply, time in enumerate(moves.values())
    )
    if strange:
        errors.append(f"{strange} times are below 0 or above a day and were taken as 0")
    return _Moves(tuple(moves), tuple(times) if any(times) else (), opening_plies, read)


def _read_tail(lines: Sequence[str], errors: list[str]) -> _Tail:
    rows = "\n".join(line.strip() for line in lines).rstrip("\n").split("\n")
    named = len(rows) >= 3 and bool(_CODE.fullmatch(rows[2]))  # and then an empty row is an empty name
    if not named:
        rows = [row for row in rows if row]
        if rows and _BROKEN_MOVE.fullmatch(rows[0]):
            errors.append(f"the file ends within a move, {rows.pop(0)[:20]!r}")
        if not rows:
            return _Tail()
        named = not _CODE.fullmatch(rows[0])
    names = ("", "")
    if named:
        names = (rows[0], rows[1] if len(rows) > 1 else "")
        rows = rows[2:]
    if not rows:
        errors.append("the file ends within the names or after them")
        return _Tail(names)
    if not _CODE.fullmatch(rows[0]):
        errors.append(f"{rows[0][:40]!r} is no result code")
        return _Tail(names)
    match = _RESULT.fullmatch(rows[1]) if len(rows) > 1 else None
    rest = rows[2:] if match else rows[1:]
    if rest:
        errors.append(f"{len(rest)} lines after the result are left out, the first is {rest[0][:40]!r}")
    code = int(rows[0])
    return _Tail(names, code, int(match[1]), match[2].strip()) if match else _Tail(names, code)


def _judge(played: _Moves, tail: _Tail, rule: Rule | None, points: int, errors: list[str]) -> _End:
    """How the game ended, from the code, the result line and the last stone."""
    plies = len(played.moves)
    not_to_move = BLACK if plies % 2 else WHITE
    five = _last_stone_wins(played.moves, rule)
    if tail.code not in (None, *_CODES.values(), _OTHER, _UNKNOWN):
        errors.append(f"the result code {tail.code} is unknown")
    forfeit = tail.code == _OTHER or tail.code in _FORFEITS
    word = _FORFEITS.get(tail.code or 0, "")
    if five and not forfeit and tail.result != 0:
        return _End(True, not_to_move, "five")
    if tail.result is None:
        if forfeit:
            return _End(True, not_to_move, word)
        if plies == points or (tail.code == 0 and plies >= points - _DRAW_MARGIN):
            return _End(True, None, "full board")
        if tail.code == 0:
            errors.append("the last stone makes no five: the game was running or ended by a foul")
        return _End(False)
    if tail.result == 0:
        return _End(True, None, "full board" if tail.code == 0 or (plies == points and not forfeit) else word)
    if tail.code == _UNKNOWN and played.opening_plies % 2:
        errors.append("the winner is that of a match with a prepared opening; after swap2 it would be the other side")
    winner = next(color for color in Color if _match_player(color, played.opening_plies) == tail.result)
    return _End(True, winner, word)


def _match_player(color: Color, opening_plies: int) -> int:
    """The number of a side in the result line; player 1 is to move after the opening."""
    return int(color if opening_plies % 2 == 0 else color.other)


def _last_stone_wins(moves: Sequence[Move], rule: Rule | None) -> bool:
    """Whether the last stone completes a line that wins, by any rule's if the rule is unknown.

    Example:
        >>> _last_stone_wins([Move(x, y) for x in range(5) for y in (0, 9)][:-1], Rule.STANDARD)
        True
    """
    if not moves:
        return False
    own, other = set(moves[-1::-2]), set(moves[-2::-2])
    exact = rule in (Rule.STANDARD, Rule.CARO_EXACT) or (rule is Rule.RENJU and len(moves) % 2 == 1)
    for dx, dy in _DIRECTIONS:
        stones = 1
        closed_ends = 0
        for sign in (1, -1):
            end = Move(moves[-1].x + sign * dx, moves[-1].y + sign * dy)
            while end in own:
                stones += 1
                end = Move(end.x + sign * dx, end.y + sign * dy)
            closed_ends += end in other
        spoilt = closed_ends == 2 and rule in (Rule.CARO, Rule.CARO_EXACT)
        if (stones == 5 and not spoilt) or (stones > 5 and not exact):
            return True
    return False


def _one_line(text: str) -> str:
    """The text as one line that no reader takes for a move."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line.replace(",", ";") if _MOVE.fullmatch(line) else line
