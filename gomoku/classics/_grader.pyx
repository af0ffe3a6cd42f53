# cython: freethreading_compatible=True
"""What the three opponents have in common. See _grader.pxd."""

from libc.string cimport memcpy, memset

from gomoku._core.board cimport Board, board_foul, point_at
from gomoku._core.patterns cimport rule_tables
from gomoku._core.types cimport FK_BLACK, FK_EMPTY, FK_STRIDE, FK_WALL, FK_WHITE, fk_board, fk_rule, int64_t

from gomoku.types import GomokuError

cdef enum:
    RENJU = 4  # gomoku.types.Rule


cdef int check_color(int color) except -1:
    if color not in (FK_BLACK, FK_WHITE):
        raise ValueError(f"{color} is no colour; it must be 1 (black) or 2 (white)")
    return 0


cdef class Grader:
    """Grades of the empty points of one position for one side.

    Thread-safety: a grader belongs to one thread at a time.
    """

    cdef void fill(self, const fk_board *board, int color) noexcept nogil:
        pass

    cdef int64_t worth_of(self, int point) noexcept nogil:
        return self.own[point]

    cdef int look(self, Board board, int color) except -1:
        cdef const fk_rule *fouls = NULL
        if board.board.empty == 0:
            raise GomokuError("the board is full; there is no point to choose")
        if board.board.rule == RENJU and color == FK_BLACK:
            fouls = rule_tables(RENJU)
        # The loops need no GIL, but it is kept: they take microseconds, and two threads that share a grader against the
        # advice above get wrong moves at worst and no broken memory.
        self.list_points(&board.board, fouls)
        memset(self.own, 0, sizeof(self.own))
        self.fill(&board.board, color)
        return 0

    cdef void list_points(self, fk_board *board, const fk_rule *fouls) noexcept nogil:
        cdef int x, y, point
        self.empty = self.count = 0
        for y in range(board.height):
            for x in range(board.width):
                point = point_at(x, y)
                if board.cells[point] != FK_EMPTY:
                    continue
                self.empty_points[self.empty] = point
                self.empty += 1
                if fouls == NULL or not board_foul(board, fouls, point):
                    self.points[self.count] = point
                    self.count += 1
        if self.count == 0:
            memcpy(self.points, self.empty_points, sizeof(self.points))
            self.count = self.empty

    cdef int best(self, const int64_t *grades) noexcept nogil:
        cdef int index, chosen = self.points[0]
        for index in range(1, self.count):
            if grades[self.points[index]] > grades[chosen]:
                chosen = self.points[index]
        return chosen

    def choose(self, Board board not None):
        """Return the point of the highest grade for the side to move."""
        self.look(board, board.board.to_move)
        return board._move(self.best(self.own))

    @property
    def graded(self):
        """How many points have a grade: the empty ones of the position last looked at."""
        return self.empty

    def grades(self, Board board not None, int color):
        """Return a side's grade for every point, row by row, as the bytes of native 64-bit integers."""
        check_color(color)
        cdef bytearray packed = bytearray(board.board.width * board.board.height * sizeof(int64_t))
        cdef char *rows = packed
        cdef int y, row_bytes = board.board.width * sizeof(int64_t)
        if board.board.empty:
            self.look(board, color)
            for y in range(board.board.height):
                memcpy(rows + y * row_bytes, &self.own[point_at(0, y)], row_bytes)
        return packed

    def ranked(self, Board board not None):
        """Return the points that the side to move may play, with their worth, best first and else row by row."""
        cdef int index
        self.look(board, board.board.to_move)
        pairs = [(self.worth_of(self.points[index]), board._move(self.points[index]))
                 for index in range(self.count)]
        return sorted(pairs, key=lambda pair: -pair[0])

    def worth(self, Board board not None, move):
        """Return what a point is worth to the side that this position was last looked at for."""
        return self.worth_of(board.point_of(move))

    def near(self, Board board not None):
        """Return the points that the side to move may play within two steps of a stone, row by row."""
        cdef int index
        self.look(board, board.board.to_move)
        return [board._move(self.points[index]) for index in range(self.count)
                if is_near(&board.board, self.points[index])]


cdef bint is_near(const fk_board *board, int point) noexcept nogil:
    """Whether a stone stands within two steps, in any direction."""
    cdef int dx, dy, cell
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            cell = board.cells[point + dy * FK_STRIDE + dx]
            if cell != FK_EMPTY and cell != FK_WALL:
                return True
    return False
