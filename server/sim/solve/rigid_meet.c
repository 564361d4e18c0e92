// Contact pushes rigid pieces apart (touching.h says how it is found). n: from b to a; p: points of the two surfaces that were together,
// or nearest, when the substep began.
//
//     positions    C = (p_a - p_b) . n - min(0, C at the start + h v_out)
//                  lambda <- max(0, lambda - C/W)                          along n
//                  s = way of p_a in this substep - way of p_b;  t = s - (s . n) n
//                  f <- f - t/W_t, no longer than mu lambda                 what holds: mu; what slides: its friction_kinetic
//     velocities   v_n -> max(-e v_n before, 0);  the sum of pushes, lambda/h included, is not below 0
//                  and friction of what restitution pushed
//
// e counts only for what came faster than 2 |g| h.
//
// Pairs are solved downwards, so that what stands on the ground is put there last. Upwards, or up and down by turns, the highest one is left
// in place and the ground is not, and a stack that is solved so shakes: one of ten boxes falls within two seconds.
//
// The points of a pair are solved together: they push each other by turns until the pair is done, in numbers that a small turn is linear
// in. Then both pieces are moved once. Otherwise each point of a box would turn the box, and the next point would turn it back. All
// of it is computed in doubles.
//
// A point waits for the one before it, and a pair for the pairs before it that move a piece of it. So pairs that move none in common
// (rigid/levels.c) are pushed apart side by side, in lanes (kernels/touch_lanes.c).

#include "sim/contact/meet.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/rigid/touching.h"
#include "sim/solve/solve.h"
#include "sim/state/touch_lanes.h"

#include <string.h>

#define V_OUT 1.0         // m/s: what overlaps when a substep begins is pushed apart no faster
#define LEAST_BOUNCE 1e-3 // of what gravity gives in a substep
enum { ROUNDS = 6 };

_Static_assert((int)SIM_TOUCH_LANES_POINTS == (int)SIM_MANIFOLD_POINTS,
               "a lane has room for the points of a pair");

// A direction at a point: what a push along it does to both.
struct row {
    double n[3], levers[2][3], turns[2][3]; // r x n, and what that turns by
    double weight;                          // 1/kg
};

// The deal of a pair: the ways and turns, or speeds and spins, that it gave to both sides, and the sums of impulses and torques.
struct deal {
    const struct sim_toucher_now *sides[2];
    double way[2][3], turn[2][3];
    double impulses[2][3], torques[2][3];
};

static double length_of(const double v[3])
{
    return __builtin_sqrt(sim_dot(v, v));
}

static void turned_by(const struct sim_toucher_now *toucher, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = sim_dot(toucher->inverse[i], v);
    }
}

// Makes a row that tells how fast its point comes apart. Pushes along it need row_weigh as well.
static void row_aim(const struct deal *deal, const double arms[2][3], const double n[3], struct row *row)
{
    memcpy(row->n, n, sizeof row->n);
    for (int side = 0; side < 2; side++) {
        if (deal->sides[side]->w > 0) {
            sim_cross(arms[side], n, row->levers[side]);
        }
    }
}

static void row_weigh(const struct deal *deal, struct row *row)
{
    row->weight = deal->sides[0]->w + deal->sides[1]->w;
    for (int side = 0; side < 2; side++) {
        if (deal->sides[side]->w > 0) {
            turned_by(deal->sides[side], row->levers[side], row->turns[side]);
            row->weight += sim_dot(row->levers[side], row->turns[side]);
        }
    }
}

// How far, or how fast, a has come along the row against b.
static double along(const struct deal *deal, const struct row *row)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        if (deal->sides[side]->w > 0) {
            const double own =
                sim_dot(row->n, deal->way[side]) + sim_dot(row->levers[side], deal->turn[side]);
            sum += side == 0 ? own : -own;
        }
    }
    return sum;
}

static void give(struct deal *deal, const struct row *row, double size)
{
    for (int side = 0; side < 2; side++) {
        const double by = side == 0 ? size : -size, w = deal->sides[side]->w, goes = w * by;
        for (int axis = 0; w > 0 && axis < 3; axis++) {
            deal->way[side][axis] += goes * row->n[axis];
            deal->turn[side][axis] += by * row->turns[side][axis];
            deal->impulses[side][axis] += by * row->n[axis];
            deal->torques[side][axis] += by * row->levers[side][axis];
        }
    }
}

static struct deal deal_of(const struct sim_touching *touching, const struct sim_touch_pair *pair)
{
    return (struct deal){.sides = {&touching->all[pair->a], &touching->all[pair->b]}};
}

