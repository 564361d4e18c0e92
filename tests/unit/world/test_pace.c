// Ticks at their times, with explicit clocks.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)

static void times_are_computed_from_the_base_and_do_not_drift(void **state)
{
    (void)state;
    struct world_pace pace = {.tick_rate = 60};
    world_pace_start(&pace, 1, 5);
    for (uint64_t n = 0; n < 60 * 3600; n++) {
        assert_true(world_pace_due(&pace) == 5 + n * UINT64_C(1000000000) / 60);
        world_pace_tick(&pace, world_pace_due(&pace) + 1000);
    }
    assert_true(world_pace_due(&pace) == 5 + UINT64_C(3600000000000));
    assert_int_equal(pace.late, 0);
    assert_int_equal(pace.lateness_us, 1);
    assert_int_equal(pace.lost_us, 0);
}

static void a_late_tick_is_counted_and_caught_up(void **state)
{
    (void)state;
    struct world_pace pace = {.tick_rate = 100};
    world_pace_start(&pace, 1, 0);
    world_pace_tick(&pace, 0);
    world_pace_tick(&pace, 45 * MS); // due at 10
    assert_int_equal(pace.late, 1);
    assert_int_equal(pace.lateness_us, 35000);
    world_pace_tick(&pace, 46 * MS); // due at 20
    assert_int_equal(pace.late, 2);
    world_pace_tick(&pace, 47 * MS); // due at 30
    world_pace_tick(&pace, 48 * MS); // due at 40: less than a tick late
    assert_int_equal(pace.late, 3);
    assert_true(world_pace_due(&pace) == 50 * MS);
    assert_int_equal(pace.lateness_max_us, 35000);
    assert_int_equal(pace.lateness_sum_us, 35000 + 26000 + 17000 + 8000);
    assert_int_equal(pace.lost_us, 0);
}

static void a_world_that_cannot_keep_pace_gives_time_up(void **state)
{
    (void)state;
    struct world_pace pace = {.tick_rate = 100};
    world_pace_start(&pace, 1, 0);
    world_pace_tick(&pace, 250 * MS); // as much as may be owed
    assert_int_equal(pace.lost_us, 0);
    assert_true(world_pace_due(&pace) == 10 * MS);
    world_pace_tick(&pace, 400 * MS); // 390 ms late
    assert_int_equal(pace.lost_us, 390000);
    assert_true(world_pace_due(&pace) == 410 * MS);

    // Slow ticks may owe four of their own periods.
    world_pace_start(&pace, 0.05, 0);
    world_pace_tick(&pace, 799 * MS);
    assert_int_equal(pace.lost_us, 390000);
    world_pace_start(&pace, 0.05, 0);
    world_pace_tick(&pace, 801 * MS);
    assert_int_equal(pace.lost_us, 390000 + 801000);
}

static void a_change_of_rate_keeps_the_phase(void **state)
{
    (void)state;
    struct world_pace pace = {.tick_rate = 10};
    world_pace_start(&pace, 1, 0);
    world_pace_tick(&pace, 0); // next at 100
    world_pace_change(&pace, 2, 50 * MS);
    assert_true(world_pace_due(&pace) == 75 * MS); // half a tick of 50
    world_pace_change(&pace, 1, 60 * MS);
    assert_true(world_pace_due(&pace) >= 90 * MS - 10 && world_pace_due(&pace) <= 90 * MS + 10);
    world_pace_change(&pace, 0, 61 * MS);
    assert_true(world_pace_due(&pace) == 0);
    world_pace_change(&pace, 1, 70 * MS);
    assert_true(world_pace_due(&pace) == 70 * MS);
}

static void turning_the_rate_all_the_time_does_not_hold_the_world_back(void **state)
{
    (void)state;
    struct world_pace pace = {.tick_rate = 10};
    uint32_t ticks = 0;
    world_pace_start(&pace, 1, 0);
    for (uint64_t now = 0; now < 1000 * MS; now += 10 * MS) {
        world_pace_change(&pace, now / MS / 10 % 2 ? 1.001 : 1, now);
        if (world_pace_due(&pace) <= now) {
            world_pace_tick(&pace, now);
            ticks++;
        }
    }
    assert_in_range(ticks, 9, 11);
}

static void tick_rate_100(struct protocol_world_create_params *settings)
{
    settings->tick_rate = 100;
}

static void a_playing_world_ticks_when_due_and_tells_its_next_time(void **state)
{
    (void)state;
    struct helper *helper = helper_create(tick_rate_100);
    uint64_t start = helper->now_ns;
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    assert_int_equal(helper->world->document->tick, 1); // the first one at once
    assert_true(helper->deadline == start + 10 * MS);
    helper->now_ns = start + 9 * MS;
    helper_turn(helper);
    assert_int_equal(helper->world->document->tick, 1);
    assert_true(helper->deadline == start + 10 * MS);
    helper->now_ns = start + 10 * MS;
    helper_turn(helper);
    assert_int_equal(helper->world->document->tick, 2);
    // Half a second passes: one tick a turn, and what is owed beyond measure is given up.
    helper->now_ns = start + 520 * MS;
    helper_turns(helper, 2);
    assert_int_equal(helper->world->document->tick, 3);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(got, "state", "playing");
    assert_int_equal(helper_number(got, "ticks_late"), 1);
    assert_int_equal(helper_number(got, "lateness_us"), 500000);
    assert_int_equal(helper_number(got, "time_lost_us"), 500000);
    struct world_face face;
    world_face(helper->world, &face);
    assert_int_equal(face.state, WORLD_PLAYING);
    assert_int_equal(face.ticks_run, 3);
    assert_int_equal(face.ticks_late, 1);
    assert_int_equal(face.lateness_us, 500000);
    assert_int_equal(face.time_lost_us, 500000);
    assert_true(face.phase_s[WORLD_PHASE_APPLY] > 0 && face.phase_s[WORLD_PHASE_PREDICT] > 0);
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void rate_0_runs_one_tick_a_turn_without_lateness(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    for (uint32_t i = 1; i < 20; i++) {
        assert_int_equal(helper->world->document->tick, i);
        assert_int_equal(helper->deadline, 0);
        helper->now_ns += 1000 * MS;
        helper_turn(helper);
    }
    assert_int_equal(helper->world->time->pace.late, 0);
    assert_int_equal(helper->world->time->pace.lost_us, 0);
    helper_destroy(helper);
}

static void edits_apply_between_the_ticks_of_a_playing_world(void **state)
{
    (void)state;
    struct helper *helper = helper_create(tick_rate_100);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    helper->now_ns += 3 * MS;
    const msgpack_object *added =
        helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0, 0, 0]}");
    assert_int_equal(helper_number(added, "tick"), 1);
    assert_int_equal(helper->world->document->tick, 1);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_computed_from_the_base_and_do_not_drift),
        cmocka_unit_test(a_late_tick_is_counted_and_caught_up),
        cmocka_unit_test(a_world_that_cannot_keep_pace_gives_time_up),
        cmocka_unit_test(a_change_of_rate_keeps_the_phase),
        cmocka_unit_test(turning_the_rate_all_the_time_does_not_hold_the_world_back),
        cmocka_unit_test(a_playing_world_ticks_when_due_and_tells_its_next_time),
        cmocka_unit_test(rate_0_runs_one_tick_a_turn_without_lateness),
        cmocka_unit_test(edits_apply_between_the_ticks_of_a_playing_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
