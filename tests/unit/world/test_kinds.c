// Kinds of constraints: their rows in the sim and in api.json say the same, and each kind goes the whole way of an edit.
// The tests follow the table, so a new kind is tested as soon as it has its rows.
#include "helper_world.h"

#include "document/parts.h"
#include "sim/state/kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

// Parts of a body, by what api.json calls them.
enum { STRETCH = SIM_PART_STRETCH, BEND = SIM_PART_BEND, VOLUME = SIM_PART_VOLUMES, SOLID = SIM_PART_SOLID };

struct told {
    const char *name;
    uint32_t particles;
    int part;
    const char *rest;      // unit; "" if the kind takes none
    const char *max, *rms; // fields of measures; NULL if no error is told
};

#define KIND(NAME, name_, particles_, part_, rest_) \
    [SIM_##NAME] = {.name = #name_, .particles = particles_, .part = part_, .rest = rest_},
static struct told told[SIM_KIND_COUNT] = {PROTOCOL_KINDS(KIND)};

static int fill_errors(void **state)
{
    (void)state;
#define ERROR(NAME, name, max_, rms_) \
    told[SIM_##NAME].max = #max_;     \
    told[SIM_##NAME].rms = #rms_;
    PROTOCOL_ERRORS(ERROR)
    return 0;
}

static void rows_of_the_sim_and_of_the_wire_say_the_same(void **state)
{
    (void)state;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        const struct sim_kind_row *row = sim_kind_rows[kind];
        assert_non_null(told[kind].name);
        assert_string_equal(row->name, told[kind].name);
        assert_int_equal(row->stencil, told[kind].particles);
        assert_int_equal(row->part, told[kind].part);
        assert_string_equal(row->rest_most ? row->rest_unit : "", told[kind].rest);
        assert_int_equal(row->has_error, told[kind].max != NULL);
    }
}

// An edge and two wings, which are also the corners of a tetrahedron.
static const char points[] = "{'world': 1, 'name': 'points', 'kind': 'points', 'masses': 1,"
                             " 'positions': [0,0,0, 1,0,0, 0.25,1,0.125, 0.5,-0.5,1]}";
// The same with the last three elsewhere, so that whatever a kind measures differs from rest.
static const char moved[] = "{'world': 1, 'body': 'points', 'particles': [1, 2, 3],"
                            " 'positions': [1.5,0,0, 0.25,1,-0.25, 0.25,-1,1.25]}";

// As pieces, which a joint needs.
static const char pieces[] = "{'world': 1, 'name': 'points', 'kind': 'rigid', 'masses': 1,"
                             " 'rigid': {'form': 'sphere', 'radius': 0.1},"
                             " 'positions': [0,0,0, 1,0,0, 0.25,1,0.125, 0.5,-0.5,1]}";

static struct helper *world_with(int kind, uint32_t *id)
{
    char notation[160];
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", kind == SIM_JOINT ? pieces : points);
    snprintf(notation, sizeof notation,
             "{'world': 1, 'type': '%s', 'body': 'points', 'particles': [%s], 'compliance': 0.5}",
             told[kind].name,
             kind == SIM_JOINT           ? "0, 1"
             : told[kind].particles == 4 ? "0, 1, 2, 3"
             : told[kind].particles == 3 ? "0, 1, 2"
                                         : "0, 1");
    const msgpack_object *added = helper_call(helper, HELPER_ANN, "constraint.add", notation);
    struct protocol_array ids = helper_array(added, "constraints", PROTOCOL_ARRAY_U32);
    assert_int_equal(ids.count, 1);
    *id = (uint32_t)protocol_array_f64_at(&ids, 0);
    return helper;
}

static const msgpack_object *listed(struct helper *helper, int kind)
{
    char notation[96];
    snprintf(notation, sizeof notation, "{'world': 1, 'type': '%s'}", told[kind].name);
    return helper_call(helper, HELPER_BOB, "constraint.list", notation);
}

static double first_of(const msgpack_object *map, const char *field)
{
    struct protocol_array numbers = helper_array(map, field, PROTOCOL_ARRAY_F64);
    assert_int_equal(numbers.count, 1);
    return protocol_array_f64_at(&numbers, 0);
}

static uint32_t count_of(struct helper *helper, int kind)
{
    return helper_array(listed(helper, kind), "constraints", PROTOCOL_ARRAY_U32).count;
}

static void each_kind_is_listed_and_measured(void **state)
{
    (void)state;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_kind_rows[kind]->own) {
            continue; // test_rods.c has a body of it
        }
        char elastic[64], error[64];
        uint32_t id;
        struct helper *helper = world_with(kind, &id);
        const double rest = first_of(listed(helper, kind), "rest");
        assert_true((rest != 0) == (told[kind].rest[0] != 0));
        assert_true(first_of(listed(helper, kind), "compliance") == 0.5);
        helper_call(helper, HELPER_ANN, "particle.set", moved);
        const msgpack_object *answer = helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}");
        for (int other = 0; other < SIM_KIND_COUNT; other++) {
            snprintf(elastic, sizeof elastic, "measures.elastic_%s", told[other].name);
            assert_true((helper_number(answer, elastic) > 0) == (other == kind));
            if (!told[other].max) {
                continue;
            }
            snprintf(error, sizeof error, "measures.%s", told[other].max);
            const double max = helper_number(answer, error);
            snprintf(error, sizeof error, "measures.%s", told[other].rms);
            assert_true((max > 0) == (other == kind));
            assert_true(fabs(helper_number(answer, error) - max) <= 1e-12 * max); // there is one constraint
        }
        helper_destroy(helper);
    }
}

