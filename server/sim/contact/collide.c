// Pushes features out of colliders. A point p = sum c x of a feature that touches is held to the plane that it touched:
//
//   phi = n . p,  phi0 = n . p when the substep began, each as a distance from the collider
//   depth = r - phi + min(0, phi0 - r + h v_out)         as of a particle
//   W = sum w c^2;  lambda = depth / W
//   s = way of p against the material, pushed;  t = s - (s.n) n;  f = min(|t|, mu depth) / W
//   mu: as of a particle, that of what slides if |t| > 4 mu depth + 1 quantum
//   x_i += w_i c_i (lambda n - f t/|t|)
//
// With a restitution velocities follow (bounce.c).
//
// If only a corner of small c is free, W counts as a quarter of the greatest w |c| at least, as between features (push.c).
// The rest that rounding leaves goes to the velocity.
//
// A body's features are pushed one after the other, those of a block as they were found: p has moved since, its normal stays.

#include "sim/contact/collide.h"

#include "base/parallel.h"
#include "sim/contact/bounce.h"
#include "sim/contact/core.h"
#include "sim/contact/meet.h"
#include "sim/contact/touch_field.h"
#include "sim/ground/vector.h"
#include "sim/state/rub.h"

#include <math.h>

// --------------------------------------------------------------------------------------------------- pushing

struct pushing {
    struct sim *sim;
    const struct sim_body *body;
    struct sim_toucher toucher;
    struct sim_touch_origin origin;
    const struct sim_collide_kernels *kernels;
    double restitution;     // the greater one of the body and the collider
    uint8_t *unsettled;     // by row (meet.h); NULL: no other sweep comes
    sim_collide_told *told; // is told of what touches, and nothing is pushed; NULL: it is pushed
    void *context;
};

void sim_rows_move(struct sim *sim, const uint32_t rows[3], const double c[3], uint32_t count,
                   const double way[3])
{
    for (uint32_t k = 0; k < count; k++) {
        struct sim_row *row = &sim->rows[rows[k]];
        double takes = (double)row->w * c[k];
        for (int axis = 0; axis < 3 && row->w > 0; axis++) {
            double exact = takes * way[axis], whole = rint(exact);
            row->x[axis] = sim_wrap_add(row->x[axis], (int32_t)whole);
            sim->velocities[rows[k]].v[axis] += (float)(exact - whole) * sim->times.q_over_h;
        }
    }
}

void sim_belt_subtract(const struct sim_shape *shape, const struct sim_touches *touches, uint32_t lane,
                       double s[3])
{
    const double at[3] = {touches->at[0][lane], touches->at[1][lane], touches->at[2][lane]};
    for (int axis = 0; axis < 3; axis++) {
        s[axis] -= shape->belt[axis];
    }
    for (int i = 0; i < 3; i++) {
        const double local = sim_dot(at, shape->end.axes[i]);
        for (int axis = 0; axis < 3; axis++) {
            s[axis] -= local * shape->belt_turn[i][axis];
        }
    }
}

// Moves a point by a push, m for each unit of w c, and lets it bounce. gone: how far it has gone against the material, m.
static void push_and_bounce(const struct pushing *pushing, const struct sim_touches *touches, uint32_t lane,
                            struct sim_bounce *bounce, const double gone[3], const double way[3])
{
    sim_bounce_comes(pushing->sim, gone, bounce);
    if (pushing->toucher.shape.runs) {
        sim_belt_subtract(&pushing->toucher.shape, touches, lane, bounce->belt);
    }
    for (int axis = 0; axis < 3; axis++) {
        bounce->belt[axis] *= -(double)pushing->sim->times.inv_h;
    }
    sim_rows_move(pushing->sim, bounce->rows, bounce->c, bounce->count, way);
    sim_bounce_take(pushing->sim, bounce, 1);
}

