// The beginning of each part of a frame.
#ifndef WEFT_WORLD_PREFIX_H
#define WEFT_WORLD_PREFIX_H

#include "world/snapshot.h"

// Packs what the selection shows besides bodies; false without memory.
bool world_prefix_prepare(struct world_snapshot *snapshot, const struct world_selection *selection);
// Keys of a frame's map: the head's, world ... parts, epoch, encoding and what goes with it, measures, grabs, colliders and contact if wanted, padding, bodies.
uint32_t world_prefix_keys(const struct world_snapshot *snapshot, const struct world_wish *wish);
// Bytes of the prefix of a part, of which *zeros are padding.
size_t world_prefix_size(const struct world_snapshot *snapshot, const struct world_selection *selection,
                         uint32_t part, uint32_t *zeros);
struct base_buffer *world_prefix_encode(const struct world_snapshot *snapshot,
                                        const struct world_selection *selection, uint32_t part,
                                        uint32_t parts, uint32_t chunks);

#endif
