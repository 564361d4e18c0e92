// Bodies that rest fall asleep, cost nothing, and wake when something may move them.
#include "helper_sheet.h"

#include "base/thread.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

static struct sim_settings sleepy(void)
{
    struct sim_settings settings = sheet_settings(10);
    settings.sleep = true;
    return settings;
}

static bool is_asleep(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    return info.asleep;
}

static uint32_t asleep_count(const struct sim *sim)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < sim_body_count(sim); b++) {
        count += is_asleep(sim, sim_body_id_at(sim, b));
    }
    return count;
}

// Runs until all bodies sleep. Returns the ticks that it took, or `most` if they do not.
static uint32_t run_to_sleep(struct sim *sim, uint32_t most)
{
    uint32_t ticks = 0;
    while (ticks < most && asleep_count(sim) < sim_body_count(sim)) {
        scene_run(sim, 1);
        ticks++;
    }
    return ticks;
}

// Layers of cloth on a floor, at x.
static void layers(struct sim *sim, uint32_t count, double x)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sheet sheet = sheet_of(8, 0, 2, x + 0.11 * SHEET_EDGE * i, (2 * i + 1) * SHEET_THICK * 1.01,
                                      0.07 * SHEET_EDGE * i);
        sheet_add(sim, &sheet);
    }
}

static struct sim *sleeping_layers(uint32_t count)
{
    struct sim *sim = scene_create(sleepy());
    sheet_floor(sim);
    layers(sim, count, 0);
    assert_true(run_to_sleep(sim, 5 * 60) < 5 * 60);
    return sim;
}

static void what_rests_falls_asleep_and_stays_as_it_is(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(5);
    uint64_t hash = sim_hash(sim);
    float velocities[3 * 64];
    sim_body_velocities(sim, 3, 0, 64, velocities);
    for (int i = 0; i < 3 * 64; i++) {
        assert_true(velocities[i] == 0);
    }
    scene_run(sim, 600);
    assert_int_equal(sim_hash(sim), hash);
    sim_destroy(sim);
}

// A towel that fell on its edge and folded.
static void a_pile_falls_asleep(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sleepy());
    struct sheet sheet = sheet_of(16, 0, 1, 0, 0.02, 0);
    sheet.wavy = 1;
    sheet_floor(sim);
    sheet_add(sim, &sheet);
    uint32_t ticks = run_to_sleep(sim, 20 * 60);
    print_message("asleep after %u ticks\n", ticks);
    assert_true(ticks < 20 * 60);
    sim_destroy(sim);
}

static void nothing_sleeps_in_a_world_without_it(void **state)
{
    (void)state;
    struct sim_settings settings = sleepy();
    settings.sleep = false;
    struct sim *sim = scene_create(settings);
    sheet_floor(sim);
    layers(sim, 2, 0);
    assert_int_equal(run_to_sleep(sim, 150), 150);
    assert_int_equal(asleep_count(sim), 0);
    sim_destroy(sim);
}

// The cloth falls on the layers and wakes them as soon as its way may reach them. Nothing crosses.
static void what_falls_on_a_sleeper_wakes_it(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(2);
    struct sheet sheet = sheet_of(8, 0, 2, 0, 0.5, 0);
    sheet.speed[1] = -6;
    uint32_t coming = sheet_add(sim, &sheet);
    scene_run(sim, 1);
    assert_false(is_asleep(sim, coming));
    assert_int_equal(asleep_count(sim), 2); // far away yet
    double before = sheet_mean(sim, 2, 1);
    sheet_run(sim, 20, 0);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(sheet_mean(sim, coming, 1) > before); // it lies on top
    sheet_run(sim, 100, 0);
    sim_destroy(sim);
}

// Two heaps far from each other: one wakes, the other sleeps on.
static void a_heap_wakes_alone_and_whole(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sleepy());
    sheet_floor(sim);
    layers(sim, 2, 0);
    layers(sim, 2, 2);
    assert_true(run_to_sleep(sim, 300) < 300);
    uint32_t grab;
    assert_int_equal(sim_grab_begin(sim, 1, 0, (const double[3]){0, 0.1, 0}, 0, &grab, &fault), FAULT_NONE);
    scene_run(sim, 1);
    for (uint32_t body = 1; body <= 4; body++) {
        assert_int_equal(is_asleep(sim, body), body > 2);
    }
    scene_run(sim, 300);
    assert_false(is_asleep(sim, 1)); // still held
    assert_int_equal(sim_grab_end(sim, grab, &fault), FAULT_NONE);
    assert_true(run_to_sleep(sim, 600) < 600);
    sim_destroy(sim);
}

