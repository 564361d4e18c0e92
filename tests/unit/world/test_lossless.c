// Streams that lose nothing: what they are sent is all, whoever is late; and a world that waits for them, or does not.
// Events that are not forgotten are what a peer has not read.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { STREAM = 100, LIVE = 101, SIDE = 20, TICK_NS = 20 * 1000 * 1000 };
static const uint64_t second_ns = UINT64_C(1000000000);

static void few_substeps(struct protocol_world_create_params *settings)
{
    settings->substeps = 4;
    settings->tick_rate = 50;
}

static struct helper *create(void)
{
    struct helper *helper = helper_create(few_substeps);
    helper_cloth(helper, HELPER_ANN, SIDE, 1, "sheet");
    return helper;
}

static void subscribe(struct helper *helper, uint32_t id, const char *notation)
{
    helper->stream = id;
    helper_call(helper, HELPER_BOB, "stream.subscribe", notation);
}

// How far a stream has come: 4 tick + substep of its last frame.
struct seen {
    uint32_t stream;
    bool begun;
    uint64_t at, number;
    uint32_t frames;
};

static uint64_t moment_of(struct helper *helper, const struct base_frame *frame)
{
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    return (uint64_t)(4 * helper_number(map, "tick") + helper_number(map, "substep"));
}

// Reads what there is: each moment follows the one before, and builds on it.
static void see(struct helper *helper, struct seen *seen, uint32_t step)
{
    for (uint32_t e = 0; e < helper->event_count; e++) {
        for (uint32_t b = 0; b < helper->events[e]->batch_count; b++) {
            struct base_batch *batch = helper->events[e]->batches[b];
            if (batch->stream != seen->stream) {
                continue;
            }
            assert_true(batch->lossless && batch->dropped == 0);
            assert_true(base_batch_fits(batch, seen->number));
            for (uint32_t f = 0; f < batch->frame_count; f++) {
                const uint64_t at = moment_of(helper, batch->frames[f]);
                assert_true(!seen->begun || at == seen->at + step);
                seen->begun = true;
                seen->at = at;
                seen->number = batch->frames[f]->number;
                seen->frames++;
            }
        }
    }
    helper_forget(helper);
}

static const struct world_miss *miss_of(const struct helper *helper, uint32_t stream)
{
    for (uint32_t e = 0; e < helper->event_count; e++) {
        for (uint32_t m = 0; m < helper->events[e]->miss_count; m++) {
            if (helper->events[e]->misses[m].stream == stream) {
                return &helper->events[e]->misses[m];
            }
        }
    }
    return NULL;
}

// Turns, of which nobody reads what comes.
static void turns(struct helper *helper, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        helper->now_ns += TICK_NS;
        helper_turn(helper);
    }
}

static void every_moment_comes_however_late_the_loop_is(void **state)
{
    static const char *const wishes[] = {
        "{'world': 1, 'mode': 'lossless', 'unit': 'substep'}",
        "{'world': 1, 'mode': 'lossless', 'unit': 'substep', 'encoding': 'q16'}",
        "{'world': 1, 'mode': 'lossless', 'unit': 'substep', 'encoding': 'delta'}",
    };
    static const char *const live[] = {
        "{'world': 1, 'unit': 'substep'}",
        "{'world': 1, 'unit': 'substep', 'encoding': 'q16'}",
        "{'world': 1, 'unit': 'substep', 'encoding': 'delta'}",
    };
    (void)state;
    for (size_t w = 0; w < sizeof wishes / sizeof *wishes; w++) {
        struct helper *helper = create();
        helper_forget(helper);
        subscribe(helper, STREAM, wishes[w]);
        struct seen seen = {.stream = STREAM};
        see(helper, &seen, 1);
        assert_true(seen.begun && seen.at == 0);
        subscribe(helper, LIVE, live[w]);
        helper_forget(helper);
        helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 40}");
        for (int i = 0; i < 45; i++) { // the outbox has no place for what is live of so many
            helper->now_ns += TICK_NS;
            helper_turn_only(helper);
        }
        helper_turns(helper, 8);
        assert_non_null(miss_of(helper, LIVE));
        assert_null(miss_of(helper, STREAM));
        see(helper, &seen, 1);
        helper_turns(helper, 8);
        see(helper, &seen, 1);
        assert_int_equal(seen.at, 40 * 4);
        assert_int_equal(
            base_budget_used(world_streams_find(&helper->world->frames->streams, STREAM)->lossless->backlog),
            0);
        helper_destroy(helper);
    }
}

