// What rounding may do to bodies: nothing to those at rest, little to those that move.
//
// Bounds of what is not nothing are about three times what was measured (docs/concepts/numbers.md has the
// figures); they grow as substeps get shorter, since a quantum weighs q/h.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const double origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
static const enum sim_bend models[4] = {SIM_BEND_NONE, SIM_BEND_QUADRATIC, SIM_BEND_ISOMETRIC,
                                        SIM_BEND_DIHEDRAL};

static void flat_stencils_stay_to_the_bit_for_ten_seconds(void **state)
{
    (void)state;
    // An asymmetric one, where all cotangents differ, and a square one, where all are 1.
    const double shapes[2][12] = {{0, 0, 0, 0, 1.2, 0, -0.7, 0.4, 0, 0.9, 0.9, 0},
                                  {0, 0, 0, 0, 1, 0, -0.5, 0.5, 0, 0.5, 0.5, 0}};
    const uint32_t triangles[6] = {0, 1, 2, 1, 0, 3}, substeps[2] = {20, 100};
    const double masses[4] = {1, 1, 1, 1}, compliances[2] = {0, 1e-4};
    for (int run = 0; run < 32; run++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = substeps[run / 2 % 2];
        struct sim *sim = scene_create(settings);
        struct sim_material material = {.compliance = compliances[run % 2], .stiffness = -1};
        struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                     .particle_count = 4,
                                     .positions = shapes[run / 4 % 2],
                                     .triangles = triangles,
                                     .triangle_count = 2,
                                     .masses = masses,
                                     .stretch = material,
                                     .bend_model = models[run / 8],
                                     .bend = material};
        uint32_t body = scene_add(sim, &desc);
        double before[12], after[12];
        sim_body_positions64(sim, body, 0, 4, before);
        scene_run(sim, 600);
        sim_body_positions64(sim, body, 0, 4, after);
        assert_memory_equal(before, after, sizeof before);
        sim_destroy(sim);
    }
}

// --------------------------------------------------------------------------------------------- on the floor

// How far the middle of a soft block of 5 x 5 x 5 particles goes sideways on ice, m.
static double drift(uint32_t substeps, double compliance)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    struct scene_block block = scene_block((const uint32_t[]){4, 4, 4}, 0.1, (const double[]){0, 0.005, 0});
    struct sim_body_desc desc = scene_soft(&block);
    desc.stretch.compliance = compliance;
    desc.volume.compliance = 1e-3 * compliance;
    uint32_t body = scene_add(sim, &desc);
    scene_plane(sim, origin, up, 0);
    scene_run(sim, 600);
    double x[375], way[3] = {0};
    sim_body_positions64(sim, body, 0, 125, x);
    for (int k = 0; k < 375; k++) {
        way[k % 3] += (x[k] - block.positions[k]) / 125;
    }
    scene_block_deinit(&block);
    sim_destroy(sim);
    return hypot(way[0], way[2]);
}

static void a_soft_block_on_ice_hardly_drifts(void **state)
{
    (void)state;
    // Corners of unequal masses are rounded each on its own: the sum is not exactly zero.
    assert_true(drift(20, 0) < 0.013);
    assert_true(drift(20, 1e-5) < 0.004);
    assert_true(drift(100, 1e-5) < 0.015);
}

