// A client as the protocol wants it: it counts revisions, keeps what it asked for until that is answered, and goes on with its session
// when its connection is lost. Whatever it hears that cannot be is a failure.
#include "simulator.h"

#include "base/assert.h"
#include "clock.h"
#include "notation.h"
#include "twin/twin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long ull;

// ---------------------------------------------------------------------------------------------------------
// Asking

bool client_may_ask(const struct client *client)
{
    return client->link != NULL && client->ready && !client->link->ended && !client->leaving &&
           !client->dirty && client->asked_count < ASKED;
}

static bool is_ordered(enum protocol_method method)
{
    switch (method) {
    case PROTOCOL_METHOD_WORLD_PAUSE:   // passes a step
    case PROTOCOL_METHOD_WORLD_RECORDS: // older ones come from the store
    case PROTOCOL_METHOD_STREAM_SET:    // name no world
    case PROTOCOL_METHOD_STREAM_UNSUBSCRIBE:
        return false;
    default:
        return protocol_methods[method].class_ != PROTOCOL_CLASS_SERVER;
    }
}

static void pack_request(struct client *client, uint32_t msgid, bool wants_answer, const char *method)
{
    struct run *run = client->run;
    msgpack_packer packer;
    msgpack_sbuffer_clear(&run->message);
    msgpack_packer_init(&packer, &run->message, msgpack_sbuffer_write);
    msgpack_pack_array(&packer, wants_answer ? 4 : 3);
    msgpack_pack_int(&packer, wants_answer ? 0 : 2);
    if (wants_answer) {
        msgpack_pack_uint32(&packer, msgid);
    }
    msgpack_pack_str_with_body(&packer, method, strlen(method));
    msgpack_pack_array(&packer, 1);
    notation_pack(&run->message, run->text, &client->server->saved);
}

static struct asked *ask(struct client *client, enum protocol_method method, enum asked_for what,
                         uint32_t world)
{
    struct run *run = client->run;
    struct asked *asked = &client->asked[client->asked_count++];
    pack_request(client, ++client->msgid, true, protocol_methods[method].name);
    *asked = (struct asked){
        .msgid = client->msgid,
        .method = method,
        .what = what,
        .world = world,
        .ordered = world != NO_WORLD && is_ordered(method),
        .order = ++client->order,
        .input = run->input,
        .size = run->message.size,
        .bytes = malloc(run->message.size),
        .number = run->about.number,
        .other = run->about.other,
        .resets = run->about.resets,
    };
    BASE_ASSERT(asked->bytes != NULL);
    run->about = (struct about){0};
    known_asked(asked, run->text);
    rights_asked(client, asked);
    memcpy(asked->bytes, run->message.data, asked->size);
    if (simulator_logs(run)) {
        simulator_say(run, "client %u asks %" PRIu32 " %s %s", client->index, asked->msgid,
                      protocol_methods[method].name, run->text);
    }
    link_send(client->link, asked->bytes, asked->size);
    return asked;
}

struct asked *client_ask(struct client *client, enum protocol_method method, enum asked_for what,
                         uint32_t world)
{
    if (client_may_ask(client)) {
        return ask(client, method, what, world);
    }
    client->run->about = (struct about){0};
    return NULL;
}

void client_notify(struct client *client, const char *method)
{
    if (!client_may_ask(client)) {
        return;
    }
    pack_request(client, 0, false, method);
    simulator_say(client->run, "client %u notifies %s %s", client->index, method, client->run->text);
    link_send(client->link, client->run->message.data, client->run->message.size);
}

void client_send_bytes(struct client *client, const void *bytes, size_t size)
{
    if (client->link != NULL) {
        link_send(client->link, bytes, size);
    }
}

void client_asked_remove(struct client *client, struct asked *asked)
{
    free(asked->bytes);
    const uint32_t at = (uint32_t)(asked - client->asked);
    memmove(asked, asked + 1, (--client->asked_count - at) * sizeof *asked);
}

// ---------------------------------------------------------------------------------------------------------
// Coming and going

