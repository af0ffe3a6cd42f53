/* The structs that every compiled module shares.
 *
 * Points live in a 32 x 32 grid with a border of walls five points wide, so that a window of five points to either
 * side of any board point never leaves the arrays: point = (y + 5) * 32 + (x + 5). The largest board is 22 x 22. */
#ifndef FK_TYPES_H
#define FK_TYPES_H

#include <assert.h>
#include <stdint.h>

enum {
    FK_STRIDE = 32,
    FK_BORDER = 5,
    FK_CELLS = 1024,
    FK_MAX_SIZE = 22,
    FK_MAX_POINTS = 484,
    FK_MAX_PLIES = 512, /* stones of a full board and some passes */
    FK_NO_POINT = 0     /* a border cell, so never a move */
};

/* What a cell holds; also the two bits of a cell in a line. */
enum { FK_EMPTY = 0, FK_BLACK = 1, FK_WHITE = 2, FK_WALL = 3 };

/* Directions: row, column, falling diagonal, rising diagonal. */
enum { FK_DIRECTIONS = 4 };

/* What a stone on a point would be worth on one line through it (the point itself taken as placed).
 * X own, . empty, O blocked. Each name says what the line becomes with one stone more:
 *   FIVE wins; FORBIDDEN is black's overline or double-four on one line in renju; OPEN_FOUR has two winning points,
 *   FOUR one; OPEN_THREE_n becomes an open four in one or in several ways; THREE becomes a four; OPEN_TWO_n becomes
 *   an open three in one or two, three, or more ways; TWO becomes a three; and so down to DEAD. */
enum {
    FK_DEAD = 0,
    FK_ONE = 1,
    FK_OPEN_ONE = 2,
    FK_TWO = 3,
    FK_OPEN_TWO_1 = 4,
    FK_OPEN_TWO_2 = 5,
    FK_OPEN_TWO_3 = 6,
    FK_THREE = 7,
    FK_OPEN_THREE_1 = 8,
    FK_OPEN_THREE_2 = 9,
    FK_FOUR = 10,
    FK_OPEN_FOUR = 11,
    FK_FIVE = 12,
    FK_FORBIDDEN = 13,
    FK_SHAPES = 14
};

/* What a stone on a point would be worth on its four lines together. Ordered by strength, but for FORBIDDEN, which is
 * black's in renju and is final for overlines and double-fours, to be verified for double-threes. */
enum {
    FK_POINT_NONE = 0,
    FK_POINT_FORBIDDEN = 1,
    FK_POINT_TWO = 2,
    FK_POINT_THREE = 3,
    FK_POINT_DOUBLE_TWO = 4,
    FK_POINT_THREE_PLUS = 5,
    FK_POINT_OPEN_THREE = 6,
    FK_POINT_OPEN_THREE_PLUS = 7,
    FK_POINT_DOUBLE_THREE = 8,
    FK_POINT_FOUR = 9,
    FK_POINT_FOUR_PLUS = 10,
    FK_POINT_FOUR_THREE = 11,
    FK_POINT_OPEN_FOUR = 12, /* an open four or a double-four: wins unless answered by a five */
    FK_POINT_FIVE = 13,
    FK_POINT_CLASSES = 14
};

/* Four line shapes in any order: C(14 + 3, 4) combinations. Two of them: 105 pairs. */
enum { FK_CODES = 2380, FK_CODE_BITS = 12, FK_PAIRS = 105, FK_PAIR_BITS = 7 };

/* Yes-or-no facts about the threats on the board, seen from the side to move (see evaluate.pxd), as bits of a number. */
enum { FK_FACTS = 1 << 11 };

/* Numbers of points that the position score tells apart: 0 to 7 and more. */
enum { FK_COUNTS = 8 };

/* What a combination of four line shapes is worth to the side that could make them. Four lanes of one word, which
 * fk_weigh.h adds at once. */
typedef struct {
    int16_t own;    /* share of the position score when that side is to move */
    int16_t loss;   /* the same, of the other side's score, when that one is to move */
    int16_t attack; /* move score for the side itself */
    int16_t defend; /* move score for the side that would take the point away */
} fk_weights;

/* The network of the position score: numbers in a view of the board, hidden numbers, and the largest sum of weights that
 * it looks at. */
enum { FK_VIEW = 16, FK_HIDDEN = 32, FK_NETWORK_LIMIT = 9600 };

/* What a code gives to a point: to the view of the side whose code it is, and to that of the other side. */
typedef struct {
    int16_t own[FK_VIEW];
    int16_t other[FK_VIEW];
} fk_row;

/* What is made of two views; see fk_network.h. Nothing but int16, in the order of a file. */
typedef struct {
    int16_t inputs[FK_VIEW][FK_HIDDEN][2]; /* [pair of numbers, own view first][hidden number][number of the pair] */
    int16_t bias[FK_HIDDEN];
    int16_t slope[FK_HIDDEN]; /* by the sum of weights, times 4 / 65536 */
    int16_t out[FK_HIDDEN];
    int16_t input_shift;      /* bits that the sum over the views is divided by */
    int16_t out_shift;        /* and the output */
} fk_network;

/* Both views of a board, black's and white's: sums over its empty points. They wrap around, so that sums come out the
 * same in any order. */
