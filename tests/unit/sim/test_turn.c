// Orientations of particles: how they turn by themselves, that nothing loses or changes them, and that all instruction sets come to
// the same bits.
#include "helper_scene.h"

#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

enum { COUNT = 37 };

static const double mass_of_all[COUNT] = {[0 ... COUNT - 1] = 1};

static struct sim_turned turned_of(const double q[4], double x, double y, double z, double inertia)
{
    struct sim_turned turned = {.spin = {(float)x, (float)y, (float)z},
                                .w = inertia > 0 ? (float)(1 / inertia) : 0};
    sim_turn_from(q, turned.q);
    return turned;
}

static double places[COUNT][3];

// Points with these orientations.
static uint32_t add_turned(struct sim *sim, const struct sim_turned *turned, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        places[i][0] = i;
    }
    struct sim_body_desc desc = scene_points(places[0], count, mass_of_all);
    desc.turned = turned;
    return scene_add(sim, &desc);
}

// Random ones, the last of which has none, and every fifth of which is held.
static void random_turned(struct sim_turned turned[COUNT])
{
    uint64_t seed = 77;
    for (uint32_t i = 0; i < COUNT; i++) {
        double q[4];
        for (int k = 0; k < 4; k++) {
            q[k] = scene_uniform(&seed) - 0.5;
        }
        turned[i] = turned_of(q, 40 * scene_uniform(&seed) - 20, 40 * scene_uniform(&seed) - 20,
                              40 * scene_uniform(&seed) - 20, i % 5 == 4 ? 0 : 1e-3);
        if (i % 5 == 4) {
            memset(turned[i].spin, 0, sizeof turned[i].spin);
        }
    }
    turned[COUNT - 1] = (struct sim_turned){.q = {0}};
}

static void assert_same(const struct sim_turned *a, const struct sim_turned *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(a[i].q, b[i].q, sizeof a[i].q);
        assert_memory_equal(a[i].spin, b[i].spin, sizeof a[i].spin);
        assert_memory_equal(&a[i].w, &b[i].w, sizeof a[i].w);
    }
}

// The Cayley map by hand: qa turned with (3, -2, 5) rad/s for 1/1200 s.
static void an_orientation_goes_as_the_cayley_map_says_and_keeps_its_spin(void **state)
{
    (void)state;
    const double q[4] = {0.1, -0.2, 0.05, 1};
    const double after[4] = {0.0990576621, -0.19561756, 0.0506051033, 0.974351309};
    struct sim *sim = scene_create(scene_still(1200));
    const struct sim_turned turned = turned_of(q, 3, -2, 5, 0.1);
    const uint32_t body = add_turned(sim, &turned, 1);
    float rotation[4];
    struct sim_turned now;
    sim_body_rotations(sim, body, 0, 1, rotation);
    assert_near((double)rotation[3], 0.974740358, 1e-7);
    assert_true(sim_body_turns(sim, body));
    scene_run(sim, 1);
    double exact[4];
    sim_body_rotations64(sim, body, 0, 1, exact);
    sim_body_turned(sim, body, 0, 1, &now);
    for (int k = 0; k < 4; k++) {
        assert_true(exact[k] == now.q[k] * 0x1p-30);
        assert_near(now.q[k] * 0x1p-30, after[k], 3e-9);
    }
    assert_memory_equal(now.spin, turned.spin, sizeof now.spin);
    sim_destroy(sim);
}

// A whole number of turns in so many ticks would bring it back; the angle of each substep is 2 atan(h w/2).
static void a_spin_lasts_and_the_angle_is_that_of_its_substeps(void **state)
{
    (void)state;
    const double one[4] = {0, 0, 0, 1}, speeds[] = {0.01, 100, 300};
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    for (int s = 0; s < 3; s++) {
        struct sim *sim = scene_create(settings);
        const struct sim_turned turned = turned_of(one, 0, speeds[s], 0, 2e-5);
        const uint32_t body = add_turned(sim, &turned, 1);
        struct sim_turned now;
        scene_run(sim, 600);
        sim_body_turned(sim, body, 0, 1, &now);
        const double angle = 12000 * 2 * atan(speeds[s] / 2400);
        const double apart = fabs(now.q[1] * 0x1p-30 * cos(angle / 2) - now.q[3] * 0x1p-30 * sin(angle / 2));
        assert_near((double)now.spin[1], speeds[s], 1e-5 * speeds[s]);
        assert_near(apart, 0, 2e-3 * (speeds[s] < 1 ? 1e-2 : 1));
        double length2 = 0;
        for (int k = 0; k < 4; k++) {
            length2 += now.q[k] * 0x1p-30 * (now.q[k] * 0x1p-30);
        }
        assert_near(length2, 1, 2e-6);
        sim_destroy(sim);
    }
}

