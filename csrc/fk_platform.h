/* What differs between compilers and systems: bit scans, prefetch, the monotonic clock. */
#ifndef FK_PLATFORM_H
#define FK_PLATFORM_H

#include <stdint.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <time.h>
#endif

/* For a function that depends on some arguments being constant where it is used, however long it is. */
#if defined(_MSC_VER)
#define FK_ALWAYS_INLINE static __forceinline
#else
#define FK_ALWAYS_INLINE static inline __attribute__((always_inline))
#endif

/* Index of the lowest set bit; `bits` must not be 0. */
static inline int fk_ctz64(uint64_t bits)
{
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanForward64(&index, bits);
    return (int)index;
#else
    return __builtin_ctzll(bits);
#endif
}

static inline int fk_popcount64(uint64_t bits)
{
#if defined(_MSC_VER)
    return (int)__popcnt64(bits);
#else
    return __builtin_popcountll(bits);
#endif
}

static inline void fk_prefetch(const void *address)
{
#if defined(_MSC_VER)
    _mm_prefetch((const char *)address, _MM_HINT_T0);
#else
    __builtin_prefetch(address);
#endif
}

/* Nanoseconds of a clock that never jumps; the same clock as Python's time.monotonic_ns(). */
static inline int64_t fk_monotonic_ns(void)
{
#if defined(_WIN32)
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (int64_t)(count.QuadPart / frequency.QuadPart) * 1000000000
         + (int64_t)(count.QuadPart % frequency.QuadPart) * 1000000000 / frequency.QuadPart;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

#endif
