// Loose constraints that come back, or become what they were.
//
// Those of the serial colour are solved in order of id: one that comes back goes between those that have stayed.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/restore/restore.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

struct coming {
    const struct sim_image_constraints *batch;
    uint32_t *rows; // of each, stencil
    struct sim_values *values;
    uint8_t *colors;
    uint32_t *slots; // of those that live; SIM_GONE
    uint32_t fresh;  // that do not
    bool flavored;
};

static bool coming_init(struct coming *coming, const struct sim_image_constraints *batch)
{
    size_t count = batch->count;
    *coming = (struct coming){
        .batch = batch,
        .rows = malloc(count * sim_stencil_size(batch->kind) * sizeof *coming->rows),
        .values = malloc(count * sizeof *coming->values),
        .colors = malloc(count),
        .slots = malloc(count * sizeof *coming->slots),
    };
    return coming->rows && coming->values && coming->colors && coming->slots;
}

static void coming_deinit(struct coming *coming)
{
    free(coming->rows);
    free(coming->values);
    free(coming->colors);
    free(coming->slots);
}

// Finds those that live, which must be where the others are to go.
static enum fault_code check_ids(const struct sim *sim, struct coming *coming, struct fault *fault)
{
    const struct sim_image_constraints *batch = coming->batch;
    uint32_t stencil = sim_stencil_size(batch->kind);
    for (uint32_t c = 0; c < batch->count; c++) {
        struct sim_id_range *range;
        uint32_t rows[SIM_STENCIL_MAX];
        if (batch->ids[c] >= sim->next_constraint) {
            return fault_code_set(fault, FAULT_INVALID, "constraints",
                                  "element %u is %u; must be below the next id, %u", c, batch->ids[c],
                                  sim->next_constraint);
        }
        if (!sim_slot_of(sim, batch->ids[c], &range, &coming->slots[c])) {
            coming->fresh++;
            continue;
        }
        bool same = range->body == 0 && range->kind == batch->kind;
        if (same) {
            sim_store_rows(&sim->stores[batch->kind], coming->slots[c], rows);
            same = memcmp(rows, coming->rows + (size_t)c * stencil, stencil * sizeof *rows) == 0;
        }
        if (!same) {
            return fault_code_set(fault, FAULT_CONFLICT, "constraints",
                                  "element %u is %u, the id of another constraint", c, batch->ids[c]);
        }
    }
    return FAULT_NONE;
}

static enum fault_code check_values(const struct sim *sim, struct coming *coming, struct fault *fault)
{
    const struct sim_image_constraints *batch = coming->batch;
    enum fault_code status = FAULT_NONE;
    for (uint32_t c = 0; status == FAULT_NONE && c < batch->count; c++) {
        struct sim_values *values = &coming->values[c];
        *values = (struct sim_values){.stiffness = -1};
        status = sim_shape_take(sim, batch->kind, c, batch->shapes,
                                coming->rows + (size_t)c * sim_stencil_size(batch->kind), values, fault);
        status = status != FAULT_NONE ? status
                                      : sim_values_from(sim, batch->kind, c, &batch->values, values, fault);
        coming->flavored = coming->flavored || sim_flavor_of(values) != SIM_PLAIN;
    }
    return status;
}

static enum fault_code check(struct sim *sim, struct coming *coming, struct fault *fault)
{
    const struct sim_image_constraints *batch = coming->batch;
    enum fault_code status = sim_stencil_rows(sim, batch->kind, batch->count, batch->bodies, batch->particles,
                                              coming->rows, fault);
    status = status != FAULT_NONE ? status : check_ids(sim, coming, fault);
    status = status != FAULT_NONE ? status : check_values(sim, coming, fault);
    if (status == FAULT_NONE && batch->kind == SIM_SLIDE_RAIL) {
        status = sim_rails_room(sim, batch->count, batch->particles, coming->slots, fault);
    }
    if (status == FAULT_NONE && (uint64_t)sim->constraint_count + coming->fresh > sim->limits.constraints) {
        status = fault_code_set(fault, FAULT_LIMIT, "constraints",
                                "%u constraints more than the %u there are would pass %u", coming->fresh,
                                sim->constraint_count, sim->limits.constraints);
    }
    const struct sim_more more = {.constraints = coming->fresh};
    return status != FAULT_NONE ? status : sim_work_check(sim, NULL, &sim->settings, &more, fault);
}

