// Requests in, answers out: the way round, the order of things, and time.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const char *const point = "{'world': 1, 'kind': 'points', 'positions': [0, 0, 0], 'masses': 1}";

static void a_world_is_filled_stepped_and_read(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const msgpack_object *added = helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'sail', 'kind': 'rope', 'positions': [0,0,0, 1,0,0, 1,0,0], 'masses': 1,"
        " 'pins': [0]}");
    assert_int_equal(helper_number(added, "body"), 1);
    assert_int_equal(helper_number(added, "revision"), 1);
    assert_int_equal(helper_number(added, "tick"), 0);
    assert_int_equal(helper_number(added, "particles"), 3);
    assert_int_equal(helper_number(added, "constraints.distance.first"), 1);
    assert_int_equal(helper_number(added, "constraints.distance.count"), 2);
    helper_assert_text(added, "warnings.#0.code", "COINCIDENT");
    struct protocol_array elements = helper_array(added, "warnings.#0.elements", PROTOCOL_ARRAY_U32);
    assert_int_equal(elements.count, helper_number(added, "warnings.#0.count"));

    assert_int_equal(
        helper_number(helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}"), "tick"), 1);
    const msgpack_object *found =
        helper_call(helper, HELPER_ANN, "body.state", "{'world': 1, 'body': 'sail'}");
    assert_int_equal(helper_number(found, "body"), 1);
    assert_int_equal(helper_number(found, "tick"), 1);
    assert_int_equal(helper_number(found, "revision"), 1);
    struct protocol_array positions = helper_array(found, "positions", PROTOCOL_ARRAY_F32);
    assert_int_equal(positions.count, 9);
    assert_true(protocol_array_f64_at(&positions, 1) == 0);
    assert_true(protocol_array_f64_at(&positions, 4) < 0);
    assert_null(helper_find(found, "normals"));

    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 'flag'}");
    helper_assert_text(got, "name", "flag");
    helper_assert_text(got, "state", "paused");
    assert_int_equal(helper_number(got, "particles"), 3);
    assert_int_equal(helper_number(got, "constraints"), 2);
    helper_destroy(helper);
}

static void a_session_reads_its_own_writes_in_order(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    uint32_t first = helper_post(helper, HELPER_ANN, "body.add", point);
    uint32_t second = helper_post(helper, HELPER_ANN, "particle.set",
                                  "{'world': 1, 'body': 1, 'particles': [0], 'positions': [1, 2, 3]}");
    uint32_t third = helper_post(helper, HELPER_ANN, "body.state",
                                 "{'world': 1, 'body': 1, 'fields': ['positions64', 'inverse_masses']}");
    assert_int_equal(helper->inputs, 3);
    helper_turn(helper);
    assert_int_equal(helper->outputs, 1);
    bool error;
    assert_int_equal(helper_number(helper_answer(helper, first, &error), "revision"), 1);
    assert_int_equal(helper_number(helper_answer(helper, second, &error), "revision"), 2);
    const msgpack_object *found = helper_answer(helper, third, &error);
    assert_int_equal(helper_number(found, "revision"), 2);
    struct protocol_array positions = helper_array(found, "positions64", PROTOCOL_ARRAY_F64);
    assert_true(fabs(protocol_array_f64_at(&positions, 1) - 2) < 1e-7);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void the_first_revision_is_that_of_the_edit(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    const msgpack_object *grab =
        helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 0}");
    assert_null(helper_find(grab, "revision"));
    const msgpack_object *hash = helper_call(helper, HELPER_ANN, "world.hash", "{'world': 1}");
    assert_int_equal(helper_number(hash, "revision"), 1);
    assert_int_equal(helper_at(hash, "hash")->via.str.size, 16);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Steps

static void a_step_answers_after_its_last_tick_and_holds_its_session_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_forget(helper);
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}");
    uint32_t own = helper_post(helper, HELPER_ANN, "world.hash", "{'world': 1}");
    uint32_t others = helper_post(helper, HELPER_BOB, "world.hash", "{'world': 1}");
    bool error;
    helper_turn(helper);
    assert_int_equal(helper->deadline, 0);
    assert_null(helper_answer(helper, step, &error));
    assert_null(helper_answer(helper, own, &error));
    assert_int_equal(helper_number(helper_answer(helper, others, &error), "tick"), 0);
    helper_turn(helper);
    assert_null(helper_answer(helper, step, &error));
    helper_turn(helper);
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 3);
    assert_int_equal(helper_number(helper_answer(helper, own, &error), "tick"), 3);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void a_held_step_runs_after_the_one_before_it(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    uint32_t ids[3];
    ids[0] = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 2}");
    ids[1] = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 2}");
    ids[2] = helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}");
    helper_turns(helper, 2);
    assert_int_equal(helper_number(helper_answer(helper, ids[0], &error), "tick"), 2);
    assert_null(helper_answer(helper, ids[1], &error));
    helper_turns(helper, 2);
    assert_int_equal(helper_number(helper_answer(helper, ids[1], &error), "tick"), 4);
    assert_int_equal(helper_number(helper_answer(helper, ids[2], &error), "tick"), 4);
    helper_destroy(helper);
}

