// Tears of cloths that meet themselves: rims that have just been made touch, and cross nothing in any tick.
#include "helper_scene.h"
#include "sim/ground/ground.h"
#include "sim/state/torn.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 25, SPARES = 400 };
#define CELL 0.04

static const struct sim_material fabric = {
    .warp = 400, .weft = 300, .shear = 30, .poisson = 0.2, .stiffness = -1};

struct scene {
    struct sim *sim;
    uint32_t cloth;
};

// A sheet in the plane y = 0. Corners or borders are held.
static struct scene sheet(bool borders, double force, struct sim_settings settings)
{
    uint32_t pins[SIDE * SIDE], count = 0;
    struct scene scene = {.sim = scene_create(settings)};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, CELL, (const double[3]){-12 * CELL, 0, -12 * CELL});
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool column = i % SIDE == 0 || i % SIDE == SIDE - 1, row = i < SIDE || i >= SIDE * (SIDE - 1);
        if (borders ? column || row : column && row) {
            pins[count++] = i;
        }
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch_model = SIM_STRETCH_ORTHOTROPIC;
    desc.stretch = fabric;
    desc.yarns.direction[0] = 1;
    desc.density = 0.2;
    desc.thickness = 0.004;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    desc.pins = pins;
    desc.pin_count = count;
    desc.tear = (struct sim_tear){.force = force, .most = SPARES};
    scene.cloth = scene_add(scene.sim, &desc);
    scene_mesh_deinit(&mesh);
    return scene;
}

// Particles that split off and still are where one is that came of the same particle.
static uint32_t joined(const struct scene *scene)
{
    const struct sim_body *body = sim_body_find(scene->sim, scene->cloth);
    uint32_t count = 0;
    for (uint32_t s = 0; s < body->torn->used; s++) {
        const int64_t *x = scene->sim->positions[body->first_row + body->row_of[body->torn->own + s]];
        bool one = false;
        for (uint32_t p = 0; p < body->torn->own + s && !one; p++) {
            const int64_t *y = scene->sim->positions[body->first_row + body->row_of[p]];
            one = sim_torn_root(body->torn, p) == body->torn->roots[s] && memcmp(x, y, 3 * sizeof *x) == 0;
        }
        count += one;
    }
    return count;
}

static void nothing_crosses(const struct scene *scene, uint32_t ticks)
{
    for (uint32_t tick = 0; tick < ticks; tick++) {
        struct sim_meetings meetings;
        scene_run(scene->sim, 1);
        sim_meetings_of(scene->sim, &meetings);
        assert_int_equal(sim_crossings(scene->sim), 0);
        assert_int_equal(meetings.crossed, 0);
        assert_int_equal(meetings.dropped, 0);
    }
}

// Tears at least so many particles off, and they part.
static void tears(struct scene *scene, uint32_t ticks, uint32_t least)
{
    struct sim_tears tears;
    nothing_crosses(scene, ticks);
    assert_true(sim_body_tears(scene->sim, scene->cloth, &tears));
    assert_true(tears.used >= least);
    assert_true(joined(scene) < tears.used / 10);
}

static struct sim_settings airy(double wind)
{
    struct sim_settings settings = scene_settings();
    settings.wind = (struct sim_wind){.velocity = {0, 0, wind}, .drag = 1, .lift = 1, .density = 1.2};
    return settings;
}

static void a_sheet_under_a_block(void **state)
{
    (void)state;
    struct scene scene = sheet(true, 60, scene_settings());
    struct scene_block block =
        scene_block((const uint32_t[3]){4, 4, 4}, 0.05, (const double[3]){-0.1, 0.1, -0.1});
    struct sim_body_desc desc = scene_soft(&block);
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    desc.density = 1000;
    scene_add(scene.sim, &desc);
    scene_block_deinit(&block);
    tears(&scene, 120, 50);
    sim_destroy(scene.sim);
}

static void a_sheet_on_a_sphere(void **state)
{
    (void)state;
    struct scene scene = sheet(false, 12, scene_settings());
    scene_sphere(scene.sim, (const double[3]){0, -0.25, 0}, 0.2, 0.3);
    tears(&scene, 120, 50);
    sim_destroy(scene.sim);
}

static void a_rag_in_the_wind(void **state)
{
    (void)state;
    struct scene scene = sheet(false, 8, airy(6));
    tears(&scene, 180, 50);
    sim_destroy(scene.sim);
}

// A reset puts all particles of a rim into one place again.
static void a_sheet_that_is_reset(void **state)
{
    (void)state;
    struct scene scene = sheet(false, 12, scene_settings());
    scene_sphere(scene.sim, (const double[3]){0, -0.25, 0}, 0.2, 0.3);
    tears(&scene, 70, 50);
    sim_reset(scene.sim);
    assert_int_equal(sim_crossings(scene.sim), 0);
    tears(&scene, 70, 50);
    sim_destroy(scene.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_under_a_block),
        cmocka_unit_test(a_sheet_on_a_sphere),
        cmocka_unit_test(a_rag_in_the_wind),
        cmocka_unit_test(a_sheet_that_is_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
