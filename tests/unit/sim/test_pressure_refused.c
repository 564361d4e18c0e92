// Pressures and surfaces that are refused, and that no pressure which is allowed fails the world.
#include "helper_ball.h"
#include "helper_pressure.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// Whatever the numbers that are allowed, the world goes on.
static void no_pressure_fails_the_world(void **state)
{
    (void)state;
    const struct sim_pressure wild[] = {
        gas(SIM_PRESSURE_MAX, 0),
        gas(SIM_PRESSURE_MAX, SIM_PRESSURE_MAX),
        gas(-SIM_PRESSURE_MAX, SIM_PRESSURE_MAX), // nothing inside, and much outside
        kept(SIM_PRESSURE_RATIO_MAX, 0),
        kept(0, 0),
        {.model = SIM_PRESSURE_GAS, .end = SIM_PRESSURE_MAX, .ambient = 1, .volume = 1000},
        {.model = SIM_PRESSURE_VOLUME, .end = 1, .volume = SIM_PRESSURE_VOLUME_MIN},
        {.model = SIM_PRESSURE_GAS, .end = SIM_PRESSURE_MAX, .volume = SIM_PRESSURE_VOLUME_MIN},
        {.model = SIM_PRESSURE_GAS, .ambient = SIM_PRESSURE_MAX, .volume = SIM_PRESSURE_VOLUME_MIN},
    };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        for (int soft = 0; soft < 2; soft++) {
            struct scene_mesh mesh = ball(1, RADIUS, (const double[3]){0, 1, 0});
            struct sim_body_desc desc = surface_of(&mesh);
            desc.stretch.compliance = soft ? 1 : 0;
            desc.density = 0.01;
            desc.pressure = wild[i];
            struct sim_settings settings = scene_settings();
            settings.substeps = soft ? 2 : 20;
            struct sim *sim = scene_create(settings);
            const uint32_t body = scene_add(sim, &desc);
            for (int tick = 0; tick < 60; tick++) {
                struct sim_failure failure;
                assert_true(sim_step(sim, NULL, NULL, &failure));
                if (failure.failed) {
                    fail_msg("pressure %zu, edges %s: %s", i, soft ? "soft" : "rigid", failure.text);
                }
            }
            if (i == 2) { // crushed, and not turned inside out
                assert_true(told_of(sim, body).volume > -0.1 * told_of(sim, body).reference);
            }
            scene_mesh_deinit(&mesh);
            sim_destroy(sim);
        }
    }
}

static void wrong_pressures_are_refused(void **state)
{
    (void)state;
    const struct {
        struct sim_pressure pressure;
        const char *field;
    } wrong[] = {
        {gas(NAN, 0), "pressure.overpressure"},
        {gas(2e7, 0), "pressure.overpressure"},
        {gas(-2, 1), "pressure.overpressure"},
        {gas(0, -1), "pressure.ambient"},
        {gas(0, INFINITY), "pressure.ambient"},
        {kept(-1, 0), "pressure.ratio"},
        {kept(1, -1), "pressure.compliance"},
        {kept(1, NAN), "pressure.compliance"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .volume = -1}, "pressure.volume"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .volume = 1e9}, "pressure.volume"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .volume = NAN}, "pressure.volume"},
        {{.model = SIM_PRESSURE_GAS, .ambient = 1, .volume = 5e-324}, "pressure.volume"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .seconds = -1}, "pressure.seconds"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .seconds = 1e9}, "pressure.seconds"},
        {{.model = SIM_PRESSURE_VOLUME, .end = 1, .seconds = 1, .now = NAN}, "pressure.now"},
    };
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_balloon(sim, 1, (struct sim_pressure){0});
    const uint64_t before = sim_hash(sim);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double masses[CORNERS];
        const struct sim_body_desc desc = octahedron(masses, wrong[i].pressure);
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
        assert_string_equal(fault.field, wrong[i].field);
        const struct sim_body_change change = {.pressure = &wrong[i].pressure};
        assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, wrong[i].field);
    }
    assert_true(sim_hash(sim) == before);
    sim_destroy(sim);
}

static void surfaces_that_are_not_closed_are_refused(void **state)
{
    (void)state;
    double masses[CORNERS];
    uint32_t turned[24], thrice[30];
    struct sim_body_desc desc = octahedron(masses, kept(1, 0));
    desc.triangle_count = 6;
    assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_string_equal(fault.field, "pressure");
    assert_non_null(strstr(fault.text, "4 open edges"));
    memcpy(turned, faces, sizeof faces);
    turned[0] = faces[1];
    turned[1] = faces[0];
    desc.triangle_count = 8;
    desc.triangles = turned;
    assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_non_null(strstr(fault.text, "3 edges"));
    memcpy(thrice, faces, sizeof faces);
    const uint32_t inner[6] = {0, 1, 4,
                               1, 0, 5}; // a wall, which leaves an edge of its own open in the middle
    memcpy(thrice + 24, inner, sizeof inner);
    desc.triangles = thrice;
    desc.triangle_count = 10;
    assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_non_null(strstr(fault.text, "4 edges of more than two"));

    // Two flat sheets that are sewn together enclose nothing at rest.
    const double flat[12] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    const uint32_t sheets[12] = {0, 1, 2, 0, 2, 3, 1, 0, 3, 1, 3, 2};
    struct sim_body_desc cushion = desc;
    cushion.particle_count = 4;
    cushion.positions = flat;
    cushion.triangles = sheets;
    cushion.triangle_count = 4;
    assert_null(sim_body_prepare(&cushion, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_string_equal(fault.field, "pressure.volume");
    cushion.pressure.volume = 0.1;
    struct sim_body_plan *plan = sim_body_prepare(&cushion, SCENE_Q, 1e6, &scene_limits, &fault);
    assert_non_null(plan);
    sim_body_plan_destroy(plan);

    const double rope[6] = {0, 0, 0, 1, 0, 0};
    const uint32_t edge[2] = {0, 1};
    struct sim_body_desc of_rope = scene_rope(rope, 2, edge, 1, NULL);
    of_rope.pressure = kept(1, 0);
    assert_null(sim_body_prepare(&of_rope, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_string_equal(fault.field, "pressure");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pressure_fails_the_world),
        cmocka_unit_test(wrong_pressures_are_refused),
        cmocka_unit_test(surfaces_that_are_not_closed_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
