// The notices that are kept for a world, and those that a session gets when it comes back.
#include "base/buffer.h"
#include "host/notices.h"
#include "protocol/generated/api.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SOME = 20 };

struct told {
    uint32_t count;
    uint32_t numbers[2 * PROTOCOL_LIMIT_KEPT_NOTICES];
};

static void tell(void *context, struct base_buffer *bytes)
{
    struct told *told = context;
    memcpy(&told->numbers[told->count++], bytes->data, sizeof(uint32_t));
}

static void keep(struct host_notices *notices, uint64_t revision, uint32_t number, size_t size)
{
    struct base_buffer *bytes[3] = {base_buffer_create(size, NULL)};
    assert_non_null(bytes[0]);
    memcpy(bytes[0]->data, &number, sizeof number);
    host_notices_keep(notices, revision, bytes, false);
    base_buffer_unref(bytes[0]);
}

// From and to: what was numbered so; nothing where they are 0.
static void expect(const struct host_notices *notices, uint64_t revision, uint32_t from, uint32_t to)
{
    static struct told told;
    told.count = 0;
    assert_true(host_notices_since(notices, revision, 0, PROTOCOL_ARRAYS_BIN, tell, &told));
    assert_int_equal(told.count, from == 0 ? 0 : to - from + 1);
    for (uint32_t i = 0; i < told.count; i++) {
        assert_int_equal(told.numbers[i], from + i);
    }
}

static void expect_gap(const struct host_notices *notices, uint64_t revision)
{
    static struct told told;
    told.count = 0;
    assert_false(host_notices_since(notices, revision, 0, PROTOCOL_ARRAYS_EXT, tell, &told));
    assert_int_equal(told.count, 0);
}

static void who_had_an_edit_is_told_all_behind_it(void **state)
{
    (void)state;
    size_t total = 0;
    struct host_notices notices = {0};
    assert_false(host_notices_begun(&notices));
    host_notices_begin(&notices, &total, 7);
    assert_true(host_notices_begun(&notices));
    expect(&notices, 7, 0, 0);
    keep(&notices, 0, 1, SOME);
    keep(&notices, 8, 2, SOME);
    keep(&notices, 0, 3, SOME);
    keep(&notices, 9, 4, SOME);
    keep(&notices, 0, 5, SOME);
    expect(&notices, 7, 1, 5);
    expect(&notices, 8, 3, 5);
    expect(&notices, 9, 5, 5);
    assert_int_equal(total, 5 * SOME);
    host_notices_deinit(&notices);
    assert_int_equal(total, 0);
}

static void who_had_less_than_is_kept_misses_something(void **state)
{
    (void)state;
    const uint32_t most = PROTOCOL_LIMIT_KEPT_NOTICES;
    size_t total = 0;
    struct host_notices notices = {0};
    host_notices_begin(&notices, &total, 0);
    for (uint32_t revision = 1; revision <= most + 10; revision++) {
        keep(&notices, revision, revision, SOME);
    }
    assert_int_equal(notices.count, most);
    expect(&notices, 10, 11, most + 10);
    expect_gap(&notices, 9);
    host_notices_deinit(&notices);
}

static void what_tells_of_no_edit_is_missed_too(void **state)
{
    (void)state;
    const uint32_t most = PROTOCOL_LIMIT_KEPT_NOTICES;
    size_t total = 0;
    struct host_notices notices = {0};
    host_notices_begin(&notices, &total, 500);
    for (uint32_t number = 1; number <= most; number++) {
        keep(&notices, 0, number, SOME);
    }
    expect(&notices, 500, 1, most);
    keep(&notices, 0, most + 1, SOME);
    expect_gap(&notices, 500);
    keep(&notices, 501, most + 2, SOME);
    expect(&notices, 501, 0, 0);
    host_notices_deinit(&notices);
}

static void what_was_told_before_somebody_joined_is_not_for_them(void **state)
{
    (void)state;
    const uint32_t most = PROTOCOL_LIMIT_KEPT_NOTICES;
    static struct told told;
    size_t total = 0;
    struct host_notices notices = {0};
    host_notices_begin(&notices, &total, 0);
    for (uint32_t number = 1; number <= most; number++) {
        keep(&notices, 0, number, SOME);
    }
    for (uint32_t joined = 0; joined <= most; joined += most / 4) {
        told.count = 0;
        assert_true(host_notices_since(&notices, 0, joined, PROTOCOL_ARRAYS_BIN, tell, &told));
        assert_int_equal(told.count, most - joined);
        assert_true(told.count == 0 || told.numbers[0] == joined + 1);
    }
    for (uint32_t revision = 1; revision <= most / 2; revision++) { // of those, as many are forgotten
        keep(&notices, revision, most + revision, SOME);
    }
    told.count = 0;
    assert_true(host_notices_since(&notices, 1, most + 2, PROTOCOL_ARRAYS_BIN, tell, &told));
    assert_int_equal(told.count, most / 2 - 2);
    assert_int_equal(told.numbers[0], most + 3);
    host_notices_deinit(&notices);
}

static void bytes_are_bounded_of_one_and_of_all(void **state)
{
    (void)state;
    const size_t large = PROTOCOL_LIMIT_KEPT_NOTICE_BYTES / 4;
    size_t total = 0;
    struct host_notices notices = {0};
    host_notices_begin(&notices, &total, 0);
    for (uint32_t revision = 1; revision <= 10; revision++) {
        keep(&notices, revision, revision, large);
    }
    assert_int_equal(notices.count, 4);
    expect(&notices, 6, 7, 10);
    expect_gap(&notices, 5);
    keep(&notices, 11, 11, PROTOCOL_LIMIT_KEPT_NOTICE_BYTES + 1); // one that is never kept
    assert_int_equal(notices.count, 0);
    expect_gap(&notices, 10);
    total = PROTOCOL_LIMIT_KEPT_NOTICE_BYTES_TOTAL; // others have it all
    keep(&notices, 12, 12, SOME);
    assert_int_equal(notices.count, 0);
    assert_int_equal(total, PROTOCOL_LIMIT_KEPT_NOTICE_BYTES_TOTAL);
    expect_gap(&notices, 11);
    expect(&notices, 12, 0, 0);
    host_notices_deinit(&notices);
}

static void one_that_is_lost_is_a_gap_for_all(void **state)
{
    (void)state;
    size_t total = 0;
    struct host_notices notices = {0};
    host_notices_begin(&notices, &total, 0);
    keep(&notices, 1, 1, SOME);
    keep(&notices, 2, 2, SOME);
    host_notices_keep(&notices, 3, (struct base_buffer *[3]){NULL}, true);
    expect_gap(&notices, 1);
    expect_gap(&notices, 2);
    keep(&notices, 4, 4, SOME);
    expect_gap(&notices, 3);
    expect(&notices, 4, 0, 0);
    host_notices_deinit(&notices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_had_an_edit_is_told_all_behind_it),
        cmocka_unit_test(who_had_less_than_is_kept_misses_something),
        cmocka_unit_test(what_tells_of_no_edit_is_missed_too),
        cmocka_unit_test(what_was_told_before_somebody_joined_is_not_for_them),
        cmocka_unit_test(bytes_are_bounded_of_one_and_of_all),
        cmocka_unit_test(one_that_is_lost_is_a_gap_for_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
