// Edges and triangles stay outside of colliders: what is thinner than a mesh is wide holds it, what is inside a triangle
// pushes it, and what is fast passes nothing. All of it comes to the same bits everywhere.
#include "helper_sheet.h"

#include "base/thread.h"
#include "sim/contact/collide.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WIDE_EDGE 0.05 // m
#define THICK 0.002

static const struct sim_meeting meets = {.self = true, .group = 1, .mask = 1, .friction = 0.3};

static uint32_t collider_add(struct sim *sim, struct sim_collider collider)
{
    struct fault fault;
    uint32_t id;
    assert_int_equal(sim_collider_add(sim, &collider, &id, &fault), FAULT_NONE);
    return id;
}

struct coarse {
    uint32_t columns, rows;
    double spacing, corner[3], speed[3];
    bool pinned; // its first and last row
};

static uint32_t coarse_add(struct sim *sim, const struct coarse *coarse)
{
    struct scene_mesh mesh = scene_grid(coarse->columns, coarse->rows, coarse->spacing, coarse->corner);
    float *velocities = calloc(3 * (size_t)mesh.particle_count, sizeof *velocities);
    uint32_t *pins = calloc(mesh.particle_count, sizeof *pins);
    assert_non_null(velocities);
    assert_non_null(pins);
    struct sim_body_desc desc = scene_cloth(&mesh);
    for (uint32_t i = 0; i < mesh.particle_count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            velocities[3 * (size_t)i + axis] = (float)coarse->speed[axis];
        }
        uint32_t row = i / coarse->columns;
        if (coarse->pinned && (row == 0 || row == coarse->rows - 1)) {
            pins[desc.pin_count++] = i;
        }
    }
    desc.velocities = velocities;
    desc.pins = pins;
    desc.density = 0.2;
    desc.thickness = THICK;
    desc.meeting = meets;
    uint32_t body = scene_add(sim, &desc);
    free(velocities);
    free(pins);
    scene_mesh_deinit(&mesh);
    return body;
}

static double lowest_of(const struct sim *sim, uint32_t body)
{
    struct sim_body_info info;
    double lowest = 1e9, x[3];
    assert_true(sim_body_info(sim, body, &info));
    for (uint32_t i = 0; i < info.particle_count; i++) {
        scene_position(sim, body, i, x);
        lowest = x[1] < lowest ? x[1] : lowest;
    }
    return lowest;
}

static const double bar_corners[] = {0.01, 0.5,   0.01, -0.01, 0.5,   0.01,  0.01,  -0.5,
                                     0.01, -0.01, -0.5, 0.01,  0.01,  0.5,   -0.01, -0.01,
                                     0.5,  -0.01, 0.01, -0.5,  -0.01, -0.01, -0.5,  -0.01};
static const double plate_corners[] = {0.5,    0.0025, 0.5,     -0.5,    0.0025, 0.5,    0.5,     -0.0025,
                                       0.5,    -0.5,   -0.0025, 0.5,     0.5,    0.0025, -0.5,    -0.5,
                                       0.0025, -0.5,   0.5,     -0.0025, -0.5,   -0.5,   -0.0025, -0.5};
// A spike whose tip is up, seen from 5 cm below it.
static const double spike_corners[] = {0, 0.05, 0, -0.01, -0.05, -0.01, 0.01, -0.05, -0.01, 0, -0.05, 0.01};

// Two rows of hills along x, of its own kind each.
static const double ridge_heights[] = {0,    0.01, 0.08, 0.01, 0,    0,    0.03, 0.06, 0.01, 0,    0,   0.02,
                                       0.09, 0.01, 0,    0,    0.01, 0.02, 0.05, 0,    0.01, 0.01, 0.1, 0.04,
                                       0,    0,    0.03, 0.07, 0.01, 0,    0,    0,    0.06, 0.02, 0};

// Along x, 2 cm thick, askew against the mesh.
static struct sim_collider bar_of(enum sim_collider_kind kind)
{
    struct sim_collider bar = {
        .kind = kind, .radius = 0.01, .half_extents = {0.01, 0.5, 0.01}, .length = 1, .friction = 0.8};
    // +y to x: by -90 degrees about z; then a little about y.
    bar.points = bar_corners;
    bar.point_count = 8;
    bar.heights = ridge_heights;
    bar.height_count = 35;
    bar.columns = 5;
    bar.spacing = 0.0625;
    const double a = -0.785398163397448, b = 0.05;
    bar.rotation[0] = sin(b) * sin(a);
    bar.rotation[2] = cos(b) * sin(a);
    bar.rotation[1] = sin(b) * cos(a);
    bar.rotation[3] = cos(b) * cos(a);
    return bar;
}

