// Friction and restitution by pairs of surfaces: rows of the settings hold in place of what both sides have, in every kind of contact.
//
// A thing that slides on a slope of the angle a has g (sin a - mu_k cos a), and what rests holds as long as tan a < mu. Values are sums of powers
// of 2, so that a row may give the very bits that both sides of their own come to.
#include "helper_piece.h"
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define HOLDS 0.5
#define SLIDES 0.25
#define BOUNCES 0.75

static struct fault fault;

enum meets {
    PARTICLES_ON_A_PLANE,
    CLOTH_ON_A_BOX,
    LOADED_CLOTH_ON_A_BOX, // its contacts are solved as one system
    SHEET_ON_SHEET,
    SHEET_ON_A_PIECE,
    PIECE_ON_A_PLANE,
    PIECE_ON_A_PIECE,
    MEETS
};
static const char *const names[MEETS] = {
    "particles on a plane", "a cloth on a box",   "a loaded cloth on a box", "a sheet on a sheet",
    "a sheet on a piece",   "a piece on a plane", "a piece on a piece"};

struct trial {
    enum meets meets;
    double tangent, height; // of the slope; from which it falls, m
    double holds, slides, bounces;
    struct sim_surface_pair row;
    bool has_row;
};

static struct sim_surface_pair row_of(const char *one, const char *other)
{
    struct sim_surface_pair row = {
        .holds = true, .slides = true, .bounces = true, .friction = HOLDS, .friction_kinetic = SLIDES};
    snprintf(row.one, sizeof row.one, "%s", one);
    snprintf(row.other, sizeof row.other, "%s", other);
    return row;
}

// Returns the values that a side of the trial has of its own.
static struct sim_meeting meeting_of(const struct trial *trial, const char *surface)
{
    struct sim_meeting meeting = {.group = 1,
                                  .mask = 1,
                                  .friction = trial->holds,
                                  .friction_kinetic = trial->slides,
                                  .kinetic = true,
                                  .restitution = trial->bounces};
    snprintf(meeting.surface, sizeof meeting.surface, "%s", surface);
    return meeting;
}

static void collider_add(struct sim *sim, const struct trial *trial, enum sim_collider_kind kind)
{
    struct sim_collider collider = {.kind = kind,
                                    .position = {0, kind == SIM_BOX ? -1 : 0, 0},
                                    .rotation = {0, 0, 0, 1},
                                    .half_extents = {20, 1, 20},
                                    .friction = trial->holds,
                                    .friction_kinetic = trial->slides,
                                    .kinetic = true,
                                    .restitution = trial->bounces,
                                    .surface = "ice"};
    assert_int_equal(sim_collider_add(sim, &collider, &collider.id, &fault), FAULT_NONE);
}

static uint32_t piece_of(struct sim *sim, const struct trial *trial, const char *surface, double half,
                         double y, double mass)
{
    const double x[3] = {0, y, 0};
    const struct sim_rigid_shape shape = piece_box((float)half, 0.125f, (float)half);
    const int32_t q[4] = {0, 0, 0, 1 << 30};
    struct sim_turned turned = {0};
    memcpy(turned.q, q, sizeof q);
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = x,
                                       .masses = &mass,
                                       .rigid = &shape,
                                       .turned = &turned,
                                       .meeting = meeting_of(trial, surface)};
    return scene_add(sim, &desc);
}

static uint32_t sheet_of_trial(struct sim *sim, const struct trial *trial, double y)
{
    struct sheet sheet = sheet_of(6, 0, 2, 0.033, y, 0.133);
    sheet.meeting = meeting_of(trial, "rubber");
    return sheet_add(sim, &sheet);
}

