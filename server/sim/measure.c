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

// What one constraint adds: its energy C^2/(2 alpha), and strain or volume error.
struct found {
    double strain_squares, volume_squares;
    uint32_t strained, volumes;
};

static void measure_constraint(const struct sim *sim, enum sim_kind kind, const uint32_t *rows,
                               const struct sim_values *values, struct sim_measures *measures,
                               struct found *found)
{
    double exact[3][3] = {{0}}, c2 = 0, rest = (double)values->params[0];
    float d[3][3] = {{0}};
    for (uint32_t k = 1; k < sim_stencil_size(kind); k++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            exact[k - 1][axis] = (double)(sim_whole(sim, rows[k], axis, sim->rows[rows[k]].x[axis]) -
                                          sim_whole(sim, rows[0], axis, sim->rows[rows[0]].x[axis])) *
                                 sim->q;
            d[k - 1][axis] = (float)exact[k - 1][axis];
        }
    }
    if (kind == SIM_DISTANCE) {
        const double *e = exact[0];
        rest *= sim->q;
        double c = __builtin_sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) - rest;
        c2 = c * c;
        if (rest > 0) {
            double strain = c / rest, size = strain < 0 ? -strain : strain;
            measures->strain_max = size > measures->strain_max ? size : measures->strain_max;
            found->strain_squares += strain * strain;
            found->strained++;
        }
    } else if (kind == SIM_VOLUME) {
        double c = (double)sim_volume_of((const float(*)[3])d) - rest;
        c2 = c * c;
        if (rest != 0) {
            double error = c / rest, size = error < 0 ? -error : error;
            measures->volume_error_max =
                size > measures->volume_error_max ? size : measures->volume_error_max;
            found->volume_squares += error * error;
            found->volumes++;
        }
    } else if (kind == SIM_DIHEDRAL) {
        double c = (double)sim_dihedral_angle((const float(*)[3])d) - rest, pi = 3.14159265358979;
        c = c > pi ? c - 2 * pi : c < -pi ? c + 2 * pi : c;
        c2 = c * c;
    } else {
        double kx2 = 0, energy;
        for (int axis = 0; axis < 3; axis++) {
            double kx = (double)values->params[0] * exact[0][axis] +
                        (double)values->params[1] * exact[1][axis] +
                        (double)values->params[2] * exact[2][axis];
            kx2 += kx * kx;
        }
        energy = 0.5 * kx2 * (kind == SIM_ISOMETRIC ? (double)values->params[3] : 1);
        c2 = kind == SIM_ISOMETRIC ? energy * energy : 2 * energy; // |c|^2 of the vector form is 2 E
    }
    if (values->stiffness < 0 && values->compliance > 0) {
        measures->elastic[kind] += c2 / (2 * (double)values->compliance);
    }
}

void sim_measure(const struct sim *sim, struct sim_measures *measures)
{
    struct found found = {0};
    *measures = (struct sim_measures){0};
    for (uint32_t b = 0; b < sim->body_count; b++) {
        measure_body(sim, sim->bodies[b], measures);
    }
    for (uint32_t c = 0; c < sim->chunk_count; c++) {
        measures->contacts += sim->chunks[c].contacts;
    }
    for (uint32_t r = 0; r < sim->range_count; r++) {
        const struct sim_id_range *range = &sim->ranges[r];
        const struct sim_store *store = &sim->stores[range->kind];
        for (uint32_t i = 0; i < range->count; i++) {
            uint32_t rows[SIM_STENCIL_MAX];
            struct sim_values values;
            if (range->slots[i] != SIM_GONE) {
                sim_store_values(store, range->slots[i], &values);
                sim_store_rows(store, range->slots[i], rows);
                measure_constraint(sim, range->kind, rows, &values, measures, &found);
            }
        }
    }
    measures->strain_rms = found.strained > 0 ? __builtin_sqrt(found.strain_squares / found.strained) : 0;
    measures->volume_error_rms = found.volumes > 0 ? __builtin_sqrt(found.volume_squares / found.volumes) : 0;
}
