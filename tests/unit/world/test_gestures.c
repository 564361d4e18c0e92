// Gestures: what one session does between a press and its release is one step of undo, also after a restart.
#include "helper_journal.h"
#include "helper_world.h"
#include "store/backend.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double friction(const struct helper *helper)
{
    struct sim_body_info info;
    assert_true(sim_body_info(helper->world->document->sim, 1, &info));
    return info.meeting.friction;
}

static uint64_t set_friction(struct helper *helper, uint32_t session, double value, const char *gesture)
{
    char notation[128];
    snprintf(notation, sizeof notation, "{'world': 1, 'body': 1, 'friction': %g%s%s%s}", value,
             gesture ? ", 'gesture': '" : "", gesture ? gesture : "", gesture ? "'" : "");
    return (uint64_t)helper_number(helper_call(helper, session, "body.set", notation), "revision");
}

static struct helper *with_sail(void)
{
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail"); // revision 1
    set_friction(helper, HELPER_ANN, 0.25, NULL);   // 2
    return helper;
}

static void a_drag_of_a_slider_is_one_step(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    for (int i = 1; i <= 15; i++) {
        set_friction(helper, HELPER_ANN, 0.25 + 0.03125 * i, "slider 1");
    }
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(friction(helper) == 0.25);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(friction(helper) == 0.71875);
    // The revision of any of its edits names it, and the answer tells that of the first one.
    const msgpack_object *answer =
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'revision': 9}");
    assert_true(helper_number(answer, "undone.revision") == 3);
    assert_true(friction(helper) == 0.25);
    // A gesture that was taken back takes no more edits in.
    const uint64_t later = set_friction(helper, HELPER_ANN, 0.875, "slider 1");
    answer = helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_number(answer, "undone.revision") == (double)later);
    assert_true(friction(helper) == 0.25);
    helper_destroy(helper);
}

static void a_gesture_of_many_kinds_goes_back_in_order(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    const uint64_t hash = helper_hash(helper);
    struct sim_next_ids next, now;
    struct fault fault;
    sim_next_ids(helper->world->document->sim, &next);
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 1, 'particles': [2], 'positions': [0,3,0], 'gesture': 'g'}");
    helper_call(helper, HELPER_ANN, "body.set",
                "{'world': 1, 'body': 1, 'thickness': 0.03125, 'gesture': 'g'}");
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 1, 'particles': [2], 'gesture': 'g'}");
    helper_call(helper, HELPER_ANN, "edit.batch",
                "{'world': 1, 'gesture': 'g', 'edits': [['collider.add', {'kind': 'sphere', "
                "'radius': 1}], ['world.set', {'damping': 2}]]}");
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1, 'gesture': 'g'}");
    const msgpack_object *answer = helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_number(answer, "undone.revision") == 3);
    sim_next_ids(helper->world->document->sim, &now);
    assert_true(now.collider > next.collider);
    assert_int_equal(sim_next_ids_set(helper->world->document->sim, &next, &fault), FAULT_NONE);
    assert_true(helper_hash(helper) == hash);
    helper_destroy(helper);
}

static void others_are_in_the_way_from_the_first_edit_on(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    set_friction(helper, HELPER_ANN, 0.5, "a");    // 3
    set_friction(helper, HELPER_BOB, 0.0625, "a"); // 4, a gesture of his own
    set_friction(helper, HELPER_ANN, 0.75, "a");   // 5
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 3, 'gesture': 'b'}"); // 6
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "CONFLICT: friction of body 1"));
    assert_non_null(strstr(error, "revision 4, body.set by bob"));
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}"); // 7: damping
    error = helper_error(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "revision 5, body.set by ann"));
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'force': true}");
    assert_true(friction(helper) == 0.25);
    helper_destroy(helper);
}

static void a_gesture_ends_with_its_connection(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    set_friction(helper, HELPER_ANN, 0.5, "a");
    helper->visit++; // the session goes on with another one
    set_friction(helper, HELPER_ANN, 0.625, "a");
    set_friction(helper, HELPER_ANN, 0.75, "a");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(friction(helper) == 0.5);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(friction(helper) == 0.25);
    helper_destroy(helper);
}

