// Finds where rows would be without edges, from what all other constraints of a sweep add to the prediction.
//
//     y = x0 + (x2 - x1) + (x4 - x3)      x0 ... x4: rows at the moments of a sweep, in their order
//
// Pushes of contacts between two iterations do not count.

#include "sim/bear/system.h"

static void add(struct sim *sim, const struct sim_body *body, uint32_t sign)
{
    int32_t(*anchors)[3] = sim->bear->anchors;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        for (int axis = 0; axis < 3; axis++) {
            anchors[row][axis] =
                (int32_t)((uint32_t)anchors[row][axis] + sign * (uint32_t)sim->rows[row].x[axis]);
        }
    }
}

void sim_bear_mark(struct sim *sim, enum sim_bear_moment moment)
{
    const bool adds = moment != SIM_BEAR_EDGES && moment != SIM_BEAR_LIMITS;
    if (!sim->bear || (moment == SIM_BEAR_BEGINS && sim->iteration > 0)) {
        return;
    }
    for (uint32_t b = 0; b < sim->body_count; b++) {
        const struct sim_body *body = sim->bodies[b];
        if (!body->bearing || body->asleep) {
            continue;
        }
        if (moment == SIM_BEAR_BEGINS) {
            memset(sim->bear->anchors[body->first_row], 0, body->count * sizeof *sim->bear->anchors);
        }
        add(sim, body, adds ? 1 : UINT32_MAX);
    }
}
