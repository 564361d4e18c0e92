// What waits to be applied: the inbox, and requests held back behind a step.
//
//     inbox:  [request][request][gone 7][request]…     pointers; with bit 0 set they are messages of the
//                 │                                    loop: (session << 1 | 1), session 0 is shutdown
//                 ▼
//     a step runs, of the same session? ──yes──▶ held, in order … applied when the step has ended
//                 │no
//                 ▼
//             world_apply
//
// Invariant: requests are held only while a step runs, and all of them are of its session.
#include "world/world_internal.h"

#include "base/assert.h"

#include <stdlib.h>

_Static_assert(sizeof(uintptr_t) >= 8, "a session id and a mark fit a pointer");

// ---------------------------------------------------------------------------------------------------------
// Loop thread

// First visitor that is not less.
static uint32_t visitor_place(const struct world *world, uint32_t session)
{
    uint32_t low = 0, high = world->visitor_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (world->visitors[middle] < session) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool visitor_add(struct world *world, uint32_t session)
{
    uint32_t place = visitor_place(world, session);
    if (place < world->visitor_count && world->visitors[place] == session) {
        return true;
    }
    if (world->visitor_count == PROTOCOL_LIMIT_SESSIONS) {
        return false;
    }
    for (uint32_t i = world->visitor_count++; i > place; i--) {
        world->visitors[i] = world->visitors[i - 1];
    }
    world->visitors[place] = session;
    return true;
}

static bool visitor_remove(struct world *world, uint32_t session)
{
    uint32_t place = visitor_place(world, session);
    if (place == world->visitor_count || world->visitors[place] != session) {
        return false;
    }
    world->visitor_count--;
    for (uint32_t i = place; i < world->visitor_count; i++) {
        world->visitors[i] = world->visitors[i + 1];
    }
    return true;
}

static void inbox_push(struct world *world, void *item)
{
    // Never full: world_create sized it for all requests and for what the loop may add to them.
    bool pushed = base_ring_push(world->inbox, item);
    BASE_ASSERT(pushed);
    if (world->on_input) {
        world->on_input(world->context);
    }
}

static void inbox_push_mark(struct world *world, uint32_t session)
{
    inbox_push(world, (void *)(((uintptr_t)session << 1) | 1)); // NOLINT(performance-no-int-to-ptr)
}

bool world_post(struct world *world, struct world_request *request)
{
    BASE_ASSERT(request->reply && request->asker.session != 0);
    if (world->admitted >= PROTOCOL_LIMIT_WORLD_REQUESTS || !visitor_add(world, request->asker.session)) {
        return false;
    }
    world->admitted++;
    request->next = NULL;
    inbox_push(world, request);
    return true;
}

void world_post_gone(struct world *world, uint32_t session)
{
    // A session that never sent anything has nothing here. So there are at most as many of these messages
    // as sessions and requests.
    if (visitor_remove(world, session)) {
        inbox_push_mark(world, session);
    }
}

void world_post_shutdown(struct world *world)
{
    if (!world->shutdown_posted) {
        world->shutdown_posted = true;
        inbox_push_mark(world, 0);
    }
}

// ---------------------------------------------------------------------------------------------------------
// What waits for a step

static void hold(struct world_held *held, struct world_request *request)
{
    request->next = NULL;
    if (held->last) {
        held->last->next = request;
    } else {
        held->first = request;
    }
    held->last = request;
}

static struct world_request *held_take(struct world_held *held)
{
    struct world_request *request = held->first;
    held->first = request->next;
    if (!held->first) {
        held->last = NULL;
    }
    return request;
}

void world_step_release(struct world *world, bool cut)
{
    while (world->step.held.first && !world->step.request) {
        world_apply(world, held_take(&world->step.held));
        if (cut) {
            world_step_cut(world);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Simulation thread

static void take_gone(struct world *world, uint32_t session)
{
    if (world->step.request && world->step.request->asker.session == session) {
        world_step_cut(world);
        world_step_release(world, true);
    }
    world_people_leave(&world->people, session);
    world_streams_remove_session(&world->streams, session);
    for (uint32_t i = 0; i < world->people.holder_count;) {
        const struct world_holder *holder = &world->people.holders[i];
        if (holder->session != session) {
            i++;
            continue;
        }
        struct sim_fault fault;
        enum sim_status status = sim_grab_end(world->sim, holder->grab, &fault);
        BASE_ASSERT(status == SIM_OK);
        world_holders_remove(&world->people, holder->grab);
        world->grabs_changed = true;
    }
}

static void take_shutdown(struct world *world)
{
    world->shut = true;
    world_step_cut(world);
    world_step_release(world, true);
    if (world->state == WORLD_PLAYING) {
        world->state = WORLD_PAUSED;
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, "");
    }
}

static void take_request(struct world *world, struct world_request *request)
{
    const struct world_request *step = world->step.request;
    if (step && step->asker.session == request->asker.session) {
        if (request->method != PROTOCOL_METHOD_WORLD_PAUSE) {
            hold(&world->step.held, request);
            return;
        }
        // Answers keep the order of the requests: the step, what came after it, the pause. Steps among
        // those are over as soon as they begin, for the pause is meant for them too.
        world_step_cut(world);
        world_step_release(world, true);
    }
    world_apply(world, request);
    world_step_release(world, false); // another's pause or delete may have ended the step
}

bool world_inbox_drain(struct world *world)
{
    for (uint32_t taken = 0; taken < WORLD_DRAIN_MAX; taken++) {
        void *item = base_ring_pop(world->inbox);
        if (!item) {
            return false;
        }
        uintptr_t bits = (uintptr_t)item;
        if (!(bits & 1)) {
            take_request(world, item);
        } else if (bits >> 1 != 0) {
            take_gone(world, (uint32_t)(bits >> 1));
        } else {
            take_shutdown(world);
        }
    }
    return !base_ring_empty(world->inbox);
}

void world_inbox_destroy(struct world *world)
{
    void *item;
    while (world->inbox && (item = base_ring_pop(world->inbox)) != NULL) {
        if (!((uintptr_t)item & 1)) {
            world_request_destroy(item);
        }
    }
    while (world->step.held.first) {
        world_request_destroy(held_take(&world->step.held));
    }
    world_request_destroy(world->step.request);
    base_ring_destroy(world->inbox);
}
