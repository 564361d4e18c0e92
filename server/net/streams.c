// The streams of a connection: which batch each has to send, how far it is, and which one is next. Knows no socket.
#include "net/streams.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "protocol/array/reserve.h"

#include <stdlib.h>
#include <string.h>

enum {
    STREAM_GATHERED_BYTES = 64 * 1024
}; // that wait for one write, where newer batches take the place of older ones

struct net_stream *net_streams_find(const struct net_streams *streams, uint32_t id)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        if (streams->items[i]->id == id) {
            return streams->items[i];
        }
    }
    return NULL;
}

bool net_streams_add(struct net_streams *streams, uint32_t id)
{
    if (!array_reserve(&streams->items, &streams->capacity, streams->count + 1)) {
        return false;
    }
    struct net_stream *stream = calloc(1, sizeof *stream);
    if (!stream) {
        return false;
    }
    stream->id = id;
    streams->items[streams->count++] = stream;
    return true;
}

static void waiting_drop(struct net_stream *stream)
{
    while (stream->waiting) {
        struct base_batch *batch = stream->waiting;
        stream->waiting = batch->next;
        base_batch_destroy(batch);
    }
    stream->waiting_last = NULL;
    stream->waiting_bytes = 0;
}

static void append(struct base_batch **first, struct base_batch **last, struct base_batch *batch)
{
    batch->next = NULL;
    if (*first) {
        (*last)->next = batch;
    } else {
        *first = batch;
    }
    *last = batch;
}

static void waiting_append(struct net_stream *stream, struct base_batch *batch)
{
    if (batch->anew) {
        waiting_drop(stream);
    } else {
        stream->waiting_bytes += base_batch_size(batch);
    }
    append(&stream->waiting, &stream->waiting_last, batch);
}

static void ask(struct net_streams *streams, struct net_stream *stream)
{
    stream->asks = streams->any_asks = true;
    stream->behind = false;
}

static void current_set(struct net_stream *stream, struct base_batch *batch)
{
    base_batch_settle(batch, stream->number);
    stream->number = base_batch_number(batch);
    stream->current = batch;
}

// The next one becomes the current one.
static void waiting_take(struct net_streams *streams, struct net_stream *stream)
{
    struct base_batch *batch = stream->waiting;
    stream->current = NULL;
    if (!batch) {
        return;
    }
    current_set(stream, batch);
    stream->waiting = batch->next;
    batch->next = NULL;
    if (stream->behind && !stream->waiting) {
        ask(streams, stream);
    }
    stream->waiting_bytes -= batch->anew ? 0 : base_batch_size(batch);
    stream->waiting_last = stream->waiting ? stream->waiting_last : NULL;
}

static void leaving_drop(struct net_stream *stream)
{
    while (stream->leaving) {
        struct base_batch *batch = stream->leaving;
        stream->leaving = batch->next;
        base_batch_destroy(batch);
    }
    stream->leaving_last = NULL;
}

// Behind batches that leave the current one may not have begun.
static bool current_in_flight(const struct net_stream *stream)
{
    return stream->in_flight && (stream->frame > 0 || stream->part > 0);
}

static void stream_remove(struct net_streams *streams, uint32_t index)
{
    struct net_stream *stream = streams->items[index];
    BASE_ASSERT(!stream->in_flight && !stream->leaving);
    base_batch_destroy(stream->current);
    base_batch_destroy(stream->late);
    waiting_drop(stream);
    free(stream->credit);
    free(stream);
    streams->count--;
    // Order is whose turn it is, so it is kept.
    memmove(&streams->items[index], &streams->items[index + 1],
            (streams->count - index) * sizeof(struct net_stream *));
    if (streams->turn > index) {
        streams->turn--;
    }
}

// Leaves of the current batch what is being written and, with begun_too, the frame that has begun.
static void stream_trim(struct net_stream *stream, bool begun_too)
{
    waiting_drop(stream);
    base_batch_destroy(stream->late);
    stream->late = NULL;
    struct base_batch *batch = stream->current;
    if (!batch) {
        return;
    }
    if (!current_in_flight(stream) && (stream->part == 0 || !begun_too)) {
        base_batch_destroy(batch);
        stream->current = NULL;
        stream->frame = stream->part = 0;
        return;
    }
    uint32_t begun = stream->frame + (stream->part > 0 ? 1 : 0);
    for (uint32_t f = begun; f < batch->frame_count; f++) {
        base_frame_unref(batch->frames[f]);
    }
    batch->frame_count = begun;
}

uint64_t net_streams_close(struct net_streams *streams, uint32_t id)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        struct net_stream *stream = streams->items[i];
        if (stream->id == id && !stream->closing) {
            const uint64_t begun = stream->seq;
            stream->closing = true;
            stream_trim(stream, true);
            if (!stream->current && !stream->in_flight) {
                stream_remove(streams, i);
            }
            return begun;
        }
    }
    return 0;
}

// All that wait go; what was left out before them is told by the batch.
static uint32_t waiting_replace(struct net_stream *stream, struct base_batch *batch)
{
    uint32_t dropped = 0;
    for (const struct base_batch *other = stream->waiting; other; other = other->next) {
        dropped += other->frame_count;
        batch->dropped += other->dropped + other->frame_count;
    }
    waiting_drop(stream);
    waiting_append(stream, batch);
    stream->dropped_total += dropped;
    return dropped;
}

// It builds on what is not sent: what waits is older, but can be.
static uint32_t leave_out(struct net_streams *streams, struct net_stream *stream, struct base_batch *batch)
{
    const uint32_t count = batch->frame_count;
    stream->left_out += batch->dropped + count;
    stream->dropped_total += count;
    base_batch_destroy(batch);
    stream->behind = true;
    if (!stream->waiting) {
        ask(streams, stream);
    }
    return count;
}

