"""Wins by continuous threats: depth-first proof-number search. See vct.pxd for the interface.

Every node has two numbers from the view of the side to move: `phi`, how many leaves must still be decided for it, and
`delta`, how many against it. The child with the least of the other side's `delta` comes first, until either number
passes the limit that makes another part of the tree more promising. Stones are never taken off, so no position repeats
and results in the transposition table hold for every path to it.

Fours of the defender are delays more often than defences. Once all else is refuted, the moves that did it are played
again after each four and its answer; only where they do not hold is the four searched.

Sources of the ideas: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002; Kawano, "Using
similar positions to search game trees", 1996.
"""

from libc.string cimport memset

from gomoku._core.board cimport zobrist
from gomoku._core.evaluate cimport evaluate
from gomoku._core.position cimport (
    find_class,
    is_allowed,
    key_after,
    list_allowed,
    position_class,
    position_pass,
    position_unpass,
    side_to_move,
)
from gomoku._core.threats cimport (
    UNLIMITED,
    down,
    fk_zone,
    has_double_threats,
    list_answers,
    list_attacks,
    list_defences,
    list_stoppers,
    other_point,
    out_of_budget,
    set_line,
    solve_vcf,
    solve_vcf_shortest,
    solve_vcf_zone,
    up,
)
from gomoku._core.types cimport (
    FK_BOUND_EXACT,
    FK_EMPTY,
    FK_NO_POINT,
    FK_POINT_FIVE,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    FK_POINT_THREE,
    fk_ctz64,
    fk_position,
    fk_state,
    fk_stop_get,
    fk_tt_data,
    fk_tt_probe,
    fk_tt_store,
    int64_t,
    uint64_t,
)

cdef enum:
    CARO = 8              # rule numbers from here on let a stone at a five's end spoil it
    INFINITE = 60000      # what cannot be decided for a side any more
    DEEPEST = 120         # plies below the root at which the attacker gives up
    VCF_NODES = 200       # of one look for a win by fours within the search

# How hard an attacker's move of each class seems before it was tried, roughly the answers that it leaves. Fours that do
# nothing else come after all threats but quiet ones: each of them doubles the tree and hardly ever helps.
cdef int *FIRST_DELTA = [12, 12, 12, 12, 14, 6, 3, 3, 3, 10, 1, 1, 1, 1]

# An attacker's move seems harder by one for every 25 of move score that it lacks of the node's highest, by 16 at most,
# and by one for every 25 that the position's score lacks of the root's, by 40 at most: where the attacker has come to
# stand worse, the threats that are left seldom win.
cdef enum:
    SCORE_PER_DELTA = 25
    LARGEST_LACK = 16
    LARGEST_DOUBT = 40

# By how much a child may get harder than the second best before its parent looks elsewhere. To change one's mind for
# every leaf means to search most positions again and again.
cdef enum:
    ATTACK_SLACK = 8
    DEFENCE_SLACK = 2

# Keys of results by who is to move, apart from those of the main search.
cdef uint64_t ATTACK_SALT = 0x5643545F61747461u
cdef uint64_t DEFEND_SALT = 0x5643545F64656665u


ctypedef struct fk_proof:
    int phi       # 0 when decided for the side to move
    int delta     # 0 when decided against it
    int plies     # to the five, once the attacker wins
    int move
    bint partial  # whether a defender's success may be due to something left out


ctypedef struct fk_children:
    int count
    int floor     # plies that the attacker needs after any move not among them, if the defender is to move
    int best      # the highest of the attacker's move scores
    int doubt     # how much harder the attacker's moves seem where the position's score is low
    int moves[484]


cdef inline fk_proof decided(bint for_attacker, bint attacking, int plies, int move, bint partial) noexcept nogil:
    cdef fk_proof node
    cdef bint for_mover = for_attacker == attacking
    node.phi = 0 if for_mover else INFINITE
    node.delta = INFINITE if for_mover else 0
    node.plies = plies if for_attacker else 1
    node.move = move
    node.partial = partial
    return node


cdef inline bint is_decided(const fk_proof *node) noexcept nogil:
    return node.phi == 0 or node.delta == 0


cdef inline bint is_won(const fk_proof *node, bint attacking) noexcept nogil:
    return node.phi == 0 if attacking else node.delta == 0


# --- Results in the table: the number that a decided node does not need holds the plies ---

