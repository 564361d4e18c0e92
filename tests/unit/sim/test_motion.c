// Motions whose laws are known: oscillators, falls, pendulums, chains.
#include "helper_scene.h"
#include "helper_twin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double one_each[64] = {[0] = 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// --------------------------------------------------------------------------------------------- oscillators

// A unit mass at 1.5 on a spring of rest length 1 fixed at the origin.
static void run_oscillator(uint32_t iterations, double damping, double out[100])
{
    struct sim_settings settings = scene_still(60);
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    const double positions[6] = {0, 0, 0, 1.5, 0, 0};
    struct sim_body_desc desc = scene_points(positions, 2, one_each);
    uint32_t body = scene_add(sim, &desc);
    scene_link(sim, body, 0, 1, 1, 1e-3, damping);
    for (int step = 0; step < 100; step++) {
        scene_run(sim, 1);
        double x[3];
        scene_position(sim, body, 1, x);
        out[step] = x[0];
        assert_true(x[1] == 0 && x[2] == 0);
    }
    sim_destroy(sim);
}

static const uint32_t iteration_counts[] = {1, 4, 7, 10};

static void the_oscillator_is_the_backward_euler_recursion_whatever_the_iterations(void **state)
{
    (void)state;
    const double known[6] = {1.391304348, 1.221172023, 1.039944111, 0.889430069, 0.795673413, 0.766717461};
    double h = 1.0 / 60, k = 1000;
    for (int i = 0; i < 4; i++) {
        double x[100], a = 0.5, b = 0.5;
        run_oscillator(iteration_counts[i], 0, x);
        for (int step = 0; step < 100; step++) {
            double next = (2 * a - b) / (1 + k * h * h);
            b = a;
            a = next;
            assert_near(x[step], 1 + a, 2e-6);
        }
        for (int step = 0; step < 6; step++) {
            assert_near(x[step], known[step], 2e-6);
        }
    }
}

static void the_damped_oscillator_is_backward_euler_with_its_velocity_divided(void **state)
{
    (void)state;
    double h = 1.0 / 60, k = 1000, beta = 10;
    for (int i = 0; i < 4; i++) {
        double x[100], a = 0.5, b = 0.5;
        run_oscillator(iteration_counts[i], beta, x);
        for (int step = 0; step < 100; step++) {
            double next = (a + (a - b) / (1 + beta * h)) / (1 + k * h * h);
            b = a;
            a = next;
            assert_near(x[step], 1 + a, 2e-6);
        }
    }
}

static void the_twin_is_the_recursion_to_rounding(void **state)
{
    (void)state;
    double h = 1.0 / 60, k = 1000;
    for (int damped = 0; damped < 2; damped++) {
        double beta = damped ? 10 : 0;
        for (int i = 0; i < 4; i++) {
            struct twin twin = {
                .h = h, .iterations = iteration_counts[i], .particle_count = 2, .distance_count = 1};
            twin.w[1] = 1;
            twin.x[1][0] = 1.5;
            twin.distances[0] = (struct twin_distance){0, 1, 1, 1 / k, beta, -1, 0};
            double a = 0.5, b = 0.5;
            for (int step = 0; step < 100; step++) {
                double next = (a + (a - b) / (1 + beta * h)) / (1 + k * h * h);
                b = a;
                a = next;
                twin_substep(&twin);
                assert_near(twin.x[1][0], 1 + a, 1e-14);
            }
        }
    }
}

// ----------------------------------------------------------------------------------------------------- falls

static void a_free_fall_is_the_exact_sum(void **state)
{
    (void)state;
    const uint32_t substeps[] = {1, 4, 20};
    for (int i = 0; i < 3; i++) {
        struct sim_settings settings = scene_settings();
        settings.substeps = substeps[i];
        struct sim *sim = scene_create(settings);
        const double positions[6] = {0, 0, 0, 5, 0, 0}, masses[2] = {1, 123};
        const float velocities[6] = {0, 0, 0, 1, 2, -3};
        struct sim_body_desc desc = scene_points(positions, 2, masses);
        desc.velocities = velocities;
        uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 60);
        double n = 60.0 * substeps[i], h = 1 / n, fall = -9.81 * h * h * n * (n + 1) / 2, x[6];
        sim_body_positions64(sim, body, 0, 2, x);
        const double expected[6] = {0, fall, 0, 6, fall + 2, -3};
        // A velocity is a float: each kick is rounded by up to half an ulp (2.4e-7 m/s at 4 to 8 m/s), the
        // same way as long as the velocity stays between two powers of two; half of that over a second.
        double tolerance = 1.2e-7 * n / 2;
        for (int k = 0; k < 6; k++) {
            assert_near(x[k], expected[k], tolerance);
        }
        if (substeps[i] == 4) {
            assert_near(x[1], -4.9254375, 5e-6);
        }
        sim_destroy(sim);
    }
}

