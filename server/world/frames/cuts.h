// Cuts bodies into tiles. All streams of a world share these cuts.
#ifndef WEFT_WORLD_CUTS_H
#define WEFT_WORLD_CUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codec_tiles;

// Vertices of a body or of its skin that are sent, and the elements between them.
struct world_mesh {
    uint32_t body;
    bool skin;
    uint32_t count, corners;
    const uint32_t *indices;
    uint32_t element_count;
};

struct world_cut {
    uint32_t references;
    uint32_t body;
    bool skin, with_plans;
    uint32_t count;
    uint64_t shape; // hash of the elements
    size_t bytes;   // bytes of memory
    struct codec_tiles *tiles;
};

struct world_cuts {
    struct world_cut **items; // cuts of bodies that have several tiles
    uint32_t count, capacity;
    // Bytes of these cuts, of cuts with one tile, and of all encoders.
    size_t bytes;
};

// Whether so many more bytes fit. Takes none of them.
bool world_cuts_fit(const struct world_cuts *cuts, size_t bytes);
// Finds or makes the cut of a mesh and takes a reference. NULL if memory runs out. Plans are made if they are
// wanted and there is room for them; the rest is small and always has room.
struct world_cut *world_cut_get(struct world_cuts *cuts, const struct world_mesh *mesh, uint64_t shape,
                                bool with_plans);
// Gives a reference back. NULL is allowed.
void world_cut_put(struct world_cuts *cuts, struct world_cut *cut);
void world_cuts_deinit(struct world_cuts *cuts); // every cut must have been put before

#endif
