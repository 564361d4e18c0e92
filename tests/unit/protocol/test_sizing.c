// Lengths of edges, the thickness that they allow, and pairs that are near at rest.
#include "protocol/sizing/sizing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SIDE = 20, EDGES = 3 * SIDE * SIDE };
static const double FLOOR = 1e-6;

static double positions[3 * SIDE * SIDE];
static uint32_t triangles[6 * (SIDE - 1) * (SIDE - 1)];

// A sheet whose columns are `narrow` apart up to column `border`, and 1 apart from there on.
static struct sizing_mesh sheet(uint32_t border, double narrow)
{
    double x = 0;
    for (uint32_t i = 0; i < SIDE; i++) {
        for (uint32_t j = 0; j < SIDE; j++) {
            double *p = positions + 3 * (j * SIDE + i);
            p[0] = x;
            p[1] = j;
            p[2] = 0;
        }
        x += i < border ? narrow : 1;
    }
    uint32_t *t = triangles;
    for (uint32_t j = 0; j + 1 < SIDE; j++) {
        for (uint32_t i = 0; i + 1 < SIDE; i++) {
            const uint32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const uint32_t six[6] = {a, b, c, b, d, c};
            for (int k = 0; k < 6; k++) {
                *t++ = six[k];
            }
        }
    }
    return (struct sizing_mesh){positions, triangles, SIDE * SIDE, 2 * (SIDE - 1) * (SIDE - 1), 3};
}

static double right_of(const struct sizing_mesh *mesh, double floor)
{
    struct sizing sizing;
    assert_true(sizing_init(&sizing, mesh));
    const double thickness = sizing_thickness(&sizing, floor);
    sizing_deinit(&sizing);
    return thickness;
}

static void an_even_mesh_gets_a_part_of_its_mean_edge(void **state)
{
    (void)state;
    const struct sizing_mesh mesh = sheet(0, 1);
    struct sizing sizing;
    assert_true(sizing_init(&sizing, &mesh));
    assert_true(fabs(sizing.mean - (2 + sqrt(2)) / 3) < 1e-12);
    assert_true(sizing.least == 1 && sizing.small == 1 && sizing.median == 1);
    assert_true(sizing_thickness(&sizing, FLOOR) == 0.15 * sizing.mean);
    assert_true(sizing_share_below(&sizing, 1) == 0 && sizing_share_below(&sizing, 2) == 1);
    assert_true(fabs(sizing_share_below(&sizing, 1.2) - 2.0 / 3) < 1e-12);
    sizing_deinit(&sizing);
    double pairs;
    bool more;
    assert_true(sizing_pairs(&mesh, 2 * 0.15 * 1.138, &pairs, &more));
    assert_true(pairs == 0 && !more);
}

static void short_edges_make_it_thin_and_the_floor_holds(void **state)
{
    (void)state;
    // A fourth of the columns.
    struct sizing_mesh mesh = sheet(5, 0.01);
    struct sizing sizing;
    assert_true(sizing_init(&sizing, &mesh));
    assert_true(fabs(sizing.small - 0.01) < 1e-9);
    assert_true(fabs(sizing_thickness(&sizing, FLOOR) - 0.0035) < 1e-9);
    assert_true(sizing_thickness(&sizing, 0.02) == 0.02);
    assert_true(sizing_thickness(&sizing, 5) ==
                0.15 * sizing.mean); // the floor lifts nothing above the usual
    sizing_deinit(&sizing);
    // Fewer short ones than 1 in 20: they decide nothing.
    mesh = sheet(1, 0.01);
    assert_true(sizing_init(&sizing, &mesh));
    assert_true(fabs(sizing.small - 1) < 1e-9 && sizing.least < 0.011);
    assert_true(sizing_thickness(&sizing, FLOOR) == 0.15 * sizing.mean);
    sizing_deinit(&sizing);
}

