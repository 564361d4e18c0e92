// Capsules and boxes, colliders that turn, and friction in short substeps.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double unturned[4] = {0, 0, 0, 1};

static uint32_t add(struct sim *sim, const struct sim_collider *collider)
{
    struct fault fault = {0};
    uint32_t id = 0;
    if (sim_collider_add(sim, collider, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

static uint32_t add_point(struct sim *sim, const double x[3], const float velocity[3], double thickness)
{
    const double mass = 0.1;
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    desc.velocities = velocity;
    desc.thickness = thickness;
    return scene_add(sim, &desc);
}

// Rest position of a particle without gravity that starts at x and is pushed out of a collider.
static void pushed_out(const struct sim_collider *collider, const double x[3], double thickness,
                       double out[3])
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.substeps = 1;
    struct sim *sim = scene_create(settings);
    uint32_t body = add_point(sim, x, NULL, thickness);
    add(sim, collider);
    double before[3] = {INFINITY, 0, 0};
    scene_position(sim, body, 0, out);
    // Old penetrations leave at 1 m/s: after the first tick the way out is known, and its velocity is taken.
    for (int tick = 0; tick < 200 && memcmp(before, out, sizeof before) != 0; tick++) {
        const float still[3] = {0, 0, 0};
        const uint32_t particle = 0;
        struct fault fault;
        memcpy(before, out, sizeof before);
        scene_run(sim, 1);
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, still, NULL, &fault), FAULT_NONE);
        scene_position(sim, body, 0, out);
    }
    sim_destroy(sim);
}

static void assert_place(const double actual[3], double x, double y, double z)
{
    assert_near(actual[0], x, 4 * SCENE_Q + 1e-7);
    assert_near(actual[1], y, 4 * SCENE_Q + 1e-7);
    assert_near(actual[2], z, 4 * SCENE_Q + 1e-7);
}

static struct sim_collider box_of(double x, double y, double z, const double rotation[4])
{
    struct sim_collider box = {.kind = SIM_BOX, .half_extents = {x, y, z}};
    memcpy(box.rotation, rotation, sizeof box.rotation);
    return box;
}

static void a_box_pushes_out_by_the_nearest_face_edge_or_corner(void **state)
{
    (void)state;
    struct sim_collider box = box_of(1, 0.5, 2, unturned);
    double out[3];
    const struct {
        double x[3], thickness, out[3];
    } cases[] = {
        {{0.9, 0.1, 0}, 0, {1, 0.1, 0}},          // inside, least depth on +x
        {{-0.9, 0.1, 0.3}, 0, {-1, 0.1, 0.3}},    // and on -x
        {{0.2, -0.4, 1}, 0, {0.2, -0.5, 1}},      // -y
        {{0.2, 0.1, -1.8}, 0, {0.2, 0.1, -2}},    // -z
        {{0.2, 0.55, 0.1}, 0.1, {0.2, 0.6, 0.1}}, // outside over a face
        {{0.5, 0, 0}, 0, {1, 0, 0}},              // x and y as deep: x before y
        {{0, 0.2, 1.7}, 0, {0, 0.5, 1.7}},        // y and z as deep (0.3): y before z
        {{0, 0, 0}, 0, {0, 0.5, 0}},              // centre
        {{3, 3, 3}, 0.5, {3, 3, 3}},              // far off
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pushed_out(&box, cases[i].x, cases[i].thickness, out);
        assert_place(out, cases[i].out[0], cases[i].out[1], cases[i].out[2]);
    }
    double d = 0.1 / sqrt(2), e = 0.1 / sqrt(3);
    pushed_out(&box, (double[3]){1.01, 0.51, 0.25}, 0.1, out); // edge
    assert_place(out, 1 + d, 0.5 + d, 0.25);
    pushed_out(&box, (double[3]){1.01, -0.51, 2.01}, 0.1, out); // corner
    assert_place(out, 1 + e, -0.5 - e, 2 + e);
    struct sim_collider cube = box_of(0.5, 0.5, 0.5, unturned);
    pushed_out(&cube, (double[3]){0, 0, 0}, 0, out); // all as deep: x
    assert_place(out, 0.5, 0, 0);
}

static void a_turned_box_pushes_along_its_own_faces(void **state)
{
    (void)state;
    const double turn[4] = {0, 0, sin(M_PI / 8), cos(M_PI / 8)}; // 45 degrees about z
    struct sim_collider box = box_of(1, 0.25, 1, turn);
    box.position[0] = 2;
    double out[3], s = sqrt(0.5);
    pushed_out(&box, (double[3]){2 - 0.2 * s, 0.2 * s, 0.1}, 0.05, out); // 0.2 along its +y
    assert_place(out, 2 - 0.3 * s, 0.3 * s, 0.1);
}

