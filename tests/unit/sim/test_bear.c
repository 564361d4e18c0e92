// Loads that are solved (loads: solved): a ring of net that holds a ball, momentum of what is free, colliders that hold by
// friction, and equal bits on all threads and instruction sets. A ball is a point as thick as its radius.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { AROUND = 30, WIDTH = 6, CLOTH_GROUP = 1, BALL_GROUP = 2 };

#define TAU 6.283185307179586

static const struct sim_meeting ball_meets = {.group = BALL_GROUP, .mask = CLOTH_GROUP, .friction = 0.3},
                                cloth_meets = {.group = CLOTH_GROUP, .mask = BALL_GROUP, .friction = 0.5};

static struct sim *world(bool solved, bool gravity)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.damping = gravity ? 1 : 0;
    settings.gravity[1] = gravity ? settings.gravity[1] : 0;
    settings.long_edges = true;
    settings.loads_solved = solved;
    return scene_create(settings);
}

static uint32_t add_ball(struct sim *sim, const double position[3], double radius, double mass)
{
    struct sim_body_desc desc = scene_points(position, 1, &mass);
    desc.thickness = radius;
    desc.meeting = ball_meets;
    return scene_add(sim, &desc);
}

static uint32_t add_cloth(struct sim *sim, const struct scene_mesh *mesh, double density,
                          const uint32_t *pins, uint32_t pin_count, const float *velocities)
{
    struct sim_body_desc desc = scene_cloth(mesh);
    desc.density = density;
    desc.thickness = 0.002;
    desc.bend_model = SIM_BEND_NONE;
    desc.meeting = cloth_meets;
    desc.pins = pins;
    desc.pin_count = pin_count;
    desc.velocities = velocities;
    return scene_add(sim, &desc);
}

// A ring 12 cm wide inside and 28 cm outside, whose outside is pinned.
static struct scene_mesh ring_mesh(uint32_t pins[AROUND])
{
    struct scene_mesh mesh = {.particle_count = AROUND * WIDTH, .triangle_count = 2 * AROUND * (WIDTH - 1)};
    mesh.positions = malloc((size_t)mesh.particle_count * 3 * sizeof *mesh.positions);
    mesh.triangles = malloc((size_t)mesh.triangle_count * 3 * sizeof *mesh.triangles);
    assert_true(mesh.positions && mesh.triangles);
    uint32_t *t = mesh.triangles;
    for (uint32_t j = 0; j < WIDTH; j++) {
        for (uint32_t i = 0; i < AROUND; i++) {
            double *x = mesh.positions + 3 * ((size_t)j * AROUND + i), radius = 0.06 + 0.016 * j;
            x[0] = radius * cos(TAU * i / AROUND);
            x[1] = 0;
            x[2] = radius * sin(TAU * i / AROUND);
            const uint32_t a = j * AROUND + i, b = j * AROUND + (i + 1) % AROUND,
                           two[6] = {a, a + AROUND, b, b, a + AROUND, b + AROUND};
            for (int k = 0; j + 1 < WIDTH && k < 6; k++) {
                *t++ = two[k];
            }
            pins[i] = (WIDTH - 1) * AROUND + i;
        }
    }
    return mesh;
}

struct outcome {
    double height, strain; // of the ball; the greatest of all ticks
    uint64_t hash;
};

static struct outcome ring_bears(struct sim *sim, struct base_parallel *parallel, uint32_t ticks)
{
    uint32_t pins[AROUND];
    struct scene_mesh mesh = ring_mesh(pins);
    struct outcome out = {0};
    double x[3];
    add_cloth(sim, &mesh, 0.05, pins, AROUND, NULL);
    const uint32_t ball = add_ball(sim, (const double[]){0, 0.083, 0}, 0.08, 0.9);
    for (uint32_t tick = 0; tick < ticks; tick++) {
        struct sim_failure failure;
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
        out.strain = fmax(out.strain, scene_strain(sim));
    }
    scene_position(sim, ball, 0, x);
    out.height = x[1];
    out.hash = sim_hash(sim);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return out;
}

// Returns what is told of the ring's loads after a tick, with so many balls of that mass on it and a heavy one far away.
static enum sim_loads loads_told(bool solved, uint32_t balls, double mass)
{
    uint32_t pins[AROUND];
    struct scene_mesh mesh = ring_mesh(pins);
    struct sim *sim = world(solved, true);
    struct sim_convergence told[32];
    struct sim_failure failure;
    add_cloth(sim, &mesh, 0.05, pins, AROUND, NULL);
    for (uint32_t b = 0; b < balls; b++) {
        const double angle = TAU * b / balls;
        add_ball(sim, (const double[]){0.1 * cos(angle), 0.013, 0.1 * sin(angle)}, 0.012, mass);
    }
    add_ball(sim, (const double[]){3, 0, 0}, 0.01, 0.9);
    assert_true(sim_body_count(sim) <= 32);
    assert_true(sim_step(sim, NULL, NULL, &failure) && sim_converged(sim, told));
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
    return told[0].loads;
}

static void it_is_told_whether_loads_are_swept(void **state)
{
    (void)state;
    assert_int_equal(loads_told(false, 0, 0.9), SIM_LOADS_FINE);
    assert_int_equal(loads_told(false, 3, 0.9), SIM_LOADS_SWEPT);
    assert_int_equal(loads_told(false, 3, 0.001), SIM_LOADS_FINE); // not 100 times as heavy as a particle
    assert_int_equal(loads_told(true, 3, 0.9), SIM_LOADS_FINE);
    assert_int_equal(loads_told(true, 20, 0.9), SIM_LOADS_CROWDED);
    assert_int_equal(loads_told(false, 20, 0.9), SIM_LOADS_FINE); // solving would not help
}

