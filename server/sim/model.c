// The world of the solver: settings, bodies coming and going, and what is read of them.

#include "base/assert.h"
#include "base/grow.h"
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
    sim->kernels = sim_kernels_of(sim_isa_chosen());
    sim->hash = base_hash_create();
    sim->settings = *settings;
    sim->limits = *limits;
    sim->q = settings->resolution;
    sim->inv_q = 1 / settings->resolution;
    sim->next_body = sim->next_constraint = sim->next_grab = sim->next_collider = sim->next_motion = 1;
    for (uint32_t kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_init(&sim->stores[kind], kind);
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        sim->loose[kind].kind = kind;
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
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        sim_store_deinit(&sim->stores[kind]);
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        free(sim->loose[kind].order);
        base_grow_free(sim->loose_colors[kind]);
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        free(sim->ranges[r].slots);
    }
    sim_drives_destroy(sim);
    base_hash_destroy(sim->hash);
    free(sim->ranges);
    free(sim->bodies);
    free(sim->by_row);
    base_grow_free(sim->rows);
    base_grow_free(sim->predicted);
    base_grow_free(sim->previous);
    base_grow_free(sim->velocities);
    base_grow_free(sim->positions);
    base_grow_free(sim->contacts);
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
    const struct sim_wind *wind = &settings->wind;
    for (int axis = 0; axis < 3; axis++) {
        if (!(wind->velocity[axis] >= -300 && wind->velocity[axis] <= 300)) {
            return sim_fault_set(fault, SIM_INVALID, "wind.velocity", "%g m/s; must be in [-300, 300]",
                                 wind->velocity[axis]);
        }
    }
    if (!(wind->drag >= 0 && wind->drag <= 100 && wind->lift >= 0 && wind->lift <= 100)) {
        return sim_fault_set(fault, SIM_INVALID, "wind", "drag %g and lift %g; must be in [0, 100]",
                             wind->drag, wind->lift);
    }
    if (!(wind->density >= 0 && wind->density <= 10000)) {
        return sim_fault_set(fault, SIM_INVALID, "wind.density", "%g kg/m^3; must be in [0, 10000]",
                             wind->density);
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
    uint64_t from = sim->row_capacity, to = from + from / 2;
    if (need <= from) {
        return true;
    }
    to = to < need ? need : to;
    if (to > UINT32_MAX / SIM_ROW_BYTES) {
        return false;
    }
    struct {
        void **items;
        size_t item_size;
        bool wanted;
    } arrays[] = {
        {(void **)&sim->rows, sizeof *sim->rows, true},
        {(void **)&sim->predicted, sizeof *sim->predicted, true},
        {(void **)&sim->previous, sizeof *sim->previous, sim->previous != NULL},
        {(void **)&sim->velocities, sizeof *sim->velocities, true},
        {(void **)&sim->positions, sizeof *sim->positions, true},
        {(void **)&sim->contacts, sizeof *sim->contacts, sim->contacts != NULL},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i].wanted && !base_grow(arrays[i].items, to * arrays[i].item_size)) {
            return false;
        }
    }
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        void **colors = (void **)&sim->loose_colors[kind];
        if (*colors != NULL && !base_grow(colors, to * sizeof(uint64_t))) {
            return false;
        }
    }
    sim->row_capacity = (uint32_t)to;
    return true;
}

bool sim_previous_reserve(struct sim *sim)
{
    return base_grow((void **)&sim->previous, sim->row_capacity * sizeof *sim->previous);
}

// First gap that holds `count` rows, or the end. The first four are static.
static uint32_t find_gap(const struct sim *sim, uint32_t count, uint32_t *position)
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

// All memory that attaching needs, so that what follows cannot fail. Id ranges get their slots from the plan.
static bool attach_reserve(struct sim *sim, const struct sim_body *body, const struct sim_body_plan *plan,
                           uint32_t start)
{
    uint32_t tiles = 0;
    for (int kind = 0; kind < SIM_STORE_COUNT; kind++) {
        tiles += body->tile_count[kind];
        bool damped = plan->stores[kind].damping != NULL;
        if (!sim_store_reserve(&sim->stores[kind], plan->stores[kind].count) ||
            (damped && !(sim_store_damping_reserve(&sim->stores[kind]) && sim_previous_reserve(sim)))) {
            return false;
        }
    }
    return rows_reserve(sim, (uint64_t)start + sim_body_rows(body->count)) &&
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
    int64_t rest[3];
    sim_rest_of(body, index, rest);
    sim_place(sim, row, rest);
    for (int axis = 0; axis < 3; axis++) {
        sim->velocities[row].v[axis] =
            body->velocities == NULL ? 0 : body->velocities[3 * (size_t)index + axis];
    }
}

