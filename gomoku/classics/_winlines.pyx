# cython: freethreading_compatible=True
"""Counting winning lines. See _winlines.pxd."""

cimport cython
from libc.string cimport memset

from gomoku._core.board cimport Board, point_at, point_x, point_y
from gomoku._core.types cimport (
    FK_BLACK,
    FK_CELLS,
    FK_DIRECTIONS,
    FK_EMPTY,
    FK_MAX_PLIES,
    FK_MAX_SIZE,
    FK_WALL,
    FK_WHITE,
    fk_board,
    fk_line_step,
    int64_t,
    uint8_t,
)
from gomoku.classics._grader cimport Grader, check_color

from gomoku.types import Move

cdef enum:
    DEAD = 0x88  # a line with a wall in it: no number of stones makes one half zero


cdef inline int stones_of(int line, int stone) noexcept nogil:
    """How many stones of a colour a line holds, and eight if it holds a wall."""
    return line & 15 if stone == FK_BLACK else line >> 4


@cython.final
cdef class LineCounts(Grader):
    """The lines of five of a board, and what they make of its empty points.

    Args:
        values: what a live line adds to the grade of its empty points with 0, 1, 2, 3 and 4 own stones in it.
    """

    def __cinit__(self, values):
        cdef int stones
        values = tuple(values)
        if len(values) != 5:
            raise ValueError(f"{len(values)} values of lines are given, but 5 are needed, for 0 to 4 stones in one")
        for stones, value in enumerate(values):
            self.values[FK_BLACK][stones] = value
            self.values[FK_WHITE][stones << 4] = value
        memset(self.cells, FK_WALL, sizeof(self.cells))
        self.clear(self.cells)

    # --- Lines ---

    cdef void clear(self, const uint8_t *walls) noexcept nogil:
        cdef int direction, point, step, offset
        for point in range(FK_CELLS):
            self.cells[point] = FK_WALL if walls[point] == FK_WALL else FK_EMPTY
        memset(self.lines, DEAD, sizeof(self.lines))
        self.ply = 0
        self.alive[FK_BLACK] = self.alive[FK_WHITE] = 0
        self.fives[FK_BLACK] = self.fives[FK_WHITE] = 0
        for direction in range(FK_DIRECTIONS):
            step = fk_line_step(direction)
            for point in range(FK_CELLS):
                for offset in range(5):  # ends in the border at the latest, which is inside the array
                    if self.cells[point + offset * step] == FK_WALL:
                        break
                else:
                    self.lines[direction][point] = 0
                    self.alive[FK_BLACK] += 1
                    self.alive[FK_WHITE] += 1

    cdef void place(self, int point, int stone) noexcept nogil:
        cdef int direction, offset, step, other = 3 - stone
        cdef uint8_t *line
        self.cells[point] = stone
        self.moves[self.ply] = point
        self.ply += 1
        for direction in range(FK_DIRECTIONS):
            step = fk_line_step(direction)
            for offset in range(5):
                line = &self.lines[direction][point - offset * step]
                self.alive[other] -= stones_of(line[0], stone) == 0
                line[0] += 1 if stone == FK_BLACK else 16
                self.fives[stone] += stones_of(line[0], stone) == 5

    cdef void unplace(self) noexcept nogil:
        self.ply -= 1
        cdef int point = self.moves[self.ply]
        cdef int stone = self.cells[point], other = 3 - stone
        cdef int direction, offset, step
        cdef uint8_t *line
        self.cells[point] = FK_EMPTY
        for direction in range(FK_DIRECTIONS):
            step = fk_line_step(direction)
            for offset in range(5):
                line = &self.lines[direction][point - offset * step]
                self.fives[stone] -= stones_of(line[0], stone) == 5
                line[0] -= 1 if stone == FK_BLACK else 16
                self.alive[other] += stones_of(line[0], stone) == 0

    cdef bint has_walls_of(self, const fk_board *board) noexcept nogil:
        """Whether walls are the same, and with them the size: everything around the board is wall."""
        cdef int point
        for point in range(FK_CELLS):
            if (self.cells[point] == FK_WALL) != (board.cells[point] == FK_WALL):
                return False
        return True

    cdef void follow(self, const fk_board *board) noexcept nogil:
        cdef int same = 0
        if not self.has_walls_of(board):
            self.clear(board.cells)
        while (same < self.ply and same < board.ply and self.moves[same] == board.moves[same]
               and self.cells[self.moves[same]] == board.movers[same]):
            same += 1
        while self.ply > same:
            self.unplace()
        while self.ply < board.ply:
            self.place(board.moves[self.ply], board.movers[self.ply])

    # --- Grades ---

    cdef int64_t grade(self, int point, int stone) noexcept nogil:
        cdef int direction, offset, step
        cdef int64_t total = 0
        for direction in range(FK_DIRECTIONS):
            step = fk_line_step(direction)
            for offset in range(5):
                total += self.values[stone][self.lines[direction][point - offset * step]]
        return total

    cdef void fill(self, const fk_board *board, int color) noexcept nogil:
        cdef int index, point
        self.follow(board)
        for index in range(self.empty):
            point = self.empty_points[index]
            self.own[point] = self.grade(point, color)
            self.opposing[point] = self.grade(point, 3 - color)

    cdef int64_t worth_of(self, int point) noexcept nogil:
        return max(self.own[point], self.opposing[point])

    def choose(self, Board board not None):
        """Return the point to attack on if it is worth more than the best one to defend on, else that one."""
        cdef int attack, defence, point
        self.look(board, board.board.to_move)
        attack = self.best(self.own)
        defence = self.best(self.opposing)
        point = attack if self.own[attack] > self.opposing[defence] else defence
        return board._move(point)

    # --- Python's hands ---

    def synchronise(self, Board board not None):
        """Take back and put stones until they are those of a board, in its order of play."""
        self.follow(&board.board)

    def push(self, int x, int y, int color):
        """Put a stone on an empty point."""
        if color not in (FK_BLACK, FK_WHITE):
            raise ValueError(f"a stone of colour {color} is impossible; it must be 1 (black) or 2 (white)")
        if not (0 <= x < FK_MAX_SIZE and 0 <= y < FK_MAX_SIZE) or self.cells[point_at(x, y)] != FK_EMPTY:
            raise ValueError(f"no stone can be put on {x},{y}; name an empty point of the board followed last")
        if self.ply == FK_MAX_PLIES:
            raise ValueError(f"no stone can be put on {x},{y}: the history is full")
        self.place(point_at(x, y), color)

    def pop(self):
        """Take the last stone back and return its point."""
        if self.ply == 0:
            raise IndexError("no stone to take back: the history is empty")
        self.unplace()
        return Move(point_x(self.moves[self.ply]), point_y(self.moves[self.ply]))

    def live_lines(self, int color):
        """Return how many lines hold no stone of the other side and no wall."""
        check_color(color)
        return self.alive[color]

    def full_lines(self, int color):
        """Return how many lines hold five stones of a side."""
        check_color(color)
        return self.fives[color]

    def _check(self):
        """Recount everything incremental from the stones; raises ``AssertionError`` where it differs."""
        cdef int direction, first, offset, point, line, stones = 0
        cdef int alive[3]
        cdef int fives[3]
        alive[FK_BLACK] = alive[FK_WHITE] = fives[FK_BLACK] = fives[FK_WHITE] = 0
        for point in range(FK_CELLS):
            stones += self.cells[point] == FK_BLACK or self.cells[point] == FK_WHITE
        if stones != self.ply or len({self.moves[ply] for ply in range(self.ply)}) != stones:
            raise AssertionError("the stones differ from those of the history")
        for direction in range(FK_DIRECTIONS):
            for first in range(FK_CELLS):
                line = 0
                for offset in range(5):
                    point = first + offset * fk_line_step(direction)
                    if not 0 <= point < FK_CELLS or self.cells[point] == FK_WALL:
                        line |= DEAD
                    else:
                        line += self.cells[point] & 1 | (self.cells[point] & 2) << 3
                if line != self.lines[direction][first]:
                    raise AssertionError(f"a line holds {self.lines[direction][first]:#x} instead of {line:#x}")
                for stone in (FK_BLACK, FK_WHITE):
                    alive[stone] += stones_of(line, 3 - stone) == 0
                    fives[stone] += stones_of(line, stone) == 5
        for stone in (FK_BLACK, FK_WHITE):
            if alive[stone] != self.alive[stone] or fives[stone] != self.fives[stone]:
                raise AssertionError("the numbers of live and full lines differ from the recounted ones")
