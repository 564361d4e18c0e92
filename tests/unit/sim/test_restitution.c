// Restitution of bodies and colliders: what hits a collider leaves it with a part of its speed.
//
// A particle that falls from a height H comes up to e^2 H. It loses no more than rounding and a substep do.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define RADIUS 0.01

static struct fault fault;

struct fall {
    enum sim_collider_kind kind;
    double collider, body; // restitution
    double friction, height;
    double along; // m/s, of the particle at the start
    double spin;  // surface velocity of the collider along x, m/s
    double tilt;  // of the collider and gravity, rad
    uint32_t substeps, iterations;
};

static struct fall fall_of(enum sim_collider_kind kind, double collider, double body)
{
    return (struct fall){
        .kind = kind, .collider = collider, .body = body, .height = 1, .substeps = 20, .iterations = 1};
}

static struct sim_collider collider_of(const struct fall *fall)
{
    const double s = sin(fall->tilt), c = cos(fall->tilt);
    struct sim_collider collider = {.kind = fall->kind,
                                    .rotation = {0, 0, -sin(fall->tilt / 2), cos(fall->tilt / 2)},
                                    .half_extents = {2, 1, 2},
                                    .radius = 1,
                                    .length = 1,
                                    .friction = fall->friction,
                                    .surface_velocity = {fall->spin, 0, 0},
                                    .restitution = fall->collider};
    if (fall->kind != SIM_PLANE) {
        collider.position[0] = -s;
        collider.position[1] = -c;
    }
    return collider;
}

static struct sim *world_make(const struct fall *fall, struct sim_collider *collider)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = fall->substeps;
    settings.iterations = fall->iterations;
    settings.gravity[0] = -GRAVITY * sin(fall->tilt);
    settings.gravity[1] = -GRAVITY * cos(fall->tilt);
    struct sim *sim = scene_create(settings);
    *collider = collider_of(fall);
    assert_int_equal(sim_collider_add(sim, collider, &collider->id, &fault), FAULT_NONE);
    return sim;
}

static struct sim *fall_make(const struct fall *fall, struct sim_collider *collider, uint32_t *body)
{
    struct sim *sim = world_make(fall, collider);
    const double mass = 0.1, far = fall->height + RADIUS;
    const double place[3] = {far * sin(fall->tilt), far * cos(fall->tilt), 0};
    const float speed[3] = {(float)fall->along, 0, 0};
    struct sim_body_desc desc = scene_points(place, 1, &mass);
    desc.thickness = RADIUS;
    desc.velocities = speed;
    desc.meeting.restitution = fall->body;
    *body = scene_add(sim, &desc);
    return sim;
}

static double height_of(const struct sim *sim, const struct fall *fall, uint32_t body)
{
    double x[3];
    scene_position(sim, body, 0, x);
    return sin(fall->tilt) * x[0] + cos(fall->tilt) * x[1] - RADIUS;
}

// How far it comes up after it hit, from what it has at the end of each tick. Fails where it goes through.
static double rises(const struct fall *fall)
{
    struct sim_collider collider;
    uint32_t body;
    double least = fall->height, most = 0;
    struct sim *sim = fall_make(fall, &collider, &body);
    for (uint32_t tick = 0; tick < 90; tick++) {
        scene_run(sim, 1);
        float v[3];
        const double y = height_of(sim, fall, body);
        scene_velocity(sim, body, 0, v);
        const double up = sin(fall->tilt) * (double)v[0] + cos(fall->tilt) * (double)v[1];
        least = y < least ? y : least;
        const double top = y + up * up / (2 * GRAVITY);
        most = up > 0 && tick < 40 && top > most ? top : most;
    }
    sim_destroy(sim);
    assert_true(least > -1e-6);
    return most;
}

