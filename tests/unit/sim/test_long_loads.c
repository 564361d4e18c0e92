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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_rope_carries_a_heavy_load),
        cmocka_unit_test(a_load_that_falls_into_a_rope_stops),
        cmocka_unit_test(a_load_that_swings_keeps_its_distance),
        cmocka_unit_test(a_light_cloth_carries_8_kg_in_its_middle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
