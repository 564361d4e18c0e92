// Takes what comes back from another server. It trusts nothing of it: it drops an answer to nothing that was asked, and ends a line that
// carries something else than messages.
#include "relay/relay_internal.h"

#include "base/buffer.h"
#include "host/outgoing.h"
#include "host/session.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct coming {
    struct relay_line *line;
    struct host_session *session;
    const uint8_t *bytes;
    size_t size;
    struct relay_envelope envelope;
};

static void no_memory(struct coming *coming)
{
    net_conn_cut(coming->line->conn, NET_END_FAILURE, "there is no memory for what it sends");
}

static struct base_buffer *rewrite(const struct coming *coming, uint32_t msgid, uint32_t stream)
{
    const struct relay_line *line = coming->line;
    const struct relay_ids ids = {.sessions = {line->session, line->guest->session}, .stream = stream};
    return relay_rewrite(coming->bytes, coming->size, &coming->envelope, msgid, &ids,
                         line->relay->options.budget);
}

// ---------------------------------------------------------------------------------------------------------
// Answers

static uint32_t number_of(const struct coming *coming, const char *name)
{
    return relay_number(coming->bytes, coming->size, &coming->envelope, name);
}

static void hello_answered(struct coming *coming)
{
    struct relay_line *line = coming->line;
    if (coming->envelope.failed) {
        relay_line_fail(line, PROTOCOL_CODE_DENIED,
                        "the server that runs this world does not let this session in");
    } else if (line->state == RELAY_BEGINS) {
        relay_line_opened(line, number_of(coming, "session"));
    }
}

// The session had it, and has it no more: as when its connection was lost, and another goes on with it.
static bool is_unwanted(struct coming *coming, const struct relay_stream *stream)
{
    if (host_session_stream_world(coming->session, stream->here) != 0) {
        return false;
    }
    relay_line_unsubscribe(coming->line, stream->there);
    relay_line_stream_remove(coming->line, stream->here);
    return true;
}

static void subscribed(struct coming *coming, const struct relay_asked *asked)
{
    struct relay_line *line = coming->line;
    const uint32_t there = number_of(coming, "stream");
    if (coming->envelope.failed) {
        host_session_stream_remove(coming->session, asked->stream);
        return;
    }
    for (uint32_t left = line->stream_count; left > 0; left--) {
        (void)is_unwanted(coming, &line->streams[left - 1]);
    }
    if (there == 0 || line->stream_count == PROTOCOL_LIMIT_STREAMS) {
        return;
    }
    line->streams[line->stream_count++] = (struct relay_stream){
        .here = asked->stream,
        .there = there,
        .sent = (uint32_t)host_session_stream_hand_over(coming->session, asked->stream),
    };
    line->relay->stats.streams++;
}

static void seen(struct relay_line *line, uint32_t view)
{
    if (view == 0) {
        return;
    }
    memmove(line->views + 1, line->views, sizeof line->views - sizeof line->views[0]);
    line->views[0] = view;
}

// Notes what an answer changes here. Its ids were read before.
static void note(struct coming *coming, const struct relay_asked *asked)
{
    struct relay_line *line = coming->line;
    const bool good = !coming->envelope.failed;
    if (asked->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        subscribed(coming, asked);
    } else if (good && asked->method == PROTOCOL_METHOD_STREAM_UNSUBSCRIBE) {
        relay_line_stream_remove(line, asked->stream);
        host_session_stream_remove(coming->session, asked->stream);
    } else if (good && asked->method == PROTOCOL_METHOD_WORLD_JOIN) {
        line->joined++;
    } else if (good && asked->method == PROTOCOL_METHOD_WORLD_LEAVE) {
        line->joined -= line->joined > 0;
    } else if (good && asked->method == PROTOCOL_METHOD_WORLD_SEEK) {
        seen(line, number_of(coming, "view"));
    }
}

static void answered(struct coming *coming, const struct relay_asked *asked)
{
    struct host_session *session = coming->session;
    if (!session) {
        return;
    }
    const bool subscribes = asked->method == PROTOCOL_METHOD_STREAM_SUBSCRIBE && !coming->envelope.failed;
    note(coming, asked);
    struct base_buffer *bytes = rewrite(coming, asked->here, subscribes ? asked->stream : 0);
    host_session_reply(session, bytes);
    base_buffer_unref(bytes);
    host_session_request_end(session, asked->bytes); // the last: it may end the session
}

static void looked(struct coming *coming, const struct relay_asked *asked)
{
    struct relay *relay = coming->line->relay;
    const uint32_t session = coming->line->guest->session;
    const struct relay_words refusal = {coming->bytes, coming->size, &coming->envelope};
    if (coming->envelope.failed) {
        relay_hub_denied(relay, session, asked->stream, &refusal);
    } else {
        relay_hub_allowed(relay, session, asked->stream);
    }
}

