// Finds the bodies that are calm: their edges are swept there and back.
//
// One sweep over edges in their order is no symmetric operator, and feeds energy into stiff shells: they tremble for ever, and never
// fall asleep (docs/internals/sim.md). This order is the same from its end to its beginning, and feeds none:
//
//     edges -> long edges, from the coarsest level to the finest -> tethers -> long edges back -> edges back
//
// It costs a second sweep. So only bodies have it that go slowly: trembling is slow, and others have it too few ticks to gain much.
// The sweeps for limits that stretch.c adds go one way. A calm body has them only where an edge is a tenth too long.
//
// Edges keep their multipliers between both sweeps (XPBD 2016, eq. 18). So soft edges are as soft as in one.
//
// A body is calm by the velocities with which a tick begins: that is no state, and depends on no other body. Bodies
// that sleep are calm, as they were when they fell asleep: their forces may be found again.

#include "sim/ground/ground.h"
#include "sim/solve/solve.h"

#define CALM 0.5 // m/s: root of the mean square of velocities, less their mean

static bool goes_slowly(const struct sim *sim, const struct sim_body *body)
{
    double sum[3] = {0}, squares = 0;
    for (uint32_t row = body->first_row; row < body->first_row + body->count; row++) {
        for (int axis = 0; axis < 3; axis++) {
            const double v = (double)sim->velocities[row].v[axis];
            sum[axis] += v;
            squares += v * v;
        }
    }
    const double count = body->count;
    const double mean = ((sum[0] * sum[0] + sum[1] * sum[1]) + sum[2] * sum[2]) / count;
    return squares - mean < CALM * CALM * count;
}

void sim_calm_begin(struct sim *sim)
{
    sim->calm_count = 0;
    for (uint32_t b = 0; b < sim->body_count; b++) {
        struct sim_body *body = sim->bodies[b];
        body->calm = sim->settings.calm && body->live_count[SIM_DISTANCE] > 0 && goes_slowly(sim, body);
        sim->calm_count += body->calm;
        for (uint32_t t = 0; t < body->tile_count[SIM_DISTANCE]; t++) {
            body->tiles[SIM_DISTANCE][t].calm = body->calm;
        }
    }
}
