// Declares the queue of the simulation threads (runner.c) and how they share out a turn (runner_share.c).
//
// Invariants, all under the one mutex:
//   - an entry is among the deadlines or, after its deadline, among the ready exactly while it is QUEUED;
//   - among the ready, the one that has had least of the threads runs first. So an entry that seldom wants a turn does not
//     wait for those that always want one. `spent_ns` is kept close to `floor_ns`, so that no entry is starved;
//   - at most one sleeping thread needs to wake by itself. `timer_ns` is the deadline for which it waits. A thread that adds
//     an earlier deadline calls a sleeper, which takes over as the timer;
//   - `asleep` counts threads that sleep and have not been called, `calls` the calls to which no thread has woken yet.
// Without the mutex, a thread in a crew looks at `due_ns`. It is the first deadline, or never when another
// thread has left its crew for that one: of all threads that watch, one goes.
#ifndef WEFT_HOST_RUNNER_INTERNAL_H
#define WEFT_HOST_RUNNER_INTERNAL_H

#include "base/thread.h"
#include "host/deadlines.h"
#include "host/runner.h"

#include <stdatomic.h>

enum host_runner_entry_state { ENTRY_ASLEEP, ENTRY_QUEUED, ENTRY_RUNNING };

struct host_runner_entry {
    struct host_deadline deadline; // must be first: the deadlines' item is the entry
    struct host_runner *runner;
    struct host_runner_client client;
    enum host_runner_entry_state state;
    bool ready;        // QUEUED: its deadline is over
    uint64_t spent_ns; // time that it had of a thread; see floor_ns
    bool woken;        // it was woken while it ran
    bool removed;      // it was removed while it ran
    struct host_runner_entry *next, *previous;
};

struct host_worker {
    struct host_runner *runner;
    struct base_crew *crew; // for the turns that this thread runs
    bool burst;             // Between begin and end. Used by this thread only.
    struct base_thread thread;
};

struct host_runner {
    struct base_parallel parallel;
    struct base_mutex mutex;
    struct base_cond work;
    struct host_deadlines deadlines; // still to come, or over and not looked at since
    struct host_deadlines ready;     // by spent_ns
    uint64_t floor_ns;               // greatest spent_ns of an entry when it was taken
    uint32_t entry_count;
    struct host_runner_entry *entries;
    uint64_t timer_ns;
    uint32_t cores;
    uint32_t awake, asleep, calls;
    atomic_uint spare;   // number of sleepers that would find a core for helping
    atomic_uint sharing; // number of turns that share out tasks now
    atomic_uint_least64_t due_ns;
    atomic_bool stopping;
    uint32_t worker_count;  // threads that have a crew
    uint32_t started_count; // threads that have been started
    struct host_worker workers[];
};

// Returns when something is due; 0: now, UINT64_MAX: nothing is queued. Under the mutex.
static inline uint64_t host_runner_first_ns(const struct host_runner *runner)
{
    return runner->ready.count > 0 ? 0 : host_deadlines_first_ns(&runner->deadlines);
}

// From runner_share.c, all three under the mutex. Notes that `asleep` or `awake` has changed; wakes up to
// `count` sleepers.
void host_runner_tell_spare(struct host_runner *runner);
void host_runner_call(struct host_runner *runner, uint32_t count);
// Wakes one more thread if something waits for which no thread is awake or will wake in time.
void host_runner_call_one(struct host_runner *runner);
// Fill in how turns share out tasks, and make the crew of a thread. False if memory runs out.
void host_runner_share_init(struct host_runner *runner, uint32_t threads);
bool host_worker_init(struct host_worker *worker, struct host_runner *runner, uint32_t threads);
void host_worker_deinit(struct host_worker *worker);
// Makes the calling thread this worker.
void host_worker_enter(struct host_worker *worker);
// Returns the worker whose crew lacks most threads. NULL if none lacks any, or if more threads are awake than
// there are cores. tasks_wait: it must have tasks that no thread has begun. Under the mutex.
const struct host_worker *host_runner_to_help(const struct host_runner *runner, bool tasks_wait);
// Helps a worker's turn. Under the mutex, which it releases meanwhile. True if there was nothing to do for a
// while.
bool host_worker_help(struct host_worker *worker, const struct host_worker *owner);

#endif