void client_stream_drop(struct simulated_stream *stream)
{
    twin_destroy(stream->twin);
    *stream = (struct simulated_stream){0};
}

static void streams_drop(struct client *client)
{
    for (uint32_t i = 0; i < STREAMS; i++) {
        client_stream_drop(&client->streams[i]);
    }
}

// All that its session had.
void client_forget(struct client *client)
{
    while (client->asked_count > 0) {
        rights_forgotten(client, &client->asked[client->asked_count - 1]);
        client_asked_remove(client, &client->asked[client->asked_count - 1]);
    }
    memset(client->joined, 0, sizeof client->joined);
    memset(client->answered_order, 0, sizeof client->answered_order);
    memset(client->grabs, 0, sizeof client->grabs);
    client->bracket = (struct bracket){0};
    client->stream_last = client->stream_ended = 0;
    client->session = 0;
    streams_drop(client);
}

void client_lost(struct client *client)
{
    struct run *run = client->run;
    if (client->link->closed) {
        client->broken_ns = 0;
    } else if (client->ready) {
        client->broken_ns = client->link->cut_ns;
        client->broken_lives = client->link->lives;
    }
    client->link = NULL;
    client->ready = false;
    client->back_ns =
        simulator_clock.now_ns +
        (run->quiet ? MS
                    : chance_span(&run->network, MS, chance_one_in(&run->network, 8) ? 30 * SECOND : SECOND));
    streams_drop(client);
    for (uint32_t i = client->asked_count; i > 0; i--) { // the next connection has a session.hello of its own
        if (client->asked[i - 1].what == ASKED_HELLO) {
            client_asked_remove(client, &client->asked[i - 1]);
        }
    }
    simulator_say(run, "client %u has lost its connection", client->index);
    if (client->key[0] == '\0' || client->leaving || client->dirty) {
        client_forget(client);
        client->key[0] = '\0';
        client->msgid = 0;
        client->leaving = client->dirty = false;
    }
}

void client_say_hello(struct client *client)
{
    struct run *run = client->run;
    struct simulated_server *server = client->server;
    char *at = run->text, *const end = at + sizeof run->text;
    at += snprintf(at, (size_t)(end - at),
                   "{'client': 'simulator', 'user': 'u%u', 'errors': 'map', 'arrays': 'plain'", client->user);
    if (server->tokens) {
        at += snprintf(at, (size_t)(end - at), ", 'token': '%s'", server->token[client->user]);
    }
    if (client->key[0] != '\0') {
        at += snprintf(at, (size_t)(end - at), ", 'resume': '%s', 'unanswered': [", client->key);
        for (uint32_t i = 0; i < client->asked_count; i++) {
            at += snprintf(at, (size_t)(end - at), "%" PRIu32 ",", client->asked[i].msgid);
        }
        if (client->doubled) {
            at += snprintf(at, (size_t)(end - at), "%" PRIu32 ",", client->asked[0].msgid);
        }
        at += snprintf(at, (size_t)(end - at), "], 'revisions': {");
        for (uint32_t i = 0; i < server->world_count; i++) {
            if (client->joined[i].in) {
                at += snprintf(at, (size_t)(end - at), "%" PRIu32 ": %llu,", server->worlds[i].id,
                               (ull)client->joined[i].revision);
            }
        }
        at += snprintf(at, (size_t)(end - at), "}");
    }
    snprintf(at, (size_t)(end - at), "}");
    ask(client, PROTOCOL_METHOD_SESSION_HELLO, ASKED_HELLO, NO_WORLD);
}

void client_connect(struct client *client)
{
    client->link = link_open(client);
    if (client->link == NULL) {
        client->back_ns = simulator_clock.now_ns + 50 * MS;
        return;
    }
    client->ready = false;
    client->doubled = client->key[0] != '\0' && client->asked_count > 0 && !client->run->quiet &&
                      chance_one_in(&client->run->network, 16);
    client_say_hello(client);
}

// ---------------------------------------------------------------------------------------------------------
// Notifications

