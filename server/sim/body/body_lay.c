// Values of the constraints of a body that is planned, and their places in its batches.

#include "sim/body/body.h"
#include "sim/body/plan.h"
#include "sim/ground/ground.h"
#include "sim/state/kind.h"
#include "sim/store/store.h"

#include <stdlib.h>

bool sim_body_values(const struct sim_body_plan *plan, enum sim_kind kind, const uint32_t *corners,
                     struct sim_values *values)
{
    const struct sim_kind_row *row = sim_kind_rows[kind];
    const struct sim_material *material = &plan->body->materials[row->part];
    double offsets[SIM_STENCIL_MAX - 1][3] = {{0}};
    for (uint32_t k = 1; k < row->stencil; k++) {
        for (int axis = 0; axis < 3; axis++) {
            offsets[k - 1][axis] =
                (double)(plan->body->rest[corners[k]][axis] - plan->body->rest[corners[0]][axis]);
        }
    }
    *values = (struct sim_values){
        .compliance = (float)material->compliance,
        .damping = (float)material->damping,
        .stiffness = material->stiffness >= 0 ? (float)material->stiffness : -1,
    };
    if (row->poisson_param > 0) {
        values->params[row->poisson_param] = (float)material->poisson;
    }
    return row->at_rest((const double(*)[3])offsets, plan->resolution, values->params);
}

enum fault_code sim_body_lay_out(struct sim_body_plan *plan, uint32_t kind, uint32_t count, uint32_t *corners,
                                 const struct sim_values *values, const struct sim_limits *limits,
                                 struct fault *fault)
{
    struct sim_body *body = plan->body;
    uint32_t stencil = sim_kind_rows[kind]->stencil;
    if (count > limits->constraints) {
        return fault_code_set(fault, FAULT_LIMIT, NULL, "%u %s constraints; a world may hold %u", count,
                              sim_kind_rows[kind]->name, limits->constraints);
    }
    for (size_t i = 0; i < (size_t)count * stencil; i++) {
        corners[i] = body->row_of[corners[i]];
    }
    // An edge runs from the lower row to the higher, so that nothing depends on how a triangle is turned.
    for (size_t i = 0; kind == SIM_DISTANCE && i < 2 * (size_t)count; i += 2) {
        uint32_t low = corners[i] < corners[i + 1] ? corners[i] : corners[i + 1];
        corners[i + 1] += corners[i] - low;
        corners[i] = low;
    }
    plan->slots[kind] = malloc(((size_t)count + 1) * sizeof(uint32_t));
    if (!plan->slots[kind] ||
        !sim_body_layout(kind, 0, count, corners, values, body->count, &plan->stores[kind],
                         &body->tiles[kind], &body->tile_count[kind], plan->slots[kind])) {
        return sim_fault_memory(fault);
    }
    if (kind < SIM_KIND_COUNT) {
        body->constraint_count[kind] = body->built_count[kind] = body->live_count[kind] = count;
    }
    return FAULT_NONE;
}