static const char *const small = "{'world': 1, 'mode': 'lossless', 'unit': 'substep', 'backlog': 65536}";

static void where_it_is_full_the_stream_ends_and_says_so(void **state)
{
    (void)state;
    struct helper *helper = create();
    subscribe(helper, STREAM, small);
    subscribe(helper, LIVE, "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    const struct world_lossless *lossless =
        world_streams_find(&helper->world->frames->streams, STREAM)->lossless;
    uint32_t ticks = 0;
    while (!miss_of(helper, STREAM) && ticks++ < 10) {
        assert_true(base_budget_used(lossless->backlog) <= 65536);
        turns(helper, 1);
    }
    const struct world_miss *miss = miss_of(helper, STREAM);
    assert_non_null(miss);
    assert_true(miss->lossless && miss->lack == WORLD_LACK_BACKLOG && miss->session == HELPER_BOB);
    assert_null(world_streams_find(&helper->world->frames->streams, STREAM));
    // The frames that it got before have no gap, and the world has gone on all the time.
    struct seen seen = {.stream = STREAM};
    see(helper, &seen, 1);
    assert_true(seen.frames >= 8);
    const uint64_t tick = helper->world->document->tick;
    turns(helper, 5);
    assert_int_equal(helper->world->document->tick, tick + 5);
    assert_non_null(helper_batch(helper, 4, LIVE));
    see(helper, &seen, 1);
    assert_int_equal(world_lossless_room(helper->world->frames, HELPER_BOB),
                     PROTOCOL_LIMIT_LOSSLESS_BYTES / 2);
    helper_destroy(helper);
}

static void a_tick_that_is_larger_than_the_backlog_ends_it(void **state)
{
    (void)state;
    for (int hold = 0; hold < 2; hold++) {
        struct helper *helper = create();
        helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'substeps': 40}");
        helper_call(helper, HELPER_ANN, "world.hold", hold ? "{'world': 1}" : "{'world': 1, 'allow': false}");
        subscribe(helper, STREAM, small);
        helper_forget(helper);
        helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
        turns(helper, 2);
        assert_true(miss_of(helper, STREAM)->lack == WORLD_LACK_LARGE);
        assert_true(helper->world->document->tick >= 1);
        helper_destroy(helper);
    }
}

static void a_world_that_may_be_held_waits_and_goes_on(void **state)
{
    (void)state;
    struct helper *helper = create();
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1}");
    assert_true(helper_at(helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}"), "hold")->via.boolean);
    struct seen seen = {.stream = STREAM};
    subscribe(helper, STREAM, small);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    for (int round = 0; round < 5; round++) {
        turns(helper, 20);
        const uint64_t tick = helper->world->document->tick;
        turns(helper, 5);
        assert_int_equal(helper->world->document->tick, tick); // it waits
        assert_null(miss_of(helper, STREAM));
        const struct world_lossless *lossless =
            world_streams_find(&helper->world->frames->streams, STREAM)->lossless;
        assert_true(base_budget_used(lossless->backlog) <= 65536);
        // It comes back by itself, but does not ask to be turned at once.
        assert_true(helper->deadline > helper->now_ns && helper->deadline <= helper->now_ns + second_ns);
        // Everything else goes on.
        const msgpack_object *get = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
        assert_int_equal(helper_number(get, "held_by"), HELPER_BOB);
        helper_call(helper, HELPER_ANN, "world.set",
                    round % 2 ? "{'world': 1, 'damping': 1}" : "{'world': 1, 'damping': 2}");
        assert_int_equal(helper->world->document->tick, tick);
        see(helper, &seen, 1);
    }
    assert_true(seen.at >= 5 * 4 * 2);
    // Nobody holds it any more, which is told a second later.
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    see(helper, &seen, 1);
    helper->now_ns += 2 * second_ns;
    turns(helper, 3);
    const msgpack_object *changed = helper_notice(helper, 0, "world.changed");
    assert_int_equal(helper_number(changed, "held_by"), 0);
    assert_int_equal(helper_number(helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}"), "held_by"),
                     0);
    struct world_face face;
    world_face(helper->world, &face);
    assert_true(face.held_s > 0.1 && !face.held);
    helper_destroy(helper);
}

