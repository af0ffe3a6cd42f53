"""Every example in a docstring and in README runs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import gomoku

README = Path(__file__).parents[2] / "README.md"


def modules() -> list[str]:
    names = [module.name for module in pkgutil.walk_packages(gomoku.__path__, "gomoku.")]
    return ["gomoku", *(name for name in names if not name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_docstring_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_there_are_examples() -> None:
    """Counts them only: each runs above."""
    found = (test for name in modules() for test in doctest.DocTestFinder().find(importlib.import_module(name)))
    assert sum(len(test.examples) for test in found) > 100


def test_readme_examples() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
