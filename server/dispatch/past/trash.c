// world.bin and world.restore: worlds that were deleted, until they are gone for good.
#include "access/access.h"
#include "base/clock.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "dispatch/permit/permit.h"
#include "document/document.h"
#include "host/names.h"
#include "host/registry.h"
#include "host/world.h"
#include "past/past.h"
#include "protocol/bytes.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------
// world.bin

struct listing {
    struct dispatch_later *later;
    struct store_list *lists;
    uint32_t count;
    struct protocol_error error;
};

static void list_work(void *context)
{
    struct listing *listing = context;
    struct store_reader *reader = NULL;
    struct store_error told = {0};
    // Without brokers it is known here as it was when they were last heard.
    (void)store_fetch_bin(host_registry_store(listing->later->server->registry), &told);
    told = (struct store_error){0};
    if (!dispatch_past_reader(listing->later->server, &reader, &listing->error)) {
        return;
    }
    (void)dispatch_past_check(store_lists(reader, &listing->lists, &listing->count, &told), &told,
                              &listing->error);
    store_reader_close(reader);
}

static void list_answer(struct listing *listing)
{
    struct dispatch_later *later = listing->later;
    const struct host_session *session = dispatch_later_session(later);
    const uint64_t bin_seconds = host_registry_bin_seconds(later->server->registry);
    const uint64_t now_s = base_wall_us() / 1000000;
    struct protocol_bin_world *worlds =
        msgpack_zone_malloc(&later->packet->zone, ((size_t)listing->count + 1) * sizeof *worlds);
    uint32_t count = 0;
    for (uint32_t i = 0; worlds && i < listing->count; i++) {
        const struct store_list *list = &listing->lists[i];
        if (!list->binned || !session ||
            dispatch_permit_role(later->server, session, list->list) == PROTOCOL_ROLE_ANYONE) {
            continue;
        }
        worlds[count++] = (struct protocol_bin_world){
            .has = PROTOCOL_HAS_ALL,
            .world = list->list,
            .name = protocol_text(list->label),
            .tick = list->last_tick,
            .deleted_at = (double)list->binned_at,
            .gone_at = (double)now_s +
                       (bin_seconds > list->binned_for ? (double)(bin_seconds - list->binned_for) : 0),
        };
    }
    if (!worlds) {
        protocol_error_set(&listing->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.bin");
        dispatch_later_refuse(later, &listing->error);
        return;
    }
    dispatch_later_answer(later, &(struct protocol_world_bin_result){
                                     .has = PROTOCOL_HAS_ALL, .worlds = {.items = worlds, .count = count}});
}

static void list_done(void *context, bool worked)
{
    struct listing *listing = context;
    if (!worked) {
        protocol_error_set(&listing->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    }
    if (listing->error.code != PROTOCOL_CODE_OK) {
        dispatch_later_refuse(listing->later, &listing->error);
    } else {
        list_answer(listing);
    }
    free(listing->lists);
    free(listing);
}

bool dispatch_world_bin(struct dispatch_call *call)
{
    if (!host_registry_store(call->server->registry)) {
        const struct protocol_world_bin_result none = {.has = PROTOCOL_HAS_ALL};
        protocol_encode(&protocol_world_bin_result_type, &none, PROTOCOL_ARRAYS_PLAIN, call->packer);
        return true;
    }
    struct listing *listing = calloc(1, sizeof *listing);
    if (!listing) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.bin");
        return false;
    }
    listing->later = dispatch_later_begin(call, false);
    if (!listing->later) {
        free(listing);
        return false;
    }
    dispatch_later_work(listing->later, HOST_LONG, list_work, list_done, listing);
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// world.restore

struct restoring {
    struct dispatch_later *later;
    const struct protocol_world_restore_params *params;
    struct store_list list;
    struct past_end end;
    struct past_steps steps;
    uint64_t epoch;
    uint64_t tick;
    struct protocol_error error;
};

static bool not_deleted(struct restoring *restoring)
{
    protocol_error_set(&restoring->error, PROTOCOL_CODE_NOT_FOUND, "world",
                       "no deleted world %" PRIu32 "; world.bin lists those that can be had back",
                       restoring->params->world);
    snprintf(restoring->error.value, sizeof restoring->error.value, "%" PRIu32, restoring->params->world);
    return false;
}

static bool find_list(struct restoring *restoring, struct store_reader *reader)
{
    struct store_error told = {0};
    struct protocol_error *error = &restoring->error;
    const enum fault_code status = store_list_find(reader, restoring->params->world, &restoring->list, &told);
    if (status != FAULT_NOT_FOUND && !dispatch_past_check(status, &told, error)) {
        return false;
    }
    if (status == FAULT_NONE) {
        return true;
    }
    return not_deleted(restoring);
}

// Until it was taken over another server may have written it. A deleted world is written by nobody, unless it was had back
// there meanwhile.
static bool unchanged(struct restoring *restoring, struct store_reader *reader)
{
    struct store_error told = {0};
    struct store_list now;
    const enum fault_code status = store_list_find(reader, restoring->list.list, &now, &told);
    if (!dispatch_past_check(status, &told, &restoring->error)) {
        return false;
    }
    return now.last == restoring->end.position || not_deleted(restoring);
}

// Another server may have deleted it, or had it back: what brokers know of that comes here first. What cannot be asked for
// now is missed where it is needed.
static bool follow(struct restoring *restoring, struct store_reader *reader)
{
    struct store *store = host_registry_store(restoring->later->server->registry);
    struct store_error told;
    (void)store_fetch_bin(store, &told);
    if (!find_list(restoring, reader)) {
        return false;
    }
    (void)store_fetch(store, restoring->list.list, &told);
    return true;
}

static void restore_work(void *context)
{
    struct restoring *restoring = context;
    const struct dispatch_server *server = restoring->later->server;
    struct store_reader *reader = NULL;
    struct past *past = NULL;
    struct store_error told = {0};
    if (dispatch_past_reader(server, &reader, &restoring->error) && follow(restoring, reader) &&
        (past = past_open(reader, restoring->list.list, &restoring->error)) &&
        past_end(past, &restoring->end, &restoring->error) &&
        // It may have been deleted a moment ago, and be on its way to the bin.
        (restoring->list.binned || restoring->end.deleted || not_deleted(restoring))) {
        past_steps_read(past, WORLD_STEPS_MAX, PROTOCOL_LIMIT_UNDO_WORLD_BYTES, &restoring->steps);
        restoring->epoch =
            store_take_over(host_registry_store(server->registry), restoring->list.list, &told);
        if (restoring->epoch == 0) {
            dispatch_past_check(told.fault.code != FAULT_NONE ? told.fault.code : FAULT_IO, &told,
                                &restoring->error);
        } else if (!unchanged(restoring, reader)) {
            restoring->epoch = 0;
        }
    }
    past_close(past);
    store_reader_close(reader);
}

// The name that it had, unless it is taken by now.
static void name_for(const struct restoring *restoring, char out[HOST_NAME_SIZE])
{
    const struct protocol_world_restore_params *params = restoring->params;
    const struct host_registry *registry = restoring->later->server->registry;
    const struct protocol_ref had = {.name = protocol_text(restoring->list.label)};
    const bool named = (params->has & PROTOCOL_HAS_WORLD_RESTORE_PARAMS_NAME) != 0;
    if (named) {
        snprintf(out, HOST_NAME_SIZE, "%.*s", (int)params->name.size, params->name.data);
    } else if (had.name.size > 0 && !host_registry_find(registry, &had) &&
               host_name_apart(host_registry_worlds(registry), &had.name, NULL, NULL) &&
               host_name_check_elsewhere(host_registry_worlds(registry), &had.name, restoring->list.list,
                                         NULL)) {
        snprintf(out, HOST_NAME_SIZE, "%s", restoring->list.label);
    } else {
        snprintf(out, HOST_NAME_SIZE, "world-%" PRIu32, restoring->list.list);
    }
}

// A name that it did not have is given to it as by world.set, which its past tells. False with the error set.
static bool rename_to(struct restoring *restoring, const char *name)
{
    struct past_end *end = &restoring->end;
    const struct dispatch_later *later = restoring->later;
    const char *had = end->document->name[0] != '\0' ? end->document->name : restoring->list.label;
    if (strcmp(had, name) == 0) {
        return true;
    }
    const struct protocol_world_set_params params = {
        .has = PROTOCOL_HAS_WORLD_SET_PARAMS_NAME,
        .name = protocol_text(name),
    };
    struct document_edit edit = {
        .method = PROTOCOL_METHOD_WORLD_SET,
        .params = &params,
        .session = later->asker.session,
        .person = later->asker.user,
        .zone = &later->packet->zone,
    };
    if (!document_apply(end->document, &edit)) {
        restoring->error = edit.error;
        return false;
    }
    const struct document_record record = {
        .sequence = end->sequence + 1,
        .tick = end->document->tick,
        .revision = end->document->revision,
        .person = protocol_text(later->asker.user),
        .session = later->asker.session,
        .at_us = base_wall_us(),
        .method = edit.method,
        .params = edit.resolved,
        .result = edit.result,
    };
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    document_record_pack(&record, &packer);
    const bool kept = !bytes.failed && store_append(host_registry_store(later->server->registry),
                                                    restoring->list.list, restoring->epoch,
                                                    &(struct store_entry){
                                                        .position = end->position + 1,
                                                        .tick = record.tick,
                                                        .kind = PAST_RECORD,
                                                        .at = record.at_us / 1000000,
                                                        .bytes = bytes.data,
                                                        .size = bytes.size,
                                                    },
                                                    1);
    protocol_bytes_deinit(&bytes);
    end->position += kept;
    end->sequence += kept;
    if (!kept) {
        protocol_error_set(&restoring->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.restore");
    }
    return kept;
}

static struct host_world *restore(struct restoring *restoring)
{
    struct host_registry *registry = restoring->later->server->registry;
    struct store *store = host_registry_store(registry);
    const uint32_t id = restoring->list.list;
    struct host_world *world = NULL;
    char name[HOST_NAME_SIZE];
    name_for(restoring, name);
    const struct protocol_string given = protocol_text(name);
    if (!host_name_check(host_registry_worlds(registry), &given, NULL, &restoring->error) ||
        (restoring->params->name.size > 0 &&
         !host_name_apart(host_registry_worlds(registry), &given, NULL, &restoring->error))) {
        return NULL;
    }
    if (!store_unbin(store, id)) {
        protocol_error_set(&restoring->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.restore");
        return NULL;
    }
    if (rename_to(restoring, name)) {
        const struct host_restored restored = {
            .id = id,
            .name = name,
            .document = restoring->end.document,
            .kept = {.epoch = restoring->epoch,
                     .position = restoring->end.position,
                     .sequence = restoring->end.sequence,
                     .image_age_s = restoring->end.image_age_s,
                     .exact_solver = restoring->end.exact_solver,
                     .exact_tick = restoring->end.exact_tick,
                     .steps = &restoring->steps},
        };
        restoring->tick = restoring->end.document->tick;
        world = host_registry_restore(registry, &restored, &restoring->error);
        if (world) {
            dispatch_permit_charge(restoring->later->server, world);
        }
    }
    if (!world) {
        (void)store_bin(store, id);
    } else {
        (void)store_label(store, id, name);
    }
    return world;
}

static bool has_room(struct restoring *restoring)
{
    const struct access *book = restoring->later->server->book;
    const char *maker = book ? access_maker(book, restoring->params->world) : NULL;
    return dispatch_permit_room_whole(restoring->later, maker, restoring->end.document, &restoring->error);
}

static void restoring_destroy(const struct dispatch_server *server, struct restoring *restoring)
{
    dispatch_past_discard(server, restoring->end.document);
    past_steps_deinit(&restoring->steps);
    free(restoring);
}

static void on_restored(void *context, const struct host_world *world, bool taken)
{
    struct restoring *restoring = context;
    struct dispatch_later *later = restoring->later;
    const struct dispatch_server *server = later->server;
    if (!world) {
        dispatch_permit_not_kept(server, taken, &restoring->error);
        dispatch_later_refuse(later, &restoring->error);
    } else {
        dispatch_later_answer(
            later, &(struct protocol_world_restore_result){.has = PROTOCOL_HAS_ALL,
                                                           .world = host_world_id(world),
                                                           .name = protocol_text(host_world_name(world)),
                                                           .tick = restoring->tick});
    }
    restoring_destroy(server, restoring);
}

static void restore_done(void *context, bool worked)
{
    struct restoring *restoring = context;
    struct dispatch_later *later = restoring->later;
    const struct dispatch_server *server = later->server;
    struct host_world *world = NULL;
    if (!worked || later->server->stopping) {
        restoring->error = (struct protocol_error){0};
        protocol_error_set(&restoring->error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    } else if (restoring->error.code == PROTOCOL_CODE_OK && has_room(restoring)) {
        world = restore(restoring);
    }
    if (!world) {
        dispatch_later_refuse(later, &restoring->error);
        restoring_destroy(server, restoring);
        return;
    }
    base_log(BASE_LOG_INFO, "world %" PRIu32 " \"%s\" is had back by %s", host_world_id(world),
             host_world_name(world), later->asker.user);
    host_registry_when_kept(world, on_restored, restoring);
}

// One at a time for a world: whoever takes it over is the only one who writes it.
static bool is_restored_already(const struct dispatch_server *server, uint32_t world)
{
    if (host_registry_find_any(server->registry, world)) {
        return true;
    }
    for (const struct dispatch_later *at = server->working; at; at = at->next) {
        if (at->method == PROTOCOL_METHOD_WORLD_RESTORE &&
            ((const struct restoring *)at->context)->params->world == world) {
            return true;
        }
    }
    return false;
}

bool dispatch_world_restore(struct dispatch_call *call)
{
    const struct protocol_world_restore_params *params = call->params;
    if (!host_registry_store(call->server->registry)) {
        protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, "world",
                           "this server keeps no deleted worlds");
        return false;
    }
    if (is_restored_already(call->server, params->world)) {
        protocol_error_set(call->error, PROTOCOL_CODE_CONFLICT, "world",
                           "world %" PRIu32 " is there, or somebody is having it back", params->world);
        return false;
    }
    struct restoring *restoring = calloc(1, sizeof *restoring);
    if (!restoring) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.restore");
        return false;
    }
    restoring->params = params;
    restoring->later = dispatch_later_begin(call, false);
    if (!restoring->later) {
        free(restoring);
        return false;
    }
    dispatch_later_work(restoring->later, HOST_HEAVY, restore_work, restore_done, restoring);
    return true;
}