// Takes over the batches of one store, and its tiles; returns where they begin.
static uint32_t attach_store(struct sim *sim, struct sim_body_plan *plan, struct sim_body *body,
                             uint32_t kind, uint32_t id_offset)
{
    uint32_t base = sim_store_append(&sim->stores[kind], &plan->stores[kind], body->first_row, id_offset);
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        struct sim_tile *tile = &body->tiles[kind][t];
        tile->body = body->id;
        tile->idle_row += body->first_row;
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
        attach_store(sim, plan, body, SIM_GUSTS, 0);
    }
    for (uint32_t kind = 0; kind < SIM_KIND_COUNT; kind++) {
        uint32_t count = body->constraint_count[kind];
        if (count == 0) {
            continue;
        }
        uint32_t first = sim->next_constraint;
        uint32_t base = attach_store(sim, plan, body, kind, first - 1);
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
        sim_store_stiffness_update(&sim->stores[kind], sim->settings.iterations);
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
    uint32_t position, start = find_gap(sim, sim_body_rows(body->count), &position);
    if (!attach_reserve(sim, body, plan, start)) {
        return sim_fault_memory(fault);
    }

    body->id = added->body = sim->next_body++;
    body->first_row = start;
    uint32_t end = start + sim_body_rows(body->count);
    sim->row_end = end > sim->row_end ? end : sim->row_end;
    sim->bodies[sim->body_count] = body;
    memmove(sim->by_row + position + 1, sim->by_row + position,
            (sim->body_count - position) * sizeof *sim->by_row);
    sim->by_row[position] = body;
    sim->body_count++;
    sim->particle_count += body->count;
    for (uint32_t i = 0; i < body->count; i++) {
        place_particle(sim, body, i);
        sim->rows[start + body->row_of[i]].w = plan->inverse_masses[i];
        for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
            if (sim->loose_colors[kind] != NULL) {
                sim->loose_colors[kind][start + body->row_of[i]] = 0;
            }
        }
    }
    for (uint32_t p = 0; p < body->pin_count; p++) {
        sim->rows[start + body->row_of[body->pins[p].index]].w = 0;
    }
    for (uint32_t row = start + body->count; row < end; row++) {
        sim->rows[row] = (struct sim_row){0};
        sim->velocities[row] = (struct sim_velocity){0};
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

// Nobody names a triangle of the wind, so its batches are emptied as they stand in the tiles.
static void gusts_vacate(struct sim *sim, struct sim_body *body)
{
    struct sim_store *store = &sim->stores[SIM_GUSTS];
    for (uint32_t t = 0; t < body->tile_count[SIM_GUSTS]; t++) {
        const struct sim_tile *tile = &body->tiles[SIM_GUSTS][t];
        while (tile->order_count > 0) {
            uint32_t batch = tile->order[tile->order_count - 1];
            for (uint32_t lane = SIM_LANES; lane > 0; lane--) {
                if (store->ids[batch][lane - 1] != 0) {
                    sim_store_vacate(store, batch * SIM_LANES + lane - 1);
                }
            }
        }
    }
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
    gusts_vacate(sim, body);
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
    sim_plan_rebuild(sim);
    return SIM_OK;
}

// A material of the whole body changes batches as they stand: afterwards none of them mixes flavours.
static void material_set(struct sim *sim, struct sim_body *body, uint32_t kind,
                         const struct sim_material *material)
{
    struct sim_values values = {
        .compliance = (float)material->compliance,
        .damping = (float)material->damping,
        .stiffness = material->stiffness >= 0 ? (float)material->stiffness : -1,
    };
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        const struct sim_tile *tile = &body->tiles[kind][t];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            sim_store_batch_set(&sim->stores[kind], tile->order[i], &values, sim->settings.iterations);
        }
    }
}

enum sim_status sim_body_set(struct sim *sim, uint32_t id, const struct sim_body_change *change,
                             struct sim_fault *fault)
{
    struct sim_body *body = sim_body_find(sim, id);
    if (body == NULL) {
        return sim_fault_set(fault, SIM_NOT_FOUND, "body", "body %u does not exist", id);
    }
    struct {
        const struct sim_material *material;
        struct sim_material *own;
        const char *const *fields;
        uint32_t first_kind, last_kind;
    } parts[] = {
        {change->stretch, &body->stretch, sim_stretch_fields, SIM_DISTANCE, SIM_DISTANCE},
        {change->bend, &body->bend, sim_bend_fields, SIM_DIHEDRAL, SIM_QUADRATIC},
        {change->volume, &body->volume, sim_volume_fields, SIM_VOLUME, SIM_VOLUME},
    };
    for (int p = 0; p < 3; p++) {
        enum sim_status status = parts[p].material == NULL
                                     ? SIM_OK
                                     : sim_material_check(parts[p].fields, parts[p].material, fault);
        if (status != SIM_OK) {
            return status;
        }
    }
    if (change->thickness != NULL) {
        enum sim_status status = sim_thickness_check(*change->thickness, fault);
        if (status != SIM_OK) {
            return status;
        }
    }
    for (int p = 0; p < 3; p++) {
        const struct sim_material *material = parts[p].material;
        bool flavored = material != NULL && (material->damping > 0 || material->stiffness >= 0);
        for (uint32_t kind = parts[p].first_kind; flavored && kind <= parts[p].last_kind; kind++) {
            if (!sim_store_damping_reserve(&sim->stores[kind]) || !sim_previous_reserve(sim)) {
                return sim_fault_memory(fault);
            }
        }
    }
    for (int p = 0; p < 3; p++) {
        for (uint32_t kind = parts[p].first_kind; parts[p].material != NULL && kind <= parts[p].last_kind;
             kind++) {
            material_set(sim, body, kind, parts[p].material);
        }
        if (parts[p].material != NULL) {
            *parts[p].own = *parts[p].material;
        }
    }
    if (change->thickness != NULL) {
        body->thickness = *change->thickness;
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
            sim_rest_of(body, pin->index, pin->from);
            sim_rest_of(body, pin->index, pin->to);
        }
    }
    sim_drives_reset(sim);
    sim->grab_count = 0;
    sim->placed = true; // links between bodies may be long again
}
