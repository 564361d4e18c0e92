// The scene: the document is followed, and a server cannot make it reach past an array.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"
#include "render.h"
#include "scene.h"

// A value from JSON: the map that the builder makes.
static const msgpack_object *value_of(const char *json, struct weft_params *params,
                                      msgpack_unpacked *unpacked)
{
    char why[256];
    size_t offset = 0;
    weft_params_init(params);
    msgpack_unpacked_init(unpacked);
    assert_true(cli_json_params(json, strlen(json), params, why, sizeof why));
    assert_int_equal(msgpack_unpack_next(unpacked, params->buffer.data, params->buffer.size, &offset),
                     MSGPACK_UNPACK_SUCCESS);
    return &unpacked->data;
}

static void drop(struct weft_params *params, msgpack_unpacked *unpacked)
{
    msgpack_unpacked_destroy(unpacked);
    weft_params_deinit(params);
}

static bool take_document(struct cli_scene *scene, const char *json)
{
    struct weft_params params;
    msgpack_unpacked unpacked;
    const bool ok = cli_scene_take_document(scene, value_of(json, &params, &unpacked));
    drop(&params, &unpacked);
    return ok;
}

static bool take_body(struct cli_scene *scene, const char *json)
{
    struct weft_params params;
    msgpack_unpacked unpacked;
    const bool ok = cli_scene_take_body(scene, value_of(json, &params, &unpacked));
    drop(&params, &unpacked);
    return ok;
}

static bool take_frame(struct cli_scene *scene, const char *json)
{
    struct weft_params params;
    msgpack_unpacked unpacked;
    struct weft_frame frame;
    struct weft_error error;
    const msgpack_object *map = value_of(json, &params, &unpacked);
    assert_true(weft_frame_init(&frame, map, unpacked.zone, &error));
    const bool ok = cli_scene_take_frame(scene, &frame, &error);
    drop(&params, &unpacked);
    return ok;
}

#define HEAD                                                                                                \
    "\"stream\":1,\"seq\":1,\"dropped\":0,\"tick\":7,\"substep\":0,\"time\":0.5,\"revision\":1,\"part\":0," \
    "\"parts\":1,"

static void the_document_brings_and_removes_bodies(void **state)
{
    (void)state;
    struct cli_scene scene = {0};
    assert_true(take_document(
        &scene, "{\"world\":3,\"name\":\"w\",\"state\":\"paused\",\"bodies\":[{\"body\":5,\"name\":\"b\"},"
                "{\"body\":2}],\"colliders\":[{\"collider\":1,\"kind\":\"sphere\",\"radius\":2}]}"));
    assert_int_equal(scene.body_count, 2);
    assert_int_equal(scene.bodies[0].id, 2);
    assert_string_equal(cli_scene_body(&scene, 5)->name, "b");
    assert_null(cli_scene_body(&scene, 3));
    assert_int_equal(scene.collider_count, 1);
    assert_true(take_body(&scene, "{\"body\":5,\"positions\":[0,0,0,1,0,0,0,1,0],\"triangles\":[0,1,2]}"));
    assert_true(take_document(&scene, "{\"world\":3,\"bodies\":[{\"body\":5},{\"body\":9}]}"));
    assert_int_equal(scene.body_count, 2);
    assert_null(cli_scene_body(&scene, 2));
    // Known topology is kept.
    assert_true(cli_scene_body(&scene, 5)->complete);
    assert_int_equal(cli_scene_body(&scene, 5)->triangle_count, 1);
    assert_false(cli_scene_body(&scene, 9)->complete);
    assert_int_equal(scene.collider_count, 0);
    assert_false(take_document(&scene, "{}"));
    cli_scene_deinit(&scene);
}

