// Motions: where they take colliders and pins, what adds to them, and how they begin and end.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_fault fault;

static uint32_t add(struct sim *sim, const struct sim_motion *motion)
{
    uint32_t id = 0;
    if (sim_motion_add(sim, motion, &id, &fault) != SIM_OK) {
        fail_msg("%s", fault.text);
    }
    return id;
}

static double height(const struct sim *sim)
{
    struct sim_collider collider;
    sim_collider_at(sim, 0, &collider);
    return collider.position[1];
}

static void keyframes_are_joined_by_lines(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double times[3] = {0.1, 0.2, 0.4}, offsets[9] = {0, 1, 0, 0, 2, 0, 0, 0, 0};
    uint32_t ball = scene_sphere(sim, (const double[3]){0, 10, 0}, 1, 0);
    add(sim, &(struct sim_motion){.collider = ball, .times = times, .offsets = offsets, .key_count = 3});
    for (uint32_t tick = 1; tick <= 30; tick++) { // 60 a second
        double t = tick / 60.0;
        double f = t <= 0.1 ? 1 : t <= 0.2 ? 1 + (t - 0.1) / 0.1 : t <= 0.4 ? 2 - (t - 0.2) / 0.1 : 0;
        scene_run(sim, 1);
        assert_near(height(sim), 10 + f - 1, 2 * SCENE_Q); // from where it was
    }
    sim_destroy(sim);
}

static void a_loop_ends_where_it_began(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double times[3] = {0, 1.0 / 3, 0.5}, offsets[9] = {0, 0, 0, 1.0 / 3, 0.1, -7.0 / 9, 0, 0, 0};
    uint32_t ball = scene_sphere(sim, (const double[3]){1.0 / 3, 10, 0}, 1, 0);
    struct sim_collider before, now;
    add(sim, &(struct sim_motion){
                 .collider = ball, .times = times, .offsets = offsets, .key_count = 3, .loop = true});
    sim_collider_at(sim, 0, &before);
    for (uint32_t turn = 0; turn < 50; turn++) {
        scene_run(sim, 7);
        sim_collider_at(sim, 0, &now);
        assert_true(now.position[0] != before.position[0]);
        scene_run(sim, 23);
        sim_collider_at(sim, 0, &now);
        assert_memory_equal(now.position, before.position, sizeof now.position);
    }
    sim_destroy(sim);
}

static void edits_add_to_a_motion(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double times[2] = {0, 1}, offsets[6] = {0, 0, 0, 0, 6, 0};
    uint32_t ball = scene_sphere(sim, (const double[3]){0, 0, 0}, 1, 0);
    add(sim, &(struct sim_motion){.collider = ball, .times = times, .offsets = offsets, .key_count = 2});
    scene_run(sim, 10);
    assert_near(height(sim), 1, SCENE_Q);
    struct sim_collider collider;
    sim_collider_at(sim, 0, &collider);
    collider.position[1] = 100;
    assert_int_equal(sim_collider_set(sim, &collider, &fault), SIM_OK);
    scene_run(sim, 10);
    assert_near(height(sim), 101, 2 * SCENE_Q);
    sim_destroy(sim);
}

static void pins_are_moved_and_free_particles_are_not(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    memset(settings.gravity, 0, sizeof settings.gravity);
    struct sim *sim = scene_create(settings);
    const double positions[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, masses[3] = {1, 1, 1};
    const uint32_t pins[2] = {0, 2}, all[3] = {2, 0, 1};
    const double times[2] = {0, 0.5}, offsets[6] = {0, 0, 0, 3, 0, -1.5};
    struct sim_body_desc desc = scene_points(positions, 3, masses);
    double x[3];
    float v[3];
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc);
    add(sim, &(struct sim_motion){.body = body,
                                  .particles = all,
                                  .particle_count = 3,
                                  .times = times,
                                  .offsets = offsets,
                                  .key_count = 2});
    scene_run(sim, 15);
    scene_position(sim, body, 2, x);
    assert_near(x[0], 2 + 1.5, SCENE_Q);
    assert_near(x[2], -0.75, SCENE_Q);
    scene_velocity(sim, body, 2, v);
    assert_near((double)v[0], 6, 1e-4);
    scene_position(sim, body, 1, x);
    assert_true(x[0] == 1);
    // Let go it flies on; pinned again it goes along from where it is.
    const uint32_t one = 2;
    assert_int_equal(sim_particles_unpin(sim, body, &one, 1, &fault), SIM_OK);
    scene_run(sim, 30);
    scene_position(sim, body, 2, x);
    assert_near(x[0], 2 + 1.5 + 3, 1e-4);
    scene_position(sim, body, 0, x);
    assert_near(x[0], 3, SCENE_Q);
    sim_destroy(sim);
}

