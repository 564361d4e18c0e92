// Sleep: a setting of the world that is told, recorded, saved and taken back, and a state of bodies that copies of the world have,
// too.
#include "helper_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TO_SLEEP = 100 };

static void sleepless(struct protocol_world_create_params *settings)
{
    settings->sleep = false;
}

static void sleepy(struct protocol_world_create_params *settings)
{
    settings->sleep = true;
    settings->substeps = 4;
}

// Two grains on a floor, and one that hangs on a pin.
static struct helper *grains(helper_tweak tweak)
{
    struct helper *helper = helper_create(tweak);
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'plane'}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0.0, 0.0, 0.0, 1.0, 0.0, 0.0], 'name': 'low'}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0.0, 1.0, 0.0], 'pins': [0], 'name': 'high'}");
    return helper;
}

static bool is_asleep(struct helper *helper, const char *body)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'body': '%s'}", body);
    return helper_at(helper_call(helper, HELPER_ANN, "body.get", notation), "asleep")->via.boolean;
}

static void run(struct helper *helper, uint32_t ticks)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", ticks);
    helper_post(helper, HELPER_EVE, "world.step", notation);
    helper_turns(helper, ticks + 1);
}

static void it_is_told_and_saved(void **state)
{
    (void)state;
    struct protocol_world_create_params made;
    protocol_defaults(&protocol_world_create_params_type, &made);
    assert_true(made.sleep); // as a new world has it
    struct helper *helper = grains(sleepless);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_false(helper_at(got, "sleep")->via.boolean);
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.settings.sleep"));
    run(helper, TO_SLEEP);
    assert_false(is_asleep(helper, "low"));

    helper_forget(helper);
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'sleep': true}");
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    assert_true(helper_at(edited, "params.sleep")->via.boolean);
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_at(got, "sleep")->via.boolean);
    run(helper, TO_SLEEP);
    assert_true(is_asleep(helper, "low") && is_asleep(helper, "high"));
    saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_true(helper_at(saved, "document.settings.sleep")->via.boolean);
    assert_true(helper_at(saved, "document.bodies.#0.state.asleep")->via.boolean);
    assert_null(helper_find(saved, "document.bodies.#0.state.anchors"));

    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    assert_true(settings.sleep);
    const char *error = helper_error(helper, HELPER_ANN, "world.set", "{'world': 1, 'sleep': 'yes'}");
    assert_memory_equal(error, "INVALID: sleep: ", strlen("INVALID: sleep: "));
    helper_destroy(helper);
}

// Each edit wakes whom it concerns, in the tick after it. Taken back before that tick, it wakes nobody.
static void what_is_undone_at_once_wakes_nobody(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"world.set", "{'world': 1, 'gravity': [0.0, 9.81, 0.0]}"},
        {"world.set", "{'world': 1, 'sleep': false}"},
        {"particle.set", "{'world': 1, 'body': 'low', 'particles': [0], 'positions': [0.0, 0.5, 0.0]}"},
        {"particle.set", "{'world': 1, 'body': 'low', 'particles': [1], 'velocities': [0.0, 2.0, 0.0]}"},
        {"particle.pin", "{'world': 1, 'body': 'low', 'particles': [0]}"},
        {"body.set", "{'world': 1, 'body': 'low', 'thickness': 0.02}"},
        {"collider.remove", "{'world': 1, 'collider': 1}"},
        {"body.remove", "{'world': 1, 'body': 'low'}"},
        {"world.reset", "{'world': 1}"},
    };
    struct helper *helper = grains(sleepy);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        run(helper, TO_SLEEP);
        const uint64_t before = helper_hash(helper);
        assert_true(is_asleep(helper, "low") && is_asleep(helper, "high"));
        helper_call(helper, HELPER_ANN, edits[e][0], edits[e][1]);
        const uint64_t after = helper_hash(helper);
        assert_true(after != before);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == before);
        run(helper, 2);
        assert_true(helper_hash(helper) == before);
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == after);
        run(helper, 1);
        if (strcmp(edits[e][0], "body.remove") != 0) {
            assert_false(is_asleep(helper, "low"));
        }
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    }
    helper_destroy(helper);
}

