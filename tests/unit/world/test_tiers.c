// Streams of q16, delta and parts of bodies, one by one: which share frames, which get a key, what is left out, and
// what is refused.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tick(struct helper *helper)
{
    helper_forget(helper);
    helper->now_ns += UINT64_C(16666667);
    helper_turn(helper);
}

// The first byte of the codec's chunk of the first body: 0 plain, 1 key, 2 next, 3 still.
static uint32_t kind_of(struct helper *helper, const struct base_frame *frame)
{
    const msgpack_object *bin =
        helper_at(helper_frame_part(helper, frame, 0, NULL, NULL), "bodies.#0.positions");
    assert_int_equal(bin->type, MSGPACK_OBJECT_BIN);
    return (uint8_t)bin->via.bin.ptr[0];
}

// Hash of the elements of the first body.
static double hash_of(struct helper *helper, const struct base_frame *frame)
{
    return helper_number(helper_frame_part(helper, frame, 0, NULL, NULL), "bodies.#0.elements_hash");
}

static void streams_of_one_wish_share_frames(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 12, 1, "sail");
    const uint32_t one = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta'}");
    const uint32_t other = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta', 'tolerance': 0.0001}");
    const uint32_t rough = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta', 'tolerance': 0.001}");
    const uint32_t rare = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta', 'every': 2}");
    assert_int_equal(helper->world->frames->streams.selection_count, 3);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    tick(helper);
    tick(helper);
    tick(helper);
    const struct base_frame *frame = helper_frame(helper, 0, one);
    assert_ptr_equal(frame, helper_frame(helper, 0, other));
    assert_ptr_not_equal(frame, helper_frame(helper, 0, rough));
    assert_true(frame->builds_on != 0 && frame->number > frame->builds_on);
    assert_null(frame->key);
    assert_int_equal(kind_of(helper, frame), 2);
    const msgpack_object *map = helper_frame_part(helper, frame, 0, NULL, NULL);
    helper_assert_text(map, "encoding", "delta");
    assert_true((float)helper_number(map, "tolerance") == 1e-4F);
    assert_null(helper_find(map, "nth"));
    (void)rare;
    const size_t bytes = helper->world->frames->streams.cuts.bytes;
    assert_true(bytes > 0);
    char text[64];
    snprintf(text, sizeof text, "{'stream': %u}", rough);
    helper_call(helper, HELPER_ANN, "stream.unsubscribe", text);
    assert_true(helper->world->frames->streams.cuts.bytes < bytes);
    helper_destroy(helper);
}

static void who_comes_gets_a_key_and_the_others_none(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 12, 1, "sail");
    helper_call(helper, HELPER_ANN, "world.set",
                "{'world': 1, 'gravity': [0, -0.5, 0]}"); // the grid stays the same
    const uint32_t one = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta'}");
    assert_int_equal(kind_of(helper, helper_frame(helper, 0, one)), 1);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    for (int t = 0; t < 5; t++) {
        tick(helper);
    }
    // The present is what the last frame was of, so that they are together from then on.
    const uint64_t number = helper_frame(helper, 0, one)->number;
    const uint32_t other = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta'}");
    const struct base_frame *frame = helper_frame(helper, 0, other);
    assert_null(helper_batch(helper, 0, one));
    assert_int_equal(kind_of(helper, frame), 1);
    assert_int_equal(frame->builds_on, 0);
    assert_int_equal(frame->number, number);
    tick(helper);
    frame = helper_frame(helper, 0, one);
    assert_ptr_equal(frame, helper_frame(helper, 0, other));
    assert_int_equal(kind_of(helper, frame), 2);
    // Whoever says that it is behind has a key at once, and another not before a tenth of a second has passed.
    uint32_t keys = 0;
    for (int t = 0; t < 60; t++) {
        world_post_behind(helper->world, other);
        tick(helper);
        frame = helper_frame(helper, 0, one);
        assert_int_equal(kind_of(helper, frame), 2);
        if (frame->key) {
            keys++;
            assert_int_equal(kind_of(helper, frame->key), 1);
            assert_int_equal(frame->key->number, frame->number);
            assert_int_equal(frame->key->builds_on, 0);
        }
    }
    assert_true(keys >= 8 && keys <= 11);
    helper_destroy(helper);
}

// Whoever sets a stream and changes nothing cannot read what it was sent, although that was the frame before.
static void who_asks_gets_a_key_whatever_was_sent_before(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 12, 1, "sail");
    const uint32_t stream = helper_subscribe(helper, "{'world': 1, 'encoding': 'delta'}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    tick(helper);
    tick(helper);
    for (int asks = 0; asks < 2; asks++) {
        const uint64_t before = helper_frame(helper, 0, stream)->number;
        char text[64];
        snprintf(text, sizeof text, "{'stream': %u}", stream);
        helper_forget(helper);
        helper->now_ns += UINT64_C(16666667);
        if (asks) {
            helper_post(helper, HELPER_ANN, "stream.set", text);
        }
        helper_turn(helper);
        struct base_batch *batch = helper_batch(helper, 0, stream);
        assert_non_null(batch);
        base_batch_settle(batch, before);
        assert_int_equal(batch->frames[0]->builds_on, asks ? 0 : before);
        assert_int_equal(kind_of(helper, batch->frames[0]), asks ? 1 : 2);
    }
    helper_destroy(helper);
}

