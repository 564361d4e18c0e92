// Forces on bodies and particles, and gravity of single bodies: free bodies go as F/m says, forces end when they should, bodies wake,
// and what acts is state.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

// Two particles of 2 kg and 0.5 kg, 1 m apart.
static struct sim *pair(struct sim_settings settings)
{
    const double x[6] = {0, 0, 0, 1, 0, 0}, masses[2] = {2, 0.5};
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_points(x, 2, masses);
    scene_add(sim, &desc);
    return sim;
}

static void push_body(struct sim *sim, double x, double y, uint32_t ticks)
{
    const struct sim_body_force force = {.value = {x, y, 0}, .ticks = ticks};
    assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.force = &force}, &fault), FAULT_NONE);
}

static void push_particle(struct sim *sim, uint32_t particle, double x, uint32_t ticks)
{
    const double force[3] = {x, 0, 0};
    assert_int_equal(sim_particles_force(sim, 1, &particle, 1, force, ticks, &fault), FAULT_NONE);
}

static double speed_of(const struct sim *sim, uint32_t particle, int axis)
{
    float v[3];
    scene_velocity(sim, 1, particle, v);
    return (double)v[axis];
}

static void a_free_body_moves_as_force_over_mass_says(void **state)
{
    (void)state;
    for (uint32_t wind = 0; wind < 2; wind++) {
        struct sim_settings settings = scene_settings();
        settings.gravity[1] = -3;
        settings.wind.density = wind; // without triangles it only takes another kernel
        struct sim *sim = pair(settings);
        const uint32_t n = 60 * settings.substeps;
        const double h = 1.0 / n, way = 0.5 * h * h * n * (n + 1); // of 1 m/s^2 in the scheme, after a second
        push_body(sim, 5, 2.5, 0);                                 // 2 and 1 m/s^2
        push_particle(sim, 1, -0.75, 0);                           // and -1.5 on one of them
        scene_run(sim, 60);
        double at[2][3];
        for (uint32_t i = 0; i < 2; i++) {
            scene_position(sim, 1, i, at[i]);
            assert_near(speed_of(sim, i, 0), i == 0 ? 2 : 0.5, 2e-6);
            assert_near(speed_of(sim, i, 1), -2, 2e-6);
            assert_near(at[i][1], -2 * way, 1e-5);
        }
        assert_near(at[0][0], 2 * way, 1e-5);
        assert_near(at[1][0], 1 + 0.5 * way, 1e-5);
        sim_destroy(sim);
    }
}

static void a_force_on_a_body_counts_what_is_pinned_and_not_what_is_static(void **state)
{
    (void)state;
    const double x[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, masses[3] = {3, 1, 0};
    const uint32_t first = 0;
    struct sim *sim = scene_create(scene_still(100));
    struct sim_body_desc desc = scene_points(x, 3, masses);
    desc.pins = &first;
    desc.pin_count = 1;
    desc.force = (struct sim_body_force){.value = {8, 0, 0}};
    scene_add(sim, &desc);
    scene_run(sim, 100);
    assert_near(speed_of(sim, 0, 0), 0, 0);
    assert_near(speed_of(sim, 1, 0), 2, 2e-6);
    assert_near(speed_of(sim, 2, 0), 0, 0);
    sim_destroy(sim);
}

static void forces_end_when_their_time_is_over(void **state)
{
    (void)state;
    struct sim *sim = pair(scene_still(100));
    push_body(sim, 2.5, 0, 10);
    push_particle(sim, 0, 2, 20);
    push_particle(sim, 1, 1, 0);
    scene_run(sim, 50);
    assert_near(speed_of(sim, 0, 0), 0.1 + 0.2, 1e-6);
    assert_near(speed_of(sim, 1, 0), 0.1 + 1, 1e-6);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, 1, &info));
    assert_true(info.force_count == 1 && info.force.value[0] == 0 && info.force.ticks == 0);
    push_particle(sim, 1, 0, 0); // ends it
    scene_run(sim, 10);
    assert_near(speed_of(sim, 1, 0), 1.1, 1e-6);
    assert_true(sim_body_info(sim, 1, &info) && info.force_count == 0);
    sim_destroy(sim);
}

