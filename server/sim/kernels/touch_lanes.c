// Pushes pairs of rigid shapes apart, DOUBLES of them side by side (solve/rigid_meet.c has the equations).
//
// Points of a pair follow each other; lanes are pairs. A lane that has nothing to give adds 0, which changes no sum. Every lane does
// what one pair alone would do, in the same order, so the bits do not depend on how pairs share vectors.

#include "sim/state/touch_lanes.h"
#include "sim/kernels/wide_double.h"

enum { ROUNDS = 6, RUBS = 3, POINTS = SIM_TOUCH_LANES_POINTS };

// A pair gives this to one side: its way and turn, the sums of impulses and torques.
struct given {
    struct wd_vec way, turn, impulses, torques;
};

struct rowed {
    struct wd_vec levers[2], turns[2]; // r x n, and what that turns by
    wd weight, depth;
    struct wd_vec slid;
};

struct pairs {
    struct sim_touch_lanes *all;
    uint32_t at; // the first lane
    struct wd_vec n, inverse[2][3];
    wd w[2];
    struct given given[2];
    struct rowed rows[POINTS];
};

SIM_INLINE struct wd_vec load3(const sim_touch_lane_doubles v[3], uint32_t at)
{
    return (struct wd_vec){{wd_load(v[0] + at), wd_load(v[1] + at), wd_load(v[2] + at)}};
}

SIM_INLINE void store3(sim_touch_lane_doubles v[3], uint32_t at, struct wd_vec x)
{
    for (int axis = 0; axis < 3; axis++) {
        wd_store(v[axis] + at, x.x[axis]);
    }
}

SIM_INLINE struct wd_vec cross(struct wd_vec a, struct wd_vec b)
{
    return (struct wd_vec){{
        a.x[1] * b.x[2] - a.x[2] * b.x[1],
        a.x[2] * b.x[0] - a.x[0] * b.x[2],
        a.x[0] * b.x[1] - a.x[1] * b.x[0],
    }};
}

SIM_INLINE struct wd_vec turned_by(const struct pairs *pairs, int side, struct wd_vec v)
{
    return (struct wd_vec){{wd_dot(pairs->inverse[side][0], v), wd_dot(pairs->inverse[side][1], v),
                            wd_dot(pairs->inverse[side][2], v)}};
}

// A vector of a side's frame, in the world.
SIM_INLINE struct wd_vec in_world(const struct pairs *pairs, int side, struct wd_vec v)
{
    const struct sim_touch_lanes_side *from = &pairs->all->sides[side];
    struct wd_vec out;
    for (int axis = 0; axis < 3; axis++) {
        out.x[axis] = (v.x[0] * wd_load(from->axes[0][axis] + pairs->at) +
                       v.x[1] * wd_load(from->axes[1][axis] + pairs->at)) +
                      v.x[2] * wd_load(from->axes[2][axis] + pairs->at);
    }
    return out;
}

// v without its part along n.
SIM_INLINE struct wd_vec across(struct wd_vec v, struct wd_vec n)
{
    const wd up = wd_dot(v, n);
    for (int axis = 0; axis < 3; axis++) {
        v.x[axis] = v.x[axis] - up * n.x[axis];
    }
    return v;
}

// How far a point comes apart along v for each unit of a push along it: 1/kg. The levers and turns of the push are told.
SIM_INLINE wd weight_of(const struct pairs *pairs, const struct sim_touch_lanes_point *point, struct wd_vec v,
                        struct wd_vec levers[2], struct wd_vec turns[2], const int sides)
{
    wd weight = pairs->w[0] + pairs->w[1];
    for (int side = 0; side < sides; side++) {
        levers[side] = cross(load3(point->arms[side], pairs->at), v);
        turns[side] = turned_by(pairs, side, levers[side]);
        weight = weight + wd_dot(levers[side], turns[side]);
    }
    return weight;
}

