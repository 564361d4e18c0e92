// The writing side: control messages in order, and frames of streams between them.
//
// One write is under way at a time; what waits meanwhile is gathered into the next. A write is
//
//     aside | control control ... control | part part ... | farewell
//
// Each message may have a header of the framing in front, which also has words of its own: aside (the
// handshake's answer, pings and pongs of a WebSocket) and farewell (its close frame, when nothing follows any
// more). All that waits of control goes first; then parts of frames, the streams taking turns, while the
// parts stay within NET_WRITE_BYTES together; one part goes always, so that a flood of control messages does
// not starve the frames, nor a part larger than that itself. Hence a control message never waits behind more
// than one part, or NET_WRITE_BYTES of smaller ones.
//
// While the loop gathers, connections that have something to write stand in its list; so what a turn gives one of them is one
// write. What is small, the kernel mostly takes at once: then it is done, and costs no request and no callback.
//
// What is written is not copied: a write points into the buffers of control messages and batches, which stay
// in their queues until it is done. Invariants: the first control_in_flight control messages, the current
// batches of streams marked in_flight, the heads, and what was said aside, do not change while `writing`.
#include "net/net_internal.h"

#include "base/assert.h"
#include "base/thread.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

// Whoever has a connection of another loop (far.h) puts into its outbox from there: then all of it but the write under way is
// under a mutex. Nobody is called with that in hand.
static void lock(struct net_outbox *outbox)
{
    if (outbox->mutex) {
        base_mutex_lock(outbox->mutex);
    }
}

