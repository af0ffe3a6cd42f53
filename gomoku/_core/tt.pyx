"""The transposition table's memory. See tt.pxd."""

cimport cython
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku._core.types cimport FK_TT_GENERATIONS, fk_tt_bucket, fk_tt_permille


@cython.final
cdef class Table:
    """A transposition table of a fixed size.

    Args:
        size_bytes: memory for the entries; rounded down to whole buckets of 64 bytes, at least one.

    Raises:
        ValueError: ``size_bytes`` is negative.
        MemoryError: the system has not that much.

    Thread-safety: search threads share a table without locks; `clear` needs all searches stopped.
    """

    def __cinit__(self, size_bytes):
        if size_bytes < 0:
            raise ValueError(f"a table of {size_bytes} bytes is impossible; give 0 or more")
        count = max(1, size_bytes // sizeof(fk_tt_bucket))
        # calloc hands out untouched pages: memory is taken from the system as entries are written.
        self.memory = calloc(count + 1, sizeof(fk_tt_bucket))
        if self.memory == NULL:
            raise MemoryError(f"no memory for a transposition table of {size_bytes} bytes")
        self.tt.buckets = <fk_tt_bucket *>((<uintptr_t>self.memory + 63) & ~<uintptr_t>63)
        self.tt.count = count
        self.tt.generation = 0
        self.size_bytes = count * sizeof(fk_tt_bucket)

    def __dealloc__(self):
        free(self.memory)

    cdef void new_search(self) noexcept nogil:
        """Age all entries by one search."""
        self.tt.generation = (self.tt.generation + 1) % FK_TT_GENERATIONS

    def clear(self):
        """Forget everything."""
        with nogil:
            memset(self.tt.buckets, 0, self.tt.count * sizeof(fk_tt_bucket))
        self.tt.generation = 0

    @property
    def permille(self):
        """Thousandths of a sample of the entries that the current search wrote."""
        return fk_tt_permille(&self.tt)
