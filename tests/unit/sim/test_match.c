// Shape matching: the step by worked vectors, closed forms, momenta, regions, the same bits, and what is refused.
#include "base/thread.h"
#include "helper_heap.h"
#include "helper_match.h"
#include "helper_scene.h"
#include "sim/ground/ground.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fault fault;

#ifndef OTHERS_OWN_THE_HEAP
// So many allocations more succeed, less one; UINT64_MAX: all.
static uint64_t pieces_left = UINT64_MAX;

static bool heap_gives(void)
{
    pieces_left -= pieces_left != UINT64_MAX && pieces_left > 0;
    return pieces_left > 0;
}

#include "helper_heap_take.h"
#endif

// ------------------------------------------------------------------------------------------------------ the step

static void the_vector_comes_out_in_every_instruction_set(void **state)
{
    (void)state;
    const double want[3 * FIVE] = {0.0923306615,  0.0112018702, 0.0996879905, 0.885020849, 0.699756497,
                                   0.00706204402, -0.675362576, 0.884370613,  0.194977635, 0.111827936,
                                   -0.0724097831, 1.17870259,   0.207076249,  1.49111941,  0.60185899};
    const enum sim_isa chosen = sim_isa_chosen();
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (!sim_isa_available((enum sim_isa)isa)) {
            continue;
        }
        sim_isa_choose((enum sim_isa)isa);
        struct sim *sim = scene_create(scene_still(1200));
        const uint32_t body = add_five(sim, x5, rigid(4 / (1200.0 * 1200 * 5.5))); // a share of 1/5
        scene_run(sim, 1);
        for (uint32_t i = 0; i < FIVE; i++) {
            double at[3];
            scene_position(sim, body, i, at);
            for (int axis = 0; axis < 3; axis++) {
                assert_near(at[axis], want[3 * i + (uint32_t)axis], 1.6e-8);
            }
        }
        sim_destroy(sim);
    }
    sim_isa_choose(chosen);
}

static double energy_at(const double *x, struct sim_matching matching)
{
    struct sim *sim = scene_create(scene_still(100));
    const double energy = told_of(sim, add_five(sim, x, matching)).energy;
    sim_destroy(sim);
    return energy;
}

// A move is m dx / h^2 = -dU/dx / (1 + 1/a~), for the whole body and for regions that overlap.
static void it_moves_along_the_gradient(void **state)
{
    (void)state;
    for (int parts = 0; parts < 2; parts++) {
        const double inv_h2 = 100 * 100, soften = 3;
        struct sim_matching matching = rigid(soften / (inv_h2 * 5.5));
        matching.radius = parts ? 1.1 : 0;
        matching.spacing = parts ? 0.5 : 0;
        struct sim *sim = scene_create(scene_still(100));
        const uint32_t body = add_five(sim, x5, matching);
        assert_true(told_of(sim, body).regions == (parts ? FIVE : 1));
        scene_run(sim, 1);
        double size = 0;
        for (uint32_t k = 0; k < 3 * FIVE; k++) {
            const double e = 0x1p-12;
            double x[3 * FIVE], at[3];
            memcpy(x, x5, sizeof x);
            x[k] += e;
            const double up = energy_at(x, matching);
            x[k] -= 2 * e;
            const double down = energy_at(x, matching);
            scene_position(sim, body, k / 3, at);
            const double force = m5[k / 3] * (at[k % 3] - x5[k]) * inv_h2 * (1 + 1 / soften);
            assert_near(force, -(up - down) / (2 * e), 0.05);
            size = fmax(size, fabs(force));
        }
        assert_true(size > 100);
        sim_destroy(sim);
    }
}

