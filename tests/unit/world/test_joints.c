// Joints in a world: what constraint.add, constraint.set and constraint.list say of them, what takes edits back, and what a document has.
#include "helper_world.h"

#include "document/document.h"
#include "sim/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Two bars that lie end to end along x, and a triangle of points beside them.
static struct helper *world_with_bars(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'bars', 'kind': 'rigid', 'positions': [0.5,1,0, 1.5,1,0], 'masses': 1,"
                " 'rigid': {'form': 'box', 'half_extents': [0.5, 0.05, 0.05]}}");
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'points', 'kind': 'points', 'positions': [2,1,0, 2,1,1, 2,2,0], 'masses': 1}");
    return helper;
}

static void step(struct helper *helper, int ticks)
{
    char text[64];
    snprintf(text, sizeof text, "{'world': 1, 'ticks': %d}", ticks);
    helper_post(helper, HELPER_ANN, "world.step", text);
    helper_turns_until_idle(helper);
}

#define HINGE                                                                                            \
    "{'world': 1, 'type': 'joint', 'joint': 'hinge', 'body': 'bars', 'particles': [0], 'sides': [1, 0]," \
    " 'anchors': [0, 1, 0], 'axes': [0, 0, 2], 'limits': [-0.4, 0.2], 'motor': 'target',"                \
    " 'motor_target': 0.1, 'motor_most': 2, 'motor_compliance': 0.05, 'turn_compliance': 1e-6,"          \
    " 'damping': 0.1, 'force_limit': 5000}"
#define BETWEEN "{'world': 1, 'type': 'joint', 'bodies': [1, 1], 'particles': [1, 0], 'anchors': [1, 1, 0]}"
#define TO_TRIANGLE                                                                                     \
    "{'world': 1, 'type': 'joint', 'bodies': [1, 2, 2, 2], 'particles': [1, 0, 1, 2], 'sides': [1, 3]," \
    " 'weights': [1, 0.5, 0.25, 0.25], 'joint': 'distance', 'limits': [0, 1.5]}"

static double number_of(struct helper *helper, const char *field, uint32_t at)
{
    const msgpack_object *list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint'}");
    const struct protocol_array numbers = helper_array(list, field, PROTOCOL_ARRAY_F64);
    assert_true(at < numbers.count);
    return protocol_array_f64_at(&numbers, at);
}

static void joints_are_told_as_they_were_given(void **state)
{
    (void)state;
    static const struct {
        const char *field;
        uint32_t at;
        double value;
    } told[] = {{"limits", 0, -.4},
                {"limits", 1, .2},
                {"motor_target", 0, .1},
                {"motor_most", 0, 2},
                {"motor_compliance", 0, .05},
                {"turn_compliance", 0, 1e-6},
                {"damping", 0, .1},
                {"force_limit", 0, 5000},
                {"joint_anchors", 0, -.5},
                {"joint_anchors", 1, 0},
                {"joint_anchors", 3, 0},
                {"joint_anchors", 4, 1},
                {"places", 0, 0},
                {"joint_anchors", 6, -.5},
                {"joint_anchors", 9, .5},
                {"weights", 9, .5},
                {"weights", 10, .25},
                {"limits", 5, 1.5}};
    struct helper *helper = world_with_bars();
    helper_call(helper, HELPER_ANN, "constraint.add", HINGE);
    helper_call(helper, HELPER_ANN, "constraint.add", BETWEEN);
    helper_call(helper, HELPER_ANN, "constraint.add", TO_TRIANGLE);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const double value = number_of(helper, told[i].field, told[i].at);
        if (!(fabs(value - told[i].value) <= 1e-7)) {
            fail_msg("%s of %u is %g", told[i].field, told[i].at, value);
        }
    }
    const msgpack_object *list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint'}");
    const struct protocol_array models = helper_array(list, "joints", PROTOCOL_ARRAY_U32);
    const struct protocol_array motors = helper_array(list, "motors", PROTOCOL_ARRAY_U32);
    assert_true(protocol_array_f64_at(&models, 0) == 2 && protocol_array_f64_at(&models, 2) == 4);
    assert_true(protocol_array_f64_at(&motors, 0) == 2 && protocol_array_f64_at(&motors, 1) == 0);
    step(helper, 60);
    assert_true(number_of(helper, "places", 0) < 0 && number_of(helper, "places", 0) > -.41);
    list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint', 'forces': true}");
    const struct protocol_array forces = helper_array(list, "forces", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&forces, 0) > 1);
    helper_destroy(helper);
}

