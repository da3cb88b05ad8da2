/* A clock of the test's, instead of the system's: nobody waits. It is included before all else. */
#ifndef CLOCK_H
#define CLOCK_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdint.h>

static int64_t clock_ns = 1000000000;

static inline int64_t test_clock(void)
{
    return clock_ns;
}

#define CARNET_CLOCK test_clock

/* So much time passes. */
static inline void later_ms(int64_t ms)
{
    clock_ns += ms * 1000000;
}
#endif
