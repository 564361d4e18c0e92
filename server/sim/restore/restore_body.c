// Bodies that come back with all that had become of them.
//
// A body is made again aside, in a sim of its own: there its image is checked and its history happens once more. What
// is there then moves over as it stands: batches with their shelves, rows with their state.

#include "base/assert.h"
#include "sim/body/plan.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/restore/restore.h"
#include "sim/store/store.h"

#include <stdlib.h>

static struct sim *make_aside(const struct sim_image_body *given, double resolution,
                              const struct sim_limits *limits, struct sim_image_place *place,
                              struct fault *fault)
{
    struct sim_limits free_of_work = *limits; // which depends on where it goes
    free_of_work.work = 0;
    const struct sim_image image = {
        .settings = {.tick_rate = 60,
                     .substeps = 1,
                     .iterations = 1,
                     .resolution = resolution,
                     .extent = SIM_EXTENT_MAX,
                     .sleep = given->sleep.asleep || given->sleep.still > 0},
        .body_count = 1,
        .bodies = given,
        .alone = true,
    };
    *place = (struct sim_image_place){0};
    if (given->body == 0) {
        fault_code_set(fault, FAULT_INVALID, "body", "0; a body that is put back has the id that it had");
        return NULL;
    }
    struct sim *aside = sim_image_make(&image, &free_of_work, place, fault);
    if (aside && given->first_constraint == 0 && aside->range_count > 0) {
        fault_code_set(fault, FAULT_INVALID, "first_constraint",
                       "0; constraints that are put back have the ids that they had");
        sim_destroy(aside);
        return NULL;
    }
    return aside;
}

struct sim_body_plan *sim_body_prepare_again(const struct sim_image_body *given, double resolution,
                                             const struct sim_limits *limits, struct sim_image_place *place,
                                             struct fault *fault)
{
    struct sim_body_plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        *place = (struct sim_image_place){0};
        sim_fault_memory(fault);
        return NULL;
    }
    plan->resolution = resolution;
    plan->aside_destroy = sim_destroy;
    plan->aside = make_aside(given, resolution, limits, place, fault);
    if (!plan->aside) {
        sim_body_plan_destroy(plan);
        return NULL;
    }
    return plan;
}

static enum fault_code check_ids(const struct sim *sim, const struct sim *aside, struct fault *fault)
{
    const struct sim_body *body = aside->bodies[0];
    if (body->id >= sim->next_body) {
        return fault_code_set(fault, FAULT_INVALID, "body", "%u; must be below the next id, %u", body->id,
                              sim->next_body);
    }
    if (sim_body_find(sim, body->id)) {
        return fault_code_set(fault, FAULT_CONFLICT, "body", "body %u exists", body->id);
    }
    for (uint32_t r = 0; r < aside->range_count; r++) {
        const struct sim_id_range *range = &aside->ranges[r];
        uint32_t end = range->first + range->count;
        if (end > sim->next_constraint) {
            return fault_code_set(fault, FAULT_INVALID, "first_constraint",
                                  "constraints %u to %u; must be below the next id, %u", range->first,
                                  end - 1, sim->next_constraint);
        }
        if (!sim_ids_free(sim, range->first, end)) {
            return fault_code_set(fault, FAULT_CONFLICT, "first_constraint",
                                  "of constraints %u to %u some exist", range->first, end - 1);
        }
    }
    return FAULT_NONE;
}

static void move_rows(struct sim *sim, const struct sim *aside, const struct sim_body *body, uint32_t from)
{
    for (uint32_t r = 0; r < body->count; r++) {
        uint32_t row = body->first_row + r;
        sim->rows[row] = aside->rows[from + r];
        sim->velocities[row] = aside->velocities[from + r];
        memcpy(sim->positions[row], aside->positions[from + r], sizeof sim->positions[row]);
        if (sim->anchors && aside->anchors) {
            memcpy(sim->anchors[row], aside->anchors[from + r], sizeof sim->anchors[row]);
        }
        if (body->turned) {
            sim->turns[row] = aside->turns[from + r];
            sim->spins[row] = aside->spins[from + r];
            sim->joints[row] = aside->joints[from + r];
        }
        sim_rested(sim, row);
    }
}

static void move_constraints(struct sim *sim, struct sim *aside, struct sim_body *body, uint32_t row_offset)
{
    if (body->tile_count[SIM_GUSTS] > 0) {
        sim_attach_store(sim, &aside->stores[SIM_GUSTS], body, SIM_GUSTS, row_offset, 0);
    }
    for (uint32_t r = 0; r < aside->range_count; r++) {
        struct sim_id_range range = aside->ranges[r];
        uint32_t base =
            sim_attach_store(sim, &aside->stores[range.kind], body, range.kind, row_offset, 0) * SIM_LANES;
        for (uint32_t i = 0; i < range.count; i++) {
            range.slots[i] += range.slots[i] == SIM_GONE ? 0 : base;
        }
        uint32_t place = sim->range_count++;
        for (; place > 0 && sim->ranges[place - 1].first > range.first; place--) {
            sim->ranges[place] = sim->ranges[place - 1];
        }
        sim->ranges[place] = range;
        sim->constraint_count += range.live;
    }
    aside->range_count = 0;
}

enum fault_code sim_body_restore(struct sim *sim, struct sim_body_plan *plan, struct fault *fault)
{
    struct sim *aside = plan->aside;
    BASE_ASSERT(aside && plan->resolution == sim->q);
    struct sim_body *body = aside->bodies[0];
    enum fault_code status = sim_attach_check(sim, body, aside->constraint_count, fault);
    status = status != FAULT_NONE ? status : check_ids(sim, aside, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    uint32_t position, start = sim_rows_gap(sim, sim_body_rows(body->count), &position);
    bool done = true;
    for (uint32_t r = 0; done && r < aside->range_count; r++) {
        const struct sim_id_range *range = &aside->ranges[r];
        done = sim_ids_cut(sim, range->first, range->first + range->count);
    }
    if (!done || !sim_attach_reserve(sim, body, aside->stores, start)) {
        return sim_fault_memory(fault);
    }
    uint32_t from = body->first_row;
    sim_attach_rows(sim, body, start, position);
    move_rows(sim, aside, body, from);
    if (!sim->anchors) {
        sim_wake(body);
    }
    move_constraints(sim, aside, body, start - from);
    sim->surroundings_known = false;
    aside->body_count = 0;
    sim_body_plan_destroy(plan);
    sim->solved = sim->derived_known = false;
    sim->placed = true;
    sim_plan_rebuild(sim);
    return FAULT_NONE;
}
