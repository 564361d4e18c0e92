// Friction of what slides beside that of what holds: on colliders and between bodies.
//
// On a slope of the angle a, what rests holds as long as tan a < mu, and what slides has g (sin a - mu_k cos a).
#include "helper_sheet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GRAVITY 9.81
#define HOLDS 0.5
#define SLIDES 0.3

static struct fault fault;

enum thing { POINT, CLOTH, BLOCK, SHEET_ON_SHEET, THINGS };
static const char *const names[] = {"a point", "a cloth", "a block", "a sheet on a sheet"};

struct slope {
    enum thing thing;
    double tangent, speed; // speed: at the start, m/s down the slope
    enum sim_collider_kind kind;
    bool tilted; // the collider is, and not gravity
    uint32_t substeps, iterations;
    double holds, slides;
};

static struct slope slope_of(enum thing thing, double tangent, double speed)
{
    return (struct slope){.thing = thing,
                          .tangent = tangent,
                          .speed = speed,
                          .kind = SIM_PLANE,
                          .substeps = 20,
                          .iterations = 1,
                          .holds = HOLDS,
                          .slides = SLIDES};
}

static void collider_add(struct sim *sim, const struct slope *slope)
{
    const double half = 0.5 * atan(slope->tangent);
    struct sim_collider collider = {.kind = slope->kind,
                                    .rotation = {0, 0, slope->tilted ? -sin(half) : 0, cos(half)},
                                    .half_extents = {20, 1, 20},
                                    .friction = slope->holds,
                                    .friction_kinetic = slope->slides,
                                    .kinetic = true};
    if (!slope->tilted) {
        collider.rotation[3] = 1;
    }
    for (int axis = 0; slope->kind == SIM_BOX && axis < 2; axis++) {
        const double up[2] = {slope->tilted ? sin(2 * half) : 0, slope->tilted ? cos(2 * half) : 1};
        collider.position[axis] = -up[axis];
    }
    assert_int_equal(sim_collider_add(sim, &collider, &collider.id, &fault), FAULT_NONE);
}

static uint32_t sheets_add(struct sim *sim, const struct slope *slope)
{
    struct sheet table = sheet_of(41, 0, 2, -0.1, 0, -0.1),
                 slides = sheet_of(6, 0, 2, 0.033, 2 * SHEET_THICK, 0.133);
    table.is_static = true;
    table.meeting.friction = slides.meeting.friction = slope->holds;
    table.meeting.friction_kinetic = slides.meeting.friction_kinetic = slope->slides;
    table.meeting.kinetic = slides.meeting.kinetic = true;
    slides.speed[0] = slope->speed;
    sheet_add(sim, &table);
    return sheet_add(sim, &slides);
}

static uint32_t thing_add(struct sim *sim, const struct slope *slope)
{
    static const uint32_t cells[3] = {2, 2, 2};
    static const double corner[3] = {0, 0.01, 0}, mass = 0.1;
    const double fall = slope->tilted ? atan(slope->tangent) : 0;
    float speeds[3 * 64];
    struct scene_mesh mesh = scene_grid(6, 6, 0.02, corner);
    struct scene_block block = scene_block(cells, 0.02, corner);
    double *places[] = {
        [POINT] = (double[3]){0, 0.01, 0}, [CLOTH] = mesh.positions, [BLOCK] = block.positions};
    const uint32_t counts[] = {[POINT] = 1, [CLOTH] = mesh.particle_count, [BLOCK] = block.particle_count};
    const uint32_t count = counts[slope->thing];
    for (uint32_t i = 0; i < count; i++) {
        double *p = places[slope->thing] + 3 * (size_t)i, x = p[0], y = p[1];
        p[0] = cos(fall) * x + sin(fall) * y;
        p[1] = cos(fall) * y - sin(fall) * x;
        speeds[3 * i] = (float)(slope->speed * cos(fall));
        speeds[3 * i + 1] = (float)(-slope->speed * sin(fall));
        speeds[3 * i + 2] = 0;
    }
    struct sim_body_desc desc = slope->thing == POINT   ? scene_points(places[POINT], 1, &mass)
                                : slope->thing == CLOTH ? scene_cloth(&mesh)
                                                        : scene_soft(&block);
    desc.thickness = 0.01;
    if (slope->kind == SIM_BOX) { // its edges and triangles touch as well
        desc.meeting.group = desc.meeting.mask = 1;
    }
    desc.velocities = speeds;
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    scene_block_deinit(&block);
    return body;
}