static void a_step_waits_as_well_and_a_pause_ends_it(void **state)
{
    (void)state;
    struct helper *helper = create();
    bool error;
    helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1}");
    subscribe(helper, STREAM, small);
    struct seen seen = {.stream = STREAM};
    const uint32_t step = helper_post(helper, HELPER_BOB, "world.step", "{'world': 1, 'ticks': 10}");
    turns(helper, 20);
    assert_null(helper_answer(helper, step, &error));
    for (int i = 0; i < 12; i++) {
        see(helper, &seen, 1);
        turns(helper, 1);
    }
    assert_int_equal(helper->world->document->tick, 10);
    see(helper, &seen, 1);
    assert_int_equal(seen.at, 40);
    const uint32_t cut = helper_post(helper, HELPER_BOB, "world.step", "{'world': 1, 'ticks': 1000}");
    turns(helper, 20);
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    assert_true(helper_number(helper_answer(helper, cut, &error), "tick") < 20);
    assert_false(error);
    helper_destroy(helper);
}

static void nobody_holds_a_world_for_ever(void **state)
{
    (void)state;
    struct helper *helper = create();
    helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1}");
    subscribe(helper, STREAM, small);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    turns(helper, 20);
    const uint64_t tick = helper->world->document->tick;
    helper->now_ns += 9 * second_ns;
    turns(helper, 1);
    assert_null(miss_of(helper, STREAM));
    assert_int_equal(helper->world->document->tick, tick);
    helper->now_ns += second_ns;
    turns(helper, 3);
    assert_true(miss_of(helper, STREAM)->lack == WORLD_LACK_HELD);
    assert_true(helper->world->document->tick > tick);
    // A reader that does not block holds nothing up: here there is nothing to wait for.
    subscribe(helper, STREAM, small);
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    helper_forget(helper);
    helper->now_ns += 60 * second_ns;
    turns(helper, 3);
    assert_null(miss_of(helper, STREAM));
    helper_destroy(helper);
}

// A reader that comes back each time its stream ends, or takes as little as is needed to keep one, holds the world up
// for a limited time in all.
static void nobody_holds_a_world_again_and_again(void **state)
{
    (void)state;
    for (int keeps = 0; keeps < 2; keeps++) {
        struct helper *helper = create();
        helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, 0, 0]}");
        helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1}");
        subscribe(helper, STREAM, small);
        helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
        helper_forget(helper);
        uint32_t ended = 0, streams = 1;
        // Ten minutes by turns of a tick, as a world that waits has them.
        for (uint32_t turn = 0; turn < 600 * 50; turn++) {
            turns(helper, 1);
            const struct world_miss *miss = miss_of(helper, STREAM + streams - 1);
            if (miss) {
                ended += miss->lack == WORLD_LACK_HOLDS;
                assert_true(miss->lack == WORLD_LACK_HOLDS || (!keeps && miss->lack == WORLD_LACK_HELD));
                helper_forget(helper);
                subscribe(helper, STREAM + streams++, small);
            } else if (keeps && turn % (9 * 50) == 0) {
                helper_forget(helper); // it takes what it was sent, just in time
            }
        }
        struct world_face face;
        world_face(helper->world, &face);
        // Thirty seconds, a tenth of the rest, and what was taken: 64 ms for each backlog and a little.
        assert_true(ended > 0);
        assert_true(face.held_s < 30 + 60 + 0.1 * streams);
        assert_true(helper->world->document->tick > 480 * 50);
        helper_destroy(helper);
    }
}

// The frames that a reader takes make up for its delay, so a slow reader that goes on reading is waited for.
static void a_slow_reader_is_waited_for(void **state)
{
    (void)state;
    struct helper *helper = create();
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, 0, 0]}");
    helper_call(helper, HELPER_ANN, "world.hold", "{'world': 1}");
    subscribe(helper, STREAM, small);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    struct seen seen = {.stream = STREAM};
    for (uint32_t round = 0; round < 2000; round++) {
        turns(helper, 5); // 64 KiB in 100 ms
        see(helper, &seen, 1);
        assert_int_equal(helper->world->frames->streams.count, 1);
    }
    struct world_face face;
    world_face(helper->world, &face);
    assert_true(face.held_s > 30);
    helper_destroy(helper);
}

