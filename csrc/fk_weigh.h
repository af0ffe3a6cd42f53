/* From the shapes of an empty point to all that follows from them, and what a new stone changes on a line.
 *
 * More than half of a search's time goes by here, so the tables are small and the four numbers of a point are added as
 * lanes of one word. */
#ifndef FK_WEIGH_H
#define FK_WEIGH_H

#include <string.h>
#include "fk_line.h"
#include "fk_platform.h"

/* Code and point class (code | class << FK_CODE_BITS) of four shapes of four bits for a side. */
static inline int fk_key_of(const fk_rule *rule, int side, int shapes)
{
    return rule->keys[side][rule->pairs[shapes & 255] << FK_PAIR_BITS | rule->pairs[shapes >> 8]];
}

static inline int fk_key_code(int key) { return key & ((1 << FK_CODE_BITS) - 1); }

static inline int fk_code_of(const fk_rule *rule, int side, int shapes)
{
    return fk_key_code(fk_key_of(rule, side, shapes));
}

static inline int fk_class_of(const fk_rule *rule, int side, int shapes)
{
    return fk_key_of(rule, side, shapes) >> FK_CODE_BITS;
}

/* Whether points of a class are kept in `threats`. */
static inline int fk_is_threat(int point_class)
{
    return ((~0u << FK_POINT_OPEN_THREE) | 1u << FK_POINT_FORBIDDEN) >> point_class & 1;
}

/* Set a cell's shapes and what follows from them. */
static inline void fk_cell_set(const fk_rule *rule, fk_cell *cell, int black_shapes, int white_shapes)
{
    const uint64_t even = 0x0000FFFF0000FFFFu, high = 0x8000800080008000u;
    int black = fk_key_of(rule, 0, black_shapes), white = fk_key_of(rule, 1, white_shapes);
    uint64_t a, b;
    memcpy(&a, &rule->weights[0][fk_key_code(black)], sizeof a);
    memcpy(&b, &rule->weights[1][fk_key_code(white)], sizeof b);
    /* Lanes: black's own + white's loss, black's loss + white's own, and so the move scores. */
    b = (b >> 16 & even) | (b & even) << 16;
    a = ((a & ~high) + (b & ~high)) ^ ((a ^ b) & high); /* no lane carries into the next */
    memcpy(cell, &a, sizeof a);
    cell->shapes[0] = (uint16_t)black_shapes;
    cell->shapes[1] = (uint16_t)white_shapes;
    cell->point_class[0] = (uint8_t)(black >> FK_CODE_BITS);
    cell->point_class[1] = (uint8_t)(white >> FK_CODE_BITS);
}

/* Both shapes of a cell on a line: black's | white's << 4. */
static inline int fk_shapes_of(const fk_cell *cell, int direction)
{
    return (cell->shapes[0] >> 4 * direction & 15) | (cell->shapes[1] >> 4 * direction & 15) << 4;
}

static inline void fk_change_class(fk_state *state, int side, int point, int from, int to)
{
    state->count[side][from]--;
    state->count[side][to]++;
    state->threats[side][point >> 6] ^= (uint64_t)(fk_is_threat(from) ^ fk_is_threat(to)) << (point & 63);
}

/* Give the empty points near a new stone their shapes on one line through it; remember the cells that change. `half` is
 * the rule's, a constant wherever speed matters. */
FK_ALWAYS_INLINE void fk_refresh_line(fk_position *pos, fk_state *state, int point, int direction, int half)
{
    const fk_rule *rule = pos->rule;
    const uint32_t lo_mask = (1u << 2 * half) - 1, hi_mask = lo_mask << 2 * half;
    const uint64_t line = pos->board.lines[direction][fk_line_number(direction, point)];
    const int place = fk_line_place(direction, point), step = fk_line_step(direction), shift = 4 * direction;
    int end = state->undo_end, value0 = state->value[0], value1 = state->value[1];
    const uint64_t window = line >> 2 * (place - half);
    uint64_t empty = ~(window | window >> 1) & 0x5555555555555555u & ((1u << 2 * (2 * half + 1)) - 1);
    for (; empty; empty &= empty - 1) {
        int offset = (fk_ctz64(empty) >> 1) - half;
        int other = point + offset * step;
        fk_cell *cell = &pos->cells[other];
        int shapes = rule->shapes[fk_window_key(line, place + offset, half, lo_mask, hi_mask)];
        int change = fk_shapes_of(cell, direction) ^ shapes;
        if (!change)
            continue;
        fk_cell *old = &pos->undo[end++];
        *old = *cell;
        fk_cell_set(rule, cell, old->shapes[0] ^ (change & 15) << shift, old->shapes[1] ^ (change >> 4) << shift);
        value0 += cell->value[0] - old->value[0];
        value1 += cell->value[1] - old->value[1];
        for (int side = 0; side < 2; side++)
            if (cell->point_class[side] != old->point_class[side])
                fk_change_class(state, side, other, old->point_class[side], cell->point_class[side]);
    }
    state->undo_end = end;
    state->value[0] = value0;
    state->value[1] = value1;
}

#endif
