// Bodies that meet in ways that leave no direction: features that coincide, lie in each other, have no area or are folded
// onto themselves. What comes of it are numbers; what crosses is told and left alone, what does not comes apart and never
// crosses.
#include "helper_sheet.h"

#include "base/grow.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

// m/s: what comes of an old overlap; and of an edge three times as long as it should be, a side of which is held back.
static const float FAST = 1.5f, FOLDED_FAST = 3;

static struct fault fault;

static struct sim *nowhere(void)
{
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    return scene_create(settings);
}

// Few particles by hand, as a cloth that meets itself and others.
static uint32_t odd_add(struct sim *sim, const double *positions, uint32_t count, const uint32_t *triangles,
                        uint32_t triangle_count)
{
    struct scene_mesh mesh = {.particle_count = count,
                              .triangle_count = triangle_count,
                              .positions = (double *)positions,
                              .triangles = (uint32_t *)triangles};
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = THICK;
    desc.meeting = sheet_meets;
    desc.density = 0.2;
    return scene_add(sim, &desc);
}

// Runs for a second, and looks at every number: finite, and nothing is thrown. Crossings may only go.
static void run_soundly(struct sim *sim, float fast)
{
    uint64_t before = sim_crossings(sim);
    for (uint32_t t = 0; t < 60; t++) {
        scene_run(sim, 1);
        uint64_t now = sim_crossings(sim);
        assert_true(now <= before);
        before = now;
    }
    struct sim_body_info info;
    for (uint32_t body = 1; sim_body_info(sim, body, &info); body++) {
        for (uint32_t i = 0; i < info.particle_count; i++) {
            double x[3];
            float v[3];
            scene_position(sim, body, i, x);
            scene_velocity(sim, body, i, v);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(fabs(x[axis]) < (double)fast);
                assert_true(isfinite(v[axis]) && fabsf(v[axis]) < fast);
            }
        }
    }
}

static const double corner_places[9] = {0, 0, 0, EDGE, 0, 0, 0, 0, EDGE};
static const uint32_t one_triangle[3] = {0, 1, 2};

// The same triangle twice: all of both is in the plane of the other one.
static void triangles_that_coincide(void **state)
{
    (void)state;
    struct sim *sim = nowhere();
    odd_add(sim, corner_places, 3, one_triangle, 1);
    odd_add(sim, corner_places, 3, one_triangle, 1);
    run_soundly(sim, FAST);
    sim_destroy(sim);
}

// Two that have one place in common, where a corner of each is: they touch.
static void corners_that_coincide(void **state)
{
    (void)state;
    static const double others[][9] = {
        {0, 0, 0, -EDGE, 0, 0, 0, 0, -EDGE},                              // in one plane, corner to corner
        {0, 0, 0, 0, EDGE, 0, 0, EDGE, EDGE},                             // upright on the corner
        {EDGE / 2, 0, 0, EDGE / 2, EDGE, 0, EDGE, EDGE, EDGE},            // a corner on a side
        {EDGE / 4, 0, EDGE / 4, EDGE / 4, EDGE, 0, EDGE / 4, EDGE, EDGE}, // a corner in the inside
        {0, 0, 0, EDGE, 0, 0, 0, 0, -EDGE},                               // one side in common
        {-EDGE, 0, 0, 2 * EDGE, 0, 0, 0, EDGE, 0},                        // sides along each other
        {-EDGE, 0, EDGE / 4, 2 * EDGE, 0, EDGE / 4, 0, EDGE, EDGE / 4},   // a side across the inside
        {0, 1e-8, 0, EDGE, 1e-8, 0, 0, 1e-8, EDGE},                       // a quantum above it
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct sim *sim = nowhere();
        odd_add(sim, corner_places, 3, one_triangle, 1);
        odd_add(sim, others[i], 3, one_triangle, 1);
        run_soundly(sim, FAST);
        sim_destroy(sim);
    }
}

// Nothing passes or touches what has no area; it is moved there, since no body is made of such triangles.
static void triangles_without_an_area(void **state)
{
    (void)state;
    static const double flats[][9] = {
        {0, 0, 0, EDGE, 0, 0, EDGE / 2, 0, 0},
        {0, 0, 0, 0, 0, 0, EDGE, 0, 0},
        {0, 0, 0, 0, 0, 0, 0, 0, 0},
    };
    const uint32_t all[3] = {0, 1, 2};
    for (size_t i = 0; i < sizeof flats / sizeof flats[0]; i++) {
        struct sim *sim = nowhere();
        struct sheet sheet = sheet_of(4, 0, 2, -1.5 * EDGE, -0.01, -1.4 * EDGE);
        sheet.speed[1] = 0.6;
        uint32_t odd = odd_add(sim, corner_places, 3, one_triangle, 1);
        assert_int_equal(sim_particles_pin(sim, odd, all, 3, NULL, &fault), FAULT_NONE);
        assert_int_equal(sim_particles_pin(sim, odd, all, 3, flats[i], &fault), FAULT_NONE);
        scene_run(sim, 1);
        sheet_add(sim, &sheet);
        run_soundly(sim, FAST);
        sim_destroy(sim);
    }
}

// Edges of two sheets exactly above each other: parallel everywhere, and with feet all along.
static void edges_that_are_parallel(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        struct sim *sim = nowhere();
        struct sheet under = sheet_of(6, 0, 2, 0, 0, 0), over = sheet_of(6, 0, 2, 0, 0.01, 0);
        over.corner[1] = way == 0 ? 0.01 : THICK; // or within the thickness already
        over.speed[1] = way == 0 ? -0.5 : 0;
        sheet_add(sim, &under);
        uint32_t above = sheet_add(sim, &over);
        run_soundly(sim, FAST);
        if (way == 1) {
            assert_true(sheet_mean(sim, above, 1) - sheet_mean(sim, 1, 1) > 1.9 * THICK);
        }
        sim_destroy(sim);
    }
}

