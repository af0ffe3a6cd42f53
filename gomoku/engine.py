"""The in-process engine: a board and a limit in, a move and what is known about it out.

Floor 8. Knows no protocol text and does no input or output.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Self

from gomoku._core.board import Board
from gomoku._core.search import Searcher
from gomoku.info import MATE_BAND, Analysis, Info, Limit, PlayResult, PovScore, Score, Solution, Swap2Choice
from gomoku.opening import Judge, points, swap2
from gomoku.params import HASH, SEARCH_DEPTH, THREADS, Constants, all_constants, hash_bytes_for
from gomoku.reporter import Reporter
from gomoku.team import Team
from gomoku.timeman import Budget, Stability, budget, solver_nodes
from gomoku.types import GomokuError

if TYPE_CHECKING:
    from gomoku.frontends.client import AsyncEngine
    from gomoku.frontends.errors import EngineError, EngineTerminatedError, EngineTimeoutError
    from gomoku.frontends.simple import SimpleEngine

__all__ = [
    "Analysis",
    "AsyncEngine",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "EngineTimeoutError",
    "Info",
    "Limit",
    "PlayResult",
    "PovScore",
    "Score",
    "SimpleEngine",
    "Solution",
    "Swap2Choice",
]

_ELSEWHERE = {
    "AsyncEngine": "gomoku.frontends.client",
    **dict.fromkeys(("EngineError", "EngineTerminatedError", "EngineTimeoutError"), "gomoku.frontends.errors"),
    "SimpleEngine": "gomoku.frontends.simple",
}
"""Names that belong here for users but live on a higher floor; fetched when asked for, since a brain needs none."""


def __getattr__(name: str) -> object:
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


InfoCallback = Callable[[Info], None]

_LONGEST = 199  # plies of a win to look for
# Nodes for wins by threats and for root moves that lose, in parts of those for fours. In play more cost strength.
_IN_PLAY, _IN_ANALYSIS = (1.0, 1.0), (9.0, 0.125)


class Engine:
    """A thinking opponent and analyst.

    Args:
        hash_bytes: memory for the transposition table; taken when the first search begins, page by page.
        threads: threads that search together; with one, searches limited by nodes or depth are repeatable.
        constants: of the search, those that are not to have their defaults (``gomoku.params.CONSTANTS``); others and
            values out of range are a ``ValueError``.

    Thread-safety: one search at a time; meanwhile other threads may call :meth:`stop` and :meth:`set_limit`.

    Example:
        >>> from gomoku import Board
        >>> engine = Engine(hash_bytes=1 << 20)
        >>> board = Board.from_text("h8h9i8i9j8j9k8k9", origin="top")
        >>> result = engine.play(board, Limit(nodes=100))
        >>> result.move.text in ("g8", "l8"), str(result.info.score.relative)
        (True, '+M1')
    """

    def __init__(
        self, *, hash_bytes: int = HASH.default, threads: int = THREADS.default, constants: Constants | None = None
    ) -> None:
        self._hash_bytes = HASH.clamp(hash_bytes)
        self._threads = THREADS.clamp(threads)
        self._constants = all_constants(constants)
        self._team: Team | None = None
        self._budget, self._stability = Budget(None, None), Stability()
        self._start_ns = 0
        self._empty_points = 0
        self._max_memory = 0
        self._report: Reporter | None = None
        self.arm()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the memory back; the engine can be used again all the same."""
        self._team = None

    @property
    def hash_bytes(self) -> int:
        """Bytes of the transposition table; a new value takes effect with the next search."""
        return self._hash_bytes

    @hash_bytes.setter
    def hash_bytes(self, value: int) -> None:
        if (value := HASH.clamp(value)) != self._hash_bytes:
            self._hash_bytes = value
            self.close()

    @property
    def threads(self) -> int:
        """Threads that search together; a new value takes effect with the next search."""
        return self._threads

    @threads.setter
    def threads(self, value: int) -> None:
        self._threads = THREADS.clamp(value)

    def configure(self, options: Mapping[str, int]) -> None:
        """Change settings by the names that ``INFO`` has for them.

        Args:
            options: ``hash_size`` in KiB, ``max_memory`` in bytes, 0 for no limit; ``thread_num`` threads.

        Raises:
            ValueError: another name.
        """
        if unknown := options.keys() - {"hash_size", "max_memory", "thread_num"}:
            raise ValueError(f"unknown option {min(unknown)!r}; known options: hash_size, max_memory, thread_num")
        self.threads = options.get("thread_num", self._threads)
        self._max_memory = options.get("max_memory", self._max_memory)
        asked = options["hash_size"] << 10 if "hash_size" in options else 0 if self._max_memory else self._hash_bytes
        self.hash_bytes = hash_bytes_for(asked, self._max_memory, self._threads)

    @property
    def hash_permille(self) -> int:
        """How full the transposition table is: thousandths of a sample that the last search wrote."""
        return 0 if self._team is None else self._team.leader.table.permille

    def new_game(self) -> None:
        """Forget what earlier searches learned; the next search is as repeatable as the first."""
        self._team = self._team and self._team.renewed()

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        on_info: InfoCallback | None = None,
        start_ns: int | None = None,
        armed: bool = False,
    ) -> PlayResult:
        """Choose a move for the side to move.

        Args:
            board: the position; a finished game is played on as if it had not ended.
            limit: how long to think. Without any limit the search goes on until :meth:`stop`.
            multipv: lines to search with full accuracy.
            on_info: called with every line of every finished iteration, from this thread.
            start_ns: the ``time.monotonic_ns`` at which the clock began to run; now when left out.
            armed: obey a :meth:`stop` or :meth:`set_limit` that came since :meth:`arm`, before this call.

        Returns:
            The move and the last lines found. The move is legal whenever a legal one exists.

        Raises:
            GomokuError: the board is full.
        """
        if not armed:
            self.arm()
        lines: list[Info] = []
        for lines in self._search(board, limit, multipv, start_ns, hurry=True):
            if on_info:
                for info in lines:
                    on_info(info)
        return PlayResult(lines[0].pv[0], tuple(lines))

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1) -> list[Info]:
        """Return the best lines of a position, best first.

        Unlike :meth:`play` it searches on where there is only one move.

        Raises:
            GomokuError: the board is full.
        """
        self.arm()
        *_, lines = self._search(board, limit, multipv, None, hurry=False)
        return lines

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Return the best lines after every iteration, until the limit or a stop.

        Raises:
            GomokuError: the board is full (when the first lines are asked for).
        """
        self.arm()
        return Analysis(self._search(board.copy(), limit or Limit(), multipv, None, hurry=False), self.stop)

    def swap2(self, board: Board, limit: Limit) -> Swap2Choice:
        """Answer in the swap2 opening.

        Args:
            board: empty, to offer three stones; with three or five stones, to choose.
            limit: how long to think; even without a limit an offer is made in the end.

        Raises:
            ValueError: another number of stones.

        Source: protocol_docs/swap2.md.
        """
        return swap2(self.judge(limit), board)

    def judge(self, limit: Limit, *, start_ns: int | None = None, armed: bool = False) -> Judge:
        """Return searches for one question of :mod:`gomoku.opening`: one stop ends them all, and one clock.

        Args:
            limit: for all of them together.
            start_ns: as for :meth:`play`.
            armed: as for :meth:`play`.
        """
        if not armed:
            self.arm()
        start = time.monotonic_ns() if start_ns is None else start_ns
        return Judge(lambda board, share: self._search(board, share, 1, start, hurry=False), self._is_due, limit)

    def arm(self) -> None:
        """Forget earlier calls of :meth:`stop` and :meth:`set_limit`; every search does so unless it is armed already.

        For a thread that hands a search over to another one and may have to stop it before it has begun.
        """
        self._stopped = False
        self._new_limit: Limit | None = None

    def solve(self, board: Board, *, fours_only: bool = False, nodes: int = 2_000_000) -> Solution:
        """Look for a forced win of the side to move.

        The shortest win by fours, or without one any win by threats: fours, open threes and, except in caro, quiet
        moves that prepare a win by fours. If nodes run out after a win by fours was found, it may not be the shortest.

        Args:
            board: the position.
            fours_only: look for continuous fours (VCF) only, else for any continuous threats (VCT).
            nodes: positions to search at most.

        Example:
            >>> from gomoku import Board
            >>> board = Board.from_text("h8a1i9a3j10a5", origin="top")
            >>> [move.text for move in Engine(hash_bytes=1 << 20).solve(board, fours_only=True).moves]
            ['g7', 'f6', 'k11']
        """
        searcher = self._ready_team().leader
        searcher.set_position(board)
        searcher.start(None, None)
        plies, moves, exhausted = searcher.solve(fours_only, _LONGEST, nodes)
        return Solution(plies, tuple(moves), exhausted and not plies, searcher.nodes)

    def stop(self) -> None:
        """End the running search within milliseconds; it still returns its best move."""
        self._stopped = True
        if team := self._team:
            team.leader.stop()

    def set_limit(self, limit: Limit) -> None:
        """Change the time limits of the running search; its clock goes on from where it began."""
        self._new_limit = limit
        self._budget = budget(limit, self._empty_points)
        if team := self._team:
            team.leader.set_deadline(self._budget.deadline_ns(self._start_ns))

    def _search(
        self, board: Board, limit: Limit, multipv: int, start_ns: int | None, *, hurry: bool
    ) -> Generator[list[Info], None, None]:
        """Yield the lines of the solvers and of every iteration; the last ones hold the result."""
        self._start_ns, self._empty_points = time.monotonic_ns() if start_ns is None else start_ns, board.empty
        self._budget, self._stability = budget(limit, board.empty), Stability()
        if board.empty == 0:
            raise GomokuError("the board is full; there is no move to search")
        searcher = (team := self._ready_team()).leader
        report = self._report = Reporter(board, team, self._start_ns, multipv)
        searcher.set_position(board)
        nodes_each = None if limit.nodes is None else max(1, limit.nodes // self._threads)
        moves = searcher.start(self._budget.deadline_ns(self._start_ns), nodes_each)
        team.follow(self._threads)
        # What another thread said before the searcher was ready to hear it.
        if self._new_limit is not None:
            self.set_limit(self._new_limit)
        if self._stopped:
            searcher.stop()
        if moves == 0:
            # Black has forbidden points only: the least bad is any of them.
            yield [report.info(0, 0, [next(m for m in points(board) if board.stone(m) is None)])]
            return
        nodes = solver_nodes(limit, self._budget)
        if multipv == 1:
            with team.helping(1):
                threats, losses = (int(nodes * share) for share in (_IN_PLAY if hurry else _IN_ANALYSIS))
                threats = min(threats, limit.nodes or threats)
                won = self._solve(searcher, report, nodes, threats)
                moves = moves if won else searcher.drop_lost(losses)
            if won:
                yield [won]
                return
        yield from self._iterate(team, report, limit, moves, hurry=hurry)

    def _is_due(self) -> bool:
        """Whether to end: somebody or the clock says so, or what would begin now has no chance to end in time."""
        if self._stopped or (self._team is not None and self._team.leader.due):
            return True
        optimum, maximum = self._budget
        return optimum not in (None, maximum) and time.monotonic_ns() - self._start_ns > optimum * self._stability.share

    def _ready_team(self) -> Team:
        self._team = self._team or Team(self._hash_bytes, self._constants)
        return self._team

    def _solve(self, searcher: Searcher, report: Reporter, fours: int, threats: int) -> Info | None:
        """A proven win by fours or by threats."""
        for fours_only, most in ((True, fours), (False, threats)):
            found, line, _ = searcher.solve(fours_only, _LONGEST, most)
            if found:
                return report.info(found, Score(mate=found).to_int(), line)
        return None

    def _iterate(self, team: Team, report: Reporter, limit: Limit, moves: int, *, hurry: bool) -> Iterator[list[Info]]:
        """Iterative deepening."""
        deepest = SEARCH_DEPTH.high if limit.depth is None else SEARCH_DEPTH.clamp(limit.depth)
        for depth in range(1, min(deepest, self._empty_points) + 1):
            finished = team.iterate(depth, report.multipv)
            lines = report.lines(depth)
            yield lines
            if self._report is not report:
                raise GomokuError("another search has begun on this engine; end an analysis before you ask again")
            self._stability.update(lines[0])
            best = lines[0].score.relative
            if not finished or self._is_due() or (best.mate is not None and depth >= abs(best.mate)):
                return
            if hurry and (moves == 1 or abs(best.to_int()) >= MATE_BAND):
                return
