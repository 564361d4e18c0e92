// Snapshot encodings: a run of particles of one body at one moment ⇄ a chunk of a frame.
//
// weft_codec is a small library of its own, linked by server and clients alike. Encoding f32 writes
// arrays as they are. The encoder works in memory of the caller and allocates nothing.
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

#endif
