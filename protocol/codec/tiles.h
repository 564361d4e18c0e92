// The tiles that a body is cut into, and the plan of each (tiles.c).
#ifndef WEFT_PROTOCOL_CODEC_TILES_H
#define WEFT_PROTOCOL_CODEC_TILES_H

#include "protocol/codec/codec.h"

struct codec_tiles {
    uint32_t count;            // tiles
    uint32_t *begin;           // count + 1: where a tile's vertices begin
    uint32_t *vertices;        // tile by tile, in each by index
    struct codec_plan **plans; // of each; NULL where none were asked for
};

// As codec_tiles_create, with so many vertices in a tile at most.
enum codec_status codec_tiles_cut(uint32_t most, uint32_t count, uint32_t corners, const uint32_t *indices,
                                  size_t element_count, bool with_plans, struct codec_tiles **out);

#endif
