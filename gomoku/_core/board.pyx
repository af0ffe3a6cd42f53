"""Stones, lines, history, winning lines and fouls. See board.pxd for the interface of the compiled modules.

Longer than a room should be: the public class lives here, and half of the file is the documentation of its methods.
"""

cimport cython
from libc.string cimport memcpy, memset

from gomoku._core.patterns cimport rule_tables
from gomoku._core.types cimport (
    FK_BLACK,
    FK_DIRECTIONS,
    FK_EMPTY,
    FK_FIVE,
    FK_FORBIDDEN,
    FK_FOUR,
    FK_MAX_PLIES,
    FK_OPEN_FOUR,
    FK_OPEN_THREE_1,
    FK_OPEN_THREE_2,
    FK_STATUS_BLACK_WINS,
    FK_STATUS_FOUL,
    FK_STATUS_OPEN,
    FK_STATUS_WHITE_WINS,
    FK_WALL,
    FK_WHITE,
    fk_line_step,
    fk_mix64,
    uint32_t,
)

import operator

from gomoku._core.views import LegalMoves
from gomoku.notation import format_moves, parse_move, parse_moves
from gomoku.types import (
    MAX_SIZE,
    MIN_SIZE,
    Color,
    Foul,
    IllegalMoveError,
    InvalidPositionError,
    Move,
    Outcome,
    Rule,
    Termination,
)

# Rule numbers and fouls of gomoku.types, as C constants.
cdef enum:
    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8

cdef enum:
    FOUL_NONE = 0
    FOUL_OVERLINE = 1
    FOUL_DOUBLE_FOUR = 2
    FOUL_DOUBLE_THREE = 3


cdef void fill_zobrist() noexcept nogil:
    global zobrist_white_to_move
    cdef int stone, point
    for stone in range(3):
        for point in range(1024):
            zobrist[stone][point] = fk_mix64(<uint64_t>(stone * 1024 + point) + 0x46756B756D69u)
    zobrist_white_to_move = fk_mix64(0x77686974u)


fill_zobrist()


cdef inline uint64_t base_key(int width, int height, int rule) noexcept nogil:
    """The key of an empty board: boards of different size or rule never share keys."""
    return fk_mix64(<uint64_t>(width | height << 8 | rule << 16) + 0x626F617264u)


cdef void board_clear(fk_board *board, int width, int height, int rule) noexcept nogil:
    cdef int direction, line, x, y, point
    memset(board, 0, sizeof(fk_board))
    memset(board.cells, FK_WALL, sizeof(board.cells))
    for direction in range(FK_DIRECTIONS):
        for line in range(64):
            board.lines[direction][line] = <uint64_t>-1
    for y in range(height):
        for x in range(width):
            point = point_at(x, y)
            board.cells[point] = FK_EMPTY
            fk_lines_toggle(board.lines, point, FK_WALL)
    board.width = width
    board.height = height
    board.rule = rule
    board.to_move = FK_BLACK
    board.empty = width * height
    board.key = base_key(width, height, rule)


cdef bint board_wins(const fk_board *board, int point, int *direction, int *first, int *last) noexcept nogil:
    cdef int stone = board.cells[point]
    cdef int d, step, start, end, run
    for d in range(FK_DIRECTIONS):
        step = fk_line_step(d)
        start = end = point
        while board.cells[start - step] == stone:
            start -= step
        while board.cells[end + step] == stone:
            end += step
        run = (end - start) // step + 1
        if run >= 5 and run_wins(board.rule, stone, run, board.cells[start - step], board.cells[end + step]):
            if direction != NULL:
                direction[0], first[0], last[0] = d, start, end
            return True
    return False


cdef inline bint run_wins(int rule, int stone, int run, int before, int after) noexcept nogil:
    """Whether five or more stones in a row win, by the cells at their ends."""
    if rule == FREESTYLE or (rule == RENJU and stone == FK_WHITE):
        return True
    if rule == STANDARD or rule == RENJU:
        return run == 5
    if run > 5:
        return rule == CARO
    return before != 3 - stone or after != 3 - stone


