// Volume, dihedral, isometric and quadratic constraints by worked vectors: in double for the equations, and
// through sim.h for the solver.
//
// The vectors were computed in decimals of 60 digits from C alone, with gradients by central differences, so that
// no formula of a gradient stands on both sides.
#include "helper_four.h"
#include "helper_vectors.h"
#include "sim/state/kind.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static struct twin_four four_of(const struct vector *vector)
{
    struct twin_four four = {
        .kind = vector->kind,
        .p = {0, 1, 2, 3},
        .rest = vector->rest,
        .scale = vector->scale,
        .compliance = vector->compliance,
        .stiffness = vector->stiffness,
    };
    if (vector->kind == SIM_ISOMETRIC || vector->kind == SIM_QUADRATIC) {
        twin_four_flatten(&four, vector->flat);
    }
    return four;
}

static const struct vector *named(const char *name)
{
    for (int i = 0; i < VECTORS; i++) {
        if (strcmp(vectors[i].name, name) == 0) {
            return &vectors[i];
        }
    }
    fail_msg("no vector %s", name);
    return NULL;
}

static void the_double_twin_gives_the_vectors_to_1e_12(void **state)
{
    (void)state;
    for (int i = 0; i < VECTORS; i++) {
        const struct vector *vector = &vectors[i];
        struct twin twin = {.h = 1.0 / 60, .iterations = vector->iterations, .particle_count = 4};
        struct twin_four four = four_of(vector);
        memcpy(twin.w, vector->w, sizeof vector->w);
        memcpy(twin.x, vector->x, sizeof vector->x);
        double c[3], grad[3][4][3];
        twin_four_value(&four, (const double(*)[3])twin.x, c, grad);
        for (int n = 0; n < 3; n++) {
            assert_near(c[n], vector->before_c[n], 1e-12);
        }
        for (uint32_t n = 0; n < vector->iterations; n++) {
            twin_four_project(&twin, &four);
        }
        twin_four_value(&four, (const double(*)[3])twin.x, c, grad);
        for (int k = 0; k < 12; k++) {
            assert_near(twin.x[k / 3][k % 3], vector->after[k / 3][k % 3], 1e-12);
        }
        for (int n = 0; n < 3; n++) {
            assert_near(four.lambda[n], vector->lambda[n], 1e-12 * fmax(1, fabs(vector->lambda[n])));
            assert_near(c[n], vector->after_c[n], 1e-12);
        }
    }
}

static void run_vector(const struct vector *vector, const double shift[3], double after[4][3],
                       double lambda[3])
{
    struct sim_settings settings = scene_still(60);
    settings.iterations = vector->iterations;
    struct twin_four four = four_of(vector);
    double flat[4][3], x[4][3];
    bool bends = vector->kind == SIM_ISOMETRIC || vector->kind == SIM_QUADRATIC;
    memcpy(flat, bends ? vector->flat : vector->x, sizeof flat);
    memcpy(x, vector->x, sizeof x);
    four_snap(flat);
    four_snap(x);
    for (int k = 0; k < 12; k++) {
        flat[k / 3][k % 3] += shift[k % 3];
        x[k / 3][k % 3] += shift[k % 3];
    }
    struct four_world world = four_create(settings, &four, (const double(*)[3])flat, vector->w);
    four_place(&world, (const double(*)[3])x, (const double(*)[3])x);
    scene_run(world.sim, 1);
    four_positions(&world, after);
    four_multiplier(&world, lambda);
    for (int k = 0; k < 12; k++) {
        after[k / 3][k % 3] -= shift[k % 3];
    }
    sim_destroy(world.sim);
}

static const double nowhere[3] = {0, 0, 0};

