"""The transposition table's memory. See tt.pxd."""

cimport cython
from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gomoku._core.types cimport FK_HUGE_PAGE, FK_TT_GENERATIONS, fk_tt_bucket, fk_tt_permille, fk_wish_huge_pages


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
        self.size_bytes = count * sizeof(fk_tt_bucket)
        cdef size_t alignment = FK_HUGE_PAGE if self.size_bytes >= FK_HUGE_PAGE else sizeof(fk_tt_bucket)
        # calloc hands out untouched pages: memory is taken from the system as entries are written.
        self.memory = calloc(1, self.size_bytes + alignment)
        if self.memory == NULL:
            raise MemoryError(f"no memory for a transposition table of {size_bytes} bytes")
        self.tt.buckets = <fk_tt_bucket *>((<uintptr_t>self.memory + alignment - 1) & ~(alignment - 1))
        fk_wish_huge_pages(self.tt.buckets, self.size_bytes)
        self.tt.count = count
        self.tt.generation = 0

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
