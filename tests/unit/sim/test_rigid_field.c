// Rigid pieces on height fields and cylinders: rest, rolling, slopes, valleys, peaks, and what is fast.
#include "helper_piece.h"

#include "sim/field/field.h"
#include "sim/ground/vector.h"
#include "sim/rigid/touching.h"
#include "sim/state/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define G 9.81
#define PI 3.14159265358979323846
enum { SIDE = 17 };

static struct sim *world(bool falls)
{
    struct sim_settings settings = scene_settings();
    settings.substeps = 20;
    settings.gravity[1] = falls ? -G : 0;
    return scene_create(settings);
}

static void add(struct sim *sim, const struct sim_collider *collider)
{
    struct fault fault;
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, collider, &id, &fault), FAULT_NONE);
}

static void field_add(struct sim *sim, const double heights[SIDE * SIDE], double spacing)
{
    add(sim, &(struct sim_collider){.kind = SIM_HEIGHT_FIELD,
                                    .rotation = {0, 0, 0, 1},
                                    .heights = heights,
                                    .height_count = SIDE * SIDE,
                                    .columns = SIDE,
                                    .spacing = spacing,
                                    .friction = .5});
}

static const double CUBE[24] = {0, 0, 0,  .4, 0, 0,  0, .4, 0,  .4, .4, 0,
                                0, 0, .4, .4, 0, .4, 0, .4, .4, .4, .4, .4};

static struct sim_rigid_shape shape_of(uint32_t form)
{
    return form == 0   ? piece_sphere(.2f)
           : form == 1 ? piece_capsule(.2f, .2f)
           : form == 2 ? piece_box(.2f, .2f, .2f)
                       : (struct sim_rigid_shape){.form = SIM_RIGID_HULL, .points = CUBE, .point_count = 8};
}

// On a level field and on the end of a cylinder all forms rest where they would on a plane.
static void all_forms_rest(void **state)
{
    (void)state;
    double heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = .25;
    }
    for (uint32_t form = 0; form < 8; form++) {
        struct sim *sim = world(true);
        double x[3];
        float spin[3];
        if (form < 4) {
            field_add(sim, heights, .3);
        } else {
            add(sim, &(struct sim_collider){.kind = SIM_CYLINDER,
                                            .rotation = {0, 0, 0, 1},
                                            .radius = 1,
                                            .length = .5,
                                            .friction = .5});
        }
        struct piece piece = {.shape = shape_of(form % 4), .mass = 2, .x = {.05, .47, .1}, .friction = .5};
        if (form % 4 == 1) { // the capsule lies
            piece.q[0] = piece.q[3] = 1;
        }
        const uint32_t body = piece_add(sim, &piece);
        scene_run(sim, 90);
        scene_position(sim, body, 0, x);
        piece_spin(sim, body, spin);
        assert_near(x[0], .05, 1e-3);
        assert_near(x[1], .45, 5e-5);
        assert_near(x[2], .1, 1e-3);
        for (int k = 0; k < 3; k++) {
            assert_near((double)spin[k], 0, 5e-3);
        }
        sim_destroy(sim);
    }
}

// A ball rolls down a field that leans as down a plane, and a cube slides or stays by friction.
static void a_leaning_field_is_a_slope(void **state)
{
    (void)state;
    const double a = 20 * PI / 180;
    double heights[SIDE * SIDE], x[3], from[3];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = -(i % SIDE - SIDE / 2) * .5 * tan(a); // falls towards +x
    }
    for (int cube = 0; cube < 2; cube++) {
        struct sim *sim = world(true);
        field_add(sim, heights, .5);
        struct piece piece = {
            .shape = cube ? piece_box(.2f, .2f, .2f) : piece_sphere(.2f), .mass = 1, .friction = .5};
        piece.x[0] = -1 + .2 * sin(a);
        piece.x[1] = tan(a) + .2 * cos(a);
        piece.q[2] = -sin(a / 2);
        piece.q[3] = cos(a / 2);
        const uint32_t body = piece_add(sim, &piece);
        scene_position(sim, body, 0, from);
        scene_run(sim, 48);
        scene_position(sim, body, 0, x);
        const double way = (x[0] - from[0]) * cos(a) - (x[1] - from[1]) * sin(a);
        if (cube) {
            assert_near(way, 0, 2e-3); // tan 20 degrees is less than 0.5
        } else {
            assert_near(way, .5 * 5 / 7 * G * sin(a) * .64, .01 * .5 * 5 / 7 * G * sin(a) * .64);
        }
        sim_destroy(sim);
    }
}

