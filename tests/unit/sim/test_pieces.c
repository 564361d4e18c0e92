// Rigid pieces against cloth, ropes and points: both give way, nothing passes, and momenta stay as they are.
#include "helper_scene.h"

#include "base/thread.h"
#include "sim/contact/pieces.h"
#include "sim/state/state.h"

#include <math.h>
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
    sim_piece_at(sim, rigid, 0, &shape);
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
    double highest, lowest,
        deepest;  // of the piece after it has first come down; deepest: nearest particle, m
    double speed; // when the last tick ended
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
    seen.speed =
        sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2]);
    return seen;
}

// ------------------------------------------------------------------------------------------------------- momenta

struct momenta {
    double linear[3], angular[3];
};

static void body_momenta(const struct sim *sim, uint32_t body, uint32_t count, double mass,
                         struct momenta *sum)
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
        const uint32_t piece =
            piece_add(sim, i % 2 == 0 ? ball(0.05) : box, masses[i], (const double[3]){0.04, 0.08, -0.03},
                      (const float[3]){0.7f, -2, 0.3f}, meets);
        const double each = 0.1 / COUNT, all = masses[i] + 0.1;
        const struct momenta before = momenta_of(sim, sheet, COUNT, each, piece, masses[i]);
        scene_run(sim, 12);
        const struct momenta after = momenta_of(sim, sheet, COUNT, each, piece, masses[i]);
        float v[3];
        scene_velocity(sim, piece, 0, v);
        assert_true((double)v[1] > -1.99); // it has hit
        const float *turns = sim->rigids.items[0].momentum;
        assert_true(turns[0] != 0 && turns[2] != 0);
        for (int axis = 0; axis < 3; axis++) {
            assert_near(after.linear[axis], before.linear[axis], 2e-6 * all);
            // The arm of a push changes by the push: an error of the first order in a substep.
            assert_near(after.angular[axis], before.angular[axis],
                        0.01 * 2 * 0.08 * (masses[i] < 0.1 ? masses[i] : 0.1));
        }
        sim_destroy(sim);
    }
}

// A ball and a point of as much mass that meet in the middle share their momentum, and with a restitution of 1 they exchange it.
static void a_point_takes_its_share(void **state)
{
    (void)state;
    for (int elastic = 0; elastic <= 1; elastic++) {
        struct sim *sim = scene_create(settings_of(false));
        const double mass = 0.5, at[3] = {0, 0, 0};
        struct sim_meeting meeting = meets;
        meeting.restitution = elastic;
        struct sim_body_desc desc = scene_points(at, 1, &mass);
        desc.thickness = THICK;
        desc.meeting = meets;
        const uint32_t point = scene_add(sim, &desc);
        const uint32_t piece = piece_add(sim, ball(0.05), mass, (const double[3]){0, 0.08, 0},
                                         (const float[3]){0, -1, 0}, meeting);
        float v[3], w[3];
        scene_run(sim, 6);
        scene_velocity(sim, point, 0, v);
        scene_velocity(sim, piece, 0, w);
        assert_near((double)v[1], elastic ? -1 : -0.5, 1e-5);
        assert_near((double)w[1], elastic ? 0 : -0.5, 1e-5);
        sim_destroy(sim);
    }
}

static void a_ball_bounces_on_a_trampoline(void **state)
{
    (void)state;
    static const double masses[] = {0.02, 1, 8};
    enum { SIDE = 13, COUNT = SIDE * SIDE };
    double lowest = 0.01;
    for (int i = 0; i < 3; i++) {
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t sheet = sheet_add(sim, SIDE, 0.1, true, 0);
        const uint32_t piece =
            piece_add(sim, ball(0.05), masses[i], (const double[3]){0, 0.3, 0}, NULL, meets);
        const struct watched seen = watch(sim, sheet, COUNT, piece, 75);
        assert_int_equal(seen.pierced, 0);
        assert_true(seen.deepest > 0.9 * THICK);
        assert_true(seen.lowest < lowest && seen.lowest > -0.5); // what is heavier goes deeper
        assert_true(seen.highest > 0.06 && seen.highest < 0.3);
        lowest = seen.lowest;
        sim_destroy(sim);
    }
}

static void a_ball_bounces_off_what_stands(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true));
    struct sim_meeting meeting = meets;
    meeting.restitution = 0.8;
    const uint32_t sheet = sheet_add(sim, 9, 0, false, 0);
    const uint32_t piece =
        piece_add(sim, ball(0.05), 1, (const double[3]){0.01, 0.254, 0.007}, NULL, meeting);
    const struct watched seen = watch(sim, sheet, 81, piece, 30);
    assert_int_equal(seen.pierced, 0);
    assert_near(seen.highest - 0.05 - THICK, 0.64 * 0.2, 0.004);
    sim_destroy(sim);
}