static struct sim *slope_make(const struct slope *slope, uint32_t *body)
{
    struct sim_settings settings = scene_settings();
    const double a = atan(slope->tangent);
    settings.substeps = slope->substeps;
    settings.iterations = slope->iterations;
    settings.gravity[0] = slope->tilted ? 0 : GRAVITY * sin(a);
    settings.gravity[1] = slope->tilted ? -GRAVITY : -GRAVITY * cos(a);
    struct sim *sim = scene_create(settings);
    if (slope->thing == SHEET_ON_SHEET) {
        *body = sheets_add(sim, slope);
    } else {
        collider_add(sim, slope);
        *body = thing_add(sim, slope);
    }
    return sim;
}

// Along the slope, mean of the body.
static double along(const struct sim *sim, const struct slope *slope, uint32_t body)
{
    const double a = slope->tilted ? atan(slope->tangent) : 0;
    return cos(a) * sheet_mean(sim, body, 0) - sin(a) * sheet_mean(sim, body, 1);
}

struct went {
    double way, acceleration; // m; m/s^2 of the last 45 ticks
};

static struct went slope_run(const struct slope *slope)
{
    uint32_t body;
    struct sim *sim = slope_make(slope, &body);
    const uint32_t part = slope->thing == SHEET_ON_SHEET ? 7 : 20;
    double x[5] = {along(sim, slope, body)};
    for (int t = 1; t < 5; t++) {
        scene_run(sim, part);
        x[t] = along(sim, slope, body);
    }
    sim_destroy(sim);
    return (struct went){.way = x[4] - x[0],
                         .acceleration = (x[4] - x[3] - x[2] + x[1]) / 2 / (part * part / 3600.0)};
}

static double accelerates(double tangent)
{
    const double a = atan(tangent);
    return GRAVITY * (sin(a) - SLIDES * cos(a));
}

static void holds(const struct slope *slope)
{
    const struct went went = slope_run(slope);
    if (fabs(went.acceleration) > 0.02) {
        fail_msg("%s, tan %g, %u substeps, %u iterations: went %g m, and at %g m/s^2", names[slope->thing],
                 slope->tangent, slope->substeps, slope->iterations, went.way, went.acceleration);
    }
    assert_near(went.way, 0, slope->thing == BLOCK ? 8e-3 : 1e-3); // a block that sets out unstrained settles
}

static void slides(const struct slope *slope)
{
    const struct went went = slope_run(slope);
    assert_near(went.acceleration, accelerates(slope->tangent), 0.01 * GRAVITY * SLIDES);
}

// Half a per cent below mu it holds, between bodies two per cent below; above it breaks loose, and then only what slides is in its way.
static void what_rests_holds_up_to_the_greater_friction(void **state)
{
    (void)state;
    for (enum thing thing = 0; thing < THINGS; thing++) {
        for (uint32_t iterations = 1; iterations <= 3; iterations += 2) {
            struct slope slope = slope_of(thing, (thing == SHEET_ON_SHEET ? 0.98 : 0.995) * HOLDS, 0);
            slope.iterations = iterations;
            slope.tilted = thing == CLOTH;
            holds(&slope);
            slope.kind = SIM_BOX;
            holds(&slope);
            slope.tangent = 1.2 * HOLDS;
            slides(&slope);
            slope.tangent = 2 * HOLDS;
            slides(&slope);
        }
    }
}

// On so gentle a slope what rests stays there, and nothing but the friction of what slides slows what goes.
static void what_slides_goes_on_where_what_rests_holds(void **state)
{
    (void)state;
    for (enum thing thing = 0; thing < THINGS; thing++) {
        struct slope slope = slope_of(thing, 0.5 * (HOLDS + SLIDES), 0);
        holds(&slope);
        slope.speed = 0.15;
        slides(&slope);
        slope.tilted = thing != SHEET_ON_SHEET;
        slope.iterations = 3;
        slides(&slope);
    }
}

// It stops after v^2 / (2 mu_k g) on the level, and is then held.
static void what_slides_stops(void **state)
{
    (void)state;
    for (enum thing thing = 0; thing < THINGS; thing++) {
        uint32_t body;
        const struct slope slope = slope_of(thing, 0, 0.6);
        struct sim *sim = slope_make(&slope, &body);
        const double from = along(sim, &slope, body), way = 0.6 * 0.6 / (2 * SLIDES * GRAVITY);
        scene_run(sim, 20);
        const double there = along(sim, &slope, body);
        assert_near(there - from, way, 0.02 * way);
        scene_run(sim, 20);
        assert_near(along(sim, &slope, body), there, 1e-4);
        sim_destroy(sim);
    }
}

