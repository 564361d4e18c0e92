// Following a server's clock by when its messages come.
#include "twin/twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { SECOND = 1000 * 1000, PERIOD = 50 * 1000, MESSAGES = 600 };
static const double rate = 60e-6; // ticks a microsecond

static uint32_t below(uint32_t count)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33) % count;
}

struct run {
    uint32_t stalls;  // looks at which nothing moved for longer than two ticks take
    double behind_us; // the server's time over what is shown, at most, of the second half
};

// Messages each 50 ms that take `way` and up to `jitter` more; the clock here is `offset` ahead.
static struct run play(uint64_t offset_us, uint32_t way_us, uint32_t jitter_us)
{
    struct twin_clock clock = {0};
    struct run run = {0};
    uint64_t arrival = 0, shown = 0, moved_us = 0, now = offset_us;
    for (uint32_t message = 0; message < MESSAGES; message++) {
        const uint64_t at = (uint64_t)message * PERIOD;
        const uint64_t comes = offset_us + at + way_us + (jitter_us ? below(jitter_us) : 0);
        arrival = comes > arrival ? comes : arrival;
        for (; now < arrival; now += 1000) {
            const uint64_t tick = twin_clock_tick(&clock, now);
            assert_true(tick >= shown);
            assert_true((double)tick <= clock.tick);
            const double behind_us = (double)(now - offset_us) - (double)tick / rate;
            if (message > MESSAGES / 2) {
                run.stalls += tick == shown && now - moved_us > 2 * SECOND / 60 + 1000;
                run.behind_us = behind_us > run.behind_us ? behind_us : run.behind_us;
            }
            moved_us = tick > shown ? now : moved_us;
            shown = tick;
        }
        twin_clock_take(&clock, at, (uint64_t)((double)at * rate), rate, arrival);
    }
    return run;
}

static void what_is_shown_goes_on_evenly(void **state)
{
    (void)state;
    const uint32_t jitters[] = {0, 5000, 40000};
    for (size_t i = 0; i < sizeof jitters / sizeof *jitters; i++) {
        const struct run run = play(UINT64_C(123456789), 20000, jitters[i]);
        printf("jitter %u us: %u stalls, %.0f us behind at most\n", jitters[i], run.stalls, run.behind_us);
        assert_int_equal(run.stalls, 0);
        // A period, the way and its jitter twice, and two ticks for what is rounded.
        assert_true(run.behind_us < PERIOD + 20000 + 2.0 * jitters[i] + 2 * SECOND / 60.0);
    }
}

static void a_world_that_rests_is_shown_where_it_rests(void **state)
{
    (void)state;
    struct twin_clock clock = {0};
    assert_int_equal(twin_clock_tick(&clock, 5), 0);
    twin_clock_take(&clock, 1000, 7, 0, 99);
    assert_int_equal(twin_clock_tick(&clock, 99), 7);
    twin_clock_take(&clock, 2000, 9, 0, 50); // a clock that goes back is no matter
    assert_int_equal(twin_clock_tick(&clock, 0), 9);
}

static void odd_numbers_do_no_harm(void **state)
{
    (void)state;
    struct twin_clock clock = {0};
    const uint64_t odd[] = {0, 1, UINT64_C(1) << 53, UINT64_MAX, 17, UINT64_MAX / 3};
    enum { ODD = sizeof odd / sizeof *odd };
    for (uint32_t i = 0; i < 100000; i++) {
        const uint64_t tick = odd[below(ODD)] >> 11;
        twin_clock_take(&clock, odd[below(ODD)], tick, below(3) ? 60e-6 : 1e6, odd[below(ODD)]);
        assert_true(twin_clock_tick(&clock, odd[below(ODD)]) <= tick);
        assert_true(clock.delay_us >= 0 && clock.delay_us <= 2e6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_shown_goes_on_evenly),
        cmocka_unit_test(a_world_that_rests_is_shown_where_it_rests),
        cmocka_unit_test(odd_numbers_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