static void what_falls_comes_up_again(void **state)
{
    (void)state;
    static const enum sim_collider_kind kinds[] = {SIM_PLANE, SIM_BOX, SIM_SPHERE};
    static const double parts[] = {0.5, 0.9, 1};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
            const double e = parts[p];
            for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
                struct fall fall = fall_of(kinds[k], e, 0);
                fall.iterations = iterations;
                fall.tilt = k < 2 ? 0.3 : 0;
                assert_near(rises(&fall), e * e, 0.02 * e * e);
                fall.substeps = 60;
                assert_near(rises(&fall), e * e, 0.01 * e * e);
            }
        }
    }
}

static void the_greater_of_both_counts(void **state)
{
    (void)state;
    static const double pairs[][3] = {{0.5, 0, 0.5}, {0, 0.5, 0.5}, {0.25, 0.75, 0.75}, {0.8, 0.4, 0.8}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct fall fall = fall_of(SIM_PLANE, pairs[i][0], pairs[i][1]);
        const double e = pairs[i][2];
        assert_near(rises(&fall), e * e, 0.02 * e * e);
    }
    const struct fall none = fall_of(SIM_PLANE, 0, 0);
    assert_true(rises(&none) < 1e-4);
}

// A particle stays where it is, and a collider that comes at 3 m/s sends it away at (1 + e) 3 m/s.
static void a_collider_that_comes_counts_with_its_speed(void **state)
{
    (void)state;
    struct fall fall = fall_of(SIM_BOX, 0.5, 0);
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sim_collider collider = collider_of(&fall);
    assert_int_equal(sim_collider_add(sim, &collider, &collider.id, &fault), FAULT_NONE);
    const double place[3] = {0, 0.1 + RADIUS, 0}, mass = 1;
    struct sim_body_desc desc = scene_points(place, 1, &mass);
    desc.thickness = RADIUS;
    const uint32_t body = scene_add(sim, &desc);
    float v[3];
    for (int tick = 0; tick < 10; tick++) {
        collider.position[1] += 3.0 / 60;
        assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    scene_velocity(sim, body, 0, v);
    assert_near((double)v[1], 4.5, 0.01);
    sim_destroy(sim);
}

// A blow of friction takes mu (1 + e) v_n of the speed along the surface, and no more than there is; what the surface runs on by counts.
static void friction_goes_with_the_whole_blow(void **state)
{
    (void)state;
    const double down = sqrt(2 * GRAVITY), blow = 0.2 * 1.5 * down;
    static const double cases[][2] = {{4, 0}, {0.5, 0}, {0, 4}, {0, 0.5}, {3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fall fall = fall_of(SIM_BOX, 0.5, 0);
        fall.friction = 0.2;
        fall.along = cases[i][0];
        fall.spin = cases[i][1];
        struct sim_collider collider;
        uint32_t body;
        float v[3];
        struct sim *sim = fall_make(&fall, &collider, &body);
        scene_run(sim, 35); // it hits after 27
        scene_velocity(sim, body, 0, v);
        const double slip = fall.along - fall.spin, takes = fabs(slip) < blow ? fabs(slip) : blow;
        assert_near((double)v[0], fall.along - (slip > 0 ? takes : -takes), 0.02);
        sim_destroy(sim);
    }
}

// Surfaces that run on do not throw off what lies on them, and what lies does not hop.
static void what_rests_stays(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
        struct fall fall = fall_of(SIM_BOX, 1, 1);
        fall.height = 0;
        fall.spin = 1;
        fall.iterations = iterations;
        struct sim_collider collider;
        uint32_t body;
        struct sim *sim = fall_make(&fall, &collider, &body);
        for (int tick = 0; tick < 60; tick++) {
            scene_run(sim, 1);
            assert_near(height_of(sim, &fall, body), 0, 1e-6);
        }
        sim_destroy(sim);
    }
}

// With e = 1 nothing comes up higher than it fell from, and what comes too slowly to bounce stays.
static void a_blow_gives_no_energy(void **state)
{
    (void)state;
    static const double heights[] = {0.003, 0.01, 0.03};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        struct fall fall = fall_of(SIM_PLANE, 1, 0);
        fall.height = heights[i];
        assert_true(rises(&fall) < heights[i] * 1.001);
    }
    struct fall fall = fall_of(SIM_PLANE, 1, 0);
    fall.height = 1e-5;
    struct sim_collider collider;
    uint32_t body;
    float v[3];
    struct sim *sim = fall_make(&fall, &collider, &body);
    scene_run(sim, 10);
    scene_velocity(sim, body, 0, v);
    assert_near((double)v[1], 0, 1e-4);
    sim_destroy(sim);
}

