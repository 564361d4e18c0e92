// Wind, welding and forces as requests give them and answers tell them.
#include "helper_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void assert_wind(struct helper *helper, double x, double drag, double lift, double density)
{
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(got, "wind.velocity.#0") == x);
    assert_true(helper_number(got, "wind.drag") == drag);
    assert_true(helper_number(got, "wind.lift") == lift);
    assert_true(helper_number(got, "wind.density") == density);
}

static void what_is_not_said_of_the_wind_stays(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    assert_wind(helper, 0, 1, 0, 0);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'velocity': [4, 0, 0]}}");
    assert_wind(helper, 4, 1, 0, 1.2);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'lift': 0.5, 'drag': 0.25}}");
    assert_wind(helper, 4, 0.25, 0.5, 1.2);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'damping': 1}");
    assert_wind(helper, 4, 0.25, 0.5, 1.2);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'density': 0}}");
    assert_wind(helper, 4, 0.25, 0.5, 0);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'density': 2}}");
    assert_wind(helper, 4, 0.25, 0.5, 2);
    helper_destroy(helper);
}

// The parts of gusts, of which absent ones are -1.
static void assert_gusts(struct helper *helper, double gusts, double length, double seed)
{
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    const struct {
        const char *field;
        double value;
    } parts[] = {{"wind.gusts", gusts}, {"wind.gust_length", length}, {"wind.gust_seed", seed}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].value < 0) {
            assert_null(helper_find(got, parts[i].field));
        } else {
            assert_true(helper_number(got, parts[i].field) == parts[i].value);
        }
    }
}

static void gusts_are_set_forgotten_undone_and_go_on(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'velocity': [3, 0, 0]}}");
    assert_gusts(helper, -1, -1, -1);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'gust_seed': 4}}"); // of no gusts
    assert_gusts(helper, -1, -1, -1);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'gusts': 2, 'gust_seed': 4}}");
    assert_gusts(helper, 2, 10, 4);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 60}");
    helper_turns(helper, 62);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    const double way = helper_number(got, "wind.gust_way.#0");
    assert_true(fabs(way - 3) < 1e-5);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'gust_length': 2}}");
    assert_gusts(helper, 2, 2, 4);
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(got, "wind.gust_way.#0") == way); // goes on
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'wind': {'gusts': 0}}");
    assert_gusts(helper, -1, -1, -1);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_gusts(helper, 2, 2, 4);
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(got, "wind.gust_way.#0") == way);
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(got, "wind.gust_way.#0") == 0);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    got = helper_call(helper, HELPER_ANN, "world.get", "{'world': 1}");
    assert_true(helper_number(got, "wind.gust_way.#0") == way);
    helper_destroy(helper);
}

static void forces_and_gravity_are_told_undone_and_end(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0, 1,0,0], 'masses': 1, 'force': [0,0,2],"
                " 'gravity': [0,0,0]}");
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_true(helper_number(got, "force.#2") == 2 && helper_number(got, "gravity.#1") == 0);
    assert_null(helper_find(got, "force_ticks"));
    assert_null(helper_find(got, "forced"));
    helper_call(helper, HELPER_ANN, "body.force",
                "{'world': 1, 'body': 1, 'particles': [1, 0], 'forces': [1,0,0, 2,0,0], 'seconds': 0.5}");
    helper_call(helper, HELPER_ANN, "body.force",
                "{'world': 1, 'body': 1, 'particles': [0], 'force': [3,0,0]}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 10}");
    helper_turns(helper, 12);
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    struct protocol_array forces = helper_array(got, "forces", PROTOCOL_ARRAY_F64);
    struct protocol_array ticks = helper_array(got, "forces_ticks", PROTOCOL_ARRAY_U32);
    assert_true(protocol_array_f64_at(&forces, 0) == 3 && protocol_array_f64_at(&forces, 3) == 1);
    assert_true(protocol_array_f64_at(&ticks, 0) == 0 && protocol_array_f64_at(&ticks, 1) == 20);
    const uint64_t before = sim_hash(helper->world->document->sim);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 1, 'gravity': []}");
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "gravity"));
    helper_call(helper, HELPER_ANN, "body.force", "{'world': 1, 'body': 1, 'force': [0,0,0]}");
    helper_call(helper, HELPER_ANN, "body.force",
                "{'world': 1, 'body': 1, 'particles': [0, 1], 'force': [0,0,0]}");
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    assert_null(helper_find(got, "forces"));
    assert_null(helper_find(got, "force"));
    for (int i = 0; i < 3; i++) {
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    }
    assert_true(sim_hash(helper->world->document->sim) == before);
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    forces = helper_array(got, "forces", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&forces, 3) == 1 && helper_number(got, "force.#2") == 2 &&
                helper_number(got, "gravity.#0") == 0);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 20}");
    helper_turns(helper, 22);
    got = helper_call(helper, HELPER_ANN, "body.get", "{'world': 1, 'body': 1}");
    forces = helper_array(got, "forces", PROTOCOL_ARRAY_F64);
    assert_int_equal(forces.count, 3); // the other one is over
    helper_destroy(helper);
}

