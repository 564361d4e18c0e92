// Colliders of every shape tell what they pierce, in the tick and at its end. Cloth that can give way is not pierced.
#include "helper_sheet.h"

#include "sim/contact/core.h"
#include "sim/contact/meet.h"
#include "sim/field/field.h"
#include "sim/motion/motion.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FOLDS = 8, DEPTH = 3, TALL = 16, TICKS = 14, PUSHED = 6 };

// A curtain in folds along x, its top and bottom pinned: 8 layers of 4 cm by 30 cm, 2 cm apart.
static uint32_t curtain_add(struct sim *sim)
{
    const uint32_t columns = FOLDS * DEPTH;
    struct scene_mesh mesh = scene_grid(columns, TALL, SHEET_EDGE, (const double[3]){0, 0, 0});
    uint32_t *pins = calloc((size_t)mesh.particle_count, sizeof *pins);
    assert_non_null(pins);
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        const uint32_t column = i % columns, row = i / columns, fold = column / DEPTH, in = column % DEPTH;
        mesh.positions[3 * i] = fold * SHEET_EDGE;
        mesh.positions[3 * i + 1] = row * SHEET_EDGE;
        mesh.positions[3 * i + 2] = (fold % 2 == 0 ? in : DEPTH - 1 - in) * SHEET_EDGE;
        if (row == 0 || row == TALL - 1) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.pins = pins;
    desc.density = 0.2;
    desc.thickness = SHEET_THICK;
    desc.meeting = sheet_meets;
    uint32_t body = scene_add(sim, &desc);
    free(pins);
    scene_mesh_deinit(&mesh);
    return body;
}

static struct sim_collider rod_at(double x)
{
    const double half = 0.70710678118654752;
    return (struct sim_collider){.kind = SIM_CAPSULE,
                                 .radius = 0.01,
                                 .length = 0.18,
                                 .position = {x, 0.15, 0.02},
                                 .rotation = {half, 0, 0, half},
                                 .friction = 0.3};
}

static const double wedge_points[] = {0.05, 0.03,  0.02, -0.04, 0.03,  0.03,  0.01, 0.05,  -0.04,
                                      0.02, -0.04, 0.04, -0.05, -0.03, -0.03, 0.03, -0.05, -0.02};
static const double hill_heights[] = {0, 0.01, 0.02, 0, 0.03, 0.06, 0.01, 0, 0, 0.02, 0.05, 0, 0, 0, 0.01, 0};

// All kinds of colliders, with their middles near the origin and an inner radius of a few centimetres.
static const struct sim_collider all_kinds[] = {
    {.kind = SIM_SPHERE, .radius = 0.03, .friction = 0.3},
    {.kind = SIM_CAPSULE, .radius = 0.02, .length = 0.06, .friction = 0.3},
    {.kind = SIM_CYLINDER, .radius = 0.03, .length = 0.05, .friction = 0.3},
    {.kind = SIM_BOX, .half_extents = {0.02, 0.03, 0.04}, .friction = 0.3},
    {.kind = SIM_CONVEX, .points = wedge_points, .point_count = 6, .friction = 0.3},
    {.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = 0.3},
    {.kind = SIM_HEIGHT_FIELD,
     .heights = hill_heights,
     .height_count = 16,
     .columns = 4,
     .spacing = 0.04,
     .friction = 0.3},
};
enum { KINDS = sizeof all_kinds / sizeof all_kinds[0] };

// ------------------------------------------------------------------------------------- cores against many points

static double most(double a, double b)
{
    return a > b ? a : b;
}

