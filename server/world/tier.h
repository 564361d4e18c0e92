// What frames of delta build on: for each body of a selection the codec's plan and encoder.
#ifndef WEFT_WORLD_TIER_H
#define WEFT_WORLD_TIER_H

#include "base/hash.h"
#include "document/document.h"
#include "protocol/codec/codec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A body, or its skin. Elements are those of its plan: none where only some of its vertices are sent.
struct world_tier_body {
    uint32_t body;
    bool skin;
    uint32_t count; // vertices that are sent
    uint64_t shape; // a hash of the elements
    size_t bytes;   // of memory
    struct codec_plan *plan;
    struct codec_encoder *encoder; // NULL: there was no room for it, and it is sent as it is
};

struct world_tier {
    struct world_tier_body *items; // as in the last frame, by body, the skin behind it
    uint32_t count, capacity;
    struct world_tier_body *coming; // those of the frame under way
    uint32_t coming_count, coming_capacity;
    uint32_t next;           // of items: those before it are in `coming`, or gone
    uint64_t number;         // of the last frame; 0: none, and the next stands alone
    uint64_t tick, revision; // of which it was
    uint32_t substep;
    uint64_t looked;       // revision at which shapes were looked at
    const struct sim *sim; // and whose they were
};

// Vertices of a body (or skin) that are sent, and the elements between them.
struct world_tier_mesh {
    uint32_t count, corners;
    const uint32_t *indices;
    uint32_t element_count;
};
void world_tier_mesh(const struct document *document, uint32_t body, bool skin, uint32_t nth,
                     struct world_tier_mesh *out);

struct world_tier *world_tier_create(void); // NULL without memory
// *bytes: of all tiers of the world.
void world_tier_destroy(struct world_tier *tier, size_t *bytes); // NULL is allowed
// A frame of at most so many bodies and skins begins. False without memory.
bool world_tier_begin(struct world_tier *tier, uint32_t count, const struct document *document);
// The next one of it: by ascending id, the skin behind its body. The hash is scratch.
struct world_tier_body *world_tier_take(struct world_tier *tier, const struct world_tier_mesh *mesh,
                                        uint32_t body, bool skin, struct base_hash *hash, size_t *bytes);
// It is whole: what was left out of it is forgotten.
void world_tier_end(struct world_tier *tier, const struct document *document, size_t *bytes);
// It is not to be: the next one stands alone.
void world_tier_drop(struct world_tier *tier, size_t *bytes);

#endif
