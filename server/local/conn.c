// Implements the connections of net/net.h for peers in the process.
//
//     peer ──local_peer_receive──▶ messages ─┐
//     peer ──local_peer_feed─────▶ stream ───┴─turn─▶ on_message
//     peer ◀──sent──────────────── control, and parts of frames between it
//     peer ───local_peer_taken───▶ it has looked at the oldest of them
//
// Nobody makes a peer take what it was sent, so what it has not looked at counts as unsent. A write is some
// parts of frames. The next one begins when the peer has taken all of the last; newer frames replace those
// that wait meanwhile.
#include "base/assert.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "local/parts.h"
#include "net/streams.h"
#include "protocol/array/reserve.h"
#include "protocol/frame.h"
#include "protocol/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITE_BYTES = 256 * 1024,
    TURN_NS = 5 * 1000 * 1000, // time of a turn for messages
    MESSAGE_MS = 30 * 1000,    // time that a message may fall behind, if no limit says otherwise
    NS_OF_MS = 1000 * 1000,
};

struct incoming {
    struct incoming *next;
    uint8_t *bytes;
    size_t size;
};

// Bytes that came and are not handed up: whole messages, and the beginning of one.
struct stream_in {
    uint8_t *bytes;
    size_t size, capacity;
    size_t scanned; // bytes of the message at bytes[0] that were scanned
    struct protocol_scan scan;
};

// Messages that the peer was sent and has not taken, the oldest first.
struct sent {
    size_t control; // bytes of a control message; 0: a part of a frame
};

struct net_conn {
    struct net_loop *loop;
    struct net_listener *listener;
    struct net_conn *next;
    struct local_peer_options peer;
    void *context; // the handler's
    bool over;     // ended, which the next turn reports
    bool retired;  // its end was reported
    bool held;
    bool trusted;
    bool ended, end_told; // the peer sends no more
    char reason[96];
    char address[64];
    struct incoming *incoming, *incoming_last;
    struct stream_in in;
    size_t incoming_bytes; // bytes of both
    uint64_t due_ns;       // when the message that has begun must be complete; 0: none has begun
    uint64_t moved_ns;
    struct sent *sent;
    size_t sent_first, sent_count, sent_capacity;
    size_t unsent, drain_mark;
    uint32_t parts; // parts of the write that the peer has not taken
    struct net_streams streams;
};

// Returns the connection of a peer's handle. They are the same.
static struct net_conn *conn_of(struct local_peer *peer)
{
    return (struct net_conn *)(void *)peer;
}

static const struct net_conn_handler *handler_of(const struct net_conn *conn)
{
    return conn->listener->handler;
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
    conn->peer.closed(conn->peer.context, (uint32_t)end, conn->reason);
}

// Makes room for one more message. False if memory runs out: then the connection has ended.
static bool sent_reserve(struct net_conn *conn)
{
    if (conn->sent_count < conn->sent_capacity) {
        return true;
    }
    BASE_ASSERT(conn->sent_count == conn->sent_capacity);
    const size_t capacity = conn->sent_capacity == 0 ? 64 : 2 * conn->sent_capacity;
    struct sent *sent = malloc(capacity * sizeof *sent);
    if (!sent) {
        conn_end(conn, NET_END_FAILURE, "no memory for what the peer should be told");
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
    conn->listener->stats.bytes_out += bytes->size;
    conn->peer.sent(conn->peer.context, &part, 1);
}

// Returns room for the parts of one message. The same memory is used each time. NULL if memory runs out.
static struct local_part *parts_of(struct net_loop *loop, uint32_t count)
{
    return array_reserve(&loop->parts, &loop->parts_capacity, count) ? loop->parts : NULL;
}

// Sends the next part of a stream's frame, with its head. False if memory runs out.
static bool send_part(struct net_conn *conn, struct net_stream *stream, size_t *bytes)
{
    const struct base_frame *frame = stream->current->frames[stream->frame];
    const struct base_frame_part *part = &frame->parts[stream->part];
    struct local_part *parts = parts_of(conn->loop, part->buffer_count + 1);
    if (!parts || !sent_reserve(conn)) {
        conn_end(conn, NET_END_FAILURE, "no memory for a frame");
        return false;
    }
    // Frames were left out between the last batch and this one. The first frame of this one tells it.
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
    conn->peer.sent(conn->peer.context, parts, part->buffer_count + 1);
    return true;
}

static void tell_behind(struct net_conn *conn)
{
    uint32_t id;
    while ((id = net_streams_behind(&conn->streams)) != 0) {
        if (!conn->over) {
            handler_of(conn)->on_behind(conn->context, conn, id);
        }
    }
}

// Goes backwards, because the callback may end streams.
static void tell_moving(struct net_conn *conn)
{
    struct net_streams *streams = &conn->streams;
    if (!streams->moved || conn->over) {
        return;
    }
    streams->moved = false;
    for (uint32_t left = streams->count; left > 0; left--) {
        struct net_stream *stream = left <= streams->count ? streams->items[left - 1] : NULL;
        if (stream && stream->moved) {
            stream->moved = false;
            if (!stream->closing) {
                handler_of(conn)->on_moving(conn->context, conn, stream->id);
            }
        }
    }
}

static void write_parts(struct net_conn *conn)
{
    size_t bytes = 0;
    struct net_stream *stream;
    if (conn->parts > 0 || conn->loop->gathering) {
        return;
    }
    while (!conn->over && bytes < WRITE_BYTES && (stream = net_streams_next(&conn->streams))) {
        if (!send_part(conn, stream, &bytes)) {
            return;
        }
    }
    tell_behind(conn);
    conn->listener->stats.bytes_out += bytes;
}

void local_conns_gathered(struct net_loop *loop)
{
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        write_parts(conn);
    }
}