static double side_of(const double a[3], const double b[3], const double p[3])
{
    return (b[0] - a[0]) * (p[2] - a[2]) - (b[2] - a[2]) * (p[0] - a[0]);
}

// Whether a triangle of the sheet is straight below the ball.
static bool is_below(const struct sim *sim, uint32_t sheet, uint32_t side, uint32_t piece)
{
    struct scene_mesh mesh = scene_grid(side, side, EDGE, (const double[3]){0, 0, 0});
    bool below = false;
    double x[3][3], at[3];
    scene_position(sim, piece, 0, at);
    for (uint32_t t = 0; t < mesh.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            scene_position(sim, sheet, mesh.triangles[3 * t + (uint32_t)k], x[k]);
        }
        const bool one = side_of(x[0], x[1], at) > 0, two = side_of(x[1], x[2], at) > 0;
        below |= one == two && two == (side_of(x[2], x[0], at) > 0) && x[0][1] < at[1];
    }
    scene_mesh_deinit(&mesh);
    return below;
}

static void nothing_fast_passes(void **state)
{
    (void)state;
    enum { SIDE = 13, COUNT = SIDE * SIDE };
    for (int i = 0; i < 4; i++) {
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t sheet = sheet_add(sim, SIDE, 0.1, false, 0);
        const double speed = i % 2 == 0 ? 10 : 50, mass = i < 2 ? 0.05 : 1;
        const uint32_t piece = piece_add(sim, ball(0.05), mass, (const double[3]){0.01, 0.3, 0.013},
                                         (const float[3]){0, (float)-speed, 0}, meets);
        const struct watched seen = watch(sim, sheet, COUNT, piece, 8);
        assert_int_equal(seen.pierced, 0);
        assert_true(seen.lowest < 0 && seen.deepest > 0.9 * THICK);
        assert_true(is_below(sim, sheet, SIDE, piece));
        sim_destroy(sim);
    }
}

// A coarse sheet that a small ball hits is torn open so far that triangles turn over it within a substep.
static void what_turns_over_a_ball_is_held(void **state)
{
    (void)state;
    static const double falls[][8] = {
        // radius, mass, place, velocity
        {0.0392985307, 0.424852178, -0.105148229, 0.15, 0.126157927, -3.44416928, -21.954216, 3.59148908},
        {0.050233461, 0.747708664, -0.00907666454, 0.15, -0.0301572179, 1.01394367, -16.0167046, 0.547288537},
        {0.0371480919, 0.433006438, 0.142294648, 0.15, 0.0234102051, -4.15198278, -19.9924965, 0.767755449},
    };
    for (size_t i = 0; i < sizeof falls / sizeof falls[0]; i++) {
        const double *fall = falls[i];
        const float velocity[3] = {(float)fall[5], (float)fall[6], (float)fall[7]};
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t sheet = sheet_add(sim, 13, 0.1, true, 0);
        const uint32_t piece = piece_add(sim, ball(fall[0]), fall[1], fall + 2, velocity, meets);
        assert_int_equal(watch(sim, sheet, 169, piece, 12).pierced, 0);
        sim_destroy(sim);
    }
}

// A ball that rolls goes by 1 / (1 + 2/5 R^2 / (R + r)^2) of what the slope gives, because it rolls at the distance r.
static void a_ball_rolls_down_a_slope(void **state)
{
    (void)state;
    const double slope = 0.2, length = sqrt(1 + slope * slope), up = 0.05 + THICK;
    struct sim *sim = scene_create(settings_of(true));
    sheet_add(sim, 31, 0, false, slope);
    const double at[3] = {0.6 - up * slope / length, 0.6 * slope + up / length, 0};
    const uint32_t piece = piece_add(sim, ball(0.05), 0.3, at, NULL, meets);
    scene_run(sim, 45);
    double x[3];
    scene_position(sim, piece, 0, x);
    const double share = 1 / (1 + 0.4 * (0.05 * 0.05) / (up * up));
    const double way = 0.5 * share * GRAVITY * slope / length * (0.75 * 0.75);
    assert_near((at[0] - x[0]) * length, way, 0.005 * way);
    sim_destroy(sim);
}

