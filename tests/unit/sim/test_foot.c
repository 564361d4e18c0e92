// The solver's distance of two features, in lanes and in double, is never more than the real one. Features that it
// leaves out of its lists cannot come close enough to matter.
#include "helper_pairs.h"
#include "helper_scene.h"

#include "sim/contact/foot.h"
#include "sim/contact/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 500 };
#else
enum { ROUNDS = 20000 };
#endif

static uint64_t seed;

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

// A batch of pairs of rows of their own, from the fifth row on.
static struct sim_row rows[4 + 4 * SIM_LANES];
static uint32_t places[4][SIM_LANES];
static double heights[SIM_LANES];

static void batch_make(enum sim_pair_kind kind)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        const double from[3] = {between(-2e9, 2e9), between(-2e9, 2e9), 2147483640};
        const double size = ldexp(1, 2 + (int)between(0, 27));
        heights[lane] = size * between(0, 0.4);
        pairs_place(&seed, kind, from, size, heights[lane], rows + 4 + 4 * (size_t)lane);
        for (uint32_t k = 0; k < 4; k++) {
            places[k][lane] = (4 + 4 * lane + k) * SIM_ROW_BYTES;
        }
    }
}

// The greatest length that differences of rows have.
static double extent_of(const double x[4][3])
{
    double extent = 1;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < k; i++) {
            extent = fmax(extent, sqrt((x[k][0] - x[i][0]) * (x[k][0] - x[i][0]) +
                                       (x[k][1] - x[i][1]) * (x[k][1] - x[i][1]) +
                                       (x[k][2] - x[i][2]) * (x[k][2] - x[i][2])));
        }
    }
    return extent;
}

// Edges that are parallel to a millionth have, in lanes, a foot somewhere along them; in double as well, from 1e-13 on.
static void no_distance_is_overrated(void **state)
{
    (void)state;
    const struct sim_contact_kernels *kernels = sim_contact_kernels_of(sim_isa_chosen());
    uint32_t close[SIM_PAIR_KINDS] = {0}, all = 0;
    double worst = 0;
    seed = 3;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const enum sim_pair_kind kind = round % 2 == 0 ? SIM_PAIR_VT : SIM_PAIR_EE;
        alignas(64) struct sim_near_lanes lanes = {.pairs = {.low = {0}}};
        struct sim_near_list near = {.lanes = &lanes, .count = SIM_LANES, .capacity = SIM_LANES};
        uint32_t active[SIM_LANES];
        batch_make(kind);
        memcpy(lanes.pairs.at, places, sizeof places);
        kernels->measure[kind](rows, &near, 0, 1, active);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const struct sim_row *of = rows + 4 + 4 * (size_t)lane;
            double apart = pairs_distance(kind, of), low = (double)lanes.pairs.low[lane], x[4][3], g[3];
            for (int k = 0; k < 4; k++) {
                for (int axis = 0; axis < 3; axis++) {
                    x[k][axis] = sim_wrap_sub(of[k].x[axis], of[0].x[axis]);
                }
            }
            worst = fmax(worst, (low - apart) / extent_of(x));
            double far = sim_foot(kind, (const double(*)[3])x, g);
            assert_true(far >= apart * (1 - 1e-9) - 1e-6); // between two points of the features
            close[kind] += low >= 0.99 * apart - 1 && far <= 1.000001 * apart + 1e-3;
            all++;
        }
    }
    assert_true(worst < 6 * 0x1p-24); // less than what the least gap is made for
    // Most are what they are said to be.
    assert_true(close[SIM_PAIR_VT] > 0.45 * all && close[SIM_PAIR_EE] > 0.45 * all);
}

// Quanta by which a row is moved when it is put on whole ones, and more.
#define ROUNDED 2.0f

// A row in its tube, k substeps after now: where its path has it, and as far from there as its slack lets it go.
static void place_in_tube(const struct sim_path *path, double k, struct sim_row *row)
{
    double off[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        off[axis] = between(-1, 1);
        length += off[axis] * off[axis];
    }
    const double far = scene_uniform(&seed) < 0.5 ? 1 : scene_uniform(&seed);
    for (int axis = 0; axis < 3; axis++) {
        double at = path->way[axis] * k + off[axis] / sqrt(length) * far * (double)(path->slack - ROUNDED);
        row->x[axis] = sim_wrap_add(row->x[axis], (int32_t)at);
    }
}

