// What a world amounts to: energies and strain. Sums run in double, body after body by id, particles in the
// caller's order, constraints by id: the same number on every machine.

#include "sim/internal.h"

static void measure_body(const struct sim *sim, const struct sim_body *body, struct sim_measures *measures)
{
    for (uint32_t i = 0; i < body->count; i++) {
        uint32_t row = body->first_row + body->row_of[i];
        if (sim->rows[row].w == 0) {
            continue;
        }
        double mass = 1 / (double)sim->rows[row].w, v2 = 0, gx = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double v = (double)sim->velocities[row].v[axis];
            v2 += v * v;
            gx += sim->settings.gravity[axis] *
                  ((double)sim_whole(sim, row, axis, sim->rows[row].x[axis]) * sim->q);
        }
        measures->kinetic += 0.5 * mass * v2;
        measures->potential -= mass * gx;
    }
}

void sim_measure(const struct sim *sim, struct sim_measures *measures)
{
    *measures = (struct sim_measures){0};
    for (uint32_t b = 0; b < sim->body_count; b++) {
        measure_body(sim, sim->bodies[b], measures);
    }
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        measures->contacts += sim->chunks[c].contacts;
    }
    double squares = 0;
    uint32_t strained = 0;
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        const struct sim_store *store = &sim->stores[range->kind];
        for (uint32_t i = 0; i < range->count; i++) {
            uint32_t rows[SIM_STENCIL_MAX];
            struct sim_values values;
            if (range->slots[i] == SIM_GONE) {
                continue;
            }
            sim_store_values(store, range->slots[i], &values);
            sim_store_rows(store, range->slots[i], rows);
            double rest = (double)values.params[0];
            double c = sim_present_length(sim, rows) - rest;
            if (values.stiffness < 0 && values.compliance > 0) {
                measures->elastic[range->kind] +=
                    (c * sim->q) * (c * sim->q) / (2 * (double)values.compliance);
            }
            if (rest > 0) {
                double strain = c / rest, size = strain < 0 ? -strain : strain;
                measures->strain_max = size > measures->strain_max ? size : measures->strain_max;
                squares += strain * strain;
                strained++;
            }
        }
    }
    measures->strain_rms = strained > 0 ? __builtin_sqrt(squares / strained) : 0;
}
