// Solids of stable Neo-Hookean tetrahedra: against a solver in double of its own, closed forms, and a static equilibrium.
#include "helper_solid.h"

#include "sim/state/kind.h"
#include "sim/state/solid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------------- vectors

static const double rest_shape[4][3] = {{0, 0, 0}, {0.2, 0, 0.02}, {0.03, 0.25, 0}, {-0.02, 0.04, 0.3}};
static const double bent[4][3] = {
    {0.01, -0.02, 0}, {0.24, 0.03, 0.01}, {0.02, 0.22, 0.05}, {0.03, 0.01, 0.33}};
static const double some_w[4] = {1, 0.5, 2, 0.25};

static struct solid_element element_of(const double x[4][3])
{
    const double *at[4] = {x[0], x[1], x[2], x[3]};
    return solid_element(at);
}

// Computed apart from weft: mu 20 kPa and lambda 80 kPa, a_D = 3000 and a_H = 500.
static void the_law_in_double_is_that_of_the_vectors(void **state)
{
    (void)state;
    const struct solid_element element = element_of(rest_shape);
    double x[4][3], lambda[2] = {0, 0};
    memcpy(x, bent, sizeof x);
    const double *at[4] = {x[0], x[1], x[2], x[3]};
    const struct solid_rows rows = solid_rows(&element, 0.2, at);
    assert_near(element.volume, 0.00252066667, 1e-11);
    assert_near(rows.c_d, 1.8536471, 1e-7);
    assert_near(rows.c_h, -0.0289473684, 1e-10);
    assert_near(rows.d[3][2], 1.92048831, 1e-8);
    assert_near(rows.h[1][0], 5.13752975, 1e-8);
    solid_project(&element, 0.2, 3000, 500, some_w, x, lambda);
    assert_near(x[0][0], 0.0113817566, 1e-10);
    assert_near(x[2][1], 0.218586959, 1e-9);
    assert_near(x[3][2], 0.329800905, 1e-9);
    assert_near(lambda[0], -0.000613259114, 1e-12);
    assert_near(lambda[1], 0.00010544716, 1e-13);
}

static void gradients_are_those_of_differences(void **state)
{
    (void)state;
    const struct solid_element element = element_of(rest_shape);
    double x[4][3];
    const double *at[4] = {x[0], x[1], x[2], x[3]};
    memcpy(x, bent, sizeof x);
    const struct solid_rows rows = solid_rows(&element, 0.2, at);
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const double step = 1e-6, from = x[k][axis];
            x[k][axis] = from + step;
            const struct solid_rows after = solid_rows(&element, 0.2, at);
            x[k][axis] = from - step;
            const struct solid_rows before = solid_rows(&element, 0.2, at);
            x[k][axis] = from;
            assert_near((after.c_d - before.c_d) / (2 * step), rows.d[k][axis], 1e-8);
            assert_near((after.c_h - before.c_h) / (2 * step), rows.h[k][axis], 1e-8);
        }
    }
}

// ---------------------------------------------------------------------------------------------- one tetrahedron

struct one {
    struct sim *sim;
    uint32_t body, id;
};

static struct one one_create(const double rest[4][3], const double w[4], double young, double poisson,
                             uint32_t iterations)
{
    static const uint32_t tet[4] = {0, 1, 2, 3};
    struct sim_settings settings = scene_still(1200);
    double masses[4];
    settings.iterations = iterations;
    for (int k = 0; k < 4; k++) {
        masses[k] = w[k] > 0 ? 1 / w[k] : 0;
    }
    struct one one = {.sim = scene_create(settings)};
    struct sim_body_desc desc = {.kind = SIM_SOFT,
                                 .particle_count = 4,
                                 .positions = rest[0],
                                 .tets = tet,
                                 .tet_count = 1,
                                 .masses = masses,
                                 .stretch = {.stiffness = -1},
                                 .volume = {.stiffness = -1},
                                 .solid_model = SIM_SOLID_NEO_HOOKEAN,
                                 .solid = {.young = young, .poisson = poisson}};
    const struct sim_body_added added = scene_add_all(one.sim, &desc);
    assert_int_equal(added.constraint_count[SIM_NEO_HOOKEAN], 1);
    assert_int_equal(added.constraint_count[SIM_DISTANCE] + added.constraint_count[SIM_VOLUME], 0);
    one.body = added.body;
    one.id = added.constraint_first[SIM_NEO_HOOKEAN];
    return one;
}

