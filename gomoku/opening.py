"""Balanced stones, and the choices of the swap2 opening that rest on them.

Floor 8, below the engine, which brings the searches. A player who is offered a choice takes the better half, so the
player who makes the offer looks for a value near zero, and trusts the values of the last iterations as a range rather
than the last one alone: what counts is the worst case.

Source: protocol_docs/swap2.md.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gomoku._core.board import Board
from gomoku.info import MATE_SCORE, Info, Limit, Swap2Choice
from gomoku.types import BLACK, MAX_SIZE, Foul, GomokuError, Move

_CANDIDATES = 240
"""Arrangements of several stones that are looked at, if there are so many; of single stones all are."""

_ROUNDS = ((1, MAX_SIZE * MAX_SIZE), (2, 60), (4, 24), (6, 10), (8, 5), (10, 3), (12, 2), (14, 2), (16, 2))
"""Depth in plies, and how many of the most balanced arrangements are searched so deep; chosen so that no round takes
much longer than all before it, which is what makes an early end harmless."""

_CHOICE_DEPTH = 12
"""Plies of the first look at an offer, and the least for a counter-offer, whose value is nothing but an estimate."""

_RANGE = 3
"""Iterations whose values are the range of what a position may be worth."""

_NODES_PER_SQUARED_PLY = 1_000
"""What a search of so many plies may cost at most, some three times what it costs on average."""

_REACH = 3
"""Points so close to a stone, or to the middle of an empty board, are drawn twice as often as others."""


class View(NamedTuple):
    """What a search thinks of a position.

    Attributes:
        value: the value for the side to move.
        low: the worst value of the last iterations.
        high: the best of them.
        move: the best move; ``None`` when the game is over.
    """

    value: int
    low: int
    high: int
    move: Move | None = None


class Judge:
    """Looks at many positions within one limit.

    Args:
        search: searches a position and yields the lines of every iteration; keeps to the clock of the question.
        is_over: whether that clock, or somebody, wants an end.
        limit: for all searches together; its clocks are left to the other two.
    """

    def __init__(
        self, search: Callable[[Board, Limit], Iterable[list[Info]]], is_over: Callable[[], bool], limit: Limit
    ) -> None:
        self._search = search
        self._is_over = is_over
        self._limit = limit
        self._nodes_left = limit.nodes
        self._began = False

    @property
    def over(self) -> bool:
        """Whether the limit is used up; the last look may have ended early then."""
        return self._began and (self._is_over() or (self._nodes_left is not None and self._nodes_left <= 0))

    def look(self, board: Board, depth: int | None = None) -> View:
        """Search a position.

        Args:
            board: the position.
            depth: plies; as deep as the limit allows when left out.
        """
        outcome = board.outcome()
        if outcome is not None:
            value = 0 if outcome.winner is None else -MATE_SCORE
            return View(value, value, value)
        depths = [plies for plies in (depth, self._limit.depth) if plies is not None]
        nodes = [] if depth is None else [_NODES_PER_SQUARED_PLY * depth**2]
        if self._nodes_left is not None:
            nodes.append(max(1, self._nodes_left))
        share = self._limit._replace(depth=min(depths, default=None), nodes=min(nodes, default=None))
        self._began = True
        infos = [lines[0] for lines in self._search(board, share)]
        if self._nodes_left is not None:
            self._nodes_left -= infos[-1].nodes
        # The first iteration sees no answer to its moves and is off by some points.
        values = [info.score.relative.to_int() for info in infos[1:][-_RANGE:] or infos]
        return View(values[-1], min(values), max(values), infos[-1].pv[0])


class Balanced(NamedTuple):
    """Stones and how far from the wanted value they leave the position.

    Attributes:
        moves: the points, in the order of play.
        distance: the largest distance of the last values from the wanted one.
        depth: plies of the search that says so; 0 for none.
    """

    moves: tuple[Move, ...]
    distance: int = 2 * MATE_SCORE + 1
    depth: int = 0


def balance(
    judge: Judge,
    board: Board,
    stones: int,
    bias: int = 0,
    *,
    area: Sequence[Move] = (),
    rng: random.Random | None = None,
) -> Balanced:
    """Find stones after which the value is as near as possible to a wanted one.

    Many arrangements are looked at cheaply, fewer and fewer of them more and more deeply.

    Args:
        judge: searches positions.
        board: the position; unchanged.
        stones: how many to put, of both colours in turn.
        bias: the wanted value, from the view of the side to move now; beyond the values of wins it means a win.
        area: points to choose from; the whole board when left out.
        rng: draws arrangements when there are too many; chance itself when left out.

    Raises:
        GomokuError: there are not so many points where a stone may be put.

    Example:
        >>> from gomoku.engine import Engine
        >>> judge = Engine(hash_bytes=1 << 20).judge(Limit(nodes=100))
        >>> len(balance(judge, Board(), 2).moves)
        2
    """
    rng = rng or random.Random()
    positions = _arrangements(board, stones, area or _whole_board(board), rng)
    if not positions:
        raise GomokuError(f"there is no way to put {stones} more stones on the board")
    bias = max(-MATE_SCORE, min(bias, MATE_SCORE))
    sign = 1 if stones % 2 == 0 else -1
    ranking = [Balanced(moves) for moves in positions]
    for depth, width in _ROUNDS:
        for number, candidate in enumerate(ranking[:width]):
            if len(ranking) == 1:
                return candidate
            view = judge.look(positions[candidate.moves], depth)
            if judge.over:
                return min(ranking, key=lambda balanced: balanced.distance)
            distance = max(abs(sign * value - bias) for value in (view.low, view.high))
            ranking[number] = Balanced(candidate.moves, distance, depth)
        ranking = sorted(ranking[:width], key=lambda balanced: balanced.distance)
    return ranking[0]


def swap2(judge: Judge, board: Board, rng: random.Random | None = None) -> Swap2Choice:
    """Answer in the swap2 opening.

    Args:
        judge: searches positions.
        board: no stones, to offer three; or three, to choose a colour or put two more; or five, to choose a colour.
        rng: as for :func:`balance`.

    Raises:
        ValueError: another number of stones.
    """
    if board.ply not in (0, 3, 5):
        raise ValueError(f"swap2 asks with 0, 3 or 5 stones on the board, not {board.ply}")
    rng = rng or random.Random()
    if board.ply == 0:
        return Swap2Choice(balance(judge, board, 3, area=_middle(board, rng), rng=rng).moves)
    if board.ply == 3:
        view = judge.look(board, _CHOICE_DEPTH)
        worst = max(view.low, -view.high)  # of staying white and of taking black
        if worst < 0 and not judge.over:
            counter_offer = balance(judge, board, 2, rng=rng)
            if counter_offer.depth >= _CHOICE_DEPTH and -counter_offer.distance > worst:
                return Swap2Choice(counter_offer.moves)
        if view.value < 0 or judge.over:
            return _take_colour(view)
    return _take_colour(judge.look(board))


def _take_colour(view: View) -> Swap2Choice:
    """White stays if white is not worse off."""
    return Swap2Choice(swap=True) if view.value < 0 or view.move is None else Swap2Choice((view.move,))


# --- Candidates ---


def _arrangements(board: Board, stones: int, area: Sequence[Move], rng: random.Random) -> dict[tuple[Move, ...], Board]:
    """Ways to put stones on an area, one of each kind of equal ones, with the positions they lead to."""
    total = math.perm(len(area), stones)
    wanted = total if stones == 1 else _CANDIDATES
    found: dict[int, tuple[tuple[Move, ...], Board]] = {}
    for index in rng.sample(range(total), min(total, 2 * wanted)):
        position = board.copy()
        moves = tuple(_permutation(area, stones, index))
        if all(_put(position, move) for move in moves):
            found.setdefault(position.canonical_key, (moves, position))
        if len(found) == wanted:
            break
    return dict(found.values())


def _permutation(points: Sequence[Move], count: int, index: int) -> Iterator[Move]:
    """Yield the moves of the arrangement with a number, below ``math.perm(len(points), count)``."""
    rest = list(points)
    for _ in range(count):
        index, place = divmod(index, len(rest))
        yield rest.pop(place)


def _put(board: Board, move: Move) -> bool:
    """Put a stone if the rule allows it, also when the game is over; false if not."""
    allowed = board.stone(move) is None and (board.turn != BLACK or board.foul(move) == Foul.NONE)
    if allowed:
        board.push_unchecked(move)
    return allowed


def points(board: Board) -> list[Move]:
    """Return all points, row by row."""
    return [Move(x, y) for y in range(board.height) for x in range(board.width)]


def _whole_board(board: Board) -> list[Move]:
    """All empty points, those near stones twice."""
    stones = [*board.stones(BLACK), *board.stones(BLACK.other)] or [Move(board.width // 2, board.height // 2)]
    empty = [point for point in points(board) if board.stone(point) is None]
    near = [point for point in empty if any(_distance(point, stone) <= _REACH for stone in stones)]
    return empty + near


def _distance(one: Move, other: Move) -> int:
    return max(abs(one.x - other.x), abs(one.y - other.y))


def _middle(board: Board, rng: random.Random) -> list[Move]:
    """A box of seven points by seven near the middle of the board."""
    left, top = (max(0, side // 2 - _REACH + rng.randint(-1, 1)) for side in (board.width, board.height))
    right, bottom = min(board.width, left + 7), min(board.height, top + 7)
    return [Move(x, y) for y in range(top, bottom) for x in range(left, right)]
