// On which terms an edit is asked for: the fields that every one takes besides its own (terms of api.json).
//
// Terms are of whoever asks, at the moment that they ask, so nothing of them stays: not in the resolved parameters, not in a
// record. A replay meets none.
#include "document/parts.h"
#include "document/restore.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TERMS = 5 }; // the last fields of each edit's parameters

static const char *const names[] = {"if_revision", "if_epoch", "if_thing_revision",
                                    "edit_id",     "gesture",  "repeated"};

static bool is_term(const struct protocol_field *field)
{
    bool is = false;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        is = is || strcmp(field->name, names[n]) == 0;
    }
    return is;
}

static uint32_t first_term(const struct protocol_struct *type)
{
    return type->field_count > TERMS ? type->field_count - TERMS : 0;
}

const void *document_term(enum protocol_method method, const void *params, const char *name)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    uint64_t has;
    memcpy(&has, params, sizeof has);
    for (uint32_t f = first_term(type); f < type->field_count; f++) {
        if (strcmp(type->fields[f].name, name) == 0 && (has & UINT64_C(1) << f) != 0) {
            return (const uint8_t *)params + type->fields[f].offset;
        }
    }
    return NULL;
}

void document_terms_clear(const struct protocol_struct *type, void *params_or_result)
{
    uint64_t has;
    memcpy(&has, params_or_result, sizeof has);
    for (uint32_t f = first_term(type); f < type->field_count; f++) {
        has &= is_term(&type->fields[f]) ? ~(UINT64_C(1) << f) : UINT64_MAX;
    }
    memcpy(params_or_result, &has, sizeof has);
}

void document_terms_drop(enum protocol_method method, void *params)
{
    document_terms_clear(protocol_methods[method].params, params);
}

struct protocol_string document_edit_id(enum protocol_method method, const void *params)
{
    const struct protocol_string *id = document_term(method, params, "edit_id");
    return id ? *id : (struct protocol_string){0};
}

struct protocol_string document_gesture(enum protocol_method method, const void *params)
{
    const struct protocol_string *gesture = document_term(method, params, "gesture");
    return gesture ? *gesture : (struct protocol_string){0};
}

const uint64_t *document_if_epoch(enum protocol_method method, const void *params)
{
    return document_term(method, params, "if_epoch");
}

void document_result_repeated(enum protocol_method method, void *result)
{
    const struct protocol_struct *type = protocol_methods[method].result;
    const uint32_t last = type->field_count - 1;
    uint64_t has;
    BASE_ASSERT(is_term(&type->fields[last]) && type->fields[last].type == PROTOCOL_TYPE_BOOL);
    memcpy(&has, result, sizeof has);
    has |= UINT64_C(1) << last;
    memcpy(result, &has, sizeof has);
    *(bool *)((uint8_t *)result + type->fields[last].offset) = true;
}

// ---------------------------------------------------------------------------------------------------------
// Revisions

// "revision 9, which was body.set by bob", as far as it is known.
static void tell(const struct document_touch *touch, char *out, size_t size)
{
    const char *method = document_touch_method(touch);
    snprintf(out, size, "%" PRIu64 "%s%s%s%s", touch->revision, method[0] != 0 ? ", which was " : "", method,
             touch->person[0] != 0 ? " by " : "", touch->person);
}

static bool refuse_stale(struct document_edit *edit, const char *field, uint64_t asked, const char *what,
                         const struct document_touch *touch)
{
    char told[128];
    tell(touch, told, sizeof told);
    document_refuse(edit, PROTOCOL_CODE_CONFLICT, field, "%s: %" PRIu64 ", but %s at revision %s", field,
                    asked, what, told);
    snprintf(edit->error.value, sizeof edit->error.value, "%" PRIu64, asked);
    edit->error.revision = touch->revision;
    edit->error.names_user = true;
    snprintf(edit->error.user, sizeof edit->error.user, "%s", touch->person);
    return false;
}

static bool names_hold(struct document_edit *edit)
{
    static const char *const terms[] = {"edit_id", "gesture"};
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        const struct protocol_string *name = document_term(edit->method, edit->params, terms[t]);
        if (name && name->size == 0) {
            return document_refuse(edit, PROTOCOL_CODE_INVALID, terms[t], "%s: empty; it has 1 to %d bytes",
                                   terms[t], (int)PROTOCOL_LIMIT_NAME_BYTES);
        }
    }
    return true;
}

bool document_terms_hold(const struct document *document, struct document_edit *edit)
{
    const uint64_t *asked = document_term(edit->method, edit->params, "if_revision");
    if (!names_hold(edit)) {
        return false;
    }
    if (!asked || *asked == document->revision) {
        return true;
    }
    struct document_touch last = document->last;
    if (last.revision != document->revision) { // that of a document that was opened, or branched
        last = (struct document_touch){.revision = document->revision, .method = -1};
    }
    return refuse_stale(edit, "if_revision", *asked, "the world is", &last);
}

