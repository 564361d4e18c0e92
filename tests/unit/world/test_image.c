// world.save of a large world: a document made beside its turns, while edits wait and all else goes on.
#include "helper_world.h"

#include "base/clock.h"
#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 40, TICKS_AFTER = 50 };

#define TICK_NS (UINT64_C(1000000000) / 60)

// So that it hangs together whatever happens to it.
static void weightless(struct protocol_world_create_params *settings)
{
    settings->gravity[1] = -0.1;
    settings->substeps = 4;
}

static struct helper *large_world(void)
{
    struct helper *helper = helper_create(weightless);
    helper_cloth(helper, HELPER_ANN, SIDE, 1, "sail");
    helper_cloth(helper, HELPER_ANN, 8, 2, "flag");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 5]}");
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [20, 21, 40]}");
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [33], 'stiffness': 0.5}");
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'sphere', 'radius': 0.1}");
    helper_call(helper, HELPER_ANN, "motion.add",
                "{'world': 1, 'collider': 1, 'times': [0, 1], 'offsets': [0, 0, 0, 0, 1, 0], 'loop': true}");
    helper_call(helper, HELPER_BOB, "grab.begin",
                "{'world': 1, 'body': 1, 'particle': 700, 'target': [1, 1.5, 1]}");
    return helper;
}

// Turns, a tick each where the world plays.
static const msgpack_object *answered(struct helper *helper, uint32_t msgid, bool *error)
{
    const msgpack_object *answer = NULL;
    const uint64_t end_ns = base_now_ns() + UINT64_C(60000000000);
    while (!answer && base_now_ns() < end_ns) {
        helper->now_ns += TICK_NS;
        helper_turn(helper);
        answer = helper_answer(helper, msgid, error);
    }
    assert_non_null(answer);
    return answer;
}

static struct document *opened(const msgpack_object *result)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    struct protocol_error error = {0};
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_object(&packer, *helper_at(result, "document"));
    struct document *document = document_from(bytes.data, bytes.size, &error);
    if (!document) {
        fail_msg("%s", error.text);
    }
    msgpack_sbuffer_destroy(&bytes);
    return document;
}

static void check_hash(const msgpack_object *result, const struct document *document)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)document_hash(document));
    helper_assert_text(result, "hash", digits);
}

// The events of replies, in their order: whose they are.
static uint32_t replies(const struct helper *helper, uint32_t sessions[], uint32_t most)
{
    uint32_t count = helper_count(helper, WORLD_REPLY);
    for (uint32_t n = 0; n < count && n < most; n++) {
        sessions[n] = helper_event(helper, WORLD_REPLY, n)->session;
    }
    return count;
}

static void edits_wait_and_all_else_goes_on(void **state)
{
    (void)state;
    for (int playing = 0; playing < 2; playing++) {
        struct helper *helper = large_world();
        if (playing) {
            helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
        }
        helper_forget(helper);
        const uint64_t revision = helper->world->document->revision;
        uint32_t saved = helper_post(helper, HELPER_ANN, "world.save", "{'world': 1}");
        uint32_t own = helper_post(helper, HELPER_ANN, "world.hash", "{'world': 1}");
        uint32_t edit = helper_post(helper, HELPER_EVE, "world.set", "{'world': 1, 'substeps': 3}");
        uint32_t moved =
            helper_post(helper, HELPER_BOB, "grab.move", "{'world': 1, 'grab': 1, 'target': [1, 1.2, 1]}");
        uint32_t removed = helper_post(helper, HELPER_EVE, "body.remove", "{'world': 1, 'body': 2}");
        bool error;
        helper_turn(helper);
        assert_non_null(helper->world->keep->image);
        answered(helper, moved, &error);
        assert_false(error);
        assert_null(helper_answer(helper, edit, &error));
        assert_null(helper_answer(helper, own, &error));
        const msgpack_object *result = answered(helper, saved, &error);
        assert_false(error);
        assert_int_equal(helper_number(result, "revision"), revision);
        struct document *document = opened(result);
        assert_int_equal(document->bodies.count, 2);
        assert_int_equal(document->tick, helper_number(result, "tick"));
        check_hash(result, document);
        document_destroy(document);
        assert_int_equal(helper_number(answered(helper, edit, &error), "revision"), revision + 1);
        assert_int_equal(helper_number(answered(helper, removed, &error), "revision"), revision + 2);
        answered(helper, own, &error);
        uint32_t sessions[8];
        assert_int_equal(replies(helper, sessions, 8), 5);
        assert_int_equal(sessions[0], HELPER_BOB);
        assert_int_equal(sessions[1], HELPER_ANN); // the document, before any edit that waited for it
        assert_null(helper->world->keep->image);
        helper_destroy(helper);
    }
}

// In a world that is held, the records after the image, from the grab on, are missing; so nothing is held here.
static void the_document_has_the_future_of_its_boundary(void **state)
{
    (void)state;
    struct helper *helper = large_world();
    helper_call(helper, HELPER_BOB, "grab.end", "{'world': 1, 'grab': 1}");
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    bool error;
    uint32_t saved = helper_post(helper, HELPER_ANN, "world.save", "{'world': 1}");
    const msgpack_object *result = answered(helper, saved, &error);
    struct document *document = opened(result);
    check_hash(result, document);
    assert_true(helper->world->document->tick > document->tick);
    for (uint32_t t = 0; t < TICKS_AFTER; t++) {
        while (helper->world->document->tick <= document->tick) {
            helper->now_ns += TICK_NS;
            helper_turn(helper);
        }
        while (document->tick < helper->world->document->tick) {
            document_step(document, NULL, NULL);
        }
        assert_int_equal(document_hash(document), document_hash(helper->world->document));
    }
    document_destroy(document);
    helper_destroy(helper);
}

