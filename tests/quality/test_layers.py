"""The folder listing is the architecture: a module imports only from the floors below it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import gomoku

PACKAGE = Path(gomoku.__file__).parent

FLOORS = [
    {"types", "notation", "info", "params", "progress", "filelock", "_core.types"},
    {"_core.patterns", "_core.views", "reference", "protocol", "records"},
    {"_core.board"},
    {"_core.evaluate", "svg"},
    {"_core.position"},
    {"_core.threats", "_core.tt", "_core.verdict"},
    {"_core.movepick", "_core.vct"},
    {"_core.alphabeta", "_core.search"},
    {"_core._probe", "_core.features", "_core.slopes", "timeman", "opening", "team", "reporter"},
    {"engine"},
    {"bench", "book", "classics"},
    {"levels"},
    {"frontends"},
    {"match"},
    {"tuning"},
    {"cli"},
    {"__main__"},
]
# Within a floor: who may use whom.
SIDEWAYS = {
    ("notation", "types"),
    ("info", "types"),
    ("_core.movepick", "_core.threats"),
    ("_core.verdict", "_core.threats"),
    ("_core.search", "_core.alphabeta"),
    ("reporter", "team"),
}
FOR_TYPE_CHECKERS = {
    ("_core.views", "_core.board"),
    ("engine", "frontends.client"),
    ("engine", "frontends.errors"),
    ("engine", "frontends.simple"),
}
IMPORT = re.compile(r"^\s*(?:from gomoku(?:\.([\w.]+))? c?import|c?import gomoku\.([\w.]+))", re.MULTILINE)


def unit(module: str) -> str:
    """The name under which FLOORS has a module: packages other than _core count as one."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "_core" else parts[0]


def floor(name: str) -> int:
    return next(number for number, names in enumerate(FLOORS) if name in names)


def sources() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*")) if path.suffix in (".py", ".pyx", ".pxd")]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    if module.endswith("__init__"):
        return
    own = unit(module)
    for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
        target = match[1] or match[2]
        if target is None or (module, target) in FOR_TYPE_CHECKERS:
            continue  # the whole package, or a name
        used = unit(target)
        assert used == own or (own, used) in SIDEWAYS or floor(used) < floor(own), f"{module} imports {target}"


@pytest.mark.parametrize("folder", ["reference", "protocol", "records"])
def test_independent_packages_import_vocabulary_only(folder: str) -> None:
    for path in (PACKAGE / folder).glob("*.py"):
        for match in IMPORT.finditer(path.read_text(encoding="utf-8")):
            assert unit(match[1] or match[2]) in {folder, "types", "notation"}, path


def test_the_brain_starts_light() -> None:
    code = "import sys, gomoku.frontends.pbrain; print(*sorted(sys.modules))"
    modules = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {"numpy", "asyncio", "argparse", "dataclasses", "inspect", "json", "logging", "subprocess", "socket"}
    assert heavy.isdisjoint(modules)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_fit_a_room(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    budget = {".py": 350, ".pxd": 250}.get(path.suffix, 700)
    assert lines <= (820 if path.name == "board.pyx" else budget)  # see the head of board.pyx