// Two flat sheets that start at a part of the distance that they keep: one particle goes from the other at v_out, and both do.
static void sheets_that_start_in_each_other(void **state)
{
    (void)state;
    for (int tenths = 1; tenths < 10; tenths += 2) {
        struct sim *sim = nowhere();
        struct sheet under = sheet_of(6, 0, 2, 0, 0, 0),
                     over = sheet_of(6, 0, 2, 0.001, 0.2 * tenths * THICK, 0.0013);
        sheet_add(sim, &under);
        uint32_t above = sheet_add(sim, &over);
        double before = sheet_mean(sim, above, 1) - sheet_mean(sim, 1, 1), way = 0;
        for (uint32_t t = 0; t < 20; t++) {
            scene_run(sim, 1);
            double now = sheet_mean(sim, above, 1) - sheet_mean(sim, 1, 1);
            way = now - before > way ? now - before : way;
            before = now;
        }
        assert_true(way * 60 > 0.05 && way * 60 < 1.25);
        assert_true(before > 1.9 * THICK);
        sim_destroy(sim);
    }
}

static double speed_of(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    double masses[4], sum[3] = {0}, mass = 0, squared = 0;
    assert_true(sim_body_info(sim, body, &info) && info.particle_count <= 4);
    sim_body_masses(sim, body, masses);
    for (uint32_t i = 0; i < info.particle_count; i++) {
        float v[3];
        scene_velocity(sim, body, i, v);
        mass += masses[i];
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += masses[i] * (double)v[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        squared += sum[axis] / mass * (sum[axis] / mass);
    }
    return sqrt(squared);
}

// Two triangles about one edge, folded until they lie in each other: the outer corners are in one place.
static void a_hinge_that_is_folded_flat(void **state)
{
    (void)state;
    static const double flat[12] = {0, 0, 0, EDGE, 0, 0, 0, 0, EDGE, 0, 0, -EDGE};
    static const double folds[][3] = {
        {0, 0, EDGE},            // corner on corner
        {0, 1e-8, EDGE},         // a quantum beside it
        {EDGE / 4, 0, EDGE / 4}, // within the other triangle
        {0, 0, 3 * EDGE},        // beyond it
    };
    static const uint32_t two[6] = {0, 1, 2, 1, 0, 3}, corners[4] = {0, 1, 2, 3};
    for (size_t i = 0; i < sizeof folds / sizeof folds[0]; i++) {
        struct sim *sim = nowhere();
        uint32_t body = odd_add(sim, flat, 4, two, 2);
        double places[12];
        for (int k = 0; k < 12; k++) {
            places[k] = k < 9 ? flat[k] : folds[i][k - 9];
        }
        assert_int_equal(sim_particles_pin(sim, body, corners, 4, places, &fault), FAULT_NONE);
        scene_run(sim, 1);
        assert_int_equal(sim_particles_unpin(sim, body, corners, 4, &fault), FAULT_NONE);
        double speed = speed_of(sim, body);
        run_soundly(sim, FOLDED_FAST);
        assert_true(speed_of(sim, body) <= 1.001 * speed); // what is held back of one side, the whole gets
        sim_destroy(sim);
    }
}

// Bodies of one particle each fall on a sheet, and into each other. Each has room for few batches, and all together have enough.
static void single_particles_take_little_memory(void **state)
{
    (void)state;
    enum { SIDE = 12 };
    struct sim *sim = nowhere();
    const struct sheet sheet = sheet_of(SIDE + 2, 0, 2, 0, 0, 0);
    const uint32_t under = sheet_add(sim, &sheet);
    const uint32_t corners[4] = {0, SIDE + 1, (SIDE + 1) * (SIDE + 2), (SIDE + 2) * (SIDE + 2) - 1};
    assert_int_equal(sim_particles_pin(sim, under, corners, 4, NULL, &fault), FAULT_NONE);
    size_t first = 0, last = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const double at[3] = {EDGE * (1.2 + i % SIDE), 0.02, EDGE * (1.3 + i / SIDE)};
        const float down[3] = {0, -0.5f, 0};
        const double mass = 1e-4;
        struct sim_body_desc desc = scene_points(at, 1, &mass);
        desc.velocities = down;
        desc.thickness = THICK;
        desc.meeting = sheet_meets;
        scene_add(sim, &desc);
        last = base_grow_mapped();
        first = i == 15 ? last : first;
    }
    assert_true(last - first < (SIDE * SIDE - 16) * (size_t)65536);
    uint32_t pushing = 0;
    for (uint32_t t = 0; t < 12; t++) {
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        pushing = told.pushing > pushing ? told.pushing : pushing;
        assert_int_equal(told.dropped, 0);
    }
    assert_true(pushing > SIDE * SIDE / 4);
    assert_int_equal(sim_crossings(sim), 0);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_that_coincide),
        cmocka_unit_test(corners_that_coincide),
        cmocka_unit_test(triangles_without_an_area),
        cmocka_unit_test(edges_that_are_parallel),
        cmocka_unit_test(sheets_that_start_in_each_other),
        cmocka_unit_test(a_hinge_that_is_folded_flat),
        cmocka_unit_test(single_particles_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