static void push(const struct pushing *pushing, const struct sim_touches *touches, uint32_t lane,
                 const uint32_t rows[3], uint32_t count)
{
    const struct sim_toucher *t = &pushing->toucher;
    const struct sim *sim = pushing->sim;
    const double c[3] = {(1 - touches->c[0][lane]) - touches->c[1][lane], touches->c[0][lane],
                         touches->c[1][lane]};
    double n[3], s[3], moved[3], weight = 0, greatest = 0;
    for (int axis = 0; axis < 3; axis++) {
        double p = 0;
        for (uint32_t k = 0; k < count; k++) {
            p += c[k] * (double)sim_wrap_sub(sim->rows[rows[k]].x[axis], pushing->origin.low[axis]);
        }
        n[axis] = touches->normal[axis][lane];
        moved[axis] = (p + pushing->origin.end[axis]) * t->q - touches->at[axis][lane];
    }
    for (uint32_t k = 0; k < count; k++) {
        double w = (double)sim->rows[rows[k]].w;
        weight += w * c[k] * c[k];
        greatest = w * fabs(c[k]) > greatest ? w * fabs(c[k]) : greatest;
    }
    weight = weight > 0.25 * greatest ? weight : 0.25 * greatest;
    double old = (touches->before[lane] - t->thickness) + (double)sim->times.v_out * t->q;
    double depth = t->thickness - (touches->phi[lane] + sim_dot(n, moved)) + (old < 0 ? old : 0);
    if (!(depth > 0) || !(weight > 0)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        s[axis] = touches->way[axis][lane] + moved[axis] + depth * n[axis];
    }
    if (t->shape.runs) {
        sim_belt_subtract(&t->shape, touches, lane, s);
    }
    double along = sim_dot(s, n), way[3];
    for (int axis = 0; axis < 3; axis++) {
        s[axis] -= along * n[axis];
    }
    double slide = sqrt(sim_dot(s, s)), holds = (double)t->shape.friction * depth;
    holds = slide > SIM_STICKS * holds + t->q ? (double)t->shape.slides * depth : holds;
    double share = slide > 0 ? (slide < holds ? slide : holds) / slide : 0;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (depth * n[axis] - share * s[axis]) / weight * sim->inv_q;
    }
    for (uint32_t k = 0; k < count && pushing->unsettled; k++) {
        pushing->unsettled[rows[k]] |= SIM_ROW_PUSHED;
    }
    if (!(pushing->restitution > 0)) {
        sim_rows_move(pushing->sim, rows, c, count, way);
        return;
    }
    struct sim_bounce bounce = {.rows = rows,
                                .c = c,
                                .n = n,
                                .count = count,
                                .e = pushing->restitution,
                                .weight = weight,
                                .friction = (double)t->shape.friction,
                                .slides = (double)t->shape.slides};
    const double gone[3] = {touches->way[0][lane] + moved[0], touches->way[1][lane] + moved[1],
                            touches->way[2][lane] + moved[2]};
    push_and_bounce(pushing, touches, lane, &bounce, gone, way);
}

// Pushes those of SIM_LANES features that touch. Returns whether any did. corners: rows from the body's first one; SIM_NO_FEATURE in
// empty lanes.
static bool block_push(const struct pushing *pushing, const uint32_t corners[3][SIM_LANES], uint32_t count,
                       enum sim_touch_kind kind, bool fast)
{
    struct sim *sim = pushing->sim;
    const uint32_t first = pushing->body->first_row;
    struct sim_touches touches;
    uint32_t places[3][SIM_LANES], are = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        bool is = corners[0][lane] != SIM_NO_FEATURE;
        are |= (uint32_t)is << lane;
        for (uint32_t k = 0; k < 3; k++) {
            places[k][lane] = is && k < count ? corners[k][lane] * SIM_ROW_BYTES : 0;
        }
    }
    if (are == 0) {
        return false;
    }
    const uint32_t(*of)[SIM_LANES] = (const uint32_t(*)[SIM_LANES])places;
    const struct sim_row *rows = sim->rows + first, *starts = sim->previous + first;
    uint32_t hits;
    if (pushing->toucher.shape.kind == SIM_HEIGHT_FIELD) {
        hits =
            sim_touch_field(&pushing->toucher, &pushing->origin, rows, starts, of, are, kind, fast, &touches);
    } else {
        sim_touch *touch = pushing->kernels->touch[pushing->toucher.shape.kind][kind][fast];
        hits = are & touch(&pushing->toucher, &pushing->origin, rows, starts, of, &touches);
    }
    for (uint32_t left = hits; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), moved[3];
        for (uint32_t k = 0; k < count; k++) {
            moved[k] = first + corners[k][lane];
        }
        if (pushing->told) {
            pushing->told(pushing->context, &pushing->toucher, &touches, lane, moved, count);
        } else {
            push(pushing, &touches, lane, moved, count);
        }
    }
    return hits != 0;
}

// ----------------------------------------------------------------------------------------------------- leaves

