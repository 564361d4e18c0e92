// Streams of one connection, as its outbox has them:
//
//     leaving [batch batch]   current [frame frame]   waiting [batch ...]
//     all in the write        the next to gather      a newer one takes their place; of a stream that loses nothing all
//     under way               from, at frame, part    newer ones, and of any the small ones that come before a write begins
#ifndef WEFT_NET_STREAMS_H
#define WEFT_NET_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_batch;

enum { NET_UNACKED_MAX = 1024 }; // frames of a stream with credit that are sent and not acknowledged

// Frames that a peer has not acknowledged: the frame of seq has sizes[seq % NET_UNACKED_MAX].
struct net_credit {
    size_t bytes;   // that may be unacknowledged when a frame begins
    size_t unacked; // that are
    uint64_t acked; // seq
    size_t sizes[NET_UNACKED_MAX];
};

struct net_stream {
    uint32_t id;
    uint64_t seq;              // frames begun; the wire has its lowest 32 bits
    struct net_credit *credit; // NULL: its frames go as fast as they are taken
    uint64_t dropped_total;    // for newer ones
    struct base_batch *leaving, *leaving_last;
    struct base_batch *current;
    struct base_batch *waiting, *waiting_last;
    size_t waiting_bytes; // except for those that begin again
    struct base_batch
        *late;       // came while the connection was blocked, in a turn that is not over: put when it is
    uint64_t number; // of the last frame of current, or of what was sent last: what the next one may build on
    uint64_t left_out; // frames behind the last batch that could not be sent behind it; the next one tells
    bool behind;       // and so it needs one that stands alone
    bool asks;         // which is still to be said
    uint32_t frame, part;
    uint32_t frames_in_flight; // whose last part is in the write under way
    bool in_flight;            // parts of leaving and current are in the write under way
    bool closing;              // ends with the frame that has begun
    bool lagged;               // it was told of, and nothing was written since
    bool moved;                // and now is
};

struct net_streams {
    struct net_stream **items; // turn: index of the one that is next
    uint32_t count, capacity, turn;
    bool moved;    // some have
    bool any_asks; // there may be one that does
};

struct net_stream *net_streams_find(const struct net_streams *streams, uint32_t id); // NULL if there is none
bool net_streams_add(struct net_streams *streams, uint32_t id);                      // false: no memory
// Limits a stream that was just added: no frame of it begins while so many bytes, or NET_UNACKED_MAX frames, are not acknowledged.
// False: no memory.
bool net_stream_limit(struct net_stream *stream, size_t bytes);
// All frames up to seq were taken. False: that was not sent yet.
bool net_stream_ack(struct net_stream *stream, uint32_t seq);
// It ends with the frame that has begun. Returns how many have.
uint64_t net_streams_close(struct net_streams *streams, uint32_t id);
// Takes a batch of at least one frame; returns how many were left out for it: those of others that it took the place of, or its
// own where they build on a frame that is not sent before them (base/buffer.h). With `gather` it takes no place where all that
// waits is small: the connection is about to write.
uint32_t net_stream_put(struct net_streams *streams, struct net_stream *stream, struct base_batch *batch,
                        bool gather);
uint64_t
net_stream_moment(const struct net_stream *stream); // of the oldest batch; UINT64_MAX if there is none
// The next that has a part to send, beginning with the one whose turn it is; NULL if there is none.
struct net_stream *net_streams_next(struct net_streams *streams);
// Its present part goes into the write, and its turn is over.
void net_streams_begin(struct net_streams *streams, struct net_stream *stream);
// One that cannot go on without a batch that stands alone, each time once; 0: none. Nothing asks while something of it waits.
uint32_t net_streams_behind(struct net_streams *streams);
uint64_t net_streams_written(struct net_streams *streams); // the write is done: frames that it ended
void net_streams_drop(struct net_streams *streams);        // batches that are not in flight
void net_streams_ground(struct net_streams *streams);      // nothing is in flight any more
void net_streams_deinit(struct net_streams *streams);      // nothing may be in flight

#endif