static void a_ring_of_net_holds_a_ball(void **state)
{
    (void)state;
    const struct outcome swept = ring_bears(world(false, true), NULL, 24),
                         solved = ring_bears(world(true, true), NULL, 24);
    print_message("a ring: swept %.1f %%, ball at %.3f m; solved %.2f %%, %.3f m\n", 100 * swept.strain,
                  swept.height, 100 * solved.strain, solved.height);
    assert_true(swept.height < -0.1);
    assert_true(solved.height > 0.02);
    assert_true(solved.strain < 0.05);
}

static void all_threads_and_instruction_sets_come_to_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa best = sim_isa_chosen();
    const uint64_t hash = ring_bears(world(true, true), NULL, 6).hash;
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    assert_true(ring_bears(world(true, true), base_team_parallel(team), 6).hash == hash);
    base_team_destroy(team);
    for (enum sim_isa isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available(isa)) {
            sim_isa_choose(isa);
            assert_true(ring_bears(world(true, true), NULL, 6).hash == hash);
        }
    }
    sim_isa_choose(best);
}

// A free cloth of 3 g flies against 8 kg at rest, and nothing else acts: what it loses the ball gains.
static void a_free_cloth_that_meets_a_heavy_ball_keeps_momentum(void **state)
{
    (void)state;
    enum { SIDE = 13 };
    const double origin[3] = {-0.06, -0.06, 0};
    struct sim *sim = world(true, false);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.01, origin);
    float velocities[3 * SIDE * SIDE] = {0}, v[3];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        double *x = mesh.positions + 3 * (size_t)i;
        x[1] = origin[1] + 0.01 * (i / SIDE);
        x[2] = 0;
        velocities[3 * i + 2] = 3;
    }
    const uint32_t cloth = add_cloth(sim, &mesh, 0.2, NULL, 0, velocities),
                   ball = add_ball(sim, (const double[]){0, 0, 0.1}, 0.05, 8);
    double momentum[3] = {0}, masses[SIDE * SIDE], before = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const struct sim_body *body = sim->bodies[0];
        masses[i] = 1 / (double)sim->rows[body->first_row + body->row_of[i]].w;
        before += 3 * masses[i];
    }
    scene_run(sim, 10);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        scene_velocity(sim, cloth, i, v);
        for (int axis = 0; axis < 3; axis++) {
            momentum[axis] += masses[i] * (double)v[axis];
        }
    }
    scene_velocity(sim, ball, 0, v);
    print_message("momentum %.6f to %.6f kg m/s, ball at %.6f m/s\n", before, momentum[2] + 8 * (double)v[2],
                  (double)v[2]);
    assert_true(v[2] > 0.2 * before / 8);
    assert_true(v[2] < 2 * before / 8);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(momentum[axis] + 8 * (double)v[axis], axis == 2 ? before : 0, 0.01 * before);
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

// Friction is a part of the solve: a cloth on a slope of 0.25 stays where it is with a friction of 0.5.
static void a_cloth_that_lies_on_a_slope_is_held_by_friction(void **state)
{
    (void)state;
    const double origin[3] = {0, 0.002, 0}, normal[3] = {0.242535625, 0.9701425, 0}; // slope 0.25
    struct sim *sim = world(true, true);
    struct scene_mesh mesh = scene_grid(6, 6, 0.02, origin);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        mesh.positions[3 * i + 1] = -0.25 * mesh.positions[3 * i] + 0.0022;
    }
    scene_plane(sim, (const double[]){0, 0, 0}, normal, 0.5);
    const uint32_t cloth = add_cloth(sim, &mesh, 0.2, NULL, 0, NULL);
    add_ball(sim, (const double[]){5, 5, 5}, 0.05, 1); // so that the cloth may meet something
    double before[3], after[3];
    scene_run(sim, 6);
    scene_position(sim, cloth, 14, before);
    scene_run(sim, 30);
    scene_position(sim, cloth, 14, after);
    print_message("creep on a slope: %.4f mm in 0.5 s\n", 1e3 * (after[0] - before[0]));
    assert_near(after[0], before[0], 2e-4);
    assert_true(scene_strain(sim) < 0.01);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void it_counts_as_work_of_a_tick(void **state)
{
    (void)state;
    const double origin[3] = {0, 0, 0};
    struct sim_limits limits = scene_limits;
    struct sim_settings settings = scene_settings();
    struct fault fault = {0};
    settings.substeps = 20;
    limits.work = 20 * 100 * 36 * 6; // 36 particles count 100 sqrt(36) each, and there is some work besides
    struct sim *sim = scene_create_limited(settings, limits);
    struct scene_mesh mesh = scene_grid(6, 6, 0.02, origin);
    add_cloth(sim, &mesh, 0.2, NULL, 0, NULL);
    settings.loads_solved = true;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_LIMIT);
    assert_string_equal(fault.field, "loads");
    settings.substeps = 10;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_whether_loads_are_swept),
        cmocka_unit_test(a_ring_of_net_holds_a_ball),
        cmocka_unit_test(all_threads_and_instruction_sets_come_to_the_same_bits),
        cmocka_unit_test(a_free_cloth_that_meets_a_heavy_ball_keeps_momentum),
        cmocka_unit_test(a_cloth_that_lies_on_a_slope_is_held_by_friction),
        cmocka_unit_test(it_counts_as_work_of_a_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