static void what_rests_shows_its_last_state_when_there_is_room(void **state)
{
    (void)state;
    struct helper *helper = create();
    // One frame is more than half of the backlog.
    helper_cloth(helper, HELPER_ANN, 60, 2, "large");
    subscribe(helper, STREAM, "{'world': 1, 'mode': 'lossless', 'backlog': 65536}");
    for (int i = 0; i < 6; i++) {
        helper_call(helper, HELPER_ANN, "world.set",
                    i % 2 ? "{'world': 1, 'damping': 1}" : "{'world': 1, 'damping': 2}");
        turns(helper, 1);
    }
    assert_null(miss_of(helper, STREAM));
    const uint64_t revision = helper->world->document->revision;
    uint32_t frames = 0;
    uint64_t shown = 0;
    for (int i = 0; i < 4; i++) {
        for (uint32_t e = 0; e < helper->event_count; e++) {
            for (uint32_t b = 0; b < helper->events[e]->batch_count; b++) {
                const msgpack_object *map =
                    helper_frame_part(helper, helper->events[e]->batches[b]->frames[0], 0, NULL, NULL);
                shown = (uint64_t)helper_number(map, "revision");
                frames++;
            }
        }
        helper_forget(helper);
        turns(helper, 1);
    }
    assert_int_equal(shown, revision);
    assert_true(frames >= 2 && frames < 7);
    helper_destroy(helper);
}

static void backlogs_are_given_out_of_a_sum(void **state)
{
    (void)state;
    struct helper *helper = create();
    const char *half = "{'world': 1, 'mode': 'lossless', 'backlog': 33554432}";
    const char *quarter = "{'world': 1, 'mode': 'lossless', 'backlog': 16777216}";
    assert_int_equal(PROTOCOL_LIMIT_LOSSLESS_BYTES, 67108864);
    subscribe(helper, STREAM, half);
    helper->stream = LIVE;
    const char *error = helper_error(helper, HELPER_BOB, "stream.subscribe", small);
    assert_non_null(strstr(error, "LIMIT: backlog: 65536; this session may have 0 more"));
    // Others find room, each less.
    helper_call(helper, HELPER_EVE, "stream.subscribe", quarter);
    helper->stream = 102;
    assert_non_null(strstr(helper_error(helper, HELPER_EVE, "stream.subscribe", quarter), "LIMIT"));
    helper_call(helper, HELPER_BOB, "stream.unsubscribe", "{'stream': 100}");
    assert_int_equal(world_lossless_room(helper->world->frames, HELPER_BOB), 25165824);
    world_post_gone(helper->world, HELPER_EVE);
    helper_turn(helper);
    assert_int_equal(world_lossless_room(helper->world->frames, HELPER_BOB), 33554432);
    helper_destroy(helper);
}

static void what_does_not_go_together_is_refused(void **state)
{
    static const struct {
        const char *notation, *text;
    } wrong[] = {
        {"{'world': 1, 'credit': 5000}", "INVALID: credit: only mode \"lossless\""},
        {"{'world': 1, 'mode': 'live', 'backlog': 65536}", "INVALID: backlog: only mode \"lossless\""},
        {"{'world': 1, 'mode': 'lossless', 'encoding': 'records'}", "INVALID: mode: a stream of records"},
        {"{'world': 1, 'encoding': 'records', 'credit': 5000}", "INVALID: credit"},
    };
    (void)state;
    struct helper *helper = create();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *error = helper_error(helper, HELPER_BOB, "stream.subscribe", wrong[i].notation);
        assert_non_null(strstr(error, wrong[i].text));
        assert_int_equal(helper->world->frames->streams.count, 0);
    }
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_moment_comes_however_late_the_loop_is),
        cmocka_unit_test(where_it_is_full_the_stream_ends_and_says_so),
        cmocka_unit_test(a_tick_that_is_larger_than_the_backlog_ends_it),
        cmocka_unit_test(a_world_that_may_be_held_waits_and_goes_on),
        cmocka_unit_test(a_step_waits_as_well_and_a_pause_ends_it),
        cmocka_unit_test(nobody_holds_a_world_for_ever),
        cmocka_unit_test(nobody_holds_a_world_again_and_again),
        cmocka_unit_test(a_slow_reader_is_waited_for),
        cmocka_unit_test(what_rests_shows_its_last_state_when_there_is_room),
        cmocka_unit_test(backlogs_are_given_out_of_a_sum),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