// A cube falls into a valley of two slopes, and rests on both.
static void a_cube_rests_in_a_valley(void **state)
{
    (void)state;
    double heights[SIDE * SIDE], x[3];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = abs(i % SIDE - SIDE / 2) * .3; // 45 degrees to both sides of x = 0
    }
    struct sim *sim = world(true);
    field_add(sim, heights, .3);
    const uint32_t body = piece_add(sim, &(struct piece){.shape = piece_box(.2f, .2f, .2f),
                                                         .mass = 2,
                                                         .x = {.03, .35, 0},
                                                         .q = {0, 0, .38268343, .92387953},
                                                         .friction = .2});
    scene_run(sim, 120);
    scene_position(sim, body, 0, x);
    assert_near(x[0], 0, 2e-3);
    assert_near(x[1], .4 * sqrt(.5), 2e-3);
    bool sides[2] = {false, false};
    for (uint32_t p = 0; p < sim->rigids.touching->pair_count; p++) {
        const struct sim_touch_pair *pair = &sim->rigids.touching->pairs[p];
        sides[pair->normal[0] > 0] |= sim_touch_pushes(pair);
    }
    assert_true(sides[0] && sides[1]);
    sim_destroy(sim);
}

// A peak below the middle of a face, where no vertex and no edge is, bears what stands on it.
static void a_peak_bears_a_face(void **state)
{
    (void)state;
    double heights[SIDE * SIDE] = {0}, x[3];
    heights[SIDE / 2 * SIDE + SIDE / 2] = 1;
    struct sim *sim = world(true);
    field_add(sim, heights, .5);
    const uint32_t body = piece_add(
        sim,
        &(struct piece){.shape = piece_box(.2f, .1f, .2f), .mass = 2, .x = {0, 1.15, 0}, .friction = .5});
    scene_run(sim, 30);
    scene_position(sim, body, 0, x);
    assert_near(x[1], 1.1, 2e-3);
    sim_destroy(sim);
}

// How deep the deepest point of a piece is below the field, m: its vertices, or the middle of what is round.
static double depth_of(const struct sim *sim, uint32_t p)
{
    const struct sim_field *field = sim->shapes[0].field;
    const struct sim_rigid *rigid = &sim->rigids.items[p];
    double at[3], normal[3], deepest = 1e9;
    struct sim_stand stand;
    sim_stand_read(sim, rigid->row, &stand);
    for (int v = 0; v < 8; v++) {
        double local[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            if (rigid->hull) {
                local[k] = rigid->hull->vertices[v][k];
            } else if (rigid->shape.form == SIM_RIGID_BOX) {
                local[k] = (v >> k & 1) != 0 ? (double)rigid->shape.half_extents[k]
                                             : -(double)rigid->shape.half_extents[k];
            } else if (k == 1) {
                local[k] =
                    (v & 1) != 0 ? (double)rigid->shape.half_height : -(double)rigid->shape.half_height;
            }
        }
        sim_stand_turn(&stand, local, at);
        for (int k = 0; k < 3; k++) {
            at[k] += stand.x[k];
        }
        deepest = fmin(deepest, sim_field_distance(field, at, 10, normal) - (double)rigid->shape.radius);
    }
    return deepest;
}

// All forms that fall onto rough ground stay above it.
static void nothing_sinks_into_rough_ground(void **state)
{
    (void)state;
    enum { COUNT = 16 };
    double heights[SIDE * SIDE];
    uint64_t seed = 31;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const bool edge = i % SIDE == 0 || i % SIDE == SIDE - 1 || i / SIDE == 0 || i / SIDE == SIDE - 1;
        heights[i] = edge ? 1 : .25 * scene_uniform(&seed);
    }
    struct sim *sim = world(true);
    field_add(sim, heights, .25);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct piece piece = {.shape = shape_of(i % 4), .mass = 1, .friction = .5};
        piece.x[0] = -.9 + .6 * (i % 4);
        piece.x[1] = .7 + .1 * scene_uniform(&seed);
        piece.x[2] = -.9 + .6 * (i / 4);
        for (int k = 0; k < 3; k++) {
            piece.q[k] = scene_uniform(&seed) - .5;
            piece.v[k] = (float)(2 * scene_uniform(&seed) - 1);
        }
        piece.q[3] = 1;
        piece_add(sim, &piece);
    }
    for (int tick = 0; tick < 90; tick++) {
        scene_run(sim, 1);
        for (uint32_t p = 0; p < COUNT; p++) {
            assert_true(depth_of(sim, p) > -4e-3);
        }
        assert_int_equal(sim->rigids.touching->left_out, 0);
    }
    sim_destroy(sim);
}

