// Properties of every four-particle constraint, wherever its particles are: gradients, symmetries, momentum, damping,
// and degenerate stencils.
#include "helper_four.h"
#include "sim/state/kind.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ROWS(x) ((const double(*)[3])(x))

// ----------------------------------------------------------------------------------------------- gradients

static void every_gradient_is_that_of_finite_differences(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const double step = 1e-6;
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 100; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            double c[3], grad[3][4][3], up[3], down[3], unused[3][4][3];
            twin_four_value(&sample.four, ROWS(sample.x), c, grad);
            for (int k = 0; k < 12; k++) {
                double x = sample.x[k / 3][k % 3];
                sample.x[k / 3][k % 3] = x + step;
                twin_four_value(&sample.four, ROWS(sample.x), up, unused);
                sample.x[k / 3][k % 3] = x - step;
                twin_four_value(&sample.four, ROWS(sample.x), down, unused);
                sample.x[k / 3][k % 3] = x;
                for (uint32_t m = 0; m < twin_four_components(four_kinds[i]); m++) {
                    double size = sqrt(twin_dot(grad[m][k / 3], grad[m][k / 3]));
                    double found = (up[m] - down[m]) / (2 * step);
                    assert_near(found, grad[m][k / 3][k % 3], 1e-6 * fmax(1, size));
                }
            }
        }
    }
}

// A step of the solver from a random stencil, and of the twin from the same.
static void compare(struct four_sample *sample, uint32_t iterations, const double previous[4][3],
                    double tolerance)
{
    struct sim_settings settings = scene_still(60);
    settings.iterations = iterations;
    struct twin twin = {.h = 1.0 / 60, .iterations = iterations, .particle_count = 4};
    struct four_world world = four_create(settings, &sample->four, ROWS(sample->rest), sample->w);
    double x[4][3], lambda[3], fastest = 0;
    four_place(&world, previous, ROWS(sample->x));
    memcpy(twin.w, sample->w, sizeof sample->w);
    memcpy(twin.x, sample->x, sizeof sample->x);
    memcpy(twin.previous, previous, sizeof sample->x);
    for (uint32_t n = 0; n < iterations; n++) {
        twin_four_project(&twin, &sample->four);
    }
    for (int k = 0; k < 12; k++) {
        double way = twin.x[k / 3][k % 3] - previous[k / 3][k % 3];
        twin.v[k / 3][k % 3] = way / twin.h;
        fastest = fmax(fastest, fabs(way / twin.h));
    }
    twin_four_damp(&twin, &sample->four);
    scene_run(world.sim, 1);
    four_positions(&world, x);
    for (uint32_t p = 0; p < 4; p++) {
        float v[3];
        scene_velocity(world.sim, world.body, p, v);
        for (int axis = 0; axis < 3; axis++) {
            assert_near((double)v[axis], twin.v[p][axis], tolerance / twin.h * fmax(1, fastest));
        }
    }
    four_multiplier(&world, lambda);
    for (int k = 0; k < 12; k++) {
        assert_near(x[k / 3][k % 3], twin.x[k / 3][k % 3], tolerance);
    }
    for (int m = 0; m < 3; m++) {
        assert_near(lambda[m], sample->four.lambda[m], tolerance * fmax(1, fabs(sample->four.lambda[m])));
    }
    sim_destroy(world.sim);
}

static void the_solver_follows_the_twin_on_random_stencils(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 60; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            sample.four.compliance = n % 3 == 0 ? 0 : 1e-4 * (n % 3);
            sample.four.stiffness = n % 5 == 4 ? 0.25 * (n % 4) : -1;
            compare(&sample, 1 + n % 3, ROWS(sample.x), 5e-6);
        }
    }
}

static void damping_follows_the_twin_for_every_kind(void **state)
{
    (void)state;
    uint64_t seed = 13;
    const double betas[4] = {0.1, 1, 20, 1000};
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 40; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            double previous[4][3];
            memcpy(previous, sample.x, sizeof previous);
            for (int k = 0; k < 12; k++) {
                previous[k / 3][k % 3] += 0.05 * (scene_uniform(&seed) - 0.5);
            }
            four_snap(previous);
            sample.four.compliance = 1e-3;
            sample.four.damping = betas[n % 4];
            compare(&sample, 1 + n % 3, ROWS(previous), 5e-6);
        }
    }
}

