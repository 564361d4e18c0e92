// Fills the outbox: events for the loop, in order, for which there always is room (world.c). Notices to all members of a
// world (world.edited, world.changed, world.warned, world.person) are made here too.
//
// A notice is packed once for each arrays mode that a member uses. One that cannot be packed is told as lost, which ends
// the members' connections: they join again and see the present state.
#include "world/answer/event.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/log.h"
#include "base/ring.h"
#include "protocol/bytes.h"
#include "world/answer/call.h"
#include "world/answer/part.h"
#include "world/keep/durable.h"
#include "world/people/people.h"
#include "world/state.h"
#include "world/time/clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct world_event *world_event_create(enum world_event_kind kind)
{
    struct world_event *event = calloc(1, sizeof *event);
    if (event) {
        event->kind = kind;
    }
    return event;
}

void world_event_destroy(struct world_event *event)
{
    if (!event) {
        return;
    }
    for (uint32_t i = 0; i < sizeof event->bytes / sizeof *event->bytes; i++) {
        base_buffer_unref(event->bytes[i]);
    }
    for (uint32_t i = 0; i < event->batch_count; i++) {
        base_batch_destroy(event->batches[i]);
    }
    free((void *)event->batches);
    free(event->misses);
    free(event->again);
    free(event);
}

void world_push(struct world *world, struct world_event *event)
{
    struct world_answers *answers = world->answers;
    event->position = world_journal_position(world->keep);
    atomic_fetch_add(&answers->waiting[event->kind], 1);
    bool pushed = base_ring_push(answers->outbox, &event);
    BASE_ASSERT(pushed);
    answers->pushed++;
}

bool world_events_tell(struct world_answers *answers)
{
    return atomic_exchange(&answers->told, answers->pushed) != answers->pushed;
}

uint32_t world_events_waiting(const struct world_answers *answers, enum world_event_kind kind)
{
    return atomic_load(&answers->waiting[kind]);
}

void world_admit(struct world_answers *answers, size_t bytes)
{
    answers->admitted++;
    answers->admitted_bytes += bytes;
}

uint32_t world_admitted(const struct world_answers *answers, size_t *bytes)
{
    *bytes = answers->admitted_bytes;
    return answers->admitted;
}

struct world_event *world_take(struct world *world)
{
    struct world_answers *answers = world->answers;
    struct world_event *event;
    while (answers->taken != atomic_load(&answers->told) && base_ring_pop(answers->outbox, &event)) {
        answers->taken++;
        atomic_fetch_sub(&answers->waiting[event->kind], 1);
        switch (event->kind) {
        case WORLD_REPLY:
        case WORLD_FAULT:
            BASE_ASSERT(answers->admitted > 0);
            answers->admitted--;
            answers->admitted_bytes -= event->request_bytes;
            return event;
        case WORLD_DELETED:
            // Requests that were on their way are still to be answered, so this event is held as the last.
            answers->farewell = event;
            break;
        case WORLD_PUBLICATION:
        case WORLD_LOSSLESS:
        case WORLD_RECORDS:
        case WORLD_LACK:
        case WORLD_NOTICE:
        case WORLD_PRESENT:
            return event;
        }
    }
    event = answers->admitted == 0 ? answers->farewell : NULL;
    if (event) {
        answers->farewell = NULL;
        answers->ended = true;
    }
    return event;
}

bool world_ended(const struct world *world)
{
    return world->answers->ended;
}

struct base_buffer *world_share_bytes(const struct protocol_bytes *bytes, struct base_budget *budget)
{
    if (bytes->failed) {
        return NULL;
    }
    struct base_buffer *buffer = base_buffer_create(bytes->size, budget);
    if (buffer && bytes->size > 0) {
        memcpy(buffer->data, bytes->data, bytes->size);
    }
    return buffer;
}

// ---------------------------------------------------------------------------------------------------------
// Notices

static void notice_push(struct world *world, struct world_event *event, const char *method, bool lost)
{
    if (lost) {
        base_log(BASE_LOG_ERROR, "world %u: no memory for %s", world->id, method);
    }
    if (!event) {
        event = world->answers->spare;
        world->answers->spare = NULL;
        world->answers->notice_lost = !event;
    }
    if (event) {
        // Each reader gets one of the modes. Charging all modes together is never too little.
        for (int mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
            world->answers->readers.left -= event->bytes[mode] ? (int64_t)event->bytes[mode]->size : 0;
        }
        event->lost = lost || world->answers->notice_lost;
        world->answers->notice_lost = false;
        world_push(world, event);
    }
    if (!world->answers->spare) {
        world->answers->spare = world_event_create(WORLD_NOTICE);
    }
}

