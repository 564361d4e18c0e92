// Motions: where they take colliders and pins, what adds to them, and how they begin and end.
#include "helper_scene.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static uint32_t add(struct sim *sim, const struct sim_motion *motion)
{
    uint32_t id = 0;
    if (sim_motion_add(sim, motion, &id, &fault) != FAULT_NONE) {
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
    assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
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
    assert_int_equal(sim_particles_unpin(sim, body, &one, 1, &fault), FAULT_NONE);
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
    assert_int_equal(sim_motion_remove(sim, 1, &fault), FAULT_NONE);
    assert_int_equal(sim_motion_remove(sim, 1, &fault), FAULT_NOT_FOUND);
    assert_int_equal(sim_body_remove(sim, body, &gone, &count, &fault), FAULT_NONE);
    free(gone);
    assert_int_equal(sim_motion_count(sim), 1);
    sim_motion_at(sim, 0, &at);
    assert_int_equal(at.id, 3);
    assert_int_equal(sim_collider_remove(sim, ball, &fault), FAULT_NONE);
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

static void cubic_ways_are_smooth_and_stay_between_their_keys(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double times[5] = {0, 0.5, 1, 2, 3}, offsets[15] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0};
    uint32_t ball = scene_sphere(sim, (const double[3]){0, 0, 0}, 1, 0);
    add(sim, &(struct sim_motion){
                 .collider = ball, .times = times, .offsets = offsets, .key_count = 5, .cubic = true});
    double before = 0, speed = 0;
    for (uint32_t tick = 1; tick <= 200; tick++) {
        scene_run(sim, 1);
        double now = height(sim), then = speed;
        speed = 60 * (now - before);
        assert_true(now >= before && now <= 2);
        assert_true(tick > 30 || now == 0);
        assert_true(tick < 120 || now == 2);
        assert_near(speed, then, 0.3); // 6 / (0.5 s)^2 = 24 m/s^2 at most, 0.4 m/s a tick
        before = now;
    }
    // Half-way between the keys at 0.5 s and 1 s, of which the first has slope 0.
    sim_reset(sim);
    scene_run(sim, 45);
    double d0 = 2, d1 = 1, h0 = 0.5, h1 = 1, w0 = h0 + 2 * h1, w1 = 2 * h0 + h1;
    assert_near(height(sim), 0.5 - 0.5 * 0.25 * 0.5 * (w0 + w1) / (w0 / d0 + w1 / d1), SCENE_Q);
    sim_destroy(sim);
}

// Keys that lie on a circle, a loop: no jump where it begins again.
static void a_cubic_loop_goes_round(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    double times[9], offsets[27] = {0}, last[3] = {0, 0, 0}, way[3] = {0, 0, 0};
    for (uint32_t k = 0; k < 9; k++) {
        times[k] = k / 8.0;
        offsets[3 * (size_t)k] = cos(2 * M_PI * (k + 0.5) / 8);
        offsets[3 * (size_t)k + 1] = sin(2 * M_PI * (k + 0.5) / 8);
    }
    uint32_t ball = scene_sphere(sim, offsets, 1, 0);
    add(sim, &(struct sim_motion){.collider = ball,
                                  .times = times,
                                  .offsets = offsets,
                                  .key_count = 9,
                                  .cubic = true,
                                  .loop = true});
    for (uint32_t tick = 1; tick <= 125; tick++) {
        struct sim_collider at;
        scene_run(sim, 1);
        sim_collider_at(sim, 0, &at);
        for (int axis = 0; axis < 3; axis++) {
            double now = at.position[axis] - last[axis];
            assert_true(tick <= 2 || fabs(now - way[axis]) < 0.03); // of 0.1 m a tick
            way[axis] = now;
            last[axis] = at.position[axis];
        }
    }
    sim_destroy(sim);
}

static void they_turn_colliders(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider box = {.kind = SIM_BOX, .rotation = {1, 0, 0, 1}, .half_extents = {1, 1, 1}}, at,
                        start, now;
    const double times[4] = {0, 0.5, 1, 1.5}, offsets[12] = {0},
                 rotations[16] = {0, 0, 0, 3, 0, -0.8660254, 0, -0.5, 0, 0.8660254, 0, -0.5, 0, 0, 0, 1};
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, &box, &id, &fault), FAULT_NONE);
    sim_collider_at(sim, 0, &start);
    uint32_t motion = add(sim, &(struct sim_motion){.collider = id,
                                                    .times = times,
                                                    .offsets = offsets,
                                                    .rotations = rotations,
                                                    .key_count = 4,
                                                    .cubic = true,
                                                    .loop = true});
    scene_run(sim, 30); // a third of a turn about +y, after a quarter about +x
    sim_collider_at(sim, 0, &at);
    const double s = sqrt(0.5);
    assert_near(at.rotation[0], 0.5 * s, 1e-7);
    assert_near(at.rotation[1], 0.8660254 * s, 1e-7);
    assert_near(at.rotation[2], -0.8660254 * s, 1e-7);
    assert_near(at.rotation[3], 0.5 * s, 1e-7);
    assert_near(at.normal[0], 0.8660254, 1e-7);
    assert_near(at.normal[2], -0.5, 1e-7);
    for (uint32_t turn = 0; turn < 20; turn++) { // bit by bit, however often it went round
        scene_run(sim, 90);
        sim_collider_at(sim, 0, &now);
        assert_memory_equal(now.rotation, at.rotation, sizeof at.rotation);
    }
    // Turned by hand it goes on from there; set to where it is already, nothing changes.
    uint64_t before = sim_hash(sim);
    assert_int_equal(sim_collider_set(sim, &now, &fault), FAULT_NONE);
    assert_int_equal(sim_hash(sim), before);
    memcpy(now.rotation, (const double[4]){0, 0, 0, 1}, sizeof now.rotation);
    assert_int_equal(sim_collider_set(sim, &now, &fault), FAULT_NONE);
    sim_collider_at(sim, 0, &now);
    assert_near(now.rotation[3] * now.rotation[3], 1, 1e-12);
    scene_run(sim, 30);
    sim_collider_at(sim, 0, &now);
    assert_near(fabs(now.rotation[1]), 0.8660254, 1e-7);
    // It stays as it is when its motion ends.
    assert_int_equal(sim_motion_remove(sim, motion, &fault), FAULT_NONE);
    sim_collider_at(sim, 0, &at);
    assert_memory_equal(now.rotation, at.rotation, sizeof at.rotation);
    scene_run(sim, 2);
    sim_collider_at(sim, 0, &at);
    assert_memory_equal(now.rotation, at.rotation, sizeof at.rotation);
    sim_destroy(sim);
}

