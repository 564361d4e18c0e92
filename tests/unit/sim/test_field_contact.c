// Particles, sheets and what is fast, on height fields: they lie at their thickness, peaks of a field do not pass through the
// insides of triangles, and nothing passes what stands out.
#include "helper_sheet.h"

#include "sim/field/field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 33, COUNT = SIDE * SIDE };
#define SPACING 0.02
#define THICK 0.003

static double heights[COUNT];

static struct sim_collider field_of(double friction)
{
    return (struct sim_collider){.kind = SIM_HEIGHT_FIELD,
                                 .heights = heights,
                                 .height_count = COUNT,
                                 .columns = SIDE,
                                 .spacing = SPACING,
                                 .friction = friction};
}

static void flat(void)
{
    memset(heights, 0, sizeof heights);
}

static void hills(void)
{
    for (int i = 0; i < COUNT; i++) {
        double x = i % SIDE * SPACING, z = i / SIDE * SPACING;
        heights[i] = 0.03 * sin(25 * x) * cos(20 * z + 1) + 0.02 * sin(9 * x - 4 * z);
    }
}

// Needles, 4 cm across at their feet.
static void needles(uint32_t apart, double high)
{
    flat();
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % SIDE % apart == apart / 2 && i / SIDE % apart == apart / 2) {
            heights[i] = high;
        }
    }
}

static uint32_t collider_add(struct sim *sim, struct sim_collider collider)
{
    struct fault fault = {0};
    uint32_t id = 0;
    if (sim_collider_add(sim, &collider, &id, &fault) != FAULT_NONE) {
        fail_msg("%s: %s", fault.field, fault.text);
    }
    return id;
}

static uint32_t sheet_from(struct sim *sim, struct scene_mesh *mesh, const double speed[3])
{
    float *velocities = calloc(3 * (size_t)mesh->particle_count, sizeof *velocities);
    assert_non_null(velocities);
    for (uint32_t i = 0; i < 3 * mesh->particle_count; i++) {
        velocities[i] = (float)speed[i % 3];
    }
    struct sim_body_desc desc = scene_cloth(mesh);
    desc.velocities = velocities;
    desc.thickness = THICK;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1, .friction = 0.3};
    uint32_t body = scene_add(sim, &desc);
    scene_mesh_deinit(mesh);
    free(velocities);
    return body;
}

static uint32_t sheet_above(struct sim *sim, uint32_t side, double spacing, double high,
                            const double speed[3])
{
    double half = 0.5 * spacing * (side - 1);
    struct scene_mesh mesh =
        scene_grid(side, side, spacing, (const double[3]){0.003 - half, high, 0.002 - half});
    return sheet_from(sim, &mesh, speed);
}

static uint32_t sheet_upright(struct sim *sim, uint32_t side, double spacing, double x, const double speed[3])
{
    double half = 0.5 * spacing * (side - 1);
    struct scene_mesh mesh = scene_grid(side, side, spacing, (const double[3]){0.02, x, 0.002 - half});
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        double high = mesh.positions[3 * i];
        mesh.positions[3 * i] = mesh.positions[3 * i + 1];
        mesh.positions[3 * i + 1] = high;
    }
    return sheet_from(sim, &mesh, speed);
}

static const double at_rest[3] = {0, 0, 0};

// Least distance of all points of all squares of a sheet to the field, which stands where it was put.
static double nearest_of_sheet(const struct sim *sim, uint32_t body, uint32_t side)
{
    enum { STEPS = 6 };
    struct sim_collider collider = field_of(0);
    struct fault fault;
    struct sim_field *field;
    assert_int_equal(sim_field_make(&collider, 1e9, &field, &fault), FAULT_NONE);
    double least = 1e9;
    for (uint32_t square = 0; square < (side - 1) * (side - 1); square++) {
        uint32_t i = square % (side - 1), j = square / (side - 1), at = j * side + i;
        double corners[4][3];
        const uint32_t of[4] = {at, at + 1, at + side, at + side + 1};
        bool turned = (i + j) % 2 != 0; // diagonals alternate
        for (int k = 0; k < 4; k++) {
            scene_position(sim, body, of[k], corners[k]);
        }
        for (int half = 0; half < 2; half++) {
            const double *a = corners[turned ? 1 : 0], *b = corners[turned ? 2 : 3];
            const double *c = corners[turned ? (half == 0 ? 0 : 3) : (half == 0 ? 1 : 2)];
            for (int s = 0; s <= STEPS; s++) {
                for (int t = 0; s + t <= STEPS; t++) {
                    double p[3], normal[3];
                    for (int axis = 0; axis < 3; axis++) {
                        p[axis] = a[axis] + (double)s / STEPS * (b[axis] - a[axis]) +
                                  (double)t / STEPS * (c[axis] - a[axis]);
                    }
                    double phi = sim_field_distance(field, p, 1, normal);
                    least = phi < least ? phi : least;
                }
            }
        }
    }
    free(field);
    return least;
}

