// Two people edit fields of the same things in turn. What takes an edit back that no later one meets leaves the things as if it had
// never been made, and made again it leaves them as they were.
#include "helper_edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EDITS = 7, THINGS = 5 };

static const struct choice {
    const char *method, *format; // with one number
    double from, to;
} choices[] = {
    {"world.set", "{'world': 1, 'damping': %g}", 0, 2},
    {"world.set", "{'world': 1, 'gravity': [0, %g, 0]}", -9, 0},
    {"world.set", "{'world': 1, 'wind': {'velocity': [%g, 0, 1]}}", 0, 5},
    {"world.set", "{'world': 1, 'wind': {'drag': %g}}", 0, 3},
    {"world.set", "{'world': 1, 'wind': {'lift': %g}}", 0, 3},
    {"world.set", "{'world': 1, 'wind': {'density': %g}}", 0, 2},
    {"world.set", "{'world': 1, 'wind': {'gusts': %g}}", 0, 2},
    {"world.set", "{'world': 1, 'wind': {'gust_length': %g}}", 1, 20},
    {"force.set", "{'world': 1, 'force': 1, 'field': {'strength': %g}}", 0, 2},
    {"force.set", "{'world': 1, 'force': 1, 'field': {'position': [0, %g, 0]}}", 0, 2},
    {"force.set", "{'world': 1, 'force': 2, 'field': {'strength': %g}}", 0, 2},
    {"force.add", "{'world': 1, 'field': {'kind': 'drag', 'strength': %g}}", 0, 2},
    {"force.remove", "{'world': 1, 'force': 2, 'if_revision': %.0f}", 0, 0},
    {"body.set", "{'world': 1, 'body': 1, 'friction': %g}", 0, 1},
    {"body.set", "{'world': 1, 'body': 1, 'surface': 's%g'}", 0, 1},
    {"world.set", "{'world': 1, 'surfaces': [{'one': 'a', 'other': 'b', 'friction': %g}]}", 0, 1},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'compliance': %g}}", 1e-6, 1e-3},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'damping': %g}}", 0, 3},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'stiffness': %g}}", 0, 1},
    {"body.set", "{'world': 1, 'body': 1, 'stretch': {'limit': %g}}", 0, 1},
    {"body.set", "{'world': 1, 'body': 1, 'bend': {'compliance': %g}}", 1e-6, 1e-3},
    {"body.set", "{'world': 1, 'body': 1, 'bend': {'damping': %g}}", 0, 1},
    {"body.set", "{'world': 1, 'body': 1, 'bend': {'rigidity': %g}}", 1e-4, 1e-3},
    {"body.set", "{'world': 1, 'body': 1, 'bend': {'plastic': {'rate': %g}}}", 0, 50},
    {"body.set", "{'world': 1, 'body': 1, 'bend': {'plastic': {'yield_angle': %g}}}", 0, 0.5},
    {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': %g}}", 0, 2},
    {"body.set", "{'world': 1, 'body': 1, 'wind': {'drag': 1, 'lift': %g}}", 0, 2},
    {"body.set", "{'world': 1, 'body': 1, 'shape': {'compliance': %g}}", 0, 1e-2},
    {"body.set", "{'world': 1, 'body': 1, 'shape': {'radius': %g}}", 0.5, 2},
    {"collider.set", "{'world': 1, 'collider': 1, 'position': [0, %g, 0]}", -1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'rotation': [0, 0, %g, 1]}", -1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'position': [%g, 0, 0], 'teleport': true}", -1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'radius': %g}", 0.1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'length': %g}", 0.1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'friction': %g}", 0.1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'surface': 's%g'}", 0, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'surface_velocity': [%g, 0, 0]}", 0.1, 1},
    {"collider.set", "{'world': 1, 'collider': 1, 'surface_spin': [%g, 0, 0]}", 0.1, 1},
    {"constraint.set", "{'world': 1, 'constraints': [9], 'compliance': %g}", 1e-6, 1e-3},
    {"constraint.set", "{'world': 1, 'constraints': [9], 'damping': %g}", 0, 2},
    {"constraint.set", "{'world': 1, 'constraints': [9], 'rest': %g}", 0.5, 2},
    {"constraint.set", "{'world': 1, 'constraints': [9], 'stiffness': %g}", 0, 1},
    {"constraint.set", "{'world': 1, 'constraints': [10], 'force_limit': %g}", 1, 5},
    {"constraint.set", "{'world': 1, 'constraints': [10], 'rest': %g, 'rest_end': 0.3, 'seconds': 1}", 0.5,
     2},
    {"constraint.set", "{'world': 1, 'constraints': [10], 'compliance': %g}", 1e-6, 1e-3},
    {"constraint.set", "{'world': 1, 'constraints': [2, 7], 'compliance': %g}", 1e-6, 1e-3},
    {"constraint.set", "{'world': 1, 'constraints': [2, 7], 'damping': %g}", 0, 1},
    {"constraint.set", "{'world': 1, 'constraints': [7], 'rest': %g}", 0.5, 1.5},
};
enum { CHOICES = sizeof choices / sizeof *choices };

static const char *const things[THINGS] = {"world.set", "body.set", "collider.set", "constraint.set",
                                           "force."};

static void say(struct document *document, const char *method, const char *notation)
{
    struct program_input given = {.method = method};
    struct document_edit edit = {0};
    msgpack_zone zone;
    msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
    snprintf(given.notation, sizeof given.notation, "%s", notation);
    if (!helper_edit_input(document, &given, &zone, &edit)) {
        fail_msg("%s %s: %s", method, notation, edit.error.text);
    }
    msgpack_zone_destroy(&zone);
}

