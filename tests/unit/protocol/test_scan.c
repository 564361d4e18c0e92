// The scanner: where messages end, what is refused and when, whatever the cuts.
#include "protocol/scan.h"

#include "helper_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct protocol_scan_limits limits = {.bytes = 1000, .depth = 16, .nodes = 200};

struct verdict {
    enum protocol_scan_status status;
    size_t consumed;
};

// Feeds data in pieces of the given sizes (the last size repeats). Each piece lies in memory of its own that
// is gone afterwards: whoever looks twice is seen by a sanitizer.
static struct verdict feed(const uint8_t *data, size_t size, size_t first, size_t step,
                           const struct protocol_scan_limits *with)
{
    struct protocol_scan scan;
    struct verdict verdict = {PROTOCOL_SCAN_MORE, 0};
    protocol_scan_init(&scan, with);
    size_t piece = first;
    while (verdict.consumed < size && verdict.status == PROTOCOL_SCAN_MORE) {
        size_t count = piece < size - verdict.consumed ? piece : size - verdict.consumed;
        uint8_t *copy = malloc(count > 0 ? count : 1);
        assert_non_null(copy);
        memcpy(copy, data + verdict.consumed, count);
        size_t consumed = SIZE_MAX;
        verdict.status = protocol_scan_feed(&scan, copy, count, &consumed);
        free(copy);
        assert_true(consumed <= count);
        if (verdict.status == PROTOCOL_SCAN_MORE) {
            assert_int_equal(consumed, count);
        }
        verdict.consumed += consumed;
        piece = step;
        assert_int_equal(scan.used, verdict.consumed);
    }
    return verdict;
}

static void expect(const char *hex, enum protocol_scan_status status, size_t consumed,
                   const struct protocol_scan_limits *with)
{
    struct bytes bytes = bytes_from_hex(hex);
    for (size_t cut = 0; cut <= bytes.size; cut++) {
        struct verdict verdict = feed(bytes.data, bytes.size, cut, bytes.size + 1, with);
        if (verdict.status != status || verdict.consumed != consumed) {
            fail_msg("%s cut at %zu: status %d after %zu bytes", hex, cut, verdict.status, verdict.consumed);
        }
    }
    struct verdict drip = feed(bytes.data, bytes.size, 1, 1, with);
    assert_int_equal(drip.status, status);
    assert_int_equal(drip.consumed, consumed);
    free(bytes.data);
}

static void every_form_of_value_ends_where_it_ends(void **state)
{
    (void)state;
    static const char *const values[] = {"00",
                                         "7f",
                                         "e0",
                                         "ff",
                                         "c0",
                                         "c2",
                                         "c3",
                                         "80",
                                         "90",
                                         "a0",
                                         "a3 616263",
                                         "cc ff",
                                         "cd ffff",
                                         "ce ffffffff",
                                         "cf ffffffffffffffff",
                                         "d0 80",
                                         "d1 8000",
                                         "d2 80000000",
                                         "d3 8000000000000000",
                                         "ca 3f800000",
                                         "cb 3ff0000000000000",
                                         "c4 00",
                                         "c4 02 c1c1",
                                         "c5 0001 c1",
                                         "c6 00000001 c1",
                                         "d9 01 c1",
                                         "da 0001 c1",
                                         "db 00000001 c1",
                                         "d4 01 c1",
                                         "d5 01 c1c1",
                                         "d6 01 c1c1c1c1",
                                         "d7 01 c1c1c1c1c1c1c1c1",
                                         "d8 01 c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1",
                                         "c7 00 01",
                                         "c7 01 01 c1",
                                         "c8 0001 01 c1",
                                         "c9 00000001 01 c1",
                                         "92 01 02",
                                         "dc 0002 01 02",
                                         "dd 00000002 01 02",
                                         "82 01 02 03 04",
                                         "de 0001 01 02",
                                         "df 00000001 01 02",
                                         "92 90 92 80 a1 61",
                                         "dd 00000000",
                                         "94 00 01 a4 70696e67 90"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct bytes bytes = bytes_from_hex(values[i]);
        char followed[256];
        snprintf(followed, sizeof followed, "%s c1", values[i]);
        expect(values[i], PROTOCOL_SCAN_DONE, bytes.size, &limits);
        expect(followed, PROTOCOL_SCAN_DONE, bytes.size, &limits);
        for (size_t size = 0; size < bytes.size; size++) {
            struct verdict verdict = feed(bytes.data, size, size, 1, &limits);
            assert_int_equal(verdict.status, PROTOCOL_SCAN_MORE);
            assert_int_equal(verdict.consumed, size);
        }
        free(bytes.data);
    }
}

static void the_byte_that_is_never_used_is_bad_wherever_a_value_begins(void **state)
{
    (void)state;
    expect("c1", PROTOCOL_SCAN_BAD, 1, &limits);
    expect("92 00 c1", PROTOCOL_SCAN_BAD, 3, &limits);
    expect("81 a1 61 c1 00", PROTOCOL_SCAN_BAD, 4, &limits);
}

