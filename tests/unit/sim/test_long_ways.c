// Ways over the rest surface, which long edges and tethers are as long as: within 0.5 % of what geometry says, on planes
// with irregular meshes, a cylinder and a sphere. And the levels that long edges are made on.
#include "helper_scene.h"
#include "sim/long/long.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979

enum { MOST = 4200 };

struct surface {
    uint32_t count, triangle_count, edge_count;
    double x[MOST][3];
    uint32_t triangles[2 * MOST][3], edges[4 * MOST][2];
    double lengths[4 * MOST];
};

static struct surface surface;

static double apart(uint32_t a, uint32_t b)
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = surface.x[a][axis] - surface.x[b][axis];
        sum += d * d;
    }
    return sqrt(sum);
}

static void point(double x, double y, double z)
{
    assert_true(surface.count < MOST);
    double *place = surface.x[surface.count++];
    place[0] = x;
    place[1] = y;
    place[2] = z;
}

static void triangle(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t corners[3] = {a, b, c};
    memcpy(surface.triangles[surface.triangle_count++], corners, sizeof corners);
}

// Each edge once.
static void find_edges(void)
{
    surface.edge_count = 0;
    for (uint32_t t = 0; t < surface.triangle_count; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
            uint32_t low = a < b ? a : b, high = a < b ? b : a, e = 0;
            while (e < surface.edge_count && (surface.edges[e][0] != low || surface.edges[e][1] != high)) {
                e++;
            }
            if (e == surface.edge_count) {
                surface.edges[e][0] = low;
                surface.edges[e][1] = high;
                surface.lengths[e] = apart(low, high);
                surface.edge_count++;
            }
        }
    }
}

// Columns x rows points, those inside moved by up to `wild` cells, and each cell cut along a diagonal by chance.
static void plane(uint32_t columns, uint32_t rows, double wide, double wild, uint64_t seed)
{
    memset(&surface, 0, sizeof surface);
    for (uint32_t j = 0; j < rows; j++) {
        for (uint32_t i = 0; i < columns; i++) {
            bool inside = i > 0 && j > 0 && i + 1 < columns && j + 1 < rows;
            double dx = wild * (2 * scene_uniform(&seed) - 1), dy = wild * (2 * scene_uniform(&seed) - 1);
            point(wide * (i + (inside ? dx : 0)), j + (inside ? dy : 0), 0);
        }
    }
    for (uint32_t j = 0; j + 1 < rows; j++) {
        for (uint32_t i = 0; i + 1 < columns; i++) {
            uint32_t a = j * columns + i, b = a + 1, c = a + columns, d = c + 1;
            bool down = scene_random(&seed) & 1;
            triangle(a, b, down ? d : c);
            triangle(down ? a : b, d, c);
        }
    }
    find_edges();
}

static void metric_of(struct sim_metric *metric)
{
    assert_true(sim_metric_make(metric, surface.count, (const uint32_t(*)[2])surface.edges, surface.lengths,
                                surface.edge_count, surface.triangles[0], surface.triangle_count));
}

// The greatest relative error of the ways from a particle, too long and too short.
static void errors(uint32_t from, double (*exact)(uint32_t, uint32_t), double farthest, double *longer,
                   double *shorter)
{
    struct sim_metric metric;
    struct sim_wave wave;
    metric_of(&metric);
    assert_true(sim_wave_init(&wave, &metric));
    assert_true(sim_wave_run(&wave, from, 1e9));
    assert_int_equal(wave.reached_count, surface.count);
    *longer = *shorter = 0;
    for (uint32_t i = 0; i < surface.count; i++) {
        double way = exact(from, i), error = way > 0 && way < farthest ? wave.ways[i] / way - 1 : 0;
        *longer = fmax(*longer, error);
        *shorter = fmax(*shorter, -error);
    }
    print_message("longer by %.2e, shorter by %.2e\n", *longer, *shorter);
    sim_wave_deinit(&wave);
    sim_metric_deinit(&metric);
}

