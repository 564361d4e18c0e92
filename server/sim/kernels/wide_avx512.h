// wide.h with sixteen lanes: AVX-512 (F and DQ).
#ifndef WEFT_SIM_KERNELS_WIDE_AVX512_H
#define WEFT_SIM_KERNELS_WIDE_AVX512_H

#include "sim/state/state.h"

#if defined(__AVX512DQ__)
#include <immintrin.h>

#define WIDE 16
typedef float wf __attribute__((vector_size(64)));
typedef uint32_t wi __attribute__((vector_size(64)));
typedef __mmask16 wm;

SIM_INLINE wf w_set(float v)
{
    return _mm512_set1_ps(v);
}
SIM_INLINE wf w_load(const float *p)
{
    return _mm512_loadu_ps(p);
}
SIM_INLINE void w_store(float *p, wf v)
{
    _mm512_storeu_ps(p, v);
}
SIM_INLINE wi w_load_int(const void *p)
{
    return (wi)_mm512_loadu_si512(p);
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    _mm512_storeu_si512(p, (__m512i)v);
}
SIM_INLINE wf w_sqrt(wf a)
{
    return _mm512_sqrt_ps(a);
}
SIM_INLINE wf w_min(wf a, wf b)
{
    return _mm512_min_ps(a, b);
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return _mm512_max_ps(a, b);
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
    return _mm512_cvtepi32_ps((__m512i)a);
}
SIM_INLINE wi w_round(wf a)
{
    return (wi)_mm512_cvtps_epi32(a);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OS);
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
SIM_INLINE wm w_and(wm a, wm b)
{
    return (wm)(a & b);
}
SIM_INLINE wm w_or(wm a, wm b)
{
    return (wm)(a | b);
}
SIM_INLINE bool w_any(wm m)
{
    return m != 0;
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return _mm512_mask_blend_ps(m, b, a);
}
SIM_INLINE wf w_where(wm m, wf a)
{
    return _mm512_maskz_mov_ps(m, a);
}
SIM_INLINE wi w_where_int(wm m, wi a)
{
    return (wi)_mm512_maskz_mov_epi32(m, (__m512i)a);
}
SIM_INLINE wm w_equal_int(wi a, wi b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

// Rows j, j + 4, j + 8 and j + 12 side by side, so that the transpose leaves the lanes in order.
SIM_INLINE __m512 w_quad(const char *base, const uint32_t *places, int j)
{
    __m512 r = _mm512_castps128_ps512(_mm_load_ps((const float *)(const void *)(base + places[j])));
    r = _mm512_insertf32x4(r, _mm_load_ps((const float *)(const void *)(base + places[j + 4])), 1);
    r = _mm512_insertf32x4(r, _mm_load_ps((const float *)(const void *)(base + places[j + 8])), 2);
    return _mm512_insertf32x4(r, _mm_load_ps((const float *)(const void *)(base + places[j + 12])), 3);
}

// 4 x 4 in each quarter.
SIM_INLINE void w_transpose(__m512 r[4])
{
    __m512 t0 = _mm512_unpacklo_ps(r[0], r[1]), t1 = _mm512_unpacklo_ps(r[2], r[3]);
    __m512 t2 = _mm512_unpackhi_ps(r[0], r[1]), t3 = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = (__m512)_mm512_unpacklo_pd((__m512d)t0, (__m512d)t1);
    r[1] = (__m512)_mm512_unpackhi_pd((__m512d)t0, (__m512d)t1);
    r[2] = (__m512)_mm512_unpacklo_pd((__m512d)t2, (__m512d)t3);
    r[3] = (__m512)_mm512_unpackhi_pd((__m512d)t2, (__m512d)t3);
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    __m512 r[4] = {w_quad(rows, places, 0), w_quad(rows, places, 1), w_quad(rows, places, 2),
                   w_quad(rows, places, 3)};
    w_transpose(r);
    x[0] = (wi)r[0];
    x[1] = (wi)r[1];
    x[2] = (wi)r[2];
    *w = r[3];
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    char *base = rows;
    __m512 r[4] = {(__m512)x[0], (__m512)x[1], (__m512)x[2], w};
    w_transpose(r);
    for (int j = 0; j < 4; j++) {
        _mm_store_ps((float *)(void *)(base + places[j]), _mm512_castps512_ps128(r[j]));
        _mm_store_ps((float *)(void *)(base + places[j + 4]), _mm512_extractf32x4_ps(r[j], 1));
        _mm_store_ps((float *)(void *)(base + places[j + 8]), _mm512_extractf32x4_ps(r[j], 2));
        _mm_store_ps((float *)(void *)(base + places[j + 12]), _mm512_extractf32x4_ps(r[j], 3));
    }
}

SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    __m512 r = _mm512_loadu_ps((const float *)(const void *)rows + at);
    return _mm512_shuffle_ps(r, r, 0xff);
}

