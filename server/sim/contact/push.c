// The contact solve: a pair that is closer than R goes apart, and friction holds what it can of its slip.
//
//   W = sum w c^2;  d, n: now;  d0 = n . sum c X0: the same points when the substep began
//   d0 < 0: it went through in this very substep, and must go back: n, d and d0 change sign
//   a = min(d0, R);  depth = max(0, a + min(beta (R - a), v_out) - d)
//   lambda = depth / W
//   t = tangential part of slip + sum c (X - X0);  phi = min(|t| / W, mu lambda);  hold += mu depth
//   x_i += round(w_i c_i (lambda n - phi t/|t|) + nudge)
//
// and when the substep has ended, with c and n of the last push
//
//   limit = max(10 hold, 0.9 limit);  slip = tangential part of slip + sum c (X - X0), cut at limit
//
// A pair gives back at once by how much it came nearer in this substep. Of an older depth it gives back a part, so that contacts do not
// bounce. The part is the same whatever else pushes the two, and however often. So bodies that were put into each other do not fly
// apart. The slip that is remembered holds stacks: without it each substep forgives what it could not hold.
//
// mu is that of what holds while |t| <= STICKS max(10 (hold + mu depth), limit). A pair that owes more slides, and has the mu of
// what slides; what it owes is still cut by the other one, so it goes on sliding for as long as it moves.
//
// If only a row of small c is free, W is too small. It counts as at least a quarter of the greatest w |c|, so that no row
// goes farther than four times the depth. Sums of c (X - X0) are taken over differences to row 0, as integers, so that a pair
// which moves as a whole leaves no trace in them.
//
// A light row on taut tethers does not give way as its mass says: whatever pushes it pulls on what its tethers are tied to. Else
// a ball of 8 kg pushes a particle of 0.02 g away, the edges pull the particle back, and nothing slows the ball. So in the pushes
// of a row that is more than LIGHT times lighter than the heaviest free row of its pair, with n turned the way that it goes,
//
//   u_j = (x_i - a_j) / |x_i - a_j|     of its tethers that are longer than TAUT of their length, and u_j . n > BLOCKS
//   w_i = max(w_i |n - part of n in the span of the u_j|^2, w of the heaviest)
//
// That is the inverse mass along n of a row that keeps its distance from the anchors a_j. The anchors are held, and bear what the
// row does not take: c lambda n (1 - w_i / its own). So the momentum of both sides and of what anchors bear is kept. (A tether
// could bear it along u_j alone: what is across is small if n is in their span, or if none of it is.) A body that nothing
// holds has no tethers, and between rows of about the same mass nothing changes.

#include "sim/contact/lanes.h"

#define LEAST_WEIGHT 1e-30f // of W: below there is nothing to move, and 1/W may be no number
#define LONG_HOLD 10.0f
#define FADE 0.9f
#define STICKS 0.8f // of what may be owed
#define TAUT 0.99f
#define BLOCKS 0.005f
#define APART 1e-5f // squared sine of a tether to those before it: below it the tether adds no direction
#define LIGHT 8.0f

// sum c (X - X0)
SIM_INLINE struct w_vec went(const struct w_rows *x, const struct w_rows *starts, const wf c[4])
{
    struct w_vec sum;
    for (int axis = 0; axis < 3; axis++) {
        wi first = x[0].x[axis] - starts[0].x[axis];
        sum.x[axis] = c[1] * w_float((x[1].x[axis] - starts[1].x[axis]) - first);
        for (int k = 2; k < 4; k++) {
            sum.x[axis] = sum.x[axis] + c[k] * w_float((x[k].x[axis] - starts[k].x[axis]) - first);
        }
    }
    return sum;
}

SIM_INLINE struct w_vec tangential(struct w_vec v, struct w_vec n)
{
    wf along = w_dot(v, n);
    return (struct w_vec){{v.x[0] - along * n.x[0], v.x[1] - along * n.x[1], v.x[2] - along * n.x[2]}};
}

