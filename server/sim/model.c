// The world of the solver: settings, bodies coming and going, and what is read of them.

#include "base/assert.h"
#include "base/hash.h"
#include "sim/internal.h"

#include <stdlib.h>

bool sim_resolution_valid(double resolution)
{
    for (double q = 1.0 / (1 << 30); q <= 1.0 / (1 << 12); q *= 2) {
        if (resolution == q) {
            return true;
        }
    }
    return false;
}

struct sim *sim_create(const struct sim_settings *settings, const struct sim_limits *limits)
{
    BASE_ASSERT(sim_resolution_valid(settings->resolution));
    struct sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL) {
        return NULL;
    }
    sim->hash = base_hash_create();
    sim->settings = *settings;
    sim->limits = *limits;
    sim->q = settings->resolution;
    sim->inv_q = 1 / settings->resolution;
    sim->next_body = sim->next_constraint = sim->next_grab = sim->next_collider = 1;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_init(&sim->stores[kind], (enum sim_kind)kind, sim_kind_shapes[kind].stencil,
                       sim_kind_shapes[kind].param_count);
        sim->loose[kind].kind = (enum sim_kind)kind;
    }
    if (sim->hash == NULL || !sim_multipliers_reserve(sim, settings->iterations, false)) {
        sim_destroy(sim);
        return NULL;
    }
    return sim;
}

void sim_destroy(struct sim *sim)
{
    if (sim == NULL) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        sim_body_destroy(sim->bodies[b]);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim_store_deinit(&sim->stores[kind]);
        free(sim->loose[kind].order);
        free(sim->loose_colors[kind]);
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        free(sim->ranges[r].slots);
    }
    base_hash_destroy(sim->hash);
    free(sim->ranges);
    free(sim->bodies);
    free(sim->by_row);
    free(sim->rows);
    free(sim->predicted);
    free(sim->previous);
    free(sim->velocities);
    free(sim->positions);
    free(sim->contacts);
    free(sim->grabs);
    free(sim->shapes);
    free(sim->chunks);
    free(sim->tiles);
    free(sim->stages);
    free(sim);
}

const struct sim_settings *sim_settings_of(const struct sim *sim)
{
    return &sim->settings;
}

static enum sim_status settings_check(const struct sim_settings *settings, struct sim_fault *fault)
{
    for (int axis = 0; axis < 3; axis++) {
        if (!(settings->gravity[axis] >= -1000 && settings->gravity[axis] <= 1000)) {
            return sim_fault_set(fault, SIM_INVALID, "gravity", "%g m/s^2; must be in [-1000, 1000]",
                                 settings->gravity[axis]);
        }
    }
    if (settings->substeps < 1 || settings->substeps > 1000) {
        return sim_fault_set(fault, SIM_INVALID, "substeps", "%u; must be in [1, 1000]", settings->substeps);
    }
    if (settings->iterations < 1 || settings->iterations > 1000) {
        return sim_fault_set(fault, SIM_INVALID, "iterations", "%u; must be in [1, 1000]",
                             settings->iterations);
    }
    if (!(settings->damping >= 0 && settings->damping <= 1e6)) {
        return sim_fault_set(fault, SIM_INVALID, "damping", "%g 1/s; must be in [0, 1e+06]",
                             settings->damping);
    }
    if (!(settings->extent >= 1 && settings->extent <= 1e9)) {
        return sim_fault_set(fault, SIM_INVALID, "extent", "%g m; must be in [1, 1e+09]", settings->extent);
    }
    return SIM_OK;
}

enum sim_status sim_settings_set(struct sim *sim, const struct sim_settings *settings,
                                 struct sim_fault *fault)
{
    enum sim_status status = settings_check(settings, fault);
    if (status != SIM_OK) {
        return status;
    }
    if (!sim_contacts_reserve(sim, settings->iterations, sim->shape_count) ||
        !sim_multipliers_reserve(sim, settings->iterations, sim->multipliers_wanted)) {
        return sim_fault_memory(fault);
    }
    bool iterations_change = settings->iterations != sim->settings.iterations;
    uint32_t tick_rate = sim->settings.tick_rate;
    sim->settings = *settings;
    sim->settings.tick_rate = tick_rate;
    sim->settings.resolution = sim->q;
    for (int kind = 0; iterations_change && kind < SIM_KIND_COUNT; kind++) {
        sim_store_stiffness_update(&sim->stores[kind], settings->iterations);
    }
    return SIM_OK;
}

uint32_t sim_particle_count(const struct sim *sim)
{
    return sim->particle_count;
}

void sim_place(struct sim *sim, uint32_t row, const int64_t x[3])
{
    for (int axis = 0; axis < 3; axis++) {
        sim->positions[row][axis] = x[axis];
        sim->rows[row].x[axis] = (int32_t)(uint32_t)(uint64_t)x[axis];
    }
}

// --------------------------------------------------------------------------------------------- attaching

