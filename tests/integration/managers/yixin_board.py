"""Yixin-Board, a graphical analysis program, with the brain as its engine and a test as the human."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from managers.screen import Screen, wait_for

# Pixels from the top left corner of the main window, 15 rows and columns.
ORIGIN = (25, 57)
CELL = 43
PLAYERS_MENU = (90, 16)
SETTINGS_ITEM = (90, 103)
UNDO = (799, 64)
STOP = (1000, 64)

SECONDS_TO_ASK = 0.5

# Values of settings.txt: board, language, rule, who plays, level (0 is unlimited), limits, then appearance.
SETTINGS = "15 15 0 {rule} 0 1 0 1 1000 225 -1 1 1 1 1 1 1 1 1 19 8 1 0 0 0 1 5 0 1 0 1 1 0 0 100 0"


@contextmanager
def opened(checkout: Path, brain: Path, folder: Path, rule: int) -> Iterator[YixinBoard]:
    """Start the program on a virtual screen, the computer playing white without a limit of time.

    Args:
        checkout: a folder with the built program and its pictures; it is copied, not changed.
        brain: the brain's program.
        folder: an empty folder.
        rule: the program's number of the rule.
    """
    for name in ("Yixin", "icon.ico"):
        shutil.copy(checkout / name, folder)
    shutil.copy(checkout / "skin" / "skin_1.bmp", folder / "piece.bmp")
    # The program writes the path in Windows' way and ends if there is no such file.
    shutil.copy(checkout / "language" / "0.lng", folder / "language\\0.lng")
    for name in ("icon", "function"):
        shutil.copytree(checkout / name, folder / name)
    settings = SETTINGS.format(rule=rule).split(" ")
    (folder / "settings.txt").write_text(
        " ".join(settings[:2]) + "\n" + "\n".join(settings[2:]) + "\n", encoding="ascii"
    )
    engine = folder / "engine"
    engine.write_text(f"#!/bin/sh\ntee input.log | {shlex.quote(str(brain))} | tee output.log\n", encoding="utf-8")
    engine.chmod(0o755)
    with Screen() as screen:
        program = subprocess.Popen(
            ["./Yixin"], cwd=folder, env=screen.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield YixinBoard(screen, folder)
        finally:
            program.terminate()
            program.wait()


class YixinBoard:
    """The running program: its window and what it and the brain have written."""

    def __init__(self, screen: Screen, folder: Path) -> None:
        self._screen = screen
        self._input, self._output = folder / "input.log", folder / "output.log"
        wait_for(lambda: self.answers()[-1:] == ["FORBID ."], "the first answers")
        self._window = screen.find("--name", "^Yixin$")
        screen.picture_of_menu(self._window, PLAYERS_MENU, "yixin-board-players")

    def commands(self) -> list[str]:
        """Return all that the program has sent."""
        return self._input.read_text(encoding="ascii").splitlines()

    def answers(self) -> list[str]:
        """Return all whole lines the brain has answered, without its messages."""
        lines = self._output.read_text(encoding="ascii").split("\n")[:-1] if self._output.exists() else []
        return [line for line in lines if not line.startswith("MESSAGE")]

    def play(self, row: int, column: int) -> None:
        """Put a human's stone and wait until the brain thinks."""
        sent, said = len(self.commands()), self._output.stat().st_size

        def asked() -> bool:
            self._screen.click(self._window, (ORIGIN[0] + CELL * column, ORIGIN[1] + CELL * row))
            time.sleep(SECONDS_TO_ASK)
            return len(self.commands()) > sent

        wait_for(asked, "a question after a click")  # a window that is not painted yet loses clicks
        wait_for(lambda: b"MESSAGE depth" in self._output.read_bytes()[said:], "a message of the search")

    def stop(self) -> list[str]:
        """Press the button that ends thinking; returns the answers to it."""
        self._screen.picture(self._window, "yixin-board-game")
        return self._press(STOP)

    def undo(self) -> list[str]:
        """Press the button that takes a move back; returns the answers."""
        return self._press(UNDO)

    def open_settings(self) -> None:
        """Open the dialog of levels and resources."""

        def opened() -> bool:
            self._screen.do("key", "Escape")
            self._screen.click(self._window, PLAYERS_MENU)
            time.sleep(SECONDS_TO_ASK)
            self._screen.click(self._window, SETTINGS_ITEM)
            time.sleep(SECONDS_TO_ASK)
            return self._screen.titled("^Settings$")

        wait_for(opened, "the dialog of the settings")

    def _press(self, button: tuple[int, int]) -> list[str]:
        """Press a button of the tool bar and wait until the brain has answered all it was asked."""
        before, sent = len(self.answers()), len(self.commands())
        self._screen.click(self._window, button)
        wait_for(lambda: "yxstop" in self.commands()[sent:], "yxstop")
        wait_for(lambda: self.answers()[before:][-1:] == ["FORBID ."], "the answers")
        return self.answers()[before:]
