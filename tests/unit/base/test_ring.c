// The ring: order, bounds, and the hand-over between two threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/ring.h"
#include "base/thread.h"

#include <sched.h>

// More than a pointer, so that a value that is copied in part is seen.
struct value {
    uint32_t number, check;
    const uint32_t *payload;
};

static struct value value_of(uint32_t number)
{
    return (struct value){.number = number, .check = ~number};
}

static bool push(struct base_ring *ring, uint32_t number)
{
    const struct value value = value_of(number);
    return base_ring_push(ring, &value);
}

static uint32_t pop(struct base_ring *ring)
{
    struct value value;
    assert_true(base_ring_pop(ring, &value));
    assert_int_equal(value.check, ~value.number);
    return value.number;
}

static void push_fails_when_full_and_pop_when_empty(void **state)
{
    (void)state;
    struct value value = value_of(77);
    struct base_ring *ring = base_ring_create(3, sizeof(struct value)); // rounded to 4
    assert_true(base_ring_empty(ring));
    assert_false(base_ring_pop(ring, &value));
    assert_int_equal(value.number, 77);
    for (int round = 0; round < 5; round++) {
        for (uint32_t i = 0; i < 4; i++) {
            assert_true(push(ring, i));
        }
        assert_false(push(ring, 4));
        assert_false(base_ring_empty(ring));
        // One out, one in: the counters pass the end of the slots at every offset.
        assert_int_equal(pop(ring), 0);
        assert_true(push(ring, 4));
        assert_false(push(ring, 0));
        for (uint32_t i = 1; i < 5; i++) {
            assert_int_equal(pop(ring), i);
        }
        assert_false(base_ring_pop(ring, &value));
        assert_true(base_ring_empty(ring));
    }
    base_ring_destroy(ring);
}

static void a_capacity_without_memory_is_refused(void **state)
{
    (void)state;
    assert_null(base_ring_create(SIZE_MAX, 1));
    assert_null(base_ring_create(SIZE_MAX / 64, 64));
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
        struct value value = value_of(i);
        value.payload = &pass->payloads[i];
        while (!base_ring_push(pass->ring, &value)) {
            sched_yield();
        }
    }
}

static void everything_crosses_two_threads_in_order(void **state)
{
    (void)state;
    static struct pass pass;
    pass.ring = base_ring_create(64, sizeof(struct value));
    struct base_thread producer;
    assert_true(base_thread_start(&producer, "a name much longer than fifteen", produce, &pass));
    for (uint32_t i = 0; i < PASSED; i++) {
        struct value value;
        while (!base_ring_pop(pass.ring, &value)) {
            sched_yield();
        }
        assert_int_equal(value.number, i);
        assert_int_equal(value.check, ~i);
        assert_ptr_equal(value.payload, &pass.payloads[i]);
        assert_int_equal(*value.payload, i * 2654435761U);
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
