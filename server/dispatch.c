// The way of a message through the server, up to the inbox of a world.
//
//     unpack ──▶ envelope ──▶ method ──▶ class server: answered here (dispatch_server.c)
//       │                       └──▶ route (dispatch_route.c) ──▶ decode, prepare ──▶ post ──inbox──▶
//       any thread              loop                         any thread          loop
//
// Messages of up to DISPATCH_LOOP_BYTES pass all of it in one call on the loop. For larger ones a worker
// unpacks, and a worker decodes and prepares; the session is held meanwhile, so that its requests keep their
// order. world.open, though answered on the loop, is decoded and made ready like them. Whatever is refused on the way answers a request, and gives an `error` for a notification.
#include "dispatch.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "dispatch_metrics.h"
#include "dispatch_route.h"
#include "dispatch_server.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session.h"
#include "net/net.h"
#include "protocol/message.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DISPATCH_LOOP_BYTES = 65536 };

struct dispatch {
    struct net_loop *loop;
    struct dispatch_server server;
    struct base_buffer *limits; // bytes of server.limits
};

// One message under way. On the stack while it stays on the loop.
struct job {
    struct dispatch *dispatch;
    struct host_sessions *sessions;
    uint32_t session;
    struct world_asker asker;
    struct world_packet *packet; // NULL without memory, or once the request has it
    bool malformed;              // no envelope: error says why
    bool wants_answer;           // a request
    uint32_t msgid;
    enum protocol_method method;
    uint32_t world;
    struct world_constants constants;
    struct world_request *request;
    void *params;                    // world.open: decoded, in the packet's zone
    struct world_document *document; // and made ready
    struct protocol_error error;
};

#define DISPATCH_ENTRY_SERVER(ident) dispatch_##ident
#define DISPATCH_ENTRY_QUERY(ident) NULL
#define DISPATCH_ENTRY_EDIT(ident) NULL
#define DISPATCH_ENTRY_INPUT(ident) NULL
#define DISPATCH_ENTRY_CONTROL(ident) NULL
#define DISPATCH_ENTRY(class, ident, name) DISPATCH_ENTRY_##class(ident),
static const dispatch_function functions[PROTOCOL_METHOD_COUNT] = {PROTOCOL_METHODS(DISPATCH_ENTRY)};

// ---------------------------------------------------------------------------------------------------------
// Unpacking: any thread

