// Meshes that move: frames of files, whatever is in them, and where placing and welding take them.
#include "helper_shapes.h"
#include "internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fault fault;

static const char walker[] = "tests/meshes/walker.glb";

static void placing_tells_where_any_point_goes(void **state)
{
    (void)state;
    const struct mesh_placement placements[] = {
        {.scale = {1, 1, 1}},
        {.scale = {0.5, -2, 3}, .z_up = true},
        {.scale = {1, 1, 1}, .fit = 3, .rotate = {20, 90, -45}},
        {.scale = {-1, 2, 1},
         .fit = 0.5,
         .z_up = true,
         .rotate = {0, 33, 180},
         .has_at = true,
         .at = {7, 8, -9}},
    };
    for (size_t p = 0; p < sizeof placements / sizeof *placements; p++) {
        struct mesh mesh = shape_ball(0.7, (const double[3]){3, -2, 1}, 9), plain, before;
        double map[3][4];
        plain = shape_ball(0.7, (const double[3]){3, -2, 1}, 9);
        before = shape_ball(0.7, (const double[3]){3, -2, 1}, 9);
        assert_true(mesh_place_mapped(&mesh, &placements[p], map, &fault));
        assert_true(mesh_place(&plain, &placements[p], &fault));
        assert_memory_equal(mesh.positions, plain.positions, 3 * mesh.vertex_count * sizeof(double));
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            const double *from = before.positions + 3 * (size_t)v;
            for (int row = 0; row < 3; row++) {
                double to =
                    map[row][0] * from[0] + map[row][1] * from[1] + map[row][2] * from[2] + map[row][3];
                assert_true(fabs(to - mesh.positions[3 * (size_t)v + row]) < 1e-12);
            }
        }
        mesh_deinit(&mesh);
        mesh_deinit(&plain);
        mesh_deinit(&before);
    }
}

static void frames_follow_what_was_welded(void **state)
{
    (void)state;
    const struct mesh_play play = {.fps = 30};
    const struct mesh_placement placement = {.scale = {1, 1, 1}};
    struct mesh_file file;
    struct mesh_welding welding;
    double map[3][4];
    if (!mesh_read_moving(walker, NULL, &play, NULL, &file, &fault)) {
        fail_msg("%s", fault.text);
    }
    assert_int_equal(file.frame_count, 61);
    assert_true(file.times[0] == 0 && fabs(file.times[60] - 2) < 1e-12);
    assert_int_equal(file.mesh.file_vertex_count, 410);
    assert_true(mesh_weld(&file.mesh, 0, &welding, &fault) &&
                mesh_place_mapped(&file.mesh, &placement, map, &fault));
    assert_int_equal(file.mesh.vertex_count, 306);
    uint32_t source[306];
    double positions[3 * 306];
    assert_true(mesh_frame_sources(&file, map, 1e-5, source, &fault));
    mesh_frame(&file, map, source, 0, positions);
    assert_memory_equal(positions, file.mesh.positions, sizeof positions); // it stands as in the first frame
    // The slab's left end is of one bone: it goes half a metre in a second, and 0.1 up.
    double first[3];
    uint32_t left = 0;
    for (uint32_t v = 1; v < 306; v++) {
        left = positions[3 * (size_t)v] < positions[3 * (size_t)left] ? v : left;
    }
    memcpy(first, positions + 3 * (size_t)left, sizeof first);
    mesh_frame(&file, map, source, 30, positions);
    assert_true(fabs(positions[3 * (size_t)left] - first[0] - 0.5) < 1e-6);
    assert_true(fabs(positions[3 * (size_t)left + 1] - first[1] - 0.1) < 1e-6);
    // One of the welded vertices moves elsewhere.
    const uint32_t vertices = file.mesh.file_vertex_count;
    uint32_t twin = vertices;
    for (uint32_t i = 0; i < vertices && twin == vertices; i++) {
        twin = source[file.mesh.vertex_of[i]] != i ? i : twin;
    }
    file.frames[3 * ((size_t)17 * vertices + twin)] += 0.01F;
    assert_false(mesh_frame_sources(&file, map, 1e-5, source, &fault));
    assert_int_equal(fault.code, FAULT_INVALID);
    assert_non_null(strstr(fault.text, "part by frame 17"));
    assert_true(mesh_frame_sources(&file, map, 0.02, source, &fault));
    mesh_file_deinit(&file);
}

