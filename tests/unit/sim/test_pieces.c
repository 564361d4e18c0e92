// Rigid pieces against cloth, ropes and points: both give way, nothing passes, and momenta stay as they are.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/contact/pieces.h"
#include "sim/state/state.h"

#include <math.h>
#include <stdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define EDGE 0.05
#define THICK 0.004

static const struct sim_meeting meets = {.group = 1, .mask = 1, .friction = 0.5};

static struct sim_settings settings_of(bool falls)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.gravity[1] = falls ? -GRAVITY : 0;
    return settings;
}

// -------------------------------------------------------------------------------------------------------- bodies

static uint32_t piece_add(struct sim *sim, struct sim_rigid_shape shape, double mass, const double at[3],
                          const float velocity[3], struct sim_meeting meeting)
{
    const struct sim_body_desc desc = {.kind = SIM_RIGID,
                                       .particle_count = 1,
                                       .positions = at,
                                       .velocities = velocity,
                                       .rigid = &shape,
                                       .masses = &mass,
                                       .thickness = 0,
                                       .meeting = meeting};
    return scene_add(sim, &desc);
}

static struct sim_rigid_shape ball(double radius)
{
    return (struct sim_rigid_shape){.form = SIM_RIGID_SPHERE, .radius = (float)radius};
}

// A square of side x side particles about the origin. mass: of all of it, 0: static. pinned: its border holds.
static uint32_t sheet_add_at(struct sim *sim, uint32_t side, double mass, bool pinned, double slope, double y)
{
    const double half = 0.5 * (side - 1) * EDGE;
    struct scene_mesh mesh = scene_grid(side, side, EDGE, (const double[3]){-half, 0, -half});
    struct sim_body_desc desc = scene_cloth(&mesh);
    uint32_t *pins = calloc(mesh.particle_count, sizeof *pins);
    double *masses = calloc(mesh.particle_count, sizeof *masses);
    assert_true(pins && masses);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        const uint32_t column = i % side, row = i / side;
        masses[i] = mass / mesh.particle_count;
        if (pinned && (column == 0 || row == 0 || column == side - 1 || row == side - 1)) {
            pins[desc.pin_count++] = i;
        }
        mesh.positions[3 * i + 1] = y + slope * mesh.positions[3 * i];
    }
    desc.pins = pins;
    desc.masses = masses;
    desc.thickness = THICK;
    desc.meeting = meets;
    const uint32_t body = scene_add(sim, &desc);
    free(pins);
    free(masses);
    scene_mesh_deinit(&mesh);
    return body;
}

static uint32_t sheet_add(struct sim *sim, uint32_t side, double mass, bool pinned, double slope)
{
    return sheet_add_at(sim, side, mass, pinned, slope, 0);
}

// How far the nearest particle of the body is from the surface of the piece, m.
static double nearest(const struct sim *sim, uint32_t body, uint32_t count, uint32_t piece)
{
    struct sim_shape shape;
    double least = 1e9, at[3], x[3], normal[3];
    const struct sim_rigid *rigid = NULL;
    for (uint32_t i = 0; i < sim->rigids.count; i++) {
        rigid = sim->rigids.items[i].body == piece ? &sim->rigids.items[i] : rigid;
    }
    assert_non_null(rigid);
    sim_piece_at(sim, rigid, &shape);
    scene_position(sim, piece, 0, at);
    for (uint32_t i = 0; i < count; i++) {
        scene_position(sim, body, i, x);
        const double from[3] = {x[0] - at[0], x[1] - at[1], x[2] - at[2]};
        const double distance = sim_piece_distance(&shape, &shape.end, from, normal);
        least = distance < least ? distance : least;
    }
    return least;
}

struct watched {
    uint32_t pierced;
    double highest, lowest, deepest; // of the piece after it has first come down; deepest: nearest particle, m
    double speed;                    // when the last tick ended
};

static struct watched watch(struct sim *sim, uint32_t sheet, uint32_t count, uint32_t piece, uint32_t ticks)
{
    struct watched seen = {.highest = -1e9, .lowest = 1e9, .deepest = 1e9};
    double x[3];
    float v[3];
    bool up = false;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        struct sim_meetings told;
        scene_run(sim, 1);
        sim_meetings_of(sim, &told);
        seen.pierced = told.pierced > seen.pierced ? told.pierced : seen.pierced;
        scene_position(sim, piece, 0, x);
        scene_velocity(sim, piece, 0, v);
        seen.lowest = x[1] < seen.lowest ? x[1] : seen.lowest;
        up = up || v[1] > 0;
        seen.highest = up && x[1] > seen.highest ? x[1] : seen.highest;
        const double near = nearest(sim, sheet, count, piece);
        seen.deepest = near < seen.deepest ? near : seen.deepest;
    }
    scene_velocity(sim, piece, 0, v);
    seen.speed = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
    return seen;
}