// Waking costs nothing of the motion: the layer that was pulled away leaves, and what lay on it falls.
static void edits_wake(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(3);
    struct sim_settings settings = *sim_settings_of(sim);
    uint32_t *removed, count, first = 0;
    double x[3];

    const double top = sheet_mean(sim, 3, 1);
    assert_int_equal(sim_body_remove(sim, 1, &removed, &count, &fault), FAULT_NONE);
    free(removed);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(run_to_sleep(sim, 600) < 600);
    assert_near(sheet_mean(sim, 3, 1), top - 2 * SHEET_THICK, 0.1 * SHEET_THICK);

    settings.gravity[1] = 0.5;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0);
    settings.gravity[1] = -9.81;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    assert_true(run_to_sleep(sim, 600) < 600);

    assert_int_equal(sim_particles_pin(sim, 3, &first, 1, NULL, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0); // its companions wake with it
    assert_true(run_to_sleep(sim, 600) < 600);
    scene_position(sim, 3, 0, x);
    x[1] += 0.01;
    assert_int_equal(sim_particles_pin(sim, 3, &first, 1, x, &fault), FAULT_NONE);
    scene_run(sim, 2);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(run_to_sleep(sim, 600) < 600);

    settings.sleep = false;
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    scene_run(sim, 200);
    assert_int_equal(asleep_count(sim), 0);
    sim_destroy(sim);
}

// A sphere that passes far away wakes nobody. One that is pushed into the layers wakes them before it touches.
static void a_collider_wakes_what_it_comes_near(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(5);
    struct sim_collider sphere = {
        .kind = SIM_SPHERE, .position = {1, 0.2, 0}, .radius = 0.03, .rotation = {0, 0, 0, 1}};
    assert_int_equal(sim_collider_add(sim, &sphere, &sphere.id, &fault), FAULT_NONE);
    for (int t = 0; t < 30; t++) {
        sphere.position[0] -= 0.02;
        assert_int_equal(sim_collider_set(sim, &sphere, &fault), FAULT_NONE);
        scene_run(sim, 1);
        assert_int_equal(asleep_count(sim), 5);
    }
    sphere.position[0] = 0.07;
    sphere.position[2] = 0.07;
    assert_int_equal(sim_collider_set(sim, &sphere, &fault), FAULT_NONE);
    scene_run(sim, 1);
    sphere.position[1] = 0.04;
    assert_int_equal(sim_collider_set(sim, &sphere, &fault), FAULT_NONE);
    scene_run(sim, 5);
    assert_int_equal(asleep_count(sim), 0);
    for (uint32_t i = 0; i < 64; i++) {
        double x[3];
        scene_position(sim, 5, i, x);
        double dx = x[0] - 0.07, dy = x[1] - 0.04, dz = x[2] - 0.07;
        assert_true(sqrt(dx * dx + dy * dy + dz * dz) > 0.03);
    }
    sim_destroy(sim);
}

// A cloth that slides by a millimetre a second stays awake, and so does a pendulum at its turn.
static void slow_motion_is_no_rest(void **state)
{
    (void)state;
    struct sim_settings settings = sleepy();
    settings.damping = 0;
    memset(settings.gravity, 0, sizeof settings.gravity);
    struct sim *sim = scene_create(settings);
    struct sheet sheet = sheet_of(4, 0, 2, 0, 1, 0);
    sheet.speed[0] = 0.001;
    uint32_t slides = sheet_add(sim, &sheet);
    for (int t = 0; t < 600; t++) {
        scene_run(sim, 1);
        assert_false(is_asleep(sim, slides));
    }
    sim_destroy(sim);

    // A rope of 10 g on a spring: a period of 20 s, and 5 cm to either side.
    settings = sleepy();
    settings.damping = 0;
    memset(settings.gravity, 0, sizeof settings.gravity);
    sim = scene_create(settings);
    const double positions[] = {0, 0, 0, 1, 0, 0}, masses[] = {0, 0.01};
    const uint32_t edges[] = {0, 1};
    struct sim_body_desc rope = scene_rope(positions, 2, edges, 1, masses);
    rope.stretch.compliance = 1 / (0.01 * pow(2 * 3.14159265 / 20, 2));
    uint32_t swings = scene_add(sim, &rope), end = 1;
    assert_int_equal(
        sim_particles_set(sim, swings, &end, 1, (const double[]){1.05, 0, 0}, NULL, NULL, &fault),
        FAULT_NONE);
    for (int t = 0; t < 20 * 60; t++) {
        scene_run(sim, 1);
        assert_false(is_asleep(sim, swings));
    }
    sim_destroy(sim);
}

