// Joins: worked vectors, gradients by finite differences, laws of motion, closed forms, parting, sewing, and what images and
// undo keep of them.
#include "helper_scene.h"
#include "sim/state/join.h"
#include "sim/state/state.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// ------------------------------------------------------------------------------------------------- vectors

// One projection from lam. Tetrahedra are beyond what a side may be, so the fourth vector of the source is taken for its
// triangle with the weights made to sum to 1, and computed by the same formula (see after_of).
struct vector {
    const char *name;
    double x[6][3], w[6], weights[6];
    double alpha, lam[3]; // alpha~
    double after[6][3];
};

#define TRIANGLE           \
    {0, 0, 0}, {1, 0, .1}, \
    {                      \
        .2, .9, 0          \
    }
#define EDGE                    \
    {.1, .4, .5}, {.9, .5, .4}, \
    {                           \
        .1, .4, .5              \
    }
#define WEIGHTS                 \
    {                           \
        .2, .3, .5, .25, .75, 0 \
    }
#define INVERSES          \
    {                     \
        1, 2, .5, 1, 1, 1 \
    }

static const struct vector vectors[] = {
    {"B1",
     {TRIANGLE, EDGE},
     INVERSES,
     WEIGHTS,
     0,
     {0},
     {{0.0618556701, 0.00515463918, 0.081443299},
      {1.18556701, 0.0154639175, 0.344329897},
      {0.277319588, 0.906443299, 0.101804124},
      {0.0226804124, 0.393556701, 0.398195876},
      {0.668041237, 0.480670103, 0.0945876289}}},
    {"B2",
     {TRIANGLE, EDGE},
     INVERSES,
     WEIGHTS,
     .5,
     {0},
     {{0.0408163265, 0.00340136054, 0.0537414966},
      {1.12244898, 0.0102040816, 0.26122449},
      {0.251020408, 0.904251701, 0.0671768707},
      {0.0489795918, 0.395748299, 0.432823129},
      {0.746938776, 0.487244898, 0.198469388}}},
    {"B3",
     {TRIANGLE, EDGE},
     INVERSES,
     WEIGHTS,
     .5,
     {.01, -.02, .03},
     {{0.0401360544, 0.00476190476, 0.0517006803},
      {1.12040816, 0.0142857143, 0.255102041},
      {0.250170068, 0.905952381, 0.0646258503},
      {0.049829932, 0.394047619, 0.43537415},
      {0.749489796, 0.482142857, 0.206122449}}},
};

// The kernel on one batch, with lam given: rows, one lane of a batch, and what it does to them.
static void project(const struct vector *vector, double after[6][3], float lam[3])
{
    enum { ROWS = 8, RATE = 60 };
    static struct sim_row rows[ROWS];
    static uint32_t words[(SIM_STENCIL_MAX + SIM_JOIN_GIVE + 1) * SIM_LANES];
    static float multipliers[3 * SIM_LANES];
    struct sim_batch_meta meta = {.live = 1};
    struct sim_shelf shelf = {.batches = words, .meta = &meta, .multipliers = multipliers, .used = 1};
    struct sim sim = {
        .rows = rows,
        .times = {
            .inv_h2 = RATE * RATE, .h = 1.0f / RATE, .q = (float)SCENE_Q, .inv_q = (float)(1 / SCENE_Q)}};
    uint32_t order = 0;
    struct sim_tile tile = {.kind = SIM_JOIN, .order = &order, .order_count = 1};
    memset(rows, 0, sizeof rows);
    memset(words, 0, sizeof words);
    memset(multipliers, 0, sizeof multipliers);
    sim_store_init(&sim.stores[SIM_JOIN], SIM_JOIN);
    sim.stores[SIM_JOIN].shelves = &shelf;
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        const uint32_t row = vector->weights[k] > 0 ? k + 1 : k / 3 * 3 + 1;
        words[k * SIM_LANES] = row * SIM_ROW_BYTES;
        rows[k + 1].w = (float)vector->w[k];
        for (int axis = 0; axis < 3; axis++) {
            rows[k + 1].x[axis] = (int32_t)lrint(vector->x[k][axis] / SCENE_Q);
        }
    }
    const float params[SIM_JOIN_GIVE + 1] = {[SIM_JOIN_WEIGHT] = (float)vector->weights[1],
                                             [SIM_JOIN_WEIGHT + 1] = (float)vector->weights[2],
                                             [SIM_JOIN_WEIGHT + 2] = (float)vector->weights[4],
                                             [SIM_JOIN_WEIGHT + 3] = (float)vector->weights[5],
                                             [SIM_JOIN_GIVE] = (float)(vector->alpha / (RATE * RATE))};
    for (uint32_t p = 0; p <= SIM_JOIN_GIVE; p++) {
        sim_batch_params(&sim.stores[SIM_JOIN], 0, p)[0] = params[p];
    }
    for (int axis = 0; axis < 3; axis++) {
        multipliers[axis * SIM_LANES] = (float)(vector->lam[axis] / SCENE_Q);
    }
    sim_kernels_of(SIM_ISA_SCALAR)->runs[SIM_JOIN]->solve[SIM_PLAIN][true](&sim, &tile, 0, 1);
    for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
        for (int axis = 0; axis < 3; axis++) {
            after[k][axis] = (double)rows[k + 1].x[axis] * SCENE_Q;
            lam[axis] = multipliers[axis * SIM_LANES] * (float)SCENE_Q;
        }
    }
}

