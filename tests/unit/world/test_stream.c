// Streams: the bytes of a frame, its receivers, and what they share.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const point = "{'world': 1, 'kind': 'points', 'positions': [1, 2, 3], 'masses': 1}";

// Every payload of an array in a body's map lies at a multiple of 8 from the message's start.
static void check_alignment(const msgpack_object *map, const uint8_t *message, size_t size)
{
    const msgpack_object *bodies = helper_at(map, "bodies");
    for (uint32_t b = 0; b < bodies->via.array.size; b++) {
        const msgpack_object *body = &bodies->via.array.ptr[b];
        for (uint32_t i = 0; i < body->via.map.size; i++) {
            const msgpack_object_kv *pair = &body->via.map.ptr[i];
            if (pair->key.via.str.ptr[0] != '_' && pair->val.type == MSGPACK_OBJECT_EXT) {
                const uint8_t *payload = (const uint8_t *)pair->val.via.ext.ptr;
                assert_true(payload > message && payload + pair->val.via.ext.size <= message + size);
                assert_int_equal((payload - message) % 8, 0);
            }
        }
    }
}

static const struct base_frame *only_frame(struct helper *helper, uint32_t publication, uint32_t stream)
{
    struct base_batch *batch = helper_batch(helper, publication, stream);
    assert_non_null(batch);
    assert_int_equal(batch->frame_count, 1);
    return batch->frames[0];
}

static void the_reply_comes_before_the_first_frame(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_forget(helper);
    const msgpack_object *opened = helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    assert_int_equal(helper_number(opened, "stream"), 100);
    assert_int_equal(helper->event_count, 2);
    assert_true(helper->events[0]->granted && helper->events[0]->claim.held);
    assert_int_equal(helper->events[0]->claim.id, 100);
    assert_int_equal(helper->events[1]->kind, WORLD_PUBLICATION);

    uint8_t *message;
    size_t size;
    const struct base_frame *frame = only_frame(helper, 0, 100);
    assert_int_equal(frame->part_count, 1);
    const msgpack_object *map = helper_frame_part(helper, frame, 0, &message, &size);
    assert_int_equal(size % 8, 0);
    assert_int_equal(map->via.map.size, frame->key_count);
    assert_int_equal(helper_number(map, "stream"), 7);
    assert_int_equal(helper_number(map, "world"), 1);
    assert_int_equal(helper_number(map, "tick"), 0);
    assert_int_equal(helper_number(map, "substep"), 0);
    assert_int_equal(helper_number(map, "revision"), 1);
    assert_int_equal(helper_number(map, "part"), 0);
    assert_int_equal(helper_number(map, "parts"), 1);
    assert_null(helper_find(map, "measures"));
    assert_int_equal(helper_number(map, "bodies.#0.body"), 1);
    assert_int_equal(helper_number(map, "bodies.#0.first"), 0);
    assert_int_equal(helper_number(map, "bodies.#0.count"), 1);
    struct protocol_array positions = helper_array(map, "bodies.#0.positions", PROTOCOL_ARRAY_F32);
    assert_int_equal(positions.type, PROTOCOL_ARRAY_F32);
    assert_true(protocol_array_f64_at(&positions, 1) == 2);
    assert_null(helper_find(map, "bodies.#0.velocities"));
    check_alignment(map, message, size);
    free(message);
    helper_destroy(helper);
}

static void a_refused_subscription_opens_nothing(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_error(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'bodies': [1]}");
    assert_int_equal(helper->event_count, 1);
    assert_true(!helper->events[0]->granted && helper->events[0]->claim.held);
    assert_int_equal(helper->events[0]->claim.id, 100);
    helper_destroy(helper);
}

