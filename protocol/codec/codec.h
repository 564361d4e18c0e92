// Encodings of frames: a range of one body's particles at one moment ⇄ a chunk of a frame.
//
// Server and clients link this as a small library of its own, weft_codec. Encoding f32 writes arrays as they are. q16 and delta
// compress positions within a known error; docs/reference/compressed.md specifies their bytes.
//
// Only functions named create allocate. Bytes that are decoded are not trusted. There is no global state; one thread at a
// time uses an encoder or a decoder, and any number may read plans and tiles.
#ifndef WEFT_PROTOCOL_CODEC_H
#define WEFT_PROTOCOL_CODEC_H

#include "protocol/types.h"

#include <stddef.h>
#include <stdint.h>

// The particles first ... first + count - 1 of a body. Each array has 3 count numbers in native byte order, rotations 4 count, or
// is NULL if the field is not wanted. If skin is not NULL it is the only array, and first and count refer to the skin's vertices.
struct codec_chunk {
    uint32_t body;
    uint32_t first;
    uint32_t count;
    const float *positions;
    const double *positions64;
    const float *velocities;
    const float *normals;
    const float *rotations;
    const double *rotations64;
    const float *skin;
};

// The number of bytes that codec_encode_f32 will write: a multiple of 8.
size_t codec_size_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode);

// Writes the chunk's map to out, and returns its size. The offset of out in its message must be a multiple of 8
// (protocol/frame.h).
size_t codec_encode_f32(const struct codec_chunk *chunk, enum protocol_arrays_mode mode, uint8_t *out);

// A chunk whose positions, or skin, are compressed by q16 or delta: {body, first, count, [elements_hash,] [tile, tiles,]
// positions | skin: bin}, whatever the session's arrays mode. Size and offset are multiples of 8, as above.
struct codec_packed {
    uint32_t body;
    uint32_t count; // vertices in the tile; first is 0
    bool skin;      // data is the skin's, not the particles'
    bool hashed;    // the chunk has elements_hash
    uint32_t elements_hash;
    uint32_t tile, tiles; // index and number of tiles; written if there is more than one
    const uint8_t *data;
    uint32_t size; // of data, bytes
};

size_t codec_size_packed(const struct codec_packed *packed);
size_t codec_encode_packed(const struct codec_packed *packed, uint8_t *out);

// ------------------------------------------------------------------------------------------- compressed positions

// Bounds of counts, so that no size overflows.
enum { CODEC_COUNT_MAX = 1 << 26, CODEC_ELEMENTS_MAX = 1 << 28 };

enum codec_status {
    CODEC_OK,
    CODEC_INVALID, // malformed, or made for another plan or count
    CODEC_BASE,    // a difference from a moment that the decoder does not hold: the caller asks for a key
    CODEC_MEMORY,
};

// q16: three 16-bit integers for each position, as steps within the bounding box of all. Positions are 3 count floats, m, with
// count at most CODEC_COUNT_MAX. If a coordinate is not finite, or beyond 8e37, all are written as plain floats.
size_t codec_q16_bound(uint32_t count); // most bytes that codec_q16_encode writes
size_t codec_q16_encode(const float *positions, uint32_t count, uint8_t *out); // returns the size
// `count` is the number of vertices that the caller expects and has room for. If it fails, out is not changed.
enum codec_status codec_q16_decode(const uint8_t *data, size_t size, uint32_t count, float *out);
// The greatest error of each coordinate, m; 0 if the positions are exact. data is what codec_q16_decode accepted.
void codec_q16_error(const uint8_t *data, float error[3]);

// A plan: the order in which delta codes the vertices of a body, and from which others it predicts each. It depends on the
// topology alone, so encoder and decoder compute the same. Elements have `corners` indices each: 3 for a cloth, 4 for a soft
// body, 2 for a rope. Points have no elements. Time and memory are proportional to both counts, whatever the mesh.
// CODEC_INVALID if an index is out of range or a count is beyond the bounds; CODEC_MEMORY.
struct codec_plan;
enum codec_status codec_plan_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                    size_t element_count, struct codec_plan **out);
void codec_plan_destroy(struct codec_plan *plan); // after all that use it; NULL is allowed
size_t codec_plan_bytes(uint32_t count);          // most memory that a plan for so many vertices keeps
uint32_t codec_plan_count(const struct codec_plan *plan); // vertices

