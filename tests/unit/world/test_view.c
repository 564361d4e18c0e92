// Views: worlds that show what others computed. What they refuse and serve, how they move, and when they end.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A copy of what a world is now, with its grabs.
static struct document *document_of(struct helper *helper)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack_image(helper->world->document, &bytes));
    struct document *document = document_from(bytes.data, bytes.size, &error);
    assert_non_null(document);
    document->revision = helper->world->document->revision;
    protocol_bytes_deinit(&bytes);
    return document;
}

// A rope that hangs, held by somebody.
static struct helper *past_create(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_BOB, "body.add",
        "{'world': 1, 'name': 'rope', 'kind': 'rope', 'positions': [0,0,0, 1,0,0, 2,0,0], 'pins': [0]}");
    helper_call(helper, HELPER_BOB, "grab.begin",
                "{'world': 1, 'body': 'rope', 'particle': 2, 'target': [2, 1, 0]}");
    return helper;
}

static void step(struct helper *helper, uint32_t ticks)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", ticks);
    helper_post(helper, HELPER_BOB, "world.step", notation);
    helper_turns(helper, ticks + 1);
}

static void it_shows_the_state_with_its_grabs_and_takes_no_edits(void **state)
{
    (void)state;
    struct helper *past = past_create();
    step(past, 3);
    struct helper *view = helper_create_view(document_of(past));
    assert_true(helper_hash(view) == helper_hash(past));
    const msgpack_object *get = helper_call(view, HELPER_ANN, "world.get", "{'world': 1}");
    assert_int_equal(helper_number(get, "tick"), 3);
    assert_int_equal(helper_number(get, "revision"), 1);
    assert_int_equal(helper_number(get, "grabs"), 1);
    assert_int_equal(helper_number(get, "view_of"), 9);
    helper_assert_text(get, "read_only",
                       "it shows the past of world 9 \"flag\"; world.branch makes a world of it");
    const msgpack_object *join = helper_call(view, HELPER_ANN, "world.join", "{'world': 1}");
    assert_int_equal(helper_number(join, "view_of"), 9);
    helper_assert_text(join, "grabs.#0.user", "");
    static const char *const refused[][2] = {
        {"body.remove", "{'world': 1, 'body': 'rope'}"},
        {"world.set", "{'world': 1, 'damping': 1}"},
        {"grab.begin", "{'world': 1, 'body': 'rope', 'particle': 0}"},
        {"grab.end", "{'world': 1, 'grab': 1}"},
        {"world.play", "{'world': 1}"},
        {"world.pause", "{'world': 1}"},
        {"world.step", "{'world': 1}"},
        {"world.reset", "{'world': 1}"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_string_equal(helper_error(view, HELPER_ANN, refused[i][0], refused[i][1]),
                            "READ_ONLY: world \"flag\" (1) is read-only: it shows the past of world 9 "
                            "\"flag\"; world.branch makes a world of it");
    }
    assert_true(helper_hash(view) == helper_hash(past));
    get = helper_call(past, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(get, "read_only", "");
    assert_int_equal(helper_number(get, "view_of"), 0);
    helper_destroy(view);
    helper_destroy(past);
}

static void its_streams_go_on_when_it_moves_and_who_joined_is_told(void **state)
{
    (void)state;
    struct helper *past = past_create();
    struct document *first = document_of(past);
    step(past, 5);
    helper_call(past, HELPER_BOB, "body.add",
                "{'world': 1, 'name': 'dot', 'kind': 'points', 'positions': [0, 3, 0], 'masses': 1}");
    helper_call(past, HELPER_BOB, "body.remove", "{'world': 1, 'body': 'rope'}");
    struct document *second = document_of(past);
    const uint64_t hash = helper_hash(past);

    struct helper *view = helper_create_view(first);
    helper_call(view, HELPER_ANN, "world.join", "{'world': 1}");
    helper_call(view, HELPER_ANN, "stream.subscribe", "{'world': 1}"); // 100: of all bodies
    helper_call(view, HELPER_ANN, "stream.subscribe", "{'world': 1, 'bodies': [1], 'every': 7}");
    helper_turn(view);
    helper_forget(view);

    world_post_document(view->world, second);
    struct world_published published;
    assert_false(world_published(view->world, &published)); // it would tell what was before
    helper_turn(view);
    assert_true(world_published(view->world, &published));
    assert_int_equal(published.get.tick, 5);
    assert_int_equal(published.get.revision, 3);
    assert_string_equal(published.read_only, view->world->time->view.read_only);
    assert_true(helper_hash(view) == hash);

    const msgpack_object *changed = helper_notice(view, 0, "world.changed");
    assert_int_equal(helper_number(changed, "tick"), 5);
    helper_assert_text(changed, "state", "paused");
    assert_int_equal(helper_number(changed, "view_of"), 9);
    struct base_batch *all = helper_batch(view, 0, 100), *one = helper_batch(view, 0, 101);
    assert_non_null(all);
    assert_non_null(one);
    const msgpack_object *frame = helper_frame_part(view, all->frames[0], 0, NULL, NULL);
    assert_int_equal(helper_number(frame, "tick"), 5);
    assert_int_equal(helper_number(frame, "revision"), 3);
    assert_int_equal(helper_at(frame, "bodies")->via.array.size, 1);
    assert_int_equal(helper_number(frame, "bodies.#0.body"), 2);
    frame = helper_frame_part(view, one->frames[0], 0, NULL, NULL);
    assert_int_equal(helper_at(frame, "bodies")->via.array.size, 0); // its body is gone

    // The state that it showed before is shown again, once.
    struct document *before = world_take_document(view->world);
    assert_non_null(before);
    assert_int_equal(before->tick, 0);
    assert_null(world_take_document(view->world));
    // And shown again: the body is there again.
    world_post_document(view->world, before);
    helper_forget(view);
    helper_turn(view);
    one = helper_batch(view, 0, 101);
    frame = helper_frame_part(view, one->frames[0], 0, NULL, NULL);
    assert_int_equal(helper_number(frame, "bodies.#0.body"), 1);
    helper_destroy(view);
    helper_destroy(past);
}

static void of_documents_that_come_at_once_the_last_is_shown(void **state)
{
    (void)state;
    struct helper *past = past_create();
    struct helper *view = helper_create_view(document_of(past));
    helper_call(view, HELPER_ANN, "world.join", "{'world': 1}");
    helper_forget(view);
    for (uint32_t i = 0; i < 10000; i++) { // more than there is room for in any ring
        if (i == 9999) {
            step(past, 1);
        }
        if (i % 1000 == 999) {
            world_post_document(view->world, document_of(past));
        }
    }
    const uint32_t get = helper_post(view, HELPER_ANN, "world.get", "{'world': 1}");
    helper_turn(view);
    bool error;
    assert_int_equal(helper_number(helper_answer(view, get, &error), "tick"), 1);
    assert_int_equal(helper_count(view, WORLD_NOTICE), 1);
    world_post_document(view->world, document_of(past)); // nobody takes this one
    helper_destroy(view);
    helper_destroy(past);
}

static void a_view_that_is_saved_is_moved_when_that_has_been_cut(void **state)
{
    (void)state;
    struct helper *past = helper_create(NULL);
    helper_cloth(past, HELPER_BOB, 64, 1, "sail");
    struct document *first = document_of(past);
    step(past, 2);
    struct helper *view = helper_create_view(first);
    const uint32_t save = helper_post(view, HELPER_ANN, "world.save", "{'world': 1}");
    helper_turn(view);
    assert_non_null(view->world->keep->image);
    world_post_document(view->world, document_of(past));
    const uint32_t get = helper_post(view, HELPER_BOB, "world.get", "{'world': 1}");
    bool error = false;
    while (!helper_answer(view, get, &error)) {
        helper_turn(view);
    }
    assert_int_equal(helper_number(helper_answer(view, get, &error), "tick"), 2);
    helper_answer(view, save, &error);
    assert_true(error);
    assert_null(view->world->keep->image);
    helper_destroy(view);
    helper_destroy(past);
}

static void a_failed_moment_is_shown_as_failed(void **state)
{
    (void)state;
    struct helper *past = past_create();
    struct document *good = document_of(past), *bad = document_of(past);
    bad->failed = true;
    snprintf(bad->reason, sizeof bad->reason, "no number");
    struct helper *view = helper_create_view(bad);
    const msgpack_object *get = helper_call(view, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(get, "state", "failed");
    helper_assert_text(get, "reason", "no number");
    world_post_document(view->world, good);
    get = helper_call(view, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(get, "state", "paused");
    helper_destroy(view);
    helper_destroy(past);
}

static void it_ends_in_four_ways(void **state)
{
    (void)state;
    struct helper *past = past_create();
    for (int way = 0; way < 4; way++) {
        struct helper *view = helper_create_view(document_of(past));
        helper_call(view, HELPER_ANN, "world.join", "{'world': 1}");
        helper_forget(view);
        switch (way) {
        case 0:
            helper_call(view, HELPER_ANN, "world.leave", "{'world': 1}");
            break;
        case 1:
            helper_call(view, HELPER_ANN, "world.delete", "{'world': 1}");
            break;
        case 2:
            world_post_gone(view->world, HELPER_BOB);
            helper_turn(view);
            assert_int_equal(helper_count(view, WORLD_DELETED), 0);
            world_post_gone(view->world, HELPER_ANN);
            break;
        default:
            world_post_end(view->world);
        }
        world_post_document(view->world, document_of(past));
        helper_turn(view);
        assert_int_equal(helper_count(view, WORLD_DELETED), 1);
        helper_destroy(view);
    }
    // A world that is not a view does not end with the session that leaves it.
    helper_call(past, HELPER_BOB, "world.leave", "{'world': 1}");
    helper_turn(past);
    assert_int_equal(helper_count(past, WORLD_DELETED), 0);
    helper_destroy(past);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_shows_the_state_with_its_grabs_and_takes_no_edits),
        cmocka_unit_test(its_streams_go_on_when_it_moves_and_who_joined_is_told),
        cmocka_unit_test(of_documents_that_come_at_once_the_last_is_shown),
        cmocka_unit_test(a_view_that_is_saved_is_moved_when_that_has_been_cut),
        cmocka_unit_test(a_failed_moment_is_shown_as_failed),
        cmocka_unit_test(it_ends_in_four_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
