// Keeps what was made for lossless streams until the loop has it.
//
//     tick ─▶ owed ── charged to the backlog ──▶ event ─▶ net: waits for credit ─▶ written: given back
//              └─ no room: the world waits for it (held), or the stream ends
//
// A batch is charged to its stream's backlog from when it is made until it is written and destroyed. So a
// world need not be told what was sent: it looks at the backlog. When a stream begins, its backlog is
// reserved from a sum that is a part of the budget of frames. So backlogs never take what live streams need.
//
// A stream gets its batches in order. Only its last batch may lack room. If the world may be held, no tick
// begins while a batch lacks room, so at most the frames of one tick are kept beyond the backlog. If a batch
// lacks room, its stream ends and says why when the world may not be held, when the stream takes nothing for
// too long, or when its person has held the world for too long in all.
#include "world/frames/lossless.h"

#include "base/assert.h"
#include "world/answer/event.h"
#include "world/frames/part.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdlib.h>

enum { RETRY_NS = 5 * 1000 * 1000, TOLD_NS = 1000 * 1000 * 1000 };

// ---------------------------------------------------------------------------------------------------------
// Streams

size_t world_lossless_room(const struct world_frames *frames, uint32_t session)
{
    const struct world_streams *streams = &frames->streams;
    size_t all = 0, own = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        const struct world_lossless *lossless = streams->items[i].lossless;
        all += lossless ? lossless->limit : 0;
        own += lossless && streams->items[i].session == session ? lossless->limit : 0;
    }
    // With x more, a session may have own + x ≤ most − all − x.
    const size_t most = frames->backlogs.bytes_max;
    return all + own < most ? (most - all - own) / 2 : 0;
}

size_t world_lossless_most(const struct world_frames *frames)
{
    return frames->backlogs.bytes_max;
}

struct world_lossless *world_lossless_create(size_t limit)
{
    struct world_lossless *lossless = calloc(1, sizeof *lossless);
    if (lossless && !(lossless->backlog = base_budget_create(limit))) {
        free(lossless);
        return NULL;
    }
    if (lossless) {
        lossless->limit = limit;
    }
    return lossless;
}

static struct base_batch *owed_take(struct world_lossless *lossless)
{
    struct base_batch *batch = lossless->owed;
    lossless->owed = batch->next;
    lossless->owed_last = lossless->owed ? lossless->owed_last : NULL;
    batch->next = NULL;
    return batch;
}

static void owed_drop(struct world_lossless *lossless)
{
    while (lossless->owed) {
        base_batch_destroy(owed_take(lossless));
    }
}

void world_lossless_destroy(struct world_lossless *lossless)
{
    if (!lossless) {
        return;
    }
    owed_drop(lossless);
    base_budget_release(lossless->backlog);
    free(lossless);
}

void world_lossless_end(struct world_stream *stream, enum world_lack lack)
{
    struct world_lossless *lossless = stream->lossless;
    if (lossless->lack == WORLD_LACK_NONE) {
        lossless->lack = lack;
        stream->lack = lack;
        owed_drop(lossless);
    }
}

bool world_lossless_takes(const struct world_stream *stream)
{
    return !stream->lossless->owed && stream->lossless->lack == WORLD_LACK_NONE;
}

static bool lacks_room(const struct world_lossless *lossless)
{
    return lossless && lossless->owed && !lossless->owed_last->backlog;
}

void world_lossless_put(struct world_time *time, struct world_stream *stream, struct base_batch *batch,
                        bool present)
{
    struct world_lossless *lossless = stream->lossless;
    if (lossless->lack != WORLD_LACK_NONE) {
        base_batch_destroy(batch);
        return;
    }
    batch->lossless = true;
    const bool late = lacks_room(lossless);
    const bool charged = !late && base_batch_charge(batch, lossless->backlog);
    const bool too_large = base_batch_size(batch) > lossless->limit;
    if (lossless->owed) {
        lossless->owed_last->next = batch;
    } else {
        lossless->owed = batch;
    }
    lossless->owed_last = batch;
    if (too_large) {
        world_lossless_end(stream, WORLD_LACK_LARGE);
    } else if (late || (!charged && !present && !world_holding_of(time)->allowed)) {
        world_lossless_end(stream, WORLD_LACK_BACKLOG);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Handing over

static uint32_t count_owed(const struct world_streams *streams)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        const struct world_lossless *lossless = streams->items[i].lossless;
        for (const struct base_batch *batch = lossless ? lossless->owed : NULL; batch; batch = batch->next) {
            count++;
        }
    }
    return count;
}