// Eight particles in one knot of all kinds.
static void a_random_knot_of_all_kinds_follows_the_twin(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        struct sim_settings settings = scene_still(60);
        settings.iterations = iterations;
        settings.gravity[1] = -9.81;
        struct sim *sim = scene_create(settings);
        struct twin twin = {
            .h = 1.0 / 60, .gravity = {0, -9.81, 0}, .iterations = iterations, .particle_count = 8};
        double positions[8][3], masses[8];
        struct four_sample sample[2] = {four_sample(SIM_VOLUME, &seed), four_sample(SIM_QUADRATIC, &seed)};
        for (uint32_t p = 0; p < 8; p++) {
            memcpy(positions[p], sample[p / 4].rest[p % 4], sizeof positions[p]);
            positions[p][2] += p >= 4 ? 1.5 : 0;
            masses[p] = p == 0 ? 0 : 0.5 + scene_uniform(&seed);
            twin.w[p] = p == 0 ? 0 : 1 / masses[p];
            memcpy(twin.x[p], positions[p], sizeof positions[p]);
        }
        struct sim_body_desc desc = scene_points(&positions[0][0], 4, masses);
        uint32_t bodies[2] = {scene_add(sim, &desc), 0}, first;
        desc = scene_points(&positions[4][0], 4, masses + 4);
        bodies[1] = scene_add(sim, &desc);
        const struct twin_four fours[] = {
            {.kind = SIM_DIHEDRAL,
             .p = {4, 5, 6, 7},
             .rest = 0.4,
             .compliance = 1e-4,
             .damping = 5,
             .stiffness = -1},
            {.kind = SIM_ISOMETRIC, .p = {5, 4, 6, 7}, .compliance = 1e-3, .stiffness = -1},
            {.kind = SIM_QUADRATIC, .p = {4, 5, 7, 6}, .compliance = 1e-3, .stiffness = -1},
            {.kind = SIM_QUADRATIC, .p = {1, 2, 3, 6}, .compliance = 1e-2, .damping = 3, .stiffness = -1},
            {.kind = SIM_VOLUME, .p = {0, 1, 2, 3}, .rest = 0.2, .compliance = 1e-3, .stiffness = -1},
            {.kind = SIM_VOLUME, .p = {2, 3, 5, 7}, .rest = 0.1, .stiffness = 0.5},
        };
        for (size_t i = 0; i < sizeof fours / sizeof fours[0]; i++) {
            struct twin_four *four = &twin.fours[twin.four_count++];
            *four = fours[i];
            uint32_t owners[4], places[4];
            double corner[4][3];
            for (int k = 0; k < 4; k++) {
                owners[k] = bodies[four->p[k] / 4];
                places[k] = four->p[k] % 4;
                memcpy(corner[k], positions[four->p[k]], sizeof corner[k]);
            }
            bool flat = four->kind == SIM_ISOMETRIC || four->kind == SIM_QUADRATIC;
            if (flat) {
                twin_four_flatten(four, ROWS(corner));
            }
            const struct sim_constraint_values values = {
                .rest = flat ? NULL : &four->rest,
                .compliance = four->stiffness < 0 ? &four->compliance : NULL,
                .damping = four->stiffness < 0 ? &four->damping : NULL,
                .stiffness = four->stiffness < 0 ? NULL : &four->stiffness,
            };
            struct fault fault;
            assert_int_equal(sim_constraints_add(sim, four->kind, 1, owners, places, &values, &first, &fault),
                             FAULT_NONE);
        }
        for (int step = 0; step < 3; step++) {
            twin_substep(&twin);
            scene_run(sim, 1);
        }
        for (uint32_t p = 0; p < 8; p++) {
            double x[3];
            scene_position(sim, bodies[p / 4], p % 4, x);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(x[axis], twin.x[p][axis], 1e-5);
            }
        }
        sim_destroy(sim);
    }
}

