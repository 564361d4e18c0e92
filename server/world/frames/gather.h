// Reads numbers from the sim for chunks: ranges of a body or of its skin, all vertices or every nth.
#ifndef WEFT_WORLD_GATHER_H
#define WEFT_WORLD_GATHER_H

#include "world/frames/snapshot.h"

enum world_array {
    WORLD_ARRAY_POSITIONS,
    WORLD_ARRAY_POSITIONS64,
    WORLD_ARRAY_VELOCITIES,
    WORLD_ARRAY_ROTATIONS,
    WORLD_ARRAY_ROTATIONS64,
    WORLD_ARRAY_SKIN
};

// Reads vertices nth first, nth (first + 1), … into out: 3 count floats, or doubles for POSITIONS64; 4 count
// for ROTATIONS and ROTATIONS64. False if memory runs out.
bool world_gather(struct world_snapshot *snapshot, const struct document_thing *body, enum world_array array,
                  uint32_t first, uint32_t count, uint32_t nth, void *out);

// Whether a point lies in the box, its faces included.
bool world_box_has(const double box[6], const double at[3]);
// Return how many bodies a selection may have, and each of them by ascending id. NULL: the body is gone or
// not in the box.
uint32_t world_gather_body_count(const struct world_snapshot *snapshot,
                                 const struct world_selection *selection);
const struct document_thing *world_gather_body(const struct world_snapshot *snapshot,
                                               const struct world_selection *selection, uint32_t index);

#endif