// How deep a point is inside a collider, by what the shapes are.
static double depth_at(const struct sim_shape *shape, const double p[3])
{
    const double *half = shape->half_extents, y = fabs(p[1]), across = sqrt(p[0] * p[0] + p[2] * p[2]);
    double depth = 1e9, normal[3];
    switch (shape->kind) {
    case SIM_SPHERE:
        return shape->radius - sqrt(across * across + p[1] * p[1]);
    case SIM_CAPSULE:
        return shape->radius - hypot(across, most(y - 0.5 * shape->length, 0));
    case SIM_CYLINDER:
        return -most(across - shape->radius, y - 0.5 * shape->length);
    case SIM_BOX:
        return -most(fabs(p[0]) - half[0], most(y - half[1], fabs(p[2]) - half[2]));
    case SIM_CONVEX:
        for (uint32_t f = 0; f < shape->hull->face_count; f++) {
            const struct sim_hull_face *face = &shape->hull->faces[f];
            double in =
                face->offset - (face->normal[0] * p[0] + face->normal[1] * p[1] + face->normal[2] * p[2]);
            depth = in < depth ? in : depth;
        }
        return depth;
    case SIM_HEIGHT_FIELD:
        return -sim_field_distance(shape->field, p, 1, normal);
    default:
        return -p[1];
    }
}

static double deepest_point(const struct sim_shape *shape, const double x[3][3])
{
    enum { PARTS = 40 };
    double deepest = -1e9;
    for (int i = 0; i <= PARTS; i++) {
        for (int j = 0; i + j <= PARTS; j++) {
            double p[3], a = (double)i / PARTS, b = (double)j / PARTS;
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = x[0][axis] + a * (x[1][axis] - x[0][axis]) + b * (x[2][axis] - x[0][axis]);
            }
            deepest = most(deepest, depth_at(shape, p));
        }
    }
    return deepest;
}

// Triangles of every size and direction, some of them edges or points. Where many points of one are looked at, the deepest
// says whether it reaches into the core, except within what lies between two points.
static void a_core_is_reached_by_what_has_a_point_in_it(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    uint64_t seed = 11;
    for (int kind = 0; kind < KINDS; kind++) {
        struct sim_shape shape = {0};
        struct sim_core core;
        struct fault fault;
        uint32_t inside = 0, outside = 0;
        assert_int_equal(sim_shape_from(sim, &all_kinds[kind], 100, &shape, &fault), FAULT_NONE);
        sim_core_from(&shape, 0.004, SIM_CORE_SHARE, &core);
        const double begins =
            shape.kind == SIM_PLANE || shape.kind == SIM_HEIGHT_FIELD ? 0.004 : 0.5 * sim_inner_of(&shape);
        for (int turn = 0; turn < 2000; turn++) {
            double x[3][3], middle[3];
            const bool broad = turn % 4 == 1; // it may hold all of a core's section
            const double size = 0.002 + (broad ? 0.3 : 0.1) * scene_uniform(&seed);
            for (int axis = 0; axis < 3; axis++) {
                middle[axis] = 0.1 * (scene_uniform(&seed) - 0.5);
                for (int k = 0; k < 3; k++) {
                    x[k][axis] =
                        middle[axis] + (broad && axis == 1 ? 0.05 : 1) * size * (scene_uniform(&seed) - 0.5);
                }
            }
            memcpy(x[2], x[turn % 10 == 0 ? 1 : 2], sizeof x[2]);
            memcpy(x[1], x[turn % 50 == 0 ? 2 : 1], sizeof x[1]);
            const double deepest = deepest_point(&shape, (const double(*)[3])x);
            const bool pierced = sim_core_pierces(&core, (const double(*)[3])x);
            const bool field = shape.kind == SIM_HEIGHT_FIELD;
            // Depth in a field is measured along the normal of the triangle above: more than to the nearest one.
            if (deepest > begins + (field ? 0.02 : 1e-12)) {
                assert_true(pierced);
                inside++;
            } else if (deepest < (field ? -0.02 : begins - size / 20)) {
                assert_false(pierced);
                outside++;
            }
            // A ball that holds the triangle is near if the triangle is.
            assert_true(!pierced || sim_core_near(&core, middle, size));
        }
        assert_true(inside > 30 && outside > 30);
        free(shape.hull);
        free(shape.field);
    }
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------ what is told

static struct sim_meetings told_of(const struct sim *sim)
{
    struct sim_meetings told;
    sim_meetings_of(sim, &told);
    return told;
}

// A free sheet that begins in the middle of a collider is told of, and leaves it.
static void what_begins_in_a_collider_is_pierced_until_it_is_out(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        struct sim_settings settings = sheet_settings(20);
        memset(settings.gravity, 0, sizeof settings.gravity);
        struct sim *sim = scene_create(settings);
        struct fault fault;
        uint32_t id;
        const bool ground = all_kinds[kind].kind == SIM_PLANE || all_kinds[kind].kind == SIM_HEIGHT_FIELD;
        struct sheet sheet = sheet_of(3, 0, 2, -0.02, ground ? -0.02 : 0.002, -0.02);
        sheet_add(sim, &sheet);
        assert_int_equal(sim_pierced(sim), 0);
        assert_int_equal(sim_collider_add(sim, &all_kinds[kind], &id, &fault), FAULT_NONE);
        assert_true(sim_pierced(sim) > 0 && sim_pierced(sim) <= 8);
        scene_run(sim, 1);
        assert_true(told_of(sim).pierced > 0 && told_of(sim).pierced <= 8);
        assert_true(sim_pierced(sim) <= told_of(sim).pierced);
        scene_run(sim, 30);
        if (ground || all_kinds[kind].kind == SIM_SPHERE) {
            assert_int_equal(told_of(sim).pierced, 0);
            assert_int_equal(sim_pierced(sim), 0);
        }
        sim_destroy(sim);
    }
}

