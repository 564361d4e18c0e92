// Contact in lanes: every instruction set comes to the bits of the scalar twin, on pairs made by hand whose closest points
// lie in each region of a triangle and of two edges, and on such as have no direction or no area.
#include "helper_pairs.h"
#include "helper_scene.h"

#include "sim/contact/search.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum {
    PAIRS = 480, // of each kind; not a whole number of batches are near
    BATCHES = PAIRS / SIM_LANES,
    ROWS = 4 + 2 * 4 * PAIRS,
    SLIPS = 2 * PAIRS,
    PUSHED = SIM_PUSH_STACKS + 2 * PAIRS / SIM_LANES,
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS = 30 };
#else
enum { ROUNDS = 350 }; // a third of a million pairs
#endif

// All that the kernels read and write.
struct matter {
    alignas(64) struct sim_row rows[ROWS], starts[ROWS], detected[ROWS];
    struct sim_path paths[ROWS];
    alignas(64) struct sim_pair_lanes lanes[SIM_PAIR_KINDS][BATCHES];
    alignas(64) struct sim_pair_rest rest[SIM_PAIR_KINDS][BATCHES];
    alignas(64) struct sim_near_lanes near_lanes[SIM_PAIR_KINDS][BATCHES + 1];
    alignas(64) struct sim_push_lanes pushed[PUSHED];
    struct sim_pair_list lists[SIM_PAIR_KINDS];
    struct sim_near_list near[SIM_PAIR_KINDS];
    uint32_t active[SIM_PAIR_KINDS][PAIRS], active_count[SIM_PAIR_KINDS];
    uint32_t sifted[SIM_PAIR_KINDS][3][PAIRS], sifted_count[SIM_PAIR_KINDS][3]; // near, all, that may cross
    float ways[ROWS], greatest;
    uint8_t dirty[ROWS + 3];
    uint32_t dirty_lanes[SIM_PAIR_KINDS][BATCHES];
    struct sim_tethered tethered[ROWS];
    bool has_tethers;
    uint64_t used[ROWS][2];
    alignas(64) struct sim_slip slips[SLIPS];
    uint32_t batch_count;
};
static struct matter made, scalar, wide;
static struct sim_row resting[ROWS]; // where pairs are narrowed: rows at rest
static uint64_t seed;
static uint32_t regions[SIM_PAIR_KINDS][PAIRS_REGIONS];

static uint32_t below(uint32_t count)
{
    return (uint32_t)((scene_random(&seed) >> 32) * count >> 32);
}

static double between(double least, double most)
{
    return least + (most - least) * scene_uniform(&seed);
}

// ---------------------------------------------------------------------------------------------------- making

static void rows_make(uint32_t first_row, double way)
{
    for (uint32_t row = first_row; row < first_row + 4; row++) {
        made.rows[row].w = below(6) == 0 ? 0 : (float)pow(10, between(-3, 4));
        made.starts[row].w = made.detected[row].w = made.rows[row].w;
        for (int axis = 0; axis < 3; axis++) {
            made.starts[row].x[axis] = sim_wrap_sub(made.rows[row].x[axis], (int32_t)between(-way, way));
            made.detected[row].x[axis] = sim_wrap_sub(made.starts[row].x[axis], (int32_t)between(-way, way));
        }
    }
}

static void touch(struct sim_pair_colors *colors, enum sim_pair_kind kind, uint32_t i, double height)
{
    const float holds = below(4) == 0 ? 0 : (float)between(0, 1.5);
    sim_pair_touches(colors, &made.lists[kind], made.rows, i,
                     (struct sim_rubs){holds, i % 3 == 0 ? holds * (float)(i % 5) / 5 : holds});
    struct sim_slip *slip = &made.slips[made.rest[kind][i / SIM_LANES].slip[i % SIM_LANES]];
    assert_true(slip->limit == 0 && slip->slip[0] == 0 && slip->slip[1] == 0 && slip->slip[2] == 0);
    slip->limit = (float)(height * between(0, 2));
    for (int axis = 0; axis < 3; axis++) {
        slip->slip[axis] = below(2) == 0 ? 0 : (float)between(-height, height);
    }
}