// One that is not below the other, or is not given, changes no bit of the way.
static void a_kinetic_friction_counts_only_below_the_other(void **state)
{
    (void)state;
    for (enum thing thing = 0; thing < THINGS; thing++) {
        double ways[3];
        for (int i = 0; i < 3; i++) {
            struct slope slope = slope_of(thing, 0.7, 0.1);
            slope.slides = (const double[]){HOLDS, 2 * HOLDS, SLIDES}[i];
            ways[i] = slope_run(&slope).way;
        }
        assert_true(ways[0] == ways[1]);
        assert_true(ways[2] > 1.2 * ways[0]);
    }
}

// A coarse sheet lies on a narrow bar with nothing but insides of triangles and edges, and the bar runs below it. Returns how far it
// goes along in a tenth of a second.
static double pulled(double holds_at, double slides_at)
{
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider bar = {.kind = SIM_BOX,
                               .position = {0.05, -0.05, 0.03},
                               .rotation = {0, 0, 0, 1},
                               .half_extents = {0.05, 0.05, 1},
                               .friction = holds_at,
                               .friction_kinetic = slides_at,
                               .kinetic = true,
                               .surface_velocity = {5, 0, 0}};
    assert_int_equal(sim_collider_add(sim, &bar, &bar.id, &fault), FAULT_NONE);
    struct scene_mesh mesh = scene_grid(4, 4, 0.5, (const double[3]){-0.75, 0.003, -0.75});
    struct sim_body_desc desc = scene_cloth(&mesh);
    desc.thickness = 0.002;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1};
    const uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(&mesh);
    const double before = sheet_mean(sim, body, 0);
    scene_run(sim, 6);
    const double way = sheet_mean(sim, body, 0) - before;
    sim_destroy(sim);
    return way;
}

static void it_is_that_of_edges_and_triangles_as_well(void **state)
{
    (void)state;
    const double less = pulled(SLIDES, SLIDES), both = pulled(HOLDS, SLIDES), more = pulled(HOLDS, HOLDS);
    print_message("%g, %g, %g mm\n", 1e3 * less, 1e3 * both, 1e3 * more);
    assert_near(both, less, 0.02 * less);
    assert_true(more > 1.3 * less);
}

static void it_is_told_and_hashed_and_bounded(void **state)
{
    (void)state;
    struct sim *sim = scene_create(scene_settings());
    struct sim_collider collider = {.kind = SIM_BOX, .half_extents = {1, 1, 1}, .friction = 0.5}, told;
    assert_int_equal(sim_collider_add(sim, &collider, &collider.id, &fault), FAULT_NONE);
    const uint64_t without = sim_hash(sim);
    sim_collider_at(sim, 0, &told);
    assert_false(told.kinetic);
    told.kinetic = true;
    told.friction_kinetic = 0.25;
    assert_int_equal(sim_collider_set(sim, &told, &fault), FAULT_NONE);
    const uint64_t with = sim_hash(sim);
    assert_true(with != without);
    memset(&told, 0, sizeof told);
    sim_collider_at(sim, 0, &told);
    assert_true(told.kinetic && told.friction_kinetic == 0.25);
    static const double bad[] = {-1e-9, 1000.5, INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        told.friction_kinetic = bad[i];
        assert_int_equal(sim_collider_set(sim, &told, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "friction_kinetic");
        struct sheet sheet = sheet_of(3, 0, 2, 0, 3, 0);
        sheet_add(sim, &sheet);
        struct sim_meeting meeting = {
            .self = true, .friction = 1, .friction_kinetic = bad[i], .kinetic = true};
        const struct sim_body_change change = {.meeting = &meeting};
        assert_int_equal(sim_body_set(sim, 1, &change, &fault), FAULT_INVALID);
        assert_string_equal(fault.field, "friction_kinetic");
    }
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rests_holds_up_to_the_greater_friction),
        cmocka_unit_test(what_slides_goes_on_where_what_rests_holds),
        cmocka_unit_test(what_slides_stops),
        cmocka_unit_test(a_kinetic_friction_counts_only_below_the_other),
        cmocka_unit_test(it_is_that_of_edges_and_triangles_as_well),
        cmocka_unit_test(it_is_told_and_hashed_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