static void a_reset_turns_back(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider box = {.kind = SIM_BOX, .rotation = {1, 2, 0, 1}, .half_extents = {1, 1, 1}};
    const double times[3] = {0, 0.3, 0.7}, offsets[9] = {0, 0, 0, 1.0 / 3, 0, 0, 0, 0, 0},
                 rotations[12] = {1, 0, 0, 3, 0, 1, 1, 0.5, 0.2, 0, 0, 1};
    uint32_t id;
    uint64_t hashes[20];
    assert_int_equal(sim_collider_add(sim, &box, &id, &fault), FAULT_NONE);
    struct sim_motion motion = {
        .collider = id, .times = times, .offsets = offsets, .rotations = rotations, .key_count = 3};
    add(sim, &motion);
    motion.cubic = motion.loop = true;
    add(sim, &motion);
    uint64_t start = sim_hash(sim);
    for (uint32_t t = 0; t < 20; t++) {
        scene_run(sim, 1);
        hashes[t] = sim_hash(sim);
    }
    scene_run(sim, 33);
    sim_reset(sim);
    assert_int_equal(sim_hash(sim), start);
    for (uint32_t t = 0; t < 20; t++) {
        scene_run(sim, 1);
        assert_int_equal(sim_hash(sim), hashes[t]);
    }
    sim_destroy(sim);
}