// A reset gives back the hash of the start, whether bodies slept, were about to, or moved. Its undo gives back sleep and what was
// counted, also some ticks later.
static void a_reset_is_as_the_start(void **state)
{
    (void)state;
    static const uint32_t ticks[] = {1, 20, TO_SLEEP};
    struct helper *helper = grains(sleepy);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [2.0, 0.0001, 0.0, 2.1, 0.0001, 0.0],"
                " 'edges': [0, 1], 'pins': [0], 'name': 'sinks'}");
    const uint64_t start = helper_hash(helper);
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        run(helper, ticks[i]);
        const uint64_t before = helper_hash(helper);
        assert_true(before != start);
        assert_true(is_asleep(helper, "sinks") == (ticks[i] == TO_SLEEP));
        helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
        assert_true(helper_hash(helper) == start);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == before);
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == start);
        run(helper, 40);
        const uint64_t later = helper_hash(helper);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(is_asleep(helper, "sinks") == (ticks[i] == TO_SLEEP));
        assert_true(helper_hash(helper) == before);
        run(helper, 40);
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == later); // as it was when it was undone
        helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    }
    helper_destroy(helper);
}

static void a_body_may_stay_awake(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'kind': 'points', 'positions': [2.0, 0.0, 0.0], 'name': 'lively', 'sleep': false}");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'high', 'sleep': false}");
    run(helper, TO_SLEEP);
    assert_true(is_asleep(helper, "low"));
    assert_false(is_asleep(helper, "high") || is_asleep(helper, "lively"));
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.bodies.#0.sleep"));
    assert_false(helper_at(saved, "document.bodies.#1.sleep")->via.boolean);
    assert_false(helper_at(saved, "document.bodies.#2.sleep")->via.boolean);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    run(helper, TO_SLEEP);
    assert_true(is_asleep(helper, "high"));
    assert_false(is_asleep(helper, "lively"));
    helper_destroy(helper);
}

// Frames tell who sleeps, if they are asked to and anybody does.
static void frames_tell_who_sleeps(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    const uint32_t other = helper_subscribe(helper, "{'world': 1}");
    const uint32_t tells = helper_subscribe(helper, "{'world': 1, 'fields': ['positions', 'asleep']}");
    const struct base_frame *frame = helper_frame(helper, 0, tells);
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    assert_null(helper_find(map, "asleep"));
    assert_int_equal(map->via.map.size, frame->key_count);
    const size_t awake = frame->size;
    run(helper, TO_SLEEP);
    helper_forget(helper);
    run(helper, 1);
    frame = helper_frame(helper, 0, tells);
    map = helper_frame_part(helper, frame, 0, NULL, NULL);
    assert_int_equal(map->via.map.size, frame->key_count);
    assert_int_equal(helper_number(map, "asleep.#0"), 1);
    assert_int_equal(helper_number(map, "asleep.#1"), 2);
    assert_int_equal(helper_at(map, "asleep")->via.array.size, 2);
    assert_in_range(frame->size - awake, 1, 16);
    assert_null(
        helper_find(helper_frame_part(helper, helper_frame(helper, 0, other), 0, NULL, NULL), "asleep"));
    helper_destroy(helper);
}