static void a_reset_begins_them_again(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[3] = {0, 5, 0}, masses[1] = {1};
    const uint32_t pin = 0;
    const double times[3] = {0, 0.1, 0.35}, offsets[9] = {0.5, 0, 0, 0, 1.0 / 3, 0, 0, 0, 2};
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    desc.pins = &pin;
    desc.pin_count = 1;
    uint32_t body = scene_add(sim, &desc), ball = scene_sphere(sim, (const double[3]){0, 2, 0}, 0.5, 0);
    struct sim_motion motion = {
        .collider = ball, .times = times, .offsets = offsets, .key_count = 3, .loop = true};
    add(sim, &motion);
    motion.collider = 0;
    motion.body = body;
    motion.particles = &pin;
    motion.particle_count = 1;
    add(sim, &motion);
    uint64_t hashes[20], start = sim_hash(sim);
    for (uint32_t t = 0; t < 20; t++) {
        scene_run(sim, 1);
        hashes[t] = sim_hash(sim);
        assert_true(t == 0 || hashes[t] != hashes[t - 1]);
    }
    sim_reset(sim);
    assert_int_equal(sim_hash(sim), start);
    for (uint32_t t = 0; t < 20; t++) {
        scene_run(sim, 1);
        assert_int_equal(sim_hash(sim), hashes[t]);
    }
    sim_destroy(sim);
}

static void they_end_with_what_they_move(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[3] = {0, 5, 0}, masses[1] = {1}, times[1] = {0}, offsets[3] = {0, 0, 0};
    const uint32_t first = 0;
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    uint32_t body = scene_add(sim, &desc), ball = scene_sphere(sim, positions, 0.5, 0);
    uint32_t *gone = NULL, count;
    struct sim_motion of_ball = {.collider = ball, .times = times, .offsets = offsets, .key_count = 1}, at;
    struct sim_motion of_body = {.body = body,
                                 .particles = &first,
                                 .particle_count = 1,
                                 .times = times,
                                 .offsets = offsets,
                                 .key_count = 1};
    assert_int_equal(add(sim, &of_ball), 1);
    assert_int_equal(add(sim, &of_body), 2);
    assert_int_equal(add(sim, &of_ball), 3);
    assert_true(sim_collider_driven(sim, ball));
    assert_int_equal(sim_motion_remove(sim, 1, &fault), SIM_OK);
    assert_int_equal(sim_motion_remove(sim, 1, &fault), SIM_NOT_FOUND);
    assert_int_equal(sim_body_remove(sim, body, &gone, &count, &fault), SIM_OK);
    free(gone);
    assert_int_equal(sim_motion_count(sim), 1);
    sim_motion_at(sim, 0, &at);
    assert_int_equal(at.id, 3);
    assert_int_equal(sim_collider_remove(sim, ball, &fault), SIM_OK);
    assert_int_equal(sim_motion_count(sim), 0);
    assert_false(sim_collider_driven(sim, ball));
    sim_destroy(sim);
}

struct watched {
    struct sim *sim;
    double heights[11];
};

static void on_substep(void *context, uint32_t substep)
{
    struct watched *watched = context;
    struct sim_collider at;
    sim_collider_during(watched->sim, 0, substep, &at);
    watched->heights[substep] = at.position[1];
}

