"""Plays one game or asks one position through the code of GomocupJudge; a program of its own, started by ``judge``.

The first argument is a checkout of GomocupJudge. The request comes as JSON on standard input, the answer goes as JSON
to standard output; whatever the judge prints goes to standard error. Nothing of the judge is replaced: its referee uses
only what psutil offers on every system.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from pathlib import Path
from typing import Any


def play(checkout: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Play a game as the tournament's client does and return who won, how it ended, its moves and the peak memories."""
    client = str(checkout / "client")
    sys.path.insert(0, client)
    referee = importlib.import_module("ai_match")
    opening = importlib.import_module("utility").str_to_pos(request["opening"])
    first, second = request["commands"]
    folder_1, folder_2 = request["folders"]
    limits = {
        f"{name}_{side}": request[name] for name in ("timeout_turn", "timeout_match", "max_memory") for side in (1, 2)
    }
    sent: list[str] = []
    match = referee.ai_match(
        board_size=request["board_size"],
        opening=opening,
        cmd_1=first,
        cmd_2=second,
        protocol_1="new",
        protocol_2="new",
        game_type=1,
        rule=request["rule"],
        folder_1=folder_1,
        folder_2=folder_2,
        working_dir_1=str(Path(first).parent),
        working_dir_2=str(Path(second).parent),
        settings={"send": sent.append, "recv": lambda size: "received"},
        special_rule=request["special_rule"],
        **limits,
    )
    messages, moves, winner, end = match.play()
    return {
        "winner": winner,
        "end": end,
        "moves": moves,
        "opening": match.opening,
        "messages": messages,
        "memory": [engine.vms_memory for engine in (match.engine_1, match.engine_2) if engine is not None],
    }


def ask(checkout: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Ask one position of the tournament's entry test and return whether its judgement was good."""
    sys.path.insert(0, str(checkout))
    tester = importlib.import_module("test_zip_rules")
    passed, detail = tester.run_rule_check(
        request["command"],
        "new",
        request["rule"],
        request["board_size"],
        request["timeout_turn"],
        request["timeout_match"],
        request["folder"],
        request["position"],
        request["check"],
    )
    return {"passed": passed, "detail": detail}


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answer = {"play": play, "ask": ask}[request.pop("kind")](Path(sys.argv[1]), request)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
