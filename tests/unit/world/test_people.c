// Shared state: joining, world.edited without a gap, world.changed, failure and reset, grabs.
#include "helper_world.h"

#include "sim/state/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const char *const point = "{'world': 1, 'kind': 'points', 'positions': [0, 0, 0], 'masses': 1}";

static void a_late_joiner_gets_the_document(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'sail', 'kind': 'rope', 'positions': [0,0,0, 1,0,0, 2,0,0], 'pins': [0, 2],"
        " 'stretch': {'stiffness': 0.5}}");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'name': 'ball', 'kind': 'sphere', 'position': [0, -5, 0], 'radius': 2}");
    helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 'sail', 'particle': 1}");
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_forget(helper);
    const msgpack_object *document = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    const struct world_event *reply = helper_event(helper, WORLD_REPLY, 0);
    assert_true(reply->granted && reply->claim.held);
    assert_int_equal(reply->claim.id, HELPER_CLAIM);
    assert_int_equal(reply->session, HELPER_BOB);
    assert_int_equal(helper_number(document, "revision"), 2);
    assert_int_equal(helper_at(document, "people")->via.array.size, 2);
    helper_assert_text(document, "people.#0.user", "ann");
    helper_assert_text(document, "people.#1.user", "bob");
    helper_assert_text(document, "bodies.#0.name", "sail");
    helper_assert_text(document, "bodies.#0.kind", "rope");
    assert_int_equal(helper_number(document, "bodies.#0.particles"), 3);
    assert_int_equal(helper_number(document, "bodies.#0.edges"), 2);
    assert_int_equal(helper_number(document, "bodies.#0.constraints.distance.count"), 2);
    assert_true(helper_number(document, "bodies.#0.stretch.stiffness") == 0.5);
    struct protocol_array pins = helper_array(document, "bodies.#0.pins", PROTOCOL_ARRAY_U32);
    assert_int_equal(pins.count, 2);
    helper_assert_text(document, "colliders.#0.name", "ball");
    helper_assert_text(document, "colliders.#0.kind", "sphere");
    assert_true(helper_number(document, "colliders.#0.position.#1") == -5);
    helper_assert_text(document, "grabs.#0.user", "ann");
    assert_int_equal(helper_number(document, "grabs.#0.particle"), 1);

    // Again: fresh, and not twice in the list.
    document = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    assert_int_equal(helper_at(document, "people")->via.array.size, 2);
    assert_int_equal(helper->world->people->member_count, 2);
    helper_call(helper, HELPER_BOB, "world.leave", "{'world': 1}");
    helper_call(helper, HELPER_BOB, "world.leave", "{'world': 1}");
    assert_int_equal(helper->world->people->member_count, 1);
    helper_destroy(helper);
}

