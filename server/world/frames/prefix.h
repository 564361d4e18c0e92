// Encodes the beginning of each part of a frame. Simulation thread.
#ifndef WEFT_WORLD_PREFIX_H
#define WEFT_WORLD_PREFIX_H

#include "world/frames/snapshot.h"

// Packs what the selection shows besides bodies. False if memory runs out.
bool world_prefix_prepare(struct world_snapshot *snapshot, const struct world_selection *selection);
// Returns how many keys the map of a part has: those of the head, world to parts, epoch, encoding and its
// fields, the wanted ones of measures, grabs, colliders and contact, asleep if any body is, left_out if it is not 0, padding,
// and bodies.
uint32_t world_prefix_keys(const struct world_snapshot *snapshot, const struct world_stream_options *options,
                           uint32_t left_out);
// Returns the bytes of a part's prefix, of which *zeros are padding.
size_t world_prefix_size(const struct world_snapshot *snapshot, const struct world_selection *selection,
                         uint32_t part, uint32_t left_out, uint32_t *zeros);
struct base_buffer *world_prefix_encode(const struct world_snapshot *snapshot,
                                        const struct world_selection *selection, uint32_t part,
                                        uint32_t parts, uint32_t chunks, uint32_t left_out);

#endif
