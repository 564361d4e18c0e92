// Which bodies have their bending solved, and their plates, made again when what they follow from has changed.

#include "sim/plate/plate.h"

#include "base/array.h"
#include "base/grow.h"
#include "base/hash.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// The quadratic constraints of a body, in the order of their ids. Until the dissection is known, unknowns are rows of the
// body.
struct bending {
    struct sim_plate_stencil *stencils;
    uint32_t count;
    double *masses; // by row of the body, kg; 0: held
    bool soft;      // all of them can be solved
    bool free;
    uint64_t sources;
};

static void bending_deinit(struct bending *bending)
{
    free(bending->stencils);
    free(bending->masses);
}

static void add_range(const struct sim *sim, const struct sim_body *body, const struct sim_id_range *range,
                      struct bending *bending)
{
    const struct sim_store *store = &sim->stores[SIM_QUADRATIC];
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    for (uint32_t i = 0; i < range->count; i++) {
        struct sim_values values;
        uint32_t rows[SIM_STENCIL_MAX];
        if (range->slots[i] == SIM_GONE) {
            continue;
        }
        sim_store_values(store, range->slots[i], &values);
        sim_store_rows(store, range->slots[i], rows);
        struct sim_plate_stencil *stencil = &bending->stencils[bending->count++];
        const float *sk = values.params;
        const float weights[4] = {0 - ((sk[0] + sk[1]) + sk[2]), sk[0], sk[1], sk[2]};
        bending->soft = bending->soft && values.stiffness < 0 && values.compliance > 0;
        stencil->weight = 1 / ((double)values.compliance * inv_h * inv_h);
        for (int k = 0; k < 4; k++) {
            stencil->unknowns[k] = rows[k] - body->first_row;
            stencil->weights[k] = (double)weights[k];
        }
        base_hash_bytes(sim->hash, stencil->unknowns, sizeof stencil->unknowns);
        base_hash_bytes(sim->hash, stencil->weights, sizeof stencil->weights);
        base_hash_f64(sim->hash, stencil->weight);
        base_hash_u32(sim->hash, bending->soft ? 1 : 0);
    }
}

static bool bending_init(const struct sim *sim, const struct sim_body *body, struct bending *bending)
{
    *bending = (struct bending){
        .stencils = malloc(((size_t)body->live_count[SIM_QUADRATIC] + 1) * sizeof *bending->stencils),
        .masses = malloc(((size_t)body->count + 1) * sizeof *bending->masses),
        .soft = true,
        .free = true,
    };
    if (!bending->stencils || !bending->masses) {
        bending_deinit(bending);
        return false;
    }
    base_hash_reset(sim->hash);
    for (uint32_t r = 0; r < sim->range_count; r++) {
        if (sim->ranges[r].body == body->id && sim->ranges[r].kind == SIM_QUADRATIC) {
            add_range(sim, body, &sim->ranges[r], bending);
        }
    }
    for (uint32_t row = 0; row < body->count; row++) {
        float w = sim->rows[body->first_row + row].w;
        bending->masses[row] = w > 0 ? 1 / (double)w : 0;
        bending->free = bending->free && w > 0;
        base_hash_f32(sim->hash, w);
    }
    bending->sources = base_hash_digest(sim->hash);
    return true;
}

// A bound of the condition number of M + h^2 Q over M: the greatest sum of a row of 1 + M^-1 h^2 Q. Negative without
// memory.
static double condition(const struct bending *bending, uint32_t count)
{
    double *sums = calloc((size_t)count + 1, sizeof *sums), most = 0;
    if (!sums) {
        return -1;
    }
    for (uint32_t s = 0; s < bending->count; s++) {
        const struct sim_plate_stencil *stencil = &bending->stencils[s];
        double all = 0;
        for (int k = 0; k < 4; k++) {
            all += __builtin_fabs(stencil->weights[k]);
        }
        for (int k = 0; k < 4; k++) {
            sums[stencil->unknowns[k]] += stencil->weight * (__builtin_fabs(stencil->weights[k]) * all);
        }
    }
    for (uint32_t row = 0; row < count; row++) {
        double sum = bending->masses[row] > 0 ? sums[row] / bending->masses[row] : 0;
        most = sum > most ? sum : most;
    }
    free(sums);
    return 1 + most;
}

