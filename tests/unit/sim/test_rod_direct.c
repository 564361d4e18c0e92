// Rods whose chains are solved directly: the equations against sweeps that have converged, closed forms at any fineness, and loads that
// a plain direct solve does not bear.
#include "helper_rod.h"

#include "sim/state/rod.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static struct fault fault;

static struct sim_rod direct(struct sim_rod given)
{
    given.direct = true;
    return given;
}

// The tip of a clamped rod of 1 m that hangs by its own weight, 0.02 N m^2 and 0.1 kg/m, at 20 substeps.
static void a_cantilever_follows_the_elastica_however_fine_it_is(void **state)
{
    (void)state;
    const double loads[][3] = {
        {1, 0.991246395, -0.123471402}, {5, 0.846657180, -0.495905045}, {20, 0.445232052, -0.829881443}};
    const uint32_t counts[] = {20, 40, 80};
    for (int c = 0; c < 3; c++) {
        for (int l = 0; l < 3; l++) {
            struct rod rod;
            struct sim_settings settings = scene_settings();
            settings.gravity[1] = -loads[l][0] * 0.02 / 0.1;
            settings.substeps = 20;
            settings.damping = 3;
            const struct sim_rod given = direct(rod_given(0.02, 0.02));
            rod_line(&rod, counts[c], 1);
            rod_add(&rod, settings, &given, 0.1);
            const uint32_t first[] = {0};
            rod_clamp(&rod, first, 1);
            double x[3];
            scene_run(rod.sim, 600);
            scene_position(rod.sim, rod.body, counts[c], x);
            assert_near(x[0], loads[l][1], 0.005);
            assert_near(x[1], loads[l][2], 0.005);
            assert_near(x[2], 0, 1e-4);
            rod_end(&rod);
        }
    }
}

// A curve in space with a clamp at one end, which is let go: where its particles are after some ticks.
static void let_go(bool solved, uint32_t iterations, double places[9][3])
{
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.iterations = iterations;
    struct sim_rod given = rod_given(0.02, 0.015);
    given.direct = solved;
    given.curved = true;
    given.curvature[0] = 0.7;
    given.rest_twist = 1.5;
    given.twist = 4;
    rod_line(&rod, 8, 1);
    for (uint32_t i = 0; i <= 8; i++) {
        rod.positions[i][1] = 0.02 * i * i / 8;
        rod.positions[i][2] = 0.03 * i * (8 - i) / 8;
    }
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t first[] = {0};
    rod_clamp(&rod, first, 1);
    scene_run(rod.sim, 15);
    for (uint32_t i = 0; i <= 8; i++) {
        scene_position(rod.sim, rod.body, i, places[i]);
    }
    rod_end(&rod);
}

static void one_solve_comes_to_what_many_sweeps_come_to(void **state)
{
    (void)state;
    double swept[9][3], solved[9][3], far = 0;
    let_go(false, 100, swept);
    let_go(true, 1, solved);
    for (int i = 0; i <= 8; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_near(solved[i][axis], swept[i][axis], 2e-4);
        }
        far = fabs(solved[i][1] - 0.02 * i * i / 8) > far ? fabs(solved[i][1] - 0.02 * i * i / 8) : far;
    }
    assert_true(far > 0.1); // it moved
}

// How far a ring goes out of its plane that was made of a straight rod with two whole turns of twist. By EI/GJ.
static double ring_leaves(double ratio)
{
    enum { SEGMENTS = 20 };
    struct rod rod;
    struct sim_settings settings = scene_settings();
    const double bend = 0.02, length = 1;
    settings.gravity[1] = 0;
    settings.damping = 0.2;
    struct sim_rod given = direct(rod_given(bend, bend / ratio));
    given.curved = true;
    given.twist = 4 * PI / length;
    rod_ring(&rod, SEGMENTS, length);
    rod_add(&rod, settings, &given, 0.1);
    float velocities[SEGMENTS][3] = {{0}};
    uint32_t all[SEGMENTS];
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        all[i] = i;
        velocities[i][2] = (float)(0.01 * cos(4 * PI * i / SEGMENTS));
    }
    assert_int_equal(sim_particles_set(rod.sim, rod.body, all, SEGMENTS, NULL, velocities[0], NULL, &fault),
                     FAULT_NONE);
    double farthest = 0;
    for (int tick = 0; tick < 180; tick++) {
        scene_run(rod.sim, 1);
        for (uint32_t i = 0; i < SEGMENTS; i++) {
            double x[3];
            scene_position(rod.sim, rod.body, i, x);
            farthest = fabs(x[2]) > farthest ? fabs(x[2]) : farthest;
        }
    }
    rod_end(&rod);
    return farthest;
}