static void origin_set(struct pushing *pushing, uint32_t leaf)
{
    const struct sim_balls *balls = &pushing->body->features->balls[leaf / SIM_LANES];
    const struct sim_shape *shape = &pushing->toucher.shape;
    for (int axis = 0; axis < 3; axis++) {
        int64_t middle = balls->middle[axis][leaf % SIM_LANES];
        pushing->origin.low[axis] = (int32_t)(uint32_t)(uint64_t)middle;
        pushing->origin.end[axis] = (double)(middle - shape->end.position[axis]);
        pushing->origin.start[axis] = (double)(middle - shape->start.position[axis]);
    }
}

static void leaf_push_vertices(struct pushing *pushing, uint32_t leaf, bool fast)
{
    const struct sim_features *features = pushing->body->features;
    uint32_t corners[3][SIM_LANES];
    origin_set(pushing, leaf);
    for (uint32_t b = features->vertex_first[leaf]; b < features->vertex_first[leaf + 1]; b++) {
        memcpy(corners[0], features->vertices[b], sizeof corners[0]);
        memcpy(corners[1], features->vertices[b], sizeof corners[1]);
        block_push(pushing, corners, 2, SIM_TOUCH_EDGE, fast);
    }
}

// Points that go slowly are particles' business (kernels/contact.c).
static void leaf_push(struct pushing *pushing, uint32_t leaf, bool fast)
{
    const struct sim_features *features = pushing->body->features;
    uint32_t corners[3][SIM_LANES];
    if (fast && !pushing->told) {
        leaf_push_vertices(pushing, leaf, fast);
    }
    origin_set(pushing, leaf);
    for (uint32_t b = features->edge_first[leaf]; b < features->edge_first[leaf + 1]; b++) {
        memcpy(corners, features->edges[b], sizeof features->edges[b]);
        block_push(pushing, corners, 2, SIM_TOUCH_EDGE, fast);
    }
    sim_leaf_triangles(features, leaf, corners);
    block_push(pushing, corners, 3, SIM_TOUCH_TRIANGLE, fast);
}

// ------------------------------------------------------------------------------------------------------ sweeps

// Bodies meet colliders in several sweeps of a substep if something is pressed. If the rows of a leaf are where they were in the sweep
// before, and colliders pushed none of them in it, they push none of them now. Its ball is the same, too.

// Finds which rows have moved or were pushed since the body began to meet colliders last. again: it did so in this substep.
static void rows_settle(struct sim *sim, const struct sim_body *body, bool again)
{
    struct sim_row *stood = sim->meet->stood;
    uint8_t *unsettled = sim->meet->unsettled;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        const int32_t *x = sim->rows[row].x, *was = stood[row].x;
        const bool stands = again && (unsettled[row] & SIM_ROW_PUSHED) == 0 && x[0] == was[0] &&
                            x[1] == was[1] && x[2] == was[2];
        unsettled[row] = stands ? 0 : SIM_ROW_MOVED;
        stood[row] = sim->rows[row];
    }
}

static bool leaf_stands(const struct pushing *pushing, uint32_t leaf)
{
    const struct sim_features *features = pushing->body->features;
    const uint32_t end = (leaf + 1) * SIM_LANES < features->count ? (leaf + 1) * SIM_LANES : features->count;
    const uint8_t *unsettled = pushing->unsettled + pushing->body->first_row;
    uint8_t any = 0;
    for (uint32_t e = leaf * SIM_LANES; e < end && any == 0; e++) {
        const uint32_t *rows = features->corners[e];
        any = unsettled[rows[0]] | unsettled[rows[1]] | unsettled[rows[2]];
    }
    return any == 0;
}

// Finds which leaves stand. again: as of rows_settle.
static void leaves_settle(const struct pushing *pushing, bool again)
{
    const struct sim_features *features = pushing->body->features;
    for (uint32_t from = 0; from < features->leaf_count; from += SIM_LANES) {
        uint32_t stand = 0;
        for (uint32_t lane = 0; lane < SIM_LANES && again; lane++) {
            stand |= (uint32_t)leaf_stands(pushing, from + lane) << lane;
        }
        features->balls[from / SIM_LANES].stand = stand;
    }
}

// ------------------------------------------------------------------------------------------------ height fields

enum { VAIN_MOST = 24 }; // searches that find nothing, and cost as much as a leaf that is measured again

// Leaves out what cannot touch if its corners went so far. Returns how many features are left.
static uint32_t sieve(uint32_t rows[SIM_LANES], const float slack[SIM_LANES], double went)
{
    const float least = (float)(went * (1 + 0x1p-20));
    uint32_t left = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        rows[lane] = least < slack[lane] ? SIM_NO_FEATURE : rows[lane];
        left += rows[lane] != SIM_NO_FEATURE;
    }
    return left;
}

