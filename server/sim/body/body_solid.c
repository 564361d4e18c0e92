// Bodies that are a solid: each tetrahedron is one constraint of the solid's model, and edges and volumes are none.

#include "sim/body/body.h"
#include "sim/body/mesh.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sim_material sim_solid_made(const struct sim_material *solid)
{
    struct sim_material made = *solid;
    made.compliance = 2 * (1 + solid->poisson) / solid->young;
    made.stiffness = -1;
    return made;
}

// Finds the mean length of the edges for contact, because a solid has no constraints along them. False if
// memory runs out.
static bool edges_measure(struct sim_body_plan *plan)
{
    struct sim_body *body = plan->body;
    uint32_t *edges = NULL, count = 0;
    double sum = 0;
    const bool done = sim_mesh_edges(body->tets, 4, body->tet_count, body->count, &edges, &count);
    for (size_t e = 0; done && e < count; e++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d = (double)(body->rest[edges[2 * e]][axis] - body->rest[edges[2 * e + 1]][axis]);
            square += d * d;
        }
        sum += __builtin_sqrt(square);
    }
    body->edge = done && count > 0 ? sum / count * plan->resolution : 0;
    free(edges);
    return done;
}

// Refuses an edge that is longer than a constraint may be.
static enum fault_code edges_check(const struct sim_body_plan *plan, const uint32_t *corners,
                                   struct fault *fault)
{
    for (uint32_t k = 1; k < 4; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d =
                (double)(plan->body->rest[corners[k]][axis] - plan->body->rest[corners[0]][axis]);
            square += d * d;
        }
        if (square > (double)SIM_REST_MAX * (double)SIM_REST_MAX) {
            return fault_code_set(fault, FAULT_INVALID, "positions",
                                  "the edge from %u to %u is %g m long; at most %g m; " SIM_COARSER,
                                  corners[0], corners[k], __builtin_sqrt(square) * plan->resolution,
                                  SIM_REST_MAX * plan->resolution);
        }
    }
    return FAULT_NONE;
}

enum fault_code sim_body_solids(struct sim_body_plan *plan, const uint32_t *given,
                                const struct sim_limits *limits, struct fault *fault)
{
    const struct sim_body *body = plan->body;
    const uint32_t count = body->tet_count;
    struct sim_values *values = malloc(((size_t)count + 1) * sizeof *values);
    uint32_t *corners = malloc(((size_t)count + 1) * 4 * sizeof *corners);
    enum fault_code status = FAULT_NONE;
    if (!values || !corners || !edges_measure(plan)) {
        status = sim_fault_memory(fault);
    }
    for (size_t t = 0; status == FAULT_NONE && t < count; t++) {
        memcpy(corners + 4 * t, body->tets + 4 * t, 4 * sizeof *corners);
        status = edges_check(plan, corners + 4 * t, fault);
        if (status == FAULT_NONE && !sim_body_values(plan, SIM_NEO_HOOKEAN, corners + 4 * t, &values[t])) {
            status = fault_code_set(fault, FAULT_INVALID, "tets",
                                    "tetrahedron %u is flat, and a solid of it could not say how it is bent; "
                                    "leave it out, or make the body without solid",
                                    given[t]);
        }
    }
    if (status == FAULT_NONE) {
        status = sim_body_lay_out(plan, SIM_NEO_HOOKEAN, count, corners, values, limits, fault);
    }
    free(values);
    free(corners);
    return status;
}

void sim_body_solid_warn(struct sim_body_plan *plan)
{
    const struct sim_body *body = plan->body;
    const double poisson = body->materials[SIM_PART_SOLID].poisson;
    if (body->solid_model == SIM_SOLID_NONE || !(poisson >= SIM_POISSON_LOCKS)) {
        return;
    }
    struct sim_warning *warning = &plan->warnings[plan->warning_count++];
    *warning = (struct sim_warning){.code = SIM_LOCKING};
    snprintf(warning->text, sizeof warning->text,
             "poisson is %.3g; from %.2f on tetrahedra lock: a beam four cells thick bends 64 %% as far as "
             "it should at "
             "0.45 and 50 %% at 0.49, against 79 %% at 0.3",
             poisson, SIM_POISSON_LOCKS);
}
