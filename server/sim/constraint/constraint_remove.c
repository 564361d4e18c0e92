// Removes constraints, and colours a body again once much of what it was built with is gone.

#include "base/array.h"
#include "base/assert.h"
#include "sim/body/plan.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/store/store.h"

#include <stdlib.h>

void sim_constraint_forget(struct sim *sim, uint32_t id)
{
    struct sim_id_range *range;
    uint32_t slot;
    bool alive = sim_slot_of(sim, id, &range, &slot);
    BASE_ASSERT(alive);
    struct sim_store *store = &sim->stores[range->kind];
    const struct sim_batch_meta *meta = sim_batch_meta(store, slot / SIM_LANES);
    if (range->body == 0 && meta->color < SIM_SERIAL) {
        uint32_t rows[SIM_STENCIL_MAX];
        sim_store_rows(store, slot, rows);
        for (uint32_t k = 0; k < store->stencil; k++) {
            sim->loose_colors[range->kind][rows[k]] &= ~(UINT64_C(1) << meta->color);
        }
    } else if (range->body != 0) {
        struct sim_body *body = sim_body_find(sim, range->body);
        sim_bend_edited(sim, body, range->kind == SIM_QUADRATIC ? UINT32_MAX : 0);
        body->live_count[range->kind]--;
        sim_edited(body);
    }
    sim_store_vacate(store, slot);
    sim->solved = sim->derived_known = false;
    range->slots[id - range->first] = SIM_GONE;
    range->live--;
    sim->constraint_count--;
}

// ------------------------------------------------------------------------------------------------------ ids

// Ids never come back: what a range of loose constraints remembers of those that are gone is bounded by those that
// live. A range with none goes; one that is sparse falls into runs without long gaps.

enum {
    GAP = 16,   // ids in a row that are gone end a run
    SLACK = 64, // ids that are gone and do no harm
};

static bool is_sparse(const struct sim_id_range *range)
{
    return range->body == 0 && range->count - range->live > (uint64_t)GAP * range->live + SLACK;
}

// The run from slot `first` on or the next one, which begins and ends with ids that live. False if there is none.
static bool next_run(const struct sim_id_range *range, uint32_t first, uint32_t *begin, uint32_t *end,
                     uint32_t *live)
{
    *live = 0;
    for (uint32_t i = first; i < range->count && (*live == 0 || i - *end < GAP); i++) {
        if (range->slots[i] != SIM_GONE) {
            *begin = *live == 0 ? i : *begin;
            *end = i + 1;
            (*live)++;
        }
    }
    return *live > 0;
}

// Runs of a sparse range, to `out`; all of them, or without memory none.
static uint32_t split(const struct sim_id_range *range, struct sim_id_range *out)
{
    uint32_t count = 0, begin, end, live;
    for (uint32_t first = 0; next_run(range, first, &begin, &end, &live); first = end) {
        struct sim_id_range *run = &out[count++];
        *run = *range;
        run->first = range->first + begin;
        run->count = run->capacity = end - begin;
        run->live = live;
        run->slots = malloc(run->count * sizeof *run->slots);
        if (!run->slots) {
            while (--count > 0) {
                free(out[count - 1].slots);
            }
            return 0;
        }
        memcpy(run->slots, range->slots + begin, run->count * sizeof *run->slots);
    }
    return count;
}

void sim_ranges_tidy(struct sim *sim)
{
    uint32_t kept = 0, runs = 0, sparse = 0;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        struct sim_id_range range = sim->ranges[r];
        if (range.body == 0 && range.live == 0) {
            free(range.slots);
            continue;
        }
        uint32_t begin, end, live;
        sparse += is_sparse(&range);
        for (uint32_t first = 0; is_sparse(&range) && next_run(&range, first, &begin, &end, &live);
             first = end) {
            runs++;
        }
        sim->ranges[kept++] = range;
    }
    sim->range_count = kept;
    struct sim_id_range *tidy = sparse == 0 ? NULL : malloc(((size_t)kept + runs) * sizeof *tidy);
    if (!tidy) {
        return; // without memory ids that are gone are remembered for longer
    }
    uint32_t count = 0;
    for (uint32_t r = 0; r < kept; r++) {
        struct sim_id_range *range = &sim->ranges[r];
        uint32_t made = is_sparse(range) ? split(range, tidy + count) : 0;
        if (made > 0) {
            free(range->slots);
        } else {
            tidy[count + made++] = *range;
        }
        count += made;
    }
    free(sim->ranges);
    sim->ranges = tidy;
    sim->range_count = count;
    sim->range_capacity = kept + runs;
}

