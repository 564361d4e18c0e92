// Handles constraint.list.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/state.h"

#include <math.h>
#include <string.h>

// Finds the next constraint of the body after *after. body 0: of any body.
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
        // Constraints that another body came with touch only that body, so all of them are passed over.
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

// Finds the forces of the last tick. They are zero until the next tick if constraints were edited since or
// there was no tick.
static bool forces_find(struct world_call *call, enum sim_kind kind, uint64_t *from)
{
    struct world *world = call->world;
    struct sim *sim = world->document->sim;
    struct fault fault;
    bool hold;
    enum fault_code status = sim_multipliers_find(sim, &hold, &fault);
    if (status == FAULT_NONE && kind == SIM_DISTANCE &&
        (status = sim_carried_find(sim, &fault)) != FAULT_NONE) {
        sim_multipliers_drop(sim);
    }
    if (status != FAULT_NONE) {
        world_refuse_fault(call, &fault);
        return false;
    }
    *from = world->document->tick + (hold ? 0 : 1);
    return true;
}

static double per_second(const struct sim *sim)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    return (double)settings->tick_rate * settings->substeps;
}

// Returns lambda / h², or its length for a vector constraint.
static double force_of(const struct sim *sim, const struct sim_constraint *constraint)
{
    const double inv_h = per_second(sim);
    const double *lambda = constraint->multiplier;
    if (sim_multiplier_size(constraint->kind) == 3) {
        return sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]) * inv_h * inv_h;
    }
    return lambda[0] * inv_h * inv_h;
}

// The arrays that only slides have; NULL for another kind.
struct slides {
    double *ratio, *friction, *side, *end_forces;
};

static bool slides_alloc(struct world_call *call, enum sim_kind kind, uint32_t room, struct slides *slides)
{
    *slides = (struct slides){0};
    if (!sim_slides(kind)) {
        return true;
    }
    slides->ratio = world_call_alloc(call, room, sizeof *slides->ratio);
    slides->friction = world_call_alloc(call, room, sizeof *slides->friction);
    slides->side = world_call_alloc(call, room, sizeof *slides->side);
    slides->end_forces = world_call_alloc(call, room, sizeof *slides->end_forces);
    return slides->ratio && slides->friction && slides->side && slides->end_forces;
}

static void slides_take(const struct slides *slides, uint32_t i, const struct sim_constraint *constraint,
                        double per_lambda)
{
    if (slides->ratio) {
        slides->ratio[i] = constraint->ratio;
        slides->friction[i] = constraint->friction;
        slides->side[i] = constraint->side;
        slides->end_forces[i] = constraint->multiplier[1] * per_lambda;
    }
}

static void slides_tell(const struct slides *slides, uint32_t count, bool forces,
                        struct protocol_constraint_list_result *result)
{
    if (!slides->ratio) {
        result->has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_RATIO |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FRICTION |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SIDE |
                                   PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_END_FORCES);
        return;
    }
    result->ratio = (struct protocol_array){PROTOCOL_ARRAY_F64, count, slides->ratio};
    result->friction = (struct protocol_array){PROTOCOL_ARRAY_F64, count, slides->friction};
    result->side = (struct protocol_array){PROTOCOL_ARRAY_F64, count, slides->side};
    result->end_forces = (struct protocol_array){PROTOCOL_ARRAY_F64, count, slides->end_forces};
    if (!forces) {
        result->has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_END_FORCES;
    }
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
    uint32_t total = sim_constraint_count(world->document->sim);
    uint32_t room = params->limit < total ? params->limit : total;
    uint32_t *ids = world_call_alloc(call, room, sizeof *ids);
    uint32_t *bodies = world_call_alloc(call, room, stencil * sizeof *bodies);
    uint32_t *particles = world_call_alloc(call, room, stencil * sizeof *particles);
    double *rest = world_call_alloc(call, room, sizeof *rest);
    double *compliance = world_call_alloc(call, room, sizeof *compliance);
    double *damping = world_call_alloc(call, room, sizeof *damping);
    double *stiffness = world_call_alloc(call, room, sizeof *stiffness);
    double *forces = world_call_alloc(call, room, sizeof *forces);
    double *long_forces = world_call_alloc(call, room, sizeof *long_forces);
    struct slides slides;
    if (!slides_alloc(call, kind, room, &slides) || !ids || !bodies || !particles || !rest || !compliance ||
        !damping || !stiffness || !forces || !long_forces ||
        (params->forces && !forces_find(call, kind, &forces_from))) {
        return;
    }
    struct sim_constraint constraint;
    uint32_t count = 0, after = params->after;
    bool more = constraint_next_of(world->document->sim, kind, body, after, &constraint);
    while (more && count < room) {
        ids[count] = after = constraint.id;
        memcpy(bodies + (size_t)count * stencil, constraint.bodies, stencil * sizeof *bodies);
        memcpy(particles + (size_t)count * stencil, constraint.particles, stencil * sizeof *particles);
        rest[count] = constraint.rest;
        compliance[count] = constraint.material.compliance;
        damping[count] = constraint.material.damping;
        stiffness[count] = constraint.material.stiffness;
        long_forces[count] =
            constraint.carried * per_second(world->document->sim) * per_second(world->document->sim);
        const bool hold = forces_from <= world->document->tick;
        const double inv_h = hold ? per_second(world->document->sim) : 0;
        forces[count] = hold ? force_of(world->document->sim, &constraint) : 0;
        slides_take(&slides, count, &constraint, inv_h * inv_h);
        count++;
        more = constraint_next_of(world->document->sim, kind, body, after, &constraint);
    }
    if (params->forces) {
        sim_multipliers_drop(world->document->sim);
    }
    struct protocol_constraint_list_result result = {
        .has = PROTOCOL_HAS_ALL,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .constraints = {PROTOCOL_ARRAY_U32, count, ids},
        .bodies = {PROTOCOL_ARRAY_U32, count * stencil, bodies},
        .particles = {PROTOCOL_ARRAY_U32, count * stencil, particles},
        .rest = {PROTOCOL_ARRAY_F64, count, rest},
        .compliance = {PROTOCOL_ARRAY_F64, count, compliance},
        .damping = {PROTOCOL_ARRAY_F64, count, damping},
        .stiffness = {PROTOCOL_ARRAY_F64, count, stiffness},
        .forces = {PROTOCOL_ARRAY_F64, count, forces},
        .long_forces = {PROTOCOL_ARRAY_F64, count, long_forces},
        .forces_from = forces_from,
        .next = more ? after : 0,
    };
    slides_tell(&slides, count, params->forces, &result);
    if (!params->forces || kind != SIM_DISTANCE || !sim_settings_of(world->document->sim)->long_edges) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_LONG_FORCES;
    }
    if (!params->forces) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES_FROM);
    }
    world_answer(call, &result);
}
