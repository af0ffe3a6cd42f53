"""Results that follow from the threats on the board alone, without search.

Floor 5. Exact: what they say holds against every defence.
"""

from gomoku._core.types cimport fk_position

# Plies to the five if the side to move wins, minus the plies to the other side's if it loses, 0 if nothing is certain.
cdef int verdict(const fk_position *pos) noexcept nogil
