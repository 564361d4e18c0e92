// Even triangulations of surfaces.
#include "helper_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A closed surface with bumps whose edges are as long as they are far from the poles: from 1/25 to 1 of the longest. Rows follow
// each other as those of a map by Mercator, so triangles are alike in shape.
static struct mesh uneven(uint32_t columns, uint32_t rows, double radius)
{
    struct mesh mesh = shape_new(columns * rows + 2, 2 * columns * rows, 0);
    const double top = log(50), pi = 3.14159265358979323846;
    double *p = mesh.positions;
    uint32_t *t = mesh.triangles;
    for (uint32_t j = 0; j < rows; j++) {
        const double y = -top + 2 * top * j / (rows - 1), c = 1 / cosh(y), s = tanh(y);
        for (uint32_t i = 0; i < columns; i++) {
            const double angle = 2 * pi * (i + 0.5 * (j % 2)) / columns;
            const double out = radius * (1 + 0.06 * sin(5 * angle) * c * c * c * cos(3 * s));
            *p++ = out * c * cos(angle);
            *p++ = out * s;
            *p++ = -out * c * sin(angle);
            const uint32_t a = j * columns + i, b = j * columns + (i + 1) % columns, up = a + columns,
                           b_up = b + columns;
            const uint32_t odd[6] = {a, b_up, up, a, b, b_up}, even[6] = {a, b, up, b, b_up, up};
            if (j + 1 < rows) {
                memcpy(t, j % 2 ? odd : even, sizeof odd);
                t += 6;
            }
        }
    }
    for (uint32_t i = 0; i < columns; i++) {
        const uint32_t next = (i + 1) % columns, last = (rows - 1) * columns;
        const uint32_t caps[6] = {next, i, columns * rows, last + i, last + next, columns * rows + 1};
        memcpy(t, caps, sizeof caps);
        t += 6;
    }
    const double poles[6] = {0, -radius, 0, 0, radius, 0};
    memcpy(p, poles, sizeof poles);
    return mesh;
}

static struct mesh_shape oriented(struct mesh *mesh)
{
    struct mesh_shape shape;
    struct fault fault;
    assert_true(mesh_orient(mesh, &shape, &fault));
    return shape;
}

static struct mesh_remeshed remeshed(struct mesh *mesh, double length)
{
    const struct mesh_remeshing how = {.length = length};
    struct mesh_remeshed told;
    struct fault fault = {0};
    if (!mesh_remesh(mesh, &how, NULL, &told, &fault)) {
        fail_msg("%s", fault.text);
    }
    return told;
}

static void refused(struct mesh *mesh, double length, uint32_t most, enum fault_code code, const char *word)
{
    const struct mesh_remeshing how = {.length = length, .vertices_max = most};
    struct mesh_remeshed told;
    struct fault fault = {0};
    const uint32_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    assert_false(mesh_remesh(mesh, &how, NULL, &told, &fault));
    assert_int_equal(fault.code, code);
    assert_non_null(strstr(fault.text, word));
    assert_int_equal(mesh->vertex_count, vertices);
    assert_int_equal(mesh->triangle_count, triangles);
}

static double edge_of(const struct mesh *mesh, uint32_t a, uint32_t b)
{
    const double *p = mesh->positions + 3 * (size_t)a, *q = mesh->positions + 3 * (size_t)b;
    return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                (p[2] - q[2]) * (p[2] - q[2]));
}

// The part of the sides of triangles that are within 4/5 to 4/3 of the length.
static double even_share(const struct mesh *mesh, double length)
{
    double even = 0;
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++) {
        const double side = edge_of(mesh, mesh->triangles[i], mesh->triangles[i % 3 == 2 ? i - 2 : i + 1]);
        even += side >= 0.8 * length && side <= 4 * length / 3;
    }
    return even / (3 * mesh->triangle_count);
}

static int euler(const struct mesh *mesh)
{
    // A closed surface has three sides a triangle, and two a side of it.
    return (int)mesh->vertex_count - (int)(3 * mesh->triangle_count / 2) + (int)mesh->triangle_count;
}

