// Buffers, budgets, frames, batches: who keeps whom alive, and that a budget is never passed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

static void a_budget_is_charged_and_given_back(void **state)
{
    (void)state;
    struct base_budget *budget = base_budget_create(100);
    struct base_buffer *a = base_buffer_create(60, budget);
    assert_non_null(a);
    assert_int_equal((uintptr_t)a->data % 16, 0);
    assert_null(base_buffer_create(41, budget));
    assert_null(base_buffer_create(SIZE_MAX, budget));
    struct base_buffer *b = base_buffer_create(40, budget);
    assert_non_null(b);
    assert_int_equal(base_budget_used(budget), 100);
    a->size = 1; // lowered before sharing: what was charged is given back all the same
    assert_ptr_equal(base_buffer_ref(a), a);
    base_buffer_unref(a);
    assert_int_equal(base_budget_used(budget), 100);
    base_buffer_unref(a);
    assert_int_equal(base_budget_used(budget), 40);
    base_budget_release(budget); // b still refers to it
    memset(b->data, 7, b->size);
    base_buffer_unref(b);
}

// The shared part of 1000 bytes is 750. Two holders have 125 more each, whatever the other holds.
static void a_whole_is_shared_fairly(void **state)
{
    (void)state;
    struct base_budget *whole = base_budget_create(1000);
    struct base_budget *greedy = base_budget_create_share(whole, 900);
    struct base_budget *modest = base_budget_create_share(whole, 900);
    assert_true(base_budget_charge(greedy, 700));
    assert_false(base_budget_is_scarce(whole, 50));
    assert_true(base_budget_is_scarce(whole, 51));
    assert_true(base_budget_fits(greedy, 50));
    assert_false(base_budget_fits(greedy, 51));
    assert_false(base_budget_charge(greedy, 51));
    assert_int_equal(base_budget_used(greedy), 700);
    assert_int_equal(base_budget_used(whole), 700);
    assert_true(base_budget_charge(greedy, 50));
    assert_true(base_budget_fits(modest, 125));
    assert_false(base_budget_fits(modest, 126));
    assert_true(base_budget_charge(modest, 125));
    assert_false(base_budget_charge(modest, 1));
    // Another one that comes has room as well. There is always as much as that.
    struct base_budget *third = base_budget_create_share(whole, 900);
    assert_true(base_budget_charge(third, 83));
    assert_false(base_budget_charge(third, 1));
    // Nobody has to give back what the last ones need.
    base_budget_uncharge(greedy, 250);
    assert_true(base_budget_charge(modest, 40));
    base_budget_uncharge(greedy, 500);
    base_budget_uncharge(modest, 165);
    base_budget_uncharge(third, 83);
    base_budget_release(third);
    base_budget_release(modest);
    base_budget_release(greedy);
    assert_int_equal(base_budget_used(whole), 0);
    base_budget_release(whole);
}

static void a_buffer_needs_no_budget(void **state)
{
    (void)state;
    struct base_buffer *buffer = base_buffer_create(0, NULL);
    assert_non_null(buffer);
    assert_int_equal(buffer->size, 0);
    base_buffer_unref(buffer);
    base_buffer_unref(NULL);
    assert_null(base_buffer_create(SIZE_MAX, NULL));
}

static void frames_share_buffers_and_batches_share_frames(void **state)
{
    (void)state;
    struct base_budget *budget = base_budget_create(1000);
    struct base_buffer *chunk = base_buffer_create(100, budget);
    struct base_frame *frames[2];
    for (int f = 0; f < 2; f++) {
        frames[f] = base_frame_create(1);
        frames[f]->parts[0].buffers = malloc(sizeof(struct base_buffer *));
        frames[f]->parts[0].buffers[0] = base_buffer_ref(chunk);
        frames[f]->parts[0].buffer_count = 1;
    }
    base_buffer_unref(chunk);

    struct base_batch *first = base_batch_create(1, 2, 3, 2);
    first->frames[0] = frames[0];
    first->frames[1] = frames[1];
    struct base_batch *second = base_batch_create(4, 5, 6, 1);
    second->frames[0] = base_frame_ref(frames[1]);
    assert_int_equal(second->stream, 4);
    assert_int_equal(second->session, 5);
    assert_int_equal(second->moment, 6);

    base_batch_destroy(first);
    assert_int_equal(base_budget_used(budget), 100);
    base_batch_destroy(second);
    assert_int_equal(base_budget_used(budget), 0);
    base_batch_destroy(NULL);
    base_frame_unref(NULL);
    base_budget_release(budget);
}

enum { BUDGET_THREADS = 4, BUDGET_ROUNDS = 20000, BUDGET_LIMIT = 1000 };

static void charge_and_return(void *context, uint32_t index)
{
    struct base_budget *budget = context;
    size_t size = 100 + 200 * index;
    for (int i = 0; i < BUDGET_ROUNDS; i++) {
        struct base_buffer *buffer = base_buffer_create(size, budget);
        size_t used = base_budget_used(budget);
        if (used > BUDGET_LIMIT || (buffer && used < size)) {
            abort();
        }
        base_buffer_unref(buffer);
    }
}

static void threads_never_pass_a_budget_together(void **state)
{
    (void)state;
    struct base_budget *budget = base_budget_create(BUDGET_LIMIT);
    struct base_team *team = base_team_create(BUDGET_THREADS);
    struct base_parallel *parallel = base_team_parallel(team);
    parallel->run(parallel, BUDGET_THREADS, charge_and_return, budget);
    base_team_destroy(team);
    assert_int_equal(base_budget_used(budget), 0);
    base_budget_release(budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_is_charged_and_given_back),
        cmocka_unit_test(a_whole_is_shared_fairly),
        cmocka_unit_test(a_buffer_needs_no_budget),
        cmocka_unit_test(frames_share_buffers_and_batches_share_frames),
        cmocka_unit_test(threads_never_pass_a_budget_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