// Rows that share a stencil are neighbours; a pair of several stencils is there as often.
static bool graph_init(struct sim_graph *graph, const struct bending *bending, uint32_t count)
{
    *graph = (struct sim_graph){
        .count = count,
        .starts = calloc((size_t)count + 3, sizeof *graph->starts),
        .ways = malloc((12 * (size_t)bending->count + 1) * sizeof *graph->ways),
    };
    if (!graph->starts || !graph->ways) {
        return false;
    }
    for (uint32_t s = 0; s < bending->count; s++) {
        for (int k = 0; k < 4; k++) {
            graph->starts[bending->stencils[s].unknowns[k] + 2] += 3;
        }
    }
    for (uint32_t v = 0; v < count; v++) {
        graph->starts[v + 1] += graph->starts[v];
    }
    for (uint32_t s = 0; s < bending->count; s++) {
        const uint32_t *corners = bending->stencils[s].unknowns;
        for (int k = 0; k < 16; k++) {
            if (k / 4 != k % 4) {
                graph->ways[graph->starts[corners[k / 4] + 1]++] = corners[k % 4];
            }
        }
    }
    return true;
}

// Fills the order of elimination, of rows of the body. False without memory.
static bool find_order(const struct sim_body *body, const struct bending *bending,
                       struct sim_dissection *dissection)
{
    struct sim_graph graph = {0};
    bool good = false;
    int64_t(*points)[3] = malloc(((size_t)body->count + 1) * sizeof *points);
    if (points && graph_init(&graph, bending, body->count)) {
        for (uint32_t row = 0; row < body->count; row++) {
            sim_rest_of(body, body->index_of[row], points[row]);
        }
        good = sim_dissect(&graph, (const int64_t(*)[3])points, dissection);
    }
    free(graph.starts);
    free(graph.ways);
    free(points);
    return good;
}

// Numbers rows by the order of elimination, in the plate and in the stencils.
static bool number(struct sim_plate *plate, const struct sim_body *body, struct bending *bending,
                   const uint32_t *order)
{
    uint32_t *unknown_of = malloc(((size_t)body->count + 1) * sizeof *unknown_of);
    plate->rows = malloc(((size_t)plate->count + 1) * sizeof *plate->rows);
    plate->masses = malloc(((size_t)plate->count + 1) * sizeof *plate->masses);
    bool good = unknown_of && plate->rows && plate->masses;
    for (uint32_t u = 0; good && u < plate->count; u++) {
        unknown_of[order[u]] = u;
        plate->rows[u] = body->first_row + order[u];
        plate->masses[u] = bending->masses[order[u]];
    }
    for (uint32_t s = 0; good && s < bending->count; s++) {
        for (int k = 0; k < 4; k++) {
            bending->stencils[s].unknowns[k] = unknown_of[bending->stencils[s].unknowns[k]];
        }
    }
    free(unknown_of);
    return good;
}

void sim_plate_destroy(struct sim_plate *plate)
{
    if (plate) {
        sim_plate_empty(plate);
        free(plate);
    }
}

// Fills an empty plate. False without memory.
static bool make(struct sim_plate *plate, const struct sim *sim, const struct sim_body *body,
                 struct bending *bending)
{
    const double stiff = bending->soft ? condition(bending, body->count) : 0;
    if (!bending->soft || stiff > PLATE_STIFF_MAX) {
        return true;
    }
    struct sim_dissection dissection = {.order = malloc(((size_t)body->count + 1) * sizeof(uint32_t)),
                                        .ends = malloc(((size_t)body->count + 1) * sizeof(uint32_t))};
    plate->count = body->count;
    plate->lanes = sim->kernels->lanes;
    plate->fine = stiff > PLATE_FINE_MIN;
    plate->free = bending->free;
    bool good = dissection.order && dissection.ends && stiff > 0 && find_order(body, bending, &dissection) &&
                number(plate, body, bending, dissection.order) && sim_plate_shape(plate, &dissection) &&
                sim_plate_factor(plate, bending->stencils, bending->count);
    plate->large = good && !plate->solved && !plate->entries;
    free(dissection.order);
    free(dissection.ends);
    return good;
}

