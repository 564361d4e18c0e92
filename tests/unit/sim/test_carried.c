// A body on a collider that moves by keyframes stays in its place on it, as long as friction can hold it.
#include "helper_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEYS 1201

enum { SIDE = 9, PARTICLES = SIDE * SIDE };

struct tray {
    struct sim *sim;
    uint32_t box, cloth;
    double start[3 * PARTICLES];
};

static struct tray tray_create(uint32_t substeps)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = substeps;
    struct tray tray = {.sim = scene_create(settings)};
    struct sim_collider box = {
        .kind = SIM_BOX, .position = {0, -0.1, 0}, .half_extents = {1, 0.1, 1}, .friction = 0.5};
    struct fault fault;
    assert_int_equal(sim_collider_add(tray.sim, &box, &tray.box, &fault), FAULT_NONE);
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, 0.05, (const double[3]){-0.2, 0, -0.2});
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t i = 0; i < PARTICLES; i++) {
        mesh.positions[3 * (size_t)i + 1] = desc.thickness;
    }
    tray.cloth = scene_add(tray.sim, &desc);
    scene_mesh_deinit(&mesh);
    scene_run(tray.sim, 30);
    for (uint32_t i = 0; i < PARTICLES; i++) {
        scene_position(tray.sim, tray.cloth, i, tray.start + 3 * (size_t)i);
    }
    return tray;
}

static void tray_move(struct tray *tray, struct sim_motion motion)
{
    uint32_t id;
    struct fault fault = {0};
    motion.collider = tray->box;
    if (sim_motion_add(tray->sim, &motion, &id, &fault) != FAULT_NONE) {
        fail_msg("%s", fault.text);
    }
}

// How far any particle is from where it was on the box, m.
static double slip(const struct tray *tray)
{
    struct sim_collider box;
    double most = 0;
    sim_collider_at(tray->sim, 0, &box);
    const double *q = box.rotation;
    for (uint32_t i = 0; i < PARTICLES; i++) {
        const double *s = tray->start + 3 * (size_t)i;
        double v[3] = {s[0], s[1] + 0.1, s[2]}, x[3];
        double t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                       2 * (q[0] * v[1] - q[1] * v[0])};
        double turned[3] = {v[0] + q[3] * t[0] + (q[1] * t[2] - q[2] * t[1]),
                            v[1] + q[3] * t[1] + (q[2] * t[0] - q[0] * t[2]),
                            v[2] + q[3] * t[2] + (q[0] * t[1] - q[1] * t[0])};
        scene_position(tray->sim, tray->cloth, i, x);
        double d[3] = {x[0] - turned[0] - box.position[0], x[1] - turned[1] - box.position[1],
                       x[2] - turned[2] - box.position[2]};
        double away = __builtin_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        most = away > most ? away : most;
    }
    return most;
}

// The most it ever slips while so many ticks go by, m.
static double slip_most(struct tray *tray, uint32_t ticks)
{
    double most = 0;
    for (uint32_t t = 0; t < ticks; t++) {
        scene_run(tray->sim, 1);
        double now = slip(tray);
        most = now > most ? now : most;
    }
    return most;
}

// Keys so close that the way is as good as smooth: 1 m in 1.2 s, at 4.2 m/s^2 where it is most; friction holds up to
// 4.9 m/s^2.
static void a_cloth_on_many_keys_does_not_slip(void **state)
{
    (void)state;
    static double times[KEYS], offsets[3 * KEYS];
    for (uint32_t k = 0; k < KEYS; k++) {
        double s = k / (KEYS - 1.0);
        times[k] = 1.2 * s;
        offsets[3 * (size_t)k] = s * s * (3 - 2 * s);
    }
    struct tray tray = tray_create(10);
    tray_move(&tray, (struct sim_motion){.times = times, .offsets = offsets, .key_count = KEYS});
    assert_near(slip_most(&tray, 130), 0, 1e-4);
    sim_destroy(tray.sim);
}

static void a_cloth_on_a_cubic_way_does_not_slip(void **state)
{
    (void)state;
    const double times[2] = {0, 2}, offsets[6] = {0, 0, 0, 1, 0, 0};
    for (uint32_t substeps = 5; substeps <= 80; substeps *= 4) {
        struct tray tray = tray_create(substeps);
        tray_move(&tray,
                  (struct sim_motion){.times = times, .offsets = offsets, .key_count = 2, .cubic = true});
        double most = slip_most(&tray, 130);
        print_message("%u substeps: %g mm\n", substeps, 1e3 * most);
        assert_near(most, 0, 1e-4);
        struct sim_collider box;
        sim_collider_at(tray.sim, 0, &box);
        assert_near(box.position[0], 1, SCENE_Q);
        sim_destroy(tray.sim);
    }
}

static void a_cloth_on_a_turning_box_turns_with_it(void **state)
{
    (void)state;
    const double times[3] = {0, 2, 4}, offsets[9] = {0},
                 rotations[12] = {0, 0, 0, 1, 0, 1, 0, 1, 0, 2, 0, 0}; // half a turn, by a quarter each
    struct tray tray = tray_create(20);
    tray_move(&tray,
              (struct sim_motion){
                  .times = times, .offsets = offsets, .rotations = rotations, .key_count = 3, .cubic = true});
    double most = slip_most(&tray, 250);
    print_message("turning: %g mm\n", 1e3 * most);
    assert_near(most, 0, 2e-4);
    struct sim_collider box;
    sim_collider_at(tray.sim, 0, &box);
    assert_near(box.rotation[1] * box.rotation[1], 1, 1e-12);
    sim_destroy(tray.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_on_many_keys_does_not_slip),
        cmocka_unit_test(a_cloth_on_a_cubic_way_does_not_slip),
        cmocka_unit_test(a_cloth_on_a_turning_box_turns_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
