/* How a running search is told to end: a flag and a deadline that another thread may write at any time. */
#ifndef FK_STOP_H
#define FK_STOP_H

#include "fk_platform.h"

#if defined(_MSC_VER) && !defined(__clang__)
/* Aligned volatile words are read and written whole on every system MSVC compiles for. */
typedef struct {
    volatile int64_t deadline_ns;
    volatile int32_t stop;
} fk_stop;
#define FK_LOAD(field) (field)
#define FK_STORE(field, value) ((field) = (value))
#else
#include <stdatomic.h>
typedef struct {
    _Atomic int64_t deadline_ns;
    _Atomic int32_t stop;
} fk_stop;
#define FK_LOAD(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define FK_STORE(field, value) atomic_store_explicit(&(field), (value), memory_order_relaxed)
#endif

/* No deadline. */
#define FK_NEVER INT64_MAX

static inline void fk_stop_set(fk_stop *self, int stop) { FK_STORE(self->stop, stop); }
static inline int fk_stop_get(fk_stop *self) { return FK_LOAD(self->stop); }
static inline void fk_stop_set_deadline(fk_stop *self, int64_t ns) { FK_STORE(self->deadline_ns, ns); }
static inline int64_t fk_stop_get_deadline(fk_stop *self) { return FK_LOAD(self->deadline_ns); }

/* Whether the search must end now; reads the clock, so ask every few hundred nodes. */
static inline int fk_stop_due(fk_stop *self)
{
    if (FK_LOAD(self->stop))
        return 1;
    int64_t deadline = FK_LOAD(self->deadline_ns);
    return deadline != FK_NEVER && fk_monotonic_ns() >= deadline;
}

#endif