static void one_place(const struct one *one, const double x[4][3])
{
    static const uint32_t all[4] = {0, 1, 2, 3};
    static const float still[12] = {0};
    struct fault fault;
    assert_int_equal(sim_particles_set(one->sim, one->body, all, 4, x[0], still, NULL, &fault), FAULT_NONE);
}

static void one_positions(const struct one *one, double x[4][3])
{
    sim_body_positions64(one->sim, one->body, 0, 4, x[0]);
}

// A tetrahedron without slivers, and another place of its corners; one in four is inverted there.
static void draw(uint64_t *seed, double rest[4][3], double x[4][3], double w[4])
{
    double flat;
    do {
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                rest[k][axis] = floor(scene_uniform(seed) * 0.3 / SCENE_Q) * SCENE_Q;
                x[k][axis] = rest[k][axis] + floor((scene_uniform(seed) - 0.5) * 0.1 / SCENE_Q) * SCENE_Q;
            }
            w[k] = 0.25 + 4 * scene_uniform(seed);
        }
        double d[3][3];
        const double *at[4] = {rest[0], rest[1], rest[2], rest[3]};
        solid_columns(at, d);
        flat = fabs(solid_det(d));
    } while (flat < 2e-3);
    if (scene_uniform(seed) < 0.25) {
        for (int axis = 0; axis < 3; axis++) {
            const double other = x[1][axis];
            x[1][axis] = x[2][axis];
            x[2][axis] = other;
        }
    }
}

// Momentum and angular momentum of a move, kg m and kg m^2.
static void momenta(const double w[4], const double from[4][3], const double to[4][3], double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            out[axis] += (to[k][axis] - from[k][axis]) / w[k];
            out[3 + axis] +=
                (from[k][a] * (to[k][b] - from[k][b]) - from[k][b] * (to[k][a] - from[k][a])) / w[k];
        }
    }
}

static void a_sweep_is_that_in_double_and_keeps_momenta(void **state)
{
    (void)state;
    uint64_t seed = 38;
    for (int round = 0; round < 60; round++) {
        double rest[4][3], x[4][3], from[4][3], found[4][3], w[4], lambda[2] = {0, 0}, kept[6];
        const double poisson = 0.49 * scene_uniform(&seed), young = pow(10, 3 + 4 * scene_uniform(&seed));
        draw(&seed, rest, x, w);
        memcpy(from, x, sizeof x);
        const uint32_t iterations = 1 + (uint32_t)round % 2 * 2;
        const struct one one = one_create(rest, w, young, poisson, iterations);
        const struct solid_element element = element_of(rest);
        const struct solid_law law = solid_law(young, poisson);
        const double a_d = 1200.0 * 1200.0 / (law.mu * element.volume);
        one_place(&one, x);
        scene_run(one.sim, 1);
        one_positions(&one, found);
        for (uint32_t i = 0; i < iterations; i++) {
            solid_project(&element, law.ratio, a_d, law.ratio * a_d, w, x, lambda);
        }
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                assert_near(found[k][axis], x[k][axis], 2e-6 * (0.05 + fabs(x[k][axis] - from[k][axis])));
            }
        }
        momenta(w, from, found, kept);
        for (int i = 0; i < (iterations == 1 ? 6 : 3); i++) { // later iterations turn about other places
            assert_near(kept[i], 0, 1e-6);
        }
        sim_destroy(one.sim);
    }
}

// A turned tetrahedron of 5 cm at rest. One row after the other would move it by 0.85 mm at 100 kPa.
static void what_rests_stays(void **state)
{
    (void)state;
    const double turned[4][3] = {{0, 0, 0}, {0.03, 0.04, 0}, {-0.04, 0.03, 0}, {0, 0, 0.05}};
    const double w[4] = {192, 192, 192, 192}; // four of them weigh what 1000 kg/m^3 comes to
    for (double young = 1e4; young < 2e7; young *= 10) {
        double x[4][3];
        const struct one one = one_create(turned, w, young, 0.45, 1);
        scene_run(one.sim, 1);
        one_positions(&one, x);
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                assert_near(x[k][axis], turned[k][axis], 3e-14 * young + 1.01 * SCENE_Q);
            }
        }
        sim_destroy(one.sim);
    }
}