static void a_body_falls_by_its_own_gravity_and_the_others_as_the_world_says(void **state)
{
    (void)state;
    struct sim *sim = pair(scene_settings()), *plain = pair(scene_settings());
    const double x[3] = {5, 0, 0}, mass = 1;
    struct sim_body_desc desc = scene_points(x, 1, &mass);
    desc.gravity = (struct sim_own_gravity){.own = true, .value = {0, 1.62, 0}};
    const uint32_t other = scene_add(sim, &desc);
    scene_run(sim, 60);
    scene_run(plain, 60);
    float v[3];
    scene_velocity(sim, other, 0, v);
    assert_near((double)v[1], 1.62, 1e-6);
    assert_true(speed_of(sim, 0, 1) == speed_of(plain, 0, 1));
    // Back to the world's.
    const struct sim_own_gravity none = {.own = false, .value = {7, 7, 7}};
    assert_int_equal(sim_body_set(sim, other, &(struct sim_body_change){.gravity = &none}, &fault),
                     FAULT_NONE);
    scene_run(sim, 60);
    scene_velocity(sim, other, 0, v);
    assert_near((double)v[1], 1.62 - 9.81, 1e-5);
    sim_destroy(sim);
    sim_destroy(plain);
}

static void what_acts_and_is_taken_away_leaves_no_trace(void **state)
{
    (void)state;
    struct sim *sim = pair(scene_settings()), *plain = pair(scene_settings());
    const uint64_t before = sim_hash(sim);
    push_body(sim, 1, 0, 0);
    const uint64_t pushed = sim_hash(sim);
    push_particle(sim, 1, 1, 3);
    assert_true(pushed != before && sim_hash(sim) != pushed);
    push_body(sim, 0, 0, 4);
    push_particle(sim, 1, 0, 4);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 5);
    scene_run(plain, 5);
    assert_true(sim_hash(sim) == sim_hash(plain));
    sim_destroy(sim);
    sim_destroy(plain);
}

static void images_stills_and_bodies_that_come_back_have_their_forces(void **state)
{
    (void)state;
    struct sim *sim = pair(scene_settings());
    const struct sim_own_gravity gravity = {.own = true, .value = {0, 0, 1}};
    assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.gravity = &gravity}, &fault),
                     FAULT_NONE);
    push_body(sim, 1, 0, 6);
    push_particle(sim, 1, 2, 9);
    push_particle(sim, 0, 3, 0);
    scene_run(sim, 2);
    const uint64_t before = sim_hash(sim);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *twin = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(twin);
    assert_true(sim_hash(twin) == before);
    struct sim_still *still = sim_still_create(sim);
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    scene_run(sim, 12);
    scene_run(twin, 12);
    assert_true(sim_hash(sim_still_sim(still)) == before);
    const uint64_t after = sim_hash(sim);
    assert_true(after != before && sim_hash(twin) == after);
    sim_still_give_back(still, sim);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 12);
    assert_true(sim_hash(sim) == after);
    sim_still_destroy(still);
    // Removed and put back.
    struct sim_body_plan *plan =
        sim_body_prepare_again(&image.bodies[0], SCENE_Q, &scene_limits, &place, &fault);
    assert_non_null(plan);
    uint32_t *removed, count;
    assert_int_equal(sim_body_remove(twin, 1, &removed, &count, &fault), FAULT_NONE);
    free(removed);
    assert_int_equal(sim_body_restore(twin, plan, &fault), FAULT_NONE);
    assert_true(sim_hash(twin) == before);
    scene_run(twin, 12);
    assert_true(sim_hash(twin) == after);
    sim_image_deinit(&image);
    sim_destroy(twin);
    sim_destroy(sim);
}

static void forces_of_particles_are_put_back_one_by_one(void **state)
{
    (void)state;
    struct sim *sim = pair(scene_settings());
    const uint32_t both[2] = {1, 0};
    push_particle(sim, 1, 2, 9);
    const uint64_t before = sim_hash(sim);
    struct sim_restore_particles states;
    assert_int_equal(sim_restore_particles_take(sim, 1, both, 2, SIM_RESTORE_FORCES, &states, &fault),
                     FAULT_NONE);
    push_particle(sim, 0, 5, 0);
    push_particle(sim, 1, 6, 2);
    assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    states.particles[0].force[1] = NAN;
    assert_int_equal(sim_restore_particles_apply(sim, &states, &fault), FAULT_INVALID);
    assert_true(sim_hash(sim) == before);
    sim_restore_particles_deinit(&states);
    sim_destroy(sim);
}

static uint64_t first_hash;