// --------------------------------------------------------------------------------------------------- points

// A flat one is a plane: points fall, slide and lie alike. Beside it they fall on.
static void a_flat_field_holds_as_a_plane(void **state)
{
    (void)state;
    static double places[3 * 40], masses[40], ends[2][3 * 40];
    uint64_t seed = 6;
    flat();
    for (uint32_t i = 0; i < 40; i++) {
        places[3 * i] = 0.5 * (scene_uniform(&seed) - 0.5);
        places[3 * i + 1] = 0.02 * scene_uniform(&seed);
        places[3 * i + 2] = 0.5 * (scene_uniform(&seed) - 0.5);
        masses[i] = 0.1;
    }
    places[0] = 0.4;
    for (int k = 0; k < 2; k++) {
        struct sim *sim = scene_create(scene_settings());
        const struct sim_collider plane = {.kind = SIM_PLANE, .normal = {0, 1, 0}, .friction = 0.3};
        collider_add(sim, k == 0 ? plane : field_of(0.3));
        struct sim_body_desc desc = scene_points(places, 40, masses);
        float velocities[3 * 40] = {0};
        for (uint32_t i = 0; i < 40; i++) {
            velocities[3 * i + 2] = -0.1F;
        }
        desc.velocities = velocities;
        desc.thickness = THICK;
        uint32_t body = scene_add(sim, &desc);
        scene_run(sim, 60);
        sim_body_positions64(sim, body, 0, 40, ends[k]);
        sim_destroy(sim);
    }
    assert_true(ends[1][1] < -4);
    for (uint32_t i = 3; i < 3 * 40; i++) {
        assert_near(ends[1][i], ends[0][i], 1e-7);
    }
}

static void a_slope_holds_below_mu_and_lets_slide_above(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        heights[i] = 0.5 * (i % SIDE) * SPACING; // tan a = 0.5
    }
    for (int slippery = 0; slippery < 2; slippery++) {
        struct sim *sim = scene_create(scene_settings());
        collider_add(sim, field_of(slippery == 1 ? 0.4 : 0.6));
        static const double place[] = {0.2, 0.2625 + 0.0035, 0.013}, mass[] = {0.1};
        struct sim_body_desc desc = scene_points(place, 1, mass);
        desc.thickness = THICK;
        uint32_t body = scene_add(sim, &desc);
        double x[3], y[3];
        scene_run(sim, 10);
        scene_position(sim, body, 0, x);
        scene_run(sim, 20);
        scene_position(sim, body, 0, y);
        if (slippery == 1) {
            assert_true(y[0] < x[0] - 0.02);
        } else {
            assert_near(y[0], x[0], 1e-6);
        }
        sim_destroy(sim);
    }
}

static void a_fast_point_passes_no_ridge(void **state)
{
    (void)state;
    // Along z, 4 cm across at its foot.
    for (int i = 0; i < COUNT; i++) {
        heights[i] = i % SIDE == SIDE / 2 ? 0.3 : 0;
    }
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    collider_add(sim, field_of(0));
    static const double positions[] = {-0.25, 0.25, 0.013};
    static const double masses[] = {0.01};
    static const float velocities[] = {100, -1, 2};
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    desc.velocities = velocities;
    desc.thickness = THICK;
    desc.meeting = (struct sim_meeting){.self = true, .group = 1, .mask = 1};
    uint32_t body = scene_add(sim, &desc);
    double x[3];
    scene_run(sim, 1);
    scene_position(sim, body, 0, x);
    assert_true(x[0] < 0);
    sim_destroy(sim);
}

// --------------------------------------------------------------------------------------------------- sheets

static void a_sheet_lies_on_hills_at_its_thickness(void **state)
{
    (void)state;
    static const double edges[] = {0.015, 0.05};
    hills();
    for (size_t e = 0; e < 2; e++) {
        uint32_t side = e == 0 ? 25 : 8;
        struct sim *sim = scene_create(sheet_settings(20));
        collider_add(sim, field_of(0.5));
        uint32_t body = sheet_above(sim, side, edges[e], 0.06, at_rest);
        scene_run(sim, 90);
        double least = nearest_of_sheet(sim, body, side), x[3];
        scene_position(sim, body, side * side / 2, x);
        assert_true(x[1] < 0.06 && x[1] > -0.06);
        assert_near(least, THICK, 0.25 * THICK);
        assert_int_equal(sim_crossings(sim), 0);
        sim_destroy(sim);
    }
}

