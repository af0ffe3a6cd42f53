"""Programs that are not part of this repository, found through environment variables, and the brains they run."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

GUIDE = "protocol_docs/managers.md"


def external(variable: str, meaning: str) -> Path:
    """Return the path an environment variable holds; without one the test is skipped.

    Args:
        variable: name of the variable.
        meaning: what it has to point to, for the reason of the skip.
    """
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"set {variable} to the path of {meaning}; {GUIDE} says where to get it")
    path = Path(value).expanduser().resolve()
    if not path.exists():
        pytest.fail(f"{variable} is {value!r}, but nothing is there; set it to the path of {meaning} or unset it")
    return path


def brain(name: str = "pbrain-fukumi") -> Path:
    """Return the installed console script of a brain: managers start files, not modules."""
    script = Path(sysconfig.get_path("scripts"), name + (sysconfig.get_config_var("EXE") or ""))
    if not script.exists():
        pytest.skip(f"{name} is not installed beside this Python; install the package with pip, see CONTRIBUTING.md")
    return script