static void damping_slows_a_spin_as_it_slows_a_velocity(void **state)
{
    (void)state;
    const double one[4] = {0, 0, 0, 1};
    struct sim_settings settings = scene_settings();
    settings.damping = 0.5;
    struct sim *sim = scene_create(settings);
    const struct sim_turned turned = turned_of(one, 1, 2, -3, 1);
    const uint32_t body = add_turned(sim, &turned, 1);
    struct sim_turned now;
    scene_run(sim, 60);
    sim_body_turned(sim, body, 0, 1, &now);
    for (int axis = 0; axis < 3; axis++) {
        assert_near((double)(now.spin[axis] / turned.spin[axis]), pow(1 + 0.5 / 600, -600), 1e-5);
    }
    sim_destroy(sim);
}

static void what_is_held_stays_bit_for_bit_and_signs_are_one(void **state)
{
    (void)state;
    struct sim_turned turned[COUNT], now[COUNT];
    random_turned(turned);
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_turned(sim, turned, COUNT);
    for (int tick = 0; tick < 60; tick++) {
        scene_run(sim, 1);
        sim_body_turned(sim, body, 0, COUNT, now);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (i % 5 == 4 || i == COUNT - 1) {
                assert_same(&turned[i], &now[i], 1);
            } else {
                assert_true(memcmp(turned[i].q, now[i].q, sizeof now[i].q) != 0);
                assert_true(now[i].q[3] >= 0);
            }
        }
    }
    assert_true(fabs((double)turned[0].spin[0] - (double)now[0].spin[0]) < 1e-4);
    sim_destroy(sim);
}

static void a_sign_is_that_of_the_first_number_that_is_not_0(void **state)
{
    (void)state;
    const int32_t given[][4] = {{1, 2, 3, -4}, {-1, 2, 3, 0}, {0, -2, 3, 0}, {0, 0, -3, 0}, {1, -2, 3, 4}};
    const int32_t wanted[][4] = {{-1, -2, -3, 4}, {1, -2, -3, 0}, {0, 2, -3, 0}, {0, 0, 3, 0}, {1, -2, 3, 4}};
    for (int i = 0; i < 5; i++) {
        int32_t q[4];
        memcpy(q, given[i], sizeof q);
        sim_turn_sign(q);
        assert_memory_equal(q, wanted[i], sizeof q);
    }
}

static void all_instruction_sets_turn_alike(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    struct sim_turned turned[COUNT];
    uint64_t hash = 0;
    random_turned(turned);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        sim_isa_choose((enum sim_isa)isa);
        struct sim *sim = scene_create(scene_settings());
        add_turned(sim, turned, COUNT);
        scene_run(sim, 30);
        hash = hash == 0 ? sim_hash(sim) : hash;
        assert_true(hash == sim_hash(sim));
        sim_destroy(sim);
    }
    sim_isa_choose(chosen);
}

static void orientations_are_in_hash_image_and_still_and_a_reset_puts_them_back(void **state)
{
    (void)state;
    struct sim_turned turned[COUNT], now[COUNT], other[COUNT];
    random_turned(turned);
    struct sim *sim = scene_create(scene_settings());
    add_turned(sim, NULL, 3); // rows before its own have none
    const uint32_t body = add_turned(sim, turned, COUNT);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info) && info.turns);
    assert_true(sim_body_info(sim, 1, &info) && !info.turns);
    scene_run(sim, 7);
    sim_body_turned(sim, body, 0, COUNT, now);
    const uint64_t hash = sim_hash(sim);

    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(made);
    sim_image_deinit(&image);
    assert_true(sim_hash(made) == hash);

    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    sim_still_begin(still, sim);
    scene_run(sim, 5);
    while (!sim_still_go_on(still, 8)) {
    }
    sim_still_end(still);
    assert_true(sim_hash(sim_still_sim(still)) == hash);
    scene_run(made, 5);
    assert_true(sim_hash(made) == sim_hash(sim) && sim_hash(sim) != hash);
    sim_still_give_back(still, sim);
    sim_still_destroy(still);
    assert_true(sim_hash(sim) == hash);

    // One bit of one of them is another hash, and comes back.
    struct sim_restore_particles states;
    const uint32_t one[] = {1};
    assert_int_equal(sim_restore_particles_take(sim, body, one, 1, SIM_RESTORE_TURNS, &states, &fault),
                     FAULT_NONE);
    states.particles[0].turned.q[0] ^= 1;
    assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != hash);
    states.particles[0].turned.q[0] ^= 1;
    assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == hash);
    states.particles[0].turned.q[0] += 1 << 28;
    assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_INVALID);
    sim_restore_particles_deinit(&states);

    sim_reset(sim);
    sim_body_turned(sim, body, 0, COUNT, other);
    assert_same(turned, other, COUNT);
    sim_destroy(made);
    sim_destroy(sim);
}