// A body that is s times as large as at rest is at its goals but for its size. So x follows implicit Euler for a spring of w^2 =
// 1/(compliance mass), whatever the number of iterations.
static void a_stretched_body_swings_as_a_spring_does(void **state)
{
    (void)state;
    for (uint32_t iterations = 1; iterations < 5; iterations += 3) {
        const double mass = 27 * 0.1, compliance = 0.01, h = 1.0 / 200, w2 = 1 / (compliance * mass);
        uint32_t count;
        double *rest = box((const uint32_t[3]){3, 3, 3}, 0.25, (const double[3]){0, 0, 0}, &count);
        double *now = malloc(3 * (size_t)count * sizeof *now), *masses = malloc(count * sizeof *masses);
        for (uint32_t i = 0; i < 3 * count; i++) {
            now[i] = 1.25 * rest[i];
            masses[i / 3] = 0.1;
        }
        struct sim_settings settings = scene_still(200);
        settings.iterations = iterations;
        struct sim *sim = scene_create(settings);
        struct sim_body_desc desc = scene_points(now, count, masses);
        desc.matching = rigid(compliance);
        desc.matching.places = rest;
        const uint32_t body = scene_add(sim, &desc);
        double x = 0.25, v = 0, least = 0;
        for (int tick = 0; tick < 400; tick++) {
            scene_run(sim, 1);
            v = (v - h * w2 * x) / (1 + h * h * w2);
            x += h * v;
            least = fmin(least, x);
            double a[3], b[3];
            scene_position(sim, body, 0, a);
            scene_position(sim, body, 2, b);
            assert_near((b[0] - a[0]) / 0.5 - 1, x, 2e-5);
        }
        assert_true(least < -0.1); // it swung
        sim_destroy(sim);
        free(rest);
        free(now);
        free(masses);
    }
}

// Held particles carry the shape, and the others sag by g compliance mass, whatever the substeps.
static void a_held_body_sags_by_its_compliance(void **state)
{
    (void)state;
    for (uint32_t substeps = 5; substeps <= 20; substeps += 15) {
        struct sim_settings settings = scene_settings();
        settings.substeps = substeps;
        settings.damping = 20;
        struct sim *sim = scene_create(settings);
        uint32_t count;
        double *points = box((const uint32_t[3]){3, 3, 3}, 0.1, (const double[3]){0, 0, 0}, &count);
        double masses[27];
        const uint32_t pins[4] = {0, 2, 6, 18};
        for (uint32_t i = 0; i < count; i++) {
            masses[i] = 0.01 * (i + 1);
        }
        struct sim_body_desc desc = scene_points(points, count, masses);
        desc.matching = rigid(2e-4);
        desc.pins = pins;
        desc.pin_count = 4;
        const uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 240);
        const double mass = 0.01 * 27 * 28 / 2, sag = 9.81 * 2e-4 * mass, held = 0.01 * (1 + 3 + 7 + 19);
        for (uint32_t i = 0; i < count; i++) {
            const bool pinned = i == 0 || i == 2 || i == 6 || i == 18;
            double at[3];
            scene_position(sim, body, i, at);
            assert_near(at[1] - points[3 * i + 1], pinned ? 0 : -sag, 5e-3 * sag);
        }
        const struct sim_match_told told = told_of(sim, body);
        assert_near(told.force, 9.81 * (mass - held), 5e-3 * 9.81 * mass);
        assert_near(told.distance, sag, 5e-3 * sag);
        assert_near(told.energy, (mass - held) / mass * sag * sag / (2 * 2e-4), 0.01 * 9.81 * mass * sag);
        free(points);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------- momenta

struct motion {
    double p[3], l[3], size;
};

static struct motion motion_of(const struct sim *sim, uint32_t body, uint32_t count, const double *masses)
{
    struct motion motion = {0};
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        float v[3];
        scene_position(sim, body, i, x);
        scene_velocity(sim, body, i, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            motion.p[axis] += masses[i] * (double)v[axis];
            motion.l[axis] += masses[i] * (x[b] * (double)v[c] - x[c] * (double)v[b]);
        }
    }
    motion.size = sqrt(motion.l[0] * motion.l[0] + motion.l[1] * motion.l[1] + motion.l[2] * motion.l[2]);
    return motion;
}

