"""Alpha-beta search. See search.pxd for the interface and the meaning of scores."""

cimport cython
from libc.math cimport log
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku._core.board cimport Board, point_x, point_y
from gomoku._core.evaluate cimport evaluate, weighted_rule
from gomoku._core.movepick cimport HISTORY_LIMIT, PICK_ALL, PICK_ANSWERS, fk_picker, picker_all, picker_next, picker_set
from gomoku._core.position cimport (
    find_class,
    is_allowed,
    position_pass,
    position_pop,
    position_push,
    position_set,
    position_unpass,
    side_to_move,
)
from gomoku._core.threats cimport solve_shortest, solve_vcf, solver_set
from gomoku._core.types cimport (
    FK_BOUND_EXACT,
    FK_BOUND_LOWER,
    FK_BOUND_UPPER,
    FK_NEVER,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    fk_state,
    fk_stop_due,
    fk_stop_set,
    fk_stop_set_deadline,
    fk_tt_data,
    fk_tt_prefetch,
    fk_tt_probe,
    fk_tt_store,
    uint64_t,
)
from gomoku._core.verdict cimport verdict

from gomoku.types import Move

cdef enum:
    STOP_INTERVAL = 512      # nodes between looks at the stop flag and the clock
    LEAF_VCF_PLIES = 15      # length of the wins by fours that leaves look for
    LEAF_VCF_NODES = 400     # and the nodes one leaf may spend on it
    DROP_PLIES = 17          # length of the other side's wins that root moves are checked for

# Margins of the pruning rules, in score units a ply; guesses.
cdef enum:
    FUTILITY_MARGIN = 70
    RAZOR_MARGIN = 140

cdef int reductions[64][64]  # [depth][move number], in plies
cdef int late_moves[2][64]   # [improving][depth]: moves of a node that are searched at all


cdef void fill_reductions() noexcept nogil:
    cdef int depth, number
    for depth in range(64):
        late_moves[1][depth] = <int>(4 + <double>depth ** 1.5)
        late_moves[0][depth] = <int>(3 + <double>depth ** 1.5 / 2)
    for depth in range(1, 64):
        for number in range(1, 64):
            reductions[depth][number] = <int>(0.5 + log(<double>depth) * log(<double>number) / 1.3)


fill_reductions()


cdef inline int to_table(int value, int ply) noexcept nogil:
    return value + ply if value >= MATE_BAND else value - ply if value <= -MATE_BAND else value


cdef inline int from_table(int value, int ply) noexcept nogil:
    return value - ply if value >= MATE_BAND else value + ply if value <= -MATE_BAND else value


cdef inline bint out_of_budget(fk_worker *w) noexcept nogil:
    w.nodes += 1
    if w.nodes >= w.next_check:  # the solvers add nodes in lumps, so a remainder would not do
        w.next_check = w.nodes + STOP_INTERVAL
        if fk_stop_due(w.stop):
            w.aborted = True
    if w.nodes >= w.node_limit:
        w.aborted = True
    return w.aborted


cdef inline int static_result(const fk_position *pos, int ply) noexcept nogil:
    """A won or lost score if the threats on the board alone decide, else 0."""
    cdef int plies = verdict(pos)
    return MATE - ply - plies if plies > 0 else -MATE + ply - plies if plies else 0


cdef int win_by_fours(fk_worker *w, int ply) noexcept nogil:
    """The value of a win by continuous fours, 0 if a short look finds none."""
    cdef int plies
    solver_set(w.solver, w.pos, w.tt, w.stop, LEAF_VCF_NODES, False)
    plies = solve_vcf(w.solver, LEAF_VCF_PLIES)
    w.nodes += w.solver.nodes
    return MATE - ply - plies if plies else 0


