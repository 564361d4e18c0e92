// Particles that stay outside of colliders.
//
//   phi0 = distance of x at the substep's start to the surface at its pose then
//   phi  = distance of x now to the surface at its pose at the end
//   C = phi - r - min(0, phi0 - r + h v_out)          an old penetration leaves at v_out = 1 m/s at most
//   if C < 0:  d = -C;  D += d;  s = x + d n - x_start - u;  t = s - (s.n) n
//              f = min(|t|, mu D - F);  F += f;  x += d n - f t/|t|
//
// mu is that of what holds while |t| + F <= 4 mu D + 1 quantum, and else that of what slides. So a particle breaks loose at a speed
// of about 3 mu g h. If it did as soon as |t| + F is above mu D, one particle of a block that bears less than its share for a moment
// would set off its neighbours, and rounding would set off what rests on a slope close to mu.
//
// u is the displacement of the collider's material in this substep, so that what lies on it is carried. What a surface runs
// on by, as that of a conveyor, is a part of u.
// Friction acts on positions (Mueller et al. 2020): at the level of velocities a body creeps down a slope
// that must hold it. Push and friction enter the position in one rounding, so that a body at rest stays at
// its place. D and F are those of this substep; with several iterations a particle remembers them for as many
// colliders as it has slots, and further ones start again in each iteration.
//
// Restitution e sets velocities, after positions (Mueller et al. 2020), where the particle comes faster than 2 |g| h + 4 q/h. With
// the speed v0 = -(x_predicted - x_start - u).n/h + h g.n, before gravity of this substep and what it touched:
//
//   p = max(e v0 - v.n, 0);  v += p n;  f = min(|v_t|, mu p);  v -= f v_t/|v_t|
//
// v is what the substep's end makes of the position now, against the material. Positions already had friction for the push. u.n is
// without what the surface runs on by: only the part along it counts.
//
// The rest that rounding leaves of a correction goes to the velocity: with very short substeps friction is less
// than a quantum each time, and would be lost.
//
// Rows that follow each other lie close together. A distance grows no faster than one goes, so where the middle
// of a block of rows is farther from a surface than its corners are from the middle, none of them is looked at.
// Blocks are measured before any collider pushes.
//
// Lanes are rows that follow each other. The rows past a body's last ones belong to others, which may be at work on
// them: a block that is not full is solved in a copy. Colliders come one after the other, and each kind of them has
// loops of its own.

#include "sim/kernels/blocks.h"
#include "sim/state/rub.h"

static const uint32_t side_by_side[SIM_LANES] = {
    0 * SIM_ROW_BYTES,  1 * SIM_ROW_BYTES,  2 * SIM_ROW_BYTES,  3 * SIM_ROW_BYTES,
    4 * SIM_ROW_BYTES,  5 * SIM_ROW_BYTES,  6 * SIM_ROW_BYTES,  7 * SIM_ROW_BYTES,
    8 * SIM_ROW_BYTES,  9 * SIM_ROW_BYTES,  10 * SIM_ROW_BYTES, 11 * SIM_ROW_BYTES,
    12 * SIM_ROW_BYTES, 13 * SIM_ROW_BYTES, 14 * SIM_ROW_BYTES, 15 * SIM_ROW_BYTES};

// The last block of a chunk where it is not full. Rows past its end are like the last one, but static.
struct tail {
    _Alignas(64) struct sim_row x[BLOCK];
    struct sim_row previous[BLOCK], predicted[BLOCK];
    struct sim_velocity velocities[BLOCK];
    int64_t positions[BLOCK][3];
};

static struct rows rows_at(const struct sim *sim, uint32_t row)
{
    return (struct rows){.x = sim->rows + row,
                         .previous = sim->previous + row,
                         .predicted = sim->predicted + row,
                         .velocities = sim->velocities + row,
                         .positions = (const int64_t(*)[3])(sim->positions + row),
                         .contacts = !sim->contacts ? NULL : sim->contacts + row};
}