static bool rows_reserve(struct sim *sim, uint64_t need)
{
    if (need <= sim->row_capacity) {
        return true;
    }
    uint64_t grown = sim->row_capacity + sim->row_capacity / 2;
    grown = grown < need ? need : grown;
    if (grown > UINT32_MAX) {
        return false;
    }
    struct {
        void **items;
        size_t item_size;
        bool wanted;
    } arrays[] = {
        {(void **)&sim->rows, sizeof *sim->rows, true},
        {(void **)&sim->predicted, sizeof *sim->predicted, true},
        {(void **)&sim->previous, sizeof *sim->previous, true},
        {(void **)&sim->velocities, sizeof *sim->velocities, true},
        {(void **)&sim->positions, sizeof *sim->positions, true},
        {(void **)&sim->contacts, sizeof *sim->contacts, sim->contacts != NULL},
        {(void **)&sim->loose_colors[SIM_DISTANCE], sizeof(uint64_t),
         sim->loose_colors[SIM_DISTANCE] != NULL},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (!arrays[i].wanted) {
            continue;
        }
        char *moved = realloc(*arrays[i].items, (size_t)grown * arrays[i].item_size);
        if (moved == NULL) {
            return false;
        }
        memset(moved + sim->row_capacity * arrays[i].item_size, 0,
               (size_t)(grown - sim->row_capacity) * arrays[i].item_size);
        *arrays[i].items = moved;
    }
    sim->row_capacity = (uint32_t)grown;
    return true;
}

// First gap that holds `count` rows, or the end. Row 0 is the dummy.
static uint32_t find_gap(const struct sim *sim, uint32_t count, uint32_t *position)
{
    uint32_t start = 1, p = 0;
    for (; p < sim->body_count; p++) {
        if (sim->by_row[p]->first_row - start >= count) {
            break;
        }
        start = sim->by_row[p]->first_row + sim->by_row[p]->count;
    }
    *position = p;
    return start;
}

// All memory that attaching needs, so that what follows cannot fail. Id ranges get their slots from the plan.
static bool attach_reserve(struct sim *sim, const struct sim_body *body, const struct sim_body_plan *plan,
                           uint32_t start)
{
    uint32_t tiles = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        tiles += body->tile_count[kind];
        if (!sim_store_reserve(&sim->stores[kind], plan->stores[kind].count)) {
            return false;
        }
    }
    return rows_reserve(sim, (uint64_t)start + body->count) &&
           sim_reserve((void **)&sim->bodies, &sim->body_capacity, (uint64_t)sim->body_count + 1,
                       sizeof *sim->bodies) &&
           sim_reserve((void **)&sim->by_row, &sim->by_row_capacity, (uint64_t)sim->body_count + 1,
                       sizeof *sim->by_row) &&
           sim_reserve((void **)&sim->ranges, &sim->range_capacity,
                       (uint64_t)sim->range_count + SIM_KIND_COUNT, sizeof *sim->ranges) &&
           sim_plan_reserve(sim, tiles, body->count / SIM_CHUNK_ROWS + 1);
}

static void place_particle(struct sim *sim, const struct sim_body *body, uint32_t index)
{
    uint32_t row = body->first_row + body->row_of[index];
    sim_place(sim, row, body->rest[index]);
    for (int axis = 0; axis < 3; axis++) {
        sim->velocities[row].v[axis] =
            body->velocities == NULL ? 0 : body->velocities[3 * (size_t)index + axis];
    }
}

static void attach_constraints(struct sim *sim, struct sim_body_plan *plan, struct sim_body *body,
                               struct sim_body_added *added)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        uint32_t count = body->constraint_count[kind];
        added->constraint_count[kind] = count;
        added->constraint_first[kind] = 0;
        if (count == 0) {
            continue;
        }
        uint32_t first = sim->next_constraint;
        struct sim_store *store = &sim->stores[kind];
        uint32_t base = sim_store_append(store, &plan->stores[kind], body->first_row, first - 1);
        for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
            struct sim_tile *tile = &body->tiles[kind][t];
            tile->body = body->id;
            for (uint32_t i = 0; i < tile->order_count; i++) {
                tile->order[i] += base;
            }
        }
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
        if (body->stretch.stiffness >= 0) {
            sim_store_stiffness_update(store, sim->settings.iterations);
        }
    }
}

