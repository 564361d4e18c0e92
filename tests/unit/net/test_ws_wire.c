// RFC 6455 without sockets: the examples of the document, each rule with its close code, and any split.
#include "net/ws_wire.h"

#include "protocol/array/reserve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_MAX = 100000, LOG_MAX = 1 << 20 };

// ---------------------------------------------------------------------------------------------------------
// Handshake and frames out

static void the_answer_is_that_of_the_document(void **state)
{
    (void)state;
    static const char key[] = "dGhlIHNhbXBsZSBub25jZQ==";
    char accept[NET_WS_ACCEPT_SIZE + 1];
    net_ws_accept(key, sizeof key - 1, accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void keys_are_16_bytes_in_base_64(void **state)
{
    (void)state;
    static const char *const good[] = {
        "dGhlIHNhbXBsZSBub25jZQ==", "AAAAAAAAAAAAAAAAAAAAAA==", "+/+/+/+/+/+/+/+/+/+/+w=="};
    static const char *const bad[] = {
        "",
        "dGhlIHNhbXBsZSBub25jZQ=",
        "dGhlIHNhbXBsZSBub25jZQ",
        "dGhlIHNhbXBsZSBub25jZQ===",
        "dGhlIHNhbXBsZSBub25jZR==", // bits behind the last byte
        "dGhlIHNhbXBsZSBub25j ZQ=",
        "dGhlIHNhbXBsZSBub2-jZQ==",
        "========================",
        "dGhlIHNhbXBsZSBub25jZQaa",
        "c2hvcnQ=",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(net_ws_key_valid(good[i], strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(net_ws_key_valid(bad[i], strlen(bad[i])));
    }
    assert_false(net_ws_key_valid(NULL, 0));
}

static void headers_out_are_as_short_as_can_be(void **state)
{
    (void)state;
    static const struct {
        uint64_t size;
        const char *bytes;
        size_t length;
    } cases[] = {
        {0, "\x82\x00", 2},
        {125, "\x82\x7d", 2},
        {126, "\x82\x7e\x00\x7e", 4},
        {65535, "\x82\x7e\xff\xff", 4},
        {65536, "\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10},
        {UINT64_C(0x123456789a), "\x82\x7f\x00\x00\x00\x12\x34\x56\x78\x9a", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t head[NET_WS_HEAD_MAX];
        assert_int_equal(net_ws_head(head, NET_WS_BINARY, cases[i].size), cases[i].length);
        assert_memory_equal(head, cases[i].bytes, cases[i].length);
    }
}

static void a_close_frame_holds_what_fits_of_its_reason(void **state)
{
    (void)state;
    uint8_t frame[2 + NET_WS_CONTROL_MAX];
    assert_int_equal(net_ws_close_frame(frame, 0, "unheard"), 2);
    assert_memory_equal(frame, "\x88\x00", 2);
    assert_int_equal(net_ws_close_frame(frame, 1001, NULL), 4);
    assert_memory_equal(frame, "\x88\x02\x03\xe9", 4);
    assert_int_equal(net_ws_close_frame(frame, 1000, "done"), 8);
    assert_memory_equal(frame,
                        "\x88\x06\x03\xe8"
                        "done",
                        8);
    char reason[200];
    memset(reason, 'x', sizeof reason);
    memcpy(reason + 122, "\xc3\xa4", 3); // would be cut in two
    assert_int_equal(net_ws_close_frame(frame, 1008, reason), 2 + 2 + 122);
    assert_int_equal(frame[1], 2 + 122);
    assert_int_equal(net_ws_close_frame(frame, 1008, "\xff"), 4); // no UTF-8: none at all
}

// ---------------------------------------------------------------------------------------------------------
// Frames in: fed in pieces, what comes out is written down as text

struct input {
    uint8_t *bytes;
    size_t size, capacity;
};

static void put(struct input *input, const void *data, size_t size)
{
    assert_true(array_reserve(&input->bytes, &input->capacity, input->size + size + 1));
    memcpy(input->bytes + input->size, data, size);
    input->size += size;
}

// A frame as a client sends it. first: FIN, reserved bits and opcode.
static void put_frame(struct input *input, uint8_t first, const char *payload, size_t size)
{
    static const uint8_t mask[4] = {0x12, 0x00, 0xff, 0x80};
    uint8_t header[NET_WS_HEAD_MAX];
    size_t length = net_ws_head(header, NET_WS_BINARY, size);
    header[0] = first;
    header[1] |= 0x80;
    put(input, header, length);
    put(input, mask, sizeof mask);
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(payload[i] ^ mask[i % 4]);
        put(input, &byte, 1);
    }
}

static void log_event(char *log, const struct net_ws_event *event)
{
    size_t used = strlen(log);
    size_t room = LOG_MAX - used;
    int size = (int)event->size;
    const char *data = (const char *)event->data;
    switch (event->kind) {
    case NET_WS_GOT_NOTHING:
        return;
    case NET_WS_GOT_DATA:
        snprintf(log + used, room, "%.*s%s", size, size ? data : "", event->end ? "|" : "");
        return;
    case NET_WS_GOT_PING:
    case NET_WS_GOT_PONG:
        snprintf(log + used, room, "%s(%.*s)", event->kind == NET_WS_GOT_PING ? "ping" : "pong", size,
                 size ? data : "");
        return;
    case NET_WS_GOT_CLOSE:
        snprintf(log + used, room, "close %u", (unsigned)event->code);
        return;
    case NET_WS_GOT_BAD:
        assert_non_null(event->reason);
        snprintf(log + used, room, "bad %u", (unsigned)event->code);
        return;
    }
}

// Ends at the first thing that is wrong, or the close. *used: bytes taken.
static void feed(const struct input *input, size_t piece, char *log, size_t *used)
{
    struct net_ws *ws = net_ws_create(MESSAGE_MAX);
    assert_non_null(ws);
    struct net_ws_event event = {.kind = NET_WS_GOT_NOTHING};
    log[0] = 0;
    *used = 0;
    while (*used < input->size && event.kind != NET_WS_GOT_BAD && event.kind != NET_WS_GOT_CLOSE) {
        size_t consumed = 0;
        size_t left = input->size - *used;
        net_ws_feed(ws, input->bytes + *used, left < piece ? left : piece, &consumed, &event);
        assert_true(consumed > 0);
        *used += consumed;
        log_event(log, &event);
    }
    net_ws_destroy(ws);
}

static char log_text[LOG_MAX];

// Whatever the pieces, the same comes out. Frees the input.
static void expect(struct input *input, const char *expected)
{
    size_t whole = 0;
    feed(input, SIZE_MAX, log_text, &whole);
    assert_string_equal(log_text, expected);
    for (size_t piece = 1; piece < 40 && piece < input->size; piece++) {
        size_t used = 0;
        feed(input, piece, log_text, &used);
        assert_string_equal(log_text, expected);
        assert_int_equal(used, whole);
    }
    free(input->bytes);
    *input = (struct input){0};
}

static void the_masked_hello_of_the_document_is_read(void **state)
{
    (void)state;
    struct input input = {0};
    put(&input, "\x82\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11); // binary, there it is text
    expect(&input, "Hello|");
}

static void fragments_make_one_message_with_control_frames_between(void **state)
{
    (void)state;
    struct input input = {0};
    put_frame(&input, 0x02, "He", 2);
    put_frame(&input, 0x89, "are you there", 13);
    put_frame(&input, 0x00, "", 0);
    put_frame(&input, 0x00, "ll", 2);
    put_frame(&input, 0x8a, "", 0);
    put_frame(&input, 0x80, "o", 1);
    put_frame(&input, 0x82, "", 0);
    put_frame(&input, 0x02, "", 0);
    put_frame(&input, 0x80, "", 0);
    put_frame(&input, 0x82, "next", 4);
    expect(&input, "Heping(are you there)llpong()o|||next|");
}

static void all_lengths_are_read(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 125, 126, 127, 4095, 4096, 4097, 65535, 65536, MESSAGE_MAX};
    static char payload[MESSAGE_MAX + 2];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct input input = {0};
        memset(payload, 'a' + (int)i, sizeof payload);
        put_frame(&input, 0x82, payload, sizes[i]);
        payload[sizes[i]] = '|';
        payload[sizes[i] + 1] = 0;
        expect(&input, payload);
    }
}

static void nothing_of_the_next_frame_is_taken(void **state)
{
    (void)state;
    struct input input = {0};
    put_frame(&input, 0x82, "one", 3);
    size_t first = input.size;
    put_frame(&input, 0x82, "two", 3);
    struct net_ws *ws = net_ws_create(MESSAGE_MAX);
    assert_non_null(ws);
    struct net_ws_event event;
    size_t consumed = 0;
    net_ws_feed(ws, input.bytes, input.size, &consumed, &event);
    assert_int_equal(event.kind, NET_WS_GOT_DATA);
    assert_true(event.end);
    assert_int_equal(consumed, first);
    net_ws_feed(ws, input.bytes + first, input.size - first, &consumed, &event);
    assert_true(event.end);
    assert_memory_equal(event.data, "two", 3);
    net_ws_destroy(ws);
    free(input.bytes);
}

static void a_frame_is_refused_for_its_header_before_its_payload(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *expected;
        size_t used;
    } cases[] = {
        {"\x82\x05Hello", 7, "bad 1002", 2},                            // not masked
        {"\x82\x7f\0\0\0\0\0\x01\0\0", 10, "bad 1002", 10},             // the same
        {"\xc2\x85\1\2\3\4", 6, "bad 1002", 6},                         // reserved bits
        {"\xa2\x85\1\2\3\4", 6, "bad 1002", 6},                         //
        {"\x92\x85\1\2\3\4", 6, "bad 1002", 6},                         //
        {"\x83\x85\1\2\3\4", 6, "bad 1002", 6},                         // opcodes that are none
        {"\x87\x80\1\2\3\4", 6, "bad 1002", 6},                         //
        {"\x8b\x80\1\2\3\4", 6, "bad 1002", 6},                         //
        {"\x8f\x80\1\2\3\4", 6, "bad 1002", 6},                         //
        {"\x80\x85\1\2\3\4", 6, "bad 1002", 6},                         // a continuation of nothing
        {"\x81\x85\1\2\3\4", 6, "bad 1003", 6},                         // text
        {"\x01\x80\1\2\3\4", 6, "bad 1003", 6},                         //
        {"\x82\xff\0\0\0\0\0\x01\x86\xa1\1\2\3\4", 14, "bad 1009", 14}, // MESSAGE_MAX + 1
        {"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\1\2\3\4", 14, "bad 1009", 14},
        {"\x82\xff\x80\0\0\0\0\0\0\0\1\2\3\4", 14, "bad 1002", 10},   // the highest bit is set
        {"\x82\xff\0\0\0\0\0\0\xff\xff\1\2\3\4", 14, "bad 1002", 10}, // longer than need be
        {"\x82\xfe\0\x7d\1\2\3\4", 8, "bad 1002", 4},                 //
        {"\x09\x80\1\2\3\4", 6, "bad 1002", 2},                       // a ping in fragments
        {"\x88\xfe\0\x7e\1\2\3\4", 8, "bad 1002", 2},                 // a close of 126 bytes
        {"\x89\xff\0\0\0\0\0\1\0\0\1\2\3\4", 14, "bad 1002", 2},      //
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct input input = {.bytes = (uint8_t *)cases[i].bytes, .size = cases[i].size};
        for (size_t piece = 1; piece <= input.size; piece++) {
            size_t used = 0;
            feed(&input, piece, log_text, &used);
            if (strcmp(log_text, cases[i].expected) != 0 || used != cases[i].used) {
                fail_msg("case %zu in pieces of %zu: %s after %zu bytes", i, piece, log_text, used);
            }
        }
    }
}

static void messages_do_not_interleave(void **state)
{
    (void)state;
    struct input input = {0};
    put_frame(&input, 0x02, "a", 1);
    put_frame(&input, 0x82, "b", 1);
    expect(&input, "abad 1002");
    put_frame(&input, 0x02, "a", 1);
    put_frame(&input, 0x81, "b", 1);
    expect(&input, "abad 1002");
    put_frame(&input, 0x82, "a", 1);
    put_frame(&input, 0x80, "b", 1);
    expect(&input, "a|bad 1002");
}

static void fragments_are_bounded_together(void **state)
{
    (void)state;
    static char payload[MESSAGE_MAX];
    static char expected[MESSAGE_MAX + 64];
    memset(payload, 'x', sizeof payload);
    struct input input = {0};
    put_frame(&input, 0x02, payload, MESSAGE_MAX / 2);
    put_frame(&input, 0x00, payload, MESSAGE_MAX / 2 - 1);
    put_frame(&input, 0x80, "ab", 2);
    memset(expected, 'x', MESSAGE_MAX - 1);
    strcpy(expected + MESSAGE_MAX - 1, "bad 1009");
    size_t used = 0;
    feed(&input, 1000, log_text, &used);
    assert_string_equal(log_text, expected);
    free(input.bytes);
    // The next message has all of the limit again.
    input = (struct input){0};
    put_frame(&input, 0x82, payload, MESSAGE_MAX);
    put_frame(&input, 0x82, payload, MESSAGE_MAX);
    feed(&input, 5000, log_text, &used);
    assert_int_equal(strlen(log_text), 2 * (MESSAGE_MAX + 1));
    free(input.bytes);
}

static void empty_fragments_without_end_are_refused(void **state)
{
    (void)state;
    struct input input = {0};
    for (int message = 0; message < 2; message++) {
        put_frame(&input, 0x02, "", 0);
        for (int i = 1; i < NET_WS_EMPTY_MAX; i++) {
            put_frame(&input, 0x00, "", 0);
        }
        put_frame(&input, 0x80, "", 0);
    }
    size_t used = 0;
    feed(&input, 1000, log_text, &used);
    assert_string_equal(log_text, "||");
    input.size = 0;
    put_frame(&input, 0x02, "a", 1);
    for (int i = 0; i <= NET_WS_EMPTY_MAX; i++) {
        put_frame(&input, 0x00, "", 0);
    }
    feed(&input, 1000, log_text, &used);
    assert_string_equal(log_text, "abad 1008");
    free(input.bytes);
}

static void close_frames_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *payload;
        size_t size;
        const char *expected;
    } cases[] = {
        {"", 0, "close 0"},
        {"\x03\xe8", 2, "close 1000"},
        {"\x03\xe9going", 7, "close 1001"},
        {"\x03\xf6", 2, "close 1014"},
        {"\x0b\xb8", 2, "close 3000"},
        {"\x13\x87\xc3\xa4", 4, "close 4999"},
        {"\x03", 1, "bad 1002"},
        {"\x00\x00", 2, "bad 1002"},
        {"\x03\xe7", 2, "bad 1002"}, // 999
        {"\x03\xec", 2, "bad 1002"}, // 1004
        {"\x03\xed", 2, "bad 1002"}, // 1005
        {"\x03\xee", 2, "bad 1002"}, // 1006
        {"\x03\xf7", 2, "bad 1002"}, // 1015
        {"\x0b\xb7", 2, "bad 1002"}, // 2999
        {"\x13\x88", 2, "bad 1002"}, // 5000
        {"\x03\xe8\xff", 3, "bad 1007"},
        {"\x03\xe8\xed\xa0\x80", 5, "bad 1007"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct input input = {0};
        put_frame(&input, 0x88, cases[i].payload, cases[i].size);
        expect(&input, cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_that_of_the_document),
        cmocka_unit_test(keys_are_16_bytes_in_base_64),
        cmocka_unit_test(headers_out_are_as_short_as_can_be),
        cmocka_unit_test(a_close_frame_holds_what_fits_of_its_reason),
        cmocka_unit_test(the_masked_hello_of_the_document_is_read),
        cmocka_unit_test(fragments_make_one_message_with_control_frames_between),
        cmocka_unit_test(all_lengths_are_read),
        cmocka_unit_test(nothing_of_the_next_frame_is_taken),
        cmocka_unit_test(a_frame_is_refused_for_its_header_before_its_payload),
        cmocka_unit_test(messages_do_not_interleave),
        cmocka_unit_test(fragments_are_bounded_together),
        cmocka_unit_test(empty_fragments_without_end_are_refused),
        cmocka_unit_test(close_frames_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