cdef bint read(const fk_solver *self, uint64_t key, bint attacking, fk_proof *node) noexcept nogil:
    cdef fk_tt_data data
    if not fk_tt_probe(self.tt, key ^ (ATTACK_SALT if attacking else DEFEND_SALT), &data):
        return False
    node.phi = data.value & 0xFFFF
    node.delta = data.eval & 0xFFFF
    node.move = data.move
    node.partial = data.pv
    node.plies = 0
    if node.phi == 0:
        node.plies, node.delta = node.delta, INFINITE
    elif node.delta == 0:
        node.plies, node.phi = node.phi, INFINITE
    return True


cdef void write(fk_solver *self, bint attacking, const fk_proof *node, int64_t work) noexcept nogil:
    cdef fk_tt_data data
    data.value = node.plies if node.delta == 0 else node.phi
    data.eval = node.plies if node.phi == 0 else node.delta
    data.move = node.move
    data.pv = node.partial
    data.bound = FK_BOUND_EXACT
    data.depth = 0
    while work > 1:
        data.depth += 1  # what took long is worth keeping
        work >>= 1
    fk_tt_store(self.tt, self.pos.board.key ^ (ATTACK_SALT if attacking else DEFEND_SALT), &data)


# --- Wins by fours within the search ---

cdef int look_for_fours(fk_solver *self, fk_zone *zone) noexcept nogil:
    """A win by fours of the side to move that some nodes show; running out of them is noted as `partial`.

    Mere fours are left to the search proper, which tries them late.
    """
    cdef int64_t node_limit = self.node_limit
    cdef int side = side_to_move(self.pos), result
    cdef const fk_state *state = self.pos.state
    cdef int64_t before = self.nodes
    if (not has_double_threats(state, side) and state.count[side][FK_POINT_FIVE] == 0
            and state.count[1 - side][FK_POINT_FIVE] == 0):
        return 0
    self.node_limit = min(node_limit, self.nodes + VCF_NODES)
    self.weakest = FK_POINT_FOUR_PLUS
    result = solve_vcf_zone(self, zone) if zone else solve_vcf(self, UNLIMITED)
    self.weakest = FK_POINT_FOUR
    if zone == NULL and self.nodes > before:
        self.nodes -= 1  # the search proper has counted this position
    restore_limit(self, node_limit)
    return result


cdef inline void restore_limit(fk_solver *self, int64_t node_limit) noexcept nogil:
    """End a search with fewer nodes than all; that it had too few ends nothing else."""
    if self.aborted and self.nodes < node_limit and not fk_stop_get(self.stop):
        self.aborted = False
        self.partial = True
    self.node_limit = node_limit


# --- The moves of a node ---

cdef int list_quiet(fk_position *pos, int side, int *moves) noexcept nogil:
    """Points that prepare a four or an open three on several lines without being a threat by themselves."""
    cdef int word, point, count = 0
    cdef uint64_t bits
    for word in range(16):
        bits = pos.state.near_points[word]
        while bits:
            point = word * 64 + fk_ctz64(bits)
            bits &= bits - 1
            if pos.board.cells[point] == FK_EMPTY and (
                    FK_POINT_THREE <= pos.cells[point].point_class[side] < FK_POINT_OPEN_THREE):
                moves[count] = point
                count += 1
    return count


cdef int list_threatening(fk_position *pos, int *moves) noexcept nogil:
    """The attacker's moves."""
    cdef int side = side_to_move(pos), count, number, stopper_count
    cdef int stoppers[484]
    if pos.state.count[1 - side][FK_POINT_FIVE]:
        return list_answers(pos, moves)  # an older threat may still stand, so any answer may go on
    if pos.state.count[1 - side][FK_POINT_OPEN_FOUR]:
        # After any other move the other side makes its open four.
        count = list_attacks(pos, side, FK_POINT_FOUR, moves)
        stopper_count = list_stoppers(pos, FK_POINT_OPEN_FOUR, stoppers)
        for number in range(stopper_count):
            if FK_POINT_THREE <= position_class(pos, stoppers[number], side) < FK_POINT_FOUR:
                moves[count] = stoppers[number]
                count += 1
        return count
    count = list_attacks(pos, side, FK_POINT_OPEN_THREE, moves)
    if pos.rule.rule < CARO:
        count += list_quiet(pos, side, moves + count)
    return count


cdef int list_zone(fk_position *pos, const fk_zone *zone, int *moves) noexcept nogil:
    """The allowed points of a zone; one's own fours are among them."""
    cdef uint64_t points[16]
    cdef int word
    for word in range(16):
        points[word] = zone.points[word] | (pos.state.near_points[word] if zone.wide else 0)
    return list_allowed(pos, points, side_to_move(pos), moves)


