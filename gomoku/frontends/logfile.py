"""Where a brain writes what must not reach its manager: a log file under the user's state folder."""

from __future__ import annotations

import os
import sys
import time

_LONGEST_BYTES = 1 << 20


def state_folder() -> str:
    """Return the folder for logs: ``$XDG_STATE_HOME/fukumi`` or its like on the system at hand."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    else:
        base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "fukumi")


def log(text: str) -> None:
    """Append a dated entry to ``pbrain.log``; a file grown beyond 1 MiB is begun anew.

    A log that cannot be written is given up silently: the brain has no other place to say so, and must go on.
    """
    path = os.path.join(state_folder(), "pbrain.log")
    try:
        os.makedirs(state_folder(), exist_ok=True)
        mode = "w" if os.path.exists(path) and os.path.getsize(path) > _LONGEST_BYTES else "a"
        with open(path, mode, encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} [{os.getpid()}] {text}\n")
    except OSError:
        return