static bool unrolls(void)
{
    struct sim_metric metric;
    metric_of(&metric);
    assert_true(sim_metric_unroll(&metric));
    bool unrolled = metric.places;
    sim_metric_deinit(&metric);
    return unrolled;
}

// Without a wave, from a corner and from within: all that are near enough and no others.
static void ways_of_a_convex_piece_are_straight_lines(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        plane(30, 40, 1.3, 0.24, seed * 5);
        struct sim_metric metric;
        struct sim_wave wave;
        metric_of(&metric);
        assert_true(sim_metric_unroll(&metric));
        assert_non_null(metric.places);
        assert_true(sim_wave_init(&wave, &metric));
        for (uint32_t from = 0; from < surface.count; from += 119) {
            const double farthest = 3.05 + 0.01 * from;
            uint32_t near = 0;
            assert_true(sim_wave_run(&wave, from, farthest));
            for (uint32_t i = 0; i < surface.count; i++) {
                bool is_near = apart(from, i) <= farthest;
                near += is_near ? 1 : 0;
                assert_true(is_near ? fabs(wave.ways[i] - apart(from, i)) < 1e-9
                                    : wave.ways[i] == SIM_WAY_NONE);
            }
            assert_int_equal(wave.reached_count, near);
        }
        sim_wave_deinit(&wave);
        sim_metric_deinit(&metric);
    }
}

// Takes out the triangles all of whose corners are within a rectangle.
static void cut_out(double left, double low, double right, double high)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < surface.triangle_count; t++) {
        bool within = true;
        for (int k = 0; k < 3; k++) {
            const double *x = surface.x[surface.triangles[t][k]];
            within = within && x[0] > left && x[0] < right && x[1] > low && x[1] < high;
        }
        if (!within) {
            memmove(surface.triangles[kept++], surface.triangles[t], sizeof surface.triangles[t]);
        }
    }
    surface.triangle_count = kept;
    find_edges();
}

static void only_a_convex_piece_of_a_plane_unrolls(void **state)
{
    (void)state;
    plane(20, 20, 1, 0, 1);
    assert_true(unrolls());
    cut_out(9.5, 9.5, 30, 30); // an L
    assert_false(unrolls());
    plane(20, 20, 1, 0, 1);
    cut_out(4.5, 4.5, 8.5, 8.5); // a hole
    assert_false(unrolls());
    plane(20, 20, 1, 0, 1);
    surface.x[210][2] = 0.1; // a bump
    find_edges();
    assert_false(unrolls());
    plane(20, 20, 1, 0, 1);
    for (uint32_t i = 0; i < surface.count;
         i++) { // one that is bent does, because it has no length of its own
        surface.x[i][2] = fabs(surface.x[i][0] - 10);
    }
    find_edges();
    assert_true(unrolls());
    plane(20, 20, 1, 0, 1);
    uint32_t swap = surface.triangles[100][0]; // a triangle that lies on its other side
    surface.triangles[100][0] = surface.triangles[100][1];
    surface.triangles[100][1] = swap;
    assert_false(unrolls());
}

static void ways_in_a_plane_are_straight(void **state)
{
    (void)state;
    double longer, shorter;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        plane(30, 30, 1, 0.24, seed * 77);
        errors(0, apart, 1e9, &longer, &shorter);
        assert_true(longer < 1e-6 && shorter < 1e-6);
        errors(15 * 30 + 14, apart, 1e9, &longer, &shorter);
        assert_true(longer < 1e-6 && shorter < 1e-6);
    }
    plane(20, 60, 4, 0.24, 5); // triangles four times as long as wide
    errors(37, apart, 1e9, &longer, &shorter);
    assert_true(longer < 5e-3 && shorter < 1e-6);
    plane(60, 20, 0.2, 0.2, 6);
    errors(700, apart, 1e9, &longer, &shorter);
    assert_true(longer < 5e-3 && shorter < 1e-6);
}

