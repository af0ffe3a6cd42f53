"""Windows into the compiled core for tests and benchmarks. Not part of the product."""

from libc.stdlib cimport calloc, free

from gomoku._core.board cimport Board, board_place, board_wins, point_at, point_x, point_y
from gomoku._core.evaluate cimport evaluate, weighted_rule
from gomoku._core.position cimport (
    position_check,
    position_pop,
    position_push,
    position_set,
    side_to_move,
)
from gomoku._core.threats cimport UNLIMITED, fk_solver, solve_vcf, solver_set
from gomoku._core.tt cimport Table
from gomoku._core.types cimport (
    FK_NEVER,
    fk_board,
    fk_monotonic_ns,
    fk_position,
    fk_rule,
    fk_stop,
    fk_stop_set,
    fk_stop_set_deadline,
    uint32_t,
)
from gomoku._core.vct cimport solve_vct
from gomoku._core.verdict cimport verdict

SHAPE_NAMES = ("DEAD", "ONE", "OPEN_ONE", "TWO", "OPEN_TWO_1", "OPEN_TWO_2", "OPEN_TWO_3", "THREE", "OPEN_THREE_1",
               "OPEN_THREE_2", "FOUR", "OPEN_FOUR", "FIVE", "FORBIDDEN")


def window_shape(int rule, int color, str window):
    """Name of the shape of eleven symbols (X own, O other, . empty, # wall) whose centre is own."""
    cdef fk_rule *tables = weighted_rule(rule)
    cdef uint32_t key = 0
    cdef int place = 0, index
    stones = {".": 0, "X": color, "O": 3 - color, "#": 3}
    for index in range(5 - tables.half, 6 + tables.half):
        if index != 5:
            key |= <uint32_t>stones[window[index]] << (2 * place)
            place += 1
    return SHAPE_NAMES[tables.shapes[key] >> (4 if color == 2 else 0) & 15]


def wins_at(Board board not None, int x, int y, int color):
    """Whether a stone of a colour on an empty point completes a winning line, by the board's own judgement."""
    cdef fk_board copy = board.board
    copy.to_move = color
    board_place(&copy, point_at(x, y))
    return board_wins(&copy, point_at(x, y), NULL, NULL, NULL)


cdef fk_solver *new_solver(fk_stop *stop) except NULL:
    """A solver to be set and freed, and a stop flag for it that nobody raises."""
    cdef fk_solver *solver = <fk_solver *>calloc(1, sizeof(fk_solver))
    if solver == NULL:
        raise MemoryError("no memory for a solver")
    fk_stop_set(stop, 0)
    fk_stop_set_deadline(stop, FK_NEVER)
    return solver


cdef class PositionProbe:
    """A search position with Python's hands on it."""

    cdef fk_position *pos
    cdef fk_position *scratch

    def __cinit__(self, Board board not None):
        self.pos = <fk_position *>calloc(1, sizeof(fk_position))
        self.scratch = <fk_position *>calloc(1, sizeof(fk_position))
        if self.pos == NULL or self.scratch == NULL:
            raise MemoryError("no memory for a position")
        position_set(self.pos, &board.board, weighted_rule(board.board.rule))

    def __dealloc__(self):
        free(self.pos)
        free(self.scratch)

    def push(self, int x, int y):
        """Place a stone of the side to move."""
        position_push(self.pos, point_at(x, y))

    def pop(self):
        """Take the last stone back."""
        position_pop(self.pos)

    def check(self):
        """0, or what differs from a fresh computation."""
        return position_check(self.pos, self.scratch)

    def evaluate(self):
        """The position score for the side to move."""
        return evaluate(self.pos, side_to_move(self.pos))

    def verdict(self):
        """Plies to a result that is certain without search: positive if the side to move wins, 0 if none is."""
        return verdict(self.pos)

    def point_class(self, int x, int y, int color):
        """The class number of an empty point."""
        return self.pos.cells[point_at(x, y)].point_class[color - 1]

    def move_score(self, int x, int y, int color):
        """The move score of an empty point for a colour."""
        return self.pos.cells[point_at(x, y)].score[color - 1]

    def shape_names(self, int x, int y, int color):
        """Names of the shapes of an empty point on its four lines: row, column, falling and rising diagonal."""
        cdef int shapes = self.pos.cells[point_at(x, y)].shapes[color - 1], direction
        return tuple(SHAPE_NAMES[shapes >> (4 * direction) & 15] for direction in range(4))

    def shape_counts(self):
        """Line shapes over all empty points as ``[color - 1][shape]``; four for each point."""
        counts = [[0] * 14, [0] * 14]
        cdef int point, side, direction
        for point in range(1024):
            if self.pos.board.cells[point] == 0:
                for side in range(2):
                    for direction in range(4):
                        counts[side][self.pos.cells[point].shapes[side] >> (4 * direction) & 15] += 1
        return counts

    def class_counts(self):
        """Empty points by class as ``[color - 1][point class]``."""
        return [[self.pos.state.count[side][number] for number in range(14)] for side in range(2)]

    def near_points(self):
        """Empty points worth considering, row by row."""
        cdef int point
        return [(point_x(point), point_y(point)) for point in range(1024)
                if self.pos.state.near_points[point >> 6] >> (point & 63) & 1 and self.pos.board.cells[point] == 0]

    def time_push_pop(self, int rounds):
        """Nanoseconds per push and pop, over all near points."""
        cdef int point, number = 0, _round
        cdef int points[1024]
        for x, y in self.near_points():
            points[number] = point_at(x, y)
            number += 1
        cdef long long start = fk_monotonic_ns()
        with nogil:
            for _round in range(rounds):
                for point in range(number):
                    position_push(self.pos, points[point])
                    position_pop(self.pos)
        return <double>(fk_monotonic_ns() - start) / (rounds * number)

    def time_evaluate(self, int rounds):
        """Nanoseconds per evaluation."""
        cdef int round, total = 0
        cdef long long start = fk_monotonic_ns()
        with nogil:
            for round in range(rounds):
                self.pos.state.value[0] += 1  # so that the compiler cannot do it once
                total += evaluate(self.pos, round & 1)
        self.pos.state.value[0] -= rounds
        return <double>(fk_monotonic_ns() - start) / rounds if total else 0.0

    def threats_from_ply(self, int ply, long long nodes):
        """Plies of a win by threats that is looked for as if so many plies below the root, and the nodes it took."""
        cdef fk_stop stop
        cdef fk_solver *solver = new_solver(&stop)
        cdef Table table = Table(1 << 20)
        solver_set(solver, self.pos, &table.tt, &stop, nodes, False)
        solver.ply = ply
        plies, taken = solve_vct(solver, UNLIMITED), solver.nodes
        free(solver)
        return plies, taken

    def time_vcf(self, int plies, int rounds):
        """Nanoseconds per node of searches for continuous fours without a table, and the nodes of one search."""
        cdef fk_stop stop
        cdef fk_solver *solver = new_solver(&stop)
        cdef long long start, nodes = 0
        cdef int _round
        start = fk_monotonic_ns()
        with nogil:
            for _round in range(rounds):
                solver_set(solver, self.pos, NULL, &stop, FK_NEVER, False)
                solve_vcf(solver, plies)
                nodes += solver.nodes
        free(solver)
        return <double>(fk_monotonic_ns() - start) / max(1, nodes), nodes // max(1, rounds)
