"""A position as one side sees it: the points it may play, and a grade for every empty point.

The three opponents differ in `fill`; how they choose from the grades is their own affair too. Points are cells of the
padded grid (csrc/fk_types.h), so that lines may be walked beyond the edge: there are walls.
"""

from gomoku._core.board cimport Board
from gomoku._core.types cimport fk_board, fk_rule, int64_t


# Raises ValueError for what is neither black nor white.
cdef int check_color(int color) except -1


cdef class Grader:
    cdef int empty                 # empty points of the position last looked at
    cdef int empty_points[484]     # row by row
    cdef int count                 # points its side may play; all empty ones if it may play none
    cdef int points[484]           # row by row
    cdef int64_t own[1024]         # [point]: grade for the side; 0 where no stone can be put

    # Grade the empty points for a side; `own` holds zeros.
    cdef void fill(self, const fk_board *board, int color) noexcept nogil

    # What a point is worth to the chooser.
    cdef int64_t worth_of(self, int point) noexcept nogil

    # Look at a position: everything above is for this side then.
    cdef int look(self, Board board, int color) except -1

    # The first of the best among the points the side may play; the position must not be full.
    cdef int best(self, const int64_t *grades) noexcept nogil

    cdef void list_points(self, fk_board *board, const fk_rule *fouls) noexcept nogil
