// Decides which stream gets which frames, and what happens if there is no room.
//
//     tick t ├── substep 1 ── 2 ── … ── n ──┤ boundary (t+1, 0)
//               │ for each selection that a stream wants at this moment: one frame ("shot")
//               ▼
//            tick_end: each stream gets one batch of the shots it wanted; all batches are one event
//
// Frames never wait. If the loop has not taken the last publications, or frames cannot be made (lack.c),
// those of the tick are dropped, counted, and told by the stream's next batch.
//
// Frames of delta build on each other: those of a tick are made for all streams of a selection. A present
// frame for only some of them stands alone, and its readers need a key with the next frame.
//
// Only the present state of a resting world is owed: a stream stays `due` until it has it, because no later
// frame would correct what the viewer sees. A stream whose peer takes nothing rests: no frames are made for
// it, so that those who never read cost the others nothing. A stream of delta asks for a key when it goes on.
//
// Frames of lossless streams go another way (lossless.c), and are made even if the outbox has no room. A
// frame that nobody pays for (effort.h) is not made: the streams that wanted it are told, and get frames less
// often from then on (rate.c).
#include "world/frames/publish.h"

#include "base/assert.h"
#include "document/document.h"
#include "protocol/array/reserve.h"
#include "world/answer/event.h"
#include "world/frames/lack.h"
#include "world/frames/part.h"
#include "world/frames/tier.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdlib.h>

static bool stream_wants(const struct world_stream *stream, uint64_t tick, uint32_t substep,
                         uint32_t substeps)
{
    if (stream->substeps) {
        return (tick * substeps + substep) % stream->every == 0;
    }
    return substep == 0 && tick % stream->every == 0;
}

// Sets the moment after `after` substeps of the tick that begins at `tick`.
static void moment_after(uint64_t tick, uint32_t after, uint32_t substeps, struct world_moment *moment)
{
    bool whole = after >= substeps;
    moment->tick = whole ? tick + 1 : tick;
    moment->substep = whole ? 0 : after;
}

static bool shot_add(struct world_selection *selection, uint32_t substep, struct base_frame *frame)
{
    if (!array_reserve(&selection->shots, &selection->shot_capacity, selection->shot_count + 1)) {
        return false;
    }
    selection->shots[selection->shot_count++] = (struct world_shot){.substep = substep, .frame = frame};
    return true;
}

static bool room(const struct world *world)
{
    return world_events_waiting(world->answers, WORLD_PUBLICATION) < WORLD_PUBLICATIONS_MAX;
}

static bool any_lossless(const struct world_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        if (streams->items[i].lossless) {
            return true;
        }
    }
    return false;
}

// Whether a stream takes frames of ticks now.
static bool takes(const struct world_frames *frames, const struct world_stream *stream)
{
    return stream->lossless ? stream->lossless->lack == WORLD_LACK_NONE : frames->capturing && !stream->rests;
}

// Whether a stream is due and can have its present frame now. A lossless stream can unless its backlog is
// full, whatever the loop takes.
static bool is_due(const struct world_frames *frames, const struct world_stream *stream)
{
    return stream->due && (stream->lossless ? world_lossless_takes(stream) : frames->capturing);
}

// Returns which streams the next frame of a selection of delta is for. Streams come and go, and not all are
// always due.
static enum world_purpose purpose_of(const struct world *world, const struct world_selection *selection,
                                     bool present)
{
    const struct world_frames *frames = world->frames;
    const struct world_streams *streams = &frames->streams;
    uint32_t due = 0;
    for (uint32_t i = 0; present && i < streams->count; i++) {
        due += is_due(frames, &streams->items[i]) && streams->items[i].selection == selection;
    }
    if (present && due < selection->streams) {
        return WORLD_FOR_SOME;
    }
    // A new stream gets a key at once. Streams that are behind get one in turns, so that streams which keep
    // up suffer little from them.
    const bool asked = selection->key_asked &&
                       world_now_ns(world->time) >= selection->keyed_ns + (uint64_t)WORLD_KEY_PERIOD_NS;
    return selection->shot_count == 0 && (selection->key_wanted || asked) ? WORLD_FOR_ALL_KEYS
                                                                          : WORLD_FOR_ALL;
}

// Notes that a stream wants a frame. The frame is made if anybody who wants it pays for it; lossless streams
// always pay.
static void want(struct world_stream *stream)
{
    struct world_selection *selection = stream->selection;
    const bool takes = world_payer_takes(stream->payer, selection->work / selection->streams);
    stream->pays = takes || stream->lossless;
    selection->payers += stream->pays;
    selection->wanted = true;
    selection->key_wanted = selection->key_wanted || stream->fresh;
    selection->key_asked = selection->key_asked || stream->asks;
}

