"""Line shapes from their definition, and the tables of each rule. See patterns.pxd for the interface."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from gomoku._core.types cimport (
    FK_CODE_BITS,
    FK_CODES,
    FK_DEAD,
    FK_FIVE,
    FK_FORBIDDEN,
    FK_FOUR,
    FK_ONE,
    FK_OPEN_FOUR,
    FK_OPEN_ONE,
    FK_OPEN_THREE_1,
    FK_OPEN_THREE_2,
    FK_OPEN_TWO_1,
    FK_OPEN_TWO_2,
    FK_OPEN_TWO_3,
    FK_PAIR_BITS,
    FK_PAIRS,
    FK_POINT_DOUBLE_THREE,
    FK_POINT_DOUBLE_TWO,
    FK_POINT_FIVE,
    FK_POINT_FORBIDDEN,
    FK_POINT_FOUR,
    FK_POINT_FOUR_PLUS,
    FK_POINT_FOUR_THREE,
    FK_POINT_NONE,
    FK_POINT_OPEN_FOUR,
    FK_POINT_OPEN_THREE,
    FK_POINT_OPEN_THREE_PLUS,
    FK_POINT_THREE,
    FK_POINT_THREE_PLUS,
    FK_POINT_TWO,
    FK_SHAPES,
    FK_THREE,
    FK_TWO,
)

# Protocol rule numbers (gomoku.types.Rule), as C constants.
cdef enum:
    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_EXACT = 9

# A cell of a window from one side's view.
cdef enum:
    NOTHING = 0
    OWN = 1
    OTHER = 2
    OUTSIDE = 3  # a wall: no stone ever comes here, and it is no block in caro

cdef enum:
    UNKNOWN = 255

# The windows of one rule for one side while their shapes are worked out.
ctypedef struct windows:
    int rule
    int black
    int half
    uint8_t *shape  # by own-view key, UNKNOWN until computed

cdef inline int cell_at(uint32_t key, int half, int offset) noexcept nogil:
    """The cell at an offset from the centre, which itself is left out of the key and is own."""
    if offset == 0:
        return OWN
    return key >> (2 * (offset + half if offset < 0 else offset + half - 1)) & 3


cdef inline uint32_t with_cell(uint32_t key, int half, int offset, int cell) noexcept nogil:
    return key | <uint32_t>cell << (2 * (offset + half if offset < 0 else offset + half - 1))


cdef int run_shape(windows *w, uint32_t key) noexcept nogil:
    """FIVE, FORBIDDEN or DEAD when the stones through the centre decide the line, else -1."""
    cdef int first = 0, last = 0
    while first > -w.half and cell_at(key, w.half, first - 1) == OWN:
        first -= 1
    while last < w.half and cell_at(key, w.half, last + 1) == OWN:
        last += 1
    cdef int run = last - first + 1
    if run < 5:
        return -1
    if w.rule == FREESTYLE:
        return FK_FIVE
    if w.rule == STANDARD:
        return FK_FIVE if run == 5 else FK_DEAD
    if w.rule == RENJU:
        return FK_FIVE if run == 5 or not w.black else FK_FORBIDDEN
    if run > 5:
        return FK_FIVE if w.rule == CARO else FK_DEAD
    if cell_at(key, w.half, first - 1) == OTHER and cell_at(key, w.half, last + 1) == OTHER:
        return FK_DEAD
    return FK_FIVE


cdef int shape_of(windows *w, uint32_t key) noexcept nogil:
    """The shape of a window: what the shapes with one own stone more say it can become."""
    if w.shape[key] != UNKNOWN:
        return w.shape[key]
    cdef int shape = run_shape(w, key)
    cdef int count[14]
    cdef int offset, first_five = 0, last_five = 0
    if shape < 0:
        memset(count, 0, sizeof(count))
        for offset in range(-4, 5):
            if offset != 0 and cell_at(key, w.half, offset) == NOTHING:
                shape = shape_of(w, with_cell(key, w.half, offset, OWN))
                count[shape] += 1
                if shape == FK_FIVE:
                    first_five = offset if count[FK_FIVE] == 1 else first_five
                    last_five = offset
        shape = shape_from_counts(w, count, last_five - first_five)
        if shape == FK_OPEN_FOUR and w.rule >= CARO and one_stone_stops(w, key):
            shape = FK_FOUR
    w.shape[key] = shape
    return shape


cdef bint one_stone_stops(windows *w, uint32_t key) noexcept nogil:
    """Whether one opposing stone leaves no five; in caro it may also spoil a five by standing at its end."""
    cdef int stone, offset
    cdef uint32_t stopped
    for stone in range(-w.half, w.half + 1):
        if stone == 0 or cell_at(key, w.half, stone) != NOTHING:
            continue
        stopped = with_cell(key, w.half, stone, OTHER)
        for offset in range(-4, 5):
            if (offset != 0 and cell_at(stopped, w.half, offset) == NOTHING
                    and run_shape(w, with_cell(stopped, w.half, offset, OWN)) == FK_FIVE):
                break
        else:
            return True
    return False


cdef int shape_from_counts(windows *w, const int *count, int five_distance) noexcept nogil:
    """The shape by how many one-stone continuations have which shape."""
    cdef int threes = count[FK_OPEN_THREE_1] + count[FK_OPEN_THREE_2]
    if count[FK_FIVE] >= 2:
        # Two winning points of one open four are five apart; any others are two fours on one line: XXX.X.XXX
        if w.rule == RENJU and w.black and not (count[FK_FIVE] == 2 and five_distance == 5):
            return FK_FORBIDDEN
        return FK_OPEN_FOUR
    if count[FK_FIVE] == 1:
        return FK_FOUR
    if count[FK_OPEN_FOUR] >= 2:
        return FK_OPEN_THREE_2
    if count[FK_OPEN_FOUR] == 1:
        return FK_OPEN_THREE_1
    if count[FK_FOUR]:
        return FK_THREE
    if threes >= 4:
        return FK_OPEN_TWO_3
    if threes == 3:
        return FK_OPEN_TWO_2
    if threes >= 1:
        return FK_OPEN_TWO_1
    if count[FK_THREE]:
        return FK_TWO
    if count[FK_OPEN_TWO_1] + count[FK_OPEN_TWO_2] + count[FK_OPEN_TWO_3]:
        return FK_OPEN_ONE
    return FK_ONE if count[FK_TWO] else FK_DEAD


cdef inline uint32_t own_view(uint32_t key, int black, int rule) noexcept nogil:
    """The window from one side's view; outside caro a wall is just another block."""
    cdef uint32_t low
    if not black:
        key = (key & 0x55555555u) << 1 | (key & 0xAAAAAAAAu) >> 1
    if rule != CARO and rule != CARO_EXACT:
        low = key & (key >> 1) & 0x55555555u  # the low bit of each wall
        key &= ~low
    return key


