// Welding and orienting.
#include "helper_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double low[3] = {0, 0, 0}, high[3] = {1, 2, 3};

static void test_a_soup_becomes_one_surface(void **state)
{
    (void)state;
    struct mesh box = shape_box(low, high), soup = shape_soup(&box);
    struct mesh_welding welding;
    struct fault fault;
    assert_true(mesh_weld(&soup, 0, &welding, &fault));
    assert_int_equal(soup.vertex_count, 8);
    assert_int_equal(soup.triangle_count, 12);
    assert_int_equal(welding.welded, 28);
    assert_int_equal(welding.collapsed + welding.repeated + welding.unused, 0);
    // Vertices of the file are found again.
    for (uint32_t i = 0; i < 36; i++) {
        assert_memory_equal(soup.positions + 3 * (size_t)soup.vertex_of[i],
                            box.positions + 3 * (size_t)box.triangles[i], 3 * sizeof(double));
    }
    mesh_deinit(&box);
    mesh_deinit(&soup);
}

static void test_the_tolerance_is_a_distance_and_no_chain_runs_together(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(6, 2, 0);
    const double x[6] = {0, 0.9e-3, 1.8e-3, 1, 1, 5};
    const uint32_t triangles[6] = {0, 3, 5, 2, 4, 5};
    for (size_t i = 0; i < 6; i++) {
        mesh.positions[3 * i] = x[i];
    }
    mesh.positions[3 * 4 + 1] = 0.5;
    mesh.positions[3 * 5 + 2] = 1;
    memcpy(mesh.triangles, triangles, sizeof triangles);
    struct mesh_welding welding;
    struct fault fault;
    assert_true(mesh_weld(&mesh, 1e-3, &welding, &fault));
    // 1 goes into 0; 2 is too far from 0 and stays; 1 itself belonged to no triangle.
    assert_int_equal(welding.welded, 1);
    assert_int_equal(mesh.vertex_count, 5);
    assert_int_equal(mesh.vertex_of[0], 0);
    assert_int_equal(mesh.vertex_of[1], 0);
    assert_int_equal(mesh.vertex_of[2], 1);
    assert_int_equal(mesh.vertex_of[5], 4);
    mesh_deinit(&mesh);
}

static void test_minus_zero_is_zero(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(4, 2, 0);
    const double positions[12] = {0.0, 0, 0, -0.0, -0.0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangles[6] = {0, 2, 3, 1, 2, 3};
    memcpy(mesh.positions, positions, sizeof positions);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    struct mesh_welding welding;
    struct fault fault;
    assert_true(mesh_weld(&mesh, 0, &welding, &fault));
    assert_int_equal(welding.welded, 1);
    assert_int_equal(welding.repeated, 1);
    assert_int_equal(mesh.triangle_count, 1);
    mesh_deinit(&mesh);
}

static void test_collapsed_and_unused_are_left_out(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(6, 2, 1);
    const double x[6] = {7, 0, 1e-9, 1, 0, 0};
    const uint32_t triangles[6] = {1, 2, 3, 1, 3, 4}, tets[4] = {1, 3, 4, 5};
    for (size_t i = 0; i < 6; i++) {
        mesh.positions[3 * i] = x[i];
    }
    mesh.positions[3 * 4 + 1] = 1;
    mesh.positions[3 * 5 + 2] = 1;
    memcpy(mesh.triangles, triangles, sizeof triangles);
    memcpy(mesh.tets, tets, sizeof tets);
    struct mesh_welding welding;
    struct fault fault;
    assert_true(mesh_weld(&mesh, 1e-6, &welding, &fault));
    assert_int_equal(welding.collapsed, 1);
    assert_int_equal(welding.unused, 1);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.vertex_of[0], MESH_NONE);
    assert_int_equal(mesh.triangle_count, 1);
    assert_int_equal(mesh.tet_count, 1);
    for (int k = 0; k < 4; k++) {
        assert_true(mesh.tets[k] < 4);
    }
    mesh_deinit(&mesh);
}

