// Contact with planes and spheres, and friction.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};

static uint32_t add_point(struct sim *sim, double x, double y, double z, const float velocity[3],
                          double thickness)
{
    const double positions[3] = {x, y, z}, masses[1] = {0.1};
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    desc.velocities = velocity;
    desc.thickness = thickness;
    return scene_add(sim, &desc);
}

static void what_falls_on_the_floor_rests_at_its_thickness(void **state)
{
    (void)state;
    const double thicknesses[] = {0, 0.01, 0.25};
    for (int i = 0; i < 3; i++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
            struct sim_settings settings = scene_settings();
            settings.iterations = iterations;
            struct sim *sim = scene_create(settings);
            scene_plane(sim, origin, up, 0.5);
            uint32_t body = add_point(sim, 0.3, 1, -2, NULL, thicknesses[i]);
            scene_run(sim, 180);
            double x[3];
            float v[3];
            scene_position(sim, body, 0, x);
            scene_velocity(sim, body, 0, v);
            assert_near(x[1], thicknesses[i], 1.5 * SCENE_Q);
            assert_near(x[0], 0.3, SCENE_Q);
            assert_near(x[2], -2, SCENE_Q);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(v[axis], 0, 1e-5);
            }
            struct sim_measures measures;
            sim_measure(sim, &measures);
            assert_int_equal(measures.contacts, 1);
            sim_destroy(sim);
        }
    }
}

static void what_slides_slows_down_by_mu_g_and_stops(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 4; iterations += 3) {
        struct sim_settings settings = scene_settings();
        settings.substeps = 20;
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        scene_plane(sim, origin, up, 0.3);
        const float velocity[3] = {1.2f, 0, -1.6f}; // 2 m/s
        uint32_t body = add_point(sim, 0, 0.01, 0, velocity, 0.01);
        double x[3], slow = 0.3 * 9.81;
        float v[3];
        scene_run(sim, 30);
        scene_velocity(sim, body, 0, v);
        // Friction enters a position rounded: half a quantum an axis and substep (8.9e-6 m/s / 2) at worst.
        assert_near(hypot(v[0], v[2]), 2 - slow * 0.5, 2e-3);
        assert_near(v[0] / v[2], -0.75, 2e-3);
        scene_run(sim, 90);
        scene_position(sim, body, 0, x);
        assert_near(hypot(x[0], x[2]), 2 * 2 / (2 * slow), 2.0 / 1200 + 1e-3);
        double later[3];
        scene_run(sim, 60);
        scene_position(sim, body, 0, later);
        assert_memory_equal(x, later, sizeof x);
        sim_destroy(sim);
    }
}

// A particle at rest on a slope with slope angle a, for 10,000 substeps. Returns how far it went.
static double on_a_slope(double tangent, double friction, double shift, uint32_t iterations,
                         bool expect_still)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    const double place[3] = {shift, shift, shift};
    const double normal[3] = {-tangent, 1, 0};
    scene_plane(sim, place, normal, friction);
    double length = sqrt(1 + tangent * tangent);
    uint32_t body = add_point(sim, shift - 0.01 * tangent / length, shift + 0.01 / length, shift, NULL, 0.01);
    scene_run(sim, 10);
    double before[3], after[3], way = 0;
    scene_position(sim, body, 0, before);
    scene_run(sim, expect_still ? 500 : 60);
    scene_position(sim, body, 0, after);
    for (int axis = 0; axis < 3; axis++) {
        way += (after[axis] - before[axis]) * (after[axis] - before[axis]);
    }
    sim_destroy(sim);
    return sqrt(way);
}

static void a_slope_holds_below_its_friction_without_creep(void **state)
{
    (void)state;
    const double places[] = {0, 1000};
    for (int p = 0; p < 2; p++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
            assert_true(on_a_slope(0.5, 0.51, places[p], iterations, true) == 0);
            assert_true(on_a_slope(0.05, 0.06, places[p], iterations, true) == 0);
            assert_true(on_a_slope(1.2, 1.25, places[p], iterations, true) == 0);
        }
    }
}

