// Warnings about what the solver makes of bodies: they come and go with two looks each, and members are told. And what
// world.measure says of each body.
#include "helper_world.h"

#include "world/time/convergence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 16, LOOK = 64 };

static void a_verdict_needs_two_looks_in_a_row(void **state)
{
    (void)state;
    const struct {
        double error;
        bool changes, holds;
    } looks[] = {
        {0.01, false, false}, {0.2, false, false},  {0.04, false, false}, // one alone is none
        {0.2, false, false},  {0.051, true, true},                        // it comes
        {0.2, false, true},   {0.03, false, true},                        // between the bounds it stays
        {0.01, false, true},  {0.03, false, true},  {0.02, false, true},  {0.01, true, false}, // it goes
        {0.04, false, false}, {0.04, false, false},
    };
    struct world_verdict verdict = {0};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        assert_int_equal(world_verdict_look(&verdict, looks[i].error), looks[i].changes);
        assert_int_equal(verdict.holds, looks[i].holds);
    }
}

static void looks_come_after_as_many_sweeps(void **state)
{
    (void)state;
    const uint32_t cases[][3] = {// substeps, iterations, ticks
                                 {1, 1, 1024}, {5, 1, 256},  {20, 1, 64},
                                 {20, 4, 16},  {100, 1, 16}, {1000, 1000, 16}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct sim_settings settings = {.substeps = cases[c][0], .iterations = cases[c][1]};
        assert_int_equal(world_look_ticks(&settings), cases[c][2]);
    }
}

// Steps to tick `tick`, as Eve. She is no member.
static void run_to(struct helper *helper, uint64_t tick)
{
    char notation[64];
    const uint64_t ticks = tick - helper->world->document->tick;
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", (unsigned)ticks);
    helper_post(helper, HELPER_EVE, "world.step", notation);
    helper_turns(helper, (uint32_t)ticks + 1);
    assert_int_equal(helper->world->document->tick, tick);
}

static void damped(struct protocol_world_create_params *settings)
{
    helper_edge_by_edge(settings);
    settings->damping = 2;
    settings->substeps = 20; // a look every 64 ticks
}

// A sail of 1.5 m without compliance hangs by two corners, which carry its weight on an edge each.
static struct helper *hung(void)
{
    struct helper *helper = helper_create(damped);
    helper_cloth(helper, HELPER_ANN, SIDE, 2, "sail");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 15]}");
    helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    helper_forget(helper);
    return helper;
}

// By 1 m over the next tick: the sail is 1.5 m wide, and is held at a distance of 2.5 m from then on.
static void pull_corner(struct helper *helper)
{
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 1, 'particles': [15], 'positions': [2.5, 2, 0]}");
}

static void a_stretched_cloth_is_told_by_name_with_what_helps(void **state)
{
    (void)state;
    struct helper *helper = hung();
    run_to(helper, LOOK);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 0);
    pull_corner(helper);
    helper_forget(helper);
    run_to(helper, 3 * LOOK - 1);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 0); // one look has seen it
    run_to(helper, 3 * LOOK);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 1);
    const msgpack_object *told = helper_notice(helper, 0, "world.warned");
    assert_true(helper_number(told, "world") == 1 && helper_number(told, "tick") == 3 * LOOK);
    assert_null(helper_find(told, "warnings.#1"));
    helper_assert_text(told, "warnings.#0.code", "STRETCHED");
    assert_true(helper_number(told, "warnings.#0.count") == 1);
    struct protocol_array elements = helper_array(told, "warnings.#0.elements", PROTOCOL_ARRAY_U32);
    assert_int_equal(elements.count, 1);
    uint32_t body;
    memcpy(&body, elements.data, sizeof body); // it lies anywhere in the message
    assert_int_equal(body, 1);

    const msgpack_object *text = helper_at(told, "warnings.#0.text");
    char words[512];
    snprintf(words, sizeof words, "%.*s", (int)text->via.str.size, text->via.str.ptr);
    print_message("%s\n", words);
    assert_non_null(strstr(words, "body 1 (sail) is stretched"));
    assert_non_null(strstr(words, "long_edges, more substeps"));

    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    helper_assert_text(measured, "warnings.#0.code", "STRETCHED");
    assert_true(helper_number(measured, "convergence.#0.strain_max") > 0.05);
    assert_true(helper_number(measured, "convergence.#0.strain_rms") > 0.01);
    helper_destroy(helper);
}