// A document of the world has the same hash, and goes on to the same one.
static void same_document(struct helper *helper)
{
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    struct protocol_error error = {0};
    struct sim_failure failure;
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_object(
        &packer, *helper_at(helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}"), "document"));
    struct document *document = document_from(bytes.data, bytes.size, &error);
    if (!document) {
        fail_msg("%s: %s", error.field, error.text);
    }
    assert_true(sim_hash(document->sim) == helper_hash(helper));
    for (int tick = 0; tick < 20; tick++) {
        assert_true(sim_step(document->sim, NULL, NULL, &failure) && !failure.failed);
    }
    step(helper, 20);
    assert_true(sim_hash(document->sim) == helper_hash(helper));
    document_destroy(document);
    msgpack_sbuffer_destroy(&bytes);
}

static void joints_are_changed_taken_back_and_saved(void **state)
{
    (void)state;
    struct helper *helper = world_with_bars();
    helper_call(helper, HELPER_ANN, "constraint.add", HINGE);
    helper_call(helper, HELPER_ANN, "constraint.add", BETWEEN);
    helper_call(helper, HELPER_ANN, "constraint.add", TO_TRIANGLE);
    const uint64_t made = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [1], 'limits': [1, -1], 'motor': 'speed', 'motor_target': -2,"
                " 'turn_compliance': 0, 'force_limit': 3}");
    const uint64_t changed = helper_hash(helper);
    assert_true(changed != made && number_of(helper, "limits", 0) == 1);
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [1, 3]}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == changed);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == made);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) == changed);
    step(helper, 5); // the first one breaks
    const msgpack_object *list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint'}");
    assert_int_equal(helper_array(list, "parted", PROTOCOL_ARRAY_U32).count, 1);
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [1], 'mend': true, 'force_limit': 0}");
    same_document(helper);
    helper_destroy(helper);
}

// A hook at the last segment of a rod: told with both particles, removed and brought back under its id, and the same in a document,
// which lists it with all its numbers.
static void a_joint_to_a_segment_is_told_taken_back_and_saved(void **state)
{
    (void)state;
    struct helper *helper = world_with_bars();
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'cable', 'kind': 'rope', 'density': 0.1, 'positions': [2,1,0, 2.2,1,0, "
                "2.4,1,0],"
                " 'pins': [2], 'clamps': [2], 'rod': {'radius': 0.01, 'young': 1e7}}");
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'type': 'joint', 'joint': 'fixed', 'bodies': [1, 3, 3],"
                " 'particles': [1, 0, 1], 'sides': [1, 2], 'anchors': [2, 1, 0]}");
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'type': 'joint', 'joint': 'hinge', 'bodies': [1, 3, 3],"
                " 'particles': [0, 1, 2], 'sides': [1, 2], 'weights': [1, 0.25, 0.75], 'limits': [-1, 1]}");
    const msgpack_object *list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint'}");
    const struct protocol_array particles = helper_array(list, "particles", PROTOCOL_ARRAY_U32);
    static const double expected[8] = {1, 0, 1, 0, 0, 1, 2, 1}, weights[8] = {1, 1, 0, 0, 1, .25, .75, 0};
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(protocol_array_f64_at(&particles, i) == expected[i]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(fabs(number_of(helper, "weights", i) - weights[i]) < 1e-6);
    }
    step(helper, 10);
    const uint64_t made = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [1, 2]}");
    assert_true(helper_hash(helper) != made);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == made);
    same_document(helper);
    list =
        helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'type': 'joint', 'forces': true}");
    const struct protocol_array forces = helper_array(list, "forces", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&forces, 0) > 0.1);
    helper_destroy(helper);
}

static void what_is_no_joint_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *notation, *error;
    } refusals[] = {
        {"{'world': 1, 'type': 'joint', 'body': 2, 'particles': [0], 'sides': [1, 0]}",
         "bodies: joint 0 begins on body 2, which is not rigid"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0], 'sides': [2, 0]}",
         "sides: element 0 is 2"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0], 'sides': [1, 4]}",
         "sides: element 1 is 4"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'sides': [1, 2]}",
         "particles: length 2; must be a positive multiple of 3"},
        {"{'world': 1, 'type': 'joint', 'bodies': [1, 2, 2], 'particles': [0, 0, 1], 'sides': [1, 2]}",
         "body 2 is no rod"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1, 0]}", "particles: length 3"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'anchors': [0, 0, 0, 0]}",
         "anchors:"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'rest': 1}",
         "joint constraints rest where their anchors meet"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'rest_end': 1, 'seconds': 1}",
         "rest_end:"},
        {"{'world': 1, 'type': 'joint', 'joint': 'hinge', 'bodies': [1, 2], 'particles': [0, 0]}",
         "joint 0 is hinge"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'motor': 'speed'}", "motor"},
        {"{'world': 1, 'body': 1, 'particles': [0, 1], 'limits': [0, 1]}", "only joints have it"},
        {"{'world': 1, 'body': 1, 'particles': [0, 1], 'motor': 'speed'}", "motor"},
        {"{'world': 1, 'type': 'joint', 'body': 1, 'particles': [0, 1], 'turn_compliance': -1}",
         "turn_compliance:"},
    };
    struct helper *helper = world_with_bars();
    const uint64_t before = helper_hash(helper);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const char *error = helper_error(helper, HELPER_ANN, "constraint.add", refusals[i].notation);
        if (strncmp(error, "INVALID: ", 9) != 0 || !strstr(error, refusals[i].error)) {
            fail_msg("%s: %s, expected %s", refusals[i].notation, error, refusals[i].error);
        }
        assert_true(helper_hash(helper) == before);
    }
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_told_as_they_were_given),
        cmocka_unit_test(joints_are_changed_taken_back_and_saved),
        cmocka_unit_test(a_joint_to_a_segment_is_told_taken_back_and_saved),
        cmocka_unit_test(what_is_no_joint_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
