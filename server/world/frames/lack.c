// Finds why frames were not made, and tells the sessions.
//
//     budget:  | held by connections, from earlier ticks | this tick's, so far | the frame that does not fit
//
//     frame > budget                        its stream can never have one: it ends
//     this tick's + frame > budget          too many of one tick: nobody else is at fault
//     held + frame > budget                 the session that holds the oldest is cut
//     else                                  the budget of all worlds is used up: the same, of the world that holds most
#include "world/frames/lack.h"

#include "base/log.h"
#include "world/answer/event.h"
#include "world/frames/part.h"
#include "world/state.h"

#include <stdlib.h>

enum world_lack world_lack_of(const struct world_frames *frames, const struct world_selection *selection,
                              size_t used_before)
{
    const size_t budget = base_budget_limit(frames->budget);
    if (!frames->snapshot.unfit) {
        return WORLD_LACK_MEMORY;
    }
    size_t size = world_snapshot_size(&frames->snapshot, selection);
    // Too much is subtracted if frames were freed meanwhile. Then held frames are blamed.
    size_t own = used_before > frames->before ? used_before - frames->before : 0;
    if (size > budget) {
        return WORLD_LACK_SIZE;
    }
    if (own + size > budget) {
        return WORLD_LACK_SUBSTEPS;
    }
    return world_lack_of_room(frames, used_before, size);
}

enum world_lack world_lack_of_room(const struct world_frames *frames, size_t used, size_t size)
{
    // If this world's frames left room, those of all worlds did not.
    const size_t budget = base_budget_limit(frames->budget);
    return size <= budget && used <= budget - size ? WORLD_LACK_SERVER : WORLD_LACK_ROOM;
}

static uint32_t lack_count(const struct world_streams *streams)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < streams->count; i++) {
        count += (uint32_t)(streams->items[i].lack != WORLD_LACK_NONE) + streams->items[i].rate.tells;
    }
    return count;
}

bool world_lack_of_image(struct world *world, uint32_t session, uint32_t stream, enum world_lack lack)
{
    if (world_events_waiting(world->answers, WORLD_LACK) > 0) {
        return false;
    }
    struct world_event *event = world_event_create(WORLD_LACK);
    struct world_miss *miss = malloc(sizeof *miss);
    if (!event || !miss) {
        world_event_destroy(event);
        free(miss);
        return false;
    }
    *miss = (struct world_miss){session, stream, lack, false, 0};
    event->misses = miss;
    event->miss_count = 1;
    world_push(world, event);
    return true;
}

// One event of this kind is in the outbox at a time. Frames that are missed meanwhile are told by the next
// one.
void world_lack_tell(struct world *world)
{
    struct world_streams *streams = &world->frames->streams;
    uint32_t count = lack_count(streams);
    if (count == 0 || world_events_waiting(world->answers, WORLD_LACK) > 0) {
        return;
    }
    struct world_event *event = world_event_create(WORLD_LACK);
    struct world_miss *misses = malloc(count * sizeof *misses);
    if (!event || !misses) {
        base_log(BASE_LOG_WARN, "world %u: no memory to say that frames are left out", world->id);
        world_event_destroy(event);
        free(misses);
        return;
    }
    event->misses = misses;
    for (uint32_t i = streams->count; i-- > 0;) { // backwards, because streams that end are removed
        struct world_stream *stream = &streams->items[i];
        if (stream->rate.tells) {
            stream->rate.tells = false;
            misses[event->miss_count++] =
                (struct world_miss){stream->session, stream->id, WORLD_LACK_RATE, false, stream->every};
        }
        const enum world_lack lack = stream->lack;
        if (lack == WORLD_LACK_NONE) {
            continue;
        }
        const bool lossless = stream->lossless != NULL;
        misses[event->miss_count++] =
            (struct world_miss){stream->session, stream->id, lack, lossless, stream->missed};
        stream->missed = 0;
        stream->lack = WORLD_LACK_NONE;
        stream->slow = false;
        if (lossless || lack == WORLD_LACK_SIZE) {
            world_streams_remove(streams, stream->id);
        }
    }
    world_push(world, event);
}