SIM_INLINE wi w_min_int(wi a, wi b)
{
    return (wi)_mm512_min_epi32((__m512i)a, (__m512i)b);
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    return (wi)_mm512_max_epi32((__m512i)a, (__m512i)b);
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 8
typedef double wd __attribute__((vector_size(64)));
typedef uint64_t wl __attribute__((vector_size(64)));
typedef __mmask8 wdm;

SIM_INLINE wd wd_set(double v)
{
    return _mm512_set1_pd(v);
}
SIM_INLINE wd wd_load(const double *p)
{
    return _mm512_loadu_pd(p);
}
SIM_INLINE void wd_store(double *p, wd v)
{
    _mm512_storeu_pd(p, v);
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return _mm512_sqrt_pd(a);
}
SIM_INLINE wd wd_abs(wd a)
{
    return (wd)((wl)a & 0x7fffffffffffffffu);
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OS);
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
}
SIM_INLINE wdm wd_and(wdm a, wdm b)
{
    return (wdm)(a & b);
}
SIM_INLINE wdm wd_or(wdm a, wdm b)
{
    return (wdm)(a | b);
}
SIM_INLINE wd wd_select(wdm m, wd a, wd b)
{
    return _mm512_mask_blend_pd(m, b, a);
}
SIM_INLINE wd wd_where(wdm m, wd a)
{
    return _mm512_maskz_mov_pd(m, a);
}
SIM_INLINE __m256i w_half(__m512i a, int part)
{
    return part == 0 ? _mm512_castsi512_si256(a) : _mm512_extracti64x4_epi64(a, 1);
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    return _mm512_cvtps_pd((__m256)w_half((__m512i)a, part));
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a[0])), _mm512_cvtpd_ps(a[1]), 1);
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    return _mm512_cvtepi32_pd(w_half((__m512i)a, part));
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    return (wdm)(m >> (part * DOUBLES));
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    return (wm)(m[0] | m[1] << DOUBLES);
}
SIM_INLINE wl wl_set(int64_t v)
{
    return (wl)_mm512_set1_epi64(v);
}
SIM_INLINE wl wl_load(const void *p)
{
    return (wl)_mm512_loadu_si512(p);
}
SIM_INLINE void wl_store(void *p, wl v)
{
    _mm512_storeu_si512(p, (__m512i)v);
}
SIM_INLINE wl wl_of_word(wi a, int part)
{
    return (wl)_mm512_cvtepu32_epi64(w_half((__m512i)a, part));
}
SIM_INLINE wd wd_of_long(wl a)
{
    return _mm512_cvtepi64_pd((__m512i)a);
}
// a: x0 y0 z0 x1 y1 z1 x2 y2, b: z2 x3 y3 z3 x4 y4 z4 x5, c: y5 z5 x6 y6 z6 x7 y7 z7
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    const __m512i from_two[3] = {_mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0),
                                 _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0),
                                 _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0)};
    const __m512i and_third[3] = {_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13),
                                  _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14),
                                  _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15)};
    const char *bytes = (const char *)p; // of all triples, not of the first alone
    __m512i a = _mm512_loadu_si512(bytes), b = _mm512_loadu_si512(bytes + 64),
            c = _mm512_loadu_si512(bytes + 128);
    for (int axis = 0; axis < 3; axis++) {
        __m512i two = _mm512_permutex2var_epi64(a, from_two[axis], b);
        x[axis] = (wl)_mm512_permutex2var_epi64(two, and_third[axis], c);
    }
}

#endif
#endif