static void elements_that_reach_outside_are_left_out(void **state)
{
    (void)state;
    struct cli_scene scene = {0};
    assert_true(take_document(&scene, "{\"world\":1,\"bodies\":[{\"body\":1},{\"body\":2},{\"body\":3}]}"));
    assert_true(take_body(&scene, "{\"body\":1,\"positions\":[0,0,0,1,0,0,0,1,0],"
                                  "\"triangles\":[0,1,2,0,1,3,4294967295,0,1,2,1,0,1],\"edges\":[0,1,1,3]}"));
    assert_int_equal(scene.bodies[0].triangle_count, 2);
    assert_int_equal(scene.bodies[0].edge_count, 1);
    assert_true(take_body(&scene, "{\"body\":2,\"positions\":[],\"triangles\":[0,0,0]}"));
    assert_int_equal(scene.bodies[1].triangle_count, 0);
    assert_false(take_body(&scene, "{\"body\":3,\"triangles\":[0,0,0]}"));
    assert_false(scene.bodies[2].complete);
    assert_true(take_body(&scene, "{\"body\":77,\"positions\":[0,0,0]}"));
    cli_scene_update_normals(&scene);
    cli_scene_deinit(&scene);
}

static void frames_move_what_they_may(void **state)
{
    (void)state;
    struct cli_scene scene = {0};
    assert_true(take_document(&scene, "{\"world\":1,\"bodies\":[{\"body\":1},{\"body\":2}]}"));
    assert_true(take_body(&scene, "{\"body\":1,\"positions\":[0,0,0,1,0,0,0,1,0],\"triangles\":[0,1,2]}"));
    assert_true(take_frame(&scene, "{" HEAD "\"world\":1,\"bodies\":[{\"body\":1,\"first\":1,\"count\":2,"
                                   "\"positions\":[9,8,7,6,5,4]},{\"body\":2,\"first\":0,\"count\":1,"
                                   "\"positions\":[1,1,1]},{\"body\":8,\"first\":0,\"count\":0}]}"));
    assert_int_equal(scene.tick, 7);
    assert_true(scene.bodies[0].positions[0].x == 0 && scene.bodies[0].positions[1].x == 9);
    assert_true(scene.bodies[0].positions[2].z == 4);
    // Past the end of the body: passed over.
    assert_true(take_frame(&scene,
                           "{" HEAD "\"world\":1,\"bodies\":[{\"body\":1,\"first\":2,\"count\":2,"
                           "\"positions\":[1,1,1,1,1,1]},{\"body\":1,\"first\":4294967295,\"count\":0,"
                           "\"positions\":[]}]}"));
    assert_true(scene.bodies[0].positions[2].z == 4);
    // A frame of another world is ignored; a malformed one is an error.
    assert_true(take_frame(&scene, "{" HEAD "\"world\":2,\"bodies\":[{\"body\":1,\"first\":0,\"count\":1,"
                                   "\"positions\":[5,5,5]}]}"));
    assert_true(scene.bodies[0].positions[0].x == 0);
    assert_false(take_frame(&scene, "{" HEAD "\"world\":1,\"bodies\":[{\"body\":1,\"first\":0,\"count\":2,"
                                    "\"positions\":[5,5,5]}]}"));
    cli_scene_deinit(&scene);
}

