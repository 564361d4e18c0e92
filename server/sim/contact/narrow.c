// Which pairs can come as close as R while their rows stay in their tubes.
//
// Any direction g bounds the distance from below. Along that of the closest points of where paths have the rows when this
// substep begins, let l(k) be the distance of both sides when k substeps are over and rows are where their paths have them:
//
//     l(k) = (min side 1 g.x(k) - max side 2 g.x(k)) / |g|
//
// Each g.x(k) is linear in k, so l is concave: between now and the end of all tubes it is nowhere less than its chord, which
// the pair keeps (low + slope k). If both ends of it are more than R and the slacks of both sides, the two stay apart.
//
// Paths are whole quanta, and sums are of differences that are exact before they are rounded. What rounding can come to is
// allowed for: 2^-19 of all that is added, 2^-20 of what the chord is taken from and to, and a quantum.

#include "sim/contact/lanes.h"
#include "sim/contact/search.h"

// In the end: the height of a side along g that is nearest to the other side, and the greatest slack.
struct side {
    wf end, slack;
};

SIM_INLINE void side_take(struct side *side, bool begins, bool first, wf end, wf slack)
{
    if (begins) {
        *side = (struct side){end, slack};
    } else {
        side->end = first ? w_min(end, side->end) : w_max(end, side->end);
        side->slack = w_max(slack, side->slack);
    }
}

// Beside what is told of candidates: the lesser end of the chord, and the greatest slack of each side.
struct found {
    float nearest[SIM_LANES], slack[2][SIM_LANES];
};

// Which lanes are farther apart than the greatest R.
SIM_INLINE wm narrow_lanes(const struct sim_meet *meet, const struct sim_candidates *c, uint32_t lane,
                           struct found *found, struct sim_narrowed *out, const enum sim_pair_kind kind)
{
    const wf zero = w_set(0), steps = w_set(c->steps);
    struct w_rows x[4];
    for (int k = 0; k < 4; k++) {
        x[k] = w_rows_at(meet->expected[0], c->at[k] + lane);
    }
    struct w_foot foot = w_foot_of(x, kind);
    wf d = w_sqrt(w_dot(foot.g, foot.g)), added = zero;
    struct side sides[2] = {{zero, zero}, {zero, zero}};
    for (int k = 0; k < 4; k++) {
        const bool first = sim_pair_first_side(kind, (uint32_t)k);
        const struct w_rows path = w_rows_at(meet->paths, c->at[k] + lane);
        const struct w_vec from = w_between(&x[k], &x[0]);
        struct w_vec way;
        wf extent = path.w;
        for (int axis = 0; axis < 3; axis++) {
            const wf goes = w_float(path.x[axis]) * steps;
            extent = extent + (k == 0 ? w_abs(goes) : w_abs(from.x[axis]) + w_abs(goes));
            way.x[axis] = goes;
        }
        added = w_max(extent, added);
        const wf goes = w_dot(foot.g, way), end = k == 0 ? goes : w_dot(foot.g, from) + goes;
        side_take(&sides[!first], k == 0 || (first != sim_pair_first_side(kind, (uint32_t)k - 1)), first, end,
                  path.w);
    }
    const wm apart = w_below(zero, d);
    const wf wrong = added * w_set(0x1p-19f) + w_set(1);
    const wf now = w_where(apart, foot.between / d - wrong),
             end = w_where(apart, (sides[0].end - sides[1].end) / d - wrong);
    const wf slope = (end - now) / steps, last = w_set(c->start + c->steps);
    w_store(out->slope + lane, slope);
    w_store(out->low + lane, (now - slope * w_set(c->start)) - (w_abs(slope) * last) * w_set(0x1p-20f));
    const wf nearest = w_min(now, end);
    w_store(found->slack[0] + lane, sides[0].slack);
    w_store(found->slack[1] + lane, sides[1].slack);
    w_store(found->nearest + lane, nearest);
    // Both that are not apart, and what is no number, are kept.
    return w_below((w_set(c->reach) + sides[0].slack) + sides[1].slack, nearest);
}

