// Clamps whose pins follow a collider: what turns with it, and when that ends.
#include "helper_rod.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { SEGMENTS = 8 };

static struct fault fault;

struct held {
    struct rod rod;
    struct sim_collider box;
};

// A stiff rod along x without weight, whose first particle is pinned to a box around it and clamped.
static struct held hold(bool turns, bool direct)
{
    static const uint32_t first[] = {0};
    struct held held = {.box = {.kind = SIM_BOX,
                                .half_extents = {0.02, 0.02, 0.02},
                                .position = {-0.5, 0, 0},
                                .rotation = {0, 0, 0, 1}}};
    struct sim_settings settings = scene_settings();
    settings.gravity[1] = 0;
    settings.damping = 6;
    settings.substeps = 20;
    struct sim_rod given = rod_given(0.2, 0.2);
    given.direct = direct;
    rod_line(&held.rod, SEGMENTS, 1);
    rod_add(&held.rod, settings, &given, 0.1);
    rod_clamp(&held.rod, first, 1);
    struct sim *sim = held.rod.sim;
    assert_int_equal(sim_collider_add(sim, &held.box, &held.box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin_to(sim, held.rod.body, first, 1, held.box.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_clamp_turns(sim, held.rod.body, first, 1, turns, &fault), FAULT_NONE);
    return held;
}

// Turns the box about z by so many degrees in all, 6 degrees a tick, and waits.
static void turn(struct held *held, int degrees)
{
    for (int at = 6; at <= degrees; at += 6) {
        const double half = at * 3.14159265358979323846 / 360;
        held->box.rotation[2] = sin(half);
        held->box.rotation[3] = cos(half);
        assert_int_equal(sim_collider_set(held->rod.sim, &held->box, &fault), FAULT_NONE);
        scene_run(held->rod.sim, 1);
    }
    scene_run(held->rod.sim, 300);
}

// The rod stands half a metre beside the middle of the box, and goes with it along a quarter of a circle.
static void a_rod_turns_by_a_right_angle_with_its_collider(void **state)
{
    (void)state;
    for (int direct = 0; direct < 2; direct++) {
        struct held held = hold(true, direct);
        double root[3], tip[3];
        turn(&held, 90);
        scene_position(held.rod.sim, held.rod.body, 0, root);
        scene_position(held.rod.sim, held.rod.body, SEGMENTS, tip);
        assert_near(root[0], -0.5, 1e-6);
        assert_near(root[1], 0.5, 1e-6);
        assert_near(tip[0], -0.5, 1e-3);
        assert_near(tip[1], 1.5, 1e-3);
        assert_near(tip[2], 0, 1e-3);
        rod_end(&held.rod);
    }
}

static void a_clamp_that_does_not_turn_holds_as_it_was(void **state)
{
    (void)state;
    struct held held = hold(false, false);
    double root[3], tip[3];
    turn(&held, 90);
    scene_position(held.rod.sim, held.rod.body, 0, root);
    scene_position(held.rod.sim, held.rod.body, SEGMENTS, tip);
    assert_near(root[1], 0.5, 1e-6);
    assert_near(tip[0], 0.5, 1e-3);
    assert_near(tip[1], 0.5, 1e-3);
    rod_end(&held.rod);
}

static uint32_t turning(const struct held *held)
{
    uint32_t particles[SEGMENTS + 1];
    return sim_body_clamps(held->rod.sim, held->rod.body, true, particles);
}

// The angle of the first segment to x, rad.
static double angle(const struct held *held)
{
    double a[3], b[3];
    scene_position(held->rod.sim, held->rod.body, 0, a);
    scene_position(held->rod.sim, held->rod.body, 1, b);
    return atan2(b[1] - a[1], b[0] - a[0]);
}

static void it_holds_as_it_is_when_the_collider_goes(void **state)
{
    (void)state;
    struct held held = hold(true, false);
    turn(&held, 48);
    const double before = angle(&held);
    assert_near(before, 48 * 3.14159265 / 180, 1e-3);
    assert_int_equal(turning(&held), 1);
    assert_int_equal(sim_collider_remove(held.rod.sim, held.box.id, &fault), FAULT_NONE);
    assert_int_equal(turning(&held), 0);
    scene_run(held.rod.sim, 60);
    assert_near(angle(&held), before, 1e-3);
    rod_end(&held.rod);
}

static void pins_and_rotations_end_it_and_another_collider_goes_on(void **state)
{
    (void)state;
    static const uint32_t first[] = {0};
    struct held held = hold(true, false);
    struct sim *sim = held.rod.sim;
    struct sim_collider other = held.box;
    const double straight[] = {0, 0.7071, 0, 0.7071};
    assert_int_equal(sim_collider_add(sim, &other, &other.id, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin_to(sim, held.rod.body, first, 1, other.id, &fault), FAULT_NONE);
    assert_int_equal(turning(&held), 1);
    turn(&held, 30); // the first box
    assert_near(angle(&held), 0, 1e-6);
    assert_int_equal(sim_particles_clamp(sim, held.rod.body, first, 1, true, straight, &fault), FAULT_NONE);
    assert_int_equal(turning(&held), 0);
    assert_int_equal(sim_particles_clamp_turns(sim, held.rod.body, first, 1, true, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, held.rod.body, first, 1, NULL, &fault), FAULT_NONE);
    assert_int_equal(turning(&held), 0);
    assert_int_equal(sim_particles_clamp_turns(sim, held.rod.body, first, 1, true, &fault), FAULT_INVALID);
    assert_string_equal(fault.field, "clamp_turns");
    rod_end(&held.rod);
}

static void an_image_has_the_hash_and_the_future(void **state)
{
    (void)state;
    struct held held = hold(true, false);
    struct sim *sim = held.rod.sim;
    turn(&held, 24);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *copy = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(copy);
    sim_image_deinit(&image);
    assert_true(sim_hash(copy) == sim_hash(sim));
    held.box.rotation[0] = 0.3;
    assert_int_equal(sim_collider_set(sim, &held.box, &fault), FAULT_NONE);
    assert_int_equal(sim_collider_set(copy, &held.box, &fault), FAULT_NONE);
    scene_run(sim, 10);
    scene_run(copy, 10);
    assert_true(sim_hash(copy) == sim_hash(sim));
    sim_destroy(copy);
    rod_end(&held.rod);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_turns_by_a_right_angle_with_its_collider),
        cmocka_unit_test(a_clamp_that_does_not_turn_holds_as_it_was),
        cmocka_unit_test(it_holds_as_it_is_when_the_collider_goes),
        cmocka_unit_test(pins_and_rotations_end_it_and_another_collider_goes_on),
        cmocka_unit_test(an_image_has_the_hash_and_the_future),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