static void a_still_reading_is_as_before(void **state)
{
    (void)state;
    struct mesh_file file;
    assert_true(mesh_read_moving(walker, NULL, NULL, NULL, &file, &fault));
    assert_int_equal(file.frame_count, 0);
    assert_null(file.frames);
    assert_int_equal(file.mesh.vertex_count, 410);
    mesh_file_deinit(&file);
}

static void too_many_frames_are_refused(void **state)
{
    (void)state;
    struct mesh_file file;
    struct mesh_play play = {.fps = 1e6};
    assert_false(mesh_read_moving(walker, NULL, &play, NULL, &file, &fault));
    assert_int_equal(fault.code, FAULT_LIMIT);
    assert_non_null(strstr(fault.text, "--fps"));
    play = (struct mesh_play){.fps = 30, .animation = "7"};
    assert_false(mesh_read_moving(walker, NULL, &play, NULL, &file, &fault));
    assert_non_null(strstr(fault.text, "it has 0 walk, 1 rise"));
    play = (struct mesh_play){.fps = 30};
    assert_false(mesh_read_moving("tests/meshes/tetgen.node", NULL, &play, NULL, &file, &fault));
    assert_non_null(strstr(fault.text, "tetrahedra"));
    assert_null(file.frames);
}

static void rewrite(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

// Byte by byte cut off, and changed: refused with a reason, or read whole.
static void broken_caches_are_refused(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    unsigned char cache[32 + 2 * 36] = "POINTCACHE2";
    const float step = 2, places[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
    const struct mesh_play play = {.fps = 8};
    struct mesh_file file;
    cache[12] = 1;
    cache[16] = 3;
    memcpy(cache + 24, &step, 4);
    cache[28] = 2;
    memcpy(cache + 32, places, sizeof places);
    const char *mesh = shape_file("a.obj", text, sizeof text - 1);
    const char *path = shape_file("a.pc2", cache, sizeof cache);
    assert_true(mesh_read_moving(mesh, NULL, &play, NULL, &file, &fault));
    assert_int_equal(file.frame_count, 2);
    assert_true(file.times[1] == 0.25);
    assert_memory_equal(file.frames, places, sizeof places);
    mesh_file_deinit(&file);
    for (size_t size = 0; size < sizeof cache; size++) {
        rewrite(path, cache, size);
        assert_false(mesh_read_pc2(path, 3, 8, &file, &fault));
        assert_int_equal(fault.code, FAULT_INVALID);
        mesh_file_deinit(&file);
    }
    for (size_t at = 0; at < sizeof cache; at++) {
        for (unsigned bits = 1; bits < 256; bits = 4 * bits + 3) {
            cache[at] ^= (unsigned char)bits;
            rewrite(path, cache, sizeof cache);
            memset(&fault, 0, sizeof fault);
            if (mesh_read_pc2(path, 3, 8, &file, &fault)) {
                assert_true(file.frame_count == 2 && file.times[1] > 0);
            } else {
                assert_true(fault.code != FAULT_NONE && fault.text[0]);
            }
            mesh_file_deinit(&file);
            cache[at] ^= (unsigned char)bits;
        }
    }
    shape_files_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placing_tells_where_any_point_goes), cmocka_unit_test(frames_follow_what_was_welded),
        cmocka_unit_test(a_still_reading_is_as_before),       cmocka_unit_test(too_many_frames_are_refused),
        cmocka_unit_test(broken_caches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
