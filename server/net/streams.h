// Streams of one connection, as its outbox has them: a batch that is being sent and a newer one that waits; of a stream that
// loses nothing all newer ones.
#ifndef WEFT_NET_STREAMS_H
#define WEFT_NET_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_batch;

struct net_stream {
    uint32_t id;
    uint32_t seq;           // frames begun
    uint64_t dropped_total; // for newer ones
    struct base_batch *current, *waiting;
    struct base_batch *waiting_last; // waiting and those behind it are lossless; NULL where none waits
    size_t waiting_bytes;            // of these, but for those that begin anew
    uint64_t number; // of the last frame of current, or of what was sent last: what the next one may build on
    uint64_t left_out; // frames behind the last batch that could not be sent behind it; the next one tells
    bool behind;       // and so it needs one that stands alone
    bool asks;         // which is still to be said
    uint32_t frame, part;
    uint32_t frames_in_flight; // whose last part is in the write under way
    bool in_flight;            // parts of current are in the write under way
    bool closing;              // ends with the frame that has begun
};

struct net_streams {
    struct net_stream **items; // turn: index of the one that is next
    uint32_t count, capacity, turn;
    bool any_asks; // there may be one that does
};

struct net_stream *net_streams_find(const struct net_streams *streams, uint32_t id); // NULL if there is none
bool net_streams_add(struct net_streams *streams, uint32_t id);                      // false: no memory
void net_streams_close(struct net_streams *streams, uint32_t id); // it ends with the frame that has begun
// Takes a batch of at least one frame; returns how many were left out for it: those of another one that it took the place of, or
// its own where they build on a frame that is not sent (base/buffer.h).
uint32_t net_stream_put(struct net_streams *streams, struct net_stream *stream, struct base_batch *batch);
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
