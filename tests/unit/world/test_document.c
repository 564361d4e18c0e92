// Documents without sockets: saved in every encoding and made again, worlds that begin as one, and bytes that are none.
#include "helper_world.h"

#include "document/parts.h"
#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct helper *edited_world(void)
{
    struct helper *helper = helper_create(NULL);
    helper_call(
        helper, HELPER_ANN, "body.add",
        "{'world': 1, 'name': 'sail', 'kind': 'cloth', 'positions': [0,2,0, 1,2,0, 0,1,0, 1,1,0],"
        " 'triangles': [0,2,1, 1,2,3], 'pins': [0, 1], 'bend': {'model': 'dihedral', 'compliance': 2}}");
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'name': 'line', 'kind': 'rope', 'positions': [0,3,0, 0,4,0, 0,5,0]}");
    helper_call(helper, HELPER_ANN, "constraint.remove", "{'world': 1, 'constraints': [2]}");
    helper_call(helper, HELPER_ANN, "constraint.set", "{'world': 1, 'constraints': [3], 'stiffness': 0.5}");
    helper_call(helper, HELPER_ANN, "constraint.add",
                "{'world': 1, 'bodies': [1, 2], 'particles': [3, 0], 'compliance': 0.25}");
    helper_call(helper, HELPER_ANN, "collider.add", "{'world': 1, 'name': 'ball', 'kind': 'sphere'}");
    helper_call(
        helper, HELPER_ANN, "motion.add",
        "{'world': 1, 'collider': 'ball', 'times': [0, 1], 'offsets': [0, 0, 0, 0, 1, 0], 'loop': true}");
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 4);
    helper_call(helper, HELPER_ANN, "particle.pin",
                "{'world': 1, 'body': 1, 'particles': [0], 'positions': [0.1, 2, 0]}");
    return helper;
}

// The answer's document as bytes of its own.
static void save(struct helper *helper, enum protocol_arrays_mode mode, msgpack_sbuffer *bytes)
{
    msgpack_packer packer;
    helper->arrays = mode;
    const msgpack_object *result = helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    msgpack_sbuffer_init(bytes);
    msgpack_packer_init(&packer, bytes, msgpack_sbuffer_write);
    msgpack_pack_object(&packer, *helper_at(result, "document"));
}

static void every_encoding_makes_the_same_world(void **state)
{
    (void)state;
    struct helper *helper = edited_world();
    for (int mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        msgpack_sbuffer bytes;
        struct protocol_error error = {0};
        save(helper, (enum protocol_arrays_mode)mode, &bytes);
        struct document *document = document_from(bytes.data, bytes.size, &error);
        msgpack_sbuffer_destroy(&bytes);
        assert_non_null(document);
        assert_int_equal(sim_hash(document->sim), helper_hash(helper));
        assert_int_equal(document->tick, helper->world->document->tick);
        struct protocol_string name = document_body_name(document, 2);
        assert_true(name.size == 4 && memcmp(name.data, "line", 4) == 0);
        name = document_collider_name(document, 1);
        assert_true(name.size == 4 && memcmp(name.data, "ball", 4) == 0);
        assert_int_equal(document_body_name(document, 3).size, 0);
        document_destroy(document);
    }
    helper_destroy(helper);
}

static void a_world_begins_as_a_document(void **state)
{
    (void)state;
    struct helper *helper = edited_world();
    msgpack_sbuffer bytes;
    struct protocol_error error = {0};
    save(helper, PROTOCOL_ARRAYS_EXT, &bytes);
    struct document *document = document_from(bytes.data, bytes.size, &error);
    assert_non_null(document);
    struct protocol_world_create_params settings;
    document_settings(document, &settings);
    struct world_options options = {.id = 2, .name = "again", .settings = &settings, .document = document};
    struct world *world = world_create(&options);
    assert_non_null(world);
    assert_null(document->sim);
    document_destroy(document);
    assert_int_equal(sim_hash(world->document->sim), helper_hash(helper));
    struct world_face face;
    world_face(world, &face);
    assert_int_equal(face.tick, helper->world->document->tick);
    assert_int_equal(face.bodies, 2);
    assert_int_equal(face.state, WORLD_PAUSED);
    // Paused it rests; played it goes on where the other left off.
    uint64_t now = 1000000000;
    assert_int_equal(world_turn(world, now), UINT64_MAX);
    assert_int_equal(world->document->tick, face.tick);
    world_play(world, 1, false, now);
    do {
        world_turn(world, now);
    } while (world->time->ticking);
    assert_int_equal(world->document->tick, face.tick + 1);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    assert_int_equal(sim_hash(world->document->sim), helper_hash(helper));
    world_destroy(world);
    msgpack_sbuffer_destroy(&bytes);
    helper_destroy(helper);
}

