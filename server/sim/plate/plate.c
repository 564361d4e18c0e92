// Which bodies have their bending solved, and their plates, made again when what they follow from has changed.
//
//     an edit       marks the body if it has changed more than few rows (ground/bends.c)
//     next tick     change: takes the new weights and masses; go_on: makes the factor, at once or the first part of it
//     later ticks   go_on: the next part
//     due           the factor is attached

#include "sim/plate/plate.h"

#include "base/array.h"
#include "base/grow.h"
#include "base/hash.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

// The quadratic constraints of a body, in the order of their ids. Unknowns are rows of the body.
struct bending {
    struct sim_plate_stencil *stencils;
    uint32_t count;
    bool soft;      // all of them can be solved
    uint64_t mesh;  // hash of them
    uint64_t shape; // hash of their unknowns
};

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
        base_hash_bytes(sim->hash, stencil->weights, sizeof stencil->weights);
        base_hash_f64(sim->hash, stencil->weight);
        base_hash_u32(sim->hash, bending->soft ? 1 : 0);
    }
}

static bool bending_init(const struct sim *sim, const struct sim_body *body, struct bending *bending)
{
    *bending = (struct bending){
        .stencils = malloc(((size_t)body->live_count[SIM_QUADRATIC] + 1) * sizeof *bending->stencils),
        .soft = true,
    };
    if (!bending->stencils) {
        return false;
    }
    base_hash_reset(sim->hash);
    for (uint32_t r = 0; r < sim->range_count; r++) {
        if (sim->ranges[r].body == body->id && sim->ranges[r].kind == SIM_QUADRATIC) {
            add_range(sim, body, &sim->ranges[r], bending);
        }
    }
    const uint64_t weights = base_hash_digest(sim->hash);
    base_hash_reset(sim->hash);
    for (uint32_t s = 0; s < bending->count; s++) {
        base_hash_bytes(sim->hash, bending->stencils[s].unknowns, sizeof bending->stencils[s].unknowns);
    }
    bending->shape = base_hash_digest(sim->hash);
    base_hash_u64(sim->hash, weights);
    bending->mesh = base_hash_digest(sim->hash);
    return true;
}

static uint64_t sources_of(const struct sim *sim, const struct sim_body *body, uint64_t mesh)
{
    base_hash_reset(sim->hash);
    base_hash_u64(sim->hash, mesh);
    for (uint32_t row = 0; row < body->count; row++) {
        base_hash_f32(sim->hash, sim->rows[body->first_row + row].w);
    }
    return base_hash_digest(sim->hash);
}

static double mass_of(const struct sim *sim, uint32_t row)
{
    const float w = sim->rows[row].w;
    return w > 0 ? 1 / (double)w : 0;
}

// Adds up, for each row, what of h^2 Q stands in it. False without memory.
static bool sum_rows(struct sim_plate *plate, const struct bending *bending, uint32_t count)
{
    free(plate->sums);
    plate->sums = calloc((size_t)count + 1, sizeof *plate->sums);
    for (uint32_t s = 0; plate->sums && s < bending->count; s++) {
        const struct sim_plate_stencil *stencil = &bending->stencils[s];
        double all = 0;
        for (int k = 0; k < 4; k++) {
            all += __builtin_fabs(stencil->weights[k]);
        }
        for (int k = 0; k < 4; k++) {
            plate->sums[stencil->unknowns[k]] +=
                stencil->weight * (__builtin_fabs(stencil->weights[k]) * all);
        }
    }
    return plate->sums != NULL;
}

// A bound of the condition number of M + h^2 Q over M: the greatest sum of a row of 1 + M^-1 h^2 Q.
static double condition(const struct sim_plate *plate, const struct sim *sim, const struct sim_body *body)
{
    double most = 0;
    for (uint32_t row = 0; row < body->count; row++) {
        const double mass = mass_of(sim, body->first_row + row), sum = mass > 0 ? plate->sums[row] / mass : 0;
        most = sum > most ? sum : most;
    }
    return 1 + most;
}