// Saved while it settles and while it sleeps: what is made of it has the same future.
static void images_have_sleep(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sleepy());
    sheet_floor(sim);
    layers(sim, 3, 0);
    layers(sim, 1, 2);
    for (int part = 0; part < 6; part++) {
        struct sim_image image; // once also of a sleeper that an edit has touched: it wakes in the next tick
        const uint32_t particle = 3;
        const float push[] = {0, 0.5f, 0};
        if (part == 3) {
            assert_true(is_asleep(sim, 2));
            assert_int_equal(sim_particles_set(sim, 2, &particle, 1, NULL, push, NULL, &fault), FAULT_NONE);
        }
        struct sim_image_place place;
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(made);
        assert_int_equal(sim_hash(made), sim_hash(sim));
        for (int t = 0; t < 40; t++) {
            scene_run(sim, 1);
            scene_run(made, 1);
            assert_int_equal(sim_hash(made), sim_hash(sim));
        }
        sim_destroy(made);
    }
    assert_int_equal(asleep_count(sim), 4);
    sim_destroy(sim);
}

static void ignore_substep(void *context, uint32_t substep)
{
    (void)substep;
    (*(uint32_t *)context)++;
}

// A heap that settles, sleeps, and is woken by what falls on it: all hashes on the way, in one number.
static uint64_t life(enum sim_isa isa, uint32_t threads, bool watched)
{
    enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct sim *sim = scene_create(sleepy());
    struct base_team *team = threads > 1 ? base_team_create(threads) : NULL;
    struct sheet sheet = sheet_of(12, 0, 2, -0.02, 1.5, 0);
    uint64_t sum = 0;
    uint32_t seen = 0, slept = 0;
    const struct sim_hooks hooks = {.on_substep = ignore_substep, .context = &seen};
    sheet_floor(sim);
    layers(sim, 3, 0);
    for (uint32_t t = 0; t < 130; t++) {
        struct sim_failure failure;
        if (t == 90) {
            sheet.speed[1] = -3;
            sheet_add(sim, &sheet);
        }
        sim_step(sim, team ? base_team_parallel(team) : NULL, watched ? &hooks : NULL, &failure);
        assert_false(failure.failed);
        sum = sum * 31 + sim_hash(sim);
        slept += asleep_count(sim);
    }
    assert_true(slept > 3 * 20);
    assert_int_equal(asleep_count(sim), 0);
    assert_int_equal(seen, watched ? 1300 : 0);
    sim_destroy(sim);
    base_team_destroy(team);
    sim_isa_choose(before);
    return sum;
}

static void it_is_the_same_whatever_computes_it(void **state)
{
    (void)state;
    const uint64_t expected = life(sim_isa_chosen(), 1, false);
    assert_int_equal(life(sim_isa_chosen(), 3, false), expected);
    assert_int_equal(life(sim_isa_chosen(), 1, true), expected);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (sim_isa_available((enum sim_isa)isa) && (enum sim_isa)isa != sim_isa_chosen()) {
            assert_int_equal(life((enum sim_isa)isa, 1, false), expected);
        }
    }
}