static void all_fields_in_all_modes_unpack_and_are_aligned(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail");
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 2, 'particle': 0}");
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        for (uint32_t fields = 1; fields < 128; fields++) {
            helper->arrays = (enum protocol_arrays_mode)mode;
            char notation[256] = "{'world': 1, 'fields': [";
            static const char *const names[] = {"'positions',", "'positions64',", "'velocities',",
                                                "'normals',",   "'measures',",    "'grabs',",
                                                "'colliders',"};
            for (uint32_t f = 0; f < 7; f++) {
                if (fields & 1u << f) {
                    strcat(notation, names[f]);
                }
            }
            strcat(notation, "]}");
            helper_forget(helper);
            uint32_t stream = helper->stream;
            helper_call(helper, HELPER_ANN, "stream.subscribe", notation);
            uint8_t *message;
            size_t size;
            const struct base_frame *frame = only_frame(helper, 0, stream);
            const msgpack_object *map = helper_frame_part(helper, frame, 0, &message, &size);
            assert_int_equal(size % 8, 0);
            assert_int_equal(map->via.map.size, frame->key_count);
            assert_int_equal(helper_find(map, "measures") != NULL, (fields & 16) != 0);
            assert_int_equal(helper_find(map, "grabs") != NULL, (fields & 32) != 0);
            assert_int_equal(helper_find(map, "colliders") != NULL, (fields & 64) != 0);
            if (fields & 32) {
                helper_assert_text(map, "grabs.#0.user", "bob");
                assert_true(helper_number(map, "grabs.#0.target.#2") == 3);
            }
            assert_int_equal(helper_at(map, "bodies")->via.array.size, fields & 15 ? 2 : 0);
            if (fields & 8) {
                struct protocol_array normals = helper_array(map, "bodies.#0.normals", PROTOCOL_ARRAY_F32);
                assert_true(protocol_array_f64_at(&normals, 1) < -0.99);
            }
            if (fields & 2) {
                struct protocol_array positions =
                    helper_array(map, "bodies.#1.positions64", PROTOCOL_ARRAY_F64);
                assert_true(protocol_array_f64_at(&positions, 2) == 3);
            }
            check_alignment(map, message, size);
            free(message);
            snprintf(notation, sizeof notation, "{'stream': %u}", stream);
            helper_call(helper, HELPER_ANN, "stream.unsubscribe", notation);
        }
    }
    assert_int_equal(helper->world->frames->streams.count, 0);
    assert_int_equal(helper->world->frames->streams.selection_count, 0);
    helper_destroy(helper);
}

static void large_bodies_are_cut_into_parts(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    enum { N = 210 }; // 44100 particles: 529 kB of positions
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_cloth(helper, HELPER_ANN, N, 1, "sail");
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "stream.subscribe",
                "{'world': 1, 'fields': ['positions', 'measures', 'grabs']}");
    const struct base_frame *frame = only_frame(helper, 0, 100);
    assert_true(frame->part_count >= 3 && frame->part_count <= 4);
    uint32_t next = 0, bodies = 0;
    size_t sum = 0;
    for (uint32_t part = 0; part < frame->part_count; part++) {
        uint8_t *message;
        size_t size;
        const msgpack_object *map = helper_frame_part(helper, frame, part, &message, &size);
        sum += size - 64;
        assert_true(size <= PROTOCOL_LIMIT_FRAME_PART_BYTES);
        assert_int_equal(map->via.map.size, frame->key_count);
        assert_int_equal(helper_number(map, "part"), part);
        assert_int_equal(helper_number(map, "parts"), frame->part_count);
        assert_int_equal(helper_find(map, "measures") != NULL, part == 0);
        assert_int_equal(helper_find(map, "grabs") != NULL, part == 0);
        check_alignment(map, message, size);
        const msgpack_object *list = helper_at(map, "bodies");
        for (uint32_t b = 0; b < list->via.array.size; b++) {
            const msgpack_object *body = &list->via.array.ptr[b];
            bodies++;
            if (helper_number(body, "body") < 2 || helper_number(body, "body") > 2) {
                continue;
            }
            assert_int_equal(helper_number(body, "first"), next);
            struct protocol_array positions = helper_array(body, "positions", PROTOCOL_ARRAY_F32);
            assert_int_equal(positions.count, 3 * helper_number(body, "count"));
            float x = (float)(0.1 * (next % N));
            assert_true(protocol_array_f64_at(&positions, 0) > x - 1e-5 &&
                        protocol_array_f64_at(&positions, 0) < x + 1e-5);
            next += (uint32_t)helper_number(body, "count");
        }
        free(message);
    }
    assert_int_equal(next, N * N);
    assert_int_equal(bodies, 2 + 3);
    assert_int_equal(sum, frame->size);
    helper_destroy(helper);
}