static void claims_are_refused_from_their_header(void **state)
{
    (void)state;
    const struct protocol_scan_limits large = {.bytes = 64 << 20, .depth = 16, .nodes = 4 << 20};
    expect("dd 3b9aca00", PROTOCOL_SCAN_TOO_WIDE, 5, &large); // a billion elements
    expect("df 3b9aca00", PROTOCOL_SCAN_TOO_WIDE, 5, &large);
    expect("df ffffffff", PROTOCOL_SCAN_TOO_WIDE, 5, &large);
    expect("dd ffffffff", PROTOCOL_SCAN_TOO_WIDE, 5, &large);
    expect("c9 ffffffff", PROTOCOL_SCAN_TOO_LARGE, 5, &large); // 4 GiB
    expect("c6 ffffffff", PROTOCOL_SCAN_TOO_LARGE, 5, &large);
    expect("db ffffffff", PROTOCOL_SCAN_TOO_LARGE, 5, &large);
    expect("94 00 01 a1 61 91 dd 3b9aca00 00 00 00", PROTOCOL_SCAN_TOO_WIDE, 11, &large);
    // An array of more elements than there can be bytes.
    const struct protocol_scan_limits wide = {.bytes = 1000, .depth = 16, .nodes = UINT32_MAX};
    expect("dc 03e6", PROTOCOL_SCAN_TOO_LARGE, 3, &wide);
    expect("dc 03e5", PROTOCOL_SCAN_MORE, 3, &wide);
    expect("de 01f3", PROTOCOL_SCAN_TOO_LARGE, 3, &wide);
    expect("de 01f2", PROTOCOL_SCAN_MORE, 3, &wide);
}

static void claims_of_several_containers_add_up(void **state)
{
    (void)state;
    const struct protocol_scan_limits few = {.bytes = 1000, .depth = 16, .nodes = 10};
    // 1 + 4 + 5 values are ten; one more is too many, although neither array is.
    expect("94 95", PROTOCOL_SCAN_MORE, 2, &few);
    expect("94 96", PROTOCOL_SCAN_TOO_WIDE, 2, &few);
    expect("94 82", PROTOCOL_SCAN_MORE, 2, &few);
    expect("94 83", PROTOCOL_SCAN_TOO_WIDE, 2, &few); // a pair is two
    const struct protocol_scan_limits small = {.bytes = 20, .depth = 16, .nodes = 1000};
    // Three bytes read and two values to come leave fifteen of twenty bytes for the payload.
    expect("93 c4 11", PROTOCOL_SCAN_TOO_LARGE, 3, &small);
    expect("93 c4 0f", PROTOCOL_SCAN_MORE, 3, &small);
    expect("93 c4 10", PROTOCOL_SCAN_TOO_LARGE, 3, &small);
}

static void a_flood_of_nodes_is_refused_at_the_limit(void **state)
{
    (void)state;
    uint8_t flood[300];
    memset(flood, 0x91, sizeof flood); // an array in an array in an array …
    struct verdict verdict = feed(flood, sizeof flood, 1, 1, &limits);
    assert_int_equal(verdict.status, PROTOCOL_SCAN_TOO_DEEP);
    assert_int_equal(verdict.consumed, limits.depth + 1);
    // 15 empty arrays in each of many arrays: the node limit, not the depth, ends it.
    size_t size = 0;
    uint8_t wide[1000] = {0xDC, 0, 100};
    size = 3;
    while (size + 16 < sizeof wide) {
        wide[size] = 0x9F;
        memset(wide + size + 1, 0x90, 15);
        size += 16;
    }
    verdict = feed(wide, size, 7, 7, &limits);
    assert_int_equal(verdict.status, PROTOCOL_SCAN_TOO_WIDE);
    assert_int_equal(verdict.consumed, 3 + 6 * 16 + 1); // 101 + 6 · 15 are 191; the seventh passes 200
}

static void depth_is_counted_in_containers(void **state)
{
    (void)state;
    expect("91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 90", PROTOCOL_SCAN_DONE, 16, &limits);
    expect("91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 90", PROTOCOL_SCAN_TOO_DEEP, 17, &limits);
    expect("91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 91 00", PROTOCOL_SCAN_DONE, 17, &limits);
    // Depth is that of the moment: siblings do not add up.
    expect("92 91 91 91 91 91 91 91 91 91 91 91 91 91 91 90 90", PROTOCOL_SCAN_DONE, 17, &limits);
}

