// Surfaces of colliders that run on while the collider stands: conveyors, rollers, turntables.
#include "helper_scene.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define MU 0.5

static struct fault fault;

static void collider_add(struct sim *sim, struct sim_collider *collider)
{
    if (sim_collider_add(sim, collider, &collider->id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
}

static uint32_t point_add(struct sim *sim, double x, double y, double z)
{
    const double place[3] = {x, y, z}, mass = 0.1;
    struct sim_body_desc desc = scene_points(place, 1, &mass);
    desc.thickness = 0.01;
    return scene_add(sim, &desc);
}

static double along(const struct sim *sim, uint32_t body, int axis)
{
    double x[3];
    scene_position(sim, body, 0, x);
    return x[axis];
}

// Starts from rest: at mu g until it goes with the belt, then at the speed of the belt.
static double way_on_a_belt(double speed, double t)
{
    const double slips = speed / (MU * GRAVITY);
    return t < slips ? 0.5 * MU * GRAVITY * t * t : speed * (t - 0.5 * slips);
}

// The belt runs along the collider's own x. It is turned about y by half of a right angle, so that is along x and -z.
static void what_lies_on_a_belt_comes_to_its_speed(void **state)
{
    (void)state;
    static const enum sim_collider_kind kinds[] = {SIM_PLANE, SIM_BOX};
    for (size_t k = 0; k < 2; k++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
            struct sim_settings settings = scene_settings();
            settings.iterations = iterations;
            struct sim *sim = scene_create(settings);
            struct sim_collider belt = {.kind = kinds[k],
                                        .position = {0, kinds[k] == SIM_BOX ? -0.2 : 0, 0},
                                        .rotation = {0, sin(M_PI / 8), 0, cos(M_PI / 8)},
                                        .half_extents = {3, 0.2, 3},
                                        .friction = MU,
                                        .surface_velocity = {1, 0, 0}};
            collider_add(sim, &belt);
            const uint32_t body = point_add(sim, 0, 0.01, 0);
            for (int tick = 1; tick <= 60; tick++) {
                scene_run(sim, 1);
                const double way = way_on_a_belt(1, tick / 60.0) * M_SQRT1_2;
                assert_near(along(sim, body, 0), way, 2e-3);
                assert_near(along(sim, body, 2), -way, 2e-3);
                assert_near(along(sim, body, 1), 0.01, 1e-4);
            }
            float v[3];
            scene_velocity(sim, body, 0, v);
            assert_near((double)v[0], M_SQRT1_2, 1e-3);
            sim_destroy(sim);
        }
    }
}

// Nothing but what is along the surface counts, and friction may be 0.
static void a_belt_pushes_nothing_off_and_needs_friction(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider up = {
        .kind = SIM_BOX, .half_extents = {1, 1, 1}, .friction = MU, .surface_velocity = {0, 20, 0}};
    struct sim_collider smooth = {
        .kind = SIM_BOX, .position = {9, 0, 0}, .half_extents = {1, 1, 1}, .surface_velocity = {20, 0, 0}};
    collider_add(sim, &up);
    collider_add(sim, &smooth);
    const uint32_t bodies[2] = {point_add(sim, 0, 1.01, 0), point_add(sim, 9, 1.01, 0)};
    scene_run(sim, 30);
    for (int b = 0; b < 2; b++) {
        assert_near(along(sim, bodies[b], 0), 9 * b, 1e-6);
        assert_near(along(sim, bodies[b], 1), 1.01, 1e-4);
    }
    sim_destroy(sim);
}

// A body on a turntable goes round with it: at 2 rad/s and 0.2 m that needs 0.8 m/s^2 of the 4.9 that friction has.
static void what_lies_on_a_turntable_goes_round(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    struct sim *sim = scene_create(settings);
    struct sim_collider table = {.kind = SIM_CYLINDER,
                                 .position = {1, -0.1, 2},
                                 .radius = 1,
                                 .length = 0.2,
                                 .friction = MU,
                                 .surface_spin = {0, 2, 0}};
    collider_add(sim, &table);
    const uint32_t body = point_add(sim, 1.2, 0.01, 2);
    scene_run(sim, 60);
    double x = along(sim, body, 0) - 1, z = along(sim, body, 2) - 2;
    const double r = sqrt(x * x + z * z), before = atan2(-z, x);
    scene_run(sim, 30);
    x = along(sim, body, 0) - 1;
    z = along(sim, body, 2) - 2;
    print_message("r %g m, later %g m\n", r, sqrt(x * x + z * z));
    assert_near(sqrt(x * x + z * z), r, 1e-3);
    assert_near(remainder(atan2(-z, x) - before, 2 * M_PI), 1, 0.01);
    sim_destroy(sim);
}

// A coarse sheet lies on a narrow bar with nothing but insides of triangles and edges. The bar gives it no more than mu g.
static double pulled(enum sim_collider_kind kind, double speed, double spin)
{
    static const double heights[6] = {0, 0.1, 0, 0, 0.1, 0};
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider bar = {.kind = kind,
                               .position = {0.05, kind == SIM_HEIGHT_FIELD ? -0.1 : -0.05, 0.03},
                               .rotation = {0, 0, 0, 1},
                               .radius = 0.05,
                               .length = 1,
                               .half_extents = {0.05, 0.05, 1},
                               .heights = kind == SIM_HEIGHT_FIELD ? heights : NULL,
                               .height_count = kind == SIM_HEIGHT_FIELD ? 6 : 0,
                               .columns = 3,
                               .spacing = 2,
                               .friction = MU,
                               .surface_velocity = {speed, 0, 0},
                               .surface_spin = {0, kind == SIM_CAPSULE ? spin : 0, 0}};
    if (kind == SIM_CAPSULE) {
        bar.rotation[0] = bar.rotation[3] = M_SQRT1_2; // its y lies along z
    }
    collider_add(sim, &bar);
    struct scene_mesh mesh = scene_grid(4, 4, 0.5, (const double[3]){-0.75, 0.003, -0.75});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.002;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1};
    const uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 6);
    double sum = 0;
    for (uint32_t i = 0; i < 16; i++) {
        double x[3];
        scene_position(sim, body, i, x);
        sum += (x[0] - mesh.positions[3 * (size_t)i]) / 16;
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return sum;
}

