// Constraints: constraint.add, constraint.set, constraint.remove, constraint.list.
#include "world/world_internal.h"

#include "base/assert.h"

#include <math.h>
#include <string.h>

_Static_assert((int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_DISTANCE == (int)SIM_DISTANCE &&
                   (int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_DIHEDRAL == (int)SIM_DIHEDRAL &&
                   (int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_ISOMETRIC == (int)SIM_ISOMETRIC &&
                   (int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_QUADRATIC == (int)SIM_QUADRATIC &&
                   (int)PROTOCOL_CONSTRAINT_ADD_PARAMS_TYPE_VOLUME == (int)SIM_VOLUME &&
                   (int)PROTOCOL_CONSTRAINT_LIST_PARAMS_TYPE_VOLUME == (int)SIM_VOLUME,
               "kinds of constraints stand in the same order on the wire and in the sim");

static bool bodies_of(struct world_call *call, struct protocol_constraint_add_params *params,
                      const uint32_t **out)
{
    bool one = params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODY;
    bool many = params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_BODIES;
    if (one == many) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "body",
                            "body: give either body (of all particles) or bodies (one id a particle)");
    }
    if (many) {
        if (params->bodies.count != params->particles.count) {
            return world_refuse(call, PROTOCOL_CODE_INVALID, "bodies",
                                "bodies: length %u; must be %u (one a particle)", params->bodies.count,
                                params->particles.count);
        }
        return world_call_u32s(call, "bodies", &params->bodies, out);
    }
    uint32_t body;
    if (!world_call_body(call, &params->body, &body)) {
        return false;
    }
    uint32_t *bodies = world_call_alloc(call, params->particles.count, sizeof *bodies);
    if (!bodies) {
        return false;
    }
    for (uint32_t i = 0; i < params->particles.count; i++) {
        bodies[i] = body;
    }
    *out = bodies;
    return true;
}

void world_apply_constraint_add(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_constraint_add_params *params = call->params;
    enum sim_kind kind = (enum sim_kind)params->type;
    uint32_t stencil = sim_stencil_size(kind);
    uint32_t count = params->particles.count / stencil;
    const uint32_t *bodies, *particles;
    struct sim_constraint_values values = {0};
    if (count == 0 || params->particles.count % stencil != 0) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "particles",
                     "particles: length %u; must be a positive multiple of %u", params->particles.count,
                     stencil);
        return;
    }
    if (!bodies_of(call, params, &bodies) ||
        !world_call_u32s(call, "particles", &params->particles, &particles)) {
        return;
    }
    if (((params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_REST) &&
         !world_call_f64s(call, "rest", &params->rest, count, "one a constraint", &values.rest)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_COMPLIANCE) &&
         !world_call_f64s(call, "compliance", &params->compliance, count, "one a constraint",
                          &values.compliance)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_DAMPING) &&
         !world_call_f64s(call, "damping", &params->damping, count, "one a constraint", &values.damping)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_ADD_PARAMS_STIFFNESS) &&
         !world_call_f64s(call, "stiffness", &params->stiffness, count, "one a constraint",
                          &values.stiffness))) {
        return;
    }
    uint32_t *ids = world_call_alloc(call, count, sizeof *ids);
    if (!ids) {
        return;
    }
    uint32_t first;
    struct sim_fault fault;
    if (sim_constraints_add(world->sim, kind, count, bodies, particles, &values, &first, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = first + i;
    }
    struct protocol_constraint_add_result result = {
        .has = WORLD_HAS_ALL,
        .constraints = {PROTOCOL_ARRAY_U32, count, ids},
        .revision = world_commit(world),
        .tick = world->tick,
    };
    world_accept(call, &result);
}

