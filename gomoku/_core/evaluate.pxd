"""What shapes are worth: weights, and the score of a position.

Floor 3. The weights are a value for each line shape and for each point class, for the position score, and the same for
the move scores. They are summed once for every combination of shapes into the rule's code table.
"""

from gomoku._core.types cimport fk_rule, fk_state

# The tables of a rule with their weights filled in; builds them at the first call, so it needs the GIL.
cdef fk_rule *weighted_rule(int rule) except NULL

# The position score for the side with colour index `side`, which is to move: the sum over all empty points, and what
# it means to have the next stone with the threats that stand on the board.
cdef int evaluate(const fk_rule *rule, const fk_state *state, int side) noexcept nogil
