// Worlds that blow up stop, say where, and are mended by a reset.
#include "helper_scene.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static struct sim_failure step(struct sim *sim)
{
    struct sim_failure failure;
    sim_step(sim, NULL, NULL, &failure);
    return failure;
}

static uint32_t add_three(struct sim *sim)
{
    const double positions[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    struct sim_body_desc desc = scene_points(positions, 3, NULL);
    return scene_add(sim, &desc);
}

static void a_move_of_more_than_4_m_in_a_tick_fails_and_reset_mends(void **state)
{
    (void)state;
    const float speeds[] = {250, -1e5f, 3e38f, -3e38f};
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(scene_settings());
        add_three(sim);
        uint32_t body = add_three(sim), particle = 1;
        uint64_t good = sim_hash(sim);
        const float v[3] = {0, 0, speeds[i]};
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
        struct sim_failure failure = step(sim);
        assert_true(failure.failed);
        assert_int_equal(failure.body, body);
        assert_int_equal(failure.particle, 1);
        assert_non_null(strstr(failure.text, "4 m"));
        sim_reset(sim);
        assert_true(sim_hash(sim) == good);
        assert_false(step(sim).failed);
        sim_destroy(sim);
    }
}

static void count_substep(void *context, uint32_t substep)
{
    *(uint32_t *)context = substep;
}

// Without a watcher, the end of a substep and the beginning of the next are one pass. Returns the last good substep, of
// 60, of a world that throws its second of three points out.
static uint32_t fails_after(float speed, double link)
{
    struct sim *sims[2];
    struct sim_failure failures[2];
    uint32_t substeps = 0;
    for (int watched = 0; watched < 2; watched++) {
        struct sim_settings settings = scene_still(60);
        settings.substeps = 60;
        sims[watched] = scene_create(settings);
        uint32_t body = add_three(sims[watched]), particle = 1;
        for (uint32_t end = 0; link > 0 && end < 3; end += 2) {
            scene_link(sims[watched], body, 1, end, link, 1e6, 0);
        }
        const float v[3] = {0, speed, 0};
        assert_int_equal(sim_particles_set(sims[watched], body, &particle, 1, NULL, v, NULL, &fault),
                         FAULT_NONE);
        const struct sim_hooks hooks = {.context = &substeps, .on_substep = count_substep};
        for (int tick = 0; tick < 10 && !(tick > 0 && failures[watched].failed); tick++) {
            sim_step(sims[watched], NULL, watched ? &hooks : NULL, &failures[watched]);
        }
    }
    assert_true(failures[0].failed);
    assert_memory_equal(&failures[0], &failures[1], sizeof failures[0]);
    assert_true(sim_hash(sims[0]) == sim_hash(sims[1]));
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
    return substeps;
}

static void a_world_fails_alike_whether_its_substeps_are_watched_or_not(void **state)
{
    (void)state;
    assert_int_equal(fails_after(250, 0), 57);
    assert_int_equal(fails_after(301, 0), 47);
    assert_int_equal(fails_after(1000, 0), 14);
    assert_int_equal(fails_after(4000, 0), 3);
    assert_int_equal(fails_after(1e5f, 0), 0);
    assert_int_equal(fails_after(3e38f, 0), 0);
    uint32_t torn = fails_after(200, 1);
    assert_true(torn > 0 && torn < 60);
}

static void just_less_than_4_m_in_a_tick_is_all_right(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    uint32_t body = add_three(sim), particle = 1;
    const float v[3] = {239.9f, -239.9f, 0};
    assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
    scene_run(sim, 600);
    double x[3];
    scene_position(sim, body, 1, x);
    assert_near(x[0], 1 + 2399, 1e-2);
    sim_destroy(sim);
}

static void a_stretch_of_more_than_12_m_fails_at_its_constraint(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    const double positions[9] = {0, 0, 0, 7, 0, 0, 7, 7, 0}, masses[3] = {1, 1, 1};
    const uint32_t edges[4] = {0, 1, 1, 2};
    struct sim_body_desc desc = scene_rope(positions, 3, edges, 2, masses);
    desc.stretch.compliance = 1e6;
    const float velocities[9] = {-200, 0, 0, 200, 0, 0, 200, 0, 0};
    desc.velocities = velocities;
    uint32_t body = scene_add(sim, &desc);
    uint64_t good = sim_hash(sim);
    struct sim_failure failure = {0};
    for (int tick = 0; tick < 2 && !failure.failed; tick++) {
        failure = step(sim);
    }
    assert_true(failure.failed);
    assert_int_equal(failure.body, body);
    assert_true(failure.particle <= 1);
    assert_non_null(strstr(failure.text, "12 m"));
    sim_reset(sim);
    assert_true(sim_hash(sim) == good);
    sim_destroy(sim);
}