// ------------------------------------------------------------------------------------------------------- momenta

struct momenta {
    double linear[3], angular[3];
};

static void body_momenta(const struct sim *sim, uint32_t body, uint32_t count, double mass, struct momenta *sum)
{
    for (uint32_t i = 0; i < count; i++) {
        double x[3];
        float v[3];
        scene_position(sim, body, i, x);
        scene_velocity(sim, body, i, v);
        for (int axis = 0; axis < 3; axis++) {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            sum->linear[axis] += mass * (double)v[axis];
            sum->angular[axis] += mass * (x[b] * (double)v[c] - x[c] * (double)v[b]);
        }
    }
}

static struct momenta momenta_of(const struct sim *sim, uint32_t sheet, uint32_t count, double each,
                                 uint32_t piece, double mass)
{
    struct momenta sum = {{0}, {0}};
    body_momenta(sim, sheet, count, each, &sum);
    body_momenta(sim, piece, 1, mass, &sum);
    for (int axis = 0; axis < 3; axis++) {
        sum.angular[axis] += (double)sim->rigids.items[0].momentum[axis];
    }
    return sum;
}

static void momenta_stay(void **state)
{
    (void)state;
    static const double masses[] = {0.01, 0.1, 1, 10};
    enum { SIDE = 9, COUNT = SIDE * SIDE };
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(settings_of(false));
        const uint32_t sheet = sheet_add(sim, SIDE, 0.1, false, 0);
        const struct sim_rigid_shape box = {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.03f, 0.04f}};
        const uint32_t piece = piece_add(sim, i % 2 == 0 ? ball(0.05) : box, masses[i],
                                         (const double[3]){0.04, 0.08, -0.03}, (const float[3]){0.7f, -2, 0.3f},
                                         meets);
        const double each = 0.1 / COUNT;
        struct momenta before = momenta_of(sim, sheet, COUNT, each, piece, masses[i]);
        scene_run(sim, 12);
        struct momenta after = momenta_of(sim, sheet, COUNT, each, piece, masses[i]);
        float v[3];
        scene_velocity(sim, piece, 0, v);
        printf("mass %g v %g %g %g L %g %g %g\n", masses[i], (double)v[0], (double)v[1], (double)v[2],
               (double)sim->rigids.items[0].momentum[0], (double)sim->rigids.items[0].momentum[1],
               (double)sim->rigids.items[0].momentum[2]);
        for (int axis = 0; axis < 3; axis++) {
            printf("  %g %g   %g %g\n", before.linear[axis], after.linear[axis] - before.linear[axis],
                   before.angular[axis], after.angular[axis] - before.angular[axis]);
        }
        sim_destroy(sim);
    }
}

static void a_ball_bounces_on_a_trampoline(void **state)
{
    (void)state;
    static const double masses[] = {0.01, 0.1, 1, 8};
    enum { SIDE = 21, COUNT = SIDE * SIDE };
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t sheet = sheet_add(sim, SIDE, 0.1, true, 0);
        const uint32_t piece = piece_add(sim, ball(0.05), masses[i], (const double[3]){0, 0.4, 0}, NULL, meets);
        struct watched seen = watch(sim, sheet, COUNT, piece, 60);
        printf("mass %g pierced %u lowest %g highest %g nearest %g\n", masses[i], seen.pierced, seen.lowest,
               seen.highest, seen.deepest);
        seen = watch(sim, sheet, COUNT, piece, 240);
        printf("   later pierced %u lowest %g highest %g nearest %g speed %g\n", seen.pierced, seen.lowest,
               seen.highest, seen.deepest, seen.speed);
        sim_destroy(sim);
    }
}

static void nothing_fast_passes(void **state)
{
    (void)state;
    enum { SIDE = 21, COUNT = SIDE * SIDE };
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t sheet = sheet_add(sim, SIDE, 0.1, false, 0);
        const double speed = i % 2 == 0 ? 10 : 50, mass = i < 2 ? 0.05 : 1;
        const uint32_t piece = piece_add(sim, ball(0.05), mass, (const double[3]){0.01, 0.3, 0.013},
                                         (const float[3]){0, (float)-speed, 0}, meets);
        struct watched seen = watch(sim, sheet, COUNT, piece, 10);
        printf("mass %g speed %g pierced %u lowest %g nearest %g speed %g\n", mass, speed, seen.pierced,
               seen.lowest, seen.deepest, seen.speed);
        sim_destroy(sim);
    }
}

