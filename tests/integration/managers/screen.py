"""A virtual screen for graphical programs: keys and clicks go in, titles of windows come out."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from managers.programs import GUIDE

ALBUM = "FUKUMI_PICTURES"
PAINTING_SECONDS = 0.5


class Screen:
    """An X server without a monitor, ended with the ``with`` block; a test without the tools for it is skipped.

    It takes the pictures of the guide, if the variable FUKUMI_PICTURES names a folder for them.
    """

    def __enter__(self) -> Self:
        album = os.environ.get(ALBUM)
        self._album = Path(album).resolve(strict=True) if album else None
        for tool in ("Xvfb", "xdotool"):
            if shutil.which(tool) is None:
                pytest.skip(f"{tool} is needed to drive graphical programs; see {GUIDE}")
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1200x900x24"]
        self._server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as numbers:
            display = numbers.readline().strip()
        self.environment = {**os.environ, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()

    def do(self, *words: str) -> str:
        """Run xdotool and return the last line it prints."""
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip().rpartition("\n")[2]

    def find(self, *criteria: str) -> str:
        """Wait for a visible window and return its number; the criteria are those of ``xdotool search``."""
        return self.do("search", "--sync", "--onlyvisible", *criteria)

    def titled(self, title: str) -> bool:
        """Return whether there is a visible window whose title fits a regular expression."""
        command = ["xdotool", "search", "--onlyvisible", "--name", title]
        return bool(subprocess.run(command, env=self.environment, capture_output=True, check=False).stdout)

    def focus(self, window: str) -> None:
        """Let a window have the keys."""
        self.do("windowfocus", "--sync", window)

    def click(self, window: str, point: tuple[int, int]) -> None:
        """Click a point of a window, in pixels from its top left corner."""
        self.do("mousemove", "--window", window, str(point[0]), str(point[1]), "click", "1")

    def picture(self, window: str, name: str) -> None:
        """Save what is seen of a window, menus and dialogs above it included, in few colours; needs ImageMagick."""
        if self._album is None:
            return
        time.sleep(PAINTING_SECONDS)
        command = ["import", "-screen", "-window", window, "+dither", "-colors", "64", "-strip"]
        subprocess.run([*command, "-quality", "90", f"png8:{self._album / name}.png"], env=self.environment, check=True)

    def picture_of_menu(self, window: str, point: tuple[int, int], name: str) -> None:
        """Save a window with the menu open that a click on a point opens."""
        if self._album is None:
            return
        self.click(window, point)
        self.picture(window, name)
        self.do("key", "Escape")


def wait_for(condition: Callable[[], bool], what: str, timeout: float = 60.0) -> None:
    """Wait until a condition holds; after the timeout, in seconds, the test fails."""
    end = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > end:
            pytest.fail(f"waited {timeout} s in vain for {what}")
        time.sleep(0.1)