// Fills the order of elimination, of rows of the body. False without memory.
static bool find_order(const struct sim_body *body, const struct bending *bending,
                       struct sim_dissection *dissection)
{
    struct sim_graph graph = {0};
    bool good = false;
    int64_t(*points)[3] = malloc(((size_t)body->count + 1) * sizeof *points);
    if (points && sim_graph_init(&graph, bending->stencils, bending->count, body->count)) {
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

// Takes the present masses. changed[unknown] (NULL: nobody asks) becomes true if it had another one.
static void take_masses(struct sim_plate *plate, const struct sim *sim, bool *changed)
{
    plate->free = true;
    for (uint32_t u = 0; u < plate->count; u++) {
        const double mass = mass_of(sim, plate->rows[u]), before = plate->masses[u];
        if (changed) {
            changed[u] = changed[u] || mass < before || mass > before;
        }
        plate->masses[u] = mass;
        plate->free = plate->free && mass > 0;
    }
}

// Numbers the rows of stencils by the order of elimination. False without memory.
static bool number_stencils(const struct sim_plate *plate, const struct sim_body *body,
                            struct bending *bending)
{
    uint32_t *unknown_of = malloc(((size_t)body->count + 1) * sizeof *unknown_of);
    const bool good = unknown_of != NULL;
    for (uint32_t u = 0; good && u < plate->count; u++) {
        unknown_of[plate->rows[u] - body->first_row] = u;
    }
    for (uint32_t s = 0; good && s < bending->count; s++) {
        for (int k = 0; k < 4; k++) {
            bending->stencils[s].unknowns[k] = unknown_of[bending->stencils[s].unknowns[k]];
        }
    }
    free(unknown_of);
    return good;
}

// Numbers rows by the order of elimination, in the plate and in the stencils.
static bool number(struct sim_plate *plate, const struct sim_body *body, struct bending *bending,
                   const uint32_t *order)
{
    plate->rows = malloc(((size_t)plate->count + 1) * sizeof *plate->rows);
    plate->masses = calloc((size_t)plate->count + 1, sizeof *plate->masses);
    for (uint32_t u = 0; plate->rows && u < plate->count; u++) {
        plate->rows[u] = body->first_row + order[u];
    }
    return plate->rows && plate->masses && number_stencils(plate, body, bending);
}

void sim_plate_destroy(struct sim_plate *plate)
{
    if (plate) {
        sim_plate_empty(plate);
        free(plate);
    }
}

// Fills an empty plate, but for its numbers. False without memory.
static bool lay(struct sim_plate *plate, const struct sim *sim, const struct sim_body *body,
                struct bending *bending)
{
    if (!bending->soft) {
        return true;
    }
    if (!sum_rows(plate, bending, body->count)) {
        return false;
    }
    const double stiff = condition(plate, sim, body);
    if (stiff > PLATE_STIFF_MAX) {
        return true;
    }
    struct sim_dissection dissection = {.order = malloc(((size_t)body->count + 1) * sizeof(uint32_t)),
                                        .ends = malloc(((size_t)body->count + 1) * sizeof(uint32_t))};
    bool fits = false;
    plate->count = body->count;
    plate->lanes = sim->kernels->lanes;
    plate->fine = stiff > PLATE_FINE_MIN;
    const bool good = dissection.order && dissection.ends && find_order(body, bending, &dissection) &&
                      number(plate, body, bending, dissection.order) && sim_plate_shape(plate, &dissection) &&
                      sim_plate_grow(plate, bending->stencils, bending->count, &fits);
    plate->large = good && !fits;
    if (good && fits) {
        take_masses(plate, sim, NULL);
    }
    free(dissection.order);
    free(dissection.ends);
    return good;
}

// Makes a plate empty, except for what says why it cannot be solved.
static void empty(struct sim_plate *plate)
{
    const bool large = plate->large;
    sim_plate_empty(plate);
    plate->large = large;
}

// Whether what it was laid out for serves the present masses as well.
static bool still_fits(const struct sim_plate *plate, const struct sim *sim, const struct sim_body *body)
{
    const double stiff = condition(plate, sim, body);
    return stiff <= PLATE_STIFF_MAX && plate->fine == (stiff > PLATE_FINE_MIN);
}

// Takes the weights, if there are new ones, and the masses into a plate whose tree stays. If it was made and does not wait,
// it computes what they reach. *done: the tree serves. False without memory.
static bool change_numbers(struct sim_plate *plate, const struct sim *sim, const struct sim_body *body,
                           struct bending *bending, struct base_parallel *parallel, bool *done)
{
    const bool partly = plate->made && !sim_bend_waits(body);
    bool good = !bending->stencils || sum_rows(plate, bending, body->count);
    *done = good && still_fits(plate, sim, body);
    if (!*done) {
        return good;
    }
    bool *changed = calloc((size_t)plate->count + 1, sizeof *changed);
    good = changed != NULL;
    if (good && bending->stencils) {
        good = number_stencils(plate, body, bending) &&
               sim_plate_weigh(plate, bending->stencils, bending->count, changed);
    }
    sim_plate_making_end(plate);
    plate->made = false;
    if (good) {
        take_masses(plate, sim, changed);
        good = !partly || sim_plate_factor(plate, sim->kernels, changed, parallel);
    }
    if (good && partly && !plate->made) {
        empty(plate);
    }
    free(changed);
    return good;
}

// Takes what has changed of the constraints and the masses, unless nothing has.
static bool change(struct sim *sim, struct sim_body *body, struct bending *bending,
                   struct base_parallel *parallel)
{
    struct sim_plate *plate = body->plate;
    const uint64_t sources = sources_of(sim, body, bending->mesh);
    if (plate->sources == sources) {
        return true;
    }
    bool good = true, done = false;
    if (plate->tree && plate->shape == bending->shape && (bending->soft || plate->mesh == bending->mesh)) {
        struct bending same = {0};
        const bool weighs = plate->mesh != bending->mesh;
        good = change_numbers(plate, sim, body, weighs ? bending : &same, parallel, &done);
    }
    if (good && !done) {
        free(bending->stencils); // whose unknowns may be numbered by now
        if (!bending_init(sim, body, bending)) {
            return false;
        }
        sim_plate_empty(plate);
        good = lay(plate, sim, body, bending);
        if (good && (!plate->tree || plate->large)) {
            empty(plate);
        }
    }
    plate->sources = sources;
    plate->mesh = bending->mesh;
    plate->shape = bending->shape;
    return good;
}

// Makes the factor of a plate as far as it is to be in this tick: all of it, or an even part more if its body waits.
static bool go_on(struct sim *sim, struct sim_body *body, struct base_parallel *parallel)
{
    struct sim_plate *plate = body->plate;
    const uint32_t ticks = sim_bend_ticks(body->count);
    const uint32_t left = sim_bend_waits(body) ? body->bend_due - SIM_BEND_FRESH : 0;
    if (plate->made || !plate->tree || left > ticks) {
        return true;
    }
    bool good;
    if (left <= 1 && !plate->making) {
        good = sim_plate_factor(plate, sim->kernels, NULL, parallel);
    } else {
        good = (plate->making || sim_plate_making_begin(plate, sim->kernels)) &&
               sim_plate_making_go_on(plate, left > 1 ? ticks - left + 1 : ticks, ticks);
    }
    if (good && !plate->made && !plate->making) {
        empty(plate);
    }
    return good;
}

static bool settle_body(struct sim *sim, struct sim_body *body, struct base_parallel *parallel)
{
    struct bending bending = {0};
    bool good = true;
    if (body->plate && sim->derived_known) {
        bending.mesh = body->plate->mesh; // its constraints are those that it was made from
        bending.shape = body->plate->shape;
    } else {
        good = bending_init(sim, body, &bending);
    }
    if (good && !body->plate) {
        body->plate = calloc(1, sizeof *body->plate);
        good = body->plate != NULL;
    }
    good = good && change(sim, body, &bending, parallel);
    free(bending.stencils);
    return good;
}

static void mark_tiles(struct sim_body *body, bool bent)
{
    for (uint32_t t = 0; t < body->tile_count[SIM_QUADRATIC]; t++) {
        body->tiles[SIM_QUADRATIC][t].bent = bent;
    }
}

// Marks what is solved from now on. False without memory.
static bool attach(struct sim *sim)
{
    bool good = true;
    sim->bent_count = 0;
    for (uint32_t b = 0; good && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        const bool bent = body->plate && body->plate->made && !sim_bend_waits(body);
        mark_tiles(body, bent);
        if (body->plate) {
            body->plate->solved = bent;
        }
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

static void drop(struct sim_body *body)
{
    sim_plate_destroy(body->plate);
    body->plate = NULL;
}

bool sim_plates_settle(struct sim *sim, struct base_parallel *parallel)
{
    bool good = true;
    for (uint32_t b = 0; good && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (!sim->settings.bending_solved || body->live_count[SIM_QUADRATIC] == 0) {
            drop(body);
        } else {
            good = settle_body(sim, body, parallel) && go_on(sim, body, parallel);
            if (!good) {
                drop(body);
            }
        }
    }
    return good && attach(sim);
}

bool sim_plates_go_on(struct sim *sim, struct base_parallel *parallel)
{
    bool good = true, same = true;
    for (uint32_t b = 0; good && b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        if (body->plate) {
            good = go_on(sim, body, parallel);
            same = same && body->plate->solved == (body->plate->made && !sim_bend_waits(body));
            if (!good) {
                drop(body);
            }
        }
    }
    good = good && (same || attach(sim));
    sim->derived_known = sim->derived_known && good;
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
    if (plate && plate->made && !sim_bend_waits(body)) {
        return SIM_BENDING_SOLVED;
    }
    const enum sim_bending found = bending_of(sim, body);
    if (found == SIM_BENDING_SOLVED && sim_bend_waits(body)) {
        return SIM_BENDING_SWEPT_WAITS;
    }
    if (found != SIM_BENDING_SOLVED || !plate) {
        return found;
    }
    return plate->large ? SIM_BENDING_SWEPT_LARGE : SIM_BENDING_SWEPT_STIFF;
}
