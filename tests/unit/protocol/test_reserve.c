// An array that grows keeps what is in it, doubles, and is as it was where it cannot grow. Memory fails on demand: the header
// is compiled here with a realloc that can refuse, which works under every sanitizer.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static bool memory_fails;
static size_t asked_for;

static void *realloc_or_fail(void *memory, size_t size)
{
    asked_for = size;
    return memory_fails ? NULL : realloc(memory, size);
}

#define realloc realloc_or_fail
#include "protocol/array/reserve.h"
#undef realloc

enum { ITEMS = 5000 };

struct narrow {
    uint32_t *items;
    uint32_t count, capacity;
};

struct wide {
    double *items;
    size_t count, capacity;
};

static void items_are_kept_and_the_capacity_doubles(void **state)
{
    (void)state;
    struct narrow list = {0};
    uint32_t moves = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t before = list.capacity;
        assert_true(array_reserve(&list.items, &list.capacity, list.count + 1));
        if (list.capacity != before) {
            assert_int_equal(list.capacity, before == 0 ? ARRAY_CAPACITY_MIN : 2 * before);
            moves++;
        }
        list.items[list.count++] = i * i;
    }
    assert_int_equal(moves, 11); // 8 ... 8192
    for (uint32_t i = 0; i < ITEMS; i++) {
        assert_int_equal(list.items[i], i * i);
    }
    free(list.items);
}

static void many_at_once_are_as_many_as_were_asked_for(void **state)
{
    (void)state;
    struct wide list = {0};
    assert_true(array_reserve(&list.items, &list.capacity, list.count));
    assert_null(list.items);
    assert_true(array_reserve(&list.items, &list.capacity, 1000));
    assert_int_equal(list.capacity, 1000);
    list.items[999] = 0.5;
    const double *before = list.items;
    assert_true(array_reserve(&list.items, &list.capacity, 1000));
    assert_ptr_equal(list.items, before);
    assert_true(array_reserve(&list.items, &list.capacity, 1001));
    assert_int_equal(list.capacity, 2000);
    assert_true(list.items[999] == 0.5);
    free(list.items);
}

// Nothing that can be asked for may wrap: neither the count, nor twice it, nor the bytes.
static void a_size_that_has_no_number_is_refused(void **state)
{
    (void)state;
    struct wide list = {0};
    const uint64_t most = PTRDIFF_MAX / sizeof *list.items;
    const uint64_t sizes[] = {most + 1, (uint64_t)SIZE_MAX / sizeof *list.items + 2, SIZE_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_false(array_reserve(&list.items, &list.capacity, sizes[i]));
        assert_null(list.items);
        assert_int_equal(list.capacity, 0);
    }
    struct narrow small = {0};
    const uint64_t narrow_sizes[] = {UINT32_MAX, (uint64_t)UINT32_MAX + 2};
    for (size_t i = 0; i < sizeof narrow_sizes / sizeof narrow_sizes[0]; i++) {
        assert_false(array_reserve(&small.items, &small.capacity, narrow_sizes[i]));
    }
    assert_int_equal(small.capacity, 0);
}

// A test's array that pretends to be near the end of its numbers: it has no items, so that nothing of that size is taken.
static void a_capacity_stays_below_the_greatest_number_of_its_type(void **state)
{
    (void)state;
    uint8_t *bytes = NULL;
    uint32_t capacity = UINT32_MAX - 1;
    assert_false(array_reserve(&bytes, &capacity, (uint64_t)capacity + 1));
    assert_null(bytes);
    assert_int_equal(capacity, UINT32_MAX - 1);
}

static void without_memory_all_stays(void **state)
{
    (void)state;
    struct wide list = {0};
    assert_true(array_reserve(&list.items, &list.capacity, 3));
    for (size_t i = 0; i < 3; i++) {
        list.items[list.count++] = (double)i;
    }
    const double *before = list.items;
    memory_fails = true;
    assert_false(array_reserve(&list.items, &list.capacity, ARRAY_CAPACITY_MIN + 1));
    assert_int_equal(asked_for, 2 * ARRAY_CAPACITY_MIN * sizeof *list.items);
    const size_t most = PTRDIFF_MAX / sizeof *list.items;
    assert_false(array_reserve(&list.items, &list.capacity, most));
    assert_int_equal(asked_for, most * sizeof *list.items); // the greatest size that is asked for
    memory_fails = false;
    assert_ptr_equal(list.items, before);
    assert_int_equal(list.capacity, ARRAY_CAPACITY_MIN);
    for (size_t i = 0; i < 3; i++) {
        assert_true(list.items[i] == (double)i);
    }
    free(list.items);
}

static void pointers_and_items_of_a_size_known_later_grow_as_well(void **state)
{
    (void)state;
    const char **names = NULL, *name = "name";
    uint64_t capacity = 0;
    assert_true(array_reserve(&names, &capacity, 1));
    names[0] = name;
    assert_true(array_reserve(&names, &capacity, 100));
    assert_ptr_equal(names[0], name);
    free((void *)names);

    void *rows = NULL;
    uint32_t room = 0;
    assert_true(array_grow(&rows, 24, &room, sizeof room, 20));
    assert_int_equal(room, 20);
    memset(rows, 1, (size_t)20 * 24);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_kept_and_the_capacity_doubles),
        cmocka_unit_test(many_at_once_are_as_many_as_were_asked_for),
        cmocka_unit_test(a_size_that_has_no_number_is_refused),
        cmocka_unit_test(a_capacity_stays_below_the_greatest_number_of_its_type),
        cmocka_unit_test(without_memory_all_stays),
        cmocka_unit_test(pointers_and_items_of_a_size_known_later_grow_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
