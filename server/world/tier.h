// What frames of a selection remember of its bodies: tiles, and of delta what the next frame builds on.
#ifndef WEFT_WORLD_TIER_H
#define WEFT_WORLD_TIER_H

#include "base/hash.h"
#include "document/document.h"
#include "protocol/codec/codec.h"
#include "world/cuts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A body, or its skin. Elements are those of its plan: none where only some of its vertices are sent.
struct world_tier_body {
    uint32_t body;
    bool skin;
    uint32_t count; // vertices that are sent
    uint64_t shape; // a hash of the elements
    uint32_t elements_hash;
    size_t bytes;          // of encoders
    struct world_cut *cut; // NULL: there was no memory for it
    struct codec_encoder *
        *encoders; // by tile. NULL: of q16, or there was no room for them, and it is sent as it is
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
    uint64_t looked;                 // revision at which shapes were looked at
    const struct sim *sim;           // and whose they were
    const struct document *document; // of the frame under way
};

void world_tier_mesh(const struct document *document, uint32_t body, bool skin, uint32_t nth,
                     struct world_mesh *out);
uint64_t world_tier_shape(const struct world_mesh *mesh, struct base_hash *hash); // the hash is scratch
// Of a body's vertices and elements, and its skin's: what clients are told, who may know another body under its id.
uint32_t world_tier_elements_hash(const struct document *document, uint32_t body, struct base_hash *hash);

// Of each tile of a cut with plans; NULL without memory. Not counted.
struct codec_encoder **world_encoders_create(const struct world_cut *cut);
void world_encoders_destroy(struct codec_encoder **encoders, const struct world_cut *cut); // NULL is allowed

struct world_tier *world_tier_create(void); // NULL without memory
// cuts: of the world.
void world_tier_destroy(struct world_tier *tier, struct world_cuts *cuts); // NULL is allowed
// A frame of at most so many bodies and skins begins. False without memory.
bool world_tier_begin(struct world_tier *tier, uint32_t count, const struct document *document);
// The next one of it: by ascending id, the skin behind its body. With encoders, of delta. The hash is scratch.
struct world_tier_body *world_tier_take(struct world_tier *tier, const struct world_mesh *mesh, bool encodes,
                                        struct base_hash *hash, struct world_cuts *cuts);
// It is whole: what was left out of it is forgotten.
void world_tier_end(struct world_tier *tier, const struct document *document, struct world_cuts *cuts);
// It is not to be: the next one stands alone.
void world_tier_drop(struct world_tier *tier, struct world_cuts *cuts);

#endif
