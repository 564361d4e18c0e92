// weft's own code against the vectors. Runs in their folder. A vector that fails is named.
#include "json.h"

#include "document/document.h"
#include "protocol/array.h"
#include "protocol/codec/codec.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "protocol/params.h"
#include "protocol/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool string_equals(struct protocol_string string, const json_t *value)
{
    return json_is_string(value) && string.size == json_string_length(value) &&
           memcmp(string.data, json_string_value(value), string.size) == 0;
}

static int position(const char *text, const char *const *texts, int count)
{
    for (int i = 0; i < count; i++) {
        if (text != NULL && strcmp(text, texts[i]) == 0) {
            return i;
        }
    }
    fail_msg("%s is not known", text == NULL ? "nothing" : text);
    return -1;
}

// ---------------------------------------------------------------------------------------------------------

static void check_message(const json_t *vector)
{
    static const char *const kinds[] = {"request", "response", "notification"};
    struct bytes bytes = vector_hex(vector, "hex");
    struct protocol_message message;
    struct protocol_error error;
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    CHECK(vector, protocol_message_parse(&root, &message, &error));
    CHECK(vector, (int)message.kind == position(vector_text(vector, "kind"), kinds, 3));
    if (message.kind != PROTOCOL_NOTIFICATION) {
        CHECK(vector, message.msgid == vector_u64(vector, "msgid"));
    }
    if (message.kind == PROTOCOL_RESPONSE) {
        CHECK(vector, object_equals(message.error, json_object_get(vector, "error")));
        CHECK(vector, object_equals(message.result, json_object_get(vector, "result")));
    } else {
        CHECK(vector, string_equals(message.method, json_object_get(vector, "method")));
        CHECK(vector, object_equals(message.params, json_object_get(vector, "params")));
    }
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void check_no_message(const json_t *vector)
{
    struct bytes bytes = vector_hex(vector, "hex");
    struct protocol_message message;
    struct protocol_error error;
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    CHECK(vector, !protocol_message_parse(&root, &message, &error));
    CHECK(vector, error.code == PROTOCOL_CODE_PROTOCOL);
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void envelopes_are_read(void **state)
{
    (void)state;
    vectors_each("envelopes.json", "messages", check_message);
    vectors_each("envelopes.json", "refused", check_no_message);
}

// ---------------------------------------------------------------------------------------------------------

static enum protocol_array_type type_named(const char *name)
{
    static const char *const names[] = {"i8", "u8", "i16", "u16", "i32", "u32", "f32", "f64"};
    return (enum protocol_array_type)(PROTOCOL_ARRAY_I8 + position(name, names, 8));
}

static void check_array(const json_t *vector)
{
    struct bytes bytes = vector_hex(vector, "hex");
    struct protocol_array array;
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    const json_t *numbers = json_object_get(vector, "numbers");
    bool is_array = protocol_array_from(&root, type_named(vector_text(vector, "bin")), &array);
    CHECK(vector, is_array == (numbers != NULL)); // those of "refused" have none
    if (numbers != NULL) {
        CHECK(vector, array.count == json_array_size(numbers));
        for (uint32_t i = 0; i < array.count; i++) {
            CHECK(vector, protocol_array_f64_at(&array, i) == json_number(json_array_get(numbers, i)));
        }
    }
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void put_native(enum protocol_array_type type, double number, uint32_t index, void *items)
{
    if (type == PROTOCOL_ARRAY_F64) {
        ((double *)items)[index] = number;
    } else if (type == PROTOCOL_ARRAY_F32) {
        ((float *)items)[index] = (float)number;
    } else {
        assert_int_equal(type, PROTOCOL_ARRAY_U32);
        ((uint32_t *)items)[index] = (uint32_t)number;
    }
}

static void check_sent(const json_t *vector)
{
    static const char *const modes[] = {"ext", "bin", "plain"};
    double items[16];
    enum protocol_array_type type = type_named(vector_text(vector, "type"));
    const json_t *numbers = json_object_get(vector, "numbers");
    for (uint32_t i = 0; i < json_array_size(numbers); i++) {
        put_native(type, json_number(json_array_get(numbers, i)), i, items);
    }
    for (int mode = PROTOCOL_ARRAYS_EXT; mode <= PROTOCOL_ARRAYS_PLAIN; mode++) {
        struct bytes expected = vector_hex(vector, modes[mode]);
        msgpack_sbuffer buffer;
        msgpack_packer packer;
        msgpack_sbuffer_init(&buffer);
        msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
        protocol_array_pack(&packer, (enum protocol_arrays_mode)mode, type, items,
                            (uint32_t)json_array_size(numbers));
        CHECK(vector, buffer.size == expected.size);
        CHECK(vector, memcmp(buffer.data, expected.data, expected.size) == 0);
        msgpack_sbuffer_destroy(&buffer);
        free(expected.data);
    }
}

static void arrays_are_read_and_written(void **state)
{
    (void)state;
    vectors_each("arrays.json", "accepted", check_array);
    vectors_each("arrays.json", "refused", check_array);
    vectors_each("arrays.json", "sent", check_sent);
}

// ---------------------------------------------------------------------------------------------------------

static enum protocol_code code_named(const char *name)
{
    const char *names[PROTOCOL_CODE_COUNT];
    for (int i = 0; i < PROTOCOL_CODE_COUNT; i++) {
        names[i] = protocol_codes[i].name;
    }
    return (enum protocol_code)position(name, names, PROTOCOL_CODE_COUNT);
}

static void check_error(const json_t *vector)
{
    struct protocol_error error;
    const char *value = vector_text(vector, "value"), *user = vector_text(vector, "user");
    bool is_map = strcmp(vector_text(vector, "mode"), "map") == 0;
    protocol_error_set(&error, code_named(vector_text(vector, "code")), vector_text(vector, "field"), "%s",
                       vector_text(vector, "text"));
    snprintf(error.value, sizeof error.value, "%s", value == NULL ? "" : value);
    error.revision = (uint64_t)json_integer_value(json_object_get(vector, "revision"));
    if (json_is_number(json_object_get(vector, "limit"))) {
        error.limit = json_number(json_object_get(vector, "limit"));
    }
    if (error.code == PROTOCOL_CODE_MOVED) {
        struct protocol_home home;
        snprintf(home.server, sizeof home.server, "%s", vector_text(vector, "server"));
        snprintf(home.address, sizeof home.address, "%s", vector_text(vector, "address"));
        snprintf(home.web, sizeof home.web, "%s", vector_text(vector, "web"));
        protocol_error_moved(&error, value, &home);
    }
    CHECK(vector, protocol_codes[error.code].kind == (int)vector_u64(vector, "kind"));
    struct bytes expected = vector_hex(vector, "hex");
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    protocol_pack_failure(&packer, 3, &error, is_map ? PROTOCOL_ERRORS_MAP : PROTOCOL_ERRORS_ARRAY, user);
    CHECK(vector, buffer.size == expected.size);
    CHECK(vector, memcmp(buffer.data, expected.data, expected.size) == 0);
    msgpack_sbuffer_destroy(&buffer);
    free(expected.data);
}

static void errors_have_their_shapes(void **state)
{
    (void)state;
    vectors_each("errors.json", "errors", check_error);
}

// ---------------------------------------------------------------------------------------------------------

static void check_stream(const json_t *vector)
{
    static const char *const verdicts[] = {"more", "done", "bad", "too_large", "too_deep", "too_wide"};
    const json_t *given = json_object_get(vector, "limits");
    const struct protocol_scan_limits limits = {
        .bytes = vector_u64(given, "bytes"),
        .depth = (uint32_t)vector_u64(given, "depth"),
        .nodes = (uint32_t)vector_u64(given, "nodes"),
    };
    struct bytes bytes = vector_hex(vector, "hex");
    int verdict = position(vector_text(vector, "verdict"), verdicts, 6);
    for (size_t piece = 1; piece <= bytes.size; piece++) {
        struct protocol_scan scan;
        enum protocol_scan_status status = PROTOCOL_SCAN_MORE;
        size_t used = 0;
        protocol_scan_init(&scan, &limits);
        while (used < bytes.size && status == PROTOCOL_SCAN_MORE) {
            size_t count = piece < bytes.size - used ? piece : bytes.size - used, consumed;
            status = protocol_scan_feed(&scan, bytes.data + used, count, &consumed);
            used += consumed;
        }
        CHECK(vector, (int)status == verdict);
        CHECK(vector, used == vector_u64(vector, "consumed"));
    }
    free(bytes.data);
}

static void streams_get_their_verdicts_however_they_are_cut(void **state)
{
    (void)state;
    vectors_each("streams.json", "streams", check_stream);
}

// ---------------------------------------------------------------------------------------------------------

static enum protocol_method method_named(const json_t *vector, const char *name)
{
    enum protocol_method method = PROTOCOL_METHOD_COUNT;
    CHECK(vector, protocol_method_find((struct protocol_string){name, (uint32_t)strlen(name)}, &method));
    return method;
}

static void check_params(const json_t *vector)
{
    struct bytes bytes = vector_hex(vector, "hex");
    struct protocol_error error = {.code = PROTOCOL_CODE_OK};
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(bytes, &zone);
    const struct protocol_struct *type =
        protocol_methods[method_named(vector, vector_text(vector, "method"))].params;
    void *out = malloc(type->size);
    assert_non_null(out);
    bool is_accepted = protocol_decode(type, &root, &zone, out, &error);
    enum protocol_code code = is_accepted ? PROTOCOL_CODE_OK : error.code;
    CHECK(vector, code == code_named(vector_text(vector, "verdict")));
    if (!is_accepted) {
        const char *field = vector_text(vector, "field");
        CHECK(vector, strcmp(error.field, field == NULL ? "" : field) == 0);
    }
    free(out);
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void parameters_are_accepted_and_refused(void **state)
{
    (void)state;
    vectors_each("params.json", "params", check_params);
}

// ---------------------------------------------------------------------------------------------------------

static void check_head(const json_t *vector)
{
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    struct bytes expected = vector_hex(vector, "hex");
    CHECK(vector, expected.size == sizeof head);
    protocol_frame_head(head, (uint32_t)vector_u64(vector, "keys"), (uint32_t)vector_u64(vector, "stream"),
                        (uint32_t)vector_u64(vector, "seq"), (uint32_t)vector_u64(vector, "dropped"));
    CHECK(vector, memcmp(head, expected.data, sizeof head) == 0);
    free(expected.data);
}

static const double *vector_doubles(const json_t *vector, const char *name, double out[64])
{
    const json_t *numbers = json_object_get(vector, name);
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        out[i] = json_number(json_array_get(numbers, i));
    }
    return numbers ? out : NULL;
}

static void check_chunk(const json_t *vector, const json_t *given, enum protocol_arrays_mode mode,
                        struct bytes message)
{
    float positions[64], velocities[64], normals[64], rotations[64];
    double positions64[64], rotations64[64];
    const struct codec_chunk chunk = {
        .body = (uint32_t)vector_u64(given, "body"),
        .first = (uint32_t)vector_u64(given, "first"),
        .count = (uint32_t)vector_u64(given, "count"),
        .positions = vector_floats(given, "positions", positions),
        .positions64 = vector_doubles(given, "positions64", positions64),
        .velocities = vector_floats(given, "velocities", velocities),
        .normals = vector_floats(given, "normals", normals),
        .rotations = vector_floats(given, "rotations", rotations),
        .rotations64 = vector_doubles(given, "rotations64", rotations64),
    };
    size_t offset = vector_u64(given, "offset"), size = vector_u64(given, "size");
    CHECK(vector, offset % 8 == 0 && size % 8 == 0 && offset + size <= message.size);
    CHECK(vector, codec_size_f32(&chunk, mode) == size);
    uint8_t *out = malloc(size);
    assert_non_null(out);
    codec_encode_f32(&chunk, mode, out);
    CHECK(vector, memcmp(out, message.data + offset, size) == 0);
    free(out);
}

static void check_frame(const json_t *vector)
{
    static const char *const modes[] = {"ext", "bin", "plain"};
    struct bytes message = vector_hex(vector, "hex");
    int mode = position(vector_text(vector, "arrays"), modes, 3);
    const json_t *head = json_object_get(vector, "head"), *chunks = json_object_get(vector, "chunks");
    uint8_t expected[PROTOCOL_FRAME_HEAD_SIZE];
    protocol_frame_head(expected, (uint32_t)vector_u64(head, "keys"), (uint32_t)vector_u64(head, "stream"),
                        (uint32_t)vector_u64(head, "seq"), (uint32_t)vector_u64(head, "dropped"));
    CHECK(vector, message.size > sizeof expected && memcmp(message.data, expected, sizeof expected) == 0);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        check_chunk(vector, json_array_get(chunks, i), (enum protocol_arrays_mode)mode, message);
    }
    msgpack_zone zone;
    msgpack_object root = bytes_unpack(message, &zone);
    struct protocol_message parsed;
    struct protocol_error error;
    const msgpack_object *fields;
    CHECK(vector, protocol_message_parse(&root, &parsed, &error));
    CHECK(vector, protocol_message_fields(parsed.params, &fields, &error) && fields != NULL);
    CHECK(vector, fields->via.map.size == vector_u64(head, "keys"));
    CHECK(vector, object_at(fields, "bodies")->via.array.size == json_array_size(chunks));
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(vector, "fields"), key, value)
    {
        CHECK(vector, object_at(fields, key) != NULL && object_equals(object_at(fields, key), value));
    }
    msgpack_zone_destroy(&zone);
    free(message.data);
}

static void frames_are_laid_out_as_they_are(void **state)
{
    (void)state;
    vectors_each("frames.json", "heads", check_head);
    vectors_each("frames.json", "frames", check_frame);
}

// ---------------------------------------------------------------------------------------------------------

// A line of the reference that holds a request.
static void check_example(const char *line)
{
    json_error_t wrong;
    json_t *request = json_loads(line, JSON_REJECT_DUPLICATES, &wrong);
    if (request == NULL) {
        fail_msg("%s: %s", line, wrong.text);
    }
    msgpack_sbuffer buffer;
    msgpack_packer packer;
    msgpack_zone zone;
    msgpack_sbuffer_init(&buffer);
    msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
    value_pack(request, &packer);
    msgpack_object root = bytes_unpack((struct bytes){(uint8_t *)buffer.data, buffer.size}, &zone);
    struct protocol_message message;
    struct protocol_error error;
    const msgpack_object *map;
    enum protocol_method method;
    bool is_good = protocol_message_parse(&root, &message, &error) &&
                   protocol_message_fields(message.params, &map, &error);
    if (!is_good || !protocol_method_find(message.method, &method)) {
        fail_msg("no request: %s", line);
        return;
    }
    void *out = malloc(protocol_methods[method].params->size);
    assert_non_null(out);
    if (!protocol_decode(protocol_methods[method].params, map, &zone, out, &error)) {
        fail_msg("%s: %s", line, error.text);
    }
    free(out);
    msgpack_zone_destroy(&zone);
    msgpack_sbuffer_destroy(&buffer);
    json_decref(request);
}

static void the_examples_of_the_reference_are_accepted(void **state)
{
    (void)state;
    char line[4096];
    int count = 0;
    FILE *file = fopen("../../docs/reference/methods.md", "r");
    if (file == NULL) {
        fail_msg("no docs/reference/methods.md");
        return;
    }
    bool is_code = false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "```", 3) == 0) {
            is_code = strncmp(line, "```json", 7) == 0;
        } else if (is_code) {
            check_example(line);
            count++;
        }
    }
    fclose(file);
    assert_int_equal(count, PROTOCOL_METHOD_COUNT);
}