static void edits_follow_the_document_without_a_gap(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_post(helper, HELPER_ANN, "body.add", point);
    uint32_t join = helper_post(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_post(helper, HELPER_ANN, "body.set", "{'world': 'flag', 'body': 2, 'name': 'dot'}");
    helper_post(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 'dot', 'particles': [0]}");
    helper_forget(helper);
    helper_turns(helper, 5); // a session whose share of a turn is used up goes on in the next
    bool error;
    assert_int_equal(helper_number(helper_answer(helper, join, &error), "revision"), 2);
    // The document comes before the edits that follow it, and those come after their replies.
    const enum world_event_kind order[] = {WORLD_REPLY,  WORLD_REPLY, WORLD_REPLY,
                                           WORLD_NOTICE, WORLD_REPLY, WORLD_NOTICE};
    assert_int_equal(helper->event_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(helper->events[i]->kind, order[i]);
    }
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    assert_int_equal(helper_number(edited, "revision"), 3);
    assert_int_equal(helper_number(edited, "world"), 1);
    helper_assert_text(edited, "user", "ann");
    assert_int_equal(helper_number(edited, "session"), HELPER_ANN);
    helper_assert_text(edited, "method", "body.set");
    helper_assert_text(edited, "params.name", "dot");
    assert_int_equal(helper_number(edited, "params.world"), 1);
    assert_null(helper_find(edited, "params.stretch"));
    assert_int_equal(helper_number(edited, "result.revision"), 3);
    assert_int_equal(helper_at(edited, "omitted")->via.array.size, 0);
    edited = helper_notice(helper, 1, "world.edited");
    assert_int_equal(helper_number(edited, "revision"), 4);
    assert_int_equal(helper_number(edited, "params.body"), 2); // the name is an id now
    assert_null(helper->events[3]->bytes[PROTOCOL_ARRAYS_BIN]);
    helper_destroy(helper);
}

static void defaults_are_filled_in_and_large_arrays_left_out(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    helper_cloth(helper, HELPER_ANN, 16, 1, "sail"); // 256 particles: 6 KiB of positions
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    helper_assert_text(edited, "method", "body.add");
    assert_null(helper_find(edited, "params.positions"));
    assert_null(helper_find(edited, "params.triangles"));
    assert_int_equal(helper_at(edited, "omitted")->via.array.size, 2);
    helper_assert_text(edited, "omitted.#0", "positions");
    helper_assert_text(edited, "omitted.#1", "triangles");
    assert_true(helper_number(edited, "params.thickness") == 0);
    assert_true(helper_number(edited, "params.stretch.compliance") == 0);
    assert_int_equal(helper_number(edited, "result.body"), 1);
    assert_int_equal(helper_number(edited, "result.particles"), 256);
    helper_destroy(helper);
}

static void each_member_is_told_in_the_mode_it_joined_with(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper->arrays = PROTOCOL_ARRAYS_PLAIN;
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    helper_call(helper, HELPER_EVE, "body.add", point);
    const struct world_event *event = helper_event(helper, WORLD_NOTICE, 0);
    assert_non_null(event->bytes[PROTOCOL_ARRAYS_EXT]);
    assert_null(event->bytes[PROTOCOL_ARRAYS_BIN]);
    assert_non_null(event->bytes[PROTOCOL_ARRAYS_PLAIN]);
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    assert_int_equal(helper_at(edited, "params.positions")->type, MSGPACK_OBJECT_ARRAY);
    helper->arrays = PROTOCOL_ARRAYS_EXT;
    edited = helper_notice(helper, 0, "world.edited");
    assert_int_equal(helper_at(edited, "params.positions")->type, MSGPACK_OBJECT_EXT);

    world_post_gone(helper->world, HELPER_BOB);
    helper_forget(helper);
    helper_call(helper, HELPER_EVE, "body.add", point);
    assert_null(helper_event(helper, WORLD_NOTICE, 0)->bytes[PROTOCOL_ARRAYS_PLAIN]);
    helper_destroy(helper);
}

static void play_and_pause_are_told_once_and_steps_are_not(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 0);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 2}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 2}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 3}");
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 3);
    const msgpack_object *changed = helper_notice(helper, 0, "world.changed");
    helper_assert_text(changed, "state", "playing");
    helper_assert_text(changed, "user", "ann");
    helper_assert_text(changed, "reason", "");
    assert_true(helper_number(changed, "rate") == 2);
    assert_true(helper_number(helper_notice(helper, 1, "world.changed"), "rate") == 3);
    assert_int_equal(helper_number(changed, "session"), HELPER_ANN);
    helper_assert_text(helper_notice(helper, 2, "world.changed"), "state", "paused");
    helper_destroy(helper);
}

static void a_name_is_told_when_it_is_another(void **state)
{
    (void)state;
    const struct world_asker ann = {.session = 7, .user = "ann", .client = "test"};
    struct world_people people = {0};
    assert_false(world_people_renamed(&people, &ann)); // not here yet
    assert_true(world_people_join(&people, &ann));
    assert_false(world_people_renamed(&people, &ann));
    const struct world_asker ada = {.session = 7, .user = "ada", .client = "test"};
    assert_true(world_people_renamed(&people, &ada));
    const struct world_asker other = {.session = 7, .user = "ann", .client = "another"};
    assert_true(world_people_renamed(&people, &other));
    assert_true(world_people_join(&people, &ada));
    assert_false(world_people_renamed(&people, &ada));
    free(people.members);

    // A session that joins, or joins again unchanged, is not news.
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 0);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Failure

static void extent_1(struct protocol_world_create_params *settings)
{
    settings->extent = 1;
    settings->sleep = false; // its state is not reset
}

