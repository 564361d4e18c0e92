// Each method that changes or reads the document, and what each refuses. A refused edit changes nothing:
// neither the hash nor the revision.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Body 1 "sail": a cloth of four; body 2: a rope of three; body 3: a static point. Collider 1 "ball".
static struct helper *scene(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'sail', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1],"
                " 'triangles': [0,1,2, 1,3,2], 'stretch': {'compliance': 0.001, 'damping': 2}}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0], 'masses': [1, 2, 3],"
                " 'velocities': [0,0,0, 0,1,0, 0,0,0], 'pins': [2]}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [5, 5, 5], 'masses': 0}");
    helper_call(helper, HELPER_ANN, "collider.add",
                "{'world': 1, 'name': 'ball', 'kind': 'sphere', 'position': [0, -5, 0], 'radius': 2}");
    return helper;
}

struct refusal {
    const char *method, *notation, *error; // what the error begins with
};

static void each_refused_edit_changes_nothing(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        // Fields and types.
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'colour': 1}", "INVALID: "},
        {"body.add", "{'world': 1, 'positions': [0,0,0]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'soup', 'positions': [0,0,0]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': 'x'}", "INVALID: "},
        {"world.set", "{'world': 1, 'substeps': 0}", "INVALID: "},
        {"world.set", "{'world': 1, 'gravity': [0, 1]}", "INVALID: "},
        {"world.set", "{'world': 1, 'damping': -1}", "INVALID: "},
        {"world.set", "{'world': 1, 'name': ''}", "INVALID: "},
        // body.add
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': []}", "INVALID: positions: empty"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,nan]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,inf,0]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,1e7,0]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': -1}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': [1, 2]}",
         "INVALID: masses: length 2; must be 1"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'masses': 1, 'density': 1}",
         "INVALID: masses: must be absent"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'density': 0}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [0,0,0,0,0,0]}",
         "INVALID: velocities: length 6; must be 3"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [0,1e300,0]}",
         "INVALID: velocities: element 1 is 1e+300"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'triangles': [0,0,0]}",
         "INVALID: triangles: must be absent; they are for kind cloth"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'edges': [0,0]}",
         "INVALID: edges: must be absent; they are for kind rope"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'pins': [1]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'pins': [-1]}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'thickness': 2}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,1,0]}",
         "INVALID: triangles: missing"},
        {"body.add", "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,1,0], 'triangles': [0,1]}",
         "INVALID: "},
        {"body.add",
         "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,1,0], 'triangles': [0,1,3]}",
         "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0]}",
         "INVALID: positions: one particle; a rope needs"},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 1,0,0], 'edges': []}", "INVALID: "},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 100,0,0]}", "INVALID: "},
        {"body.add",
         "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 1,0,0],"
         " 'stretch': {'compliance': 1, 'stiffness': 0.5}}",
         "INVALID: stretch.stiffness: must be absent"},
        {"body.add",
         "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 1,0,0], 'stretch': {'compliance': -1}}",
         "INVALID: "},
        {"body.add", "{'world': 1, 'name': 'sail', 'kind': 'points', 'positions': [0,0,0]}",
         "CONFLICT: name \"sail\" is taken by body 1"},
        // body.set, body.remove
        {"body.set", "{'world': 1, 'body': 2, 'name': 'sail', 'thickness': 0.5}",
         "CONFLICT: name \"sail\" is taken by body 1"},
        {"body.set", "{'world': 1, 'body': 'main', 'thickness': 0.5}",
         "NOT_FOUND: body \"main\" does not exist in world \"flag\""},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0, 'stiffness': 1}}", "INVALID: "},
        {"body.set", "{'world': 1, 'body': 1, 'stretch': {'stiffness': 2}}", "INVALID: "},
        {"body.remove", "{'world': 1, 'body': 7}", "NOT_FOUND: body 7 does not exist in world \"flag\""},
        {"body.get", "{'world': 1, 'body': 7}", "NOT_FOUND: body 7 "},
        {"body.state", "{'world': 1, 'body': 1, 'fields': ['smell']}", "INVALID: "},
        // constraints
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': []}", "INVALID: "},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0]}", "INVALID: "},
        {"constraint.add", "{'world': 1, 'particles': [0, 3]}", "INVALID: body: give either body"},
        {"constraint.add", "{'world': 1, 'body': 1, 'bodies': [1, 1], 'particles': [0, 3]}",
         "INVALID: body: give either body"},
        {"constraint.add", "{'world': 1, 'bodies': [1], 'particles': [0, 3]}",
         "INVALID: bodies: length 1; must be 2"},
        {"constraint.add", "{'world': 1, 'bodies': [1, 9], 'particles': [0, 0]}", "NOT_FOUND: "},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0, 4]}", "INVALID: "},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0, 3], 'rest': -1}", "INVALID: "},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0, 3], 'rest': 100}", "INVALID: "},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0, 3], 'compliance': [0, 0]}",
         "INVALID: compliance: length 2; must be 1"},
        {"constraint.add", "{'world': 1, 'body': 1, 'particles': [0, 3, 0, 9], 'compliance': 1}",
         "INVALID: "},
        {"constraint.set", "{'world': 1, 'constraints': [1, 99], 'rest': 1}", "NOT_FOUND: "},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'compliance': -1}", "INVALID: "},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'rest': [1, 2]}", "INVALID: "},
        {"constraint.remove", "{'world': 1, 'constraints': [1, 99]}", "NOT_FOUND: "},
        // particles
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0, 4], 'positions': [0,0,0, 1,1,1]}",
         "INVALID: "},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0,0,0, 1,1,1]}",
         "INVALID: positions: length 6; must be 3"},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0, 0], 'positions': [0,0,0, 1,1,1]}",
         "INVALID: "},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'inverse_masses': -1}", "INVALID: "},
        {"particle.set", "{'world': 1, 'body': 1, 'particles': [0], 'velocities': [0, 1e200, 0]}",
         "INVALID: "},
        {"particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 9]}", "INVALID: "},
        {"particle.pin", "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0, 1e5, 0]}", "INVALID: "},
        {"particle.unpin", "{'world': 1, 'body': 9, 'particles': [0]}", "NOT_FOUND: "},
        // fields of force
        {"force.add", "{'world': 1, 'field': {}}", "INVALID: field.kind: missing"},
        {"force.add", "{'world': 1, 'field': {'kind': 'point', 'force': 1}}", "INVALID: field.force"},
        {"force.add", "{'world': 1, 'field': {'kind': 'drag', 'strength': -1}}", "INVALID: field.strength"},
        {"force.add", "{'world': 1, 'field': {'kind': 'vortex', 'axis': [0,0,0]}}", "INVALID: field.axis"},
        {"force.add", "{'world': 1, 'field': {'kind': 'point', 'core': 0}}", "INVALID: field.core"},
        {"force.add", "{'world': 1, 'field': {'kind': 'point', 'radius': -1}}", "INVALID: field.radius"},
        {"force.add",
         "{'world': 1, 'field': {'kind': 'drag', 'bodies': [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}}",
         "LIMIT: field.bodies"},
        {"force.set", "{'world': 1, 'force': 1, 'field': {}}", "NOT_FOUND: force"},
        {"force.remove", "{'world': 1, 'force': 7}", "NOT_FOUND: force"},
        // forces
        {"body.force", "{'world': 1, 'body': 1}", "INVALID: force is missing"},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1,0,0], 'forces': [1,0,0]}",
         "INVALID: force is given together with forces"},
        {"body.force", "{'world': 1, 'body': 1, 'forces': [1,0,0]}",
         "INVALID: forces is given without particles"},
        {"body.force", "{'world': 1, 'body': 1, 'particles': [0, 1], 'forces': [1,0,0]}",
         "INVALID: forces: length 3; must be 6"},
        {"body.force", "{'world': 1, 'body': 1, 'particles': [0, 9], 'force': [1,0,0]}", "INVALID: "},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1e39,0,0]}", "INVALID: force"},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1,0,0], 'seconds': 0}", "INVALID: seconds"},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1,0,0], 'seconds': 1, 'at_tick': 9}",
         "INVALID: at_tick"},
        {"body.force", "{'world': 1, 'body': 1, 'force': [1,0,0], 'at_tick': 4000000}",
         "INVALID: at_tick is 4000000"},
        {"body.force", "{'world': 1, 'body': 9, 'force': [1,0,0]}", "NOT_FOUND: "},
        {"body.set", "{'world': 1, 'body': 1, 'gravity': [1, 2]}", "INVALID: gravity: 2 numbers"},
        {"body.set", "{'world': 1, 'body': 1, 'gravity': [1, 2, 1e9]}", "INVALID: gravity"},
        // grabs
        {"grab.begin", "{'world': 1, 'body': 1, 'particle': 4}",
         "INVALID: particle: 4; body 1 has 4 (0 to 3)"},
        {"grab.begin", "{'world': 1, 'body': 2, 'particle': 2}", "CONFLICT: "},
        {"grab.begin", "{'world': 1, 'body': 3, 'particle': 0}", "CONFLICT: "},
        {"grab.begin", "{'world': 1, 'body': 1, 'particle': 0, 'compliance': -1}", "INVALID: "},
        {"grab.begin", "{'world': 1, 'body': 1, 'particle': 0, 'target': [nan, 0, 0]}", "INVALID: "},
        {"grab.move", "{'world': 1, 'grab': 1, 'target': [0, 0, 0]}", "NOT_FOUND: "},
        // colliders
        {"collider.add", "{'world': 1, 'name': 'ball', 'kind': 'plane'}",
         "CONFLICT: name \"ball\" is taken by collider 1"},
        {"collider.add", "{'world': 1, 'kind': 'plane', 'normal': [0, 0, 0]}", "INVALID: "},
        {"collider.add", "{'world': 1, 'kind': 'sphere', 'radius': 0}", "INVALID: "},
        {"collider.set", "{'world': 1, 'collider': 'box'}", "NOT_FOUND: collider \"box\" does not exist"},
        {"collider.set", "{'world': 1, 'collider': 1, 'friction': -1}", "INVALID: "},
        {"collider.remove", "{'world': 1, 'collider': 2}", "NOT_FOUND: "},
        // streams
        {"stream.subscribe", "{'world': 1, 'bodies': [1, 8]}", "NOT_FOUND: body 8 does not exist"},
        {"stream.subscribe", "{'world': 1, 'every': 0}", "INVALID: "},
        {"stream.set", "{'stream': 5}", "NOT_FOUND: stream 5 does not belong to this session"},
        {"stream.unsubscribe", "{'stream': 5}", "NOT_FOUND: "},
    };
    struct helper *helper = scene();
    uint64_t hash = helper_hash(helper), revision = helper->world->document->revision;
    for (uint32_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *refusal = &refusals[i];
        const char *error = helper_error(helper, HELPER_ANN, refusal->method, refusal->notation);
        if (strncmp(error, refusal->error, strlen(refusal->error)) != 0) {
            fail_msg("%s %s\n  gave %s", refusal->method, refusal->notation, error);
        }
        if (helper_hash(helper) != hash || helper->world->document->revision != revision) {
            fail_msg("%s %s changed the world", refusal->method, refusal->notation);
        }
    }
    assert_int_equal(helper->world->document->bodies.count, 3);
    assert_int_equal(helper->world->frames->streams.count, 0);
    helper_destroy(helper);
}

