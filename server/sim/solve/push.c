// Finds what bodies are pushed by in place of the world's gravity:
//
//     a = g + F / M + w f          g: gravity of the body or of the world, F: force on the body, M: its mass, f: force on the particle
//
// M counts pinned particles and leaves static ones out. F is spread by mass, so that a free body goes as F/M says and its shape feels
// nothing. h a is found in double precision and rounded once, at the beginning of a tick, because nothing of it changes in one.
// The prediction takes it as it takes gravity, with the same moving point of rounding (kernels/motion.c).
//
// In a world in which nothing is pushed there are no arrays, and no particle is looked at.

#include "sim/solve/push.h"

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

#include <math.h>

// m/s that a substep may give: far beyond what makes a world fail, and far enough from infinity that no product is one.
#define KICK_MAX 1e30

static double kg_of(const struct sim *sim, const struct sim_body *body)
{
    double mass = 0;
    uint32_t p = 0;
    for (uint32_t i = 0; i < body->count; i++) {
        double w = (double)sim->rows[body->first_row + body->row_of[i]].w;
        if (p < body->pin_count && body->pins[p].index == i) {
            w = (double)body->pins[p++].inverse_mass;
        }
        mass += w > 0 ? 1 / w : 0;
    }
    return mass;
}

// NaN is none of what comes in, since all forces are finite.
static float kick_of(double h, double a)
{
    const double kick = h * a;
    return (float)(kick > KICK_MAX ? KICK_MAX : kick < -KICK_MAX ? -KICK_MAX : kick);
}

static void pull_find(const struct sim *sim, struct sim_body *body)
{
    const double *g = body->gravity.own ? body->gravity.value : sim->settings.gravity;
    const double *f = body->force.value;
    const double mass = f[0] != 0 || f[1] != 0 || f[2] != 0 ? kg_of(sim, body) : 0;
    for (int axis = 0; axis < 3; axis++) {
        body->pull[axis] = mass > 0 ? g[axis] + f[axis] / mass : g[axis];
    }
}

static double h_of(const struct sim *sim)
{
    return 1 / ((double)sim->settings.tick_rate * sim->settings.substeps);
}

static void lay_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (!chunk->body->pushed) {
        return;
    }
    struct sim_velocity push = {0};
    for (int axis = 0; axis < 3; axis++) {
        push.v[axis] = kick_of(h_of(sim), chunk->body->pull[axis]);
    }
    for (uint32_t row = chunk->first_row; row < chunk->first_row + (chunk->count + 3) / 4 * 4; row++) {
        sim->pushes[row] = push;
    }
}

static void loads_lay(struct sim *sim, const struct sim_body *body)
{
    for (uint32_t l = 0; l < body->load_count; l++) {
        const struct sim_load *load = &body->loads[l];
        const uint32_t row = body->first_row + body->row_of[load->index];
        for (int axis = 0; axis < 3; axis++) {
            const double a = (double)sim->rows[row].w * (double)load->force[axis];
            sim->pushes[row].v[axis] = kick_of(h_of(sim), body->pull[axis] + a);
        }
    }
}

// ---------------------------------------------------------------------------------------------------- fields

#define FAR 1e30 // m: beyond any place

void sim_force_set(const struct sim *sim, const struct sim_force *force, struct sim_force_now *out)
{
    const double *n = force->axis, *e = force->half_extents;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const bool boxed = e[0] > 0 || e[1] > 0 || e[2] > 0;
    *out = (struct sim_force_now){
        .kind = force->kind,
        .falloff = force->falloff,
        .strength = (float)force->strength,
        .distance = (float)force->distance,
        .core2 = (float)(force->core * force->core),
        .width = (float)force->width,
        .radius = (float)(force->radius > 0 ? force->radius - force->margin : FAR),
        .per_margin = (float)(force->margin > 1e-30 ? 1 / force->margin : FAR),
    };
    for (int axis = 0; axis < 3; axis++) {
        out->middle[axis] = sim_quantize(force->position[axis], sim->inv_q);
        out->axis[axis] = (float)(n[axis] / length);
        out->velocity[axis] = (float)force->velocity[axis];
        out->half_extents[axis] = (float)(boxed ? e[axis] - force->margin : FAR);
    }
}

