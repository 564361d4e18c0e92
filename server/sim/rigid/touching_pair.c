// Finds the points of a pair at which it touches, and what friction has left of its sliding: touching.h says how.

#include "sim/rigid/touching.h"

#include "sim/contact/meet.h"
#include "sim/ground/ground.h"
#include "sim/ground/vector.h"
#include "sim/state/rub.h"

#include <string.h>

enum { ADVANCES = 32 };

#define CALM 0.25  // of the radius of the ball inside: what goes farther in a substep is followed
#define NEAR 0.01  // of it: so near is touching, on the way
#define MORE 1.25  // of a way: how far away a pair is looked at
#define SLACK 0.01 // of the radius of the ball inside: and so much beyond
#define SAME 0.1   // of it: a point no farther from one of the substep before is the same
#define HELD 0.99  // of what friction may push: what takes more slides

// The place at a part of the way from start to now.
static void stand_between(const struct sim_toucher_now *toucher, double part, struct sim_stand *out)
{
    const struct sim_stand *a = &toucher->start, *b = &toucher->now;
    for (int axis = 0; axis < 3; axis++) {
        out->x[axis] = a->x[axis] + part * (b->x[axis] - a->x[axis]);
    }
    if (toucher->shape) { // axes of colliders are not made of length 1 again: NEAR is for that
        for (int i = 0; i < 9; i++) {
            const double from = a->axes[i / 3][i % 3];
            out->axes[i / 3][i % 3] = from + part * (b->axes[i / 3][i % 3] - from);
        }
        return;
    }
    double sign = 0, length2 = 0;
    for (int i = 0; i < 4; i++) {
        sign += a->q[i] * b->q[i];
    }
    for (int i = 0; i < 4; i++) {
        out->q[i] = a->q[i] + part * ((sign < 0 ? -b->q[i] : b->q[i]) - a->q[i]);
        length2 += out->q[i] * out->q[i];
    }
    const double scale = 1 / __builtin_sqrt(length2);
    for (int i = 0; i < 4; i++) {
        out->q[i] *= scale;
    }
    sim_axes_of(out->q, out->axes);
}

static double length_of(const double v[3])
{
    return __builtin_sqrt(sim_dot(v, v));
}

// How far, at most, a point of one comes nearer to the other by turning.
static double turns_by(const struct sim_toucher_now *toucher, double reach)
{
    double most2 = 0;
    if (toucher->proxy.form == SIM_PROXY_SPHERE) {
        return 0; // what turns about its middle comes no nearer
    }
    for (int i = 0; i < 3; i++) {
        double way[3];
        for (int axis = 0; axis < 3; axis++) {
            way[axis] = toucher->now.axes[i][axis] - toucher->start.axes[i][axis];
        }
        const double way2 = sim_dot(way, way);
        most2 = way2 > most2 ? way2 : most2;
    }
    // The axis that moves most moves by at least sqrt(2/3) of the chord of the whole turn.
    return most2 > 0 ? 1.23 * __builtin_sqrt(most2) * reach : 0;
}

// Finds the place at which the pair first comes near on its way. False if it does not.
static bool advance(const struct sim_toucher_now *a, const struct sim_toucher_now *b, const double way[3],
                    double turning, double near, struct sim_proxy *at_a, struct sim_proxy *at_b,
                    struct sim_stand stands[2], struct sim_manifold *manifold)
{
    const double all = length_of(way) + turning;
    double part = 0;
    for (int i = 0; i < ADVANCES; i++) {
        stand_between(a, part, &stands[0]);
        stand_between(b, part, &stands[1]);
        sim_proxy_place(at_a, &stands[0]);
        sim_proxy_place(at_b, &stands[1]);
        if (!sim_manifold_find(at_a, at_b, all * (1 - part) + near, manifold)) {
            return false;
        }
        double gap = manifold->gap[0];
        for (uint32_t k = 1; k < manifold->count; k++) {
            gap = manifold->gap[k] < gap ? manifold->gap[k] : gap;
        }
        if (gap <= near) {
            return true;
        }
        const double closing = turning - sim_dot(way, manifold->normal);
        if (!(closing > 0)) {
            return false;
        }
        part += (gap - 0.5 * near) / closing;
        if (part >= 1) {
            return false;
        }
    }
    return true;
}