cdef int fill_shapes(fk_rule *tables) except -1:
    """Compute tables.shapes: one window at a time, each from the windows with one stone more."""
    cdef uint32_t size = 1u << (4 * tables.half)
    cdef uint32_t key
    cdef windows w[2]
    cdef int side
    tables.shapes = <uint8_t *>malloc(size)
    w[0].shape = <uint8_t *>malloc(size)
    w[1].shape = <uint8_t *>malloc(size)
    if not (tables.shapes and w[0].shape and w[1].shape):
        free(w[0].shape)
        free(w[1].shape)
        raise MemoryError("no memory for the shape tables")
    for side in range(2):
        w[side].rule, w[side].black, w[side].half = tables.rule, side == 0, tables.half
        memset(w[side].shape, UNKNOWN, size)
    for key in range(size):
        tables.shapes[key] = (shape_of(&w[0], own_view(key, True, tables.rule))
                              | shape_of(&w[1], own_view(key, False, tables.rule)) << 4)
    free(w[0].shape)
    free(w[1].shape)
    return 0


# --- Codes: four shapes in any order ---

cdef uint16_t shapes_table[2380]
cdef const uint16_t *code_shapes = shapes_table
cdef uint8_t pair_table[256]                      # number of the pair by two shapes, in either order
cdef uint16_t pair_codes[105 << FK_PAIR_BITS]     # code by two pairs, in either order