static void hear_edited(struct client *client, struct known_world *world, const msgpack_object *params)
{
    struct joined *joined = &client->joined[client_place_of(client, world)];
    const uint64_t revision = object_number(params, "revision");
    run_counts.edited++;
    if (joined->rejoin) {
        return; // it starts again with the answer that will come
    }
    if (!joined->in) {
        simulator_fail(client->run, "client %u hears of revision %llu of world %u, which it has not joined",
                       client->index, (ull)revision, world->id);
    } else if (revision != joined->revision + 1) {
        simulator_fail(client->run, "client %u hears of revision %llu of world %u after %llu", client->index,
                       (ull)revision, world->id, (ull)joined->revision);
    }
    joined->revision = revision;
}

// Asks for a branch at the tick at which it failed, and for a look at the one before.
static void branch_of_failed(struct client *client, const struct known_world *world)
{
    struct run *run = client->run;
    if (run->quiet || world->tick == 0) {
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        run->about = (struct about){.number = 1, .other = (uint32_t)(world->tick - i + 1)};
        snprintf(run->text, sizeof run->text, "{'world': %" PRIu32 ", 'tick': %llu}", world->id,
                 (ull)world->tick - i);
        client_ask(client, i == 0 ? PROTOCOL_METHOD_WORLD_BRANCH : PROTOCOL_METHOD_WORLD_SEEK,
                   i == 0 ? ASKED_BRANCH : ASKED_SEEK, client_place_of(client, world));
    }
}

static void hear_changed(struct client *client, struct known_world *world, const msgpack_object *params)
{
    char state[16];
    object_text(params, "state", state, sizeof state);
    if (strcmp(state, "failed") == 0) {
        world->failed = true;
        world->tick = object_number(params, "tick");
        branch_of_failed(client, world);
    }
    if (strcmp(state, "deleted") == 0) {
        world->here = false;
        client->joined[client_place_of(client, world)] = (struct joined){0};
    }
}

static void hear_controlled(struct client *client, struct known_world *world, const msgpack_object *params)
{
    struct joined *joined = &client->joined[client_place_of(client, world)];
    joined->control_known = joined->in;
    joined->control = (uint32_t)object_number(params, "session");
}

static struct simulated_stream *stream_of(struct client *client, uint32_t id)
{
    for (uint32_t i = 0; i < STREAMS; i++) {
        if (client->streams[i].id == id) {
            return &client->streams[i];
        }
    }
    return NULL;
}

static void hear_stream_records(struct client *client, struct simulated_stream *stream,
                                const msgpack_object *params)
{
    struct protocol_error error = {0};
    if (stream->twin == NULL) {
        return;
    }
    if (!twin_take(stream->twin, params, simulator_clock.now_ns / 1000, &error)) {
        simulator_fail(client->run, "a twin of client %u does not take what it is sent: %s", client->index,
                       error.text);
        return;
    }
    for (;;) {
        const uint64_t before = twin_state(stream->twin).tick;
        if (!twin_step(stream->twin, UINT64_MAX, NULL, NULL) && twin_state(stream->twin).tick == before) {
            break;
        }
    }
    const struct twin_state state = twin_state(stream->twin);
    if (state.differs || state.differences > 0) {
        simulator_fail(client->run, "a twin of client %u differs at tick %llu: %s", client->index,
                       (ull)state.tick, state.text);
    }
}

// Frames are numbered without a gap, whatever is left out between them, and never go back.
static void hear_frame(struct client *client, struct simulated_stream *stream, const msgpack_object *params)
{
    const uint32_t seq = (uint32_t)object_number(params, "seq");
    const uint64_t tick = object_number(params, "tick");
    if (seq != stream->seq && seq != stream->seq + 1) {
        simulator_fail(client->run, "client %u is sent frame %u of stream %u after %u", client->index, seq,
                       stream->id, stream->seq);
    }
    if (tick < stream->tick) {
        simulator_fail(client->run, "client %u is sent tick %llu by stream %u after %llu", client->index,
                       (ull)tick, stream->id, (ull)stream->tick);
    }
    stream->seq = seq;
    stream->tick = tick;
}

