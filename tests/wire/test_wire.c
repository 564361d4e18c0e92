// weft's own code against the vectors. Runs in their folder. A vector that fails is named.
#include "json.h"

#include "document/document.h"
#include "protocol/array.h"
#include "protocol/codec/plan.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "protocol/params.h"
#include "protocol/scan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHECK(vector, condition)                                                    \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fail_msg("\"%s\": does not hold: %s", vector_name(vector), #condition); \
        }                                                                           \
    } while (0)

// Calls check for each vector of a list, which must not be empty.
static void each(const char *file, const char *list, void (*check)(const json_t *vector))
{
    json_t *root = vectors_load(file);
    const json_t *vectors = json_object_get(root, list);
    assert_true(json_array_size(vectors) > 0);
    for (size_t i = 0; i < json_array_size(vectors); i++) {
        check(json_array_get(vectors, i));
    }
    json_decref(root);
}

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

static const char *text_at(const json_t *vector, const char *key)
{
    return json_string_value(json_object_get(vector, key));
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
    CHECK(vector, (int)message.kind == position(text_at(vector, "kind"), kinds, 3));
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
    each("envelopes.json", "messages", check_message);
    each("envelopes.json", "refused", check_no_message);
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
    bool is_array = protocol_array_from(&root, type_named(text_at(vector, "bin")), &array);
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
    enum protocol_array_type type = type_named(text_at(vector, "type"));
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
    each("arrays.json", "accepted", check_array);
    each("arrays.json", "refused", check_array);
    each("arrays.json", "sent", check_sent);
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
    const char *value = text_at(vector, "value"), *user = text_at(vector, "user");
    bool is_map = strcmp(text_at(vector, "mode"), "map") == 0;
    protocol_error_set(&error, code_named(text_at(vector, "code")), text_at(vector, "field"), "%s",
                       text_at(vector, "text"));
    snprintf(error.value, sizeof error.value, "%s", value == NULL ? "" : value);
    error.revision = (uint64_t)json_integer_value(json_object_get(vector, "revision"));
    if (json_is_number(json_object_get(vector, "limit"))) {
        error.limit = json_number(json_object_get(vector, "limit"));
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
    each("errors.json", "errors", check_error);
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
    int verdict = position(text_at(vector, "verdict"), verdicts, 6);
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
    each("streams.json", "streams", check_stream);
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
        protocol_methods[method_named(vector, text_at(vector, "method"))].params;
    void *out = malloc(type->size);
    assert_non_null(out);
    bool is_accepted = protocol_decode(type, &root, &zone, out, &error);
    enum protocol_code code = is_accepted ? PROTOCOL_CODE_OK : error.code;
    CHECK(vector, code == code_named(text_at(vector, "verdict")));
    if (!is_accepted) {
        const char *field = text_at(vector, "field");
        CHECK(vector, strcmp(error.field, field == NULL ? "" : field) == 0);
    }
    free(out);
    msgpack_zone_destroy(&zone);
    free(bytes.data);
}

static void parameters_are_accepted_and_refused(void **state)
{
    (void)state;
    each("params.json", "params", check_params);
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

static const float *floats_of(const json_t *chunk, const char *name, float *out)
{
    const json_t *numbers = json_object_get(chunk, name);
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        out[i] = (float)json_number(json_array_get(numbers, i));
    }
    return numbers == NULL ? NULL : out;
}

static void check_chunk(const json_t *vector, const json_t *given, enum protocol_arrays_mode mode,
                        struct bytes message)
{
    float positions[64], velocities[64], normals[64];
    double positions64[64];
    const json_t *wide = json_object_get(given, "positions64");
    for (size_t i = 0; i < json_array_size(wide); i++) {
        positions64[i] = json_number(json_array_get(wide, i));
    }
    const struct codec_chunk chunk = {
        .body = (uint32_t)vector_u64(given, "body"),
        .first = (uint32_t)vector_u64(given, "first"),
        .count = (uint32_t)vector_u64(given, "count"),
        .positions = floats_of(given, "positions", positions),
        .positions64 = wide == NULL ? NULL : positions64,
        .velocities = floats_of(given, "velocities", velocities),
        .normals = floats_of(given, "normals", normals),
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
    int mode = position(text_at(vector, "arrays"), modes, 3);
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
    each("frames.json", "heads", check_head);
    each("frames.json", "frames", check_frame);
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
    CHECK(vector, again.size == bytes.size && memcmp(again.data, bytes.data, bytes.size) == 0);
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
    each("records.json", "records", check_record);
    document_destroy(replayed);
}

// ---------------------------------------------------------------------------------------------------------

enum { COMPRESSED_MAX = 256 };

static uint32_t count_of(const json_t *vector)
{
    uint64_t count = vector_u64(vector, "count");
    CHECK(vector, count <= COMPRESSED_MAX);
    return (uint32_t)count;
}

static bool same_floats(const float *a, const float *b, uint32_t count)
{
    return memcmp(a, b, 3 * sizeof *a * count) == 0;
}

static void check_q16(const json_t *vector)
{
    float positions[3 * COMPRESSED_MAX], expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
    float told[3], error[3];
    uint32_t count = count_of(vector);
    struct bytes bytes = vector_hex(vector, "hex");
    uint8_t *written = malloc(codec_q16_bound(count));
    assert_non_null(written);
    floats_of(vector, "positions", positions);
    floats_of(vector, "decoded", expected);
    floats_of(vector, "error", told);
    CHECK(vector, codec_q16_encode(positions, count, written) == bytes.size);
    CHECK(vector, memcmp(written, bytes.data, 4) == 0);
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_OK);
    codec_q16_error(bytes.data, error);
    CHECK(vector, memcmp(error, told, sizeof error) == 0);
    for (uint32_t i = 0; i < 3 * count; i++) {
        bool is_nan = isnan(expected[i]) && isnan(out[i]);
        CHECK(vector, is_nan || memcmp(&out[i], &expected[i], sizeof out[i]) == 0);
    }
    free(written);
    free(bytes.data);
}

// Bytes that our encoder would not write.
static void check_q16_read(const json_t *vector)
{
    float expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX], told[3], error[3];
    uint32_t count = count_of(vector);
    struct bytes bytes = vector_hex(vector, "hex");
    floats_of(vector, "decoded", expected);
    floats_of(vector, "error", told);
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_OK);
    CHECK(vector, same_floats(out, expected, count));
    codec_q16_error(bytes.data, error);
    CHECK(vector, memcmp(error, told, sizeof error) == 0);
    free(bytes.data);
}

