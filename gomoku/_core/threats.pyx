"""Threat solvers. See threats.pxd for the interface and what the results mean.

Both solvers are depth-first searches over the attacker's forcing moves with the transposition table as memory: failures
are kept with the plies they hold for, wins with their length and first move.
"""

from gomoku._core.position cimport (
    find_class,
    is_allowed,
    list_threats,
    position_class,
    position_pop,
    position_push,
    side_to_move,
)
from gomoku._core.types cimport (
    FK_BOUND_LOWER,
    FK_BOUND_UPPER,
    FK_DIRECTIONS,
    FK_EMPTY,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    fk_line_number,
    fk_line_place,
    fk_line_step,
    fk_rule,
    fk_state,
    fk_stop_due,
    fk_tt_data,
    fk_tt_probe,
    fk_tt_store,
    fk_window_key,
    uint16_t,
    uint64_t,
)

cdef enum:
    CARO = 8  # rule numbers from here on let a stone at a five's end spoil it

cdef enum:
    STOP_INTERVAL = 512  # nodes between looks at the stop flag

# Keys of solver results, apart from those of the main search.
cdef uint64_t VCF_SALT = 0x5643465F73616C74u
cdef uint64_t VCT_SALT = 0x5643545F73616C74u


cdef void solver_set(fk_solver *self, fk_position *pos, fk_tt *tt, fk_stop *stop, int64_t node_limit,
                     bint need_line) noexcept nogil:
    self.pos = pos
    self.tt = tt
    self.stop = stop
    self.nodes = 0
    self.node_limit = node_limit
    self.aborted = False
    self.need_line = need_line
    self.ply = 0
    self.length[0] = 0


cdef inline bint out_of_budget(fk_solver *self) noexcept nogil:
    self.nodes += 1
    if self.nodes >= self.node_limit or (self.nodes % STOP_INTERVAL == 0 and fk_stop_due(self.stop)):
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


cdef inline void set_line(fk_solver *self, int move) noexcept nogil:
    """The line from this ply on is `move` and then the line of the next ply."""
    cdef int ply = self.ply, number
    self.line[ply][0] = move
    for number in range(self.length[ply + 1]):
        self.line[ply][number + 1] = self.line[ply + 1][number]
    self.length[ply] = self.length[ply + 1] + 1


cdef inline int win_now(fk_solver *self, int five) noexcept nogil:
    self.length[self.ply + 1] = 0
    set_line(self, five)
    return 1


cdef int win_by(fk_solver *self, int move) noexcept nogil:
    """Play a move after which a five cannot be prevented, and note a line to the five. Returns 3."""
    cdef int side = side_to_move(self.pos), block
    down(self, move)
    block = find_class(self.pos, side, FK_POINT_FIVE)
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


cdef inline bint has_fours(const fk_state *state, int side) noexcept nogil:
    """Whether the side has any point that could be a four. Black's forbidden ones may turn out not to be forbidden."""
    cdef const uint16_t *count = state.count[side]
    return (count[FK_POINT_FOUR] + count[FK_POINT_FOUR_PLUS] + count[FK_POINT_FOUR_THREE]
            + count[FK_POINT_FORBIDDEN] + count[FK_POINT_OPEN_FOUR]) > 0


cdef int list_attacks(fk_position *pos, int side, int weakest, int *moves) noexcept nogil:
    """Points of class `weakest` or better for the side to move, strongest first."""
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


cdef bint recall(fk_solver *self, uint64_t salt, int plies, int *result, int *move) noexcept nogil:
    """Look the position up; true if `result` is known for this many plies."""
    cdef fk_tt_data data
    result[0] = 0
    move[0] = 0
    if self.tt == NULL or not fk_tt_probe(self.tt, self.pos.board.key ^ salt, &data):
        return False
    move[0] = data.move
    if data.bound == FK_BOUND_UPPER:
        return data.depth >= plies
    if data.value <= plies and not self.need_line:
        result[0] = data.value
        return True
    return False


cdef inline void remember(fk_solver *self, uint64_t salt, int plies, int result, int move) noexcept nogil:
    cdef fk_tt_data data
    if self.tt == NULL or (self.aborted and result == 0):
        return
    data.value = result
    data.eval = 0
    data.move = move
    data.pv = 0
    data.bound = FK_BOUND_LOWER if result else FK_BOUND_UPPER
    data.depth = plies
    fk_tt_store(self.tt, self.pos.board.key ^ salt, &data)


# --- Victory by continuous fours ---

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
    if out_of_budget(self) or recall(self, VCF_SALT, plies, &result, &known_move):
        return result
    if forced:
        count = keep_class(pos, side, FK_POINT_FOUR, moves, list_answers(pos, moves))
    else:
        count = list_attacks(pos, side, FK_POINT_FOUR, moves)
    for number in range(count):
        result = vcf_by(self, moves[number], plies)
        if result:
            remember(self, VCF_SALT, plies, result, moves[number])
            return result
        if self.aborted:
            return 0
    remember(self, VCF_SALT, plies, 0, 0)
    return 0