// Distance of a point from a segment, in the plane.
static double from_segment(uint32_t point, const uint32_t ends[2])
{
    const double *p = positions + 3 * point, *a = positions + 3 * ends[0], *b = positions + 3 * ends[1];
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, w[2] = {p[0] - a[0], p[1] - a[1]};
    const double s = fmin(fmax((d[0] * w[0] + d[1] * w[1]) / (d[0] * d[0] + d[1] * d[1]), 0), 1);
    return hypot(w[0] - s * d[0], w[1] - s * d[1]);
}

// Nothing crosses in the plane, so what is nearest is an end or a corner.
static double count_all(const struct sizing_mesh *mesh, double distance)
{
    static uint32_t edges[EDGES][2];
    uint32_t edge_count = 0;
    double found = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const bool right = i % SIDE + 1 < SIDE, up = i + SIDE < SIDE * SIDE;
        const uint32_t ends[3][2] = {{i, i + 1}, {i, i + SIDE}, {i + 1, i + SIDE}};
        const bool there[3] = {right, up, right && up};
        for (int k = 0; k < 3; k++) {
            edges[edge_count][0] = ends[k][0];
            edges[edge_count][1] = ends[k][1];
            edge_count += there[k];
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (uint32_t t = 0; t < mesh->element_count; t++) {
            const uint32_t *c = triangles + 3 * t, sides[3][2] = {{c[0], c[1]}, {c[1], c[2]}, {c[2], c[0]}};
            double least = INFINITY;
            for (int k = 0; k < 3; k++) {
                least = fmin(least, from_segment(v, sides[k]));
            }
            found += c[0] != v && c[1] != v && c[2] != v && least < distance;
        }
    }
    for (uint32_t e = 0; e < edge_count; e++) {
        for (uint32_t f = 0; f < e; f++) {
            const uint32_t *a = edges[e], *b = edges[f];
            const double least = fmin(fmin(from_segment(a[0], b), from_segment(a[1], b)),
                                      fmin(from_segment(b[0], a), from_segment(b[1], a)));
            found += a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] && least < distance;
        }
    }
    return found;
}

static void pairs_are_those_that_a_full_search_finds(void **state)
{
    (void)state;
    static const double distances[] = {0.7, 0.75, 1.05, 1.7, 2.3};
    const struct sizing_mesh mesh = sheet(0, 1);
    for (int i = 0; i < 5; i++) {
        double pairs;
        bool more;
        assert_true(sizing_pairs(&mesh, distances[i], &pairs, &more));
        assert_true(!more);
        assert_true(fabs(pairs - count_all(&mesh, distances[i])) < 1e-6);
    }
    assert_true(count_all(&mesh, 0.7) == 0 && count_all(&mesh, 0.75) > 1000);
}

static void nothing_and_ropes_are_measured(void **state)
{
    (void)state;
    const struct sizing_mesh none = {positions, triangles, 3, 0, 3};
    assert_true(right_of(&none, FLOOR) == 0);
    const double x[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0};
    const uint32_t edges[8] = {0, 1, 1, 2, 2, 3, 3, 4};
    const struct sizing_mesh rope = {x, edges, 5, 4, 2};
    assert_true(right_of(&rope, FLOOR) == 0.15);
    double pairs;
    bool more;
    assert_true(sizing_pairs(&rope, 0.9, &pairs, &more));
    assert_true(pairs == 0);
    assert_true(sizing_pairs(&rope, 1.5, &pairs, &more));
    assert_true(pairs == 2); // the first edge and the third, the second and the fourth
    const struct sizing_mesh long_one = {(double[]){0, 0, 0, 8, 0, 0}, edges, 2, 1, 2};
    assert_true(right_of(&long_one, FLOOR) == 1); // no more than 1 m
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_even_mesh_gets_a_part_of_its_mean_edge),
        cmocka_unit_test(short_edges_make_it_thin_and_the_floor_holds),
        cmocka_unit_test(pairs_are_those_that_a_full_search_finds),
        cmocka_unit_test(nothing_and_ropes_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