// Notes that a stream was sent a batch. It holds the last frame of its selection if the batch had it.
static void sent(struct world_stream *stream, struct base_batch *batch)
{
    const struct world_tier *tier = stream->selection->tier;
    batch->keyed = stream->fresh; // it may lack the frame before
    if (tier && world_stream_chained(&stream->selection->options) && base_batch_stands_alone(batch)) {
        stream->fresh = base_batch_number(batch) != tier->number;
        stream->asks = false;
    }
}

// Shares the work of the frames of a moment among those who pay for them.
static void settle(struct world_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = &streams->items[i];
        const struct world_selection *selection = stream->selection;
        world_payer_charge(stream->payer, stream->pays ? selection->spent / selection->payers : 0);
        stream->pays = false;
    }
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        streams->selections[i]->payers = 0;
        streams->selections[i]->spent = 0;
    }
    streams->effort.first++;
}

// Returns the nth stream in the order in which they are asked in this moment.
static struct world_stream *asked(const struct world_streams *streams, uint32_t nth)
{
    return &streams->items[((uint64_t)streams->effort.first % streams->count + nth) % streams->count];
}

// Makes a frame for each selection that is wanted and that somebody pays for.
static void shoot(struct world *world, struct world_moment *moment, uint32_t after, bool present)
{
    struct world_streams *streams = &world->frames->streams;
    struct world_snapshot *snapshot = &world->frames->snapshot;
    moment->time = (double)moment->tick / world->constants.tick_rate;
    moment->revision = world->document->revision;
    snapshot->times = world_times_of(world->time);
    world_snapshot_begin(snapshot, moment);
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        struct world_selection *selection = streams->selections[i];
        if (!selection->wanted) {
            continue;
        }
        const enum world_purpose purpose = purpose_of(world, selection, present);
        selection->wanted = selection->key_wanted = selection->key_asked = false;
        selection->keyed_ns = purpose == WORLD_FOR_ALL_KEYS ? world_now_ns(world->time) : selection->keyed_ns;
        if (selection->payers == 0) {
            selection->lack = WORLD_LACK_WORK;
            continue;
        }
        size_t used_before = base_budget_used(world->frames->budget);
        const uint64_t work_before = snapshot->work;
        struct base_frame *frame = world_snapshot_frame(snapshot, selection, purpose);
        if (!frame) {
            selection->lack = world_lack_of(world->frames, selection, used_before);
        } else if (!shot_add(selection, after, frame)) {
            base_frame_unref(frame);
            selection->lack = WORLD_LACK_MEMORY;
        }
        selection->spent = snapshot->work - work_before;
        selection->work = selection->spent;
    }
    world_snapshot_end(snapshot);
}

// Clears the reasons before each moment, so that the reason of another tick is never told.
static void lacks_clear(struct world_streams *streams)
{
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        streams->selections[i]->lack = WORLD_LACK_NONE;
    }
}

// Returns why a stream did not get all that it wanted of a tick; never NONE.
static enum world_lack lack_of(const struct world_frames *frames, const struct world_stream *stream)
{
    const enum world_lack lack = stream->selection->lack;
    // The frame was made, or could have been made but was not tried: it was lost on its way into a batch.
    const enum world_lack other = frames->capturing ? WORLD_LACK_MEMORY : WORLD_LACK_LATE;
    return lack != WORLD_LACK_NONE ? lack : other;
}

static void shots_clear(struct world_streams *streams)
{
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        struct world_selection *selection = streams->selections[i];
        for (uint32_t s = 0; s < selection->shot_count; s++) {
            base_frame_unref(selection->shots[s].frame);
        }
        selection->shot_count = 0;
    }
}

static struct world_event *publication_create(struct world_frames *frames)
{
    struct world_event *event = world_event_create(WORLD_PUBLICATION);
    if (!event) {
        return NULL;
    }
    event->batches = malloc(frames->streams.count * sizeof(struct base_batch *));
    if (!event->batches) {
        world_event_destroy(event);
        return NULL;
    }
    frames->publication++;
    return event;
}

static void publication_push(struct world *world, struct world_event *event)
{
    if (!event || event->batch_count == 0) {
        world_event_destroy(event);
        return;
    }
    world_push(world, event);
}

// ---------------------------------------------------------------------------------------------------------
// The present

static bool mark_due(struct world_frames *frames, bool rests)
{
    struct world_streams *streams = &frames->streams;
    bool any = false;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = &streams->items[i];
        bool grabs = stream->selection->options.fields & PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_GRABS;
        if (rests && (frames->changed || stream->lost || (frames->grabs_changed && grabs))) {
            stream->due = true;
            stream->lost = false;
        }
        any = any || stream->due;
    }
    if (rests) {
        frames->changed = false;
        frames->grabs_changed = false;
    }
    return any;
}

