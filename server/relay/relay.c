#include "relay/relay_internal.h"

#include "base/buffer.h"
#include "base/log.h"
#include "host/session.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WATCH_MS = 100, SILENCE_MS = 10000, PATIENCE_MS = 8000, DISTRUST_MS = 10000, CONNECTIONS = 1024 };

// ---------------------------------------------------------------------------------------------------------
// Guests

static struct relay_guest **bucket_of(struct relay *relay, uint32_t session)
{
    return &relay->guests[session % RELAY_BUCKETS];
}

static struct relay_guest *find(struct relay *relay, uint32_t session)
{
    struct relay_guest *guest = *bucket_of(relay, session);
    while (guest && guest->session != session) {
        guest = guest->next;
    }
    return guest;
}

static struct relay_guest *find_or_add(struct relay *relay, uint32_t session)
{
    struct relay_guest *guest = find(relay, session);
    if (guest || !(guest = calloc(1, sizeof *guest))) {
        return guest;
    }
    struct relay_guest **bucket = bucket_of(relay, session);
    guest->relay = relay;
    guest->session = session;
    guest->arrays = PROTOCOL_ARRAYS_EXT;
    guest->errors = PROTOCOL_ERRORS_ARRAY;
    guest->next = *bucket;
    *bucket = guest;
    return guest;
}

static void end_guest(struct relay *relay, struct relay_guest *guest)
{
    struct relay_guest **at = bucket_of(relay, guest->session);
    while (*at != guest) {
        at = &(*at)->next;
    }
    *at = guest->next;
    while (guest->lines) {
        relay_line_end(guest->lines);
    }
    relay_hub_leave(relay, guest->session);
    relay->ended++;
    free(guest);
}

// A value that is too long is invalid: this stores an empty one.
static void copy(char *out, size_t size, const struct protocol_string *text)
{
    const bool fits = text->size < size;
    if (fits && text->size > 0) {
        memcpy(out, text->data, text->size);
    }
    out[fits ? text->size : 0] = '\0';
}

static void hello_anew(struct relay_guest *guest)
{
    for (struct relay_line *line = guest->lines; line; line = line->next) {
        if (line->state == RELAY_OPEN && !relay_line_hello(line)) {
            net_conn_cut(line->conn, NET_END_FAILURE, "there is no memory for its hello");
        }
    }
}

static void introduced(void *context, struct host_session *session,
                       const struct protocol_session_hello_params *params)
{
    struct relay *relay = context;
    struct relay_guest *guest = find_or_add(relay, host_session_asker(session).session);
    if (!guest) {
        host_session_fail(session, "what it said of itself");
        return;
    }
    copy(guest->client, sizeof guest->client, &params->client);
    copy(guest->user, sizeof guest->user, &params->user);
    if (params->token.size > 0) {
        copy(guest->token, sizeof guest->token, &params->token);
    }
    guest->arrays = params->arrays;
    guest->errors = params->errors;
    guest->hops = params->hops;
    hello_anew(guest);
}

// Its streams have ended; of those that are shared it is taken off with their next frame. Grabs and all else stay.
void relay_session_away(struct relay *relay, uint32_t session, bool away)
{
    struct relay_guest *guest = find(relay, session);
    if (!guest) {
        return;
    }
    for (struct relay_line *line = guest->lines; line; line = line->next) {
        relay_line_end_streams(line);
    }
    guest->away = away;
    hello_anew(guest);
}

void relay_session_ended(struct relay *relay, uint32_t session)
{
    struct relay_guest *guest = find(relay, session);
    if (guest) {
        end_guest(relay, guest);
    }
}

