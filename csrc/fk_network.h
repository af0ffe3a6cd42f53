/* The network of the position score: what a sum over points cannot say.
 *
 * Each empty point gives numbers to both sides' views of the board: what its code for that side and its code for the
 * other side give together, where that is above 0. Two views, sums over all points, and the sum of weights feed one
 * hidden layer; what it puts out is added to that sum. All in integers, so that every machine computes the same.
 *
 * The views are only computed for positions that are evaluated, from those of the last such position before: most
 * positions of the solvers never are. */
#ifndef FK_NETWORK_H
#define FK_NETWORK_H

#include <string.h>
#include "fk_weigh.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Eight numbers of a view in a register of the processor; a loop over memory would wait for its own last store. */
#if defined(__GNUC__)
typedef uint16_t fk_lanes __attribute__((vector_size(16)));
typedef int16_t fk_signed_lanes __attribute__((vector_size(16)));

static inline fk_lanes fk_lanes_add(fk_lanes a, fk_lanes b) { return a + b; }
static inline fk_lanes fk_lanes_subtract(fk_lanes a, fk_lanes b) { return a - b; }
static inline fk_lanes fk_lanes_above_0(fk_lanes a) { return a & (fk_lanes)((fk_signed_lanes)a > 0); }
#else
typedef struct {
    uint16_t lane[8];
} fk_lanes;

static inline fk_lanes fk_lanes_add(fk_lanes a, fk_lanes b)
{
    for (int i = 0; i < 8; i++)
        a.lane[i] = (uint16_t)(a.lane[i] + b.lane[i]);
    return a;
}

static inline fk_lanes fk_lanes_subtract(fk_lanes a, fk_lanes b)
{
    for (int i = 0; i < 8; i++)
        a.lane[i] = (uint16_t)(a.lane[i] - b.lane[i]);
    return a;
}

static inline fk_lanes fk_lanes_above_0(fk_lanes a)
{
    for (int i = 0; i < 8; i++)
        a.lane[i] = (int16_t)a.lane[i] > 0 ? a.lane[i] : 0;
    return a;
}
#endif

typedef struct {
    fk_lanes a, b, c, d; /* black's view, white's view */
} fk_view_lanes;

static_assert(sizeof(fk_view_lanes) == sizeof(fk_views), "two views of sixteen numbers");

static inline fk_view_lanes fk_views_add(fk_view_lanes x, fk_view_lanes y)
{
    return (fk_view_lanes){fk_lanes_add(x.a, y.a), fk_lanes_add(x.b, y.b), fk_lanes_add(x.c, y.c),
                           fk_lanes_add(x.d, y.d)};
}

static inline fk_view_lanes fk_views_subtract(fk_view_lanes x, fk_view_lanes y)
{
    return (fk_view_lanes){fk_lanes_subtract(x.a, y.a), fk_lanes_subtract(x.b, y.b), fk_lanes_subtract(x.c, y.c),
                           fk_lanes_subtract(x.d, y.d)};
}

/* What two codes give a view together, eight of its numbers. */
static inline fk_lanes fk_together(const int16_t *own, const int16_t *other)
{
    fk_lanes a, b;
    memcpy(&a, own, sizeof a);
    memcpy(&b, other, sizeof b);
    return fk_lanes_above_0(fk_lanes_add(a, b));
}

/* What a point gives to both views. */
static inline fk_view_lanes fk_views_of_cell(const fk_rule *rule, const fk_cell *cell)
{
    const fk_row *black = &rule->rows[0][fk_code_of(rule, 0, cell->shapes[0])];
    const fk_row *white = &rule->rows[1][fk_code_of(rule, 1, cell->shapes[1])];
    return (fk_view_lanes){fk_together(black->own, white->other), fk_together(black->own + 8, white->other + 8),
                           fk_together(white->own, black->other), fk_together(white->own + 8, black->other + 8)};
}

/* Views of the present position from nothing. */
static inline void fk_views_of_all(fk_position *pos)
{
    fk_view_lanes sum;
    memset(&sum, 0, sizeof sum);
    for (int point = 0; point < FK_CELLS; point++)
        if (pos->board.cells[point] == FK_EMPTY && pos->cells[point].point)
            sum = fk_views_add(sum, fk_views_of_cell(pos->rule, &pos->cells[point]));
    memcpy(&pos->state->views, &sum, sizeof sum);
    pos->state->has_views = 1;
}

