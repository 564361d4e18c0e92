// Why a frame was not made, and who is told.
#ifndef WEFT_WORLD_LACK_H
#define WEFT_WORLD_LACK_H

#include "world/stream.h"
#include "world/world.h"

enum world_lack world_lack_of(const struct world *world, const struct world_selection *selection,
                              size_t used_before); // why its frame was not made
// Which budget has no room for so much: this world's, of which so much was used, or that of all worlds.
enum world_lack world_lack_of_room(const struct world *world, size_t used, size_t size);
// The image of a stream of records was not made; at once. False: somebody else is being told something.
bool world_lack_of_image(struct world *world, uint32_t session, uint32_t stream, enum world_lack lack);
// Those who missed frames, or get them at another rate; ends streams that can have none.
void world_lack_tell(struct world *world);

#endif
