// Convex hulls: of which points they are made, what is refused, and that a hull of a box holds as the box does.
#include "helper_sheet.h"

#include "sim/ground/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 400 };

static struct sim_hull *hull_of(const double *points, uint32_t count)
{
    struct fault fault = {0};
    struct sim_hull *hull;
    if (sim_hull_make(points, count, 1e9, &hull, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return hull;
}

static double height(const struct sim_hull_face *face, const double p[3])
{
    const double *n = face->normal;
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - face->offset;
}

// Closed, all points within, and the hull of its vertices is the same.
static void check(const double *points, uint32_t count)
{
    struct sim_hull *hull = hull_of(points, count), *again = hull_of(hull->vertices[0], hull->vertex_count);
    assert_int_equal(hull->face_count, 2 * hull->vertex_count - 4);
    assert_int_equal(hull->edge_count, 3 * hull->vertex_count - 6);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        for (uint32_t i = 0; i < count; i++) {
            assert_true(height(&hull->faces[f], points + 3 * (size_t)i) < 2e-6);
        }
    }
    assert_memory_equal(hull, again, sizeof *hull);
    free(hull);
    free(again);
}

static void hulls_are_closed_and_those_of_their_vertices(void **state)
{
    (void)state;
    static double points[3 * MANY];
    uint64_t seed = 7;
    for (int round = 0; round < 200; round++) {
        // Anywhere; or on a coarse grid, where most lie in planes and lines with others and some are one.
        uint32_t grid = 2 + (uint32_t)round % 4, count = round % 2 == 0 ? 60 : MANY;
        for (uint32_t i = 0; i < 3 * count; i++) {
            double any = scene_uniform(&seed);
            points[i] = round % 2 == 0 ? any - 0.3 : floor(any * grid) / (grid - 1) * (1 + i % 3);
        }
        check(points, count);
    }
}

static void of_a_box_with_points_on_its_faces_corners_are_left(void **state)
{
    (void)state;
    double points[3 * 125];
    for (uint32_t i = 0; i < 125; i++) {
        points[3 * i] = 0.125 * (i % 5);
        points[3 * i + 1] = 0.0625 * (i / 5 % 5);
        points[3 * i + 2] = 0.25 * (i / 25);
    }
    struct sim_hull *hull = hull_of(points, 125);
    assert_int_equal(hull->vertex_count, 8);
    assert_near(hull->middle[0], 0.25, 1e-12);
    assert_near(hull->middle[1], 0.125, 1e-12);
    assert_near(hull->middle[2], 0.5, 1e-12);
    assert_near(hull->inner, 0.125, 1e-12);
    free(hull);
}

// ------------------------------------------------------------------------------------------------- refused

static void refused(const double *points, uint32_t count, enum fault_code status, const char *text)
{
    struct sim *sim = scene_create(scene_settings());
    const struct sim_collider collider = {.kind = SIM_CONVEX, .points = points, .point_count = count};
    struct fault fault = {0};
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), status);
    assert_string_equal(fault.field, "points");
    if (strstr(fault.text, text) == NULL) {
        fail_msg("%s", fault.text);
    }
    assert_int_equal(sim_collider_count(sim), 0);
    sim_destroy(sim);
}

static void what_makes_no_hull_is_refused(void **state)
{
    (void)state;
    static double points[3 * (SIM_HULL_POINTS_MAX + 1)];
    const double plane[] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0.5, 0, 0.25};
    const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    const double nothing[12] = {0}, small[] = {0, 0, 0, 1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9};
    const double bad[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, NAN, 1},
                 far[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1e12};
    refused(NULL, 0, FAULT_INVALID, "0 points; a convex hull needs 4 to 512");
    refused(plane, 3, FAULT_INVALID, "3 points");
    refused(plane, 5, FAULT_INVALID, "lie in a plane");
    refused(line, 4, FAULT_INVALID, "lie in a plane");
    refused(nothing, 4, FAULT_INVALID, "reach to 0 m");
    refused(small, 4, FAULT_INVALID, "reach to 1e-09 m");
    refused(bad, 4, FAULT_INVALID, "[10] is nan m");
    refused(far, 4, FAULT_INVALID, "[11] is 1e+12 m");
    refused(points, SIM_HULL_POINTS_MAX + 1, FAULT_INVALID, "513 points");
    for (uint32_t i = 0; i < 129; i++) { // on a ball: all are vertices
        double up = -0.99 + 1.98 * i / 128, across = sqrt(1 - up * up);
        points[3 * i] = across * cos(2.4 * i);
        points[3 * i + 1] = up;
        points[3 * i + 2] = across * sin(2.4 * i);
    }
    refused(points, 129, FAULT_LIMIT, "the hull has 129 vertices; at most 128");
    check(points, 128);
}

// -------------------------------------------------------------------------------------------------- holding

static const double corners[] = {-0.2, -0.1, -0.2, 0.2, -0.1, -0.2, -0.2, 0.1, -0.2, 0.2, 0.1, -0.2,
                                 -0.2, -0.1, 0.2,  0.2, -0.1, 0.2,  -0.2, 0.1, 0.2,  0.2, 0.1, 0.2};
static const struct sim_collider shapes[] = {
    {.kind = SIM_BOX, .half_extents = {0.2, 0.1, 0.2}, .rotation = {0, 0.1, 0, 1}, .friction = 0.5},
    {.kind = SIM_CONVEX, .points = corners, .point_count = 8, .rotation = {0, 0.1, 0, 1}, .friction = 0.5}};