static void each_kind_moves_its_particles_towards_rest(void **state)
{
    (void)state;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_kind_rows[kind]->own) {
            continue; // test_rods.c has a body of it
        }
        char elastic[64], notation[96];
        double before, after;
        uint32_t id;
        struct helper *helper = world_with(kind, &id);
        snprintf(elastic, sizeof elastic, "measures.elastic_%s", told[kind].name);
        helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'gravity': [0, 0, 0], 'damping': 4}");
        snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u], 'compliance': 0.001}", id);
        helper_call(helper, HELPER_ANN, "constraint.set", notation);
        helper_call(helper, HELPER_ANN, "particle.set", moved);
        before = helper_number(helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}"), elastic);
        helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 240}");
        helper_turns_until_idle(helper);
        after = helper_number(helper_call(helper, HELPER_ANN, "world.measure", "{'world': 1}"), elastic);
        assert_true(after < 0.5 * before);
        helper_destroy(helper);
    }
}

static void each_kind_is_changed_removed_and_brought_back(void **state)
{
    (void)state;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_kind_rows[kind]->own) {
            continue; // test_rods.c has a body of it
        }
        char notation[128];
        uint32_t id;
        struct helper *helper = world_with(kind, &id);
        const uint64_t made = helper_hash(helper);
        snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u], 'compliance': 0.25%s}", id,
                 told[kind].rest[0] ? ", 'rest': 0.75" : "");
        helper_call(helper, HELPER_ANN, "constraint.set", notation);
        assert_true(first_of(listed(helper, kind), "compliance") == 0.25);
        assert_true(first_of(listed(helper, kind), "rest") == (told[kind].rest[0] ? 0.75 : 0));
        const uint64_t changed = helper_hash(helper);
        assert_true(changed != made);
        snprintf(notation, sizeof notation, "{'world': 1, 'constraints': [%u]}", id);
        helper_call(helper, HELPER_ANN, "constraint.remove", notation);
        assert_int_equal(count_of(helper, kind), 0);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == changed);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_true(helper_hash(helper) == made);
        helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
        assert_int_equal(count_of(helper, kind), 0);
        helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
        assert_true(helper_hash(helper) == made);
        helper_destroy(helper);
    }
}

static void each_kind_is_saved_and_opened(void **state)
{
    (void)state;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        if (sim_kind_rows[kind]->own) {
            continue; // test_rods.c has a body of it
        }
        uint32_t id;
        struct helper *helper = world_with(kind, &id);
        helper_call(helper, HELPER_ANN, "particle.set", moved);
        msgpack_sbuffer bytes;
        msgpack_packer packer;
        struct protocol_error error = {0};
        struct sim_constraint constraint;
        msgpack_sbuffer_init(&bytes);
        msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
        const msgpack_object *saved = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
        msgpack_pack_object(&packer, *helper_at(saved, "document"));
        struct document *document = document_from(bytes.data, bytes.size, &error);
        assert_non_null(document);
        assert_true(sim_hash(document->sim) == helper_hash(helper));
        assert_true(sim_constraint_get(document->sim, id, &constraint));
        assert_int_equal(constraint.kind, kind);
        document_destroy(document);
        msgpack_sbuffer_destroy(&bytes);
        helper_destroy(helper);
    }
}

#define GEL                                                                                              \
    "'world': 1, 'kind': 'soft', 'positions': [0,0,0, 0.2,0,0, 0,0.2,0, 0,0,0.2, 0.2,0.2,0.2], 'tets': " \
    "[0,1,2,3, 1,2,3,4]"

