// One world gives the same bits: wherever it lies, on any number of threads, and as the golden file has it.
#include "base/thread.h"
#include "helper_scene.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_fault fault;

// ------------------------------------------------------------------------------------------------- shifted

enum { SIDE = 24, CLOTH = SIDE * SIDE, ROPE = 30 };

struct shifted {
    double x[3 * (CLOTH + ROPE)]; // less the shift
    float v[3 * (CLOTH + ROPE)];
    double force[3];
};

// A cloth falls on a sphere over a floor, a rope is tied to it, somebody pulls at both.
static void run_shifted(const double shift[3], uint32_t iterations, struct shifted *out)
{
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    settings.extent = 1e9;
    struct sim *sim = scene_create(settings);
    double place[3 * ROPE], origin[3] = {0, 0, 0};
    uint32_t edges[2 * ROPE];
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, origin);
    for (uint32_t k = 0; k < 3 * CLOTH; k++) { // whole quanta, so that the shift is exact
        mesh.positions[k] = (double)(int64_t)(mesh.positions[k] / SCENE_Q) * SCENE_Q + shift[k % 3];
    }
    for (uint32_t i = 0; i < ROPE; i++) {
        place[3 * i] = 0.0625 * i + shift[0];
        place[3 * i + 1] = 0.25 + shift[1];
        place[3 * i + 2] = -0.5 + shift[2];
        edges[2 * i] = i;
        edges[2 * i + 1] = i + 1;
    }
    struct sim_body_desc desc = scene_cloth(&mesh);
    const uint32_t pins[2] = {0, SIDE - 1};
    desc.stretch.compliance = 1e-5;
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t cloth = scene_add(sim, &desc), grab, first;
    desc = scene_rope(place, ROPE, edges, ROPE - 1, NULL);
    desc.thickness = 0.01;
    uint32_t rope = scene_add(sim, &desc);
    const uint32_t bodies[2] = {cloth, rope}, ends[2] = {CLOTH - 1, ROPE - 1};
    const double zero = 0;
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, ends,
                                         &(struct sim_constraint_values){.damping = &zero}, &first, &fault),
                     SIM_OK);
    struct sim_collider ball = {.kind = SIM_SPHERE, .radius = 0.3, .friction = 0.4},
                        ground = {.kind = SIM_PLANE};
    double target[3], pin_to[3];
    for (int axis = 0; axis < 3; axis++) {
        ball.position[axis] = (axis == 1 ? -0.5 : 0.5) + shift[axis];
        ground.position[axis] = (axis == 1 ? -1 : 0) + shift[axis];
        target[axis] = (axis == 1 ? -0.25 : 1.25) + shift[axis];
        pin_to[axis] = mesh.positions[axis] + 0.125;
    }
    ground.normal[0] = 0.1;
    ground.normal[1] = 1;
    ground.friction = 0.6;
    uint32_t ball_id, ground_id, pin = 0;
    assert_int_equal(sim_collider_add(sim, &ball, &ball_id, &fault), SIM_OK);
    assert_int_equal(sim_collider_add(sim, &ground, &ground_id, &fault), SIM_OK);
    scene_run(sim, 20);
    assert_int_equal(sim_grab_begin(sim, rope, 3, target, 1e-4, &grab, &fault), SIM_OK);
    assert_int_equal(sim_particles_pin(sim, cloth, &pin, 1, pin_to, &fault), SIM_OK);
    ball.id = ball_id;
    ball.position[0] += 0.03125;
    assert_int_equal(sim_collider_set(sim, &ball, &fault), SIM_OK);
    scene_run(sim, 40);
    sim_body_positions64(sim, cloth, 0, CLOTH, out->x);
    sim_body_positions64(sim, rope, 0, ROPE, out->x + 3 * CLOTH);
    sim_body_velocities(sim, cloth, 0, CLOTH, out->v);
    sim_body_velocities(sim, rope, 0, ROPE, out->v + 3 * CLOTH);
    for (uint32_t k = 0; k < 3 * (CLOTH + ROPE); k++) {
        out->x[k] -= shift[k % 3]; // exact: both are whole quanta far below 2^53 of them
    }
    struct sim_grab held;
    sim_grab_at(sim, 0, &held);
    memcpy(out->force, held.force, sizeof out->force);
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void a_world_shifted_by_whole_quanta_gives_the_same_bits(void **state)
{
    (void)state;
    static struct shifted home, away;
    const double shifts[][3] = {{10, -10, 10},
                                {1000, 1000, -1000},
                                {1e5, -1e5, 1e5},
                                {5 * SCENE_Q, 7 * SCENE_Q, SCENE_Q},
                                {15.999999, 16, 8 + SCENE_Q}};
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        run_shifted((double[3]){0, 0, 0}, iterations, &home);
        for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++) {
            double whole[3];
            for (int axis = 0; axis < 3; axis++) {
                whole[axis] = (double)(int64_t)(shifts[i][axis] / SCENE_Q) * SCENE_Q;
            }
            run_shifted(whole, iterations, &away);
            assert_memory_equal(home.x, away.x, sizeof home.x);
            assert_memory_equal(home.v, away.v, sizeof home.v);
            assert_memory_equal(home.force, away.force, sizeof home.force);
        }
    }
}

