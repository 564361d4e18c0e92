// Remembers what a selection's frames need of its bodies: tiles, and for delta what the next frame builds on.
// Simulation thread.
#ifndef WEFT_WORLD_TIER_H
#define WEFT_WORLD_TIER_H

#include "base/hash.h"
#include "document/document.h"
#include "protocol/codec/codec.h"
#include "world/frames/cuts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A body or its skin. Its elements are those of its plan: none if only some of its vertices are sent.
struct world_tier_body {
    uint32_t body;
    bool skin;
    uint32_t count; // number of vertices that are sent
    uint64_t shape; // hash of the elements
    uint32_t elements_hash;
    size_t bytes;          // bytes of encoders
    struct world_cut *cut; // NULL: memory ran out for it
    // By tile. NULL for q16, and if there was no room for them: then the body is sent as it is.
    struct codec_encoder **encoders;
    // By tile, for sparse q16: hash of the last chunk, 0 before the first one. NULL: nothing of it is left out.
    uint64_t *sums;
};

struct world_tier {
    struct world_tier_body *items; // bodies of the last frame, by id, each before its skin
    uint32_t count, capacity;
    struct world_tier_body *coming; // bodies of the frame under way
    uint32_t coming_count, coming_capacity;
    uint32_t next; // index into items: those before it are in `coming`, or gone
    // For sparse f32: hashes of all chunks of the last frame, those that it left out too.
    uint64_t *sums;
    size_t sum_count, sum_capacity;
    uint64_t number;         // number of the last frame; 0: none, so the next frame stands alone
    uint64_t tick, revision; // tick and revision of the last frame
    uint32_t substep;
    uint64_t looked;                 // revisions and tears at which shapes were looked at
    const struct sim *sim;           // sim at which shapes were looked at
    const struct document *document; // document of the frame under way
};

// Describes the vertices of a body or its skin that are sent: every nth.
void world_tier_mesh(const struct document *document, uint32_t body, bool skin, uint32_t nth,
                     struct world_mesh *out);
// Hashes the elements of a mesh. `hash` is scratch.
uint64_t world_tier_shape(const struct world_mesh *mesh, struct base_hash *hash);
// Hashes the vertices and elements of a body and its skin. Clients are told this number, because they may
// know another body under the same id.
uint32_t world_tier_elements_hash(const struct document *document, uint32_t body, struct base_hash *hash);

// Makes an encoder for each tile of a cut with plans. NULL if memory runs out. Does not count their bytes.
struct codec_encoder **world_encoders_create(const struct world_cut *cut);
void world_encoders_destroy(struct codec_encoder **encoders, const struct world_cut *cut); // NULL is allowed

struct world_tier *world_tier_create(void); // NULL if memory runs out
// Destroys a tier. `cuts` are the world's.
void world_tier_destroy(struct world_tier *tier, struct world_cuts *cuts); // NULL is allowed
// Begins a frame of at most `count` bodies and skins. False if memory runs out.
bool world_tier_begin(struct world_tier *tier, uint32_t count, const struct document *document);
// Returns the next body or skin of the frame. They come by ascending id, each body before its skin.
// `encodes`: delta wants encoders. `hash` is scratch.
struct world_tier_body *world_tier_take(struct world_tier *tier, const struct world_mesh *mesh, bool encodes,
                                        struct base_hash *hash, struct world_cuts *cuts);
// Ends a frame that is whole, and forgets the bodies that it left out.
void world_tier_end(struct world_tier *tier, const struct document *document, struct world_cuts *cuts);
// Drops a frame that is not to be sent: the next one stands alone.
void world_tier_drop(struct world_tier *tier, struct world_cuts *cuts);

#endif
