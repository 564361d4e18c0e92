// Sends what decides the future of a world, in order, to twins.
//
//     subscribe ─▶ WANTS ── image of a boundary ─▶ AWAITS ── it is made: image · held messages ─▶ RUNS ── messages …
//                    ▲                                │                                            │
//                    └──────── again: what should have been told cannot be ───────────────────────┘
//
// A message is packed once and shared by all. It has the records since the last one, how far the world has
// come, and once a second the hash of its state. While time goes on there is one every 50 ms, or less often
// if there are so many twins that sending would cost more than frames do. A resting world tells at once, then
// its hash when that is due, and then nothing.
//
// Nothing is lost or told twice: pending records are sent before an image begins, and later ones are held
// until the image has been sent. If a message cannot be made (no memory, no room, or a record that is too
// large for a message), all running twins begin again with an image, which costs about what the message would
// have. So a twin is behind, or right.
//
// Events of records pass the world's gate like answers. So what a twin shows is durable, as far as it follows
// from records.
#include "world/twins/twins.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "protocol/array/reserve.h"
#include "protocol/patch.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/frames/frames.h"
#include "world/frames/lack.h"
#include "world/frames/twins_frame.h"
#include "world/keep/durable.h"
#include "world/keep/image.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/twins/part.h"

#include <stdlib.h>
#include <string.h>

enum {
    PENDING_BYTES = 64 * 1024, // bytes of records at which a message is sent
    RECORD_BYTES = 128 * 1024, // largest record that may be in a message
    HELD_BYTES = 4 * 1024 * 1024,
    HELD_MAX = 65536,
    PERIOD_MOST_NS = 500 * 1000 * 1000,
    EACH_NS = 500 * 1000, // added to the period for each twin: 2,000 messages a second in all
    HASH_NS = 1000 * 1000 * 1000,
    HASH_SHARE = 200, // hashes take at most one part of so many of the time
    IMAGE_SHARE = 4,  // the same for images, during which edits wait
    RETRY_NS = 5 * 1000 * 1000,
    LACK_RETRY_NS = 250 * 1000 * 1000,
};

_Static_assert(PENDING_BYTES + RECORD_BYTES + 1024 < PROTOCOL_LIMIT_FRAME_PART_BYTES,
               "a message is no larger than a part of a frame");

void world_twins_init(struct world_twins *twins)
{
    twins->hash_ns = HASH_NS;
}

static void held_drop(struct world_twins *twins)
{
    for (uint32_t i = 0; i < twins->held_count; i++) {
        base_frame_unref(twins->held[i]);
    }
    twins->held_count = 0;
    twins->held_bytes = 0;
}

static void image_drop(struct world_twins *twins)
{
    held_drop(twins);
    base_frame_unref(twins->image);
    twins->image = NULL;
}

void world_twins_deinit(struct world_twins *twins)
{
    image_drop(twins);
    free((void *)twins->held);
    protocol_bytes_deinit(&twins->pending);
    protocol_bytes_deinit(&twins->before);
    free(twins->items);
}

// ---------------------------------------------------------------------------------------------------------
// Streams

static bool allowed(struct world_call *call)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } fields[] = {
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BODIES, "bodies"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_FIELDS, "fields"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_EVERY, "every"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_UNIT, "unit"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_TOLERANCE, "tolerance"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_NTH, "nth"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BOX, "box"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_CREDIT, "credit"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_BACKLOG, "backlog"},
        {PROTOCOL_HAS_STREAM_SUBSCRIBE_PARAMS_ADAPT, "adapt"},
    };
    const struct world *world = call->world;
    const struct protocol_stream_subscribe_params *params = call->params;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (params->has & fields[i].bit) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, fields[i].name,
                                "%s: a stream of records always has everything; leave it out",
                                fields[i].name);
        }
    }
    if (params->mode != PROTOCOL_STREAM_SUBSCRIBE_PARAMS_MODE_LIVE) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "mode",
                            "mode: a stream of records loses nothing in any mode; leave it out");
    }
    if (world_view_of(world->time) != 0) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "encoding",
                            "encoding: \"records\" are of a world that goes on; this is a view of the past");
    }
    if (world->document->failed) {
        return world_refuse(call, document_failed_code(world->document), NULL,
                            "world \"%s\" failed: %.144s; %s", world->document->name, world->document->reason,
                            document_mended_by(world->document));
    }
    return true;
}