// ------------------------------------------------------------------------------------------------- threads

// 10,000 particles with edits in mid-run. Fills hashes after every tenth tick.
static void run_on(struct base_parallel *parallel, uint32_t iterations, uint64_t hashes[6])
{
    struct sim_settings settings = scene_settings();
    settings.iterations = iterations;
    settings.substeps = 4;
    struct sim *sim = scene_create(settings);
    const double above[3] = {-1, 0.6, -1};
    struct scene_mesh mesh = scene_grid(100, 100, 0.02, above);
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.stretch.compliance = 1e-6;
    const uint32_t pins[1] = {0};
    desc.pins = pins;
    desc.pin_count = 1;
    uint32_t body = scene_add(sim, &desc), grab;
    scene_sphere(sim, (double[3]){0, 0, 0}, 0.5, 0.4);
    scene_plane(sim, (double[3]){0, -0.5, 0}, (double[3]){0, 1, 0}, 0.5);
    for (uint32_t tick = 0; tick < 60; tick++) {
        if (tick == 10) {
            scene_link(sim, body, 0, 5050, 1.3, 1e-4, 2);
            assert_int_equal(sim_grab_begin(sim, body, 9999, NULL, 1e-4, &grab, &fault), SIM_OK);
        }
        if (tick == 20) {
            uint32_t ids[1000];
            for (uint32_t i = 0; i < 1000; i++) {
                ids[i] = 1 + 7 * i;
            }
            assert_int_equal(sim_constraints_remove(sim, ids, 1000, &fault), SIM_OK);
        }
        struct sim_failure failure;
        sim_step(sim, parallel, NULL, &failure);
        assert_false(failure.failed);
        if (tick % 10 == 9) {
            hashes[tick / 10] = sim_hash(sim);
        }
    }
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void any_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    const uint32_t counts[] = {2, 3, 4};
    for (uint32_t iterations = 1; iterations <= 2; iterations++) {
        uint64_t alone[6], together[6];
        run_on(NULL, iterations, alone);
        for (int i = 0; i < 3; i++) {
            struct base_team *team = base_team_create(counts[i]);
            assert_non_null(team);
            run_on(base_team_parallel(team), iterations, together);
            base_team_destroy(team);
            assert_memory_equal(alone, together, sizeof alone);
        }
    }
}

// The same edits between the same ticks, twice.
static void the_same_edits_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t first[6], second[6];
    run_on(NULL, 1, first);
    run_on(NULL, 1, second);
    assert_memory_equal(first, second, sizeof first);
    for (int i = 1; i < 6; i++) {
        assert_true(first[i] != first[i - 1]);
    }
}

// -------------------------------------------------------------------------------------------------- golden

static void the_hash_is_the_golden_one(void **state)
{
    (void)state;
    char line[128];
    uint64_t golden = 0, hashes[6];
    FILE *file = fopen("tests/golden/sim.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "cloth %" SCNx64, &golden) == 1) {
            break;
        }
    }
    fclose(file);
    run_on(NULL, 1, hashes);
    if (hashes[5] != golden) {
        fail_msg("cloth %016" PRIx64 ", golden is %016" PRIx64
                 ": if the change of numbers is wanted, put it into tests/golden/sim.txt",
                 hashes[5], golden);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_shifted_by_whole_quanta_gives_the_same_bits),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(the_same_edits_give_the_same_bits),
        cmocka_unit_test(the_hash_is_the_golden_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
