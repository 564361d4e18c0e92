// Threads, locks and a team of workers, over pthreads. Misuse of a lock is a broken invariant (BASE_ASSERT).
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
    pthread_cond_t handle;
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
// Like pthread_cond_timedwait; deadline_ns is a time of base_now_ns. False if it passed. Both waits may also return early.
bool base_cond_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns);

// Starts a thread that calls run(context). False if memory or threads run out. The name is cut to 15 bytes. The new thread
// blocks all signals, and asserts its floating-point environment (base_float_assert).
bool base_thread_start(struct base_thread *thread, const char *name, void (*run)(void *context),
                       void *context);
void base_thread_join(struct base_thread *thread);
void base_thread_sleep(uint64_t ns); // at most ns: a signal ends it early

// Aborts unless the calling thread rounds to nearest even and keeps subnormals: determinism rests on that.
void base_float_assert(void);

// Lowers the calling thread's priority for good (niceness 10), so that simulation threads get the cores first.
void base_thread_give_way(void);

// Whether the platform has threads. In a browser page it has none, and base_thread_start always fails.
bool base_threads(void);

// Number of cores that this process may run on, at least 1.
uint32_t base_thread_cores(void);

// A team: a base_parallel for programs that have no scheduler of their own (tests, benchmarks, baking). It starts
// threads - 1 threads, because the caller of run takes part; at most 64 in all. One thread at a time may use it.
struct base_team;
struct base_team *base_team_create(uint32_t threads);             // NULL if memory or threads run out
void base_team_destroy(struct base_team *team);                   // ends its threads; NULL is allowed
struct base_parallel *base_team_parallel(struct base_team *team); // the team owns it

#endif