enum sim_status sim_body_attach(struct sim *sim, struct sim_body_plan *plan, struct sim_body_added *added,
                                struct sim_fault *fault)
{
    struct sim_body *body = plan->body;
    BASE_ASSERT(plan->resolution == sim->q);
    uint64_t constraints = 0;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        constraints += body->constraint_count[kind];
    }
    if (sim->body_count >= sim->limits.bodies) {
        return sim_fault_set(fault, SIM_LIMIT, NULL, "the world holds %u bodies, as many as it may",
                             sim->body_count);
    }
    if ((uint64_t)sim->particle_count + body->count > sim->limits.particles) {
        return sim_fault_set(fault, SIM_LIMIT, "positions",
                             "%u particles more than the %u there are would pass %u", body->count,
                             sim->particle_count, sim->limits.particles);
    }
    if (sim->constraint_count + constraints > sim->limits.constraints) {
        return sim_fault_set(fault, SIM_LIMIT, NULL,
                             "%u constraints more than the %u there are would pass %u", (unsigned)constraints,
                             sim->constraint_count, sim->limits.constraints);
    }
    if (sim->next_body == UINT32_MAX || (uint64_t)sim->next_constraint + constraints > UINT32_MAX) {
        return sim_fault_set(fault, SIM_LIMIT, NULL, "the world has used up its ids");
    }
    uint32_t position, start = find_gap(sim, body->count, &position);
    if (!attach_reserve(sim, body, plan, start)) {
        return sim_fault_memory(fault);
    }

    body->id = added->body = sim->next_body++;
    body->first_row = start;
    sim->row_end = start + body->count > sim->row_end ? start + body->count : sim->row_end;
    sim->bodies[sim->body_count] = body;
    memmove(sim->by_row + position + 1, sim->by_row + position,
            (sim->body_count - position) * sizeof *sim->by_row);
    sim->by_row[position] = body;
    sim->body_count++;
    sim->particle_count += body->count;
    for (uint32_t i = 0; i < body->count; i++) {
        place_particle(sim, body, i);
        sim->rows[start + body->row_of[i]].w = plan->inverse_masses[i];
        if (sim->loose_colors[SIM_DISTANCE] != NULL) {
            sim->loose_colors[SIM_DISTANCE][start + body->row_of[i]] = 0;
        }
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        sim->rows[start + body->row_of[body->pins[p].index]].w = 0;
    }
    attach_constraints(sim, plan, body, added);
    plan->body = NULL;
    sim_body_plan_destroy(plan);
    sim_plan_rebuild(sim);
    return SIM_OK;
}

// ---------------------------------------------------------------------------------------------- removing

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
                if (!sim_reserve((void **)ids, &capacity, (uint64_t)*count + 1, sizeof **ids)) {
                    return false;
                }
                (*ids)[(*count)++] = constraint.id;
            }
        }
    }
    return true;
}

enum sim_status sim_body_remove(struct sim *sim, uint32_t id, uint32_t **removed, uint32_t *removed_count,
                                struct sim_fault *fault)
{
    *removed = NULL;
    *removed_count = 0;
    struct sim_body *body = sim_body_find(sim, id);
    if (body == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "body", "body %u does not exist", id);
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
    for (uint32_t r = sim->range_count; r > 0; r--) {
        struct sim_id_range *range = &sim->ranges[r - 1];
        if (range->body != id) {
            continue;
        }
        for (uint32_t i = 0; i < range->count; i++) {
            if (range->slots[i] != SIM_GONE) {
                sim_store_vacate(&sim->stores[range->kind], range->slots[i]);
                sim->constraint_count--;
            }
        }
        free(range->slots);
        memmove(range, range + 1, (sim->range_count - r) * sizeof *range);
        sim->range_count--;
    }
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
    sim_plan_rebuild(sim);
    return SIM_OK;
}

enum sim_status sim_body_set(struct sim *sim, uint32_t id, const struct sim_material *stretch,
                             const double *thickness, struct sim_fault *fault)
{
    struct sim_body *body = sim_body_find(sim, id);
    if (body == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "body", "body %u does not exist", id);
    }
    enum sim_status status = stretch != NULL ? sim_material_check(stretch, fault) : SIM_OK;
    status = status == SIM_OK && thickness != NULL ? sim_thickness_check(*thickness, fault) : status;
    if (status != SIM_OK) {
        return status;
    }
    if (stretch != NULL) {
        // A material of the whole body changes batches as they stand: none of them mixes flavours.
        struct sim_store *store = &sim->stores[SIM_DISTANCE];
        struct sim_values values = {
            .compliance = (float)stretch->compliance,
            .damping = (float)stretch->damping,
            .stiffness = stretch->stiffness >= 0 ? (float)stretch->stiffness : -1,
        };
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            const struct sim_tile *tile = &body->tiles[SIM_DISTANCE][t];
            for (uint32_t i = 0; i < tile->order_count; i++) {
                sim_store_batch_set(store, tile->order[i], &values, sim->settings.iterations);
            }
        }
        body->stretch = *stretch;
    }
    if (thickness != NULL) {
        body->thickness = *thickness;
    }
    return SIM_OK;
}

void sim_reset(struct sim *sim)
{
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        for (uint32_t i = 0; i < body->count; i++) {
            place_particle(sim, body, i);
        }
        for (uint32_t p = 0; p < body->pin_count; p++) {
            struct sim_pin *pin = &body->pins[p];
            memcpy(pin->from, body->rest[pin->index], sizeof pin->from);
            memcpy(pin->to, body->rest[pin->index], sizeof pin->to);
        }
    }
    sim->grab_count = 0;
    sim->placed = true; // links between bodies may be long again
}
