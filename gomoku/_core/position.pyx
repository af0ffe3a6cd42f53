"""The search's state. See position.pxd for the interface."""

from libc.string cimport memcmp, memcpy, memset

from gomoku._core.board cimport board_foul, board_place, board_unplace, point_at, zobrist_white_to_move
from gomoku._core.types cimport (
    FK_CELLS,
    FK_DIRECTIONS,
    FK_NO_POINT,
    FK_POINT_CLASSES,
    fk_cell_set,
    fk_ctz64,
    fk_is_threat,
    fk_refresh_line,
    fk_state,
    fk_views,
    fk_views_of_all,
    fk_views_update,
    uint32_t,
)

# Points worth considering around a stone, by row distance: two points every way, and out to four along the lines,
# where the stone can still be part of a five. Bit 4 is the stone's own column.
cdef uint32_t *NEAR_MASK = [0b111111111, 0b001111100, 0b001111100, 0b010010010, 0b100010001]


cdef inline void mark_near(fk_state *state, int point) noexcept nogil:
    cdef int x = point & 31, y = point >> 5, distance, row
    for distance in range(-4, 5):
        row = y + distance
        state.near_points[row >> 1] |= (<uint64_t>(NEAR_MASK[-distance if distance < 0 else distance] << (x - 4))
                                        << (32 * (row & 1)))


cdef inline void count_cell(fk_position *pos, fk_state *state, int point, int sign) noexcept nogil:
    """Add a cell to the sums (`sign` 1) or take it out (-1)."""
    cdef fk_cell *cell = &pos.cells[point]
    cdef int side
    for side in range(2):
        state.value[side] += sign * cell.value[side]
        state.count[side][cell.point_class[side]] += sign
        if fk_is_threat(cell.point_class[side]):
            state.threats[side][point >> 6] ^= <uint64_t>1 << (point & 63)


cdef void position_set(fk_position *pos, const fk_board *board, const fk_rule *rule) noexcept nogil:
    cdef int x, y, point, direction, ply, shapes, black, white
    cdef fk_cell *cell
    cdef fk_state *state = &pos.states[0]
    pos.board = board[0]
    pos.rule = rule
    pos.state = state
    memset(state, 0, sizeof(fk_state))
    memset(pos.cells, 0, sizeof(pos.cells))
    for y in range(board.height):
        for x in range(board.width):
            point = point_at(x, y)
            if board.cells[point] == FK_EMPTY:
                cell = &pos.cells[point]
                cell.point = point
                black = white = 0
                for direction in range(FK_DIRECTIONS):
                    shapes = board_shapes(board, rule, point, direction)
                    black |= (shapes & 15) << (4 * direction)
                    white |= (shapes >> 4) << (4 * direction)
                fk_cell_set(rule, cell, black, white)
                count_cell(pos, state, point, 1)
    for ply in range(board.ply):
        mark_near(state, board.moves[ply])
    fk_views_of_all(pos)


cdef void position_push(fk_position *pos, int point) noexcept nogil:
    cdef fk_state *state = pos.state + 1
    cdef int direction
    memcpy(state, pos.state, <char *>&state.has_views - <char *>state)
    state.has_views = False
    pos.state = state
    count_cell(pos, state, point, -1)
    board_place(&pos.board, point)
    mark_near(state, point)
    if pos.rule.half == 4:
        for direction in range(FK_DIRECTIONS):
            fk_refresh_line(pos, state, point, direction, 4)
    else:
        for direction in range(FK_DIRECTIONS):
            fk_refresh_line(pos, state, point, direction, 5)


cdef void position_pop(fk_position *pos) noexcept nogil:
    cdef int end = pos.state.undo_end, number
    pos.state -= 1
    for number in range(pos.state.undo_end, end):
        pos.cells[pos.undo[number].point] = pos.undo[number]
    board_unplace(&pos.board)


cdef void position_pass(fk_position *pos) noexcept nogil:
    pos.board.to_move = 3 - pos.board.to_move
    pos.board.key ^= zobrist_white_to_move


cdef void position_unpass(fk_position *pos) noexcept nogil:
    position_pass(pos)


cdef int position_class(fk_position *pos, int point, int side) noexcept nogil:
    cdef const fk_cell *cell = &pos.cells[point]
    if cell.point_class[side] != FK_POINT_FORBIDDEN or board_foul(&pos.board, pos.rule, point):
        return cell.point_class[side]
    return free_class(pos, point, side)


cdef int list_allowed(fk_position *pos, const uint64_t *points, int side, int *moves) noexcept nogil:
    cdef int word, point, count = 0
    cdef uint64_t bits
    for word in range(16):
        bits = points[word]
        while bits:
            point = word * 64 + fk_ctz64(bits)
            bits &= bits - 1
            if pos.board.cells[point] == FK_EMPTY and is_allowed(pos, point, side):
                moves[count] = point
                count += 1
    return count


cdef int find_class(const fk_position *pos, int side, int point_class) noexcept nogil:
    cdef int word, point
    cdef uint64_t bits
    for word in range(16):
        bits = pos.state.threats[side][word]
        while bits:
            point = word * 64 + fk_ctz64(bits)
            if pos.cells[point].point_class[side] == point_class:
                return point
            bits &= bits - 1
    return FK_NO_POINT


cdef int list_threats(const fk_position *pos, int side, int *points) noexcept nogil:
    cdef int word, count = 0
    cdef uint64_t bits
    for word in range(16):
        bits = pos.state.threats[side][word]
        while bits:
            points[count] = word * 64 + fk_ctz64(bits)
            count += 1
            bits &= bits - 1
    return count


cdef int position_check(fk_position *pos, fk_position *scratch) noexcept nogil:
    """1 shapes or scores of a cell, 2 counts, 3 value, 4 threats, 5 near points, 6 views of the network."""
    cdef int point, side, number
    position_set(scratch, &pos.board, pos.rule)
    for point in range(FK_CELLS):
        if pos.board.cells[point] == FK_EMPTY and memcmp(&pos.cells[point], &scratch.cells[point], sizeof(fk_cell)):
            return 1
    for side in range(2):
        for number in range(FK_POINT_CLASSES):
            if pos.state.count[side][number] != scratch.state.count[side][number]:
                return 2
    if memcmp(pos.state.value, scratch.state.value, sizeof(pos.state.value)):
        return 3
    if memcmp(pos.state.threats, scratch.state.threats, sizeof(pos.state.threats)):
        return 4
    if memcmp(pos.state.near_points, scratch.state.near_points, sizeof(pos.state.near_points)):
        return 5
    fk_views_update(pos)
    return 6 if memcmp(&pos.state.views, &scratch.state.views, sizeof(fk_views)) else 0
