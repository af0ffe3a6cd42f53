"""Both ends together: whatever one side says, the other hears."""

from __future__ import annotations

import copy
import pickle

import pytest

from gomoku.protocol import Command, Connection, Event, Reply, Role, events
from gomoku.protocol.state import COMMANDS, REPLIES
from gomoku.types import Move

M = Move(7, 8)

SAMPLES: list[Event] = [
    events.Start(15, 15),
    events.Start(20, 15),
    events.Restart(),
    events.Begin(),
    events.Turn(M),
    events.BoardIs(((M, 1), (Move(0, 0), 2), (Move(14, 14), 3))),
    events.BoardIs(()),
    events.BoardIs(((M, 2),), think=False),
    events.Swap2Board(()),
    events.Swap2Board((M, Move(1, 2), Move(3, 4))),
    events.TakeBack(M),
    events.Play(M),
    events.InfoSet("timeout_turn", 5000),
    events.InfoSet("time_left", -1),
    events.InfoSet("max_memory", 2**40),
    events.InfoSet("evaluate", M),
    events.InfoSet("folder", "/home/Zoë/it's a dir"),
    events.InfoSet("folder", "/home/Zo\udceb"),
    events.InfoSet("option.foo", "bar 3"),
    events.InfoSet("rule"),
    events.About(),
    events.Stop(),
    events.ShowForbid(),
    events.ShowInfo(),
    events.NBest(4),
    events.Balance(1, -30),
    events.Balance(2),
    events.SearchDefend(),
    events.Swap2Step(2),
    events.HashClear(),
    events.HashUsage(),
    events.Ignored("YXBLOCKRESET"),
    events.Ignored("YXBLOCK", "", ("7,7", "8,8")),
    events.Ignored("YXDELETEDATABASEALL", "wl", ("7,7",)),
    events.Ignored("YXHASHDUMP", "", ("/some/path",)),
    events.Ignored("YXHASHDUMP", "/some/path"),
    events.Unknown("PONDER 1000"),
    events.End(),
    events.Ok(),
    events.MoveIs((M,)),
    events.MoveIs((M, Move(1, 1), Move(2, 2))),
    events.Swap(),
    events.Message("hello world"),
    events.Debug("x"),
    events.Error("no"),
    events.UnknownReply("command"),
    events.AboutReply("A", "1", "B C", "D", "www.example.org", "a@b"),
    events.Forbid((M, Move(0, 14))),
    events.Progress(9, 15, "-120", 48211, 155, (M, Move(21, 21)), 3),
    events.Capability("MAX_HASH_SIZE", 22),
    events.Realtime("POS", M),
    events.Realtime("PV", None, "H8 I9"),
    events.InfoLine("EVAL", "12"),
    events.Suggest(M),
]

ONLY_RECEIVED = {events.Malformed, events.Noise, events.Closed}

QUESTION: dict[type[Event], Event] = {
    events.Ok: events.Restart(),
    events.MoveIs: events.Begin(),
    events.Swap: events.Swap2Board(()),
    events.AboutReply: events.About(),
    events.Forbid: events.ShowForbid(),
    events.Suggest: events.Begin(),
}


class Pair:
    """Two connections with a wire between them."""

    def __init__(self) -> None:
        self.brain = Connection(Role.BRAIN)
        self.manager = Connection(Role.MANAGER)
        self.say(events.Start(15, 15))
        self.say(events.Ok())

    def say(self, event: Event) -> Event:
        """Return what the other side hears."""
        speaker, listener = (self.manager, self.brain) if isinstance(event, Command) else (self.brain, self.manager)
        listener.receive_data(speaker.send(event))
        (received,) = listener.events()
        assert self.brain.state is self.manager.state
        assert self.brain.owed == self.manager.owed
        assert self.brain.size == self.manager.size
        return received


@pytest.mark.parametrize("event", SAMPLES, ids=repr)
def test_other_side_hears_the_same(event: Event) -> None:
    pair = Pair()
    if type(event) in QUESTION:
        pair.say(QUESTION[type(event)])
    assert pair.say(event) == event


def test_every_event_has_a_sample() -> None:
    kinds = {
        kind
        for kind in vars(events).values()
        if isinstance(kind, type) and issubclass(kind, Event) and kind not in (Event, Command, Reply)
    }
    assert kinds - ONLY_RECEIVED == {type(event) for event in SAMPLES}
    assert {kind for kind in kinds if issubclass(kind, Command)} == set(COMMANDS)
    assert set(REPLIES) == set(QUESTION)


@pytest.mark.parametrize("event", SAMPLES, ids=repr)
def test_events_are_values(event: Event) -> None:
    assert eval(repr(event), {**vars(events), "Move": Move}) == event
    assert pickle.loads(pickle.dumps(event)) == event
    assert copy.copy(event) == event
    assert len({event, copy.copy(event)}) == 1
    assert [other for other in SAMPLES if other == event] == [event]
    name = "text"
    with pytest.raises(AttributeError, match="frozen"):
        setattr(event, name, "x")
    with pytest.raises(AttributeError, match="frozen"):
        delattr(event, name)


@pytest.mark.parametrize(
    "make",
    [
        lambda: events.Start(15),  # type: ignore[call-arg]
        lambda: events.Start(15, 15, 15),  # type: ignore[call-arg]
        lambda: events.Start(15, width=15),  # type: ignore[misc, call-arg]
        lambda: events.Begin(x=1),
    ],
)
def test_wrong_fields(make: object) -> None:
    with pytest.raises(TypeError):
        make()  # type: ignore[operator]


def test_keywords_and_defaults() -> None:
    assert events.Start(height=15, width=20) == events.Start(20, 15)
    assert events.Progress(1, 2, "3") == events.Progress(1, 2, "3", 0, 0, (), 1)
    match events.Turn(M):
        case events.Turn(move):
            assert move == M
