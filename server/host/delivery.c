// Posts requests of sessions to worlds, and delivers what the worlds make.
//
// It delivers one event of a world after another, in the order in which the world made them. That order makes a joined
// document and the world.edited notices after it free of gaps. So claims are kept or given back when the event passes.
// All events except frames pass through the world's gate (gate.h).
//
//     REPLY        its claim, then its bytes to the session, if that is still there. If the world has left, the
//                  message is kept (leaving.h). The reply to world.delete waits for DELETED, so that a client
//                  that has it can restore the world at once
//     FAULT        its claim, then the end of a notification that was refused
//     NOTICE       to every member
//     PUBLICATION  batches to streams
//     LOSSLESS     batches to lossless streams, whose backlog bounds what waits
//     RECORDS      batches to streams of records; one that does not keep up ends
//     PRESENT      an image to those that wait for one (registry.h)
//     LACK         tells streams what they missed; cuts the session that holds the oldest frame, if that is why
//     DELETED      the reply to world.delete, then the world is freed; nothing of it follows
//
// Answers that had to become durable here are refused if another server has the world now. So are those that
// cannot become durable because the store has no room at all.
//
// If memory runs out for an answer or a notice, the connections that should have had it end: a client never
// waits for an answer that will not come, and never misses a notice without knowing it.
#include "host/delivery.h"

#include "base/buffer.h"
#include "base/log.h"
#include "host/badge.h"
#include "host/claim.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session_internal.h"
#include "host/world_internal.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/message.h"
#include "world/world.h"

#include <inttypes.h>
#include <string.h>

enum { DELIVERY_EVENTS_MAX = 1024 }; // in a turn of the loop

// ---------------------------------------------------------------------------------------------------------
// Requests

bool host_post(struct host_session *session, struct host_world *world, struct world_request *request,
               struct protocol_error *error)
{
    const size_t bytes = request->bytes;
    if (!host_session_has_room(session, bytes, error)) {
        return false;
    }
    if (!host_session_reserve(session)) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
        return false;
    }
    if (!host_claim_take(request->method, session, world, request->params, &request->claim, error)) {
        return false;
    }
    // Answers that wait at the gate have not given up their places.
    request->ahead = host_session_unanswered(session) + world->gate.answers;
    request->ahead_bytes = host_session_waiting_bytes(session);
    request->account = world_account_ref(host_session_account(session));
    const enum protocol_method method = request->method;
    if (!world_post(world->world, request, error)) {
        host_claim_give_back(method, session, world, &request->claim);
        return false;
    }
    host_session_visit(session, world->id);
    host_session_request_begin(session, bytes);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Events

static bool is_granted(const struct host_world *world, const struct world_event *event)
{
    return event->granted && !host_gate_is_vain(&world->gate, event);
}

static void settle_claim(struct host_world *world, struct host_session *session,
                         const struct world_event *event)
{
    if (is_granted(world, event)) {
        host_claim_keep(event->method, session, world, &event->claim);
    } else {
        host_claim_give_back(event->method, session, world, &event->claim);
    }
}

static void audit(const struct host_world *world, const struct host_session *session,
                  const struct world_event *event)
{
    if (host_audited(session, event->method)) {
        host_audit(session, is_granted(world, event) ? "call" : "refused",
                   &(struct host_deed){.method = protocol_methods[event->method].name,
                                       .outcome = is_granted(world, event) ? "ok" : "error",
                                       .world = world->id});
    }
}

// The refusal of a request that is done but not durable. A client that asks again under the same edit_id gets
// the answer when it is durable.
static void doubtful_error(const struct host_world *world, struct protocol_error *error)
{
    protocol_error_set(
        error, PROTOCOL_CODE_READ_ONLY, "world",
        "world %" PRIu32
        " has done this, but the store has no room for it, not even in its reserve: it is kept "
        "when there is room again, and lost if the server ends before",
        world->id);
}

