// Inside the simulation threads: the queue and its threads (runner.c), how they share out a turn (runner_share.c).
//
// Invariants, all under the one mutex:
//   - an entry is among the deadlines or, once that is over, among the ready exactly while it is QUEUED;
//   - among the ready, the one that had least of the threads runs first: however many want them without end, who
//     seldom wants them does not wait for those. What each had is kept close to `floor_ns`, so none is starved;
//   - of the sleeping threads at most one needs to wake by itself: `timer_ns` is the deadline it waits for,
//     and whoever puts an earlier one in calls a sleeper, which takes over as the timer;
//   - `asleep` is the threads that sleep and have not been called, `calls` the calls that none has woken to yet.
// Without the mutex, a thread in a crew looks at `due_ns`, which is the first deadline or, when another has left
// its crew for that one, never: of all that watch, one goes.
#ifndef WEFT_HOST_RUNNER_INTERNAL_H
#define WEFT_HOST_RUNNER_INTERNAL_H

#include "base/thread.h"
#include "host/deadlines.h"
#include "host/runner.h"

#include <stdatomic.h>

enum host_runner_entry_state { ENTRY_ASLEEP, ENTRY_QUEUED, ENTRY_RUNNING };

struct host_runner_entry {
    struct host_deadline deadline; // first: what the deadlines give is the entry
    struct host_runner *runner;
    struct host_runner_client client;
    enum host_runner_entry_state state;
    bool ready;        // QUEUED: its deadline is over
    uint64_t spent_ns; // of a thread; see floor_ns
    bool woken;        // while it ran
    bool removed;      // while it ran
    struct host_runner_entry *next, *previous;
};

struct host_worker {
    struct host_runner *runner;
    struct base_crew *crew; // of the turns that this thread runs
    bool burst;             // between begin and end. This thread's
    struct base_thread thread;
};

struct host_runner {
    struct base_parallel parallel;
    struct base_mutex mutex;
    struct base_cond work;
    struct host_deadlines deadlines; // still to come, or over since nobody looked
    struct host_deadlines ready;     // by spent_ns
    uint64_t floor_ns;               // the most that an entry had spent when it was taken
    uint32_t entry_count;
    struct host_runner_entry *entries;
    uint64_t timer_ns;
    uint32_t cores;
    uint32_t awake, asleep, calls;
    atomic_uint spare;   // sleepers that helping would find a core for
    atomic_uint sharing; // turns that share out now
    atomic_uint_least64_t due_ns;
    atomic_bool stopping;
    uint32_t worker_count;  // have a crew
    uint32_t started_count; // and have been started
    struct host_worker workers[];
};

// Under the mutex: when something is due; 0 if it is already, UINT64_MAX if nothing is queued.
static inline uint64_t host_runner_first_ns(const struct host_runner *runner)
{
    return runner->ready.count > 0 ? 0 : host_deadlines_first_ns(&runner->deadlines);
}

// runner_share.c. All three under the mutex: `asleep` or `awake` has changed; wakes so many sleepers, if there are.
void host_runner_tell_spare(struct host_runner *runner);
void host_runner_call(struct host_runner *runner, uint32_t count);
// Wakes one more thread if something waits that no thread is awake for or will wake for in time.
void host_runner_call_one(struct host_runner *runner);
// Fills in how turns share out; the crew of a thread. False without memory.
void host_runner_share_init(struct host_runner *runner, uint32_t threads);
bool host_worker_init(struct host_worker *worker, struct host_runner *runner, uint32_t threads);
void host_worker_deinit(struct host_worker *worker);
// The calling thread is this worker from now on.
void host_worker_enter(struct host_worker *worker);
// Under the mutex: whose crew lacks threads most; NULL if none does, or if more threads are awake than there are
// cores. tasks_wait: it must have tasks that nobody has begun.
const struct host_worker *host_runner_to_help(const struct host_runner *runner, bool tasks_wait);
// Under the mutex, which it lets go meanwhile. True if there was nothing to do, for a while.
bool host_worker_help(struct host_worker *worker, const struct host_worker *owner);

#endif
