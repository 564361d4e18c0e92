// Welding: what a comparison of all with all says, and in time that no mesh can stretch.
#include "sim/body/mesh.h"
#include "sim/ground/ground.h"
#include "sim/state/state.h"

#include "helper_growth.h"
#include "helper_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The definition: the least kept vertex within the distance, or one more that is kept.
static uint32_t weld_all_with_all(const double *x, uint32_t count, double distance, uint32_t *welded)
{
    uint32_t kept = 0, *given = malloc(count * sizeof *given);
    for (uint32_t i = 0; i < count; i++) {
        welded[i] = UINT32_MAX;
        for (uint32_t k = 0; k < kept && welded[i] == UINT32_MAX; k++) {
            double d[3];
            for (int axis = 0; axis < 3; axis++) {
                d[axis] = x[3 * i + (uint32_t)axis] - x[3 * given[k] + (uint32_t)axis];
            }
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= distance * distance) {
                welded[i] = k;
            }
        }
        if (welded[i] == UINT32_MAX) {
            given[kept] = i;
            welded[i] = kept++;
        }
    }
    free(given);
    return kept;
}

static void welds_are_those_of_all_compared_with_all(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    static double x[3 * COUNT];
    static uint32_t welded[COUNT], expected[COUNT];
    static const double distances[] = {0,    1e-300, 1e-162, 1e-161, 1e-12, 3e-10, 1e-8,
                                       9e-7, 1e-6,   1.5e-6, 1e-3,   0.1,   1};
    uint64_t random = 1;
    for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
        for (int round = 0; round < 24; round++) {
            // Small and large, near the origin and far out, on a lattice so that many are the same, negative zeros.
            double unit = distances[d] > 0 && round % 2 == 0 ? distances[d] * 0.4 : pow(10, -9 + round % 12);
            double far = round % 3 == 0 ? 0 : round % 3 == 1 ? 1e3 : -1e6;
            unit = round % 5 == 4 ? 1e-162 : unit;
            for (int i = 0; i < 3 * COUNT; i++) {
                double at = (double)(scene_random(&random) % 9) - 4;
                x[i] = far + unit * (round % 4 < 2 ? at : at * scene_uniform(&random));
                x[i] = x[i] == 0 && i % 2 == 0 ? -0.0 : x[i];
            }
            uint32_t kept = UINT32_MAX;
            assert_true(sim_mesh_weld(x, COUNT, distances[d], welded, &kept));
            assert_int_equal(kept, weld_all_with_all(x, COUNT, distances[d], expected));
            assert_memory_equal(welded, expected, sizeof welded);
        }
    }
}

static void equal_records_are_found_whether_or_not_they_collide(void **state)
{
    (void)state;
    // Multiplied by the inverse of the hash's factor these would all fall into few places.
    enum { COUNT = 3000 };
    static uint32_t records[COUNT][3], first[COUNT];
    uint64_t random = 2;
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                records[i][k] = (uint32_t)(scene_random(&random) % (round < 2 ? 14 : UINT32_MAX));
            }
        }
        assert_true(sim_first_equal(records, sizeof records[0], COUNT, first));
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t same = 0;
            while (memcmp(records[same], records[i], sizeof records[0]) != 0) {
                same++;
            }
            assert_int_equal(first[i], same);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------
// Time

struct points {
    double *x;
    double distance;
    uint32_t *welded;
};

static struct points *points_create(uint32_t count, double distance)
{
    struct points *points = malloc(sizeof *points);
    *points = (struct points){malloc(count * 3 * sizeof(double)), distance, malloc(count * sizeof(uint32_t))};
    return points;
}

static void points_destroy(void *made)
{
    struct points *points = made;
    free(points->x);
    free(points->welded);
    free(points);
}

static void weld(void *made, uint32_t count)
{
    struct points *points = made;
    uint32_t kept;
    assert_true(sim_mesh_weld(points->x, count, points->distance, points->welded, &kept));
}

// All different, all within a micrometre, within a picometre, or on one line.
static void *make_close(uint32_t count)
{
    struct points *points = points_create(count, 0);
    uint64_t random = 3;
    for (uint32_t i = 0; i < 3 * count; i++) {
        points->x[i] = 1e-6 * scene_uniform(&random);
    }
    return points;
}

static void *make_closest(uint32_t count)
{
    struct points *points = points_create(count, 1e-30);
    uint64_t random = 4;
    for (uint32_t i = 0; i < 3 * count; i++) {
        points->x[i] = i % 3 == 1 ? 1e-12 * scene_uniform(&random) : 0.5;
    }
    return points;
}

// As dense as those that are kept can be.
static void *make_dense(uint32_t count)
{
    struct points *points = points_create(count, 1e-3);
    uint64_t random = 5;
    double side = 1.2e-3 * cbrt(count);
    for (uint32_t i = 0; i < 3 * count; i++) {
        points->x[i] = side * scene_uniform(&random);
    }
    return points;
}

static void no_mesh_makes_welding_slow(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_close, weld, points_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_closest, weld, points_destroy}, 8000);
    growth_assert_gentle(&(struct growth){make_dense, weld, points_destroy}, 8000);
}

// Records of two words whose hashes in equal.c end in the same bits, made as an attacker would. After the first word
// the hash is h; the second is h's lower half with v in it, so that with the factor K the end of the hash is
//
//     low(v K) ^ (high(v K) + low(high(h) K))
//
// which is 0 where low(v K) - high(v K), known for many v, meets low(high(h) K).
enum { BITS = 20, TRIALS = 1 << 22 };

static void *make_colliding(uint32_t count)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t mask = (1u << BITS) - 1;
    uint32_t *records = malloc((size_t)count * 3 * sizeof *records), found = 0;
    uint32_t *met = calloc((size_t)mask + 1, sizeof *met);
    for (uint32_t v = 1; v < TRIALS; v++) {
        uint64_t product = v * factor;
        met[((uint32_t)product - (uint32_t)(product >> 32)) & mask] = v;
    }
    for (uint32_t a = 0; found < count; a++) {
        uint64_t h = a * factor;
        h ^= h >> 32;
        uint32_t v = met[(uint32_t)((h >> 32) * factor) & mask];
        if (v != 0) {
            records[2 * found] = a;
            records[2 * found++ + 1] = v ^ (uint32_t)h;
        }
    }
    free(met);
    return records;
}

static void find_equal(void *made, uint32_t count)
{
    uint32_t *records = made;
    assert_true(sim_first_equal(records, 2 * sizeof *records, count, records + (size_t)2 * count));
}

static void records_that_collide_are_found_by_sorting(void **state)
{
    (void)state;
    growth_assert_gentle(&(struct growth){make_colliding, find_equal, free}, 8000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welds_are_those_of_all_compared_with_all),
        cmocka_unit_test(equal_records_are_found_whether_or_not_they_collide),
        cmocka_unit_test(no_mesh_makes_welding_slow),
        cmocka_unit_test(records_that_collide_are_found_by_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
