// Motions: motion.add, motion.remove.
#include "document/parts.h"

bool document_check_motion_add(const struct document *document, struct document_edit *edit)
{
    struct protocol_motion_add_params *params = edit->resolved;
    const struct document_reader reader = document_edit_reader(edit);
    const bool turns = params->has & PROTOCOL_HAS_MOTION_ADD_PARAMS_ROTATIONS;
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
                                           "four a keyframe", &motion->rotations));
}

bool document_change_motion_add(struct document *document, struct document_edit *edit)
{
    const struct sim_motion *motion = edit->ready;
    struct protocol_motion_add_result *result = edit->result;
    struct sim_fault fault;
    uint32_t id;
    if (sim_motion_add(document->sim, motion, &id, &fault) != SIM_OK) {
        return document_refuse_fault(edit, &fault);
    }
    struct document_thing *moved = motion->collider != 0
                                       ? document_things_by_id(&document->colliders, motion->collider)
                                       : document_things_by_id(&document->bodies, motion->body);
    *result = (struct protocol_motion_add_result){.has = PROTOCOL_HAS_ALL,
                                                  .motion = id,
                                                  .revision = document_commit(document, edit, moved),
                                                  .tick = document->tick};
    return true;
}

bool document_check_motion_remove(const struct document *document, struct document_edit *edit)
{
    (void)document;
    (void)edit;
    return true;
}

bool document_change_motion_remove(struct document *document, struct document_edit *edit)
{
    const struct protocol_motion_remove_params *params = edit->resolved;
    struct protocol_motion_remove_result *result = edit->result;
    struct sim_fault fault;
    if (sim_motion_remove(document->sim, params->motion, &fault) != SIM_OK) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_motion_remove_result){
        .has = PROTOCOL_HAS_ALL, .revision = document_commit(document, edit, NULL), .tick = document->tick};
    return true;
}
