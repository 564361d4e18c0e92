// Fixed-point numbers: rounding, wrapping, quantising, ways divided into steps.
#include "helper_scene.h"
#include "sim/solve/solve.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void rounding_takes_the_nearest_and_ties_to_even(void **state)
{
    (void)state;
    const struct {
        float value;
        int32_t rounded;
    } cases[] = {{0, 0},
                 {-0.0f, 0},
                 {0.5f, 0},
                 {1.5f, 2},
                 {2.5f, 2},
                 {3.5f, 4},
                 {-0.5f, 0},
                 {-1.5f, -2},
                 {-2.5f, -2},
                 {-3.5f, -4},
                 {0.49999997f, 0},
                 {0.50000006f, 1},
                 {-0.50000006f, -1},
                 {8388607.5f, 8388608},
                 {8388606.5f, 8388606},
                 {16777215, 16777215},
                 {1e9f, 1000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(sim_round(cases[i].value), cases[i].rounded);
    }
    uint64_t seed = 3;
    for (int i = 0; i < 100000; i++) {
        float v = (float)((scene_uniform(&seed) - 0.5) * exp2(30 * scene_uniform(&seed)));
        assert_int_equal(sim_round(v), (int32_t)rintf(v));
    }
}

static void rounding_takes_what_no_int_holds_to_the_lower_bound(void **state)
{
    (void)state;
    const float out[] = {2147483648.0f, 3e38f, -2147483904.0f, -3e38f, INFINITY, -INFINITY, NAN};
    assert_int_equal(sim_round(2147483520.0f), 2147483520);
    assert_int_equal(sim_round(-2147483648.0f), INT32_MIN);
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        assert_int_equal(sim_round(out[i]), INT32_MIN);
    }
}

static void nudges_fill_the_quantum_evenly(void **state)
{
    (void)state;
    for (uint32_t substeps = 1; substeps <= 1000; substeps += substeps < 40 ? 1 : 37) {
        bool seen[1000] = {false};
        for (uint32_t substep = 1; substep <= substeps; substep++) {
            double part = ((double)sim_nudge(substep, substeps) + 0.5) * substeps - 0.5;
            uint32_t whole = (uint32_t)(part + 0.5);
            assert_near(part, whole, 1e-3);
            assert_false(seen[whole]);
            seen[whole] = true;
        }
    }
    assert_true(sim_nudge(1, 1) == 0);
}

static void low_words_wrap(void **state)
{
    (void)state;
    assert_int_equal(sim_wrap_add(INT32_MAX, 1), INT32_MIN);
    assert_int_equal(sim_wrap_add(INT32_MIN, -1), INT32_MAX);
    assert_int_equal(sim_wrap_sub(INT32_MIN, 1), INT32_MAX);
    assert_int_equal(sim_wrap_sub(INT32_MIN, INT32_MAX), 1);
    assert_int_equal(sim_wrap_sub(0, INT32_MIN), INT32_MIN);
}

static void quantising_takes_the_nearest_quantum_of_any_coordinate(void **state)
{
    (void)state;
    double inv_q = 1 << 27;
    assert_int_equal(sim_quantize(0, inv_q), 0);
    assert_int_equal(sim_quantize(1, inv_q), 1 << 27);
    assert_int_equal(sim_quantize(1e6, inv_q), INT64_C(134217728000000));
    assert_int_equal(sim_quantize(-1e9, 1 << 30), INT64_C(-1073741824000000000));
    assert_int_equal(sim_quantize(0.5, 1), 0);
    assert_int_equal(sim_quantize(1.5, 1), 2);
    assert_int_equal(sim_quantize(-2.5, 1), -2);
    assert_int_equal(sim_quantize(-0.4, 1), 0);
    // Halves exist up to 2^52.
    assert_int_equal(sim_quantize(2251799813685249.5, 1), INT64_C(2251799813685250));
    assert_int_equal(sim_quantize(2251799813685250.5, 1), INT64_C(2251799813685250));
    assert_int_equal(sim_quantize(-2251799813685249.5, 1), INT64_C(-2251799813685250));
    assert_int_equal(sim_quantize(4503599627370495.5, 1), INT64_C(4503599627370496));
    assert_int_equal(sim_quantize(4503599627370497.0, 1), INT64_C(4503599627370497));
    uint64_t seed = 5;
    for (int i = 0; i < 100000; i++) {
        double v = (scene_uniform(&seed) - 0.5) * exp2(60 * scene_uniform(&seed));
        assert_int_equal(sim_quantize(v, 1), (int64_t)rint(v));
    }
}

