// Inside the simulation threads: the queue of worlds. How threads share out a turn is below it (runner_share.h).
//
// Invariants, all under the mutex of the threads:
//   - an entry is among the deadlines or, once that is over, among the ready exactly while it is QUEUED;
//   - among the ready, the one that had least of the threads runs first: however many want them without end, who
//     seldom wants them does not wait for those. What each had is kept close to `floor_ns`, so none is starved;
//   - `first_ns` of the threads follows both.
#ifndef WEFT_HOST_RUNNER_INTERNAL_H
#define WEFT_HOST_RUNNER_INTERNAL_H

#include "host/deadlines.h"
#include "host/runner.h"
#include "host/runner_share.h"

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

struct host_runner {
    struct host_share share;
    struct host_deadlines deadlines; // still to come, or over since nobody looked
    struct host_deadlines ready;     // by spent_ns
    uint64_t floor_ns;               // the most that an entry had spent when it was taken
    uint32_t entry_count;
    struct host_runner_entry *entries;
    uint32_t started_count; // threads
    struct host_worker workers[];
};

#endif