enum { AROUND = 48, HIGH = 40 };

// The mesh is a prism, so its sides are unrolled.
static double around_a_cylinder(uint32_t from, uint32_t to)
{
    double side = apart(0, 1), up = surface.x[to][2] - surface.x[from][2];
    uint32_t steps = (to % AROUND + AROUND - from % AROUND) % AROUND;
    double along = side * (steps < AROUND - steps ? steps : AROUND - steps);
    return sqrt(along * along + up * up);
}

static void ways_around_a_cylinder_unroll_it(void **state)
{
    (void)state;
    double longer, shorter, turn = 2 * PI / AROUND;
    uint64_t seed = 9;
    memset(&surface, 0, sizeof surface);
    for (uint32_t j = 0; j < HIGH; j++) {
        for (uint32_t i = 0; i < AROUND; i++) {
            point(cos(turn * i), sin(turn * i), 0.11 * j);
        }
    }
    for (uint32_t j = 0; j + 1 < HIGH; j++) {
        for (uint32_t i = 0; i < AROUND; i++) {
            uint32_t a = j * AROUND + i, b = j * AROUND + (i + 1) % AROUND, c = a + AROUND, d = b + AROUND;
            bool down = scene_random(&seed) & 1;
            triangle(a, b, down ? d : c);
            triangle(down ? a : b, d, c);
        }
    }
    find_edges();
    errors(0, around_a_cylinder, 1e9, &longer, &shorter);
    assert_true(longer < 5e-3 && shorter < 5e-3);
    errors(20 * AROUND + 7, around_a_cylinder, 1e9, &longer, &shorter);
    assert_true(longer < 5e-3 && shorter < 5e-3);
}

static uint32_t middle(uint32_t a, uint32_t b)
{
    double x[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        x[axis] = surface.x[a][axis] + surface.x[b][axis];
        length += x[axis] * x[axis];
    }
    length = sqrt(length);
    for (uint32_t i = 0; i < surface.count; i++) {
        double far = 0;
        for (int axis = 0; axis < 3; axis++) {
            far = fmax(far, fabs(surface.x[i][axis] - x[axis] / length));
        }
        if (far < 1e-9) {
            return i;
        }
    }
    point(x[0] / length, x[1] / length, x[2] / length);
    return surface.count - 1;
}

static double on_a_sphere(uint32_t from, uint32_t to)
{
    return 2 * asin(fmin(1, apart(from, to) / 2));
}

static void ways_on_a_sphere_are_great_circles(void **state)
{
    (void)state;
    memset(&surface, 0, sizeof surface);
    for (int k = 0; k < 6; k++) {
        point(k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, k == 4 ? 1 : k == 5 ? -1 : 0);
    }
    for (uint32_t k = 0; k < 8; k++) {
        triangle(k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2));
    }
    for (int level = 0; level < 5; level++) {
        uint32_t before = surface.triangle_count;
        for (uint32_t t = 0; t < before; t++) {
            uint32_t a = surface.triangles[t][0], b = surface.triangles[t][1], c = surface.triangles[t][2];
            uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            triangle(a, ab, ca);
            triangle(b, bc, ab);
            triangle(c, ca, bc);
            uint32_t inner[3] = {ab, bc, ca};
            memcpy(surface.triangles[t], inner, sizeof inner);
        }
    }
    find_edges();
    double longer, shorter;
    for (uint32_t from = 0; from < 500; from += 100) {
        errors(from, on_a_sphere, 1, &longer, &shorter); // edges are a twentieth of the radius
        assert_true(longer < 5e-3 && shorter < 5e-3);
        // Farther on the front is flatter than a circle of that radius in a plane would be, and at the end it comes from
        // all sides.
        errors(from, on_a_sphere, 4, &longer, &shorter);
        assert_true(longer < 5e-3 && shorter < 2e-2);
    }
}

