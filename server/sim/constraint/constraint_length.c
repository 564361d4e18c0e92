// How long a constraint is where its particles are.
#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"

double sim_present_length(const struct sim *sim, uint32_t stencil, const uint32_t *rows)
{
    double farthest = 0;
    for (uint32_t k = 1; k < stencil; k++) {
        double length2 = 0;
        for (uint32_t axis = 0; axis < 3; axis++) {
            double d = (double)(sim_whole(sim, rows[k], axis, sim->rows[rows[k]].x[axis]) -
                                sim_whole(sim, rows[0], axis, sim->rows[rows[0]].x[axis]));
            length2 += d * d;
        }
        farthest = length2 > farthest ? length2 : farthest;
    }
    return __builtin_sqrt(farthest);
}