// Each is under the inside of a triangle, or an edge: no particle knows of them.
static void a_coarse_sheet_lies_on_needles(void **state)
{
    (void)state;
    needles(11, 0.1);
    struct sim *sim = scene_create(sheet_settings(20));
    collider_add(sim, field_of(0.8));
    uint32_t body = sheet_above(sim, 6, 0.12, 0.115, at_rest);
    scene_run(sim, 90);
    double least = nearest_of_sheet(sim, body, 6);
    assert_true(sheet_mean(sim, body, 1) > 0.06);
    assert_near(least, THICK, 0.3 * THICK);
    sim_destroy(sim);
}

// At 30 m/s, 2.5 cm a substep: down on them, askew, and upright from the side.
static void a_fast_sheet_is_not_pierced(void **state)
{
    (void)state;
    static const double speeds[][3] = {{0, -30, 0}, {20, -20, 5}, {30, -1, 0}};
    needles(8, 0.12);
    for (size_t v = 0; v < sizeof speeds / sizeof speeds[0]; v++) {
        struct sim_settings settings = sheet_settings(20);
        settings.gravity[1] = 0;
        struct sim *sim = scene_create(settings);
        collider_add(sim, field_of(0.2));
        uint32_t body =
            v < 2 ? sheet_above(sim, 9, 0.05, 0.3, speeds[v]) : sheet_upright(sim, 9, 0.05, -0.29, speeds[v]);
        double deepest = 1, least = 1;
        for (int tick = 0; tick < 8; tick++) {
            scene_run(sim, 1);
            least = nearest_of_sheet(sim, body, 9);
            deepest = least < deepest ? least : deepest;
        }
        assert_true(deepest < 2 * THICK); // it met them
        if (deepest < -THICK || least < 0) {
            fail_msg("speed %zu: %g m, and %g m in the end", v, deepest, least);
        }
        sim_destroy(sim);
    }
}

static void a_field_that_rises_takes_a_sheet_along(void **state)
{
    (void)state;
    needles(8, 0.12);
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sim_collider field = field_of(0.5);
    field.position[1] = -0.2;
    field.id = collider_add(sim, field);
    uint32_t body = sheet_above(sim, 9, 0.05, 0, at_rest);
    struct fault fault;
    for (int tick = 0; tick < 3; tick++) { // 12 m/s
        field.position[1] += 0.2;
        assert_int_equal(sim_collider_set(sim, &field, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    assert_true(sheet_mean(sim, body, 1) > 0.4);
    sim_destroy(sim);
}

static void friction_carries_what_lies_on_it(void **state)
{
    (void)state;
    hills();
    struct sim *sim = scene_create(sheet_settings(20));
    struct sim_collider field = field_of(1);
    field.id = collider_add(sim, field);
    uint32_t body = sheet_above(sim, 12, 0.02, 0.06, at_rest);
    scene_run(sim, 60);
    double before = sheet_mean(sim, body, 0);
    struct fault fault;
    for (int tick = 0; tick < 60; tick++) {
        field.position[0] += 0.002;
        assert_int_equal(sim_collider_set(sim, &field, &fault), FAULT_NONE);
        scene_run(sim, 1);
    }
    assert_near(sheet_mean(sim, body, 0) - before, 0.12, 0.004);
    sim_destroy(sim);
}

// A sheet that is pierced at the start comes free, and nothing flies off.
static void what_begins_inside_leaves_slowly(void **state)
{
    (void)state;
    needles(8, 0.05);
    struct sim *sim = scene_create(sheet_settings(20));
    collider_add(sim, field_of(0.5));
    uint32_t body = sheet_above(sim, 9, 0.05, -0.02, at_rest);
    scene_run(sim, 90);
    struct sim_body_info info;
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t i = 0; i < info.particle_count; i++) {
        double x[3];
        scene_position(sim, body, i, x);
        assert_true(x[1] > 0 && x[1] < 0.3);
    }
    assert_true(nearest_of_sheet(sim, body, 9) > 0);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_field_holds_as_a_plane),
        cmocka_unit_test(a_slope_holds_below_mu_and_lets_slide_above),
        cmocka_unit_test(a_fast_point_passes_no_ridge),
        cmocka_unit_test(a_sheet_lies_on_hills_at_its_thickness),
        cmocka_unit_test(a_coarse_sheet_lies_on_needles),
        cmocka_unit_test(a_fast_sheet_is_not_pierced),
        cmocka_unit_test(a_field_that_rises_takes_a_sheet_along),
        cmocka_unit_test(friction_carries_what_lies_on_it),
        cmocka_unit_test(what_begins_inside_leaves_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
