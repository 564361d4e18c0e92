// Handles edit.undo and edit.redo on their way into the document.
//
//     owner ─▶ which step ─▶ does anything since meet it? ─▶ its bytes as steps ─▶ parameters ─▶ document ─▶ record
//                                    │ force                      │ force
//                                    └────────────────────────────┴─▶ what can no longer come back is left out, and told
//
// After that it is an edit like any other: its record says what is put back and needs no history.
#include "world/edit/apply.h"

#include "base/assert.h"
#include "protocol/bytes.h"
#include "world/keep/history.h"
#include "world/keep/journal.h"
#include "world/people/owner.h"
#include "world/state.h"

#include <stdio.h>
#include <string.h>

static bool is_undo(const struct world_call *call)
{
    return call->request->method == PROTOCOL_METHOD_EDIT_UNDO;
}

static const char *name_of(const struct world_owner *owner)
{
    return owner->user[0] != '\0' ? owner->user : "somebody without a name";
}

// ---------------------------------------------------------------------------------------------------------
// Which

static bool refuse_none(struct world_call *call)
{
    const struct world *world = call->world;
    return world_refuse(call, PROTOCOL_CODE_NOT_FOUND, NULL,
                        is_undo(call)
                            ? "there is nothing more of yours to take back in world \"%s\" (%u)"
                            : "you have taken nothing back in world \"%s\" (%u) that could be redone",
                        world->document->name, world->id);
}

static bool refuse_revision(struct world_call *call, enum protocol_code code, uint64_t revision,
                            const char *what)
{
    world_refuse(call, code, "revision", "revision: %llu %s", (unsigned long long)revision, what);
    snprintf(call->error.value, sizeof call->error.value, "%llu", (unsigned long long)revision);
    return false;
}

static bool refuse_owner(struct world_call *call, const struct world_undo_step *step)
{
    char what[160];
    snprintf(what, sizeof what, "(%s) is an edit of %s; force %s anyway", protocol_methods[step->method].name,
             name_of(is_undo(call) ? &step->owner : &step->mover),
             is_undo(call) ? "takes it back" : "redoes it");
    refuse_revision(call, PROTOCOL_CODE_DENIED, step->revision, what);
    call->error.names_user = true;
    snprintf(call->error.user, sizeof call->error.user, "%s", step->owner.user);
    return false;
}

static struct world_undo_step *find_by_revision(struct world_call *call, const struct world_owner *owner,
                                                const struct protocol_edit_undo_params *params)
{
    struct world_undo_step *step = world_history_find(world_history_of(call->world->keep), params->revision);
    const struct world_owner *by = step ? is_undo(call) ? &step->owner : &step->mover : NULL;
    if (!step) {
        refuse_revision(call, PROTOCOL_CODE_NOT_FOUND, params->revision,
                        "is no edit that can be taken back: it never was one, or it is no longer kept");
    } else if (step->stands != is_undo(call)) {
        refuse_revision(call, PROTOCOL_CODE_CONFLICT, params->revision,
                        is_undo(call) ? "is taken back already" : "stands: it was not taken back");
    } else if (!step->back) {
        refuse_revision(call, PROTOCOL_CODE_NOT_FOUND, params->revision,
                        "can no longer be taken back or redone: what that needs is not kept");
    } else if (!params->force && !world_owner_same(by, owner)) {
        refuse_owner(call, step);
    } else {
        return step;
    }
    return NULL;
}

static struct world_undo_step *find(struct world_call *call, const struct protocol_edit_undo_params *params)
{
    const struct world_asker *asker = &call->request->asker;
    const struct protocol_string name = world_owner_name(asker);
    const struct world_owner owner = world_owner_of(&name, asker->session);
    if (params->has & PROTOCOL_HAS_EDIT_UNDO_PARAMS_REVISION) {
        return find_by_revision(call, &owner, params);
    }
    struct world_undo_step *step = is_undo(call)
                                       ? world_history_undo(world_history_of(call->world->keep), &owner)
                                       : world_history_redo(world_history_of(call->world->keep), &owner);
    if (!step) {
        refuse_none(call);
    }
    return step;
}

// ---------------------------------------------------------------------------------------------------------
// Whether

// Returns the person who changed it last: who made the edit, took it back or redid it.
static const struct world_owner *changer(const struct world_undo_step *step)
{
    return step->at != step->last ? &step->mover : &step->owner;
}

// "revision 3, body.set taken back by bob".
static void say_edit(const struct world_undo_step *by, char *out, size_t size)
{
    snprintf(out, size, "revision %llu, %s%s by %s", (unsigned long long)by->at,
             protocol_methods[by->method].name,
             by->at == by->last ? ""
             : by->stands       ? " redone"
                                : " taken back",
             name_of(changer(by)));
}