// So soft that a substep resolves all of it.
static void energy_is_that_of_the_law_and_0_at_rest(void **state)
{
    (void)state;
    const double w[4] = {1, 0.5, 2, 0.25}, young = 20, poisson = 0.4;
    const struct one one = one_create(rest_shape, w, young, poisson, 1);
    const struct solid_element element = element_of(rest_shape);
    const struct solid_law law = solid_law(young, poisson);
    const double *at[4] = {bent[0], bent[1], bent[2], bent[3]};
    const struct solid_rows rows = solid_rows(&element, law.ratio, at);
    const double energy =
        element.volume * law.mu / 2 *
        ((rows.c_d * rows.c_d - 3) + (rows.c_h * rows.c_h - law.ratio * law.ratio) / law.ratio);
    struct sim_measures measures;
    sim_measure(one.sim, &measures);
    assert_near(measures.elastic[SIM_NEO_HOOKEAN] / energy, 0, 1e-9);
    one_place(&one, bent);
    sim_measure(one.sim, &measures);
    assert_near(measures.elastic[SIM_NEO_HOOKEAN] / energy, 1, 1e-3);
    assert_near(measures.error_max[SIM_NEO_HOOKEAN], rows.j - 1, 1e-6);
    sim_destroy(one.sim);
}

static struct sim_constraint got(const struct one *one)
{
    struct sim_constraint constraint;
    assert_true(sim_constraint_get(one->sim, one->id, &constraint));
    return constraint;
}

// ------------------------------------------------------------------------------------------------------- blocks

static struct sim_body_desc solid_of(const struct scene_block *block, double young, double poisson)
{
    struct sim_body_desc desc = scene_soft(block);
    desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
    desc.solid = (struct sim_material){.young = young, .poisson = poisson};
    return desc;
}

// By the closed form, a bar that is s times as long has sides of a = sqrt(J/s).
static void a_bar_that_is_pulled_gets_thinner_as_the_closed_form_says(void **state)
{
    (void)state;
    static const struct {
        double poisson, s, a, j, nominal; // nominal stress over mu
    } cases[] = {{0.3, 0.8, 1.060660172, 0.9, -0.60625},
                 {0.3, 1.5, 0.869226987, 1.133333333, 0.996296296},
                 {0.45, 1.5, 0.829993307, 1.033333333, 1.040740741}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const double young = 2 * 2e4 * (1 + cases[c].poisson), s = cases[c].s, a = cases[c].a;
        struct scene_block block = scene_block((const uint32_t[3]){2, 2, 2}, 0.1, (const double[3]){0, 0, 0});
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.substeps = 20;
        settings.damping = 5;
        struct sim *sim = scene_create(settings);
        struct sim_body_desc desc = solid_of(&block, young, cases[c].poisson);
        const struct sim_body_added added = scene_add_all(sim, &desc);
        struct fault fault;
        for (uint32_t i = 0; i < block.particle_count; i++) {
            const double *x = block.positions + 3 * (size_t)i;
            const double to[3] = {s * x[0], a * (x[1] - 0.1) + 0.1, a * (x[2] - 0.1) + 0.1};
            if (fabs(x[0] - 0.1) > 0.05) {
                assert_int_equal(sim_particles_set(sim, added.body, &i, 1, to, NULL, NULL, &fault),
                                 FAULT_NONE);
                assert_int_equal(sim_particles_pin(sim, added.body, &i, 1, to, &fault), FAULT_NONE);
            }
        }
        scene_run(sim, 240);
        for (uint32_t i = 0; i < block.particle_count; i++) {
            const double *x = block.positions + 3 * (size_t)i;
            double found[3];
            scene_position(sim, added.body, i, found);
            assert_near(found[0], s * x[0], 2e-4);
            assert_near(found[1], a * (x[1] - 0.1) + 0.1, 2e-4);
            assert_near(found[2], a * (x[2] - 0.1) + 0.1, 2e-4);
        }
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_near(measures.error_rms[SIM_NEO_HOOKEAN], fabs(cases[c].j - 1), 2e-3);
        // The pressure is minus a third of the true stress, N over the sides.
        bool hold;
        assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
        struct sim_constraint told;
        assert_true(sim_constraint_get(sim, added.constraint_first[SIM_NEO_HOOKEAN], &told));
        assert_near(told.multiplier[0] * 1200 * 1200 / 2e4, -cases[c].nominal / (a * a) / 3, 0.01);
        sim_destroy(sim);
        scene_block_deinit(&block);
    }
}