SIM_INLINE void row_make(struct pairs *pairs, uint32_t k, const int sides)
{
    const struct sim_touch_lanes *all = pairs->all;
    const struct sim_touch_lanes_point *point = &all->points[k];
    const uint32_t at = pairs->at;
    struct rowed *row = &pairs->rows[k];
    const struct wd_vec cores[2] = {in_world(pairs, 0, load3(point->core[0], at)),
                                    in_world(pairs, 1, load3(point->core[1], at))};
    const struct wd_vec own[2] = {in_world(pairs, 0, load3(point->local[0], at)),
                                  in_world(pairs, 1, load3(point->local[1], at))};
    const struct wd_vec apart = load3(all->apart, at), began = load3(point->between, at);
    struct wd_vec between, slid;
    for (int axis = 0; axis < 3; axis++) {
        between.x[axis] = apart.x[axis] + (cores[0].x[axis] - cores[1].x[axis]);
        slid.x[axis] = apart.x[axis] + ((own[0].x[axis] - own[1].x[axis]) - began.x[axis]);
    }
    const wd open = wd_load(point->start + at) + wd_set(all->out);
    row->depth = (wd_dot(between, pairs->n) - wd_load(all->radii + at)) - wd_min(open, wd_set(0));
    row->slid = across(slid, pairs->n);
    row->weight = weight_of(pairs, point, pairs->n, row->levers, row->turns, sides);
}

// Gives both sides a push along v, with its levers and turns.
SIM_INLINE void give(struct pairs *pairs, struct wd_vec v, const struct wd_vec *levers,
                     const struct wd_vec *turns, wd size, const int sides)
{
    for (int side = 0; side < sides; side++) {
        struct given *given = &pairs->given[side];
        const wd by = side == 0 ? size : wd_set(0) - size, goes = pairs->w[side] * by;
        for (int axis = 0; axis < 3; axis++) {
            given->way.x[axis] = given->way.x[axis] + goes * v.x[axis];
            given->turn.x[axis] = given->turn.x[axis] + by * turns[side].x[axis];
            given->impulses.x[axis] = given->impulses.x[axis] + by * v.x[axis];
            given->torques.x[axis] = given->torques.x[axis] + by * levers[side].x[axis];
        }
    }
}

SIM_INLINE void push_out(struct pairs *pairs, uint32_t k, wdm acts, const int sides)
{
    struct rowed *row = &pairs->rows[k];
    double *sum = pairs->all->points[k].pushed + pairs->at;
    const wd pushed = wd_load(sum);
    wd along = wd_dot(pairs->n, pairs->given[0].way) + wd_dot(row->levers[0], pairs->given[0].turn);
    if (sides == 2) {
        along =
            along - (wd_dot(pairs->n, pairs->given[1].way) + wd_dot(row->levers[1], pairs->given[1].turn));
    }
    const wd total = pushed - (row->depth + along) / row->weight;
    const wd kept = wd_select(acts, wd_max(total, wd_set(0)), pushed);
    give(pairs, pairs->n, row->levers, row->turns, kept - pushed, sides);
    wd_store(sum, kept);
}

SIM_INLINE void rub(struct pairs *pairs, uint32_t k, wdm acts, const int sides)
{
    struct sim_touch_lanes *all = pairs->all;
    struct sim_touch_lanes_point *point = &all->points[k];
    const uint32_t at = pairs->at;
    const wd zero = wd_set(0), one = wd_set(1), pushed = wd_load(point->pushed + at);
    const wd most = wd_load(all->holds + at) * pushed;
    struct wd_vec way = pairs->rows[k].slid, levers[2], turns[2], total = load3(point->rubbed, at), more;
    struct wd_vec round[2];
    for (int side = 0; side < sides; side++) {
        round[side] = cross(pairs->given[side].turn, load3(point->arms[side], at));
    }
    for (int axis = 0; axis < 3; axis++) {
        wd goes = pairs->given[0].way.x[axis] + round[0].x[axis];
        if (sides == 2) {
            goes = goes - (pairs->given[1].way.x[axis] + round[1].x[axis]);
        }
        way.x[axis] = way.x[axis] + goes;
    }
    way = across(way, pairs->n);
    const wd size = wd_sqrt(wd_dot(way, way));
    const wdm slides = wd_and(wd_below(zero, size), wd_below(zero, most));
    const wd whole = wd_select(slides, size, one);
    for (int axis = 0; axis < 3; axis++) {
        way.x[axis] = way.x[axis] / whole;
    }
    const wd weight = weight_of(pairs, point, way, levers, turns, sides);
    const wd takes = size / wd_select(slides, weight, one);
    for (int axis = 0; axis < 3; axis++) {
        total.x[axis] = total.x[axis] - wd_where(slides, way.x[axis] * takes);
    }
    const wd reach = wd_sqrt(wd_dot(total, total));
    const wdm beyond = wd_below(most, reach);
    const wd scale =
        wd_select(beyond, (wd_load(all->slides + at) * pushed) / wd_select(beyond, reach, one), one);
    const struct wd_vec before = load3(point->rubbed, at);
    for (int axis = 0; axis < 3; axis++) {
        total.x[axis] = wd_select(acts, total.x[axis] * scale, before.x[axis]);
        more.x[axis] = total.x[axis] - before.x[axis];
    }
    store3(point->rubbed, at, total);
    for (int side = 0; side < sides; side++) {
        levers[side] = cross(load3(point->arms[side], at), more);
        turns[side] = turned_by(pairs, side, levers[side]);
    }
    give(pairs, more, levers, turns, one, sides);
}