// A pair of rows of its own, or of those that others have: so many have the first one's that colours run out.
static void pair_make(struct sim_pair_colors *colors, enum sim_pair_kind kind, uint32_t i)
{
    const uint32_t first_row = 4 + 4 * (kind * PAIRS + i);
    const double from[3] = {between(-2e9, 2e9), between(-1e9, 1e9), below(2) == 0 ? 0 : 2147483640};
    const double size = ldexp(1, 2 + (int)below(27)), height = below(8) == 0 ? 0 : size * between(0, 0.4);
    regions[kind][pairs_place(&seed, kind, from, size, height, made.rows + first_row)]++;
    rows_make(first_row, below(3) == 0 ? 2 * height : 0.1 * height);
    struct sim_pair pair = {.reach = (float)(height * between(0.8, 3) + below(2000)),
                            .low = (float)(height * between(0.5, 1)),
                            .slope = below(2) == 0 ? 0 : (float)(height * between(-0.1, 0.1)),
                            .owns = below(SIM_PAIR_OWNS + 1)};
    bool strangers = below(12) == 0, twin = below(3) == 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t other = twin ? 0 : strangers && i > 0 ? below(i) : i;
        pair.at[k] = (4 + 4 * (kind * PAIRS + other) + k) * SIM_ROW_BYTES;
    }
    uint32_t at = sim_pairs_add(&made.lists[kind], &pair);
    assert_int_equal(at, i);
    assert_int_equal(sim_pair_color(made.rest[kind][i / SIM_LANES].tag[i % SIM_LANES]), SIM_PAIR_UNCOLORED);
    if (below(50) > 0) { // the others have never touched
        touch(colors, kind, i, height);
    }
}

// Tethers of rows that may move, to rows that may not, most of them about taut.
static void tethers_make(void)
{
    uint32_t held[ROWS], held_count = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        if (!(made.rows[row].w > 0)) {
            held[held_count++] = row;
        }
    }
    for (uint32_t row = 4; row < ROWS; row++) {
        for (uint32_t k = 0, count = below(SIM_TETHERS_MAX + 1); k < count; k++) {
            const struct sim_row *one = &made.rows[row], *other = &made.rows[held[below(held_count)]];
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                square += pow((double)sim_wrap_sub(one->x[axis], other->x[axis]), 2);
            }
            made.tethered[row].anchors[k] = (uint32_t)(other - made.rows) * SIM_ROW_BYTES;
            made.tethered[row].lengths[k] = (float)(sqrt(square) * between(0.9, 1.03));
        }
    }
}

static void matter_link(struct matter *matter)
{
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        matter->lists[kind].lanes = matter->lanes[kind];
        matter->lists[kind].rest = matter->rest[kind];
        matter->near[kind].lanes = matter->near_lanes[kind];
    }
}

static void make(void)
{
    memset(&made, 0, sizeof made);
    matter_link(&made);
    struct sim_pair_colors colors = {.used = made.used, .slips = {.items = made.slips, .capacity = SLIPS}};
    for (uint32_t kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        made.lists[kind].capacity = made.near[kind].capacity = PAIRS;
        for (uint32_t i = 0; i < PAIRS - below(SIM_LANES); i++) {
            pair_make(&colors, (enum sim_pair_kind)kind, i);
        }
        uint8_t dirty[ROWS + 3] = {0};
        for (int i = 0; i < 20; i++) { // whose pairs are holes then
            dirty[4 + 4 * kind * PAIRS + below(4 * PAIRS)] = 1;
        }
        uint32_t out[PAIRS];
        const struct sim_dropped dropped =
            sim_pairs_drop(sim_contact_kernels_of(SIM_ISA_SCALAR), &made.lists[kind], 0, BATCHES, dirty, out);
        sim_pairs_dropped(&made.lists[kind], &dropped);
        for (uint32_t i = 0; i < dropped.colored; i++) {
            sim_pair_drop(&colors, &made.lists[kind], made.rows, out[i]);
        }
        assert_int_equal(made.lists[kind].holes, dropped.holes + dropped.colored);
        assert_true(kind > 0 || colors.slips.free > 0);
        for (uint32_t i = 0; i < made.lists[kind].count; i++) {
            if (!sim_pair_is_hole(&made.lists[kind], i) &&
                sim_pair_color(made.rest[kind][i / SIM_LANES].tag[i % SIM_LANES]) == SIM_PAIR_UNCOLORED) {
                touch(&colors, (enum sim_pair_kind)kind, i, below(1000));
            }
        }
    }
    for (uint32_t row = 1; row < ROWS; row++) {
        made.dirty[row] = row % 7 == 0 ? (uint8_t)(1 + row % 255) : 0;
    }
}

