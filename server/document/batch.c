// edit.batch: many edits at one tick, all of them or none.
//
//     check ▶ change ▶ check ▶ change ▶ check ✗          each in the document as those before it left it
//        ◀──────── inverse ◀──────── inverse
//
// Whether an edit applies is known only where those before it are made. So they are made, each with its inverse taken first,
// and where one is refused the inverses take them back, the last first. What inverses do not speak of (earlier.c) is given back
// as it was kept: then the document is the same to the bit, its next ids, its grabs and who touched what included.
#include "document/change.h"
#include "document/touches.h"

#include "base/assert.h"
#include "protocol/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// What can be said before anything changes

static bool check_one(struct document_edit *edit, const struct protocol_call *call, uint32_t index)
{
    static const char *const own[] = {"if_revision", "if_epoch", "edit_id", "gesture"};
    const enum protocol_method method = (enum protocol_method)call->method;
    const struct protocol_world_set_params *set = call->value;
    const struct protocol_edit_restore_params *restore = call->value;
    for (size_t t = 0; t < sizeof own / sizeof *own; t++) {
        if (document_term(method, call->value, own[t])) {
            document_refuse(edit, PROTOCOL_CODE_INVALID, own[t], "%s: must be absent; it is the batch's own",
                            own[t]);
            return document_batch_place(&edit->error, index, call->method);
        }
    }
    if (method == PROTOCOL_METHOD_EDIT_UNDO || method == PROTOCOL_METHOD_EDIT_REDO) {
        document_refuse(edit, PROTOCOL_CODE_INVALID, NULL,
                        "is asked for by itself: a batch is one edit to take back");
        return document_batch_place(&edit->error, index, call->method);
    }
    // The host owns names of worlds, and has to hold one before an edit is asked for.
    if ((method == PROTOCOL_METHOD_WORLD_SET && (set->has & PROTOCOL_HAS_WORLD_SET_PARAMS_NAME)) ||
        (method == PROTOCOL_METHOD_EDIT_RESTORE && (restore->has & PROTOCOL_HAS_EDIT_RESTORE_PARAMS_NAME))) {
        document_refuse(edit, PROTOCOL_CODE_INVALID, "name",
                        "name: must be absent; a world is renamed by itself");
        return document_batch_place(&edit->error, index, call->method);
    }
    return true;
}

bool document_check_edit_batch(const struct document *document, struct document_edit *edit)
{
    const struct protocol_edit_batch_params *params = edit->resolved;
    const struct protocol_call *calls = params->edits.items;
    BASE_ASSERT(edit->plans && edit->plans->part_count == params->edits.count);
    if (params->edits.count == 0) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "edits",
                               "edits: none; must be at least one edit");
    }
    if (document_term(edit->method, edit->params, "if_thing_revision")) {
        return document_refuse(edit, PROTOCOL_CODE_INVALID, "if_thing_revision",
                               "if_thing_revision: must be absent; each edit of the batch may have its own");
    }
    if (document->failed && !document->given_up) {
        return document_refuse(edit, PROTOCOL_CODE_CONFLICT, NULL,
                               "the world failed; a batch waits until edit.undo or world.reset mends it");
    }
    for (uint32_t i = 0; i < params->edits.count; i++) {
        if (!check_one(edit, &calls[i], i)) {
            return false;
        }
    }
    return true;
}

// Each of its edits has a scope of its own.
void document_scope_edit_batch(const struct document *document, const struct document_edit *edit,
                               struct document_scope *scope)
{
    (void)document, (void)edit, (void)scope;
}

// ---------------------------------------------------------------------------------------------------------
// The change

struct batch {
    struct document *document;
    struct document_edit *edit, *edits; // the whole; each
    struct protocol_call *calls, *results;
    struct document_earlier *earlier;
    size_t bytes; // of the inverses
};

static int count_bytes(void *data, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)data += size;
    return 0;
}