static bool is(const msgpack_object *method, const char *name)
{
    return method->via.str.size == strlen(name) && memcmp(method->via.str.ptr, name, strlen(name)) == 0;
}

static void hear_of_stream(struct client *client, const msgpack_object *method, const msgpack_object *params)
{
    const uint32_t id = (uint32_t)object_number(params, "stream");
    struct simulated_stream *stream = stream_of(client, id);
    if (id <= client->stream_ended && !is(method, "stream.closed")) {
        simulator_fail(client->run, "client %u hears of stream %u, which ended with the connection before",
                       client->index, id);
    }
    client->stream_last = id > client->stream_last ? id : client->stream_last;
    if (is(method, "stream.frame")) {
        run_counts.frames++;
    }
    if (is(method, "stream.records")) {
        run_counts.records++;
    }
    if (stream == NULL) {
        return;
    }
    if (is(method, "stream.frame")) {
        hear_frame(client, stream, params);
    } else if (is(method, "stream.records")) {
        hear_stream_records(client, stream, params);
    } else if (is(method, "stream.closed")) {
        client_stream_drop(stream);
    }
}

static void hear_notification(struct client *client, const msgpack_object *message, uint64_t sent_ns)
{
    const msgpack_object *method = &message->via.array.ptr[1], *list = &message->via.array.ptr[2];
    const msgpack_object *params =
        list->type == MSGPACK_OBJECT_ARRAY && list->via.array.size == 1 ? &list->via.array.ptr[0] : NULL;
    const uint32_t id = (uint32_t)object_number(params, "world");
    struct known_world *world = id != 0 ? server_world(client->server, id) : NULL;
    if (simulator_logs(client->run) && !is(method, "stream.frame")) {
        char head[64];
        snprintf(head, sizeof head, "client %u hears %.*s", client->index, (int)method->via.str.size,
                 method->via.str.ptr);
        simulator_say_object(client->run, head, params);
    }
    if (world != NULL && client->server->tokens && !(world->may_see >> client->user & 1) &&
        sent_ns > world->hidden_ns[client->user]) {
        simulator_fail(client->run, "client %u hears %.*s of world %u, in which u%u has no role",
                       client->index, (int)method->via.str.size, method->via.str.ptr, id, client->user);
    }
    if (is(method, "world.controlled") && world != NULL) {
        hear_controlled(client, world, params);
    } else if (is(method, "world.edited") && world != NULL) {
        hear_edited(client, world, params);
    } else if (is(method, "world.changed") && world != NULL) {
        hear_changed(client, world, params);
    } else if (method->via.str.size > 7 && memcmp(method->via.str.ptr, "stream.", 7) == 0) {
        hear_of_stream(client, method, params);
    } else {
        run_counts.others++;
    }
}

void client_hear(struct client *client, const struct carried *message)
{
    msgpack_unpacked unpacked;
    size_t offset = 0;
    client->run->told++;
    msgpack_unpacked_init(&unpacked);
    const bool whole = msgpack_unpack_next(&unpacked, (const char *)message->bytes, message->size, &offset) ==
                           MSGPACK_UNPACK_SUCCESS &&
                       offset == message->size;
    const msgpack_object *object = &unpacked.data;
    const uint32_t size = whole && object->type == MSGPACK_OBJECT_ARRAY ? object->via.array.size : 0;
    if (size < 3) {
        simulator_fail(client->run, "client %u is sent %zu bytes that are no message", client->index,
                       message->size);
    } else if (client->dirty)
        ;
    else if (size == 4 && object->via.array.ptr[0].via.u64 == 1) {
        client_hear_answer(client, object, message->sent_ns);
    } else if (size == 3 && object->via.array.ptr[0].via.u64 == 2) {
        hear_notification(client, object, message->sent_ns);
    } else {
        simulator_fail(client->run, "client %u is sent a message of no kind", client->index);
    }
    msgpack_unpacked_destroy(&unpacked);
}
