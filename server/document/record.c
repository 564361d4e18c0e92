// Records: inputs as plain values with one canonical form (docs/reference/records.md).
//
//     [sequence, tick, revision, person, session, edit_id, at, method, params, result, asked, gesture]
//
// asked is there if edit_id is not empty: a number that stands for the parameters as they were given (world/edit/edit_ids.h).
// gesture is there if the edit belongs to one, and then asked is 0 without an edit_id.
//
// params and result are maps as on the wire, written by the tables of api.json: fields in the order of the table, defaults
// said aloud, names of things as ids, arrays as typed arrays, and without `world`.
#include "document/parts.h"

#include "protocol/params.h"
#include "protocol/unpack.h"

#include <string.h>

enum { FIELDS = 10, FIELDS_WITH_ID = 11, FIELDS_WITH_GESTURE = 12 };

static const char world_field[] = "world"; // a record is of the world whose list it stands in

static void pack_text(msgpack_packer *packer, const struct protocol_string *text)
{
    msgpack_pack_str(packer, text->size);
    if (text->size > 0) {
        msgpack_pack_str_body(packer, text->data, text->size);
    }
}

void document_record_pack(const struct document_record *record, msgpack_packer *packer)
{
    const struct protocol_method_info *method = &protocol_methods[record->method];
    const struct protocol_string name = protocol_text(method->name);
    const bool has_gesture = record->gesture > 0, has_asked = has_gesture || record->edit_id.size > 0;
    msgpack_pack_array(packer, has_gesture ? FIELDS_WITH_GESTURE : has_asked ? FIELDS_WITH_ID : FIELDS);
    msgpack_pack_uint64(packer, record->sequence);
    msgpack_pack_uint64(packer, record->tick);
    msgpack_pack_uint64(packer, record->revision);
    pack_text(packer, &record->person);
    msgpack_pack_uint32(packer, record->session);
    pack_text(packer, &record->edit_id);
    msgpack_pack_uint64(packer, record->at_us);
    pack_text(packer, &name);
    protocol_encode_without(method->params, world_field, record->params, PROTOCOL_ARRAYS_EXT, packer);
    protocol_encode(method->result, record->result, PROTOCOL_ARRAYS_EXT, packer);
    if (has_asked) {
        msgpack_pack_uint64(packer, record->asked);
    }
    if (has_gesture) {
        msgpack_pack_uint64(packer, record->gesture);
    }
}

// ---------------------------------------------------------------------------------------------------------
// Reading

static bool refuse(struct protocol_error *error, const char *field, const char *what)
{
    protocol_error_set(error, PROTOCOL_CODE_INVALID, field, "%s: %s", field, what);
    return false;
}

static bool take_number(const msgpack_object *object, const char *field, uint64_t most, uint64_t *out,
                        struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_POSITIVE_INTEGER || object->via.u64 > most) {
        return refuse(error, field, "must be an integer in range");
    }
    *out = object->via.u64;
    return true;
}

static bool take_text(const msgpack_object *object, const char *field, struct protocol_string *out,
                      struct protocol_error *error)
{
    if (object->type != MSGPACK_OBJECT_STR || object->via.str.size > PROTOCOL_LIMIT_NAME_BYTES) {
        return refuse(error, field, "must be a string, no longer than a name");
    }
    *out = (struct protocol_string){.data = object->via.str.ptr, .size = object->via.str.size};
    return true;
}

static bool take_method(const msgpack_object *object, enum protocol_method *out, struct protocol_error *error)
{
    struct protocol_string name;
    if (!take_text(object, "method", &name, error)) {
        return false;
    }
    if (!protocol_method_find(name, out) || !protocol_methods[*out].record) {
        return refuse(error, "method", "must be one that makes a record");
    }
    return true;
}