static void each_vector_is_reached(void **state)
{
    (void)state;
    static const float lams[][3] = {{0.309278351f, 0.0257731959f, 0.407216495f},
                                    {0.204081633f, 0.0170068027f, 0.268707483f},
                                    {0.210680272f, 0.00380952381f, 0.288503401f}};
    for (size_t v = 0; v < sizeof vectors / sizeof *vectors; v++) {
        double after[6][3];
        float lam[3];
        project(&vectors[v], after, lam);
        for (int i = 0; i < 15; i++) {
            assert_near(after[i / 3][i % 3], vectors[v].after[i / 3][i % 3], 2e-7);
        }
        for (int axis = 0; axis < 3; axis++) {
            assert_near((double)lam[axis], (double)lams[v][axis], 2e-7);
        }
    }
}

// The fourth vector has a tetrahedron, which is no side here: the edge as it is there, and the three first corners with their
// weights over .9.
static void an_edge_and_a_triangle_meet_in_one_projection(void **state)
{
    (void)state;
    const struct vector vector = {
        .x = {{.1, .4, .5}, {.9, .5, .4}, {.1, .4, .5}, {.1, -.2, .3}, {1.2, .1, 0}, {.2, 1.1, -.1}},
        .w = {1, 1, 1, 1, .5, 2},
        .weights = {.25, .75, 0, .4 / .9, .3 / .9, .2 / .9},
    };
    double after[6][3];
    float lam[3];
    project(&vector, after, lam);
    for (int axis = 0; axis < 3; axis++) {
        double c = 0, before = 0, w = 0;
        for (int k = 0; k < 6; k++) {
            const double weight = k < 3 ? vector.weights[k] : -vector.weights[k];
            c += weight * after[k][axis];
            before += weight * vector.x[k][axis];
            w += weight * weight * vector.w[k];
        }
        assert_near(c, 0, 1e-7);
        assert_near((double)lam[axis], -before / w, 2e-7);
    }
}

