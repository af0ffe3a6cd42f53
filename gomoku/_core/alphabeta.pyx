"""The alpha-beta search of a node. See alphabeta.pxd for the interface."""

from libc.math cimport log

from gomoku._core.evaluate cimport evaluate
from gomoku._core.movepick cimport HISTORY_LIMIT, PICK_ALL, fk_picker, picker_next, picker_set
from gomoku._core.position cimport key_after, position_pop, position_push, side_to_move
from gomoku._core.threats cimport solve_vcf, solver_set
from gomoku._core.types cimport (
    FK_BOUND_EXACT,
    FK_BOUND_LOWER,
    FK_BOUND_UPPER,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    fk_constants,
    fk_state,
    fk_stop_due,
    fk_tt_data,
    fk_tt_prefetch,
    fk_tt_probe,
    fk_tt_store,
    uint16_t,
    uint64_t,
)
from gomoku._core.verdict cimport verdict

cdef enum:
    STOP_INTERVAL = 512      # nodes between looks at the stop flag and the clock
    CUT = 99                 # verdict of `singular`
    PLY = 64                 # depths are in plies, reductions in parts of a ply

cdef uint64_t EXCLUDED_SALT = 0x9E3779B97F4A7C15u  # times the move: keys of nodes searched without it


cdef void set_constants(fk_worker *w, const fk_constants *constants) noexcept nogil:
    cdef double base = constants.late_moves_base / 100.0, exponent = constants.late_moves_exponent / 100.0
    cdef double divisor = constants.reduction_divisor / 100.0
    cdef int depth, number
    w.constants = constants[0]
    for depth in range(64):
        w.late_moves[0][depth] = <int>(base + <double>depth ** exponent)
        w.late_moves[1][depth] = w.late_moves[0][depth] * constants.late_moves_worsening // 100
    for depth in range(1, 64):
        for number in range(1, 64):
            w.reductions[depth][number] = <int>(PLY * log(<double>depth) * log(<double>number) / divisor)


cdef inline int reduction_of(const fk_worker *w, int depth, int number) noexcept nogil:
    return w.reductions[min(depth, 63)][min(number, 63)]


