// edit.undo and edit.redo: steps of what edit.restore does, one after another, applied whole or not at all.
//
//     step 1 ─▶ step 2 ─▶ … ─▶ step n        each checked in the world that those before it left
//        │         │            │
//     inverse 1  inverse 2   inverse n       what takes all of it back: n, …, 2, 1
//
// What is taken back is said by the parameters, so a record needs no history: who keeps one fills them in.
#include "document/change.h"
#include "document/touches.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct protocol_edit_undo_params) == sizeof(struct protocol_edit_redo_params) &&
                   offsetof(struct protocol_edit_undo_params, back) ==
                       offsetof(struct protocol_edit_redo_params, back) &&
                   PROTOCOL_HAS_EDIT_UNDO_PARAMS_BACK == PROTOCOL_HAS_EDIT_REDO_PARAMS_BACK,
               "edit.undo and edit.redo are given the same");
_Static_assert(sizeof(struct protocol_edit_undo_result) == sizeof(struct protocol_edit_redo_result) &&
                   offsetof(struct protocol_edit_undo_result, undone) ==
                       offsetof(struct protocol_edit_redo_result, redone) &&
                   offsetof(struct protocol_edit_undo_result, left_out) ==
                       offsetof(struct protocol_edit_redo_result, left_out),
               "edit.undo and edit.redo answer the same");

// ---------------------------------------------------------------------------------------------------------
// Who touched what last, as it was before: steps that are taken back leave no trace there either.

struct before {
    uint64_t revision;
    uint32_t body_count, collider_count;
    struct before_touch {
        uint32_t id;
        struct document_touch touched;
    } * bodies, *colliders;
};

static bool touches_save(struct document_edit *edit, const struct document_things *things,
                         struct before_touch **out, uint32_t *count)
{
    struct before_touch *saved = document_edit_alloc(edit, things->count, sizeof *saved);
    for (uint32_t i = 0; saved && i < things->count; i++) {
        saved[i] = (struct before_touch){things->items[i].id, things->items[i].touched};
    }
    *out = saved;
    *count = things->count;
    return saved != NULL;
}

static void touches_put_back(struct document_things *things, const struct before_touch *saved, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct document_thing *thing = document_things_by_id(things, saved[i].id);
        if (thing) {
            thing->touched = saved[i].touched;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Steps

struct step {
    struct protocol_edit_restore_params params, resolved;
    struct document_edit edit;
};

static const struct document_change how = {
    .scope = document_scope_edit_restore,
    .change = document_change_edit_restore,
    .inverse = true,
};

static bool step_apply(struct document *document, struct document_edit *whole,
                       const struct protocol_restore *given, struct step *step)
{
    // How far out particles may be was checked when they came there, with the extent of that moment.
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    document_restore_params(given, &step->params);
    step->edit = (struct document_edit){
        .method = PROTOCOL_METHOD_EDIT_RESTORE,
        .params = &step->params,
        .session = whole->session,
        .person = whole->person,
        .zone = whole->zone,
        .wants_inverse = true,
    };
    step->edit.plans =
        document_prepare(PROTOCOL_METHOD_EDIT_RESTORE, &step->params, &constants, &step->edit.error);
    step->resolved = step->params;
    step->edit.resolved = &step->resolved;
    const bool done = step->edit.plans && document_check_edit_restore(document, &step->edit) &&
                      document_change_as(document, &step->edit, &how);
    document_plans_destroy(step->edit.plans);
    step->edit.plans = NULL;
    if (!done) {
        whole->error = step->edit.error;
    }
    return done;
}

static void take_back(struct document *document, const struct before *before, struct step *steps,
                      uint32_t count)
{
    for (uint32_t i = count; i > 0 && !document->failed; i--) {
        document_restore_take_back(document, &steps[i - 1].edit);
    }
    document->revision = before->revision;
    touches_put_back(&document->bodies, before->bodies, before->body_count);
    touches_put_back(&document->colliders, before->colliders, before->collider_count);
}

static bool gather(struct document_edit *edit, const struct step *steps, uint32_t count)
{
    struct protocol_restore *back = document_edit_alloc(edit, count, sizeof *back);
    if (!back) {
        return false;
    }
    edit->touches = (struct document_touches){0};
    for (uint32_t i = 0; i < count; i++) {
        const struct document_touches *touches = &steps[i].edit.touches;
        document_restore_step(steps[i].edit.inverse, &back[count - 1 - i]);
        edit->touches.lost = edit->touches.lost || touches->lost ||
                             !document_touches_join(edit->zone, &edit->touches, touches);
    }
    edit->back = (struct protocol_list){.items = back, .count = count};
    return true;
}

static bool change(struct document *document, struct document_edit *edit)
{
    const struct protocol_edit_undo_params *params = edit->resolved;
    const struct protocol_restore *given = params->back.steps.items;
    const uint32_t count = params->back.steps.count;
    struct protocol_edit_undo_result *result = edit->result;
    struct step *steps = document_edit_alloc(edit, count, sizeof *steps);
    struct before before = {.revision = document->revision};
    if (!steps || !touches_save(edit, &document->bodies, &before.bodies, &before.body_count) ||
        !touches_save(edit, &document->colliders, &before.colliders, &before.collider_count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        document->revision = before.revision; // all of them are one edit
        if (!step_apply(document, edit, &given[i], &steps[i])) {
            take_back(document, &before, steps, i);
            return false;
        }
    }
    if (!gather(edit, steps, count)) {
        take_back(document, &before, steps, count);
        return false;
    }
    document->revision = before.revision;
    *result = (struct protocol_edit_undo_result){
        .has = PROTOCOL_HAS_ALL,
        .revision = document_commit(document),
        .tick = document->tick,
        .undone = params->back.edit,
        .left_out = params->back.left_out,
    };
    return true;
}

// ---------------------------------------------------------------------------------------------------------

static bool check(struct document_edit *edit)
{
    const struct protocol_edit_undo_params *params = edit->resolved;
    const uint64_t wanted = PROTOCOL_HAS_EDIT_UNDO_PARAMS_REVISION | PROTOCOL_HAS_EDIT_UNDO_PARAMS_BACK;
    return (params->has & wanted) == wanted ||
           document_refuse(edit, PROTOCOL_CODE_INVALID, "back",
                           "back: missing; a record of %s says its revision, and what that comes to",
                           protocol_methods[edit->method].name);
}

bool document_check_edit_undo(const struct document *document, struct document_edit *edit)
{
    (void)document;
    return check(edit);
}

bool document_check_edit_redo(const struct document *document, struct document_edit *edit)
{
    (void)document;
    return check(edit);
}

// Each step has its own.
void document_scope_edit_undo(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    (void)document, (void)edit, (void)scope;
}

void document_scope_edit_redo(const struct document *document, const struct document_edit *edit,
                              struct document_scope *scope)
{
    (void)document, (void)edit, (void)scope;
}

bool document_change_edit_undo(struct document *document, struct document_edit *edit)
{
    return change(document, edit);
}

bool document_change_edit_redo(struct document *document, struct document_edit *edit)
{
    return change(document, edit);
}