static void substeps_are_on_the_way(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double times[2] = {0, 1}, offsets[6] = {0, 0, 0, 0, 6, 0};
    uint32_t ball = scene_sphere(sim, (const double[3]){0, 0, 0}, 1, 0);
    add(sim, &(struct sim_motion){.collider = ball, .times = times, .offsets = offsets, .key_count = 2});
    struct watched watched = {.sim = sim};
    struct sim_failure failure;
    sim_step(sim, NULL, &(struct sim_hooks){.context = &watched, .on_substep = on_substep}, &failure);
    for (uint32_t s = 1; s <= 10; s++) {
        assert_near(watched.heights[s], 0.01 * s, 2 * SCENE_Q);
    }
    sim_destroy(sim);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    uint32_t ball = scene_sphere(sim, (const double[3]){0, 0, 0}, 1, 0), id;
    const double positions[3] = {0, 5, 0}, masses[1] = {1};
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    uint32_t body = scene_add(sim, &desc);
    const double good[2] = {0, 1}, falling[2] = {1, 0}, same[2] = {1, 1}, negative[2] = {-1, 1},
                 late[2] = {0, 2e6};
    const double nan_time[2] = {0, NAN}, short_loop[1] = {0.001};
    const double offsets[6] = {0}, far[6] = {0, 0, 0, 0, 1001, 0}, infinite[6] = {0, 0, INFINITY};
    const uint32_t particle = 0, twice[2] = {0, 0}, beyond = 1;
    uint64_t before = sim_hash(sim);
    const struct {
        struct sim_motion motion;
        const char *field;
    } cases[] = {
        {{.times = good, .offsets = offsets, .key_count = 2}, "collider"},
        {{.collider = ball, .body = body, .times = good, .offsets = offsets, .key_count = 2}, "collider"},
        {{.collider = 9, .times = good, .offsets = offsets, .key_count = 2}, "collider"},
        {{.body = 9, .times = good, .offsets = offsets, .key_count = 2}, "body"},
        {{.body = body, .times = good, .offsets = offsets, .key_count = 2}, "particles"},
        {{.body = body,
          .particles = twice,
          .particle_count = 2,
          .times = good,
          .offsets = offsets,
          .key_count = 2},
         "particles"},
        {{.body = body,
          .particles = &beyond,
          .particle_count = 1,
          .times = good,
          .offsets = offsets,
          .key_count = 2},
         "particles"},
        {{.collider = ball, .times = good, .offsets = offsets, .key_count = 0}, "times"},
        {{.collider = ball, .times = falling, .offsets = offsets, .key_count = 2}, "times"},
        {{.collider = ball, .times = same, .offsets = offsets, .key_count = 2}, "times"},
        {{.collider = ball, .times = negative, .offsets = offsets, .key_count = 2}, "times"},
        {{.collider = ball, .times = late, .offsets = offsets, .key_count = 2}, "times"},
        {{.collider = ball, .times = nan_time, .offsets = offsets, .key_count = 2}, "times"},
        {{.collider = ball, .times = short_loop, .offsets = offsets, .key_count = 1, .loop = true}, "times"},
        {{.collider = ball, .times = good, .offsets = far, .key_count = 2}, "offsets"},
        {{.collider = ball, .times = good, .offsets = infinite, .key_count = 2}, "offsets"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        assert_int_not_equal(sim_motion_add(sim, &cases[c].motion, &id, &fault), SIM_OK);
        assert_string_equal(fault.field, cases[c].field);
    }
    const struct sim_motion fine = {.body = body,
                                    .particles = &particle,
                                    .particle_count = 1,
                                    .times = good,
                                    .offsets = offsets,
                                    .key_count = 2};
    assert_int_equal(sim_hash(sim), before);
    for (uint32_t m = 0; m < SIM_MOTIONS_MAX; m++) {
        add(sim, &fine);
    }
    assert_int_equal(sim_motion_add(sim, &fine, &id, &fault), SIM_LIMIT);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keyframes_are_joined_by_lines),
        cmocka_unit_test(a_loop_ends_where_it_began),
        cmocka_unit_test(edits_add_to_a_motion),
        cmocka_unit_test(pins_are_moved_and_free_particles_are_not),
        cmocka_unit_test(a_reset_begins_them_again),
        cmocka_unit_test(they_end_with_what_they_move),
        cmocka_unit_test(substeps_are_on_the_way),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