static void settings_are_set_one_by_one(void **state)
{
    (void)state;
    struct helper *helper = scene();
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'name': 'ship', 'substeps': 7}");
    const struct world_event *reply = helper->events[helper->event_count - 1];
    assert_true(reply->granted && reply->claim.held);
    assert_int_equal(reply->claim.id, HELPER_CLAIM);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [1, 2, 3], 'damping': 0.5}");
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    helper_assert_text(got, "name", "ship");
    assert_int_equal(helper_number(got, "substeps"), 7);
    assert_true(helper_number(got, "gravity.#2") == 3);
    assert_true(helper_number(got, "damping") == 0.5);
    assert_int_equal(helper_number(got, "tick_rate"), 60);
    assert_int_equal(helper_number(got, "revision"), 6);
    helper_destroy(helper);
}

static void a_body_reads_back_as_it_was_given(void **state)
{
    (void)state;
    struct helper *helper = scene();
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 'sail'}");
    helper_assert_text(got, "kind", "cloth");
    assert_int_equal(helper_number(got, "particles"), 4);
    struct protocol_array triangles = helper_array(got, "triangles", PROTOCOL_ARRAY_U32);
    assert_int_equal(triangles.count, 6);
    assert_true(protocol_array_f64_at(&triangles, 4) == 3);
    struct protocol_array positions = helper_array(got, "positions", PROTOCOL_ARRAY_F64);
    assert_int_equal(positions.type, PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&positions, 3) == 1);
    assert_true(helper_number(got, "stretch.compliance") == 0.001);
    assert_true(helper_number(got, "stretch.damping") == 2);
    assert_null(helper_find(got, "stretch.stiffness"));
    assert_int_equal(helper_number(got, "constraints.distance.count"), 5);

    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 2}");
    struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    assert_true(fabs(protocol_array_f64_at(&masses, 2) - 3) < 1e-6); // pinned ones keep theirs
    struct protocol_array edges = helper_array(got, "edges", PROTOCOL_ARRAY_U32);
    assert_int_equal(edges.count, 4);
    assert_true(protocol_array_f64_at(&edges, 3) == 2);
    helper_destroy(helper);
}

