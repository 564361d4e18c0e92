// An edit on its way: check, scope, change.
//
// A method that makes a record has three functions here (edit_*.c): one checks, and leaves in edit->ready what the others
// need; one says what is going to be touched; one changes it. A method without them does not link. The sim checks all of
// the physics before it changes anything, so a change that is refused leaves the document as it was.
#include "document/scope.h"

#include "base/assert.h"

#include <string.h>

struct steps {
    bool (*check)(const struct document *document, struct document_edit *edit);
    void (*scope)(const struct document *document, const struct document_edit *edit,
                  struct document_scope *scope);
    bool (*change)(struct document *document, struct document_edit *edit);
};

#define STEPS(ident, IDENT) \
    [PROTOCOL_METHOD_##IDENT] = {document_check_##ident, document_scope_##ident, document_change_##ident},
static const struct steps steps[PROTOCOL_METHOD_COUNT] = {PROTOCOL_RECORDS(STEPS)};

bool document_check(const struct document *document, struct document_edit *edit)
{
    const struct protocol_struct *type = protocol_methods[edit->method].params;
    BASE_ASSERT(steps[edit->method].check);
    edit->resolved = document_edit_alloc(edit, 1, type->size);
    if (!edit->resolved) {
        return false;
    }
    memcpy(edit->resolved, edit->params, type->size);
    document_terms_clear(type, edit->resolved);
    edit->apply = document_apply;
    return document_terms_hold(document, edit) && steps[edit->method].check(document, edit) &&
           document_things_hold(document, edit);
}

// The inverse of edit.restore is what takes back the half of one that is refused.
static bool inverse_take(const struct document *document, struct document_edit *edit,
                         struct protocol_edit_restore_params **inverse)
{
    struct document_scope scope = {.zone = edit->zone};
    *inverse = NULL;
    if (!edit->wants_inverse && edit->method != PROTOCOL_METHOD_EDIT_RESTORE) {
        return true;
    }
    if (protocol_methods[edit->method].class_ == PROTOCOL_CLASS_INPUT ||
        edit->method == PROTOCOL_METHOD_EDIT_BATCH) {
        return true;
    }
    steps[edit->method].scope(document, edit, &scope);
    if (!document_capture(document, &scope, edit->zone, inverse)) {
        return document_refuse_memory(edit);
    }
    return *inverse || !edit->before ||
           document_refuse(edit, PROTOCOL_CODE_CONFLICT, NULL,
                           "what is there are no numbers that could be kept; world.reset mends it");
}

bool document_change(struct document *document, struct document_edit *edit)
{
    struct protocol_edit_restore_params *inverse;
    edit->inverse = NULL;
    edit->result = document_edit_alloc(edit, 1, protocol_methods[edit->method].result->size);
    if (!edit->result || !inverse_take(document, edit, &inverse)) {
        return false;
    }
    edit->inverse = inverse;
    if (!steps[edit->method].change(document, edit)) {
        edit->inverse = NULL;
        return false;
    }
    document_terms_clear(protocol_methods[edit->method].result, edit->result);
    if (protocol_methods[edit->method].class_ == PROTOCOL_CLASS_EDIT) {
        document_touch_set(document, edit, &document->last);
    }
    if (inverse && inverse->next.has != 0) {
        document_next_fill(document, &inverse->expected_next);
        inverse->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_EXPECTED_NEXT;
    }
    return true;
}

bool document_apply(struct document *document, struct document_edit *edit)
{
    return document_check(document, edit) && document_change(document, edit);
}