static void fields_of_force_are_told_saved_and_undone(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const msgpack_object *got = helper_call(helper, HELPER_ANN, "force.add",
                                            "{'world': 1, 'field': {'kind': 'point', 'position': [1,2,3], "
                                            "'falloff': 'inverse', 'bodies': [7, 9]}}");
    assert_true(helper_number(got, "force") == 1);
    got = helper_call(helper, HELPER_ANN, "force.add", "{'world': 1, 'field': {'kind': 'drag'}}");
    assert_true(helper_number(got, "force") == 2);
    helper_call(helper, HELPER_ANN, "force.set", "{'world': 1, 'force': 1, 'field': {'strength': -4}}");
    got = helper_call(helper, HELPER_ANN, "force.list", "{'world': 1}");
    assert_true(helper_number(got, "fields.#0.strength") == -4 &&
                helper_number(got, "fields.#0.position.#2") == 3);
    assert_true(helper_number(got, "fields.#0.core") == 0.01 && helper_number(got, "fields.#1.force") == 2);
    const uint64_t before = sim_hash(helper->world->document->sim);
    helper_call(helper, HELPER_ANN, "force.remove", "{'world': 1, 'force': 1}");
    got = helper_call(helper, HELPER_ANN, "force.list", "{'world': 1}");
    assert_true(helper_number(got, "fields.#0.force") == 2);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(sim_hash(helper->world->document->sim) == before);
    for (int i = 0; i < 3; i++) {
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    }
    // All is what it was, except the next id: theirs are never given again.
    assert_true(sim_settings_of(helper->world->document->sim)->forces.count == 0);
    got = helper_call(helper, HELPER_ANN, "force.add", "{'world': 1, 'field': {'kind': 'drag'}}");
    assert_true(helper_number(got, "force") == 3);
    helper_destroy(helper);
}

static void welded_vertices_are_told_and_only_if_asked_for(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const msgpack_object *made = helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 1,0,0, 1,0,0, 2,0,0], 'edges': [0,1, 2,3],"
        " 'weld': 0}");
    static const uint32_t want[] = {0, 1, 1, 2};
    struct protocol_array welded = helper_array(made, "welded", PROTOCOL_ARRAY_U32);
    assert_int_equal(welded.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(protocol_array_f64_at(&welded, i) == want[i]);
    }
    assert_true(helper_number(made, "particles") == 3);
    made = helper_call(helper, HELPER_ANN, "body.add",
                       "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 1,0,0]}");
    assert_null(helper_find(made, "welded"));
    helper_destroy(helper);
}

static void forces_are_those_of_the_last_tick_and_asking_changes_nothing(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'rope', 'positions': [0,0,0, 0,-1,0], 'masses': 2, 'pins': [0],"
                " 'stretch': {'compliance': 0.001}}");
    const msgpack_object *listed = helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1}");
    assert_null(helper_find(listed, "forces"));
    assert_null(helper_find(listed, "forces_from"));
    listed = helper_call(helper, HELPER_ANN, "constraint.list", "{'world': 1, 'forces': true}");
    assert_true(helper_number(listed, "forces_from") == 1); // there was no tick yet
    struct protocol_array forces = helper_array(listed, "forces", PROTOCOL_ARRAY_F64);
    assert_true(protocol_array_f64_at(&forces, 0) == 0);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 3}");
    helper_turns(helper, 4);
    uint64_t before = helper_hash(helper);
    for (int i = 0; i < 2; i++) { // asking changes nothing
        listed = helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'forces': true}");
        assert_true(helper_number(listed, "forces_from") == helper_number(listed, "tick"));
        forces = helper_array(listed, "forces", PROTOCOL_ARRAY_F64);
        assert_int_equal(forces.count, 1);
        assert_true(protocol_array_f64_at(&forces, 0) < -1); // it pulls
    }
    assert_true(helper_hash(helper) == before);
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'long_edges': true}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    before = helper_hash(helper);
    listed = helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'forces': true}");
    forces = helper_array(listed, "long_forces", PROTOCOL_ARRAY_F64);
    assert_true(forces.count == 1 && protocol_array_f64_at(&forces, 0) == 0); // a spring without a limit
    listed = helper_call(helper, HELPER_BOB, "constraint.list",
                         "{'world': 1, 'forces': true, 'type': 'quadratic'}");
    assert_null(helper_find(listed, "long_forces"));
    assert_true(helper_hash(helper) == before);
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [1], 'compliance': 1}");
    listed = helper_call(helper, HELPER_BOB, "constraint.list", "{'world': 1, 'forces': true}");
    assert_true(helper_number(listed, "forces_from") == helper_number(listed, "tick") + 1);
    helper_destroy(helper);
}

static void a_rotation_of_zeros_is_refused(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'box'}");
    uint64_t before = helper_hash(helper);
    helper_error(helper, HELPER_ANN, "collider.add", "{'world': 1, 'kind': 'box', 'rotation': [0, 0, 0, 0]}");
    helper_error(helper, HELPER_ANN, "collider.set", "{'world': 1, 'collider': 1, 'rotation': [0, 0, 0, 0]}");
    assert_true(helper_hash(helper) == before);
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_said_of_the_wind_stays),
        cmocka_unit_test(fields_of_force_are_told_saved_and_undone),
        cmocka_unit_test(forces_and_gravity_are_told_undone_and_end),
        cmocka_unit_test(gusts_are_set_forgotten_undone_and_go_on),
        cmocka_unit_test(welded_vertices_are_told_and_only_if_asked_for),
        cmocka_unit_test(forces_are_those_of_the_last_tick_and_asking_changes_nothing),
        cmocka_unit_test(a_rotation_of_zeros_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