static void a_failed_world_says_so_and_is_mended_by_reset(void **state)
{
    (void)state;
    struct helper *helper = helper_create(extent_1);
    bool error;
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'stone', 'kind': 'points', 'positions': [0, 0, 0]}");
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'every': 1000}");
    uint64_t start = helper_hash(helper);
    helper_forget(helper);
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1000}");
    uint32_t held = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1}");
    for (uint32_t i = 0; i < 200 && helper->world->time->state != WORLD_FAILED; i++) {
        helper_turn(helper);
    }
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    const msgpack_object *answer = helper_answer(helper, step, &error);
    assert_true(error);
    assert_memory_equal(helper_at(answer, "#1")->via.str.ptr, "CONFLICT: world \"flag\" failed", 29);
    answer = helper_answer(helper, held, &error);
    assert_true(error);
    const msgpack_object *changed = helper_notice(helper, 0, "world.changed");
    helper_assert_text(changed, "state", "failed");
    helper_assert_text(changed, "user", "");
    assert_true(helper_at(changed, "reason")->via.str.size > 0);
    // The final state is shown although the stream waits for tick 1000.
    const struct world_event *last = helper->events[helper->event_count - 1];
    assert_int_equal(last->kind, WORLD_PUBLICATION);

    assert_non_null(
        strstr(helper_error(helper, HELPER_ANN, "world.play", "{'world': 1}"), "world.reset mends it"));
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(got, "state", "failed");
    assert_true(helper_at(got, "reason")->via.str.size > 0);
    assert_true(helper->deadline == UINT64_MAX);

    uint64_t tick = helper->world->document->tick;
    assert_true(tick > 0);
    helper_forget(helper);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    assert_true(helper->world->document->tick == tick);
    assert_int_equal(helper->world->time->state, WORLD_PAUSED);
    assert_true(helper_hash(helper) == start);
    helper_assert_text(helper_notice(helper, 0, "world.edited"), "method", "world.reset");
    changed = helper_notice(helper, 1, "world.changed");
    helper_assert_text(changed, "state", "paused");
    helper_assert_text(changed, "user", "ann");
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    helper_destroy(helper);
}

static uint32_t frames_since(const struct helper *helper)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < helper->event_count; e++) {
        const struct world_event *event = helper->events[e];
        for (uint32_t b = 0; event->kind == WORLD_PUBLICATION && b < event->batch_count; b++) {
            count += event->batches[b]->frame_count;
            assert_int_equal(event->batches[b]->dropped, 0);
        }
    }
    return count;
}

static bool has_text(const msgpack_object *string, const char *part)
{
    return string->type == MSGPACK_OBJECT_STR &&
           memmem(string->via.str.ptr, string->via.str.size, part, strlen(part)) != NULL;
}

// Contact asks too much of a tick: it changes nothing, none of its moments is shown, and an edit, or one taken back, mends it.
static void a_tick_that_is_given_up_is_mended_by_any_edit(void **state)
{
    (void)state;
    for (int undone = 0; undone < 2; undone++) {
        struct helper *helper = helper_create(NULL);
        helper_cloth(helper, HELPER_ANN, 12, 1, "sail");
        helper_call(helper, HELPER_ANN, "body.set",
                    "{'world': 1, 'body': 1, 'thickness': 0.01, 'self_contact': true}");
        helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
        helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
        helper_turns_until_idle(helper);
        helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.5}");
        helper_turns_until_idle(helper);
        const uint64_t start = helper_hash(helper), tick = helper->world->document->tick;
        helper->world->document->sim->limits.tests = 300;
        helper_forget(helper);
        const uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
        helper_turns(helper, 2);
        bool refused;
        const msgpack_object *error = helper_at(helper_answer(helper, step, &refused), "#1");
        assert_true(refused);
        assert_true(has_text(error, "LIMIT: world \"flag\" failed: body 1: its thickness of 0.5 m"));
        assert_true(has_text(error, "any edit lets it try again"));
        helper_turns_until_idle(helper);
        assert_int_equal(frames_since(helper), 1);
        const msgpack_object *changed = helper_notice(helper, 0, "world.changed");
        helper_assert_text(changed, "state", "failed");
        assert_true(has_text(helper_at(changed, "reason"), "limit contact_tests"));
        assert_true(helper->world->document->tick == tick + 1);
        assert_true(helper_hash(helper) == start);
        assert_memory_equal(helper_error(helper, HELPER_ANN, "world.play", "{'world': 1}"), "LIMIT", 5);
        helper_forget(helper);
        helper_call(helper, HELPER_ANN, undone ? "edit.undo" : "body.set",
                    undone ? "{'world': 1}" : "{'world': 1, 'body': 1, 'thickness': 0.01}");
        assert_int_equal(helper->world->time->state, WORLD_PAUSED);
        helper_assert_text(helper_notice(helper, 1, "world.changed"), "state", "paused");
        helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
        assert_int_equal(helper->world->time->state, WORLD_PAUSED);
        assert_true(helper->world->document->tick == tick + 2);
        helper_destroy(helper);
    }
}

