// Batches of 16 constraints and the tiles that run them. shelf.c is where they stand.
//
//   batch:  row[0][16] row[1][16] ... param[0][16] ... compliance[16]
//   tile.order: batches by ascending colour; a batch holds constraints of one colour and one flavour.
//
// A lane without a constraint has id 0, the idle row of its tile (a static particle that no other tile has) at
// all corners, and parameters 0: solving it moves nothing. The serial colour keeps one constraint a batch,
// because its constraints may share particles.

#include "base/assert.h"
#include "sim/internal.h"

#include <stdlib.h>

bool sim_tile_reserve(struct sim_tile *tile, uint32_t batches)
{
    return sim_reserve((void **)&tile->order, &tile->order_capacity, (uint64_t)tile->order_count + batches,
                       sizeof *tile->order);
}

// k' = 1 - (1 - k)^(1/n), so that n iterations leave the residual (1 - k) that one would (PBD 2007, section
// 3.3). The root by Newton's method from above, where it falls monotonically: no libm.
double sim_stiffness_of_iteration(double stiffness, uint32_t iterations)
{
    double left = 1 - stiffness;
    if (left <= 0 || left >= 1 || iterations == 1) {
        return stiffness;
    }
    double n = iterations, root = 1;
    for (;;) {
        double power = 1, square = root; // root^(n - 1)
        for (uint32_t left_over = iterations - 1; left_over > 0; left_over /= 2) {
            power *= left_over % 2 ? square : 1;
            square *= square;
        }
        double next = ((n - 1) * root + left / power) / n;
        if (!(next < root)) {
            return 1 - root;
        }
        root = next;
    }
}

enum sim_flavor sim_flavor_of(const struct sim_values *values)
{
    if (values->stiffness >= 0) {
        return SIM_STIFF;
    }
    return values->damping > 0 ? SIM_DAMPED : SIM_PLAIN;
}

static void lane_write(struct sim_store *store, uint32_t slot, uint32_t id, const uint32_t *rows,
                       const struct sim_values *values, uint32_t iterations)
{
    uint32_t batch = slot / SIM_LANES, lane = slot % SIM_LANES, last = store->param_count - 1;
    uint32_t *places = sim_batch_words(store, batch) + lane;
    float *params = sim_batch_params(store, batch, 0) + lane;
    sim_batch_ids(store, batch)[lane] = id;
    for (uint32_t k = 0; k < store->stencil; k++) {
        places[k * SIM_LANES] = rows[k] * SIM_ROW_BYTES;
    }
    for (uint32_t p = 0; p < last; p++) {
        params[p * SIM_LANES] = values->params[p];
    }
    bool stiff = sim_flavor_of(values) == SIM_STIFF;
    params[last * SIM_LANES] =
        stiff ? (float)sim_stiffness_of_iteration(values->stiffness, iterations) : values->compliance;
    if (store->damped) {
        sim_batch_damping(store, batch)[lane] = stiff ? values->stiffness : values->damping;
    }
    for (uint32_t m = 0; store->keeps && m < store->multiplier_count; m++) {
        sim_multipliers_of(store, batch, m)[lane] = 0;
    }
}

static uint32_t batch_take(struct sim_store *store, struct sim_tile *tile, uint16_t color,
                           enum sim_flavor flavor)
{
    BASE_ASSERT(tile->order_count < tile->order_capacity);
    BASE_ASSERT(store->damped || flavor == SIM_PLAIN);
    uint32_t batch = sim_store_batch_take(store);
    for (uint32_t i = 0; i < store->stencil * SIM_LANES; i++) {
        sim_batch_places(store, batch, 0)[i] = tile->idle_row * SIM_ROW_BYTES;
    }
    *sim_batch_meta(store, batch) =
        (struct sim_batch_meta){.tile = tile, .color = color, .flavor = (uint8_t)flavor};
    tile->flavored += flavor != SIM_PLAIN;
    uint32_t place = tile->order_count++;
    while (place > 0 && sim_batch_meta(store, tile->order[place - 1])->color > color) {
        tile->order[place] = tile->order[place - 1];
        place--;
    }
    tile->order[place] = batch;
    return batch;
}

// First entry of the tile's order with this colour or a higher one.
static uint32_t order_find(const struct sim_store *store, const struct sim_tile *tile, uint16_t color)
{
    uint32_t low = 0, high = tile->order_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sim_batch_meta(store, tile->order[middle])->color < color) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t sim_store_place(struct sim_store *store, struct sim_tile *tile, uint16_t color, uint32_t id,
                         const uint32_t *rows, const struct sim_values *values, uint32_t iterations)
{
    enum sim_flavor flavor = sim_flavor_of(values);
    uint32_t batch = UINT32_MAX;
    uint32_t begin = order_find(store, tile, color), end = order_find(store, tile, (uint16_t)(color + 1));
    // Newest first: a colour fills up in order, so the room is mostly in its last batch.
    for (uint32_t i = end; color != SIM_SERIAL && i > begin; i--) {
        const struct sim_batch_meta *meta = sim_batch_meta(store, tile->order[i - 1]);
        if (meta->flavor == flavor && meta->live < SIM_LANES) {
            batch = tile->order[i - 1];
            break;
        }
    }
    if (batch == UINT32_MAX) {
        batch = batch_take(store, tile, color, flavor);
    }
    uint32_t lane = 0;
    while (sim_batch_ids(store, batch)[lane] != 0) {
        lane++;
    }
    sim_batch_meta(store, batch)->live++;
    uint32_t slot = batch * SIM_LANES + lane;
    lane_write(store, slot, id, rows, values, iterations);
    return slot;
}