static void the_solver_gives_the_vectors_to_2e_6(void **state)
{
    (void)state;
    for (int i = 0; i < VECTORS; i++) {
        double after[4][3], lambda[3];
        if (vectors[i].scale != 1) {
            continue; // other people's C
        }
        run_vector(&vectors[i], nowhere, after, lambda);
        for (int k = 0; k < 12; k++) {
            double expected = vectors[i].after[k / 3][k % 3];
            assert_near(after[k / 3][k % 3], expected, 2e-6 * fmax(1, fabs(expected)));
        }
        for (int n = 0; n < 3; n++) {
            assert_near(lambda[n], vectors[i].lambda[n], 2e-6 * fmax(1, fabs(vectors[i].lambda[n])));
        }
    }
}

static void the_vectors_have_the_same_bits_1_km_and_100_km_from_the_origin(void **state)
{
    (void)state;
    const double shifts[2][3] = {{1000, -1000, 512}, {1e5, 65536 + SCENE_Q, -1e5}};
    for (int i = 0; i < VECTORS; i++) {
        double near[4][3], far[4][3], lambda[3], far_lambda[3];
        run_vector(&vectors[i], nowhere, near, lambda);
        for (int s = 0; s < 2; s++) {
            run_vector(&vectors[i], shifts[s], far, far_lambda);
            assert_memory_equal(near, far, sizeof near);
            assert_memory_equal(lambda, far_lambda, sizeof lambda);
        }
    }
}

static void six_volumes_with_36_alpha_and_half_energies_with_a_quarter_move_the_same(void **state)
{
    (void)state;
    const char *const pairs[][2] = {{"V1b", "V1"}, {"V3b", "V3"}, {"I4-lib, alpha/4", "I4"}};
    const double ratios[] = {6, 6, -0.5};
    for (int i = 0; i < 3; i++) {
        const struct vector *one = named(pairs[i][0]), *other = named(pairs[i][1]);
        for (int k = 0; k < 12; k++) {
            assert_near(one->after[k / 3][k % 3], other->after[k / 3][k % 3], 1e-14);
        }
        assert_near(one->lambda[0] * ratios[i], other->lambda[0], 1e-14);
    }
    const struct vector *other = named("I4-lib, alpha"), *ours = named("I4");
    assert_true(fabs(other->after[0][2] - ours->after[0][2]) > 0.02); // another material at the same alpha
}

static void the_angles_and_gradients_of_h1_and_h2_are_the_known_ones(void **state)
{
    (void)state;
    const struct {
        double x[4][3], theta, arccos, grad[4][3];
    } known[2] = {
        {H1,
         -0.3947911196997615,
         2.74680153389,
         {{0, 0, 0.9615384615384616},
          {0, 0, 0.9615384615384616},
          {-0.19230769230769232, 0, -0.9615384615384616},
          {0.19230769230769232, 0, -0.9615384615384616}}},
        {H2,
         -0.5841946974795248,
         2.55739795611,
         {{0.27473090767286557, -0.09954606102787392, 1.095006671306613},
          {0.03858981962897863, -0.09193117185048283, 1.0112428903553112},
          {-0.4772471300502452, 0.09312139122931615, -1.0243353035224776},
          {0.16392640274840103, 0.09835584164904061, -1.0819142581394467}}},
    };
    for (int i = 0; i < 2; i++) {
        struct twin_four four = {.kind = SIM_DIHEDRAL};
        double c[3], grad[3][4][3];
        twin_four_value(&four, known[i].x, c, grad);
        assert_near(c[0], known[i].theta, 1e-13);
        assert_near(M_PI - fabs(c[0]), known[i].arccos, 1e-11);
        for (int k = 0; k < 12; k++) {
            assert_near(grad[0][k / 3][k % 3], known[i].grad[k / 3][k % 3], 1e-13);
        }
        double offsets[3][3];
        float params[4];
        for (int k = 0; k < 9; k++) {
            offsets[k / 3][k % 3] = known[i].x[k / 3 + 1][k % 3] - known[i].x[0][k % 3];
        }
        assert_true(sim_kind_rows[SIM_DIHEDRAL]->at_rest((const double(*)[3])offsets, 1, params));
        assert_near((double)params[0], known[i].theta, 5e-7);
    }
}

