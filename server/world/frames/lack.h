// Finds why a frame was not made, and tells the sessions that missed it. Simulation thread.
#ifndef WEFT_WORLD_LACK_H
#define WEFT_WORLD_LACK_H

#include "world/frames/stream.h"
#include "world/world.h"

struct world_frames;

// Returns why the frame of a selection was not made. used_before is what the world's budget held before.
enum world_lack world_lack_of(const struct world_frames *frames, const struct world_selection *selection,
                              size_t used_before);
// Returns which budget has no room for `size` bytes: this world's, of which `used` bytes were used, or that
// of all worlds.
enum world_lack world_lack_of_room(const struct world_frames *frames, size_t used, size_t size);
// Tells a stream of records at once that its image was not made. False: another event of this kind is in the
// outbox.
bool world_lack_of_image(struct world *world, uint32_t session, uint32_t stream, enum world_lack lack);
// Tells the streams that missed frames or get them at another rate, and ends streams that can never have one.
void world_lack_tell(struct world *world);

#endif