// Nine joins of two particles each and one to a triangle. Vectors of several lanes hold them together, and the scalar kernel takes
// each join alone, so both ways to project two particles come to the bits.
static uint64_t hash_of_joins(enum sim_isa isa, uint32_t iterations)
{
    enum { COUNT = 10, SIDE = 6 };
    const double heights[2][3] = {{0, .02, 0}, {.001, 0, .002}};
    struct sim_settings settings = scene_settings();
    uint32_t bodies[SIM_STENCIL_MAX * COUNT], particles[SIM_STENCIL_MAX * COUNT], pair[2], first;
    double weights[SIM_STENCIL_MAX * COUNT] = {0}, compliance[COUNT], rest[COUNT];
    settings.iterations = iterations;
    sim_isa_choose(isa);
    struct sim *sim = scene_create(settings);
    for (uint32_t side = 0; side < 2; side++) {
        struct scene_mesh mesh = scene_grid(SIDE, SIDE, .1, heights[side]);
        const uint32_t pins[2] = {0, SIDE - 1};
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.pins = pins;
        desc.pin_count = side == 0 ? 2 : 0;
        pair[side] = scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool triangle = i + 1 == COUNT;
        for (uint32_t k = 0; k < SIM_STENCIL_MAX; k++) {
            const uint32_t at = SIM_STENCIL_MAX * i + k, corner = k == 4 ? 1 : k == 5 ? SIDE : 0;
            bodies[at] = pair[k / SIM_JOIN_SIDE];
            particles[at] = i + i / 5 * SIDE + (triangle ? corner : 0);
            weights[at] = k == 0 ? 1 : k < SIM_JOIN_SIDE ? 0 : triangle ? (k == 3 ? .5 : .25) : k == 3;
        }
        compliance[i] = i % 3 == 0 ? 0 : 1e-5 * i;
        rest[i] = i % 2 == 0 ? 0 : .015;
    }
    const struct sim_constraint_values values = {.weights = weights, .compliance = compliance, .rest = rest};
    assert_int_equal(sim_constraints_add(sim, SIM_JOIN, COUNT, bodies, particles, &values, &first, &fault),
                     FAULT_NONE);
    scene_run(sim, 20);
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void two_particles_have_the_same_bits_beside_a_triangle(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        const uint64_t alone = hash_of_joins(SIM_ISA_SCALAR, iterations);
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                assert_int_equal(hash_of_joins((enum sim_isa)isa, iterations), alone);
            }
        }
    }
    sim_isa_choose(chosen);
}

// -------------------------------------------------------------------------------------------- worlds of joins

struct pair {
    struct sim *sim;
    uint32_t bodies[2], id;
};

// Two bodies of three points each, and a join between points of them.
static struct pair pair_create(struct sim_settings settings, const double x[6][3], const double masses[6],
                               const double *weights, const struct sim_constraint_values *given)
{
    struct pair pair = {.sim = scene_create(settings)};
    uint32_t bodies[6], particles[6];
    double w[6] = {1, 0, 0, 1, 0, 0};
    struct sim_constraint_values values = *given;
    for (uint32_t side = 0; side < 2; side++) {
        struct sim_body_desc desc = scene_points(x[3 * (size_t)side], 3, masses + 3 * (size_t)side);
        pair.bodies[side] = scene_add(pair.sim, &desc);
    }
    for (uint32_t k = 0; k < 6; k++) {
        w[k] = weights ? weights[k] : w[k];
        bodies[k] = pair.bodies[k / 3];
        particles[k] = w[k] > 0 ? k % 3 : 0;
    }
    values.weights = w;
    assert_int_equal(sim_constraints_add(pair.sim, SIM_JOIN, 1, bodies, particles, &values, &pair.id, &fault),
                     FAULT_NONE);
    return pair;
}

static void places(const struct pair *pair, double x[6][3])
{
    for (uint32_t k = 0; k < 6; k++) {
        scene_position(pair->sim, pair->bodies[k / 3], k % 3, x[k]);
    }
}

static struct sim_constraint join_of(const struct pair *pair)
{
    struct sim_constraint join;
    assert_true(sim_constraint_get(pair->sim, pair->id, &join));
    return join;
}