static void equal_subscriptions_share_frames_and_others_share_chunks(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_forget(helper);
    helper_post(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    helper_post(helper, HELPER_BOB, "stream.subscribe", "{'world': 1}");
    helper_post(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'bodies': [2, 2]}");
    helper_post(helper, HELPER_EVE, "stream.subscribe", "{'world': 1, 'fields': ['positions', 'measures']}");
    helper_turn(helper);
    const struct base_frame *first = only_frame(helper, 0, 100), *second = only_frame(helper, 0, 101),
                            *third = only_frame(helper, 0, 102), *fourth = only_frame(helper, 0, 103);
    assert_ptr_equal(first, second);
    assert_ptr_not_equal(first, third);
    assert_int_equal(first->parts[0].buffer_count, 3);
    assert_int_equal(third->parts[0].buffer_count, 2);
    assert_ptr_equal(first->parts[0].buffers[2], third->parts[0].buffers[1]);
    assert_ptr_equal(first->parts[0].buffers[1], fourth->parts[0].buffers[1]);
    assert_int_equal(helper->world->frames->streams.selection_count, 3);
    helper_destroy(helper);
}

static void every_counts_from_the_start_of_the_world(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL); // four substeps
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1}");
    helper_post(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'every': 3}");
    helper_post(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'every': 3, 'unit': 'substep'}");
    helper_turns(helper, 2);
    helper_forget(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 5);
    // Ticks 1 ... 6; substeps 4 ... 24.
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 5);
    uint32_t ticks[8], tick_count = 0, moments = 0;
    for (uint32_t p = 0; p < 5; p++) {
        const struct base_batch *batch = helper_batch(helper, p, 100);
        if (batch) {
            const msgpack_object *map = helper_frame_part(helper, batch->frames[0], 0, NULL, NULL);
            ticks[tick_count++] = (uint32_t)helper_number(map, "tick");
        }
        batch = helper_batch(helper, p, 101);
        for (uint32_t f = 0; batch && f < batch->frame_count; f++) {
            const msgpack_object *map = helper_frame_part(helper, batch->frames[f], 0, NULL, NULL);
            uint32_t substep = (uint32_t)helper_number(map, "substep");
            uint32_t all = 4 * (uint32_t)helper_number(map, "tick") + substep;
            assert_true(substep < 4);
            assert_int_equal(all, 6 + 3 * moments);
            moments++;
        }
    }
    assert_int_equal(tick_count, 2);
    assert_int_equal(ticks[0], 3);
    assert_int_equal(ticks[1], 6);
    assert_int_equal(moments, 7); // 6, 9 ... 24
    helper_destroy(helper);
}

static void each_substep_shows_its_own_state(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "stream.subscribe",
                "{'world': 1, 'unit': 'substep', 'fields': ['positions64', 'velocities']}");
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    const struct base_batch *batch = helper_batch(helper, 0, 100);
    assert_int_equal(batch->frame_count, 4);
    double h = 1.0 / 240, y = 2, v = 0;
    for (uint32_t f = 0; f < 4; f++) {
        v -= 9.81 * h;
        y += v * h;
        const msgpack_object *map = helper_frame_part(helper, batch->frames[f], 0, NULL, NULL);
        struct protocol_array positions = helper_array(map, "bodies.#0.positions64", PROTOCOL_ARRAY_F64);
        double shown = protocol_array_f64_at(&positions, 1);
        assert_true(shown > y - 1e-7 && shown < y + 1e-7);
        assert_int_equal(helper_number(map, "tick"), f == 3 ? 1 : 0);
        assert_int_equal(helper_number(map, "substep"), f == 3 ? 0 : f + 1);
        assert_true(helper_number(map, "time") == (f == 3 ? 1.0 / 60 : 0));
    }
    helper_destroy(helper);
}