// ------------------------------------------------------------------------------------------- static equilibrium

// Runs a solid whose particles below `end` along an axis are pinned.
static struct sim *run_held(const struct scene_block *block, const struct sim_body_desc *desc, int axis,
                            double end, struct sim_settings settings, uint32_t ticks, uint32_t *body)
{
    struct sim *sim = scene_create(settings);
    struct fault fault;
    *body = scene_add(sim, desc);
    for (uint32_t i = 0; i < block->particle_count; i++) {
        const double *x = block->positions + 3 * (size_t)i;
        if (x[axis] < end) {
            assert_int_equal(sim_particles_pin(sim, *body, &i, 1, NULL, &fault), FAULT_NONE);
        }
    }
    scene_run(sim, ticks);
    return sim;
}

// Mean of a coordinate over particles at or beyond `from` along an axis, of the sim or of positions.
static double mean_of(const struct scene_block *block, const struct sim *sim, uint32_t body, const double *x,
                      int axis, double from, int coordinate)
{
    double sum = 0, count = 0;
    for (uint32_t i = 0; i < block->particle_count; i++) {
        double at[3];
        if (block->positions[3 * (size_t)i + (size_t)axis] < from) {
            continue;
        }
        if (x) {
            memcpy(at, x + 3 * (size_t)i, sizeof at);
        } else {
            scene_position(sim, body, i, at);
        }
        sum += at[coordinate];
        count++;
    }
    return sum / count;
}

static void a_beam_bends_as_its_mesh_does_in_double(void **state)
{
    (void)state;
    struct scene_block block = scene_block((const uint32_t[3]){6, 2, 2}, 0.1, (const double[3]){0, 0, 0});
    struct solid_still still = solid_still_create(&block, 6e5, 0.3, 1000);
    for (uint32_t i = 0; i < block.particle_count; i++) {
        still.held[i] = block.positions[3 * (size_t)i] < 0.05;
    }
    const double force = solid_come_to_rest(&still, 9.81, 3e-4, 12000);
    assert_true(force < 1e-4);
    const double exact = mean_of(&block, NULL, 0, still.x, 0, 0.55, 1) - 0.1;
    struct sim_settings settings = scene_settings();
    uint32_t body;
    settings.substeps = 20;
    settings.damping = 3;
    const struct sim_body_desc desc = solid_of(&block, 6e5, 0.3);
    struct sim *sim = run_held(&block, &desc, 0, 0.05, settings, 300, &body);
    const double found = mean_of(&block, sim, body, NULL, 0, 0.55, 1) - 0.1;
    assert_true(exact < -0.03);
    assert_near(found, exact, 0.01 * fabs(exact));
    sim_destroy(sim);
    solid_still_destroy(&still);
    scene_block_deinit(&block);
}

// 40 layers of 10 cm under their own weight: rho g H^2 / 2E. Sound passes 0.75 layers in a substep.
static void a_tall_column_shortens_as_theory_says(void **state)
{
    (void)state;
    struct scene_block block = scene_block((const uint32_t[3]){4, 40, 4}, 0.1, (const double[3]){0, 0, 0});
    struct sim_settings settings = scene_settings();
    uint32_t body;
    settings.substeps = 20;
    settings.damping = 5;
    const struct sim_body_desc desc = solid_of(&block, 8e6, 0.3);
    struct sim *sim = run_held(&block, &desc, 1, 0.05, settings, 120, &body);
    const double found = 4 - mean_of(&block, sim, body, NULL, 1, 3.95, 1);
    const double theory = 1000 * 9.81 * 4 * 4 / (2 * 8e6);
    assert_near(found, theory, 0.03 * theory);
    sim_destroy(sim);
    scene_block_deinit(&block);
}

// ------------------------------------------------------------------------------------------- safe when inverted

