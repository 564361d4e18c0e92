#include "sim/contact/joined.h"

#include "base/grow.h"
#include "sim/contact/features.h"
#include "sim/ground/ground.h"
#include "sim/state/join.h"
#include "sim/state/rail.h"

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
    joined->rails = false;
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

// Whether a constraint of this rest length keeps two rows closer than contact does, which reach tells, quanta.
static bool is_close(const struct sim *sim, const uint32_t rows[2], float rest, float *reach)
{
    const struct sim_body *a = sim_body_of_row(sim, rows[0]), *b = sim_body_of_row(sim, rows[1]);
    *reach = (float)((a->thickness + b->thickness) * sim->inv_q);
    return a->features && b->features && sim_bodies_meet(a, b) && rest < *reach;
}

// Points that are joined count as one, as those of a distance do. On an edge or a triangle each corner that carries weight
// stands beside each of the other side. They are no single point, because the corners of a side are far apart.
static void join_look(const struct sim *sim, struct sim_joined *joined, uint32_t slot)
{
    const struct sim_store *store = &sim->stores[SIM_JOIN];
    const uint32_t batch = slot / SIM_LANES, lane = slot % SIM_LANES;
    uint32_t rows[SIM_STENCIL_MAX], used[2][SIM_JOIN_SIDE], counts[2] = {0};
    float reach, params[SIM_JOIN_PARAMS];
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        rows[k] = sim_batch_places(store, batch, k)[lane] / SIM_ROW_BYTES;
    }
    for (uint32_t p = 0; p < SIM_JOIN_PARAMS; p++) {
        params[p] = sim_batch_params(store, batch, p)[lane];
    }
    // One whose rest length comes below the reach in this tick is joined from its begin on. Else contact would stop it there.
    const float now = params[SIM_JOIN_REST];
    const float next = sim_join_rest_next(now, params[SIM_JOIN_END], params[SIM_JOIN_LEFT]);
    const float rest = next < now ? next : now;
    const uint32_t ends[2] = {rows[0], rows[SIM_JOIN_SIDE]};
    if (params[SIM_JOIN_PARTED] > 0 || !is_close(sim, ends, rest, &reach)) {
        return;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const float *weights = params + SIM_JOIN_WEIGHT + 2 * (size_t)side;
        const float shares[SIM_JOIN_SIDE] = {(1 - weights[0]) - weights[1], weights[0], weights[1]};
        for (uint32_t k = 0; k < SIM_JOIN_SIDE; k++) {
            if (shares[k] > 0) {
                used[side][counts[side]++] = rows[side * SIM_JOIN_SIDE + k];
            }
        }
    }
    if (!joined->any) {
        clear(sim, joined);
    }
    for (uint32_t i = 0; i < counts[0] * counts[1]; i++) {
        const uint32_t pair[2] = {used[0][i / counts[1]], used[1][i % counts[1]]};
        if (counts[0] * counts[1] == 1) {
            rows_join(joined, pair, rest, reach);
        } else {
            beside_add(joined->beside[pair[0]], pair[1]);
            beside_add(joined->beside[pair[1]], pair[0]);
        }
    }
}

static void distance_look(const struct sim *sim, struct sim_joined *joined, uint32_t slot)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const float rest = sim_batch_params(store, slot / SIM_LANES, 0)[slot % SIM_LANES];
    uint32_t rows[2];
    for (uint32_t k = 0; k < 2; k++) {
        rows[k] = sim_batch_places(store, slot / SIM_LANES, k)[slot % SIM_LANES] / SIM_ROW_BYTES;
    }
    float reach;
    if (!is_close(sim, rows, rest, &reach)) {
        return;
    }
    if (!joined->any) {
        clear(sim, joined);
    }
    rows_join(joined, rows, rest, reach);
}

// A ring stands beside the ends of the segment that it is on, and of the segments next to that.
static void rail_look(const struct sim *sim, struct sim_joined *joined, uint32_t slot)
{
    const struct sim_store *store = &sim->stores[SIM_SLIDE_RAIL];
    const uint32_t batch = slot / SIM_LANES, lane = slot % SIM_LANES;
    uint32_t rows[SIM_RAIL_CORNERS];
    float reach;
    for (uint32_t k = 0; k < SIM_RAIL_CORNERS; k++) {
        rows[k] = sim_batch_places(store, batch, k)[lane] / SIM_ROW_BYTES;
    }
    if (!is_close(sim, rows, 0, &reach)) {
        return;
    }
    if (!joined->any) {
        clear(sim, joined);
    }
    joined->rails = true;
    const struct sim_body *body = sim_body_of_row(sim, rows[1]);
    const uint32_t first = body->index_of[rows[1] - body->first_row];
    const uint32_t last = body->index_of[rows[2] - body->first_row] - first;
    const uint32_t segment = (uint32_t)sim_batch_params(store, batch, SIM_RAIL_SEGMENT)[lane];
    for (uint32_t at = segment > 0 ? segment - 1 : 0; at <= segment + 2 && at <= last; at++) {
        beside_add(joined->beside[rows[0]], sim_rail_row(body, first, at));
    }
}

void sim_joined_find(const struct sim *sim, struct sim_joined *joined)
{
    joined->any = false;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        const bool looks = range->body == 0 && (range->kind == SIM_DISTANCE || range->kind == SIM_JOIN ||
                                                range->kind == SIM_SLIDE_RAIL);
        for (uint32_t i = 0; looks && i < range->count; i++) {
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            if (range->kind == SIM_JOIN) {
                join_look(sim, joined, range->slots[i]);
            } else if (range->kind == SIM_SLIDE_RAIL) {
                rail_look(sim, joined, range->slots[i]);
            } else {
                distance_look(sim, joined, range->slots[i]);
            }
        }
    }
    for (uint32_t row = 0; joined->any && row < sim->row_end; row++) {
        joined->of[row] = root_of(joined->of, row);
    }
}

static bool stands_beside(const struct sim_joined *joined, uint32_t a, uint32_t b)
{
    bool are = false;
    for (uint32_t at = 0; !are && at < SIM_JOINED_BESIDE && joined->beside[a][at] != 0; at++) {
        are = joined->beside[a][at] == b;
    }
    return are;
}

bool sim_joined_are(const struct sim_joined *joined, uint32_t a, uint32_t b)
{
    return joined->of[a] == joined->of[b] || stands_beside(joined, a, b) ||
           (joined->rails && stands_beside(joined, b, a));
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