void world_twins_subscribe(struct world_call *call)
{
    struct world *world = call->world;
    struct world_twins *twins = world->twins;
    const struct world_request *request = call->request;
    if (!allowed(call)) {
        return;
    }
    if (!array_reserve(&twins->items, &twins->capacity, twins->count + 1)) {
        world_refuse_memory(call);
        return;
    }
    twins->items[twins->count++] =
        (struct world_twin){request->claim.id, request->asker.session, WORLD_TWIN_WANTS};
    const struct protocol_stream_subscribe_result result = {.has = PROTOCOL_HAS_ALL,
                                                            .stream = request->claim.id,
                                                            .tick = world->document->tick,
                                                            .revision = world->document->revision};
    world_answer(call, &result);
}

uint32_t world_twins_count(const struct world_twins *twins)
{
    return twins->count;
}

const struct world_twin *world_twins_find(const struct world_twins *twins, uint32_t id)
{
    for (uint32_t i = 0; i < twins->count; i++) {
        if (twins->items[i].id == id) {
            return &twins->items[i];
        }
    }
    return NULL;
}

static uint32_t count_of(const struct world_twins *twins, enum world_twin_stage stage)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < twins->count; i++) {
        count += twins->items[i].stage == stage;
    }
    return count;
}

// Removes all twins of a session, or the one with this id. A session or an id of 0 matches none.
static void remove_all(struct world_twins *twins, uint32_t id, uint32_t session)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < twins->count; i++) {
        if (twins->items[i].id != id && twins->items[i].session != session) {
            twins->items[kept++] = twins->items[i];
        }
    }
    twins->count = kept;
    if (count_of(twins, WORLD_TWIN_AWAITS) == 0) {
        image_drop(twins); // no twin waits for it any more
    }
}

void world_twins_remove(struct world_twins *twins, uint32_t id)
{
    remove_all(twins, id, 0);
}

void world_twins_remove_session(struct world_twins *twins, uint32_t session)
{
    remove_all(twins, 0, session);
}

static void move_all(struct world_twins *twins, enum world_twin_stage from, enum world_twin_stage to)
{
    for (uint32_t i = 0; i < twins->count; i++) {
        if (twins->items[i].stage == from) {
            twins->items[i].stage = to;
        }
    }
}

static void pending_drop(struct world_twins *twins)
{
    protocol_bytes_clear(&twins->pending);
    protocol_bytes_clear(&twins->before);
    twins->pending_count = 0;
}

static void begin_again_awaiting(struct world_twins *twins)
{
    move_all(twins, WORLD_TWIN_AWAITS, WORLD_TWIN_WANTS);
    image_drop(twins);
}

static void begin_again(struct world_twins *twins)
{
    begin_again_awaiting(twins);
    move_all(twins, WORLD_TWIN_RUNS, WORLD_TWIN_WANTS);
    pending_drop(twins);
}

// ---------------------------------------------------------------------------------------------------------
// Messages

static bool room(const struct world *world)
{
    return world_events_waiting(world->answers, WORLD_RECORDS) < WORLD_RECORDS_MAX;
}

static struct world_twins_moment moment_now(const struct world *world)
{
    return (struct world_twins_moment){
        .tick = world->document->tick,
        .sequence = world_journal_sequence(world->keep),
        .at_us = base_now_ns() / 1000,
        .state = world_state(world->time),
        .rate = world_rate(world->time),
    };
}

static bool state_differs(const struct world_twins_moment *one, const struct world_twins_moment *other)
{
    return one->state != other->state || one->rate < other->rate || one->rate > other->rate;
}