// A random join moves its particles along the gradient of its C, which finite differences tell: x_i += w_i dlam dC/dx_i.
static void it_moves_along_the_gradient(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int n = 0; n < 60; n++) {
        struct sim_settings settings = scene_still(60);
        double x[6][3], masses[6], weights[6], after[6][3],
            rest = n % 2 == 0 ? 0 : 0.3 + scene_uniform(&seed);
        for (int k = 0; k < 6; k++) {
            masses[k] = 0.5 + scene_uniform(&seed);
            for (int axis = 0; axis < 3; axis++) {
                x[k][axis] = floor((scene_uniform(&seed) + (k < 3 ? 0 : 1)) / SCENE_Q) * SCENE_Q;
            }
        }
        for (int side = 0; side < 2; side++) {
            const double a = scene_uniform(&seed) / 2, b = scene_uniform(&seed) / 2;
            const double own[3] = {1 - a - b, a, b};
            memcpy(weights + 3 * side, own, sizeof own);
        }
        const double compliance = n % 3 == 0 ? 0 : 1e-3;
        const struct sim_constraint_values values = {.rest = &rest, .compliance = &compliance};
        struct pair pair = pair_create(settings, (const double(*)[3])x, masses, weights, &values);
        scene_run(pair.sim, 1);
        places(&pair, after);
        // C = |c| - rest, and for rest 0 its length has the same direction: one step of Newton's, scaled by alpha~.
        double gradient[6][3], w = 0, c0 = 0;
        for (int i = -1; i < 18; i++) {
            const double step = 1e-6;
            double value[2];
            for (int s = 0; s < 2; s++) {
                double l2 = 0;
                for (int axis = 0; axis < 3; axis++) {
                    double c = 0;
                    for (int k = 0; k < 6; k++) {
                        const double moved =
                            i >= 0 && k == i / 3 && axis == i % 3 ? (s == 0 ? step : -step) : 0;
                        c += (k < 3 ? weights[k] : -weights[k]) * (x[k][axis] + moved);
                    }
                    l2 += c * c;
                }
                value[s] = sqrt(l2) - rest;
            }
            if (i < 0) {
                c0 = value[0];
            } else {
                gradient[i / 3][i % 3] = (value[0] - value[1]) / (2 * step);
                w += gradient[i / 3][i % 3] * gradient[i / 3][i % 3] / masses[i / 3];
            }
        }
        const double lam = -c0 / (w + compliance * 3600);
        for (int i = 0; i < 18; i++) {
            assert_near(after[i / 3][i % 3] - x[i / 3][i % 3], lam * gradient[i / 3][i % 3] / masses[i / 3],
                        3e-7);
        }
        sim_destroy(pair.sim);
    }
}

// Two free falling triangles that a soft, damped join holds: their common centre of mass stays on the scheme's own parabola,
// and the angular momentum about it stays. Corners are rounded one by one, which is a walk of a few quanta in a substep.
static void momenta_are_kept(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    const double x[6][3] = {{0, 5, 0}, {.5, 5, .1}, {.1, 5.4, 0}, {.3, 4, .2}, {.9, 4.1, .2}, {.4, 4.2, .8}};
    const double masses[6] = {1, 1, 1, 1, 1, 1}, weights[6] = {.25, .25, .5, .5, .5, 0};
    const double rest = 0, compliance = 1e-3, damping = 2;
    const struct sim_constraint_values values = {
        .rest = &rest, .compliance = &compliance, .damping = &damping};
    for (int length = 0; length < 2; length++) {
        const double long_rest = 0.4;
        struct sim_constraint_values given = values;
        given.rest = length ? &long_rest : &rest;
        struct pair pair = pair_create(settings, x, masses, weights, &given);
        double begun[3] = {0}, before[3] = {0}, after[3] = {0}, centre[3] = {0}, now[6][3];
        for (int k = 0; k < 6; k++) {
            for (int axis = 0; axis < 3; axis++) {
                begun[axis] += x[k][axis] / 6;
            }
        }
        for (int pass = 0; pass < 2; pass++) {
            double *sum = pass == 0 ? before : after;
            scene_run(pair.sim, pass == 0 ? 1 : 59);
            places(&pair, now);
            memset(centre, 0, sizeof centre);
            double mean[3] = {0};
            float v[6][3];
            for (int k = 0; k < 6; k++) {
                scene_velocity(pair.sim, pair.bodies[k / 3], (uint32_t)k % 3, v[k]);
                for (int axis = 0; axis < 3; axis++) {
                    centre[axis] += now[k][axis] / 6;
                    mean[axis] += (double)v[k][axis] / 6;
                }
            }
            for (int k = 0; k < 6; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
                    sum[axis] += (now[k][b] - centre[b]) * ((double)v[k][c] - mean[c]) -
                                 (now[k][c] - centre[c]) * ((double)v[k][b] - mean[b]);
                }
            }
        }
        const double h = 1.0 / 600, fallen = 9.81 * h * h * 600 * 601 / 2;
        assert_near(centre[0], begun[0], 1e-4);
        assert_near(centre[1], begun[1] - fallen, 1e-4);
        assert_near(centre[2], begun[2], 1e-4);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(after[axis], before[axis], 2e-3);
        }
        sim_destroy(pair.sim);
    }
}