static void a_message_may_be_exactly_as_large_as_the_limit(void **state)
{
    (void)state;
    uint8_t message[1001] = {0xC5, 0x03, 0xE5};
    struct verdict verdict = feed(message, 1000, 999, 1, &limits);
    assert_int_equal(verdict.status, PROTOCOL_SCAN_DONE);
    message[2] = 0xE6;
    verdict = feed(message, 1001, 1, 1, &limits);
    assert_int_equal(verdict.status, PROTOCOL_SCAN_TOO_LARGE);
    assert_int_equal(verdict.consumed, 3);
    // One byte is the least limit; a header that does not fit is refused by its first byte.
    const struct protocol_scan_limits one = {.bytes = 1, .depth = 16, .nodes = 10};
    expect("c0", PROTOCOL_SCAN_DONE, 1, &one);
    expect("dc 0000", PROTOCOL_SCAN_TOO_LARGE, 1, &one);
    expect("91", PROTOCOL_SCAN_TOO_LARGE, 1, &one);
}

static void expected_is_the_least_size_still_possible(void **state)
{
    (void)state;
    struct protocol_scan scan;
    size_t consumed;
    protocol_scan_init(&scan, &limits);
    assert_int_equal(protocol_scan_expected(&scan), 1);
    static const struct {
        const char *hex;
        uint64_t expected;
    } steps[] = {
        {"93", 4},  {"c5", 6},  {"00", 6}, {"0a", 16}, {"00", 16}, {"00000000000000000000", 16},
        {"cb", 24}, {"82", 24},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct bytes bytes = bytes_from_hex(steps[i].hex);
        enum protocol_scan_status status = protocol_scan_feed(&scan, bytes.data, bytes.size, &consumed);
        assert_int_equal(status, PROTOCOL_SCAN_MORE);
        if (protocol_scan_expected(&scan) != steps[i].expected) {
            fail_msg("step %zu: %llu", i, (unsigned long long)protocol_scan_expected(&scan));
        }
        free(bytes.data);
    }
}

static uint32_t random_next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void pack_random(msgpack_packer *packer, uint32_t *seed, uint32_t depth)
{
    static const char filler[70000];
    uint32_t kind = random_next(seed) % (depth > 0 ? 10 : 8), count = random_next(seed) % 20;
    switch (kind) {
    case 0:
        msgpack_pack_nil(packer);
        return;
    case 1:
        msgpack_pack_int64(packer, (int64_t)random_next(seed) << (random_next(seed) % 40));
        return;
    case 2:
        msgpack_pack_int64(packer, -((int64_t)random_next(seed) << (random_next(seed) % 40)));
        return;
    case 3:
        msgpack_pack_double(packer, random_next(seed));
        return;
    case 4:
        msgpack_pack_float(packer, 1.5f);
        return;
    case 5:
        msgpack_pack_str_with_body(packer, filler, random_next(seed) % (count == 0 ? 70000 : 300));
        return;
    case 6:
        msgpack_pack_bin_with_body(packer, filler, random_next(seed) % 300);
        return;
    case 7:
        msgpack_pack_ext_with_body(packer, filler, random_next(seed) % 300, 0x17);
        return;
    case 8:
        msgpack_pack_array(packer, count);
        break;
    default:
        msgpack_pack_map(packer, count);
        count *= 2;
    }
    for (uint32_t i = 0; i < count; i++) {
        pack_random(packer, seed, depth - 1);
    }
}

static void whatever_the_packer_writes_ends_where_the_packer_ended(void **state)
{
    (void)state;
    const struct protocol_scan_limits large = {.bytes = 64 << 20, .depth = 16, .nodes = 4 << 20};
    uint32_t seed = 1;
    for (int round = 0; round < 300; round++) {
        msgpack_sbuffer buffer;
        msgpack_packer packer;
        msgpack_sbuffer_init(&buffer);
        msgpack_packer_init(&packer, &buffer, msgpack_sbuffer_write);
        pack_random(&packer, &seed, 3);
        size_t size = buffer.size;
        msgpack_pack_nil(&packer);
        size_t step = 1 + random_next(&seed) % 4096;
        struct verdict verdict = feed((const uint8_t *)buffer.data, buffer.size, step, step, &large);
        assert_int_equal(verdict.status, PROTOCOL_SCAN_DONE);
        assert_int_equal(verdict.consumed, size);
        msgpack_sbuffer_destroy(&buffer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_value_ends_where_it_ends),
        cmocka_unit_test(the_byte_that_is_never_used_is_bad_wherever_a_value_begins),
        cmocka_unit_test(claims_are_refused_from_their_header),
        cmocka_unit_test(claims_of_several_containers_add_up),
        cmocka_unit_test(a_flood_of_nodes_is_refused_at_the_limit),
        cmocka_unit_test(depth_is_counted_in_containers),
        cmocka_unit_test(a_message_may_be_exactly_as_large_as_the_limit),
        cmocka_unit_test(expected_is_the_least_size_still_possible),
        cmocka_unit_test(whatever_the_packer_writes_ends_where_the_packer_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
