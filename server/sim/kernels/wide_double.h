// Double lanes beside those of wide.h, for what is computed from whole coordinates: distances to colliders, and what
// is told of positions.
//
// wd is one vector of the machine, DOUBLES lanes: as WIDE lanes of float take PARTS of them, what has doubles in it
// is written for one part and run for each. wl are lanes of 64-bit integers that wrap, and wdm are masks of wd.
//
//     wf   0 1 2 3 4 5 6 7        wd part 0:  0 1 2 3   part 1:  4 5 6 7
//
// + - * / are operators of wd and wl (no quotient of wl); the rest is named as in wide.h. Lanes come to the bits of
// the scalar program here as well: conversions are exact or round once to nearest even, also those of 64-bit
// integers beyond 2^53, which coordinates at the greatest extent are.
#ifndef WEFT_SIM_KERNELS_WIDE_DOUBLE_H
#define WEFT_SIM_KERNELS_WIDE_DOUBLE_H

#include "sim/kernels/wide.h"

enum { PARTS = WIDE / DOUBLES };

struct wd_vec {
    wd x[3];
};

SIM_INLINE wd wd_min(wd a, wd b)
{
    return wd_select(wd_below(a, b), a, b);
}

SIM_INLINE wd wd_max(wd a, wd b)
{
    return wd_select(wd_below(b, a), a, b);
}

SIM_INLINE struct wd_vec wd_vec_of(const double v[3])
{
    return (struct wd_vec){{wd_set(v[0]), wd_set(v[1]), wd_set(v[2])}};
}

SIM_INLINE wd wd_dot(struct wd_vec a, struct wd_vec b)
{
    return (a.x[0] * b.x[0] + a.x[1] * b.x[1]) + a.x[2] * b.x[2];
}

SIM_INLINE bool wd_any(wdm m)
{
    wdm parts[PARTS];
    for (int part = 0; part < PARTS; part++) {
        parts[part] = m;
    }
    return w_any(wd_mask_to(parts));
}

// To [0, 1]; 0 for what is no number.
SIM_INLINE wd wd_cut(wd a)
{
    return wd_min(wd_max(a, wd_set(0)), wd_set(1));
}

// sim_whole: start + (low - start) as 32 bits with their sign, which is b + (low - b) without one where b lies
// 2^31 below start.
SIM_INLINE wl wl_whole(wl start, wl low)
{
    wl b = start - wl_set((int64_t)1 << 31);
    return b + ((low - b) & wl_set(0xffffffff));
}

// Whole coordinates, quanta, of the DOUBLES rows of a part, which stand side by side from p on; x: low words of all
// WIDE rows.
SIM_INLINE void wl_whole_rows(const int64_t (*p)[3], const wi x[3], int part, wl whole[3])
{
    wl_load_triples(p + part * DOUBLES, whole);
    for (int axis = 0; axis < 3; axis++) {
        whole[axis] = wl_whole(whole[axis], wl_of_word(x[axis], part));
    }
}

#endif
