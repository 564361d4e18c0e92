// Declares the queue of the simulation threads (runner.c). How they share out a turn is below it (runner_share.h).
//
// Invariants, all under the mutex of the threads:
//   - an entry is among the deadlines or, after its deadline, among the ready exactly while it is QUEUED;
//   - among the ready, the one that has had least of the threads runs first. So an entry that seldom wants a turn does not
//     wait for those that always want one. `spent_ns` is kept close to `floor_ns`, so that no entry is starved;
//   - `first_ns` of the threads follows both.
#ifndef WEFT_HOST_RUNNER_INTERNAL_H
#define WEFT_HOST_RUNNER_INTERNAL_H

#include "host/deadlines.h"
#include "host/runner.h"
#include "host/runner_share.h"

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

struct host_runner {
    struct host_share share;
    struct host_deadlines deadlines; // still to come, or over and not looked at since
    struct host_deadlines ready;     // by spent_ns
    uint64_t floor_ns;               // greatest spent_ns of an entry when it was taken
    uint32_t entry_count;
    struct host_runner_entry *entries;
    uint32_t started_count; // threads that have been started
    struct host_worker workers[];
};

#endif