void world_publish_present(struct world *world)
{
    struct world_frames *frames = world->frames;
    struct world_streams *streams = &frames->streams;
    uint32_t substeps = sim_settings_of(world->document->sim)->substeps;
    frames->waiting = !world_is_deleted(world->time) && !world->document->broken &&
                      mark_due(frames, !world_runs(world->time));
    frames->capturing = room(world);
    if (!frames->waiting || !(frames->capturing || any_lossless(streams))) {
        return;
    }
    struct world_event *event = publication_create(frames);
    if (!event) {
        return;
    }
    frames->before = base_budget_used(frames->budget);
    lacks_clear(streams);
    world_effort_rest(&streams->effort, world_now_ns(world->time));
    for (uint32_t i = 0; i < streams->count; i++) {
        if (is_due(frames, asked(streams, i))) {
            want(asked(streams, i));
        }
    }
    struct world_moment moment = {.tick = world->document->tick};
    shoot(world, &moment, 0, true);
    frames->waiting = false;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = &streams->items[i];
        if (!is_due(frames, stream) || stream->selection->payers == 0) {
            frames->waiting = frames->waiting || stream->due;
            continue;
        }
        struct base_batch *batch = NULL;
        if (stream->selection->shot_count > 0) {
            batch = base_batch_create(stream->id, stream->session, frames->publication, 1);
        }
        if (!batch) {
            frames->waiting = true;
            const enum world_lack lack = stream->selection->lack;
            if (stream->lossless && lack == WORLD_LACK_SIZE) {
                world_lossless_end(stream, WORLD_LACK_SIZE);
            } else if (!stream->lossless && lack != WORLD_LACK_NONE) {
                stream->lack = lack; // the present frame is still owed
            }
            continue;
        }
        // The present frame comes after all, so it does not count as left out.
        bool counted = stream->unmade > 0 && stream_wants(stream, world->document->tick, 0, substeps);
        batch->dropped = stream->unmade - (counted ? 1 : 0);
        stream->unmade = 0;
        batch->frames[0] = base_frame_ref(stream->selection->shots[0].frame);
        sent(stream, batch);
        if (stream->lossless) {
            world_lossless_put(world->time, stream, batch, true);
        } else {
            event->batches[event->batch_count++] = batch;
        }
        stream->due = false;
    }
    settle(streams);
    shots_clear(streams);
    publication_push(world, event);
    world_lack_tell(world);
}

// ---------------------------------------------------------------------------------------------------------
// A tick

// Returns the period of a tick. A world that runs as fast as it can is given the time of its tick rate.
static uint64_t period_ns(const struct world *world)
{
    const double played = world_state(world->time) == WORLD_PLAYING ? world_rate(world->time) : 1;
    const double rate = played > 0 ? played : 1;
    const double ns = 1e9 / (world->constants.tick_rate * rate);
    return ns < 60e9 ? (uint64_t)ns : UINT64_C(60000000000);
}

void world_publish_tick_begin(struct world *world)
{
    struct world_frames *frames = world->frames;
    struct world_streams *streams = &frames->streams;
    frames->capturing = streams->count > 0 && room(world);
    frames->before = base_budget_used(frames->budget);
    frames->substep = 0;
    world_effort_tick(&streams->effort, world_now_ns(world->time), period_ns(world));
    lacks_clear(streams);
    bool contacts = false;
    for (uint32_t i = 0; i < streams->selection_count; i++) {
        contacts |=
            (streams->selections[i]->options.fields & PROTOCOL_STREAM_SUBSCRIBE_PARAMS_FIELDS_CONTACTS) != 0;
    }
    sim_shown_want(world->document->sim, contacts);
}

void world_publish_substep(void *context, uint32_t substep)
{
    struct world *world = context;
    struct world_frames *frames = world->frames;
    struct world_streams *streams = &frames->streams;
    uint32_t substeps = sim_settings_of(world->document->sim)->substeps;
    frames->substep = substep;
    struct world_moment moment = {0};
    bool any = false;
    moment_after(world->document->tick, substep, substeps, &moment);
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = asked(streams, i);
        if (takes(frames, stream) && stream_wants(stream, moment.tick, moment.substep, substeps)) {
            want(stream);
            any = true;
        }
    }
    if (any) {
        shoot(world, &moment, substep, false);
        settle(streams);
    }
}

// Counts the frames of the tick that a stream wanted, made or not.
static uint32_t wanted_count(const struct world_frames *frames, const struct world_stream *stream,
                             uint64_t tick, uint32_t substeps)
{
    uint32_t count = 0;
    uint32_t begin = stream->substeps || substeps > frames->substep ? 1 : substeps;
    for (uint32_t after = begin; after <= frames->substep; after++) {
        struct world_moment moment;
        moment_after(tick, after, substeps, &moment);
        count += stream_wants(stream, moment.tick, moment.substep, substeps) ? 1 : 0;
    }
    return count;
}

