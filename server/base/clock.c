// Monotonic nanoseconds. CLOCK_MONOTONIC never jumps and is what condition variables wait by.
#include "base/clock.h"

#include "base/assert.h"

#include <pthread.h>
#include <time.h>

static uint64_t ns_of(clockid_t clock)
{
    struct timespec now;
    int failed = clock_gettime(clock, &now);
    BASE_ASSERT(!failed);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t base_now_ns(void)
{
    return ns_of(CLOCK_MONOTONIC);
}

uint64_t base_core_ns(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    return ns_of(CLOCK_THREAD_CPUTIME_ID);
#else
    return ns_of(CLOCK_MONOTONIC); // WebAssembly: newer C libraries know no other
#endif
}

#if defined(CLOCK_THREAD_CPUTIME_ID) && !defined(__wasm__)
int base_core_clock(void)
{
    clockid_t clock;
    return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? (int)clock : 0;
}

uint64_t base_core_ns_of(int clock)
{
    struct timespec used;
    if (clock == 0 || clock_gettime((clockid_t)clock, &used) != 0) {
        return 0;
    }
    return (uint64_t)used.tv_sec * UINT64_C(1000000000) + (uint64_t)used.tv_nsec;
}
#else
int base_core_clock(void)
{
    return 0;
}

uint64_t base_core_ns_of(int clock)
{
    (void)clock;
    return 0;
}
#endif

uint64_t base_wall_us(void)
{
    struct timespec now;
    int failed = clock_gettime(CLOCK_REALTIME, &now);
    BASE_ASSERT(!failed);
    return (uint64_t)now.tv_sec * UINT64_C(1000000) + (uint64_t)now.tv_nsec / 1000;
}