static struct sim *trial_make(const struct trial *trial, uint32_t *body)
{
    struct sim_settings settings = scene_settings();
    const double a = atan(trial->tangent);
    settings.substeps = 20;
    settings.gravity[0] = GRAVITY * sin(a);
    settings.gravity[1] = -GRAVITY * cos(a);
    settings.loads_solved = trial->meets == LOADED_CLOTH_ON_A_BOX;
    settings.surfaces.count = trial->has_row ? 2 : 0;
    settings.surfaces.items[0] = row_of("ice", "ice"); // of another pair
    settings.surfaces.items[1] = trial->row;
    struct sim *sim = scene_create(settings);
    double up = trial->height;
    struct scene_mesh mesh;
    switch (trial->meets) {
    case PARTICLES_ON_A_PLANE:
        collider_add(sim, trial, SIM_PLANE);
        mesh = scene_grid(6, 6, 0.02, (const double[3]){0, up + 0.01, 0});
        struct sim_body_desc desc = scene_cloth(&mesh);
        desc.thickness = 0.01;
        desc.meeting = meeting_of(trial, "rubber");
        *body = scene_add(sim, &desc);
        scene_mesh_deinit(&mesh);
        break;
    case CLOTH_ON_A_BOX:
    case LOADED_CLOTH_ON_A_BOX:
        collider_add(sim, trial, SIM_BOX);
        *body = sheet_of_trial(sim, trial, up + SHEET_THICK);
        break;
    case SHEET_ON_SHEET: {
        struct sheet table = sheet_of(41, 0, 2, -0.1, 0, -0.1);
        table.is_static = true;
        table.meeting = meeting_of(trial, "ice");
        sheet_add(sim, &table);
        *body = sheet_of_trial(sim, trial, up + 2 * SHEET_THICK);
        break;
    }
    case SHEET_ON_A_PIECE:
        piece_of(sim, trial, "ice", 3.5, -0.125, 0);
        *body = sheet_of_trial(sim, trial, up + SHEET_THICK);
        break;
    case PIECE_ON_A_PLANE:
        collider_add(sim, trial, SIM_PLANE);
        *body = piece_of(sim, trial, "rubber", 0.5, up + 0.125, 3);
        break;
    default:
        piece_of(sim, trial, "ice", 3.5, -0.125, 0);
        *body = piece_of(sim, trial, "rubber", 0.5, up + 0.125, 3);
        break;
    }
    return sim;
}

struct went {
    double way, acceleration, highest; // m; m/s^2 of the last 21 ticks; m after the first blow
    uint32_t count;
    double places[3 * 64];
};

static struct went run(const struct trial *trial)
{
    uint32_t body;
    struct sim *sim = trial_make(trial, &body);
    enum { PART = 7 };
    struct went went = {.count = sim_body_count(sim)};
    struct sim_body_info info;
    double x[5] = {sheet_mean(sim, body, 0)}, y = sheet_mean(sim, body, 1);
    bool rises = false;
    for (int t = 1; t < 5; t++) {
        for (int i = 0; i < PART; i++) {
            scene_run(sim, 1);
            const double now = sheet_mean(sim, body, 1);
            rises = rises || now > y + 1e-4;
            went.highest = rises && now > went.highest ? now : went.highest;
            y = now;
        }
        x[t] = sheet_mean(sim, body, 0);
    }
    assert_true(sim_body_info(sim, body, &info));
    went.count = info.particle_count;
    sim_body_positions64(sim, body, 0, info.particle_count, went.places);
    sim_destroy(sim);
    went.way = x[4] - x[0];
    went.acceleration = (x[4] - x[3] - x[2] + x[1]) / 2 / (PART * PART / 3600.0);
    return went;
}

static bool same(const struct went *a, const struct went *b)
{
    return a->count == b->count && memcmp(a->places, b->places, 3 * a->count * sizeof *a->places) == 0;
}

