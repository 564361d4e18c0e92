// The monotonic clock of a test's process, as the test sets it. Until clock_hold it is the system's.
//
// This stands before libc for base/clock.h, for libuv's timers, and for waits on conditions until a time (base_cond_wait_until). What
// waits for real, such as a socket, goes on by the system's clock.
#ifndef WEFT_TESTS_UNIT_HELPER_CLOCK_H
#define WEFT_TESTS_UNIT_HELPER_CLOCK_H

#include "base/thread.h"

#include <stdbool.h>
#include <stdint.h>

void clock_hold(void);    // the clock stands still from now on
void clock_release(void); // and is the system's again; nobody may wait until a time
void clock_pass(uint64_t ns);
// Likewise for the processor time of all threads, which stands still on its own while the clock is held.
void clock_work(uint64_t ns);
// While it is held: whether a thread that waits until a time has that time come at once. For tests with one such thread.
void clock_leaps(bool leaps);
// Waits until a time that have begun while the clock was held.
uint64_t clock_waits(void);

// By the system's clock, held or not.
uint64_t clock_real_ns(void);
bool clock_real_wait_until(struct base_cond *cond, struct base_mutex *mutex, uint64_t deadline_ns);

#endif
