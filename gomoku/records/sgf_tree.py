r"""The text of SGF files, whatever the game: game trees in, the nodes of their main lines out.

A file is a collection of trees ``(;A[x]B[y][z];C[w](;...)(;...))``: nodes begin with ``;`` and hold properties with one
value or more in brackets; parentheses hold branches. The reader never recurses, takes time in proportion to the text,
and gets something out of files that are cut off or escape nothing.

Source: SGF FF[4], https://www.red-bean.com/sgf/sgf4.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

Property = tuple[str, list[str]]
"""A name in capitals and its raw values, of which there is at least one."""

_TREE = re.compile(r"\(\s*;")
_NEXT_GAME = re.compile(r"\(\s*;\s*(?:FF|GM)\s*\[")
_TOKEN = re.compile(r"[();]|([A-Za-z0-9]++)\s*+\[|[A-Za-z0-9]++|[^();A-Za-z0-9]++")
_VALUE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
_NEXT_VALUE = re.compile(r"\s*+\[")
_BRACKET = re.compile(r"[\[\]]")
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_UNESCAPED_BACKSLASH = re.compile(r"\\\]\s*+;?\s*+[A-Z]{1,2}\[")

_POINTS_OR_NUMBERS = frozenset({"B", "W", "AB", "AW", "AE", "FF", "GM", "SZ"})
"""Properties that hold no text, so that no bracket can belong to it."""

_NAMES = frozenset({"PB", "PW"})
_LONGEST_NAME = 1000
"""Backslashes are repaired within so many characters only, or many names could make the reader scan much text twice."""


class Tree(NamedTuple):
    """The main line of one game tree.

    Attributes:
        nodes: the properties of each node, from the root on; there is at least one node.
        errors: what was repaired or left out, one clause each.
    """

    nodes: list[list[Property]]
    errors: list[str]


def escape(text: str) -> str:
    r"""Make a text fit for a value; the inverse of :func:`unescape` but for blanks at the ends.

    The opening bracket need not be escaped; it is for the sake of readers that count brackets.

    Example:
        >>> escape("a]b")
        'a\\]b'
    """
    return re.sub(r"([\\\[\]])", r"\\\1", text)


def unescape(value: str) -> str:
    r"""Turn a raw value into its text, with ``\n`` for line ends and single blanks for other white space.

    Example:
        >>> unescape("a\\]b\t\\\\")
        'a]b \\'
    """
    text = _ESCAPE.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
    return re.sub(r"[^\S\n]", " ", re.sub(r"\r\n|\n\r|\r", "\n", text)).strip()


def read_trees(text: str) -> Iterator[Tree]:
    """Yield the main line of each game tree of a file; text between the trees is skipped.

    Example:
        >>> [tree.nodes for tree in read_trees("(;GM[4];B[aa](;W[bb])(;W[cc])) (;GM[4])")]
        [[[('GM', ['4'])], [('B', ['aa'])], [('W', ['bb'])]], [[('GM', ['4'])]]]
    """
    start = _TREE.search(text)
    while start:
        tree, end = _read_tree(text, start.start())
        yield tree
        start = _TREE.search(text, end)


def _read_tree(text: str, position: int) -> tuple[Tree, int]:
    """Read the tree that begins here and return it with where it ends.

    The main line takes the first branch everywhere, so it is all that comes before the first closing parenthesis.
    """
    tree = Tree([], [])
    depth = variations = skipped = stray = 0
    on_line = True
    while position < len(text):
        if depth and _NEXT_GAME.match(text, position):
            break  # the game before was cut off
        token = _TOKEN.match(text, position)
        assert token  # every character begins a token
        position = token.end()
        if token[0] == "(":
            depth += 1
            variations += not on_line
        elif token[0] == ")":
            depth -= 1
            on_line = False
            if depth == 0:
                break
        elif token[0] == ";":
            skipped += not on_line
            if on_line:
                tree.nodes.append([])
        elif token[1]:
            name = "".join(filter(str.isupper, token[1])) or token[1].upper()  # FF[3] may write PlayerBlack for PB
            values, position = _read_values(text, position, name)
            if on_line:
                tree.nodes[-1].append((name, values))
        else:
            stray += not token[0].isspace()
    if depth:
        tree.errors.append("the game is not closed; the file may be cut off")
    if skipped:
        tree.errors.append(f"variations are left out: {variations} with {skipped} nodes")
    if stray:
        tree.errors.append(f"text that belongs to no property is left out, in {stray} places")
    return tree, position


def _read_values(text: str, start: int, name: str) -> tuple[list[str], int]:
    """Read the values of a property, from behind the first opening bracket."""
    values: list[str] = []
    while True:
        end = _value_end(text, start, name)
        values.append(text[start:end])
        following = _NEXT_VALUE.match(text, end + 1)
        if not following:
            return values, end + 1
        start = following.end()


def _value_end(text: str, start: int, name: str) -> int:
    """Where the closing bracket of a value is; the end of the text if there is none.

    Some writers escape nothing. In a text, a closing bracket that another one follows before any opening one belongs to
    the text. In a name, a backslash belongs to it that seems to escape the last bracket before another property.
    """
    if name in _NAMES:
        beginning = _VALUE.match(text, start, start + _LONGEST_NAME)
        lost = beginning and _UNESCAPED_BACKSLASH.search(text, start, beginning.end())
        if lost:
            return lost.start() + 1
    end = _next_close(text, start)
    while end < len(text) and name not in _POINTS_OR_NUMBERS:
        bracket = _BRACKET.search(text, end + 1)
        if not bracket or bracket[0] == "[":
            break
        end = bracket.start()
    return end


def _next_close(text: str, start: int) -> int:
    match = _VALUE.match(text, start)
    assert match  # the empty text matches
    return match.end() if text.startswith("]", match.end()) else len(text)
