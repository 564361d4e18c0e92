// session.hello {resume}: sessions that go on with another connection.
#include "dispatch/hello/hello.h"

#include "dispatch/call.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/session.h"
#include "protocol/error.h"
#include "protocol/message.h"

#include <inttypes.h>
#include <stdio.h>

void dispatch_hello_asked(struct host_session *session, const uint8_t *bytes, size_t size)
{
    struct protocol_message message;
    enum protocol_method method;
    if (host_session_key(session)[0] == '\0' || !protocol_message_peek(bytes, size, &message) ||
        message.kind != PROTOCOL_REQUEST) {
        return;
    }
    const bool repeatable = message.method.size > 0 && protocol_method_find(message.method, &method) &&
                            (protocol_methods[method].class_ == PROTOCOL_CLASS_QUERY ||
                             dispatch_route_methods[method].only_answers);
    host_session_asked(session, message.msgid, repeatable);
}

static bool no_memory(struct dispatch_call *call)
{
    protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory to go on with a session");
    return false;
}

static bool twice(struct dispatch_call *call, uint32_t position, uint32_t msgid)
{
    protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "unanswered",
                       "unanswered[%" PRIu32 "] is %" PRIu32 ", which stands there before; each may once",
                       position, msgid);
    snprintf(call->error->value, sizeof call->error->value, "%" PRIu32, msgid);
    return false;
}

static bool read_unanswered(struct dispatch_call *call, struct host_missed *missed)
{
    const struct protocol_session_hello_params *params = call->params;
    const uint32_t most = PROTOCOL_LIMIT_KEPT_ANSWERS;
    uint32_t bad;
    if (params->unanswered.count > most) {
        protocol_error_set(call->error, PROTOCOL_CODE_LIMIT, "unanswered",
                           "unanswered names %" PRIu32 " requests, at most %" PRIu32
                           " may be (limit kept_answers)",
                           params->unanswered.count, most);
        call->error->limit = most;
        return false;
    }
    uint32_t *msgids = msgpack_zone_malloc(call->zone, (params->unanswered.count + 1) * sizeof *msgids);
    if (!msgids) {
        return no_memory(call);
    }
    if (params->unanswered.count > 0 && !protocol_array_copy_u32(&params->unanswered, msgids, &bad)) {
        protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "unanswered",
                           "unanswered[%" PRIu32 "] is no id of a request", bad);
        return false;
    }
    // One answer for each: else a few bytes would ask for many times what is kept.
    for (uint32_t i = 1; i < params->unanswered.count; i++) {
        for (uint32_t earlier = 0; earlier < i; earlier++) {
            if (msgids[earlier] == msgids[i]) {
                return twice(call, i, msgids[i]);
            }
        }
    }
    missed->unanswered = msgids;
    missed->unanswered_count = params->unanswered.count;
    return true;
}

static bool wrong_revisions(struct dispatch_call *call)
{
    protocol_error_set(call->error, PROTOCOL_CODE_INVALID, "revisions",
                       "revisions: must be a map of ids of worlds to revisions, such as {3: 17}");
    return false;
}

// A key may be a text as well: in JSON all are.
static bool is_id(const msgpack_object *key, uint32_t *id)
{
    uint64_t value = 0;
    if (key->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        value = key->via.u64;
    } else if (key->type == MSGPACK_OBJECT_STR && key->via.str.size <= 10) {
        for (uint32_t i = 0; i < key->via.str.size; i++) {
            if (key->via.str.ptr[i] < '0' || key->via.str.ptr[i] > '9') {
                return false;
            }
            value = 10 * value + (uint64_t)(key->via.str.ptr[i] - '0');
        }
    }
    *id = (uint32_t)value;
    return value >= 1 && value <= UINT32_MAX;
}

