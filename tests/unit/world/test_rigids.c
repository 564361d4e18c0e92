// Rigid bodies in a world: what body.add and particle.set say of them, what takes edits back, and what a document has of them.
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

#define PLACES "'positions': [0,1,0, 1,1,0]"
#define RIGID "'world': 1, 'kind': 'rigid', " PLACES
#define BOX "'rigid': {'form': 'box', 'half_extents': [0.5, 0.25, 0.125]}"
#define COMPOUND                                                                                           \
    "'rigid': {'form': 'compound', 'parts': [{'form': 'box', 'half_extents': [1, 0.5, 0.25], 'position': " \
    "[7,1,2]}, {'form': 'hull', 'points': [0,0,0, 1,0,0, 0,2,0, 0,0,3], 'position': [8,1,2], 'rotation': " \
    "[0,0.6,0,0.8]}]}"
#define HULL "'rigid': {'form': 'hull', 'points': [0,0,0, 1,0,0, 0,2,0, 0,0,3, 0.1,0.1,0.1]}"

static void step(struct helper *helper, int ticks)
{
    char text[64];
    snprintf(text, sizeof text, "{'world': 1, 'ticks': %d}", ticks);
    helper_post(helper, HELPER_ANN, "world.step", text);
    helper_turns_until_idle(helper);
}

// A document of the world comes to the same hash, goes on in the same way, and begins in the same way.
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
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    sim_reset(document->sim);
    assert_true(sim_hash(document->sim) == helper_hash(helper));
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    document_destroy(document);
    msgpack_sbuffer_destroy(&bytes);
}

static void a_rigid_body_is_made_told_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" RIGID ", 'name': 'dice', " BOX
                ", 'density': 100, 'rotations': [0.1,-0.2,0.05,1, 0,0,0,3], "
                "'angular_velocities': [1,2,3, 0,0,4]}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'dice'}");
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    assert_true(masses.count == 2 && fabs(protocol_array_f64_at(&masses, 1) - 12.5) < 1e-5);
    const struct protocol_array half = helper_array(got, "rigid.half_extents", PROTOCOL_ARRAY_F64);
    assert_true(half.count == 3 && protocol_array_f64_at(&half, 1) == 0.25);
    assert_null(helper_find(got, "rigid.radius"));
    const msgpack_object *told = helper_call(
        helper, HELPER_BOB, "body.state",
        "{'world': 1, 'body': 'dice', 'fields': ['rotations', 'rotations64', 'angular_velocities']}");
    const struct protocol_array spins = helper_array(told, "angular_velocities", PROTOCOL_ARRAY_F32);
    const struct protocol_array turns = helper_array(told, "rotations64", PROTOCOL_ARRAY_F64);
    assert_int_equal(spins.count, 6);
    assert_true(fabs(protocol_array_f64_at(&spins, 1) - 2) < 1e-6);
    assert_true(protocol_array_f64_at(&spins, 5) == 4 && protocol_array_f64_at(&turns, 7) == 1);
    const uint64_t start = helper_hash(helper);
    step(helper, 20);
    const uint64_t later = helper_hash(helper);
    assert_saved(helper);
    const uint64_t before = helper_hash(helper);
    assert_true(start != later && later != before);

    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'dice', 'particles': [1], 'rotations': [1,0,0,1]}");
    const uint64_t turned = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'dice', 'particles': [0], 'angular_velocities': [0,0,9]}");
    const uint64_t spun = helper_hash(helper);
    assert_true(turned != before && spun != turned);
    assert_saved(helper);
    const uint64_t on = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 'dice', 'particles': [0], 'rotations': [1,0,0,1], "
                "'angular_velocities': [0,0,9], 'inverse_masses': [3]}");
    assert_true(helper_hash(helper) != on);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);

    // A reset and a removal are taken back with all orientations and momenta.
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    assert_true(helper_hash(helper) != on);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'dice'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);
    step(helper, 5);
    assert_saved(helper);
    helper_destroy(helper);
}

