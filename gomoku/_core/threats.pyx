"""Wins by continuous fours, and exact defence. See threats.pxd for the interface and what the results mean.

The solver is a depth-first search over the attacker's fours with the transposition table as memory: failures are kept
with the plies they hold for, wins with their length and first move.
"""

from libc.string cimport memset

from gomoku._core.position cimport (
    find_class,
    free_class,
    is_allowed,
    list_threats,
    position_class,
    side_to_move,
)
from gomoku._core.types cimport (
    FK_BOUND_EXACT,
    FK_DIRECTIONS,
    FK_EMPTY,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    fk_class_of,
    fk_line_number,
    fk_line_place,
    fk_line_step,
    fk_rule,
    fk_state,
    fk_tt_data,
    fk_tt_probe,
    fk_tt_store,
    fk_window_key,
    uint16_t,
    uint64_t,
)

cdef enum:
    CARO = 8  # rule numbers from here on let a stone at a five's end spoil it

# Keys of solver results, apart from those of the main search.
cdef uint64_t VCF_SALT = 0x5643465F73616C74u


cdef void solver_set(fk_solver *self, fk_position *pos, fk_tt *tt, fk_stop *stop, int64_t node_limit,
                     bint need_line) noexcept nogil:
    self.pos = pos
    self.tt = tt
    self.stop = stop
    self.nodes = 0
    self.node_limit = node_limit
    self.aborted = False
    self.partial = False
    self.need_line = need_line
    self.zone = NULL
    self.weakest = FK_POINT_FOUR
    self.ply = 0
    self.length[0] = 0


cdef int win_now(fk_solver *self, int five) noexcept nogil:
    self.length[self.ply + 1] = 0
    set_line(self, five)
    if self.zone:
        mark(self.zone, five)
    return 1


cdef int win_by(fk_solver *self, int move) noexcept nogil:
    cdef int side = side_to_move(self.pos), block
    if self.zone:
        mark_four(self, move)
    down(self, move)
    block = find_class(self.pos, side, FK_POINT_FIVE)
    if self.zone:
        mark_fives(self.zone, self.pos, side)
    if not is_allowed(self.pos, block, 1 - side):
        block = other_point(self.pos, &block, 1)  # black may not answer: any other stone
    if block:
        down(self, block)
        if self.pos.state.count[side][FK_POINT_FIVE]:
            win_now(self, find_class(self.pos, side, FK_POINT_FIVE))
        up(self)
        set_line(self, block)
    up(self)
    set_line(self, move)
    return 3


# --- What a win by fours hangs on ---

cdef inline void mark(fk_zone *zone, int point) noexcept nogil:
    zone.points[point >> 6] |= <uint64_t>1 << (point & 63)


cdef void mark_fives(fk_zone *zone, const fk_position *pos, int side) noexcept nogil:
    """The fives of a side whose four has just been played: two of them, or one that black may not stop."""
    cdef int points[484]
    cdef int number
    cdef int count = list_targets(pos, side, FK_POINT_FIVE, points)
    for number in range(count):
        mark(zone, points[number])
    if count == 1:
        zone.wide = True


