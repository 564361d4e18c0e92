// The part of an image about constraints: values of their own, those that are gone, and places that history gave.
//
// Nothing of it is trusted. Places must be such that constraints of one colour of a tile share no particle, and that
// tiles of one colour share none: the solver's threads and lanes rest on it. A colour is also no higher than the
// constraints that came before at the same particles can have made it, so that no image takes more memory than edits
// could.

#include "base/assert.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/image/image.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// Ids of a range, ascending, each of a constraint that lives still.
static enum fault_code check_ids(const struct sim_id_range *range, const char *field, const uint32_t *ids,
                                 uint32_t count, struct fault *fault)
{
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] < range->first || ids[i] - range->first >= range->count) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "element %u names constraint %u; the body has %u of this kind, from %u on",
                                  i, ids[i], range->count, range->first);
        }
        if (i > 0 && ids[i] <= ids[i - 1]) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "element %u is %u; must be above the one before it", i, ids[i]);
        }
        if (range->slots[ids[i] - range->first] == SIM_GONE) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "element %u names constraint %u, which is removed", i, ids[i]);
        }
    }
    return FAULT_NONE;
}

static enum fault_code apply_changed(struct sim *sim, const struct sim_body *body, struct sim_id_range *range,
                                     const struct sim_image_history *history, struct fault *fault)
{
    struct sim_store *store = &sim->stores[range->kind];
    const struct sim_constraint_values given = {.rest = history->rest,
                                                .compliance = history->compliance,
                                                .damping = history->damping,
                                                .stiffness = history->stiffness};
    bool shaped = !sim_kind_rows[range->kind]->rest_most;
    const uint32_t size = sim_flow_size(range->kind);
    const float *flows = size > 0 ? history->shapes : NULL;
    if (history->changed_count > 0 &&
        (!given.compliance || !given.damping || !given.stiffness || (!given.rest) != shaped)) {
        return fault_code_set(fault, FAULT_INVALID, "changed", "needs compliance, damping, stiffness%s",
                              shaped ? " and no rest" : " and rest");
    }
    enum fault_code status = check_ids(range, "changed", history->changed, history->changed_count, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < history->changed_count; i++) {
        uint32_t *slot = &range->slots[history->changed[i] - range->first];
        struct sim_values values;
        sim_store_values(store, *slot, &values);
        status = sim_values_from(sim, range->kind, i, &given, &values, fault);
        if (status == FAULT_NONE && flows) {
            status = sim_flow_check(sim, range->kind, i, flows + (size_t)size * i, *slot, fault);
        }
        if (status == FAULT_NONE &&
            (!sim_store_reserve(store, 1) ||
             !sim_tile_edit_reserve(store, sim_batch_meta(store, *slot / SIM_LANES)->tile, 1) ||
             (sim_flavor_of(&values) != SIM_PLAIN && !sim_store_damping_reserve(store)))) {
            status = sim_fault_memory(fault);
        }
        if (status == FAULT_NONE) {
            *slot = sim_store_change(store, *slot, &values, sim->settings.iterations);
            if (flows) {
                sim_flow_put(sim, body, range->kind, *slot, flows + (size_t)size * i);
            }
        }
    }
    return status;
}

// -------------------------------------------------------------------------------------------------- places

// The living constraints of a range by tile, and within one by id.
struct places {
    uint32_t count, tile_count, stencil;
    uint32_t *starts; // by tile, and the end
    uint32_t *list;   // places in the range's order of living ones
    uint32_t *slots, *tiles;
    uint8_t *heights; // highest colour that each may have
    uint64_t *used;   // by row of the body
    uint32_t *seen, *owner;
};

static void places_deinit(struct places *places)
{
    free(places->starts);
    free(places->list);
    free(places->slots);
    free(places->tiles);
    free(places->heights);
    free(places->used);
    free(places->seen);
    free(places->owner);
}