static void a_resting_world_shows_each_drain_that_changed_it(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'every': 100}");
    // Both are of one drain, unless the machine is so busy that one alone takes somebody's share of it.
    uint32_t tries = 0;
    double shown;
    const msgpack_object *map;
    do {
        assert_true(tries < 20);
        helper_forget(helper);
        helper_post(helper, HELPER_ANN, "particle.set",
                    "{'world': 1, 'body': 1, 'particles': [0], 'positions': [4, 5, 6]}");
        helper_post(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'name': 'dot'}");
        helper_turn(helper);
        assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
        map = helper_frame_part(helper, only_frame(helper, 0, 100), 0, NULL, NULL);
        shown = helper_number(map, "revision");
        helper_turn(helper);
    } while (shown != 1 + 2 * ++tries);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    helper_error(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 9}");
    helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 0}");
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 0);
    // A body that is removed just leaves the frames.
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'bodies': [1]}");
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
    map = helper_frame_part(helper, only_frame(helper, 1, 100), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 0);
    // stream.set of other fields keeps the bodies; an empty list means all again.
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'fields': ['velocities']}");
    helper_call(helper, HELPER_ANN, "body.add", point);
    map = helper_frame_part(helper, only_frame(helper, 3, 100), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 0);
    helper_call(helper, HELPER_BOB, "stream.set", "{'stream': 100, 'bodies': []}");
    map = helper_frame_part(helper, only_frame(helper, 4, 100), 0, NULL, NULL);
    assert_int_equal(helper_number(map, "bodies.#0.body"), 2);
    assert_non_null(helper_find(map, "bodies.#0.velocities"));
    assert_null(helper_find(map, "bodies.#0.positions"));
    assert_memory_equal(helper_error(helper, HELPER_ANN, "stream.set", "{'stream': 100}"), "NOT_FOUND", 9);
    assert_memory_equal(helper_error(helper, HELPER_ANN, "stream.unsubscribe", "{'stream': 100}"),
                        "NOT_FOUND", 9);
    helper_destroy(helper);
}

static void frames_are_dropped_when_nobody_takes_them_and_the_rest_is_shown(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct world_event *event;
    struct world_face face;
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    helper_forget(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 20}");
    for (uint32_t i = 0; i < 20; i++) {
        helper_turn_only(helper);
    }
    assert_int_equal(helper->world->document->tick, 20);
    world_face(helper->world, &face);
    assert_int_equal(face.frames_dropped, 4 * 4);
    assert_int_equal(face.streams, 1);
    uint64_t retry = helper_turn_only(helper);
    assert_true(retry > helper->now_ns && retry < UINT64_MAX);
    uint32_t taken = 0;
    uint64_t missed = 0;
    while ((event = world_take(helper->world)) != NULL) {
        taken += event->kind == WORLD_PUBLICATION ? 1 : 0;
        if (event->kind == WORLD_LACK) {
            assert_int_equal(event->misses[0].lack, WORLD_LACK_LATE);
            missed += event->misses[0].frames;
        }
        world_event_destroy(event);
    }
    assert_int_equal(taken, WORLD_PUBLICATIONS_MAX);
    assert_true(missed > 0);
    // The loop is back: the viewer gets what the world came to, once.
    helper_turns(helper, 2);
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
    const msgpack_object *map = helper_frame_part(helper, only_frame(helper, 0, 100), 0, NULL, NULL);
    assert_int_equal(helper_number(map, "tick"), 20);
    // Between (16, 0) and (20, 0) are 15 moments.
    assert_int_equal(helper_batch(helper, 0, 100)->dropped, 15);
    assert_true(helper->deadline == UINT64_MAX);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    assert_int_equal(helper_batch(helper, 1, 100)->dropped, 0);
    helper_destroy(helper);
}

