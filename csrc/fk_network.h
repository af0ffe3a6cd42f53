/* The network of the position score: what a sum over points cannot say.
 *
 * One hidden layer, fed with how many points of each class either side has and with the sum itself; what it puts out is
 * added to that sum. All in integers, so that every machine computes the same. */
#ifndef FK_NETWORK_H
#define FK_NETWORK_H

#include <string.h>
#include "fk_types.h"

static inline int fk_least(int a, int b) { return a < b ? a : b; }

/* `own` and `other`: points by class of the side to move and the other side; `score`: the sum, in units of weights. */
static inline int fk_network_score(const fk_network *net, const uint16_t *own, const uint16_t *other, int score)
{
    const int most = FK_NETWORK_COUNTS - 1;
    const int scaled = 4 * (score < -FK_NETWORK_LIMIT ? -FK_NETWORK_LIMIT : fk_least(score, FK_NETWORK_LIMIT));
    int16_t hidden[FK_HIDDEN];
    int32_t sum = 0;
    memcpy(hidden, net->bias, sizeof hidden);
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
