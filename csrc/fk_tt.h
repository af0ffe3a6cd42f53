/* The transposition table: buckets of four 16-byte entries, shared by all threads without locks.
 *
 * An entry is two words, `data` and `key ^ data`; a torn write makes the exclusive or disagree with the key, so that
 * the reader sees no entry instead of a wrong one. Layout of `data`, lowest bit first:
 *   value 16 (signed) | eval 16 (signed) | move 10 | bound 2 | pv 1 | depth 9 (biased by 64) | generation 6
 * Source of the idea: Hyatt, Mann, "A lockless transposition-table implementation for parallel search", 2002. */
#ifndef FK_TT_H
#define FK_TT_H

#include <stddef.h>
#include <string.h>
#include "fk_platform.h"

#if defined(_MSC_VER) && !defined(__clang__)
typedef volatile uint64_t fk_word;
#define FK_WORD_LOAD(word) (word)
#define FK_WORD_STORE(word, value) ((word) = (value))
#else
#include <stdatomic.h>
typedef _Atomic uint64_t fk_word;
#define FK_WORD_LOAD(word) atomic_load_explicit(&(word), memory_order_relaxed)
#define FK_WORD_STORE(word, value) atomic_store_explicit(&(word), (value), memory_order_relaxed)
#endif

enum { FK_BOUND_NONE = 0, FK_BOUND_UPPER = 1, FK_BOUND_LOWER = 2, FK_BOUND_EXACT = 3 };
enum { FK_TT_WAYS = 4, FK_TT_DEPTH_BIAS = 64, FK_TT_GENERATIONS = 64 };

typedef struct {
    fk_word check;
    fk_word data;
} fk_tt_entry;

typedef struct {
    fk_tt_entry entries[FK_TT_WAYS];
} fk_tt_bucket;

typedef struct {
    fk_tt_bucket *buckets;
    uint64_t count;      /* of buckets */
    uint32_t generation; /* of the current search */
} fk_tt;

/* An entry taken apart. */
typedef struct {
    int value;
    int eval;
    int move;
    int bound;
    int pv;
    int depth;
} fk_tt_data;

static inline uint64_t fk_tt_pack(const fk_tt_data *d, uint32_t generation)
{
    return (uint64_t)(uint16_t)d->value | (uint64_t)(uint16_t)d->eval << 16 | (uint64_t)(d->move & 1023) << 32
         | (uint64_t)(d->bound & 3) << 42 | (uint64_t)(d->pv & 1) << 44
         | (uint64_t)((d->depth + FK_TT_DEPTH_BIAS) & 511) << 45 | (uint64_t)(generation & 63) << 54;
}

static inline void fk_tt_unpack(uint64_t word, fk_tt_data *d)
{
    d->value = (int16_t)(word & 0xFFFF);
    d->eval = (int16_t)(word >> 16 & 0xFFFF);
    d->move = (int)(word >> 32 & 1023);
    d->bound = (int)(word >> 42 & 3);
    d->pv = (int)(word >> 44 & 1);
    d->depth = (int)(word >> 45 & 511) - FK_TT_DEPTH_BIAS;
}

static inline uint32_t fk_tt_word_generation(uint64_t word) { return (uint32_t)(word >> 54 & 63); }

/* The bucket of a key: the high half of key * count spreads any count evenly. */
static inline fk_tt_bucket *fk_tt_bucket_of(const fk_tt *tt, uint64_t key)
{
#if defined(_MSC_VER)
    return tt->buckets + __umulh(key, tt->count);
#else
    return tt->buckets + (uint64_t)(((unsigned __int128)key * tt->count) >> 64);
#endif
}

static inline void fk_tt_prefetch(const fk_tt *tt, uint64_t key) { fk_prefetch(fk_tt_bucket_of(tt, key)); }

/* Whether the table knows `key`; fills `d` if so. */
static inline int fk_tt_probe(const fk_tt *tt, uint64_t key, fk_tt_data *d)
{
    fk_tt_bucket *bucket = fk_tt_bucket_of(tt, key);
    for (int i = 0; i < FK_TT_WAYS; i++) {
        uint64_t data = FK_WORD_LOAD(bucket->entries[i].data);
        if ((FK_WORD_LOAD(bucket->entries[i].check) ^ data) == key && data) {
            fk_tt_unpack(data, d);
            return 1;
        }
    }
    return 0;
}

/* Keep `d` under `key`: in its own entry, else in place of the shallowest, oldest one of the bucket. */
static inline void fk_tt_store(fk_tt *tt, uint64_t key, const fk_tt_data *d)
{
    fk_tt_bucket *bucket = fk_tt_bucket_of(tt, key);
    fk_tt_entry *victim = &bucket->entries[0];
    int worst = 1 << 30;
    fk_tt_data stored = *d;
    for (int i = 0; i < FK_TT_WAYS; i++) {
        fk_tt_entry *entry = &bucket->entries[i];
        uint64_t data = FK_WORD_LOAD(entry->data);
        if ((FK_WORD_LOAD(entry->check) ^ data) == key) {
            fk_tt_data old;
            fk_tt_unpack(data, &old);
            /* A much deeper result of this search is worth more than a new bound. */
            if (d->bound != FK_BOUND_EXACT && d->depth + 3 < old.depth
                && fk_tt_word_generation(data) == (tt->generation & 63))
                return;
            if (!stored.move)
                stored.move = old.move;
            victim = entry;
            break;
        }
        int age = (int)((tt->generation - fk_tt_word_generation(data)) & 63);
        int depth = (int)(data >> 45 & 511);
        int worth = data ? depth - 8 * age : -(1 << 20);
        if (worth < worst) {
            worst = worth;
            victim = entry;
        }
    }
    uint64_t data = fk_tt_pack(&stored, tt->generation);
    FK_WORD_STORE(victim->data, data);
    FK_WORD_STORE(victim->check, key ^ data);
}

/* Share of a sample of entries written by the current search, in thousandths. */
static inline int fk_tt_permille(const fk_tt *tt)
{
    uint64_t buckets = tt->count < 250 ? tt->count : 250;
    int used = 0;
    for (uint64_t i = 0; i < buckets; i++)
        for (int j = 0; j < FK_TT_WAYS; j++) {
            uint64_t data = FK_WORD_LOAD(tt->buckets[i].entries[j].data);
            used += data && fk_tt_word_generation(data) == (tt->generation & 63);
        }
    return buckets ? (int)(used * 1000 / (buckets * FK_TT_WAYS)) : 0;
}

#endif
