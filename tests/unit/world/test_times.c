// The time of a tick is that of its phases: neither the wait for it, nor the captures meanwhile.
#include "helper_world.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static double phases_of(const struct world_times *times)
{
    double sum = 0;
    for (int phase = 0; phase < SIM_PHASE_COUNT; phase++) {
        assert_true(times->phase_us[phase] >= 0);
        sum += times->phase_us[phase];
    }
    return sum;
}

static void check_ticks(struct helper *helper, uint64_t wait_ns)
{
    const struct world *world = helper->world;
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t ticks = world->time->ticks_run, begin = base_now_ns();
        double captured_s = world->time->phase_s[WORLD_PHASE_CAPTURE];
        usleep(30000); // until the tick is due, and later
        helper->now_ns += wait_ns;
        uint64_t turn = base_now_ns();
        helper_turn(helper);
        double took_us = (double)(base_now_ns() - turn) / 1000;
        double capture_us = 1e6 * (world->time->phase_s[WORLD_PHASE_CAPTURE] - captured_s);
        assert_int_equal(world->time->ticks_run, ticks + 1);
        assert_true(turn - begin >= 30000000);
        assert_true(world->time->times.tick_us > 0 && capture_us > 0);
        assert_true(world->time->times.tick_us + capture_us <= took_us + 1e-3);
        assert_true(world->time->times.tick_us == phases_of(&world->time->times));
    }
    // And that is what is told.
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    const msgpack_object *told = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    assert_true(helper_number(told, "measures.tick_us") == world->time->times.tick_us);
    assert_true(helper_number(told, "measures.phases.solve") == world->time->times.phase_us[SIM_SOLVE]);
    told = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(told, "tick_us") == world->time->times.tick_us);
}

static void tick_us_is_the_time_of_the_tick_and_not_of_the_wait(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 30, 1, "sail");
    check_ticks(helper, 20000000);  // due every 16.7 ms
    check_ticks(helper, 500000000); // half a second late each time
    helper_destroy(helper);
}

static void what_is_captured_between_substeps_is_no_part_of_it(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 30, 1, "sail");
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    check_ticks(helper, 20000000);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tick_us_is_the_time_of_the_tick_and_not_of_the_wait),
        cmocka_unit_test(what_is_captured_between_substeps_is_no_part_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