void local_peer_taken(struct local_peer *peer, uint32_t count)
{
    struct net_conn *conn = conn_of(peer);
    if (conn->retired) {
        return;
    }
    const size_t before = conn->unsent;
    if (count > 0) {
        conn->moved_ns = base_now_ns();
    }
    for (; count > 0 && conn->sent_count > 0; count--) {
        const struct sent sent = conn->sent[conn->sent_first];
        conn->sent_first = (conn->sent_first + 1) % conn->sent_capacity;
        conn->sent_count--;
        conn->unsent -= sent.control;
        if (sent.control == 0 && --conn->parts == 0) {
            conn->listener->stats.frames_sent += net_streams_written(&conn->streams);
        }
    }
    tell_behind(conn);
    write_parts(conn);
    tell_moving(conn);
    if (!conn->over && before > conn->drain_mark && conn->unsent <= conn->drain_mark) {
        handler_of(conn)->on_drained(conn->context, conn);
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
    return !conn->over && !net_streams_find(&conn->streams, stream) &&
           net_streams_add(&conn->streams, stream);
}

uint64_t net_conn_stream_close(struct net_conn *conn, uint32_t stream)
{
    return net_streams_close(&conn->streams, stream);
}

void net_conn_stream_push(struct net_conn *conn, struct base_batch *batch)
{
    struct net_stream *stream = net_streams_find(&conn->streams, batch->stream);
    if (!stream || stream->closing || conn->over || batch->frame_count == 0) {
        base_batch_destroy(batch);
        return;
    }
    const uint32_t dropped = net_stream_put(&conn->streams, stream, batch, conn->parts == 0);
    // If nothing of the stream waits to be written, it lacks a batch, and its peer is not the cause.
    const bool blocked = dropped > 0 && conn->parts > 0 && stream->current;
    stream->lagged = stream->lagged || blocked;
    tell_behind(conn);
    if (stream->current == batch) {
        write_parts(conn);
    } else if (dropped > 0) {
        conn->listener->stats.frames_dropped += dropped;
        handler_of(conn)->on_lagged(conn->context, conn, stream->id, stream->dropped_total, blocked);
    }
}

bool net_conn_stream_limit(struct net_conn *conn, uint32_t stream, size_t bytes)
{
    struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found && net_stream_limit(found, bytes);
}

bool net_conn_stream_ack(struct net_conn *conn, uint32_t stream, uint32_t seq)
{
    struct net_stream *found = net_streams_find(&conn->streams, stream);
    if (!found || !net_stream_ack(found, seq)) {
        return !found;
    }
    write_parts(conn);
    return true;
}

size_t net_conn_stream_waiting(const struct net_conn *conn, uint32_t stream)
{
    const struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found ? found->waiting_bytes : 0;
}

uint64_t net_conn_stream_moment(const struct net_conn *conn, uint32_t stream)
{
    const struct net_stream *found = net_streams_find(&conn->streams, stream);
    return found ? net_stream_moment(found) : UINT64_MAX;
}

// ---------------------------------------------------------------------------------------------------------
// In

static uint64_t message_ns(const struct net_conn *conn)
{
    const uint32_t given_ms = conn->listener->limits.message_ms;
    return (uint64_t)(given_ms > 0 ? given_ms : MESSAGE_MS) * NS_OF_MS;
}

// Moves the deadline of the present message. Bytes buy time, but never more than there was at the start.
static void due_update(struct net_conn *conn, size_t came)
{
    const uint64_t most_ns = base_now_ns() + message_ns(conn);
    const uint64_t due_ns =
        conn->due_ns == 0 ? most_ns : conn->due_ns + came / NET_MESSAGE_BYTES_MS * NS_OF_MS;
    conn->due_ns = due_ns < most_ns ? due_ns : most_ns;
}

// Returns the connection to end if too many bytes wait: one that is overdue, else the one that holds most.
static struct net_conn *fullest(const struct net_loop *loop, const struct net_listener *listener)
{
    struct net_conn *found = NULL;
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        if (conn->listener != listener) {
            continue;
        }
        const bool late = net_conn_overdue(conn), found_late = found && net_conn_overdue(found);
        if (!conn->over && conn->incoming_bytes > 0 &&
            (!found || (late && !found_late) ||
             (late == found_late && conn->incoming_bytes > found->incoming_bytes))) {
            found = conn;
        }
    }
    return found;
}

