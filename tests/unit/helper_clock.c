#include "helper_clock.h"

#include "base/assert.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_bool held, leaping;
static atomic_uint_least64_t now_ns, worked_ns, waits;

static const uint64_t second_ns = UINT64_C(1000000000);

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / second_ns), .tv_nsec = (long)(ns % second_ns)};
}

static uint64_t ns_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * second_ns + (uint64_t)time->tv_nsec;
}

uint64_t clock_real_ns(void)
{
    struct timespec now;
    const long failed = syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    BASE_ASSERT(failed == 0);
    return ns_of(&now);
}

bool clock_real_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns)
{
    const struct timespec deadline = timespec_of(deadline_ns);
    return pthread_cond_clockwait(&cond->handle, &mutex->handle, CLOCK_MONOTONIC, &deadline) == 0;
}

void clock_hold(void)
{
    atomic_store(&now_ns, clock_real_ns());
    atomic_store(&worked_ns, second_ns);
    atomic_store(&held, true);
}

void clock_release(void)
{
    atomic_store(&held, false);
    atomic_store(&leaping, false);
}

void clock_pass(uint64_t ns)
{
    atomic_fetch_add(&now_ns, ns);
}

void clock_work(uint64_t ns)
{
    atomic_fetch_add(&worked_ns, ns);
}

void clock_leaps(bool leaps)
{
    atomic_store(&leaping, leaps);
}

uint64_t clock_waits(void)
{
    return atomic_load(&waits);
}

// ---------------------------------------------------------------------------------------------------------
// In place of libc's

int clock_gettime(clockid_t clock, struct timespec *now);
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if ((clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE) && atomic_load(&held)) {
        *now = timespec_of(atomic_load(&now_ns));
        return 0;
    }
    if ((clock == CLOCK_THREAD_CPUTIME_ID || clock < 0) &&
        atomic_load(&held)) { // below 0: those of single threads
        *now = timespec_of(atomic_load(&worked_ns));
        return 0;
    }
    return (int)syscall(SYS_clock_gettime, clock, now);
}

// All conditions here wait by the monotonic clock.
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline);
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline)
{
    if (!atomic_load(&held)) {
        return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, deadline);
    }
    const uint64_t end_ns = ns_of(deadline);
    atomic_fetch_add(&waits, 1);
    uint64_t at_ns = atomic_load(&now_ns);
    while (atomic_load(&leaping) && at_ns < end_ns &&
           !atomic_compare_exchange_weak(&now_ns, &at_ns, end_ns)) {
    }
    if (atomic_load(&now_ns) >= end_ns) {
        return ETIMEDOUT;
    }
    // Whoever waits looks again each millisecond, as after a wake for nothing, since the test may have moved the clock.
    const struct timespec soon = timespec_of(clock_real_ns() + 1000000);
    const int status = pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &soon);
    return status == ETIMEDOUT ? 0 : status;
}
