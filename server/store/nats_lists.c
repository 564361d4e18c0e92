// Keeps what is known of lists without their streams, in a bucket: labels, the bin, and the ids that were
// given.
#include "store/nats_link_internal.h"

#include "store/backend.h"

#include <jansson.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 16 }; // while other servers ask for ids

static void key_of(uint32_t list, char out[16])
{
    (void)snprintf(out, 16, "%" PRIu32, list);
}

enum fault_code store_nats_row_put(struct store_nats_link *link, const struct store_nats_row *row,
                                   struct store_error *error)
{
    char key[16];
    key_of(row->list, key);
    json_t *object = json_object();
    json_t *label = json_string(row->label); // NULL: the label is not UTF-8, and is left out
    natsStatus status = NATS_NO_MEMORY;
    if (label) {
        (void)json_object_set_new(object, "label", label);
    }
    (void)json_object_set_new(object, "created_at", json_integer((json_int_t)row->created_at));
    (void)json_object_set_new(object, "binned_at", json_integer((json_int_t)row->binned_at));
    char *text = json_dumps(object, JSON_COMPACT);
    if (text) {
        status = kvStore_PutString(NULL, link->lists, key, text);
    }
    free(text);
    json_decref(object);
    return status == NATS_OK ? FAULT_NONE
                             : store_nats_fail(error, row->list, status, 0, "writing down a list");
}

static bool row_read(kvEntry *entry, struct store_nats_row *out)
{
    char *end = NULL;
    const char *key = kvEntry_Key(entry);
    const unsigned long list = strtoul(key, &end, 10);
    *out = (struct store_nats_row){0};
    if (*key < '0' || *key > '9' || *end || list == 0 || list > UINT32_MAX ||
        kvEntry_Operation(entry) != kvOp_Put) {
        return false;
    }
    json_t *object = json_loadb(kvEntry_Value(entry), (size_t)kvEntry_ValueLen(entry), 0, NULL);
    const char *label = json_string_value(json_object_get(object, "label"));
    out->list = (uint32_t)list;
    (void)snprintf(out->label, sizeof out->label, "%s", label ? label : "");
    const json_int_t created = json_integer_value(json_object_get(object, "created_at"));
    const json_int_t binned = json_integer_value(json_object_get(object, "binned_at"));
    out->created_at = created > 0 ? (uint64_t)created : 0;
    out->binned_at = binned > 0 ? (uint64_t)binned : 0;
    json_decref(object);
    return true;
}

enum fault_code store_nats_row_get(struct store_nats_link *link, uint32_t list, struct store_nats_row *out,
                                   struct store_error *error)
{
    char key[16];
    kvEntry *entry = NULL;
    key_of(list, key);
    const natsStatus status = kvStore_Get(&entry, link->lists, key);
    const bool read = status == NATS_OK && row_read(entry, out);
    kvEntry_Destroy(entry);
    return read ? FAULT_NONE
                : store_nats_fail(error, list, status == NATS_OK ? NATS_NOT_FOUND : status, 0,
                                  "reading about a list");
}

enum fault_code store_nats_row_delete(struct store_nats_link *link, uint32_t list, struct store_error *error)
{
    char key[16];
    key_of(list, key);
    const natsStatus status = kvStore_Delete(link->lists, key);
    return status == NATS_OK ? FAULT_NONE : store_nats_fail(error, list, status, 0, "removing a list");
}

enum fault_code store_nats_rows(struct store_nats_link *link, struct store_nats_row **out, uint32_t *count,
                                struct store_error *error)
{
    char stream[STORE_NATS_SUBJECT_SIZE], subjects[STORE_NATS_SUBJECT_SIZE];
    jsStreamInfo *info = NULL;
    jsOptions options;
    jsErrCode code = 0;
    *out = NULL;
    *count = 0;
    jsOptions_Init(&options);
    (void)snprintf(stream, sizeof stream, "KV_%s-lists", link->name);
    const int prefix = snprintf(subjects, sizeof subjects, "$KV.%s-lists.>", link->name) - 1;
    options.Stream.Info.SubjectsFilter = subjects;
    const natsStatus got = js_GetStreamInfo(&info, link->js, stream, &options, &code);
    if (got != NATS_OK) {
        return store_nats_fail(error, 0, got == NATS_NOT_FOUND ? NATS_NO_RESPONDERS : got, 0,
                               "reading which lists there are");
    }
    const jsStreamStateSubjects *all = info->State.Subjects;
    const int keys = all ? all->Count : 0;
    *out = calloc((size_t)keys + 1, sizeof **out);
    enum fault_code status =
        *out ? FAULT_NONE : store_fail(error, FAULT_MEMORY, 0, 0, "no memory for the lists");
    for (int i = 0; i < keys && status == FAULT_NONE; i++) {
        uint32_t list = 0;
        if (sscanf(all->List[i].Subject + prefix, "%" SCNu32, &list) == 1 && list > 0) {
            struct store_nats_row *row = &(*out)[(*count)++];
            status = store_nats_row_get(link, list, row, error);
            if (status == FAULT_NOT_FOUND) {
                *row = (struct store_nats_row){.list = list, .gone = true};
                status = FAULT_NONE;
            }
        }
    }
    jsStreamInfo_Destroy(info);
    if (status != FAULT_NONE) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

// The bucket has the greatest id that was given. A server that raises it owns the ids in between.
enum fault_code store_nats_ids(struct store_nats_link *link, uint32_t count, uint32_t least, uint32_t *first,
                               struct store_error *error)
{
    static const char key[] = "ids";
    natsStatus status = NATS_OK;
    for (int i = 0; i < TRIES; i++) {
        kvEntry *entry = NULL;
        char text[16];
        status = kvStore_Get(&entry, link->lists, key);
        uint64_t given = 0, revision = 0;
        if (status == NATS_OK) {
            given = strtoull(kvEntry_ValueString(entry), NULL, 10);
            revision = kvEntry_Revision(entry);
        } else if (status != NATS_NOT_FOUND) {
            break;
        }
        kvEntry_Destroy(entry);
        given = given > least ? given : least;
        if (given + count > UINT32_MAX) {
            return store_fail(error, FAULT_IO, 0, 0, "all ids of lists were given");
        }
        (void)snprintf(text, sizeof text, "%" PRIu64, given + count);
        status = revision > 0 ? kvStore_UpdateString(NULL, link->lists, key, text, revision)
                              : kvStore_CreateString(NULL, link->lists, key, text);
        if (status == NATS_OK) {
            *first = (uint32_t)given + 1;
            return FAULT_NONE;
        }
    }
    return store_nats_fail(error, 0, status == NATS_NOT_FOUND ? NATS_NO_RESPONDERS : status, 0,
                           "asking for ids of lists");
}