static void of_every_nth_vertex_there_is_a_mesh(void **state)
{
    (void)state;
    // Vertices 0 and 3 are kept of a strip, of which 1 and 2 are joined to 0, and 4 to 3; vertex 5 stands alone.
    struct cli_scene scene = {.nth = 3, .boxed = true};
    assert_true(take_document(&scene, "{\"world\":1,\"bodies\":[{\"body\":1},{\"body\":2}]}"));
    assert_true(take_body(&scene, "{\"body\":1,\"positions\":[0,0,0,1,0,0,0,1,0,1,1,0,2,1,0,3,3,3,4,4,4],"
                                  "\"triangles\":[0,1,2,1,3,2,3,4,6],\"edges\":[1,2,2,3,3,4]}"));
    struct cli_body *body = &scene.bodies[0];
    assert_int_equal(body->triangle_count, 0); // each had two corners in one place
    assert_int_equal(body->edge_count, 1);
    assert_int_equal(body->edges[0] + body->edges[1], 3);
    assert_true(take_frame(&scene,
                           "{" HEAD "\"world\":1,\"nth\":3,\"bodies\":[{\"body\":1,\"first\":1,\"count\":2,"
                           "\"positions\":[9,8,7,6,5,4]}]}"));
    assert_true(body->positions[2].y == 1 && body->positions[3].x == 9);
    assert_true(body->positions[5].z == 7 && body->positions[6].x == 6);
    // A body that no frame has is none that is seen; what reaches past the end is passed over.
    assert_true(body->here && !scene.bodies[1].here);
    assert_true(take_frame(&scene,
                           "{" HEAD "\"world\":1,\"nth\":3,\"bodies\":[{\"body\":1,\"first\":2,\"count\":2,"
                           "\"positions\":[1,1,1,1,1,1]}]}"));
    assert_true(body->positions[6].x == 6);
    assert_true(take_frame(&scene, "{" HEAD "\"world\":1,\"nth\":3,\"bodies\":[]}"));
    assert_false(body->here);
    // A fan: triangles that stay.
    assert_true(take_body(&scene, "{\"body\":2,\"positions\":[0,0,0,1,0,0,1,1,0,0,1,0,2,2,2,2,2,3,3,3,3],"
                                  "\"triangles\":[0,3,6,1,0,2,2,3,5,6,4,5]}"));
    assert_int_equal(scene.bodies[1].triangle_count, 1);
    assert_int_equal(scene.bodies[1].triangles[2], 6);
    cli_scene_update_normals(&scene);
    cli_scene_deinit(&scene);
}

static void a_skin_stands_for_its_body(void **state)
{
    (void)state;
    struct cli_scene scene = {0};
    assert_true(take_document(&scene, "{\"world\":1,\"bodies\":[{\"body\":1},{\"body\":2},{\"body\":3}]}"));
    assert_true(take_body(&scene, "{\"body\":2,\"positions\":[0,0,0]}"));
    assert_false(cli_scene_has_skins(&scene));
    assert_true(take_body(&scene,
                          "{\"body\":1,\"positions\":[0,0,0,8,0,0,0,8,0,0,0,8],\"tets\":[0,1,2,3],"
                          "\"skin\":{\"particles\":[0,1,2,3,3,2,1,0],\"weights\":[0.25,0.5,0.125,0.125,"
                          "1,0,0,0],\"triangles\":[0,1,0,0,1,2]}}"));
    assert_true(cli_scene_has_skins(&scene));
    const struct cli_body *body = &scene.bodies[0];
    assert_int_equal(body->particle_count, 2);
    assert_int_equal(body->triangle_count, 1);
    assert_true(body->positions[0].x == 4 && body->positions[0].y == 1 && body->positions[0].z == 1);
    assert_true(body->positions[1].z == 8);
    struct cli_scene bare = {.without_skins = true};
    assert_true(take_document(&bare, "{\"world\":1,\"bodies\":[{\"body\":1}]}"));
    assert_true(take_body(&bare,
                          "{\"body\":1,\"positions\":[0,0,0,8,0,0,0,8,0,0,0,8],\"tets\":[0,1,2,3],"
                          "\"skin\":{\"particles\":[0,1,2,3],\"weights\":[1,0,0,0],\"triangles\":[]}}"));
    assert_false(cli_scene_has_skins(&bare));
    assert_int_equal(bare.bodies[0].particle_count, 4);
    assert_int_equal(bare.bodies[0].triangle_count, 4);
    cli_scene_deinit(&bare);
    // It moves with the skin, not with the particles.
    assert_true(take_frame(&scene,
                           "{" HEAD "\"world\":1,\"bodies\":[{\"body\":1,\"first\":0,\"count\":2,"
                           "\"positions\":[9,9,9,9,9,9]},{\"body\":1,\"first\":1,\"count\":1,"
                           "\"skin\":[3,4,5]},{\"body\":2,\"first\":0,\"count\":1,\"skin\":[7,7,7]}]}"));
    assert_true(body->positions[0].x == 4 && body->positions[1].x == 3);
    assert_true(scene.bodies[1].positions[0].x == 0);
    // Particles that are not there.
    assert_false(take_body(&scene, "{\"body\":3,\"positions\":[0,0,0],\"skin\":{\"particles\":[0,0,0,1],"
                                   "\"weights\":[1,0,0,0],\"triangles\":[]}}"));
    assert_false(scene.bodies[2].complete);
    cli_scene_deinit(&scene);
}

