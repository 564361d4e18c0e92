// This file wakes bodies within a tick, and tells how near a collider is to one that sleeps (solve/sleep.h).

#include "base/grow.h"
#include "sim/ground/ground.h"

#include <math.h>

void sim_wake(struct sim_body *body)
{
    body->asleep = false;
    body->still = 0;
}

void sim_edited(struct sim_body *body)
{
    body->inputs_known = false;
}

void sim_edited_all(struct sim *sim)
{
    sim->surroundings_known = false;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim_edited(sim->bodies[b]);
    }
}

bool sim_has_sleep(const struct sim *sim)
{
    return sim->anchors != NULL;
}

void sim_sleep_take(const struct sim_body *body, struct sim_sleep *sleep)
{
    *sleep = (struct sim_sleep){
        .asleep = body->asleep,
        .still = body->still,
        .mark = body->mark,
        .island = body->asleep ? body->island : 0,
        .companions = body->asleep ? body->companions : 0,
    };
}

void sim_sleep_put(struct sim_body *body, const struct sim_sleep *sleep)
{
    body->asleep = sleep->asleep;
    body->still = sleep->still;
    body->mark = sleep->mark;
    body->island = sleep->island;
    body->companions = sleep->companions;
    body->inputs_known = false;
}

void sim_sleep_copy(struct sim_body *body, const struct sim_body *from)
{
    body->asleep = from->asleep;
    body->still = from->still;
    body->mark = from->mark;
    body->island = from->island;
    body->companions = from->companions;
    body->inputs_known = false;
}

static void wake_alone(struct sim *sim, struct sim_body *body)
{
    sim_wake(body);
    sim->surroundings_known = false; // the next tick wakes all that fell asleep with it
    sim->awake_count++;
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        struct sim_chunk *chunk = &sim->chunks[c];
        if (chunk->body == body) {
            chunk->asleep = false;
            chunk->far_row = chunk->bad_row = UINT32_MAX;
            chunk->contacts = chunk->seed = 0;
            chunk->step = chunk->reach = 0;
        }
    }
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        sim_rested(sim, row);
        sim->began[row] = sim->velocities[row];
        if (body->turned) {
            sim->turns_began[row] = sim->turns[row];
            sim->spins_began[row] = sim->spins[row];
            sim->joints_began[row] = sim->joints[row];
        }
    }
    if (sim->contacts) {
        memset(sim->contacts[body->first_row], 0, body->count * sizeof *sim->contacts);
    }
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
            body->tiles[kind][t].asleep = false;
            body->tiles[kind][t].seed = 0;
            if (kind < SIM_KIND_COUNT) {
                sim_tile_multipliers_clear(sim, &body->tiles[kind][t]);
            }
        }
    }
    if (body->longs) {
        body->longs->seed = 0;
    }
}

void sim_wake_within(struct sim *sim, struct sim_body *body)
{
    wake_alone(sim, body);
    if (body->tie == 0) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->tie == body->tie && sim->bodies[b]->asleep) {
            wake_alone(sim, sim->bodies[b]);
        }
    }
    sim_loose_wake(sim, body->tie);
}

void sim_box_of(const struct sim *sim, struct sim_body *body)
{
    const double reach = body->rigid ? sim_rigid_reach(&body->rigid->shape) : 0;
    const int64_t around = (int64_t)((body->thickness + reach) * sim->inv_q) + 16;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        for (int axis = 0; axis < 3; axis++) {
            int64_t x = sim_whole(sim, row, (uint32_t)axis, sim->anchors[row][axis]);
            bool first = row == body->first_row;
            body->box[0][axis] = first || x - around < body->box[0][axis] ? x - around : body->box[0][axis];
            body->box[1][axis] = first || x + around > body->box[1][axis] ? x + around : body->box[1][axis];
        }
    }
}

#define DRIVEN_REACH 1e-3 // m: more than a body goes while it is still

// A ball about the collider's position that holds all of it, m. A plane has none, and a field is as good as one.
static double radius_of(const struct sim_shape *shape)
{
    const double *half = shape->half_extents;
    double middle = 0;
    switch (shape->kind) {
    case SIM_SPHERE:
        return shape->radius;
    case SIM_CAPSULE:
        return 0.5 * shape->length + shape->radius;
    case SIM_CYLINDER:
        return 0.5 * shape->length + shape->radius;
    case SIM_BOX:
        return half[0] + half[1] + half[2];
    case SIM_CONVEX:
        for (int axis = 0; axis < 3; axis++) {
            middle += fabs(shape->hull->middle[axis]);
        }
        return middle + shape->hull->radius;
    default:
        return INFINITY;
    }
}

bool sim_shape_reaches(const struct sim *sim, const struct sim_shape *shape, const int64_t from[3],
                       const int64_t to[3], const struct sim_body *body)
{
    const double radius = radius_of(shape) * sim->inv_q;
    if (!(radius < 0x1p62)) {
        return true;
    }
    const int64_t around = (int64_t)radius + 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t least = from[axis] < to[axis] ? from[axis] : to[axis];
        int64_t most = from[axis] < to[axis] ? to[axis] : from[axis];
        if (least - around > body->box[1][axis] || most + around < body->box[0][axis]) {
            return false;
        }
    }
    return true;
}

bool sim_shape_drives(const struct sim *sim, const struct sim_shape *shape, const struct sim_body *body)
{
    if (shape->kind != SIM_PLANE) {
        return sim_shape_reaches(sim, shape, shape->start.position, shape->end.position, body);
    }
    double least = 0; // of the box above the plane, quanta
    for (int axis = 0; axis < 3; axis++) {
        const double n = shape->end.axes[1][axis];
        const int64_t corner = n < 0 ? body->box[1][axis] : body->box[0][axis];
        least += n * (double)(corner - shape->end.position[axis]);
    }
    return least < DRIVEN_REACH * sim->inv_q;
}

void sim_anchor_of(const struct sim *sim, uint32_t row, int32_t way[3])
{
    for (int axis = 0; axis < 3; axis++) {
        way[axis] =
            sim_wrap_sub(sim->anchors[row][axis], (int32_t)(uint32_t)(uint64_t)sim->positions[row][axis]);
    }
}

bool sim_anchors_reserve(struct sim *sim, bool wanted)
{
    if (!wanted) {
        return true; // anchors that are there stay, so that an undo brings sleep back as it was
    }
    const uint32_t rows = sim->row_capacity > 0 ? sim->row_capacity : 1;
    return base_grow((void **)&sim->anchors, rows * sizeof *sim->anchors);
}
