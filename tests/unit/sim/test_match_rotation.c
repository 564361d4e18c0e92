// The rotation that shape matching takes out of a set of particles: the worked example, odd sets, and rigid motions.
#include "helper_match.h"
#include "helper_scene.h"
#include "sim/ground/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void turned(const double q[4], double out[3][3])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double unit[4] = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    sim_rotation_matrix(unit, out);
}

static void random_turn(uint64_t *seed, double out[3][3])
{
    double q[4];
    for (int i = 0; i < 4; i++) {
        q[i] = scene_uniform(seed) - 0.5;
    }
    turned(q, out);
}

static void times(const double a[3][3], const double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
        }
    }
}

static double trace_with(const double r[3][3], const double a[3][3]) // tr(R^T A)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum += r[i][j] * a[i][j];
        }
    }
    return sum;
}

// A rotation, and not a reflection.
static void assert_turns(const double r[3][3])
{
    double det = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double dot = r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j];
            assert_near(dot, i == j, 1e-12);
        }
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        det += r[0][i] * (r[1][j] * r[2][k] - r[1][k] * r[2][j]);
    }
    assert_near(det, 1, 1e-12);
}

// ----------------------------------------------------------------------------------------------------- rotations

static void the_rotation_of_the_worked_example(void **state)
{
    (void)state;
    const double a[3][3] = {{1.20909091, -1.02727273, -0.113636364},
                            {0.854545455, 1.03636364, 0.0181818182},
                            {-0.218181818, 0.254545455, 0.627272727}};
    const double want[4] = {0.938664965, 0.0251704525, 0.0427778042, 0.341239785};
    double q[4];
    sim_rotation_of(a, 0, q);
    for (int i = 0; i < 4; i++) {
        assert_near(q[i] * (q[0] < 0 ? -1 : 1), want[i], 2e-9);
    }
}

// A = Q1 S Q2^T with singular values S has the rotation Q1 Q2^T, if s2 + s3 > 0, and no rotation has a greater trace with it.
static void rotations_of_plates_rods_points_and_what_is_inside_out(void **state)
{
    (void)state;
    const struct {
        double s[3], error; // rad
    } sets[] = {
        {{1, 1, 1}, 1e-14},
        {{1.25, 1, 0.8}, 1e-14},
        {{1, 0.8, 0}, 1e-14},
        {{1, 0.05, 0.02}, 1e-13},
        {{1, 5e-3, 2e-3}, 1e-12},
        {{1, 1e-5, 0}, 1e-9},
        {{1, 0.8, -0.3}, 1e-14},
        {{1, 0.8, -0.7}, 1e-13},
        {{1e-20, 1e-20, 1e-20}, 1e-14},
        {{3e40, 2e40, 1e40}, 1e-14},
        {{1, 0, 0}, 4},
        {{1, 0.5, -0.5}, 4},
        {{1, 1, -1}, 4}, // every one that is left is as good
    };
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        for (int round = 0; round < 50; round++) {
            double left[3][3], right[3][3], scaled[3][3], a[3][3], q[4], r[3][3], nearest[3][3],
                flipped[3][3];
            random_turn(&seed, left);
            random_turn(&seed, right);
            for (int row = 0; row < 3; row++) {
                for (int k = 0; k < 3; k++) {
                    scaled[row][k] = left[row][k] * sets[i].s[k];
                    flipped[row][k] = right[k][row];
                }
            }
            times((const double(*)[3])scaled, (const double(*)[3])flipped, a);
            times((const double(*)[3])left, (const double(*)[3])flipped, nearest);
            sim_rotation_of((const double(*)[3])a, 0, q);
            sim_rotation_matrix(q, r);
            assert_turns((const double(*)[3])r);
            const double size = sets[i].s[0] + sets[i].s[1] + sets[i].s[2];
            assert_near(trace_with((const double(*)[3])r, (const double(*)[3])a), size, 1e-12 * sets[i].s[0]);
            double off = 0;
            for (int k = 0; k < 9; k++) {
                off = fmax(off, fabs(r[k / 3][k % 3] - nearest[k / 3][k % 3]));
            }
            assert_true(off < 30 * sets[i].error);
        }
    }
    const double nothing[3][3] = {{0}}, unknown[3][3] = {{NAN}};
    double q[4];
    sim_rotation_of(nothing, 0, q);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
    sim_rotation_of(unknown, 0, q);
    assert_true(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

// Whatever turns and shifts a body as a whole leaves nothing to match: boxes, plates, rods, and bodies that are mirrored.
static void rigid_motions_are_at_their_goals(void **state)
{
    (void)state;
    static const uint32_t sides[][3] = {{3, 4, 5}, {6, 1, 6}, {9, 1, 1}, {1, 1, 1}};
    uint64_t seed = 11;
    for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
        for (int round = 0; round < 20; round++) {
            uint32_t count;
            double r[3][3], *rest = box(sides[s], 0.1, (const double[3]){1, 2, 3}, &count);
            double *now = malloc(3 * (size_t)count * sizeof *now), *masses = malloc(count * sizeof *masses);
            random_turn(&seed, r);
            for (uint32_t i = 0; i < count; i++) {
                double *q = rest + 3 * (size_t)i;
                q[0] *= round % 2 ? -1 : 1;
                q[1] += 0.03 * q[0];
                masses[i] = 0.1 + scene_uniform(&seed);
                for (int axis = 0; axis < 3; axis++) {
                    now[3 * i + axis] = r[axis][0] * q[0] + r[axis][1] * q[1] + r[axis][2] * q[2] - axis;
                }
            }
            struct sim *sim = scene_create(scene_still(100));
            struct sim_body_desc desc = scene_points(now, count, masses);
            desc.matching = (struct sim_matching){.model = SIM_MATCH_RIGID, .places = rest};
            const uint32_t whole = scene_add(sim, &desc);
            desc.matching.radius = 0.15;
            const uint32_t parts = scene_add(sim, &desc);
            assert_true(told_of(sim, whole).distance < 1e-8);
            assert_true(told_of(sim, parts).distance < 1e-8);
            scene_run(sim, 20);
            for (uint32_t i = 0; i < count; i++) { // and it stays there
                double at[3];
                scene_position(sim, whole, i, at);
                for (int axis = 0; axis < 3; axis++) {
                    assert_near(at[axis], now[3 * i + axis], 2e-8);
                }
            }
            sim_destroy(sim);
            free(rest);
            free(now);
            free(masses);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rotation_of_the_worked_example),
        cmocka_unit_test(rotations_of_plates_rods_points_and_what_is_inside_out),
        cmocka_unit_test(rigid_motions_are_at_their_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
