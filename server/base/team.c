// A team of workers for programs without a scheduler: base_parallel over threads of its own.
//
//     caller:  set job, generation++, broadcast | claim ... claim | wait until all helpers have left | return
//     helper:  wait for a new generation        | claim ... claim | leave (last one signals)         | wait
//
// Invariants: the job's fields change only under the mutex and only while no helper is inside; indices are
// claimed by a fetch_add on a 64-bit counter, so claims past the end cannot wrap round; what the tasks wrote
// is visible to the caller because every helper leaves under the mutex.
#include "base/thread.h"

#include "base/assert.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct base_team {
    struct base_parallel parallel;
    struct base_mutex mutex;
    struct base_cond work; // a new generation, or stopping
    struct base_cond idle; // inside fell to 0
    uint64_t generation;
    bool stopping;
    bool running;    // a job is under way: run is not re-entrant
    uint32_t inside; // helpers that have not left the generation

    base_task task;
    void *context;
    uint32_t count;
    atomic_uint_least64_t next;

    uint32_t helper_count;
    struct base_thread helpers[];
};

static void team_claim(struct base_team *team, base_task task, void *context, uint32_t count)
{
    for (;;) {
        uint64_t index = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (index >= count) {
            return;
        }
        task(context, (uint32_t)index);
    }
}

static void team_helper(void *argument)
{
    struct base_team *team = argument;
    uint64_t seen = 0;
    base_mutex_lock(&team->mutex);
    for (;;) {
        while (team->generation == seen && !team->stopping) {
            base_cond_wait(&team->work, &team->mutex);
        }
        if (team->stopping) {
            break;
        }
        seen = team->generation;
        base_task task = team->task;
        void *context = team->context;
        uint32_t count = team->count;
        base_mutex_unlock(&team->mutex);

        team_claim(team, task, context, count);

        base_mutex_lock(&team->mutex);
        team->inside--;
        if (team->inside == 0) {
            base_cond_signal(&team->idle);
        }
    }
    base_mutex_unlock(&team->mutex);
}

static void team_run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    struct base_team *team = (void *)((char *)self - offsetof(struct base_team, parallel));
    if (team->helper_count == 0 || count <= 1) {
        for (uint32_t i = 0; i < count; i++) {
            task(context, i);
        }
        return;
    }
    base_mutex_lock(&team->mutex);
    BASE_ASSERT(!team->running);
    team->running = true;
    team->task = task;
    team->context = context;
    team->count = count;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    team->inside = team->helper_count;
    team->generation++;
    base_cond_broadcast(&team->work);
    base_mutex_unlock(&team->mutex);

    team_claim(team, task, context, count);

    base_mutex_lock(&team->mutex);
    while (team->inside > 0) {
        base_cond_wait(&team->idle, &team->mutex);
    }
    team->running = false;
    base_mutex_unlock(&team->mutex);
}

struct base_team *base_team_create(uint32_t threads)
{
    BASE_ASSERT(threads >= 1);
    uint32_t helpers = threads - 1;
    struct base_team *team = calloc(1, sizeof *team + helpers * sizeof team->helpers[0]);
    if (!team) {
        return NULL;
    }
    team->parallel.run = team_run;
    team->parallel.width = threads;
    base_mutex_init(&team->mutex);
    base_cond_init(&team->work);
    base_cond_init(&team->idle);
    atomic_init(&team->next, 0);
    for (uint32_t i = 0; i < helpers; i++) {
        if (!base_thread_start(&team->helpers[i], "team", team_helper, team)) {
            base_team_destroy(team);
            return NULL;
        }
        team->helper_count++;
    }
    return team;
}

void base_team_destroy(struct base_team *team)
{
    if (!team) {
        return;
    }
    base_mutex_lock(&team->mutex);
    BASE_ASSERT(!team->running);
    team->stopping = true;
    base_cond_broadcast(&team->work);
    base_mutex_unlock(&team->mutex);
    for (uint32_t i = 0; i < team->helper_count; i++) {
        base_thread_join(&team->helpers[i]);
    }
    base_cond_deinit(&team->idle);
    base_cond_deinit(&team->work);
    base_mutex_deinit(&team->mutex);
    free(team);
}

struct base_parallel *base_team_parallel(struct base_team *team)
{
    return &team->parallel;
}