static void a_capsule_is_a_segment_with_a_radius(void **state)
{
    (void)state;
    struct sim_collider capsule = {
        .kind = SIM_CAPSULE, .rotation = {0, 0, 0, 1}, .radius = 0.25, .length = 2};
    double out[3], s = 0.35 / sqrt(2);
    pushed_out(&capsule, (double[3]){0.1, 0.5, 0}, 0.1, out);
    assert_place(out, 0.35, 0.5, 0);
    pushed_out(&capsule, (double[3]){0, -0.7, -0.2}, 0, out);
    assert_place(out, 0, -0.7, -0.25);
    pushed_out(&capsule, (double[3]){0, 1.1, 0}, 0.1, out); // over its end
    assert_place(out, 0, 1.35, 0);
    pushed_out(&capsule, (double[3]){0.1, -1.1, 0}, 0.1, out); // round its end
    assert_place(out, s, -1 - s, 0);
    pushed_out(&capsule, (double[3]){0, 0.5, 0}, 0, out); // on the segment: up, along it to its end
    assert_place(out, 0, 1.25, 0);
    const double lying[4] = {0, 0, sqrt(0.5), sqrt(0.5)};
    memcpy(capsule.rotation, lying, sizeof lying);
    pushed_out(&capsule, (double[3]){0.5, 0, 0}, 0, out); // on the segment of one that lies: up
    assert_place(out, 0.5, 0.25, 0);
    capsule.length = 0; // a sphere
    pushed_out(&capsule, (double[3]){0, 0, 0.1}, 0.05, out);
    assert_place(out, 0, 0, 0.3);
}

static void a_cylinder_has_a_side_flat_caps_and_a_rim(void **state)
{
    (void)state;
    struct sim_collider cylinder = {
        .kind = SIM_CYLINDER, .rotation = {0, 0, 0, 1}, .radius = 0.5, .length = 2};
    const struct {
        double x[3], thickness, out[3];
    } cases[] = {
        {{0.3, 0.2, 0}, 0, {0.5, 0.2, 0}},           // inside, the side is nearest
        {{0.24, -0.2, -0.32}, 0, {0.3, -0.2, -0.4}}, // and askew
        {{0.2, 0.9, 0.1}, 0, {0.2, 1, 0.1}},         // the upper cap is nearest
        {{0.2, -0.9, 0.1}, 0, {0.2, -1, 0.1}},       // the lower one
        {{0.25, 0.75, 0}, 0, {0.5, 0.75, 0}},        // both as deep: the side
        {{0.4, 1.05, 0}, 0.1, {0.4, 1.1, 0}},        // outside, over a cap: it is flat up to its rim
        {{0, -0.3, -0.55}, 0.1, {0, -0.3, -0.6}},    // outside, before the side
        {{0, 0, 0}, 0, {0.5, 0, 0}},                 // centre: its x
        {{0, 0.9, 0}, 0, {0, 1, 0}},                 // on the axis, near a cap
        {{0.55, 1.08, 0}, 0.05, {0.55, 1.08, 0}},    // past the rim: 9.4 cm away
    };
    double out[3], d = 0.1 / sqrt(2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pushed_out(&cylinder, cases[i].x, cases[i].thickness, out);
        assert_place(out, cases[i].out[0], cases[i].out[1], cases[i].out[2]);
    }
    pushed_out(&cylinder, (double[3]){0.51, 1.01, 0}, 0.1, out); // the rim
    assert_place(out, 0.5 + d, 1 + d, 0);
    pushed_out(&cylinder, (double[3]){0, -1.01, 0.51}, 0.1, out);
    assert_place(out, 0, -1 - d, 0.5 + d);
    const double lying[4] = {0, 0, sqrt(0.5), sqrt(0.5)}; // its y is the world's -x
    memcpy(cylinder.rotation, lying, sizeof lying);
    pushed_out(&cylinder, (double[3]){0.9, 0.1, 0}, 0.05, out);
    assert_place(out, 1.05, 0.1, 0);
    pushed_out(&cylinder, (double[3]){0.5, 0.4, 0}, 0, out);
    assert_place(out, 0.5, 0.5, 0);
}

