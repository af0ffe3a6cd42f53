"""Games under qpiskvork, a graphical manager; its log says what went to and fro."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from managers.screen import Screen, wait_for

# Points in the dialog of the players, which has a fixed size of 450 x 300 pixels.
AI_BUTTONS = ((235, 62), (235, 189))
PATH_FIELDS = ((120, 100), (120, 226))
OK_BUTTON = (310, 276)

# The same in the main window, 15 rows and columns: a menu, and where a message hides few stones.
SETTING_MENU = (86, 10)
FREE_CORNER = (420, 520)

END_TITLES = "over!$|Over$|Error"


def play(program: Path, brain: Path, folder: Path, *, size: int = 15, turn_ms: int = 200, keys: str = "") -> str:
    """Play one game of a brain against itself; returns qpiskvork's log when its window of the result is open.

    Args:
        program: qpiskvork.
        brain: the brain's program.
        folder: for settings and log.
        size: rows and columns.
        turn_ms: limit of a move; the dialog offers no less than 5000, the file of settings does.
        keys: keys that choose rules in the main window: ``s`` standard, ``c`` caro, ``w`` swap2.
    """
    settings = f"[Board]\nsize={size}\n[Time]\nturn_timeout={turn_ms}\n"
    (folder / "qpiskvork.ini").write_text(settings, encoding="ascii")
    log = folder / "qpiskvork.log"
    with Screen() as screen, log.open("wb") as output:
        environment = {**screen.environment, "XDG_CONFIG_HOME": str(folder)}
        manager = subprocess.Popen([program], env=environment, cwd=folder, stdout=output, stderr=output)
        try:
            main = _start(screen, manager.pid, brain, keys)
            wait_for(lambda: screen.titled(END_TITLES) or manager.poll() is not None, "the end of the game", 240)
            assert manager.poll() is None, log.read_text(encoding="utf-8")
            message = screen.find("--name", END_TITLES)
            screen.do("windowmove", message, *map(str, FREE_CORNER))
            screen.picture(main, "qpiskvork-game")
        finally:
            manager.terminate()
            manager.wait()
    return log.read_text(encoding="utf-8")


def answered_points(log: str) -> list[tuple[int, int]]:
    """Return the points the brains answered, in order; positions that were sent to them are left out."""
    answers = re.sub(r"^(SWAP2)?BOARD$.*?^DONE$", "", log, flags=re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^\d+,\d+(?: \d+,\d+)*$", answers, flags=re.MULTILINE)
    return [(int(x), int(y)) for line in lines for x, y in re.findall(r"(\d+),(\d+)", line)]


def _start(screen: Screen, process: int, brain: Path, keys: str) -> str:
    """Choose the rules, name the brain for both players, start the game; returns the main window."""
    # The main window has no title that a search by name would find.
    main = screen.find("--pid", str(process))
    screen.focus(main)
    for key in keys:
        screen.do("key", key)
    screen.picture_of_menu(main, SETTING_MENU, "qpiskvork-rules")
    screen.do("key", "v")  # numbers on the stones
    screen.do("key", "p")
    dialog = screen.find("--name", "^Player Setting$")
    screen.focus(dialog)
    for button, field in zip(AI_BUTTONS, PATH_FIELDS, strict=True):
        screen.click(dialog, button)
        screen.click(dialog, field)
        screen.do("type", str(brain))
    screen.picture(main, "qpiskvork-players")
    screen.click(dialog, OK_BUTTON)
    wait_for(lambda: not screen.titled("^Player Setting$"), "the dialog to close")
    screen.focus(main)
    screen.do("key", "ctrl+s")
    return main