// --------------------------------------------------------------------------------------------------- running

// Near pairs are dealt in two hands: the first batches, and the rest.
static uint32_t deal(struct matter *m, enum sim_pair_kind kind)
{
    enum { FIRST = 7 * SIM_LANES };
    uint32_t first = 0, rest[PAIRS];
    while (first < m->active_count[kind] && m->active[kind][first] < FIRST) {
        first++;
    }
    for (uint32_t i = first; i < m->active_count[kind]; i++) {
        rest[i - first] = m->active[kind][i] - FIRST;
    }
    const struct sim_push_hand hands[2] = {{m->near_lanes[kind], m->active[kind], first},
                                           {m->near_lanes[kind] + 7, rest, m->active_count[kind] - first}};
    return sim_push_deal(&m->lists[kind], m->slips, kind, hands, 2, m->pushed + m->batch_count,
                         PUSHED - m->batch_count);
}

static void run(const struct sim_contact_kernels *kernels, struct matter *m)
{
    const struct sim_ways ways = {.start_from = m->detected,
                                  .end_from = m->starts,
                                  .starts = m->starts,
                                  .ends = m->rows,
                                  .start_frame = {7, -3, 0},
                                  .end_frame = {-100, 3, 11}};
    const struct sim_sieve sieve = {.ways = m->ways, .share = 1.02f, .floor = 1000, .since = 3, .until = 3},
                           narrow = {.ways = m->ways, .share = 0x1p-3f, .floor = 24, .since = 2, .until = 3};
    const struct sim_staying staying = {
        .rows = m->rows, .starts = m->starts, .frame = {5, 0, -80}, .share = 0x1p-10f, .floor = 24};
    struct sim_push_times times = {.beta = 0.2f,
                                   .v_out = 5000,
                                   .seed = (uint32_t)seed,
                                   .turn = 77,
                                   .tethered = m->has_tethers ? m->tethered : NULL,
                                   .slides = true};
    const uint32_t end = BATCHES;
    m->batch_count = 0;
    matter_link(m);
    m->greatest = kernels->ways(&ways, 4, ROWS - 7, m->ways);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        kernels->scan[kind](&m->lists[kind], 0, end, &sieve, &m->near[kind]);
        for (uint32_t b = 0; b < BATCHES; b++) {
            m->dirty_lanes[kind][b] = kernels->dirty(&m->lists[kind].lanes[b], m->dirty);
        }
        uint32_t batches = (m->near[kind].count + SIM_LANES - 1) / SIM_LANES;
        m->active_count[kind] = kernels->measure[kind](m->rows, &m->near[kind], 0, batches, m->active[kind]);
        m->sifted_count[kind][0] =
            kernels->sift_near[kind](&m->near[kind], 0, batches, &narrow, m->sifted[kind][0]);
        m->sifted_count[kind][1] =
            kernels->sift_all[kind](&m->lists[kind], 0, end, &narrow, m->sifted[kind][1]);
        m->sifted_count[kind][2] = m->sifted_count[kind][1];
        memcpy(m->sifted[kind][2], m->sifted[kind][1], sizeof m->sifted[kind][1]);
        m->sifted_count[kind][2] =
            kernels->stay[kind](&staying, &m->lists[kind], m->sifted[kind][2], m->sifted_count[kind][2]);
        m->batch_count += deal(m, (enum sim_pair_kind)kind);
    }
    for (int pass = 0; pass < 2; pass++) {
        times.keeps = pass == 1;
        kernels->push(m->rows, m->starts, m->pushed, 0, m->batch_count, &times);
    }
    kernels->remember(m->rows, m->starts, m->pushed, 0, m->batch_count, m->slips);
}