SIM_INLINE struct rows rows_from(const struct rows *rows, uint32_t i)
{
    return (struct rows){.x = rows->x + i,
                         .previous = rows->previous + i,
                         .predicted = rows->predicted + i,
                         .velocities = rows->velocities + i,
                         .positions = rows->positions + i,
                         .contacts = !rows->contacts ? NULL : rows->contacts + i};
}

static struct rows tail_from(struct tail *tail, struct rows rows, uint32_t count)
{
    for (uint32_t i = 0; i < BLOCK; i++) {
        uint32_t from = i < count ? i : count - 1;
        tail->x[i] = rows.x[from];
        tail->x[i].w = i < count ? rows.x[from].w : 0;
        tail->previous[i] = rows.previous[from];
        tail->predicted[i] = rows.predicted[from];
        tail->velocities[i] = rows.velocities[from];
        memcpy(tail->positions[i], rows.positions[from], sizeof tail->positions[i]);
    }
    return (struct rows){.x = tail->x,
                         .previous = tail->previous,
                         .predicted = tail->predicted,
                         .velocities = tail->velocities,
                         .positions = (const int64_t(*)[3])tail->positions,
                         .contacts = rows.contacts};
}

// --------------------------------------------------------------------------------------------------- rows

// The slot that remembers this contact, a free one, or NULL.
static struct sim_contact *slot_for(struct sim_contact slots[SIM_CONTACT_SLOTS], uint32_t collider)
{
    for (uint32_t s = 0; s < SIM_CONTACT_SLOTS; s++) {
        if (slots[s].collider == collider || slots[s].collider == 0) {
            slots[s].collider = collider;
            return &slots[s];
        }
    }
    return NULL;
}

// D and F of what touches.
struct kept {
    float push[WIDE], slip[WIDE];
    struct sim_contact *slots[WIDE];
};

static void kept_from(struct kept *kept, const struct rows *rows, uint32_t collider, const uint32_t *touches)
{
    for (int lane = 0; lane < WIDE; lane++) {
        kept->slots[lane] = touches[lane] ? slot_for(rows->contacts[lane], collider) : NULL;
        kept->push[lane] = !kept->slots[lane] ? 0 : kept->slots[lane]->push;
        kept->slip[lane] = !kept->slots[lane] ? 0 : kept->slots[lane]->slip;
    }
}

static void kept_put(const struct kept *kept)
{
    for (int lane = 0; lane < WIDE; lane++) {
        if (kept->slots[lane]) {
            kept->slots[lane]->push = kept->push[lane];
            kept->slots[lane]->slip = kept->slip[lane];
        }
    }
}

// Distances and normals of rows, found in double.
struct touching {
    wl start[3][PARTS]; // whole coordinates when the tick began
    wd seen[3][PARTS];  // from the collider at the substep's end, quanta
    wd phi[PARTS];      // m
    wd normal[3][PARTS];
    wdm below[PARTS]; // phi - r < 0: the others are left alone
    wd depth[PARTS];  // quanta
    wd way[3][PARTS]; // since the substep began, against the material, quanta
};

SIM_INLINE struct wd_vec in_metres(struct wd_vec d, double q)
{
    return (struct wd_vec){{d.x[0] * wd_set(q), d.x[1] * wd_set(q), d.x[2] * wd_set(q)}};
}

// Displacement in this substep of the collider's material where the particle is, quanta: d is seen from its end.
SIM_INLINE struct wd_vec material_moves(const struct pusher *p, struct wd_vec d)
{
    struct wd_vec u = wd_vec_of(p->way);
    for (int i = 0; i < 3; i++) {
        wd local = wd_dot(d, wd_vec_of(p->shape.end.axes[i]));
        for (int axis = 0; axis < 3; axis++) {
            u.x[axis] = u.x[axis] + local * wd_set(p->turn[i][axis]);
        }
    }
    return u;
}