cdef int leaf(fk_worker *w, int ply, int beta) noexcept nogil:
    """The value of a node at the horizon: the evaluation, or a win by continuous fours if that is not enough."""
    cdef int eval = evaluate(w.pos.rule, w.pos.state, side_to_move(w.pos)), value
    if eval >= beta:
        return eval
    value = win_by_fours(w, ply)
    return value if value else eval


cdef inline void update_pv(fk_worker *w, int ply, int move) noexcept nogil:
    cdef int number
    w.pv[ply][0] = move
    for number in range(w.pv_length[ply + 1]):
        w.pv[ply][number + 1] = w.pv[ply + 1][number]
    w.pv_length[ply] = w.pv_length[ply + 1] + 1


cdef inline void raise_history(fk_worker *w, int side, int move, int bonus) noexcept nogil:
    cdef int old = w.history.quiet[side][move]
    w.history.quiet[side][move] = old + bonus - old * (bonus if bonus > 0 else -bonus) // HISTORY_LIMIT


cdef void reward(fk_worker *w, int side, int ply, int best, int depth, const int *tried, int count) noexcept nogil:
    """A quiet move cut off: remember it, and that the moves before it did not."""
    cdef fk_position *pos = w.pos
    cdef int bonus = min(depth * depth * 16, 1600), number
    if w.killers[ply][0] != best:
        w.killers[ply][1] = w.killers[ply][0]
        w.killers[ply][0] = best
    if pos.board.ply:
        w.history.counter[side][pos.board.moves[pos.board.ply - 1]] = best
    raise_history(w, side, best, bonus)
    for number in range(count):
        if tried[number] != best:
            raise_history(w, side, tried[number], -bonus)


