"""Results without search. See verdict.pxd for the interface."""

from gomoku._core.position cimport side_to_move
from gomoku._core.threats cimport has_fours
from gomoku._core.types cimport (
    FK_POINT_DOUBLE_THREE,
    FK_POINT_FIVE,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    fk_state,
    uint16_t,
)

cdef enum:
    RENJU = 4
    CARO = 8  # rule numbers from here on let a stone at a five's end spoil it


cdef int verdict(const fk_position *pos) noexcept nogil:
    cdef const fk_state *state = pos.state
    cdef int side = side_to_move(pos)
    cdef const uint16_t *own = state.count[side]
    cdef const uint16_t *other = state.count[1 - side]
    cdef int rule = pos.rule.rule
    if own[FK_POINT_FIVE]:
        return 1
    if other[FK_POINT_FIVE]:
        return -2 if other[FK_POINT_FIVE] > 1 and rule < CARO else 0
    if own[FK_POINT_OPEN_FOUR]:
        return 3
    # A four-three or a double-three leads to an open four on a line that the answer does not touch, since two lines
    # meet only once; a side without fours has no time for anything else. Black's next points may be forbidden in renju.
    if ((own[FK_POINT_FOUR_THREE] or own[FK_POINT_DOUBLE_THREE]) and rule < CARO and not (rule == RENJU and side == 0)
            and not has_fours(state, 1 - side)):
        return 5
    return 0