static void hub_subscribed(struct coming *coming)
{
    struct relay_hub *hub = coming->line->guest->hub;
    const struct relay_words refusal = {coming->bytes, coming->size, &coming->envelope};
    struct protocol_error error = {0};
    if (!hub) {
        return;
    }
    if (coming->envelope.failed) {
        relay_hub_failed_to_subscribe(hub, &refusal);
    } else if (number_of(coming, "stream") == 0) {
        protocol_error_set(&error, PROTOCOL_CODE_INTERNAL, NULL,
                           "the server that runs this world gives no stream of it");
        relay_hub_end(hub, &error);
    } else {
        relay_hub_subscribed(hub, number_of(coming, "stream"),
                             relay_number64(coming->bytes, coming->size, &coming->envelope, "tick"),
                             relay_number64(coming->bytes, coming->size, &coming->envelope, "revision"));
    }
}

// The same stream under the same id, but by the session's own line; then what it was adopted for.
static void adopted(struct coming *coming, const struct relay_asked *asked)
{
    struct relay_waiting *then = asked->then;
    struct host_session *session = coming->session;
    struct protocol_error error = {0};
    if (!session || !then) {
        return;
    }
    subscribed(coming, asked);
    const struct dispatch_passed call = {
        .bytes = then->bytes,
        .size = then->size,
        .method = PROTOCOL_METHOD_STREAM_SET,
        .wants_answer = then->there != 0,
        .msgid = then->there,
        .stream = asked->stream,
    };
    if (!relay_line_stream(coming->line, asked->stream)) {
        protocol_error_set(&error, PROTOCOL_CODE_NOT_FOUND, "stream", "no stream %" PRIu32 " in this session",
                           asked->stream);
    } else if (relay_line_take(coming->line, session, 0, &call, &error)) {
        error.code = PROTOCOL_CODE_OK;
    }
    if (error.code != PROTOCOL_CODE_OK && call.wants_answer) {
        const struct world_asker asker = host_session_asker(session);
        struct base_buffer *bytes = host_outgoing_failure(&asker, call.msgid, &error);
        host_session_reply(session, bytes);
        base_buffer_unref(bytes);
    }
    if (call.wants_answer) {
        host_session_request_end(session, asked->bytes);
    }
}

static void response_came(struct coming *coming)
{
    struct relay_line *line = coming->line;
    uint32_t place = 0;
    while (place < line->asked_count && line->asked[place].there != coming->envelope.message.msgid) {
        place++;
    }
    if (place == line->asked_count) {
        return;
    }
    const struct relay_asked asked = line->asked[place];
    if (!asked.sent) {
        return; // it guesses
    }
    line->asked_count--;
    memmove(&line->asked[place], &line->asked[place + 1],
            (line->asked_count - place) * sizeof line->asked[0]);
    switch (asked.use) {
    case RELAY_USE_CALL:
        answered(coming, &asked);
        break;
    case RELAY_USE_HELLO:
        hello_answered(coming);
        break;
    case RELAY_USE_PING:
        line->pinged = false;
        break;
    case RELAY_USE_LOOK:
        looked(coming, &asked);
        break;
    case RELAY_USE_HUB:
        hub_subscribed(coming);
        break;
    case RELAY_USE_ADOPT:
        adopted(coming, &asked);
        free(asked.then);
        break;
    }
}

// ---------------------------------------------------------------------------------------------------------
// Notifications

static struct relay_stream *stream_there(struct relay_line *line, uint32_t there)
{
    for (uint32_t i = 0; i < line->stream_count; i++) {
        if (line->streams[i].there == there) {
            return &line->streams[i];
        }
    }
    return NULL;
}

static void pass_back(struct coming *coming, struct base_buffer *bytes)
{
    if (!bytes) {
        no_memory(coming);
        return;
    }
    host_session_pass(coming->session, bytes);
    base_buffer_unref(bytes);
}

// Arrays in it lie at multiples of 8, and stay there: the id and the number take four bytes each in every head.
static void frame_came(struct coming *coming, size_t at)
{
    const struct relay_stream *stream = stream_there(coming->line, relay_load32(coming->bytes + at));
    if (!stream || is_unwanted(coming, stream)) {
        return;
    }
    struct base_buffer *bytes = base_buffer_create(coming->size, coming->line->relay->options.budget);
    if (bytes) {
        memcpy(bytes->data, coming->bytes, coming->size);
        relay_store32(bytes->data + at, stream->here);
        uint8_t *seq = bytes->data + relay_frame_seq(at);
        relay_store32(seq, relay_load32(seq) + stream->sent);
    }
    coming->line->relay->stats.frames++;
    pass_back(coming, bytes);
}

static bool is_of_stream(const struct protocol_string *method)
{
    return method->size > 7 && memcmp(method->data, "stream.", 7) == 0;
}

