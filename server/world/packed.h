// Chunks of frames whose positions are made small: q16 and delta.
#ifndef WEFT_WORLD_PACKED_H
#define WEFT_WORLD_PACKED_H

#include "world/snapshot.h"
#include "world/tier.h"

// What it came to.
struct world_packed {
    uint64_t number;    // of the frame, which others build on; 0: nothing can
    uint64_t builds_on; // 0: it stands alone
};

// The chunks of all bodies that the selection wants, as picks of the snapshot, and where that is wanted and differs the same
// moment standing alone as its keys; both are owned. False without memory or room: then there are none, and the next frame
// stands alone.
bool world_packed_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out);
// What was picked did not become a frame: the next one stands alone.
void world_packed_missed(struct world_snapshot *snapshot, struct world_selection *selection);
void world_packed_let_go(struct world_snapshot *snapshot); // of picks and keys

#endif
