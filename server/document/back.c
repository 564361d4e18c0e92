// The inverse of an edit: as one step of several (struct protocol_restore_step), and as the parameters of edit.restore.
#include "document/touches.h"

#include <string.h>

_Static_assert(PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED == PROTOCOL_HAS_RESTORE_STEP_REMOVED << 1 &&
                   PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT == PROTOCOL_HAS_RESTORE_STEP_EXPECTED_NEXT
                                                                         << 1,
               "a step is what edit.restore is given after the world");

void document_restore_params(const struct protocol_restore_step *step,
                             struct protocol_edit_restore_params *out)
{
    *out = (struct protocol_edit_restore_params){
        .has = step->has << 1,
        .removed = step->removed,
        .name = step->name,
        .settings = step->settings,
        .bodies = step->bodies,
        .parts = step->parts,
        .particles = step->particles,
        .own = step->own,
        .constraints = step->constraints,
        .colliders = step->colliders,
        .motions = step->motions,
        .next = step->next,
        .expected_next = step->expected_next,
    };
}

void document_restore_step(const struct protocol_edit_restore_params *params,
                           struct protocol_restore_step *out)
{
    *out = (struct protocol_restore_step){
        .has = params->has >> 1 &
               (PROTOCOL_HAS_RESTORE_STEP_EXPECTED_NEXT | (PROTOCOL_HAS_RESTORE_STEP_EXPECTED_NEXT - 1)),
        .removed = params->removed,
        .name = params->name,
        .settings = params->settings,
        .bodies = params->bodies,
        .parts = params->parts,
        .particles = params->particles,
        .own = params->own,
        .constraints = params->constraints,
        .colliders = params->colliders,
        .motions = params->motions,
        .next = params->next,
        .expected_next = params->expected_next,
    };
}

bool document_back_gather(struct document_edit *whole, const struct document_edit *parts, uint32_t count)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < count; i++) {
        steps += parts[i].back.count;
    }
    struct protocol_restore_step *back = document_edit_alloc(whole, steps, sizeof *back);
    if (!back) {
        return false;
    }
    if (!document_touches_gather(whole->zone, parts, count, &whole->touches)) {
        return document_refuse_memory(whole);
    }
    uint32_t at = 0;
    for (uint32_t i = count; i > 0; i--) {
        const struct protocol_list *list = &parts[i - 1].back;
        if (list->count > 0) {
            memcpy(back + at, list->items, list->count * sizeof *back);
        }
        at += list->count;
    }
    whole->back = (struct protocol_list){.items = back, .count = at};
    return true;
}

void document_next_fill(const struct document *document, struct protocol_restore_next *out)
{
    struct sim_next_ids next;
    sim_next_ids(document->sim, &next);
    *out = (struct protocol_restore_next){.has = PROTOCOL_HAS_ALL,
                                          .body = next.body,
                                          .constraint = next.constraint,
                                          .collider = next.collider,
                                          .motion = next.motion};
}