// Which point comes when: backwards in every second round, so that none comes first more often.
static uint32_t turn_of_point(const struct sim_touch_pair *pair, uint32_t k, bool back)
{
    return back ? pair->count - 1 - k : k;
}

// ----------------------------------------------------------------------------------------------------------- positions

static void lane3(sim_touch_lane_doubles to[3], uint32_t lane, const double v[3])
{
    for (int axis = 0; axis < 3; axis++) {
        to[axis][lane] = v[axis];
    }
}

static void lane_side(struct sim_touch_lanes_side *side, uint32_t lane, const struct sim_toucher_now *toucher)
{
    side->w[lane] = toucher->w;
    for (int i = 0; i < 3; i++) {
        lane3(side->axes[i], lane, toucher->now.axes[i]);
        lane3(side->inverse[i], lane, toucher->inverse[i]);
    }
}

static void lane_point(struct sim_touch_lanes_point *at, uint32_t lane, const struct sim_touch_point *point)
{
    at->there[lane] = 1;
    for (int side = 0; side < 2; side++) {
        lane3(at->core[side], lane, point->core[side]);
        lane3(at->local[side], lane, point->local[side]);
        lane3(at->arms[side], lane, point->arms[side]);
    }
    lane3(at->between, lane, point->between);
    lane3(at->rubbed, lane, point->rubbed);
    at->start[lane] = point->start;
    at->pushed[lane] = point->pushed;
}

static void lane_fill(struct sim_touch_lanes *lanes, uint32_t lane, const struct sim_touching *touching,
                      const struct sim_touch_pair *pair)
{
    const struct sim_toucher_now *a = &touching->all[pair->a], *b = &touching->all[pair->b];
    lane_side(&lanes->sides[0], lane, a);
    lane_side(&lanes->sides[1], lane, b);
    for (int axis = 0; axis < 3; axis++) {
        lanes->apart[axis][lane] = a->now.x[axis] - b->now.x[axis];
    }
    lane3(lanes->normal, lane, pair->normal);
    lanes->radii[lane] = pair->radii;
    lanes->holds[lane] = pair->holds;
    lanes->slides[lane] = pair->slides;
    lanes->many[lane] = pair->count > 1 ? 1 : 0;
    for (uint32_t k = 0; k < SIM_MANIFOLD_POINTS; k++) {
        if (k < pair->count) {
            lane_point(&lanes->points[k], lane, &pair->points[k]);
        } else {
            lanes->points[k].there[lane] = 0;
            lanes->points[k].pushed[lane] = 0;
        }
    }
}

// Takes what the kernel has found, and moves both sides.
static void lane_take(struct sim *sim, const struct sim_touch_lanes *lanes, uint32_t lane,
                      struct sim_touch_pair *pair)
{
    for (uint32_t k = 0; k < pair->count; k++) {
        pair->points[k].pushed = lanes->points[k].pushed[lane];
        for (int axis = 0; axis < 3; axis++) {
            pair->points[k].rubbed[axis] = lanes->points[k].rubbed[axis][lane];
        }
    }
    for (int side = 0; side < 2; side++) {
        struct sim_toucher_now *toucher = &sim->rigids.touching->all[side == 0 ? pair->a : pair->b];
        const struct sim_touch_lanes_side *given = &lanes->sides[side];
        if (toucher->w > 0) {
            const double impulse[3] = {given->impulses[0][lane], given->impulses[1][lane],
                                       given->impulses[2][lane]};
            const double torque[3] = {given->torques[0][lane], given->torques[1][lane],
                                      given->torques[2][lane]};
            sim_rigid_move(sim, toucher->rigid, impulse, torque);
            sim_toucher_read(sim, toucher);
        }
    }
}

// Leaves a lane without a pair.
static void lane_clear(struct sim_touch_lanes *lanes, uint32_t lane)
{
    lanes->sides[0].w[lane] = lanes->sides[1].w[lane] = 0;
    for (uint32_t k = 0; k < SIM_TOUCH_LANES_POINTS; k++) {
        lanes->points[k].there[lane] = 0;
    }
}

