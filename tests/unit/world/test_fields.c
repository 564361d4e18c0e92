// Undo by field: two people who change different fields of one thing are not in each other's way, a conflict names each field, and
// force says what it overwrites.
#include "helper_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct sim_settings *settings(const struct helper *helper)
{
    return sim_settings_of(helper->world->document->sim);
}

static struct sim_body_info body(const struct helper *helper)
{
    struct sim_body_info info;
    assert_true(sim_body_info(helper->world->document->sim, 1, &info));
    return info;
}

static void ann(struct helper *helper, const char *method, const char *notation)
{
    helper_call(helper, HELPER_ANN, method, notation);
}

static void bob(struct helper *helper, const char *method, const char *notation)
{
    helper_call(helper, HELPER_BOB, method, notation);
}

static void assert_text(const msgpack_object *map, const char *path, const char *wanted)
{
    const msgpack_object *text = helper_at(map, path);
    assert_int_equal(text->type, MSGPACK_OBJECT_STR);
    assert_int_equal(text->via.str.size, strlen(wanted));
    assert_memory_equal(text->via.str.ptr, wanted, strlen(wanted));
}

static void fields_of_a_map_are_apart(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    ann(helper, "body.add",
        "{'world': 1, 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], 'triangles': [0,2,1, "
        "1,2,3], "
        "'bend': {'model': 'dihedral'}}");
    ann(helper, "world.set", "{'world': 1, 'wind': {'velocity': [1, 0, 0]}}");
    ann(helper, "world.set", "{'world': 1, 'wind': {'velocity': [2, 0, 0]}}");
    bob(helper, "world.set", "{'world': 1, 'wind': {'drag': 0.5}}");
    ann(helper, "edit.undo", "{'world': 1}");
    assert_true(settings(helper)->wind.velocity[0] == 1 && settings(helper)->wind.drag == 0.5);
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.001}}");
    bob(helper, "body.set", "{'world': 1, 'body': 1, 'stretch': {'damping': 2}}");
    ann(helper, "edit.undo", "{'world': 1}");
    assert_true(body(helper).stretch.compliance == 0 && body(helper).stretch.damping == 2);
    bob(helper, "edit.undo", "{'world': 1}");
    assert_true(body(helper).stretch.damping == 0);
    ann(helper, "edit.redo", "{'world': 1}");
    assert_true(body(helper).stretch.compliance == 0.001);
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'plastic': {'rate': 5}}}");
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'plastic': {'rate': 9}}}");
    bob(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'plastic': {'greatest': 1}}}");
    ann(helper, "edit.undo", "{'world': 1}");
    assert_true(body(helper).bend.plastic.rate == 5 && body(helper).bend.plastic.greatest == 1);
    helper_destroy(helper);
}

static void fields_of_other_things_are_apart(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct sim *sim = helper->world->document->sim;
    struct sim_collider ball;
    struct sim_constraint edge;
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail");
    ann(helper, "collider.add", "{'world': 1, 'kind': 'capsule', 'radius': 0.3}");
    ann(helper, "collider.set", "{'world': 1, 'collider': 1, 'position': [1, 0, 0]}");
    bob(helper, "collider.set", "{'world': 1, 'collider': 1, 'rotation': [0, 1, 0, 0]}");
    ann(helper, "edit.undo", "{'world': 1}");
    sim_collider_at(sim, 0, &ball);
    assert_true(ball.position[0] == 0 && ball.rotation[1] == 1);
    ann(helper, "collider.set", "{'world': 1, 'collider': 1, 'radius': 0.5}");
    bob(helper, "collider.set", "{'world': 1, 'collider': 1, 'length': 3}");
    ann(helper, "edit.undo", "{'world': 1}");
    sim_collider_at(sim, 0, &ball);
    assert_true(ball.radius == 0.3 && ball.length == 3);
    ann(helper, "force.add", "{'world': 1, 'field': {'kind': 'point'}}");
    ann(helper, "force.set", "{'world': 1, 'force': 1, 'field': {'strength': 3}}");
    bob(helper, "force.set", "{'world': 1, 'force': 1, 'field': {'distance': 4}}");
    bob(helper, "force.add", "{'world': 1, 'field': {'kind': 'drag'}}");
    ann(helper, "edit.undo", "{'world': 1}");
    const struct sim_force *force = &settings(helper)->forces.items[0];
    assert_true(settings(helper)->forces.count == 2 && force->strength == 1 && force->distance == 4);
    ann(helper, "constraint.add", "{'world': 1, 'type': 'distance', 'body': 1, 'particles': [0, 8]}");
    const uint32_t id = sim_constraint_count(sim);
    char notation[128];
    snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u, 2], 'compliance': 0.125}", id);
    ann(helper, "constraint.set", notation);
    snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u, 2], 'damping': 4}", id);
    bob(helper, "constraint.set", notation);
    ann(helper, "edit.undo", "{'world': 1}");
    for (int i = 0; i < 2; i++) { // a loose one, and one of the cloth's own
        assert_true(sim_constraint_get(sim, i == 0 ? id : 2, &edge));
        assert_true(edge.material.compliance == 0 && edge.material.damping == 4);
    }
    helper_destroy(helper);
}