static void local_of(const struct sim_stand *stand, const double p[3], double out[3])
{
    const double from[3] = {p[0] - stand->x[0], p[1] - stand->x[1], p[2] - stand->x[2]};
    for (int i = 0; i < 3; i++) {
        out[i] = sim_dot(stand->axes[i], from);
    }
}

static void world_of(const struct sim_stand *stand, const double local[3], double out[3])
{
    sim_stand_turn(stand, local, out);
    for (int axis = 0; axis < 3; axis++) {
        out[axis] += stand->x[axis];
    }
}

// How far the surface of a collider that runs goes at a point, m.
static void belt_at(const struct sim_shape *shape, const double local[3], double way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = shape->belt[axis] +
                    ((local[0] * shape->belt_turn[0][axis] + local[1] * shape->belt_turn[1][axis]) +
                     local[2] * shape->belt_turn[2][axis]);
    }
}

static double speed_at(const struct sim_toucher_now *toucher, const double at[3], const double n[3],
                       double inv_h)
{
    double arm[3], round[3], sum = 0;
    if (toucher->shape) {
        double local[3], end[3];
        local_of(&toucher->start, at, local);
        world_of(&toucher->now, local, end);
        for (int axis = 0; axis < 3; axis++) {
            sum += n[axis] * (end[axis] - at[axis]) * inv_h;
        }
        return sum;
    }
    for (int axis = 0; axis < 3; axis++) {
        arm[axis] = at[axis] - toucher->start.x[axis];
    }
    sim_cross(toucher->spin, arm, round);
    return sim_dot(toucher->speed, n) + sim_dot(round, n);
}