static void lost_error(const struct host_world *world, struct protocol_error *error)
{
    if (world->gate.held) {
        protocol_error_set(
            error, PROTOCOL_CODE_NOT_FOUND, "world",
            "world %" PRIu32
            " is not kept: its name is another world's, or nobody could be asked whether it is",
            world->id);
        return;
    }
    protocol_error_set(error, PROTOCOL_CODE_READ_ONLY, "world",
                       "another server has world %" PRIu32 " now: whether this was kept is to be seen there",
                       world->id);
}

// Sends an error in place of a reply whose content may never have happened. A reply that cannot be read is
// dropped.
static void refuse_reply(struct host_session *session, const struct base_buffer *reply,
                         const struct protocol_error *error)
{
    const struct world_asker asker = host_session_asker(session);
    struct protocol_message message;
    struct base_buffer *bytes = protocol_message_peek(reply->data, reply->size, &message)
                                    ? host_outgoing_failure(&asker, message.msgid, error)
                                    : NULL;
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
}

// Keeps a request that a world refused because it goes on at another server, to ask it there. This is for
// sessions that do not go there themselves. True: it is kept.
static bool asks_again(struct host_world *world, const struct host_session *session,
                       struct world_event *event)
{
    if (!session || !event->again || host_session_follows(session) || !session->sessions->options.on_again) {
        return false;
    }
    uint8_t *bytes = event->again;
    event->again = NULL;
    return host_leaving_refused(&world->leaving, session->id, bytes, event->again_size, event->request_bytes);
}

static void deliver_reply(struct host_world *world, struct host_session *session, struct world_event *event)
{
    settle_claim(world, session, event);
    if (asks_again(world, session, event)) {
        return;
    }
    if (!session) {
        return;
    }
    audit(world, session, event);
    // Without bytes the session is cut: no request is left without an answer.
    struct protocol_error error = {0};
    if (host_gate_is_vain(&world->gate, event)) {
        lost_error(world, &error);
    } else if (host_gate_is_doubtful(&world->gate, event)) {
        doubtful_error(world, &error);
    }
    if (event->bytes[0] && error.code != PROTOCOL_CODE_OK) {
        refuse_reply(session, event->bytes[0], &error);
    } else if (event->bytes[0] || event->unanswerable) {
        host_session_reply(session, event->bytes[0]);
    }
    host_session_request_end(session, event->request_bytes);
}

static void deliver_fault(struct host_world *world, struct host_session *session, struct world_event *event)
{
    settle_claim(world, session, event);
    if (asks_again(world, session, event)) {
        return;
    }
    if (!session) {
        return;
    }
    audit(world, session, event);
    const char *method = protocol_methods[event->method].name;
    host_session_fault(session, &event->error, method, (uint32_t)strlen(method));
    host_session_request_end(session, event->request_bytes);
}

static void deliver_lack(struct host_sessions *sessions, struct host_world *world,
                         const struct world_event *event)
{
    bool starved = false, all_starved = false;
    for (uint32_t i = 0; i < event->miss_count; i++) {
        const struct world_miss *miss = &event->misses[i];
        struct host_session *session = host_session_find(sessions, miss->session);
        starved = starved || miss->lack == WORLD_LACK_ROOM;
        all_starved = all_starved || miss->lack == WORLD_LACK_SERVER;
        if (session) {
            host_session_missed(session, miss);
        }
    }
    if (starved) {
        host_sessions_starve(sessions, world);
    }
    if (all_starved) {
        host_sessions_starve_most(sessions);
    }
}

// Tells sessions where the world went. If that is not known yet, a client that asks again will be told.
static void deliver_moved(struct host_sessions *sessions, const struct host_world *world)
{
    struct protocol_home home;
    (void)host_home_find(host_registry_cluster(world->registry), world->id, &home);
    host_sessions_moved(sessions, world, &home);
}

static bool ends_world(const struct host_world *world, const struct world_event *event)
{
    return event->kind == WORLD_REPLY && event->method == PROTOCOL_METHOD_WORLD_DELETE &&
           is_granted(world, event) && !world->last_reply;
}

