// Makes the change of an edit, and keeps what is needed to take it back.
//
//     scope ─▶ capture (inverse) ─▶ change ─▶ touches
#include "document/change.h"

#include "document/touches.h"

static bool inverse_take(const struct document *document, struct document_edit *edit,
                         const struct document_change *how, struct document_scope *scope,
                         struct protocol_edit_restore_params **inverse)
{
    *inverse = NULL;
    if (!how->scope || (!edit->wants_inverse && !how->inverse)) {
        return true;
    }
    how->scope(document, edit, scope);
    if (!document_capture(document, scope, edit->zone, inverse)) {
        return document_refuse_memory(edit);
    }
    return *inverse || !edit->before ||
           document_refuse(edit, PROTOCOL_CODE_CONFLICT, NULL,
                           "what is there are no numbers that could be kept; world.reset mends it");
}

// Without memory the edit is done all the same, and nothing is known of it.
static void tell(const struct document *document, struct document_edit *edit,
                 const struct document_scope *scope)
{
    struct protocol_restore_step *step = edit->inverse ? msgpack_zone_malloc(edit->zone, sizeof *step) : NULL;
    if (step) {
        document_restore_step(edit->inverse, step);
        edit->back = (struct protocol_list){.items = step, .count = 1};
    }
    if (!document_touches_of(document, scope, edit->inverse, edit->zone, &edit->touches)) {
        edit->touches = (struct document_touches){.lost = true};
    }
}

bool document_change_as(struct document *document, struct document_edit *edit,
                        const struct document_change *how)
{
    struct protocol_edit_restore_params *inverse;
    struct document_scope scope = {.zone = edit->zone};
    edit->inverse = NULL;
    edit->back = (struct protocol_list){0};
    edit->touches = (struct document_touches){0};
    edit->result = document_edit_alloc(edit, 1, protocol_methods[edit->method].result->size);
    if (!edit->result || !inverse_take(document, edit, how, &scope, &inverse)) {
        return false;
    }
    edit->inverse = inverse;
    if (!how->change(document, edit)) {
        edit->inverse = NULL;
        return false;
    }
    if (inverse && inverse->next.has != 0) {
        document_next_fill(document, &inverse->expected_next);
        inverse->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT;
    }
    if (edit->wants_inverse && how->scope) {
        tell(document, edit, &scope);
    }
    return true;
}