// A free body that tumbles and is bent keeps its momenta, as one region and as many, stiff and soft.
static void a_free_body_keeps_its_momenta(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        struct sim_settings settings = scene_settings();
        memset(settings.gravity, 0, sizeof settings.gravity);
        settings.substeps = 20;
        struct sim *sim = scene_create(settings);
        uint32_t count;
        uint64_t seed = 3;
        double *points = box((const uint32_t[3]){4, 3, 5}, 0.1, (const double[3]){-0.2, -0.1, -0.2}, &count);
        double masses[60];
        float velocities[180];
        const double spin[3] = {6, 7, 4}; // rad/s
        for (uint32_t i = 0; i < count; i++) {
            masses[i] = 0.01 + 0.04 * scene_uniform(&seed);
            for (uint32_t axis = 0; axis < 3; axis++) {
                const uint32_t b = (axis + 1) % 3, c = (axis + 2) % 3;
                velocities[3 * i + axis] = (float)(spin[b] * points[3 * i + c] - spin[c] * points[3 * i + b] +
                                                   (axis == 0 ? 1.0 : 0));
            }
        }
        struct sim_body_desc desc = scene_points(points, count, masses);
        desc.velocities = velocities;
        desc.matching = rigid(way % 2 ? 1e-4 : 0);
        desc.matching.radius = way / 2 ? 0.16 : 0;
        const uint32_t body = scene_add(sim, &desc);
        const struct motion before = motion_of(sim, body, count, masses);
        scene_run(sim, 60);
        const struct motion after = motion_of(sim, body, count, masses);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(after.l[axis], before.l[axis], 1e-5 * before.size);
            assert_near(after.p[axis], before.p[axis], 1e-6);
        }
        assert_true(told_of(sim, body).distance < (way % 2 ? 0.02 : 1e-3));
        free(points);
        sim_destroy(sim);
    }
}

// ------------------------------------------------------------------------------------------------------- regions

// A bar that is held at one end bends by its regions, and does not as a whole.
static void regions_bend_and_come_back(void **state)
{
    (void)state;
    double tips[2];
    for (int parts = 0; parts < 2; parts++) {
        struct sim_settings settings = scene_settings();
        settings.damping = 5;
        struct sim *sim = scene_create(settings);
        uint32_t count;
        double *points = box((const uint32_t[3]){21, 3, 3}, 0.05, (const double[3]){0, 1, 0}, &count);
        const uint32_t pins[9] = {0, 21, 42, 63, 84, 105, 126, 147, 168};
        struct sim_body_desc desc = scene_points(points, count, NULL);
        desc.density = 0.01;
        desc.pins = pins;
        desc.pin_count = 9;
        desc.matching = rigid(0);
        desc.matching.radius = parts ? 0.16 : 0;
        const uint32_t body = scene_add(sim, &desc);
        assert_true(parts ? told_of(sim, body).regions > 4 : told_of(sim, body).regions == 1);
        double at[3];
        scene_run(sim, 120);
        scene_position(sim, body, 20, at);
        tips[parts] = 1 - at[1];
        memset(settings.gravity, 0, sizeof settings.gravity);
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        scene_run(sim, 240);
        scene_position(sim, body, 20, at);
        assert_near(at[1], 1, 1e-3);
        free(points);
        sim_destroy(sim);
    }
    assert_true(tips[0] < 1e-3 && tips[1] > 5 * tips[0] && tips[1] > 1e-3);
}

// ------------------------------------------------------------------------------------------------------- edits

