# cython: freethreading_compatible=True
"""Chains with exponential coefficients. See _chains.pxd."""

cimport cython

import operator

from gomoku._core.board cimport point_at
from gomoku._core.types cimport FK_DIRECTIONS, FK_EMPTY, FK_MAX_SIZE, FK_WALL, fk_board, fk_line_step, int64_t
from gomoku.classics._grader cimport Grader

UNIT = CHAIN_UNIT  # of the grade, for Python

LARGEST_BONUS = 10**12  # of a matrix; leaves room for the sums


@cython.final
cdef class ChainGrades(Grader):
    """Grades by the chains that touch a point.

    Args:
        base: what one stone more multiplies a chain's share of the grade by.
        own: factor of chains of one's own.
        opposing: factor of the other side's chains.
    """

    def __cinit__(self, int base, int64_t own, int64_t opposing):
        cdef int stones
        cdef int64_t power = 1
        # The k-th stone adds base**k - base**(k-1), so that a chain of k stones has base**k - 1 in all.
        for stones in range(LONGEST_CHAIN + 1):
            self.own_chain[stones] = CHAIN_UNIT * own * (power - 1)
            self.opposing_chain[stones] = CHAIN_UNIT * opposing * (power - 1)
            power *= base

    cdef void fill(self, const fk_board *board, int color) noexcept nogil:
        cdef int index, point, direction, step, cell, place, stones, sign
        for index in range(self.empty):
            point = self.empty_points[index]
            self.own[point] = self.matrix[point]
            for direction in range(2 * FK_DIRECTIONS):
                sign = 1 if direction < FK_DIRECTIONS else -1
                step = sign * fk_line_step(direction % FK_DIRECTIONS)
                cell = board.cells[point + step]
                if cell == FK_EMPTY or cell == FK_WALL:
                    continue
                place = point + 2 * step
                stones = 1
                while stones < LONGEST_CHAIN and board.cells[place] == cell:
                    place += step
                    stones += 1
                self.own[point] += self.own_chain[stones] if cell == color else self.opposing_chain[stones]

    def set_matrix(self, rows, int width, int height):
        """Take the positional matrix of a board, as rows of integers."""
        cdef int x, y
        matrix = [list(row) for row in rows]
        checked = []
        if len(matrix) != height or any(len(row) != width for row in matrix):
            raise ValueError(f"a matrix of {len(matrix)} rows of {sorted({len(row) for row in matrix})} values does "
                             f"not fit the board; give {height} rows of {width} values")
        if not (0 <= width <= FK_MAX_SIZE and 0 <= height <= FK_MAX_SIZE):
            raise ValueError(f"a board has at most {FK_MAX_SIZE} columns and rows, not {width} and {height}")
        for y in range(height):
            for x in range(width):
                value = matrix[y][x]
                if not -LARGEST_BONUS <= value <= LARGEST_BONUS:
                    raise ValueError(f"a matrix value of {value} at {x},{y} is out of range; "
                                     f"it must be {-LARGEST_BONUS} to {LARGEST_BONUS}")
                checked.append(operator.index(value))
        for y in range(height):
            for x in range(width):
                self.matrix[point_at(x, y)] = checked[y * width + x]
