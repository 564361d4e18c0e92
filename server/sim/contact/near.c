// Finds which pairs of a list are close enough in this substep to be measured, and which of those touch.
//
// A pair was d apart when it was detected. Since then each row went at most its way, and a point of a feature went no farther
// than the feature's rows. So the pair is at least low = d - (greatest way of side 1 + greatest way of side 2) apart. For
// ways w1, w2 as computed, which are rounded up by at least 12 * 2^-24 of themselves, and d rounded down by 16 * 2^-24 of
// itself, what is computed of this is no more than that, whatever its two operations round to.
//
// A substep that scans again does not measure all near pairs. A pair that was measured d apart, or was low apart at least, is no closer
// than that less the ways of both sides since. Each scan makes these bounds those of where rows are by then.
//
// A pair that touches pushes where its features are its own: two edges within both of them, a vertex within the triangle;
// the foot on an edge or at a corner is seen from each triangle there, and only the one that owns it pushes.

#include "sim/contact/lanes.h"

enum { CORNERS = 1 | 2 | 4, EDGES = 8 | 16 | 32 };

// ----------------------------------------------------------------------------------------------------- ways

SIM_INLINE wf way_of(const struct w_rows *to, const struct w_rows *from, const int32_t frame[3])
{
    struct w_vec way;
    for (int axis = 0; axis < 3; axis++) {
        const wi moved = w_bits(w_set(0)) + (uint32_t)frame[axis];
        way.x[axis] = w_float((to->x[axis] - from->x[axis]) - moved);
    }
    return w_sqrt(w_dot(way, way)) * w_set(1 + 0x1p-20f);
}

float SIM_ISA(sim_near_ways)(const struct sim_ways *ways, uint32_t first, uint32_t count, float *out)
{
    const struct sim_ways w = *ways;
    uint32_t places[WIDE];
    float lanes[WIDE];
    wf greatest = w_set(0);
    for (uint32_t done = 0; done < count; done += WIDE) {
        uint32_t left = count - done, here = left < WIDE ? left : WIDE;
        for (uint32_t lane = 0; lane < WIDE; lane++) {
            places[lane] = (first + done + (lane < here ? lane : here - 1)) * SIM_ROW_BYTES;
        }
        struct w_rows from = w_rows_at(w.end_from, places), to = w_rows_at(w.ends, places);
        wf way = way_of(&to, &from, w.end_frame);
        if (w.starts) {
            from = w_rows_at(w.start_from, places);
            to = w_rows_at(w.starts, places);
            way = w_max(way, way_of(&to, &from, w.start_frame));
        }
        greatest = w_max(way, greatest);
        if (here == WIDE) {
            w_store(out + first + done, way);
        } else {
            w_store(lanes, way);
            memcpy(out + first + done, lanes, here * sizeof *out);
        }
    }
    return w_greatest(greatest);
}

// ----------------------------------------------------------------------------------------------------- sieve

// The greatest way of one side and that of the other, added up.
SIM_INLINE wf both_ways(const uint32_t at[4][SIM_LANES], uint32_t lane, const float *ways,
                        const enum sim_pair_kind kind)
{
    wf way[4];
    for (int k = 0; k < 4; k++) {
        way[k] = w_of_rows(ways, at[k] + lane);
    }
    return kind == SIM_PAIR_VT ? way[0] + w_max(w_max(way[1], way[2]), way[3])
                               : w_max(way[0], way[1]) + w_max(way[2], way[3]);
}

// No pair is closer.
SIM_INLINE wf least_apart(const struct sim_pair_lanes *pairs, uint32_t lane, const struct sim_sieve *sieve,
                          const enum sim_pair_kind kind)
{
    wf both = both_ways(pairs->at, lane, sieve->ways, kind), slope = w_load(pairs->slope + lane);
    wf low = w_load(pairs->low + lane) + w_min(slope * w_set(sieve->since), slope * w_set(sieve->until));
    return low - both;
}

