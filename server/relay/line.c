// A session's connection to another server: what goes out, and how it lives.
//
//     LOOKS ──dialed, hello sent──▶ BEGINS ──hello answered──▶ OPEN
//       ▲                             │                         │
//       └─── lost, within patience ───┤                         │ lost: calls fail, what it was joined to
//                                     └──refused, or for long───┴──▶ OVER          the client begins again
//
// Calls wait until hello is answered: so what waits is not sent, and may wait for another server. A server that reads nothing of
// what is sent, or says nothing while it owes an answer or might have frames, is asked (server.ping), and is lost if it does not
// answer. It is lost soon if another server has the world by then: a server that hangs takes no longer than a takeover.
#include "relay/relay_internal.h"

#include "base/buffer.h"
#include "base/log.h"
#include "host/outgoing.h"
#include "host/session.h"
#include "protocol/bytes.h"
#include "protocol/error.h"
#include "protocol/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RETRY_MS = 100,
    QUIET_MS = 1000, // that a server which owes an answer may say nothing before it is asked
    LATE_MS = 500,   // that it may take to answer that, if another has the world
    SETTLE_MS = 300, // that servers may take to agree where a world is which has moved
};

// The lookup of an address. The line may end meanwhile.
struct relay_lookup {
    struct relay_line *line; // NULL: it has ended
};

// ---------------------------------------------------------------------------------------------------------
// Streams

struct relay_stream *relay_line_stream(struct relay_line *line, uint32_t here)
{
    for (uint32_t i = 0; i < line->stream_count; i++) {
        if (line->streams[i].here == here) {
            return &line->streams[i];
        }
    }
    return NULL;
}

bool relay_line_asks(const struct relay_line *line, uint32_t world)
{
    for (uint32_t i = 0; i < line->asked_count; i++) {
        if (line->asked[i].use == RELAY_USE_CALL && line->asked[i].world == world &&
            line->asked[i].method != PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
            return true;
        }
    }
    return false;
}

bool relay_line_shows(const struct relay_line *line, uint32_t view)
{
    for (size_t i = 0; i < sizeof line->views / sizeof line->views[0]; i++) {
        if (line->views[i] == view) {
            return true;
        }
    }
    return false;
}

void relay_line_stream_remove(struct relay_line *line, uint32_t here)
{
    struct relay_stream *stream = relay_line_stream(line, here);
    if (!stream) {
        return;
    }
    *stream = line->streams[--line->stream_count];
    line->relay->stats.streams--;
}

// ---------------------------------------------------------------------------------------------------------
// Out

static struct relay_asked *ask(struct relay_line *line, enum relay_use use, enum protocol_method method)
{
    const uint32_t most = RELAY_CALLS_MAX + (use == RELAY_USE_CALL ? 0 : RELAY_OWN_CALLS);
    if (line->asked_count >= most || line->last_msgid == UINT32_MAX) {
        return NULL;
    }
    struct relay_asked *asked = &line->asked[line->asked_count++];
    *asked = (struct relay_asked){.use = use, .method = method, .there = ++line->last_msgid};
    return asked;
}

// Bytes that the other server does not take stop the session, until half of them are gone.
void relay_line_settle(struct relay_line *line)
{
    struct host_session *session = host_session_find(line->relay->options.sessions, line->guest->session);
    const size_t unsent = line->conn ? net_conn_unsent(line->conn) : 0;
    if (!session) {
        return;
    }
    if (!line->holds && (unsent > RELAY_UNSENT_BYTES || line->asked_count >= RELAY_CALLS_MAX)) {
        line->holds = true;
        host_session_work_begin(session);
    } else if (line->holds && unsent <= RELAY_UNSENT_BYTES / 2 && line->asked_count <= RELAY_CALLS_MAX / 2) {
        line->holds = false;
        host_session_work_end(session);
    }
}

// Takes the reference.
static void put(struct relay_line *line, struct base_buffer *bytes)
{
    net_conn_send(line->conn, bytes);
    base_buffer_unref(bytes);
    relay_line_settle(line);
}