// Rows that end elsewhere because of tethers.
static uint32_t pushes_that_tethers_change(void)
{
    uint32_t changed = 0;
    scalar = wide = made;
    scalar.has_tethers = false;
    run(sim_contact_kernels_of(SIM_ISA_SCALAR), &scalar);
    run(sim_contact_kernels_of(SIM_ISA_SCALAR), &wide);
    for (uint32_t row = 0; row < ROWS; row++) {
        changed += memcmp(&scalar.rows[row], &wide.rows[row], sizeof made.rows[row]) != 0;
    }
    return changed;
}

static void same_bytes(const char *what, const void *one, const void *other, size_t size, enum sim_isa isa)
{
    for (size_t i = 0; i < size; i++) {
        if (((const char *)one)[i] != ((const char *)other)[i]) {
            fail_msg("%s: %s differ from byte %zu on", sim_isa_name(isa), what, i);
        }
    }
}

// Lanes after the last pair hold nothing.
static void forget_past_the_last(struct matter *m)
{
    for (uint32_t b = 0; b < m->batch_count; b++) {
        struct sim_push_lanes *batch = &m->pushed[b];
        for (uint32_t lane = batch->count; lane < SIM_LANES; lane++) {
            batch->hold[lane] = 0;
            for (int k = 0; k < 3; k++) {
                batch->foot[k][lane] = batch->normal[k][lane] = 0;
            }
        }
    }
}

#define SAME(field) same_bytes(#field, scalar.field, wide.field, sizeof scalar.field, isa)

static void same_matter(enum sim_isa isa)
{
    SAME(rows);
    SAME(starts);
    SAME(lanes);
    SAME(rest);
    SAME(slips);
    SAME(near_lanes);
    forget_past_the_last(&wide);
    SAME(pushed);
    SAME(active);
    SAME(sifted);
    SAME(ways);
    SAME(dirty_lanes);
    assert_memory_equal(scalar.active_count, wide.active_count, sizeof wide.active_count);
    assert_memory_equal(scalar.sifted_count, wide.sifted_count, sizeof wide.sifted_count);
    assert_memory_equal(&scalar.greatest, &wide.greatest, sizeof wide.greatest);
    for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
        assert_int_equal(scalar.near[kind].count, wide.near[kind].count);
    }
}

// The results of a push are finite, and its closest points are within the features.
static void feet_are_within(const struct matter *m)
{
    for (uint32_t b = 0; b < m->batch_count; b++) {
        const struct sim_push_lanes *batch = &m->pushed[b];
        for (uint32_t lane = 0; lane < batch->count; lane++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                sum += (double)batch->foot[k][lane];
                assert_true(fabsf(batch->foot[k][lane]) <= 1 && fabsf(batch->normal[k][lane]) <= 1.0001f);
            }
            assert_true(batch->kind == SIM_PAIR_EE || fabs(sum + 1) < 1e-5);
        }
    }
}

