"""Counts of stones in every line of five points, kept by one push and one pop.

A line is known by its direction and its first point; what it holds is one byte, `black | white << 4`. A line with a
wall (or the board's edge) begins with eight of each, so that it is nobody's ever after.
"""

from gomoku._core.types cimport fk_board, int16_t, int64_t, uint8_t
from gomoku.classics._grader cimport Grader


cdef class LineCounts(Grader):
    cdef uint8_t cells[1024]
    cdef uint8_t lines[4][1024]      # [direction][first point]
    cdef int16_t moves[512]          # point by ply; whose stone it is stands in `cells`
    cdef int ply
    cdef int alive[3]                # [stone]: lines without an opposing stone
    cdef int fives[3]                # [stone]: lines of five stones
    cdef int64_t values[3][256]      # [stone][line]: what a line adds to the grades of its empty points
    cdef int64_t opposing[1024]      # [point]: grade for the other side

    # No stones, and the walls of these cells.
    cdef void clear(self, const uint8_t *walls) noexcept nogil

    # Put a stone on an empty point; take the last one back.
    cdef void place(self, int point, int stone) noexcept nogil
    cdef void unplace(self) noexcept nogil

    # Pop and push until the stones are those of a board.
    cdef void follow(self, const fk_board *board) noexcept nogil
    cdef bint has_walls_of(self, const fk_board *board) noexcept nogil

    cdef int64_t grade(self, int point, int stone) noexcept nogil