static void deliver_last_reply(struct host_sessions *sessions, struct host_world *world)
{
    struct world_event *reply = world->last_reply;
    world->last_reply = NULL;
    if (reply) {
        deliver_reply(world, host_session_find(sessions, reply->session), reply);
    }
    world_event_destroy(reply);
}

static void deliver(struct host_sessions *sessions, struct host_world *world, struct world_event *event)
{
    struct host_session *session = host_session_find(sessions, event->session);
    struct host_leaving leaving;
    switch (event->kind) {
    case WORLD_REPLY:
        deliver_reply(world, session, event);
        break;
    case WORLD_FAULT:
        deliver_fault(world, session, event);
        break;
    case WORLD_NOTICE:
        host_sessions_keep_notice(sessions, world, event->revision, event->bytes, event->lost);
        host_sessions_notice(sessions, world->id, event->bytes, event->lost);
        break;
    case WORLD_PUBLICATION:
    case WORLD_LOSSLESS:
    case WORLD_RECORDS:
        for (uint32_t i = 0; i < event->batch_count && !world->gate.lost; i++) {
            struct base_batch *batch = event->batches[i];
            const uint32_t stream = batch ? batch->stream : 0;
            event->batches[i] = NULL;
            if (batch && !host_sessions_publish(sessions, batch)) {
                world_post_unwanted(world->world, stream);
            }
        }
        break;
    case WORLD_PRESENT:
        host_registry_presented(world, event->bytes[0], false);
        event->bytes[0] = NULL;
        break;
    case WORLD_LACK:
        deliver_lack(sessions, world, event);
        break;
    case WORLD_DELETED:
        if (world->view.of == 0) {
            base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" %s", world->id, world->name,
                     world->elsewhere ? "goes on at another server" : "is deleted");
        }
        deliver_last_reply(sessions, world);
        host_registry_presented(world, NULL, true); // those that wait look into the store
        if (world->elsewhere) {
            deliver_moved(sessions, world);
        } else {
            host_sessions_forget_world(sessions, world->id,
                                       world->view.of == 0 ? "world deleted" : "view ended");
        }
        host_notices_deinit(&world->notices); // the loop counts the notices of all worlds together
        leaving = world->leaving;
        world->leaving = (struct host_leaving){0};
        host_registry_remove(world);
        host_leaving_ask(&leaving, sessions);
        break;
    }
}

// Returns an event that has waited long enough, else the next of the world. NULL: none may be delivered.
static struct world_event *next_event(struct host_world *world)
{
    struct world_event *event = host_gate_next(&world->gate);
    while (!event && (event = world_take(world->world))) {
        event = host_gate_pass(&world->gate, event);
    }
    return event;
}

void host_deliver_durable(struct host_world *world, uint64_t position)
{
    host_gate_open(&world->gate, position);
    host_registry_signal(world);
}

void host_deliver_full(struct host_world *world, bool full, bool stuck)
{
    host_gate_full(&world->gate, full, stuck);
    host_registry_signal(world);
}

void host_deliver_lost(struct host_world *world)
{
    host_gate_lose(&world->gate);
    host_registry_signal(world);
}

void host_deliver(struct host_registry *registry, struct host_sessions *sessions)
{
    uint32_t left = DELIVERY_EVENTS_MAX;
    struct host_world *world;
    if (!host_registry_fresh(registry)) {
        return; // when it is fresh again, worlds are signalled
    }
    host_sessions_enter(sessions);
    net_loop_gather(sessions->options.loop);
    while (left > 0 && (world = host_registry_next_signalled(registry))) {
        struct world_event *event = NULL;
        bool deleted = false;
        while (!deleted && left > 0 && (event = next_event(world))) {
            left--;
            deleted = event->kind == WORLD_DELETED;
            if (ends_world(world, event)) {
                world->last_reply = event;
                continue;
            }
            deliver(sessions, world, event);
            world_event_destroy(event);
        }
        // The world goes to the end of the list, so that one with many events does not keep the others
        // waiting.
        if (!deleted && event) {
            host_registry_signal(world);
        }
    }
    net_loop_gathered(sessions->options.loop);
    host_sessions_leave(sessions);
}