static void a_pause_cuts_a_step_short_and_answers_keep_their_order(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000000}");
    uint32_t again = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 3);
    uint32_t pause = helper_post(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    helper_turn(helper);
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 3);
    assert_int_equal(helper_number(helper_answer(helper, again, &error), "tick"), 3);
    assert_int_equal(helper_number(helper_answer(helper, pause, &error), "tick"), 3);
    assert_int_equal(helper->event_count, 3);
    assert_int_equal(helper->events[0]->method, PROTOCOL_METHOD_WORLD_STEP);
    assert_int_equal(helper->events[2]->method, PROTOCOL_METHOD_WORLD_PAUSE);
    assert_true(helper->deadline == UINT64_MAX);

    step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000000}");
    helper_turn(helper);
    assert_non_null(strstr(helper_error(helper, HELPER_BOB, "world.play", "{'world': 1}"),
                           "CONFLICT: world \"flag\" is stepping for ann"));
    pause = helper_post(helper, HELPER_BOB, "world.pause", "{'world': 1}");
    helper_turn(helper);
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 5);
    assert_int_equal(helper_number(helper_answer(helper, pause, &error), "tick"), 5);
    helper_destroy(helper);
}

static void a_step_of_a_session_that_goes_away_is_cut_short(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000000}");
    helper_turn(helper);
    world_post_gone(helper->world, HELPER_ANN);
    helper_turn(helper);
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 1);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void a_playing_world_takes_no_step(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    assert_string_equal(helper_error(helper, HELPER_ANN, "world.step", "{'world': 1}"),
                        "CONFLICT: world \"flag\" is playing; pause it first");
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Refusals

static void too_many_requests_are_busy_until_answers_are_taken(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    for (uint32_t i = 0; i < PROTOCOL_LIMIT_WORLD_REQUESTS; i++) {
        assert_int_not_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    }
    assert_int_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    assert_int_equal(helper->refused.code, PROTOCOL_CODE_BUSY);
    helper_turn_only(helper);
    // Answered, but the answers still lie in the outbox.
    assert_int_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    helper_turns_until_idle(helper);
    assert_int_equal(helper->event_count, PROTOCOL_LIMIT_WORLD_REQUESTS);
    assert_int_not_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    helper_destroy(helper);
}

static void sessions_come_and_go_while_a_world_is_busy(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    uint32_t session = 10;
    for (; session < 10 + PROTOCOL_LIMIT_WORLD_REQUESTS; session++) {
        assert_int_not_equal(helper_post(helper, session, "world.join", "{'world': 1}"), 0);
        world_post_gone(helper->world, session);
    }
    helper_turns_until_idle(helper);
    assert_int_equal(helper->deadline, UINT64_MAX);
    assert_int_equal(helper->world->people->member_count, 0);
    assert_int_equal(helper_count(helper, WORLD_REPLY), PROTOCOL_LIMIT_WORLD_REQUESTS);
    helper_destroy(helper);
}

static void a_refused_notification_gives_a_fault_and_an_accepted_one_only_counts(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    msgpack_sbuffer map;
    msgpack_sbuffer_init(&map);
    helper_pack(&map, "{'world': 1, 'grab': 4, 'target': [0, 0, 0]}");
    helper_post_packed(helper, HELPER_ANN, "grab.move", &map, false);
    msgpack_sbuffer_clear(&map);
    helper_pack(&map, point);
    helper_post_packed(helper, HELPER_ANN, "body.add", &map, false);
    msgpack_sbuffer_destroy(&map);
    helper_turn(helper);
    assert_int_equal(helper->event_count, 2);
    assert_int_equal(helper->events[0]->kind, WORLD_FAULT);
    assert_int_equal(helper->events[0]->error.code, PROTOCOL_CODE_NOT_FOUND);
    assert_int_equal(helper->events[0]->method, PROTOCOL_METHOD_GRAB_MOVE);
    assert_int_equal(helper->events[0]->session, HELPER_ANN);
    assert_int_equal(helper->events[1]->kind, WORLD_REPLY);
    assert_null(helper->events[1]->bytes[0]);
    assert_int_equal(helper->world->document->revision, 1);
    helper_destroy(helper);
}

static void errors_as_maps_say_what_and_where(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper->errors = PROTOCOL_ERRORS_MAP;
    uint32_t msgid = helper_post(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 7}");
    helper_turn(helper);
    const msgpack_object *map = helper_answer(helper, msgid, &error);
    assert_true(error);
    assert_int_equal(helper_number(map, "kind"), 1);
    helper_assert_text(map, "code", "NOT_FOUND");
    helper_assert_text(map, "text", "body 7 does not exist in world \"flag\"");
    helper_assert_text(map, "field", "body");
    helper_assert_text(map, "value", "7");
    helper_assert_text(map, "user", "ann");
    assert_int_equal(helper_number(map, "revision"), 1);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// The end

static void a_deleted_world_answers_all_then_says_so_last(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    uint32_t step = helper_post(helper, HELPER_BOB, "world.step", "{'world': 1, 'ticks': 100}");
    uint32_t held = helper_post(helper, HELPER_BOB, "world.get", "{'world': 1}");
    helper_turn(helper);
    uint32_t gone = helper_post(helper, HELPER_ANN, "world.delete", "{'world': 1}");
    uint32_t late = helper_post(helper, HELPER_ANN, "body.add", point);
    helper_turn_only(helper);
    uint32_t later = helper_post(helper, HELPER_BOB, "world.set", "{'world': 1, 'name': 'sail'}");
    helper_turn(helper);
    assert_false(helper_answer(helper, step, &error) == NULL || error);
    assert_false(helper_answer(helper, gone, &error) == NULL || error);
    uint32_t refused[3] = {held, late, later};
    for (uint32_t i = 0; i < 3; i++) {
        const msgpack_object *answer = helper_answer(helper, refused[i], &error);
        assert_true(error);
        assert_memory_equal(helper_at(answer, "#1")->via.str.ptr, "NOT_FOUND", 9);
    }
    helper_assert_text(helper_notice(helper, 0, "world.changed"), "state", "deleted");
    assert_int_equal(helper_count(helper, WORLD_DELETED), 1);
    assert_int_equal(helper->events[helper->event_count - 1]->kind, WORLD_DELETED);
    struct world_event *rename = helper->events[helper->event_count - 2];
    assert_true(!rename->granted && rename->claim.held);
    assert_int_equal(rename->claim.id, HELPER_CLAIM);
    helper_destroy(helper);
}

static void a_shutdown_refuses_edits_and_stops_time(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    bool error;
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    world_post_shutdown(helper->world);
    world_post_shutdown(helper->world);
    helper_turn(helper);
    uint64_t tick = helper->world->document->tick;
    assert_true(helper->deadline == UINT64_MAX);
    assert_memory_equal(helper_error(helper, HELPER_ANN, "body.add", point), "SHUTDOWN", 8);
    assert_memory_equal(helper_error(helper, HELPER_ANN, "world.step", "{'world': 1}"), "SHUTDOWN", 8);
    helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_int_equal(helper->world->document->tick, tick);
    helper_destroy(helper);

    helper = helper_create(NULL);
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000}");
    uint32_t held = helper_post(helper, HELPER_ANN, "body.add", point);
    helper_turn(helper);
    world_post_shutdown(helper->world);
    helper_turn(helper);
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 1);
    assert_non_null(helper_answer(helper, held, &error));
    assert_true(error);
    helper_destroy(helper);
}

