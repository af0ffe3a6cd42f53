"""The transposition table's memory. Entries and their rules of replacement are in csrc/fk_tt.h.

Floor 5.
"""

from gomoku._core.types cimport fk_tt


cdef class Table:
    cdef fk_tt tt
    cdef void *memory
    cdef readonly Py_ssize_t size_bytes

    cdef void new_search(self) noexcept nogil
