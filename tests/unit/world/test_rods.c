// Rods in a world: what body.add and particle.pin say of them, what takes edits back, and what a document has of them.
#include "helper_world.h"

#include "document/document.h"
#include "document/parts.h"
#include "sim/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROD_PLACES "'positions': [0,1,0, 0.1,1,0, 0.2,1,0, 0.3,1,0.02, 0.4,1,0]"
#define ROD "'world': 1, 'kind': 'rope', " ROD_PLACES
#define WIRE \
    "'rod': {'radius': 0.002, 'young': 1e8, 'damping': 0.01, 'plastic': {'yield_angle': 0.01, 'rate': 60}}"

static void step(struct helper *helper, int ticks)
{
    char text[64];
    snprintf(text, sizeof text, "{'world': 1, 'ticks': %d}", ticks);
    helper_post(helper, HELPER_ANN, "world.step", text);
    helper_turns_until_idle(helper);
}

// A document of the world comes to the same hash, and goes on in the same way.
static void assert_saved(struct helper *helper)
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
    for (int tick = 0; tick < 7; tick++) {
        assert_true(sim_step(document->sim, NULL, NULL, &failure) && !failure.failed);
    }
    step(helper, 7);
    assert_true(sim_hash(document->sim) == helper_hash(helper));
    document_destroy(document);
    msgpack_sbuffer_destroy(&bytes);
}

static void a_rod_is_made_clamped_turned_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const uint64_t empty = helper_hash(helper);
    const msgpack_object *added = helper_call(
        helper, HELPER_ANN, "body.add", "{" ROD ", 'name': 'wire', " WIRE ", 'pins': [0], 'clamps': [0]}");
    assert_true(helper_number(added, "constraints.rod_stretch.count") == 4);
    assert_true(helper_number(added, "constraints.rod_bend.count") == 3);
    assert_true(helper_number(added, "constraints.distance.count") == 0);
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'wire'}");
    assert_true(helper_number(got, "rod.radius") == 0.002 && helper_number(got, "rod.poisson") == 0.3);
    assert_true(helper_number(got, "rod.twist") == 0 &&
                helper_number(got, "rod.plastic.yield_angle") == 0.01);
    assert_true(helper_number(got, "stretch.compliance") == 0);
    step(helper, 20);
    const uint64_t bent = helper_hash(helper);
    assert_saved(helper);
    const uint64_t before = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 'wire', 'particles': [4], 'clamp': true, 'rotations': [1,0,0,1]}");
    const uint64_t clamped = helper_hash(helper);
    assert_true(clamped != before && before != bent);
    step(helper, 3);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 'wire', 'particles': [4], 'clamp': true, 'rotations': [0,1,0,1]}");
    assert_saved(helper);
    const uint64_t turned = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 'wire', 'particles': [0, 4], 'clamp': false}");
    assert_true(helper_hash(helper) != turned);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);

    // A reset and a removal are taken back with all orientations.
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    assert_true(helper_hash(helper) != turned);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'wire'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) != empty); // ids are used up
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_destroy(helper);
}

// Two numbers of body.get: how many clamps there are, and how many of them turn.
static void assert_clamps(struct helper *helper, uint32_t clamps, uint32_t turn)
{
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'wire'}");
    const msgpack_object *all = helper_find(got, "clamps"), *some = helper_find(got, "clamp_turns");
    assert_true(clamps == (all ? helper_array(got, "clamps", PROTOCOL_ARRAY_U32).count : 0));
    assert_true(turn == (some ? helper_array(got, "clamp_turns", PROTOCOL_ARRAY_U32).count : 0));
}

