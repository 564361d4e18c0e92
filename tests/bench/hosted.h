// Worlds in real time on the server's own runner: each has a tick due every sixtieth of a second.
#ifndef WEFT_BENCH_HOSTED_H
#define WEFT_BENCH_HOSTED_H

#include "scene.h"

struct host_runner;
struct base_parallel;

// A host that runs other machines as well takes cores away for milliseconds at a time, which no program can help.
// So that the two can be told apart, a tick is measured by the clock, and by what its threads did and had to wait for.
struct bench_tick_trace {
    uint64_t due_ns, begin_ns, end_ns;
    uint64_t core_ns; // that its thread was on a core
    uint64_t
        waited_ns; // that simulation threads were runnable and had none, since the end of the tick before
};

struct bench_hosted {
    struct sim *sim;
    // Called when a tick is due, before it; may be NULL. Simulation thread.
    void (*before)(void *context);
    void *context;
    struct bench_tick_trace *trace; // NULL: none
    uint32_t trace_capacity;

    struct base_parallel *parallel;
    uint64_t base_ns;   // tick n is due n periods later
    uint32_t ticks;     // done
    uint64_t busy_ns;   // in ticks
    uint64_t waited_ns; // for a core, up to the last tick; with a trace
    bool failed;
};

uint64_t bench_hosted_due_ns(const struct bench_hosted *hosted); // of the next tick

// Starts `count` worlds, their ticks spread evenly over the period, on a runner of its own; they run until that is
// destroyed. Time and ticks count from here. NULL, with a line on stderr, if that cannot be done.
struct host_runner *bench_hosted_start(struct bench_hosted *worlds, uint32_t count, uint32_t threads);

// Time of the calling thread on a core; Linux leaves out what the host took away.
uint64_t bench_core_now_ns(void);

void bench_sleep_ms(uint32_t ms);

#endif
