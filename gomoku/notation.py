"""Points and move lists as text, in the conventions of the field.

Floor 0. A point is a letter and a number (``h8``; the letter i is not skipped) or ``x,y``. Whether row 1 is the
top or the bottom row differs between programs, so every function takes ``origin``.

Source: protocol_docs/gomocup.md, section "Coordinates".
"""

from __future__ import annotations

import re

from gomoku.types import Move

_POINT = re.compile(r"([A-Za-z])(\d{1,2})")
_PAIR = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")


def _check_origin(origin: str) -> None:
    if origin not in ("top", "bottom"):
        raise ValueError(f"origin must be 'top' or 'bottom', not {origin!r}")


def parse_move(text: str, *, width: int, height: int, origin: str = "top") -> Move:
    """Read one point, ``h8`` or ``7,7``.

    Args:
        text: letter and number counted from ``origin``, or ``x,y`` (always from the top left).
        width: columns of the board.
        height: rows of the board.
        origin: ``"top"`` or ``"bottom"``: where row 1 is.

    Raises:
        ValueError: the text is no point, or the point is not on the board.

    Example:
        >>> parse_move("a1", width=15, height=15, origin="bottom")
        Move(x=0, y=14)
        >>> parse_move("3,4", width=15, height=15)
        Move(x=3, y=4)
    """
    _check_origin(origin)
    match = _POINT.fullmatch(text.strip())
    if match:
        return _point(match, text, width, height, origin)
    match = _PAIR.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a point; write a letter and a number such as 'h8', or 'x,y' such as '7,7'")
    return _on_board(Move(int(match[1]), int(match[2])), text, width, height)


def parse_size(text: str) -> tuple[int, int]:
    """Read the size of a board, ``15`` or ``20x15``; whether there is such a board, the board knows.

    Returns:
        Columns and rows.

    Raises:
        ValueError: the text is no size.

    Example:
        >>> parse_size("15"), parse_size("20x15")
        ((15, 15), (20, 15))
    """
    width, _, height = text.partition("x")
    if not (width.isdecimal() and (height.isdecimal() or not height)):
        raise ValueError(f"size {text!r} is not a number or two such as 15 or 20x15")
    return int(width), int(height or width)


def format_move(move: Move, *, height: int, origin: str = "top") -> str:
    """Write one point as letter and number; the inverse of :func:`parse_move`.

    Example:
        >>> format_move(Move(0, 14), height=15, origin="bottom")
        'a1'
    """
    return move.to_text(origin=origin, height=height)


def parse_moves(text: str, *, width: int, height: int, origin: str = "top") -> list[Move]:
    """Read a move list such as ``h8i9g7``; blanks, commas and semicolons may separate the points.

    Raises:
        ValueError: something in the text is no point of the board; the message quotes it.

    Example:
        >>> [move.text for move in parse_moves("h8 i10,a1", width=15, height=15)]
        ['h8', 'i10', 'a1']
    """
    _check_origin(origin)
    moves: list[Move] = []
    start = 0
    while True:
        while start < len(text) and (text[start].isspace() or text[start] in ",;"):
            start += 1
        if start == len(text):
            return moves
        match = _POINT.match(text, start)
        if not match:
            raise ValueError(f"{text[start : start + 8]!r} at character {start + 1} is not a point such as 'h8'")
        moves.append(_point(match, match[0], width, height, origin))
        start = match.end()


def format_moves(moves: list[Move], *, height: int, origin: str = "top") -> str:
    """Write a move list without separators; the inverse of :func:`parse_moves`.

    Example:
        >>> format_moves([Move(7, 7), Move(8, 9)], height=15)
        'h8i10'
    """
    return "".join(format_move(move, height=height, origin=origin) for move in moves)


def _point(match: re.Match[str], text: str, width: int, height: int, origin: str) -> Move:
    row = int(match[2])
    y = row - 1 if origin == "top" else height - row
    return _on_board(Move(ord(match[1].lower()) - 97, y), text, width, height)


def _on_board(move: Move, text: str, width: int, height: int) -> Move:
    if not (0 <= move.x < width and 0 <= move.y < height):
        raise ValueError(f"{text!r} is not on a board of {width} columns and {height} rows")
    return move
