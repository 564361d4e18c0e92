// Loads on what does not stretch, with long edges: heavy ends of light ropes that hang, fall and swing, and heavy particles
// in the middle of a light cloth.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINKS = 20, SIDE = 31 };

static struct sim *world(double damping)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = damping;
    settings.long_edges = true;
    return scene_create(settings);
}

// ------------------------------------------------------------------------------------------------ measures

// The greatest strain of all ticks, and that of the last one.
struct strains {
    double ever, rest;
};

static struct strains run(struct sim *sim, uint32_t ticks, const char *what)
{
    struct strains strains = {0};
    for (uint32_t tick = 0; tick < ticks; tick++) {
        scene_run(sim, 1);
        strains.rest = scene_strain(sim);
        strains.ever = fmax(strains.ever, strains.rest);
    }
    print_message("%s: ever %.2f %%, at rest %.2f %%\n", what, 100 * strains.ever, 100 * strains.rest);
    return strains;
}

// ------------------------------------------------------------------------------------------------ ropes

// A rope of 1 m and LINKS particles of a gram with a load at its end, which is thrown with a velocity.
static uint32_t hang_load(struct sim *sim, double load, double lifted, const float *thrown)
{
    double positions[3 * (LINKS + 1)] = {0}, masses[LINKS + 1];
    float velocities[3 * (LINKS + 1)] = {0};
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; i++) {
        positions[3 * i + 1] = -0.05 * i;
        masses[i] = i == 0 ? 0 : i == LINKS ? load : 0.001;
    }
    for (uint32_t i = 0; i < LINKS; i++) {
        edges[2 * (size_t)i] = i;
        edges[2 * (size_t)i + 1] = i + 1;
    }
    struct sim_body_desc desc = scene_rope(positions, LINKS + 1, edges, LINKS, masses);
    if (thrown) {
        memcpy(velocities + 3 * (size_t)LINKS, thrown, 3 * sizeof *thrown);
    }
    desc.velocities = velocities;
    uint32_t rope = scene_add(sim, &desc), end = LINKS;
    if (lifted > 0) {
        struct fault fault;
        const double to[3] = {0.01, lifted - 1, 0};
        assert_int_equal(sim_particles_set(sim, rope, &end, 1, to, NULL, NULL, &fault), FAULT_NONE);
    }
    return rope;
}

static double lowest(const struct sim *sim, uint32_t rope)
{
    double end[3];
    scene_position(sim, rope, LINKS, end);
    return -end[1];
}

static void a_light_rope_carries_a_heavy_load(void **state)
{
    (void)state;
    static const struct {
        double load, longer;
    } cases[] = {{1, 0.001}, {10, 0.001}, {100, 0.001}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim *sim = world(1);
        uint32_t rope = hang_load(sim, cases[i].load, 0, NULL);
        struct strains strains = run(sim, 120, "rope");
        assert_near(lowest(sim, rope), 1, cases[i].longer);
        assert_true(strains.ever < cases[i].longer);
        sim_destroy(sim);
    }
}

static void a_load_that_falls_into_a_rope_stops(void **state)
{
    (void)state;
    for (double load = 1; load <= 100; load *= 10) {
        struct sim *sim = world(0.1);
        hang_load(sim, load, 0.5, NULL);
        struct strains strains = run(sim, 120, "snatch");
        assert_true(strains.ever < 0.05);
        sim_destroy(sim);
    }
}