static void told_of_stream(struct coming *coming)
{
    struct relay_line *line = coming->line;
    const struct protocol_string *method = &coming->envelope.message.method;
    const struct relay_stream *stream = stream_there(line, number_of(coming, "stream"));
    if (!stream || is_unwanted(coming, stream)) {
        return;
    }
    const uint32_t here = stream->here;
    struct base_buffer *bytes = rewrite(coming, 0, here);
    if (method->size == 13 && memcmp(method->data, "stream.closed", 13) == 0) {
        relay_line_stream_remove(line, here);
        host_session_stream_remove(coming->session, here);
    }
    pass_back(coming, bytes);
}

static void told_hub(struct coming *coming, size_t at)
{
    struct relay_hub *hub = coming->line->guest->hub;
    const struct protocol_string *method = &coming->envelope.message.method;
    const struct relay_words words = {coming->bytes, coming->size, &coming->envelope};
    if (at != 0 && relay_load32(coming->bytes + at) == hub->stream) {
        coming->line->relay->stats.frames++;
        relay_hub_frame(hub, coming->bytes, coming->size, &coming->envelope);
    } else if (method->size == 13 && memcmp(method->data, "stream.closed", 13) == 0 &&
               number_of(coming, "stream") == hub->stream) {
        relay_hub_closed(hub, &words);
    }
}

static void notification_came(struct coming *coming)
{
    const size_t at = relay_frame_stream(coming->bytes, coming->size);
    if (coming->line->guest->hub) {
        if (coming->line->state == RELAY_OPEN && coming->line->guest->hub->open) {
            told_hub(coming, at);
        }
        return;
    }
    if (!coming->session || coming->line->state != RELAY_OPEN) {
        return;
    }
    coming->line->relay->stats.notices += at == 0;
    if (at != 0) {
        frame_came(coming, at);
    } else if (is_of_stream(&coming->envelope.message.method)) {
        told_of_stream(coming);
    } else {
        pass_back(coming, rewrite(coming, 0, 0));
    }
}

// ---------------------------------------------------------------------------------------------------------
// The connection

static void on_message(void *context, struct net_conn *conn, uint8_t *bytes, size_t size)
{
    struct relay_line *line = context;
    if (line->state == RELAY_OVER || line->conn != conn) {
        free(bytes);
        return;
    }
    struct host_sessions *sessions = line->relay->options.sessions;
    host_sessions_enter(sessions);
    struct coming coming = {.line = line,
                            .session = host_session_find(sessions, line->guest->session),
                            .bytes = bytes,
                            .size = size};
    line->heard_ms = relay_now_ms();
    if (!relay_envelope_read(bytes, size, &coming.envelope) ||
        coming.envelope.message.kind == PROTOCOL_REQUEST) {
        net_conn_cut(conn, NET_END_DATA, "what it sends is no answer");
    } else if (coming.envelope.message.kind == PROTOCOL_RESPONSE) {
        response_came(&coming);
    } else {
        notification_came(&coming);
    }
    if (line->state == RELAY_OPEN && line->conn == conn && coming.session) {
        relay_line_hold(line, coming.session);
        relay_line_settle(line); // the last: it may end the session
    }
    host_sessions_leave(sessions);
    free(bytes);
}

static void on_bad_stream(void *context, struct net_conn *conn, enum protocol_scan_status status)
{
    (void)context;
    (void)status;
    net_conn_cut(conn, NET_END_DATA, "what it sends is no message");
}

static void on_overfull(void *context, struct net_conn *conn)
{
    (void)context;
    net_conn_cut(conn, NET_END_TOO_LARGE, "the unfinished messages of all connections are too much");
}

static void on_end(void *context, struct net_conn *conn)
{
    (void)context;
    net_conn_cut(conn, NET_END_NORMAL, "it closed the connection");
}

static void on_closed(void *context, struct net_conn *conn, const char *reason)
{
    struct relay_line *line = context;
    if (line->state == RELAY_OVER) {
        free(line);
        return;
    }
    if (line->conn != conn) {
        return;
    }
    struct host_sessions *sessions = line->relay->options.sessions;
    host_sessions_enter(sessions);
    relay_line_lost(line, reason, net_conn_is_distrusted(conn));
    host_sessions_leave(sessions);
}

static void on_drained(void *context, struct net_conn *conn)
{
    struct relay_line *line = context;
    if (line->state == RELAY_OVER || line->conn != conn) {
        return;
    }
    host_sessions_enter(line->relay->options.sessions);
    relay_line_settle(line);
    host_sessions_leave(line->relay->options.sessions);
}

const struct net_conn_handler relay_handler = {
    .on_message = on_message,
    .on_bad_stream = on_bad_stream,
    .on_overfull = on_overfull,
    .on_end = on_end,
    .on_closed = on_closed,
    .on_drained = on_drained,
};
