// Who runs the world for themselves: streams of what decides its future (docs/concepts/twins.md).
#ifndef WEFT_WORLD_TWINS_H
#define WEFT_WORLD_TWINS_H

#include "protocol/bytes.h"
#include "world/twins_frame.h"
#include "world/world.h"

struct base_frame;
struct world_call;

enum { WORLD_RECORDS_MAX = 16 }; // events of them that the loop has not taken yet, but for one that has to be
enum { WORLD_TWINS_PERIOD_NS = 50 * 1000 * 1000 }; // between messages while time goes on

enum world_twin_stage {
    WORLD_TWIN_WANTS,  // an image to begin with, or to begin anew with
    WORLD_TWIN_AWAITS, // the one that is being made: what comes after that is held for it
    WORLD_TWIN_RUNS,
};

struct world_twin {
    uint32_t id, session; // of its stream
    enum world_twin_stage stage;
};

struct world_twins {
    struct world_twin *items;
    uint32_t count, capacity;
    // What is still to be told to those that run and await.
    struct protocol_bytes pending; // elements of the list of records, without its head
    uint32_t pending_count;
    struct protocol_bytes before; // the record that the next one is told by its differences from; empty: none
    struct world_twins_moment told; // the last message
    uint64_t told_ns;               // in the time of turns
    uint64_t hash_ns;               // at least between two hashes
    uint64_t hashed_ns, hash_cost_ns;
    bool unhashed; // the last message told no hash
    // From an image's moment until it has gone out.
    struct base_frame *image; // made; NULL: it is not
    struct base_frame **held; // messages since
    uint32_t held_count, held_capacity;
    size_t held_bytes;
    uint64_t began_ns, rest_until_ns; // of the last image; until when none is made
};

void world_twins_init(struct world_twins *twins);
void world_twins_deinit(struct world_twins *twins);

void world_twins_subscribe(struct world_call *call);
const struct world_twin *world_twins_find(const struct world_twins *twins, uint32_t id); // NULL: none
void world_twins_remove(struct world_twins *twins, uint32_t id); // does nothing if there is none
void world_twins_remove_session(struct world_twins *twins, uint32_t session);

// The canonical bytes of an input that was applied.
void world_twins_record(struct world *world, const struct protocol_bytes *bytes);
// At a boundary, when all is done that was to be done there: what is due leaves.
void world_twins_turn(struct world *world);
// When they want the next turn; UINT64_MAX: when something happens.
uint64_t world_twins_next(const struct world *world, uint64_t now_ns);

#endif
