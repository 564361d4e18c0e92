#include "dispatch/later.h"

#include "base/buffer.h"
#include "dispatch/call.h"
#include "host/badge.h"
#include "host/outgoing.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/error.h"
#include "protocol/message.h"

#include <stdlib.h>
#include <string.h>

struct dispatch_later *dispatch_later_begin(struct dispatch_call *call, bool in_order)
{
    struct world_packet *packet = *call->packet;
    // A call that holds its session is the only one under way, so it needs no room.
    if (!in_order && !host_session_has_room(call->session, packet->size, call->error)) {
        return NULL;
    }
    struct dispatch_later *later = calloc(1, sizeof *later);
    if (!later) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this request");
        return NULL;
    }
    later->server = call->server;
    later->sessions = host_session_owner(call->session);
    later->asker = host_session_asker(call->session);
    later->packet = packet;
    later->method = call->method;
    later->wants_answer = call->wants_answer;
    later->in_order = in_order;
    later->msgid = call->msgid;
    later->bytes = packet->size;
    later->world = call->world;
    *call->packet = NULL;
    call->later = true;
    host_session_request_begin(call->session, later->bytes);
    if (in_order) {
        host_session_work_begin(call->session);
    }
    return later;
}

struct host_session *dispatch_later_session(const struct dispatch_later *later)
{
    return later->told ? NULL : host_session_find(later->sessions, later->asker.session);
}

static void let_go(const struct dispatch_later *later, struct host_session *session)
{
    host_session_request_end(session, later->bytes);
    if (later->in_order) {
        host_session_work_end(session);
    }
}

static void end(struct dispatch_later *later, struct host_session *session)
{
    if (session) {
        let_go(later, session);
    }
    host_sessions_leave(later->sessions);
    world_packet_destroy(later->packet);
    free(later);
}

static void tell_refused(const struct dispatch_later *later, struct host_session *session,
                         const struct protocol_error *error)
{
    host_audit_call(session, later->method, later->world, error);
    if (later->wants_answer) {
        struct base_buffer *bytes = host_outgoing_failure(&later->asker, later->msgid, error);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    } else {
        const char *name = protocol_methods[later->method].name;
        host_session_fault(session, error, name, (uint32_t)strlen(name));
    }
}

void dispatch_later_answer(struct dispatch_later *later, const void *result)
{
    host_sessions_enter(later->sessions);
    struct host_session *session = dispatch_later_session(later);
    if (session) {
        host_audit_call(session, later->method, later->world, NULL);
    }
    if (session && later->wants_answer) {
        struct host_outgoing out;
        host_outgoing_init(&out);
        protocol_pack_result(&out.packer, later->msgid);
        protocol_encode(protocol_methods[later->method].result, result, later->asker.arrays, &out.packer);
        struct base_buffer *bytes = host_outgoing_finish(&out);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    }
    end(later, session);
}

void dispatch_later_refuse(struct dispatch_later *later, const struct protocol_error *error)
{
    host_sessions_enter(later->sessions);
    struct host_session *session = dispatch_later_session(later);
    if (session) {
        tell_refused(later, session, error);
    }
    end(later, session);
}

// ---------------------------------------------------------------------------------------------------------
// On a worker

bool dispatch_later_stopped(const struct dispatch_later *later)
{
    return atomic_load(&later->stop);
}

static void tell_stopped(struct dispatch_later *later)
{
    struct host_sessions *sessions = later->sessions;
    host_sessions_enter(sessions);
    struct host_session *session = dispatch_later_session(later);
    struct protocol_error error = {0};
    later->told = true;
    if (session) {
        protocol_error_set(&error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        tell_refused(later, session, &error);
        let_go(later, session);
    }
    host_sessions_leave(sessions);
}

static struct dispatch_later *untold(const struct dispatch_server *server)
{
    struct dispatch_later *at = server->working;
    while (at && (at->told || at->slot.weight == HOST_LIGHT)) {
        at = at->next;
    }
    return at;
}

void dispatch_later_stop(struct dispatch_server *server, uint32_t session)
{
    for (struct dispatch_later *at = server->working; at; at = at->next) {
        if (session == 0 || at->asker.session == session) {
            atomic_store(&at->stop, true);
        }
    }
    for (struct dispatch_later *at; session == 0 && (at = untold(server));) {
        tell_stopped(at);
    }
}

static void unlink_working(struct dispatch_later *later)
{
    struct dispatch_later **at = &later->server->working;
    while (*at != later) {
        at = &(*at)->next;
    }
    *at = later->next;
}

static void on_worker(void *context)
{
    const struct dispatch_later *later = context;
    later->work(later->context);
}

// The slot goes first: what is done may end `later`, and others wait.
static void finish(struct dispatch_later *later, bool worked)
{
    struct host_sessions *sessions = later->sessions;
    host_sessions_enter(sessions);
    unlink_working(later);
    host_slots_leave(&later->server->slots, &later->slot);
    later->done(later->context, worked);
    host_sessions_leave(sessions);
}

static void on_worked(void *context)
{
    finish(context, true);
}

static void start(struct host_slot *slot)
{
    struct dispatch_later *later = (struct dispatch_later *)slot;
    if (later->server->stopping || !dispatch_later_session(later)) {
        finish(later, false);
    } else if (!net_work(later->server->loop, on_worker, on_worked, later)) {
        on_worker(later);
        on_worked(later);
    }
}

void dispatch_later_work(struct dispatch_later *later, enum host_weight weight, void (*work)(void *context),
                         void (*done)(void *context, bool worked), void *context)
{
    later->work = work;
    later->done = done;
    later->context = context;
    later->slot = (struct host_slot){.weight = weight, .start = start};
    later->next = later->server->working;
    later->server->working = later;
    const struct host_session *session = dispatch_later_session(later);
    if (session) {
        host_session_peer(session, later->slot.peer, sizeof later->slot.peer);
    }
    host_slots_enter(&later->server->slots, &later->slot);
}
