// Dragging: grab.begin, grab.move, grab.end. Whose a grab is, is not known here.
#include "document/scope.h"

#include <stdio.h>
#include <string.h>

bool document_check_grab_begin(const struct document *document, struct document_edit *edit)
{
    struct protocol_grab_begin_params *params = edit->resolved;
    uint32_t body, grab;
    if (!document_find_body(document, edit, &params->body, &body)) {
        return false;
    }
    const uint32_t count = document_things_by_id(&document->bodies, body)->particle_count;
    if (params->particle >= count) {
        document_refuse(edit, PROTOCOL_CODE_INVALID, "particle", "particle: %u; body %u has %u (0 to %u)",
                        params->particle, body, count, count - 1);
        snprintf(edit->error.value, sizeof edit->error.value, "%u", params->particle);
        return false;
    }
    if (sim_grab_of(document->sim, body, params->particle, &grab)) {
        return document_refuse(edit, PROTOCOL_CODE_CONFLICT, "particle",
                               "particle %u of body %u is held (grab %u)", params->particle, body, grab);
    }
    return true;
}

// Grabs are never taken back.
void document_scope_grab_begin(const struct document *document, const struct document_edit *edit,
                               struct document_scope *scope)
{
    (void)document;
    (void)edit;
    (void)scope;
}

bool document_change_grab_begin(struct document *document, struct document_edit *edit)
{
    const struct protocol_grab_begin_params *params = edit->resolved;
    struct protocol_grab_begin_result *result = edit->result;
    const bool placed = params->has & PROTOCOL_HAS_GRAB_BEGIN_PARAMS_TARGET;
    struct fault fault;
    uint32_t grab;
    if (sim_grab_begin(document->sim, params->body.id, params->particle, placed ? params->target : NULL,
                       params->compliance, &grab, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result =
        (struct protocol_grab_begin_result){.has = PROTOCOL_HAS_ALL, .grab = grab, .tick = document->tick};
    return true;
}

bool document_check_grab_move(const struct document *document, struct document_edit *edit)
{
    (void)document;
    (void)edit;
    return true;
}

void document_scope_grab_move(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    (void)document;
    (void)edit;
    (void)scope;
}

bool document_change_grab_move(struct document *document, struct document_edit *edit)
{
    const struct protocol_grab_move_params *params = edit->resolved;
    struct protocol_grab_move_result *result = edit->result;
    struct fault fault;
    if (sim_grab_move(document->sim, params->grab, params->target, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_grab_move_result){.has = PROTOCOL_HAS_ALL, .tick = document->tick};
    return true;
}

bool document_check_grab_end(const struct document *document, struct document_edit *edit)
{
    (void)document;
    (void)edit;
    return true;
}

void document_scope_grab_end(const struct document *document, const struct document_edit *edit,
                             struct document_scope *scope)
{
    (void)document;
    (void)edit;
    (void)scope;
}

bool document_change_grab_end(struct document *document, struct document_edit *edit)
{
    const struct protocol_grab_end_params *params = edit->resolved;
    struct protocol_grab_end_result *result = edit->result;
    struct fault fault;
    if (sim_grab_end(document->sim, params->grab, &fault) != FAULT_NONE) {
        return document_refuse_fault(edit, &fault);
    }
    *result = (struct protocol_grab_end_result){.has = PROTOCOL_HAS_ALL, .tick = document->tick};
    return true;
}
