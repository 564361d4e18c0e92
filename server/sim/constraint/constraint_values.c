// Values of constraints as images and records have them: all of each, checked.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"

#include <string.h>

float sim_rest_stored(const struct sim *sim, enum sim_kind kind, double rest)
{
    return (float)(sim_kind_rows[kind]->in_quanta ? rest * sim->inv_q : rest);
}

void sim_rest_put(const struct sim *sim, enum sim_kind kind, double rest, float params[SIM_PARAMS_MAX])
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    params[0] = sim_rest_stored(sim, kind, rest);
    if (row->derive) {
        row->derive(params);
    }
}

enum fault_code sim_elastic_check(enum sim_kind kind, uint32_t element, const struct sim_values *values,
                                  struct fault *fault)
{
    const char *name = sim_kind_rows[kind]->name;
    if (!sim_kind_rows[kind]->elastic) {
        return FAULT_NONE;
    }
    if (values->stiffness >= 0) {
        return fault_code_set(fault, FAULT_INVALID, "stiffness",
                              "element %u is %g; must be absent for %s constraints, which have a compliance",
                              element, (double)values->stiffness, name);
    }
    return values->compliance > 0
               ? FAULT_NONE
               : fault_code_set(
                     fault, FAULT_INVALID, "compliance",
                     "element %u is 0; must be above 0 for %s constraints: 1 over the shear modulus", element,
                     name);
}

enum fault_code sim_rest_check(const struct sim *sim, enum sim_kind kind, uint32_t element, double rest,
                               double slack, struct fault *fault)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    if (!row->rest_most) {
        return fault_code_set(fault, FAULT_INVALID, "rest", "%s constraints rest %s and take none", row->name,
                              kind == SIM_JOINT ? "where their anchors meet"
                              : row->serial     ? "on their rail"
                                                : "flat");
    }
    const double most = row->rest_most(sim->q), least = row->rest_signed ? -most : 0;
    if (row->elastic && (float)rest == 0) {
        return fault_code_set(fault, FAULT_INVALID, "rest", "element %u is %g; must not be 0 %s", element,
                              rest, row->rest_unit);
    }
    if (rest >= least * slack && rest <= most * slack) {
        return FAULT_NONE;
    }
    return fault_code_set(fault, FAULT_INVALID, "rest", "element %u is %g; must be in [%g, %g] %s%s", element,
                          rest, least, most, row->rest_unit,
                          row->rest_most(1) > row->rest_most(0.5) ? "; " SIM_COARSER : "");
}

enum fault_code sim_shape_take(const struct sim *sim, enum sim_kind kind, uint32_t c, const float *shapes,
                               const uint32_t *rows, struct sim_values *values, struct fault *fault)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    const float *shape = row->shape_count > 0 ? shapes + (size_t)row->shape_count * c : NULL;
    const float *params = values->params;
    if (row->param_count > SIM_PARAMS_MAX) { // all of them are its shape
        memcpy(values->params, shape, sizeof values->params);
        values->more = shape + SIM_PARAMS_MAX;
        params = shape;
    } else if (row->shape_count > 0) {
        memcpy(values->params + row->shape_first, shape, row->shape_count * sizeof *shape);
    }
    if (row->valid && !row->valid(rows, params, sim->q)) {
        return fault_code_set(fault, FAULT_INVALID, "shapes",
                              "that of element %u is none of a %s constraint between its particles", c,
                              row->name);
    }
    return kind == SIM_JOINT ? sim_joint_shape_check(sim, c, rows, shape, fault) : FAULT_NONE;
}

static enum fault_code slide_from(const struct sim *sim, uint32_t i,
                                  const struct sim_constraint_values *given, struct sim_values *values,
                                  struct fault *fault)
{
    enum fault_code status = sim_slide_check(SIM_SLIDE, i, given, fault);
    if (status == FAULT_NONE) {
        sim_slide_apply(i, given, values);
        status = sim_slide_fits(i, values, fault);
    }
    return status == FAULT_NONE ? sim_slide_side_given(sim, i, given->side[i], values, fault) : status;
}

enum fault_code sim_values_from(const struct sim *sim, enum sim_kind kind, uint32_t i,
                                const struct sim_constraint_values *given, struct sim_values *values,
                                struct fault *fault)
{
    double compliance = given->compliance[i], damping = given->damping[i], stiffness = given->stiffness[i];
    if (!(compliance >= 0 && compliance <= SIM_COMPLIANCE_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "compliance", "element %u is %g; must be in [0, %g]", i,
                              compliance, SIM_COMPLIANCE_MAX);
    }
    if (!(damping >= 0 && damping <= SIM_DAMPING_MAX)) {
        return fault_code_set(fault, FAULT_INVALID, "damping", "element %u is %g; must be in [0, %g]", i,
                              damping, SIM_DAMPING_MAX);
    }
    if (!(stiffness <= 1) || (stiffness >= 0 && (compliance > 0 || damping > 0))) {
        return fault_code_set(
            fault, FAULT_INVALID, "stiffness",
            "element %u is %g; must be at most 1, and below 0 where compliance or damping is "
            "above 0",
            i, stiffness);
    }
    if (given->rest) {
        // Rounding may have taken a stored value just past the range.
        enum fault_code status = sim_rest_check(sim, kind, i, given->rest[i], 1 + 1e-7, fault);
        if (status != FAULT_NONE) {
            return status;
        }
        sim_rest_put(sim, kind, given->rest[i], values->params);
    }
    values->compliance = (float)compliance;
    values->damping = (float)damping;
    values->stiffness = stiffness >= 0 ? (float)stiffness : -1;
    return sim_kind_rows[kind]->slides ? slide_from(sim, i, given, values, fault)
                                       : sim_elastic_check(kind, i, values, fault);
}