static void an_image_holds_what_is_held(void **state)
{
    (void)state;
    struct helper *helper = large_world();
    const struct document *document = helper->world->document;
    struct protocol_bytes bytes = {0};
    struct protocol_error wrong = {0};
    bool error;
    answered(helper, helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}"), &error);
    assert_int_equal(document->tick, 3);
    assert_true(document_pack_image(document, &bytes));
    struct document *made = document_from(bytes.data, bytes.size, &wrong);
    assert_non_null(made);
    assert_int_equal(sim_grab_count(made->sim), 1);
    assert_int_equal(document_hash(made), document_hash(document));
    for (uint32_t t = 0; t < TICKS_AFTER; t++) {
        answered(helper, helper_post(helper, HELPER_ANN, "world.step", "{'world': 1}"), &error);
        document_step(made, NULL, NULL);
        assert_int_equal(made->tick, document->tick);
        assert_int_equal(document_hash(made), document_hash(document));
    }
    // A world that begins with it lets go.
    struct protocol_world_create_params settings;
    document_settings(made, &settings);
    uint64_t ungrabbed = sim_hash_ungrabbed(made->sim);
    struct world *world = world_create(
        &(struct world_options){.id = 2, .name = "again", .settings = &settings, .document = made});
    assert_non_null(world);
    assert_int_equal(sim_grab_count(world->document->sim), 0);
    assert_int_equal(document_hash(world->document), ungrabbed);
    world_destroy(world);
    document_destroy(made);
    protocol_bytes_deinit(&bytes);
    helper_destroy(helper);
}

// Several people save at once, and one edits: each of them has a turn, one image at a time.
static void saves_that_wait_for_each_other(void **state)
{
    (void)state;
    struct helper *helper = large_world();
    helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
    helper_forget(helper);
    uint32_t saves[4];
    bool error;
    for (uint32_t s = 0; s < 4; s++) {
        saves[s] = helper_post(helper, s % 2 ? HELPER_ANN : HELPER_BOB, "world.save", "{'world': 1}");
    }
    uint32_t edit = helper_post(helper, HELPER_EVE, "collider.remove", "{'world': 1, 'collider': 1}");
    const double at = helper_number(answered(helper, edit, &error), "revision");
    uint32_t before = 0;
    for (uint32_t s = 0; s < 4; s++) {
        const msgpack_object *result = answered(helper, saves[s], &error);
        assert_false(error);
        before += helper_number(result, "revision") < at;
        struct document *document = opened(result);
        check_hash(result, document);
        document_destroy(document);
    }
    assert_int_equal(before, 1); // the edit waited for the first one only
    helper_destroy(helper);
}

// Whoever ends it: it is refused at once, and nothing of it is left behind.
static void saves_that_are_cut_short(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        for (uint32_t turns = 0; turns < 4; turns++) {
            struct helper *helper = large_world();
            helper_call(helper, HELPER_ANN, "world.play", "{'world': 1}");
            helper_forget(helper);
            uint32_t saved = helper_post(helper, HELPER_ANN, "world.save", "{'world': 1}");
            bool error = false;
            for (uint32_t t = 0; t < turns; t++) {
                helper->now_ns += TICK_NS;
                helper_turn(helper);
            }
            uint32_t ended = 0;
            bool was = helper_answer(helper, saved, &error) != NULL;
            if (way == 0) {
                world_post_gone(helper->world, HELPER_ANN);
            } else if (way == 1) {
                ended = helper_post(helper, HELPER_BOB, "world.delete", "{'world': 1}");
            } else if (way == 2) {
                world_post_shutdown(helper->world);
            } // else the world goes as it is
            if (way < 3) {
                answered(helper, saved, &error);
                assert_true(was || error || turns > 0);
                if (ended != 0) {
                    answered(helper, ended, &error);
                    assert_false(error);
                }
            }
            helper_destroy(helper);
        }
    }
}

static void edits_go_on_after_a_save_that_was_cut(void **state)
{
    (void)state;
    struct helper *helper = large_world();
    bool error;
    helper_post(helper, HELPER_ANN, "world.save", "{'world': 1}");
    uint32_t edit = helper_post(helper, HELPER_BOB, "world.set", "{'world': 1, 'substeps': 7}");
    helper_turn(helper);
    assert_non_null(helper->world->keep->image);
    world_post_gone(helper->world, HELPER_ANN);
    answered(helper, edit, &error);
    assert_false(error);
    assert_null(helper->world->keep->image);
    uint32_t saved = helper_post(helper, HELPER_BOB, "world.save", "{'world': 1}");
    const msgpack_object *result = answered(helper, saved, &error);
    assert_false(error);
    helper_assert_text(result, "name", "flag");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_wait_and_all_else_goes_on),
        cmocka_unit_test(the_document_has_the_future_of_its_boundary),
        cmocka_unit_test(an_image_holds_what_is_held),
        cmocka_unit_test(saves_that_wait_for_each_other),
        cmocka_unit_test(saves_that_are_cut_short),
        cmocka_unit_test(edits_go_on_after_a_save_that_was_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
