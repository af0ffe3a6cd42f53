"""The C structs and enums of csrc, as Cython sees them. Read csrc/fk_types.h for what they mean."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "fk_types.h" nogil:
    enum:
        FK_STRIDE
        FK_BORDER
        FK_CELLS
        FK_MAX_SIZE
        FK_MAX_POINTS
        FK_MAX_PLIES
        FK_NO_POINT
        FK_EMPTY
        FK_BLACK
        FK_WHITE
        FK_WALL
        FK_DIRECTIONS
        FK_DEAD
        FK_ONE
        FK_OPEN_ONE
        FK_TWO
        FK_OPEN_TWO_1
        FK_OPEN_TWO_2
        FK_OPEN_TWO_3
        FK_THREE
        FK_OPEN_THREE_1
        FK_OPEN_THREE_2
        FK_FOUR
        FK_OPEN_FOUR
        FK_FIVE
        FK_FORBIDDEN
        FK_SHAPES
        FK_POINT_NONE
        FK_POINT_FORBIDDEN
        FK_POINT_TWO
        FK_POINT_THREE
        FK_POINT_DOUBLE_TWO
        FK_POINT_THREE_PLUS
        FK_POINT_OPEN_THREE
        FK_POINT_OPEN_THREE_PLUS
        FK_POINT_DOUBLE_THREE
        FK_POINT_FOUR
        FK_POINT_FOUR_PLUS
        FK_POINT_FOUR_THREE
        FK_POINT_OPEN_FOUR
        FK_POINT_FIVE
        FK_POINT_CLASSES
        FK_CODES
        FK_CODE_BITS
        FK_PAIRS
        FK_PAIR_BITS
        FK_FACTS
        FK_COUNTS
        FK_STATUS_OPEN
        FK_STATUS_BLACK_WINS
        FK_STATUS_WHITE_WINS
        FK_STATUS_FOUL
        FK_MAX_UNDO

    ctypedef struct fk_weights:
        int16_t own
        int16_t loss
        int16_t attack
        int16_t defend

    enum:
        FK_VIEW
        FK_HIDDEN
        FK_NETWORK_LIMIT

    ctypedef struct fk_row:
        int16_t own[16]
        int16_t other[16]

    ctypedef struct fk_network:
        int16_t inputs[16][32][2]
        int16_t bias[32]
        int16_t slope[32]
        int16_t out[32]
        int16_t input_shift
        int16_t out_shift

    ctypedef struct fk_views:
        uint16_t of[2][16]

    ctypedef struct fk_rule:
        int rule
        int half
        uint32_t lo_mask
        uint32_t hi_mask
        uint8_t *shapes
        const uint8_t *pairs
        const uint16_t *keys[2]
        const fk_weights *weights[2]
        uint16_t key_tables[2][13440]
        fk_weights weight_tables[2][2380]
        uint8_t free_classes[2380]
        int16_t threats[2][2048]
        int16_t counts[2][2][14][8]
        const fk_row *rows[2]
        fk_row row_tables[2][2380]
        fk_network networks[2]

    ctypedef struct fk_board:
        uint64_t lines[4][64]
        uint8_t cells[1024]
        uint64_t key
        int32_t width
        int32_t height
        int32_t rule
        int32_t to_move
        int32_t ply
        int32_t empty
        int16_t moves[512]
        uint8_t movers[512]
        uint8_t status[513]

    ctypedef struct fk_cell:
        int16_t value[2]
        int16_t score[2]
        uint16_t shapes[2]
        uint8_t point_class[2]
        int16_t point

    ctypedef struct fk_state:
        uint64_t near_points[16]
        uint64_t threats[2][16]
        uint16_t count[2][16]
        int32_t value[2]
        int32_t undo_end
        int32_t has_views
        fk_views views

    ctypedef struct fk_position:
        fk_board board
        fk_cell cells[1024]
        const fk_rule *rule
        fk_state *state
        fk_state states[513]
        fk_cell undo[20480]

    ctypedef struct fk_constants:
        int razor_depth
        int razor_base
        int razor_margin
        int futility_margin
        int fail_high_margin
        int late_moves_base
        int late_moves_exponent
        int late_moves_worsening
        int reduction_divisor
        int root_reduction
        int pv_node_reduction
        int cut_node_reduction
        int worsening_reduction
        int table_pv_reduction
        int threat_reduction
        int history_reduction
        int score_per_ply
        int score_reduction_limit
        int deeper_margin
        int shallower_margin
        int singular_depth
        int singular_margin
        int singular_slack
        int leaf_vcf_plies
        int leaf_vcf_nodes
        int history_bonus
        int history_bonus_limit
        int history_score
        int killer_score
        int counter_score
        int aspiration_base
        int aspiration_divisor
        int aspiration_growth

cdef extern from "fk_line.h" nogil:
    int fk_line_number(int direction, int point)
    int fk_line_place(int direction, int point)
    int fk_line_step(int direction)
    uint32_t fk_window_key(uint64_t line, int place, int half, uint32_t lo_mask, uint32_t hi_mask)
    void fk_lines_toggle(uint64_t lines[4][64], int point, int stone)

cdef extern from "fk_weigh.h" nogil:
    int fk_code_of(const fk_rule *rule, int side, int shapes)
    int fk_class_of(const fk_rule *rule, int side, int shapes)
    bint fk_is_threat(int point_class)
    void fk_cell_set(const fk_rule *rule, fk_cell *cell, int black_shapes, int white_shapes)
    void fk_refresh_line(fk_position *pos, fk_state *state, int point, int direction, int half)

cdef extern from "fk_network.h" nogil:
    void fk_views_of_all(fk_position *pos)
    void fk_views_update(fk_position *pos)
    int fk_network_score(const fk_network *net, const fk_views *views, int side, int score)

cdef extern from "fk_platform.h" nogil:
    int fk_ctz64(uint64_t bits)
    int fk_popcount64(uint64_t bits)
    void fk_prefetch(const void *address)
    int64_t fk_monotonic_ns()

cdef extern from "fk_rng.h" nogil:
    uint64_t fk_mix64(uint64_t x)

cdef extern from "fk_stop.h" nogil:
    const int64_t FK_NEVER

    ctypedef struct fk_stop:
        pass

    void fk_stop_set(fk_stop *self, int stop)
    int fk_stop_get(fk_stop *self)
    void fk_stop_set_deadline(fk_stop *self, int64_t ns)
    int64_t fk_stop_get_deadline(fk_stop *self)
    int fk_stop_due(fk_stop *self)

cdef extern from "fk_tt.h" nogil:
    enum:
        FK_BOUND_NONE
        FK_BOUND_UPPER
        FK_BOUND_LOWER
        FK_BOUND_EXACT
        FK_TT_GENERATIONS

    ctypedef struct fk_tt_bucket:
        pass

    ctypedef struct fk_tt:
        fk_tt_bucket *buckets
        uint64_t count
        uint32_t generation

    ctypedef struct fk_tt_data:
        int value
        int eval
        int move
        int bound
        int pv
        int depth

    void fk_tt_prefetch(const fk_tt *tt, uint64_t key)
    bint fk_tt_probe(const fk_tt *tt, uint64_t key, fk_tt_data *d)
    void fk_tt_store(fk_tt *tt, uint64_t key, const fk_tt_data *d)
    int fk_tt_permille(const fk_tt *tt)