cdef void mark_four(fk_solver *self, int move) noexcept nogil:
    """A four about to be played, and the points where the other side could make one by then."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), other = 1 - side
    cdef int points[484]
    cdef int number, count = list_threats(pos, other, points)
    mark(self.zone, move)
    if pos.cells[move].point_class[side] == FK_POINT_FORBIDDEN:
        self.zone.wide = True
    for number in range(count):
        if free_class(pos, points[number], other) >= FK_POINT_FOUR:
            mark(self.zone, points[number])


# --- Victory by continuous fours ---

cdef bint has_fours(const fk_state *state, int side) noexcept nogil:
    return state.count[side][FK_POINT_FOUR] > 0 or has_double_threats(state, side)


cdef bint has_double_threats(const fk_state *state, int side) noexcept nogil:
    cdef const uint16_t *count = state.count[side]
    return (count[FK_POINT_FOUR_PLUS] + count[FK_POINT_FOUR_THREE] + count[FK_POINT_FORBIDDEN]
            + count[FK_POINT_OPEN_FOUR]) > 0


cdef int list_attacks(fk_position *pos, int side, int weakest, int *moves) noexcept nogil:
    cdef int count = list_threats(pos, side, moves)
    cdef int kept = 0, number, point_class, place, score
    cdef int scores[484]
    for number in range(count):
        point_class = position_class(pos, moves[number], side)
        if point_class < weakest:
            continue
        score = point_class * 4096 + pos.cells[moves[number]].score[side]
        place = kept
        kept += 1
        moves[kept - 1] = moves[number]
        while place > 0 and scores[place - 1] < score:
            scores[place] = scores[place - 1]
            moves[place], moves[place - 1] = moves[place - 1], moves[place]
            place -= 1
        scores[place] = score
    return kept


cdef bint recall(fk_solver *self, int plies, int *result, int *move) noexcept nogil:
    """Look the position up; true if `result` is known for this many plies."""
    cdef fk_tt_data data
    result[0] = 0
    move[0] = 0
    if self.tt == NULL or not fk_tt_probe(self.tt, self.pos.board.key ^ VCF_SALT ^ self.weakest, &data):
        return False
    move[0] = data.move
    if data.value == 0:
        return data.depth >= plies
    if data.value <= plies and not self.need_line:
        result[0] = data.value
        return True
    return False


cdef inline void remember(fk_solver *self, int plies, int result, int move) noexcept nogil:
    cdef fk_tt_data data
    if self.tt == NULL or (self.aborted and result == 0):
        return
    data.value = result
    data.eval = 0
    data.move = move
    data.pv = 0
    data.bound = FK_BOUND_EXACT  # so that the table keeps the last result, not the deepest
    data.depth = plies
    fk_tt_store(self.tt, self.pos.board.key ^ VCF_SALT ^ self.weakest, &data)


cdef int solve_vcf(fk_solver *self, int plies) noexcept nogil:
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), other = 1 - side
    cdef const fk_state *state = pos.state
    cdef int moves[484]
    cdef int count, number, result = 0, known_move = 0
    cdef bint forced = state.count[other][FK_POINT_FIVE] > 0
    if state.count[side][FK_POINT_FIVE]:
        return win_now(self, find_class(pos, side, FK_POINT_FIVE))
    if plies < 3 or not has_fours(state, side):
        return 0
    if not forced and state.count[side][FK_POINT_OPEN_FOUR]:
        return win_by(self, find_class(pos, side, FK_POINT_OPEN_FOUR))
    if plies < 5 and not forced and state.count[0][FK_POINT_FORBIDDEN] == 0 and pos.rule.rule < CARO:
        return 0  # without forbidden points three plies need an open four
    if out_of_budget(self) or recall(self, plies, &result, &known_move):
        return result
    if forced:
        count = keep_class(pos, side, FK_POINT_FOUR, moves, list_answers(pos, moves))
    else:
        count = list_attacks(pos, side, self.weakest, moves)
        move_to_front(moves, count, known_move)
    for number in range(count):
        result = vcf_by(self, moves[number], plies)
        if result:
            remember(self, plies, result, moves[number])
            return result
        if self.aborted:
            return 0
    remember(self, plies, 0, 0)
    return 0


cdef void move_to_front(int *moves, int count, int move) noexcept nogil:
    cdef int number, place
    for number in range(count):
        if moves[number] == move:
            for place in range(number, 0, -1):
                moves[place] = moves[place - 1]
            moves[0] = move
            return


cdef int keep_class(fk_position *pos, int side, int weakest, int *moves, int count) noexcept nogil:
    cdef int number, kept = 0
    for number in range(count):
        if position_class(pos, moves[number], side) >= weakest:
            moves[kept] = moves[number]
            kept += 1
    return kept


cdef int vcf_by(fk_solver *self, int move, int plies) noexcept nogil:
    """The win that starts with this four, against every answer to it."""
    cdef int answers[484]
    cdef int count, number, result, longest = 0
    down(self, move)
    if self.pos.state.count[1 - side_to_move(self.pos)][FK_POINT_FIVE] == 0:
        up(self)  # not a four after all: the class was that of a forbidden point's other lines
        return 0
    count = list_answers(self.pos, answers)
    if count == 0:
        up(self)
        return win_by(self, move)
    for number in range(count):
        down(self, answers[number])
        result = solve_vcf(self, plies if plies == UNLIMITED else plies - 2)
        up(self)
        if result == 0:
            up(self)
            return 0
        if result > longest:
            longest = result
            set_line(self, answers[number])
    up(self)
    set_line(self, move)
    if self.zone:
        mark(self.zone, answers[0])
        mark_four(self, move)
    return longest + 2


cdef int solve_vcf_zone(fk_solver *self, fk_zone *zone) noexcept nogil:
    cdef bint need_line = self.need_line
    cdef int result
    memset(zone, 0, sizeof(fk_zone))
    self.zone = zone
    self.need_line = True  # wins that are only remembered mark nothing
    result = solve_vcf(self, UNLIMITED)
    self.need_line = need_line
    self.zone = NULL
    return result


cdef int solve_vcf_shortest(fk_solver *self, int plies) noexcept nogil:
    """Any win first: often there is none at all, and one search says so."""
    cdef int result = solve_vcf(self, plies), limit, shorter
    for limit in range(1, result - 1, 2):
        shorter = solve_vcf(self, limit)
        if shorter or self.aborted:
            return shorter or result
    return result


cdef int other_point(const fk_position *pos, const int *moves, int count) noexcept nogil:
    cdef int point, number
    cdef uint64_t word
    for point in range(1024):
        word = pos.state.threats[0][point >> 6] | pos.state.threats[1][point >> 6]
        if pos.board.cells[point] == FK_EMPTY and not word >> (point & 63) & 1:
            for number in range(count):
                if moves[number] == point:
                    break
            else:
                return point
    return FK_NO_POINT


# --- Exact defence ---

cdef inline bint defuses(const fk_position *pos, int direction, int offset, int target, int side,
                         int point_class) noexcept nogil:
    """Whether a stone of the side to move, `offset` points from `target`, takes that class from `target`."""
    cdef const fk_rule *rule = pos.rule
    cdef int place = fk_line_place(direction, target)
    cdef uint64_t line = pos.board.lines[direction][fk_line_number(direction, target)]
    cdef uint16_t shapes = pos.cells[target].shapes[side]
    cdef int shape
    line |= <uint64_t>pos.board.to_move << (2 * (place + offset))
    shape = rule.shapes[fk_window_key(line, place, rule.half, rule.lo_mask, rule.hi_mask)] >> (4 * side) & 15
    shapes = (shapes & ~(15 << (4 * direction))) | shape << (4 * direction)
    return fk_class_of(rule, side, shapes) != point_class


cdef int offset_on_line(int direction, int origin, int point, int reach) noexcept nogil:
    """Steps from `origin` to `point` along a direction, 0 if it is not within reach on that line."""
    cdef int number
    cdef int step = fk_line_step(direction)
    for number in range(1, reach + 1):
        if origin + number * step == point:
            return number
        if origin - number * step == point:
            return -number
    return 0


cdef int list_targets(const fk_position *pos, int side, int point_class, int *targets) noexcept nogil:
    """All empty points of a class."""
    cdef int number, kept = 0
    cdef int count = list_threats(pos, side, targets)
    for number in range(count):
        if pos.cells[targets[number]].point_class[side] == point_class:
            targets[kept] = targets[number]
            kept += 1
    return kept


cdef int list_stoppers(fk_position *pos, int point_class, int *moves) noexcept nogil:
    cdef int side = side_to_move(pos), attacker = 1 - side
    cdef int targets[484]
    cdef int direction, offset, point, count = 0
    cdef int target_count = list_targets(pos, attacker, point_class, targets)
    # A stone that takes the class from the first target stands on it or on a line through it.
    if answers_all(pos, targets[0], targets, target_count, attacker, point_class) and is_allowed(pos, targets[0], side):
        moves[count] = targets[0]
        count += 1
    for direction in range(FK_DIRECTIONS):
        for offset in range(-pos.rule.half, pos.rule.half + 1):
            point = targets[0] + offset * fk_line_step(direction)
            if (offset != 0 and pos.board.cells[point] == FK_EMPTY
                    and answers_all(pos, point, targets, target_count, attacker, point_class)
                    and is_allowed(pos, point, side)):
                moves[count] = point
                count += 1
    return count


cdef bint answers_all(const fk_position *pos, int point, const int *targets, int count, int attacker,
                      int point_class) noexcept nogil:
    cdef int number, direction, offset
    for number in range(count):
        if targets[number] == point:
            continue
        for direction in range(FK_DIRECTIONS):
            offset = offset_on_line(direction, targets[number], point, pos.rule.half)
            if offset:
                break
        if offset == 0 or not defuses(pos, direction, offset, targets[number], attacker, point_class):
            return False
    return True


cdef int list_answers(fk_position *pos, int *moves) noexcept nogil:
    cdef int side = side_to_move(pos), attacker = 1 - side
    if pos.rule.rule >= CARO:
        return list_stoppers(pos, FK_POINT_FIVE, moves)
    moves[0] = find_class(pos, attacker, FK_POINT_FIVE)
    return 1 if pos.state.count[attacker][FK_POINT_FIVE] == 1 and is_allowed(pos, moves[0], side) else 0


cdef int list_defences(fk_position *pos, int *moves) noexcept nogil:
    cdef int side = side_to_move(pos)
    cdef int fours[484]
    cdef int number, place, count = list_stoppers(pos, FK_POINT_OPEN_FOUR, moves)
    cdef int four_count = keep_class(pos, side, FK_POINT_FOUR, fours, list_threats(pos, side, fours))
    for number in range(four_count):
        for place in range(count):
            if moves[place] == fours[number]:
                break
        else:
            moves[count] = fours[number]
            count += 1
    return count
