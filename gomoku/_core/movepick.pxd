"""The moves of a node, best first, made only as far as they are needed.

Floor 6. What is generated depends on the threat that stands on the board: against a five its answers, against a coming
open four the moves that prevent it and own fours, otherwise all points near a stone. Forbidden points are left out.
"""

from gomoku._core.types cimport fk_constants, fk_position, int16_t, int32_t

cdef enum:
    HISTORY_LIMIT = 8192

# What a picker generates, from the most to the least forced.
cdef enum:
    PICK_ANSWERS = 0   # the other side threatens a five
    PICK_DEFENCES = 1  # the other side threatens an open four
    PICK_ALL = 2


ctypedef struct fk_history:
    int32_t cutoffs[2][1024]   # [colour index][point]: how often a free move there cut off, gravity-limited
    int16_t counter[2][1024]   # [colour index][last move]: the free move that refuted it


ctypedef struct fk_picker:
    fk_position *pos
    const fk_history *history
    const fk_constants *constants
    int kind                   # PICK_...
    int hash_move
    int killer
    int second_killer
    bint waiting               # whether all moves but the hash move are still to be generated
    int count                  # moves generated
    int next
    int moves[484]
    int scores[484]


# `hash_move` and the killers may be any point numbers: they are used only if they are playable here. A hash move comes
# before the others are generated, since it often cuts off. Whenever a move is asked for, the position must be this one.
cdef void picker_set(fk_picker *self, fk_position *pos, const fk_history *history, const fk_constants *constants,
                     int hash_move, int killer, int second_killer) noexcept nogil

# The same for all points near a stone whatever threatens.
cdef void picker_all(fk_picker *self, fk_position *pos, const fk_history *history,
                     const fk_constants *constants) noexcept nogil

# The next best move, FK_NO_POINT when there is none left.
cdef int picker_next(fk_picker *self) noexcept nogil