static void values_of_a_joint_are_apart(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct sim_constraint joint;
    ann(helper, "body.add",
        "{'world': 1, 'kind': 'rigid', 'positions': [0.5,1,0, 1.5,1,0], 'masses': 1,"
        " 'rigid': {'form': 'box', 'half_extents': [0.5, 0.05, 0.05]}}");
    ann(helper, "constraint.add",
        "{'world': 1, 'type': 'joint', 'joint': 'hinge', 'body': 1, 'particles': [0], 'sides': [1, 0],"
        " 'limits': [-1, 1], 'motor': 'speed', 'motor_target': 2}");
    ann(helper, "constraint.set", "{'world': 1, 'constraints': [1], 'limits': [-0.5, 0.5]}");
    bob(helper, "constraint.set", "{'world': 1, 'constraints': [1], 'motor_target': 3}");
    bob(helper, "constraint.set", "{'world': 1, 'constraints': [1], 'turn_compliance': 0.25}");
    ann(helper, "edit.undo", "{'world': 1}");
    assert_true(sim_constraint_get(helper->world->document->sim, 1, &joint));
    assert_true(joint.joint.limits[0] == -1 && joint.joint.limits[1] == 1);
    assert_true(joint.joint.motor_target == 3 && joint.joint.turn_compliance == 0.25);
    ann(helper, "edit.redo", "{'world': 1}");
    bob(helper, "constraint.set", "{'world': 1, 'constraints': [1], 'limits': [-0.25, 0.25]}");
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "limits of constraint 1 changed since"));
    helper_destroy(helper);
}

static void a_conflict_names_each_field(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    ann(helper, "world.set",
        "{'world': 1, 'damping': 1, 'wind': {'velocity': [2, 0, 0], 'drag': 3}}"); // revision 1
    bob(helper, "world.set", "{'world': 1, 'wind': {'drag': 0.5, 'lift': 0.25}}");
    helper_call(helper, HELPER_EVE, "world.set", "{'world': 1, 'damping': 2}");
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "CONFLICT"));
    assert_non_null(
        strstr(error, "damping of the world changed since revision 1: revision 3, world.set by "));
    assert_non_null(strstr(error, "; wind.drag of the world: revision 2, world.set by "));
    assert_null(strstr(error, "lift"));
    assert_null(strstr(error, "velocity"));
    const msgpack_object *answer =
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'force': true}");
    assert_int_equal(helper_at(answer, "overwritten")->via.array.size, 2);
    assert_text(answer, "overwritten.#0.what", "damping of the world");
    assert_text(answer, "overwritten.#1.what", "wind.drag of the world");
    assert_text(answer, "overwritten.#1.thing", "world");
    assert_text(answer, "overwritten.#1.field", "wind.drag");
    assert_text(answer, "overwritten.#1.method", "world.set");
    assert_true(helper_number(answer, "overwritten.#1.revision") == 2);
    assert_true(settings(helper)->wind.lift == 0.25); // nobody took that back
    // Without anything in the way force overwrites nothing.
    ann(helper, "world.set", "{'world': 1, 'wind': {'drag': 7}}");
    answer = helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'force': true}");
    assert_int_equal(helper_at(answer, "overwritten")->via.array.size, 0);
    helper_destroy(helper);
}