// A hull is told by its vertices, seen from the centre of mass. What is told makes the same body.
static void a_hull_is_made_told_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" RIGID ", 'name': 'rocks', " HULL
                ", 'density': 100, 'angular_velocities': [1,2,3, 0,0,4]}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'rocks'}");
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    const struct protocol_array points = helper_array(got, "rigid.points", PROTOCOL_ARRAY_F64);
    static const double wanted[12] = {-.25, -.5, -.75, .75, -.5, -.75, -.25, 1.5, -.75, -.25, -.5, 2.25};
    char again[2048];
    int used = snprintf(again, sizeof again,
                        "{" RIGID ", 'name': 'rocks', 'density': 100, 'angular_velocities': [1,2,3, 0,0,4], "
                        "'rigid': {'form': 'hull', 'points': [");
    assert_true(fabs(protocol_array_f64_at(&masses, 1) - 100) < 1e-3);
    assert_int_equal(points.count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_true(fabs(protocol_array_f64_at(&points, i) - wanted[i]) < 1e-6);
        used += snprintf(again + used, sizeof again - (size_t)used, "%s%.17g", i > 0 ? "," : "",
                         protocol_array_f64_at(&points, i));
    }
    snprintf(again + used, sizeof again - (size_t)used, "]}}");
    assert_null(helper_find(got, "rigid.radius"));
    assert_null(helper_find(got, "rigid.half_extents"));
    const uint64_t start = helper_hash(helper);
    step(helper, 20);
    const uint64_t later = helper_hash(helper);
    assert_true(start != later);
    assert_saved(helper);
    const uint64_t on = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'rocks'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);
    step(helper, 5);
    assert_saved(helper);
    helper_destroy(helper);

    helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", again);
    assert_true(helper_hash(helper) == start);
    step(helper, 20);
    assert_true(helper_hash(helper) == later);
    helper_destroy(helper);
}

// A compound with measures is told with its centre of mass at the origin, is saved, and comes back by undo.
static void measures_are_told_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{" RIGID ", 'name': 'mugs', 'density': 100, 'angular_velocities': [1,2,3, 0,0,4], 'rigid': {'form': "
        "'compound', 'parts': [{'form': 'box', 'half_extents': [1, 0.5, 0.25], 'position': [7,1,2]}], "
        "'measures': {'volume': 0.5, 'centre': [7.25,1,2], 'inertia': [0.1,0.375,0.4], 'products': "
        "[0,0.01,0]}}}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'mugs'}");
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64),
                                centre = helper_array(got, "rigid.measures.centre", PROTOCOL_ARRAY_F64),
                                inertia = helper_array(got, "rigid.measures.inertia", PROTOCOL_ARRAY_F64),
                                place = helper_array(got, "rigid.parts.#0.position", PROTOCOL_ARRAY_F64);
    assert_true(fabs(protocol_array_f64_at(&masses, 0) - 50) < 1e-4);
    assert_true(protocol_array_f64_at(&centre, 0) == 0 && protocol_array_f64_at(&place, 0) == -0.25);
    assert_true(protocol_array_f64_at(&inertia, 1) == 0.375);
    step(helper, 20);
    assert_saved(helper);
    const uint64_t on = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'mugs'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);
    step(helper, 5);
    assert_saved(helper);
    helper_destroy(helper);
}