// A small budget in the place of the real one.
static void budget_set(struct helper *helper, size_t limit)
{
    base_budget_release(helper->world->frames->budget);
    helper->world->frames->budget = base_budget_create(limit);
    helper->world->frames->snapshot.budget = helper->world->frames->budget;
}

// The reason belongs to the stream: what it was set to meanwhile has nothing to do with the frames that were left out.
static void the_reason_is_told_of_a_stream_that_was_set_meanwhile(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    helper_forget(helper);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 20}");
    for (uint32_t i = 0; i < 20; i++) {
        helper_turn_only(helper);
    }
    // The first reason lies in the outbox, so the later ones wait.
    assert_int_equal(world_events_waiting(helper->world->answers, WORLD_LACK), 1);
    helper_post(helper, HELPER_ANN, "stream.set", "{'stream': 100, 'fields': ['velocities']}");
    helper_turn_only(helper);
    helper_turn(helper);
    helper_turn(helper);
    uint64_t missed = 0;
    for (uint32_t n = 0; n < helper_count(helper, WORLD_LACK); n++) {
        const struct world_miss *miss = helper_event(helper, WORLD_LACK, n)->misses;
        assert_int_equal(miss->lack, WORLD_LACK_LATE);
        missed += miss->frames;
    }
    assert_int_equal(helper_count(helper, WORLD_LACK), 2);
    assert_int_equal(missed, 20 - WORLD_PUBLICATIONS_MAX);
    helper_destroy(helper);
}

// Frames of the old selection were larger than the budget. The new selection fits, so its stream goes on.
static void a_stream_that_was_set_to_less_does_not_end(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    budget_set(helper, 4096);
    helper_cloth(helper, HELPER_ANN, 5, 1, "small");
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'bodies': [1]}");
    atomic_store(&helper->world->answers->waiting[WORLD_LACK], 1); // as if the loop still had to take one
    helper_cloth(helper, HELPER_ANN, 21, 1, "large");
    helper_call(helper, HELPER_ANN, "stream.set", "{'stream': 100, 'bodies': []}");
    assert_int_equal(world_streams_find(&helper->world->frames->streams, 100)->lack, WORLD_LACK_SIZE);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "stream.set", "{'stream': 100, 'bodies': [1]}");
    atomic_store(&helper->world->answers->waiting[WORLD_LACK], 0);
    helper_turns(helper, 2);
    assert_int_equal(helper->world->frames->streams.count, 1);
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
    helper_destroy(helper);
}

static void a_stream_whose_peer_takes_nothing_rests(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct world_face face;
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1}");
    helper_forget(helper);
    assert_true(world_post_rest(helper->world, 100, true));
    assert_true(world_post_rest(helper->world, 4711, true)); // of a stream that is gone
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 7);
    // Five ticks for the other; at their end the present, which it is owed whoever it is.
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 6);
    for (uint32_t p = 0; p < 5; p++) {
        assert_null(helper_batch(helper, p, 100));
        assert_non_null(helper_batch(helper, p, 101));
    }
    assert_null(helper_batch(helper, 5, 101));
    const struct base_batch *present = helper_batch(helper, 5, 100);
    assert_non_null(present);
    assert_int_equal(present->dropped, 4);
    world_face(helper->world, &face);
    assert_int_equal(face.frames_dropped, 5);
    assert_int_equal(face.frames_slow, 5);
    assert_int_equal(helper_count(helper, WORLD_LACK), 0); // who takes nothing need not be told yet

    helper_forget(helper);
    assert_true(world_post_rest(helper->world, 100, false));
    helper_turn(helper);
    assert_int_equal(helper_count(helper, WORLD_LACK), 1);
    const struct world_miss *miss = &helper->events[0]->misses[0];
    assert_int_equal(helper->events[0]->miss_count, 1);
    assert_int_equal(miss->stream, 100);
    assert_int_equal(miss->lack, WORLD_LACK_SLOW);
    assert_int_equal(miss->frames, 5);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    assert_int_equal(helper_batch(helper, 0, 100)->dropped, 0);
    assert_non_null(helper_batch(helper, 0, 101));
    helper_destroy(helper);
}

