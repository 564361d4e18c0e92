#include "world/turn/visit.h"

#include "protocol/array/reserve.h"
#include "world/frames/frames.h"
#include "world/frames/lack.h"
#include "world/frames/stream.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/turn/part.h"
#include "world/twins/twins.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// Streams that nobody reads, and those that are behind

// Adds a stream to a list. False: memory ran out, or the list is full.
static bool add(struct world_visit_streams *streams, uint32_t stream)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        if (streams->ids[i] == stream) {
            return true;
        }
    }
    if (streams->count == WORLD_VISIT_STREAMS_MAX ||
        !array_reserve(&streams->ids, &streams->capacity, streams->count + 1)) {
        return false;
    }
    streams->ids[streams->count++] = stream;
    return true;
}

static void post(struct world *world, struct world_visit_streams *streams, uint32_t stream)
{
    base_mutex_lock(&world->face_mutex);
    bool added = add(streams, stream);
    base_mutex_unlock(&world->face_mutex);
    if (added) {
        atomic_store(&world->turns->visit.any_streams, true);
        if (world->hooks.on_input) {
            world->hooks.on_input(world->hooks.context);
        }
    }
}

void world_post_unwanted(struct world *world, uint32_t stream)
{
    post(world, &world->turns->visit.unwanted, stream);
}

void world_post_behind(struct world *world, uint32_t stream)
{
    post(world, &world->turns->visit.behind, stream);
}

void world_post_slow(struct world *world, uint32_t stream)
{
    post(world, &world->turns->visit.slow, stream);
}

bool world_post_rest(struct world *world, uint32_t stream, bool rests)
{
    struct world_visit *visit = &world->turns->visit;
    base_mutex_lock(&world->face_mutex);
    const bool room = visit->rest_count < WORLD_RESTS_MAX &&
                      array_reserve(&visit->rests, &visit->rest_capacity, visit->rest_count + 1);
    if (room) {
        visit->rests[visit->rest_count++] = (struct world_rest){stream, rests};
    }
    base_mutex_unlock(&world->face_mutex);
    if (room) {
        atomic_store(&visit->any_rests, true);
    }
    if (room && !rests && world->hooks.on_input) {
        world->hooks.on_input(world->hooks.context);
    }
    return room;
}

static void take_rests(struct world *world)
{
    struct world_visit *visit = &world->turns->visit;
    bool woken = false;
    if (!atomic_exchange(&visit->any_rests, false)) {
        return;
    }
    base_mutex_lock(&world->face_mutex);
    for (uint32_t i = 0; i < visit->rest_count; i++) {
        struct world_stream *stream =
            world_streams_find(world_streams_of(world->frames), visit->rests[i].stream);
        if (stream) {
            stream->rests = visit->rests[i].rests;
            if (!stream->rests && stream->slow) {
                stream->lack = WORLD_LACK_SLOW;
            }
            woken = woken || stream->lack != WORLD_LACK_NONE;
        }
    }
    visit->rest_count = 0;
    base_mutex_unlock(&world->face_mutex);
    if (woken) {
        world_lack_tell(world);
    }
}

void world_visit_take(struct world *world)
{
    struct world_visit *visit = &world->turns->visit;
    take_rests(world);
    if (!atomic_exchange(&visit->any_streams, false)) {
        return;
    }
    base_mutex_lock(&world->face_mutex);
    for (uint32_t i = 0; i < visit->behind.count; i++) {
        struct world_stream *stream =
            world_streams_find(world_streams_of(world->frames), visit->behind.ids[i]);
        if (stream) {
            stream->asks = stream->lost = true; // `lost`: a resting world owes it the present frame
        }
    }
    for (uint32_t i = 0; i < visit->unwanted.count; i++) {
        world_twins_remove(world->twins, visit->unwanted.ids[i]);
        if (world_streams_find(world_streams_of(world->frames), visit->unwanted.ids[i])) {
            world_streams_remove(world_streams_of(world->frames), visit->unwanted.ids[i]);
        }
    }
    for (uint32_t i = 0; i < visit->slow.count; i++) {
        struct world_stream *stream = world_streams_find(world_streams_of(world->frames), visit->slow.ids[i]);
        if (stream) {
            world_rate_slow(stream);
        }
    }
    visit->behind.count = visit->unwanted.count = visit->slow.count = 0;
    base_mutex_unlock(&world->face_mutex);
}

// ---------------------------------------------------------------------------------------------------------
// Who holds what

void world_visit_tell(struct world *world)
{
    struct world_visit *visit = &world->turns->visit;
    const uint64_t version = world_holders_version(world->people);
    uint32_t count;
    const struct world_holder *holders = world_holders_all(world->people, &count);
    if (visit->told == version) {
        return;
    }
    if (!array_reserve(&visit->holds, &visit->hold_capacity, count)) {
        return; // the next turn tries again
    }
    for (uint32_t i = 0; i < count; i++) {
        visit->holds[i] = (struct world_hold){holders[i].session, holders[i].grab};
    }
    visit->hold_count = count;
    visit->told = visit->version = version;
}

bool world_holds(struct world *world, uint64_t *version, const struct world_hold **holds, uint32_t *count)
{
    struct world_visit *visit = &world->turns->visit;
    base_mutex_lock(&world->face_mutex);
    const bool told =
        visit->version != *version && array_reserve(&visit->copy, &visit->copy_capacity, visit->hold_count);
    if (told) {
        *version = visit->version;
        *count = visit->hold_count;
        *holds = visit->copy;
        if (visit->hold_count > 0) {
            memcpy(visit->copy, visit->holds, visit->hold_count * sizeof *visit->copy);
        }
    }
    base_mutex_unlock(&world->face_mutex);
    return told;
}

void world_visit_deinit(struct world *world)
{
    struct world_visit *visit = &world->turns->visit;
    free(visit->unwanted.ids);
    free(visit->behind.ids);
    free(visit->slow.ids);
    free(visit->rests);
    free(visit->holds);
    free(visit->copy);
}
