"""Print the names of all modules that a brain has loaded after a conversation that touches everything it can do.

A frozen brain is made of these and no others. What packaging tools find by reading sources is too little, since they
do not see what compiled modules import, and far too much, since they follow every import of the standard library.
"""

from __future__ import annotations

import sys
import threading
import traceback

from gomoku.frontends.pbrain import serve
from gomoku.levels import player_names

ANSWER_SECONDS = 60.0

POSITION = "BOARD\n7,7,2\n7,8,1\n8,7,2\nDONE"

QUESTIONS = (
    "ABOUT",
    "START 15",
    "BEGIN",
    *(f"INFO max_node 300\nINFO rule {rule}\n{POSITION}" for rule in (0, 1, 4, 8, 9)),
    "INFO max_node 0\nINFO timeout_turn 50\nTURN 3,3",
    "TURN 3,3",
    "TAKEBACK 3,3",
    "YXNBEST 2",
    "YXSHOWFORBID",
    "NONSENSE",
    "SWAP2BOARD\nDONE",
    "SWAP2BOARD\n7,7\n8,8\n6,8\nDONE",
    f"INFO strength 40\n{POSITION}",
    *(f"INFO player {name}\n{POSITION}" for name in player_names()),
    f"INFO player nobody\n{POSITION}",
    "RESTART",
    "END",
)
"""What the manager says; each entry ends with the one command that is answered."""


def converse() -> list[str]:
    """Hold the conversation and return the answers.

    Raises:
        TimeoutError: a question was not answered.
    """
    questions = iter(QUESTIONS)
    answers: list[str] = []
    answered = threading.Semaphore(1)

    def read() -> bytes:
        if not answered.acquire(timeout=ANSWER_SECONDS):
            raise TimeoutError(f"question {len(answers) + 1} was not answered within {ANSWER_SECONDS:.0f} s")
        return f"{next(questions)}\n".encode()

    def write(data: bytes) -> None:
        for line in data.decode("ascii").splitlines():
            if not line.startswith("MESSAGE "):
                answers.append(line)
                answered.release()

    serve(read, write)
    return answers


def describe_failure() -> str:
    """Describe an exception as the brain's log does, which loads modules of its own; a frozen brain has no sources."""
    try:
        exec(compile("1 / 0", "frozen.py", "exec"), {})
    except ZeroDivisionError:
        return traceback.format_exc(limit=-1)


if __name__ == "__main__":
    converse()
    describe_failure()
    print("\n".join(sorted(sys.modules)))
