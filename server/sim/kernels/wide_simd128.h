// wide.h with four lanes: the fixed-width vectors of WebAssembly, nothing of the relaxed ones.
#ifndef WEFT_SIM_KERNELS_WIDE_SIMD128_H
#define WEFT_SIM_KERNELS_WIDE_SIMD128_H

#include "sim/state/state.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>

#define WIDE 4
typedef float wf __attribute__((vector_size(16)));
typedef uint32_t wi __attribute__((vector_size(16)));
typedef wi wm;

SIM_INLINE wf w_set(float v)
{
    return (wf)wasm_f32x4_splat(v);
}
SIM_INLINE wf w_load(const float *p)
{
    return (wf)wasm_v128_load(p);
}
SIM_INLINE void w_store(float *p, wf v)
{
    wasm_v128_store(p, (v128_t)v);
}
SIM_INLINE wi w_load_int(const void *p)
{
    return (wi)wasm_v128_load(p);
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    wasm_v128_store(p, (v128_t)v);
}
SIM_INLINE wf w_sqrt(wf a)
{
    return (wf)wasm_f32x4_sqrt((v128_t)a);
}
// f32x4.min and max treat NaN and zeros of two signs otherwise than compare and select; pmin(x, y) is y < x ? y : x, and
// pmax(x, y) x < y ? y : x.
SIM_INLINE wf w_min(wf a, wf b)
{
    return (wf)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return (wf)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
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
    return (wf)wasm_f32x4_convert_i32x4((v128_t)a);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return (wm)wasm_f32x4_lt((v128_t)a, (v128_t)b);
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return (wm)wasm_f32x4_eq((v128_t)a, (v128_t)b);
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
    return wasm_v128_any_true((v128_t)m);
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return (wf)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)m);
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
    return (wm)wasm_i32x4_eq((v128_t)a, (v128_t)b);
}
// The conversion saturates, and makes 0 of NaN, where the others give INT32_MIN; below -2^31 that is the same.
SIM_INLINE wi w_round(wf a)
{
    wm fits = w_below(a, w_set(2147483648.0f));
    v128_t whole = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)a));
    return (wi)wasm_v128_bitselect(whole, wasm_i32x4_splat(INT32_MIN), (v128_t)fits);
}

SIM_INLINE void w_transpose(v128_t r[4])
{
    v128_t t0 = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5), t1 = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    v128_t t2 = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5), t3 = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    r[0] = wasm_i64x2_shuffle(t0, t2, 0, 2);
    r[1] = wasm_i64x2_shuffle(t0, t2, 1, 3);
    r[2] = wasm_i64x2_shuffle(t1, t3, 0, 2);
    r[3] = wasm_i64x2_shuffle(t1, t3, 1, 3);
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    const char *base = rows;
    v128_t r[4];
    for (int j = 0; j < 4; j++) {
        r[j] = wasm_v128_load(base + places[j]);
    }
    w_transpose(r);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = (wi)r[axis];
    }
    *w = (wf)r[3];
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    char *base = rows;
    v128_t r[4] = {(v128_t)x[0], (v128_t)x[1], (v128_t)x[2], (v128_t)w};
    w_transpose(r);
    for (int j = 0; j < 4; j++) {
        wasm_v128_store(base + places[j], r[j]);
    }
}

SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    return (wf)wasm_v128_load32_splat(&rows[at / 4].w);
}

SIM_INLINE wi w_min_int(wi a, wi b)
{
    return (wi)wasm_i32x4_min((v128_t)a, (v128_t)b);
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    return (wi)wasm_i32x4_max((v128_t)a, (v128_t)b);
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 2
typedef double wd __attribute__((vector_size(16)));
typedef uint64_t wl __attribute__((vector_size(16)));
typedef wl wdm;

SIM_INLINE wd wd_set(double v)
{
    return (wd)wasm_f64x2_splat(v);
}
SIM_INLINE wd wd_load(const double *p)
{
    return (wd)wasm_v128_load(p);
}
SIM_INLINE void wd_store(double *p, wd v)
{
    wasm_v128_store(p, (v128_t)v);
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return (wd)wasm_f64x2_sqrt((v128_t)a);
}
SIM_INLINE wd wd_abs(wd a)
{
    return (wd)((wl)a & 0x7fffffffffffffffu);
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return (wdm)wasm_f64x2_lt((v128_t)a, (v128_t)b);
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return (wdm)wasm_f64x2_eq((v128_t)a, (v128_t)b);
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
    return (wd)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)m);
}
SIM_INLINE wd wd_where(wdm m, wd a)
{
    return (wd)(m & (wl)a);
}
SIM_INLINE v128_t wd_upper(v128_t a)
{
    return wasm_i64x2_shuffle(a, a, 1, 1);
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    return (wd)wasm_f64x2_promote_low_f32x4(part == 0 ? (v128_t)a : wd_upper((v128_t)a));
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return (wf)wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero((v128_t)a[0]),
                                  wasm_f32x4_demote_f64x2_zero((v128_t)a[1]), 0, 2);
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    return (wd)wasm_f64x2_convert_low_i32x4(part == 0 ? (v128_t)a : wd_upper((v128_t)a));
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    v128_t v = (v128_t)m;
    return (wdm)(part == 0 ? wasm_i32x4_shuffle(v, v, 0, 0, 1, 1) : wasm_i32x4_shuffle(v, v, 2, 2, 3, 3));
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    return (wm)wasm_i32x4_shuffle((v128_t)m[0], (v128_t)m[1], 0, 2, 4, 6);
}
SIM_INLINE wl wl_set(int64_t v)
{
    return (wl)wasm_i64x2_splat(v);
}
SIM_INLINE wl wl_load(const void *p)
{
    return (wl)wasm_v128_load(p);
}
SIM_INLINE void wl_store(void *p, wl v)
{
    wasm_v128_store(p, (v128_t)v);
}
SIM_INLINE wl wl_of_word(wi a, int part)
{
    return (wl)(part == 0 ? wasm_u64x2_extend_low_u32x4((v128_t)a) : wasm_u64x2_extend_high_u32x4((v128_t)a));
}
// As 2^52 + low half and 2^84 + 2^63 + 2^32 x upper half: their difference is exact, so the sum alone rounds.
SIM_INLINE wd wd_of_long(wl a)
{
    wl low = (a & 0xffffffffu) | 0x4330000000000000u, high = (a >> 32) ^ 0x4530000080000000u;
    return ((wd)high - wd_set(0x1.00000801p+84)) + (wd)low;
}
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    v128_t a = wasm_v128_load(&p[0][0]); // x0 y0
    v128_t b = wasm_v128_load(&p[0][2]); // z0 x1
    v128_t c = wasm_v128_load(&p[1][1]); // y1 z1
    x[0] = (wl)wasm_i64x2_shuffle(a, b, 0, 3);
    x[1] = (wl)wasm_i64x2_shuffle(a, c, 1, 2);
    x[2] = (wl)wasm_i64x2_shuffle(b, c, 0, 3);
}

#endif
#endif
