#include "dispatch/past/look.h"

#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/permit/permit.h"
#include "dispatch/route/route.h"
#include "document/document.h"
#include "host/registry.h"
#include "host/session.h"
#include "host/world.h"
#include "net/net.h"
#include "past/past.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stddef.h>

enum {
    PAGE_ENTRIES = 512,
    PAGE_BYTES = 1 << 20,
    NEAR = 2048, // entries that are rather walked through than looked for
};

// ---------------------------------------------------------------------------------------------------------
// Whose past

struct host_world *dispatch_past_of(struct dispatch_call *call, const struct protocol_ref *ref)
{
    const struct host_registry *registry = call->server->registry;
    struct host_world *world =
        dispatch_permit_find(call->server, call->session, call->method, ref, call->error);
    if (!world || !dispatch_permit_use(world, call->session, call->error)) {
        return NULL;
    }
    if (host_world_is_view(world)) {
        const struct protocol_ref of = {.id = host_world_shown(world)};
        world = host_registry_find(registry, &of);
        if (!world) {
            dispatch_route_no_world(call->error, &of);
            return NULL;
        }
    }
    if (!host_registry_store(registry)) {
        protocol_error_set(call->error, PROTOCOL_CODE_NOT_FOUND, NULL,
                           "this server keeps no past of its worlds");
        return NULL;
    }
    return world;
}

struct host_world *dispatch_past_still(const struct dispatch_server *server, uint32_t world,
                                       struct protocol_error *error)
{
    const struct protocol_ref ref = {.id = world};
    struct host_world *found = host_registry_find(server->registry, &ref);
    if (server->stopping) {
        protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        return NULL;
    }
    if (!found) {
        dispatch_route_no_world(error, &ref);
    }
    return found;
}

static void work_destroy(void *context)
{
    document_destroy(context);
}

static void on_destroyed(void *context)
{
    (void)context;
}

void dispatch_past_discard(const struct dispatch_server *server, struct document *document)
{
    if (document && !net_work(server->loop, work_destroy, on_destroyed, document)) {
        document_destroy(document);
    }
}

// ---------------------------------------------------------------------------------------------------------
// The store

bool dispatch_past_check(enum fault_code status, const struct store_error *told, struct protocol_error *error)
{
    switch (status) {
    case FAULT_NONE:
        return true;
    case FAULT_NOT_FOUND:
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, NULL, "nothing is kept of this yet: %s",
                           told->fault.text);
        return false;
    case FAULT_MEMORY:
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory to read the past");
        return false;
    default:
        protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL, "the past cannot be read: %s",
                           told->fault.text);
        return false;
    }
}

bool dispatch_past_reader(const struct dispatch_server *server, struct store_reader **out,
                          struct protocol_error *error)
{
    struct store_error told = {.fault.code = FAULT_MEMORY};
    *out = store_reader_open(host_registry_store(server->registry), &told);
    return *out || dispatch_past_check(told.fault.code, &told, error);
}

// ---------------------------------------------------------------------------------------------------------
// Walking

struct dispatch_past_walk dispatch_past_walk_from(struct store_reader *reader, uint32_t list, uint64_t after,
                                                  const struct dispatch_later *later)
{
    return (struct dispatch_past_walk){
        .reader = reader, .list = list, .after = after, .page_max = PAGE_ENTRIES, .later = later};
}

static bool page(struct dispatch_past_walk *walk, struct protocol_error *error)
{
    struct store_error told = {0};
    if (dispatch_later_stopped(walk->later)) {
        protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "nobody waits for it any more");
        return false;
    }
    walk->next = walk->count = 0;
    const enum fault_code status = store_read(walk->reader, walk->list, walk->after, walk->page_max,
                                              PAGE_BYTES, &walk->entries, &walk->count, &told);
    return dispatch_past_check(status, &told, error);
}

bool dispatch_past_walk_next(struct dispatch_past_walk *walk, const struct store_entry **entry,
                             struct protocol_error *error)
{
    for (*entry = NULL;;) {
        if (walk->next == walk->count && (!page(walk, error) || walk->count == 0)) {
            return false;
        }
        const struct store_entry *at = &walk->entries[walk->next++];
        walk->after = at->position;
        if (at->kind == PAST_RECORD) {
            *entry = at;
            return true;
        }
    }
}

static bool take_number(const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    if (*at == end) {
        return false;
    }
    const uint8_t tag = *(*at)++;
    size_t size = 0;
    if (tag < 0x80) {
        *out = tag;
        return true;
    }
    if (tag >= 0xcc && tag <= 0xcf) {
        size = (size_t)1 << (tag - 0xcc);
    }
    if (size == 0 || (size_t)(end - *at) < size) {
        return false;
    }
    *out = 0;
    for (size_t i = 0; i < size; i++) {
        *out = *out << 8 | *(*at)++;
    }
    return true;
}

// A list of ten or eleven that begins with these.
bool dispatch_past_record_head(const struct store_entry *entry, struct dispatch_past_record_head *out,
                               struct protocol_error *error)
{
    const uint8_t *at = entry->bytes, *end = at + entry->size;
    const uint8_t head = at != end ? *at++ : 0;
    if ((head == 0x9a || head == 0x9b) && take_number(&at, end, &out->sequence) &&
        take_number(&at, end, &out->tick) && take_number(&at, end, &out->revision)) {
        return true;
    }
    protocol_error_set(error, PROTOCOL_CODE_INTERNAL, NULL, "entry %" PRIu64 " is no record",
                       entry->position);
    return false;
}

bool dispatch_past_walk_first(struct store_reader *reader, const struct store_list *list,
                              const struct dispatch_later *later, uint64_t *sequence,
                              struct protocol_error *error)
{
    struct dispatch_past_walk walk = dispatch_past_walk_from(reader, list->list, list->first, later);
    struct dispatch_past_record_head head = {0};
    const struct store_entry *entry;
    *sequence = 0;
    if (!dispatch_past_walk_next(&walk, &entry, error)) {
        return error->code == PROTOCOL_CODE_OK;
    }
    const bool read = dispatch_past_record_head(entry, &head, error);
    *sequence = head.sequence;
    return read;
}

// Numbers of records only grow, and are no greater than the position: `low` is always before the record that is looked for.
bool dispatch_past_walk_find(struct store_reader *reader, const struct store_list *list, bool by_revision,
                             uint64_t number, const struct dispatch_later *later, uint64_t *out,
                             struct protocol_error *error)
{
    uint64_t low = number > list->first && number < list->last ? number : list->first, high = list->last;
    if (by_revision) {
        low = list->first; // a branch begins with more revisions than it has records
    }
    while (high - low > NEAR) {
        const uint64_t middle = low + (high - low) / 2;
        struct dispatch_past_walk walk = dispatch_past_walk_from(reader, list->list, middle, later);
        struct dispatch_past_record_head head = {0};
        const struct store_entry *entry;
        walk.page_max = 16;
        const bool found = dispatch_past_walk_next(&walk, &entry, error);
        if (!found && error->code != PROTOCOL_CODE_OK) {
            return false;
        }
        if (found && !dispatch_past_record_head(entry, &head, error)) {
            return false;
        }
        const uint64_t has = by_revision ? head.revision : head.sequence;
        if (found && has <= number) {
            low = entry->position;
        } else {
            high = middle;
        }
    }
    *out = low;
    return true;
}