static void incoming_drop(struct net_conn *conn)
{
    struct incoming *incoming;
    while ((incoming = conn->incoming)) {
        conn->incoming = incoming->next;
        free(incoming->bytes);
        free(incoming);
    }
    conn->incoming_last = NULL;
    free(conn->in.bytes);
    conn->in = (struct stream_in){0};
    conn->incoming_bytes = 0;
    conn->due_ns = 0;
}

// Ends connections while more bytes wait than are allowed.
static void relieve(struct net_loop *loop, const struct net_listener *listener)
{
    uint64_t all = 0;
    for (const struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        all += conn->listener == listener ? conn->incoming_bytes : 0;
    }
    struct net_conn *conn;
    while (all > listener->limits.receive_bytes && (conn = fullest(loop, listener))) {
        all -= conn->incoming_bytes;
        handler_of(conn)->on_overfull(conn->context, conn);
        conn_end(conn, NET_END_TOO_LARGE, "too many bytes wait");
        incoming_drop(conn);
    }
}

static void came(struct net_conn *conn, size_t size)
{
    conn->incoming_bytes += size;
    conn->moved_ns = base_now_ns();
    conn->listener->stats.bytes_in += size;
    relieve(conn->loop, conn->listener);
}

void local_peer_receive(struct local_peer *peer, uint8_t *bytes, size_t size)
{
    struct net_conn *conn = conn_of(peer);
    struct incoming *incoming = conn->over ? NULL : malloc(sizeof *incoming);
    if (!incoming) {
        free(bytes);
        conn_end(conn, NET_END_FAILURE, "no memory for a message");
        return;
    }
    *incoming = (struct incoming){.bytes = bytes, .size = size};
    if (conn->incoming_last) {
        conn->incoming_last->next = incoming;
    } else {
        conn->incoming = incoming;
    }
    conn->incoming_last = incoming;
    came(conn, size);
}

void local_peer_feed(struct local_peer *peer, const uint8_t *bytes, size_t size)
{
    struct net_conn *conn = conn_of(peer);
    struct stream_in *in = &conn->in;
    if (conn->over || conn->ended) {
        return;
    }
    if (!array_reserve(&in->bytes, &in->capacity, in->size + size)) {
        conn_end(conn, NET_END_FAILURE, "no memory for a message");
        return;
    }
    if (size > 0) {
        memcpy(in->bytes + in->size, bytes, size);
    }
    in->size += size;
    due_update(conn, size);
    came(conn, size);
}

bool local_peer_is_read(const struct local_peer *peer)
{
    const struct net_conn *conn = (const struct net_conn *)(const void *)peer;
    return !conn->over && !conn->held;
}

void local_peer_end(struct local_peer *peer)
{
    conn_of(peer)->ended = true;
}

// Hands a message up. The bytes are malloc'd for it; NULL: memory ran out.
static void hand_up(struct net_conn *conn, enum protocol_scan_status status, uint8_t *bytes, size_t size)
{
    conn->incoming_bytes -= size;
    if (status == PROTOCOL_SCAN_DONE && bytes) {
        handler_of(conn)->on_message(conn->context, conn, bytes, size);
    } else if (!bytes) {
        conn_end(conn, NET_END_FAILURE, "no memory for a message");
    } else {
        free(bytes);
        handler_of(conn)->on_bad_stream(conn->context, conn, status);
        conn_end(conn, NET_END_DATA, "its messages are wrong");
    }
}

