// Damping: what it takes from motion, and that it takes nothing from what rests.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};

// ----------------------------------------------------------------------------------------------------- rest

// How far the end of a chain of ten masses of 0.1 kg hangs below where its springs of 1 mm/N are unstretched.
static double hang(double damping, double world_damping)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = world_damping;
    struct sim *sim = scene_create(settings);
    double positions[33] = {0}, masses[11] = {0}, x[3];
    uint32_t edges[20];
    for (uint32_t i = 0; i <= 10; i++) {
        positions[3 * i + 1] = -0.1 * i;
        masses[i] = i == 0 ? 0 : 0.1;
        edges[i < 10 ? 2 * i : 0] = i < 10 ? i : 0;
        edges[i < 10 ? 2 * i + 1 : 1] = i < 10 ? i + 1 : 1;
    }
    struct sim_body_desc desc = scene_rope(positions, 11, edges, 10, masses);
    desc.stretch = (struct sim_material){.compliance = 1e-3, .damping = damping, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 1500);
    scene_position(sim, body, 10, x);
    sim_destroy(sim);
    return -x[1] - 1;
}

// alpha g m N (N + 1)/2, and h^2 g (N^2/2 - 1) by the order of solving (test_motion.c).
static void damped_chains_hang_as_low_as_undamped_ones(void **state)
{
    (void)state;
    double h = 1.0 / 1200, stretch = 1e-3 * 9.81 * 0.1 * 55 + 49 * 9.81 * h * h;
    const double betas[4] = {0, 5, 20, 100}, worlds[2] = {2, 20};
    for (int i = 0; i < 8; i++) {
        assert_near(hang(betas[i % 4], worlds[i / 4]), stretch, 1e-3 * stretch);
    }
}

// The mean height of the hem of a curtain of one metre.
static double hem(double damping)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = 2;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(11, 11, 0.1, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[11];
    double x[33], sum = 0;
    for (uint32_t i = 0; i < 121; i++) {
        mesh.positions[3 * i + 1] = -mesh.positions[3 * i + 2];
        mesh.positions[3 * i + 2] = 0;
        pins[i % 11] = i % 11;
    }
    desc.pins = pins;
    desc.pin_count = 11;
    desc.stretch = (struct sim_material){.compliance = 1e-3, .damping = damping, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 900);
    sim_body_positions64(sim, body, 110, 11, x);
    for (int i = 0; i < 11; i++) {
        sum += x[3 * i + 1] / 11;
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return sum;
}

static void a_damped_curtain_hangs_as_low_as_an_undamped_one(void **state)
{
    (void)state;
    double low = hem(0);
    print_message("hem at %.5f, damped %.5f, %.5f m\n", low, hem(1), hem(100));
    assert_true(low < -1.0005 && low > -1.5);
    assert_near(hem(1), low, 2e-5);
    assert_near(hem(100), low, 2e-5);
}

// A kilogram on a spring: what hangs in damped air weighs as much as elsewhere.
static void damped_air_carries_no_load(void **state)
{
    (void)state;
    const double dampings[3] = {1, 30, 1000}, x[6] = {0, 0, 0, 0, -1, 0}, masses[2] = {0, 1};
    for (int i = 0; i < 3; i++) {
        struct sim_settings settings = scene_settings();
        settings.damping = dampings[i];
        struct sim *sim = scene_create(settings);
        struct sim_body_desc desc = scene_points(x, 2, masses);
        uint32_t body = scene_add(sim, &desc), link = scene_link(sim, body, 0, 1, 1, 1e-3, 0);
        struct fault fault;
        struct sim_constraint constraint;
        assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
        scene_run(sim, 2000);
        assert_true(sim_constraint_get(sim, link, &constraint));
        assert_near(-constraint.multiplier[0] * 600 * 600, 9.81, 1e-4 * 9.81);
        double at[3];
        scene_position(sim, body, 1, at);
        assert_near(at[1], -1 - 9.81e-3, 1e-6);
        sim_destroy(sim);
    }
}

// --------------------------------------------------------------------------------------------------- motion

// Displacement, after t, of m x'' + beta x' + k x = 0 let go at 0.5.
static double damped_swing(double mass, double k, double beta, double t)
{
    double decay = beta / (2 * mass), squared = k / mass - decay * decay;
    if (squared > 0) {
        double omega = sqrt(squared);
        return 0.5 * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t));
    }
    double fast = decay + sqrt(-squared), slow = decay - sqrt(-squared);
    return 0.5 * (fast * exp(-slow * t) - slow * exp(-fast * t)) / (fast - slow);
}

