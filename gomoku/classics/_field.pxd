"""Influence fields: what the stones of its four lines make of a point, and the points that complete fives."""

from gomoku._core.types cimport fk_board, uint8_t
from gomoku.classics._grader cimport Grader


cdef class Potentials(Grader):
    cdef object random
    cdef uint8_t completes[1024]    # [point]: whether it completes five or more with the stone last asked about

    # The completing point of a side's last stone that comes first among those the side to move may play, or 0.
    cdef int first_completing(self, const fk_board *board, int color) noexcept nogil
    cdef void mark_completing(self, const fk_board *board, int stone) noexcept nogil