// Wherever rows are in their tubes, and whenever. What is kept is never nearer than it is said to be.
static void what_is_left_out_stays_apart(void **state)
{
    (void)state;
    enum { PLACES = 12 };
    static struct sim_path paths[4 + 4 * SIM_LANES];
    const struct sim_meet meet = {.expected = {rows, NULL}, .rest = rows, .paths = paths};
    uint32_t left_out = 0, in_reach = 0, tight = 0;
    seed = 4;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const enum sim_pair_kind kind = round % 2 == 0 ? SIM_PAIR_VT : SIM_PAIR_EE;
        struct sim_narrowed narrowed;
        batch_make(kind);
        struct sim_candidates candidates = {.reach = (float)(0.5 * heights[0]),
                                            .start = (float)(round % 7),
                                            .steps = (float)(1 + round % 5),
                                            .count = SIM_LANES};
        memcpy(candidates.at, places, sizeof places);
        for (uint32_t row = 4; row < 4 + 4 * SIM_LANES; row++) {
            const double size = heights[row / 4 - 1] * between(0, 0.5);
            for (int axis = 0; axis < 3; axis++) {
                paths[row].way[axis] = (int32_t)(size * between(-1, 1) / (double)candidates.steps);
            }
            paths[row].slack = ROUNDED + (float)(size * between(0, 0.5));
        }
        uint32_t kept = sim_narrow_of(sim_isa_chosen(), kind)(&meet, &candidates, &narrowed);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const struct sim_path *path = &paths[4 + 4 * lane];
            const uint32_t sides = kind == SIM_PAIR_VT ? 1 : 2;
            double slack[2] = {0, 0};
            bool near = false;
            for (uint32_t k = 0; k < 4; k++) {
                slack[k >= sides] = fmax(slack[k >= sides], (double)path[k].slack);
            }
            for (int place = 0; place < PLACES; place++) {
                const double after = place == 0   ? 0
                                     : place == 1 ? 1
                                                  : scene_uniform(&seed),
                             k = after * (double)candidates.steps;
                struct sim_row at[4];
                memcpy(at, rows + 4 + 4 * (size_t)lane, sizeof at);
                for (int i = 0; i < 4; i++) {
                    place_in_tube(&path[i], k, &at[i]);
                }
                const double apart = pairs_distance(kind, at);
                const double said = (double)narrowed.low[lane] +
                                    (double)narrowed.slope[lane] * ((double)candidates.start + k);
                assert_true(apart >= said - slack[0] - slack[1]);
                tight += said > 0 && apart < 1.5 * said;
                near |= apart <= (double)narrowed.reach[lane];
            }
            bool is_left = (kept >> lane & 1) == 0;
            left_out += is_left;
            in_reach += near;
            assert_false(is_left && near);
        }
    }
    assert_true(left_out > 2 * ROUNDS && in_reach > ROUNDS && tight > ROUNDS);
}

// A part of a row's way of a substep; the frame's part of it is 0.
static void place_on_way(const struct sim_row *start, const struct sim_row *end, double part,
                         struct sim_row *to)
{
    for (int axis = 0; axis < 3; axis++) {
        const double way = part * sim_wrap_sub(end->x[axis], start->x[axis]);
        to->x[axis] = sim_wrap_add(start->x[axis], (int32_t)lrint(way));
    }
}

// Pairs of which rows go some way. What is taken away stays apart by what is to be kept, wherever the rows stop.
static void what_cannot_cross_stays_apart(void **state)
{
    (void)state;
    const struct sim_contact_kernels *kernels = sim_contact_kernels_of(sim_isa_chosen());
    static struct sim_row ends[4 + 4 * SIM_LANES];
    const float floor = 24, share = 0x1p-10f;
    uint32_t taken[SIM_PAIR_KINDS] = {0}, near = 0, all = 0;
    seed = 11;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const enum sim_pair_kind kind = round % 2 == 0 ? SIM_PAIR_VT : SIM_PAIR_EE;
        alignas(64) struct sim_pair_lanes lanes = {.low = {0}};
        const struct sim_pair_list list = {.lanes = &lanes, .count = SIM_LANES, .capacity = SIM_LANES};
        const struct sim_staying staying = {.rows = ends, .starts = rows, .share = share, .floor = floor};
        uint32_t pairs[SIM_LANES];
        bool left[SIM_LANES] = {false};
        batch_make(kind);
        memcpy(lanes.at, places, sizeof places);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            pairs[lane] = lane;
            lanes.reach[lane] = (float)between(0, 1e6);
            for (uint32_t row = 4 + 4 * lane; row < 8 + 4 * lane; row++) {
                for (int axis = 0; axis < 3; axis++) {
                    const double way = between(-1, 1) * heights[lane];
                    ends[row].x[axis] = sim_wrap_add(rows[row].x[axis], (int32_t)way);
                }
            }
        }
        const uint32_t count = kernels->stay[kind](&staying, &list, pairs, SIM_LANES);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(i == 0 || pairs[i - 1] < pairs[i]);
            left[pairs[i]] = true;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            const float reach = lanes.reach[lane] * share, keep = reach > floor ? reach : floor;
            taken[kind] += !left[lane];
            all++;
            for (int trial = 0; !left[lane] && trial < 8; trial++) {
                struct sim_row stop[4];
                for (uint32_t k = 0; k < 4; k++) {
                    const double part = between(-0.5, 1.5);
                    place_on_way(&rows[4 + 4 * lane + k], &ends[4 + 4 * lane + k], fmin(fmax(part, 0), 1),
                                 &stop[k]);
                }
                const double apart = pairs_distance(kind, stop);
                assert_true(apart >= (double)keep);
                near += apart < 1.5 * (double)keep;
            }
        }
    }
    assert_true(taken[SIM_PAIR_VT] > 0.05 * all && taken[SIM_PAIR_EE] > 0.05 * all && near > ROUNDS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_cross_stays_apart),
        cmocka_unit_test(no_distance_is_overrated),
        cmocka_unit_test(what_is_left_out_stays_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