static bool send_own(struct relay_line *line, enum relay_use use, enum protocol_method method,
                     const void *params)
{
    struct relay_asked *asked = ask(line, use, method);
    if (!asked) {
        return false;
    }
    asked->sent = true;
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_request(&out.packer, asked->there, protocol_methods[method].name);
    protocol_encode(protocol_methods[method].params, params, PROTOCOL_ARRAYS_EXT, &out.packer);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    if (!bytes) {
        line->asked_count--;
        return false;
    }
    put(line, bytes);
    return true;
}

bool relay_line_hello(struct relay_line *line)
{
    const struct relay_guest *guest = line->guest;
    line->away = guest->away;
    const struct protocol_session_hello_params params = {
        .has = PROTOCOL_HAS_SESSION_HELLO_PARAMS_CLIENT | PROTOCOL_HAS_SESSION_HELLO_PARAMS_USER |
               PROTOCOL_HAS_SESSION_HELLO_PARAMS_TOKEN | PROTOCOL_HAS_SESSION_HELLO_PARAMS_ARRAYS |
               PROTOCOL_HAS_SESSION_HELLO_PARAMS_ERRORS | PROTOCOL_HAS_SESSION_HELLO_PARAMS_HOPS |
               (guest->away ? PROTOCOL_HAS_SESSION_HELLO_PARAMS_AWAY : 0),
        .client = protocol_text(guest->client),
        .user = protocol_text(guest->user),
        .token = protocol_text(guest->token),
        .arrays = guest->arrays,
        .errors = guest->errors,
        .hops = guest->hops + 1,
        .away = guest->away,
    };
    return send_own(line, RELAY_USE_HELLO, PROTOCOL_METHOD_SESSION_HELLO, &params);
}

void relay_line_unsubscribe(struct relay_line *line, uint32_t there)
{
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_notification(&out.packer, "stream.unsubscribe");
    msgpack_pack_map(&out.packer, 1);
    msgpack_pack_str_with_body(&out.packer, "stream", 6);
    msgpack_pack_uint32(&out.packer, there);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    if (bytes) {
        put(line, bytes);
    }
}

void relay_line_end_streams(struct relay_line *line)
{
    while (line->stream_count > 0) {
        const struct relay_stream stream = line->streams[line->stream_count - 1];
        relay_line_stream_remove(line, stream.here);
        relay_line_unsubscribe(line, stream.there);
    }
}