static void a_partial_material_keeps_the_rest(void **state)
{
    (void)state;
    struct helper *helper = scene();
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.5}}");
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "stretch.compliance") == 0.5);
    assert_true(helper_number(got, "stretch.damping") == 2);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'stiffness': 0.25}}");
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "stretch.stiffness") == 0.25);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'damping': 1}}");
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "stretch.stiffness") == 0.25);
    assert_true(helper_number(got, "stretch.damping") == 1);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.125}}");
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "stretch.stiffness"));
    assert_true(helper_number(got, "stretch.compliance") == 0.125);
    helper_destroy(helper);
}

static void names_are_free_again_after_a_removal(void **state)
{
    (void)state;
    struct helper *helper = scene();
    helper_call(helper, HELPER_ANN, "body.set",
                "{'world': 1, 'body': 'sail', 'name': 'sail', 'thickness': 0.1}");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'sail', 'name': ''}");
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 2, 'name': 'sail'}");
    helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 'sail'}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'sail', 'kind': 'points', 'positions': [0,0,0]}");
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 'sail'}");
    assert_int_equal(helper_number(got, "body"), 4);
    helper_destroy(helper);
}

static void loose_constraints_come_and_go_with_bodies(void **state)
{
    (void)state;
    struct helper *helper = scene();
    const msgpack_object *added =
        helper_call(helper, HELPER_ANN, "constraint.add",
                    "{'world': 1, 'bodies': [1, 2, 2, 3, 1, 3], 'particles': [0, 0, 1, 0, 3, 0],"
                    " 'compliance': [1, 2, 3], 'damping': 0.5}");
    struct protocol_array ids = helper_array(added, "constraints", PROTOCOL_ARRAY_U32);
    assert_int_equal(ids.count, 3);
    double first = protocol_array_f64_at(&ids, 0);
    assert_true(first == 8); // after five edges of the cloth and two of the rope
    const msgpack_object *list =
        helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1, 'body': 3, 'limit': 1}");
    assert_int_equal(helper_number(list, "next"), 9);
    assert_true(helper_number(list, "revision") == 5);
    list =
        helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1, 'body': 3, 'limit': 1, 'after': 9}");
    ids = helper_array(list, "constraints", PROTOCOL_ARRAY_U32);
    assert_int_equal(ids.count, 1);
    assert_true(protocol_array_f64_at(&ids, 0) == 10);
    assert_int_equal(helper_number(list, "next"), 0);
    struct protocol_array damping = helper_array(list, "damping", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&damping, 0) == 0.5);
    struct protocol_array bodies = helper_array(list, "bodies", PROTOCOL_ARRAY_U32);
    assert_int_equal(bodies.count, 2);
    assert_true(protocol_array_f64_at(&bodies, 1) == 3);

    list = helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1}");
    ids = helper_array(list, "constraints", PROTOCOL_ARRAY_U32);
    assert_int_equal(ids.count, 10);

    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [10, 1], 'rest': [0.5, 2]}");
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [9]}");
    const msgpack_object *removed = helper_call(helper, HELPER_ANN, "body.remove", "{'world': 1, 'body': 3}");
    ids = helper_array(removed, "constraints", PROTOCOL_ARRAY_U32);
    assert_int_equal(ids.count, 1);
    assert_true(protocol_array_f64_at(&ids, 0) == 10);
    helper_destroy(helper);
}