// Returns in how many ns the next hash is due, by the clock; 0: now.
static uint64_t hash_due_in_ns(const struct world_twins *twins)
{
    const uint64_t share_ns = twins->hash_cost_ns * HASH_SHARE;
    const uint64_t due_ns = twins->hashed_ns + (share_ns > twins->hash_ns ? share_ns : twins->hash_ns);
    const uint64_t now_ns = base_now_ns();
    return due_ns > now_ns ? due_ns - now_ns : 0;
}

static void hash(const struct world *world, struct world_twins *twins, struct world_twins_message *message)
{
    const uint64_t began_ns = base_now_ns();
    message->hashed = document_hash_now(world->document, &message->hash);
    twins->hashed_ns = base_now_ns();
    twins->hash_cost_ns = twins->hashed_ns - began_ns;
}

static bool hold(struct world_twins *twins, struct base_frame *frame)
{
    if (twins->held_count == HELD_MAX || twins->held_bytes + frame->size > HELD_BYTES ||
        !array_reserve(&twins->held, &twins->held_capacity, twins->held_count + 1)) {
        return false;
    }
    twins->held[twins->held_count++] = base_frame_ref(frame);
    twins->held_bytes += frame->size;
    return true;
}

// Pushes one batch of these frames for each twin at that stage. False if memory runs out: then none gets one.
static bool deal(struct world *world, enum world_twin_stage stage, struct base_frame *const *frames,
                 uint32_t frame_count, bool begins)
{
    const struct world_twins *twins = world->twins;
    struct world_event *event = world_event_create(WORLD_RECORDS);
    const uint32_t count = count_of(twins, stage);
    if (!event || !(event->batches = malloc(((size_t)count + 1) * sizeof(struct base_batch *)))) {
        world_event_destroy(event);
        return false;
    }
    const uint64_t publication = world_publication_begin(world->frames);
    for (uint32_t i = 0; i < twins->count; i++) {
        const struct world_twin *twin = &twins->items[i];
        if (twin->stage != stage) {
            continue;
        }
        struct base_batch *batch = base_batch_create(twin->id, twin->session, publication, frame_count);
        if (!batch) {
            world_event_destroy(event);
            return false;
        }
        batch->lossless = true;
        batch->anew = begins;
        for (uint32_t f = 0; f < frame_count; f++) {
            batch->frames[f] = base_frame_ref(frames[f]);
        }
        event->batches[event->batch_count++] = batch;
    }
    world_push(world, event);
    return true;
}

// Sends what is pending. `within`: in the middle of a boundary, when nothing is hashed.
static void flush(struct world *world, bool within)
{
    struct world_twins *twins = world->twins;
    const bool run = count_of(twins, WORLD_TWIN_RUNS) > 0, await = count_of(twins, WORLD_TWIN_AWAITS) > 0;
    struct world_twins_message message = {
        .moment = moment_now(world), .records = &twins->pending, .record_count = twins->pending_count};
    message.says_state = state_differs(&message.moment, &twins->told);
    twins->told = message.moment;
    twins->told_ns = world_now_ns(world->time);
    twins->unhashed = run && !world->document->failed;
    if (!run && !await) {
        pending_drop(twins);
        return;
    }
    if (!within && !world->document->failed && hash_due_in_ns(twins) == 0) {
        hash(world, twins, &message);
        twins->unhashed = false;
    }
    struct base_frame *frame =
        twins->pending.failed
            ? NULL
            : world_twins_message(&message, &world->scratch[4], world_frames_budget(world->frames));
    protocol_bytes_clear(&twins->pending);
    twins->pending_count = 0;
    if (!frame || (run && !deal(world, WORLD_TWIN_RUNS, &frame, 1, false))) {
        begin_again(twins);
    } else if (await && !hold(twins, frame)) {
        begin_again_awaiting(twins);
    }
    base_frame_unref(frame);
}