static void test_an_uneven_closed_surface_becomes_even(void **state)
{
    (void)state;
    static const double lengths[] = {0.03, 0.08};
    for (int i = 0; i < 2; i++) {
        struct mesh mesh = uneven(60, 76, 0.5);
        struct mesh_shape before = oriented(&mesh);
        assert_int_equal(before.boundary_edges + before.nonmanifold_edges, 0);
        const struct mesh_remeshed told = remeshed(&mesh, lengths[i]);
        struct mesh_shape after = oriented(&mesh);
        assert_int_equal(after.boundary_edges + after.nonmanifold_edges + after.flipped, 0);
        assert_int_equal(after.components, 1);
        assert_int_equal(euler(&mesh), 2);
        assert_true(even_share(&mesh, lengths[i]) >= 0.95);
        assert_true(fabs(told.even - even_share(&mesh, lengths[i])) < 1e-9);
        assert_true(told.farthest < 0.1 * lengths[i]);
        assert_true(fabs(after.volume - before.volume) < 0.02 * before.volume);
        mesh_deinit(&mesh);
    }
}

static void test_the_result_is_the_same_each_time(void **state)
{
    (void)state;
    struct mesh a = uneven(40, 50, 0.5), b = uneven(40, 50, 0.5);
    oriented(&a);
    oriented(&b);
    remeshed(&a, 0.05);
    remeshed(&b, 0.05);
    assert_int_equal(a.vertex_count, b.vertex_count);
    assert_int_equal(a.triangle_count, b.triangle_count);
    assert_memory_equal(a.positions, b.positions, 3 * sizeof(double) * a.vertex_count);
    assert_memory_equal(a.triangles, b.triangles, 3 * sizeof(uint32_t) * a.triangle_count);
    mesh_deinit(&a);
    mesh_deinit(&b);
}

static void test_a_square_keeps_its_border_and_its_corners(void **state)
{
    (void)state;
    struct mesh mesh = shape_sheet(31, 31, 1.0 / 30);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        mesh.positions[3 * (size_t)i] *= mesh.positions[3 * (size_t)i]; // columns from 0.001 to 0.07
    }
    const double high = mesh.positions[3 * (size_t)mesh.vertex_count - 2];
    oriented(&mesh);
    const struct mesh_remeshed told = remeshed(&mesh, 0.05);
    const struct mesh_shape shape = oriented(&mesh);
    double border = 0;
    uint32_t corners = 0;
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        const double *p = mesh.positions + 3 * (size_t)i;
        assert_true(p[0] >= -1e-12 && p[0] <= 1 + 1e-12 && p[1] >= high - 1 - 1e-9 && p[1] <= high + 1e-12);
        assert_true(fabs(p[2]) < 1e-12);
        corners += (fabs(p[0]) < 1e-12 || fabs(p[0] - 1) < 1e-12) &&
                   (fabs(p[1] - high) < 1e-12 || fabs(p[1] - high + 1) < 1e-9);
    }
    border = shape.boundary_edges;
    assert_int_equal(corners, 4);
    assert_true(fabs(shape.area - 1) < 1e-9); // so nothing is cut off, and nothing overlaps
    assert_true(border > 4 / 0.0667 && border < 4 / 0.04);
    assert_true(told.even >= 0.95);
    assert_int_equal((int)mesh.vertex_count - (int)((3 * mesh.triangle_count + shape.boundary_edges) / 2) +
                         (int)mesh.triangle_count,
                     1);
    mesh_deinit(&mesh);
}

static void test_sharp_edges_stay_sharp(void **state)
{
    (void)state;
    const double low[3] = {0, 0, 0}, high[3] = {1, 2, 3};
    struct mesh mesh = shape_box(low, high);
    oriented(&mesh);
    const struct mesh_remeshed told = remeshed(&mesh, 0.2);
    const struct mesh_shape shape = oriented(&mesh);
    assert_int_equal(told.sharp, 12);
    assert_true(fabs(shape.volume - 6) < 1e-9);
    assert_true(fabs(shape.area - 22) < 1e-9);
    assert_int_equal(euler(&mesh), 2);
    assert_true(told.farthest < 1e-12);
    mesh_deinit(&mesh);
}

