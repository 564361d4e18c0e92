// Compressed positions in WebAssembly: what weft-codec.wasm exports, and src/lib/codec.ts calls. It is protocol/codec, compiled
// again.
//
// Parameters and results are plain numbers to who calls: pointers are places in the module's memory, 0 for none. What comes in may
// come from anywhere. A module is one thread's.
#ifndef WEFT_WASM_CODEC_H
#define WEFT_WASM_CODEC_H

#include <stddef.h>
#include <stdint.h>

struct codec_tiles;
struct codec_decoder;

#if defined(__wasm__)
#define UNPACK_EXPORT(name) __attribute__((export_name(#name))) name
#else
#define UNPACK_EXPORT(name) name
#endif

// NULL without memory.
void *UNPACK_EXPORT(unpack_alloc)(size_t size);
void UNPACK_EXPORT(unpack_free)(void *bytes);

// Tiles of so many vertices, and elements of `corners` indices each: index_count indices in all. NULL without memory, and where an
// index names no vertex.
struct codec_tiles *UNPACK_EXPORT(unpack_tiles)(uint32_t count, uint32_t corners, const uint32_t *indices,
                                                uint32_t index_count);
void UNPACK_EXPORT(unpack_tiles_free)(struct codec_tiles *tiles); // after its decoders
uint32_t UNPACK_EXPORT(unpack_tile_count)(const struct codec_tiles *tiles);
// Of a tile that there is: how many vertices it has, and which, ascending.
uint32_t UNPACK_EXPORT(unpack_tile_size)(const struct codec_tiles *tiles, uint32_t tile);
const uint32_t *UNPACK_EXPORT(unpack_tile_vertices)(const struct codec_tiles *tiles, uint32_t tile);

// Of a tile that there is; NULL without memory.
struct codec_decoder *UNPACK_EXPORT(unpack_decoder)(const struct codec_tiles *tiles, uint32_t tile);
void UNPACK_EXPORT(unpack_decoder_free)(struct codec_decoder *decoder);

// Both answer with an enum codec_status. out: x, y, z of as many vertices as the tile has, or as are said.
uint32_t UNPACK_EXPORT(unpack_delta)(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                     float *out);
uint32_t UNPACK_EXPORT(unpack_q16)(const uint8_t *data, size_t size, uint32_t count, float *out);

#endif
