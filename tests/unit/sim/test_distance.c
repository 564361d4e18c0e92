// Distance constraints by worked vectors: in double for the equations, and through sim.h for the solver.
#include "helper_scene.h"
#include "helper_twin.h"
#include "sim/store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Positions and multiplier after `iterations` projections of one distance; length error before and after.
struct vector {
    const char *name;
    double x[2][3], previous[2][3], w[2], rest, compliance, damping, stiffness;
    uint32_t rate, iterations; // h = 1/rate
    double after[2][3], lambda, before_c, after_c;
};

#define B_INPUT     \
    {               \
        {0, 0, 0},  \
        {           \
            3, 0, 4 \
        }           \
    }

static const struct vector vectors[] = {
    {"D1",
     {{2, 2, 0}, {-2, -2, 0}},
     {{2, 2, 0}, {-2, -2, 0}},
     {1, 1},
     1,
     0,
     0,
     -1,
     60,
     1,
     {{0.35355339059327373, 0.35355339059327373, 0}, {-0.35355339059327373, -0.35355339059327373, 0}},
     -2.32842712474619,
     4.65685424949238,
     0},
    {"D2", B_INPUT, B_INPUT, {1, 3}, 2, 0, 0, -1, 60, 1, {{0.45, 0, 0.6}, {1.65, 0, 2.2}}, -0.75, 3, 0},
    {"D3, one iteration",
     B_INPUT,
     B_INPUT,
     {1, 3},
     2,
     0.01,
     0,
     -1,
     10,
     1,
     {{0.36, 0, 0.48}, {1.92, 0, 2.56}},
     -0.6,
     3,
     0.6},
    {"D3, two iterations",
     B_INPUT,
     B_INPUT,
     {1, 3},
     2,
     0.01,
     0,
     -1,
     10,
     2,
     {{0.36, 0, 0.48}, {1.92, 0, 2.56}},
     -0.6,
     3,
     0.6},
    {"D4", B_INPUT, B_INPUT, {0, 3}, 2, 0.01, 0, -1, 10, 1, {{0, 0, 0}, {1.65, 0, 2.2}}, -0.75, 3, 0.75},
    {"D5",
     B_INPUT,
     {{0, 0, 0}, {2.5, 0, 4}},
     {1, 3},
     2,
     0.01,
     5,
     -1,
     10,
     1,
     {{0.36, 0, 0.48}, {1.92, 0, 2.56}}, // damping acts on velocities: as undamped
     -0.6,
     3,
     0.6},
    {"D6",
     {{0, 0, 0}, {0.5, 0, 0}},
     {{0, 0, 0}, {0.5, 0, 0}},
     {2, 0.5},
     2,
     0.001,
     0,
     -1,
     60,
     1,
     {{-0.49180327868852458, 0, 0}, {0.62295081967213117, 0, 0}},
     0.24590163934426229,
     -1.5,
     -0.88524590163934425},
    {"P, n = 1",
     B_INPUT,
     B_INPUT,
     {1, 3},
     2,
     0,
     0,
     0.5,
     60,
     1,
     {{0.225, 0, 0.3}, {2.325, 0, 3.1}},
     -0.375,
     3,
     1.5},
    {"P, n = 4",
     B_INPUT,
     B_INPUT,
     {1, 3},
     2,
     0,
     0,
     0.5,
     60,
     4,
     {{0.225, 0, 0.3}, {2.325, 0, 3.1}},
     -0.375,
     3,
     1.5},
};
enum { VECTORS = sizeof vectors / sizeof vectors[0] };

static void the_double_twin_gives_the_vectors_to_1e_12(void **state)
{
    (void)state;
    for (int i = 0; i < VECTORS; i++) {
        const struct vector *vector = &vectors[i];
        struct twin twin = {.h = 1.0 / vector->rate, .iterations = vector->iterations, .particle_count = 2};
        struct twin_distance *d = &twin.distances[0];
        *d = (struct twin_distance){
            0, 1, vector->rest, vector->compliance, vector->damping, vector->stiffness, 0};
        for (int p = 0; p < 2; p++) {
            twin.w[p] = vector->w[p];
            for (int axis = 0; axis < 3; axis++) {
                twin.x[p][axis] = vector->x[p][axis];
                twin.previous[p][axis] = vector->previous[p][axis];
            }
        }
        assert_near(twin_length(&twin, d) - d->rest, vector->before_c, 1e-12);
        for (uint32_t n = 0; n < vector->iterations; n++) {
            twin_project(&twin, d);
        }
        for (int k = 0; k < 6; k++) {
            assert_near(twin.x[k / 3][k % 3], vector->after[k / 3][k % 3], 1e-12);
        }
        assert_near(d->lambda, vector->lambda, 1e-12);
        assert_near(twin_length(&twin, d) - d->rest, vector->after_c, 1e-12);
    }
}