static void test_lines_are_welded_and_keep_their_vertices(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(6, 1, 0);
    const double x[6] = {0, 1, 1, 2, 3, 9};
    const uint32_t triangle[3] = {0, 1, 3}, lines[8] = {1, 4, 4, 2, 1, 2, 3, 4};
    struct mesh_welding welding;
    struct fault fault;
    for (size_t i = 0; i < 6; i++) {
        mesh.positions[3 * i] = x[i];
    }
    memcpy(mesh.triangles, triangle, sizeof triangle);
    mesh.lines = malloc(sizeof lines);
    mesh.line_count = 4;
    assert_non_null(mesh.lines);
    memcpy(mesh.lines, lines, sizeof lines);
    assert_true(mesh_weld(&mesh, 0, &welding, &fault));
    // 2 went into 1: so 4-2 is 1-4 again, and 1-2 has no length. Only 5 is of nothing.
    assert_int_equal(welding.welded, 1);
    assert_int_equal(welding.repeated, 1);
    assert_int_equal(welding.collapsed, 1);
    assert_int_equal(welding.unused, 1);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.line_count, 2);
    const uint32_t left[4] = {1, 3, 2, 3};
    assert_memory_equal(mesh.lines, left, sizeof left);
    mesh_deinit(&mesh);
}

static void test_points_alone_are_all_kept(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(3, 0, 0);
    struct mesh_welding welding;
    struct fault fault;
    mesh.positions[3] = 1;
    assert_true(mesh_weld(&mesh, 0, &welding, &fault));
    assert_int_equal(welding.welded, 1);
    assert_int_equal(welding.unused, 0);
    assert_int_equal(mesh.vertex_count, 2);
    mesh_deinit(&mesh);
}

static void test_turned_triangles_are_turned_back(void **state)
{
    (void)state;
    const double middle[3] = {5, 5, 5};
    struct mesh ball = shape_ball(1, middle, 12);
    const double volume = shape_volume(&ball);
    uint32_t turned = 0;
    for (uint32_t t = 0; t < ball.triangle_count; t += 3, turned++) {
        shape_turn(&ball, t);
    }
    struct mesh_shape shape;
    struct fault fault;
    assert_true(mesh_orient(&ball, &shape, &fault));
    assert_int_equal(shape.flipped, turned);
    assert_int_equal(shape.components, 1);
    assert_int_equal(shape.boundary_edges + shape.nonmanifold_edges + shape.one_sided, 0);
    assert_true(fabs(shape_volume(&ball) - volume) < 1e-9);
    assert_true(fabs(shape.volume - volume) < 1e-9);
    assert_true(shape.hole_area == 0);
    mesh_deinit(&ball);
}

static void test_inside_out_is_turned_and_cavities_stay_cavities(void **state)
{
    (void)state;
    const double middle[3] = {0, 0, 0};
    // Which of outer, inner and innermost ball the file has inside out.
    static const struct {
        bool turned[3];
        double volume;                                   // of the outcome, in units of the balls': 8, 1, 1/8
    } cases[] = {{{false, true, false}, 8 - 1 + 0.125},  // a ball in a hollow ball
                 {{true, false, true}, 8 - 1 + 0.125},   // the same, all of it inside out
                 {{false, false, false}, 8 + 1 + 0.125}, // one solid in another
                 {{false, true, true}, 8 - 1 + 0.125}};  // what stands free within a hollow is solid
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct mesh outer = shape_ball(2, middle, 10), inner = shape_ball(1, middle, 10),
                    least = shape_ball(0.5, middle, 10);
        struct mesh *const balls[3] = {&outer, &inner, &least};
        const double unit = shape_volume(&inner);
        for (int b = 0; b < 3; b++) {
            for (uint32_t t = 0; cases[c].turned[b] && t < balls[b]->triangle_count; t++) {
                shape_turn(balls[b], t);
            }
        }
        struct mesh two = shape_both(&inner, &outer), all = shape_both(&two, &least);
        struct mesh_shape shape;
        struct fault fault;
        assert_true(mesh_orient(&all, &shape, &fault));
        assert_int_equal(shape.components, 3);
        assert_true(fabs(shape_volume(&all) / unit - cases[c].volume) < 1e-9);
        for (int b = 0; b < 3; b++) {
            mesh_deinit(balls[b]);
        }
        mesh_deinit(&two);
        mesh_deinit(&all);
    }
}