static void hand_over(struct world *world, uint32_t count)
{
    const struct world_streams *streams = &world->frames->streams;
    struct world_event *event = world_event_create(WORLD_LOSSLESS);
    if (event) {
        event->batches = malloc(count * sizeof(struct base_batch *));
    }
    if (!event || !event->batches) {
        world_event_destroy(event);
        return; // the next turn tries again
    }
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_lossless *lossless = streams->items[i].lossless;
        while (lossless && lossless->owed &&
               (lossless->owed->backlog || base_batch_charge(lossless->owed, lossless->backlog))) {
            event->batches[event->batch_count++] = owed_take(lossless);
        }
    }
    if (event->batch_count == 0) {
        world_event_destroy(event);
        return;
    }
    world_push(world, event);
}

// ---------------------------------------------------------------------------------------------------------
// Holding

// Whether a stream that stops the next tick may still hold it. False: it has for too long.
static bool may_hold(uint64_t most_ns, struct world_lossless *lossless, uint64_t now_ns)
{
    const size_t used = base_budget_used(lossless->backlog);
    if (lossless->moved_ns == 0 || used < lossless->used) {
        lossless->moved_ns = now_ns;
    }
    lossless->used = used;
    return now_ns - lossless->moved_ns < most_ns;
}

// Charges the time since the last look to the persons who held the world, and notes what their streams took.
static void charge_holders(struct world *world)
{
    struct world_streams *streams = &world->frames->streams;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_lossless *lossless = streams->items[i].lossless;
        struct world_payer *payer = streams->items[i].payer;
        if (!lossless) {
            continue;
        }
        const size_t used = base_budget_used(lossless->backlog);
        if (lossless->holds && used < lossless->seen) {
            world_payer_took(payer, lossless->seen - used);
        }
        payer->holds = payer->holds || lossless->holds;
        lossless->holds = false;
    }
    world_effort_hold(&streams->effort, world_now_ns(world->time) - world->frames->backlogs.looked_ns);
}

// Returns the first session whose stream stops the next tick; 0: none. Ends streams that have done so for too
// long.
static uint32_t find_holder(struct world *world)
{
    struct world_streams *streams = &world->frames->streams;
    const bool may = world_runs(world->time) && world_holding_of(world->time)->allowed;
    const uint64_t most_ns = world->frames->backlogs.most_ns;
    uint32_t by = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = &streams->items[i];
        struct world_lossless *lossless = stream->lossless;
        if (!lossless) {
            continue;
        }
        if (!lacks_room(lossless) || !may) {
            lossless->moved_ns = 0;
        } else if (!may_hold(most_ns, lossless, world_now_ns(world->time))) {
            world_lossless_end(stream, WORLD_LACK_HELD);
        } else if (stream->payer->held_ns >= WORLD_HOLD_SUM * most_ns) {
            world_lossless_end(stream, WORLD_LACK_HOLDS);
        } else {
            lossless->holds = true;
            lossless->seen = base_budget_used(lossless->backlog);
            by = by != 0 ? by : stream->session;
        }
    }
    return by;
}

// A session counts as a holder until it has not held for a second, so that one which holds a little in every
// tick is seen as well.
static void look(struct world *world)
{
    struct world_backlogs *backlogs = &world->frames->backlogs;
    struct world_holding *hold = world_holding_of(world->time);
    const uint64_t now_ns = world_now_ns(world->time);
    const uint32_t by = find_holder(world);
    if (hold->holds) {
        backlogs->held_ns += now_ns - backlogs->looked_ns;
    }
    hold->holds = by != 0;
    backlogs->looked_ns = now_ns;
    if (hold->holds) {
        hold->by = hold->by != 0 ? hold->by : by;
        backlogs->last_ns = now_ns;
    } else if (now_ns - backlogs->last_ns >= TOLD_NS) {
        hold->by = 0;
    }
    // Nothing is told while the loop takes nothing, so the notice has room in the outbox.
    if (hold->by != backlogs->told_by && world_events_waiting(world->answers, WORLD_LOSSLESS) == 0) {
        backlogs->told_by = hold->by;
        world_notice_changed(world, world_state(world->time), NULL);
    }
}

void world_lossless_turn(struct world *world)
{
    charge_holders(world); // first, because what is handed over replaces what was taken
    const uint32_t count = count_owed(&world->frames->streams);
    if (count > 0 && world_events_waiting(world->answers, WORLD_LOSSLESS) < WORLD_LOSSLESS_EVENTS_MAX) {
        hand_over(world, count);
    }
    look(world);
}

uint64_t world_lossless_next(const struct world *world, uint64_t now_ns)
{
    const struct world_streams *streams = &world->frames->streams;
    const uint32_t by = world_holding_of(world->time)->by;
    uint64_t next = by != world->frames->backlogs.told_by || by != 0 ? now_ns + TOLD_NS / 4 : UINT64_MAX;
    for (uint32_t i = 0; i < streams->count; i++) {
        const struct world_lossless *lossless = streams->items[i].lossless;
        if (lossless && (lossless->owed || lossless->lack != WORLD_LACK_NONE)) {
            next = now_ns + RETRY_NS;
        }
    }
    return next;
}
