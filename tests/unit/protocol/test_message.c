// Envelopes in and out, and errors as clients get them.
#include "protocol/message.h"

#include "helper_value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool parse(const char *text, struct value *value, struct protocol_message *message,
                  struct protocol_error *error)
{
    value_init(value, text);
    return protocol_message_parse(&value->object, message, error);
}

static void the_three_kinds_are_recognised(void **state)
{
    (void)state;
    struct value value;
    struct protocol_message message;
    struct protocol_error error;
    assert_true(parse("[0, 4294967295, \"world.create\", [{}]]", &value, &message, &error));
    assert_int_equal(message.kind, PROTOCOL_REQUEST);
    assert_true(message.msgid == 4294967295u);
    assert_int_equal(message.method.size, 12);
    assert_memory_equal(message.method.data, "world.create", 12);
    assert_int_equal(message.params->type, MSGPACK_OBJECT_ARRAY);
    value_deinit(&value);
    assert_true(parse("[1, 7, nil, 5]", &value, &message, &error));
    assert_int_equal(message.kind, PROTOCOL_RESPONSE);
    assert_int_equal(message.msgid, 7);
    assert_int_equal(message.error->type, MSGPACK_OBJECT_NIL);
    assert_int_equal(message.result->via.u64, 5);
    value_deinit(&value);
    assert_true(parse("[2, \"grab.move\", [{\"x\": 1}]]", &value, &message, &error));
    assert_int_equal(message.kind, PROTOCOL_NOTIFICATION);
    assert_memory_equal(message.method.data, "grab.move", 9);
    value_deinit(&value);
    // The method checks the contents of params.
    assert_true(parse("[0, 1, \"\", 5]", &value, &message, &error));
    assert_int_equal(message.params->via.u64, 5);
    value_deinit(&value);
}

static void anything_else_is_no_message(void **state)
{
    (void)state;
    static const char *const others[] = {"nil",
                                         "5",
                                         "\"text\"",
                                         "{}",
                                         "[]",
                                         "[0]",
                                         "[3, 1, \"a\", []]",
                                         "[-1, 1, \"a\", []]",
                                         "[0.0, 1, \"a\", []]",
                                         "[\"0\", 1, \"a\", []]",
                                         "[0, 1, \"a\"]",
                                         "[0, 1, \"a\", [], 1]",
                                         "[0, -1, \"a\", []]",
                                         "[0, 4294967296, \"a\", []]",
                                         "[0, \"1\", \"a\", []]",
                                         "[0, nil, \"a\", []]",
                                         "[0, 1, 5, []]",
                                         "[0, 1, bin\"61\", []]",
                                         "[1, 1, nil]",
                                         "[1, nil, nil, nil]",
                                         "[2, \"a\"]",
                                         "[2, \"a\", [], []]",
                                         "[2, 1, []]",
                                         "[18446744073709551615, 1, \"a\", []]",
                                         "[nil, 1, \"a\", []]"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct value value;
        struct protocol_message message;
        struct protocol_error error;
        if (parse(others[i], &value, &message, &error)) {
            fail_msg("taken for a message: %s", others[i]);
        }
        assert_int_equal(error.code, PROTOCOL_CODE_PROTOCOL);
        assert_true(strlen(error.text) > 20);
        value_deinit(&value);
    }
}

static void params_are_an_array_of_at_most_one_map(void **state)
{
    (void)state;
    struct value value;
    struct protocol_error error;
    const msgpack_object *map = NULL;
    value_init(&value, "[{\"a\": 1}]");
    assert_true(protocol_message_fields(&value.object, &map, &error));
    assert_int_equal(map->via.map.size, 1);
    value_deinit(&value);
    value_init(&value, "[]");
    assert_true(protocol_message_fields(&value.object, &map, &error));
    assert_null(map);
    value_deinit(&value);
    static const char *const others[] = {"{}", "nil", "[1]", "[[]]", "[{}, {}]", "[nil]", "\"a\""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        value_init(&value, others[i]);
        assert_false(protocol_message_fields(&value.object, &map, &error));
        assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
        assert_non_null(strstr(error.text, "[{...}]"));
        value_deinit(&value);
    }
}

struct output {
    msgpack_sbuffer buffer;
    msgpack_packer packer;
};

static void output_init(struct output *output)
{
    msgpack_sbuffer_init(&output->buffer);
    msgpack_packer_init(&output->packer, &output->buffer, msgpack_sbuffer_write);
}