void relay_session_drained(struct relay *relay, struct host_session *session)
{
    struct relay_guest *guest = find(relay, host_session_asker(session).session);
    for (struct relay_line *line = guest ? guest->lines : NULL; line; line = line->next) {
        relay_line_hold(line, session);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Which line

static struct relay_line *line_of_stream(struct relay_guest *guest, uint32_t stream)
{
    struct relay_line *line = guest ? guest->lines : NULL;
    while (line && !relay_line_stream(line, stream)) {
        line = line->next;
    }
    return line;
}

static struct relay_line *line_of_view(struct relay_guest *guest, uint32_t view)
{
    struct relay_line *line = guest && view != 0 ? guest->lines : NULL;
    while (line && !relay_line_shows(line, view)) {
        line = line->next;
    }
    return line;
}

static struct relay_line *line_to(struct relay_guest *guest, const struct dispatch_place *place)
{
    struct relay_line *line = guest->lines;
    while (line && (strcmp(line->address, place->address) != 0 ||
                    (place->address[0] == '\0' && line->world != place->world))) {
        line = line->next;
    }
    return line;
}

// The line on which something that the session asked of the world is not answered. Its next calls come behind that, whichever
// server has the world by now.
static struct relay_line *line_behind(struct relay_guest *guest, uint32_t world)
{
    struct relay_line *line = guest && world != 0 ? guest->lines : NULL;
    while (line && !relay_line_asks(line, world)) {
        line = line->next;
    }
    return line;
}

static bool limit(struct protocol_error *error, const char *text, const char *name, uint64_t value)
{
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, "world", "%s (limit %s = %" PRIu64 ")", text, name, value);
    error->limit = (double)value;
    return false;
}

static bool may_begin(const struct relay *relay, const struct relay_guest *guest,
                      struct protocol_error *error)
{
    if (relay->stopping) {
        protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        return false;
    }
    if (relay->stats.lines >= relay->options.connections) {
        protocol_error_set(error, PROTOCOL_CODE_BUSY, NULL,
                           "this server has as many connections to others as it may; send it again later");
        return false;
    }
    return guest->line_count < PROTOCOL_LIMIT_PASSED_SERVERS ||
           limit(error, "the worlds of this session run on as many servers as they may", "passed_servers",
                 PROTOCOL_LIMIT_PASSED_SERVERS);
}

static void on_watch(void *context);

static bool watch(struct relay *relay, struct protocol_error *error)
{
    if (!relay->watch) {
        relay->watch = net_timer_start(relay->options.loop, WATCH_MS, WATCH_MS, on_watch, relay);
    }
    if (!relay->watch) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the line to the server that runs this world");
    }
    return relay->watch != NULL;
}

// NULL with *error.
static struct relay_line *line_for(struct relay *relay, uint32_t session, struct dispatch_place *place,
                                   struct protocol_error *error)
{
    struct relay_guest *guest = find_or_add(relay, session);
    struct relay_line *line = guest ? line_to(guest, place) : NULL;
    // The server that it comes from believes that the world is here. If it is right, that soon is so.
    if (guest && guest->hops > 0 && (!line || guest->hops >= PROTOCOL_LIMIT_PASSED_HOPS)) {
        *place = (struct dispatch_place){.world = place->world};
        line = line_to(guest, place);
    }
    if (line) {
        return line;
    }
    if (guest && (!may_begin(relay, guest, error) || !watch(relay, error))) {
        return NULL;
    }
    line = guest ? relay_line_begin(guest, place) : NULL;
    if (!line) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the line to the server that runs this world");
    }
    return line;
}

// The acknowledgement speaks of frames that this server sends.
static enum dispatch_went take_shared(struct relay_hub *hub, struct relay_guest *guest,
                                      struct host_session *session, const struct dispatch_passed *call,
                                      struct protocol_error *error)
{
    if (call->method == PROTOCOL_METHOD_STREAM_ACK || call->method == PROTOCOL_METHOD_STREAM_DIFFERS) {
        return DISPATCH_STAYS;
    }
    struct relay_line *line = guest ? line_to(guest, &hub->place) : NULL;
    return relay_hub_take(hub, line, session, call, error) ? DISPATCH_PASSED : DISPATCH_REFUSED;
}