// ---------------------------------------------------------------------------------------------- symmetries

static double size_of(const double c[3])
{
    return sqrt(twin_dot(c, c));
}

static void a_rigid_motion_leaves_c_alone(void **state)
{
    (void)state;
    uint64_t seed = 15;
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 50; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            double moved[4][3], c[3], after[3], grad[3][4][3], q[4], length = 0;
            for (int k = 0; k < 4; k++) {
                q[k] = scene_uniform(&seed) - 0.5;
                length += q[k] * q[k];
            }
            for (int p = 0; p < 4; p++) {
                // v + 2 u x (u x v + w v)
                double t[3], s[3];
                twin_cross(t, q, sample.x[p]);
                for (int axis = 0; axis < 3; axis++) {
                    t[axis] += q[3] * sample.x[p][axis];
                }
                twin_cross(s, q, t);
                for (int axis = 0; axis < 3; axis++) {
                    moved[p][axis] = sample.x[p][axis] + 2 * s[axis] / length + 3.5 * (axis - 1);
                }
            }
            twin_four_value(&sample.four, ROWS(sample.x), c, grad);
            twin_four_value(&sample.four, ROWS(moved), after, grad);
            assert_near(size_of(after), size_of(c), 1e-12);
        }
    }
}

// Wings swapped: the dihedral angle stays... with both normals turned over; edge ends swapped: it stays as
// well; one of both for a tetrahedron turns its sign. The energies do not see labels at all.
static void relabelling_does_what_is_said_of_it(void **state)
{
    (void)state;
    uint64_t seed = 16;
    static const uint32_t labels[3][4] = {{0, 1, 3, 2}, {1, 0, 2, 3}, {1, 0, 3, 2}};
    static const double signs[SIM_KIND_COUNT][3] = {[SIM_DIHEDRAL] = {-1, -1, 1},
                                                    [SIM_VOLUME] = {-1, -1, 1},
                                                    [SIM_ISOMETRIC] = {1, 1, 1},
                                                    [SIM_QUADRATIC] = {1, 1, 1}};
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 30; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            sample.four.rest = 0;
            double c[3], after[3], grad[3][4][3], x[4][3], rest[4][3];
            twin_four_value(&sample.four, ROWS(sample.x), c, grad);
            for (int way = 0; way < 3; way++) {
                struct twin_four four = sample.four;
                for (int k = 0; k < 4; k++) {
                    memcpy(x[k], sample.x[labels[way][k]], sizeof x[k]);
                    memcpy(rest[k], sample.rest[labels[way][k]], sizeof rest[k]);
                }
                if (four.kind == SIM_ISOMETRIC || four.kind == SIM_QUADRATIC) {
                    twin_four_flatten(&four, ROWS(rest));
                }
                twin_four_value(&four, ROWS(x), after, grad);
                for (int m = 0; m < 3; m++) {
                    assert_near(after[m], signs[four.kind][way] * c[m], 1e-12);
                }
            }
        }
    }
}

static void a_projection_keeps_momentum_and_angular_momentum(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int n = 0; n < 40; n++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            sample.four.stiffness = n % 4 == 3 ? 0.7 : -1;
            struct four_world world = four_create(scene_still(60), &sample.four, ROWS(sample.rest), sample.w);
            four_place(&world, ROWS(sample.x), ROWS(sample.x));
            scene_run(world.sim, 1);
            double x[4][3], linear[3] = {0}, angular[3] = {0}, went = 0;
            four_positions(&world, x);
            for (int k = 0; k < 4; k++) {
                double dx[3], turn[3];
                twin_sub(dx, x[k], sample.x[k]);
                twin_cross(turn, sample.x[k], dx);
                went += sqrt(twin_dot(dx, dx));
                for (int axis = 0; axis < 3; axis++) {
                    linear[axis] += dx[axis] / sample.w[k];
                    angular[axis] += turn[axis] / sample.w[k];
                }
            }
            assert_true(went > 1e-4);
            for (int axis = 0; axis < 3; axis++) {
                // Half a quantum a coordinate, and what floats leave of the way gone.
                assert_near(linear[axis], 0, 10 * (4 * SCENE_Q + 1e-6 * went));
                assert_near(angular[axis], 0, 10 * (4 * SCENE_Q + 1e-6 * went));
            }
            sim_destroy(world.sim);
        }
    }
}

