// Takes what comes to a world: the inbox is drained at tick boundaries, for a bounded time.
//
//     inbox:  [request][request][gone 7][request][shutdown]…     values (struct world_message)
//                 │
//                 ▼
//     must it wait (lines.c)? ──yes──▶ its session's line
//                 │no
//                 ▼
//             world_apply
//
// Requests are applied in the order in which they came, until one has to wait. Then requests of other
// sessions pass it.
#include "world/turn/inbox.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/ring.h"
#include "protocol/error.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/edit/apply.h"
#include "world/frames/stream.h"
#include "world/keep/image.h"
#include "world/keep/journal.h"
#include "world/keep/present.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/time/stand.h"
#include "world/time/step.h"
#include "world/time/view.h"
#include "world/turn/lines.h"
#include "world/turn/part.h"
#include "world/turn/visit.h"

#include <inttypes.h>

// ---------------------------------------------------------------------------------------------------------
// Loop thread

static void inbox_push(struct world *world, struct world_message message)
{
    // The ring is never full. world_create sized it for all requests, for what comes once, and for sessions
    // that are gone. Such a session had its first request taken out before the oldest message came in, and
    // was there at that time; or its first request is still in the ring.
    bool pushed = base_ring_push(world->turns->inbox, &message);
    BASE_ASSERT(pushed);
    if (world->hooks.on_input) {
        world->hooks.on_input(world->hooks.context);
    }
}

static bool busy(struct protocol_error *error, const struct world *world, const char *what, const char *limit,
                 uint64_t most)
{
    protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL, "%s in world %" PRIu32 " (limit %s = %" PRIu64 ")",
                       what, world->id, limit, most);
    error->limit = (double)most;
    return false;
}

bool world_post(struct world *world, struct world_request *request, struct protocol_error *error)
{
    BASE_ASSERT(request->reply && request->asker.session != 0);
    size_t bytes;
    const uint32_t admitted = world_admitted(world->answers, &bytes);
    if (world_ended(world)) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "world", "world %" PRIu32 " was deleted",
                           world->id);
        return false;
    }
    // No session may have more requests waiting than there are places left, so that there always are some for
    // others.
    if (admitted + request->ahead >= PROTOCOL_LIMIT_WORLD_REQUESTS) {
        return busy(error, world, "too many requests wait", "world_requests", PROTOCOL_LIMIT_WORLD_REQUESTS);
    }
    if (admitted > 0 && request->bytes + request->ahead_bytes > WORLD_ALWAYS_BYTES &&
        request->bytes + bytes > (size_t)PROTOCOL_LIMIT_WORLD_REQUEST_BYTES) {
        return busy(error, world, "the requests that wait are too large", "world_request_bytes",
                    PROTOCOL_LIMIT_WORLD_REQUEST_BYTES);
    }
    world_admit(world->answers, request->bytes);
    request->reply->request_bytes = request->bytes;
    if (world_methods[request->method].ends_world) {
        world_time_limit(world->time, request->asker.session);
    }
    inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_REQUEST, .request = request});
    return true;
}

void world_post_gone(struct world *world, uint32_t session)
{
    inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_GONE, .session = session});
}

void world_post_shutdown(struct world *world)
{
    if (!world->turns->shutdown_posted) {
        world->turns->shutdown_posted = true;
        world_time_limit(world->time, 0);
        inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_SHUTDOWN});
    }
}

void world_post_document(struct world *world, struct document *document)
{
    if (world_view_post(world, document)) {
        inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_DOCUMENT});
    }
}

void world_post_end(struct world *world)
{
    inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_END});
}

void world_stand(struct world *world, bool stand)
{
    world_stand_want(world->time, stand);
    world_nudge(world);
}

void world_want_image(struct world *world)
{
    world_image_want(world->keep);
    world_nudge(world);
}

void world_ask_present(struct world *world)
{
    world_present_want(world->keep);
    world_nudge(world);
}

// A tick that is under way is of no use to anybody.
void world_post_leave(struct world *world, const struct protocol_home *home)
{
    world_leave_want(world->time, home);
    world_time_limit(world->time, UINT32_MAX);
    inbox_push(world, (struct world_message){.kind = WORLD_MESSAGE_END});
}

