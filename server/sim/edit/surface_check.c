// Ranges and names of the rows of surfaces.

#include "sim/edit/edit.h"

#include <string.h>

static const char field[] = "surfaces";

static enum fault_code number(uint32_t row, const char *what, bool given, double x, double most,
                              struct fault *fault)
{
    return !given || (x >= 0 && x <= most)
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%s of row %u is %g; must be in [0, %g]", what,
                                row, x, most);
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool same_pair(const struct sim_surface_pair *a, const struct sim_surface_pair *b)
{
    return (same(a->one, b->one) && same(a->other, b->other)) ||
           (same(a->one, b->other) && same(a->other, b->one));
}

static enum fault_code names_check(const struct sim_surfaces *surfaces, uint32_t row, struct fault *fault)
{
    const struct sim_surface_pair *pair = &surfaces->items[row];
    const char *const names[] = {pair->one, pair->other};
    for (int n = 0; n < 2; n++) {
        if (names[n][0] == '\0' || !memchr(names[n], '\0', SIM_SURFACE_SIZE)) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "%s of row %u is empty or too long; must be a name of 1 to %d bytes",
                                  n == 0 ? "one" : "other", row, SIM_SURFACE_SIZE - 1);
        }
    }
    for (uint32_t r = 0; r < row; r++) {
        if (same_pair(pair, &surfaces->items[r])) {
            return fault_code_set(fault, FAULT_INVALID, field,
                                  "row %u has the names of row %u, \"%s\" and \"%s\"; must be another pair",
                                  row, r, pair->one, pair->other);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_surfaces_check(const struct sim_surfaces *surfaces, struct fault *fault)
{
    enum fault_code status = FAULT_NONE;
    if (surfaces->count > SIM_SURFACES_MAX) {
        return fault_code_set(fault, FAULT_INVALID, field, "%u rows; at most %d", surfaces->count,
                              SIM_SURFACES_MAX);
    }
    for (uint32_t r = 0; r < surfaces->count && status == FAULT_NONE; r++) {
        const struct sim_surface_pair *row = &surfaces->items[r];
        status = names_check(surfaces, r, fault);
        if (status == FAULT_NONE && !row->holds && !row->slides && !row->bounces) {
            status = fault_code_set(
                fault, FAULT_INVALID, field,
                "row %u says nothing; must have a friction, a friction_kinetic or a restitution", r);
        }
        status = status != FAULT_NONE
                     ? status
                     : number(r, "friction", row->holds, row->friction, SIM_FRICTION_MAX, fault);
        status = status != FAULT_NONE ? status
                                      : number(r, "friction_kinetic", row->slides, row->friction_kinetic,
                                               SIM_FRICTION_MAX, fault);
        status = status != FAULT_NONE ? status
                                      : number(r, "restitution", row->bounces, row->restitution, 1, fault);
    }
    return status;
}
