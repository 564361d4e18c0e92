// wide.h with eight lanes: AVX2.
#ifndef WEFT_SIM_WIDE_AVX2_H
#define WEFT_SIM_WIDE_AVX2_H

#include "sim/internal.h"

#if defined(__AVX2__)
#include <immintrin.h>

#define WIDE 8
typedef float wf __attribute__((vector_size(32)));
typedef uint32_t wi __attribute__((vector_size(32)));
typedef wi wm;

SIM_INLINE wf w_set(float v)
{
    return _mm256_set1_ps(v);
}
SIM_INLINE wf w_load(const float *p)
{
    return _mm256_loadu_ps(p);
}
SIM_INLINE void w_store(float *p, wf v)
{
    _mm256_storeu_ps(p, v);
}
SIM_INLINE wi w_load_int(const void *p)
{
    return (wi)_mm256_loadu_si256((const __m256i *)p);
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    _mm256_storeu_si256((__m256i *)p, (__m256i)v);
}
SIM_INLINE wf w_sqrt(wf a)
{
    return _mm256_sqrt_ps(a);
}
SIM_INLINE wf w_min(wf a, wf b)
{
    return _mm256_min_ps(a, b);
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return _mm256_max_ps(a, b);
}
SIM_INLINE wi w_bits(wf a)
{
    return (wi)a;
}
SIM_INLINE wf w_of_bits(wi a)
{
    return (wf)a;
}
SIM_INLINE wf w_abs(wf a)
{
    return (wf)((wi)a & 0x7fffffffu);
}
SIM_INLINE wf w_float(wi a)
{
    return _mm256_cvtepi32_ps((__m256i)a);
}
SIM_INLINE wi w_round(wf a)
{
    return (wi)_mm256_cvtps_epi32(a);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return (wm)_mm256_cmp_ps(a, b, _CMP_LT_OS);
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return (wm)_mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
SIM_INLINE wm w_and(wm a, wm b)
{
    return a & b;
}
SIM_INLINE wm w_or(wm a, wm b)
{
    return a | b;
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return _mm256_blendv_ps(b, a, (__m256)m);
}
SIM_INLINE wf w_where(wm m, wf a)
{
    return (wf)(m & (wi)a);
}
SIM_INLINE wi w_where_int(wm m, wi a)
{
    return m & a;
}

// Rows j and j + 4 side by side, so that the transpose leaves the lanes in order.
SIM_INLINE __m256 w_pair(const char *base, const uint32_t *places, int j)
{
    __m128 low = _mm_load_ps((const float *)(const void *)(base + places[j]));
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low),
                                _mm_load_ps((const float *)(const void *)(base + places[j + 4])), 1);
}

// 4 x 4 in each half.
SIM_INLINE void w_transpose(__m256 r[4])
{
    __m256 t0 = _mm256_unpacklo_ps(r[0], r[1]), t1 = _mm256_unpacklo_ps(r[2], r[3]);
    __m256 t2 = _mm256_unpackhi_ps(r[0], r[1]), t3 = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = (__m256)_mm256_unpacklo_pd((__m256d)t0, (__m256d)t1);
    r[1] = (__m256)_mm256_unpackhi_pd((__m256d)t0, (__m256d)t1);
    r[2] = (__m256)_mm256_unpacklo_pd((__m256d)t2, (__m256d)t3);
    r[3] = (__m256)_mm256_unpackhi_pd((__m256d)t2, (__m256d)t3);
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    __m256 r[4] = {w_pair(rows, places, 0), w_pair(rows, places, 1), w_pair(rows, places, 2),
                   w_pair(rows, places, 3)};
    w_transpose(r);
    x[0] = (wi)r[0];
    x[1] = (wi)r[1];
    x[2] = (wi)r[2];
    *w = r[3];
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    char *base = rows;
    __m256 r[4] = {(__m256)x[0], (__m256)x[1], (__m256)x[2], w};
    w_transpose(r);
    for (int j = 0; j < 4; j++) {
        _mm_store_ps((float *)(void *)(base + places[j]), _mm256_castps256_ps128(r[j]));
        _mm_store_ps((float *)(void *)(base + places[j + 4]), _mm256_extractf128_ps(r[j], 1));
    }
}

SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    __m256 r = _mm256_loadu_ps((const float *)(const void *)rows + at);
    return _mm256_shuffle_ps(r, r, 0xff);
}

#endif
#endif