// A mass hangs from a static point: alpha m g below it with rest 0, and rest + alpha m g with a length. The force is m g.
static void what_hangs_is_as_far_as_its_spring_says(void **state)
{
    (void)state;
    for (int length = 0; length < 2; length++) {
        struct sim_settings settings = scene_settings();
        const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, -.5, 0}, {1, 3, 0}, {2, 3, 0}};
        const double masses[6] = {0, 0, 0, 2, 0, 0}, rest = length ? 0.4 : 0, compliance = 1e-3,
                     damping = 200;
        const struct sim_constraint_values values = {
            .rest = &rest, .compliance = &compliance, .damping = &damping};
        struct pair pair = pair_create(settings, x, masses, NULL, &values);
        double at[3];
        bool hold;
        scene_run(pair.sim, 600);
        scene_position(pair.sim, pair.bodies[1], 0, at);
        assert_near(at[1], -(rest + 1e-3 * 2 * 9.81), 1e-5);
        assert_int_equal(sim_multipliers_find(pair.sim, &hold, &fault), FAULT_NONE);
        struct sim_constraint join = join_of(&pair);
        const double *lam = join.multiplier;
        assert_near(sqrt(lam[0] * lam[0] + lam[1] * lam[1] + lam[2] * lam[2]) * 600 * 600, 2 * 9.81, 0.02);
        sim_multipliers_drop(pair.sim);
        struct sim_measures measures;
        sim_measure(pair.sim, &measures);
        assert_near(measures.elastic[SIM_JOIN], 0.5 * 1e-3 * (2 * 9.81) * (2 * 9.81), 2e-3);
        sim_destroy(pair.sim);
    }
}

// ----------------------------------------------------------------------------------------------- parting

static struct pair hung(double limit)
{
    const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {1, 3, 0}, {2, 3, 0}};
    const double masses[6] = {0, 0, 0, 1, 0, 0}, rest = 0;
    const struct sim_constraint_values values = {.rest = &rest, .force_limit = &limit};
    return pair_create(scene_settings(), x, masses, NULL, &values);
}

// 1 kg weighs 9.81 N.
static void it_parts_above_its_limit_alone(void **state)
{
    (void)state;
    struct pair held = hung(9.9), parts = hung(9.7), free_of = hung(0);
    double at[3];
    scene_run(held.sim, 60);
    scene_run(free_of.sim, 60);
    scene_run(parts.sim, 60);
    assert_false(join_of(&held).parted);
    assert_false(join_of(&free_of).parted);
    assert_true(join_of(&parts).parted);
    scene_position(held.sim, held.bodies[1], 0, at);
    assert_near(at[1], 0, 1e-4);
    scene_position(parts.sim, parts.bodies[1], 0, at);
    assert_true(at[1] < -4);
    const struct sim_constraint_values mend = {.mend = true};
    assert_int_equal(sim_constraints_set(parts.sim, &parts.id, 1, &mend, &fault), FAULT_NONE);
    assert_false(join_of(&parts).parted);
    sim_destroy(held.sim);
    sim_destroy(parts.sim);
    sim_destroy(free_of.sim);
}

// Caught in its fall the mass gives m v/h in one substep, 600 times m v, and m v/T over a tick, 60 times.
static void a_snatch_counts_over_the_tick(void **state)
{
    (void)state;
    for (int parts = 0; parts < 2; parts++) {
        struct pair pair = hung(parts ? 59 : 75);
        const float v[3] = {0, -1, 0};
        const uint32_t particle = 0;
        assert_int_equal(sim_particles_set(pair.sim, pair.bodies[1], &particle, 1, NULL, v, NULL, &fault),
                         FAULT_NONE);
        scene_run(pair.sim, 1);
        assert_int_equal(join_of(&pair).parted, parts);
        sim_destroy(pair.sim);
    }
}