static enum dispatch_went take(void *context, struct host_session *session,
                               const struct dispatch_passed *call, struct protocol_error *error)
{
    struct relay *relay = context;
    const uint32_t id = host_session_asker(session).session;
    struct relay_guest *guest = find(relay, id);
    struct dispatch_place place = {.world = call->world.id};
    struct relay_hub *hub = call->stream != 0 ? relay_hub_of(relay, id, call->stream) : NULL;
    if (hub) {
        return take_shared(hub, guest, session, call, error);
    }
    struct relay_line *line =
        call->stream != 0 ? line_of_stream(guest, call->stream) : line_of_view(guest, call->world.id);
    const bool there = !line && call->stream == 0 && relay_where(relay, &call->world, &place);
    const uint32_t world = there ? place.world : call->world.id;
    if (!line && call->stream == 0 && call->method != PROTOCOL_METHOD_STREAM_SUBSCRIBE) {
        line = line_behind(guest, world);
    }
    if (!line && !there) {
        return DISPATCH_STAYS;
    }
    if (!line) {
        line = line_for(relay, id, &place, error);
    }
    if (line && line->state != RELAY_OVER && relay_hub_join(line, session, &place, call)) {
        return DISPATCH_PASSED;
    }
    return line && relay_line_take(line, session, world, call, error) ? DISPATCH_PASSED : DISPATCH_REFUSED;
}

static bool came(void *context, struct host_session *session, uint32_t world)
{
    const uint32_t id = host_session_asker(session).session;
    struct relay_guest *guest = find(context, id);
    struct relay_line *line = guest ? guest->lines : NULL;
    while (line && (line->state != RELAY_LOOKS || line->world != world)) {
        line = line->next;
    }
    if (line) {
        relay_line_hand_back(line);
    }
    return !line_behind(find(context, id), world);
}

// ---------------------------------------------------------------------------------------------------------
// Watching

// False: lines or guests have gone meanwhile, and there may be others in the bucket that were not looked at.
static bool look_at(struct relay *relay, const struct relay_guest *first, uint64_t now_ms)
{
    const uint64_t ended = relay->ended;
    for (const struct relay_guest *guest = first; guest; guest = guest->next) {
        for (struct relay_line *line = guest->lines; line; line = line->next) {
            relay_line_look(line, now_ms);
            if (relay->ended != ended) {
                return false;
            }
        }
    }
    return true;
}

static bool look_at_hubs(struct relay *relay, uint64_t now_ms)
{
    const uint64_t ended = relay->ended;
    for (const struct relay_hub *hub = relay->hubs; hub; hub = hub->next) {
        if (hub->guest.lines) {
            relay_line_look(hub->guest.lines, now_ms);
        }
        if (relay->ended != ended) {
            return false;
        }
    }
    return true;
}

static void on_watch(void *context)
{
    struct relay *relay = context;
    const uint64_t now_ms = relay_now_ms();
    host_sessions_enter(relay->options.sessions);
    for (uint32_t i = 0; i < RELAY_BUCKETS; i++) {
        while (!look_at(relay, relay->guests[i], now_ms)) {
        }
    }
    while (!look_at_hubs(relay, now_ms)) {
    }
    host_sessions_leave(relay->options.sessions);
    if (relay->stats.lines == 0) {
        net_timer_stop(relay->watch);
        relay->watch = NULL;
    }
}