// False: memory, or the budget.
static bool pass(struct relay_line *line, const uint8_t *bytes, size_t size, uint32_t there, uint32_t here)
{
    const struct relay_stream *stream = here != 0 ? relay_line_stream(line, here) : NULL;
    const struct relay_ids ids = {.sessions = {line->guest->session, line->session},
                                  .stream = stream ? stream->there : 0,
                                  .before = stream ? stream->sent : 0};
    struct relay_envelope envelope;
    struct base_buffer *buffer = NULL;
    if (relay_envelope_read(bytes, size, &envelope)) {
        buffer = relay_rewrite(bytes, size, &envelope, there, &ids, line->relay->options.budget);
    }
    if (!buffer) {
        return false;
    }
    put(line, buffer);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Refusals

// A shared stream cannot become one of the session's own: it ends, and what should have changed it is refused.
static void refuse_change(const struct relay_asked *asked, struct host_session *session,
                          const struct protocol_error *error)
{
    const uint32_t msgid = asked->then ? asked->then->there : 0;
    const struct world_asker asker = host_session_asker(session);
    host_session_stream_remove(session, asked->stream);
    struct base_buffer *refusal = msgid != 0 ? host_outgoing_failure(&asker, msgid, error) : NULL;
    if (msgid != 0) {
        host_session_reply(session, refusal);
    }
    base_buffer_unref(refusal);
    struct base_buffer *closed = host_outgoing_stream_closed(asked->stream, error->text, NULL);
    host_session_notify(session, closed);
    base_buffer_unref(closed);
    if (msgid != 0) {
        host_session_request_end(session, asked->bytes); // the last: it may end the session
    }
}

static void refuse(struct relay_line *line, const struct relay_asked *asked, struct host_session *session,
                   const struct protocol_error *error)
{
    if (!session) {
        return;
    }
    if (asked->use == RELAY_USE_LOOK) {
        line->relay->look_refused(line->relay, host_session_asker(session).session, asked->stream, error);
    }
    if (asked->use == RELAY_USE_ADOPT) {
        refuse_change(asked, session, error);
    }
    if (asked->use != RELAY_USE_CALL) {
        return;
    }
    if (asked->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        host_session_stream_remove(session, asked->stream);
    }
    const struct world_asker asker = host_session_asker(session);
    struct base_buffer *bytes = host_outgoing_failure(&asker, asked->here, error);
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
    host_session_request_end(session, asked->bytes); // the last: it may end the session
    line->relay->stats.unanswered += asked->sent;
    line->relay->stats.refused += !asked->sent;
}

// Tells of a call that was sent to a server which is lost: nobody here knows what became of it.
static void tell_unknown(const struct relay_asked *asked, const char *text, struct protocol_error *error)
{
    static const char *const fates[] = {
        [PROTOCOL_CLASS_QUERY] = "ask again",
        [PROTOCOL_CLASS_EDIT] =
            "the edit may or may not have been made: sent again with the edit_id that it had, it "
            "is made once",
    };
    const enum protocol_class class = protocol_methods[asked->method].class_;
    const char *fate = class < sizeof fates / sizeof fates[0] ? fates[class] : NULL;
    protocol_error_set(error, PROTOCOL_CODE_INTERNAL, "world", "%s; %s", text,
                       fate ? fate : "whether this was done is not known");
}

static void drop_waiting(struct relay_line *line)
{
    while (line->first) {
        struct relay_waiting *waiting = line->first;
        line->first = waiting->next;
        free(waiting);
    }
    line->last = NULL;
    line->notes_bytes = 0;
}

// ---------------------------------------------------------------------------------------------------------
// The end

static void unlink_from_guest(struct relay_line *line)
{
    struct relay_line **at = &line->guest->lines;
    while (*at != line) {
        at = &(*at)->next;
    }
    *at = line->next;
    line->guest->line_count--;
    line->guest = NULL;
    line->relay->ended++;
    line->relay->stats.lines--;
    line->relay->stats.streams -= line->stream_count;
}

// Lets go of what it holds of the session.
static void part(struct relay_line *line, struct host_session *session)
{
    if (line->holds && session) {
        host_session_work_end(session);
    }
    line->holds = false;
    drop_waiting(line);
    if (line->lookup) {
        line->lookup->line = NULL;
    }
    for (uint32_t i = 0; i < line->asked_count; i++) {
        free(line->asked[i].then);
    }
    line->asked_count = 0;
    line->state = RELAY_OVER;
    if (line->conn) {
        net_conn_cut(line->conn, NET_END_NORMAL, "its session ends");
    } else {
        free(line);
    }
}

void relay_line_end(struct relay_line *line)
{
    struct host_session *session = host_session_find(line->relay->options.sessions, line->guest->session);
    unlink_from_guest(line);
    part(line, session);
}

static struct relay_asked *asked_of(struct relay_line *line, uint32_t there)
{
    for (uint32_t i = 0; i < line->asked_count; i++) {
        if (line->asked[i].there == there) {
            return &line->asked[i];
        }
    }
    return NULL;
}

// Gives a call back that was not sent. True: it is to be made again.
static bool give_back(struct relay_line *line, struct host_session *session, const struct relay_asked *asked)
{
    struct protocol_error error = {0};
    if (asked->use != RELAY_USE_CALL) {
        protocol_error_set(&error, PROTOCOL_CODE_BUSY, "world",
                           "this world is to be had another way by now; ask again");
        refuse(line, asked, session, &error);
        return false;
    }
    if (asked->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        host_session_stream_remove(session, asked->stream);
    }
    host_session_request_end(session, asked->bytes);
    return true;
}

void relay_line_hand_back(struct relay_line *line)
{
    struct relay *relay = line->relay;
    if (line->guest->hub) {
        relay_line_fail(line, PROTOCOL_CODE_BUSY, "this world is to be had another way by now; ask again");
        return;
    }
    struct host_sessions *sessions = relay->options.sessions;
    const uint32_t id = line->guest->session;
    struct relay_waiting *first = line->first;
    line->first = line->last = NULL;
    unlink_from_guest(line);
    while (first) {
        struct relay_waiting *waiting = first;
        const struct relay_asked *asked = waiting->there != 0 ? asked_of(line, waiting->there) : NULL;
        uint8_t *bytes = malloc(waiting->size);
        struct host_session *session = host_session_find(sessions, id);
        first = waiting->next;
        if (!session || (asked && !give_back(line, session, asked)) || !bytes) {
            free(bytes);
        } else {
            memcpy(bytes, waiting->bytes, waiting->size);
            relay->options.again(relay->options.again_context, session, bytes, waiting->size);
        }
        free(waiting);
    }
    part(line, host_session_find(sessions, id));
}

void relay_line_fail(struct relay_line *line, enum protocol_code code, const char *text)
{
    struct relay *relay = line->relay;
    const uint32_t id = line->guest->session;
    struct host_sessions *sessions = relay->options.sessions;
    const bool more = line->stream_count > 0 || line->joined > 0;
    struct relay_hub *hub = line->guest->hub;
    char address[DISPATCH_ADDRESS_SIZE];
    snprintf(address, sizeof address, "%s", line->address);
    base_log(BASE_LOG_INFO, "session %" PRIu32 ": %s (%s)", id, text, address);
    relay->stats.lost++;
    unlink_from_guest(line);
    struct host_session *session = host_session_find(sessions, id);
    for (uint32_t i = 0; i < line->asked_count; i++) {
        struct protocol_error error = {0};
        const bool unknown = line->asked[i].sent && code != PROTOCOL_CODE_DENIED;
        if (unknown) {
            tell_unknown(&line->asked[i], text, &error);
        } else {
            protocol_error_set(&error, code, "world", "%s", text);
        }
        refuse(line, &line->asked[i], session, &error);
        free(line->asked[i].then);
    }
    line->asked_count = 0;
    struct protocol_error why = {0};
    protocol_error_set(&why, code, "world", "%s", text);
    const bool shared = relay->line_failed(relay, hub, id, address, &why);
    for (uint32_t i = 0; i < line->stream_count && session; i++) {
        host_session_stream_remove(session, line->streams[i].here);
    }
    part(line, session);
    session = host_session_find(sessions, id);
    if (session && (more || shared)) {
        host_session_break(session, "the server that runs a world of this session is lost");
    }
}

void relay_line_lost(struct relay_line *line, const char *why, bool distrusted)
{
    line->conn = NULL;
    if (line->state == RELAY_OPEN) {
        char text[160];
        snprintf(text, sizeof text, "the server that runs this world is lost: %s", why);
        relay_line_fail(line, PROTOCOL_CODE_INTERNAL, text);
        return;
    }
    // Only hello was said. All else waits.
    uint32_t kept = 0;
    for (uint32_t i = 0; i < line->asked_count; i++) {
        if (line->asked[i].use != RELAY_USE_HELLO && line->asked[i].use != RELAY_USE_PING) {
            line->asked[kept++] = line->asked[i];
        }
    }
    line->asked_count = kept;
    line->state = RELAY_LOOKS;
    base_log(BASE_LOG_DEBUG, "no line to %s: %s", line->address, why);
    if (distrusted) {
        relay_distrust(line->relay, line->address, why);
        relay_line_hand_back(line);
    }
}

// ---------------------------------------------------------------------------------------------------------
// The beginning

// HOST of HOST:PORT, of [V6]:PORT without the brackets.
static void host_of(const char *address, char out[DISPATCH_ADDRESS_SIZE])
{
    const char *colon = strrchr(address, ':');
    size_t size = colon ? (size_t)(colon - address) : strlen(address);
    if (size >= 2 && address[0] == '[' && address[size - 1] == ']') {
        address++;
        size -= 2;
    }
    snprintf(out, DISPATCH_ADDRESS_SIZE, "%.*s", (int)size, address);
}

static void connect_to(struct relay_line *line, const char *numbers)
{
    const char *reason;
    char host[DISPATCH_ADDRESS_SIZE];
    host_of(line->address, host);
    line->conn = net_dial(line->relay->dialer, numbers, line->tls ? host : NULL, line, &reason);
    if (!line->conn) {
        base_log(BASE_LOG_DEBUG, "no line to %s: %s", line->address, reason);
        return;
    }
    net_conn_trust(line->conn);
    net_conn_drain_mark(line->conn, RELAY_UNSENT_BYTES / 2);
    line->state = RELAY_BEGINS;
    line->tried_ms = line->heard_ms = relay_now_ms();
    line->pinged = line->held = false;
    if (!relay_line_hello(line)) {
        net_conn_cut(line->conn, NET_END_FAILURE, "there is no memory for its hello");
    }
}

static void on_resolved(void *context, const char *numbers)
{
    struct relay_lookup *lookup = context;
    struct relay_line *line = lookup->line;
    if (line) {
        line->lookup = NULL;
        if (line->state == RELAY_LOOKS && numbers[0] != '\0' && line->relay->dialer) {
            connect_to(line, numbers);
        }
    }
    free(lookup);
}

// By a worker, as names are asked of somebody who may take their time.
static void dial(struct relay_line *line)
{
    line->tried_ms = relay_now_ms();
    if (line->address[0] == '\0' || line->lookup) {
        return;
    }
    line->lookup = calloc(1, sizeof *line->lookup);
    if (!line->lookup) {
        return;
    }
    *line->lookup = (struct relay_lookup){.line = line};
    if (!net_resolve(line->relay->options.loop, line->address, on_resolved, line->lookup)) {
        free(line->lookup);
        line->lookup = NULL;
    }
}

struct relay_line *relay_line_begin(struct relay_guest *guest, const struct dispatch_place *place)
{
    struct relay_line *line = calloc(1, sizeof *line);
    if (!line) {
        return NULL;
    }
    line->relay = guest->relay;
    line->guest = guest;
    line->world = place->world;
    snprintf(line->address, sizeof line->address, "%s", place->address);
    line->tls = place->tls;
    line->next = guest->lines;
    guest->lines = line;
    guest->line_count++;
    guest->relay->stats.lines++;
    line->since_ms = relay_now_ms();
    dial(line);
    return line;
}

void relay_line_opened(struct relay_line *line, uint32_t session)
{
    line->session = session;
    line->state = RELAY_OPEN;
    while (line->first) {
        struct relay_waiting *waiting = line->first;
        struct relay_asked *asked = waiting->there != 0 ? asked_of(line, waiting->there) : NULL;
        if (!pass(line, waiting->bytes, waiting->size, waiting->there, waiting->stream)) {
            net_conn_cut(line->conn, NET_END_FAILURE, "there is no memory for what is passed on");
            return;
        }
        if (asked) {
            asked->sent = true;
        }
        line->first = waiting->next;
        free(waiting);
    }
    line->last = NULL;
    line->notes_bytes = 0;
    if (line->away != line->guest->away && !relay_line_hello(line)) {
        net_conn_cut(line->conn, NET_END_FAILURE, "there is no memory for its hello");
    }
}

// ---------------------------------------------------------------------------------------------------------
// Calls

static bool wait_for_it(struct relay_line *line, const struct dispatch_passed *call, uint32_t there)
{
    if (!call->wants_answer && line->notes_bytes + call->size > RELAY_NOTES_BYTES) {
        return false;
    }
    struct relay_waiting *waiting = malloc(sizeof *waiting + call->size);
    if (!waiting) {
        return false;
    }
    *waiting = (struct relay_waiting){.there = there, .stream = call->stream, .size = call->size};
    memcpy(waiting->bytes, call->bytes, call->size);
    if (line->last) {
        line->last->next = waiting;
    } else {
        line->first = waiting;
    }
    line->last = waiting;
    line->notes_bytes += call->wants_answer ? 0 : call->size;
    return true;
}

static bool hand(struct relay_line *line, const struct dispatch_passed *call, uint32_t there)
{
    if (line->state == RELAY_OPEN) {
        return pass(line, call->bytes, call->size, there, call->stream);
    }
    return wait_for_it(line, call, there);
}

struct relay_asked *relay_line_ask(struct relay_line *line, enum relay_use use, enum protocol_method method,
                                   const struct base_buffer *fields)
{
    struct relay_asked *asked = ask(line, use, method);
    if (!asked) {
        return NULL;
    }
    struct host_outgoing out;
    host_outgoing_init(&out);
    protocol_pack_request(&out.packer, asked->there, protocol_methods[method].name);
    protocol_bytes_write(&out.bytes, (const char *)fields->data, fields->size);
    struct base_buffer *bytes = host_outgoing_finish(&out);
    asked->sent = line->state == RELAY_OPEN;
    const struct dispatch_passed call = {
        .bytes = bytes ? bytes->data : NULL,
        .size = bytes ? bytes->size : 0,
        .wants_answer = true,
    };
    const bool good = bytes && hand(line, &call, asked->there);
    base_buffer_unref(bytes);
    line->asked_count -= !good;
    return good ? asked : NULL;
}

static bool busy(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL,
                       "too much waits for the server that runs this world; send it again later");
    return false;
}