// Gives each its colour. Returns how many batches hold them, if none has room now.
static uint32_t color_coming(struct sim *sim, struct coming *coming)
{
    const struct sim_image_constraints *batch = coming->batch;
    uint32_t stencil = sim_stencil_size(batch->kind), batches = 0;
    uint32_t counts[SIM_SERIAL + 1][SIM_FLAVOR_COUNT] = {0};
    uint64_t *used = sim->loose_colors[batch->kind];
    for (uint32_t c = 0; c < batch->count; c++) {
        const uint32_t *corner = coming->rows + (size_t)c * stencil;
        uint32_t color = batch->colors[c];
        uint64_t taken = 0;
        for (uint32_t k = 0; k < stencil; k++) {
            taken |= used[corner[k]];
        }
        if (coming->slots[c] != SIM_GONE) {
            color = sim_batch_meta(&sim->stores[batch->kind], coming->slots[c] / SIM_LANES)->color;
        } else if (color < SIM_SERIAL && (taken & UINT64_C(1) << color) != 0) {
            color = ~taken == 0 ? SIM_SERIAL : (uint32_t)__builtin_ctzll(~taken);
        }
        for (uint32_t k = 0; color < SIM_SERIAL && k < stencil; k++) {
            used[corner[k]] |= UINT64_C(1) << color;
        }
        coming->colors[c] = (uint8_t)color;
        uint32_t before = counts[color][sim_flavor_of(&coming->values[c])]++;
        batches += color == SIM_SERIAL || before % SIM_LANES == 0;
    }
    return batches;
}

static void uncolor_coming(struct sim *sim, const struct coming *coming)
{
    enum sim_kind kind = coming->batch->kind;
    uint32_t stencil = sim_stencil_size(kind);
    for (uint32_t c = 0; c < coming->batch->count; c++) {
        bool fresh = coming->slots[c] == SIM_GONE && coming->colors[c] < SIM_SERIAL;
        for (uint32_t k = 0; fresh && k < stencil; k++) {
            sim->loose_colors[kind][coming->rows[(size_t)c * stencil + k]] &=
                ~(UINT64_C(1) << coming->colors[c]);
        }
    }
}

// Colours them and makes room. On failure nothing has changed.
static enum fault_code reserve(struct sim *sim, struct coming *coming, struct fault *fault)
{
    const struct sim_image_constraints *batch = coming->batch;
    struct sim_store *store = &sim->stores[batch->kind];
    if (!sim_loose_reserve(sim, batch->kind, coming->flavored)) {
        return sim_fault_memory(fault);
    }
    uint32_t batches = color_coming(sim, coming);
    enum fault_code status = sim_store_reserve(store, batches) &&
                                     (batch->kind != SIM_JOINT || sim_jointed_reserve(sim, batches)) &&
                                     sim_tile_edit_reserve(store, &sim->loose[batch->kind], batches) &&
                                     sim_sleepers_reserve(sim)
                                 ? sim_ids_open(sim, batch->kind, batch->ids, batch->count, fault)
                                 : sim_fault_memory(fault);
    if (status != FAULT_NONE) {
        uncolor_coming(sim, coming);
        sim_ranges_tidy(sim);
    }
    return status;
}

static uint32_t id_of(const struct sim_store *store, uint32_t batch)
{
    uint32_t lane = 0;
    while (lane < SIM_LANES - 1 && sim_batch_ids(store, batch)[lane] == 0) {
        lane++;
    }
    return sim_batch_ids(store, batch)[lane];
}