void world_nudge(struct world *world)
{
    if (world->hooks.on_input) {
        world->hooks.on_input(world->hooks.context);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Simulation thread

static void take_gone(struct world *world, uint32_t session)
{
    if (world_steps_for(world->time, session)) {
        world_step_cut(world);
    }
    if (world_image_session(world->keep) == session) {
        world_image_cut(world, PROTOCOL_CODE_CONFLICT, "session %" PRIu32 " is gone", session);
    }
    struct world_request *line = world_line_of(&world->turns->lines, session);
    if (line) { // the edits that it sent are made first, and may give it something that ends with it
        world_line_hurry(line);
        line->line_gone = true;
    } else {
        world_session_gone(world, session);
    }
}

static void take_shutdown(struct world *world)
{
    world_shut(world->time);
    world_step_cut(world);
    world_image_cut(world, PROTOCOL_CODE_SHUTDOWN, "the server is going down; world.save is cut short");
    world_journal_end(world);
    if (world_state(world->time) == WORLD_PLAYING) {
        world_state_set(world->time, WORLD_PAUSED);
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, NULL);
    }
}

static uint64_t take_request(struct world *world, struct world_request *request, uint64_t now_ns)
{
    uint32_t session = request->asker.session;
    struct world_request *line = world_line_of(&world->turns->lines, session);
    if (world_steps_for(world->time, session) && world_methods[request->method].ends_step) {
        // Answers keep the order of the requests: the step, what came after it, the pause. Steps among these
        // end as soon as they begin, because the pause is meant for them too.
        world_step_cut(world);
        world_line_hurry(line);
    }
    if (line || world_must_wait(world, request) ||
        world_share_of(world, session)->spent_ns > world->turns->share_ns) {
        world_line_add(&world->turns->lines, request);
        return now_ns;
    }
    return world_apply_timed(world, request, now_ns);
}

bool world_inbox_drain(struct world *world)
{
    uint64_t now_ns = base_now_ns();
    const uint64_t end_ns = now_ns + world->turns->drain_ns,
                   take_end_ns = now_ns + world->turns->drain_ns / 2;
    struct world_message message;
    world_turn_count(world->time);
    world_visit_take(world);
    world_readers_refill(world->answers, world_now_ns(world->time));
    for (uint32_t taken = 0;
         taken < WORLD_DRAIN_MAX && now_ns < take_end_ns && base_ring_pop(world->turns->inbox, &message);
         taken++) {
        switch (message.kind) {
        case WORLD_MESSAGE_REQUEST:
            now_ns = take_request(world, message.request, now_ns);
            break;
        case WORLD_MESSAGE_GONE:
            take_gone(world, message.session);
            break;
        case WORLD_MESSAGE_SHUTDOWN:
            take_shutdown(world);
            break;
        case WORLD_MESSAGE_DOCUMENT:
            world_view_take(world);
            break;
        case WORLD_MESSAGE_END:
            if (world_is_leaving(world->time)) {
                world_leave(world);
            } else {
                world_view_end(world, NULL);
            }
            break;
        }
    }
    const bool more = !base_ring_empty(world->turns->inbox); // the time for messages is up
    return world_lines_serve(world, end_ns) || more;
}

bool world_inbox_create(struct world *world, uint32_t sessions)
{
    enum { DRAIN_NS = 5 * 1000 * 1000, SHARE_NS = 1000 * 1000 };
    world->turns->drain_ns = DRAIN_NS;
    world->turns->share_ns = SHARE_NS;
    world->turns->inbox =
        base_ring_create(sizeof(struct world_message), 2 * PROTOCOL_LIMIT_WORLD_REQUESTS + sessions + 4);
    return world->turns->inbox != NULL;
}

void world_inbox_destroy(struct world *world)
{
    struct world_message message;
    while (world->turns->inbox && base_ring_pop(world->turns->inbox, &message)) {
        world_request_destroy(message.request);
    }
    world_lines_destroy(&world->turns->lines);
    world_request_destroy(world_step_request(world->time));
    base_ring_destroy(world->turns->inbox);
}
