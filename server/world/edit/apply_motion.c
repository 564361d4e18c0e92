// Handles motion.list.
#include "world/edit/apply.h"

#include "document/document.h"
#include "world/answer/call.h"
#include "world/state.h"

void world_apply_motion_list(struct world_call *call)
{
    const struct protocol_motion_list_params *params = call->params;
    struct world *world = call->world;
    uint32_t count = sim_motion_count(world->document->sim);
    struct protocol_motion_summary *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_motion motion;
        sim_motion_at(world->document->sim, i, &motion);
        const bool poses = params->poses && motion.poses;
        items[i] = (struct protocol_motion_summary){
            .has = PROTOCOL_HAS_ALL & ~((motion.collider > 0 ? PROTOCOL_HAS_MOTION_SUMMARY_BODY
                                                             : PROTOCOL_HAS_MOTION_SUMMARY_COLLIDER) |
                                        (motion.rotations ? 0 : PROTOCOL_HAS_MOTION_SUMMARY_ROTATIONS) |
                                        (poses ? 0 : PROTOCOL_HAS_MOTION_SUMMARY_POSES)),
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
            .posed = motion.poses != NULL,
            .poses = {PROTOCOL_ARRAY_F32, poses ? 3 * motion.particle_count * motion.key_count : 0,
                      motion.poses},
        };
    }
    struct protocol_motion_list_result result = {
        .has = PROTOCOL_HAS_ALL,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .motions = {.items = items, .count = count},
    };
    world_answer(call, &result);
}