SIM_INLINE wf weight(const wf w[4], const wf c[4])
{
    wf sum = (w[0] * c[0]) * c[0], greatest = w[0] * w_abs(c[0]);
    for (int k = 1; k < 4; k++) {
        sum = sum + (w[k] * c[k]) * c[k];
        greatest = w_max(greatest, w[k] * w_abs(c[k]));
    }
    return w_max(sum, greatest * w_set(0.25f));
}

// Returns |n - part of n in the span of the u_j|^2, for rows that a push moves along n.
SIM_INLINE wf left_free(const struct sim_row *rows, const struct sim_tethered *tethered,
                        const uint32_t *places, const struct w_rows *x, struct w_vec n)
{
    uint32_t anchors[SIM_TETHERS_MAX][WIDE];
    float lengths[SIM_TETHERS_MAX][WIDE];
    for (int lane = 0; lane < WIDE; lane++) {
        const struct sim_tethered *of = &tethered[places[lane] / SIM_ROW_BYTES];
        for (int j = 0; j < SIM_TETHERS_MAX; j++) {
            anchors[j][lane] = of->anchors[j];
            lengths[j][lane] = of->lengths[j];
        }
    }
    const wf zero = w_set(0), one = w_set(1);
    struct w_vec axes[SIM_TETHERS_MAX];
    wf left = one;
    for (int j = 0; j < SIM_TETHERS_MAX; j++) {
        const struct w_rows anchor = w_rows_at(rows, anchors[j]);
        const wf length = w_load(lengths[j]);
        struct w_vec u = w_between(x, &anchor);
        const wf l = w_sqrt(w_dot(u, u));
        wm blocks = w_and(w_below(zero, length), w_below(w_set(TAUT) * length, l));
        blocks = w_and(blocks, w_below(w_set(BLOCKS) * l, w_dot(u, n)));
        for (int axis = 0; axis < 3; axis++) {
            u.x[axis] = w_where(blocks, u.x[axis] / l);
        }
        for (int i = 0; i < j; i++) {
            const wf along = w_dot(u, axes[i]);
            for (int axis = 0; axis < 3; axis++) {
                u.x[axis] = u.x[axis] - along * axes[i].x[axis];
            }
        }
        const wf rest = w_dot(u, u);
        blocks = w_and(blocks, w_below(w_set(APART), rest));
        const wf once = one / w_sqrt(rest);
        for (int axis = 0; axis < 3; axis++) {
            axes[j].x[axis] = w_where(blocks, u.x[axis] * once);
        }
        const wf along = w_dot(axes[j], n);
        left = left - along * along;
    }
    return w_max(left, zero);
}

// Lowers the inverse masses of light rows whose tethers resist the push.
SIM_INLINE void resist(const struct sim_row *rows, const struct sim_tethered *tethered,
                       const struct sim_push_lanes *batch, uint32_t lane, const struct w_rows *x,
                       const wf c[4], struct w_vec n, wf w[4])
{
    const wf zero = w_set(0);
    wf least = w_set(FLT_MAX);
    for (int k = 0; k < 4; k++) {
        least = w_select(w_below(zero, x[k].w), w_min(x[k].w, least), least);
    }
    for (int k = 0; k < 4; k++) {
        const wm light = w_and(w_below(w_set(LIGHT) * least, x[k].w), w_below(zero, w_abs(c[k])));
        if (!w_any(light)) {
            continue;
        }
        const wm back = w_below(c[k], zero);
        struct w_vec way;
        for (int axis = 0; axis < 3; axis++) {
            way.x[axis] = w_select(back, w_negative(n.x[axis]), n.x[axis]);
        }
        const wf left = left_free(rows, tethered, batch->at[k] + lane, &x[k], way);
        w[k] = w_select(light, w_max(x[k].w * left, least), w[k]);
    }
}

// Other threads may push against the same static rows at the same time: these are not even written as they were.
SIM_INLINE void free_rows_put(struct sim_row *rows, const uint32_t *places, const struct w_rows *x)
{
    const uint32_t all = (uint32_t)((UINT64_C(1) << WIDE) - 1);
    uint32_t lanes = w_lanes_of(w_below(w_set(0), x->w)), moved[3][WIDE];
    if (lanes == all) {
        w_rows_put(rows, places, x);
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        w_store_int(moved[axis], x->x[axis]);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
        struct sim_row *row = (struct sim_row *)(void *)((char *)rows + places[lane]);
        for (int axis = 0; axis < 3; axis++) {
            row->x[axis] = (int32_t)moved[axis][lane];
        }
    }
}