static void notices_tell_gestures(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    const char *const gestures[] = {NULL, "a", "a", "b"};
    const double wanted[] = {0, 4, 4, 6};
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    for (int i = 0; i < 4; i++) {
        helper_forget(helper);
        set_friction(helper, HELPER_ANN, 0.5 + 0.0625 * i, gestures[i]);
        const msgpack_object *notice = helper_notice(helper, 0, "world.edited");
        assert_true(helper_number(notice, "gesture") == wanted[i]);
        assert_null(helper_find(notice, "params.gesture"));
    }
    helper_destroy(helper);
}

static void wrong_gestures_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"body.set", "{'world': 1, 'body': 1, 'friction': 0.5, 'gesture': ''}", "gesture: empty"},
        {"edit.undo", "{'world': 1, 'gesture': 'a'}", "gesture: must be absent"},
        {"edit.batch", "{'world': 1, 'edits': [['world.set', {'damping': 2, 'gesture': 'a'}]]}",
         "gesture: must be absent; it is the batch's own"},
    };
    struct helper *helper = with_sail();
    const uint64_t hash = helper_hash(helper);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_non_null(strstr(helper_error(helper, HELPER_ANN, wrong[i][0], wrong[i][1]), wrong[i][2]));
    }
    assert_true(helper_hash(helper) == hash);
    helper_destroy(helper);
}

static void a_step_that_is_full_ends(void **state)
{
    (void)state;
    struct helper *helper = with_sail();
    for (uint32_t i = 0; i < PROTOCOL_LIMIT_GESTURE_EDITS + 2; i++) {
        set_friction(helper, HELPER_ANN, i % 2 == 0 ? 0.5 : 0.75, "a");
        helper_forget(helper);
        helper_forget_unpacked(helper);
    }
    const msgpack_object *answer = helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_number(answer, "undone.revision") == 3 + PROTOCOL_LIMIT_GESTURE_EDITS);
    assert_true(friction(helper) == 0.75);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(friction(helper) == 0.25);
    helper_destroy(helper);
}

static void a_restart_keeps_gestures_and_goes_on_with_none(void **state)
{
    (void)state;
    struct store *store = store_in_memory();
    struct store_backend lasting = *store->backend; // only what lasts has steps of undo
    lasting.lasts = true;
    store->backend = &lasting;
    begin_list(store);
    struct helper *helper = helper_create_kept(NULL, store, NULL, NULL);
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail"); // 1
    set_friction(helper, HELPER_ANN, 0.25, NULL);   // 2
    set_friction(helper, HELPER_ANN, 0.5, "a");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 4, 'gesture': 'a'}");
    set_friction(helper, HELPER_ANN, 0.75, "a"); // 5
    helper_destroy(helper);

    struct store_error store_error;
    struct protocol_error error = {0};
    struct past_steps steps;
    struct past_end end;
    end_of(store, &end);
    struct store_reader *reader = store_reader_open(store, &store_error);
    struct past *past = past_open(reader, WORLD, &error);
    assert_non_null(past);
    past_steps_read(past, 100, SIZE_MAX, &steps);
    past_close(past);
    store_reader_close(reader);
    assert_int_equal(steps.count, 5);
    const struct world_kept kept = {.position = end.position, .sequence = end.sequence, .steps = &steps};
    helper = helper_create_kept(NULL, store, end.document, &kept);
    document_destroy(end.document);               // an empty shell
    set_friction(helper, HELPER_ANN, 0.875, "a"); // another step
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(friction(helper) == 0.75);
    const msgpack_object *answer = helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_number(answer, "undone.revision") == 3);
    assert_true(friction(helper) == 0.25);
    assert_true(sim_settings_of(helper->world->document->sim)->damping == 0);
    past_steps_deinit(&steps);
    helper_destroy(helper);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drag_of_a_slider_is_one_step),
        cmocka_unit_test(a_gesture_of_many_kinds_goes_back_in_order),
        cmocka_unit_test(others_are_in_the_way_from_the_first_edit_on),
        cmocka_unit_test(a_gesture_ends_with_its_connection),
        cmocka_unit_test(notices_tell_gestures),
        cmocka_unit_test(wrong_gestures_are_refused),
        cmocka_unit_test(a_step_that_is_full_ends),
        cmocka_unit_test(a_restart_keeps_gestures_and_goes_on_with_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
