// Signs of volumes, and edges that pass triangles: exact for any coordinates, and the same whoever is named first.
#include "helper_scene.h"
#include "helper_wide_int.h"

#include "sim/contact/exact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 4000 };
#else
enum { ROUNDS = 40000 };
#endif

static uint64_t seed;

static uint32_t below(uint32_t count)
{
    return (uint32_t)((scene_random(&seed) >> 32) * count >> 32);
}

// Points of a cube that is `bits` wide, as they are and as low words, which wrap wherever the cube lies.
struct points {
    int64_t x[5][3];
    int32_t low[5][3];
    uint32_t bits;
    int64_t from[3];
};

static int64_t any_within(const struct points *points, int axis)
{
    return points->from[axis] + (int64_t)(scene_random(&seed) >> (64 - points->bits));
}

static int64_t cut(const struct points *points, int axis, int64_t x)
{
    int64_t most = points->from[axis] + (((int64_t)1 << points->bits) - 1);
    return x < points->from[axis] ? points->from[axis] : x > most ? most : x;
}

static struct points any_points(uint32_t bits)
{
    struct points points = {.bits = bits};
    for (int axis = 0; axis < 3; axis++) {
        points.from[axis] = (int64_t)(scene_random(&seed) >> 20) - ((int64_t)1 << 43);
        for (int i = 0; i < 5; i++) {
            points.x[i][axis] = any_within(&points, axis);
        }
    }
    return points;
}

static void lower(struct points *points)
{
    for (int i = 0; i < 5; i++) {
        for (int axis = 0; axis < 3; axis++) {
            points->low[i][axis] = (int32_t)(uint32_t)(uint64_t)points->x[i][axis];
        }
    }
}

// Point `to` goes to a place that others span: a corner, on a side, in their plane, or a quantum beside it.
static void align(struct points *points, int to, int a, int b, int c)
{
    const uint32_t of = 1U << below(5), s = below(of + 1), t = below(of + 1 - s), by = below(4);
    for (int axis = 0; axis < 3; axis++) {
        int64_t u = points->x[b][axis] - points->x[a][axis], v = points->x[c][axis] - points->x[a][axis];
        // Whole parts of both ways, where these are so that they can be had.
        int64_t x = points->x[a][axis] + (u * s + (by == 0 ? 0 : v * t)) / (int64_t)of;
        points->x[to][axis] = cut(points, axis, x + (by == 3 ? (int64_t)below(3) - 1 : 0));
    }
}

// Sides that 16 divides, so that what align() comes to is in the plane.
static void coarsen(struct points *points)
{
    for (int i = 1; i < 5; i++) {
        for (int axis = 0; axis < 3; axis++) {
            int64_t way = points->x[i][axis] - points->x[0][axis];
            points->x[i][axis] = points->x[0][axis] + way / 16 * 16;
        }
    }
}

static struct points drawn(uint32_t round)
{
    struct points points = any_points(1 + round % 31);
    switch (below(6)) {
    case 0:
        coarsen(&points);
        align(&points, 0, 2, 3, 4); // an end of the edge on the triangle
        break;
    case 1:
        coarsen(&points);
        align(&points, 2, 0, 1, 3); // a corner on the edge or in a plane with it
        break;
    case 2:
        align(&points, 1, 0, 2, 3); // the edge by a corner, roughly
        break;
    case 3:
        coarsen(&points);
        align(&points, 4, 2, 3, 3); // a triangle without an area, or nearly
        break;
    case 4:
        coarsen(&points);
        align(&points, 0, 2, 3, 4);
        align(&points, 1, 2, 3, 4); // all of it in one plane, or nearly
        break;
    default:
        break;
    }
    lower(&points);
    return points;
}

// ------------------------------------------------------------------------------------------------ orientation

static int orientation(const struct points *points, const int order[4])
{
    return sim_orientation(points->low[order[0]], points->low[order[1]], points->low[order[2]],
                           points->low[order[3]]);
}

static void signs_of_volumes_are_exact_in_any_order(void **state)
{
    (void)state;
    uint32_t seen[3] = {0};
    seed = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct points points = drawn(round);
        int expected = wide_int_orientation((const int64_t(*)[3])points.x), swapped = 0;
        int order[4] = {0, 1, 2, 3};
        assert_int_equal(orientation(&points, order), expected);
        // 24 orders by swaps of neighbours, each of which turns the sign round.
        for (int i = 0; i < 24; i++) {
            int at = i % 6 < 3 ? i % 6 : 5 - i % 6, first = order[at % 3];
            order[at % 3] = order[at % 3 + 1];
            order[at % 3 + 1] = first;
            swapped = !swapped;
            assert_int_equal(orientation(&points, order), swapped ? -expected : expected);
        }
        seen[expected + 1]++;
    }
    for (int i = 0; i < 3; i++) {
        assert_true(seen[i] > ROUNDS / 20);
    }
}

