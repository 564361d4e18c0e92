// Requests that wait: whose, in what order, and for how long. And ticks that take longer than a turn.
#include "helper_world.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define MS UINT64_C(1000000)

static const char *const far_away = "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0, 1, 0]}";

struct charged {
    struct base_budget *all;
    struct world_account *account;
};

static struct charged charged_create(struct helper *helper)
{
    struct charged charged = {.all = base_budget_create(SIZE_MAX)};
    charged.account = world_account_create(charged.all);
    assert_non_null(charged.account);
    helper->account = charged.account;
    return charged;
}

static void charged_destroy(struct charged *charged)
{
    world_account_unref(charged->account);
    assert_int_equal(base_budget_used(charged->all), 0);
    base_budget_release(charged->all);
}

static void add_points(struct helper *helper, uint32_t count)
{
    msgpack_sbuffer map;
    msgpack_packer packer;
    msgpack_sbuffer_init(&map);
    msgpack_packer_init(&packer, &map, msgpack_sbuffer_write);
    msgpack_pack_map(&packer, 3);
    msgpack_pack_str_with_body(&packer, "world", 5);
    msgpack_pack_int(&packer, 1);
    msgpack_pack_str_with_body(&packer, "kind", 4);
    msgpack_pack_str_with_body(&packer, "points", 6);
    msgpack_pack_str_with_body(&packer, "positions", 9);
    msgpack_pack_array(&packer, 3 * (size_t)count);
    for (uint32_t i = 0; i < 3 * count; i++) {
        msgpack_pack_double(&packer, 0.01 * i);
    }
    helper_post_packed(helper, HELPER_ANN, "body.add", &map, true);
    msgpack_sbuffer_destroy(&map);
    helper_turns_until_idle(helper);
}

static void who_does_not_read_its_answers_gets_no_more_and_keeps_its_order(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 20000); // a state is half a megabyte
    struct charged charged = charged_create(helper);
    uint32_t ids[10];
    helper_forget(helper);
    for (uint32_t i = 0; i < 10; i++) {
        const char *method = i == 7 ? "world.hash" : "body.state";
        ids[i] = helper_post(helper, HELPER_BOB, method, i == 7 ? "{'world': 1}" : "{'world': 1, 'body': 1}");
    }
    helper->account = NULL;
    uint32_t edit = helper_post(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 1}");
    // Bob has what an account may hold and one more, whatever comes next; Ann's edit passes it by.
    helper_turns(helper, 5);
    uint32_t had = helper_count(helper, WORLD_REPLY) - 1;
    assert_true(had >= 2 && had <= 4);
    assert_true(base_budget_used(charged.all) >= (size_t)PROTOCOL_LIMIT_REPLY_BYTES);
    assert_true(base_budget_used(charged.all) < 2 * (size_t)PROTOCOL_LIMIT_REPLY_BYTES);
    bool error;
    assert_non_null(helper_answer(helper, edit, &error));
    assert_true(helper->deadline > helper->now_ns && helper->deadline < helper->now_ns + 100 * MS);
    // As he takes them, the rest follows in order.
    uint32_t next = had, answered = had;
    while (answered < 10) {
        helper_forget(helper);
        helper_turn(helper);
        for (uint32_t e = 0; e < helper_count(helper, WORLD_REPLY); e++, answered++, next++) {
            assert_non_null(helper_answer(helper, ids[next], &error));
            assert_false(error);
        }
    }
    helper_turn(helper);
    assert_true(helper->deadline == UINT64_MAX);
    helper_forget(helper);
    helper_destroy(helper);
    charged_destroy(&charged);
}

static void what_waits_for_a_session_that_goes_is_ended(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 20000);
    struct charged charged = charged_create(helper);
    helper_forget(helper);
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    for (uint32_t i = 0; i < 6; i++) {
        helper_post(helper, HELPER_BOB, "body.state", "{'world': 1, 'body': 1}");
    }
    uint32_t set = helper_post(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 2}");
    uint32_t grab = helper_post(helper, HELPER_BOB, "grab.begin", "{'world': 1, 'body': 1, 'particle': 0}");
    helper_turns(helper, 3);
    bool error;
    assert_null(helper_answer(helper, set, &error));
    world_account_leave(charged.account);
    world_post_gone(helper->world, HELPER_BOB);
    helper_turns_until_idle(helper);
    // Edits that it sent are made; queries cost nothing any more; nothing is held for it.
    assert_non_null(helper_answer(helper, set, &error));
    assert_false(error);
    assert_non_null(helper_answer(helper, grab, &error));
    assert_int_equal(sim_grab_count(helper->world->document->sim), 0);
    assert_int_equal(helper->world->people->member_count, 0);
    assert_int_equal(helper->world->answers->admitted, 0);
    assert_int_equal(helper->world->answers->admitted_bytes, 0);
    helper_forget(helper);
    helper_destroy(helper);
    charged_destroy(&charged);
}

