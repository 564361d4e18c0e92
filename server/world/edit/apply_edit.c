// Handles edits and inputs: asks the document for the change, and does what follows from it in the world.
#include "world/edit/apply.h"

#include "base/assert.h"
#include "base/clock.h"
#include "document/document.h"
#include "protocol/params.h"
#include "world/answer/call.h"
#include "world/answer/event.h"
#include "world/edit/edit_ids.h"
#include "world/edit/part.h"
#include "world/frames/frames.h"
#include "world/keep/durable.h"
#include "world/keep/history.h"
#include "world/keep/journal.h"
#include "world/keep/records.h"
#include "world/people/owner.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"
#include "world/twins/twins.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool goes_on(void *context)
{
    const struct world_call *call = context;
    return !world_time_is_up(call->world->time, call->request->asker.session);
}

static void edit_init(struct world_call *call, struct document_edit *edit)
{
    *edit = (struct document_edit){
        .method = call->request->method,
        .params = call->params,
        .plans = call->request->plans,
        .session = call->request->asker.session,
        .person = call->request->asker.user,
        .zone = &call->request->packet->zone,
        .wants_inverse = protocol_methods[call->request->method].class_ == PROTOCOL_CLASS_EDIT,
        .live = true,
        .go_on = goes_on,
        .context = call,
        .allows = call->request->bounds.within_quota ? world_quota_allows : NULL,
        .allows_context = call->world,
    };
}

// Records an input that was applied. `step` may be NULL (journal.h). False: it cannot be kept.
static bool record(struct world *world, const struct document_edit *edit, const struct world_asker *asker,
                   const struct past_step *step)
{
    struct protocol_bytes *bytes = &world->scratch[0];
    const struct document_record input = {
        .sequence = world_journal_sequence(world->keep) + 1,
        .tick = world->document->tick,
        .revision = world->document->revision,
        .person = world_owner_name(asker),
        .session = asker->session,
        .edit_id = edit->edit_id,
        .asked = edit->asked,
        .gesture = edit->gesture,
        .at_us = base_wall_us(),
        .method = edit->method,
        .params = edit->resolved,
        .result = edit->result,
    };
    enum { TRIES = 3 }; // the edit is done and cannot be undone, so this tries again for memory
    msgpack_packer packer;
    for (int i = 0; i == 0 || (i < TRIES && bytes->failed); i++) {
        protocol_bytes_clear(bytes);
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        document_record_pack(&input, &packer);
    }
    world_records_keep(world_records_of(world->keep), bytes);
    world_twins_record(world, bytes);
    const bool kept = world_journal_record(world, bytes, step);
    protocol_bytes_clear(bytes); // a long buffer is not kept for the next record
    return kept;
}

static bool change(struct world_call *call, struct document_edit *edit)
{
    struct world *world = call->world;
    struct past_step left, *step = edit->wants_inverse ? &left : NULL;
    const bool applied = document_apply(world->document, edit);
    world_quota_match(world);
    if (!applied) {
        call->error = edit->error;
        return world->document->broken && world_refuse_broken(call);
    }
    if (step) {
        world_undo_step(call, edit, step);
        edit->gesture = step->gesture;
    }
    const bool kept = record(world, edit, &call->request->asker, step);
    if (kept && step) {
        world_history_take(world_history_of(world->keep), step);
    }
    protocol_bytes_clear(&world->scratch[1]); // a long buffer is not kept for the next edit
    if (kept) {
        return true;
    }
    world_frames_changed(world->frames);
    return world_refuse(
        call, PROTOCOL_CODE_INTERNAL, NULL,
        "%s is done, but there was no memory to keep it: the world takes no more edits, and a "
        "restart goes back to before this one",
        protocol_methods[call->request->method].name);
}

bool world_change(struct world_call *call, struct document_edit *edit)
{
    edit_init(call, edit);
    return change(call, edit);
}

// ---------------------------------------------------------------------------------------------------------
// Edits that come again

static void refuse_id(struct world_call *call, const struct document_edit *edit,
                      const struct world_edit_known *known, const char *why)
{
    world_refuse(call, PROTOCOL_CODE_CONFLICT, "edit_id",
                 "edit_id: \"%.*s\" is that of revision %" PRIu64 " (%s), %s", (int)edit->edit_id.size,
                 edit->edit_id.data, known->revision, protocol_methods[known->method].name, why);
    snprintf(call->error.value, sizeof call->error.value, "%.*s", (int)edit->edit_id.size,
             edit->edit_id.data);
    call->error.revision = known->revision;
}

static bool answer_read(struct world_call *call, const struct world_edit_known *known, void *result)
{
    const struct protocol_struct *type = protocol_methods[known->method].result;
    msgpack_zone *zone = &call->request->packet->zone;
    char *copy = msgpack_zone_malloc(zone, known->size); // the table may drop its own copy
    msgpack_object map;
    size_t offset = 0;
    if (!copy) {
        return world_refuse_memory(call);
    }
    memcpy(copy, known->answer, known->size);
    if (msgpack_unpack(copy, known->size, &offset, zone, &map) < 0) {
        return world_refuse_memory(call);
    }
    if (!protocol_decode(type, &map, zone, result, &call->error)) {
        return false;
    }
    if (known->method != PROTOCOL_METHOD_EDIT_BATCH) {
        return true;
    }
    const struct protocol_edit_batch_params *params = call->params; // the same parameters as at that time
    const struct protocol_edit_batch_result *batch = result;
    return protocol_answers_read(&params->edits, &batch->results, zone, &call->error);
}

