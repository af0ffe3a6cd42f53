"""What a position is worth: learned weights, and the score they give.

Floor 3. The weights of a rule are numbers for each combination of four line shapes (a code), for the position score and
for the move scores, a number for each set of facts about the threats on the board, and a small network that corrects
their sum (csrc/fk_network.h). They come from games of the engine against itself (gomoku/tuning) and lie in
gomoku/data/weights, one file a rule.
"""

from gomoku._core.types cimport (
    FK_POINT_DOUBLE_THREE,
    FK_POINT_FIVE,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    FK_POINT_OPEN_THREE_PLUS,
    fk_position,
    fk_rule,
    fk_state,
    uint16_t,
)

# The tables of a rule with their weights filled in; reads them at the first call, so it needs the GIL.
cdef fk_rule *weighted_rule(int rule) except NULL

# The position score for the side with colour index `side`, which is to move: the sum over all empty points, what it
# means to have the next stone with the threats that stand on the board, and what the network makes of it.
cdef int evaluate(fk_position *pos, int side) noexcept nogil


cdef inline int threat_facts(const fk_state *state, int side) noexcept nogil:
    """Which threats either side could make with its next stone, as bits; `side` is to move.

    An open four of its own is left out: whoever has one wins, and nothing is evaluated.
    """
    cdef const uint16_t *own = state.count[side]
    cdef const uint16_t *other = state.count[1 - side]
    return ((own[FK_POINT_FOUR] + own[FK_POINT_FOUR_PLUS] > 0)
            | (own[FK_POINT_FOUR_THREE] > 0) << 1
            | (own[FK_POINT_OPEN_THREE] + own[FK_POINT_OPEN_THREE_PLUS] > 0) << 2
            | (own[FK_POINT_DOUBLE_THREE] > 0) << 3
            | (other[FK_POINT_FOUR] + other[FK_POINT_FOUR_PLUS] > 0) << 4
            | (other[FK_POINT_FOUR_THREE] > 0) << 5
            | (other[FK_POINT_OPEN_THREE] + other[FK_POINT_OPEN_THREE_PLUS] > 0) << 6
            | (other[FK_POINT_DOUBLE_THREE] > 0) << 7
            | (other[FK_POINT_OPEN_FOUR] > 0) << 8
            | (other[FK_POINT_FIVE] > 0) << 9
            | (own[FK_POINT_DOUBLE_THREE] + own[FK_POINT_FOUR_THREE] > 1) << 10)