static void a_slope_steeper_than_its_friction_lets_slide(void **state)
{
    (void)state;
    const double places[] = {0, 1000};
    for (int p = 0; p < 2; p++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
            double tangent = 0.5, mu = 0.4, cosine = 1 / sqrt(1 + tangent * tangent);
            double a = 9.81 * cosine * (tangent - mu), t0 = 10.0 / 60, t1 = 70.0 / 60;
            double way = on_a_slope(tangent, mu, places[p], iterations, false);
            assert_near(way, a * (t1 * t1 - t0 * t0) / 2, 2e-3 * way);
            assert_true(on_a_slope(0.5, 0.49, places[p], iterations, false) > 0.03);
        }
    }
}

static void without_friction_it_slides_as_on_ice(void **state)
{
    (void)state;
    double tangent = 1, cosine = sqrt(0.5), a = 9.81 * cosine;
    double way = on_a_slope(tangent, 0, 0, 1, false);
    double t0 = 10.0 / 60, t1 = 70.0 / 60;
    assert_near(way, a * (t1 * t1 - t0 * t0) / 2, 2e-3 * way);
}

static void a_particle_rests_on_top_of_a_sphere_that_holds_it(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double center[3] = {3, 1, -2};
    scene_sphere(sim, center, 0.5, 0.5);
    uint32_t body = add_point(sim, 3, 1.7, -2, NULL, 0.02);
    scene_run(sim, 300);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[0], 3, SCENE_Q);
    assert_near(x[1], 1.52, 2 * SCENE_Q);
    assert_near(x[2], -2, SCENE_Q);
    sim_destroy(sim);
}

static void a_particle_slides_off_a_sphere_and_leaves_it_at_the_angle_of_two_thirds(void **state)
{
    (void)state;
    // From rest near the top of a smooth sphere it leaves where the cosine of its angle is 2/3 of the
    // start's.
    struct sim_settings settings = scene_settings();
    settings.substeps = 40;
    struct sim *sim = scene_create(settings);
    scene_sphere(sim, origin, 1, 0);
    double angle = 0.1;
    uint32_t body = add_point(sim, sin(angle), cos(angle), 0, NULL, 0);
    double x[3] = {0}, height = 2;
    for (int tick = 0; tick < 300; tick++) {
        scene_run(sim, 1);
        scene_position(sim, body, 0, x);
        double distance = hypot(x[0], x[1]);
        assert_true(distance > 1 - 1e-6);
        if (distance > 1 + 1e-4) {
            break;
        }
        height = x[1];
    }
    assert_near(height, 2.0 / 3 * cos(angle), 0.03);
    sim_destroy(sim);
}

static void an_old_penetration_leaves_at_one_metre_a_second_at_most(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        uint32_t body = add_point(sim, 0, -0.5, 0, NULL, 0);
        scene_plane(sim, origin, up, 0);
        double x[3], before = -0.5;
        for (int tick = 1; tick <= 28; tick++) {
            scene_run(sim, 1);
            scene_position(sim, body, 0, x);
            assert_true(x[1] - before < 1.0 / 60 + 1e-6);
            assert_true(x[1] > before);
            before = x[1];
        }
        // It arrives after half a second, with the velocity it was pushed at.
        assert_near(x[1], -0.5 + 28.0 / 60, 1e-3);
        sim_destroy(sim);
    }
}

