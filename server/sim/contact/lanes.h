// Closest points of pairs, in lanes.
//
// A foot is what the closest points are made of: coefficients c of the four rows, whose sum is 0, and g = sum c x, which
// points from side 2 to side 1. Coefficients are cut to where they belong, which also makes 0 of what is no number: so
// g is between two points of the features whatever the rows are, and |g| never less than the distance.
//
// How close a pair may be is another question: slivers and rounding put the foot wrong. But any direction g bounds the
// distance from below, by what lies between both sides along it:
//
//     low = (least g.x of side 1 - greatest g.x of side 2) / |g|       error: 6 * 2^-24 of the greatest extent
//
// It is |g|, except for rounding, if the foot is right, and less if it is not.
#ifndef WEFT_SIM_CONTACT_LANES_H
#define WEFT_SIM_CONTACT_LANES_H

#include "sim/contact/contact.h"
#include "sim/kernels/wide.h"

#define SIM_PAIR_TOUCH 1.02f // of R: what bounces keeps its slip

struct w_foot {
    wf c[4];
    struct w_vec g;
    wf between; // low * |g|
};

SIM_INLINE wm w_not(wm m)
{
#if WIDE == 1
    return !m;
#else
    return (wm)~m;
#endif
}

// Bit i: lane i.
SIM_INLINE uint32_t w_lanes_of(wm m)
{
#if WIDE == 16
    return m;
#elif WIDE == 8
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif WIDE == 1
    return m;
#elif defined(__aarch64__)
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m, bits));
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)m);
#else
    return (uint32_t)_mm_movemask_ps((__m128)m);
#endif
}

// values[row] of rows named by their places.
SIM_INLINE wf w_of_rows(const float *values, const uint32_t *places)
{
#if WIDE == 16
    return _mm512_i32gather_ps(_mm512_srli_epi32(_mm512_loadu_si512(places), 2), values, 1);
#elif WIDE == 8
    return (wf)_mm256_i32gather_ps(values, _mm256_srli_epi32(_mm256_loadu_si256((const void *)places), 2), 1);
#else
    float lanes[WIDE];
    for (int lane = 0; lane < WIDE; lane++) {
        lanes[lane] = values[places[lane] / SIM_ROW_BYTES];
    }
    return w_load(lanes);
#endif
}

// Likewise of bytes. Three bytes past the last one may be read.
SIM_INLINE wi w_bytes_of_rows(const uint8_t *values, const uint32_t *places)
{
#if WIDE == 16
    const __m512i rows = _mm512_srli_epi32(_mm512_loadu_si512(places), 4);
    return (wi)_mm512_i32gather_epi32(rows, values, 1) & 0xffU;
#elif WIDE == 8
    const __m256i rows = _mm256_srli_epi32(_mm256_loadu_si256((const void *)places), 4);
    return (wi)_mm256_i32gather_epi32((const void *)values, rows, 1) & 0xffU;
#else
    uint32_t lanes[WIDE];
    for (int lane = 0; lane < WIDE; lane++) {
        lanes[lane] = values[places[lane] / SIM_ROW_BYTES];
    }
    return w_load_int(lanes);
#endif
}

// To [0, most]; 0 for what is no number.
SIM_INLINE wf w_cut(wf a, wf most)
{
    return w_min(w_max(a, w_set(0)), most);
}

SIM_INLINE struct w_vec w_between(const struct w_rows *a, const struct w_rows *b)
{
    return (struct w_vec){{w_apart(a->x[0], b->x[0]), w_apart(a->x[1], b->x[1]), w_apart(a->x[2], b->x[2])}};
}

// Regions of a triangle as in Ericson, Real-Time Collision Detection (2005), 5.1.5; each says of v and w what they are a
// quotient of, and the last one that fits is taken. An edge's coefficients are exactly 0 at the corner that it leaves.
SIM_INLINE struct w_foot w_foot_vt(const struct w_rows *x)
{
    const wf zero = w_set(0), one = w_set(1);
    struct w_vec a = w_between(&x[2], &x[1]), b = w_between(&x[3], &x[1]);
    struct w_vec p = w_between(&x[0], &x[1]), pb = w_between(&x[0], &x[2]), pc = w_between(&x[0], &x[3]);
    wf d1 = w_dot(a, p), d2 = w_dot(b, p), d3 = w_dot(a, pb), d4 = w_dot(b, pb), d5 = w_dot(a, pc),
       d6 = w_dot(b, pc);
    wf va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2, e = d4 - d3, f = d5 - d6;
    wf over_v = vb, over_w = vc, under = (va + vb) + vc;
    wm above_a = w_below(zero, va), above_b = w_below(zero, vb), above_c = w_below(zero, vc);
    wm bc = w_and(w_not(above_a), w_and(w_not(w_below(e, zero)), w_not(w_below(f, zero))));
    over_v = w_select(bc, f, over_v), over_w = w_select(bc, e, over_w), under = w_select(bc, e + f, under);
    wm ac = w_and(w_not(above_b), w_and(w_not(w_below(d2, zero)), w_not(w_below(zero, d6))));
    over_v = w_select(ac, zero, over_v), over_w = w_select(ac, d2, over_w),
    under = w_select(ac, d2 - d6, under);
    wm ab = w_and(w_not(above_c), w_and(w_not(w_below(d1, zero)), w_not(w_below(zero, d3))));
    over_v = w_select(ab, d1, over_v), over_w = w_select(ab, zero, over_w),
    under = w_select(ab, d1 - d3, under);
    wm at_c = w_and(w_not(w_below(d6, zero)), w_not(w_below(d6, d5)));
    over_v = w_select(at_c, zero, over_v), over_w = w_select(at_c, one, over_w),
    under = w_select(at_c, one, under);
    wm at_b = w_and(w_not(w_below(d3, zero)), w_not(w_below(d3, d4)));
    over_v = w_select(at_b, one, over_v), over_w = w_select(at_b, zero, over_w),
    under = w_select(at_b, one, under);
    wm at_a = w_and(w_not(w_below(zero, d1)), w_not(w_below(zero, d2)));
    over_v = w_select(at_a, zero, over_v), over_w = w_select(at_a, zero, over_w),
    under = w_select(at_a, one, under);
    wm cornered = w_or(at_a, w_or(at_b, at_c));
    wm along_bc = w_and(bc, w_and(w_not(w_or(ab, ac)), w_not(cornered)));
    wf once = one / under, v = w_cut(over_v * once, one);
    wf w = w_select(along_bc, one - v, w_cut(over_w * once, one - v));
    struct w_foot foot = {.c = {one, w_select(along_bc, zero, (v + w) - one), zero - v, zero - w}};
    for (int axis = 0; axis < 3; axis++) {
        foot.g.x[axis] = (p.x[axis] - v * a.x[axis]) - w * b.x[axis];
    }
    foot.between = w_min(w_min(w_dot(foot.g, p), w_dot(foot.g, pb)), w_dot(foot.g, pc));
    return foot;
}

