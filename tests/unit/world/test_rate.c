// Streams that adapt: less often where their peer is slow, more often again where it is not, always the moments of powers of two.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { STREAM = 100, OTHER = 101, MS = 1000000 };

static void plain(struct protocol_world_create_params *settings)
{
    settings->substeps = 4;
    settings->tick_rate = 100;
}

static struct helper *create(const char *wish)
{
    struct helper *helper = helper_create(plain);
    helper_cloth(helper, HELPER_ANN, 6, 1, "sheet");
    helper_call(helper, HELPER_BOB, "stream.subscribe", wish);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    helper_forget(helper);
    return helper;
}

// A tick each 10 ms; what comes is read at once. The last `every` that was told, 0: none.
static uint32_t run(struct helper *helper, uint32_t stream, uint32_t ms)
{
    uint32_t told = 0;
    for (uint32_t at = 0; at < ms; at += 10) {
        helper->now_ns += 10 * MS;
        helper_turn(helper);
        for (uint32_t e = 0; e < helper->event_count; e++) {
            for (uint32_t m = 0; m < helper->events[e]->miss_count; m++) {
                const struct world_miss *miss = &helper->events[e]->misses[m];
                assert_int_equal(miss->lack, WORLD_LACK_RATE);
                told = miss->stream == stream ? (uint32_t)miss->frames : told;
            }
        }
        helper_forget(helper);
    }
    return told;
}

static uint32_t every_of(const struct helper *helper, uint32_t stream)
{
    return world_streams_find(&helper->world->frames->streams, stream)->every;
}

static void who_is_slow_gets_half_as_much_and_then_as_much_again(void **state)
{
    (void)state;
    struct helper *helper = create("{'world': 1, 'every': 3, 'adapt': true}");
    assert_int_equal(run(helper, STREAM, 2000), 0);
    for (uint32_t times = 2; times <= 64; times *= 2) {
        world_post_slow(helper->world, STREAM);
        assert_int_equal(run(helper, STREAM, 100), 3 * times);
        // Frames that were on their way at the change are no reason to change again.
        world_post_slow(helper->world, STREAM);
        assert_int_equal(run(helper, STREAM, 200), 0);
    }
    world_post_slow(helper->world, STREAM);
    assert_int_equal(run(helper, STREAM, 300), 0);
    assert_int_equal(every_of(helper, STREAM), 3 * 64);
    // A second without loss halves it.
    for (uint32_t times = 32; times >= 1; times /= 2) {
        assert_int_equal(run(helper, STREAM, 1010), 3 * times);
    }
    assert_int_equal(run(helper, STREAM, 3000), 0);
    helper_destroy(helper);
}

static void who_is_on_the_edge_is_seldom_pushed_over_it(void **state)
{
    (void)state;
    struct helper *helper = create("{'world': 1, 'adapt': true}");
    uint32_t waited_ms[6] = {0};
    for (int i = 0; i < 6; i++) {
        world_post_slow(helper->world, STREAM);
        assert_int_equal(run(helper, STREAM, 10), 2);
        while (run(helper, STREAM, 100) == 0) {
            waited_ms[i] += 100;
        }
        assert_int_equal(every_of(helper, STREAM), 1);
        run(helper, STREAM, 300);
    }
    for (int i = 1; i < 6; i++) {
        assert_true(waited_ms[i] >= waited_ms[i - 1] && waited_ms[i] <= 16100);
    }
    assert_true(waited_ms[0] <= 1000 && waited_ms[5] >= 15000);
    helper_destroy(helper);
}