static void a_body_takes_another_shape_and_no_shape(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_still(100));
    const uint32_t body = add_five(sim, x5, rigid(0));
    const uint64_t before = sim_hash(sim);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    assert_near(info.matching.places[3], 1, 1e-8);
    // The present shape: there is nothing to do any more.
    const struct sim_rest_shape here = {.places = true};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.rest = &here}, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) != before);
    assert_true(told_of(sim, body).distance < 1e-8);
    // Another one, by its positions, and back.
    const struct sim_rest_shape there = {.positions = q5, .places = true};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.rest = &there}, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == before);
    // Regions of another size, and a softer shape.
    struct sim_matching other = rigid(1e-3);
    other.radius = 1.2;
    other.places = info.matching.places;
    assert_true(sim_body_info(sim, body, &info));
    other.places = info.matching.places;
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.matching = &other}, &fault),
                     FAULT_NONE);
    assert_true(told_of(sim, body).regions > 1 && told_of(sim, body).energy > 0);
    scene_run(sim, 3);
    const struct sim_matching none = {0};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.matching = &none}, &fault),
                     FAULT_NONE);
    struct sim_match_told told;
    assert_false(sim_body_match(sim, body, &told));
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.rest = &here}, &fault),
                     FAULT_INVALID);
    scene_run(sim, 3);
    sim_destroy(sim);
}

static uint32_t add_box(struct sim *sim, const uint32_t sides[3], double y, struct sim_matching matching)
{
    uint32_t count;
    double *points = box(sides, 0.05, (const double[3]){0, y, 0}, &count);
    struct sim_body_desc desc = scene_points(points, count, NULL);
    desc.density = 0.01;
    desc.matching = matching;
    const uint32_t body = scene_add(sim, &desc);
    free(points);
    return body;
}

static void an_image_and_a_still_have_the_same_future(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_matching matching = rigid(1e-3);
    matching.radius = 0.12;
    add_box(sim, (const uint32_t[3]){5, 4, 3}, 0.1, matching);
    const uint32_t body = add_five(sim, x5, rigid(1e-4));
    scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0.1, 1, 0}, 0.5);
    scene_run(sim, 20);
    const struct sim_rest_shape here = {.places = true};
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.rest = &here}, &fault), FAULT_NONE);
    struct sim_image image;
    struct sim_image_place place;
    assert_true(sim_image_take(sim, &image));
    struct sim *again = sim_image_make(&image, &scene_limits, &place, &fault);
    assert_non_null(again);
    const uint64_t before = sim_hash(sim);
    assert_true(sim_hash(again) == before);
    struct sim_still *still = sim_still_create(sim);
    assert_non_null(still);
    sim_still_begin(still, sim);
    while (!sim_still_go_on(still, 1000)) {
    }
    sim_still_end(still);
    scene_run(sim, 60);
    scene_run(again, 60);
    const uint64_t after = sim_hash(sim);
    assert_true(after != before && sim_hash(again) == after);
    sim_still_give_back(still, sim);
    assert_true(sim_hash(sim) == before);
    scene_run(sim, 60);
    assert_true(sim_hash(sim) == after);
    sim_still_destroy(still);
    sim_destroy(again);
    sim_image_deinit(&image);
    sim_destroy(sim);
}

static void a_box_on_the_ground_sleeps(void **state)
{
    (void)state;
    struct sim_settings settings = scene_settings();
    settings.sleep = true;
    settings.damping = 1;
    struct sim *sim = scene_create(settings);
    scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0, 1, 0}, 0.5);
    const uint32_t body = add_box(sim, (const uint32_t[3]){4, 4, 4}, 0.05, rigid(0));
    struct sim_body_info info = {0};
    for (int tick = 0; tick < 900 && !info.asleep; tick++) {
        scene_run(sim, 1);
        assert_true(sim_body_info(sim, body, &info));
    }
    assert_true(info.asleep);
    const struct sim_matching soft = rigid(1e-3);
    assert_int_equal(sim_body_set(sim, body, &(struct sim_body_change){.matching = &soft}, &fault),
                     FAULT_NONE);
    scene_run(sim, 1);
    assert_true(sim_body_info(sim, body, &info));
    assert_false(info.asleep);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------------ the bits