// A compound is told by its parts, seen from its centre of mass. What is told makes the same body.
static void a_compound_is_made_told_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" RIGID ", 'name': 'hooks', " COMPOUND
                ", 'density': 100, 'angular_velocities': [1,2,3, 0,0,4]}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'hooks'}");
    const struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    char again[4096];
    int used = snprintf(again, sizeof again,
                        "{" RIGID ", 'name': 'hooks', 'density': 100, 'angular_velocities': [1,2,3, 0,0,4], "
                        "'rigid': {'form': 'compound', 'parts': [");
    assert_null(helper_find(got, "rigid.radius"));
    assert_null(helper_find(got, "rigid.parts.#2"));
    // A box of 2 x 1 x 0.5 m and a tetrahedron of 1 m^3.
    assert_true(fabs(protocol_array_f64_at(&masses, 0) - 200) < 1e-3);
    for (int i = 0; i < 2; i++) {
        static const char *const fields[2][3] = {{"half_extents", "position", "rotation"},
                                                 {"points", "position", "rotation"}};
        used += snprintf(again + used, sizeof again - (size_t)used, "%s{'form': '%s'", i > 0 ? ", " : "",
                         i > 0 ? "hull" : "box");
        for (int f = 0; f < 3; f++) {
            char path[64];
            snprintf(path, sizeof path, "rigid.parts.#%d.%s", i, fields[i][f]);
            const struct protocol_array array = helper_array(got, path, PROTOCOL_ARRAY_F64);
            used += snprintf(again + used, sizeof again - (size_t)used, ", '%s': [", fields[i][f]);
            for (uint32_t k = 0; k < array.count; k++) {
                used += snprintf(again + used, sizeof again - (size_t)used, "%s%.17g", k > 0 ? "," : "",
                                 protocol_array_f64_at(&array, k));
            }
            used += snprintf(again + used, sizeof again - (size_t)used, "]");
        }
        used += snprintf(again + used, sizeof again - (size_t)used, "}");
    }
    snprintf(again + used, sizeof again - (size_t)used, "]}}");
    const uint64_t start = helper_hash(helper);
    step(helper, 20);
    const uint64_t later = helper_hash(helper);
    assert_true(start != later);
    assert_saved(helper);
    const uint64_t on = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'hooks'}");
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == on);
    step(helper, 5);
    assert_saved(helper);
    helper_destroy(helper);

    helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", again);
    assert_true(helper_hash(helper) == start);
    step(helper, 20);
    assert_true(helper_hash(helper) == later);
    helper_destroy(helper);
}

static void a_held_piece_stands_and_others_do_not(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{" RIGID ", " BOX ", 'angular_velocities': [1,2,3, 1,2,3], 'pins': [1]}");
    step(helper, 10);
    const msgpack_object *told =
        helper_call(helper, HELPER_BOB, "body.state",
                    "{'world': 1, 'body': 1, 'fields': ['positions64', 'rotations64']}");
    const struct protocol_array turns = helper_array(told, "rotations64", PROTOCOL_ARRAY_F64);
    const struct protocol_array places = helper_array(told, "positions64", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&turns, 3) < 0.999 && protocol_array_f64_at(&turns, 7) == 1);
    assert_true(protocol_array_f64_at(&places, 1) < 0.99 && protocol_array_f64_at(&places, 4) == 1);
    assert_saved(helper);
    helper_destroy(helper);
}

