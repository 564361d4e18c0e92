// world.records of what the world's memory has forgotten: a page of them, whole, read from the store on a worker.
#include "dispatch/past/past.h"

#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "host/registry.h"
#include "host/world.h"
#include "protocol/bytes.h"
#include "protocol/error.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    PAGE_BYTES = 512 * 1024, // one record is always let in
    HEAD_SIZE = 5,           // of a list of any length
};

struct paging {
    struct dispatch_later *later;
    const struct protocol_world_records_params *params;
    uint32_t world;
    struct protocol_bytes bytes; // a list of bins
    uint32_t count;
    uint64_t first; // sequence of the oldest record that is kept
    struct protocol_error error;
};

// ---------------------------------------------------------------------------------------------------------
// On a worker

static bool is_kept(struct paging *paging, struct store_reader *reader, const struct store_list *list)
{
    struct protocol_error *error = &paging->error;
    if (!dispatch_past_walk_first(reader, list, paging->later, &paging->first, error)) {
        return false;
    }
    if (paging->first > 0 && paging->params->after + 1 >= paging->first) {
        return true;
    }
    if (paging->first == 0) {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "after",
                           "after: %" PRIu64 "; no record is kept any more; begin with world.save",
                           paging->params->after);
    } else {
        protocol_error_set(error, PROTOCOL_CODE_NOT_FOUND, "after",
                           "after: %" PRIu64 "; the oldest record that is kept is %" PRIu64
                           ": begin after %" PRIu64 ", or with world.save",
                           paging->params->after, paging->first, paging->first - 1);
    }
    return false;
}

// False: the page is full, or paging->error.
static bool take(struct paging *paging, const struct store_entry *entry)
{
    struct dispatch_past_record_head head;
    msgpack_packer packer;
    if (!dispatch_past_record_head(entry, &head, &paging->error)) {
        return false;
    }
    if (head.sequence <= paging->params->after) {
        return true;
    }
    if (head.sequence != paging->params->after + 1 + paging->count) {
        protocol_error_set(&paging->error, PROTOCOL_CODE_INTERNAL, NULL,
                           "record %" PRIu64 " is missing before record %" PRIu64,
                           paging->params->after + 1 + paging->count, head.sequence);
        return false;
    }
    if (paging->count > 0 && paging->bytes.size + entry->size > PAGE_BYTES) {
        return false;
    }
    msgpack_packer_init(&packer, &paging->bytes, protocol_bytes_write);
    msgpack_pack_bin(&packer, entry->size);
    msgpack_pack_bin_body(&packer, entry->bytes, entry->size);
    paging->count++;
    return !paging->bytes.failed && paging->count < paging->params->limit;
}

static void read_page(struct paging *paging, struct store_reader *reader)
{
    struct protocol_error *error = &paging->error;
    struct store_list list;
    struct store_error told = {0};
    const struct store_entry *entry;
    uint64_t after;
    if (!dispatch_past_check(store_list_find(reader, paging->world, &list, &told), &told, error) ||
        !is_kept(paging, reader, &list) ||
        !dispatch_past_walk_find(reader, &list, false, paging->params->after, paging->later, &after, error)) {
        return;
    }
    const uint8_t head[HEAD_SIZE] = {0xdd}; // a list whose length is put in at the end
    struct dispatch_past_walk walk = dispatch_past_walk_from(reader, paging->world, after, paging->later);
    protocol_bytes_write(&paging->bytes, (const char *)head, sizeof head);
    while (dispatch_past_walk_next(&walk, &entry, error) && take(paging, entry)) {
    }
    if (paging->bytes.failed) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a page of world.records");
    }
    for (int i = 1; i < HEAD_SIZE && !paging->bytes.failed; i++) {
        paging->bytes.data[i] = (uint8_t)(paging->count >> (8 * (HEAD_SIZE - 1 - i)));
    }
}

static void work(void *context)
{
    struct paging *paging = context;
    struct store_reader *reader = NULL;
    if (dispatch_past_reader(paging->later->server, &reader, &paging->error)) {
        read_page(paging, reader);
    }
    store_reader_close(reader);
}

// ---------------------------------------------------------------------------------------------------------
// On the loop

static void done(void *context, bool worked)
{
    struct paging *paging = context;
    struct protocol_error *error = &paging->error;
    struct host_world *world = NULL;
    if (worked && error->code == PROTOCOL_CODE_OK) {
        world = dispatch_past_still(paging->later->server, paging->world, error);
    }
    if (world) {
        // Records that were read are durable, and so is everything that is told beside them.
        const uint64_t marks =
            PROTOCOL_HAS_WORLD_RECORDS_RESULT_DURABLE | PROTOCOL_HAS_WORLD_RECORDS_RESULT_DURABLE_REVISION;
        struct world_durable durable;
        struct world_face face;
        host_world_face(world, &face);
        host_world_durable(world, &durable);
        dispatch_later_answer(paging->later,
                              &(struct protocol_world_records_result){
                                  .has = PROTOCOL_HAS_ALL & ~marks,
                                  .tick = face.tick,
                                  .revision = durable.revision,
                                  .sequence = durable.records,
                                  .records = {.data = paging->bytes.data, .size = paging->bytes.size},
                                  .first = paging->first,
                              });
    } else {
        if (error->code == PROTOCOL_CODE_OK) {
            protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        }
        dispatch_later_refuse(paging->later, error);
    }
    protocol_bytes_deinit(&paging->bytes);
    free(paging);
}

bool dispatch_past_forgotten(const struct dispatch_server *server, const struct host_world *world,
                             const void *params)
{
    const struct protocol_world_records_params *asked = params;
    struct world_face face;
    if (host_world_is_view(world) || !host_registry_store(server->registry)) {
        return false;
    }
    host_world_face(world, &face);
    return asked->after < face.records_first;
}

bool dispatch_past_records(struct dispatch_call *call)
{
    struct paging *paging = calloc(1, sizeof *paging);
    if (!paging) {
        protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for world.records");
        return false;
    }
    paging->params = call->params;
    paging->world = call->world;
    paging->later = dispatch_later_begin(call, false);
    if (!paging->later) {
        free(paging);
        return false;
    }
    dispatch_later_work(paging->later, HOST_LONG, work, done, paging);
    return true;
}
