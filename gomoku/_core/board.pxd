"""Stones, lines, history, winning lines and fouls.

Floor 2. `fk_board` (csrc/fk_types.h) is the state; the functions here are all that may change it. Points are cells of
the padded grid; `point_at` and `point_x`, `point_y` convert. `Board` is the public object.
"""

from gomoku._core.types cimport (
    FK_BORDER,
    FK_EMPTY,
    FK_STRIDE,
    fk_board,
    fk_line_number,
    fk_line_place,
    fk_lines_toggle,
    fk_rule,
    fk_window_key,
    uint64_t,
)

cdef uint64_t zobrist[3][1024]  # [stone - 1][point]
cdef uint64_t zobrist_white_to_move


cdef inline int point_at(int x, int y) noexcept nogil:
    return (y + FK_BORDER) * FK_STRIDE + x + FK_BORDER


cdef inline int point_x(int point) noexcept nogil:
    return (point & (FK_STRIDE - 1)) - FK_BORDER


cdef inline int point_y(int point) noexcept nogil:
    return point // FK_STRIDE - FK_BORDER


cdef inline void board_place(fk_board *board, int point) noexcept nogil:
    """Put a stone of the side to move on an empty point; `status` is left for the caller to set."""
    cdef int stone = board.to_move
    board.cells[point] = stone
    fk_lines_toggle(board.lines, point, stone)
    board.key ^= zobrist[stone - 1][point] ^ zobrist_white_to_move
    board.moves[board.ply] = point
    board.movers[board.ply] = stone
    board.ply += 1
    board.empty -= 1
    board.to_move = 3 - stone
    board.status[board.ply] = board.status[board.ply - 1]


cdef inline void board_unplace(fk_board *board) noexcept nogil:
    """Take the last stone off; its side is to move again."""
    board.ply -= 1
    cdef int point = board.moves[board.ply]
    cdef int stone = board.movers[board.ply]
    board.cells[point] = FK_EMPTY
    fk_lines_toggle(board.lines, point, stone)
    board.key ^= zobrist[stone - 1][point]
    if board.to_move != stone:
        board.key ^= zobrist_white_to_move
        board.to_move = stone
    board.empty += 1


cdef inline int board_shapes(const fk_board *board, const fk_rule *rule, int point, int direction) noexcept nogil:
    """Both sides' shapes of a point on one line: black's | white's << 4."""
    return rule.shapes[fk_window_key(board.lines[direction][fk_line_number(direction, point)],
                                     fk_line_place(direction, point), rule.half, rule.lo_mask, rule.hi_mask)]


# An empty board. The caller has checked the size.
cdef void board_clear(fk_board *board, int width, int height, int rule) noexcept nogil

# Whether the stone on `point` stands in a winning line; `direction` and the line's ends are told if asked for.
cdef bint board_wins(const fk_board *board, int point, int *direction, int *first, int *last) noexcept nogil

# Why black may not play on an empty point in renju (gomoku.types.Foul), 0 if it may. The board is as before afterwards.
cdef int board_foul(fk_board *board, const fk_rule *rule, int point) noexcept nogil


cdef class Board:
    cdef fk_board board
    cdef object _rule

    cdef int point_of(self, move) except -1
    cdef object _move(self, int point)
