// wide.h with four lanes: NEON on AArch64.
#ifndef WEFT_SIM_KERNELS_WIDE_NEON_H
#define WEFT_SIM_KERNELS_WIDE_NEON_H

#include "sim/state/state.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define WIDE 4
typedef float32x4_t wf;
typedef uint32x4_t wi;
typedef uint32x4_t wm;

SIM_INLINE wf w_set(float v)
{
    return vdupq_n_f32(v);
}
SIM_INLINE wf w_load(const float *p)
{
    return vld1q_f32(p);
}
SIM_INLINE void w_store(float *p, wf v)
{
    vst1q_f32(p, v);
}
SIM_INLINE wi w_load_int(const void *p)
{
    return vld1q_u32(p);
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    vst1q_u32(p, v);
}
SIM_INLINE wf w_sqrt(wf a)
{
    return vsqrtq_f32(a);
}
SIM_INLINE wi w_bits(wf a)
{
    return vreinterpretq_u32_f32(a);
}
SIM_INLINE wf w_of_bits(wi a)
{
    return vreinterpretq_f32_u32(a);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return vcltq_f32(a, b);
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return vceqq_f32(a, b);
}
SIM_INLINE wm w_and(wm a, wm b)
{
    return vandq_u32(a, b);
}
SIM_INLINE wm w_or(wm a, wm b)
{
    return vorrq_u32(a, b);
}
SIM_INLINE bool w_any(wm m)
{
    return vmaxvq_u32(m) != 0;
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return vbslq_f32(m, a, b);
}
SIM_INLINE wf w_where(wm m, wf a)
{
    return w_of_bits(vandq_u32(m, w_bits(a)));
}
SIM_INLINE wi w_where_int(wm m, wi a)
{
    return vandq_u32(m, a);
}
SIM_INLINE wm w_equal_int(wi a, wi b)
{
    return vceqq_u32(a, b);
}
// NEON's own minimum and maximum treat NaN and zeros of two signs otherwise than compare and select.
SIM_INLINE wf w_min(wf a, wf b)
{
    return w_select(w_below(a, b), a, b);
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return w_select(w_below(b, a), a, b);
}
SIM_INLINE wf w_abs(wf a)
{
    return vabsq_f32(a);
}
SIM_INLINE wf w_float(wi a)
{
    return vcvtq_f32_s32(vreinterpretq_s32_u32(a));
}
// NEON saturates where the others give INT32_MIN.
SIM_INLINE wi w_round(wf a)
{
    wm fits = w_and(vcgeq_f32(a, w_set(-2147483648.0f)), w_below(a, w_set(2147483648.0f)));
    return vbslq_u32(fits, vreinterpretq_u32_s32(vcvtnq_s32_f32(a)), vdupq_n_u32(0x80000000u));
}

SIM_INLINE void w_transpose(float32x4_t r[4])
{
    float32x4_t t0 = vtrn1q_f32(r[0], r[1]), t1 = vtrn2q_f32(r[0], r[1]);
    float32x4_t t2 = vtrn1q_f32(r[2], r[3]), t3 = vtrn2q_f32(r[2], r[3]);
    r[0] = vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(t0), vreinterpretq_f64_f32(t2)));
    r[1] = vreinterpretq_f32_f64(vtrn1q_f64(vreinterpretq_f64_f32(t1), vreinterpretq_f64_f32(t3)));
    r[2] = vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(t0), vreinterpretq_f64_f32(t2)));
    r[3] = vreinterpretq_f32_f64(vtrn2q_f64(vreinterpretq_f64_f32(t1), vreinterpretq_f64_f32(t3)));
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    const char *base = rows;
    float32x4_t r[4];
    for (int j = 0; j < 4; j++) {
        r[j] = vld1q_f32((const float *)(const void *)(base + places[j]));
    }
    w_transpose(r);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = w_bits(r[axis]);
    }
    *w = r[3];
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    char *base = rows;
    float32x4_t r[4] = {w_of_bits(x[0]), w_of_bits(x[1]), w_of_bits(x[2]), w};
    w_transpose(r);
    for (int j = 0; j < 4; j++) {
        vst1q_f32((float *)(void *)(base + places[j]), r[j]);
    }
}

SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    return vdupq_n_f32(rows[at / 4].w);
}

SIM_INLINE wi w_min_int(wi a, wi b)
{
    return vreinterpretq_u32_s32(vminq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b)));
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    return vreinterpretq_u32_s32(vmaxq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(b)));
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 2
typedef float64x2_t wd;
typedef uint64x2_t wl;
typedef uint64x2_t wdm;

SIM_INLINE wd wd_set(double v)
{
    return vdupq_n_f64(v);
}
SIM_INLINE wd wd_load(const double *p)
{
    return vld1q_f64(p);
}
SIM_INLINE void wd_store(double *p, wd v)
{
    vst1q_f64(p, v);
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return vsqrtq_f64(a);
}
SIM_INLINE wd wd_abs(wd a)
{
    return vabsq_f64(a);
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return vcltq_f64(a, b);
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return vceqq_f64(a, b);
}
SIM_INLINE wdm wd_and(wdm a, wdm b)
{
    return vandq_u64(a, b);
}
SIM_INLINE wdm wd_or(wdm a, wdm b)
{
    return vorrq_u64(a, b);
}
SIM_INLINE wd wd_select(wdm m, wd a, wd b)
{
    return vbslq_f64(m, a, b);
}
SIM_INLINE wd wd_where(wdm m, wd a)
{
    return vreinterpretq_f64_u64(vandq_u64(m, vreinterpretq_u64_f64(a)));
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    return part == 0 ? vcvt_f64_f32(vget_low_f32(a)) : vcvt_high_f64_f32(a);
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return vcvt_high_f32_f64(vcvt_f32_f64(a[0]), a[1]);
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    int32x4_t v = vreinterpretq_s32_u32(a);
    return vcvtq_f64_s64(part == 0 ? vmovl_s32(vget_low_s32(v)) : vmovl_high_s32(v));
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    return vreinterpretq_u64_u32(part == 0 ? vzip1q_u32(m, m) : vzip2q_u32(m, m));
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    return vmovn_high_u64(vmovn_u64(m[0]), m[1]);
}
SIM_INLINE wl wl_set(int64_t v)
{
    return vdupq_n_u64((uint64_t)v);
}
SIM_INLINE wl wl_load(const void *p)
{
    return vld1q_u64(p);
}
SIM_INLINE void wl_store(void *p, wl v)
{
    vst1q_u64(p, v);
}
SIM_INLINE wl wl_of_word(wi a, int part)
{
    return part == 0 ? vmovl_u32(vget_low_u32(a)) : vmovl_high_u32(a);
}
SIM_INLINE wd wd_of_long(wl a)
{
    return vcvtq_f64_s64(vreinterpretq_s64_u64(a));
}
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    uint64x2x3_t v = vld3q_u64((const uint64_t *)(const void *)p);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = v.val[axis];
    }
}

#endif
#endif