// ---------------------------------------------------------------------------------------------------------
// Records: read, packed again, and replayed one after another

static struct document *replayed;

// The vectors were written when there were so many kinds of constraints.
enum { VECTOR_KINDS = 5 };

static bool is_no_range(const msgpack_object *value)
{
    const bool map = value->type == MSGPACK_OBJECT_MAP && value->via.map.size == 2;
    const msgpack_object *first = map ? object_at(value, "first") : NULL,
                         *count = map ? object_at(value, "count") : NULL;
    return first && count && first->via.u64 == 0 && count->via.u64 == 0;
}

// Whether `whole` has all of `part`, and beside that no more than empty ranges of constraints, as a later kind brings them.
static bool has_all(const msgpack_object *whole, const msgpack_object *part)
{
    uint32_t known = 0;
    if (whole->type == MSGPACK_OBJECT_ARRAY && part->type == MSGPACK_OBJECT_ARRAY) {
        bool all = whole->via.array.size == part->via.array.size;
        for (uint32_t i = 0; all && i < part->via.array.size; i++) {
            all = has_all(&whole->via.array.ptr[i], &part->via.array.ptr[i]);
        }
        return all;
    }
    if (whole->type != MSGPACK_OBJECT_MAP || part->type != MSGPACK_OBJECT_MAP) {
        return msgpack_object_equal(*whole, *part);
    }
    for (uint32_t i = 0; i < whole->via.map.size; i++) {
        const msgpack_object_kv *entry = &whole->via.map.ptr[i];
        bool same = false;
        for (uint32_t k = 0; !same && k < part->via.map.size; k++) {
            same = msgpack_object_equal(entry->key, part->via.map.ptr[k].key) &&
                   has_all(&entry->val, &part->via.map.ptr[k].val);
        }
        known += same;
        if (!same && !is_no_range(&entry->val)) {
            return false;
        }
    }
    return known == part->via.map.size;
}

