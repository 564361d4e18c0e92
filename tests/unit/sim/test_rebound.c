// Restitution of edges and triangles: what hits a collider between its particles leaves it with a part of its speed, as a particle
// does. A sphere below the middle of a triangle, or of the edge of a rope, is touched by no particle.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define THICK 0.01
#define RADIUS 0.3

static struct fault fault;

struct drop {
    bool rope;
    double body, collider, friction; // restitution; friction of the collider
    double height, along;            // m above the sphere, m/s along x
    uint32_t substeps, iterations;
};

static void add_ball(struct sim *sim, double x, double z, double radius, double friction, double restitution)
{
    struct sim_collider ball = {.kind = SIM_SPHERE,
                                .position = {x, -radius, z},
                                .rotation = {0, 0, 0, 1},
                                .radius = radius,
                                .friction = friction,
                                .restitution = restitution};
    assert_int_equal(sim_collider_add(sim, &ball, &ball.id, &fault), FAULT_NONE);
}

// A rigid triangle, or a rope of one edge, of 0.3 kg.
static uint32_t add_body(struct sim *sim, const struct drop *drop)
{
    const double y = drop->height + THICK, s = sqrt(3) / 2;
    const double x[9] = {1, y, 0, -0.5, y, s, -0.5, y, -s}, ends[6] = {0, y, 1, 0, y, -1};
    const double masses[3] = {0.1, 0.1, 0.1}, heavy[2] = {0.15, 0.15};
    const uint32_t corners[3] = {0, 1, 2};
    const float v[9] = {(float)drop->along, 0, 0, (float)drop->along, 0, 0, (float)drop->along, 0, 0};
    double shifted[9];
    memcpy(shifted, drop->rope ? ends : x, drop->rope ? sizeof ends : sizeof x);
    for (int p = 0; p < (drop->rope ? 2 : 3); p++) { // over the sphere when it comes down
        shifted[3 * p] -= drop->along * sqrt(2 * drop->height / GRAVITY);
    }
    struct sim_body_desc desc = {.kind = drop->rope ? SIM_ROPE : SIM_CLOTH,
                                 .particle_count = drop->rope ? 2 : 3,
                                 .positions = shifted,
                                 .velocities = v,
                                 .masses = drop->rope ? heavy : masses,
                                 .thickness = THICK,
                                 .stretch = {.compliance = 0, .stiffness = -1},
                                 .meeting = {.group = 1, .mask = 1, .restitution = drop->body}};
    if (drop->rope) {
        desc.edges = corners;
        desc.edge_count = 1;
    } else {
        desc.triangles = corners;
        desc.triangle_count = 1;
    }
    return scene_add(sim, &desc);
}

static struct sim *world_of(const struct drop *drop)
{
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = -GRAVITY;
    settings.substeps = drop->substeps;
    settings.iterations = drop->iterations;
    return scene_create(settings);
}

// The velocity of all of it in the tick after it hit, at the moment of the blow: what gravity has taken since is put back.
static void after_the_blow(const struct drop *drop, double *up, double *along)
{
    struct sim *sim = world_of(drop);
    add_ball(sim, 0, 0, RADIUS, drop->friction, drop->collider);
    const uint32_t body = add_body(sim, drop);
    const int count = drop->rope ? 2 : 3;
    double most = 0;
    *up = *along = 0;
    const int ticks = 5 + (int)(60 * sqrt(2 * drop->height / GRAVITY)); // until soon after the blow
    for (int tick = 0; tick < ticks; tick++) {
        double y = 0, speed = 0, way = 0;
        scene_run(sim, 1);
        for (int p = 0; p < count; p++) {
            double x[3];
            float v[3];
            scene_position(sim, body, (uint32_t)p, x);
            scene_velocity(sim, body, (uint32_t)p, v);
            y += (x[1] - THICK) / count;
            speed += (double)v[1] / count;
            way += (double)v[0] / count;
        }
        assert_true(y > -2e-3);
        const double energy = speed > 0 ? speed * speed + 2 * GRAVITY * y : 0;
        if (energy > most * (1 + 1e-3)) {
            most = energy;
            *along = way;
        }
    }
    *up = sqrt(most);
    sim_destroy(sim);
}

static void edges_and_triangles_come_up_again(void **state)
{
    (void)state;
    static const double parts[] = {0.5, 0.9, 1};
    for (int rope = 0; rope < 2; rope++) {
        for (int p = 0; p < 3; p++) {
            for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
                struct drop drop = {.rope = rope != 0,
                                    .body = p == 0 ? parts[p] : 0.1,
                                    .collider = p == 0 ? 0.2 : parts[p],
                                    .height = 0.5,
                                    .substeps = 20,
                                    .iterations = iterations};
                double up, along;
                after_the_blow(&drop, &up, &along);
                const double came = sqrt(2 * GRAVITY * drop.height);
                assert_near(up, parts[p] * came, 0.02 * came);
            }
        }
        double up, along;
        const struct drop dead = {.rope = rope != 0, .height = 0.5, .substeps = 20, .iterations = 1};
        after_the_blow(&dead, &up, &along);
        assert_true(up < 0.25);
    }
}