static void expect_output(struct output *output, const char *text)
{
    struct bytes expected = value_bytes(text);
    assert_int_equal(output->buffer.size, expected.size);
    assert_memory_equal(output->buffer.data, expected.data, expected.size);
    free(expected.data);
    msgpack_sbuffer_destroy(&output->buffer);
}

static void heads_take_one_value_behind_them(void **state)
{
    (void)state;
    struct output output;
    output_init(&output);
    protocol_pack_request(&output.packer, 300, "server.ping");
    msgpack_pack_map(&output.packer, 0);
    expect_output(&output, "[0, 300, \"server.ping\", [{}]]");
    output_init(&output);
    protocol_pack_notification(&output.packer, "error");
    msgpack_pack_map(&output.packer, 0);
    expect_output(&output, "[2, \"error\", [{}]]");
    output_init(&output);
    protocol_pack_result(&output.packer, 4294967295u);
    msgpack_pack_int(&output.packer, 5);
    expect_output(&output, "[1, 4294967295, nil, 5]");
}

static void failures_come_as_array_or_as_map(void **state)
{
    (void)state;
    struct output output;
    struct protocol_error error;
    protocol_error_set(&error, PROTOCOL_CODE_NOT_FOUND, "world", "world: %d does not exist", 7);
    output_init(&output);
    protocol_pack_failure(&output.packer, 3, &error, PROTOCOL_ERRORS_ARRAY, NULL);
    expect_output(&output, "[1, 3, [1, \"NOT_FOUND: world: 7 does not exist\"], nil]");
    output_init(&output);
    protocol_pack_failure(&output.packer, 3, &error, PROTOCOL_ERRORS_MAP, NULL);
    expect_output(
        &output,
        "[1, 3, {\"kind\": 1, \"code\": \"NOT_FOUND\", \"text\": \"world: 7 does not exist\", "
        "\"field\": \"world\", \"value\": nil, \"revision\": nil, \"user\": nil, \"limit\": nil}, nil]");
    protocol_error_set(&error, PROTOCOL_CODE_INTERNAL, NULL, "no luck");
    strcpy(error.value, "v");
    error.revision = 12;
    error.limit = 64;
    output_init(&output);
    protocol_error_pack(&error, PROTOCOL_ERRORS_MAP, "Ada", &output.packer);
    expect_output(&output, "{\"kind\": 0, \"code\": \"INTERNAL\", \"text\": \"no luck\", \"field\": nil, "
                           "\"value\": \"v\", \"revision\": 12, \"user\": \"Ada\", \"limit\": 64}");
    error.limit = 0.5;
    output_init(&output);
    protocol_error_pack(&error, PROTOCOL_ERRORS_MAP, "", &output.packer);
    expect_output(&output, "{\"kind\": 0, \"code\": \"INTERNAL\", \"text\": \"no luck\", \"field\": nil, "
                           "\"value\": \"v\", \"revision\": 12, \"user\": nil, \"limit\": 0.5}");
}

static void texts_are_clean_whatever_peers_put_into_them(void **state)
{
    (void)state;
    struct protocol_error error;
    protocol_error_set(&error, PROTOCOL_CODE_CONFLICT, "na\xFFme", "name \"%s\" is taken",
                       "a\n\x1B[2J\xC3(\xE2\x82");
    assert_string_equal(error.text, "name \"a??[2J?(??\" is taken");
    assert_string_equal(error.field, "na?me");
    assert_true(isnan(error.limit) && error.revision == 0 && error.value[0] == 0);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    for (int lead = 0; lead < 4; lead++) {
        char text[600];
        memset(text, 'x', sizeof text);
        for (size_t i = (size_t)lead; i + 3 < sizeof text; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 3); // the euro sign
        }
        text[sizeof text - 1] = 0;
        struct protocol_error error;
        protocol_error_set(&error, PROTOCOL_CODE_INVALID, text, "%s", text);
        size_t size = strlen(error.text);
        assert_true(size > PROTOCOL_TEXT_MAX - 8 && size < PROTOCOL_TEXT_MAX);
        assert_string_equal(error.text + size - 3, "…");
        assert_null(strchr(error.text, '?'));
        assert_null(strchr(error.field, '?'));
        assert_memory_equal(error.text, text, size - 3);
    }
}