static void a_coarse_mesh_hangs_over_a_thin_bar(void **state)
{
    (void)state;
    static const enum sim_collider_kind kinds[] = {SIM_CAPSULE, SIM_BOX, SIM_CYLINDER, SIM_CONVEX};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct sim *sim = scene_create(sheet_settings(20));
        collider_add(sim, bar_of(kinds[k]));
        // Rows of particles on both sides of the bar, none above it.
        uint32_t body = coarse_add(
            sim, &(struct coarse){
                     .columns = 6, .rows = 6, .spacing = WIDE_EDGE, .corner = {-0.125, 0.03, -0.125}});
        scene_run(sim, 90);
        assert_true(sheet_mean(sim, body, 1) > -0.2);
        assert_true(lowest_of(sim, body) < -0.03); // it hangs
        struct sim_measures measures;
        sim_measure(sim, &measures);
        assert_int_equal(sim_crossings(sim), 0);
        sim_destroy(sim);
    }
}

// A square of two triangles lies on four posts: two are under its diagonal, two under the inside of a triangle.
static void what_is_inside_a_triangle_holds_it(void **state)
{
    (void)state;
    static const struct sim_collider posts[] = {
        {.kind = SIM_SPHERE, .radius = 0.01, .position = {0, -0.01, 0}, .friction = 0.5},
        {.kind = SIM_CAPSULE, .radius = 0.005, .length = 0.1, .position = {0, -0.055, 0}, .friction = 0.5},
        {.kind = SIM_CYLINDER, .radius = 0.005, .length = 0.1, .position = {0, -0.05, 0}, .friction = 0.5},
        {.kind = SIM_BOX, .half_extents = {0.005, 0.05, 0.005}, .position = {0, -0.05, 0}, .friction = 0.5},
        {.kind = SIM_CONVEX,
         .points = spike_corners,
         .point_count = 4,
         .position = {0, -0.05, 0},
         .friction = 0.5},
    };
    for (size_t k = 0; k < sizeof posts / sizeof posts[0]; k++) {
        struct sim *sim = scene_create(sheet_settings(20));
        for (int i = 0; i < 4; i++) {
            struct sim_collider post = posts[k];
            post.position[0] = i % 2 == 0 ? 0.03 : 0.07;
            post.position[2] = i / 2 == 0 ? 0.03 : 0.07;
            collider_add(sim, post);
        }
        uint32_t body = coarse_add(
            sim, &(struct coarse){.columns = 2, .rows = 2, .spacing = 0.1, .corner = {0, 0.02, 0}});
        scene_run(sim, 60);
        assert_near(sheet_mean(sim, body, 1), THICK, 0.1 * THICK);
        assert_near(lowest_of(sim, body), THICK, 0.2 * THICK);
        sim_destroy(sim);
    }
}

static void friction_of_an_edge_holds_it_on_a_bar(void **state)
{
    (void)state;
    double slid[2];
    for (int slippery = 0; slippery < 2; slippery++) {
        struct sim *sim = scene_create(sheet_settings(20));
        struct sim_collider bar = bar_of(SIM_CAPSULE);
        bar.friction = slippery == 1 ? 0 : 1.5;
        collider_add(sim, bar);
        // A little more of it hangs on one side.
        uint32_t body = coarse_add(
            sim, &(struct coarse){
                     .columns = 6, .rows = 8, .spacing = WIDE_EDGE, .corner = {-0.125, 0.015, -0.155}});
        scene_run(sim, 120);
        slid[slippery] = lowest_of(sim, body);
        sim_destroy(sim);
    }
    assert_true(slid[0] > -0.4);
    assert_true(slid[1] < -0.6); // it has gone
}