// As leaf_push of a leaf that goes slowly, without what is clear of all height fields.
static void measured_push(struct pushing *pushing, uint32_t leaf, double went)
{
    const struct sim_features *features = pushing->body->features;
    struct sim_clear *clear = &features->clears->leaves[leaf];
    const uint32_t first = features->edge_first[leaf];
    uint32_t corners[3][SIM_LANES], searched = 0;
    origin_set(pushing, leaf);
    for (uint32_t b = first; b < features->edge_first[leaf + 1]; b++) {
        memcpy(corners, features->edges[b], sizeof features->edges[b]);
        searched += sieve(corners[0], clear->edges[b - first], went);
        if (block_push(pushing, corners, 2, SIM_TOUCH_EDGE, false)) {
            went = sim_clear_went(pushing->sim, pushing->body, leaf);
        }
    }
    sim_leaf_triangles(features, leaf, corners);
    searched += sieve(corners[0], clear->triangles, went);
    block_push(pushing, corners, 3, SIM_TOUCH_TRIANGLE, false);
    clear->vain += searched > clear->idle ? searched - clear->idle : 0;
}

static void leaf_meets_field(struct pushing *pushing, uint32_t leaf)
{
    const struct sim_features *features = pushing->body->features;
    const struct sim_balls *balls = &features->balls[leaf / SIM_LANES];
    const struct sim_clear *clear = &features->clears->leaves[leaf];
    const uint32_t lane = leaf % SIM_LANES;
    if (balls->radius[lane] < 0) {
        return;
    }
    bool fast = sim_field_fast(&pushing->toucher, balls, lane);
    double went = 0;
    if (fast || !clear->measured || clear->vain > VAIN_MOST ||
        !((went = sim_clear_went(pushing->sim, pushing->body, leaf)) < (double)clear->most)) {
        if (!sim_field_near(&pushing->toucher, balls, lane, fast)) {
            return;
        }
        if (fast) {
            leaf_push(pushing, leaf, true);
            return;
        }
        sim_clear_measure(pushing->sim, pushing->body, leaf, balls->way[lane]);
        went = 0;
    }
    if (!(went < (double)clear->least)) {
        measured_push(pushing, leaf, went);
    }
}

// -------------------------------------------------------------------------------------------------- bodies

void sim_toucher_from(const struct sim *sim, const struct sim_shape *shape, double thickness,
                      struct sim_toucher *toucher)
{
    *toucher = (struct sim_toucher){
        .shape = *shape, .q = sim->q, .thickness = thickness, .inner = sim_inner_of(shape)};
    double way[3], spin = 0;
    for (int axis = 0; axis < 3; axis++) {
        way[axis] = (double)(shape->end.position[axis] - shape->start.position[axis]) * sim->q;
        for (int i = 0; i < 3; i++) {
            double turns = shape->end.axes[i][axis] - shape->start.axes[i][axis];
            spin += turns * turns;
            for (int from = 0; from < 3; from++) {
                toucher->turn[axis][from] += shape->end.axes[i][axis] * shape->start.axes[i][from];
            }
        }
    }
    for (int i = 0; shape->hull && i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            toucher->middle[axis] += shape->hull->middle[i] * shape->end.axes[i][axis];
        }
    }
    toucher->way = sqrt(sim_dot(way, way));
    toucher->spin = sqrt(spin);
}

// The collider at hand, with the coefficients that it has for the body.
static void collider_take(struct pushing *pushing, const struct sim_shape *shape, double margin)
{
    const struct sim_rub rub = sim_rub_of_shape(pushing->sim, pushing->body, shape);
    sim_toucher_from(pushing->sim, shape, pushing->body->thickness + margin, &pushing->toucher);
    pushing->toucher.shape.friction = (float)rub.holds;
    pushing->toucher.shape.slides = (float)rub.slides;
    pushing->restitution = rub.restitution;
}

static bool is_pressed(const struct sim *sim, uint32_t member)
{
    const struct sim_meet *meet = sim->meet;
    const uint32_t island = meet->members[member].island;
    return island < meet->island_count && meet->islands[island].pressed;
}

// A leaf that stood when the sweep began stands no more if something has pushed its rows since.
static void leaves_meet(struct pushing *pushing, uint32_t from, bool sweeps)
{
    const struct sim_balls *balls = &pushing->body->features->balls[from / SIM_LANES];
    uint32_t fast, near = pushing->kernels->near(&pushing->toucher, balls, &fast);
    for (; near != 0; near &= near - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(near);
        const bool stood = sweeps && (balls->stand >> lane & 1) != 0;
        if (!stood || !leaf_stands(pushing, from + lane)) {
            leaf_push(pushing, from + lane, (fast >> lane & 1) != 0);
        }
    }
}

