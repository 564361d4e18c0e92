// A crew as its owner sees it: deal out, do one's part and what nobody else does, wait for what others began.
// crew_internal.h says how the two sides agree.
#include "base/assert.h"
#include "base/crew_internal.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOSSES_MAX = 6, // from here on pauses grow no further
    CALM = 8,       // pauses without a loss, after which losses count from the first again
};

static const uint64_t pause_ns =
    10 * 1000 * 1000; // after the first loss: some ticks of a world that is just large enough for two
static const uint64_t await_ns = 50000; // longer than most tasks: the owner may sleep

static void deal(struct crew_seat *seat, uint32_t first, uint32_t end, base_task task, void *context)
{
    seat->task = task;
    seat->context = context;
    atomic_store_explicit(&seat->range, crew_range(first, end), memory_order_release);
}

// Members first, so that they begin early; the owner's first index is claimed from the outset.
static void deal_out(struct base_crew *crew, uint64_t present, uint64_t parts, uint32_t count, base_task task,
                     void *context)
{
    uint32_t owners = (uint32_t)(count / parts);
    uint32_t first = owners;
    uint64_t dealt = 0;
    for (uint64_t part = 1; part < parts; part++) {
        uint32_t seat = crew_lowest(present);
        uint32_t end = (uint32_t)(count * (part + 1) / parts);
        present &= present - 1;
        dealt |= crew_bit(seat);
        deal(&crew->seats[seat], first, end, task, context);
        first = end;
    }
    if (owners > 1) {
        dealt |= crew_bit(CREW_OWNER);
        deal(&crew->seats[CREW_OWNER], 1, owners, task, context);
    }
    // A store takes the line from all members, so what stays as it is is left alone.
    if (atomic_load_explicit(&crew->dealt, memory_order_relaxed) != dealt) {
        atomic_store_explicit(&crew->dealt, dealt, memory_order_relaxed);
    }
}

// Calls for members that this job could use and that are not here. What was dealt must be seen by whoever looks
// for it and then sleeps, before sleepers are looked for: the exchange keeps the two in order.
static void call_for(struct base_crew *crew, uint32_t present, uint32_t useful)
{
    if (useful > atomic_load_explicit(&crew->useful, memory_order_relaxed)) {
        atomic_store_explicit(&crew->useful, useful, memory_order_relaxed);
    }
    if (useful > present && crew->desc.call) {
        atomic_exchange(&crew->owner_cpu, (unsigned)sched_getcpu());
        crew->desc.call(crew->desc.context, useful - present);
    }
}

static bool all_done(const struct base_crew *crew)
{
    uint64_t done = 0;
    for (uint64_t joined = atomic_load(&crew->joined); joined != 0; joined &= joined - 1) {
        done += atomic_load(&crew->seats[crew_lowest(joined)].done);
    }
    return done == crew->handed;
}

// There is more to run than cores: a member met the owner on one core, which then lost its turn to others as well,
// or it lost its own in the middle of a task. Each costs milliseconds. So the crew goes on with fewer members for a pause, and
// for twice as long each time that this happens soon again. It is a time and no number of bursts, because a tick of a
// large world takes seconds.
static void use_fewer(struct base_crew *crew, uint32_t members)
{
    const uint64_t now_ns = base_now_ns();
    if (crew->losses > 0 && now_ns > crew->more_at_ns + CALM * (pause_ns << (crew->losses - 1))) {
        crew->losses = 0;
    }
    crew->losses += crew->losses < LOSSES_MAX;
    crew->more_at_ns = now_ns + (pause_ns << (crew->losses - 1));
    crew->limit = members;
    atomic_store_explicit(&crew->useful, members, memory_order_relaxed);
}

// Twice as many members once a pause has passed.
static void use_more(struct base_crew *crew)
{
    const uint32_t most = crew->desc.threads - 1;
    if (crew->limit == most || base_now_ns() < crew->more_at_ns) {
        return;
    }
    crew->limit = crew->limit == 0 ? 1 : 2 * crew->limit < most ? 2 * crew->limit : most;
    if (crew->limit < most) {
        crew->more_at_ns = base_now_ns() + pause_ns;
    }
}

// Sleeps until all is done. Returns whether a member made it wait because it had no core. How long the wait was does not say that:
// tasks of large worlds take milliseconds.
static bool sleep_is_lost(struct base_crew *crew)
{
    uint64_t present = crew->desc.spins ? atomic_load(&crew->present) : 0;
    base_mutex_lock(&crew->mutex);
    for (; present != 0; present &= present - 1) {
        struct crew_seat *seat = &crew->seats[crew_lowest(present)];
        seat->core_ns = base_core_ns_of(atomic_load_explicit(&seat->core_clock, memory_order_relaxed));
    }
    crew->slept_ns = base_now_ns();
    crew->lost_core = false;
    atomic_store(&crew->awaiting, true);
    while (!all_done(crew)) {
        base_cond_wait(&crew->rest, &crew->mutex);
    }
    atomic_store(&crew->awaiting, false);
    const bool lost = crew->lost_core;
    base_mutex_unlock(&crew->mutex);
    return lost;
}