static void a_load_that_swings_keeps_its_distance(void **state)
{
    (void)state;
    static const float thrown[3] = {4, 0, 0};
    for (double load = 0.001; load <= 100; load *= 100) {
        struct sim *sim = world(0);
        hang_load(sim, load, 0, thrown);
        struct strains strains = run(sim, 120, "swing");
        assert_true(strains.ever < 0.05);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------ cloth

// 18 g, held all round, with 8 kg on the particles within 3 cm of its middle.
static void a_light_cloth_carries_8_kg_in_its_middle(void **state)
{
    (void)state;
    const double origin[3] = {-0.15, 0, -0.15};
    struct sim *sim = world(1);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.01, origin);
    struct sim_body_desc desc = scene_cloth(&mesh);
    double masses[SIDE * SIDE];
    uint32_t pins[4 * SIDE], pin_count = 0, loaded = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const double *x = mesh.positions + 3 * (size_t)i;
        bool middle = x[0] * x[0] + x[2] * x[2] < 0.03 * 0.03;
        loaded += middle ? 1 : 0;
        masses[i] = middle ? 8 : 0.018 / (SIDE * SIDE);
        if (i % SIDE == 0 || i % SIDE == SIDE - 1 || i / SIDE == 0 || i / SIDE == SIDE - 1) {
            pins[pin_count++] = i;
        }
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        masses[i] = masses[i] > 1 ? 8.0 / loaded : masses[i];
    }
    desc.masses = masses;
    desc.bend_model = SIM_BEND_NONE;
    desc.pins = pins;
    desc.pin_count = pin_count;
    scene_add(sim, &desc);
    struct strains strains = run(sim, 120, "8 kg in 18 g");
    assert_true(strains.rest < 0.05);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ forces

#define G 9.81

// Fills the pull at each edge, N: of edges alone, and of all that carries. Returns how many edges there are.
static uint32_t tensions(struct sim *sim, double *own, double *whole)
{
    const struct sim_settings *settings = sim_settings_of(sim);
    const double inv_h = (double)settings->tick_rate * settings->substeps;
    struct sim_constraint one;
    struct fault fault;
    bool hold;
    uint32_t count = 0;
    const uint64_t hash = sim_hash(sim);
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_true(hold);
    assert_int_equal(sim_carried_find(sim, &fault), FAULT_NONE);
    for (uint32_t after = 0; sim_constraint_next(sim, SIM_DISTANCE, after, &one); after = one.id, count++) {
        own[count] = -one.multiplier[0] * inv_h * inv_h;
        whole[count] = own[count] - one.carried * inv_h * inv_h;
        assert_true(one.carried <= 0);
    }
    sim_multipliers_drop(sim);
    assert_true(sim_hash(sim) == hash);
    assert_true(sim_constraint_next(sim, SIM_DISTANCE, 0, &one) && one.carried == 0);
    return count;
}

// A chain that hangs carries at each edge what hangs below it, whatever carries it there.
static void what_passes_an_edge_of_a_hung_chain_is_the_weight_below(void **state)
{
    (void)state;
    static const struct {
        double load, compliance, limit;
        uint32_t iterations;
    } cases[] = {{0.001, 0, 0, 1},    {1, 0, 0, 1},  {100, 0, 0, 1},
                 {10, 1e-3, 0.05, 1}, {10, 0, 0, 2}, {1e-3, 1e-3, 0.05, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct sim_settings settings = scene_settings();
        settings.damping = 5;
        settings.long_edges = true;
        settings.iterations = cases[c].iterations;
        struct sim *sim = scene_create(settings);
        double own[LINKS], whole[LINKS], carried = 0, below = cases[c].load * G, worst = 0;
        uint32_t rope = hang_load(sim, cases[c].load, 0, NULL);
        const struct sim_material material = {
            .compliance = cases[c].compliance, .stiffness = -1, .limit = cases[c].limit};
        const struct sim_body_change change = {.stretch = &material};
        struct fault fault;
        assert_int_equal(sim_body_set(sim, rope, &change, &fault), FAULT_NONE);
        scene_run(sim, 600);
        assert_int_equal(tensions(sim, own, whole), LINKS);
        for (uint32_t e = LINKS; e-- > 0; below += 0.001 * G) {
            worst = fmax(worst, fabs(whole[e] / below - 1));
            carried = fmax(carried, 1 - own[e] / whole[e]);
        }
        print_message("chain with %g kg, %g m/N: at most %.1e off; edges miss up to %.0f %% of it\n",
                      cases[c].load, cases[c].compliance, worst, 100 * carried);
        assert_true(worst < 0.02);
        assert_true(carried > 0.5 || (cases[c].load < 0.01 && cases[c].limit > 0));
        sim_destroy(sim);
    }
}

// A load in the middle of a rope of 1 m, whose ends are held 0.8 m apart: each half pulls with W/(2 x 0.6).
static void a_rope_that_is_held_at_both_ends_is_told_its_tension(void **state)
{
    (void)state;
    struct sim *sim = world(5);
    double positions[3 * (LINKS + 1)] = {0}, masses[LINKS + 1], own[LINKS], whole[LINKS], worst = 0;
    uint32_t edges[2 * LINKS];
    for (uint32_t i = 0; i <= LINKS; i++) {
        const double half = i <= LINKS / 2 ? i : LINKS - i;
        positions[3 * i] = 0.04 * i;
        positions[3 * i + 1] = -0.03 * half;
        masses[i] = i == 0 || i == LINKS ? 0 : i == LINKS / 2 ? 10 : 0.001;
    }
    for (uint32_t i = 0; i < LINKS; i++) {
        edges[2 * (size_t)i] = i;
        edges[2 * (size_t)i + 1] = i + 1;
    }
    struct sim_body_desc desc = scene_rope(positions, LINKS + 1, edges, LINKS, masses);
    scene_add(sim, &desc);
    scene_run(sim, 600);
    assert_int_equal(tensions(sim, own, whole), LINKS);
    for (uint32_t e = 0; e < LINKS; e++) {
        worst = fmax(worst, fabs(whole[e] / (10 * G / 1.2) - 1));
    }
    print_message("held at both ends: at most %.1e off\n", worst);
    assert_true(worst < 0.02);
    sim_destroy(sim);
}

// The edges that cross a level carry what hangs below it, about.
static void what_passes_a_level_of_a_hung_cloth_is_about_the_weight_below(void **state)
{
    (void)state;
    static double own[4 * SIDE * SIDE], whole[4 * SIDE * SIDE];
    struct sim *sim = world(5);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.02, (const double[]){0, 0, 0});
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        mesh.positions[3 * (size_t)i + 1] = -mesh.positions[3 * (size_t)i + 2];
        mesh.positions[3 * (size_t)i + 2] = 0;
        if (i < SIDE) {
            pins[i] = i;
        }
    }
    desc.bend_model = SIM_BEND_NONE;
    desc.density = 0.2;
    desc.pins = pins;
    desc.pin_count = SIDE;
    uint32_t cloth = scene_add(sim, &desc);
    scene_run(sim, 600);
    const uint32_t count = tensions(sim, own, whole);
    for (uint32_t level = 0; level + 1 < SIDE; level += 5) {
        double sum = 0, edges = 0, weight = 0;
        struct sim_constraint one;
        uint32_t e = 0;
        for (uint32_t after = 0; sim_constraint_next(sim, SIM_DISTANCE, after, &one); after = one.id, e++) {
            const uint32_t a = one.particles[0] / SIDE, b = one.particles[1] / SIDE;
            if ((a <= level) != (b <= level)) {
                double x[3], y[3];
                scene_position(sim, cloth, one.particles[0], x);
                scene_position(sim, cloth, one.particles[1], y);
                const double length = sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
                sum += whole[e] * fabs(x[1] - y[1]) / length;
                edges += own[e] * fabs(x[1] - y[1]) / length;
            }
        }
        assert_int_equal(e, count);
        weight = 0.2 * G * 0.02 * (SIDE - 1) * 0.02 * (SIDE - 1.5 - level);
        print_message("below row %u: %.4f of the weight, %.4f by edges\n", level, sum / weight,
                      edges / weight);
        assert_near(sum / weight, 1, 0.25);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_rope_carries_a_heavy_load),
        cmocka_unit_test(a_load_that_falls_into_a_rope_stops),
        cmocka_unit_test(a_load_that_swings_keeps_its_distance),
        cmocka_unit_test(a_light_cloth_carries_8_kg_in_its_middle),
        cmocka_unit_test(what_passes_an_edge_of_a_hung_chain_is_the_weight_below),
        cmocka_unit_test(a_rope_that_is_held_at_both_ends_is_told_its_tension),
        cmocka_unit_test(what_passes_a_level_of_a_hung_cloth_is_about_the_weight_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
