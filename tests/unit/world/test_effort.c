// The work that frames take: counted, shared by those who pay for it, thinned where it is too much, and told.
#include "helper_world.h"

#include "base/buffer.h"
#include "protocol/codec/codec.h"
#include "world/time/pace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { GREEDY = 200, MANY = 30, SIDE = 60, MS = 1000000, PERIOD_MS = 10 };

static void plain(struct protocol_world_create_params *settings)
{
    settings->substeps = 8;
    settings->tick_rate = (uint32_t)(1000.0 / PERIOD_MS);
}

static uint32_t subscribe(struct helper *helper, uint32_t session, uint32_t stream, const char *wish)
{
    helper->stream = stream;
    helper_call(helper, session, "stream.subscribe", wish);
    helper_forget(helper);
    return stream;
}

// Streams that show nothing to somebody that one of them would not: each is encoded by itself.
static void be_greedy(struct helper *helper, uint32_t session)
{
    char wish[160];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(
            wish, sizeof wish,
            "{'world': 1, 'encoding': 'delta', 'unit': 'substep', 'box': [-%u, -100, -100, 100, 100, 100]}",
            100 + i);
        subscribe(helper, session, GREEDY + i, wish);
    }
}

struct seen {
    uint32_t frames[2], lagged[2], rates[2]; // of one stream; of the greedy ones
    uint64_t work;
};

static struct seen run(struct helper *helper, uint32_t stream, uint32_t ticks)
{
    struct seen seen = {0};
    const uint64_t before = helper->world->frames->snapshot.work;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        helper->now_ns += PERIOD_MS * MS;
        helper_turn(helper);
        for (uint32_t e = 0; e < helper->event_count; e++) {
            const struct world_event *event = helper->events[e];
            for (uint32_t b = 0; b < event->batch_count; b++) {
                const uint32_t id = event->batches[b]->stream;
                seen.frames[0] += id == stream ? event->batches[b]->frame_count : 0;
                seen.frames[1] += id >= GREEDY ? event->batches[b]->frame_count : 0;
            }
            for (uint32_t m = 0; m < event->miss_count; m++) {
                const struct world_miss *miss = &event->misses[m];
                const bool greedy = miss->stream >= GREEDY;
                assert_true(greedy || miss->stream == stream);
                assert_true(miss->lack == WORLD_LACK_RATE || miss->lack == WORLD_LACK_WORK);
                seen.rates[greedy] += miss->lack == WORLD_LACK_RATE;
                seen.lagged[greedy] += miss->lack == WORLD_LACK_WORK;
            }
        }
        helper_forget(helper);
    }
    seen.work = helper->world->frames->snapshot.work - before;
    return seen;
}

static struct helper *create(void)
{
    struct helper *helper = helper_create(plain);
    helper_cloth(helper, HELPER_ANN, SIDE, 1, "sheet");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, 0, 0]}");
    helper_forget(helper);
    return helper;
}

static void one_viewer_costs_a_world_no_more_than_a_share(void **state)
{
    (void)state;
    struct helper *helper = create();
    const uint32_t own = subscribe(helper, HELPER_ANN, 100, "{'world': 1, 'encoding': 'delta'}");
    be_greedy(helper, HELPER_BOB);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    const struct seen first = run(helper, own, 100), later = run(helper, own, 300);
    // All that is asked for would be many times the time that there is.
    const uint64_t asked = (uint64_t)300 * 8 * MANY * SIDE * SIDE * WORLD_PRICE_DELTA;
    assert_true(asked > UINT64_C(5) * 300 * PERIOD_MS * MS);
    const uint64_t own_work = (uint64_t)400 * SIDE * SIDE * 2 * WORLD_PRICE_DELTA;
    assert_true(later.work <= (uint64_t)300 * PERIOD_MS * MS / 4 + own_work);
    assert_true(first.work <= (uint64_t)100 * PERIOD_MS * MS / 4 + own_work + WORLD_EFFORT_BURST_NS +
                                  2 * MANY * SIDE * SIDE * WORLD_PRICE_DELTA);
    // A person who asks for little gets all of it, and no notices.
    assert_in_range(first.frames[0] + later.frames[0], 400, 401); // the first may show the present
    assert_int_equal(first.lagged[0] + later.lagged[0] + first.rates[0] + later.rates[0], 0);
    // The other has frames of all streams, less often, and was told so.
    assert_true(later.frames[1] >= MANY);
    assert_true(first.rates[1] >= MANY && first.lagged[1] > 0);
    for (uint32_t i = 0; i < MANY; i++) {
        const struct world_stream *stream = world_streams_find(&helper->world->frames->streams, GREEDY + i);
        assert_true(stream->every >= 4);
        assert_true(stream->every == 1U << stream->rate.shift);
    }
    helper_destroy(helper);
}

