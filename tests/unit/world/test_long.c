// Long edges: a setting of the world, and a limit of a body's stretch. Both are told, recorded, saved and taken back. What
// the sim derives from them is no state: a world that was saved, taken back, replayed or branched in between comes to the
// same bits as one that was not.
#include "helper_replay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16, SETTLED = 120 };

static void long_edges(struct protocol_world_create_params *settings)
{
    helper_edge_by_edge(settings);
    settings->long_edges = true;
}

// A sail of 1.5 m whose edges have no compliance, held at two corners.
static struct helper *hung(helper_tweak tweak)
{
    struct helper *helper = helper_create(tweak);
    helper_cloth(helper, HELPER_ANN, SIDE, 2, "sail");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 15]}");
    return helper;
}

static void positions_of(const struct document *document, double *positions)
{
    sim_body_positions64(document->sim, 1, 0, SIDE * SIDE, positions);
}

// The greatest strain of an edge.
static double strain(const struct document *document)
{
    static double positions[3 * SIDE * SIDE];
    double worst = 0;
    struct sim_constraint edge = {.id = 0};
    positions_of(document, positions);
    while (sim_constraint_next(document->sim, SIM_DISTANCE, edge.id, &edge)) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double d =
                positions[3 * edge.particles[0] + axis] - positions[3 * edge.particles[1] + axis];
            sum += d * d;
        }
        worst = fmax(worst, sqrt(sum) / edge.rest - 1);
    }
    return worst;
}

static double strain_after(struct helper *helper, uint32_t ticks)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", ticks);
    helper_post(helper, HELPER_EVE, "world.step", notation);
    helper_turns(helper, ticks + 1);
    return strain(helper->world->document);
}

static void damped(struct protocol_world_create_params *settings)
{
    helper_edge_by_edge(settings);
    settings->damping = 2;
}

static void a_hung_cloth_keeps_its_length_if_it_is_asked_to(void **state)
{
    (void)state;
    struct helper *helper = hung(damped);
    const double without = strain_after(helper, SETTLED);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'long_edges': true}");
    const double with = strain_after(helper, SETTLED);
    print_message("strain %.4f without, %.4f with\n", without, with);
    assert_true(without > 0.01 && with < without / 2);
    helper_call(helper, HELPER_ANN, "body.set",
                "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.05, 'limit': 0.1}}");
    const double limited = strain_after(helper, SETTLED);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': 0}}");
    const double soft = strain_after(helper, SETTLED);
    print_message("strain %.4f with a limit of 0.1, %.4f without\n", limited, soft);
    assert_true(limited > 0.05 && limited < 0.13 && soft > 0.2);
    helper_destroy(helper);
}

static void they_are_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = hung(NULL);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_true(helper_at(got, "long_edges")->via.boolean); // as a new world has it
    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'long_edges': false}");
    got = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_false(helper_at(got, "long_edges")->via.boolean);
    assert_null(helper_find(got, "bodies.#0.stretch.limit"));
    const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_null(helper_find(saved, "document.settings.long_edges"));
    assert_null(helper_find(saved, "document.bodies.#0.stretch.limit"));
    helper_forget(helper);

    helper_call(helper, HELPER_BOB, "world.set", "{'world': 1, 'long_edges': true}");
    const msgpack_object *edited = helper_notice(helper, 0, "world.edited");
    assert_true(helper_at(edited, "params.long_edges")->via.boolean);
    helper_call(helper, HELPER_BOB, "body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': 0.25}}");
    got = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_true(helper_at(got, "long_edges")->via.boolean);
    assert_true(helper_number(got, "bodies.#0.stretch.limit") == 0.25);
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_at(got, "long_edges")->via.boolean);
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "stretch.limit") == 0.25);
    assert_true(helper_number(got, "stretch.compliance") == 0);
    saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_true(helper_at(saved, "document.settings.long_edges")->via.boolean);
    assert_true(helper_number(saved, "document.bodies.#0.stretch.limit") == 0.25);

    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    assert_true(settings.long_edges);
    helper_destroy(helper);
}

static void what_is_wrong_is_refused_with_its_field(void **state)
{
    (void)state;
    struct helper *helper = hung(NULL);
    const uint64_t before = helper_hash(helper);
    static const char *const cases[][3] = {
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': -0.5}}", "INVALID: stretch.limit: "},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': 11}}", "INVALID: stretch.limit: "},
        {"body.set", "{'world': 1, 'body': 1, 'bend': {'limit': 0.5}}",
         "INVALID: unknown field \"bend.limit\""},
        {"world.set", "{'world': 1, 'long_edges': 1}", "INVALID: long_edges: "},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (helper_post(helper, HELPER_ANN, cases[c][0], cases[c][1]) == 0) {
            char text[sizeof helper->refused.text + 16];
            snprintf(text, sizeof text, "INVALID: %s", helper->refused.text);
            assert_int_equal(helper->refused.code, PROTOCOL_CODE_INVALID);
            assert_memory_equal(text, cases[c][2], strlen(cases[c][2]));
        } else {
            const char *error = helper_error(helper, HELPER_ANN, cases[c][0], cases[c][1]);
            assert_memory_equal(error, cases[c][2], strlen(cases[c][2]));
        }
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// The same bits

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

// A document that world.save gives, with the revision that records go on from.
static struct document *saved_of(const struct document *document)
{
    struct protocol_bytes bytes = {0};
    struct protocol_error error = {0};
    assert_true(document_pack(document, &bytes));
    struct document *copy = document_from(bytes.data, bytes.size, &error);
    protocol_bytes_deinit(&bytes);
    assert_non_null(copy);
    copy->revision = document->revision;
    return copy;
}

