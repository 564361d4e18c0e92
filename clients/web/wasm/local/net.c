// net/net.h for one peer, the page that runs this. What goes in and out are the messages of a WebSocket, one by one.
//
//     page ──local_net_receive──▶ incoming ──turn──▶ on_message
//     page ◀──local_send──────── control, and parts of frames between it
//     page ───local_net_taken───▶ it has looked at the oldest of them
//
// Nobody makes the page take what it was sent, so what it has not looked at counts as unsent. A write is some parts of frames: the
// next begins when the page has taken all of the last one, and what is newer meanwhile takes the place of what waits.
#include "net/net.h"

#include "base/assert.h"
#include "base/clock.h"
#include "local/local.h"
#include "local/parts.h"
#include "net/streams.h"
#include "protocol/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITE_BYTES = 256 * 1024,
    TURN_NS = 5 * 1000 * 1000, // of a turn, for messages
};

static const uint64_t never = UINT64_MAX;

struct net_wake {
    struct net_wake *next;
    bool sent;
    void (*on_wake)(void *context);
    void *context;
};

struct net_timer {
    struct net_timer *next;
    uint64_t due_ns, period_ns; // never: it has called
    bool stopped;
    void (*on_time)(void *context);
    void *context;
};

struct work {
    struct work *next;
    void (*work)(void *context), (*done)(void *context);
    void *context;
};

struct incoming {
    struct incoming *next;
    uint8_t *bytes;
    size_t size;
};

struct net_listener {
    struct net_limits limits;
    void *(*on_accept)(void *context, struct net_conn *conn);
    const struct net_conn_handler *handler;
    void *context;
    struct net_stats stats;
};

// What the page was sent and has not taken, the oldest first.
struct sent {
    size_t control; // bytes of it; 0: a part of a frame
};

struct net_conn {
    struct net_loop *loop;
    void *context; // the handler's
    bool over;     // its end is told at the next turn
    bool held;
    char reason[96];
    struct incoming *incoming, *incoming_last;
    uint64_t incoming_bytes;
    struct sent *sent;
    size_t sent_first, sent_count, sent_capacity;
    size_t unsent, drain_mark;
    uint32_t parts; // of the write that the page has not taken
    struct net_streams streams;
};

struct net_loop {
    struct net_wake *wakes;
    struct net_timer *timers;
    struct work *work, *work_last;
    struct net_listener *listener;
    struct net_conn *conn; // NULL: no page
    bool gathering;
};

// ---------------------------------------------------------------------------------------------------------
// Wakes, timers, work

struct net_loop *net_loop_create(void)
{
    return calloc(1, sizeof(struct net_loop));
}

uint32_t net_loop_count(const struct net_loop *loop)
{
    (void)loop;
    return 1;
}

uint32_t net_loop_connections(const struct net_loop *loop, uint32_t index)
{
    (void)loop;
    (void)index;
    return 1; // the page
}

struct net_wake *net_wake_create(struct net_loop *loop, void (*on_wake)(void *context), void *context)
{
    struct net_wake *wake = calloc(1, sizeof *wake);
    if (wake == NULL) {
        return NULL;
    }
    *wake = (struct net_wake){.next = loop->wakes, .on_wake = on_wake, .context = context};
    loop->wakes = wake;
    return wake;
}

void net_wake_send(struct net_wake *wake)
{
    wake->sent = true;
}

// The loop and all that is on it last as long as the module.
void net_wake_destroy(struct net_wake *wake)
{
    if (wake != NULL) {
        wake->sent = false;
        wake->on_wake = NULL;
    }
}

static void wakes_call(struct net_loop *loop)
{
    for (struct net_wake *wake = loop->wakes; wake != NULL; wake = wake->next) {
        if (wake->sent && wake->on_wake != NULL) {
            wake->sent = false;
            wake->on_wake(wake->context);
        }
    }
}

static bool wakes_wait(const struct net_loop *loop)
{
    for (const struct net_wake *wake = loop->wakes; wake != NULL; wake = wake->next) {
        if (wake->sent) {
            return true;
        }
    }
    return false;
}

