"""The search's state. See position.pxd for the interface."""

from libc.string cimport memcmp, memcpy, memset

from gomoku._core.board cimport board_foul, board_place, board_unplace, point_at, zobrist_white_to_move
from gomoku._core.types cimport (
    FK_CELLS,
    FK_DIRECTIONS,
    FK_NO_POINT,
    FK_POINT_CLASSES,
    fk_code_info,
    fk_ctz64,
    fk_line_number,
    fk_line_place,
    fk_line_step,
    fk_state,
    fk_window_key,
    uint8_t,
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


cdef inline void toggle_threat(fk_position *pos, int side, int point) noexcept nogil:
    pos.threats[side][point >> 6] ^= <uint64_t>1 << (point & 63)


cdef inline void weigh(const fk_rule *rule, fk_cell *cell) noexcept nogil:
    """Set all of a cell that follows from its shapes."""
    cdef const fk_code_info *black = &rule.info[0][rule.codes[cell.shapes[0]]]
    cdef const fk_code_info *white = &rule.info[1][rule.codes[cell.shapes[1]]]
    cell.point_class[0] = black.point_class
    cell.point_class[1] = white.point_class
    cell.value[0] = black.own - white.other
    cell.value[1] = white.own - black.other
    cell.score[0] = black.attack + white.defend
    cell.score[1] = white.attack + black.defend


cdef inline void count_cell(fk_position *pos, fk_state *state, int point, int sign) noexcept nogil:
    """Add a cell to the sums (`sign` 1) or take it out (-1)."""
    cdef fk_cell *cell = &pos.cells[point]
    cdef int side
    for side in range(2):
        state.value[side] += sign * cell.value[side]
        state.count[side][cell.point_class[side]] += sign
        if is_threat(cell.point_class[side]):
            toggle_threat(pos, side, point)


cdef void position_set(fk_position *pos, const fk_board *board, const fk_rule *rule) noexcept nogil:
    cdef int x, y, point, direction, ply, shapes
    cdef fk_cell *cell
    cdef fk_state *state = &pos.states[0]
    pos.board = board[0]
    pos.rule = rule
    pos.state = state
    memset(state, 0, sizeof(fk_state))
    memset(pos.cells, 0, sizeof(pos.cells))
    memset(pos.threats, 0, sizeof(pos.threats))
    for y in range(board.height):
        for x in range(board.width):
            point = point_at(x, y)
            if board.cells[point] == FK_EMPTY:
                cell = &pos.cells[point]
                cell.point = point
                for direction in range(FK_DIRECTIONS):
                    shapes = board_shapes(board, rule, point, direction)
                    cell.shapes[0] |= (shapes & 15) << (4 * direction)
                    cell.shapes[1] |= (shapes >> 4) << (4 * direction)
                weigh(rule, cell)
                count_cell(pos, state, point, 1)
    for ply in range(board.ply):
        mark_near(state, board.moves[ply])


cdef inline void refresh(fk_position *pos, fk_state *state, int point, int shift, int shapes) noexcept nogil:
    """Give an empty point its new shapes on one line; remember the cell if that changes anything."""
    cdef fk_cell *cell = &pos.cells[point]
    cdef int change = ((cell.shapes[0] >> shift & 15) | (cell.shapes[1] >> shift & 15) << 4) ^ shapes
    cdef fk_cell *old
    cdef int side
    if change == 0:
        return
    old = &pos.undo[state.undo_end]
    state.undo_end += 1
    old[0] = cell[0]
    cell.shapes[0] ^= (change & 15) << shift
    cell.shapes[1] ^= (change >> 4) << shift
    weigh(pos.rule, cell)
    for side in range(2):
        state.value[side] += cell.value[side] - old.value[side]
        if cell.point_class[side] != old.point_class[side]:
            state.count[side][old.point_class[side]] -= 1
            state.count[side][cell.point_class[side]] += 1
            if is_threat(cell.point_class[side]) != is_threat(old.point_class[side]):
                toggle_threat(pos, side, point)


cdef void position_push(fk_position *pos, int point) noexcept nogil:
    cdef fk_state *state = pos.state + 1
    cdef const fk_rule *rule = pos.rule
    cdef int half = rule.half
    cdef uint32_t lo_mask = rule.lo_mask, hi_mask = rule.hi_mask
    cdef const uint8_t *shapes = rule.shapes
    cdef int direction, step, place, offset, other
    cdef uint64_t line
    memcpy(state, pos.state, sizeof(fk_state))
    pos.state = state
    count_cell(pos, state, point, -1)
    board_place(&pos.board, point)
    mark_near(state, point)
    for direction in range(FK_DIRECTIONS):
        line = pos.board.lines[direction][fk_line_number(direction, point)]
        place = fk_line_place(direction, point)
        step = fk_line_step(direction)
        for offset in range(-half, half + 1):
            other = point + offset * step
            if pos.board.cells[other] == FK_EMPTY:
                refresh(pos, state, other, 4 * direction,
                        shapes[fk_window_key(line, place + offset, half, lo_mask, hi_mask)])


cdef void position_pop(fk_position *pos) noexcept nogil:
    cdef fk_state *state = pos.state
    cdef int first = (state - 1).undo_end, number, side, point
    cdef fk_cell *cell
    cdef fk_cell *old
    for number in range(first, state.undo_end):
        old = &pos.undo[number]
        cell = &pos.cells[old.point]
        for side in range(2):
            if is_threat(cell.point_class[side]) != is_threat(old.point_class[side]):
                toggle_threat(pos, side, old.point)
        cell[0] = old[0]
    board_unplace(&pos.board)
    pos.state = state - 1
    point = pos.board.moves[pos.board.ply]
    for side in range(2):
        if is_threat(pos.cells[point].point_class[side]):
            toggle_threat(pos, side, point)


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
        bits = pos.threats[side][word]
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
        bits = pos.threats[side][word]
        while bits:
            points[count] = word * 64 + fk_ctz64(bits)
            count += 1
            bits &= bits - 1
    return count


cdef int position_check(const fk_position *pos, fk_position *scratch) noexcept nogil:
    """1 shapes or scores of a cell, 2 counts, 3 value, 4 threats, 5 near points."""
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
    if memcmp(pos.threats, scratch.threats, sizeof(pos.threats)):
        return 4
    return 5 if memcmp(pos.state.near_points, scratch.state.near_points, sizeof(pos.state.near_points)) else 0