// ---------------------------------------------------------------------------------------------- recolouring

// A body that an edit leaves with more than a quarter of holes is coloured again from its living constraints, in the order of
// their ids. Nothing is ever added to a body's own constraints, so the number of their colours never grows.
struct recoloring {
    struct sim_body *body;
    enum sim_kind kind;
    struct sim_id_range *range;
    uint32_t count;
    uint32_t *ids, *slots;   // of what stays
    struct sim_store layout; // rows from 0, ids from 1
    struct sim_tile *tiles;
    uint32_t tile_count;
};

enum { RECOLOR_MIN = 64 }; // constraints; smaller bodies are not worth it

static void recoloring_deinit(struct recoloring *recoloring)
{
    free(recoloring->ids);
    free(recoloring->slots);
    sim_store_deinit(&recoloring->layout);
    sim_tiles_destroy(recoloring->tiles, recoloring->tile_count);
}

// Lays out what is left of the range without the ids going[0 ... going_count) (ascending). Changes nothing.
static bool recoloring_init(struct recoloring *recoloring, struct sim *sim, struct sim_id_range *range,
                            const uint64_t *going, uint32_t going_count)
{
    struct sim_body *body = sim_body_find(sim, range->body);
    const struct sim_store *store = &sim->stores[range->kind];
    uint32_t stencil = store->stencil, left = range->live - going_count, found = 0, g = 0;
    *recoloring = (struct recoloring){.body = body, .kind = range->kind, .range = range, .count = left};
    recoloring->ids = malloc(((size_t)left + 1) * sizeof(uint32_t));
    recoloring->slots = malloc(((size_t)left + 1) * sizeof(uint32_t));
    uint32_t *rows = malloc(((size_t)left + 1) * stencil * sizeof *rows);
    struct sim_values *values = malloc(((size_t)left + 1) * sizeof *values);
    bool done = recoloring->ids && recoloring->slots && rows && values;
    for (uint32_t i = 0; done && i < range->count; i++) {
        uint32_t id = range->first + i;
        if (g < going_count && going[g] == id) {
            g++;
            continue;
        }
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        recoloring->ids[found] = id;
        sim_store_rows(store, range->slots[i], rows + (size_t)found * stencil);
        for (uint32_t k = 0; k < stencil; k++) {
            rows[(size_t)found * stencil + k] -= body->first_row;
        }
        sim_store_values(store, range->slots[i], &values[found++]);
    }
    done =
        done && sim_body_layout(range->kind, body->id, left, rows, values, body->count, &recoloring->layout,
                                &recoloring->tiles, &recoloring->tile_count, recoloring->slots);
    free(rows);
    free(values);
    if (!done) {
        recoloring_deinit(recoloring);
    }
    return done;
}

// Puts the new layout in the place of the old one. The room must be reserved.
static void recoloring_apply(struct recoloring *recoloring, struct sim *sim)
{
    struct sim_store *store = &sim->stores[recoloring->kind];
    struct sim_body *body = recoloring->body;
    struct sim_id_range *range = recoloring->range;
    for (uint32_t t = 0; t < body->tile_count[recoloring->kind]; t++) {
        sim_tile_clear(store, &body->tiles[recoloring->kind][t]);
    }
    sim_store_stiffness_update(&recoloring->layout, sim->settings.iterations);
    uint32_t base = sim_store_append(store, &recoloring->layout, body->first_row, 0);
    for (uint32_t c = 0; c < recoloring->count; c++) {
        uint32_t slot = recoloring->slots[c] + base * SIM_LANES;
        sim_batch_ids(store, slot / SIM_LANES)[slot % SIM_LANES] = recoloring->ids[c];
        range->slots[recoloring->ids[c] - range->first] = slot;
    }
    for (uint32_t t = 0; t < recoloring->tile_count; t++) {
        recoloring->tiles[t].idle_row += body->first_row;
        for (uint32_t i = 0; i < recoloring->tiles[t].order_count; i++) {
            recoloring->tiles[t].order[i] += base;
        }
    }
    sim_tiles_destroy(body->tiles[recoloring->kind], body->tile_count[recoloring->kind]);
    body->tiles[recoloring->kind] = recoloring->tiles;
    body->tile_count[recoloring->kind] = recoloring->tile_count;
    body->built_count[recoloring->kind] = recoloring->count;
    recoloring->tiles = NULL;
    recoloring->tile_count = 0;
}

