// Arrays that grow: what is in them stays, and what is new is zero. Pages of an array that is emptied go back to the system.
#include "base/grow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { SMALL = 1000, LARGE = 1 << 22 };

static bool grow(void **items, uint64_t to, bool sparse)
{
    return sparse ? base_grow_sparse(items, to) : base_grow(items, to);
}

static size_t count_of(const unsigned char *bytes, size_t size, unsigned char value)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += bytes[i] == value;
    }
    return count;
}

static void test_growing(void **state)
{
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        unsigned char *bytes = NULL;
        assert_true(grow((void **)&bytes, SMALL, sparse));
        assert_int_equal((uintptr_t)bytes % BASE_GROW_ALIGN, 0);
        assert_int_equal(count_of(bytes, SMALL, 0), SMALL);
        memset(bytes, 7, SMALL);
        for (size_t to = LARGE / 8; to <= LARGE; to *= 2) {
            assert_true(grow((void **)&bytes, to, sparse));
            assert_int_equal(count_of(bytes, to, 7), SMALL);
            assert_int_equal(count_of(bytes, to, 0), to - SMALL);
        }
        unsigned char *before = bytes;
        assert_false(grow((void **)&bytes, UINT64_MAX, sparse));
        assert_ptr_equal(bytes, before);
        base_grow_free(bytes);
    }
}

static size_t resident(unsigned char *bytes, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *first = bytes - (uintptr_t)bytes % page;
    const size_t pages = (size + page - 1) / page;
    unsigned char *there = calloc(pages, 1);
    size_t count = 0;
    assert_int_equal(mincore(first, pages * page, there), 0);
    for (size_t i = 0; i < pages; i++) {
        count += there[i] & 1;
    }
    free(there);
    return count * page;
}

static void test_emptying(void **state)
{
    (void)state;
    unsigned char *bytes = NULL;
    assert_true(base_grow_sparse((void **)&bytes, LARGE));
    const size_t mapped = base_grow_mapped();
    memset(bytes, 7, LARGE);
    assert_true(resident(bytes, LARGE) >= LARGE);
    base_grow_empty(bytes);
    assert_true(resident(bytes, LARGE) <= LARGE / 16);
    assert_int_equal(base_grow_mapped(), mapped);
    // It is as large as before, and can be written and grow.
    memset(bytes, 8, LARGE);
    assert_true(base_grow_sparse((void **)&bytes, 2 * LARGE));
    assert_int_equal(count_of(bytes, LARGE, 8), LARGE);
    base_grow_free(bytes);
}

// An array without pages of its own stays as it is.
static void test_emptying_small_ones(void **state)
{
    (void)state;
    unsigned char *bytes = NULL;
    base_grow_empty(NULL);
    assert_true(base_grow((void **)&bytes, SMALL));
    memset(bytes, 7, SMALL);
    base_grow_empty(bytes);
    assert_int_equal(count_of(bytes, SMALL, 7), SMALL);
    base_grow_free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_emptying),
        cmocka_unit_test(test_emptying_small_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
