"""Winning lines and forbidden points, straight from the rules' text.

Every function answers a question by trying it out on the board: it places a stone, looks at the line and takes the
stone away again. Nothing is cached and nothing is looked up.

Words used here:

* a *run* is all stones of one colour that stand side by side in one direction, as many as there are;
* a *five* is a run that wins by the board's rule, whatever its length;
* a *five point* of a stone is an empty point where one more stone of the same colour makes a five with it;
* a *four* (renju) is a stone together with one five point; a *straight four* is four stones side by side with a
  five point at each end and counts as one four;
* a *three* (renju) is a stone that one more legal black stone turns into a part of a straight four.
"""

from __future__ import annotations

from gomoku.types import BLACK, EMPTY_POINT, WALL, Color, Foul, Move, Rule

DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The four directions of a line as ``(dx, dy)``: row, column, falling diagonal, rising diagonal."""


class ReferenceBoard:
    """A board that only stores what stands where; it knows no turns, no history and no result.

    Args:
        width: columns, at least 1.
        height: rows, at least 1.
        rule: what wins and what is forbidden.

    Attributes:
        rows: ``rows[y][x]`` is 0 for an empty point, 1 for black, 2 for white and 3 for a wall.

    Example:
        >>> board = ReferenceBoard(15, 15, Rule.FREESTYLE)
        >>> for x in range(3, 8):
        ...     board.place(x, 7, Color.BLACK)
        >>> len(winning_line(board, 5, 7) or ())
        5
    """

    def __init__(self, width: int, height: int, rule: Rule) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"a board needs at least one column and one row, not {width} and {height}")
        self.width = width
        self.height = height
        self.rule = Rule(rule)
        self.rows = [[EMPTY_POINT] * width for _ in range(height)]

    def at(self, x: int, y: int) -> int:
        """What stands at a point; everything outside the board is a wall."""
        if 0 <= x < self.width and 0 <= y < self.height:
            return self.rows[y][x]
        return WALL

    def place(self, x: int, y: int, color: int) -> None:
        """Put a black stone (1), a white stone (2) or a wall (3) on an empty point of the board.

        Raises:
            ValueError: the point is outside the board or not empty, or ``color`` is none of the three.
        """
        if color not in (Color.BLACK, Color.WHITE, WALL):
            raise ValueError(f"cannot place {color!r}; place 1 (black), 2 (white) or 3 (wall)")
        if self.at(x, y) != EMPTY_POINT:
            raise ValueError(f"{x},{y} is not an empty point of this board")
        self.rows[y][x] = int(color)

    def remove(self, x: int, y: int) -> None:
        """Make a point of the board empty again.

        Raises:
            ValueError: the point is outside the board or already empty.
        """
        if not (0 <= x < self.width and 0 <= y < self.height) or self.rows[y][x] == EMPTY_POINT:
            raise ValueError(f"nothing to remove at {x},{y}")
        self.rows[y][x] = EMPTY_POINT

    def empty_points(self) -> list[Move]:
        """All empty points, row by row from the top left."""
        return [Move(x, y) for y in range(self.height) for x in range(self.width) if self.rows[y][x] == EMPTY_POINT]


# --- what wins -------------------------------------------------------------------------------------------------------


def run_through(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> list[Move]:
    """The stones of the run that the stone at ``x, y`` is part of, from one end to the other along ``(dx, dy)``."""
    color = _stone_at(board, x, y)
    first = 0
    while board.at(x + (first - 1) * dx, y + (first - 1) * dy) == color:
        first -= 1
    last = 0
    while board.at(x + (last + 1) * dx, y + (last + 1) * dy) == color:
        last += 1
    return [Move(x + step * dx, y + step * dy) for step in range(first, last + 1)]


def winning_line(board: ReferenceBoard, x: int, y: int) -> tuple[Move, ...] | None:
    """The stones of a line won by the stone standing at ``x, y``, from one end to the other, or ``None``.

    Only lines through this stone are examined. Whether the stone was a foul is another question (:func:`foul`),
    but a black stone that completes an exact five in renju wins whatever else it makes. With several winning
    lines the first in the order of :data:`DIRECTIONS` is returned.

    Raises:
        ValueError: no stone stands at ``x, y``.
    """
    for dx, dy in DIRECTIONS:
        run = run_through(board, x, y, dx, dy)
        if _run_wins(board, run, dx, dy):
            return tuple(run)
    return None


def is_five(board: ReferenceBoard, x: int, y: int, color: Color) -> bool:
    """Whether a stone of ``color`` on the empty point ``x, y`` would win at once.

    Raises:
        ValueError: the point is not empty.
    """
    board.place(x, y, color)
    try:
        return winning_line(board, x, y) is not None
    finally:
        board.remove(x, y)


def _run_wins(board: ReferenceBoard, run: list[Move], dx: int, dy: int) -> bool:
    """Whether this whole run wins by the board's rule.

    Freestyle: five or more. Standard: exactly five. Renju: black exactly five, white five or more. Caro: exactly
    five unless an opposing stone stands directly at both ends, or six or more whatever stands there. Exact caro:
    exactly five unless an opposing stone stands directly at both ends. Edges and walls are never a block in caro.
    """
    rule = board.rule
    length = len(run)
    if length < 5:
        return False
    color = Color(board.at(*run[0]))
    if rule is Rule.FREESTYLE:
        return True
    if rule is Rule.STANDARD:
        return length == 5
    if rule is Rule.RENJU:
        return length == 5 or color is not BLACK
    before = board.at(run[0].x - dx, run[0].y - dy)
    after = board.at(run[-1].x + dx, run[-1].y + dy)
    blocked_twice = before == color.other and after == color.other
    if rule is Rule.CARO:
        return length >= 6 or not blocked_twice
    return length == 5 and not blocked_twice


def _stone_at(board: ReferenceBoard, x: int, y: int) -> Color:
    content = board.at(x, y)
    if content not in (Color.BLACK, Color.WHITE):
        raise ValueError(f"no stone stands at {x},{y}")
    return Color(content)


# --- fours and threes ------------------------------------------------------------------------------------------------


def five_points(  # noqa: PLR0917 -- a stone and a direction, in the order of all functions here
    board: ReferenceBoard, x: int, y: int, color: Color, dx: int, dy: int
) -> list[Move]:
    """The empty points where, after a stone at ``x, y``, one more would complete a winning line along ``(dx, dy)``.

    The winning line must contain the stone at ``x, y``. If the stone already has a winning line in this direction
    nothing is left to complete and the list is empty.

    Args:
        board: the position.
        x: column of the assumed stone.
        y: row of the assumed stone.
        color: the side of both stones. The point ``x, y`` is empty or already holds a stone of this side.
        dx: column step of the direction.
        dy: row step of the direction.

    Returns:
        The points in the order in which ``(dx, dy)`` meets them; never more than two.

    Raises:
        ValueError: the point is outside the board or holds something else.
    """
    if board.at(x, y) == color:
        return _five_points_of_stone(board, x, y, dx, dy)
    board.place(x, y, color)
    try:
        return _five_points_of_stone(board, x, y, dx, dy)
    finally:
        board.remove(x, y)


def is_three(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> bool:
    """Whether the black stone standing at ``x, y`` is part of a three along ``(dx, dy)``; renju's definition.

    It is when some empty point of the line takes a black stone so that all of this holds: the new stone and the
    one at ``x, y`` belong to the same straight four; the new stone makes no five anywhere; and black may legally
    play it, judged with all stones on the board, hence by asking :func:`foul` again.

    Raises:
        ValueError: no stone stands at ``x, y``.
    """
    color = _stone_at(board, x, y)
    if _neighbours_in_reach(board, x, y, dx, dy) < 2:
        return False
    for point in _empty_points_in_reach(board, x, y, dx, dy):
        board.place(*point, color)
        try:
            promising = _is_straight_four(board, Move(x, y), point, dx, dy) and winning_line(board, *point) is None
        finally:
            board.remove(*point)
        if promising and foul(board, *point) is Foul.NONE:
            return True
    return False


def _five_points_of_stone(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> list[Move]:
    """:func:`five_points` for a stone that stands on the board."""
    color = _stone_at(board, x, y)
    if _neighbours_in_reach(board, x, y, dx, dy) < 3 or _run_wins(board, run_through(board, x, y, dx, dy), dx, dy):
        return []
    found = []
    for point in _empty_points_in_reach(board, x, y, dx, dy):
        board.place(*point, color)
        try:
            run = run_through(board, x, y, dx, dy)
            if point in run and _run_wins(board, run, dx, dy):
                found.append(point)
        finally:
            board.remove(*point)
    return found


def _is_straight_four(board: ReferenceBoard, stone: Move, added: Move, dx: int, dy: int) -> bool:
    """Whether ``stone`` and ``added`` stand in one run of four with a five point at each end."""
    run = run_through(board, *stone, dx, dy)
    if len(run) != 4 or added not in run:
        return False
    ends = [Move(run[0].x - dx, run[0].y - dy), Move(run[-1].x + dx, run[-1].y + dy)]
    return _five_points_of_stone(board, *stone, dx, dy) == ends


def _number_of_fours(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> int:
    """How many fours the black stone standing at ``x, y`` has along ``(dx, dy)``: 0, 1 or 2.

    Each five point belongs to a four of its own, so one line can hold two, except that the two five points of a
    straight four, five steps apart with four stones between them, complete the same four stones.
    """
    points = _five_points_of_stone(board, x, y, dx, dy)
    if len(points) == 2 and len(run_through(board, x, y, dx, dy)) == 4:
        return 1
    return len(points)


def _points_in_reach(x: int, y: int, dx: int, dy: int) -> list[Move]:
    """The eight points of the line that can share a run of five with ``x, y``."""
    return [Move(x + step * dx, y + step * dy) for step in (-4, -3, -2, -1, 1, 2, 3, 4)]


def _empty_points_in_reach(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> list[Move]:
    return [point for point in _points_in_reach(x, y, dx, dy) if board.at(*point) == EMPTY_POINT]


def _neighbours_in_reach(board: ReferenceBoard, x: int, y: int, dx: int, dy: int) -> int:
    """How many other stones of its colour share a possible five with the stone at ``x, y``; for early exits."""
    color = board.at(x, y)
    return sum(board.at(*point) == color for point in _points_in_reach(x, y, dx, dy))


# --- what is forbidden -----------------------------------------------------------------------------------------------


def foul(board: ReferenceBoard, x: int, y: int) -> Foul:
    """Why black may not play the empty point ``x, y`` in renju; ``Foul.NONE`` where he may, and in all other rules.

    Only the stone at ``x, y`` is judged, in this order: an exact five wins and is never a foul; a run of six or
    more is an overline; two or more fours, even in one line, are a double-four; two or more threes are a
    double-three.

    Raises:
        ValueError: the point is not empty.
    """
    if board.at(x, y) != EMPTY_POINT:
        raise ValueError(f"{x},{y} is not an empty point of this board")
    if board.rule is not Rule.RENJU:
        return Foul.NONE
    board.place(x, y, BLACK)
    try:
        return _foul_of_stone(board, x, y)
    finally:
        board.remove(x, y)


def _foul_of_stone(board: ReferenceBoard, x: int, y: int) -> Foul:
    """:func:`foul` for a black stone that has just been put on the board."""
    if winning_line(board, x, y) is not None:
        return Foul.NONE
    if any(len(run_through(board, x, y, dx, dy)) >= 6 for dx, dy in DIRECTIONS):
        return Foul.OVERLINE
    if sum(_number_of_fours(board, x, y, dx, dy) for dx, dy in DIRECTIONS) >= 2:
        return Foul.DOUBLE_FOUR
    if sum(is_three(board, x, y, dx, dy) for dx, dy in DIRECTIONS) >= 2:
        return Foul.DOUBLE_THREE
    return Foul.NONE