static const char *const tetrahedron =
    "'positions': [0,2,0, 1,2,0, 0,3,0, 0,2,1, 0,2,0], 'tets': [0,1,2,3], 'weld': 0";

static struct document *document_of(const char *notation, struct protocol_error *error)
{
    msgpack_sbuffer bytes;
    msgpack_sbuffer_init(&bytes);
    helper_pack(&bytes, notation);
    struct document *document = document_from(bytes.data, bytes.size, error);
    msgpack_sbuffer_destroy(&bytes);
    return document;
}

static void a_skin_comes_along(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    char notation[512];
    // Large weights, of which f32 loses more than what their sum may be wrong by.
    snprintf(notation, sizeof notation,
             "{'world': 1, 'kind': 'soft', %s, 'skin': {'particles': [4,1,2,3, 3,2,1,0], 'weights': "
             "[0.25, 0.5, 0.125, 0.125, 500000.03125, 250000.015625, 149999.96875, -899999.015625], "
             "'triangles': [0, 1, 0]}}",
             tetrahedron);
    helper_call(helper, HELPER_ANN, "body.add", notation);
    helper_call(helper, HELPER_ANN, "body.add", "{'world': 1, 'kind': 'points', 'positions': [0,0,0]}");
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    const struct document_skin *skin = helper->world->document->bodies.items[0].skin;
    assert_non_null(skin);
    for (int mode = 0; mode < WORLD_ARRAYS_MODES; mode++) {
        msgpack_sbuffer bytes;
        struct protocol_bytes packed = {0};
        struct protocol_error error = {0};
        struct document_surface surface;
        double scratch[12];
        float again[6], before[6];
        save(helper, (enum protocol_arrays_mode)mode, &bytes);
        // Once more through what a bake keeps between its runs.
        struct document *first = document_from(bytes.data, bytes.size, &error);
        assert_non_null(first);
        assert_true(document_pack(first, &packed));
        struct document *document = document_from(packed.data, packed.size, &error);
        assert_non_null(document);
        assert_int_equal(sim_hash(document->sim), helper_hash(helper));
        const struct document_skin *made = document->bodies.items[0].skin;
        assert_non_null(made);
        assert_int_equal(made->vertex_count, 2);
        assert_memory_equal(made->particles, skin->particles, 8 * sizeof *skin->particles);
        assert_memory_equal(made->weights, skin->weights, 8 * sizeof *skin->weights);
        assert_memory_equal(made->triangles, skin->triangles, 3 * sizeof *skin->triangles);
        assert_true(document_surface(document, 1, &surface));
        assert_int_equal(surface.vertex_count, 2);
        assert_int_equal(surface.triangle_count, 1);
        assert_false(document_surface(document, 2, &surface));
        assert_false(document_surface(document, 3, &surface));
        document_surface_positions(document, 1, scratch, again);
        document_surface_positions(first, 1, scratch, before);
        assert_memory_equal(again, before, sizeof again);
        protocol_bytes_deinit(&packed);
        msgpack_sbuffer_destroy(&bytes);
        document_destroy(first);
        document_destroy(document);
    }
    helper_destroy(helper);
}

// A welded body has fewer particles than the document gives, and its skin uses the new numbers.
static void a_document_is_welded(void **state)
{
    (void)state;
    struct protocol_error error = {0};
    char notation[512];
    snprintf(notation, sizeof notation,
             "{'bodies': [{'kind': 'soft', %s, 'skin': {'particles': [4,1,2,3], 'weights': [1,0,0,0], "
             "'triangles': []}}, {'kind': 'soft', %s}]}",
             tetrahedron, tetrahedron);
    struct document *document = document_of(notation, &error);
    assert_non_null(document);
    for (uint32_t b = 0; b < 2; b++) {
        assert_int_equal(document->bodies.items[b].particle_count, 4);
    }
    assert_int_equal(document->bodies.items[0].skin->particles[0], 0);
    double scratch[12];
    float at[3];
    document_surface_positions(document, 1, scratch, at);
    assert_true(at[0] == 0 && at[1] == 2 && at[2] == 0);
    document_destroy(document);
}