uint32_t net_stream_put(struct net_streams *streams, struct net_stream *stream, struct base_batch *batch,
                        bool gather)
{
    const bool behind_all = batch->lossless || (gather && stream->waiting_bytes + base_batch_size(batch) <=
                                                              STREAM_GATHERED_BYTES);
    // The batch that is sent right before it: the last one that waits, unless this one takes its place.
    const uint64_t before =
        behind_all && stream->waiting ? base_batch_number(stream->waiting_last) : stream->number;
    if (!base_batch_fits(batch, before)) {
        return leave_out(streams, stream, batch);
    }
    batch->dropped += stream->left_out;
    stream->left_out = 0;
    stream->behind = false;
    if (!stream->current) {
        current_set(stream, batch);
        return 0;
    }
    if (behind_all) {
        waiting_append(stream, batch);
        return 0;
    }
    return waiting_replace(stream, batch);
}

uint64_t net_stream_moment(const struct net_stream *stream)
{
    // Batches of a stream come in order of time.
    const struct base_batch *oldest = stream->leaving   ? stream->leaving
                                      : stream->current ? stream->current
                                                        : stream->late;
    return oldest ? oldest->moment : UINT64_MAX;
}

uint32_t net_streams_behind(struct net_streams *streams)
{
    for (uint32_t i = 0; streams->any_asks && i < streams->count; i++) {
        if (streams->items[i]->asks) {
            streams->items[i]->asks = false;
            return streams->items[i]->id;
        }
    }
    streams->any_asks = false;
    return 0;
}

// ---------------------------------------------------------------------------------------------------------
// Credit. While unacked < bytes a frame begins, so that a peer which acknowledges by quarters never waits for itself.

bool net_stream_limit(struct net_stream *stream, size_t bytes)
{
    BASE_ASSERT(!stream->credit && stream->seq == 0);
    stream->credit = calloc(1, sizeof *stream->credit);
    if (stream->credit) {
        stream->credit->bytes = bytes;
    }
    return stream->credit != NULL;
}

static bool may_begin(const struct net_stream *stream)
{
    const struct net_credit *credit = stream->credit;
    return !credit || stream->part > 0 ||
           (credit->unacked < credit->bytes && stream->seq - credit->acked < NET_UNACKED_MAX);
}

static void spend(struct net_stream *stream, const struct base_frame *frame)
{
    struct net_credit *credit = stream->credit;
    if (credit) {
        credit->sizes[stream->seq % NET_UNACKED_MAX] = frame->size;
        credit->unacked += frame->size;
    }
}

bool net_stream_ack(struct net_stream *stream, uint32_t seq)
{
    struct net_credit *credit = stream->credit;
    const uint64_t sent = stream->part > 0 ? stream->seq - 1 : stream->seq;
    // The wire has the lowest 32 bits: the frame that is meant is the last one sent that has them.
    const uint32_t behind = (uint32_t)sent - seq;
    if (behind > sent || behind > INT32_MAX) {
        return false;
    }
    while (credit && credit->acked < sent - behind) {
        credit->unacked -= credit->sizes[++credit->acked % NET_UNACKED_MAX];
    }
    return true;
}

struct net_stream *net_streams_next(struct net_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        uint32_t index = (streams->turn + i) % streams->count;
        struct net_stream *stream = streams->items[index];
        if (stream->current && stream->frame < stream->current->frame_count && may_begin(stream)) {
            streams->turn = index;
            return stream;
        }
    }
    return NULL;
}

void net_streams_begin(struct net_streams *streams, struct net_stream *stream)
{
    const struct base_frame *frame = stream->current->frames[stream->frame];
    BASE_ASSERT(stream->part < frame->part_count);
    if (stream->part == 0) {
        stream->seq++;
        spend(stream, frame);
    }
    stream->in_flight = true;
    stream->part++;
    if (stream->part == frame->part_count) {
        stream->part = 0;
        stream->frame++;
        stream->frames_in_flight++;
    }
    if (stream->frame == stream->current->frame_count && stream->waiting) {
        append(&stream->leaving, &stream->leaving_last, stream->current);
        waiting_take(streams, stream);
        stream->frame = 0;
    }
    streams->turn = (streams->turn + 1) % streams->count;
}

uint64_t net_streams_written(struct net_streams *streams)
{
    uint64_t sent = 0;
    for (uint32_t i = 0; i < streams->count;) {
        struct net_stream *stream = streams->items[i];
        if (stream->in_flight) {
            stream->in_flight = false;
            stream->moved = stream->moved || stream->lagged;
            streams->moved = streams->moved || stream->lagged;
            stream->lagged = false;
            sent += stream->frames_in_flight;
            stream->frames_in_flight = 0;
            leaving_drop(stream);
            if (stream->current && stream->frame == stream->current->frame_count) {
                base_batch_destroy(stream->current);
                waiting_take(streams, stream);
                stream->frame = stream->part = 0;
            }
        }
        if (stream->closing && !stream->current) {
            stream_remove(streams, i);
        } else {
            i++;
        }
    }
    return sent;
}

void net_streams_drop(struct net_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        stream_trim(streams->items[i], false);
    }
}

void net_streams_ground(struct net_streams *streams)
{
    for (uint32_t i = 0; i < streams->count; i++) {
        streams->items[i]->in_flight = false;
        leaving_drop(streams->items[i]);
    }
}

void net_streams_deinit(struct net_streams *streams)
{
    while (streams->count > 0) {
        stream_remove(streams, streams->count - 1);
    }
    free(streams->items);
}