cdef void weigh(const fk_solver *self, fk_children *children) noexcept nogil:
    """Note what the first numbers of the attacker's moves depend on."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), number
    children.best = -INFINITE
    for number in range(children.count):
        children.best = max(children.best, pos.cells[children.moves[number]].score[side])
    if pos.state.count[1 - side][FK_POINT_FIVE] == 0:  # the score takes no account of a five to be answered
        children.doubt = (self.root_score - evaluate(pos, side)) // SCORE_PER_DELTA
        children.doubt = max(0, min(LARGEST_DOUBT, children.doubt))


cdef bint look_attacking(fk_solver *self, bint known, fk_children *children, fk_proof *node) noexcept nogil:
    """List the attacker's moves; true if the node is decided without playing any of them."""
    cdef int result = 0 if known else look_for_fours(self, NULL)
    if result:
        node[0] = decided(True, True, result, self.line[self.ply][0], False)
        return True
    children.count = list_threatening(self.pos, children.moves)
    if children.count == 0:
        node[0] = decided(False, True, 0, FK_NO_POINT, self.partial)
        return True
    weigh(self, children)
    return False


cdef bint look_defending(fk_solver *self, bint known, fk_children *children, fk_proof *node) noexcept nogil:
    """List the moves that answer the attacker's threat; true if the node is decided without playing any of them."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos)
    cdef fk_zone zone
    if pos.state.count[side][FK_POINT_FIVE]:
        node[0] = decided(False, False, 0, find_class(pos, side, FK_POINT_FIVE), False)
        return True
    if pos.state.count[1 - side][FK_POINT_FIVE]:
        children.count = list_answers(pos, children.moves)
        children.floor = 2
    else:
        children.floor = threatened_plies(self, &zone)
        if children.floor == 0 or (not known and look_for_fours(self, NULL)):
            node[0] = decided(False, False, 0, FK_NO_POINT, self.partial)
            return True
        if pos.state.count[1 - side][FK_POINT_OPEN_FOUR]:
            children.count = list_defences(pos, children.moves)
        else:
            children.count = list_zone(pos, &zone, children.moves)
    if children.count == 0:
        node[0] = decided(True, False, children.floor, FK_NO_POINT, False)
    return children.count == 0


cdef int threatened_plies(fk_solver *self, fk_zone *zone) noexcept nogil:
    """Plies to the attacker's five if the side to move does nothing, 0 without a threat.

    The zone is filled where the threat is no open four.
    """
    cdef fk_position *pos = self.pos
    cdef int result
    if pos.state.count[1 - side_to_move(pos)][FK_POINT_OPEN_FOUR]:
        return 4
    if pos.rule.rule >= CARO:
        return 0
    position_pass(pos)
    result = look_for_fours(self, zone)
    position_unpass(pos)
    return result + 1 if result else 0


cdef bint look(fk_solver *self, bint attacking, bint known, fk_children *children, fk_proof *node) noexcept nogil:
    children.count = children.floor = children.best = children.doubt = 0
    if attacking:
        return look_attacking(self, known, children, node)
    return look_defending(self, known, children, node)


# --- Fours of the defender ---

cdef inline bint is_four(const fk_position *pos, int move) noexcept nogil:
    return pos.cells[move].point_class[side_to_move(pos)] >= FK_POINT_FOUR


cdef void refute_fours(fk_solver *self, const fk_children *children) noexcept nogil:
    """Once only fours of the defender are left at a node, play on after them as without them."""
    cdef fk_proof child
    cdef int number, fours = 0
    for number in range(children.count):
        if not (read(self, key_after(self.pos, children.moves[number]), True, &child) and child.phi == 0):
            if not is_four(self.pos, children.moves[number]):
                return
            fours += 1
    for number in range(children.count if fours else 0):
        if is_four(self.pos, children.moves[number]):
            repeat_after_four(self, children.moves[number], 0, &child)


cdef bint repeat_after_four(fk_solver *self, int move, uint64_t twin, fk_proof *node) noexcept nogil:
    """Whether a four of the defender and its answer leave the attacker's moves from the twin position a win.

    The twin's key is this position's with `twin`. `node` tells of the position after the four.
    """
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), answer
    cdef fk_proof after
    cdef bint won = False
    if read(self, key_after(pos, move), True, node) and is_decided(node):
        return node.phi == 0
    if self.ply >= DEEPEST or out_of_budget(self):
        return False
    twin ^= zobrist[side][move]
    down(self, move)
    answer = find_class(pos, side, FK_POINT_FIVE)
    if (pos.state.count[side][FK_POINT_FIVE] == 1 and pos.state.count[1 - side][FK_POINT_FIVE] == 0
            and is_allowed(pos, answer, 1 - side)):
        down(self, answer)
        won = repeat_defending(self, twin ^ zobrist[1 - side][answer], &after)
        up(self)
        if won:
            node[0] = decided(True, True, after.plies + 1, answer, False)
            write(self, True, node, 1)
    up(self)
    return won


cdef bint repeat_defending(fk_solver *self, uint64_t twin, fk_proof *node) noexcept nogil:
    """Whether the attacker's moves from the twin position refute every defence."""
    cdef fk_position *pos = self.pos
    cdef fk_children children
    cdef fk_proof child
    cdef int number, move, longest
    if read(self, pos.board.key, False, node) and is_decided(node):
        return node.delta == 0
    if out_of_budget(self):
        return False
    if not look(self, False, True, &children, node):
        longest = children.floor
        for number in range(children.count):
            move = children.moves[number]
            if read(self, key_after(pos, move) ^ twin, True, &child) and child.phi == 0:
                down(self, move)
                repeat_attacking(self, twin, &child)
                up(self)
            elif not is_four(pos, move) or not repeat_after_four(self, move, twin, &child):
                return False
            if child.phi or self.aborted:
                return False
            longest = max(longest, child.plies + 1)
        node[0] = decided(True, False, longest, FK_NO_POINT, False)
    if node.delta or self.aborted:
        return False
    write(self, False, node, 1)
    return True


