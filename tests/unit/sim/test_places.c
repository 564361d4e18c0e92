// Pairs that come all at once get the places that they get one by one, and pairs that go all at once leave the same holes.
#include "sim/contact/contact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BATCHES = 9, CAPACITY = BATCHES * SIM_LANES, ROWS = 256 };

// A list, with all that it needs.
struct whole {
    struct sim_pair_lanes lanes[BATCHES + 1];
    struct sim_pair_rest rest[BATCHES + 1];
    struct sim_slip slips[CAPACITY];
    uint64_t used[ROWS][2];
    struct sim_pair_list list;
    struct sim_pair_colors colors;
};

static struct sim_row rows[ROWS];
static struct whole one, other;

static void link_to_itself(struct whole *whole)
{
    whole->list.lanes = whole->lanes;
    whole->list.rest = whole->rest;
    whole->colors.used = whole->used;
    whole->colors.slips.items = whole->slips;
}

static void begin(void)
{
    memset(&one, 0, sizeof one);
    one.list.capacity = CAPACITY;
    one.colors.slips.capacity = CAPACITY;
    link_to_itself(&one);
}

static void copy(void)
{
    other = one;
    link_to_itself(&other);
}

static uint32_t below(uint32_t bound)
{
    return (uint32_t)rand() % bound;
}

static struct sim_pair pair_of(void)
{
    struct sim_pair pair = {.reach = 1, .low = (float)below(1000), .slope = 1, .owns = below(64)};
    for (int k = 0; k < 4; k++) {
        pair.at[k] = (1 + below(ROWS - 1)) * SIM_ROW_BYTES;
    }
    return pair;
}

static void add_some(uint32_t count)
{
    struct sim_pair pairs[CAPACITY];
    uint32_t places[CAPACITY];
    copy();
    for (uint32_t i = 0; i < count; i++) {
        pairs[i] = pair_of();
    }
    const uint32_t room = CAPACITY - one.list.count + one.list.holes;
    assert_int_equal(sim_pairs_places(&one.list, count, places), count <= room);
    if (count > room) {
        assert_int_equal(one.list.count, other.list.count);
        assert_int_equal(one.list.holes, other.list.holes);
        return;
    }
    for (uint32_t i = count; i-- > 0;) { // in any order
        assert_true(places[i] < one.list.count && (i == 0 || places[i - 1] < places[i]));
        sim_pairs_put(&one.list, places[i], &pairs[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(sim_pairs_add(&other.list, &pairs[i]), places[i]);
    }
}

static void touch_some(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t pair = below(one.list.count);
        const struct sim_pair_rest *rest = &one.rest[pair / SIM_LANES];
        if (!sim_pair_is_hole(&one.list, pair) &&
            sim_pair_color(rest->tag[pair % SIM_LANES]) == SIM_PAIR_UNCOLORED) {
            sim_pair_touches(&one.colors, &one.list, rows, pair, (struct sim_rubs){0.3f, 0.3f});
        }
    }
}

static bool is_dirty(const struct whole *whole, uint32_t pair, const uint8_t *dirty)
{
    bool any = false;
    for (uint32_t k = 0; k < 4; k++) {
        any |= dirty[sim_pair_row(&whole->list, pair, k)] != 0;
    }
    return any;
}

static void drop_some(uint32_t count)
{
    uint8_t dirty[ROWS + 3] = {0};
    uint32_t out[CAPACITY];
    for (uint32_t i = 0; i < count; i++) {
        dirty[1 + below(ROWS - 1)] = 1;
    }
    copy();
    const uint32_t batches = sim_pair_batches(one.list.count), half = batches / 2;
    for (int part = 0; part < 2; part++) {
        const struct sim_dropped dropped =
            sim_pairs_drop(sim_contact_kernels_of(SIM_ISA_SCALAR), &one.list, part == 0 ? 0 : half,
                           part == 0 ? half : batches, dirty, out);
        sim_pairs_dropped(&one.list, &dropped);
        for (uint32_t i = 0; i < dropped.colored; i++) {
            sim_pair_drop(&one.colors, &one.list, rows, out[i]);
        }
    }
    for (uint32_t pair = 0; pair < other.list.count; pair++) {
        if (is_dirty(&other, pair, dirty)) {
            sim_pair_drop(&other.colors, &other.list, rows, pair);
        }
    }
}

// Nobody reads what a pair owned once it is a hole.
static void rest_same(uint32_t pair)
{
    const uint32_t lane = pair % SIM_LANES;
    const struct sim_pair_rest *a = &one.rest[pair / SIM_LANES], *b = &other.rest[pair / SIM_LANES];
    const bool hole = one.lanes[pair / SIM_LANES].low[lane] >= SIM_PAIR_FAR;
    const int shift = hole ? SIM_PAIR_COLOR_SHIFT : 0;
    assert_int_equal(a->tag[lane] >> shift, b->tag[lane] >> shift);
    assert_int_equal(a->slip[lane], b->slip[lane]);
}

static void same(void)
{
    const uint32_t batches = sim_pair_batches(one.list.count);
    assert_memory_equal(one.lanes, other.lanes, batches * sizeof *one.lanes);
    for (uint32_t pair = 0; pair < batches * SIM_LANES; pair++) {
        rest_same(pair);
    }
    assert_memory_equal(one.used, other.used, sizeof one.used);
    assert_memory_equal(one.slips, other.slips, sizeof one.slips);
    assert_int_equal(one.list.count, other.list.count);
    assert_int_equal(one.list.holes, other.list.holes);
    assert_int_equal(one.colors.slips.free, other.colors.slips.free);
    if (one.list.holes > 0) {
        assert_int_equal(one.list.first_hole, other.list.first_hole);
    }
}

static void pairs_come_and_go(void **state)
{
    (void)state;
    uint32_t refused = 0, into_holes = 0;
    srand(37);
    for (uint32_t row = 1; row < ROWS; row++) {
        rows[row].w = 1;
    }
    for (int round = 0; round < 40; round++) {
        begin();
        add_some(1 + below(CAPACITY / 2));
        same();
        for (int turn = 0; turn < 8; turn++) {
            touch_some(below(40));
            drop_some(below(20));
            same();
            const uint32_t count = below(60);
            refused += count > CAPACITY - one.list.count + one.list.holes;
            into_holes += one.list.holes > 0 && count > 0;
            const bool fits = count <= CAPACITY - one.list.count + one.list.holes;
            add_some(count);
            if (fits) {
                same();
            }
        }
    }
    assert_true(refused > 0 && into_holes > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_come_and_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