// A ball that rolls without slipping goes by 5/7 of what the slope gives.
static void a_ball_rolls_down_a_slope(void **state)
{
    (void)state;
    const double slope = 0.2, length = sqrt(1 + slope * slope);
    struct sim *sim = scene_create(settings_of(true));
    sheet_add(sim, 41, 0, false, slope);
    const double up = 0.05 + THICK;
    const double at[3] = {0.8 - up * slope / length, 0.8 * slope + up / length, 0};
    const uint32_t piece = piece_add(sim, ball(0.05), 0.3, at, NULL, meets);
    scene_run(sim, 60);
    double x[3];
    scene_position(sim, piece, 0, x);
    const double way = 0.5 * (5.0 / 7) * GRAVITY * slope / length;
    printf("rolls %g of %g\n", (at[0] - x[0]) * length, way);
    sim_destroy(sim);
}

static void a_box_comes_to_rest_on_a_hammock(void **state)
{
    (void)state;
    enum { SIDE = 21, COUNT = SIDE * SIDE };
    struct sim *sim = scene_create(settings_of(true));
    const uint32_t sheet = sheet_add(sim, SIDE, 0.2, true, 0);
    const struct sim_rigid_shape box = {.form = SIM_RIGID_BOX, .half_extents = {0.12f, 0.04f, 0.08f}};
    const uint32_t piece = piece_add(sim, box, 1, (const double[3]){0.02, 0.1, 0.01}, NULL, meets);
    for (int i = 0; i < 5; i++) {
        struct watched seen = watch(sim, sheet, COUNT, piece, 60);
        printf("box pierced %u lowest %g nearest %g speed %g L %g\n", seen.pierced, seen.lowest, seen.deepest,
               seen.speed, (double)sim->rigids.items[0].momentum[0]);
    }
    sim_destroy(sim);
}

// Sheet at the height y. The first sheet added is static.
static void squeezed(void **state)
{
    (void)state;
    enum { SIDE = 13, COUNT = SIDE * SIDE };
    for (int i = 0; i < 3; i++) {
        static const double masses[] = {0.1, 1, 8};
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t floor = sheet_add(sim, SIDE, 0, false, 0);
        const uint32_t sheet = sheet_add_at(sim, SIDE, 0.1, false, 0, 0.01);
        const uint32_t piece = piece_add(sim, ball(0.05), masses[i], (const double[3]){0.01, 0.2, 0.02}, NULL, meets);
        for (int k = 0; k < 3; k++) {
            struct watched seen = watch(sim, sheet, COUNT, piece, 40);
            struct sim_meetings told;
            sim_meetings_of(sim, &told);
            printf("squeezed %g pierced %u lowest %g nearest %g speed %g; floor %g held %u deepest %g\n", masses[i], seen.pierced, seen.lowest,
                   seen.deepest, seen.speed, nearest(sim, floor, COUNT, piece), told.held, told.deepest);
        }
        sim_destroy(sim);
    }
}

// A light ball under a heavy sheet on a static one.
static void crushed(void **state)
{
    (void)state;
    enum { SIDE = 13, COUNT = SIDE * SIDE };
    for (int i = 0; i < 3; i++) {
        static const double masses[] = {0.001, 0.01, 0.1};
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t floor = sheet_add(sim, SIDE, 0, false, 0);
        const uint32_t sheet = sheet_add_at(sim, SIDE, 2, false, 0, 0.15);
        const uint32_t piece = piece_add(sim, ball(0.05), masses[i], (const double[3]){0.01, 0.06, 0.02}, NULL, meets);
        for (int k = 0; k < 3; k++) {
            struct watched seen = watch(sim, sheet, COUNT, piece, 40);
            struct sim_meetings told;
            sim_meetings_of(sim, &told);
            printf("crushed %g pierced %u lowest %g nearest %g speed %g; floor %g held %u deepest %g\n", masses[i], seen.pierced, seen.lowest,
                   seen.deepest, seen.speed, nearest(sim, floor, COUNT, piece), told.held, told.deepest);
        }
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(a_ball_bounces_on_a_trampoline),
        cmocka_unit_test(nothing_fast_passes),
        cmocka_unit_test(a_ball_rolls_down_a_slope),
        cmocka_unit_test(squeezed),
        cmocka_unit_test(crushed),
        cmocka_unit_test(a_box_comes_to_rest_on_a_hammock),
    };
    cmocka_set_test_filter(getenv("ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