// Pairs of one level, which have no piece in common that moves.
static void level_meets(struct sim *sim, const uint32_t *pairs, uint32_t count, struct sim_touch_lanes *lanes)
{
    struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t first = 0; first < count; first += lanes->count) {
        lanes->count = count - first < SIM_TOUCH_LANES ? count - first : SIM_TOUCH_LANES;
        for (uint32_t lane = 0; lane < SIM_TOUCH_LANES; lane++) {
            if (lane < lanes->count) {
                lane_fill(lanes, lane, touching, &touching->pairs[pairs[first + lane]]);
            } else {
                lane_clear(lanes, lane);
            }
        }
        // A pair alone gains nothing by wide vectors, whose quotients and roots take longer.
        (lanes->count > 1 ? sim->kernels : sim_kernels_of(SIM_ISA_SCALAR))->touch_lanes(lanes);
        for (uint32_t lane = 0; lane < lanes->count; lane++) {
            if (lanes->moved[lane] > 0) {
                lane_take(sim, lanes, lane, &touching->pairs[pairs[first + lane]]);
            }
        }
    }
}

void sim_rigid_meet(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    struct sim_touch_lanes lanes = {.back = (sim->substep + sim->iteration) % 2 == 0,
                                    .out = V_OUT * (double)sim->times.h};
    if (sim->iteration == 0) {
        sim_touching_find(sim);
    }
    for (uint32_t p = 0; p < sim->rigids.count && sim->iteration > 0; p++) {
        sim_toucher_read(sim, &touching->all[p]);
    }
    for (uint32_t level = 0, first = 0; level < touching->level_count; level++) {
        level_meets(sim, touching->by_level + first, touching->level_ends[level] - first, &lanes);
        first = touching->level_ends[level];
    }
}

// ---------------------------------------------------------------------------------------------------------- velocities

// The way, or speed, of a point across the normal that the deal adds.
static void add_across(const struct sim_touch_pair *pair, const struct deal *deal, const double arms[2][3],
                       double v[3])
{
    double round[2][3];
    for (int side = 0; side < 2; side++) {
        sim_cross(deal->turn[side], arms[side], round[side]);
    }
    for (int axis = 0; axis < 3; axis++) {
        v[axis] += (deal->way[0][axis] + round[0][axis]) - (deal->way[1][axis] + round[1][axis]);
    }
    const double up = sim_dot(v, pair->normal);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] -= up * pair->normal[axis];
    }
}

// Speeds and spins of both sides. That of a collider is part of `ways`: how fast a goes at a point against b, of itself.
static void speeds_read(const struct sim *sim, struct deal *deal)
{
    for (int side = 0; side < 2; side++) {
        const struct sim_rigid *rigid = deal->sides[side]->rigid;
        if (deal->sides[side]->w > 0) {
            const double momentum[3] = {(double)rigid->momentum[0], (double)rigid->momentum[1],
                                        (double)rigid->momentum[2]};
            turned_by(deal->sides[side], momentum, deal->turn[side]);
            for (int axis = 0; axis < 3; axis++) {
                deal->way[side][axis] = (double)sim->velocities[rigid->row].v[axis];
            }
        }
    }
}

// How fast the surface of a collider goes at a point, against which a is held.
static void collider_speed(const struct sim *sim, const struct sim_toucher_now *toucher,
                           const double local[3], double out[3])
{
    const struct sim_shape *shape = toucher->shape;
    double before[3], after[3];
    memset(out, 0, 3 * sizeof *out);
    if (!shape || !shape->carries) {
        return;
    }
    sim_stand_turn(&toucher->start, local, before);
    sim_stand_turn(&toucher->now, local, after);
    for (int axis = 0; axis < 3; axis++) {
        double way = (toucher->now.x[axis] - toucher->start.x[axis]) + (after[axis] - before[axis]);
        if (shape->runs) {
            way += shape->belt[axis] +
                   ((local[0] * shape->belt_turn[0][axis] + local[1] * shape->belt_turn[1][axis]) +
                    local[2] * shape->belt_turn[2][axis]);
        }
        out[axis] = way * (double)sim->times.inv_h;
    }
}

// m/s: what gravity gives in a substep.
static double kick_of(const struct sim *sim)
{
    const float *g = sim->times.kick;
    return __builtin_sqrt(((double)g[0] * (double)g[0] + (double)g[1] * (double)g[1]) +
                          (double)g[2] * (double)g[2]);
}

static double wanted_of(const struct sim_touch_pair *pair, const struct sim_touch_point *point, double kick)
{
    return point->before < -2 * kick ? -pair->restitution * point->before : 0;
}

// Friction of what restitution pushed just now.
static void rub_bounce(const struct sim_touch_pair *pair, struct deal *deal, const double arms[2][3],
                       const double runs[3], double pushed)
{
    double speed[3] = {-runs[0], -runs[1], -runs[2]};
    struct row row;
    add_across(pair, deal, arms, speed);
    const double slip = length_of(speed), most = pair->slides * pushed;
    if (!(slip > 0)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        speed[axis] /= slip;
    }
    row_aim(deal, arms, speed, &row);
    row_weigh(deal, &row);
    const double stops = slip / row.weight;
    give(deal, &row, -(stops < most ? stops : most));
}

