"""Fuzzes ``gomoku.protocol.Connection`` in both roles; run it as a script.

python tests/fuzz/fuzz_connection.py --inputs 1000000

Checked for every input: no exception but the documented one, the same events however the bytes are cut, every point on
its board, every complaint one line of printable ASCII, one end, and nothing of the input kept for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.drive import arguments, drive, instrumented

with instrumented(wanted=__name__ == "__main__" and "--blind" not in sys.argv) as GUIDED:
    from fuzz.tokens import REPLY_TOKENS, SEEDS, spell
    from gomoku.protocol import (
        BoardIs,
        Closed,
        Command,
        Connection,
        End,
        Event,
        LocalProtocolError,
        Malformed,
        Play,
        RemoteProtocolError,
        Reply,
        Role,
        Start,
        Swap2Board,
        TakeBack,
        Turn,
        Unknown,
    )
    from gomoku.protocol.replies import format_reply

_MOST_EVENTS_A_BYTE = 2
_LONGEST_COMPLAINT = 400


def hear(role: Role, data: bytes, cut: int) -> list[Event]:
    """Return what a new connection hears when the data come in pieces of ``cut`` bytes, then end."""
    connection = Connection(role)
    events: list[Event] = []
    for start in range(0, len(data), cut):
        connection.receive_data(data[start : start + cut])
        events += drain(connection, len(data))
    connection.receive_eof()
    events += drain(connection, len(data))
    return events


def drain(connection: Connection, size: int) -> list[Event]:
    """Return all events that are ready."""
    events: list[Event] = []
    while True:
        try:
            for event in connection.events():
                events.append(event)
                assert len(events) <= _MOST_EVENTS_A_BYTE * (size + 2), "more events than the input can hold"
            return events
        except RemoteProtocolError as error:
            assert connection.role is Role.MANAGER, "a brain must never refuse to listen"
            events.append(error.event)


def check_brain(data: bytes, cut: int) -> None:
    """Check what a brain hears."""
    events = hear(Role.BRAIN, data, max(1, len(data)))
    assert events == hear(Role.BRAIN, data, cut), "the cuts between pieces matter"
    assert all(isinstance(event, Command) for event in events)
    assert events.count(End()) == 1, "not one end"
    assert events[-1] == End(), "something after the end"
    size = (0, 0)
    for event in events:
        match event:
            case Start(width, height):
                size = width, height
                assert min(size) >= 5, event
                assert max(size) <= 22, event
            case Turn(move) | TakeBack(move) | Play(move):
                assert 0 <= move.x < size[0], event
                assert 0 <= move.y < size[1], event
            case BoardIs(stones, _):
                assert len({move for move, _ in stones}) == len(stones), event
                assert all(0 <= move.x < size[0] and 0 <= move.y < size[1] for move, _ in stones), event
            case Swap2Board(moves):
                assert len(set(moves)) in (0, 3, 5), event
            case Unknown() | Malformed():
                line = format_reply(event.reply())
                assert line.isascii(), event
                assert line.isprintable(), event
                assert len(line) <= _LONGEST_COMPLAINT, event


def check_manager(data: bytes, cut: int) -> None:
    """Check what a manager hears, without and with questions that it has asked."""
    events = hear(Role.MANAGER, data, max(1, len(data)))
    assert events == hear(Role.MANAGER, data, cut), "the cuts between pieces matter"
    assert all(isinstance(event, Reply) for event in events)
    assert events[-1] == Closed(), "the end is missing"
    manager, brain = Connection(Role.MANAGER), Connection(Role.BRAIN)
    brain.receive_data(b"START 22\n" + data)
    for command in drain(brain, len(data) + 9):
        try:
            said = manager.send(command)
        except LocalProtocolError:
            continue  # not everything that is heard may be said, or now
        assert said.endswith(b"\n"), command
    manager.receive_data(data)
    drain(manager, len(data))


def check(data: bytes) -> None:
    """Check one input: its first byte says how to cut, the others what is said."""
    if not data:
        return
    cut = 1 + data[0] % 61
    check_brain(spell(data[1:]), cut)
    check_manager(spell(data[1:], REPLY_TOKENS), cut)


def main() -> None:
    """Fuzz as the command line says."""
    options = arguments(__doc__, inputs=20_000)
    drive(check, SEEDS, options, guided=GUIDED)


if __name__ == "__main__":
    main()
