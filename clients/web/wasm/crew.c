// Threads of one module whose memory is shared. A job is dealt out by one word: which job, and how many of its tasks are left. Who
// lowers it by one does the task of that number, and what a member read of a job is the job's as long as the word still names it,
// for the owner writes the next one only when all tasks of this are done.
//
//     owner     word: job 7, 3 left │ task 2 │ task 0 │ waits for done = 3 │ word: job 8, …
//     member                        │ task 1 │ watches the word for a while, then sleeps until the bell
#include "crew.h"

#if defined(__wasm_atomics__)

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// A poll takes some nanoseconds: longer than the pauses in a tick, far shorter than those between ticks.
enum { CREW_POLLS = 20000 };

static struct {
    _Atomic uint64_t word; // job << 32 | tasks left
    _Atomic uint32_t done; // tasks of it
    _Atomic(base_task) task;
    _Atomic(void *) context;
    _Atomic uint32_t count;
    _Atomic uint32_t bell; // rung where members sleep
    _Atomic uint32_t asleep, members;
    atomic_bool closed, broken;
    uint32_t job; // the owner's
} crew;

static void wait_for(_Atomic uint32_t *word, uint32_t seen)
{
    __builtin_wasm_memory_atomic_wait32((int32_t *)word, (int32_t)seen, -1);
}

static void wake(_Atomic uint32_t *word)
{
    __builtin_wasm_memory_atomic_notify((int32_t *)word, UINT32_MAX);
}

static bool work_waits(void)
{
    return (uint32_t)atomic_load(&crew.word) != 0;
}

// False where there is none.
static bool do_one(void)
{
    uint64_t word = atomic_load(&crew.word);
    if ((uint32_t)word == 0) {
        return false;
    }
    const base_task task = atomic_load(&crew.task);
    void *context = atomic_load(&crew.context);
    const uint32_t count = atomic_load(&crew.count);
    if (atomic_compare_exchange_strong(&crew.word, &word, word - 1)) {
        task(context, (uint32_t)word - 1);
        if (atomic_fetch_add(&crew.done, 1) + 1 == count) {
            wake(&crew.done);
        }
    }
    return true;
}

static void nothing(struct base_parallel *self)
{
    (void)self;
}

static void run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    if (count < 2 || self->width < 2) {
        for (uint32_t index = 0; index < count; index++) {
            task(context, index);
        }
        return;
    }
    if (atomic_load(&crew.broken)) {
        __builtin_trap();
    }
    atomic_store(&crew.task, task);
    atomic_store(&crew.context, context);
    atomic_store(&crew.count, count);
    atomic_store(&crew.done, 0);
    atomic_store(&crew.word, (uint64_t)++crew.job << 32 | count);
    if (atomic_load(&crew.asleep) > 0) {
        atomic_fetch_add(&crew.bell, 1);
        wake(&crew.bell);
    }
    while (do_one()) {
        continue;
    }
    uint32_t done;
    for (uint32_t polls = 0; (done = atomic_load(&crew.done)) != count; polls++) {
        if (atomic_load(&crew.broken)) {
            __builtin_trap();
        }
        if (polls >= CREW_POLLS) {
            wait_for(&crew.done, done);
        }
    }
}

struct base_parallel *machine_crew(void)
{
    static struct base_parallel parallel = {nothing, run, nothing, 1};
    parallel.width = atomic_load(&crew.members) + 1;
    return &parallel;
}

void machine_crew_serve(void)
{
    atomic_fetch_add(&crew.members, 1);
    while (!atomic_load(&crew.closed)) {
        const uint32_t heard = atomic_load(&crew.bell);
        for (uint32_t polls = 0; polls < CREW_POLLS; polls++) {
            if (do_one()) {
                polls = 0;
            }
        }
        // The owner looks for sleepers after adding work, and a member looks for work after marking itself as asleep:
        // so one of the two sees the other.
        atomic_fetch_add(&crew.asleep, 1);
        if (!work_waits() && !atomic_load(&crew.closed)) {
            wait_for(&crew.bell, heard);
        }
        atomic_fetch_sub(&crew.asleep, 1);
    }
    atomic_fetch_sub(&crew.members, 1);
}

void machine_crew_close(void)
{
    atomic_store(&crew.closed, true);
    atomic_fetch_add(&crew.bell, 1);
    wake(&crew.bell);
}

void machine_crew_break(void)
{
    atomic_store(&crew.broken, true);
    atomic_fetch_add(&crew.done, 1U << 31); // no count of tasks: the owner wakes, and looks
    wake(&crew.done);
}

#else

#include <stddef.h>

struct base_parallel *machine_crew(void)
{
    return NULL;
}

#endif
