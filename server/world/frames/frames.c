#include "world/frames/frames.h"

#include "world/frames/part.h"

void world_frames_changed(struct world_frames *frames)
{
    frames->changed = true;
}

void world_frames_grabs_changed(struct world_frames *frames)
{
    frames->grabs_changed = true;
}

void world_frames_show(struct world_frames *frames, const struct document *document)
{
    frames->snapshot.document = document;
    frames->changed = frames->grabs_changed = true;
}

bool world_frames_prepare(struct world_frames *frames)
{
    return world_snapshot_prepare(&frames->snapshot);
}

struct world_streams *world_streams_of(struct world_frames *frames)
{
    return &frames->streams;
}

struct base_budget *world_frames_budget(const struct world_frames *frames)
{
    return frames->budget;
}

uint64_t world_frames_dropped(const struct world_frames *frames)
{
    return frames->dropped;
}

uint64_t world_publication_begin(struct world_frames *frames)
{
    return ++frames->publication;
}
