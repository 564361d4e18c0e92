// world.branch: a worker makes a document of a moment of the past, the loop a world of that.
//
// Parameters that are to have been others can only be read once it is known which method they are of, so they are taken from
// the message as it was unpacked, against the table of the method of the record that has the revision.
#include "base/buffer.h"
#include "base/log.h"
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "dispatch/permit/permit.h"
#include "document/document.h"
#include "host/lease.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "past/past.h"
#include "protocol/array.h"
#include "protocol/error.h"
#include "protocol/message.h"
#include "protocol/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSALS_MAX = 1024 };

struct branching {
    struct host_present_wait wait; // first: the branch is of what the world is
    struct base_buffer *present;   // its image; NULL: the branch is made of what the store has
    struct dispatch_later *later;
    const struct protocol_world_branch_params *params;
    uint32_t world, made;
    char name[HOST_NAME_SIZE];   // of the one that was made
    struct past_change *changes; // without, then instead
    uint32_t change_count;
    struct document *document;
    struct host_image image; // of it
    struct past_refusal *refusals;
    uint32_t refusal_count;
    struct protocol_error error;
    uint64_t tick, revision;
};

static bool no_memory(struct protocol_error *error)
{
    protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a branch");
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// Changes

static const msgpack_object *value_of(const msgpack_object *map, const char *name)
{
    const size_t size = strlen(name);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *key = &map->via.map.ptr[i].key;
        if (key->type == MSGPACK_OBJECT_STR && key->via.str.size == size &&
            memcmp(key->via.str.ptr, name, size) == 0) {
            return &map->via.map.ptr[i].val;
        }
    }
    return NULL;
}

// Returns the parameters of the n-th entry of `instead`, which the decoder has seen to be there.
static const msgpack_object *params_object(const struct branching *branching, uint32_t n)
{
    struct protocol_error unused;
    const msgpack_object *map = NULL;
    if (!protocol_message_fields(branching->later->packet->message.params, &map, &unused) || !map) {
        return NULL;
    }
    const msgpack_object *list = value_of(map, "instead");
    return list ? value_of(&list->via.array.ptr[n], "params") : NULL;
}

// Names the entry of `instead` in an error of its parameters.
static bool refuse_params(struct protocol_error *error, uint32_t n, enum protocol_method method)
{
    char text[PROTOCOL_TEXT_MAX];
    snprintf(text, sizeof text, "%s", error->text);
    const enum protocol_code code = error->code;
    protocol_error_set(error, code, "instead", "instead[%" PRIu32 "].params (%s): %.400s", n,
                       protocol_methods[method].name, text);
    return false;
}

// The method of the edit that gave the world this revision.
static bool method_of(struct branching *branching, struct store_reader *reader, const struct store_list *list,
                      uint64_t revision, enum protocol_method *method)
{
    struct protocol_error *error = &branching->error;
    struct dispatch_past_record_head head;
    const struct store_entry *entry;
    uint64_t after;
    if (!dispatch_past_walk_find(reader, list, true, revision - 1, branching->later, &after, error)) {
        return false;
    }
    struct dispatch_past_walk walk = dispatch_past_walk_from(reader, list->list, after, branching->later);
    while (dispatch_past_walk_next(&walk, &entry, error)) {
        if (!dispatch_past_record_head(entry, &head, error)) {
            return false;
        }
        if (head.revision < revision) {
            continue;
        }
        struct document_record record;
        if (head.revision > revision) {
            break;
        }
        if (!document_record_read(entry->bytes, entry->size, &branching->later->packet->zone, &record,
                                  error)) {
            error->code = PROTOCOL_CODE_INTERNAL;
            return false;
        }
        // A branch begins with a revision that none of its records gave: what comes before its first edit has that.
        if (protocol_methods[record.method].class_ != PROTOCOL_CLASS_EDIT) {
            continue;
        }
        *method = record.method;
        return true;
    }
    if (error->code == PROTOCOL_CODE_OK) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "instead",
                           "instead: no edit gave revision %" PRIu64
                           " in the past that is kept; edit.log lists them",
                           revision);
    }
    return false;
}