SIM_INLINE void touching_from(struct touching *t, const struct pusher *p, const struct rows *rows,
                              const struct w_rows *x, int part, const enum sim_collider_kind kind)
{
    struct wd_vec d, normal;
    wl start[3];
    wl_load_triples(rows->positions + part * DOUBLES, start);
    for (int axis = 0; axis < 3; axis++) {
        wl now = wl_whole(start[axis], wl_of_word(x->x[axis], part));
        d.x[axis] = wd_of_long(now - wl_set(p->shape.end.position[axis]));
        t->start[axis][part] = start[axis];
        t->seen[axis][part] = d.x[axis];
    }
    t->phi[part] =
        distance_to(&p->shape, &p->shape.end, kind, p->q, p->thickness, in_metres(d, p->q), &normal);
    t->below[part] = wd_below(t->phi[part], wd_set(p->thickness));
    for (int axis = 0; axis < 3; axis++) {
        t->normal[axis][part] = normal.x[axis];
    }
}

// Finds how deep those rows are, and which way they are pushed.
SIM_INLINE void touching_weigh(struct touching *t, const struct pusher *p, const struct w_rows *x,
                               const struct w_rows *previous, int part, const enum sim_collider_kind kind,
                               const bool moves)
{
    const wd thickness = wd_set(p->thickness), zero = wd_set(0);
    struct wd_vec d, u = {{zero, zero, zero}}, unused;
    for (int axis = 0; axis < 3; axis++) {
        wl before = wl_whole(t->start[axis][part], wl_of_word(previous->x[axis], part));
        d.x[axis] = wd_of_long(before - wl_set(p->shape.start.position[axis]));
    }
    wd old = distance_to(&p->shape, &p->shape.start, kind, p->q, p->thickness, in_metres(d, p->q), &unused);
    old = (old - thickness) + wd_set(p->v_out);
    wd depth = -((t->phi[part] - thickness) - wd_min(old, zero));
    t->below[part] = wd_and(t->below[part], wd_below(zero, depth));
    t->depth[part] = depth * wd_set(p->inv_q);
    if (moves) {
        u = material_moves(p, (struct wd_vec){{t->seen[0][part], t->seen[1][part], t->seen[2][part]}});
    }
    for (int axis = 0; axis < 3; axis++) {
        t->way[axis][part] = wd_of_int(x->x[axis] - previous->x[axis], part) - u.x[axis];
    }
}

// The speeds of a particle that hits, against the material, m/s.
struct bounce {
    struct w_rows predicted;
    struct w_vec material;
    wf belt; // how fast the surface runs on along the normal, which does not count
    wf comes;
};

// How far a surface that runs goes on along the normal in this substep, quanta.
SIM_INLINE wf belt_along(const struct touching *t, const struct pusher *p)
{
    wd along[PARTS];
    for (int part = 0; part < PARTS; part++) {
        const struct wd_vec d = {{t->seen[0][part], t->seen[1][part], t->seen[2][part]}};
        along[part] = wd_set(0);
        for (int axis = 0; axis < 3; axis++) {
            wd belt = wd_set(p->shape.belt[axis] * p->inv_q);
            for (int i = 0; i < 3; i++) {
                belt =
                    belt + wd_dot(d, wd_vec_of(p->shape.end.axes[i])) * wd_set(p->shape.belt_turn[i][axis]);
            }
            along[part] = along[part] + belt * t->normal[axis][part];
        }
    }
    return wd_to_float(along);
}

// x: before it is pushed.
SIM_INLINE struct bounce bounce_from(const struct touching *t, const struct pusher *p,
                                     const struct rows *rows, const struct w_rows *x,
                                     const struct w_rows *previous, const struct w_vec *n)
{
    struct bounce b = {.predicted = w_rows_at(rows->predicted, side_by_side)};
    const wf rate = w_set(p->q_over_h);
    b.belt = p->shape.runs ? belt_along(t, p) * rate : w_set(0);
    b.comes = w_negative(b.belt);
    for (int axis = 0; axis < 3; axis++) {
        const wf way = wd_to_float(t->way[axis]);
        const wf before = way - w_apart(x->x[axis], b.predicted.x[axis]);
        b.material.x[axis] = (w_apart(x->x[axis], previous->x[axis]) - way) * rate;
        b.comes = b.comes - (before * rate - w_set(p->kick[axis])) * n->x[axis];
    }
    return b;
}