static void test_vertices_that_are_kept_are_found_again(void **state)
{
    (void)state;
    struct mesh mesh = uneven(40, 50, 0.5);
    oriented(&mesh);
    uint8_t *kept = calloc(mesh.vertex_count, 1);
    assert_non_null(kept);
    const uint32_t named[3] = {0, 777, 2001};
    double at[3][3];
    for (int i = 0; i < 3; i++) {
        kept[named[i]] = 1;
        memcpy(at[i], mesh.positions + 3 * (size_t)named[i], sizeof at[i]);
    }
    const struct mesh_remeshing how = {.length = 0.1, .kept = kept};
    struct mesh_remeshed told;
    struct fault fault;
    assert_true(mesh_remesh(&mesh, &how, NULL, &told, &fault));
    for (int i = 0; i < 3; i++) {
        const uint32_t now = mesh.vertex_of[named[i]];
        assert_true(now < mesh.vertex_count);
        assert_memory_equal(mesh.positions + 3 * (size_t)now, at[i], sizeof at[i]);
    }
    assert_int_equal(mesh.vertex_of[778], MESH_NONE);
    free(kept);
    mesh_deinit(&mesh);
}

// The left half of a sheet is of one material, and has uvs that jump to the right half.
static void test_looks_go_along(void **state)
{
    (void)state;
    struct mesh mesh = shape_sheet(21, 21, 0.05);
    mesh.uvs = malloc(6 * sizeof *mesh.uvs * mesh.triangle_count);
    mesh.materials = malloc(sizeof *mesh.materials * mesh.triangle_count);
    assert_true(mesh.uvs && mesh.materials);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        double middle = 0;
        for (size_t k = 0; k < 3; k++) {
            middle += mesh.positions[3 * (size_t)mesh.triangles[3 * (size_t)t + k]] / 3;
        }
        mesh.materials[t] = middle > 0.5;
        for (size_t k = 0; k < 3; k++) {
            const double *p = mesh.positions + 3 * (size_t)mesh.triangles[3 * (size_t)t + k];
            mesh.uvs[6 * (size_t)t + 2 * k] = (float)(p[0] + (middle > 0.5 ? 10 : 0));
            mesh.uvs[6 * (size_t)t + 2 * k + 1] = (float)(2 * p[1]);
        }
    }
    oriented(&mesh);
    remeshed(&mesh, 0.08);
    assert_non_null(mesh.uvs);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t side = mesh.materials[t];
        for (size_t k = 0; k < 3; k++) {
            const double *p = mesh.positions + 3 * (size_t)mesh.triangles[3 * (size_t)t + k];
            const float *uv = mesh.uvs + 6 * (size_t)t + 2 * k;
            assert_true(side ? p[0] > 0.5 - 1e-9 : p[0] < 0.5 + 1e-9);
            assert_true(fabs((double)uv[0] - p[0] - (side ? 10 : 0)) < 1e-5);
            assert_true(fabs((double)uv[1] - 2 * p[1]) < 1e-5);
        }
    }
    mesh_deinit(&mesh);
}

static void test_parts_stay_apart_and_those_that_touch_still_touch(void **state)
{
    (void)state;
    const double left[3] = {0, 0, 0}, right[3] = {1.5, 0, 0};
    struct mesh a = shape_ball(0.5, left, 12), b = shape_ball(0.5, right, 12), both = shape_both(&a, &b);
    oriented(&both);
    remeshed(&both, 0.1);
    assert_int_equal(oriented(&both).components, 2);
    assert_int_equal(euler(&both), 4);
    mesh_deinit(&a);
    mesh_deinit(&b);
    mesh_deinit(&both);
    // Two sheets with one vertex in common.
    struct mesh one = shape_sheet(9, 9, 0.1), two = shape_sheet(9, 9, 0.1);
    for (size_t i = 0; i < two.vertex_count; i++) {
        two.positions[3 * i] += one.positions[3 * (size_t)one.vertex_count - 3];
        two.positions[3 * i + 1] += one.positions[3 * (size_t)one.vertex_count - 2] - one.positions[1];
    }
    struct mesh_welding welding;
    struct fault fault;
    struct mesh sheets = shape_both(&one, &two);
    assert_true(mesh_weld(&sheets, 1e-9, &welding, &fault));
    assert_int_equal(welding.welded, 1);
    oriented(&sheets);
    const struct mesh_remeshed told = remeshed(&sheets, 0.15);
    assert_int_equal(told.split, 1);
    struct mesh soup = sheets;
    assert_true(mesh_weld(&soup, 1e-9, &welding, &fault));
    assert_int_equal(welding.welded, 0); // it is one vertex, not two at one place
    sheets = soup;
    mesh_deinit(&one);
    mesh_deinit(&two);
    mesh_deinit(&sheets);
}