struct net_timer *net_timer_start(struct net_loop *loop, uint64_t delay_ms, uint64_t period_ms,
                                  void (*on_time)(void *context), void *context)
{
    struct net_timer *timer = calloc(1, sizeof *timer);
    if (timer == NULL) {
        return NULL;
    }
    *timer = (struct net_timer){.next = loop->timers,
                                .due_ns = base_now_ns() + delay_ms * 1000000,
                                .period_ns = period_ms * 1000000,
                                .on_time = on_time,
                                .context = context};
    loop->timers = timer;
    return timer;
}

void net_timer_stop(struct net_timer *timer)
{
    if (timer != NULL) {
        timer->stopped = true; // freed between calls: this may be its own
    }
}

static void timers_sweep(struct net_loop *loop)
{
    struct net_timer **at = &loop->timers;
    while (*at != NULL) {
        struct net_timer *timer = *at;
        if (timer->stopped) {
            *at = timer->next;
            free(timer);
        } else {
            at = &timer->next;
        }
    }
}

// Those that are started meanwhile stand in front, and are met in the next turn. Returns when the first is due.
static uint64_t timers_call(struct net_loop *loop)
{
    const uint64_t now_ns = base_now_ns();
    for (struct net_timer *timer = loop->timers; timer != NULL; timer = timer->next) {
        if (timer->stopped || timer->due_ns > now_ns) {
            continue;
        }
        timer->due_ns = timer->period_ns > 0 ? now_ns + timer->period_ns : never;
        timer->on_time(timer->context);
    }
    timers_sweep(loop);
    uint64_t first_ns = never;
    for (const struct net_timer *timer = loop->timers; timer != NULL; timer = timer->next) {
        first_ns = timer->due_ns < first_ns ? timer->due_ns : first_ns;
    }
    return first_ns;
}

// There is no other thread: it is done in a turn of its own.
bool net_work(struct net_loop *loop, void (*work)(void *context), void (*done)(void *context), void *context)
{
    struct work *item = malloc(sizeof *item);
    if (item == NULL) {
        return false;
    }
    *item = (struct work){.work = work, .done = done, .context = context};
    if (loop->work_last != NULL) {
        loop->work_last->next = item;
    } else {
        loop->work = item;
    }
    loop->work_last = item;
    return true;
}

static void work_one(struct net_loop *loop)
{
    struct work *item = loop->work;
    if (item == NULL) {
        return;
    }
    loop->work = item->next;
    loop->work_last = loop->work != NULL ? loop->work_last : NULL;
    item->work(item->context);
    item->done(item->context);
    free(item);
}

// ---------------------------------------------------------------------------------------------------------
// Listening

struct net_listener *net_listen(struct net_loop *loop, const char *address, const struct net_limits *limits,
                                void *(*on_accept)(void *context, struct net_conn *conn),
                                const struct net_conn_handler *handler, void *context, const char **reason)
{
    (void)address;
    struct net_listener *listener = calloc(1, sizeof *listener);
    *reason = listener == NULL ? "no memory" : NULL;
    if (listener != NULL) {
        *listener = (struct net_listener){
            .limits = *limits, .on_accept = on_accept, .handler = handler, .context = context};
        loop->listener = listener;
    }
    return listener;
}

void net_listener_address(const struct net_listener *listener, char *out, size_t size)
{
    (void)listener;
    snprintf(out, size, "page");
}

uint32_t net_listener_connections(const struct net_listener *listener)
{
    return listener->limits.connections;
}

void net_listener_stats(const struct net_listener *listener, struct net_stats *stats)
{
    *stats = listener->stats;
}

// ---------------------------------------------------------------------------------------------------------
// Out

static void conn_end(struct net_conn *conn, enum net_end end, const char *reason)
{
    if (conn->over) {
        return;
    }
    conn->over = true;
    snprintf(conn->reason, sizeof conn->reason, "%s", reason);
    local_closed((uint32_t)end, conn->reason, strlen(conn->reason));
}

// A place for one more. False without memory: then the connection has ended.
static bool sent_reserve(struct net_conn *conn)
{
    if (conn->sent_count < conn->sent_capacity) {
        return true;
    }
    BASE_ASSERT(conn->sent_count == conn->sent_capacity);
    const size_t capacity = conn->sent_capacity == 0 ? 64 : 2 * conn->sent_capacity;
    struct sent *sent = malloc(capacity * sizeof *sent);
    if (sent == NULL) {
        conn_end(conn, NET_END_FAILURE, "no memory for what the page should be told");
        return false;
    }
    for (size_t i = 0; i < conn->sent_count; i++) {
        sent[i] = conn->sent[(conn->sent_first + i) % conn->sent_capacity];
    }
    free(conn->sent);
    conn->sent = sent;
    conn->sent_first = 0;
    conn->sent_capacity = capacity;
    return true;
}

