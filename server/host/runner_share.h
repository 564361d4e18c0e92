// The simulation threads as those that share out turns: which of them are awake, and whose turn lacks helpers. The queue of worlds
// (runner.c) stands on it and tells it when something is due.
//
// Under the one mutex, which is the queue's as well:
//   - of the sleeping threads at most one needs to wake by itself: `timer_ns` is the deadline it waits for,
//     and whoever puts an earlier one in calls a sleeper, which takes over as the timer;
//   - `asleep` is the threads that sleep and have not been called, `calls` the calls that none has woken to yet.
// Without the mutex, a thread in a crew looks at `due_ns`, which is the first deadline or, when another has left
// its crew for that one, never: of all that watch, one goes.
#ifndef WEFT_HOST_RUNNER_SHARE_H
#define WEFT_HOST_RUNNER_SHARE_H

#include "base/parallel.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct base_crew;

struct host_worker {
    struct host_share *share;
    struct base_crew *crew; // of the turns that this thread runs
    bool burst;             // between begin and end. This thread's
    struct base_thread thread;
};

struct host_share {
    struct base_parallel parallel;
    struct base_mutex mutex;
    struct base_cond work;
    uint64_t first_ns; // when something is due; 0: it is already; UINT64_MAX: nothing is queued
    uint64_t timer_ns;
    uint32_t cores;
    uint32_t awake, asleep, calls;
    atomic_uint spare;   // sleepers that helping would find a core for
    atomic_uint sharing; // turns that share out now
    atomic_uint_least64_t due_ns;
    atomic_bool stopping;
    uint32_t worker_count; // have a crew
    struct host_worker *workers;
};

// The workers are the caller's, with room for `threads` of them.
void host_share_init(struct host_share *share, struct host_worker *workers, uint32_t threads, uint32_t cores);
void host_share_deinit(struct host_share *share); // with the workers that have been initialised
// The crew of one more thread. False without memory.
bool host_share_add_worker(struct host_share *share, uint32_t threads);

// Both under the mutex. `asleep` or `awake` has changed.
void host_share_tell_spare(struct host_share *share);
// Wakes one more thread if something waits that no thread is awake for or will wake for in time.
void host_share_call_one(struct host_share *share);

// The calling thread is this worker from now on.
void host_worker_enter(struct host_worker *worker);
// Under the mutex: the worker whose crew lacks threads most; NULL if none does, or if more threads are awake than there are
// cores. tasks_wait: it must have tasks that nobody has begun.
const struct host_worker *host_share_to_help(const struct host_share *share, bool tasks_wait);
// Under the mutex, which it lets go meanwhile. True if there was nothing to do, for a while.
bool host_worker_help(struct host_worker *worker, const struct host_worker *owner);

#endif