static void speeds_give(struct sim *sim, const struct sim_touch_pair *pair, const struct deal *deal)
{
    for (int side = 0; side < 2; side++) {
        struct sim_rigid *rigid = sim->rigids.touching->all[side == 0 ? pair->a : pair->b].rigid;
        for (int axis = 0; deal->sides[side]->w > 0 && axis < 3; axis++) {
            sim->velocities[rigid->row].v[axis] = (float)deal->way[side][axis];
            rigid->momentum[axis] = (float)((double)rigid->momentum[axis] + deal->torques[side][axis]);
        }
    }
}

// Whether any point is to leave at another speed than it has, by more than a little of what gravity gives in a substep.
static bool hurries(const struct sim_touch_pair *pair, const struct deal *deal, const struct row *rows,
                    double runs[][3], const double *wanted, double kick)
{
    const double least = LEAST_BOUNCE * kick;
    bool any = false;
    for (uint32_t k = 0; k < pair->count; k++) {
        const double lacks = wanted[k] - (along(deal, &rows[k]) - sim_dot(runs[k], pair->normal));
        any = any || lacks > least || lacks < -least;
    }
    return any;
}

static void pair_bounces(struct sim *sim, struct sim_touch_pair *pair, double kick, bool back)
{
    struct deal deal = deal_of(sim->rigids.touching, pair);
    double runs[SIM_MANIFOLD_POINTS][3], wanted[SIM_MANIFOLD_POINTS];
    struct row rows[SIM_MANIFOLD_POINTS];
    if (!sim_touch_pushes(pair)) {
        return;
    }
    speeds_read(sim, &deal);
    for (uint32_t k = 0; k < pair->count; k++) {
        row_aim(&deal, pair->points[k].arms, pair->normal, &rows[k]);
        collider_speed(sim, deal.sides[1], pair->points[k].local[1], runs[k]);
        wanted[k] = wanted_of(pair, &pair->points[k], kick);
    }
    if (!hurries(pair, &deal, rows, runs, wanted, kick)) {
        return;
    }
    for (uint32_t k = 0; k < pair->count; k++) {
        row_weigh(&deal, &rows[k]);
    }
    for (uint32_t round = 0; round < (pair->count > 1 ? ROUNDS : 1); round++) {
        for (uint32_t i = 0; i < pair->count; i++) {
            const uint32_t k = turn_of_point(pair, i, (round % 2 == 1) != back);
            struct sim_touch_point *point = &pair->points[k];
            if (!(point->pushed > 0)) {
                continue;
            }
            const double least = -point->pushed * (double)sim->times.inv_h;
            const double v = along(&deal, &rows[k]) - sim_dot(runs[k], pair->normal);
            const double total = point->bounced + (wanted[k] - v) / rows[k].weight;
            const double kept = total > least ? total : least, more = kept - point->bounced;
            point->bounced = kept;
            give(&deal, &rows[k], more);
            if (more > 0 && wanted[k] > 0) {
                rub_bounce(pair, &deal, point->arms, runs[k], more);
            }
        }
    }
    speeds_give(sim, pair, &deal);
}

// A sleeper that was pushed moves from the next substep on.
static void sleepers_wake(struct sim *sim)
{
    const struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t i = 0; sim->awake_count < sim->body_count && i < touching->pair_count; i++) {
        const struct sim_touch_pair *pair = &touching->pairs[touching->sequence[i]];
        for (uint32_t side = 0; side < 2 && sim_touch_pushes(pair); side++) {
            const uint32_t at = side == 0 ? pair->a : pair->b;
            struct sim_body *body =
                at < sim->rigids.count ? sim_body_of_row(sim, sim->rigids.items[at].row) : NULL;
            if (body && body->asleep) {
                sim_meet_wake(sim, body);
            }
        }
    }
}

void sim_rigid_bounce(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    const bool back = sim->substep % 2 == 0;
    const double kick = kick_of(sim);
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        sim_toucher_read(sim, &touching->all[p]);
    }
    sim_touching_rest(sim);
    for (uint32_t i = 0; i < touching->pair_count; i++) {
        pair_bounces(sim, &touching->pairs[touching->sequence[i]], kick, back);
    }
    sleepers_wake(sim);
    sim_touching_start(sim);
}
