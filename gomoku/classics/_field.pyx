# cython: freethreading_compatible=True
"""Influence fields in four directions. See _field.pxd."""

cimport cython
from libc.string cimport memset

from gomoku._core.board cimport Board, point_at
from gomoku._core.types cimport (
    FK_BLACK,
    FK_CELLS,
    FK_DIRECTIONS,
    FK_EMPTY,
    FK_NO_POINT,
    FK_WHITE,
    fk_board,
    fk_line_step,
    int64_t,
)
from gomoku.classics._grader cimport Grader

cdef enum:
    REACH = 4          # steps that a stone's influence goes
    MANY = 5           # from this potential on a value is doubled,
    VERY_MANY = 18     # and from this value on once more

cdef double SHARE_OF_EQUALS = 0.6  # how often a point replaces an equal one before it


@cython.final
cdef class Potentials(Grader):
    """Values of the empty points by the influence of all stones.

    Args:
        random: gives numbers from 0 to 1, one for each point whose value equals the highest before it.
    """

    def __cinit__(self, random):
        self.random = random

    cdef void fill(self, const fk_board *board, int color) noexcept nogil:
        cdef int index, point, direction
        for index in range(self.empty):
            point = self.empty_points[index]
            for direction in range(FK_DIRECTIONS):
                self.own[point] += value_of(potential(board, point, fk_line_step(direction)))

    cdef void mark_completing(self, const fk_board *board, int stone) noexcept nogil:
        cdef int direction, sign, step, start, end, point, beyond, stones, color = board.cells[stone]
        memset(self.completes, 0, sizeof(self.completes))
        for direction in range(FK_DIRECTIONS):
            for sign in range(-1, 2, 2):
                step = sign * fk_line_step(direction)
                start = end = stone
                while board.cells[start - step] == color:
                    start -= step
                while board.cells[end + step] == color:
                    end += step
                point = end + step
                beyond = point + step
                stones = (end - start) // step + 1
                if board.cells[point] != FK_EMPTY:
                    continue
                while board.cells[beyond] == color:
                    beyond += step
                    stones += 1
                if stones >= 4:
                    self.completes[point] = True

    cdef int first_completing(self, const fk_board *board, int color) noexcept nogil:
        cdef int ply = board.ply - 1, index
        while ply >= 0 and board.movers[ply] != color:
            ply -= 1
        if ply < 0:
            return FK_NO_POINT
        self.mark_completing(board, board.moves[ply])
        for index in range(self.count):
            if self.completes[self.points[index]]:
                return self.points[index]
        return FK_NO_POINT

    def choose(self, Board board not None):
        """Return the point that completes or stops a five, or else the one of the highest value."""
        cdef int point, index, chosen
        cdef int centre = point_at(board.board.width // 2, board.board.height // 2)
        self.look(board, board.board.to_move)
        if board.board.ply == 0 and board.board.cells[centre] == FK_EMPTY:
            return board._move(centre)
        chosen = self.first_completing(&board.board, board.board.to_move)
        if chosen == FK_NO_POINT:
            chosen = self.first_completing(&board.board, 3 - board.board.to_move)
        if chosen == FK_NO_POINT:
            chosen = self.points[0]
            for index in range(1, self.count):
                point = self.points[index]
                if (self.own[point] > self.own[chosen]
                        or (self.own[point] == self.own[chosen] and self.random() < SHARE_OF_EQUALS)):
                    chosen = point
        return board._move(chosen)

    # --- Python's eyes ---

    def potentials(self, Board board not None, move):
        """Return what the stones make of an empty point: in its row, column, falling and rising diagonal."""
        cdef int point = board.point_of(move), direction
        return tuple(potential(&board.board, point, fk_line_step(direction)) for direction in range(FK_DIRECTIONS))

    def completing(self, Board board not None, move):
        """Return the points that complete five or more with a stone, row by row."""
        cdef int stone = board.point_of(move), point
        if influence(board.board.cells[stone]) == 0:
            raise ValueError(f"no stone stands on {move}; name a stone that may be part of a four")
        self.mark_completing(&board.board, stone)
        return [board._move(point) for point in range(FK_CELLS) if self.completes[point]]


cdef inline int influence(int stone) noexcept nogil:
    """The sign of a cell's influence; walls and empty points have none."""
    return (stone == FK_BLACK) - (stone == FK_WHITE)


cdef inline int potential(const fk_board *board, int point, int step) noexcept nogil:
    """What the stones of one line make of an empty point, whatever stands between."""
    cdef int distance, total = 0
    for distance in range(1, REACH + 1):
        total += (REACH + 1 - distance) * (influence(board.cells[point - distance * step])
                                           + influence(board.cells[point + distance * step]))
    return total


cdef inline int64_t value_of(int amount) noexcept nogil:
    """What a potential is worth, to both sides alike."""
    cdef int value = abs(amount)
    if value >= MANY:
        value *= 2
    if value >= VERY_MANY:
        value *= 2
    return value