// A sparse stream has nothing of sleepers, whether it was there when they fell asleep or came later; what wakes is there again.
static void sleepers_cost_no_bytes(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    static const char sparse[] = "{'world': 1, 'encoding': 'delta', 'sparse': true}";
    const uint32_t early = helper_subscribe(helper, sparse);
    run(helper, TO_SLEEP);
    const uint32_t late = helper_subscribe(helper, sparse);
    const struct base_frame *frame = helper_frame(helper, 0, late);
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 2); // it holds nothing yet
    assert_null(helper_find(map, "left_out"));
    for (int tick = 0; tick < 3; tick++) {
        helper_forget(helper);
        run(helper, 1);
        frame = helper_frame(helper, 0, early);
        assert_ptr_equal(frame, helper_frame(helper, 0, late));
        map = helper_frame_part(helper, frame, 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 0);
        assert_int_equal(helper_number(map, "left_out"), 2);
        assert_int_equal(map->via.map.size, frame->key_count);
        assert_true(frame->builds_on != 0);
    }
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0.0, 9.81, 0.0]}");
    run(helper, 1);
    helper_forget(helper);
    run(helper, 1);
    map = helper_frame_part(helper, helper_frame(helper, 0, early), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 1); // the other one hangs on a pin
    assert_int_equal(helper_number(map, "left_out"), 1);
    const char *error =
        helper_error(helper, HELPER_ANN, "stream.subscribe",
                     "{'world': 1, 'encoding': 'delta', 'sparse': true, 'box': [0, 0, 0, 1, 1, 1]}");
    assert_memory_equal(error, "INVALID: sparse: ", strlen("INVALID: sparse: "));
    error = helper_error(helper, HELPER_ANN, "stream.subscribe",
                         "{'world': 1, 'sparse': true, 'box': [0, 0, 0, 1, 1, 1]}");
    assert_memory_equal(error, "INVALID: sparse: ", strlen("INVALID: sparse: "));
    helper_destroy(helper);
}

// In a sparse stream of q16 or f32 what rests is left out of frames that build on the one before. A client that lacks that one
// gets a whole frame, and so does one that comes late. Streams that did not ask for it have the frames that they always had.
static void alone_cost_no_bytes(const char *plainly, const char *sparse)
{
    struct helper *helper = grains(sleepy);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [5.0, 9.0, 0.0], 'name': 'falls'}");
    helper_call(helper, HELPER_ANN, "collider.remove", "{'world': 1, 'collider': 1}");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 'low', 'particles': [0, 1]}");
    const uint32_t plain = helper_subscribe(helper, plainly);
    const uint32_t early = helper_subscribe(helper, sparse);
    run(helper, TO_SLEEP);
    assert_true(is_asleep(helper, "low") && is_asleep(helper, "high"));
    const uint32_t late = helper_subscribe(helper, sparse);
    const struct base_frame *frame = helper_frame(helper, 0, late);
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 3); // it holds nothing yet
    assert_null(helper_find(map, "left_out"));
    assert_int_equal(frame->builds_on, 0);
    uint64_t number = 0;
    for (int tick = 0; tick < 3; tick++) {
        helper_forget(helper);
        run(helper, 1);
        frame = helper_frame(helper, 0, early);
        assert_ptr_equal(frame, helper_frame(helper, 0, late));
        map = helper_frame_part(helper, frame, 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 1);
        assert_int_equal(helper_number(map, "left_out"), 2);
        assert_int_equal(helper_number(map, "bodies.#0.body"), 3);
        assert_int_equal(map->via.map.size, frame->key_count);
        assert_true(frame->builds_on != 0 && (number == 0 || frame->builds_on == number));
        number = frame->number;
        frame = helper_frame(helper, 0, plain);
        assert_true(frame->builds_on == 0 && frame->number == 0);
        map = helper_frame_part(helper, frame, 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 3);
        assert_null(helper_find(map, "left_out"));
    }
    // One that comes now needs a whole frame, which goes beside the one that leaves out.
    helper_subscribe(helper, sparse);
    helper_forget(helper);
    run(helper, 1);
    frame = helper_frame(helper, 0, early);
    if (frame->key) {
        map = helper_frame_part(helper, frame->key, 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 3);
        assert_null(helper_find(map, "left_out"));
        assert_int_equal(frame->key->number, frame->number);
    }
    // An edit makes a frame whole, and what it moves is there.
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'high', 'particles': [0], 'positions': [0.0, 1.5, 0.0]}");
    map = helper_frame_part(helper, helper_frame(helper, 0, early), 0, NULL, NULL);
    assert_int_equal(helper_at(map, "bodies")->via.array.size, 3);
    helper_destroy(helper);
}

