// The ring: order, bounds, and the hand-over between two threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ring.h"
#include "base/thread.h"

#include <sched.h>

static void push_fails_when_full_and_pop_when_empty(void **state)
{
    (void)state;
    int items[5];
    struct base_ring *ring = base_ring_create(3); // rounded to 4
    assert_true(base_ring_empty(ring));
    assert_null(base_ring_pop(ring));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 4; i++) {
            assert_true(base_ring_push(ring, &items[i]));
        }
        assert_false(base_ring_push(ring, &items[4]));
        assert_false(base_ring_empty(ring));
        // One out, one in: the counters pass the end of the slots at every offset.
        assert_ptr_equal(base_ring_pop(ring), &items[0]);
        assert_true(base_ring_push(ring, &items[4]));
        assert_false(base_ring_push(ring, &items[0]));
        for (int i = 1; i < 5; i++) {
            assert_ptr_equal(base_ring_pop(ring), &items[i]);
        }
        assert_null(base_ring_pop(ring));
        assert_true(base_ring_empty(ring));
    }
    base_ring_destroy(ring);
}

static void a_capacity_without_memory_is_refused(void **state)
{
    (void)state;
    assert_null(base_ring_create(SIZE_MAX));
}

enum { PASSED = 200000 };

struct pass {
    struct base_ring *ring;
    uint32_t payloads[PASSED];
};

static void produce(void *context)
{
    struct pass *pass = context;
    for (uint32_t i = 0; i < PASSED; i++) {
        pass->payloads[i] = i * 2654435761U; // plain memory: the ring must publish it
        while (!base_ring_push(pass->ring, &pass->payloads[i])) {
            sched_yield();
        }
    }
}

static void everything_crosses_two_threads_in_order(void **state)
{
    (void)state;
    static struct pass pass;
    pass.ring = base_ring_create(64);
    struct base_thread producer;
    assert_true(base_thread_start(&producer, "a name much longer than fifteen", produce, &pass));
    for (uint32_t i = 0; i < PASSED; i++) {
        uint32_t *item;
        while (!(item = base_ring_pop(pass.ring))) {
            sched_yield();
        }
        assert_ptr_equal(item, &pass.payloads[i]);
        assert_int_equal(*item, i * 2654435761U);
    }
    base_thread_join(&producer);
    assert_true(base_ring_empty(pass.ring));
    base_ring_destroy(pass.ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_fails_when_full_and_pop_when_empty),
        cmocka_unit_test(a_capacity_without_memory_is_refused),
        cmocka_unit_test(everything_crosses_two_threads_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