// Fills in a point that was found where the stands are.
static void point_set(const struct sim *sim, const struct sim_touch_pair *pair,
                      const struct sim_stand stands[2], const struct sim_manifold *manifold, uint32_t at,
                      struct sim_touch_point *point)
{
    const struct sim_touching *touching = sim->rigids.touching;
    const struct sim_toucher_now *sides[2] = {&touching->all[pair->a], &touching->all[pair->b]};
    double starts[2][3];
    *point = (struct sim_touch_point){.start = 0};
    for (int side = 0; side < 2; side++) {
        const double *on = side == 0 ? manifold->on_a[at] : manifold->on_b[at];
        const double sign = side == 0 ? manifold->radii[0] : -manifold->radii[1];
        double core[3];
        for (int axis = 0; axis < 3; axis++) {
            core[axis] = on[axis] + sign * manifold->normal[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            point->arms[side][axis] =
                0.5 * (manifold->on_a[at][axis] + manifold->on_b[at][axis]) - stands[side].x[axis];
        }
        local_of(&stands[side], on, point->local[side]);
        local_of(&stands[side], core, point->core[side]);
        world_of(&sides[side]->start, point->local[side], starts[side]);
        const double speed = speed_at(sides[side], starts[side], pair->normal, (double)sim->times.inv_h);
        point->before += side == 0 ? speed : -speed;
    }
    for (int axis = 0; axis < 3; axis++) {
        point->between[axis] = starts[0][axis] - starts[1][axis];
    }
    const double gap = sim_dot(point->between, pair->normal);
    point->start = gap < 0 ? gap : 0;
    if (sides[1]->shape && sides[1]->shape->runs) {
        double way[3];
        belt_at(sides[1]->shape, point->local[1], way);
        for (int axis = 0; axis < 3; axis++) {
            point->between[axis] += way[axis];
        }
    }
}

// Takes over what friction left at the point that is nearest to this one.
static void rest_take(const struct sim_touching *touching, const struct sim_touch_pair *pair,
                      struct sim_touch_point *point)
{
    const double near = touching->all[pair->a].inner < touching->all[pair->b].inner
                            ? touching->all[pair->a].inner
                            : touching->all[pair->b].inner;
    double best2 = SAME * SAME * near * near;
    const double *slid = NULL;
    for (uint32_t r = touching->all[pair->a].rest; r != 0; r = touching->rests[r - 1].next) {
        const struct sim_touch_rest *rest = &touching->rests[r - 1];
        for (uint32_t k = 0; rest->b == pair->b && k < rest->count; k++) {
            double way[3];
            for (int axis = 0; axis < 3; axis++) {
                way[axis] = point->local[0][axis] - rest->local[k][axis];
            }
            const double way2 = sim_dot(way, way);
            if (way2 < best2) {
                best2 = way2;
                slid = rest->slid[k];
            }
        }
    }
    for (int axis = 0; slid && axis < 3; axis++) {
        point->between[axis] -= slid[axis];
    }
}

void sim_touch_slid(const struct sim_toucher_now *a, const struct sim_toucher_now *b, const double n[3],
                    const struct sim_touch_point *point, double slid[3])
{
    double own[2][3];
    sim_stand_turn(&a->now, point->local[0], own[0]);
    sim_stand_turn(&b->now, point->local[1], own[1]);
    for (int axis = 0; axis < 3; axis++) {
        slid[axis] =
            (a->now.x[axis] - b->now.x[axis]) + ((own[0][axis] - own[1][axis]) - point->between[axis]);
    }
    const double up = sim_dot(slid, n);
    for (int axis = 0; axis < 3; axis++) {
        slid[axis] -= up * n[axis];
    }
}

void sim_touching_rest(struct sim *sim)
{
    struct sim_touching *touching = sim->rigids.touching;
    for (uint32_t p = 0; p < sim->rigids.count; p++) {
        touching->all[p].rest = 0;
    }
    touching->rest_count = 0;
    for (uint32_t i = 0; i < touching->pair_count; i++) {
        const struct sim_touch_pair *pair = &touching->pairs[i];
        struct sim_touch_rest *rest = &touching->rests[touching->rest_count];
        *rest = (struct sim_touch_rest){.a = pair->a, .b = pair->b, .next = touching->all[pair->a].rest};
        for (uint32_t k = 0; k < pair->count; k++) {
            const struct sim_touch_point *point = &pair->points[k];
            if (length_of(point->rubbed) < HELD * pair->holds * point->pushed) {
                memcpy(rest->local[rest->count], point->local[0], sizeof rest->local[0]);
                sim_touch_slid(&touching->all[pair->a], &touching->all[pair->b], pair->normal, point,
                               rest->slid[rest->count++]);
            }
        }
        if (rest->count > 0) {
            touching->all[pair->a].rest = ++touching->rest_count;
        }
    }
}

static void rubs_set(const struct sim *sim, const struct sim_toucher_now *a, const struct sim_toucher_now *b,
                     struct sim_touch_pair *pair)
{
    const struct sim_rub rub =
        b->shape ? sim_rub_of_shape(sim, a->body, b->shape) : sim_rub_of_bodies(sim, a->body, b->body);
    pair->holds = rub.holds;
    pair->slides = rub.slides;
    pair->restitution = rub.restitution;
}

// Wakes what sleeps if the other one is about to push it. It has not set out in this substep, but is pushed in it: else the push would be lost.
static void wake_hit(struct sim *sim, struct sim_toucher_now *toucher)
{
    if (toucher->body && toucher->body->asleep) {
        sim_meet_wake(sim, sim_body_of_row(sim, toucher->rigid->row));
        for (uint32_t p = 0; p < sim->rigids.count; p++) {
            struct sim_toucher_now *piece = &sim->rigids.touching->all[p];
            if (piece->body == toucher->body) {
                sim_toucher_read(sim, piece);
            }
        }
    }
}

static bool closes(const struct sim_manifold *manifold, const double way[3])
{
    const double along = sim_dot(way, manifold->normal);
    bool any = false;
    for (uint32_t k = 0; k < manifold->count; k++) {
        any = any || manifold->gap[k] + along < 0;
    }
    return any;
}

static bool is_full(const struct sim_touching *touching)
{
    return touching->pair_count == touching->pair_capacity ||
           touching->pair_count == touching->sequence_capacity;
}

// Notes a pair of pieces or of a piece and a collider, which touch where the stands are.
static void pair_note(struct sim *sim, uint32_t a, uint32_t b, const struct sim_stand stands[2],
                      const struct sim_manifold *manifold)
{
    struct sim_touching *touching = sim->rigids.touching;
    if (is_full(touching)) {
        touching->left_out++;
        return;
    }
    struct sim_touch_pair *pair = &touching->pairs[touching->pair_count++];
    pair->a = a;
    pair->b = b;
    pair->count = manifold->count;
    memcpy(pair->normal, manifold->normal, sizeof pair->normal);
    pair->radii = manifold->radii[0] + manifold->radii[1];
    const double kick[3] = {(double)sim->times.kick[0], (double)sim->times.kick[1],
                            (double)sim->times.kick[2]};
    pair->height = -sim_dot(kick, manifold->on_b[0]);
    rubs_set(sim, &touching->all[a], &touching->all[b], pair);
    for (uint32_t k = 0; k < manifold->count; k++) {
        point_set(sim, pair, stands, manifold, k, &pair->points[k]);
        rest_take(touching, pair, &pair->points[k]);
    }
}

static uint32_t manifolds_find(const struct sim_proxy *a, const struct sim_proxy *b, double margin,
                               struct sim_manifold manifolds[SIM_COMPOUND_MANIFOLDS])
{
    return a->compound || b->compound ? sim_manifold_compound(a, b, margin, manifolds)
                                      : sim_manifold_field(a, b, margin, manifolds);
}

// Finds where a piece touches a height field, or a compound something: where both stand, or along the way of a fast one, by as much at
// a time as keeps it apart.
static uint32_t many_find(const struct sim_toucher_now *a, const struct sim_toucher_now *b,
                          const double way[3], double turning, double inner, struct sim_proxy *at_a,
                          struct sim_proxy *at_b, struct sim_stand stands[2],
                          struct sim_manifold manifolds[SIM_COMPOUND_MANIFOLDS])
{
    const double all = length_of(way) + turning, near = NEAR * inner;
    double part = 0;
    if (all <= CALM * inner) {
        return manifolds_find(at_a, at_b, MORE * all + SLACK * inner, manifolds);
    }
    for (int i = 0; i < ADVANCES; i++) {
        stand_between(a, part, &stands[0]);
        stand_between(b, part, &stands[1]);
        sim_proxy_place(at_a, &stands[0]);
        sim_proxy_place(at_b, &stands[1]);
        const uint32_t count = manifolds_find(at_a, at_b, all * (1 - part) + near, manifolds);
        double gap = count > 0 ? manifolds[0].gap[0] : 0;
        for (uint32_t k = 1; count > 0 && k < manifolds[0].count; k++) {
            gap = manifolds[0].gap[k] < gap ? manifolds[0].gap[k] : gap;
        }
        if (count == 0 || gap <= near) {
            return count;
        }
        part += (gap - 0.5 * near) / all;
        if (part >= 1) {
            return 0;
        }
    }
    return manifolds_find(at_a, at_b, near, manifolds);
}

void sim_touching_look(struct sim *sim, uint32_t a, uint32_t b)
{
    struct sim_touching *touching = sim->rigids.touching;
    const struct sim_toucher_now *one = &touching->all[a], *other = &touching->all[b];
    struct sim_stand stands[2] = {one->start, other->start};
    struct sim_proxy at_a = one->proxy, at_b = other->proxy;
    struct sim_manifold manifolds[SIM_COMPOUND_MANIFOLDS];
    double way[3];
    if (is_full(touching)) {
        touching->left_out++;
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (one->now.x[axis] - one->start.x[axis]) - (other->now.x[axis] - other->start.x[axis]);
    }
    // A collider that turns moves what is at the piece, however far that is from its middle.
    double arm = other->reach;
    if (other->shape) {
        double from[3];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = one->start.x[axis] - other->start.x[axis];
        }
        arm = length_of(from) + one->reach;
    }
    const double turning = turns_by(one, one->reach) + turns_by(other, arm), all = length_of(way) + turning;
    const double inner = one->inner < other->inner ? one->inner : other->inner;
    uint32_t count = 1;
    if (one->proxy.compound || other->proxy.compound || other->proxy.form == SIM_PROXY_FIELD) {
        count = many_find(one, other, way, turning, inner, &at_a, &at_b, stands, manifolds);
    } else if (all <= CALM * inner) {
        count = sim_manifold_find(&at_a, &at_b, MORE * all + SLACK * inner, &manifolds[0]);
    } else {
        count = advance(one, other, way, turning, NEAR * inner, &at_a, &at_b, stands, &manifolds[0]);
    }
    for (uint32_t m = 0; m < count; m++) {
        if (sim->awake_count < sim->body_count && (all > CALM * inner || closes(&manifolds[m], way))) {
            wake_hit(sim, &touching->all[a]);
            wake_hit(sim, &touching->all[b]);
        }
        if (!one->proxy.compound && !other->proxy.compound) {
            manifolds[m].radii[0] = one->proxy.radius;
            manifolds[m].radii[1] = other->proxy.radius;
        }
        pair_note(sim, a, b, stands, &manifolds[m]);
    }
}
