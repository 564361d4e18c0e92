// edit.log: a page of records, read on a worker.
#include "dispatch/call.h"
#include "dispatch/later.h"
#include "dispatch/past/look.h"
#include "document/document.h"
#include "host/registry.h"
#include "host/world.h"
#include "protocol/bytes.h"
#include "protocol/error.h"
#include "protocol/params.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BYTES = 512 * 1024, // of parameters and results; one edit is always let in
    TEXTS = 3,               // params, result, omitted
};

struct paging {
    struct dispatch_later *later;
    const struct protocol_edit_log_params *params;
    uint32_t world;
    struct protocol_log_entry *entries;
    size_t *ends; // of params, result and omitted of each, in bytes
    uint32_t count;
    uint64_t last,
        next; // sequences: of the last record there was when it was asked; of where the next page begins
    struct protocol_bytes bytes;
    msgpack_zone zone; // names
    struct protocol_error error;
};

static bool no_memory(struct paging *paging)
{
    protocol_error_set(&paging->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for a page of edit.log");
    return false;
}

// ---------------------------------------------------------------------------------------------------------
// On a worker

static bool text_copy(struct paging *paging, struct protocol_string *text)
{
    char *copy = msgpack_zone_malloc(&paging->zone, text->size + 1);
    if (!copy) {
        return no_memory(paging);
    }
    if (text->size > 0) {
        memcpy(copy, text->data, text->size);
    }
    text->data = copy;
    return true;
}

// As world.edited tells them; a record says nothing of the world whose list it stands in.
static void name_world(const struct document_record *record, uint32_t world)
{
    const struct protocol_struct *type = protocol_methods[record->method].params;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (strcmp(type->fields[i].name, "world") == 0) {
            const struct protocol_ref ref = {.id = world};
            memcpy((uint8_t *)record->params + type->fields[i].offset, &ref, sizeof ref);
        }
    }
}

// params, result and the names of what is left out, one after another.
static bool pack(struct paging *paging, const struct document_record *record, size_t ends[TEXTS])
{
    const struct protocol_method_info *method = &protocol_methods[record->method];
    const enum protocol_arrays_mode arrays = paging->later->asker.arrays;
    const size_t limit = PROTOCOL_LIMIT_EDITED_ARRAY_BYTES;
    struct protocol_bytes names = {0};
    msgpack_packer packer, names_packer;
    name_world(record, paging->world);
    msgpack_packer_init(&packer, &paging->bytes, protocol_bytes_write);
    msgpack_packer_init(&names_packer, &names, protocol_bytes_write);
    uint32_t omitted =
        protocol_encode_bounded(method->params, record->params, arrays, limit, &packer, &names_packer);
    ends[0] = paging->bytes.size;
    omitted += protocol_encode_bounded(method->result, record->result, arrays, limit, &packer, &names_packer);
    ends[1] = paging->bytes.size;
    msgpack_pack_array(&packer, omitted);
    if (names.size > 0) {
        protocol_bytes_write(&paging->bytes, (const char *)names.data, names.size);
    }
    ends[2] = paging->bytes.size;
    const bool whole = !names.failed && !paging->bytes.failed;
    protocol_bytes_deinit(&names);
    return whole || no_memory(paging);
}

static bool add(struct paging *paging, const struct document_record *record)
{
    struct protocol_log_entry *entry = &paging->entries[paging->count];
    *entry = (struct protocol_log_entry){
        .has = PROTOCOL_HAS_ALL,
        .sequence = record->sequence,
        .tick = record->tick,
        .revision = record->revision,
        .at = (double)record->at_us * 1e-6,
        .user = record->person,
        .session = record->session,
        .method = protocol_text(protocol_methods[record->method].name),
        .undoes = record->method == PROTOCOL_METHOD_EDIT_UNDO
                      ? ((const struct protocol_edit_undo_params *)record->params)->revision
                      : 0,
        .redoes = record->method == PROTOCOL_METHOD_EDIT_REDO
                      ? ((const struct protocol_edit_redo_params *)record->params)->revision
                      : 0,
        .gesture = record->gesture,
    };
    if (!text_copy(paging, &entry->user) ||
        !pack(paging, record, &paging->ends[TEXTS * (size_t)paging->count])) {
        return false;
    }
    paging->count++;
    return true;
}