static void they_turn_pins_about_a_pivot(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    struct sim *sim = scene_create(settings);
    const double positions[9] = {-1, 5, 0, 1, 5, 0, 0, 5, 0.5}, masses[3] = {1, 1, 1};
    const uint32_t pins[2] = {0, 1};
    const double times[5] = {0, 0.25, 0.5, 0.75, 1}, offsets[15] = {0, 0, 0, 0, 0.5},
                 rotations[20] = {0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1};
    struct sim_body_desc desc = scene_points(positions, 3, masses);
    double x[3], first[3];
    desc.pins = pins;
    desc.pin_count = 2;
    uint32_t body = scene_add(sim, &desc);
    struct sim_motion motion = {.body = body,
                                .particles = pins,
                                .particle_count = 2,
                                .times = times,
                                .offsets = offsets,
                                .rotations = rotations,
                                .key_count = 5,
                                .loop = true};
    uint32_t id = add(sim, &motion);
    scene_run(sim, 15); // a quarter about +y, and 0.5 m along y: -x goes to +z
    scene_position(sim, body, 0, x);
    assert_near(x[0], 0, 2 * SCENE_Q);
    assert_near(x[1], 5.5, 2 * SCENE_Q);
    assert_near(x[2], 1, 2 * SCENE_Q);
    scene_position(sim, body, 1, x);
    assert_near(x[2], -1, 2 * SCENE_Q);
    scene_run(sim, 45);
    for (uint32_t turn = 0; turn < 20; turn++) {
        scene_position(sim, body, 0, first);
        assert_true(first[0] == -1 && first[1] == 5 && first[2] == 0);
        scene_run(sim, 60);
    }
    assert_int_equal(sim_motion_remove(sim, id, &fault), FAULT_NONE);
    motion.pivot = (const double[3]){1, 5, 0};
    add(sim, &motion);
    scene_run(sim, 30);
    scene_position(sim, body, 0, x);
    assert_near(x[0], 3, 2 * SCENE_Q);
    scene_position(sim, body, 1, x);
    assert_near(x[0], 1, 2 * SCENE_Q);
    sim_destroy(sim);
}

// Poses are exactly as good as a motion for each particle, whatever the order of particles, on top of offsets and turns.
static void poses_move_each_particle_its_own_way(void **state)
{
    (void)state;
    enum { COUNT = 5, KEYS = 4 };
    const double positions[3 * COUNT] = {-1, 5, 0, 1, 5, 0, 0, 5, 0.5, 0.25, 6, 1, 2, 4, -1};
    const double masses[COUNT] = {1, 1, 1, 0, 1}, times[KEYS] = {0, 0.25, 0.375, 1};
    const double still[3 * KEYS] = {0}, offsets[3 * KEYS] = {0, 0, 0, 0.5, 0, 0, 0.25, 1, 0, 0, 0, 0.125};
    const double rotations[4 * KEYS] = {0, 0, 0, 1, 0, 0.5, 0, 1, 0.2, 0.3, 0, 1, 0, 0, 0, 1};
    const uint32_t pins[COUNT] = {0, 1, 2, 3, 4}, order[COUNT] = {3, 0, 1, 4, 2};
    float poses[3 * COUNT * KEYS];
    for (size_t i = 0; i < 3 * COUNT * KEYS; i++) {
        poses[i] = (float)(i * 37 % 64) / 64 - 0.5F;
    }
    struct sim_body_desc desc = scene_points(positions, COUNT, masses);
    desc.pins = pins;
    desc.pin_count = COUNT;
    for (int how = 0; how < 8; how++) {
        struct sim *posed = scene_create(scene_settings()), *single = scene_create(scene_settings());
        uint32_t body = scene_add(posed, &desc);
        assert_int_equal(scene_add(single, &desc), body);
        struct sim_motion motion = {.body = body,
                                    .particles = order,
                                    .particle_count = COUNT,
                                    .times = times,
                                    .offsets = still,
                                    .poses = poses,
                                    .key_count = KEYS,
                                    .loop = how & 1,
                                    .cubic = how & 2};
        add(posed, &motion);
        for (uint32_t i = 0; i < COUNT; i++) {
            double own[3 * KEYS];
            for (size_t k = 0; k < (size_t)3 * KEYS; k++) {
                own[k] = (double)poses[3 * ((k / 3) * COUNT + i) + k % 3];
            }
            motion.particles = &order[i];
            motion.particle_count = 1;
            motion.offsets = own;
            motion.poses = NULL;
            add(single, &motion);
        }
        if (how & 4) { // what else moves the same particles adds to it
            motion = (struct sim_motion){.body = body,
                                         .particles = pins,
                                         .particle_count = COUNT,
                                         .times = times,
                                         .offsets = offsets,
                                         .rotations = rotations,
                                         .key_count = KEYS};
            add(posed, &motion);
            add(single, &motion);
        }
        for (uint32_t tick = 0; tick < 130; tick++) {
            scene_run(posed, 1);
            scene_run(single, 1);
            for (uint32_t i = 0; i < COUNT; i++) {
                double x[3], y[3];
                scene_position(posed, body, i, x);
                scene_position(single, body, i, y);
                assert_memory_equal(x, y, sizeof x);
            }
        }
        sim_destroy(posed);
        sim_destroy(single);
    }
}

