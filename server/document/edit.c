// An edit on its way: check, scope, change.
//
// A method that makes a record has three functions here (edit_*.c): one checks, and leaves in edit->ready what the others
// need; one says what is going to be touched; one changes it. A method without them does not link. The sim checks all of
// the physics before it changes anything, so a change that is refused leaves the document as it was.
#include "document/change.h"

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
    if (document->broken) {
        protocol_error_set(&edit->error, PROTOCOL_CODE_CONFLICT, NULL,
                           "the world was given up half way through a tick or an edit; it takes no %s",
                           protocol_methods[edit->method].name);
        return false;
    }
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

// Whether it has one scope: grabs are not taken back, and of edit.undo each step has its own.
static bool is_scoped(enum protocol_method method)
{
    return protocol_methods[method].class_ != PROTOCOL_CLASS_INPUT && method != PROTOCOL_METHOD_EDIT_BATCH &&
           method != PROTOCOL_METHOD_EDIT_UNDO && method != PROTOCOL_METHOD_EDIT_REDO;
}

// Its numbers are good; the next tick finds out whether the edit has made contact less.
static void try_again(struct document *document)
{
    if (document->given_up) {
        document_mend(document);
    }
}

// Edits that bring something. edit.batch and edit.undo ask by themselves, before they are whole.
static bool asks(const struct document_edit *edit)
{
    return edit->allows &&
           (edit->method == PROTOCOL_METHOD_BODY_ADD || edit->method == PROTOCOL_METHOD_CONSTRAINT_ADD ||
            edit->method == PROTOCOL_METHOD_MOTION_ADD || edit->method == PROTOCOL_METHOD_EDIT_RESTORE);
}

// The things that an edit brings are known once it is done, as in a batch. An edit without an inverse brings nothing to count.
static bool change_if_allowed(struct document *document, struct document_edit *edit,
                              const struct document_change *how)
{
    struct document_earlier *earlier = document_earlier_of(document);
    if (!earlier) {
        return document_refuse_memory(edit);
    }
    bool done = document_change_as(document, edit, how);
    if (done && edit->inverse && !document_is_allowed(document, edit)) {
        (void)document_take_back(document, edit);
        document_earlier_give_back(document, earlier);
        done = false;
    }
    document_earlier_destroy(earlier);
    return done;
}

bool document_change(struct document *document, struct document_edit *edit)
{
    const struct document_change how = {
        .scope = is_scoped(edit->method) ? steps[edit->method].scope : NULL,
        .change = steps[edit->method].change,
        .inverse =
            edit->method == PROTOCOL_METHOD_EDIT_RESTORE, // what takes back the half of one that is refused
    };
    if (!(asks(edit) ? change_if_allowed(document, edit, &how) : document_change_as(document, edit, &how))) {
        return false;
    }
    document_terms_clear(protocol_methods[edit->method].result, edit->result);
    if (protocol_methods[edit->method].class_ == PROTOCOL_CLASS_EDIT) {
        document_touch_set(document, edit, &document->last);
        try_again(document);
    }
    return true;
}

bool document_apply(struct document *document, struct document_edit *edit)
{
    return document_check(document, edit) && document_change(document, edit);
}