static void particles_without_inverse_mass_keep_their_bits_under_every_kind(void **state)
{
    (void)state;
    uint64_t seed = 18;
    for (int i = 0; i < FOUR_KINDS; i++) {
        for (int mask = 1; mask < 16; mask++) {
            struct four_sample sample = four_sample(four_kinds[i], &seed);
            for (int k = 0; k < 4; k++) {
                sample.w[k] = mask >> k & 1 ? 0 : sample.w[k];
            }
            sample.four.compliance = 1e-2;
            struct four_world world =
                four_create(scene_settings(), &sample.four, ROWS(sample.rest), sample.w);
            four_place(&world, ROWS(sample.x), ROWS(sample.x));
            scene_run(world.sim, 3);
            double x[4][3];
            four_positions(&world, x);
            for (int k = 0; k < 4; k++) {
                if (sample.w[k] == 0) {
                    assert_memory_equal(x[k], sample.x[k], sizeof x[k]);
                } else {
                    assert_true(memcmp(x[k], sample.x[k], sizeof x[k]) != 0);
                }
            }
            sim_destroy(world.sim);
        }
    }
}

static void a_rigid_isometric_projection_leaves_exactly_a_quarter(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int n = 0; n < 100; n++) {
        struct four_sample sample = four_sample(SIM_ISOMETRIC, &seed);
        double c[3], after[3], grad[3][4][3], x[4][3];
        twin_four_value(&sample.four, ROWS(sample.x), c, grad);
        struct twin twin = {.h = 1.0 / 60, .iterations = 1, .particle_count = 4};
        memcpy(twin.w, sample.w, sizeof sample.w);
        memcpy(twin.x, sample.x, sizeof sample.x);
        memcpy(twin.previous, sample.x, sizeof sample.x);
        twin_four_project(&twin, &sample.four);
        twin_four_value(&sample.four, ROWS(twin.x), after, grad);
        assert_near(after[0], c[0] / 4, 1e-12 * c[0]);
        struct four_world world = four_create(scene_still(60), &sample.four, ROWS(sample.rest), sample.w);
        four_place(&world, ROWS(sample.x), ROWS(sample.x));
        scene_run(world.sim, 1);
        four_positions(&world, x);
        twin_four_value(&sample.four, ROWS(x), after, grad);
        assert_near(after[0], c[0] / 4, 2e-6 * fmax(1, c[0]));
        sim_destroy(world.sim);
    }
}

// ------------------------------------------------------------------------------------------------ dihedral

static void the_signed_angle_is_pi_less_that_of_the_arccos_form(void **state)
{
    (void)state;
    uint64_t seed = 20;
    for (int n = 0; n < 200; n++) {
        struct four_sample sample = four_sample(SIM_DIHEDRAL, &seed);
        double p[3][3], n1[3], n2[3];
        for (int k = 0; k < 3; k++) {
            twin_sub(p[k], sample.x[k + 1], sample.x[0]);
        }
        twin_cross(n1, p[0], p[1]);
        twin_cross(n2, p[0], p[2]);
        double d = twin_dot(n1, n2) / sqrt(twin_dot(n1, n1) * twin_dot(n2, n2));
        double theta = twin_theta(ROWS(sample.x));
        assert_near(acos(d), M_PI - fabs(theta), 1e-7);
        float params[4];
        assert_true(sim_kind_rows[SIM_DIHEDRAL]->at_rest((const double(*)[3])p, 1, params));
        assert_near((double)params[0], theta, 1e-6);
    }
}