static void notice_send(struct world *world, const char *method, const struct protocol_struct *type,
                        const void *notice)
{
    if (world_people_count(world->people) == 0) {
        return;
    }
    struct world_event *event = world_event_create(WORLD_NOTICE);
    bool lost = !event;
    if (event) {
        event->unbound = true;
    }
    for (int mode = 0; event && mode < WORLD_ARRAYS_MODES; mode++) {
        if (!world_people_use(world->people, (enum protocol_arrays_mode)mode)) {
            continue;
        }
        struct protocol_bytes *bytes = &world->scratch[0];
        msgpack_packer packer;
        protocol_bytes_clear(bytes);
        msgpack_packer_init(&packer, bytes, protocol_bytes_write);
        protocol_pack_notification(&packer, method);
        protocol_encode(type, notice, (enum protocol_arrays_mode)mode, &packer);
        event->bytes[mode] = world_share_bytes(bytes, NULL);
        lost = lost || !event->bytes[mode];
    }
    notice_push(world, event, method, lost);
}

void world_notice_changed(struct world *world, int state, const struct world_asker *asker)
{
    const char *read_only = world_read_only(world);
    const bool failed = state == PROTOCOL_WORLD_CHANGED_NOTICE_STATE_FAILED;
    const struct protocol_world_changed_notice notice = {
        .has = PROTOCOL_HAS_ALL &
               ~(PROTOCOL_HAS_WORLD_CHANGED_NOTICE_SERVER | PROTOCOL_HAS_WORLD_CHANGED_NOTICE_ADDRESS |
                 PROTOCOL_HAS_WORLD_CHANGED_NOTICE_WEB),
        .world = world->id,
        .state = state,
        .rate = world_rate(world->time),
        .tick = world->document->tick,
        .reason = protocol_text(failed ? world->document->reason : ""),
        .user = protocol_text(asker ? asker->user : ""),
        .session = asker ? asker->session : 0,
        .read_only = protocol_text(read_only ? read_only : ""),
        .view_of = world_view_of(world->time),
        .slowed = world_is_slowed(world->time),
        .hold = world_holding_of(world->time)->allowed,
        .held_by = world_holding_of(world->time)->by,
    };
    notice_send(world, "world.changed", &protocol_world_changed_notice_type, &notice);
}

void world_notice_warned(struct world *world, struct protocol_list warnings)
{
    const struct protocol_world_warned_notice notice = {
        .has = PROTOCOL_HAS_ALL, .world = world->id, .tick = world->document->tick, .warnings = warnings};
    notice_send(world, "world.warned", &protocol_world_warned_notice_type, &notice);
}

static void notice_tear(struct world *world, uint32_t body, const struct sim_tear_tick *tick)
{
    struct sim_tears tears;
    const bool found = sim_body_tears(world->document->sim, body, &tears);
    BASE_ASSERT(found);
    const uint32_t cuts = tears.cut_count - tick->first_cut, corners = 3 * tick->triangle_count;
    uint32_t *memory = malloc(((size_t)corners + 2 * (size_t)cuts + 1) * sizeof *memory);
    for (uint32_t i = 0; memory && i < corners; i++) {
        memory[i] = tears.triangles[3 * (size_t)tick->triangles[i / 3] + i % 3];
    }
    for (uint32_t c = 0; memory && c < cuts; c++) {
        sim_tear_edge(world->document->sim, body, tears.cuts[tick->first_cut + c],
                      memory + corners + 2 * (size_t)c);
    }
    const struct protocol_body_tear_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .tick = world->document->tick,
        .body = body,
        .first = tears.own + tick->first_used,
        .origins = {PROTOCOL_ARRAY_U32, tears.used - tick->first_used, tears.origins + tick->first_used},
        .changed = {PROTOCOL_ARRAY_U32, tick->triangle_count, tick->triangles},
        .corners = {PROTOCOL_ARRAY_U32, corners, memory},
        .edges = {PROTOCOL_ARRAY_U32, 2 * cuts, memory + corners},
    };
    if (memory) { // without it, clients see the tear in body.get and by elements_hash of frames
        notice_send(world, "body.tear", &protocol_body_tear_notice_type, &notice);
    }
    free(memory);
}

void world_notice_tears(struct world *world)
{
    const struct sim *sim = world->document->sim;
    for (uint32_t b = 0; sim_tore(sim) && b < sim_body_count(sim); b++) {
        struct sim_tear_tick tick;
        const uint32_t body = sim_body_id_at(sim, b);
        if (sim_body_tore(sim, body, &tick)) {
            notice_tear(world, body, &tick);
        }
    }
}

void world_notice_person(struct world *world, const struct world_asker *asker)
{
    const struct protocol_world_person_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .session = asker->session,
        .user = protocol_text(asker->user),
        .client = protocol_text(asker->client),
    };
    notice_send(world, "world.person", &protocol_world_person_notice_type, &notice);
}

// ---------------------------------------------------------------------------------------------------------
// world.edited

static struct protocol_raw raw_of(const struct protocol_bytes *bytes)
{
    return (struct protocol_raw){.data = bytes->data, .size = bytes->size};
}