// Whether a record that was read is written as it was. With a later kind it says of this one, too, that there are none.
static bool is_written_again(struct bytes bytes, const msgpack_sbuffer *again)
{
    if ((int)SIM_KIND_COUNT > (int)VECTOR_KINDS) {
        const struct bytes written = {.data = (uint8_t *)again->data, .size = again->size};
        msgpack_zone zones[2];
        const msgpack_object whole = bytes_unpack(written, &zones[0]), part = bytes_unpack(bytes, &zones[1]);
        const bool all = has_all(&whole, &part);
        msgpack_zone_destroy(&zones[0]);
        msgpack_zone_destroy(&zones[1]);
        return all;
    }
    return again->size == bytes.size && memcmp(again->data, bytes.data, bytes.size) == 0;
}

static void check_record(const json_t *vector)
{
    struct bytes bytes = vector_hex(vector, "hex");
    struct document_record record;
    struct protocol_error error = {0};
    msgpack_sbuffer again;
    msgpack_packer packer;
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    msgpack_sbuffer_init(&again);
    msgpack_packer_init(&packer, &again, msgpack_sbuffer_write);
    CHECK(vector, document_record_read(bytes.data, bytes.size, &zone, &record, &error));
    document_record_pack(&record, &packer);
    CHECK(vector, is_written_again(bytes, &again));
    while (replayed->tick < record.tick) {
        document_step(replayed, NULL, NULL);
    }
    CHECK(vector, document_replay(replayed, &record, &zone, &error));
    CHECK(vector, replayed->revision == record.revision);
    // One byte more, one less, or a field that is none: refused, whatever it is.
    CHECK(vector, !document_record_read(bytes.data, bytes.size - 1, &zone, &record, &error));
    bytes.data[0] = 0x99;
    CHECK(vector, !document_record_read(bytes.data, bytes.size, &zone, &record, &error));
    msgpack_sbuffer_destroy(&again);
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void records_are_read_written_and_replayed(void **state)
{
    (void)state;
    struct protocol_world_create_params settings;
    protocol_defaults(&protocol_world_create_params_type, &settings);
    replayed = document_create(&settings);
    assert_non_null(replayed);
    vectors_each("records.json", "records", check_record);
    document_destroy(replayed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(envelopes_are_read),
        cmocka_unit_test(arrays_are_read_and_written),
        cmocka_unit_test(errors_have_their_shapes),
        cmocka_unit_test(streams_get_their_verdicts_however_they_are_cut),
        cmocka_unit_test(parameters_are_accepted_and_refused),
        cmocka_unit_test(frames_are_laid_out_as_they_are),
        cmocka_unit_test(records_are_read_written_and_replayed),
        cmocka_unit_test(the_examples_of_the_reference_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
