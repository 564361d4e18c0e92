// Gives the loop an image. It asks for one at a time, so there always is room for it in the outbox. The event
// passes the gate like an answer: what the image holds is durable before anybody is told.
#include "world/keep/present.h"

#include "base/buffer.h"
#include "document/document.h"
#include "protocol/bytes.h"
#include "world/answer/event.h"
#include "world/keep/image.h"
#include "world/keep/part.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdatomic.h>

static void made(struct world *world, struct base_buffer *bytes)
{
    struct world_event *event = world_is_deleted(world->time) ? NULL : world_event_create(WORLD_PRESENT);
    if (!event) {
        base_buffer_unref(bytes);
        return; // still wanted, unless the world has ended
    }
    event->bytes[0] = bytes;
    atomic_store(&world->keep->present_wanted, false);
    world_push(world, event);
}

static void make_now(struct world *world)
{
    struct protocol_bytes *bytes = &world->scratch[0];
    protocol_bytes_clear(bytes);
    struct base_buffer *shared =
        document_image_pack(world->document, bytes) ? world_share_bytes(bytes, NULL) : NULL;
    protocol_bytes_clear(bytes); // a long buffer is not kept for the next image
    made(world, shared);
}

void world_present_turn(struct world *world)
{
    if (!atomic_load(&world->keep->present_wanted) || world_is_deleted(world->time)) {
        return;
    }
    if (world->document->broken || world_is_shut(world->time) || world->document->failed) {
        made(world, NULL);
    } else if (!world_saves_beside(world)) {
        make_now(world);
    } else if (!world->keep->image && !world_image_start_present(world, made)) {
        made(world, NULL);
    }
}

void world_present_want(struct world_keep *keep)
{
    atomic_store(&keep->present_wanted, true);
}

bool world_present_is_wanted(const struct world_keep *keep)
{
    return atomic_load(&keep->present_wanted);
}