static void a_heavy_thing_on_a_light_one_is_told(void **state)
{
    (void)state;
    struct helper *helper = hung();
    helper_call(helper, HELPER_ANN, "body.set",
                "{'world': 1, 'body': 1, 'thickness': 0.01, 'contact_group': 1, 'contact_mask': 1}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'masses': 1, 'thickness': 0.01, 'contact_group': 1, "
                "'contact_mask': 1, 'positions': [0.1, 2.015, 0.72, 0.16, 2.015, 0.72]}");
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [240, 255]}");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, -0.1, 0]}");
    pull_corner(helper);
    run_to(helper, 2 * LOOK);
    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    const msgpack_object *text = helper_at(measured, "warnings.#0.text");
    char words[512];
    snprintf(words, sizeof words, "%.*s", (int)text->via.str.size, text->via.str.ptr);
    print_message("%s\n", words);
    assert_non_null(
        strstr(words, "loads: solved (something at least 100 times as heavy bears on it), more substeps"));
    helper_destroy(helper);
}

static void it_does_not_come_again_each_look_and_goes_when_it_is_over(void **state)
{
    (void)state;
    struct helper *helper = hung();
    pull_corner(helper);
    helper_forget(helper);
    run_to(helper, 6 * LOOK);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 1); // and not one a look
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': 10}}");
    helper_forget(helper);
    run_to(helper, 8 * LOOK - 1);
    assert_int_equal(helper_count(helper, WORLD_NOTICE), 0);
    run_to(helper, 8 * LOOK);
    assert_null(helper_find(helper_notice(helper, 0, "world.warned"), "warnings.#0"));
    assert_null(helper_find(helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}"), "warnings.#0"));
    helper_destroy(helper);
}

static void a_warning_goes_with_its_body(void **state)
{
    (void)state;
    struct helper *helper = hung();
    pull_corner(helper);
    run_to(helper, 2 * LOOK);
    helper_assert_text(helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}"), "warnings.#0.code",
                       "STRETCHED");
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 1}");
    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    assert_null(helper_find(measured, "warnings.#0"));
    assert_null(helper_find(measured, "convergence.#0"));
    helper_cloth(helper, HELPER_ANN, 3, 1, "other"); // falls freely
    helper_forget(helper);
    run_to(helper, 3 * LOOK);
    assert_null(helper_find(helper_notice(helper, 0, "world.warned"), "warnings.#0"));
    helper_destroy(helper);
}

static void forces_that_are_not_resolved_are_told_as_stiff(void **state)
{
    (void)state;
    struct helper *helper = hung();
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 1e-6}}");
    pull_corner(helper);
    helper_forget(helper);
    run_to(helper, 2 * LOOK);
    const msgpack_object *told = helper_notice(helper, 0, "world.warned");
    helper_assert_text(told, "warnings.#0.code", "STIFF");
    const msgpack_object *text = helper_at(told, "warnings.#0.text");
    char words[512];
    snprintf(words, sizeof words, "%.*s", (int)text->via.str.size, text->via.str.ptr);
    print_message("%s\n", words);
    assert_non_null(strstr(words, "body 1 (sail) acts softer than its material"));
    assert_non_null(strstr(words, "% of stretch; more substeps"));
    const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
    assert_true(helper_number(measured, "convergence.#0.unresolved_stretch") > 0.05);
    assert_true(helper_number(measured, "convergence.#0.strain_max") == 0); // they are springs
    helper_assert_text(measured, "convergence.#0.name", "sail");
    helper_destroy(helper);
}

