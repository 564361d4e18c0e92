// Streams that lose nothing: what is made for them waits, within a backlog of bytes, until their peer has it.
#ifndef WEFT_WORLD_LOSSLESS_H
#define WEFT_WORLD_LOSSLESS_H

#include "world/stream.h"
#include "world/world.h"

#include <stdatomic.h>

enum {
    WORLD_LOSSLESS_EVENTS_MAX = 4, // not yet taken by the loop
    WORLD_HOLD_SUM = 3,            // a person may hold the world for so many times hold_ms in all (effort.h)
};

// Of one stream.
struct world_lossless {
    size_t limit;                // of its backlog, bytes
    struct base_budget *backlog; // batches that were made and not sent, wherever they are
    struct base_batch *owed,
        *owed_last;       // not handed over yet; where the last one is not charged, it has no room
    enum world_lack lack; // why it ends; NONE: it does not
    uint64_t moved_ns;    // when what waits for it grew less, or began to be in the way
    size_t used;          // of the backlog, then
    size_t seen;          // the same, when it was last looked at
    bool holds;           // it was in the way then
};

// Of a world.
struct world_hold_state {
    bool allowed;
    size_t bytes_max;   // of all backlogs together
    uint64_t most_ns;   // that one may hold the world and take nothing
    bool holds;         // the next tick waits
    uint32_t by;        // session that does, or did in the last second; 0: none
    uint32_t told_by;   // as was told
    uint64_t last_ns;   // when it held last
    uint64_t looked_ns; // of the last turn
    uint64_t held_ns;   // in all
    atomic_uint events; // of WORLD_LOSSLESS in the outbox
};

// How much more a session may have for one stream: the rest of what there is, as long as what it has by itself is no more.
size_t world_lossless_room(const struct world *world, uint32_t session);
struct world_lossless *world_lossless_create(size_t limit);   // NULL without memory
void world_lossless_destroy(struct world_lossless *lossless); // NULL is allowed

// It gets this batch, or ends since it cannot. With `present` it never ends for that: the state of a world that rests waits.
void world_lossless_put(const struct world *world, struct world_stream *stream, struct base_batch *batch,
                        bool present);
// It lacks a frame: it ends.
void world_lossless_end(struct world_stream *stream, enum world_lack lack);
bool world_lossless_takes(const struct world_stream *stream); // a present: nothing of it is owed
// Hands over what may go, and looks whether some stream holds the world. Who ended is still to be told (world_lack_tell).
void world_lossless_turn(struct world *world);
uint64_t world_lossless_next(const struct world *world, uint64_t now_ns); // when it wants a turn

#endif