// A join that has parted lets its ends go as far as they like.
static void what_has_parted_never_fails_the_world(void **state)
{
    (void)state;
    struct pair pair = hung(1);
    double at[3];
    scene_run(pair.sim, 180);
    scene_position(pair.sim, pair.bodies[1], 0, at);
    assert_true(at[1] < -30);
    sim_destroy(pair.sim);
}

// ------------------------------------------------------------------------------------------------ sewing

static void a_rest_length_shrinks_evenly_and_stays(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.sleep = true;
    const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, -1, 0}, {1, 3, 0}, {2, 3, 0}};
    const double masses[6] = {0, 0, 0, 1, 0, 0}, end = 0.25, seconds = 2;
    const struct sim_constraint_values values = {.rest_end = &end, .seconds = &seconds};
    struct pair pair = pair_create(settings, x, masses, NULL, &values);
    double at[3];
    float v[3];
    assert_near(join_of(&pair).rest, 1, 1e-7);
    assert_near(join_of(&pair).seconds, 2, 1e-6);
    for (int tick = 1; tick <= 120; tick++) {
        scene_run(pair.sim, 1);
        scene_position(pair.sim, pair.bodies[1], 0, at);
        assert_near(join_of(&pair).rest, 1 - 0.75 * tick / 120, 1e-6);
        assert_near(at[1], -(1 - 0.75 * tick / 120), 1e-5);
        scene_velocity(pair.sim, pair.bodies[1], 0, v);
        assert_near((double)v[1], 0.375, 2e-2); // in every substep, and not once a tick
    }
    assert_true(join_of(&pair).rest == 0.25 && join_of(&pair).seconds == 0);
    sim_destroy(pair.sim);
}

// A slow change of a body at rest: it would sleep if nothing changed.
static void what_is_sewn_does_not_sleep(void **state)
{
    (void)state;
    for (int sews = 0; sews < 2; sews++) {
        struct sim_settings settings = scene_settings();
        settings.sleep = true;
        const double x[6][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, -1, 0}, {1, 3, 0}, {2, 3, 0}};
        const double masses[6] = {0, 0, 0, 1, 0, 0}, rest = 1, end = 0.9999, seconds = 60;
        struct sim_constraint_values values = {.rest = &rest};
        values.rest_end = sews ? &end : NULL;
        values.seconds = sews ? &seconds : NULL;
        settings.damping = 5;
        struct pair pair = pair_create(settings, x, masses, NULL, &values);
        struct sim_body_info info;
        scene_run(pair.sim, 600);
        assert_true(sim_body_info(pair.sim, pair.bodies[1], &info));
        assert_int_equal(info.asleep, !sews);
        sim_destroy(pair.sim);
    }
}

// ------------------------------------------------------------------------------------- images, stills, refusals

static struct pair busy(void)
{
    struct sim_settings settings = scene_settings();
    const double x[6][3] = {{0, 0, 0}, {.5, 0, .1}, {.1, .4, 0}, {.3, -1, .2}, {.9, -.9, .2}, {.4, -.8, .8}};
    const double masses[6] = {0, 0, 0, 1, 2, 1.5}, weights[6] = {.25, .25, .5, .5, .5, 0};
    const double end = 0.1, seconds = 1, compliance = 1e-4, damping = 0.5, limit = 1e6;
    const struct sim_constraint_values values = {.rest_end = &end,
                                                 .seconds = &seconds,
                                                 .compliance = &compliance,
                                                 .damping = &damping,
                                                 .force_limit = &limit};
    return pair_create(settings, x, masses, weights, &values);
}