static void a_belt_pulls_edges_and_triangles(void **state)
{
    (void)state;
    static const enum sim_collider_kind kinds[] = {SIM_BOX, SIM_CAPSULE, SIM_HEIGHT_FIELD};
    for (size_t k = 0; k < 3; k++) {
        const bool rolls = kinds[k] == SIM_CAPSULE;
        const double still = pulled(kinds[k], 0, 0);
        // The top of a bar whose y lies along z goes to -x if it turns about that.
        const double there = pulled(kinds[k], rolls ? 0 : 5, -100),
                     back = pulled(kinds[k], rolls ? 0 : -5, 100);
        print_message("kind %d: %g, %g and %g mm\n", (int)kinds[k], 1e3 * back, 1e3 * still, 1e3 * there);
        assert_true(there - still > 1e-3 && still - back > 1e-3);
        assert_true(there - still < 0.5 * MU * GRAVITY * 0.1 * 0.1 * 1.2);
    }
}

static bool is_asleep(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

// A pinned sheet slips on the belt without going anywhere. Another one hangs far above it.
static void nothing_sleeps_on_a_belt_that_runs(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.damping = 2;
    struct sim *sim = scene_create(settings);
    struct sim_collider belt = {
        .kind = SIM_PLANE, .rotation = {0, 0, 0, 1}, .friction = MU, .surface_velocity = {0.1, 0, 0}};
    collider_add(sim, &belt);
    uint32_t bodies[2];
    for (int b = 0; b < 2; b++) {
        static const uint32_t pins[4] = {0, 3, 12, 15};
        struct scene_mesh mesh = scene_grid(4, 4, 0.05, (const double[3]){-0.1, b == 0 ? 0.01 : 1, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.thickness = 0.01;
        desc.pins = pins;
        desc.pin_count = 4;
        bodies[b] = scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    scene_run(sim, 400);
    assert_false(is_asleep(sim, bodies[0]));
    assert_true(is_asleep(sim, bodies[1]));
    memset(belt.surface_velocity, 0, sizeof belt.surface_velocity);
    assert_int_equal(sim_collider_set(sim, &belt, &fault), FAULT_NONE);
    scene_run(sim, 400);
    assert_true(is_asleep(sim, bodies[0]));
    belt.surface_velocity[0] = 0.1;
    assert_int_equal(sim_collider_set(sim, &belt, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_false(is_asleep(sim, bodies[0]));
    scene_run(sim, 200);
    assert_false(is_asleep(sim, bodies[0]));
    sim_destroy(sim);
}

static uint64_t hash_of(enum sim_collider_kind kind, uint32_t iterations)
{
    static const double points[12] = {0.3, 0.2, 0, -0.3, 0.2, 0.3, -0.3, 0.2, -0.3, 0, -0.3, 0};
    static const double heights[4] = {0.1, 0.2, 0.15, 0.1};
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    struct sim_collider belt = {.kind = kind,
                                .rotation = {0.1, 0.2, -0.1, 1},
                                .radius = 0.3,
                                .length = 0.5,
                                .half_extents = {0.3, 0.2, 0.3},
                                .heights = kind == SIM_HEIGHT_FIELD ? heights : NULL,
                                .height_count = kind == SIM_HEIGHT_FIELD ? 4 : 0,
                                .columns = 2,
                                .spacing = 0.5,
                                .points = kind == SIM_CONVEX ? points : NULL,
                                .point_count = kind == SIM_CONVEX ? 4 : 0,
                                .friction = MU,
                                .surface_velocity = {0.3, 0.1, -0.7},
                                .surface_spin = {3, -2, 1}};
    collider_add(sim, &belt);
    struct scene_mesh mesh = scene_grid(9, 9, 0.07, (const double[3]){-0.25, 0.35, -0.25});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.01;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1};
    scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    scene_run(sim, 20);
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void belts_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    uint64_t all = 0;
    for (int kind = SIM_PLANE; kind <= SIM_HEIGHT_FIELD; kind++) {
        for (uint32_t iterations = 1; iterations <= 2; iterations++) {
            uint64_t first = 0;
            for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
                if (!sim_isa_available((enum sim_isa)isa)) {
                    continue;
                }
                sim_isa_choose((enum sim_isa)isa);
                const uint64_t hash = hash_of((enum sim_collider_kind)kind, iterations);
                first = first == 0 ? hash : first;
                assert_int_equal(hash, first);
            }
            all = all * UINT64_C(0xd1342543de82ef95) + first;
        }
    }
    sim_isa_choose(chosen);
    print_message("%" PRIx64 "\n", all);
    assert_int_equal(all, UINT64_C(0x717e1ce754810ac2));
}

static void refused(struct sim *sim, const struct sim_collider *collider, const char *field)
{
    const uint64_t before = sim_hash(sim);
    struct sim_collider given = *collider;
    uint32_t id;
    assert_int_equal(sim_collider_set(sim, &given, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, field);
    assert_int_equal(sim_collider_add(sim, &given, &id, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, field);
    assert_int_equal(sim_hash(sim), before);
}

static void a_belt_has_bounds_and_is_hashed(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider belt = {.kind = SIM_BOX, .rotation = {0, 0, 0, 1}, .half_extents = {1, 1, 1}}, told;
    collider_add(sim, &belt);
    const uint64_t none = sim_hash(sim);
    static const double bad[] = {50.1, -1e300, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct sim_collider given = belt;
        given.surface_velocity[i % 3] = bad[i];
        refused(sim, &given, "surface_velocity");
        given = belt;
        given.surface_spin[i % 3] = 20 * bad[i];
        refused(sim, &given, "surface_spin");
    }
    belt.surface_velocity[2] = -50;
    belt.surface_spin[1] = 1000;
    assert_int_equal(sim_collider_set(sim, &belt, &fault), FAULT_NONE);
    assert_int_not_equal(sim_hash(sim), none);
    sim_collider_at(sim, 0, &told);
    assert_memory_equal(told.surface_velocity, belt.surface_velocity, sizeof belt.surface_velocity);
    assert_memory_equal(told.surface_spin, belt.surface_spin, sizeof belt.surface_spin);
    memset(belt.surface_velocity, 0, sizeof belt.surface_velocity);
    memset(belt.surface_spin, 0, sizeof belt.surface_spin);
    assert_int_equal(sim_collider_set(sim, &belt, &fault), FAULT_NONE);
    assert_int_equal(sim_hash(sim), none);
    sim_destroy(sim);
}

// A spin that is too fast for what it turns goes at 50 m/s at most: nothing is thrown farther in a tick than a world allows.
static void the_fastest_belt_fails_no_world(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.tick_rate = 10;
    struct sim *sim = scene_create(settings);
    struct sim_collider drum = {.kind = SIM_CYLINDER,
                                .radius = 5,
                                .length = 0.2,
                                .friction = 1000,
                                .surface_velocity = {50, 0, 0},
                                .surface_spin = {0, 1000, 0}};
    collider_add(sim, &drum);
    const uint32_t body = point_add(sim, 4.5, 0.11, 0);
    scene_run(sim, 1);
    const double x = along(sim, body, 0) - 4.5, z = along(sim, body, 2);
    assert_near(sqrt(x * x + z * z), 1, 1.01);
    scene_run(sim, 30);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_belt_comes_to_its_speed),
        cmocka_unit_test(a_belt_pushes_nothing_off_and_needs_friction),
        cmocka_unit_test(what_lies_on_a_turntable_goes_round),
        cmocka_unit_test(a_belt_pulls_edges_and_triangles),
        cmocka_unit_test(nothing_sleeps_on_a_belt_that_runs),
        cmocka_unit_test(belts_have_the_same_bits_everywhere),
        cmocka_unit_test(a_belt_has_bounds_and_is_hashed),
        cmocka_unit_test(the_fastest_belt_fails_no_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