// None of them has room for what its count says, which may be very much.
static void check_q16_refused(const json_t *vector)
{
    float out[3] = {1, 2, 3};
    const float untouched[3] = {1, 2, 3};
    struct bytes bytes = vector_hex(vector, "hex");
    uint32_t count = (uint32_t)vector_u64(vector, "count");
    CHECK(vector, codec_q16_decode(bytes.data, bytes.size, count, out) == CODEC_INVALID);
    CHECK(vector, memcmp(out, untouched, sizeof out) == 0);
    free(bytes.data);
}

static struct codec_plan *plan_of(const json_t *vector)
{
    const json_t *elements = json_object_get(vector, "elements");
    uint32_t indices[4 * COMPRESSED_MAX], corners = (uint32_t)vector_u64(vector, "corners");
    CHECK(vector, json_array_size(elements) <= 4 * COMPRESSED_MAX);
    for (size_t i = 0; i < json_array_size(elements); i++) {
        indices[i] = (uint32_t)json_integer_value(json_array_get(elements, i));
    }
    struct codec_plan *plan;
    size_t element_count = corners > 0 ? json_array_size(elements) / corners : 0;
    CHECK(vector, codec_plan_create(count_of(vector), corners, indices, element_count, &plan) == CODEC_OK);
    return plan;
}

static void check_plan(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    const json_t *vertices = json_object_get(vector, "vertices"), *from = json_object_get(vector, "from");
    CHECK(vector, json_array_size(vertices) == plan->count && json_array_size(from) == plan->count);
    for (uint32_t place = 0; place < plan->count; place++) {
        CHECK(vector, json_integer_value(json_array_get(vertices, place)) == plan->vertex[place]);
        for (size_t i = 0; i < PLAN_FROM; i++) {
            const json_t *expected = json_array_get(json_array_get(from, place), i);
            CHECK(vector, json_integer_value(expected) == plan->from[place][i]);
        }
    }
    codec_plan_destroy(plan);
}