// Which pairs within one body are plainly farther apart than R at rest. Points of two features are no nearer to each other than a
// row of one is to a row of the other, less the longest side at each row. Slack is left for what rounding the foot may come to.
SIM_INLINE uint32_t far_at_rest(const struct sim_meet *meet, const struct sim_candidates *c, uint32_t left,
                                const enum sim_pair_kind kind)
{
    const uint32_t other = kind == SIM_PAIR_VT ? 1 : 2;
    uint32_t far = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane += WIDE) {
        if ((left >> lane & (uint32_t)((1ULL << WIDE) - 1)) == 0) {
            continue;
        }
        const struct w_rows one = w_rows_at(meet->rest, c->at[0] + lane),
                            two = w_rows_at(meet->rest, c->at[other] + lane);
        const struct w_vec way = w_between(&one, &two);
        const wf d = w_sqrt(w_dot(way, way)) * w_set(1 - 0x1p-17f);
        far |= w_lanes_of(w_below((one.w + two.w) * w_set(1 + 0x1p-17f) + w_set(c->reach * 1.01f), d))
               << lane;
    }
    return far & left;
}

// Looks again at the pairs within one body that are left. For them R is no more than their distance at rest. Rounding keeps the
// order of sums, so this leaves out whatever a greater R left out. Few pairs are left, so they are taken side by side.
SIM_INLINE uint32_t narrow_rest(const struct sim_meet *meet, const struct sim_candidates *c, uint32_t left,
                                const struct found *found, struct sim_narrowed *out,
                                const enum sim_pair_kind kind)
{
    uint32_t at[4][SIM_LANES] = {{0}}, lanes[SIM_LANES], count = 0, dropped = 0;
    for (uint32_t each = left; each != 0; each &= each - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(each);
        for (int k = 0; k < 4; k++) {
            at[k][count] = c->at[k][lane];
        }
        lanes[count++] = lane;
    }
    for (uint32_t first = 0; first < count; first += WIDE) {
        float reaches[WIDE];
        struct w_rows rest[4];
        for (int k = 0; k < 4; k++) {
            rest[k] = w_rows_at(meet->rest, at[k] + first);
        }
        const struct w_foot then = w_foot_of(rest, kind);
        w_store(reaches, w_min(w_sqrt(w_dot(then.g, then.g)) * w_set(0.999f), w_set(c->reach)));
        for (uint32_t i = first; i < count && i < first + WIDE; i++) {
            const uint32_t lane = lanes[i];
            const float both = (reaches[i - first] + found->slack[0][lane]) + found->slack[1][lane];
            out->reach[lane] = reaches[i - first];
            dropped |= (uint32_t)(both < found->nearest[lane]) << lane;
        }
    }
    return left & ~dropped;
}

SIM_INLINE uint32_t narrow(const struct sim_meet *meet, const struct sim_candidates *c,
                           struct sim_narrowed *out, const enum sim_pair_kind kind)
{
    struct found found;
    uint32_t dropped = 0;
    for (uint32_t lane = 0; lane < c->count; lane += WIDE) {
        dropped |= w_lanes_of(narrow_lanes(meet, c, lane, &found, out, kind)) << lane;
        w_store(out->reach + lane, w_set(c->reach));
    }
    const uint32_t left = ~dropped & (c->count == SIM_LANES ? 0xffff : (1U << c->count) - 1);
    if (!c->same || left == 0) {
        return left;
    }
    const uint32_t far = far_at_rest(meet, c, left, kind); // R is all of it for them, and so they are left
    return far | narrow_rest(meet, c, left & ~far, &found, out, kind);
}

sim_narrow SIM_CONTACT_BOTH(sim_narrow, vt), SIM_CONTACT_BOTH(sim_narrow, ee);

uint32_t SIM_CONTACT_BOTH(sim_narrow, vt)(const struct sim_meet *meet,
                                          const struct sim_candidates *candidates,
                                          struct sim_narrowed *narrowed)
{
    return narrow(meet, candidates, narrowed, SIM_PAIR_VT);
}

uint32_t SIM_CONTACT_BOTH(sim_narrow, ee)(const struct sim_meet *meet,
                                          const struct sim_candidates *candidates,
                                          struct sim_narrowed *narrowed)
{
    return narrow(meet, candidates, narrowed, SIM_PAIR_EE);
}