static struct protocol_scan_limits limits_of(const struct net_conn *conn)
{
    const struct net_limits *limits = &conn->listener->limits;
    struct protocol_scan_limits message = limits->message;
    if (!conn->trusted && limits->first_bytes > 0) {
        message.bytes = limits->first_bytes;
    }
    return message;
}

// Takes the next message of a WebSocket, if one waits.
static bool take_message(struct net_conn *conn)
{
    struct incoming *incoming = conn->incoming;
    if (!incoming) {
        return false;
    }
    conn->incoming = incoming->next;
    conn->incoming_last = conn->incoming ? conn->incoming_last : NULL;
    const struct protocol_scan_limits limits = limits_of(conn);
    struct protocol_scan scan;
    size_t consumed = 0;
    protocol_scan_init(&scan, &limits);
    enum protocol_scan_status status = protocol_scan_feed(&scan, incoming->bytes, incoming->size, &consumed);
    uint8_t *bytes = incoming->bytes;
    const size_t size = incoming->size;
    free(incoming);
    if (status == PROTOCOL_SCAN_DONE && consumed < size) {
        conn->incoming_bytes -= size;
        free(bytes);
        handler_of(conn)->on_bad_stream(conn->context, conn, status);
        conn_end(conn, NET_END_DATA, "its messages are wrong");
    } else {
        hand_up(conn, status, bytes, size);
    }
    return true;
}

// Takes the next message of a stream. Also false if the message is not complete yet.
static bool take_of_stream(struct net_conn *conn)
{
    struct stream_in *in = &conn->in;
    if (in->scanned == in->size) {
        return false;
    }
    if (in->scanned == 0) {
        const struct protocol_scan_limits limits = limits_of(conn);
        protocol_scan_init(&in->scan, &limits);
    }
    size_t consumed = 0;
    const enum protocol_scan_status status =
        protocol_scan_feed(&in->scan, in->bytes + in->scanned, in->size - in->scanned, &consumed);
    in->scanned += consumed;
    if (status == PROTOCOL_SCAN_MORE) {
        return false;
    }
    const size_t size = in->scanned;
    uint8_t *message = malloc(size > 0 ? size : 1);
    if (message) {
        memcpy(message, in->bytes, size);
    }
    memmove(in->bytes, in->bytes + size, in->size - size);
    in->size -= size;
    in->scanned = 0;
    conn->due_ns = 0;
    if (in->size > 0) {
        due_update(conn, 0);
    }
    hand_up(conn, status, message, size);
    return true;
}

static bool is_read(const struct net_conn *conn)
{
    return !conn->over && !conn->held;
}

// Takes one message of each connection in turn, so that no peer that sends much is before the others.
void local_conns_take(struct net_loop *loop)
{
    const uint64_t end_ns = base_now_ns() + TURN_NS;
    bool any = true;
    while (any && base_now_ns() < end_ns) {
        any = false;
        for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
            any |= is_read(conn) && (take_message(conn) || take_of_stream(conn));
        }
    }
    for (struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        if (is_read(conn) && conn->ended && !conn->end_told && !conn->incoming &&
            conn->in.scanned == conn->in.size) {
            conn->end_told = true;
            handler_of(conn)->on_end(conn->context, conn);
        }
    }
}

bool local_conns_wait(const struct net_loop *loop)
{
    for (const struct net_conn *conn = loop->conns; conn; conn = conn->next) {
        if (conn->over || (!conn->held && (conn->incoming || conn->in.scanned < conn->in.size ||
                                           (conn->ended && !conn->end_told)))) {
            return true;
        }
    }
    return false;
}

void net_conn_hold(struct net_conn *conn, bool hold)
{
    conn->held = hold;
}

// ---------------------------------------------------------------------------------------------------------
// Life

struct net_conn *local_conn_create(struct net_listener *listener)
{
    struct net_conn *conn = calloc(1, sizeof *conn);
    if (conn) {
        conn->loop = listener->loop;
        conn->listener = listener;
        conn->moved_ns = base_now_ns();
    }
    return conn;
}

static void set_peer(struct net_conn *conn, const struct local_peer_options *peer)
{
    conn->peer = *peer;
    snprintf(conn->address, sizeof conn->address, "%s", peer->address);
}

void local_conn_drop(struct net_conn *conn)
{
    free(conn->sent);
    free(conn);
}

void local_conn_begin(struct net_conn *conn, const struct local_peer_options *peer, void *context)
{
    set_peer(conn, peer);
    conn->context = context;
    struct net_conn **at = &conn->loop->conns;
    while (*at) {
        at = &(*at)->next;
    }
    *at = conn;
    conn->listener->stats.accepted++;
    conn->listener->stats.open++;
}

