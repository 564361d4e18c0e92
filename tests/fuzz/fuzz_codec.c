// Compressed positions. The first byte says what the rest is:
//
//     0  chunks of delta for a small cloth, each behind its size in two bytes: read or refused, and then a key is taken
//     1  a chunk of q16
//     2  a mesh of 16 vertices, an index a byte: its plan predicts from what came before, and takes positions there and back;
//        cut into tiles, each vertex is in one of them
//     3  floats, frame after frame of 16 points: no error passes the tolerance
#include "fuzz.h"

#include "protocol/codec/plan.h"
#include "protocol/codec/tiles.h"

#include <math.h>
#include <string.h>

enum { SIDE = 6, CLOTH = SIDE * SIDE, POINTS = 16, CHUNKS_MAX = 64 };

static const float TOLERANCE = 1e-3F;

struct pair {
    struct codec_plan *plan;
    struct codec_encoder *encoder;
    struct codec_decoder *decoder;
    uint8_t *bytes;
    float in[3 * CLOTH], out[3 * CLOTH];
};

static void pair_init(struct pair *pair, uint32_t count, uint32_t corners, const uint32_t *indices,
                      size_t element_count)
{
    *pair = (struct pair){0};
    FUZZ_ASSERT(codec_plan_create(count, corners, indices, element_count, &pair->plan) == CODEC_OK);
    pair->encoder = codec_encoder_create(pair->plan);
    pair->decoder = codec_decoder_create(pair->plan);
    pair->bytes = malloc(codec_delta_bound(count));
    FUZZ_ASSERT(pair->encoder != NULL && pair->decoder != NULL && pair->bytes != NULL);
}

static void pair_deinit(struct pair *pair)
{
    free(pair->bytes);
    codec_decoder_destroy(pair->decoder);
    codec_encoder_destroy(pair->encoder);
    codec_plan_destroy(pair->plan);
}

static void there_and_back(struct pair *pair, uint64_t moment)
{
    uint32_t count = pair->plan->count;
    size_t size = codec_delta_encode(pair->encoder, pair->in, moment, TOLERANCE, pair->bytes);
    FUZZ_ASSERT(size <= codec_delta_bound(count));
    FUZZ_ASSERT(codec_delta_decode(pair->decoder, pair->bytes, size, pair->out) == CODEC_OK);
    for (uint32_t i = 0; i < 3 * count; i++) {
        double error = fabs((double)pair->in[i] - (double)pair->out[i]);
        FUZZ_ASSERT(error <= (double)TOLERANCE || memcmp(&pair->in[i], &pair->out[i], sizeof(float)) == 0);
    }
}

static void read_chunks(const uint8_t *data, size_t size)
{
    uint32_t indices[6 * CLOTH], count = 0;
    for (uint32_t i = 0; i + SIDE + 1 < CLOTH; i++) {
        if (i % SIDE + 1 < SIDE) {
            const uint32_t cell[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE, i + SIDE + 1};
            memcpy(indices + count, cell, sizeof cell);
            count += 6;
        }
    }
    struct pair pair;
    pair_init(&pair, CLOTH, 3, indices, count / 3);
    for (int chunk = 0; chunk < CHUNKS_MAX && size >= 2; chunk++) {
        size_t told = data[0] | (size_t)data[1] << 8, taken = told < size - 2 ? told : size - 2;
        // Exactly as large as the chunk, so that a sanitizer sees who reads past its end.
        uint8_t *copy = malloc(taken > 0 ? taken : 1);
        FUZZ_ASSERT(copy != NULL);
        memcpy(copy, data + 2, taken);
        enum codec_status status = codec_delta_decode(pair.decoder, copy, taken, pair.out);
        uint64_t moment;
        FUZZ_ASSERT(status == CODEC_OK || status == CODEC_INVALID || status == CODEC_BASE);
        FUZZ_ASSERT(status != CODEC_OK || copy[0] == 0 || codec_delta_moment(pair.decoder, &moment));
        for (uint32_t i = 0; status == CODEC_OK && copy[0] != 0 && i < 3 * CLOTH; i++) {
            FUZZ_ASSERT(isfinite(pair.out[i]));
        }
        free(copy);
        data += 2 + taken;
        size -= 2 + taken;
    }
    there_and_back(&pair, 1);
    pair_deinit(&pair);
}

