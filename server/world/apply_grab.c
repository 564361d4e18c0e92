// Dragging: grab.begin, grab.move, grab.end. A grab belongs to the session that began it.
#include "world/world_internal.h"

#include <stdio.h>

void world_apply_grab_begin(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_grab_begin_params *params = call->params;
    uint32_t body, grab;
    if (!world_call_body(call, &params->body, &body)) {
        return;
    }
    uint32_t particle_count = world_things_by_id(&world->bodies, body)->particle_count;
    if (params->particle >= particle_count) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "particle", "particle: %u; body %u has %u (0 to %u)",
                     params->particle, body, particle_count, particle_count - 1);
        snprintf(call->error.value, sizeof call->error.value, "%u", params->particle);
        return;
    }
    if (sim_grab_of(world->sim, body, params->particle, &grab)) {
        const struct world_holder *holder = world_holders_find(&world->people, grab);
        char name[80];
        world_refuse(call, PROTOCOL_CODE_CONFLICT, "particle",
                     "particle %u of body %u is held by %s (grab %u)", params->particle, body,
                     world_holder_name(holder, name), grab);
        return;
    }
    if (!world_holders_reserve(&world->people)) {
        world_refuse_memory(call);
        return;
    }
    struct sim_fault fault;
    bool placed = params->has & PROTOCOL_HAS_GRAB_BEGIN_PARAMS_TARGET;
    if (sim_grab_begin(world->sim, body, params->particle, placed ? params->target : NULL, params->compliance,
                       &grab, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world_holders_add(&world->people, grab, &call->request->asker);
    world->grabs_changed = true;
    struct protocol_grab_begin_result result = {.has = WORLD_HAS_ALL, .grab = grab, .tick = world->tick};
    world_answer(call, &result);
}

static bool grab_own(struct world_call *call, uint32_t grab)
{
    const struct world_holder *holder = world_holders_find(&call->world->people, grab);
    if (!holder) {
        world_refuse(call, PROTOCOL_CODE_NOT_FOUND, "grab", "grab %u does not exist in world \"%s\"", grab,
                     call->world->name);
    } else if (holder->session != call->request->asker.session) {
        char name[80];
        world_refuse(call, PROTOCOL_CODE_DENIED, "grab", "grab %u belongs to %s", grab,
                     world_holder_name(holder, name));
    } else {
        return true;
    }
    snprintf(call->error.value, sizeof call->error.value, "%u", grab);
    return false;
}

void world_apply_grab_move(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_grab_move_params *params = call->params;
    struct sim_fault fault;
    if (!grab_own(call, params->grab)) {
        return;
    }
    if (sim_grab_move(world->sim, params->grab, params->target, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world->grabs_changed = true;
    struct protocol_grab_move_result result = {.has = WORLD_HAS_ALL, .tick = world->tick};
    world_answer(call, &result);
}

void world_apply_grab_end(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_grab_end_params *params = call->params;
    struct sim_fault fault;
    if (!grab_own(call, params->grab)) {
        return;
    }
    if (sim_grab_end(world->sim, params->grab, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world_holders_remove(&world->people, params->grab);
    world->grabs_changed = true;
    struct protocol_grab_end_result result = {.has = WORLD_HAS_ALL, .tick = world->tick};
    world_answer(call, &result);
}
