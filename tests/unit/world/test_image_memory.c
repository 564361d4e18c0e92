// Every allocation of the thread that makes an image fails once: the save is refused, and the world goes on.
#include "helper_world.h"

#include "../sim/helper_heap.h"
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static _Thread_local bool tests_own; // the thread of the test, which never fails
static atomic_int left;              // allocations of others until one fails; 0: none does

#ifndef OTHERS_OWN_THE_HEAP
static bool heap_gives(void)
{
    return tests_own || atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1;
}

#include "../sim/helper_heap_take.h"
#endif

static void each_fails_once(void **state)
{
    (void)state;
#ifdef OTHERS_OWN_THE_HEAP
    skip();
#endif
    tests_own = true;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 30, 1, "sail");
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [20, 21, 40]}");
    uint32_t refused = 0;
    for (int nth = 1;; nth++) {
        const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
        const msgpack_object *answer = NULL;
        bool error = false;
        atomic_store(&left, nth);
        uint32_t saved = helper_post(helper, HELPER_ANN, "world.save", "{'world': 1}");
        while (!answer && base_now_ns() < end_ns) {
            helper_turn(helper);
            answer = helper_answer(helper, saved, &error);
        }
        assert_non_null(answer);
        assert_null(helper->world->keep->image);
        helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'substeps': 5}");
        bool met = atomic_exchange(&left, 0) == 0;
        assert_int_equal(error, met);
        refused += met;
        helper_forget(helper);
        if (!met) {
            break;
        }
    }
    assert_true(refused > 20);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_fails_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