/* A cell has changed since the views were last known: take out what it was then, and put in what it is now. */
static inline fk_view_lanes fk_views_replace(fk_view_lanes sum, const fk_position *pos, const fk_cell *old,
                                             uint64_t *seen)
{
    const int point = old->point;
    if (seen[point >> 6] >> (point & 63) & 1)
        return sum; /* what came later is no older */
    seen[point >> 6] |= (uint64_t)1 << (point & 63);
    sum = fk_views_subtract(sum, fk_views_of_cell(pos->rule, old));
    if (pos->board.cells[point] == FK_EMPTY)
        sum = fk_views_add(sum, fk_views_of_cell(pos->rule, &pos->cells[point]));
    return sum;
}

/* Make the views of the present position known. */
static inline void fk_views_update(fk_position *pos)
{
    const fk_state *known = pos->state;
    uint64_t seen[FK_CELLS / 64];
    fk_view_lanes sum;
    while (!known->has_views)
        known--;
    if (known == pos->state)
        return;
    memset(seen, 0, sizeof seen);
    memcpy(&sum, &known->views, sizeof sum);
    for (int ply = pos->board.ply - (int)(pos->state - known); known < pos->state; known++, ply++) {
        sum = fk_views_replace(sum, pos, &pos->cells[pos->board.moves[ply]], seen);
        for (int number = known[0].undo_end; number < known[1].undo_end; number++)
            sum = fk_views_replace(sum, pos, &pos->undo[number], seen);
    }
    memcpy(&pos->state->views, &sum, sizeof sum);
    pos->state->has_views = 1;
}

/* The sum over a pair of views for every hidden number. */
static inline void fk_network_sums(const fk_network *net, const int16_t *numbers, int32_t *sums)
{
#if defined(__SSE2__)
    __m128i parts[FK_HIDDEN / 4];
    memset(parts, 0, sizeof parts);
    for (int pair = 0; pair < FK_VIEW; pair++) {
        int32_t both;
        memcpy(&both, numbers + 2 * pair, sizeof both);
        const __m128i spread = _mm_set1_epi32(both);
        for (int i = 0; i < FK_HIDDEN / 4; i++)
            parts[i] = _mm_add_epi32(
                parts[i], _mm_madd_epi16(spread, _mm_loadu_si128((const __m128i *)net->inputs[pair][4 * i])));
    }
    memcpy(sums, parts, sizeof parts);
#else
    memset(sums, 0, FK_HIDDEN * sizeof *sums);
    for (int pair = 0; pair < FK_VIEW; pair++)
        for (int i = 0; i < FK_HIDDEN; i++)
            sums[i] += net->inputs[pair][i][0] * numbers[2 * pair] + net->inputs[pair][i][1] * numbers[2 * pair + 1];
#endif
}

/* What the network adds to the sum of weights, `score`, for the side with colour index `side`, which is to move. */
static inline int fk_network_score(const fk_network *net, const fk_views *views, int side, int score)
{
    const int scaled = 4 * (score < -FK_NETWORK_LIMIT ? -FK_NETWORK_LIMIT
                                                      : score > FK_NETWORK_LIMIT ? FK_NETWORK_LIMIT : score);
    int16_t numbers[2 * FK_VIEW];
    int32_t hidden[FK_HIDDEN], sum = 0;
    for (int i = 0; i < FK_VIEW; i++) {
        numbers[i] = (int16_t)(views->of[side][i] >> 1);
        numbers[FK_VIEW + i] = (int16_t)(views->of[1 - side][i] >> 1);
    }
    fk_network_sums(net, numbers, hidden);
    for (int i = 0; i < FK_HIDDEN; i++) {
        const int number = (hidden[i] >> net->input_shift) + net->bias[i] + (net->slope[i] * scaled >> 16);
        sum += (number < 0 ? 0 : number > INT16_MAX ? INT16_MAX : number) * net->out[i];
    }
    return sum >> net->out_shift;
}

#endif