// A body is a solid by what body.add says: it is told, changed as a whole, taken back, and saved.
static void a_solid_is_made_changed_and_brought_back(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    const msgpack_object *added = helper_call(
        helper, HELPER_ANN, "body.add", "{" GEL ", 'name': 'gel', 'solid': {'young': 1e4, 'poisson': 0.48}}");
    assert_true(helper_number(added, "constraints.neo_hookean.count") == 2);
    assert_true(helper_number(added, "constraints.distance.count") == 0);
    assert_non_null(helper_find(added, "warnings.#0.code"));
    const uint64_t made = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [2], 'rest': 0.003}");
    const uint64_t grown = helper_hash(helper);
    helper_call(helper, HELPER_ANN, "body.set", "{'world': 1, 'body': 'gel', 'solid': {'poisson': 0.2}}");
    const msgpack_object *got = helper_call(helper, HELPER_BOB, "body.get", "{'world': 1, 'body': 'gel'}");
    assert_true(helper_number(got, "solid.poisson") == 0.2 && helper_number(got, "solid.young") == 1e4);
    const uint64_t changed = helper_hash(helper);
    assert_true(grown != made && changed != grown);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == grown);
    helper_call(helper, HELPER_ANN, "edit.undo", "{'world': 1}");
    assert_true(helper_hash(helper) == made);
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "edit.redo", "{'world': 1}");
    assert_true(helper_hash(helper) == changed);
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 10}");
    helper_turns_until_idle(helper);
    msgpack_sbuffer bytes;
    msgpack_packer packer;
    struct protocol_error error = {0};
    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    msgpack_pack_object(
        &packer, *helper_at(helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}"), "document"));
    struct document *document = document_from(bytes.data, bytes.size, &error);
    assert_non_null(document);
    assert_true(sim_hash(document->sim) == helper_hash(helper));
    document_destroy(document);
    msgpack_sbuffer_destroy(&bytes);
    helper_destroy(helper);
}

static void what_is_no_solid_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *method, *notation, *error;
    } refusals[] = {
        {"body.add", "{" GEL ", 'solid': {}}", "INVALID: solid.young: missing"},
        {"body.add", "{" GEL ", 'solid': {'young': 0}}", "INVALID: solid.young: 0 is below"},
        {"body.add", "{" GEL ", 'solid': {'young': nan}}", "INVALID: solid.young"},
        {"body.add", "{" GEL ", 'solid': {'young': 1e5, 'poisson': 0.5}}",
         "INVALID: solid.poisson: 0.5 is above"},
        {"body.add", "{" GEL ", 'solid': {'young': 1e5, 'damping': 1e300}}",
         "INVALID: solid.damping: 1e+300"},
        {"body.add", "{" GEL ", 'solid': {'young': 1e5}, 'stretch': {'compliance': 1}}",
         "INVALID: stretch: must be absent"},
        {"body.add", "{" GEL ", 'solid': {'young': 1e5}, 'volume': {}}", "INVALID: volume: must be absent"},
        {"body.add",
         "{'world': 1, 'kind': 'soft', 'positions': [0,0,0, 1,0,0, 0,1,0, 1,1,0], 'tets': [0,1,2,3], "
         "'solid': "
         "{'young': 1e5}}",
         "INVALID: tets: tetrahedron 0 is flat"},
        {"body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'solid': {'young': 1e5}}",
         "INVALID: solid: must be absent"},
        {"body.set", "{'world': 1, 'body': 'net', 'solid': {'young': 1e5}}",
         "INVALID: solid: must be absent"},
        {"body.set", "{'world': 1, 'body': 'gel', 'stretch': {'compliance': 1}}",
         "INVALID: stretch: must be absent"},
        {"body.set", "{'world': 1, 'body': 'gel', 'solid': {'poisson': -0.1}}", "INVALID: solid.poisson"},
        {"constraint.add", "{'world': 1, 'type': 'neo_hookean', 'body': 'gel', 'particles': [0,1,2,4]}",
         "INVALID: compliance: element 0 is 0; must be above 0"},
        {"constraint.add",
         "{'world': 1, 'type': 'neo_hookean', 'body': 'gel', 'particles': [0,1,2,2], 'compliance': 1}",
         "INVALID: particles: the tetrahedron of constraint 0 has no volume"},
    };
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add", "{" GEL ", 'name': 'gel', 'solid': {'young': 1e4}}");
    helper_call(helper, HELPER_ANN, "body.add", "{" GEL ", 'name': 'net'}");
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
        cmocka_unit_test(rows_of_the_sim_and_of_the_wire_say_the_same),
        cmocka_unit_test(each_kind_is_listed_and_measured),
        cmocka_unit_test(each_kind_moves_its_particles_towards_rest),
        cmocka_unit_test(each_kind_is_changed_removed_and_brought_back),
        cmocka_unit_test(each_kind_is_saved_and_opened),
        cmocka_unit_test(a_solid_is_made_changed_and_brought_back),
        cmocka_unit_test(what_is_no_solid_is_refused),
    };
    return cmocka_run_group_tests(tests, fill_errors, NULL);
}