static void values_that_do_not_go_together_are_a_conflict(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail");
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'compliance': 0.001}}");
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'compliance': 0}}");
    bob(helper, "body.set", "{'world': 1, 'body': 1, 'bend': {'rigidity': 0.002}}");
    const uint64_t hash = helper_hash(helper);
    static const char *const asked[] = {"{'world': 1}", "{'world': 1, 'force': true}"};
    for (int i = 0; i < 2; i++) {
        const char *error = helper_error(helper, HELPER_ANN, "edit.undo", asked[i]);
        assert_non_null(strstr(error, "CONFLICT"));
        assert_non_null(strstr(error, "bend.rigidity"));
        assert_non_null(strstr(error, "bend.compliance"));
        assert_true(helper_hash(helper) == hash);
    }
    ann(helper, "body.set",
        "{'world': 1, 'body': 1, 'thickness': 0, 'self_contact': false, 'contact_group': 0}");
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'thickness': 0.01}");
    bob(helper, "body.set", "{'world': 1, 'body': 1, 'self_contact': true}");
    const char *error = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_non_null(strstr(error, "CONFLICT"));
    assert_non_null(strstr(error, "thickness and self_contact do not go together"));
    helper_destroy(helper);
}

static void records_hold_the_fields_that_were_set(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    ann(helper, "world.set", "{'world': 1, 'wind': {'drag': 2}}");
    bob(helper, "world.set", "{'world': 1, 'wind': {'velocity': [1, 2, 3]}}");
    const struct world_records *records = &helper->world->keep->records;
    for (uint64_t i = 0; i < records->next; i++) {
        const struct world_record *bytes = &records->items[i % records->capacity];
        struct document_record record;
        struct protocol_error error = {0};
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        assert_true(document_record_read(bytes->bytes, bytes->size, &zone, &record, &error));
        const struct protocol_world_set_params *params = record.params;
        // The first turned the wind on.
        assert_true(params->wind.has == (i == 0 ? PROTOCOL_HAS_WIND_DRAG | PROTOCOL_HAS_WIND_DENSITY
                                                : PROTOCOL_HAS_WIND_VELOCITY));
        msgpack_zone_destroy(&zone);
    }
    assert_true(records->next == 2 && settings(helper)->wind.density == 1.2);
    helper_destroy(helper);
}

static const struct protocol_edit_restore_params *inverse_of(struct document *document, const char *method,
                                                             const char *notation, msgpack_zone *zone)
{
    struct program_input given = {.method = method};
    struct document_edit edit = {0};
    snprintf(given.notation, sizeof given.notation, "%s", notation);
    if (!helper_edit_input(document, &given, zone, &edit)) {
        fail_msg("%s %s: %s", method, notation, edit.error.text);
    }
    assert_non_null(edit.inverse);
    return edit.inverse;
}

static void assert_fields(const struct protocol_string *fields, const char *wanted)
{
    assert_int_equal(fields->size, strlen(wanted));
    assert_memory_equal(fields->data, wanted, strlen(wanted));
}

static void inverses_hold_the_fields_that_were_set(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct document *document = helper->world->document;
    msgpack_zone zone;
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail");
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    const struct protocol_edit_restore_params *inverse = inverse_of(
        document, "body.set",
        "{'world': 1, 'body': 1, 'friction': 0.125, 'stretch': {'damping': 2}, 'bend': {'rigidity': 0.01}}",
        &zone);
    const struct protocol_restore_body *part = inverse->parts.items;
    assert_true(inverse->parts.count == 1 && inverse->own.count == 0);
    assert_true(part->has == (PROTOCOL_HAS_RESTORE_BODY_BODY | PROTOCOL_HAS_RESTORE_BODY_FRICTION |
                              PROTOCOL_HAS_RESTORE_BODY_STRETCH | PROTOCOL_HAS_RESTORE_BODY_BEND |
                              PROTOCOL_HAS_RESTORE_BODY_FIELDS));
    assert_fields(&part->fields, "stretch.damping bend.rigidity");
    assert_true(part->stretch.has == PROTOCOL_HAS_STRETCH_MATERIAL_DAMPING);
    assert_true(part->bend.has == 0); // there was none: it is ended
    inverse = inverse_of(document, "world.set",
                         "{'world': 1, 'damping': 1, 'wind': {'lift': 2, 'density': 1}}", &zone);
    assert_true(inverse->settings.has ==
                (PROTOCOL_HAS_RESTORE_SETTINGS_DAMPING | PROTOCOL_HAS_RESTORE_SETTINGS_WIND |
                 PROTOCOL_HAS_RESTORE_SETTINGS_FIELDS));
    assert_true(inverse->settings.wind.has == (PROTOCOL_HAS_WIND_LIFT | PROTOCOL_HAS_WIND_DENSITY));
    inverse =
        inverse_of(document, "constraint.set", "{'world': 1, 'constraints': [1, 2], 'damping': 1}", &zone);
    const struct protocol_restore_own *own = inverse->own.items;
    assert_true(inverse->own.count == 1 && inverse->parts.count == 0);
    assert_true(own->fields == SIM_FIELD_DAMPING &&
                !(own->has & (PROTOCOL_HAS_RESTORE_OWN_REST | PROTOCOL_HAS_RESTORE_OWN_COMPLIANCE |
                              PROTOCOL_HAS_RESTORE_OWN_STIFFNESS | PROTOCOL_HAS_RESTORE_OWN_COLORS)));
    msgpack_zone_destroy(&zone);
    helper_destroy(helper);
}