static bool few_enough(struct batch *batch, const struct document_edit *one)
{
    msgpack_packer packer;
    msgpack_packer_init(&packer, &batch->bytes, count_bytes);
    protocol_encode_without(&protocol_edit_restore_params_type, "world", one->inverse, PROTOCOL_ARRAYS_EXT,
                            &packer);
    if (batch->bytes <= PROTOCOL_LIMIT_BATCH_BYTES) {
        return true;
    }
    document_refuse(batch->edit, PROTOCOL_CODE_LIMIT, NULL,
                    "with this edit the batch changes more than could be taken back (limit batch_bytes = "
                    "%" PRIu64 "); divide it",
                    PROTOCOL_LIMIT_BATCH_BYTES);
    batch->edit->error.limit = (double)PROTOCOL_LIMIT_BATCH_BYTES;
    return false;
}

static bool apply_one(struct batch *batch, const struct protocol_call *call, uint32_t index)
{
    struct document_edit *one = &batch->edits[index];
    const uint64_t base = batch->document->revision;
    *one = (struct document_edit){
        .method = (enum protocol_method)call->method,
        .params = call->value,
        .plans = batch->edit->plans->parts[index],
        .session = batch->edit->session,
        .person = batch->edit->person,
        .zone = batch->edit->zone,
        .wants_inverse = true,
        .live = batch->edit->live,
        .before = batch->earlier,
    };
    if (!batch->edit->apply(batch->document, one)) {
        batch->edit->error = one->error;
        return false;
    }
    batch->document->revision = base; // they give one revision together
    batch->calls[index] = (struct protocol_call){.method = call->method, .value = one->resolved};
    batch->results[index] = (struct protocol_call){.method = call->method, .value = one->result};
    return true;
}

static void take_back(struct batch *batch, uint32_t done)
{
    for (uint32_t i = done; i > 0; i--) {
        (void)document_take_back(batch->document, &batch->edits[i - 1]);
    }
    document_earlier_give_back(batch->document, batch->earlier);
}

static bool apply_all(struct batch *batch, const struct protocol_list *list)
{
    const struct protocol_call *given = list->items;
    for (uint32_t i = 0; i < list->count; i++) {
        if (i > 0 && !document_goes_on(batch->document, batch->edit)) {
            return false;
        }
        const bool applied = apply_one(batch, &given[i], i);
        if (!applied || !few_enough(batch, &batch->edits[i])) {
            take_back(batch, applied ? i + 1 : i);
            return document_batch_place(&batch->edit->error, i, given[i].method);
        }
    }
    if (!document_back_gather(batch->edit, batch->edits, list->count) ||
        !document_is_allowed(batch->document, batch->edit)) {
        take_back(batch, list->count);
        return false;
    }
    return true;
}

bool document_change_edit_batch(struct document *document, struct document_edit *edit)
{
    struct protocol_edit_batch_params *params = edit->resolved;
    struct protocol_edit_batch_result *result = edit->result;
    const uint32_t count = params->edits.count;
    struct batch batch = {
        .document = document,
        .edit = edit,
        .edits = document_edit_alloc(edit, count, sizeof *batch.edits),
        .calls = document_edit_alloc(edit, count, sizeof *batch.calls),
        .results = document_edit_alloc(edit, count, sizeof *batch.results),
    };
    if (!batch.edits || !batch.calls || !batch.results) {
        return false;
    }
    batch.earlier = document_earlier_of(document);
    if (!batch.earlier) {
        return document_refuse_memory(edit);
    }
    const bool done = apply_all(&batch, &params->edits);
    document_earlier_destroy(batch.earlier);
    if (!done) {
        return false;
    }
    params->edits.items = batch.calls;
    *result = (struct protocol_edit_batch_result){
        .has = PROTOCOL_HAS_ALL,
        .revision = document_commit(document),
        .tick = document->tick,
        .results = {.items = batch.results, .count = count},
    };
    return true;
}
