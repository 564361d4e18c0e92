// Messages that are passed on: what changes in them, that nothing else does, and that no bytes bring it to read past their end.
#include "relay/wire.h"

#include "base/buffer.h"
#include "protocol/bytes.h"
#include "protocol/frame.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct relay_ids exchange = {.sessions = {7, 300}, .stream = 90000};

static void text(msgpack_packer *packer, const char *words)
{
    msgpack_pack_str_with_body(packer, words, strlen(words));
}

// {session, stream, people: [{session}, {session}], asking, other: {to: 7.0, list: ["session", 7], positions: bin}}
static void pack_fields(msgpack_packer *packer, const uint32_t ids[5], uint32_t stream)
{
    static const uint8_t positions[40] = {0xa7, 's', 'e', 's', 's', 'i', 'o', 'n', 7};
    msgpack_pack_map(packer, 5);
    text(packer, "session");
    msgpack_pack_uint32(packer, ids[0]);
    text(packer, "stream");
    msgpack_pack_uint32(packer, stream);
    text(packer, "people");
    msgpack_pack_array(packer, 2);
    for (int i = 1; i < 3; i++) {
        msgpack_pack_map(packer, 3);
        text(packer, "user");
        text(packer, ids[i] == 7 ? "session-7" : ids[i] == 300 ? "session-300" : "session");
        text(packer, "asking_user");
        text(packer, "session-70");
        text(packer, "session");
        msgpack_pack_uint32(packer, ids[i]);
    }
    text(packer, "asking");
    msgpack_pack_uint32(packer, ids[3]);
    text(packer, "other");
    msgpack_pack_map(packer, 3);
    text(packer, "to");
    if (ids[4] == 7) {
        msgpack_pack_double(packer, 7.0);
    } else {
        msgpack_pack_uint32(packer, ids[4]);
    }
    text(packer, "list");
    msgpack_pack_array(packer, 3);
    text(packer, "session");
    msgpack_pack_int(packer, 7);
    msgpack_pack_int(packer, -7);
    text(packer, "positions");
    msgpack_pack_bin_with_body(packer, positions, sizeof positions);
}

enum shape { REQUEST, RESPONSE, NOTIFICATION };

static struct protocol_bytes make(enum shape shape, uint32_t msgid, const uint32_t ids[5], uint32_t stream)
{
    struct protocol_bytes bytes = {0};
    msgpack_packer packer;
    msgpack_packer_init(&packer, &bytes, protocol_bytes_write);
    if (shape == REQUEST) {
        protocol_pack_request(&packer, msgid, "world.control");
    } else if (shape == RESPONSE) {
        protocol_pack_result(&packer, msgid);
    } else {
        protocol_pack_notification(&packer, "world.controlled");
    }
    pack_fields(&packer, ids, stream);
    assert_false(bytes.failed);
    return bytes;
}

static const uint32_t before[5] = {7, 300, 5, 7, 7}, after[5] = {300, 7, 5, 300, 300};

static void ids_are_exchanged_and_nothing_else(void **state)
{
    (void)state;
    for (enum shape shape = REQUEST; shape <= NOTIFICATION; shape++) {
        struct protocol_bytes from = make(shape, 3, before, 12), to = make(shape, 70000, after, 90000);
        struct relay_envelope envelope;
        assert_true(relay_envelope_read(from.data, from.size, &envelope));
        assert_int_equal(envelope.message.kind, shape);
        assert_false(envelope.failed);
        struct base_buffer *bytes = relay_rewrite(from.data, from.size, &envelope, 70000, &exchange, NULL);
        assert_non_null(bytes);
        // Numbers that change take five bytes each, so the values are held against each other.
        msgpack_unpacked one, other;
        msgpack_unpacked_init(&one);
        msgpack_unpacked_init(&other);
        size_t at = 0;
        assert_int_equal(msgpack_unpack_next(&one, (char *)bytes->data, bytes->size, &at),
                         MSGPACK_UNPACK_SUCCESS);
        assert_int_equal(at, bytes->size);
        at = 0;
        assert_int_equal(msgpack_unpack_next(&other, (char *)to.data, to.size, &at), MSGPACK_UNPACK_SUCCESS);
        assert_true(msgpack_object_equal(one.data, other.data));
        msgpack_unpacked_destroy(&one);
        msgpack_unpacked_destroy(&other);
        base_buffer_unref(bytes);
        // With nothing to exchange all behind the id is as it was.
        bytes =
            relay_rewrite(from.data, from.size, &envelope, 3, &(struct relay_ids){.sessions = {4, 4}}, NULL);
        assert_memory_equal(bytes->data + bytes->size - (from.size - envelope.rest),
                            from.data + envelope.rest, from.size - envelope.rest);
        base_buffer_unref(bytes);
        assert_int_equal(relay_number(from.data, from.size, &envelope, "stream"), 12);
        assert_int_equal(relay_number(from.data, from.size, &envelope, "to"), 0);
        protocol_bytes_deinit(&from);
        protocol_bytes_deinit(&to);
    }
}

