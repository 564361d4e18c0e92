// Snapshot encodings: a run of particles of one body at one moment ⇄ a chunk of a frame.
//
// weft_codec is a small library of its own, linked by server and clients alike. Encoding f32 writes
// arrays as they are; q16 and delta make positions small, with an error that is known (docs/reference/compressed.md
// has the bytes). Nothing allocates but what is called create, and nothing that is read is trusted.
#ifndef WEFT_PROTOCOL_CODEC_H
#define WEFT_PROTOCOL_CODEC_H

#include "protocol/types.h"

#include <stddef.h>
#include <stdint.h>

// Arrays of 3 count numbers each, native byte order; NULL where a field is not wanted. In a chunk with a skin
// first and count are of its vertices, and it is the only array.
struct codec_chunk {
    uint32_t body;
    uint32_t first;
    uint32_t count;
    const float *positions;
    const double *positions64;
    const float *velocities;
    const float *normals;
    const float *skin;
};

// Bytes that codec_encode_f32 will write: a multiple of 8.
size_t codec_size_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode);

// Writes the chunk's map to out, which lies at a multiple of 8 in its message. Returns codec_size_f32().
size_t codec_encode_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode, uint8_t *out);

// A chunk of a frame whose positions, or skin, are bytes made small as below: {body, first, count, [elements_hash,] [tile,
// tiles,] positions | skin: bin}, in all modes. What is said of codec_size_f32 and of where it lies holds.
struct codec_packed {
    uint32_t body;
    uint32_t count; // vertices, of the tile; first is 0
    bool skin;
    bool hashed; // elements_hash is told
    uint32_t elements_hash;
    uint32_t tile, tiles; // told where there is more than one
    const uint8_t *data;
    uint32_t size;
};

size_t codec_size_packed(const struct codec_packed *packed);
size_t codec_encode_packed(const struct codec_packed *packed, uint8_t *out);

// ------------------------------------------------------------------------------------------- compressed positions

// Bounds of counts, so that no size overflows.
enum { CODEC_COUNT_MAX = 1 << 26, CODEC_ELEMENTS_MAX = 1 << 28 };

enum codec_status {
    CODEC_OK,
    CODEC_INVALID, // these are no bytes of an encoder, or not for this plan
    CODEC_BASE,    // builds on a moment that is not held: ask for a key
    CODEC_MEMORY,
};

// q16: three integers of 16 bits a position, within the box of all of them. Positions are 3 count floats, m.
// Where one is not finite all are written as they are.
size_t codec_q16_bound(uint32_t count);
size_t codec_q16_encode(const float *positions, uint32_t count, uint8_t *out); // returns the size
// count is what is expected, and what `out` has room for. On anything but CODEC_OK out is not touched.
enum codec_status codec_q16_decode(const uint8_t *data, size_t size, uint32_t count, float *out);
// How far a coordinate may be off, m; 0 where they are as they were. Of what codec_q16_decode takes.
void codec_q16_error(const uint8_t *data, float error[3]);

// The order in which the vertices of a body are coded, and what each is predicted from. It is a function of the topology alone,
// so that encoder and decoder come to the same. Elements have `corners` indices each: 3 for a cloth, 4 for a soft body, 2 for a
// rope. Points have no elements. Takes time and memory in proportion to both counts, whatever the mesh. CODEC_INVALID for
// indices out of range and counts beyond the bounds.
struct codec_plan;
enum codec_status codec_plan_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                    size_t element_count, struct codec_plan **out);
void codec_plan_destroy(struct codec_plan *plan); // after all that use it; NULL is fine
size_t codec_plan_bytes(uint32_t count);          // of memory that one of so many vertices keeps, at most
uint32_t codec_plan_count(const struct codec_plan *plan);

// A body of more vertices is written in tiles: parts of neighbours, each of which is a body of its own to q16 and delta, with its
// vertices in their order and the elements that are within it. A function of the body's topology alone, as the plan is. Bodies
// without elements are cut as their vertices come. Takes time in proportion to the elements, once for each doubling of the tiles.
enum { CODEC_TILE_MAX = 8192 };
struct codec_tiles;
enum codec_status codec_tiles_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                     size_t element_count, bool with_plans, struct codec_tiles **out);
void codec_tiles_destroy(struct codec_tiles *tiles); // after all that use its plans; NULL is fine
uint32_t codec_tiles_expected(uint32_t count);       // in a body of so many vertices; at least 1
uint32_t codec_tiles_count(const struct codec_tiles *tiles);
// The body's vertices that are in a tile, ascending.
const uint32_t *codec_tile_vertices(const struct codec_tiles *tiles, uint32_t tile, uint32_t *count);
const struct codec_plan *codec_tile_plan(const struct codec_tiles *tiles, uint32_t tile); // with_plans
size_t codec_tiles_bytes(uint32_t count); // of memory, besides plans

// delta: positions rounded to a grid, of which the change since a moment before is told, or, in a key, all. No
// coordinate is off by more than the tolerance, ever, since both sides count in whole steps of the grid. A moment is a
// number that the caller gives; one that a decoder does not hold is refused.
//
// The largest tolerance that streams may have and that is no larger than this one: from the smallest to the largest there are 127.
float codec_tolerance_step(float tolerance);

// An encoder is for one tolerance at a time and whoever reads all of its chunks; a thread at a time may use it.
struct codec_encoder;
struct codec_encoder *codec_encoder_create(const struct codec_plan *plan); // NULL without memory
void codec_encoder_destroy(struct codec_encoder *encoder);
size_t codec_delta_bound(uint32_t count); // bytes that one chunk may have
// Positions in the order of the body, m; tolerance in m, 1e-12 to 1e6; moments are told apart, and ascend. Builds on the
// moment before where it can, else it is a key. Returns the size.
size_t codec_delta_encode(struct codec_encoder *encoder, const float *positions, uint64_t moment,
                          float tolerance, uint8_t *out);
// The moment that was encoded last as a key, for readers that come later: the next chunk builds on it, for everybody. 0 if there
// is none, because plain positions take less or were sent: then the next chunk stands alone.
size_t codec_delta_key(struct codec_encoder *encoder, uint8_t *out);
// Positions as they are, for a moment on which nothing builds.
size_t codec_delta_plain(const float *positions, uint32_t count, uint64_t moment, uint8_t *out);
void codec_encoder_forget(struct codec_encoder *encoder); // the next chunk stands alone
size_t codec_encoder_bytes(uint32_t count);               // of memory
// Whether a chunk of codec_delta_encode means the same to those who hold nothing.
bool codec_delta_stands_alone(const uint8_t *chunk);

struct codec_decoder;
struct codec_decoder *codec_decoder_create(const struct codec_plan *plan); // NULL without memory
void codec_decoder_destroy(struct codec_decoder *decoder);
// After CODEC_BASE the decoder holds what it held; after CODEC_INVALID it may hold nothing, and what `out` has is of no use.
enum codec_status codec_delta_decode(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                     float *out);
bool codec_delta_moment(const struct codec_decoder *decoder, uint64_t *moment); // that it holds; false: none

#endif