static void a_box_comes_to_rest_on_a_hammock(void **state)
{
    (void)state;
    enum { SIDE = 13, COUNT = SIDE * SIDE };
    struct sim_settings settings = settings_of(true);
    settings.damping = 3;
    struct sim *sim = scene_create(settings);
    const uint32_t sheet = sheet_add(sim, SIDE, 0.2, true, 0);
    const struct sim_rigid_shape box = {.form = SIM_RIGID_BOX, .half_extents = {0.12f, 0.04f, 0.08f}};
    const uint32_t piece = piece_add(sim, box, 1, (const double[3]){0.02, 0.1, 0.01}, NULL, meets);
    struct watched seen = watch(sim, sheet, COUNT, piece, 180);
    assert_int_equal(seen.pierced, 0);
    seen = watch(sim, sheet, COUNT, piece, 30);
    assert_int_equal(seen.pierced, 0);
    assert_true(seen.speed < 2e-3 && seen.deepest > 0.9 * THICK);
    sim_destroy(sim);
}

// A loop of rope holds a capsule that lies across it.
static void a_rope_carries_a_capsule(void **state)
{
    (void)state;
    enum { COUNT = 41 };
    struct sim *sim = scene_create(settings_of(true));
    double at[3 * COUNT], masses[COUNT];
    uint32_t edges[2 * (COUNT - 1)];
    static const uint32_t pins[] = {0, COUNT - 1};
    for (uint32_t i = 0; i < COUNT; i++) {
        at[3 * i] = 0.02 * ((double)i - (COUNT - 1) / 2);
        at[3 * i + 1] = at[3 * i + 2] = 0;
        masses[i] = 0.002;
        if (i > 0) {
            edges[2 * i - 2] = i - 1;
            edges[2 * i - 1] = i;
        }
    }
    struct sim_body_desc desc = scene_rope(at, COUNT, edges, COUNT - 1, masses);
    desc.pins = pins;
    desc.pin_count = 2;
    desc.thickness = THICK;
    desc.meeting = meets;
    const uint32_t rope = scene_add(sim, &desc);
    const struct sim_rigid_shape capsule = {.form = SIM_RIGID_CAPSULE, .radius = 0.04f, .half_height = 0.15f};
    const struct sim_turned across = {.q = {759250125, 0, 0, 759250125}};
    const double middle[3] = {0, 0.05, 0}, mass = 0.3;
    const struct sim_body_desc piece_desc = {.kind = SIM_RIGID,
                                             .particle_count = 1,
                                             .positions = middle,
                                             .rigid = &capsule,
                                             .turned = &across,
                                             .masses = &mass,
                                             .meeting = meets};
    const uint32_t piece = scene_add(sim, &piece_desc);
    const struct watched seen = watch(sim, rope, COUNT, piece, 60);
    assert_int_equal(seen.pierced, 0);
    assert_true(seen.deepest > 0.9 * THICK && seen.lowest > -0.3);
    sim_destroy(sim);
}

// Between a sheet and a static one below it: what is heavy above, and what is light below.
static void what_is_squeezed_is_not_pierced(void **state)
{
    (void)state;
    enum { SIDE = 9, COUNT = SIDE * SIDE };
    for (int below = 0; below <= 1; below++) {
        struct sim *sim = scene_create(settings_of(true));
        const uint32_t floor = sheet_add(sim, SIDE, 0, false, 0);
        const uint32_t sheet = sheet_add_at(sim, SIDE, below ? 2 : 0.1, false, 0, below ? 0.15 : 0.01);
        const uint32_t piece = piece_add(sim, ball(0.05), below ? 0.001 : 8,
                                         (const double[3]){0.01, below ? 0.06 : 0.2, 0.02}, NULL, meets);
        const struct watched seen = watch(sim, sheet, COUNT, piece, 35);
        assert_int_equal(seen.pierced, 0);
        assert_true(nearest(sim, floor, COUNT, piece) > 0.5 * THICK);
        assert_true(seen.lowest > 0.04);
        assert_int_equal(sim_crossings(sim), 0);
        sim_destroy(sim);
    }
}

// A floor bears what a heavy box presses onto it, so the cloth between both keeps its thickness.
static void bears_a_heavy_box(const struct sim_collider *floor)
{
    enum { SIDE = 9, COUNT = SIDE * SIDE };
    struct sim *sim = scene_create(settings_of(true));
    const struct sim_rigid_shape box = {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.05f, 0.05f}};
    struct fault fault;
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, floor, &id, &fault), FAULT_NONE);
    const uint32_t sheet = sheet_add_at(sim, SIDE, 0.1, false, 0, THICK);
    const uint32_t piece = piece_add(sim, box, 8, (const double[3]){0.01, 0.1, 0.02}, NULL, meets);
    const struct watched seen = watch(sim, sheet, COUNT, piece, 40);
    assert_int_equal(seen.pierced, 0);
    assert_true(seen.lowest > 0.05 + 1.9 * THICK);
    sim_destroy(sim);
}

