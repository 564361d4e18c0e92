// Deadlines come out in the order of time, and of insertion if times are equal, whatever was removed in between.
#include "host/deadlines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

enum { COUNT = 300 };

static uint64_t next(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *random >> 33;
}

static void they_come_out_in_order(void **state)
{
    (void)state;
    struct host_deadlines deadlines = {0};
    struct host_deadline items[COUNT];
    bool in[COUNT] = {false};
    uint64_t random = 1;
    assert_true(host_deadlines_reserve(&deadlines, 10));
    assert_true(host_deadlines_reserve(&deadlines, COUNT));
    for (int round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            if (!in[i]) {
                host_deadlines_put(&deadlines, &items[i], next(&random) % 50);
            }
            in[i] = true;
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            if (next(&random) % 3 == 0) {
                host_deadlines_remove(&deadlines, &items[i]);
                in[i] = false;
            }
        }
        uint64_t last_ns = 0, last_order = 0;
        uint32_t left = deadlines.count;
        for (uint32_t taken = 0; taken < left / 2 || (round == 19 && taken < left); taken++) {
            struct host_deadline *first = host_deadlines_first(&deadlines);
            assert_non_null(first);
            assert_int_equal(host_deadlines_first_ns(&deadlines), first->ns);
            assert_true(taken == 0 || first->ns > last_ns ||
                        (first->ns == last_ns && first->order > last_order));
            last_ns = first->ns;
            last_order = first->order;
            assert_true(in[first - items]);
            in[first - items] = false;
            host_deadlines_remove(&deadlines, first);
        }
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_false(in[i]);
    }
    assert_null(host_deadlines_first(&deadlines));
    assert_true(host_deadlines_first_ns(&deadlines) == UINT64_MAX);
    host_deadlines_deinit(&deadlines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_out_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