static struct base_buffer *edited_pack(struct world_call *call, const struct document_edit *edit,
                                       enum protocol_arrays_mode mode)
{
    struct world *world = call->world;
    const struct world_request *request = call->request;
    const struct protocol_method_info *method = &protocol_methods[request->method];
    const size_t limit = PROTOCOL_LIMIT_EDITED_ARRAY_BYTES;
    struct protocol_bytes *whole = &world->scratch[0], *params = &world->scratch[1],
                          *answer = &world->scratch[2], *names = &world->scratch[3],
                          *list = &world->scratch[4];
    msgpack_packer params_packer, answer_packer, names_packer, packer;
    for (uint32_t i = 0; i < sizeof world->scratch / sizeof world->scratch[0]; i++) {
        protocol_bytes_clear(&world->scratch[i]);
    }
    msgpack_packer_init(&params_packer, params, protocol_bytes_write);
    msgpack_packer_init(&answer_packer, answer, protocol_bytes_write);
    msgpack_packer_init(&names_packer, names, protocol_bytes_write);
    uint32_t omitted =
        protocol_encode_bounded(method->params, edit->resolved, mode, limit, &params_packer, &names_packer);
    omitted +=
        protocol_encode_bounded(method->result, edit->result, mode, limit, &answer_packer, &names_packer);

    msgpack_packer_init(&packer, list, protocol_bytes_write);
    msgpack_pack_array(&packer, omitted);
    if (names->size > 0) { // elements without a head
        protocol_bytes_write(list, (const char *)names->data, names->size);
    }
    if (params->failed || answer->failed || names->failed || list->failed) {
        return NULL;
    }
    const struct protocol_edit_undo_params *again = edit->resolved; // also for edit.redo
    struct protocol_world_edited_notice notice = {
        .has = PROTOCOL_HAS_ALL,
        .world = world->id,
        .revision = world->document->revision,
        .tick = world->document->tick,
        .user = protocol_text(request->asker.user),
        .session = request->asker.session,
        .method = protocol_text(method->name),
        .params = raw_of(params),
        .result = raw_of(answer),
        .omitted = raw_of(list),
        .undo_of = request->method == PROTOCOL_METHOD_EDIT_UNDO ? again->revision : 0,
        .redo_of = request->method == PROTOCOL_METHOD_EDIT_REDO ? again->revision : 0,
        .gesture = edit->gesture,
    };
    msgpack_packer_init(&packer, whole, protocol_bytes_write);
    protocol_pack_notification(&packer, "world.edited");
    protocol_encode(&protocol_world_edited_notice_type, &notice, mode, &packer);
    return world_share_bytes(whole, NULL);
}

// Readers of world.edited may know the world by another name than the editor used, so the id replaces it.
static void world_ref_resolve(const struct world_call *call, const struct document_edit *edit)
{
    const struct protocol_struct *type = protocol_methods[call->request->method].params;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].type == PROTOCOL_TYPE_REF && strcmp(type->fields[i].name, "world") == 0) {
            struct protocol_ref *ref = (void *)((uint8_t *)edit->resolved + type->fields[i].offset);
            *ref = (struct protocol_ref){.id = call->world->id};
        }
    }
}

void world_notice_edited(struct world_call *call, const struct document_edit *edit)
{
    struct world *world = call->world;
    if (world_people_count(world->people) == 0) {
        return;
    }
    world_ref_resolve(call, edit);
    struct world_event *event = world_event_create(WORLD_NOTICE);
    bool lost = !event;
    for (int mode = 0; event && mode < WORLD_ARRAYS_MODES; mode++) {
        if (world_people_use(world->people, (enum protocol_arrays_mode)mode)) {
            event->bytes[mode] = edited_pack(call, edit, (enum protocol_arrays_mode)mode);
            lost = lost || !event->bytes[mode];
        }
    }
    if (event) {
        event->revision = world->document->revision;
    }
    notice_push(world, event, "world.edited", lost);
}

const char *world_read_only(const struct world *world)
{
    return world_view_of(world->time) != 0 ? world_view_read_only(world->time)
                                           : world_journal_read_only(world->keep);
}

// ---------------------------------------------------------------------------------------------------------
// Bytes that readers can take

// A second's worth of bytes comes in a second, and at most two at once. One request may overdraw it.
void world_readers_refill(struct world_answers *answers, uint64_t now_ns)
{
    struct world_readers *readers = &answers->readers;
    const int64_t most = 2 * (int64_t)PROTOCOL_LIMIT_EDITED_BYTES_PER_SECOND;
    const uint64_t second_ns = UINT64_C(1000000000);
    uint64_t passed_ns = now_ns > readers->filled_ns ? now_ns - readers->filled_ns : 0;
    if (readers->filled_ns == 0 || passed_ns > 1000 * second_ns) {
        *readers = (struct world_readers){.left = most, .filled_ns = now_ns};
        return;
    }
    uint64_t bytes = passed_ns * (uint64_t)PROTOCOL_LIMIT_EDITED_BYTES_PER_SECOND / second_ns;
    if (bytes == 0) {
        return; // the time counts later, when it is worth a byte
    }
    readers->left = readers->left + (int64_t)bytes < most ? readers->left + (int64_t)bytes : most;
    readers->filled_ns = now_ns;
}

bool world_readers_full(const struct world *world)
{
    return world_people_count(world->people) > 0 && world->answers->readers.left <= 0;
}