// If one number may stand for all, an array of one does too, however many there are.
static void an_array_of_one_counts_for_all(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0, 0, 0, 1, 0, 0, 2, 0, 0], 'masses': [2]}");
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    struct protocol_array masses = helper_array(got, "masses", PROTOCOL_ARRAY_F64);
    assert_true(masses.count == 3 && protocol_array_f64_at(&masses, 2) == 2);
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'body': 1, 'particles': [0, 1, 1, 2], 'rest': [0.5], 'compliance': [0.25], "
                "'damping': [0.125]}");
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [1, 2], 'rest': [0.75]}");
    helper_call(helper, HELPER_ANN, "particle.set",
                "{'world': 1, 'body': 1, 'particles': [0, 1, 2], 'inverse_masses': [4]}");
    const msgpack_object *list = helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1}");
    static const struct {
        const char *name;
        double value;
    } fields[] = {{"rest", 0.75}, {"compliance", 0.25}, {"damping", 0.125}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        struct protocol_array array = helper_array(list, fields[i].name, PROTOCOL_ARRAY_F64);
        assert_int_equal(array.count, 2);
        assert_true(protocol_array_f64_at(&array, 0) == fields[i].value);
        assert_true(protocol_array_f64_at(&array, 1) == fields[i].value);
    }
    helper_call(helper, HELPER_ANN, "constraint.set",
                "{'world': 1, 'constraints': [1, 2], 'stiffness': [0.5]}");
    assert_non_null(strstr(
        helper_error(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [1, 2], 'rest': []}"),
        "length 0; must be 2"));
    helper_destroy(helper);
}