static bool read_params(struct branching *branching, uint32_t n, enum protocol_method method,
                        const void **out)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    const msgpack_object *map = params_object(branching, n);
    msgpack_zone *zone = &branching->later->packet->zone;
    void *params = msgpack_zone_malloc(zone, type->size);
    *out = params;
    if (!params) {
        return no_memory(&branching->error);
    }
    if (!map || map->type != MSGPACK_OBJECT_MAP) {
        protocol_error_set(&branching->error, PROTOCOL_CODE_INVALID, "instead",
                           "instead[%" PRIu32 "].params: must be a map, the parameters of %s", n,
                           protocol_methods[method].name);
        return false;
    }
    return protocol_decode_without(type, "world", map, zone, params, &branching->error) ||
           refuse_params(&branching->error, n, method);
}

static bool read_changes(struct branching *branching, struct store_reader *reader,
                         const struct store_list *list)
{
    const struct protocol_world_branch_params *params = branching->params;
    const struct protocol_branch_change *instead = params->instead.items;
    branching->change_count = params->without.count + params->instead.count;
    branching->changes = calloc((size_t)branching->change_count + 1, sizeof *branching->changes);
    if (!branching->changes) {
        return no_memory(&branching->error);
    }
    struct past_change *change = branching->changes;
    for (uint32_t i = 0; i < params->without.count; i++, change++) {
        change->revision = (uint64_t)protocol_array_f64_at(&params->without, i);
    }
    for (uint32_t i = 0; i < params->instead.count; i++, change++) {
        enum protocol_method method;
        change->revision = instead[i].revision;
        if (!method_of(branching, reader, list, instead[i].revision, &method) ||
            !read_params(branching, i, method, &change->params)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------
// On a worker

static bool goes_on(void *context, uint64_t tick, uint64_t until)
{
    const struct branching *branching = context;
    (void)tick, (void)until;
    return !dispatch_later_stopped(branching->later);
}

// Names the parameter that gave the revision in an error about a revision.
static bool name_field(struct branching *branching)
{
    struct protocol_error *error = &branching->error;
    if (strcmp(error->field, "revision") == 0) {
        snprintf(error->field, sizeof error->field, "%s",
                 branching->params->without.count > 0 ? "without" : "instead");
    }
    return false;
}

static bool make(struct branching *branching, struct past *past, uint64_t tick)
{
    const struct past_progress progress = {.go_on = goes_on, .context = branching};
    bool exact = true;
    if (branching->change_count > 0) {
        return past_branch(past, tick, branching->changes, branching->change_count, &progress,
                           &branching->document, &branching->refusals, REFUSALS_MAX,
                           &branching->refusal_count, &branching->error) ||
               name_field(branching);
    }
    if (!past_seek(past, tick, &progress, &branching->document, &exact, &branching->error)) {
        return false;
    }
    if (!exact && branching->document->tick != tick) {
        protocol_error_set(&branching->error, PROTOCOL_CODE_NOT_FOUND, "tick",
                           "tick: %" PRIu64 " lies where another solver ran; tick %" PRIu64
                           " is the last before it that is known",
                           tick, branching->document->tick);
        return false;
    }
    return true;
}

// No tick is run again for it: the image is of the world that lives.
static bool make_present(struct branching *branching)
{
    struct protocol_error error = {0};
    branching->document = document_image_read(branching->present->data, branching->present->size, &error);
    if (!branching->document) {
        protocol_error_set(&branching->error,
                           error.code == PROTOCOL_CODE_MEMORY ? error.code : PROTOCOL_CODE_INTERNAL, NULL,
                           "the image of the world cannot be read: %.180s", error.text);
    }
    return branching->document != NULL;
}

// There are no numbers to go on with.
static bool has_numbers(struct branching *branching)
{
    const struct document *document = branching->document;
    if (!document->failed) {
        return true;
    }
    protocol_error_set(&branching->error, PROTOCOL_CODE_CONFLICT, "tick",
                       "tick: the world has failed at tick %" PRIu64
                       " (%.160s); branch from before, or from after a reset",
                       document->tick, document->reason);
    return false;
}

static void make_image(struct branching *branching)
{
    branching->document->name[0] = '\0'; // it is another world's
    branching->image = host_image_of(branching->document);
}

static void work(void *context)
{
    struct branching *branching = context;
    if (branching->present) {
        if (make_present(branching)) {
            make_image(branching);
        }
        return;
    }
    const struct protocol_world_branch_params *params = branching->params;
    struct store_list list;
    struct store_error told = {0};
    struct store_reader *reader = NULL;
    struct past *past = NULL;
    if (dispatch_past_reader(branching->later->server, &reader, &branching->error) &&
        dispatch_past_check(store_list_find(reader, branching->world, &list, &told), &told,
                            &branching->error) &&
        read_changes(branching, reader, &list) &&
        (past = past_open(reader, branching->world, &branching->error))) {
        const bool given = (params->has & PROTOCOL_HAS_WORLD_BRANCH_PARAMS_TICK) != 0;
        if (make(branching, past, given ? params->tick : list.last_tick) && has_numbers(branching)) {
            make_image(branching);
        }
    }
    past_close(past);
    store_reader_close(reader);
}

// ---------------------------------------------------------------------------------------------------------
// On the loop

static void answer(struct branching *branching)
{
    struct dispatch_later *later = branching->later;
    const uint32_t count = branching->refusal_count < REFUSALS_MAX ? branching->refusal_count : REFUSALS_MAX;
    struct protocol_branch_refusal *refused =
        msgpack_zone_malloc(&later->packet->zone, ((size_t)count + 1) * sizeof *refused);
    for (uint32_t i = 0; refused && i < count; i++) {
        const struct past_refusal *one = &branching->refusals[i];
        refused[i] = (struct protocol_branch_refusal){
            .has = PROTOCOL_HAS_ALL,
            .revision = one->revision,
            .method = protocol_text(protocol_methods[one->method].name),
            .code = protocol_text(protocol_codes[one->error.code].name),
            .text = protocol_text(one->error.text),
        };
    }
    dispatch_later_answer(later, &(struct protocol_world_branch_result){
                                     .has = PROTOCOL_HAS_ALL,
                                     .world = branching->made,
                                     .name = protocol_text(branching->name),
                                     .tick = branching->tick,
                                     .revision = branching->revision,
                                     .refused = {.items = refused, .count = refused ? count : 0},
                                 });
}

static void branching_destroy(const struct dispatch_server *server, struct branching *branching)
{
    dispatch_past_discard(server, branching->document);
    base_buffer_unref(branching->image.bytes);
    base_buffer_unref(branching->present);
    free(branching->refusals);
    free(branching->changes);
    free(branching);
}

static void on_moved(void *context, const struct protocol_error *error)
{
    struct branching *branching = context;
    const struct dispatch_server *server = branching->later->server;
    (void)error; // then it stays here, which is told in the log
    answer(branching);
    branching_destroy(server, branching);
}

// Whether the branch is made here, because its past is, and then moved to a server with clearly less to do. It stays if the
// session would have to leave other worlds for it.
static bool goes_elsewhere(struct branching *branching, const struct host_world *world)
{
    const struct dispatch_server *server = branching->later->server;
    struct host_session *session = dispatch_later_session(branching->later);
    struct protocol_error error = {0};
    struct cluster_server to;
    if (!server->lease || !session || server->stopping ||
        (host_session_follows(session) && !host_session_is_free(session)) ||
        !cluster_lightest(host_lease_cluster(server->lease), false, &to) || to.here ||
        !host_lease_may_move(server->lease, host_world_id(world), &to, &error)) {
        return false;
    }
    host_lease_move(server->lease, host_world_id(world), &to, on_moved, branching);
    return true;
}

static void on_kept(void *context, const struct host_world *world, bool taken)
{
    struct branching *branching = context;
    const struct dispatch_server *server = branching->later->server;
    if (!world) {
        dispatch_permit_not_kept(server, taken, &branching->error);
        dispatch_later_refuse(branching->later, &branching->error);
    } else {
        branching->made = host_world_id(world);
        snprintf(branching->name, sizeof branching->name, "%s", host_world_name(world));
        if (goes_elsewhere(branching, world)) {
            return;
        }
        answer(branching);
    }
    branching_destroy(server, branching);
}

static void done(void *context, bool worked)
{
    struct branching *branching = context;
    struct dispatch_later *later = branching->later;
    const bool named = (branching->params->has & PROTOCOL_HAS_WORLD_BRANCH_PARAMS_NAME) != 0;
    struct protocol_error *error = &branching->error;
    struct host_world *world = NULL;
    if (later->server->stopping) {
        protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
    } else if (worked && error->code == PROTOCOL_CODE_OK && dispatch_later_session(later) &&
               dispatch_permit_room_whole(later, later->asker.user, branching->document, error)) {
        branching->tick = branching->document->tick;
        branching->revision = branching->document->revision;
        world = host_registry_open(later->server->registry, branching->document, &branching->image,
                                   named ? &branching->params->name : NULL, error);
    }
    if (!world) {
        const struct dispatch_server *server = later->server;
        dispatch_later_refuse(later, error);
        branching_destroy(server, branching);
        return;
    }
    base_log(BASE_LOG_INFO,
             "world %" PRIu32 " \"%s\" is branched from world %" PRIu32 " at tick %" PRIu64 " by %s",
             host_world_id(world), host_world_name(world), branching->world, branching->tick,
             later->asker.user);
    dispatch_permit_made(later, world);
    host_registry_when_kept(world, on_kept, branching);
}

// Without an image the store says what there was last, or why there is no branch of it.
static void on_present(struct host_present_wait *wait, struct base_buffer *bytes)
{
    struct branching *branching = (struct branching *)wait;
    struct dispatch_later *later = branching->later;
    branching->present = bytes;
    if (later->server->stopping) {
        done(branching, false);
    } else {
        dispatch_later_work(later, HOST_HEAVY, work, done, branching);
    }
}

static bool few_enough(const struct protocol_world_branch_params *params, struct protocol_error *error)
{
    const uint64_t count = (uint64_t)params->without.count + params->instead.count;
    if (count <= PROTOCOL_LIMIT_BRANCH_CHANGES) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_LIMIT, "without",
                       "without and instead name %" PRIu64 " edits; at most %d (limit branch_changes)", count,
                       (int)PROTOCOL_LIMIT_BRANCH_CHANGES);
    error->limit = (double)PROTOCOL_LIMIT_BRANCH_CHANGES;
    return false;
}

bool dispatch_world_branch(struct dispatch_call *call)
{
    const struct protocol_world_branch_params *params = call->params;
    struct host_world *world = dispatch_past_of(call, &params->world);
    if (!world || !few_enough(params, call->error)) {
        return false;
    }
    struct branching *branching = calloc(1, sizeof *branching);
    if (!branching) {
        return no_memory(call->error);
    }
    branching->params = params;
    branching->world = host_world_id(world);
    branching->later = dispatch_later_begin(call, false);
    if (!branching->later) {
        free(branching);
        return false;
    }
    if ((params->has & PROTOCOL_HAS_WORLD_BRANCH_PARAMS_TICK) == 0 && params->without.count == 0 &&
        params->instead.count == 0) {
        branching->wait.on_present = on_present;
        host_registry_when_present(world, &branching->wait);
    } else {
        dispatch_later_work(branching->later, HOST_HEAVY, work, done, branching);
    }
    return true;
}