static void global_damping_divides_the_velocity_each_substep(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.damping = 3;
    struct sim *sim = scene_create(settings);
    const double positions[3] = {0, 0, 0};
    const float velocities[3] = {4, 0, 0};
    struct sim_body_desc desc = scene_points(positions, 1, NULL);
    desc.velocities = velocities;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 60);
    float v[3];
    double x[3], keep = 1 / (1 + 3.0 / 600), expected_v = 4 * pow(keep, 600);
    scene_velocity(sim, body, 0, v);
    scene_position(sim, body, 0, x);
    assert_near(v[0], expected_v, 1e-5);
    assert_near(x[0], 4 * keep * (1 - pow(keep, 600)) / (1 - keep) / 600, 1e-5);
    sim_destroy(sim);
}

static void damping_carries_a_fall_to_its_terminal_velocity(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.damping = 2;
    struct sim *sim = scene_create(settings);
    const double positions[3] = {0, 0, 0};
    struct sim_body_desc desc = scene_points(positions, 1, NULL);
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 1200);
    float v[3];
    scene_velocity(sim, body, 0, v);
    // The kick and the damping each round by up to half an ulp, against what a substep damps.
    assert_near(v[1], -9.81 / 2, 2 * 2.4e-7 / (2.0 / 600));
    sim_destroy(sim);
}

// -------------------------------------------------------------------------------------------------- pendulum

struct swing {
    double period, energy_left;
};

static struct swing run_pendulum(uint32_t substeps, double compliance)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct sim *sim = scene_create(settings);
    double angle = acos(-1) / 6, top = 1 - cos(angle);
    const double positions[6] = {0, 1, 0, sin(angle), 1 - cos(angle), 0};
    struct sim_body_desc desc = scene_points(positions, 2, one_each);
    uint32_t body = scene_add(sim, &desc);
    scene_link(sim, body, 0, 1, 1, compliance, 0);
    double first = 0, third = 0, before = positions[3], x[3];
    int crossings = 0;
    float v[3];
    for (uint32_t tick = 1; tick <= 600; tick++) {
        scene_run(sim, 1);
        scene_position(sim, body, 1, x);
        if ((before > 0) != (x[0] > 0)) {
            double moment = (tick - x[0] / (x[0] - before)) / 60;
            crossings++;
            first = crossings == 1 ? moment : first;
            third = crossings == 3 ? moment : third;
        }
        before = x[0];
    }
    scene_velocity(sim, body, 1, v);
    double kinetic = 0.5 * ((double)v[0] * v[0] + (double)v[1] * v[1]);
    sim_destroy(sim);
    return (struct swing){third - first, (kinetic + 9.81 * x[1]) / (9.81 * top)};
}

static void a_pendulum_keeps_the_energy_that_its_step_allows(void **state)
{
    (void)state;
    const uint32_t substeps[6] = {1, 2, 4, 8, 16, 32};
    const double left[6] = {0.173, 0.406, 0.631, 0.792, 0.889, 0.943};
    struct swing swings[6];
    for (int i = 0; i < 6; i++) {
        swings[i] = run_pendulum(substeps[i], 0);
        assert_near(swings[i].energy_left, left[i], 0.006);
    }
    // First order in h: the loss halves with h.
    for (int i = 3; i < 5; i++) {
        double ratio = (1 - swings[i].energy_left) / (1 - swings[i + 1].energy_left);
        assert_true(ratio > 1.7 && ratio < 2.1);
    }
    assert_near(swings[5].period, 2.040989890, 0.003);
    double coarse = fabs(swings[2].period - 2.040989890), fine = fabs(swings[4].period - 2.040989890);
    assert_true(coarse / fine > 2.5 && coarse / fine < 6);
}

// ---------------------------------------------------------------------------------------------------- chains

// `count` masses of 0.1 kg below a fixed point, links of 0.1 m, brought to rest. Returns the stretch of the
// whole and the tension at the top.
static double hang(uint32_t count, uint32_t substeps, double compliance, double *tension,
                   const uint16_t *colors)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.damping = 20;
    struct sim *sim = scene_create(settings);
    double positions[3 * 64] = {0}, masses[64] = {0};
    uint32_t edges[128];
    for (uint32_t i = 0; i <= count; i++) {
        positions[3 * i + 1] = -0.1 * i;
        masses[i] = i == 0 ? 0 : 0.1;
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    struct sim_body_desc desc = scene_rope(positions, count + 1, edges, count, masses);
    desc.stretch.compliance = compliance;
    struct sim_body_added added = scene_add_all(sim, &desc);
    struct fault fault;
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    for (uint32_t i = 0; i < count; i++) {
        struct sim_constraint constraint;
        assert_true(sim_constraint_get(sim, added.constraint_first[0] + i, &constraint));
        assert_int_equal(constraint.color, colors[i % 2]);
    }
    scene_run(sim, 1600);
    double x[3], inv_h = 60.0 * substeps;
    scene_position(sim, added.body, count, x);
    struct sim_constraint top;
    assert_true(sim_constraint_get(sim, added.constraint_first[0], &top));
    *tension = -top.multiplier[0] * inv_h * inv_h;
    sim_destroy(sim);
    return -x[1] - 0.1 * count;
}

