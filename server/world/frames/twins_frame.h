// Packs messages of stream.records, without their heads.
#ifndef WEFT_WORLD_TWINS_FRAME_H
#define WEFT_WORLD_TWINS_FRAME_H

#include "protocol/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct base_frame;

// The world at the moment when a message is made.
struct world_twins_moment {
    uint64_t tick, sequence, at_us;
    int state; // as in world_face
    double rate;
};

struct world_twins_message {
    struct world_twins_moment moment;
    bool says_state, hashed;
    uint64_t hash;
    const struct protocol_bytes *records; // elements of the list
    uint32_t record_count;
};

// Makes a frame of one part. It is packed into scratch first. NULL if memory or room in the budget runs out.
struct base_frame *world_twins_message(const struct world_twins_message *message,
                                       struct protocol_bytes *scratch, struct base_budget *budget);
// Makes a frame of the bytes of a whole image, with as many parts as it takes. NULL if memory or room in the
// budget runs out.
struct base_frame *world_twins_image(const struct world_twins_moment *moment,
                                     const struct protocol_bytes *bytes, uint64_t hash,
                                     struct base_budget *budget);

#endif
