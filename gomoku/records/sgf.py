r"""Smart Game Format, FF[4], for GM[4], "Gomoku and Renju".

Points are two letters, column and row, both counted from the top left: ``hh`` is the centre of a board of 15. A game of
this package is one line of moves::

    (;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[Ada]PW[Bo]RE[B+]TE[five]
    ;B[hh]C[opening move];W[ii]C[0.12/9 850ms])

Two habits of match runners are kept: ``TE`` of the first node says how the game ended, and a move's comment is
``opening move`` or ends with the time used, such as ``850ms``. (A comment that looks so by chance is read as such.)
What a reader does not keep: the comment of the first node, and properties other than these, EV, DT and RO.

Source: SGF FF[4], https://www.red-bean.com/sgf/
"""

from __future__ import annotations

import codecs
import re

from gomoku.notation import parse_move
from gomoku.records.game import Game, decode_text
from gomoku.records.sgf_tree import Property, Tree, escape, read_trees, unescape
from gomoku.types import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Color, Move, Rule

_DEFAULT_SIZE = 15
_LAST_SIZE_WITH_TT = 19
"""On boards up to this size ``tt`` is no point and means a pass."""

_MOVES_PER_LINE = 8
_OPENING = "opening move"
_FORFEITS = frozenset({"forbidden", "illegal", "memory", "crash", "disconnect", "start", "no start"})

_SIZE = re.compile(r"([0-9]{1,3})(?:\s*[:x]\s*([0-9]{1,3}))?")
_LETTERS = re.compile(r"[A-Za-z]{2}")
_RESULT = re.compile(r"(b|w|black|white)\s*\+\s*(.*)", re.IGNORECASE)
_RESULT_WORDS = {"t": "timeout", "time": "timeout", "r": "resignation", "resign": "resignation", "five": "five"}
_TIME = re.compile(r"(?:^|\s)([0-9]{1,12})ms\Z")
_DATE = re.compile(r"([0-9]{4})[./]([0-9]{2})[./]([0-9]{2})")
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,20})\s*\]")
_CHARSETS = {"utf-8", "ascii", "iso8859-1", "iso8859-2", "cp1250", "cp1251", "cp1252", "koi8-r"} | {
    *("gb2312", "gbk", "gb18030", "big5", "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949")
}
"""Codecs that a file may choose for itself; some others cost much time or memory on hostile input."""

_SENTENCE = re.compile(r"(?:(?:Black|White) win|Draw) by (.+)|(Black play forbidden move).*|(Unterminated)")
_SENTENCES = {
    "five connection": "five",
    "fullfilled board": "full board",
    "opponent illegal move": "illegal",
    "time forfeit": "timeout",
    "opponent crash": "crash",
    "Black play forbidden move": "forbidden",
    "Unterminated": "",
}
"""What c-gomoku-cli writes into TE, as the words of :attr:`Game.termination`."""


# --- Writing ---


def dumps(game: Game) -> str:
    r"""Write a game; the texts of several games may follow each other in one file.

    Example:
        >>> print(dumps(Game(width=15, height=15, moves=(Move(7, 7),), black="a]b", comments=("+M3",))), end="")
        (;FF[4]GM[4]CA[UTF-8]SZ[15]PB[a\]b]
        ;B[hh]C[+M3])
    """
    size = f"{game.width}" if game.width == game.height else f"{game.width}:{game.height}"
    head = f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]"
    for name, text in (
        ("RU", "" if game.rule is None else game.rule.label),
        ("EV", game.event),
        ("DT", game.date),
        ("RO", game.round),
        ("PB", game.black),
        ("PW", game.white),
        ("RE", _result(game)),
        ("TE", game.termination),
    ):
        if text:
            head += f"{name}[{escape(text)}]"
    nodes = [_node(game, ply) for ply in range(len(game.moves))]
    lines = ["".join(nodes[start : start + _MOVES_PER_LINE]) for start in range(0, len(nodes), _MOVES_PER_LINE)]
    return "\n".join([head, *lines]) + ")\n"


def _result(game: Game) -> str:
    if not game.finished:
        return ""
    if game.winner is None:
        return "0"
    how = "T" if game.termination == "timeout" else "F" if game.termination in _FORFEITS else ""
    return f"{game.winner.name[0]}+{how}"