cdef void repeat_attacking(fk_solver *self, uint64_t twin, fk_proof *node) noexcept nogil:
    """Play the winning move of the twin position, which `node` tells of; then `node` tells how that went."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos), move = node.move, plies = 0
    cdef fk_proof child
    cdef bint known = read(self, key_after(pos, move) ^ twin, False, &child) and child.delta == 0
    cdef bint answered = (pos.state.count[1 - side][FK_POINT_FIVE] == 0
                          or pos.cells[move].point_class[1 - side] == FK_POINT_FIVE)
    if read(self, pos.board.key, True, node) and is_decided(node):
        return
    node.phi = 1
    if self.ply >= DEEPEST or out_of_budget(self):
        return
    if not known:  # the twin was won by fours
        plies = look_for_fours(self, NULL)
        move = self.line[self.ply][0]
    elif answered and pos.board.cells[move] == FK_EMPTY and is_allowed(pos, move, side):
        down(self, move)
        if repeat_defending(self, twin, &child):
            plies = child.plies + 1
        up(self)
    if plies and not self.aborted:
        node[0] = decided(True, True, plies, move, False)
        write(self, True, node, 1)


# --- The search ---

cdef inline void read_child(const fk_solver *self, bint attacking, int move, const fk_children *children,
                            fk_proof *child) noexcept nogil:
    """What is known of the position after a move; a guess if it was never searched."""
    cdef const fk_position *pos = self.pos
    cdef int side = side_to_move(pos)
    if not read(self, key_after(pos, move), not attacking, child):
        child.phi = child.delta = 1
        if attacking and move != self.killer[self.ply]:  # what refuted another defence may well refute this one
            child.delta = FIRST_DELTA[pos.cells[move].point_class[side]]
            if child.delta > 1:
                child.delta += min(LARGEST_LACK, (children.best - pos.cells[move].score[side]) // SCORE_PER_DELTA)
            child.delta += children.doubt
        child.plies = child.move = 0
        child.partial = False


cdef int gather(fk_solver *self, bint attacking, const fk_children *children, fk_proof *node,
                fk_proof *best) noexcept nogil:
    """Work out a node's numbers from its children's; returns the second least `delta` of them."""
    cdef int number, second = INFINITE, undecided = 0
    cdef fk_proof child
    best.delta = node.phi = INFINITE
    best.phi = best.plies = best.move = best.partial = 0
    node.delta = node.plies = 0
    for number in range(children.count):
        read_child(self, attacking, children.moves[number], children, &child)
        if child.delta < node.phi:
            second = node.phi
            node.phi = child.delta
            best[0] = child
            best.move = children.moves[number]
        elif child.delta < second:
            second = child.delta
        if child.phi == 0:
            node.plies = max(node.plies, child.plies + 1)
        # Every defence has to be refuted on its own, but refutations of attacks have most of their trees in common.
        node.delta = max(node.delta, child.phi) if attacking else min(INFINITE - 1, node.delta + child.phi)
        undecided += child.phi > 0
        node.partial |= child.partial
    if attacking and undecided:
        node.delta = min(INFINITE - 1, node.delta + undecided - 1)
    node.move = best.move
    if node.phi == 0:
        if attacking:
            self.killer[self.ply] = best.move
        node[0] = decided(attacking, attacking, best.plies + 1, best.move, best.partial)
    elif node.phi >= INFINITE:
        node[0] = decided(not attacking, attacking, max(node.plies, children.floor), FK_NO_POINT, node.partial)
    return second


cdef void prove(fk_solver *self, bint attacking, int phi_limit, int delta_limit, fk_proof *node) noexcept nogil:
    """Search the node until its numbers reach a limit; `node` and the table tell what came out."""
    cdef fk_children children
    cdef fk_proof best
    cdef int second, slack = ATTACK_SLACK if attacking else DEFENCE_SLACK
    cdef int64_t before = self.nodes
    cdef bint known = read(self, self.pos.board.key, attacking, node), partial
    if known and is_decided(node):
        return
    partial = known and node.partial
    if out_of_budget(self):
        return
    if self.ply >= DEEPEST:
        node[0] = decided(False, attacking, 0, FK_NO_POINT, True)
        write(self, attacking, node, 1)  # or the parent would ask again for ever
        return
    self.partial = False
    if look(self, attacking, known, &children, node):
        if not self.aborted:
            write(self, attacking, node, self.nodes - before)
        return
    partial |= self.partial
    while not self.aborted:
        node.partial = partial
        second = gather(self, attacking, &children, node, &best)
        write(self, attacking, node, self.nodes - before)
        if node.phi >= phi_limit or node.delta >= delta_limit or is_decided(node):
            return
        down(self, best.move)
        prove(self, not attacking, min(INFINITE, delta_limit - node.delta + best.phi),
              min(phi_limit, second + 1 + slack), &best)
        up(self)
        if not attacking and best.phi == 0 and not self.aborted:
            refute_fours(self, &children)


# --- The line of a proof ---

cdef void trace_hopeless(fk_solver *self, const fk_children *children) noexcept nogil:
    """Note the line after a move that defends nothing."""
    cdef fk_position *pos = self.pos
    cdef int side = side_to_move(pos)
    cdef int move = find_class(pos, 1 - side, FK_POINT_FIVE)
    if move == FK_NO_POINT or not is_allowed(pos, move, side):
        move = other_point(pos, children.moves, children.count)
    if move == FK_NO_POINT:
        return
    down(self, move)
    look_for_fours(self, NULL)
    up(self)
    set_line(self, move)


cdef void trace(fk_solver *self, bint attacking) noexcept nogil:
    """Note the line of a won node: the attacker's winning moves against the longest defence."""
    cdef fk_position *pos = self.pos
    cdef fk_children children
    cdef fk_proof node, child
    cdef int number, move = FK_NO_POINT, longest
    self.length[self.ply] = 0
    prove(self, attacking, INFINITE, INFINITE, &node)  # in case the table has lost it
    if self.aborted or not is_won(&node, attacking):
        return
    if attacking:
        if look_for_fours(self, NULL):
            return
        move = node.move
        if pos.board.cells[move] != FK_EMPTY:
            return  # a foreign entry under this key, or none that holds a move: the line ends here
    else:
        look(self, False, True, &children, &node)
        longest = children.floor
        for number in range(children.count):
            if (read(self, key_after(pos, children.moves[number]), True, &child) and child.phi == 0
                    and child.plies + 1 > longest):
                longest = child.plies + 1
                move = children.moves[number]
        if move == FK_NO_POINT:
            trace_hopeless(self, &children)
            return
    down(self, move)
    trace(self, not attacking)
    up(self)
    set_line(self, move)


cdef int solve_vct(fk_solver *self, int plies) noexcept nogil:
    cdef fk_proof node
    cdef bint need_line = self.need_line
    cdef int64_t node_limit = self.node_limit
    cdef int result
    if self.tt == NULL:
        return 0
    if not (read(self, self.pos.board.key, True, &node) and is_decided(&node)):
        self.node_limit = min(node_limit, self.nodes + node_limit // 4)
        result = solve_vcf_shortest(self, UNLIMITED)
        restore_limit(self, node_limit)
        if result or self.aborted:
            return result if result <= plies else 0
    self.need_line = False
    self.root_score = evaluate(self.pos, side_to_move(self.pos))
    memset(self.killer, 0, sizeof(self.killer))
    prove(self, True, INFINITE, INFINITE, &node)
    self.partial = node.partial
    if self.aborted or not is_won(&node, True):
        return 0
    self.need_line = need_line
    if need_line:
        trace(self, True)
    return node.plies if node.plies <= plies else 0


cdef int solve_forced(fk_solver *self, bint fours_only, int plies) noexcept nogil:
    return solve_vcf_shortest(self, plies) if fours_only else solve_vct(self, plies)