cdef void fill_codes() noexcept nogil:
    """Number the unordered pairs of shapes and the unordered combinations of four."""
    cdef int a, b, c, d, number = 0
    for a in range(FK_SHAPES):
        for b in range(a, FK_SHAPES):
            pair_table[a | b << 4] = pair_table[b | a << 4] = number
            number += 1
    number = 0
    for a in range(FK_SHAPES):
        for b in range(a, FK_SHAPES):
            for c in range(b, FK_SHAPES):
                for d in range(c, FK_SHAPES):
                    set_code(a, b, c, d, number)
                    set_code(a, c, b, d, number)
                    set_code(a, d, b, c, number)
                    shapes_table[number] = a | b << 4 | c << 8 | d << 12
                    number += 1


cdef void set_code(int a, int b, int c, int d, int code) noexcept nogil:
    """Note the code of two pairs."""
    cdef int one = pair_table[a | b << 4], other = pair_table[c | d << 4]
    pair_codes[one << FK_PAIR_BITS | other] = pair_codes[other << FK_PAIR_BITS | one] = code


cdef int point_class_of(int rule, int side, int shapes) noexcept nogil:
    cdef int count[14]
    cdef int direction, fours, threes, twos
    memset(count, 0, sizeof(count))
    for direction in range(4):
        count[shapes >> (4 * direction) & 15] += 1
    fours = count[FK_FOUR] + count[FK_OPEN_FOUR]
    threes = count[FK_OPEN_THREE_1] + count[FK_OPEN_THREE_2]
    twos = count[FK_OPEN_TWO_1] + count[FK_OPEN_TWO_2] + count[FK_OPEN_TWO_3]
    if count[FK_FIVE]:
        return FK_POINT_FIVE
    if rule == RENJU and side == 0 and (count[FK_FORBIDDEN] or fours >= 2 or threes >= 2):
        return FK_POINT_FORBIDDEN
    if count[FK_OPEN_FOUR] or fours >= 2:
        return FK_POINT_OPEN_FOUR
    if fours:
        return FK_POINT_FOUR_THREE if threes else FK_POINT_FOUR_PLUS if twos or count[FK_THREE] else FK_POINT_FOUR
    if threes >= 2:
        return FK_POINT_DOUBLE_THREE
    if threes:
        return FK_POINT_OPEN_THREE_PLUS if twos or count[FK_THREE] else FK_POINT_OPEN_THREE
    if count[FK_THREE]:
        return FK_POINT_THREE_PLUS if twos or count[FK_THREE] >= 2 else FK_POINT_THREE
    if twos:
        return FK_POINT_DOUBLE_TWO if twos >= 2 else FK_POINT_TWO
    return FK_POINT_NONE


# --- One set of tables a rule, built at first use ---

cdef fk_rule *built[16]


cdef fk_rule *rule_tables(int rule) except NULL:
    cdef int half = 4 if rule == FREESTYLE else 5
    cdef fk_rule *tables
    cdef int side, code, number
    if rule not in (FREESTYLE, STANDARD, RENJU, CARO, CARO_EXACT):
        raise ValueError(f"unknown rule number {rule}; known are 0, 1, 4, 8 and 9")
    if built[rule] != NULL:
        return built[rule]
    tables = <fk_rule *>calloc(1, sizeof(fk_rule))
    if tables == NULL:
        raise MemoryError("no memory for the tables of a rule")
    tables.rule = rule
    tables.half = half
    tables.lo_mask = (1u << (2 * half)) - 1
    tables.hi_mask = tables.lo_mask << (2 * half)
    try:
        fill_shapes(tables)
    except MemoryError:
        free(tables.shapes)
        free(tables)
        raise
    tables.pairs = pair_table
    for side in range(2):
        for number in range(FK_PAIRS << FK_PAIR_BITS):
            code = pair_codes[number]
            tables.key_tables[side][number] = code | point_class_of(rule, side, code_shapes[code]) << FK_CODE_BITS
        # Only renju treats black and white differently.
        tables.keys[side] = tables.key_tables[side if rule == RENJU else 0]
        tables.weights[side] = tables.weight_tables[side]
    for code in range(FK_CODES):
        tables.free_classes[code] = point_class_of(FREESTYLE, 0, code_shapes[code])
    built[rule] = tables
    return tables


fill_codes()
