"""The class that Python drives iteration by iteration.

Floor 7.
"""

from gomoku._core.alphabeta cimport fk_worker
from gomoku._core.threats cimport fk_solver
from gomoku._core.tt cimport Table
from gomoku._core.types cimport fk_position, fk_stop


cdef class Searcher:
    cdef fk_position *pos
    cdef fk_worker *worker
    cdef fk_solver *solver
    cdef fk_stop *stop_flag
    cdef readonly Table table
    cdef Searcher leader
    cdef bint running
    cdef bint ready

    cdef void _connect(self) noexcept nogil
    cdef object _move(self, int point)