// Changes what the velocities of rows lack of those that they bounce with. x: pushed.
SIM_INLINE void bounce_put(const struct bounce *b, const struct pusher *p, wm touches, const struct w_rows *x,
                           const struct w_vec *n, struct w_rows *v)
{
    const wf zero = w_set(0), rate = w_set(p->q_over_h);
    const wm hits = w_and(touches, w_below(w_set(p->least), b->comes));
    if (!w_any(hits)) {
        return;
    }
    struct w_vec s;
    for (int axis = 0; axis < 3; axis++) {
        s.x[axis] = w_of_bits(v->x[axis]) + w_apart(x->x[axis], b->predicted.x[axis]) * rate;
        s.x[axis] = s.x[axis] - b->material.x[axis];
    }
    const wf along = w_dot(s, *n);
    const wf push = w_max(w_set(p->restitution) * b->comes - (along + b->belt), zero);
    for (int axis = 0; axis < 3; axis++) {
        s.x[axis] = s.x[axis] - along * n->x[axis];
    }
    const wf slide = w_sqrt(w_dot(s, s));
    wf most = w_set(p->shape.friction) * push;
    most = w_select(w_below(w_set(SIM_STICKS) * most + rate, slide), w_set(p->shape.slides) * push, most);
    const wf share = w_where(w_below(zero, slide), w_min(slide, most) / slide);
    for (int axis = 0; axis < 3; axis++) {
        const wf speed = w_of_bits(v->x[axis]);
        v->x[axis] = w_bits(w_select(hits, speed + (push * n->x[axis] - share * s.x[axis]), speed));
    }
}

// Returns 1 in each lane that was pushed for the first time in this substep.
SIM_INLINE wi solve_rows(const struct pusher *p, const struct rows *rows, const enum sim_collider_kind kind,
                         const bool moves, const bool keeps)
{
    const wf zero = w_set(0);
    struct touching t;
    struct kept kept;
    struct w_rows x = w_rows_at(rows->x, side_by_side);
    touching_from(&t, p, rows, &x, 0, kind);
    if (PARTS > 1) {
        touching_from(&t, p, rows, &x, PARTS - 1, kind);
    }
    if (!w_any(w_and(wd_mask_to(t.below), w_below(zero, x.w)))) {
        return w_bits(zero);
    }
    struct w_rows previous = w_rows_at(rows->previous, side_by_side);
    struct w_rows v = w_rows_at(rows->velocities, side_by_side);
    touching_weigh(&t, p, &x, &previous, 0, kind, moves);
    if (PARTS > 1) {
        touching_weigh(&t, p, &x, &previous, PARTS - 1, kind, moves);
    }
    wm touches = w_and(wd_mask_to(t.below), w_below(zero, x.w)), first = touches;
    wf push = wd_to_float(t.depth), sum = push, slipped = zero;
    if (keeps) {
        uint32_t lanes[WIDE];
        w_store_int(lanes, w_where_int(touches, w_bits(w_set(1))));
        kept_from(&kept, rows, p->shape.id, lanes);
        first = w_and(touches, w_equal(w_load(kept.push), zero));
        sum = w_load(kept.push) + push;
        slipped = w_load(kept.slip);
    }
    struct w_vec n, s;
    struct bounce bounce;
    for (int axis = 0; axis < 3; axis++) {
        n.x[axis] = wd_to_float(t.normal[axis]);
        s.x[axis] = wd_to_float(t.way[axis]) + push * n.x[axis];
    }
    if (p->restitution > 0) {
        bounce = bounce_from(&t, p, rows, &x, &previous, &n);
    }
    wf along = w_dot(s, n);
    for (int axis = 0; axis < 3; axis++) {
        s.x[axis] = s.x[axis] - along * n.x[axis];
    }
    wf slide = w_sqrt(w_dot(s, s));
    wf most = w_set(p->shape.friction) * sum;
    wm slides = w_below(w_set(SIM_STICKS) * most + w_set(1), slide + slipped);
    most = w_select(slides, w_set(p->shape.slides) * sum, most) - slipped;
    wf stop = w_max(w_min(slide, most), zero);
    wf share = w_where(w_below(zero, slide), stop / slide);
    for (int axis = 0; axis < 3; axis++) {
        wf way = push * n.x[axis] - share * s.x[axis], speed = w_of_bits(v.x[axis]);
        wi whole = w_round(way);
        x.x[axis] = x.x[axis] + w_where_int(touches, whole);
        wf changed = speed + (way - w_float(whole)) * w_set(p->q_over_h);
        v.x[axis] = w_bits(w_select(touches, changed, speed));
    }
    if (p->restitution > 0) {
        bounce_put(&bounce, p, touches, &x, &n, &v);
    }
    w_rows_put(rows->x, side_by_side, &x);
    w_rows_put(rows->velocities, side_by_side, &v);
    if (keeps) {
        w_store(kept.push, sum);
        w_store(kept.slip, slipped + stop);
        kept_put(&kept);
    }
    return w_where_int(first, (wi)(w_bits(zero) + 1));
}

