// The order in which a body's particles stand in memory.
//
// Imported meshes come in random order. Along a Hilbert curve through the bounding box of the rest shape,
// particles that are close in space are close in memory, so that a run of some thousand of them is a compact
// patch whose constraints stay in the nearest cache. The order depends on the quantised rest shape alone.

#include "sim/ground/ground.h"
#include "sim/state/state.h"

#include <stdlib.h>

enum {
    ORDER_BITS = 20, // of each axis; 60 bits in all
    DIGIT_BITS = 11, // of the sort
    DIGITS = 1 << DIGIT_BITS,
};

// Stable radix sort, least significant digit first; digits that are the same in all keys are skipped.
bool sim_sort(uint64_t *keys, uint32_t *indices, uint32_t count)
{
    uint64_t *other_keys = malloc(((size_t)count + 1) * sizeof *other_keys);
    uint32_t *other_indices = malloc(((size_t)count + 1) * sizeof *other_indices);
    bool sorted = other_keys && other_indices;
    if (!sorted) {
        goto cleanup;
    }
    uint64_t *from = keys, *to = other_keys, differ = 0;
    uint32_t *from_index = indices, *to_index = other_indices;
    for (uint32_t i = 0; i < count; i++) {
        differ |= keys[i] ^ keys[0];
    }
    for (uint32_t shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (((differ >> shift) & (DIGITS - 1)) == 0) {
            continue;
        }
        uint32_t starts[DIGITS] = {0}, sum = 0;
        for (uint32_t i = 0; i < count; i++) {
            starts[(from[i] >> shift) & (DIGITS - 1)]++;
        }
        for (uint32_t d = 0; d < DIGITS; d++) {
            uint32_t size = starts[d];
            starts[d] = sum;
            sum += size;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t place = starts[(from[i] >> shift) & (DIGITS - 1)]++;
            to[place] = from[i];
            to_index[place] = from_index[i];
        }
        uint64_t *keys_swap = from;
        from = to;
        to = keys_swap;
        uint32_t *index_swap = from_index;
        from_index = to_index;
        to_index = index_swap;
    }
    if (from != keys) {
        memcpy(keys, from, (size_t)count * sizeof *keys);
        memcpy(indices, from_index, (size_t)count * sizeof *indices);
    }
cleanup:
    free(other_keys);
    free(other_indices);
    return sorted;
}

// Bit b of a word goes to bit 3 b: the distance between two halves doubles step by step.
static uint64_t spread(uint64_t word)
{
    word &= (1u << ORDER_BITS) - 1;
    word = (word | word << 32) & 0x001f00000000ffff;
    word = (word | word << 16) & 0x001f0000ff0000ff;
    word = (word | word << 8) & 0x100f00f00f00f00f;
    word = (word | word << 4) & 0x10c30c30c30c30c3;
    return (word | word << 2) & 0x1249249249249249;
}

// Position along the curve (J. Skilling, "Programming the Hilbert curve", 2004): undo excess work, Gray
// encode, then interleave the bits of the transposed index.
static uint64_t hilbert_key(uint32_t x[3])
{
    for (uint32_t bit = 1u << (ORDER_BITS - 1); bit > 1; bit >>= 1) {
        uint32_t low = bit - 1;
        for (int axis = 0; axis < 3; axis++) {
            // Set: the lower bits of x[0] turn; clear: they change places with those of x[axis]. No branch could be
            // foretold here.
            uint32_t set = (x[axis] & bit) != 0 ? low : 0, t = (x[0] ^ x[axis]) & low & ~set;
            x[0] ^= set | t;
            x[axis] ^= t;
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t gray = 0;
    for (uint32_t bit = 1u << (ORDER_BITS - 1); bit > 1; bit >>= 1) {
        if (x[2] & bit) {
            gray ^= bit - 1;
        }
    }
    return spread(x[0] ^ gray) << 2 | spread(x[1] ^ gray) << 1 | spread(x[2] ^ gray);
}

bool sim_order(const int64_t (*positions)[3], uint32_t count, uint32_t *row_of, uint32_t *index_of)
{
    uint64_t *keys = malloc(((size_t)count + 1) * sizeof *keys);
    if (!keys) {
        return false;
    }
    int64_t low[3] = {0}, high[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            int64_t x = positions[i][axis];
            low[axis] = i == 0 || x < low[axis] ? x : low[axis];
            high[axis] = i == 0 || x > high[axis] ? x : high[axis];
        }
    }
    uint64_t span = 0; // one scale for all axes, so that patches are as wide as they are long
    for (int axis = 0; axis < 3; axis++) {
        uint64_t extent = (uint64_t)high[axis] - (uint64_t)low[axis];
        span = extent > span ? extent : span;
    }
    int shift = 0;
    while (span >> shift >= (uint64_t)1 << ORDER_BITS) {
        shift++;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cell[3];
        for (int axis = 0; axis < 3; axis++) {
            cell[axis] = (uint32_t)(((uint64_t)positions[i][axis] - (uint64_t)low[axis]) >> shift);
        }
        keys[i] = hilbert_key(cell);
        index_of[i] = i;
    }
    bool sorted = sim_sort(keys, index_of, count);
    for (uint32_t row = 0; sorted && row < count; row++) {
        row_of[index_of[row]] = row;
    }
    free(keys);
    return sorted;
}