static uint64_t outcome(enum sim_isa isa, struct base_parallel *parallel)
{
    sim_isa_choose(isa);
    struct sim_settings settings = scene_settings();
    settings.iterations = 2;
    struct sim *sim = scene_create(settings);
    struct sim_matching parts = rigid(1e-3);
    parts.radius = 0.14;
    parts.spacing = 0.1;
    scene_plane(sim, (const double[3]){0, 0, 0}, (const double[3]){0.1, 1, 0}, 0.5);
    add_box(sim, (const uint32_t[3]){20, 20, 10}, 0.05, rigid(0)); // four chunks
    add_box(sim, (const uint32_t[3]){21, 11, 10}, 0.05, parts);    // three, and many regions
    add_five(sim, x5, rigid(1e-5));
    for (int tick = 0; tick < 4; tick++) {
        struct sim_failure failure;
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void threads_and_instruction_sets_come_to_the_same_bits(void **state)
{
    (void)state;
    const enum sim_isa chosen = sim_isa_chosen();
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    const uint64_t first = outcome(chosen, NULL);
    assert_true(outcome(chosen, base_team_parallel(team)) == first);
    base_team_destroy(team);
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        if (isa != (int)chosen && sim_isa_available((enum sim_isa)isa)) {
            assert_true(outcome((enum sim_isa)isa, NULL) == first);
        }
    }
    sim_isa_choose(chosen);
}

static void a_body_moves_the_same_100_km_from_the_origin(void **state)
{
    (void)state;
    const double shift[3] = {100000, -3, 7};
    struct sim *sims[2];
    uint32_t bodies[2];
    for (int far = 0; far < 2; far++) {
        double x[3 * FIVE];
        for (uint32_t k = 0; k < 3 * FIVE; k++) {
            x[k] = floor(x5[k] / SCENE_Q) * SCENE_Q + (far ? shift[k % 3] : 0);
        }
        sims[far] = scene_create(scene_settings());
        bodies[far] = add_five(sims[far], x, rigid(1e-3));
        scene_run(sims[far], 30);
    }
    for (uint32_t p = 0; p < FIVE; p++) {
        double near[3], there[3];
        scene_position(sims[0], bodies[0], p, near);
        scene_position(sims[1], bodies[1], p, there);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(there[axis] - shift[axis] == near[axis]);
        }
    }
    sim_destroy(sims[0]);
    sim_destroy(sims[1]);
}

static void asking_for_forces_changes_nothing(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const uint32_t body = add_five(sim, x5, rigid(1e-4));
    scene_run(sim, 5);
    const uint64_t before = sim_hash(sim);
    const double force = told_of(sim, body).force;
    struct sim_forces found;
    assert_true(force > 0);
    assert_int_equal(sim_forces_find(sim, &body, 1, true, &found, &fault), FAULT_NONE);
    sim_multipliers_drop(sim);
    assert_true(sim_hash(sim) == before && told_of(sim, body).force == force);
    scene_run(sim, 1);
    sim_destroy(sim);
}

