// Fills the outbox: events for the loop, in order, for which there always is room (world.c).
#include "world/answer/event.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/ring.h"
#include "world/keep/durable.h"
#include "world/state.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct world_event *world_event_create(enum world_event_kind kind)
{
    struct world_event *event = calloc(1, sizeof *event);
    if (event) {
        event->kind = kind;
    }
    return event;
}

void world_event_destroy(struct world_event *event)
{
    if (!event) {
        return;
    }
    for (uint32_t i = 0; i < sizeof event->bytes / sizeof *event->bytes; i++) {
        base_buffer_unref(event->bytes[i]);
    }
    for (uint32_t i = 0; i < event->batch_count; i++) {
        base_batch_destroy(event->batches[i]);
    }
    free((void *)event->batches);
    free(event->misses);
    free(event->again);
    free(event);
}

void world_push(struct world *world, struct world_event *event)
{
    event->position = world_journal_position(world);
    bool pushed = base_ring_push(world->outbox, &event);
    BASE_ASSERT(pushed);
    world->pushed = true;
}

struct world_event *world_take(struct world *world)
{
    struct world_event *event;
    while (base_ring_pop(world->outbox, &event)) {
        switch (event->kind) {
        case WORLD_REPLY:
        case WORLD_FAULT:
            BASE_ASSERT(world->admitted > 0);
            world->admitted--;
            world->admitted_bytes -= event->request_bytes;
            return event;
        case WORLD_PUBLICATION:
            atomic_fetch_sub(&world->publications, 1);
            return event;
        case WORLD_LOSSLESS:
            atomic_fetch_sub(&world->hold.events, 1);
            return event;
        case WORLD_RECORDS:
            atomic_fetch_sub(&world->record_events, 1);
            return event;
        case WORLD_LACK:
            atomic_store(&world->lack_told, false);
            return event;
        case WORLD_DELETED:
            // Requests that were on their way are still to be answered, so this event is held as the last.
            world->farewell = event;
            break;
        case WORLD_NOTICE:
        case WORLD_PRESENT:
            return event;
        }
    }
    event = world->admitted == 0 ? world->farewell : NULL;
    if (event) {
        world->farewell = NULL;
        world->ended = true;
    }
    return event;
}

bool world_ended(const struct world *world)
{
    return world->ended;
}

struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget)
{
    if (bytes->failed) {
        return NULL;
    }
    struct base_buffer *buffer = base_buffer_create(bytes->size, budget);
    if (buffer && bytes->size > 0) {
        memcpy(buffer->data, bytes->data, bytes->size);
    }
    return buffer;
}