SIM_INLINE void push(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batch,
                     uint32_t lane, const struct sim_push_times *times, const struct w_nudges *nudges,
                     const enum sim_pair_kind kind)
{
    const wf zero = w_set(0), reach = w_load(batch->reach + lane);
    wf mu = w_load(batch->friction + lane);
    struct w_rows x[4], before[4];
    for (int k = 0; k < 4; k++) {
        x[k] = w_rows_at(rows, batch->at[k] + lane);
        before[k] = w_rows_at(starts, batch->at[k] + lane);
    }
    struct w_foot foot = w_foot_of(x, kind);
    wf d = w_sqrt(w_dot(foot.g, foot.g)), once = w_where(w_below(zero, d), w_set(1) / d);
    struct w_vec moved = went(x, before, foot.c), n, t;
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = foot.g.x[axis] * once;
    }
    wf old = d - w_dot(moved, n);
    wm live = w_and(w_below(zero, d), w_below(d, reach * w_set(SIM_PAIR_TOUCH)));
    wm through = w_below(old, zero);
    d = w_select(through, w_negative(d), d);
    old = w_abs(old);
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = w_select(through, w_negative(n.x[axis]), n.x[axis]);
        if (times->keeps) {
            w_store(batch->foot[axis] + lane, foot.c[axis + 1]);
            w_store(batch->normal[axis] + lane, n.x[axis]);
        }
        t.x[axis] = w_load(batch->slip[axis] + lane) + moved.x[axis];
    }
    wf inverse[4] = {x[0].w, x[1].w, x[2].w, x[3].w};
    if (times->tethered) {
        resist(rows, times->tethered, batch, lane, x, foot.c, n, inverse);
    }
    const wf w = weight(inverse, foot.c);
    live = w_and(live, w_below(w_set(LEAST_WEIGHT), w));
    wf at = w_min(old, reach), out = w_min(w_set(times->beta) * (reach - at), w_set(times->v_out));
    wf depth = w_where(live, w_max((at - d) + out, zero));
    t = tangential(t, n);
    wf length = w_sqrt(w_dot(t, t)), light = w_where(live, w_set(1) / w), lambda = depth * light;
    const wf hold = w_load(batch->hold + lane) + mu * depth;
    w_store(batch->hold + lane, hold);
    if (times->slides) {
        const wf owes = w_max(w_set(LONG_HOLD) * hold, w_load(batch->limit + lane));
        mu = w_select(w_below(w_set(STICKS) * owes, length), w_load(batch->slides + lane), mu);
    }
    wf holds = w_min(length * light, mu * lambda), share = w_where(w_below(zero, length), holds / length);
    for (int k = 0; k < 4; k++) {
        wf takes = inverse[k] * foot.c[k];
        for (int axis = 0; axis < 3; axis++) {
            wf way = takes * (lambda * n.x[axis] - share * t.x[axis]);
            x[k].x[axis] = x[k].x[axis] + w_round(way + w_set(nudges->x[axis]));
        }
        free_rows_put(rows, batch->at[k] + lane, &x[k]);
    }
}

static void push_kind(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batch,
                      uint32_t lane, const struct sim_push_times *times, const struct w_nudges *nudges)
{
    if (batch->kind == SIM_PAIR_VT) {
        push(rows, starts, batch, lane, times, nudges, SIM_PAIR_VT);
    } else {
        push(rows, starts, batch, lane, times, nudges, SIM_PAIR_EE);
    }
}

