// A collider that teleports moves nothing. Any other jump throws cloth no faster than colliders may go, and fails no world.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static double fastest_of(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    double fastest = 0;
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t i = 0; i < info.particle_count; i++) {
        float v[3];
        scene_velocity(sim, body, i, v);
        double speed = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

// A curtain of 20 cm in the y z plane, held along its top, and a collider that is somewhere.
struct scene {
    struct sim *sim;
    uint32_t body;
    struct sim_collider collider;
};

static struct scene scene_of(const struct sim_collider *collider, bool meets)
{
    static uint32_t pins[11];
    struct scene scene = {.sim = scene_create(sheet_settings(20)), .collider = *collider};
    struct sheet sheet = sheet_of(11, 2, 1, 0, 0, -0.1);
    struct fault fault;
    for (uint32_t i = 0; i < 11; i++) {
        pins[i] = 110 + i;
    }
    sheet.pins = pins;
    sheet.pin_count = 11;
    sheet.meeting = meets ? sheet_meets : (struct sim_meeting){0};
    scene.body = sheet_add(scene.sim, &sheet);
    assert_int_equal(sim_collider_add(scene.sim, collider, &scene.collider.id, &fault), FAULT_NONE);
    scene_run(scene.sim, 1);
    return scene;
}

static void scene_put(struct scene *scene, double x, bool teleport)
{
    struct fault fault;
    scene->collider.position[0] = x;
    scene->collider.teleport = teleport;
    assert_int_equal(sim_collider_set(scene->sim, &scene->collider, &fault), FAULT_NONE);
    scene_run(scene->sim, 1);
}

static void a_jump_throws_cloth_no_faster_than_a_collider_may_go(void **state)
{
    (void)state;
    static const struct sim_collider colliders[] = {
        {.kind = SIM_SPHERE, .radius = 0.2, .position = {-1, 0.05, 0.01}, .friction = 0.5},
        {.kind = SIM_CAPSULE, .radius = 0.05, .length = 0.2, .position = {-1, 0.05, 0}, .friction = 0.5},
        {.kind = SIM_BOX, .half_extents = {0.1, 0.1, 0.1}, .position = {-1, 0.05, 0}, .friction = 0.5},
    };
    static const double ways[] = {2, 10, 300};
    for (int i = 0; i < 3 * 3 * 2; i++) {
        struct scene scene = scene_of(&colliders[i % 3], i / 9 != 0);
        scene_put(&scene, ways[i / 3 % 3] - 1, false);
        for (int t = 0; t < 10; t++) {
            assert_true(fastest_of(scene.sim, scene.body) < 2 * SIM_COLLIDER_SPEED_MAX);
            scene_run(scene.sim, 1);
        }
        sim_destroy(scene.sim);
    }
}

// A bar of 4 m that is turned by 150 degrees in a tick would have ends at 300 m/s.
static void a_jump_of_the_rotation_throws_no_faster_either(void **state)
{
    (void)state;
    static const struct sim_collider bar = {.kind = SIM_BOX,
                                            .half_extents = {0.05, 2, 0.1},
                                            .position = {-1.5, 0.05, 0},
                                            .rotation = {0, 0, -0.130526192220052, 0.991444861373810},
                                            .friction = 0.5};
    static const double turned[4] = {0, 0, -0.991444861373810, 0.130526192220052};
    struct scene scene = scene_of(&bar, true);
    memcpy(scene.collider.rotation, turned, sizeof turned);
    scene_put(&scene, -1.5, false);
    for (int t = 0; t < 10; t++) {
        assert_true(fastest_of(scene.sim, scene.body) < 2 * SIM_COLLIDER_SPEED_MAX);
        scene_run(scene.sim, 1);
    }
    sim_destroy(scene.sim);
}

static void a_path_of_keyframes_that_jumps_is_bounded_as_well(void **state)
{
    (void)state;
    static const struct sim_collider ball = {
        .kind = SIM_SPHERE, .radius = 0.2, .position = {-1, 0.05, 0.01}, .friction = 0.5};
    static const double times[] = {0, 0.05, 0.066, 0.2}, offsets[] = {0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0};
    struct scene scene = scene_of(&ball, true);
    struct sim_motion motion = {
        .collider = scene.collider.id, .key_count = 4, .times = times, .offsets = offsets};
    struct fault fault;
    uint32_t id;
    assert_int_equal(sim_motion_add(scene.sim, &motion, &id, &fault), FAULT_NONE);
    for (int t = 0; t < 20; t++) {
        scene_run(scene.sim, 1);
        assert_true(fastest_of(scene.sim, scene.body) < 2 * SIM_COLLIDER_SPEED_MAX);
    }
    struct sim_collider now;
    sim_collider_at(scene.sim, 0, &now);
    assert_near(now.position[0], 1, 1e-6);
    sim_destroy(scene.sim);
}

// A sheet on a box that slides away under it is dragged along, and stays where it is if the box teleports.
static void what_teleports_carries_nothing_along(void **state)
{
    (void)state;
    for (int teleport = 0; teleport < 2; teleport++) {
        struct sim *sim = scene_create(sheet_settings(20));
        struct sim_collider box = {.kind = SIM_BOX,
                                   .half_extents = {1, 0.1, 1},
                                   .position = {0, -0.1 - SHEET_THICK, 0},
                                   .friction = 0.5};
        struct sheet sheet = sheet_of(5, 0, 2, -0.04, 0, -0.04);
        struct fault fault;
        uint32_t body = sheet_add(sim, &sheet);
        assert_int_equal(sim_collider_add(sim, &box, &box.id, &fault), FAULT_NONE);
        scene_run(sim, 5);
        box.position[0] = 0.2;
        box.teleport = teleport != 0;
        assert_int_equal(sim_collider_set(sim, &box, &fault), FAULT_NONE);
        scene_run(sim, 1);
        double x = sheet_mean(sim, body, 0);
        assert_true(teleport ? fabs(x) < 1e-6 : x > 1e-4);
        // And through a curtain it goes without touching it.
        sim_destroy(sim);
    }
    static const struct sim_collider ball = {
        .kind = SIM_SPHERE, .radius = 0.2, .position = {-1, 0.05, 0.01}, .friction = 0.5};
    struct scene scene = scene_of(&ball, true);
    scene_put(&scene, 1, true);
    assert_true(fastest_of(scene.sim, scene.body) < 0.5);
    assert_true(fabs(sheet_mean(scene.sim, scene.body, 0)) < 1e-3);
    sim_destroy(scene.sim);
}

// At the next boundary it is there, and nothing of the jump is left for an image.
static void what_teleported_is_there_at_once(void **state)
{
    (void)state;
    static const struct sim_collider ball = {
        .kind = SIM_SPHERE, .radius = 0.2, .position = {-1, 0.05, 0.01}, .friction = 0.5};
    struct scene moved = scene_of(&ball, true), put = scene_of(&ball, true), still;
    struct fault fault;
    moved.collider.position[0] = put.collider.position[0] = 1;
    put.collider.teleport = true;
    assert_int_equal(sim_collider_set(moved.sim, &moved.collider, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_set(put.sim, &put.collider, &fault), FAULT_NONE);
    assert_int_not_equal(sim_hash(moved.sim), sim_hash(put.sim)); // one is under way
    // Another edit that leaves the pose as it is does not take it back.
    put.collider.teleport = false;
    put.collider.friction = 0.25;
    assert_int_equal(sim_collider_set(put.sim, &put.collider, &fault), FAULT_NONE);
    scene_run(put.sim, 1);
    assert_true(fastest_of(put.sim, put.body) < 0.5);
    still = scene_of(&ball, true);
    scene_run(still.sim, 1);
    assert_near(sheet_mean(put.sim, put.body, 1), sheet_mean(still.sim, still.body, 1), 1e-6);
    sim_destroy(moved.sim);
    sim_destroy(put.sim);
    sim_destroy(still.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_jump_throws_cloth_no_faster_than_a_collider_may_go),
        cmocka_unit_test(a_jump_of_the_rotation_throws_no_faster_either),
        cmocka_unit_test(a_path_of_keyframes_that_jumps_is_bounded_as_well),
        cmocka_unit_test(what_teleports_carries_nothing_along),
        cmocka_unit_test(what_teleported_is_there_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