// Those who ask for the same have one frame, and one who can pay for it is enough.
static void a_frame_that_somebody_pays_for_is_everybodys(void **state)
{
    (void)state;
    struct helper *helper = create();
    const uint32_t own = subscribe(helper, HELPER_ANN, 100, "{'world': 1, 'encoding': 'delta'}");
    const uint32_t shared = subscribe(helper, HELPER_BOB, GREEDY - 1, "{'world': 1, 'encoding': 'delta'}");
    be_greedy(helper, HELPER_BOB);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    run(helper, own, 100);
    assert_int_equal(run(helper, shared, 100).frames[0], 100);
    helper_destroy(helper);
}

// Whoever comes back, or asks for something else, owes what was owed before.
static void what_is_owed_outlives_the_streams(void **state)
{
    (void)state;
    struct helper *helper = create();
    be_greedy(helper, HELPER_BOB);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    run(helper, 0, 60);
    assert_int_equal(helper->world->frames->streams.effort.count, 1);
    const struct world_payer *payer = helper->world->frames->streams.effort.payers[0];
    for (uint32_t i = 0; i < MANY; i++) {
        char text[32];
        snprintf(text, sizeof text, "{'stream': %u}", GREEDY + i);
        helper_call(helper, HELPER_BOB, "stream.unsubscribe", text);
    }
    const int64_t left = payer->left;
    assert_true(left < WORLD_EFFORT_BURST_NS / 4);
    subscribe(helper, HELPER_BOB, GREEDY, "{'world': 1}");
    assert_ptr_equal(helper->world->frames->streams.effort.payers[0], payer);
    assert_true(payer->left < WORLD_EFFORT_BURST_NS / 2);
    helper_call(helper, HELPER_BOB, "stream.unsubscribe", "{'stream': 200}");
    // Nobody is known for longer than something is owed. A quarter of half a second makes up for all of it.
    run(helper, 0, 60);
    assert_int_equal(helper->world->frames->streams.effort.count, 0);
    helper_destroy(helper);
}

// Each of them would fill the budget of one person.
static void the_wishes_of_many_are_shared_out_evenly(void **state)
{
    (void)state;
    struct helper *helper = create();
    for (uint32_t who = 0; who < 4; who++) {
        char wish[128];
        for (uint32_t i = 0; i < 8; i++) {
            snprintf(wish, sizeof wish, "{'world': 1, 'encoding': 'q16', 'unit': 'substep', 'nth': %u}",
                     2 + i + 8 * who);
            subscribe(helper, 10 + who, GREEDY + 10 * who + i, wish);
        }
    }
    const uint32_t own = subscribe(helper, HELPER_ANN, 100, "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    run(helper, own, 60);
    for (uint32_t i = 0; i < helper->world->frames->streams.effort.count; i++) {
        helper->world->frames->streams.effort.payers[i]->left = 0; // what was saved up is spent
    }
    const struct seen seen = run(helper, own, 200);
    assert_true(seen.work <= (uint64_t)200 * PERIOD_MS * MS * 55 / 100);
    assert_int_equal(seen.frames[0], 200);
    helper_destroy(helper);
}

static void a_present_that_nobody_pays_for_comes_later(void **state)
{
    (void)state;
    struct helper *helper = create();
    const uint32_t own = subscribe(helper, HELPER_BOB, 100, "{'world': 1, 'encoding': 'delta'}");
    struct world_payer *payer = helper->world->frames->streams.effort.payers[0];
    payer->left = -10 * MS;
    helper_post(helper, HELPER_BOB, "stream.set", "{'stream': 100}");
    helper_turn(helper);
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 0);
    assert_int_equal(helper_count(helper, WORLD_LACK), 0); // it is owed
    assert_true(helper->deadline > helper->now_ns && helper->deadline < UINT64_MAX);
    helper_forget(helper);
    uint32_t frames = 0, turns = 0;
    for (; frames == 0 && turns < 10; turns++) {
        frames = run(helper, own, 1).frames[0];
    }
    assert_int_equal(frames, 1);
    assert_in_range(turns, 4, 6); // 10 ms of work are a quarter of 40 ms
    helper_destroy(helper);
}