void world_twins_record(struct world *world, const struct protocol_bytes *bytes)
{
    struct world_twins *twins = world->twins;
    struct protocol_bytes *pending = &twins->pending, *before = &twins->before;
    if (count_of(twins, WORLD_TWIN_WANTS) == twins->count) {
        return;
    }
    if (bytes->failed || bytes->size > RECORD_BYTES ||
        (pending->size + bytes->size > PENDING_BYTES && !room(world))) {
        begin_again(twins);
        return;
    }
    if (pending->size + bytes->size > PENDING_BYTES) {
        flush(world, true);
    }
    struct protocol_bytes *patch = &world->scratch[4];
    msgpack_packer packer;
    protocol_bytes_clear(patch);
    if (before->size == bytes->size && !before->failed) {
        protocol_patch_make(before->data, bytes->data, bytes->size, patch);
    }
    const bool patched = patch->size > 0 && !patch->failed && patch->size < bytes->size;
    const struct protocol_bytes *told = patched ? patch : bytes;
    msgpack_packer_init(&packer, pending, protocol_bytes_write);
    msgpack_pack_bin_with_body(&packer, told->data, told->size);
    twins->pending_count++;
    protocol_bytes_clear(before);
    protocol_bytes_write(before, (const char *)bytes->data, bytes->size);
}

// ---------------------------------------------------------------------------------------------------------
// Images

static struct world_twins_moment image_begins(struct world *world)
{
    struct world_twins *twins = world->twins;
    flush(world, false);
    // A twin that begins here has seen no record that the next could be told by differences from.
    protocol_bytes_clear(&twins->before);
    move_all(twins, WORLD_TWIN_WANTS, WORLD_TWIN_AWAITS);
    return twins->told;
}

// Lets images rest so long that they take at most their share of time.
static void rest(struct world_twins *twins, uint64_t least_ns)
{
    const uint64_t now_ns = base_now_ns(), spent_ns = now_ns - twins->began_ns;
    const uint64_t rest_ns = (IMAGE_SHARE - 1) * spent_ns;
    twins->rest_until_ns = now_ns + (rest_ns > least_ns ? rest_ns : least_ns);
}

static void image_made(struct world *world, struct base_frame *frame, size_t size)
{
    struct world_twins *twins = world->twins;
    const bool fits = size <= base_budget_limit(world_frames_budget(world->frames)),
               lacks = !base_budget_fits(world_frames_budget(world->frames), size);
    rest(twins, frame ? 0 : LACK_RETRY_NS);
    if (count_of(twins, WORLD_TWIN_AWAITS) == 0) {
        base_frame_unref(frame);
        held_drop(twins);
        return;
    }
    if (frame) {
        twins->image = frame;
        return;
    }
    begin_again_awaiting(twins);
    for (uint32_t i = twins->count; lacks && i-- > 0;) {
        const struct world_twin twin = twins->items[i];
        if (twin.stage != WORLD_TWIN_WANTS) {
            continue;
        }
        // One lack is told at a time. The others are told by the next image that fails.
        const enum world_lack lack =
            fits ? world_lack_of_room(world->frames, base_budget_used(world_frames_budget(world->frames)),
                                      size)
                 : WORLD_LACK_SIZE;
        if (world_lack_of_image(world, twin.session, twin.id, lack) && !fits) {
            world_twins_remove(twins, twin.id);
        }
        break;
    }
}

static const struct world_image_streamed streamed = {.begins = image_begins, .made = image_made};

static void image_now(struct world *world)
{
    struct protocol_bytes *bytes = &world->scratch[0];
    const struct world_twins_moment moment = image_begins(world);
    struct base_frame *frame = NULL;
    protocol_bytes_clear(bytes);
    uint64_t hash;
    if (document_hash_now(world->document, &hash) && document_image_pack(world->document, bytes)) {
        frame = world_twins_image(&moment, bytes, hash, world_frames_budget(world->frames));
    }
    image_made(world, frame, frame ? 0 : bytes->size);
    protocol_bytes_clear(bytes);
}

