// Runs the simulation threads. A free thread gives a turn to the world that has had the least time, of all worlds that
// are due.
//
// An entry stands for one world. One thread at a time calls its turn, which returns the monotonic time (ns)
// of the next one. 0: as soon as the others have had theirs; UINT64_MAX: only when it is woken. Idle threads
// sleep until the earliest deadline, or help with the tasks of a turn that runs.
#ifndef WEFT_HOST_RUNNER_H
#define WEFT_HOST_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

struct base_parallel;
struct host_runner;
struct host_runner_entry;

struct host_runner_client {
    // Runs a turn. Simulation thread.
    uint64_t (*turn)(void *context, uint64_t now_ns);
    // The entry was removed while a turn ran, and that turn has ended. Simulation thread; must not block.
    void (*removed)(void *context);
    void *context;
};

// Starts the threads. NULL, with a log line, if that fails.
struct host_runner *host_runner_create(uint32_t threads);
// The same, as if the process had so many cores. If there are more threads than cores, no thread spins while it waits for
// tasks: all sleep.
struct host_runner *host_runner_create_for(uint32_t threads, uint32_t cores);
// Lets turns under way end, joins the threads and frees all entries. No other call may be under way.
void host_runner_destroy(struct host_runner *runner);

// Returns the threads, to be lent to a turn. The thread that runs the turn takes part. Threads without a
// world that is due help it, but no more than there are free cores. Other threads may call it and get no
// help. Valid until the runner is destroyed.
struct base_parallel *host_runner_parallel(struct host_runner *runner);

// Adds an entry, which sleeps at first. NULL if memory runs out. Any thread.
struct host_runner_entry *host_runner_add(struct host_runner *runner,
                                          const struct host_runner_client *client);
// Whether an entry is due that no thread has taken: a long turn may then give way. Any thread; only a hint.
bool host_runner_late(const struct host_runner *runner);
// Makes a turn due now. If one runs, another follows it. Any thread.
void host_runner_wake(struct host_runner_entry *entry);
// Removes an entry. No turn of it begins from now on, and nobody may wake it. True if no turn runs either;
// else client.removed will be called. Waits for nothing. Any thread.
bool host_runner_remove(struct host_runner_entry *entry);

#endif