static void sent_push(struct net_conn *conn, size_t control)
{
    conn->sent[(conn->sent_first + conn->sent_count) % conn->sent_capacity] =
        (struct sent){.control = control};
    conn->sent_count++;
}

void net_conn_send(struct net_conn *conn, struct base_buffer *bytes)
{
    if (conn->over || bytes->size == 0 || !sent_reserve(conn)) {
        return;
    }
    const struct local_part part = {bytes->data, bytes->size};
    sent_push(conn, bytes->size);
    conn->unsent += bytes->size;
    conn->loop->listener->stats.bytes_out += bytes->size;
    local_send(&part, 1);
}

// Room for the parts of one message; what was there is the loop's, used again.
static struct local_part *parts_of(uint32_t count)
{
    static struct local_part *parts;
    static uint32_t capacity;
    if (count > capacity) {
        struct local_part *more = realloc(parts, count * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        parts = more;
        capacity = count;
    }
    return parts;
}

// The next part of a stream's frame, with its head. False without memory.
static bool send_part(struct net_conn *conn, struct net_stream *stream, size_t *bytes)
{
    const struct base_frame *frame = stream->current->frames[stream->frame];
    const struct base_frame_part *part = &frame->parts[stream->part];
    struct local_part *parts = parts_of(part->buffer_count + 1);
    if (parts == NULL || !sent_reserve(conn)) {
        conn_end(conn, NET_END_FAILURE, "no memory for a frame");
        return false;
    }
    // What was left out lies between the last batch and this one: its first frame tells.
    const uint64_t dropped = stream->frame == 0 ? stream->current->dropped : 0;
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    net_streams_begin(&conn->streams, stream);
    if (frame->records) {
        protocol_records_head(head, frame->key_count, stream->id, (uint32_t)stream->seq);
    } else {
        protocol_frame_head(head, frame->key_count, stream->id, (uint32_t)stream->seq,
                            dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX);
    }
    parts[0] =
        (struct local_part){head, frame->records ? PROTOCOL_RECORDS_HEAD_SIZE : PROTOCOL_FRAME_HEAD_SIZE};
    for (uint32_t i = 0; i < part->buffer_count; i++) {
        parts[1 + i] = (struct local_part){part->buffers[i]->data, part->buffers[i]->size};
    }
    *bytes += parts[0].size + part->size;
    sent_push(conn, 0);
    conn->parts++;
    local_send(parts, part->buffer_count + 1);
    return true;
}

static void tell_behind(struct net_conn *conn)
{
    uint32_t id;
    while ((id = net_streams_behind(&conn->streams)) != 0) {
        conn->loop->listener->handler->on_behind(conn->context, conn, id);
    }
}

static void write_parts(struct net_conn *conn)
{
    size_t bytes = 0;
    struct net_stream *stream;
    if (conn->parts > 0 || conn->loop->gathering) {
        return;
    }
    while (!conn->over && bytes < WRITE_BYTES && (stream = net_streams_next(&conn->streams)) != NULL) {
        if (!send_part(conn, stream, &bytes)) {
            return;
        }
    }
    tell_behind(conn);
    conn->loop->listener->stats.bytes_out += bytes;
}

void net_loop_gather(struct net_loop *loop)
{
    loop->gathering = true;
}

void net_loop_gathered(struct net_loop *loop)
{
    loop->gathering = false;
    if (loop->conn != NULL) {
        write_parts(loop->conn);
    }
}

void local_net_taken(struct net_loop *loop, uint32_t count)
{
    struct net_conn *conn = loop->conn;
    if (conn == NULL) {
        return;
    }
    const size_t before = conn->unsent;
    for (; count > 0 && conn->sent_count > 0; count--) {
        const struct sent sent = conn->sent[conn->sent_first];
        conn->sent_first = (conn->sent_first + 1) % conn->sent_capacity;
        conn->sent_count--;
        conn->unsent -= sent.control;
        if (sent.control == 0 && --conn->parts == 0) {
            loop->listener->stats.frames_sent += net_streams_written(&conn->streams);
        }
    }
    tell_behind(conn);
    write_parts(conn);
    if (!conn->over && before > conn->drain_mark && conn->unsent <= conn->drain_mark) {
        loop->listener->handler->on_drained(conn->context, conn);
    }
}

size_t net_conn_unsent(const struct net_conn *conn)
{
    return conn->unsent;
}

void net_conn_drain_mark(struct net_conn *conn, size_t bytes)
{
    conn->drain_mark = bytes;
}

// ---------------------------------------------------------------------------------------------------------
// Streams

bool net_conn_stream_open(struct net_conn *conn, uint32_t stream)
{
    return !conn->over && net_streams_find(&conn->streams, stream) == NULL &&
           net_streams_add(&conn->streams, stream);
}

void net_conn_stream_close(struct net_conn *conn, uint32_t stream)
{
    net_streams_close(&conn->streams, stream);
}

void net_conn_stream_push(struct net_conn *conn, struct base_batch *batch)
{
    struct net_stream *stream = net_streams_find(&conn->streams, batch->stream);
    if (stream == NULL || stream->closing || conn->over || batch->frame_count == 0) {
        base_batch_destroy(batch);
        return;
    }
    const uint32_t dropped = net_stream_put(&conn->streams, stream, batch, conn->parts == 0);
    tell_behind(conn);
    if (stream->current == batch) {
        write_parts(conn);
    } else if (dropped > 0) {
        conn->loop->listener->stats.frames_dropped += dropped;
        // A page that takes nothing is the only one: its streams need not rest.
        conn->loop->listener->handler->on_lagged(conn->context, conn, stream->id, stream->dropped_total,
                                                 false);
    }
}

bool net_conn_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes)
{
    struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found != NULL && net_stream_limit(found, bytes);
}

