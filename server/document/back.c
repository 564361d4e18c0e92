// What takes an edit back, as a step among others (struct protocol_restore) and as what edit.restore is given.
#include "document/document.h"

_Static_assert(PROTOCOL_HAS_EDIT_RESTORE_PARAMS_REMOVED == PROTOCOL_HAS_RESTORE_REMOVED << 1 &&
                   PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT == PROTOCOL_HAS_RESTORE_EXPECTED_NEXT << 1,
               "a step is what edit.restore is given after the world");

void document_restore_params(const struct protocol_restore *step, struct protocol_edit_restore_params *out)
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

void document_restore_step(const struct protocol_edit_restore_params *params, struct protocol_restore *out)
{
    *out = (struct protocol_restore){
        .has = params->has >> 1 &
               (PROTOCOL_HAS_RESTORE_EXPECTED_NEXT | (PROTOCOL_HAS_RESTORE_EXPECTED_NEXT - 1)),
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
