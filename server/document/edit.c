// An edit on its way: check, change, and what both say of it.
//
// A method that makes a record has three functions here (edit_*.c): one checks, and leaves in edit->ready what the others
// need; one says what is going to be touched; one changes it. A method without them does not link. The sim checks all of the physics before it changes anything, so a change
// that is refused leaves the document as it was.
#include "document/scope.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
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
    return steps[edit->method].check(document, edit);
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
    if (protocol_methods[edit->method].class_ == PROTOCOL_CLASS_INPUT) {
        return true;
    }
    steps[edit->method].scope(document, edit, &scope);
    return document_capture(document, &scope, edit->zone, inverse) || document_refuse_memory(edit);
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

// ---------------------------------------------------------------------------------------------------------
// What they share

struct document_reader document_edit_reader(struct document_edit *edit)
{
    return (struct document_reader){
        .zone = edit->zone, .error = &edit->error, .subject = protocol_methods[edit->method].name};
}

bool document_refuse(struct document_edit *edit, enum protocol_code code, const char *field,
                     const char *format, ...)
{
    char text[PROTOCOL_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    protocol_error_set(&edit->error, code, field, "%s", text);
    return false;
}

void document_error_fault(struct protocol_error *error, const struct sim_fault *fault)
{
    static const enum protocol_code codes[] = {
        [SIM_OK] = PROTOCOL_CODE_INTERNAL,         [SIM_INVALID] = PROTOCOL_CODE_INVALID,
        [SIM_NOT_FOUND] = PROTOCOL_CODE_NOT_FOUND, [SIM_CONFLICT] = PROTOCOL_CODE_CONFLICT,
        [SIM_LIMIT] = PROTOCOL_CODE_LIMIT,         [SIM_MEMORY] = PROTOCOL_CODE_MEMORY,
    };
    bool named = !fault->field || strstr(fault->text, fault->field);
    protocol_error_set(error, codes[fault->status], fault->field, "%s%s%s", named ? "" : fault->field,
                       named ? "" : ": ", fault->text);
}

bool document_refuse_fault(struct document_edit *edit, const struct sim_fault *fault)
{
    document_error_fault(&edit->error, fault);
    return false;
}

bool document_refuse_memory(struct document_edit *edit)
{
    const struct document_reader reader = document_edit_reader(edit);
    return document_reader_memory(&reader);
}

void *document_edit_alloc(struct document_edit *edit, size_t count, size_t item_size)
{
    const struct document_reader reader = document_edit_reader(edit);
    return document_reader_alloc(&reader, count, item_size);
}

const struct document_thing *document_find(const struct document *document,
                                           const struct document_things *things,
                                           const struct protocol_ref *ref, struct protocol_error *error)
{
    const char *noun = things->noun;
    const struct document_thing *thing =
        ref->id != 0 ? document_things_by_id(things, ref->id) : document_things_by_name(things, &ref->name);
    if (!thing && ref->id != 0) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, noun, "%s %u does not exist in world \"%s\"", noun,
                           ref->id, document->name);
        snprintf(error->value, sizeof error->value, "%u", ref->id);
    } else if (!thing) {
        const char *name = ref->name.data ? ref->name.data : "";
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, noun, "%s \"%.*s\" does not exist in world \"%s\"",
                           noun, (int)ref->name.size, name, document->name);
        snprintf(error->value, sizeof error->value, "%.*s", (int)ref->name.size, name);
    }
    return thing;
}

static bool resolve(const struct document *document, struct document_edit *edit,
                    const struct document_things *things, struct protocol_ref *ref, uint32_t *id)
{
    const struct document_thing *thing = document_find(document, things, ref, &edit->error);
    if (thing) {
        *id = thing->id;
        *ref = (struct protocol_ref){.id = thing->id};
    }
    return thing != NULL;
}

bool document_find_body(const struct document *document, struct document_edit *edit, struct protocol_ref *ref,
                        uint32_t *body)
{
    return resolve(document, edit, &document->bodies, ref, body);
}

bool document_find_collider(const struct document *document, struct document_edit *edit,
                            struct protocol_ref *ref, uint32_t *collider)
{
    return resolve(document, edit, &document->colliders, ref, collider);
}

bool document_name_free(struct document_edit *edit, const struct document_things *things, uint32_t id,
                        const struct protocol_string *name)
{
    const struct document_thing *other = document_things_by_name(things, name);
    if (!other || other->id == id) {
        return true;
    }
    document_refuse(edit, PROTOCOL_CODE_CONFLICT, "name", "name \"%.*s\" is taken by %s %u", (int)name->size,
                    name->data, things->noun, other->id);
    snprintf(edit->error.value, sizeof edit->error.value, "%.*s", (int)name->size, name->data);
    return false;
}

uint64_t document_commit(struct document *document)
{
    return ++document->revision;
}

void document_touch(struct document *document, const struct document_edit *edit,
                    struct document_things *things, uint32_t id)
{
    struct document_thing *thing = document_things_by_id(things, id);
    if (thing) {
        thing->touched = (struct document_touch){.revision = document->revision, .session = edit->session};
        snprintf(thing->touched.person, sizeof thing->touched.person, "%s", edit->person ? edit->person : "");
    }
}

void document_touch_fill(const struct document_thing *thing, struct protocol_touch *out)
{
    *out = (struct protocol_touch){.has = PROTOCOL_HAS_ALL,
                                   .revision = thing->touched.revision,
                                   .session = thing->touched.session,
                                   .user = protocol_text(thing->touched.person)};
}