// Both sides would hold on any slope.
static void what_is_slippery_together_slides_by_the_row(void **state)
{
    (void)state;
    for (enum meets meets = 0; meets < MEETS; meets++) {
        const struct trial trial = {.meets = meets,
                                    .tangent = 1.2 * HOLDS,
                                    .holds = 4,
                                    .slides = 4,
                                    .row = row_of("ice", "rubber"),
                                    .has_row = true};
        // Solved loads know one friction alone.
        const double mu = meets == LOADED_CLOTH_ON_A_BOX ? HOLDS : SLIDES;
        const double a = atan(trial.tangent), wanted = GRAVITY * (sin(a) - mu * cos(a));
        const struct went went = run(&trial);
        if (fabs(went.acceleration - wanted) >
            (meets == LOADED_CLOTH_ON_A_BOX || meets == SHEET_ON_A_PIECE ? 0.04 : 0.015) * GRAVITY * SLIDES) {
            fail_msg("%s: %g m/s^2, not %g", names[meets], went.acceleration, wanted);
        }
    }
}

// Both sides would slide on any slope.
static void what_is_rough_together_holds_by_the_row(void **state)
{
    (void)state;
    for (enum meets meets = 0; meets < MEETS; meets++) {
        struct trial trial = {.meets = meets,
                              .tangent = 0.97 * HOLDS,
                              .holds = 0.01,
                              .slides = 0.01,
                              .row = row_of("rubber", "ice"),
                              .has_row = true};
        trial.row.slides = meets < PIECE_ON_A_PLANE; // a box that bears no load yet slips for a moment
        const struct went went = run(&trial);
        if (fabs(went.acceleration) > 0.02 || fabs(went.way) > 2e-3) {
            fail_msg("%s: went %g m, and at %g m/s^2", names[meets], went.way, went.acceleration);
        }
    }
}

// A row comes to the bits of what both sides could have of their own, whichever of its names comes first.
static void a_row_is_as_good_as_values_of_both_sides(void **state)
{
    (void)state;
    for (enum meets meets = 0; meets < MEETS; meets++) {
        struct trial trial = {.meets = meets,
                              .tangent = 0.6,
                              .height = 0.05,
                              .holds = HOLDS,
                              .slides = SLIDES,
                              .bounces = BOUNCES};
        const struct went own = run(&trial);
        trial.holds = trial.slides = 2;
        trial.bounces = 0;
        const struct went other = run(&trial);
        trial.has_row = true;
        trial.row = row_of("ice", "rubber");
        trial.row.restitution = BOUNCES;
        const struct went row = run(&trial);
        trial.row = row_of("rubber", "ice");
        trial.row.restitution = BOUNCES;
        const struct went turned = run(&trial);
        if (!same(&row, &own) || !same(&turned, &own) || same(&other, &own)) {
            fail_msg("%s: goes %g m of its own, %g by a row, %g by a row turned round, %g otherwise",
                     names[meets], own.way, row.way, turned.way, other.way);
        }
    }
}

// A row that says 0 ends what either side has, and one that says nothing of it leaves that.
static void a_row_takes_the_bounce_away(void **state)
{
    (void)state;
    for (enum meets meets = 0; meets < MEETS; meets++) {
        struct trial trial = {
            .meets = meets, .height = 0.05, .bounces = 0.9, .row = row_of("ice", "rubber"), .has_row = true};
        const struct went dead = run(&trial);
        trial.row.bounces = false;
        const struct went live = run(&trial);
        const double rests = dead.places[1];
        if (dead.highest > rests + 2e-3 || live.highest < rests + 0.02) {
            fail_msg("%s: comes up to %g and %g m, and rests at %g", names[meets], dead.highest, live.highest,
                     rests);
        }
    }
}

// A value that the row lacks is as without the row, but one friction stands for both.
static void what_a_row_does_not_say(void **state)
{
    (void)state;
    struct trial trial = {.meets = PIECE_ON_A_PIECE, .tangent = 1, .holds = HOLDS, .slides = SLIDES};
    const struct went plain = run(&trial);
    trial.has_row = true;
    trial.row = row_of("ice", "rubber");
    trial.row.holds = trial.row.slides = false;
    const struct went bounces = run(&trial);
    assert_true(same(&plain, &bounces));
    trial.row = row_of("ice", "rubber");
    trial.row.slides = false;
    trial.row.friction = 0.75;
    const struct went holds = run(&trial);
    assert_near(holds.acceleration, GRAVITY * (1 - 0.75) / sqrt(2), 0.01 * GRAVITY);
    trial.row.friction = SLIDES / 2; // of what slides there is no more than of what holds
    const struct went less = run(&trial);
    assert_near(less.acceleration, GRAVITY * (1 - SLIDES / 2) / sqrt(2), 0.01 * GRAVITY);
}