static void hinge_at(double angle, double height, double x[4][3])
{
    const double place[4][3] = {
        {0, 0, 0}, {0, 1, 0}, {-height, 0.5, 0}, {height * cos(angle), 0.5, height * sin(angle)}};
    memcpy(x, place, sizeof place);
    four_snap(x);
}

static void flat_and_folded_hinges_are_as_sound_as_any(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-7, -1e-7, 1e-3, M_PI, -M_PI, M_PI - 1e-6, M_PI / 2};
    const double rests[] = {0, 0.3, -0.3, 3.14159265, -3.14159265};
    const double w[4] = {1, 0.5, 2, 1};
    for (size_t a = 0; a < sizeof angles / sizeof angles[0]; a++) {
        for (size_t r = 0; r < sizeof rests / sizeof rests[0]; r++) {
            double x[4][3];
            hinge_at(angles[a], 1, x);
            struct twin_four four = {
                .kind = SIM_DIHEDRAL, .rest = rests[r], .compliance = 1e-4, .stiffness = -1};
            struct four_world world = four_create(scene_still(600), &four, ROWS(x), w);
            static const uint32_t sides[5][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}};
            for (int side = 0; side < 5; side++) {
                double way[3];
                twin_sub(way, x[sides[side][0]], x[sides[side][1]]);
                scene_link(world.sim, world.body, sides[side][0], sides[side][1], sqrt(twin_dot(way, way)), 0,
                           0);
            }
            for (int tick = 0; tick < 200; tick++) {
                double after[4][3];
                scene_run(world.sim, 1);
                four_positions(&world, after);
                for (int k = 0; k < 12; k++) {
                    assert_true(fabs(after[k / 3][k % 3]) < 4);
                }
            }
            sim_destroy(world.sim);
        }
    }
}