static void an_oscillator_is_damped_as_its_closed_form_says(void **state)
{
    (void)state;
    const double mass = 0.5, k = 20, betas[4] = {0.5, 2, 6, 40}, x[6] = {0, 0, 0, 1.5, 0, 0};
    const double masses[2] = {0, mass};
    for (int b = 0; b < 4; b++) {
        double errors[4];
        for (int i = 0; i < 4; i++) {
            struct sim_settings settings = scene_settings();
            settings.gravity[1] = 0;
            settings.substeps = 8u << i;
            struct sim *sim = scene_create(settings);
            struct sim_body_desc desc = scene_points(x, 2, masses);
            uint32_t body = scene_add(sim, &desc);
            scene_link(sim, body, 0, 1, 1, 1 / k, betas[b]);
            errors[i] = 0;
            for (int tick = 1; tick <= 60; tick++) {
                double at[3];
                scene_run(sim, 1);
                scene_position(sim, body, 1, at);
                errors[i] = fmax(errors[i], fabs(at[0] - 1 - damped_swing(mass, k, betas[b], tick / 60.0)));
            }
            sim_destroy(sim);
        }
        print_message("beta %4.1f: off by %.1e, %.1e, %.1e, %.1e m\n", betas[b], errors[0], errors[1],
                      errors[2], errors[3]);
        assert_true(errors[3] < 4e-3);
        for (int i = 1; i < 4; i++) {
            assert_near(errors[i - 1] / errors[i], 2, 0.25);
        }
    }
}

// However strong, damping only takes energy, and no momentum; what is not damped stays.
static void no_damping_is_too_strong(void **state)
{
    (void)state;
    const double betas[3] = {1, 1e4, 1e10};
    const enum sim_bend models[3] = {SIM_BEND_QUADRATIC, SIM_BEND_ISOMETRIC, SIM_BEND_DIHEDRAL};
    for (int i = 0; i < 9; i++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = 2;
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(6, 6, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        float v[108];
        double masses[36], mean[3] = {0}, before = INFINITY;
        uint64_t seed = 5;
        for (int k = 0; k < 108; k++) {
            v[k] = (float)(scene_uniform(&seed) - 0.5);
            masses[k / 3] = k % 2 ? 0.01 : 0.03;
        }
        for (int k = 0; k < 108; k++) {
            mean[k % 3] += masses[k / 3] * (double)v[k];
        }
        desc.velocities = v;
        desc.masses = masses;
        desc.stretch = (struct sim_material){.compliance = 1, .damping = betas[i % 3], .stiffness = -1};
        desc.bend_model = models[i / 3];
        desc.bend = (struct sim_material){.compliance = 1e3, .damping = betas[i % 3], .stiffness = -1};
        uint32_t body = scene_add(sim, &desc);
        for (int tick = 0; tick < 120; tick++) {
            struct sim_measures measures;
            scene_run(sim, 1);
            sim_measure(sim, &measures);
            double energy = measures.kinetic;
            for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
                energy += measures.elastic[kind];
            }
            assert_true(energy < before * (1 + 1e-3));
            before = energy;
        }
        sim_body_velocities(sim, body, 0, 36, v);
        for (int k = 0; k < 108; k++) {
            mean[k % 3] -= masses[k / 3] * (double)v[k];
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_near(mean[axis], 0, 1e-4);
        }
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damped_chains_hang_as_low_as_undamped_ones),
        cmocka_unit_test(a_damped_curtain_hangs_as_low_as_an_undamped_one),
        cmocka_unit_test(damped_air_carries_no_load),
        cmocka_unit_test(an_oscillator_is_damped_as_its_closed_form_says),
        cmocka_unit_test(no_damping_is_too_strong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
