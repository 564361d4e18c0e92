// Workers are shared out so that no peer has all of them, and heavy messages leave one for the others.
#include "host/slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct one {
    struct host_slot slot;
    struct host_slots *slots;
    bool at_once; // ends as soon as it starts
    int started;
};

static int order;

static void start(struct host_slot *slot)
{
    struct one *one = (struct one *)slot;
    one->started = ++order;
    if (one->at_once) {
        host_slots_leave(one->slots, slot);
    }
}

static void enter(struct host_slots *slots, struct one *one, const char *peer, enum host_weight weight)
{
    *one = (struct one){.slots = slots, .slot = {.weight = weight, .start = start}, .at_once = one->at_once};
    snprintf(one->slot.peer, sizeof one->slot.peer, "%s", peer);
    host_slots_enter(slots, &one->slot);
}

static void a_peer_has_one_worker_for_what_is_heavy(void **state)
{
    (void)state;
    struct host_slots slots = {0};
    struct one mine[8] = {0}, hers = {0}, small = {0};
    for (int i = 0; i < 8; i++) {
        enter(&slots, &mine[i], "me", HOST_HEAVY);
    }
    assert_true(mine[0].started && !mine[1].started && !mine[7].started);
    enter(&slots, &hers, "she", HOST_HEAVY);
    assert_true(hers.started); // whatever waits
    enter(&slots, &small, "me", HOST_LIGHT);
    assert_true(small.started);
    host_slots_leave(&slots, &mine[0].slot);
    assert_true(mine[1].started && !mine[2].started);
}

static void one_worker_is_left_of_all_peers_heavy_work(void **state)
{
    (void)state;
    struct host_slots slots = {0};
    struct one heavy[5] = {0}, small[4] = {0};
    for (int i = 0; i < 5; i++) {
        char peer[16];
        snprintf(peer, sizeof peer, "p%d", i);
        enter(&slots, &heavy[i], peer, HOST_HEAVY);
    }
    assert_true(heavy[2].started && !heavy[3].started);
    enter(&slots, &small[0], "p0", HOST_LIGHT);
    assert_true(small[0].started);
    enter(&slots, &small[1], "p9", HOST_LIGHT);
    assert_false(small[1].started); // all are at work
    host_slots_leave(&slots, &heavy[1].slot);
    assert_true(heavy[3].started && !small[1].started); // who came first
    host_slots_leave(&slots, &small[0].slot);
    assert_true(small[1].started && !heavy[4].started);
}

static void no_peer_has_all_of_them_for_small_ones_either(void **state)
{
    (void)state;
    struct host_slots slots = {0};
    struct one mine[6] = {0}, hers = {0};
    for (int i = 0; i < 6; i++) {
        enter(&slots, &mine[i], "me", HOST_LIGHT);
    }
    assert_true(mine[HOST_SLOTS - 2].started && !mine[HOST_SLOTS - 1].started);
    enter(&slots, &hers, "she", HOST_LIGHT);
    assert_true(hers.started);
}

static void what_is_long_passes_by_what_is_heavy(void **state)
{
    (void)state;
    struct host_slots slots = {0};
    struct one mine[4] = {0}, hers[2] = {0}, his = {0}, small = {0};
    enter(&slots, &mine[0], "me", HOST_HEAVY);
    enter(&slots, &mine[1], "me", HOST_HEAVY);
    enter(&slots, &mine[2], "me", HOST_LONG);
    enter(&slots, &mine[3], "me", HOST_LONG);
    assert_true(mine[0].started && !mine[1].started && mine[2].started && !mine[3].started);
    enter(&slots, &hers[0], "she", HOST_LONG);
    enter(&slots, &hers[1], "she", HOST_LONG);
    enter(&slots, &his, "he", HOST_HEAVY);
    assert_true(hers[0].started && !hers[1].started && !his.started); // one is left
    enter(&slots, &small, "me", HOST_LIGHT);
    assert_true(small.started);
    host_slots_leave(&slots, &mine[2].slot);
    assert_true(mine[3].started && !mine[1].started);
    host_slots_leave(&slots, &mine[0].slot);
    assert_true(mine[1].started);
}

static void starts_may_end_at_once_and_all_that_wait_can_be_flushed(void **state)
{
    (void)state;
    struct host_slots slots = {0};
    struct one first = {0}, quick[100] = {0};
    enter(&slots, &first, "me", HOST_HEAVY);
    for (int i = 0; i < 100; i++) {
        quick[i].at_once = true;
        enter(&slots, &quick[i], "me", HOST_HEAVY);
        assert_false(quick[i].started);
    }
    host_slots_leave(&slots, &first.slot);
    for (int i = 1; i < 100; i++) {
        assert_true(quick[i].started == quick[i - 1].started + 1);
    }
    assert_null(slots.running);
    enter(&slots, &first, "me", HOST_HEAVY);
    for (int i = 0; i < 100; i++) {
        enter(&slots, &quick[i], "me", HOST_HEAVY);
    }
    host_slots_flush(&slots);
    assert_true(quick[99].started && slots.waiting == NULL && slots.running == &first.slot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peer_has_one_worker_for_what_is_heavy),
        cmocka_unit_test(what_is_long_passes_by_what_is_heavy),
        cmocka_unit_test(one_worker_is_left_of_all_peers_heavy_work),
        cmocka_unit_test(no_peer_has_all_of_them_for_small_ones_either),
        cmocka_unit_test(starts_may_end_at_once_and_all_that_wait_can_be_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