static void a_stretched_link_between_bodies_is_named_too(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    add_three(sim);
    uint32_t a = add_three(sim), b = add_three(sim), first;
    const uint32_t bodies[2] = {a, b}, particles[2] = {2, 0};
    const double soft = 1e6;
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles,
                                         &(struct sim_constraint_values){.compliance = &soft}, &first,
                                         &fault),
                     FAULT_NONE);
    const float v[3] = {100, 0, 0};
    const uint32_t particle = 2;
    assert_int_equal(sim_particles_set(sim, a, &particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
    struct sim_failure failure = {0};
    for (int tick = 0; tick < 20 && !failure.failed; tick++) {
        failure = step(sim);
    }
    assert_true(failure.failed);
    assert_true((failure.body == a && failure.particle == 2) || (failure.body == b && failure.particle == 0));
    sim_destroy(sim);
}

// Low words wrap at 32 m: such a span must not pass for none.
static void a_particle_placed_32_m_off_does_not_look_near(void **state)
{
    (void)state;
    const double places[] = {12.5, 31, 32, 33, 64, 1000};
    for (int i = 0; i < 6; i++) {
        struct sim *sim = scene_create(scene_still(60));
        uint32_t body = add_three(sim);
        scene_link(sim, body, 0, 1, 1, 0, 0);
        const uint32_t particle = 1;
        const double far[3] = {1 + places[i], 0, 0}, near[3] = {1, 0.5, 0};
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, far, NULL, NULL, &fault), FAULT_NONE);
        struct sim_failure failure = step(sim);
        assert_true(failure.failed);
        assert_int_equal(failure.body, body);
        assert_non_null(strstr(failure.text, "12 m"));
        assert_true(step(sim).failed); // until it is mended
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, near, NULL, NULL, &fault), FAULT_NONE);
        assert_false(step(sim).failed);
        assert_int_equal(sim_particles_set(sim, body, &particle, 1, far, NULL, NULL, &fault), FAULT_NONE);
        assert_true(step(sim).failed);
        sim_reset(sim);
        assert_false(step(sim).failed);
        sim_destroy(sim);
    }
}

static void a_coordinate_past_the_extent_fails(void **state)
{
    (void)state;
    struct sim_settings settings = scene_still(60);
    settings.extent = 10;
    struct sim *sim = scene_create(settings);
    add_three(sim);
    uint32_t body = add_three(sim), particle = 2;
    const float v[3] = {0, -60, 0};
    assert_int_equal(sim_particles_set(sim, body, &particle, 1, NULL, v, NULL, &fault), FAULT_NONE);
    scene_run(sim, 10);
    struct sim_failure failure = step(sim);
    assert_true(failure.failed);
    assert_int_equal(failure.body, body);
    assert_int_equal(failure.particle, 2);
    assert_non_null(strstr(failure.text, "extent of 10 m"));
    sim_reset(sim);
    assert_false(step(sim).failed);
    sim_destroy(sim);
}

static void a_huge_force_between_two_particles_fails_and_does_not_wrap(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(60));
    uint32_t body = add_three(sim);
    scene_link(sim, body, 0, 1, 8, 0, 0);
    scene_link(sim, body, 1, 2, 8, 0, 0);
    scene_link(sim, body, 0, 2, 8, 0, 0);
    bool failed = false;
    for (int tick = 0; tick < 30; tick++) {
        failed = failed || step(sim).failed;
    }
    assert_true(failed);
    sim_reset(sim);
    double x[3];
    scene_position(sim, body, 1, x);
    assert_true(x[0] == 1);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_of_more_than_4_m_in_a_tick_fails_and_reset_mends),
        cmocka_unit_test(a_world_fails_alike_whether_its_substeps_are_watched_or_not),
        cmocka_unit_test(just_less_than_4_m_in_a_tick_is_all_right),
        cmocka_unit_test(a_stretch_of_more_than_12_m_fails_at_its_constraint),
        cmocka_unit_test(a_stretched_link_between_bodies_is_named_too),
        cmocka_unit_test(a_particle_placed_32_m_off_does_not_look_near),
        cmocka_unit_test(a_coordinate_past_the_extent_fails),
        cmocka_unit_test(a_huge_force_between_two_particles_fails_and_does_not_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