static void kind_msgid_and_method_are_told_without_unpacking(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        bool told;
        enum protocol_message_kind kind;
        uint32_t msgid;
        const char *method;
    } cases[] = {
        {"940005a3612e62", true, PROTOCOL_REQUEST, 5, "a.b"},
        {"9400ceffffffffd90161", true, PROTOCOL_REQUEST, UINT32_MAX, "a"},
        {"9400cd0100da000261", false, 0, 0, NULL},
        {"9302a3612e6291", true, PROTOCOL_NOTIFICATION, 0, "a.b"},
        {"940109c0c0", true, PROTOCOL_RESPONSE, 9, ""},
        {"9400", false, 0, 0, NULL},
        {"940003", false, 0, 0, NULL},
        {"940007db000000056162", false, 0, 0, NULL},
        {"9403", false, 0, 0, NULL},
        {"80", false, 0, 0, NULL},
        {"", false, 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct protocol_message message;
        struct bytes bytes = bytes_from_hex(cases[i].bytes);
        assert_int_equal(protocol_message_peek(bytes.data, bytes.size, &message), cases[i].told);
        if (cases[i].told) {
            assert_int_equal(message.kind, cases[i].kind);
            assert_int_equal(message.msgid, cases[i].msgid);
            assert_int_equal(message.method.size, strlen(cases[i].method));
            assert_memory_equal(message.method.data, cases[i].method, strlen(cases[i].method));
        }
        free(bytes.data);
    }
}

static void the_last_entries_of_a_result_are_cut(void **state)
{
    (void)state;
    for (uint32_t count = 0; count < 20; count++) { // small maps and larger ones
        msgpack_sbuffer bytes;
        msgpack_packer packer;
        msgpack_sbuffer_init(&bytes);
        msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
        protocol_pack_result(&packer, count * UINT32_C(50000000));
        msgpack_pack_map(&packer, count + 2);
        for (uint32_t i = 0; i < count; i++) {
            msgpack_pack_uint32(&packer, i);
            msgpack_pack_nil(&packer);
        }
        const size_t before = bytes.size;
        for (uint32_t i = 0; i < 2; i++) {
            msgpack_pack_str_with_body(&packer, "mark", 4);
            msgpack_pack_true(&packer);
        }
        const size_t left = protocol_result_cut((uint8_t *)bytes.data, bytes.size, 2, bytes.size - before);
        assert_int_equal(left, before);
        msgpack_unpacked unpacked;
        msgpack_unpacked_init(&unpacked);
        assert_int_equal(msgpack_unpack_next(&unpacked, bytes.data, left, NULL), MSGPACK_UNPACK_SUCCESS);
        const msgpack_object *result = &unpacked.data.via.array.ptr[3];
        assert_int_equal(result->type, MSGPACK_OBJECT_MAP);
        assert_int_equal(result->via.map.size, count);
        msgpack_unpacked_destroy(&unpacked);
        msgpack_sbuffer_destroy(&bytes);
    }
}

static void what_has_no_such_result_is_not_cut(void **state)
{
    (void)state;
    static const char *const others[] = {"[1, 7, [1, \"CONFLICT: no, another was first\"], nil]",
                                         "[1, 7, nil, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]]",
                                         "[1, 7, nil, {\"one\": \"of a length that would do\"}]",
                                         "[2, \"world.changed\", [{\"world\": 1, \"tick\": 3}]]", "[1]"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct value value;
        msgpack_sbuffer bytes;
        msgpack_packer packer;
        value_init(&value, others[i]);
        msgpack_sbuffer_init(&bytes);
        msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
        assert_int_equal(msgpack_pack_object(&packer, value.object), 0);
        assert_int_equal(protocol_result_cut((uint8_t *)bytes.data, bytes.size, 2, 4), bytes.size);
        msgpack_sbuffer_destroy(&bytes);
        value_deinit(&value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kind_msgid_and_method_are_told_without_unpacking),
        cmocka_unit_test(the_three_kinds_are_recognised),
        cmocka_unit_test(anything_else_is_no_message),
        cmocka_unit_test(params_are_an_array_of_at_most_one_map),
        cmocka_unit_test(heads_take_one_value_behind_them),
        cmocka_unit_test(failures_come_as_array_or_as_map),
        cmocka_unit_test(texts_are_clean_whatever_peers_put_into_them),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(the_last_entries_of_a_result_are_cut),
        cmocka_unit_test(what_has_no_such_result_is_not_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