// In one motion poses come after the turn: they are of the world, not of what turns.
static void poses_are_not_turned(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const double positions[6] = {-1, 5, 0, 1, 5, 0}, masses[2] = {0, 0}, times[2] = {0, 0.5},
                 offsets[6] = {0};
    const double rotations[8] = {0, 0, 0, 1, 0, 1, 0, 1}; // a quarter about +y: -x goes to +z
    const float poses[12] = {0, 0, 0, 0, 0, 0, 0.25F, 0, 0, 0, 0.5F, 0};
    const uint32_t pins[2] = {0, 1};
    struct sim_body_desc desc = scene_points(positions, 2, masses);
    desc.pins = pins;
    desc.pin_count = 2;
    double x[3];
    uint32_t body = scene_add(sim, &desc);
    uint64_t before = sim_hash(sim);
    add(sim, &(struct sim_motion){.body = body,
                                  .particles = pins,
                                  .particle_count = 2,
                                  .times = times,
                                  .offsets = offsets,
                                  .rotations = rotations,
                                  .poses = poses,
                                  .key_count = 2});
    assert_int_not_equal(sim_hash(sim), before);
    scene_run(sim, 30);
    scene_position(sim, body, 0, x);
    assert_near(x[0], 0.25, 2 * SCENE_Q);
    assert_near(x[2], 1, 2 * SCENE_Q);
    scene_position(sim, body, 1, x);
    assert_near(x[1], 5.5, 2 * SCENE_Q);
    assert_near(x[2], -1, 2 * SCENE_Q);
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
    const double none[8] = {0, 0, 0, 1}, nan_turn[8] = {0, 0, 0, 1, NAN, 0, 0, 1},
                 turns[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    const float poses[6] = {0}, far_pose[6] = {0, 0, 0, 0, 0, -1000.5F}, nan_pose[6] = {0, NAN};
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
        {{.collider = ball, .times = good, .offsets = offsets, .rotations = none, .key_count = 2},
         "rotations"},
        {{.collider = ball, .times = good, .offsets = offsets, .rotations = nan_turn, .key_count = 2},
         "rotations"},
        {{.body = body,
          .particles = &particle,
          .particle_count = 1,
          .times = good,
          .offsets = offsets,
          .rotations = turns,
          .pivot = (const double[3]){0, 2000, 0},
          .key_count = 2},
         "pivot"},
        {{.body = body,
          .particles = &particle,
          .particle_count = 1,
          .times = good,
          .offsets = offsets,
          .rotations = turns,
          .arms = (const double[3]){0, NAN, 0},
          .key_count = 2},
         "arms"},
        {{.collider = ball, .times = good, .offsets = offsets, .poses = poses, .key_count = 2}, "poses"},
        {{.body = body,
          .particles = &particle,
          .particle_count = 1,
          .times = good,
          .offsets = offsets,
          .poses = far_pose,
          .key_count = 2},
         "poses"},
        {{.body = body,
          .particles = &particle,
          .particle_count = 1,
          .times = good,
          .offsets = offsets,
          .poses = nan_pose,
          .key_count = 2},
         "poses"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        assert_int_not_equal(sim_motion_add(sim, &cases[c].motion, &id, &fault), FAULT_NONE);
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
    assert_int_equal(sim_motion_add(sim, &fine, &id, &fault), FAULT_LIMIT);
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
        cmocka_unit_test(cubic_ways_are_smooth_and_stay_between_their_keys),
        cmocka_unit_test(a_cubic_loop_goes_round),
        cmocka_unit_test(they_turn_colliders),
        cmocka_unit_test(a_reset_turns_back),
        cmocka_unit_test(they_turn_pins_about_a_pivot),
        cmocka_unit_test(poses_move_each_particle_its_own_way),
        cmocka_unit_test(poses_are_not_turned),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
