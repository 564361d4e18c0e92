// Energy of bodies over long runs, and how errors go with the length of a substep.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0};

static double energy_of(const struct sim *sim)
{
    struct sim_measures measures;
    sim_measure(sim, &measures);
    double sum = measures.kinetic + measures.potential;
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        assert_true(measures.elastic[kind] >= 0);
        sum += measures.elastic[kind];
    }
    return sum;
}

// A small cloth hangs by two corners and swings.
static void the_energy_of_a_hanging_cloth_does_not_grow_in_10000_ticks(void **state)
{
    (void)state;
    const enum sim_bend models[4] = {SIM_BEND_NONE, SIM_BEND_QUADRATIC, SIM_BEND_DIHEDRAL,
                                     SIM_BEND_ISOMETRIC};
    for (int m = 0; m < 4; m++) {
        struct sim *sim = scene_create(scene_settings());
        struct scene_mesh mesh = scene_grid(5, 5, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, 4};
        float velocities[75] = {0};
        for (int i = 0; i < 25; i++) {
            mesh.positions[3 * i + 1] = -mesh.positions[3 * i + 2];
            mesh.positions[3 * i + 2] = 0;
            velocities[3 * i + 2] = i < 5 ? 0 : 0.5f;
        }
        desc.velocities = velocities;
        desc.pins = pins;
        desc.pin_count = 2;
        desc.stretch.compliance = 1e-3;
        desc.bend_model = models[m];
        desc.bend = (struct sim_material){.compliance = 10, .stiffness = -1};
        scene_add(sim, &desc);
        double before = energy_of(sim), start = before, scale = fabs(start);
        for (int part = 0; part < 10; part++) {
            double most = -INFINITY;
            for (int tick = 0; tick < 1000; tick++) {
                scene_run(sim, 1);
                double now = energy_of(sim);
                most = now > most ? now : most;
            }
            assert_true(most <= before + (part == 0 ? 1e-2 : 1e-5) * scale);
            before = most;
        }
        assert_true(before < start - 0.03 * scale); // it swung, and came to rest
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_true(measures.kinetic < 1e-6);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

static void a_soft_block_that_fell_comes_to_rest_and_stays_so(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    struct sim *sim = scene_create(settings);
    struct scene_block block = scene_block((const uint32_t[]){2, 2, 2}, 0.1, (const double[]){0, 0.3, 0});
    struct sim_body_desc desc = scene_soft(&block);
    desc.stretch.compliance = 1e-6;
    desc.volume.compliance = 1e-10;
    scene_add(sim, &desc);
    scene_plane(sim, origin, (const double[]){0.05, 1, 0}, 0.5);
    double start = energy_of(sim);
    scene_run(sim, 200);
    double rest = energy_of(sim);
    assert_true(rest < start);
    for (int tick = 0; tick < 800; tick++) {
        struct sim_measures measures;
        scene_run(sim, 1);
        sim_measure(sim, &measures);
        assert_true(measures.kinetic < 1e-4);
        assert_near(energy_of(sim), rest, 1e-3 * fabs(rest));
    }
    scene_block_deinit(&block);
    sim_destroy(sim);
}

// ---------------------------------------------------------------------------------------------------- order

// Energy that a pendulum of 30 degrees has lost after a second.
static double pendulum(uint32_t substeps)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    const double x[6] = {0, 0, 0, 0.5, -sqrt(0.75), 0}, masses[2] = {0, 1};
    struct sim_body_desc desc = scene_points(x, 2, masses);
    uint32_t body = scene_add(sim, &desc);
    scene_link(sim, body, 0, 1, 1, 0, 0);
    double start = energy_of(sim);
    scene_run(sim, 60);
    double lost = start - energy_of(sim);
    sim_destroy(sim);
    return lost;
}

// Where the free end of a soft beam, held at the other, is after a tenth of a second.
static double beam(uint32_t substeps)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    struct scene_block block = scene_block((const uint32_t[]){4, 1, 1}, 0.1, origin);
    struct sim_body_desc desc = scene_soft(&block);
    uint32_t pins[4] = {0, 5, 10, 15};
    desc.pins = pins;
    desc.pin_count = 4;
    desc.stretch.compliance = 2e-4;
    desc.volume.compliance = 1e-6;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 6);
    double x[3];
    scene_position(sim, body, 4, x);
    scene_block_deinit(&block);
    sim_destroy(sim);
    return x[1];
}

static void errors_are_of_first_order_in_the_substep(void **state)
{
    (void)state;
    double lost[4];
    for (int i = 0; i < 4; i++) {
        lost[i] = pendulum(4u << i);
        assert_true(lost[i] > 0);
    }
    for (int i = 1; i < 4; i++) {
        assert_near(lost[i - 1] / lost[i], 2, 0.3);
    }
    double end[4];
    for (int i = 0; i < 4; i++) {
        end[i] = beam(8u << i);
    }
    for (int i = 2; i < 4; i++) {
        assert_near((end[i - 2] - end[i - 1]) / (end[i - 1] - end[i]), 2, 0.5);
    }
    assert_true(end[3] < -0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_energy_of_a_hanging_cloth_does_not_grow_in_10000_ticks),
        cmocka_unit_test(a_soft_block_that_fell_comes_to_rest_and_stays_so),
        cmocka_unit_test(errors_are_of_first_order_in_the_substep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
