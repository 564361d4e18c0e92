// Values of constraints as images and records have them: all of each, checked.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"

#define ANGLE_MAX 3.1415930 // rad; that of a fold may be rounded up

enum sim_status sim_values_from(const struct sim *sim, enum sim_kind kind, uint32_t i,
                                const struct sim_constraint_values *given, struct sim_values *values,
                                struct sim_fault *fault)
{
    double compliance = given->compliance[i], damping = given->damping[i], stiffness = given->stiffness[i];
    if (!(compliance >= 0 && compliance <= SIM_COMPLIANCE_MAX)) {
        return sim_fault_set(fault, SIM_INVALID, "compliance", "element %u is %g; must be in [0, %g]", i,
                             compliance, SIM_COMPLIANCE_MAX);
    }
    if (!(damping >= 0 && damping <= SIM_DAMPING_MAX)) {
        return sim_fault_set(fault, SIM_INVALID, "damping", "element %u is %g; must be in [0, %g]", i,
                             damping, SIM_DAMPING_MAX);
    }
    if (!(stiffness <= 1) || (stiffness >= 0 && (compliance > 0 || damping > 0))) {
        return sim_fault_set(
            fault, SIM_INVALID, "stiffness",
            "element %u is %g; must be at most 1, and below 0 where compliance or damping is "
            "above 0",
            i, stiffness);
    }
    if (given->rest != NULL) {
        double rest = kind == SIM_DISTANCE ? given->rest[i] * sim->inv_q : given->rest[i];
        double most = kind == SIM_DISTANCE   ? SIM_REST_MAX
                      : kind == SIM_DIHEDRAL ? ANGLE_MAX
                                             : sim_volume_max(sim->q);
        double least = kind == SIM_DISTANCE ? 0 : -most;
        if (!(rest >= least && rest <= most)) {
            return sim_fault_set(fault, SIM_INVALID, "rest", "element %u is %g; out of range", i,
                                 given->rest[i]);
        }
        values->params[0] = (float)rest;
    }
    values->compliance = (float)compliance;
    values->damping = (float)damping;
    values->stiffness = stiffness >= 0 ? (float)stiffness : -1;
    return SIM_OK;
}
