// A team of workers for programs without a scheduler: a crew, and threads that do nothing but serve in it.
//
// Invariants, under the mutex: `asleep` is the helpers that wait for a call and have none yet; `calls` those
// called that have not woken. Each call takes one from the first and adds one to the second.
#include "base/assert.h"
#include "base/crew.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct helper {
    struct base_team *team;
    uint32_t seat;
    struct base_thread thread;
};

struct base_team {
    struct base_parallel parallel;
    struct base_crew *crew;
    struct base_mutex mutex;
    struct base_cond work; // a call, or stopping
    atomic_uint asleep;    // readable without the mutex
    uint32_t calls;
    atomic_bool stopping;

    uint32_t helper_count;
    struct helper helpers[];
};

static bool team_away(void *context)
{
    struct base_team *team = context;
    return atomic_load_explicit(&team->stopping, memory_order_relaxed);
}

// Sleeps until it is called, or does not if tasks wait: they may have been dealt before it was known to sleep.
static void team_sleep(struct base_team *team)
{
    atomic_fetch_add(&team->asleep, 1);
    while (team->calls == 0 && !team_away(team)) {
        if (base_crew_waiting(team->crew)) {
            atomic_fetch_sub(&team->asleep, 1);
            return;
        }
        base_cond_wait(&team->work, &team->mutex);
    }
    if (team->calls > 0) {
        team->calls--;
    }
}

static void team_help(void *argument)
{
    struct helper *helper = argument;
    struct base_team *team = helper->team;
    base_mutex_lock(&team->mutex);
    for (;;) {
        team_sleep(team);
        if (team_away(team)) {
            break;
        }
        base_mutex_unlock(&team->mutex);
        uint32_t seat = base_crew_join(team->crew, helper->seat);
        if (seat != 0) {
            base_crew_serve(team->crew, seat, team_away, team);
        }
        base_mutex_lock(&team->mutex);
    }
    base_mutex_unlock(&team->mutex);
}

static void team_call(void *context, uint32_t lacking)
{
    struct base_team *team = context;
    if (atomic_load(&team->asleep) == 0) {
        return;
    }
    base_mutex_lock(&team->mutex);
    uint32_t asleep = atomic_load_explicit(&team->asleep, memory_order_relaxed);
    uint32_t called = lacking < asleep ? lacking : asleep;
    atomic_fetch_sub_explicit(&team->asleep, called, memory_order_relaxed);
    team->calls += called;
    for (uint32_t i = 0; i < called; i++) {
        base_cond_signal(&team->work);
    }
    base_mutex_unlock(&team->mutex);
}

static struct base_team *team_of(struct base_parallel *self)
{
    return (struct base_team *)((char *)self - offsetof(struct base_team, parallel));
}

static void team_begin(struct base_parallel *self)
{
    base_crew_open(team_of(self)->crew);
}

static void team_run(struct base_parallel *self, uint32_t count, base_task task, void *context)
{
    base_crew_run(team_of(self)->crew, count, task, context);
}

static void team_end(struct base_parallel *self)
{
    base_crew_close(team_of(self)->crew);
}

struct base_team *base_team_create(uint32_t threads)
{
    BASE_ASSERT(threads >= 1);
    threads = threads < BASE_CREW_MAX ? threads : BASE_CREW_MAX;
    uint32_t helpers = threads - 1;
    struct base_team *team = calloc(1, sizeof *team + helpers * sizeof team->helpers[0]);
    if (!team) {
        return NULL;
    }
    team->crew = base_crew_create(&(struct base_crew_desc){
        .threads = threads,
        .spins = threads <= base_thread_cores(),
        .call = team_call,
        .context = team,
    });
    if (!team->crew) {
        free(team);
        return NULL;
    }
    team->parallel = (struct base_parallel){team_begin, team_run, team_end, threads};
    base_mutex_init(&team->mutex);
    base_cond_init(&team->work);
    atomic_init(&team->asleep, 0);
    atomic_init(&team->stopping, false);
    for (uint32_t i = 0; i < helpers; i++) {
        struct helper *helper = &team->helpers[i];
        helper->team = team;
        helper->seat = i + 1;
        if (!base_thread_start(&helper->thread, "team", team_help, helper)) {
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
    atomic_store_explicit(&team->stopping, true, memory_order_relaxed);
    base_cond_broadcast(&team->work);
    base_mutex_unlock(&team->mutex);
    for (uint32_t i = 0; i < team->helper_count; i++) {
        base_thread_join(&team->helpers[i].thread);
    }
    base_crew_destroy(team->crew);
    base_cond_deinit(&team->work);
    base_mutex_deinit(&team->mutex);
    free(team);
}

struct base_parallel *base_team_parallel(struct base_team *team)
{
    return &team->parallel;
}