static uint32_t tile_of(const struct sim_body *body, const uint32_t *rows, uint32_t stencil)
{
    uint32_t lowest = UINT32_MAX;
    for (uint32_t k = 0; k < stencil; k++) {
        lowest = rows[k] - body->first_row < lowest ? rows[k] - body->first_row : lowest;
    }
    return lowest / sim_tile_rows(body->count);
}

static bool places_init(struct places *places, const struct sim *sim, const struct sim_body *body,
                        const struct sim_id_range *range, const uint8_t *heights)
{
    const struct sim_store *store = &sim->stores[range->kind];
    *places = (struct places){
        .count = range->live, .tile_count = body->tile_count[range->kind], .stencil = store->stencil};
    places->starts = calloc((size_t)places->tile_count + 2, sizeof *places->starts);
    places->list = malloc(((size_t)places->count + 1) * sizeof *places->list);
    places->slots = malloc(((size_t)places->count + 1) * sizeof *places->slots);
    places->tiles = malloc(((size_t)places->count + 1) * sizeof *places->tiles);
    places->heights = malloc((size_t)places->count + 1);
    places->used = calloc((size_t)body->count + 1, sizeof *places->used);
    places->seen = calloc((size_t)body->count + 1, sizeof *places->seen);
    places->owner = calloc((size_t)body->count + 1, sizeof *places->owner);
    if (!places->starts || !places->list || !places->slots || !places->tiles || !places->heights ||
        !places->used || !places->seen || !places->owner) {
        places_deinit(places);
        return false;
    }
    uint32_t found = 0, *starts = places->starts + 1;
    for (uint32_t i = 0; i < range->count; i++) {
        uint32_t rows[SIM_STENCIL_MAX];
        if (range->slots[i] != SIM_GONE) {
            sim_store_rows(store, range->slots[i], rows);
            places->slots[found] = range->slots[i];
            places->heights[found] = heights[i];
            places->tiles[found] = tile_of(body, rows, store->stencil);
            starts[places->tiles[found++]]++;
        }
    }
    for (uint32_t t = 0; t < places->tile_count; t++) {
        starts[t] += places->starts[t];
    }
    for (uint32_t c = places->count; c > 0; c--) {
        places->list[--starts[places->tiles[c - 1]]] = c - 1;
    }
    // Each start has come down to where its tile begins: one place further on than it is looked for.
    memmove(places->starts, starts, places->tile_count * sizeof *starts);
    places->starts[places->tile_count] = places->count;
    return true;
}

static enum fault_code check_tile(const struct sim *sim, const struct sim_body *body,
                                  const struct sim_image_history *history, struct places *places,
                                  enum sim_kind kind, uint32_t tile, struct fault *fault)
{
    enum fault_code status = FAULT_NONE;
    for (int pass = 0; pass < 2; pass++) { // the second one clears what the first has marked
        for (uint32_t i = places->starts[tile]; i < places->starts[tile + 1]; i++) {
            uint32_t c = places->list[i], color = history->colors[c], rows[SIM_STENCIL_MAX];
            uint64_t bit = color < SIM_SERIAL ? UINT64_C(1) << color : 0;
            sim_store_rows(&sim->stores[kind], places->slots[c], rows);
            for (uint32_t k = 0; k < places->stencil; k++) {
                uint64_t *used = &places->used[rows[k] - body->first_row];
                if (pass == 0 && (*used & bit) != 0) {
                    status = fault_code_set(
                        fault, FAULT_INVALID, "colors",
                        "element %u is %u, as that of another constraint at the same particle", c, color);
                }
                *used = pass == 0 ? *used | bit : 0;
            }
        }
    }
    return status;
}