// A blow takes mu (1 + e) v0 of the speed along the surface.
static void friction_takes_its_part_of_the_blow(void **state)
{
    (void)state;
    for (int rope = 0; rope < 2; rope++) {
        const struct drop drop = {.rope = rope != 0,
                                  .body = 0.6,
                                  .friction = 0.1,
                                  .height = 0.2,
                                  .along = 1,
                                  .substeps = 60,
                                  .iterations = 1};
        double up, along;
        after_the_blow(&drop, &up, &along);
        const double came = sqrt(2 * GRAVITY * drop.height);
        assert_near(up, 0.6 * came, 0.03 * came);
        assert_near(along, 1 - 0.1 * 1.6 * came, 0.05);
    }
}

// A collider that comes from below throws what it hits: the speed counts against its material.
static void a_collider_that_comes_throws(void **state)
{
    (void)state;
    const struct drop drop = {.body = 1, .height = 0.1, .substeps = 20, .iterations = 1};
    struct sim *sim = world_of(&drop);
    struct sim_settings settings = *sim_settings_of(sim);
    settings.gravity[1] = 0;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    struct sim_collider ball = {
        .kind = SIM_SPHERE, .position = {0, -RADIUS, 0}, .rotation = {0, 0, 0, 1}, .radius = RADIUS};
    assert_int_equal(sim_collider_add(sim, &ball, &ball.id, &fault), FAULT_NONE);
    add_body(sim, &drop);
    for (int tick = 0; tick < 12; tick++) {
        ball.position[1] += 1.0 / 60; // 1 m/s
        assert_int_equal(sim_collider_set(sim, &ball, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    for (uint32_t p = 0; p < 3; p++) {
        float v[3];
        scene_velocity(sim, 1, p, v);
        assert_near((double)v[1], 2, 0.02);
        assert_near((double)v[0], 0, 0.02);
    }
    sim_destroy(sim);
}

// A door that is held at two corners falls on a sphere: what is held takes no part in the blow, in air neither.
static void a_held_corner_takes_no_part(void **state)
{
    (void)state;
    double speeds[2];
    for (int windy = 0; windy < 2; windy++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = 0;
        settings.wind = (struct sim_wind){.drag = 1, .density = windy ? 1e-9 : 0};
        struct sim *sim = scene_create(settings);
        const double x[9] = {-1, THICK, 100, 1, THICK, 100, 0, THICK, 101}, masses[3] = {0, 0, 0.1};
        const uint32_t corners[3] = {0, 1, 2};
        const float v[9] = {0, 0, 0, 0, 0, 0, 0, -3, 0};
        const struct sim_body_desc desc = {.kind = SIM_CLOTH,
                                           .particle_count = 3,
                                           .positions = x,
                                           .velocities = v,
                                           .masses = masses,
                                           .triangles = corners,
                                           .triangle_count = 1,
                                           .thickness = THICK,
                                           .stretch = {.compliance = 0, .stiffness = -1},
                                           .meeting = {.group = 1, .mask = 1, .restitution = 0.8}};
        const uint32_t body = scene_add(sim, &desc);
        add_ball(sim, 0, 100.5, 0.2, 0, 0);
        scene_run(sim, 3);
        float after[3];
        scene_velocity(sim, body, 2, after);
        speeds[windy] = (double)after[1];
        sim_destroy(sim);
    }
    assert_near(speeds[0], 0.8 * 3, 0.1);
    assert_near(speeds[1], speeds[0], 1e-3);
}

// A triangle on three small spheres, one below each of its edges, bounces out and then lies still.
static void what_lies_does_not_buzz(void **state)
{
    (void)state;
    const struct drop drop = {.body = 0.7, .height = 0.05, .substeps = 20, .iterations = 1};
    struct sim *sim = world_of(&drop);
    const double s = sqrt(3) / 4;
    add_ball(sim, 0.25 - 0.05, s - 0.05, 0.1, 0.5, 0);
    add_ball(sim, 0.25 - 0.05, 0.05 - s, 0.1, 0.5, 0);
    add_ball(sim, -0.4, 0, 0.1, 0.5, 0);
    add_body(sim, &drop);
    scene_run(sim, 360);
    for (int tick = 0; tick < 60; tick++) {
        scene_run(sim, 1);
        for (uint32_t p = 0; p < 3; p++) {
            float v[3];
            double x[3];
            scene_velocity(sim, 1, p, v);
            scene_position(sim, 1, p, x);
            assert_near((double)v[1], 0, 2e-3);
            assert_near(x[1], THICK, 1e-3);
        }
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_and_triangles_come_up_again),
        cmocka_unit_test(friction_takes_its_part_of_the_blow),
        cmocka_unit_test(a_collider_that_comes_throws),
        cmocka_unit_test(a_held_corner_takes_no_part),
        cmocka_unit_test(what_lies_does_not_buzz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