cdef int search(fk_worker *w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """Value of the node within alpha and beta (fail-soft); 0 without meaning once `w.aborted` is set."""
    cdef fk_position *pos = w.pos
    cdef int side = side_to_move(pos), other = 1 - side
    cdef const fk_state *state = pos.state
    cdef bint pv_node = beta - alpha > 1
    cdef bint answer = state.count[other][FK_POINT_FIVE] > 0
    cdef bint improving, quiet, known
    cdef int best = -INFINITE, best_move = FK_NO_POINT, first_alpha = alpha
    cdef int value, move, number = 0, reduction, eval, new_depth, quiet_count = 0, hash_move = FK_NO_POINT
    cdef int quiets[64]
    cdef uint64_t key = pos.board.key
    cdef fk_tt_data entry
    cdef fk_picker picker

    w.pv_length[ply] = 0
    if out_of_budget(w):
        return 0
    if ply > w.seldepth:
        w.seldepth = ply

    # Step 1. Results that need no search: full board, threats that decide.
    if pos.board.empty == 0:
        return 0
    value = static_result(pos, ply)
    if value:
        return value
    if ply >= MAX_PLY - 1:
        return evaluate(pos.rule, state, side)

    # Step 2. Mate distance: no line from here can be better than a shorter one already found.
    alpha = max(alpha, -MATE + ply + 2)
    beta = min(beta, MATE - ply - 3)
    if alpha >= beta:
        return alpha

    # Step 3. Transposition table.
    known = fk_tt_probe(w.tt, key, &entry)
    if known:
        hash_move = entry.move
        value = from_table(entry.value, ply)
        if not pv_node and entry.depth >= depth and (
                entry.bound == FK_BOUND_EXACT or entry.bound == (FK_BOUND_LOWER if value >= beta else FK_BOUND_UPPER)):
            return value

    # Step 4. At the horizon; a threatened five is answered first, which costs no depth.
    if depth <= 0 and not answer:
        return leaf(w, ply, beta)

    # Step 5. Static evaluation.
    eval = entry.eval if known and not answer else evaluate(pos.rule, state, side)
    w.evals[ply] = eval
    improving = ply >= 2 and eval > w.evals[ply - 2]
    if known and not answer and -MATE_BAND < value < MATE_BAND and (
            entry.bound == FK_BOUND_EXACT or entry.bound == (FK_BOUND_LOWER if value > eval else FK_BOUND_UPPER)):
        eval = value
    w.killers[ply + 1][0] = w.killers[ply + 1][1] = FK_NO_POINT

    if not pv_node and not answer:
        # Step 6. Razoring: far below alpha near the horizon, only fours can help.
        if depth <= 3 and eval + RAZOR_MARGIN * depth < alpha and alpha < MATE_BAND:
            value = leaf(w, ply, beta)
            if w.aborted or value < alpha:
                return value
        # Step 7. Futility: far above beta near the horizon and nothing threatens.
        if (depth <= 7 and eval - FUTILITY_MARGIN * (depth - improving) >= beta and -MATE_BAND < beta < MATE_BAND
                and eval < MATE_BAND and state.count[other][FK_POINT_OPEN_FOUR] == 0
                and state.count[other][FK_POINT_FOUR_THREE] == 0):
            return eval

    # Step 8. Win by fours before any quiet move; leaves do it, and here it saves whole subtrees.
    if not answer and depth >= 2 and not known:
        value = win_by_fours(w, ply)
        if w.aborted:
            return 0
        if value:
            entry.value, entry.eval, entry.move = to_table(value, ply), w.evals[ply], FK_NO_POINT
            entry.bound, entry.pv, entry.depth = FK_BOUND_LOWER, pv_node, depth
            fk_tt_store(w.tt, key, &entry)
            return value

    # Step 9. Without a hash move a shallower search will find one.
    if hash_move == FK_NO_POINT and depth >= 4 and not answer:
        depth -= 1

    # Step 10. The moves.
    picker_set(&picker, pos, &w.history, hash_move, w.killers[ply][0], w.killers[ply][1])
    while True:
        move = picker_next(&picker)
        if move == FK_NO_POINT:
            break
        number += 1
        quiet = picker.kind == PICK_ALL and pos.cells[move].point_class[side] < FK_POINT_OPEN_THREE

        # Step 11. Late quiet moves of shallow nodes are not searched.
        if (not pv_node and quiet and best > -MATE_BAND
                and number > late_moves[improving][min(depth, 63)]):
            continue

        new_depth = depth if answer else depth - 1
        position_push(pos, move)
        fk_tt_prefetch(w.tt, pos.board.key)

        # Step 12. Late moves are searched less deep first, and with a null window.
        if number == 1:
            value = -search(w, -beta, -alpha, new_depth, ply + 1, False if pv_node else not cut_node)
        else:
            reduction = 0
            if depth >= 3 and picker.kind == PICK_ALL:
                reduction = reductions[min(depth, 63)][min(number, 63)]
                if not quiet:
                    reduction //= 2
                else:
                    reduction += cut_node
                    reduction -= w.history.quiet[side][move] // (HISTORY_LIMIT // 2)
                reduction -= pv_node
                reduction = max(0, min(reduction, new_depth - 1))
            value = -search(w, -alpha - 1, -alpha, new_depth - reduction, ply + 1, True)
            if value > alpha and reduction and not w.aborted:
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
            if pv_node and alpha < value < beta and not w.aborted:
                value = -search(w, -beta, -alpha, new_depth, ply + 1, False)
        position_pop(pos)
        if w.aborted:
            return 0

        # Step 13. Keep the best.
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                if pv_node:
                    update_pv(w, ply, move)
                alpha = value
                if value >= beta:
                    if quiet:
                        reward(w, side, ply, move, depth, quiets, quiet_count)
                    break
        if quiet and quiet_count < 64:
            quiets[quiet_count] = move
            quiet_count += 1

    # Step 14. No move at all: a five that cannot be answered, an open four that cannot be prevented, or (black in
    # renju) nothing allowed.
    if number == 0:
        return -MATE + ply + (2 if answer else 4) if picker.kind != PICK_ALL else 0

    # Step 15. Store the result.
    entry.value, entry.eval, entry.move, entry.depth = to_table(best, ply), w.evals[ply], best_move, depth
    entry.pv = pv_node
    entry.bound = FK_BOUND_LOWER if best >= beta else FK_BOUND_EXACT if best > first_alpha else FK_BOUND_UPPER
    fk_tt_store(w.tt, key, &entry)
    return best


cdef int search_root(fk_worker *w, int first, int alpha, int beta, int depth) noexcept nogil:
    """Search root moves `first`.. (those before it are taken by better lines) and put the best in front."""
    cdef fk_position *pos = w.pos
    cdef int number, value, reduction, best = -INFINITE, length, place
    cdef fk_root_move *root
    cdef fk_root_move found
    cdef int best_number = first
    for number in range(first, w.root_count):
        root = &w.root[number]
        position_push(pos, root.move)
        if number == first:
            value = -search(w, -beta, -alpha, depth - 1, 1, False)
        else:
            reduction = max(0, min(reductions[min(depth, 63)][min(number - first + 1, 63)] - 1, depth - 2))
            value = -search(w, -alpha - 1, -alpha, depth - 1 - reduction, 1, True)
            if value > alpha and reduction and not w.aborted:
                value = -search(w, -alpha - 1, -alpha, depth - 1, 1, True)
            if alpha < value < beta and not w.aborted:
                value = -search(w, -beta, -alpha, depth - 1, 1, False)
        position_pop(pos)
        if w.aborted:
            break
        root.score = value if value > alpha or number == first else -INFINITE
        if value > best:
            best = value
            if value > alpha or number == first:
                best_number = number
                root.pv[0] = root.move
                length = min(w.pv_length[1], 199)
                for place in range(length):
                    root.pv[place + 1] = w.pv[1][place]
                root.length = length + 1
            alpha = max(alpha, value)
            if value >= beta:
                break
    if best_number != first:
        found = w.root[best_number]
        for number in range(best_number, first, -1):
            w.root[number] = w.root[number - 1]
        w.root[first] = found
    return best


cdef void iterate_line(fk_worker *w, int line, int depth) noexcept nogil:
    """One iteration for the line of rank `line` (0 the best), with a window around its last score."""
    cdef int previous = w.root[line].previous, delta = 40 + abs(previous) // 8
    cdef int alpha = -INFINITE, beta = INFINITE, value
    if depth >= 5 and -MATE_BAND < previous < MATE_BAND:
        alpha, beta = previous - delta, previous + delta
    while True:
        value = search_root(w, line, alpha, beta, depth)
        if w.aborted:
            return
        if value <= alpha and alpha > -INFINITE:
            alpha = max(-INFINITE, alpha - delta)
        elif value >= beta and beta < INFINITE:
            beta = min(INFINITE, beta + delta)
        else:
            w.root[line].score = value
            return
        delta *= 3
        if delta > 2000:
            alpha, beta = -INFINITE, INFINITE


# --- Root moves and forced lines ---

cdef void set_root(fk_worker *w) noexcept nogil:
    """List the moves of the root. A lost position keeps the moves that put up most resistance."""
    cdef fk_position *pos = w.pos
    cdef int side = side_to_move(pos), number, move
    cdef fk_picker picker
    if pos.state.count[side][FK_POINT_FIVE]:
        picker.count = 1
        picker.next = 0
        picker.moves[0] = find_class(pos, side, FK_POINT_FIVE)
        picker.scores[0] = 0
    else:
        picker_set(&picker, pos, &w.history, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)
        if picker.count == 0 and picker.kind == PICK_ANSWERS:
            move = find_class(pos, 1 - side, FK_POINT_FIVE)
            if is_allowed(pos, move, side):
                picker.moves[0], picker.scores[0], picker.count = move, 0, 1
        if picker.count == 0:
            picker_all(&picker, pos, &w.history)
    w.root_count = picker.count
    for number in range(picker.count):
        w.root[number].move = picker_next(&picker)
        w.root[number].score = w.root[number].previous = 0
        w.root[number].length = 1
        w.root[number].pv[0] = w.root[number].move


cdef int drop_lost_moves(fk_worker *w, int64_t nodes) noexcept nogil:
    """Take root moves out after which the other side wins by threats; returns how many stay, at least one.

    The solvers see further than the first iterations. First it asks whether the other side would win if this one
    passed, since otherwise hardly any move can lose so; then every move is tried with a share of the nodes.
    """
    cdef fk_position *pos = w.pos
    cdef int number, kept = 0, result
    cdef int64_t share, left = 2 * nodes
    cdef fk_root_move moved
    if w.root_count < 2 or pos.state.count[1 - side_to_move(pos)][FK_POINT_FIVE]:
        return w.root_count
    position_pass(pos)
    solver_set(w.solver, pos, w.tt, w.stop, nodes, False)
    result = solve_shortest(w.solver, False, DROP_PLIES)
    position_unpass(pos)
    w.nodes += w.solver.nodes
    if result == 0:
        return w.root_count
    share = max(100, nodes * 2 // w.root_count)
    for number in range(w.root_count):
        if fk_stop_due(w.stop):
            return w.root_count  # not all moves were tried: keep them all
        result = 0
        if left > 0:
            position_push(pos, w.root[number].move)
            solver_set(w.solver, pos, w.tt, w.stop, min(share, left), False)
            result = solve_shortest(w.solver, False, DROP_PLIES)
            position_pop(pos)
            w.nodes += w.solver.nodes
            left -= w.solver.nodes
        if result:
            w.root[number].score = -MATE + result + 1
        else:
            moved = w.root[number]
            w.root[number] = w.root[kept]
            w.root[kept] = moved
            kept += 1
    if kept:
        w.root_count = kept
    return w.root_count


cdef int complete_line(fk_worker *w, int16_t *line, int length, int plies) noexcept nogil:
    """Extend the line of a proven result to the five, as far as the solvers find the moves; returns its length."""
    cdef fk_position *pos = w.pos
    cdef int number, move, result, start = length, side
    cdef fk_picker picker
    plies = min(plies, 199)
    for number in range(length):
        position_push(pos, line[number])
    while length < plies and pos.board.empty:
        side = side_to_move(pos)
        if (plies - length) % 2:
            solver_set(w.solver, pos, NULL, w.stop, 20000, True)
            result = solve_shortest(w.solver, True, plies - length)
            if result == 0:
                solver_set(w.solver, pos, w.tt, w.stop, 20000, True)
                result = solve_shortest(w.solver, False, plies - length)
            if result == 0:
                break
            for number in range(w.solver.length[0]):
                line[length + number] = w.solver.line[0][number]
            length += w.solver.length[0]
            # The moves after the first ones were not pushed; the line is complete.
            break
        picker_set(&picker, pos, &w.history, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)
        move = picker_next(&picker)
        if move == FK_NO_POINT or picker.kind == PICK_ALL:
            move = find_class(pos, 1 - side, FK_POINT_FIVE)
            if move == FK_NO_POINT:
                break
            if not is_allowed(pos, move, side):
                picker_all(&picker, pos, &w.history)  # black may not answer: any other move
                move = picker_next(&picker)
                if move == FK_NO_POINT:
                    break
        position_push(pos, move)
        line[length] = move
        length += 1
        start += 1
    while start:
        position_pop(pos)
        start -= 1
    return length


cdef int64_t or_never(limit) except? -1:
    """A limit as a C number; none and those beyond the numbers are no limit."""
    return FK_NEVER if limit is None else min(limit, FK_NEVER)


@cython.final
cdef class Searcher:
    """One search thread with its transposition table, driven iteration by iteration.

    Private: :class:`gomoku.engine.Engine` is the friendly face. The order of calls is ``set_position``, ``start``, then
    ``iterate`` for rising depths and ``lines``; the solvers need ``set_position`` and ``start`` only.

    Args:
        table_bytes: memory for the transposition table.
        leader: the searcher whose table to share instead, and whose position to take over with ``follow``. The clock
            and the node limit remain the leader's affair.

    Thread-safety: ``stop`` and ``set_deadline`` may be called from any thread at any time; a second thread that calls
    anything else while a search runs gets a ``RuntimeError``.
    """

    def __cinit__(self, table_bytes=0, Searcher leader=None):
        self.leader = leader
        self.table = Table(table_bytes) if leader is None else leader.table
        self.pos = <fk_position *>calloc(1, sizeof(fk_position))
        self.worker = <fk_worker *>calloc(1, sizeof(fk_worker))
        self.solver = <fk_solver *>calloc(1, sizeof(fk_solver))
        self.stop_flag = <fk_stop *>calloc(1, sizeof(fk_stop))
        if not (self.pos and self.worker and self.solver and self.stop_flag):
            raise MemoryError("no memory for a search thread")
        self.worker.pos = self.pos
        self.worker.solver = self.solver
        self.worker.stop = self.stop_flag
        self.worker.tt = &self.table.tt
        self.running = False
        self.ready = False

    def __dealloc__(self):
        free(self.pos)
        free(self.worker)
        free(self.solver)
        free(self.stop_flag)

    def _enter(self):
        if self.running:
            raise RuntimeError("this searcher is busy; use one searcher a thread")
        if not self.ready:
            raise RuntimeError("no position to search; call set_position first")
        self.running = True

    def set_position(self, Board board not None):
        """Take over a board; a finished game is searched as if it went on."""
        if self.running:
            raise RuntimeError("this searcher is busy; use one searcher a thread")
        position_set(self.pos, &board.board, weighted_rule(board.board.rule))
        self.ready = True

    def follow(self):
        """Begin a search of the leader's position without limits."""
        if self.running:
            raise RuntimeError("this searcher is busy; use one searcher a thread")
        cdef fk_worker *w = self.worker
        position_set(self.pos, &self.leader.pos.board, self.leader.pos.rule)
        self.ready = True
        fk_stop_set_deadline(self.stop_flag, FK_NEVER)
        w.node_limit = FK_NEVER
        w.nodes = w.next_check = 0
        w.seldepth = 0
        memset(w.killers, 0, sizeof(w.killers))

    def take_over_lines(self):
        """Make ready for an iteration over the leader's root moves in their present order."""
        cdef fk_worker *w = self.worker
        w.root_count = self.leader.worker.root_count
        memcpy(w.root, self.leader.worker.root, sizeof(w.root))
        w.aborted = False
        fk_stop_set(self.stop_flag, 0)

    def start(self, deadline_ns=None, node_limit=None):
        """Begin a search: reset counters, lower the stop flag, list the root moves.

        Args:
            deadline_ns: time of ``time.monotonic_ns`` at which to stop; none when left out.
            node_limit: nodes after which to stop; none when left out.

        Returns:
            Number of root moves.
        """
        cdef fk_worker *w = self.worker
        cdef int64_t deadline = or_never(deadline_ns)
        cdef int64_t nodes = or_never(node_limit)
        self._enter()
        fk_stop_set(self.stop_flag, 0)
        fk_stop_set_deadline(self.stop_flag, deadline)
        w.node_limit = nodes
        w.nodes = w.next_check = 0
        w.seldepth = 0
        w.aborted = False
        memset(w.killers, 0, sizeof(w.killers))
        self.table.new_search()
        set_root(w)
        self.running = False
        return w.root_count

    def iterate(self, int depth, int lines=1):
        """Search the root to a depth, the best `lines` moves with full windows.

        Returns:
            Whether the iteration was finished; if not, the lines hold what was found until then.
        """
        self._enter()
        cdef fk_worker *w = self.worker
        cdef int line, number
        try:
            with nogil:
                if w.pos.state.count[side_to_move(w.pos)][FK_POINT_FIVE]:
                    w.root[0].score = MATE - 1  # the only root move is a five; nothing comes after it
                    lines = 0
                for number in range(w.root_count):
                    w.root[number].previous = w.root[number].score
                for line in range(min(lines, w.root_count)):
                    iterate_line(w, line, depth)
                    if w.aborted:
                        break
                order_lines(w, min(lines, w.root_count))
        finally:
            self.running = False
        return not w.aborted

    def lines(self, int count=1):
        """Return the best root moves as ``(score, [Move, ...])``, best first.

        The line of a proven result is extended towards the five as far as the solvers find its moves quickly.
        """
        self._enter()
        cdef fk_worker *w = self.worker
        cdef int number, length
        cdef fk_root_move *root
        result = []
        try:
            for number in range(min(count, w.root_count)):
                root = &w.root[number]
                if root.score == -INFINITE:
                    break  # an unfinished first iteration has not come to this line
                length = root.length
                if abs(root.score) >= MATE_BAND:
                    with nogil:
                        length = complete_line(w, root.pv, length, MATE - abs(root.score))
                    root.length = length
                result.append((root.score, [self._move(root.pv[i]) for i in range(length)]))
        finally:
            self.running = False
        return result

    def drop_lost(self, long long nodes):
        """Take root moves out that lose to threats, as far as `nodes` allow; returns how many moves stay."""
        self._enter()
        cdef int count
        with nogil:
            count = drop_lost_moves(self.worker, nodes)
        self.running = False
        return count

    def solve(self, bint fours_only, int plies, nodes):
        """Look for the shortest win by continuous fours (VCF) or threats (VCT).

        Args:
            fours_only: VCF instead of VCT.
            plies: longest win to look for.
            nodes: nodes to spend at most.

        Returns:
            ``(plies, [Move, ...], finished)``: 0 and an empty list when no win was found; ``finished`` tells whether
            that proves that there is none within ``plies``.
        """
        cdef fk_solver *solver = self.solver
        cdef int result = 0, longest = min(plies, 199)
        cdef int64_t node_limit = or_never(nodes)
        self._enter()
        with nogil:
            solver_set(solver, self.pos, &self.table.tt, self.stop_flag, node_limit, True)
            if self.pos.board.empty:
                result = solve_shortest(solver, fours_only, longest)
            self.worker.nodes += solver.nodes
        self.running = False
        line = [self._move(solver.line[0][i]) for i in range(solver.length[0])] if result else []
        return result, line, not solver.aborted

    def stop(self):
        """End a running search as soon as it looks at its flag, within milliseconds."""
        fk_stop_set(self.stop_flag, 1)

    def set_deadline(self, deadline_ns):
        """Move the deadline of a running search; ``None`` takes it away."""
        fk_stop_set_deadline(self.stop_flag, or_never(deadline_ns))

    @property
    def due(self):
        """Whether the stop flag is up or the deadline has passed."""
        return fk_stop_due(self.stop_flag) != 0

    @property
    def nodes(self):
        """Nodes since ``start``, those of the solvers included."""
        return self.worker.nodes

    @property
    def seldepth(self):
        """Deepest ply since ``start``."""
        return self.worker.seldepth

    cdef object _move(self, int point):
        return Move(point_x(point), point_y(point))


cdef void order_lines(fk_worker *w, int lines) noexcept nogil:
    """Sort the lines by score; equal ones keep their order. Those not searched this time keep their last score."""
    cdef int number, place
    cdef fk_root_move moved
    for number in range(lines):
        if w.root[number].score == -INFINITE:
            w.root[number].score = w.root[number].previous
    for number in range(1, lines):
        moved = w.root[number]
        place = number
        while place > 0 and w.root[place - 1].score < moved.score:
            w.root[place] = w.root[place - 1]
            place -= 1
        w.root[place] = moved
