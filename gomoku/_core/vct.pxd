"""Wins by continuous threats (VCT).

Floor 6. A threat is a move after which the other side loses to fours if it does nothing: a four, an open three, or a
quiet move that prepares a win by fours. Results mean what they mean in threats.pxd, but the win is any one, not the
shortest.
"""

from gomoku._core.threats cimport fk_solver

# Win by continuous threats of at most so many plies.
cdef int solve_vct(fk_solver *self, int plies) noexcept nogil

# The shortest win by continuous fours, or any win by continuous threats.
cdef int solve_forced(fk_solver *self, bint fours_only, int plies) noexcept nogil