// ----------------------------------------------------------------------------------------------- what is refused

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    double wide[3 * FIVE], unknown[3 * FIVE];
    memcpy(wide, q5, sizeof wide);
    wide[4] = 9;
    memcpy(unknown, q5, sizeof unknown);
    unknown[7] = NAN;
    const struct {
        struct sim_matching matching;
        const char *field;
    } wrong[] = {
        {{.model = SIM_MATCH_RIGID, .compliance = -1}, "shape.compliance"},
        {{.model = SIM_MATCH_RIGID, .compliance = NAN}, "shape.compliance"},
        {{.model = SIM_MATCH_RIGID, .compliance = 1e11}, "shape.compliance"},
        {{.model = SIM_MATCH_RIGID, .radius = -1}, "shape.radius"},
        {{.model = SIM_MATCH_RIGID, .radius = NAN}, "shape.radius"},
        {{.model = SIM_MATCH_RIGID, .radius = 1e-9}, "shape.radius"},
        {{.model = SIM_MATCH_RIGID, .radius = 8.1}, "shape.radius"},
        {{.model = SIM_MATCH_RIGID, .radius = 1, .spacing = 1.1}, "shape.spacing"},
        {{.model = SIM_MATCH_RIGID, .spacing = 1}, "shape.spacing"},
        {{.model = SIM_MATCH_RIGID, .radius = 1, .spacing = NAN}, "shape.spacing"},
        {{.model = SIM_MATCH_RIGID, .places = wide}, "shape.radius"},
        {{.model = SIM_MATCH_RIGID, .places = unknown}, "shape.positions"},
        {{.model = SIM_MATCH_RIGID, .radius = 2e-7, .places = wide}, "shape.radius"},
    };
    struct sim *sim = scene_create(scene_still(100));
    const uint32_t body = add_five(sim, x5, rigid(0));
    const uint64_t before = sim_hash(sim);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct sim_body_desc desc = scene_points(x5, FIVE, m5);
        desc.matching = wrong[i].matching;
        assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
        assert_string_equal(fault.field, wrong[i].field);
        const struct sim_body_change change = {.matching = &wrong[i].matching};
        assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, wrong[i].field);
    }
    assert_true(sim_hash(sim) == before);
    // Regions that overlap too much: each of 200 particles would be in 200 of them.
    uint32_t count;
    double *points = box((const uint32_t[3]){200, 1, 1}, 0.001, (const double[3]){0, 0, 0}, &count);
    struct sim_body_desc desc = scene_points(points, count, NULL);
    desc.matching = (struct sim_matching){.model = SIM_MATCH_RIGID, .radius = 1, .spacing = 1e-4};
    assert_null(sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault));
    assert_int_equal(fault.code, FAULT_LIMIT);
    assert_non_null(strstr(fault.text, "64"));
    free(points);
    sim_destroy(sim);
}

// Regions are visits of a tick, and are refused beyond the limit of those.
static void a_shape_counts_as_work(void **state)
{
    (void)state;
    struct sim_limits limits = scene_limits;
    limits.work = 60;
    struct sim *sim = scene_create_limited(scene_still(100), limits);
    const uint32_t body = add_five(sim, x5, rigid(0)); // 5 particles, and 4 + 2 visits of each
    const uint64_t before = sim_hash(sim);
    struct sim_matching parts = rigid(0);
    parts.radius = 3;
    parts.spacing = 0.1;
    const struct sim_body_change change = {.matching = &parts};
    assert_int_equal(sim_body_set(sim, body, &change, &fault), FAULT_LIMIT);
    assert_string_equal(fault.field, "shape");
    assert_true(sim_hash(sim) == before);
    limits.work = 34;
    struct sim *less = scene_create_limited(scene_still(100), limits);
    struct sim_body_desc desc = scene_points(x5, FIVE, m5);
    desc.matching = rigid(0);
    struct sim_body_plan *plan = sim_body_prepare(&desc, SCENE_Q, 1e6, &limits, &fault);
    struct sim_body_added added;
    assert_non_null(plan);
    assert_int_equal(sim_body_attach(less, plan, &added, &fault), FAULT_LIMIT);
    sim_body_plan_destroy(plan);
    sim_destroy(less);
    sim_destroy(sim);
}

