// Threads as the simulator has them: fibers, which take turns on the one thread there is, by the simulated clock. fibers.c is
// base/thread.h and base/clock.h for a whole program, so that whatever has threads of its own (the store, the cluster, the workers of
// a server) runs here as it is, and the same seed gives the same run.
//
//     a fiber runs until it waits: for a lock, a condition, another fiber's end, or a time
//     who goes on is drawn from those that are ready; now and then a fiber that takes a lock lets another go first
//     nobody is ready: the clock goes to the next event or deadline
//
// The fiber that calls fibers_start is one like the others. A fiber belongs to the server (owner) that its maker belonged to, or that
// fibers_begin named. A server can sleep: then none of its fibers goes on, as if its process were stopped; its deadlines pass.
#ifndef WEFT_SIMULATOR_FIBERS_H
#define WEFT_SIMULATOR_FIBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FIBERS_OWNERS = 16 }; // servers, with number 0 for what belongs to none

void fibers_start(uint64_t seed); // the caller becomes a fiber of owner 0
void fibers_end(void);            // all others have ended

// Sets the owner of what this fiber does from here on, and of the fibers that it starts. Returns the one before.
uint32_t fibers_be(uint32_t owner);
uint32_t fibers_owner(void);

void fibers_sleep_until(uint64_t ns); // the calling fiber; others go on
void fibers_yield(void);              // until all that is ready now had its chance

// Called at that time, in no fiber: it must not wait.
void fibers_at(uint64_t ns, void (*call)(void *context), void *context);
// Waits until fibers_wake is called for the same address. False: the time came first.
bool fibers_wait(const void *what, uint64_t deadline_ns);
void fibers_wake(const void *what); // wakes all fibers that wait for it; also in an event

// Wakes a fiber that waits for `what` (fibers_wait) whenever another fiber of its owner has run: for a loop that these
// may have given work. NULL: none.
void fibers_attend(const void *what);

void fibers_hold(uint32_t owner, bool held);  // its process is stopped, or goes on
void fibers_jump(uint32_t owner, int64_t us); // its wall clock is set

uint64_t fibers_draw(void); // a number of the run's own
// How many times a fiber went on so far: for what the run cost, and to see that two runs are the same.
uint64_t fibers_switches(void);
// Hash of all random draws and of the order of fibers: equal in two equal runs.
uint64_t fibers_trace(void);

#endif