static void look_at(enum sim_isa isa)
{
    sim_isa_choose(isa);
    const double origin[3] = {0, 0, 0};
    struct scene_mesh mesh = scene_grid(9, 7, 0.05, origin);
    struct sim_settings settings = scene_settings();
    settings.damping = 0.5;
    struct sim *sim = scene_create(settings);
    struct sim_body_desc desc = scene_cloth(&mesh);
    scene_add(sim, &desc);
    push_body(sim, 0.01, 0.02, 0);
    push_particle(sim, 7, 0.3, 0);
    push_particle(sim, 60, -0.2, 11);
    scene_run(sim, 20);
    const uint64_t hash = sim_hash(sim);
    assert_true(first_hash == 0 || hash == first_hash);
    first_hash = hash;
    scene_mesh_deinit(&mesh);
    sim_destroy(sim);
}

static void forces_have_the_same_bits_in_every_instruction_set(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa)) {
            look_at((enum sim_isa)isa);
        }
    }
    sim_isa_choose(chosen);
}

static bool sleeps(const struct sim *sim)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, 1, &info));
    return info.asleep;
}

static void a_body_wakes_when_a_force_begins_and_rests_under_one_that_lasts(void **state)
{
    (void)state;
    struct sim_settings settings = scene_still(60);
    settings.sleep = true;
    struct sim *sim = pair(settings);
    scene_run(sim, 70);
    assert_true(sleeps(sim));
    push_particle(sim, 0, 1e-9, 100); // too weak to be seen
    scene_run(sim, 90);
    assert_false(sleeps(sim)); // it ends some time, so it is looked at
    scene_run(sim, 90);
    assert_true(sleeps(sim));
    push_body(sim, 1e-9, 0, 0);
    scene_run(sim, 1);
    assert_false(sleeps(sim));
    scene_run(sim, 80);
    assert_true(sleeps(sim));
    sim_destroy(sim);
}

static void hostile_forces_are_refused_or_fail_the_world_with_a_reason(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, 1e39, -1e300};
    const uint32_t first = 0;
    struct sim *sim = pair(scene_settings());
    scene_run(sim, 1);
    const uint64_t before = sim_hash(sim);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const double force[3] = {0, bad[i], 0};
        const struct sim_body_force whole = {.value = {0, 0, bad[i]}};
        const struct sim_own_gravity gravity = {.own = true, .value = {bad[i], 0, 0}};
        assert_int_equal(sim_particles_force(sim, 1, &first, 1, force, 0, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "forces");
        assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.force = &whole}, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, "force");
        assert_int_equal(sim_body_set(sim, 1, &(struct sim_body_change){.gravity = &gravity}, &fault),
                         FAULT_INVALID);
        assert_string_equal(fault.field, "gravity");
    }
    const double one[3] = {1, 0, 0};
    assert_int_equal(sim_particles_force(sim, 1, &first, 1, one, SIM_FORCE_TICKS_MAX + 1, &fault),
                     FAULT_INVALID);
    assert_true(sim_hash(sim) == before);
    for (int way = 0; way < 4; way++) {
        struct sim_failure failure;
        push_body(sim, way == 0 ? 1e38 : 0, way == 1 ? -1e38 : 0, 0);
        push_particle(sim, 1, way >= 2 ? -1e38 : 0, 0);
        if (way == 3) {
            push_body(sim, 1e38, 0, 0); // against each other
        }
        const uint64_t hash = sim_hash(sim);
        sim_step(sim, NULL, NULL, &failure);
        assert_true(failure.failed && strstr(failure.text, "moved, in one tick, more than"));
        assert_int_equal(failure.body, 1);
        assert_true(sim_hash(sim) == hash);
    }
    push_body(sim, 0, 0, 0);
    push_particle(sim, 1, 0, 0);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 1);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_body_moves_as_force_over_mass_says),
        cmocka_unit_test(a_force_on_a_body_counts_what_is_pinned_and_not_what_is_static),
        cmocka_unit_test(forces_end_when_their_time_is_over),
        cmocka_unit_test(a_body_falls_by_its_own_gravity_and_the_others_as_the_world_says),
        cmocka_unit_test(what_acts_and_is_taken_away_leaves_no_trace),
        cmocka_unit_test(images_stills_and_bodies_that_come_back_have_their_forces),
        cmocka_unit_test(forces_of_particles_are_put_back_one_by_one),
        cmocka_unit_test(forces_have_the_same_bits_in_every_instruction_set),
        cmocka_unit_test(a_body_wakes_when_a_force_begins_and_rests_under_one_that_lasts),
        cmocka_unit_test(hostile_forces_are_refused_or_fail_the_world_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