static void skins_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *skin, *field;
    } cases[] = {
        {"{'particles': [0,1,2,5], 'weights': [1,0,0,0], 'triangles': []}", "bodies[1].skin.particles"},
        {"{'particles': [], 'weights': [], 'triangles': []}", "bodies[1].skin.particles"},
        {"{'particles': [0,1,2,3], 'weights': [1,0,0], 'triangles': []}", "bodies[1].skin.weights"},
        {"{'particles': [0,1,2,3], 'weights': [1,1,0,0], 'triangles': []}", "bodies[1].skin.weights"},
        {"{'particles': [0,1,2,3], 'weights': [1,0,0,0], 'triangles': [0,1,0]}", "bodies[1].skin.triangles"},
        {"{'particles': [0,1,2,3], 'weights': [1,0,0,0]}", "bodies[1].skin.triangles"},
        {"{'particles': [0,1,2,3], 'weights': [1,0,0,0], 'triangles': [], 'colour': 1}",
         "bodies[1].skin.colour"},
        {"7", "bodies[1].skin"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct protocol_error error = {0};
        char notation[512];
        snprintf(notation, sizeof notation,
                 "{'bodies': [{'kind': 'points', 'positions': [0,0,0]}, {'kind': 'soft', %s, 'skin': %s}]}",
                 tetrahedron, cases[c].skin);
        assert_null(document_of(notation, &error));
        assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
        assert_string_equal(error.field, cases[c].field);
    }
}

static void all_skins_of_a_world_have_a_limit(void **state)
{
    (void)state;
    struct document_skin there = {.vertex_count = (uint32_t)PROTOCOL_LIMIT_SKIN_VERTICES - 2,
                                  .triangle_count = (uint32_t)PROTOCOL_LIMIT_SKIN_TRIANGLES - 2};
    struct document_thing items[2] = {{.id = 1}, {.id = 2, .skin = &there}};
    const struct document_things bodies = {.items = items, .count = 2};
    struct protocol_error error = {0};
    assert_true(document_skin_fits(&bodies, NULL, &error));
    assert_true(
        document_skin_fits(&bodies, &(struct document_skin){.vertex_count = 2, .triangle_count = 2}, &error));
    assert_false(document_skin_fits(&bodies, &(struct document_skin){.vertex_count = 3}, &error));
    assert_int_equal(error.code, PROTOCOL_CODE_LIMIT);
    assert_string_equal(error.field, "skin");
    assert_true(error.limit == (double)PROTOCOL_LIMIT_SKIN_VERTICES);
    assert_false(
        document_skin_fits(&bodies, &(struct document_skin){.vertex_count = 1, .triangle_count = 3}, &error));
    assert_true(error.limit == (double)PROTOCOL_LIMIT_SKIN_TRIANGLES);
}

static void bytes_that_are_no_document(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {"", 0},          {"\xc0", 1},          {"\x90", 1}, {"\x80\x80", 2}, {"\xdf\xff\xff\xff\xff", 5},
        {"\x81\xa1x", 3}, {"\x81\xa1x\x01", 4}, {"\xc1", 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct protocol_error error = {0};
        assert_null(document_from(cases[c].bytes, cases[c].size, &error));
        assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
        assert_true(error.text[0] != '\0');
    }
    struct protocol_error error = {0};
    struct document *empty = document_from("\x80", 1, &error);
    assert_non_null(empty);
    assert_int_equal(sim_body_count(empty->sim), 0);
    document_destroy(empty);
}

static void a_failed_world_is_not_saved(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [200,0,0]}");
    helper_call(helper, HELPER_ANN, "world.set", "{'world': 1, 'extent': 10}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 6);
    assert_int_equal(helper->world->time->state, WORLD_FAILED);
    assert_non_null(strstr(helper_error(helper, HELPER_ANN, "world.save", "{'world': 1}"), "CONFLICT"));
    helper_call(helper, HELPER_ANN, "world.reset", "{'world': 1}");
    helper_call(helper, HELPER_ANN, "world.save", "{'world': 1}");
    helper_destroy(helper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_encoding_makes_the_same_world),
        cmocka_unit_test(a_world_begins_as_a_document),
        cmocka_unit_test(a_skin_comes_along),
        cmocka_unit_test(a_document_is_welded),
        cmocka_unit_test(skins_that_are_refused),
        cmocka_unit_test(all_skins_of_a_world_have_a_limit),
        cmocka_unit_test(bytes_that_are_no_document),
        cmocka_unit_test(a_failed_world_is_not_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