// A rod goes into the curtain at 2 m/s, until the layers lie on each other, and stays there. With one sweep a substep it pierces
// triangles in 11 of these ticks, and with three in 9.
static void cloth_that_can_give_way_is_not_pierced(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    struct sim_collider rod = rod_at(-0.03);
    struct fault fault;
    curtain_add(sim);
    assert_int_equal(sim_collider_add(sim, &rod, &rod.id, &fault), FAULT_NONE);
    uint32_t pushing = 0, pierced = 0;
    for (int t = 0; t < TICKS; t++) {
        rod.position[0] += t < PUSHED ? 2.0 / 60 : 0;
        assert_int_equal(sim_collider_set(sim, &rod, &fault), FAULT_NONE);
        scene_run(sim, 1);
        const struct sim_meetings told = told_of(sim);
        pierced += told.pierced > 0;
        assert_true(sim_pierced(sim) <= told.pierced);
        assert_int_equal(sim_crossings(sim), 0);
        pushing = told.pushing > pushing ? told.pushing : pushing;
    }
    assert_true(pushing > 400); // it is jammed
    assert_int_equal(pierced, 0);
    sim_destroy(sim);
}

// A ball presses a free sheet onto a static one and goes on, until its middle is 12 mm above that. Nothing can cross.
static void cloth_that_cannot_give_way_is_told_of(void **state)
{
    (void)state;
    struct sim *sim = scene_create(sheet_settings(20));
    struct sim_collider ball = {
        .kind = SIM_SPHERE, .radius = 0.03, .position = {0.1, 0.06, 0.1}, .friction = 0.3};
    struct sheet below = sheet_of(11, 0, 2, 0, 0, 0), above = sheet_of(11, 0, 2, 0, 0.01, 0);
    struct fault fault;
    uint32_t most_told = 0;
    below.is_static = true;
    sheet_add(sim, &below);
    sheet_add(sim, &above);
    assert_int_equal(sim_collider_add(sim, &ball, &ball.id, &fault), FAULT_NONE);
    for (int t = 0; t < 40; t++) {
        ball.position[1] -= t < 24 ? 0.002 : 0;
        assert_int_equal(sim_collider_set(sim, &ball, &fault), FAULT_NONE);
        scene_run(sim, 1);
        most_told = told_of(sim).pierced > most_told ? told_of(sim).pierced : most_told;
        assert_int_equal(sim_crossings(sim), 0);
        assert_true(sim_pierced(sim) <= told_of(sim).pierced);
    }
    assert_true(most_told > 0 && sim_pierced(sim) > 0);
    sim_destroy(sim);
}