static void colliders_are_set_field_by_field(void **state)
{
    (void)state;
    struct helper *helper = scene();
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'plane', 'normal': [0, 2, 0]}");
    helper_call(helper, HELPER_ANN, "collider.set", "{'world': 1, 'collider': 'ball', 'radius': 3}");
    helper_call(helper, HELPER_ANN, "collider.set", "{'world': 1, 'collider': 2, 'name': 'ground'}");
    const msgpack_object *document = helper_call(helper, HELPER_ANN, "world.join", "{'world': 1}");
    assert_true(helper_number(document, "colliders.#0.radius") == 3);
    assert_true(helper_number(document, "colliders.#0.position.#1") == -5);
    assert_true(helper_number(document, "colliders.#1.normal.#1") == 1);
    helper_assert_text(document, "colliders.#1.name", "ground");
    helper_call(helper, HELPER_ANN, "collider.remove", "{'world': 1, 'collider': 'ball'}");
    helper_call(helper, HELPER_ANN, "collider.remove", "{'world': 1, 'collider': 'ground'}");
    assert_int_equal(helper->world->document->colliders.count, 0);
    helper_destroy(helper);
}

static void pins_hold_and_let_go(void **state)
{
    (void)state;
    struct helper *helper = scene();
    helper_call(helper, HELPER_ANN, "particle.pin", "{'world': 1, 'body': 1, 'particles': [0, 1]}");
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0, 0.5, 0]}");
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1}");
    const msgpack_object *found = helper_call(
        helper, HELPER_ANN, "body.state", "{'world': 1, 'body': 1, 'fields': ['positions64', 'normals']}");
    struct protocol_array positions = helper_array(found, "positions64", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&positions, 1) == 0.5);
    assert_true(protocol_array_f64_at(&positions, 4) == 0);
    assert_true(protocol_array_f64_at(&positions, 7) < 0.1);
    assert_null(helper_find(found, "positions"));
    helper_call(helper, HELPER_ANN, "particle.unpin", "{'world': 1, 'body': 1, 'particles': [0, 1]}");
    assert_memory_equal(helper_error(helper, HELPER_ANN, "particle.set",
                                     "{'world': 1, 'body': 1, 'particles': [7], 'inverse_masses': 1}"),
                        "INVALID", 7);
    helper_destroy(helper);
}

