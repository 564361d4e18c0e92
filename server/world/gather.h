// Numbers of the sim for chunks: ranges of a body, or of its skin, all of its vertices or every n-th.
#ifndef WEFT_WORLD_GATHER_H
#define WEFT_WORLD_GATHER_H

#include "world/snapshot.h"

enum world_array { WORLD_ARRAY_POSITIONS, WORLD_ARRAY_POSITIONS64, WORLD_ARRAY_VELOCITIES, WORLD_ARRAY_SKIN };

// Vertices nth first, nth (first + 1), ...: 3 count floats (doubles of POSITIONS64). False without memory.
bool world_gather(struct world_snapshot *snapshot, const struct document_thing *body, enum world_array array,
                  uint32_t first, uint32_t count, uint32_t nth, void *out);

// In the box, its faces included.
bool world_box_has(const double box[6], const double at[3]);
// Bodies of a selection: how many there may be, and each of them, by id; NULL where it is gone or not in the box.
uint32_t world_gather_body_count(const struct world_snapshot *snapshot,
                                 const struct world_selection *selection);
const struct document_thing *world_gather_body(const struct world_snapshot *snapshot,
                                               const struct world_selection *selection, uint32_t index);

#endif