// A strip of 8 x 2 particles that is clamped at one end, as stiff as a board.
static void add_board(struct helper *helper)
{
    char params[2048];
    int used = snprintf(params, sizeof params,
                        "{'world': 1, 'kind': 'cloth', 'name': 'board', 'pins': [0, 1, 8, 9], 'density': 0.2,"
                        " 'bend': {'model': 'quadratic', 'compliance': 0.001}, 'positions': [");
    for (int i = 0; i < 16; i++) {
        used += snprintf(params + used, sizeof params - (size_t)used, "%s%g, 1, %g", i > 0 ? ", " : "",
                         0.05 * (i % 8), 0.05 * (i / 8));
    }
    used += snprintf(params + used, sizeof params - (size_t)used, "], 'triangles': [");
    for (int i = 0; i < 7; i++) {
        used += snprintf(params + used, sizeof params - (size_t)used, "%s%d, %d, %d, %d, %d, %d",
                         i > 0 ? ", " : "", i, i + 1, i + 8, i + 1, i + 9, i + 8);
    }
    snprintf(params + used, sizeof params - (size_t)used, "]}");
    helper_call(helper, HELPER_ANN, "body.add", params);
}

// One sweep does not resolve its bending: it may never rest, and two sweeps a substep help.
static void stiff_bending_with_one_iteration_is_told_to_gain_energy(void **state)
{
    (void)state;
    for (int iterations = 1; iterations <= 2; iterations++) {
        struct helper *helper = helper_create(damped);
        char params[128];
        snprintf(params, sizeof params, "{'world': 1, 'bending': 'swept', 'iterations': %d}", iterations);
        helper_call(helper, HELPER_ANN, "world.set", params);
        add_board(helper);
        run_to(helper, 3 * LOOK);
        const msgpack_object *measured = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
        assert_true(helper_number(measured, "convergence.#0.unresolved_bend") > 0.3);
        const msgpack_object *warnings = helper_at(measured, "warnings");
        bool told = false;
        for (uint32_t i = 0; i < warnings->via.array.size; i++) {
            const msgpack_object *text = helper_find(&warnings->via.array.ptr[i], "text");
            char words[512];
            snprintf(words, sizeof words, "%.*s", (int)text->via.str.size, text->via.str.ptr);
            told = told || strstr(words, "may keep it moving for ever: 2 iterations bring it to rest");
        }
        assert_int_equal(told, iterations == 1);
        helper_destroy(helper);
    }
}

// The bits of the future are the same, whether somebody measures or not.
static void looking_is_no_part_of_the_state(void **state)
{
    (void)state;
    struct helper *one = hung(), *other = hung();
    for (uint64_t tick = 1; tick <= 2 * LOOK; tick++) {
        run_to(one, tick);
        run_to(other, tick);
        helper_call(other, HELPER_ANN, "world.measure", "{'world': 1}");
        assert_true(helper_hash(one) == helper_hash(other));
        helper_forget(one);
        helper_forget(other);
    }
    helper_destroy(one);
    helper_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_needs_two_looks_in_a_row),
        cmocka_unit_test(looks_come_after_as_many_sweeps),
        cmocka_unit_test(a_stretched_cloth_is_told_by_name_with_what_helps),
        cmocka_unit_test(a_heavy_thing_on_a_light_one_is_told),
        cmocka_unit_test(it_does_not_come_again_each_look_and_goes_when_it_is_over),
        cmocka_unit_test(a_warning_goes_with_its_body),
        cmocka_unit_test(forces_that_are_not_resolved_are_told_as_stiff),
        cmocka_unit_test(stiff_bending_with_one_iteration_is_told_to_gain_energy),
        cmocka_unit_test(looking_is_no_part_of_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
