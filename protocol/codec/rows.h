// Rows: four 32-bit integers that wrap around, x, y, z and one unused. One 128-bit register holds a row if the machine has such
// registers; otherwise it is an array. Both give the same bits.
#ifndef WEFT_PROTOCOL_CODEC_ROWS_H
#define WEFT_PROTOCOL_CODEC_ROWS_H

#include <stdint.h>
#include <string.h>

#define ROW_INLINE static inline __attribute__((always_inline))

// Marks functions that are compiled a second time for AVX2, which multiplies 32-bit lanes. CODEC_BASELINE and CODEC_SCALAR leave
// that out, so that tests can compare the versions.
#if defined(__x86_64__) && !defined(CODEC_BASELINE) && !defined(CODEC_SCALAR)
#define ROW_AVX2 __attribute__((target("avx2")))
#endif

#if !defined(CODEC_SCALAR) && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))

typedef uint32_t row __attribute__((vector_size(16)));
typedef int32_t row_signed __attribute__((vector_size(16)));
typedef double row_wide __attribute__((vector_size(32)));
typedef float row_floats __attribute__((vector_size(16)));

ROW_INLINE row row_add(row a, row b)
{
    return a + b;
}

ROW_INLINE row row_sub(row a, row b)
{
    return a - b;
}

ROW_INLINE row row_times(row a, uint32_t factor)
{
    return a * factor;
}

ROW_INLINE row row_twice(row a)
{
    return a + a;
}

ROW_INLINE row row_xor(row a, row b)
{
    return a ^ b;
}

ROW_INLINE row row_or(row a, row b)
{
    return a | b;
}

ROW_INLINE row row_and(row a, uint32_t mask)
{
    return a & mask;
}

ROW_INLINE row row_less(row a, uint32_t b)
{
    return a - b;
}

ROW_INLINE row row_up(row a, int shift)
{
    return a << shift;
}

// Divides each signed lane by 2^shift, rounded towards minus infinity.
ROW_INLINE row row_down(row a, int shift)
{
    return (row)((row_signed)a >> shift);
}

ROW_INLINE uint32_t row_at(row a, int lane)
{
    return a[lane];
}

ROW_INLINE row row_of(uint32_t x, uint32_t y, uint32_t z)
{
    return (row){x, y, z, 0};
}

// Multiplies the signed lanes x, y, z by factor in double precision, and rounds each once, to float.
ROW_INLINE void row_scale(row a, double factor, float out[3])
{
    row_floats scaled =
        __builtin_convertvector(__builtin_convertvector((row_signed)a, row_wide) * factor, row_floats);
    memcpy(out, &scaled, 3 * sizeof *out);
}

#else

typedef struct {
    uint32_t lane[4];
} row;

#define ROW_EACH(expression)         \
    row result;                      \
    for (int i = 0; i < 4; i++) {    \
        result.lane[i] = expression; \
    }                                \
    return result

ROW_INLINE row row_add(row a, row b)
{
    ROW_EACH(a.lane[i] + b.lane[i]);
}

ROW_INLINE row row_sub(row a, row b)
{
    ROW_EACH(a.lane[i] - b.lane[i]);
}

ROW_INLINE row row_times(row a, uint32_t factor)
{
    ROW_EACH(a.lane[i] * factor);
}

ROW_INLINE row row_twice(row a)
{
    ROW_EACH(a.lane[i] << 1);
}

ROW_INLINE row row_xor(row a, row b)
{
    ROW_EACH(a.lane[i] ^ b.lane[i]);
}

ROW_INLINE row row_or(row a, row b)
{
    ROW_EACH(a.lane[i] | b.lane[i]);
}

ROW_INLINE row row_and(row a, uint32_t mask)
{
    ROW_EACH(a.lane[i] & mask);
}

ROW_INLINE row row_less(row a, uint32_t b)
{
    ROW_EACH(a.lane[i] - b);
}

ROW_INLINE row row_up(row a, int shift)
{
    ROW_EACH(a.lane[i] << shift);
}

ROW_INLINE row row_down(row a, int shift)
{
    ROW_EACH((uint32_t)((int32_t)a.lane[i] >> shift));
}

ROW_INLINE uint32_t row_at(row a, int lane)
{
    return a.lane[lane];
}

ROW_INLINE row row_of(uint32_t x, uint32_t y, uint32_t z)
{
    return (row){{x, y, z, 0}};
}

ROW_INLINE void row_scale(row a, double factor, float out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = (float)((double)(int32_t)a.lane[i] * factor);
    }
}

#endif

ROW_INLINE row row_load(const uint32_t at[4])
{
    row a;
    memcpy(&a, at, sizeof a);
    return a;
}

ROW_INLINE void row_store(uint32_t at[4], row a)
{
    memcpy(at, &a, sizeof a);
}

#endif