static void moments_are_counted_from_the_worlds_start(void **state)
{
    static const char *const wishes[] = {
        "{'world': 1, 'adapt': true, 'unit': 'substep', 'every': 3}",
        "{'world': 1, 'adapt': true, 'unit': 'substep', 'every': 3, 'encoding': 'delta'}",
    };
    (void)state;
    for (int w = 0; w < 2; w++) {
        struct helper *helper = create(wishes[w]);
        uint64_t number = 0;
        uint32_t frames = 0, alone = 0;
        run(helper, STREAM, 70); // the first is at some moment or other
        for (uint32_t t = 0; t < 120; t++) {
            if (t == 30 || t == 60) {
                world_post_slow(helper->world, STREAM);
            }
            helper->now_ns += 10 * MS;
            helper_turn(helper);
            const uint32_t every = every_of(helper, STREAM);
            for (uint32_t e = 0; e < helper->event_count; e++) {
                for (uint32_t b = 0; b < helper->events[e]->batch_count; b++) {
                    struct base_batch *batch = helper->events[e]->batches[b];
                    assert_true(number == 0 || base_batch_fits(batch, number));
                    alone += base_batch_stands_alone(batch);
                    assert_true(t != 30 || base_batch_stands_alone(batch));
                    for (uint32_t f = 0; f < batch->frame_count; f++, frames++) {
                        const msgpack_object *map =
                            helper_frame_part(helper, batch->frames[f], 0, NULL, NULL);
                        const uint64_t at =
                            (uint64_t)(4 * helper_number(map, "tick") + helper_number(map, "substep"));
                        assert_int_equal(at % every, 0);
                        number = batch->frames[f]->number;
                    }
                }
            }
            helper_forget(helper);
        }
        assert_int_equal(every_of(helper, STREAM), 12);
        assert_in_range(frames, 78, 84); // 160, 160 and 160 substeps by 3, 6 and 12
        // With delta each change begins with a key, and there are few others.
        assert_true(w == 0 || (alone >= 2 && alone <= 4));
        helper_destroy(helper);
    }
}

static void those_who_come_to_the_same_rate_share_it(void **state)
{
    (void)state;
    struct helper *helper = create("{'world': 1, 'adapt': true, 'encoding': 'delta'}");
    helper->stream = OTHER;
    helper_call(helper, HELPER_EVE, "stream.subscribe", "{'world': 1, 'every': 2, 'encoding': 'delta'}");
    assert_int_equal(helper->world->frames->streams.selection_count, 2);
    world_post_slow(helper->world, STREAM);
    run(helper, STREAM, 50);
    assert_int_equal(helper->world->frames->streams.selection_count, 1);
    assert_int_equal(run(helper, STREAM, 1100), 1);
    assert_int_equal(helper->world->frames->streams.selection_count, 2);
    assert_int_equal(every_of(helper, OTHER), 2);
    // One that does not adapt stays as it is.
    world_post_slow(helper->world, OTHER);
    run(helper, OTHER, 50);
    assert_int_equal(every_of(helper, OTHER), 2);
    helper_destroy(helper);
}

static void setting_it_begins_with_what_is_asked_for(void **state)
{
    (void)state;
    struct helper *helper = create("{'world': 1, 'adapt': true, 'every': 5, 'encoding': 'delta'}");
    world_post_slow(helper->world, STREAM);
    run(helper, STREAM, 50);
    assert_int_equal(every_of(helper, STREAM), 10);
    // Asking for a key, or for something else, is no reason to be sent more.
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100}");
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'tolerance': 0.01}");
    assert_int_equal(every_of(helper, STREAM), 10);
    assert_int_equal(world_streams_find(&helper->world->frames->streams, STREAM)->selection->options.every,
                     10);
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'every': 7}");
    assert_int_equal(every_of(helper, STREAM), 7);
    run(helper, STREAM, 300);
    world_post_slow(helper->world, STREAM);
    run(helper, STREAM, 50);
    assert_int_equal(every_of(helper, STREAM), 14);
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'adapt': false}");
    assert_int_equal(every_of(helper, STREAM), 7);
    world_post_slow(helper->world, STREAM);
    run(helper, STREAM, 50);
    assert_int_equal(every_of(helper, STREAM), 7);
    helper->stream = OTHER;
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'mode': 'lossless'}");
    assert_non_null(strstr(helper_error(helper, HELPER_BOB, "stream.set", "{'stream': 101, 'adapt': true}"),
                           "INVALID: adapt: a lossless stream"));
    assert_non_null(strstr(helper_error(helper, HELPER_BOB, "stream.subscribe",
                                        "{'world': 1, 'mode': 'lossless', 'adapt': true}"),
                           "INVALID: adapt: a lossless stream"));
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_is_slow_gets_half_as_much_and_then_as_much_again),
        cmocka_unit_test(who_is_on_the_edge_is_seldom_pushed_over_it),
        cmocka_unit_test(moments_are_counted_from_the_worlds_start),
        cmocka_unit_test(those_who_come_to_the_same_rate_share_it),
        cmocka_unit_test(setting_it_begins_with_what_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