// Without gusts there is no length that could come back: the undo names both, and does not lose the value without a word.
static void a_length_of_gusts_that_are_gone_is_a_conflict(void **state)
{
    (void)state;
    static const char *const values[][2] = {{"gust_length", "8"}, {"gust_seed", "4"}};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        struct helper *helper = helper_create(NULL);
        char set[96], pair[96];
        ann(helper, "world.set", "{'world': 1, 'wind': {'gusts': 2, 'gust_length': 5, 'gust_seed': 3}}");
        snprintf(set, sizeof set, "{'world': 1, 'wind': {'%s': %s}}", values[v][0], values[v][1]);
        snprintf(pair, sizeof pair, "CONFLICT: wind.%s and wind.gusts, ", values[v][0]);
        ann(helper, "world.set", set);
        bob(helper, "world.set", "{'world': 1, 'wind': {'gusts': 0}}");
        const char *text = helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1, 'force': true}");
        if (!strstr(text, pair)) {
            fail_msg("%s", text);
        }
        assert_true(settings(helper)->wind.gusts == 0);
        bob(helper, "edit.undo", "{'world': 1}");
        assert_true(settings(helper)->wind.gusts == 2);
        ann(helper, "edit.undo", "{'world': 1}");
        assert_true(settings(helper)->wind.gust_length == 5 && settings(helper)->wind.gust_seed == 3);
        helper_destroy(helper);
    }
}

// A server wrote whole maps before fields had names. Absent fields are then ended, or have their defaults.
static void whole_maps_of_older_records_restore_all(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_cloth(helper, HELPER_ANN, 3, 1, "sail");
    ann(helper, "world.set", "{'world': 1, 'wind': {'velocity': [2, 0, 0], 'drag': 3, 'gusts': 1}}");
    ann(helper, "edit.restore",
        "{'world': 1, 'settings': {'wind': {'velocity': [1, 0, 0], 'lift': 0, 'density': 0.5}}}");
    assert_true(settings(helper)->wind.velocity[0] == 1 && settings(helper)->wind.drag == 1 &&
                settings(helper)->wind.density == 0.5 && settings(helper)->wind.gusts == 0);
    ann(helper, "body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': 0.001, 'damping': 2}}");
    ann(helper, "edit.restore", "{'world': 1, 'parts': [{'body': 1, 'stretch': {'compliance': 0.002}}]}");
    assert_true(body(helper).stretch.compliance == 0.002 && body(helper).stretch.damping == 0);
    // All of such a map is concerned.
    bob(helper, "body.set", "{'world': 1, 'body': 1, 'stretch': {'damping': 1}}");
    assert_non_null(strstr(helper_error(helper, HELPER_ANN, "edit.undo", "{'world': 1}"), "stretch.damping"));
    ann(helper, "edit.restore",
        "{'world': 1, 'parts': [{'body': 1, 'stretch': {'compliance': 0.25}, 'fields': "
        "'stretch.compliance'}]}");
    assert_true(body(helper).stretch.compliance == 0.25 && body(helper).stretch.damping == 1);
    static const char *const wrong[] = {"stretch",  "stretch.colour",       "bend.compliance",
                                        "friction", "stretch.compliance.x", "."};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char notation[160];
        snprintf(notation, sizeof notation,
                 "{'world': 1, 'parts': [{'body': 1, 'stretch': {'compliance': 0}, 'fields': '%s'}]}",
                 wrong[i]);
        assert_non_null(
            strstr(helper_error(helper, HELPER_ANN, "edit.restore", notation), "parts[0].fields"));
    }
    helper_destroy(helper);
}