static void what_waits_for_a_turn_to_be_told_of_rest_is_bounded(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < WORLD_RESTS_MAX; i++) {
            assert_true(world_post_rest(helper->world, 100 + i, true));
        }
        assert_false(world_post_rest(helper->world, 100, false));
        helper_turn(helper); // takes them all
    }
    helper_destroy(helper);
}

static void a_used_up_budget_drops_frames_and_says_so_once(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct world_face face;
    budget_set(helper, 4096);
    helper_cloth(helper, HELPER_ANN, 11, 1, "sail"); // 1.5 kB of positions
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}");
    helper_turns(helper, 3);
    // The first two frames are held by this test.
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 2);
    assert_true(helper_count(helper, WORLD_LACK) >= 1);
    const struct world_miss *miss = helper_event(helper, WORLD_LACK, 0)->misses;
    assert_int_equal(miss->lack, WORLD_LACK_ROOM);
    assert_int_equal(miss->session, HELPER_ANN);
    assert_int_equal(miss->stream, 100);
    world_face(helper->world, &face);
    assert_int_equal(face.frames_dropped, 2);
    helper_turn_only(helper);
    helper_turn_only(helper);
    struct world_event *event;
    uint32_t lacks = 0;
    while ((event = world_take(helper->world)) != NULL) {
        lacks += event->kind == WORLD_LACK ? 1 : 0;
        world_event_destroy(event);
    }
    assert_int_equal(lacks, 1);
    helper_forget(helper);
    assert_true(base_budget_used(helper->world->frames->budget) == 0);
    helper_turn(helper);
    const msgpack_object *map = helper_frame_part(helper, only_frame(helper, 0, 100), 0, NULL, NULL);
    assert_int_equal(helper_number(map, "tick"), 3);
    helper_destroy(helper);
}

// Other worlds hold so much that there is no more room: that is not this world's to mend, and is told so.
static void a_used_up_budget_of_all_worlds_is_told_as_such(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct base_budget *whole = base_budget_create(8192), *other = base_budget_create_share(whole, 8192);
    base_budget_release(helper->world->frames->budget);
    helper->world->frames->budget = base_budget_create_share(whole, 6144);
    helper->world->frames->snapshot.budget = helper->world->frames->budget;
    helper_cloth(helper, HELPER_ANN, 11, 1, "sail"); // 1.5 kB of positions
    assert_true(base_budget_charge(other, 6000));
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 0);
    assert_int_equal(helper_event(helper, WORLD_LACK, 0)->misses[0].lack, WORLD_LACK_SERVER);
    base_budget_uncharge(other, 6000);
    helper_forget(helper);
    helper_turns(helper, 2);
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
    helper_destroy(helper);
    base_budget_release(other);
    base_budget_release(whole);
}

static void too_many_frames_of_one_tick_are_nobody_elses_fault(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL); // four substeps
    budget_set(helper, 4096);
    helper_cloth(helper, HELPER_ANN, 11, 1, "sail");
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    assert_int_equal(helper_batch(helper, 0, 100)->frame_count, 2);
    const struct world_event *event = helper_event(helper, WORLD_LACK, 0);
    assert_int_equal(event->miss_count, 1);
    assert_int_equal(event->misses[0].lack, WORLD_LACK_SUBSTEPS);
    assert_int_equal(event->misses[0].frames, 2);
    assert_int_equal(helper->world->frames->streams.count, 1);
    helper_destroy(helper);
}

