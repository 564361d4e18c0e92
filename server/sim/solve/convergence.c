// How well the solver converged, by body.
//
// Edges that have a limit: the strain above it. All other compliant constraints: a share of force. A constraint that is C
// from rest asks for the force -C/alpha. The last substep gave it lambda/h^2. XPBD (2016, eq. 8) calls what it left the
// residual:
//
//     r = C + alpha lambda/h^2         0 if all iterations together have converged
//
//     share = sum C r/alpha / sum (C^2 + c^2)/alpha
//
// Both sums are energies, twice those of the springs, so that soft and stiff constraints count as they do in the world.
// With c = 0, 1 - share is the force given over the force asked for. A body at rest whose share is 3/4 is bent as if its
// rigidity were a quarter of that of its material. In a mesh a sweep gives about C/(W + alpha/h^2) each, W = sum w
// |grad|^2, because the neighbours take back what a constraint gains. So the share grows with W, which is 1/a^4 for
// bending on edges of length a, and falls with h^2.
//
// c keeps a flat body from asking for anything: there the share would be one of rounding errors. `apart` says how far from
// rest the body is, so that share times apart is the strain that is not resolved.
//
// The multipliers say which force was given, wherever it came from: a sweep, or a step that solves a whole body at once and
// fills them. Of such a step the share is what the sweeps after it have taken away.
//
// Sums are exact (kernels/sum.h), so every machine tells the same bits.

#include "base/assert.h"
#include "sim/bear/bear.h"
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/kernels/sum.h"
#include "sim/plate/plate.h"
#include "sim/solve/solve.h"
#include "sim/state/kind.h"

// Nobody sees a strain of 1 % or a bend of 0.001 rad.
#define LEAST_STRAIN 1e-2
#define LEAST_BEND 1e-3

struct share {
    struct sim_sum asked, missed, scale;
};

static void add_swept(const struct sim *sim, const struct sim_body *body, enum sim_kind kind, bool far,
                      struct share *share)
{
    const struct sim_store *store = &sim->stores[kind];
    for (uint32_t t = 0; t < body->tile_count[kind]; t++) {
        const struct sim_tile *tile = &body->tiles[kind][t];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            uint32_t batch = tile->order[i];
            if (sim_batch_meta(store, batch)->flavor == SIM_STIFF) {
                continue; // plain PBD has no material
            }
            struct sim_terms terms = {0};
            sim->kernels->runs[kind]->tell(sim, sim_batch_words(store, batch),
                                           sim_multipliers_of(store, batch, 0), far, &terms);
            sim->kernels->sum(&share->asked, terms.asked);
            sim->kernels->sum(&share->missed, terms.missed);
            sim->kernels->sum(&share->scale, terms.scale);
        }
    }
}

static void measure_share(const struct sim *sim, const struct sim_body *body, enum sim_part part, bool far,
                          struct sim_convergence *out)
{
    const double least = part == SIM_PART_BEND ? LEAST_BEND : LEAST_STRAIN;
    struct share share;
    sim_sum_init(&share.asked);
    sim_sum_init(&share.missed);
    sim_sum_init(&share.scale);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_kind_rows[kind]->part == part) {
            add_swept(sim, body, (enum sim_kind)kind, far, &share);
        }
    }
    double asked = sim_sum_value(&share.asked), missed = sim_sum_value(&share.missed);
    double scale = sim_sum_value(&share.scale), most = asked + least * least * scale;
    out->apart[part] = scale > 0 ? __builtin_sqrt(asked / scale) : 0;
    if (most > 0 && missed > 0) {
        out->unresolved[part] = missed < most ? missed / most : 1;
    }
}

// Square of the length of a lane's edge, quanta^2.
static double length2_of(const struct sim *sim, uint32_t a, uint32_t b, bool far)
{
    double sum = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t from = sim->rows[b].x[axis], to = sim->rows[a].x[axis];
        double d = far ? (double)(sim_whole(sim, a, axis, to) - sim_whole(sim, b, axis, from))
                       : (double)sim_wrap_sub(to, from);
        sum += d * d;
    }
    return sum;
}

