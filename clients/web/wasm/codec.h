// Compressed positions in WebAssembly: the functions that weft-codec.wasm exports for src/lib/codec.ts. It is
// protocol/codec, compiled for WebAssembly.
//
// The caller passes and gets plain numbers: pointers are offsets into the module's memory, 0 for none. Input may come
// from anywhere. A module belongs to one thread.
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

// NULL if memory runs out.
void *UNPACK_EXPORT(unpack_alloc)(size_t size);
void UNPACK_EXPORT(unpack_free)(void *bytes);

// Tiles for `count` vertices, and elements of `corners` indices each: index_count indices in all. NULL if memory runs
// out, or an index names no vertex.
struct codec_tiles *UNPACK_EXPORT(unpack_tiles)(uint32_t count, uint32_t corners, const uint32_t *indices,
                                                uint32_t index_count);
void UNPACK_EXPORT(unpack_tiles_free)(struct codec_tiles *tiles); // call it after freeing its decoders
uint32_t UNPACK_EXPORT(unpack_tile_count)(const struct codec_tiles *tiles);
// The number of vertices of an existing tile, and their indices, ascending.
uint32_t UNPACK_EXPORT(unpack_tile_size)(const struct codec_tiles *tiles, uint32_t tile);
const uint32_t *UNPACK_EXPORT(unpack_tile_vertices)(const struct codec_tiles *tiles, uint32_t tile);

// Reads an existing tile; NULL if memory runs out.
struct codec_decoder *UNPACK_EXPORT(unpack_decoder)(const struct codec_tiles *tiles, uint32_t tile);
void UNPACK_EXPORT(unpack_decoder_free)(struct codec_decoder *decoder);

// Both return an enum codec_status. out: x, y, z of each vertex of the tile, or of `count` vertices.
uint32_t UNPACK_EXPORT(unpack_delta)(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                     float *out);
uint32_t UNPACK_EXPORT(unpack_q16)(const uint8_t *data, size_t size, uint32_t count, float *out);

#endif
