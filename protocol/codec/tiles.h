// The members of tiles (tiles.c): the parts that a large body is cut into, and the plan of each.
#ifndef WEFT_PROTOCOL_CODEC_TILES_H
#define WEFT_PROTOCOL_CODEC_TILES_H

#include "protocol/codec/codec.h"

struct codec_tiles {
    uint32_t count;            // tiles
    uint32_t *begin;           // count + 1 offsets into vertices: where each tile begins and the last ends
    uint32_t *vertices;        // vertices of the body, tile by tile, ascending within a tile
    struct codec_plan **plans; // one for each tile, owned; NULL if they were not asked for
};

// Like codec_tiles_create, but with at most `most` vertices in a tile.
enum codec_status codec_tiles_cut(uint32_t most, uint32_t count, uint32_t corners, const uint32_t *indices,
                                  size_t element_count, bool with_plans, struct codec_tiles **out);

#endif
