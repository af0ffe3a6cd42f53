"""Grades by the chains of stones that touch a point, and a matrix that decides between equal ones."""

from gomoku._core.types cimport int64_t
from gomoku.classics._grader cimport Grader


cdef enum:
    LONGEST_CHAIN = 12    # further stones of a chain add nothing
    CHAIN_UNIT = 64       # of the grade; beyond every value of the default matrix


cdef class ChainGrades(Grader):
    cdef int64_t opposing_chain[LONGEST_CHAIN + 1]   # [stones]: share of the grade
    cdef int64_t own_chain[LONGEST_CHAIN + 1]
    cdef int64_t matrix[1024]                        # [point]
