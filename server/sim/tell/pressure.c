// Tells what is inside a closed surface: the volume by its triangles, in their order, and the pressure.

#include "sim/ground/ground.h"

// m^3, of whole coordinates from those of the first particle on.
static double volume_of(const struct sim *sim, const struct sim_body *body)
{
    const int64_t *origin = sim->positions[body->first_row];
    double sum = 0;
    for (uint32_t t = 0; t < body->surface_count; t++) {
        double x[3][3];
        for (uint32_t k = 0; k < 3; k++) {
            const int64_t *at =
                sim->positions[body->first_row + body->row_of[body->surface[3 * (size_t)t + k]]];
            for (int axis = 0; axis < 3; axis++) {
                x[k][axis] = (double)(at[axis] - origin[axis]);
            }
        }
        sum += x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) +
               x[0][1] * (x[1][2] * x[2][0] - x[1][0] * x[2][2]) +
               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0]);
    }
    return sum / 6 * (sim->q * sim->q * sim->q);
}

bool sim_body_pressure(const struct sim *sim, uint32_t id, struct sim_pressure_told *told)
{
    const struct sim_body *body = sim_body_find(sim, id);
    *told = (struct sim_pressure_told){0};
    if (!body || body->pressure.model == SIM_PRESSURE_NONE) {
        return false;
    }
    const struct sim_pressure *pressure = &body->pressure;
    const double inv_h = (double)sim->settings.tick_rate * sim->settings.substeps;
    told->reference = sim_pressure_reference(body, sim->q);
    told->volume = volume_of(sim, body) * (body->balloon->inwards ? -1 : 1);
    if (pressure->model == SIM_PRESSURE_GAS) {
        const double least = SIM_PRESSURE_LEAST * told->reference;
        const double volume = told->volume > least ? told->volume : least;
        told->pressure = (pressure->ambient + pressure->now) * told->reference / volume - pressure->ambient;
    } else {
        told->pressure = body->balloon->lambda * inv_h * inv_h;
    }
    return true;
}
