// Rigid bodies as they are made: a shape, and an orientation of each piece.

#include "sim/body/rigid.h"
#include "sim/body/body.h"
#include "sim/ground/ground.h"

#include <stdlib.h>
#include <string.h>

#define NOT_A_PIECE "piece %u must have an orientation of length 1, an inverse inertia of 0 and no joint"

enum fault_code sim_body_rigid_check(const struct sim_body_desc *desc, double resolution, struct fault *fault)
{
    const struct {
        const char *field;
        bool given;
    } absent[] = {
        {"weld", desc->weld != NULL},
        {"pressure", desc->pressure.model != SIM_PRESSURE_NONE},
        {"shape", desc->matching.model != SIM_MATCH_NONE},
        {"tear", desc->tear.most > 0 || desc->torn},
        {"triangles", desc->triangle_count > 0},
        {"edges", desc->edge_count > 0},
        {"tets", desc->tet_count > 0},
        {"clamps", desc->clamp_count > 0},
    };
    if ((desc->kind == SIM_RIGID) != (desc->rigid != NULL)) {
        return fault_code_set(fault, FAULT_INVALID, "rigid",
                              desc->rigid ? "must be absent; it is for kind rigid"
                                          : "missing; a rigid body needs the shape of its pieces");
    }
    for (size_t i = 0; desc->rigid && i < sizeof absent / sizeof absent[0]; i++) {
        if (absent[i].given) {
            return fault_code_set(fault, FAULT_INVALID, absent[i].field, "must be absent of a rigid body");
        }
    }
    for (uint32_t i = 0; desc->rigid && desc->turned && i < desc->particle_count; i++) {
        const struct sim_turned *turned = &desc->turned[i];
        const float *rest = turned->rest;
        if (!sim_turn_is(turned->q) || turned->w != 0 || rest[0] != 0 || rest[1] != 0 || rest[2] != 0 ||
            rest[3] != 0) {
            return fault_code_set(fault, FAULT_INVALID, "turned", NOT_A_PIECE, i);
        }
    }
    return desc->rigid ? sim_rigid_shape_check(desc->rigid, resolution, fault) : FAULT_NONE;
}

enum fault_code sim_rigid_turned_check(const char *field, const struct sim_turned *turned, uint32_t count,
                                       struct fault *fault)
{
    for (uint32_t i = 0; turned && i < count; i++) {
        struct sim_turned one = turned[i];
        for (int axis = 0; axis < 3; axis++) {
            if (!(sim_abs(one.spin[axis]) <= SIM_MOMENTUM_MAX)) {
                return fault_code_set(fault, FAULT_INVALID, field,
                                      "the angular momentum of piece %u is %g kg m^2/s; at most %g", i,
                                      (double)one.spin[axis], (double)SIM_MOMENTUM_MAX);
            }
            one.spin[axis] = 0;
        }
        for (int k = 0; k < 4; k++) {
            if (!(sim_abs(one.rest[k]) <= 0.5f)) {
                return fault_code_set(fault, FAULT_INVALID, field,
                                      "what the orientation of piece %u lacks is %g quanta; must be in "
                                      "[-0.5, 0.5]",
                                      i, (double)one.rest[k]);
            }
            one.rest[k] = 0;
        }
        if (!sim_turn_is(one.q) || one.w != 0) {
            return fault_code_set(fault, FAULT_INVALID, field, NOT_A_PIECE, i);
        }
        const enum fault_code status = sim_turned_check(field, &one, 1, fault);
        if (status != FAULT_NONE) {
            return status;
        }
    }
    return FAULT_NONE;
}

double sim_rigid_thickness(double thickness, double resolution)
{
    return thickness == 0 || thickness != thickness ? SIM_THICKNESS_QUANTA_MIN * resolution : thickness;
}

bool sim_body_rigid_take(struct sim_body *body, const struct sim_rigid_shape *shape, double resolution)
{
    body->rigid = calloc(1, sizeof *body->rigid);
    if (!body->rigid) {
        return false;
    }
    body->rigid->shape = *shape;
    if (shape->form == SIM_RIGID_HULL) {
        struct fault fault; // the shape was checked, so memory alone can be missing
        struct sim_hull *hull = NULL;
        double centre[3];
        if (sim_rigid_hull_make(shape, resolution, &hull, centre, &fault) != FAULT_NONE) {
            return false;
        }
        body->rigid->hull = hull;
        body->rigid->shape.points = hull->vertices[0];
        body->rigid->shape.point_count = hull->vertex_count;
    }
    if (shape->form == SIM_RIGID_COMPOUND) {
        struct fault fault;
        struct sim_rigid_compound *compound = NULL;
        if (sim_rigid_compound_make(shape, resolution, &compound, &fault) != FAULT_NONE) {
            return false;
        }
        body->rigid->compound = compound;
        body->rigid->shape.parts = compound->told;
        memset(body->rigid->shape.measures.centre, 0, sizeof body->rigid->shape.measures.centre);
    }
    sim_rigid_measure(body->rigid);
    if (!body->turned) {
        body->turned = calloc((size_t)body->count + 1, sizeof *body->turned);
        for (uint32_t i = 0; body->turned && i < body->count; i++) {
            body->turned[i].q[3] = 1 << 30;
        }
    }
    return body->turned != NULL;
}