static void a_cylinder_without_radius_or_length_is_refused(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider cylinder = {.kind = SIM_CYLINDER, .radius = 0.5, .length = 2};
    struct fault fault = {0};
    uint32_t id = add(sim, &cylinder);
    uint64_t before = sim_hash(sim);
    const double wrong[] = {0, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sim_collider thin = cylinder, flat = cylinder;
        thin.radius = flat.length = wrong[i];
        thin.id = flat.id = id;
        uint32_t unused;
        assert_int_equal(sim_collider_add(sim, &thin, &unused, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "radius");
        assert_int_equal(sim_collider_set(sim, &flat, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "length");
    }
    assert_int_equal(sim_collider_count(sim), 1);
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

// On a cap that leans by atan 0.5.
static void a_tilted_cap_holds_and_lets_go_at_tangent_mu(void **state)
{
    (void)state;
    for (int steep = 0; steep < 2; steep++) {
        double angle = atan(0.5), mu = steep ? 0.4 : 0.55, s = sin(angle), c = cos(angle), t = 0.5;
        struct sim *sim = scene_create(scene_settings());
        struct sim_collider cylinder = {.kind = SIM_CYLINDER,
                                        .rotation = {0, 0, sin(angle / 2), cos(angle / 2)},
                                        .radius = 3,
                                        .length = 1,
                                        .friction = mu};
        add(sim, &cylinder);
        uint32_t body = add_point(sim, (double[3]){-0.51 * s, 0.51 * c, 0}, NULL, 0.01);
        double before[3], after[3];
        scene_position(sim, body, 0, before);
        scene_run(sim, 30);
        scene_position(sim, body, 0, after);
        double way = hypot(after[0] - before[0], after[1] - before[1]);
        assert_near(way, steep ? 0.5 * 9.81 * c * (0.5 - mu) * t * t : 0, steep ? 3e-3 : 1e-5);
        assert_near(after[1] * c - after[0] * s, 0.51, 1e-5);
        sim_destroy(sim);
    }
}

static void a_rotation_tilts_a_plane_as_its_normal_does(void **state)
{
    (void)state;
    struct sim_collider tilted = {.kind = SIM_PLANE, .rotation = {0, 0, sin(M_PI / 8), cos(M_PI / 8)}};
    struct sim_collider normal = {.kind = SIM_PLANE, .normal = {-1, 1, 0}};
    double a[3], b[3];
    const double x[3] = {0.3, 0.1, 0.5};
    pushed_out(&tilted, x, 0.05, a);
    pushed_out(&normal, x, 0.05, b);
    double s = sqrt(0.5), depth = 0.05 - (0.1 - 0.3) * s;
    assert_place(a, 0.3 - depth * s, 0.1 + depth * s, 0.5);
    assert_place(b, a[0], a[1], a[2]);
}

// ------------------------------------------------------------------------------------------------- carried

static void what_lies_on_a_turntable_goes_round_with_it(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    struct sim *sim = scene_create(settings);
    struct sim_collider table = box_of(2, 0.1, 2, unturned);
    table.friction = 1;
    table.id = add(sim, &table);
    const double start[3] = {1, 0.11, 0};
    uint32_t body = add_point(sim, start, NULL, 0.01);
    scene_run(sim, 5);
    double angle = 0, x[3];
    for (int tick = 0; tick < 240; tick++) {
        double speed = tick < 60 ? tick / 60.0 : 1; // rad/s: 1 m/s^2 inwards, friction holds 9.81
        struct fault fault;
        angle += speed / 60;
        table.rotation[1] = sin(angle / 2);
        table.rotation[3] = cos(angle / 2);
        assert_int_equal(sim_collider_set(sim, &table, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    scene_position(sim, body, 0, x);
    assert_near(x[1], 0.11, 1e-6);
    assert_near(hypot(x[0], x[2]), 1, 2e-4);
    assert_near(atan2(-x[2], x[0]), remainder(angle, 2 * M_PI), 2e-4);
    float v[3];
    scene_velocity(sim, body, 0, v);
    assert_near(hypot((double)v[0], (double)v[2]), 1, 2e-3);
    sim_destroy(sim);
}

static void a_smooth_turntable_carries_nothing(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider table = box_of(2, 0.1, 2, unturned);
    table.id = add(sim, &table);
    const double start[3] = {1, 0.11, 0};
    uint32_t body = add_point(sim, start, NULL, 0.01);
    for (int tick = 1; tick <= 60; tick++) {
        struct fault fault;
        table.rotation[1] = sin(tick / 120.0);
        table.rotation[3] = cos(tick / 120.0);
        assert_int_equal(sim_collider_set(sim, &table, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    double x[3];
    scene_position(sim, body, 0, x);
    assert_near(x[0], 1, 1e-6);
    assert_near(x[2], 0, 1e-6);
    sim_destroy(sim);
}

static void boxes_and_capsules_that_move_carry_what_lies_on_them(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        struct sim *sim = scene_create(scene_settings());
        struct sim_collider base = box_of(0.5, 0.1, 0.5, unturned);
        if (kind == 1) {
            base.kind = SIM_CAPSULE;
            base.radius = 0.1;
            base.length = 1;
            base.rotation[2] = base.rotation[3] = sqrt(0.5); // lies along x
        }
        base.friction = 2;
        base.id = add(sim, &base);
        const double start[3] = {0, 0.11, 0};
        uint32_t body = add_point(sim, start, NULL, 0.01);
        scene_run(sim, 5);
        for (int tick = 1; tick <= 120; tick++) {
            struct fault fault;
            double t = tick / 60.0;
            base.position[0] = t < 1 ? 0.5 * t * t : t - 0.5; // 1 m/s^2, then 1 m/s
            base.position[1] = 0.1 * t;
            assert_int_equal(sim_collider_set(sim, &base, &fault), FAULT_NONE);
            scene_run(sim, 1);
        }
        double x[3];
        scene_position(sim, body, 0, x);
        assert_near(x[0], base.position[0], 1e-3);
        assert_near(x[1], 0.11 + base.position[1], 1e-5);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------ short substeps

static void sliding_slows_down_by_mu_g_at_any_number_of_substeps(void **state)
{
    (void)state;
    // 2 t - mu g t^2 / 2 less what the sum over substeps falls short of it: at 0.5 s 0.6321; 0.5285 m/s left.
    const uint32_t substeps[4] = {20, 100, 300, 1000};
    for (int i = 0; i < 4; i++) {
        struct sim_settings settings = scene_settings();
        settings.substeps = substeps[i];
        struct sim *sim = scene_create(settings);
        scene_plane(sim, (double[3]){0, 0, 0}, (double[3]){0, 1, 0}, 0.3);
        const float velocity[3] = {1.2f, 0, -1.6f}; // 2 m/s
        uint32_t body = add_point(sim, (double[3]){0, 0.01, 0}, velocity, 0.01);
        scene_run(sim, 30);
        float v[3];
        double x[3];
        scene_velocity(sim, body, 0, v);
        scene_position(sim, body, 0, x);
        assert_near(hypot((double)v[0], (double)v[2]), 2 - 0.3 * 9.81 * 0.5, 1e-3);
        assert_near(hypot(x[0], x[2]), 2 * 0.5 - 0.5 * 0.3 * 9.81 * 0.25, 2e-3);
        assert_near(x[0] / x[2], -0.75, 1e-3);
        scene_run(sim, 60);
        scene_position(sim, body, 0, x);
        assert_near(hypot(x[0], x[2]), 2 / (0.3 * 9.81), 3e-3);
        sim_destroy(sim);
    }
}

static void a_slope_holds_and_lets_go_at_tangent_mu_at_any_number_of_substeps(void **state)
{
    (void)state;
    const uint32_t substeps[4] = {20, 100, 300, 1000};
    for (int i = 0; i < 4; i++) {
        for (int steep = 0; steep < 2; steep++) {
            struct sim_settings settings = scene_settings();
            settings.substeps = substeps[i];
            struct sim *sim = scene_create(settings);
            double tangent = 0.5, mu = steep ? 0.4 : 0.55, length = sqrt(1 + tangent * tangent);
            scene_plane(sim, (double[3]){0, 0, 0}, (double[3]){-tangent, 1, 0}, mu);
            uint32_t body =
                add_point(sim, (double[3]){-0.01 * tangent / length, 0.01 / length, 0}, NULL, 0.01);
            double before[3], after[3], t = 0.5;
            scene_position(sim, body, 0, before);
            scene_run(sim, 30);
            scene_position(sim, body, 0, after);
            double way = hypot(after[0] - before[0], after[1] - before[1]);
            double exact = steep ? 0.5 * 9.81 / length * (tangent - mu) * t * t : 0;
            // With 1000 substeps gravity is a third of a quantum in each: what rounding takes from the push is
            // missing in the friction, and 60 um/s of creep are left.
            assert_near(way, exact, steep ? 2e-3 : substeps[i] == 1000 ? 5e-5 : 1e-6);
            sim_destroy(sim);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_pushes_out_by_the_nearest_face_edge_or_corner),
        cmocka_unit_test(a_turned_box_pushes_along_its_own_faces),
        cmocka_unit_test(a_capsule_is_a_segment_with_a_radius),
        cmocka_unit_test(a_cylinder_has_a_side_flat_caps_and_a_rim),
        cmocka_unit_test(a_cylinder_without_radius_or_length_is_refused),
        cmocka_unit_test(a_tilted_cap_holds_and_lets_go_at_tangent_mu),
        cmocka_unit_test(a_rotation_tilts_a_plane_as_its_normal_does),
        cmocka_unit_test(what_lies_on_a_turntable_goes_round_with_it),
        cmocka_unit_test(a_smooth_turntable_carries_nothing),
        cmocka_unit_test(boxes_and_capsules_that_move_carry_what_lies_on_them),
        cmocka_unit_test(sliding_slows_down_by_mu_g_at_any_number_of_substeps),
        cmocka_unit_test(a_slope_holds_and_lets_go_at_tangent_mu_at_any_number_of_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