// [2, "stream.ack", [{"stream": 3, "seq": seq}]]
static uint64_t acknowledged(uint32_t seq, uint32_t sent_before)
{
    static const uint8_t start[] = "\x93\x02\xaa"
                                   "stream.ack"
                                   "\x91\x82\xa6"
                                   "stream"
                                   "\x03\xa3"
                                   "seq\xce";
    uint8_t message[sizeof start - 1 + 4];
    memcpy(message, start, sizeof start - 1);
    relay_store32(message + sizeof start - 1, seq);
    struct relay_envelope envelope, other;
    assert_true(relay_envelope_read(message, sizeof message, &envelope));
    struct base_buffer *bytes =
        relay_rewrite(message, sizeof message, &envelope, 0,
                      &(struct relay_ids){.sessions = {7, 300}, .stream = 5, .before = sent_before}, NULL);
    assert_non_null(bytes);
    assert_true(relay_envelope_read(bytes->data, bytes->size, &other));
    assert_int_equal(relay_number(bytes->data, bytes->size, &other, "stream"), 5);
    const uint64_t told = relay_number64(bytes->data, bytes->size, &other, "seq");
    base_buffer_unref(bytes);
    return told;
}

static void frames_are_counted_as_the_other_server_does(void **state)
{
    (void)state;
    assert_int_equal(acknowledged(9, 0), 9);
    assert_int_equal(acknowledged(7, 0), 7); // it is no session
    assert_int_equal(acknowledged(9, 4), 5);
    assert_int_equal(acknowledged(4, 4), 0);
    assert_int_equal(acknowledged(3, 4), 0);
}

static void failures_are_told_from_results(void **state)
{
    (void)state;
    const uint8_t failed[] = {0x94, 1, 5, 0x92, 1, 0xa1, 'x', 0xc0};
    struct relay_envelope envelope;
    assert_true(relay_envelope_read(failed, sizeof failed, &envelope));
    assert_true(envelope.failed);
    assert_int_equal(envelope.rest, 3);
    assert_false(relay_envelope_read(failed, 3, &envelope));
    const uint8_t others[][4] = {
        {0x93, 1, 5, 0xc0}, {0x94, 2, 0xa0, 0xc0}, {0x84, 1, 5, 0xc0}, {0x94, 3, 5, 0xc0}};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(relay_envelope_read(others[i], sizeof others[i], &envelope));
    }
}

static void frames_are_told_by_their_head(void **state)
{
    (void)state;
    uint8_t head[PROTOCOL_FRAME_HEAD_SIZE], other[PROTOCOL_FRAME_HEAD_SIZE];
    protocol_frame_head(head, 12, 0x01020304, 9, 3);
    const size_t at = relay_frame_stream(head, sizeof head);
    assert_true(at != 0);
    assert_int_equal(relay_load32(head + at), 0x01020304);
    assert_int_equal(relay_load32(head + relay_frame_seq(at)), 9);
    relay_store32(head + at, 77);
    protocol_frame_head(other, 12, 77, 9, 3);
    assert_memory_equal(head, other, sizeof head);
    assert_int_equal(relay_frame_stream(head, sizeof head - 1), 0);
    protocol_records_head(other, 9, 5, 6);
    const size_t records_at = relay_frame_stream(other, PROTOCOL_RECORDS_HEAD_SIZE);
    assert_int_equal(relay_load32(other + records_at), 5);
    assert_int_equal(relay_load32(other + relay_frame_seq(records_at)), 6);
    head[20] ^= 1;
    assert_int_equal(relay_frame_stream(head, sizeof head), 0);
}

static uint32_t seed = 1;

static uint32_t next(uint32_t below)
{
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)(((uint64_t)seed * below) >> 32);
}

// In memory of their own size, so that a sanitizer sees each byte behind them.
static void look_at(const uint8_t *from, size_t size)
{
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    assert_non_null(bytes);
    memcpy(bytes, from, size);
    struct relay_envelope envelope;
    (void)relay_frame_stream(bytes, size);
    if (relay_envelope_read(bytes, size, &envelope)) {
        assert_true(envelope.rest <= size && envelope.id <= envelope.rest);
        (void)relay_number(bytes, size, &envelope, "stream");
        base_buffer_unref(relay_rewrite(bytes, size, &envelope, next(UINT32_MAX), &exchange, NULL));
    }
    free(bytes);
}

static void no_bytes_are_read_past_the_end(void **state)
{
    (void)state;
    uint8_t bytes[256];
    for (uint32_t round = 0; round < 20000; round++) {
        struct protocol_bytes whole = make((enum shape)next(3), next(70000), before, next(300));
        for (uint32_t i = next(6); i > 0; i--) {
            whole.data[next((uint32_t)whole.size)] = (uint8_t)next(256);
        }
        look_at(whole.data, round % 2 == 0 ? whole.size : next((uint32_t)whole.size));
        protocol_bytes_deinit(&whole);
        const uint32_t size = next(sizeof bytes);
        for (uint32_t i = 0; i < size; i++) {
            bytes[i] = (uint8_t)(next(3) == 0 ? 0x90 + next(0x50) : next(256));
        }
        bytes[0] = (uint8_t)(0x93 + next(2));
        bytes[1] = (uint8_t)next(3);
        look_at(bytes, size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_exchanged_and_nothing_else),
        cmocka_unit_test(frames_are_counted_as_the_other_server_does),
        cmocka_unit_test(failures_are_told_from_results),
        cmocka_unit_test(frames_are_told_by_their_head),
        cmocka_unit_test(no_bytes_are_read_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