static void read_q16(const uint8_t *data, size_t size)
{
    float out[3 * CLOTH], error[3];
    uint32_t count = 0;
    if (size >= 8) {
        memcpy(&count, data + 4, sizeof count);
    }
    if (count <= CLOTH && codec_q16_decode(data, size, count, out) == CODEC_OK) {
        codec_q16_error(data, error);
        FUZZ_ASSERT(size <= codec_q16_bound(count));
        for (uint32_t i = 0; i < 3 * count; i++) {
            FUZZ_ASSERT(data[0] == 0 || (isfinite(out[i]) && error[i % 3] >= 0));
        }
    }
    FUZZ_ASSERT(count == CLOTH || codec_q16_decode(data, size, CLOTH, out) == CODEC_INVALID);
}

static void cut(uint32_t most, uint32_t corners, const uint32_t *indices, size_t element_count)
{
    struct codec_tiles *tiles;
    uint32_t seen = 0;
    FUZZ_ASSERT(codec_tiles_cut(most, POINTS, corners, indices, element_count, true, &tiles) == CODEC_OK);
    FUZZ_ASSERT(codec_tiles_count(tiles) == (POINTS - 1) / most + 1);
    for (uint32_t tile = 0; tile < codec_tiles_count(tiles); tile++) {
        uint32_t count;
        const uint32_t *vertices = codec_tile_vertices(tiles, tile, &count);
        FUZZ_ASSERT(count > 0 && count <= most && codec_plan_count(codec_tile_plan(tiles, tile)) == count);
        for (uint32_t i = 0; i < count; i++) {
            FUZZ_ASSERT(vertices[i] < POINTS && (i == 0 || vertices[i] > vertices[i - 1]));
            FUZZ_ASSERT(!(seen >> vertices[i] & 1));
            seen |= 1U << vertices[i];
        }
    }
    FUZZ_ASSERT(seen == (1U << POINTS) - 1);
    codec_tiles_destroy(tiles);
}

static void make_plan(const uint8_t *data, size_t size)
{
    uint32_t indices[512], count = size < 512 ? (uint32_t)size : 512,
                           corners = size > 0 ? 2 + data[0] % 3U : 3;
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = data[i] % POINTS;
    }
    struct pair pair;
    cut(1 + count % POINTS, corners, indices, count / corners);
    pair_init(&pair, POINTS, corners, indices, count / corners);
    for (uint32_t place = 0; place < POINTS; place++) {
        for (int i = 0; i < PLAN_FROM; i++) {
            uint32_t from = pair.plan->from[place][i];
            FUZZ_ASSERT(from < place || (from == POINTS && place == 0));
        }
    }
    for (uint64_t moment = 1; moment < 4; moment++) {
        for (uint32_t i = 0; i < 3 * POINTS; i++) {
            pair.in[i] = (float)moment * 0.01F * (float)(size > 0 ? data[i % size] : 1);
        }
        there_and_back(&pair, moment);
    }
    pair_deinit(&pair);
}

static void take_floats(const uint8_t *data, size_t size)
{
    struct pair pair;
    uint8_t boxed[12 * POINTS + 64];
    pair_init(&pair, POINTS, 0, NULL, 0);
    for (uint64_t moment = 1; size >= sizeof(float[3 * POINTS]) && moment < CHUNKS_MAX; moment++) {
        memcpy(pair.in, data, sizeof(float[3 * POINTS]));
        data += sizeof(float[3 * POINTS]);
        size -= sizeof(float[3 * POINTS]);
        there_and_back(&pair, moment);
        size_t boxed_size = codec_q16_encode(pair.in, POINTS, boxed);
        float error[3];
        FUZZ_ASSERT(boxed_size <= codec_q16_bound(POINTS) && boxed_size <= sizeof boxed);
        FUZZ_ASSERT(codec_q16_decode(boxed, boxed_size, POINTS, pair.out) == CODEC_OK);
        codec_q16_error(boxed, error);
        for (uint32_t i = 0; i < 3 * POINTS; i++) {
            double off = fabs((double)pair.in[i] - (double)pair.out[i]);
            FUZZ_ASSERT(off <= (double)error[i % 3] || memcmp(&pair.in[i], &pair.out[i], sizeof(float)) == 0);
        }
    }
    pair_deinit(&pair);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const ways[4])(const uint8_t *data, size_t size) = {read_chunks, read_q16, make_plan,
                                                                      take_floats};
    if (size > 0) {
        ways[data[0] % 4](data + 1, size - 1);
    }
    return 0;
}
