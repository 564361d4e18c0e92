// Shared by checks, scopes and changes: refusing, finding, committing.
#include "document/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool document_goes_on(struct document *document, struct document_edit *edit)
{
    if (!edit->go_on || edit->go_on(edit->context)) {
        return true;
    }
    document->broken = true;
    return document_refuse(edit, PROTOCOL_CODE_SHUTDOWN, NULL, "%s was given up half way",
                           protocol_methods[edit->method].name);
}

bool document_refuse_fault(struct document_edit *edit, const struct fault *fault)
{
    protocol_error_fault(&edit->error, fault);
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

bool document_batch_place(struct protocol_error *error, uint32_t index, int method)
{
    char field[PROTOCOL_FIELD_MAX], text[PROTOCOL_TEXT_MAX];
    snprintf(field, sizeof field, "edits[%u]%s%.70s", index, error->field[0] != 0 ? "." : "", error->field);
    snprintf(text, sizeof text, "edits[%u] (%s): %.180s", index, protocol_methods[method].name, error->text);
    memcpy(error->field, field, sizeof field);
    memcpy(error->text, text, sizeof text);
    return false;
}

uint64_t document_commit(struct document *document)
{
    return ++document->revision;
}

void document_touch_set(const struct document *document, const struct document_edit *edit,
                        struct document_touch *touch)
{
    *touch = (struct document_touch){
        .revision = document->revision, .session = edit->session, .method = (int)edit->method};
    snprintf(touch->person, sizeof touch->person, "%s", edit->person ? edit->person : "");
}

void document_touch(struct document *document, const struct document_edit *edit,
                    struct document_things *things, uint32_t id)
{
    struct document_thing *thing = document_things_by_id(things, id);
    if (thing) {
        document_touch_set(document, edit, &thing->touched);
    }
}

const char *document_touch_method(const struct document_touch *touch)
{
    return touch->revision > 0 && touch->method >= 0 ? protocol_methods[touch->method].name : "";
}

void document_touch_fill(const struct document_thing *thing, struct protocol_touch *out)
{
    *out = (struct protocol_touch){.has = PROTOCOL_HAS_ALL,
                                   .revision = thing->touched.revision,
                                   .session = thing->touched.session,
                                   .user = protocol_text(thing->touched.person),
                                   .method = protocol_text(document_touch_method(&thing->touched))};
}