static void sleepers_cost_no_bytes_in_q16(void **state)
{
    (void)state;
    alone_cost_no_bytes("{'world': 1, 'encoding': 'q16'}", "{'world': 1, 'encoding': 'q16', 'sparse': true}");
}

static void sleepers_cost_no_bytes_in_f32(void **state)
{
    (void)state;
    alone_cost_no_bytes("{'world': 1, 'fields': ['positions', 'velocities']}",
                        "{'world': 1, 'fields': ['positions', 'velocities'], 'sparse': true}");
    alone_cost_no_bytes("{'world': 1, 'nth': 2}", "{'world': 1, 'nth': 2, 'sparse': true}");
}

// A stream keeps to leave out what rests if its encoding becomes another, and a frame of the new one is whole.
static void encodings_change_and_sparse_stays(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    static const char *const encodings[] = {"f32", "q16", "f32", "delta", "f32"};
    const uint32_t stream = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta', 'sparse': true}");
    run(helper, TO_SLEEP);
    for (size_t e = 0; e < sizeof encodings / sizeof *encodings; e++) {
        char set[96];
        snprintf(set, sizeof set, "{'stream': %u, 'encoding': '%s'}", stream, encodings[e]);
        helper_forget(helper);
        helper_call(helper, HELPER_ANN, "stream.set", set);
        const msgpack_object *map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 2);
        assert_null(helper_find(map, "left_out"));
        helper_forget(helper);
        run(helper, 1);
        map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 0);
        assert_int_equal(helper_number(map, "left_out"), 2);
    }
    helper_destroy(helper);
}

static struct document *image_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_image_pack(document, &bytes));
    struct document *copy = document_image_read(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    assert_non_null(copy);
    return copy;
}

// Copies that were taken while bodies settled, slept and woke go on to the same bits, and so does a world that makes all edits
// again.
static void a_copy_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    static const char *const program[][2] = {
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0.0, 0.1, 0.0]}"},
        {"world.set", "{'world': 1, 'gravity': [0.1, -9.81, 0.0]}"},
        {"edit.undo", "{'world': 1}"},
        {"particle.pin", "{'world': 1, 'body': 2, 'particles': [0], 'positions': [0.0, 1.1, 0.0]}"},
        {"particle.unpin", "{'world': 1, 'body': 2, 'particles': [0]}"},
        {"world.set", "{'world': 1, 'sleep': false}"},
        {"edit.undo", "{'world': 1}"},
        {"world.reset", "{'world': 1}"},
        {"edit.undo", "{'world': 1}"},
        {"edit.redo", "{'world': 1}"},
    };
    enum { PROGRAM = sizeof program / sizeof *program, BETWEEN = 85 };
    struct replay replay = {0};
    struct document *copies[2 * PROGRAM];
    uint64_t sequences[2 * PROGRAM];
    struct protocol_world_create_params settings;
    struct helper *helper = grains(sleepy);
    const struct document *document = helper->world->document;
    document_settings(document, &settings);
    for (uint32_t i = 0; i < PROGRAM; i++) {
        helper_call(helper, HELPER_ANN, program[i][0], program[i][1]);
        for (uint32_t t = 0; t < BETWEEN; t++) {
            if (t == 30 || t == BETWEEN - 1) {
                copies[2 * i + (t != 30)] = image_of(document);
                sequences[2 * i + (t != 30)] = helper->world->keep->records.next;
            }
            replay_step(helper, &replay);
        }
    }
    replay.last = document_hash(document);
    for (uint32_t c = 0; c < 2 * PROGRAM; c++) {
        replay_check(&replay, helper, copies[c], sequences[c], NULL);
        document_destroy(copies[c]);
    }
    struct document *again = document_create(&settings);
    assert_non_null(again);
    replay_check(&replay, helper, again, 0, NULL);
    document_destroy(again);
    helper_destroy(helper);
}