// Steps of older servers speak of whole maps, of all fields of force and of parts of colliders that are divided now.
static void touches_of_older_steps_meet_fields(void **state)
{
    (void)state;
    static const struct {
        struct document_touched older, newer;
        const char *fields;
    } cases[] = {
        {{.kind = DOCUMENT_TOUCHED_SETTINGS,
          .parts = PROTOCOL_HAS_RESTORE_SETTINGS_WIND | PROTOCOL_HAS_RESTORE_SETTINGS_GRAVITY},
         {.kind = DOCUMENT_TOUCHED_SETTINGS,
          .parts = PROTOCOL_HAS_RESTORE_SETTINGS_WIND,
          .first = PROTOCOL_HAS_WIND_DRAG},
         "wind.drag"},
        {{.kind = DOCUMENT_TOUCHED_SETTINGS, .parts = PROTOCOL_HAS_RESTORE_SETTINGS_FORCES},
         {.kind = DOCUMENT_TOUCHED_SETTINGS,
          .parts = PROTOCOL_HAS_RESTORE_SETTINGS_FORCES,
          .first = 3,
          .last = PROTOCOL_HAS_FORCE_FIELD_STRENGTH},
         "strength"},
        {{.kind = DOCUMENT_TOUCHED_BODY_PART, .id = 2, .parts = PROTOCOL_HAS_RESTORE_BODY_BEND},
         {.kind = DOCUMENT_TOUCHED_BODY_PART,
          .id = 2,
          .parts = PROTOCOL_HAS_RESTORE_BODY_BEND,
          .first = PROTOCOL_HAS_BEND_MATERIAL_PLASTIC,
          .last = PROTOCOL_HAS_BEND_PLASTIC_RATE},
         "bend.plastic.rate"},
        {{.kind = DOCUMENT_TOUCHED_COLLIDER_PART, .id = 1, .parts = PROTOCOL_RESTORE_COLLIDER_PARTS_POSE},
         {.kind = DOCUMENT_TOUCHED_COLLIDER_PART, .id = 1, .parts = PROTOCOL_RESTORE_COLLIDER_PARTS_ROTATION},
         "rotation"},
        {{.kind = DOCUMENT_TOUCHED_CONSTRAINTS, .first = 3, .last = 9},
         {.kind = DOCUMENT_TOUCHED_CONSTRAINTS, .parts = SIM_FIELD_DAMPING, .first = 9, .last = 12},
         "damping"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct document_touched one = cases[c].older, other = cases[c].newer;
        const struct document_touches older = {.items = &one, .count = 1},
                                      newer = {.items = &other, .count = 1};
        char fields[DOCUMENT_WHAT_SIZE];
        assert_true(document_touches_meet(&older, &newer, NULL, NULL));
        assert_true(document_touches_meet(&newer, &older, NULL, NULL));
        assert_false(document_touches_cover(&newer, &older));
        document_touched_fields(&other, fields, sizeof fields);
        assert_string_equal(fields, cases[c].fields);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_a_map_are_apart),
        cmocka_unit_test(fields_of_other_things_are_apart),
        cmocka_unit_test(values_of_a_joint_are_apart),
        cmocka_unit_test(a_conflict_names_each_field),
        cmocka_unit_test(values_that_do_not_go_together_are_a_conflict),
        cmocka_unit_test(a_length_of_gusts_that_are_gone_is_a_conflict),
        cmocka_unit_test(records_hold_the_fields_that_were_set),
        cmocka_unit_test(inverses_hold_the_fields_that_were_set),
        cmocka_unit_test(whole_maps_of_older_records_restore_all),
        cmocka_unit_test(touches_of_older_steps_meet_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