// Batches of the serial colour, one constraint each, stand last in a tile: those that stayed by id, and behind them
// those that came by id.
static void serial_merge(const struct sim_store *store, struct sim_tile *tile)
{
    uint32_t first = tile->order_count, middle, kept = 0;
    while (first > 0 && sim_batch_meta(store, tile->order[first - 1])->color == SIM_SERIAL) {
        first--;
    }
    for (middle = first + 1; middle < tile->order_count &&
                             id_of(store, tile->order[middle - 1]) < id_of(store, tile->order[middle]);) {
        middle++;
    }
    uint32_t a = first, b = middle;
    while (middle < tile->order_count && (a < middle || b < tile->order_count)) {
        bool stayed = b == tile->order_count ||
                      (a < middle && id_of(store, tile->order[a]) < id_of(store, tile->order[b]));
        tile->spare[kept++] = tile->order[stayed ? a++ : b++];
    }
    if (kept > 0) {
        memcpy(tile->order + first, tile->spare, kept * sizeof *tile->order);
    }
}

static void place(struct sim *sim, const struct coming *coming)
{
    const struct sim_image_constraints *batch = coming->batch;
    struct sim_store *store = &sim->stores[batch->kind];
    struct sim_tile *tile = &sim->loose[batch->kind];
    for (uint32_t c = 0; c < batch->count; c++) {
        struct sim_id_range *range = sim_range_of(sim, batch->ids[c]);
        bool fresh = coming->slots[c] == SIM_GONE;
        if (!fresh && sim_goes_on(batch->kind) && !batch->sides_return) {
            struct sim_values now;
            sim_store_values(store, coming->slots[c], &now);
            (sim_slides(batch->kind) ? sim_slide_goes_on : sim_rail_goes_on)(&now, &coming->values[c]);
        }
        range->slots[batch->ids[c] - range->first] =
            fresh ? sim_store_place(store, tile, coming->colors[c], batch->ids[c],
                                    coming->rows + (size_t)c * store->stencil, &coming->values[c],
                                    sim->settings.iterations)
                  : sim_store_change(store, coming->slots[c], &coming->values[c], sim->settings.iterations);
        range->live += fresh;
    }
    sim->constraint_count += coming->fresh;
    sim->solved = sim->derived_known = false;
    sim->placed = true;
    sim_stores_settle(sim);
    serial_merge(store, tile);
    sim_slides_reserve(sim);
    sim_stores_trim(sim);
    sim_plan_rebuild(sim);
}

static enum fault_code restore(struct sim *sim, const struct sim_image_constraints *batch,
                               struct fault *fault)
{
    struct coming coming;
    enum fault_code status = sim_image_batch_check(batch, fault);
    if (status != FAULT_NONE) {
        return status;
    }
    status = coming_init(&coming, batch) ? check(sim, &coming, fault) : sim_fault_memory(fault);
    status = status != FAULT_NONE ? status : reserve(sim, &coming, fault);
    if (status == FAULT_NONE) {
        place(sim, &coming);
    }
    coming_deinit(&coming);
    return status;
}

enum fault_code sim_loose_restore(struct sim *sim, const struct sim_image_constraints *batch,
                                  struct fault *fault)
{
    if (batch->count == 0) {
        return FAULT_NONE;
    }
    if ((uint32_t)batch->kind >= SIM_KIND_COUNT || !batch->ids) {
        return fault_code_set(fault, FAULT_INVALID, "constraints",
                              "must be of a kind that there is, with ids");
    }
    if (batch->fields == 0) {
        return restore(sim, batch, fault);
    }
    struct sim_image_constraints whole = *batch;
    struct sim_image image = {0};
    enum fault_code status = sim_loose_merge(sim, &image, &whole, fault);
    status = status != FAULT_NONE ? status : restore(sim, &whole, fault);
    sim_image_deinit(&image);
    return status;
}