static void a_collider_that_moves_carries_what_lies_on_it(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        struct sim_settings settings = scene_settings();
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        // Each tick gives the collider another velocity at once: much friction, so that nothing slips then.
        uint32_t plane = scene_plane(sim, origin, up, 100);
        uint32_t body = add_point(sim, 0, 0.01, 0, NULL, 0.01);
        scene_run(sim, 10);
        double start[3], x[3];
        scene_position(sim, body, 0, start);
        struct sim_collider collider;
        sim_collider_at(sim, 0, &collider);
        assert_int_equal(collider.id, plane);
        for (int tick = 1; tick <= 60; tick++) {
            struct fault fault;
            collider.position[0] = tick <= 30 ? 0.5 * 4 * tick * tick / 3600.0 : 0.5 + 2 * (tick - 30) / 60.0;
            collider.position[1] = 0.001 * tick;
            assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
            scene_run(sim, 1);
            scene_position(sim, body, 0, x);
            assert_near(x[0] - start[0], collider.position[0], 1e-6);
            assert_near(x[1], 0.01 + collider.position[1], 1e-6);
        }
        float v[3];
        scene_velocity(sim, body, 0, v);
        assert_near(v[0], 2, 1e-4);
        sim_destroy(sim);
    }
}

static void a_static_particle_passes_through_colliders(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    scene_plane(sim, origin, up, 0.8);
    const double positions[6] = {0, -1, 0, 1, -0.2, 0}, masses[2] = {0, 1};
    const uint32_t pin = 1;
    struct sim_body_desc desc = scene_points(positions, 2, masses);
    desc.pins = &pin;
    desc.pin_count = 1;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 20);
    double x[6];
    sim_body_positions64(sim, body, 0, 2, x);
    for (int k = 0; k < 6; k++) {
        assert_near(x[k], positions[k], SCENE_Q / 2);
    }
    sim_destroy(sim);
}

static void a_corner_of_two_planes_holds(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double left[3] = {1, 1, 0}, right[3] = {-1, 1, 0};
    scene_plane(sim, origin, left, 0);
    scene_plane(sim, origin, right, 0);
    uint32_t body = add_point(sim, 0.3, 1, 0, NULL, 0.1);
    scene_run(sim, 600);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[1], 0.1 * sqrt(2), 2e-3);
    assert_near(x[0], 0, 2e-3);
    sim_destroy(sim);
}

static void the_centre_of_a_sphere_is_left_upwards(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    uint32_t body = add_point(sim, 2, 2, 2, NULL, 0);
    const double center[3] = {2, 2, 2};
    scene_sphere(sim, center, 0.25, 0);
    scene_run(sim, 60);
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[0], 2, SCENE_Q);
    assert_near(x[2], 2, SCENE_Q);
    assert_true(x[1] >= 2.25 - 1e-6);
    sim_destroy(sim);
}

static void normals_of_any_length_are_made_unit_vectors(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double long_normal[3] = {0, 3e5, 4e5};
    scene_plane(sim, origin, long_normal, 0.25);
    struct sim_collider collider;
    sim_collider_at(sim, 0, &collider);
    assert_near(collider.normal[1], 0.6, 1e-15);
    assert_near(collider.normal[2], 0.8, 1e-15);
    assert_near(collider.friction, 0.25, 0);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_on_the_floor_rests_at_its_thickness),
        cmocka_unit_test(what_slides_slows_down_by_mu_g_and_stops),
        cmocka_unit_test(a_slope_holds_below_its_friction_without_creep),
        cmocka_unit_test(a_slope_steeper_than_its_friction_lets_slide),
        cmocka_unit_test(without_friction_it_slides_as_on_ice),
        cmocka_unit_test(a_particle_rests_on_top_of_a_sphere_that_holds_it),
        cmocka_unit_test(a_particle_slides_off_a_sphere_and_leaves_it_at_the_angle_of_two_thirds),
        cmocka_unit_test(an_old_penetration_leaves_at_one_metre_a_second_at_most),
        cmocka_unit_test(a_collider_that_moves_carries_what_lies_on_it),
        cmocka_unit_test(a_static_particle_passes_through_colliders),
        cmocka_unit_test(a_corner_of_two_planes_holds),
        cmocka_unit_test(the_centre_of_a_sphere_is_left_upwards),
        cmocka_unit_test(normals_of_any_length_are_made_unit_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