// False: the page is full, or paging->error.
static bool take(struct paging *paging, const struct store_entry *entry, msgpack_zone *zone)
{
    struct document_record record;
    msgpack_zone_clear(zone);
    if (!document_record_read(entry->bytes, entry->size, zone, &record, &paging->error)) {
        paging->error.code = PROTOCOL_CODE_INTERNAL;
        return false;
    }
    const bool wanted =
        paging->params->inputs || protocol_methods[record.method].class_ == PROTOCOL_CLASS_EDIT;
    const bool passed = record.sequence <= paging->params->since || !wanted;
    if (!passed && (paging->count == paging->params->limit || paging->bytes.size > PAGE_BYTES)) {
        paging->next = paging->entries[paging->count - 1].sequence;
        return false;
    }
    // Behind the last there are only marks of time, and there may be many.
    return (passed || add(paging, &record)) && record.sequence < paging->last;
}

// The bytes do not move any more.
static void point(struct paging *paging)
{
    size_t from = 0;
    for (uint32_t i = 0; i < paging->count; i++) {
        struct protocol_raw *const texts[TEXTS] = {&paging->entries[i].params, &paging->entries[i].result,
                                                   &paging->entries[i].omitted};
        for (int t = 0; t < TEXTS; t++) {
            const size_t end = paging->ends[TEXTS * (size_t)i + (size_t)t];
            *texts[t] = (struct protocol_raw){.data = paging->bytes.data + from, .size = end - from};
            from = end;
        }
    }
}

static void read_page(struct paging *paging, struct store_reader *reader)
{
    struct store_list list;
    struct store_error told = {0};
    struct dispatch_past_walk walk;
    const struct store_entry *entry;
    msgpack_zone zone;
    uint64_t after;
    if (!dispatch_past_check(store_list_find(reader, paging->world, &list, &told), &told, &paging->error) ||
        !dispatch_past_walk_find(reader, &list, false, paging->params->since, paging->later, &after,
                                 &paging->error)) {
        return;
    }
    if (!msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        no_memory(paging);
        return;
    }
    walk = dispatch_past_walk_from(reader, paging->world, after, paging->later);
    while (dispatch_past_walk_next(&walk, &entry, &paging->error) && take(paging, entry, &zone)) {
    }
    msgpack_zone_destroy(&zone);
    point(paging);
}

static void work(void *context)
{
    struct paging *paging = context;
    const size_t most = paging->params->limit;
    struct store_reader *reader = NULL;
    paging->entries = calloc(most, sizeof *paging->entries);
    paging->ends = calloc(TEXTS * most, sizeof *paging->ends);
    if (!paging->entries || !paging->ends) {
        no_memory(paging);
    } else if (paging->params->since < paging->last &&
               dispatch_past_reader(paging->later->server, &reader, &paging->error)) {
        read_page(paging, reader);
    }
    store_reader_close(reader);
}

// ---------------------------------------------------------------------------------------------------------
// On the loop

static void paging_destroy(struct paging *paging)
{
    free(paging->entries);
    free(paging->ends);
    protocol_bytes_deinit(&paging->bytes);
    msgpack_zone_destroy(&paging->zone);
    free(paging);
}

static void done(void *context, bool worked)
{
    struct paging *paging = context;
    struct protocol_error *error = &paging->error;
    struct host_world *world = NULL;
    if (worked && error->code == PROTOCOL_CODE_OK) {
        world = dispatch_past_still(paging->later->server, paging->world, error);
    }
    if (world) {
        dispatch_later_answer(paging->later, &(struct protocol_edit_log_result){
                                                 .has = PROTOCOL_HAS_ALL,
                                                 .edits = {.items = paging->entries, .count = paging->count},
                                                 .sequence = paging->last,
                                                 .next = paging->next,
                                             });
    } else {
        if (error->code == PROTOCOL_CODE_OK) {
            protocol_error_set(error, PROTOCOL_CODE_SHUTDOWN, NULL, "the server goes down");
        }
        dispatch_later_refuse(paging->later, error);
    }
    paging_destroy(paging);
}

bool dispatch_edit_log(struct dispatch_call *call)
{
    const struct protocol_edit_log_params *params = call->params;
    const struct host_world *world = dispatch_past_of(call, &params->world);
    struct paging *paging = world ? calloc(1, sizeof *paging) : NULL;
    if (!paging || !msgpack_zone_init(&paging->zone, MSGPACK_ZONE_CHUNK_SIZE)) {
        if (world) {
            protocol_error_set(call->error, PROTOCOL_CODE_MEMORY, NULL, "no memory for edit.log");
        }
        free(paging);
        return false;
    }
    struct world_face face;
    host_world_face(world, &face);
    paging->params = params;
    paging->world = host_world_id(world);
    paging->last = face.records;
    paging->later = dispatch_later_begin(call, false);
    if (!paging->later) {
        paging_destroy(paging);
        return false;
    }
    dispatch_later_work(paging->later, HOST_LONG, work, done, paging);
    return true;
}
