// Sends images, records and marks of time to twins: clients that run the world themselves (docs/concepts/twins.md). Simulation
// thread.
#ifndef WEFT_WORLD_TWINS_H
#define WEFT_WORLD_TWINS_H

#include "protocol/bytes.h"
#include "world/frames/twins_frame.h"
#include "world/world.h"

struct base_frame;
struct world_call;

// Events of records that the loop has not taken yet, besides one that has to be pushed.
enum { WORLD_RECORDS_MAX = 16 };
// Time between messages while time goes on.
enum { WORLD_TWINS_PERIOD_NS = 50 * 1000 * 1000 };

enum world_twin_stage {
    WORLD_TWIN_WANTS,  // it needs an image
    WORLD_TWIN_AWAITS, // the image is being made; later messages are held for it
    WORLD_TWIN_RUNS,   // it has an image, and gets messages as they are made
};

struct world_twin {
    uint32_t id, session; // ids of its stream and its session
    enum world_twin_stage stage;
};

struct world_twins;

void world_twins_init(struct world_twins *twins);
void world_twins_deinit(struct world_twins *twins);

uint32_t world_twins_count(const struct world_twins *twins);
// Applies stream.subscribe with the encoding "records".
void world_twins_subscribe(struct world_call *call);
// NULL: there is none.
const struct world_twin *world_twins_find(const struct world_twins *twins, uint32_t id);
void world_twins_remove(struct world_twins *twins, uint32_t id); // does nothing if there is none
void world_twins_remove_session(struct world_twins *twins, uint32_t session);

// Adds the canonical bytes of an input that was applied.
void world_twins_record(struct world *world, const struct protocol_bytes *bytes);
// Sends what is due, at a boundary after all else that is done there.
void world_twins_turn(struct world *world);
// Returns when twins want the next turn; UINT64_MAX: when something happens.
uint64_t world_twins_next(const struct world *world, uint64_t now_ns);

#endif