typedef struct {
    uint16_t of[2][FK_VIEW];
} fk_views;

/* A rule as data. */
typedef struct {
    int rule;         /* protocol number */
    int half;         /* points of the window to either side of its centre: 4 or 5 */
    uint32_t lo_mask; /* bits of the `half` points before the centre */
    uint32_t hi_mask; /* bits of the `half` points after it */
    uint8_t *shapes;  /* [1 << 4 * half]: black's shape | white's shape << 4 by window key */
    const uint8_t *pairs;    /* [256]: number of the pair by two shapes of four bits, in either order */
    /* [colour index], then by two pairs: code | point class << FK_CODE_BITS. Both the same table where the rule treats
     * both alike, and so are the weights: the fewer bytes, the faster. */
    const uint16_t *keys[2];
    const fk_weights *weights[2];        /* [colour index], then by code */
    uint16_t key_tables[2][FK_PAIRS << FK_PAIR_BITS];
    fk_weights weight_tables[2][FK_CODES];
    uint8_t free_classes[FK_CODES];      /* point class by code if nothing were forbidden */
    /* Shares of the position score by the colour index of the side to move: the facts; for that side (0) and the other
     * (1) how many points there are of each class, FK_COUNTS - 1 standing for more as well. */
    int16_t threats[2][FK_FACTS];
    int16_t counts[2][2][FK_POINT_CLASSES][FK_COUNTS];
    const fk_row *rows[2];  /* [colour index], then by code; both the same where the weights are */
    fk_row row_tables[2][FK_CODES];
    fk_network networks[2]; /* by the colour index of the side to move */
} fk_rule;

/* A board: stones, lines, history. */
typedef struct {
    uint64_t lines[FK_DIRECTIONS][64]; /* two bits a cell; see fk_line.h */
    uint8_t cells[FK_CELLS];
    uint64_t key;      /* Zobrist: stones, side to move, rule and size */
    int32_t width;
    int32_t height;
    int32_t rule;      /* protocol number */
    int32_t to_move;   /* FK_BLACK or FK_WHITE */
    int32_t ply;       /* entries of `moves` */
    int32_t empty;     /* empty points */
    int16_t moves[FK_MAX_PLIES];  /* point by ply */
    uint8_t movers[FK_MAX_PLIES]; /* colour by ply */
    uint8_t status[FK_MAX_PLIES + 1]; /* FK_STATUS_... after that many plies */
} fk_board;

enum { FK_STATUS_OPEN = 0, FK_STATUS_BLACK_WINS = 1, FK_STATUS_WHITE_WINS = 2, FK_STATUS_FOUL = 3 };

/* What the engine knows of one empty point. Frozen while a stone stands there. */
typedef struct {
    int16_t value[2];      /* [colour index of the side to move]: share of that side's position score */
    int16_t score[2];      /* [colour index]: move score when that side plays here */
    uint16_t shapes[2];    /* [colour index]: four line shapes, four bits a direction */
    uint8_t point_class[2]; /* [colour index]: FK_POINT_... */
    int16_t point;          /* this cell's own number, so that an undo entry is a cell */
} fk_cell;

static_assert(sizeof(fk_cell) == 16, "four cells a cache line");

/* What changes with every ply and is kept by copying. */
typedef struct {
    uint64_t near_points[16];    /* bit by cell: points worth considering (occupied ones included) */
    uint64_t threats[2][16];     /* [colour index] bit by cell: empty points of class open three and up, or forbidden */
    uint16_t count[2][16];       /* [colour index][FK_POINT_...]: empty points of that class */
    int32_t value[2];            /* [colour index of the side to move]: sum of the cells' values */
    int32_t undo_end;            /* entries of the undo stack before this ply */
    int32_t has_views;           /* whether the last field is known. It and what follows it are not copied. */
    fk_views views;
} fk_state;

enum { FK_MAX_UNDO = FK_MAX_PLIES * 40 };

/* The search's state: a board, what is known of each point, and the way back. */
typedef struct {
    fk_board board;
    fk_cell cells[FK_CELLS];
    const fk_rule *rule;
    fk_state *state;          /* the current one */
    fk_state states[FK_MAX_PLIES + 1];
    fk_cell undo[FK_MAX_UNDO];
} fk_position;

/* Constants of the search that only matches can judge. gomoku/params.py has their values and says what they mean. */
typedef struct {
    int razor_depth;
    int razor_base;
    int razor_margin;
    int futility_margin;
    int fail_high_margin;
    int late_moves_base;
    int late_moves_exponent;
    int late_moves_worsening;
    int reduction_divisor;
    int root_reduction;
    int pv_node_reduction;
    int cut_node_reduction;
    int worsening_reduction;
    int table_pv_reduction;
    int threat_reduction;
    int history_reduction;
    int score_per_ply;
    int score_reduction_limit;
    int deeper_margin;
    int shallower_margin;
    int singular_depth;
    int singular_margin;
    int singular_slack;
    int leaf_vcf_plies;
    int leaf_vcf_nodes;
    int history_bonus;
    int history_bonus_limit;
    int history_score;
    int killer_score;
    int counter_score;
    int aspiration_base;
    int aspiration_divisor;
    int aspiration_growth;
} fk_constants;

#endif
