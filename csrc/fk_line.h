/* Lines and windows.
 *
 * A line is a 64-bit word with two bits a cell: 00 empty, 01 black, 10 white, 11 wall. Row y is lines[0][y], column x
 * lines[1][x], the falling diagonal lines[2][x - y + 31], the rising one lines[3][x + y] (padded coordinates). The
 * cell's place within its line is x, in columns y. A window key is the bits of the `half` cells before and the `half`
 * cells after a place, the place itself left out. */
#ifndef FK_LINE_H
#define FK_LINE_H

#include "fk_types.h"

static inline int fk_line_number(int direction, int point)
{
    int x = point & 31, y = point >> 5;
    switch (direction) {
    case 0: return y;
    case 1: return x;
    case 2: return x - y + 31;
    default: return x + y;
    }
}

static inline int fk_line_place(int direction, int point)
{
    return direction == 1 ? point >> 5 : point & 31;
}

/* The difference between two neighbouring points of a line. */
static inline int fk_line_step(int direction)
{
    static const int step[FK_DIRECTIONS] = {1, FK_STRIDE, FK_STRIDE + 1, 1 - FK_STRIDE};
    return step[direction];
}

static inline uint32_t fk_window_key(uint64_t line, int place, int half, uint32_t lo_mask, uint32_t hi_mask)
{
    uint64_t window = line >> (2 * (place - half));
    return (uint32_t)(window & lo_mask) | (uint32_t)((window >> 2) & hi_mask);
}

/* Put `stone` on an empty point or take it off: the same exclusive or. */
static inline void fk_lines_toggle(uint64_t lines[FK_DIRECTIONS][64], int point, int stone)
{
    uint64_t bits = (uint64_t)stone;
    int x = point & 31, y = point >> 5;
    lines[0][y] ^= bits << (2 * x);
    lines[1][x] ^= bits << (2 * y);
    lines[2][x - y + 31] ^= bits << (2 * x);
    lines[3][x + y] ^= bits << (2 * x);
}

#endif
