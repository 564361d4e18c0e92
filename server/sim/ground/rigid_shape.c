// Shapes of rigid pieces: their lengths, how far they reach, and their volume and inertia.

#include "sim/ground/ground.h"
#include "sim/ground/vector.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
#define LENGTH_MIN_QUANTA SIM_THICKNESS_QUANTA_MIN

static enum fault_code check_length(const char *field, double value, double least, double resolution,
                                    struct fault *fault)
{
    const double most = SIM_MOVE_MAX * resolution;
    return value >= least && value <= most
               ? FAULT_NONE
               : fault_code_set(fault, FAULT_INVALID, field, "%g m; must be in [%g, %g]; " SIM_COARSER, value,
                                least, most);
}

enum fault_code sim_rigid_simple_check(const struct sim_rigid_shape *shape, double resolution,
                                       struct fault *fault)
{
    const double least = LENGTH_MIN_QUANTA * resolution;
    enum fault_code status = FAULT_NONE;
    switch (shape->form) {
    case SIM_RIGID_CAPSULE:
        status = check_length("rigid.half_height", (double)shape->half_height, 0, resolution, fault);
        return status != FAULT_NONE
                   ? status
                   : check_length("rigid.radius", (double)shape->radius, least, resolution, fault);
    case SIM_RIGID_SPHERE:
        return check_length("rigid.radius", (double)shape->radius, least, resolution, fault);
    case SIM_RIGID_HULL: {
        struct sim_hull *hull = NULL;
        double centre[3];
        status = sim_rigid_hull_make(shape, resolution, &hull, centre, fault);
        free(hull);
        return status;
    }
    case SIM_RIGID_COMPOUND:
        break;
    case SIM_RIGID_BOX:
        for (int axis = 0; status == FAULT_NONE && axis < 3; axis++) {
            status = check_length("rigid.half_extents", (double)shape->half_extents[axis], least, resolution,
                                  fault);
        }
        return status;
    }
    return fault_code_set(fault, FAULT_INVALID, "rigid.form",
                          "%d; must be a sphere, a capsule, a box, a hull or a compound", (int)shape->form);
}

double sim_rigid_reach(const struct sim_rigid_shape *shape)
{
    const double half[3] = {(double)shape->half_extents[0], (double)shape->half_extents[1],
                            (double)shape->half_extents[2]};
    if (shape->form == SIM_RIGID_HULL) {
        double most2 = 0;
        for (uint32_t i = 0; i < shape->point_count; i++) {
            const double *point = shape->points + 3 * (size_t)i, size2 = sim_dot(point, point);
            most2 = size2 > most2 ? size2 : most2;
        }
        return __builtin_sqrt(most2);
    }
    if (shape->form == SIM_RIGID_COMPOUND) {
        double most = 0;
        for (uint32_t i = 0; i < shape->part_count; i++) {
            const struct sim_rigid_part *part = &shape->parts[i];
            const double reach =
                __builtin_sqrt(sim_dot(part->position, part->position)) + sim_rigid_reach(&part->shape);
            most = reach > most ? reach : most;
        }
        return most;
    }
    return shape->form == SIM_RIGID_BOX ? __builtin_sqrt(sim_dot(half, half))
                                        : (double)shape->radius + (double)shape->half_height;
}

void sim_rigid_simple_measure(struct sim_rigid_own *own)
{
    const double r = (double)own->shape.radius, height = 2 * (double)own->shape.half_height;
    double square[3];
    switch (own->shape.form) {
    case SIM_RIGID_HULL:
        sim_rigid_hull_measure(own);
        return;
    case SIM_RIGID_COMPOUND:
        return;
    case SIM_RIGID_BOX:
        for (int axis = 0; axis < 3; axis++) {
            square[axis] = (double)own->shape.half_extents[axis] * (double)own->shape.half_extents[axis] / 3;
        }
        own->inertia[0] = square[1] + square[2];
        own->inertia[1] = square[0] + square[2];
        own->inertia[2] = square[0] + square[1];
        own->volume = 8 * (double)own->shape.half_extents[0] * (double)own->shape.half_extents[1] *
                      (double)own->shape.half_extents[2];
        return;
    case SIM_RIGID_CAPSULE: {
        // Shares of the mass: of the cylinder and of both halves of a sphere.
        const double ends = 4 * r / 3, cylinder = height / (height + ends), ball = ends / (height + ends);
        own->inertia[1] = cylinder * (r * r) / 2 + ball * (2 * (r * r) / 5);
        own->inertia[0] = own->inertia[2] =
            cylinder * (height * height / 12 + r * r / 4) +
            ball * ((2 * (r * r) / 5 + height * height / 4) + 3 * height * r / 8);
        own->volume = PI * (r * r) * (height + ends);
        return;
    }
    case SIM_RIGID_SPHERE:
        own->inertia[0] = own->inertia[1] = own->inertia[2] = 2 * (r * r) / 5;
        own->volume = PI * (r * r) * (4 * r / 3);
        return;
    }
}
