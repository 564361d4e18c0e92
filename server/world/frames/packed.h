// Encodes positions for frames in the compact encodings q16 and delta. Simulation thread.
#ifndef WEFT_WORLD_PACKED_H
#define WEFT_WORLD_PACKED_H

#include "world/frames/snapshot.h"
#include "world/frames/tier.h"

// How the frame refers to others.
struct world_packed {
    uint64_t number;    // number of the frame, which later frames build on; 0: none can
    uint64_t builds_on; // 0: it stands alone
};

// Encodes the chunks of all bodies that the selection wants, as picks of the snapshot. If a key is wanted and
// differs, encodes the same moment standing alone as its keys. Both are owned. False if memory or room runs
// out: then there are none, and the next frame stands alone.
bool world_packed_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out);
// Notes that the picked chunks did not become a frame: the next one stands alone.
void world_packed_missed(struct world_snapshot *snapshot, struct world_selection *selection);
void world_packed_let_go(struct world_snapshot *snapshot); // releases picks and keys

#endif
