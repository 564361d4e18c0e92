// Messages of stream.records behind their heads.
#ifndef WEFT_WORLD_TWINS_FRAME_H
#define WEFT_WORLD_TWINS_FRAME_H

#include "protocol/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_budget;
struct base_frame;

// What a message says of the world when it is made.
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

// A frame of one part. scratch is what it is packed into. NULL without memory, or room in the budget.
struct base_frame *world_twins_message(const struct world_twins_message *message,
                                       struct protocol_bytes *scratch, struct base_budget *budget);
// A frame of as many parts as it takes, of the bytes of a whole image.
struct base_frame *world_twins_image(const struct world_twins_moment *moment,
                                     const struct protocol_bytes *bytes, uint64_t hash,
                                     struct base_budget *budget);

#endif
