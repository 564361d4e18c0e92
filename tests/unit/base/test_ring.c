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
    int *item = NULL;
    struct base_ring *ring = base_ring_create(sizeof(int *), 3); // rounded to 4
    assert_true(base_ring_empty(ring));
    assert_false(base_ring_pop(ring, &item));
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 4; i++) {
            assert_true(base_ring_push(ring, &(int *){&items[i]}));
        }
        assert_false(base_ring_push(ring, &(int *){&items[4]}));
        assert_false(base_ring_empty(ring));
        // One out, one in: the counters pass the end of the slots at every offset.
        assert_true(base_ring_pop(ring, &item));
        assert_ptr_equal(item, &items[0]);
        assert_true(base_ring_push(ring, &(int *){&items[4]}));
        assert_false(base_ring_push(ring, &(int *){&items[0]}));
        for (int i = 1; i < 5; i++) {
            assert_true(base_ring_pop(ring, &item));
            assert_ptr_equal(item, &items[i]);
        }
        assert_false(base_ring_pop(ring, &item));
        assert_ptr_equal(item, &items[4]);
        assert_true(base_ring_empty(ring));
    }
    base_ring_destroy(ring);
}

struct triple {
    uint8_t bytes[3];
};

static void values_of_any_size_are_copied_in_and_out(void **state)
{
    (void)state;
    struct base_ring *ring = base_ring_create(sizeof(struct triple), 4);
    for (uint8_t round = 0; round < 9; round++) {
        for (uint8_t i = 0; i < 4; i++) {
            struct triple given = {{round, i, (uint8_t)(round ^ i)}};
            assert_true(base_ring_push(ring, &given));
            given = (struct triple){{255, 255, 255}}; // the ring has its own
        }
        assert_false(base_ring_push(ring, &(struct triple){{0}}));
        // Three of the four, so that the next round starts at another slot.
        for (uint8_t i = 0; i < 4; i++) {
            struct triple taken[2] = {{{7, 7, 7}}, {{9, 9, 9}}};
            assert_true(base_ring_pop(ring, &taken[0]));
            assert_memory_equal(taken[0].bytes, ((uint8_t[]){round, i, (uint8_t)(round ^ i)}), 3);
            assert_memory_equal(taken[1].bytes, ((uint8_t[]){9, 9, 9}), 3); // and no byte beyond
        }
    }
    base_ring_destroy(ring);
}

static void a_capacity_without_memory_is_refused(void **state)
{
    (void)state;
    assert_null(base_ring_create(1, SIZE_MAX));
    assert_null(base_ring_create(sizeof(void *), SIZE_MAX));
    assert_null(base_ring_create(SIZE_MAX / 2, 4));
}

enum { PASSED = 200000 };

struct parcel {
    uint32_t number, check; // of the value itself
    uint32_t *payload;
};

struct pass {
    struct base_ring *ring;
    uint32_t payloads[PASSED];
};

static void produce(void *context)
{
    struct pass *pass = context;
    for (uint32_t i = 0; i < PASSED; i++) {
        pass->payloads[i] = i * 2654435761U; // plain memory: the ring must publish it
        struct parcel parcel = {.number = i, .check = ~i, .payload = &pass->payloads[i]};
        while (!base_ring_push(pass->ring, &parcel)) {
            sched_yield();
        }
    }
}

static void everything_crosses_two_threads_in_order(void **state)
{
    (void)state;
    static struct pass pass;
    pass.ring = base_ring_create(sizeof(struct parcel), 64);
    struct base_thread producer;
    assert_true(base_thread_start(&producer, "a name much longer than fifteen", produce, &pass));
    for (uint32_t i = 0; i < PASSED; i++) {
        struct parcel parcel;
        while (!base_ring_pop(pass.ring, &parcel)) {
            sched_yield();
        }
        assert_int_equal(parcel.number, i);
        assert_int_equal(parcel.check, ~i);
        assert_ptr_equal(parcel.payload, &pass.payloads[i]);
        assert_int_equal(*parcel.payload, i * 2654435761U);
    }
    base_thread_join(&producer);
    assert_true(base_ring_empty(pass.ring));
    base_ring_destroy(pass.ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(push_fails_when_full_and_pop_when_empty),
        cmocka_unit_test(values_of_any_size_are_copied_in_and_out),
        cmocka_unit_test(a_capacity_without_memory_is_refused),
        cmocka_unit_test(everything_crosses_two_threads_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
