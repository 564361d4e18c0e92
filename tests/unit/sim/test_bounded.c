// A substep that pushes again measures only the pairs that may touch, by bounds of their distances. It finds the same pairs to push
// as measuring all that are near, on pairs made by hand whose rows go on twice.
#include "helper_pairs.h"
#include "helper_scene.h"

#include "sim/contact/contact.h"

#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BATCHES = 12, PAIRS = BATCHES * SIM_LANES, ROWS = 4 + 4 * PAIRS, ROUNDS = 60, MOVES = 3 };

// Pairs of one kind, at MOVES moments.
static struct {
    alignas(64) struct sim_row rows[MOVES][ROWS];
    alignas(64) struct sim_pair_lanes lanes[BATCHES];
    struct sim_pair_rest rest[BATCHES];
    struct sim_pair_list list;
} made;

// The results of one instruction set.
struct found {
    alignas(64) struct sim_near_lanes near_lanes[BATCHES + 1];
    float bounds[PAIRS];
    uint32_t near, picked, active_count, active[PAIRS]; // pairs, by their index
};

static uint64_t seed;

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

static void make(enum sim_pair_kind kind)
{
    memset(&made, 0, sizeof made);
    made.list = (struct sim_pair_list){.lanes = made.lanes, .rest = made.rest, .capacity = PAIRS};
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t first = 4 + 4 * i;
        const double from[3] = {between(-2e9, 2e9), between(-1e9, 1e9), 2147483640};
        const double size = ldexp(1, 17 + (int)(i % 6)), height = size * between(0.01, 0.4);
        pairs_place(&seed, kind, from, size, height, made.rows[0] + first);
        const double apart = pairs_distance(kind, made.rows[0] + first);
        struct sim_pair pair = {.reach = (float)(height * between(0.3, 1.2)),
                                .low = (float)(apart * between(0.1, 0.999)),
                                .owns = SIM_PAIR_OWNS};
        for (uint32_t k = 0; k < 4; k++) {
            pair.at[k] = (first + k) * SIM_ROW_BYTES;
            for (uint32_t move = 1; move < MOVES; move++) {
                const double way = height * (i % 3 == 0 ? 0.5 : 0.02);
                made.rows[move][first + k] = made.rows[move - 1][first + k];
                for (int axis = 0; axis < 3; axis++) {
                    int32_t *x = &made.rows[move][first + k].x[axis];
                    *x = sim_wrap_add(*x, (int32_t)between(-way, way));
                }
            }
        }
        assert_int_equal(sim_pairs_add(&made.list, &pair), i);
    }
}

static void measure(const struct sim_contact_kernels *kernels, enum sim_pair_kind kind, uint32_t move,
                    struct sim_near_list *near, struct found *found)
{
    found->near = near->count;
    found->active_count =
        kernels->measure[kind](made.rows[move], near, 0, sim_pair_batches(near->count), found->active);
    for (uint32_t i = 0; i < found->active_count; i++) {
        found->active[i] = near->lanes[found->active[i] / SIM_LANES].pair[found->active[i] % SIM_LANES];
    }
}

static void ways_find(const struct sim_contact_kernels *kernels, uint32_t from, uint32_t to, float ways[ROWS])
{
    const struct sim_ways between = {.end_from = made.rows[from], .ends = made.rows[to]};
    memset(ways, 0, 4 * sizeof *ways);
    kernels->ways(&between, 4, ROWS - 4, ways);
}

static struct sim_sieve sieve_of(const float ways[ROWS])
{
    return (struct sim_sieve){.ways = ways, .share = 1.02f, .floor = 1000};
}

static void scan_all(const struct sim_contact_kernels *kernels, enum sim_pair_kind kind, uint32_t move,
                     struct found *found)
{
    float ways[ROWS];
    ways_find(kernels, 0, move, ways);
    const struct sim_sieve sieve = sieve_of(ways);
    struct sim_near_list near = {.lanes = found->near_lanes, .capacity = PAIRS};
    kernels->scan[kind](&made.list, 0, BATCHES, &sieve, &near);
    measure(kernels, kind, move, &near, found);
    found->picked = near.count;
    if (move == 0) {
        kernels->bound[kind](&made.list, 0, BATCHES, &sieve, found->bounds);
    }
}

// Measured distances are bounds from then on.
static void remember(const struct sim_near_list *near, struct found *found)
{
    for (uint32_t i = 0; i < near->count; i++) {
        const struct sim_near_lanes *lanes = &near->lanes[i / SIM_LANES];
        found->bounds[lanes->pair[i % SIM_LANES]] = lanes->pairs.low[i % SIM_LANES];
    }
}

static void scan_bounded(const struct sim_contact_kernels *kernels, enum sim_pair_kind kind, uint32_t move,
                         struct found *found)
{
    float ways[ROWS], moved[ROWS];
    ways_find(kernels, 0, move, ways);
    ways_find(kernels, move - 1, move, moved);
    const struct sim_sieve sieve = sieve_of(ways);
    const struct sim_bounded bounded = {.bounds = found->bounds, .ways = moved, .share = 1.08f, .wrong = 4};
    struct sim_near_list near = {.lanes = found->near_lanes, .capacity = PAIRS};
    found->picked = kernels->scan_bounded[kind](&made.list, 0, BATCHES, &sieve, &bounded, &near);
    measure(kernels, kind, move, &near, found);
    remember(&near, found);
}

static void what_touches_is_found_by_bounds(void **state)
{
    (void)state;
    static struct found all, some, wide[SIM_ISA_COUNT];
    uint32_t picked = 0, measured = 0, active = 0;
    for (uint32_t round = 0; round < 2 * ROUNDS; round++) {
        const enum sim_pair_kind kind = round % 2 == 0 ? SIM_PAIR_VT : SIM_PAIR_EE;
        const struct sim_contact_kernels *scalar = sim_contact_kernels_of(SIM_ISA_SCALAR);
        seed = 500 + round;
        make(kind);
        memset(&some, 0, sizeof some);
        scan_all(scalar, kind, 0, &some);
        remember(&(struct sim_near_list){.lanes = some.near_lanes, .count = some.near}, &some);
        for (int isa = 0; isa < SIM_ISA_COUNT; isa++) {
            wide[isa] = some;
        }
        for (uint32_t move = 1; move < MOVES; move++) {
            scan_all(scalar, kind, move, &all);
            scan_bounded(scalar, kind, move, &some);
            assert_int_equal(some.picked, all.picked);
            assert_int_equal(some.active_count, all.active_count);
            assert_memory_equal(some.active, all.active, all.active_count * sizeof *all.active);
            for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
                if (sim_isa_available((enum sim_isa)isa)) {
                    scan_bounded(sim_contact_kernels_of((enum sim_isa)isa), kind, move, &wide[isa]);
                    assert_int_equal(wide[isa].picked, some.picked);
                    assert_int_equal(wide[isa].near, some.near);
                    assert_memory_equal(wide[isa].bounds, some.bounds, sizeof some.bounds);
                    assert_memory_equal(wide[isa].active, some.active,
                                        some.active_count * sizeof *some.active);
                }
            }
            picked += all.picked;
            measured += some.near;
            active += all.active_count;
        }
    }
    assert_true(active > 20 * ROUNDS && measured > active && 10 * measured < 9 * picked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_touches_is_found_by_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
