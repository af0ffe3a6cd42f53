/* The network of the position score: what a sum over points cannot say.
 *
 * One hidden layer, fed with the shapes and classes of all empty points, with how many points of each class either side
 * has, and with the sum itself; what it puts out is added to that sum. What single points give is kept up to date with
 * every stone. All in integers, so that every machine computes the same. */
#ifndef FK_NETWORK_H
#define FK_NETWORK_H

#include <string.h>
#include "fk_types.h"

static inline int fk_least(int a, int b) { return a < b ? a : b; }

/* Eight hidden numbers in a register of the processor; a loop over memory would wait for its own last store. */
#if defined(__GNUC__)
typedef uint16_t fk_lanes __attribute__((vector_size(16)));
#define FK_LANES_CHANGE(sum, more, less) ((sum) + ((more) - (less)))
#else
typedef struct {
    uint16_t lane[8];
} fk_lanes;
static inline fk_lanes FK_LANES_CHANGE(fk_lanes sum, fk_lanes more, fk_lanes less)
{
    for (int i = 0; i < 8; i++)
        sum.lane[i] = (uint16_t)(sum.lane[i] + more.lane[i] - less.lane[i]);
    return sum;
}
#endif

typedef struct {
    fk_lanes a, b, c, d;
} fk_hidden_lanes;

static_assert(sizeof(fk_hidden_lanes) == sizeof(fk_hidden), "two times sixteen hidden numbers");

static inline fk_hidden_lanes fk_hidden_load(const fk_hidden *hidden)
{
    fk_hidden_lanes lanes;
    memcpy(&lanes.a, hidden->given, sizeof lanes.a);
    memcpy(&lanes.b, hidden->given + 8, sizeof lanes.b);
    memcpy(&lanes.c, hidden->given + 16, sizeof lanes.c);
    memcpy(&lanes.d, hidden->given + 24, sizeof lanes.d);
    return lanes;
}

static inline fk_hidden_lanes fk_hidden_change(fk_hidden_lanes sum, const fk_hidden *more, const fk_hidden *less)
{
    const fk_hidden_lanes plus = fk_hidden_load(more), minus = fk_hidden_load(less);
    sum.a = FK_LANES_CHANGE(sum.a, plus.a, minus.a);
    sum.b = FK_LANES_CHANGE(sum.b, plus.b, minus.b);
    sum.c = FK_LANES_CHANGE(sum.c, plus.c, minus.c);
    sum.d = FK_LANES_CHANGE(sum.d, plus.d, minus.d);
    return sum;
}

static inline void fk_hidden_add(fk_hidden *sum, const fk_hidden *more)
{
    for (int i = 0; i < 2 * FK_HIDDEN; i++)
        sum->given[i] = (uint16_t)(sum->given[i] + more->given[i]);
}

static inline void fk_hidden_subtract(fk_hidden *sum, const fk_hidden *less)
{
    for (int i = 0; i < 2 * FK_HIDDEN; i++)
        sum->given[i] = (uint16_t)(sum->given[i] - less->given[i]);
}

/* What the network adds to the sum of weights.
 *
 * `points`: what the points give to the hidden numbers; `own` and `other`: points by class of the side to move and the
 * other side; `score`: the sum, in units of weights. */
static inline int fk_network_score(const fk_network *net, const uint16_t *points, const uint16_t *own,
                                   const uint16_t *other, int score)
{
    const int most = FK_NETWORK_COUNTS - 1;
    const int scaled = 4 * (score < -FK_NETWORK_LIMIT ? -FK_NETWORK_LIMIT : fk_least(score, FK_NETWORK_LIMIT));
    int16_t hidden[FK_HIDDEN];
    int32_t sum = 0;
    for (int i = 0; i < FK_HIDDEN; i++)
        hidden[i] = (int16_t)(points[i] + net->bias[i]);
    for (int number = 1; number < FK_POINT_CLASSES; number++) {
        const int16_t *of_own = net->counts[0][number][fk_least(own[number], most)];
        const int16_t *of_other = net->counts[1][number][fk_least(other[number], most)];
        for (int i = 0; i < FK_HIDDEN; i++)
            hidden[i] = (int16_t)(hidden[i] + of_own[i] + of_other[i]);
    }
    for (int i = 0; i < FK_HIDDEN; i++)
        hidden[i] = (int16_t)(hidden[i] + (net->slope[i] * scaled >> 16));
    for (int i = 0; i < FK_HIDDEN; i++)
        sum += (hidden[i] > 0 ? hidden[i] : 0) * net->out[i];
    return sum >> net->shift;
}

#endif
