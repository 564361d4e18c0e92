// The simulation threads: each takes, of the worlds that are due, the one that had least of them, and gives it a turn.
//
// An entry stands for one world. Its turn is called by one thread at a time and returns the monotonic time
// (ns) of the next one: 0 as soon as the others have had theirs, UINT64_MAX only when woken. Idle threads
// sleep until the earliest deadline, or help with the tasks of a turn that runs.
#ifndef WEFT_HOST_RUNNER_H
#define WEFT_HOST_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

struct base_parallel;
struct host_runner;
struct host_runner_entry;

struct host_runner_client {
    // Simulation thread.
    uint64_t (*turn)(void *context, uint64_t now_ns);
    // The entry was removed while a turn ran, and that turn has ended. Simulation thread; must not block.
    void (*removed)(void *context);
    void *context;
};

// Starts the threads. NULL, with a log line, if that cannot be done.
struct host_runner *host_runner_create(uint32_t threads);
// The same for a number of cores that is not what the process may run on. If it is more, no thread watches for
// tasks: all sleep.
struct host_runner *host_runner_create_for(uint32_t threads, uint32_t cores);
// Lets turns under way end, joins the threads and frees all entries. No other call may be under way.
void host_runner_destroy(struct host_runner *runner);

// The same threads lent to a turn: the thread that runs it takes part, others help that have no world that is
// due, no more of them than there are cores left. Other threads may call it and are not helped. Valid until the
// runner is destroyed.
struct base_parallel *host_runner_parallel(struct host_runner *runner);

// Asleep at first. NULL without memory. Any thread.
struct host_runner_entry *host_runner_add(struct host_runner *runner,
                                          const struct host_runner_client *client);
// Whether an entry is due that no thread has taken: a long turn may give way. Any thread; a hint.
bool host_runner_late(const struct host_runner *runner);
// Makes a turn due now; one that runs is followed by another. Any thread.
void host_runner_wake(struct host_runner_entry *entry);
// No turn begins from now on, and the entry is no more the caller's: nobody may wake it. True if no turn
// runs either; else client.removed will be called. Waits for nothing. Any thread.
bool host_runner_remove(struct host_runner_entry *entry);

#endif