static bool take_maps(const msgpack_object *fields, msgpack_zone *zone, struct document_record *record,
                      struct protocol_error *error)
{
    const struct protocol_method_info *method = &protocol_methods[record->method];
    void *params = msgpack_zone_malloc(zone, method->params->size);
    void *result = msgpack_zone_malloc(zone, method->result->size);
    if (!params || !result) {
        protocol_error_set(error, PROTOCOL_CODE_MEMORY, NULL, "no memory for the record");
        return false;
    }
    record->params = params;
    record->result = result;
    if (!protocol_decode_without(method->params, world_field, &fields[8], zone, params, error) ||
        !protocol_decode(method->result, &fields[9], zone, result, error)) {
        return false;
    }
    const struct protocol_edit_batch_params *batch = params;
    const struct protocol_edit_batch_result *answered = result;
    return record->method != PROTOCOL_METHOD_EDIT_BATCH ||
           protocol_answers_read(&batch->edits, &answered->results, zone, error);
}

bool document_record_read(const void *bytes, size_t size, msgpack_zone *zone, struct document_record *record,
                          struct protocol_error *error)
{
    msgpack_object object;
    uint64_t session;
    if (!protocol_unpack(bytes, size, zone, &object) || object.type != MSGPACK_OBJECT_ARRAY ||
        object.via.array.size < FIELDS || object.via.array.size > FIELDS_WITH_GESTURE) {
        return refuse(error, "record", "must be an array of ten to twelve");
    }
    const msgpack_object *fields = object.via.array.ptr;
    const bool has_gesture = object.via.array.size == FIELDS_WITH_GESTURE;
    const bool has_asked = has_gesture || object.via.array.size == FIELDS_WITH_ID;
    *record = (struct document_record){0};
    if (!take_number(&fields[0], "sequence", UINT64_MAX, &record->sequence, error) ||
        !take_number(&fields[1], "tick", UINT64_MAX, &record->tick, error) ||
        !take_number(&fields[2], "revision", UINT64_MAX, &record->revision, error) ||
        !take_text(&fields[3], "person", &record->person, error) ||
        !take_number(&fields[4], "session", UINT32_MAX, &session, error) ||
        !take_text(&fields[5], "edit_id", &record->edit_id, error) ||
        !take_number(&fields[6], "at", UINT64_MAX, &record->at_us, error) ||
        !take_method(&fields[7], &record->method, error) ||
        (has_asked && !take_number(&fields[10], "asked", UINT64_MAX, &record->asked, error)) ||
        (has_gesture && !take_number(&fields[11], "gesture", record->revision, &record->gesture, error))) {
        return false;
    }
    if (record->edit_id.size > 0 ? !has_asked : has_asked && (!has_gesture || record->asked != 0)) {
        return refuse(error, "asked", "must be there if edit_id is not empty, and be 0 or absent if it is");
    }
    if (has_gesture && record->gesture == 0) {
        return refuse(error, "gesture", "must be above 0 if it is there");
    }
    record->session = (uint32_t)session;
    return take_maps(fields, zone, record, error);
}

// ---------------------------------------------------------------------------------------------------------
// Replaying

// Whatever the struct holds of pointers, what it says is its bytes.
static bool same_bytes(const struct protocol_struct *type, const void *one, const void *other)
{
    struct protocol_bytes bytes[2] = {{0}, {0}};
    const void *const structs[2] = {one, other};
    for (int i = 0; i < 2; i++) {
        msgpack_packer packer;
        msgpack_packer_init(&packer, &bytes[i], protocol_bytes_write);
        protocol_encode(type, structs[i], PROTOCOL_ARRAYS_EXT, &packer);
    }
    const bool same = !bytes[0].failed && !bytes[1].failed && bytes[0].size == bytes[1].size &&
                      memcmp(bytes[0].data, bytes[1].data, bytes[0].size) == 0;
    protocol_bytes_deinit(&bytes[0]);
    protocol_bytes_deinit(&bytes[1]);
    return same;
}

