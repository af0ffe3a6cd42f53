"""What tuning sees of positions: the codes of their empty points and the facts about their threats.

Floor 8. The position score and the move scores are sums of weights by code (see evaluate.pxd), so these numbers are
all that a fit of the weights needs.
"""

cimport cython

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku._core.board cimport Board, point_at
from gomoku._core.evaluate cimport threat_facts, weighted_rule
from gomoku._core.patterns cimport code_shapes, rule_tables
from gomoku._core.position cimport list_allowed, position_push, position_set, side_to_move
from gomoku._core.threats cimport fk_solver, list_defences, solve_vcf, solver_set
from gomoku._core.types cimport (
    FK_CODES,
    FK_COUNTS,
    FK_EMPTY,
    FK_FACTS,
    FK_NEVER,
    FK_POINT_CLASSES,
    FK_SHAPES,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_OPEN_FOUR,
    FK_POINT_THREE_PLUS,
    fk_class_of,
    fk_code_of,
    fk_position,
    fk_rule,
    fk_stop,
    fk_stop_set,
    fk_stop_set_deadline,
    int64_t,
    uint8_t,
    uint16_t,
)

from gomoku.params import all_constants

# How far leaves of the search look for wins by fours.
cdef int VCF_PLIES = all_constants()["leaf_vcf_plies"]
cdef int VCF_NODES = all_constants()["leaf_vcf_nodes"]

CODES = FK_CODES
FACTS = FK_FACTS
CLASSES = FK_POINT_CLASSES
SHAPES = FK_SHAPES
COUNTS = FK_COUNTS
COUNTED_CLASSES = (FK_POINT_FORBIDDEN, *range(FK_POINT_THREE_PLUS, FK_POINT_FIVE + 1))


def code_table(int rule):
    """Return what each code stands for under a rule.

    Args:
        rule: protocol number.

    Returns:
        For each code, from 0: its four shapes in ascending order, and the point classes it makes for black and white.

    Example:
        >>> shapes, black, white = code_table(0)[-1]
        >>> shapes, black, white
        ((13, 13, 13, 13), 0, 0)
    """
    cdef const fk_rule *tables = rule_tables(rule)
    return [(tuple(code_shapes[code] >> (4 * direction) & 15 for direction in range(4)),
             fk_class_of(tables, 0, code_shapes[code]), fk_class_of(tables, 1, code_shapes[code]))
            for code in range(FK_CODES)]


@cython.final
cdef class GameReader:
    """Goes through games and writes down what their positions consist of.

    Args:
        rule: protocol number.
        size: side of the board.
    """

    cdef fk_position *pos
    cdef fk_solver *solver
    cdef fk_stop stop
    cdef uint8_t candidates[1024]
    cdef Board empty_board
    cdef int size

    def __cinit__(self, int rule, int size):
        self.size = size
        self.empty_board = Board(size, rule=rule)
        self.pos = <fk_position *>calloc(1, sizeof(fk_position))
        self.solver = <fk_solver *>calloc(1, sizeof(fk_solver))
        if not (self.pos and self.solver):
            raise MemoryError("no memory for a position")
        fk_stop_set(&self.stop, 0)
        fk_stop_set_deadline(&self.stop, FK_NEVER)

    def __dealloc__(self):
        free(self.pos)
        free(self.solver)

    def read(self, const uint16_t[::1] stones not None, int first, uint16_t[:, ::1] codes not None,
             uint16_t[::1] points not None, uint8_t[::1] playable not None, int64_t[::1] ends not None,
             uint16_t[::1] facts not None, uint8_t[::1] quiet not None):
        """Write down the empty points of every position in which a move was chosen.

        A point without any shape for either side counts only if the search would try it.

        Args:
            stones: the stones of the game, ``y * size + x``, black first, colours alternating.
            first: stones of the opening; the first position is the one after it.
            codes: shape ``(capacity, 2)``, ``uint16``; gets the codes of each point for the side to move and for the
                other side. ``capacity`` is at least the number of positions times that of points.
            points: shape ``(capacity,)``; gets the point, ``y * size + x``.
            playable: shape ``(capacity,)``; gets 1 if the search would try the point, else 0.
            ends: shape ``(positions,)``; gets the number of entries up to the end of each position.
            facts: shape ``(positions,)``; gets the facts about the threats in each position.
            quiet: shape ``(positions,)``; gets 1 if the search would ask for the position score: no five or open four
                decides, and the side to move has no win by fours, as far as a leaf of the search looks.

        Returns:
            The number of entries.

        Raises:
            ValueError: an array is too short, or a stone is not on an empty point of the board.
        """
        cdef fk_position *pos = self.pos
        cdef int ply, x, y, point, side, size = self.size, plies = <int>stones.shape[0], wrong = -1
        cdef Py_ssize_t count = 0, positions = plies - first
        if (first < 0 or codes.shape[1] != 2 or min(ends.shape[0], facts.shape[0], quiet.shape[0]) < positions
                or min(codes.shape[0], points.shape[0], playable.shape[0]) < positions * size * size):
            raise ValueError(f"the arrays are too short for {positions} positions of {size * size} points")
        position_set(pos, &self.empty_board.board, weighted_rule(self.empty_board.board.rule))
        with nogil:
            for ply in range(plies):
                if stones[ply] >= size * size or pos.board.cells[
                        point_at(stones[ply] % size, stones[ply] // size)] != FK_EMPTY:
                    wrong = ply
                    break
                if ply >= first:
                    side = side_to_move(pos)
                    self.mark_candidates(side)
                    for y in range(size):
                        for x in range(size):
                            point = point_at(x, y)
                            if pos.board.cells[point] != FK_EMPTY:
                                continue
                            codes[count, 0] = fk_code_of(pos.rule, side, pos.cells[point].shapes[side])
                            codes[count, 1] = fk_code_of(pos.rule, 1 - side, pos.cells[point].shapes[1 - side])
                            points[count] = <uint16_t>(y * size + x)
                            playable[count] = self.candidates[point]
                            count += (codes[count, 0] | codes[count, 1] | playable[count]) != 0
                    ends[ply - first] = count
                    facts[ply - first] = <uint16_t>threat_facts(pos.state, side)
                    quiet[ply - first] = self.is_quiet(side)
                position_push(pos, point_at(stones[ply] % size, stones[ply] // size))
        if wrong >= 0:
            raise ValueError(f"stone {wrong + 1} is put on {stones[wrong]}, which is no empty point of the board")
        return count

    cdef void mark_candidates(self, int side) noexcept nogil:
        """Find the points that the search would try in a position without a five."""
        cdef fk_position *pos = self.pos
        cdef int moves[484]
        cdef int number, count
        memset(self.candidates, 0, sizeof(self.candidates))
        if pos.state.count[1 - side][FK_POINT_OPEN_FOUR]:
            count = list_defences(pos, moves)
        else:
            count = list_allowed(pos, pos.state.near_points, side, moves)
        for number in range(count):
            self.candidates[moves[number]] = 1

    cdef bint is_quiet(self, int side) noexcept nogil:
        cdef fk_position *pos = self.pos
        if pos.state.count[1 - side][FK_POINT_FIVE] or pos.state.count[side][FK_POINT_FIVE]:
            return False
        if pos.state.count[side][FK_POINT_OPEN_FOUR]:
            return False
        solver_set(self.solver, pos, NULL, &self.stop, VCF_NODES, False)
        return solve_vcf(self.solver, VCF_PLIES) == 0