// The same of a rigid piece and the cloth that it lies on: what a twin begins with, taken while they settle, while they sleep and after an
// edit that woke them, goes on with the records to the same bits and the same sleep.
static void a_twin_of_sleeping_pieces_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    enum { MOST = 3, SETTLED = 400 };
    struct replay replay = {0};
    struct document *copies[MOST];
    uint64_t sequences[MOST];
    uint32_t count = 0, tick = 0;
    struct helper *helper = helper_create(helper_hammock_settings);
    helper_hammock(helper, HELPER_ANN);
    const struct document *document = helper->world->document;
    for (; tick < SETTLED && !(is_asleep(helper, "sheet") && is_asleep(helper, "ball")); tick++) {
        if (tick == 40) {
            sequences[count] = helper->world->keep->records.next;
            copies[count++] = image_of(document);
        }
        replay_step(helper, &replay);
    }
    assert_true(is_asleep(helper, "sheet") && is_asleep(helper, "ball"));
    sequences[count] = helper->world->keep->records.next;
    copies[count++] = image_of(document);
    replay_step(helper, &replay);
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'ball', 'particles': [0], 'velocities': [0.2, 0.5, 0]}");
    sequences[count] = helper->world->keep->records.next;
    copies[count++] = image_of(document);
    replay_step(helper, &replay);
    assert_false(is_asleep(helper, "sheet") || is_asleep(helper, "ball"));
    for (uint32_t t = 0; t < 60; t++) {
        replay_step(helper, &replay);
    }
    replay.last = document_hash(document);
    for (uint32_t c = 0; c < count; c++) {
        replay_check(&replay, helper, copies[c], sequences[c], NULL);
        document_destroy(copies[c]);
    }
    helper_destroy(helper);
}

// Between an edit that ends sleep and the next tick, those who slept still rest: an undo lays them to sleep again, in copies too.
static void a_copy_keeps_sleep_that_may_come_back(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    const struct document *document = helper->world->document;
    struct replay replay = {0};
    run(helper, TO_SLEEP);
    const uint64_t before = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'sleep': false}");
    struct document *copy = image_of(document);
    const uint64_t sequence = helper->world->keep->records.next;
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == before);
    for (int t = 0; t < 20; t++) {
        replay_step(helper, &replay);
    }
    replay.last = document_hash(document);
    assert_true(is_asleep(helper, "low"));
    replay_check(&replay, helper, copy, sequence, NULL);
    document_destroy(copy);
    helper_destroy(helper);
}

// An edit that ends sleep, a reset and a copy, in which nobody rests: an undo of both lays the bodies to sleep there, too.
static void a_copy_without_sleepers_takes_them_back(void **state)
{
    (void)state;
    struct helper *helper = grains(sleepy);
    const struct document *document = helper->world->document;
    struct replay replay = {0};
    run(helper, TO_SLEEP);
    const uint64_t before = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'sleep': false}");
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    struct document *copy = image_of(document);
    const uint64_t sequence = helper->world->keep->records.next;
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == before);
    replay_step(helper, &replay);
    replay.last = document_hash(document);
    assert_true(is_asleep(helper, "low"));
    replay_check(&replay, helper, copy, sequence, NULL);
    document_destroy(copy);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_and_saved),
        cmocka_unit_test(what_is_undone_at_once_wakes_nobody),
        cmocka_unit_test(a_body_may_stay_awake),
        cmocka_unit_test(frames_tell_who_sleeps),
        cmocka_unit_test(sleepers_cost_no_bytes),
        cmocka_unit_test(a_copy_goes_on_to_the_same_bits),
        cmocka_unit_test(sleepers_cost_no_bytes_in_q16),
        cmocka_unit_test(sleepers_cost_no_bytes_in_f32),
        cmocka_unit_test(encodings_change_and_sparse_stays),
        cmocka_unit_test(a_reset_is_as_the_start),
        cmocka_unit_test(a_twin_of_sleeping_pieces_goes_on_to_the_same_bits),
        cmocka_unit_test(a_copy_keeps_sleep_that_may_come_back),
        cmocka_unit_test(a_copy_without_sleepers_takes_them_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
