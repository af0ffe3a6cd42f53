/* splitmix64: the one random generator of the core (Zobrist keys, hash salts).
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
#ifndef FK_RNG_H
#define FK_RNG_H

#include <stdint.h>

/* A well-mixed 64-bit value for `x`; consecutive inputs give independent outputs. */
static inline uint64_t fk_mix64(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

#endif
