// The way of a message through the server, up to the inbox of a world.
//
//     unpack ──▶ envelope ──▶ method ──▶ class server: answered here (call.h)
//       │                       └──▶ route (route/) ──▶ decode, prepare ──▶ finish ──inbox──▶
//       any thread              loop                         any thread          loop
//
// Messages of up to DISPATCH_LOOP_BYTES pass all of it in one call on the loop. For larger ones a worker
// unpacks, and a worker decodes and prepares; the session is held meanwhile, so that its requests keep their
// order. host/slots.h shares out the workers. A method of class server has its parameters decoded like others, and may answer
// after it has returned (later.h). Whatever is refused on the way answers a request, and gives an `error` for a
// notification.
//
// What messages take from when they are whole until they are applied is charged to one budget: their bytes, and what
// they unpack to, which is counted before it is asked for.
#include "dispatch/message.h"

#include "base/buffer.h"
#include "cluster/cluster.h"
#include "dispatch/hello/hello.h"
#include "dispatch/past/past.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "host/badge.h"
#include "host/delivery.h"
#include "host/names.h"
#include "host/outgoing.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "protocol/message.h"
#include "protocol/scan.h"
#include "world/world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DISPATCH_LOOP_BYTES = 65536, DISPATCH_HEAVY_BYTES = 1 << 20 };

// One message under way. On the stack while it stays on the loop.
struct dispatch_job {
    struct host_slot slot;     // first; of a large message
    struct dispatch_job *next; // of those that are away
    bool told;                 // its session does not wait for it any more
    bool awaited;              // a request, as far as can be told of one that is not unpacked
    uint32_t awaited_msgid;
    struct dispatch *dispatch;
    struct host_sessions *sessions;
    struct world_asker asker;
    struct world_packet *packet; // NULL without memory, or once the request has it
    size_t always;               // bytes that may be taken beyond the budget
    bool large;                  // a worker's
    bool malformed;              // no envelope: error says why
    bool turned_away;  // not unpacked: error says why; the packet's message is as far as it could be told
    bool wants_answer; // a request
    uint32_t msgid;
    enum protocol_method method;
    uint32_t world;
    struct document_constants constants;
    struct world_request *request;
    void *params; // class server: decoded, in the packet's zone
    bool refused; // the same, by decode
    bool named;   // the cluster gave the world the name that the request asks for
    struct protocol_error error;
};

#define DISPATCH_ENTRY_SERVER(ident) dispatch_##ident
#define DISPATCH_ENTRY_QUERY(ident) NULL
#define DISPATCH_ENTRY_EDIT(ident) NULL
#define DISPATCH_ENTRY_INPUT(ident) NULL
#define DISPATCH_ENTRY_CONTROL(ident) NULL
#define DISPATCH_ENTRY(class, ident, name) DISPATCH_ENTRY_##class(ident),
static const dispatch_function functions[PROTOCOL_METHOD_COUNT] = {PROTOCOL_METHODS(DISPATCH_ENTRY)};

// Methods of worlds that can be answered beside the world's inbox.
struct beside {
    // Packs what the world published as the answer. Loop thread. False: the world has to be asked.
    bool (*published)(const struct host_world *world, uint32_t msgid, enum protocol_arrays_mode arrays,
                      msgpack_packer *packer);
    // Whether the world cannot answer, and read does: as a method of class server. NULL: it always can.
    bool (*forgotten)(const struct dispatch_server *server, const struct host_world *world,
                      const void *params);
    dispatch_function read;
};

static bool get_published(const struct host_world *world, uint32_t msgid, enum protocol_arrays_mode arrays,
                          msgpack_packer *packer)
{
    struct world_published published;
    if (!host_world_published(world, &published)) {
        return false;
    }
    protocol_pack_result(packer, msgid);
    protocol_encode(&protocol_world_get_result_type, &published.get, arrays, packer);
    return true;
}

static const struct beside beside[PROTOCOL_METHOD_COUNT] = {
    [PROTOCOL_METHOD_WORLD_GET] = {.published = get_published},
    [PROTOCOL_METHOD_WORLD_RECORDS] = {.forgotten = dispatch_past_forgotten, .read = dispatch_past_records},
};