static bool settle_body(struct sim *sim, struct sim_body *body)
{
    struct bending bending;
    if (!bending_init(sim, body, &bending)) {
        return false;
    }
    bool good = true;
    if (!body->plate) {
        body->plate = calloc(1, sizeof *body->plate);
        good = body->plate != NULL;
    } else if (body->plate->sources == bending.sources) {
        bending_deinit(&bending);
        return true;
    }
    if (good) {
        sim_plate_empty(body->plate);
        good = make(body->plate, sim, body, &bending);
        body->plate->sources = bending.sources;
    }
    if (!good) {
        sim_plate_destroy(body->plate);
        body->plate = NULL;
    } else if (!body->plate->solved) {
        const bool large = body->plate->large;
        sim_plate_empty(body->plate); // it stays to say what cannot be solved
        body->plate->sources = bending.sources;
        body->plate->large = large;
    }
    bending_deinit(&bending);
    return good;
}

static void mark_tiles(struct sim_body *body, bool bent)
{
    for (uint32_t t = 0; t < body->tile_count[SIM_QUADRATIC]; t++) {
        body->tiles[SIM_QUADRATIC][t].bent = bent;
    }
}

bool sim_plates_settle(struct sim *sim)
{
    bool good = true;
    sim->bent_count = 0;
    for (uint32_t b = 0; good && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!sim->settings.bending_solved || body->live_count[SIM_QUADRATIC] == 0) {
            sim_plate_destroy(body->plate);
            body->plate = NULL;
        } else {
            good = settle_body(sim, body);
        }
        const bool bent = good && body->plate && body->plate->solved;
        mark_tiles(body, bent);
        if (bent) {
            good = array_reserve(&sim->bent, &sim->bent_capacity, sim->bent_count + 1);
            if (good) {
                sim->bent[sim->bent_count++] = body;
            }
        }
    }
    if (good && sim->bent_count > 0) {
        good = base_grow((void **)&sim->bends, sim->row_end * sizeof *sim->bends);
        if (good) {
            memset(sim->bends, 0, sim->row_end * sizeof *sim->bends);
        }
    }
    return good;
}

// Returns what the constraints of a body ask for, whatever its plate is.
static enum sim_bending bending_of(const struct sim *sim, const struct sim_body *body)
{
    enum sim_bending found = SIM_BENDING_SOLVED;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        if (range->body != body->id || range->kind != SIM_QUADRATIC) {
            continue;
        }
        for (uint32_t i = 0; i < range->count; i++) {
            struct sim_values values;
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            sim_store_values(&sim->stores[SIM_QUADRATIC], range->slots[i], &values);
            if (values.stiffness >= 0) {
                return SIM_BENDING_SWEPT_STIFFNESS;
            }
            found = values.compliance > 0 ? found : SIM_BENDING_SWEPT_RIGID;
        }
    }
    return found;
}

enum sim_bending sim_plate_bending(const struct sim *sim, const struct sim_body *body)
{
    bool bends = false;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        bends = bends || (sim_kind_rows[kind]->part == SIM_PART_BEND && body->live_count[kind] > 0);
    }
    if (!bends) {
        return SIM_BENDING_NONE;
    }
    if (body->live_count[SIM_QUADRATIC] == 0) {
        return SIM_BENDING_SWEPT_MODEL;
    }
    if (!sim->settings.bending_solved) {
        return SIM_BENDING_SWEPT_WORLD;
    }
    const struct sim_plate *plate = sim->derived_known ? body->plate : NULL;
    if (plate && plate->solved) {
        return SIM_BENDING_SOLVED;
    }
    const enum sim_bending found = bending_of(sim, body);
    if (found != SIM_BENDING_SOLVED || !plate) {
        return found;
    }
    return plate->large ? SIM_BENDING_SWEPT_LARGE : SIM_BENDING_SWEPT_STIFF;
}
