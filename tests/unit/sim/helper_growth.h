// How work grows with what it works on, told apart from how fast the machine is.
#ifndef WEFT_TESTS_UNIT_SIM_HELPER_GROWTH_H
#define WEFT_TESTS_UNIT_SIM_HELPER_GROWTH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

// One case: what must be there is made outside `run`, which alone is timed.
struct growth {
    void *(*make)(uint32_t count);
    void (*run)(void *made, uint32_t count);
    void (*destroy)(void *made);
};

static inline double growth_seconds(const struct growth *growth, uint32_t count)
{
    double least = 1e9;
    for (int round = 0; round < 3; round++) {
        struct timespec begin, end;
        void *made = growth->make(count);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        growth->run(made, count);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        growth->destroy(made);
        double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        least = seconds < least ? seconds : least;
    }
    return least;
}

// Eight times as much may take up to 24 times as long (caches count for something), not 64 times as work that is
// quadratic does, whenever it is looked at. The processor time of this thread, the least of three, of counts that take
// some milliseconds. What runs beside it takes its caches, so it is looked at again where that may be why.
static inline void growth_assert_gentle(const struct growth *growth, uint32_t count)
{
    for (int look = 0;; look++) {
        double once = growth_seconds(growth, count), more = growth_seconds(growth, 8 * count);
        if (more <= 24 * once + 5e-3) {
            return;
        }
        if (look == 4) {
            fail_msg("%u: %.3f ms, %u: %.3f ms", count, 1e3 * once, 8 * count, 1e3 * more);
        }
    }
}

#endif