static void test_a_sheet_keeps_its_side(void **state)
{
    (void)state;
    struct mesh sheet = shape_sheet(5, 4, 0.5);
    uint32_t before[72];
    memcpy(before, sheet.triangles, sizeof before);
    shape_turn(&sheet, 3);
    struct mesh_shape shape;
    struct fault fault;
    assert_true(mesh_orient(&sheet, &shape, &fault));
    assert_int_equal(shape.flipped, 1);
    assert_memory_equal(before, sheet.triangles, sizeof before);
    assert_int_equal(shape.boundary_edges, 14);
    assert_true(fabs(shape.area - 3) < 1e-12);
    assert_true(fabs(shape.hole_area - 3) < 1e-12);
    mesh_deinit(&sheet);
}

static void test_a_moebius_strip_is_told(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    struct mesh strip = shape_new(2 * STEPS, 2 * STEPS, 0);
    for (uint32_t i = 0; i < STEPS; i++) {
        const double turn = 2 * acos(-1) * i / STEPS;
        for (uint32_t side = 0; side < 2; side++) {
            double *p = strip.positions + 3 * (size_t)(2 * i + side);
            const double out = (side ? 0.2 : -0.2) * cos(turn / 2);
            p[0] = (1 + out) * cos(turn);
            p[1] = (side ? 0.2 : -0.2) * sin(turn / 2);
            p[2] = (1 + out) * sin(turn);
        }
        const uint32_t a = 2 * i, b = a + 1;
        const uint32_t c = i + 1 < STEPS ? a + 2 : 1, d = i + 1 < STEPS ? a + 3 : 0;
        const uint32_t quad[6] = {a, b, d, a, d, c};
        memcpy(strip.triangles + 6 * (size_t)i, quad, sizeof quad);
    }
    struct mesh_shape shape;
    struct fault fault;
    assert_true(mesh_orient(&strip, &shape, &fault));
    assert_int_equal(shape.one_sided, 1);
    assert_int_equal(shape.components, 1);
    mesh_deinit(&strip);
}

static void test_three_triangles_at_an_edge_are_told(void **state)
{
    (void)state;
    struct mesh fan = shape_new(5, 3, 0);
    const uint32_t triangles[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
    const double positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 1, 0, -1, -1};
    memcpy(fan.triangles, triangles, sizeof triangles);
    memcpy(fan.positions, positions, sizeof positions);
    struct mesh_shape shape;
    struct fault fault;
    assert_true(mesh_orient(&fan, &shape, &fault));
    assert_int_equal(shape.nonmanifold_edges, 1);
    assert_int_equal(shape.boundary_edges, 6);
    mesh_deinit(&fan);
}

static void test_tets_get_positive_volume(void **state)
{
    (void)state;
    struct mesh mesh = shape_new(5, 0, 3);
    const double positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0};
    const uint32_t tets[12] = {0, 1, 2, 3, 1, 0, 2, 3, 0, 1, 4, 2};
    memcpy(mesh.positions, positions, sizeof positions);
    memcpy(mesh.tets, tets, sizeof tets);
    struct mesh_shape shape;
    struct fault fault;
    double least;
    assert_true(mesh_orient(&mesh, &shape, &fault));
    assert_int_equal(shape.flipped, 1);
    assert_int_equal(shape.flat_tets, 1);
    assert_true(fabs(shape_tets_volume(&mesh, &least) - 2.0 / 6) < 1e-12);
    assert_true(least == 0);
    mesh_deinit(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_soup_becomes_one_surface),
        cmocka_unit_test(test_the_tolerance_is_a_distance_and_no_chain_runs_together),
        cmocka_unit_test(test_minus_zero_is_zero),
        cmocka_unit_test(test_collapsed_and_unused_are_left_out),
        cmocka_unit_test(test_lines_are_welded_and_keep_their_vertices),
        cmocka_unit_test(test_points_alone_are_all_kept),
        cmocka_unit_test(test_turned_triangles_are_turned_back),
        cmocka_unit_test(test_inside_out_is_turned_and_cavities_stay_cavities),
        cmocka_unit_test(test_a_sheet_keeps_its_side),
        cmocka_unit_test(test_a_moebius_strip_is_told),
        cmocka_unit_test(test_three_triangles_at_an_edge_are_told),
        cmocka_unit_test(test_tets_get_positive_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