static void what_is_no_rigid_body_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *error;
    } refusals[] = {
        {"body.add", "{" RIGID "}", "INVALID: rigid: missing"},
        {"body.add", "{" RIGID ", 'rigid': {}}", "INVALID: rigid.form: missing"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'sphere'}}", "INVALID: rigid.radius: missing; a sphere"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'box', 'radius': 1, 'half_extents': [1,1,1]}}",
         "INVALID: rigid.radius: must be absent of a box"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'capsule', 'radius': 1}}",
         "INVALID: rigid.half_height: missing"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'sphere', 'radius': 0}}", "INVALID: rigid.radius: 0 m"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'sphere', 'radius': 1e30}}",
         "INVALID: rigid.radius: 1e+30 m"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'hull'}}", "INVALID: rigid.points: missing; a hull"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'hull', 'points': [0,0,0, 1,0,0, 0,1,0, 1,1,0]}}",
         "INVALID: rigid.points: lie in a plane"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'sphere', 'radius': 1, 'points': [0,0,0]}}",
         "INVALID: rigid.points: must be absent of a sphere"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound'}}",
         "INVALID: rigid.parts: missing; a compound"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound', 'parts': []}}",
         "INVALID: rigid.parts: 0 parts"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'box', 'radius': 1}]}}",
         "INVALID: rigid.parts[0].radius: must be absent of a box"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'sphere'}]}}",
         "INVALID: rigid.parts[0].radius: missing; a sphere needs it"},
        {"body.add",
         "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'sphere', 'radius': 1, "
         "'rotation': [0,0,0,0]}]}}",
         "INVALID: rigid.parts[0].rotation: the length is 0"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'sphere', 'radius': 0}]}}",
         "INVALID: rigid.parts: [0]: radius: 0 m"},
        {"body.add", "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'compound'}]}}",
         "INVALID: rigid.parts[0].form"},
        {"body.add",
         "{" RIGID
         ", 'rigid': {'form': 'sphere', 'radius': 1, 'measures': {'volume': 1, 'inertia': [1,1,1]}}}",
         "INVALID: rigid.measures: must be absent; only a compound"},
        {"body.add",
         "{" RIGID ", 'rigid': {'form': 'compound', 'parts': [{'form': 'sphere', 'radius': 1}], 'measures': "
         "{'volume': 1, 'inertia': [1,1,3]}}}",
         "INVALID: rigid.measures.inertia: 1, 1, 3 m^2"},
        {"body.add", "{" RIGID ", " BOX ", 'rotations': [0,0,0,1]}", "INVALID: rotations"},
        {"body.add", "{" RIGID ", " BOX ", 'rotations': [0,0,0,1, 0,0,0,0]}",
         "INVALID: rotations: the length of element 1 is 0"},
        {"body.add", "{" RIGID ", " BOX ", 'angular_velocities': [0,0,0]}", "INVALID: angular_velocities"},
        {"body.add", "{" RIGID ", " BOX ", 'edges': [0,1]}", "INVALID: edges"},
        {"body.add", "{" RIGID ", " BOX ", 'weld': 0.1}", "INVALID: weld"},
        {"body.add", "{" RIGID ", " BOX ", 'shape': {}}", "INVALID: shape"},
        {"body.add", "{" RIGID ", " BOX ", 'pins': [0], 'clamps': [0]}", "INVALID: clamps"},
        {"body.add", "{'world': 1, 'kind': 'points', " PLACES ", " BOX "}", "INVALID: rigid: must be absent"},
        {"body.add", "{'world': 1, 'kind': 'points', " PLACES ", 'rotations': [0,0,0,1, 0,0,0,1]}",
         "INVALID: rotations: must be absent"},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'rotations': [0,0,0,1]}",
         "INVALID: rotations: must be absent"},
        {"particle.set", "{'world': 1, 'body': 2, 'particles': [0], 'rotations': [0,0,0,0]}",
         "INVALID: rotations: the length of element 0"},
        {"particle.set", "{'world': 1, 'body': 2, 'particles': [0], 'angular_velocities': [0,0,2e6]}",
         "INVALID: angular_velocities"},
    };
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', " PLACES "}");
    helper_call(helper, HELPER_ANN, "body.add", "{" RIGID ", " BOX "}");
    const uint64_t before = helper_hash(helper);
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
        const char *error = helper_error(helper, HELPER_ANN, refusals[r].method, refusals[r].notation);
        if (strncmp(error, refusals[r].error, strlen(refusals[r].error)) != 0) {
            fail_msg("%s: %s, and not %s", refusals[r].notation, error, refusals[r].error);
        }
        assert_true(helper_hash(helper) == before);
    }
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_body_is_made_told_and_brought_back),
        cmocka_unit_test(a_hull_is_made_told_and_brought_back),
        cmocka_unit_test(measures_are_told_and_brought_back),
        cmocka_unit_test(a_compound_is_made_told_and_brought_back),
        cmocka_unit_test(a_held_piece_stands_and_others_do_not),
        cmocka_unit_test(what_is_no_rigid_body_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