static void arrays_come_in_the_mode_that_was_asked_for(void **state)
{
    (void)state;
    static const int types[] = {MSGPACK_OBJECT_EXT, MSGPACK_OBJECT_BIN, MSGPACK_OBJECT_ARRAY};
    struct helper *helper = scene();
    for (uint32_t mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        helper->arrays = (enum protocol_arrays_mode)mode;
        const msgpack_object *found =
            helper_call(helper, HELPER_ANN, "body.state", "{'world': 1, 'body': 2}");
        assert_int_equal(helper_at(found, "positions")->type, types[mode]);
        struct protocol_array positions = helper_array(found, "positions", PROTOCOL_ARRAY_F32);
        assert_int_equal(positions.count, 9);
        assert_true(protocol_array_f64_at(&positions, 6) == 2);
    }
    helper_destroy(helper);
}

static void the_same_edits_give_the_same_hash(void **state)
{
    (void)state;
    struct helper *one = scene(), *other = scene();
    for (uint32_t i = 0; i < 5; i++) {
        helper_call(one, HELPER_ANN, "world.step", "{'world': 1}");
        helper_call(other, HELPER_ANN, "stream.subscribe", "{'world': 1, 'unit': 'substep'}");
    }
    helper_post(other, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(other, 5);
    assert_int_equal(other->world->document->tick, 5);
    const msgpack_object *left = helper_call(one, HELPER_ANN, "world.hash", "{'world': 1}");
    const msgpack_object *right = helper_call(other, HELPER_ANN, "world.hash", "{'world': 1}");
    assert_memory_equal(helper_at(left, "hash")->via.str.ptr, helper_at(right, "hash")->via.str.ptr, 16);
    helper_destroy(one);
    helper_destroy(other);
}

static void limits_are_named(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    for (uint32_t i = 0; i < PROTOCOL_LIMIT_COLLIDERS; i++) {
        helper_post(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'plane'}");
    }
    helper_turns_until_idle(helper);
    uint64_t hash = helper_hash(helper);
    const char *error = helper_error(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'plane'}");
    assert_memory_equal(error, "LIMIT", 5);
    assert_non_null(strstr(error, "colliders"));
    assert_true(helper_hash(helper) == hash);
    assert_int_equal(helper->world->document->colliders.count, PROTOCOL_LIMIT_COLLIDERS);
    helper_destroy(helper);
}

// By their positions in the document: 1 to 3 are bodies, 4 is the collider.
static uint64_t touched(struct helper *helper, uint32_t thing, uint32_t session, const char *person)
{
    const struct document *document = helper->world->document;
    const struct document_touch *touch =
        thing < 4 ? &document->bodies.items[thing - 1].touched : &document->colliders.items[0].touched;
    assert_int_equal(touch->session, session);
    assert_string_equal(touch->person, person);
    return touch->revision;
}

static void things_tell_which_edit_concerned_them_last(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation;
        uint32_t concerned[5]; // things; 0 ends
    } edits[] = {
        {"body.set", "{'world': 1, 'body': 2, 'thickness': 0.1}", {2}},
        {"particle.pin", "{'world': 1, 'body': 'sail', 'particles': [0]}", {1}},
        {"particle.set", "{'world': 1, 'body': 2, 'particles': [0], 'velocities': [0,1,0]}", {2}},
        {"particle.unpin", "{'world': 1, 'body': 'sail', 'particles': [0]}", {1}},
        {"body.force", "{'world': 1, 'body': 2, 'force': [0,0,0]}", {2}},
        {"constraint.add", "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 0]}", {1, 2}},
        {"constraint.set", "{'world': 1, 'constraints': [1], 'compliance': 0.1}", {1}},
        {"constraint.set", "{'world': 1, 'constraints': [8, 1], 'compliance': 0.1}", {1, 2}},
        {"constraint.remove", "{'world': 1, 'constraints': [8]}", {1, 2}},
        {"collider.set", "{'world': 1, 'collider': 'ball', 'radius': 1}", {4}},
        {"motion.add", "{'world': 1, 'collider': 1, 'times': [0, 1], 'offsets': [0,0,0, 1,0,0]}", {4}},
        {"motion.add",
         "{'world': 1, 'body': 2, 'particles': [2], 'times': [0, 1], 'offsets': [0,0,0, 1,0,0]}",
         {2}},
        {"motion.remove", "{'world': 1, 'motion': 1}", {4}},
        {"world.set", "{'world': 1, 'damping': 1}", {0}},
        {"world.reset", "{'world': 1}", {1, 2, 3, 4}},
    };
    struct helper *helper = scene();
    uint64_t last[5] = {0, 1, 2, 3, 4}, revision = 4;
    uint32_t session[5] = {0, HELPER_ANN, HELPER_ANN, HELPER_ANN, HELPER_ANN};
    for (uint32_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        const uint32_t who = e % 2 == 0 ? HELPER_BOB : HELPER_ANN;
        helper_call(helper, who, edits[e].method, edits[e].notation);
        revision++;
        for (uint32_t c = 0; c < 5 && edits[e].concerned[c] != 0; c++) {
            last[edits[e].concerned[c]] = revision;
            session[edits[e].concerned[c]] = who;
        }
        for (uint32_t thing = 1; thing < 5; thing++) {
            static const char *const persons[] = {[HELPER_ANN] = "ann", [HELPER_BOB] = "bob"};
            assert_int_equal(touched(helper, thing, session[thing], persons[session[thing]]), last[thing]);
        }
    }
    const msgpack_object *joined = helper_call(helper, HELPER_EVE, "world.join", "{'world': 1}");
    assert_int_equal(helper_number(joined, "bodies.#1.touched.revision"), revision);
    assert_int_equal(helper_number(joined, "colliders.#0.touched.session"), session[4]);
    const msgpack_object *got = helper_call(helper, HELPER_EVE, "body.get", "{'world': 1, 'body': 1}");
    assert_int_equal(helper_number(got, "touched.revision"), revision);
    helper_destroy(helper);
}