static void body_meets(struct sim *sim, uint32_t index, bool again)
{
    struct sim_member *member = &sim->meet->members[index];
    const struct sim_body *body = member->body;
    const bool sweeps = is_pressed(sim, index) && !sim->meet->thorough, knows = again && member->swept;
    struct pushing pushing = {.sim = sim,
                              .body = body,
                              .kernels = sim->meet->colliders,
                              .unsettled = sweeps ? sim->meet->unsettled : NULL};
    if (!member->free) {
        return;
    }
    member->swept = sweeps;
    if (sweeps) {
        rows_settle(sim, body, knows);
        leaves_settle(&pushing, knows);
    }
    // Rigid pieces make balls as well, between the sweeps.
    pushing.kernels->balls(sim->rows + body->first_row, sim->previous + body->first_row,
                           (const int64_t(*)[3])(sim->positions + body->first_row), sim->q,
                           sweeps && knows && sim->rigids.count == 0, body->features);
    sim_clear_begin(sim, body);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        if (sim->shapes[s].kind == SIM_PLANE) {
            continue;
        }
        collider_take(&pushing, &sim->shapes[s], 0);
        if (sim->shapes[s].kind == SIM_HEIGHT_FIELD) {
            for (uint32_t leaf = 0; leaf < body->features->leaf_count; leaf++) {
                leaf_meets_field(&pushing, leaf);
            }
            continue;
        }
        for (uint32_t from = 0; from < body->features->leaf_count; from += SIM_LANES) {
            leaves_meet(&pushing, from, sweeps);
        }
    }
}

static void body_task(void *context, uint32_t member)
{
    body_meets(context, member, false);
}

static void pressed_body_task(void *context, uint32_t member)
{
    if (is_pressed(context, member)) {
        body_meets(context, member, true);
    }
}

// Leaves that may touch a collider: their particles, or their edges and triangles.
static void tell_shape(struct pushing *pushing, bool vertices)
{
    const struct sim_features *features = pushing->body->features;
    const bool field = pushing->toucher.shape.kind == SIM_HEIGHT_FIELD;
    for (uint32_t leaf = 0; leaf < features->leaf_count; leaf++) {
        const struct sim_balls *balls = &features->balls[leaf / SIM_LANES];
        const uint32_t lane = leaf % SIM_LANES;
        uint32_t fasts = 0;
        bool fast = false, near = false;
        if (!field) {
            near = (pushing->kernels->near(&pushing->toucher, balls, &fasts) >> lane & 1) != 0;
            fast = (fasts >> lane & 1) != 0;
        } else if (!(balls->radius[lane] < 0)) {
            fast = sim_field_fast(&pushing->toucher, balls, lane);
            near = sim_field_near(&pushing->toucher, balls, lane, fast);
        }
        if (near && vertices) {
            leaf_push_vertices(pushing, leaf, true); // only what goes fast is looked for at its ends
        } else if (near) {
            leaf_push(pushing, leaf, fast);
        }
    }
}

void sim_collide_tell(struct sim *sim, const struct sim_body *body, double margin,
                      void (*begins)(void *context, const struct sim_shape *shape), sim_collide_told *told,
                      void *context)
{
    struct pushing pushing = {
        .sim = sim, .body = body, .kernels = sim->meet->colliders, .told = told, .context = context};
    pushing.kernels->balls(sim->rows + body->first_row, sim->previous + body->first_row,
                           (const int64_t(*)[3])(sim->positions + body->first_row), sim->q, false,
                           body->features);
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        begins(context, &sim->shapes[s]);
        if (sim->shapes[s].kind != SIM_PLANE) {
            collider_take(&pushing, &sim->shapes[s], margin);
            tell_shape(&pushing, true);
            tell_shape(&pushing, false);
        }
    }
}

void sim_collide(struct sim *sim, bool only_pressed, struct base_parallel *parallel)
{
    uint32_t bodies = sim->meet->member_count;
    bool any = false;
    void (*const task)(void *, uint32_t) = only_pressed ? pressed_body_task : body_task;
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        any |= sim->shapes[s].kind != SIM_PLANE;
    }
    if (!any) {
        return;
    }
    if (parallel && bodies > 1) {
        parallel->run(parallel, bodies, task, sim);
        return;
    }
    for (uint32_t m = 0; m < bodies; m++) {
        task(sim, m);
    }
}