static void cloth_on_a_floor_bears_a_heavy_box(void **state)
{
    (void)state;
    static const double level[9] = {0};
    const struct sim_collider floors[] = {
        {.kind = SIM_BOX, .position = {0, -0.1, 0}, .half_extents = {1, 0.1, 1}, .friction = 0.5},
        {.kind = SIM_CYLINDER, .position = {0, -0.1, 0}, .radius = 1, .length = 0.2, .friction = 0.5},
        {.kind = SIM_HEIGHT_FIELD,
         .heights = level,
         .height_count = 9,
         .columns = 3,
         .spacing = 1,
         .friction = 0.5}};
    for (size_t i = 0; i < sizeof floors / sizeof floors[0]; i++) {
        bears_a_heavy_box(&floors[i]);
    }
}

static void a_piece_wakes_what_sleeps(void **state)
{
    (void)state;
    enum { SIDE = 9, COUNT = SIDE * SIDE };
    struct sim_settings settings = settings_of(false);
    settings.sleep = true;
    struct sim *sim = scene_create(settings);
    const uint32_t sheet = sheet_add(sim, SIDE, 0.1, true, 0);
    const uint32_t piece = piece_add(sim, ball(0.05), 1, (const double[3]){0.01, 0.3, 0.02},
                                     (const float[3]){0, -0.2f, 0}, meets);
    struct sim_body_info info;
    scene_run(sim, 66);
    assert_true(sim_body_info(sim, sheet, &info) && info.asleep);
    const struct watched seen = watch(sim, sheet, COUNT, piece, 40);
    float v[3];
    scene_velocity(sim, piece, 0, v);
    assert_true((double)v[1] > -0.199 && seen.deepest > 0.9 * THICK);
    assert_true(sim_body_info(sim, sheet, &info) && !info.asleep);
    sim_destroy(sim);
}

static uint64_t outcome(struct base_parallel *parallel)
{
    enum { SIDE = 17 };
    struct sim *sim = scene_create(settings_of(true));
    sheet_add(sim, SIDE, 0.1, true, 0);
    sheet_add_at(sim, SIDE, 0.1, false, 0, 0.02);
    const struct sim_rigid_shape box = {.form = SIM_RIGID_BOX, .half_extents = {0.05f, 0.03f, 0.04f}};
    piece_add(sim, ball(0.05), 0.5, (const double[3]){0, 0.09, 0}, (const float[3]){0.5f, -3, 0}, meets);
    piece_add(sim, box, 0.5, (const double[3]){0.2, 0.09, 0.1}, (const float[3]){0, -3, 0}, meets);
    for (int tick = 0; tick < 8; tick++) {
        struct sim_failure failure;
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    const uint64_t hash = sim_hash(sim);
    sim_destroy(sim);
    return hash;
}

static void it_is_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    assert_int_equal(outcome(base_team_parallel(team)), outcome(NULL));
    base_team_destroy(team);
}

// Bodies that meet nobody, or other groups, pass.
static void groups_that_do_not_meet_pass(void **state)
{
    (void)state;
    struct sim *sim = scene_create(settings_of(true));
    struct sim_meeting other = meets;
    other.group = other.mask = 2;
    sheet_add(sim, 9, 0.1, true, 0);
    const uint32_t piece = piece_add(sim, ball(0.05), 1, (const double[3]){0, 0.2, 0}, NULL, other);
    double x[3];
    scene_run(sim, 30);
    scene_position(sim, piece, 0, x);
    assert_near(x[1], 0.2 - 0.5 * GRAVITY * 0.25, 0.01);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(a_point_takes_its_share),
        cmocka_unit_test(a_ball_bounces_on_a_trampoline),
        cmocka_unit_test(a_ball_bounces_off_what_stands),
        cmocka_unit_test(nothing_fast_passes),
        cmocka_unit_test(what_turns_over_a_ball_is_held),
        cmocka_unit_test(a_ball_rolls_down_a_slope),
        cmocka_unit_test(a_box_comes_to_rest_on_a_hammock),
        cmocka_unit_test(a_rope_carries_a_capsule),
        cmocka_unit_test(what_is_squeezed_is_not_pierced),
        cmocka_unit_test(cloth_on_a_floor_bears_a_heavy_box),
        cmocka_unit_test(a_piece_wakes_what_sleeps),
        cmocka_unit_test(it_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(groups_that_do_not_meet_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