// Edges whose squared sine is below 1e-6 count as parallel: their foot is the middle of the first one and the point that is
// closest to it.
SIM_INLINE struct w_foot w_foot_ee(const struct w_rows *x)
{
    const wf zero = w_set(0), one = w_set(1);
    struct w_vec a = w_between(&x[1], &x[0]), b = w_between(&x[3], &x[2]), q = w_between(&x[0], &x[2]);
    wf aa = w_dot(a, a), bb = w_dot(b, b), ab = w_dot(a, b), aq = w_dot(a, q), bq = w_dot(b, q);
    wf sine = aa * bb - ab * ab;
    wm askew = w_below(w_set(1e-6f) * (aa * bb), sine);
    wf s = w_select(askew, w_cut((ab * bq - aq * bb) / sine, one), w_set(0.5f));
    wf t = (ab * s + bq) / bb, once = one / aa;
    s = w_select(w_below(t, zero), w_cut((zero - aq) * once, one),
                 w_select(w_below(one, t), w_cut((ab - aq) * once, one), s));
    t = w_cut(t, one);
    struct w_foot foot = {.c = {one - s, s, t - one, zero - t}};
    for (int axis = 0; axis < 3; axis++) {
        foot.g.x[axis] = (q.x[axis] + s * a.x[axis]) - t * b.x[axis];
    }
    wf from = w_dot(foot.g, q);
    foot.between = w_min(from, from + w_dot(foot.g, a)) - w_max(w_dot(foot.g, b), zero);
    return foot;
}

SIM_INLINE struct w_foot w_foot_of(const struct w_rows *x, const enum sim_pair_kind kind)
{
    return kind == SIM_PAIR_VT ? w_foot_vt(x) : w_foot_ee(x);
}

#define SIM_CONTACT_BOTH(name, kind) SIM_ISA(name##_##kind)

float SIM_ISA(sim_near_ways)(const struct sim_ways *ways, uint32_t first, uint32_t count, float *out);
#define SIM_NEAR_DECLARE(kind)                                                                            \
    void SIM_CONTACT_BOTH(sim_near_scan, kind)(const struct sim_pair_list *pairs, uint32_t first,         \
                                               uint32_t end, const struct sim_sieve *sieve,               \
                                               struct sim_near_list *near);                               \
    uint32_t SIM_CONTACT_BOTH(sim_near_measure, kind)(const struct sim_row *rows,                         \
                                                      struct sim_near_list *near, uint32_t first,         \
                                                      uint32_t end, uint32_t *active);                    \
    uint32_t SIM_CONTACT_BOTH(sim_near_sift, kind)(const struct sim_near_list *near, uint32_t first,      \
                                                   uint32_t end, const struct sim_sieve *sieve,           \
                                                   uint32_t *out);                                        \
    uint32_t SIM_CONTACT_BOTH(sim_near_sift_all, kind)(const struct sim_pair_list *pairs, uint32_t first, \
                                                       uint32_t end, const struct sim_sieve *sieve,       \
                                                       uint32_t *out);                                    \
    uint32_t SIM_CONTACT_BOTH(sim_stay, kind)(const struct sim_staying *staying,                          \
                                              const struct sim_pair_list *list, uint32_t *pairs,          \
                                              uint32_t count);
#define SIM_BOUNDED_DECLARE(kind)                                                                            \
    void SIM_CONTACT_BOTH(sim_near_bound, kind)(const struct sim_pair_list *pairs, uint32_t first,           \
                                                uint32_t end, const struct sim_sieve *sieve, float *bounds); \
    uint32_t SIM_CONTACT_BOTH(sim_near_scan_bounded, kind)(                                                  \
        const struct sim_pair_list *pairs, uint32_t first, uint32_t end, const struct sim_sieve *sieve,      \
        const struct sim_bounded *bounded, struct sim_near_list *near);
SIM_BOUNDED_DECLARE(vt)
SIM_BOUNDED_DECLARE(ee)
SIM_NEAR_DECLARE(vt)
SIM_NEAR_DECLARE(ee)
void SIM_ISA(sim_push)(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batches,
                       uint32_t first, uint32_t end, const struct sim_push_times *times);
void SIM_ISA(sim_push_remember)(const struct sim_row *rows, const struct sim_row *starts,
                                const struct sim_push_lanes *batches, uint32_t first, uint32_t end,
                                struct sim_slip *slips);
extern const struct sim_contact_kernels SIM_ISA(sim_contact_kernels);

#endif