static void check_delta(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    struct codec_encoder *encoder = codec_encoder_create(plan);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    uint8_t *written = malloc(codec_delta_bound(plan->count));
    assert_true(encoder != NULL && decoder != NULL && written != NULL);
    float tolerance = (float)json_number(json_object_get(vector, "tolerance"));
    const json_t *chunks = json_object_get(vector, "chunks");
    CHECK(vector, json_array_size(chunks) > 0);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        const json_t *chunk = json_array_get(chunks, i);
        float positions[3 * COMPRESSED_MAX], expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
        struct bytes bytes = vector_hex(chunk, "hex");
        size_t size =
            floats_of(chunk, "positions", positions) == NULL
                ? codec_delta_key(encoder, written)
                : codec_delta_encode(encoder, positions, vector_u64(chunk, "moment"), tolerance, written);
        // A NaN has many forms, and JSON tells none of them.
        CHECK(vector, size == bytes.size && (written[0] == 0 || memcmp(written, bytes.data, size) == 0));
        CHECK(vector, codec_delta_decode(decoder, bytes.data, bytes.size, out) == CODEC_OK);
        floats_of(chunk, "decoded", expected);
        CHECK(vector, written[0] == 0 || same_floats(out, expected, plan->count));
        free(bytes.data);
    }
    free(written);
    codec_decoder_destroy(decoder);
    codec_encoder_destroy(encoder);
    codec_plan_destroy(plan);
}

static enum codec_status decode_hex(struct codec_decoder *decoder, const char *hex, float *out)
{
    json_t *holder = json_pack("{s:s}", "hex", hex);
    assert_non_null(holder);
    struct bytes bytes = vector_hex(holder, "hex");
    enum codec_status status = codec_delta_decode(decoder, bytes.data, bytes.size, out);
    free(bytes.data);
    json_decref(holder);
    return status;
}

static void check_read(const json_t *vector)
{
    struct codec_plan *plan = plan_of(vector);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    assert_non_null(decoder);
    const json_t *chunks = json_object_get(vector, "chunks");
    CHECK(vector, json_array_size(chunks) > 0);
    for (size_t i = 0; i < json_array_size(chunks); i++) {
        const json_t *chunk = json_array_get(chunks, i);
        float expected[3 * COMPRESSED_MAX], out[3 * COMPRESSED_MAX];
        floats_of(chunk, "decoded", expected);
        CHECK(vector, decode_hex(decoder, text_at(chunk, "hex"), out) == CODEC_OK);
        CHECK(vector, same_floats(out, expected, plan->count));
        uint64_t moment;
        if (codec_delta_moment(decoder, &moment)) {
            CHECK(vector, moment == vector_u64(chunk, "moment"));
        }
    }
    codec_decoder_destroy(decoder);
    codec_plan_destroy(plan);
}

static void check_refused(const json_t *vector)
{
    struct codec_plan *plan;
    float out[3 * 25];
    assert_int_equal(codec_plan_create(25, 0, NULL, 0, &plan), CODEC_OK);
    struct codec_decoder *decoder = codec_decoder_create(plan);
    assert_non_null(decoder);
    const json_t *before = json_object_get(vector, "before");
    for (size_t i = 0; i < json_array_size(before); i++) {
        const char *hex = json_string_value(json_array_get(before, i));
        CHECK(vector, decode_hex(decoder, hex, out) == CODEC_OK);
    }
    CHECK(vector, decode_hex(decoder, text_at(vector, "hex"), out) != CODEC_OK);
    codec_decoder_destroy(decoder);
    codec_plan_destroy(plan);
}

static void positions_are_made_small_and_read(void **state)
{
    (void)state;
    each("compressed.json", "q16", check_q16);
    each("compressed.json", "q16_read", check_q16_read);
    each("compressed.json", "q16_refused", check_q16_refused);
    each("compressed.json", "plans", check_plan);
    each("compressed.json", "deltas", check_delta);
    each("compressed.json", "read", check_read);
    each("compressed.json", "refused", check_refused);
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
        cmocka_unit_test(positions_are_made_small_and_read),
        cmocka_unit_test(the_examples_of_the_reference_are_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