static void the_stencil_of_r_has_the_known_k_and_q(void **state)
{
    (void)state;
    const double r[4][3] = R;
    const double known_k[4] = {1.47619047619, 1.57142857143, -1.71428571429, -1.33333333333};
    const double known_q[4][4] = {{6.80980725624, 7.24914965986, -7.90816326531, -6.15079365079},
                                  {0, 7.71683673469, -8.41836734694, -6.54761904762},
                                  {0, 0, 9.18367346939, 7.14285714286},
                                  {0, 0, 0, 5.55555555556}};
    struct twin_four four = {.kind = SIM_ISOMETRIC};
    twin_four_flatten(&four, r);
    double exact[3][3];
    float params[4];
    for (int k = 0; k < 9; k++) {
        exact[k / 3][k % 3] = r[k / 3 + 1][k % 3] - r[0][k % 3];
    }
    assert_true(sim_kind_rows[SIM_ISOMETRIC]->at_rest((const double(*)[3])exact, 1, params));
    for (int i = 0; i < 4; i++) {
        double solver_k =
            i == 0 ? -((double)params[0] + (double)params[1] + (double)params[2]) : (double)params[i - 1];
        assert_near(four.k[i], known_k[i], 1e-11);
        assert_near(solver_k, known_k[i], 1e-6);
        for (int j = i; j < 4; j++) {
            assert_near(four.f * four.k[i] * four.k[j], known_q[i][j], 1e-10);
        }
    }
    assert_near((double)params[3], 3 / 0.96, 1e-6);
    double c[3], grad[3][4][3];
    twin_four_value(&four, r, c, grad);
    assert_near(c[0], 0, 1e-14);
    // Folded by 0.8: |Kx| = 2 |e| sin(theta/2), C = 6 |e|^2 sin^2(theta/2) / (A0 + A1).
    const double folded[4][3] = R_FOLDED;
    twin_four_value(&four, folded, c, grad);
    assert_near(c[0], 6 * 1.44 * sin(0.4) * sin(0.4) / 0.96, 1e-12);
    assert_near(twin_theta(folded), -0.8, 1e-14);
    const double known_grad[4][3] = {{1.678945002, 0, -3.97107836},
                                     {1.787264034, 0, -4.227276964},
                                     {-1.949742583, 0, 4.61157487},
                                     {-1.516466453, 0, 3.586780454}};
    for (int k = 0; k < 12; k++) {
        assert_near(grad[0][k / 3][k % 3], known_grad[k / 3][k % 3], 1e-8);
    }
}

// A turn of x3 about the edge of H1's flat shape.
static void fold_by(double angle, double x[4][3])
{
    const double flat[4][3] = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {cos(angle), 0.5, sin(angle)}};
    memcpy(x, flat, sizeof flat);
}

static void a_fold_past_half_a_turn_goes_on_from_the_other_side(void **state)
{
    (void)state;
    const double folds[3] = {0.5, 3.0, 3.2}, thetas[3] = {-0.5, -3, 3.08318530717958648};
    double x[4][3], c[3], grad[3][4][3];
    for (int i = 0; i < 3; i++) {
        fold_by(folds[i], x);
        assert_near(twin_theta((const double(*)[3])x), thetas[i], 1e-14);
    }
    // At rest at -3.0 and folded to where theta is 3.0: 0.283 rad off, not 6.
    struct twin_four four = {.kind = SIM_DIHEDRAL, .p = {0, 1, 2, 3}, .rest = -3, .stiffness = -1};
    fold_by(2 * M_PI - 3, x);
    twin_four_value(&four, (const double(*)[3])x, c, grad);
    assert_near(c[0], 6 - 2 * M_PI, 1e-13);
    const double w[4] = {0, 0, 1, 1};
    struct four_world world = four_create(scene_still(60), &four, (const double(*)[3])x, w);
    scene_run(world.sim, 1);
    four_positions(&world, x);
    assert_near(fabs(twin_theta((const double(*)[3])x)), 3, 4e-3); // one Newton step of 0.283 rad
    scene_run(world.sim, 1);
    sim_destroy(world.sim);
}