static void count(void *context, struct dispatch_passed_counts *counts)
{
    const struct relay *relay = context;
    struct net_stats net = {0};
    *counts = relay->stats;
    for (const struct relay_hub *hub = relay->hubs; hub; hub = hub->next) {
        counts->shared_lines += hub->guest.lines != NULL;
        counts->shared_streams += hub->open;
        for (const struct relay_viewer *viewer = hub->viewers; viewer; viewer = viewer->next) {
            counts->viewers += viewer->answered && !viewer->gone;
        }
    }
    counts->lines -= counts->shared_lines;
    counts->streams -= counts->shared_streams;
    if (relay->dialer) {
        net_listener_stats(relay->dialer, &net);
    }
    counts->bytes_in = net.bytes_in;
    counts->bytes_out = net.bytes_out;
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct relay *relay_create(const struct relay_options *options)
{
    struct relay *relay = calloc(1, sizeof *relay);
    if (!relay) {
        base_log(BASE_LOG_ERROR, "no memory for lines to other servers");
        return NULL;
    }
    relay->options = *options;
    relay->elsewhere = (struct dispatch_elsewhere){
        .pass = take, .came = came, .introduced = introduced, .count = count, .context = relay};
    struct relay_options *own = &relay->options;
    own->connections = own->connections == 0 ? CONNECTIONS : own->connections;
    own->silence_ms = own->silence_ms == 0 ? SILENCE_MS : own->silence_ms;
    own->patience_ms = own->patience_ms == 0 ? PATIENCE_MS : own->patience_ms;
    own->distrust_ms = own->distrust_ms == 0 ? DISTRUST_MS : own->distrust_ms;
    own->message_bytes = own->message_bytes == 0 ? PROTOCOL_LIMIT_DOCUMENT_BYTES : own->message_bytes;
    own->frame_bytes = own->frame_bytes == 0 ? PROTOCOL_LIMIT_FRAME_BYTES : own->frame_bytes;
    const struct net_limits limits = {
        .message = {.bytes = own->message_bytes, .depth = PROTOCOL_SCAN_DEPTH_MAX, .nodes = UINT32_MAX},
        .receive_bytes = PROTOCOL_LIMIT_RECEIVE_BYTES,
        .connections = own->connections,
        .message_ms = PROTOCOL_LIMIT_MESSAGE_MS,
        .tls = own->tls,
    };
    relay->line_failed = relay_hub_failed;
    relay->look_refused = relay_hub_refused;
    relay->frames = own->frames ? base_budget_create_share(own->frames, own->frame_bytes)
                                : base_budget_create(own->frame_bytes);
    relay->dialer = !relay->frames ? NULL : net_dialer_create(own->loop, &limits, &relay_handler);
    if (!relay->dialer) {
        base_log(BASE_LOG_ERROR, "no memory for lines to other servers");
        relay_destroy(relay);
        return NULL;
    }
    return relay;
}

const struct dispatch_elsewhere *relay_elsewhere(const struct relay *relay)
{
    return &relay->elsewhere;
}

static bool stop_some(struct relay_guest *first)
{
    for (struct relay_guest *guest = first; guest; guest = guest->next) {
        if (guest->lines) {
            relay_line_fail(guest->lines, PROTOCOL_CODE_SHUTDOWN, "the server goes down");
            return true;
        }
    }
    return false;
}

void relay_stop(struct relay *relay)
{
    relay->stopping = true;
    host_sessions_enter(relay->options.sessions);
    for (uint32_t i = 0; i < RELAY_BUCKETS; i++) {
        while (stop_some(relay->guests[i])) {
        }
    }
    const struct protocol_error error = {.code = PROTOCOL_CODE_SHUTDOWN, .text = "the server goes down"};
    while (relay->hubs) {
        relay_hub_end(relay->hubs, &error);
    }
    host_sessions_leave(relay->options.sessions);
    net_timer_stop(relay->watch);
    relay->watch = NULL;
    net_listener_close(relay->dialer);
    relay->dialer = NULL;
}

void relay_destroy(struct relay *relay)
{
    if (!relay) {
        return;
    }
    for (uint32_t i = 0; i < RELAY_BUCKETS; i++) {
        while (relay->guests[i]) {
            struct relay_guest *guest = relay->guests[i];
            relay->guests[i] = guest->next;
            free(guest);
        }
    }
    net_listener_close(relay->dialer);
    if (relay->frames) {
        base_budget_release(relay->frames);
    }
    free(relay);
}
