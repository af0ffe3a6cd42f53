"""The root of the search and its driver. See alphabeta.pxd for the meaning of scores."""

cimport cython
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku._core.alphabeta cimport (
    INFINITE,
    MATE,
    MATE_BAND,
    fk_root_move,
    fk_worker,
    root_reduction,
    search,
    set_constants,
)
from gomoku._core.board cimport Board, point_x, point_y
from gomoku._core.evaluate cimport evaluate, weighted_rule
from gomoku._core.movepick cimport PICK_ALL, PICK_ANSWERS, fk_picker, picker_all, picker_next, picker_set
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
from gomoku._core.threats cimport fk_solver, solver_set
from gomoku._core.types cimport (
    FK_NEVER,
    FK_NO_POINT,
    FK_POINT_FIVE,
    fk_constants,
    fk_position,
    fk_stop,
    fk_stop_due,
    fk_stop_set,
    fk_stop_set_deadline,
    int16_t,
    int64_t,
)
from gomoku._core.vct cimport solve_forced

from gomoku.params import all_constants
from gomoku.types import Move

cdef enum:
    DROP_PLIES = 17  # length of the other side's wins that root moves are checked for


cdef int search_root(fk_worker *w, int first, int alpha, int beta, int depth) noexcept nogil:
    """Search root moves `first`.. (those before it are taken by better lines) and put the best in front."""
    cdef fk_position *pos = w.pos
    cdef int number, value, reduction, best = -INFINITE, length, place
    cdef fk_root_move *root
    cdef fk_root_move found
    cdef int best_number = first
    w.evals[0] = evaluate(pos, side_to_move(pos))
    for number in range(first, w.root_count):
        root = &w.root[number]
        position_push(pos, root.move)
        if number == first:
            value = -search(w, -beta, -alpha, depth - 1, 1, False)
        else:
            reduction = max(0, min(root_reduction(w, depth, number - first + 1), depth - 2))
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
    cdef int previous = w.root[line].previous
    cdef int delta = w.constants.aspiration_base + abs(previous) // w.constants.aspiration_divisor
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
        delta = delta * w.constants.aspiration_growth // 100
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
        picker.waiting = False
        picker.moves[0] = find_class(pos, side, FK_POINT_FIVE)
        picker.scores[0] = 0
    else:
        picker_set(&picker, pos, &w.history, &w.constants, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)
        if picker.count == 0 and picker.kind == PICK_ANSWERS:
            move = find_class(pos, 1 - side, FK_POINT_FIVE)
            if is_allowed(pos, move, side):
                picker.moves[0], picker.scores[0], picker.count = move, 0, 1
        if picker.count == 0:
            picker_all(&picker, pos, &w.history, &w.constants)
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
    result = solve_forced(w.solver, False, DROP_PLIES)
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
            result = solve_forced(w.solver, False, DROP_PLIES)
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
            result = solve_forced(w.solver, True, plies - length)
            if result == 0:
                solver_set(w.solver, pos, w.tt, w.stop, 20000, True)
                result = solve_forced(w.solver, False, plies - length)
            if result == 0:
                break
            for number in range(w.solver.length[0]):
                line[length + number] = w.solver.line[0][number]
            length += w.solver.length[0]
            # The moves after the first ones were not pushed; the line is complete.
            break
        picker_set(&picker, pos, &w.history, &w.constants, FK_NO_POINT, FK_NO_POINT, FK_NO_POINT)
        move = picker_next(&picker)
        if move == FK_NO_POINT or picker.kind == PICK_ALL:
            move = find_class(pos, 1 - side, FK_POINT_FIVE)
            if move == FK_NO_POINT:
                break
            if not is_allowed(pos, move, side):
                picker_all(&picker, pos, &w.history, &w.constants)  # black may not answer: any other move
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
        constants: those of the search that are not to have their defaults, as for :func:`gomoku.params.all_constants`;
            a searcher with a leader has the leader's.

    Thread-safety: ``stop`` and ``set_deadline`` may be called from any thread at any time; a second thread that calls
    anything else while a search runs gets a ``RuntimeError``.
    """

    def __cinit__(self, table_bytes=0, Searcher leader=None, constants=None):
        cdef fk_constants values
        if leader is None:
            values = all_constants(constants)
        else:
            values = leader.worker.constants
        self.leader = leader
        self.table = Table(table_bytes) if leader is None else leader.table
        self.pos = <fk_position *>calloc(1, sizeof(fk_position))
        self.worker = <fk_worker *>calloc(1, sizeof(fk_worker))
        self.solver = <fk_solver *>calloc(1, sizeof(fk_solver))
        self.stop_flag = <fk_stop *>calloc(1, sizeof(fk_stop))
        if not (self.pos and self.worker and self.solver and self.stop_flag):
            raise MemoryError("no memory for a search thread")
        set_constants(self.worker, &values)
        self._connect()
        self.running = False
        self.ready = False

    cdef void _connect(self) noexcept nogil:
        """Tell the worker what it works with."""
        self.worker.pos = self.pos
        self.worker.solver = self.solver
        self.worker.stop = self.stop_flag
        self.worker.tt = &self.table.tt

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

    def forget(self):
        """Be as good as new, constants apart: wipe the table and what else earlier searches have left."""
        if self.running:
            raise RuntimeError("this searcher is busy; use one searcher a thread")
        cdef fk_constants values = self.worker.constants
        memset(self.worker, 0, sizeof(fk_worker))
        memset(self.solver, 0, sizeof(fk_solver))
        set_constants(self.worker, &values)
        self._connect()
        self.table.clear()
        self.ready = False

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
        """Look for the shortest win by continuous fours (VCF), or without one for any win by threats (VCT).

        Args:
            fours_only: VCF instead of VCT.
            plies: longest win to accept. A shorter win by threats than the one that is found may exist.
            nodes: nodes to spend at most.

        Returns:
            ``(plies, [Move, ...], finished)``: 0 and an empty list when no win was found; ``finished`` tells whether
            the search came to its end, which without a limit of ``plies`` proves that there is none.
        """
        cdef fk_solver *solver = self.solver
        cdef int result = 0, longest = min(plies, 199)
        cdef int64_t node_limit = or_never(nodes)
        self._enter()
        with nogil:
            solver_set(solver, self.pos, &self.table.tt, self.stop_flag, node_limit, True)
            if self.pos.board.empty:
                result = solve_forced(solver, fours_only, longest)
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

    @property
    def constants(self):
        """All constants of the search by name."""
        return self.worker.constants

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