static char *copy_text(struct world_call *call, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = world_call_alloc(call, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

// The changes as an error and an answer list them. False: refused, without memory.
static bool list_changes(struct world_call *call, const struct world_changes *changes,
                         struct protocol_list *out)
{
    struct protocol_undo_overwritten *items = world_call_alloc(call, changes->count, sizeof *items);
    char what[DOCUMENT_WHAT_SIZE], fields[DOCUMENT_WHAT_SIZE];
    for (uint32_t i = 0; items && i < changes->count; i++) {
        const struct world_change *change = &changes->items[i];
        uint32_t id;
        const char *thing = document_touched_thing(&change->what, &id);
        document_touched_text(call->world->document, &change->what, what, sizeof what);
        document_touched_fields(&change->what, fields, sizeof fields);
        const char *copies[] = {copy_text(call, what), copy_text(call, fields),
                                copy_text(call, changer(change->by)->user)};
        if (!copies[0] || !copies[1] || !copies[2]) {
            return false;
        }
        items[i] = (struct protocol_undo_overwritten){
            .has = PROTOCOL_HAS_ALL,
            .what = protocol_text(copies[0]),
            .thing = protocol_text(thing),
            .id = id,
            .field = protocol_text(copies[1]),
            .revision = change->by->at,
            .method = protocol_text(protocol_methods[change->by->method].name),
            .user = protocol_text(copies[2]),
        };
    }
    *out = (struct protocol_list){.items = items, .count = items ? changes->count : 0};
    return items != NULL;
}

// Names the edit that is in the way for programs.
static void blame(struct world_call *call, const struct world_undo_step *by, const char *what)
{
    snprintf(call->error.value, sizeof call->error.value, "%.*s", (int)sizeof call->error.value - 1, what);
    call->error.names_user = true;
    snprintf(call->error.user, sizeof call->error.user, "%s", changer(by)->user);
    call->error.revision = by->at;
}

static bool refuse_conflict(struct world_call *call, const struct world_undo_step *step,
                            const struct world_changes *changes)
{
    enum { ROOM = PROTOCOL_TEXT_MAX - 56 }; // of how many more there are, and of force
    char text[PROTOCOL_TEXT_MAX], what[DOCUMENT_WHAT_SIZE], edit[128], one[sizeof what + sizeof edit + 64];
    struct protocol_list list;
    uint32_t told = 0;
    size_t used = 0;
    if (!list_changes(call, changes, &list)) {
        return false;
    }
    for (; told < changes->count; told++) {
        document_touched_text(call->world->document, &changes->items[told].what, what, sizeof what);
        say_edit(changes->items[told].by, edit, sizeof edit);
        if (told == 0) {
            snprintf(one, sizeof one, "%s changed since revision %llu: %s", what,
                     (unsigned long long)step->revision, edit);
        } else {
            snprintf(one, sizeof one, "; %s: %s", what, edit);
        }
        if (told > 0 && used + strlen(one) >= ROOM) {
            break;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", one);
        used = used < sizeof text ? used : sizeof text - 1;
    }
    if (told < changes->count) {
        snprintf(text + used, sizeof text - used, "; and %u more", changes->count - told);
    }
    world_refuse(call, PROTOCOL_CODE_CONFLICT, "revision", "%s; force %s anyway", text,
                 is_undo(call) ? "takes it back" : "redoes it");
    document_touched_text(call->world->document, &changes->items[0].what, what, sizeof what);
    blame(call, changes->items[0].by, what);
    call->error.changes = list;
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// What it comes to

// Claims the name that a world is to have again, which the host gives. If another world has it by now, force
// leaves it out.
static bool claim_name(struct world_call *call, bool force, struct protocol_undo_back *back)
{
    struct world *world = call->world;
    struct protocol_restore_step *steps =
        (struct protocol_restore_step *)back->steps.items; // owned by this request
    for (uint32_t i = back->steps.count; i > 0; i--) {
        struct protocol_restore_step *step = &steps[i - 1];
        const struct protocol_string had = protocol_text(world->document->name);
        if (!(step->has & PROTOCOL_HAS_RESTORE_STEP_NAME)) {
            continue;
        }
        if (call->request->claim.held || !world->hooks.name_reserve || // the last of them decides
            (had.size == step->name.size && memcmp(had.data, step->name.data, had.size) == 0)) {
            return true;
        }
        struct world_claim *claim = &call->request->claim;
        claim->held = world->hooks.name_reserve(world->hooks.context, &step->name, &claim->id, &call->error);
        if (!claim->held && force && call->error.code == PROTOCOL_CODE_CONFLICT) {
            call->error = (struct protocol_error){0};
            step->has &= ~(uint64_t)PROTOCOL_HAS_RESTORE_STEP_NAME;
            continue;
        }
        return claim->held;
    }
    return true;
}

// Checks that taking an edit back does nothing that the asker may not do otherwise.
static bool within_bounds(struct world_call *call, const struct world_undo_step *step)
{
    return !call->request->bounds.no_reset || !step->resets ||
           refuse_revision(
               call, PROTOCOL_CODE_DENIED, step->revision,
               "is a world.reset, which needs a higher role or control of this world; ask for control with "
               "world.control {action: ask}");
}

static bool fill(struct world_call *call, const struct world_undo_step *step,
                 struct protocol_edit_undo_params *params)
{
    msgpack_zone *zone = &call->request->packet->zone;
    struct protocol_undo_back *back = &params->back;
    char *user = world_call_alloc(call, sizeof step->owner.user, 1);
    // The step may be forgotten before this is told.
    uint8_t *bytes = user ? world_call_alloc(call, step->back_size, 1) : NULL;
    if (!bytes) {
        return false;
    }
    memcpy(bytes, step->back, step->back_size);
    memcpy(user, step->owner.user, sizeof step->owner.user);
    *back = (struct protocol_undo_back){
        .has = PROTOCOL_HAS_ALL,
        .edit = {.has = PROTOCOL_HAS_ALL,
                 .revision = step->revision,
                 .method = protocol_text(protocol_methods[step->method].name),
                 .user = protocol_text(user)},
    };
    if (!past_back_read(bytes, step->back_size, zone, &back->steps, &call->error)) {
        call->error.code =
            call->error.code == PROTOCOL_CODE_MEMORY ? PROTOCOL_CODE_MEMORY : PROTOCOL_CODE_INTERNAL;
        return false;
    }
    if (params->force && !document_prune(call->world->document, zone, &back->steps, &back->left_out)) {
        return world_refuse_memory(call);
    }
    struct world_changes changes;
    if (params->force && world_history_changes(world_history_of(call->world->keep), step, &changes) &&
        !list_changes(call, &changes, &back->overwritten)) {
        return false;
    }
    if (!within_bounds(call, step)) {
        return false;
    }
    document_back_ids(call->world->document, &back->steps);
    params->revision = step->revision;
    params->has |= PROTOCOL_HAS_EDIT_UNDO_PARAMS_REVISION | PROTOCOL_HAS_EDIT_UNDO_PARAMS_BACK;
    return claim_name(call, params->force, back);
}

bool world_undo_find(struct world_call *call)
{
    struct protocol_edit_undo_params *params = call->params; // of either method, as in edit_undo.c
    struct world_changes changes;
    if (document_gesture(call->request->method, params).size > 0) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "gesture",
                            "gesture: must be absent; what takes an edit back is a step of its own");
    }
    if (params->has & PROTOCOL_HAS_EDIT_UNDO_PARAMS_BACK) {
        return world_refuse(call, PROTOCOL_CODE_INVALID, "back",
                            "back: must be absent; the world says what it is");
    }
    const struct world_undo_step *step = find(call, params);
    if (!step) {
        return false;
    }
    return !params->force && world_history_changes(world_history_of(call->world->keep), step, &changes)
               ? refuse_conflict(call, step, &changes)
               : fill(call, step, params);
}

// ---------------------------------------------------------------------------------------------------------
// Values that do not go together any more

// The field that the refusal names, without the place of its entry: "bend.rigidity" of "parts[0].bend.rigidity".
static const char *refused_field(const struct protocol_error *error)
{
    const char *field = error->field, *bracket = strchr(field, ']');
    static const char settings[] = "settings.";
    if (bracket && bracket[1] == '.') {
        field = bracket + 2;
    } else if (strncmp(field, settings, strlen(settings)) == 0) {
        field += strlen(settings);
    }
    return field;
}

struct pair {
    const struct protocol_error *error;
    bool named; // only a field that the refusal speaks of
    struct document_touched what;
    char fields[DOCUMENT_WHAT_SIZE];
};

static bool fits(void *context, const struct document_touched *touched)
{
    struct pair *pair = context;
    document_touched_fields(touched, pair->fields, sizeof pair->fields);
    pair->what = *touched;
    return pair->fields[0] != '\0' && strcmp(pair->fields, refused_field(pair->error)) != 0 &&
           (!pair->named || strstr(pair->error->text, pair->fields));
}

// The refusal names the field that somebody has changed.
static bool is_refused(void *context, const struct document_touched *touched)
{
    struct pair *pair = context;
    document_touched_fields(touched, pair->fields, sizeof pair->fields);
    pair->what = *touched;
    return strcmp(pair->fields, refused_field(pair->error)) == 0;
}

// Finds the field of the step that the refusal names besides. Writes an empty text if there is none.
static void find_own(const struct world_undo_step *step, const struct protocol_error *refused, char *out,
                     size_t size)
{
    for (uint32_t p = 0; p < step->part_count; p++) {
        for (uint32_t i = 0; i < step->parts[p].touches.count; i++) {
            document_touched_fields(&step->parts[p].touches.items[i], out, size);
            if (out[0] != '\0' && strcmp(out, refused_field(refused)) != 0 && strstr(refused->text, out)) {
                return;
            }
        }
    }
    out[0] = '\0';
}

void world_undo_explain(struct world_call *call)
{
    const struct world_history *history = world_history_of(call->world->keep);
    const struct protocol_edit_undo_params *params = call->params;
    const struct world_undo_step *step = world_history_find(history, params->revision), *by;
    const struct protocol_error refused = call->error;
    struct pair pair = {.error = &refused, .named = true};
    char what[DOCUMENT_WHAT_SIZE], own[DOCUMENT_WHAT_SIZE], edit[128];
    struct world_changes changes;
    struct protocol_list list;
    if (!step || refused.code != PROTOCOL_CODE_INVALID) {
        return;
    }
    by = world_history_beside(history, step, fits, &pair);
    pair.named = false;
    snprintf(own, sizeof own, "%s", refused_field(&refused));
    by = by ? by : world_history_beside(history, step, fits, &pair);
    if (!by) { // it may be the other way round
        find_own(step, &refused, own, sizeof own);
        by = own[0] != '\0' ? world_history_beside(history, step, is_refused, &pair) : NULL;
    }
    if (!by) {
        world_refuse(call, PROTOCOL_CODE_CONFLICT, "revision", "%s", refused.text);
        return;
    }
    changes.items[0] = (struct world_change){.by = by, .what = pair.what};
    changes.count = 1;
    if (!list_changes(call, &changes, &list)) {
        return;
    }
    document_touched_text(call->world->document, &pair.what, what, sizeof what);
    say_edit(by, edit, sizeof edit);
    world_refuse(call, PROTOCOL_CODE_CONFLICT, own, "%s and %s do not go together: %s changed since, %s; %s",
                 own, pair.fields, what, edit, refused.text);
    blame(call, by, what);
    call->error.changes = list;
}

// ---------------------------------------------------------------------------------------------------------
// What is left of it

static bool resets(const struct document_edit *edit)
{
    const struct protocol_edit_batch_params *batch = edit->resolved;
    const uint32_t edits = edit->method == PROTOCOL_METHOD_EDIT_BATCH ? batch->edits.count : 0;
    for (uint32_t i = 0; i < edits; i++) {
        const struct protocol_call *one = (const struct protocol_call *)batch->edits.items + i;
        if (one->method == PROTOCOL_METHOD_WORLD_RESET) {
            return true;
        }
    }
    return edit->method == PROTOCOL_METHOD_WORLD_RESET;
}

void world_undo_step(struct world_call *call, const struct document_edit *edit, struct past_step *out)
{
    struct world *world = call->world;
    const struct world_asker *asker = &call->request->asker;
    const struct protocol_edit_undo_params *params = edit->resolved;
    const bool undo = edit->method == PROTOCOL_METHOD_EDIT_UNDO,
               redo = edit->method == PROTOCOL_METHOD_EDIT_REDO;
    struct protocol_bytes *back = &world->scratch[1];
    *out = (struct past_step){
        .previous = world_history_of(world->keep)->position,
        .kind = undo   ? PAST_STEP_UNDO
                : redo ? PAST_STEP_REDO
                       : PAST_STEP_EDIT,
        .revision = world->document->revision,
        .of = undo || redo ? params->revision : 0,
        .user = world_owner_name(asker),
        .session = asker->session,
        .method = edit->method,
        .touches = edit->touches,
        .resets = resets(edit),
        .gesture_name = document_gesture(edit->method, edit->params),
        .visit = asker->visit,
    };
    const struct world_undo_step *of =
        out->of != 0 ? world_history_find(world_history_of(world->keep), out->of) : NULL;
    if (of) {
        out->method = of->method;
        out->forced = params->back.overwritten.count > 0;
    }
    protocol_bytes_clear(back);
    // A step that is too large to be kept, or that finds no memory, cannot be taken back.
    if (edit->back.count > 0 && past_back_pack(&edit->back, back) &&
        back->size <= PROTOCOL_LIMIT_UNDO_BYTES) {
        out->back = back->data;
        out->back_size = back->size;
    }
    if (out->gesture_name.size > 0) {
        const struct world_undo_step *step = world_history_gesture(world_history_of(world->keep), out);
        out->gesture = step ? step->revision : out->revision;
        if (step && world_undo_step_covers(step, &out->touches)) {
            out->back = NULL; // what takes the first of these changes back takes this one back too
            out->back_size = 0;
        }
    }
}
