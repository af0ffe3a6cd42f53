"""One writer at a time for files that grow over hours. Floor 0."""

from __future__ import annotations

import os
from typing import IO, Any

if os.name == "posix":
    import fcntl


def lock_file(file: IO[Any]) -> bool:
    """Take a file for this process, until it closes the file or ends; where the system has no such locks, do nothing.

    Returns:
        Whether no other process has it.
    """
    if os.name == "posix":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