// Michell's ring: it is flat up to 2 pi sqrt(3) EI/GJ of twist, of a ring of 20 joints 10.636 EI/GJ.
static void a_twisted_ring_leaves_its_plane_at_the_known_twist(void **state)
{
    (void)state;
    assert_true(ring_leaves(4 * PI / (0.9 * 10.636)) < 0.01);
    assert_true(ring_leaves(4 * PI / (1.1 * 10.636)) > 0.05);
}

static double worst_strain(const struct rod *rod, double length)
{
    double worst = 0;
    for (uint32_t i = 0; i + 1 < rod->count; i++) {
        double a[3], b[3];
        scene_position(rod->sim, rod->body, i, a);
        scene_position(rod->sim, rod->body, i + 1, b);
        const double size = sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                                 (b[2] - a[2]) * (b[2] - a[2]));
        worst = fabs(size / length - 1) > worst ? fabs(size / length - 1) : worst;
    }
    return worst;
}

// A steel wire of 1 mm in 20 segments, EA = 157 kN, that hangs from one end with this mass at the other. Returns the greatest strain
// in two seconds.
static double hung(double load, bool aside, double kick)
{
    enum { SEGMENTS = 20 };
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    const struct sim_rod given = direct((struct sim_rod){.radius = 0.0005, .young = 2e11, .poisson = 0.3});
    rod_line(&rod, SEGMENTS, 1);
    for (uint32_t i = 0; !aside && i < rod.count; i++) {
        rod.positions[i][1] = -rod.positions[i][0];
        rod.positions[i][0] = 0;
    }
    rod_add(&rod, settings, &given, 7850 * PI * 0.0005 * 0.0005);
    const uint32_t first[] = {0}, last[] = {SEGMENTS};
    assert_int_equal(sim_particles_pin(rod.sim, rod.body, first, 1, NULL, &fault), FAULT_NONE);
    assert_int_equal(
        sim_particles_set(rod.sim, rod.body, last, 1, NULL, NULL, (const float[]){(float)(1 / load)}, &fault),
        FAULT_NONE);
    uint32_t seed = 7;
    for (uint32_t i = 1; kick > 0 && i < SEGMENTS; i++) {
        float v[3];
        for (int axis = 0; axis < 3; axis++) {
            seed = seed * 1664525u + 1013904223u;
            v[axis] = (float)(kick * ((double)(seed >> 8) / (1 << 23) - 1));
        }
        assert_int_equal(sim_particles_set(rod.sim, rod.body, &i, 1, NULL, v, NULL, &fault), FAULT_NONE);
    }
    double worst = 0;
    for (int tick = 0; tick < 120; tick++) {
        scene_run(rod.sim, 1);
        const double now = worst_strain(&rod, 1.0 / SEGMENTS);
        worst = now > worst ? now : worst;
    }
    rod_end(&rod);
    return worst;
}

// The pull is up to three times the weight in a swing from the side, and twice that in one that is let go with a jerk.
static void a_wire_bears_a_load_that_swings_and_kicks(void **state)
{
    (void)state;
    const double loads[] = {1, 10, 100};
    for (int l = 0; l < 3; l++) {
        const double still = loads[l] * 9.81 / 157080;
        assert_true(hung(loads[l], true, 0) < 4 * still + 1e-4);
        assert_true(hung(loads[l], false, 1.7) < 4 * still + 1e-3);
        assert_true(hung(loads[l], false, 8.7) < 4 * still + 3e-3);
    }
}

static void momenta(const struct rod *rod, double linear[3], double angular[3])
{
    double masses[ROD_MOST];
    struct sim_turned turned[ROD_MOST];
    sim_body_masses(rod->sim, rod->body, masses);
    sim_body_turned(rod->sim, rod->body, 0, rod->count, turned);
    for (int axis = 0; axis < 3; axis++) {
        linear[axis] = angular[axis] = 0;
    }
    for (uint32_t i = 0; i < rod->count; i++) {
        double x[3];
        float v[3];
        scene_position(rod->sim, rod->body, i, x);
        scene_velocity(rod->sim, rod->body, i, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            linear[axis] += masses[i] * (double)v[axis];
            angular[axis] += masses[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
            angular[axis] += turned[i].w > 0 ? (double)turned[i].spin[axis] / (double)turned[i].w : 0;
        }
    }
}

// A solve takes the arms of forces as they are before it. So angular momentum fades with the length of a substep: by 0.6 % here.
static void a_free_rod_keeps_momentum_and_almost_all_angular_momentum(void **state)
{
    (void)state;
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.substeps = 20;
    const struct sim_rod given = direct(rod_given(0.05, 0.04));
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings, &given, 0.2);
    for (uint32_t i = 0; i <= 10; i++) {
        const float v[3] = {0.3f * (float)(i % 3), 1 - 0.2f * (float)i, 0.4f * (float)(i % 2)};
        assert_int_equal(sim_particles_set(rod.sim, rod.body, &i, 1, NULL, v, NULL, &fault), FAULT_NONE);
    }
    double linear[2][3], angular[2][3];
    momenta(&rod, linear[0], angular[0]);
    scene_run(rod.sim, 120);
    momenta(&rod, linear[1], angular[1]);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(linear[1][axis], linear[0][axis], 1e-7);
        assert_near(angular[1][axis], angular[0][axis], 3e-4);
    }
    rod_end(&rod);
}