cdef int board_foul(fk_board *board, const fk_rule *rule, int point) noexcept nogil:
    cdef int direction, shape, fours = 0, threes = 0, real = 0
    cdef bint overline = False
    cdef int shapes[4]
    if rule.rule != RENJU:
        return FOUL_NONE
    for direction in range(FK_DIRECTIONS):
        shape = board_shapes(board, rule, point, direction) & 15
        shapes[direction] = shape
        if shape == FK_FIVE:
            return FOUL_NONE
        if shape == FK_FORBIDDEN:
            if longest_run(board, point, direction) > 5:
                overline = True
            else:
                fours += 2
        elif shape == FK_FOUR or shape == FK_OPEN_FOUR:
            fours += 1
        elif shape == FK_OPEN_THREE_1 or shape == FK_OPEN_THREE_2:
            threes += 1
    if overline:
        return FOUL_OVERLINE
    if fours >= 2:
        return FOUL_DOUBLE_FOUR
    if threes < 2:
        return FOUL_NONE
    board.cells[point] = FK_BLACK
    fk_lines_toggle(board.lines, point, FK_BLACK)
    for direction in range(FK_DIRECTIONS):
        if shapes[direction] == FK_OPEN_THREE_1 or shapes[direction] == FK_OPEN_THREE_2:
            real += is_real_three(board, rule, point, direction)
    fk_lines_toggle(board.lines, point, FK_BLACK)
    board.cells[point] = FK_EMPTY
    return FOUL_DOUBLE_THREE if real >= 2 else FOUL_NONE


cdef int longest_run(const fk_board *board, int point, int direction) noexcept nogil:
    """Length of black's run if black stood on `point`."""
    cdef int step = fk_line_step(direction)
    cdef int start = point - step, end = point + step
    while board.cells[start] == FK_BLACK:
        start -= step
    while board.cells[end] == FK_BLACK:
        end += step
    return (end - start) // step - 1


cdef bint is_real_three(fk_board *board, const fk_rule *rule, int point, int direction) noexcept nogil:
    """Whether a black three through `point` (a stone) can really become a straight four by a legal stone."""
    cdef int step = fk_line_step(direction)
    cdef int place = fk_line_place(direction, point)
    cdef uint64_t line = board.lines[direction][fk_line_number(direction, point)]
    cdef uint32_t key
    cdef int offset, other
    for offset in range(-4, 5):
        other = point + offset * step
        if board.cells[other] != FK_EMPTY:
            continue
        key = fk_window_key(line | <uint64_t>FK_BLACK << (2 * (place + offset)), place, rule.half,
                            rule.lo_mask, rule.hi_mask)
        if (rule.shapes[key] & 15) != FK_OPEN_FOUR:
            continue
        # RIF: "without at the same time making a five"; and the stone must itself be legal.
        if not makes_five(board, rule, other) and board_foul(board, rule, other) == FOUL_NONE:
            return True
    return False


cdef bint makes_five(const fk_board *board, const fk_rule *rule, int point) noexcept nogil:
    """Whether black completes a five on an empty point."""
    cdef int direction
    for direction in range(FK_DIRECTIONS):
        if (board_shapes(board, rule, point, direction) & 15) == FK_FIVE:
            return True
    return False


cdef int winners_on(const fk_board *board) noexcept nogil:
    """The sides with a winning line on the board: FK_BLACK | FK_WHITE."""
    cdef int ply, winners = 0
    for ply in range(board.ply):
        if board_wins(board, board.moves[ply], NULL, NULL, NULL):
            winners |= board.movers[ply]
    return winners


cdef int transformed(int index, int x, int y, int width, int height) noexcept nogil:
    """The point that a symmetry sends x, y to: bit 0 mirrors x, bit 1 mirrors y, bit 2 then swaps them."""
    if index & 1:
        x = width - 1 - x
    if index & 2:
        y = height - 1 - y
    return point_at(y, x) if index & 4 else point_at(x, y)