bool sim_recolors(const struct sim *sim, const struct sim_id_range *range, uint32_t going)
{
    const struct sim_body *body = range->body != 0 ? sim_body_find(sim, range->body) : NULL;
    // The places in a body that can tear follow from its mesh as it was made.
    uint32_t built = body && !body->torn ? body->built_count[range->kind] : 0;
    return built >= RECOLOR_MIN && (uint64_t)(built - (range->live - going)) * 4 > built;
}

bool sim_recolor(struct sim *sim, struct sim_id_range *range)
{
    struct recoloring recoloring;
    if (!recoloring_init(&recoloring, sim, range, NULL, 0)) {
        return false;
    }
    struct sim_store *store = &sim->stores[range->kind];
    bool done = (!recoloring.layout.damped || sim_store_damping_reserve(store)) &&
                sim_store_append_reserve(store, &recoloring.layout, recoloring.layout.shelf_count);
    if (done) {
        recoloring_apply(&recoloring, sim);
        sim_plan_rebuild(sim);
    }
    recoloring_deinit(&recoloring);
    return done;
}

enum fault_code sim_constraints_remove(struct sim *sim, const uint32_t *ids, uint32_t count,
                                       struct fault *fault)
{
    struct sim_id_range *range;
    struct recoloring *recolorings = NULL;
    uint32_t recoloring_count = 0, recoloring_capacity = 0, unique = 0, slot;
    uint32_t shelves[SIM_KIND_COUNT] = {0};
    uint64_t *going = malloc(((size_t)count + 1) * sizeof *going);
    uint32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    enum fault_code status = FAULT_NONE;
    if (!going || !order) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!sim_slot_of(sim, ids[i], &range, &slot)) {
            status = sim_constraint_not_found(fault, ids[i]);
            goto cleanup;
        }
        going[i] = ids[i];
        order[i] = i;
    }
    if (!sim_sort(going, order, count)) {
        status = sim_fault_memory(fault);
        goto cleanup;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (unique == 0 || going[unique - 1] != going[i]) {
            going[unique++] = going[i];
        }
    }
    for (uint32_t i = 0, end; i < unique; i = end) {
        range = sim_range_of(sim, (uint32_t)going[i]);
        for (end = i; end < unique && going[end] - range->first < range->count;) {
            end++;
        }
        if (!sim_recolors(sim, range, end - i)) {
            continue;
        }
        if (!array_reserve(&recolorings, &recoloring_capacity, recoloring_count + 1) ||
            !recoloring_init(&recolorings[recoloring_count], sim, range, going + i, end - i)) {
            status = sim_fault_memory(fault);
            goto cleanup;
        }
        struct sim_store *layout = &recolorings[recoloring_count++].layout;
        shelves[range->kind] += layout->shelf_count;
        if (!sim_store_append_reserve(&sim->stores[range->kind], layout, shelves[range->kind])) {
            status = sim_fault_memory(fault);
            goto cleanup;
        }
    }
    for (uint32_t i = 0; i < unique; i++) {
        sim_constraint_forget(sim, (uint32_t)going[i]);
    }
    sim_stores_settle(sim);
    for (uint32_t i = 0; i < recoloring_count; i++) {
        recoloring_apply(&recolorings[i], sim);
    }
    sim_ranges_tidy(sim);
    sim_stores_trim(sim);
    sim_plan_rebuild(sim);
cleanup:
    for (uint32_t i = 0; i < recoloring_count; i++) {
        recoloring_deinit(&recolorings[i]);
    }
    free(recolorings);
    free(going);
    free(order);
    return status;
}
