// Differences between byte strings of one length.
#include "protocol/patch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE_MOST = 700, ROUNDS = 20000 };

static uint32_t below(uint32_t count)
{
    static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % count;
}

static void what_was_made_applies(void **state)
{
    (void)state;
    uint8_t before[SIZE_MOST], after[SIZE_MOST], again[SIZE_MOST];
    struct protocol_bytes patch = {0};
    for (int round = 0; round < ROUNDS; round++) {
        const size_t size = 1 + below(SIZE_MOST);
        for (size_t i = 0; i < size; i++) {
            before[i] = (uint8_t)below(256);
        }
        memcpy(after, before, size);
        for (uint32_t changes = below(12); changes > 0; changes--) {
            const size_t at = below((uint32_t)size), count = 1 + below(9);
            for (size_t i = at; i < size && i < at + count; i++) {
                after[i] = (uint8_t)below(256);
            }
        }
        protocol_bytes_clear(&patch);
        protocol_patch_make(before, after, size, &patch);
        assert_false(patch.failed);
        assert_int_equal(patch.data[0], PROTOCOL_PATCH);
        assert_true(protocol_patch_apply(patch.data, patch.size, before, size, again));
        assert_memory_equal(again, after, size);
        // A patch for a record of another length is refused, and so is a part of one.
        assert_false(protocol_patch_apply(patch.data, patch.size, before, size - 1, again));
        assert_false(protocol_patch_apply(patch.data, patch.size - 1, before, size, again));
    }
    protocol_bytes_deinit(&patch);
}

static void the_bytes_are_these(void **state)
{
    (void)state;
    const uint8_t before[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, after[] = {1, 2, 33, 4, 55, 6, 7, 8, 9};
    const uint8_t expected[] = {0xC1, 2, 3, 33, 4, 55, 4, 0};
    struct protocol_bytes patch = {0};
    protocol_patch_make(before, after, sizeof before, &patch);
    assert_int_equal(patch.size, sizeof expected);
    assert_memory_equal(patch.data, expected, sizeof expected);
    protocol_bytes_deinit(&patch);
}

// Each in memory of its own size, so that whoever watches over memory sees a step too far.
static void anything_else_is_refused_or_stays_within(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t size = 1 + below(40), patch_size = below(24);
        uint8_t *before = calloc(1, size), *after = calloc(1, size);
        uint8_t *patch = malloc(patch_size + 1);
        patch[0] = PROTOCOL_PATCH;
        for (size_t i = 1; i < patch_size; i++) {
            patch[i] = (uint8_t)(below(2) ? below(256) : below(8));
        }
        protocol_patch_apply(patch, patch_size, before, size, after);
        free(before);
        free(after);
        free(patch);
    }
    const uint8_t before[4] = {0}, nothing[] = {0xC1, 0, 0, 0, 0},
                  endless[] = {0xC1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01};
    uint8_t after[4];
    assert_false(protocol_patch_apply(nothing, sizeof nothing, before, 4, after));
    assert_false(protocol_patch_apply(endless, sizeof endless, before, 4, after));
    assert_false(protocol_patch_apply(before, 0, before, 4, after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_made_applies),
        cmocka_unit_test(the_bytes_are_these),
        cmocka_unit_test(anything_else_is_refused_or_stays_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