// The greatest relative difference of an edge from its length at rest.
static double worst_edge(const struct scene_block *block, const struct sim *sim, uint32_t body)
{
    double worst = 0;
    for (uint32_t t = 0; t < block->tet_count; t++) {
        for (int e = 1; e < 4; e++) {
            const uint32_t a = block->tets[4 * (size_t)t], b = block->tets[4 * (size_t)t + (size_t)e];
            double from[3], to[3], now = 0, rest = 0;
            scene_position(sim, body, a, from);
            scene_position(sim, body, b, to);
            for (int axis = 0; axis < 3; axis++) {
                const double d = block->positions[3 * (size_t)a + (size_t)axis] -
                                 block->positions[3 * (size_t)b + (size_t)axis];
                now += (from[axis] - to[axis]) * (from[axis] - to[axis]);
                rest += d * d;
            }
            worst = fmax(worst, fabs(sqrt(now / rest) - 1));
        }
    }
    return worst;
}

// Flat in a plane, or inside out, the block finds its shape again: every edge has its length.
static void a_squashed_cube_returns(void **state)
{
    (void)state;
    static const double squeezes[] = {0, -1, -0.2};
    for (size_t s = 0; s < sizeof squeezes / sizeof squeezes[0]; s++) {
        struct scene_block block = scene_block((const uint32_t[3]){3, 3, 3}, 0.1, (const double[3]){0, 0, 0});
        struct sim_settings settings = scene_settings();
        struct fault fault;
        settings.gravity[1] = 0;
        settings.substeps = 20;
        settings.damping = 4;
        struct sim *sim = scene_create(settings);
        const struct sim_body_desc desc = solid_of(&block, 1e5, 0.4);
        const uint32_t body = scene_add(sim, &desc);
        for (uint32_t i = 0; i < block.particle_count; i++) {
            double x[3];
            memcpy(x, block.positions + 3 * (size_t)i, sizeof x);
            x[1] = 0.15 + squeezes[s] * (x[1] - 0.15);
            assert_int_equal(sim_particles_set(sim, body, &i, 1, x, NULL, NULL, &fault), FAULT_NONE);
        }
        scene_run(sim, 480);
        assert_true(worst_edge(&block, sim, body) < 1e-4);
        sim_destroy(sim);
        scene_block_deinit(&block);
    }
}

// A solid may be stiffer by any factor than a substep resolves: the block is torn out of its shape, and finds it again.
static void a_stiff_solid_finds_its_shape(void **state)
{
    (void)state;
    static const double youngs[] = {1e6, 1e9, 1e12, SIM_YOUNG_MAX};
    for (size_t y = 0; y < sizeof youngs / sizeof youngs[0]; y++) {
        struct scene_block block =
            scene_block((const uint32_t[3]){2, 2, 2}, 0.01, (const double[3]){0, 0, 0});
        struct sim_settings settings = scene_settings();
        struct fault fault;
        uint64_t seed = 7;
        settings.gravity[1] = 0;
        settings.substeps = 20;
        settings.damping = 4;
        struct sim *sim = scene_create(settings);
        const struct sim_body_desc desc = solid_of(&block, youngs[y], 0.4);
        const uint32_t body = scene_add(sim, &desc);
        for (uint32_t i = 0; i < block.particle_count; i++) {
            double x[3];
            for (size_t axis = 0; axis < 3; axis++) {
                x[axis] = block.positions[3 * (size_t)i + axis] + 0.005 * (2 * scene_uniform(&seed) - 1);
            }
            assert_int_equal(sim_particles_set(sim, body, &i, 1, x, NULL, NULL, &fault), FAULT_NONE);
        }
        scene_run(sim, 60);
        assert_true(worst_edge(&block, sim, body) < 1e-3);
        sim_destroy(sim);
        scene_block_deinit(&block);
    }
}

// --------------------------------------------------------------------------------------------------------- edits

// A rest volume that is set makes the tetrahedron grow evenly: eight times as much are twice the edges.
static void a_rest_volume_makes_a_tetrahedron_grow(void **state)
{
    (void)state;
    const double w[4] = {1, 1, 1, 1};
    const struct one one = one_create(rest_shape, w, 1e5, 0.3, 1);
    struct fault fault;
    double x[4][3];
    const double was = got(&one).rest, rest = 8 * was;
    assert_near(was, 0.00252066667, 1e-9);
    assert_int_equal(
        sim_constraints_set(one.sim, &one.id, 1, &(struct sim_constraint_values){.rest = &rest}, &fault),
        FAULT_NONE);
    struct sim_settings settings = *sim_settings_of(one.sim);
    settings.damping = 30;
    settings.substeps = 10;
    assert_int_equal(sim_settings_set(one.sim, &settings, &fault), FAULT_NONE);
    scene_run(one.sim, 2400);
    one_positions(&one, x);
    for (int k = 1; k < 4; k++) {
        double now = 0, before = 0;
        for (int axis = 0; axis < 3; axis++) {
            now += (x[k][axis] - x[0][axis]) * (x[k][axis] - x[0][axis]);
            before += rest_shape[k][axis] * rest_shape[k][axis];
        }
        assert_near(sqrt(now / before), 2, 1e-4);
    }
    sim_destroy(one.sim);
}

