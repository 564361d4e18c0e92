// Joins have more values than other constraints: weights, a rest length that changes, and a force at which they
// part.

#include "sim/constraint/constraint.h"
#include "sim/ground/ground.h"
#include "sim/state/join.h"
#include "sim/state/kind.h"

enum fault_code sim_no_join_values(const struct sim_constraint_values *given, struct fault *fault)
{
    const char *field = given->weights       ? "weights"
                        : given->rest_end    ? "rest_end"
                        : given->seconds     ? "seconds"
                        : given->force_limit ? "force_limit"
                        : given->mend        ? "mend"
                                             : NULL;
    return field ? fault_code_set(fault, FAULT_INVALID, field,
                                  "given for constraints of another kind; only joins have it")
                 : FAULT_NONE;
}

enum fault_code sim_rest_end_check(const struct sim *sim, uint32_t element, double end, struct fault *fault)
{
    const double most = sim_kind_rows[SIM_JOIN]->rest_most(sim->q);
    return end >= 0 && end <= most
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, "rest_end",
                                "element %u is %g; must be in [0, %g] m; " SIM_COARSER, element, end, most);
}

enum fault_code sim_join_values_check(uint32_t count, const struct sim_constraint_values *given,
                                      struct fault *fault)
{
    const double *seconds = given->seconds, *limit = given->force_limit, *end = given->rest_end;
    if ((seconds != NULL) != (end != NULL)) {
        return fault_code_set(fault, FAULT_INVALID, seconds ? "seconds" : "rest_end",
                              "given without %s; give both or neither", seconds ? "rest_end" : "seconds");
    }
    for (uint32_t i = 0; i < count; i++) {
        if (seconds && !(seconds[i] > 0 && seconds[i] <= SIM_SEW_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "seconds",
                                  "element %u is %g; must be above 0 and at most %g", i, seconds[i],
                                  SIM_SEW_MAX);
        }
        if (limit && !(limit[i] >= 0 && limit[i] <= SIM_FORCE_LIMIT_MAX)) {
            return fault_code_set(fault, FAULT_INVALID, "force_limit",
                                  "element %u is %g; must be in [0, %g] N", i, limit[i], SIM_FORCE_LIMIT_MAX);
        }
    }
    return FAULT_NONE;
}

// Two floats for a side: the weights of its second and third particle.
static bool side_weights(const double *given, float *weights)
{
    double sum = 0;
    bool inside = true;
    for (uint32_t k = 0; k < SIM_JOIN_SIDE; k++) {
        inside = inside && given[k] >= 0 && given[k] <= 1;
        sum += given[k];
    }
    weights[0] = (float)given[1];
    weights[1] = (float)given[2];
    if (weights[1] > 1 - weights[0]) {
        weights[1] = 1 - weights[0]; // rounding alone took it there
    }
    return inside && sum - 1 <= 1e-6 && 1 - sum <= 1e-6;
}

enum fault_code sim_join_weights(uint32_t constraint, const uint32_t *rows, const double *weights,
                                 float *params, double q, struct fault *fault)
{
    for (uint32_t side = 0; weights && side < 2; side++) {
        const double *given = weights + (size_t)SIM_STENCIL_MAX * constraint + (size_t)SIM_JOIN_SIDE * side;
        if (!side_weights(given, params + SIM_JOIN_WEIGHT + 2 * (size_t)side)) {
            return fault_code_set(
                fault, FAULT_INVALID, "weights",
                "those of side %u of join %u are %g, %g and %g; must be in [0, 1] with the sum 1", side + 1,
                constraint, given[0], given[1], given[2]);
        }
    }
    if (!sim_kind_rows[SIM_JOIN]->valid(rows, params, q)) {
        return fault_code_set(
            fault, FAULT_INVALID, "particles",
            "those of join %u: a particle stands twice in it; only a corner that weighs 0 may "
            "repeat the first particle of its own side",
            constraint);
    }
    return FAULT_NONE;
}

void sim_join_values_apply(const struct sim *sim, uint32_t i, const struct sim_constraint_values *given,
                           struct sim_values *values)
{
    float *params = values->params;
    if (given->rest) {
        params[SIM_JOIN_END] = params[SIM_JOIN_REST];
        params[SIM_JOIN_LEFT] = 0;
    }
    if (given->rest_end) {
        const double ticks = given->seconds[i] * sim->settings.tick_rate;
        const uint32_t whole =
            (uint32_t)ticks + ((double)(uint32_t)ticks < ticks); // never less than was asked for
        params[SIM_JOIN_END] = sim_rest_stored(sim, SIM_JOIN, given->rest_end[i]);
        params[SIM_JOIN_LEFT] = (float)whole;
    }
    if (given->force_limit) {
        params[SIM_JOIN_LIMIT] = (float)given->force_limit[i];
    }
    if (given->mend) {
        params[SIM_JOIN_PARTED] = 0;
    }
}

void sim_join_get(const struct sim *sim, const struct sim_values *values, struct sim_constraint *constraint)
{
    const float *params = values->params;
    for (uint32_t side = 0; side < 2; side++) {
        const float *given = params + SIM_JOIN_WEIGHT + 2 * (size_t)side;
        double *weights = constraint->weights + (size_t)SIM_JOIN_SIDE * side;
        weights[0] = (double)((1 - given[0]) - given[1]); // as the solver has it
        weights[1] = (double)given[0];
        weights[2] = (double)given[1];
    }
    constraint->rest_end = (double)params[SIM_JOIN_END] * sim->q;
    constraint->seconds = (double)params[SIM_JOIN_LEFT] / sim->settings.tick_rate;
    constraint->force_limit = (double)params[SIM_JOIN_LIMIT];
    constraint->parted = params[SIM_JOIN_PARTED] > 0;
}
