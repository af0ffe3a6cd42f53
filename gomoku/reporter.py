"""From the numbers of a search to what its user is told. Floor 8."""

from __future__ import annotations

import time

from gomoku._core.board import Board
from gomoku.info import Info, PovScore, Score
from gomoku.team import Team
from gomoku.types import Move


class Reporter:
    """Turns a search's numbers into Infos.

    Args:
        board: the position that is searched.
        team: what searches it.
        start_ns: the ``time.monotonic_ns`` at which the search began.
        multipv: lines to report.
    """

    def __init__(self, board: Board, team: Team, start_ns: int, multipv: int) -> None:
        self.turn = board.turn
        self.team = team
        self.start_ns = start_ns
        self.multipv = max(1, multipv)

    def info(self, depth: int, value: int, pv: list[Move], rank: int = 1) -> Info:
        """Return a line with this value for the side to move."""
        return Info(
            depth=depth,
            seldepth=max(depth, self.team.seldepth),
            score=PovScore(Score.from_int(value), self.turn),
            pv=tuple(pv),
            nodes=self.team.nodes,
            time=(time.monotonic_ns() - self.start_ns) / 1e9,
            multipv=rank,
        )

    def lines(self, depth: int) -> list[Info]:
        """Return the search's lines, best first."""
        found = self.team.lines(self.multipv)
        return [self.info(depth, value, pv, rank) for rank, (value, pv) in enumerate(found, start=1)]