def _node(game: Game, ply: int) -> str:
    move = game.moves[ply]
    comment = game.comments[ply] if game.comments else ""
    if ply < game.opening_plies:
        comment = f"{_OPENING}; {comment}" if comment else _OPENING
    elif game.times_ms:
        comment = f"{comment} {game.times_ms[ply]}ms".lstrip()
    color = "W" if ply % 2 else "B"
    return f";{color}[{chr(97 + move.x)}{chr(97 + move.y)}]" + (f"C[{escape(comment)}]" if comment else "")


# --- Reading ---


def loads(text: str | bytes, *, encoding: str | None = None, origin: str = "bottom") -> list[Game]:
    """Read the main line of every game of a file.

    Args:
        text: the file. Bytes are decoded as their byte order mark or CA says, else as UTF-8.
        encoding: the encoding of bytes, whatever the file says.
        origin: ``"top"`` or ``"bottom"``: where row 1 is if the file has points such as ``h8``.

    Returns:
        A game for every game tree of the file, in order. A line ends before the first move that alternating stones on
        a board cannot make; ``errors`` tells this, variations, passes and set-up stones left out, and all repairs.

    Raises:
        ValueError: there is no game in the text, or no such encoding or origin.

    Example:
        >>> game, = loads("(;GM[4]SZ[15]PB[Ada]RE[B+T];B[hh];W[ii](;B[gg])(;B[ff]))")
        >>> [move.text for move in game.moves], game.winner, game.termination
        (['h8', 'i9', 'g7'], <Color.BLACK: 1>, 'timeout')
        >>> game.errors
        ('variations are left out: 1 with 1 nodes',)
    """
    if origin not in ("top", "bottom"):
        raise ValueError(f"origin must be 'top' or 'bottom', not {origin!r}")
    errors: tuple[str, ...] = ()
    if isinstance(text, bytes):
        text, errors = _decode(text, encoding)
    games = [_game(tree, errors, origin) for tree in read_trees(text)]
    if not games:
        raise ValueError(f"no SGF game in the text, which begins with {text[:40]!r}; a game begins with '(;'")
    return games


def _decode(data: bytes, encoding: str | None) -> tuple[str, tuple[str, ...]]:
    if encoding is not None:
        return decode_text(data, encoding)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_text(data, "utf-16")
    match = _CHARSET.search(data[:4096])
    charset = match[1].decode("ascii") if match else "utf-8"
    try:
        known = codecs.lookup(charset).name in _CHARSETS
    except LookupError:
        known = False
    if known:
        return decode_text(data, charset)
    text, errors = decode_text(data, "utf-8")
    return text, (f"the character set CA[{charset}] is unknown; UTF-8 was taken", *errors)


def _game(tree: Tree, errors: tuple[str, ...], origin: str) -> Game:
    report = [*errors, *tree.errors]
    info = {name: unescape(values[0]).replace("\n", " ") for name, values in reversed(tree.nodes[0])}
    if info.get("GM", "4") != "4":
        report.append(f"GM[{info['GM'][:20]}] is another game; gomoku and renju are GM[4]")
    width, height, supported = _read_size(info.get("SZ", ""), report)
    line = _Line(width, height, origin, report)
    for node in tree.nodes if supported else ():
        line.add(node)
    line.finish()
    finished, winner, word = _read_result(info.get("RE", ""), report)
    return Game(
        width=width,
        height=height,
        rule=_read_rule(info.get("RU", ""), report),
        moves=tuple(line.moves),
        opening_plies=line.opening_plies,
        times_ms=tuple(line.times_ms) if any(line.times_ms) else (),
        comments=tuple(line.comments) if any(line.comments) else (),
        black=info.get("PB", ""),
        white=info.get("PW", ""),
        winner=winner,
        finished=finished,
        termination=_read_termination(info["TE"]) if "TE" in info else word,
        event=info.get("EV", ""),
        date=_DATE.sub(r"\1-\2-\3", info.get("DT", ""), count=1),
        round=info.get("RO", ""),
        errors=tuple(report),
    )


def _read_size(text: str, report: list[str]) -> tuple[int, int, bool]:
    """Width, height, and whether such a board is supported."""
    match = _SIZE.fullmatch(text)
    if not match:
        report.append(f"SZ[{text[:20]}] tells no board size; {_DEFAULT_SIZE} was taken")
        return _DEFAULT_SIZE, _DEFAULT_SIZE, True
    width, height = int(match[1]), int(match[2] or match[1])
    if MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE:
        return width, height, True
    report.append(f"boards of {width} by {height} points are not supported; the moves are left out")
    return _DEFAULT_SIZE, _DEFAULT_SIZE, False


