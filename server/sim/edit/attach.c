// Bodies that come: what was made ready aside is copied behind, or between, what there is.

#include "base/array.h"
#include "base/assert.h"
#include "sim/body/plan.h"
#include "sim/contact/meet.h"
#include "sim/edit/edit.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>

// The first four rows are static.
uint32_t sim_rows_gap(const struct sim *sim, uint32_t count, uint32_t *position)
{
    uint32_t start = SIM_IDLE_ROWS, p = 0;
    for (; p < sim->body_count; p++) {
        if (sim->by_row[p]->first_row - start >= count) {
            break;
        }
        start = sim->by_row[p]->first_row + sim_body_rows(sim->by_row[p]->count);
    }
    *position = p;
    return start;
}

bool sim_attach_reserve(struct sim *sim, const struct sim_body *body, struct sim_store *stores,
                        uint32_t start)
{
    uint32_t tiles = 0;
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        tiles += body->tile_count[kind];
        struct sim_store *from = &stores[kind];
        if ((from->damped && !sim_store_damping_reserve(&sim->stores[kind])) ||
            !sim_store_append_reserve(&sim->stores[kind], from, from->shelf_count)) {
            return false;
        }
    }
    return sim_rows_reserve(sim, (uint64_t)start + sim_body_rows(body->count)) &&
           sim_pushes_reserve(sim, sim_has_own_pull(body)) &&
           array_reserve(&sim->bodies, &sim->body_capacity, sim->body_count + 1) &&
           array_reserve(&sim->by_row, &sim->by_row_capacity, sim->body_count + 1) &&
           array_reserve(&sim->ranges, &sim->range_capacity, (uint64_t)sim->range_count + SIM_KIND_COUNT) &&
           (!body->turned || sim_turns_reserve(sim)) &&
           (!body->rigid || sim_rigids_reserve(sim, body->count)) && sim_meet_reserve(sim, body->features) &&
           sim_plan_reserve(sim, tiles, sim_tiles_of(body->count));
}

uint32_t sim_attach_store(struct sim *sim, struct sim_store *from, struct sim_body *body, uint32_t kind,
                          uint32_t row_offset, uint32_t id_offset)
{
    sim_store_stiffness_update(from, sim->settings.iterations);
    uint32_t base = sim_store_append(&sim->stores[kind], from, row_offset, id_offset);
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        struct sim_tile *tile = &body->tiles[kind][t];
        tile->body = body->id;
        tile->idle_row += row_offset;
        free(tile->open); // which batches have room is found again when it is needed
        tile->open = NULL;
        for (uint32_t i = 0; i < tile->order_count; i++) {
            tile->order[i] += base;
        }
    }
    return base;
}

static void attach_constraints(struct sim *sim, struct sim_body_plan *plan, struct sim_body *body,
                               struct sim_body_added *added)
{
    *added = (struct sim_body_added){.body = body->id};
    if (body->tile_count[SIM_GUSTS] > 0) {
        sim_attach_store(sim, &plan->stores[SIM_GUSTS], body, SIM_GUSTS, body->first_row, 0);
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        uint32_t count = body->constraint_count[kind];
        if (count == 0) {
            continue;
        }
        uint32_t first = sim->next_constraint;
        uint32_t base = sim_attach_store(sim, &plan->stores[kind], body, kind, body->first_row, first - 1);
        uint32_t *slots = plan->slots[kind];
        plan->slots[kind] = NULL;
        for (uint32_t c = 0; c < count; c++) {
            slots[c] += base * SIM_LANES;
        }
        sim->ranges[sim->range_count++] = (struct sim_id_range){
            .first = first,
            .count = count,
            .capacity = count,
            .live = count,
            .kind = (enum sim_kind)kind,
            .body = body->id,
            .slots = slots,
        };
        sim->next_constraint += count;
        sim->constraint_count += count;
        body->constraint_first[kind] = added->constraint_first[kind] = first;
        added->constraint_count[kind] = count;
    }
}

