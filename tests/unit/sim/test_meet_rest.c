// Bodies in contact come to rest: layers lie on each other, friction holds them, momentum is kept.
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define EDGE SHEET_EDGE
#define THICK SHEET_THICK

enum { LAYERS = 5 };

static struct sim *layers(uint32_t side, double tilt, double friction)
{
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[0] = 9.81 * sin(tilt);
    settings.gravity[1] = -9.81 * cos(tilt);
    struct sim *sim = scene_create(settings);
    sheet_floor(sim);
    for (int i = 0; i < LAYERS; i++) {
        struct sheet sheet =
            sheet_of(side, 0, 2, 0.11 * EDGE * i, (2 * i + 1) * THICK * 1.01, 0.07 * EDGE * i);
        sheet.meeting.friction = friction;
        sheet_add(sim, &sheet);
    }
    return sim;
}

static void layers_rest_on_each_other(void **state)
{
    (void)state;
    struct sim *sim = layers(8, 0, 0.3);
    sheet_run(sim, 60, 0);
    double before[LAYERS];
    for (uint32_t b = 0; b < LAYERS; b++) {
        before[b] = sheet_mean(sim, b + 1, 0);
        assert_near(sheet_mean(sim, b + 1, 1), (2 * b + 1) * THICK, 0.05 * 2 * THICK);
    }
    scene_run(sim, 60);
    struct sim_measures measures;
    sim_measure(sim, &measures);
    double mass = 0.2 * 49 * EDGE * EDGE * LAYERS;
    assert_true(sqrt(2 * measures.kinetic / mass) < 2e-4); // m/s
    for (uint32_t b = 0; b < LAYERS; b++) {
        assert_near(sheet_mean(sim, b + 1, 0), before[b], 1e-5);
    }
    sim_destroy(sim);
}

// tan 17 deg = 0.306: friction of 0.5 holds all of them, of 0.2 none.
static void friction_holds_a_stack_on_a_slope(void **state)
{
    (void)state;
    struct sim *sim = layers(8, 17 * 3.14159265358979 / 180, 0.5);
    scene_run(sim, 60);
    double before = sheet_mean(sim, LAYERS, 0);
    scene_run(sim, 30);
    assert_true(sheet_mean(sim, LAYERS, 0) - before < 0.5 * 1.3e-3);
    sim_destroy(sim);

    sim = layers(8, 17 * 3.14159265358979 / 180, 0.2);
    scene_run(sim, 6);
    double start = sheet_mean(sim, LAYERS, 0), middle, end;
    scene_run(sim, 6);
    middle = sheet_mean(sim, LAYERS, 0);
    scene_run(sim, 6);
    end = sheet_mean(sim, LAYERS, 0);
    double slides = (end - 2 * middle + start) * 100; // a: three places a tenth of a second apart
    assert_true(slides > 0.5 && slides < 2.87);       // g sin = 2.87, less what friction holds
    sim_destroy(sim);
}

// A sheet on a static one: a = g (sin 17 deg - mu cos 17 deg) while it slides, and nothing where friction holds.
static void what_slides_is_slowed_by_its_friction(void **state)
{
    (void)state;
    static const double frictions[] = {0, 0.1, 0.2, 0.25, 0.35};
    const double tilt = 17 * 3.14159265358979 / 180;
    for (size_t i = 0; i < sizeof frictions / sizeof frictions[0]; i++) {
        struct sim_settings settings = sheet_settings(20);
        settings.gravity[0] = 9.81 * sin(tilt);
        settings.gravity[1] = -9.81 * cos(tilt);
        settings.damping = 0;
        struct sim *sim = scene_create(settings);
        struct sheet table = sheet_of(21, 0, 2, 0, 0, 0),
                     slides = sheet_of(6, 0, 2, 0.033, 2 * THICK * 1.001, 0.133);
        table.is_static = true;
        table.meeting.friction = 1;
        slides.meeting.friction = frictions[i] * frictions[i]; // the root of the product of both
        sheet_add(sim, &table);
        sheet_add(sim, &slides);
        double x[4];
        for (int t = 0; t < 4; t++) {
            scene_run(sim, 7);
            x[t] = sheet_mean(sim, 2, 0);
        }
        double expected = fmax(0, 9.81 * (sin(tilt) - frictions[i] * cos(tilt)));
        assert_near((x[3] - x[2] - x[1] + x[0]) / 2 / (7.0 * 7 / 3600), expected, 0.01 * expected + 1e-3);
        sim_destroy(sim);
    }
}

// Momentum of bodies 1 and 2, in kg m/s; returns their mass.
static double momentum_of(const struct sim *sim, double momentum[3])
{
    double all = 0;
    momentum[0] = momentum[1] = momentum[2] = 0;
    for (uint32_t body = 1; body <= 2; body++) {
        struct sim_body_info info;
        double masses[81];
        assert_true(sim_body_info(sim, body, &info) && info.particle_count <= 81);
        sim_body_masses(sim, body, masses);
        for (uint32_t i = 0; i < info.particle_count; i++) {
            float v[3];
            scene_velocity(sim, body, i, v);
            all += masses[i];
            for (int axis = 0; axis < 3; axis++) {
                momentum[axis] += masses[i] * (double)v[axis];
            }
        }
    }
    return all;
}

// A sheet and another one, which may be smaller, that come at each other.
static void keeps_momentum(uint32_t side, double speed, bool holds)
{
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = settings.damping = 0;
    struct sim *sim = scene_create(settings);
    struct sheet one = sheet_of(9, 0, 2, 0, 0, 0), other = sheet_of(side, 0, 2, 0.013, 0.02, 0.007);
    one.speed[1] = speed;
    other.speed[1] = -0.5 * speed;
    sheet_add(sim, &one);
    sheet_add(sim, &other);
    double before[3], after[3];
    momentum_of(sim, before);
    struct sim_meetings sum = sheet_run(sim, 12, 0);
    assert_true(sum.pushing > 0);
    assert_int_equal(sum.held > 0, holds);
    double mass = momentum_of(sim, after);
    for (int axis = 0; axis < 3; axis++) {
        assert_near(after[axis] / mass, before[axis] / mass, holds ? 2e-3 * speed : 1e-4);
    }
    sim_destroy(sim);
}

static void meeting_keeps_momentum(void **state)
{
    (void)state;
    keeps_momentum(9, 1, false);
}

static void so_does_holding_back(void **state)
{
    (void)state;
    keeps_momentum(9, 30, true);
    keeps_momentum(4, 30, true);
}

static void a_sheet_thicker_than_its_edges_rests(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sheet sheet = sheet_of(9, 0, 2, 0, 0, 0);
    sheet.thickness = EDGE;
    sheet_add(sim, &sheet);
    uint64_t before = sim_hash(sim);
    scene_run(sim, 20);
    assert_int_equal(sim_hash(sim), before);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_rest_on_each_other),
        cmocka_unit_test(friction_holds_a_stack_on_a_slope),
        cmocka_unit_test(what_slides_is_slowed_by_its_friction),
        cmocka_unit_test(meeting_keeps_momentum),
        cmocka_unit_test(so_does_holding_back),
        cmocka_unit_test(a_sheet_thicker_than_its_edges_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