struct local_peer *local_conn_open(struct net_loop *loop, const struct local_peer_options *options)
{
    struct net_listener *listener = loop->listener;
    struct net_conn *conn = listener->closed ? NULL : local_conn_create(listener);
    if (!conn) {
        return NULL;
    }
    set_peer(conn, options); // which it is asked for
    void *context = listener->on_accept(listener->context, conn);
    if (!context) {
        listener->stats.refused++;
        local_conn_drop(conn);
        return NULL;
    }
    local_conn_begin(conn, options, context);
    return (struct local_peer *)(void *)conn;
}

// Ends a connection and reports it. The peer still has its handle.
static void retire(struct net_conn *conn)
{
    struct net_loop *loop = conn->loop;
    struct net_conn **at = &loop->conns;
    while (*at != conn) {
        at = &(*at)->next;
    }
    *at = conn->next;
    conn->next = loop->retired;
    loop->retired = conn;
    conn->retired = true;
    loop->listener->stats.open--;
    handler_of(conn)->on_closed(conn->context, conn, conn->reason);
    incoming_drop(conn);
    net_streams_ground(&conn->streams);
    net_streams_deinit(&conn->streams);
    free(conn->sent);
    conn->sent = NULL;
    conn->sent_count = 0;
}

void local_conns_end(struct net_loop *loop)
{
    for (struct net_conn *conn = loop->conns, *next; conn; conn = next) {
        next = conn->next;
        if (conn->over) {
            retire(conn);
        }
    }
}

static void conn_leave(struct net_conn *conn)
{
    if (!conn->over) {
        conn->over = true; // the peer knows
        snprintf(conn->reason, sizeof conn->reason, "the peer left");
    }
    if (!conn->retired) {
        retire(conn);
    }
}

void local_peer_disconnect(struct local_peer *peer)
{
    if (!peer) {
        return;
    }
    struct net_conn *conn = conn_of(peer);
    conn_leave(conn);
    struct net_conn **at = &conn->loop->retired;
    while (*at != conn) {
        at = &(*at)->next;
    }
    *at = conn->next;
    free(conn);
}

void local_conns_leave(struct net_loop *loop)
{
    while (loop->conns) {
        conn_leave(loop->conns);
    }
}

void local_conns_destroy(struct net_loop *loop)
{
    local_conns_leave(loop);
    for (struct net_conn *conn = loop->retired, *next; conn; conn = next) {
        next = conn->next;
        free(conn);
    }
    loop->retired = NULL;
}

void net_conn_finish(struct net_conn *conn, enum net_end end, const char *reason)
{
    conn_end(conn, end, reason); // everything was sent already
}

void net_conn_cut(struct net_conn *conn, enum net_end end, const char *reason)
{
    conn_end(conn, end, reason);
}

void net_conn_dismiss(struct net_conn *conn, enum net_end end, const char *reason, struct base_buffer *words,
                      uint32_t grace_ms)
{
    (void)grace_ms;
    if (words) {
        net_conn_send(conn, words);
    }
    conn_end(conn, end, reason);
}

// Sends bytes to a peer that is refused.
void net_conn_tell(struct net_conn *conn, struct base_buffer *bytes)
{
    conn->peer.sent(conn->peer.context, &(struct local_part){bytes->data, bytes->size}, 1);
}

// ---------------------------------------------------------------------------------------------------------
// What is asked of one

void net_conn_peer(const struct net_conn *conn, char *out, size_t size)
{
    snprintf(out, size, "%s", conn->address);
}

uint64_t net_conn_origin(const struct net_conn *conn, bool *loopback)
{
    *loopback = conn->peer.loopback;
    return conn->peer.origin;
}

uint64_t net_conn_quiet_ms(const struct net_conn *conn)
{
    return (base_now_ns() - conn->moved_ns) / NS_OF_MS;
}

bool net_conn_is_over(const struct net_conn *conn)
{
    return conn->over;
}

bool net_conn_has_begun(const struct net_conn *conn)
{
    return conn->in.size > 0;
}

bool net_conn_overdue(const struct net_conn *conn)
{
    return conn->due_ns != 0 && !conn->held && base_now_ns() > conn->due_ns;
}

// Sets the limits for later messages. Nothing of the next one has been scanned yet.
void net_conn_trust(struct net_conn *conn)
{
    conn->trusted = true;
}

enum net_peer net_conn_look(const struct net_conn *conn)
{
    return conn->ended ? NET_PEER_ENDED : NET_PEER_THERE;
}