// At 50 m/s nothing passes into the ground, or through a thin cylinder.
static void nothing_fast_passes(void **state)
{
    (void)state;
    double heights[SIDE * SIDE], x[3];
    for (int i = 0; i < SIDE * SIDE; i++) {
        heights[i] = .1 * (i % 3) - .05 * (i % 2);
    }
    for (uint32_t form = 0; form < 8; form++) {
        struct sim *sim = world(false);
        if (form < 4) {
            field_add(sim, heights, .3);
        } else {
            add(sim, &(struct sim_collider){.kind = SIM_CYLINDER,
                                            .rotation = {0, 0, 0, 1},
                                            .position = {0, .29, 0},
                                            .radius = 2,
                                            .length = .02,
                                            .friction = .5});
        }
        struct sim_rigid_shape shape = shape_of(form % 4);
        shape.radius *= .2f;
        shape.half_height *= .2f;
        const uint32_t body = piece_add(
            sim, &(struct piece){
                     .shape = shape, .mass = 1, .x = {.1, 1.7, .2}, .q = {.1, .2, .3, 1}, .v = {3, -50, 2}});
        for (int tick = 0; tick < 6; tick++) {
            scene_run(sim, 1);
            scene_position(sim, body, 0, x);
            assert_true(x[1] > 0);
            assert_true(form >= 4 || depth_of(sim, 0) > -2e-2);
        }
        sim_destroy(sim);
    }
}

// A ball rolls on the side of a cylinder that lies, and leaves it where the normal force ends: at cos a = 10/17.
static void a_ball_leaves_a_round_hill(void **state)
{
    (void)state;
    struct sim *sim = world(true);
    double x[3];
    add(sim, &(struct sim_collider){.kind = SIM_CYLINDER,
                                    .rotation = {.5, .5, .5, .5}, // along x or z, whichever it is
                                    .radius = 1,
                                    .length = 2,
                                    .friction = 5});
    struct sim_collider told;
    sim_collider_at(sim, 0, &told);
    // Its y in the world.
    double axis[3] = {2 * (told.rotation[0] * told.rotation[1] - told.rotation[3] * told.rotation[2]), 0,
                      2 * (told.rotation[1] * told.rotation[2] + told.rotation[3] * told.rotation[0])};
    const double side[3] = {fabs(axis[2]), 0, fabs(axis[0])};
    const double start = .05;
    struct piece ball = {.shape = piece_sphere(.1f), .mass = 1, .friction = 5};
    for (int k = 0; k < 3; k++) {
        ball.x[k] = 1.1 * (k == 1 ? cos(start) : side[k] * sin(start));
    }
    const uint32_t body = piece_add(sim, &ball);
    double cosine = 0;
    for (int tick = 0; tick < 300 && cosine == 0; tick++) {
        scene_run(sim, 1);
        scene_position(sim, body, 0, x);
        const struct sim_touching *touching = sim->rigids.touching;
        if (tick > 5 && (touching->pair_count == 0 || !sim_touch_pushes(&touching->pairs[0]))) {
            cosine = x[1] / sqrt(sim_dot(x, x));
        }
    }
    assert_near(cosine, 10 * cos(start) / 17, .05);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_rest),
        cmocka_unit_test(a_leaning_field_is_a_slope),
        cmocka_unit_test(a_cube_rests_in_a_valley),
        cmocka_unit_test(a_peak_bears_a_face),
        cmocka_unit_test(nothing_sinks_into_rough_ground),
        cmocka_unit_test(nothing_fast_passes),
        cmocka_unit_test(a_ball_leaves_a_round_hill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
