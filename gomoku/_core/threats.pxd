"""Wins by continuous fours (VCF), and what stops a threat.

Floor 5. The attacker is the side to move. A result is a number of plies to the completed five (1, 3, 5, ...), or 0 when
none was found; `aborted` tells a search that ran out of nodes or was stopped from one that proved there is none within
the limit. What the solver proves holds against every defence: a move that does not answer a four loses to the five.
"""

from gomoku._core.position cimport position_pop, position_push
from gomoku._core.types cimport fk_position, fk_state, fk_stop, fk_stop_due, fk_tt, int16_t, int64_t, uint64_t

cdef enum:
    MAX_LINE = 256
    UNLIMITED = 440          # plies of a search for a win of any length; the most that the table's depth can hold
    SOLVER_STOP_INTERVAL = 512  # nodes between looks at the stop flag


# What a win by fours hangs on: where a stone of the other side could change anything about it.
ctypedef struct fk_zone:
    uint64_t points[16]        # bit by cell
    bint wide                  # what is forbidden matters too, so that stones further away count


ctypedef struct fk_solver:
    fk_position *pos
    fk_tt *tt
    fk_stop *stop
    int64_t nodes
    int64_t node_limit
    bint aborted
    bint partial               # whether something was left out, so that finding no win proves nothing
    bint need_line             # whether wins known from the table must be searched again for their moves
    fk_zone *zone              # filled by solve_vcf_zone
    int weakest                # class of the least fours that a win may consist of, where none has to be met
    int16_t killer[MAX_LINE + 1]  # by ply: the attacker's move that won last there, for the search for threats
    int root_score             # of the root for the attacker, for the search for threats
    int ply                    # plies below the solver's root
    int length[MAX_LINE + 1]   # of line[ply]
    int16_t line[MAX_LINE + 1][MAX_LINE]  # principal line from each ply on


cdef void solver_set(fk_solver *self, fk_position *pos, fk_tt *tt, fk_stop *stop, int64_t node_limit,
                     bint need_line) noexcept nogil


# Count a node; true if it is one too many.
cdef inline bint out_of_budget(fk_solver *self) noexcept nogil:
    self.nodes += 1
    if self.nodes >= self.node_limit or (self.nodes % SOLVER_STOP_INTERVAL == 0 and fk_stop_due(self.stop)):
        self.aborted = True
    if self.ply >= MAX_LINE - 4:
        self.aborted = True
    return self.aborted


cdef inline void down(fk_solver *self, int move) noexcept nogil:
    position_push(self.pos, move)
    self.ply += 1
    self.length[self.ply] = 0


cdef inline void up(fk_solver *self) noexcept nogil:
    position_pop(self.pos)
    self.ply -= 1


# The line from this ply on is `move` and then the line of the next ply.
cdef inline void set_line(fk_solver *self, int move) noexcept nogil:
    cdef int ply = self.ply, number
    self.line[ply][0] = move
    for number in range(self.length[ply + 1]):
        self.line[ply][number + 1] = self.line[ply + 1][number]
    self.length[ply] = self.length[ply + 1] + 1


# Win by continuous fours within `plies`.
cdef int solve_vcf(fk_solver *self, int plies) noexcept nogil

# The shortest one. If nodes run out after some win was found, that one is returned.
cdef int solve_vcf_shortest(fk_solver *self, int plies) noexcept nogil

# Win by continuous fours of any length, and what it hangs on: a stone of the other side outside the zone that is not
# part of a five leaves the win as it is. Not for caro, where stones beside a five matter as well.
cdef int solve_vcf_zone(fk_solver *self, fk_zone *zone) noexcept nogil

# Points of class `weakest` or better for the side to move, strongest first; returns how many.
cdef int list_attacks(fk_position *pos, int side, int weakest, int *moves) noexcept nogil

# Drop the moves of a class below `weakest`; returns how many stay.
cdef int keep_class(fk_position *pos, int side, int weakest, int *moves, int count) noexcept nogil

# An empty point that is none of the moves and no point of `threats`, FK_NO_POINT if there is none: a move that defends
# nothing, for lines of play.
cdef int other_point(const fk_position *pos, const int *moves, int count) noexcept nogil

# Play a move after which a five cannot be prevented, and note a line to the five. Returns 3.
cdef int win_by(fk_solver *self, int move) noexcept nogil

# Play a five. Returns 1.
cdef int win_now(fk_solver *self, int five) noexcept nogil

# Whether the side has any point that could be a four. Black's forbidden ones may turn out not to be forbidden.
cdef bint has_fours(const fk_state *state, int side) noexcept nogil

# The same for fours that make something else as well, an open four among them.
cdef bint has_double_threats(const fk_state *state, int side) noexcept nogil

# The other side threatens a five. Lists every move that leaves it none: the five's point, and in caro also the points
# that spoil the five by standing at its end. Forbidden points are left out. Returns how many; 0 means lost.
cdef int list_answers(fk_position *pos, int *moves) noexcept nogil

# Allowed moves that leave the other side no point of a class that it now has; returns how many.
cdef int list_stoppers(fk_position *pos, int point_class, int *moves) noexcept nogil

# The side to move must answer the open four that the other side could make next. Lists every move that does: those
# that leave no point of that class, and all fours of one's own. Anything else loses at once. Forbidden points are left
# out. Returns how many.
cdef int list_defences(fk_position *pos, int *moves) noexcept nogil
