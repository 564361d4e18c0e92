// Motions: motion.list.
#include "world/apply.h"

#include "document/document.h"
#include "world/call.h"
#include "world/state.h"

void world_apply_motion_list(struct world_call *call)
{
    struct world *world = call->world;
    uint32_t count = sim_motion_count(world->document->sim);
    struct protocol_motion_summary *items = world_call_alloc(call, count, sizeof *items);
    if (!items) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sim_motion motion;
        sim_motion_at(world->document->sim, i, &motion);
        items[i] = (struct protocol_motion_summary){
            .has = PROTOCOL_HAS_ALL & ~((motion.collider > 0 ? PROTOCOL_HAS_MOTION_SUMMARY_BODY
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
        .has = PROTOCOL_HAS_ALL,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .motions = {.items = items, .count = count},
    };
    world_answer(call, &result);
}