static void lane_copy(struct sim_push_lanes *to, uint32_t to_lane, const struct sim_push_lanes *from,
                      uint32_t lane)
{
    for (int k = 0; k < 4; k++) {
        to->at[k][to_lane] = from->at[k][lane];
    }
    for (int axis = 0; axis < 3; axis++) {
        to->slip[axis][to_lane] = from->slip[axis][lane];
        to->foot[axis][to_lane] = from->foot[axis][lane];
        to->normal[axis][to_lane] = from->normal[axis][lane];
    }
    to->reach[to_lane] = from->reach[lane];
    to->friction[to_lane] = from->friction[lane];
    to->limit[to_lane] = from->limit[lane];
    to->hold[to_lane] = from->hold[lane];
    to->slides[to_lane] = from->slides[lane];
}

// Pairs that may share free rows: one after the other, each among lanes of row 0.
static void push_one_by_one(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batch,
                            const struct sim_push_times *times, const struct w_nudges *nudges)
{
    struct sim_push_lanes alone = {.kind = batch->kind, .color = batch->color, .count = 1};
    for (uint32_t lane = 0; lane < batch->count; lane++) {
        lane_copy(&alone, 0, batch, lane);
        push_kind(rows, starts, &alone, 0, times, nudges);
        lane_copy(batch, lane, &alone, 0);
    }
}

void SIM_ISA(sim_push)(struct sim_row *rows, const struct sim_row *starts, struct sim_push_lanes *batches,
                       uint32_t first, uint32_t end, const struct sim_push_times *times)
{
    for (uint32_t b = first; b < end; b++) {
        struct sim_push_lanes *batch = &batches[b];
        const struct w_nudges nudges = w_nudges_from(times->turn, times->seed, batch->color, W_CONTACT);
        if (batch->color == SIM_PAIR_SERIAL) {
            push_one_by_one(rows, starts, batch, times, &nudges);
            continue;
        }
        for (uint32_t lane = 0; lane < batch->count; lane += WIDE) {
            push_kind(rows, starts, batch, lane, times, &nudges);
        }
    }
}

SIM_INLINE void remember(const struct sim_row *rows, const struct sim_row *starts,
                         const struct sim_push_lanes *batch, uint32_t lane, float slips[3][SIM_LANES],
                         float limits[SIM_LANES])
{
    struct w_rows x[4], before[4];
    wf c[4] = {w_set(0)};
    struct w_vec n, t;
    for (int k = 0; k < 4; k++) {
        x[k] = w_rows_at(rows, batch->at[k] + lane);
        before[k] = w_rows_at(starts, batch->at[k] + lane);
    }
    for (int axis = 0; axis < 3; axis++) {
        c[axis + 1] = w_load(batch->foot[axis] + lane);
        n.x[axis] = w_load(batch->normal[axis] + lane);
    }
    struct w_vec moved = went(x, before, c);
    for (int axis = 0; axis < 3; axis++) {
        t.x[axis] = w_load(batch->slip[axis] + lane) + moved.x[axis];
    }
    t = tangential(t, n);
    wf limit =
        w_max(w_set(LONG_HOLD) * w_load(batch->hold + lane), w_set(FADE) * w_load(batch->limit + lane));
    wf length = w_sqrt(w_dot(t, t)), share = w_select(w_below(limit, length), limit / length, w_set(1));
    for (int axis = 0; axis < 3; axis++) {
        w_store(slips[axis] + lane, t.x[axis] * share);
    }
    w_store(limits + lane, limit);
}

void SIM_ISA(sim_push_remember)(const struct sim_row *rows, const struct sim_row *starts,
                                const struct sim_push_lanes *batches, uint32_t first, uint32_t end,
                                struct sim_slip *slips)
{
    float left[3][SIM_LANES], limits[SIM_LANES];
    for (uint32_t b = first; b < end; b++) {
        const struct sim_push_lanes *batch = &batches[b];
        for (uint32_t lane = 0; lane < batch->count; lane += WIDE) {
            remember(rows, starts, batch, lane, left, limits);
        }
        for (uint32_t lane = 0; lane < batch->count; lane++) {
            struct sim_slip *slip = &slips[batch->from[lane]];
            for (int axis = 0; axis < 3; axis++) {
                slip->slip[axis] = left[axis][lane];
            }
            slip->limit = limits[lane];
        }
    }
}