// A ball that goes through such a sheet within a tick, and is on the other side when it ends, is told of as well.
static void a_ball_that_is_through_when_the_tick_ends_is_told_of(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(4);
    memset(settings.gravity, 0, sizeof settings.gravity);
    struct sim *sim = scene_create(settings);
    struct sim_collider ball = {.kind = SIM_SPHERE, .radius = 0.01, .position = {0.1, 0.25, 0.1}};
    struct sheet below = sheet_of(11, 0, 2, 0, 0, 0), above = sheet_of(11, 0, 2, 0, 0.007, 0);
    struct fault fault;
    below.is_static = true;
    sheet_add(sim, &below);
    sheet_add(sim, &above);
    assert_int_equal(sim_collider_add(sim, &ball, &ball.id, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_int_equal(told_of(sim).pierced, 0);
    ball.position[1] -= 0.5;
    assert_int_equal(sim_collider_set(sim, &ball, &fault), FAULT_NONE);
    scene_run(sim, 1);
    assert_true(told_of(sim).pierced > 0);
    assert_int_equal(sim_pierced(sim), 0);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------------ friction

enum { SLIDER = 4, TABLE = 16 };

// As if something were pressed in each island all the time: so bodies and colliders push by turns in every substep.
static void press(void *context, enum sim_meeting_part part)
{
    const struct sim *sim = context;
    for (uint32_t i = 0; part == SIM_MEET_PUSH && i < sim->meet->island_count; i++) {
        sim->meet->islands[i].pressed = true;
    }
}

// A sheet on a static sheet or on a box, under gravity that leans by so much. Returns the speed that a second adds, m/s.
static double gained(bool on_cloth, double slope, double friction)
{
    struct sim_settings settings = sheet_settings(20);
    const double down = 9.81 / sqrt(1 + slope * slope);
    settings.damping = 0;
    settings.gravity[0] = slope * down;
    settings.gravity[1] = -down;
    struct sim *sim = scene_create(settings);
    struct sheet slider = sheet_of(SLIDER, 0, 2, 0.05, (on_cloth ? 2 : 1) * SHEET_THICK, 0.13);
    struct sheet table = sheet_of(TABLE, 0, 2, 0, 0, 0);
    struct sim_collider box = {.kind = SIM_BOX,
                               .half_extents = {3, 0.5, 3},
                               .position = {0, -0.5, 0},
                               .rotation = {0, 0, 0, 1},
                               .friction = friction};
    const struct sim_hooks hooks = {.context = sim, .on_meeting = press};
    struct sim_failure failure;
    struct fault fault;
    float before[3], after[3];
    slider.meeting.friction = table.meeting.friction = friction;
    table.is_static = true;
    const uint32_t body = sheet_add(sim, &slider);
    if (on_cloth) {
        sheet_add(sim, &table);
    } else {
        assert_int_equal(sim_collider_add(sim, &box, &box.id, &fault), FAULT_NONE);
    }
    for (int t = 0; t < 35; t++) {
        if (t == 5) {
            scene_velocity(sim, body, 0, before);
        }
        assert_true(sim_step(sim, NULL, &hooks, &failure) && !failure.failed);
    }
    scene_velocity(sim, body, 0, after);
    sim_destroy(sim);
    return 2 * ((double)after[0] - (double)before[0]);
}

// A sheet slides as Coulomb has it, and begins to within half a percent of the slope that he gives.
static void further_sweeps_leave_friction_as_it_is(void **state)
{
    (void)state;
    const double friction = 0.5;
    for (int on_cloth = 0; on_cloth < 2; on_cloth++) {
        const double holds = 0.995 * friction, slides = 1.01 * friction;
        const double down = 9.81 / sqrt(1 + slides * slides);
        assert_near(gained(on_cloth, holds, friction), 0, 0.002 * 9.81 * friction);
        assert_near(gained(on_cloth, slides, friction), down * (slides - friction), 0.005 * down * friction);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_core_is_reached_by_what_has_a_point_in_it),
        cmocka_unit_test(what_begins_in_a_collider_is_pierced_until_it_is_out),
        cmocka_unit_test(cloth_that_can_give_way_is_not_pierced),
        cmocka_unit_test(cloth_that_cannot_give_way_is_told_of),
        cmocka_unit_test(a_ball_that_is_through_when_the_tick_ends_is_told_of),
        cmocka_unit_test(further_sweeps_leave_friction_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