static void every_nth_vertex_in_every_array(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 40, 1, "sail");
    static const uint32_t nths[] = {2, 7, 100, 511, 512, 700, 1599, 1600, 5000};
    for (uint32_t i = 0; i < sizeof nths / sizeof *nths; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 "{'world': 1, 'nth': %u, 'fields': ['positions', 'positions64', 'velocities', 'normals']}",
                 nths[i]);
        const uint32_t stream = helper_subscribe(helper, text);
        const msgpack_object *map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
        const uint32_t count = (uint32_t)helper_number(map, "bodies.#0.count");
        assert_int_equal(helper_number(map, "nth"), nths[i]);
        assert_int_equal(count, (1600 + nths[i] - 1) / nths[i]);
        struct protocol_array wide = helper_array(map, "bodies.#0.positions64", PROTOCOL_ARRAY_F64),
                              narrow = helper_array(map, "bodies.#0.positions", PROTOCOL_ARRAY_F32),
                              normals = helper_array(map, "bodies.#0.normals", PROTOCOL_ARRAY_F32);
        assert_int_equal(wide.count, 3 * count);
        assert_int_equal(helper_array(map, "bodies.#0.velocities", PROTOCOL_ARRAY_F32).count, 3 * count);
        for (uint32_t v = 0; v < count; v++) {
            double at[3];
            sim_body_positions64(helper->world->document->sim, 1, v * nths[i], 1, at);
            for (uint32_t axis = 0; axis < 3; axis++) {
                assert_true(protocol_array_f64_at(&wide, 3 * v + axis) == at[axis]);
                assert_true(protocol_array_f64_at(&narrow, 3 * v + axis) == (double)(float)at[axis]);
            }
            assert_true(protocol_array_f64_at(&normals, 3 * v + 1) < -0.99);
        }
    }
    helper_destroy(helper);
}

static void bodies_out_of_the_box_are_left_out(void **unused)
{
    (void)unused;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [1, 2, 3], 'masses': 1}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [9, 9, 9, 5, 5, 5], 'masses': 1}");
    static const char *const wishes[] = {"'encoding': 'f32'", "'encoding': 'q16'", "'encoding': 'delta'"};
    for (uint32_t w = 0; w < 3; w++) {
        char text[160];
        snprintf(text, sizeof text, "{'world': 1, %s, 'box': [4, 4, 4, 6, 6, 6]}", wishes[w]);
        const uint32_t stream = helper_subscribe(helper, text);
        const msgpack_object *map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 1);
        assert_int_equal(helper_number(map, "bodies.#0.body"), 2);
        helper_forget(helper);
        snprintf(text, sizeof text, "{'stream': %u, 'box': []}", stream);
        helper_call(helper, HELPER_ANN, "stream.set", text);
        map = helper_frame_part(helper, helper_frame(helper, 0, stream), 0, NULL, NULL);
        assert_int_equal(helper_at(map, "bodies")->via.array.size, 2);
    }
    helper_destroy(helper);
}

static void what_does_not_go_together_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *ask, *text;
    } cases[] = {
        {"'encoding': 'q16', 'fields': ['positions', 'velocities']",
         "INVALID: fields: velocities is not sent with"},
        {"'encoding': 'delta', 'fields': ['normals']", "INVALID: fields: normals is not sent with"},
        {"'encoding': 'delta', 'fields': ['positions64']", "INVALID: fields: positions64 is not sent with"},
        {"'encoding': 'delta', 'fields': ['positions', 'rotations']",
         "INVALID: fields: rotations is not sent with"},
        {"'encoding': 'q16', 'fields': ['rotations64']", "INVALID: fields: rotations64 is not sent with"},
        {"'tolerance': 0.001", "INVALID: tolerance: only encoding"},
        {"'encoding': 'q16', 'tolerance': 0.001", "INVALID: tolerance: only encoding"},
        {"'encoding': 'delta', 'tolerance': 1e-13", "INVALID: tolerance: "},
        {"'encoding': 'delta', 'tolerance': 1000001", "INVALID: tolerance: "},
        {"'nth': 0", "INVALID: nth: "},
        {"'box': [0, 0, 0]", "INVALID: box: length 3; must be 6"},
        {"'box': [0, 0, 0, 1, -1, 1]", "INVALID: box: 0 to -1 along y"},
        {"'encoding': 'records', 'nth': 2", "INVALID: nth: a stream of records"},
    };
    struct helper *helper = helper_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, "{'world': 1, %s}", cases[i].ask);
        const char *error = helper_error(helper, HELPER_ANN, "stream.subscribe", text);
        if (strncmp(error, cases[i].text, strlen(cases[i].text)) != 0) {
            fail_msg("%s: %s", cases[i].ask, error);
        }
    }
    assert_int_equal(helper->world->frames->streams.count, 0);
    // As many as a world encodes by themselves: of one, half; of the next, half of what is left; and one that shares what there is.
    uint32_t wishes = 0;
    const uint32_t sessions[] = {HELPER_ANN, HELPER_BOB};
    for (uint32_t who = 0, most = PROTOCOL_LIMIT_STREAM_TIERS / 2; who < 2; who++, most /= 2) {
        char text[160];
        for (uint32_t i = 0; i < most; i++) {
            snprintf(text, sizeof text, "{'world': 1, 'nth': %u}", ++wishes + 1);
            helper_call(helper, sessions[who], "stream.subscribe", text);
        }
        const char *error =
            helper_error(helper, sessions[who], "stream.subscribe", "{'world': 1, 'encoding': 'q16'}");
        assert_int_equal(strncmp(error, "LIMIT: too many different streams", 33), 0);
        helper_call(helper, sessions[who], "stream.subscribe", "{'world': 1, 'nth': 3}");
        helper_call(helper, sessions[who], "stream.subscribe", "{'world': 1}");
        // A session that leaves one may have another.
        struct world_streams *streams = &helper->world->frames->streams;
        uint32_t last = 0;
        for (uint32_t i = 0; i < streams->count; i++) {
            const bool alone =
                streams->items[i].selection->streams == 1 && streams->items[i].selection->options.nth > 1;
            last = streams->items[i].session == sessions[who] && alone ? streams->items[i].id : last;
        }
        snprintf(text, sizeof text, "{'stream': %u, 'nth': %u}", last, 1000 + who);
        helper_call(helper, sessions[who], "stream.set", text);
    }
    helper_destroy(helper);
}

