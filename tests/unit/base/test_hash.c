// The hash is XXH3-64 of the little-endian bytes, however they were cut up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"

static uint64_t hash_of(const void *data, size_t size)
{
    struct base_hash *hash = base_hash_create();
    assert_non_null(hash);
    base_hash_bytes(hash, data, size);
    uint64_t digest = base_hash_digest(hash);
    base_hash_destroy(hash);
    return digest;
}

static void known_values_hold(void **state)
{
    (void)state;
    // From the specification's implementation: `printf '' | xxhsum -H3`, `printf abc | xxhsum -H3`.
    assert_true(hash_of("", 0) == UINT64_C(0x2d06800538d394c2));
    assert_true(hash_of("abc", 3) == UINT64_C(0x78af5f94892f3950));
}

static void numbers_are_fed_little_endian(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {
        0x04, 0x03, 0x02, 0x01,                         // u32
        0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, // u64
        0x00, 0x00, 0xc0, 0xbf,                         // f32 -1.5
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xf8, 0xbf, // f64 -1.5
    };
    struct base_hash *hash = base_hash_create();
    base_hash_u32(hash, 0x01020304);
    base_hash_u64(hash, UINT64_C(0x0102030405060708));
    base_hash_f32(hash, -1.5F);
    base_hash_f64(hash, -1.5);
    assert_true(base_hash_digest(hash) == hash_of(bytes, sizeof bytes));
    base_hash_destroy(hash);
    base_hash_destroy(NULL);
}

static void cuts_do_not_matter_and_order_does(void **state)
{
    (void)state;
    uint8_t bytes[3000];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 31 + i / 256);
    }
    uint64_t whole = hash_of(bytes, sizeof bytes);
    struct base_hash *hash = base_hash_create();
    for (size_t at = 0, step = 1; at < sizeof bytes; at += step, step = step * 2 % 509) {
        size_t size = at + step > sizeof bytes ? sizeof bytes - at : step;
        base_hash_bytes(hash, bytes + at, size);
    }
    assert_true(base_hash_digest(hash) == whole);
    base_hash_destroy(hash);
    uint8_t swapped = bytes[0];
    bytes[0] = bytes[1];
    bytes[1] = swapped;
    assert_true(hash_of(bytes, sizeof bytes) != whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values_hold),
        cmocka_unit_test(numbers_are_fed_little_endian),
        cmocka_unit_test(cuts_do_not_matter_and_order_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