// Nothing is left to claim: what members have begun is theirs to end.
static void await_members(struct base_crew *crew)
{
    uint64_t begun_ns = 0;
    for (uint32_t polls = 1; !all_done(crew); polls++) {
        if (polls % CREW_POLLS == 0) {
            uint64_t now_ns = base_now_ns();
            begun_ns = begun_ns == 0 ? now_ns : begun_ns;
            if (!crew->desc.spins || now_ns - begun_ns > await_ns) {
                break;
            }
        }
        crew_relax();
    }
    if (all_done(crew)) {
        return;
    }
    if (sleep_is_lost(crew) && crew_state(crew) == CREW_BURST) {
        use_fewer(crew, (uint32_t)__builtin_popcountll(atomic_load(&crew->present)) / 2);
    }
}

static void share_out(struct base_crew *crew, uint32_t useful, uint32_t count, base_task task, void *context)
{
    uint32_t own = 1, index = 0;
    uint64_t present = atomic_load_explicit(&crew->present, memory_order_relaxed);
    uint32_t members = (uint32_t)__builtin_popcountll(present);
    deal_out(crew, present, (members < useful ? members : useful) + 1, count, task, context);
    call_for(crew, members, useful);
    task(context, index);
    for (; crew_claim(&crew->seats[CREW_OWNER], true, &index); own++) {
        task(context, index);
    }
    uint64_t others = atomic_load_explicit(&crew->dealt, memory_order_relaxed) & ~crew_bit(CREW_OWNER);
    for (; others != 0; others &= others - 1) {
        struct crew_help help = {0};
        for (; crew_help(crew, &crew->seats[crew_lowest(others)], &help, &index); own++) {
            task(context, index);
        }
    }
    crew->handed += count - own;
    await_members(crew);
}

// ---------------------------------------------------------------------------------------------------------
// From outside

void base_crew_open(struct base_crew *crew)
{
    BASE_ASSERT(crew_state(crew) == CREW_CLOSED && !crew->running);
    use_more(crew);
    atomic_store_explicit(&crew->crowded, false, memory_order_relaxed);
    atomic_store_explicit(&crew->useful, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->state, CREW_BURST, memory_order_relaxed);
}

void base_crew_close(struct base_crew *crew)
{
    BASE_ASSERT(crew_state(crew) == CREW_BURST && !crew->running);
    atomic_store_explicit(&crew->state, CREW_CLOSED, memory_order_relaxed);
}

static void one_by_one(uint32_t count, base_task task, void *context)
{
    for (uint32_t index = 0; index < count; index++) {
        task(context, index);
    }
}

void base_crew_run(struct base_crew *crew, uint32_t count, base_task task, void *context)
{
    BASE_ASSERT(!crew->running);
    bool burst = crew_state(crew) == CREW_BURST;
    if (burst) {
        use_more(crew);
    }
    if (burst && crew->limit > 0 && atomic_load_explicit(&crew->crowded, memory_order_relaxed)) {
        atomic_store_explicit(&crew->crowded, false, memory_order_relaxed);
        uint32_t useful = atomic_load_explicit(&crew->useful, memory_order_relaxed);
        use_fewer(crew, useful > 0 ? useful - 1 : 0);
    }
    uint32_t limit = burst ? crew->limit : crew->desc.threads - 1;
    uint32_t useful = count > limit ? limit : count - (count > 0);
    if (useful == 0) {
        one_by_one(count, task, context);
        return;
    }
    if (!burst) {
        atomic_store_explicit(&crew->useful, 0, memory_order_relaxed);
        atomic_store_explicit(&crew->state, CREW_JOB, memory_order_relaxed);
    }
    crew->running = true;
    share_out(crew, useful, count, task, context);
    crew->running = false;
    if (!burst) {
        atomic_store_explicit(&crew->state, CREW_CLOSED, memory_order_relaxed);
    }
}

struct base_crew *base_crew_create(const struct base_crew_desc *desc)
{
    BASE_ASSERT(desc->threads >= 1 && desc->threads <= BASE_CREW_MAX);
    size_t size = sizeof(struct base_crew) + desc->threads * sizeof(struct crew_seat);
    struct base_crew *crew = aligned_alloc(CREW_LINE, size);
    if (!crew) {
        return NULL;
    }
    memset(crew, 0, size);
    crew->desc = *desc;
    crew->limit = desc->threads - 1;
    base_mutex_init(&crew->mutex);
    base_cond_init(&crew->rest);
    atomic_init(&crew->present, 0);
    atomic_init(&crew->joined, 0);
    atomic_init(&crew->dealt, 0);
    atomic_init(&crew->useful, 0);
    atomic_init(&crew->state, CREW_CLOSED);
    atomic_init(&crew->owner_cpu, UINT_MAX);
    atomic_init(&crew->crowded, false);
    atomic_init(&crew->awaiting, false);
    for (uint32_t seat = 0; seat < desc->threads; seat++) {
        atomic_init(&crew->seats[seat].range, 0);
        atomic_init(&crew->seats[seat].done, 0);
        atomic_init(&crew->seats[seat].core_clock, 0);
    }
    return crew;
}

void base_crew_destroy(struct base_crew *crew)
{
    if (!crew) {
        return;
    }
    BASE_ASSERT(crew_state(crew) == CREW_CLOSED);
    BASE_ASSERT(atomic_load(&crew->present) == 0);
    base_cond_deinit(&crew->rest);
    base_mutex_deinit(&crew->mutex);
    free(crew);
}