// ---------------------------------------------------------------------------------------------------------
// Things

struct newest {
    const struct document *document;
    const struct document_edit *edit;
    const struct document_touch *touch;
    char what[40 + DOCUMENT_NAME_SIZE];
};

static void take(struct newest *newest, const struct document_touch *touch, const char *what)
{
    if (touch && touch->revision > 0 && (!newest->touch || touch->revision > newest->touch->revision)) {
        newest->touch = touch;
        snprintf(newest->what, sizeof newest->what, "%s", what);
    }
}

static void take_thing(struct newest *newest, bool collider, uint32_t id)
{
    const struct document_things *things =
        collider ? &newest->document->colliders : &newest->document->bodies;
    const struct document_thing *thing = document_things_by_id(things, id);
    const struct document_earlier *before = newest->edit->before;
    char what[sizeof newest->what];
    if (!thing) {
        return;
    }
    snprintf(what, sizeof what, "%s %" PRIu32 "%s%s%s was changed", things->noun, id,
             thing->name_size > 0 ? " (\"" : "", thing->name, thing->name_size > 0 ? "\")" : "");
    take(newest, before ? document_earlier_touch(before, collider, id) : &thing->touched, what);
}

static void take_settings(struct newest *newest)
{
    const struct document_earlier *before = newest->edit->before;
    take(newest, before ? document_earlier_settings(before) : &newest->document->settings_touched,
         "the world's settings were changed");
}

static void take_named(struct newest *newest)
{
    const struct document_edit *edit = newest->edit;
    const struct protocol_struct *type = protocol_methods[edit->method].params;
    for (uint32_t f = 0; f < type->field_count; f++) {
        const struct protocol_field *field = &type->fields[f];
        const bool collider = strcmp(field->name, "collider") == 0;
        if (field->type == PROTOCOL_TYPE_REF && (collider || strcmp(field->name, "body") == 0)) {
            const void *ref = (const uint8_t *)edit->resolved + field->offset;
            take_thing(newest, collider, ((const struct protocol_ref *)ref)->id);
        }
    }
}

static void take_restored(struct newest *newest)
{
    const struct document_restore *restore = newest->edit->ready;
    for (uint32_t i = 0; i < restore->touched_bodies.count; i++) {
        take_thing(newest, false, restore->touched_bodies.items[i]);
    }
    for (uint32_t i = 0; i < restore->touched_colliders.count; i++) {
        take_thing(newest, true, restore->touched_colliders.items[i]);
    }
    if (restore->given->has &
        (PROTOCOL_HAS_EDIT_RESTORE_PARAMS_SETTINGS | PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME)) {
        take_settings(newest);
    }
}

static void take_all(struct newest *newest)
{
    const struct document *document = newest->document;
    for (uint32_t b = 0; b < document->bodies.count; b++) {
        take_thing(newest, false, document->bodies.items[b].id);
    }
    for (uint32_t c = 0; c < document->colliders.count; c++) {
        take_thing(newest, true, document->colliders.items[c].id);
    }
}

static void take_concerned(struct newest *newest)
{
    const struct document_edit *edit = newest->edit;
    const struct document_things *bodies = &newest->document->bodies;
    for (uint32_t b = 0; edit->concerned && b < bodies->count; b++) {
        if (edit->concerned[b]) {
            take_thing(newest, false, bodies->items[b].id);
        }
    }
    if (edit->method == PROTOCOL_METHOD_MOTION_REMOVE) {
        const struct sim_motion *motion = edit->ready;
        take_thing(newest, motion->collider != 0, motion->collider != 0 ? motion->collider : motion->body);
    } else if (edit->method == PROTOCOL_METHOD_EDIT_RESTORE) {
        take_restored(newest);
    } else if (edit->method == PROTOCOL_METHOD_WORLD_SET) {
        take_settings(newest);
    } else if (edit->method == PROTOCOL_METHOD_WORLD_RESET) {
        take_all(newest);
    }
}

bool document_things_hold(const struct document *document, struct document_edit *edit)
{
    const uint64_t *asked = document_term(edit->method, edit->params, "if_thing_revision");
    struct newest newest = {.document = document, .edit = edit};
    if (!asked) {
        return true;
    }
    take_named(&newest);
    take_concerned(&newest);
    return !newest.touch || newest.touch->revision <= *asked ||
           refuse_stale(edit, "if_thing_revision", *asked, newest.what, newest.touch);
}