static void unlock(struct net_outbox *outbox)
{
    if (outbox->mutex) {
        base_mutex_unlock(outbox->mutex);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Streams

bool net_outbox_open(struct net_outbox *outbox, uint32_t id)
{
    return !outbox->streams_over && !net_streams_find(&outbox->streams, id) && net_outbox_heads(outbox) &&
           net_streams_add(&outbox->streams, id);
}

bool net_near_stream_open(struct net_conn *conn, uint32_t id)
{
    return net_outbox_open(&conn->outbox, id);
}

uint64_t net_near_stream_close(struct net_conn *conn, uint32_t id)
{
    return net_streams_close(&conn->outbox.streams, id);
}

static void tell_behind(struct net_conn *conn)
{
    uint32_t id;
    if (conn->outbox.mutex) {
        return; // tell_far
    }
    while ((id = net_streams_behind(&conn->outbox.streams)) != 0) {
        if (conn->handler->on_behind && conn->state < NET_CONN_FINISHING) {
            conn->handler->on_behind(conn->context, conn, id);
        }
    }
}

uint32_t net_outbox_put(struct net_outbox *outbox, struct net_stream *stream, struct base_batch *batch,
                        bool *blocked)
{
    uint32_t dropped = net_stream_put(&outbox->streams, stream, batch, !outbox->writing);
    // If nothing of the stream is to be written, it lacks a batch, and its peer is not in the way.
    *blocked = dropped > 0 && outbox->writing && stream->current;
    stream->lagged = stream->lagged || *blocked;
    outbox->dropped += dropped;
    return dropped;
}

static void stream_put(struct net_conn *conn, struct net_stream *stream, struct base_batch *batch)
{
    bool blocked;
    uint32_t dropped = net_outbox_put(&conn->outbox, stream, batch, &blocked);
    tell_behind(conn);
    if (dropped == 0) {
        net_outbox_kick(conn);
        return;
    }
    conn->listener->stats.frames_dropped += conn->outbox.dropped;
    conn->outbox.dropped = 0;
    if (conn->handler->on_lagged) {
        conn->handler->on_lagged(conn->context, conn, stream->id, stream->dropped_total, blocked);
    }
}

// A blocked peer's batches are seen to when those of others are on their way.
static bool put_late(struct net_conn *conn, struct net_stream *stream, struct base_batch *batch)
{
    struct net_loop *loop = conn->loop;
    if (!loop->gathering || !conn->outbox.writing || batch->lossless || stream->late) {
        return false;
    }
    stream->late = batch;
    if (!conn->late) {
        conn->late = true;
        conn->next_late = loop->late;
        loop->late = conn;
    }
    return true;
}

static void stream_put_late(struct net_conn *conn, struct net_stream *stream)
{
    struct base_batch *late = stream->late;
    stream->late = NULL;
    if (late) {
        stream_put(conn, stream, late);
    }
}

struct net_stream *net_outbox_taking(const struct net_outbox *outbox, const struct base_batch *batch)
{
    struct net_stream *stream =
        batch->frame_count > 0 ? net_streams_find(&outbox->streams, batch->stream) : NULL;
    return stream && !stream->closing && !outbox->streams_over ? stream : NULL;
}

void net_near_stream_push(struct net_conn *conn, struct base_batch *batch)
{
    struct net_stream *stream = net_outbox_taking(&conn->outbox, batch);
    if (stream && put_late(conn, stream, batch)) {
        return;
    }
    if (stream && stream->late) {
        stream_put_late(conn, stream);
        stream = net_outbox_taking(&conn->outbox, batch); // whoever was told that it lags may have ended it
    }
    if (stream) {
        stream_put(conn, stream, batch);
    } else {
        base_batch_destroy(batch);
    }
}

bool net_outbox_limit(struct net_outbox *outbox, uint32_t id, size_t bytes)
{
    struct net_stream *stream = net_streams_find(&outbox->streams, id);
    return stream && net_stream_limit(stream, bytes);
}

bool net_outbox_ack(struct net_outbox *outbox, uint32_t id, uint32_t seq, bool *more)
{
    struct net_stream *stream = net_streams_find(&outbox->streams, id);
    *more = false;
    if (!stream || stream->closing || outbox->streams_over) {
        return true;
    }
    *more = stream->credit != NULL;
    return net_stream_ack(stream, seq);
}

bool net_near_stream_limit(struct net_conn *conn, uint32_t id, size_t bytes)
{
    return net_outbox_limit(&conn->outbox, id, bytes);
}

bool net_near_stream_ack(struct net_conn *conn, uint32_t id, uint32_t seq)
{
    bool more;
    if (!net_outbox_ack(&conn->outbox, id, seq, &more)) {
        return false;
    }
    if (more) {
        net_outbox_kick(conn);
    }
    return true;
}

size_t net_near_stream_waiting(const struct net_conn *conn, uint32_t id)
{
    const struct net_stream *stream = net_streams_find(&conn->outbox.streams, id);
    return stream ? stream->waiting_bytes : 0;
}

uint64_t net_near_stream_moment(const struct net_conn *conn, uint32_t id)
{
    const struct net_stream *stream = net_streams_find(&conn->outbox.streams, id);
    return stream ? net_stream_moment(stream) : UINT64_MAX;
}

// ---------------------------------------------------------------------------------------------------------
// Control messages

static struct base_buffer **control_at(const struct net_outbox *outbox, size_t index)
{
    return &outbox->control[(outbox->control_head + index) & (outbox->control_capacity - 1)];
}

static bool control_grow(struct net_outbox *outbox)
{
    size_t capacity = outbox->control_capacity ? outbox->control_capacity * 2 : 16;
    struct base_buffer **control = malloc(capacity * sizeof(struct base_buffer *));
    if (!control) {
        return false;
    }
    for (size_t i = 0; i < outbox->control_count; i++) {
        control[i] = *control_at(outbox, i);
    }
    free(outbox->control);
    outbox->control = control;
    outbox->control_capacity = capacity;
    outbox->control_head = 0;
    return true;
}

bool net_outbox_send(struct net_outbox *outbox, struct base_buffer *bytes)
{
    if (outbox->over || bytes->size == 0) {
        return true;
    }
    if (outbox->control_count == outbox->control_capacity && !control_grow(outbox)) {
        return false;
    }
    outbox->control_count++;
    *control_at(outbox, outbox->control_count - 1) = base_buffer_ref(bytes);
    outbox->unsent += bytes->size;
    outbox->above = outbox->above || outbox->unsent > outbox->drain_mark;
    return true;
}

void net_near_send(struct net_conn *conn, struct base_buffer *bytes)
{
    lock(&conn->outbox);
    bool taken = net_outbox_send(&conn->outbox, bytes);
    unlock(&conn->outbox);
    if (taken) {
        net_outbox_kick(conn);
    } else {
        conn->outbox.owner->fail(conn, "the server has run out of memory");
    }
}

size_t net_near_unsent(const struct net_conn *conn)
{
    return conn->outbox.unsent;
}

void net_outbox_mark(struct net_outbox *outbox, size_t bytes)
{
    outbox->drain_mark = bytes;
    outbox->above = outbox->unsent > bytes;
}

void net_near_drain_mark(struct net_conn *conn, size_t bytes)
{
    net_outbox_mark(&conn->outbox, bytes);
}

// Drops the last ones until keep are left.
static void control_drop(struct net_outbox *outbox, size_t keep)
{
    while (outbox->control_count > keep) {
        outbox->control_count--;
        struct base_buffer *bytes = *control_at(outbox, outbox->control_count);
        outbox->unsent -= bytes->size;
        base_buffer_unref(bytes);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Gathering

struct gathering {
    struct net_loop *loop;
    const struct net_framing *framing;
    size_t count; // of loop->iov
    size_t bytes;
    size_t part_bytes;
    uint32_t messages, parts;
};

// Room for more buffers. Only a message of more than NET_WRITE_BUFFERS ever needs it to grow.
static bool gathering_reserve(struct gathering *gathering, size_t more)
{
    struct net_loop *loop = gathering->loop;
    return array_reserve(&loop->iov, &loop->iov_capacity, gathering->count + more);
}

static void gathering_add(struct gathering *gathering, const void *data, size_t size)
{
    gathering->loop->iov[gathering->count++] = (uv_buf_t){.base = (char *)data, .len = size};
    gathering->bytes += size;
}

// The framing's header, if it has one, in front of what stands in this message's head behind it.
static void gather_head(struct net_outbox *outbox, struct gathering *gathering, size_t message_size,
                        size_t rest_of_head)
{
    uint8_t *rest = rest_of_head > 0 ? outbox->heads[gathering->messages] + NET_FRAMING_HEAD_MAX : NULL;
    if (gathering->framing->head) {
        uint8_t header[NET_FRAMING_HEAD_MAX];
        size_t size = gathering->framing->head(header, message_size);
        // Right before the rest, so that both are one buffer of the write.
        rest = outbox->heads[gathering->messages] + NET_FRAMING_HEAD_MAX - size;
        memcpy(rest, header, size);
        rest_of_head += size;
    }
    if (rest_of_head > 0) {
        gathering_add(gathering, rest, rest_of_head);
    }
}

static void gather_control(struct net_outbox *outbox, struct gathering *gathering)
{
    // One message and one head are left to a part.
    while (outbox->control_in_flight < outbox->control_count &&
           gathering->messages < NET_WRITE_MESSAGES - 1 && gathering->bytes < NET_WRITE_BYTES) {
        const struct base_buffer *bytes = *control_at(outbox, outbox->control_in_flight);
        gather_head(outbox, gathering, bytes->size, 0);
        gathering_add(gathering, bytes->data, bytes->size);
        outbox->control_in_flight++;
        gathering->messages++;
    }
}

static void gather_part(struct net_outbox *outbox, struct net_stream *stream, struct gathering *gathering)
{
    const struct base_frame *frame = stream->current->frames[stream->frame];
    const struct base_frame_part *part = &frame->parts[stream->part];
    // The frames that were left out lie between the last batch and this one: its first frame tells.
    uint64_t dropped = stream->frame == 0 ? stream->current->dropped : 0;
    net_streams_begin(&outbox->streams, stream);
    uint8_t *head = outbox->heads[gathering->messages] + NET_FRAMING_HEAD_MAX;
    size_t head_size = frame->records ? PROTOCOL_RECORDS_HEAD_SIZE : PROTOCOL_FRAME_HEAD_SIZE;
    if (frame->records) {
        protocol_records_head(head, frame->key_count, stream->id, (uint32_t)stream->seq);
    } else {
        protocol_frame_head(head, frame->key_count, stream->id, (uint32_t)stream->seq,
                            dropped < UINT32_MAX ? (uint32_t)dropped : UINT32_MAX);
    }
    gather_head(outbox, gathering, head_size + part->size, head_size);
    for (uint32_t b = 0; b < part->buffer_count; b++) {
        gathering_add(gathering, part->buffers[b]->data, part->buffers[b]->size);
    }
    gathering->part_bytes += head_size + part->size;
    gathering->messages++;
    gathering->parts++;
}

// False without memory.
static bool gather_parts(struct net_outbox *outbox, struct gathering *gathering)
{
    bool control_waits = outbox->control_in_flight < outbox->control_count;
    struct net_stream *stream;
    while ((stream = net_streams_next(&outbox->streams))) {
        const struct base_frame *frame = stream->current->frames[stream->frame];
        const struct base_frame_part *part = &frame->parts[stream->part];
        size_t buffers = (size_t)part->buffer_count + 1;
        size_t bytes = part->size + PROTOCOL_FRAME_HEAD_SIZE;
        bool fits = !control_waits && gathering->messages < NET_WRITE_MESSAGES &&
                    gathering->part_bytes + bytes <= NET_WRITE_BYTES &&
                    gathering->count + buffers <= NET_WRITE_BUFFERS;
        if (!fits && gathering->parts > 0) {
            return true;
        }
        if (!gathering_reserve(gathering, buffers)) {
            return gathering->parts > 0;
        }
        gather_part(outbox, stream, gathering);
    }
    return true;
}

static size_t gather_aside(struct net_conn *conn, struct gathering *gathering)
{
    if (!conn->framing->aside || conn->farewell_begun) {
        return 0;
    }
    size_t size = conn->framing->aside(conn, conn->outbox.aside);
    if (size > 0) {
        gathering_add(gathering, conn->outbox.aside, size);
    }
    return size;
}

static void gather_farewell(struct net_conn *conn, struct gathering *gathering, size_t said)
{
    struct net_outbox *outbox = &conn->outbox;
    if (!conn->framing->farewell || conn->farewell_begun || conn->state != NET_CONN_FINISHING ||
        conn->lingering || outbox->control_in_flight < outbox->control_count) {
        return;
    }
    conn->farewell_begun = true;
    outbox->over = true;
    gathering_add(gathering, outbox->aside + said, conn->framing->farewell(conn, outbox->aside + said));
}

// ---------------------------------------------------------------------------------------------------------
// Writing

static void written_control(struct net_outbox *outbox)
{
    for (; outbox->control_in_flight > 0; outbox->control_in_flight--) {
        struct base_buffer *bytes = *control_at(outbox, 0);
        outbox->unsent -= bytes->size;
        outbox->control_head = (outbox->control_head + 1) & (outbox->control_capacity - 1);
        outbox->control_count--;
        base_buffer_unref(bytes);
    }
}

// The write is done, or the connection is closing and what it held is let go. True: it has drained.
static bool settle(struct net_conn *conn, bool good)
{
    struct net_outbox *outbox = &conn->outbox;
    struct net_stats *stats = &conn->listener->stats;
    lock(outbox);
    outbox->writing = false;
    outbox->written_ms = uv_now(&conn->loop->uv);
    written_control(outbox);
    uint64_t frames = net_streams_written(&outbox->streams);
    bool drained = outbox->above && outbox->unsent <= outbox->drain_mark;
    outbox->above = outbox->above && !drained;
    stats->frames_dropped += outbox->dropped;
    outbox->dropped = 0;
    unlock(outbox);
    if (good) {
        stats->bytes_out += outbox->write_bytes;
        stats->frames_sent += frames;
    }
    net_conn_mirror(conn);
    tell_behind(conn);
    return drained;
}

// Tells another thread, if it has the connection, that there is something to look at. It finds the streams itself (net_outbox_tell).
static void tell_far(struct net_conn *conn)
{
    struct net_outbox *outbox = &conn->outbox;
    lock(outbox);
    bool any = outbox->streams.moved || outbox->streams.any_asks;
    unlock(outbox);
    if (any && conn->state < NET_CONN_FINISHING) {
        conn->handler->on_moving(conn->context, conn, 0);
    }
}

static void tell_moving(struct net_conn *conn)
{
    struct net_streams *streams = &conn->outbox.streams;
    if (conn->outbox.mutex) {
        tell_far(conn);
        return;
    }
    if (!streams->moved || conn->state >= NET_CONN_FINISHING) {
        return;
    }
    streams->moved = false;
    // From the end: whoever is told may end streams.
    for (uint32_t left = streams->count; left > 0; left--) {
        struct net_stream *stream = left <= streams->count ? streams->items[left - 1] : NULL;
        if (stream && stream->moved) {
            stream->moved = false;
            if (conn->handler->on_moving && !stream->closing) {
                conn->handler->on_moving(conn->context, conn, stream->id);
            }
        }
    }
}

uint32_t net_outbox_moving(struct net_outbox *outbox)
{
    struct net_streams *streams = &outbox->streams;
    for (uint32_t i = 0; streams->moved && i < streams->count; i++) {
        if (streams->items[i]->moved) {
            streams->items[i]->moved = false;
            if (!streams->items[i]->closing) {
                return streams->items[i]->id;
            }
        }
    }
    streams->moved = false;
    return 0;
}

static void tell_drained(struct net_conn *conn, bool drained)
{
    if (drained && conn->state < NET_CONN_FINISHING && conn->handler->on_drained) {
        conn->handler->on_drained(conn->context, conn);
    }
}

static void outbox_on_written(uv_write_t *request, int status)
{
    struct net_conn *conn = request->data;
    struct net_outbox *outbox = &conn->outbox;
    bool drained = settle(conn, status == 0);
    if (conn->state == NET_CONN_CLOSING) {
        net_outbox_shut(outbox);
        return;
    }
    if (status) {
        outbox->owner->fail(conn, uv_strerror(status));
        return;
    }
    if (conn->state == NET_CONN_FINISHING) {
        net_outbox_drop_streams(outbox);
    }
    net_outbox_kick(conn);
    outbox->owner->written(conn);
    tell_moving(conn);
    tell_drained(conn, drained);
}

// Nobody waits to hear that it is done, so it may be done before the caller goes on.
static bool may_be_done_at_once(const struct net_conn *conn, const struct gathering *gathering)
{
    return conn->state < NET_CONN_FINISHING && conn->outbox.unsent <= conn->outbox.drain_mark &&
           gathering->bytes <= NET_WRITE_AT_ONCE;
}

// Skips so many bytes of the buffers, which are less than all of them, and returns how many buffers are left.
static unsigned skip(uv_buf_t *buffers, unsigned count, size_t bytes, uv_buf_t **rest)
{
    unsigned first = 0;
    while (bytes >= buffers[first].len) {
        bytes -= buffers[first++].len;
    }
    buffers[first].base += bytes;
    buffers[first].len -= bytes;
    *rest = buffers + first;
    return count - first;
}

// *at_once: whether the write may be done at once. False if memory runs out.
static bool gather(struct net_conn *conn, struct gathering *gathering, bool *at_once)
{
    struct net_outbox *outbox = &conn->outbox;
    lock(outbox);
    size_t said = gather_aside(conn, gathering);
    gather_control(outbox, gathering);
    bool good = conn->state >= NET_CONN_FINISHING || gather_parts(outbox, gathering);
    if (good) {
        gather_farewell(conn, gathering, said);
        outbox->writing = gathering->count > 0;
    }
    *at_once = may_be_done_at_once(conn, gathering);
    unlock(outbox);
    return good;
}

// True if a write was begun and is done.
static bool write_next(struct net_conn *conn, bool may_try)
{
    struct net_outbox *outbox = &conn->outbox;
    struct gathering gathering = {.loop = conn->loop, .framing = conn->framing};
    bool at_once;
    if (!gather(conn, &gathering, &at_once)) {
        outbox->owner->fail(conn, "the server has run out of memory");
        return false;
    }
    tell_behind(conn);
    if (gathering.count == 0) {
        return false;
    }
    uv_buf_t *rest = conn->loop->iov;
    unsigned count = (unsigned)gathering.count;
    outbox->write_bytes = gathering.bytes;
    outbox->write.data = conn;
    if (may_try && at_once) {
        size_t taken = net_transport_try(conn, rest, count);
        if (taken == gathering.bytes) {
            bool drained = settle(conn, true);
            if (outbox->mutex) {
                tell_far(conn); // who may have put something more meanwhile
                tell_drained(conn, drained);
            }
            return true;
        }
        count = skip(rest, count, taken, &rest);
    }
    int status = net_transport_write(conn, &outbox->write, rest, count, outbox_on_written);
    if (status) {
        // Refused before it began: there will be no callback.
        lock(outbox);
        outbox->writing = false;
        unlock(outbox);
        outbox->owner->fail(conn, uv_strerror(status));
    }
    return false;
}

static void to_write_append(struct net_conn *conn)
{
    struct net_loop *loop = conn->loop;
    conn->to_write = true;
    conn->next_to_write = NULL;
    if (loop->to_write) {
        loop->to_write_last->next_to_write = conn;
    } else {
        loop->to_write = conn;
    }
    loop->to_write_last = conn;
}

void net_outbox_kick(struct net_conn *conn)
{
    if (conn->outbox.writing || conn->delivering || conn->state == NET_CONN_SHAKING ||
        conn->state == NET_CONN_CLOSING || conn->shutdown_begun) {
        return;
    }
    if (conn->loop->gathering) {
        if (!conn->to_write) {
            to_write_append(conn);
        }
        return;
    }
    // Once at once: of what a peer reads as fast as it comes the loop hears in its next turn.
    if (write_next(conn, true)) {
        write_next(conn, false);
    }
}

void net_loop_gather(struct net_loop *loop)
{
    BASE_ASSERT(!loop->gathering);
    loop->gathering = true;
}

// None of the connections is freed before its turn: that is done by the loop alone.
static void write_gathered(struct net_loop *loop)
{
    struct net_conn *conn = loop->to_write;
    loop->to_write = NULL;
    while (conn) {
        struct net_conn *next = conn->next_to_write;
        conn->to_write = false;
        net_outbox_kick(conn);
        conn = next;
    }
}

static void put_all_late(struct net_loop *loop)
{
    struct net_conn *conn = loop->late;
    loop->late = NULL;
    while (conn) {
        struct net_conn *next = conn->next_late;
        struct net_streams *streams = &conn->outbox.streams;
        conn->late = false;
        // From the end: whoever is told that it lags may end streams.
        for (uint32_t left = streams->count; left > 0; left--) {
            if (left <= streams->count) {
                stream_put_late(conn, streams->items[left - 1]);
            }
        }
        conn = next;
    }
}

void net_loop_gathered(struct net_loop *loop)
{
    BASE_ASSERT(loop->gathering);
    loop->gathering = false;
    write_gathered(loop);
    put_all_late(loop);
    if (loop->crew) {
        loop->crew_ways->flush(loop);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Life

void net_outbox_init(struct net_outbox *outbox, const struct net_outbox_owner *owner)
{
    *outbox = (struct net_outbox){.owner = owner};
}

bool net_outbox_heads(struct net_outbox *outbox)
{
    if (!outbox->heads) {
        outbox->heads = malloc(NET_WRITE_MESSAGES * sizeof outbox->heads[0] + NET_ASIDE_MAX);
        outbox->aside = outbox->heads ? (uint8_t *)outbox->heads[NET_WRITE_MESSAGES] : NULL;
    }
    return outbox->heads != NULL;
}

bool net_outbox_empty(struct net_outbox *outbox)
{
    lock(outbox);
    bool empty = outbox->control_count == 0 && !outbox->writing;
    unlock(outbox);
    return empty;
}

void net_outbox_end(struct net_outbox *outbox)
{
    lock(outbox);
    outbox->over = outbox->streams_over = true;
    unlock(outbox);
}

void net_outbox_drop_streams(struct net_outbox *outbox)
{
    lock(outbox);
    outbox->streams_over = true;
    net_streams_drop(&outbox->streams);
    unlock(outbox);
}

void net_outbox_drop_control(struct net_outbox *outbox)
{
    lock(outbox);
    control_drop(outbox, outbox->control_in_flight);
    unlock(outbox);
}

void net_outbox_shut(struct net_outbox *outbox)
{
    net_outbox_end(outbox);
    lock(outbox);
    if (!outbox->writing) {
        outbox->control_in_flight = 0;
        net_streams_ground(&outbox->streams);
    }
    unlock(outbox);
    net_outbox_drop_control(outbox);
    net_outbox_drop_streams(outbox);
}

void net_outbox_deinit(struct net_outbox *outbox)
{
    BASE_ASSERT(!outbox->writing);
    net_outbox_shut(outbox);
    net_streams_deinit(&outbox->streams);
    BASE_ASSERT(outbox->unsent == 0);
    free(outbox->control);
    free(outbox->heads);
}