// The past of a stream that loses nothing cannot be thinned: it ends, unless the world may be slowed for it.
static void lossless_streams_end_where_they_are_too_much(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        struct helper *helper = create();
        if (held) {
            helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1, 'allow': true}");
        }
        subscribe(helper, HELPER_BOB, GREEDY, "{'world': 1, 'mode': 'lossless'}");
        helper->world->frames->streams.effort.payers[0]->left = -2 * (int64_t)WORLD_EFFORT_DEBT_NS;
        helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
        helper_forget(helper);
        run(helper, 0, 3);
        assert_int_equal(helper->world->frames->streams.count, held);
        helper_destroy(helper);
    }
}

static void frames_count_for_the_time_that_a_tick_may_take(void **state)
{
    (void)state;
    struct helper *helper = create();
    helper->world->time->allowance.tick_ns = 100 * MS;
    helper->world->time->times.tick_us = 60000;
    world_allowance_tick(helper->world);
    assert_false(helper->world->time->allowance.slowed);
    helper->world->time->times.capture_us = 60000;
    world_allowance_tick(helper->world);
    assert_true(helper->world->time->allowance.slowed);
    helper_destroy(helper);
}

static void tolerances_are_rounded_down_to_steps(void **state)
{
    (void)state;
    static const float written[] = {1e-12F, 1e-4F, 2e-4F, 5e-5F, 1e-3F, 0.5F, 1, 20, 1e6F};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        assert_true(codec_tolerance_step(written[i]) >= written[i]);
        assert_true(codec_tolerance_step(written[i]) <= written[i]);
    }
    uint32_t steps = 1;
    float last = 1e-12F;
    for (float at = 1e-12F; at < 1e6F; at *= 1.001F) {
        const float step = codec_tolerance_step(at);
        assert_true(step <= at && at < 1.44F * step);
        steps += step > last;
        last = step;
    }
    assert_in_range(steps, 125, 127);
    // Many that hardly differ share one selection.
    struct helper *helper = create();
    char wish[96];
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(wish, sizeof wish, "{'world': 1, 'encoding': 'delta', 'tolerance': 0.000%u}", 10000 + i);
        subscribe(helper, HELPER_BOB, GREEDY + i, wish);
    }
    assert_int_equal(helper->world->frames->streams.selection_count, 1);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_viewer_costs_a_world_no_more_than_a_share),
        cmocka_unit_test(a_frame_that_somebody_pays_for_is_everybodys),
        cmocka_unit_test(what_is_owed_outlives_the_streams),
        cmocka_unit_test(the_wishes_of_many_are_shared_out_evenly),
        cmocka_unit_test(a_present_that_nobody_pays_for_comes_later),
        cmocka_unit_test(lossless_streams_end_where_they_are_too_much),
        cmocka_unit_test(frames_count_for_the_time_that_a_tick_may_take),
        cmocka_unit_test(tolerances_are_rounded_down_to_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
