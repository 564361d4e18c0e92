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
                       offsetof(struct protocol_edit_redo_params, back),
               "edit.undo and edit.redo are given the same");
_Static_assert(sizeof(struct protocol_edit_undo_result) == sizeof(struct protocol_edit_redo_result) &&
                   offsetof(struct protocol_edit_undo_result, undone) ==
                       offsetof(struct protocol_edit_redo_result, redone) &&
                   offsetof(struct protocol_edit_undo_result, left_out) ==
                       offsetof(struct protocol_edit_redo_result, left_out) &&
                   offsetof(struct protocol_edit_undo_result, overwritten) ==
                       offsetof(struct protocol_edit_redo_result, overwritten),
               "edit.undo and edit.redo answer the same");

// ---------------------------------------------------------------------------------------------------------
// Steps

static const struct document_change how = {
    .scope = document_scope_edit_restore,
    .change = document_change_edit_restore,
    .inverse = true,
};

// Each step is asked for on the terms of all of them, and speaks of the time before the first.
static void terms_pass_on(const struct document_edit *whole, struct protocol_edit_restore_params *params)
{
    const uint64_t *asked = document_term(whole->method, whole->params, "if_thing_revision");
    if (asked) {
        params->if_thing_revision = *asked;
        params->has |= PROTOCOL_HAS_EDIT_RESTORE_PARAMS_IF_THING_REVISION;
    }
}

static bool step_apply(struct document *document, struct document_edit *whole,
                       const struct document_earlier *before, const struct protocol_restore_step *given,
                       struct document_edit *step)
{
    // How far out particles may be was checked when they came there, with the extent of that moment.
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    struct protocol_edit_restore_params *params = document_edit_alloc(whole, 2, sizeof *params);
    if (!params) {
        return false;
    }
    document_restore_params(given, &params[0]);
    params[1] = params[0];
    terms_pass_on(whole, &params[0]);
    *step = (struct document_edit){
        .method = PROTOCOL_METHOD_EDIT_RESTORE,
        .params = &params[0],
        .resolved = &params[1],
        .session = whole->session,
        .person = whole->person,
        .zone = whole->zone,
        .wants_inverse = true,
        .live = whole->live,
        .is_own = true,
        .before = before,
    };
    step->plans = document_prepare(step->method, step->params, &constants, &step->error);
    const bool done = step->plans && document_check_edit_restore(document, step) &&
                      document_things_hold(document, step) && document_change_as(document, step, &how);
    document_plans_destroy(step->plans);
    step->plans = NULL;
    if (!done) {
        whole->error = step->error;
    }
    return done;
}

static void take_back(struct document *document, const struct document_earlier *earlier,
                      struct document_edit *edits, uint32_t count)
{
    // Whether the world has failed says nothing here: it may have before, and then what is done goes back all the same.
    bool good = true;
    for (uint32_t i = count; i > 0 && good; i--) {
        good = document_take_back(document, &edits[i - 1]);
    }
    document_earlier_give_back(document, earlier);
}

static bool apply_all(struct document *document, struct document_edit *edit,
                      const struct document_earlier *earlier, struct document_edit *edits)
{
    const struct protocol_edit_undo_params *params = edit->resolved;
    const struct protocol_restore_step *given = params->back.steps.items;
    const uint32_t count = params->back.steps.count;
    const uint64_t revision = document->revision;
    for (uint32_t i = 0; i < count; i++) {
        document->revision = revision; // all of them are one edit
        if (i > 0 && !document_goes_on(document, edit)) {
            return false;
        }
        if (!document_untorn(document, edit, &given[i], params->revision) ||
            !step_apply(document, edit, earlier, &given[i], &edits[i])) {
            take_back(document, earlier, edits, i);
            return false;
        }
    }
    if (!document_back_gather(edit, edits, count)) {
        take_back(document, earlier, edits, count);
        return document_refuse_memory(edit);
    }
    if (!document_is_allowed(document, edit)) {
        take_back(document, earlier, edits, count);
        return false;
    }
    document->revision = revision;
    return true;
}

static bool change(struct document *document, struct document_edit *edit)
{
    const struct protocol_edit_undo_params *params = edit->resolved;
    struct protocol_edit_undo_result *result = edit->result;
    struct document_edit *edits = document_edit_alloc(edit, params->back.steps.count, sizeof *edits);
    if (!edits) {
        return false;
    }
    struct document_earlier *earlier = document_earlier_of(document);
    if (!earlier) {
        return document_refuse_memory(edit);
    }
    const bool done = apply_all(document, edit, earlier, edits);
    document_earlier_destroy(earlier);
    if (!done) {
        return false;
    }
    document_mend(document);
    *result = (struct protocol_edit_undo_result){
        .has = PROTOCOL_HAS_ALL,
        .revision = document_commit(document),
        .tick = document->tick,
        .undone = params->back.edit,
        .left_out = params->back.left_out,
        .overwritten = params->back.overwritten,
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
