// The head of a frame, byte for byte, and as any reader sees it.
#include "protocol/frame.h"

#include "helper_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_head_is_as_documented_to_the_byte(void **state)
{
    (void)state;
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE];
    struct bytes expected = bytes_from_hex("93 02 ac 73747265616d2e6672616d65 91 de 0102"
                                           "a6 73747265616d ce 01020304"
                                           "a3 736571 ce 05060708"
                                           "a7 64726f70706564 ce fffefdfc"
                                           "a1 5f c4 07 00000000000000");
    protocol_frame_head(head, 0x0102, 0x01020304, 0x05060708, 0xFFFEFDFC);
    assert_int_equal(expected.size, 64);
    assert_memory_equal(head, expected.data, 64);
    free(expected.data);
}

static void so_is_that_of_records(void **state)
{
    (void)state;
    uint8_t head[PROTOCOL_RECORDS_HEAD_SIZE];
    struct bytes expected = bytes_from_hex("93 02 ae 73747265616d2e7265636f726473 91 de 0102"
                                           "a6 73747265616d ce 01020304"
                                           "a3 736571 ce 05060708");
    protocol_records_head(head, 0x0102, 0x01020304, 0x05060708);
    assert_int_equal(expected.size, sizeof head);
    assert_memory_equal(head, expected.data, sizeof head);
    free(expected.data);
}

static void the_head_begins_a_notification_that_the_shared_part_ends(void **state)
{
    (void)state;
    uint8_t message[PROTOCOL_FRAME_HEAD_SIZE + 7];
    protocol_frame_head(message, PROTOCOL_FRAME_HEAD_KEYS + 1, 3, 0, 4294967295u);
    memcpy(message + PROTOCOL_FRAME_HEAD_SIZE, "\xA5world\x09", 7);
    struct value value;
    value_init_bytes(&value, message, sizeof message);
    assert_int_equal(value.object.via.array.size, 3);
    assert_int_equal(value.object.via.array.ptr[0].via.u64, 2);
    const msgpack_object *fields = &value.object.via.array.ptr[2].via.array.ptr[0];
    assert_int_equal(fields->via.map.size, 5);
    assert_int_equal(value_at(fields, "stream")->via.u64, 3);
    assert_int_equal(value_at(fields, "seq")->via.u64, 0);
    assert_true(value_at(fields, "dropped")->via.u64 == 4294967295u);
    assert_int_equal(value_at(fields, "_")->via.bin.size, 7);
    assert_int_equal(value_at(fields, "world")->via.u64, 9);
    value_deinit(&value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_is_as_documented_to_the_byte),
        cmocka_unit_test(so_is_that_of_records),
        cmocka_unit_test(the_head_begins_a_notification_that_the_shared_part_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