static void an_image_has_the_same_future(void **state)
{
    (void)state;
    struct pair pair = busy();
    scene_run(pair.sim, 20);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(pair.sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    assert_true(sim_hash(again) == sim_hash(pair.sim));
    scene_run(again, 60);
    scene_run(pair.sim, 60);
    assert_true(sim_hash(again) == sim_hash(pair.sim));
    sim_destroy(again);
    sim_image_deinit(&image);
    sim_destroy(pair.sim);
}

static void an_image_with_a_wrong_shape_is_refused(void **state)
{
    (void)state;
    static const struct {
        uint32_t at;
        float value;
    } wrong[] = {{0, -0.5f}, {0, 1.5f}, {1, 0.9f}, {3, 0.5f}, {4, -1}, {5, 0.5f}, {5, 1e9f}, {6, -1}, {7, 2}};
    struct pair pair = busy();
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(pair.sim, &image));
    float shapes[8];
    memcpy(shapes, image.batches[0].shapes, sizeof shapes);
    struct sim_image_constraints batch = image.batches[0];
    batch.shapes = shapes;
    image.batches = &batch;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const float kept = shapes[wrong[i].at];
        shapes[wrong[i].at] = wrong[i].value;
        assert_null(sim_image_make(&image, &scene_limits, &place, &fault));
        assert_string_equal(fault.field, "shapes");
        shapes[wrong[i].at] = kept;
    }
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    sim_destroy(again);
    sim_image_deinit(&image);
    sim_destroy(pair.sim);
}

// Taken before it is removed and put back after it: the same hash and the same future. So is one that is changed.
static void it_comes_back_as_it_was(void **state)
{
    (void)state;
    for (int changed = 0; changed < 2; changed++) {
        struct pair pair = busy(), other = busy();
        const double rest = 2;
        const struct sim_constraint_values values = {.rest = &rest};
        struct sim_next_ids next;
        struct sim_image image;
        scene_run(pair.sim, 20);
        scene_run(other.sim, 20);
        sim_next_ids(pair.sim, &next);
        const struct sim_parts parts = {.constraints = &pair.id, .constraint_count = 1, .going = !changed};
        assert_true(sim_image_take_parts(pair.sim, &parts, &image));
        assert_int_equal(changed ? sim_constraints_set(pair.sim, &pair.id, 1, &values, &fault)
                                 : sim_constraints_remove(pair.sim, &pair.id, 1, &fault),
                         FAULT_NONE);
        assert_true(sim_hash(pair.sim) != sim_hash(other.sim));
        assert_int_equal(sim_loose_restore(pair.sim, &image.batches[0], &fault), FAULT_NONE);
        assert_int_equal(sim_next_ids_set(pair.sim, &next, &fault), FAULT_NONE);
        assert_true(sim_hash(pair.sim) == sim_hash(other.sim));
        scene_run(pair.sim, 60);
        scene_run(other.sim, 60);
        assert_true(sim_hash(pair.sim) == sim_hash(other.sim));
        sim_image_deinit(&image);
        sim_destroy(pair.sim);
        sim_destroy(other.sim);
    }
}

// Ticks sew and part while a still is read: what it has is the boundary, and going back goes back in joins as well.
static void a_still_keeps_joins_as_they_were(void **state)
{
    (void)state;
    struct pair pair = busy();
    scene_run(pair.sim, 5);
    const double limit = 0.01;
    const struct sim_constraint_values values = {.force_limit = &limit};
    assert_int_equal(sim_constraints_set(pair.sim, &pair.id, 1, &values, &fault), FAULT_NONE);
    const uint64_t before = sim_hash(pair.sim);
    struct sim_still *still = sim_still_create(pair.sim);
    assert_non_null(still);
    sim_still_begin(still, pair.sim);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    scene_run(pair.sim, 3);
    const uint64_t after = sim_hash(pair.sim);
    assert_true(join_of(&pair).parted);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    sim_still_give_back(still, pair.sim);
    assert_false(join_of(&pair).parted);
    assert_true(sim_hash(pair.sim) == before);
    scene_run(pair.sim, 3);
    assert_true(sim_hash(pair.sim) == after);
    sim_still_destroy(still);
    sim_destroy(pair.sim);
}

