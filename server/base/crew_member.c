// A crew as its members see it: take a seat, work, watch, leave.
#include "base/assert.h"
#include "base/crew_internal.h"

#include <sched.h>

static const uint64_t watch_ns = 100000; // longer than what a tick does between two jobs

uint32_t base_crew_lacking(const struct base_crew *crew)
{
    if (crew_state(crew) == CREW_CLOSED) {
        return 0;
    }
    uint32_t useful = atomic_load_explicit(&crew->useful, memory_order_relaxed);
    uint64_t present = atomic_load_explicit(&crew->present, memory_order_relaxed);
    uint32_t members = (uint32_t)__builtin_popcountll(present);
    return useful > members ? useful - members : 0;
}

bool base_crew_waiting(const struct base_crew *crew)
{
    for (uint64_t dealt = atomic_load(&crew->dealt); dealt != 0; dealt &= dealt - 1) {
        if (!crew_range_empty(atomic_load(&crew->seats[crew_lowest(dealt)].range))) {
            return true;
        }
    }
    return false;
}

uint32_t base_crew_join(struct base_crew *crew, uint32_t wish)
{
    uint64_t all = UINT64_MAX >> (BASE_CREW_MAX - crew->desc.threads) & ~crew_bit(CREW_OWNER);
    uint64_t present = atomic_load_explicit(&crew->present, memory_order_relaxed);
    while (crew_state(crew) != CREW_CLOSED && (all & ~present) != 0) {
        uint64_t vacant = all & ~present;
        uint32_t seat = wish < BASE_CREW_MAX && (vacant & crew_bit(wish)) ? wish : crew_lowest(vacant);
        if (atomic_compare_exchange_weak(&crew->present, &present, present | crew_bit(seat))) {
            atomic_fetch_or(&crew->joined, crew_bit(seat));
            return seat;
        }
    }
    return 0;
}

// The owner asked for the time on its core when it began to sleep. A long task keeps the core, so the difference says which of
// both it was.
static void account(struct base_crew *crew, const struct crew_seat *seat)
{
    const uint64_t core_ns = base_core_ns(), now_ns = base_now_ns();
    base_mutex_lock(&crew->mutex);
    crew->lost_core = crew_lost_core(seat->core_ns, core_ns, now_ns - crew->slept_ns);
    base_mutex_unlock(&crew->mutex);
}

static void count_up(struct base_crew *crew, struct crew_seat *seat)
{
    if (atomic_load(&crew->awaiting) && crew->desc.spins) {
        account(crew, seat); // the owner sleeps at least until this task is counted
    }
    atomic_fetch_add(&seat->done, 1);
    if (atomic_load(&crew->awaiting)) {
        base_mutex_lock(&crew->mutex);
        base_cond_signal(&crew->rest);
        base_mutex_unlock(&crew->mutex);
    }
}

// Does the rest of the job, its own part first. False if it was called away before the end.
static bool work(struct base_crew *crew, uint32_t seat, bool (*away)(void *context), void *context)
{
    struct crew_seat *own = &crew->seats[seat];
    uint64_t others = atomic_load_explicit(&crew->dealt, memory_order_relaxed) & ~crew_bit(seat);
    uint64_t after = others & ~(crew_bit(seat) - 1); // in turn, so that not all take from the same one
    struct crew_seat *from = own;
    for (;;) {
        struct crew_help help = {0};
        uint32_t index;
        while (from == own ? crew_claim(own, true, &index) : crew_help(crew, from, &help, &index)) {
            from->task(from->context, index);
            count_up(crew, own);
            if (away(context)) {
                return false;
            }
        }
        if (others == 0) {
            return true;
        }
        uint32_t next = crew_lowest(after != 0 ? after : others);
        from = &crew->seats[next];
        others &= ~crew_bit(next);
        after &= others;
    }
}

// True when there is something to do in the own seat.
static bool watch(const struct base_crew *crew, const struct crew_seat *seat, bool (*away)(void *context),
                  void *context, enum base_crew_left *why)
{
    uint64_t begun_ns = 0;
    for (uint32_t polls = 1; crew_range_empty(atomic_load_explicit(&seat->range, memory_order_relaxed));
         polls++) {
        if (crew_state(crew) == CREW_CLOSED) {
            *why = BASE_CREW_CLOSED;
            return false;
        }
        if (polls % CREW_POLLS == 0) {
            uint64_t now_ns = base_now_ns();
            begun_ns = begun_ns == 0 ? now_ns : begun_ns;
            if (away(context)) {
                *why = BASE_CREW_AWAY;
                return false;
            }
            if (!crew->desc.spins || now_ns - begun_ns > watch_ns) {
                *why = BASE_CREW_TIRED;
                return false;
            }
        }
        crew_relax();
    }
    return true;
}

// To watch on the owner's core is to keep the owner from it.
static bool crowds(const struct base_crew *crew)
{
    return crew->desc.spins && crew_state(crew) == CREW_BURST &&
           (unsigned)sched_getcpu() == atomic_load_explicit(&crew->owner_cpu, memory_order_relaxed);
}

enum base_crew_left base_crew_serve(struct base_crew *crew, uint32_t seat, bool (*away)(void *context),
                                    void *context)
{
    BASE_ASSERT(seat != CREW_OWNER && seat < crew->desc.threads);
    enum base_crew_left why = BASE_CREW_AWAY;
    atomic_store_explicit(&crew->seats[seat].core_clock, base_core_clock(), memory_order_relaxed);
    bool stays = !crowds(crew);
    if (!stays) {
        atomic_store_explicit(&crew->crowded, true, memory_order_relaxed);
        why = BASE_CREW_TIRED;
    }
    while (stays && work(crew, seat, away, context)) {
        stays = watch(crew, &crew->seats[seat], away, context, &why);
    }
    atomic_fetch_and(&crew->present, ~crew_bit(seat));
    return why;
}
