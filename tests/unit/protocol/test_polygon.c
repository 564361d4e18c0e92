// Polygons are cut without overlap. Corners have whole numbers as coordinates, so that areas are exact here.
//
// A cut is right if no triangle turns the other way and the areas add up to that of the polygon: its triangles then cover each
// point as often as the polygon winds around it, which is once.
#include "protocol/polygon/polygon.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CORNERS_MAX = 64 };

struct flat {
    uint32_t count;
    double places[CORNERS_MAX][2];
};

static double area(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double area_of(const struct flat *flat)
{
    double sum = 0;
    for (uint32_t i = 2; i < flat->count; i++) {
        sum += area(flat->places[0], flat->places[i - 1], flat->places[i]);
    }
    return sum;
}

// Puts the polygon into a plane of space; `tilt` is what the third coordinate gains by each of the two others.
static void place(const struct flat *flat, int axis, double tilt, double *corners)
{
    for (uint32_t i = 0; i < flat->count; i++) {
        const double *from = flat->places[i];
        corners[3 * i + (uint32_t)((axis + 1) % 3)] = from[0];
        corners[3 * i + (uint32_t)((axis + 2) % 3)] = from[1];
        corners[3 * i + (uint32_t)axis] = tilt * (from[0] - from[1]);
    }
}

static void check_cut(const struct flat *flat, const uint32_t *triangles)
{
    double sum = 0;
    const double whole = area_of(flat);
    for (uint32_t t = 0; t + 2 < flat->count; t++) {
        const uint32_t *corner = triangles + 3 * t;
        const double one = area(flat->places[corner[0]], flat->places[corner[1]], flat->places[corner[2]]);
        assert_true(one * whole >= 0);
        sum += one;
    }
    assert_true(sum == whole);
}

static void check(const struct flat *flat)
{
    double corners[3 * CORNERS_MAX];
    uint32_t triangles[3 * CORNERS_MAX];
    for (int axis = 0; axis < 3; axis++) {
        for (int tilt = 0; tilt < 3; tilt++) {
            place(flat, axis, tilt * 0.25, corners);
            assert_true(polygon_cut(corners, flat->count, triangles));
            check_cut(flat, triangles);
        }
    }
}

// From each corner on, and both ways round.
static void check_turned(const struct flat *flat)
{
    for (uint32_t first = 0; first < flat->count; first++) {
        struct flat turned = {.count = flat->count}, back = {.count = flat->count};
        for (uint32_t i = 0; i < flat->count; i++) {
            memcpy(turned.places[i], flat->places[(first + i) % flat->count], sizeof turned.places[i]);
            memcpy(back.places[flat->count - 1 - i], turned.places[i], sizeof turned.places[i]);
        }
        check(&turned);
        check(&back);
    }
}

static void concave_polygons_are_cut_without_overlap(void **state)
{
    (void)state;
    static const struct flat shapes[] = {
        {6, {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}},                                  // L
        {8, {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}},                  // U
        {4, {{0, 0}, {4, 4}, {0, 1}, {-4, 4}}},                                                 // dart
        {10, {{0, 0}, {9, 0}, {9, 5}, {8, 1}, {6, 1}, {5, 5}, {4, 1}, {2, 1}, {1, 5}, {0, 1}}}, // comb
        {5, {{0, 0}, {4, 0}, {4, 4}, {2, 4}, {0, 4}}},                 // a corner on an edge
        {7, {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}}, // three of them
        {6, {{0, 0}, {4, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 4}}},         // corners twice
        // A hole, with the bridge to it there and back.
        {10, {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}}},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        check_turned(&shapes[i]);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

// A polygon that sees its middle from each corner crosses itself nowhere: corners are drawn, sorted by their direction, and one of
// each direction is kept.
static void make_star(uint32_t *seed, struct flat *flat)
{
    flat->count = 0;
    while (flat->count < 40) {
        const double x = (double)(next_random(seed) % 2001) - 1000,
                     y = (double)(next_random(seed) % 2001) - 1000;
        const double direction = atan2(y, x);
        uint32_t at = 0;
        while (at < flat->count && atan2(flat->places[at][1], flat->places[at][0]) < direction) {
            at++;
        }
        const double *there = flat->places[at];
        if ((x == 0 && y == 0) || (at < flat->count && x * there[1] == y * there[0])) {
            continue;
        }
        memmove(flat->places[at + 1], flat->places[at], (flat->count - at) * sizeof *flat->places);
        flat->places[at][0] = x;
        flat->places[at][1] = y;
        flat->count++;
    }
}

static void random_stars_are_cut_without_overlap(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int i = 0; i < 300; i++) {
        struct flat flat;
        make_star(&seed, &flat);
        check(&flat);
    }
}

// The third corner lies beside the line of the two others by less than the rounding error of its area in doubles.
static void the_sign_of_an_area_is_exact(void **state)
{
    (void)state;
    const double e = 0x1p-53;
    const double corners[] = {0.5, 0.5, 0, 12, 12, 0, 24, 24, 0, 0.5 + 2 * e, 0.5, 0};
    uint32_t triangles[6];
    // Seen from corner 0 the two others lie in one line: no fan, but an ear at corner 2.
    assert_true(polygon_cut(corners, 4, triangles));
    for (int t = 0; t < 2; t++) {
        bool has_last = false;
        for (int k = 0; k < 3; k++) {
            has_last |= triangles[3 * t + k] == 3;
        }
        assert_true(has_last);
    }
}

static void a_convex_polygon_stays_a_fan(void **state)
{
    (void)state;
    const double corners[] = {0, 0, 0, 2, 0, 0, 3, 1, 0, 2, 2, 0, 0, 2, 0};
    const uint32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    uint32_t triangles[9];
    assert_true(polygon_cut(corners, 5, triangles));
    assert_memory_equal(triangles, fan, sizeof fan);
}

static void a_polygon_that_cannot_be_cut_becomes_a_fan(void **state)
{
    (void)state;
    const double bow[] = {0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0}, line[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
    const uint32_t fan[] = {0, 1, 2, 0, 2, 3};
    uint32_t triangles[6];
    assert_false(polygon_cut(bow, 4, triangles));
    assert_memory_equal(triangles, fan, sizeof fan);
    assert_false(polygon_cut(line, 4, triangles));
    assert_memory_equal(triangles, fan, sizeof fan);
    const uint32_t count = POLYGON_CORNERS_MAX + 1;
    double *many = calloc(3 * (size_t)count, sizeof *many);
    uint32_t *cut = calloc(3 * (size_t)count, sizeof *cut);
    assert_non_null(many);
    assert_non_null(cut);
    assert_false(polygon_cut(many, count, cut));
    assert_int_equal(cut[3 * (count - 3) + 2], count - 1);
    free(many);
    free(cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(concave_polygons_are_cut_without_overlap),
        cmocka_unit_test(random_stars_are_cut_without_overlap),
        cmocka_unit_test(the_sign_of_an_area_is_exact),
        cmocka_unit_test(a_convex_polygon_stays_a_fan),
        cmocka_unit_test(a_polygon_that_cannot_be_cut_becomes_a_fan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
