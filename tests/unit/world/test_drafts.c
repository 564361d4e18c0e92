// Winds and fans, and coefficients of single bodies in the air: on the wire they are told, saved, opened, taken back and refused as
// every other value. A cloth before a fan is blown away, and one beside it is not.
#include "helper_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct helper *weightless(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, 0, 0]}");
    helper_cloth(helper, HELPER_ANN, 4, 2, "sail");
    return helper;
}

// The height of a particle.
static double height_of(struct helper *helper, uint32_t body)
{
    char text[80];
    snprintf(text, sizeof text, "{'world': 1, 'body': %u, 'fields': ['positions64']}", body);
    const msgpack_object *state = helper_call(helper, HELPER_ANN, "body.state", text);
    const struct protocol_array places = helper_array(state, "positions64", PROTOCOL_ARRAY_F64);
    return protocol_array_f64_at(&places, 1);
}

static void a_cloth_before_a_fan_is_blown_away_and_one_beside_it_is_not(void **state)
{
    (void)state;
    struct helper *helper = weightless();
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'aside', 'kind': 'cloth', 'triangles': [0, 1, 2], "
                "'positions': [5, 2, 0, 5.1, 2, 0, 5, 2, 0.1]}");
    helper_call(
        helper, HELPER_ANN, "force.add",
        "{'world': 1, 'field': {'kind': 'fan', 'position': [0.15, 1, 0.15], 'strength': 6, 'width': 0.8, "
        "'radius': 3, 'margin': 0.5}}");
    for (int tick = 0; tick < 10; tick++) {
        helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    }
    assert_true(height_of(helper, 1) > 2.02);
    assert_true(height_of(helper, 2) == 2);
    helper_destroy(helper);
}

static void they_are_told_and_saved_and_opened(void **state)
{
    (void)state;
    struct helper *helper = weightless();
    helper_call(helper, HELPER_ANN, "force.add", "{'world': 1, 'field': {'kind': 'fan', 'axis': [1, 0, 0]}}");
    helper_call(helper, HELPER_ANN, "force.add",
                "{'world': 1, 'field': {'kind': 'wind', 'velocity': [1, 2, 3], 'half_extents': [1, 1, 2]}}");
    helper_call(helper, HELPER_ANN, "force.set", "{'world': 1, 'force': 1, 'field': {'width': 0.25}}");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 1.5}}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "force.list", "{'world': 1}");
    helper_assert_text(got, "fields.#0.kind", "fan");
    assert_true(helper_number(got, "fields.#0.width") == 0.25);
    helper_assert_text(got, "fields.#1.kind", "wind");
    assert_null(helper_find(got, "fields.#1.width"));
    got = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    assert_true(helper_number(got, "forces.#0.width") == 0.25);
    assert_true(helper_number(got, "forces.#1.velocity.#2") == 3);
    assert_true(helper_number(got, "bodies.#0.wind.drag") == 1.5);
    assert_null(helper_find(got, "bodies.#0.wind.lift"));
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "wind.drag") == 1.5);
    got = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    assert_true(helper_number(got, "document.settings.forces.fields.#0.width") == 0.25);
    assert_true(helper_number(got, "document.bodies.#0.wind.drag") == 1.5);
    // Each call says both coefficients; an empty map takes those of the world again.
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'wind': {'lift': 0.5}}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "wind.drag"));
    assert_true(helper_number(got, "wind.lift") == 0.5);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'wind': {}}");
    got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "wind"));
    helper_destroy(helper);
}

static void an_undo_takes_them_back(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"force.add", "{'world': 1, 'field': {'kind': 'fan'}}"},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 2, 'lift': 1}}"},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'lift': 0.5}}"},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {}}"},
        {"force.set", "{'world': 1, 'force': 1, 'field': {'width': 3, 'strength': 2}}"}};
    enum { EDITS = sizeof edits / sizeof *edits };
    struct helper *helper = weightless();
    uint64_t hashes[EDITS + 1] = {helper_hash(helper)};
    for (int e = 0; e < EDITS; e++) {
        helper_call(helper, HELPER_ANN, edits[e][0], edits[e][1]);
        hashes[e + 1] = helper_hash(helper);
        assert_true(hashes[e + 1] != hashes[e]);
    }
    for (int e = EDITS; e > 1; e--) { // an undone force.add leaves its id used
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == hashes[e - 1]);
    }
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) == hashes[2]);
    helper_destroy(helper);
}

static void what_is_wrong_is_refused_with_its_field(void **state)
{
    (void)state;
    struct helper *helper = weightless();
    const uint64_t before = helper_hash(helper);
    static const char *const cases[][3] = {
        {"force.add", "{'world': 1, 'field': {'kind': 'fan', 'strength': -1}}",
         "INVALID: field.strength: -1 m/s; must be in [0, 300]"},
        {"force.add", "{'world': 1, 'field': {'kind': 'fan', 'width': 0}}", "INVALID: field.width: "},
        {"force.add", "{'world': 1, 'field': {'kind': 'fan', 'axis': [0, 0, 0]}}", "INVALID: field.axis"},
        {"force.add", "{'world': 1, 'field': {'kind': 'wind', 'velocity': [0, 301, 0]}}",
         "INVALID: field.velocity: 301 m/s; must be in [-300, 300]"},
        {"force.add", "{'world': 1, 'field': {'kind': 'breeze'}}", "INVALID: field.kind: "},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 101}}", "INVALID: wind.drag: "},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'lift': -1}}", "INVALID: wind.lift: "},
        {"body.set", "{'world': 1, 'body': 1, 'wind': {'velocity': [1, 0, 0]}}",
         "INVALID: unknown field \"wind.velocity\"; own_wind takes drag, lift"},
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

static void a_join_tells_what_tears(void **state)
{
    (void)state;
    struct helper *helper = weightless();
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'cloth', 'triangles': [0, 1, 2], 'tear': {'strain': 0.5, 'most': 6}, "
                "'positions': [5, 2, 0, 5.1, 2, 0, 5, 2, 0.1]}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "world.join", "{'world': 1}");
    assert_null(helper_find(got, "bodies.#0.tear"));
    assert_true(helper_number(got, "bodies.#1.tear.strain") == 0.5);
    assert_true(helper_number(got, "bodies.#1.tear.most") == 6);
    assert_null(helper_find(got, "forces.#0"));
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_before_a_fan_is_blown_away_and_one_beside_it_is_not),
        cmocka_unit_test(they_are_told_and_saved_and_opened),
        cmocka_unit_test(an_undo_takes_them_back),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_field),
        cmocka_unit_test(a_join_tells_what_tears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