// Counts the frames of the tick that were made and that a stream wanted, and puts references to them into out
// if it is given.
static uint32_t shots_of(const struct world_stream *stream, uint64_t tick, uint32_t substeps,
                         struct base_frame **out)
{
    const struct world_selection *selection = stream->selection;
    uint32_t count = 0;
    for (uint32_t s = 0; s < selection->shot_count; s++) {
        struct world_moment moment;
        moment_after(tick, selection->shots[s].substep, substeps, &moment);
        if (!stream_wants(stream, moment.tick, moment.substep, substeps)) {
            continue;
        }
        if (out) {
            out[count] = base_frame_ref(selection->shots[s].frame);
        }
        count++;
    }
    return count;
}

static struct base_batch *batch_of(const struct world_frames *frames, const struct world_stream *stream,
                                   uint64_t tick, uint32_t substeps)
{
    uint32_t count = shots_of(stream, tick, substeps, NULL);
    struct base_batch *batch = NULL;
    if (count > 0) {
        batch = base_batch_create(stream->id, stream->session, frames->publication, count);
    }
    if (batch) {
        shots_of(stream, tick, substeps, batch->frames);
    }
    return batch;
}

void world_publish_tick_drop(struct world_frames *frames)
{
    shots_clear(&frames->streams);
}

void world_publish_tick_undone(struct world_frames *frames)
{
    shots_clear(&frames->streams);
    frames->substep = 0;
}

// Counts frames that a resting stream would have had.
static void leave_out(struct world_frames *frames, struct world_stream *stream, uint32_t wanted)
{
    frames->dropped += wanted;
    frames->slow += wanted;
    stream->missed += wanted;
    stream->unmade += wanted;
    stream->slow = stream->lost = true;
    world_rate_slow(stream);
    stream->asks = stream->asks || world_stream_chained(&stream->selection->options);
}

// Gives a lossless stream all that it wanted, or ends it.
static void lossless_tick(struct world *world, struct world_stream *stream, uint32_t wanted,
                          struct base_batch *batch)
{
    // A world that may be held may also be slowed (allowance.c). Otherwise one stream must not make all
    // others wait.
    if (!world_holding_of(world->time)->allowed && stream->payer->left < -WORLD_EFFORT_DEBT_NS) {
        base_batch_destroy(batch);
        world_lossless_end(stream, WORLD_LACK_WORK);
        return;
    }
    if (batch && batch->frame_count == wanted) {
        sent(stream, batch);
        world_lossless_put(world->time, stream, batch, false);
        return;
    }
    const enum world_lack lack = stream->selection->lack;
    base_batch_destroy(batch);
    world_lossless_end(stream, lack != WORLD_LACK_NONE ? lack : WORLD_LACK_MEMORY);
}

void world_publish_tick_end(struct world *world)
{
    struct world_frames *frames = world->frames;
    struct world_streams *streams = &frames->streams;
    BASE_ASSERT(world->document->tick > 0);
    uint64_t tick = world->document->tick - 1;
    uint32_t substeps = sim_settings_of(world->document->sim)->substeps;
    // Grabs and edits that a tick has passed show in its frames.
    frames->changed = false;
    frames->grabs_changed = false;
    if (streams->count == 0) {
        return;
    }
    struct world_event *event = frames->capturing ? publication_create(frames) : NULL;
    frames->publication += event ? 0 : 1;
    for (uint32_t i = 0; i < streams->count; i++) {
        struct world_stream *stream = &streams->items[i];
        uint32_t wanted = wanted_count(frames, stream, tick, substeps);
        if (wanted == 0) {
            continue;
        }
        if (stream->lossless) {
            lossless_tick(world, stream, wanted, batch_of(frames, stream, tick, substeps));
            continue;
        }
        if (stream->rests) {
            leave_out(frames, stream, wanted);
            continue;
        }
        struct base_batch *batch = event ? batch_of(frames, stream, tick, substeps) : NULL;
        uint32_t made = batch ? batch->frame_count : 0;
        frames->dropped += wanted - made;
        if (batch) {
            batch->dropped = stream->unmade;
            stream->unmade = 0;
            sent(stream, batch);
            event->batches[event->batch_count++] = batch;
        }
        if (made < wanted) {
            stream->lack = lack_of(frames, stream);
            if (stream->lack == WORLD_LACK_WORK) {
                world_rate_costly(stream);
            }
            stream->missed += wanted - made;
            stream->unmade += wanted - made;
        }
        stream->lost = made < wanted || stream->asks;
    }
    shots_clear(streams);
    publication_push(world, event);
    world_lack_tell(world);
}