// Fills the squares of a batch's strains above `limit`. Returns how many edges have a limit, and raises *most.
static uint32_t strains_of(const struct sim *sim, uint32_t batch, double limit, bool far,
                           double squares[SIM_LANES], double *most)
{
    const struct sim_store *store = &sim->stores[SIM_DISTANCE];
    const uint32_t *ids = sim_batch_ids(store, batch);
    const uint32_t *at = sim_batch_words(store, batch);
    const float *rest = sim_batch_params(store, batch, 0), *give = sim_batch_params(store, batch, 1);
    const bool stiff = sim_batch_meta(store, batch)->flavor == SIM_STIFF; // and then `give` is its stiffness
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t a = at[lane] / SIM_ROW_BYTES, b = at[SIM_LANES + lane] / SIM_ROW_BYTES;
        bool moves = sim->rows[a].w + sim->rows[b].w > 0;
        squares[lane] = 0;
        if (ids[lane] == 0 || !moves || !(rest[lane] > 0) || ((stiff || give[lane] > 0) && !(limit > 0))) {
            continue;
        }
        count++;
        double strain = __builtin_sqrt(length2_of(sim, a, b, far)) / (double)rest[lane] - (1 + limit);
        if (strain > 0) {
            squares[lane] = strain * strain;
            *most = strain > *most ? strain : *most;
        }
    }
    return count;
}

// The same of the yarns of a fabric with a limit, both of each triangle.
static uint32_t yarns_of(const struct sim *sim, const struct sim_body *body, double limit,
                         struct sim_sum *sum, double *most)
{
    const uint32_t first = body->constraint_first[SIM_ORTHOTROPIC];
    uint32_t count = 0;
    for (uint32_t i = 0; limit > 0 && i < body->constraint_count[SIM_ORTHOTROPIC]; i++) {
        struct sim_constraint constraint;
        double squares[SIM_LANES] = {0};
        if (!sim_constraint_get(sim, first + i, &constraint)) {
            continue;
        }
        for (uint32_t yarn = 0; yarn < 2; yarn++) {
            const double past = constraint.strain[yarn] - limit;
            squares[yarn] = past > 0 ? past * past : 0;
            *most = past > *most ? past : *most;
            count++;
        }
        sim->kernels->sum(sum, squares);
    }
    return count;
}

static void measure_strain(const struct sim *sim, const struct sim_body *body, bool far,
                           struct sim_convergence *out)
{
    const double limit = body->materials[SIM_PART_STRETCH].limit;
    struct sim_sum sum;
    uint32_t count = 0;
    sim_sum_init(&sum);
    for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
        const struct sim_tile *tile = &body->tiles[SIM_DISTANCE][t];
        for (uint32_t i = 0; i < tile->order_count; i++) {
            double squares[SIM_LANES];
            count += strains_of(sim, tile->order[i], limit, far, squares, &out->strain_max);
            sim->kernels->sum(&sum, squares);
        }
    }
    count += yarns_of(sim, body, limit, &sum, &out->strain_max);
    out->strain_rms = count > 0 ? __builtin_sqrt(sim_sum_value(&sum) / count) : 0;
}

bool sim_converged(struct sim *sim, struct sim_convergence *bodies)
{
    struct fault fault;
    bool hold;
    BASE_ASSERT(sim_at_boundary(sim));
    if (sim_multipliers_find(sim, &hold, &fault) != FAULT_NONE) {
        return false;
    }
    bool far = sim_is_far(sim);
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        struct sim_convergence *out = &bodies[b];
        *out = (struct sim_convergence){.body = body->id, .bending = sim_plate_bending(sim, body)};
        out->loads = sim_bear_loads(sim, body);
        measure_strain(sim, body, far, out);
        for (int part = 0; hold && part < SIM_PART_COUNT; part++) {
            measure_share(sim, body, (enum sim_part)part, far, out);
        }
    }
    sim_multipliers_drop(sim);
    return true;
}