void world_apply_constraint_set(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_constraint_set_params *params = call->params;
    uint32_t count = params->constraints.count;
    const uint32_t *ids;
    struct sim_constraint_values values = {0};
    struct sim_fault fault;
    if (!world_call_u32s(call, "constraints", &params->constraints, &ids) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_REST) &&
         !world_call_f64s(call, "rest", &params->rest, count, "one a constraint", &values.rest)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_COMPLIANCE) &&
         !world_call_f64s(call, "compliance", &params->compliance, count, "one a constraint",
                          &values.compliance)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_DAMPING) &&
         !world_call_f64s(call, "damping", &params->damping, count, "one a constraint", &values.damping)) ||
        ((params->has & PROTOCOL_HAS_CONSTRAINT_SET_PARAMS_STIFFNESS) &&
         !world_call_f64s(call, "stiffness", &params->stiffness, count, "one a constraint",
                          &values.stiffness))) {
        return;
    }
    if (sim_constraints_set(world->sim, ids, count, &values, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_constraint_set_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_constraint_remove(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_constraint_remove_params *params = call->params;
    const uint32_t *ids;
    struct sim_fault fault;
    if (!world_call_u32s(call, "constraints", &params->constraints, &ids)) {
        return;
    }
    if (sim_constraints_remove(world->sim, ids, params->constraints.count, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_constraint_remove_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

// ---------------------------------------------------------------------------------------------------------
// constraint.list

// The next one of the body after *after (of any body where body is 0).
static bool constraint_next_of(const struct sim *sim, enum sim_kind kind, uint32_t body, uint32_t after,
                               struct sim_constraint *constraint)
{
    uint32_t stencil = sim_stencil_size(kind);
    while (sim_constraint_next(sim, kind, after, constraint)) {
        if (body == 0) {
            return true;
        }
        for (uint32_t p = 0; p < stencil; p++) {
            if (constraint->bodies[p] == body) {
                return true;
            }
        }
        // The constraints that another body came with touch no body but that: pass over all of them.
        struct sim_body_info info;
        after = constraint->id;
        if (sim_body_info(sim, constraint->bodies[0], &info)) {
            uint32_t first = info.constraint_first[kind], count = info.constraint_count[kind];
            if (count > 0 && after >= first && after - first < count) {
                after = first + (count - 1);
            }
        }
    }
    return false;
}

// Those of the last tick, or, where constraints were edited since or there was none, zeros until the next one.
static bool forces_find(struct world_call *call, uint64_t *from)
{
    struct world *world = call->world;
    struct sim_fault fault;
    bool hold;
    if (sim_multipliers_find(world->sim, &hold, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return false;
    }
    *from = world->tick + (hold ? 0 : 1);
    return true;
}

// lambda / h^2; of a vector constraint the length.
static double force_of(const struct sim *sim, const struct sim_constraint *constraint)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    double inv_h = (double)settings->tick_rate * settings->substeps;
    const double *lambda = constraint->multiplier;
    if (constraint->kind == SIM_QUADRATIC) {
        return sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]) * inv_h * inv_h;
    }
    return lambda[0] * inv_h * inv_h;
}

void world_apply_constraint_list(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_constraint_list_params *params = call->params;
    enum sim_kind kind = (enum sim_kind)params->type;
    uint32_t stencil = sim_stencil_size(kind), body = 0;
    uint64_t forces_from = 0;
    if ((params->has & PROTOCOL_HAS_CONSTRAINT_LIST_PARAMS_BODY) &&
        !world_call_body(call, &params->body, &body)) {
        return;
    }
    uint32_t total = sim_constraint_count(world->sim);
    uint32_t room = params->limit < total ? params->limit : total;
    uint32_t *ids = world_call_alloc(call, room, sizeof *ids);
    uint32_t *bodies = world_call_alloc(call, room, stencil * sizeof *bodies);
    uint32_t *particles = world_call_alloc(call, room, stencil * sizeof *particles);
    double *rest = world_call_alloc(call, room, sizeof *rest);
    double *compliance = world_call_alloc(call, room, sizeof *compliance);
    double *damping = world_call_alloc(call, room, sizeof *damping);
    double *stiffness = world_call_alloc(call, room, sizeof *stiffness);
    double *forces = world_call_alloc(call, room, sizeof *forces);
    if (!ids || !bodies || !particles || !rest || !compliance || !damping || !stiffness || !forces ||
        (params->forces && !forces_find(call, &forces_from))) {
        return;
    }
    struct sim_constraint constraint;
    uint32_t count = 0, after = params->after;
    bool more = constraint_next_of(world->sim, kind, body, after, &constraint);
    while (more && count < room) {
        ids[count] = after = constraint.id;
        memcpy(bodies + (size_t)count * stencil, constraint.bodies, stencil * sizeof *bodies);
        memcpy(particles + (size_t)count * stencil, constraint.particles, stencil * sizeof *particles);
        rest[count] = constraint.rest;
        compliance[count] = constraint.material.compliance;
        damping[count] = constraint.material.damping;
        stiffness[count] = constraint.material.stiffness;
        forces[count] = forces_from > world->tick ? 0 : force_of(world->sim, &constraint);
        count++;
        more = constraint_next_of(world->sim, kind, body, after, &constraint);
    }
    if (params->forces) {
        sim_multipliers_drop(world->sim);
    }
    struct protocol_constraint_list_result result = {
        .has = WORLD_HAS_ALL,
        .revision = world->revision,
        .tick = world->tick,
        .constraints = {PROTOCOL_ARRAY_U32, count, ids},
        .bodies = {PROTOCOL_ARRAY_U32, count * stencil, bodies},
        .particles = {PROTOCOL_ARRAY_U32, count * stencil, particles},
        .rest = {PROTOCOL_ARRAY_F64, count, rest},
        .compliance = {PROTOCOL_ARRAY_F64, count, compliance},
        .damping = {PROTOCOL_ARRAY_F64, count, damping},
        .stiffness = {PROTOCOL_ARRAY_F64, count, stiffness},
        .forces = {PROTOCOL_ARRAY_F64, count, forces},
        .forces_from = forces_from,
        .next = more ? after : 0,
    };
    if (!params->forces) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES_FROM);
    }
    world_answer(call, &result);
}