cdef int keep_class(fk_position *pos, int side, int weakest, int *moves, int count) noexcept nogil:
    """Drop the moves of a class below `weakest`; returns how many stay."""
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
        result = solve_vcf(self, plies - 2)
        up(self)
        if result == 0:
            up(self)
            return 0
        if result > longest:
            longest = result
            set_line(self, answers[number])
    up(self)
    set_line(self, move)
    return longest + 2


# --- Victory by continuous threats ---

cdef int solve_vct(fk_solver *self, int plies) noexcept nogil:
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), other = 1 - side
    cdef const fk_state *state = pos.state
    cdef int moves[484]
    cdef int count, number, result, reply, known_move, weakest = FK_POINT_OPEN_THREE
    cdef bint forced = state.count[other][FK_POINT_FIVE] > 0
    result = solve_vcf(self, plies)
    if result or plies < 5 or self.aborted:
        return result
    if out_of_budget(self) or recall(self, VCT_SALT, plies, &result, &known_move):
        return result
    if state.count[other][FK_POINT_OPEN_FOUR]:
        weakest = FK_POINT_FOUR  # a mere three would let the other side make its open four
    if forced:
        count = list_answers(pos, moves)  # an older threat may still stand, so any answer may go on
    else:
        count = list_attacks(pos, side, weakest, moves)
        move_to_front(moves, count, known_move)
    for number in range(count):
        down(self, moves[number])
        reply = defend(self, plies - 1)
        up(self)
        if self.aborted:
            return 0
        if reply:
            set_line(self, moves[number])
            remember(self, VCT_SALT, plies, reply + 1, moves[number])
            return reply + 1
    remember(self, VCT_SALT, plies, 0, 0)
    return 0


cdef void move_to_front(int *moves, int count, int move) noexcept nogil:
    cdef int number, place
    for number in range(count):
        if moves[number] == move:
            for place in range(number, 0, -1):
                moves[place] = moves[place - 1]
            moves[0] = move
            return


cdef int defend(fk_solver *self, int plies) noexcept nogil:
    """Plies to the attacker's five against the longest defence, the defender to move; 0 if the defender escapes."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), attacker = 1 - side
    cdef const fk_state *state = pos.state
    cdef int moves[484]
    cdef int count, number, result, longest = 0
    if state.count[side][FK_POINT_FIVE] or plies < 2:
        return 0
    if state.count[attacker][FK_POINT_FIVE]:
        count = list_answers(pos, moves)
        if count == 0:
            lose_line(self, find_class(pos, attacker, FK_POINT_FIVE))
            return 2
    else:
        if plies < 4 or state.count[attacker][FK_POINT_OPEN_FOUR] == 0 or state.count[side][FK_POINT_OPEN_FOUR]:
            return 0
        count = list_defences(pos, moves)
        # Whatever else the defender plays, the open four comes next.
        longest = 4
        lose_line(self, other_point(pos, moves, count))
    for number in range(count):
        down(self, moves[number])
        result = solve_vct(self, plies - 1)
        up(self)
        if result == 0:
            return 0
        if result + 1 > longest:
            longest = result + 1
            set_line(self, moves[number])
    return longest


cdef void lose_line(fk_solver *self, int move) noexcept nogil:
    """Note a hopeless defence and how it loses."""
    cdef int attacker = 1 - side_to_move(self.pos)
    down(self, move)
    if self.pos.state.count[attacker][FK_POINT_FIVE]:
        win_now(self, find_class(self.pos, attacker, FK_POINT_FIVE))
    elif self.pos.state.count[attacker][FK_POINT_OPEN_FOUR]:
        win_by(self, find_class(self.pos, attacker, FK_POINT_OPEN_FOUR))
    up(self)
    set_line(self, move)


cdef int other_point(const fk_position *pos, const int *moves, int count) noexcept nogil:
    """An empty point that is none of the moves and no point of `threats`, for the line of a hopeless defence."""
    cdef int point, number
    for point in range(1024):
        if pos.board.cells[point] == FK_EMPTY and not (pos.threats[0][point >> 6] | pos.threats[1][point >> 6]) >> (
                point & 63) & 1:
            for number in range(count):
                if moves[number] == point:
                    break
            else:
                return point
    return find_class(pos, 1 - side_to_move(pos), FK_POINT_OPEN_FOUR)


cdef int solve_shortest(fk_solver *self, bint fours_only, int plies) noexcept nogil:
    cdef int limit, result
    for limit in range(1, plies + 1, 2):
        result = solve_vcf(self, limit) if fours_only else solve_vct(self, limit)
        if result or self.aborted:
            return result
    return 0


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
    return rule.info[side][rule.codes[shapes]].point_class != point_class


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
    """Allowed moves that leave the other side no point of a class that it now has."""
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