static void a_clamp_turns_with_a_collider_and_is_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" ROD ", 'name': 'wire', " WIRE ", 'pins': [0, 4], 'clamps': [0, 4]}");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'name': 'hand', 'kind': 'box', 'half_extents': [0.01, 0.01, 0.01], "
                "'position': [0, 1, 0]}");
    assert_clamps(helper, 2, 0);
    step(helper, 3);
    const uint64_t free = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 'wire', 'particles': [0], 'collider': 'hand', 'clamp_turns': true}");
    assert_clamps(helper, 2, 1);
    const uint64_t held = helper_hash(helper);
    assert_true(held != free);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == free);
    assert_clamps(helper, 2, 0);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) == held);
    helper_call(helper, HELPER_ANN, "collider.set",
                "{'world': 1, 'collider': 'hand', 'rotation': [0, 0, 0.2, 1]}");
    step(helper, 2);
    assert_saved(helper);
    const uint64_t turned = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 'wire', 'particles': [0], 'collider': 'hand', 'clamp_turns': false}");
    assert_clamps(helper, 2, 0);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    assert_true(helper_hash(helper) != turned);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_call(helper, HELPER_ANN, "collider.remove", "{'world': 1, 'collider': 'hand'}");
    assert_clamps(helper, 2, 0);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'wire'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == turned);
    assert_saved(helper);
    helper_destroy(helper);
}

static void a_rod_that_is_solved_directly_is_told_and_saved(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" ROD ", 'name': 'wire', 'rod': {'radius': 0.002, 'young': 1e9, 'solve': 'direct'}, "
                "'pins': [0], 'clamps': [0]}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'wire'}");
    const msgpack_object *solve = helper_at(got, "rod.solve");
    assert_true(solve->via.str.size == 6 && memcmp(solve->via.str.ptr, "direct", 6) == 0);
    step(helper, 9);
    assert_saved(helper);
    const uint64_t there = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [2, 6]}");
    step(helper, 1);
    assert_saved(helper);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'wire'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) != there);
    step(helper, 3);
    assert_saved(helper);
    helper_destroy(helper);
}

static void constraints_of_a_rod_are_changed_removed_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", "{" ROD ", " WIRE ", 'pins': [0], 'clamps': [0]}");
    step(helper, 5);
    const uint64_t whole = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [5, 6], 'compliance': 1000}");
    assert_true(helper_hash(helper) != whole);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == whole);
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [2, 6, 7]}");
    const uint64_t cut = helper_hash(helper);
    step(helper, 5);
    assert_saved(helper);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(cut != whole);
    const msgpack_object *list = helper_call(helper, HELPER_ANN, "constraint.list",
                                             "{'world': 1, 'type': 'rod_bend', 'forces': true}");
    assert_int_equal(helper_array(list, "constraints", PROTOCOL_ARRAY_U32).count, 3);
    step(helper, 5);
    list = helper_call(helper, HELPER_ANN, "constraint.list",
                       "{'world': 1, 'type': 'rod_bend', 'forces': true}");
    const struct protocol_array moments = helper_array(list, "forces", PROTOCOL_ARRAY_F64);
    assert_true(moments.count == 3 && protocol_array_f64_at(&moments, 0) > 1e-5); // of its weight
    assert_saved(helper);
    helper_destroy(helper);
}

