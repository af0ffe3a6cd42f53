"""What a position is worth. See evaluate.pxd for the interface."""

import os

from gomoku._core.patterns cimport rule_tables
from gomoku._core.types cimport (
    FK_CODES,
    FK_COUNTS,
    FK_FACTS,
    FK_HIDDEN,
    FK_NETWORK_LIMIT,
    FK_POINT_CLASSES,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_THREE_PLUS,
    FK_VIEW,
    fk_network,
    fk_network_score,
    fk_position,
    fk_row,
    fk_rule,
    fk_state,
    fk_views_update,
    fk_weights,
    int16_t,
    uint16_t,
)

from gomoku.types import Rule

cdef enum:
    HIGHEST = 6000  # heuristic scores stay within this; gomoku.info.Score
    FINENESS = 8    # weights are in parts of a score unit, since a hundred small ones are added up

# A file of weights: the head, then for each colour, or once for a rule that treats both alike, the tables with an int16
# for every code, one with an int16 for every set of facts, one with an int16 for every number of points of every class,
# first those of the side to move, the rows of the network by code, and the network. Numbers are little endian.
MAGIC = b"FKWGHTS4"
cdef enum:
    HEAD_BYTES = 10  # MAGIC, the rule's protocol number, the number of colours
    TABLES = 4       # own, other, attack, defend
    LARGEST_SUM = 65535  # of a layer's numbers, each without its sign

HIDDEN = FK_HIDDEN
VIEW = FK_VIEW
NETWORK_LIMIT = FK_NETWORK_LIMIT

cdef bint weighted[16]


cdef fk_rule *weighted_rule(int rule) except NULL:
    cdef fk_rule *tables = rule_tables(rule)
    if not weighted[rule]:
        path = os.path.join(os.path.dirname(__file__), os.pardir, "data", "weights", f"{Rule(rule).label}.bin")
        with open(path, "rb") as file:
            if use_weights(file.read()) != rule:
                raise ValueError(f"{path} holds weights of another rule; install the package anew")
    return tables


cdef inline int number_at(const unsigned char *data, long index) noexcept nogil:
    """A little-endian int16."""
    return <int16_t>(data[2 * index] | data[2 * index + 1] << 8)


cdef bint is_network(const fk_network *network) noexcept nogil:
    """Whether all sums that its numbers can make fit an int32."""
    cdef int number, place, total, out = 0
    for number in range(FK_HIDDEN):
        out += abs(<int>network.out[number])
        total = 0
        for place in range(2 * FK_VIEW):
            total += abs(<int>network.inputs[place // 2][number][place % 2])
        if total > LARGEST_SUM:
            return False
    return out <= LARGEST_SUM and 0 <= network.input_shift <= 30 and 0 <= network.out_shift <= 30


def use_weights(bytes data not None):
    """Let all positions of a rule that are set up from now on be judged by these weights.

    Args:
        data: what a file of weights holds.

    Returns:
        Protocol number of the rule whose weights these are.

    Raises:
        ValueError: they are no weights of this version.
    """
    cdef long rows = sizeof(fk_row) // sizeof(int16_t) * FK_CODES, network = sizeof(fk_network) // sizeof(int16_t)
    cdef long plain = TABLES * FK_CODES + FK_FACTS + 2 * FK_POINT_CLASSES * FK_COUNTS
    cdef long size = plain + rows + network, first
    cdef fk_network networks[2]
    cdef int side, code, number, sides = 0
    cdef fk_weights *weights
    cdef fk_rule *tables
    cdef const unsigned char *numbers
    if len(data) >= HEAD_BYTES:
        sides = data[HEAD_BYTES - 1]
    if data[:len(MAGIC)] != MAGIC or sides not in (1, 2) or len(data) != HEAD_BYTES + 2 * sides * size:
        raise ValueError(f"these {len(data)} bytes are no weights of this version; make them with 'fukumi tune fit'")
    numbers = data
    numbers += HEAD_BYTES
    for side in range(sides):
        for number in range(network):
            (<int16_t *>&networks[side])[number] = number_at(numbers, size * side + plain + rows + number)
        if not is_network(&networks[side]):
            raise ValueError("these weights are damaged: sums of the network could overflow")
    rule = data[HEAD_BYTES - 2]
    tables = rule_tables(rule)
    for side in range(2):
        first = size * side if sides == 2 else 0
        tables.weights[side] = tables.weight_tables[side if sides == 2 else 0]
        for code in range(FK_CODES):
            weights = &tables.weight_tables[side][code]
            weights.own = number_at(numbers, first + code)
            weights.loss = -number_at(numbers, first + FK_CODES + code)
            weights.attack = number_at(numbers, first + 2 * FK_CODES + code)
            weights.defend = number_at(numbers, first + 3 * FK_CODES + code)
        for code in range(FK_FACTS):
            tables.threats[side][code] = number_at(numbers, first + TABLES * FK_CODES + code)
        for number in range(2 * FK_POINT_CLASSES * FK_COUNTS):
            (&tables.counts[side][0][0][0])[number] = number_at(
                numbers, first + TABLES * FK_CODES + FK_FACTS + number)
        for number in range(rows):
            (<int16_t *>&tables.row_tables[side][0])[number] = number_at(numbers, first + plain + number)
        tables.rows[side] = tables.row_tables[side if sides == 2 else 0]
        tables.networks[side] = networks[side if sides == 2 else 0]
    weighted[rule] = True
    return rule


cdef inline int count_score(const int16_t *counts, const uint16_t *points) noexcept nogil:
    """What the numbers of points of each class are worth, for classes of which single ones matter."""
    cdef int number = min(points[FK_POINT_FORBIDDEN], FK_COUNTS - 1), point_class
    cdef int score = counts[FK_POINT_FORBIDDEN * FK_COUNTS + number]
    for point_class in range(FK_POINT_THREE_PLUS, FK_POINT_FIVE + 1):
        score += counts[point_class * FK_COUNTS + min(points[point_class], FK_COUNTS - 1)]
    return score


cdef int evaluate(fk_position *pos, int side) noexcept nogil:
    cdef const fk_rule *rule = pos.rule
    cdef const fk_state *state = pos.state
    cdef int score = (state.value[side] + rule.threats[side][threat_facts(state, side)]
                      + count_score(&rule.counts[side][0][0][0], state.count[side])
                      + count_score(&rule.counts[side][1][0][0], state.count[1 - side]))
    fk_views_update(pos)
    score += fk_network_score(&rule.networks[side], &state.views, side, score)
    return max(-HIGHEST, min(HIGHEST, score // FINENESS))