static struct document *scene(const struct protocol_world_create_params *settings)
{
    struct document *document = document_create(settings);
    say(document, "body.add",
        "{'world': 1, 'name': 'cloth', 'kind': 'cloth', 'positions': [0,0,0, 1,0,0, 0,0,1, 1,0,1], "
        "'triangles': "
        "[0,2,1, 1,2,3], 'pins': [0], 'bend': {'model': 'dihedral'}}");
    say(document, "body.add",
        "{'world': 1, 'name': 'rope', 'kind': 'rope', 'positions': [0,1,0, 1,1,0, 2,1,0], 'pins': [0]}");
    say(document, "collider.add", "{'world': 1, 'name': 'bar', 'kind': 'capsule', 'radius': 0.2}");
    say(document, "constraint.add",
        "{'world': 1, 'type': 'distance', 'bodies': [1, 2], 'particles': [0, 1]}"); // 9
    say(document, "constraint.add",
        "{'world': 1, 'type': 'join', 'bodies': [1, 2], 'particles': [3, 2]}"); // 10
    say(document, "force.add", "{'world': 1, 'field': {'kind': 'point'}}");
    say(document, "force.add", "{'world': 1, 'field': {'kind': 'drag'}}");
    return document;
}

struct made {
    struct program_input given;
    struct document_edit edit;
    bool done;
};

static void choose(struct made *made, uint32_t thing)
{
    const struct choice *choice;
    do {
        choice = &choices[program_below(CHOICES)];
    } while (strncmp(choice->method, things[thing], strlen(things[thing])) != 0);
    made->given.method = choice->method;
    // Thirty-two steps, so that two people may choose the same.
    snprintf(made->given.notation, sizeof made->given.notation, choice->format,
             choice->from + (choice->to - choice->from) * program_below(33) / 32);
}

static bool same(const struct document_touches *one, const struct document_touches *other)
{
    return document_touches_cover(one, other) && document_touches_cover(other, one);
}

// Whether edits after this one meet it.
static bool met_later(const struct made *made, uint32_t which)
{
    bool met = false;
    for (uint32_t i = which + 1; i < EDITS && !met; i++) {
        met = made[i].done &&
              document_touches_meet(&made[which].edit.touches, &made[i].edit.touches, NULL, NULL);
    }
    return met;
}

static uint32_t taken_back, met_count, other_outcome;

static void without(const struct protocol_world_create_params *settings, struct document *document,
                    const struct made *made, uint32_t which, msgpack_zone *zone)
{
    struct document *other = scene(settings);
    bool comparable = true;
    for (uint32_t i = 0; i < EDITS && comparable; i++) {
        struct document_edit edit = {0};
        if (i != which && made[i].done) {
            // Without the edit a later one may set more or other fields: the first word of wind turns it on.
            comparable = helper_edit_input(other, &made[i].given, zone, &edit) &&
                         same(&edit.touches, &made[i].edit.touches);
        }
    }
    struct document_edit back = {0}, again = {0};
    const uint64_t with = document_hash(document);
    struct protocol_bytes told_with = helper_edit_told(document);
    if (!helper_edit_take_back(document, made[which].edit.inverse, zone, &back)) {
        // Only values that do not go together any more, which are some of what a later edit concerned.
        assert_int_equal(back.error.code, PROTOCOL_CODE_INVALID);
        other_outcome++;
    } else if (comparable) {
        taken_back++;
        char what[256];
        snprintf(what, sizeof what, "%s %.160s taken back", made[which].given.method,
                 made[which].given.notation);
        struct protocol_bytes told_without = helper_edit_told(other);
        const bool is_force_add =
            strcmp(made[which].given.method, "force.add") == 0; // the next id is another one
        if (!is_force_add) {
            assert_true(document_hash(document) == document_hash(other));
            helper_edit_assert_told(document, &told_without, what);
        } else {
            protocol_bytes_deinit(&told_without);
        }
        assert_true(helper_edit_take_back(document, back.inverse, zone, &again));
        assert_true(document_hash(document) == with);
        helper_edit_assert_told(document, &told_with, what);
        told_with = (struct protocol_bytes){0};
    } else {
        other_outcome++;
    }
    protocol_bytes_deinit(&told_with);
    document_destroy(other);
}

static void fields_of_one_thing_are_taken_back_apart(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    struct protocol_world_create_params settings;
    document_settings(helper->world->document, &settings);
    helper_destroy(helper);
    const uint32_t programs = 4 * program_count();
    static struct made made[EDITS];
    for (uint32_t program = 0; program < programs; program++) {
        struct document *document = scene(&settings);
        msgpack_zone zone;
        msgpack_zone_init(&zone, MSGPACK_ZONE_CHUNK_SIZE);
        program_begin(9000 + program);
        for (uint32_t i = 0; i < EDITS; i++) {
            choose(&made[i], program % THINGS);
            made[i].edit = (struct document_edit){0};
            made[i].done = helper_edit_input(document, &made[i].given, &zone, &made[i].edit);
        }
        const uint32_t which = program_below(EDITS);
        if (made[which].done && made[which].edit.inverse) {
            if (met_later(made, which)) {
                met_count++;
            } else {
                without(&settings, document, made, which, &zone);
            }
        }
        document_destroy(document);
        msgpack_zone_destroy(&zone);
    }
    print_message("%u taken back, %u met later ones, %u came to something else\n", taken_back, met_count,
                  other_outcome);
    assert_true(taken_back > programs / 5 && met_count > programs / 8 && other_outcome < programs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_one_thing_are_taken_back_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