static void every_isa_comes_to_the_same_hash(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    uint64_t first = 0;
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            sim_isa_choose((enum sim_isa)isa);
            struct pair pair = busy();
            scene_run(pair.sim, 90);
            const uint64_t hash = sim_hash(pair.sim);
            first = first == 0 ? hash : first;
            assert_true(hash == first);
            sim_destroy(pair.sim);
        }
    }
    sim_isa_choose(chosen);
}

static void wrong_joins_are_refused(void **state)
{
    (void)state;
    struct pair pair = busy();
    const uint64_t before = sim_hash(pair.sim);
    const uint32_t b = pair.bodies[0], o = pair.bodies[1];
    const uint32_t bodies[6] = {b, b, b, o, o, o}, one_body[6] = {b, b, b, b, b, b};
    const uint32_t right[6] = {0, 1, 2, 0, 1, 2}, repeats[6] = {0, 0, 0, 0, 0, 0},
                   third[6] = {0, 1, 1, 0, 1, 2};
    const double even[6] = {.5, .25, .25, .5, .25, .25}, sum[6] = {.5, .25, .2, .5, .25, .25};
    const double below[6] = {1.25, -.25, 0, 1, 0, 0}, negative = -1, zero = 0, half = .5, nan = NAN;
    uint32_t id;
    const struct {
        const uint32_t *bodies, *particles;
        struct sim_constraint_values values;
        const char *field;
    } wrong[] = {
        {bodies, right, {.weights = sum}, "weights"},
        {bodies, right, {.weights = below}, "weights"},
        {bodies, repeats, {.weights = even}, "particles"},
        {bodies, third, {.weights = even}, "particles"},
        {one_body, right, {.weights = even}, "particles"},
        {bodies, right, {.weights = even, .rest = &negative}, "rest"},
        {bodies, right, {.weights = even, .rest_end = &zero}, "rest_end"},
        {bodies, right, {.weights = even, .seconds = &half}, "seconds"},
        {bodies, right, {.weights = even, .seconds = &zero, .rest_end = &zero}, "seconds"},
        {bodies, right, {.weights = even, .seconds = &nan, .rest_end = &zero}, "seconds"},
        {bodies, right, {.weights = even, .seconds = &half, .rest_end = &negative}, "rest_end"},
        {bodies, right, {.weights = even, .force_limit = &negative}, "force_limit"},
        {bodies, right, {.weights = even, .force_limit = &nan}, "force_limit"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_not_equal(sim_constraints_add(pair.sim, SIM_JOIN, 1, wrong[i].bodies, wrong[i].particles,
                                                 &wrong[i].values, &id, &fault),
                             FAULT_NONE);
        assert_string_equal(fault.field, wrong[i].field);
    }
    const struct sim_constraint_values limited = {.force_limit = &half};
    assert_int_not_equal(sim_constraints_add(pair.sim, SIM_DISTANCE, 1, bodies, right, &limited, &id, &fault),
                         FAULT_NONE);
    assert_string_equal(fault.field, "force_limit");
    assert_true(sim_hash(pair.sim) == before);
    sim_destroy(pair.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_vector_is_reached),
        cmocka_unit_test(two_particles_have_the_same_bits_beside_a_triangle),
        cmocka_unit_test(an_edge_and_a_triangle_meet_in_one_projection),
        cmocka_unit_test(it_moves_along_the_gradient),
        cmocka_unit_test(momenta_are_kept),
        cmocka_unit_test(what_hangs_is_as_far_as_its_spring_says),
        cmocka_unit_test(it_parts_above_its_limit_alone),
        cmocka_unit_test(a_snatch_counts_over_the_tick),
        cmocka_unit_test(what_has_parted_never_fails_the_world),
        cmocka_unit_test(a_rest_length_shrinks_evenly_and_stays),
        cmocka_unit_test(what_is_sewn_does_not_sleep),
        cmocka_unit_test(an_image_has_the_same_future),
        cmocka_unit_test(an_image_with_a_wrong_shape_is_refused),
        cmocka_unit_test(it_comes_back_as_it_was),
        cmocka_unit_test(a_still_keeps_joins_as_they_were),
        cmocka_unit_test(every_isa_comes_to_the_same_hash),
        cmocka_unit_test(wrong_joins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
