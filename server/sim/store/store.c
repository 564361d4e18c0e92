// Batches of 16 constraints and the tiles that run them. shelf.c is where they stand.
//
//   batch:  row[0][16] row[1][16] ... param[0][16] ... compliance[16]
//   tile.order: batches by ascending colour; a batch holds constraints of one colour and one flavour. Edits append
//   to it and leave empty batches in it; once they are done it is settled: sorted, and what is empty given back.
//
// A lane without a constraint has id 0, the idle row of its tile (a static particle that no other tile has) at
// all corners, and parameters 0: solving it moves nothing. The serial colour keeps one constraint a batch,
// because its constraints may share particles.

#include "sim/store/store.h"
#include "base/array.h"
#include "base/assert.h"
#include "sim/ground/ground.h"

#include <stdlib.h>

bool sim_tile_reserve(struct sim_tile *tile, uint32_t batches)
{
    return array_reserve(&tile->order, &tile->order_capacity, (uint64_t)tile->order_count + batches);
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
    const bool fresh = sim_batch_ids(store, slot / SIM_LANES)[slot % SIM_LANES] != id;
    uint32_t batch = slot / SIM_LANES, lane = slot % SIM_LANES, last = store->param_count - 1;
    uint32_t *places = sim_batch_words(store, batch) + lane;
    float *params = sim_batch_params(store, batch, 0) + lane;
    sim_batch_ids(store, batch)[lane] = id;
    for (uint32_t k = 0; k < store->stencil; k++) {
        places[k * SIM_LANES] = rows[k] * SIM_ROW_BYTES;
    }
    for (uint32_t p = 0; p < last; p++) {
        const bool more = p >= SIM_PARAMS_MAX && p < store->value_count;
        if (!more || values->more || fresh) {
            params[p * SIM_LANES] = p >= store->value_count ? 0
                                    : !more                 ? values->params[p]
                                    : values->more          ? values->more[p - SIM_PARAMS_MAX]
                                                            : 0;
        }
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

static void flavor_count(struct sim_tile *tile, uint8_t flavor, bool more)
{
    uint32_t by = more ? 1 : UINT32_MAX; // wraps: one less
    tile->flavored += flavor != SIM_PLAIN ? by : 0;
    tile->damped += flavor == SIM_DAMPED ? by : 0;
}

// ---------------------------------------------------------------------------------------- batches with room
//
// Which batches of a tile have room is remembered from its first edit on, in lists by colour and flavour. The serial
// colour has none: its batches take one constraint each.

static bool is_listed(const struct sim_batch_meta *meta)
{
    return meta->tile->open && meta->color != SIM_SERIAL && meta->live < SIM_LANES;
}

static uint32_t *open_head(const struct sim_batch_meta *meta)
{
    return &meta->tile->open[meta->color * SIM_FLAVOR_COUNT + meta->flavor];
}

static void open_link(const struct sim_store *store, uint32_t batch)
{
    struct sim_batch_meta *meta = sim_batch_meta(store, batch);
    uint32_t *head = open_head(meta);
    meta->before = SIM_NO_BATCH;
    meta->next = *head;
    if (*head != SIM_NO_BATCH) {
        sim_batch_meta(store, *head)->before = batch;
    }
    *head = batch;
}

static void open_unlink(const struct sim_store *store, uint32_t batch)
{
    struct sim_batch_meta *meta = sim_batch_meta(store, batch);
    *(meta->before == SIM_NO_BATCH ? open_head(meta) : &sim_batch_meta(store, meta->before)->next) =
        meta->next;
    if (meta->next != SIM_NO_BATCH) {
        sim_batch_meta(store, meta->next)->before = meta->before;
    }
}

bool sim_tile_edit_reserve(struct sim_store *store, struct sim_tile *tile, uint32_t batches)
{
    if (!sim_tile_reserve(tile, batches) ||
        !array_reserve(&tile->spare, &tile->spare_capacity, (uint64_t)tile->order_count + batches)) {
        return false;
    }
    if (tile->open) {
        return true;
    }
    size_t size = (size_t)SIM_COLORS * SIM_FLAVOR_COUNT * sizeof *tile->open;
    tile->open = malloc(size);
    if (!tile->open) {
        return false;
    }
    memset(tile->open, 0xff, size); // SIM_NO_BATCH
    for (uint32_t i = tile->order_count; i > 0; i--) {
        if (is_listed(sim_batch_meta(store, tile->order[i - 1]))) {
            open_link(store, tile->order[i - 1]);
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ settling

static void unsettle(struct sim_store *store, struct sim_tile *tile)
{
    if (!tile->unsettled) {
        tile->unsettled = true;
        tile->next_unsettled = store->unsettled;
        store->unsettled = tile;
    }
}

// By colour; batches of one colour keep their order, which the serial one needs.
static void sort_order(const struct sim_store *store, struct sim_tile *tile)
{
    uint32_t starts[SIM_SERIAL + 2] = {0};
    for (uint32_t i = 0; i < tile->order_count; i++) {
        starts[sim_batch_meta(store, tile->order[i])->color + 1]++;
    }
    for (uint32_t color = 0; color < SIM_SERIAL; color++) {
        starts[color + 1] += starts[color];
    }
    for (uint32_t i = 0; i < tile->order_count; i++) {
        tile->spare[starts[sim_batch_meta(store, tile->order[i])->color]++] = tile->order[i];
    }
    uint32_t *order = tile->order, capacity = tile->order_capacity;
    tile->order = tile->spare;
    tile->order_capacity = tile->spare_capacity;
    tile->spare = order;
    tile->spare_capacity = capacity;
}

static void settle(struct sim_store *store, struct sim_tile *tile)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tile->order_count; i++) {
        uint32_t batch = tile->order[i];
        const struct sim_batch_meta *meta = sim_batch_meta(store, batch);
        if (meta->live > 0) {
            tile->order[kept++] = batch;
            continue;
        }
        if (is_listed(meta)) {
            open_unlink(store, batch);
        }
        flavor_count(tile, meta->flavor, false);
        sim_store_batch_free(store, batch);
    }
    tile->order_count = kept;
    if (tile->unsorted) {
        sort_order(store, tile);
    }
    tile->unsettled = tile->unsorted = false;
}

void sim_stores_settle(struct sim *sim)
{
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_store *store = &sim->stores[kind];
        for (struct sim_tile *tile = store->unsettled, *next; tile; tile = next) {
            next = tile->next_unsettled;
            settle(store, tile);
        }
        store->unsettled = NULL;
    }
}

void sim_tile_clear(struct sim_store *store, struct sim_tile *tile)
{
    BASE_ASSERT(!tile->unsettled);
    for (uint32_t i = 0; i < tile->order_count; i++) {
        sim_store_batch_free(store, tile->order[i]);
    }
    tile->order_count = 0;
}

// ------------------------------------------------------------------------------------- placing and vacating

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
    flavor_count(tile, (uint8_t)flavor, true);
    uint32_t place = tile->order_count++;
    tile->order[place] = batch;
    if (place > 0 && sim_batch_meta(store, tile->order[place - 1])->color > color) {
        tile->unsorted = true;
        unsettle(store, tile);
    }
    return batch;
}

uint32_t sim_store_place(struct sim_store *store, struct sim_tile *tile, uint16_t color, uint32_t id,
                         const uint32_t *rows, const struct sim_values *values, uint32_t iterations)
{
    enum sim_flavor flavor = sim_flavor_of(values);
    BASE_ASSERT(tile->open);
    uint32_t batch = color == SIM_SERIAL ? SIM_NO_BATCH : tile->open[color * SIM_FLAVOR_COUNT + flavor];
    if (batch == SIM_NO_BATCH) {
        batch = batch_take(store, tile, color, flavor);
        if (color != SIM_SERIAL) {
            open_link(store, batch);
        }
    }
    uint32_t lane = 0;
    while (sim_batch_ids(store, batch)[lane] != 0) {
        lane++;
    }
    if (color != SIM_SERIAL && sim_batch_meta(store, batch)->live == SIM_LANES - 1) {
        open_unlink(store, batch);
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
    if (meta->live-- == SIM_LANES && is_listed(meta)) {
        open_link(store, batch);
    }
    if (meta->live == 0) {
        unsettle(store, meta->tile);
    }
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
    for (uint32_t p = 0; p < store->value_count && p < SIM_PARAMS_MAX; p++) {
        values->params[p] = sim_batch_params(store, batch, p)[lane];
    }
    if (sim_batch_meta(store, batch)->flavor == SIM_STIFF) {
        values->stiffness = sim_batch_damping(store, batch)[lane];
    } else {
        values->compliance = sim_batch_params(store, batch, last)[lane];
        values->damping = store->damped ? sim_batch_damping(store, batch)[lane] : 0;
    }
}

static void flavor_set(const struct sim_store *store, uint32_t batch, enum sim_flavor flavor)
{
    struct sim_batch_meta *meta = sim_batch_meta(store, batch);
    bool listed = is_listed(meta);
    BASE_ASSERT(store->damped || flavor == SIM_PLAIN);
    if (listed) {
        open_unlink(store, batch);
    }
    flavor_count(meta->tile, meta->flavor, false);
    flavor_count(meta->tile, (uint8_t)flavor, true);
    meta->flavor = (uint8_t)flavor;
    if (listed) {
        open_link(store, batch);
    }
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
        flavor_set(store, batch, flavor); // alone in its batch: the batch changes with it
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
    flavor_set(store, batch, sim_flavor_of(material));
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
            if (!meta->tile || meta->flavor != SIM_STIFF) {
                continue;
            }
            float *k = sim_batch_params(store, b, store->param_count - 1);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                k[lane] = (float)sim_stiffness_of_iteration(sim_batch_damping(store, b)[lane], iterations);
            }
        }
    }
}