// The vector as a world of one rope: it starts at `previous` with velocities that carry it to x.
static void run_vector(const struct vector *vector, const double shift[3], double after[2][3], double *lambda)
{
    struct sim_settings settings = scene_still(vector->rate);
    settings.iterations = vector->iterations;
    struct sim *sim = scene_create(settings);
    double start[6], masses[2];
    float velocities[6];
    for (int k = 0; k < 6; k++) {
        start[k] = vector->previous[k / 3][k % 3] + shift[k % 3];
        velocities[k] = (float)((vector->x[k / 3][k % 3] - vector->previous[k / 3][k % 3]) * vector->rate);
    }
    for (int p = 0; p < 2; p++) {
        masses[p] = vector->w[p] > 0 ? 1 / vector->w[p] : 0;
    }
    const uint32_t edge[2] = {0, 1};
    struct sim_body_desc desc = scene_rope(start, 2, edge, 1, masses);
    desc.velocities = velocities;
    desc.stretch = (struct sim_material){
        .compliance = vector->compliance, .damping = vector->damping, .stiffness = vector->stiffness};
    struct sim_body_added added = scene_add_all(sim, &desc);
    assert_int_equal(added.constraint_count[SIM_DISTANCE], 1);
    struct fault fault;
    uint32_t id = added.constraint_first[SIM_DISTANCE];
    assert_int_equal(
        sim_constraints_set(sim, &id, 1, &(struct sim_constraint_values){.rest = &vector->rest}, &fault),
        FAULT_NONE);
    assert_int_equal(sim_multipliers_keep(sim, true, &fault), FAULT_NONE);
    scene_run(sim, 1);
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(sim, id, &constraint));
    *lambda = constraint.multiplier[0];
    for (uint32_t p = 0; p < 2; p++) {
        scene_position(sim, added.body, p, after[p]);
        for (int axis = 0; axis < 3; axis++) {
            after[p][axis] -= shift[axis];
        }
    }
    sim_destroy(sim);
}

static void the_solver_gives_the_vectors_to_2e_6(void **state)
{
    (void)state;
    const double nowhere[3] = {0, 0, 0};
    for (int i = 0; i < VECTORS; i++) {
        double after[2][3], lambda;
        run_vector(&vectors[i], nowhere, after, &lambda);
        for (int k = 0; k < 6; k++) {
            assert_near(after[k / 3][k % 3], vectors[i].after[k / 3][k % 3],
                        2e-6 * fabs(vectors[i].after[k / 3][k % 3]) + 2 * SCENE_Q);
        }
        // A body's first particle may be either end of the constraint; the sign of lambda is the same.
        assert_near(lambda, vectors[i].lambda, 2e-6 * fabs(vectors[i].lambda));
    }
}

static void the_vectors_hold_far_from_the_origin(void **state)
{
    (void)state;
    const double shift[3] = {1000, -512, 65536};
    for (int i = 0; i < VECTORS; i++) {
        double near[2][3], far[2][3], lambda, far_lambda;
        const double nowhere[3] = {0, 0, 0};
        run_vector(&vectors[i], nowhere, near, &lambda);
        run_vector(&vectors[i], shift, far, &far_lambda);
        // The rest shape is rounded in double at the far place: at most one quantum.
        for (int k = 0; k < 6; k++) {
            assert_near(far[k / 3][k % 3], near[k / 3][k % 3], 2 * SCENE_Q);
        }
        assert_near(far_lambda, lambda, 1e-6);
    }
}

static void two_particles_drawn_to_length_1_as_in_the_seeds_worked_example(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    const double positions[6] = {2, 2, 0, -2, -2, 0}, masses[2] = {1, 1};
    struct sim_body_desc desc = scene_points(positions, 2, masses);
    uint32_t body = scene_add(sim, &desc);
    scene_link(sim, body, 0, 1, 1, 0, 0);
    scene_run(sim, 1);
    double x[6];
    sim_body_positions64(sim, body, 0, 2, x);
    const double expected[6] = {0.3535533906, 0.3535533906, 0, -0.3535533906, -0.3535533906, 0};
    for (int k = 0; k < 6; k++) {
        assert_near(x[k], expected[k], 1e-6);
    }
    struct sim_measures measures;
    sim_measure(sim, &measures);
    assert_near(measures.error_max[SIM_DISTANCE], 0, 1e-6);
    sim_destroy(sim);
}

