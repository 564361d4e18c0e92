// wide.h with four lanes: SSE2, which every x86-64 has.
#ifndef WEFT_SIM_KERNELS_WIDE_SSE2_H
#define WEFT_SIM_KERNELS_WIDE_SSE2_H

#include "sim/state/state.h"

#if defined(__SSE2__)
#include <immintrin.h>

#define WIDE 4
typedef float wf __attribute__((vector_size(16)));
typedef uint32_t wi __attribute__((vector_size(16)));
typedef wi wm;

SIM_INLINE wf w_set(float v)
{
    return _mm_set1_ps(v);
}
SIM_INLINE wf w_load(const float *p)
{
    return _mm_loadu_ps(p);
}
SIM_INLINE void w_store(float *p, wf v)
{
    _mm_storeu_ps(p, v);
}
SIM_INLINE wi w_load_int(const void *p)
{
    return (wi)_mm_loadu_si128((const __m128i *)p);
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    _mm_storeu_si128((__m128i *)p, (__m128i)v);
}
SIM_INLINE wf w_sqrt(wf a)
{
    return _mm_sqrt_ps(a);
}
SIM_INLINE wf w_min(wf a, wf b)
{
    return _mm_min_ps(a, b);
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return _mm_max_ps(a, b);
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
    return _mm_cvtepi32_ps((__m128i)a);
}
SIM_INLINE wi w_round(wf a)
{
    return (wi)_mm_cvtps_epi32(a);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return (wm)_mm_cmplt_ps(a, b);
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return (wm)_mm_cmpeq_ps(a, b);
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
    return _mm_movemask_ps((__m128)m) != 0;
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return (wf)((m & (wi)a) | (~m & (wi)b));
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
    return (wm)_mm_cmpeq_epi32((__m128i)a, (__m128i)b);
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    const char *base = rows;
    __m128 r0 = _mm_load_ps((const float *)(const void *)(base + places[0]));
    __m128 r1 = _mm_load_ps((const float *)(const void *)(base + places[1]));
    __m128 r2 = _mm_load_ps((const float *)(const void *)(base + places[2]));
    __m128 r3 = _mm_load_ps((const float *)(const void *)(base + places[3]));
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    x[0] = (wi)r0;
    x[1] = (wi)r1;
    x[2] = (wi)r2;
    *w = r3;
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    char *base = rows;
    __m128 r0 = (__m128)x[0], r1 = (__m128)x[1], r2 = (__m128)x[2], r3 = w;
    _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
    _mm_store_ps((float *)(void *)(base + places[0]), r0);
    _mm_store_ps((float *)(void *)(base + places[1]), r1);
    _mm_store_ps((float *)(void *)(base + places[2]), r2);
    _mm_store_ps((float *)(void *)(base + places[3]), r3);
}

// Reads the inverse masses of rows that stand side by side: each one fills all four lanes of its row.
SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    __m128 r = _mm_load_ps((const float *)(const void *)rows + at);
    return _mm_shuffle_ps(r, r, 0xff);
}

SIM_INLINE wi w_min_int(wi a, wi b)
{
    wi less = (wi)_mm_cmplt_epi32((__m128i)a, (__m128i)b);
    return (less & a) | (~less & b);
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    wi more = (wi)_mm_cmpgt_epi32((__m128i)a, (__m128i)b);
    return (more & a) | (~more & b);
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 2
typedef double wd __attribute__((vector_size(16)));
typedef uint64_t wl __attribute__((vector_size(16)));
typedef wl wdm;

SIM_INLINE wd wd_set(double v)
{
    return _mm_set1_pd(v);
}
SIM_INLINE wd wd_load(const double *p)
{
    return _mm_loadu_pd(p);
}
SIM_INLINE void wd_store(double *p, wd v)
{
    _mm_storeu_pd(p, v);
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return _mm_sqrt_pd(a);
}
SIM_INLINE wd wd_abs(wd a)
{
    return (wd)((wl)a & 0x7fffffffffffffffu);
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return (wdm)_mm_cmplt_pd(a, b);
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return (wdm)_mm_cmpeq_pd(a, b);
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
    return (wd)((m & (wl)a) | (~m & (wl)b));
}
SIM_INLINE wd wd_where(wdm m, wd a)
{
    return (wd)(m & (wl)a);
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    return _mm_cvtps_pd(part == 0 ? (__m128)a : _mm_movehl_ps(a, a));
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return _mm_movelh_ps(_mm_cvtpd_ps(a[0]), _mm_cvtpd_ps(a[1]));
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    return _mm_cvtepi32_pd(part == 0 ? (__m128i)a : _mm_unpackhi_epi64((__m128i)a, (__m128i)a));
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    __m128i v = (__m128i)m;
    return (wdm)(part == 0 ? _mm_unpacklo_epi32(v, v) : _mm_unpackhi_epi32(v, v));
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    return (wm)_mm_shuffle_ps((__m128)m[0], (__m128)m[1], 0x88);
}
SIM_INLINE wl wl_set(int64_t v)
{
    return (wl)_mm_set1_epi64x(v);
}
SIM_INLINE wl wl_load(const void *p)
{
    return (wl)_mm_loadu_si128((const __m128i *)p);
}
SIM_INLINE void wl_store(void *p, wl v)
{
    _mm_storeu_si128((__m128i *)p, (__m128i)v);
}
SIM_INLINE wl wl_of_word(wi a, int part)
{
    const __m128i zero = _mm_setzero_si128();
    return (wl)(part == 0 ? _mm_unpacklo_epi32((__m128i)a, zero) : _mm_unpackhi_epi32((__m128i)a, zero));
}
// As 2^52 + low half and 2^84 + 2^63 + 2^32 x upper half: their difference is exact, so the sum alone rounds.
SIM_INLINE wd wd_of_long(wl a)
{
    wl low = (a & 0xffffffffu) | 0x4330000000000000u, high = (a >> 32) ^ 0x4530000080000000u;
    return ((wd)high - wd_set(0x1.00000801p+84)) + (wd)low;
}
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    __m128d a = _mm_loadu_pd((const double *)(const void *)&p[0][0]); // x0 y0
    __m128d b = _mm_loadu_pd((const double *)(const void *)&p[0][2]); // z0 x1
    __m128d c = _mm_loadu_pd((const double *)(const void *)&p[1][1]); // y1 z1
    x[0] = (wl)_mm_shuffle_pd(a, b, 2);
    x[1] = (wl)_mm_shuffle_pd(a, c, 1);
    x[2] = (wl)_mm_shuffle_pd(b, c, 2);
}

#endif
#endif