static void a_selection_that_can_have_no_frame_ends_its_stream_and_no_other(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    budget_set(helper, 4096);
    helper_cloth(helper, HELPER_ANN, 5, 1, "small");
    helper_cloth(helper, HELPER_ANN, 21, 1, "large"); // 5.3 kB of positions
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    const struct world_event *event = helper_event(helper, WORLD_LACK, 0);
    assert_int_equal(event->misses[0].lack, WORLD_LACK_SIZE);
    assert_int_equal(event->misses[0].stream, 100);
    assert_int_equal(helper->world->frames->streams.count, 0);
    helper_forget(helper);
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'bodies': [1]}");
    assert_int_equal(helper_count(helper, WORLD_PUBLICATION), 1);
    assert_int_equal(helper_count(helper, WORLD_LACK), 0);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void measures_of_a_frame_are_those_of_the_moment(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "stream.subscribe",
                "{'world': 1, 'unit': 'substep', 'fields': ['positions64', 'velocities', 'measures']}");
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    const struct base_batch *batch = helper_batch(helper, 1, 100);
    assert_int_equal(batch->frame_count, 4);
    for (uint32_t f = 0; f < 4; f++) {
        const msgpack_object *map = helper_frame_part(helper, batch->frames[f], 0, NULL, NULL);
        struct protocol_array positions = helper_array(map, "bodies.#0.positions64", PROTOCOL_ARRAY_F64);
        struct protocol_array velocities = helper_array(map, "bodies.#0.velocities", PROTOCOL_ARRAY_F32);
        double y = protocol_array_f64_at(&positions, 1), v = protocol_array_f64_at(&velocities, 1);
        assert_true(fabs(helper_number(map, "measures.potential") - 9.81 * y) < 1e-6);
        assert_true(fabs(helper_number(map, "measures.kinetic") - 0.5 * v * v) < 1e-6);
        if (f == 3) {
            assert_true(helper_number(map, "measures.potential") ==
                        helper_number(measured, "measures.potential"));
            assert_true(helper_number(map, "measures.kinetic") ==
                        helper_number(measured, "measures.kinetic"));
        }
    }
    helper_destroy(helper);
}

static void frames_outlive_the_world(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    struct base_frame *frame = base_frame_ref(helper_batch(helper, 0, 100)->frames[0]);
    helper_forget(helper);
    world_destroy(helper->world);
    helper->world = NULL;
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    assert_int_equal(helper_number(map, "bodies.#0.body"), 1);
    base_frame_unref(frame);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reply_comes_before_the_first_frame),
        cmocka_unit_test(a_refused_subscription_opens_nothing),
        cmocka_unit_test(all_fields_in_all_modes_unpack_and_are_aligned),
        cmocka_unit_test(large_bodies_are_cut_into_parts),
        cmocka_unit_test(equal_subscriptions_share_frames_and_others_share_chunks),
        cmocka_unit_test(every_counts_from_the_start_of_the_world),
        cmocka_unit_test(each_substep_shows_its_own_state),
        cmocka_unit_test(a_resting_world_shows_each_drain_that_changed_it),
        cmocka_unit_test(frames_are_dropped_when_nobody_takes_them_and_the_rest_is_shown),
        cmocka_unit_test(the_reason_is_told_of_a_stream_that_was_set_meanwhile),
        cmocka_unit_test(a_stream_that_was_set_to_less_does_not_end),
        cmocka_unit_test(a_stream_whose_peer_takes_nothing_rests),
        cmocka_unit_test(what_waits_for_a_turn_to_be_told_of_rest_is_bounded),
        cmocka_unit_test(a_used_up_budget_drops_frames_and_says_so_once),
        cmocka_unit_test(a_used_up_budget_of_all_worlds_is_told_as_such),
        cmocka_unit_test(too_many_frames_of_one_tick_are_nobody_elses_fault),
        cmocka_unit_test(a_selection_that_can_have_no_frame_ends_its_stream_and_no_other),
        cmocka_unit_test(measures_of_a_frame_are_those_of_the_moment),
        cmocka_unit_test(frames_outlive_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