static struct document *document_of(struct helper *helper)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error;
    assert_true(document_image_pack(helper->world->document, &bytes));
    struct document *document = document_image_read(bytes.data, bytes.size, &error);
    assert_non_null(document);
    protocol_bytes_deinit(&bytes);
    return document;
}

// A view moves to a place where the body with that id is another one.
static void elements_that_change_begin_anew(void **unused)
{
    (void)unused;
    struct helper *one = helper_create(NULL), *other = helper_create(NULL);
    helper_cloth(one, HELPER_ANN, 12, 1, "sail");
    char points[2048] = "{'world': 1, 'kind': 'points', 'masses': 1, 'positions': [0, 0, 0";
    for (uint32_t i = 1; i < 12 * 12; i++) {
        strcat(points, ", 1, 0, 0");
    }
    strcat(points, "]}");
    helper_call(other, HELPER_ANN, "body.add", points);
    struct document *first = document_of(one), *second = document_of(other), *third = document_of(one);
    helper_destroy(other);
    helper_cloth(one, HELPER_ANN, 12, 2, "other");
    struct document *more = document_of(one);
    helper_call(one, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
    struct helper *view = helper_create_view(first);
    const uint32_t stream = helper_subscribe(view, "{'world': 1, 'encoding': 'delta'}");
    assert_int_equal(kind_of(view, helper_frame(view, 0, stream)), 1);
    const double hash = hash_of(view, helper_frame(view, 0, stream));
    const msgpack_object *told = helper_call(view, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(told, "elements_hash") == hash);
    helper_forget(view);
    // The same body, with another beside it: it goes on, and the other begins.
    world_post_document(view->world, more);
    helper_turn(view);
    const struct base_frame *frame = helper_frame(view, 0, stream);
    assert_true(frame->builds_on != 0);
    assert_int_equal(kind_of(view, frame), 3);
    const msgpack_object *map = helper_frame_part(view, frame, 0, NULL, NULL);
    assert_null(helper_find(map, "bodies.#0.elements_hash"));
    assert_non_null(helper_find(map, "bodies.#1.elements_hash"));
    assert_int_equal((uint8_t)helper_at(map, "bodies.#1.positions")->via.bin.ptr[0], 1);
    helper_forget(view);
    world_post_document(view->world, document_of(one));
    helper_turn(view);
    assert_int_equal(kind_of(view, helper_frame(view, 0, stream)), 3);
    helper_forget(view);
    world_post_document(view->world, second);
    helper_turn(view);
    frame = helper_frame(view, 0, stream);
    assert_int_equal(frame->builds_on, 0);
    assert_true(kind_of(view, frame) <= 1);
    assert_true(hash_of(view, frame) != hash);
    helper_forget(view);
    world_post_document(view->world, third);
    helper_turn(view);
    frame = helper_frame(view, 0, stream);
    assert_int_equal(frame->builds_on, 0); // as many vertices, and other elements
    assert_int_equal(kind_of(view, frame), 1);
    assert_true(hash_of(view, frame) == hash);
    helper_destroy(view);
    helper_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_of_one_wish_share_frames),
        cmocka_unit_test(who_comes_gets_a_key_and_the_others_none),
        cmocka_unit_test(who_asks_gets_a_key_whatever_was_sent_before),
        cmocka_unit_test(every_nth_vertex_in_every_array),
        cmocka_unit_test(bodies_out_of_the_box_are_left_out),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(elements_that_change_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