static void a_way_in_steps_is_monotone_and_exact_at_its_ends(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 2000; i++) {
        int64_t from = (int64_t)((scene_uniform(&seed) - 0.5) * 1e18),
                far = (int64_t)((scene_uniform(&seed) - 0.5) * 1e18);
        int64_t to = i % 3 == 0   ? far
                     : i % 3 == 1 ? from + (int64_t)(scene_random(&seed) % 2000) - 1000
                                  : from;
        uint32_t steps = 1 + (uint32_t)(scene_random(&seed) % 1000);
        assert_int_equal(sim_between(from, to, 0, steps), from);
        assert_int_equal(sim_between(from, to, steps, steps), to);
        int64_t before = from, way = to - from;
        for (uint32_t s = 1; s <= steps; s++) {
            int64_t x = sim_between(from, to, s, steps);
            assert_true(way >= 0 ? x >= before && x <= to : x <= before && x >= to);
            // Equal steps, to a quantum.
            long double even = (long double)from + (long double)way * s / steps;
            assert_true(fabsl((long double)x - even) <= 1.001L + fabsl(even) * 1e-18L);
            before = x;
        }
    }
}

static void a_resolution_is_a_power_of_two_in_range(void **state)
{
    (void)state;
    assert_true(sim_resolution_valid(1.0 / (1 << 27)));
    assert_true(sim_resolution_valid(1.0 / (1 << 30)));
    assert_true(sim_resolution_valid(1.0 / (1 << 12)));
    const double bad[] = {0,   -1,      1, 1e-8, 1.0 / (1 << 11), 1.0 / 2147483648.0, 3.0 / (1 << 27),
                          NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(sim_resolution_valid(bad[i]));
    }
}

static void positions_are_read_as_they_were_given_to_half_a_quantum(void **state)
{
    (void)state;
    const double qs[] = {1.0 / (1 << 30), 1.0 / (1 << 27), 1.0 / (1 << 12)};
    for (int i = 0; i < 3; i++) {
        struct sim_settings settings = scene_settings();
        settings.resolution = qs[i];
        struct sim *sim = scene_create(settings);
        const double positions[9] = {0.1, -0.2, 0.3, 12345.678, -98765.4, 1e6, -1e6, 1.0 / 3, 0};
        struct sim_body_desc desc = scene_points(positions, 3, NULL);
        uint32_t body = scene_add(sim, &desc);
        double x[9], rest[9];
        float low[9];
        sim_body_positions64(sim, body, 0, 3, x);
        sim_body_positions(sim, body, 0, 3, low);
        sim_body_rest_positions(sim, body, rest);
        for (int k = 0; k < 9; k++) {
            assert_near(x[k], positions[k], qs[i] / 2);
            assert_true(low[k] == (float)x[k]);
            assert_true(rest[k] == x[k]);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_takes_the_nearest_and_ties_to_even),
        cmocka_unit_test(rounding_takes_what_no_int_holds_to_the_lower_bound),
        cmocka_unit_test(nudges_fill_the_quantum_evenly),
        cmocka_unit_test(low_words_wrap),
        cmocka_unit_test(quantising_takes_the_nearest_quantum_of_any_coordinate),
        cmocka_unit_test(a_way_in_steps_is_monotone_and_exact_at_its_ends),
        cmocka_unit_test(a_resolution_is_a_power_of_two_in_range),
        cmocka_unit_test(positions_are_read_as_they_were_given_to_half_a_quantum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
