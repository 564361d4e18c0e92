// wide.h with one lane.
#ifndef WEFT_SIM_KERNELS_WIDE_SCALAR_H
#define WEFT_SIM_KERNELS_WIDE_SCALAR_H

#include "sim/state/state.h"

#define WIDE 1
typedef float wf;
typedef uint32_t wi;
typedef bool wm;

SIM_INLINE wf w_set(float v)
{
    return v;
}
SIM_INLINE wf w_load(const float *p)
{
    return *p;
}
SIM_INLINE void w_store(float *p, wf v)
{
    *p = v;
}
SIM_INLINE wi w_load_int(const void *p)
{
    return *(const uint32_t *)p;
}
SIM_INLINE void w_store_int(void *p, wi v)
{
    *(uint32_t *)p = v;
}
SIM_INLINE wf w_sqrt(wf a)
{
    return __builtin_sqrtf(a);
}
SIM_INLINE wf w_min(wf a, wf b)
{
    return a < b ? a : b;
}
SIM_INLINE wf w_max(wf a, wf b)
{
    return a > b ? a : b;
}
SIM_INLINE wf w_float(wi a)
{
    return (float)(int32_t)a;
}
SIM_INLINE wi w_round(wf a)
{
    return (uint32_t)sim_round(a);
}
SIM_INLINE wi w_bits(wf a)
{
    wi bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
SIM_INLINE wf w_of_bits(wi a)
{
    wf v;
    memcpy(&v, &a, sizeof v);
    return v;
}
// By its bits, as the others: that of -0 is 0.
SIM_INLINE wf w_abs(wf a)
{
    return w_of_bits(w_bits(a) & 0x7fffffffu);
}
SIM_INLINE wm w_below(wf a, wf b)
{
    return a < b;
}
SIM_INLINE wm w_equal(wf a, wf b)
{
    return a == b;
}
SIM_INLINE wm w_and(wm a, wm b)
{
    return a && b;
}
SIM_INLINE wm w_or(wm a, wm b)
{
    return a || b;
}
SIM_INLINE bool w_any(wm m)
{
    return m;
}
SIM_INLINE wf w_select(wm m, wf a, wf b)
{
    return m ? a : b;
}
SIM_INLINE wf w_where(wm m, wf a) // 0 elsewhere
{
    return m ? a : 0;
}
SIM_INLINE wi w_where_int(wm m, wi a)
{
    return m ? a : 0;
}
SIM_INLINE wm w_equal_int(wi a, wi b)
{
    return a == b;
}

SIM_INLINE void w_load_rows(const void *rows, const uint32_t *places, wi x[3], wf *w)
{
    const struct sim_row *row = (const struct sim_row *)(const void *)((const char *)rows + places[0]);
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = (uint32_t)row->x[axis];
    }
    *w = row->w;
}

SIM_INLINE void w_store_rows(void *rows, const uint32_t *places, const wi x[3], wf w)
{
    struct sim_row *row = (struct sim_row *)(void *)((char *)rows + places[0]);
    for (int axis = 0; axis < 3; axis++) {
        row->x[axis] = (int32_t)x[axis];
    }
    row->w = w;
}

// The last of each four neighbours in all of their lanes; here `at` says where in memory the lane stands.
SIM_INLINE wf w_weights(const struct sim_row *rows, size_t at)
{
    return rows[at / 4].w;
}

SIM_INLINE wi w_min_int(wi a, wi b) // signed
{
    return (int32_t)a < (int32_t)b ? a : b;
}
SIM_INLINE wi w_max_int(wi a, wi b)
{
    return (int32_t)a > (int32_t)b ? a : b;
}

// --------------------------------------------------------------------------------- doubles (wide_double.h)

#define DOUBLES 1
typedef double wd;
typedef uint64_t wl;
typedef bool wdm;

SIM_INLINE wd wd_set(double v)
{
    return v;
}
SIM_INLINE wd wd_load(const double *p)
{
    return *p;
}
SIM_INLINE void wd_store(double *p, wd v)
{
    *p = v;
}
SIM_INLINE wd wd_sqrt(wd a)
{
    return __builtin_sqrt(a);
}
SIM_INLINE wd wd_abs(wd a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0x7fffffffffffffffu;
    memcpy(&a, &bits, sizeof a);
    return a;
}
SIM_INLINE wdm wd_below(wd a, wd b)
{
    return a < b;
}
SIM_INLINE wdm wd_equal(wd a, wd b)
{
    return a == b;
}
SIM_INLINE wdm wd_and(wdm a, wdm b)
{
    return a && b;
}
SIM_INLINE wdm wd_or(wdm a, wdm b)
{
    return a || b;
}
SIM_INLINE wd wd_select(wdm m, wd a, wd b)
{
    return m ? a : b;
}
SIM_INLINE wd wd_where(wdm m, wd a) // 0 elsewhere
{
    return m ? a : 0;
}
SIM_INLINE wd wd_of_float(wf a, int part)
{
    (void)part;
    return (double)a;
}
SIM_INLINE wf wd_to_float(const wd a[])
{
    return (float)a[0];
}
SIM_INLINE wd wd_of_int(wi a, int part)
{
    (void)part;
    return (double)(int32_t)a;
}
SIM_INLINE wdm wd_mask_of(wm m, int part)
{
    (void)part;
    return m;
}
SIM_INLINE wm wd_mask_to(const wdm m[])
{
    return m[0];
}
SIM_INLINE wl wl_set(int64_t v)
{
    return (uint64_t)v;
}
SIM_INLINE wl wl_load(const void *p)
{
    return *(const uint64_t *)p;
}
SIM_INLINE void wl_store(void *p, wl v)
{
    *(uint64_t *)p = v;
}
SIM_INLINE wl wl_of_word(wi a, int part) // its upper half is 0
{
    (void)part;
    return a;
}
SIM_INLINE wd wd_of_long(wl a) // signed, any value, rounded to nearest even
{
    return (double)(int64_t)a;
}
SIM_INLINE void wl_load_triples(const int64_t (*p)[3], wl x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = (uint64_t)p[0][axis];
    }
}

#endif