static void multipliers_are_found_again_and_dropped(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    const double positions[6] = {0, 0, 0, 3, 0, 4}, masses[2] = {1, 1}, compliance = 1;
    struct sim_body_desc desc = scene_points(positions, 2, masses);
    uint32_t body = scene_add(sim, &desc), id = scene_link(sim, body, 0, 1, 2, 0, 0);
    struct sim_constraint constraint;
    struct fault fault;
    bool hold = true;
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_false(hold); // no tick yet
    scene_run(sim, 1);
    for (int i = 0; i < 2; i++) { // as often as one likes
        assert_true(sim_constraint_get(sim, id, &constraint));
        assert_true(constraint.multiplier[0] == 0);
        uint64_t hash = sim_hash(sim);
        assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
        assert_true(hold && sim_hash(sim) == hash);
        assert_true(sim_constraint_get(sim, id, &constraint));
        assert_near(constraint.multiplier[0], -1.5, 3e-6);
        sim_multipliers_drop(sim);
        assert_false(sim->stores[SIM_DISTANCE].keeps);
    }
    // Bodies that come, and particles that are placed, do not change what was.
    scene_add(sim, &desc);
    const uint32_t particle = 0;
    assert_int_equal(sim_particles_set(sim, body, &particle, 1, (double[]){5, 5, 5}, NULL, NULL, &fault),
                     FAULT_NONE);
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_true(hold && sim_constraint_get(sim, id, &constraint));
    assert_near(constraint.multiplier[0], -1.5, 3e-6);
    sim_multipliers_drop(sim);
    const struct sim_constraint_values values = {.compliance = &compliance};
    assert_int_equal(sim_constraints_set(sim, &id, 1, &values, &fault), FAULT_NONE);
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_false(hold);
    sim_multipliers_drop(sim);
    sim_destroy(sim);
}