bool net_conn_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq)
{
    struct net_stream *found = net_streams_find(&conn->streams, stream);
    if (found == NULL || !net_stream_ack(found, seq))
        return found == NULL;
    write_parts(conn);
    return true;
}

size_t net_conn_stream_waiting(const struct net_conn *conn, uint32_t stream)
{
    const struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found != NULL ? found->waiting_bytes : 0;
}

uint64_t net_conn_stream_moment(const struct net_conn *conn, uint32_t stream)
{
    const struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found != NULL ? net_stream_moment(found) : UINT64_MAX;
}

// ---------------------------------------------------------------------------------------------------------
// In

void local_net_receive(struct net_loop *loop, uint8_t *bytes, size_t size)
{
    struct net_conn *conn = loop->conn;
    struct incoming *incoming = conn != NULL && !conn->over ? malloc(sizeof *incoming) : NULL;
    if (incoming == NULL) {
        free(bytes);
        if (conn != NULL) {
            conn_end(conn, NET_END_FAILURE, "no memory for a message");
        }
        return;
    }
    *incoming = (struct incoming){.bytes = bytes, .size = size};
    if (conn->incoming_last != NULL) {
        conn->incoming_last->next = incoming;
    } else {
        conn->incoming = incoming;
    }
    conn->incoming_last = incoming;
    conn->incoming_bytes += size;
    loop->listener->stats.bytes_in += size;
    if (conn->incoming_bytes > loop->listener->limits.receive_bytes) {
        loop->listener->handler->on_overfull(conn->context, conn);
    }
}

static struct incoming *incoming_take(struct net_conn *conn)
{
    struct incoming *incoming = conn->incoming;
    if (incoming != NULL) {
        conn->incoming = incoming->next;
        conn->incoming_last = conn->incoming != NULL ? conn->incoming_last : NULL;
        conn->incoming_bytes -= incoming->size;
    }
    return incoming;
}

static void hand_up(struct net_conn *conn, struct incoming *incoming)
{
    const struct net_listener *listener = conn->loop->listener;
    struct protocol_scan scan;
    size_t consumed = 0;
    protocol_scan_init(&scan, &listener->limits.message);
    const enum protocol_scan_status status =
        protocol_scan_feed(&scan, incoming->bytes, incoming->size, &consumed);
    if (status == PROTOCOL_SCAN_DONE && consumed == incoming->size) {
        listener->handler->on_message(conn->context, conn, incoming->bytes, incoming->size);
    } else {
        free(incoming->bytes);
        listener->handler->on_bad_stream(conn->context, conn, status);
        conn_end(conn, NET_END_DATA, "its messages are wrong");
    }
    free(incoming);
}

