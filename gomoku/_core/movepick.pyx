"""The moves of a node, best first. See movepick.pxd for the interface."""

from gomoku._core.position cimport is_allowed, list_allowed, side_to_move
from gomoku._core.threats cimport list_answers, list_defences
from gomoku._core.types cimport (
    FK_EMPTY,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_OPEN_FOUR,
    fk_constants,
)

cdef enum:
    HASH_SCORE = 1 << 20  # beyond every sum of the others


cdef void picker_set(fk_picker *self, fk_position *pos, const fk_history *history, const fk_constants *constants,
                     int hash_move, int killer, int second_killer) noexcept nogil:
    cdef int side = side_to_move(pos)
    self.pos = pos
    self.history = history
    self.constants = constants
    self.hash_move = hash_move
    self.killer = killer
    self.second_killer = second_killer
    self.count = self.next = 0
    self.waiting = False
    if pos.state.count[1 - side][FK_POINT_FIVE]:
        self.kind = PICK_ANSWERS
    elif pos.state.count[1 - side][FK_POINT_OPEN_FOUR]:
        self.kind = PICK_DEFENCES
    else:
        self.kind = PICK_ALL
        if hash_move != FK_NO_POINT and pos.board.cells[hash_move] == FK_EMPTY and is_allowed(pos, hash_move, side):
            self.moves[0] = hash_move
            self.scores[0] = 0
            self.count = 1
            self.waiting = True
    if not self.waiting:
        generate(self)


cdef void picker_all(fk_picker *self, fk_position *pos, const fk_history *history,
                     const fk_constants *constants) noexcept nogil:
    picker_set(self, pos, history, constants, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)
    if self.kind != PICK_ALL:
        self.kind = PICK_ALL
        generate(self)


cdef void generate(fk_picker *self) noexcept nogil:
    """List the moves, but for the hash move if it has been picked, and score them."""
    cdef fk_position *pos = self.pos
    cdef const fk_constants *constants = self.constants
    cdef int side = side_to_move(pos), number, move, counter, kept = 0, score
    if self.kind == PICK_ANSWERS:
        self.count = list_answers(pos, self.moves)
    elif self.kind == PICK_DEFENCES:
        self.count = list_defences(pos, self.moves)
    else:
        self.count = list_near(pos, side, self.moves)
    counter = self.history.counter[side][pos.board.moves[pos.board.ply - 1]] if pos.board.ply else FK_NO_POINT
    for number in range(self.count):
        move = self.moves[number]
        score = (pos.cells[move].score[side]
                 + self.history.cutoffs[side][move] * constants.history_score // HISTORY_LIMIT)
        if move == self.killer or move == self.second_killer:
            score += constants.killer_score
        if move == counter:
            score += constants.counter_score
        if move == self.hash_move:
            if self.waiting:
                continue
            score += HASH_SCORE
        self.moves[kept] = move
        self.scores[kept] = score
        kept += 1
    self.count = kept
    self.next = 0
    self.waiting = False


cdef int list_near(fk_position *pos, int side, int *moves) noexcept nogil:
    """All points near a stone that the side may play; on an empty board the centre."""
    cdef int count = list_allowed(pos, pos.state.near_points, side, moves)
    return count if count else list_any(pos, side, moves)


cdef int list_any(fk_position *pos, int side, int *moves) noexcept nogil:
    """The allowed point nearest the centre; for boards without a stone or without a free point near one."""
    cdef int point, distance, best = 1 << 20, count = 0
    cdef int centre_x = 5 + pos.board.width // 2, centre_y = 5 + pos.board.height // 2
    for point in range(1024):
        if pos.board.cells[point] == FK_EMPTY and is_allowed(pos, point, side):
            distance = ((point & 31) - centre_x) ** 2 + ((point >> 5) - centre_y) ** 2
            if distance < best:
                best = distance
                moves[0] = point
                count = 1
    return count


cdef int picker_next(fk_picker *self) noexcept nogil:
    cdef int number, best, move, score
    if self.next >= self.count and self.waiting:
        generate(self)
    if self.next >= self.count:
        return FK_NO_POINT
    best = self.next
    for number in range(self.next + 1, self.count):
        if self.scores[number] > self.scores[best]:
            best = number
    move, score = self.moves[best], self.scores[best]
    self.moves[best], self.scores[best] = self.moves[self.next], self.scores[self.next]
    self.moves[self.next], self.scores[self.next] = move, score
    self.next += 1
    return move
