// Fills the outbox: events for the loop, in order, for which there always is room (world.c).
#include "world/answer/event.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/ring.h"
#include "world/answer/part.h"
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
    struct world_answers *answers = world->answers;
    event->position = world_journal_position(world->keep);
    atomic_fetch_add(&answers->waiting[event->kind], 1);
    bool pushed = base_ring_push(answers->outbox, &event);
    BASE_ASSERT(pushed);
    answers->pushed = true;
}

uint32_t world_events_waiting(const struct world_answers *answers, enum world_event_kind kind)
{
    return atomic_load(&answers->waiting[kind]);
}

void world_admit(struct world_answers *answers, size_t bytes)
{
    answers->admitted++;
    answers->admitted_bytes += bytes;
}

uint32_t world_admitted(const struct world_answers *answers, size_t *bytes)
{
    *bytes = answers->admitted_bytes;
    return answers->admitted;
}

struct world_event *world_take(struct world *world)
{
    struct world_answers *answers = world->answers;
    struct world_event *event;
    while (base_ring_pop(answers->outbox, &event)) {
        atomic_fetch_sub(&answers->waiting[event->kind], 1);
        switch (event->kind) {
        case WORLD_REPLY:
        case WORLD_FAULT:
            BASE_ASSERT(answers->admitted > 0);
            answers->admitted--;
            answers->admitted_bytes -= event->request_bytes;
            return event;
        case WORLD_DELETED:
            // Requests that were on their way are still to be answered, so this event is held as the last.
            answers->farewell = event;
            break;
        case WORLD_PUBLICATION:
        case WORLD_LOSSLESS:
        case WORLD_RECORDS:
        case WORLD_LACK:
        case WORLD_NOTICE:
        case WORLD_PRESENT:
            return event;
        }
    }
    event = answers->admitted == 0 ? answers->farewell : NULL;
    if (event) {
        answers->farewell = NULL;
        answers->ended = true;
    }
    return event;
}

bool world_ended(const struct world *world)
{
    return world->answers->ended;
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