static void refuses(const struct one *one, const struct sim_constraint_values *values, const char *field)
{
    struct fault fault;
    const uint64_t hash = sim_hash(one->sim);
    assert_int_equal(sim_constraints_set(one->sim, &one->id, 1, values, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, field);
    assert_true(sim_hash(one->sim) == hash);
}

static void what_has_no_rest_shape_is_refused(void **state)
{
    (void)state;
    const double w[4] = {1, 1, 1, 1}, zero = 0, half = 0.5;
    const struct one one = one_create(rest_shape, w, 1e5, 0.3, 1);
    refuses(&one, &(struct sim_constraint_values){.compliance = &zero}, "compliance");
    refuses(&one, &(struct sim_constraint_values){.stiffness = &half}, "stiffness");
    refuses(&one, &(struct sim_constraint_values){.rest = &zero}, "rest");
    sim_destroy(one.sim);
    static const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-5}};
    static const struct {
        double young, poisson, damping;
        const char *field;
    } cases[] = {{0, 0.3, 0, "solid.young"},     {NAN, 0.3, 0, "solid.young"},
                 {1e5, 0.5, 0, "solid.poisson"}, {1e5, -0.1, 0, "solid.poisson"},
                 {1e5, NAN, 0, "solid.poisson"}, {1e5, 0.3, -1, "solid.damping"},
                 {1e5, 0.3, 0, "tets"}};
    static const uint32_t tet[4] = {0, 1, 2, 3};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const bool is_flat = strcmp(cases[c].field, "tets") == 0;
        const struct sim_body_desc desc = {
            .kind = SIM_SOFT,
            .particle_count = 4,
            .positions = is_flat ? flat[0] : rest_shape[0],
            .tets = tet,
            .tet_count = 1,
            .stretch = {.stiffness = -1},
            .volume = {.stiffness = -1},
            .solid_model = SIM_SOLID_NEO_HOOKEAN,
            .solid = {.young = cases[c].young, .poisson = cases[c].poisson, .damping = cases[c].damping}};
        struct fault fault;
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e4, &scene_limits, &fault));
        assert_string_equal(fault.field, cases[c].field);
    }
}

static void a_material_is_changed_for_the_whole_body(void **state)
{
    (void)state;
    const double w[4] = {1, 1, 1, 1};
    struct fault fault;
    const struct one soft = one_create(rest_shape, w, 1e5, 0.3, 1),
                     stiff = one_create(rest_shape, w, 3e5, 0.4, 1);
    const struct sim_material material = {.young = 3e5, .poisson = 0.4};
    assert_true(sim_hash(soft.sim) != sim_hash(stiff.sim));
    assert_int_equal(sim_body_set(soft.sim, soft.body, &(struct sim_body_change){.solid = &material}, &fault),
                     FAULT_NONE);
    assert_true(sim_hash(soft.sim) == sim_hash(stiff.sim));
    assert_near(got(&soft).material.compliance, 2 * 1.4 / 3e5, 1e-12);
    sim_destroy(soft.sim);
    sim_destroy(stiff.sim);
}

