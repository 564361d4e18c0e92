// The part of a world that makes frames. Only files of this room and world.c see it. Simulation thread.
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
    bool changed;               // what frames show has changed, so a paused world sends one to all streams
    bool grabs_changed;         // the same for streams that show grabs
    bool capturing;             // the present tick, or present frame, makes frames for live streams
    bool waiting;               // some stream is due and did not get its frame
    uint32_t substep;           // last substep that the present tick has reached
    uint64_t publication;       // number of the last publication
    size_t before;              // bytes of frames that existed when the present tick, or present frame, began
    uint64_t dropped, slow;     // frames left out; those of them that belong to streams that rested
};

#endif