static void what_is_no_rod_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *error;
    } refusals[] = {
        {"body.add", "{" ROD ", 'rod': {'radius': 0.01, 'young': 1e6, 'solve': 'exact'}}",
         "INVALID: rod.solve"},
        {"body.add", "{" ROD ", 'rod': {}}", "INVALID: rod.radius: missing"},
        {"body.add", "{" ROD ", 'rod': {'radius': 0.01}}", "INVALID: rod.young: missing"},
        {"body.add", "{" ROD ", 'rod': {'radius': 0, 'young': 1}}", "INVALID: rod.radius: 0 is below"},
        {"body.add", "{" ROD ", 'rod': {'radius': nan, 'young': 1}}", "INVALID: rod.radius"},
        {"body.add", "{" ROD ", 'rod': {'radius': 1e-7, 'young': 1}}",
         "INVALID: rod.young: 3.14159e-14 N of stretch"},
        {"body.add", "{" ROD ", 'rod': {'radius': 1e-6, 'young': 1e6}}", "INVALID: rod.bend_stiffness: 7.85"},
        {"body.add", "{" ROD ", " WIRE ", 'stretch': {'compliance': 1}}", "INVALID: stretch: must be absent"},
        {"body.add", "{" ROD ", 'rod': {'radius': 0.01, 'young': 1e6, 'twist': 40}}",
         "INVALID: rod.twist: the joint after particle 0 would turn by 4 rad"},
        {"body.add", "{" ROD ", 'rod': {'radius': 0.01, 'young': 1e6, 'plastic': {'yield_angle': 4}}}",
         "INVALID: rod.plastic.yield_angle: 4 is above"},
        {"body.add", "{" ROD ", 'edges': [0,1, 1,2, 1,3], " WIRE "}",
         "INVALID: edges: element 2: another segment begins at particle 1"},
        {"body.add", "{" ROD ", 'edges': [0,1, 2,1], " WIRE "}",
         "INVALID: edges: element 1: another segment ends at particle 1"},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 0,0,0, 1,0,0], " WIRE "}",
         "INVALID: positions: the segment from 0 to 1 is 0 m long"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], " WIRE "}",
         "INVALID: rod: must be absent"},
        {"body.add", "{" ROD ", " WIRE ", 'pins': [0], 'clamps': [1]}", "INVALID: clamps: element 0 is 1"},
        {"body.add", "{" ROD ", 'pins': [0], 'clamps': [0]}", "INVALID: clamps: element 0 is 0"},
        {"body.add", "{" ROD ", " WIRE ", 'pins': [0], 'clamps': [9]}", "INVALID: clamps: element 0 is 9"},
        {"body.set", "{'world': 1, 'body': 'wire', 'stretch': {'compliance': 1}}",
         "INVALID: stretch: must be absent"},
        {"particle.pin", "{'world': 1, 'body': 'net', 'particles': [0], 'clamp': true}",
         "INVALID: clamp: particle 0 of body 2 has no segment"},
        {"particle.pin", "{'world': 1, 'body': 'wire', 'particles': [0], 'rotations': [0,0,0,1]}",
         "INVALID: rotations: must be absent"},
        {"particle.pin",
         "{'world': 1, 'body': 'wire', 'particles': [0], 'clamp': true, 'rotations': [0,0,0,0]}",
         "INVALID: rotations: the length of element 0 is 0"},
        {"particle.pin",
         "{'world': 1, 'body': 'wire', 'particles': [0], 'clamp': true, 'rotations': [0,0,1]}",
         "INVALID: rotations"},
        {"particle.pin", "{'world': 1, 'body': 'wire', 'particles': [0], 'clamp_turns': true}",
         "INVALID: clamp_turns: must be absent or false without collider"},
        {"particle.pin",
         "{'world': 1, 'body': 'wire', 'particles': [0], 'collider': 'wall', 'clamp_turns': true}",
         "INVALID: clamp_turns: particle 0 has no clamp"},
        {"particle.pin",
         "{'world': 1, 'body': 'wire', 'particles': [0], 'collider': 'wall', 'clamp': true, 'clamp_turns': "
         "true, 'rotations': [0,0,0,1]}",
         "INVALID: clamp_turns: must be absent or false with rotations"},
        {"constraint.add",
         "{'world': 1, 'type': 'rod_bend', 'body': 'wire', 'particles': [0,1], 'compliance': 1}",
         "INVALID: type: rod_bend; only bodies have such constraints"},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'stiffness': 0.5}",
         "INVALID: stiffness: element 0"},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'compliance': 0}",
         "INVALID: compliance: element 0 is 0"},
    };
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", "{" ROD ", 'name': 'wire', " WIRE "}");
    helper_call(helper, HELPER_ANN, "body.add", "{" ROD ", 'name': 'net'}");
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'name': 'wall', 'kind': 'plane'}");
    const uint64_t hash = helper_hash(helper);
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
        const char *error = helper_error(helper, HELPER_ANN, refusals[r].method, refusals[r].notation);
        if (strncmp(error, refusals[r].error, strlen(refusals[r].error)) != 0) {
            fail_msg("%s: %s, expected %s", refusals[r].notation, error, refusals[r].error);
        }
        assert_true(helper_hash(helper) == hash);
    }
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_is_made_clamped_turned_and_brought_back),
        cmocka_unit_test(a_clamp_turns_with_a_collider_and_is_brought_back),
        cmocka_unit_test(a_rod_that_is_solved_directly_is_told_and_saved),
        cmocka_unit_test(constraints_of_a_rod_are_changed_removed_and_brought_back),
        cmocka_unit_test(what_is_no_rod_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