// A copy that lost the setting has another future, so the comparisons here can fail.
static void check_setting_matters(const struct document *document)
{
    static double with[3 * SIDE * SIDE], without[3 * SIDE * SIDE];
    struct document *kept = image_of(document), *lost = image_of(document);
    struct sim_settings settings = *sim_settings_of(lost->sim);
    struct fault fault;
    assert_true(settings.long_edges);
    settings.long_edges = false;
    assert_int_equal(sim_settings_set(lost->sim, &settings, &fault), FAULT_NONE);
    document_step(kept, NULL, NULL);
    document_step(lost, NULL, NULL);
    positions_of(kept, with);
    positions_of(lost, without);
    assert_true(memcmp(with, without, sizeof with) != 0);
    document_destroy(kept);
    document_destroy(lost);
}

// Edits of all that long edges follow from.
static const char *const program[][2] = {
    {"world.set", "{'world': 1, 'long_edges': true}"},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.01, 'limit': 0.05}}"},
    {"particle.pin", "{'world': 1, 'body': 1, 'particles': [100]}"},
    {"constraint.set", "{'world': 1, 'constraints': [40, 41], 'compliance': 0.5}"},
    {"edit.undo", "{'world': 1}"},
    {"constraint.remove", "{'world': 1, 'constraints': [7, 8, 9, 10, 300]}"},
    {"particle.unpin", "{'world': 1, 'body': 1, 'particles': [0]}"},
    {"edit.undo", "{'world': 1}"},
    {"edit.undo", "{'world': 1}"},
    {"edit.redo", "{'world': 1}"},
    {"world.set", "{'world': 1, 'long_edges': false}"},
    {"edit.undo", "{'world': 1}"},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0, 'limit': 0}}"},
};
enum { PROGRAM = sizeof program / sizeof *program, BETWEEN = 4, COPIES = 2 * PROGRAM };

static void a_copy_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    struct replay replay = {0};
    struct document *copies[COPIES];
    uint64_t sequences[COPIES];
    struct protocol_world_create_params settings;
    struct helper *helper = helper_create(helper_edge_by_edge);
    document_settings(helper->world->document, &settings);
    helper_cloth(helper, HELPER_ANN, SIDE, 2, "sail");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 15]}");
    const struct document *document = helper->world->document;
    for (uint32_t i = 0; i < PROGRAM; i++) {
        helper_call(helper, HELPER_ANN, program[i][0], program[i][1]);
        for (uint32_t t = 0; t < BETWEEN; t++) {
            replay_step(helper, &replay);
        }
        // The world has made its long edges by now, and the copies have to make them again.
        copies[2 * i] = image_of(document);
        copies[2 * i + 1] = saved_of(document);
        sequences[2 * i] = sequences[2 * i + 1] = helper->world->keep->records.next;
    }
    check_setting_matters(document);
    for (uint32_t t = 0; t < BETWEEN; t++) {
        replay_step(helper, &replay);
    }
    replay.last = document_hash(document);
    for (uint32_t c = 0; c < COPIES; c++) {
        replay_check(&replay, helper, copies[c], sequences[c], NULL);
        document_destroy(copies[c]);
    }
    struct document *again = document_create(&settings);
    assert_non_null(again);
    replay_check(&replay, helper, again, 0, NULL);
    document_destroy(again);
    helper_destroy(helper);
}

static void what_is_undone_and_redone_leaves_no_trace(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"world.set", "{'world': 1, 'long_edges': true}"},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': 0.02}}"},
        {"world.set", "{'world': 1, 'long_edges': false, 'damping': 1}"},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.001, 'limit': 0}}"},
    };
    struct helper *straight = hung(helper_edge_by_edge), *there_and_back = hung(helper_edge_by_edge);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        const uint64_t before = helper_hash(there_and_back);
        helper_call(straight, HELPER_ANN, edits[e][0], edits[e][1]);
        helper_call(there_and_back, HELPER_ANN, edits[e][0], edits[e][1]);
        const uint64_t after = helper_hash(there_and_back);
        assert_true(after != before && after == helper_hash(straight));
        helper_call(there_and_back, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(there_and_back) == before);
        helper_call(there_and_back, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(there_and_back) == after);
        for (uint32_t tick = 0; tick < 5; tick++) {
            strain_after(straight, 1);
            strain_after(there_and_back, 1);
            assert_true(helper_hash(there_and_back) == helper_hash(straight));
        }
    }
    helper_destroy(there_and_back);
    helper_destroy(straight);
}

static void a_world_may_begin_with_them(void **state)
{
    (void)state;
    struct helper *set = hung(helper_edge_by_edge), *made = hung(long_edges);
    helper_call(set, HELPER_ANN, "world.set", "{'world': 1, 'long_edges': true}");
    assert_true(helper_hash(made) == helper_hash(set));
    strain_after(made, 5);
    strain_after(set, 5);
    assert_true(helper_hash(made) == helper_hash(set));
    check_setting_matters(made->world->document);
    helper_destroy(made);
    helper_destroy(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hung_cloth_keeps_its_length_if_it_is_asked_to),
        cmocka_unit_test(they_are_told_and_saved),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_field),
        cmocka_unit_test(a_world_may_begin_with_them),
        cmocka_unit_test(a_copy_goes_on_to_the_same_bits),
        cmocka_unit_test(what_is_undone_and_redone_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
