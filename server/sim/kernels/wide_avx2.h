// wide.h with eight lanes: AVX2.
#ifndef WEFT_SIM_KERNELS_WIDE_AVX2_H
#define WEFT_SIM_KERNELS_WIDE_AVX2_H

#include "sim/state/state.h"

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
SIM_INLINE bool w_any(wm m)
{
    return _mm256_movemask_ps((__m256)m) != 0;
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
SIM_INLINE wm w_equal_int(wi a, wi b)
{
    return (wm)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b);
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

SIM_INLINE wi w_min_int(wi a, wi b)
{
    return (wi)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    return (wi)_mm256_max_epi32((__m256i)a, (__m256i)b);
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 4
typedef double wd __attribute__((vector_size(32)));
typedef uint64_t wl __attribute__((vector_size(32)));
typedef wl wdm;

SIM_INLINE wd wd_set(double v)
{
    return _mm256_set1_pd(v);
}
SIM_INLINE wd wd_load(const double *p)
{
    return _mm256_loadu_pd(p);
}
SIM_INLINE void wd_store(double *p, wd v)
{
    _mm256_storeu_pd(p, v);
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return _mm256_sqrt_pd(a);
}
SIM_INLINE wd wd_abs(wd a)
{
    return (wd)((wl)a & 0x7fffffffffffffffu);
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return (wdm)_mm256_cmp_pd(a, b, _CMP_LT_OS);
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return (wdm)_mm256_cmp_pd(a, b, _CMP_EQ_OQ);
}
SIM_INLINE wdm wd_and(wdm a, wdm b)
{
    return a & b;
}
SIM_INLINE wdm wd_or(wdm a, wdm b)
{
    return a | b;
}
SIM_INLINE wd wd_select(wdm m, wd a, wd b)
{
    return _mm256_blendv_pd(b, a, (__m256d)m);
}
SIM_INLINE wd wd_where(wdm m, wd a)
{
    return (wd)(m & (wl)a);
}
SIM_INLINE __m128i w_half(__m256i a, int part)
{
    return part == 0 ? _mm256_castsi256_si128(a) : _mm256_extracti128_si256(a, 1);
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    return _mm256_cvtps_pd((__m128)w_half((__m256i)a, part));
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a[0])), _mm256_cvtpd_ps(a[1]), 1);
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    return _mm256_cvtepi32_pd(w_half((__m256i)a, part));
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    return (wdm)_mm256_cvtepi32_epi64(w_half((__m256i)m, part));
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    __m256 pairs = _mm256_shuffle_ps((__m256)m[0], (__m256)m[1], 0x88); // 0 1, 4 5 | 2 3, 6 7
    return (wm)_mm256_permute4x64_epi64((__m256i)pairs, 0xd8);
}
SIM_INLINE wl wl_set(int64_t v)
{
    return (wl)_mm256_set1_epi64x(v);
}
SIM_INLINE wl wl_load(const void *p)
{
    return (wl)_mm256_loadu_si256((const __m256i *)p);
}
SIM_INLINE void wl_store(void *p, wl v)
{
    _mm256_storeu_si256((__m256i *)p, (__m256i)v);
}
SIM_INLINE wl wl_of_word(wi a, int part)
{
    return (wl)_mm256_cvtepu32_epi64(w_half((__m256i)a, part));
}
// As 2^52 + low half and 2^84 + 2^63 + 2^32 x upper half: their difference is exact, so the sum alone rounds.
SIM_INLINE wd wd_of_long(wl a)
{
    wl low = (wl)_mm256_blend_epi32((__m256i)a, _mm256_set1_epi64x(0x4330000000000000), 0xaa);
    wl high = (a >> 32) ^ 0x4530000080000000u;
    return ((wd)high - wd_set(0x1.00000801p+84)) + (wd)low;
}
// Halves of two triples each, so that the shuffles leave the lanes in order.
SIM_INLINE __m256d w_halves(const int64_t *low)
{
    __m128d first = _mm_loadu_pd((const double *)(const void *)low);
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(first),
                                _mm_loadu_pd((const double *)(const void *)(low + 6)), 1);
}
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    __m256d a = w_halves(&p[0][0]); // x0 y0 | x2 y2
    __m256d b = w_halves(&p[0][2]); // z0 x1 | z2 x3
    __m256d c = w_halves(&p[1][1]); // y1 z1 | y3 z3
    x[0] = (wl)_mm256_shuffle_pd(a, b, 10);
    x[1] = (wl)_mm256_shuffle_pd(a, c, 5);
    x[2] = (wl)_mm256_shuffle_pd(b, c, 10);
}

#endif
#endif
