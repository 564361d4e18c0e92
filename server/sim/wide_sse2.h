// wide.h with four lanes: SSE2, which every x86-64 has.
#ifndef WEFT_SIM_WIDE_SSE2_H
#define WEFT_SIM_WIDE_SSE2_H

#include "sim/internal.h"

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

// Of rows that stand side by side: the inverse mass of each in all four of its lanes.
SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    __m128 r = _mm_load_ps((const float *)(const void *)rows + at);
    return _mm_shuffle_ps(r, r, 0xff);
}

#endif
#endif