cdef inline int whole_plies(int parts) noexcept nogil:
    """The nearest number of plies, none if it is negative."""
    return (parts + PLY // 2) // PLY if parts > 0 else 0


cdef int root_reduction(const fk_worker *w, int depth, int number) noexcept nogil:
    return whole_plies(reduction_of(w, depth, number) - w.constants.root_reduction)


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
    cdef const uint16_t *own = w.pos.state.count[side_to_move(w.pos)]
    # Only one in a hundred of these wins begins with a four that makes nothing else.
    if own[FK_POINT_FOUR_PLUS] + own[FK_POINT_FOUR_THREE] + own[FK_POINT_OPEN_FOUR] + own[FK_POINT_FORBIDDEN] == 0:
        return 0
    solver_set(w.solver, w.pos, w.tt, w.stop, w.constants.leaf_vcf_nodes, False)
    plies = solve_vcf(w.solver, w.constants.leaf_vcf_plies)
    w.nodes += w.solver.nodes
    return MATE - ply - plies if plies else 0


cdef int leaf(fk_worker *w, int ply, int beta) noexcept nogil:
    """The value of a node at the horizon: the evaluation, or a win by continuous fours if that is not enough."""
    cdef int eval = evaluate(w.pos, side_to_move(w.pos)), value
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
    cdef int old = w.history.cutoffs[side][move]
    w.history.cutoffs[side][move] = old + bonus - old * (bonus if bonus > 0 else -bonus) // HISTORY_LIMIT


cdef void reward(fk_worker *w, int side, int ply, int best, int depth, const int *tried, int count) noexcept nogil:
    """A move cut off: remember it, and that the moves before it did not."""
    cdef fk_position *pos = w.pos
    cdef int bonus = min(depth * depth * w.constants.history_bonus, w.constants.history_bonus_limit), number
    if w.killers[ply][0] != best:
        w.killers[ply][1] = w.killers[ply][0]
        w.killers[ply][0] = best
    if pos.board.ply:
        w.history.counter[side][pos.board.moves[pos.board.ply - 1]] = best
    raise_history(w, side, best, bonus)
    for number in range(count):
        if tried[number] != best:
            raise_history(w, side, tried[number], -bonus)


cdef inline int late_reduction(fk_worker *w, int ply, int depth, int move, int number, bint quiet, bint pv_node,
                               bint was_pv, bint cut_node, bint improving, int lacking) noexcept nogil:
    """Plies by which a late move is searched less deep at first; `lacking`: of the node's highest move score."""
    cdef const fk_constants *constants = &w.constants
    cdef int parts = reduction_of(w, depth, number)
    if pv_node:
        parts -= constants.pv_node_reduction
    elif not improving and parts > PLY:
        parts += constants.worsening_reduction
    if was_pv and not pv_node:
        parts -= constants.table_pv_reduction
    if cut_node and move != w.killers[ply][0] and move != w.killers[ply][1]:
        parts += constants.cut_node_reduction
    if not quiet:
        parts -= constants.threat_reduction
    parts += min(lacking * PLY // constants.score_per_ply, constants.score_reduction_limit)
    parts -= w.history.cutoffs[side_to_move(w.pos)][move] * constants.history_reduction // HISTORY_LIMIT
    return whole_plies(parts)


cdef int singular(fk_worker *w, int move, int hash_value, int bound, int beta, int depth, int ply,
                  bint cut_node) noexcept nogil:
    """Plies to extend the hash move by: one if all others are worse than `bound`, minus one if it need not be the only
    good one; `CUT` if even without it the node fails high."""
    cdef int value
    w.excluded[ply] = move
    value = search(w, bound - 1, bound, depth // 2, ply, cut_node)
    w.excluded[ply] = FK_NO_POINT
    w.killers[ply + 1][0] = w.killers[ply + 1][1] = FK_NO_POINT
    if value < bound:
        return 1
    return CUT if bound >= beta else -1 if hash_value >= beta else 0


cdef int search(fk_worker *w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """Value of the node within alpha and beta (fail-soft); 0 without meaning once `w.aborted` is set."""
    cdef fk_position *pos = w.pos
    cdef const fk_constants *constants = &w.constants
    cdef int side = side_to_move(pos), other = 1 - side
    cdef const fk_state *state = pos.state
    cdef bint pv_node = beta - alpha > 1
    cdef bint answer = state.count[other][FK_POINT_FIVE] > 0
    cdef bint was_pv, improving, free, quiet, known, singular_candidate, high
    cdef int best = -INFINITE, best_move = FK_NO_POINT, first_alpha = alpha
    cdef int value, move, number = 0, reduction, extension, new_depth, own_class, tried_count = 0
    cdef int eval = 0, static_eval = 0, score, top_score = -INFINITE
    cdef int hash_move = FK_NO_POINT, hash_value = 0, singular_bound, excluded = w.excluded[ply]
    cdef int tried[64]
    cdef uint64_t key = pos.board.key ^ EXCLUDED_SALT * <uint64_t>excluded
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
        return evaluate(pos, side)

    # Step 2. Mate distance: no line from here can be better than a shorter one already found.
    alpha = max(alpha, -MATE + ply + 2)
    beta = min(beta, MATE - ply - 3)
    if alpha >= beta:
        return alpha

    # Step 3. Transposition table.
    known = fk_tt_probe(w.tt, key, &entry)
    if known:
        hash_move = entry.move
        hash_value = from_table(entry.value, ply)
        if (not pv_node and not excluded and entry.depth >= depth
                and entry.bound & (FK_BOUND_LOWER if hash_value >= beta else FK_BOUND_UPPER)):
            return hash_value
    was_pv = pv_node or (known and entry.pv)

    # Step 4. At the horizon; a threatened five is answered first, which costs no depth.
    if depth <= 0 and not answer:
        return leaf(w, ply, beta)

    # Step 5. Static evaluation. A side under a direct threat stands as it did before that.
    if not answer:
        static_eval = eval = entry.eval if known else evaluate(pos, side)
    w.evals[ply] = -w.evals[ply - 1] if answer or state.count[other][FK_POINT_OPEN_FOUR] else eval
    improving = ply >= 2 and w.evals[ply] > w.evals[ply - 2]
    if known and not answer and -MATE_BAND < hash_value < MATE_BAND and (
            entry.bound & (FK_BOUND_LOWER if hash_value > eval else FK_BOUND_UPPER)):
        eval = hash_value
    w.killers[ply + 1][0] = w.killers[ply + 1][1] = FK_NO_POINT

    if not pv_node and not answer and not excluded:
        # Step 6. Razoring: below alpha near the horizon, only fours can help.
        if (depth <= constants.razor_depth and alpha < MATE_BAND
                and eval + constants.razor_base + constants.razor_margin * depth < alpha):
            value = leaf(w, ply, beta)
            if w.aborted or value < alpha:
                return value
        # Step 7. Futility: so far above beta that a quiet reply will not change it.
        if (-MATE_BAND < beta and eval < MATE_BAND
                and eval - constants.futility_margin * (depth - 1 - improving) >= beta):
            return eval

    # Step 8. Win by fours before any quiet move; leaves do it, and here it saves whole subtrees.
    if not answer and depth >= 2 and not excluded:
        value = win_by_fours(w, ply)
        if w.aborted:
            return 0
        if value:
            entry.value, entry.eval, entry.move = to_table(value, ply), static_eval, FK_NO_POINT
            entry.bound, entry.pv, entry.depth = FK_BOUND_LOWER, was_pv, depth
            fk_tt_store(w.tt, key, &entry)
            return value

    # Step 9. Less depth where a shallower search will find a hash move first, or where a cutoff is likely anyway.
    if hash_move == FK_NO_POINT and depth >= 4 and not answer:
        depth -= 1
    high = cut_node and not pv_node and not answer and eval >= beta + constants.fail_high_margin * depth
    singular_candidate = (depth >= constants.singular_depth and known and not answer and not excluded
                          and entry.bound & FK_BOUND_LOWER and entry.depth >= depth - constants.singular_slack
                          and -MATE_BAND < hash_value < MATE_BAND)

    # Step 10. The moves.
    picker_set(&picker, pos, &w.history, constants, hash_move, w.killers[ply][0], w.killers[ply][1])
    free = picker.kind == PICK_ALL
    while True:
        move = picker_next(&picker)
        if move == FK_NO_POINT:
            break
        if move == excluded:
            continue
        number += 1
        own_class = pos.cells[move].point_class[side]
        score = pos.cells[move].score[side]
        top_score = max(top_score, score)

        # Step 11. Late moves are not searched; fewer in a position that gets worse.
        if best > -MATE_BAND and number > w.late_moves[0 if pv_node or improving else 1][max(0, min(depth, 63))]:
            break

        # Step 12. Extensions.
        extension = 0
        if singular_candidate and move == hash_move:
            singular_bound = hash_value - depth * constants.singular_margin // 100
            extension = singular(w, move, hash_value, singular_bound, beta, depth, ply, cut_node)
            if w.aborted:
                return 0
            if extension == CUT:
                return singular_bound
        new_depth = (depth if answer else depth - 1) + extension
        if high and own_class < FK_POINT_FOUR:
            new_depth -= 1

        # Step 13. Late moves are searched less deep first, and with a null window; if one is good after all, the deeper
        # the more it seems to be.
        reduction = 0
        if number > 1 and depth >= 2 and not answer:
            quiet = free and own_class < FK_POINT_OPEN_THREE
            reduction = late_reduction(w, ply, depth, move, number, quiet, pv_node, was_pv, cut_node, improving,
                                       top_score - score)
            reduction = max(0, min(reduction, new_depth - 1))
        fk_tt_prefetch(w.tt, key_after(pos, move))
        position_push(pos, move)
        if number == 1:
            value = -search(w, -beta, -alpha, new_depth, ply + 1, False if pv_node else not cut_node)
        else:
            value = -search(w, -alpha - 1, -alpha, new_depth - reduction, ply + 1, True)
            if value > alpha and reduction and not w.aborted:
                new_depth += (value > best + constants.deeper_margin) - (value < best + constants.shallower_margin)
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not cut_node)
            if pv_node and alpha < value < beta and not w.aborted:
                value = -search(w, -beta, -alpha, new_depth, ply + 1, False)
        position_pop(pos)
        if w.aborted:
            return 0

        # Step 14. Keep the best; once one move raised alpha the others have to show more.
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                if pv_node:
                    update_pv(w, ply, move)
                alpha = value
                if value >= beta:
                    if free:
                        reward(w, side, ply, move, depth, tried, tried_count)
                    break
                if 2 < depth < 12:
                    depth -= 1
        if free and tried_count < 64:
            tried[tried_count] = move
            tried_count += 1

    # Step 15. No move at all: a five that cannot be answered, an open four that cannot be prevented, or (black in
    # renju) nothing allowed.
    if number == 0 and excluded:
        return alpha
    if number == 0:
        return -MATE + ply + (2 if answer else 4) if picker.kind != PICK_ALL else 0

    # Step 16. Store the result.
    if excluded:
        return best
    entry.value, entry.eval, entry.move, entry.depth = to_table(best, ply), static_eval, best_move, depth
    entry.pv = was_pv
    entry.bound = FK_BOUND_LOWER if best >= beta else FK_BOUND_EXACT if best > first_alpha else FK_BOUND_UPPER
    fk_tt_store(w.tt, key, &entry)
    return best