static void a_playing_world_that_fails_stops(void **state)
{
    (void)state;
    struct helper *helper = helper_create(extent_1);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    for (uint32_t i = 0; i < 200 && helper->deadline == 0; i++) {
        helper_turn(helper);
    }
    struct world_face face;
    world_face(helper->world, &face);
    assert_int_equal(face.state, WORLD_FAILED);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Grabs

static void a_grab_belongs_to_its_session(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0, 1,0,0]}");
    const msgpack_object *grab =
        helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 1}");
    assert_int_equal(helper_number(grab, "grab"), 1);
    uint64_t before = helper_hash(helper);
    assert_string_equal(
        helper_error(helper, HELPER_BOB, "grab.move", "{'world': 1, 'grab': 1, 'target': [0, 1, 0]}"),
        "DENIED: grab 1 belongs to ann");
    assert_string_equal(helper_error(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 1}"),
                        "DENIED: grab 1 belongs to ann");
    assert_string_equal(
        helper_error(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 1, 'particle': 1}"),
        "CONFLICT: particle 1 of body 1 is held by ann (grab 1)");
    assert_string_equal(helper_error(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 2}"),
                        "NOT_FOUND: grab 2 does not exist in world \"flag\"");
    assert_true(helper_hash(helper) == before);
    helper_call(helper, HELPER_ANN, "grab.move", "{'world': 1, 'grab': 1, 'target': [1, 1, 0]}");
    assert_true(helper_hash(helper) != before);
    assert_int_equal(helper->world->document->revision, 1);
    helper_call(helper, HELPER_ANN, "grab.end", "{'world': 1, 'grab': 1}");
    assert_int_equal(sim_grab_count(helper->world->document->sim), 0);
    // Ids are not used again.
    grab = helper_call(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 1, 'particle': 1}");
    assert_int_equal(helper_number(grab, "grab"), 2);
    helper_destroy(helper);
}

static void a_session_that_goes_away_lets_go_and_leaves(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0, 1,0,0, 2,0,0]}");
    helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 0}");
    helper_call(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 1, 'particle': 1}");
    helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 2}");
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "stream.subscribe", "{'world': 1}");
    helper_call(helper, HELPER_BOB, "stream.subscribe", "{'world': 1}");
    world_post_gone(helper->world, HELPER_ANN);
    helper_turn(helper);
    assert_int_equal(sim_grab_count(helper->world->document->sim), 1);
    assert_int_equal(helper->world->people->holder_count, 1);
    assert_int_equal(helper->world->people->holders[0].session, HELPER_BOB);
    assert_int_equal(helper->world->people->member_count, 0);
    assert_int_equal(helper->world->frames->streams.count, 1);
    helper_destroy(helper);
}

static void a_reset_and_a_removed_body_end_grabs(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "body.add", point);
    helper_call(helper, HELPER_ANN, "grab.begin", "{'world': 1, 'body': 1, 'particle': 0}");
    helper_call(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 2, 'particle': 0}");
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
    assert_int_equal(helper->world->people->holder_count, 1);
    assert_int_equal(helper->world->people->holders[0].grab, 2);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    assert_int_equal(helper->world->people->holder_count, 0);
    assert_memory_equal(helper_error(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 2}"), "NOT_FOUND",
                        9);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_late_joiner_gets_the_document),
        cmocka_unit_test(edits_follow_the_document_without_a_gap),
        cmocka_unit_test(defaults_are_filled_in_and_large_arrays_left_out),
        cmocka_unit_test(each_member_is_told_in_the_mode_it_joined_with),
        cmocka_unit_test(play_and_pause_are_told_once_and_steps_are_not),
        cmocka_unit_test(a_name_is_told_when_it_is_another),
        cmocka_unit_test(a_failed_world_says_so_and_is_mended_by_reset),
        cmocka_unit_test(a_tick_that_is_given_up_is_mended_by_any_edit),
        cmocka_unit_test(a_playing_world_that_fails_stops),
        cmocka_unit_test(a_grab_belongs_to_its_session),
        cmocka_unit_test(a_session_that_goes_away_lets_go_and_leaves),
        cmocka_unit_test(a_reset_and_a_removed_body_end_grabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
