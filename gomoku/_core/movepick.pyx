"""The moves of a node, best first. See movepick.pxd for the interface."""

from gomoku._core.position cimport is_allowed, list_allowed, side_to_move
from gomoku._core.threats cimport list_answers, list_defences
from gomoku._core.types cimport (
    FK_EMPTY,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_OPEN_FOUR,
)

# Bonuses in units of the cells' move scores; guesses.
cdef enum:
    HASH_BONUS = 1 << 20
    KILLER_BONUS = 60
    COUNTER_BONUS = 40
    HISTORY_SHARE = 64  # history is divided by this


cdef void picker_set(fk_picker *self, fk_position *pos, const fk_history *history, int hash_move,
                     int killer, int second_killer) noexcept nogil:
    cdef int side = side_to_move(pos)
    if pos.state.count[1 - side][FK_POINT_FIVE]:
        self.kind = PICK_ANSWERS
        self.count = list_answers(pos, self.moves)
    elif pos.state.count[1 - side][FK_POINT_OPEN_FOUR]:
        self.kind = PICK_DEFENCES
        self.count = list_defences(pos, self.moves)
    else:
        self.kind = PICK_ALL
        self.count = list_near(pos, side, self.moves)
    score_moves(self, pos, history, hash_move, killer, second_killer)


cdef void picker_all(fk_picker *self, fk_position *pos, const fk_history *history) noexcept nogil:
    self.kind = PICK_ALL
    self.count = list_near(pos, side_to_move(pos), self.moves)
    score_moves(self, pos, history, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)


cdef void score_moves(fk_picker *self, fk_position *pos, const fk_history *history, int hash_move,
                      int killer, int second_killer) noexcept nogil:
    cdef int side = side_to_move(pos), number, move, counter
    self.next = 0
    counter = history.counter[side][pos.board.moves[pos.board.ply - 1]] if pos.board.ply else FK_NO_POINT
    for number in range(self.count):
        move = self.moves[number]
        self.scores[number] = (pos.cells[move].score[side] + history.cutoffs[side][move] // HISTORY_SHARE
                               + (KILLER_BONUS if move == killer or move == second_killer else 0)
                               + (COUNTER_BONUS if move == counter else 0)
                               + (HASH_BONUS if move == hash_move else 0))


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
