// The part of a world that makes frames. Only files of this room see it, and world.c.
#ifndef WEFT_WORLD_FRAMES_PART_H
#define WEFT_WORLD_FRAMES_PART_H

#include "world/frames/frames.h"
#include "world/frames/lossless.h"
#include "world/frames/snapshot.h"
#include "world/frames/stream.h"

struct world_frames {
    struct world_streams streams;
    struct world_snapshot snapshot;
    struct world_backlogs backlogs;
    struct base_budget *budget; // bytes of all frames that exist
    bool changed;               // something that a paused world shows has changed
    bool grabs_changed;         // the same for streams that show grabs
    bool capturing;         // frames of live streams are made, in the tick or in the present frame under way
    bool waiting;           // some stream is due and did not get its frame
    uint32_t substep;       // last substep that the tick under way has reached
    uint64_t publication;   // number of the last one
    size_t before;          // bytes of frames that existed when the tick, or the present frame, began
    uint64_t dropped, slow; // frames that were left out; `slow` counts a part of `dropped`
};

#endif