bool sim_store_lay_out(struct sim_store *store, struct sim_tile *tiles, const struct sim_coloring *coloring,
                       uint32_t count, const uint32_t *order, const uint32_t *rows,
                       const struct sim_values *values, uint32_t *slots)
{
    const struct sim_tile *tile = NULL;
    uint32_t batch = 0, color = 0;
    enum sim_flavor flavor = SIM_PLAIN;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = order[i];
        struct sim_tile *own = &tiles[coloring->tiles[c]];
        if (tile != own || color != coloring->colors[c] || flavor != sim_flavor_of(&values[c]) ||
            color == SIM_SERIAL || sim_batch_meta(store, batch)->live == SIM_LANES) {
            tile = own;
            color = coloring->colors[c];
            flavor = sim_flavor_of(&values[c]);
            if (!sim_store_reserve(store, 1) || !sim_tile_reserve(own, 1) ||
                (flavor != SIM_PLAIN && !sim_store_damping_reserve(store))) {
                return false;
            }
            batch = batch_take(store, own, (uint16_t)color, flavor);
        }
        slots[c] = batch * SIM_LANES + sim_batch_meta(store, batch)->live++;
        lane_write(store, slots[c], c + 1, rows + (size_t)c * store->stencil, &values[c], 1);
    }
    return true;
}

void sim_store_vacate(struct sim_store *store, uint32_t slot)
{
    static const struct sim_values nothing = {.stiffness = -1};
    uint32_t batch = slot / SIM_LANES;
    struct sim_batch_meta *meta = sim_batch_meta(store, batch);
    uint32_t idle = meta->tile->idle_row, nowhere[SIM_STENCIL_MAX] = {idle, idle, idle, idle};
    lane_write(store, slot, 0, nowhere, &nothing, 1);
    if (--meta->live > 0) {
        return;
    }
    struct sim_tile *tile = meta->tile;
    uint32_t place = order_find(store, tile, meta->color);
    while (tile->order[place] != batch) {
        place++;
    }
    memmove(tile->order + place, tile->order + place + 1,
            (tile->order_count - place - 1) * sizeof *tile->order);
    tile->order_count--;
    tile->flavored -= meta->flavor != SIM_PLAIN;
    sim_store_batch_free(store, batch);
}

void sim_store_rows(const struct sim_store *store, uint32_t slot, uint32_t *rows)
{
    for (uint32_t k = 0; k < store->stencil; k++) {
        rows[k] = sim_batch_places(store, slot / SIM_LANES, k)[slot % SIM_LANES] / SIM_ROW_BYTES;
    }
}

void sim_store_values(const struct sim_store *store, uint32_t slot, struct sim_values *values)
{
    uint32_t batch = slot / SIM_LANES, lane = slot % SIM_LANES, last = store->param_count - 1;
    *values = (struct sim_values){.stiffness = -1};
    for (uint32_t p = 0; p < last; p++) {
        values->params[p] = sim_batch_params(store, batch, p)[lane];
    }
    if (sim_batch_meta(store, batch)->flavor == SIM_STIFF) {
        values->stiffness = sim_batch_damping(store, batch)[lane];
    } else {
        values->compliance = sim_batch_params(store, batch, last)[lane];
        values->damping = store->damped ? sim_batch_damping(store, batch)[lane] : 0;
    }
}

static void flavor_set(const struct sim_store *store, struct sim_batch_meta *meta, enum sim_flavor flavor)
{
    BASE_ASSERT(store->damped || flavor == SIM_PLAIN);
    meta->tile->flavored -= meta->flavor != SIM_PLAIN;
    meta->tile->flavored += flavor != SIM_PLAIN;
    meta->flavor = (uint8_t)flavor;
}

uint32_t sim_store_change(struct sim_store *store, uint32_t slot, const struct sim_values *values,
                          uint32_t iterations)
{
    uint32_t batch = slot / SIM_LANES, id = sim_batch_ids(store, batch)[slot % SIM_LANES];
    uint32_t rows[SIM_STENCIL_MAX];
    sim_store_rows(store, slot, rows);
    enum sim_flavor flavor = sim_flavor_of(values);
    struct sim_batch_meta *meta = sim_batch_meta(store, batch);
    if (meta->flavor == flavor || meta->live == 1) {
        flavor_set(store, meta, flavor); // alone in its batch: the batch changes with it
        lane_write(store, slot, id, rows, values, iterations);
        return slot;
    }
    uint32_t moved = sim_store_place(store, meta->tile, meta->color, id, rows, values, iterations);
    sim_store_vacate(store, slot);
    return moved;
}

void sim_store_batch_set(struct sim_store *store, uint32_t batch, const struct sim_values *material,
                         uint32_t iterations)
{
    flavor_set(store, sim_batch_meta(store, batch), sim_flavor_of(material));
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (sim_batch_ids(store, batch)[lane] == 0) {
            continue;
        }
        uint32_t slot = batch * SIM_LANES + lane, rows[SIM_STENCIL_MAX];
        struct sim_values values;
        sim_store_rows(store, slot, rows);
        sim_store_values(store, slot, &values);
        values.compliance = material->compliance;
        values.damping = material->damping;
        values.stiffness = material->stiffness;
        lane_write(store, slot, sim_batch_ids(store, batch)[lane], rows, &values, iterations);
    }
}

void sim_store_stiffness_update(struct sim_store *store, uint32_t iterations)
{
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        for (uint32_t b = s * SIM_SHELF; b < s * SIM_SHELF + store->shelves[s].used; b++) {
            const struct sim_batch_meta *meta = sim_batch_meta(store, b);
            if (meta->tile == NULL || meta->flavor != SIM_STIFF) {
                continue;
            }
            float *k = sim_batch_params(store, b, store->param_count - 1);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                k[lane] = (float)sim_stiffness_of_iteration(sim_batch_damping(store, b)[lane], iterations);
            }
        }
    }
}