static bool is_revision(const msgpack_object *value, uint64_t *revision)
{
    if (value->type == MSGPACK_OBJECT_POSITIVE_INTEGER) {
        *revision = value->via.u64;
        return true;
    }
    if (value->type != MSGPACK_OBJECT_FLOAT64 || !(value->via.f64 >= 0 && value->via.f64 < 0x1p53)) {
        return false;
    }
    *revision = (uint64_t)value->via.f64;
    return (double)*revision == value->via.f64;
}

static bool read_seen(struct dispatch_call *call, struct host_missed *missed)
{
    const struct protocol_session_hello_params *params = call->params;
    if ((params->has & PROTOCOL_HAS_SESSION_HELLO_PARAMS_REVISIONS) == 0) {
        return true;
    }
    msgpack_object map;
    size_t offset = 0;
    if (msgpack_unpack(params->revisions.data, params->revisions.size, &offset, call->zone, &map) !=
            MSGPACK_UNPACK_SUCCESS ||
        map.type != MSGPACK_OBJECT_MAP || map.via.map.size > PROTOCOL_LIMIT_WORLDS) {
        return wrong_revisions(call);
    }
    struct host_seen *seen = msgpack_zone_malloc(call->zone, (map.via.map.size + 1) * sizeof *seen);
    if (!seen) {
        return no_memory(call);
    }
    for (uint32_t i = 0; i < map.via.map.size; i++) {
        if (!is_id(&map.via.map.ptr[i].key, &seen[i].world) ||
            !is_revision(&map.via.map.ptr[i].val, &seen[i].revision)) {
            return wrong_revisions(call);
        }
    }
    missed->seen = seen;
    missed->seen_count = map.via.map.size;
    return true;
}

static void catch_up(struct dispatch_call *call)
{
    host_session_catch_up(call->session, call->after_context);
}

bool dispatch_hello_resume(struct dispatch_call *call, const struct dispatch_hello_resumed **out)
{
    const struct protocol_session_hello_params *params = call->params;
    struct host_session *fresh = call->session;
    *out = NULL;
    if (params->resume.size == 0) {
        return true;
    }
    struct host_session *session = host_session_of_key(host_session_owner(fresh), &params->resume);
    if (!session || session == fresh) {
        return true;
    }
    if (!host_session_may_resume(session, fresh)) {
        host_audit(fresh, "resume",
                   &(struct host_deed){.outcome = "DENIED", .detail = "the key of another token's session"});
        return true;
    }
    if (!host_session_is_fresh(fresh)) {
        protocol_error_set(
            call->error, PROTOCOL_CODE_CONFLICT, "resume",
            "resume: this connection has been used for a session of its own; session.hello with "
            "resume comes first");
        return false;
    }
    struct host_missed *missed = msgpack_zone_malloc(call->zone, sizeof *missed);
    struct dispatch_hello_resumed *resumed = msgpack_zone_malloc(call->zone, sizeof *resumed);
    if (!missed || !resumed) {
        return no_memory(call);
    }
    *missed = (struct host_missed){0};
    if (!read_unanswered(call, missed) || !read_seen(call, missed)) {
        return false;
    }
    uint32_t *lost = msgpack_zone_malloc(call->zone, (missed->unanswered_count + 1) * sizeof *lost);
    uint32_t *worlds = msgpack_zone_malloc(
        call->zone, (missed->seen_count + host_session_worlds(session) + 1) * sizeof *worlds);
    if (!lost || !worlds) {
        return no_memory(call);
    }
    host_session_resume(session, fresh);
    host_audit(session, "resume", &(struct host_deed){.outcome = "ok"});
    call->session = session;
    call->after = catch_up;
    call->after_context = missed;
    const uint32_t lost_count =
        host_session_lost(session, missed->unanswered, missed->unanswered_count, lost);
    const uint32_t world_count = host_session_rejoins(session, missed, worlds);
    *resumed = (struct dispatch_hello_resumed){
        .lost = {.type = PROTOCOL_ARRAY_U32, .count = lost_count, .data = lost},
        .rejoin = {.type = PROTOCOL_ARRAY_U32, .count = world_count, .data = worlds},
    };
    *out = resumed;
    return true;
}
