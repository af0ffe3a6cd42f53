"""Threat solvers: wins by continuous fours (VCF) and by continuous threats (VCT), and what stops a threat.

Floor 5. The attacker is the side to move. A result is a number of plies to the completed five (1, 3, 5, ...), or 0 when
none was found; `aborted` tells a search that ran out of nodes or was stopped from one that proved there is none within
the limit. What a solver proves holds against every defence: a move that does not answer a four loses to the five, one
that does not answer an open three loses to the open four.
"""

from gomoku._core.types cimport fk_position, fk_stop, fk_tt, int16_t, int64_t

cdef enum:
    MAX_LINE = 256


ctypedef struct fk_solver:
    fk_position *pos
    fk_tt *tt
    fk_stop *stop
    int64_t nodes
    int64_t node_limit
    bint aborted
    bint need_line             # whether wins known from the table must be searched again for their moves
    int ply                    # plies below the solver's root
    int length[MAX_LINE + 1]   # of line[ply]
    int16_t line[MAX_LINE + 1][MAX_LINE]  # principal line from each ply on


cdef void solver_set(fk_solver *self, fk_position *pos, fk_tt *tt, fk_stop *stop, int64_t node_limit,
                     bint need_line) noexcept nogil

# Win by continuous fours within `plies`.
cdef int solve_vcf(fk_solver *self, int plies) noexcept nogil

# Win by continuous threats within `plies`.
cdef int solve_vct(fk_solver *self, int plies) noexcept nogil

# The shortest win by either within `plies`, by iterative deepening.
cdef int solve_shortest(fk_solver *self, bint fours_only, int plies) noexcept nogil

# The other side threatens a five. Lists every move that leaves it none: the five's point, and in caro also the points
# that spoil the five by standing at its end. Forbidden points are left out. Returns how many; 0 means lost.
cdef int list_answers(fk_position *pos, int *moves) noexcept nogil

# The side to move must answer the open four that the other side could make next. Lists every move that does: those
# that leave no point of that class, and all fours of one's own. Anything else loses at once. Forbidden points are left
# out. Returns how many.
cdef int list_defences(fk_position *pos, int *moves) noexcept nogil
