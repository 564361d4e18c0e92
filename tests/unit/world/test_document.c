// Documents without sockets: saved in every encoding and made again, worlds that begin as one, and bytes that are none.
#include "helper_world.h"

#include "protocol/params.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
        struct world_document *document = world_document_from(bytes.data, bytes.size, &error);
        msgpack_sbuffer_destroy(&bytes);
        assert_non_null(document);
        assert_int_equal(sim_hash(world_document_sim(document)), helper_hash(helper));
        assert_int_equal(world_document_tick(document), helper->world->tick);
        struct protocol_string name = world_document_body_name(document, 2);
        assert_true(name.size == 4 && memcmp(name.data, "line", 4) == 0);
        name = world_document_collider_name(document, 1);
        assert_true(name.size == 4 && memcmp(name.data, "ball", 4) == 0);
        assert_int_equal(world_document_body_name(document, 3).size, 0);
        world_document_destroy(document);
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
    struct world_document *document = world_document_from(bytes.data, bytes.size, &error);
    assert_non_null(document);
    struct world_options options = {
        .id = 2, .name = "again", .settings = world_document_settings(document), .document = document};
    struct world *world = world_create(&options);
    assert_non_null(world);
    assert_null(world_document_sim(document));
    world_document_destroy(document);
    assert_int_equal(sim_hash(world->sim), helper_hash(helper));
    struct world_face face;
    world_face(world, &face);
    assert_int_equal(face.tick, helper->world->tick);
    assert_int_equal(face.bodies, 2);
    assert_int_equal(face.state, WORLD_PAUSED);
    // Paused it rests; played it goes on where the other left off.
    uint64_t now = 1000000000;
    assert_int_equal(world_turn(world, now), UINT64_MAX);
    assert_int_equal(world->tick, face.tick);
    world_play(world, now);
    world_turn(world, now);
    assert_int_equal(world->tick, face.tick + 1);
    helper_call(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 1}");
    helper_turns(helper, 2);
    assert_int_equal(sim_hash(world->sim), helper_hash(helper));
    world_destroy(world);
    msgpack_sbuffer_destroy(&bytes);
    helper_destroy(helper);
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
        assert_null(world_document_from(cases[c].bytes, cases[c].size, &error));
        assert_int_equal(error.code, PROTOCOL_CODE_INVALID);
        assert_true(error.text[0] != '\0');
    }
    struct protocol_error error = {0};
    struct world_document *empty = world_document_from("\x80", 1, &error);
    assert_non_null(empty);
    assert_int_equal(sim_body_count(world_document_sim(empty)), 0);
    world_document_destroy(empty);
}

static void a_failed_world_is_not_saved(void **state)
{
    (void)state;
    struct helper *helper = helper_create(NULL);
    helper_call(helper, HELPER_ANN, "body.add",
                "{'world': 1, 'kind': 'points', 'positions': [0,0,0], 'velocities': [900,0,0]}");
    helper_post(helper, HELPER_ANN, "world.step", "{'world': 1, 'ticks': 5}");
    helper_turns(helper, 6);
    assert_int_equal(helper->world->state, WORLD_FAILED);
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
        cmocka_unit_test(bytes_that_are_no_document),
        cmocka_unit_test(a_failed_world_is_not_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
