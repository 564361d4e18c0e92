// The calls of codec.h: each is one of the codec's.
#include "codec.h"

#include "protocol/codec/codec.h"

#include <stdlib.h>

// Sizes have 32 bits here, and what is made of so many has one that fits.
enum { COUNT_MAX = 1 << 24, INDICES_MAX = 1 << 26 };

void *unpack_alloc(size_t size)
{
    return malloc(size > 0 ? size : 1);
}

void unpack_free(void *bytes)
{
    free(bytes);
}

struct codec_tiles *unpack_tiles(uint32_t count, uint32_t corners, const uint32_t *indices,
                                 uint32_t index_count)
{
    struct codec_tiles *tiles;
    if (count > COUNT_MAX || index_count > INDICES_MAX || corners < 2 || corners > 4 ||
        codec_tiles_create(count, corners, indices, index_count / corners, true, &tiles) != CODEC_OK) {
        return NULL;
    }
    return tiles;
}

void unpack_tiles_free(struct codec_tiles *tiles)
{
    codec_tiles_destroy(tiles);
}

uint32_t unpack_tile_count(const struct codec_tiles *tiles)
{
    return codec_tiles_count(tiles);
}

uint32_t unpack_tile_size(const struct codec_tiles *tiles, uint32_t tile)
{
    uint32_t count;
    codec_tile_vertices(tiles, tile, &count);
    return count;
}

const uint32_t *unpack_tile_vertices(const struct codec_tiles *tiles, uint32_t tile)
{
    uint32_t count;
    return codec_tile_vertices(tiles, tile, &count);
}

struct codec_decoder *unpack_decoder(const struct codec_tiles *tiles, uint32_t tile)
{
    return codec_decoder_create(codec_tile_plan(tiles, tile));
}

void unpack_decoder_free(struct codec_decoder *decoder)
{
    codec_decoder_destroy(decoder);
}

uint32_t unpack_delta(struct codec_decoder *decoder, const uint8_t *data, size_t size, float *out)
{
    return codec_delta_decode(decoder, data, size, out);
}

uint32_t unpack_q16(const uint8_t *data, size_t size, uint32_t count, float *out)
{
    return count > COUNT_MAX ? CODEC_INVALID : codec_q16_decode(data, size, count, out);
}