#ifndef OTHERS_OWN_THE_HEAP
// Memory runs out at each allocation of an edit in turn: it is refused, and nothing has changed.
static void an_edit_without_memory_changes_nothing(void **state)
{
    (void)state;
    const struct sim_rest_shape here = {.places = true};
    struct sim_matching parts = rigid(1e-3), whole = rigid(0);
    parts.radius = 0.9;
    const struct sim_body_change changes[] = {
        {.matching = &parts}, {.rest = &here}, {.matching = &whole, .rest = &here}};
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        for (int with = 0; with < 2; with++) {
            struct sim *sim = scene_create(scene_still(100));
            const uint32_t body = add_five(sim, x5, with || c == 1 ? rigid(1) : (struct sim_matching){0});
            const uint64_t before = sim_hash(sim);
            enum fault_code status = FAULT_MEMORY;
            uint64_t pieces = 0;
            while (status == FAULT_MEMORY) {
                pieces_left = ++pieces;
                status = sim_body_set(sim, body, &changes[c], &fault);
                pieces_left = UINT64_MAX;
                assert_true(status == FAULT_NONE || sim_hash(sim) == before);
            }
            assert_int_equal(status, FAULT_NONE);
            assert_true(pieces > 8 && sim_hash(sim) != before);
            scene_run(sim, 2);
            sim_destroy(sim);
        }
    }
    struct sim_body_desc desc = scene_points(x5, FIVE, m5);
    desc.matching = parts;
    desc.matching.places = q5;
    struct sim_body_plan *plan = NULL;
    for (uint64_t pieces = 1; !plan; pieces++) {
        pieces_left = pieces;
        plan = sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault);
        pieces_left = UINT64_MAX;
        assert_true(plan || fault.code == FAULT_MEMORY);
    }
    sim_body_plan_destroy(plan);
}
#endif

// Whatever the shape, masses and places that are allowed, the world goes on, and comes to rest.
static void no_shape_fails_the_world(void **state)
{
    (void)state;
    static const double odd[][3 * FIVE] = {
        {0},                                               // all in one place
        {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0},     // a line
        {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0},     // a plate
        {0, 0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 1, 0.5}, // inside out
    };
    static const double masses[][FIVE] = {{1, 2, 1, .5, 1}, {1e-9, 1, 1e6, 1, 1e12}, {0, 1, 1, 0, 1}};
    for (size_t at = 0; at < 16; at++) {
        for (size_t m = 0; m < 3; m++) {
            for (int parts = 0; parts < 2; parts++) {
                struct sim *sim = scene_create(scene_still(1200));
                struct sim_body_desc desc = scene_points(odd[at % 4], FIVE, masses[m]);
                desc.matching = (struct sim_matching){
                    .model = SIM_MATCH_RIGID, .radius = parts ? 1.1 : 0, .places = odd[at / 4]};
                struct sim_body_plan *plan = sim_body_prepare(&desc, SCENE_Q, 1e6, &scene_limits, &fault);
                assert_non_null(plan);
                struct sim_body_added added;
                assert_int_equal(sim_body_attach(sim, plan, &added, &fault), FAULT_NONE);
                for (int tick = 0; tick < 30; tick++) {
                    struct sim_failure failure;
                    assert_true(sim_step(sim, NULL, NULL, &failure));
                    if (failure.failed) {
                        fail_msg("places %zu, masses %zu, parts %d: %s", at, m, parts, failure.text);
                    }
                }
                sim_destroy(sim);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_vector_comes_out_in_every_instruction_set),
        cmocka_unit_test(it_moves_along_the_gradient),
        cmocka_unit_test(a_stretched_body_swings_as_a_spring_does),
        cmocka_unit_test(a_held_body_sags_by_its_compliance),
        cmocka_unit_test(a_free_body_keeps_its_momenta),
        cmocka_unit_test(regions_bend_and_come_back),
        cmocka_unit_test(a_body_takes_another_shape_and_no_shape),
        cmocka_unit_test(an_image_and_a_still_have_the_same_future),
        cmocka_unit_test(a_box_on_the_ground_sleeps),
        cmocka_unit_test(threads_and_instruction_sets_come_to_the_same_bits),
        cmocka_unit_test(a_body_moves_the_same_100_km_from_the_origin),
        cmocka_unit_test(asking_for_forces_changes_nothing),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(a_shape_counts_as_work),
#ifndef OTHERS_OWN_THE_HEAP
        cmocka_unit_test(an_edit_without_memory_changes_nothing),
#endif
        cmocka_unit_test(no_shape_fails_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
