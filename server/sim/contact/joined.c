#include "sim/contact/joined.h"

#include "base/grow.h"
#include "sim/contact/features.h"
#include "sim/ground/ground.h"

bool sim_joined_reserve(struct sim_joined *joined, uint32_t rows)
{
    return base_grow((void **)&joined->of, rows * sizeof *joined->of) &&
           base_grow((void **)&joined->span, rows * sizeof *joined->span) &&
           base_grow((void **)&joined->beside, rows * sizeof *joined->beside);
}

void sim_joined_deinit(struct sim_joined *joined)
{
    base_grow_free(joined->of);
    base_grow_free(joined->span);
    base_grow_free(joined->beside);
}

static uint32_t root_of(uint32_t *of, uint32_t row)
{
    while (of[row] != row) {
        of[row] = of[of[row]];
        row = of[row];
    }
    return row;
}

static void clear(const struct sim *sim, struct sim_joined *joined)
{
    for (uint32_t row = 0; row < sim->row_end; row++) {
        joined->of[row] = row;
    }
    memset(joined->span, 0, sim->row_end * sizeof *joined->span);
    memset(joined->beside, 0, sim->row_end * sizeof *joined->beside);
    joined->any = true;
}

static void beside_add(uint32_t *beside, uint32_t row)
{
    uint32_t at = 0;
    while (at < SIM_JOINED_BESIDE && beside[at] != 0 && beside[at] != row) {
        at++;
    }
    if (at < SIM_JOINED_BESIDE) {
        beside[at] = row;
    }
}

// reach: the distance that contact keeps, quanta; rest is below it.
static void rows_join(struct sim_joined *joined, const uint32_t rows[2], float rest, float reach)
{
    const uint32_t a = root_of(joined->of, rows[0]), b = root_of(joined->of, rows[1]);
    const float span = (joined->span[a] + joined->span[b]) + rest;
    if (a == b) {
        return;
    }
    if (!(span < reach)) {
        beside_add(joined->beside[rows[0]], rows[1]);
        beside_add(joined->beside[rows[1]], rows[0]);
        return;
    }
    const uint32_t least = a < b ? a : b;
    joined->of[a < b ? b : a] = least;
    joined->span[least] = span;
}

static void constraint_look(const struct sim *sim, struct sim_joined *joined, uint32_t slot)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const float rest = sim_batch_params(store, slot / SIM_LANES, 0)[slot % SIM_LANES];
    uint32_t rows[2];
    for (uint32_t k = 0; k < 2; k++) {
        rows[k] = sim_batch_places(store, slot / SIM_LANES, k)[slot % SIM_LANES] / SIM_ROW_BYTES;
    }
    const struct sim_body *a = sim_body_of_row(sim, rows[0]), *b = sim_body_of_row(sim, rows[1]);
    const float reach = (float)((a->thickness + b->thickness) * sim->inv_q);
    if (!a->features || !b->features || !sim_bodies_meet(a, b) || !(rest < reach)) {
        return;
    }
    if (!joined->any) {
        clear(sim, joined);
    }
    rows_join(joined, rows, rest, reach);
}

void sim_joined_find(const struct sim *sim, struct sim_joined *joined)
{
    joined->any = false;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        const uint32_t count = range->body == 0 && range->kind == SIM_DISTANCE ? range->count : 0;
        for (uint32_t i = 0; i < count; i++) {
            if (range->slots[i] != SIM_GONE) {
                constraint_look(sim, joined, range->slots[i]);
            }
        }
    }
    for (uint32_t row = 0; joined->any && row < sim->row_end; row++) {
        joined->of[row] = root_of(joined->of, row);
    }
}

bool sim_joined_are(const struct sim_joined *joined, uint32_t a, uint32_t b)
{
    bool are = joined->of[a] == joined->of[b];
    for (uint32_t at = 0; !are && at < SIM_JOINED_BESIDE && joined->beside[a][at] != 0; at++) {
        are = joined->beside[a][at] == b;
    }
    return are;
}

bool sim_joined_features(const struct sim_joined *joined, const uint32_t *rows, uint32_t first,
                         const uint32_t *others, uint32_t count)
{
    for (uint32_t i = 0; i < first; i++) {
        for (uint32_t k = 0; k < count; k++) {
            if (sim_joined_are(joined, rows[i], others[k])) {
                return true;
            }
        }
    }
    return false;
}