static struct world_packet *packet_create(uint8_t *bytes, size_t size)
{
    struct world_packet *packet = calloc(1, sizeof *packet);
    if (packet == NULL)
        return NULL;
    if (!msgpack_zone_init(&packet->zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        free(packet);
        return NULL;
    }
    packet->bytes = bytes;
    packet->size = size;
    return packet;
}

// Fills packet->message, or says in error why not. The scanner has passed these bytes, so what msgpack-c
// allocates for them is bounded.
static void unpack(struct job *job)
{
    struct world_packet *packet = job->packet;
    msgpack_object *root = msgpack_zone_malloc(&packet->zone, sizeof *root);
    size_t offset = 0;
    msgpack_unpack_return status = MSGPACK_UNPACK_NOMEM_ERROR;
    if (root != NULL)
        status = msgpack_unpack((const char *)packet->bytes, packet->size, &offset, &packet->zone, root);
    if (status == MSGPACK_UNPACK_NOMEM_ERROR) {
        protocol_error_set(&job->error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory to unpack a message of %zu bytes", packet->size);
        job->malformed = true;
    } else if (status != MSGPACK_UNPACK_SUCCESS || offset != packet->size) {
        protocol_error_set(&job->error, PROTOCOL_CODE_PROTOCOL, NULL, "the bytes are not MessagePack");
        job->malformed = true;
    } else {
        job->malformed = !protocol_message_parse(root, &packet->message, &job->error);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Refusing

static void refuse(struct job *job, struct host_session *session)
{
    if (job->wants_answer) {
        struct base_buffer *bytes =
            host_outgoing_failure(host_session_asker(session), job->msgid, &job->error);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    } else {
        const char *name = protocol_methods[job->method].name;
        host_session_fault(session, &job->error, name, (uint32_t)strlen(name));
    }
}

// ---------------------------------------------------------------------------------------------------------
// Class server

// Any thread. False: refused.
static bool decode_params(struct job *job)
{
    const struct protocol_struct *type = protocol_methods[job->method].params;
    const msgpack_object *map;
    job->params = msgpack_zone_malloc(&job->packet->zone, type->size);
    if (job->params == NULL) {
        protocol_error_set(&job->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the parameters");
        return false;
    }
    return protocol_message_fields(job->packet->message.params, &map, &job->error) &&
           protocol_decode(type, map, &job->packet->zone, job->params, &job->error);
}

// The heavy part of world.open, which needs no world.
static void decode_document(struct job *job)
{
    if (!decode_params(job))
        return;
    const struct protocol_world_open_params *params = job->params;
    job->document = world_document_create(&params->document, "document.", &job->packet->zone, &job->error);
}

static void answer_here(struct job *job, struct host_session *session)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    bool done = false;
    if (job->params != NULL || decode_params(job)) {
        protocol_pack_result(&out.packer, job->msgid);
        struct dispatch_call call = {
            .server = &job->dispatch->server,
            .session = session,
            .params = job->params,
            .document = job->document,
            .zone = &job->packet->zone,
            .packer = &out.packer,
            .error = &job->error,
        };
        done = functions[job->method](&call);
    }
    struct base_buffer *bytes = host_outgoing_finish(&out);
    if (!done)
        refuse(job, session);
    else if (job->wants_answer)
        host_session_reply(session, bytes);
    base_buffer_unref(bytes);
}

// ---------------------------------------------------------------------------------------------------------
// Post

// What the host keeps for a request before the world has it. False: refused, nothing is kept.
static bool prepare_post(struct job *job, struct host_session *session, struct host_world *world)
{
    struct world_request *request = job->request;
    if (!host_session_touch(session, world->id)) {
        protocol_error_set(&job->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for this session");
        return false;
    }
    if (job->method == PROTOCOL_METHOD_WORLD_JOIN)
        host_session_join_begin(session, world->id);
    if (job->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        request->stream = host_session_stream_add(session, world->id);
        if (request->stream == 0) {
            protocol_error_set(&job->error, PROTOCOL_CODE_LIMIT, NULL,
                               "this session has %d streams, the most it may have (limit streams)",
                               (int)PROTOCOL_LIMIT_STREAMS);
            job->error.limit = (double)PROTOCOL_LIMIT_STREAMS;
            return false;
        }
    }
    if (job->method == PROTOCOL_METHOD_WORLD_SET) {
        const struct protocol_world_set_params *params = request->params;
        if ((params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) != 0)
            return host_registry_reserve(world, &params->name, job->session, &job->error);
    }
    return true;
}

static void undo_post(struct job *job, struct host_session *session, struct host_world *world)
{
    const struct world_request *request = job->request;
    if (job->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE)
        host_session_stream_remove(session, request->stream);
    if (job->method == PROTOCOL_METHOD_WORLD_SET) {
        const struct protocol_world_set_params *params = request->params;
        if ((params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) != 0)
            host_registry_withdraw(world, job->session);
    }
}

static void post(struct job *job, struct host_session *session)
{
    struct protocol_ref ref = {.id = job->world};
    struct host_world *world = dispatch_find(job->dispatch->server.registry, job->method, &ref);
    if (world == NULL) { // deleted while a worker decoded
        dispatch_no_world(&job->error, &ref);
        refuse(job, session);
        return;
    }
    if (!prepare_post(job, session, world)) {
        refuse(job, session);
        return;
    }
    if (!world_post(world->world, job->request)) {
        undo_post(job, session, world);
        protocol_error_set(&job->error, PROTOCOL_CODE_BUSY, NULL,
                           "too many requests wait in world %" PRIu32 " (limit world_requests = %d)",
                           world->id, (int)PROTOCOL_LIMIT_WORLD_REQUESTS);
        job->error.limit = (double)PROTOCOL_LIMIT_WORLD_REQUESTS;
        refuse(job, session);
        return;
    }
    job->request = NULL;
    if (job->method == PROTOCOL_METHOD_WORLD_DELETE)
        host_registry_close(world);
    host_session_request_begin(session);
}

// ---------------------------------------------------------------------------------------------------------
// The steps together

static void decode(struct job *job)
{
    if (job->method == PROTOCOL_METHOD_WORLD_OPEN) {
        decode_document(job);
        return;
    }
    struct world_packet *packet = job->packet;
    job->packet = NULL;
    job->request = world_request_create(packet, job->method, &job->asker, &job->constants, &job->error);
}

static void finish_decoded(struct job *job, struct host_session *session)
{
    if (job->document != NULL)
        answer_here(job, session);
    else if (job->request == NULL)
        refuse(job, session);
    else
        post(job, session);
}

static void job_deinit(struct job *job)
{
    world_document_destroy(job->document);
    world_packet_destroy(job->packet);
    world_request_destroy(job->request);
}

// The name as the peer wrote it, as far as it fits.
static void no_method(struct job *job)
{
    const struct protocol_string *name = &job->packet->message.method;
    protocol_error_set(&job->error, PROTOCOL_CODE_NOT_FOUND, NULL,
                       "no method \"%.*s\"; server.info lists them",
                       (int)(name->size < 100 ? name->size : 100), name->size == 0 ? "" : name->data);
}

enum outcome { OUTCOME_DONE, OUTCOME_DECODE };

// After unpacking, on the loop.
static enum outcome handle(struct job *job, struct host_session *session)
{
    if (job->malformed) {
        host_session_refuse(session, &job->error);
        return OUTCOME_DONE;
    }
    const struct protocol_message *message = &job->packet->message;
    if (message->kind == PROTOCOL_RESPONSE) {
        host_session_count_ignored(session);
        return OUTCOME_DONE;
    }
    job->wants_answer = message->kind == PROTOCOL_REQUEST;
    job->msgid = message->msgid;
    if (job->wants_answer)
        host_session_count_request(session);
    if (message->method.size == 0 || !protocol_method_find(message->method, &job->method)) {
        if (job->wants_answer) {
            no_method(job);
            refuse(job, session);
        } else {
            host_session_count_ignored(session);
        }
        return OUTCOME_DONE;
    }
    if (job->method == PROTOCOL_METHOD_WORLD_OPEN)
        return OUTCOME_DECODE;
    if (protocol_methods[job->method].class_ == PROTOCOL_CLASS_SERVER) {
        answer_here(job, session);
        return OUTCOME_DONE;
    }
    struct host_world *world =
        dispatch_route(job->dispatch->server.registry, session, job->packet, job->method, &job->error);
    if (world == NULL) {
        refuse(job, session);
        return OUTCOME_DONE;
    }
    job->world = world->id;
    job->constants = world_constants_of(world->world);
    return OUTCOME_DECODE;
}

// ---------------------------------------------------------------------------------------------------------
// Large messages

static void work_unpack(void *context)
{
    unpack(context);
}

static void work_decode(void *context)
{
    decode(context);
}

// Back on the loop for the last time; the session may be gone.
static void end_work(struct job *job)
{
    struct host_session *session = host_session_find(job->sessions, job->session);
    if (session != NULL)
        host_session_work_end(session);
    job_deinit(job);
    free(job);
}

static void on_decoded(void *context)
{
    struct job *job = context;
    struct host_sessions *sessions = job->sessions;
    host_sessions_enter(sessions);
    struct host_session *session = host_session_find(sessions, job->session);
    if (session != NULL)
        finish_decoded(job, session);
    end_work(job);
    host_sessions_leave(sessions);
}

static void on_unpacked(void *context)
{
    struct job *job = context;
    struct host_sessions *sessions = job->sessions;
    host_sessions_enter(sessions);
    struct host_session *session = host_session_find(sessions, job->session);
    if (session == NULL || handle(job, session) == OUTCOME_DONE) {
        end_work(job);
    } else if (!net_work(job->dispatch->loop, work_decode, on_decoded, job)) {
        decode(job);
        finish_decoded(job, session);
        end_work(job);
    }
    host_sessions_leave(sessions);
}

static bool start_work(const struct job *job, struct host_session *session)
{
    struct job *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return false;
    *copy = *job;
    if (!net_work(job->dispatch->loop, work_unpack, on_unpacked, copy)) {
        free(copy);
        return false;
    }
    host_session_work_begin(session);
    return true;
}

void dispatch_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    struct dispatch *dispatch = context;
    struct world_packet *packet = packet_create(bytes, size);
    if (packet == NULL) {
        free(bytes);
        host_session_fail(session, "no memory for its message");
        return;
    }
    struct job job = {
        .dispatch = dispatch,
        .sessions = host_session_owner(session),
        .asker = *host_session_asker(session),
        .session = host_session_asker(session)->session,
        .packet = packet,
    };
    if (size > DISPATCH_LOOP_BYTES && start_work(&job, session))
        return;
    unpack(&job);
    if (handle(&job, session) == OUTCOME_DECODE) {
        decode(&job);
        finish_decoded(&job, session);
    }
    job_deinit(&job);
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct dispatch *dispatch_create(struct net_loop *loop, struct host_registry *registry, uint32_t threads,
                                 const struct net_limits *limits)
{
    struct dispatch *dispatch = calloc(1, sizeof *dispatch);
    if (dispatch != NULL)
        dispatch->limits = dispatch_pack_limits(limits);
    if (dispatch == NULL || dispatch->limits == NULL) {
        base_log(BASE_LOG_ERROR, "no memory for the dispatcher");
        free(dispatch);
        return NULL;
    }
    dispatch->loop = loop;
    dispatch->server.limits =
        (struct protocol_raw){.data = dispatch->limits->data, .size = dispatch->limits->size};
    dispatch->server.registry = registry;
    dispatch->server.threads = threads;
    dispatch->server.started_ns = base_now_ns();
    return dispatch;
}

struct base_buffer *dispatch_metrics(const struct dispatch *dispatch, const struct host_sessions *sessions)
{
    return dispatch_metrics_text(&dispatch->server, sessions);
}

struct base_buffer *dispatch_health(const struct dispatch *dispatch, int *status)
{
    bool stopping = dispatch->server.stopping;
    const char *text = stopping ? "going down\n" : "ok\n";
    struct base_buffer *bytes = base_buffer_create(strlen(text), NULL);
    if (bytes != NULL)
        memcpy(bytes->data, text, bytes->size);
    *status = stopping ? 503 : 200;
    return bytes;
}

void dispatch_stop(struct dispatch *dispatch)
{
    dispatch->server.stopping = true;
}

void dispatch_destroy(struct dispatch *dispatch)
{
    if (dispatch == NULL)
        return;
    base_buffer_unref(dispatch->limits);
    free(dispatch);
}