// The warnings of body.add are for people, and another version may find other words or warn of more. They are no part of what a
// record comes to.
static bool same_added(const struct protocol_body_add_result *one,
                       const struct protocol_body_add_result *other)
{
    struct protocol_body_add_result bare[2] = {*one, *other};
    bare[0].warnings = bare[1].warnings = (struct protocol_list){0};
    return same_bytes(&protocol_body_add_result_type, &bare[0], &bare[1]);
}

static bool same_answers(const struct protocol_list *one, const struct protocol_list *other)
{
    const struct protocol_call *a = one->items, *b = other->items;
    bool same = one->count == other->count;
    for (uint32_t i = 0; same && i < one->count; i++) {
        same = a[i].method == b[i].method && a[i].method >= 0 &&
               (a[i].method == PROTOCOL_METHOD_BODY_ADD
                    ? same_added(a[i].value, b[i].value)
                    : same_bytes(protocol_methods[a[i].method].result, a[i].value, b[i].value));
    }
    return same;
}

static bool same_result(enum protocol_method method, const void *one, const void *other)
{
    if (method == PROTOCOL_METHOD_BODY_ADD) {
        return same_added(one, other);
    }
    if (method != PROTOCOL_METHOD_EDIT_BATCH) {
        return same_bytes(protocol_methods[method].result, one, other);
    }
    struct protocol_edit_batch_result bare[2];
    memcpy(&bare[0], one, sizeof bare[0]);
    memcpy(&bare[1], other, sizeof bare[1]);
    const struct protocol_list answers[2] = {bare[0].results, bare[1].results};
    bare[0].results = bare[1].results = (struct protocol_list){0};
    return same_bytes(&protocol_edit_batch_result_type, &bare[0], &bare[1]) &&
           same_answers(&answers[0], &answers[1]);
}

static bool replay(struct document *document, const struct document_record *record,
                   struct document_edit *edit)
{
    // How far out particles may be was checked when the input was live, with the extent of that moment.
    const struct document_constants constants = {.resolution = sim_settings_of(document->sim)->resolution,
                                                 .extent_at_start = 1e9};
    if (document_prepares(record->method)) {
        edit->plans = document_prepare(record->method, record->params, &constants, &edit->error);
        if (!edit->plans) {
            return false;
        }
    }
    return document_apply(document, edit);
}

// The result lives in the zone; NULL with *error.
static const void *redo(struct document *document, const struct document_record *record, msgpack_zone *zone,
                        struct protocol_error *error)
{
    struct document_edit edit = {
        .method = record->method, .params = record->params, .session = record->session, .zone = zone};
    char person[65] = {0};
    if (record->person.size > 0) {
        memcpy(person, record->person.data,
               record->person.size < sizeof person ? record->person.size : sizeof person - 1);
    }
    edit.person = person;
    const bool done = replay(document, record, &edit);
    if (!done) {
        *error = edit.error;
    }
    document_plans_destroy(edit.plans);
    return done ? edit.result : NULL;
}

bool document_replay(struct document *document, const struct document_record *record, msgpack_zone *zone,
                     struct protocol_error *error)
{
    if (record->tick != document->tick) {
        protocol_error_set(error, PROTOCOL_CODE_CONFLICT, "tick", "tick: %llu; the document stands at %llu",
                           (unsigned long long)record->tick, (unsigned long long)document->tick);
        return false;
    }
    const void *result = redo(document, record, zone, error);
    if (result && !same_result(record->method, result, record->result)) {
        protocol_error_set(error, PROTOCOL_CODE_INTERNAL, "result",
                           "result: record %llu (%s) came to another one here",
                           (unsigned long long)record->sequence, protocol_methods[record->method].name);
        return false;
    }
    return result != NULL;
}

bool document_redo(struct document *document, const struct document_record *record, msgpack_zone *zone,
                   const void **result, struct protocol_error *error)
{
    *result = redo(document, record, zone, error);
    return *result != NULL;
}