// -------------------------------------------------------------------------------------------------- chunks

// A chunk and the collider at hand.
struct work {
    struct rows rows, tail;
    uint32_t count, pushed; // rows; those pushed for the first time in this substep
    double extent;
    struct pusher pusher;
    struct blocks blocks;
};

SIM_LONG void solve(struct work *work, const enum sim_collider_kind kind, const bool moves, const bool keeps)
{
    const struct pusher pusher = work->pusher;
    wi pushed = w_bits(w_set(0));
    uint32_t lanes[WIDE];
    blocks_sift(&work->blocks, &pusher, work->extent, kind);
    for (uint32_t b = 0; b < work->blocks.count; b++) {
        if (work->blocks.far[b] != 0) {
            continue;
        }
        uint32_t left = work->count - b * BLOCK, count = left < BLOCK ? left : BLOCK;
        for (uint32_t i = 0; i < count; i += WIDE) {
            struct rows rows =
                left < BLOCK ? rows_from(&work->tail, i) : rows_from(&work->rows, b * BLOCK + i);
            pushed = pushed + solve_rows(&pusher, &rows, kind, moves, keeps);
        }
    }
    w_store_int(lanes, pushed);
    for (int lane = 0; lane < WIDE; lane++) {
        work->pushed += lanes[lane];
    }
}

#define SOLVE(name, kind, moves, keeps)  \
    static void name(struct work *work)  \
    {                                    \
        solve(work, kind, moves, keeps); \
    }
