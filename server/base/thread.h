// Threads, locks and a team of workers, over pthreads. Out of memory at start is fatal for the caller to
// report: create functions return false or NULL.
#ifndef WEFT_BASE_THREAD_H
#define WEFT_BASE_THREAD_H

#include "base/parallel.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct base_mutex {
    pthread_mutex_t handle;
};
struct base_cond {
    pthread_cond_t handle; // waits by the monotonic clock
};
struct base_thread {
    pthread_t handle;
};

void base_mutex_init(struct base_mutex *mutex);
void base_mutex_deinit(struct base_mutex *mutex);
void base_mutex_lock(struct base_mutex *mutex);
void base_mutex_unlock(struct base_mutex *mutex);

void base_cond_init(struct base_cond *cond);
void base_cond_deinit(struct base_cond *cond);
void base_cond_signal(struct base_cond *cond);
void base_cond_broadcast(struct base_cond *cond);
void base_cond_wait(struct base_cond *cond, struct base_mutex *mutex);
// Returns false when deadline_ns (monotonic) passed.
bool base_cond_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns);

// The name is cut to 15 bytes. All signals are blocked in the new thread; the floating-point environment
// is asserted (base_float_assert).
bool base_thread_start(struct base_thread *thread, const char *name, void (*run)(void *context),
                       void *context);
void base_thread_join(struct base_thread *thread);
// The calling thread waits for so long.
void base_thread_sleep(uint64_t ns);

// Determinism rests on rounding to nearest even with subnormals kept: stop at once if that is not so.
void base_float_assert(void);

// The calling thread gives way to those that keep pace with a clock, from now on.
void base_thread_give_way(void);

// Whether threads can be had at all. Where they cannot, as in a page, base_thread_start always fails.
bool base_threads(void);

// Cores that this process may run on, at least 1.
uint32_t base_thread_cores(void);

// A team for programs that have no scheduler of their own (tests, benchmarks, baking). The calling thread
// counts as one; of more than 64 threads, 64 take part. One thread at a time uses its parallel.
struct base_team;
struct base_team *base_team_create(uint32_t threads); // NULL without memory
void base_team_destroy(struct base_team *team);
struct base_parallel *base_team_parallel(struct base_team *team);

#endif