// With one sweep a substep a chain of N (even) masses whose links have colours 0, 1, 0, 1, ... from the top
// hangs longer than it should by h^2 g (N^2/2 - 1). Before each sweep gravity has moved all masses down by
// d = h^2 g; the tension (N - e) m g of link e is found by its one projection; links of colour 0 find it from
// their own stretch s and d alone: s_0 = (N - 1) d, s_e = 2 (N - e) d, those of colour 1 get it from the
// moves of their neighbours, so s_e = 0. The sum is N - 1 + 2 (2 + 4 + ... + N - 2).
static void a_hanging_chain_is_longer_by_the_law_of_two_colours(void **state)
{
    (void)state;
    const uint16_t colors[2] = {0, 1};
    const double compliances[] = {0, 1e-5, 1e-3};
    for (int c = 0; c < 3; c++) {
        double bias[3];
        for (int i = 0; i < 3; i++) {
            uint32_t substeps = 2u << i;
            double h = 1.0 / (60 * substeps), tension;
            double soft = compliances[c] * 9.81 * 0.1 * 55;
            bias[i] = hang(10, substeps, compliances[c], &tension, colors) - soft;
            assert_near(bias[i], 49 * 9.81 * h * h, 49 * 9.81 * h * h * 2e-3 + soft * 1e-5 + 1e-7);
            assert_near(tension, 10 * 0.1 * 9.81, 2e-3);
        }
        assert_near(bias[0] / bias[1], 4, 0.02 + 20 * compliances[c]);
        assert_near(bias[1] / bias[2], 4, 0.05 + 80 * compliances[c]);
    }
    double tension;
    double h = 1.0 / 240, bias = hang(6, 4, 0, &tension, colors);
    assert_near(bias, 17 * 9.81 * h * h, 17 * 9.81 * h * h * 2e-3);
}

// Twenty rigid links start level and swing for three seconds: mean |stretch| in percent of a link.
static double swing_chain(uint32_t substeps, uint32_t iterations)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    double positions[3 * 21] = {0}, masses[21];
    uint32_t edges[40];
    for (uint32_t i = 0; i <= 20; i++) {
        positions[3 * i] = 0.05 * i;
        masses[i] = i == 0 ? 0 : 0.1;
        if (i < 20) {
            edges[2 * i] = i;
            edges[2 * i + 1] = i + 1;
        }
    }
    struct sim_body_desc desc = scene_rope(positions, 21, edges, 20, masses);
    uint32_t body = scene_add(sim, &desc);
    double sum = 0;
    for (int tick = 0; tick < 180; tick++) {
        scene_run(sim, 1);
        double x[63];
        sim_body_positions64(sim, body, 0, 21, x);
        for (int i = 0; i < 20; i++) {
            double dx = x[3 * i + 3] - x[3 * i], dy = x[3 * i + 4] - x[3 * i + 1];
            sum += fabs(sqrt(dx * dx + dy * dy) / 0.05 - 1);
        }
    }
    sim_destroy(sim);
    return 100 * sum / (180 * 20);
}

static void small_steps_beat_iterations_for_the_same_work(void **state)
{
    (void)state;
    const uint32_t substeps[6] = {1, 2, 4, 5, 10, 20};
    double stretch[6];
    for (int i = 0; i < 6; i++) {
        stretch[i] = swing_chain(substeps[i], 20 / substeps[i]);
        print_message("%2u substeps x %2u iterations: %.3f %%\n", substeps[i], 20 / substeps[i], stretch[i]);
    }
    const double known[6] = {3.10, 1.65, 0.86, 0.69, 0.35, 0.178};
    for (int i = 0; i < 6; i++) {
        assert_near(stretch[i], known[i], 0.1 * known[i]);
    }
    for (int i = 0; i < 5; i++) {
        assert_true(stretch[i + 1] < stretch[i]);
    }
    assert_true(stretch[0] / stretch[5] > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oscillator_is_the_backward_euler_recursion_whatever_the_iterations),
        cmocka_unit_test(the_damped_oscillator_is_backward_euler_with_its_velocity_divided),
        cmocka_unit_test(the_twin_is_the_recursion_to_rounding),
        cmocka_unit_test(a_free_fall_is_the_exact_sum),
        cmocka_unit_test(global_damping_divides_the_velocity_each_substep),
        cmocka_unit_test(damping_carries_a_fall_to_its_terminal_velocity),
        cmocka_unit_test(a_pendulum_keeps_the_energy_that_its_step_allows),
        cmocka_unit_test(a_hanging_chain_is_longer_by_the_law_of_two_colours),
        cmocka_unit_test(small_steps_beat_iterations_for_the_same_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
