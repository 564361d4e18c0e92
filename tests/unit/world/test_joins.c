// Joins on the wire: sides and weights, what constraint.list tells, parting, sewing, undo of it, and what is refused.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct helper *world(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'nail', 'kind': 'points', 'masses': 0, 'positions': [0,1,0, 1,1,0, 0,1,1]}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'load', 'kind': 'points', 'masses': 1, 'positions': [0,0.5,0, 1,0.5,0, "
                "0,0.5,1]}");
    return helper;
}

static struct protocol_array numbers(struct helper *helper, const char *field, enum protocol_array_type kind)
{
    return helper_array(helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'join'}"),
                        field, kind);
}

static double number(struct helper *helper, const char *field, uint32_t i)
{
    struct protocol_array array = numbers(helper, field, PROTOCOL_ARRAY_F64);
    assert_true(i < array.count);
    return protocol_array_f64_at(&array, i);
}

static void step(struct helper *helper, uint32_t ticks)
{
    char notation[64];
    snprintf(notation, sizeof notation, "{'world': 1, 'ticks': %u}", ticks);
    helper_post(helper, HELPER_ANN, "world.step", notation);
    helper_turns_until_idle(helper);
}

static void sides_have_as_many_particles_as_they_say(void **state)
{
    (void)state;
    static const double weights[6] = {1, 0, 0, 0.5, 0.25, 0.25};
    static const uint32_t bodies[6] = {1, 1, 1, 2, 2, 2}, particles[6] = {1, 1, 1, 2, 0, 1};
    struct helper *helper = world();
    helper_call(
        helper, HELPER_ANN, "constraint.add",
        "{'world': 1, 'type': 'join', 'sides': [1, 3], 'bodies': [1, 2, 2, 2], 'particles': [1, 2, 0, 1],"
        " 'weights': [1, 0.5, 0.25, 0.25], 'rest': 0.125, 'force_limit': 40}");
    for (uint32_t k = 0; k < 6; k++) {
        struct protocol_array of = numbers(helper, "bodies", PROTOCOL_ARRAY_U32);
        assert_true(protocol_array_f64_at(&of, k) == bodies[k]);
        of = numbers(helper, "particles", PROTOCOL_ARRAY_U32);
        assert_true(protocol_array_f64_at(&of, k) == particles[k]);
        assert_true(number(helper, "weights", k) == weights[k]);
    }
    assert_true(number(helper, "rest", 0) == 0.125 && number(helper, "force_limit", 0) == 40);
    assert_true(number(helper, "seconds", 0) == 0 && number(helper, "rest_end", 0) == 0.125);
    // Without weights an edge is joined at its middle.
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'type': 'join', 'sides': [2, 1], 'bodies': [1, 1, 2], 'particles': [0, 1, 2]}");
    assert_true(number(helper, "weights", 6) == 0.5 && number(helper, "weights", 7) == 0.5);
    assert_true(number(helper, "weights", 8) == 0 && number(helper, "weights", 9) == 1);
    helper_destroy(helper);
}

static uint32_t parted(struct helper *helper)
{
    return numbers(helper, "parted", PROTOCOL_ARRAY_U32).count;
}

static void one_that_parts_is_told_and_mends(void **state)
{
    (void)state;
    struct helper *helper = world();
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'type': 'join', 'bodies': [1, 2], 'particles': [0, 0], 'force_limit': [5]}");
    assert_int_equal(parted(helper), 0);
    step(helper, 3);
    assert_int_equal(parted(helper), 1);
    const uint64_t apart = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [1], 'mend': true, 'force_limit': 0}");
    assert_int_equal(parted(helper), 0);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_int_equal(parted(helper), 1);
    assert_true(helper_hash(helper) == apart);
    helper_destroy(helper);
}

static void a_seam_shrinks_by_ticks(void **state)
{
    (void)state;
    struct helper *helper = world();
    helper_call(
        helper, HELPER_ANN, "constraint.add",
        "{'world': 1, 'type': 'join', 'bodies': [1, 2, 1, 2], 'particles': [0, 0, 1, 1], 'rest_end': 0,"
        " 'seconds': 0.5}");
    step(helper, 15);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(number(helper, "rest", i) > 0.2499 && number(helper, "rest", i) < 0.2501);
        assert_true(number(helper, "seconds", i) > 0.2499 && number(helper, "seconds", i) < 0.2501);
    }
    step(helper, 15);
    assert_true(number(helper, "rest", 0) == 0 && number(helper, "seconds", 1) == 0);
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [1], 'rest': 0.5, 'rest_end': 0.25, 'seconds': 2}");
    assert_true(number(helper, "rest", 0) == 0.5 && number(helper, "seconds", 0) == 2);
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [1], 'rest': 0.125}");
    assert_true(number(helper, "rest_end", 0) == 0.125 && number(helper, "seconds", 0) == 0);
    helper_destroy(helper);
}

static void what_is_wrong_names_its_field(void **state)
{
    (void)state;
#define JOIN "{'world': 1, 'type': 'join', 'bodies': [1, 2], 'particles': [0, 0]"
    static const struct {
        const char *method, *params, *says;
    } wrong[] = {
        {"constraint.add", JOIN ", 'sides': [1]}", "sides"},
        {"constraint.add", JOIN ", 'sides': [0, 1]}", "sides"},
        {"constraint.add", JOIN ", 'sides': [4, 1]}", "sides"},
        {"constraint.add", JOIN ", 'sides': [1, 2]}", "particles"},
        {"constraint.add", JOIN ", 'weights': [1, 0.5]}", "weights"},
        {"constraint.add", JOIN ", 'weights': [1]}", "weights"},
        {"constraint.add", JOIN ", 'rest_end': 0}", "rest_end"},
        {"constraint.add", JOIN ", 'rest_end': 0, 'seconds': 0}", "seconds"},
        {"constraint.add", JOIN ", 'rest_end': 9, 'seconds': 1}", "rest_end"},
        {"constraint.add", "{'world': 1, 'type': 'join', 'body': 1, 'particles': [0, 0]}", "particles"},
        {"constraint.add", "{'world': 1, 'bodies': [1, 2], 'particles': [0, 0], 'weights': [1, 1]}",
         "weights"},
        {"constraint.add", "{'world': 1, 'bodies': [1, 2], 'particles': [0, 0], 'force_limit': 1}",
         "force_limit"},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'mend': true}", "mend"},
    };
    struct helper *helper = world();
    helper_call(helper, HELPER_ANN, "constraint.add", "{'world': 1, 'bodies': [1, 2], 'particles': [0, 0]}");
    const uint64_t before = helper_hash(helper);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *text = helper_error(helper, HELPER_ANN, wrong[i].method, wrong[i].params);
        if (!strstr(text, wrong[i].says)) {
            fail_msg("%s is answered by: %s", wrong[i].params, text);
        }
    }
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_have_as_many_particles_as_they_say),
        cmocka_unit_test(one_that_parts_is_told_and_mends),
        cmocka_unit_test(a_seam_shrinks_by_ticks),
        cmocka_unit_test(what_is_wrong_names_its_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
