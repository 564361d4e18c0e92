// Tears of cloths that meet themselves: rims that have just been made touch, and cross nothing in any tick.
#include "base/thread.h"
#include "helper_scene.h"
#include "sim/constraint/torn.h"
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

enum held { NOWHERE, CORNERS, BORDERS };

// A sheet in the plane y = 0.
static struct scene sheet(enum held held, double force, struct sim_settings settings)
{
    uint32_t pins[SIDE * SIDE], count = 0;
    struct scene scene = {.sim = scene_create(settings)};
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, CELL, (const double[3]){-12 * CELL, 0, -12 * CELL});
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool column = i % SIDE == 0 || i % SIDE == SIDE - 1, row = i < SIDE || i >= SIDE * (SIDE - 1);
        if (held == BORDERS ? column || row : held == CORNERS && column && row) {
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
    struct scene scene = sheet(BORDERS, 60, scene_settings());
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
    struct scene scene = sheet(CORNERS, 12, scene_settings());
    scene_sphere(scene.sim, (const double[3]){0, -0.25, 0}, 0.2, 0.3);
    tears(&scene, 120, 50);
    sim_destroy(scene.sim);
}

static void a_rag_in_the_wind(void **state)
{
    (void)state;
    struct scene scene = sheet(CORNERS, 8, airy(6));
    tears(&scene, 180, 50);
    sim_destroy(scene.sim);
}

// A reset puts all particles of a rim into one place again.
static void a_sheet_that_is_reset(void **state)
{
    (void)state;
    struct scene scene = sheet(CORNERS, 12, scene_settings());
    scene_sphere(scene.sim, (const double[3]){0, -0.25, 0}, 0.2, 0.3);
    tears(&scene, 70, 50);
    sim_reset(scene.sim);
    assert_int_equal(sim_crossings(scene.sim), 0);
    tears(&scene, 70, 50);
    sim_destroy(scene.sim);
}

static void cut_across(const struct scene *scene, uint32_t row)
{
    struct sim_body *body = sim_body_find(scene->sim, scene->cloth);
    struct sim_torn *torn = body->torn;
    const uint32_t first_cut = torn->cut_count;
    for (uint32_t e = 0; e < torn->edge_count; e++) {
        const uint32_t *ends = torn->edges[e].ends;
        if (ends[0] / SIDE == row && ends[1] / SIDE == row) {
            assert_true(sim_torn_cut(scene->sim, body, e));
        }
    }
    assert_int_equal(torn->cut_count - first_cut, SIDE - 1);
    sim_torn_settle(scene->sim, body, first_cut);
}

static void momentum_of(const struct scene *scene, double sum[3])
{
    static double masses[SIDE * SIDE + SPARES];
    static float v[3 * (SIDE * SIDE + SPARES)];
    const uint32_t count = SIDE * SIDE + sim_body_find(scene->sim, scene->cloth)->torn->used;
    sim_body_masses(scene->sim, scene->cloth, masses);
    sim_body_velocities(scene->sim, scene->cloth, 0, count, v);
    sum[0] = sum[1] = sum[2] = 0;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        sum[i % 3] += masses[i / 3] * (double)v[i];
    }
}

// Two halves of a sheet, cut but not parted, are pressed into each other along the cut and slide along it.
static void rims_that_are_pressed_together(void **state)
{
    (void)state;
    static float v[3 * (SIDE * SIDE + SPARES)];
    static uint32_t indices[SIDE * SIDE + SPARES];
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct scene scene = sheet(NOWHERE, 1e6, settings);
    const struct sim_body *body = sim_body_find(scene.sim, scene.cloth);
    struct fault fault;
    uint64_t noise = 7;
    cut_across(&scene, SIDE / 3);
    const uint32_t count = SIDE * SIDE + body->torn->used;
    assert_int_equal(joined(&scene), SIDE);
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const bool near = t < body->triangle_count / 3; // the triangles are in the order of their rows
        for (uint32_t k = 0; k < 3; k++) {
            float *of = v + 3 * (size_t)body->triangles[3 * (size_t)t + k];
            of[0] = near ? 0.2f : -0.1f;
            of[1] = 0.02f * (float)(scene_uniform(&noise) - 0.5);
            of[2] = near ? 0.5f : -0.5f;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        indices[i] = i;
    }
    assert_int_equal(sim_particles_set(scene.sim, scene.cloth, indices, count, NULL, v, NULL, &fault),
                     FAULT_NONE);
    double before[3], after[3];
    momentum_of(&scene, before);
    assert_true(fabs(before[2]) > 1e-3);
    nothing_crosses(&scene, 60);
    momentum_of(&scene, after);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(after[axis], before[axis], 1e-5);
    }
    sim_destroy(scene.sim);
}

static uint64_t hash_of(enum sim_isa isa, uint32_t threads)
{
    const enum sim_isa chosen = sim_isa_chosen();
    sim_isa_choose(isa);
    struct scene scene = sheet(CORNERS, 12, scene_settings());
    scene_sphere(scene.sim, (const double[3]){0, -0.25, 0}, 0.2, 0.3);
    struct base_team *team = base_team_create(threads);
    for (int tick = 0; tick < 30; tick++) {
        struct sim_failure failure;
        sim_step(scene.sim, base_team_parallel(team), NULL, &failure);
        assert_false(failure.failed);
    }
    base_team_destroy(team);
    const uint64_t hash = sim_hash(scene.sim);
    assert_true(sim_body_find(scene.sim, scene.cloth)->torn->used > 50);
    sim_destroy(scene.sim);
    sim_isa_choose(chosen);
    return hash;
}

static void every_machine_comes_to_the_same_bits(void **state)
{
    (void)state;
    const uint64_t hash = hash_of(sim_isa_chosen(), 1);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            assert_true(hash_of((enum sim_isa)isa, isa % 2 == 0 ? 4 : 1) == hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_under_a_block),
        cmocka_unit_test(a_sheet_on_a_sphere),
        cmocka_unit_test(a_rag_in_the_wind),
        cmocka_unit_test(a_sheet_that_is_reset),
        cmocka_unit_test(rims_that_are_pressed_together),
        cmocka_unit_test(every_machine_comes_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