// Lanes in which a point is there, and of these in later rounds only pairs of several points.
SIM_INLINE wdm acts_in(const struct pairs *pairs, wdm acts, uint32_t k, uint32_t round)
{
    const wd half = wd_set(0.5);
    acts = wd_and(acts, wd_below(half, wd_load(pairs->all->points[k].there + pairs->at)));
    return round == 0 ? acts : wd_and(acts, wd_below(half, wd_load(pairs->all->many + pairs->at)));
}

SIM_INLINE void solve(struct sim_touch_lanes *all, uint32_t at, const int sides)
{
    const wd zero = wd_set(0);
    struct pairs pairs = {.all = all, .at = at, .n = load3(all->normal, at)};
    wdm any = wd_below(zero, zero);
    for (int side = 0; side < 2; side++) {
        pairs.w[side] = wd_load(all->sides[side].w + at);
        for (int i = 0; i < 3; i++) {
            pairs.inverse[side][i] = load3(all->sides[side].inverse[i], at);
        }
        pairs.given[side] = (struct given){
            {{zero, zero, zero}}, {{zero, zero, zero}}, {{zero, zero, zero}}, {{zero, zero, zero}}};
    }
    for (uint32_t k = 0; k < POINTS; k++) {
        row_make(&pairs, k, sides);
        const wdm deep =
            wd_or(wd_below(pairs.rows[k].depth, zero), wd_below(zero, wd_load(all->points[k].pushed + at)));
        any = wd_or(any, wd_and(deep, wd_below(zero, wd_load(all->points[k].there + at))));
    }
    const wdm acts = wd_and(any, wd_below(zero, pairs.rows[0].weight));
    wd_store(all->moved + at, wd_where(acts, wd_set(1)));
    if (!wd_any(acts)) {
        return;
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t k = (round % 2 == 1) != all->back ? POINTS - 1 - i : i;
            push_out(&pairs, k, acts_in(&pairs, acts, k, round), sides);
        }
    }
    const wdm rubs = wd_and(acts, wd_below(zero, wd_load(all->holds + at)));
    for (uint32_t round = 0; round < RUBS && wd_any(rubs); round++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t k = (round % 2 == 1) != all->back ? POINTS - 1 - i : i;
            rub(&pairs, k, acts_in(&pairs, rubs, k, round), sides);
        }
    }
    for (int side = 0; side < sides; side++) {
        store3(all->sides[side].impulses, at, pairs.given[side].impulses);
        store3(all->sides[side].torques, at, pairs.given[side].torques);
    }
}

void SIM_ISA(sim_touch_lanes_solve)(struct sim_touch_lanes *all)
{
    for (uint32_t at = 0; at < all->count; at += DOUBLES) {
        if (wd_any(wd_below(wd_set(0), wd_load(all->sides[1].w + at)))) {
            solve(all, at, 2);
        } else {
            solve(all, at, 1);
        }
    }
}