// Finds the lanes of a batch that fall through the sieve.
SIM_INLINE uint32_t sieved(const struct sim_pair_lanes *pairs, const struct sim_sieve *sieve,
                           const enum sim_pair_kind kind)
{
    uint32_t far = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wf limit = w_max(w_load(pairs->reach + lane) * w_set(sieve->share), w_set(sieve->floor));
        wm apart = w_not(w_below(least_apart(pairs, lane, sieve, kind), limit));
        far |= w_lanes_of(apart) << lane;
    }
    return ~far & ((1U << SIM_LANES) - 1);
}

static uint32_t near_dirty(const struct sim_pair_lanes *pairs, const uint8_t *dirty)
{
    const wi none = w_bits(w_set(0));
    uint32_t clean = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wi any = none;
        for (int k = 0; k < 4; k++) {
            any = any | w_bytes_of_rows(dirty, pairs->at[k] + lane);
        }
        clean |= w_lanes_of(w_equal_int(any, none)) << lane;
    }
    return ~clean & ((1U << SIM_LANES) - 1);
}

static void near_pad(struct sim_near_list *near)
{
    struct sim_near_lanes *batch = &near->lanes[near->count / SIM_LANES];
    for (uint32_t lane = near->count % SIM_LANES; lane % SIM_LANES != 0; lane++) {
        for (int k = 0; k < 4; k++) {
            batch->pairs.at[k][lane] = 0;
        }
        batch->pairs.reach[lane] = batch->pairs.slope[lane] = 0;
        batch->pairs.low[lane] = SIM_PAIR_FAR;
        batch->pair[lane] = UINT32_MAX;
        batch->tag[lane] = 0;
    }
}

// Puts lanes of batch b behind the near pairs, of which there are so many.
SIM_INLINE void near_take(const struct sim_pair_list *pairs, uint32_t b, uint32_t lanes,
                          struct sim_near_list *near, uint32_t *count)
{
    const struct sim_pair_lanes *from = &pairs->lanes[b];
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(lanes), to = *count % SIM_LANES;
        struct sim_near_lanes *batch = &near->lanes[(*count)++ / SIM_LANES];
        for (int k = 0; k < 4; k++) {
            batch->pairs.at[k][to] = from->at[k][lane];
        }
        batch->pairs.reach[to] = from->reach[lane];
        batch->pairs.slope[to] = 0;
        batch->pair[to] = b * SIM_LANES + lane;
        batch->tag[to] = pairs->rest[b].tag[lane];
    }
}

SIM_INLINE void scan(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                     const struct sim_sieve *sieve, struct sim_near_list *near, const enum sim_pair_kind kind)
{
    uint32_t count = near->count;
    for (uint32_t b = first; b < end; b++) {
        near_take(pairs, b, sieved(&pairs->lanes[b], sieve, kind), near, &count);
    }
    near->count = count;
    near_pad(near);
}

// --------------------------------------------------------------------------------------------------- bounds

SIM_INLINE void bound(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                      const struct sim_sieve *sieve, float *bounds, const enum sim_pair_kind kind)
{
    for (uint32_t b = first; b < end; b++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            w_store(bounds + (size_t)b * SIM_LANES + lane, least_apart(&pairs->lanes[b], lane, sieve, kind));
        }
    }
}

// Finds the lanes of a batch that may touch. Their bounds become those of now.
SIM_INLINE uint32_t may_touch(const struct sim_pair_lanes *pairs, float *bounds,
                              const struct sim_bounded *bounded, const enum sim_pair_kind kind)
{
    uint32_t far = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        wf now = w_load(bounds + lane) - both_ways(pairs->at, lane, bounded->ways, kind);
        wf limit = w_load(pairs->reach + lane) * w_set(bounded->share) + w_set(bounded->wrong);
        far |= w_lanes_of(w_not(w_below(now, limit))) << lane;
        w_store(bounds + lane, now);
    }
    return ~far & ((1U << SIM_LANES) - 1);
}

SIM_INLINE uint32_t scan_bounded(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                                 const struct sim_sieve *sieve, const struct sim_bounded *bounded,
                                 struct sim_near_list *near, const enum sim_pair_kind kind)
{
    uint32_t count = near->count, picked = 0;
    for (uint32_t b = first; b < end; b++) {
        const uint32_t lanes = sieved(&pairs->lanes[b], sieve, kind),
                       close = may_touch(&pairs->lanes[b], bounded->bounds + (size_t)b * SIM_LANES, bounded,
                                         kind);
        picked += (uint32_t)__builtin_popcount(lanes);
        near_take(pairs, b, lanes & close, near, &count);
    }
    near->count = count;
    near_pad(near);
    return picked;
}

