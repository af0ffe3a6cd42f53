"""What shapes are worth. See evaluate.pxd for the interface."""

from gomoku._core.patterns cimport code_shapes, rule_tables
from gomoku._core.types cimport (
    FK_CODES,
    FK_POINT_DOUBLE_THREE,
    FK_POINT_FORBIDDEN,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    FK_POINT_OPEN_THREE_PLUS,
    fk_code_info,
    uint16_t,
)

# Weights by line shape: DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO_1/2/3, THREE, OPEN_THREE_1/2, FOUR, OPEN_FOUR, FIVE,
# FORBIDDEN. The values (and all of the position score below) are a logistic fit on 2,200 freestyle games of the engine
# against itself at 3,000 nodes a move, 0.4 of the target from the result, 0.6 from the searched score; 200 units are
# one unit of log odds. The move scores are guesses of a player's eye.
cdef int *SHAPE_VALUE = [0, 1, 0, 2, 15, 14, 20, 16, 16, 17, 20, 28, 0, 0]
cdef int *SHAPE_ATTACK = [0, 2, 8, 12, 30, 36, 42, 40, 90, 100, 105, 400, 1000, 0]
cdef int *SHAPE_DEFEND = [0, 1, 6, 8, 24, 30, 36, 28, 70, 80, 70, 300, 800, 0]

# Weights by point class: NONE, FORBIDDEN, TWO, THREE, DOUBLE_TWO, THREE_PLUS, OPEN_THREE, OPEN_THREE_PLUS,
# DOUBLE_THREE, FOUR, FOUR_PLUS, FOUR_THREE, OPEN_FOUR, FIVE; values fitted, move scores guessed as above.
cdef int *CLASS_VALUE = [0, -30, -13, -10, -18, -16, 2, 7, 62, 4, 17, 102, 48, 0]
cdef int *CLASS_ATTACK = [0, 0, 0, 0, 24, 30, 20, 50, 160, 10, 60, 400, 1500, 4000]
cdef int *CLASS_DEFEND = [0, 0, 0, 0, 18, 20, 14, 40, 120, 6, 40, 300, 1000, 3000]

# Worth of having the move, and of the strongest threats of either side beyond their share in the sum.
cdef enum:
    TEMPO = 105
    OWN_FOUR_THREE = -19
    OWN_DOUBLE_THREE = -3
    OWN_FOUR = 15
    OWN_OPEN_THREE = 25
    OTHER_OPEN_FOUR = 14
    OTHER_FOUR_THREE = 28
    OTHER_DOUBLE_THREE = 54
    OTHER_OPEN_THREE = 6
    OTHER_FOUR = -19


cdef bint weighted[16]


cdef fk_rule *weighted_rule(int rule) except NULL:
    cdef fk_rule *tables = rule_tables(rule)
    cdef fk_code_info *info
    cdef int side, code, direction, shape
    if weighted[rule]:
        return tables
    for side in range(2):
        for code in range(FK_CODES):
            info = &tables.info[side][code]
            info.value = CLASS_VALUE[info.point_class]
            info.attack = CLASS_ATTACK[info.point_class]
            info.defend = CLASS_DEFEND[info.free_class]
            for direction in range(4):
                shape = code_shapes[code] >> (4 * direction) & 15
                info.value += SHAPE_VALUE[shape]
                info.attack += SHAPE_ATTACK[shape]
                info.defend += SHAPE_DEFEND[shape]
            if info.point_class == FK_POINT_FORBIDDEN:
                info.attack = 0
    weighted[rule] = True
    return tables


cdef int evaluate(const fk_rule *rule, const fk_state *state, int side) noexcept nogil:
    cdef const uint16_t *own = state.count[side]
    cdef const uint16_t *other = state.count[1 - side]
    cdef int score = TEMPO + (-state.value if side else state.value)
    if own[FK_POINT_FOUR_THREE]:
        score += OWN_FOUR_THREE
    if own[FK_POINT_DOUBLE_THREE]:
        score += OWN_DOUBLE_THREE
    if own[FK_POINT_FOUR] + own[FK_POINT_FOUR_PLUS]:
        score += OWN_FOUR
    if own[FK_POINT_OPEN_THREE] + own[FK_POINT_OPEN_THREE_PLUS]:
        score += OWN_OPEN_THREE
    if other[FK_POINT_OPEN_FOUR]:
        score += OTHER_OPEN_FOUR
    else:
        if other[FK_POINT_FOUR_THREE]:
            score += OTHER_FOUR_THREE
        if other[FK_POINT_DOUBLE_THREE]:
            score += OTHER_DOUBLE_THREE
    if other[FK_POINT_OPEN_THREE] + other[FK_POINT_OPEN_THREE_PLUS]:
        score += OTHER_OPEN_THREE
    if other[FK_POINT_FOUR] + other[FK_POINT_FOUR_PLUS]:
        score += OTHER_FOUR
    return max(-6000, min(6000, score))