static void normals_point_away_from_the_sheet(void **state)
{
    (void)state;
    struct cli_scene scene = {0};
    assert_true(take_document(&scene, "{\"world\":1,\"bodies\":[{\"body\":1}]}"));
    assert_true(take_body(
        &scene, "{\"body\":1,\"positions\":[0,0,0,1,0,0,0,1,0,1,1,0,5,5,5],\"triangles\":[0,1,2,1,3,2]}"));
    cli_scene_update_normals(&scene);
    for (int i = 0; i < 4; i++) {
        assert_true(fabsf(scene.bodies[0].normals[i].z - 1) < 1e-6f);
    }
    assert_true(vec3_length(scene.bodies[0].normals[4]) == 0);
    cli_scene_deinit(&scene);
}

static void any_places_make_a_picture(void **state)
{
    (void)state;
    static const float wild[] = {0, 1, -1, 1e-30f, 1e6f, 1e30f, -1e38f, INFINITY, -INFINITY, NAN};
    struct cli_scene scene = {0};
    struct cli_renderer renderer = {0};
    const struct cli_view view = {.azimuth = 0.4f, .elevation = 0.3f, .zoom = 1};
    uint64_t seed = 11;
    assert_true(cli_renderer_init(&renderer, 24, 16));
    assert_true(take_document(
        &scene, "{\"world\":1,\"bodies\":[{\"body\":1},{\"body\":2},{\"body\":3}],\"colliders\":["
                "{\"collider\":1,\"kind\":\"plane\",\"normal\":[0,0,0]},"
                "{\"collider\":2,\"kind\":\"sphere\",\"radius\":1e300}],"
                "\"grabs\":[{\"body\":1,\"particle\":99},{\"body\":1,\"particle\":0}]}"));
    assert_true(take_body(
        &scene, "{\"body\":1,\"positions\":[0,0,0,1,0,0,0,1,0,1,1,0],\"triangles\":[0,1,2,1,3,2,0,0,0]}"));
    assert_true(take_body(&scene, "{\"body\":2,\"positions\":[0,0,0,1,0,0],\"edges\":[0,1,0,0]}"));
    assert_true(take_body(&scene, "{\"body\":3,\"positions\":[0,0,0,1e308,0,0]}"));
    for (int round = 0; round < 60; round++) {
        for (uint32_t b = 0; b < 3; b++) {
            float *at = &scene.bodies[b].positions[0].x;
            for (uint32_t i = 0; i < 3 * scene.bodies[b].particle_count; i++) {
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                at[i] = wild[(seed >> 33) % (round < 30 ? 4 : sizeof wild / sizeof *wild)];
            }
        }
        cli_scene_update_normals(&scene);
        cli_render(&renderer, &scene, &view, 0.03f);
    }
    cli_renderer_deinit(&renderer);
    cli_scene_deinit(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_brings_and_removes_bodies),
        cmocka_unit_test(elements_that_reach_outside_are_left_out),
        cmocka_unit_test(frames_move_what_they_may),
        cmocka_unit_test(of_every_nth_vertex_there_is_a_mesh),
        cmocka_unit_test(a_skin_stands_for_its_body),
        cmocka_unit_test(normals_point_away_from_the_sheet),
        cmocka_unit_test(any_places_make_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
