// Bisection: against counting, for every count and every place, with equal items among them.
#include "base/search.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ITEMS = 33 };

static void test_places(void **state)
{
    (void)state;
    uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++) {
        items[i] = 2 * (i / 3) + 1; // 1 1 1 3 3 3 ...
    }
    for (uint32_t count = 0; count <= ITEMS; count++) {
        for (uint32_t value = 0; value <= items[ITEMS - 1] + 1; value++) {
            uint32_t less = 0, not_greater = 0;
            for (uint32_t i = 0; i < count; i++) {
                less += items[i] < value;
                not_greater += items[i] <= value;
            }
            uint32_t place;
            BASE_SEARCH(place, count, items[at] < value);
            assert_int_equal(place, less);
            BASE_SEARCH(place, count, items[at] <= value);
            assert_int_equal(place, not_greater);
        }
    }
}

// As many as there can be: the middle must not overflow, and few are looked at.
static void test_many(void **state)
{
    (void)state;
    uint32_t place, looked = 0;
    BASE_SEARCH(place, UINT32_MAX, (looked++, at < UINT32_MAX - 1));
    assert_int_equal(place, UINT32_MAX - 1);
    assert_true(looked <= 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
