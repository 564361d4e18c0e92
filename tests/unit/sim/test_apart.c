// Edges that are told apart from triangles in lanes do not touch them, by the exact predicate, wherever they are; of a flat
// mesh, which lies in one plane, most are. Every instruction set tells the same.
#include "helper_scene.h"

#include "sim/contact/exact.h"
#include "sim/contact/search.h"
#include "sim/state/fixed.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 1 + 5 * SIM_LANES };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 2000 };
#else
enum { ROUNDS = 40000 };
#endif

static alignas(64) struct sim_row rows[ROWS];
static struct sim_crossing_candidates candidates;
static uint64_t seed;

static int32_t within(uint32_t spread)
{
    return sim_wrap_sub((int32_t)(uint32_t)((scene_random(&seed) >> 32) * spread >> 32),
                        (int32_t)(spread / 2));
}

// Some around a point that is far away or where coordinates wrap, in a box as wide as `spread` or flat along one axis.
static void make(uint32_t spread, bool flat)
{
    const int32_t from[3] = {within(UINT32_MAX), within(UINT32_MAX), within(UINT32_MAX)};
    candidates.count = 1 + (uint32_t)(within(SIM_LANES) + SIM_LANES / 2);
    for (uint32_t i = 0; i < candidates.count; i++) {
        for (uint32_t k = 0; k < 5; k++) {
            uint32_t row = 1 + 5 * i + k;
            for (int axis = 0; axis < 3; axis++) {
                int32_t at = flat && axis == 1 ? 0 : within(spread);
                rows[row].x[axis] = sim_wrap_add(from[axis], at);
            }
            candidates.at[k][i] = row * SIM_ROW_BYTES;
        }
    }
}

static uint32_t crossing(void)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < candidates.count; i++) {
        int32_t x[5][3];
        for (uint32_t k = 0; k < 5; k++) {
            memcpy(x[k], rows[candidates.at[k][i] / SIM_ROW_BYTES].x, sizeof x[k]);
        }
        lanes |= (uint32_t)sim_edge_crosses((const int32_t(*)[3])x, (const int32_t(*)[3])(x + 2)) << i;
    }
    return lanes;
}

struct told {
    uint32_t crossing, apart, all;
};

static struct told look(uint32_t spread, bool flat, uint32_t rounds)
{
    struct told told = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        make(spread, flat);
        uint32_t cross = crossing(), may = sim_crossing_sieve_of(SIM_ISA_SCALAR)(rows, &candidates);
        assert_int_equal(cross & ~may, 0);
        for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                assert_int_equal(sim_crossing_sieve_of((enum sim_isa)isa)(rows, &candidates), may);
            }
        }
        told.crossing += (uint32_t)__builtin_popcount(cross);
        told.apart += candidates.count - (uint32_t)__builtin_popcount(may);
        told.all += candidates.count;
    }
    return told;
}

static void what_crosses_is_never_told_apart(void **state)
{
    (void)state;
    static const uint32_t spreads[] = {2, 3, 5, 17, 1000, 1U << 20, 1U << 30};
    seed = 71;
    for (size_t i = 0; i < sizeof spreads / sizeof spreads[0]; i++) {
        struct told told = look(spreads[i], false, ROUNDS / 7);
        assert_true(told.crossing > told.all / 50);
        // Whole numbers of few values touch too often for much to be told.
        assert_true(spreads[i] < 1000 || told.apart > (told.all - told.crossing) * 4 / 5);
    }
}

static void what_lies_in_one_plane_is_told_apart(void **state)
{
    (void)state;
    seed = 72;
    struct told told = look(1U << 18, true, ROUNDS / 7);
    assert_true(told.apart > told.all / 4); // the others overlap, which is no crossing
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_crosses_is_never_told_apart),
        cmocka_unit_test(what_lies_in_one_plane_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