static void edits_keep_to_what_readers_can_take_and_take_turns(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 10);
    helper_call(helper, HELPER_EVE, "world.join", "{'world': 1}");
    helper_forget(helper);
    uint64_t bytes = 0;
    uint32_t posted = 0, answered = 0;
    const uint64_t begun = helper->now_ns, seconds = 4;
    bool bob_waits = false;
    for (; helper->now_ns < begun + seconds * 1000 * MS; helper->now_ns += 5 * MS) {
        while (posted - answered < 1000) {
            assert_int_not_equal(helper_post(helper, HELPER_ANN, "particle.set", far_away), 0);
            posted++;
        }
        // In the middle of it another one edits once: it does not wait for the thousand before it.
        bool bob = helper->now_ns == begun + 3000 * MS;
        uint32_t set = bob ? helper_post(helper, HELPER_BOB, "world.set", "{'world': 1, 'damping': 1}") : 0;
        helper_turn(helper);
        answered += helper_count(helper, WORLD_REPLY);
        for (uint32_t n = 0; n < helper_count(helper, WORLD_NOTICE); n++) {
            bytes += helper_event(helper, WORLD_NOTICE, n)->bytes[0]->size;
        }
        bool error;
        bob_waits = bob && !helper_answer(helper, set, &error);
        assert_false(bob_waits);
        answered -= bob;
        helper_forget(helper);
    }
    const uint64_t rate = PROTOCOL_LIMIT_EDITED_BYTES_PER_SECOND;
    assert_true(bytes <= (seconds + 2) * rate + 65536);
// With a sanitizer a session's part of a turn may be over before.
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    assert_true(bytes >= seconds * rate);
#endif
    // A person who edits alone is not held back.
    uint32_t left = posted - answered;
    world_post_gone(helper->world, HELPER_EVE);
    helper_turns_until_idle(helper);
    assert_int_equal(helper_count(helper, WORLD_REPLY), left);
    helper_destroy(helper);
}

// The budget of all answers has a limit here, in the place of memory that runs out.
static void an_answer_without_memory_is_an_error_or_says_that_there_is_none(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 100);
    for (size_t memory = 200; memory == 200 || memory == 20; memory -= 180) {
        struct base_budget *all = base_budget_create(memory);
        struct world_account *account = world_account_create(all);
        helper->account = account;
        helper_forget(helper);
        uint32_t state_id = helper_post(helper, HELPER_BOB, "body.state", "{'world': 1, 'body': 1}");
        helper->account = NULL;
        helper_turn(helper);
        const struct world_event *event = helper_event(helper, WORLD_REPLY, 0);
        bool error;
        if (memory == 200) {
            const msgpack_object *told = helper_answer(helper, state_id, &error);
            assert_non_null(told);
            assert_true(error);
            assert_false(event->unanswerable);
        } else {
            assert_null(event->bytes[0]);
            assert_true(event->unanswerable);
        }
        helper_forget(helper);
        world_account_unref(account);
        base_budget_release(all);
    }
    helper_destroy(helper);
}

static void long_answers_are_refused_while_all_sessions_hold_too_much(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 20000);
    struct charged charged = charged_create(helper), other = charged;
    // Somebody else's answers, of which one byte is real.
    other.account = world_account_create(charged.all);
    struct base_buffer *held = base_buffer_create(1, world_account_budget(other.account));
    assert_non_null(held);
    struct base_budget *most = base_budget_create_within(charged.all, SIZE_MAX);
    struct base_buffer *rest = base_buffer_create((size_t)PROTOCOL_LIMIT_ANSWER_BYTES - 1000, most);
    assert_non_null(rest);
    assert_string_equal(
        helper_error(helper, HELPER_BOB, "body.state", "{'world': 1, 'body': 1}"),
        "BUSY: an answer of 480060 bytes has no room beside those that sessions have not read (limit "
        "answer_bytes = 1073741824)");
    helper_call(helper, HELPER_BOB, "world.get", "{'world': 1}");
    base_buffer_unref(rest);
    helper_call(helper, HELPER_BOB, "body.state", "{'world': 1, 'body': 1}");
    base_buffer_unref(held);
    base_budget_release(most);
    world_account_unref(other.account);
    helper_forget(helper);
    helper_destroy(helper);
    charged_destroy(&charged);
}