static void stencils_without_an_area_move_nothing_and_slivers_move_little(void **state)
{
    (void)state;
    const double shapes[][4][3] = {
        {{0, 0, 0}, {0, 0, 0}, {-1, 0, 0}, {1, 0, 0}},           // no edge
        {{0, 0, 0}, {0, 1, 0}, {0, 0.5, 0}, {1, 0.5, 0}},        // a wing on the edge
        {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, -1, 0}},           // all on a line
        {{0, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0.5, 0}},          // a wing at an end
        {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},            // a point
        {{0, 0, 0}, {0, 1, 0}, {SCENE_Q, 0.5, 0}, {1, 0.5, 0}},  // a sliver
        {{0, 0, 0}, {0, SCENE_Q, 0}, {-1, 0.5, 0}, {1, 0.5, 0}}, // an edge of a quantum
        {{0, 0, 0}, {0, SCENE_Q, 0}, {SCENE_Q, 0, 0}, {0, 0, SCENE_Q}},
    };
    const double flat[4][3] = {{0, 0, 0}, {0, 1, 0}, {-1, 0.5, 0}, {1, 0.5, 0}}, w[4] = {1, 1, 1, 1};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int i = 0; i < FOUR_KINDS; i++) {
            for (int soft = 0; soft < 3; soft++) {
                struct twin_four four = {.kind = four_kinds[i],
                                         .rest = four_kinds[i] == SIM_DIHEDRAL ? 0.5 : 0,
                                         .compliance = soft == 1 ? 1e-3 : 0,
                                         .stiffness = soft == 2 ? 1 : -1};
                struct four_world world = four_create(scene_still(60), &four, flat, w);
                double x[4][3];
                four_place(&world, shapes[s], shapes[s]);
                scene_run(world.sim, 1); // fails on what is not finite or goes too far
                four_positions(&world, x);
                for (int k = 0; k < 12; k++) {
                    double moved = fabs(x[k / 3][k % 3] - shapes[s][k / 3][k % 3]);
                    assert_true(moved < 3);
                    assert_true(four_kinds[i] != SIM_DIHEDRAL || s >= 5 || moved == 0);
                }
                sim_destroy(world.sim);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------- static hinges

// A unit hinge with both edge ends and one wing held, the other wing of 0.3 kg under gravity, at rest: its angle
// from flat.
static double hang(enum sim_kind kind, double compliance)
{
    const double flat[4][3] = {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0.5}, {1, 0, 0.5}}, w[4] = {0, 0, 0, 1 / 0.3};
    struct twin_four four = {.kind = kind, .compliance = compliance, .stiffness = -1};
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = 8;
    struct four_world world = four_create(settings, &four, flat, w);
    // The wing's distance from the edge holds (its triangle keeps its shape).
    for (uint32_t end = 0; end < 2; end++) {
        scene_link(world.sim, world.body, end, 3, sqrt(1.25), 0, 0);
    }
    scene_run(world.sim, 1020);
    double x[4][3];
    four_positions(&world, x);
    sim_destroy(world.sim);
    return fabs(twin_theta(ROWS(x)));
}

// Least of 1/2 k E(theta) + potential, by bisection of its slope: c theta-like terms of each kind.
static double least(enum sim_kind kind, double k)
{
    // E = 1/2 x'Qx = 6 sin^2(theta/2) (|e| = 1, A0 + A1 = 1): quadratic k E, isometric k E^2 / 2,
    // dihedral (k_theta / 2) theta^2 with k_theta = 3 k |e|^2 / (A0 + A1). Potential: -2.943 sin theta.
    double low = 0, high = 1.57;
    for (int n = 0; n < 200; n++) {
        double t = 0.5 * (low + high), e = 6 * sin(t / 2) * sin(t / 2), slope = 3 * sin(t);
        double force = kind == SIM_DIHEDRAL ? 3 * k * t : kind == SIM_QUADRATIC ? k * slope : k * e * slope;
        if (force > 2.943 * cos(t)) {
            high = t;
        } else {
            low = t;
        }
    }
    return low;
}

static void a_hinge_hangs_where_its_energy_is_least(void **state)
{
    (void)state;
    const double stiffnesses[3] = {20, 50, 200};
    const double quadratic[3] = {0.049011, 0.019617, 0.004905}, dihedral[3] = {0.048991, 0.019616, 0.004905};
    for (int i = 0; i < 3; i++) {
        double k = stiffnesses[i];
        assert_near(least(SIM_QUADRATIC, k), quadratic[i], 6e-7);
        assert_near(least(SIM_DIHEDRAL, k), dihedral[i], 6e-7);
        assert_near(hang(SIM_QUADRATIC, 1 / k), least(SIM_QUADRATIC, k), 2e-5);
        assert_near(hang(SIM_DIHEDRAL, 1 / (3 * k)), least(SIM_DIHEDRAL, k), 2e-5);
        double isometric = hang(SIM_ISOMETRIC, 1 / k);
        assert_near(isometric, least(SIM_ISOMETRIC, k), 2e-3);
        // Quartic in the fold: no stiffness at flat, so it hangs lower than the energy it is made of.
        assert_true(isometric > 3 * least(SIM_QUADRATIC, k));
    }
    // The two linear ones agree while angles are small.
    assert_near(least(SIM_QUADRATIC, 20) / least(SIM_DIHEDRAL, 20), 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_gradient_is_that_of_finite_differences),
        cmocka_unit_test(the_solver_follows_the_twin_on_random_stencils),
        cmocka_unit_test(damping_follows_the_twin_for_every_kind),
        cmocka_unit_test(a_random_knot_of_all_kinds_follows_the_twin),
        cmocka_unit_test(a_rigid_motion_leaves_c_alone),
        cmocka_unit_test(relabelling_does_what_is_said_of_it),
        cmocka_unit_test(a_projection_keeps_momentum_and_angular_momentum),
        cmocka_unit_test(particles_without_inverse_mass_keep_their_bits_under_every_kind),
        cmocka_unit_test(a_rigid_isometric_projection_leaves_exactly_a_quarter),
        cmocka_unit_test(the_signed_angle_is_pi_less_that_of_the_arccos_form),
        cmocka_unit_test(flat_and_folded_hinges_are_as_sound_as_any),
        cmocka_unit_test(stencils_without_an_area_move_nothing_and_slivers_move_little),
        cmocka_unit_test(a_hinge_hangs_where_its_energy_is_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
