// Rigid pieces and the cloth that they lie on fall asleep and wake together.
#include "helper_piece.h"

#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 11, SHEET = 0, BALL = 1 };
#define EDGE .05

static const double ORIGIN[3] = {0, 0, 0}, UP[3] = {0, 1, 0};
static struct fault fault;

static struct sim_settings sleepy(void)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.gravity[1] = -9.81;
    settings.damping = 6;
    settings.sleep = true;
    return settings;
}

// A square about x = z = 0, pinned at its rim.
static uint32_t sheet_add(struct sim *sim, double y)
{
    const double half = .5 * (SIDE - 1) * EDGE;
    struct scene_mesh mesh = scene_grid(SIDE, SIDE, EDGE, (const double[3]){-half, y, -half});
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t pins[4 * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t column = i % SIDE, row = i / SIDE;
        if (column == 0 || row == 0 || column == SIDE - 1 || row == SIDE - 1) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = .3;
    desc.thickness = .004;
    desc.meeting = (struct sim_meeting){.group = 1, .mask = 1, .friction = .5};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    return body;
}

static void hammock(struct sim *sim)
{
    sheet_add(sim, 0);
    piece_add(
        sim, &(struct piece){.shape = piece_sphere(.06f), .mass = .2, .x = {.01, .066, .02}, .friction = .5});
}

static bool both_sleep(const struct sim *sim)
{
    return sim->bodies[SHEET]->asleep && sim->bodies[BALL]->asleep;
}

static struct sim *sleeping_hammock(void)
{
    struct sim *sim = scene_create(sleepy());
    hammock(sim);
    for (int tick = 0; tick < 300 && !both_sleep(sim); tick++) {
        // Neither sleeps without the other.
        assert_true(!sim->bodies[SHEET]->asleep && !sim->bodies[BALL]->asleep);
        scene_run(sim, 1);
    }
    assert_true(both_sleep(sim));
    return sim;
}

static void a_ball_on_a_cloth_sleeps_within_five_seconds(void **state)
{
    (void)state;
    struct sim *sim = sleeping_hammock();
    const uint64_t hash = sim_hash(sim);
    scene_run(sim, 60);
    assert_true(both_sleep(sim));
    assert_int_equal(sim_hash(sim), hash);
    sim_destroy(sim);
}

static void an_edit_of_either_wakes_both(void **state)
{
    (void)state;
    for (uint32_t touched = SHEET; touched <= BALL; touched++) {
        struct sim *sim = sleeping_hammock();
        const uint32_t particle = touched == SHEET ? SIDE * SIDE / 2 : 0;
        const float up[3] = {0, .5f, 0};
        assert_int_equal(
            sim_particles_set(sim, sim->bodies[touched]->id, &particle, 1, NULL, up, NULL, &fault),
            FAULT_NONE);
        scene_run(sim, 1);
        assert_true(!sim->bodies[SHEET]->asleep && !sim->bodies[BALL]->asleep);
        int tick = 0;
        for (; tick < 300 && !both_sleep(sim); tick++) {
            scene_run(sim, 1);
        }
        assert_true(both_sleep(sim));
        sim_destroy(sim);
    }
}

// A ball that falls onto the one that sleeps, and one that falls onto the cloth beside it.
static void what_falls_on_either_wakes_both(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct sim *sim = sleeping_hammock();
        piece_add(sim,
                  &(struct piece){.shape = piece_sphere(.03f), .mass = .1, .x = {i ? -.15 : .01, .4, .02}});
        scene_run(sim, 3);
        assert_true(both_sleep(sim)); // far away yet
        scene_run(sim, 25);
        assert_true(!sim->bodies[SHEET]->asleep && !sim->bodies[BALL]->asleep);
        sim_destroy(sim);
    }
}

// A sheet falls onto a box that sleeps: the box wakes and bears it, and nothing is pierced.
static void a_sheet_that_falls_wakes_a_piece(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sleepy());
    scene_plane(sim, ORIGIN, UP, .5);
    const uint32_t box = piece_add(
        sim, &(struct piece){.shape = piece_box(.1f, .1f, .1f), .mass = 1, .x = {0, .1, 0}, .friction = .5});
    scene_run(sim, 90);
    assert_true(sim->bodies[0]->asleep);
    sheet_add(sim, 1.2);
    uint32_t all[SIDE * SIDE];
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        all[i] = i;
    }
    assert_int_equal(sim_particles_unpin(sim, sim->bodies[1]->id, all, SIDE * SIDE, &fault), FAULT_NONE);
    scene_run(sim, 5);
    assert_true(sim->bodies[0]->asleep && !sim->bodies[1]->asleep);
    bool woke = false;
    for (int tick = 0; tick < 100; tick++) {
        struct sim_meetings told;
        double x[3];
        scene_run(sim, 1);
        woke = woke || !sim->bodies[0]->asleep;
        sim_meetings_of(sim, &told);
        assert_int_equal(told.pierced, 0);
        scene_position(sim, box, 0, x);
        assert_near(x[1], .1, 1e-3);
    }
    assert_true(woke);
    sim_destroy(sim);
}

// Saved while it settles and while it sleeps, what is made of it has the same future.
static void images_have_sleep(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sleepy());
    hammock(sim);
    for (int part = 0; part < 6; part++) {
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(made);
        assert_int_equal(sim_hash(made), sim_hash(sim));
        for (int tick = 0; tick < 55; tick++) {
            scene_run(sim, 1);
            scene_run(made, 1);
            assert_int_equal(sim_hash(made), sim_hash(sim));
        }
        sim_destroy(made);
    }
    assert_true(both_sleep(sim));
    const uint64_t end = sim_hash(sim);
    sim_reset(sim);
    assert_false(both_sleep(sim));
    scene_run(sim, 330);
    assert_int_equal(sim_hash(sim), end);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_a_cloth_sleeps_within_five_seconds),
        cmocka_unit_test(an_edit_of_either_wakes_both),
        cmocka_unit_test(what_falls_on_either_wakes_both),
        cmocka_unit_test(a_sheet_that_falls_wakes_a_piece),
        cmocka_unit_test(images_have_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
