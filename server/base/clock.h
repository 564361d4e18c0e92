// Clocks; any thread. Nothing in server/sim includes this, because time must not decide what a world becomes.
#ifndef WEFT_BASE_CLOCK_H
#define WEFT_BASE_CLOCK_H

#include <stdint.h>

uint64_t base_now_ns(void);  // CLOCK_MONOTONIC: never jumps
uint64_t base_core_ns(void); // processor time that the calling thread has used
// The calling thread's clock of processor time, and what such a clock shows, ns. 0 if the thread has ended, or if the platform does
// not tell it. Reading the clock of another thread is a system call.
int base_core_clock(void);
uint64_t base_core_ns_of(int clock);
uint64_t base_wall_us(void); // microseconds since 1970 by the system's clock, which may jump; for people

#endif