static void pairs_are_measured_and_pushed_alike(void **state)
{
    (void)state;
    uint64_t near = 0, active = 0, sifted = 0, crossing = 0, moved = 0, serial = 0, resisted = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = 1000 + round;
        make();
        made.has_tethers = round % 2 != 0;
        tethers_make();
        if (made.has_tethers) {
            resisted += pushes_that_tethers_change();
        }
        scalar = made;
        run(sim_contact_kernels_of(SIM_ISA_SCALAR), &scalar);
        forget_past_the_last(&scalar);
        feet_are_within(&scalar);
        for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
            if (sim_isa_available((enum sim_isa)isa)) {
                wide = made;
                run(sim_contact_kernels_of((enum sim_isa)isa), &wide);
                same_matter((enum sim_isa)isa);
            }
        }
        for (int kind = 0; kind < SIM_PAIR_KINDS; kind++) {
            near += scalar.near[kind].count;
            active += scalar.active_count[kind];
            sifted += scalar.sifted_count[kind][0] + scalar.sifted_count[kind][1];
            crossing += scalar.sifted_count[kind][2];
        }
        for (uint32_t b = 0; b < scalar.batch_count; b++) {
            serial += scalar.pushed[b].color == SIM_PAIR_SERIAL ? scalar.pushed[b].count : 0;
        }
        for (uint32_t row = 0; row < ROWS; row++) {
            bool went = memcmp(&scalar.rows[row], &made.rows[row], sizeof made.rows[row]) != 0;
            assert_true(!went || made.rows[row].w > 0);
            moved += went;
        }
    }
    assert_true(crossing > 20 * ROUNDS && 10 * crossing < 9 * sifted);
    assert_true(near > 500 * ROUNDS && active > 150 * ROUNDS && sifted > 300 * ROUNDS &&
                moved > 200 * ROUNDS && serial > 5 * ROUNDS && resisted > 5 * ROUNDS);
    for (int region = 0; region < PAIRS_REGIONS; region++) {
        assert_true(regions[SIM_PAIR_VT][region] > 10 * ROUNDS && regions[SIM_PAIR_EE][region] > 10 * ROUNDS);
    }
}

// ---------------------------------------------------------------------------------------------------- narrowing

// Whether a pair is kept depends on the R that is told of it alone, and a pair that is dropped is so with a smaller R as well.
static void reaches_decide(const struct sim_meet *meet, enum sim_pair_kind kind,
                           const struct sim_candidates *candidates, const struct sim_narrowed *narrowed,
                           uint32_t lanes)
{
    for (uint32_t lane = 0; lane < candidates->count; lane++) {
        struct sim_candidates alone = *candidates;
        struct sim_narrowed again;
        alone.same = false;
        alone.reach = narrowed->reach[lane];
        assert_true(alone.reach <= candidates->reach);
        const uint32_t bit = 1U << lane;
        assert_int_equal(sim_narrow_of(SIM_ISA_SCALAR, kind)(meet, &alone, &again) & bit, lanes & bit);
        alone.reach /= 2;
        assert_true((lanes & bit) != 0 ||
                    (sim_narrow_of(SIM_ISA_SCALAR, kind)(meet, &alone, &again) & bit) == 0);
    }
}

static float side_of(const struct sim_row *one, const struct sim_row *other)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += pow((double)sim_wrap_sub(one->x[axis], other->x[axis]), 2);
    }
    return (float)(sqrt(square) * (1 + 0x1p-23));
}

// The longest side at each row of some pairs, in the rest shape.
static void spans_find(enum sim_pair_kind kind, const struct sim_candidates *candidates, float spans[ROWS])
{
    memset(spans, 0, ROWS * sizeof *spans);
    for (uint32_t lane = 0; lane < candidates->count; lane++) {
        for (uint32_t k = 0; k < 4; k++) {
            for (uint32_t other = 0; other < 4; other++) {
                const uint32_t row = candidates->at[k][lane] / SIM_ROW_BYTES,
                               to = candidates->at[other][lane] / SIM_ROW_BYTES;
                const bool same = kind == SIM_PAIR_VT ? k > 0 && other > 0 : k / 2 == other / 2;
                spans[row] = fmaxf(spans[row], same ? side_of(&resting[row], &resting[to]) : 0);
            }
        }
    }
}

// Sides that are longer than anything leave no pair to be told far at rest without another look.
static uint32_t narrow_slowly(const struct sim_meet *meet, enum sim_pair_kind kind,
                              const struct sim_candidates *candidates, struct sim_narrowed *narrowed)
{
    for (uint32_t row = 0; row < ROWS; row++) {
        resting[row].w = FLT_MAX;
    }
    return sim_narrow_of(SIM_ISA_SCALAR, kind)(meet, candidates, narrowed);
}

