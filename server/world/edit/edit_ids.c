#include "world/edit/edit_ids.h"

#include "base/assert.h"
#include "base/clock.h"
#include "base/hash.h"
#include "past/past.h"
#include "protocol/bytes.h"
#include "protocol/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 4096,
    ANSWER_BYTES = 16 << 20,
    READ_BYTES = 64 << 20, // bytes of records that are read at the start
};

static const uint64_t hour_us = UINT64_C(3600) * 1000000;

struct world_edit_id {
    struct world_edit_id *newer, *older, *next; // `next` is in its bucket
    uint64_t asked, revision, at_us;
    enum protocol_method method;
    uint8_t *answer; // NULL: dropped
    size_t answer_size;
    uint32_t person_size, id_size;
    char key[]; // the person, then the id
};

struct world_edit_ids {
    struct world_edit_id *newest, *oldest;
    struct world_edit_id *answered; // the oldest whose answer may still be there; NULL: look from `oldest` on
    uint32_t count;
    size_t bytes; // bytes of answers
    struct world_edit_id *buckets[BUCKETS];
};

struct world_edit_ids *world_edit_ids_create(void)
{
    return calloc(1, sizeof(struct world_edit_ids));
}

void world_edit_id_destroy(struct world_edit_id *edit_id)
{
    if (edit_id) {
        free(edit_id->answer);
        free(edit_id);
    }
}

void world_edit_ids_destroy(struct world_edit_ids *ids)
{
    while (ids && ids->oldest) {
        struct world_edit_id *gone = ids->oldest;
        ids->oldest = gone->newer;
        world_edit_id_destroy(gone);
    }
    free(ids);
}

// ---------------------------------------------------------------------------------------------------------
// What is asked

static int feed(void *data, const char *bytes, size_t size)
{
    base_hash_bytes(data, bytes, size);
    return 0;
}

bool world_edit_asked(enum protocol_method method, const void *params, uint64_t *out)
{
    const struct protocol_struct *type = protocol_methods[method].params;
    struct base_hash *hash = base_hash_create();
    void *bare = malloc(type->size);
    if (hash && bare) {
        msgpack_packer packer;
        memcpy(bare, params, type->size);
        document_terms_drop(method, bare);
        msgpack_packer_init(&packer, hash, feed);
        protocol_encode_without(type, "world", bare, PROTOCOL_ARRAYS_EXT, &packer);
        *out = base_hash_digest(hash);
    }
    const bool done = hash && bare;
    free(bare);
    base_hash_destroy(hash);
    return done;
}

// ---------------------------------------------------------------------------------------------------------
// The table

// FNV-1a. A caller who forces collisions slows only requests to the same world.
static uint32_t bucket_of(const char *key, uint32_t person_size, uint32_t id_size)
{
    uint32_t hash = 2166136261U ^ person_size;
    for (uint32_t i = 0; i < person_size + id_size; i++) {
        hash = (hash ^ (uint8_t)key[i]) * 16777619U;
    }
    return (hash ^ hash >> 16) % BUCKETS;
}

static void answer_drop(struct world_edit_ids *ids, struct world_edit_id *edit_id)
{
    ids->bytes -= edit_id->answer_size;
    free(edit_id->answer);
    edit_id->answer = NULL;
    edit_id->answer_size = 0;
}

static void drop_oldest(struct world_edit_ids *ids)
{
    struct world_edit_id *gone = ids->oldest;
    struct world_edit_id **at = &ids->buckets[bucket_of(gone->key, gone->person_size, gone->id_size)];
    while (*at != gone) {
        at = &(*at)->next;
    }
    *at = gone->next;
    ids->oldest = gone->newer;
    *(ids->oldest ? &ids->oldest->older : &ids->newest) = NULL;
    ids->answered = ids->answered == gone ? NULL : ids->answered;
    ids->count--;
    answer_drop(ids, gone);
    world_edit_id_destroy(gone);
}

static void bound(struct world_edit_ids *ids, uint64_t now_us)
{
    while (ids->oldest && (ids->count > PROTOCOL_LIMIT_EDIT_IDS ||
                           (now_us > hour_us && ids->oldest->at_us < now_us - hour_us))) {
        drop_oldest(ids);
    }
    struct world_edit_id *at = ids->answered ? ids->answered : ids->oldest;
    for (; ids->bytes > ANSWER_BYTES && at && at != ids->newest; at = at->newer) {
        answer_drop(ids, at);
    }
    ids->answered = at;
}

static struct world_edit_id *find(const struct world_edit_ids *ids, const struct protocol_string *person,
                                  const struct protocol_string *id)
{
    char key[2 * (PROTOCOL_LIMIT_NAME_BYTES + 1)];
    BASE_ASSERT(person->size + id->size <= sizeof key);
    if (person->size > 0) {
        memcpy(key, person->data, person->size);
    }
    memcpy(key + person->size, id->data, id->size);
    struct world_edit_id *at = ids->buckets[bucket_of(key, person->size, id->size)];
    while (at && (at->person_size != person->size || at->id_size != id->size ||
                  memcmp(at->key, key, person->size + id->size) != 0)) {
        at = at->next;
    }
    return at;
}