// ---------------------------------------------------------------------------------------------------------
// Unpacking: any thread

static struct world_packet *packet_create(struct base_budget *budget, uint8_t *bytes, size_t size)
{
    struct world_packet *packet = calloc(1, sizeof *packet);
    if (!packet) {
        return NULL;
    }
    if (!msgpack_zone_init(&packet->zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        free(packet);
        return NULL;
    }
    packet->bytes = bytes;
    packet->size = size;
    packet->budget = base_budget_ref(budget);
    return packet;
}

static bool charge(struct dispatch_job *job, uint64_t size)
{
    struct world_packet *packet = job->packet;
    if (base_budget_charge(packet->budget, size)) {
        packet->charged += size;
        return true;
    }
    if (size <= job->always) {
        job->always -= size;
        return true;
    }
    protocol_error_set(&job->error, PROTOCOL_CODE_BUSY, NULL,
                       "too much waits in this server to be applied (limit unpacked_bytes = %" PRIu64
                       "); send it again later",
                       (uint64_t)PROTOCOL_LIMIT_UNPACKED_BYTES);
    job->error.limit = (double)PROTOCOL_LIMIT_UNPACKED_BYTES;
    return false;
}

// Not unpacked, but answered.
static void turn_away(struct dispatch_job *job)
{
    job->turned_away = protocol_message_peek(job->packet->bytes, job->packet->size, &job->packet->message);
    job->malformed = !job->turned_away;
}

// Values of a message that the scanner has passed.
static uint64_t count_nodes(const struct world_packet *packet)
{
    const struct protocol_scan_limits limits = {
        .bytes = packet->size, .depth = PROTOCOL_SCAN_DEPTH_MAX, .nodes = UINT32_MAX};
    struct protocol_scan scan;
    size_t consumed;
    protocol_scan_init(&scan, &limits);
    protocol_scan_feed(&scan, packet->bytes, packet->size, &consumed);
    return scan.claimed_nodes;
}

// Fills packet->message, or says in error why not.
static void unpack(struct dispatch_job *job)
{
    struct world_packet *packet = job->packet;
    if (!charge(job, count_nodes(packet) * sizeof(msgpack_object))) {
        turn_away(job);
        return;
    }
    msgpack_object *root = msgpack_zone_malloc(&packet->zone, sizeof *root);
    size_t offset = 0;
    msgpack_unpack_return status = MSGPACK_UNPACK_NOMEM_ERROR;
    if (root) {
        status = msgpack_unpack((const char *)packet->bytes, packet->size, &offset, &packet->zone, root);
    }
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

static void refuse(struct dispatch_job *job, struct host_session *session)
{
    if (job->method != PROTOCOL_METHOD_COUNT) {
        host_audit_call(session, job->method, job->world, &job->error);
    }
    if (job->wants_answer) {
        const struct world_asker asker = host_session_asker(session);
        struct base_buffer *bytes = host_outgoing_failure(&asker, job->msgid, &job->error);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    } else if (job->turned_away || job->method == PROTOCOL_METHOD_COUNT) {
        const struct protocol_string *name = &job->packet->message.method;
        host_session_fault(session, &job->error, name->data, name->size);
    } else {
        const char *name = protocol_methods[job->method].name;
        host_session_fault(session, &job->error, name, (uint32_t)strlen(name));
    }
}

// ---------------------------------------------------------------------------------------------------------
// Class server

// Any thread. False: refused.
static bool decode_params(struct dispatch_job *job)
{
    const struct protocol_struct *type = protocol_methods[job->method].params;
    const msgpack_object *map;
    job->params = msgpack_zone_malloc(&job->packet->zone, type->size);
    if (!job->params) {
        protocol_error_set(&job->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the parameters");
        return false;
    }
    return protocol_message_fields(job->packet->message.params, &map, &job->error) &&
           protocol_decode(type, map, &job->packet->zone, job->params, &job->error);
}

static bool is_answered_here(const struct dispatch_job *job)
{
    return protocol_methods[job->method].class_ == PROTOCOL_CLASS_SERVER;
}

static void answer_here(struct dispatch_job *job, struct host_session *session)
{
    if (!job->wants_answer && dispatch_route_methods[job->method].only_answers) {
        if (!decode_params(job)) {
            refuse(job, session);
        }
        return;
    }
    struct host_outgoing out;
    host_outgoing_init(&out);
    struct dispatch_call call = {.later = false};
    bool done = false;
    if (job->params || decode_params(job)) {
        protocol_pack_result(&out.packer, job->msgid);
        call = (struct dispatch_call){
            .server = &job->dispatch->server,
            .session = session,
            .method = job->method,
            .world = job->world,
            .wants_answer = job->wants_answer,
            .msgid = job->msgid,
            .packet = &job->packet,
            .params = job->params,
            .zone = &job->packet->zone,
            .packer = &out.packer,
            .error = &job->error,
        };
        done = is_answered_here(job) ? functions[job->method](&call) : beside[job->method].read(&call);
        session = call.session;
    }
    struct base_buffer *bytes = host_outgoing_finish(&out);
    if (!done) {
        refuse(job, session);
    } else if (job->wants_answer && !call.later) {
        host_session_reply(session, bytes);
    }
    if (done && !call.later) {
        host_audit_call(session, job->method, job->world, NULL);
    }
    base_buffer_unref(bytes);
    if (done && call.after) {
        call.after(&call);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Post

// Needs no boundary where nothing of the session waits: what the world has published is all that it did.
static bool answer_published(struct dispatch_job *job, struct host_session *session, struct host_world *world)
{
    const struct beside *method = &beside[job->method];
    if (!method->published || !job->wants_answer || host_session_unanswered(session) > 0) {
        return false;
    }
    struct host_outgoing out;
    host_outgoing_init(&out);
    bool published = method->published(world, job->msgid, job->asker.arrays, &out.packer);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    if (published) {
        host_session_reply(session, bytes);
    }
    base_buffer_unref(bytes);
    return published;
}

// Reads beside the world what it has forgotten, as a method of class server does.
static bool read_past(struct dispatch_job *job, struct host_session *session, const struct host_world *world)
{
    const struct beside *method = &beside[job->method];
    if (!method->forgotten || !job->wants_answer ||
        !method->forgotten(&job->dispatch->server, world, job->request->params)) {
        return false;
    }
    job->packet = job->request->packet;
    job->params = job->request->params;
    job->request->packet = NULL;
    world_request_destroy(job->request);
    job->request = NULL;
    answer_here(job, session);
    return true;
}

// Answers a message that is decoded, or posts it to its world.
static void finish(struct dispatch_job *job, struct host_session *session)
{
    if (is_answered_here(job) && !job->refused) {
        answer_here(job, session);
        return;
    }
    if (!job->request) {
        refuse(job, session);
        return;
    }
    struct protocol_ref ref = {.id = job->world};
    // Again: what a worker took its time with may have been taken back meanwhile, and the world be deleted, or gone elsewhere.
    struct host_world *world =
        dispatch_permit_find(&job->dispatch->server, session, job->method, &ref, &job->error);
    if (!world || !dispatch_permit(&job->dispatch->server, session, job->method, world, NULL, &job->error) ||
        !dispatch_permit_edits(&job->dispatch->server, session, world, job->request, &job->error) ||
        !dispatch_permit_room(&job->dispatch->server, session, world, job->request, &job->error)) {
        refuse(job, session);
        return;
    }
    if (answer_published(job, session, world) || read_past(job, session, world)) {
        return;
    }
    dispatch_permit_bound(&job->dispatch->server, session, world, job->request);
    if (!host_post(session, world, job->request, &job->error)) {
        refuse(job, session);
        return;
    }
    job->request = NULL;
    if (dispatch_route_methods[job->method].closes ||
        (dispatch_route_methods[job->method].closes_view && host_world_is_view(world))) {
        host_registry_close(world);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Names: where several servers share worlds, one is asked for before the world is, which waits for brokers

// That a world is to have; NULL: it is not to have another, or this server gives names alone.
static const struct protocol_string *new_name(const struct dispatch_job *job)
{
    if (!job->request || !host_registry_cluster(job->dispatch->server.registry)) {
        return NULL;
    }
    if (job->method == PROTOCOL_METHOD_WORLD_SET) {
        const struct protocol_world_set_params *params = job->request->params;
        return (params->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME) != 0 ? &params->name : NULL;
    }
    if (job->method == PROTOCOL_METHOD_EDIT_RESTORE) {
        const struct protocol_edit_restore_params *params = job->request->params;
        return (params->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME) != 0 ? &params->name : NULL;
    }
    return NULL;
}

// Not on the loop.
static void ask_for_name(struct dispatch_job *job)
{
    const struct protocol_string *name = new_name(job);
    char label[HOST_NAME_SIZE];
    if (!name || name->size == 0) {
        return;
    }
    host_name_copy(label, name);
    const enum cluster_naming naming =
        cluster_name(host_registry_cluster(job->dispatch->server.registry), job->world, label);
    job->named = naming == CLUSTER_NAMED;
    if (naming == CLUSTER_TAKEN) {
        protocol_error_set(&job->error, PROTOCOL_CODE_CONFLICT, "name",
                           "name \"%s\" is taken by another world", label);
    } else if (naming == CLUSTER_AWAY) {
        protocol_error_set(&job->error, PROTOCOL_CODE_READ_ONLY, NULL,
                           "the brokers, which know all names, do not answer; try again");
    }
    if (!job->named) {
        world_request_destroy(job->request);
        job->request = NULL;
    }
}

// It was not posted, so nobody else sees to it.
static void give_name_back(struct dispatch_job *job)
{
    const struct protocol_string *name = job->named ? new_name(job) : NULL;
    char label[HOST_NAME_SIZE];
    if (!name) {
        return;
    }
    host_name_copy(label, name);
    cluster_unname(host_registry_cluster(job->dispatch->server.registry), job->world, label);
}

// ---------------------------------------------------------------------------------------------------------
// The steps together

static void decode(struct dispatch_job *job)
{
    if (is_answered_here(job)) {
        job->refused = !decode_params(job);
        return;
    }
    struct world_packet *packet = job->packet;
    job->packet = NULL;
    job->request = world_request_create(packet, job->method, &job->asker, &job->constants, &job->error);
}

static void job_deinit(struct dispatch_job *job)
{
    give_name_back(job);
    world_packet_destroy(job->packet);
    world_request_destroy(job->request);
}

// The name as the peer wrote it, as far as it fits.
static void no_method(struct dispatch_job *job)
{
    const struct protocol_string *name = &job->packet->message.method;
    protocol_error_set(&job->error, PROTOCOL_CODE_NOT_FOUND, NULL,
                       "no method \"%.*s\"; server.info lists them",
                       (int)(name->size < 100 ? name->size : 100), name->size == 0 ? "" : name->data);
}

// To the server that runs its world; or it is refused.
static bool is_passed_on(struct dispatch_job *job, struct host_session *session)
{
    struct dispatch_passed passed = {
        .bytes = job->packet->bytes,
        .size = job->packet->size,
        .method = job->method,
        .wants_answer = job->wants_answer,
        .msgid = job->msgid,
    };
    const enum dispatch_went went =
        dispatch_route_pass(&job->dispatch->server, session, job->packet, &passed, &job->error);
    if (went == DISPATCH_REFUSED) {
        refuse(job, session);
    }
    return went != DISPATCH_STAYS;
}

// The world that it is for, and that the session may use so. NULL: error says why not.
static const struct host_world *find_world(struct dispatch_job *job, const struct host_session *session)
{
    const struct dispatch_server *server = &job->dispatch->server;
    struct protocol_ref ref;
    if (!dispatch_route(session, job->packet, job->method, &ref, &job->error)) {
        return NULL;
    }
    const struct host_world *world = dispatch_permit_find(server, session, job->method, &ref, &job->error);
    if (!world || !dispatch_permit_use(world, session, &job->error)) {
        return NULL;
    }
    job->world = host_world_id(world);
    return dispatch_permit(server, session, job->method, world, job->packet, &job->error) ? world : NULL;
}

enum outcome { OUTCOME_DONE, OUTCOME_DECODE };

// After unpacking, on the loop.
static enum outcome handle(struct dispatch_job *job, struct host_session *session)
{
    if (job->malformed) {
        host_session_refuse(session, &job->error);
        return OUTCOME_DONE;
    }
    const struct protocol_message *message = &job->packet->message;
    if (job->turned_away && message->kind != PROTOCOL_RESPONSE) {
        job->wants_answer = message->kind == PROTOCOL_REQUEST;
        job->msgid = message->msgid;
        refuse(job, session);
        return OUTCOME_DONE;
    }
    if (message->kind == PROTOCOL_RESPONSE) {
        host_session_count_ignored(session);
        return OUTCOME_DONE;
    }
    job->wants_answer = message->kind == PROTOCOL_REQUEST;
    job->msgid = message->msgid;
    if (job->wants_answer) {
        host_session_count_request(session);
    }
    const bool known = message->method.size > 0 && protocol_method_find(message->method, &job->method);
    if (!known) {
        job->method = PROTOCOL_METHOD_COUNT;
    }
    if (!dispatch_permit_admit(&job->dispatch->server, session, job->method, job->packet->size,
                               &job->error)) {
        refuse(job, session);
        return OUTCOME_DONE;
    }
    if (!known) {
        if (job->wants_answer) {
            no_method(job);
            refuse(job, session);
        } else {
            host_session_count_ignored(session);
        }
        return OUTCOME_DONE;
    }
    if (is_passed_on(job, session)) {
        return OUTCOME_DONE;
    }
    if (is_answered_here(job) && !dispatch_permit_named(&job->dispatch->server, session, job->packet,
                                                        job->method, &job->world, &job->error)) {
        refuse(job, session);
        return OUTCOME_DONE;
    }
    if (is_answered_here(job) && job->large) {
        return OUTCOME_DECODE;
    }
    if (is_answered_here(job)) {
        answer_here(job, session);
        return OUTCOME_DONE;
    }
    const struct host_world *world = find_world(job, session);
    if (!world) {
        refuse(job, session);
        return OUTCOME_DONE;
    }
    job->constants = host_world_constants(world);
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
    ask_for_name(context);
}

static void work_name(void *context)
{
    ask_for_name(context);
}

// NULL: it is gone, or was told.
static struct host_session *session_of(const struct dispatch_job *job)
{
    return job->told ? NULL : host_session_find(job->sessions, job->asker.session);
}

// A worker may still have the job, and ends when it ends: nobody waits for what comes of it.
static void tell_stopped(struct dispatch_job *job)
{
    host_sessions_enter(job->sessions);
    struct host_session *session = session_of(job);
    struct protocol_error error = {0};
    job->told = true;
    if (!session) {
        host_sessions_leave(job->sessions);
        return;
    }
    protocol_error_set(&error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    if (job->awaited) {
        struct base_buffer *bytes = host_outgoing_failure(&job->asker, job->awaited_msgid, &error);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    }
    host_session_work_end(session);
    host_sessions_leave(job->sessions);
}

static struct dispatch_job *untold(const struct dispatch *dispatch)
{
    struct dispatch_job *at = dispatch->away;
    while (at && at->told) {
        at = at->next;
    }
    return at;
}

static void unlink_away(struct dispatch_job *job)
{
    struct dispatch_job **at = &job->dispatch->away;
    while (*at != job) {
        at = &(*at)->next;
    }
    *at = job->next;
}

// Back on the loop for the last time; the session may be gone.
static void end_work(struct dispatch_job *job)
{
    struct host_slots *slots = &job->dispatch->server.slots;
    struct host_session *session = session_of(job);
    unlink_away(job);
    if (session) {
        host_session_work_end(session);
    }
    job_deinit(job);
    host_slots_leave(slots, &job->slot);
    free(job);
}

static void on_decoded(void *context)
{
    struct dispatch_job *job = context;
    struct host_sessions *sessions = job->sessions;
    host_sessions_enter(sessions);
    struct host_session *session = session_of(job);
    if (session) {
        finish(job, session);
    }
    end_work(job);
    host_sessions_leave(sessions);
}

static void decode_away(struct dispatch_job *job)
{
    if (!net_work(job->dispatch->server.loop, work_decode, on_decoded, job)) {
        decode(job);
        on_decoded(job);
    }
}

static void on_unpacked(void *context)
{
    struct dispatch_job *job = context;
    struct host_sessions *sessions = job->sessions;
    host_sessions_enter(sessions);
    struct host_session *session = session_of(job);
    if (!session || handle(job, session) == OUTCOME_DONE) {
        end_work(job);
    } else {
        decode_away(job);
    }
    host_sessions_leave(sessions);
}

// There is a worker for it, now or after a while: the session may be gone, and the server be going down.
static void start_work(struct host_slot *slot)
{
    struct dispatch_job *job = (struct dispatch_job *)slot;
    if (!session_of(job)) {
        end_work(job);
    } else if (job->dispatch->server.stopping) {
        protocol_error_set(&job->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        turn_away(job);
        on_unpacked(job);
    } else if (!net_work(job->dispatch->server.loop, work_unpack, on_unpacked, job)) {
        unpack(job);
        on_unpacked(job);
    }
}

// It has been decoded, and only its name is missing.
static void start_name(struct host_slot *slot)
{
    struct dispatch_job *job = (struct dispatch_job *)slot;
    if (!session_of(job)) {
        end_work(job);
    } else if (!net_work(job->dispatch->server.loop, work_name, on_decoded, job)) {
        protocol_error_set(&job->error, PROTOCOL_CODE_MEMORY, NULL, "no memory to ask for a name");
        world_request_destroy(job->request);
        job->request = NULL;
        on_decoded(job);
    }
}

// The session is not read until it is done.
static void goes_away(struct dispatch_job *job, struct host_session *session, enum host_weight weight,
                      void (*start)(struct host_slot *slot))
{
    struct dispatch_job *copy = malloc(sizeof *copy);
    if (!copy) {
        job_deinit(job);
        host_session_fail(session, "no memory for its message");
        return;
    }
    *copy = *job;
    copy->slot = (struct host_slot){.weight = weight, .start = start};
    struct protocol_message peeked = {0};
    const bool whole = job->packet && protocol_message_peek(job->packet->bytes, job->packet->size, &peeked);
    copy->awaited = whole ? peeked.kind == PROTOCOL_REQUEST : job->wants_answer;
    copy->awaited_msgid = whole ? peeked.msgid : job->msgid;
    copy->next = job->dispatch->away;
    job->dispatch->away = copy;
    host_session_peer(session, copy->slot.peer, sizeof copy->slot.peer);
    host_session_work_begin(session);
    host_slots_enter(&job->dispatch->server.slots, &copy->slot);
}

void dispatch_message(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    dispatch_hello_asked(session, bytes, size);
    dispatch_again(context, session, bytes, size);
}

void dispatch_again(void *context, struct host_session *session, uint8_t *bytes, size_t size)
{
    struct dispatch *dispatch = context;
    struct world_packet *packet = packet_create(dispatch->server.budget, bytes, size);
    if (!packet) {
        free(bytes);
        host_session_fail(session, "its message");
        return;
    }
    struct dispatch_job job = {
        .dispatch = dispatch,
        .sessions = host_session_owner(session),
        .asker = host_session_asker(session),
        .packet = packet,
    };
    const size_t waiting = host_session_waiting_bytes(session);
    job.always = waiting < WORLD_ALWAYS_BYTES ? WORLD_ALWAYS_BYTES - waiting : 0;
    if (!charge(&job, size)) {
        turn_away(&job);
    } else if (size > DISPATCH_LOOP_BYTES && dispatch->server.stopping) { // workers may be at others yet
        protocol_error_set(&job.error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        turn_away(&job);
    } else if (size > DISPATCH_LOOP_BYTES) {
        job.large = true;
        goes_away(&job, session, size > DISPATCH_HEAVY_BYTES ? HOST_HEAVY : HOST_LIGHT, start_work);
        return;
    } else {
        unpack(&job);
    }
    if (handle(&job, session) == OUTCOME_DECODE) {
        decode(&job);
        if (new_name(&job)) {
            goes_away(&job, session, HOST_LIGHT, start_name);
            return;
        }
        finish(&job, session);
    }
    job_deinit(&job);
}

void dispatch_message_stop(struct dispatch *dispatch)
{
    for (struct dispatch_job *job; (job = untold(dispatch));) {
        tell_stopped(job);
    }
    host_slots_flush(&dispatch->server.slots);
}