// Returns how many pairs of one body that may come close are as far apart at rest as R is, at least.
static uint32_t spans_change_nothing(const struct sim_meet *meet, enum sim_pair_kind kind,
                                     const struct sim_candidates *candidates)
{
    struct sim_narrowed quick = {{0}, {0}, {0}}, slow = quick;
    float spans[ROWS];
    uint32_t far = 0;
    const uint32_t lanes = narrow_slowly(meet, kind, candidates, &slow);
    spans_find(kind, candidates, spans);
    for (uint32_t row = 0; row < ROWS; row++) {
        resting[row].w = spans[row];
    }
    assert_int_equal(sim_narrow_of(SIM_ISA_SCALAR, kind)(meet, candidates, &quick), lanes);
    for (uint32_t lane = 0; lane < candidates->count; lane++) {
        if ((lanes >> lane & 1) != 0) {
            assert_true(quick.reach[lane] == slow.reach[lane]);
            far += candidates->same && slow.reach[lane] == candidates->reach;
        }
    }
    return far;
}

static void what_may_come_close_is_found_alike(void **state)
{
    (void)state;
    uint32_t kept = 0, dropped = 0, far = 0;
    struct sim_meet meet = {.expected = {made.rows, NULL}, .rest = resting, .paths = made.paths};
    for (uint32_t round = 0; round < ROUNDS / 2; round++) {
        seed = 9000 + round;
        make();
        memcpy(resting, made.starts, sizeof resting);
        for (uint32_t row = 0; row < ROWS; row++) {
            for (int axis = 0; axis < 3; axis++) {
                made.paths[row].way[axis] = (int32_t)(between(-1, 1) * below(1U << below(24)));
            }
            made.paths[row].slack = (float)below(1U << below(24));
        }
        for (uint32_t b = 0; b < 2 * BATCHES; b++) {
            const enum sim_pair_kind kind = b % 2 == 0 ? SIM_PAIR_VT : SIM_PAIR_EE;
            struct sim_candidates candidates = {.reach = (float)below(1U << below(24)),
                                                .start = (float)below(20),
                                                .steps = (float)(1 + below(20)),
                                                .same = below(2) == 0,
                                                .count = 1 + below(SIM_LANES)};
            memcpy(candidates.at, made.lanes[kind][b / 2].at, sizeof candidates.at);
            far += spans_change_nothing(&meet, kind, &candidates);
            struct sim_narrowed narrowed[2] = {{{0}, {0}, {0}}, {{0}, {0}, {0}}};
            uint32_t lanes = sim_narrow_of(SIM_ISA_SCALAR, kind)(&meet, &candidates, &narrowed[0]);
            assert_true(lanes >> candidates.count == 0);
            reaches_decide(&meet, kind, &candidates, &narrowed[0], lanes);
            kept += (uint32_t)__builtin_popcount(lanes);
            dropped += candidates.count - (uint32_t)__builtin_popcount(lanes);
            for (int isa = SIM_ISA_SCALAR + 1; isa < SIM_ISA_COUNT; isa++) {
                if (!sim_isa_available((enum sim_isa)isa)) {
                    continue;
                }
                assert_int_equal(sim_narrow_of((enum sim_isa)isa, kind)(&meet, &candidates, &narrowed[1]),
                                 lanes);
                const size_t size = candidates.count * sizeof(float);
                assert_memory_equal(narrowed[1].reach, narrowed[0].reach, size);
                assert_memory_equal(narrowed[1].low, narrowed[0].low, size);
                assert_memory_equal(narrowed[1].slope, narrowed[0].slope, size);
            }
        }
    }
    assert_true(kept > 10 * ROUNDS && dropped > 10 * ROUNDS && far > 2 * ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_measured_and_pushed_alike),
        cmocka_unit_test(what_may_come_close_is_found_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