// With all flavours and kinds, threads or none: to the bit what a sim that keeps them has.
static void multipliers_found_again_are_those_that_were_kept(void **state)
{
    (void)state;
    struct sim *sims[2];
    struct fault fault;
    bool hold;
    for (int keep = 0; keep < 2; keep++) {
        struct sim *sim = sims[keep] = scene_create(scene_settings());
        struct scene_mesh mesh = scene_grid(40, 40, 0.1, (const double[]){0, 1, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[2] = {0, 39};
        desc.stretch.compliance = 1e-5;
        desc.stretch.damping = 10;
        desc.bend_model = SIM_BEND_QUADRATIC;
        desc.bend.stiffness = 0.1;
        desc.pins = pins;
        desc.pin_count = 2;
        uint32_t body = scene_add(sim, &desc);
        scene_link(sim, body, 3, 700, 1.5, 1e-3, 1);
        scene_plane(sim, (const double[]){0, 0.9, 0}, (const double[]){0, 1, 0}, 0.5);
        scene_mesh_deinit(&mesh);
        assert_int_equal(sim_multipliers_keep(sim, keep, &fault), FAULT_NONE);
        scene_run(sim, 20);
    }
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    assert_int_equal(sim_multipliers_find(sims[0], &hold, &fault), FAULT_NONE);
    assert_true(hold);
    for (int kind = 0; kind < SIM_KIND_COUNT; kind++) {
        struct sim_constraint a, b;
        for (uint32_t after = 0; sim_constraint_next(sims[0], (enum sim_kind)kind, after, &a); after = a.id) {
            assert_true(sim_constraint_get(sims[1], a.id, &b));
            assert_memory_equal(a.multiplier, b.multiplier, sizeof a.multiplier);
        }
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

static void kept_multipliers_change_no_bit_of_the_state(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int keep = 0; keep < 2; keep++) {
        struct sim *sim = scene_create(scene_settings());
        const double origin[3] = {0, 1, 0};
        struct scene_mesh mesh = scene_grid(12, 12, 0.1, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.stretch.compliance = 1e-5;
        const uint32_t pins[2] = {0, 11};
        desc.pins = pins;
        desc.pin_count = 2;
        scene_add(sim, &desc);
        struct fault fault;
        assert_int_equal(sim_multipliers_keep(sim, keep, &fault), FAULT_NONE);
        scene_run(sim, 20);
        hashes[keep] = sim_hash(sim);
        scene_mesh_deinit(&mesh);
        sim_destroy(sim);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void stiffness_of_an_iteration_is_the_nth_root_of_what_is_left(void **state)
{
    (void)state;
    assert_near(sim_stiffness_of_iteration(0.5, 4), 0.1591035847462855, 1e-15);
    const double stiffnesses[] = {0, 1e-9, 0.001, 0.1, 0.5, 0.9, 0.999, 0.999999, 1};
    const uint32_t counts[] = {1, 2, 3, 4, 7, 10, 64, 333, 1000};
    for (size_t k = 0; k < sizeof stiffnesses / sizeof stiffnesses[0]; k++) {
        for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++) {
            double expected = 1 - pow(1 - stiffnesses[k], 1.0 / counts[n]);
            assert_near(sim_stiffness_of_iteration(stiffnesses[k], counts[n]), expected, 1e-14);
        }
    }
    assert_true(sim_stiffness_of_iteration(1, 1000) == 1);
    assert_true(sim_stiffness_of_iteration(0, 1000) == 0);
}

static void stiffness_follows_a_change_of_iterations(void **state)
{
    (void)state;
    struct sim_settings settings = scene_still(60);
    struct sim *sim = scene_create(settings);
    const double positions[6] = {0, 0, 0, 3, 0, 4}, masses[2] = {1, 1}, rest = 2;
    const uint32_t edge[2] = {0, 1};
    struct sim_body_desc desc = scene_rope(positions, 2, edge, 1, masses);
    desc.stretch.stiffness = 0.5;
    struct sim_body_added added = scene_add_all(sim, &desc);
    struct fault fault;
    assert_int_equal(sim_constraints_set(sim, &added.constraint_first[0], 1,
                                         &(struct sim_constraint_values){.rest = &rest}, &fault),
                     FAULT_NONE);
    for (uint32_t n = 1; n <= 8; n++) {
        settings.iterations = n;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        sim_reset(sim);
        scene_run(sim, 1);
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_near(measures.error_max[SIM_DISTANCE], 1.5 / 2, 4e-6);
    }
    sim_destroy(sim);
}

static void a_random_net_follows_the_twin(void **state)
{
    (void)state;
    // Eight particles and all colours: loose constraints are solved by colour, then by id.
    uint64_t seed = 7;
    for (uint32_t iterations = 1; iterations <= 3; iterations++) {
        struct sim_settings settings = scene_still(60);
        settings.iterations = iterations;
        settings.gravity[1] = -9.81;
        struct sim *sim = scene_create(settings);
        struct twin twin = {
            .h = 1.0 / 60, .gravity = {0, -9.81, 0}, .iterations = iterations, .particle_count = 8};
        double positions[24], masses[8];
        for (uint32_t p = 0; p < 8; p++) {
            masses[p] = p == 0 ? 0 : 0.1 + scene_uniform(&seed);
            twin.w[p] = p == 0 ? 0 : 1 / masses[p];
            for (int axis = 0; axis < 3; axis++) {
                twin.x[p][axis] = positions[3 * p + axis] =
                    (double)sim_quantize(scene_uniform(&seed), 1 / SCENE_Q) * SCENE_Q;
            }
        }
        struct sim_body_desc desc = scene_points(positions, 8, masses);
        uint32_t body = scene_add(sim, &desc), first = 0;
        for (uint32_t a = 0; a < 8; a++) {
            for (uint32_t b = a + 1; b < 8; b += 2) {
                struct twin_distance d = {a,  b, 0.2 + scene_uniform(&seed), 1e-4 * (a % 3), 10.0 * (b % 2),
                                          -1, 0};
                uint32_t id = scene_link(sim, body, a, b, d.rest, d.compliance, d.damping);
                first = first == 0 ? id : first;
                twin.distances[twin.distance_count++] = d;
            }
        }
        struct twin_distance sorted[TWIN_DISTANCES];
        uint32_t found = 0;
        for (uint16_t color = 0; found < twin.distance_count; color++) {
            for (uint32_t i = 0; i < twin.distance_count; i++) {
                struct sim_constraint constraint;
                assert_true(sim_constraint_get(sim, first + i, &constraint));
                if (constraint.color == color) {
                    sorted[found++] = twin.distances[i];
                }
            }
        }
        for (uint32_t i = 0; i < found; i++) {
            twin.distances[i] = sorted[i];
        }
        for (int step = 0; step < 3; step++) { // longer, and such a knot amplifies any rounding
            twin_substep(&twin);
            scene_run(sim, 1);
        }
        for (uint32_t p = 0; p < 8; p++) {
            double x[3];
            scene_position(sim, body, p, x);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(x[axis], twin.x[p][axis], 2e-6);
            }
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_double_twin_gives_the_vectors_to_1e_12),
        cmocka_unit_test(the_solver_gives_the_vectors_to_2e_6),
        cmocka_unit_test(the_vectors_hold_far_from_the_origin),
        cmocka_unit_test(two_particles_drawn_to_length_1_as_in_the_seeds_worked_example),
        cmocka_unit_test(multipliers_are_found_again_and_dropped),
        cmocka_unit_test(multipliers_found_again_are_those_that_were_kept),
        cmocka_unit_test(kept_multipliers_change_no_bit_of_the_state),
        cmocka_unit_test(stiffness_of_an_iteration_is_the_nth_root_of_what_is_left),
        cmocka_unit_test(stiffness_follows_a_change_of_iterations),
        cmocka_unit_test(a_random_net_follows_the_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