static void a_body_that_is_put_back_turns_on(void **state)
{
    (void)state;
    struct sim_turned turned[COUNT];
    random_turned(turned);
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_turned(sim, turned, COUNT);
    scene_run(sim, 7);
    const uint64_t hash = sim_hash(sim);
    struct sim_next_ids next;
    struct sim_image image;
    struct sim_image_place place;
    const struct sim_parts parts = {.bodies = &body, .body_count = 1};
    sim_next_ids(sim, &next);
    assert_true(sim_image_take_parts(sim, &parts, &image));
    uint32_t *removed = NULL, removed_count = 0;
    assert_int_equal(sim_body_remove(sim, body, &removed, &removed_count, &fault), FAULT_NONE);
    free(removed);
    scene_run(sim, 1);
    struct sim_body_plan *plan =
        sim_body_prepare_again(&image.bodies[0], SCENE_Q, &scene_limits, &place, &fault);
    assert_non_null(plan);
    sim_image_deinit(&image);
    assert_int_equal(sim_body_restore(sim, plan, &fault), FAULT_NONE);
    assert_int_equal(sim_next_ids_set(sim, &next, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == hash);
    sim_destroy(sim);
}

static void a_tick_that_fails_gives_orientations_back(void **state)
{
    (void)state;
    struct sim_turned turned[COUNT], now[COUNT];
    random_turned(turned);
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_turned(sim, turned, COUNT);
    const uint32_t first[] = {0};
    const float fast[3] = {1e6f, 0, 0};
    struct sim_failure failure;
    assert_int_equal(sim_particles_set(sim, body, first, 1, NULL, fast, NULL, &fault), FAULT_NONE);
    assert_true(sim_step(sim, NULL, NULL, &failure) && failure.failed);
    sim_body_turned(sim, body, 0, COUNT, now);
    assert_same(turned, now, COUNT);
    sim_destroy(sim);
}

static void bodies_with_bad_orientations_are_refused(void **state)
{
    (void)state;
    const double one[4] = {0, 0, 0, 1};
    struct sim_turned good = turned_of(one, 0, 0, 0, 1), bad[6];
    for (int i = 0; i < 6; i++) {
        bad[i] = good;
    }
    bad[0].q[3] -= 1 << 20;
    bad[1].spin[1] = NAN;
    bad[2].spin[1] = 1e7f;
    bad[3].w = -1;
    bad[4].w = INFINITY;
    bad[5].q[3] = INT32_MIN;
    for (int i = 0; i < 6; i++) {
        struct sim_body_desc desc = scene_points(places[0], 1, mass_of_all);
        desc.turned = &bad[i];
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
        assert_int_equal(fault.code, FAULT_INVALID);
        assert_string_equal(fault.field, "turned");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_orientation_goes_as_the_cayley_map_says_and_keeps_its_spin),
        cmocka_unit_test(a_spin_lasts_and_the_angle_is_that_of_its_substeps),
        cmocka_unit_test(damping_slows_a_spin_as_it_slows_a_velocity),
        cmocka_unit_test(what_is_held_stays_bit_for_bit_and_signs_are_one),
        cmocka_unit_test(a_sign_is_that_of_the_first_number_that_is_not_0),
        cmocka_unit_test(all_instruction_sets_turn_alike),
        cmocka_unit_test(orientations_are_in_hash_image_and_still_and_a_reset_puts_them_back),
        cmocka_unit_test(a_body_that_is_put_back_turns_on),
        cmocka_unit_test(a_tick_that_fails_gives_orientations_back),
        cmocka_unit_test(bodies_with_bad_orientations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