// Tiles by colour: in each colour every row belongs to one tile at most.
static enum fault_code check_tile_colors(const struct sim *sim, const struct sim_body *body,
                                         const struct sim_image_history *history, struct places *places,
                                         enum sim_kind kind, struct fault *fault)
{
    uint64_t *keys = malloc(((size_t)places->tile_count + 1) * sizeof *keys);
    uint32_t *order = malloc(((size_t)places->tile_count + 1) * sizeof *order);
    enum fault_code status = !keys || !order ? sim_fault_memory(fault) : FAULT_NONE;
    for (uint32_t t = 0; status == FAULT_NONE && t < places->tile_count; t++) {
        keys[t] = history->tile_colors[t];
        order[t] = t;
        if (history->tile_colors[t] >= places->tile_count) { // there are no more colours than tiles
            status = fault_code_set(fault, FAULT_INVALID, "tile_colors", "element %u is %u; must be below %u",
                                    t, history->tile_colors[t], places->tile_count);
        }
    }
    if (status == FAULT_NONE && !sim_sort(keys, order, places->tile_count)) {
        status = sim_fault_memory(fault);
    }
    for (uint32_t o = 0; status == FAULT_NONE && o < places->tile_count; o++) {
        uint32_t tile = order[o], color = (uint32_t)keys[o];
        for (uint32_t i = places->starts[tile]; i < places->starts[tile + 1]; i++) {
            uint32_t rows[SIM_STENCIL_MAX];
            sim_store_rows(&sim->stores[kind], places->slots[places->list[i]], rows);
            for (uint32_t k = 0; k < places->stencil; k++) {
                uint32_t row = rows[k] - body->first_row;
                if (places->seen[row] == color + 1 && places->owner[row] != tile) {
                    status = fault_code_set(fault, FAULT_INVALID, "tile_colors",
                                            "element %u is %u, as that of a tile that shares a particle",
                                            tile, color);
                }
                places->seen[row] = color + 1;
                places->owner[row] = tile;
            }
        }
    }
    free(keys);
    free(order);
    return status;
}

static enum fault_code check_places(const struct sim *sim, const struct sim_body *body,
                                    const struct sim_image_history *history, struct places *places,
                                    enum sim_kind kind, struct fault *fault)
{
    for (uint32_t c = 0; c < places->count; c++) {
        if (history->colors[c] > places->heights[c]) {
            return fault_code_set(fault, FAULT_INVALID, "colors", "element %u is %u; must be at most %u", c,
                                  history->colors[c], places->heights[c]);
        }
    }
    enum fault_code status = FAULT_NONE;
    for (uint32_t t = 0; status == FAULT_NONE && t < places->tile_count; t++) {
        status = check_tile(sim, body, history, places, kind, t, fault);
    }
    return status != FAULT_NONE ? status : check_tile_colors(sim, body, history, places, kind, fault);
}

// Takes every constraint out and puts it where history had it.
static enum fault_code move_all(struct sim *sim, struct sim_body *body, struct sim_id_range *range,
                                const struct sim_image_history *history, const struct places *places,
                                struct fault *fault)
{
    struct sim_store *store = &sim->stores[range->kind];
    struct sim_values *values = malloc(((size_t)places->count + 1) * sizeof *values);
    uint32_t *rows = malloc(((size_t)places->count + 1) * places->stencil * sizeof *rows);
    bool done = values && rows;
    for (uint32_t c = 0; done && c < places->count; c++) {
        sim_store_values(store, places->slots[c], &values[c]);
        sim_store_rows(store, places->slots[c], rows + (size_t)c * places->stencil);
    }
    for (uint32_t c = 0; done && c < places->count; c++) {
        sim_store_vacate(store, places->slots[c]);
    }
    for (uint32_t i = 0, found = 0; done && i < range->count; i++) {
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        uint32_t c = found++;
        struct sim_tile *tile = &body->tiles[range->kind][places->tiles[c]];
        done = sim_store_reserve(store, 1) && sim_tile_edit_reserve(store, tile, 1);
        if (done) {
            range->slots[i] =
                sim_store_place(store, tile, (uint16_t)history->colors[c], range->first + i,
                                rows + (size_t)c * places->stencil, &values[c], sim->settings.iterations);
        }
    }
    for (uint32_t t = 0; t < places->tile_count; t++) {
        body->tiles[range->kind][t].color = (uint16_t)history->tile_colors[t];
    }
    free(values);
    free(rows);
    return done ? FAULT_NONE : sim_fault_memory(fault);
}