SIM_INLINE uint32_t sift_near(const struct sim_near_list *near, uint32_t first, uint32_t end,
                              const struct sim_sieve *sieve, uint32_t *out, const enum sim_pair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        const struct sim_near_lanes *batch = &near->lanes[b];
        for (uint32_t lanes = sieved(&batch->pairs, sieve, kind); lanes != 0; lanes &= lanes - 1) {
            out[count++] = batch->pair[__builtin_ctz(lanes)];
        }
    }
    return count;
}

SIM_INLINE uint32_t sift_all(const struct sim_pair_list *pairs, uint32_t first, uint32_t end,
                             const struct sim_sieve *sieve, uint32_t *out, const enum sim_pair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        for (uint32_t lanes = sieved(&pairs->lanes[b], sieve, kind); lanes != 0; lanes &= lanes - 1) {
            out[count++] = b * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
        }
    }
    return count;
}

// --------------------------------------------------------------------------------------------------- measure

// Finds the side or corner of the triangle on which the foot lies, which others share. 0: the foot lies inside.
SIM_INLINE wi shared_feature(const wf c[4])
{
    const wf zero = w_set(0);
    const wi none = w_bits(zero);
    wf at = (w_where(w_equal(c[1], zero), w_set(1)) + w_where(w_equal(c[2], zero), w_set(2))) +
            w_where(w_equal(c[3], zero), w_set(4));
    wi bit = w_where_int(w_equal(at, w_set(6)), none + 1U) + w_where_int(w_equal(at, w_set(5)), none + 2U);
    bit =
        bit + (w_where_int(w_equal(at, w_set(3)), none + 4U) + w_where_int(w_equal(at, w_set(4)), none + 8U));
    return bit +
           (w_where_int(w_equal(at, w_set(1)), none + 16U) + w_where_int(w_equal(at, w_set(2)), none + 32U));
}

SIM_INLINE wm pushes(const struct w_foot *foot, wi tag, const enum sim_pair_kind kind)
{
    const wf zero = w_set(0);
    if (kind == SIM_PAIR_EE) {
        return w_and(w_and(w_below(zero, foot->c[0]), w_below(zero, foot->c[1])),
                     w_and(w_below(foot->c[2], zero), w_below(foot->c[3], zero)));
    }
    wi shared = shared_feature(foot->c);
    return w_equal(w_float(shared & tag), w_float(shared));
}

SIM_INLINE uint32_t measure(const struct sim_row *rows, struct sim_near_list *near, uint32_t first,
                            uint32_t end, uint32_t *active, const enum sim_pair_kind kind)
{
    uint32_t count = 0;
    for (uint32_t b = first; b < end; b++) {
        struct sim_near_lanes *batch = &near->lanes[b];
        uint32_t lanes = 0, left = near->count - b * SIM_LANES;
        for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
            struct w_rows x[4];
            for (int k = 0; k < 4; k++) {
                x[k] = w_rows_at(rows, batch->pairs.at[k] + lane);
            }
            struct w_foot foot = w_foot_of(x, kind);
            wf d = w_sqrt(w_dot(foot.g, foot.g)), low = foot.between / d;
            wm apart = w_below(w_set(0), d);
            low = w_where(apart, low - w_abs(low) * w_set(0x1p-20f));
            w_store(batch->pairs.low + lane, low);
            wm touches = w_and(apart, w_below(d, w_load(batch->pairs.reach + lane) * w_set(SIM_PAIR_TOUCH)));
            touches = w_and(touches, pushes(&foot, w_load_int(batch->tag + lane), kind));
            lanes |= w_lanes_of(touches) << lane;
        }
        for (uint32_t lane = left; lane < SIM_LANES; lane++) {
            batch->pairs.low[lane] = SIM_PAIR_FAR;
            lanes &= ~(1U << lane);
        }
        for (; lanes != 0; lanes &= lanes - 1) {
            active[count++] = b * SIM_LANES + (uint32_t)__builtin_ctz(lanes);
        }
    }
    return count;
}

