// Ranges of fields of force. Faults name the field of force.add: field.strength.

#include "sim/edit/edit.h"

static enum fault_code number(double x, double least, double most, const char *field, const char *unit,
                              struct fault *fault)
{
    return x >= least && x <= most ? FAULT_NONE
                                   : fault_code_set(fault, FAULT_INVALID, field, "%g %s; must be in [%g, %g]",
                                                    x, unit, least, most);
}

static enum fault_code vector(const double x[3], double least, double most, const char *field,
                              const char *unit, struct fault *fault)
{
    enum fault_code status = FAULT_NONE;
    for (int axis = 0; axis < 3 && status == FAULT_NONE; axis++) {
        status = number(x[axis], least, most, field, unit, fault);
    }
    return status;
}

static enum fault_code force_check(const struct sim_force *force, double resolution, struct fault *fault)
{
    const bool drag = force->kind == SIM_FORCE_DRAG, fan = force->kind == SIM_FORCE_FAN;
    const double scale = sim_scale(resolution), *n = force->axis;
    const double most = drag ? 1e6 : (fan ? 300 : 1e6) * scale;
    const double fastest = force->kind == SIM_FORCE_WIND ? 300 * scale : 1e4;
    enum fault_code status = vector(force->position, -1e9, 1e9, "field.position", "m", fault);
    if (status == FAULT_NONE) {
        status = vector(n, -1e9, 1e9, "field.axis", "", fault);
    }
    if (status == FAULT_NONE && !(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] >= 1e-18)) {
        status = fault_code_set(fault, FAULT_INVALID, "field.axis", "too short; must be at least 1e-9 long");
    }
    if (status == FAULT_NONE) {
        status = number(force->strength, drag || fan ? 0 : -most, most, "field.strength",
                        drag  ? "1/s"
                        : fan ? "m/s"
                              : "m/s^2",
                        fault);
    }
    if (status == FAULT_NONE) {
        status = number(force->distance, 1e-6, 1e6, "field.distance", "m", fault);
    }
    if (status == FAULT_NONE) {
        status = number(force->core, 1e-6, 1e6, "field.core", "m", fault);
    }
    if (status == FAULT_NONE) {
        status = vector(force->velocity, -fastest, fastest, "field.velocity", "m/s", fault);
    }
    if (status == FAULT_NONE && fan) {
        status = number(force->width, 1e-3, 1e6, "field.width", "m", fault);
    }
    if (status == FAULT_NONE) {
        status = number(force->radius, 0, 1e9, "field.radius", "m", fault);
    }
    if (status == FAULT_NONE) {
        status = vector(force->half_extents, 0, 1e9, "field.half_extents", "m", fault);
    }
    return status != FAULT_NONE ? status : number(force->margin, 0, 1e9, "field.margin", "m", fault);
}

enum fault_code sim_forces_check(const struct sim_force_fields *forces, double resolution,
                                 struct fault *fault)
{
    enum fault_code status = FAULT_NONE;
    if (forces->count > SIM_FORCES_MAX) {
        return fault_code_set(fault, FAULT_LIMIT, "field", "%u fields of force; a world may have %d",
                              forces->count, SIM_FORCES_MAX);
    }
    for (uint32_t f = 0; f < forces->count && status == FAULT_NONE; f++) {
        const struct sim_force *force = &forces->items[f];
        const uint32_t before = f > 0 ? forces->items[f - 1].id : 0;
        if (force->id <= before || force->id >= forces->next) {
            return fault_code_set(fault, FAULT_INVALID, "force",
                                  "%u; must be above %u and below the next id, %u", force->id, before,
                                  forces->next);
        }
        if (force->body_count > SIM_FORCE_BODIES_MAX) {
            return fault_code_set(fault, FAULT_LIMIT, "field.bodies", "%u bodies; at most %d",
                                  force->body_count, SIM_FORCE_BODIES_MAX);
        }
        status = force_check(force, resolution, fault);
    }
    return status;
}