static void what_nobody_answers_is_freed_with_the_world(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000}");
    helper_post(helper, HELPER_ANN, "body.add", point);
    helper_turn(helper);
    helper_post(helper, HELPER_BOB, "body.add", point);
    world_post_gone(helper->world, HELPER_BOB);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_filled_stepped_and_read),
        cmocka_unit_test(a_session_reads_its_own_writes_in_order),
        cmocka_unit_test(the_first_revision_is_that_of_the_edit),
        cmocka_unit_test(a_step_answers_after_its_last_tick_and_holds_its_session_back),
        cmocka_unit_test(a_held_step_runs_after_the_one_before_it),
        cmocka_unit_test(a_pause_cuts_a_step_short_and_answers_keep_their_order),
        cmocka_unit_test(a_step_of_a_session_that_goes_away_is_cut_short),
        cmocka_unit_test(a_playing_world_takes_no_step),
        cmocka_unit_test(too_many_requests_are_busy_until_answers_are_taken),
        cmocka_unit_test(sessions_come_and_go_while_a_world_is_busy),
        cmocka_unit_test(a_refused_notification_gives_a_fault_and_an_accepted_one_only_counts),
        cmocka_unit_test(errors_as_maps_say_what_and_where),
        cmocka_unit_test(a_deleted_world_answers_all_then_says_so_last),
        cmocka_unit_test(a_shutdown_refuses_edits_and_stops_time),
        cmocka_unit_test(what_nobody_answers_is_freed_with_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
