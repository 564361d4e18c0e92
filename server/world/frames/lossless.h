// Keeps what was made for lossless streams until their peer has it, within a backlog of bytes for each.
// Simulation thread.
#ifndef WEFT_WORLD_LOSSLESS_H
#define WEFT_WORLD_LOSSLESS_H

#include "world/frames/stream.h"
#include "world/world.h"

enum {
    WORLD_LOSSLESS_EVENTS_MAX = 4, // events in the outbox that the loop has not taken yet
    WORLD_HOLD_SUM = 3,            // a person may hold the world for so many times hold_ms (effort.h)
};

struct world_frames;
struct world_time;

// The lossless part of one stream.
struct world_lossless {
    size_t limit;                // bytes that the backlog may hold
    struct base_budget *backlog; // charged with batches that were made and not sent, wherever they are
    // Batches not handed over yet. If the last one is not charged, the backlog has no room for it.
    struct base_batch *owed, *owed_last;
    enum world_lack lack; // why the stream ends; NONE: it goes on
    uint64_t moved_ns;    // when its backlog last shrank, or when it began to hold the world
    size_t used;          // bytes in the backlog at moved_ns
    size_t seen;          // bytes in the backlog when it was looked at last
    bool holds;           // whether it held the world then
};

// The lossless streams of a world together. How they hold it is known to all rooms (time/clock.h).
struct world_backlogs {
    size_t bytes_max;   // bytes of all backlogs together
    uint64_t most_ns;   // time that one stream may hold the world while it takes nothing
    uint32_t told_by;   // session that holds the world, as members were told
    uint64_t last_ns;   // when the world was held last
    uint64_t looked_ns; // time of the last turn
    uint64_t held_ns;   // total time that the world was held
};

// Returns how many bytes of backlog a session may have for one more stream. A session may have as much as
// would still be free afterwards.
size_t world_lossless_room(const struct world_frames *frames, uint32_t session);
// Returns how many bytes all backlogs together may have.
size_t world_lossless_most(const struct world_frames *frames);
struct world_lossless *world_lossless_create(size_t limit);   // NULL if memory runs out
void world_lossless_destroy(struct world_lossless *lossless); // NULL is allowed

// Gives the stream a batch, or ends the stream if it cannot have it. With `present` the stream never ends for
// that: the state of a resting world waits.
void world_lossless_put(struct world_time *time, struct world_stream *stream, struct base_batch *batch,
                        bool present);
// Ends the stream, because it lacks a frame.
void world_lossless_end(struct world_stream *stream, enum world_lack lack);
// Whether the stream can take a present frame: it is owed nothing.
bool world_lossless_takes(const struct world_stream *stream);
// Hands over what may go, and looks whether a stream holds the world. Streams that ended are told by
// world_lack_tell.
void world_lossless_turn(struct world *world);
// Returns when lossless streams want the next turn; UINT64_MAX: at no set time.
uint64_t world_lossless_next(const struct world *world, uint64_t now_ns);

#endif