@cython.final
cdef class Board:
    """A game of Gomoku under one rule: stones, side to move, history.

    Moves may be given as text (``"h8"``, row 1 at the top), as ``(x, y)`` or :class:`gomoku.Move`, or as an index
    ``y * width + x``.

    Args:
        width: columns, 5 to 22.
        height: rows, 5 to 22; as many as columns when left out.
        rule: what wins and what is forbidden.

    Raises:
        ValueError: a side is out of range or the rule unknown.

    Thread-safety: a board belongs to one thread at a time.

    Example:
        >>> from gomoku import Board, Rule
        >>> board = Board(15, rule=Rule.RENJU)
        >>> for move in ("h8", "i9", (6, 6), 9 * 15 + 9):
        ...     _ = board.push(move)
        >>> board.text(origin="top")
        'h8i9g7j10'
        >>> board.turn
        <Color.BLACK: 1>
        >>> board.pop()
        Move(x=9, y=9)
    """

    def __init__(self, width=15, height=None, *, rule=Rule.FREESTYLE):
        rows = width if height is None else height
        for side in (width, rows):
            if not MIN_SIZE <= side <= MAX_SIZE:
                raise ValueError(f"a board side of {side} is out of range; it must be {MIN_SIZE} to {MAX_SIZE}")
        self._rule = Rule(rule)
        board_clear(&self.board, width, rows, self._rule)

    @classmethod
    def from_stones(cls, black, white, *, to_move=None, walls=(), width=15, height=None, rule=Rule.FREESTYLE):
        """Set up a position.

        The stones become the history in the order black, white, black ..., so that they can be popped.

        Args:
            black: points of black's stones.
            white: points of white's stones.
            to_move: side to move; left out, black with equal counts and white with one black stone more.
            walls: points blocked for both sides.
            width: columns.
            height: rows; as many as columns when left out.
            rule: the rule.

        Raises:
            InvalidPositionError: a point is off the board or used twice, both sides own a winning line, or
                ``to_move`` is needed.

        Example:
            >>> board = Board.from_stones(["h8", "h9"], ["i8"])
            >>> board.turn.name, board.ply
            ('WHITE', 3)
        """
        cdef Board self = cls(width, height, rule=rule)
        black, white = list(black), list(white)
        if to_move is None:
            if len(black) - len(white) not in (0, 1):
                raise InvalidPositionError(
                    f"{len(black)} black and {len(white)} white stones do not tell who is to move; give to_move")
            to_move = Color.BLACK if len(black) == len(white) else Color.WHITE
        for move in walls:
            self._set_wall(move)
        for number in range(max(len(black), len(white))):
            for color, stones in ((FK_BLACK, black), (FK_WHITE, white)):
                if number < len(stones):
                    self._set_stone(stones[number], color)
        self._set_to_move(Color(to_move))
        self._judge_set_up()
        return self

    @classmethod
    def from_history(cls, stones, *, to_move, walls=(), width=15, height=None, rule=Rule.FREESTYLE):
        """Set up a position from stones in the order of play, whose colours need not alternate.

        The first winning line decides the game; stones after it are taken as they are.

        Args:
            stones: pairs of a point and its :class:`gomoku.Color`, first to last.
            to_move: side to move.
            walls: points blocked for both sides.
            width: columns.
            height: rows; as many as columns when left out.
            rule: the rule.

        Raises:
            InvalidPositionError: a point is off the board or used twice.

        Example:
            >>> from gomoku import BLACK, WHITE
            >>> board = Board.from_history([("h8", BLACK), ("h9", BLACK)], to_move=WHITE)
            >>> board.turn.name, board.ply
            ('WHITE', 2)
        """
        cdef Board self = cls(width, height, rule=rule)
        for move in walls:
            self._set_wall(move)
        for move, color in stones:
            self._set_stone(move, Color(color))
            self._judge_last()
        self._set_to_move(Color(to_move))
        return self

    @classmethod
    def from_text(cls, str text, *, origin, width=15, height=None, rule=Rule.FREESTYLE):
        """Play out a move list such as ``h8i9g7``, black first.

        Args:
            text: points, with or without blanks and commas between them.
            origin: ``"top"`` or ``"bottom"``: where row 1 is.
            width: columns.
            height: rows; as many as columns when left out.
            rule: the rule.

        Raises:
            ValueError: the text is no move list, or a move is illegal (:class:`IllegalMoveError`).

        Example:
            >>> Board.from_text("a1", origin="bottom").peek()
            Move(x=0, y=14)
        """
        self = cls(width, height, rule=rule)
        for move in parse_moves(text, width=self.width, height=self.height, origin=origin):
            self.push(move)
        return self

    def _set_wall(self, move):
        cdef int point = self._free_point(move)
        self.board.cells[point] = FK_WALL
        fk_lines_toggle(self.board.lines, point, FK_WALL)
        self.board.key ^= zobrist[FK_WALL - 1][point]
        self.board.empty -= 1

    def _set_stone(self, move, int color):
        cdef int point = self._free_point(move)
        self._set_to_move(color)
        board_place(&self.board, point)

    def _free_point(self, move):
        try:
            point = self.point_of(move)
        except IllegalMoveError as error:
            raise InvalidPositionError(f"no stone can be set up on {move}: {error.reason}") from None
        if self.board.cells[point] != FK_EMPTY:
            raise InvalidPositionError(f"point {move} is used twice")
        return point

    def _set_to_move(self, int color):
        if self.board.to_move != color:
            self.board.to_move = color
            self.board.key ^= zobrist_white_to_move

    def _judge_set_up(self):
        """Set the status after every ply by what stands on the board then; no order of play is taken for granted."""
        cdef fk_board board = self.board
        while True:
            winners = winners_on(&board)
            if winners == (FK_BLACK | FK_WHITE) and board.ply == self.board.ply:
                raise InvalidPositionError("both sides own a winning line; play the moves in order instead")
            self.board.status[board.ply] = (FK_STATUS_BLACK_WINS if winners & FK_BLACK
                                            else FK_STATUS_WHITE_WINS if winners else FK_STATUS_OPEN)
            if board.ply == 0:
                return
            board_unplace(&board)

    # --- What is on the board ---

    @property
    def width(self):
        """Columns."""
        return self.board.width

    @property
    def height(self):
        """Rows."""
        return self.board.height

    @property
    def rule(self):
        """The rule, a :class:`gomoku.Rule`."""
        return self._rule

    @property
    def turn(self):
        """The side to move."""
        return Color(self.board.to_move)

    @property
    def ply(self):
        """Stones in the history."""
        return self.board.ply

    @property
    def empty(self):
        """Empty points."""
        return self.board.empty

    @property
    def key(self):
        """64-bit Zobrist key of stones, side to move, rule and size."""
        return self.board.key

    @property
    def move_stack(self):
        """The moves played, first to last, as a list of :class:`gomoku.Move`."""
        cdef int ply
        return [self._move(self.board.moves[ply]) for ply in range(self.board.ply)]

    @property
    def legal_moves(self):
        """Set-like view of the moves :meth:`push` accepts; empty once the game is over."""
        return LegalMoves(self)

    def stones(self, color):
        """Return the points of one side's stones, in the order played."""
        cdef int ply
        return [self._move(self.board.moves[ply]) for ply in range(self.board.ply)
                if self.board.movers[ply] == color]

    def walls(self):
        """Return the points that are blocked for both sides, row by row."""
        return [Move(x, y) for y in range(self.height) for x in range(self.width)
                if self.board.cells[point_at(x, y)] == FK_WALL]

    def stone(self, move):
        """Return what is on a point: ``None``, a :class:`gomoku.Color`, or 3 for a wall."""
        cdef int cell = self.board.cells[self.point_of(move)]
        return None if cell == FK_EMPTY else cell if cell == FK_WALL else Color(cell)

    def peek(self):
        """Return the last move.

        Raises:
            IndexError: no stone has been played.
        """
        if self.board.ply == 0:
            raise IndexError("no move to look at: the board's history is empty")
        return self._move(self.board.moves[self.board.ply - 1])

    # --- Playing ---

    def is_legal(self, move):
        """Return whether :meth:`push` would accept the move."""
        try:
            self._check_move(self.point_of(move), move)
        except IllegalMoveError:
            return False
        return True

    def push(self, move):
        """Play a move for the side to move and return it as a :class:`gomoku.Move`.

        Raises:
            IllegalMoveError: the point is off the board, occupied or forbidden, or the game is over. The board is
                unchanged.

        Example:
            >>> board = Board(15)
            >>> board.push("h8")
            Move(x=7, y=7)
            >>> board.push("h8")
            Traceback (most recent call last):
            ...
            gomoku.types.IllegalMoveError: illegal move h8: the point is occupied
        """
        cdef int point = self.point_of(move)
        self._check_move(point, move)
        self._place(point, FOUL_NONE)
        return self._move(point)

    def push_unchecked(self, move):
        """Play on any empty point, forbidden ones and those after the end of the game included.

        A foul is recorded and ends the game; see :meth:`outcome`.

        Raises:
            IllegalMoveError: the point is off the board or occupied.
        """
        cdef int point = self.point_of(move)
        if self.board.cells[point] != FK_EMPTY:
            raise IllegalMoveError(move, "the point is occupied")
        self._check_room(move)
        self._place(point, self._foul(point) if self.board.to_move == FK_BLACK else FOUL_NONE)
        return self._move(point)

    def push_text(self, str text, *, origin="top"):
        """Play a move list such as ``g7h10`` and return the moves; none is played if one is illegal.

        Raises:
            ValueError: the text is no move list, or a move is illegal (:class:`IllegalMoveError`).
        """
        moves = parse_moves(text, width=self.width, height=self.height, origin=origin)
        for number, move in enumerate(moves):
            try:
                self.push(move)
            except IllegalMoveError:
                for _ in range(number):
                    self.pop()
                raise
        return moves

    def pop(self):
        """Take the last stone back and return its point.

        Raises:
            IndexError: no stone has been played.
        """
        if self.board.ply == 0:
            raise IndexError("no move to take back: the board's history is empty")
        board_unplace(&self.board)
        return self._move(self.board.moves[self.board.ply])

    cdef int point_of(self, move) except -1:
        """The padded cell of a move in any of its forms."""
        cdef int x, y
        try:
            if isinstance(move, str):
                x, y = parse_move(move, width=self.board.width, height=self.board.height)
            elif isinstance(move, (tuple, list)):
                column, row = move
                x, y = operator.index(column), operator.index(row)
            else:
                number = operator.index(move)
                if not 0 <= number < self.board.width * self.board.height:
                    raise IllegalMoveError(move, f"the index is not on a board of {self.width} x {self.height}")
                y, x = divmod(number, self.board.width)
        except IllegalMoveError:
            raise
        except (TypeError, ValueError, OverflowError) as error:
            raise IllegalMoveError(move, str(error)) from None
        if not (0 <= x < self.board.width and 0 <= y < self.board.height):
            raise IllegalMoveError(move, f"the point is not on a board of {self.width} x {self.height}")
        return point_at(x, y)

    def _check_move(self, int point, move):
        if self.board.cells[point] != FK_EMPTY:
            raise IllegalMoveError(move, "the point is occupied")
        if self.board.status[self.board.ply] != FK_STATUS_OPEN:
            raise IllegalMoveError(move, "the game is over")
        self._check_room(move)
        if self.board.to_move == FK_BLACK:
            foul = self._foul(point)
            if foul:
                raise IllegalMoveError(move, f"the point is forbidden for black ({Foul(foul).label})")

    def _check_room(self, move):
        if self.board.ply >= FK_MAX_PLIES:
            raise IllegalMoveError(move, "the history is full")

    def _place(self, int point, int foul):
        """Put the stone down and judge the position."""
        board_place(&self.board, point)
        self._judge_last()
        if foul and self.board.status[self.board.ply] == FK_STATUS_OPEN:
            self.board.status[self.board.ply] = FK_STATUS_FOUL + foul - 1

    def _judge_last(self):
        """Set the status after the last stone, unless the game was over before."""
        cdef int point = self.board.moves[self.board.ply - 1]
        if self.board.status[self.board.ply] == FK_STATUS_OPEN and board_wins(&self.board, point, NULL, NULL, NULL):
            self.board.status[self.board.ply] = (FK_STATUS_BLACK_WINS if self.board.cells[point] == FK_BLACK
                                                 else FK_STATUS_WHITE_WINS)

    cdef object _move(self, int point):
        return Move(point_x(point), point_y(point))

    def _foul(self, int point):
        if self.board.rule != RENJU:
            return FOUL_NONE
        return board_foul(&self.board, rule_tables(self.board.rule), point)

    # --- Judging ---

    def foul(self, move):
        """Return why black may not play here, ``Foul.NONE`` if black may; the point must be empty.

        Only renju has fouls. The answer does not depend on whose turn it is.

        Raises:
            IllegalMoveError: the point is off the board or occupied.

        Example:
            >>> from gomoku import Rule
            >>> board = Board.from_text("h8h9i7i9h10i6i11i12", origin="top", rule=Rule.RENJU)
            >>> board.foul("g9")
            <Foul.DOUBLE_THREE: 3>

        Source: Renju International Federation, "The rules of Renju"; protocol_docs/gomocup.md, "Rules".
        """
        cdef int point = self.point_of(move)
        if self.board.cells[point] != FK_EMPTY:
            raise IllegalMoveError(move, "the point is occupied")
        return Foul(self._foul(point))

    def is_game_over(self):
        """Return whether the game has ended: a winning line, a foul or a full board."""
        return self.board.status[self.board.ply] != FK_STATUS_OPEN or self.board.empty == 0

    def outcome(self):
        """Return the :class:`gomoku.Outcome` of a finished game, ``None`` while it goes on.

        Example:
            >>> board = Board.from_text("h8a1i8a2j8a3k8a4l8", origin="top")
            >>> outcome = board.outcome()
            >>> outcome.winner.name, [move.text for move in outcome.line]
            ('BLACK', ['h8', 'i8', 'j8', 'k8', 'l8'])
        """
        cdef int status = self.board.status[self.board.ply]
        if status >= FK_STATUS_FOUL:
            return Outcome(Color.WHITE, Termination.FOUL, foul=Foul(status - FK_STATUS_FOUL + 1))
        if status != FK_STATUS_OPEN:
            winner = Color.BLACK if status == FK_STATUS_BLACK_WINS else Color.WHITE
            return Outcome(winner, Termination.FIVE, self._winning_line(winner))
        if self.board.empty == 0:
            return Outcome(None, Termination.FULL_BOARD)
        return None

    def _winning_line(self, int color):
        """The line as it stood when the game was decided; later stones may have made it longer or spoiled it."""
        cdef fk_board board = self.board
        cdef int ply, direction = 0, first = 0, last = 0, step
        while board.ply and board.status[board.ply - 1] == board.status[board.ply]:
            board_unplace(&board)
        for ply in range(board.ply - 1, -1, -1):
            if board.movers[ply] == color and board_wins(&board, board.moves[ply], &direction, &first, &last):
                step = fk_line_step(direction)
                return tuple(self._move(first + i * step) for i in range((last - first) // step + 1))
        raise AssertionError("a won board has no winning line")

    # --- Symmetry, text, copies ---

    def transform(self, int index):
        """Return the board seen through one of its eight symmetries.

        Args:
            index: 0 to 7. Bit 0 mirrors x, bit 1 mirrors y, then bit 2 swaps x and y (and width and height).

        Raises:
            ValueError: ``index`` is out of range.

        Example:
            >>> Board.from_text("a2", origin="top").transform(5).peek().text
            'b15'
        """
        if not 0 <= index < 8:
            raise ValueError(f"symmetry {index} is out of range; it must be 0 to 7")
        width, height = self.width, self.height
        cdef Board other = Board(*((height, width) if index & 4 else (width, height)), rule=self._rule)
        cdef int ply, point
        for move in self.walls():
            other._set_wall(self._transformed_move(index, move.x, move.y))
        for ply in range(self.board.ply):
            point = self.board.moves[ply]
            other._set_stone(self._transformed_move(index, point_x(point), point_y(point)), self.board.movers[ply])
        other._set_to_move(self.board.to_move)
        memcpy(other.board.status, self.board.status, sizeof(self.board.status))
        return other

    def _transformed_move(self, int index, int x, int y):
        return self._move(transformed(index, x, y, self.board.width, self.board.height))

    @property
    def canonical_key(self):
        """64-bit key that is the same for all positions equal under a symmetry of the board."""
        cdef uint64_t key, best = <uint64_t>-1
        cdef int index, x, y, cell
        for index in range(8 if self.board.width == self.board.height else 4):
            key = base_key(self.board.width, self.board.height, self.board.rule)
            if self.board.to_move == FK_WHITE:
                key ^= zobrist_white_to_move
            for y in range(self.board.height):
                for x in range(self.board.width):
                    cell = self.board.cells[point_at(x, y)]
                    if cell != FK_EMPTY:
                        key ^= zobrist[cell - 1][transformed(index, x, y, self.board.width, self.board.height)]
            best = min(best, key)
        return best

    def text(self, *, origin):
        """Return the moves as text, ``h8i9g7``; the inverse of :meth:`from_text`.

        Args:
            origin: ``"top"`` or ``"bottom"``: where row 1 is.

        Raises:
            InvalidPositionError: the stones were not played in turn, black first, so that text cannot tell their
                colours; or there are walls.
        """
        cdef int ply
        if any(self.board.movers[ply] != ply % 2 + 1 for ply in range(self.board.ply)) or self.walls():
            raise InvalidPositionError("move text holds stones played in turn, black first, and no walls; "
                                       "use stones() and walls() for this position")
        return format_moves(self.move_stack, height=self.height, origin=origin)

    def copy(self):
        """Return an independent copy with the same history."""
        cdef Board other = Board(self.width, self.height, rule=self._rule)
        memcpy(&other.board, &self.board, sizeof(fk_board))
        return other

    def _repr_svg_(self):
        """Return the picture that notebooks show; :func:`gomoku.svg.board` draws others."""
        from gomoku import svg
        return svg.board(self, size=32 * (self.width + 1))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef int ply
        played = [(self._move(self.board.moves[ply]), self.board.movers[ply]) for ply in range(self.board.ply)]
        status = bytes(<bytes>(<char *>self.board.status)[:self.board.ply + 1])
        return (_restore, (self.width, self.height, int(self._rule), self.walls(), played, self.board.to_move,
                           status))

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        cdef Board board = other
        return (self.board.width == board.board.width and self.board.height == board.board.height
                and self._rule is board._rule and self.board.to_move == board.board.to_move
                and (<bytes>(<char *>self.board.cells)[:sizeof(self.board.cells)]
                     == <bytes>(<char *>board.board.cells)[:sizeof(board.board.cells)]))

    __hash__ = None

    def __str__(self):
        """Return a diagram: X black, O white, # wall, the last stone in brackets, row 1 at the top."""
        cdef int x, y, last = self.board.moves[self.board.ply - 1] if self.board.ply else 0
        rows = ["    " + " ".join(chr(97 + x) for x in range(self.width))]
        for y in range(self.height):
            row = f"{y + 1:3d}"
            for x in range(self.width):
                before = "(" if point_at(x, y) == last else ")" if point_at(x - 1, y) == last and x else " "
                row += before + ".XO#"[self.board.cells[point_at(x, y)]]
            rows.append(row + (")" if point_at(self.width - 1, y) == last else ""))
        return "\n".join(rows)

    def __repr__(self):
        return (f"<Board {self.width}x{self.height} {self._rule.label}, {self.ply} stones, "
                f"{self.turn.name.lower()} to move>")

    def _check(self):
        """Recompute everything incremental and compare; raises ``AssertionError`` where it differs."""
        cdef fk_board fresh
        cdef int ply, point
        board_clear(&fresh, self.board.width, self.board.height, self.board.rule)
        for move in self.walls():
            point = self.point_of(move)
            fresh.cells[point] = FK_WALL
            fk_lines_toggle(fresh.lines, point, FK_WALL)
            fresh.key ^= zobrist[FK_WALL - 1][point]
            fresh.empty -= 1
        for ply in range(self.board.ply):
            if fresh.to_move != self.board.movers[ply]:
                fresh.to_move = self.board.movers[ply]
                fresh.key ^= zobrist_white_to_move
            board_place(&fresh, self.board.moves[ply])
        if fresh.to_move != self.board.to_move:
            fresh.key ^= zobrist_white_to_move
        for field, same in (("key", fresh.key == self.board.key), ("empty", fresh.empty == self.board.empty)):
            if not same:
                raise AssertionError(f"the incremental {field} differs from the recomputed one")
        if (<bytes>(<char *>fresh.cells)[:sizeof(fresh.cells)]
                != <bytes>(<char *>self.board.cells)[:sizeof(fresh.cells)]):
            raise AssertionError("the cells differ from the recomputed ones")
        if (<bytes>(<char *>fresh.lines)[:sizeof(fresh.lines)]
                != <bytes>(<char *>self.board.lines)[:sizeof(fresh.lines)]):
            raise AssertionError("the lines differ from the recomputed ones")


def _restore(width, height, rule, walls, played, to_move, status):
    """Rebuild a pickled board."""
    cdef Board self = Board(width, height, rule=rule)
    cdef int ply
    for move in walls:
        self._set_wall(move)
    for move, color in played:
        self._set_stone(move, color)
    self._set_to_move(to_move)
    for ply in range(len(status)):
        self.board.status[ply] = status[ply]
    return self
