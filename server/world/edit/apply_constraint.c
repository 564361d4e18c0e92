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
    double inv_h = per_second(sim);
    const double *lambda = constraint->multiplier;
    if (sim_multiplier_size(constraint->kind) == 3) {
        return sqrt(lambda[0] * lambda[0] + lambda[1] * lambda[1] + lambda[2] * lambda[2]) * inv_h * inv_h;
    }
    return lambda[0] * inv_h * inv_h;
}

// Arrays of a page that only joins have.
struct join_page {
    double *weights, *rest_end, *seconds, *force_limit; // weights: SIM_STENCIL_MAX each
    uint32_t *parted, parted_count;
};

static bool join_page_init(struct world_call *call, uint32_t room, struct join_page *page)
{
    *page = (struct join_page){
        .weights = world_call_alloc(call, room, SIM_STENCIL_MAX * sizeof *page->weights),
        .rest_end = world_call_alloc(call, room, sizeof *page->rest_end),
        .seconds = world_call_alloc(call, room, sizeof *page->seconds),
        .force_limit = world_call_alloc(call, room, sizeof *page->force_limit),
        .parted = world_call_alloc(call, room, sizeof *page->parted),
    };
    return page->weights && page->rest_end && page->seconds && page->force_limit && page->parted;
}

static void join_page_put(struct join_page *page, uint32_t i, const struct sim_constraint *constraint)
{
    memcpy(page->weights + (size_t)i * SIM_STENCIL_MAX, constraint->weights, sizeof constraint->weights);
    page->rest_end[i] = constraint->rest_end;
    page->seconds[i] = constraint->seconds;
    page->force_limit[i] = constraint->force_limit;
    if (constraint->parted) {
        page->parted[page->parted_count++] = constraint->id;
    }
}

static void join_page_fill(const struct join_page *page, uint32_t count,
                           struct protocol_constraint_list_result *result)
{
    result->weights = (struct protocol_array){PROTOCOL_ARRAY_F64, count * SIM_STENCIL_MAX, page->weights};
    result->rest_end = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->rest_end};
    result->seconds = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->seconds};
    result->force_limit = (struct protocol_array){PROTOCOL_ARRAY_F64, count, page->force_limit};
    result->parted = (struct protocol_array){PROTOCOL_ARRAY_U32, page->parted_count, page->parted};
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
    if (!ids || !bodies || !particles || !rest || !compliance || !damping || !stiffness || !forces ||
        !long_forces || (params->forces && !forces_find(call, kind, &forces_from))) {
        return;
    }
    struct join_page joins = {0};
    if (kind == SIM_JOIN && !join_page_init(call, room, &joins)) {
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
        forces[count] = forces_from > world->document->tick ? 0 : force_of(world->document->sim, &constraint);
        if (kind == SIM_JOIN) {
            join_page_put(&joins, count, &constraint);
        }
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
    if (kind == SIM_JOIN) {
        join_page_fill(&joins, count, &result);
    } else {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_WEIGHTS |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_REST_END |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_SECONDS |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCE_LIMIT |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_PARTED);
    }
    if (!params->forces || kind != SIM_DISTANCE || !sim_settings_of(world->document->sim)->long_edges) {
        result.has &= ~(uint64_t)PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_LONG_FORCES;
    }
    if (!params->forces) {
        result.has &= ~(uint64_t)(PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES |
                                  PROTOCOL_HAS_CONSTRAINT_LIST_RESULT_FORCES_FROM);
    }
    world_answer(call, &result);
}
