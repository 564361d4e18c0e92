// Motions: motion.add, motion.remove.
#include "document/scope.h"

static void touch_led(struct document *document, const struct document_edit *edit,
                      const struct sim_motion *motion)
{
    const bool collider = motion->collider != 0;
    document_touch(document, edit, collider ? &document->colliders : &document->bodies,
                   collider ? motion->collider : motion->body);
}

bool document_check_motion_add(const struct document *document, struct document_edit *edit)
{
    struct protocol_motion_add_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    const bool turns = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_ROTATIONS;
    const bool posed = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_POSES;
    const uint32_t keys = params->times.count;
    struct sim_motion *motion = edit->ready = document_edit_alloc(edit, 1, sizeof *motion);
    if (!motion) {
        return false;
    }
    *motion = (struct sim_motion){
        .particle_count = params->particles.count,
        .key_count = keys,
        .loop = params->loop,
        .cubic = params->interpolation == PROTOCOL_MOTION_ADD_PARAMS_INTERPOLATION_CUBIC,
        .pivot = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_PIVOT ? params->pivot : NULL,
    };
    return (!(params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_COLLIDER) ||
            document_find_collider(document, edit, &params->collider, &motion->collider)) &&
           (!(params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_BODY) ||
            document_find_body(document, edit, &params->body, &motion->body)) &&
           document_reader_u32s(&reader, "particles", &params->particles, &motion->particles) &&
           document_reader_f64s(&reader, "times", &params->times, keys, "one a keyframe", &motion->times) &&
           document_reader_f64s(&reader, "offsets", &params->offsets, 3 * keys, "three a keyframe",
                                &motion->offsets) &&
           (!turns || document_reader_f64s(&reader, "rotations", &params->rotations, 4 * keys,
                                           "four a keyframe", &motion->rotations)) &&
           (!posed ||
            document_reader_poses(&reader, &params->poses, params->particles.count, keys, &motion->poses)) &&
           document_motion_fits(document, edit, motion);
}

void document_scope_motion_add(const struct document *document, const struct document_edit *edit,
                               struct document_scope *scope)
{
    const struct sim_motion *motion = edit->ready;
    struct sim_next_ids next;
    sim_next_ids(document->sim, &next);
    document_scope_motion(scope, document, next.motion);
    if (motion->collider != 0) {
        document_scope_collider_part(scope, motion->collider, PROTOCOL_RESTORE_COLLIDER_PARTS_POSE);
    }
    scope->next = true;
}

bool document_change_motion_add(struct document *document, struct document_edit *edit)
{
    const struct sim_motion *motion = edit->ready;
    struct protocol_motion_add_result *result = edit->result;
    struct fault fault;
    uint32_t id;
    if (sim_motion_add(document->sim, motion, &id, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_motion_add_result){
        .has = PROTOCOL_HAS_ALL, .motion = id, .revision = document_commit(document), .tick = document->tick};
    touch_led(document, edit, motion);
    return true;
}

bool document_check_motion_remove(const struct document *document, struct document_edit *edit)
{
    const struct protocol_motion_remove_params *params = edit->resolved;
    struct sim_motion *motion = edit->ready = document_edit_alloc(edit, 1, sizeof *motion);
    for (uint32_t m = 0; motion && m < sim_motion_count(document->sim) && motion->id != params->motion; m++) {
        sim_motion_at(document->sim, m, motion); // what it leads, for whom that matters
    }
    return motion != NULL;
}

void document_scope_motion_remove(const struct document *document, const struct document_edit *edit,
                                  struct document_scope *scope)
{
    const struct protocol_motion_remove_params *params = edit->resolved;
    document_scope_motion(scope, document, params->motion);
}

bool document_change_motion_remove(struct document *document, struct document_edit *edit)
{
    const struct protocol_motion_remove_params *params = edit->resolved;
    struct protocol_motion_remove_result *result = edit->result;
    struct fault fault;
    if (sim_motion_remove(document->sim, params->motion, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_motion_remove_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document), .tick = document->tick};
    touch_led(document, edit, edit->ready);
    return true;
}