static uint32_t collider_add(struct sim *sim, const struct sim_collider *collider)
{
    struct fault fault = {0};
    uint32_t id = 0;
    if (sim_collider_add(sim, collider, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

// Particles in and around it, without gravity, are pushed to where a box pushes them: to faces, rounded edges, corners.
static void a_hull_of_a_box_pushes_as_the_box(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    static double places[3 * COUNT], masses[COUNT], ends[2][3 * COUNT];
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        places[i] = 0.5 * (scene_uniform(&seed) - 0.5);
        masses[i / 3] = 0.1;
    }
    for (int k = 0; k < 2; k++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        struct sim *sim = scene_create(settings);
        collider_add(sim, &shapes[k]);
        struct sim_body_desc desc = scene_points(places, COUNT, masses);
        desc.thickness = 0.03;
        uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 4);
        sim_body_positions64(sim, body, 0, COUNT, ends[k]);
        sim_destroy(sim);
    }
    uint32_t moved = 0, apart = 0;
    for (uint32_t i = 0; i < 3 * COUNT; i++) {
        moved += fabs(ends[0][i] - places[i]) > 1e-4;
        apart += fabs(ends[0][i] - ends[1][i]) > 1e-6;
    }
    assert_true(moved > COUNT / 2);
    assert_int_equal(apart, 0);
}

static void a_cloth_lies_on_a_hull_at_its_thickness(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    collider_add(sim, &shapes[1]);
    struct scene_mesh mesh = scene_grid(10, 10, 0.04, (const double[3]){-0.18, 0.11, -0.18});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.002;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    scene_run(sim, 120);
    assert_near(sheet_mean(sim, body, 1), 0.102, 5e-4);
    sim_destroy(sim);
}

// ----------------------------------------------------------------------------------------- kept and changed

static void images_keep_hulls_and_what_is_taken_of_one_outlives_it(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider hull = shapes[1], told;
    struct sim_image image;
    struct sim_image_place place;
    struct fault fault;
    hull.id = collider_add(sim, &hull);
    uint64_t before = sim_hash(sim);
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    assert_true(sim_hash(again) == before);
    sim_image_deinit(&image);
    sim_destroy(again);
    const struct sim_parts parts = {.colliders = &hull.id, .collider_count = 1};
    assert_true(sim_image_take_parts(sim, &parts, &image));
    sim_collider_at(sim, 0, &told);
    assert_int_equal(told.point_count, 8);
    told.position[0] = 0.25; // its points are the sim's own: the hull stays
    assert_int_equal(sim_collider_set(sim, &told, &fault), FAULT_NONE);
    hull.points += 3; // without one corner
    hull.point_count = 7;
    assert_int_equal(sim_collider_set(sim, &hull, &fault), FAULT_NONE);
    sim_collider_at(sim, 0, &told);
    assert_int_equal(told.point_count, 7);
    assert_true(sim_hash(sim) != before);
    assert_int_equal(sim_collider_restore(sim, &image.colliders[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    assert_int_equal(sim_collider_remove(sim, hull.id, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_restore(sim, &image.colliders[0], &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static void a_hull_that_would_be_too_much_work_is_refused(void **state)
{
    (void)state;
    double points[3 * 128];
    for (uint32_t i = 0; i < 128; i++) {
        double up = -0.99 + 1.98 * i / 127, across = sqrt(1 - up * up);
        points[3 * i] = across * cos(2.4 * i);
        points[3 * i + 1] = up;
        points[3 * i + 2] = across * sin(2.4 * i);
    }
    // One of 252 faces counts as 32 colliders: 20 substeps visit each of 100 particles 33 times.
    for (int enough = 0; enough < 2; enough++) {
        struct sim_limits limits = scene_limits;
        limits.work = 20 * 100 * 33 - 1 + (uint64_t)enough;
        struct sim_settings settings = scene_settings();
        settings.substeps = 20;
        settings.iterations = 1;
        struct sim *sim = scene_create_limited(settings, limits);
        static double places[3 * 100], masses[100];
        masses[0] = 1;
        struct sim_body_desc desc = scene_points(places, 100, masses);
        scene_add(sim, &desc);
        struct sim_collider hull = {.kind = SIM_CONVEX, .points = points, .point_count = 128};
        struct fault fault;
        uint32_t id;
        assert_int_equal(sim_collider_add(sim, &hull, &id, &fault), enough ? FAULT_NONE : FAULT_LIMIT);
        hull.point_count = 20;
        if (!enough) { // a smaller one fits, and does not grow
            hull.id = collider_add(sim, &hull);
            uint64_t before = sim_hash(sim);
            hull.point_count = 128;
            assert_int_equal(sim_collider_set(sim, &hull, &fault), FAULT_LIMIT);
            assert_true(sim_hash(sim) == before);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_are_closed_and_those_of_their_vertices),
        cmocka_unit_test(of_a_box_with_points_on_its_faces_corners_are_left),
        cmocka_unit_test(what_makes_no_hull_is_refused),
        cmocka_unit_test(a_hull_of_a_box_pushes_as_the_box),
        cmocka_unit_test(a_cloth_lies_on_a_hull_at_its_thickness),
        cmocka_unit_test(images_keep_hulls_and_what_is_taken_of_one_outlives_it),
        cmocka_unit_test(a_hull_that_would_be_too_much_work_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