static void image_send(struct world *world)
{
    struct world_twins *twins = world->twins;
    struct base_frame **frames = malloc((twins->held_count + 1) * sizeof(struct base_frame *));
    bool sent = false;
    if (frames) {
        frames[0] = twins->image;
        for (uint32_t i = 0; i < twins->held_count; i++) {
            frames[i + 1] = twins->held[i];
        }
        sent = deal(world, WORLD_TWIN_AWAITS, frames, twins->held_count + 1, true);
    }
    free((void *)frames);
    if (sent) {
        move_all(twins, WORLD_TWIN_AWAITS, WORLD_TWIN_RUNS);
    }
    begin_again_awaiting(twins);
}

static bool may_begin(const struct world *world)
{
    const struct world_twins *twins = world->twins;
    return !world->document->failed && !world_image_under_way(world->keep) && !twins->image && room(world) &&
           base_now_ns() >= twins->rest_until_ns && count_of(twins, WORLD_TWIN_AWAITS) == 0 &&
           count_of(twins, WORLD_TWIN_WANTS) > 0;
}

// ---------------------------------------------------------------------------------------------------------
// Turns

static bool dirty(const struct world *world)
{
    const struct world_twins *twins = world->twins;
    const struct world_twins_moment now = {
        .tick = world->document->tick, .state = world_state(world->time), .rate = world_rate(world->time)};
    return twins->pending_count > 0 || now.tick != twins->told.tick || state_differs(&now, &twins->told);
}

static bool rests(const struct world *world)
{
    return !world_runs(world->time);
}

// Whether the world still has to tell a hash of the state in which it rests.
static bool owes_hash(const struct world *world)
{
    return world->twins->unhashed && rests(world) && !world->document->failed;
}

static uint64_t due_ns(const struct world *world)
{
    const struct world_twins *twins = world->twins;
    uint64_t period_ns = (uint64_t)twins->count * EACH_NS;
    period_ns = period_ns < WORLD_TWINS_PERIOD_NS ? WORLD_TWINS_PERIOD_NS
                : period_ns > PERIOD_MOST_NS      ? PERIOD_MOST_NS
                                                  : period_ns;
    return rests(world) ? 0 : twins->told_ns + period_ns;
}

void world_twins_turn(struct world *world)
{
    struct world_twins *twins = world->twins;
    if (twins->count == 0 || world_is_deleted(world->time) || world->document->broken) {
        return;
    }
    const bool owed = dirty(world) || (owes_hash(world) && hash_due_in_ns(twins) == 0);
    if (owed && room(world) && world_now_ns(world->time) >= due_ns(world)) {
        flush(world, false);
    }
    if (may_begin(world)) {
        twins->began_ns = base_now_ns();
        if (!world_saves_beside(world)) {
            image_now(world);
        } else if (!world_image_start_streamed(world, &streamed)) {
            rest(twins, LACK_RETRY_NS);
        }
    }
    if (twins->image && room(world)) {
        image_send(world);
    }
}

uint64_t world_twins_next(const struct world *world, uint64_t now_ns)
{
    const struct world_twins *twins = world->twins;
    uint64_t next_ns = UINT64_MAX;
    if (twins->count == 0 || world_is_deleted(world->time) || world->document->broken) {
        return next_ns;
    }
    if (dirty(world)) {
        const uint64_t at_ns = due_ns(world);
        next_ns = room(world) && at_ns > now_ns ? at_ns : now_ns + RETRY_NS;
    }
    if (owes_hash(world) && now_ns + RETRY_NS + hash_due_in_ns(twins) < next_ns) {
        next_ns = now_ns + RETRY_NS + hash_due_in_ns(twins);
    }
    const bool wants = count_of(twins, WORLD_TWIN_WANTS) > 0 && !world->document->failed;
    if ((wants || twins->image) && now_ns + RETRY_NS < next_ns) {
        next_ns = now_ns + RETRY_NS;
    }
    return next_ns;
}