static bool acts_on(const struct sim_force *force, uint32_t body)
{
    bool acts = force->body_count == 0;
    for (uint32_t b = 0; b < force->body_count && !acts; b++) {
        acts = force->bodies[b] == body;
    }
    return acts;
}

uint32_t sim_forces_on(const struct sim *sim, const struct sim_body *body, bool blow)
{
    const struct sim_force_fields *forces = &sim->settings.forces;
    uint32_t fields = 0;
    for (uint32_t f = 0; f < forces->count; f++) {
        const struct sim_force *force = &forces->items[f];
        fields |= sim_force_blows(force) == blow && acts_on(force, body->id) ? 1u << f : 0;
    }
    return fields;
}

static void keep_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->body->fields != 0) {
        memcpy(sim->bases + chunk->first_row, sim->pushes + chunk->first_row,
               chunk->count * sizeof *sim->bases);
    }
}

static void field_task(void *context, uint32_t index)
{
    struct sim *sim = context;
    const struct sim_chunk *chunk = &sim->chunks[index];
    if (chunk->body->fields != 0 && !chunk->asleep) {
        sim->kernels->fields(sim, chunk);
    }
}

void sim_push_substep(struct sim *sim, struct base_parallel *parallel)
{
    if (sim->settings.forces.count > 0 && sim->pushed_count > 0) {
        sim_run_tasks(sim, parallel, sim->chunk_count, field_task);
    }
}

// ----------------------------------------------------------------------------------------------------- ticks

void sim_push_begin(struct sim *sim, struct base_parallel *parallel)
{
    if (!sim->pushes) {
        return;
    }
    sim->pushed_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->fields = sim_forces_on(sim, body, false);
        body->pushed = sim_has_own_pull(body) || body->fields != 0;
        sim->pushed_count += body->pushed;
        if (body->pushed) {
            pull_find(sim, body);
        }
    }
    if (sim->pushed_count == 0) {
        return;
    }
    sim_run_tasks(sim, parallel, sim->chunk_count, lay_task);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->pushed) {
            loads_lay(sim, sim->bodies[b]);
        }
    }
    for (uint32_t f = 0; f < sim->settings.forces.count; f++) {
        sim_force_set(sim, &sim->settings.forces.items[f], &sim->fields[f]);
    }
    if (sim->settings.forces.count > 0) {
        sim_run_tasks(sim, parallel, sim->chunk_count, keep_task);
    }
}

// Returns whether a force ended.
static bool time_goes(struct sim_body *body)
{
    uint32_t kept = 0;
    bool ended = body->force.ticks == 1;
    if (ended) {
        body->force = (struct sim_body_force){0};
    }
    body->force.ticks -= body->force.ticks > 0;
    for (uint32_t l = 0; l < body->load_count; l++) {
        struct sim_load load = body->loads[l];
        if (load.left != 1) {
            load.left -= load.left > 0;
            body->loads[kept++] = load;
        }
    }
    ended = ended || kept < body->load_count;
    body->load_count = kept;
    return ended;
}

void sim_push_end(struct sim *sim)
{
    for (uint32_t b = 0; sim->pushed_count > 0 && b < sim->body_count; b++) {
        if (sim->bodies[b]->pushed && time_goes(sim->bodies[b])) {
            sim_edited(sim->bodies[b]);
        }
    }
}

bool sim_push_passes(const struct sim_body *body)
{
    bool passes = body->force.ticks > 0;
    for (uint32_t l = 0; l < body->load_count && !passes; l++) {
        passes = body->loads[l].left > 0;
    }
    return passes;
}
