"""A brain that plays the first point it finds, in one thread and without pipes: the protocol package put to use.

Tests replay the transcripts against it. Front ends can be written after its model; what it lacks is a clock, an engine
and a second thread.
"""

from __future__ import annotations

from gomoku.protocol import (
    About,
    Balance,
    Begin,
    BoardIs,
    Capability,
    Connection,
    End,
    Error,
    Event,
    Forbid,
    HashUsage,
    InfoSet,
    Malformed,
    Message,
    MoveIs,
    NBest,
    Ok,
    Play,
    Progress,
    Reply,
    Restart,
    Role,
    SearchDefend,
    ShowForbid,
    ShowInfo,
    Start,
    Swap,
    Swap2Board,
    Swap2Step,
    TakeBack,
    Turn,
    Unknown,
    about,
    resolve_rule,
)
from gomoku.reference.rules import ReferenceBoard, foul
from gomoku.types import BLACK, WHITE, Foul, Move, Rule


class StubBrain:
    """Bytes in, bytes out."""

    def __init__(self) -> None:
        self.connection = Connection(Role.BRAIN)
        self.stones: dict[Move, int] = {}
        self.rule_number = 0
        self.ended = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the answers to what is complete, one by one."""
        self.connection.receive_data(data)
        return self._answers()

    def close(self) -> list[bytes]:
        """Return the answers that are left when the input ends."""
        self.connection.receive_eof()
        return self._answers()

    def _answers(self) -> list[bytes]:
        return [self.connection.send(reply) for event in self.connection.events() for reply in self._handle(event)]

    def _handle(self, event: Event) -> list[Reply]:
        match event:
            case Start() | Restart():
                self.stones.clear()
                return [Ok()]
            case InfoSet("rule"):
                self.rule_number = event.number or 0
            case About():
                return [about("1.0")]
            case Unknown() | Malformed():
                return [event.reply()]
            case End():
                self.ended = True
            case Begin() | NBest() | SearchDefend():
                return self._think()
            case Turn(move):
                return self._place(move, 2) or self._think()
            case Play(move):
                return self._place(move, 1) or [MoveIs((move,))]
            case TakeBack(move):
                return [Ok()] if self.stones.pop(move, None) else [Error("there is no stone")]
            case BoardIs(stones, think):
                self.stones = dict(stones)
                return self._think() if think else []
            case _:
                return self._handle_rest(event)
        return []

    def _handle_rest(self, event: Event) -> list[Reply]:
        match event:
            case ShowInfo():
                return [Capability("MAX_THREAD_NUM", 1), Capability("MAX_HASH_SIZE", 20)]
            case ShowForbid():
                return [Forbid(self._forbidden())]
            case HashUsage():
                return [Message("hash usage 0")]
            case Balance(count):
                return [MoveIs(tuple(self._free()[:count]))]
            case Swap2Board(moves):
                return [Swap()] if moves else [MoveIs((Move(7, 7), Move(8, 7), Move(9, 9)))]
            case Swap2Step(1):
                return [Message(f"SWAP2 MOVE{number} {number} 7") for number in (1, 2, 3)]
            case Swap2Step(step):
                return [Message(f"SWAP2 SWAP{step - 1} YES")]
        return []

    def _size(self) -> tuple[int, int]:
        assert self.connection.size
        return self.connection.size

    def _free(self) -> list[Move]:
        width, height = self._size()
        points = [Move(x, y) for y in range(height) for x in range(width)]
        middle = Move(width // 2, height // 2)
        points.sort(key=lambda move: max(abs(move.x - middle.x), abs(move.y - middle.y)))
        return [move for move in points if move not in self.stones]

    def _place(self, move: Move, who: int) -> list[Reply]:
        if move in self.stones:
            return [Error(f"the point {move} is occupied")]
        self.stones[move] = who
        return []

    def _think(self) -> list[Reply]:
        free = self._free()
        if not free:
            return [Error("the board is full")]
        self.stones[free[0]] = 1
        return [Progress(1, 1, "0", 1, 0, (free[0],)), MoveIs((free[0],))]

    def _forbidden(self) -> tuple[Move, ...]:
        choice = resolve_rule(self.rule_number, yixin=self.connection.yixin)
        if not choice or choice.rule is not Rule.RENJU:
            return ()
        board = ReferenceBoard(*self._size(), Rule.RENJU)
        first = next(iter(self.stones.values()), 1)
        for move, who in self.stones.items():
            board.place(move.x, move.y, BLACK if who == first else WHITE)
        return tuple(move for move in self._free() if foul(board, move.x, move.y) is not Foul.NONE)