bool relay_line_take(struct relay_line *line, struct host_session *session, uint32_t world,
                     const struct dispatch_passed *call, struct protocol_error *error)
{
    if (!call->wants_answer) {
        return hand(line, call, 0) || busy(error);
    }
    if (!host_session_has_room(session, call->size, error)) {
        return false;
    }
    struct relay_asked *asked = ask(line, RELAY_USE_CALL, call->method);
    if (!asked) {
        return busy(error);
    }
    asked->here = call->msgid;
    asked->bytes = call->size;
    asked->stream = call->stream;
    asked->world = world;
    asked->sent = line->state == RELAY_OPEN;
    if (call->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        asked->stream = host_session_stream_add(session, world);
        if (asked->stream == 0) {
            line->asked_count--;
            protocol_error_set(error, PROTOCOL_CODE_LIMIT, NULL,
                               "this session holds as many streams as it may (limit streams = %" PRIu64 ")",
                               (uint64_t)PROTOCOL_LIMIT_STREAMS);
            error->limit = (double)PROTOCOL_LIMIT_STREAMS;
            return false;
        }
    }
    if (!hand(line, call, asked->there)) {
        if (call->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
            host_session_stream_remove(session, asked->stream);
        }
        line->asked_count--;
        return busy(error);
    }
    host_session_request_begin(session, call->size);
    relay_line_settle(line);
    line->relay->stats.calls++;
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// Looking after it

void relay_line_hold(struct relay_line *line, const struct host_session *session)
{
    const bool hold = session && host_session_is_filled(session);
    if (hold == line->held || !line->conn) {
        return;
    }
    line->held = hold;
    line->heard_ms = relay_now_ms();
    net_conn_hold(line->conn, hold);
}

static bool is_elsewhere(const struct relay_line *line, uint32_t world)
{
    struct dispatch_place place;
    const struct protocol_ref ref = {.id = world};
    return !relay_where(line->relay, &ref, &place) || strcmp(place.address, line->address) != 0;
}

// Whether another server runs the world of something that is asked, or of the line if nothing says its world.
static bool has_lost_a_world(const struct relay_line *line)
{
    bool any = false;
    for (uint32_t i = 0; i < line->asked_count; i++) {
        const uint32_t world = line->asked[i].world;
        if (world == 0 || relay_line_shows(line, world)) {
            continue;
        }
        any = true;
        if (is_elsewhere(line, world)) {
            return true;
        }
    }
    return !any && is_elsewhere(line, line->world);
}

// A message that comes in, as fast as it has to, is as good as an answer; one that has come to a halt is none.
static bool is_coming(const struct relay_line *line)
{
    return net_conn_has_begun(line->conn) && !net_conn_overdue(line->conn) &&
           net_conn_quiet_ms(line->conn) < QUIET_MS;
}

static void look_for_silence(struct relay_line *line, uint64_t now_ms)
{
    const uint32_t silence_ms = line->relay->options.silence_ms;
    const bool owes = line->asked_count > 0 || line->stream_count > 0 || line->joined > 0 || line->guest->hub;
    const uint32_t patient_ms = silence_ms / 3;
    const uint32_t quiet_ms = line->asked_count > 0 && patient_ms > QUIET_MS ? QUIET_MS : patient_ms;
    if (!owes || line->held || is_coming(line) || now_ms - line->heard_ms < quiet_ms) {
        return;
    }
    if (!line->pinged) {
        const struct protocol_server_ping_params params = {0};
        line->pinged = send_own(line, RELAY_USE_PING, PROTOCOL_METHOD_SERVER_PING, &params);
        line->pinged_ms = now_ms;
    } else if (now_ms - line->pinged_ms > silence_ms - quiet_ms) {
        net_conn_cut(line->conn, NET_END_POLICY, "it does not answer");
    } else if (now_ms - line->pinged_ms > LATE_MS && has_lost_a_world(line)) {
        net_conn_cut(line->conn, NET_END_POLICY, "it does not answer, and another server has its world");
    }
}

static void look_for_place(struct relay_line *line, uint64_t now_ms)
{
    struct relay *relay = line->relay;
    struct dispatch_place place;
    const bool came_far = line->guest->hops >= PROTOCOL_LIMIT_PASSED_HOPS;
    // Another server took it to be here: it may be right, and then the world soon comes, or it has not heard of a move yet.
    const bool settles = line->guest->hops > 0 && now_ms - line->since_ms < SETTLE_MS;
    if (came_far && now_ms - line->since_ms > relay->options.patience_ms / 2) {
        relay_line_fail(
            line, PROTOCOL_CODE_BUSY,
            "this world is passed on from server to server (limit passed_hops); send it again later");
        return;
    }
    if (now_ms - line->since_ms > relay->options.patience_ms) {
        relay_line_fail(line, PROTOCOL_CODE_BUSY,
                        "the server that runs this world cannot be reached; send it again later");
        return;
    }
    if (now_ms - line->tried_ms < RETRY_MS) {
        return;
    }
    line->tried_ms = now_ms;
    const struct protocol_ref world = {.id = line->world};
    if (!relay_where(relay, &world, &place)) {
        relay_line_hand_back(line);
        return;
    }
    if (came_far || settles) {
        return;
    }
    snprintf(line->address, sizeof line->address, "%s", place.address);
    line->tls = place.tls;
    dial(line);
}

// A machine that is gone says nothing, not even that nobody listens. The world is often elsewhere before that is certain.
static void look_for_begin(struct relay_line *line, uint64_t now_ms)
{
    if (now_ms - line->tried_ms > line->relay->options.silence_ms) {
        net_conn_cut(line->conn, NET_END_POLICY, "it does not answer");
    } else if (is_elsewhere(line, line->world)) {
        net_conn_cut(line->conn, NET_END_POLICY, "the world is elsewhere by now");
    }
}

void relay_line_look(struct relay_line *line, uint64_t now_ms)
{
    const struct host_session *session =
        host_session_find(line->relay->options.sessions, line->guest->session);
    if (line->state == RELAY_LOOKS) {
        look_for_place(line, now_ms); // the last: it may be its end
    } else if (line->state == RELAY_BEGINS) {
        look_for_begin(line, now_ms);
    } else {
        relay_line_hold(line, session);
        look_for_silence(line, now_ms);
    }
}
