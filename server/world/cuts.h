// Tiles of bodies, as all streams of a world share them.
#ifndef WEFT_WORLD_CUTS_H
#define WEFT_WORLD_CUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codec_tiles;

// Vertices of a body (or skin) that are sent, and the elements between them.
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
    uint64_t shape; // a hash of the elements
    size_t bytes;   // of memory
    struct codec_tiles *tiles;
};

struct world_cuts {
    struct world_cut **items; // of bodies of several tiles
    uint32_t count, capacity;
    size_t bytes; // of these, of those of one tile, and of all encoders
};

// Room for so many bytes more; they are not taken.
bool world_cuts_fit(const struct world_cuts *cuts, size_t bytes);
// NULL without memory. Plans are made where they are wanted and there is room for them; the rest is small, and has it always.
struct world_cut *world_cut_get(struct world_cuts *cuts, const struct world_mesh *mesh, uint64_t shape,
                                bool with_plans);
void world_cut_put(struct world_cuts *cuts, struct world_cut *cut); // NULL is allowed
void world_cuts_deinit(struct world_cuts *cuts);                    // all have been put

#endif
