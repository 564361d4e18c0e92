// Tasks that threads may share: what a module needs that has work for threads, and none of its own.
#ifndef WEFT_BASE_PARALLEL_H
#define WEFT_BASE_PARALLEL_H

#include <stdint.h>

// Threads that share out tasks. run calls task(context, 0) ... task(context, count - 1), on any threads, and
// returns when all are done; the calling thread takes part. It is not called from within a task.
//
// Between begin and end threads that are free join and watch for the next run, so that a run costs a fraction of
// a microsecond to start and to end: for work of many short runs. They sleep again soon when none comes. Outside
// of begin and end a run wakes sleeping threads, which takes tens of microseconds. A thread that begins also runs and
// ends; different threads may do so at the same time.
typedef void (*base_task)(void *context, uint32_t index);
struct base_parallel {
    void (*begin)(struct base_parallel *self);
    void (*run)(struct base_parallel *self, uint32_t count, base_task task, void *context);
    void (*end)(struct base_parallel *self);
    uint32_t width; // threads that may take part, at least 1
};

#endif