// A box sleeps on a slope. Another row, or another name of what it lies on, wakes it.
static void another_row_wakes_what_sleeps(void **state)
{
    (void)state;
    for (int renames = 0; renames < 2; renames++) {
        const struct trial trial = {.meets = PIECE_ON_A_PLANE,
                                    .tangent = 0.2,
                                    .holds = renames ? 0 : 2,
                                    .row = row_of("ice", "rubber"),
                                    .has_row = true};
        uint32_t body;
        struct sim_body_info info;
        struct sim *sim = trial_make(&trial, &body);
        struct sim_settings settings = *sim_settings_of(sim);
        settings.sleep = true;
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        scene_run(sim, 300);
        assert_true(sim_body_info(sim, body, &info));
        assert_true(info.asleep);
        const double before = sheet_mean(sim, body, 0);
        if (renames) {
            struct sim_collider collider;
            sim_collider_at(sim, 0, &collider);
            snprintf(collider.surface, sizeof collider.surface, "glass");
            assert_int_equal(sim_collider_set(sim, &collider, &fault), FAULT_NONE);
        } else {
            settings.surfaces.items[1].friction = 0.0625;
            assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_NONE);
        }
        scene_run(sim, 30);
        assert_true(sim_body_info(sim, body, &info));
        assert_false(info.asleep);
        assert_true(sheet_mean(sim, body, 0) > before + 0.1);
        sim_destroy(sim);
    }
}

static void rows_are_hashed_and_bounded(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    const struct sim_settings plain = *sim_settings_of(sim);
    const uint64_t without = sim_hash(sim);
    struct sim_settings good = plain;
    good.surfaces.count = 1;
    good.surfaces.items[0] = row_of("ice", "rubber");
    assert_int_equal(sim_settings_set(sim, &good, &fault), FAULT_NONE);
    const uint64_t with = sim_hash(sim);
    assert_true(with != without);
    for (int bad = 0; bad < 8; bad++) {
        struct sim_settings settings = good;
        struct sim_surface_pair *row = &settings.surfaces.items[0];
        switch (bad) {
        case 0:
            row->friction = NAN;
            break;
        case 1:
            row->friction_kinetic = -1e-9;
            break;
        case 2:
            row->restitution = 1.0001;
            break;
        case 3:
            row->one[0] = '\0';
            break;
        case 4:
            memset(row->other, 'x', sizeof row->other);
            break;
        case 5:
            row->holds = row->slides = row->bounces = false;
            break;
        case 6:
            settings.surfaces.items[settings.surfaces.count++] = row_of("rubber", "ice");
            break;
        default:
            settings.surfaces.count = SIM_SURFACES_MAX + 1;
            break;
        }
        assert_int_equal(sim_settings_set(sim, &settings, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "surfaces");
    }
    assert_true(sim_hash(sim) == with);
    assert_int_equal(sim_settings_set(sim, &plain, &fault), FAULT_NONE);
    assert_true(sim_hash(sim) == without);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_slippery_together_slides_by_the_row),
        cmocka_unit_test(what_is_rough_together_holds_by_the_row),
        cmocka_unit_test(a_row_is_as_good_as_values_of_both_sides),
        cmocka_unit_test(a_row_takes_the_bounce_away),
        cmocka_unit_test(what_a_row_does_not_say),
        cmocka_unit_test(another_row_wakes_what_sleeps),
        cmocka_unit_test(rows_are_hashed_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