static void requests_are_bounded_in_bytes_but_one_is_always_let_in(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    add_points(helper, 10);
    helper->weight = (size_t)PROTOCOL_LIMIT_WORLD_REQUEST_BYTES + 1;
    assert_int_not_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    helper->weight = (size_t)WORLD_ALWAYS_BYTES + 1;
    assert_int_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    assert_int_equal(helper->refused.code, PROTOCOL_CODE_BUSY);
    assert_non_null(strstr(helper->refused.text, "limit world_request_bytes = 536870912"));
    // A session with few requests waiting is not blocked by one with many.
    helper->weight = WORLD_ALWAYS_BYTES;
    assert_int_not_equal(helper_post(helper, HELPER_BOB, "world.get", "{'world': 1}"), 0);
    helper_turn(helper);
    assert_int_not_equal(helper_post(helper, HELPER_ANN, "world.get", "{'world': 1}"), 0);
    helper_turn(helper);
    assert_int_equal(helper->world->answers->admitted_bytes, 0);
    helper_destroy(helper);
}

static void what_a_surface_looks_like_counts_as_well(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const char *const plain = "{'world': 1, 'kind': 'cloth', 'positions': [0, 0, 0, 1, 0, 0, 0, 1, 0], "
                              "'triangles': [0, 1, 2], 'look': {}}";
    const char *const looks = "{'world': 1, 'kind': 'cloth', 'positions': [0, 0, 0, 1, 0, 0, 0, 1, 0], "
                              "'triangles': [0, 1, 2], 'look': {'uvs': [0, 0, 1, 0, 0, 1]}}";
    assert_int_not_equal(helper_post(helper, HELPER_ANN, "body.add", plain), 0);
    const size_t of_plain = helper->world->answers->admitted_bytes;
    assert_int_not_equal(helper_post(helper, HELPER_ANN, "body.add", looks), 0);
    const size_t message = 4 + 1 + 6; // a key, the head of an array and its values
    const size_t unpacked = sizeof(msgpack_object_kv) + 6 * sizeof(msgpack_object);
    assert_int_equal(helper->world->answers->admitted_bytes - 2 * of_plain,
                     message + unpacked + 6 * sizeof(float));
    helper_turn(helper);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Ticks

static void sweeping(struct protocol_world_create_params *settings)
{
    settings->substeps = 1000;
    settings->iterations = 30;
    memset(settings->gravity, 0, sizeof settings->gravity);
}

static void an_answer_leaves_before_the_tick_that_follows_it(void **state)
{
    (void)state;
    struct helper *helper = helper_create(sweeping);
    helper->slices = true;
    helper_cloth(helper, HELPER_ANN, 20, 1, "sail");
    uint32_t outputs = helper->outputs;
    uint32_t play = helper_post(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0}");
    uint64_t next = world_turn(helper->world, helper->now_ns); // takes longer than its slice
    assert_true(helper->world->time->ticking);
    assert_int_equal(next, 0);
    assert_int_equal(helper->outputs, outputs + 1);
    struct world_published published;
    assert_false(world_published(helper->world, &published)); // it would overtake the answer
    assert_int_equal(published.get.state, WORLD_PLAYING);
    assert_int_equal(published.get.tick, 0);
    assert_int_equal(published.get.name.size, 4);
    bool error;
    assert_null(helper_answer(helper, play, &error));
    // Requests that come meanwhile wait for the end of the tick.
    uint32_t pause = helper_post(helper, HELPER_ANN, "world.pause", "{'world': 1}");
    while (helper->world->time->ticking) {
        assert_null(helper_answer(helper, pause, &error));
        helper_turn(helper);
    }
    helper_turn(helper);
    assert_non_null(helper_answer(helper, play, &error));
    const msgpack_object *paused = helper_answer(helper, pause, &error);
    assert_non_null(paused);
    assert_int_equal(helper_number(paused, "tick"), 1);
    helper_destroy(helper);
}

// The loop may be at work for something else when an event is pushed. Who has an answer and asks about the world is told of a state
// with that edit in it.
static void an_answer_is_not_taken_before_the_world_shows_its_edit(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    world_push(helper->world, world_event_create(WORLD_NOTICE));
    assert_null(world_take(helper->world));
    assert_int_equal(world_events_waiting(helper->world->answers, WORLD_NOTICE), 1);
    helper_turn_only(helper);
    struct world_event *event = world_take(helper->world);
    assert_non_null(event);
    assert_int_equal(event->kind, WORLD_NOTICE);
    assert_null(world_take(helper->world));
    world_event_destroy(event);
    helper_destroy(helper);
}

static void long_tick(struct helper *helper)
{
    helper_cloth(helper, HELPER_ANN, 20, 1, "sail");
    helper_call(helper, HELPER_EVE, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    helper_post(helper, HELPER_ANN, "world.play", "{'world': 1}");
    helper_turn(helper);
    assert_true(helper->world->time->ticking);
}

static void deletion_ends_a_tick_and_what_waits_before_it(void **state)
{
    (void)state;
    struct helper *helper = helper_create(sweeping);
    helper->slices = true;
    long_tick(helper);
    uint32_t get = helper_post(helper, HELPER_BOB, "world.hash", "{'world': 1}");
    uint32_t gone = helper_post(helper, HELPER_BOB, "world.delete", "{'world': 1}");
    atomic_store(&helper->world->time->tick_end_ns, base_now_ns());
    helper_turn(helper);
    assert_false(helper->world->time->ticking);
    helper_turns_until_idle(helper);
    bool error;
    assert_non_null(helper_answer(helper, get, &error));
    assert_true(error);
    const msgpack_object *deleted = helper_answer(helper, gone, &error);
    assert_false(error);
    assert_int_equal(helper_number(deleted, "tick"), 0);
    assert_int_equal(helper_count(helper, WORLD_DELETED), 1);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void a_world_may_be_destroyed_while_its_tick_rests(void **state)
{
    (void)state;
    struct helper *helper = helper_create(sweeping);
    helper->slices = true;
    long_tick(helper);
    while (helper->world->frames->streams.selections[0]->shot_count == 0 && helper->world->time->ticking) {
        helper_turn(helper);
    }
    assert_true(helper->world->time->ticking);
    helper_destroy(helper);
}

static void the_servers_end_ends_a_tick_and_answers_its_step(void **state)
{
    (void)state;
    struct helper *helper = helper_create(sweeping);
    helper->slices = true;
    helper_cloth(helper, HELPER_ANN, 20, 1, "sail");
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turn(helper);
    assert_true(helper->world->time->ticking);
    uint32_t hash = helper_post(helper, HELPER_ANN, "world.hash", "{'world': 1}");
    world_post_shutdown(helper->world);
    atomic_store(&helper->world->time->tick_end_ns, base_now_ns());
    helper_turn(helper);
    helper_turns_until_idle(helper);
    bool error;
    const msgpack_object *stepped = helper_answer(helper, step, &error);
    assert_false(error);
    assert_int_equal(helper_number(stepped, "tick"), 0);
    assert_non_null(helper_answer(helper, hash, &error));
    assert_true(error);
    assert_true(helper->deadline == UINT64_MAX);
    helper_destroy(helper);
}

static void a_deletion_behind_ones_own_step_waits_for_its_ticks(void **state)
{
    (void)state;
    struct helper *helper = helper_create(sweeping);
    helper->slices = true;
    helper_cloth(helper, HELPER_ANN, 10, 1, "sail");
    uint32_t step = helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 2}");
    uint32_t hash = helper_post(helper, HELPER_ANN, "world.hash", "{'world': 1}");
    uint32_t gone = helper_post(helper, HELPER_ANN, "world.delete", "{'world': 1}");
    atomic_store(&helper->world->time->tick_end_ns, base_now_ns());
    helper_turns_until_idle(helper);
    bool error;
    assert_int_equal(helper_number(helper_answer(helper, step, &error), "tick"), 2);
    assert_int_equal(helper_number(helper_answer(helper, hash, &error), "tick"), 2);
    assert_int_equal(helper_number(helper_answer(helper, gone, &error), "tick"), 2);
    helper_destroy(helper);
}

static void rates_have_bounds(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    assert_string_equal(helper_error(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 1e-300}"),
                        "INVALID: rate: 1e-300; must be 0 or in [1e-06, 1000]");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0.000001}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 1000}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1, 'rate': 0.000001}");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_does_not_read_its_answers_gets_no_more_and_keeps_its_order),
        cmocka_unit_test(what_waits_for_a_session_that_goes_is_ended),
        cmocka_unit_test(edits_keep_to_what_readers_can_take_and_take_turns),
        cmocka_unit_test(an_answer_without_memory_is_an_error_or_says_that_there_is_none),
        cmocka_unit_test(long_answers_are_refused_while_all_sessions_hold_too_much),
        cmocka_unit_test(requests_are_bounded_in_bytes_but_one_is_always_let_in),
        cmocka_unit_test(what_a_surface_looks_like_counts_as_well),
        cmocka_unit_test(an_answer_leaves_before_the_tick_that_follows_it),
        cmocka_unit_test(an_answer_is_not_taken_before_the_world_shows_its_edit),
        cmocka_unit_test(deletion_ends_a_tick_and_what_waits_before_it),
        cmocka_unit_test(a_world_may_be_destroyed_while_its_tick_rests),
        cmocka_unit_test(the_servers_end_ends_a_tick_and_answers_its_step),
        cmocka_unit_test(a_deletion_behind_ones_own_step_waits_for_its_ticks),
        cmocka_unit_test(rates_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