static void the_flat_stencil_of_the_isometric_example_stays_where_it_is(void **state)
{
    (void)state;
    const double w[4] = {1, 1, 1, 1}, square[4][3] = SEED_004, uneven[4][3] = R;
    for (int k = 0; k < 2; k++) {
        struct twin_four four = {.kind = k == 0 ? SIM_ISOMETRIC : SIM_QUADRATIC, .stiffness = -1};
        // K = (2, 2, -2, -2) and no error at all.
        struct sim_settings still = scene_settings();
        still.gravity[1] = 0;
        struct four_world world = four_create(still, &four, square, w);
        double x[4][3];
        scene_run(world.sim, 60);
        four_positions(&world, x);
        assert_memory_equal(x, square, sizeof x);
        sim_destroy(world.sim);
        // All cotangents differ here: a K with its labels mixed up moves this one by decimetres. Its last digit, which
        // is rounded to a float, moves it by nothing.
        double start[4][3];
        world = four_create(still, &four, uneven, w);
        four_positions(&world, start);
        scene_run(world.sim, 600);
        four_positions(&world, x);
        assert_memory_equal(x, start, sizeof x);
        sim_destroy(world.sim);
    }
}

static void k_with_the_wrong_labels_moves_a_flat_cloth_and_ours_does_not(void **state)
{
    (void)state;
    // The published K with the edges labelled as another library has them.
    const double r[4][3] = R,
                 wrong[4] = {0.9047619047619047, 2.142857142857143, -1.5714285714285714, -1.476190476190476};
    struct twin_four four = {.kind = SIM_ISOMETRIC};
    twin_four_flatten(&four, r);
    double kx[2][3] = {{0}};
    for (int k = 0; k < 12; k++) {
        kx[0][k % 3] += four.k[k / 3] * r[k / 3][k % 3];
        kx[1][k % 3] += wrong[k / 3] * r[k / 3][k % 3];
    }
    assert_near(twin_dot(kx[0], kx[0]), 0, 1e-28);
    assert_near(kx[1][0], -0.228571428571, 1e-11);
    assert_near(kx[1][1], 0.614285714286, 1e-11);
}

static void the_inverted_tetrahedron_stands_upright_after_seven_iterations(void **state)
{
    (void)state;
    double after[4][3], lambda[3], c[3], grad[3][4][3];
    const struct vector *vector = named("V5 it7");
    run_vector(vector, nowhere, after, lambda);
    struct twin_four four = four_of(vector);
    twin_four_value(&four, (const double(*)[3])after, c, grad);
    assert_near(vector->before_c[0], -0.25, 1e-15);
    assert_near(c[0], 0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_double_twin_gives_the_vectors_to_1e_12),
        cmocka_unit_test(the_solver_gives_the_vectors_to_2e_6),
        cmocka_unit_test(the_vectors_have_the_same_bits_1_km_and_100_km_from_the_origin),
        cmocka_unit_test(six_volumes_with_36_alpha_and_half_energies_with_a_quarter_move_the_same),
        cmocka_unit_test(the_angles_and_gradients_of_h1_and_h2_are_the_known_ones),
        cmocka_unit_test(the_stencil_of_r_has_the_known_k_and_q),
        cmocka_unit_test(a_fold_past_half_a_turn_goes_on_from_the_other_side),
        cmocka_unit_test(the_flat_stencil_of_the_isometric_example_stays_where_it_is),
        cmocka_unit_test(k_with_the_wrong_labels_moves_a_flat_cloth_and_ours_does_not),
        cmocka_unit_test(the_inverted_tetrahedron_stands_upright_after_seven_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