// --------------------------------------------------------------------------------------------------- by kind

#define NEAR(name, kind)                                                                                  \
    void SIM_CONTACT_BOTH(sim_near_scan, name)(const struct sim_pair_list *pairs, uint32_t first,         \
                                               uint32_t end, const struct sim_sieve *sieve,               \
                                               struct sim_near_list *near)                                \
    {                                                                                                     \
        scan(pairs, first, end, sieve, near, kind);                                                       \
    }                                                                                                     \
    uint32_t SIM_CONTACT_BOTH(sim_near_measure, name)(const struct sim_row *rows,                         \
                                                      struct sim_near_list *near, uint32_t first,         \
                                                      uint32_t end, uint32_t *active)                     \
    {                                                                                                     \
        return measure(rows, near, first, end, active, kind);                                             \
    }                                                                                                     \
    uint32_t SIM_CONTACT_BOTH(sim_near_sift, name)(const struct sim_near_list *near, uint32_t first,      \
                                                   uint32_t end, const struct sim_sieve *sieve,           \
                                                   uint32_t *out)                                         \
    {                                                                                                     \
        return sift_near(near, first, end, sieve, out, kind);                                             \
    }                                                                                                     \
    uint32_t SIM_CONTACT_BOTH(sim_near_sift_all, name)(const struct sim_pair_list *pairs, uint32_t first, \
                                                       uint32_t end, const struct sim_sieve *sieve,       \
                                                       uint32_t *out)                                     \
    {                                                                                                     \
        return sift_all(pairs, first, end, sieve, out, kind);                                             \
    }
NEAR(vt, SIM_PAIR_VT)
NEAR(ee, SIM_PAIR_EE)

#define BOUNDED(name, kind)                                                                                 \
    void SIM_CONTACT_BOTH(sim_near_bound, name)(const struct sim_pair_list *pairs, uint32_t first,          \
                                                uint32_t end, const struct sim_sieve *sieve, float *bounds) \
    {                                                                                                       \
        bound(pairs, first, end, sieve, bounds, kind);                                                      \
    }                                                                                                       \
    uint32_t SIM_CONTACT_BOTH(sim_near_scan_bounded, name)(                                                 \
        const struct sim_pair_list *pairs, uint32_t first, uint32_t end, const struct sim_sieve *sieve,     \
        const struct sim_bounded *bounded, struct sim_near_list *near)                                      \
    {                                                                                                       \
        return scan_bounded(pairs, first, end, sieve, bounded, near, kind);                                 \
    }
BOUNDED(vt, SIM_PAIR_VT)
BOUNDED(ee, SIM_PAIR_EE)

const struct sim_contact_kernels SIM_ISA(sim_contact_kernels) = {
    .ways = SIM_ISA(sim_near_ways),
    .dirty = near_dirty,
    .scan = {SIM_CONTACT_BOTH(sim_near_scan, vt), SIM_CONTACT_BOTH(sim_near_scan, ee)},
    .bound = {SIM_CONTACT_BOTH(sim_near_bound, vt), SIM_CONTACT_BOTH(sim_near_bound, ee)},
    .scan_bounded = {SIM_CONTACT_BOTH(sim_near_scan_bounded, vt),
                     SIM_CONTACT_BOTH(sim_near_scan_bounded, ee)},
    .measure = {SIM_CONTACT_BOTH(sim_near_measure, vt), SIM_CONTACT_BOTH(sim_near_measure, ee)},
    .sift_near = {SIM_CONTACT_BOTH(sim_near_sift, vt), SIM_CONTACT_BOTH(sim_near_sift, ee)},
    .sift_all = {SIM_CONTACT_BOTH(sim_near_sift_all, vt), SIM_CONTACT_BOTH(sim_near_sift_all, ee)},
    .stay = {SIM_CONTACT_BOTH(sim_stay, vt), SIM_CONTACT_BOTH(sim_stay, ee)},
    .push = SIM_ISA(sim_push),
    .remember = SIM_ISA(sim_push_remember),
};
