// Ranges of a body's own gravity, of its coefficients in the air and of forces.

#include "sim/body/pull.h"

#include "sim/state/fixed.h"

#include <stdio.h>

enum fault_code sim_force_check(const double force[3], uint32_t ticks, uint32_t particle, struct fault *fault)
{
    char where[32] = "";
    if (particle != UINT32_MAX) {
        snprintf(where, sizeof where, " for particle %u", particle);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (!(force[axis] >= -SIM_FORCE_MAX && force[axis] <= SIM_FORCE_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, particle == UINT32_MAX ? "force" : "forces",
                                  "%g N%s; must be in [-%g, %g]", force[axis], where, SIM_FORCE_MAX,
                                  SIM_FORCE_MAX);
        }
    }
    return ticks <= SIM_FORCE_TICKS_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, "ticks", "%u%s; must be at most %d, or 0 for no end",
                                ticks, where, SIM_FORCE_TICKS_MAX);
}

enum fault_code sim_pull_check(double resolution, const struct sim_own_gravity *gravity,
                               const struct sim_body_force *force, struct fault *fault)
{
    const double most = 1000 * sim_scale(resolution);
    for (int axis = 0; gravity && gravity->own && axis < 3; axis++) {
        if (!(gravity->value[axis] >= -most && gravity->value[axis] <= most)) {
            return fault_code_set(fault, FAULT_INVALID, "gravity",
                                  "%g m/s^2; must be in [-%g, %g]; " SIM_COARSER, gravity->value[axis], most,
                                  most);
        }
    }
    return force ? sim_force_check(force->value, force->ticks, UINT32_MAX, fault) : FAULT_NONE;
}

static enum fault_code coefficient_check(const char *field, double value, struct fault *fault)
{
    return value >= 0 && value <= SIM_WIND_MAX
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%g; must be in [0, %g]", value, SIM_WIND_MAX);
}

enum fault_code sim_own_wind_check(const struct sim_own_wind *wind, struct fault *fault)
{
    const enum fault_code status = coefficient_check("wind.drag", wind->drag, fault);
    return status != FAULT_NONE ? status : coefficient_check("wind.lift", wind->lift, fault);
}