static void levels_of(uint32_t *edges, uint32_t levels[32], uint32_t *most)
{
    struct sim_metric metric;
    struct sim_long_edge *list;
    metric_of(&metric);
    assert_true(sim_long_levels(&metric, &list, edges));
    *most = 0;
    memset(levels, 0, 32 * sizeof *levels);
    for (uint32_t e = 0; e < *edges; e++) {
        assert_true(list[e].level < 32 && list[e].a != list[e].b);
        assert_true(fabs((double)list[e].length / apart(list[e].a, list[e].b) - 1) < 5e-3); // it is flat
        levels[list[e].level]++;
        *most = list[e].level > *most ? list[e].level : *most;
        assert_true(e == 0 || list[e].level <= list[e - 1].level);
    }
    free(list);
    sim_metric_deinit(&metric);
}

// Every second, fourth ... particle of a grid, joined along the grid and across its diagonals: 4 times as many edges as
// particles of the level, less what lacks at the border. Levels 1 and 3 have none.
static void a_grid_has_the_levels_of_a_grid(void **state)
{
    (void)state;
    uint32_t edges, levels[32], most;
    plane(33, 33, 1, 0, 3);
    levels_of(&edges, levels, &most);
    for (uint32_t level = 1, side = 17; level <= 5; level++, side = (side + 1) / 2) {
        bool bare = level == 1 || level == 3;
        assert_int_equal(levels[level], bare ? 0 : 2 * side * (side - 1) + 2 * (side - 1) * (side - 1));
    }
    assert_true(most == 5);
}

static void an_irregular_mesh_has_as_many_edges_a_level(void **state)
{
    (void)state;
    uint32_t edges, levels[32], most;
    plane(33, 33, 1, 0.24, 3);
    levels_of(&edges, levels, &most);
    assert_in_range(edges, surface.edge_count / 30, surface.edge_count * 2 / 10);
    assert_true(most >= 4 && most <= 6);
}

static void ways_follow_edges_where_there_are_no_triangles(void **state)
{
    (void)state;
    memset(&surface, 0, sizeof surface);
    for (uint32_t i = 0; i < 10; i++) {
        point(i % 2, i, 0);
        if (i > 0) {
            surface.edges[surface.edge_count][0] = i - 1;
            surface.edges[surface.edge_count][1] = i;
            surface.lengths[surface.edge_count++] = 1.5;
        }
    }
    struct sim_metric metric;
    struct sim_tether *tethers;
    uint32_t most;
    bool held[10] = {[0] = true, [9] = true};
    metric_of(&metric);
    assert_true(sim_long_tethers(&metric, held, &tethers, &most));
    assert_int_equal(most, 2);
    for (uint32_t i = 1; i < 9; i++) {
        const struct sim_tether *of = tethers + (size_t)i * SIM_TETHERS_MAX;
        assert_int_equal(of[0].anchor, i < 5 ? 0 : 9);
        assert_true(of[0].length == 1.5F * (float)(i < 5 ? i : 9 - i));
        assert_int_equal(of[1].anchor, i < 5 ? 9 : 0);
        assert_int_equal(of[2].anchor, UINT32_MAX);
    }
    assert_int_equal(tethers[0].anchor, UINT32_MAX);
    free(tethers);
    sim_metric_deinit(&metric);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_in_a_plane_are_straight),
        cmocka_unit_test(ways_of_a_convex_piece_are_straight_lines),
        cmocka_unit_test(only_a_convex_piece_of_a_plane_unrolls),
        cmocka_unit_test(ways_around_a_cylinder_unroll_it),
        cmocka_unit_test(ways_on_a_sphere_are_great_circles),
        cmocka_unit_test(a_grid_has_the_levels_of_a_grid),
        cmocka_unit_test(an_irregular_mesh_has_as_many_edges_a_level),
        cmocka_unit_test(ways_follow_edges_where_there_are_no_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
