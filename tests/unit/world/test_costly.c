// Costly queries have a share of the time of a world that runs, and wait when it is used up.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12 };

static const char all[] = "{'world': 1, 'forces': true}";

static void long_edges(struct protocol_world_create_params *settings)
{
    helper_edge_by_edge(settings);
    settings->long_edges = true;
}

// Two cloths, of which the first one hangs, in a world that plays.
static struct helper *playing(void)
{
    struct helper *helper = helper_create(long_edges);
    helper_cloth(helper, HELPER_ANN, SIDE, 2, "sail");
    helper_cloth(helper, HELPER_ANN, SIDE, 4, "other");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 11]}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    for (int t = 0; t < 30; t++) {
        helper->now_ns += 16700000;
        helper_turn(helper);
    }
    helper_forget(helper);
    return helper;
}

static bool answered(struct helper *helper, uint32_t msgid)
{
    bool error = false;
    const bool is = helper_answer(helper, msgid, &error) != NULL;
    assert_false(error);
    return is;
}

static struct world_costly *costly_of(const struct helper *helper)
{
    return &helper->world->edits->costly;
}

static void who_has_used_up_a_share_waits(void **state)
{
    (void)state;
    struct helper *helper = playing();
    assert_int_equal(costly_of(helper)->count, 0);
    const msgpack_object *list = helper_call(helper, HELPER_ANN, "constraint.list", all);
    assert_null(helper_find(list, "wait_ms"));
    assert_int_equal(costly_of(helper)->count, 1);
    costly_of(helper)->debtors[0].left = 1;
    list = helper_call(helper, HELPER_ANN, "constraint.list", all);
    const double wait_ms = helper_number(list, "wait_ms");
    assert_true(wait_ms > 0);
    assert_true(costly_of(helper)->debtors[0].left < 0);

    const uint32_t second = helper_post(helper, HELPER_ANN, "constraint.list", all);
    const uint32_t behind = helper_post(helper, HELPER_ANN, "world.hash", "{'world': 1}");
    const uint32_t bob = helper_post(helper, HELPER_BOB, "constraint.list", all);
    helper_turns(helper, 2);
    assert_false(answered(helper, second) || answered(helper, behind));
    assert_true(answered(helper, bob));
    assert_true(helper->deadline < helper->now_ns + 20000000);
    helper->now_ns += (uint64_t)(wait_ms * 0.9e6);
    helper_turn(helper);
    assert_false(answered(helper, second));
    helper->now_ns += (uint64_t)(wait_ms * 0.2e6);
    helper_turns(helper, 2);
    assert_true(answered(helper, second) && answered(helper, behind));

    // Forces that nobody asked for cost nothing, and all that may be saved up is soon there again.
    costly_of(helper)->debtors[0].left = -1000000;
    helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1}");
    helper->now_ns += UINT64_C(1000000000);
    helper_call(helper, HELPER_ANN, "constraint.list", all);
    assert_int_equal(costly_of(helper)->count, 1);
    helper_destroy(helper);
}

static void all_together_have_a_share_too(void **state)
{
    (void)state;
    struct helper *helper = playing();
    helper_call(helper, HELPER_ANN, "constraint.list", all);
    costly_of(helper)->left = -1000000;
    const uint32_t bob = helper_post(helper, HELPER_BOB, "world.measure", "{'world': 1, 'crossings': true}");
    const uint32_t eve = helper_post(helper, HELPER_EVE, "world.measure", "{'world': 1}");
    helper_turns(helper, 2);
    assert_false(answered(helper, bob));
    assert_true(answered(helper, eve));
    helper->now_ns += 2100000; // half of it pays
    helper_turns(helper, 2);
    assert_true(answered(helper, bob));
    helper_destroy(helper);
}

static void a_world_at_rest_lets_nobody_wait(void **state)
{
    (void)state;
    struct helper *helper = playing();
    helper_call(helper, HELPER_ANN, "constraint.list", all);
    costly_of(helper)->left = costly_of(helper)->debtors[0].left = -1000000000;
    const uint32_t waits = helper_post(helper, HELPER_ANN, "constraint.list", all);
    helper_turns(helper, 2);
    assert_false(answered(helper, waits));
    helper_call(helper, HELPER_BOB, "world.pause", "{'world': 1}");
    helper_turns(helper, 2);
    assert_true(answered(helper, waits));
    const int64_t left = costly_of(helper)->left;
    assert_null(helper_find(helper_call(helper, HELPER_ANN, "constraint.list", all), "wait_ms"));
    assert_true(costly_of(helper)->left >= left);
    helper_destroy(helper);
}

// Only bodies of which the page lists constraints count.
static void one_body_is_less_work(void **state)
{
    (void)state;
    struct helper *helper = playing();
    int64_t before = 0, work[3];
    static const char *const asked[] = {all, "{'world': 1, 'forces': true, 'body': 2}",
                                        "{'world': 1, 'forces': true, 'limit': 1}"};
    helper_call(helper, HELPER_ANN, "constraint.list", all);
    for (int i = 0; i < 3; i++) {
        before = costly_of(helper)->debtors[0].left = 100000000;
        helper_call(helper, HELPER_ANN, "constraint.list", asked[i]);
        work[i] = before - costly_of(helper)->debtors[0].left;
        assert_true(work[i] > 0);
    }
    assert_true(work[1] < work[0] && work[2] < work[0]);
    assert_true(work[2] > work[1]); // the sail hangs on its long edges, and the other cloth falls
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_used_up_a_share_waits),
        cmocka_unit_test(all_together_have_a_share_too),
        cmocka_unit_test(a_world_at_rest_lets_nobody_wait),
        cmocka_unit_test(one_body_is_less_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