static void test_bad_meshes_and_lengths_are_refused(void **state)
{
    (void)state;
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    struct mesh box = shape_box(low, high);
    refused(&box, 0, 0, FAULT_INVALID, "must be above 0");
    refused(&box, -1, 0, FAULT_INVALID, "must be above 0");
    refused(&box, (double)NAN, 0, FAULT_INVALID, "must be above 0");
    refused(&box, 0.6, 0, FAULT_INVALID, "at most 0.5 m");
    refused(&box, 0.01, 1000, FAULT_LIMIT, "fits");
    const double kept = box.positions[4];
    box.positions[4] = (double)NAN;
    refused(&box, 0.2, 0, FAULT_INVALID, "vertex 1 is not finite");
    box.positions[4] = kept;
    // The length that an error names does fit.
    refused(&box, 0.02, 500, FAULT_LIMIT, "a length of 0.14 m fits");
    const struct mesh_remeshing fits = {.length = 0.14, .vertices_max = 500};
    struct mesh_remeshed told;
    struct fault fault;
    assert_true(mesh_remesh(&box, &fits, NULL, &told, &fault));
    assert_true(box.vertex_count <= 500);
    mesh_deinit(&box);

    struct mesh none = shape_new(3, 0, 0);
    refused(&none, 0.1, 0, FAULT_INVALID, "empty");
    mesh_deinit(&none);
    // Three triangles at an edge, which a duplicate face makes as well.
    struct mesh fan = shape_new(5, 3, 0);
    const double corners[15] = {0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1};
    const uint32_t triangles[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    memcpy(fan.positions, corners, sizeof corners);
    memcpy(fan.triangles, triangles, sizeof triangles);
    refused(&fan, 0.2, 0, FAULT_INVALID, "more than two triangles");
    fan.triangles[2] = 0;
    refused(&fan, 0.2, 0, FAULT_INVALID, "three different vertices");
    mesh_deinit(&fan);
}

// Triangles without area lie along an edge: what a cut at the middle of a side leaves.
static void test_triangles_without_area_are_no_harm(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(5, 3, 0);
    const double corners[15] = {0, 0, 0, 1, 0, 0, 0.5, 0, 0, 0.5, 1, 0, 0.5, -1, 0};
    const uint32_t triangles[9] = {0, 1, 3, 0, 2, 1, 0, 4, 2};
    memcpy(mesh.positions, corners, sizeof corners);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    oriented(&mesh);
    remeshed(&mesh, 0.1);
    const struct mesh_shape shape = oriented(&mesh);
    assert_true(fabs(shape.area - 0.75) < 0.01);
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; i++) {
        assert_true(isfinite(mesh.positions[i]));
    }
    mesh_deinit(&mesh);
}

static bool stop(void *context, const char *stage, double share)
{
    (void)stage;
    (void)share;
    return --*(int *)context > 0;
}

static void test_it_stops_where_it_is_told_to_and_leaves_the_mesh(void **state)
{
    (void)state;
    struct mesh mesh = uneven(40, 50, 0.5);
    oriented(&mesh);
    int left = 3;
    const struct mesh_watch watch = {.report = stop, .context = &left};
    const struct mesh_remeshing how = {.length = 0.05};
    struct mesh_remeshed told;
    struct fault fault;
    const uint32_t vertices = mesh.vertex_count;
    assert_false(mesh_remesh(&mesh, &how, &watch, &told, &fault));
    assert_int_equal(fault.code, FAULT_CANCELLED);
    assert_int_equal(mesh.vertex_count, vertices);
    mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_uneven_closed_surface_becomes_even),
        cmocka_unit_test(test_the_result_is_the_same_each_time),
        cmocka_unit_test(test_a_square_keeps_its_border_and_its_corners),
        cmocka_unit_test(test_sharp_edges_stay_sharp),
        cmocka_unit_test(test_vertices_that_are_kept_are_found_again),
        cmocka_unit_test(test_looks_go_along),
        cmocka_unit_test(test_parts_stay_apart_and_those_that_touch_still_touch),
        cmocka_unit_test(test_bad_meshes_and_lengths_are_refused),
        cmocka_unit_test(test_triangles_without_area_are_no_harm),
        cmocka_unit_test(test_it_stops_where_it_is_told_to_and_leaves_the_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