// A cloth of 6 x 6 on a slope of tangent 0.5, friction 0.55: whether it moved, and how fast at most.
static double creep(uint32_t substeps, double compliance, uint32_t ticks)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    const double tangent = 0.5, length = sqrt(1.25);
    struct scene_mesh mesh = scene_grid(6, 6, 0.1, (const double[]){0, 0.01, 0});
    for (uint32_t i = 0; i < 36; i++) {
        double *x = mesh.positions + 3 * (size_t)i, along = x[0];
        x[0] = (along - tangent * x[1]) / length;
        x[1] = (tangent * along + x[1]) / length;
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.01;
    desc.stretch.compliance = compliance;
    desc.bend_model = SIM_BEND_QUADRATIC;
    desc.bend = (struct sim_material){.compliance = 10, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    scene_plane(sim, origin, (const double[]){-tangent, 1, 0}, 0.55);
    double before[108], after[108], most = 0;
    scene_run(sim, 30);
    sim_body_positions64(sim, body, 0, 36, before);
    scene_run(sim, ticks);
    sim_body_positions64(sim, body, 0, 36, after);
    for (int k = 0; k < 108; k++) {
        most = fmax(most, fabs(after[k] - before[k]) * 60 / ticks);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return most;
}

static void a_cloth_on_a_slope_that_holds_does_not_creep(void **state)
{
    (void)state;
    assert_true(creep(20, 0, 300) == 0);
    assert_true(creep(20, 1e-4, 300) == 0);
    assert_true(creep(100, 0, 120) == 0);
    assert_true(creep(100, 1e-4, 120) == 0);
    assert_true(creep(300, 0, 60) == 0);
    // Gravity is a third of a quantum in a substep here.
    assert_true(creep(1000, 0, 30) < 5e-3);
}

static void a_cloth_slides_as_one_particle_does_at_any_number_of_substeps(void **state)
{
    (void)state;
    const uint32_t substeps[4] = {20, 100, 300, 1000};
    for (int i = 0; i < 4; i++) {
        struct sim_settings settings = scene_settings();
        settings.substeps = substeps[i];
        struct sim *sim = scene_create(settings);
        struct scene_mesh mesh = scene_grid(6, 6, 0.1, (const double[]){0, 0.01, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        float v[108];
        for (int k = 0; k < 36; k++) {
            memcpy(v + 3 * k, (const float[3]){1.2f, 0, -1.6f}, 3 * sizeof *v);
        }
        desc.velocities = v;
        desc.thickness = 0.01;
        uint32_t body = scene_add(sim, &desc);
        scene_plane(sim, origin, up, 0.3);
        scene_run(sim, 30);
        sim_body_velocities(sim, body, 0, 36, v);
        for (int k = 0; k < 36; k++) {
            assert_near(hypot((double)v[3 * k], (double)v[3 * k + 2]), 2 - 0.3 * 9.81 * 0.5, 1e-3);
        }
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------- momentum

struct kicked {
    enum sim_bend model;
    bool soft, equal_masses;
};

// Change of momentum over the mass in a second, m/s, of a body whose particles were kicked at random.
static double momentum_gained(struct kicked kicked, uint32_t substeps)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    struct scene_mesh mesh = scene_grid(6, 6, 0.1, origin);
    struct scene_block block = scene_block((const uint32_t[]){2, 2, 2}, 0.1, origin);
    struct sim_body_desc desc = kicked.soft ? scene_soft(&block) : scene_cloth(&mesh);
    uint32_t count = desc.particle_count;
    float v[108];
    double masses[36], before[3] = {0}, after[3] = {0}, total = 0;
    uint64_t seed = 7;
    for (int k = 0; k < 108; k++) {
        v[k] = (float)(scene_uniform(&seed) - 0.5);
        masses[k / 3] = 0.01;
    }
    desc.velocities = v;
    desc.masses = kicked.equal_masses ? masses : NULL;
    desc.stretch.compliance = 1e-5;
    desc.volume.compliance = 1e-9;
    desc.bend_model = kicked.soft ? SIM_BEND_NONE : kicked.model;
    desc.bend = (struct sim_material){.compliance = 0.01, .stiffness = -1};
    uint32_t body = scene_add(sim, &desc);
    sim_body_masses(sim, body, masses);
    for (uint32_t k = 0; k < 3 * count; k++) {
        before[k % 3] += masses[k / 3] * (double)v[k];
        total += masses[k / 3] / 3;
    }
    scene_run(sim, 60);
    sim_body_velocities(sim, body, 0, count, v);
    for (uint32_t k = 0; k < 3 * count; k++) {
        after[k % 3] += masses[k / 3] * (double)v[k];
    }
    scene_mesh_deinit(&mesh);
    scene_block_deinit(&block);
    sim_destroy(sim);
    return sqrt(pow(after[0] - before[0], 2) + pow(after[1] - before[1], 2) + pow(after[2] - before[2], 2)) /
           total;
}

static void momentum_is_kept_but_for_what_rounding_takes(void **state)
{
    (void)state;
    const struct kicked kinds[5] = {{.model = SIM_BEND_NONE},
                                    {.model = SIM_BEND_QUADRATIC},
                                    {.model = SIM_BEND_ISOMETRIC},
                                    {.model = SIM_BEND_DIHEDRAL},
                                    {.soft = true}};
    const uint32_t substeps[4] = {20, 100, 300, 1000};
    const double bounds[3] = {6e-4, 5e-3, 7e-2};
    for (int s = 0; s < 4; s++) {
        // Ends of equal mass are rounded alike: only velocities, which are floats, can lose anything.
        double lost = momentum_gained((struct kicked){.equal_masses = true}, substeps[s]);
        print_message("%4u substeps: %.1e with equal masses", substeps[s], lost);
        assert_true(lost < 1e-6);
        for (int k = 0; s < 3 && k < 5; k++) {
            lost = momentum_gained(kinds[k], substeps[s]);
            print_message(", %.1e", lost);
            assert_true(lost < bounds[s]);
        }
        print_message(" m/s\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_stencils_stay_to_the_bit_for_ten_seconds),
        cmocka_unit_test(a_soft_block_on_ice_hardly_drifts),
        cmocka_unit_test(a_cloth_on_a_slope_that_holds_does_not_creep),
        cmocka_unit_test(a_cloth_slides_as_one_particle_does_at_any_number_of_substeps),
        cmocka_unit_test(momentum_is_kept_but_for_what_rounding_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
