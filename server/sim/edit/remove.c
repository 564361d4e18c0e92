// Bodies that go, with the loose constraints, grabs and motions that touch them.

#include "base/array.h"
#include "sim/body/plan.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/motion/motion.h"
#include "sim/store/store.h"

#include <stdlib.h>

// Ids of loose constraints that touch the body, ascending, malloc'd.
static bool loose_touching(const struct sim *sim, uint32_t body, uint32_t **ids, uint32_t *count)
{
    uint32_t capacity = 0;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        for (uint32_t i = 0; range->body == 0 && i < range->count; i++) {
            struct sim_constraint constraint;
            if (range->slots[i] == SIM_GONE || !sim_constraint_get(sim, range->first + i, &constraint)) {
                continue;
            }
            bool touches = false;
            for (uint32_t k = 0; k < sim_stencil_size(range->kind); k++) {
                touches = touches || constraint.bodies[k] == body;
            }
            if (touches) {
                if (!array_reserve(ids, &capacity, *count + 1)) {
                    return false;
                }
                (*ids)[(*count)++] = constraint.id;
            }
        }
    }
    return true;
}

// Its tiles hold nothing but what is its own.
static void batches_free(struct sim *sim, const struct sim_body *body)
{
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
            sim_tile_clear(&sim->stores[kind], &body->tiles[kind][t]);
        }
    }
}

enum fault_code sim_body_remove(struct sim *sim, uint32_t id, uint32_t **removed, uint32_t *removed_count,
                                struct fault *fault)
{
    *removed = NULL;
    *removed_count = 0;
    struct sim_body *body = sim_body_find(sim, id);
    if (!body) {
        return fault_code_set(fault, FAULT_NOT_FOUND, "body", "body %u does not exist", id);
    }
    if (!loose_touching(sim, id, removed, removed_count)) {
        free(*removed);
        *removed = NULL;
        *removed_count = 0;
        return sim_fault_memory(fault);
    }
    for (uint32_t i = 0; i < *removed_count; i++) {
        sim_constraint_forget(sim, (*removed)[i]);
    }
    sim_stores_settle(sim);
    sim_ranges_tidy(sim);
    for (uint32_t r = sim->range_count; r > 0; r--) {
        struct sim_id_range *range = &sim->ranges[r - 1];
        if (range->body != id) {
            continue;
        }
        sim->constraint_count -= range->live;
        free(range->slots);
        memmove(range, range + 1, (sim->range_count - r) * sizeof *range);
        sim->range_count--;
    }
    batches_free(sim, body);
    sim_drives_forget(sim, 0, id);
    for (uint32_t g = sim->grab_count; g > 0; g--) {
        if (sim->grabs[g - 1].body == id) {
            memmove(&sim->grabs[g - 1], &sim->grabs[g], (sim->grab_count - g) * sizeof *sim->grabs);
            sim->grab_count--;
        }
    }
    uint32_t b = 0, p = 0;
    while (sim->bodies[b] != body) {
        b++;
    }
    while (sim->by_row[p] != body) {
        p++;
    }
    sim->body_count--;
    memmove(sim->bodies + b, sim->bodies + b + 1, (sim->body_count - b) * sizeof *sim->bodies);
    memmove(sim->by_row + p, sim->by_row + p + 1, (sim->body_count - p) * sizeof *sim->by_row);
    sim->particle_count -= body->count;
    sim_body_destroy(body);
    sim_stores_trim(sim);
    sim_plan_rebuild(sim);
    sim->surroundings_known = false; // it may have held others
    return FAULT_NONE;
}
