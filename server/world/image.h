// Documents and images of large worlds, made beside their turns.
#ifndef WEFT_WORLD_IMAGE_H
#define WEFT_WORLD_IMAGE_H

#include "protocol/error.h"
#include "store/store.h"
#include "world/twins_frame.h"
#include "world/world.h"

struct base_buffer;
struct base_frame;
struct world_call;
struct world_image;

void world_image_start(struct world_call *call); // takes the request, or refuses it
// The same for the store (journal.h), where none is made.
void world_image_start_kept(struct world *world);
// The same for the loop (present.h), which is given the bytes, the receiver's from then on; NULL: there are none. False without
// memory.
bool world_image_start_present(struct world *world,
                               void (*made)(struct world *world, struct base_buffer *bytes));
// The same for streams of records (twins.h), which are told, on the simulation thread: it is of now; and what came of it, the
// frame taken (NULL: nothing; size is that of the whole where it found no room in the budget for frames, else 0). False
// without memory.
struct world_image_streamed {
    struct world_twins_moment (*begins)(struct world *world);
    void (*made)(struct world *world, struct base_frame *frame, size_t size);
};
bool world_image_start_streamed(struct world *world, const struct world_image_streamed *streamed);
// Whether it takes longer than a millisecond or two.
bool world_saves_beside(const struct world *world);
struct world_image_kept {
    struct store_image head;
    struct base_buffer *bytes; // NULL: there was no memory
    double spent_s;            // on a core
};
// One that is made, once; the bytes are the caller's. False: none is.
bool world_image_take_kept(struct world *world, struct world_image_kept *out);
struct store_image world_image_head(const struct world *world); // of an image of now, without its hash
bool world_image_turn(struct world *world); // at a boundary; true: there is more to do at once
void world_image_rest(struct world *world); // where a tick rests
// It is refused, and what is left of it ends by itself. Does nothing where none is made.
void world_image_cut(struct world *world, enum protocol_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t world_image_session(const struct world *world); // who waits for it; 0: nobody
void world_image_destroy(struct world *world);           // waits for its thread

#endif
