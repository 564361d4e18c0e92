// The interface through which a module that has no threads of its own (the solver) shares work out to threads.
#ifndef WEFT_BASE_PARALLEL_H
#define WEFT_BASE_PARALLEL_H

#include <stdint.h>

// run calls task(context, 0) ... task(context, count - 1), on any threads and in any order, and returns when all are done. The
// calling thread takes part. A task never calls run.
//
// Between begin and end, threads that are free poll for the next run, so that a run costs a fraction of a microsecond to
// start and to end. This is for work of many short runs; threads sleep again soon if none comes. Outside of begin and
// end a run wakes sleeping threads, which takes tens of microseconds. The thread that calls begin also calls run and end.
// Several threads may do so at the same time, unless the provider says otherwise (base_team).
typedef void (*base_task)(void *context, uint32_t index);
struct base_parallel {
    void (*begin)(struct base_parallel *self);
    void (*run)(struct base_parallel *self, uint32_t count, base_task task, void *context);
    void (*end)(struct base_parallel *self);
    uint32_t width; // most threads that take part, with the caller; at least 1
};

#endif