// No constraint has met more colours than there were constraints before it at its particles, whichever of them live
// still. malloc'd; NULL without memory.
static uint8_t *heights_of(const struct sim *sim, const struct sim_body *body,
                           const struct sim_id_range *range)
{
    const struct sim_store *store = &sim->stores[range->kind];
    uint8_t *heights = malloc((size_t)range->count + 1), *before = calloc((size_t)body->count + 1, 1);
    for (uint32_t i = 0; heights && before && i < range->count; i++) {
        uint32_t rows[SIM_STENCIL_MAX], sum = 0;
        sim_store_rows(store, range->slots[i], rows);
        for (uint32_t k = 0; k < store->stencil; k++) {
            uint8_t *count = &before[rows[k] - body->first_row];
            sum += *count;
            *count = (uint8_t)(*count + (*count < SIM_SERIAL));
        }
        heights[i] = (uint8_t)(sum < SIM_SERIAL ? sum : SIM_SERIAL);
    }
    if (!before) {
        free(heights);
        heights = NULL;
    }
    free(before);
    return heights;
}

static enum fault_code apply_places(struct sim *sim, struct sim_body *body, struct sim_id_range *range,
                                    const struct sim_image_history *history, const uint8_t *heights,
                                    struct fault *fault)
{
    struct places places;
    if (!history->tile_colors || history->color_count != range->live ||
        history->tile_count != body->tile_count[range->kind]) {
        return fault_code_set(
            fault, FAULT_INVALID, "colors", "%u of %u constraints and %u of %u tiles; must be of all of them",
            history->color_count, range->live, history->tile_count, body->tile_count[range->kind]);
    }
    if (!places_init(&places, sim, body, range, heights)) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = check_places(sim, body, history, &places, range->kind, fault);
    status = status != FAULT_NONE ? status : move_all(sim, body, range, history, &places, fault);
    places_deinit(&places);
    return status;
}

enum fault_code sim_history_apply(struct sim *sim, struct sim_body *body, enum sim_kind kind,
                                  const struct sim_image_history *history, struct fault *fault)
{
    if (!history->edited) {
        return FAULT_NONE;
    }
    if (body->constraint_count[kind] == 0) {
        return fault_code_set(fault, FAULT_INVALID, NULL, "the body has no %s constraints",
                              sim_kind_rows[kind]->name);
    }
    struct sim_id_range *range = sim_range_of(sim, body->constraint_first[kind]);
    uint8_t *heights = history->colors ? heights_of(sim, body, range) : NULL;
    if (history->colors && !heights) {
        return sim_fault_memory(fault);
    }
    enum fault_code status = check_ids(range, "removed", history->removed, history->removed_count, fault);
    for (uint32_t i = 0; status == FAULT_NONE && i < history->removed_count; i++) {
        sim_constraint_forget(sim, history->removed[i]);
    }
    status = status != FAULT_NONE ? status : apply_changed(sim, body, range, history, fault);
    if (status == FAULT_NONE && history->colors) {
        status = apply_places(sim, body, range, history, heights, fault);
    }
    sim_stores_settle(sim);
    free(heights);
    uint32_t built = history->built == UINT32_MAX ? range->count : history->built;
    if (status == FAULT_NONE && (built < range->live || built > range->count)) {
        status =
            fault_code_set(fault, FAULT_INVALID, "built", "%u; must be from %u (living ones) to %u (all)",
                           built, range->live, range->count);
    }
    body->built_count[kind] = built;
    return status;
}