static void what_is_fast_passes_nothing(void **state)
{
    (void)state;
    static const enum sim_collider_kind kinds[] = {SIM_SPHERE, SIM_CAPSULE, SIM_BOX, SIM_CYLINDER,
                                                   SIM_CONVEX};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct sim_settings settings = sheet_settings(20);
        settings.gravity[1] = 0;
        struct sim *sim = scene_create(settings);
        struct sim_collider thin = {
            .kind = kinds[k], .radius = 0.005, .length = 1, .half_extents = {0.5, 0.0025, 0.5}};
        thin.points = plate_corners;
        thin.point_count = 8;
        if (kinds[k] == SIM_CYLINDER) {
            thin.radius = 0.5;
            thin.length = 0.005;
        }
        if (kinds[k] == SIM_CAPSULE) {
            thin = bar_of(kinds[k]);
            thin.radius = 0.005;
        }
        if (kinds[k] == SIM_SPHERE) {
            thin.radius = 0.01;
        }
        collider_add(sim, thin);
        // Held at two sides it cannot get around; 30 m/s are 2.5 cm a substep.
        uint32_t body = coarse_add(sim, &(struct coarse){.columns = 8,
                                                         .rows = 8,
                                                         .spacing = WIDE_EDGE,
                                                         .corner = {-0.18, 0.3, -0.17},
                                                         .speed = {0, -30, 0}});
        scene_run(sim, 1);
        double x[3], highest = -1;
        for (uint32_t i = 0; i < 64; i++) {
            scene_position(sim, body, i, x);
            highest = x[1] > highest ? x[1] : highest;
        }
        assert_true(highest > -0.005); // some of it is caught
        if (kinds[k] == SIM_BOX || kinds[k] == SIM_CYLINDER || kinds[k] == SIM_CONVEX) {
            assert_true(lowest_of(sim, body) > 0.0025);
        }
        sim_destroy(sim);
    }
}

static void a_fast_point_passes_nothing(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    collider_add(sim, (struct sim_collider){.kind = SIM_BOX, .half_extents = {0.5, 0.001, 0.5}});
    static const double positions[] = {0.1, 0.3, 0.2};
    static const double masses[] = {0.01};
    static const float velocities[] = {1, -100, 2};
    struct sim_body_desc desc = scene_points(positions, 1, masses);
    desc.velocities = velocities;
    desc.thickness = THICK;
    desc.meeting = meets;
    uint32_t body = scene_add(sim, &desc);
    scene_run(sim, 3);
    assert_true(lowest_of(sim, body) > 0);
    sim_destroy(sim);
}

// A bar that turns, with 18 m/s at its tip.
static void a_bar_that_is_swung_takes_a_sheet_along(void **state)
{
    (void)state;
    struct sim_settings settings = sheet_settings(20);
    settings.gravity[1] = 0;
    struct sim *sim = scene_create(settings);
    struct sim_collider bar = bar_of(SIM_CAPSULE);
    bar.position[1] = -0.15;
    bar.id = collider_add(sim, bar);
    uint32_t body = coarse_add(
        sim, &(struct coarse){.columns = 8, .rows = 8, .spacing = WIDE_EDGE, .corner = {-0.175, 0, -0.175}});
    struct fault fault;
    bar.position[1] = 0.15; // in one tick
    assert_int_equal(sim_collider_set(sim, &bar, &fault), FAULT_NONE);
    scene_run(sim, 1);
    bar.position[1] = 0.3;
    assert_int_equal(sim_collider_set(sim, &bar, &fault), FAULT_NONE);
    scene_run(sim, 1);
    double x[3], highest = -1;
    for (uint32_t i = 0; i < 64; i++) {
        scene_position(sim, body, i, x);
        highest = x[1] > highest ? x[1] : highest;
    }
    assert_true(highest > 0.3);
    scene_run(sim, 6);
    assert_int_equal(sim_crossings(sim), 0);
    sim_destroy(sim);
}

// ------------------------------------------------------------------------------------------------- the same