// The moment in the clamp's neighbour, and the pull in the first segment, of a rod that is at rest.
static void forces_are_told(void **state)
{
    (void)state;
    struct rod rod;
    struct sim_settings settings = scene_settings();
    settings.damping = 3;
    settings.substeps = 20;
    const struct sim_rod given = direct(rod_given(5, 5));
    rod_line(&rod, 10, 1);
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t first[] = {0};
    rod_clamp(&rod, first, 1);
    scene_run(rod.sim, 600);
    bool hold;
    struct sim_constraint listed[64];
    assert_int_equal(sim_multipliers_find(rod.sim, &hold, &fault), FAULT_NONE);
    assert_true(hold);
    const double h2 = 1 / (1200.0 * 1200);
    assert_int_equal(scene_listed(rod.sim, SIM_ROD_BEND, listed), 9);
    assert_near(listed[0].multiplier[0] / h2, 0.1 * 9.81 * 0.9 * 0.9 / 2, 0.01);
    sim_multipliers_drop(rod.sim);
    rod_end(&rod);
}

static void an_image_of_it_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    struct rod rod;
    struct sim_settings settings = scene_settings();
    const struct sim_rod given = direct(rod_given(0.02, 0.02));
    rod_line(&rod, 12, 1);
    rod_add(&rod, settings, &given, 0.1);
    const uint32_t first[] = {0};
    rod_clamp(&rod, first, 1);
    scene_run(rod.sim, 30);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(rod.sim, &image));
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(copy);
    sim_image_deinit(&image);
    assert_true(sim_hash(copy) == sim_hash(rod.sim));
    scene_run(rod.sim, 30);
    scene_run(copy, 30);
    assert_true(sim_hash(copy) == sim_hash(rod.sim));
    sim_destroy(copy);
    rod_end(&rod);
}

// 9 particles and 15 constraints count 24 in a substep, and 46 more for each particle if the rod is solved directly.
static void a_direct_rod_counts_as_more_work(void **state)
{
    (void)state;
    struct sim_limits limits = scene_limits;
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    for (int enough = 0; enough < 2; enough++) {
        struct rod rod;
        limits.work = 20 * (24 + 46 * 9) - 1 + (uint64_t)enough;
        struct sim *sim = scene_create_limited(settings, limits);
        const struct sim_rod given = direct(rod_given(0.02, 0.02));
        rod_line(&rod, 8, 1);
        struct sim_body_desc desc = scene_rope(rod.positions[0], rod.count, rod.edges, rod.edge_count, NULL);
        desc.rod = &given;
        desc.density = 0.1;
        struct sim_body_plan *plan =
            sim_body_prepare(&desc, settings.resolution, settings.extent, &limits, &fault);
        struct sim_body_added added;
        assert_non_null(plan);
        assert_int_equal(sim_body_attach(sim, plan, &added, &fault), enough ? FAULT_NONE : FAULT_LIMIT);
        if (!enough) {
            sim_body_plan_destroy(plan);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cantilever_follows_the_elastica_however_fine_it_is),
        cmocka_unit_test(one_solve_comes_to_what_many_sweeps_come_to),
        cmocka_unit_test(a_twisted_ring_leaves_its_plane_at_the_known_twist),
        cmocka_unit_test(a_wire_bears_a_load_that_swings_and_kicks),
        cmocka_unit_test(a_free_rod_keeps_momentum_and_almost_all_angular_momentum),
        cmocka_unit_test(forces_are_told),
        cmocka_unit_test(an_image_of_it_goes_on_to_the_same_bits),
        cmocka_unit_test(a_direct_rod_counts_as_more_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
