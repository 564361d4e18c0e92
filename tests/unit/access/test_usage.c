// Token buckets of persons.
#include "helper_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const uint64_t second_ns = 1000000000;

static uint32_t take_all(struct access_usage *usage, uint64_t now_ns)
{
    uint32_t taken = 0;
    while (taken < 1000 && access_usage_take(usage, ACCESS_EDITS, 10, 1, now_ns)) {
        taken++;
    }
    return taken;
}

static void a_bucket_fills_with_time(void **state)
{
    (void)state;
    struct access *access = open_book("book");
    struct access_usage *usage = access_usage_get(access, "Ada", second_ns);
    assert_non_null(usage);
    assert_int_equal(take_all(usage, second_ns), 20);
    assert_int_equal(take_all(usage, second_ns), 0);
    assert_int_equal(take_all(usage, second_ns + second_ns / 2), 5);
    assert_int_equal(take_all(usage, 100 * second_ns), 20);
    // Each bucket is its own; without a rate as much as comes.
    assert_true(access_usage_take(usage, ACCESS_MESSAGES, 10, 1, 100 * second_ns));
    for (int i = 0; i < 1000; i++) {
        assert_true(access_usage_take(usage, ACCESS_EDITS, 0, 1, 100 * second_ns));
    }
    access_usage_unref(usage);
    access_close(access);
}

static void what_is_larger_passes_a_full_one(void **state)
{
    (void)state;
    struct access *access = open_book("book");
    struct access_usage *usage = access_usage_get(access, "Ada", second_ns);
    assert_non_null(usage);
    assert_true(access_usage_take(usage, ACCESS_BYTES, 1000, 1000000, second_ns));
    assert_false(access_usage_take(usage, ACCESS_BYTES, 1000, 1, second_ns));
    assert_false(access_usage_take(usage, ACCESS_BYTES, 1000, 1000000, 2 * second_ns));
    assert_true(access_usage_take(usage, ACCESS_BYTES, 1000, 1000000, 4 * second_ns));
    access_usage_unref(usage);
    access_close(access);
}

static void it_is_the_persons_in_all_sessions_and_after_them(void **state)
{
    (void)state;
    struct access *access = open_book("book");
    struct access_usage *first = access_usage_get(access, "Ada", second_ns);
    struct access_usage *second = access_usage_get(access, "Ada", second_ns);
    struct access_usage *other = access_usage_get(access, "Bob", second_ns);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, other);
    assert_int_equal(take_all(first, second_ns), 20);
    access_usage_unref(first);
    access_usage_unref(second);
    // A person who leaves and comes back finds it as it was.
    struct access_usage *again = access_usage_get(access, "Ada", second_ns + 1);
    assert_int_equal(take_all(again, second_ns + 1), 0);
    access_usage_unref(again);
    // Nobody has it for long: it is full, and gone.
    access_usage_unref(access_usage_get(access, "Eve", 10 * second_ns));
    again = access_usage_get(access, "Ada", 10 * second_ns);
    assert_int_equal(take_all(again, 10 * second_ns), 20);
    access_usage_unref(again);
    access_usage_unref(other);
    access_usage_unref(NULL);
    access_close(access);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bucket_fills_with_time, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(what_is_larger_passes_a_full_one, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(it_is_the_persons_in_all_sessions_and_after_them, folder_make,
                                        folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