static void answer_again(struct world_call *call, const struct document_edit *edit,
                         const struct world_edit_known *known)
{
    if (known->method != edit->method || known->asked != edit->asked) {
        refuse_id(call, edit, known, "which was another edit; a new edit needs a new id");
        return;
    }
    if (!known->answer) {
        refuse_id(call, edit, known, "which was applied; its answer is no longer kept");
        return;
    }
    void *result = world_call_alloc(call, 1, protocol_methods[known->method].result->size);
    if (result && answer_read(call, known, result)) {
        document_result_repeated(known->method, result);
        world_answer_again(call, result);
    }
}

// Looks the edit's id up, or makes room for it. False: the edit was answered or refused.
static bool id_take(struct world_call *call, struct document_edit *edit, struct world_edit_id **out)
{
    struct world *world = call->world;
    const struct protocol_string person = world_owner_name(&call->request->asker);
    struct world_edit_known known;
    edit->edit_id = document_edit_id(edit->method, edit->params);
    *out = NULL;
    if (edit->edit_id.size == 0) {
        return true;
    }
    if (!world->edits->ids) {
        world->edits->ids = world_edit_ids_create();
    }
    if (!world->edits->ids || !world_edit_asked(edit->method, edit->params, &edit->asked)) {
        return world_refuse_memory(call);
    }
    if (world_edit_ids_find(world->edits->ids, &person, &edit->edit_id, base_now_ns() / 1000, &known)) {
        answer_again(call, edit, &known);
        return false;
    }
    *out = world_edit_id_create(&person, &edit->edit_id, edit->asked);
    return *out || world_refuse_memory(call);
}

// Checks the term `epoch`, which the document does not know, because which server writes a world is no part
// of it.
static bool epoch_holds(struct world_call *call)
{
    const uint64_t epoch = world_journal_epoch(call->world->keep);
    const uint64_t *asked = document_if_epoch(call->request->method, call->params);
    if (!asked || *asked == epoch) {
        return true;
    }
    world_refuse(call, PROTOCOL_CODE_CONFLICT, "if_epoch",
                 "if_epoch: %" PRIu64 ", but the world is written under epoch %" PRIu64
                 " now, since it was opened again; world.get tells its epoch and its revision",
                 *asked, epoch);
    snprintf(call->error.value, sizeof call->error.value, "%" PRIu64, *asked);
    return false;
}

void world_apply_edit(struct world_call *call)
{
    struct world *world = call->world;
    struct document_edit edit;
    const bool again = call->request->method == PROTOCOL_METHOD_EDIT_UNDO ||
                       call->request->method == PROTOCOL_METHOD_EDIT_REDO;
    struct world_edit_id *edit_id;
    edit_init(call, &edit);
    if (!id_take(call, &edit, &edit_id)) {
        return;
    }
    const bool found = epoch_holds(call) && (!again || world_undo_find(call));
    if (!found || !change(call, &edit)) {
        if (found && again) {
            world_undo_explain(call);
        }
        world_edit_id_destroy(edit_id);
        return;
    }
    if (edit_id) {
        world_edit_ids_add(world->edits->ids, edit_id, &edit, world->document->revision,
                           base_now_ns() / 1000);
    }
    world_frames_changed(world->frames);
    world_holders_match(world->people, world->document->sim);
    const bool mended = world_state(world->time) == WORLD_FAILED && !world->document->failed;
    if (mended) {
        world_state_set(world->time, WORLD_PAUSED);
    }
    world_accept(call, &edit);
    if (mended) {
        world_notice_changed(world, PROTOCOL_WORLD_CHANGED_NOTICE_STATE_PAUSED, &call->request->asker);
    }
}

void world_grab_drop(struct world *world, const struct world_holder *holder)
{
    const uint32_t grab = holder->grab;
    struct world_asker asker = {.session = holder->session};
    if (world->document->broken) {
        return; // the world takes no inputs; when it comes back from its store it drops all grabs
    }
    memcpy(asker.user, holder->user, sizeof asker.user);
    const struct protocol_grab_end_params params = {.has = PROTOCOL_HAS_ALL, .grab = grab};
    struct document_edit edit = {.method = PROTOCOL_METHOD_GRAB_END,
                                 .params = &params,
                                 .session = asker.session,
                                 .zone = &world->edits->zone};
    bool dropped = document_apply(world->document, &edit);
    BASE_ASSERT(dropped);
    (void)record(world, &edit, &asker, NULL); // no request waits for it
    msgpack_zone_clear(&world->edits->zone);
}

// ---------------------------------------------------------------------------------------------------------
// The room

bool world_edits_init(struct world *world)
{
    return msgpack_zone_init(&world->edits->zone, MSGPACK_ZONE_CHUNK_SIZE);
}

void world_edits_deinit(struct world *world)
{
    world_edit_ids_destroy(world->edits->ids);
    world_quota_leave(world);
    world_costly_deinit(&world->edits->costly);
    msgpack_zone_destroy(&world->edits->zone);
}

void world_know_edits(struct world *world, struct world_edit_ids *ids)
{
    world_edit_ids_destroy(world->edits->ids);
    world->edits->ids = ids;
}
