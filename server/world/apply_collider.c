// Colliders: collider.add, collider.set, collider.remove.
#include "world/world_internal.h"

#include "base/assert.h"

#include <string.h>

_Static_assert((int)PROTOCOL_COLLIDER_SUMMARY_KIND_PLANE == (int)SIM_PLANE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_SPHERE == (int)SIM_SPHERE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_CAPSULE == (int)SIM_CAPSULE &&
                   (int)PROTOCOL_COLLIDER_SUMMARY_KIND_BOX == (int)SIM_BOX,
               "kinds of colliders stand in the same order on the wire and in the sim");

// A rotation of zeros tells the sim that there is none; from outside it is a mistake.
static bool rotation_turns(struct world_call *call, const double rotation[4])
{
    if (rotation[0] == 0 && rotation[1] == 0 && rotation[2] == 0 && rotation[3] == 0) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "rotation",
                            "rotation: has length 0; give a quaternion x, y, z, w");
    }
    return true;
}

void world_apply_collider_add(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_collider_add_params *params = call->params;
    if (!world_call_name_free(call, &world->colliders, 0, &params->name)) {
        return;
    }
    if (!world_things_reserve(&world->colliders)) {
        world_refuse_memory(call);
        return;
    }
    struct sim_collider collider = {
        .kind = (enum sim_collider_kind)params->kind,
        .radius = params->radius,
        .length = params->length,
        .friction = params->friction,
    };
    memcpy(collider.position, params->position, sizeof collider.position);
    memcpy(collider.normal, params->normal, sizeof collider.normal);
    memcpy(collider.half_extents, params->half_extents, sizeof collider.half_extents);
    bool rotation = params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_ROTATION;
    if (rotation && (params->has & PROTOCOL_HAS_COLLIDER_ADD_PARAMS_NORMAL)) {
        world_refuse(call, PROTOCOL_CODE_INVALID, "normal", "normal: must be absent where rotation is given");
        return;
    }
    if (rotation) {
        if (!rotation_turns(call, params->rotation)) {
            return;
        }
        memcpy(collider.rotation, params->rotation, sizeof collider.rotation);
    }
    uint32_t id;
    struct sim_fault fault;
    struct world_coarse coarse = {0};
    struct protocol_warning *warning = world_call_alloc(call, 1, sizeof *warning);
    if (!warning || !world_coarse_reserve(call, &coarse)) {
        return;
    }
    if (sim_collider_add(world->sim, &collider, &id, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world_things_add(&world->colliders, id, &params->name, 0);
    struct protocol_collider_add_result result = {
        .has = WORLD_HAS_ALL, .collider = id, .revision = world_commit(world), .tick = world->tick};
    result.warnings = (struct protocol_list){
        .items = warning, .count = world_coarse_collider(world, id, &coarse, warning) ? 1 : 0};
    world_accept(call, &result);
}

void world_apply_collider_set(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_collider_set_params *params = call->params;
    uint32_t id;
    if (!world_call_collider(call, &params->collider, &id)) {
        return;
    }
    bool name = params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_NAME;
    if (name && !world_call_name_free(call, &world->colliders, id, &params->name)) {
        return;
    }
    struct sim_collider collider;
    uint32_t position = (uint32_t)(world_things_by_id(&world->colliders, id) - world->colliders.items);
    sim_collider_at(world->sim, position, &collider);
    BASE_ASSERT(collider.id == id);
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_POSITION) {
        memcpy(collider.position, params->position, sizeof collider.position);
    }
    bool rotation = params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_ROTATION;
    if (rotation) {
        if (!rotation_turns(call, params->rotation)) {
            return;
        }
        memcpy(collider.rotation, params->rotation, sizeof collider.rotation);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_NORMAL) {
        if (rotation) {
            world_refuse(call, PROTOCOL_CODE_INVALID, "normal",
                         "normal: must be absent where rotation is given");
            return;
        }
        memcpy(collider.normal, params->normal, sizeof collider.normal);
        // A plane turns the shortest way, so that what lies on it is carried as little as can be.
        double from[4];
        memcpy(from, collider.rotation, sizeof from);
        if (collider.kind == SIM_PLANE) {
            sim_rotation_to(from, params->normal, collider.rotation);
        }
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_LENGTH) {
        collider.length = params->length;
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_HALF_EXTENTS) {
        memcpy(collider.half_extents, params->half_extents, sizeof collider.half_extents);
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_RADIUS) {
        collider.radius = params->radius;
    }
    if (params->has & PROTOCOL_HAS_COLLIDER_SET_PARAMS_FRICTION) {
        collider.friction = params->friction;
    }
    // Where only the pose changes, as of one that is led along, nothing is said again.
    bool sized = params->has &
                 (PROTOCOL_HAS_COLLIDER_SET_PARAMS_RADIUS | PROTOCOL_HAS_COLLIDER_SET_PARAMS_HALF_EXTENTS);
    struct world_coarse coarse = {0};
    struct protocol_warning *warning = sized ? world_call_alloc(call, 1, sizeof *warning) : NULL;
    if (sized && (!warning || !world_coarse_reserve(call, &coarse))) {
        return;
    }
    struct sim_fault fault;
    if (sim_collider_set(world->sim, &collider, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    if (name) {
        world_things_rename(&world->colliders, id, &params->name);
    }
    struct protocol_collider_set_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    result.warnings = (struct protocol_list){
        .items = warning, .count = sized && world_coarse_collider(world, id, &coarse, warning) ? 1 : 0};
    world_accept(call, &result);
}

void world_apply_collider_remove(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_collider_remove_params *params = call->params;
    uint32_t id;
    struct sim_fault fault;
    if (!world_call_collider(call, &params->collider, &id)) {
        return;
    }
    if (sim_collider_remove(world->sim, id, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    world_things_remove(&world->colliders, id);
    struct protocol_collider_remove_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}