#if defined(SIM_FEW_LOOPS)
// A small program has one loop for each kind, which asks at run time what four loops know beforehand.
#define SOLVES(name, kind)                                                                                  \
    static __attribute__((noinline)) void name##_any(struct work *work, const bool moves, const bool keeps) \
    {                                                                                                       \
        solve(work, kind, moves, keeps);                                                                    \
    }                                                                                                       \
    ASK(name##_still, name##_any, false, false)                                                             \
    ASK(name##_still_kept, name##_any, false, true)                                                         \
    ASK(name##_moving, name##_any, true, false)                                                             \
    ASK(name##_moving_kept, name##_any, true, true)
#define ASK(name, any, moves, keeps)    \
    static void name(struct work *work) \
    {                                   \
        any(work, moves, keeps);        \
    }
#else
#define SOLVES(name, kind)                      \
    SOLVE(name##_still, kind, false, false)     \
    SOLVE(name##_still_kept, kind, false, true) \
    SOLVE(name##_moving, kind, true, false)     \
    SOLVE(name##_moving_kept, kind, true, true)
#endif
SOLVES(plane, SIM_PLANE)
SOLVES(sphere, SIM_SPHERE)
SOLVES(capsule, SIM_CAPSULE)
SOLVES(box, SIM_BOX)
SOLVES(cylinder, SIM_CYLINDER)
SOLVES(convex, SIM_CONVEX)
SOLVES(height_field, SIM_HEIGHT_FIELD)
#define SOLVED(name)                          \
    {                                         \
        {name##_still, name##_still_kept},    \
        {                                     \
            name##_moving, name##_moving_kept \
        }                                     \
    }
static void (*const solves[][2][2])(struct work *work) = {[SIM_PLANE] = SOLVED(plane),
                                                          [SIM_SPHERE] = SOLVED(sphere),
                                                          [SIM_CAPSULE] = SOLVED(capsule),
                                                          [SIM_BOX] = SOLVED(box),
                                                          [SIM_CYLINDER] = SOLVED(cylinder),
                                                          [SIM_CONVEX] = SOLVED(convex),
                                                          [SIM_HEIGHT_FIELD] = SOLVED(height_field)};

static void pusher_from(const struct sim *sim, const struct sim_shape *shape, const struct sim_body *body,
                        struct pusher *pusher)
{
    const struct sim_rub rub = sim_rub_of_shape(sim, body, shape);
    *pusher = (struct pusher){.shape = *shape,
                              .thickness = body->thickness,
                              .q = sim->q,
                              .inv_q = sim->inv_q,
                              .v_out = (double)sim->times.v_out * sim->q,
                              .q_over_h = sim->times.q_over_h,
                              .restitution = (float)rub.restitution,
                              .least = sim->times.bounce};
    pusher->shape.friction = (float)rub.holds;
    pusher->shape.slides = (float)rub.slides;
    for (int axis = 0; axis < 3; axis++) {
        pusher->kick[axis] = sim->times.kick[axis];
        pusher->way[axis] = (double)(shape->end.position[axis] - shape->start.position[axis]);
        for (int i = 0; i < 3; i++) {
            pusher->turn[i][axis] = shape->end.axes[i][axis] - shape->start.axes[i][axis];
        }
    }
    for (int axis = 0; shape->runs && axis < 3; axis++) {
        pusher->way[axis] += shape->belt[axis] * sim->inv_q;
        for (int i = 0; i < 3; i++) {
            pusher->turn[i][axis] += shape->belt_turn[i][axis];
        }
    }
}

void SIM_ISA(sim_contacts_solve)(struct sim *sim, struct sim_chunk *chunk)
{
    struct tail tail;
    struct work work = {
        .rows = rows_at(sim, chunk->first_row), .count = chunk->count, .extent = sim->settings.extent};
    uint32_t whole = chunk->count / BLOCK, rest = chunk->count % BLOCK;
    for (uint32_t b = 0; b < whole; b++) {
        struct rows block = rows_from(&work.rows, b * BLOCK);
        block_measure(&work.blocks, &block, BLOCK, sim->q);
    }
    if (rest > 0) {
        struct rows block = rows_from(&work.rows, whole * BLOCK);
        work.tail = tail_from(&tail, block, rest);
        block_measure(&work.blocks, &work.tail, rest, sim->q);
    }
    for (uint32_t s = 0; s < sim->shape_count; s++) {
        const struct sim_shape *shape = &sim->shapes[s];
        pusher_from(sim, shape, chunk->body, &work.pusher);
        solves[shape->kind][shape->carries][sim->contacts != NULL](&work);
    }
    if (rest > 0) {
        memcpy(work.rows.x + whole * BLOCK, tail.x, rest * sizeof tail.x[0]);
        memcpy(work.rows.velocities + whole * BLOCK, tail.velocities, rest * sizeof tail.velocities[0]);
    }
    chunk->contacts += work.pushed;
}