// An edit and its undo leave each body as it was, asleep or not.
static void edits_that_are_taken_back_wake_nobody(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(2);
    struct sim_settings settings = *sim_settings_of(sim), other = settings;
    const uint32_t particle = 5;
    double x[3];
    const uint64_t hash = sim_hash(sim);
    other.gravity[0] = 1;
    assert_int_equal(sim_settings_set(sim, &other, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != hash);
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    other.sleep = false;
    assert_int_equal(sim_settings_set(sim, &other, &fault), FAULT_NONE);
    assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_pin(sim, 2, &particle, 1, NULL, &fault), FAULT_NONE);
    assert_int_equal(sim_particles_unpin(sim, 2, &particle, 1, &fault), FAULT_NONE);
    struct sim_restore_particles kept;
    assert_int_equal(sim_restore_particles_take(sim, 2, &particle, 1, SIM_RESTORE_POSITIONS, &kept, &fault),
                     FAULT_NONE);
    scene_position(sim, 2, particle, x);
    x[1] += 0.1;
    assert_int_equal(sim_particles_set(sim, 2, &particle, 1, x, NULL, NULL, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != hash);
    assert_int_equal(sim_restore_particles_apply(sim, &kept, &fault), FAULT_NONE);
    free(kept.particles);
    assert_int_equal(sim_hash(sim), hash);
    scene_run(sim, 3);
    assert_int_equal(asleep_count(sim), 2);
    assert_int_equal(sim_hash(sim), hash);
    sim_destroy(sim);
}

// A tick that fails leaves nothing behind, and bodies that woke in it sleep again.
static void a_tick_that_fails_wakes_nobody(void **state)
{
    (void)state;
    struct sim *sim = sleeping_layers(2);
    struct sim_failure failure;
    const double at[] = {5, 5, 5}, masses[] = {1};
    const float fast[] = {0, 6000, 0}; // farther than a particle may go in a tick
    struct sim_body_desc points = scene_points(at, 1, masses);
    points.velocities = fast;
    struct sheet sheet = sheet_of(8, 0, 2, 0, 0.1, 0); // would reach the layers in this tick
    sheet.speed[1] = -5;
    sheet_add(sim, &sheet);
    scene_add(sim, &points);
    assert_int_equal(asleep_count(sim), 2);
    uint64_t hash = sim_hash(sim);
    sim_step(sim, NULL, NULL, &failure);
    assert_true(failure.failed);
    assert_int_equal(asleep_count(sim), 2);
    assert_int_equal(sim_hash(sim), hash);
    sim_destroy(sim);
}

// Joins the first particles of two bodies at the distance that they have.
static double tie(struct sim *sim, uint32_t a, uint32_t b, uint32_t *link)
{
    const uint32_t bodies[] = {a, b}, particles[] = {0, 0};
    double rest = 0, x[3], y[3];
    scene_position(sim, a, 0, x);
    scene_position(sim, b, 0, y);
    for (int axis = 0; axis < 3; axis++) {
        rest += (y[axis] - x[axis]) * (y[axis] - x[axis]);
    }
    rest = sqrt(rest);
    const struct sim_constraint_values values = {.rest = &rest};
    assert_int_equal(sim_constraints_add(sim, SIM_DISTANCE, 1, bodies, particles, &values, link, &fault),
                     FAULT_NONE);
    return rest;
}

// Two heaps and a rope of two particles that hangs from a pin. The heap at 0, the one at 2 and the rope are tied.
static struct sim *tied_heaps(uint32_t links[2], double *rest)
{
    struct sim *sim = scene_create(sleepy());
    const double positions[] = {1, 0.5, 0, 1, 0.4, 0}, masses[] = {0, 0.01};
    const uint32_t edges[] = {0, 1};
    const struct sim_body_desc rope = scene_rope(positions, 2, edges, 1, masses);
    sheet_floor(sim);
    layers(sim, 2, 0);
    layers(sim, 1, 2);
    scene_add(sim, &rope);
    *rest = tie(sim, 1, 3, &links[0]);
    tie(sim, 3, 4, &links[1]);
    assert_true(run_to_sleep(sim, 20 * 60) < 20 * 60);
    return sim;
}

// All that loose constraints hold sleeps and wakes together, with all that it touches. Other bodies are let alone.
static void what_loose_constraints_hold_sleeps_together(void **state)
{
    (void)state;
    uint32_t links[2], grab;
    double rest;
    struct sim *sim = tied_heaps(links, &rest);
    uint64_t hash = sim_hash(sim);
    layers(sim, 1, 5); // not tied
    scene_run(sim, 300);
    assert_int_equal(asleep_count(sim), 5);
    assert_int_equal(sim_grab_begin(sim, 4, 1, (const double[3]){1, 0.4, 0}, 0, &grab, &fault), FAULT_NONE);
    scene_run(sim, 1);
    for (uint32_t body = 1; body <= 5; body++) {
        assert_int_equal(is_asleep(sim, body), body == 5);
    }
    scene_run(sim, 300);
    assert_int_equal(asleep_count(sim), 1); // one of them is held
    assert_int_equal(sim_grab_end(sim, grab, &fault), FAULT_NONE);
    assert_true(run_to_sleep(sim, 600) < 600);
    assert_true(sim_hash(sim) != hash);
    sim_destroy(sim);
}

// A loose constraint that comes, changes or goes wakes what it holds, unless it is as it was when the next tick begins.
static void edits_of_loose_constraints_wake(void **state)
{
    (void)state;
    uint32_t links[2], other;
    double first, rest;
    struct sim *sim = tied_heaps(links, &first);
    struct sim_constraint_values values = {.rest = &rest};
    rest = first + 1e-4;
    assert_int_equal(sim_constraints_set(sim, links, 1, &values, &fault), FAULT_NONE);
    rest = first;
    assert_int_equal(sim_constraints_set(sim, links, 1, &values, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 4);
    rest = first + 1e-4;
    assert_int_equal(sim_constraints_set(sim, links, 1, &values, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(run_to_sleep(sim, 600) < 600);
    layers(sim, 1, 5);
    assert_true(run_to_sleep(sim, 600) < 600);
    tie(sim, 5, 1, &other);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(run_to_sleep(sim, 600) < 600);
    assert_int_equal(sim_constraints_remove(sim, &other, 1, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(asleep_count(sim), 0);
    assert_true(run_to_sleep(sim, 600) < 600);
    sim_destroy(sim);
}

// A cloth falls on a heap that is tied to another and to a rope: all wake in the tick in which it comes near, and what is made of
// an image of that time has the same future.
static void what_falls_on_one_wakes_all_that_are_tied(void **state)
{
    (void)state;
    uint32_t links[2];
    double rest;
    struct sim *sim = tied_heaps(links, &rest);
    struct sheet sheet = sheet_of(8, 0, 2, 2, 0.5, 0);
    sheet.speed[1] = -6;
    sheet_add(sim, &sheet);
    uint32_t ticks = 0;
    for (; ticks < 30 && asleep_count(sim) == 4; ticks++) {
        struct sim_image image;
        struct sim_image_place place;
        assert_true(sim_image_take(sim, &image));
        struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
        sim_image_deinit(&image);
        assert_non_null(made);
        scene_run(sim, 1);
        scene_run(made, 1);
        assert_int_equal(sim_hash(made), sim_hash(sim));
        sim_destroy(made);
    }
    assert_in_range(ticks, 1, 29);
    assert_int_equal(asleep_count(sim), 0);
    sheet_run(sim, 60, 0);
    sim_destroy(sim);
}

static double force_of(struct sim *sim, uint32_t id)
{
    struct sim_constraint constraint;
    bool hold;
    assert_int_equal(sim_multipliers_find(sim, &hold, &fault), FAULT_NONE);
    assert_true(hold && sim_constraint_get(sim, id, &constraint));
    sim_multipliers_drop(sim);
    return constraint.multiplier[0] * 600.0 * 600.0;
}

// A rope that hangs from a pin and sleeps is still pulled by its weight, also where an image made it. To ask wakes nobody.
static void forces_of_sleepers_are_told(void **state)
{
    (void)state;
    struct sim_settings settings = sleepy();
    settings.damping = 5;
    struct sim *sim = scene_create(settings);
    const double positions[] = {0, 1, 0, 0, 0.5, 0}, masses[] = {0, 0.25};
    const uint32_t edges[] = {0, 1};
    struct sim_body_desc rope = scene_rope(positions, 2, edges, 1, masses);
    rope.stretch.compliance = 1e-3;
    scene_add(sim, &rope);
    assert_true(run_to_sleep(sim, 600) < 600);
    assert_near(force_of(sim, 1), -0.25 * 9.81, 0.01);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *made = sim_image_make(&image, &scene_limits, &place, &fault);
    sim_image_deinit(&image);
    assert_non_null(made);
    scene_run(made, 1);
    assert_near(force_of(made, 1), -0.25 * 9.81, 0.01);
    scene_run(sim, 1);
    assert_near(force_of(sim, 1), -0.25 * 9.81, 0.01);
    scene_run(sim, 1);
    scene_run(made, 1);
    assert_true(is_asleep(sim, 1) && is_asleep(made, 1));
    assert_int_equal(sim_hash(made), sim_hash(sim));
    sim_destroy(made);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_falls_asleep_and_stays_as_it_is),
        cmocka_unit_test(a_pile_falls_asleep),
        cmocka_unit_test(nothing_sleeps_in_a_world_without_it),
        cmocka_unit_test(what_falls_on_a_sleeper_wakes_it),
        cmocka_unit_test(a_heap_wakes_alone_and_whole),
        cmocka_unit_test(edits_wake),
        cmocka_unit_test(a_collider_wakes_what_it_comes_near),
        cmocka_unit_test(slow_motion_is_no_rest),
        cmocka_unit_test(images_have_sleep),
        cmocka_unit_test(it_is_the_same_whatever_computes_it),
        cmocka_unit_test(edits_that_are_taken_back_wake_nobody),
        cmocka_unit_test(a_tick_that_fails_wakes_nobody),
        cmocka_unit_test(forces_of_sleepers_are_told),
        cmocka_unit_test(what_loose_constraints_hold_sleeps_together),
        cmocka_unit_test(edits_of_loose_constraints_wake),
        cmocka_unit_test(what_falls_on_one_wakes_all_that_are_tied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