// --------------------------------------------------------------------------------------------------- crossing

static bool crosses(const struct points *points, bool turned, int first, bool mirrored)
{
    int32_t edge[2][3], triangle[3][3];
    for (int k = 0; k < 2; k++) {
        memcpy(edge[k], points->low[turned ? 1 - k : k], sizeof edge[0]);
    }
    for (int k = 0; k < 3; k++) {
        memcpy(triangle[k], points->low[2 + (first + (mirrored ? 3 - k : k)) % 3], sizeof triangle[0]);
    }
    return sim_edge_crosses((const int32_t(*)[3])edge, (const int32_t(*)[3])triangle);
}

static void edges_pass_triangles_exactly_whoever_is_named_first(void **state)
{
    (void)state;
    uint32_t passes = 0, touches = 0, misses = 0;
    seed = 2;
    for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
        struct points points = drawn(round);
        const int64_t(*x)[3] = (const int64_t(*)[3])points.x;
        bool expected = wide_int_edge_crosses(x, x + 2) != 0, touch = false;
        for (int first = 0; first < 3; first++) {
            for (int way = 0; way < 4; way++) {
                assert_int_equal(crosses(&points, way & 1, first, way >> 1), expected);
            }
            const int64_t side[4][3] = {
                {x[0][0], x[0][1], x[0][2]},
                {x[1][0], x[1][1], x[1][2]},
                {x[2 + first][0], x[2 + first][1], x[2 + first][2]},
                {x[2 + (first + 1) % 3][0], x[2 + (first + 1) % 3][1], x[2 + (first + 1) % 3][2]}};
            touch |= wide_int_orientation(side) == 0;
        }
        passes += expected && !touch;
        touches += expected && touch;
        misses += !expected;
    }
    assert_true(passes > ROUNDS / 20);
    assert_true(touches > ROUNDS / 20);
    assert_true(misses > ROUNDS / 2);
}

// The header's rule for cases that another rule could decide otherwise.
static void borders_belong_to_the_triangle_and_its_plane_does_not(void **state)
{
    (void)state;
    static const int32_t triangle[3][3] = {{0, 0, 0}, {100, 0, 0}, {0, 100, 0}};
    static const struct {
        int32_t edge[2][3];
        bool crosses;
    } cases[] = {
        {{{20, 20, -1}, {20, 20, 1}}, true},   // through it
        {{{20, 20, 0}, {20, 20, 50}}, true},   // from it
        {{{50, 0, -7}, {50, 0, 7}}, true},     // through a side
        {{{0, 0, 0}, {-30, -30, 9}}, true},    // from a corner
        {{{50, 50, 0}, {90, 90, 1}}, true},    // from the longest side, outwards
        {{{-1, 0, -7}, {-1, 0, 7}}, false},    // a quantum beside it
        {{{51, 50, -7}, {51, 50, 7}}, false},  // beside the longest side
        {{{20, 20, 1}, {20, 20, 50}}, false},  // above it
        {{{10, 10, 0}, {30, 30, 0}}, false},   // in it
        {{{-10, 10, 0}, {130, 10, 0}}, false}, // across it, in its plane
        {{{20, 20, 0}, {20, 20, 0}}, false},   // a point of it
        {{{INT32_MIN / 2 + 100, 20, -1}, {INT32_MAX / 2, 21, 1}}, true},
        {{{20, 20, INT32_MIN / 2}, {20, 20, INT32_MAX / 2}}, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(sim_edge_crosses(cases[i].edge, triangle), cases[i].crosses);
    }
    static const int32_t flat[3][3] = {{0, 0, 0}, {100, 0, 0}, {50, 0, 0}},
                         edge[2][3] = {{50, 0, -1}, {50, 0, 1}};
    assert_false(sim_edge_crosses(edge, flat));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_of_volumes_are_exact_in_any_order),
        cmocka_unit_test(edges_pass_triangles_exactly_whoever_is_named_first),
        cmocka_unit_test(borders_belong_to_the_triangle_and_its_plane_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
