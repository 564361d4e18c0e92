// An edit that was checked, between its scope and its inverse (change.c).
#ifndef WEFT_DOCUMENT_CHANGE_H
#define WEFT_DOCUMENT_CHANGE_H

#include "document/scope.h"

struct document_change {
    void (*scope)(const struct document *document, const struct document_edit *edit,
                  struct document_scope *scope); // NULL: nothing takes it back, or it says so by itself
    bool (*change)(struct document *document, struct document_edit *edit);
    bool inverse; // it needs its own, whoever asks
};

// Asks document_edit.allows, with the edit's error.
static inline bool document_is_allowed(const struct document *document, struct document_edit *edit)
{
    return !edit->allows || edit->allows(edit->allows_context, document, &edit->error);
}

bool document_change_as(struct document *document, struct document_edit *edit,
                        const struct document_change *how);

#endif
