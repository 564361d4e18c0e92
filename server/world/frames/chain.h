// Numbers the frames that build on the one before (world_stream_chained), and leaves out what a sparse stream of f32 does not
// need. Simulation thread.
#ifndef WEFT_WORLD_CHAIN_H
#define WEFT_WORLD_CHAIN_H

#include "world/frames/packed.h"

struct world_chain {
    bool of_last; // FOR_SOME: the present moment is that of the last frame
    bool sparse;  // chunks that are as in the frame before may be left out
};

// Begins a frame of the selection's tier, which it makes if it is missing, and gives the frame its number. False if memory runs
// out.
bool world_chain_begin(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_chain *chain, struct world_packed *out);
// Ends the frame. If it was not made, the next one stands alone.
void world_chain_end(struct world_snapshot *snapshot, struct world_selection *selection,
                     enum world_purpose purpose, const struct world_chain *chain,
                     const struct world_packed *out, bool made);

// Removes from the picks, which are all chunks of an f32 frame, those whose bytes are as in the frame before,
// and counts them. The keys are all chunks. False if memory runs out.
bool world_sparse_pick(struct world_snapshot *snapshot, struct world_selection *selection,
                       enum world_purpose purpose, struct world_packed *out);

#endif