enum fault_code sim_attach_check(const struct sim *sim, const struct sim_body *body, uint64_t constraints,
                                 struct fault *fault)
{
    if (sim->body_count >= sim->limits.bodies) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "the world holds %u bodies, as many as it may",
                              sim->body_count);
    }
    if ((uint64_t)sim->particle_count + body->count > sim->limits.particles) {
        return fault_code_set(fault, FAULT_LIMIT, "positions",
                              "%u particles more than the %u there are would pass %u", body->count,
                              sim->particle_count, sim->limits.particles);
    }
    if (sim->constraint_count + constraints > sim->limits.constraints) {
        return fault_code_set(fault, FAULT_LIMIT, NULL,
                              "%u constraints more than the %u there are would pass %u",
                              (unsigned)constraints, sim->constraint_count, sim->limits.constraints);
    }
    const struct sim_more more = {.particles = body->count, .constraints = constraints, .body = body};
    return sim_work_check(sim, NULL, &sim->settings, &more, fault);
}

void sim_attach_rows(struct sim *sim, struct sim_body *body, uint32_t start, uint32_t position)
{
    uint32_t end = start + sim_body_rows(body->count), place = sim->body_count;
    body->first_row = start;
    body->pressure_left =
        body->pressure.model != SIM_PRESSURE_NONE ? sim_ticks_of(sim, body->pressure.seconds) : 0;
    body->pressure.now = body->pressure_left > 0 ? body->pressure.now : body->pressure.end;
    sim->row_end = end > sim->row_end ? end : sim->row_end;
    for (; place > 0 && sim->bodies[place - 1]->id > body->id; place--) {
        sim->bodies[place] = sim->bodies[place - 1];
    }
    sim->bodies[place] = body;
    memmove(sim->by_row + position + 1, sim->by_row + position,
            (sim->body_count - position) * sizeof *sim->by_row);
    sim->by_row[position] = body;
    sim->body_count++;
    sim->particle_count += body->count;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim->loose_colors[kind]) {
            memset(sim->loose_colors[kind] + start, 0, body->count * sizeof *sim->loose_colors[kind]);
        }
    }
    for (uint32_t row = start + body->count; row < end; row++) {
        sim->rows[row] = (struct sim_row){0};
        sim->velocities[row] = (struct sim_velocity){0};
    }
    for (uint32_t row = start; body->turned && row < end; row++) {
        sim->turns[row] = sim->turned[row] = (struct sim_turn){0};
        sim->spins[row] = (struct sim_spin){0};
        sim->joints[row] = (struct sim_joint){0};
    }
}

enum fault_code sim_body_attach(struct sim *sim, struct sim_body_plan *plan, struct sim_body_added *added,
                                struct fault *fault)
{
    struct sim_body *body = plan->body;
    BASE_ASSERT(!plan->aside && plan->resolution == sim->q);
    uint64_t constraints = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        constraints += body->constraint_count[kind];
    }
    if (sim->next_body == UINT32_MAX || (uint64_t)sim->next_constraint + constraints > UINT32_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "the world has used up its ids");
    }
    enum fault_code status = sim_attach_check(sim, body, constraints, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    uint32_t position, start = sim_rows_gap(sim, sim_body_rows(body->count), &position);
    if (!sim_attach_reserve(sim, body, plan->stores, start)) {
        return sim_fault_memory(fault);
    }

    body->id = sim->next_body++;
    sim_attach_rows(sim, body, start, position);
    for (uint32_t i = 0; i < body->count; i++) {
        sim_place_at_start(sim, body, i);
        sim->rows[start + body->row_of[i]].w = plan->inverse_masses[i];
        if (body->turned) {
            sim->spins[start + body->row_of[i]].w = body->turned[i].w;
        }
        if (body->rigid) {
            sim_rigid_start(sim, body, i);
        }
        sim_rested(sim, start + body->row_of[i]);
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        if (!sim_pin_is_soft(&body->pins[p])) {
            sim->rows[start + body->row_of[body->pins[p].index]].w = 0;
        }
    }
    attach_constraints(sim, plan, body, added);
    body->bend_due =
        sim_bend_ticks(body->count) > 0 && body->live_count[SIM_QUADRATIC] > 0 ? SIM_BEND_FRESH : 0;
    plan->body = NULL;
    sim_body_plan_destroy(plan);
    sim_plan_rebuild(sim);
    return FAULT_NONE;
}
