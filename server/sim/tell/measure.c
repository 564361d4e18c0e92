// Measures a world: energies, and the errors of the kinds of constraints that have one.
//
// Kernels tell what each batch of constraints, and of rows, adds (tell.c). Sums are exact (sum.h), so it does not
// matter where a constraint or a particle stands: a world that was saved and opened again, or had an edit undone,
// tells the same bits, as every machine does.

#include "base/assert.h"
#include "sim/ground/ground.h"
#include "sim/kernels/sum.h"
#include "sim/state/kind.h"

static void measure_chunk(const struct sim *sim, const struct sim_chunk *chunk, struct sim_sum *kinetic,
                          struct sim_sum *potential)
{
    struct sim_terms terms;
    uint32_t end = chunk->first_row + chunk->count;
    for (uint32_t row = chunk->first_row; row < end; row += SIM_LANES) {
        struct sim_matter matter = {sim->rows + row, sim->velocities + row, sim->positions + row};
        uint32_t left = end - row;
        // The rows behind the last ones belong to another chunk.
        _Alignas(64) struct sim_row rows[SIM_LANES] = {{{0}, 0}};
        struct sim_velocity velocities[SIM_LANES] = {{{0}, 0}};
        int64_t positions[SIM_LANES][3] = {{0}};
        if (left < SIM_LANES) {
            memcpy(rows, matter.rows, left * sizeof *rows);
            memcpy(velocities, matter.velocities, left * sizeof *velocities);
            memcpy(positions, matter.positions, left * sizeof *positions);
            matter = (struct sim_matter){rows, velocities, (const int64_t(*)[3])positions};
        }
        sim->kernels->tell_particles(sim, &matter, &terms);
        sim->kernels->sum(kinetic, terms.kinetic);
        sim->kernels->sum(potential, terms.potential);
    }
}

// Adds the energy of how the pieces of a rigid body turn.
static void measure_turns(const struct sim *sim, const struct sim_body *body, struct sim_sum *kinetic)
{
    for (uint32_t first = 0; first < body->count; first += SIM_LANES) {
        struct sim_terms terms = {0};
        for (uint32_t i = first; i < body->count && i < first + SIM_LANES; i++) {
            terms.kinetic[i - first] = sim_rigid_energy(sim, body, i);
        }
        sim->kernels->sum(kinetic, terms.kinetic);
    }
}

static double root_mean(const struct sim_sum *squares, double count)
{
    return count > 0 ? __builtin_sqrt(sim_sum_value(squares) / count) : 0;
}

// Energy of all constraints of a kind, and the root mean square and the greatest of their errors, if the kind has one.
static void measure_kind(const struct sim *sim, enum sim_kind kind, bool far, double *energy, double *mean,
                         double *greatest)
{
    const struct sim_store *store = &sim->stores[kind];
    struct sim_sum energies, squares;
    struct sim_terms terms = {0};
    sim_sum_init(&energies);
    sim_sum_init(&squares);
    for (uint32_t s = 0; s < store->shelf_count; s++) {
        for (uint32_t b = s * SIM_SHELF; b < s * SIM_SHELF + store->shelves[s].used; b++) {
            if (!sim_batch_meta(store, b)->tile) {
                continue;
            }
            sim->kernels->runs[kind]->tell(sim, sim_batch_words(store, b), NULL, far, &terms);
            if (sim_batch_meta(store, b)->flavor != SIM_STIFF) {
                sim->kernels->sum(&energies, terms.energy);
            }
            if (sim_kind_rows[kind]->has_error) {
                sim->kernels->sum(&squares, terms.error2);
            }
        }
    }
    double count = 0;
    for (int lane = 0; lane < SIM_LANES; lane++) {
        count += terms.counted[lane];
        *greatest = terms.greatest[lane] > *greatest ? terms.greatest[lane] : *greatest;
    }
    *energy = sim_sum_value(&energies);
    *mean = root_mean(&squares, count);
}

void sim_measure(const struct sim *sim, struct sim_measures *measures)
{
    struct sim_sum kinetic, potential;
    BASE_ASSERT(!sim->dropped);
    sim_sum_init(&kinetic);
    sim_sum_init(&potential);
    *measures = (struct sim_measures){0};
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        measures->contacts += sim->chunks[c].contacts;
        measure_chunk(sim, &sim->chunks[c], &kinetic, &potential);
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        if (sim->bodies[b]->rigid) {
            measure_turns(sim, sim->bodies[b], &kinetic);
        }
    }
    measures->kinetic = sim_sum_value(&kinetic);
    measures->potential = sim_sum_value(&potential);
    bool far = sim_is_far(sim);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        measure_kind(sim, (enum sim_kind)kind, far, &measures->elastic[kind], &measures->error_rms[kind],
                     &measures->error_max[kind]);
    }
}
