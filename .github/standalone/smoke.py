"""Have a brain make a move: ``python smoke.py [PROGRAM]``, by default ``pbrain-fukumi`` on the PATH."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys

CONVERSATION = b"ABOUT\nSTART 15\nINFO timeout_turn 1000\nBOARD\n7,7,1\n8,8,2\nDONE\n"
EXPECTED = r'name="Fukumi".*\nOK\n\d+,\d+'


def main(program: str) -> None:
    """Play one move.

    Raises:
        SystemExit: there is no such program, or it did not answer as it should.
    """
    path = shutil.which(program)
    if path is None:
        raise SystemExit(f"there is no program {program!r}; is the package installed in the environment in use?")
    brain = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert brain.stdin is not None
    assert brain.stdout is not None
    answers: list[str] = []
    with contextlib.suppress(BrokenPipeError):  # of a program that has ended; its answers tell
        brain.stdin.write(CONVERSATION)
        brain.stdin.flush()
    while len(answers) < 3 and (line := brain.stdout.readline()):
        if not line.startswith(b"MESSAGE "):
            answers.append(line.decode("utf-8", "replace").rstrip("\n"))
    brain.communicate(b"END\n", timeout=10)  # only now, since END ends a search without a move
    if brain.returncode or not re.fullmatch(EXPECTED, "\n".join(answers)):
        raise SystemExit(f"{path} answered {answers} and ended with {brain.returncode}")
    print(f"{path} plays {answers[2]}")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["pbrain-fukumi"]))