// Places of particles as sums of whole quanta, from where the world is.
static uint64_t outcome(enum sim_isa isa, struct base_parallel *parallel, double far,
                        enum sim_collider_kind kind)
{
    enum { SIDE = 12, COUNT = SIDE * SIDE, BODIES = 2 };
    enum sim_isa before = sim_isa_chosen();
    sim_isa_choose(isa);
    struct sim *sim = scene_create(sheet_settings(20));
    struct sim_collider bar = bar_of(kind), rod = bar_of(SIM_CAPSULE);
    bar.position[0] = rod.position[0] = far;
    bar.position[1] = -0.1;
    rod.position[2] = 0.1;
    if (kind == SIM_HEIGHT_FIELD) { // upright, a little askew
        const double rotation[4] = {0.03, 0.2, -0.05, 1};
        memcpy(bar.rotation, rotation, sizeof rotation);
    }
    collider_add(sim, bar);
    rod.id = collider_add(sim, rod);
    collider_add(
        sim, (struct sim_collider){
                 .kind = SIM_SPHERE, .position = {far + 0.125, 0, 0.05}, .radius = 0.06, .friction = 0.4});
    collider_add(sim, (struct sim_collider){.kind = SIM_CYLINDER,
                                            .position = {far - 0.125, -0.03, 0},
                                            .radius = 0.1,
                                            .length = 0.004,
                                            .friction = 0.2});
    for (int b = 0; b < BODIES; b++) {
        coarse_add(sim, &(struct coarse){.columns = SIDE,
                                         .rows = SIDE,
                                         .spacing = 0.03125,
                                         .corner = {far - 0.1875, 0.07 + 0.02 * b, -0.17},
                                         .speed = {0, -6 * b, 0.5}});
    }
    for (int tick = 0; tick < 16; tick++) {
        struct fault fault;
        struct sim_failure failure;
        rod.position[1] = 0.3 * sin(tick * 0.7);
        rod.rotation[1] = 0.2 * cos(tick * 0.3);
        assert_int_equal(sim_collider_set(sim, &rod, &fault), FAULT_NONE);
        assert_true(sim_step(sim, parallel, NULL, &failure));
        assert_false(failure.failed);
    }
    uint64_t sum = 0;
    for (uint32_t body = 1; body <= BODIES; body++) {
        double x[3 * COUNT];
        sim_body_positions64(sim, body, 0, COUNT, x);
        for (int i = 0; i < 3 * COUNT; i++) {
            sum = sum * 31 + (uint64_t)llrint((x[i] - (i % 3 == 0 ? far : 0)) / SCENE_Q);
        }
    }
    sim_destroy(sim);
    sim_isa_choose(before);
    return sum;
}

static void it_is_the_same_whatever_computes_it_and_wherever(void **state)
{
    (void)state;
    // The hashes of every build: gcc and clang, optimised and not.
    static const struct {
        enum sim_collider_kind kind;
        uint64_t expected;
        double far;
    } bars[] = {{SIM_BOX, 0xeef94b5de7b37ae3, 15.875}, // low words wrap within the sheets
                {SIM_CONVEX, 0x6a4d037aadaf1c61, 1024},
                {SIM_HEIGHT_FIELD, 0x06b67b43dcc90a3e, -16384}};
    for (size_t b = 0; b < sizeof bars / sizeof bars[0]; b++) {
        const enum sim_collider_kind kind = bars[b].kind;
        const uint64_t expected = bars[b].expected;
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                assert_int_equal(outcome((enum sim_isa)isa, NULL, 0, kind), expected);
            }
        }
        assert_int_equal(outcome(sim_isa_chosen(), NULL, bars[b].far, kind), expected);
    }
    struct base_team *team = base_team_create(3);
    assert_non_null(team);
    assert_int_equal(outcome(sim_isa_chosen(), base_team_parallel(team), 0, bars[0].kind), bars[0].expected);
    base_team_destroy(team);
}

// ------------------------------------------------------------------------------------------------------- box

enum { SAMPLES = 64, BLOCKS = 400 };

static double uniform(uint64_t *seed, double least, double most)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return least + (most - least) * (double)(*seed >> 40) / 16777216.0;
}

static double box_distance(const struct sim_shape *box, const double p[3])
{
    double outside2 = 0, most = -1;
    for (int i = 0; i < 3; i++) {
        const double *way = box->end.axes[i];
        const double depth = fabs(p[0] * way[0] + p[1] * way[1] + p[2] * way[2]) - box->half_extents[i];
        outside2 += depth > 0 ? depth * depth : 0;
        most = depth > most ? depth : most;
    }
    return most > 0 ? sqrt(outside2) : most;
}