bool world_edit_ids_find(struct world_edit_ids *ids, const struct protocol_string *person,
                         const struct protocol_string *id, uint64_t now_us, struct world_edit_known *out)
{
    bound(ids, now_us);
    const struct world_edit_id *known = find(ids, person, id);
    if (known) {
        *out = (struct world_edit_known){.method = known->method,
                                         .asked = known->asked,
                                         .revision = known->revision,
                                         .answer = known->answer,
                                         .size = known->answer_size};
    }
    return known != NULL;
}

struct world_edit_id *world_edit_id_create(const struct protocol_string *person,
                                           const struct protocol_string *id, uint64_t asked)
{
    struct world_edit_id *edit_id = calloc(1, sizeof *edit_id + person->size + id->size);
    if (edit_id) {
        edit_id->asked = asked;
        edit_id->person_size = person->size;
        edit_id->id_size = id->size;
        if (person->size > 0) {
            memcpy(edit_id->key, person->data, person->size);
        }
        memcpy(edit_id->key + person->size, id->data, id->size);
    }
    return edit_id;
}

static void answer_take(struct world_edit_ids *ids, struct world_edit_id *edit_id, const void *result)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    protocol_encode(protocol_methods[edit_id->method].result, result, PROTOCOL_ARRAYS_EXT, &packer);
    edit_id->answer = bytes.failed ? NULL : malloc(bytes.size);
    if (edit_id->answer) {
        memcpy(edit_id->answer, bytes.data, bytes.size);
        edit_id->answer_size = bytes.size;
        ids->bytes += bytes.size;
    }
    protocol_bytes_deinit(&bytes);
}

static void hash_in(struct world_edit_ids *ids, struct world_edit_id *edit_id)
{
    struct world_edit_id **bucket =
        &ids->buckets[bucket_of(edit_id->key, edit_id->person_size, edit_id->id_size)];
    edit_id->next = *bucket;
    *bucket = edit_id;
    ids->count++;
}

void world_edit_ids_add(struct world_edit_ids *ids, struct world_edit_id *edit_id,
                        const struct document_edit *edit, uint64_t revision, uint64_t now_us)
{
    edit_id->method = edit->method;
    edit_id->revision = revision;
    edit_id->at_us = now_us;
    answer_take(ids, edit_id, edit->result);
    hash_in(ids, edit_id);
    edit_id->older = ids->newest;
    *(ids->newest ? &ids->newest->newer : &ids->oldest) = edit_id;
    ids->newest = edit_id;
    bound(ids, now_us);
}

// ---------------------------------------------------------------------------------------------------------
// Found again

struct reading {
    struct world_edit_ids *ids;
    uint64_t now_us;
    uint64_t newest_us; // µs by the wall clock, of the newest record
    uint32_t records;
    size_t bytes;
    bool failed;
};

// Whether a record's author gave no name. Another client may have that session's number now.
static bool is_nobody(const struct document_record *record)
{
    char name[32];
    const int size = snprintf(name, sizeof name, "session-%u", record->session);
    return record->person.size == (uint32_t)size &&
           memcmp(name, record->person.data, record->person.size) == 0;
}

static bool take(void *context, const struct document_record *record, size_t size)
{
    struct reading *reading = context;
    struct world_edit_ids *ids = reading->ids;
    reading->bytes += size;
    reading->newest_us = reading->records == 0 ? record->at_us : reading->newest_us;
    if (reading->records++ >= PROTOCOL_LIMIT_EDIT_IDS || reading->bytes > READ_BYTES ||
        (reading->newest_us > hour_us && record->at_us < reading->newest_us - hour_us)) {
        return false;
    }
    if (record->edit_id.size == 0 || is_nobody(record) || find(ids, &record->person, &record->edit_id)) {
        return true;
    }
    struct world_edit_id *edit_id = world_edit_id_create(&record->person, &record->edit_id, record->asked);
    reading->failed = !edit_id;
    if (!edit_id) {
        return false;
    }
    edit_id->method = record->method;
    edit_id->revision = record->revision;
    edit_id->at_us = reading->now_us;
    if (ids->bytes < ANSWER_BYTES) {
        answer_take(ids, edit_id, record->result);
    }
    hash_in(ids, edit_id);
    edit_id->newer = ids->oldest;
    *(ids->oldest ? &ids->oldest->older : &ids->newest) = edit_id;
    ids->oldest = edit_id;
    return true;
}

struct world_edit_ids *world_edit_ids_of(struct past *past, struct protocol_error *error)
{
    struct reading reading = {.ids = world_edit_ids_create(), .now_us = base_now_ns() / 1000};
    if (reading.ids && past_recent(past, take, &reading, error) && !reading.failed) {
        return reading.ids;
    }
    if (!reading.ids || reading.failed) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL,
                           "no memory for the ids of a world's last edits");
    }
    world_edit_ids_destroy(reading.ids);
    return NULL;
}