// ---------------------------------------------------------------------------------------------------------
// Scenes in millimetres: ranges follow the resolution, and what is refused says so

static void of_millimetres(struct protocol_world_create_params *settings)
{
    settings->resolution = 1.0 / (1 << 17); // 1024 times the default
    settings->gravity[1] = -9810;
}

static void ranges_follow_the_resolution(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *most; // what a world of the default resolution says
    } cases[] = {
        {"world.set", "{'world': 1, 'gravity': [0, -9810, 0]}",
         "gravity: -9810 m/s^2; must be in [-1000, 1000]"},
        {"world.set", "{'world': 1, 'wind': {'velocity': [5000, 0, 0]}}",
         "wind.velocity: 5000 m/s; must be in [-300, 300]"},
        {"world.set", "{'world': 1, 'wind': {'gusts': 500}}", "wind.gusts: 500 m/s; must be in [0, 60]"},
        {"edit.restore", "{'world': 1, 'settings': {'gravity': [0, -9810, 0]}}",
         "settings.gravity: -9810 m/s^2; must be in [-1000, 1000]"},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 20,0,0]}",
         "positions: the edge from 0 to 1 is 20 m long; at most 8 m"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'thickness': 5}",
         "thickness: 5 m; must be in [0, 1]"},
        {"body.add", "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 4,0,0], 'weld': 2}",
         "weld: 2 m; must be in [0, 1]"},
        {"body.set", "{'world': 1, 'body': 1, 'thickness': 5}", "thickness: 5 m; must be in [0, 1]"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [0,3000,0]}",
         "velocities: element 1 is 3000 m/s; must be in [-240, 240]"},
        {"particle.pin", "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0,0,50]}",
         "positions: 50 m is 50 m from where particle 0 is; at most 4 m in a tick"},
        {"constraint.add", "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 0]}",
         "particles: those of constraint 0 are 30 m apart; at most 8 m"},
        {"motion.add", "{'world': 1, 'collider': 1, 'times': [0, 9], 'offsets': [0,0,0, 0,5000,0]}",
         "offsets: element 4 is 5000 m; must be in [-1000, 1000]"},
        {"motion.add",
         "{'world': 1, 'body': 1, 'particles': [0], 'times': [0, 9], 'offsets': [0,0,0, 0,0,0], 'poses': "
         "[0,0,0, 0,5000,0]}",
         "poses: element 4 is 5000 m; must be in [-1000, 1000]"},
    };
    for (int coarse = 0; coarse < 2; coarse++) {
        struct helper *helper = helper_create(coarse ? of_millimetres : NULL);
        helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0]}");
        helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', 'positions': [30,0,0]}");
        helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'sphere'}");
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (coarse) {
                helper_call(helper, HELPER_ANN, cases[i].method, cases[i].notation);
                continue;
            }
            char text[256];
            snprintf(text, sizeof text, "INVALID: %s; a coarser resolution of the world allows more",
                     cases[i].most);
            assert_string_equal(helper_error(helper, HELPER_ANN, cases[i].method, cases[i].notation), text);
        }
        helper_destroy(helper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_follow_the_resolution),
        cmocka_unit_test(each_refused_edit_changes_nothing),
        cmocka_unit_test(settings_are_set_one_by_one),
        cmocka_unit_test(a_body_reads_back_as_it_was_given),
        cmocka_unit_test(a_partial_material_keeps_the_rest),
        cmocka_unit_test(names_are_free_again_after_a_removal),
        cmocka_unit_test(loose_constraints_come_and_go_with_bodies),
        cmocka_unit_test(an_array_of_one_counts_for_all),
        cmocka_unit_test(colliders_are_set_field_by_field),
        cmocka_unit_test(pins_hold_and_let_go),
        cmocka_unit_test(arrays_come_in_the_mode_that_was_asked_for),
        cmocka_unit_test(the_same_edits_give_the_same_hash),
        cmocka_unit_test(limits_are_named),
        cmocka_unit_test(things_tell_which_edit_concerned_them_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