def _read_rule(text: str, report: list[str]) -> Rule | None:
    try:
        return Rule.from_name(text) if text else None
    except ValueError:
        report.append(f"the rule RU[{text[:40]}] is unknown")
        return None


def _read_result(text: str, report: list[str]) -> tuple[bool, Color | None, str]:
    """Whether the game is finished, the winner, and how it ended."""
    match = _RESULT.fullmatch(text)
    if match:
        return True, BLACK if match[1][0] in "Bb" else WHITE, _RESULT_WORDS.get(match[2].lower(), "")
    if text.lower() in ("0", "draw", "jigo"):
        return True, None, ""
    if text.lower() not in ("", "?", "*", "void"):
        report.append(f"the result RE[{text[:20]}] is unknown")
    return False, None, ""


def _read_termination(text: str) -> str:
    match = _SENTENCE.fullmatch(text)
    if not match:
        return text
    how: str = next(filter(None, match.groups()))
    return _SENTENCES.get(how, how)


class _Line:
    """The moves of a main line, played one after the other until one does not fit."""

    def __init__(self, width: int, height: int, origin: str, report: list[str]) -> None:
        self.width = width
        self.height = height
        self.origin = origin
        self.report = report
        self.moves: dict[Move, None] = {}
        self.comments: list[str] = []
        self.times_ms: list[int] = []
        self.opening_plies = 0
        self.ended = False
        self.passes = self.setup_stones = self.numbered_points = 0

    def add(self, node: list[Property]) -> None:
        """Play the moves of a node and keep its comment with the last of them."""
        plies = len(self.moves)
        for name, values in node:
            if name in ("B", "W"):
                for value in values:
                    self._play(BLACK if name == "B" else WHITE, unescape(value))
            elif name in ("AB", "AW", "AE"):
                self.setup_stones += len(values)
        if len(self.moves) > plies:
            comment = "\n".join(unescape(value) for name, values in node if name == "C" for value in values)
            self.comments += [""] * (len(self.moves) - plies - 1) + [comment]

    def _play(self, color: Color, text: str) -> None:
        """Play one move, or end the line before it."""
        if self.ended:
            return
        ply = len(self.moves) + 1
        if not text or (text.lower() == "tt" and max(self.width, self.height) <= _LAST_SIZE_WITH_TT):
            self.passes += 1
            return
        try:
            move = self._point(text)
        except ValueError as error:
            self._end(f"move {ply}: {error}")
            return
        if color != (BLACK if ply % 2 else WHITE):
            self._end(f"move {ply} is {color.name.lower()}'s out of turn")
        elif move in self.moves:
            self._end(f"move {ply}, {text!r}, is on an occupied point")
        else:
            self.moves[move] = None

    def _point(self, text: str) -> Move:
        if not _LETTERS.fullmatch(text):
            move = parse_move(text[:20], width=self.width, height=self.height, origin=self.origin)
            self.numbered_points += "," not in text
            return move
        move = Move(*(ord(letter) - 97 for letter in text.lower()))
        if move.x >= self.width or move.y >= self.height:
            raise ValueError(f"{text!r} is not on a board of {self.width} columns and {self.height} rows")
        return move

    def _end(self, reason: str) -> None:
        self.ended = True
        self.report.append(f"{reason}; the line ends before it")

    def finish(self) -> None:
        """Take times and the marks of opening stones out of the comments, and report what was left out."""
        self.opening_plies = next(
            (ply for ply, text in enumerate(self.comments) if text != _OPENING and not text.startswith(f"{_OPENING};")),
            len(self.comments),
        )
        for ply, text in enumerate(self.comments):
            if ply < self.opening_plies:
                self.comments[ply] = text.removeprefix(_OPENING).removeprefix(";").lstrip()
                self.times_ms.append(0)
                continue
            time = _TIME.search(text)
            self.times_ms.append(int(time[1]) if time else 0)
            if time:
                self.comments[ply] = text[: time.start()].rstrip()
        if self.passes:
            self.report.append(f"passes are left out: {self.passes}")
        if self.setup_stones:
            self.report.append(f"set-up stones (AB, AW, AE) are left out: {self.setup_stones}")
        if self.numbered_points:
            self.report.append(f"points such as 'h8' were read with row 1 at the {self.origin}")
