// The memory that both sides of a crew share: one seat for each thread, in a cache line of its own. The owner deals tasks out
// by writing the seats, and every thread claims tasks from them.
//
//     seat 0 (owner)    task, context, range = [first, end), done
//     seat 1            task, context, range, done         a member's line travels to it once a job and back once
//     ...
//
// Invariants:
//   - a thread that moves a range's first (at its own seat) or end (at another's) by compare-and-swap has claimed that
//     index, and has begun it; only then it reads that seat's task and context, which the owner leaves alone
//     until the index is done. So a late or stale claim is a claim in the job that runs now, or fails;
//   - done counts, for ever, what the seat's holders have done; `handed` counts what members have claimed, which
//     the owner knows when nothing is left to claim. The job has ended when the done of all seats add up to it;
//   - `present`, `dealt` and `useful` are hints: what they miss is left to the owner, which does it;
//   - the owner sleeps only after it has said so in `awaiting` and has added up once more; a member counts up
//     and then looks at `awaiting`: one of the two sees the other (both sequentially consistent);
//   - while the owner sleeps no task is left to claim, so each member ends one task at most. Before it counts that up it
//     notes under the mutex for how long it had no core meanwhile. The last member to do so ends the wait.
#ifndef WEFT_BASE_CREW_INTERNAL_H
#define WEFT_BASE_CREW_INTERNAL_H

#include "base/clock.h"
#include "base/crew.h"

#include <stdalign.h>
#include <stdatomic.h>

enum {
    CREW_LINE = 128,         // bytes: two cache lines, because processors fetch the neighbouring line too
    CREW_POLLS = 16,         // polls between two looks at the clock
    CREW_OWNER = 0,          // the owner's seat
    CREW_PATIENCE_NS = 4000, // time without a new task after which others may take from a seat's range
    CREW_LOST_NS =
        500000, // time without a core after which a member has lost it: a few turns of the scheduler are shorter
};

struct crew_seat {
    // The tasks that nobody has begun: the first in the low half, the end in the high half.
    alignas(CREW_LINE) atomic_uint_least64_t range;
    base_task task;
    void *context;
    atomic_uint_least64_t done; // tasks that the holders of this seat have ended, in all jobs
    atomic_int core_clock;      // of the last holder (base_core_clock)
    uint64_t core_ns;           // what that clock showed when the owner began to sleep. Under the mutex
};

enum crew_state { CREW_CLOSED, CREW_JOB, CREW_BURST }; // JOB: one run outside of open and close

struct base_crew {
    // The owner's.
    struct base_crew_desc desc;
    uint64_t handed;     // tasks that members have claimed, of all jobs
    bool running;        // a run is under way
    uint32_t limit;      // most members in a burst now
    uint32_t losses;     // how often in succession there were too few free cores
    uint64_t more_at_ns; // when the limit may grow again, if it is less than all
    struct base_mutex mutex;
    struct base_cond rest; // the owner sleeps on it if members take long

    // These two are about the owner's last sleep, and are read and written under the mutex.
    uint64_t slept_ns; // when it began
    bool lost_core;    // the last member that ended a task in it had no core for most of it

    // Read by all, and written seldom.
    alignas(CREW_LINE) atomic_uint_least64_t present; // a bit for each seat taken now
    atomic_uint_least64_t joined;                     // a bit for each seat that was ever taken
    atomic_uint_least64_t dealt;                      // seats with a range in this job
    atomic_uint useful;                               // members that the burst's jobs could have used
    atomic_uint state;
    atomic_uint owner_cpu; // the core on which the owner last made a call
    atomic_bool crowded;   // a member found itself on the owner's core
    atomic_bool awaiting;  // the owner sleeps on `rest`, or is about to

    struct crew_seat seats[];
};

static inline uint64_t crew_bit(uint32_t seat)
{
    return UINT64_C(1) << seat;
}

static inline uint32_t crew_lowest(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask);
}

static inline enum crew_state crew_state(const struct base_crew *crew)
{
    return (enum crew_state)atomic_load_explicit(&crew->state, memory_order_relaxed);
}

static inline uint64_t crew_range(uint32_t first, uint32_t end)
{
    return (uint64_t)end << 32 | first;
}

static inline bool crew_range_empty(uint64_t range)
{
    return (uint32_t)range >= (uint32_t)(range >> 32);
}

// Claims one task: from the front for the holder of the seat, from the back for others. False if none is left.
static inline bool crew_claim(struct crew_seat *seat, bool front, uint32_t *index)
{
    uint64_t range = atomic_load_explicit(&seat->range, memory_order_relaxed);
    while (!crew_range_empty(range)) {
        uint32_t first = (uint32_t)range, end = (uint32_t)(range >> 32);
        uint64_t left = front ? crew_range(first + 1, end) : crew_range(first, end - 1);
        if (atomic_compare_exchange_weak_explicit(&seat->range, &range, left, memory_order_acquire,
                                                  memory_order_relaxed)) {
            *index = front ? first : end - 1;
            return true;
        }
    }
    return false;
}

// Whether a thread whose processor time went from begun_ns to ended_ns in this time was without a core for longer than it had
// one, and for longer than CREW_LOST_NS. begun_ns is 0 if it could not be told: then it was.
static inline bool crew_lost_core(uint64_t begun_ns, uint64_t ended_ns, uint64_t time_ns)
{
    const uint64_t had_ns = begun_ns != 0 && ended_ns > begun_ns ? ended_ns - begun_ns : 0;
    const uint64_t lacked_ns = time_ns > had_ns ? time_ns - had_ns : 0;
    return lacked_ns > had_ns && lacked_ns > CREW_LOST_NS;
}

// Tells the core that this is a loop of waiting.
static inline void crew_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// The first task that a seat's holder had not begun, and since when a thread that would help has seen it there.
struct crew_help {
    uint32_t first;
    uint64_t since_ns;
};

// Claims a task of another's seat once its holder has begun none for CREW_PATIENCE_NS. False if none is left.
//
// A task's data is in its holder's caches. A short task takes several times as long on another core, and so does the holder's
// next one. So help is for threads that have lost their core, or whose tasks are long.
static inline bool crew_help(const struct base_crew *crew, struct crew_seat *seat, struct crew_help *help,
                             uint32_t *index)
{
    while (crew->desc.spins) {
        uint64_t range = atomic_load_explicit(&seat->range, memory_order_relaxed);
        uint64_t now_ns = base_now_ns();
        if (help->since_ns == 0 || help->first != (uint32_t)range) {
            *help = (struct crew_help){(uint32_t)range, now_ns};
        }
        if (crew_range_empty(range)) {
            return false;
        }
        if (now_ns - help->since_ns > CREW_PATIENCE_NS) {
            break;
        }
        crew_relax();
    }
    return crew_claim(seat, false, index);
}

#endif