static void messages_hand_up(struct net_loop *loop)
{
    const uint64_t end_ns = base_now_ns() + TURN_NS;
    struct incoming *incoming;
    while (loop->conn != NULL && !loop->conn->over && !loop->conn->held && base_now_ns() < end_ns &&
           (incoming = incoming_take(loop->conn)) != NULL) {
        hand_up(loop->conn, incoming);
    }
}

void net_conn_hold(struct net_conn *conn, bool hold)
{
    conn->held = hold;
}

// ---------------------------------------------------------------------------------------------------------
// Life

bool local_net_connect(struct net_loop *loop)
{
    BASE_ASSERT(loop->conn == NULL);
    struct net_conn *conn = calloc(1, sizeof *conn);
    if (conn == NULL) {
        return false;
    }
    conn->loop = loop;
    conn->context = loop->listener->on_accept(loop->listener->context, conn);
    if (conn->context == NULL) {
        free(conn->sent);
        free(conn);
        return false;
    }
    loop->conn = conn;
    loop->listener->stats.accepted++;
    loop->listener->stats.open = 1;
    return true;
}

static void conn_bury(struct net_loop *loop)
{
    struct net_conn *conn = loop->conn;
    struct incoming *incoming;
    loop->conn = NULL;
    loop->listener->stats.open = 0;
    loop->listener->handler->on_closed(conn->context, conn, conn->reason);
    while ((incoming = incoming_take(conn)) != NULL) {
        free(incoming->bytes);
        free(incoming);
    }
    net_streams_ground(&conn->streams);
    net_streams_deinit(&conn->streams);
    free(conn->sent);
    free(conn);
}

void local_net_disconnect(struct net_loop *loop)
{
    struct net_conn *conn = loop->conn;
    if (conn != NULL && !conn->over) {
        conn->over = true; // it knows
        snprintf(conn->reason, sizeof conn->reason, "the page left");
    }
    if (conn != NULL) {
        conn_bury(loop);
    }
}

void net_conn_finish(struct net_conn *conn, enum net_end end, const char *reason)
{
    conn_end(conn, end, reason); // all that there is was sent
}

void net_conn_cut(struct net_conn *conn, enum net_end end, const char *reason)
{
    conn_end(conn, end, reason);
}

void net_conn_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms)
{
    (void)grace_ms;
    if (words != NULL) {
        net_conn_send(conn, words);
    }
    conn_end(conn, end, reason);
}

void net_conn_tell(struct net_conn *conn, struct base_buffer *bytes)
{
    (void)conn; // it is refused, and never heard of again
    local_send(&(struct local_part){bytes->data, bytes->size}, 1);
}

void net_conn_peer(const struct net_conn *conn, char *out, size_t size)
{
    (void)conn;
    snprintf(out, size, "page");
}

uint64_t net_conn_origin(const struct net_conn *conn, bool *loopback)
{
    (void)conn;
    *loopback = true;
    return 0;
}

uint64_t net_conn_quiet_ms(const struct net_conn *conn)
{
    (void)conn;
    return 0;
}

bool net_conn_is_over(const struct net_conn *conn)
{
    return conn->over;
}

bool net_conn_has_begun(const struct net_conn *conn)
{
    (void)conn;
    return false;
}

bool net_conn_overdue(const struct net_conn *conn)
{
    (void)conn;
    return false;
}

void net_conn_trust(struct net_conn *conn)
{
    (void)conn;
}

enum net_peer net_conn_look(const struct net_conn *conn)
{
    (void)conn;
    return NET_PEER_THERE;
}

uint64_t local_net_turn(struct net_loop *loop)
{
    if (loop->conn != NULL && loop->conn->over) {
        conn_bury(loop);
    }
    messages_hand_up(loop);
    work_one(loop);
    const uint64_t timer_ns = timers_call(loop);
    wakes_call(loop);
    const struct net_conn *conn = loop->conn;
    const bool more = loop->work != NULL || wakes_wait(loop) ||
                      (conn != NULL && (conn->over || (!conn->held && conn->incoming != NULL)));
    return more ? 0 : timer_ns;
}
