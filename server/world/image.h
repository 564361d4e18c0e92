// Documents and images of large worlds, made beside their turns.
#ifndef WEFT_WORLD_IMAGE_H
#define WEFT_WORLD_IMAGE_H

#include "protocol/error.h"
#include "store/store.h"
#include "world/world.h"

struct base_buffer;
struct world_call;
struct world_image;

void world_image_start(struct world_call *call); // takes the request, or refuses it
// The same for the store (journal.h), where none is made.
void world_image_start_kept(struct world *world);
// The same for streams of records (twins.h). False without memory.
bool world_image_start_streamed(struct world *world);
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
