// Tears on the wire: thresholds, what body.get and notices tell, undo of what named a particle that split, and saves.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Two columns of two cells that hang from particles 0 and 1, with their weight at the other end.
static struct helper *world(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'strip', 'kind': 'cloth', 'positions': [0,2,0, 0.1,2,0, 0,1.9,0, 0.1,1.9,0, "
        "0,1.8,0, 0.1,1.8,0], 'triangles': [0,2,1, 1,2,3, 2,4,3, 3,4,5], 'pins': [0, 1], "
        "'masses': [0.01, 0.01, 0.01, 0.01, 0.2, 0.2], 'bend': {'model': 'quadratic'}, "
        "'stretch': {'model': 'orthotropic', 'warp': 2000, 'weft': 2000, 'shear': 200, 'direction': [0, 1, "
        "0]}, "
        "'tear': {'force': 1000, 'most': 5}}");
    return helper;
}

static void step(struct helper *helper, uint32_t ticks)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", ticks);
    helper_post(helper, HELPER_ANN, "world.step", notation);
    helper_turns_until_idle(helper);
}

static const msgpack_object *told(struct helper *helper)
{
    return helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'strip'}");
}

static uint32_t torn(struct helper *helper)
{
    return helper_array(told(helper), "torn.origins", PROTOCOL_ARRAY_U32).count;
}

static void tear(struct helper *helper)
{
    step(helper, 5);
    assert_int_equal(torn(helper), 0);
    helper_call(helper, HELPER_BOB, "body.set", "{'world': 1, 'body': 'strip', 'tear': {'force': 5}}");
    step(helper, 5);
    assert_true(torn(helper) > 0);
}

static void what_tore_is_told(void **state)
{
    (void)state;
    struct helper *helper = world();
    const msgpack_object *strip = told(helper);
    assert_int_equal((int)helper_number(strip, "particles"), 11);
    assert_true(helper_number(strip, "tear.force") == 1000);
    helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    helper_forget(helper);
    tear(helper);
    // The first notice tells of body.set.
    const msgpack_object *notice = helper_notice(helper, 1, "body.tear");
    assert_non_null(notice);
    const struct protocol_array cut = helper_array(notice, "edges", PROTOCOL_ARRAY_U32);
    const struct protocol_array changed = helper_array(notice, "changed", PROTOCOL_ARRAY_U32);
    const struct protocol_array others = helper_array(notice, "corners", PROTOCOL_ARRAY_U32);
    assert_int_equal((int)helper_number(notice, "first"), 6);
    assert_true(cut.count >= 2 && changed.count > 0 && others.count == 3 * changed.count);
    strip = told(helper);
    const struct protocol_array edges = helper_array(strip, "torn.edges", PROTOCOL_ARRAY_U32);
    const struct protocol_array corners = helper_array(strip, "triangles", PROTOCOL_ARRAY_U32);
    assert_true(edges.count >= 2 && corners.count == 12);
    bool split = false;
    for (uint32_t i = 0; i < corners.count; i++) {
        split = split || protocol_array_f64_at(&corners, i) >= 6;
    }
    assert_true(split);
    assert_int_equal((int)helper_number(strip, "torn.own"), 6);
    helper_destroy(helper);
}

static void an_undo_that_names_a_particle_that_split_is_refused(void **state)
{
    (void)state;
    struct helper *helper = world();
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'strip', 'particles': [2, 3], 'inverse_masses': 50}");
    tear(helper);
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "CONFLICT"));
    assert_non_null(strstr(error, "split"));
    error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'force': true}");
    assert_non_null(strstr(error, "CONFLICT"));
    // An edit goes back if it came after the tear, or names no such particle.
    helper_call(helper, HELPER_BOB, "particle.pin", "{'world': 1, 'body': 'strip', 'particles': [2]}");
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    helper_call(helper, HELPER_BOB, "edit.undo", "{'world': 1}");
    assert_true(helper_number(told(helper), "tear.force") == 1000);
    assert_true(torn(helper) > 0);
    helper_destroy(helper);
}

static void a_reset_after_a_tear_is_taken_back(void **state)
{
    (void)state;
    struct helper *helper = world();
    tear(helper);
    const uint64_t before = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    const uint64_t after = helper_hash(helper);
    assert_true(after != before);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == before);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) == after);
    helper_destroy(helper);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"'tear': {'most': 3, 'force': -1}", "tear.force"},
        {"'tear': {'strain': 1}", "tear.most"},
        {"'tear': {'most': 0, 'strain': 1}", "tear.most"},
        {"'tear': {'most': 3, 'force': 10}", "tear.force"},
        {"'tear': {'most': 4000000000, 'strain': 1}", "tear.most"},
        {"'tear': {'most': 3, 'strain': 1}, 'pressure': {'model': 'gas'}", ": tear: must be absent"},
        {"'tear': {'most': 3, 'strain': 1}, 'shape': {'compliance': 0}", ": tear: must be absent"},
    };
    struct helper *helper = world();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char notation[300];
        snprintf(
            notation, sizeof notation,
            "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], 'triangles': [0,1,2], %s}",
            wrong[i][0]);
        const char *error = helper_error(helper, HELPER_ANN, "body.add", notation);
        if (!strstr(error, wrong[i][1])) {
            fail_msg("%s: %s", wrong[i][0], error);
        }
    }
    assert_non_null(strstr(
        helper_error(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'strip', 'tear': {'most': 9}}"),
        "most"));
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'folded', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], "
        "'triangles': [0,1,2, 1,3,2], 'bend': {'model': 'dihedral'}, 'tear': {'strain': 1, 'most': 2}}");
    assert_non_null(strstr(
        helper_error(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'folded', 'rest_shape': {}}"),
        ": rest_shape: must be absent"));
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'other', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1], "
                "'triangles': [0,1,2]}");
    assert_non_null(strstr(
        helper_error(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'other', 'tear': {'strain': 1}}"),
        ": tear: must be absent"));
    assert_non_null(strstr(
        helper_error(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 'strip', 'particles': [7]}"),
        "particles"));
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_tore_is_told),
        cmocka_unit_test(an_undo_that_names_a_particle_that_split_is_refused),
        cmocka_unit_test(a_reset_after_a_tear_is_taken_back),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