// A viscosity takes a wobble's energy and neither momentum, and does not stop a turn.
static void viscosity_takes_no_momentum(void **state)
{
    (void)state;
    const double w[4] = {1, 2, 0.5, 1};
    struct one one = one_create(rest_shape, w, 1e4, 0.3, 1);
    struct fault fault;
    static const uint32_t all[4] = {0, 1, 2, 3};
    const struct sim_material material = {.young = 1e4, .poisson = 0.3, .damping = 1e3};
    float v[4][3], before[6] = {0}, after[6] = {0};
    double x[4][3];
    assert_int_equal(sim_body_set(one.sim, one.body, &(struct sim_body_change){.solid = &material}, &fault),
                     FAULT_NONE);
    uint64_t seed = 5;
    for (int k = 0; k < 4; k++) {
        for (int axis = 0; axis < 3; axis++) {
            v[k][axis] = (float)(scene_uniform(&seed) - 0.5) + (axis == 0 ? 0.5f : 0);
        }
    }
    assert_int_equal(sim_particles_set(one.sim, one.body, all, 4, NULL, v[0], NULL, &fault), FAULT_NONE);
    struct sim_measures from, to;
    sim_measure(one.sim, &from);
    for (int pass = 0; pass < 2; pass++) {
        float *sums = pass == 0 ? before : after;
        if (pass == 1) {
            scene_run(one.sim, 60);
        }
        one_positions(&one, x);
        sim_body_velocities(one.sim, one.body, 0, 4, v[0]);
        for (int k = 0; k < 4; k++) {
            for (int axis = 0; axis < 3; axis++) {
                const int a = (axis + 1) % 3, b = (axis + 2) % 3;
                sums[axis] += v[k][axis] / (float)w[k];
                sums[3 + axis] += (float)((x[k][a] * (double)v[k][b] - x[k][b] * (double)v[k][a]) / w[k]);
            }
        }
    }
    sim_measure(one.sim, &to);
    for (int i = 0; i < 6; i++) {
        assert_near((double)after[i], (double)before[i], 2e-4);
    }
    assert_true(to.kinetic < 0.9 * from.kinetic);
    sim_destroy(one.sim);
}

// A corner of a block is grabbed from far away at once. Without a bound its speed grows from substep to substep, and the world fails.
static void a_hand_that_is_far_away_fails_no_world_and_gets_what_it_holds(void **state)
{
    (void)state;
    static const double young[] = {1e4, 2e5}, compliances[] = {0, 1e-3};
    for (int i = 0; i < 16; i++) {
        struct sim_settings settings = scene_settings();
        settings.substeps = i & 4 ? 5 : 20;
        settings.damping = 2;
        struct sim *sim = scene_create(settings);
        struct scene_block block = scene_block((const uint32_t[]){4, 2, 2}, 0.05, (const double[]){0, 0, 0});
        struct sim_body_desc desc = scene_soft(&block);
        desc.density = 1000;
        desc.solid_model = SIM_SOLID_NEO_HOOKEAN;
        desc.solid = (struct sim_material){.young = young[i & 1], .poisson = 0.3};
        if (i & 8) {
            desc.solid.plastic = (struct sim_plastic){0.02, 1000, 1};
        }
        const uint32_t body = scene_add(sim, &desc);
        const double to[3] = {3, 10, 0};
        double x[3];
        struct fault fault;
        uint32_t grab;
        assert_int_equal(sim_grab_begin(sim, body, 4, NULL, compliances[(i & 2) / 2], &grab, &fault),
                         FAULT_NONE);
        assert_int_equal(sim_grab_move(sim, grab, to, &fault), FAULT_NONE);
        scene_run(sim, 240); // none of which fails
        scene_position(sim, body, 4, x);
        assert_near(hypot(x[0] - to[0], x[1] - to[1]), 0, 0.5);
        scene_block_deinit(&block);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_in_double_is_that_of_the_vectors),
        cmocka_unit_test(gradients_are_those_of_differences),
        cmocka_unit_test(a_sweep_is_that_in_double_and_keeps_momenta),
        cmocka_unit_test(what_rests_stays),
        cmocka_unit_test(energy_is_that_of_the_law_and_0_at_rest),
        cmocka_unit_test(a_bar_that_is_pulled_gets_thinner_as_the_closed_form_says),
        cmocka_unit_test(a_beam_bends_as_its_mesh_does_in_double),
        cmocka_unit_test(a_tall_column_shortens_as_theory_says),
        cmocka_unit_test(a_squashed_cube_returns),
        cmocka_unit_test(a_stiff_solid_finds_its_shape),
        cmocka_unit_test(a_rest_volume_makes_a_tetrahedron_grow),
        cmocka_unit_test(what_has_no_rest_shape_is_refused),
        cmocka_unit_test(a_material_is_changed_for_the_whole_body),
        cmocka_unit_test(viscosity_takes_no_momentum),
        cmocka_unit_test(a_hand_that_is_far_away_fails_no_world_and_gets_what_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
