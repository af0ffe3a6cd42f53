"""The search's state: a board with everything the engine knows of it, kept up to date by push and pop.

Floor 4. `fk_position` (csrc/fk_types.h) joins the board, the shapes of every empty point on its four lines, and the
sums over them. Only the points within a window of the new stone change, and `position_pop` copies them back.
"""

from gomoku._core.board cimport board_shapes, zobrist, zobrist_white_to_move
from gomoku._core.types cimport (
    FK_EMPTY,
    FK_POINT_FORBIDDEN,
    fk_board,
    fk_cell,
    fk_code_of,
    fk_position,
    fk_rule,
    uint64_t,
)


cdef inline int side_to_move(const fk_position *pos) noexcept nogil:
    """Colour index of the side to move: 0 black, 1 white."""
    return pos.board.to_move - 1


cdef inline uint64_t key_after(const fk_position *pos, int move) noexcept nogil:
    """The board's key once the side to move has played there; to have the table's entry fetched meanwhile."""
    return pos.board.key ^ zobrist[pos.board.to_move - 1][move] ^ zobrist_white_to_move


# Take over a board; everything is computed afresh. `rule` comes from evaluate.weighted_rule.
cdef void position_set(fk_position *pos, const fk_board *board, const fk_rule *rule) noexcept nogil

cdef void position_push(fk_position *pos, int point) noexcept nogil
cdef void position_pop(fk_position *pos) noexcept nogil

# The other side moves twice: for threat searches of the side that is not to move.
cdef void position_pass(fk_position *pos) noexcept nogil
cdef void position_unpass(fk_position *pos) noexcept nogil

cdef inline int free_class(const fk_position *pos, int point, int side) noexcept nogil:
    """The class of an empty point for a side if nothing were forbidden."""
    return pos.rule.free_classes[fk_code_of(pos.rule, side, pos.cells[point].shapes[side])]


# The class of an empty point for a side with forbidden points judged: FK_POINT_FORBIDDEN only if it really is one.
cdef int position_class(fk_position *pos, int point, int side) noexcept nogil


cdef inline bint is_allowed(fk_position *pos, int point, int side) noexcept nogil:
    """Whether the side may play on an empty point; asks the rules only where the shapes leave it open."""
    return (pos.cells[point].point_class[side] != FK_POINT_FORBIDDEN
            or position_class(pos, point, side) != FK_POINT_FORBIDDEN)


# The empty points of a set (bit by cell) that the side may play, row by row; returns how many.
cdef int list_allowed(fk_position *pos, const uint64_t *points, int side, int *moves) noexcept nogil

# Some empty point with that exact class for the side, FK_NO_POINT if there is none. Classes of `threats` only.
cdef int find_class(const fk_position *pos, int side, int point_class) noexcept nogil

# Points of `threats[side]`, at most FK_MAX_POINTS, row by row; returns how many.
cdef int list_threats(const fk_position *pos, int side, int *points) noexcept nogil

# 0, or the number of the first thing that differs from a fresh computation (see position.pyx).
cdef int position_check(fk_position *pos, fk_position *scratch) noexcept nogil
