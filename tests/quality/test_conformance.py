"""The conformance table is whole: every row is there once, and every test it names exists."""

from __future__ import annotations

import ast
import functools
import importlib.util
import itertools
import re
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]
TABLE = TESTS.parent / "protocol_docs" / "conformance.md"

ROWS = {"T": 11, "S": 11, "M": 20, "I": 15, "E": 3, "O": 4, "Y": 13, "R": 6, "X": 5, "B": 43}
"""How many rows there are of each kind, numbered from 1 on."""

NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")
CONVERSATION = re.compile(r"`\[(\w+)\]`")
WAITS = re.compile(r"`\[(\w+)\]` \(waits\)")


def rows() -> list[list[str]]:
    """The cells of every row of the tables."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines if line.startswith("| ")]
    return [row for row in cells if row[0] not in ("row", "---")]


@functools.cache
def names_of_tests(file: str) -> set[str]:
    """The names of the tests in a file, wherever it is."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob(file)]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def conversations() -> dict[str, bool]:
    """The names of the conversations, and whether their manager waits for answers."""
    spec = importlib.util.spec_from_file_location("conversations", TESTS / "integration" / "conversations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {conversation.name: conversation.waits for conversation in module.CONVERSATIONS}


def test_every_row_is_there_once() -> None:
    expected = [f"{kind}{number}" for kind, count in ROWS.items() for number in range(1, count + 1)]
    assert Counter(row[0] for row in rows()) == Counter(expected)
    assert [row for row in rows() if len(row) != 5 or not (row[1] and row[2])] == []


def test_every_row_names_a_test_or_a_reason() -> None:
    reason = re.compile(r"Not done: \w.{20}")
    shown = {row[0]: row[4] for row in rows()}
    assert [
        row for row, by in shown.items() if not (NAMED.search(by) or CONVERSATION.search(by) or reason.search(by))
    ] == []


def test_every_test_that_is_named_exists() -> None:
    named = {(row[0], *name) for row in rows() for name in NAMED.findall(row[4])}
    assert len(named) > 100
    assert sorted(name for name in named if name[2] not in names_of_tests(name[1])) == []
    # Nothing may be named in a way that is not looked at.
    leftover = {row[0]: CONVERSATION.sub("", NAMED.sub("", row[4])) for row in rows()}
    assert [row for row, text in leftover.items() if re.search(r"test_|\[\w+\](?!\()", text)] == []


def test_the_conversations_are_those_that_are_held() -> None:
    waits = conversations()
    shown = " ".join(row[4] for row in rows())
    assert set(CONVERSATION.findall(shown)) == waits.keys()
    # Those that cannot be written in one burst say so wherever they are named.
    assert sorted(WAITS.findall(shown)) == sorted(name for name in CONVERSATION.findall(shown) if waits[name])


def test_conversations_begin_with_rows_that_name_them() -> None:
    shown = {row[0].lower(): set(CONVERSATION.findall(row[4])) for row in rows()}
    for name in conversations():
        claimed = list(itertools.takewhile(shown.__contains__, name.split("_")))
        assert claimed, name
        assert [row for row in claimed if name not in shown[row]] == [], name
