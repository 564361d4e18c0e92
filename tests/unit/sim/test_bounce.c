// Restitution between bodies: a head-on blow of points, edges and triangles leaves e of the speed between them, keeps their momentum,
// and costs what rests nothing.
#include "base/thread.h"
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THICK 0.01

enum blow { EDGES, POINT, BLOWS }; // two ropes that cross, or a point and a triangle

static uint32_t add(struct sim *sim, enum sim_body_kind kind, const double *x, uint32_t count, double mass,
                    double speed, double restitution)
{
    static const uint32_t corners[3] = {0, 1, 2};
    double masses[3];
    float v[9] = {0};
    for (uint32_t p = 0; p < count; p++) {
        masses[p] = mass / count;
        v[3 * p + 1] = (float)speed;
    }
    struct sim_body_desc desc = {
        .kind = kind,
        .particle_count = count,
        .positions = x,
        .velocities = v,
        .masses = masses,
        .thickness = THICK,
        .stretch = {.compliance = 0, .stiffness = -1},
        .meeting = {.group = 1, .mask = 1, .friction = 0.5, .restitution = restitution}};
    if (kind == SIM_ROPE) {
        desc.edges = corners;
        desc.edge_count = 1;
    } else if (kind == SIM_CLOTH) {
        desc.triangles = corners;
        desc.triangle_count = 1;
    }
    return scene_add(sim, &desc);
}

static double speed_of(const struct sim *sim, uint32_t body, uint32_t count)
{
    double sum = 0;
    for (uint32_t p = 0; p < count; p++) {
        float v[3];
        scene_velocity(sim, body, p, v);
        sum += (double)v[1] / count;
    }
    return sum;
}

// The speeds of both after the upper one of `mass` came down with 2 m/s on the lower one of 0.3 kg, which rests.
static void strike(enum blow blow, double mass, double upper, double lower, uint32_t iterations,
                   double after[2])
{
    const double s = sqrt(3) / 2;
    const double flat[9] = {1, 0, 0, -0.5, 0, s, -0.5, 0, -s}, across[6] = {0, 0, 1, 0, 0, -1};
    const double along[6] = {1, 0.1, 0, -1, 0.1, 0}, point[3] = {0, 0.1, 0};
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.iterations = iterations;
    struct sim *sim = scene_create(settings);
    const uint32_t counts[2] = {blow == POINT ? 1 : 2, blow == POINT ? 3 : 2};
    add(sim, blow == POINT ? SIM_CLOTH : SIM_ROPE, blow == POINT ? flat : across, counts[1], 0.3, 0, lower);
    add(sim, blow == POINT ? SIM_POINTS : SIM_ROPE, blow == POINT ? point : along, counts[0], mass, -2,
        upper);
    scene_run(sim, 10);
    after[0] = speed_of(sim, 2, counts[0]);
    after[1] = speed_of(sim, 1, counts[1]);
    sim_destroy(sim);
}

static void a_blow_leaves_a_part_of_the_speed_and_all_of_the_momentum(void **state)
{
    (void)state;
    for (int blow = 0; blow < BLOWS; blow++) {
        for (double mass = 0.15; mass < 0.7; mass *= 2) {
            for (double e = 0.25; e <= 1; e += 0.25) {
                for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
                    double after[2];
                    strike((enum blow)blow, mass, e, e < 0.9 ? 0 : 0.1, iterations, after);
                    const double middle = -2 * mass / (mass + 0.3); // velocity of both together
                    assert_near(mass * after[0] + 0.3 * after[1], -2 * mass, 1e-4);
                    assert_near(after[0] - after[1], 2 * e, 0.03);
                    assert_near(after[0], middle + 2 * e * 0.3 / (mass + 0.3), 0.03);
                }
            }
        }
    }
}

static void without_it_two_bodies_go_on_together(void **state)
{
    (void)state;
    for (int blow = 0; blow < BLOWS; blow++) {
        double after[2];
        strike((enum blow)blow, 0.3, 0, 0, 1, after);
        assert_near(after[0] - after[1], 0, 0.05);
        assert_near(after[0] + after[1], -2, 1e-3);
    }
}

// A rope that lies across two others: it bounces out, and then lies as still as without.
static void what_lies_does_not_buzz(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    struct sim *sim = scene_create(settings);
    const double left[6] = {-0.3, 0, 1, -0.3, 0, -1}, right[6] = {0.3, 0, 1, 0.3, 0, -1};
    const double top[6] = {0.5, 0.07, 0, -0.5, 0.07, 0};
    const uint32_t pins[2] = {0, 1};
    for (int b = 0; b < 2; b++) {
        const uint32_t body = add(sim, SIM_ROPE, b == 0 ? left : right, 2, 0.3, 0, 0);
        struct fault fault;
        assert_int_equal(sim_particles_pin(sim, body, pins, 2, NULL, &fault), FAULT_NONE);
    }
    const uint32_t body = add(sim, SIM_ROPE, top, 2, 0.3, 0, 0.7);
    scene_run(sim, 300);
    for (int tick = 0; tick < 60; tick++) {
        double x[3];
        scene_run(sim, 1);
        scene_position(sim, body, 0, x);
        assert_near(x[1], 2 * THICK, 1e-3);
        assert_near(speed_of(sim, body, 2), 0, 2e-3);
    }
    sim_destroy(sim);
}

static uint64_t sheets_hash(uint32_t threads)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 6;
    struct sim *sim = scene_create(settings);
    for (int b = 0; b < 2; b++) {
        const double origin[3] = {0.013 * b, 0.05 * b, 0.007 * b};
        struct scene_mesh mesh = scene_grid(30, 30, 0.03, origin);
        struct sim_body_desc desc = scene_cloth(&mesh);
        const uint32_t pins[4] = {0, 29, 870, 899};
        desc.pins = pins;
        desc.pin_count = b == 0 ? 4 : 0;
        desc.thickness = 0.005;
        desc.meeting = (struct sim_meeting){
            .self = true, .group = 1, .mask = 1, .friction = 0.3, .restitution = b == 0 ? 0 : 0.8};
        scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
    }
    struct base_team *team = base_team_create(threads);
    assert_non_null(team);
    for (int tick = 0; tick < 14; tick++) {
        struct sim_failure failure;
        sim_step(sim, base_team_parallel(team), NULL, &failure);
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(sim);
    base_team_destroy(team);
    sim_destroy(sim);
    return hash;
}

static void sheets_bounce_to_the_same_bits_everywhere(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    const uint64_t first = sheets_hash(1);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            sim_isa_choose((enum sim_isa)isa);
            assert_true(sheets_hash(3) == first);
        }
    }
    sim_isa_choose(chosen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blow_leaves_a_part_of_the_speed_and_all_of_the_momentum),
        cmocka_unit_test(without_it_two_bodies_go_on_together),
        cmocka_unit_test(what_lies_does_not_buzz),
        cmocka_unit_test(sheets_bounce_to_the_same_bits_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
