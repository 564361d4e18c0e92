// Motions: motion.add, motion.remove, motion.list.
#include "world/world_internal.h"

void world_apply_motion_add(struct world_call *call)
{
    struct world *world = call->world;
    struct protocol_motion_add_params *params = call->params;
    bool turns = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_ROTATIONS;
    uint32_t keys = params->times.count;
    struct sim_motion motion = {
        .particle_count = params->particles.count,
        .key_count = keys,
        .loop = params->loop,
        .cubic = params->interpolation == PROTOCOL_MOTION_ADD_PARAMS_INTERPOLATION_CUBIC,
        .pivot = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_PIVOT ? params->pivot : NULL};
    if (((params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_COLLIDER) &&
         !world_call_collider(call, &params->collider, &motion.collider)) ||
        ((params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_BODY) &&
         !world_call_body(call, &params->body, &motion.body)) ||
        !world_call_u32s(call, "particles", &params->particles, &motion.particles) ||
        !world_call_f64s(call, "times", &params->times, keys, "one a keyframe", &motion.times) ||
        !world_call_f64s(call, "offsets", &params->offsets, 3 * keys, "three a keyframe", &motion.offsets) ||
        (turns && !world_call_f64s(call, "rotations", &params->rotations, 4 * keys, "four a keyframe",
                                   &motion.rotations))) {
        return;
    }
    uint32_t id;
    struct sim_fault fault;
    if (sim_motion_add(world->sim, &motion, &id, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_motion_add_result result = {
        .has = WORLD_HAS_ALL, .motion = id, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_motion_remove(struct world_call *call)
{
    struct world *world = call->world;
    const struct protocol_motion_remove_params *params = call->params;
    struct sim_fault fault;
    if (sim_motion_remove(world->sim, params->motion, &fault) != SIM_OK) {
        world_refuse_fault(call, &fault);
        return;
    }
    struct protocol_motion_remove_result result = {
        .has = WORLD_HAS_ALL, .revision = world_commit(world), .tick = world->tick};
    world_accept(call, &result);
}

void world_apply_motion_list(struct world_call *call)
{
    struct world *world = call->world;
    uint32_t count = sim_motion_count(world->sim);
    struct protocol_motion_summary *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_motion motion;
        sim_motion_at(world->sim, i, &motion);
        items[i] = (struct protocol_motion_summary){
            .has = WORLD_HAS_ALL & ~((motion.collider > 0 ? PROTOCOL_HAS_MOTION_SUMMARY_BODY
                                                          : PROTOCOL_HAS_MOTION_SUMMARY_COLLIDER) |
                                     (motion.rotations ? 0 : PROTOCOL_HAS_MOTION_SUMMARY_ROTATIONS)),
            .motion = motion.id,
            .collider = motion.collider,
            .body = motion.body,
            .particles = {PROTOCOL_ARRAY_U32, motion.particle_count, motion.particles},
            .times = {PROTOCOL_ARRAY_F64, motion.key_count, motion.times},
            .offsets = {PROTOCOL_ARRAY_F64, 3 * motion.key_count, motion.offsets},
            .loop = motion.loop,
            .age = motion.age,
            .rotations = {PROTOCOL_ARRAY_F64, motion.rotations ? 4 * motion.key_count : 0, motion.rotations},
            .interpolation = motion.cubic ? PROTOCOL_MOTION_SUMMARY_INTERPOLATION_CUBIC
                                          : PROTOCOL_MOTION_SUMMARY_INTERPOLATION_LINEAR,
        };
    }
    struct protocol_motion_list_result result = {
        .has = WORLD_HAS_ALL,
        .revision = world->revision,
        .tick = world->tick,
        .motions = {.items = items, .count = count},
    };
    world_answer(call, &result);
}