// A body of more than CODEC_TILE_MAX vertices is written in tiles. A tile is a part of neighbouring vertices, which q16 and delta
// treat as a body: it has these vertices in ascending order, and the elements that lie within it. Tiles too depend on the
// topology alone. A body without elements is cut in the order of its vertices. Time is proportional to the elements, times the
// binary logarithm of the number of tiles. Fails like codec_plan_create.
enum { CODEC_TILE_MAX = 8192 };
struct codec_tiles;
enum codec_status codec_tiles_create(uint32_t count, uint32_t corners, const uint32_t *indices,
                                     size_t element_count, bool with_plans, struct codec_tiles **out);
void codec_tiles_destroy(struct codec_tiles *tiles); // after all that use its plans; NULL is allowed
uint32_t codec_tiles_expected(uint32_t count); // number of tiles of a body of so many vertices; at least 1
uint32_t codec_tiles_count(const struct codec_tiles *tiles);
// The body's vertices that are in a tile, ascending. The tiles own the array.
const uint32_t *codec_tile_vertices(const struct codec_tiles *tiles, uint32_t tile, uint32_t *count);
// The plan of a tile, if the tiles were created with_plans. The tiles own it.
const struct codec_plan *codec_tile_plan(const struct codec_tiles *tiles, uint32_t tile);
size_t codec_tiles_bytes(uint32_t count); // memory that tiles of so many vertices keep, without plans

// delta: positions rounded to a grid. A chunk has the change of each since an earlier moment or, in a key, the whole. Both sides
// count in whole steps of the grid, so errors do not add up: no coordinate is ever off by more than the tolerance. A moment is
// a number by which the caller names a chunk.
//
// Returns the largest of the 127 tolerances that streams may have which is not above `tolerance`, m.
float codec_tolerance_step(float tolerance);

// An encoder serves decoders that see every chunk of it. The plan must outlive it. NULL if memory runs out.
struct codec_encoder;
struct codec_encoder *codec_encoder_create(const struct codec_plan *plan);
void codec_encoder_destroy(struct codec_encoder *encoder); // NULL is allowed
size_t codec_delta_bound(uint32_t count);                  // most bytes of one chunk
// Encodes positions, m, in the order of the body, and returns the size. tolerance is in m, 1e-12 to 1e6, and each moment is
// greater than the one before. The chunk is a difference from the previous moment if that is possible, and otherwise a key.
size_t codec_delta_encode(struct codec_encoder *encoder, const float *positions, uint64_t moment,
                          float tolerance, uint8_t *out);
// Whether these positions are those of the last chunk: in whole steps, or to the bit if that was plain. Then the chunk may be left out: nothing changes in the encoder.
bool codec_delta_unchanged(const struct codec_encoder *encoder, const float *positions, float tolerance);
// Encodes the last moment again, as a key, for decoders that join later: for them too the next chunk builds on it. 0 if no key is
// worth it, because plain positions are smaller or were sent: then the next chunk stands alone.
size_t codec_delta_key(struct codec_encoder *encoder, uint8_t *out);
// Writes plain positions, on which no chunk builds. Returns the size.
size_t codec_delta_plain(const float *positions, uint32_t count, uint64_t moment, uint8_t *out);
void codec_encoder_forget(struct codec_encoder *encoder); // the next chunk stands alone
size_t codec_encoder_bytes(uint32_t count);               // memory that an encoder for so many vertices keeps
// Whether a decoder that holds nothing can decode this chunk of codec_delta_encode.
bool codec_delta_stands_alone(const uint8_t *chunk);

// The plan must outlive the decoder. NULL if memory runs out.
struct codec_decoder;
struct codec_decoder *codec_decoder_create(const struct codec_plan *plan);
void codec_decoder_destroy(struct codec_decoder *decoder); // NULL is allowed
// Writes 3 floats, m, for each vertex of the plan to out. After CODEC_BASE the decoder is unchanged. After CODEC_INVALID it may
// hold nothing, and the contents of out are undefined.
enum codec_status codec_delta_decode(struct codec_decoder *decoder, const uint8_t *data, size_t size,
                                     float *out);
// Gives the moment that the decoder holds; false if it holds none.
bool codec_delta_moment(const struct codec_decoder *decoder, uint64_t *moment);

#endif
