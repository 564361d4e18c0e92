// Makes documents and images of large worlds beside their turns. Simulation thread.
#ifndef WEFT_WORLD_IMAGE_H
#define WEFT_WORLD_IMAGE_H

#include "protocol/error.h"
#include "store/store.h"
#include "world/frames/twins_frame.h"
#include "world/world.h"

struct base_buffer;
struct base_frame;
struct world_call;
struct world_image;
struct world_image_kept;
struct world_keep;

void world_image_start(struct world_call *call); // takes the request, or refuses it
// Starts an image for the store (journal.h), if none is being made.
void world_image_start_kept(struct world *world);
// Starts an image for the loop (present.h). `made` gets the bytes and owns them; NULL: they could not be
// made. False if memory runs out.
bool world_image_start_present(struct world *world,
                               void (*made)(struct world *world, struct base_buffer *bytes));
// Starts an image for streams of records (twins.h). `begins` is called at the moment that the image shows.
// `made` takes the frame; NULL: it could not be made. `size` is the size of the whole if the budget for
// frames had no room, else 0. Both are called on the simulation thread. False if memory runs out.
struct world_image_streamed {
    struct world_twins_moment (*begins)(struct world *world);
    void (*made)(struct world *world, struct base_frame *frame, size_t size);
};
bool world_image_start_streamed(struct world *world, const struct world_image_streamed *streamed);
// Whether saving takes longer than a millisecond or two.
bool world_saves_beside(const struct world *world);
// Moves out a finished image, once; the caller owns the bytes. False: there is none.
bool world_image_take_kept(struct world_keep *keep, struct world_image_kept *out);
// Describes an image of the present state, without its hash.
struct store_image world_image_head(const struct world *world);
// Goes on with the image at a boundary. True: it wants another turn at once.
bool world_image_turn(struct world *world);
// Goes on with the image while a tick rests.
void world_image_rest(struct world *world);
// Refuses the request for the image; the rest ends by itself. Does nothing if none is being made.
void world_image_cut(struct world *world, enum protocol_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Returns the session that waits for the image; 0: none.
uint32_t world_image_session(const struct world_keep *keep);
bool world_image_under_way(const struct world_keep *keep);
// Whether the last image ended in the turn under way.
bool world_image_ended(const struct world *world);
// Asks for an image for the store. Loop thread.
void world_image_want(struct world_keep *keep);
void world_image_destroy(struct world *world); // waits for the image's thread

#endif