// Compares the search of a block of edges with what many points of each say. An edge that is nearest at an end, as
// all edges above one face are, is its particle's business. Returns how many edges touch in their inside.
static int edges_look(const struct sim_collide_kernels *kernels, const struct sim_toucher *toucher,
                      uint64_t *seed)
{
    struct sim_row rows[2 * SIM_LANES] = {0};
    uint32_t places[3][SIM_LANES] = {{0}};
    double least[SIM_LANES], ends[SIM_LANES];
    bool above[SIM_LANES]; // one face, with all of it
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        double x[2][3];
        for (int axis = 0; axis < 3; axis++) {
            const double most = toucher->shape.half_extents[axis] + 0.01;
            x[0][axis] = uniform(seed, -most, most);
            x[1][axis] = x[0][axis] + uniform(seed, -0.03, 0.03);
        }
        if (lane % 2 == 0) { // along a face, so that all points are equally near
            x[0][1] = x[1][1] = toucher->shape.half_extents[1] + uniform(seed, 0, 2 * THICK);
        }
        above[lane] = lane % 2 == 0;
        for (uint32_t k = 0; k < 2; k++) {
            above[lane] = above[lane] && fabs(x[k][0]) < 0.0599 && fabs(x[k][2]) < 0.0399;
            places[k][lane] = (2 * lane + k) * SIM_ROW_BYTES;
            for (int axis = 0; axis < 3; axis++) {
                double world = 0; // the box's frame is turned
                for (int i = 0; i < 3; i++) {
                    world += x[k][i] * toucher->shape.end.axes[i][axis];
                }
                rows[2 * lane + k].x[axis] = (int32_t)lrint(world / toucher->q);
            }
        }
        least[lane] = DBL_MAX;
        for (int i = 0; i <= SAMPLES; i++) {
            double p[3];
            for (int axis = 0; axis < 3; axis++) {
                const double a = rows[2 * lane].x[axis], b = rows[2 * lane + 1].x[axis];
                p[axis] = (a + (b - a) * i / SAMPLES) * toucher->q;
            }
            const double phi = box_distance(&toucher->shape, p);
            least[lane] = fmin(phi, least[lane]);
            ends[lane] = i == 0 ? phi : i == SAMPLES ? fmin(phi, ends[lane]) : ends[lane];
        }
    }
    const struct sim_touch_origin origin = {{0}, {0}, {0}};
    struct sim_touches touches;
    const uint32_t hits = kernels->touch[SIM_BOX][SIM_TOUCH_EDGE][0](
        toucher, &origin, rows, rows, (const uint32_t(*)[SIM_LANES])places, &touches);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const bool hit = (hits >> lane & 1) != 0, inside = least[lane] < ends[lane] - 0.02 * THICK;
        if (inside && least[lane] < 0.99 * THICK) {
            assert_true(hit);
        }
        if (hit) {
            assert_true(touches.phi[lane] < THICK);
            assert_true(touches.phi[lane] < least[lane] + 0.02 * THICK);
        }
        assert_false(hit && above[lane] && least[lane] > 0);
    }
    return __builtin_popcount(hits);
}

static void edges_touch_a_box_where_no_end_is_nearer(void **state)
{
    (void)state;
    struct sim_shape box = {.kind = SIM_BOX, .half_extents = {0.06, 0.01, 0.04}, .friction = 0.5f};
    const double axes[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    memcpy(box.start.axes, axes, sizeof axes);
    memcpy(box.end.axes, axes, sizeof axes);
    const struct sim_toucher toucher = {.shape = box, .q = SCENE_Q, .thickness = THICK, .inner = 0.01};
    for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
        uint64_t seed = 7;
        int hits = 0;
        for (int block = 0; block < BLOCKS && sim_isa_available((enum sim_isa)isa); block++) {
            hits += edges_look(sim_collide_kernels_of((enum sim_isa)isa), &toucher, &seed);
        }
        assert_true(hits > 100 || !sim_isa_available((enum sim_isa)isa));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coarse_mesh_hangs_over_a_thin_bar),
        cmocka_unit_test(what_is_inside_a_triangle_holds_it),
        cmocka_unit_test(friction_of_an_edge_holds_it_on_a_bar),
        cmocka_unit_test(what_is_fast_passes_nothing),
        cmocka_unit_test(a_fast_point_passes_nothing),
        cmocka_unit_test(a_bar_that_is_swung_takes_a_sheet_along),
        cmocka_unit_test(it_is_the_same_whatever_computes_it_and_wherever),
        cmocka_unit_test(edges_touch_a_box_where_no_end_is_nearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