static double energy_of(const struct sim *sim, uint32_t body, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        float v[3];
        scene_position(sim, body, i, x);
        scene_velocity(sim, body, i, v);
        sum += 0.5 * (double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + GRAVITY * x[1];
    }
    return sum / count;
}

// A cloth and a block that fall have no more energy than they began with, come to rest, and sleep.
static void bodies_come_to_rest(void **state)
{
    (void)state;
    static const uint32_t cells[3] = {3, 3, 3};
    static const double corner[3] = {0, 0.3, 0};
    for (int i = 0; i < 6; i++) {
        const double e = (const double[]){0, 0.5, 0.8}[i / 2];
        struct fall fall = fall_of(SIM_PLANE, e, 0);
        fall.friction = 0.5;
        struct sim_collider collider;
        struct sim *sim = world_make(&fall, &collider);
        struct sim_settings settings = *sim_settings_of(sim);
        settings.sleep = true;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        struct scene_mesh mesh = scene_grid(6, 6, 0.04, corner);
        struct scene_block block = scene_block(cells, 0.05, corner);
        struct sim_body_desc desc = i % 2 == 0 ? scene_cloth(&mesh) : scene_soft(&block);
        const uint32_t count = i % 2 == 0 ? mesh.particle_count : block.particle_count;
        desc.thickness = RADIUS;
        const uint32_t body = scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
        scene_block_deinit(&block);
        const double before = energy_of(sim, body, count);
        struct sim_body_info info;
        for (int tick = 0; tick < 600; tick++) {
            scene_run(sim, 1);
            assert_true(energy_of(sim, body, count) < 1.001 * before); // its material gives back a part
        }
        assert_true(sim_body_info(sim, body, &info));
        assert_true(info.asleep);
        sim_destroy(sim);
    }
}

static void it_is_told_and_hashed_and_bounded(void **state)
{
    (void)state;
    struct fall fall = fall_of(SIM_BOX, 0, 0);
    struct sim_collider collider, told;
    uint32_t body;
    struct sim *sim = fall_make(&fall, &collider, &body);
    const uint64_t without = sim_hash(sim);
    collider.restitution = 0.5;
    assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
    const uint64_t with = sim_hash(sim);
    assert_true(with != without);
    sim_collider_at(sim, 0, &told);
    assert_true(told.restitution == 0.5);
    struct sim_meeting meeting = {.restitution = 0.25};
    struct sim_body_change change = {.meeting = &meeting};
    assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != with);
    static const double bad[] = {-1e-9, 1.0000001, INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const uint64_t before = sim_hash(sim);
        collider.restitution = meeting.restitution = bad[i];
        assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "restitution");
        assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "restitution");
        assert_true(sim_hash(sim) == before);
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_comes_up_again),
        cmocka_unit_test(the_greater_of_both_counts),
        cmocka_unit_test(a_collider_that_comes_counts_with_its_speed),
        cmocka_unit_test(friction_goes_with_the_whole_blow),
        cmocka_unit_test(what_rests_stays),
        cmocka_unit_test(a_blow_gives_no_energy),
        cmocka_unit_test(bodies_come_to_rest),
        cmocka_unit_test(it_is_told_and_hashed_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
